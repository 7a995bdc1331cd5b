"""Each JSON that a role may write is one that the product can read: not too long, not too deep, no endless numbers."""

# Columns of JSON and of text that a role may write, each with whether a constraint says that it can be read.
WRITABLE = """
    SELECT DISTINCT c.relname || ' ' || a.attname, a.atttypid::regtype::text,
        EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.conkey = ARRAY[a.attnum]
                AND pg_get_constraintdef(k.oid) ~ '^CHECK [(]+is_readable[(]')
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid CROSS JOIN pg_roles r
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND r.rolname IN ('casino_app', 'casino_sealer')
        AND a.atttypid IN ('json'::regtype, 'jsonb'::regtype, 'text'::regtype)
        AND (has_column_privilege(r.oid, c.oid, a.attnum, 'INSERT')
             OR has_column_privilege(r.oid, c.oid, a.attnum, 'UPDATE'))
"""
# Texts without that constraint, and why.
NO_JSON = {
    "audit_checkpoint note": "a signed note",
    "audit_entry body": "the trigger `follows` lets in what is in the log's one form",
    "audit_finding reason": "words",
    **dict.fromkeys(
        ("axes_accessattempt get_data", "axes_accessattempt post_data"), "django-axes writes and shows them"
    ),
    "casino_command answer": "sent as it is",
    "casino_websession content": "signed by the web server, which reads nothing else",
    "tables_alarm word": "words",
    "tables_cageshift reason": "words",
    **dict.fromkeys(("tables_case reason", "tables_case question"), "words"),
    "tables_dispute reason": "words",
    "tables_dispute statement": "words",
    "tables_dropbox reason": "words",
    "tables_gamingday figures": "the same text as in its entry, by its digest; only people read it",
    "tables_intervention reason": "words",
    **dict.fromkeys(("tables_question words", "tables_question answer"), "words"),
    **dict.fromkeys(("tables_session opener_reason", "tables_session closer_reason"), "words"),
    "tables_slip reason": "words",
    "tables_tipcount reason": "words",
}
DIGITS, DEEP = "9" * 6000, "[" * 2000 + "]" * 2000


def test_every_json_that_a_role_may_write_has_a_bound(floor):
    writable = floor.as_owner(WRITABLE)
    free = {name: kind for name, kind, bounded in writable if not bounded}
    # What its trigger `edge` lets in is made of results alone, whose figures can be read.
    assert free.pop("tables_rulesheet edge") == "jsonb"
    assert free == dict.fromkeys(NO_JSON, "text")
    assert len(writable) - len(free) == 24


def test_what_the_product_writes_is_far_from_the_bounds(floor):
    for name, *_ in floor.as_owner(WRITABLE):
        table, column = name.split()
        if name in NO_JSON:
            continue
        asked = f"SELECT max(octet_length({column}::text)), bool_or({column}::text ~ '[0-9]{{20}}'),"
        asked += f" bool_or(jsonb_path_exists({column}::jsonb, '$.**{{10 to last}}')) FROM {table}"
        ((length, digits, deep),) = floor.as_owner(asked)
        assert (length or 0) < 20_000, name
        assert not digits, name
        assert not deep, name


def test_what_no_reader_can_read_is_none(floor):
    for value, readable in {
        "1": True,
        "9" * 99: True,
        '{"a": [1, null, "x"]}': True,
        "[" * 49 + "]" * 49: True,
        DIGITS: False,
        "-" + DIGITS: False,
        f'["{DIGITS}"]': False,
        DEEP: False,
        '{"a":' * 60 + "1" + "}" * 60: False,
        '"' + "x " * 600_000 + '"': False,
    }.items():
        (answer,) = floor.as_owner(f"SELECT is_readable('{value}'::jsonb), is_readable('{value}'::text)")
        assert answer == (readable, readable), value[:40]
    assert floor.as_owner("SELECT is_readable('1e400'::jsonb)") == [(False,)]
