"""Reports of what was changed, was outside its limits, is to be cleared up, went where, and of who may do what: each
recomputed from the rows by Python."""

import datetime as dt
import json
from collections import Counter

import pytest
from django.db import connection, transaction
from django.utils import timezone

from audit import log
from audit.log import Record
from audit.models import Entry
from casino.models import Casino, Staff
from casino.roles import Role
from casino.running import embedded
from payouts import circulation
from payouts.models import Settlement, Transfer
from tables.lab.clock import adjustable
from tables.models import (
    CageShift,
    Case,
    Credential,
    DropBox,
    GamingDay,
    Intervention,
    Posting,
    Round,
    Session,
    Slip,
    TipCount,
)
from tables.reports import grading, queries, screens
from tables.reports.catalogue import REPORTS
from tables.reports.period import Period
from tables.verbs import employment, figures, settling

from ...support import closed_days, factories, stack
from ...support.factories import actor, client, person, table
from .test_reports import clock, money, rows, staff


@pytest.fixture(scope="module")
def nights(django_test_environment, django_db_blocker):
    """The house of the other reports, in whose second night and since rounds of the first were corrected, ruled on and
    found void, and in which somebody was locked out, left and was posted today. Gives the period of the two nights."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        nights = closed_days.furnished(_playing, _closed)
        factories.void_later(_settled(1, "T1"))
        two = factories.newcomer("carl"), factories.newcomer("dora")
        factories.newcomer("emil", Role.PIT_BOSS)
        factories.add_app("hugo")
        with transaction.atomic():
            employment.leave(staff_id=two[1].pk, actor=actor("ida", "frank"))
            log.record_all(log.HOUSE, [
                Record("staff.locked", two[0].ref, {"staff": two[0].ref}),
                Record("login.failed", "logins", {"minute": "2026-11-21T20:00:00.000000Z", "number": 40}),
                Record("login.failed", "logins", {"minute": "2026-11-21T20:01:00.000000Z", "number": 2}),
            ])  # fmt: skip
        yield nights


def _playing(ago):
    if ago == closed_days.DAYS:
        factories.move_chips("issued", {"10000": 5_000})
        factories.move_chips("sold", units=70_000)
        factories.move_chips("withdrawn", {"10000": 3})
        held = factories.open_round(table("T2"))
        factories.act_all(held, factories.FOLDS)
        factories.release(factories.hold(held))
        factories.close(Round.objects.get(pk=held.pk))
        settling.settle_due()
        factories.correct(Round.objects.get(pk=held.pk), {"boxes[0].ante": 1_000})
    else:
        factories.move_chips("cashed", units=40_000)
        factories.tip(table("T2"), 300)
        ruled = factories.contest(_settled(2, "T1"), by=person("clara"))
        factories.rule_on(ruled, ruling="upheld", changes={"boxes[0].ante": 1_500})
        own = _settled(1, "T2")
        factories.correct(own, {"boxes[0].ante": 1_500})
        factories.take_off(factories.mount(table("T1"), "777"), seal="S-2")


def _closed(ago):
    if ago == 1:
        factories.void_later(_settled(2, "T2"))


def _settled(ago, code):
    """The first settled round of a table in a night."""
    dates = GamingDay.objects.order_by("date").values_list("date", flat=True)
    first = dates[0]
    date = first + dt.timedelta(closed_days.DAYS - ago)
    return Round.objects.filter(
        table__code=code, session__business_date=date, status="SETTLED"
    ).order_by("pk").first()  # fmt: skip


def won(settlement, place):
    """What a settlement brought into a table's float and rake slot."""
    own = {place.float_account_id, place.rake_account_id}
    return sum(
        each.units * ((each.debit_id in own) - (each.credit_id in own)) for each in settlement.transfers.all()
    )  # fmt: skip


def today():
    return Period(*[grading.today()] * 2)


