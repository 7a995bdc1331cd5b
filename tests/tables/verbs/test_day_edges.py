"""The edges of gaming days by the wall clock: midnight, the nights on which clocks change, rounds that are open as the
day turns, days that nobody closed for a week, and one that is closed before it is over.

The database's own function of the day takes the instant that a test says for the present one, of the year before.
"""

import datetime as dt
import json
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from casino.gaming_day import begins, gaming_day
from casino.running import embedded
from payouts import ledger
from payouts.models import Movement, Settlement
from payouts.winning import Grade
from tables.models import GamingDay
from tables.people import staff
from tables.verbs import corrections, dates, days, figures, settling, standing

from ...support import factories, stack
from ...support.factories import actor, close_day, refused, table

pytestmark = pytest.mark.usefixtures("seeded_db")
BERLIN, SIX = ZoneInfo("Europe/Berlin"), dt.time(6)
RULE = {"zone": BERLIN.key, "starts": SIX}
YEAR = timezone.now().year - 1
A_DAY = dt.date(YEAR, 11, 21)
MINUTE, DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
CHIPS = {"10000": 10, "500": 20}


def last_sunday(month):
    """The last one of a month of 31 days, on which clocks change."""
    end = dt.date(YEAR, month, 31)
    return end - dt.timedelta(end.isoweekday() % 7)


def at(date, clock):
    """An instant by Berlin's clock: `at(A_DAY, "23:59")`."""
    return dt.datetime.combine(date, dt.time.fromisoformat(clock), BERLIN)


def move_to(instant):
    """From now on it is then, by the database's function of the day."""
    behind = (instant - timezone.now()).total_seconds()
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute(
            "CREATE OR REPLACE FUNCTION gaming_day(at timestamptz, zone text, starts time) RETURNS date LANGUAGE sql"
            f" STABLE PARALLEL SAFE RETURN (((at + interval '{behind} seconds') AT TIME ZONE zone) - starts)::date"
        )
    assert dates.business_date() >= gaming_day(instant, **RULE)


@pytest.fixture(autouse=True)
def berlin(seeded_db):
    """A house in Berlin whose gaming day begins at six, and of which no table is open."""
    factories.close_tables()
    with stack.cluster().connect(embedded.OWNER, seeded_db) as owner:
        owner.execute("UPDATE casino_casino SET time_zone = %s, day_starts_at = %s", [BERLIN.key, SIX])


def begun(code, instant):
    """The gaming day of a session that begins then."""
    move_to(instant)
    return factories.begin_session(table(code)).business_date


def opened(code, chips=CHIPS):
    return factories.open_session(table(code), chips)


def dealing(code="T1", login="anna"):
    """Somebody deals at a table that is open."""
    with transaction.atomic():
        staff.sign_on(staff=factories.person(login), table=table(code), actor=actor("clara"))


def test_midnight_is_no_edge_and_six_is():
    assert begun("T1", at(A_DAY, "06:00")) == A_DAY
    assert begun("T2", at(A_DAY, "23:59")) == A_DAY
    assert begun("T3", at(A_DAY + DAY, "00:01")) == A_DAY
    assert begun("G1", at(A_DAY + DAY, "05:58")) == A_DAY
    assert begun("G2", at(A_DAY + DAY, "06:00")) == A_DAY + DAY
    assert set(GamingDay.objects.filter(date__year=YEAR).values_list("date", flat=True)) == {A_DAY, A_DAY + DAY}


@pytest.mark.parametrize(("month", "hours"), [(3, 23), (10, 25)])
def test_the_day_of_a_night_on_which_clocks_change_closes_like_any_other(month, hours):
    """It begins on the Saturday: the clocks change towards its end."""
    date = last_sunday(month) - DAY
    first, after = begins(date, **RULE), begins(date + DAY, **RULE)
    assert after - first == dt.timedelta(hours=hours)
    instant = first - 3 * MINUTE
    with connection.cursor() as cursor:
        while instant < after + 3 * MINUTE:
            cursor.execute("SELECT gaming_day(%s, %s, %s)", [instant, BERLIN.key, SIX])
            assert cursor.fetchone()[0] == gaming_day(instant, **RULE)
            assert (gaming_day(instant, **RULE) == date) == (first <= instant < after)
            instant += 10 * MINUTE
    for code, instant in (("T1", first), ("T2", at(date + DAY, "02:30")), ("T3", after - 3 * MINUTE)):
        move_to(instant)
        assert opened(code).business_date == date
    assert begun("G1", after) == date + DAY
    for code in ("T1", "T2", "T3"):
        factories.close_session(table(code), CHIPS)
    day = GamingDay.objects.get(date=date)
    assert [what.kind for what in days.obstacles(day)] == ["cage"]
    count_cage()
    closed = json.loads(close_day(day).figures)
    assert [line["grade"] for line in closed["tables"]] == ["FINAL"] * 3
    assert closed["sums"]["closer"]["units"] == 3 * 110_000


def count_cage():
    factories.cage_shift()
    for by in ("hugo", "olga"):
        factories.count_cage(held_in_cage(), by=by)
    factories.sign_cage()


def held_in_cage():
    return factories.pile(ledger.balances()["cage"])


