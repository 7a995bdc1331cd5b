from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0009_fewer_queries"),
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
                    ("fill_issued", "fill issued"),
                    ("fill", "fill"),
                    ("fill_returned", "fill sent back"),
                    ("credit", "credit"),
                    ("credit_received", "credit received"),
                    ("credit_returned", "credit sent back"),
                    ("drop", "drop"),
                    ("variance", "variance"),
                ],
                max_length=20,
            ),
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
                    ("reversal", "reversal"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["float", "patrons", "pot"]), ("owner__regex", "^table:[0-9]+$")),
                    models.Q(("kind__in", ["cage", "transit", "count_room", "rake", "variance"]), ("owner", "house")),
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
                            "reversal",
                        ],
                    )
                ),
                name="transfer_reason_known",
            ),
        ),
        Sql("movements.sql", "ab7f65cd3c7c9a019ae18a029062860c5e6f8f369ae07c36804db6b5414b2dd1"),
        Sql("transfers.sql", "7b712526d2a5b6c4b243feb4f1eaedebd95f41ceea480c536d1403f99a38bd67"),
    ]
