"""What a settled round came to, box by box, with the reasons: from its line and its settlement alone."""

import json
from typing import Literal, NamedTuple

from django.db.models import Exists, F, OuterRef

from casino.games import reasons, registry
from casino.games.game import Board
from casino.models import Casino
from casino.statements import Statement
from casino.wording import hear, tell
from payouts.models import Payment, PaymentTick, Transfer

from ..models import Line
from . import rulesheets


class Paid(NamedTuple):
    """A box's payment in units.

    `ticked`: the croupier has said that it is done, or two people that the patron has `left` without it. `difference`:
    what is handed over beyond the newest earlier generation in which the box was ticked (below 0: collected). It is
    None if the box was never ticked, which is then owed this whole payment, as if it were the first; for points nothing
    was staked before, so all of it is a difference. `lies`: where its stakes were when the round was settled: on the
    box, in the pot, or nowhere yet, as with points. `corrected`: it is not the first generation. `since`: the
    generation from which `difference` counts; 0 is the round itself, in which the box was finished (house.7).
    """

    box: int
    outcome: str
    staked: int
    returned: int
    paid: int
    net: int
    clauses: list
    ticked: bool
    difference: int | None
    lies: Literal["box", "pot", "nowhere"] = "box"
    corrected: bool = False
    since: int | None = None
    left: bool = False

    @property
    def due(self):
        """Whether the croupier has something to do for the box; for a pot, nothing is taken from it."""
        if self.difference is None:
            return self.lies == "box" or bool(self.returned + self.paid)
        return self.difference != 0

    @property
    def done_in_round(self):
        """Whether all of it was handed over or swept before the round's end."""
        return self.since == 0 and not self.difference and not self.corrected

    @property
    def left_units(self):
        """What is still to move to the box (below 0: from it), if it is not ticked."""
        if self.difference is not None:
            return self.difference
        return self.returned + self.paid if self.lies == "pot" else self.net


class Had(NamedTuple):
    """What a box has had: the generation in which it was ticked (0: the round itself), and its net units there."""

    generation: int
    net: int


class Why(NamedTuple):
    """A reason in words; `heard` is what is said aloud of it, None if it decides nothing.

    `of_share`: it says who gets the pot. `ahead`: if it compares two boxes, the one that it puts ahead of this one.
    `behind`: the boxes that it puts behind this one: it decided for them, too.
    """

    box: int | str | None
    clause: str
    text: str
    heard: str | None
    of_share: bool = False
    ahead: str | None = None
    behind: tuple[str, ...] = ()

    def is_of(self, box):
        return str(self.box) == str(box)

    def is_about(self, box):
        """Whether a box is shown it: its own, and what another was better by."""
        return self.is_of(box) or str(box) in self.behind


class Results(NamedTuple):
    """The newest generation; `payments` are `Paid`, `reasons` `Why`, `board` the game's, in a series."""

    generation: int
    result: dict
    payments: list
    reasons: list
    board: Board | None = None


_PAYMENTS = Statement(
    lambda settlement: (
        Payment.objects.filter(settlement=settlement)
        .order_by("box")
        .annotate(
            done=F("tick__pk"),
            left_with=F("tick__left_with"),
            of_points=Exists(Transfer.objects.filter(settlement=OuterRef("settlement"), reason="points")),
        )
    )
)
_LINE = Statement(lambda round_, ordinal: Line.objects.filter(round=round_, ordinal=ordinal))


def of(round_, decimals=None):
    """The newest generation of a settled round, or None while it is not settled.

    :param decimals: the currency's, if they were read already.
    """
    settlement = round_.settlement
    if settlement is None:
        return None
    line = _LINE.first(round_=round_.pk, ordinal=settlement.line_ordinal)
    result = json.loads(settlement.result)
    decimals = Casino.objects.get().currency_decimals if decimals is None else decimals
    text = json.loads(line.text)
    reasons = explain(text, result, decimals)
    board = _board(round_, line, text, result)
    return Results(settlement.generation, result, payments(settlement, line.handed), reasons, board)


def _board(round_, line, text, result):
    """How the boxes of a series stand with this round, or None."""
    if round_.series_id is None:
        return None
    game = registry.GAMES[text["game"]]
    return game.board(game.read(text), result, rulesheets.checked(round_.sheet), line.carry)


def ticks(round_key):
    """The ticks of a round, those of earlier generations first."""
    of_round = PaymentTick.objects.filter(payment__settlement__round_key=round_key)
    of_round = of_round.select_related("by", "left_with", "payment__settlement")
    return list(of_round.order_by("payment__settlement__generation"))


def had(ticks, before, handed):
    """What each box last had before a generation, by box: what it was ticked for, else what it had in the round. A tick
    because the patron has left is none: the box had nothing.

    :param handed: of the round's lines.
    """
    in_round = {each["box"]: Had(0, each["units"]) for each in handed or ()}
    return in_round | {
        tick.payment.box: Had(tick.payment.settlement.generation, tick.payment.net_units)
        for tick in ticks
        if tick.payment.settlement.generation < before and not tick.left
    }


def difference(net, last, place):
    """How much a box's net is above what it had; None if it had nothing yet. Points are a difference as a whole: none
    were staked.

    :param last: a `Had`, or None.
    :param place: where the stakes were, by `stakes_place`.
    """
    if last is None:
        return net if place == "nowhere" else None
    return net - last.net


def stakes_place(game, *, points):
    """Where the stakes of a round were when it was settled; `points`: these moved money."""
    return "box" if game.bank == "house" else "nowhere" if points else "pot"


def payments(settlement, handed):
    """A generation's payments.

    :param handed: of the round's lines.
    """
    of_round = ticks(settlement.round_key) if settlement.generation > 1 else []
    paid = _PAYMENTS.all(settlement=settlement.pk)
    points = any(payment.of_points for payment in paid)
    done = {payment.pk: payment.left_with is not None for payment in paid if payment.done}
    return _paid(settlement, paid, done, of_round, handed, points)


def payments_beside(settlement, of_round, handed):
    """A generation's payments, from a settlement whose payments and transfers were read along with others.

    :param of_round: the round's ticks.
    """
    points = any(transfer.reason == "points" for transfer in settlement.transfers.all())
    done = {tick.payment_id: tick.left for tick in of_round}
    return _paid(settlement, settlement.payments.all(), done, of_round, handed, points)


def _paid(settlement, paid, done, of_round, handed, points):
    """`done`: the payments that are ticked, and whether their patron has left."""
    before = had(of_round, settlement.generation, handed)
    place = stakes_place(registry.GAMES[json.loads(settlement.result)["game"]], points=points)
    return [
        Paid(
            payment.box,
            payment.outcome,
            payment.staked_units,
            payment.returned_units,
            payment.paid_units,
            payment.net_units,
            payment.clauses,
            payment.pk in done,
            difference(payment.net_units, before.get(payment.box), place),
            place,
            settlement.generation > 1,
            before[payment.box].generation if payment.box in before else None,
            done.get(payment.pk, False),
        )
        for payment in paid
    ]


def explain(line, result, decimals):
    """The reasons of a result as `Why`, amounts with the decimals of the currency."""
    game = registry.GAMES[line["game"]]
    return [
        Why(
            reason.box,
            reason.clause,
            tell(game.sentences, reason, decimals),
            hear(game.spoken, reason, decimals),
            reason.message in reasons.OF_SHARES,
            reason.values.get("ahead"),
            tuple(reason.values.get("behind", ())),
        )
        for reason in game.explain(game.read(line), result)
    ]
