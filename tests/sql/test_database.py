"""What the database refuses whoever asks: the app, the auditor, the owner, a superuser who replays as a replica."""

import itertools
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from string import Template

import pytest
from django.db import transaction
from psycopg import errors

from casino.running import embedded
from casino.running.embedded.cluster import SUPERUSER
from payouts import coefficient_tables

from ..support import attacks, factories, stack, waiting
from ..support.attacks import (
    APPEND_ONLY,
    REPLICA,
    UPHELD,
    action,
    dispute,
    entry,
    game_round,
    intervention,
    line,
    of_round,
    payment,
    ruling,
    settlement,
    transfer,
)


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


@pytest.mark.parametrize(
    ("error", "says", "sql"),
    named((claim, error, *case) for error, cases in attacks.SEALER.items() for claim, *case in cases),
)
def test_the_sealer_is_refused(floor, error, says, sql):
    floor.refuses(embedded.SEALER, sql, error, says)


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


@pytest.mark.parametrize(
    ("error", "says", "sql"),
    named((claim, error, *case) for error, cases in attacks.OWNER.items() for claim, *case in cases),
)
def test_the_owner_and_a_replicating_superuser_are_refused_too(floor, error, says, sql):
    floor.refuses(embedded.OWNER, sql, error, says)
    floor.refuses(SUPERUSER, f"{REPLICA} {sql}", error, says)


@pytest.mark.parametrize("table", ["tables_round", "tables_table", "casino_staff", "audit_chain", "payouts_account"])
def test_the_owner_can_t_empty_a_table_that_append_only_rows_hang_on(floor, table):
    refusal = "append-only: TRUNCATE refused"
    floor.refuses(embedded.OWNER, f"TRUNCATE {table} CASCADE", errors.RestrictViolation, refusal)


@pytest.mark.parametrize(
    ("says", "sql"),
    [
        ("opened with stays", "UPDATE tables_round SET number = number + 1"),
        ("of a row stays", "UPDATE tables_rulesheet SET version = 9 WHERE id = $sheet"),
        (attacks.ONLY_ENDS, attacks.SIGNED_OFF * 2),
        ("its round does not take it", attacks.first()),
        ("its accounts are its own", "UPDATE tables_table SET pot_account_id = $float WHERE id = $table1"),
        ("its accounts are its own", "UPDATE tables_table SET rake_account_id = $slot5 WHERE id = $table1"),
        ("UPDATE refused", "UPDATE payouts_coefficient SET numerator = 9 WHERE id = $coefficient"),
        ("only grow", "UPDATE audit_chain SET seq = seq - 1"),
        ("does not rule on it", ruling(ruled_by_id="$anna")),
        ("business date", settlement() + transfer(business_date="'2001-01-01'")),
        (attacks.ALREADY, payment(settlement_id="$settlement", box="6")),
        (attacks.OTHER, transfer()),
    ],
)
def test_a_replicating_superuser_meets_the_other_guards_too(floor, says, sql):
    floor.refuses(SUPERUSER, REPLICA + sql, errors.RestrictViolation, says)


def test_the_same_statements_done_rightly_are_accepted(floor):
    """So that each of the attacks fails for what is wrong in it."""
    rightly = (
        attacks.CORRECTED,
        attacks.FIRST,
        attacks.movement() + attacks.moved() + attacks.MOVEMENT_IN_LOG,
        entry() + attacks.FOLLOWED,
        attacks.COUNTED
        + game_round(
            table_id="$table1",
            session_id="$session1",
            number="(SELECT last_number FROM tables_table WHERE id = $table1)",
        ),
        action() + action(ordinal="2", kind="'undo'", undoes="1"),
        "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna, published_at = now(),"
        f" {attacks.RULED_RIGHTLY} WHERE id = $sheet_draft;",
        attacks.SIGNED_OFF + attacks.REVOKED,
        attacks.posting() + attacks.POSTED + attacks.POSTING_OVER.format("$clara", "$hugo") + attacks.ENDED,
        attacks.LEFT + attacks.of_anna("staff.left"),
        attacks.code() + attacks.of_anna("staff.code_given"),
        attacks.credential() + attacks.ADDED + attacks.CREDENTIAL_OVER.format("$anna", "NULL") + attacks.REMOVED,
        attacks.recovery_code() + attacks.made(1),
        attacks.drafted({}),
        attacks.closing() + attacks.evidence("movement.made", "movement:900", "table:$table4"),
        attacks.raking()
        + attacks.evidence("movement.made", "movement:902", "table:$table5")
        + attacks.evidence("movement.made", "movement:903", "table:$table5"),
        attacks.in_force({}),
        attacks.to_come()
        + attacks.taken_back({})
        + attacks.in_force({"facts": {"from": attacks.TOLD_TOMORROW}}, id="901", from_at=attacks.TOMORROW),
        attacks.setting({}) + attacks.withdrawal({}) + attacks.setting({"subject": "'setting:901'"}, id="901"),
        attacks.requested(),
        attacks.requested("change", denominations=attacks.CHIPS, units="40000", exchanged=attacks.EXCHANGED),
        attacks.issued() + attacks.SLIP_IN_LOG,
        attacks.received() + attacks.SLIP_IN_LOG,
        attacks.sent_back() + attacks.SLIP_IN_LOG,
        attacks.voided(),
        attacks.step("fill", prints="prints + 1"),
    )
    for done in rightly:
        floor.run(embedded.APP, f"BEGIN; {done} SET CONSTRAINTS ALL IMMEDIATE; ROLLBACK;")
    corrected = line(id="900", by_id="$clara", approved_by_id="$hugo")
    upheld = corrected + ruling(**UPHELD) + attacks.case_ruled("upheld")
    for ruled in (ruling() + attacks.case_ruled(), upheld):
        floor.run(embedded.APP, f"BEGIN; {dispute()} {ruled} {attacks.DISPUTE_CLOSED} ROLLBACK;")
    floor.run(embedded.APP, "BEGIN; UPDATE payouts_coefficient SET numerator = 2 WHERE table_id = $ratios_draft")


