from django.db import migrations

from casino.database import AppendOnly, Grant, Sql

# Of days that were closed before these figures were written.
WRITE = """
INSERT INTO tables_sessionfigures SELECT * FROM session_figures(ARRAY(
    SELECT s.id FROM tables_session s JOIN tables_gamingday d ON d.date = s.business_date WHERE d.status = 'CLOSED'
        AND NOT EXISTS (SELECT FROM tables_sessionfigures written WHERE written.session_id = s.id)));
INSERT INTO tables_housefigures
SELECT day.id, known.* FROM tables_gamingday day CROSS JOIN LATERAL house_figures(day.date) known
WHERE day.status = 'CLOSED';
"""


class Migration(migrations.Migration):
    dependencies = [("tables", "0066_house_figures")]

    operations = [
        Sql(
            "figures.sql",
            "b613db3f0ec9f7b26a0c19ddec05bda23702f82957bafe456c9a8cbdfd556969",
            calls=["session_figures(bigint[])", "figures_between(date, date)"],
        ),
        Sql("house_figures.sql", "00fc30fb0e386cec18596d9f66cc0fb4a6d034bd03099becdce28ca844f72391"),
        AppendOnly("tables_housefigures"),
        Grant("tables_housefigures", "SELECT"),
        migrations.RunSQL(WRITE),
    ]
