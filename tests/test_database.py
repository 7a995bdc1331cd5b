"""What the database refuses whoever asks: the app, the auditor, the owner, a superuser who replays as a replica."""

import itertools
from contextlib import closing
from string import Template

import psycopg
import pytest
from psycopg import errors

from casino import embedded
from casino.embedded.cluster import SUPERUSER
from payouts.models import Coefficient, CoefficientTable, Transfer
from tables.models import RuleSheet

from . import attacks, factories, stack
from .attacks import (
    APPEND_ONLY,
    CHANGES,
    NEXT,
    REPLICA,
    UPHELD,
    dispute,
    entry,
    game_round,
    line,
    payment,
    reversal,
    ruling,
    settlement,
    transfer,
)

# What tells a change of tables, triggers, functions and roles.
SHAPE = {
    "pg_class": "concat(oid, relname, relacl, relowner)",
    "pg_trigger": "concat(oid, tgname, tgenabled)",
    "pg_proc": "concat(oid, proname, prosrc)",
    "pg_roles": "concat(oid, rolname, rolsuper)",
}


class Floor:
    """A database with a row of everything, their ids by name, and a connection for each role."""

    def __init__(self, database):
        self.database = database
        self.names = rows()
        self._known = None
        self.connections = {
            role: stack.cluster().connect(role, database)
            for role in (embedded.APP, embedded.AUDITOR, embedded.OWNER, SUPERUSER)
        }
        tables = self.as_owner(
            "SELECT relname, 't::text' FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        # Ordered, since so many tables may be read in parallel.
        self._look = " UNION ALL ".join(
            f"SELECT '{table}' AS name, md5(string_agg({what}, '|' ORDER BY {what})) FROM {table} t"
            for table, what in [*tables, *SHAPE.items()]
        )
        self._look += " ORDER BY name"

    def as_owner(self, sql):
        return self.connections[embedded.OWNER].execute(sql).fetchall()

    def content(self):
        """A fingerprint of all rows of all tables, and of SHAPE."""
        return self.as_owner(self._look)

    def run(self, role, sql):
        """Statements in one transaction, committed at the end unless they begin one of their own."""
        self._known = None
        return self._send(role, sql)

    def _send(self, role, sql):
        connection = self.connections[role]
        try:
            return connection.execute(Template(sql).substitute(self.names))
        finally:
            if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                connection.rollback()

    def refuses(self, role, sql, error, says):
        before = self._known or self.content()
        with pytest.raises(error, match=says) as refused:
            self._send(role, sql)
        assert refused.type is error
        self._known = self.content()
        assert self._known == before


def rows():
    """At least one row in every append-only table; gives ids by the names that attacks.py knows."""
    settled, closed, opened, sheet_draft, ratios_draft = factories.furnish()
    one, two, three = settled.table, closed.table, opened.table
    ratios = CoefficientTable.objects.get(status=CoefficientTable.Status.PUBLISHED)
    wager = Transfer.objects.get(units=10000, settlement=settled.settlement)
    return {
        "anna": factories.person("anna").pk,
        "clara": factories.person("clara").pk,
        "settled": settled.pk,
        "closed": closed.pk,
        "open": opened.pk,
        "date": settled.session.business_date,
        "settlement": settled.settlement_id,
        "transfer": wager.pk,
        "transfer_key": wager.key,
        "movement": Transfer.objects.filter(movement__isnull=False).first().movement_id,
        "dispute": settled.disputes.get().pk,
        "payment": settled.settlement.payments.get(box=1).pk,
        "float": one.float_account_id,
        "patrons": one.patrons_account_id,
        "float2": two.float_account_id,
        "table1": one.pk,
        "table3": three.pk,
        "session1": one.sessions.get().pk,
        "session3": three.sessions.get().pk,
        "sheet": RuleSheet.objects.get(game="split", status=RuleSheet.Status.PUBLISHED).pk,
        "sheet_draft": sheet_draft.pk,
        "ratios": ratios.pk,
        "ratios_draft": ratios_draft.pk,
        "coefficient": Coefficient.objects.filter(table=ratios).first().pk,
    }


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker):
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database):
        made = Floor(database)
        yield made
        for connection in made.connections.values():
            connection.close()


def named(cases):
    return [pytest.param(*case[1:], id=case[0]) for case in cases]