def test_adjustments_are_the_later_settlements_with_their_people_and_come_to_what_was_corrected_since(nights):
    expected = []
    for settlement in Settlement.objects.filter(generation__gt=1, business_date__range=nights).order_by("pk"):
        round_ = Round.objects.get(pk=int(settlement.round_key.partition(":")[2]))
        if round_.session.business_date == settlement.business_date:
            continue
        made = Intervention.objects.get(round=round_, kind="corrected", line__ordinal=settlement.line_ordinal)
        void = "void" in json.loads(made.line.text)
        cage = Transfer.objects.filter(movement__subject=round_.ref, reason="correction")
        units = won(settlement, round_.table)
        expected.append({
            "date": settlement.business_date.isoformat(),
            "of_date": round_.session.business_date.isoformat(),
            "table": round_.table.code,
            "subject": round_.ref,
            "generation": str(settlement.generation),
            "kind": "ruling" if hasattr(made.line, "dispute") else "void" if void else "correction",
            "units": money(units),
            "cage": money(sum(each.units * (each.debit.kind == "cage" or -1) for each in cage) if cage else None),
            "clause": made.clause,
            "made_at": clock(made.line.at),
            "asked_by": staff(made.line.by_id),
            "approved_by": staff(made.line.approved_by_id),
        })  # fmt: skip
    got = rows("adjustments", nights)
    assert got == sorted(expected, key=lambda row: (row["date"], row["table"]))
    assert [(row["table"], row["kind"], bool(row["cage"])) for row in got] == [
        ("T1", "ruling", False),
        ("T2", "void", True),
    ]
    assert all(row["cage"] in {"", row["units"]} for row in got)
    since = Counter()
    for period in (nights, today()):
        for row in queries.page(REPORTS["adjustments"], period, {}, limit=100):
            since[row["of_date"], row["table"]] += row["units"]
    later = queries.page(REPORTS["master-game"], nights, {}, limit=100)
    assert {(row["date"], row["table"]): row["corrected"] for row in later if row["corrected"] is not None} == since
    assert len(since) == 3
    assert all(since.values())


def test_statistics_are_the_figures_of_the_days_added_up_by_table_and_game(nights):
    for last, graded in ((nights.last, "FINAL"), (grading.today(), "ESTIMATE")):
        expected = {}
        for day in GamingDay.objects.filter(date__lte=last, date__gte=last.replace(month=1, day=1)):
            of = {"day": day.date == last, "month": day.date.replace(day=1) == last.replace(day=1), "year": True}
            for line in figures.of_day(day.date).lines:
                for sitting in line.sittings:
                    played = sitting.session.rounds.values_list("sheet__game", flat=True).distinct()
                    game = ", ".join(sorted(played)) or None
                    spans = expected.setdefault((line.table.code, game), dict.fromkeys(of, _NOTHING))
                    own = sitting.figures
                    more = own.drop, own.win, sitting.rounds, sitting.stakes
                    for span in of:
                        if of[span]:
                            spans[span] = tuple(
                                None if None in two else sum(two) for two in zip(spans[span], more, strict=True)
                            )
        got = queries.page(REPORTS["statistics"], Period(last, last), {}, limit=1_000)
        names = ("drop", "win", "rounds", "stakes")
        assert {
            (row["table"], row["game"]): {
                span: tuple(row[f"{span}_{name}"] for name in names) for span in ("day", "month", "year")
            }
            for row in got
        } == expected
        assert screens.shown(REPORTS["statistics"], Period(last, last), person("clara"), {}, 1)["grade"] == graded
    assert any(row["day_win"] is None for row in got)
    assert {row["table"] for row in got} > {row["table"] for row in rows("statistics", nights)} == {"T1", "T2"}


def test_statistics_of_a_month_that_goes_on_are_those_of_its_last_day_that_has_come(nights):
    now = grading.today()
    month, day = Period.of(f"{now:%Y-%m}"), Period(now, now)
    got = queries.page(REPORTS["statistics"], month, {}, limit=1_000)
    assert {row["date"] for row in got} == {now}
    assert got == queries.page(REPORTS["statistics"], day, {}, limit=1_000)


_NOTHING = (0, 0, 0, 0)


