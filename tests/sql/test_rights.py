"""Who may do what in the database, spelled out: a table, a column or a function that nobody thought of fails here."""

import pytest

READ, ADD = "SELECT", "SELECT, INSERT"
CHANGE, ALL = f"{ADD}, UPDATE", f"{ADD}, UPDATE, DELETE"
# fmt: off
# Table to the rights of the app's role and of the auditor's: all columns, those named, or none.
TABLES = {
    "audit_anchor": (ADD, "*"),
    "audit_chain": (CHANGE, "*"),
    "audit_checkpoint": (ADD, "*"),
    "audit_entry": (ADD, "*"),
    "audit_export": (CHANGE, "*"),
    "audit_leaf": (ADD, "*"),
    "audit_sealing": ("SELECT, UPDATE", "*"),
    "audit_subtree": (ADD, "*"),
    "auth_group": ("", ""),
    "auth_group_permissions": ("", ""),
    "auth_permission": ("", ""),
    "axes_accessattempt": (ALL, ""),
    "axes_accessattemptexpiration": ("SELECT, DELETE", ""),
    "axes_accessfailurelog": ("", ""),
    "axes_accesslog": ("", ""),
    "casino_casino": (ADD, "*"),
    "casino_chipset": (ADD, "*"),
    "casino_command": (ALL, "*"),
    "casino_staff": (CHANGE, "added_at id is_active last_login login name"),
    "casino_websession": (ALL, ""),
    "django_admin_log": (READ, "*"),
    "django_content_type": (READ, "*"),
    "django_migrations": (READ, "*"),
    "django_session": ("", ""),
    "movement_rules": (READ, "*"),
    "payouts_account": (ADD, "*"),
    "payouts_coefficient": (ALL, "*"),
    "payouts_coefficienttable": (CHANGE, "*"),
    "payouts_movement": (ADD, "*"),
    "payouts_payment": (ADD, "*"),
    "payouts_paymenttick": (ADD, "*"),
    "payouts_settlement": (ADD, "*"),
    "payouts_snapshot": (ADD, "*"),
    "payouts_transfer": (ADD, "*"),
    "tables_action": (ADD, "*"),
    "tables_box": (ALL, "*"),
    "tables_dispute": (CHANGE, "about approved_by_id boxes clause closed_at id line_id raised_at raised_by_id reason"
                               " round_id ruled_at ruled_by_id ruling statement status terminal_id"),
    "tables_hand": (ALL, "*"),
    "tables_inforce": (ADD, "*"),
    "tables_intervention": (ADD, "approved_by_id at box by_id clause id kind line_id ordinal reason round_id"
                                 " terminal_id"),
    "tables_line": (ADD, "*"),
    "tables_pit": (ADD, "*"),
    "tables_posting": (CHANGE, "*"),
    "tables_round": (CHANGE, "*"),
    "tables_rulesheet": (CHANGE, "*"),
    "tables_series": (CHANGE, "*"),
    "tables_session": (CHANGE, "*"),
    "tables_signon": (CHANGE, "*"),
    "tables_table": (CHANGE, "*"),
    "tables_terminal": (CHANGE, "enrolled_at id name revoked_at table_id"),
    "tables_wager": (ALL, "*"),
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
    "write_settlements",
    "lease_rounds",
    "read_rounds",
    "take_rounds",
}
OURS = "'public'::regnamespace"
EVERYBODY = "(VALUES ('casino_app'), ('casino_auditor'), ('public')) AS r(role)"


@pytest.fixture
def asked(django_db_setup, owner_connection):
    return lambda sql: owner_connection.execute(sql).fetchall()


def test_the_app_s_role_and_the_auditor_s_hold_exactly_these_rights_on_tables(asked):
    found = asked(
        "SELECT relname::text, array_to_string(ARRAY(SELECT p FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE',"
        " 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p WHERE has_table_privilege('casino_app', c.oid, p)), ', '),"
        " CASE WHEN has_table_privilege('casino_auditor', c.oid, 'SELECT') THEN '*' ELSE array_to_string(ARRAY("
        "  SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped"
        "  AND has_column_privilege('casino_auditor', c.oid, attnum, 'SELECT') ORDER BY 1), ' ') END"
        f" FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = {OURS}"
    )
    assert {table: rights for table, *rights in found} == {table: list(rights) for table, rights in TABLES.items()}


