"""What the database refuses, in its own words: each guard's operations, its name and its sentence.

`manage.py guards` writes it as `docs/guards.md`. It reads PostgreSQL's catalogue, which any role may.
"""

import re
from itertools import groupby
from typing import NamedTuple

from django.apps import apps
from django.conf import settings
from django.db import connection

from . import database

OURS = ("casino", "audit", "payouts", "tables")
OPERATIONS = ("SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE")

HEAD = """# What the database refuses

Each line is a sentence that holds, the operations that the database refuses where they would break it, and the guard
that refuses them. What triggers, checks and unique keys refuse they refuse to everybody: to the app, to a person who
has its password, to the owner, and to a superuser who replays as a replica. Rights bind the role that is named. The
functions of triggers stand in the files that are named; where a sentence says "when the transaction ends", the trigger
looks then.

Beside these guards, a column that has to be filled is never empty, foreign keys lead to rows that are there, and no
deletion takes other rows with it. The owner can switch a trigger off; then no process of this program starts.

This page is made from the database by `manage.py guards > docs/guards.md`; a test compares the two.
"""

# The catalogue has what a trigger fires on as bits of a number.
_TRIGGERS = """
SELECT c.relname::text, t.tgname::text, t.tgtype::int,
    ARRAY(SELECT attname::text FROM unnest(t.tgattr::int[]) WITH ORDINALITY AS fired(number, place)
          JOIN pg_attribute ON attrelid = c.oid AND attnum = fired.number ORDER BY fired.place),
    p.proname::text, coalesce(obj_description(t.oid, 'pg_trigger'), '')
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
"""
# A unique index without a constraint of its name is one on some of the rows.
_RULES = """
SELECT c.relname::text, o.conname::text, o.contype::text, coalesce(obj_description(o.oid, 'pg_constraint'), ''),
    ARRAY(SELECT attname::text FROM unnest(o.conkey) WITH ORDINALITY AS said(number, place)
          JOIN pg_attribute ON attrelid = c.oid AND attnum = said.number ORDER BY said.place)
FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
WHERE o.contype IN ('c', 'u') AND c.relnamespace = 'public'::regnamespace
UNION ALL
SELECT c.relname::text, i.relname::text, 'u', coalesce(obj_description(i.oid, 'pg_class'), ''), ARRAY[]::text[]
FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
WHERE x.indisunique AND c.relnamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.oid AND contype IN ('p', 'u'))
"""
_RIGHTS = """
SELECT c.relname::text,
    ARRAY(SELECT p FROM unnest(%s::text[]) WITH ORDINALITY AS asked(p, place)
          WHERE has_table_privilege(%s, c.oid, p) ORDER BY place),
    ARRAY(SELECT p FROM unnest(%s::text[]) WITH ORDINALITY AS asked(p, place)
          WHERE has_table_privilege(%s, c.oid, p) ORDER BY place),
    has_table_privilege(%s, c.oid, 'SELECT'),
    ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped
          AND NOT has_column_privilege(%s, c.oid, attnum, 'SELECT') ORDER BY attname)
FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY 1
"""
_CALLED = """
SELECT proname || '(' || pg_get_function_identity_arguments(oid) || ')', proname::text,
    coalesce(obj_description(oid, 'pg_proc'), '')
FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND has_function_privilege(%s, oid, 'EXECUTE') ORDER BY 1
"""


class Guard(NamedTuple):
    """A guard of a table."""

    table: str
    operations: tuple
    kind: str
    name: str
    function: str
    columns: tuple
    sentence: str


class Rights(NamedTuple):
    """What the app's, the sealer's and the auditor's role may do with a table; the latter two read the same of it."""

    table: str
    app: list
    sealer: list
    reads_all: bool
    hidden: list


def _asked(statement, parameters=()):
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall()


def guards():
    """Every trigger and every rule of the rows, by table."""
    bits = {"INSERT": 4, "UPDATE": 16, "DELETE": 8, "TRUNCATE": 32}
    for table, name, fires, columns, function, sentence in _asked(_TRIGGERS):
        operations = tuple(operation for operation in bits if fires & bits[operation])
        yield Guard(table, operations, "trigger", name, function, tuple(columns), sentence)
    for table, name, kind, sentence, columns in _asked(_RULES):
        same = f"No two rows have the same {' and '.join(columns)}." if kind == "u" and columns else ""
        kind_word = "unique" if kind == "u" else "check"
        yield Guard(table, ("INSERT", "UPDATE"), kind_word, name, "", (), sentence or same)


