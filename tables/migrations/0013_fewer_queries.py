from django.db import migrations

from casino.database import Sql


class Migration(migrations.Migration):
    dependencies = [
        ("tables", "0012_readable_json"),
        ("payouts", "0009_fewer_queries"),
        ("audit", "0012_appended_in_one_call"),
    ]

    operations = [
        Sql("settlements.sql", "fa4e8d1cb7308fd2a7a11cf0e8d9cf5768471d51d0a4ac437ced9720129ad55f"),
        Sql("rounds.sql", "1fa1422e2dfbd316ebdc07b8178719806a070089a8aed66b5ab237196195d558"),
        Sql(
            "settling.sql",
            "07ca61b0fba6840ba1e88c90a35ed6aeb900a216d723857d67f536cefb2ecfd3",
            calls=[
                "lease_due(int, int, interval, interval)",
                "read_rounds(bigint[], text)",
                "settle_rounds(bigint[], text, int[], json, json, json, text, json)",
            ],
        ),
        Sql(
            "acting.sql",
            "233faae5fda29d02d4dace838abac48db7f185f3fb582d1aebe4dae46ed5bd96",
            calls=[
                "lock_round(bigint, boolean, bigint[], bigint[])",
                "write_action(bigint, json, json, json, text, json)",
                "write_closing(bigint, text, text, bigint, text, json)",
            ],
        ),
    ]