def test_a_header_says_itself_which_transaction_made_it(floor):
    forged = settlement(made_in="'1'", begun_at="'2001-01-01'").rstrip(";")
    told = floor.run(embedded.APP, f"BEGIN; {forged} RETURNING made_in = pg_current_xact_id(), begun_at = now()")
    while told.nextset():
        pass
    assert told.fetchone() == (True, True)


@pytest.mark.parametrize("given", ["-1", "1", "9223372036854775807", "DEFAULT"])
def test_a_transfer_takes_the_next_id_whatever_is_given(floor, given):
    forged = (
        f"BEGIN; {attacks.movement()} {attacks.moved(id=given).replace('VALUES', 'OVERRIDING SYSTEM VALUE VALUES')}"
    )
    newest = "SELECT max(id), max(id) - (SELECT max(id) FROM payouts_transfer WHERE movement_id IS DISTINCT FROM 900)"
    told = floor.run(embedded.APP, f"{forged} {newest} FROM payouts_transfer WHERE movement_id = 900")
    while told.nextset():
        pass
    taken, further = told.fetchone()
    assert further > 0
    assert taken < 2**62


def test_a_transfer_that_is_copied_in_takes_the_next_id_too(floor):
    told = Template(attacks.movement()).substitute(floor.names)
    columns = "id, key, movement_id, debit_id, credit_id, units, business_date, reason"
    key = f"session:{floor.names['session1']}:drop:1:1"
    count_room = floor.as_owner("SELECT id FROM payouts_account WHERE kind = 'count_room'")[0][0]
    app = floor.connections[embedded.APP]
    app.execute("BEGIN")
    app.execute(told)
    with app.cursor().copy(f"COPY payouts_transfer ({columns}) FROM STDIN") as copy:
        copy.write_row([-1, key, 900, count_room, floor.names["float"], 500, floor.names["date"], "drop"])
    assert app.execute("SELECT min(id) > 0 FROM payouts_transfer").fetchone() == (True,)
    app.rollback()


@pytest.mark.parametrize(
    ("role", "moment", "forged"),
    [
        *((embedded.APP, *moment) for moment in attacks.MOMENTS),
        *((embedded.SEALER, *moment) for moment in attacks.SEALED_MOMENTS),
    ],
    ids=itertools.count(),
)
def test_a_moment_is_the_database_s_whatever_is_written(floor, role, moment, forged):
    told = floor.run(role, f"BEGIN; {forged.rstrip(';')} RETURNING {moment} = statement_timestamp()")
    while told.nextset():
        pass
    assert told.fetchone() == (True,)


def test_each_table_whose_moments_are_the_database_s_is_tried(floor):
    timed = floor.as_owner("SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'timed'")
    moments = [*attacks.MOMENTS, *attacks.SEALED_MOMENTS]
    tried = {re.match(r".*(?:INTO|UPDATE) (\w+)", forged).group(1) for _, forged in moments}
    assert {table for (table,) in timed} == tried


def test_what_is_only_warned_of_is_not_done(floor):
    before = floor.content()
    for sql in attacks.IGNORED:
        floor.run(embedded.APP, sql)
        floor.run(embedded.AUDITOR, f"BEGIN READ WRITE; {sql}; COMMIT")
    assert floor.content() == before


@pytest.mark.parametrize(("why", "sql"), named(attacks.NOT_PROMISED))
def test_what_is_not_promised_is_so(floor, why, sql):
    """The list tells the truth: each of these is accepted, and taken back here."""
    assert why
    before = floor.content()
    with stack.cluster().connect(embedded.APP, floor.database) as app:
        app.execute(Template(f"BEGIN; {sql}; SET CONSTRAINTS ALL IMMEDIATE; ROLLBACK").substitute(floor.names))
    assert floor.content() == before


