"""A night for measuring: many Split tables on the demo's sheet, and recorded rounds that are closed and wait there."""

import functools
import json
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from django.db import connection, transaction

from audit import log
from audit.log import Actor
from audit.models import Entry
from casino.games.game import Fault, Refusal
from casino.games.split import SPLIT
from casino.games.split.retrace import retrace
from casino.models import Staff
from casino.running.trial import ROUND
from tables.models import Table
from tables.verbs import rounds, settling, standing

RECORDED = Path(__file__).parent.parent / "replay" / "split_rounds.jsonl"
SHEET = SPLIT.sheet({"chip": 100, "ante_minimum": 500, "ante_maximum": 10000, "boxes": 6})
# This many of the recorded rounds take turns.
SAMPLE = 200

# A table has only one open round and rounds begin open, so one after the other; due in a day, unless released before.
WAIT = """
DO $$
DECLARE
    told record;
    made bigint;
BEGIN
    FOR told IN
        SELECT line.*, s.id AS session_id, s.opened_by_id, t.last_number + 1 AS number,
            (SELECT sheet_id FROM tables_inforce WHERE table_id = t.id ORDER BY from_at DESC LIMIT 1) AS sheet_id
        FROM bench_line line
        JOIN tables_table t ON t.id = line.table_id
        JOIN tables_session s ON s.table_id = t.id AND s.status = 'OPEN'
        ORDER BY line.ordinal, t.id
    LOOP
        UPDATE tables_table SET last_number = last_number + 1 WHERE id = told.table_id;
        INSERT INTO tables_round (table_id, session_id, sheet_id, number, status, phase, seats, opened_by_id, leases,
            alone, failures)
        VALUES (told.table_id, told.session_id, told.sheet_id, told.number + told.ordinal, 'OPEN', 'showing', '{}',
            told.opened_by_id, 0, false, 0)
        RETURNING id INTO made;
        UPDATE tables_round SET status = 'CLOSED', closed_at = now(), next_at = now() + interval '1 day'
        WHERE id = made;
        INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id)
        VALUES (made, 1, regexp_replace(told.text, '"id":0([,}])', '"id":' || made || '\\1'), told.wagers,
            told.opened_by_id);
        INSERT INTO bench_made VALUES (made, told.table_id);
    END LOOP;
END $$
"""


class Waiting(NamedTuple):
    """A closed round that waits."""

    table_id: int
    id: int


@functools.cache
def recorded(count):
    """The first recorded rounds as (line, stakes), both canonical; the id of a line is 0, to be replaced."""
    samples = []
    with open(RECORDED, encoding="utf-8") as file:
        for text in islice(file, count):
            facts = SPLIT.read(json.loads(text))
            if isinstance(facts, Fault):
                raise TypeError(facts.message)
            actions = retrace(facts, SHEET)
            if isinstance(actions, Refusal):
                raise TypeError(actions.message)
            state = SPLIT.start(SHEET, (), None)
            for action in actions:
                state = SPLIT.act(state, action)
            stakes = [wager._asdict() for wager in SPLIT.view(state).wagers]
            samples.append((log.canonical({"id": 0, **SPLIT.facts(state)}), log.canonical(stakes)))
    return samples


def a_round():
    """The log's records of a whole round, as one is played and settled at T1 now."""
    table = Table.objects.get(code="T1")
    actor = Actor(Staff.objects.get(sign_ons__table=table, sign_ons__signed_off_at=None))
    with transaction.atomic():
        opened = rounds.open_round(table_id=table.pk, actor=actor)
        for version, (kind, box, arguments) in enumerate(ROUND):
            rounds.act(
                standing=standing.locked(opened.pk),
                version=version,
                kind=kind,
                box=box,
                arguments=arguments,
                actor=actor,
            )
        rounds.close(standing=standing.locked(opened.pk), version=len(ROUND), actor=actor)
    settling.settle_due()
    entries = [
        json.loads(body)
        for body in Entry.objects.filter(subject=opened.ref).order_by("id").values_list("body", flat=True)
    ]
    return [
        log.Record(entry["event"], entry["subject"], entry["facts"], entry["by"], entry["terminal"])
        for entry in entries
    ]


def wait(superuser, tables, each):
    """Let `each` recorded rounds wait at every table, closed and not due; a superuser's connection writes them.

    :returns: a `Waiting` for each, those of a table one after the other.
    """
    lines = cycle(recorded(SAMPLE))
    with superuser.transaction(), superuser.cursor() as cursor:
        cursor.execute(
            "CREATE TEMP TABLE bench_line (table_id bigint, ordinal int, text text, wagers text) ON COMMIT DROP"
        )
        with cursor.copy("COPY bench_line FROM STDIN") as copy:
            for table in tables:
                for ordinal in range(each):
                    copy.write_row((table, ordinal, *next(lines)))
        cursor.execute("CREATE TEMP TABLE bench_made (id bigint, table_id bigint) ON COMMIT DROP")
        cursor.execute(WAIT)
        cursor.execute("SELECT table_id, id FROM bench_made ORDER BY table_id, id")
        return [Waiting(*row) for row in cursor.fetchall()]


def release(rounds):
    """Make them due now, all at the same moment, by a commit."""
    with connection.cursor() as cursor:
        ids = [waiting.id for waiting in rounds]
        cursor.execute("UPDATE tables_round SET next_at = clock_timestamp() WHERE id = ANY(%s)", [ids])


def waits():
    """Whether a released round is not settled yet. This is asked often, so it reads one row of an index."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM tables_round WHERE status = 'CLOSED' AND held_at IS NULL"
            " AND next_at < now() + interval '1 hour')"
        )
        return cursor.fetchone()[0]
