"""What nobody thought of: other statements, settings, locks, roles, and what PostgreSQL lets a stranger do."""

from .words import ACCEPTED, APP, AUDITOR, OWNER, SEALER, entry, movement, statements

_ANY = "payouts_transfer"
_SAID = entry("house", "history.read", "history", '{"what":"search"}', by="system")
_TRUNCATE = "TRUNCATE payouts_transfer, payouts_movement, payouts_settlement, payouts_payment CASCADE"
# Settings that change what a guard reads.
_SETTINGS = (
    "transform_null_equals = on",
    "array_nulls = off",
    "bytea_output = escape",
    "backslash_quote = on",
    "standard_conforming_strings = off",
    "IntervalStyle = sql_standard",
    "row_security = off",
    "check_function_bodies = off",
    "quote_all_identifiers = on",
    "default_transaction_deferrable = on",
    "synchronize_seqscans = off",
    "enable_indexscan = off",
    "enable_indexonlyscan = off",
    "constraint_exclusion = off",
    "plan_cache_mode = force_generic_plan",
    "xmloption = document",
    "client_encoding = 'LATIN1'",
    "client_encoding = 'SQL_ASCII'",
)
ATTACKS = {
    "statements": {
        "money truncated": (APP, _TRUNCATE, "42501 permission denied for table payouts_transfer"),
        "money truncated by the owner": (OWNER, _TRUNCATE, "23001 TRUNCATE refused"),
        "entries truncated by the sealer": (
            SEALER,
            "TRUNCATE audit_entry, audit_leaf",
            "42501 permission denied for table audit_entry",
        ),
        "a merge that changes a transfer": (
            APP,
            "MERGE INTO payouts_transfer t USING (SELECT 1) s ON t.id = $transfer"
            " WHEN MATCHED THEN UPDATE SET units = 1",
            "42501 permission denied for table payouts_transfer",
        ),
        "a merge that deletes what is not in its source": (
            APP,
            "MERGE INTO payouts_payment p USING (SELECT 0 AS id) s ON p.id = s.id WHEN NOT MATCHED BY SOURCE"
            " THEN DELETE",
            "42501 permission denied for table payouts_payment",
        ),
        "a merge that inserts a header": (
            APP,
            "MERGE INTO payouts_movement m USING (SELECT 1) s ON false WHEN NOT MATCHED THEN INSERT (key,"
            " business_date,"
            " kind, subject, number, denominations, requested_by_id, approved_by_id) VALUES ('session:1:drop:1',"
            " '$date', 'drop', 'session:1', 1, '{\"500\":1}', 5, 7)",
            "23001 it moves nothing",
        ),
        "a conflict that changes a transfer": (
            APP,
            "INSERT INTO payouts_transfer SELECT * FROM payouts_transfer WHERE id = $transfer"
            " ON CONFLICT (id) DO UPDATE SET units = 1",
            "42501 permission denied for table payouts_transfer",
        ),
        "a conflict that changes an account": (
            APP,
            "INSERT INTO payouts_account (kind, owner) VALUES ('cage', 'house')"
            " ON CONFLICT (kind, owner) DO UPDATE SET owner = 'mine'",
            "42501 permission denied for table payouts_account",
        ),
        "a conflict that changes an entry, by the sealer": (
            SEALER,
            "INSERT INTO audit_entry (chain_id, seq, body) SELECT chain_id, seq, body FROM audit_entry"
            " ON CONFLICT (chain_id, seq) DO UPDATE SET body = '{}'",
            "42501 permission denied for table audit_entry",
        ),
        "a change hidden in a WITH": (
            APP,
            "WITH x AS (UPDATE payouts_payment SET paid_units = 0 RETURNING id) SELECT count(*) FROM x",
            "42501 permission denied for table payouts_payment",
        ),
        "a deletion hidden in a WITH beside a lawful insert": (
            APP,
            "WITH x AS (DELETE FROM tables_line RETURNING *) INSERT INTO tables_line SELECT * FROM x",
            "42501 permission denied for table tables_line",
        ),
        "a cursor that changes where it stands": (
            APP,
            "DECLARE c CURSOR FOR SELECT * FROM payouts_transfer FOR UPDATE; FETCH c;"
            " UPDATE payouts_transfer SET units = 1 WHERE CURRENT OF c",
            "42501 permission denied for table payouts_transfer",
        ),
        "a cursor of the owner that changes where it stands": (
            OWNER,
            "DECLARE c CURSOR FOR SELECT * FROM payouts_transfer; FETCH c;"
            " UPDATE payouts_transfer SET units = 1 WHERE CURRENT OF c",
            "23001 UPDATE refused",
        ),
        "a change by where a row lies": (
            APP,
            "UPDATE audit_entry SET body = '{}' WHERE ctid = '(0,1)'",
            "42501 permission denied for table audit_entry",
        ),
        "a chain turned back in place": (
            APP,
            "UPDATE audit_chain SET seq = seq - 1, head = repeat('0', 64)",
            "23001 can only grow",
        ),
        "rows copied in": (
            APP,
            "COPY payouts_transfer FROM '/etc/hostname'",
            "42501 permission denied to COPY from a file",
        ),
        "rows copied in from a program": (
            APP,
            "COPY casino_command FROM PROGRAM 'id'",
            "42501 permission denied to COPY to or from an external program",
        ),
        "rows copied out to a file": (
            APP,
            "COPY casino_staff TO '/tmp/staff'",
            "42501 permission denied to COPY to a file",
        ),
        "rows copied out to a program": (
            APP,
            "COPY casino_staff TO PROGRAM 'cat'",
            "42501 permission denied to COPY to or from an external program",
        ),
        "a file loaded as a large object": (
            APP,
            "SELECT lo_import('/etc/passwd')",
            "42501 permission denied for function lo_import",
        ),
        "a large object written to a file": (
            APP,
            "SELECT lo_export(lo_from_bytea(0, 'x'), '/tmp/x')",
            "42501 permission denied for function lo_export",
        ),
        "a large object of another's taken": (
            OWNER,
            "ALTER LARGE OBJECT 1 OWNER TO casino_app",
            "42704 does not exist",
        ),
        "a file read": (
            APP,
            "SELECT pg_read_file('postgresql.conf')",
            "42501 permission denied for function pg_read_file",
        ),
        "a folder listed": (AUDITOR, "SELECT pg_ls_dir('.')", "42501 permission denied for function pg_ls_dir"),
        "the write-ahead log switched": (
            APP,
            "SELECT pg_switch_wal()",
            "42501 permission denied for function pg_switch_wal",
        ),
        "the server told to read its settings": (
            APP,
            "SELECT pg_reload_conf()",
            "42501 permission denied for function pg_reload_conf",
        ),
        "the sealer's connection ended": (
            APP,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres'",
            "42501 permission denied to terminate process",
        ),
        "a column of an entry written": (
            APP,
            "INSERT INTO audit_entry (chain_id, seq, body, event) VALUES ('house', 900, '{}', 'staff.posted')",
            "23001 entry 900 of chain house is no entry",
        ),
        "a column of an entry written by the system's value": (
            APP,
            "INSERT INTO audit_entry (chain_id, seq, body, event) OVERRIDING SYSTEM VALUE"
            " VALUES ('house', 900, '{}', 'staff.posted')",
            "23001 entry 900 of chain house is no entry",
        ),
        "a hidden column written": (
            APP,
            "UPDATE payouts_transfer SET xmin = 1",
            '0A000 cannot assign to system column "xmin',
        ),
        "guards caught and gone on from": (
            APP,
            """DO $$do$$ BEGIN
            BEGIN UPDATE payouts_transfer SET units = 1; EXCEPTION WHEN OTHERS THEN NULL; END;
            INSERT INTO payouts_transfer (key, movement_id, debit_id, credit_id, units, business_date, reason)
            VALUES ('mine', $movement, $float, 1, 500, '$date', 'opener'); END $$do$$""",
            "23505 transfer_movement_once",
        ),
        "a header whose savepoint is rolled back": (
            APP,
            statements(
                "SAVEPOINT one",
                movement(),
                "ROLLBACK TO one",
                "INSERT INTO payouts_transfer (key, movement_id, debit_id, credit_id, units, business_date, reason)"
                " VALUES ('session:1:drop:1:1', currval('payouts_movement_id_seq'), 3, $float, 500, '$date', 'drop')",
            ),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "an entry whose savepoint is rolled back, and its money stays": (
            APP,
            statements(
                movement(logged=False),
                "SAVEPOINT one",
                movement(number=2).rpartition(";\n")[2],
                "ROLLBACK TO one",
            ),
            "23001 movement.made of movement",
        ),
        "constraints that wait, and a commit in between": (
            APP,
            statements("SET CONSTRAINTS ALL DEFERRED", movement(logged=False)),
            "23001 movement.made of movement",
        ),
        "a transaction prepared and left": (
            APP,
            statements(movement(logged=False), "PREPARE TRANSACTION 'mine'"),
            "23001 movement.made of movement",
        ),
        "a prepared statement of a change": (
            APP,
            "PREPARE mine AS UPDATE payouts_transfer SET units = 1; EXECUTE mine",
            "42501 permission denied for table payouts_transfer",
        ),
        "a change by a body of plpgsql": (
            APP,
            "DO $$do$$ BEGIN EXECUTE 'DELETE FROM payouts_payment'; END $$do$$",
            "42501 permission denied for table payouts_payment",
        ),
        "an array of rows put back": (
            APP,
            "INSERT INTO payouts_transfer SELECT (jsonb_populate_recordset(NULL::payouts_transfer,"
            ' \'[{"id": 900, "key": "mine", "units": 5, "debit_id": 5, "credit_id": 1, "reason": "drop",'
            ' "business_date": "$date", "movement_id": 1}]\')).*',
            "23505 transfer_movement_once",
        ),
    },
    "shapes": {
        "a guard switched off": (
            APP,
            "ALTER TABLE payouts_transfer DISABLE TRIGGER ALL",
            "42501 must be owner of table payouts_transfer",
        ),
        "a guard dropped": (
            APP,
            "DROP TRIGGER append_only ON payouts_transfer",
            "42501 must be owner of relation payouts_transfer",
        ),
        "a guard of the thief's own": (
            APP,
            "CREATE TRIGGER mine BEFORE INSERT ON payouts_transfer FOR EACH ROW EXECUTE FUNCTION refuse_change()",
            "42501 permission denied for table payouts_transfer",
        ),
        "a rule in place of an insert": (
            APP,
            "CREATE RULE mine AS ON INSERT TO payouts_transfer DO INSTEAD NOTHING",
            "42501 must be owner of table payouts_transfer",
        ),
        "a policy that hides rows": (
            APP,
            "CREATE POLICY mine ON audit_entry USING (false)",
            "42501 must be owner of table audit_entry",
        ),
        "security by rows switched on": (
            APP,
            "ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY",
            "42501 must be owner of table audit_entry",
        ),
        "an event trigger": (
            APP,
            "CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION refuse_change()",
            '42501 permission denied to create event trigger "mine',
        ),
        "a comment on a guard": (
            APP,
            "COMMENT ON TRIGGER append_only ON payouts_transfer IS 'off'",
            "42501 must be owner of relation payouts_transfer",
        ),
        "a comment on a table": (
            AUDITOR,
            "COMMENT ON TABLE payouts_transfer IS 'mine'",
            "25006 cannot execute COMMENT in a read-only transaction",
        ),
        "a label on a table": (
            APP,
            "SECURITY LABEL ON TABLE payouts_transfer IS 'mine'",
            "22023 no security label providers have been loaded",
        ),
        "a table given away": (
            APP,
            "ALTER TABLE payouts_transfer OWNER TO casino_app",
            "42501 must be owner of table payouts_transfer",
        ),
        "a table without a log": (
            APP,
            "ALTER TABLE payouts_transfer SET UNLOGGED",
            "42501 must be owner of table payouts_transfer",
        ),
        "a table emptied by its rewrite": (
            APP,
            "ALTER TABLE payouts_transfer ALTER units TYPE int USING 0",
            "42501 must be owner of table payouts_transfer",
        ),
        "a child of a table": (
            APP,
            "CREATE TABLE mine () INHERITS (payouts_transfer)",
            "42501 permission denied for schema public",
        ),
        "a column added": (
            APP,
            "ALTER TABLE payouts_transfer ADD mine text",
            "42501 must be owner of table payouts_transfer",
        ),
        "statistics of a table": (
            APP,
            "CREATE STATISTICS mine ON debit_id, credit_id FROM payouts_transfer",
            "42501 must be owner of table payouts_transfer",
        ),
        "an index that is never valid": (
            APP,
            "CREATE INDEX CONCURRENTLY mine ON payouts_transfer (units)",
            "25001 CREATE INDEX CONCURRENTLY cannot run inside a transaction block",
        ),
        "an index rebuilt": (
            APP,
            "REINDEX TABLE payouts_transfer",
            "42501 permission denied for table payouts_transfer",
        ),
        "a function replaced": (
            APP,
            "CREATE OR REPLACE FUNCTION public.settlement_fault(asked bigint) RETURNS text LANGUAGE sql"
            " AS 'SELECT NULL::text'",
            "42501 permission denied for schema public",
        ),
        "a function that runs as its owner": (
            APP,
            "CREATE FUNCTION public.mine() RETURNS void SECURITY DEFINER LANGUAGE sql AS 'DELETE FROM"
            " payouts_transfer'",
            "42501 permission denied for schema public",
        ),
        "a function given to everybody": (
            APP,
            "GRANT EXECUTE ON FUNCTION append_entries(text, json) TO PUBLIC",
            ACCEPTED,
        ),
        "a guard's function called by hand": (
            APP,
            "SELECT refuse_change()",
            "42501 permission denied for function refuse_change",
        ),
        "an extension": (APP, "CREATE EXTENSION dblink", '42501 permission denied to create extension "dblink'),
        "a language": (APP, "CREATE LANGUAGE plpython3u", '0A000 extension "plpython'),
        "a subscription": (
            APP,
            "CREATE SUBSCRIPTION mine CONNECTION 'host=evil' PUBLICATION mine",
            "25001 CREATE SUBSCRIPTION ... WITH (create_slot = true) cannot run inside a",
        ),
        "a publication of all": (
            APP,
            "CREATE PUBLICATION mine FOR ALL TABLES",
            "42501 permission denied for database",
        ),
        "a slot of replication": (
            APP,
            "SELECT pg_create_physical_replication_slot('mine')",
            "42501 permission denied to use replication slots",
        ),
        "a server elsewhere": (
            APP,
            "CREATE SERVER mine FOREIGN DATA WRAPPER postgres_fdw",
            '42704 foreign-data wrapper "postgres_fdw" does not exist',
        ),
        "a database": (APP, "CREATE DATABASE mine", "25001 CREATE DATABASE cannot run inside a transaction block"),
        "a tablespace": (
            APP,
            "CREATE TABLESPACE mine LOCATION '/tmp'",
            "25001 CREATE TABLESPACE cannot run inside a transaction block",
        ),
        "the database renamed": (
            APP,
            "ALTER DATABASE $database RENAME TO mine",
            "42501 must be owner of database casino_",
        ),
        "settings of the database": (
            APP,
            "ALTER DATABASE $database SET session_replication_role = replica",
            "42501 must be owner of database casino_",
        ),
        "settings of the server": (
            APP,
            "ALTER SYSTEM SET fsync = off",
            "25001 ALTER SYSTEM cannot run inside a transaction block",
        ),
    },
    "roles": {
        "the app becomes the owner": (
            APP,
            "SET ROLE casino_owner",
            '42501 permission denied to set role "casino_owner',
        ),
        "the app becomes the sealer": (
            APP,
            "SET ROLE casino_sealer",
            '42501 permission denied to set role "casino_sealer',
        ),
        "the auditor becomes the app": (
            AUDITOR,
            "SET SESSION AUTHORIZATION casino_app",
            '42501 permission denied to set session authorization "casino_app',
        ),
        "the sealer becomes the app": (
            SEALER,
            "SET ROLE casino_app",
            '42501 permission denied to set role "casino_app',
        ),
        "the owner becomes a superuser": (OWNER, "SET ROLE postgres", '42501 permission denied to set role "postgres'),
        "the app takes the sealer in": (
            APP,
            "GRANT casino_sealer TO casino_app",
            '42501 permission denied to grant role "casino_sealer',
        ),
        "the app gives itself away": (
            APP,
            "GRANT casino_app TO casino_auditor",
            '42501 permission denied to grant role "casino_app',
        ),
        "the app reads and writes all": (
            APP,
            "GRANT pg_write_all_data TO casino_app",
            '42501 permission denied to grant role "pg_write_all_data',
        ),
        "the app becomes a superuser": (
            APP,
            "ALTER ROLE casino_app SUPERUSER",
            "42501 permission denied to alter role",
        ),
        "the app replicates": (APP, "ALTER ROLE casino_app REPLICATION", "42501 permission denied to alter role"),
        "the app goes past the rows' security": (
            APP,
            "ALTER ROLE casino_app BYPASSRLS",
            "42501 permission denied to alter role",
        ),
        "a role of the thief's own": (APP, "CREATE ROLE mine LOGIN", "42501 permission denied to create role"),
        "the auditor's password changed by the app": (
            APP,
            "ALTER ROLE casino_auditor PASSWORD 'x'",
            "42501 permission denied to alter role",
        ),
        "the auditor may write from now on": (
            AUDITOR,
            "ALTER ROLE casino_auditor RESET ALL; SET default_transaction_read_only = off; INSERT INTO"
            " tables_pit (code, name) VALUES ('Z', 'Z')",
            "25006 cannot execute ALTER ROLE in a read-only transaction",
        ),
        "the auditor writes after all": (
            AUDITOR,
            "SET TRANSACTION READ WRITE; INSERT INTO audit_entry (chain_id, seq, body) VALUES ('house', 900, '{}')",
            "42501 permission denied for table audit_entry",
        ),
        "the auditor calls what writes": (
            AUDITOR,
            "SET TRANSACTION READ WRITE; SELECT lease_due(1, 1, interval '1 s', interval '1 s')",
            "42501 permission denied for function lease_due",
        ),
        "the auditor calls what writes settlements": (
            AUDITOR,
            "SET TRANSACTION READ WRITE; SELECT write_settlements('[]', '[]', '[]')",
            "42501 permission denied for function write_settlements",
        ),
        "the auditor locks a row": (
            AUDITOR,
            "SET TRANSACTION READ WRITE; SELECT * FROM tables_round FOR KEY SHARE",
            "42501 permission denied for table tables_round",
        ),
        "the auditor locks a table": (
            AUDITOR,
            "LOCK TABLE tables_round IN ROW SHARE MODE",
            "42501 permission denied for table tables_round",
        ),
        "the auditor reads passwords": (
            AUDITOR,
            "SELECT password FROM casino_staff",
            "42501 permission denied for table casino_staff",
        ),
        "the auditor reads whole rows": (
            AUDITOR,
            "SELECT casino_staff FROM casino_staff",
            "42501 permission denied for table casino_staff",
        ),
        "the auditor reads rows as JSON": (
            AUDITOR,
            "SELECT to_jsonb(s) FROM casino_staff s",
            "42501 permission denied for table casino_staff",
        ),
        "the auditor orders by passwords": (
            AUDITOR,
            "SELECT id FROM casino_staff ORDER BY password",
            "42501 permission denied for table casino_staff",
        ),
        "the auditor reads tokens": (
            AUDITOR,
            "SELECT token_digest FROM tables_terminal",
            "42501 permission denied for table tables_terminal",
        ),
        "the auditor reads salts": (
            AUDITOR,
            "SELECT salt FROM tables_intervention",
            "42501 permission denied for table tables_intervention",
        ),
        "the auditor reads web sessions": (
            AUDITOR,
            "SELECT content FROM casino_websession",
            "42501 permission denied for table casino_websession",
        ),
        "the auditor reads stored answers": (AUDITOR, "SELECT answer FROM casino_command", ACCEPTED),
        "the auditor reads what the planner knows of passwords": (
            AUDITOR,
            "SELECT 1 / count(*) FROM pg_stats WHERE tablename = 'casino_staff' AND attname = 'password'",
            "22012 division by zero",
        ),
        "the sealer reads passwords": (
            SEALER,
            "SELECT password FROM casino_staff",
            "42501 permission denied for table casino_staff",
        ),
        "the sealer reads salts": (
            SEALER,
            "SELECT salt FROM tables_dispute",
            "42501 permission denied for table tables_dispute",
        ),
        "the sealer tells of money": (
            SEALER,
            entry("table:$table1", "movement.made", "movement:1", '{"kind":"drop"}', by="system"),
            "23001 the sealer writes no movement.made",
        ),
        "the sealer posts somebody": (
            SEALER,
            "INSERT INTO tables_posting (staff_id, role) VALUES (1, 'auditor')",
            "42501 permission denied for table tables_posting",
        ),
        "the sealer moves money": (SEALER, movement(), "42501 permission denied for table payouts_movement"),
        "the sealer begins a chain": (
            SEALER,
            "INSERT INTO audit_chain (key, seq, head) VALUES ('table:77', 0, repeat('0', 64))",
            "42501 permission denied for table audit_chain",
        ),
        "the sealer accepts what it named": (
            SEALER,
            "UPDATE audit_finding SET accepted_at = now(), accepted_by_id = 8, reason = 'r', salt = 's'",
            "42501 permission denied for table audit_finding",
        ),
        "the sealer names what is accepted already": (
            SEALER,
            "INSERT INTO audit_finding (inspection_id, subject, what, sentence, accepted_at, accepted_by_id, reason,"
            " salt) VALUES (1, 'round:9', 'x', 'y', now(), 8, 'r', 's')",
            "23001 a difference that is named waits for somebody",
        ),
        "the sealer takes a finding back": (
            SEALER,
            "DELETE FROM audit_finding",
            "42501 permission denied for table audit_finding",
        ),
        "the sealer anchors what is to come": (
            SEALER,
            "INSERT INTO audit_anchor (checkpoint_id) VALUES (100000)",
            '23503 insert or update on table "audit_anchor" violates foreign key constrai',
        ),
        "the sealer signs more than there is": (
            SEALER,
            "INSERT INTO audit_checkpoint (size, root, edge, note) VALUES (100000, sha256(''), '{}', 'note')",
            "23001 does not follow",
        ),
        "the sealer signs the same twice": (
            SEALER,
            "INSERT INTO audit_checkpoint (size, root, edge, note) SELECT size, root, edge, note FROM audit_checkpoint",
            "23001 does not follow",
        ),
        "the sealer exports for somebody else": (
            SEALER,
            "UPDATE audit_export SET asked_by_id = 1",
            "23001 kind, table_key, from_at, to_at, asked_by_id, asked_at of a row stays",
        ),
        "the sealer deletes its own row": (
            SEALER,
            "DELETE FROM audit_sealing",
            "42501 permission denied for table audit_sealing",
        ),
        "the sealer seals an entry under another's hash": (
            SEALER,
            "INSERT INTO audit_leaf (index, chain_id, seq, hash)"
            " SELECT max(index) + 1, 'house', 1 + max(seq) FILTER (WHERE chain_id = 'house'), sha256('x')"
            " FROM audit_leaf",
            "23001 on do not follow",
        ),
        "the owner changes an entry": (OWNER, "UPDATE audit_entry SET body = body || ' '", "23001 UPDATE refused"),
        "the owner replays as a replica": (
            OWNER,
            "SET session_replication_role = replica",
            '42501 permission denied to set parameter "session_replication_role',
        ),
        "the owner changes a payment by a rule's back": (
            OWNER,
            "UPDATE payouts_payment SET paid_units = paid_units + 1, net_units = net_units + 1",
            "23001 UPDATE refused",
        ),
        "the owner moves a round's settlement": (
            OWNER,
            "UPDATE tables_round SET settlement_id = 1 WHERE id = $settled",
            "23001 only a later settlement of its own",
        ),
    },
    "settings": {
        "a session that fires no triggers": (
            APP,
            "SET LOCAL session_replication_role = replica",
            '42501 permission denied to set parameter "session_replication_role',
        ),
        "a setting by a function": (
            APP,
            "SELECT set_config('session_replication_role', 'local', true)",
            '42501 permission denied to set parameter "session_replication_role',
        ),
        "plpgsql told to prefer columns": (
            APP,
            # A setting of a language is known once the session has used it.
            "DO $$$$BEGIN END$$$$; SET LOCAL plpgsql.variable_conflict = use_column",
            '42501 permission denied to set parameter "plpgsql.variable_conflict',
        ),
        "commits that are not checked": (
            APP,
            "SET LOCAL ignore_checksum_failure = on",
            '42501 permission denied to set parameter "ignore_checksum_failure',
        ),
        "catalogues that may be changed": (
            APP,
            "SET LOCAL allow_system_table_mods = on",
            '42501 permission denied to set parameter "allow_system_table_mods',
        ),
        "a catalogue changed": (
            APP,
            "UPDATE pg_trigger SET tgenabled = 'D'",
            "42501 permission denied for table pg_trigger",
        ),
        "statistics set by hand": (
            APP,
            "SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', 'payouts_transfer',"
            " 'reltuples', 0::real)",
            "42501 permission denied for table payouts_transfer",
        ),
        **{
            f"chips that do not add up, with {setting}": (
                APP,
                statements(f"SET LOCAL {setting}", movement(units=500000, chips='{"500":1}')),
                "23001 it moves something else than its movement",
            )
            for setting in _SETTINGS
        },
        **{
            f"a drop that nobody tells, with {setting}": (
                APP,
                statements(f"SET LOCAL {setting}", movement(logged=False)),
                "23001 in the ledger",
            )
            for setting in _SETTINGS[:3]
        },
        "a drop that nobody tells, in a read of before": (
            APP,
            statements("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", movement(logged=False)),
            "23001 movement.made of movement",
        ),
        "a transfer that a statement's end hides": (
            APP,
            statements("SET LOCAL statement_timeout = '1ms'", "SELECT pg_sleep(1)", movement(logged=False)),
            "57014 canceling statement due to statement timeout",
        ),
    },
}
