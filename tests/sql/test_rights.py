"""Who may do what in the database, spelled out: a table, a column or a function that nobody thought of fails here."""

import pytest
from psycopg import errors

from casino.running import embedded

from ..support import stack

READ, ADD = "SELECT", "SELECT, INSERT"
CHANGE, ALL = f"{ADD}, UPDATE", f"{ADD}, UPDATE, DELETE"
# fmt: off
# Table to the rights of the app's role, of the sealer's, and what the auditor reads: all columns, those named, or none.
# What the auditor reads the sealer reads; of itself it writes the log's tree, its own entries, and how far exports are.
TABLES = {
    "audit_anchor": (READ, ADD, "*"),
    "audit_chain": (CHANGE, "SELECT, UPDATE", "*"),
    "audit_checkpoint": (READ, ADD, "*"),
    "audit_entry": (ADD, ADD, "*"),
    "audit_export": (ADD, CHANGE, "*"),
    "audit_finding": ("SELECT, UPDATE", "INSERT", "accepted_at accepted_by_id id inspection_id named_at reason sentence"
                                                 " subject what"),
    "audit_inspection": (ADD, CHANGE, "*"),
    "audit_leaf": (READ, ADD, "*"),
    "audit_passedleaf": (READ, READ, "*"),
    "audit_sealing": (READ, "SELECT, UPDATE", "*"),
    "audit_subtree": (READ, ADD, "*"),
    "auth_group": ("", "", ""),
    "auth_group_permissions": ("", "", ""),
    "auth_permission": ("", "", ""),
    "axes_accessattempt": (ALL, "", ""),
    "axes_accessattemptexpiration": ("SELECT, DELETE", "", ""),
    "axes_accessfailurelog": ("", "", ""),
    "axes_accesslog": ("", "", ""),
    "casino_casino": (ADD, READ, "*"),
    "casino_chipset": (ADD, READ, "*"),
    "casino_command": (ALL, READ, "*"),
    "casino_hashing": ("SELECT, UPDATE", READ, "*"),
    "casino_setting": (CHANGE, READ, "*"),
    "casino_staff": (CHANGE, "", "added_at id is_active last_login login name"),
    "casino_wronglogins": (ALL, READ, "*"),
    "casino_websession": (ALL, "", ""),
    "django_admin_log": (READ, READ, "*"),
    "django_content_type": (READ, READ, "*"),
    "django_migrations": (READ, READ, "*"),
    "django_session": ("", "", ""),
    "movement_rules": (READ, READ, "*"),
    "payouts_account": (ADD, READ, "*"),
    "payouts_coefficient": (ALL, READ, "*"),
    "payouts_coefficienttable": (CHANGE, READ, "*"),
    "payouts_edgeresult": (CHANGE, READ, "*"),
    "payouts_movement": (ADD, READ, "*"),
    "payouts_payment": (ADD, READ, "*"),
    "payouts_paymenttick": (ADD, READ, "*"),
    "payouts_settlement": (ADD, READ, "*"),
    "payouts_snapshot": (ADD, READ, "*"),
    "payouts_transfer": (ADD, READ, "*"),
    "tables_action": (ADD, READ, "*"),
    "tables_alarm": (CHANGE, "", "bound box id kind over_at raised_at raised_by_id reason subject table_id taken_at"
                                 " taken_by_id value word"),
    "tables_box": (ALL, READ, "*"),
    "tables_buyin": (ADD, READ, "*"),
    "tables_cageshift": (CHANGE, "", "business_date closed_at closed_by_id closed_with_id counts_from denominations"
                                     " expected_units id opened_at opened_by_id reason status variance_units"),
    "tables_case": (CHANGE, "", "approved_by_id decided_at decided_by_id due_at id kind number opened_at outcome"
                                " owner_id question reason status subject table_id units video year"),
    "tables_casefile": (ADD, READ, "*"),
    "tables_count": (ADD, READ, "*"),
    "tables_credential": (CHANGE, "", "added_at counter ended_at ended_by_id ended_with_id handle host id kind name"
                                       " public_key staff_id used_at"),
    "tables_dispute": (CHANGE, "", "about approved_by_id boxes clause closed_at id line_id raised_at raised_by_id"
                                   " reason round_id ruled_at ruled_by_id ruling statement status terminal_id"),
    "tables_dropbox": (CHANGE, "", "business_date cash_units counted_at counted_by_id counted_with_id id mounted_at"
                                   " mounted_by_id mounted_with_id number reason recorded_units removed_at"
                                   " removed_by_id removed_seal removed_with_id seal session_id status table_id"),
    "tables_gamingday": ("SELECT, UPDATE", READ, "*"),
    "tables_hand": (ALL, READ, "*"),
    "tables_housefigures": ("SELECT", READ, "*"),
    "tables_inforce": (CHANGE, READ, "*"),
    "tables_intervention": (ADD, "", "approved_by_id at box by_id clause id kind line_id ordinal reason round_id"
                                     " terminal_id"),
    "tables_line": (ADD, READ, "*"),
    "tables_luckday": (CHANGE, READ, "*"),
    "tables_onetimecode": (CHANGE, "", "ended_at given_at given_by_id given_with_id id staff_id"),
    "tables_pit": (ADD, READ, "*"),
    "tables_posting": (CHANGE, READ, "*"),
    "tables_question": (CHANGE, "", "answer answered_at answered_by_id asked_at asked_by_id due_at follows_id id"
                                    " settled_at settled_by_id status subject table_id words"),
    "tables_recoverycode": (CHANGE, "", "ended_at id made_at staff_id"),
    "tables_relief": (CHANGE, READ, "*"),
    "tables_reportfile": (CHANGE, READ, "*"),
    "tables_reporttoken": (CHANGE, "", "ended_at ended_by_id ended_with_id given_at given_by_id given_with_id id name"),
    "tables_round": (CHANGE, READ, "*"),
    "tables_roundluck": (CHANGE, READ, "*"),
    "tables_rulesheet": (CHANGE, "", "coefficient_table_id digest drafted_at drafted_by_id edge game id published_at"
                                     " published_by_id reason rules status values version"),
    "tables_scanner": (ADD, READ, "*"),
    "tables_series": (CHANGE, READ, "*"),
    "tables_session": (CHANGE, "", "begun_at begun_by_id business_date carried_from_id closed_at closed_by_id"
                                   " closed_with_id closer_reason counts_from id opened_at opened_by_id opened_with_id"
                                   " opener_reason status stopped_at stopped_by_id table_id unfinished"),
    "tables_sessionfigures": ("SELECT", READ, "*"),
    "tables_signon": (CHANGE, READ, "*"),
    "tables_slip": (CHANGE, "", "approved_by_id back_id carried_by_id denominations exchanged id issued_at issued_by_id"
                                " kind number out_id prints reason received_at received_by_id received_with_id"
                                " requested_at requested_by_id session_id status table_id units voided_at voided_by_id"
                                " year"),
    "tables_slipnumber": (CHANGE, READ, "*"),
    "tables_table": (CHANGE, READ, "*"),
    "tables_tipcount": (ADD, "", "counted_at counted_by_id counted_units counted_with_id date denominations id reason"
                                 " recorded_units"),
    "tables_terminal": (CHANGE, "", "enrolled_at id last_seen_at name revoked_at table_id"),
    "tables_terminalname": ("SELECT", READ, "*"),
    "tables_wager": (ALL, READ, "*"),
}
# fmt: on
# What the app's role may call besides triggers, which need no right.
FUNCTIONS = {
    "account_balance",
    "evidence_fault",
    "gaming_day",
    "settlement_fault",
    # Statements that the app may also make one by one; they run as it, so what it may not do they may not either.
    "append_entries",
    # The guard of entries asks it, as whoever writes them.
    "entry_envelope",
    # Checks ask it, as whoever writes the row.
    "is_readable",
    # The guards of slips and counts ask it.
    "chips_worth",
    # The guards of the cage ask it.
    "house_chips",
    # Who counts the cage asks it.
    "hold_cage",
    # The guards of what has a business date ask them, and a correction's.
    "business_date",
    "hold_day",
    "correction_unevened",
    # The guards of drop boxes ask it.
    "house_cash",
    # Who counts tips asks them, and so do the guards of that.
    "hold_tips",
    "tips_recorded",
    "tips_ref",
    # Reports ask them.
    "session_figures",
    "figures_between",
    # The guards of sign-ons and reliefs ask it.
    "croupier_at",
    # The guards of sessions ask them.
    "closer_just_made",
    "count_stands",
    "rake_moved",
    "session_under_way",
    "write_settlements",
    "lock_round",
    "write_action",
    "write_closing",
    "lease_due",
    "dealt_round",
    "read_rounds",
    "settle_rounds",
    "settle_tables",
}
# What the sealer may call: it writes entries and asks what an inspection has to know. Of texts behind salts the digests
# tell what the log has, and nothing else.
DIGESTS = {
    "finding_digests",
    "intervention_digests",
    "dispute_digests",
    "alarm_digests",
    "slip_digests",
    "cage_shift_digests",
    "rule_sheet_digests",
    "case_digests",
    "question_digests",
    "drop_box_digests",
    "session_digests",
    "tip_count_digests",
}
OF_SEALER = {
    "append_entries",
    "entry_envelope",
    "is_readable",
    "account_balance",
    "settlement_fault",
    "gaming_day",
    *DIGESTS,
    "pass_over_leaves",
}
OURS = "'public'::regnamespace"
EVERYBODY = "(VALUES ('casino_app'), ('casino_auditor'), ('casino_sealer'), ('public')) AS r(role)"
HELD = (
    "array_to_string(ARRAY(SELECT p FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES',"
    " 'TRIGGER']) p WHERE has_table_privilege('{}', c.oid, p)), ', ')"
)


