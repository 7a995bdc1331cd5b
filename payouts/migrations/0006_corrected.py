from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0005_write"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="settlement",
            index=models.Index(
                condition=models.Q(("generation__gt", 1)), fields=["table_key"], name="settlement_corrected"
            ),
        ),
    ]
