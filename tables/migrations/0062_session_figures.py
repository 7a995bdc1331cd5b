import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0061_guards_of_report_files"),
    ]

    operations = [
        migrations.CreateModel(
            name="SessionFigures",
            fields=[
                (
                    "session",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="figures",
                        serialize=False,
                        to="tables.session",
                    ),
                ),
                (
                    "games",
                    django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), size=None),
                ),
                ("rounds", models.BigIntegerField()),
                ("stakes", models.BigIntegerField()),
                ("opener", models.BigIntegerField()),
                ("fills", models.BigIntegerField()),
                ("credits", models.BigIntegerField()),
                ("closer", models.BigIntegerField()),
                ("drop", models.BigIntegerField()),
                ("buy_ins", models.BigIntegerField()),
                ("win", models.BigIntegerField()),
                ("rake", models.BigIntegerField()),
                ("tips", models.BigIntegerField()),
                ("variance", models.BigIntegerField()),
            ],
        ),
    ]
