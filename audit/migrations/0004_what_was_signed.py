from django.db import migrations, models

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_sealer")]

    operations = [
        migrations.AddField("sealing", "forged", models.CharField(blank=True, default="", max_length=500), False),
        migrations.AddField("sealing", "sealed", models.BigIntegerField(default=0)),
        migrations.AddField("sealing", "anchored", models.BigIntegerField(default=0)),
        migrations.AddField("sealing", "anchored_at", models.DateTimeField(null=True)),
        # The sealer puts it right when it next looks.
        migrations.RunSQL(
            "UPDATE audit_sealing SET sealed = coalesce((SELECT max(size) FROM audit_checkpoint), 0),"
            " anchored = coalesce((SELECT max(checkpoint_id) FROM audit_anchor), 0),"
            " anchored_at = (SELECT max(at) FROM audit_anchor)"
        ),
        Sql("tree.sql", "c9543915c0589f50ea5a04cfff6791653c8dc5360658885afe352eee982642e0"),
    ]