@pytest.fixture
def asked(django_db_setup, owner_connection):
    return lambda sql: owner_connection.execute(sql).fetchall()


def test_the_three_roles_hold_exactly_these_rights_on_tables(asked):
    found = asked(
        f"SELECT relname::text, {HELD.format('casino_app')}, {HELD.format('casino_sealer')},"
        " CASE WHEN has_table_privilege('casino_auditor', c.oid, 'SELECT') THEN '*' ELSE array_to_string(ARRAY("
        "  SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped"
        "  AND has_column_privilege('casino_auditor', c.oid, attnum, 'SELECT') ORDER BY 1), ' ') END"
        f" FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = {OURS}"
    )
    assert {table: rights for table, *rights in found} == {table: list(rights) for table, rights in TABLES.items()}


def test_the_sealer_reads_of_each_column_what_the_auditor_reads(asked):
    assert not asked(
        "SELECT c.oid::regclass, attname FROM pg_class c JOIN pg_attribute ON attrelid = c.oid"
        f" WHERE relkind = 'r' AND relnamespace = {OURS} AND attnum > 0 AND NOT attisdropped"
        " AND has_column_privilege('casino_sealer', c.oid, attnum, 'SELECT')"
        "  <> has_column_privilege('casino_auditor', c.oid, attnum, 'SELECT')"
    )


