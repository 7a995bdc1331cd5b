from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("payouts", "0013_patrons_who_left")]

    operations = [
        migrations.RemoveConstraint(model_name="account", name="account_owner_fits"),
        migrations.RemoveConstraint(model_name="movement", name="movement_kind_known"),
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
                ],
                max_length=20,
            ),
        ),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind__in", ["float", "patrons", "pot", "rake"]), ("owner__regex", "^table:[0-9]+$")),
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
                        ],
                    )
                ),
                name="movement_kind_known",
            ),
        ),
        Sql("movements.sql", "2095981dddd4075012efbbe444135c540f73639a880db52d3da388b62f4c4c6d"),
        Sql("transfers.sql", "f7ebe536863b43bbcaa331c214c98648de8c6f3c760f8ed7c2e9e03fd02d4cd9"),
    ]
