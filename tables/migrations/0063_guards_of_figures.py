from django.db import migrations

from casino.database import AppendOnly, Grant, Sql

# Of days that were closed before figures were written.
WRITE = """
INSERT INTO tables_sessionfigures SELECT * FROM session_figures(ARRAY(
    SELECT s.id FROM tables_session s JOIN tables_gamingday d ON d.date = s.business_date WHERE d.status = 'CLOSED'));
"""


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
        migrations.RunSQL(WRITE),
    ]
