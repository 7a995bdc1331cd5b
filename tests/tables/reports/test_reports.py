"""Reports: each figure as another way to it says, the same bytes for whoever asks, and none that changes later."""

import csv
import datetime as dt
import hashlib
import io
import json
import re
import time
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from audit import log
from audit.models import Entry
from casino import gaming_day
from casino.games.bigtwo import BIGTWO
from casino.games.genpoker import GENPOKER
from casino.games.split import SPLIT
from casino.models import Casino, Staff
from casino.roles import Role
from casino.running import embedded
from payouts.models import Transfer
from tables.models import CageShift, Case, Count, DropBox, GamingDay, Session, Slip, Table
from tables.reports import codes, grading, making, pits, queries, regulators, screens
from tables.reports.catalogue import REPORTS
from tables.reports.columns import Column, Kind
from tables.reports.period import Period
from tables.verbs import employment, figures

from ...support import closed_days, factories, stack
from ...support.factories import client, person, send, table

# What counts by the casino's clock has nothing in nights that are made now; and nobody brought much cash to them.
NOTHING = {"exceptions", "disputes", "alarms", "large-cash"}


@pytest.fixture(scope="module")
def nights(django_test_environment, django_db_blocker):
    """A house with two closed gaming days behind it, each with everything that reports speak of; today is open. Gives
    the period of the two."""
    with django_db_blocker.unblock(), stack.clone(stack.NIGHTS) as database, stack.django_on(database):
        yield closed_days.closed()


def rows(name, period):
    """A report as a strict reader has it."""
    text = closed_days.csv(name, period)[0].decode("utf-8")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


def money(units):
    """As a file writes it."""
    return "" if units is None else f"{'-' if units < 0 else ''}{abs(units) // 100}.{abs(units) % 100:02d}"


def test_the_master_game_report_is_what_the_days_were_closed_with(nights):
    expected = []
    for day in GamingDay.objects.filter(date__range=nights).order_by("date"):
        for line in sorted(figures.of_day(day.date).lines, key=lambda line: line.table.code):
            own = line.figures
            row = {"date": day.date.isoformat(), "table": line.table.code, "sessions": str(len(line.sittings))}
            expected.append(row | {name: money(getattr(own, name)) for name in figures.NAMES} | {
                "hold": "" if own.hold is None else f"{'-' * (own.hold < 0)}{abs(own.hold) // 10}.{abs(own.hold) % 10}"
            })  # fmt: skip
        of_log = {each["table"]: each for each in json.loads(day.figures)["tables"]}
        assert {each: of_log[each]["win"] for each in of_log} == {
            Table.objects.get(code=row["table"]).ref: round(float(row["win"]) * 100)
            for row in rows("master-game", Period(day.date, day.date))
        }
    got = rows("master-game", nights)
    assert [{name: row[name] for name in expected[0]} for row in got] == expected
    assert len(got) == 2 * closed_days.DAYS
    assert {row["game"] for row in got} == {"split"}


# What the log has by the clock: the closed days of these tests were made today.
BY_THE_CLOCK = {"exceptions", "investigations", "access-review", "adjustments"}


def clock(at):
    """As a file writes it: by the casino's clock, with its distance from UTC."""
    return at.astimezone(ZoneInfo(Casino.objects.get().time_zone)).isoformat(timespec="seconds") if at else ""


def staff(number):
    return f"Staff {number}" if number else ""


def steps(row, name, *people):
    """The cells of a step of a row."""
    return {f"{name}_at": clock(getattr(row, f"{name}_at"))} | {
        each: staff(getattr(row, f"{each}_id")) for each in people
    }


def test_fills_and_credits_are_the_slips_with_their_people_and_add_up_to_the_master_game_report(nights):
    expected = []
    for slip in Slip.objects.filter(session__business_date__range=nights).select_related("table", "session"):
        came = slip.units if slip.status == "RECEIVED" else None
        row = {"date": slip.session.business_date.isoformat(), "slip": str(slip), "kind": slip.kind}
        row |= {"table": slip.table.code, "status": slip.status, "units": money(slip.units)}
        row |= {kind: money(came if slip.kind == kind else None) for kind in ("fill", "credit")}
        row |= steps(slip, "requested", "requested_by") | steps(slip, "issued", "issued_by", "carried_by")
        row |= steps(slip, "received", "received_by", "received_with") | steps(
            slip, "voided", "voided_by", "approved_by"
        )
        expected.append(row)
    got = rows("fills-and-credits", nights)
    assert got == sorted(expected, key=lambda row: (row["date"], row["slip"]))
    assert {row["status"] for row in got} == {"RECEIVED", "RETURNED", "VOIDED"}
    _, of_slips = queries.sums(REPORTS["fills-and-credits"], nights, {})
    _, of_tables = queries.sums(REPORTS["master-game"], nights, {})
    assert (of_slips["fill"].units, of_slips["credit"].units) == (of_tables["fills"].units, of_tables["credits"].units)


