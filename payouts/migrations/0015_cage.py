from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0014_rake"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="account",
            name="account_owner_fits",
        ),
        migrations.RemoveConstraint(
            model_name="movement",
            name="movement_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="transfer",
            name="transfer_reason_known",
        ),
        migrations.AlterField(
            model_name="account",
            name="kind",
            field=models.CharField(
                choices=[
                    ("float", "float"),
                    ("patrons", "patrons"),
                    ("pot", "pot"),
                    ("cage", "cage"),
                    ("transit", "in transit"),
                    ("count_room", "count room"),
                    ("rake", "rake"),
                    ("variance", "variance"),
                    ("issued", "chips issued"),
                    ("cash", "cash of the cage"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="movement",
            name="kind",
            field=models.CharField(
                choices=[
                    ("opener", "opener"),
                    ("closer", "closer"),
                    ("rake", "rake"),
                    ("fill_issued", "fill issued"),
                    ("fill", "fill"),
                    ("fill_returned", "fill sent back"),
                    ("credit", "credit"),
                    ("credit_received", "credit received"),
                    ("credit_returned", "credit sent back"),
                    ("drop", "drop"),
                    ("variance", "variance"),
                    ("issued", "issued"),
                    ("withdrawn", "taken out of use"),
                    ("sold", "sold"),
                    ("cashed", "cashed"),
                ],
                max_length=20,
            ),
        ),
        # A variance of the cage belongs to a session that opens or to a shift of the cage.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER TABLE movement_rules DROP CONSTRAINT movement_rules_pkey,"
                    " ADD PRIMARY KEY (kind, debit, credit, subject)"
                )
            ],
            state_operations=[
                migrations.AlterField(
                    "movementrule",
                    "pk",
                    models.CompositePrimaryKey(
                        "kind",
                        "debit",
                        "credit",
                        "subject",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                )
            ],
        ),
        migrations.AlterField(
            model_name="transfer",
            name="reason",
            field=models.CharField(
                choices=[
                    ("wager", "wager"),
                    ("stake_in", "stake into the pot"),
                    ("share", "share of the pot"),
                    ("rake", "rake"),
                    ("points", "points"),
                    ("opener", "opener"),
                    ("closer", "closer"),
                    ("fill_issued", "fill issued"),
                    ("fill", "fill"),
                    ("fill_returned", "fill sent back"),
                    ("credit", "credit"),
                    ("credit_received", "credit received"),
                    ("credit_returned", "credit sent back"),
                    ("drop", "drop"),
                    ("variance", "variance"),
                    ("issued", "issued"),
                    ("withdrawn", "taken out of use"),
                    ("sold", "sold"),
                    ("cashed", "cashed"),
                    ("reversal", "reversal"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["float", "patrons", "pot", "rake"]), ("owner__regex", "^table:[0-9]+$")),
                    models.Q(
                        ("kind__in", ["cage", "transit", "count_room", "rake", "variance", "issued", "cash"]),
                        ("owner", "house"),
                    ),
                    _connector="OR",
                ),
                name="account_owner_fits",
            ),
        ),
        migrations.AddConstraint(
            model_name="movement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "rake",
                            "opener",
                            "closer",
                            "drop",
                            "variance",
                            "fill_issued",
                            "fill",
                            "fill_returned",
                            "credit",
                            "credit_received",
                            "credit_returned",
                            "issued",
                            "withdrawn",
                            "sold",
                            "cashed",
                        ],
                    )
                ),
                name="movement_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "reason__in",
                        [
                            "wager",
                            "stake_in",
                            "share",
                            "rake",
                            "points",
                            "opener",
                            "closer",
                            "drop",
                            "variance",
                            "fill_issued",
                            "fill",
                            "fill_returned",
                            "credit",
                            "credit_received",
                            "credit_returned",
                            "issued",
                            "withdrawn",
                            "sold",
                            "cashed",
                            "reversal",
                        ],
                    )
                ),
                name="transfer_reason_known",
            ),
        ),
        Sql("movements.sql", "0368fc986a1b23dc24e56b92d4fffdfe4cf05775471a4346bcbc564afde2fa39"),
        Sql("transfers.sql", "ae5e355ac5d73e308228e08d385a673b394c8c0f4090f561575cd07c0f067a25"),
        Sql(
            "evidence.sql",
            "dcb99a49d07d1df3fe70a9cd2444d50ffe103ba36b89f4d4420fe959310c2932",
            calls=["evidence_fault(text, text)"],
        ),
    ]
