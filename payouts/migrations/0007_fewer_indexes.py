from django.db import migrations, models
from django.db.models.deletion import PROTECT


class Migration(migrations.Migration):
    """Indexes whose columns another one begins with, and those for patterns that nobody asks for, are dropped."""

    dependencies = [("payouts", "0006_looked_at_together")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "DROP INDEX IF EXISTS payouts_settlement_key_42e787df_like, payouts_movement_key_42b6f0cb_like,"
                    " payouts_transfer_key_e1468d3e_like, payouts_transfer_movement_id_c662b533,"
                    " payouts_payment_settlement_id_63a7428d"
                )
            ],
            # The unique keys are there already, by these names.
            state_operations=[
                *(
                    operation
                    for model, characters in (("settlement", 60), ("movement", 60), ("transfer", 120))
                    for operation in (
                        migrations.AlterField(model, "key", models.CharField(max_length=characters)),
                        migrations.AddConstraint(
                            model, models.UniqueConstraint(fields=("key",), name=f"payouts_{model}_key_key")
                        ),
                    )
                ),
                migrations.AlterField(
                    "transfer",
                    "movement",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=PROTECT,
                        related_name="transfers",
                        to="payouts.movement",
                    ),
                ),
                migrations.AlterField(
                    "payment",
                    "settlement",
                    models.ForeignKey(
                        db_index=False, on_delete=PROTECT, related_name="payments", to="payouts.settlement"
                    ),
                ),
            ],
        )
    ]
