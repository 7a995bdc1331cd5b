"""The croupier's terminal in a real Chromium on the real processes: rounds, refusals, undo, holds, voids, payments."""

import re

import pytest

from ..support.looks import check
from ..support.terminal import (
    actions,
    begin,
    deal,
    enter,
    moment,
    part,
    play,
    post,
    press,
    round_id,
    rows,
    sign,
    sit_down,
    step,
    type_cards,
)

sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
expect = sync_api.expect
pytestmark = pytest.mark.browser

STAKES = tuple(("ante", box, {"units": 2500}) for box in range(1, 7))
OPENED = (("close_betting", None, {}), ("open_card", None, {"card": "9d"}))
THREE_BOXES = (*STAKES[:3], *OPENED)
REVEALED = ("reveal", None, {"cards": ["9s", "Ac", "7h", "3s"]})
SMALL_HAND = ("small_hand", None, {"cards": ["Kd", "4c"]})
PAID_FIRST = "5 boxes paid 125; replace the ace"
FLUSH = ("show", 1, {"cards": ["Qh", "Th", "8h", "6h", "2h"], "extra": ["As", "Jc"]})


def test_unseen_cards_are_asked_for_where_the_big_hand_is_above_and_lie_closed_elsewhere(page, live_stack):
    begin(page, live_stack, "anna")
    play(
        page, *STAKES[:3], *OPENED, ("bet", 1, {}), ("bet", 2, {}), ("buy", 3, {}), ("bet", 3, {}), REVEALED, SMALL_HAND
    )

    type_cards(page, "Kh Jh 8h 6c")
    expect(page.get_by_role("button", name="1 card missing")).to_be_visible()
    type_cards(page, "2c")
    # A card more is half of what may be left out whole.
    type_cards(page, "5s")
    expect(page.get_by_role("button", name="1 card missing")).to_be_visible()
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    step(page, 12)
    expect(part(page, "box-1")).to_contain_text("Not seen")

    type_cards(page, "Qh Th 9h 6h 2h")
    press(page, "Show box 2", 13)
    expect(part(page, "box-2")).to_have_class(re.compile(r"\bring\b"))
    expect(part(page, "box-2")).not_to_contain_text("Not seen")
    expect(page.get_by_role("button", name="2 cards missing")).to_be_visible()
    type_cards(page, "As Jc")
    press(page, "Small Hand of box 2", 14)

    # Of seven cards that are set all are shown, whatever the hand.
    type_cards(page, "Ks Js 8s 6d 2d")
    expect(page.get_by_role("button", name="2 cards missing")).to_be_visible()
    type_cards(page, "5d 4d")
    press(page, "Show box 3", 15)
    page.get_by_role("button", name="Close round").click()
    # ANTE is 25; the flush pays 5:1 on the BET.
    for box, amount in {1: "−75", 2: "250", 3: "−100"}.items():
        expect(part(page, f"result-{box}").locator(".num")).to_have_text(amount)


def test_a_round_is_played_settled_and_explained(page, live_stack):
    begin(page, live_stack, "anna")
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
    press(page, "Dealer’s open card", 6)

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
    press(page, "Dealer’s Small Hand", 13)

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
    # Boxes 2 and 4 were taken in the round; what is left is paid from the dealer's right.
    expect(page.get_by_role("heading", name="Hand over to box 3")).to_be_visible()
    for box in (2, 4):
        expect(part(page, f"box-{box}")).to_have_class(re.compile(r"\bdone\b"))
    page.get_by_role("button", name="Choose box 4").click()
    expect(page.get_by_role("heading", name="Box 4 taken in the round")).to_be_visible()
    expect(part(page, "explanation-4")).to_contain_text("split.17")
    page.get_by_role("button", name="Choose box 1").click()
    expect(part(page, "explanation-1")).to_contain_text("5:1")
    page.get_by_role("button", name="Choose box 3").click()
    for box, said in ((3, "Box 3 paid"), (1, "Box 1 paid")):
        expect(page.get_by_role("button", name="Next round")).not_to_have_class(re.compile(r"\bgo\b"))
        page.get_by_role("button", name=said).click()
        expect(part(page, f"box-{box}")).to_have_class(re.compile(r"\bdone\b"))
    expect(part(page, "box-3")).to_contain_text("Paid")
    expect(page.get_by_role("button", name="Next round")).to_have_class(re.compile(r"\bgo\b"))
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
        *["payment.ticked"] * 2,
    ]


