"""The house's games on the real floor: whole evenings through the verbs, the worker's settling, pots and series."""

import json
import random
import re
from fractions import Fraction

import pytest
from django.db import transaction

from audit.log import Actor
from audit.models import Entry
from casino import adjudicate
from casino.games.bigtwo import BIGTWO
from casino.games.game import Action
from payouts.models import Account, Payment, Transfer
from tables.models import Round, Series, Table
from tables.verbs import results, rounds, rulesheets, series, settling
from tests.audit.test_log import verify

from ...payouts.test_recompute import recompute
from ...support import evening, factories, proof


def played(table, dealt):
    """A round of an evening from its opening to its close."""
    opened = factories.open_round(table, dealt.seats)
    assert tuple(opened.seats) == dealt.seats
    for action in dealt.actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    return factories.close(opened)


def check(table):
    """All that was paid at the table follows from the log and the pure core, and every pot is empty again.

    :returns: how many payments and transfers there are.
    """
    payments, transfers = recompute(Entry.objects.order_by("id").values_list("body", flat=True))
    columns = ("box", "outcome", "staked_units", "returned_units", "paid_units", "net_units")
    stored = Payment.objects.values_list("settlement__round_key", "settlement__generation", *columns)
    assert set(stored) == payments
    moved = Transfer.objects.select_related("debit", "credit")
    assert {(t.key, t.debit.ref, t.credit.ref, t.units, t.reason) for t in moved} == transfers
    assert verify(table.ref) > 0
    balances = {account.ref: account.balance_units for account in Account.objects.with_balance()}
    assert sum(balances.values()) == 0
    assert balances[f"pot:{table.ref}"] == 0
    return len(payments), len(transfers)


def as_adjudicated(round_):
    """Whether each winner got from the pot what `adjudicate` answers to the round's line."""
    answer, well = adjudicate.answer(round_.lines.last().text.encode(), 1)
    assert well, answer
    assert {**json.loads(round_.settlement.result), "id": round_.pk} == answer
    if "shares" in answer:
        paid = {str(p.box): p.returned_units + p.paid_units for p in round_.settlement.payments.all()}
        assert {player: units for player, units in paid.items() if units} == {
            player: units for player, units in answer["shares"].items() if units
        }
    return True


def play_evening(name, most=None):
    values, rounds_dealt = evening.evening(name)
    table = factories.table_of(evening.game_of(name).code, values)
    for dealt in rounds_dealt[:most]:
        closed = played(table, dealt)
        assert settling.settle_due() == 1
        assert as_adjudicated(Round.objects.get(pk=closed.pk, status=Round.Status.SETTLED))
    return (len(rounds_dealt[:most]), *check(table))


@pytest.mark.parametrize("name", [name for name in evening.EVENINGS if name != "bigtwo"])
def test_the_kept_evenings_are_those_that_are_dealt(name):
    assert evening.deal(name) == evening.evening(name)


@pytest.mark.proof
def test_the_kept_evening_of_big_two_is_the_one_that_is_dealt():
    assert evening.deal("bigtwo") == evening.evening("bigtwo")


@pytest.mark.parametrize("name", evening.EVENINGS)
def test_part_of_an_evening_is_settled_as_adjudicated_to_the_unit(name, seeded_db):
    count, payments, transfers = play_evening(name, 2 if name == "bigtwo" else 4)
    assert payments >= 2 * count
    assert transfers > 0


@pytest.mark.proof
@pytest.mark.parametrize("name", evening.EVENINGS)
def test_a_whole_evening_is_settled_as_adjudicated_to_the_unit(name, seeded_db):
    count, payments, transfers = play_evening(name, proof.size(None, 12))
    print(f"\n{name}: {count} rounds, {payments} payments, {transfers} transfers, 0 differences, balance 0")


# Who sits, and what goes on from round to round.

LONG = {"game": "long", "price": 100, "rounds": 3}


@pytest.fixture
def long_game(seeded_db):
    """A table of Dynastia's long game over three rounds, and the rounds of its evening with three boxes."""
    _, dealt = evening.evening("dynastia_long")
    return factories.table_of("dynastia", LONG), [one for one in dealt if set(one.seats) == {1, 2, 3}]


def settled(table, dealt):
    closed = played(table, dealt)
    settling.settle_due()
    return Round.objects.get(pk=closed.pk, status=Round.Status.SETTLED)


