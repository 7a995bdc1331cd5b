"""Reports of play: each figure as rows say it, counted in Python; and what comes later is in no file of before."""

import csv
import datetime as dt
import io
import json
import re
from collections import Counter, defaultdict
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.utils import timezone
from django.utils.html import escape

from audit.models import Entry
from casino import gaming_day
from casino.games import registry
from casino.models import Casino
from casino.roles import Role, reach
from casino.settings_of_house import SETTINGS
from payouts.models import Payment, Settlement
from tables.models import Action, Alarm, BuyIn, Case, Dispute, Hand, Intervention, Line, Round, Session
from tables.people import staff
from tables.reports import grading, queries, screens
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import settling
from tables.words import generations, rights, timeline
from tables.words.timeline import Reader

from ...support import closed_days, evening, factories, stack
from ...support.factories import client, person, table

NAMES = ("disputes", "alarms", "payments", "pace", "dealer-errors", "large-cash", "hand-history")


@pytest.fixture(scope="module")
def nights(django_test_environment, django_db_blocker):
    """A house with two closed gaming days behind it, and today with disputes, alarms, errors, a pot and much cash.
    Gives the period of the two."""
    with django_db_blocker.unblock(), stack.clone(stack.NIGHTS) as database, stack.django_on(database):
        nights = closed_days.closed()
        furnish(nights)
        yield nights


def furnish(nights):
    one, clara = table("T1"), person("clara")
    first, second, third, _ = Round.objects.filter(session__business_date__range=nights, status="SETTLED").order_by(
        "pk"
    )
    factories.rule_on(factories.contest(first, by=clara))
    ante = {"boxes[0].ante": 2 * json.loads(second.lines.get().text)["boxes"][0]["ante"]}
    factories.rule_on(factories.contest(second, by=clara), ruling="upheld", changes=ante)
    open_one = factories.contest(third, by=clara)
    factories.move_case(Case.objects.get(subject=open_one.ref), due_at=timezone.now() + dt.timedelta(hours=60))
    factories.sign_on(person("anna"), one)
    call = factories.call(one)
    factories.take(call)
    factories.end(call)
    factories.call(one, reason="player")
    factories.mount(one, "909")
    for box, units in ((1, 600_000), (1, 400_000), (2, 999_500)):
        factories.buy_in(one, units, box=box, signed=True)
    played = factories.open_round(one)
    factories.do(played, "ante", 1, units=500)
    factories.undo(played)
    factories.do(played, "ante", 1, units=1000)
    factories.amend(played, played.actions.count(), units=500)
    for kind, box, arguments in factories.FOLDS[1:]:
        factories.do(played, kind, box, **arguments)
    factories.close(played)
    factories.void_round(one)
    factories.raked_table()
    for name in ("dynastia", "presidential", "bigtwo"):
        last = play_first(name)
    with transaction.atomic():
        staff.sign_off(table=last, actor=factories.actor("clara"))
    factories.sign_on(person("anna"), one)


def play_first(name):
    """The first round of an evening of a game, at a table of its own, to which Anna goes."""
    values, (dealt, *_) = evening.evening(name)
    opened = factories.open_round(factories.table_of(name, values), dealt.seats)
    for action in dealt.actions:
        factories.do(opened, action.kind, action.box, **action.arguments)
    factories.close(opened)
    settling.settle_due()
    return opened.table


def days(nights):
    """From the first of the nights to today."""
    return Period(nights.first, grading.today())


def listed(name, period, **chosen):
    return queries.page(REPORTS[name], period, chosen, limit=10_000)


def rows(name, period):
    """A report as a strict reader has it."""
    text = closed_days.csv(name, period)[0].decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def due_of(dispute):
    return Case.objects.get(kind="dispute", subject=dispute.ref).due_at


def test_disputes_have_their_case_their_people_and_what_was_paid_by_them(nights):
    expected = []
    for dispute in Dispute.objects.order_by("pk"):
        row = {"number": str(Case.objects.get(kind="dispute", subject=dispute.ref)), "round": str(dispute.round)}
        row |= {"boxes": ", ".join(map(str, dispute.boxes)), "table": dispute.round.table.code}
        row |= {name: getattr(dispute, name) for name in ("about", "status", "ruling", "clause", "raised_at")}
        row |= {name: getattr(dispute, f"{name}_id") for name in ("raised_by", "ruled_by", "approved_by")}
        row |= {"ruled_at": dispute.ruled_at, "closed_at": dispute.closed_at, "due_at": due_of(dispute)}
        paid = collected = None
        if dispute.line_id:
            before, after = (
                {each.box: each.net_units for each in Payment.objects.filter(settlement=settlement)}
                for settlement in Settlement.objects.filter(round_key=dispute.round.ref).order_by("generation")
            )
            more = [after[box] - before[box] for box in after]
            paid, collected = sum(each for each in more if each > 0), -sum(each for each in more if each < 0)
        expected.append(row | {"paid": paid, "collected": collected, "late": "in time"})
    got = listed("disputes", days(nights))
    assert [{name: row[name] for name in expected[0]} for row in got] == expected
    assert [row["status"] for row in got] == ["CLOSED", "RULED", "OPEN"]
    assert got[1]["paid"] == 10_000