def test_no_column_is_granted_beyond_its_table_and_the_auditor_changes_none(asked):
    assert not asked(
        f"SELECT role, c.oid::regclass::text, p FROM pg_class c, {EVERYBODY},"
        " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) p"
        f" WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = {OURS}"
        " AND has_any_column_privilege(role, c.oid, p) AND NOT has_table_privilege(role, c.oid, p)"
        " AND NOT (role IN ('casino_auditor', 'casino_sealer') AND p = 'SELECT')"
    )
    assert not asked(
        f"SELECT c.oid::regclass FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = {OURS}"
        " AND (has_table_privilege('casino_auditor', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')"
        " OR has_table_privilege('public', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'))"
    )


def test_each_role_takes_ids_where_it_adds_rows_and_sets_no_sequence(asked):
    found = asked(
        "SELECT s.relname::text, role, p FROM pg_class s,"
        f" {EVERYBODY}, unnest(ARRAY['USAGE', 'SELECT', 'UPDATE']) p"
        f" WHERE s.relkind = 'S' AND s.relnamespace = {OURS} AND has_sequence_privilege(role, s.oid, p)"
    )
    # The ids of transfers count: a guard takes them.
    numbered = {
        (f"{table}_id_seq", role, "USAGE")
        for (table,) in asked("SELECT table_name FROM information_schema.columns WHERE is_identity = 'YES'")
        for role, rights in zip(("casino_app", "casino_sealer"), TABLES[table], strict=False)
        if "INSERT" in rights and table != "payouts_transfer"
    }
    assert set(found) == numbered


def test_functions_run_as_their_caller_on_a_search_path_of_their_own_and_few_may_call_them(asked):
    # The body of an SQL-standard function was read when it was made: no search path is asked any more.
    found = asked(
        "SELECT proname::text, prosecdef, prosqlbody IS NOT NULL OR 'search_path=public, pg_temp' = ANY (proconfig),"
        f" ARRAY(SELECT role FROM {EVERYBODY} WHERE has_function_privilege(role, f.oid, 'EXECUTE'))"
        f" FROM pg_proc f WHERE pronamespace = {OURS}"
    )
    # What commits can't have one; it names all that it calls in full.
    assert {name for name, _, fixed, _ in found if not fixed} == {"settle_tables"}
    # Four lock an account, which the app may not, and read and write nothing else of their owner's. One begins a gaming
    # day. One keeps the names of terminals. Two write what sessions came to and where the house's chips were. One moves
    # leaves that are not signed yet, of which the sealer may delete none.
    assert {name for name, definer, _, _ in found if definer} == {
        "transfer_takes_id",
        "snapshot_is_right",
        "hold_cage",
        "hold_day",
        "hold_tips",
        "pass_over_leaves",
        "terminal_is_named",
        "write_figures",
        "write_house_figures",
        *DIGESTS,
    }
    assert {name: roles for name, *_, roles in found if roles} == {
        name: [role for role, names in (("casino_app", FUNCTIONS), ("casino_sealer", OF_SEALER)) if name in names]
        for name in FUNCTIONS | OF_SEALER
    }
    assert asked("SELECT defaclacl::text FROM pg_default_acl WHERE defaclobjtype = 'f'") == [
        ("{casino_owner=X/casino_owner}",)
    ]


