from django.db import migrations, models

from casino.database import Sql


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
            "f3936a3eb4c11ea2facaee75d49b7e439bde04124c26d65dac1a466c0406359f",
            calls=["entry_envelope(text)"],
        ),
    ]
