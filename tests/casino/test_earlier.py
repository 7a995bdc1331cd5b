"""A database of before the first release is taken over whole, or refused with a sentence that says how it is kept."""

import re

import pytest

from casino import checks, earlier
from casino.running import backup, embedded
from casino.running.embedded import Failed
from payouts.models import Movement

from ..sql.test_files import laid_down
from ..support import stack
from .test_checks import connected

APPLIED = "SELECT app, name FROM django_migrations WHERE app IN ('audit', 'casino', 'payouts', 'tables') ORDER BY 1, 2"
SAYS_THE_WAY = (
    r"lacks the last migrations of that time; nothing was changed\. To keep what is there, migrate it with the"
)


# What came since.
SINCE = """
DROP TABLE IF EXISTS tables_gamingday, tables_sessionfigures, tables_housefigures, tables_buyin, tables_dropbox,
    tables_tipcount, tables_relief, tables_casefile, tables_onetimecode, tables_credential,
    tables_recoverycode, tables_terminalname, tables_reportfile, tables_reporttoken,
    tables_question, payouts_edgeresult, tables_roundluck, tables_luckday;
DROP TABLE IF EXISTS casino_setting, tables_case, tables_cageshift, tables_slip, tables_slipnumber, tables_count,
    tables_alarm,
    tables_scanner, audit_finding, audit_inspection, audit_passedleaf;
DROP FUNCTION IF EXISTS lock_round(bigint, boolean, bigint[], bigint[]), append_entries(text, json),
    write_action(bigint, json, json, json, text, json), write_closing(bigint, text, text, json, bigint, text, json),
    read_rounds(bigint[], text),
    settle_rounds(bigint[], text, int[], json, json, json, text, json), lease_due(int, int, interval, interval),
    write_settlements(json, json, json);
DROP PROCEDURE IF EXISTS settle_tables(int, bigint[], text, int[], int[], text, text, text, text[], text);
DROP FUNCTION IF EXISTS round_settled_here() CASCADE;
ALTER TABLE audit_entry DROP COLUMN event CASCADE, DROP COLUMN subject CASCADE, DROP COLUMN "by" CASCADE,
    DROP COLUMN at CASCADE;
ALTER TABLE audit_entry ADD COLUMN event varchar(80) GENERATED ALWAYS AS (body::jsonb ->> 'event') STORED,
    ADD COLUMN subject varchar(80) GENERATED ALWAYS AS (body::jsonb ->> 'subject') STORED,
    ADD COLUMN "by" varchar(80) GENERATED ALWAYS AS (body::jsonb ->> 'by') STORED,
    ADD COLUMN at varchar(80) GENERATED ALWAYS AS (body::jsonb ->> 'at') STORED,
    ADD CONSTRAINT entry_says_all CHECK (at IS NOT NULL AND "by" IS NOT NULL AND event IS NOT NULL
        AND subject IS NOT NULL);
ALTER TABLE payouts_transfer ADD FOREIGN KEY (debit_id) REFERENCES payouts_account DEFERRABLE INITIALLY DEFERRED,
    ADD FOREIGN KEY (credit_id) REFERENCES payouts_account DEFERRABLE INITIALLY DEFERRED,
    ADD FOREIGN KEY (settlement_id) REFERENCES payouts_settlement DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payouts_payment ADD FOREIGN KEY (settlement_id) REFERENCES payouts_settlement
    DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE audit_entry ADD FOREIGN KEY (chain_id) REFERENCES audit_chain DEFERRABLE INITIALLY DEFERRED;
DROP FUNCTION IF EXISTS is_readable(jsonb, integer), is_readable(text) CASCADE;
DROP FUNCTION IF EXISTS intervention_digests(bigint[]), dispute_digests(bigint[]), acceptance_is_recorded(),
    finding_digests(bigint[]), alarm_digests(bigint[]), alarm_moves(), scanner_of_terminal(), slip_digests(bigint[]),
    chips_worth(jsonb, bigint[]), slip_moves(), slip_has_moved(), slip_number_grows(), slip_number_is_used(),
    count_follows(), setting_from_now(), setting_is_logged();
ALTER TABLE casino_staff DROP COLUMN IF EXISTS language;
DROP TRIGGER IF EXISTS timed ON tables_session;
ALTER TABLE tables_session DROP CONSTRAINT IF EXISTS session_opened_whole, DROP COLUMN IF EXISTS begun_at,
    DROP COLUMN IF EXISTS begun_by_id, DROP COLUMN IF EXISTS stopped_at, DROP COLUMN IF EXISTS stopped_by_id,
    DROP COLUMN IF EXISTS counts_from, DROP COLUMN IF EXISTS opener_reason, DROP COLUMN IF EXISTS opener_salt,
    DROP COLUMN IF EXISTS closer_reason, DROP COLUMN IF EXISTS closer_salt, DROP COLUMN IF EXISTS unfinished;
ALTER TABLE tables_posting DROP COLUMN IF EXISTS posted_by_id CASCADE, DROP COLUMN IF EXISTS posted_with_id CASCADE,
    DROP COLUMN IF EXISTS ended_by_id CASCADE, DROP COLUMN IF EXISTS ended_with_id CASCADE;
ALTER TABLE tables_round DROP COLUMN IF EXISTS failure;
ALTER TABLE payouts_paymenttick DROP COLUMN IF EXISTS left_with_id;
DROP FUNCTION IF EXISTS session_starts(), session_stops(), count_stands(text, text, int, jsonb),
    session_under_way(bigint, bigint), session_digests(bigint[]) CASCADE;
DROP FUNCTION IF EXISTS rake_goes_with_closer() CASCADE;
DROP FUNCTION IF EXISTS rake_moved(bigint, bigint);
ALTER TABLE tables_table DROP COLUMN IF EXISTS rake_account_id;
DROP FUNCTION IF EXISTS transfer_of_slip(), movement_of_slip(), house_chips(), hold_cage(), cage_shift_opens(),
    cage_shift_moves(), cage_shift_ends(), transfer_of_cage_shift(), variance_closes_shift(),
    cage_shift_digests(bigint[]), case_moves(), case_digests(bigint[]), croupier_at(bigint, bigint), signon_begins(),
    series_ends() CASCADE;
ALTER TABLE tables_session DROP COLUMN IF EXISTS carried_from_id;
DROP FUNCTION IF EXISTS closer_just_made(bigint);
DROP FUNCTION IF EXISTS session_goes_on() CASCADE;
DROP FUNCTION IF EXISTS dealt_round(bigint, bigint);
DROP FUNCTION IF EXISTS relief_moves(), credential_begins(), credential_moves(), code_needs_two(), terminal_moves(),
    terminal_is_named(), report_file_moves(), report_file_is_logged(), report_token_is_logged(), edge_result_moves(),
    luck_is_of_round(), luck_day_adds_up(),
    question_moves(), question_is_logged(), question_digests(bigint[]) CASCADE;
DROP FUNCTION IF EXISTS staff_is_logged(), posting_is_logged(), code_is_logged(), credential_is_logged(),
    recovery_code_is_logged(), draft_is_logged() CASCADE;
ALTER TABLE tables_terminal DROP COLUMN IF EXISTS last_seen_at;
DROP FUNCTION IF EXISTS drop_box_moves(), drop_box_is_counted(), buy_in_goes_in(), movement_of_buy_in(),
    transfer_of_drop_box(), drop_counts_box(), drop_box_digests(bigint[]), house_cash(), hold_tips(), tips_ref(date),
    tips_recorded(date), tips_are_counted(), transfer_of_tips(), movement_of_tips(), tip_count_digests(bigint[])
    CASCADE;
DROP FUNCTION IF EXISTS business_date(), hold_day(date), day_is_open(), day_moves(), day_ends(),
    correction_unevened(text, text), correction_evens(), paper_evens(), transfer_of_correction(),
    series_from_paper() CASCADE;
ALTER TABLE payouts_movement DROP CONSTRAINT IF EXISTS movement_approved, ALTER COLUMN approved_by_id SET NOT NULL;
ALTER TABLE casino_casino DROP COLUMN IF EXISTS cash_denominations;
DROP TABLE IF EXISTS casino_websession;
ALTER TABLE audit_export DROP CONSTRAINT IF EXISTS export_moments_readable;
ALTER TABLE tables_round DROP CONSTRAINT IF EXISTS round_happened_before, DROP COLUMN IF EXISTS paper,
    DROP COLUMN IF EXISTS opened_with_id;
ALTER TABLE tables_action DROP CONSTRAINT IF EXISTS action_arguments_object;
ALTER TABLE casino_command DROP CONSTRAINT IF EXISTS command_moment_readable;
ALTER TABLE casino_staff DROP CONSTRAINT IF EXISTS staff_moment_readable;
GRANT SELECT, INSERT, UPDATE, DELETE ON django_session TO casino_app;
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM casino_sealer;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM casino_sealer;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM casino_sealer;
REVOKE ALL ON SCHEMA public FROM casino_sealer;
GRANT INSERT ON audit_leaf, audit_subtree, audit_checkpoint, audit_anchor TO casino_app;
GRANT USAGE ON SEQUENCE audit_subtree_id_seq TO casino_app;
GRANT UPDATE ON audit_sealing, audit_export TO casino_app;
DROP TRIGGER IF EXISTS begins ON audit_export;
DROP TRIGGER IF EXISTS timed ON audit_checkpoint;
DROP TRIGGER IF EXISTS timed ON audit_anchor;
DROP FUNCTION IF EXISTS export_begins;
ALTER TABLE audit_sealing DROP COLUMN IF EXISTS forged, DROP COLUMN IF EXISTS sealed,
    DROP COLUMN IF EXISTS anchored, DROP COLUMN IF EXISTS anchored_at;
DROP TABLE IF EXISTS movement_rules, tables_failedlogins, casino_hashing, casino_wronglogins;
DROP FUNCTION IF EXISTS inforce_still_to_come() CASCADE;
ALTER TABLE tables_inforce DROP COLUMN IF EXISTS withdrawn_at CASCADE, DROP COLUMN IF EXISTS withdrawn_by_id,
    DROP COLUMN IF EXISTS withdrawn_with_id;
ALTER TABLE tables_inforce DROP COLUMN IF EXISTS approved_by_id,
    DROP CONSTRAINT IF EXISTS inforce_moment_once, ADD CONSTRAINT inforce_moment_once UNIQUE (table_id, from_at);
ALTER TABLE tables_line DROP COLUMN IF EXISTS handed;
DROP FUNCTION IF EXISTS published_with_edge(), rule_sheet_digests(bigint[]) CASCADE;
ALTER TABLE tables_rulesheet DROP COLUMN IF EXISTS edge CASCADE, DROP COLUMN IF EXISTS reason CASCADE,
    DROP COLUMN IF EXISTS salt CASCADE, DROP CONSTRAINT IF EXISTS rulesheet_published_whole,
    ADD CONSTRAINT rulesheet_published_whole CHECK (
        status = 'DRAFT' AND num_nonnulls(published_by_id, published_at, rules, digest) = 0
        OR status = 'PUBLISHED' AND num_nulls(published_by_id, published_at, rules, digest) = 0);
DROP FUNCTION IF EXISTS entry_envelope(text);
ALTER TABLE payouts_settlement DROP CONSTRAINT IF EXISTS settlement_result_json;
ALTER TABLE payouts_transfer DROP CONSTRAINT IF EXISTS transfer_units_range,
    DROP CONSTRAINT IF EXISTS transfer_units_positive, ADD CONSTRAINT transfer_units_positive CHECK (units > 0);
"""