@pytest.mark.parametrize(
    ("seats", "dealer", "code", "path"),
    [
        ((), None, "seats_missing", "seats"),
        ((1,), None, "seats_wrong", "seats"),
        ((1, 1), None, "seats_wrong", "seats"),
        ((1, 9), None, "seats_wrong", "seats"),
        ((0, 1), None, "seats_wrong", "seats"),
        ((1, 2, 3, 4, 5, 6, 7, 8, 9), None, "seats_wrong", "seats"),
        ((1, 2), 3, "dealer_unknown", "dealer"),
    ],
)
def test_who_sits_in_a_round_is_named_and_fits_the_game(seeded_db, seats, dealer, code, path):
    table, anna = factories.table_of("genpoker", {}), factories.person("anna")
    refusal = factories.refused(
        code, rounds.open_round, table_id=table.pk, seats=seats, dealer=dealer, actor=Actor(anna)
    )
    assert (refusal.status, refusal.path) == (422, path)


def test_at_a_split_table_nobody_is_named(seeded_db):
    table = factories.table("T1")
    who = {"table_id": table.pk, "actor": factories.actor("anna")}
    factories.refused("seats_unexpected", rounds.open_round, **who, seats=(1, 2))
    factories.refused("seats_unexpected", rounds.open_round, **who, dealer=1)


def test_the_next_to_the_left_deals(seeded_db):
    table = factories.table_of("genpoker", {})
    orders = []
    for seats in ((2, 5, 7), (2, 5, 7), (5, 7), (2, 5, 8), (1, 2, 5)):
        with transaction.atomic():
            opened = rounds.open_round(table_id=table.pk, seats=seats, actor=factories.actor("anna"))
        orders.append(tuple(opened.seats))
        factories.void(opened, clause="house.4")
    assert orders == [(2, 5, 7), (5, 7, 2), (7, 5), (2, 5, 8), (2, 5, 1)]


@pytest.mark.parametrize(
    ("seats", "deals", "orders"),
    [
        ((1, 2), 0, [(1, 2), (2, 1)]),
        ((1, 2), 1, [(1, 2), (1, 2)]),
        ((2, 5, 7), 0, [(2, 5, 7), (5, 7, 2)]),
        ((2, 5, 7), 1, [(2, 5, 7), (7, 2, 5)]),
        ((2, 5, 7), 2, [(2, 5, 7), (2, 5, 7)]),
    ],
)
@pytest.mark.parametrize("end", ["void", "settled"])
def test_after_deals_in_which_nobody_opened_the_deal_moves_on_from_who_dealt_last(seeded_db, seats, deals, orders, end):
    """presidential.5: every player gets a turn to deal."""
    table = factories.table_of("presidential", {"stake": 500, "bet_minimum": 500})
    opened, order = factories.open_round(table, seats), seats
    for _ in range(deals):
        factories.act_all(opened, [("ante", box, {}) for box in order])
        factories.act_all(opened, [("check", box, {}) for box in order])
        order = (*order[1:], order[0])
    if end == "settled":
        first, *others = order
        factories.act_all(opened, [("ante", box, {}) for box in order])
        factories.do(opened, "open", first, units=500)
        factories.act_all(opened, [("drop", box, {}) for box in others])
        factories.close(opened)
    else:
        factories.void(opened, clause="house.4")
    assert tuple(opened.seats) == orders[0]
    assert series.last_seats(Table.objects.get(pk=table.pk))[-1] == order[-1]
    with transaction.atomic():
        following = rounds.open_round(table_id=table.pk, seats=sorted(seats), actor=factories.actor("anna"))
    assert tuple(following.seats) == orders[1]


def test_an_undone_check_takes_the_deal_back(seeded_db):
    table = factories.table_of("presidential", {"stake": 500, "bet_minimum": 500})
    opened = factories.open_round(table, (1, 2))
    factories.act_all(opened, [("ante", 1, {}), ("ante", 2, {}), ("check", 1, {}), ("check", 2, {})])
    assert series.last_seats(Table.objects.get(pk=table.pk)) == (2, 1)
    factories.undo(opened, signed=True)
    assert series.last_seats(Table.objects.get(pk=table.pk)) == (1, 2)