def test_what_a_dispute_or_an_alarm_came_to_later_is_in_no_period_of_before(nights, monkeypatch):
    """At a moment between the raising and the ruling of a dispute the period ends: then it is open, and due as it was
    then; so with a call, which nobody has taken then."""
    one, house = Dispute.objects.order_by("pk").first(), Casino.objects.get()
    begins = gaming_day.begins(nights.first, zone=house.time_zone, starts=house.day_starts_at)

    def end(at):
        monkeypatch.setattr(queries, "bounds", lambda *_: (begins, at))

    end(one.ruled_at)
    (row,) = rows("disputes", nights)
    assert (row["dispute"], row["status"], row["late"]) == (one.ref, "OPEN", "in time")
    assert {row[name] for name in ("ruling", "clause", "ruled_at", "ruled_by", "approved_by", "closed_at")} == {""}
    third = Dispute.objects.order_by("pk").last()
    moved = Entry.objects.get(event="case.moved", subject=Case.objects.get(subject=third.ref).ref)
    end(dt.datetime.fromisoformat(moved.at))
    (row,) = (row for row in rows("disputes", nights) if row["dispute"] == third.ref)
    waits = dt.datetime.fromisoformat(row["due_at"]) - third.raised_at
    assert abs(waits - dt.timedelta(hours=SETTINGS["dispute_hours"].default)) < dt.timedelta(seconds=10)
    assert due_of(third) - third.raised_at > dt.timedelta(hours=48)
    call = Alarm.objects.filter(kind="call").order_by("pk").first()
    end(call.taken_at)
    row = rows("alarms", nights)[-1]
    assert (row["alarm"], row["reason"]) == (call.ref, "other")
    assert {row[name] for name in ("taken_at", "taken_by", "until_taken", "over_at", "until_over")} == {""}
    # And it stands in the period that begins when it is taken.
    monkeypatch.setattr(queries, "bounds", lambda *_: (call.taken_at, timezone.now()))
    assert call.ref in {row["alarm"] for row in rows("alarms", nights)}
    assert one.ref not in {row["dispute"] for row in rows("disputes", nights)}


def test_a_dispute_that_nobody_ruled_on_in_time_is_late(nights, monkeypatch):
    third, house = Dispute.objects.order_by("pk").last(), Casino.objects.get()
    begins = gaming_day.begins(nights.first, zone=house.time_zone, starts=house.day_starts_at)
    with stack.cluster().connect(stack.embedded.OWNER, queries.connection.settings_dict["NAME"]) as owner:
        ends = due_of(third) + dt.timedelta(days=1)
        given = queries.parameters(nights) | {"begins": begins.isoformat(), "ends": ends.isoformat()}
        sql = REPORTS["disputes"].sql.replace("now()", "'infinity'::timestamptz")
        late = {row[1]: row[11] for row in owner.execute(sql, given).fetchall()}
    assert late[third.ref] == "late"
    assert set(late.values()) == {"late", "in time"}


def test_alarms_say_who_came_and_after_how_long(nights):
    expected = []
    for alarm in Alarm.objects.order_by("raised_at", "pk"):
        money = alarm.kind in {"opener_variance", "closer_variance", "drop_variance", "large_cash"}
        row = {name: getattr(alarm, name) for name in ("kind", "reason", "box", "subject", "raised_at", "over_at")}
        row |= {"table": alarm.table and alarm.table.code, "taken_by": alarm.taken_by_id, "taken_at": alarm.taken_at}
        row |= dict(zip(("value", "units"), (None, alarm.value) if money else (alarm.value, None), strict=True))
        row |= dict(zip(("bound", "bound_units"), (None, alarm.bound) if money else (alarm.bound, None), strict=True))
        for name, at in (("until_taken", alarm.taken_at), ("until_over", alarm.over_at)):
            row[name] = round((at - alarm.raised_at).total_seconds()) if at else None
        expected.append(row)
    got = listed("alarms", days(nights))
    assert [{name: row[name] for name in expected[0]} for row in got] == expected
    assert {row["kind"] for row in got} >= {"call", "large_cash", "drop_variance"}


