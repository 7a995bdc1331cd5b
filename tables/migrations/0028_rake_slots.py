import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0027_alarms_of_variances"), ("payouts", "0014_rake")]

    operations = [
        migrations.AddField(
            model_name="table",
            name="rake_account",
            field=models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="payouts.account"
            ),
        ),
        migrations.AlterField(
            model_name="count",
            name="part",
            field=models.CharField(
                choices=[
                    ("opener", "opener"),
                    ("closer", "closer"),
                    ("rake", "rake"),
                    ("fill", "fill"),
                    ("credit", "credit"),
                    ("change", "change"),
                ],
                max_length=10,
            ),
        ),
    ]