def test_numbers_of_slips_without_chips_are_listed_and_one_that_is_missing_too(nights):
    unused = Slip.objects.filter(session__business_date__range=nights, status__in=["VOIDED", "RETURNED"])
    got = rows("slip-numbers", nights)
    assert sorted((row["slip"], row["status"]) for row in got) == sorted((str(slip), slip.status) for slip in unused)
    last = Slip.objects.filter(session__business_date=nights.last, kind="fill").order_by("number").last()
    # On a connection of the owner, who alone could do that, and undone.
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute("BEGIN")
        owner.execute("ALTER TABLE tables_slip DISABLE TRIGGER USER")
        owner.execute("UPDATE tables_slip SET number = number + 2 WHERE id = %s", [last.pk])
        gaps = owner.execute(REPORTS["slip-numbers"].sql, queries.parameters(nights)).fetchall()
        owner.execute("ROLLBACK")
    missing = [row[:5] for row in gaps if row[4] == "MISSING"]
    letters = f"F-{last.year}-{{:06d}}"
    assert sorted(missing) == [
        (nights.last, letters.format(last.number + more), "fill", None, "MISSING") for more in (0, 1)
    ]


def test_a_page_says_that_no_number_is_missing_unless_one_is(nights):
    get, page = client("clara").get, f"/reports/slip-numbers/{nights}/"
    sentence = "No number is missing up to the last slip of the period."
    assert sentence in get(page).content.decode()
    assert sentence in get("/reports/slip-numbers/2001-02-03/").content.decode()
    assert sentence not in get(f"/reports/fills-and-credits/{nights}/").content.decode()
    last = Slip.objects.filter(session__business_date=nights.last, kind="fill").order_by("number").last()
    number = "ALTER TABLE tables_slip {} TRIGGER USER"
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute(number.format("DISABLE"))
        try:
            owner.execute("UPDATE tables_slip SET number = number + 2 WHERE id = %s", [last.pk])
            assert sentence not in get(page).content.decode()
            assert sentence not in get(page, {"status": "VOIDED"}).content.decode()
        finally:
            owner.execute("UPDATE tables_slip SET number = number - 2 WHERE id = %s", [last.pk])
            owner.execute(number.format("ENABLE"))


def test_who_signed_for_a_day_stands_beside_its_grade(nights):
    day = GamingDay.objects.select_related("closed_by", "closed_with").get(date=nights.last)
    get = client("clara").get
    one = get(f"/reports/master-game/{nights.last}/").content.decode()
    assert f"Signed by {day.closed_by.named} and {day.closed_with.named}." in one
    assert "signed by two" in get(f"/reports/master-game/{nights}/").content.decode()
    # Its year rests on other days too.
    assert "Signed by" not in get(f"/reports/statistics/{nights.last}/").content.decode()
    assert "Signed by" not in get(f"/reports/master-game/{grading.today()}/").content.decode()


def test_a_page_has_the_words_of_the_clauses_that_its_rows_name_and_of_no_others(nights):
    page = client("clara").get(f"/reports/hand-history/{nights}/").content.decode()
    listed = queries.page(REPORTS["hand-history"], nights, {}, limit=screens.PAGE)
    named = {clause for row in listed if row["clauses"] for clause in row["clauses"].split(", ")}
    assert len(named) > 1
    assert all(f"<dt>{clause}</dt><dd>{escape(SPLIT.clauses[clause])}</dd>" in page for clause in named)
    assert page.count("<dt>split.") + page.count("<dt>house.") == len(named)
    assert "What the clauses say" not in client("clara").get("/reports/hand-history/2001-02-03/").content.decode()


def test_a_clause_of_the_house_has_the_words_of_the_row_s_game():
    report, clause = REPORTS["hand-history"], "house.1"
    for game in (GENPOKER, BIGTWO):
        said = screens._clauses(report, [{"game": game.code, "clauses": clause}])
        assert said == [{"clause": clause, "says": game.clauses[clause]}]
    assert GENPOKER.clauses[clause] != BIGTWO.clauses[clause]
    # Where no game is told each of the two is said, and once.
    said = [each["says"] for each in screens._clauses(REPORTS["exceptions"], [{"clause": clause}] * 2)]
    assert {GENPOKER.clauses[clause], BIGTWO.clauses[clause]} <= set(said)
    assert len(said) == len(set(said))