def test_the_roles_may_enter_the_database_and_look_into_the_schema_and_no_more(asked):
    entered = asked(
        f"SELECT role, p FROM {EVERYBODY}, unnest(ARRAY['CONNECT', 'CREATE', 'TEMP']) p"
        " WHERE has_database_privilege(role, current_database(), p) ORDER BY 1"
    )
    assert entered == [(role, "CONNECT") for role in ("casino_app", "casino_auditor", "casino_sealer")]
    looked = asked(
        f"SELECT role, p FROM {EVERYBODY}, unnest(ARRAY['USAGE', 'CREATE']) p"
        " WHERE has_schema_privilege(role, 'public', p) ORDER BY 1"
    )
    assert looked == [(role, "USAGE") for role in ("casino_app", "casino_auditor", "casino_sealer")]
    assert not asked("SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$|public$)'")


def test_the_roles_own_nothing_and_are_members_of_nothing(asked):
    ours = "('casino_app', 'casino_auditor', 'casino_sealer')"
    assert not asked(
        f"SELECT rolname FROM pg_roles WHERE rolname IN {ours}"
        " AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)"
        " UNION SELECT rolname FROM pg_auth_members m JOIN pg_roles r ON r.oid IN (m.member, m.roleid)"
        f" WHERE rolname IN {ours}"
        " UNION SELECT relname FROM pg_class JOIN pg_roles r ON r.oid = relowner"
        f" WHERE rolname IN {ours}"
    )


def test_no_deletion_and_no_new_key_cascades(asked):
    rules = "SELECT DISTINCT confdeltype::text, confupdtype::text FROM pg_constraint WHERE contype = 'f'"
    assert asked(rules) == [("a", "a")]  # NO ACTION


def test_every_trigger_fires_always(asked):
    assert asked("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'A'") == []
    assert asked("SELECT tgname FROM pg_trigger WHERE tgisinternal AND tgenabled <> 'O'") == []


# What is sent, and the rights of which one is needed for it; `key` is a column that may be written.
TRIED = {
    "INSERT INTO {table} DEFAULT VALUES": {"INSERT"},
    "UPDATE {table} SET {key} = {key} WHERE false": {"UPDATE"},
    "DELETE FROM {table} WHERE false": {"DELETE"},
    "TRUNCATE {table} CASCADE": {"TRUNCATE"},
    "SELECT FROM {table} WHERE false FOR UPDATE": {"UPDATE"},
    "SELECT FROM {table} WHERE false FOR KEY SHARE": {"UPDATE"},
    "LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE NOWAIT": {"UPDATE", "DELETE", "TRUNCATE"},
    "LOCK TABLE {table} IN ROW EXCLUSIVE MODE NOWAIT": {"INSERT", "UPDATE", "DELETE", "TRUNCATE"},
    "ALTER TABLE {table} DISABLE TRIGGER USER": {"OWNER"},
}


@pytest.mark.parametrize("role", [embedded.APP, embedded.SEALER, embedded.AUDITOR])
def test_each_right_is_what_the_database_does(fresh_db, owner_connection, role):
    """Every table with everything that may be done to one: it is refused for want of a right just where none stands."""
    writable = dict(
        owner_connection.execute(
            "SELECT table_name, min(column_name) FROM information_schema.columns"
            " WHERE table_schema = 'public' AND is_identity = 'NO' AND is_generated = 'NEVER' GROUP BY 1"
        ).fetchall()
    )
    place = {embedded.APP: 0, embedded.SEALER: 1}.get(role)
    with stack.cluster().connect(role, fresh_db) as connection:
        for table, rights in TABLES.items():
            held = set() if place is None else set(rights[place].split(", "))
            for statement, needed in TRIED.items():
                sql = statement.format(table=table, key=f'"{writable.get(table, "id")}"')
                refused = False
                connection.execute("BEGIN READ WRITE")
                try:
                    connection.execute(sql)
                except errors.InsufficientPrivilege:
                    refused = True
                except (errors.IntegrityError, errors.RaiseException):
                    # It may, and such a row is refused.
                    pass
                connection.execute("ROLLBACK")
                assert refused is not bool(held & needed), sql
