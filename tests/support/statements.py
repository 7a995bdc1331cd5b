"""Random SQL of somebody with the app's password: rows like existing ones with some values exchanged, in transactions
of a few statements, mixed with the statements of attacks.py, right or with a value exchanged.

It learns about tables from the database; values come from the rows, from other columns of the same type and from the
limits of each type.
"""

import contextlib
from string import Template

from django.db import connection, transaction
from django.db.models import Q
from django.db.utils import DatabaseError

from audit import log
from audit.log import Actor
from payouts import ledger
from payouts.adjudication import NewTransfer
from payouts.models import Movement
from tables.models import BuyIn, Slip

from . import attacks

# The auditor's tools have tables of their own; what Django keeps is not part of the house's story.
PASSED_OVER = {"django_migrations", "django_content_type"}
LIMITS = {
    "bigint": ("0", "-1", "1", "9223372036854775807", "-9223372036854775808", "1000000000001"),
    "integer": ("0", "-1", "1", "2147483647"),
    "smallint": ("0", "-1", "1", "32767"),
    "boolean": ("true", "false"),
    "timestamp with time zone": ("now()", "'infinity'", "'-infinity'", "'2999-01-01'", "'2001-01-01'"),
    "date": ("'infinity'", "'2999-01-01'", "'2001-01-01'", "current_date"),
    "jsonb": ("'{}'", "'[]'", "'null'", """'{"100": -5, "500": 2}'""", """'{"100": 1}'"""),
    "ARRAY": ("'{}'", "'{1}'", "'{1,2}'"),
    "bytea": ("''", "sha256('x')"),
}
TEXT = ("''", "'x'", "'0'", "'round:03'", "'session:1'", "'house'", "'table:1'", "'é'", "repeat('9', 300)")
# Functions of attacks.py: each gives a statement, with changes to its columns.
PIECES = (
    attacks.settlement, attacks.transfer, attacks.reversal, attacks.payment, attacks.movement, attacks.moved,
    attacks.game_round, attacks.intervention, attacks.dispute, attacks.alarm, attacks.line,
    attacks.action, attacks.first, attacks.setting, attacks.slip, attacks.counted,
)  # fmt: skip
WHOLE = (
    attacks.movement() + attacks.moved(),
    attacks.sold() + attacks.bought(),
    attacks.closing(),
    attacks.line(id="900") + attacks.settlement() + attacks.REVERSALS + attacks.transfer() + attacks.payment(),
    attacks.snapshot("owner = 'table:$table1'", subject="'session:$session1'"),
    attacks.ruling(),
    attacks.answer(),
    attacks.requested(),
    attacks.issued(),
    attacks.received(),
    attacks.sent_back(),
    attacks.voided(),
    attacks.COUNTED,
    attacks.SIGNED_OFF,
    "SELECT settlement_fault($settlement);",
    "SELECT account_balance($float);",
    attacks.taken(),
)


