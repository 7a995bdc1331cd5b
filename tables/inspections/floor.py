"""The floor inspected: pits, tables, sessions, series, rule sheets with their coefficients, and where they are in
force."""

from collections import Counter

from django.db import connection

from audit import log
from audit.comparing import Apart, Difference, differences, matched, one_by_one, readings, surplus
from audit.models import Entry
from casino.games import registry
from payouts.models import Account, Coefficient

from ..models import InForce, Pit, RuleSheet, Scanner, Series, Session, Table
from .rounds import person
from .wording import WORDING


def _rows(model, after, upto):
    return {each.ref: each for each in model.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")}


def _looked(rows, differ):
    """Each row against the first entry of each event about it."""
    said = readings(rows)
    return len(rows), list(
        one_by_one(rows.items(), lambda ref, row: differ(ref, row, {each.event: each for each in said[ref][::-1]}))
    )


def look_at_pits(after, upto, state):
    return _looked(_rows(Pit, after, upto), _pit)


def _pit(ref, pit, said):
    if "setting.changed" not in said:
        yield surplus(ref, "tables_pit", "The pit")
        return
    yield from differences(ref, "tables_pit", "", {"code": said["setting.changed"].facts["after"]["code"]}, vars(pit))


def look_at_scanners(after, upto, state):
    return _looked(_rows(Scanner, after, upto), _scanner)


def _scanner(ref, scanner, said):
    if "setting.changed" not in said:
        yield surplus(ref, "tables_scanner", "The scanner")
        return
    entry = said["setting.changed"]
    after = entry.facts["after"]
    yield from differences(
        ref,
        "tables_scanner",
        "",
        {
            "terminal_id": after["terminal"],
            **{name: after[name] for name in ("game", "prefix", "suffix", "codes")},
            "set_by_id": entry.by,
            "set_at": Apart(entry.at),
        },
        vars(scanner) | {"terminal_id": f"terminal:{scanner.terminal_id}", "set_by_id": person(scanner.set_by_id)},
    )


def look_at_tables(after, upto, state):
    return _looked(_rows(Table, after, upto), _table)


def _table(ref, table, said):
    if "setting.changed" not in said:
        yield surplus(ref, "tables_table", "The table")
        return
    facts = said["setting.changed"].facts["after"]
    own = {account.pk: account.ref for account in Account.objects.filter(owner=ref)}
    opened = Entry.objects.filter(chain=ref, event="round.opened").order_by("-seq").values_list("subject", flat=True)
    numbers = [each.facts["number"] for each in readings(opened[:1]).get(next(iter(opened[:1]), None), [])[:1]]
    kinds = {f"{kind}_account_id": f"{kind}:{ref}" for kind in Account.OF_A_TABLE if kind != Account.Kind.DROP_BOX}
    yield from differences(
        ref,
        "tables_table",
        "",
        {"code": facts["code"], "pit_id": facts["pit"], "last_number": max(numbers, default=0), **kinds},
        {
            "code": table.code,
            "pit_id": f"pit:{table.pit_id}",
            "last_number": table.last_number,
            **{column: own.get(getattr(table, column), getattr(table, column)) for column in kinds},
        },
    )


# Without the salts: see `session_digests` in sql/sessions.sql.
_OF_SESSION = (
    "pk", "table_id", "status", "business_date", "begun_at", "begun_by_id", "opened_at", "opened_by_id",
    "opened_with_id", "stopped_at", "stopped_by_id", "counts_from", "closed_at", "closed_by_id", "closed_with_id",
    "unfinished", "carried_from_id",
)  # fmt: skip
_STATUSES = {
    "session.begun": "OPENING",
    "session.opened": "OPEN",
    "session.stopped": "CLOSING",
    "session.resumed": "OPEN",
    "session.closed": "CLOSED",
}


def look_at_sessions(after, upto, state):
    sessions = Session.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")
    rows = {f"session:{row['pk']}": row for row in sessions.values(*_OF_SESSION)}
    if rows:
        with connection.cursor() as cursor:
            cursor.execute("SELECT id, opener, closer FROM session_digests(%s)", [[row["pk"] for row in rows.values()]])
            for pk, opener, closer in cursor.fetchall():
                rows[f"session:{pk}"] |= {"opener_reason": opener, "closer_reason": closer}
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _session(ref, row, said[ref])))


