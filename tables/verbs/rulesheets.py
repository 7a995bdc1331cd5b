"""Rule sheets: drafted, published by a second person, put in force at tables by two people, from a moment on, and
withdrawn before it."""

import datetime as dt
import functools
import json
import re
from collections import Counter

from django.db import connection
from django.db.models import BooleanField, ExpressionWrapper, Max, Q
from django.db.models.functions import Now

from audit import log
from audit.models import Chain
from casino.errors import Refused
from casino.games import registry
from casino.games.game import Fault
from casino.money import spell
from casino.statements import Statement
from payouts import edge_results
from payouts.models import CoefficientTable

from ..models import InForce, RuleSheet, Table
from . import grounds

FARTHEST = dt.timedelta(days=364)
"""The database takes a sheet within a year of a transaction's beginning, which is earlier than this module's moment."""
_AMOUNT = re.compile(r'(?<![\w"])[0-9]+(?![\w"])')
"""A number in a refusal, but not in what was typed, which stands in quotation marks."""

_PLACED = Statement(
    lambda table: (
        InForce.objects.standing()
        .filter(table=table, from_at__lte=Now())
        .select_related("sheet")
        .order_by("-from_at")[:1]
    )
)


def draft(*, game, values, actor, coefficient_table=None):
    """Write down the next version of a game's sheet; what `values` leaves out is as proposed, or takes its default.

    :raises Refused: `sheet_wrong` with the place and the fault of the game's own check.
    """
    # The entry locks the house's chain anyhow: of two who draft at once each gets a version.
    Chain.objects.select_for_update(no_key=True).get(key=log.HOUSE)
    sheet = unsaved(game=game, values=values, coefficient_table=coefficient_table)
    sheet.drafted_by = actor.by
    sheet.save()
    sheet.refresh_from_db()
    rules = rules_of(sheet)
    log.record(
        "sheet.drafted",
        sheet.ref,
        chain=log.HOUSE,
        actor=actor,
        facts={"rules": rules, "sheet": log.digest(log.canonical(rules)), "author": actor.ref},
    )
    return sheet


def unsaved(*, game, values, coefficient_table=None):
    """The next version of a game's sheet as `draft` would write it down; nothing is written."""
    if coefficient_table is not None:
        values = values | {"coefficients": coefficient_table.ratios()}
    values = whole(game, values)
    newest = RuleSheet.objects.filter(game=game).aggregate(newest=Max("version"))["newest"] or 0
    return RuleSheet(game=game, version=newest + 1, values=values, coefficient_table=coefficient_table)


def whole(game, values):
    """All values of a new sheet: what is left out is as proposed, or takes its default.

    :raises Refused: `sheet_wrong` with the place and the fault of the game's own check.
    """
    proposed = {parameter.name: parameter.proposed for parameter in registry.GAMES[game].parameters}
    sheet = registry.GAMES[game].sheet({name: value for name, value in proposed.items() if value is not None} | values)
    if isinstance(sheet, Fault):
        way_out = _way_out(game, sheet.path)
        raise Refused("sheet_wrong", sheet.message, status=422, path=sheet.path, way_out=way_out)
    return registry.GAMES[game].values(sheet)


def in_currency(refusal, *, game, decimals):
    """A refusal of an amount as people read amounts: what the game's check says it says in the smallest unit."""
    kinds = {parameter.name: parameter.kind for parameter in registry.GAMES[game].parameters}
    if kinds.get(refusal.path) != "units":
        return refusal

    def currency(text):
        return _AMOUNT.sub(lambda amount: spell(int(amount[0]), decimals), text)

    return Refused(
        refusal.code,
        currency(refusal.message),
        status=refusal.status,
        path=refusal.path,
        way_out=currency(refusal.way_out),
    )


def _way_out(game, path):
    """What the value at a place of a sheet may be; amounts in the smallest unit."""
    name = path.partition(".")[0]
    parameter = next((each for each in registry.GAMES[game].parameters if each.name == name), None)
    if parameter is None:
        return f"A sheet of this game has: {', '.join(each.name for each in registry.GAMES[game].parameters)}."
    if parameter.kind == "ratios":
        return "Give each category n:d in whole numbers from 1 to 10000, none lower than the one before."
    if parameter.kind == "choice":
        return f"Choose one of: {', '.join(parameter.options)}."
    least = 1 if parameter.minimum is None else parameter.minimum
    multiple = ", a multiple of the smallest chip" if parameter.in_chips else ""
    what = "an amount" if parameter.kind == "units" else "a whole number"
    return f"Give {what} from {least} to {parameter.maximum}{multiple}."


