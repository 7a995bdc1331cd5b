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
from .wording import WORDING

FARTHEST = dt.timedelta(days=364)
"""The database takes a sheet within a year of a transaction's beginning, which is earlier than this module's moment."""
_AMOUNT = re.compile(r'(?<![\w"])[0-9]+(?![\w"])')
"""A number in a refusal, but not in what was typed, which stands in quotation marks."""
_BOUNDS = {
    (True, True): "sheet_wrong:amount_in_chips",
    (True, False): "sheet_wrong:amount",
    (False, True): "sheet_wrong:number_in_chips",
    (False, False): "sheet_wrong:number",
}
"""The refusal of a number by whether it is an amount, and a multiple of the smallest chip."""

_PLACED = Statement(
    lambda table: (
        InForce.objects.standing()
        .filter(table=table, from_at__lte=Now())
        .select_related("sheet")
        .order_by("-from_at")[:1]
    )
)


def draft(*, game, values, actor, coefficient_table=None):
    """Draft the next version of a game's sheet; what `values` leaves out is as proposed, or takes its default.

    :raises Refused: `sheet_wrong` with the place and the fault of the game's own check.
    """
    # The entry locks the house's chain anyway: if two draft at once, each gets a version.
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
    """The next version of a game's sheet as `draft` would write it; nothing is written."""
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
        raise _wrong(game, sheet)
    return registry.GAMES[game].values(sheet)


def in_currency(refusal, *, game, decimals):
    """A refusal with its amount as people read amounts; the game's check gives it in the smallest unit."""
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


def _wrong(game, fault):
    """The refusal of a value of a sheet, with what it may be; amounts in the smallest unit."""
    path, message = fault.path, fault.message
    name = path.partition(".")[0]
    parameter = next((each for each in registry.GAMES[game].parameters if each.name == name), None)
    if parameter is None:
        names = ", ".join(each.name for each in registry.GAMES[game].parameters)
        return WORDING.refused("sheet_wrong", path=path, fault=message, names=names)
    if parameter.kind == "ratios":
        return WORDING.refused("sheet_wrong:ratios", path=path, fault=message)
    if parameter.kind == "choice":
        return WORDING.refused("sheet_wrong:choice", path=path, fault=message, options=", ".join(parameter.options))
    return WORDING.refused(
        _BOUNDS[parameter.kind == "units", parameter.in_chips],
        path=path,
        fault=message,
        least=1 if parameter.minimum is None else parameter.minimum,
        most=parameter.maximum,
    )


def publish(*, sheet_id, reason="", actor):
    """Publish a drafted sheet for ever: its canonical rules, their digest, the house edge by them, and the entry that
    carries all three.

    :param reason: the publisher's, if the house edge lies outside the casino's band.
    :raises Refused: `not_a_draft`, `same_person`, `coefficients_unpublished`; `edge_not_computed`, `edge_with_player`;
        `reason_missing` or `reason_wrong` (422).
    """
    sheet = RuleSheet.objects.select_for_update(no_key=True, of=("self",)).get(id=sheet_id)
    if sheet.status != RuleSheet.Status.DRAFT:
        raise WORDING.refused("not_a_draft", version=sheet.version, game=_game(sheet))
    if sheet.drafted_by_id == actor.by.pk:
        raise WORDING.refused("same_person:drafted")
    table = sheet.coefficient_table
    if table is not None and table.status != CoefficientTable.Status.PUBLISHED:
        raise WORDING.refused("coefficients_unpublished", coefficients=table)
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
    """The publisher's reason, which is taken if the house edge lies outside the casino's band, and only then."""
    outside = edge_results.outside(pins)
    if not outside:
        if text:
            raise WORDING.refused("reason_wrong:edge")
        return ""
    text = grounds.checked_reason(text, needed=False)
    if not text:
        least, most = edge_results.band()
        edges = ", ".join(edge_results.in_words(edge) for edge in outside)
        raise WORDING.refused("reason_missing:edge", edges=edges, least=format(least, "f"), most=format(most, "f"))
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
    """Let tables play by a sheet, all from the same moment on, or none; an open round keeps its own sheet.

    :param actor: `approved_by` is the second person.
    :param from_at: an aware moment; None: from now on.
    :raises Refused: `same_person`; `tables_missing` for none; `sheet_unpublished` for a draft; `moment_wrong` (422);
        `chip_not_payable` if a table's chips can't pay what the sheet's game comes to (house.5); `moment_taken` by
        another sheet.
    """
    grounds.two_people(actor)
    if not table_ids:
        raise WORDING.refused("tables_missing")
    tables = _locked(table_ids)
    sheet = RuleSheet.objects.get(id=sheet_id)
    if sheet.status != RuleSheet.Status.PUBLISHED:
        raise WORDING.refused("sheet_unpublished", version=sheet.version, game=_game(sheet))
    moment = _moment(from_at)
    return [_placed_at(table, sheet, moment, actor) for table in tables]


