from django.db import migrations

from casino.database import GrantSealer, Narrow, Sql

# What the auditor's role reads: all but the salt, without which the hash of the reason tells nothing.
OF_SHEET = (
    "id", "game", "version", "status", "values", "coefficient_table_id", "rules", "digest", "drafted_by_id", "drafted_at",
    "published_by_id", "published_at", "edge", "reason",
)  # fmt: skip


class Migration(migrations.Migration):
    dependencies = [("tables", "0068_edges_of_sheets")]

    operations = [
        Sql("rulesheets.sql", "953c2f8ece41c53213d8e2a4c4df811fe96548b87573780734e7c08f4f5a3522"),
        GrantSealer(calls=["rule_sheet_digests(bigint[])"]),
        Narrow("tables_rulesheet", OF_SHEET),
    ]