def publish(*, sheet_id, reason="", actor):
    """Fix a drafted sheet for ever: its canonical rules, their digest, what the house keeps by them, and the entry that
    carries all three.

    :param reason: the publisher's, where the house edge lies outside the casino's band.
    :raises Refused: `not_a_draft`, `same_person`, `coefficients_unpublished`; `edge_not_computed`, `edge_with_player`;
        `reason_missing` or `reason_wrong` (422).
    """
    sheet = RuleSheet.objects.select_for_update(no_key=True, of=("self",)).get(id=sheet_id)
    if sheet.status != RuleSheet.Status.DRAFT:
        raise Refused("not_a_draft", f"{sheet} is published already.", way_out="Draft the next version.")
    if sheet.drafted_by_id == actor.by.pk:
        raise Refused("same_person", "You drafted this sheet yourself.", way_out="Somebody else publishes it.")
    table = sheet.coefficient_table
    if table is not None and table.status != CoefficientTable.Status.PUBLISHED:
        raise Refused(
            "coefficients_unpublished", f"{table} is a draft.", way_out="Publish the coefficient table first."
        )
    rules = rules_of(sheet)
    sheet.edge = edge_results.pinned(rules)
    sheet.reason = _reason(sheet.edge, reason)
    sheet.salt = log.salt(sheet.reason) if sheet.reason else ""
    sheet.rules = log.canonical(rules)
    sheet.digest = log.digest(sheet.rules)
    sheet.status = RuleSheet.Status.PUBLISHED
    sheet.published_by = actor.by
    sheet.published_at = Now()
    sheet.save(
        update_fields=["edge", "reason", "salt", "rules", "digest", "status", "published_by", "published_at"],
    )
    sheet.refresh_from_db()
    facts = {"edge": sheet.edge} if sheet.edge else {}
    if sheet.reason:
        facts["reason"] = grounds.salted(sheet.salt, sheet.reason)
    log.record(
        "sheet.published",
        sheet.ref,
        chain=log.HOUSE,
        actor=actor,
        facts={
            "rules": rules,
            "sheet": sheet.digest,
            "author": f"staff:{sheet.drafted_by_id}",
            "signer": actor.ref,
            **facts,
        },
    )
    return sheet


def _reason(pins, text):
    """The publisher's reason; one is taken where the house edge lies outside the casino's band, and nowhere else."""
    outside = edge_results.outside(pins)
    if not outside:
        if text:
            raise Refused(
                "reason_wrong",
                "This sheet takes no reason.",
                status=422,
                path="reason",
                way_out="Leave it empty: the reason is for a house edge outside the casino's band.",
            )
        return ""
    text = grounds.checked_reason(text, needed=False)
    if not text:
        least, most = edge_results.band()
        what = " and of ".join(edge_results.in_words(edge) for edge in outside)
        raise Refused(
            "reason_missing",
            f"A house edge of {what} lies outside the casino's band of {least:f} to {most:f} %.",
            status=422,
            path="reason",
            way_out="Write why it is published all the same.",
        )
    return text


def rules_of(sheet):
    """The whole sheet in sections, as players read it and the log keeps it; a parameter newer than its draft is left
    out."""
    sections = {"parameters": {}, "limits": {}, "coefficients": {}}
    for parameter in registry.GAMES[sheet.game].parameters:
        if parameter.name not in sheet.values:
            continue
        value = sheet.values[parameter.name]
        if parameter.section == "coefficients":
            sections["coefficients"] = value
        else:
            sections[parameter.section][parameter.name] = value
    return {"game": sheet.game, "version": sheet.version, **sections}


def put_in_force(*, sheet_id, table_id, actor, from_at=None):
    """Let one table play by a sheet; see `put_in_force_at`."""
    (place,) = put_in_force_at(sheet_id=sheet_id, table_ids=[table_id], from_at=from_at, actor=actor)
    return place


def put_in_force_at(*, sheet_id, table_ids, from_at, actor):
    """Let tables play by a sheet, all from the same moment on, or none; an open round keeps the one it was opened with.

    :param actor: `approved_by` is the second person.
    :param from_at: an aware moment; None: from now on.
    :raises Refused: `same_person`; `tables_missing` for none; `sheet_unpublished` for a draft; `moment_wrong` (422);
        `chip_not_payable` if a table's chips can't pay what the sheet's game comes to (house.5); `moment_taken` by
        another sheet.
    """
    grounds.two_people(actor)
    if not table_ids:
        raise Refused("tables_missing", "No table is named.", status=422, path="tables", way_out="Name a table.")
    tables = _locked(table_ids)
    sheet = RuleSheet.objects.get(id=sheet_id)
    if sheet.status != RuleSheet.Status.PUBLISHED:
        raise Refused("sheet_unpublished", f"{sheet} is a draft.", way_out="Publish it first.")
    moment = _moment(from_at)
    return [_placed_at(table, sheet, moment, actor) for table in tables]


def _locked(table_ids):
    """One after the other: two who lock several tables do it in the same order."""
    locked = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("chip_set")
    return [locked.get(id=table_id) for table_id in sorted(set(table_ids))]