def test_drop_boxes_have_their_people_and_their_cash_is_the_drop(nights):
    expected = []
    for box in DropBox.objects.filter(business_date__range=nights).select_related("table"):
        row = {"date": box.business_date.isoformat(), "table": box.table.code, "box": f"'{box.number}"}
        row |= {"session": f"session:{box.session_id}", "status": box.status, "seal": box.seal}
        row |= {"removed_seal": box.removed_seal} | steps(box, "mounted", "mounted_by", "mounted_with")
        row |= steps(box, "removed", "removed_by", "removed_with") | steps(box, "counted", "counted_by", "counted_with")
        row |= {"recorded": money(box.recorded_units), "counted": money(box.cash_units)}
        expected.append(row | {"variance": money(box.variance_units)})
    got = rows("drop-boxes", nights)
    assert got == sorted(expected, key=lambda row: (row["date"], row["table"]))
    assert any(float(row["variance"]) for row in got)
    _, of_boxes = queries.sums(REPORTS["drop-boxes"], nights, {})
    assert of_boxes["counted"] == queries.sums(REPORTS["master-game"], nights, {})[1]["drop"]


def test_count_sheets_are_what_each_of_two_counted_chip_by_chip(nights):
    got, expected = rows("count-sheets", nights), []
    dates_of = {}
    for session in Session.objects.filter(business_date__range=nights).prefetch_related("slips", "drop_boxes"):
        for each in (session, *session.slips.all(), *session.drop_boxes.all()):
            dates_of[each.ref] = session.business_date
    dates_of |= {shift.ref: shift.business_date for shift in CageShift.objects.filter(business_date__range=nights)}
    dates_of |= {f"tips:{date}": date for date in (nights.first, nights.last)}
    for count in Count.objects.filter(of__in=dates_of):
        for value, number in count.denominations.items():
            head = dates_of[count.of].isoformat(), count.of, count.part, str(count.attempt), str(count.place)
            sheet = money(int(value)), str(number), money(int(value) * number), money(count.units), staff(count.by_id)
            expected.append(head + sheet)
    names = ("date", "of", "part", "attempt", "place", "value", "number", "units", "sheet", "counted_by")
    assert sorted(tuple(row[name] for name in names) for row in got) == sorted(expected)
    assert {row["part"] for row in got} == {"opener", "closer", "fill", "credit", "change", "drop", "cage", "tips"}


def test_what_one_of_two_has_counted_is_in_no_report(nights):
    today = Period(*[grading.today()] * 2)
    (count,) = Count.objects.filter(of=table("T2").sessions.running().get().ref, part="closer")
    listed = queries.page(REPORTS["count-sheets"], today, {}, limit=1_000)
    assert count.units == 300_000
    assert {each.ref for each in Session.objects.filter(business_date=today.first)} <= {row["of"] for row in listed}
    assert not [row for row in listed if (row["of"], row["part"]) == (count.of, "closer")]


def test_exceptions_are_the_entries_of_the_log_with_asker_and_approver(nights):
    today, expected = Period(*[grading.today()] * 2), []
    wanted = {"round.voided", "slip.voided", "slip.returned", "setting.changed", "table.sheet_set", "sheet.published"}
    for entry in Entry.objects.filter(event__in=wanted):
        facts = json.loads(entry.body)["facts"]
        two = facts.get("requester", facts.get("author", entry.by)), facts.get("approver", facts.get("signer", ""))
        named = (staff(each.partition(":")[2]) for each in two)
        expected.append((entry.event, entry.subject, *named, f"{entry.chain_id}/{entry.seq}"))
    got = rows("exceptions", today)
    names = ("what", "subject", "asked_by", "approved_by", "entry")
    assert sorted(tuple(row[name] for name in names) for row in got if row["what"] in wanted) == sorted(expected)
    (changed,) = (row for row in got if row["subject"].startswith("setting:"))
    assert (changed["detail"], changed["after"]) == ("closer_variance_units", "'400")
    assert {row["date"] for row in got} == {grading.today().isoformat()}