@pytest.mark.parametrize(
    ("says", "changes"),
    [
        (attacks.ALREADY, {"settlement_id": "$settlement"}),
        (attacks.OTHER, {"settlement_id": "901"}),
        ("does not go from", {"credit_id": "$patrons2"}),
        ("business date", {"business_date": "2001-01-01"}),
    ],
)
def test_rows_that_are_copied_in_meet_the_guards_too(floor, says, changes):
    right = {"key": "round:$settled:2:1", "settlement_id": "900", "debit_id": "$float", "credit_id": "$patrons"}
    right |= {"units": "500", "business_date": "$date", "reason": "wager"}
    app = floor.connections[embedded.APP]
    rows = [
        [Template(value).substitute(floor.names) for value in {**row, "key": f"round:$settled:2:{place}"}.values()]
        for place, row in enumerate((right, right | changes, right), 1)
    ]
    app.execute(Template(f"BEGIN; {settlement()}").substitute(floor.names))
    with (
        pytest.raises(errors.RestrictViolation, match=says),
        app.cursor().copy(f"COPY payouts_transfer ({', '.join(right)}) FROM STDIN") as copy,
    ):
        copy.write("".join("\t".join(row) + "\n" for row in rows))
    app.rollback()


@pytest.mark.parametrize(
    ("isolation", "error"),
    [("READ COMMITTED", errors.RestrictViolation), ("REPEATABLE READ", errors.SerializationFailure)],
)
def test_what_comes_too_late_waits_and_is_refused(seeded_db, isolation, error):
    """Neither a race nor an old snapshot lets a coefficient into a published table or an action into a void round."""
    played = factories.open_round(factories.table())
    with transaction.atomic():
        draft = coefficient_tables.draft(
            game="split", name="Next", ratios=factories.RATIOS, actor=factories.actor("clara")
        )
    names = {
        "open": played.pk,
        "ratios": draft.pk,
        "anna": factories.person("anna").pk,
        "clara": factories.person("clara").pk,
    }
    published = "status = 'PUBLISHED', published_at = now(), published_by_id = $anna"
    voided = intervention(round_id="$open", kind="'voided'", clause="'house.4'", approved_by_id="$clara")
    pairs = {
        f"UPDATE payouts_coefficienttable SET {published} WHERE id = $ratios": "INSERT INTO payouts_coefficient"
        " (table_id, ordinal, category, numerator, denominator) VALUES ($ratios, 90, 'x', 1, 1)",
        voided + of_round("open", "status = 'VOIDED'"): action(),
    }
    for earlier, late in pairs.items():
        with (
            stack.cluster().connect(embedded.APP, seeded_db) as first,
            stack.cluster().connect(embedded.APP, seeded_db) as second,
            ThreadPoolExecutor(1) as thread,
        ):
            second.execute(f"BEGIN ISOLATION LEVEL {isolation}; SELECT count(*) FROM tables_round")
            first.execute(Template(f"BEGIN; {earlier}").substitute(names))
            waiter = thread.submit(second.execute, Template(late).substitute(names))
            its_lock = ["SELECT 1 FROM pg_locks WHERE NOT granted AND pid = %s", [second.info.backend_pid]]
            waiting.until(lambda first=first, its_lock=its_lock: first.execute(*its_lock).fetchone())
            first.execute("COMMIT")
            with pytest.raises(error):
                waiter.result(waiting.PATIENCE)


def test_the_auditor_sees_no_statement_of_others_and_no_values_of_hidden_columns(floor):
    seen = floor.run(
        embedded.AUDITOR, "SELECT DISTINCT query FROM pg_stat_activity WHERE usename = 'casino_owner'"
    ).fetchall()
    assert seen == [("<insufficient privilege>",)]
    hidden = "SELECT 1 FROM pg_stats WHERE attname IN ('password', 'token_digest', 'salt', 'session_key')"
    assert floor.run(embedded.AUDITOR, hidden).fetchall() == []


@pytest.mark.parametrize("sql", named(attacks.SHADOWS))
def test_a_temporary_table_does_not_deceive_the_guards(floor, sql):
    """An administrator who makes the database by hand leaves TEMP to everybody: the guards must name their schema."""
    with closing(stack.cluster().connect()) as superuser:
        superuser.execute(f"GRANT TEMP ON DATABASE {floor.database} TO {embedded.APP}")
        try:
            floor.refuses(embedded.APP, f"BEGIN; {sql}", errors.RestrictViolation, None)
        finally:
            superuser.execute(f"REVOKE TEMP ON DATABASE {floor.database} FROM {embedded.APP}")
