"""A rule sheet tried on rounds that were played: their recorded actions under it, and what each box would have got.

Nothing is written. Nobody knows what players would have done under other rules: the actions are those that they took.
"""

import json
from enum import StrEnum
from typing import NamedTuple

from casino.games.game import Fault, Refusal, Wager
from casino.games.sentences import fill
from casino.models import Casino
from payouts import adjudication

from ..models import Round
from . import fold, rulesheets
from .wording import WORDING

MOST = 500
"""A sheet is tried on this many rounds at most."""
DEFAULT = 200


class Ending(StrEnum):
    """What became of a round that was tried."""

    SETTLED = "settled"
    NOT_KNOWN = "not known"
    NOT_PLAYED = "not played"


class Came(NamedTuple):
    """What a box came to: its outcome, and its net units."""

    outcome: str
    net: int


class Box(NamedTuple):
    """A box of a tried round as it was paid and as it would have been; None if it would not, or did not, play."""

    number: int
    before: Came | None
    after: Came | None

    @property
    def difference(self):
        return (self.after.net if self.after else 0) - (self.before.net if self.before else 0)

    @property
    def differs(self):
        return self.before != self.after


class Tried(NamedTuple):
    """A round that was tried. `why` says what stands in the way of one that was not settled."""

    round: Round
    ending: Ending
    boxes: tuple
    why: str = ""


class Again(NamedTuple):
    """A round settled again: its payments, and what it leaves to the next of its series."""

    payments: list
    carry: dict | None


class Obstacle(NamedTuple):
    """Why a round can't be settled again. `of_play`: the sheet does not take what a player did."""

    why: str
    of_play: bool = False


class Trial(NamedTuple):
    """The rounds that were tried, the newest last; sums are over those that were settled."""

    rounds: list

    def of(self, ending):
        return [each for each in self.rounds if each.ending == ending]

    @property
    def boxes(self):
        """(round, box) of every box that was settled."""
        return [(each.round, box) for each in self.of(Ending.SETTLED) for box in each.boxes]

    @property
    def difference(self):
        """How much more all boxes together would have got."""
        return sum(box.difference for _, box in self.boxes)

    @property
    def won(self):
        """What the house won of these boxes, as played."""
        return -sum(box.before.net for _, box in self.boxes if box.before)


def of(*, sheet, table, rounds=DEFAULT):
    """Try a sheet, a draft or not, on the newest settled rounds of its game at a table."""
    newest = (
        Round.objects.filter(table=table, status=Round.Status.SETTLED, sheet__game=sheet.game)
        .select_related("sheet", "settlement", "table")
        .prefetch_related("actions", "lines", "settlement__payments")
        .order_by("-number")[: min(rounds, MOST)]
    )
    checked, carries, decimals = rulesheets.checked(sheet), {}, Casino.objects.get().currency_decimals
    return Trial([_tried(round_, checked, carries, decimals) for round_ in reversed(newest)])


def _tried(round_, sheet, carries, decimals):
    """`carries`: what the earlier rounds of the trial left, by series; an `Obstacle` if that is not known."""
    carry = carries.get(round_.series_id, round_.carry) if round_.carry is not None else None
    before = {each.box: Came(each.outcome, each.net_units) for each in round_.settlement.payments.all()}
    if carry is None and round_.carry is not None:
        # Its series would have ended before it: nobody stakes or gets anything.
        return Tried(round_, Ending.SETTLED, tuple(Box(box, before[box], None) for box in sorted(before)))
    done = carry if isinstance(carry, Obstacle) else _again(round_, sheet, carry, decimals)
    if isinstance(done, Obstacle):
        if round_.series_id:
            carries[round_.series_id] = Obstacle(WORDING("tried_carry"))
        return Tried(round_, Ending.NOT_PLAYED if done.of_play else Ending.NOT_KNOWN, (), done.why)
    if round_.series_id:
        carries[round_.series_id] = done.carry
    after = {each.box: Came(each.outcome, each.net) for each in done.payments}
    numbers = sorted(before.keys() | after.keys())
    return Tried(round_, Ending.SETTLED, tuple(Box(box, before.get(box), after.get(box)) for box in numbers))


