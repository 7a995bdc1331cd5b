"""Whether anything gets slower with the number of rounds in the database: a thousand against a million.

Two databases of one cluster, each with twenty tables; their rounds are copies of one that was played and settled, with
all its rows. On both in turn: commands and the felt through the whole of Django in this process, and rounds settled.
"""

import json
import logging
import secrets
import statistics
import time
import uuid
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.test import Client

from casino.models import Staff
from casino.running.progress import Progress
from casino.running.trial import ROUND, TEMPLATE, Trial, django_on, new_folder
from tables.models import Table
from tables.verbs import settling

from . import night

FEW, TABLES, DUE = 1_000, 20, 20
MOST_TIMES = 1.3
CHUNK = 1_000
BACKEND = "tables.people.access.StaffBackend"

# A settled round's rows, each with what of it is another's in the copy; `made` and `of` are the ids of the round and of
# its settlement, `old` the round's that is copied, `n` the number of the copy.
COPIES = {
    "tables_round": {"id": "made", "number": "t.number + n", "settlement_id": "of"},
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
    (SELECT max(id) FROM tables_round) AS last_round, (SELECT max(id) FROM payouts_settlement) AS last_settlement,
    (SELECT count(*) FROM audit_entry WHERE subject = 'round:' || r.id) AS entries
FROM tables_round r WHERE r.status = 'SETTLED'
"""
COPY = """
INSERT INTO {table} ({columns})
SELECT {values} FROM (
    SELECT p.*, n, last_round + (n - 1) * played + place AS made, last_settlement + (n - 1) * played + place AS of
    FROM bench_played p, generate_series({first}, {last}) n) copied
JOIN {table} t ON {of_the_round} ORDER BY n
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


def add_arguments(parser):
    parser.add_argument("--rounds", type=int, default=1_000_000, help="in the larger database; default: 1,000,000")
    parser.add_argument("--turns", type=int, default=10, help="how often the databases take turns; default: 10")


def run(out, *, rounds, turns):
    """:raises CommandError: if anything takes more than 1.3 times as long, at the median, with more rounds."""
    progress = Progress(out._out)
    # No line for each request, nor for bells that nobody hears.
    logging.disable(logging.WARNING)
    with new_folder() as folder, ExitStack() as closing:
        progress.say("Starting a stack of its own ...")
        trial = closing.enter_context(Trial(Path(folder)))
        settings.SECRET_KEY = trial.secret_key
        houses = [House(trial, f"rounds_{count}", count, progress) for count in (FEW, rounds)]
        for house in houses:
            house.fill()
        took = {house: {what: [] for what in ("act", "close", "felt", "settle")} for house in houses}
        for turn in range(turns + 1):
            for house in houses if turn % 2 else reversed(houses):
                progress.show(turn, turns, f"{house.count:,} rounds")
                for what, seconds in house.play():
                    if turn:  # the first warms both
                        took[house][what].append(seconds)
        progress.end()
    few, many = (took[house] for house in houses)
    progress.say(f"median, ms            {FEW:>10,} rounds  {rounds:>10,} rounds   times")
    slower = []
    for what, words in {"act": "act", "close": "close", "felt": "felt", "settle": "settle, a round"}.items():
        before, after = (1000 * statistics.median(times[what]) for times in (few, many))
        progress.say(f"{words:<20} {before:>18.2f} {after:>18.2f} {after / before:>7.2f}")
        if after / before > MOST_TIMES:
            slower.append(words)
    if slower:
        raise CommandError(f"More than {MOST_TIMES} times as long: {', '.join(slower)}.")


class House:
    """A database with a number of settled rounds, and the croupiers who play on in it."""

    def __init__(self, trial, name, count, progress):
        self.trial, self.name, self.count, self.progress = trial, name, count, progress

    @contextmanager
    def _entered(self):
        with django_on(self.trial.environment(self.name)["DATABASE_URL"]):
            yield

    def fill(self):
        cluster = self.trial.cluster
        cluster.create_database(self.name, TEMPLATE)
        with self._entered():
            self.tables = night.lay_out(TABLES, password=secrets.token_urlsafe())
            for number in range(1, TABLES + 1):
                self._play(number, 1)
            settling.settle_due()
        with cluster.connect("postgres", self.name) as superuser:
            copy(superuser, self.count // TABLES, lambda *counts: self.progress.show(*counts, f"filling {self.name}"))

    def play(self):
        """A round at one table by commands, and some at each settled; yields (what, seconds)."""
        with self._entered():
            yield from self._play(1, 2)
            with self.trial.cluster.connect("postgres", self.name) as superuser:
                waiting = night.wait(superuser, self.tables, DUE)
            night.release(waiting)
            begun = time.perf_counter()
            settled = settling.settle_due()
            yield "settle", (time.perf_counter() - begun) / settled

    def _play(self, number, rounds):
        client, took = Client(headers={"host": "localhost"}), []
        client.force_login(Staff.objects.get(login=f"b{number}"), backend=BACKEND)
        table = Table.objects.get(code=f"B{number}")

        def command(what, path, body):
            key = {"Idempotency-Key": str(uuid.uuid4())}
            begun = time.perf_counter()
            answer = client.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json", headers=key)
            took.append((what, time.perf_counter() - begun))
            if answer.status_code >= 400:
                raise CommandError(f"{path} was answered by {answer.status_code}: {answer.content[:500]!r}")
            return answer.json()

        for _ in range(rounds):
            played = command("open", f"tables/{table.pk}/rounds/", {})
            for kind, box, arguments in ROUND:
                body = {"version": played["version"], "kind": kind, "box": box, "arguments": arguments}
                played = command("act", f"rounds/{played['id']}/actions/", body)
                begun = time.perf_counter()
                client.get(f"/tables/{table.pk}/terminal/felt/")
                took.append(("felt", time.perf_counter() - begun))
            command("close", f"rounds/{played['id']}/close/", {"version": played["version"]})
        return [(what, seconds) for what, seconds in took if what != "open"]


def copy(superuser, each, tick=lambda done, of: None):
    """Copy every settled round of a database until there are `each` of it, with guards and foreign keys off; the
    planner learns of it.

    :param tick: called with how many copies there are, of how many.
    """
    changed = [*COPIES, "tables_table", "audit_chain"]
    superuser.execute("SET session_replication_role = replica; SET synchronous_commit = off")
    for table in changed:
        superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    superuser.execute(PLAYED)
    for first in range(1, each, CHUNK):
        tick(first, each)
        for table, values in COPIES.items():
            superuser.execute(_statement(superuser, table, values, first, min(each, first + CHUNK) - 1))
    superuser.execute(AFTERWARDS)
    for table in changed:
        superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
    superuser.execute("VACUUM (ANALYZE)")


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
        of_the_round=OF_THE_ROUND.get(table, "t.round_id = old"),
    )
