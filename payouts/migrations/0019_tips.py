from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0018_corrections"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="account",
            name="account_owner_fits",
        ),
        migrations.RemoveConstraint(
            model_name="movement",
            name="movement_approved",
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
                    ("drop_box", "drop box"),
                    ("tips", "tips"),
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
                    ("buy_in", "buy-in"),
                    ("tip", "tip"),
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
                    ("tip", "tip"),
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
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind__in", ["float", "patrons", "pot", "rake", "drop_box"]),
                        ("owner__regex", "^table:[0-9]+$"),
                    ),
                    models.Q(
                        ("kind__in", ["cage", "transit", "count_room", "rake", "variance", "issued", "cash", "tips"]),
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
                condition=models.Q(("approved_by__isnull", False), ("kind__in", ["buy_in", "tip"]), _connector="OR"),
                name="movement_approved",
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
                            "tip",
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
                            "tip",
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
        Sql("movements.sql", "5b0c5814c5f65d2a0d569278bceb96ef0b68fe24aba8817869d4fe8860045a71"),
        Sql("transfers.sql", "71fd35b0944fcd0e4a09d1d96567dc1b6752cbceb264a33279407ae64a6b55d6"),
        Sql(
            "evidence.sql",
            "a66caa8f915cb3d912f1ad58aa3bda9031eedc5091a23cb22453a0863a3ab85a",
            calls=["evidence_fault(text, text)"],
        ),
    ]