def make_earlier(owner, migrations):
    """Let a database be as of then, and say that it was migrated by these."""
    owner.execute(SINCE)
    owner.execute("DELETE FROM django_migrations WHERE app IN ('audit', 'casino', 'payouts', 'tables')")
    for app, name in sorted(migrations):
        owner.execute("INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", (app, name))


@pytest.fixture
def owner(fresh_db):
    with stack.cluster().connect(embedded.OWNER, fresh_db) as connection:
        yield connection


def migrate(database, *options, **env):
    return stack.manage("migrate", "--database", "owner", "--no-input", *options, **stack.urls(database), **env)


def rights(owner):
    """Who may do what with each table, column and sequence."""
    return owner.execute(
        "SELECT relname, attname, grantee::regrole::text, privilege_type FROM pg_class c"
        " CROSS JOIN LATERAL (SELECT NULL::name AS attname, relacl AS acl UNION ALL"
        "  SELECT attname, attacl FROM pg_attribute WHERE attrelid = c.oid) held CROSS JOIN LATERAL aclexplode(acl)"
        " WHERE relnamespace = 'public'::regnamespace AND grantee <> relowner ORDER BY 1, 2 NULLS FIRST, 3, 4"
    ).fetchall()


def unapplied(database):
    with connected(database) as connection:
        return [f"{error.msg} {error.hint or ''}" for error in checks._unapplied(connection)]


