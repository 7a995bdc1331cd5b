import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0016_snapshots_of_their_own"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
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
                    ("drop_box", "drop box"),
                ],
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="movement",
            name="approved_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
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
                condition=models.Q(("approved_by__isnull", False), ("kind", "buy_in"), _connector="OR"),
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
                            "buy_in",
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
        Sql("movements.sql", "c24a97d8844ab093ac7eb4539785a103fc5450c0c766fd83dca69b66adfaac25"),
        Sql("transfers.sql", "b020b6704ae7e727153bc5f4612e9e65f05f08a4673ca37a31cbb61b2b3c3a08"),
    ]