def _session(ref, row, said):
    # A session from before two people each counted the opener has no entry of that.
    steps = [each for each in said if each.event in _STATUSES]
    if not steps:
        yield surplus(ref, "tables_session", "The session")
        return
    last = {each.event: each for each in steps}
    begun, opened, closed = (last.get(f"session.{step}") for step in ("begun", "opened", "closed"))
    stopped = last.get("session.stopped")
    # If it is carried on, nobody called its last round, but its counts go on from there.
    calls = stopped if steps[-1].event != "session.resumed" else None
    agreed = {each.facts["part"]: each.facts.get("reason") for each in said if each.event == "count.agreed"}

    def signer(entry, place):
        return entry and entry.facts["signers"][place]

    expected = {
        "table_id": steps[0].chain,
        "status": _STATUSES[steps[-1].event],
        "business_date": steps[0].facts["business_date"],
        "begun_at": begun and Apart(begun.at),
        "begun_by_id": begun and begun.by,
        "opened_at": opened and Apart(opened.at),
        "opened_by_id": signer(opened, 0),
        "opened_with_id": signer(opened, 1),
        "opener_reason": agreed.get("opener"),
        "stopped_at": calls and Apart(calls.at),
        "stopped_by_id": calls and calls.by,
        "counts_from": stopped.facts["attempt"] if stopped else 1,
        "closed_at": closed and Apart(closed.at),
        "closed_by_id": signer(closed, 0),
        "closed_with_id": signer(closed, 1),
        "closer_reason": agreed.get("closer"),
        "unfinished": closed.facts.get("unfinished", []) if closed else [],
        "carried_from_id": opened.facts.get("carried") if opened else None,
    }
    people = ("begun_by_id", "opened_by_id", "opened_with_id", "stopped_by_id", "closed_by_id", "closed_with_id")
    stands = {
        "table_id": f"table:{row['table_id']}",
        "business_date": row["business_date"].isoformat(),
        "carried_from_id": row["carried_from_id"] and f"session:{row['carried_from_id']}",
        **{name: person(row[name]) for name in people},
    }
    yield from differences(ref, "tables_session", "", expected, row | stands)


def look_at_series(after, upto, state):
    return _looked(_rows(Series, after, upto), _series)


def _series(ref, series, said):
    opened, closed = said.get("series.opened"), said.get("series.closed")
    if opened is None:
        yield surplus(ref, "tables_series", "The series")
        return
    yield from differences(
        ref,
        "tables_series",
        "",
        {
            "table_id": opened.chain,
            "session_id": opened.facts["session"],
            "game": opened.facts["game"],
            "status": "CLOSED" if closed else "OPEN",
            "seats": opened.facts["seats"],
            "rounds_agreed": opened.facts.get("rounds"),
            "target": opened.facts.get("target"),
            "opened_at": Apart(opened.at),
            "closed_at": closed and Apart(closed.at),
        },
        {
            "table_id": f"table:{series.table_id}",
            "session_id": f"session:{series.session_id}",
            "game": series.game,
            "status": series.status,
            "seats": series.seats,
            "rounds_agreed": series.rounds_agreed,
            "target": series.target,
            "opened_at": series.opened_at,
            "closed_at": series.closed_at,
        },
    )


def look_at_sheets(after, upto, state):
    # Without the salt: see `rule_sheet_digests` in sql/rulesheets.sql.
    sheets = RuleSheet.objects.filter(pk__gt=after, pk__lte=upto).defer("salt").order_by("pk")
    rows = {sheet.ref: sheet for sheet in sheets}
    if rows:
        with connection.cursor() as cursor:
            asked = [sheet.pk for sheet in rows.values()]
            cursor.execute("SELECT id, reason FROM rule_sheet_digests(%s)", [asked])
            for pk, reason in cursor.fetchall():
                rows[f"sheet:{pk}"].reason = reason
    return _looked(rows, _sheet)


def _sheet(ref, sheet, said):
    published = said.get("sheet.published")
    if published is None:
        if sheet.status != RuleSheet.Status.DRAFT:
            yield surplus(ref, "tables_rulesheet", "The published sheet")
        elif "sheet.drafted" in said:  # A draft of the first versions has none.
            yield from _draft(ref, sheet, said["sheet.drafted"].facts)
        return
    facts = published.facts
    rules = facts["rules"]
    values = _values(rules)
    yield from differences(
        ref,
        "tables_rulesheet",
        "",
        {
            "game": rules["game"],
            "version": rules["version"],
            "status": "PUBLISHED",
            "values": values,
            "rules": log.canonical(rules),
            "digest": facts["sheet"],
            "drafted_by_id": facts["author"],
            "published_by_id": facts["signer"],
            "published_at": Apart(published.at),
            "edge": facts.get("edge"),
            "reason": facts.get("reason"),
        },
        {
            "game": sheet.game,
            "version": sheet.version,
            "status": sheet.status,
            "values": sheet.values,
            "rules": sheet.rules,
            "digest": sheet.digest,
            "drafted_by_id": person(sheet.drafted_by_id),
            "published_by_id": person(sheet.published_by_id),
            "published_at": sheet.published_at,
            "edge": sheet.edge,
            "reason": sheet.reason,
        },
    )
    if sheet.coefficient_table_id is not None:
        yield from _coefficients(ref, sheet, rules)


