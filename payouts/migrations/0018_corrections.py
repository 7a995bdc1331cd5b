from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0017_buy_ins"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="movement",
            name="movement_kind_known",
        ),
        migrations.RemoveConstraint(
            model_name="transfer",
            name="transfer_reason_known",
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
                    ("buy_in", "buy-in"),
                    ("drop", "drop"),
                    ("variance", "variance"),
                    ("issued", "issued"),
                    ("withdrawn", "taken out of use"),
                    ("sold", "sold"),
                    ("cashed", "cashed"),
                    ("correction", "correction"),
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
                    ("buy_in", "buy-in"),
                    ("drop", "drop"),
                    ("variance", "variance"),
                    ("issued", "issued"),
                    ("withdrawn", "taken out of use"),
                    ("sold", "sold"),
                    ("cashed", "cashed"),
                    ("correction", "correction"),
                    ("reversal", "reversal"),
                ],
                max_length=20,
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
                            "buy_in",
                            "drop",
                            "variance",
                            "correction",
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
                            "buy_in",
                            "drop",
                            "variance",
                            "correction",
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
        Sql("transfers.sql", "b020b6704ae7e727153bc5f4612e9e65f05f08a4673ca37a31cbb61b2b3c3a08"),
        Sql("movements.sql", "a1d4d09499a945a166e7fd8291e4e85d53d0a90e2fe86b0dc9999fe114aa2bb3"),
    ]
