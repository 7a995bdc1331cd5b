import django.db.models.deletion
from django.db import migrations, models

from casino.database import AppendOnly, Grant, Sql


class Migration(migrations.Migration):
    dependencies = [("audit", "0006_inspections")]

    operations = [
        migrations.CreateModel(
            name="PassedLeaf",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.BigIntegerField()),
                ("seq", models.BigIntegerField()),
                ("hash", models.BinaryField()),
                (
                    "chain",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="audit.chain",
                    ),
                ),
            ],
            options={"verbose_name_plural": "passed leaves"},
        ),
        AppendOnly("audit_passedleaf"),
        Grant("audit_passedleaf", "SELECT"),
        Sql("tree.sql", "ad2c33f6cce6f1f97d294e7b71f5ca6f28bf58718bb56b5c4c2c9044f5f6d531"),
        Sql("sealer.sql", "e56e69b2a6eb19ea666b23b4d89a6db98e4230d49a3a069299e3eda3579d4b09"),
    ]