def test_a_series_keeps_its_seats_and_sheet_and_moves_money_with_its_last_round(long_game):
    table, dealt = long_game
    first = settled(table, dealt[0])
    running = Series.objects.get(table=table)
    assert (running.status, running.seats, running.rounds_agreed) == ("OPEN", [1, 2, 3], 3)
    assert (first.carry, Transfer.objects.filter(settlement=first.settlement).count()) == (None, 0)
    anna = factories.person("anna")
    factories.refused("seats_wrong", rounds.open_round, table_id=table.pk, seats=(1, 2), actor=Actor(anna))
    other = factories.published_sheet("dynastia", {"chip": 100, "price": 700})
    with transaction.atomic():
        rulesheets.put_in_force(sheet_id=other.pk, table_id=table.pk, actor=factories.actor("clara", "frank"))
    second = settled(table, dealt[1])
    assert (second.sheet, second.series, second.carry["rounds_left"]) == (first.sheet, running, 2)
    third = settled(table, dealt[2])
    running.refresh_from_db()
    assert (third.carry["rounds_left"], running.status) == (1, "CLOSED")
    assert {moved.reason for moved in third.settlement.transfers.all()} == {"points", "share"}
    assert factories.open_round(table, (1, 2)).sheet == other
    check(table)


def told_at_the_end(series):
    (body,) = Entry.objects.filter(subject=series.ref, event="series.closed").values_list("body", flat=True)
    return json.loads(body)["facts"]


def scored(rounds_played):
    """Each box's scores of all rounds together, as their settlements say."""
    scores = [json.loads(one.settlement.result)["scores"] for one in rounds_played]
    return {box: str(sum(Fraction(score[box]) for score in scores)) for box in scores[0]}


def test_the_log_tells_a_series_totals_when_it_ends(long_game):
    table, dealt = long_game
    played = [settled(table, one) for one in dealt[:3]]
    assert told_at_the_end(played[0].series) == {"seats": [1, 2, 3], "rounds": 3, "totals": scored(played)}


def test_the_log_tells_the_totals_of_a_series_that_is_broken_off(long_game):
    table, dealt = long_game
    first = settled(table, dealt[0])
    factories.void(factories.open_round(table, dealt[1].seats), clause="house.4")
    ended = end_series(table)
    totals = {"seats": [1, 2, 3], "rounds": 3, "totals": scored([first])}
    assert told_at_the_end(ended) == totals | {"approver": factories.person("clara").ref}
    factories.void(factories.open_round(table, (1, 2)), clause="house.4")
    assert told_at_the_end(end_series(table))["totals"] == {}


def end_series(table):
    with transaction.atomic():
        return series.end(table_id=table.pk, actor=factories.actor("anna", "clara"))


def test_points_are_collected_and_a_pot_s_stakes_are_not(long_game):
    """Of points nothing lay on the table before; who loses a pot has put his stake into it."""
    table, dealt = long_game
    *before, last = [settled(table, one) for one in dealt[:3]]
    assert not any(paid.due for one in before for paid in results.of(one).payments)
    paid = results.of(last).payments
    assert {one.lies for one in paid} == {"nowhere"}
    assert [one.difference for one in paid] == [one.net for one in paid]
    assert all(one.due == bool(one.net) for one in paid)
    pot = settled(factories.table_of("genpoker", {}), evening.evening("genpoker")[1][0])
    for one in results.of(pot).payments:
        assert (one.lies, one.difference, one.due) == ("pot", None, one.net > 0)


def test_a_box_whose_points_come_to_nothing_has_nothing_to_hand_over(seeded_db):
    """Box 3 pays its 3 points to two boxes and gets 6 from one."""
    values = {"price": 100, "scoring": "pay_higher"}
    seats, rules = (1, 2, 3, 4), BIGTWO.sheet(values)
    _, actions = evening.play_out(BIGTWO, BIGTWO.start(rules, seats, None), random.Random(8))
    round_ = settled(factories.table_of("bigtwo", values), evening.Dealt(seats, actions))
    page = factories.client("clara").get(f"/rounds/{round_.pk}/").context["page"]
    (paid,) = (paid for paid in page["generations"][0]["payments"] if paid["units"] == 0)
    assert (paid["box"], paid["nothing"], paid["due"], paid["paid_before"]) == (3, True, "", None)


def test_a_void_round_of_a_series_is_played_again(long_game):
    table, dealt = long_game
    settled(table, dealt[0])
    void = factories.open_round(table, dealt[1].seats)
    factories.void(void, clause="house.4")
    assert settled(table, dealt[1]).carry == void.carry
    assert settled(table, dealt[2]).series.status == "CLOSED"
    check(table)