def test_a_refusal_says_what_clause_and_way_out_and_changes_nothing(page, live_stack):
    sit_down(page, live_stack, "boris")
    page.get_by_role("button", name="Add 1", exact=True).click()
    page.get_by_role("button", name="ANTE on box 1").click()
    strip = page.get_by_role("alert").filter(has_text="ANTE is 1;")
    expect(strip).to_contain_text("split.4")
    expect(strip).to_contain_text("it runs from 5 to 100")
    check(page)
    step(page, 0)
    assert rows(live_stack, "SELECT count(*) FROM tables_action WHERE round_id = %s", round_id(page)) == [(0,)]

    page.get_by_role("button", name="Add 25").click()
    expect(strip).to_be_hidden()
    press(page, "ANTE on box 1", 1)
    press(page, "Close antes", 2)
    type_cards(page, "9d")
    press(page, "Dealer’s open card", 3)
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


def test_six_boxes_play_a_round_in_which_a_game_is_bought(page, live_stack):
    deal(page, live_stack, "greta", *STAKES, *OPENED, *(("bet", box, {}) for box in range(1, 5)))
    play(page, ("bet", 5, {}))
    step(page, 13)
    # It came by itself, so that it rests for a moment.
    expect(page.get_by_role("button", name="Box 6 bets")).to_be_enabled()
    page.keyboard.press("b")
    step(page, 14)
    type_cards(page, "As Kd 7c 2h")
    press(page, "Reveal dealer", 15)
    check(page)
    for number in range(16, 21):
        press(page, f"Box {number - 15} takes ANTE", number)
    press(page, "Box 6 buys the game", 21)
    check(page)
    type_cards(page, "4c")
    expect(page.get_by_role("button", name=PAID_FIRST)).to_be_visible()
    check(page)
    page.keyboard.press("Enter")
    step(page, 22)
    expect(part(page, "box-1")).to_contain_text("Paid")
    page.get_by_role("button", name="Close round").click()
    moment(page, "settled")
    expect(part(page, "result-1").locator(".num")).to_have_text("25")
    # Boxes 1 to 5 were paid before the replacement.
    expect(page.get_by_role("button", name="Box 6: stakes back")).to_be_visible()
    check(page)
    # The next round may be opened although nothing is ticked.
    page.get_by_role("button", name="Next round").click()
    moment(page, "open")


def test_an_entry_is_taken_back_and_stays_struck_through(page, live_stack):
    deal(page, live_stack, "greta", *THREE_BOXES, ("bet", 1, {}), ("fold", 2, {}))
    expect(part(page, "recent")).to_contain_text("Box 2 folds")
    page.keyboard.press("z")
    step(page, 8)
    press(page, "Undo: Box 1 bets", 9)
    press(page, "Box 1 folds", 10)
    page.keyboard.press("v")
    struck = part(page, "action-7")
    expect(struck.locator("s")).to_have_text("Box 2 folds")
    expect(struck).to_contain_text("taken back by 8")
    expect(part(page, "action-9")).to_contain_text("Takes back 6: Box 1 bets")
    expect(part(page, "action-10").locator("s")).to_have_count(0)
    check(page)
    assert actions(live_stack, page)[-5:] == [("bet", None), ("fold", None), ("undo", 7), ("undo", 6), ("fold", None)]


def test_across_a_phase_the_pit_boss_signs_an_undo_and_an_amended_stake(page, live_stack):
    deal(page, live_stack, "greta", *THREE_BOXES[:4])
    page.get_by_role("button", name="Undo: Close antes, with pit boss").click()
    sheet = part(page, "undo-sheet")
    expect(sheet).to_contain_text("Have a pit boss sign")
    check(page)
    sign(sheet, live_stack, "greta")
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("alert")).to_contain_text("may not sign this at this table.")
    expect(sheet.locator("[type=password]")).to_have_value("")
    sign(sheet, live_stack, "frank")
    sheet.get_by_role("button", name="Undo", exact=True).click()
    step(page, 5)

    play(page, ("close_betting", None, {}))
    step(page, 6)
    page.get_by_role("button", name="Actions").click()
    page.get_by_role("button", name="Amend action 2: ANTE on box 2: 25").click()
    moment(page, "amend")
    page.get_by_role("button", name="Add 100").click()
    expect(page.get_by_role("button", name="Enter who signs")).to_be_visible()
    check(page)
    sign(page.locator("#amend-form"), live_stack, "frank")
    press(page, "Amend action 2", 7)
    moment(page, "open")
    expect(part(page, "box-2")).to_contain_text("100")
    page.get_by_role("button", name="Actions").click()
    expect(part(page, "action-2")).to_contain_text("amended by 7")
    assert actions(live_stack, page)[-3:] == [("undo", 4), ("close_betting", None), ("ante", 2)]


