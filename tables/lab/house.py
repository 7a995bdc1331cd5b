"""Houses of any size for measuring: tables with their people, and any number of settled rounds."""

import contextlib

from django.db import transaction

from audit.log import Actor
from casino.models import Staff
from casino.roles import Role
from tables.models import Posting, Table
from tables.people import staff
from tables.verbs import pits, rulesheets

from . import counting

OPENER = {100: 100, 500: 100, 2500: 100, 10000: 100}
CHUNK = 1_000

# A settled round's rows, each with the values that differ in the copy; `made` and `of` are the ids of the round and of
# its settlement, `old` is the copied round's id, `n` the number of the copy.
COPIES = {
    "tables_round": {"id": "made", "number": "t.number + n * last_number", "settlement_id": "of"},
    "tables_action": {"round_id": "made"},
    "tables_line": {"round_id": "made", "text": """replace(t.text, '"id":' || old, '"id":' || made)"""},
    "tables_box": {"round_id": "made"},
    "tables_hand": {"round_id": "made"},
    "tables_wager": {"round_id": "made"},
    "payouts_settlement": {"id": "of", "round_key": "'round:' || made", "key": "'round:' || made || ':1'"},
    "payouts_payment": {"settlement_id": "of"},
    "payouts_transfer": {
        "settlement_id": "of",
        "key": "replace(t.key, 'round:' || old || ':', 'round:' || made || ':')",
    },
    "audit_entry": {
        "seq": "t.seq + n * entries",
        "body": """replace(replace(t.body, 'round:' || old, 'round:' || made),
            '"seq":' || t.seq || ',', '"seq":' || (t.seq + n * entries) || ',')""",
        "subject": "replace(t.subject, 'round:' || old, 'round:' || made)",
    },
}
OF_THE_ROUND = {
    "tables_round": "t.id = old",
    "payouts_settlement": "t.id = settled",
    "payouts_payment": "t.settlement_id = settled",
    "payouts_transfer": "t.settlement_id = settled",
    "audit_entry": "t.subject = 'round:' || old",
}
PLAYED = """
CREATE TABLE bench_played AS
SELECT r.id AS old, r.settlement_id AS settled, row_number() OVER (ORDER BY r.id) AS place, count(*) OVER () AS played,
    max(r.number) OVER (PARTITION BY r.table_id) AS last_number,
    (SELECT max(id) FROM tables_round) AS last_round, (SELECT max(id) FROM payouts_settlement) AS last_settlement,
    (SELECT max(seq) FROM audit_entry) AS entries
FROM tables_round r WHERE r.status = 'SETTLED'
"""
ORIGINALS = (
    "CREATE TEMP TABLE of_{table} AS SELECT t.*, old AS copied FROM {table} t JOIN bench_played ON {of_the_round}"
)
COPY = """
INSERT INTO {table} ({columns})
SELECT {values} FROM (
    SELECT p.*, n, last_round + (n - 1) * played + place AS made, last_settlement + (n - 1) * played + place AS of
    FROM bench_played p, generate_series({first}, {last}) n) copied
JOIN of_{table} t ON t.copied = old ORDER BY n
"""
# Indexes that no constraint needs are dropped before the copies, and built anew after them.
INDEXES = """
SELECT pg_get_indexdef(i.indexrelid), i.indexrelid::regclass::text FROM pg_index i
WHERE i.indrelid = ANY (%s::regclass[]) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
"""
AFTERWARDS = """
UPDATE tables_table t SET last_number = (SELECT max(number) FROM tables_round WHERE table_id = t.id)
WHERE EXISTS (SELECT FROM tables_round WHERE table_id = t.id);
UPDATE audit_chain c SET seq = (SELECT max(seq) FROM audit_entry WHERE chain_id = c.key)
WHERE EXISTS (SELECT FROM audit_entry WHERE chain_id = c.key);
SELECT setval(pg_get_serial_sequence('tables_round', 'id'), (SELECT max(id) FROM tables_round)),
    setval(pg_get_serial_sequence('payouts_settlement', 'id'), (SELECT max(id) FROM payouts_settlement));
DROP TABLE bench_played;
"""


def employing():
    """The people who add and post others: an administrator of the house, and a pit boss who signs."""
    return Actor(of_role(Role.ADMINISTRATOR), of_role(Role.PIT_BOSS))


def of_role(role):
    return Staff.objects.get(
        pk=Posting.objects.filter(role=role, ended_at=None).order_by("pk").values_list("staff")[:1]
    )


def lay_out(count, *, password=None):
    """Add tables B1, B2, ... like T1, open; with a password each has the croupier b1, b2, ... signed on.

    :returns: the tables' ids.
    """
    like = Table.objects.select_related("pit", "chip_set").get(code="T1")
    sheet = rulesheets.in_force(like)
    boss, cage = of_role(Role.PIT_BOSS), of_role(Role.CAGE)
    by_boss, by_two, tables = Actor(boss), employing(), []
    with transaction.atomic():
        for number in range(1, count + 1):
            table = pits.add_table(
                code=f"B{number}", name=f"Split B{number}", pit=like.pit, chip_set=like.chip_set, actor=by_two
            )
            rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=Actor(boss, by_two.by))
            counting.opened(table_id=table.pk, chips=OPENER, boss=boss, second=cage)
            tables.append(table.pk)
            if password:
                croupier = staff.add(login=f"b{number}", name=f"Croupier {number}", password=password, actor=by_two)
                staff.post(staff=croupier, role=Role.CROUPIER, pit=like.pit, actor=by_two)
                staff.sign_on(staff=croupier, table=table, actor=by_boss)
    return tables


@contextlib.contextmanager
def unguarded(superuser, tables, indexed):
    """A context manager: rows enter these tables without guards and foreign keys, and the `indexed` ones without
    indexes that no constraint needs; afterwards everything is restored, and the planner learns of the rows."""
    superuser.execute("SET session_replication_role = replica; SET synchronous_commit = off")
    superuser.execute("SET maintenance_work_mem = '1GB'")
    for table in tables:
        superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    indexes = superuser.execute(INDEXES, [[*indexed]]).fetchall()
    for _, name in indexes:
        superuser.execute(f"DROP INDEX {name}")
    yield
    for definition, _ in indexes:
        superuser.execute(definition)
    for table in tables:
        superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    superuser.execute("VACUUM (ANALYZE)")


def fill(superuser, each, tick=lambda done, of: None):
    """Copy every settled round of a database until there are `each` of each.

    :param tick: called with how many copies there are, of how many.
    """
    superuser.execute(PLAYED)
    for table in COPIES:
        superuser.execute(ORIGINALS.format(table=table, of_the_round=OF_THE_ROUND.get(table, "t.round_id = old")))
    with unguarded(superuser, [*COPIES, "tables_table", "audit_chain"], COPIES):
        for first in range(1, each, CHUNK):
            tick(first, each)
            for table, values in COPIES.items():
                superuser.execute(_statement(superuser, table, values, first, min(each, first + CHUNK) - 1))
        superuser.execute(AFTERWARDS)


def _statement(superuser, table, values, first, last):
    names = superuser.execute(
        "SELECT column_name FROM information_schema.columns WHERE table_name = %s AND is_generated = 'NEVER'"
        " AND (column_name <> 'id' OR %s)",
        [table, "id" in values],
    ).fetchall()
    return COPY.format(
        table=table,
        columns=", ".join(f'"{name}"' for (name,) in names),
        values=", ".join(values.get(name, f't."{name}"') for (name,) in names),
        first=first,
        last=last,
    )
