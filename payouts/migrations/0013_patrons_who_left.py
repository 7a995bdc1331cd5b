import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("payouts", "0012_variance_of_the_cage"),
    ]

    operations = [
        migrations.AddField(
            "paymenttick",
            "left_with",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "paymenttick",
            models.CheckConstraint(
                condition=models.Q(("left_with", models.F("by")), _negated=True), name="paymenttick_left_four_eyes"
            ),
        ),
        Sql(
            "settlements.sql",
            "f0295b9d87b607bf1b489ee38bfbacee7ec30e16eaff4082d7eccb6a9d168025",
            calls=["settlement_fault(bigint)"],
        ),
    ]
