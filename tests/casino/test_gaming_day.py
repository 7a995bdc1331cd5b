"""The gaming day is the same in SQL and in Python, on both nights of a clock change too."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from casino.gaming_day import gaming_day

from ..support import proof

BERLIN = "Europe/Berlin"
SIX = dt.time(6)


def by_database(at, zone, starts):
    with connection.cursor() as cursor:
        cursor.execute("SELECT gaming_day(%s, %s, %s)", [at, zone, starts])
        return cursor.fetchone()[0]


@pytest.mark.parametrize(
    ("local", "fold", "day"),
    [
        ("2026-11-21 05:59:59", 0, "2026-11-20"),
        ("2026-11-21 06:00:00", 0, "2026-11-21"),
        # Clocks go back at 3:00 to 2:00: the hour comes twice, in one gaming day.
        ("2026-10-25 02:30:00", 0, "2026-10-24"),
        ("2026-10-25 02:30:00", 1, "2026-10-24"),
        ("2026-10-25 06:00:00", 0, "2026-10-25"),
        # Clocks go forward at 2:00 to 3:00.
        ("2026-03-29 01:59:59", 0, "2026-03-28"),
        ("2026-03-29 03:00:00", 0, "2026-03-28"),
        ("2026-03-29 05:59:59", 0, "2026-03-28"),
        ("2026-03-29 06:00:00", 0, "2026-03-29"),
    ],
)
def test_the_day_turns_at_six_by_the_wall_clock(db, local, fold, day):
    at = dt.datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(BERLIN), fold=fold)
    assert gaming_day(at, zone=BERLIN, starts=SIX) == dt.date.fromisoformat(day)
    assert by_database(at, BERLIN, SIX) == dt.date.fromisoformat(day)


@settings(
    max_examples=proof.examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    at=st.datetimes(min_value=dt.datetime(2000, 1, 1), max_value=dt.datetime(2037, 1, 1), timezones=st.just(dt.UTC)),  # noqa: DTZ001
    zone=st.sampled_from([BERLIN, "America/New_York", "Asia/Macau", "Australia/Lord_Howe", "UTC"]),
    starts=st.times().map(lambda time: time.replace(microsecond=0)),
)
def test_sql_and_python_agree(db, at, zone, starts):
    assert by_database(at, zone, starts) == gaming_day(at, zone=zone, starts=starts)