@pytest.mark.parametrize("name", REPORTS)
def test_a_file_has_the_same_bytes_whatever_server_and_process_are_set_to(nights, name, monkeypatch):
    content, before = closed_days.csv(name, nights)
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    with connection.cursor() as cursor:
        cursor.execute("SET TimeZone = 'Asia/Tokyo'; SET DateStyle = 'German'; SET IntervalStyle = 'iso_8601'")
        try:
            again, after = closed_days.csv(name, nights)
            cursor.execute("SHOW TimeZone")
            assert cursor.fetchone()[0] == "Asia/Tokyo"
        finally:
            cursor.execute("RESET TimeZone; RESET DateStyle; RESET IntervalStyle; SET TimeZone = 'UTC'")
            monkeypatch.undo()
            time.tzset()
    assert (content, before) == (again, after)
    assert before.rows == len(list(csv.reader(io.StringIO(content.decode(), newline="")))) - 1
    assert before.digest == hashlib.sha256(content).hexdigest()
    assert content.decode().splitlines()[0].split(",") == [column.name for column in REPORTS[name].filed]
    assert b"\r" not in content
    assert (content.count(b"\n") > 1) is (name not in NOTHING | BY_THE_CLOCK)


def test_two_people_get_the_same_file_and_the_log_has_its_digest(nights, settings, tmp_path):
    settings.REPORTS = str(tmp_path)
    address, asked = (
        f"/reports/master-game/{nights}.csv",
        {"report": "master-game", "period": str(nights), "form": "csv"},
    )
    assert client("clara").get(address).status_code == 409
    assert [send(client(login), "/api/v1/report-files/", asked).status_code for login in ("clara", "david")] == [
        201,
        201,
    ]
    making.make_due(within=60)
    one, other = (client(login).get(address) for login in ("clara", "david"))
    content = b"".join(one.streaming_content)
    assert content == b"".join(other.streaming_content)
    assert one.headers["Content-Disposition"] == f'attachment; filename="master-game-{nights}.csv"'
    assert one.headers["Content-Length"] == str(len(content))
    # Those of each closed day come by themselves.
    (new,) = Entry.objects.filter(event="report.made", body__contains=f'"period":"{nights}"')
    said, digest = json.loads(new.body), hashlib.sha256(content).hexdigest()
    facts = {"what": "master-game", "period": str(nights), "grade": "FINAL", "digest": digest}
    facts |= {"form": "csv", "file": digest}
    assert (said["by"], said["chain"], said["facts"]) == (person("clara").ref, "house", facts)
    told = client("ida").get(f"/reports/master-game/{nights}.json").json()
    assert [(each["by"], each["digest"], each["seq"]) for each in told["files"]] == [(new.by, digest, new.seq)]
    assert [each["digest"] for each in told["days"]] == list(
        GamingDay.objects.filter(date__range=nights).order_by("date").values_list("digest", flat=True)
    )
    assert len(told["sheets"]) == 1
    assert digest[:8] in client("david").get(f"/reports/master-game/{nights}/").content.decode()


HOSTILE = (
    *(
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\tx",
        "\rx",
        " =1",
        "\u00a0=1",
        "\uff1d1",
        "12",
        "1e5",
        ".5",
        "(3)",
        "1/2",
        "$5",
        "€5",
    ),
    *("2026-11-21", "Nov 21", "MAR1", "sept2", "dec-1", "http://x", "HTTPS://x", "www.x.y", "mailto:a@b", "TRUE", "'x"),
)
PLAIN = (
    "T1",
    "F-2026-000001",
    "S-1",
    "session:12",
    "Split 1",
    "marble",
    "decided",
    "split.36",
    "table:1/2",
    "",
    'ä,"b',
)


def test_a_hold_is_rounded_as_that_of_the_days(nights):
    with connection.cursor() as cursor:
        for win, drop in ((1, 2000), (3, 2000), (-1, 2000), (-3, 2000), (2, 3), (-2, 3), (10**12, 7), (-(10**12), 7)):
            select = f"SELECT {queries.PERMILLE.format('%(win)s::bigint', '%(drop)s::bigint')}"
            cursor.execute(select, {"win": win, "drop": drop})
            assert cursor.fetchone()[0] == figures.Figures(win=win, drop=drop).hold


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12))
def test_the_short_way_of_a_plain_text_marks_what_the_long_one_marks(nights, text):
    one, mark = "%(text)s::text", "''''"
    long = f'CASE WHEN {one} COLLATE "C" ~* {queries._UNSAFE} THEN {mark} || {one} ELSE {one} END'
    beginnings = ("", "jan", "jAn", "www.", "x://", "tru", "e")
    for case in (text.upper(), *(beginning + text for beginning in beginnings)):
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {queries.TEXT.format(one)}, {long}", {"text": case})
            assert len(set(cursor.fetchone())) == 1


def test_no_text_becomes_a_formula_a_link_a_date_or_a_number(nights):
    with connection.cursor() as cursor:
        for text in (*HOSTILE, *PLAIN):
            cursor.execute(f"SELECT {queries.TEXT.format('%(text)s::text')}", {"text": text})
            assert cursor.fetchone()[0] == ("'" + text if text in HOSTILE else text), text


