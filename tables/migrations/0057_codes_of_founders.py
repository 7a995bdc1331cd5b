import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0056_logged_people"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name="onetimecode",
            name="given_by",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="onetimecode",
            name="given_with",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="onetimecode",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("given_by__isnull", True), ("given_with__isnull", True)),
                    models.Q(("given_by__isnull", False), ("given_with__isnull", False)),
                    _connector="OR",
                ),
                name="onetimecode_given_whole",
            ),
        ),
        Sql("people.sql", "88fc9faedf211c090dc1614cd02930335ecf1a1d020e8ceb4fd8684485721dcd"),
    ]
