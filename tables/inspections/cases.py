"""Cases and their files inspected: each against its entries."""

from django.db import connection
from django.db.models import CharField, F, Func, Value

from audit import log
from audit.comparing import Apart, differences, one_by_one, readings, surplus

from ..models import Case, CaseFile
from .rounds import person

# Without the salt: see `case_digests` in sql/cases.sql.
_COLUMNS = (
    "pk", "kind", "year", "number", "table_id", "subject", "units", "status", "owner_id", "opened_at", "due_at",
    "video", "outcome", "decided_by_id", "approved_by_id", "decided_at",
)  # fmt: skip
_PEOPLE = ("owner_id", "decided_by_id", "approved_by_id")


def look(after, upto, state):
    rows = {
        f"case:{row['pk']}": row
        for row in Case.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*_COLUMNS)
    }
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, reason, question FROM case_digests(%s)", [[row["pk"] for row in rows.values()]])
            digests = {number: texts for number, *texts in cursor.fetchall()}
        for row in rows.values():
            row["reason"], row["question"] = digests[row["pk"]]
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _case(ref, row, said[ref])))


def _case(ref, row, said):
    opened = next((each for each in said if each.event == "case.opened"), None)
    if opened is None:
        yield surplus(ref, "tables_case", "The case")
        return
    facts = dict(opened.facts)
    for each in said:
        if each.event == "case.moved":
            facts |= each.facts
    decided = next((each for each in said if each.event == "case.decided"), None)
    expected = {
        **{name: facts[name] for name in ("kind", "year", "number")},
        "units": facts.get("units"),
        "question": facts.get("question"),
        "table_id": opened.chain,
        "subject": facts["of"],
        "status": "DECIDED" if decided else "OPEN",
        "owner_id": facts["owner"],
        "opened_at": Apart(opened.at),
        "due_at": facts["due"],
        "video": facts.get("video", ""),
        "outcome": decided and decided.facts["outcome"],
        "reason": decided and decided.facts.get("reason"),
        "decided_by_id": decided and decided.facts["requester"],
        "approved_by_id": decided and decided.facts.get("approver"),
        "decided_at": decided and Apart(decided.at),
    }
    stands = {
        "table_id": f"table:{row['table_id']}",
        "due_at": log.spell_time(row["due_at"]),
        **{name: person(row[name]) for name in _PEOPLE},
    }
    yield from differences(ref, "tables_case", "", expected, row | stands)


def look_at_files(after, upto, state):
    """Inspect the files of cases, with the digest of their present bytes."""
    files = CaseFile.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    digest = Func(Func(F("content"), function="sha256"), Value("hex"), function="encode", output_field=CharField())
    files = files.annotate(bytes=digest).values("pk", "case_id", "digest", "bytes", "size", "made_by_id", "made_at")
    rows = {f"case_file:{row['pk']}": row for row in files}
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _file(ref, row, said[ref])))


def _file(ref, row, said):
    filed = next((each for each in said if each.event == "case.filed"), None)
    if filed is None:
        yield surplus(ref, "tables_casefile", "The file of the case")
        return
    expected = {
        "case_id": filed.facts["case"],
        "digest": filed.facts["digest"],
        "content": filed.facts["digest"],
        "size": filed.facts.get("checkpoint"),
        "made_by_id": filed.by,
        "made_at": Apart(filed.at),
    }
    stands = {"case_id": f"case:{row['case_id']}", "content": row["bytes"], "made_by_id": person(row["made_by_id"])}
    yield from differences(ref, "tables_casefile", "", expected, row | stands)