def test_reports_are_for_who_answers_for_the_house(nights):
    for login, status in {"clara": 200, "david": 200, "ida": 200, "anna": 404, "hugo": 404, "olga": 404}.items():
        assert client(login).get("/reports/").status_code == status
        assert client(login).get(f"/reports/master-game/{nights}/").status_code == status
    looks = Entry.objects.filter(event="records.read", body__contains="report:master-game")
    assert {entry.by for entry in looks} == {person("david").ref}


@pytest.mark.parametrize(
    ("address", "status", "fact"),
    [
        ("/reports/nothing/2026/", 404, "There is no report nothing."),
        ("/reports/exceptions/soon/", 422, "“soon” isn’t a period."),
        ("/reports/exceptions/2026-13/", 422, "“2026-13” isn’t a period."),
        ("/reports/exceptions/2026-12-02..2026-12-01/", 422, "“2026-12-02..2026-12-01” isn’t a period."),
        ("/reports/exceptions/2025..2026/", 422, "2025..2026 has 730 days; a report has at most 366."),
        ("/reports/exceptions/2999/", 409, "2999 hasn’t begun yet."),
        ("/reports/master-game/2026/?table=ZZ", 404, "There is no table ZZ."),
        ("/reports/fills-and-credits/2026/?kind=%00", 400, "NUL"),
        ("/reports/?first=2026-11-02&last=x", 422, "“2026-11-02..x” isn’t a period."),
    ],
)
def test_what_is_no_report_is_refused_in_a_sentence(nights, address, status, fact):
    answer = client("clara").get(address)
    assert answer.status_code == status
    assert fact in answer.content.decode()
    # What no page of reports has read leads to no list of them.
    assert ('href="/reports/">Back to the reports' in answer.content.decode()) == (status != 400)


def test_an_open_day_is_an_estimate_on_the_screen_and_has_no_file(nights):
    today = grading.today()
    before = Entry.objects.filter(event="report.made").count()
    answer = client("clara").get(f"/reports/master-game/{today}.csv")
    assert answer.status_code == 409
    day = GamingDay.objects.get(date=today)
    assert f"There is no file of {day} yet. Gaming day {day} isn’t closed." in answer.content.decode()
    assert client("clara").get(f"/reports/master-game/{today}.json").json()["code"] == "report_not_final"
    assert Entry.objects.filter(event="report.made").count() == before
    page = client("clara").get(f"/reports/master-game/{today}/").content.decode()
    assert "ESTIMATE" in page
    assert "no count" in page
    shown = screens.shown(REPORTS["master-game"], Period(today, today), person("clara"), {}, 1)
    # T3 and the pots were closed today, and two tables of eight have no closer yet.
    closers = next(
        cell for head, cell in zip(shown["heads"], shown["totals"], strict=True) if head["label"] == "Closer"
    )
    assert closers["of"] == f"{shown['count'] - 2} of {shown['count']}"


def test_a_page_adds_up_is_cut_down_by_its_address_and_leads_on(nights):
    report, clara = REPORTS["fills-and-credits"], person("clara")
    shown = screens.shown(report, nights, clara, {"table": "T1", "status": "VOIDED"}, 1)
    assert shown["count"] == closed_days.DAYS
    slip = Slip.objects.filter(status="VOIDED").first()
    page = client("clara").get(f"/reports/fills-and-credits/{nights}/?table=T1&status=VOIDED").content.decode()
    assert f'href="/slips/{slip.pk}/">{slip}</a>' in page
    assert person("hugo").name in page
    master = client("clara").get(f"/reports/master-game/{nights}/").content.decode()
    day = GamingDay.objects.get(date=nights.first)
    assert f"/days/{day.pk}/tables/{table('T1').pk}/" in master
    # Frank is of another pit: what leads to a page that he may not read is no link.
    assert f"/slips/{slip.pk}/" not in client("frank").get(f"/reports/fills-and-credits/{nights}/").content.decode()
    whole = screens.shown(REPORTS["master-game"], nights, clara, {}, 1)
    won = sum(each.figures.win for date in (nights.first, nights.last) for each in figures.of_day(date).lines)
    win = next(fact["value"] for fact in whole["facts"] if fact["label"] == "Win")
    assert win == ("+" if won > 0 else "") + screens.Screen(REPORTS["master-game"], clara).spell(won)
    entry = Entry.objects.get(event="setting.changed", body__contains="closer_variance_units")
    told = client("david").get(f"/reports/exceptions/{grading.today()}/").content.decode()
    assert f'href="/admin/audit/entry/{entry.pk}/change/">house/{entry.seq}</a>' in told
    for words in ("Setting changed", "Variance of a closing", "\n4\n"):
        assert words in told
    assert "No activity" in client("clara").get("/reports/master-game/2001-02-03/").content.decode()