def _values(rules):
    """The values of a sheet by the rules that its entry has."""
    values = {**rules["parameters"], **rules["limits"]}
    return values | ({"coefficients": rules["coefficients"]} if rules["coefficients"] else {})


def _draft(ref, sheet, facts):
    rules = facts["rules"]
    yield from differences(
        ref,
        "tables_rulesheet",
        "",
        {
            "game": rules["game"],
            "version": rules["version"],
            "values": _values(rules),
            "drafted_by_id": facts["author"],
        },
        {
            "game": sheet.game,
            "version": sheet.version,
            "values": sheet.values,
            "drafted_by_id": person(sheet.drafted_by_id),
        },
    )


def _coefficients(ref, sheet, rules):
    """The table of coefficients that a published sheet carries is published, and has the sheet's ratios in the game's
    own order."""
    table, game = sheet.coefficient_table, registry.GAMES[rules["game"]]
    yield from differences(
        ref,
        "payouts_coefficienttable",
        WORDING("coefficients", number=table.pk),
        {"game": rules["game"], "status": "PUBLISHED"},
        {"game": table.game, "status": table.status},
    )
    own = game.values(game.sheet({"coefficients": rules["coefficients"]}))["coefficients"]
    yield from matched(
        ref,
        "payouts_coefficient",
        "Coefficient",
        {
            category: {"ordinal": ordinal, "numerator": int(n), "denominator": int(d)}
            for ordinal, (category, ratio) in enumerate(own.items(), 1)
            for n, d in [ratio.split(":")]
        },
        {
            each.category: {"ordinal": each.ordinal, "numerator": each.numerator, "denominator": each.denominator}
            for each in Coefficient.objects.filter(table=table)
        },
        str,
    )


def look_at_sheets_in_force(after, upto, state):
    """Each sheet in force against the entry of its table with the same moment, and that of its withdrawal."""
    places = list(
        InForce.objects.filter(pk__gt=after, pk__lte=upto).select_related("sheet").defer("sheet__salt").order_by("pk")
    )
    said = readings({f"table:{place.table_id}" for place in places})
    pairs = [(f"table:{place.table_id}", place) for place in places]
    return len(places), list(one_by_one(pairs, lambda ref, place: _in_force(ref, place, said[ref])))


def _in_force(ref, place, said):
    row, from_at = WORDING("in_force", number=place.pk), log.spell_time(place.from_at)
    of_moment = [each for each in said if each.facts.get("from") == from_at]
    # A withdrawn sheet leaves its moment to another.
    before = InForce.objects.filter(table=place.table_id, from_at=place.from_at, pk__lt=place.pk).count()
    entry, withdrawn = (
        next(iter([each for each in of_moment if each.event == event][before:]), None)
        for event in ("table.sheet_set", "table.sheet_withdrawn")
    )
    if entry is None:
        yield surplus(ref, "tables_inforce", WORDING("in_force:surplus", number=place.pk))
        return
    yield from differences(
        ref,
        "tables_inforce",
        row,
        {
            "sheet_id": entry.facts["sheet"],
            "set_by_id": entry.by,
            "approved_by_id": entry.facts.get("approver"),
            "withdrawn_at": withdrawn and Apart(withdrawn.at),
            "withdrawn_by_id": withdrawn and withdrawn.by,
            "withdrawn_with_id": withdrawn and withdrawn.facts["approver"],
        },
        {
            "sheet_id": place.sheet.digest,
            "set_by_id": person(place.set_by_id),
            "approved_by_id": person(place.approved_by_id),
            "withdrawn_at": place.withdrawn_at,
            "withdrawn_by_id": person(place.withdrawn_by_id),
            "withdrawn_with_id": person(place.withdrawn_with_id),
        },
    )


def sheets_not_in_force(read):
    """Entries that put a sheet in force but have no row."""
    entries = [each for each in read if each.event == "table.sheet_set"]
    if not entries:
        return
    there = Counter(
        (f"table:{table}", log.spell_time(at))
        for table, at in InForce.objects.filter(from_at__in=[each.facts["from"] for each in entries]).values_list(
            "table_id", "from_at"
        )
    )
    for each in entries:
        there[each.subject, each.facts["from"]] -= 1
        if there[each.subject, each.facts["from"]] < 0:
            sentence = WORDING("in_force:absent", from_at=each.facts["from"])
            yield Difference(each.subject, "tables_inforce", sentence)
