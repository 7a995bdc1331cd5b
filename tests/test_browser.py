"""The croupier's terminal in a real Chromium on the real processes: a round, refusals, an onlooker, a lost answer."""

import re

import psycopg
import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser


def log_in(page, live_stack, login):
    """To the page that follows the log-in: for a croupier the terminal of the table where they are signed on."""
    page.goto(live_stack.base_url)
    page.get_by_label("Login").fill(login)
    page.get_by_label("Password").fill(live_stack.logins[login])
    page.get_by_role("button", name="Log in").click()


def sit_down(page, live_stack, login):
    """Log in at the terminal, live, and open a round unless one is open."""
    log_in(page, live_stack, login)
    expect(page.locator("[data-state=live]")).to_be_attached()
    felt = page.locator("#term")
    if felt.get_attribute("data-moment") != "open":
        page.get_by_role("button", name=re.compile("Open round|Next round")).click()
    expect(felt).to_have_attribute("data-moment", "open")


def step(page, number):
    """Wait until the page shows the round after so many actions."""
    expect(page.locator("#term")).to_have_attribute("data-version", str(number))


def press(page, name, number):
    """Press a button by its name; it is action `number` of the round."""
    page.get_by_role("button", name=name).click()
    step(page, number)


def type_cards(page, cards):
    """Cards as a hand or a scanner types them: `Th 9c`."""
    for card in cards.split():
        for letter in card:
            page.keyboard.press(letter)


def part(page, name):
    """A part of the felt by the name that templates give it for tests."""
    return page.locator(f'[data-test="{name}"]')


def round_id(page):
    return int(page.locator("#term").get_attribute("data-round"))


def rows(live_stack, query, *values):
    with psycopg.connect(live_stack.database_url) as connection:
        return connection.execute(query, values).fetchall()


def test_a_round_is_played_settled_and_explained(page, live_stack):
    sit_down(page, live_stack, "anna")
    page.evaluate("() => { window.stayed = true; }")

    page.get_by_role("button", name="Add 25").click(click_count=2)
    press(page, "ANTE on box 1", 1)
    # The amount stands for the next box; a chip begins another.
    page.get_by_role("button", name="Add 100").click()
    expect(page.locator("[data-stake]")).to_have_text("100")
    page.keyboard.press("Backspace")
    page.get_by_role("button", name="Add 25").click(click_count=2)
    for number in (2, 3, 4):
        page.keyboard.press("Enter")
        step(page, number)
    press(page, "Close antes", 5)

    expect(page.get_by_role("button", name="1 card missing")).to_be_visible()
    page.get_by_role("button", name="eight of diamonds").click()
    page.get_by_role("button", name="Take back the eight of diamonds").click()
    page.get_by_role("button", name="nine of diamonds").click()
    press(page, "Dealer's open card", 6)

    press(page, "Box 1 bets 100", 7)
    press(page, "Box 2 folds", 8)
    press(page, "Box 3 buys two 50", 9)
    expect(part(page, "box-4")).to_have_class(re.compile(r"\bring\b"))
    page.keyboard.press("b")
    step(page, 10)
    page.keyboard.press("b")
    step(page, 11)

    type_cards(page, "9s Ac 7h")
    expect(page.get_by_role("button", name="1 card missing")).to_be_visible()
    expect(page.get_by_role("button", name="ace of clubs, lies in Dealer")).to_be_disabled()
    type_cards(page, "4s")
    page.keyboard.press("Backspace")
    type_cards(page, "3s")
    press(page, "Reveal dealer", 12)
    type_cards(page, "Kd 4c")
    press(page, "Dealer's Small Hand", 13)

    type_cards(page, "Qh 10h 8h 6h 2h As Jc")
    press(page, "Show box 1", 14)
    type_cards(page, "Jh Jd 5h 5c 8s Qd 4h")
    press(page, "Show box 3", 15)
    type_cards(page, "Kh Ts 8d 6c 3d 2s 2d")
    page.keyboard.press("Enter")
    step(page, 16)
    page.get_by_role("button", name="Close round").click()

    results = {1: "500", 2: "−50", 3: "50", 4: "−150"}
    for box, amount in results.items():
        expect(part(page, f"result-{box}").locator(".num")).to_have_text(amount)
    expect(page.get_by_role("heading", name="Hand over to box 1")).to_be_visible()
    expect(part(page, "explanation-1")).to_contain_text("5:1")
    page.get_by_role("button", name="Choose box 4").click()
    expect(part(page, "explanation-4")).to_contain_text("split.17")
    assert page.evaluate("() => window.stayed"), "the page was loaded again"

    played = round_id(page)
    payments = rows(
        live_stack,
        "SELECT box, outcome, staked_units, returned_units, paid_units, net_units FROM payouts_payment p"
        " JOIN payouts_settlement s ON s.id = p.settlement_id WHERE s.round_key = %s ORDER BY box",
        f"round:{played}",
    )
    assert payments == [
        (1, "win_bet", 15000, 15000, 50000, 50000),
        (2, "fold", 5000, 0, 0, -5000),
        (3, "win_ante", 20000, 15000, 5000, 0),
        (4, "lose", 15000, 0, 0, -15000),
    ]
    to_patrons = rows(
        live_stack,
        "SELECT count(*), sum(CASE debit.kind WHEN 'patrons' THEN units ELSE -units END) FROM payouts_transfer t"
        " JOIN payouts_settlement s ON s.id = t.settlement_id JOIN payouts_account debit ON debit.id = t.debit_id"
        " WHERE s.round_key = %s",
        f"round:{played}",
    )
    assert to_patrons == [(6, sum(payment[-1] for payment in payments))]
    entries = rows(live_stack, "SELECT event FROM audit_entry WHERE subject = %s ORDER BY seq", f"round:{played}")
    assert [event for (event,) in entries] == [
        "round.opened",
        *["round.acted"] * 16,
        "round.closed",
        "round.settled",
    ]


