import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("tables", "0037_days")]

    operations = [
        migrations.AddField(
            "round",
            "opened_with",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("round", "paper", models.CharField(max_length=20, null=True)),
        migrations.AddConstraint(
            "round",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(("happened_at", None), ("opened_with", None), ("paper", None)),
                    models.Q(("happened_at__isnull", False), ("opened_with__isnull", False), ("paper__isnull", False)),
                    _connector="OR",
                ),
                name="round_paper_whole",
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.CheckConstraint(
                condition=models.Q(("paper", None), ("paper__regex", "^[A-Z0-9][A-Z0-9-]{0,19}$"), _connector="OR"),
                name="round_paper_printed",
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.CheckConstraint(
                condition=models.Q(
                    ("opened_with", None),
                    models.Q(("opened_with", models.F("opened_by")), _negated=True),
                    _connector="OR",
                ),
                name="round_four_eyes",
            ),
        ),
        migrations.AddConstraint(
            "round",
            models.UniqueConstraint(
                condition=models.Q(("paper__isnull", False), models.Q(("status", "VOIDED"), _negated=True)),
                fields=("paper",),
                name="round_paper_once",
            ),
        ),
        Sql("rounds.sql", "bad8c5aa7d92bf626cd2870da0fb5d484052170b93071373e6d8df9007aa544f"),
    ]