def test_statistics_of_a_quiet_day_wait_for_the_days_of_the_year_before_it(nights, monkeypatch):
    casino, quiet = Casino.objects.get(), Period(*[grading.today() + dt.timedelta(1)] * 2)
    casino.now = timezone.now() + dt.timedelta(3)
    monkeypatch.setattr(grading, "_now", lambda: casino)
    waits = quiet.first.year == GamingDay.objects.running().get().date.year
    assert grading.of(quiet).is_final
    get = client("clara").get
    assert "isn’t made." in get(f"/reports/master-game/{quiet}.csv").content.decode()
    assert ("isn’t closed." in get(f"/reports/statistics/{quiet}.csv").content.decode()) is waits
    assert ("ESTIMATE" in get(f"/reports/statistics/{quiet}/").content.decode()) is waits
    told = get(f"/reports/statistics/{nights.last}.json").json()
    assert [day["date"] for day in told["days"]] == [
        day.date.isoformat()
        for day in GamingDay.objects.filter(date__range=(nights.last.replace(month=1, day=1), nights.last))
    ]


def test_chips_in_circulation_are_the_sums_of_all_transfers_until_the_end_of_each_day(nights):
    got = {row["date"]: row for row in rows("chips-in-circulation", nights)}
    assert len(got) == closed_days.DAYS
    for day in GamingDay.objects.filter(date__range=nights):
        held, of_day = Counter(), Counter()
        for each in Transfer.objects.filter(business_date__lte=day.date).select_related("debit", "credit"):
            held[each.debit.kind] += each.units
            held[each.credit.kind] -= each.units
            if each.business_date == day.date:
                of_day[each.reason] += each.units
        places = circulation.Holdings(-held["issued"], held["cage"], held["float"], held["transit"], held["rake"])
        row = got[day.date.isoformat()]
        assert [row[name] for name in ("issued", "cage", "floats", "transit", "rake")] == [
            money(each) for each in places
        ]
        assert row["circulation"] == money(circulation.circulation(places).units) == money(circulation.took(held))
        assert [row[name] for name in ("brought", "withdrawn", "sold", "cashed")] == [
            money(of_day[name]) for name in ("issued", "withdrawn", "sold", "cashed")
        ]
    for name in ("issued", "circulation", "brought", "withdrawn", "sold", "cashed"):
        assert any(row[name] != "0.00" for row in got.values()), name


def test_of_a_day_that_is_not_closed_nobody_learns_what_the_cage_holds(nights):
    (row,) = queries.page(REPORTS["chips-in-circulation"], today(), {}, limit=10)
    assert {value for name, value in row.items() if name not in {"date", "day_id"}} == {None}