def _moment(from_at):
    """The moment from which a sheet counts, once its tables are locked: no round has been opened since."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    if from_at is not None and not now <= from_at <= now + FARTHEST:
        raise Refused(
            "moment_wrong",
            "A sheet is put in force from now on, or from a moment within a year.",
            status=422,
            path="from_at",
            way_out="Choose a later moment, or none: from now on.",
        )
    return from_at or now


def _placed_at(table, sheet, moment, actor):
    chip, smallest = values_of(sheet).get("chip"), min(table.chip_set.denominations)
    if chip is not None and chip % smallest:
        raise Refused(
            "chip_not_payable",
            f"{sheet} is played in chips of {chip}; the smallest chip of {table} is {smallest}.",
            clause="house.5",
            way_out=f"Draft a sheet whose smallest chip is a multiple of {smallest}.",
        )
    taken = InForce.objects.standing().filter(table=table, from_at=moment).select_related("sheet").first()
    if taken is not None:
        raise Refused(
            "moment_taken",
            f"{table} plays by {taken.sheet} from that moment on.",
            path="from_at",
            way_out="Withdraw that one first, or choose another moment.",
        )
    placed = InForce.objects.create(
        table=table, sheet=sheet, from_at=moment, set_by=actor.by, approved_by=actor.approved_by
    )
    _record("table.sheet_set", table, sheet, moment, actor)
    return placed


def withdraw(*, place_ids, actor):
    """Take sheets back that two people put in force at tables and whose moment has not come, all of them or none.

    :param actor: `approved_by` is the second person; they may be others than those who put it in force.
    :raises Refused: `same_person`; `places_missing` for none; `sheet_withdrawn`; `sheet_counts` from its moment on.
    """
    grounds.two_people(actor)
    if not place_ids:
        raise Refused(
            "places_missing",
            "No sheet to come is named.",
            status=422,
            path="places",
            way_out="Name one that is to come.",
        )
    rows = InForce.objects.filter(pk__in=place_ids).select_related("sheet")
    tables = {table.pk: table for table in _locked(rows.values_list("table_id", flat=True))}
    return [_withdrawn(place, tables[place.table_id], actor) for place in rows.order_by("table", "from_at")]


def _withdrawn(place, table, actor):
    if place.withdrawn_at:
        raise Refused("sheet_withdrawn", f"{place.sheet} at {table} is withdrawn already.", way_out="Look again.")
    by = {"withdrawn_by": actor.by, "withdrawn_with": actor.approved_by}
    # One statement asks the clock and writes what it says.
    if not InForce.objects.filter(pk=place.pk, from_at__gt=Now()).update(withdrawn_at=Now(), **by):
        raise Refused(
            "sheet_counts",
            f"{place.sheet} counts at {table} already.",
            way_out="Put another sheet in force, from now on.",
        )
    _record("table.sheet_withdrawn", table, place.sheet, place.from_at, actor)
    place.refresh_from_db()
    return place


def _record(event, table, sheet, moment, actor):
    facts = {
        "sheet": sheet.digest,
        "from": log.spell_time(moment),
        "requester": actor.ref,
        "approver": actor.approver,
    }
    log.record(event, table.ref, chain=table.ref, actor=actor, facts=facts)


def coming(table):
    """The sheets that are to come into force at a table, the next first."""
    to_come = InForce.objects.standing().filter(table=table, from_at__gt=Now())
    return list(to_come.select_related("sheet").order_by("from_at"))


def places():
    """Every sheet that was, is or will be in force at a table, table by table, the earliest first; of those that are to
    come `comes` is true."""
    to_come = ExpressionWrapper(Q(from_at__gt=Now()), output_field=BooleanField())
    standing = InForce.objects.standing().select_related("sheet", "table")
    return standing.annotate(comes=to_come).order_by("table", "from_at")


def placed(table):
    """Which sheet is in force at a table, and since when; None if no sheet is."""
    return _PLACED.first(table=table.pk)


def in_force(table, at=None):
    """The sheet that a round would play by that was opened now or at an earlier moment, or None."""
    if at is None:
        place = placed(table)
    else:
        earlier = InForce.objects.standing().filter(table=table, from_at__lte=at).select_related("sheet")
        place = earlier.order_by("from_at").last()
    return place and place.sheet


def most_played(game):
    """The sheet of a game that most tables play by now, of as many the newest; None where none plays it."""
    now = {place.table_id: place.sheet for place in places() if not place.comes}
    tables = Counter(sheet for sheet in now.values() if sheet.game == game)
    return max(tables, key=lambda sheet: (tables[sheet], sheet.version), default=None)


def since(table, at):
    """The sheets by which rounds of a table were or are played from a moment on."""
    then = in_force(table, at)
    later = InForce.objects.standing().filter(table=table, from_at__gt=at, from_at__lte=Now()).select_related("sheet")
    return [then] * (then is not None) + [place.sheet for place in later.order_by("from_at")]


def values_of(sheet):
    """All values of a sheet by name; what its game has got since it was drafted has its default."""
    return registry.GAMES[sheet.game].values(checked(sheet))


def checked(sheet):
    """The game's own `Sheet` of a row; that of the same values is checked once and kept."""
    checked_sheet = _checked(sheet.game, json.dumps(sheet.values))
    if isinstance(checked_sheet, Fault):
        raise ValueError(f"Sheet {sheet.pk} is in the database with a fault: {checked_sheet.message}")
    return checked_sheet


@functools.lru_cache(64)
def _checked(game, values):
    return registry.GAMES[game].sheet(json.loads(values))
