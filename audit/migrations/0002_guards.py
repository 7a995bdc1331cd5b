from django.db import migrations

from casino.database import AppendOnly, Grant, Keeps, Kept, Sql, Timed

GROWING = ("audit_entry", "audit_leaf", "audit_subtree", "audit_checkpoint", "audit_anchor")


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_tables"), ("casino", "0002_guards")]

    operations = [
        Sql("entries.sql", "3f72ce23f93ddaaee8dc195eaa72b5e58453752cbbcb352409aaf592ecbf6f21"),
        Sql(
            "append.sql",
            "498b193a48ebf3dc2df20e06fa45fa311d864b46a12af68300075287ee736e77",
            calls=["append_entries(text, bigint, json, text, timestamptz)"],
        ),
        Sql("tree.sql", "ac19f14bd1a7fae844f6737371f972cede71e1c41275cb4e44ef737348aea4ae"),
        Sql("exports.sql", "b9dc00ead3d7d4d417c658e0f90a42287e34de03fe45026415e298cc0acd0d37"),
        *(AppendOnly(table) for table in GROWING),
        *(Grant(table, "SELECT, INSERT") for table in GROWING),
        Kept("audit_chain"),
        Grant("audit_chain", "SELECT, INSERT, UPDATE"),
        Kept("audit_sealing"),
        Grant("audit_sealing", "SELECT, UPDATE"),
        Kept("audit_export"),
        Keeps("audit_export", "kind", "table_key", "from_at", "to_at", "asked_by_id", "asked_at"),
        Timed("audit_export", "ended_at"),
        Grant("audit_export", "SELECT, INSERT, UPDATE"),
    ]