def test_a_database_with_all_the_migrations_of_then_is_taken_over_with_all_that_is_in_it(owner, fresh_db):
    before, new, held = laid_down(owner), owner.execute(APPLIED).fetchall(), rights(owner)
    owner.execute("INSERT INTO payouts_account (kind, owner) VALUES ('cage', 'house')")
    owner.execute("INSERT INTO tables_pit (id, code, name) VALUES (7, 'M', 'Main floor')")
    owner.execute(
        "INSERT INTO casino_chipset (id, name, denominations, colours) VALUES (7, 'Set', '{100}', '{#ffffff}')"
    )
    owner.execute(
        "INSERT INTO tables_table (id, code, name, pit_id, chip_set_id, last_number)"
        " VALUES (7, 'T1', 'Split 1', 7, 7, 0)"
    )
    make_earlier(owner, earlier.MIGRATIONS)
    owner.execute("INSERT INTO casino_staff (login, name, password, is_active) VALUES ('anna', 'Anna Adler', '', true)")
    assert unapplied(fresh_db) == [
        "The database lacks migrations: audit.0001_tables, audit.0002_guards, audit.0003_sealer and 119 more."
        " Run migrate as the owner."
    ]
    with pytest.raises(RuntimeError, match=f"CommandError: {earlier.NOT_YET}"):
        migrate(fresh_db, "--plan")
    assert set(owner.execute(APPLIED).fetchall()) == earlier.MIGRATIONS
    # Guards are laid down anew, with their sentences.
    owner.execute("DROP TRIGGER moves ON tables_round")
    assert earlier.TAKEN_OVER in migrate(fresh_db)
    assert owner.execute(APPLIED).fetchall() == new
    assert laid_down(owner) == before
    assert rights(owner) == held
    assert owner.execute("SELECT name FROM casino_staff WHERE login = 'anna'").fetchone() == ("Anna Adler",)
    # Chips on their way and issued, the cage's cash and the tips have accounts of the house, a table's rake and its
    # drop boxes have their own, each kind of movement its rule.
    accounts = owner.execute("SELECT kind, owner FROM payouts_account ORDER BY kind").fetchall()
    house = [(kind, "house") for kind in ("cage", "cash", "issued")]
    cash = ("drop_box", "table:7")
    assert accounts == [*house[:2], cash, house[2], ("rake", "table:7"), ("tips", "house"), ("transit", "house")]
    slots = "SELECT owner FROM payouts_account a JOIN tables_table t ON t.rake_account_id = a.id"
    assert owner.execute(slots).fetchall() == [("table:7",)]
    kinds = owner.execute("SELECT DISTINCT kind FROM movement_rules").fetchall()
    assert {kind for (kind,) in kinds} == set(Movement.Kind.values)
    assert unapplied(fresh_db) == []
    assert earlier.TAKEN_OVER not in migrate(fresh_db)