def test_no_column_is_granted_beyond_its_table_and_the_auditor_changes_none(asked):
    assert not asked(
        f"SELECT role, c.oid::regclass::text, p FROM pg_class c, {EVERYBODY},"
        " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) p"
        f" WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = {OURS}"
        " AND has_any_column_privilege(role, c.oid, p) AND NOT has_table_privilege(role, c.oid, p)"
        " AND NOT (role = 'casino_auditor' AND p = 'SELECT')"
    )
    assert not asked(
        f"SELECT c.oid::regclass FROM pg_class c WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND relnamespace = {OURS}"
        " AND (has_table_privilege('casino_auditor', c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')"
        " OR has_table_privilege('public', c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER'))"
    )


def test_the_app_takes_ids_where_it_adds_rows_and_sets_no_sequence(asked):
    found = asked(
        "SELECT s.relname::text, role, p FROM pg_class s,"
        f" {EVERYBODY}, unnest(ARRAY['USAGE', 'SELECT', 'UPDATE']) p"
        f" WHERE s.relkind = 'S' AND s.relnamespace = {OURS} AND has_sequence_privilege(role, s.oid, p)"
    )
    # The ids of transfers count: a guard takes them.
    numbered = {
        table
        for (table,) in asked("SELECT table_name FROM information_schema.columns WHERE is_identity = 'YES'")
        if "INSERT" in TABLES[table][0] and table != "payouts_transfer"
    }
    assert set(found) == {(f"{table}_id_seq", "casino_app", "USAGE") for table in numbered}


def test_functions_run_as_their_caller_on_a_search_path_of_their_own_and_few_may_call_them(asked):
    # The body of an SQL-standard function was read when it was made: no search path is asked any more.
    found = asked(
        "SELECT proname::text, prosecdef, prosqlbody IS NOT NULL OR 'search_path=public, pg_temp' = ANY (proconfig),"
        f" ARRAY(SELECT role FROM {EVERYBODY} WHERE has_function_privilege(role, f.oid, 'EXECUTE'))"
        f" FROM pg_proc f WHERE pronamespace = {OURS}"
    )
    assert {name for name, _, fixed, _ in found if not fixed} == set()
    # They lock an account, which the app may not, and read and write nothing else of their owner's.
    assert {name for name, definer, _, _ in found if definer} == {"transfer_takes_id", "snapshot_is_right"}
    assert {name: roles for name, *_, roles in found if roles} == {key: ["casino_app"] for key in FUNCTIONS}
    assert asked("SELECT defaclacl::text FROM pg_default_acl WHERE defaclobjtype = 'f'") == [
        ("{casino_owner=X/casino_owner}",)
    ]


def test_the_roles_may_enter_the_database_and_look_into_the_schema_and_no_more(asked):
    entered = asked(
        f"SELECT role, p FROM {EVERYBODY}, unnest(ARRAY['CONNECT', 'CREATE', 'TEMP']) p"
        " WHERE has_database_privilege(role, current_database(), p) ORDER BY 1"
    )
    assert entered == [("casino_app", "CONNECT"), ("casino_auditor", "CONNECT")]
    looked = asked(
        f"SELECT role, p FROM {EVERYBODY}, unnest(ARRAY['USAGE', 'CREATE']) p"
        " WHERE has_schema_privilege(role, 'public', p) ORDER BY 1"
    )
    assert looked == [("casino_app", "USAGE"), ("casino_auditor", "USAGE")]
    assert not asked("SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$|public$)'")


def test_the_roles_own_nothing_and_are_members_of_nothing(asked):
    assert not asked(
        "SELECT rolname FROM pg_roles WHERE rolname IN ('casino_app', 'casino_auditor')"
        " AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls)"
        " UNION SELECT rolname FROM pg_auth_members m JOIN pg_roles r ON r.oid IN (m.member, m.roleid)"
        " WHERE rolname IN ('casino_app', 'casino_auditor')"
        " UNION SELECT relname FROM pg_class WHERE relowner IN ('casino_app'::regrole, 'casino_auditor'::regrole)"
    )


def test_no_deletion_and_no_new_key_cascades(asked):
    rules = "SELECT DISTINCT confdeltype::text, confupdtype::text FROM pg_constraint WHERE contype = 'f'"
    assert asked(rules) == [("a", "a")]  # NO ACTION


def test_every_trigger_fires_always(asked):
    assert asked("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'A'") == []
    assert asked("SELECT tgname FROM pg_trigger WHERE tgisinternal AND tgenabled <> 'O'") == []
