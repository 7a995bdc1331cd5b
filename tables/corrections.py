"""Corrections after close: the next complete line of a round, and once it was settled its next generation.

Nothing is changed: the line before stays, its settlement stays, its transfers are reversed by transfers of their own.
"""

import json
from typing import NamedTuple

from audit import log
from casino.errors import Refused
from casino.games import lines, registry
from casino.games.game import Fault, Wager

from . import interventions, rounds, rulesheets, settling
from .models import Intervention, Line, Round


class Change(NamedTuple):
    """One value of a line as a correction finds and leaves it; None where it stands not."""

    path: str
    before: object
    after: object

    def facts(self):
        return {name: value for name, value in self._asdict().items() if value is not None}


def correct(*, round_id, line, changes, clause, reason, by, approved_by, terminal=None):
    """Make a round's next complete line: a card or a stake found wrong, or a ruling on a box or on the whole round.

    A settled round is settled again at once, in this transaction: what was paid is reversed, what is right is paid. A
    closed one is settled by its newest line when a worker comes.

    :param line: how many lines the caller saw.
    :param changes: path to value, by the game's `slots`; None takes a value out.
    :raises Refused: `round_wrong_moment` before close, `stale_version`, `same_person`, `clause_unknown`,
        `reason_missing`, `nothing_changed`, or what is wrong with the corrected line, with its place.
    """
    corrected = rounds.lock(round_id)
    if corrected.status not in {Round.Status.CLOSED, Round.Status.SETTLED}:
        raise interventions.wrong_moment(corrected, "Before close, undo or amend the entry, or void the round.")
    interventions.two_people(by, approved_by)
    newest = corrected.lines.last()
    if line != newest.ordinal:
        raise Refused(
            "stale_version",
            f"Round {corrected} was corrected meanwhile: you saw {line} lines, there are {newest.ordinal}.",
            path="line",
            way_out="Look at the round as it is now and decide again.",
            detail={"line": newest.ordinal},
        )
    interventions.irregularity(corrected, clause)
    reason = interventions.checked_reason(reason, needed=True)
    before = json.loads(newest.text)
    after = amended(before, changes)
    wagers = [Wager(**wager) for wager in json.loads(newest.wagers)]
    game = registry.GAMES[after["game"]]
    sheet = rulesheets.checked(corrected.sheet)
    staked = [wager._asdict() for wager in game.stakes(game.read(after), wagers, sheet, newest.carry)]
    made = Line.objects.create(
        round=corrected,
        ordinal=newest.ordinal + 1,
        text=log.canonical(after),
        wagers=log.canonical(staked),
        carry=newest.carry,
        by=by,
        approved_by=approved_by,
    )
    interventions.record(
        corrected,
        Intervention.Kind.CORRECTED,
        clause=clause,
        reason=reason,
        line=made,
        by=by,
        approved_by=approved_by,
        terminal=terminal,
        changes=[change.facts() for change in _changes(before, after, changes)],
        round=after,
        wagers=staked if made.wagers != newest.wagers else None,
    )
    if corrected.status == Round.Status.SETTLED:
        settling.settle_again(corrected.pk)
    corrected.refresh_from_db()
    return corrected


def amended(line, changes):
    """A line with changed values, checked as a whole.

    :raises Refused: with the fault's place, or `nothing_changed`.
    """
    game = registry.GAMES[line["game"]]
    after = lines.amend(game, line, changes)
    if isinstance(after, Fault):
        raise Refused(
            after.code,
            after.message,
            status=422,
            path=after.path,
            way_out="Correct all that belongs together in one step, or rule on the box.",
        )
    # As facts: `false` is the same as left out.
    if game.read(after) == game.read(line):
        raise Refused(
            "nothing_changed",
            "The corrected round is what it was.",
            status=422,
            path="changes",
            way_out="Change what is wrong.",
        )
    return after


def _changes(before, after, paths):
    return [Change(path, lines.at(before, path), lines.at(after, path)) for path in paths]
