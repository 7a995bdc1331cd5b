from django.db import migrations

from casino.database import AppendOnly, Grant, Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0062_session_figures")]

    operations = [
        Sql(
            "figures.sql",
            "f0ab52c63dd94fcc15c3fccd1d80f7c9bf17dfaa6269a60ce38caa67c98406e7",
            calls=["session_figures(bigint[])", "figures_between(date, date)"],
        ),
        AppendOnly("tables_sessionfigures"),
        Grant("tables_sessionfigures", "SELECT"),
        # Those of days that were closed before are written by 0067, as the function is laid down there.
    ]