def test_payments_are_counted_by_category_as_each_game_names_it(nights):
    counted, sums, of_sheet = Counter(), defaultdict(Counter), Counter()
    for settlement in Settlement.objects.filter(generation=1, business_date__range=days(nights)):
        line = Line.objects.get(round=settlement.round_key.partition(":")[2], ordinal=settlement.line_ordinal)
        text = json.loads(line.text)
        game = registry.GAMES[text["game"]]
        result = game.settle(game.read(text))
        categories = {str(box["box"]): box["category"] for box in result.get("boxes", ())}
        categories |= {player: hand["class"] for player, hand in result.get("hands", {}).items()}
        for payment in settlement.payments.all():
            key = (text["game"], settlement.sheet_digest, categories.get(str(payment.box)), payment.outcome)
            counted[key] += 1
            of_sheet[key[:2]] += 1
            for name in ("staked", "returned", "paid", "net"):
                sums[key][name] += getattr(payment, f"{name}_units")
    got = listed("payments", days(nights))
    assert {(row["game"], row["sheet_digest"], row["category"], row["outcome"]): row["hands"] for row in got} == counted
    for row in got:
        key = (row["game"], row["sheet_digest"], row["category"], row["outcome"])
        assert {name: row[name] for name in ("staked", "returned", "paid", "net")} == sums[key]
        whole = of_sheet[key[:2]]
        assert abs(row["share"] - 1000 * row["hands"] / whole) <= 0.5
        assert abs(row["per_million"] - 1_000_000 * row["hands"] / whole) <= 0.5
        assert row["sheet"] == row["sheet_digest"][:8]
    assert {row["game"] for row in got} == set(registry.GAMES)
    assert {"flush", None} < {row["category"] for row in got}


def test_pace_is_rounds_by_the_time_for_which_a_table_was_open(nights):
    zone, open_for, played = ZoneInfo(Casino.objects.get().time_zone), defaultdict(float), defaultdict(Counter)

    def hour(at):
        return at.astimezone(zone).replace(minute=0, second=0, microsecond=0)

    for session in Session.objects.filter(business_date__range=nights).select_related("table"):
        begins = session.opened_at
        while begins < session.closed_at:
            ends = min(session.closed_at, hour(begins) + dt.timedelta(hours=1))
            open_for[session.business_date, session.table.code, hour(begins)] += (ends - begins).total_seconds()
            begins = ends
        for each in session.rounds.all():
            of_hour = played[session.business_date, session.table.code, hour(each.played_at)]
            of_hour["voids" if each.status == "VOIDED" else "rounds"] += 1
            if each.status == "SETTLED":
                first = Settlement.objects.get(round_key=each.ref, generation=1)
                of_hour["boxes"] += first.payments.count()
    got = listed("pace", nights)
    assert {(row["date"], row["table"], row["hour"]) for row in got} == open_for.keys() | played.keys()
    for row in got:
        key = row["date"], row["table"], row["hour"]
        assert (row["rounds"], row["voids"]) == (played[key]["rounds"], played[key]["voids"])
        assert (row["boxes"] or 0) == played[key]["boxes"]
        assert row["minutes"] == round(open_for[key] / 60)
        assert abs(row["pace"] - 36_000 * row["rounds"] / open_for[key]) <= 0.51
        if row["rounds"]:
            assert abs(row["boxes_a_round"] - 10 * row["boxes"] / row["rounds"]) <= 0.5
    assert sum(row["rounds"] for row in got) == 4
    assert sum(row["voids"] for row in got) == 2


def test_the_sum_of_paces_is_all_rounds_by_all_the_time_that_tables_were_open():
    """Of minutes, rounds, voids and boxes each the sum, and over how many rows."""
    assert queries._totals(REPORTS["pace"], [120, 3, 41, 3, 0, 3, 80, 2])["pace"] == queries.Total(205, 3)
    assert queries._totals(REPORTS["pace"], [0, 3, 41, 3, 0, 3, 80, 2])["pace"] == queries.Total(None, 3)


