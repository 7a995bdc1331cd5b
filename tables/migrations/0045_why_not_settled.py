from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0044_late_series"),
    ]

    operations = [
        migrations.AddField(
            model_name="round",
            name="failure",
            field=models.CharField(db_default="", editable=False, max_length=200),
        ),
    ]
