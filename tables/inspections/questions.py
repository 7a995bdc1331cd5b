"""Questions inspected: each against the entries of its asking, its answer and its end."""

from django.db import connection

from audit import log
from audit.comparing import Apart, differences, one_by_one, readings, surplus

from ..models import Question
from .rounds import person

# Without the salts: see `question_digests` in sql/questions.sql.
_COLUMNS = (
    "pk", "subject", "table_id", "follows_id", "status", "asked_by_id", "asked_at", "due_at", "answered_by_id",
    "answered_at", "settled_by_id", "settled_at",
)  # fmt: skip
_PEOPLE = ("asked_by_id", "answered_by_id", "settled_by_id")


def look(after, upto, state):
    questions = Question.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*_COLUMNS)
    rows = {f"question:{row['pk']}": row for row in questions}
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, words, answer FROM question_digests(%s)", [[row["pk"] for row in rows.values()]])
            digests = {number: texts for number, *texts in cursor.fetchall()}
        for row in rows.values():
            row["words"], row["answer"] = digests[row["pk"]]
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _question(ref, row, said[ref])))


def _question(ref, row, said):
    events = {each.event: each for each in said}
    asked = events.get("question.asked")
    if asked is None:
        yield surplus(ref, "tables_question", "The question")
        return
    answered, settled = events.get("question.answered"), events.get("question.settled")
    expected = {
        "subject": asked.facts["of"],
        "table_id": asked.chain,
        "follows_id": asked.facts.get("follows"),
        "status": "SETTLED" if settled else "ANSWERED" if answered else "ASKED",
        "words": asked.facts["words"],
        "asked_by_id": asked.by,
        "asked_at": Apart(asked.at),
        "due_at": asked.facts["due"],
        "answer": answered and answered.facts["answer"],
        "answered_by_id": answered and answered.by,
        "answered_at": answered and Apart(answered.at),
        "settled_by_id": settled and settled.by,
        "settled_at": settled and Apart(settled.at),
    }
    stands = {
        "table_id": f"table:{row['table_id']}" if row["table_id"] else log.HOUSE,
        "follows_id": row["follows_id"] and f"question:{row['follows_id']}",
        "due_at": log.spell_time(row["due_at"]),
        **{name: person(row[name]) for name in _PEOPLE},
    }
    yield from differences(ref, "tables_question", "", expected, row | stands)