def test_many_rows_stand_on_several_pages_and_the_sums_are_of_all(nights, monkeypatch):
    monkeypatch.setattr(screens, "PAGE", 5)
    report, clara = REPORTS["fills-and-credits"], person("clara")
    pages = [screens.shown(report, nights, clara, {}, number) for number in (1, 2, 3, 99)]
    assert [page["part"] for page in pages] == [
        "Rows 1 to 5 of 14", "Rows 6 to 10 of 14", "Rows 11 to 14 of 14", "Rows 11 to 14 of 14",
    ]  # fmt: skip
    assert [(page["before"], page["after"]) for page in pages] == [(None, 2), (1, 3), (2, None), (2, None)]
    assert len({str(page["totals"]) for page in pages}) == 1
    shown = [cell["lines"][0]["text"] for page in pages[:3] for row in page["rows"] for cell in row[1:2]]
    assert shown == [row["slip"] for row in rows("fills-and-credits", nights)]
    get = client("clara").get
    assert 'href="?page=3"' in get(f"/reports/fills-and-credits/{nights}/?page=2").content.decode()
    for nonsense in ("", "0", "-1", "x", "9" * 9, "9" * 5000):
        assert get(f"/reports/fills-and-credits/{nights}/", {"page": nonsense}).status_code == 200


def test_the_address_of_a_period_is_the_shortest_and_a_form_leads_to_it(nights):
    get = client("clara").get
    assert get("/reports/master-game/2026-10-01..2026-10-31/").headers["Location"] == "/reports/master-game/2026-10/"
    assert get("/reports/master-game/2026-10..2026-10.csv").headers["Location"] == "/reports/master-game/2026-10.csv"
    form = {"report": "drop-boxes", "first": "2026-10-05", "last": "2026-10-05"}
    assert get("/reports/", form).headers["Location"] == "/reports/drop-boxes/2026-10-05/"
    assert get("/reports/", {"first": "2026-01-01", "last": "2026-06-30"}).headers["Location"] == (
        "/reports/?period=2026-01-01..2026-06-30"
    )


def test_what_happens_later_changes_no_report_of_closed_days(nights, monkeypatch):
    """A round that is found void, a ruling, a second print, a case, another case that is moved and decided, a setting,
    another name, a lock-out, and people who come, leave, and get an app."""
    until, casino = timezone.now(), Casino.objects.get()
    monkeypatch.setattr(
        queries,
        "bounds",
        lambda period, _: (gaming_day.begins(period.first, zone=casino.time_zone, starts=casino.day_starts_at), until),
    )
    before = {name: closed_days.csv(name, nights)[1].digest for name in REPORTS}
    assert len(rows("exceptions", nights)) > 2 * closed_days.DAYS
    assert all(len(rows(name, nights)) > 2 for name in BY_THE_CLOCK - {"adjustments"})
    sessions = Session.objects.filter(business_date__range=nights)
    played = [session.rounds.get(status="SETTLED") for session in sessions if session.rounds.filter(status="SETTLED")]
    factories.void_later(played[0])
    factories.rule_on(factories.contest(played[1], by=person("clara")))
    factories.print_slip(Slip.objects.filter(session__in=sessions, status="RECEIVED").first())
    factories.investigate(sessions[0])
    case, others = Case.objects.filter(kind="drop_variance"), factories.newcomer("emil", Role.PIT_BOSS)
    factories.move_case(case[0], owner=others, due_at=until + dt.timedelta(days=9))
    factories.decide_case(case[1])
    factories.add_app("hugo")
    with transaction.atomic():
        employment.leave(staff_id=factories.newcomer("carl").pk, actor=factories.actor("ida", "frank"))
        employment.leave(staff_id=person("greta").pk, actor=factories.actor("ida", "frank"))
        locked = log.Record("staff.locked", person("hugo").ref, {"staff": person("hugo").ref})
        log.record_all(log.HOUSE, [locked])
    factories.set_setting(700)
    Staff.objects.filter(login="hugo").update(name="Hugo Huber")
    assert {name: closed_days.csv(name, nights)[1].digest for name in REPORTS} == before
    since = Transfer.objects.filter(settlement__round_key=played[0].ref, settlement__generation=2)
    house = played[0].table.float_account
    units = sum(each.units * ((each.debit == house) - (each.credit == house)) for each in since)
    listed = queries.page(REPORTS["master-game"], nights, {}, limit=100)
    of_table = {(row["date"], row["table"]): row["corrected"] for row in listed if row["corrected"] is not None}
    assert of_table == {(played[0].session.business_date, played[0].table.code): units}
    assert units


