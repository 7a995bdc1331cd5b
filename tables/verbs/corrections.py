"""Corrections after close: the next complete line of a round and, if it was settled, its next generation.

Nothing is changed: the line before stays, its settlement stays, its transfers are reversed by transfers of their own.
"""

import json
from typing import NamedTuple

from audit import log
from casino.errors import Refused
from casino.games import lines, registry
from casino.games.game import COUNTS_AS_PLAYED, Fault, Wager
from casino.wording import read

from ..models import Intervention, Line, Round
from . import grounds, payments, rulesheets, series, settling
from .wording import WORDING


class Change(NamedTuple):
    """One value of a line before and after a correction; None if there is none."""

    path: str
    before: object
    after: object

    def facts(self):
        return {name: value for name, value in self._asdict().items() if value is not None}


class Later(NamedTuple):
    """A later round of a series that a correction reaches: its newest `line`, and the carry that it now begins with."""

    round: Round
    line: Line
    carry: dict


class _Ground(NamedTuple):
    """What all lines made by one correction have in common."""

    clause: str
    reason: str
    actor: log.Actor


def correct(*, standing, line, changes, clause, reason, actor, by_ruling=False):
    """Make a round's next complete line: a card or a stake found wrong, or a ruling on a box or on the whole round.

    A settled round is settled again at once, in this transaction: what was paid is reversed, what is right is paid. A
    worker settles a closed one by its newest line.

    :param line: how many lines the caller saw.
    :param changes: path to value, by the game's `slots`; None takes a value out.
    :param by_ruling: the correction is a dispute's ruling, which may name any clause of the game: `disputes.rule` has
        checked it.
    :raises Refused: `round_wrong_moment` before close, `stale_version`, `same_person`, `clause_unknown`,
        `reason_missing`, `nothing_changed`, what `reaches` refuses, or what is wrong with the corrected line, with its
        place.
    """
    corrected = standing.round
    if corrected.status not in {Round.Status.CLOSED, Round.Status.SETTLED}:
        raise grounds.wrong_moment(corrected, WORDING("amend_before_close"))
    grounds.two_people(actor)
    check_rests(corrected)
    # Locked before anything is recorded: settlement locks rounds first and then the chain.
    following = series.after(corrected)
    newest = corrected.lines.last()
    if line != newest.ordinal:
        raise WORDING.refused(
            "stale_version:line",
            round=corrected,
            seen=line,
            newest=newest.ordinal,
            detail={"line": newest.ordinal},
        )
    if not by_ruling:
        grounds.irregularity(corrected, clause)
    reason = grounds.checked_reason(reason, needed=True)
    before = json.loads(newest.text)
    after = amended(before, changes)
    later = reaches(corrected, newest, after, following)
    ground = _Ground(clause, reason, actor)
    changed = [change.facts() for change in _changes(before, after, changes)]
    last = corrected, _next_line(corrected, newest, after, newest.carry, changed, ground)
    for round_, of_round, carry in later:
        last = round_, _next_line(round_, of_round, json.loads(of_round.text), carry, [], ground)
    if len(later) == len(following):
        series.close_after(*last, actor=actor)
    corrected.refresh_from_db()
    payments.close_disputes(corrected, actor=actor)
    return corrected


def check_rests(round_):
    """Refuse while a round of the same series is played.

    :raises Refused: `round_open`.
    """
    played = series.open_round_of(round_)
    if played:
        raise WORDING.refused("round_open", round=played, detail={"round": played.pk})


def _next_line(round_, newest, after, carry, changes, ground):
    """Write a round's next complete line, and settle it again if it was settled."""
    game, sheet = registry.GAMES[after["game"]], rulesheets.checked(round_.sheet)
    wagers = [Wager(**wager) for wager in json.loads(newest.wagers)]
    staked = [wager._asdict() for wager in game.stakes(game.read(after), wagers, sheet, carry)]
    line = Line.objects.create(
        round=round_,
        ordinal=newest.ordinal + 1,
        text=log.canonical(after),
        wagers=log.canonical(staked),
        carry=carry,
        handed=newest.handed,
        by=ground.actor.by,
        approved_by=ground.actor.approved_by,
    )
    grounds.record(
        round_,
        Intervention.Kind.CORRECTED,
        line=line,
        changes=changes,
        round=after,
        wagers=staked if line.wagers != newest.wagers else None,
        carry=carry,
        **ground._asdict(),
    )
    if round_.status == Round.Status.SETTLED:
        settling.settle_again(round_.pk, ground.actor)
    return line


def reaches(round_, newest, after, following):
    """The later rounds of the series that a corrected line reaches, in order; nothing is written.

    :param newest: the round's line before the correction.
    :param following: the rounds of the series that were played after it.
    :raises Refused: `round_unfinished`, `series_ends_earlier`, `series_goes_on` (house.6).
    """
    game, sheet = registry.GAMES[after["game"]], rulesheets.checked(round_.sheet)
    facts = game.read(after)
    result = game.settle(facts)
    if not game.finished(facts, result):
        raise WORDING.refused("round_unfinished", clause=COUNTS_AS_PLAYED, named=COUNTS_AS_PLAYED, round=round_)
    later = []
    carry, played = game.carry(facts, result, sheet, newest.carry), round_
    for next_round in following:
        if carry is None:
            raise WORDING.refused(
                "series_ends_earlier",
                clause=COUNTS_AS_PLAYED,
                named=COUNTS_AS_PLAYED,
                round=played,
                next_round=next_round,
            )
        line = next_round.lines.last()
        if carry == line.carry:
            return later
        later.append(Later(next_round, line, carry))
        carry, played = series.carry_of(next_round.sheet, line, carry), next_round
    if carry is not None and lines.at(after, "void.clause") != COUNTS_AS_PLAYED:
        last = later[-1].line if later else newest
        if series.has_ended(round_) and series.carry_of(played.sheet, last) is None:
            raise WORDING.refused("series_goes_on", clause=COUNTS_AS_PLAYED, named=COUNTS_AS_PLAYED, round=played)
    return later


def amended(line, changes):
    """A line with changed values, checked as a whole.

    :raises Refused: with the fault's place, or `nothing_changed`.
    """
    game = registry.GAMES[line["game"]]
    after = lines.amend(game, line, changes)
    if isinstance(after, Fault):
        raise Refused(
            after.code,
            read(after.message),
            status=422,
            path=after.path,
            way_out=WORDING("correct_together"),
        )
    # As facts: `false` is the same as left out.
    if game.read(after) == game.read(line):
        raise WORDING.refused("nothing_changed")
    return after


def _changes(before, after, paths):
    return [Change(path, lines.at(before, path), lines.at(after, path)) for path in paths]
