from django.db import migrations, models

from casino.database import GrantSealer, Sql


class Migration(migrations.Migration):
    dependencies = [("audit", "0004_what_was_signed")]

    operations = [
        migrations.RemoveConstraint(model_name="chain", name="chain_key_known"),
        migrations.AddConstraint(
            model_name="chain",
            constraint=models.CheckConstraint(
                condition=models.Q(("key__regex", "^(house|table:[1-9][0-9]{0,17})$")), name="chain_key_known"
            ),
        ),
        Sql(
            "entries.sql",
            "971a533c36f3ba402083a9e067e6bd093400c3cb7c4144a87dddaab15ca4eadc",
            calls=["entry_envelope(text)"],
        ),
        # The sealer writes entries too.
        GrantSealer(calls=["entry_envelope(text)"]),
    ]