def test_daily_exceptions_are_what_was_outside_its_limits(nights):
    expected = []

    def expect(date, code, kind, subject, *, units=None, number=None, people=(), case=""):
        two = [staff(each) for each in people] or ["", ""]
        expected.append((date.isoformat(), code, kind, subject, money(units), str(number or ""), *two, str(case)))

    for session in Session.objects.filter(business_date__range=nights).select_related("table"):
        date, code = session.business_date, session.table.code
        varied = Counter()
        for each in Transfer.objects.filter(movement__subject=session.ref, reason="variance"):
            other, sign = (each.debit, 1) if each.credit.kind == "variance" else (each.credit, -1)
            varied[other.kind] += sign * each.units
        if varied["cage"]:
            two = session.opened_by_id, session.opened_with_id
            expect(date, code, "opener_variance", session.ref, units=varied["cage"], people=two)
        if varied["float"]:
            case, two = Case.objects.get(subject=session.ref), (session.closed_by_id, session.closed_with_id)
            expect(date, code, "closer_variance", session.ref, units=varied["float"], people=two, case=case)
        for round_ in session.rounds.all():
            for held in round_.interventions.filter(kind="held"):
                expect(date, code, "round_held", round_.ref, people=(held.by_id, held.approved_by_id))
    for box in DropBox.objects.filter(business_date__range=nights).select_related("table"):
        if box.variance_units:
            case, two = Case.objects.get(subject=box.ref), (box.counted_by_id, box.counted_with_id)
            units = box.variance_units
            expect(box.business_date, box.table.code, "drop_variance", box.ref, units=units, people=two, case=case)
        if box.seal != box.removed_seal:
            two = box.removed_by_id, box.removed_with_id
            expect(box.business_date, box.table.code, "drop_box_seal", box.ref, people=two)
    for shift in CageShift.objects.filter(business_date__range=nights).exclude(variance_units=0):
        two, units = (shift.closed_by_id, shift.closed_with_id), shift.variance_units
        expect(shift.business_date, "", "cage_variance", shift.ref, units=units, people=two)
    for tips in TipCount.objects.filter(date__range=nights):
        if tips.variance_units:
            two, units = (tips.counted_by_id, tips.counted_with_id), tips.variance_units
            expect(tips.date, "", "tips_variance", tips.ref, units=units, people=two)
    for (date, place), number in Counter(
        (round_.session.business_date, round_.table)
        for round_ in Round.objects.filter(session__business_date__range=nights, status="VOIDED")
    ).items():
        expect(date, place.code, "voids", place.ref, number=number)
    for (date, place), number in Counter(
        (slip.session.business_date, slip.table)
        for slip in Slip.objects.filter(session__business_date__range=nights, status__in=["VOIDED", "RETURNED"])
    ).items():
        expect(date, place.code, "slips_undone", place.ref, number=number)
    corrected = set()
    for each in Intervention.objects.filter(kind="corrected", round__session__business_date__range=nights):
        day = GamingDay.objects.get(date=each.round.session.business_date)
        if each.at < day.closed_at:
            corrected.add((day.date, each.round))
    for (date, place), number in Counter((date, round_.table) for date, round_ in corrected).items():
        expect(date, place.code, "corrections", place.ref, number=number)
    names = ("date", "table", "kind", "subject", "units", "number", "one", "other", "case")
    got = rows("daily-exceptions", nights)
    assert sorted(tuple(row[name] for name in names) for row in got) == sorted(expected)
    # Nothing was set before: nothing passes.
    assert {row["bound_units"] for row in got if row["units"]} == {"0.00"}
    assert {row["kind"] for row in got} >= {
        *("closer_variance", "drop_variance", "cage_variance", "tips_variance", "drop_box_seal", "round_held"),
        *("voids", "corrections", "slips_undone"),
    }


def test_what_the_house_lets_pass_is_no_exception_and_what_takes_long_is_one(nights):
    """On a connection of the owner, who alone could do that, and undone."""
    shift = CageShift.objects.filter(business_date=nights.last).exclude(variance_units=0).last()
    slip = Slip.objects.filter(session__business_date=nights.last, status="RECEIVED").first()
    box = DropBox.objects.filter(business_date=nights.last).first()
    passes = abs(shift.variance_units)
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute("BEGIN")
        for name in ("tables_slip", "tables_dropbox", "casino_setting", "tables_cageshift"):
            owner.execute(f"ALTER TABLE {name} DISABLE TRIGGER USER")
        columns = "name, value, from_at, proposed_by_id, approved_by_id"
        add = f"INSERT INTO casino_setting ({columns}) VALUES (%s, %s, %s, %s, %s)"
        two = person("clara").pk, person("frank").pk
        before = dt.timedelta(days=1)
        owner.execute(add, ["cage_variance_units", str(passes), shift.closed_at - before, *two])
        owner.execute(add, ["slip_minutes", "20", slip.received_at - before, *two])
        owner.execute(add, ["drop_box_hours", "7", box.counted_at - before, *two])
        ask = REPORTS["daily-exceptions"].sql, queries.parameters(nights)

        def found():
            with owner.cursor() as cursor:
                cursor.execute(*ask)
                names = [column.name for column in cursor.description]
                listed = [dict(zip(names, row, strict=True)) for row in cursor]
            return {(row["kind"], row["subject"]): row for row in listed}

        assert ("cage_variance", shift.ref) not in found()
        owner.execute("UPDATE casino_setting SET value = %s WHERE name = 'cage_variance_units'", [str(passes - 1)])
        assert found()["cage_variance", shift.ref]["bound_units"] == passes - 1
        for minutes, late in ((19, False), (20, True)):
            owner.execute(
                "UPDATE tables_slip SET issued_at = received_at - make_interval(mins => %s) WHERE id = %s",
                [minutes, slip.pk],
            )
            row = found().get(("slip_late", slip.ref))
            assert (row is not None) is late
        assert (row["number"], row["bound"], row["measure"]) == (20, 20, "minutes")
        assert (row["one"], row["other"]) == (slip.issued_by_id, slip.received_by_id)
        owner.execute("UPDATE tables_dropbox SET removed_at = counted_at - interval '8 hours' WHERE id = %s", [box.pk])
        row = found()["drop_box_overdue", box.ref]
        assert (row["number"], row["bound"], row["measure"]) == (8, 7, "hours")
        owner.execute("ROLLBACK")


