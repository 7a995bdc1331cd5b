"""Ids and names: rows with numbers that nobody counts to, and the same thing under another name."""

from .words import ACCEPTED, APP, AUDITOR, SEALER, TOLD, entry, movement, settlement, statements

_MOVEMENT = (
    "INSERT INTO payouts_movement (id, key, business_date, kind, subject, number, denominations, requested_by_id,"
    " approved_by_id) VALUES ({id}, 'session:1:drop:1', '$date', 'drop', 'session:1', 1, '{{\"500\":1}}', 5, 7);"
    " INSERT INTO payouts_transfer (key, movement_id, debit_id, credit_id, units, business_date, reason)"
    " VALUES ('session:1:drop:1:1', {id}, 3, $float, 500, '$date', 'drop')"
)
_TOLD = (
    '{"business_date":"$date","denominations":{"500":1},"kind":"drop","number":1,"people":["staff:$clara","staff:$hugo"],'
    '"transfer":{"credit":"float:table:1","debit":"count_room:house","key":"session:1:drop:1:1","reason":"drop","units":500}}'
)


def _numbered(id_):
    return statements(_MOVEMENT.format(id=id_), entry("table:$table1", "movement.made", f"movement:{id_}", _TOLD))


def _swapped(table, one, two, column="id"):
    return statements(
        f"UPDATE {table} SET {column} = 900 WHERE {column} = {one}",
        f"UPDATE {table} SET {column} = {one} WHERE {column} = {two}",
        f"UPDATE {table} SET {column} = {two} WHERE {column} = 900",
    )


_POSTED = "INSERT INTO tables_posting (id, staff_id, role) VALUES ({}, $clara, 'auditor')"
_STAFF = "INSERT INTO casino_staff (id, login, name, password, is_active) VALUES ({}, 'mallory', 'M', '!', true)"
_ADDED = '{"staff":"staff:%s"}'