def test_a_card_is_amended_in_its_place_and_nothing_else_moves(page, live_stack):
    deal(page, live_stack, "greta", *STAKES[:1], *OPENED, ("bet", 1, {}))
    page.keyboard.press("v")
    page.get_by_role("button", name="Amend action 3").click()
    expect(page.get_by_role("button", name="Nothing changed yet")).to_be_visible()
    check(page)
    page.get_by_role("button", name="Take back the nine of diamonds").click()
    type_cards(page, "Th")
    page.keyboard.press("Enter")
    step(page, 5)
    expect(page.get_by_role("img", name="ten of hearts")).to_be_visible()
    expect(part(page, "box-1")).to_contain_text("Bet")
    # Where another card is entered, the one that was amended away is free again.
    type_cards(page, "9d")
    expect(page.get_by_role("button", name="Take back the nine of diamonds")).to_be_visible()


def test_an_irregularity_holds_the_round_until_a_ruling_and_a_release(page, live_stack):
    deal(page, live_stack, "greta", *THREE_BOXES, ("bet", 1, {}), ("buy", 3, {}))
    page.keyboard.press("x")
    sheet = part(page, "report-sheet")
    sheet.get_by_role("radio", name="A combination was announced wrongly").check()
    expect(sheet.get_by_role("button", name="Put on record")).to_be_visible()
    sheet.get_by_role("radio", name="A player throws in closed cards").check()
    sheet.get_by_role("radio", name="3", exact=True).check()
    check(page)
    sheet.get_by_role("button", name="Hold the round").click()
    moment(page, "held")
    expect(part(page, "hold")).to_contain_text("split.30")
    expect(part(page, "box-3")).to_contain_text("Held")
    expect(page.locator("[data-offer]").filter(has_text="bets")).to_have_count(0)

    # The clause's ruling, its box and the clause stand there already.
    expect(page.get_by_role("radio", name="Forfeit")).to_be_checked()
    check(page)
    sign(page.locator("#rule-form"), live_stack, "frank")
    page.keyboard.press("Enter")
    step(page, 8)
    moment(page, "held")
    expect(part(page, "box-3")).to_contain_text("Forfeit")
    sign(page.locator("#release-form"), live_stack, "frank")
    page.get_by_role("button", name="Release the round").click()
    moment(page, "open")
    expect(part(page, "box-3")).to_contain_text("Forfeit")
    kinds = rows(
        live_stack,
        "SELECT kind, clause, box, by_id <> approved_by_id FROM tables_intervention WHERE round_id = %s ORDER BY id",
        round_id(page),
    )
    assert kinds == [("held", "split.30", 3, None), ("released", "split.30", None, True)]


@pytest.mark.parametrize("reason", ["W" * 300, "A card fell from the table again. " * 15], ids=["one word", "500"])
def test_a_long_reason_scrolls_in_the_dock_and_cuts_no_box(page, live_stack, reason):
    deal(page, live_stack, "greta", *THREE_BOXES, ("bet", 1, {}), ("fold", 2, {}), ("buy", 3, {}))
    post(page, "report", {"clause": "house.4", "reason": reason.strip()[:500]})
    moment(page, "held")
    expect(page.get_by_role("button", name="Enter the reason")).to_be_visible()
    check(page)


def test_two_people_void_a_round_and_each_box_gets_all_back(page, live_stack):
    deal(page, live_stack, "greta", *THREE_BOXES, ("bet", 1, {}), ("fold", 2, {}), ("buy", 3, {}))
    post(page, "report", {"clause": "house.4", "reason": "The lights went out"})
    moment(page, "held")
    expect(part(page, "hold")).to_contain_text("The lights went out")
    page.get_by_role("button", name="Void the round").click()
    form = page.locator("#void-form")
    expect(form).to_contain_text("asks, a pit boss signs")
    expect(form).to_contain_text("Box 1 75")
    check(page)
    form.get_by_label("Reason").fill("The lights went out")
    sign(form, live_stack, "greta")
    page.get_by_role("button", name="Void the round").click()
    expect(page.get_by_role("alert").filter(has_text="One person can’t both ask and sign")).to_be_visible()
    assert page.evaluate("() => sessionStorage.getItem('command')") is None
    expect(form.locator("[type=password]")).to_have_value("")
    sign(form, live_stack, "frank")
    page.get_by_role("button", name="Void the round").click()
    moment(page, "void")
    for box, amount in ((1, "75"), (2, "25"), (3, "50")):
        expect(part(page, f"result-{box}").locator(".num")).to_have_text(amount)
    expect(page.get_by_role("heading", name="Give back to box 1")).to_be_visible()
    expect(part(page, "explanation-1")).to_contain_text("house.4")
    expect(page.get_by_role("button", name="Next round")).to_be_visible()
    check(page)


