"""Each moment that a role may write is one that the product can read: no `infinity`, no year 10,000."""

import psycopg

UNREADABLE = ("infinity", "-infinity", "12000-01-01", "0044-03-15 BC")
# Which trigger says what a moment may be, where neither `timed` fills it nor a constraint gives its range.
OTHERS = {
    "audit_chain at": "moves_forward",
    "casino_setting from_at": "from_now",
    "casino_wronglogins minute": "of_now",
    **dict.fromkeys((f"payouts_edgeresult {name}_at" for name in ("asked", "beat", "begun")), "moves"),
    "payouts_movement begun_at": "made_here",
    "payouts_movement business_date": "with_entry",
    "payouts_settlement begun_at": "made_here",
    "payouts_settlement business_date": "taken",
    "payouts_transfer business_date": "joins_header",
    "tables_cageshift business_date": "opens",
    "tables_case due_at": "moves",
    "tables_credential used_at": "moves",
    "tables_dropbox business_date": "moves",
    "tables_gamingday date": "moves",
    "tables_inforce from_at": "from_now",
    "tables_luckday business_date": "adds_up",
    "tables_question due_at": "moves",
    "tables_round next_at": "comes_due",
    "tables_roundluck business_date": "is_of_round",
    "tables_session business_date": "opens",
    "tables_terminal last_seen_at": "moves",
    "tables_tipcount date": "is_counted",
}
# Of each role that may write it: whether it may be changed, the triggers of its table but `timed`, whether `timed`
# fills it, whether a constraint names its range.
WRITABLE = """
    SELECT c.relname || ' ' || a.attname, r.rolname::text, has_column_privilege(r.oid, c.oid, a.attnum, 'UPDATE'),
        ARRAY(SELECT tgname::text FROM pg_trigger t WHERE t.tgrelid = c.oid AND NOT t.tgisinternal),
        EXISTS (SELECT FROM pg_trigger t WHERE t.tgrelid = c.oid AND t.tgname = 'timed'
                AND a.attname::text = ANY (string_to_array(encode(t.tgargs, 'escape'), '\\000'))),
        EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND a.attnum = ANY (k.conkey)
                AND pg_get_constraintdef(k.oid) ~ (a.attname || ' (>|>=|<|<=) '))
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid CROSS JOIN pg_roles r
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND r.rolname IN ('casino_app', 'casino_sealer')
        AND a.atttypid IN ('timestamptz'::regtype, 'date'::regtype)
        AND (has_column_privilege(r.oid, c.oid, a.attnum, 'INSERT')
             OR has_column_privilege(r.oid, c.oid, a.attnum, 'UPDATE'))
    ORDER BY 1, 2
"""


def test_every_moment_is_filled_by_the_clock_or_has_a_range(floor):
    writable = floor.as_owner(WRITABLE)
    free = {name for name, _, _, _, timed, ranged in writable if not (timed or ranged)}
    assert free == set(OTHERS)
    assert {name for name, _, _, triggers, *_ in writable if name in OTHERS and OTHERS[name] not in triggers} == set()


def test_no_moment_becomes_unreadable(floor):
    taken = []
    for name, role, changeable, *_ in floor.as_owner(WRITABLE):
        table, column = name.split()
        connection = floor.connections[role]
        for moment in UNREADABLE if changeable else ():
            try:
                with connection.transaction():
                    connection.execute(f"UPDATE {table} SET {column} = '{moment}'")
                    connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
                    unread = f"SELECT FROM {table} WHERE NOT {column} BETWEEN '2000-01-01' AND '9000-01-01'"
                    taken += [(role, name, moment) for _ in connection.execute(f"{unread} LIMIT 1")]
                    raise psycopg.Rollback
            except psycopg.DatabaseError:
                continue
    assert taken == []