ATTACKS = {
    "numbers that nobody counts to": {
        "a movement below 0, where no inspection begins": (APP, _numbered(-5), "23001 movement.made of movement:-"),
        "a movement of number 0": (APP, _numbered(0), "23001 movement.made of movement"),
        "a movement of the largest number": (APP, _numbered(9223372036854775807), "23001 movement.made of movement"),
        "a settlement below 0": (
            APP,
            settlement(logged=False)
            .replace("INSERT INTO payouts_settlement (key", "INSERT INTO payouts_settlement (id, key")
            .replace("VALUES ('round:$closed:1'", "VALUES (-3, 'round:$closed:1'")
            .replace("currval('payouts_settlement_id_seq')", "-3"),
            "23001 round.settled of round",
        ),
        "an account below 0": (
            APP,
            "INSERT INTO payouts_account (id, kind, owner) VALUES (-1, 'float', 'table:99')",
            ACCEPTED,
        ),
        "a person below 0": (
            APP,
            statements(_STAFF.format(-1), entry("house", "staff.added", "staff:-1", _ADDED % -1)),
            "23001 the log has no entry that says so",
        ),
        "a person of number 0": (
            APP,
            statements(_STAFF.format(0), entry("house", "staff.added", "staff:0", _ADDED % 0)),
            "23001 the log has no entry that says so",
        ),
        "a posting below 0": (
            APP,
            statements(
                _POSTED.format(-1),
                entry("house", "staff.posted", "staff:$clara", '{"role":"auditor","staff":"staff:$clara"}'),
            ),
            "23001 two people post a person, and end that",
        ),
        "a posting of the largest number, which no inspection reaches": (
            APP,
            _POSTED.format(9223372036854775807),
            "23001 two people post a person, and end that",
        ),
        "a posting below 0 that nobody tells": (
            APP,
            _POSTED.format(-2),
            "23001 two people post a person, and end that",
        ),
        "a terminal alone at its table, below 0": (
            APP,
            "INSERT INTO tables_terminal (id, table_id, name) VALUES (-3, 2, 'Y')",
            TOLD,
        ),
        "a pit below 0": (APP, "INSERT INTO tables_pit (id, code, name) VALUES (-1, 'Z', 'Z')", TOLD),
        "a table below 0": (
            APP,
            "INSERT INTO tables_table (id, code, name, last_number, pit_id, chip_set_id) VALUES (-1, 'Z', 'Z',"
            " 0, 1, 1)",
            TOLD,
        ),
        "a session of number 0": (
            APP,
            statements(
                "INSERT INTO tables_session (id, status, business_date, begun_by_id, table_id)"
                " VALUES (0, 'OPENING', '$date', 5, $table_closed)",
                entry("table:$table_closed", "session.begun", "session:0", '{"business_date":"$date"}'),
            ),
            ACCEPTED,
        ),
        "a round below 0": (
            APP,
            "INSERT INTO tables_round (id, table_id, session_id, sheet_id, number, status, phase, seats,"
            " opened_by_id,"
            " leases, alone, failures) VALUES (-1, $table4, $session4, 3, 1, 'OPEN', 'betting', '{1,2}', 12, 0,"
            " false, 0)",
            "23001 its count is not that of its rounds",
        ),
        "a terminal below 0": (APP, "INSERT INTO tables_terminal (id, table_id, name) VALUES (-1, 1, 'Z')", TOLD),
        "a sign-on below 0": (
            APP,
            "INSERT INTO tables_signon (id, staff_id, table_id) SELECT -1, 4, max(id) FROM tables_table",
            TOLD,
        ),
        "a dispute below 0": (
            APP,
            "INSERT INTO tables_dispute (id, round_id, status, about, boxes, statement, salt, raised_by_id, reason,"
            " reason_salt) VALUES (-1, $settled, 'OPEN', 'ranking', '{1}', 's', 's', 1, '', '')",
            TOLD,
        ),
        "a rule sheet below 0": (
            APP,
            "INSERT INTO tables_rulesheet (id, game, version, status, values, drafted_by_id)"
            " VALUES (-1, 'split', 9, 'DRAFT', '{}', 5)",
            "23001 the log has no entry that says so",
        ),
        "a series below 0": (
            APP,
            "INSERT INTO tables_series (id, table_id, session_id, game, status, seats)"
            " VALUES (-1, $table4, $session4, 'dynastia', 'OPEN', '{1,2}')",
            TOLD,
        ),
        "an intervention below 0": (
            APP,
            "INSERT INTO tables_intervention (id, round_id, ordinal, kind, clause, reason, salt, by_id)"
            " VALUES (-1, $settled, 3, 'reported', 'split.36', 'r', 's', 1)",
            "23001 intervention",
        ),
        "an action below 0": (
            APP,
            "INSERT INTO tables_action (id, round_id, ordinal, phase, kind, box, arguments, by_id)"
            " VALUES (-1, $open, 1, 'betting', 'ante', 1, '{\"box\":1,\"units\":500}', 3)",
            TOLD,
        ),
        "a payment below 0": (
            APP,
            "INSERT INTO payouts_payment (id, settlement_id, box, outcome, staked_units, returned_units, paid_units,"
            " net_units, clauses) VALUES (-1, $settlement, 3, 'win', 0, 0, 0, 0, '{}')",
            "23001 the round has taken its settlement already",
        ),
        "a snapshot below 0": (
            APP,
            "INSERT INTO payouts_snapshot (id, account_id, subject, upto_id, units)"
            " VALUES (-1, $float, 'session:1', 2, 0)",
            "23001 it is not its balance",
        ),
        "an entry below 0": (
            APP,
            "INSERT INTO audit_entry (id, chain_id, seq, body) VALUES (-1, 'house', 1, '{}')",
            "23001 it has not exactly the keys of an entry, or a value that is not what i",
        ),
        "a transfer with a number of its own": (
            APP,
            movement()
            .replace("INSERT INTO payouts_transfer (key", "INSERT INTO payouts_transfer (id, key")
            .replace("VALUES ('session:$session1:drop:1:1'", "VALUES (-7, 'session:$session1:drop:1:1'"),
            ACCEPTED,
        ),
        "a transfer's sequence set back": (
            APP,
            "SELECT setval('payouts_transfer_id_seq', 1)",
            "42501 permission denied for sequence payouts_transfer_id_seq",
        ),
        "a transfer's number drawn ahead": (
            APP,
            "SELECT nextval('payouts_transfer_id_seq')",
            "42501 permission denied for sequence payouts_transfer_id_seq",
        ),
        "an inspection's sequence set to the end": (
            APP,
            "SELECT setval('audit_inspection_id_seq', 9223372036854775807)",
            "42501 permission denied for sequence audit_inspection_id_seq",
        ),
        "the entries' sequence restarted": (
            APP,
            "ALTER SEQUENCE audit_entry_id_seq RESTART",
            "42501 must be owner of sequence audit_entry_id_seq",
        ),
        "a leaf's number left out by the sealer": (
            SEALER,
            "INSERT INTO audit_leaf (index, chain_id, seq, hash) SELECT max(index) + 2, 'house', 300, '' FROM"
            " audit_leaf",
            "23505 leaf_once",
        ),
        "a leaf below 0 by the sealer": (
            SEALER,
            "INSERT INTO audit_leaf (index, chain_id, seq, hash) VALUES (-1, 'house', 9001, '')",
            "23001 on do not follow",
        ),
    },
    "one becomes another": {
        "Anna and Clara exchange their numbers": (
            APP,
            _swapped("casino_staff", 1, 5),
            "23001 id, login, added_at of a row stays",
        ),
        "Anna and Clara exchange their logins": (
            APP,
            _swapped("casino_staff", "'anna'", "'clara'", "login").replace("900", "'x'"),
            "23001 id, login, added_at of a row stays",
        ),
        "two rounds exchange their numbers": (
            APP,
            _swapped("tables_round", "$settled", "$corrected"),
            "23001 id of a row stays",
        ),
        "two tables exchange their numbers": (
            APP,
            _swapped("tables_table", 1, 2),
            "23001 its accounts are its own, for ever",
        ),
        "two sessions exchange their numbers": (APP, _swapped("tables_session", 1, 2), "23001 id of a row stays"),
        "two sheets exchange their numbers": (
            APP,
            _swapped("tables_rulesheet", 1, 2),
            "23001 id, game, version, values, coefficient_table_id, drafted_by_id, drafte",
        ),
        "two terminals exchange their tables": (
            APP,
            "UPDATE tables_terminal SET table_id = 2",
            "23001 until it is revoked it is renamed and seen, and nothing else changes",
        ),
        "two disputes exchange their rounds": (
            APP,
            "UPDATE tables_dispute SET round_id = $corrected",
            "23001 OPEN does not become OPEN",
        ),
        "a posting given to another person": (
            APP,
            "UPDATE tables_posting SET staff_id = 1 WHERE staff_id = 5",
            "23001 a row only ends, and once",
        ),
        "a sign-on given to another person": (
            APP,
            "UPDATE tables_signon SET staff_id = 4 WHERE staff_id = 1",
            "23001 a row only ends, and once",
        ),
        "a sign-on moved to another table": (
            APP,
            "UPDATE tables_signon SET table_id = 4 WHERE table_id = 1",
            "23001 a row only ends, and once",
        ),
        "a finding that is of another row": (
            APP,
            "UPDATE audit_finding SET subject = 'round:99'",
            "23001 a row only ends, and once",
        ),
        "a chain with another name": (
            APP,
            "UPDATE audit_chain SET key = 'table:99' WHERE key = 'table:1'",
            "23001 can only grow",
        ),
        "a session's number in a movement's place": (
            APP,
            movement(subject="movement:1"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a coefficient moved into the published table": (
            APP,
            "UPDATE payouts_coefficient SET table_id = $ratios, ordinal = 99, category = 'x' WHERE id ="
            " (SELECT max(id) FROM payouts_coefficient WHERE table_id = $ratios_draft)",
            "23001 UPDATE refused",
        ),
        "a coefficient moved out of the published table": (
            APP,
            "UPDATE payouts_coefficient SET table_id = $ratios_draft, ordinal = 99, category = 'x'"
            " WHERE id = $coefficient",
            "23001 UPDATE refused",
        ),
    },
    "another name": {
        "an account of table 01": (
            APP,
            "INSERT INTO payouts_account (kind, owner) VALUES ('float', 'table:01')",
            ACCEPTED,
        ),
        "an account of a table with a line's end": (
            APP,
            "INSERT INTO payouts_account (kind, owner) VALUES ('float', E'table:1\\n')",
            "23514 account_owner_fits",
        ),
        "an account of a table in Arabic digits": (
            APP,
            "INSERT INTO payouts_account (kind, owner) VALUES ('float', 'table:١')",
            "23514 account_owner_fits",
        ),
        "a second cage": (
            APP,
            "INSERT INTO payouts_account (kind, owner) VALUES ('cage', 'house')",
            "23505 account_once",
        ),
        "an account of a table that there is not": (
            APP,
            "INSERT INTO payouts_account (kind, owner) VALUES ('float', 'table:77')",
            ACCEPTED,
        ),
        "a chain of a table that there is not": (
            APP,
            "INSERT INTO audit_chain (key, seq, head) VALUES ('table:77', 0, repeat('0', 64))",
            ACCEPTED,
        ),
        "a chain that begins with entries": (
            APP,
            "INSERT INTO audit_chain (key, seq, head) VALUES ('table:77', 5, repeat('a', 64))",
            "23001 begins empty",
        ),
        "a login in capitals": (
            APP,
            "INSERT INTO casino_staff (login, name, password, is_active) VALUES ('Anna', 'A', '!', true)",
            "23514 staff_login_plain",
        ),
        "a login with a Cyrillic letter": (
            APP,
            "INSERT INTO casino_staff (login, name, password, is_active) VALUES ('аnna', 'A', '!', true)",
            "23514 staff_login_plain",
        ),
        "a login with a line's end": (
            APP,
            "INSERT INTO casino_staff (login, name, password, is_active) VALUES (E'anna\\n', 'A', '!', true)",
            "23514 staff_login_plain",
        ),
        "an entry under another spelling of Unicode": (
            APP,
            entry("house", "history.read", "history", '{"what":"e\u0301"}', by="system"),
            "23001 it is not in Unicode's normal form NFC",
        ),
        "an entry with an escape that nobody needs": (
            APP,
            entry("house", "history.read", "history", '{"what":"\\u0061"}', by="system"),
            "23001 it has blanks, needless escapes, control characters, or numbers that a",
        ),
        "an entry with a blank behind it": (
            APP,
            entry("house", "history.read", "history", '{"what":"search"}', by="system", more=" "),
            "23001 it has blanks, needless escapes, control characters, or numbers that a",
        ),
        "an entry with a line's end behind it": (
            APP,
            entry("house", "history.read", "history", '{"what":"search"}', by="system", more="\n"),
            "23001 it has blanks, needless escapes, control characters, or numbers that a",
        ),
        "an entry with a letter that no text shows": (
            APP,
            entry("house", "history.read", "history", '{"what":"a\u200bb"}', by="system"),
            ACCEPTED,
        ),
        "an entry with a half of a pair": (
            APP,
            entry("house", "history.read", "history", '{"what":"\\ud800"}', by="system"),
            "23001 it has blanks, needless escapes, control characters, or numbers that a",
        ),
        "an entry with minus nothing": (
            APP,
            entry("house", "login.failed", "login", '{"minute":"2026-11-23T05:58Z","number":-0}', by="system"),
            "23001 it has blanks, needless escapes, control characters, or numbers that a",
        ),
        "an entry with a fact of nothing": (
            APP,
            entry("house", "history.read", "history", '{"range":null,"what":"search"}', by="system"),
            "23001 it has a fact without a value",
        ),
        "an entry of staff:01": (
            APP,
            entry("house", "history.read", "history", '{"what":"search"}', by="staff:01"),
            "23001 it has not exactly the keys of an entry, or a value that is not what i",
        ),
        "an entry of a person that there is not": (
            APP,
            entry("house", "history.read", "history", '{"what":"search"}', by="staff:999"),
            ACCEPTED,
        ),
        "an auditor's domain over an entry": (
            AUDITOR,
            "CREATE DOMAIN entry AS text",
            "25006 cannot execute CREATE DOMAIN in a read-only transaction",
        ),
        "a domain that stands for text": (
            APP,
            "CREATE DOMAIN mine AS bigint",
            "42501 permission denied for schema public",
        ),
        "an operator of the thief's own": (
            APP,
            "CREATE OPERATOR = (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = int8ne)",
            "42501 permission denied for schema public",
        ),
        "a cast that turns every number": (
            APP,
            "CREATE CAST (bigint AS text) WITH INOUT AS IMPLICIT",
            "42501 must be owner of type bigint or type text",
        ),
        "a collation in which all is equal": (
            APP,
            "CREATE COLLATION mine (provider = icu, locale = 'und-u-ks-level1', deterministic = false)",
            "42501 permission denied for schema public",
        ),
        "a view in a table's name": (
            APP,
            "CREATE VIEW pg_temp.payouts_account AS SELECT 1 AS id",
            "42501 permission denied to create temporary tables",
        ),
        "a temporary table in a table's name": (
            APP,
            "CREATE TEMP TABLE tables_session (LIKE tables_session)",
            "42501 permission denied to create temporary tables",
        ),
        "a temporary function in a guard's name": (
            APP,
            "CREATE FUNCTION pg_temp.settlement_fault(bigint) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'",
            "42501 permission denied to create temporary tables",
        ),
        "a schema before the house's": (APP, "CREATE SCHEMA aaa", "42501 permission denied for database"),
        "a table in the house's schema": (
            APP,
            "CREATE TABLE public.mine (id bigint)",
            "42501 permission denied for schema public",
        ),
        "a search path that leads past the guards": (
            APP,
            statements(
                "SET LOCAL search_path = pg_catalog",
                movement(credit="$float2")
                .replace("payouts_", "public.payouts_")
                .replace("public.payouts_movement_id_seq", "public.payouts_movement_id_seq")
                .replace("audit_entry", "public.audit_entry")
                .replace("audit_chain", "public.audit_chain"),
            ),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a search path with the information schema first": (
            APP,
            statements("SET LOCAL search_path = information_schema, public", movement(credit="$float2")),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
    },
}
