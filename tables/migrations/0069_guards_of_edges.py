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
        Sql("rulesheets.sql", "5897d48cc8f1cc1b65d296a6b259eee9f750ffc588ca9afc405e91fe1f8294c2"),
        GrantSealer(calls=["rule_sheet_digests(bigint[])"]),
        Narrow("tables_rulesheet", OF_SHEET),
    ]