def _again(round_, sheet, carry, decimals):
    actions = fold.counting(sorted(round_.actions.all(), key=lambda action: action.ordinal))
    *earlier, newest = sorted(round_.lines.all(), key=lambda line: line.ordinal)
    own, game = rulesheets.checked(round_.sheet), fold.game_of(round_)
    return again(
        game,
        own,
        sheet,
        seats=tuple(round_.seats),
        carries=(round_.carry, carry),
        actions=actions,
        line=json.loads(newest.text),
        wagers=[Wager(**wager) for wager in json.loads(newest.wagers)],
        corrected=bool(earlier),
        decimals=decimals,
    )


def again(game, own, sheet, *, seats, carries, actions, line, wagers, corrected, decimals):
    """Settle a recorded round again under another sheet.

    :param own: the sheet that it was played by.
    :param carries: what was carried into it, and what would have been carried.
    :param line: its newest line, and `wagers` are that line's; `corrected`: it is not the line of the close.
    :param decimals: the currency's, to word what stands in its way.
    """
    carry = carries[1]
    happened = list(fold.steps(game, game.start(sheet, seats, carry), actions))
    state = happened[-1].after if happened else game.start(sheet, seats, carry)
    if isinstance(state, Refusal):
        played = fold.steps(game, game.start(own, seats, carries[0]), actions)
        step = next((each for each in played if each.action == happened[-1].action), None)
        why = fill(state.message, state.values, decimals)
        # If boxes play against each other, each entry is a player's, or follows from one that no player made.
        if game.bank != "house" or step is None or isinstance(step.after, Refusal) or _is_play(game, step):
            return Obstacle(why, of_play=True)
        # For cards looked at in another order, or more than needed, the line has the cards.
        said = {name for name, value in game.values(own).items() if line.get(name) == value}
        after = line | {name: value for name, value in game.values(sheet).items() if name in said}
    else:
        view = game.view(state)
        if not view.final:
            left = next((offer.label for offer in game.legal(state) if offer.primary), "")
            return Obstacle(WORDING("tried_not_final:left", left=left) if left else WORDING("tried_not_final"))
        after, wagers = {"id": line.get("id"), **game.facts(state)}, list(view.wagers)
        if corrected:
            first = _facts(game, own, seats, carries[0], actions)
            after = line | {name: value for name, value in after.items() if first.get(name) != value and name != "id"}
    done = _settled(game, sheet, after, wagers, carry, corrected)
    if isinstance(done, Again) and done.carry is not None and _leaves(game, own, line, carries[0]) is None:
        return Obstacle(WORDING("tried_goes_on"))
    return done


def _leaves(game, own, line, carry):
    """What the round left to the next of its series as it was played."""
    facts = game.read(line)
    return game.carry(facts, game.settle(facts), own, carry)


def _is_play(game, step):
    """Whether an action changed what is staked; then it is not just a card turned up."""
    return game.view(step.before).wagers != game.view(step.after).wagers


def _facts(game, sheet, seats, carry, actions):
    steps = list(fold.steps(game, game.start(sheet, seats, carry), actions))
    return game.facts(steps[-1].after)


def _settled(game, sheet, line, wagers, carry, corrected):
    facts = game.read(line)
    if isinstance(facts, Fault):
        return Obstacle(facts.message)
    result = game.settle(facts)
    if not game.finished(facts, result):
        return Obstacle(WORDING("tried_unfinished"))
    staked = game.stakes(facts, wagers, sheet, carry) if corrected else wagers
    pays = game.pay(facts, result, staked, sheet, carry)
    return Again(adjudication.payments(pays, game.outcomes(facts, result)), game.carry(facts, result, sheet, carry))


def tables_of(sheet, tables):
    """The tables among these at which rounds of the sheet's game were settled."""
    settled = Round.objects.filter(status=Round.Status.SETTLED, sheet__game=sheet.game).values("table")
    return tables.filter(pk__in=settled).order_by("pk")
