"""Held rounds are counted by every look at whether settlement is late: few of many, so an index of their own."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0005_guards")]

    operations = [
        migrations.AddIndex(
            model_name="round",
            index=models.Index(condition=models.Q(("held_at__isnull", False)), fields=["held_at"], name="round_held"),
        ),
    ]