class Statements:
    """Random statements; the same for the same seed and rows."""

    def __init__(self, chance, names):
        self.chance, self.names, self.number = chance, names, 0
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT table_name, column_name, data_type FROM information_schema.columns"
                " JOIN pg_class ON relname = table_name AND relkind = 'r'"
                " WHERE table_schema = 'public' ORDER BY table_name, ordinal_position"
            )
            self.columns = {}
            for table, column, kind in cursor.fetchall():
                if table not in PASSED_OVER:
                    self.columns.setdefault(table, {})[column] = kind
        self.values = {}
        self.look()

    def look(self):
        """Read the values in the rows anew."""
        self.values = {}
        for table, columns in self.columns.items():
            for column, kind in columns.items():
                with contextlib.suppress(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
                    cursor.execute(
                        f"SELECT quote_literal({column}::text) FROM (SELECT DISTINCT {column} FROM"
                        f" (SELECT {column} FROM {table} LIMIT 200) some WHERE {column} IS NOT NULL) few"
                        " ORDER BY 1 LIMIT 20"
                    )
                    self.values[table, column] = [value for (value,) in cursor.fetchall()]
                    self.values.setdefault(kind, []).extend(self.values[table, column])

    def value(self, table, column):
        """A value for a column, as SQL."""
        kind = self.columns[table][column]
        pools = [
            self.values.get((table, column), ()),
            self.values.get(kind, ()),
            LIMITS.get(kind, TEXT),
            ("NULL", "DEFAULT") if self.chance.random() < 0.3 else (),
        ]
        return self.chance.choice(self.chance.choice([pool for pool in pools if pool]))

    def inserted(self, table):
        """A row like an existing one."""
        columns = self.columns[table]
        left_out = {"id"} if self.chance.random() < 0.8 else set()
        kept = [column for column in columns if column not in left_out]
        others = {}
        for column in self.chance.sample(kept, min(len(kept), self.chance.randint(0, 3))):
            value = self.value(table, column)
            others[column] = "NULL" if value == "DEFAULT" else value
        spelled = ", ".join(others.get(column, column) for column in kept)
        overriding = "OVERRIDING SYSTEM VALUE " if self.chance.random() < 0.2 else ""
        return (
            f"INSERT INTO {table} ({', '.join(kept)}) {overriding}SELECT {spelled} FROM {table}"
            f" ORDER BY hashtext({table}::text || '{self.chance.random()}') LIMIT {self.chance.choice((1, 1, 2))};"
        )

    def updated(self, table):
        """Some rows with other values in some columns."""
        names = list(self.columns[table])
        changed = self.chance.sample(names, min(len(names), self.chance.randint(1, 3)))
        assignments = ", ".join(
            f"{column} = {self.chance.choice((self.value(table, column), self.value(table, column), column))}"
            for column in changed
        )
        asked = self.chance.choice(names)
        value = self.value(table, asked)
        where = "" if self.chance.random() < 0.1 or value == "DEFAULT" else f" WHERE {asked} = {value}"
        return f"UPDATE {table} SET {assignments}{where};"

    def deleted(self, table):
        column = self.chance.choice(list(self.columns[table]))
        value = self.value(table, column)
        return f"DELETE FROM {table} WHERE {column} = {'NULL' if value == 'DEFAULT' else value};"

    def merged(self, table):
        """A row written by MERGE, which changes and adds."""
        columns = [column for column in self.columns[table] if column != "id"]
        changed = self.chance.choice(columns)
        value = self.value(table, changed)
        return (
            f"MERGE INTO {table} a USING (SELECT * FROM {table} LIMIT 2) b ON a.{columns[0]} = b.{columns[0]}"
            f" WHEN MATCHED THEN UPDATE SET {changed} = {value};"
        )

    def piece(self):
        """A statement of an attack, some of its columns with other values."""
        make = self.chance.choice(PIECES)
        table = TABLES[make]
        columns = list(self.columns[table])
        changes = {}
        for column in self.chance.sample(columns, self.chance.choice((0, 0, 1, 1, 2))):
            value = self.value(table, column)
            if value != "DEFAULT":
                changes[column] = value.replace("$", "$$")
        return Template(make(**changes)).substitute(self.names)

    def chips(self):
        """Chips moved at an open table, consistently; now and then with other values."""
        kind, debit, credit = self.chance.choice((
            ("opener", "float", "cage"), ("drop", "count_room", "float"), ("variance", "float", "variance"),
            ("variance", "variance", "float"), ("closer", "cage", "float"),
        ))  # fmt: skip
        self.number += 1
        place, count = self.chance.choice((1, 3, 4)), self.chance.randint(1, 9)
        accounts = {name: attacks.account_of(name) for name in ("cage", "count_room", "variance")}
        accounts["float"] = f"(SELECT float_account_id FROM tables_table WHERE id = $table{place})"
        subject = f"session:$session{place}"
        following = (
            "(SELECT coalesce(max(number), 0) + 1 FROM payouts_movement"
            f" WHERE kind = '{kind}' AND subject = '{subject}')"
        )
        header = {
            "id": f"{1000 + self.number}", "key": f"'{subject}:{kind}:' || {following}", "kind": f"'{kind}'",
            "number": following, "subject": f"'{subject}'", "denominations": f"""'{{"100": {count}}}'""",
        }  # fmt: skip
        row = {
            "key": f"(SELECT key || ':1' FROM payouts_movement WHERE id = {1000 + self.number})",
            "movement_id": header["id"], "debit_id": accounts[debit], "reason": f"'{kind}'",
            "credit_id": accounts[credit], "units": f"{100 * count}",
        }  # fmt: skip
        if self.chance.random() < 0.5:
            for changed, table in ((header, "payouts_movement"), (row, "payouts_transfer")):
                column = self.chance.choice(list(changed))
                value = self.value(table, column)
                if value != "DEFAULT" and self.chance.random() < 0.7:
                    changed[column] = value.replace("$", "$$")
        return Template(attacks.movement(**header) + attacks.moved(**row)).substitute(self.names)

    def whole(self):
        return Template(self.chance.choice(WHOLE)).substitute(self.names)

    def statement(self):
        """One statement, mostly."""
        way = self.chance.random()
        if way < 0.25:
            return self.piece()
        if way < 0.35:
            return self.whole()
        if way < 0.5:
            return self.chips()
        table = self.chance.choice(list(self.columns))
        if way < 0.7:
            return self.inserted(table)
        if way < 0.92:
            return self.updated(table)
        return (self.deleted if way < 0.97 else self.merged)(table)

    def sent(self):
        """One transaction of one to six statements: the statements, and whether the database took them.

        Whoever moves chips also writes the right entry about it.
        """
        statements = [self.statement() for _ in range(self.chance.choice((1, 1, 2, 3, 4, 6)))]
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                for statement in statements:
                    cursor.execute(statement)
                say_what_moved()
        except DatabaseError:
            return statements, False
        return statements, True


def table_of(make):
    return make().split("INTO ", 1)[1].split(" ", 1)[0]


TABLES = {make: table_of(make) for make in PIECES}


def say_what_moved():
    """The entries of the movements that this transaction made."""
    for movement in Movement.objects.extra(where=["made_in = pg_current_xact_id()"]):
        transfer = movement.transfers.select_related("debit", "credit").first()
        if transfer is None:
            continue
        new = NewTransfer(transfer.key, transfer.debit_id, transfer.credit_id, transfer.units, transfer.reason)
        accounts = {account.pk: account.ref for account in (transfer.debit, transfer.credit)}
        people = Actor(movement.requested_by, movement.approved_by)
        tables = [ref.split(":", 1)[1] for ref in accounts.values() if ":table:" in ref]
        # Between cage and transit, no account is a table's, so the slip has the table.
        tables += [each.table.ref for each in Slip.objects.filter(Q(out=movement) | Q(back=movement))]
        if not tables:
            continue
        table = tables[0]
        bought = BuyIn.objects.filter(movement=movement).first()
        log.record(
            "movement.made",
            f"movement:{movement.pk}",
            chain=table,
            actor=people,
            facts={
                "kind": movement.kind,
                "number": movement.number,
                "denominations": movement.denominations,
                "people": [ref for ref in (people.ref, people.approver) if ref],
                **({"drop_box": bought.drop_box.ref, "box": bought.box} if bought else {}),
                "business_date": movement.business_date.isoformat(),
                "transfer": ledger.transfer_facts([new], accounts)[0],
            },
        )