def rights():
    """The rights to every table."""
    app, sealer, auditor = database.app_role(), settings.SEALER_ROLE, settings.AUDITOR_ROLE
    asked = [list(OPERATIONS), app, list(OPERATIONS), sealer, auditor, auditor]
    return [Rights(*row) for row in _asked(_RIGHTS, asked)]


def tables():
    """The tables of our own models."""
    return {model._meta.db_table for app in OURS for model in apps.get_app_config(app).get_models()}


def files():
    """Where each function is defined: its name to the file's path in the repository."""
    return {
        function: f"{app}/sql/{path.name}"
        for app in OURS
        for path in database.sql_files(app).values()
        for function in re.findall(
            r"^CREATE OR REPLACE (?:FUNCTION|PROCEDURE) (\w+)", path.read_text("utf-8"), re.MULTILINE
        )
    }


def document():
    """The page, as Markdown."""
    places, rights_to = files(), {right.table: right for right in rights()}
    ours = [model for app in OURS for model in apps.get_app_config(app).get_models()]
    by_table = {name: list(group) for name, group in groupby(sorted(guards()), key=lambda guard: guard.table)}
    names = [model._meta.db_table for model in ours]
    parts = [HEAD, ", ".join(f"[{name}](#{name})" for name in names) + ".\n"]
    for model, name in zip(ours, names, strict=True):
        lines = [*_lines(by_table.get(name, []), places), *_rights_lines(rights_to.pop(name))]
        parts.append(_section(name, _what(model), ("Operation", "Guard", "Refused where it would break this"), lines))
    parts.append(
        _section(
            "Tables of Django and django-axes",
            "They have no guards but the rights to them.",
            ("Table", "The app's role may", "The auditor's and the sealer's may"),
            [_other(right) for right in rights_to.values()],
        )
    )
    parts.append(
        _section(
            "Functions that the app's role may call",
            "They run as their caller, who meets the same guards; `hold_cage` locks an account as its owner.",
            ("Function", "Stands in", "What it does"),
            [
                (f"`{signature}`", _function(name, places), sentence)
                for signature, name, sentence in _asked(_CALLED, [database.app_role()])
            ],
        )
    )
    return "\n".join(parts)


def _section(title, words, heads, lines):
    rows = "\n".join(f"| {' | '.join(line)} |" for line in (heads, ("---",) * len(heads), *lines))
    return f"## {title}\n\n{words}\n\n{rows}\n"


def _what(model):
    return " ".join(model.__doc__.partition("\n\n")[0].split())


def _lines(of_table, places):
    """Triggers first, in the order in which they fire; then the rules of a row."""
    grows = any(guard.name == "append_only" for guard in of_table)
    for guard in sorted(of_table, key=lambda guard: (guard.kind != "trigger", guard.kind, guard.name)):
        operations = ", ".join(guard.operations)
        if guard.columns:
            operations = operations.replace("UPDATE", f"UPDATE of {', '.join(guard.columns)}")
        if guard.function:
            yield operations, f"trigger `{guard.name}`, function {_function(guard.function, places)}", guard.sentence
        else:
            yield "INSERT" if grows else operations, f"{guard.kind} `{guard.name}`", guard.sentence


def _function(name, places):
    return f"[`{name}`](../{places[name]})"


def _rights_lines(right):
    yield _bounds("app", right.app)
    writes = len(right.sealer) > 1
    if writes:
        yield _bounds("sealer", right.sealer)
    hidden = ", ".join(right.hidden)
    reads = f"SELECT of {hidden}, " if hidden else ""
    reader = "It" if writes else "Each"
    sentence = f"{reader} reads all but {hidden}." if hidden else f"{reader} reads all and writes nothing."
    whose = "auditor's role" if writes else "auditor's and the sealer's role"
    yield f"{reads}{', '.join(OPERATIONS[1:])}", f"rights of the {whose}", sentence


def _bounds(role, rights):
    refused = [operation for operation in OPERATIONS if operation not in rights]
    return ", ".join(refused), f"rights of the {role}'s role", f"It may {', '.join(rights)} and nothing else."


def _other(right):
    """The row of a table that is not ours: Django's, or one of its apps'."""
    return right.table, ", ".join(right.app) or "nothing", "SELECT" if right.reads_all else "nothing"