def test_lock_outs_and_failed_logins_are_exceptions_of_the_clocks_day(nights):
    carl = Staff.objects.get(login="carl")
    got = queries.page(REPORTS["daily-exceptions"], today(), {}, limit=1_000)
    wanted = {"lock_out", "logins_failed", "finding"}
    of_house = [(row["kind"], row["subject"], row["number"], row["one"]) for row in got if row["kind"] in wanted]
    assert of_house == [("lock_out", carl.ref, None, carl.pk), ("logins_failed", "logins", 42, None)]


def test_investigations_are_the_cases_as_they_stood_at_the_end_of_the_period(nights):
    case = Case.objects.filter(kind="drop_variance").first()
    factories.decide_case(case, reason="A note was counted twice.", outcome="found")
    late = Case.objects.filter(kind="variance", status="OPEN").first()
    factories.move_case(late, owner=person("emil"), due_at=late.opened_at + dt.timedelta(days=40))
    factories.open_void(Round.objects.filter(status="VOIDED").first())
    factories.investigate(Session.objects.filter(business_date=nights.first).first())
    expected = []
    for each in Case.objects.exclude(kind="dispute").select_related("table"):
        at, decided = each.opened_at, each.status == "DECIDED"
        expected.append((
            str(each), each.kind, each.table.code, each.subject, each.units, each.owner_id, at, each.due_at,
            each.status, None, each.outcome, each.decided_at, each.decided_by_id, each.approved_by_id, each.pk,
        ))  # fmt: skip
        assert decided == (each.pk == case.pk)
    names = (
        *("case", "kind", "table", "subject", "units", "owned_by", "opened_at", "due_at", "status", "late", "outcome"),
        *("decided_at", "decided_by", "approved_by", "case_id"),
    )
    got = queries.page(REPORTS["investigations"], today(), {}, limit=1_000)
    assert [tuple(row[name] for name in names) for row in got] == sorted(expected, key=lambda row: (row[6], row[-1]))
    assert {row["kind"] for row in got} == {"variance", "drop_variance", "void", "investigation"}
    page = client("clara").get(f"/reports/investigations/{today()}/").content.decode()
    assert f'href="/cases/{case.pk}/">{case}</a>' in page
    assert "cause found" in page


