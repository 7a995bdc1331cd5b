from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("tables", "0020_guards_of_slips")]

    operations = [
        migrations.AlterField(
            model_name="alarm",
            name="kind",
            field=models.CharField(
                choices=[("call", "call for a pit boss"), ("slip_late", "slip overdue")], max_length=20
            ),
        ),
    ]
