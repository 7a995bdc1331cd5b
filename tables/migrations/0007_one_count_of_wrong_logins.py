from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0006_inspections"),
        ("casino", "0005_wrong_logins"),
    ]

    operations = [
        # A minute that has no entry yet gets it from there.
        migrations.RunSQL(
            "INSERT INTO casino_wronglogins AS counted (minute, number, unknown, is_logged)"
            " SELECT minute, number, number, is_logged FROM tables_failedlogins WHERE number > 0"
            " ON CONFLICT (minute) DO UPDATE SET number = counted.number + excluded.number,"
            "  unknown = excluded.unknown, is_logged = excluded.is_logged"
        ),
        migrations.DeleteModel("FailedLogins"),
    ]
