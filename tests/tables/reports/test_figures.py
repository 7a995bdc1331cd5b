"""What sessions came to, and where the house's chips were, written as a gaming day is closed: held against the rows,
which Python adds up. The chips are held against all transfers in `test_recomputed.py` too."""

import re

import pytest
from django.db import connection

from tables.inspections import days as days_inspected
from tables.models import GamingDay, HouseFigures, Session, SessionFigures
from tables.verbs import figures

from ...support import closed_days, factories, stack

COLUMNS = [field.name for field in SessionFigures._meta.fields if not field.primary_key]
OF_HOUSE = [field.name for field in HouseFigures._meta.fields if not field.primary_key]


@pytest.fixture(scope="module")
def nights(django_test_environment, django_db_blocker):
    """The period of two closed nights; a round of the first was found void in the second."""
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):

        def closed(ago):
            if ago == 1:
                first = Session.objects.filter(table__code="T1").exclude(business_date=_newest()).order_by("pk")
                rounds = [round_ for each in first for round_ in each.rounds.exclude(settlement=None)]
                factories.void_later(rounds[0])

        yield closed_days.furnished(closed=closed)


def _newest():
    return Session.objects.latest("business_date").business_date


def _of_closed_days():
    dates = GamingDay.objects.filter(status=GamingDay.Status.CLOSED).values("date")
    return Session.objects.filter(business_date__in=dates)


def _added_up(sitting):
    return {
        "games": sitting.game.split(", ") if sitting.rounds + sitting.voids else [],
        "rounds": sitting.rounds,
        "stakes": sitting.stakes,
        **{name: getattr(sitting.figures, name) for name in figures.NAMES},
    }


def test_each_session_of_a_closed_day_has_its_figures_and_no_other(nights):
    written = {row.pop("session"): row for row in SessionFigures.objects.values("session", *COLUMNS)}
    assert written == {each.session.pk: _added_up(each) for each in figures.sittings(_of_closed_days())}
    assert len(written) == 2 * 3
    assert Session.objects.exclude(pk__in=written).count() > 1
    # Split has no rake; it is one more of the same movements.
    for name in set(COLUMNS) - {"rake"}:
        assert any(row[name] for row in written.values()), f"No session has any {name}: the test shows nothing of it."


def test_they_are_what_the_rows_give_later_too(nights):
    """Also after a round was found void on a later day, which is that day's."""
    sessions = list(_of_closed_days().order_by("pk").values_list("pk", flat=True))
    names = ["session_id", *COLUMNS]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM session_figures(%s) ORDER BY session_id", [sessions])
        assert [column.name for column in cursor.description] == names
        worked_out = cursor.fetchall()
    assert worked_out == list(SessionFigures.objects.order_by("pk").values_list(*names))


def test_a_span_of_days_has_each_session_once_whether_its_day_is_closed_or_not(nights):
    with connection.cursor() as cursor:
        cursor.execute("SELECT session_id, win FROM figures_between('2000-01-01', '2100-01-01')")
        between = cursor.fetchall()
        cursor.execute("SELECT session_id FROM figures_between(%s, %s)", [nights.first, nights.first])
        of_first = {number for (number,) in cursor.fetchall()}
    every = figures.sittings(Session.objects.all())
    assert sorted(between) == [(each.session.pk, each.figures.win) for each in every]
    assert of_first == set(Session.objects.filter(business_date=nights.first).values_list("pk", flat=True))


@pytest.mark.parametrize("name", COLUMNS)
def test_an_inspection_names_a_figure_that_was_changed(nights, name):
    row = SessionFigures.objects.select_related("session").latest("pk")
    value = ["other"] if name == "games" else getattr(row, name) + 1
    found = _inspected(f"UPDATE tables_sessionfigures SET {name} = %s WHERE session_id = %s", [value, row.pk])
    day = GamingDay.objects.get(date=row.session.business_date)
    assert [(each.subject, each.what) for each in found] == [(day.ref, f"tables_sessionfigures {name}")]
    assert f"the figures of session {row.pk}, {name}: " in found[0].sentence


def test_an_inspection_names_figures_that_are_missing(nights):
    row = SessionFigures.objects.latest("pk")
    found = _inspected("DELETE FROM tables_sessionfigures WHERE session_id = %s", [row.pk])
    assert [each.what for each in found] == ["tables_sessionfigures"]
    assert f"the figures of session {row.pk} is not there" in found[0].sentence


def test_an_inspection_names_figures_of_a_day_that_is_open(nights):
    row = Session.objects.exclude(pk__in=SessionFigures.objects.values("pk")).latest("pk")
    statement = f"INSERT INTO tables_sessionfigures SELECT %s, '{{}}', {', '.join('0' * 12)}"
    found = _inspected(statement, [row.pk])
    assert [each.what for each in found] == ["tables_sessionfigures"]
    assert "is there, but" in found[0].sentence


def test_each_closed_day_has_the_figures_of_the_house_and_no_other(nights):
    closed = GamingDay.objects.filter(status=GamingDay.Status.CLOSED).values_list("pk", flat=True)
    assert set(HouseFigures.objects.values_list("day", flat=True)) == set(closed) != set()
    assert GamingDay.objects.exclude(pk__in=closed).exists()


@pytest.mark.parametrize("name", OF_HOUSE)
def test_an_inspection_names_a_figure_of_the_house_that_was_changed(nights, name):
    row = HouseFigures.objects.select_related("day").latest("day__date")
    statement = f"UPDATE tables_housefigures SET {name} = coalesce({name}, 0) + 1 WHERE day_id = %s"
    found = _inspected(statement, [row.pk])
    assert [(each.subject, each.what) for each in found] == [(row.day.ref, f"tables_housefigures {name}")]
    assert f"the house at the end of day {row.pk}, {name}: " in found[0].sentence


def test_an_inspection_names_figures_of_the_house_that_are_missing(nights):
    row = HouseFigures.objects.select_related("day").latest("day__date")
    found = _inspected("DELETE FROM tables_housefigures WHERE day_id = %s", [row.pk])
    assert [(each.subject, each.what) for each in found] == [(row.day.ref, "tables_housefigures")]


def test_an_inspection_names_figures_of_the_house_for_a_day_that_is_open(nights):
    day = GamingDay.objects.running().latest("date")
    found = _inspected("INSERT INTO tables_housefigures VALUES (%s, NULL, 0, 0, 0, 0, 0, 0, 0, 0)", [day.pk])
    assert [(each.subject, each.what) for each in found] == [(day.ref, "tables_housefigures")]
    assert "is there, but" in found[0].sentence


def test_an_inspection_of_what_stands_names_nothing(nights):
    assert days_inspected.look(0, 2**40, {}) == (GamingDay.objects.count(), [])


def _inspected(statement, parameters):
    """What an inspection of the days names after a superuser has changed something, which is taken back."""
    table = re.search("tables_[a-z]+figures", statement).group()
    with stack.cluster().connect(database=connection.settings_dict["NAME"]) as superuser:
        superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        kept = superuser.execute(f"SELECT * FROM {table}").fetchall()
        try:
            superuser.execute(statement, parameters)
            return days_inspected.look(0, 2**40, {})[1]
        finally:
            superuser.execute(f"DELETE FROM {table}")
            spots = ", ".join(["%s"] * len(kept[0]))
            superuser.cursor().executemany(f"INSERT INTO {table} VALUES ({spots})", kept)
            superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