def test_a_correction_after_payment_says_what_to_hand_over_or_collect(page, live_stack):
    deal(page, live_stack, "greta", *STAKES[:2], *OPENED, ("bet", 1, {}), ("fold", 2, {}), REVEALED, SMALL_HAND, FLUSH)
    page.get_by_role("button", name="Close round").click()
    expect(part(page, "box-2")).to_have_class(re.compile(r"\bdone\b"))
    page.get_by_role("button", name="Box 1 paid").click()
    expect(part(page, "box-1")).to_have_class(re.compile(r"\bdone\b"))
    page.evaluate(
        """async ([round, signature]) => {
            const answer = await fetch(`/api/v1/rounds/${round}/corrections/`, {
                method: "POST",
                headers: {
                    "Content-Type": "application/json",
                    "Idempotency-Key": crypto.randomUUID(),
                    "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content,
                },
                body: JSON.stringify({
                    line: 1, changes: [{ path: "boxes[0].cards[4]", value: "2d" }],
                    clause: "split.33", reason: "A diamond", signature,
                }),
            });
            if (!answer.ok) throw new Error(await answer.text());
        }""",
        [round_id(page), {"login": "frank", "password": live_stack.logins["frank"]}],
    )
    expect(page.get_by_role("heading", name="Corrected: collect from box 1")).to_be_visible()
    expect(part(page, "box-2")).to_contain_text("No change")
    check(page)
    page.get_by_role("button", name=re.compile("Box 1: .* collected")).click()
    expect(page.get_by_role("button", name="Next round")).to_have_class(re.compile(r"\bgo\b"))
    page.get_by_role("button", name="Choose box 2").click()
    expect(page.get_by_role("heading", name="Corrected: nothing changes for box 2")).to_be_visible()


def test_a_correction_of_an_earlier_round_is_said_in_a_strip_and_ticked_on_its_page(page, live_stack):
    deal(page, live_stack, "greta", *STAKES[:1], *OPENED, ("fold", 1, {}), REVEALED)
    page.get_by_role("button", name="Close round").click()
    expect(part(page, "box-1")).to_have_class(re.compile(r"\bdone\b"))
    earlier = round_id(page)
    page.get_by_role("button", name="Next round").click()
    moment(page, "open")
    page.get_by_role("button", name="Add 25").click()
    page.evaluate(
        """async ([round, signature]) => {
            await fetch(`/api/v1/rounds/${round}/corrections/`, {
                method: "POST",
                headers: {
                    "Content-Type": "application/json",
                    "Idempotency-Key": crypto.randomUUID(),
                    "X-CSRFToken": document.querySelector("meta[name=csrf-token]").content,
                },
                body: JSON.stringify({
                    line: 1, changes: [{ path: "boxes[0].ante", value: 1500 }],
                    clause: "split.33", reason: "Fifteen lay there", signature,
                }),
            });
        }""",
        [earlier, {"login": "frank", "password": live_stack.logins["frank"]}],
    )
    strip = part(page, "notices")
    expect(strip).to_contain_text("was corrected: hand over 10 to box 1")
    # What is half entered stands.
    expect(page.locator("[data-stake]")).to_have_text("25")
    press(page, "ANTE on box 1", 1)
    play(page, ("ante", 2, {"units": 2500}), *OPENED, ("bet", 1, {}), ("buy", 2, {}))
    step(page, 6)
    play(page, ("bet", 2, {}), REVEALED, SMALL_HAND)
    step(page, 9)
    check(page)
    strip.get_by_role("link").click()
    expect(part(page, "due")).to_contain_text("Hand over 10 to box 1")
    page.get_by_role("button", name=re.compile("box 1$")).click()
    expect(part(page, "due").locator(".ticked")).to_have_text("Done")
    page.get_by_role("link", name="Terminal of Split 3").click()
    expect(page.locator("[data-state=live]")).to_be_attached()
    expect(strip).to_have_count(0)


def test_a_first_visit_asks_for_little_and_keeps_it(page, live_stack):
    asked, ended = [], {}
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfinished", lambda request: ended.update({request.url: request}))
    enter(page, live_stack, "anna")
    expect(page.locator("[data-state=live]")).to_be_attached()
    # And the icon, for which a browser without a window does not ask.
    assert len(asked) <= 7, asked
    sizes = [request.sizes() for request in ended.values()]
    assert sum(size["responseHeadersSize"] + size["responseBodySize"] for size in sizes) <= 60_000
    kept = [(url, request.response()) for url, request in ended.items() if "/static/" in url]
    assert {url.rsplit(".", 1)[1] for url, _ in kept} == {"css", "js"}
    for url, answer in kept:
        assert re.search(r"\.[0-9a-f]{12}\.(js|css)$", url), url
        assert answer.header_value("content-encoding") == "gzip", url
        assert "immutable" in answer.header_value("cache-control"), url
    document = next(request.response() for url, request in ended.items() if url.endswith("/terminal/"))
    assert document.header_value("content-encoding") == "gzip"