def _locked(table_ids):
    """Lock tables one after the other, so that two who lock several do it in the same order."""
    locked = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("chip_set")
    return [locked.get(id=table_id) for table_id in sorted(set(table_ids))]


def _moment(from_at):
    """The moment from which a sheet counts, once its tables are locked: no round has been opened since."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (now,) = cursor.fetchone()
    if from_at is not None and not now <= from_at <= now + FARTHEST:
        raise WORDING.refused("moment_wrong:sheet")
    return from_at or now


def _placed_at(table, sheet, moment, actor):
    chip, smallest = values_of(sheet).get("chip"), min(table.chip_set.denominations)
    if chip is not None and chip % smallest:
        raise WORDING.refused(
            "chip_not_payable", version=sheet.version, game=_game(sheet), chip=chip, table=table, smallest=smallest
        )
    taken = InForce.objects.standing().filter(table=table, from_at=moment).select_related("sheet").first()
    if taken is not None:
        version, game = taken.sheet.version, _game(taken.sheet)
        raise WORDING.refused("moment_taken:sheet", table=table, version=version, game=game)
    placed = InForce.objects.create(
        table=table, sheet=sheet, from_at=moment, set_by=actor.by, approved_by=actor.approved_by
    )
    _record("table.sheet_set", table, sheet, moment, actor)
    return placed


def withdraw(*, place_ids, actor):
    """Withdraw sheets that two people put in force at tables and whose moment has not come, all of them or none.

    :param actor: `approved_by` is the second person; they may be others than those who put it in force.
    :raises Refused: `same_person`; `places_missing` for none; `sheet_withdrawn`; `sheet_counts` from its moment on.
    """
    grounds.two_people(actor)
    if not place_ids:
        raise WORDING.refused("places_missing")
    rows = InForce.objects.filter(pk__in=place_ids).select_related("sheet")
    tables = {table.pk: table for table in _locked(rows.values_list("table_id", flat=True))}
    return [_withdrawn(place, tables[place.table_id], actor) for place in rows.order_by("table", "from_at")]


def _withdrawn(place, table, actor):
    if place.withdrawn_at:
        raise WORDING.refused("sheet_withdrawn", version=place.sheet.version, game=_game(place.sheet), table=table)
    by = {"withdrawn_by": actor.by, "withdrawn_with": actor.approved_by}
    # One statement asks the clock and writes what it says.
    if not InForce.objects.filter(pk=place.pk, from_at__gt=Now()).update(withdrawn_at=Now(), **by):
        raise WORDING.refused("sheet_counts", version=place.sheet.version, game=_game(place.sheet), table=table)
    _record("table.sheet_withdrawn", table, place.sheet, place.from_at, actor)
    place.refresh_from_db()
    return place


def _game(sheet):
    return registry.GAMES[sheet.game].name


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
    """Every sheet that was, is or will be in force at a table, table by table, the earliest first; `comes` is true for
    those still to come."""
    to_come = ExpressionWrapper(Q(from_at__gt=Now()), output_field=BooleanField())
    standing = InForce.objects.standing().select_related("sheet", "table")
    return standing.annotate(comes=to_come).order_by("table", "from_at")


def placed(table):
    """The sheet in force at a table, and since when; None if there is none."""
    return _PLACED.first(table=table.pk)


def in_force(table, at=None):
    """The sheet that a round opened now, or at an earlier moment, would play by, or None."""
    if at is None:
        place = placed(table)
    else:
        earlier = InForce.objects.standing().filter(table=table, from_at__lte=at).select_related("sheet")
        place = earlier.order_by("from_at").last()
    return place and place.sheet


def most_played(game):
    """The sheet of a game that most tables play by now, the newest if several are equal; None if no table plays it."""
    now = {place.table_id: place.sheet for place in places() if not place.comes}
    tables = Counter(sheet for sheet in now.values() if sheet.game == game)
    return max(tables, key=lambda sheet: (tables[sheet], sheet.version), default=None)


def since(table, at):
    """The sheets by which rounds of a table were or are played from a moment on."""
    then = in_force(table, at)
    later = InForce.objects.standing().filter(table=table, from_at__gt=at, from_at__lte=Now()).select_related("sheet")
    return [then] * (then is not None) + [place.sheet for place in later.order_by("from_at")]


def values_of(sheet):
    """All values of a sheet by name; a parameter newer than its draft has its default."""
    return registry.GAMES[sheet.game].values(checked(sheet))


def checked(sheet):
    """The game's own `Sheet` of a row; equal values are checked once and kept."""
    checked_sheet = _checked(sheet.game, json.dumps(sheet.values))
    if isinstance(checked_sheet, Fault):
        raise ValueError(f"Sheet {sheet.pk} is in the database with a fault: {checked_sheet.message}")
    return checked_sheet


@functools.lru_cache(64)
def _checked(game, values):
    return registry.GAMES[game].sheet(json.loads(values))