def test_errors_are_of_who_entered_them_and_corrections_of_the_day_of_their_making(nights):
    period, expected = days(nights), defaultdict(Counter)
    clauses = defaultdict(Counter)
    for each in Round.objects.filter(session__business_date__range=period):
        mine = expected[each.opened_by_id]
        mine["rounds"] += 1
        if each.status == "VOIDED":
            mine["voids"] += 1
            clauses[each.opened_by_id][Intervention.objects.get(round=each, kind="voided").clause] += 1
        for action in Action.objects.filter(round=each).exclude(undoes=None):
            wrong = Action.objects.get(round=each, ordinal=action.undoes)
            expected[wrong.by_id]["undone" if action.kind == "undo" else "amended"] += 1
    for later in Settlement.objects.filter(generation__gt=1, business_date__range=period):
        expected[Round.objects.get(pk=later.round_key.partition(":")[2]).opened_by_id]["corrections"] += 1
    for dispute in Dispute.objects.filter(ruling="upheld"):
        expected[dispute.round.opened_by_id]["upheld"] += 1
    got = listed("dealer-errors", period)
    assert [row["staff"] for row in got] == sorted(expected)
    for row in got:
        mine = expected[row["staff"]]
        names = ("rounds", "undone", "amended", "voids", "corrections", "upheld")
        assert {name: row[name] for name in names} == {name: mine[name] for name in names}
        assert row["errors"] == sum(mine[name] for name in ("undone", "amended", "voids", "corrections"))
        assert abs(row["rate"] - 10_000 * row["errors"] / row["rounds"]) <= 0.5
        said = ", ".join(f"{clause}: {number}" for clause, number in sorted(clauses[row["staff"]].items()))
        assert (row["void_clauses"] or "") == said
    assert {name for row in got for name in names if row[name]} == set(names)
    # The correction of a round of a closed day is in no file of that day.
    assert {row["corrections"] for row in rows("dealer-errors", nights)} == {"0"}


def test_large_cash_is_what_a_box_comes_to_in_a_day_by_the_limit_of_then(nights):
    assert "), 1000000) AS bound" in REPORTS["large-cash"].sql
    assert SETTINGS["large_cash_units"].default == 1_000_000
    together = defaultdict(list)
    for buy_in in BuyIn.objects.select_related("session__table"):
        together[buy_in.session.business_date, buy_in.session.table.code, buy_in.box].append(buy_in)
    expected = {key: made for key, made in together.items() if sum(each.units for each in made) >= 1_000_000}
    got = listed("large-cash", days(nights))
    assert {(row["date"], row["table"], row["box"]) for row in got} == expected.keys()
    (row,), (made,) = got, expected.values()
    assert (row["units"], row["buy_ins"], row["largest"], row["signed"]) == (1_000_000, 2, 600_000, 2)
    assert row["drop_boxes"] == ", ".join(sorted({each.drop_box.number for each in made})) == "909"
    # A limit that is set later counts for what comes then.
    factories.set_setting(2_000_000, name="large_cash_units")
    assert listed("large-cash", days(nights)) == got
    factories.buy_in(table("T1"), 900_000, box=1, signed=True)
    assert listed("large-cash", days(nights)) == []


def test_a_hand_history_has_each_box_with_its_cards_and_why_it_came_to_that(nights):
    period = days(nights)
    settlements = Settlement.objects.filter(business_date__range=period)
    got = listed("hand-history", period)
    settled = [row for row in got if row["settlement_id"]]
    assert Counter(row["settlement_id"] for row in settled) == Counter(
        Payment.objects.filter(settlement__in=settlements).values_list("settlement", flat=True)
    )
    voided = Round.objects.filter(status="VOIDED", session__business_date__range=period)
    assert sorted(row["round"] for row in got if not row["settlement_id"]) == sorted(map(str, voided))
    for row in settled:
        payment = Payment.objects.get(settlement=row["settlement_id"], box=row["box"])
        assert [row[name] for name in ("staked", "returned", "paid", "net", "outcome")] == [
            *(payment.staked_units, payment.returned_units, payment.paid_units, payment.net_units, payment.outcome)
        ]
        assert row["clauses"] == ", ".join(payment.clauses)
        hands = Hand.objects.filter(round=row["round_id"])
        shown = [card for hand in hands.filter(box=row["box"]) for card in hand.cards if "?" not in card]
        if row["game"] == "bigtwo":
            (deal,) = Action.objects.filter(round=row["round_id"], kind="deal", box=row["box"])
            shown = deal.arguments["cards"]
        assert sorted((row["cards"] or "").replace(" + ", " ").split()) == sorted(shown), row
        if row["game"] == "split":
            dealt = [card for hand in hands.filter(box=None) for card in hand.cards]
            assert set(row["dealer"].split()) <= set(dealt)
    flush = next(row for row in settled if row["category"] == "flush")
    assert flush["wagers"] == "ante 10.00, bet 20.00"
    assert [row["generation"] for row in settled if row["round"] == "T2-00001" and row["box"] == 1] == [1, 2]