def test_a_round_that_is_open_as_the_day_turns_is_of_its_session_s():
    move_to(at(A_DAY + DAY, "05:58"))
    session = opened("T1")
    dealing()
    round_ = factories.open_round(table("T1"))
    factories.do(round_, *factories.FOLDS[0][:2], **factories.FOLDS[0][2])
    move_to(at(A_DAY + DAY, "06:02"))
    assert dates.business_date() == A_DAY + DAY
    for kind, box, arguments in factories.FOLDS[1:]:
        factories.do(round_, kind, box, **arguments)
    factories.close(round_)
    settling.settle_due()
    (settlement,) = Settlement.objects.filter(round_key=round_.ref)
    assert (session.business_date, settlement.business_date) == (A_DAY, A_DAY)
    assert set(settlement.transfers.values_list("business_date", flat=True)) == {A_DAY}
    # The table goes on; what it won with that round is the day's before.
    won = {"10000": 10, "500": 21}
    following = factories.carry_session(table("T1"), won)
    assert following.business_date == A_DAY + DAY
    count_cage()
    day = GamingDay.objects.get(date=A_DAY)
    (line,) = json.loads(close_day(day).figures)["tables"]
    assert (line["win"], line["variance"], line["closer"]) == (500, 0, 110_500)
    (sitting,) = figures.of_day(A_DAY + DAY).lines[0].sittings
    assert (sitting.session, sitting.figures.opener, sitting.rounds) == (following, 110_500, 0)


def test_days_that_nobody_closed_for_a_week_are_closed_in_their_order_and_in_no_other():
    week = [A_DAY + place * DAY for place in range(7)]
    for place, date in enumerate(week):
        move_to(at(date, "20:00"))
        opened("T1")
        factories.close_session(table("T1"), CHIPS | {"500": 20 + place})
    count_cage()
    left = list(GamingDay.objects.filter(date__in=week).order_by("date"))
    assert [day.date for day in left] == week
    for place, day in enumerate(left):
        for later in left[place + 1 :]:
            found = refused("day_unfinished", days.close, day_id=later.pk, actor=actor("clara", "hugo"))
            assert [one["ref"] for one in found.detail["obstacles"]] == [
                earlier.ref for earlier in left[place:] if earlier.date < later.date
            ]
        assert days.obstacles(day) == []
        close_day(day)
    for place, day in enumerate(left):
        day.refresh_from_db()
        (line,) = json.loads(day.figures)["tables"]
        assert (line["grade"], line["closer"], line["variance"]) == (Grade.FINAL, 110_000 + place * 500, place * 500)


def test_what_begins_after_a_day_was_closed_early_is_of_the_next_which_closes_once_it_has_come():
    move_to(at(A_DAY, "21:00"))
    opened("T1")
    dealing()
    round_ = factories.settled_round(table("T1"), factories.FOLDS)
    factories.close_session(table("T1"), CHIPS | {"500": 21})
    count_cage()
    early = close_day(GamingDay.objects.get(date=A_DAY))
    move_to(at(A_DAY, "21:30"))
    assert opened("T2").business_date == A_DAY + DAY
    assert factories.cage_shift().business_date == A_DAY + DAY
    correct(round_, 1000)
    assert Movement.objects.get(subject=round_.ref).business_date == A_DAY + DAY
    assert Settlement.objects.get(round_key=round_.ref, generation=2).business_date == A_DAY + DAY
    factories.close_session(table("T2"), CHIPS)
    count_cage()
    following = GamingDay.objects.get(date=A_DAY + DAY)
    with pytest.raises(IntegrityError, match="it has not come yet"):
        close_day(following)
    for instant in (at(A_DAY + DAY, "05:58"), at(A_DAY + DAY, "06:00")):
        move_to(instant)
        assert dates.business_date() == A_DAY + DAY
    (line,) = json.loads(close_day(following).figures)["tables"]
    assert (line["table"], line["closer"], line["grade"]) == (table("T2").ref, 110_000, "FINAL")
    early.refresh_from_db()
    assert json.loads(early.figures) == figures.of_day(A_DAY).facts()
    assert dates.business_date() == A_DAY + 2 * DAY


def test_what_was_staked_on_a_day_stays_though_a_round_is_corrected_on_a_later_one():
    move_to(at(A_DAY, "21:00"))
    opened("T1")
    dealing()
    rounds = [factories.settled_round(table("T1"), factories.FOLDS) for _ in range(2)]
    correct(rounds[0], 1000)
    factories.close_session(table("T1"), CHIPS | {"500": 23})
    count_cage()
    close_day(GamingDay.objects.get(date=A_DAY))
    (line,) = figures.of_day(A_DAY).lines
    assert (line.rounds, line.stakes) == (2, 1_500)
    correct(rounds[1], 2500)
    correct(rounds[0], 500, line=2)
    (line,) = figures.of_day(A_DAY).lines
    assert (line.rounds, line.stakes) == (2, 1_500)


def correct(round_, ante, *, line=1):
    """Two pit bosses say that the box had folded with another ANTE."""
    with transaction.atomic():
        corrections.correct(
            standing=standing.locked(round_.pk), line=line, changes={"boxes[0].ante": ante}, clause="split.33",
            reason="Entered wrong.", actor=actor("clara", "frank"),
        )  # fmt: skip


def test_a_cage_that_was_counted_before_the_last_table_closed_is_counted_again_whenever_it_was_signed_for():
    move_to(at(A_DAY, "21:00"))
    opened("T1")
    factories.cage_shift()
    for by in ("hugo", "olga"):
        factories.count_cage(held_in_cage(), by=by)
    factories.close_session(table("T1"), CHIPS)
    factories.sign_cage()
    day = GamingDay.objects.get(date=A_DAY)
    (left,) = days.obstacles(day)
    assert left.words == "The cage hasn’t been counted since the last table closed."
    count_cage()
    assert close_day(day).status == GamingDay.Status.CLOSED
