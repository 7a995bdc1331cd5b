from django.db import migrations, models

from casino.database import AppendOnly, Grant, Revoke, Sql


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0002_guards"),
    ]

    operations = [
        migrations.CreateModel(
            name="MovementRule",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "kind", "debit", "credit", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=20)),
                ("debit", models.CharField(max_length=20)),
                ("credit", models.CharField(max_length=20)),
                ("subject", models.CharField(max_length=20)),
            ],
            options={
                "db_table": "movement_rules",
            },
        ),
        migrations.RemoveConstraint(
            model_name="settlement",
            name="settlement_round_key",
        ),
        migrations.RemoveConstraint(
            model_name="transfer",
            name="transfer_units_positive",
        ),
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.CheckConstraint(
                condition=models.Q(("round_key__regex", "^round:[1-9][0-9]*$")), name="settlement_round_key"
            ),
        ),
        migrations.AddConstraint(
            model_name="settlement",
            constraint=models.CheckConstraint(
                condition=models.Func(
                    "result",
                    output_field=models.BooleanField(),
                    template="(octet_length(%(expressions)s) <= 1048576 AND %(expressions)s IS JSON OBJECT WITH UNIQUE KEYS)",
                ),
                name="settlement_result_json",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(("units__range", (1, 1000000000000))), name="transfer_units_range"
            ),
        ),
        Sql("movements.sql", "1eb48c9faa8731c0b14794c95a47750f4e9ebef8bde6529ed3385d1770c7695c"),
        Sql("transfers.sql", "254eeb0a2a2a6acc8b8aab15a5cf0481739de7ac3d861016eda7caf27c185f19"),
        Sql(
            "settlements.sql",
            "25c813d71cf391a559bd9a80b2a12b5a29bde5777940df5d44411feed91501ce",
            calls=["settlement_fault(bigint)"],
        ),
        Sql(
            "snapshots.sql",
            "46e84f86b0aaff0d142bd1181cfa7b1d13148d3dbfc2916a3f22b06a94096d9b",
        ),
        AppendOnly("movement_rules"),
        Grant("movement_rules", "SELECT"),
        Revoke("USAGE", sequence="payouts_transfer_id_seq"),
    ]
