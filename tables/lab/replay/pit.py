"""The pit of a recorded night: tables and people of its own, laid out once and found again by every later replay."""

import time
from typing import NamedTuple

from django.db import connection, transaction

from audit.log import Actor
from casino.errors import Refused
from casino.games.split import SPLIT
from casino.models import Casino, ChipSet, Staff
from casino.roles import Role
from payouts import coefficient_tables, edge_results
from tables.models import Pit, SignOn, Table
from tables.people import staff
from tables.verbs import pits, rulesheets

from .. import counting
from ..house import employing

DEMO = "demo"
MOST_TABLES = 99
CHIPS_OF_EACH = 100
_NOBODY_SECONDS = 30
_PLAYED_BY = "A recorded night was played by it, and is replayed."


class Place(NamedTuple):
    """A table with the croupier who deals there and the pit boss who signs the rulings."""

    table: Table
    croupier: Staff
    boss: Staff


def check():
    """:raises Refused: if this is not a demo casino."""
    casino = Casino.objects.first()
    if casino is None:
        raise Refused("no_casino", "There is no casino here yet.", way_out="`make up` lays out the demo.")
    if casino.code != DEMO:
        raise Refused(
            "not_the_demo",
            f"{casino} is not the demo casino: a replay plays rounds for which nobody staked anything.",
            way_out="Point DATA_DIR or DATABASE_URL to a demo, as `make up` makes it.",
        )


def edge_known(recording, progress):
    """Have the house's worker compute the edge of the night's sheet, without which nobody can publish it.

    :raises Refused: `edge_not_computed` if the worker can't, or nobody computes it.
    """
    rules, waited = {"game": SPLIT.code, "limits": SPLIT.values(recording.sheet)}, 0
    with transaction.atomic():
        edge_results.ask(rules)
    while True:
        results = edge_results.of(rules).values()
        if all(result.status == edge_results.STATUS.DONE for result in results):
            return
        waiting = {edge_results.STATUS.ASKED, edge_results.STATUS.COMPUTING, edge_results.STATUS.DONE}
        ended = next((result for result in results if result.status not in waiting), None)
        waited = waited + 1 if all(result.status == edge_results.STATUS.ASKED for result in results) else 0
        if ended or waited > _NOBODY_SECONDS:
            raise Refused(
                "edge_not_computed",
                f"The house edge of the night's sheet is not computed. {ended.failure if ended else ''}".rstrip(),
                way_out="The worker of the edge computes it: `make up` with this DATA_DIR starts it.",
            )
        done = sum(result.progress for result in results)
        progress.show(done, 1000 * len(results), "the house edge of its sheet is computed")
        time.sleep(1)


def of(recording, count):
    """The places of a recording, in the order of its tables; laid out in one transaction if they don't exist yet.

    :raises Refused: `tables_other` if it was begun with another number of them.
    """
    with transaction.atomic():
        with connection.cursor() as cursor:
            # If two replays of one file run at once, one lays it out.
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext('replay'))")
        pit = Pit.objects.filter(code=_pit_code(recording)).first() or _laid_out(recording, count)
    tables = list(Table.objects.filter(pit=pit).select_related("pit").order_by("code"))
    if len(tables) != count:
        raise Refused(
            "tables_other",
            f"{recording.name} is played over {len(tables)} tables in this casino, not over {count}.",
            way_out=f"Go on with --tables {len(tables)}.",
        )
    boss = Staff.objects.get(login=_login(recording, "boss"))
    dealing = {record.table_id: record.staff for record in SignOn.objects.filter(table__in=tables, signed_off_at=None)}
    for table in tables:
        if table.pk not in dealing:
            raise Refused(
                "nobody_signed_on", f"Nobody deals at {table} any more.", way_out="A pit boss signs its croupier on."
            )
    return [Place(table, dealing[table.pk], boss) for table in tables]


def _laid_out(recording, count):
    short = recording.short
    by_two = employing()
    boss, second, cage = (
        _add(recording, role, f"{role.capitalize()} of replay {short}", actor=by_two)
        for role in ("boss", "second", "cage")
    )
    by_boss = Actor(boss)
    pit = pits.add_pit(code=_pit_code(recording), name=f"Replay {short}", actor=by_boss)
    for person, role in ((boss, Role.PIT_BOSS), (second, Role.PIT_BOSS), (cage, Role.CAGE)):
        staff.post(staff=person, role=role, pit=pit, actor=by_two)
    sheet = _sheet(recording, drafter=by_boss, publisher=Actor(second))
    chip_set = _chip_set(recording.sheet.chip_units)
    opener = dict.fromkeys(chip_set.denominations, CHIPS_OF_EACH)
    for number in range(1, count + 1):
        table = pits.add_table(
            code=_table_code(recording, number),
            name=f"Replay {number}",
            pit=pit,
            chip_set=chip_set,
            actor=by_boss,
        )
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=Actor(boss, second))
        counting.opened(table_id=table.pk, chips=opener, boss=boss, second=cage)
        croupier = _add(recording, f"{number:02}", f"Croupier {number} of replay {short}", actor=by_two)
        staff.post(staff=croupier, role=Role.CROUPIER, pit=pit, actor=by_two)
        staff.sign_on(staff=croupier, table=table, actor=by_boss)
    return pit


def _pit_code(recording):
    return recording.short.upper()


def _table_code(recording, number):
    """Eight characters that sort after the house's own tables: X, five digits of the file's digest, the number."""
    return f"X{recording.digest[:5].upper()}{number:02}"


def _login(recording, who):
    return f"replay-{recording.short}-{who}"


def _add(recording, who, name, *, actor):
    """Add a person whom no password lets in."""
    return staff.add(login=_login(recording, who), name=name, password=None, actor=actor)


def _sheet(recording, *, drafter, publisher):
    values = SPLIT.values(recording.sheet)
    table = coefficient_tables.draft(
        game=SPLIT.code, name=f"Replay {recording.short}", ratios=values.pop("coefficients"), actor=drafter
    )
    table = coefficient_tables.publish(table_id=table.pk, actor=publisher)
    sheet = rulesheets.draft(game=SPLIT.code, values=values, coefficient_table=table, actor=drafter)
    outside = edge_results.outside(edge_results.pinned(rulesheets.rules_of(sheet)))
    return rulesheets.publish(sheet_id=sheet.pk, reason=_PLAYED_BY if outside else "", actor=publisher)


def _chip_set(chip_units):
    """The demo's chips if the smallest is the night's, else chips scaled to it."""
    demo = ChipSet.objects.earliest("pk")
    values = [value * chip_units // demo.denominations[0] for value in demo.denominations]
    chip_set = ChipSet.objects.filter(denominations=values).first()
    return chip_set or ChipSet.objects.create(
        name=f"Chips from {chip_units}", denominations=values, colours=demo.colours
    )