def test_the_guide_has_each_report_and_each_column_in_the_words_of_the_code():
    guide = (settings.BASE_DIR / "docs" / "reports.md").read_text("utf-8")
    for report in REPORTS.values():
        section = guide.partition(f"### {report.title}\n")[2].partition("\n### ")[0]
        assert f"`/reports/{report.name}/PERIOD/`" in section
        assert [line for line in section.splitlines() if line.startswith("| `")] == [
            f"| `{column.name}` | {column.says} |" for column in report.filed
        ]
        assert f"| {report.answers} |" in guide


def test_the_guide_has_what_regulators_call_each_report():
    guide = (settings.BASE_DIR / "docs" / "reports.md").read_text("utf-8")
    whose = [regulators.NEW_JERSEY, regulators.MARYLAND, regulators.NEVADA, regulators.UNITED_STATES, regulators.LGS]
    assert f"| report | {' | '.join(whose)} |" in guide
    for name, called in regulators.CALLED.items():
        cells = ("; ".join(words for of, words in called if of == each) for each in whose)
        assert f"| `{name}` | {' | '.join(cells)} |" in guide
        assert all(of in whose for of, _ in called)


def by_pit(day, login="david", chosen=None):
    return screens.shown(REPORTS["master-game"], Period(day, day), person(login), chosen or {}, 1)["by_pit"]


def amounts(line):
    """The texts of a line's cells by the names of their columns, where none is a gap."""
    texts = [cell["text"] for cell in line["cells"]]
    return dict(zip(REPORTS["master-game"].by_pit, texts, strict=True))


def test_a_day_stands_by_pits_each_with_the_sums_of_its_tables(nights):
    expected = []
    lines = figures.of_day(nights.last).lines
    for pit in sorted({line.table.pit for line in lines}, key=lambda pit: pit.code):
        own = [line for line in lines if line.table.pit == pit]
        both = sum((line.figures for line in own), figures.Figures())
        expected.append(("pit", str(pit), f"{len(own)} of {len(own)}", both))
        for line in sorted(own, key=lambda line: line.table.code):
            many = len(line.sittings)
            sat = f"Split Poker, {many} sessions" if many > 1 else "Split Poker"
            expected.append(("table", line.table.name, sat, line.figures))
    page = by_pit(nights.last)
    assert [(line["kind"], line["name"], line["more"]) for line in page["lines"]] == [line[:3] for line in expected]
    spell = screens.Screen(REPORTS["master-game"], person("david")).spell
    for line, (*_, own) in zip(page["lines"], expected, strict=True):
        got = amounts(line)
        for name in figures.NAMES:
            plus = "+" if name in {"win", "variance"} and getattr(own, name) > 0 else ""
            assert got[name] == f"{plus}{spell(getattr(own, name))}", name
        assert got["hold"].replace("−", "-") == f"{own.hold / 10:.1f}"
    whole = sum((line.figures for line in lines), figures.Figures())
    assert page["whole"]["more"] == f"{len(lines)} of {len(lines)}"
    assert amounts(page["whole"])["closer"] == spell(whole.closer)
    assert (page["left"], page["sums"]) == ([], amounts(page["whole"]))
    # Of several days there are no pits: a table stands there once a day.
    assert screens.shown(REPORTS["master-game"], nights, person("david"), {}, 1)["by_pit"] is None


def test_all_tables_of_a_day_stand_on_one_page_by_their_pits(nights, monkeypatch):
    monkeypatch.setattr(screens, "PAGE", 1)
    shown = screens.shown(REPORTS["master-game"], Period(nights.last, nights.last), person("clara"), {}, 1)
    assert shown["count"] > 1
    assert shown["by_pit"]
    assert not shown["part"]


def test_what_nobody_counted_is_one_gap_with_its_reason_and_is_in_no_sum(nights):
    page = by_pit(grading.today())
    tables = {line["name"]: line for line in page["lines"] if line["kind"] == "table"}
    gaps = {
        name: [(cell["gap"], cell["span"]) for cell in line["cells"] if "gap" in cell] for name, line in tables.items()
    }
    # Over closer, win, hold, rake and variance.
    for code, reason in (("T1", "no count: the table is open"), ("T2", "no count: one signature missing")):
        assert gaps.pop(table(code).name) == [(reason, 5)]
        assert tables[table(code).name]["mark"] == "warn"
    assert not any(gaps.values())
    assert page["left"] == [table(code).name for code in ("T1", "T2")]
    assert page["whole"]["more"] == f"{len(tables) - 2} of {len(tables)}"
    for pit in (line for line in page["lines"] if line["kind"] == "pit"):
        assert not any("gap" in cell for cell in pit["cells"])