def test_every_append_only_table_has_a_row_and_no_other_table_is_append_only(floor):
    guarded = floor.as_owner("SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'append_only' ORDER BY 1")
    assert [name for (name,) in guarded] == list(APPEND_ONLY)
    for table in APPEND_ONLY:
        assert floor.as_owner(f"SELECT count(*) FROM {table}")[0][0] > 0, table


@pytest.mark.parametrize(
    ("error", "says", "sql"),
    named((claim, error, *case) for error, cases in attacks.APP.items() for claim, *case in cases),
)
def test_the_app_is_refused(floor, error, says, sql):
    floor.refuses(embedded.APP, sql, error, says)


@pytest.mark.parametrize(("says", "sql"), named(attacks.AUDITOR))
def test_the_auditor_is_refused(floor, says, sql):
    floor.refuses(embedded.AUDITOR, f"BEGIN READ WRITE; {sql}", errors.InsufficientPrivilege, says)


def test_the_auditor_only_reads_unless_he_says_otherwise(floor):
    floor.refuses(embedded.AUDITOR, "DELETE FROM tables_round", errors.ReadOnlySqlTransaction, "read-only transaction")


def test_the_auditor_reads_what_he_needs(floor):
    for columns in ("statement, reason, about, boxes, ruling", "ruled_by_id, approved_by_id, ruled_at, closed_at"):
        assert floor.run(embedded.AUDITOR, f"SELECT {columns} FROM tables_dispute").fetchone()
    for table in (*APPEND_ONLY, "audit_chain", "payouts_account", "tables_round", "tables_session", "casino_casino"):
        assert floor.run(embedded.AUDITOR, f"SELECT count(*) FROM {table}").fetchone()[0] > 0, table
    found = floor.run(embedded.AUDITOR, "SELECT name FROM casino_staff WHERE login = 'anna'").fetchone()
    assert found == ("Anna Adler",)
    # The stored answers too: they tell of rounds, and a key that was used opens nothing.
    assert floor.run(embedded.AUDITOR, "SELECT answer FROM casino_command").fetchone() == ("{}",)


@pytest.mark.parametrize("statement", CHANGES)
@pytest.mark.parametrize("table", APPEND_ONLY)
def test_the_owner_and_a_replicating_superuser_are_refused_by_the_trigger(floor, table, statement):
    sql = statement.format(table)
    floor.refuses(embedded.OWNER, sql, errors.RestrictViolation, "is append-only")
    floor.refuses(SUPERUSER, f"{REPLICA} {sql}", errors.RestrictViolation, "is append-only")


@pytest.mark.parametrize("statement", ["DELETE FROM tables_dispute", "TRUNCATE tables_dispute"])
def test_no_dispute_is_lost_to_the_owner_or_a_replicating_superuser(floor, statement):
    floor.refuses(embedded.OWNER, statement, errors.RestrictViolation, "refused")
    floor.refuses(SUPERUSER, f"{REPLICA} {statement}", errors.RestrictViolation, "refused")


@pytest.mark.parametrize("table", ["tables_round", "tables_table", "casino_staff", "audit_chain", "payouts_account"])
def test_the_owner_can_t_empty_a_table_that_append_only_rows_hang_on(floor, table):
    refusal = "append-only: TRUNCATE refused"
    floor.refuses(embedded.OWNER, f"TRUNCATE {table} CASCADE", errors.RestrictViolation, refusal)


@pytest.mark.parametrize(
    ("says", "sql"),
    [
        ("opened with stays", "UPDATE tables_round SET number = number + 1"),
        ("is published", "UPDATE tables_rulesheet SET version = 9 WHERE id = $sheet"),
        ("UPDATE refused", "UPDATE payouts_coefficient SET numerator = 9 WHERE id = $coefficient"),
        ("only grow", "UPDATE audit_chain SET seq = seq - 1"),
        ("does not rule on it", ruling(ruled_by_id="$anna")),
        ("business date", settlement() + transfer(business_date="'2001-01-01'")),
        ("another transaction", payment(settlement_id="$settlement", box="6")),
    ],
)
def test_a_replicating_superuser_meets_the_other_guards_too(floor, says, sql):
    floor.refuses(SUPERUSER, REPLICA + sql, errors.RestrictViolation, says)


