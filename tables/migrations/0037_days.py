import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.database import Grant, GrantSealer, Kept, Sql, Timed

# Days of which something is under way; what was over before there were days is of none.
MAKE = """
INSERT INTO tables_gamingday (date, status, figures, digest)
SELECT DISTINCT date, 'OPEN', '', '' FROM (
    SELECT business_date FROM tables_session WHERE status <> 'CLOSED'
    UNION ALL SELECT business_date FROM tables_cageshift WHERE status <> 'CLOSED'
    UNION ALL SELECT business_date FROM tables_dropbox WHERE status <> 'COUNTED'
    UNION ALL SELECT s.business_date FROM tables_slip p JOIN tables_session s ON s.id = p.session_id
    WHERE p.status IN ('REQUESTED', 'ISSUED')) AS unfinished (date);
"""


class Migration(migrations.Migration):
    dependencies = [
        ("payouts", "0018_corrections"),
        ("tables", "0036_large_cash"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="GamingDay",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("date", models.DateField()),
                (
                    "status",
                    models.CharField(choices=[("OPEN", "open"), ("CLOSED", "closed")], default="OPEN", max_length=10),
                ),
                ("closed_at", models.DateTimeField(null=True)),
                ("figures", models.TextField(default="")),
                ("digest", models.CharField(default="", max_length=64)),
                (
                    "closed_by",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "closed_with",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["date"],
                "constraints": [
                    models.UniqueConstraint(fields=["date"], name="gamingday_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("closed_at", None),
                                ("closed_by", None),
                                ("closed_with", None),
                                ("digest", ""),
                                ("figures", ""),
                                ("status", "OPEN"),
                            ),
                            models.Q(
                                ("closed_at__isnull", False),
                                ("closed_by__isnull", False),
                                ("closed_with__isnull", False),
                                ("status", "CLOSED"),
                                models.Q(("figures", ""), _negated=True),
                                models.Q(("digest", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="gamingday_closed_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("closed_by", None),
                            models.Q(("closed_by", models.F("closed_with")), _negated=True),
                            _connector="OR",
                        ),
                        name="gamingday_four_eyes",
                    ),
                ],
            },
        ),
        migrations.RunSQL(MAKE),
        Sql(
            "days.sql",
            "48079a0d3934899164cf90748415e7509802b8de85c456f7746fbdb10be55ee9",
        ),
        Sql(
            "cage.sql",
            "036079c0ab3c608a02243d578c200b4b960c6190857a02c5803e87fd3609001d",
            calls=["house_chips()", "hold_cage()"],
        ),
        Sql(
            "settlements.sql",
            "621a93a9c01ffe2768b679ba33307021a3ff04d07b2ec5ada92444a32c1e9232",
        ),
        Sql(
            "sessions.sql",
            "14f956aeb9458367a3d5073cd11b885c5fa396191acb67f66b7a47682ac6cc31",
        ),
        Kept("tables_gamingday"),
        Timed("tables_gamingday", "closed_at"),
        Grant("tables_gamingday", "SELECT, UPDATE"),
        GrantSealer(calls=["cage_shift_digests(bigint[])"]),
    ]