def test_a_refusal_says_what_clause_and_way_out_and_changes_nothing(page, live_stack):
    sit_down(page, live_stack, "boris")
    page.get_by_role("button", name="Add 1", exact=True).click()
    page.get_by_role("button", name="ANTE on box 1").click()
    strip = page.get_by_role("alert").filter(has_text="ANTE is 1;")
    expect(strip).to_contain_text("split.4")
    expect(strip).to_contain_text("Choose from 5 to 100")
    step(page, 0)
    assert rows(live_stack, "SELECT count(*) FROM tables_action WHERE round_id = %s", round_id(page)) == [(0,)]

    page.get_by_role("button", name="Add 25").click()
    expect(strip).to_be_hidden()
    press(page, "ANTE on box 1", 1)
    press(page, "Close antes", 2)
    type_cards(page, "9d")
    press(page, "Dealer's open card", 3)
    page.keyboard.press("b")
    step(page, 4)
    expect(page.get_by_role("button", name="nine of diamonds, lies in Dealer")).to_be_disabled()
    status, refusal = page.evaluate(
        """async (round) => {
            const answer = await fetch(`/api/v1/rounds/${round}/actions/`, {
                method: "POST",
                headers: {
                    "Content-Type": "application/json",
                    "Idempotency-Key": crypto.randomUUID(),
                    "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content,
                },
                body: JSON.stringify({
                    version: 4, kind: "reveal", box: null, arguments: { cards: ["9d", "Ac", "7h", "3s"] },
                }),
            });
            return [answer.status, await answer.json()];
        }""",
        round_id(page),
    )
    assert (status, refusal["code"], refusal["path"]) == (422, "card_duplicate", "cards[0]")
    step(page, 4)


def test_who_only_watches_sees_the_same_felt_live_and_without_buttons(page, browser, live_stack):
    onlooker = browser.new_context().new_page()
    log_in(onlooker, live_stack, "frank")
    onlooker.get_by_role("link", name="Split 3").click()
    expect(onlooker.locator("[data-state=live]")).to_be_attached()
    expect(onlooker.get_by_text("You only watch")).to_be_visible()

    sit_down(page, live_stack, "greta")
    page.get_by_role("button", name="Add 25").click()
    press(page, "ANTE on box 1", 1)
    step(onlooker, 1)
    expect(part(onlooker, "box-1")).to_contain_text("25")
    expect(onlooker.locator("[data-offer]")).to_have_count(0)
    onlooker.context.close()


def test_a_command_whose_answer_is_lost_is_done_once(page, live_stack):
    sit_down(page, live_stack, "greta")
    before = int(page.locator("#term").get_attribute("data-version"))
    keys = []

    def lose_the_first_answer(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/actions/", lose_the_first_answer)
    page.get_by_role("button", name="Add 25").click()
    page.get_by_role("button", name="ANTE on box").click()
    expect(page.get_by_role("alert").filter(has_text="not confirmed")).to_be_visible()
    step(page, before + 1)
    expect(page.get_by_role("alert").filter(has_text="not confirmed")).to_be_hidden()
    assert len(keys) == 2
    assert len(set(keys)) == 1
    count = rows(live_stack, "SELECT count(*) FROM tables_action WHERE round_id = %s", round_id(page))
    assert count == [(before + 1,)]