def test_a_correction_reaches_the_later_rounds_of_the_series(long_game):
    table, dealt = long_game
    first, *_, last = [settled(table, one) for one in dealt[:3]]
    factories.correct(first, {"void.clause": "house.6"}, clause="house.4")
    lines = [line.carry for line in last.lines.all()]
    assert len(lines) == 2
    assert lines[0] != lines[1]
    # It counts as played: the third round stays the last, and the points of the two others are paid with it.
    assert lines[1]["rounds_left"] == 1
    assert series_of(first).status == "CLOSED"
    second, last = (Round.objects.get(pk=one) for one in (first.pk + 1, last.pk))
    totals = {box: Fraction(score) for box, score in scored([second, last]).items()}
    highest = max(totals.values())
    behind = {int(box): 100 * (highest - total) for box, total in totals.items() if total != highest}
    nets = {payment.box: payment.net_units for payment in last.settlement.payments.all()}
    paid = {box: -net for box, net in nets.items() if net < 0}
    assert paid == {box: units // 100 * 100 for box, units in behind.items()}
    check(table)
    factories.correct(first, {"void.clause": None}, clause="house.4")
    assert last.lines.last().carry == lines[0]
    last.refresh_from_db()
    assert last.settlement.generation == 3
    assert {p.net_units for p in last.settlement.payments.all()} == {
        p.net_units for p in Payment.objects.filter(settlement__round_key=last.ref, settlement__generation=1)
    }
    check(table)


def series_of(round_):
    return Series.objects.get(pk=round_.series_id)


def test_a_series_that_has_ended_does_not_go_on_by_a_correction(long_game):
    """Void by house.4 a round is played again; where none can follow it is void by house.6 or not at all."""
    table, dealt = long_game
    first, second, last = [settled(table, one) for one in dealt[:3]]
    for round_ in (first, second, last):
        refused = factories.refused(
            "series_goes_on", factories.correct, round_, {"void.clause": "house.4"}, clause="house.4"
        )
        assert (refused.clause, refused.path, refused.status) == ("house.6", "changes", 422)
        assert "Void the round under house.6" in refused.way_out
    factories.correct(last, {"void.clause": "house.6"}, clause="house.4")
    assert series_of(last).status == "CLOSED"
    check(table)


def test_a_series_that_runs_or_was_broken_off_takes_a_void_round_that_is_played_again(long_game):
    table, dealt = long_game
    first, second = [settled(table, one) for one in dealt[:2]]
    factories.correct(first, {"void.clause": "house.4"}, clause="house.4")
    assert second.lines.last().carry["rounds_left"] == 3
    end_series(table)
    factories.correct(second, {"void.clause": "house.4"}, clause="house.4")
    check(table)


def test_a_series_ends_with_a_correction_of_its_newest_round_that_reaches_the_target(seeded_db):
    table = factories.table_of("dynastia", {"game": "long", "price": 100, "target": 3})
    none = [("show", box, {"cards": [card] * 7}) for box, card in ((1, "6R"), (2, "6B"))]
    actions = (("bottom", None, {"card": "5R"}), ("stand", 1, {}), ("stand", 2, {}), *none)
    first = settled(table, evening.Dealt((1, 2), tuple(Action(*action) for action in actions)))
    assert series_of(first).status == "OPEN"
    factories.correct(first, {"hands[0].cards": ["1R", "2R", "6R", "6R", "6R", "6R", "6R"]}, clause="house.4")
    assert series_of(first).status == "CLOSED"
    assert told_at_the_end(first.series)["totals"] == {"1": "3", "2": "0"}
    assert {paid.box: paid.net_units for paid in first_settlement(first)} == {1: 300, 2: -300}
    check(table)


def first_settlement(round_):
    return Round.objects.get(pk=round_.pk).settlement.payments.all()


@pytest.fixture
def shed(seeded_db):
    """A whole series of Big Two, settled, and a correction of its first round by which nobody comes to be out."""
    values = {"chip": 100, "price": 100}
    table, rules = factories.table_of("bigtwo", values), BIGTWO.sheet(values)
    played_rounds, carry = [], None
    for number in range(5):
        _, actions = evening.play_out(BIGTWO, BIGTWO.start(rules, (1, 2), carry), random.Random(number))
        played_rounds.append(settled(table, evening.Dealt((1, 2), actions)))
        carry = series.carry_of(played_rounds[-1].sheet, played_rounds[-1].lines.get())
    assert carry is None
    line = json.loads(played_rounds[0].lines.get().text)
    *_, last = [index for index, play in enumerate(line["plays"]) if play["cards"]]
    loser = next(box for box in line["seats"] if box != line["plays"][last]["player"])
    return table, played_rounds, {f"plays[{last}].cards": line["deal"][loser][: len(line["plays"][last]["cards"])]}


def test_a_correction_of_one_card_never_leaves_a_finished_round_unfinished(shed):
    """A single card corrected took a series' money back, and nobody could play on."""
    table, played_rounds, changes = shed
    before = [Round.objects.get(pk=one.pk).settlement.generation for one in played_rounds]
    refused = factories.refused("round_unfinished", factories.correct, played_rounds[0], changes, clause="house.4")
    assert (refused.clause, refused.status) == ("house.6", 422)
    assert [Round.objects.get(pk=one.pk).settlement.generation for one in played_rounds] == before
    (path,) = changes
    told = {"line": "1", path: " ".join(changes[path])}
    answer = factories.client("clara").post(f"/rounds/{played_rounds[0].pk}/preview/", told)
    assert (answer.status_code, answer.json()["code"]) == (422, "round_unfinished")
    check(table)


def test_a_preview_shows_the_later_rounds_that_a_correction_changes(shed):
    table, played_rounds, _ = shed
    first, last = played_rounds[0], played_rounds[-1]
    before = {paid.box: paid.net_units for paid in first_settlement(last)}
    for clause in ("house.6", ""):
        told = {"line": str(first.lines.count()), "void.clause": clause}
        answer = factories.client("clara").post(f"/rounds/{first.pk}/preview/", told)
        assert answer.status_code == 200
        text = " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())
        factories.correct(first, {"void.clause": clause or None}, clause="house.4")
        after = {paid.box: paid.net_units for paid in first_settlement(last)}
        assert "Later rounds of the series" in text
        for middle in played_rounds[1:-1]:
            assert f"{middle} No payment changes" in text
        for box in after:
            assert after[box] != before[box]
            assert f"{last} {box} " in text
            assert spelled(after[box]) in text.partition("Later rounds")[2]
        before = after
    check(table)


def spelled(units):
    return f"{chr(8722) if units < 0 else '+'}{abs(units) // 100}"


def test_a_preview_of_a_round_without_a_series_tells_of_no_later_ones(seeded_db):
    round_ = factories.settled_round(factories.table())
    told = {"line": "1", "boxes[0].ante": "15"}
    answer = factories.client("clara").post(f"/rounds/{round_.pk}/preview/", told)
    assert answer.status_code == 200
    assert "Later rounds" not in answer.content.decode()


def test_no_round_of_a_series_is_corrected_while_a_later_one_is_open(long_game):
    table, dealt = long_game
    first = settled(table, dealt[0])
    factories.open_round(table, dealt[1].seats)
    factories.refused("round_open", factories.correct, first, {"void.clause": "house.4"}, clause="house.4")
    # Nor is it shown before it is signed.
    body = {"line": "1", "void.clause": "house.4"}
    answer = factories.client("clara").post(f"/rounds/{first.pk}/preview/", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "round_open")


def test_an_amendment_that_a_later_entry_does_not_follow_names_no_clause_of_another_game(seeded_db):
    values, rounds_dealt = evening.evening("bigtwo")
    dealt = next(one for one in rounds_dealt if len(one.seats) == 2)
    first, second, play = dealt.actions[:3]
    opened = factories.open_round(factories.table_of("bigtwo", values), dealt.seats)
    factories.act_all(opened, (first, second, play))
    hand = {first.box: first, second.box: second}[play.box].arguments["cards"]
    lying = {*first.arguments["cards"], *second.arguments["cards"]}
    other = next(card for card in BIGTWO.deck(None).copies if card not in lying)
    ordinal = 1 if play.box == first.box else 2
    changed = [other if card == play.arguments["cards"][0] else card for card in hand]
    refusal = factories.refused("does_not_follow", factories.amend, opened, ordinal, signed=True, cards=changed)
    assert refusal.detail == {"ordinal": 3}
    assert re.findall(r"[a-z]+\.[0-9]+", refusal.way_out) == [BIGTWO.irregularities[-1].clause]