def test_a_role_that_is_not_there_yet_is_named_with_the_line_that_makes_it(fresh_db):
    with pytest.raises(
        RuntimeError, match=r"no role casino_new, .+ CREATE ROLE casino_new LOGIN PASSWORD '\.\.\.';\n$"
    ):
        migrate(fresh_db, SEALER_ROLE="casino_new")


@pytest.mark.parametrize(
    "migrations",
    [
        earlier.MIGRATIONS - {("tables", "0008_closing")},
        earlier.MIGRATIONS | {("tables", "0002_guards")},
        {("casino", "0001_initial"), ("sessions", "0001_initial")},
    ],
    ids=["without the last", "with one of today", "hardly begun"],
)
def test_another_one_of_then_is_not(migrations):
    with pytest.raises(earlier.UnfinishedError, match=SAYS_THE_WAY):
        earlier.is_of(migrations)


def test_what_is_not_taken_over_stays_as_it_is(owner, fresh_db):
    unfinished = earlier.MIGRATIONS - {("tables", "0008_closing")}
    make_earlier(owner, unfinished)
    before = laid_down(owner)
    with pytest.raises(RuntimeError, match=SAYS_THE_WAY) as refused:
        migrate(fresh_db)
    assert "Traceback" not in str(refused.value)
    (said,) = unapplied(fresh_db)
    assert re.search(SAYS_THE_WAY, said)
    assert laid_down(owner) == before
    assert set(owner.execute(APPLIED).fetchall()) == unfinished


def test_a_backup_of_then_is_restored_whole_or_refused(owner, fresh_db, tmp_path):
    make_earlier(owner, earlier.MIGRATIONS)
    backup.dump(stack.cluster().url(embedded.OWNER, fresh_db), tmp_path / "whole")
    assert backup.read(tmp_path / "whole").lacking[:2] == ("audit.0001_tables", "audit.0002_guards")
    make_earlier(owner, earlier.MIGRATIONS - {("tables", "0008_closing")})
    backup.dump(stack.cluster().url(embedded.OWNER, fresh_db), tmp_path / "unfinished")
    with pytest.raises(Failed, match=SAYS_THE_WAY):
        backup.read(tmp_path / "unfinished")
