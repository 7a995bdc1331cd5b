"""Any number of gaming days for measuring: one that was played and closed, and copies of it on the days before.

The day's rows are known by their numbers: `number_from_here` gives everything that happens from then on numbers of ten
digits, even in references within texts, and a copy puts the number of its day before them.
"""

from .house import unguarded

# What stays while days pass: people and places.
_STAYS = (
    "payouts_account%",
    "payouts_coefficienttable%",
    "tables_table%",
    "tables_pit%",
    "tables_posting%",
    "tables_rulesheet%",
    "tables_inforce%",
    "tables_signon%",
    "tables_slipnumber%",
    "tables_terminal%",
)
BASE = 3_000_000_000
NUMBERED = r"\m3[0-9]{9}\M"
OF_A_DAY = 10_000_000_000
# Numbers that count something, each with the distance between two days.
_COUNTED = {"tables_round number": 1_000_000, "tables_slip number": 10_000, "tables_case number": 1_000}
_SEQUENCES = """
SELECT sequencename FROM pg_sequences
WHERE schemaname = 'public' AND sequencename ~ '^(payouts|tables)' AND sequencename NOT LIKE ALL (%s)
"""
_COLUMNS = """
SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL) FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname ~ '^(audit_entry|payouts|tables)'
    AND c.relname NOT LIKE ALL (%s) ORDER BY c.relname, a.attnum
"""
_ORIGINALS = "CREATE TEMP TABLE of_{table} AS SELECT t.* FROM {table} t WHERE {numbered}"
_COPY = "INSERT INTO {table} ({names}) SELECT {values} FROM of_{table} t"


def number_from_here(superuser):
    """Give all that happens from here on, except people and places, numbers by which it is known."""
    for (name,) in superuser.execute(_SEQUENCES, [list(_STAYS)]).fetchall():
        superuser.execute("SELECT setval(%s, %s)", [name, BASE])
    # The day itself began with the first thing that happened in it.
    superuser.execute("ALTER TABLE tables_gamingday DISABLE TRIGGER USER")
    superuser.execute("UPDATE tables_gamingday SET id = id + %s", [BASE])
    superuser.execute("ALTER TABLE tables_gamingday ENABLE TRIGGER USER")


def repeat(superuser, days, tick=lambda done, of: None):
    """Copy the day that was played and closed to this many days before it.

    :param tick: called with how many days are copied, of how many.
    """
    tables = {}
    for table, column, kind in superuser.execute(_COLUMNS, [list(_STAYS)]):
        if (table, column) == ("audit_entry", "id"):
            continue  # Nothing names it.
        tables.setdefault(table, {})[column] = kind
    statements = []
    for table, columns in tables.items():
        numbered = " OR ".join(_is_of_the_day(column, kind) for column, kind in columns.items())
        superuser.execute(_ORIGINALS.format(table=table, numbered=numbered))
        names = ", ".join(f'"{column}"' for column in columns)
        values = ", ".join(_copied(table, column, kind) for column, kind in columns.items())
        statements.append(_COPY.format(table=table, names=names, values=values))
    date = superuser.execute("SELECT max(date) FROM tables_gamingday").fetchone()[0]
    entries = superuser.execute("SELECT max(seq) FROM audit_entry").fetchone()[0]
    with unguarded(superuser, tables, tables):
        for day in range(1, days + 1):
            tick(day, days)
            given = {"day": day, "shift": day * OF_A_DAY, "entries": day * entries, "date": str(date)}
            for statement in statements:
                superuser.execute(statement, given)


def _is_of_the_day(column, kind):
    if kind == "bigint":
        return f't."{column}" >= {BASE}'
    return f"""t."{column}"::text ~ '{NUMBERED}'""" if _is_text(kind) else "false"


def _is_text(kind):
    return kind in {"text", "character varying", "json", "jsonb"} or kind.endswith("[]")


def _copied(table, column, kind):
    """A column of a copy: numbers belong to the other day, moments are moved by as many days."""
    name = f't."{column}"'
    if f"{table} {column}" in _COUNTED:
        return f"{name} + %(day)s * {_COUNTED[f'{table} {column}']}"
    if (table, column) == ("audit_entry", "seq"):
        return f"{name} + %(entries)s"
    if kind == "bigint":
        return f"CASE WHEN {name} >= {BASE} THEN {name} + %(shift)s ELSE {name} END"
    if kind == "date":
        return f"{name} - %(day)s"
    if kind == "timestamp with time zone":
        return f"{name} - %(day)s * interval '1 day'"
    if _is_text(kind):
        text = f"regexp_replace({name}::text, '({NUMBERED})', %(day)s || '\\1', 'g')"
        # The clock may be a calendar day ahead or behind; the earliest comes first, so that none is moved twice.
        for apart in ("- 1", "+ 0", "+ 1"):
            of = f"%(date)s::date {apart}"
            text = f"replace({text}, ({of})::text, ({of} - %(day)s)::text)"
        return f"({text})::{kind}"
    return name