def test_a_table_that_stayed_closed_has_no_activity(nights):
    day, report = Period(nights.last, nights.last), REPORTS["master-game"]
    screen = screens.Screen(report, person("david"))
    rows = [row for row in queries.look(report, day, {}, limit=200).rows if row["table"] == "T1"]
    page, _ = pits.shown(screen, rows, day, {})
    closed = [line["name"] for line in page["lines"] if line["kind"] == "closed"]
    assert table("T2").name in closed
    sat = set(Session.objects.filter(business_date__lt=nights.last).values_list("table__name", flat=True))
    assert sorted(closed) == sorted(sat - {table("T1").name})
    page, _ = pits.shown(screen, rows, day, {"table": "T1"})
    assert not [line for line in page["lines"] if line["kind"] == "closed"]
    assert len(by_pit(nights.last, chosen={"table": "T1"})["lines"]) == 2


def number(text):
    return int(text.replace("\u2009", "").replace("−", "-").replace("+", ""))


def test_a_figure_opens_to_the_terms_that_it_comes_to_by_and_leads_on(nights):
    page = by_pit(nights.last)
    opened = [(line, why) for line in [*page["lines"], page["whole"]] for why in line["whys"]]
    assert {why["id"].rpartition("-")[2] for _, why in opened} == {"win", "hold"}
    for _, why in opened:
        if why["id"].endswith("-win"):
            signs = {"": 1, "+": 1, "−": -1}
            assert number(why["text"]) == sum(signs[term["sign"]] * number(term["text"]) for term in why["terms"])
            assert [term["label"] for term in why["terms"]] == ["Closer", "Drop", "Credits", "Opener", "Fills"]
        else:
            assert [(term["sign"], term["label"]) for term in why["terms"]] == [("", "Win"), ("÷", "Drop")]
    t1 = table("T1")
    begins, ends = queries.moments(Period(nights.last, nights.last), Casino.objects.get())
    entries = [entry for entry in Entry.objects.filter(chain=f"table:{t1.pk}") if begins <= entry.at < ends]
    rounds = t1.rounds.filter(session__business_date=nights.last).count()
    (ways,) = (why["ways"] for line, why in opened if line["name"] == t1.name and why["id"].endswith("-win"))
    assert [way["label"] for way in ways] == [
        f"{rounds} round{'s' * (rounds != 1)}", f"{len(entries)} entr{'y' if len(entries) == 1 else 'ies'}"
    ]  # fmt: skip
    get = client("david").get
    assert all(get(way["to"]).status_code == 200 for way in ways)
    content = get(f"/reports/master-game/{nights.last}/").content.decode()
    for _, why in opened:
        assert content.count(f'href="#{why["id"]}"') == content.count(f'id="{why["id"]}"') == 1
    # A pit boss does not read the log.
    whys = [why for line in by_pit(nights.last, "clara")["lines"] for why in line["whys"] if why["ways"]]
    assert whys
    assert all(len(why["ways"]) == 1 for why in whys)
    # In a list of several days, and in the statistics, the quotients open.
    for name, period in (("master-game", str(nights)), ("statistics", str(nights.last))):
        content = get(f"/reports/{name}/{period}/").content.decode()
        targets = re.findall(r'href="#(why-[a-z0-9_-]+hold)"', content)
        assert targets
        assert all(content.count(f'id="{target}"') == 1 for target in targets)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('{"pit": "pit:3", "code": "G4"}', "pit 3, code G4"),
        ("drop_box:12", "Drop box 12"),
        ("closer", "closer"),
        ("10:30", "10:30"),
        ("480", "480"),
    ],
)
def test_what_the_log_lays_out_is_said_without_its_brackets(value, words):
    assert codes.words(Column("after", "After", Kind.TEXT, ""), value) == words


def test_drop_boxes_and_slips_are_called_by_the_numbers_that_they_have(nights):
    day = nights.last
    box = next(each for each in DropBox.objects.filter(session__business_date=day) if each.number != str(each.pk))
    page = screens.shown(REPORTS["count-sheets"], Period(day, day), person("clara"), {}, 1)
    lines = {line["text"] for row in page["rows"] for cell in row for line in cell["lines"]}
    assert f"Drop box {box.number}" in lines
    assert f"Drop box {box.pk}" not in lines
