"""What a croupier's hands do at the terminal in a browser, and look-ups of what is behind it."""

import re

import psycopg

from . import waiting


def expect(*args):
    from playwright.sync_api import expect

    return expect(*args)


def new_page(browser):
    """A page in a context of its own, as patient as all waits."""
    context = browser.new_context()
    context.set_default_timeout(1000 * waiting.PATIENCE)
    return context.new_page()


def log_in(page, live_stack, login):
    """Log in and go to the next page: for a croupier, the terminal of the table where they are signed on."""
    page.goto(live_stack.base_url)
    page.get_by_label("Login").fill(login)
    page.get_by_label("Password").fill(live_stack.logins[login])
    page.get_by_role("button", name="Log in").click()


def enter(page, live_stack, login, path="/"):
    """Open a page as somebody who is logged in already; `log_in` uses the form."""
    page.context.add_cookies([live_stack.session(login)])
    page.goto(live_stack.url(path))


def sit_down(page, live_stack, login):
    """Go to the terminal, live; open a round unless one is open."""
    enter(page, live_stack, login)
    expect(page.locator("[data-state=live]")).to_be_attached()
    if page.locator("#term").get_attribute("data-moment") != "open":
        page.get_by_role("button", name=re.compile("Open round|Next round")).click()
    moment(page, "open")


def deal(page, live_stack, login, *moves):
    """Go to the terminal, live, in a new round in which these moves (kind, box, arguments) are done already."""
    live_stack.deal(login, moves)
    enter(page, live_stack, login)
    expect(page.locator("[data-state=live]")).to_be_attached()
    step(page, len(moves))


def begin(page, live_stack, login, seats=()):
    """Log in by the form and begin a round by its button: void one that was left open.

    :param seats: from the dealer's left, if the game asks who plays.
    """
    bosses = {"anna": "clara", "boris": "clara", "greta": "frank", "mara": "karl"}
    log_in(page, live_stack, login)
    expect(page.locator("[data-state=live]")).to_be_attached()
    if page.locator("#term").get_attribute("data-moment") in {"open", "held"}:
        boss = bosses[login]
        signature = {"login": boss, "password": live_stack.logins[boss]}
        post(page, "void", {"clause": "house.4", "reason": "Left open", "signature": signature})
        moment(page, "void")
    if seats:
        seat(page, *seats)
        part(page, "seats-form").locator(f"[name=dealer][value='{seats[-1]}']").check(force=True)
    page.get_by_role("button", name=re.compile("Open round|Next round")).click()
    moment(page, "open")


def seat(page, *boxes):
    """Let these boxes play, and no other."""
    form = part(page, "seats-form")
    if not form.is_visible():
        page.get_by_role("button", name="Who plays").click()
    for choice in form.locator("[name=seats]").all():
        choice.set_checked(int(choice.get_attribute("value")) in boxes, force=True)


def post(page, command, body):
    """A command to the round at its newest version, as another client would send it."""
    return page.evaluate(
        """async ([round, command, body]) => {
            const { version } = await (await fetch(`/api/v1/rounds/${round}/`)).json();
            const answer = await fetch(`/api/v1/rounds/${round}/${command}/`, {
                method: "POST",
                headers: {
                    "Content-Type": "application/json",
                    "Idempotency-Key": crypto.randomUUID(),
                    "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content,
                },
                body: JSON.stringify({ ...(command === "report" ? {} : { version }), ...body }),
            });
            if (!answer.ok) throw new Error(await answer.text());
        }""",
        [round_id(page), command, body],
    )


def play(page, *moves):
    """Make moves (kind, box, arguments) in the open round; the page follows."""
    for kind, box, given in moves:
        post(page, "actions", {"kind": kind, "box": box, "arguments": given})


def moment(page, name):
    """Wait until the table stands there: open, held, settled, void, away."""
    expect(page.locator("#term")).to_have_attribute("data-moment", name)


def step(page, number):
    """Wait until the page shows the round after this many actions."""
    expect(page.locator("#term")).to_have_attribute("data-version", str(number))


def press(page, name, number):
    """Press a button by its name; it is action `number` of the round."""
    page.get_by_role("button", name=name).click()
    step(page, number)


def sign(form, live_stack, login):
    """A second person signs in a form."""
    form.locator("[name='signature.login']").fill(login)
    form.locator("[type=password]").fill(live_stack.logins[login])


def type_cards(page, cards):
    """Type cards as a hand does, `Th 9c`; a hand takes longer than a scanner before it goes on to another key.

    That pause tells the two apart, so we wait for it by the clock; a slow machine only makes it longer.
    """
    for card in cards.split():
        for letter in card:
            page.keyboard.press(letter)
    pause(page)


def pause(page, milliseconds=100):
    """A hand's pause, by the page's own clock: then it is clear what the keys before it meant, and done."""
    page.evaluate("(long) => new Promise((over) => setTimeout(over, long))", milliseconds)


def scan(page, *codes, ends=("Enter",), capital=("Shift",)):
    """Type cards as a scanner does, each with its Enter: `scan(page, "Th", "9c")`.

    As with a real scanner, each key has the time of its press, not that at which a busy page gets to it.

    :param ends: what it presses after a code.
    :param capital: what it presses before a capital.
    """
    page.evaluate(
        """([codes, ends, capital]) => {
            const pressed = performance.now();
            const type = (key) => {
                const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
                Object.defineProperty(event, "timeStamp", { value: pressed });
                document.activeElement.dispatchEvent(event);
            };
            for (const code of codes) for (const key of [...code, ...ends]) {
                if (/[A-Z]/.test(key) && key.length === 1) capital.forEach(type);
                type(key);
            }
        }""",
        [codes, ends, capital],
    )


def part(page, name):
    """A part of the felt by the name that templates give it for tests."""
    return page.locator(f'[data-test="{name}"]')


def round_id(page):
    return int(page.locator("#term").get_attribute("data-round"))


def rows(live_stack, query, *values):
    with psycopg.connect(live_stack.database_url) as connection:
        return connection.execute(query, values).fetchall()


def actions(live_stack, page):
    """The open round's actions as (kind, undoes)."""
    return rows(
        live_stack, "SELECT kind, undoes FROM tables_action WHERE round_id = %s ORDER BY ordinal", round_id(page)
    )