def test_a_case_is_late_when_its_time_was_over_at_the_end_or_when_it_was_decided(nights):
    open_case = Case.objects.filter(status="OPEN").exclude(kind="dispute").first()
    given, due = queries.parameters(today()), dt.datetime.fromisoformat(_due(open_case))
    with (
        adjustable(stack.cluster(), connection.settings_dict["NAME"]),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        # A period that goes on is judged as of now.
        for behind, more, late in (("-100 days", 1, "late"), ("-100 days", -1, None), ("0", 1, None)):
            cursor.execute("SELECT set_config('lab.behind', %s, true)", [behind])
            given["ends"] = log.spell_time(due + dt.timedelta(seconds=more))
            cursor.execute(REPORTS["investigations"].sql, given)
            names = [column.name for column in cursor.description]
            (row,) = (row for each in cursor if (row := dict(zip(names, each, strict=True)))["case_id"] == open_case.pk)
            assert row["late"] == late


def _due(case):
    """The time that the log says last."""
    said = [json.loads(entry.body)["facts"] for entry in Entry.objects.filter(subject=case.ref).order_by("at")]
    return [facts["due"] for facts in said if "due" in facts][-1]


def test_the_access_review_is_each_person_with_their_postings_and_what_changed(nights):
    begins, ends = queries.bounds(today(), Casino.objects.get())
    expected = []
    for each in Staff.objects.all():
        entries = [
            *Entry.objects.filter(subject=each.ref),
            *Entry.objects.filter(subject__in=[one.ref for one in each.credentials.all()]),
        ]
        changes = sorted({entry.event for entry in entries} & CHANGES)
        standing = Credential.objects.standing().filter(staff=each)
        own = (
            standing.filter(kind="passkey").count(),
            standing.filter(kind="app").count(),
            sum(entry.event == "staff.locked" for entry in entries),
            ", ".join(changes) or None,
        )
        for posting in Posting.objects.filter(staff=each) or [Posting()]:
            assert posting.pk is None or begins <= posting.posted_at < ends
            expected.append((
                each.pk, "working" if each.is_active else "left", posting.role or None,
                posting.pit and posting.pit.code, posting.posted_at if posting.pk else None,
                posting.posted_by_id, posting.posted_with_id,
                posting.ended_at, posting.ended_by_id, posting.ended_with_id, *own,
            ))  # fmt: skip
    names = (
        *(
            "person",
            "state",
            "role",
            "pit",
            "posted_at",
            "posted_by",
            "posted_with",
            "ended_at",
            "ended_by",
            "ended_with",
        ),
        *("passkeys", "apps", "lock_outs", "changes"),
    )
    got = queries.page(REPORTS["access-review"], today(), {}, limit=1_000)
    assert sorted((tuple(row[name] for name in names) for row in got), key=str) == sorted(expected, key=str)
    of = {
        login: [row for row in got if row["person"] == Staff.objects.get(login=login).pk] for login in ("carl", "dora")
    }
    assert [(row["state"], row["lock_outs"]) for row in of["carl"]] == [("working", 1)]
    assert [(row["state"], bool(row["ended_at"])) for row in of["dora"]] == [("left", True)]


CHANGES = {
    *("staff.added", "staff.posted", "staff.posting_ended", "staff.left", "staff.returned", "staff.code_given"),
    *("staff.password_changed", "staff.unlocked", "credential.added", "credential.removed", "recovery_codes.made"),
    *("recovery_codes.ended", "recovery_code.used"),
}


def test_who_may_not_read_of_people_has_no_access_review(nights):
    for login, status in {"clara": 404, "david": 200, "ida": 200}.items():
        get = client(login).get
        assert get(f"/reports/access-review/{today()}/").status_code == status
        told = "isn’t made." in get("/reports/access-review/2001.csv").content.decode()
        assert told is (status == 200)
        assert get("/reports/access-review/2001.json").status_code == status
        for listed in ("/reports/", f"/reports/master-game/{nights}/"):
            assert ("Access review" in get(listed).content.decode()) is (status == 200)


def test_the_log_s_exceptions_are_cut_down_by_who_asked_and_who_approved(nights):
    report, clara = REPORTS["exceptions"], person("clara")
    whole = screens.shown(report, today(), clara, {}, 1)
    people = {choice["name"]: choice["values"] for choice in whole["choices"] if choice["name"].endswith("_by")}
    assert {value["text"] for value in people["asked_by"]} >= {clara.named, person("anna").named}
    assert [int(value["value"]) for value in people["asked_by"]] == sorted(int(v["value"]) for v in people["asked_by"])
    got = client("clara").get(f"/reports/exceptions/{today()}/", {"asked_by": clara.pk}).context["page"]
    one = queries.look(report, today(), {"asked_by": str(clara.pk)}, limit=1_000)
    assert got["count"] == one.count == len(one.rows) < whole["count"]
    assert {row["asked_by"] for row in one.rows} == {clara.pk}
    # What can be chosen is that of the whole report.
    assert set(one.values["asked_by"]) == {value["value"] for value in people["asked_by"]}
    assert client("clara").get(f"/reports/exceptions/{today()}/", {"asked_by": "x"}).context["page"]["count"] == 0


@pytest.mark.parametrize("name", REPORTS)
def test_each_report_is_asked_for_once_a_page(nights, name, django_assert_max_num_queries):
    with django_assert_max_num_queries(30) as asked:
        shown = screens.shown(REPORTS[name], nights, person("david"), {}, 1)
    assert len(shown["rows"]) == shown["count"] == len(rows(name, nights))
    assert sum("MATERIALIZED (" in query["sql"] for query in asked.captured_queries) == 1
