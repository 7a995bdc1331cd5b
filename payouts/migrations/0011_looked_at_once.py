from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    """What the guards of transfers and payments look at anyway has no foreign keys besides."""

    dependencies = [("payouts", "0010_slips")]

    operations = [
        migrations.AlterField(
            "transfer",
            "settlement",
            models.ForeignKey(
                db_constraint=False, null=True, on_delete=PROTECT, related_name="transfers", to="payouts.settlement"
            ),
        ),
        migrations.AlterField(
            "transfer",
            "debit",
            models.ForeignKey(db_constraint=False, on_delete=PROTECT, related_name="debits", to="payouts.account"),
        ),
        migrations.AlterField(
            "transfer",
            "credit",
            models.ForeignKey(db_constraint=False, on_delete=PROTECT, related_name="credits", to="payouts.account"),
        ),
        migrations.AlterField(
            "payment",
            "settlement",
            models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=PROTECT,
                related_name="payments",
                to="payouts.settlement",
            ),
        ),
    ]