@pytest.mark.parametrize("chosen", [{}, {"table": "T1"}], ids=["all", "one table"])
def test_pages_whose_rows_are_made_by_themselves_are_the_whole_in_its_order(nights, chosen):
    report, period = REPORTS["hand-history"], days(nights)
    whole = queries.look(report, period, chosen, limit=1_000)
    assert whole.count == len(whole.rows) > 3
    parts = [
        queries.look(report, period, chosen, limit=3, number=number) for number in range(1, -(-whole.count // 3) + 1)
    ]
    assert [row for part in parts for row in part.rows] == whole.rows
    assert {part.count for part in parts} == {whole.count}
    assert {json.dumps(part.values) for part in parts} == {json.dumps(whole.values)}


def test_a_page_of_a_hand_history_says_why_in_the_words_of_the_round_s_page(nights):
    clara, played = person("clara"), Round.objects.get(table__code="T1", number=1)
    chosen = {"round": str(played)}
    shown = screens.shown(REPORTS["hand-history"], days(nights), clara, chosen, 1)
    texts = [row[-1]["lines"][0]["text"] for row in shown["rows"]]
    (generation,) = generations.of(played, timeline.words(played), Reader.of(clara))
    whole = [why["text"] for why in generation["reasons"]]
    assert len(texts) == len(generation["payments"]) == 2
    for text, payment in zip(texts, generation["payments"], strict=True):
        said = [*whole, *(why["text"] for why in payment["reasons"])]
        assert sum(map(len, said)) + len(said) - 1 == len(text)
        assert all(sentence in text for sentence in said)
    assert "explanation" not in rows("hand-history", nights)[0]
    page = client("clara").get(f"/rounds/{played.pk}/").content.decode()
    address = f"/reports/hand-history/{nights.first}/?round={played}"
    assert f'href="{address}"' in page
    report = client("clara").get(address).content.decode()
    assert f'name="round" value="{played}"' in report
    assert "Flush pays 5:1" in report
    assert "As a report" not in client("anna").get(f"/rounds/{played.pk}/").content.decode()


def test_nothing_that_comes_later_changes_a_file_of_closed_days(nights, monkeypatch):
    until, house = timezone.now(), Casino.objects.get()
    begins = gaming_day.begins(nights.first, zone=house.time_zone, starts=house.day_starts_at)
    monkeypatch.setattr(queries, "bounds", lambda *_: (begins, until))
    before = {name: closed_days.csv(name, nights)[1].digest for name in NAMES}
    assert {name for name in NAMES if not rows(name, nights)} == {"large-cash"}
    factories.rule_on(Dispute.objects.get(status="OPEN"))
    call = Alarm.objects.get(kind="call", over_at=None)
    factories.take(call)
    factories.end(call)
    factories.take(Alarm.objects.filter(kind="drop_variance", taken_at=None).first())
    factories.void_later(Round.objects.get(table__code="T1", number=3))
    assert {name: closed_days.csv(name, nights)[1].digest for name in NAMES} == before


def test_what_each_role_may_do_stands_with_who_has_it(nights):
    page = client("david").get("/reports/access-review/2026/").content.decode()
    for right, words in rights.WORDS.items():
        roles = re.search(f"<td>{re.escape(escape(words))}</td><td>(.*?)</td>", page)[1].split(", ")
        assert [each.removesuffix(" in their pit").replace(" ", "_") for each in roles] == list(
            map(str, [role for role in Role if reach(role, right) is not None])
        )
    assert "What each role may do" not in client("david").get("/reports/master-game/2026/").content.decode()


def test_a_report_is_found_by_what_regulators_call_it(nights):
    def found(words):
        page = client("david").get("/reports/", {"q": words}).content.decode()
        return {name for name in REPORTS if f'href="/reports/{name}/' in page}

    assert found("Stiff sheet") == {"count-sheets"}
    assert found("mgr") == {"master-game"}
    assert found("Unused SLIPS") == {"slip-numbers"}
    assert found("hand history") == {"hand-history"}
    assert found("") == set(REPORTS)
    assert found("roulette") == set()
    # As somebody asks who knows none of our names.
    assert found("numbers missing of fills") == {"slip-numbers"}
    assert found("Who may void rounds?") == {"access-review"}
    assert found("What was corrected after the day was closed?") == {"adjustments"}
    # No report is of T1 alone: what has the most of the words.
    assert found("win of table T1 this month") == {"statistics"}
    assert "No report has all of these words" in client("david").get("/reports/?q=win of roulette").content.decode()
    nothing = client("david").get("/reports/?q=<b>roulette").content.decode()
    assert "No report has “&lt;b&gt;roulette”" in nothing
    assert client("david").get("/reports/", {"q": "x" * 5_000}).status_code == 200