def test_every_trigger_fires_always(floor):
    assert floor.as_owner("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'A'") == []


def test_the_same_statements_done_rightly_are_accepted(floor):
    """So that each of the attacks fails for what is wrong in it."""
    done = settlement() + transfer() + reversal(key="'x'") + payment() + entry()
    done += game_round(table_id="$table1", session_id="$session1", number=NEXT.replace("$table3", "$table1"))
    floor.run(embedded.APP, f"BEGIN; {done} ROLLBACK;")
    corrected = line(id="900", by_id="$clara", approved_by_id="$anna")
    for ruled in (ruling(), corrected + ruling(**UPHELD)):
        closing = "UPDATE tables_dispute SET status = 'CLOSED', closed_at = now() WHERE id = $dispute;"
        floor.run(embedded.APP, f"BEGIN; {dispute()} {ruled} {closing} ROLLBACK;")
    floor.run(embedded.APP, "BEGIN; UPDATE payouts_coefficient SET numerator = 2 WHERE table_id = $ratios_draft")


def test_a_header_says_itself_which_transaction_made_it(floor):
    forged = settlement(made_in="'1'", begun_at="'2001-01-01'").rstrip(";")
    told = floor.run(embedded.APP, f"BEGIN; {forged} RETURNING made_in = pg_current_xact_id(), begun_at = now()")
    while told.nextset():
        pass
    assert told.fetchone() == (True, True)


@pytest.mark.parametrize("header", ["settlement", "movement"])
def test_a_header_can_t_be_made_for_a_later_transaction(floor, header):
    """The next transaction's number can be foreseen; to write it into a header has no effect."""
    later = "(pg_current_xact_id()::text::bigint + 1)::text::xid8"
    columns = "kind, subject, number, denominations, business_date, requested_by_id, approved_by_id"
    forged = {
        "settlement": settlement(id="901", made_in=later),
        "movement": f"INSERT INTO payouts_movement (id, key, made_in, {columns})"
        f" SELECT 901, 'x', {later}, {columns} FROM payouts_movement WHERE id = $movement",
    }
    floor.run(embedded.APP, forged[header])
    joined = transfer(**{"settlement_id": None, f"{header}_id": "901"})
    floor.refuses(embedded.APP, joined, errors.RestrictViolation, "another transaction")


def test_nobody_holds_more_rights_than_the_product_uses(floor):
    found = floor.as_owner(
        "SELECT r, c.relname, p FROM pg_class c, unnest(ARRAY['casino_app', 'casino_auditor', 'public']) r,"
        " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) p WHERE c.relkind = 'r'"
        " AND c.relnamespace = 'public'::regnamespace AND has_any_column_privilege(r, c.oid, p)"
        " UNION ALL SELECT r, c.relname, p FROM pg_class c, unnest(ARRAY['casino_app', 'casino_auditor', 'public']) r,"
        " unnest(ARRAY['DELETE', 'TRUNCATE', 'TRIGGER']) p WHERE c.relkind = 'r'"
        " AND c.relnamespace = 'public'::regnamespace AND has_table_privilege(r, c.oid, p)"
    )
    app = {(table, right) for role, table, right in found if role == embedded.APP}
    assert {right for _, right in app} == {"SELECT", "INSERT", "UPDATE", "DELETE"}
    assert {held for held in app if held[0] in APPEND_ONLY} == set(itertools.product(APPEND_ONLY, ("SELECT", "INSERT")))
    assert {right for role, _, right in found if role == embedded.AUDITOR} == {"SELECT"}
    assert not [held for held in found if held[0] == "public"]


@pytest.mark.parametrize("sql", named(attacks.SHADOWS))
def test_a_temporary_table_does_not_deceive_the_guards(floor, sql):
    """An administrator who makes the database by hand leaves TEMP to everybody: the guards must name their schema."""
    with closing(stack.cluster().connect()) as superuser:
        superuser.execute(f"GRANT TEMP ON DATABASE {floor.database} TO {embedded.APP}")
        try:
            floor.refuses(embedded.APP, f"BEGIN; {sql}", errors.RestrictViolation, None)
        finally:
            superuser.execute(f"REVOKE TEMP ON DATABASE {floor.database} FROM {embedded.APP}")
