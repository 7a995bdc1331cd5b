from django.db import migrations

from casino.database import Grant, GrantSealer, Kept, Sql, Timed


class Migration(migrations.Migration):
    dependencies = [("tables", "0064_questions")]

    operations = [
        Sql("questions.sql", "afbc1760e841755e3a4062396800288714eb0eb41e71f223f24b05c2caea7fbc"),
        Kept("tables_question"),
        Timed("tables_question", "asked_at", "answered_at", "settled_at"),
        # What the auditor's role reads: all but the salts, without which the hashes tell nothing.
        Grant(
            "tables_question",
            "SELECT, INSERT, UPDATE",
            columns=(
                *("id", "subject", "table_id", "follows_id", "status", "words", "asked_by_id", "asked_at", "due_at"),
                *("answer", "answered_by_id", "answered_at", "settled_by_id", "settled_at"),
            ),
        ),
        GrantSealer(calls=["question_digests(bigint[])"]),
    ]
