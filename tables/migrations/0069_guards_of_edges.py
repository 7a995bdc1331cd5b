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
        Sql("rulesheets.sql", "5dec95340dfaaaa54e2e28b2a72a3efa1dbeda4b0d3114bbe76769b14310b9f2"),
        GrantSealer(calls=["rule_sheet_digests(bigint[])"]),
        Narrow("tables_rulesheet", OF_SHEET),
    ]
