"""Rounds that were drawn, each replayed from the cards that were entered and compared with what was settled."""

import json
from typing import NamedTuple

from django.urls import reverse

from casino import money
from casino.games import registry
from casino.games.game import Wager

from ..models import Round
from ..verbs import fold, rulesheets, trials
from .wording import WORDING


class Replayed(NamedTuple):
    """What a replayed round came to: how much more the boxes got in its settlement than by its cards, or why that is
    unknown."""

    difference: int
    boxes: int
    why: str = ""

    @property
    def same(self):
        return not (self.boxes or self.why)


def replayed(round_, decimals):
    """Replay a settled round by its own sheet, as it was entered, before any correction."""
    first = min(round_.lines.all(), key=lambda line: line.ordinal)
    own = rulesheets.checked(round_.sheet)
    again = trials.again(
        fold.game_of(round_),
        own,
        own,
        seats=tuple(round_.seats),
        carries=(round_.carry, round_.carry),
        actions=fold.counting(sorted(round_.actions.all(), key=lambda action: action.ordinal)),
        line=json.loads(first.text),
        wagers=[Wager(**wager) for wager in json.loads(first.wagers)],
        corrected=False,
        decimals=decimals,
    )
    if isinstance(again, trials.Obstacle):
        return Replayed(0, 0, again.why)
    cards = {each.box: (each.outcome, each.net) for each in again.payments}
    paid = {each.box: (each.outcome, each.net_units) for each in round_.settlement.payments.all()}
    differs = [box for box in cards.keys() | paid.keys() if cards.get(box) != paid.get(box)]
    more = sum(paid.get(box, ("", 0))[1] - cards.get(box, ("", 0))[1] for box in differs)
    return Replayed(more, len(differs))


def shown(sample, span):
    """The rounds of a sample as rows, in the order in which they were drawn."""
    numbers = [int(ref.partition(":")[2]) for ref in sample.rounds]
    rounds = (
        Round.objects.filter(pk__in=numbers)
        .select_related("sheet", "settlement", "table")
        .prefetch_related("actions", "lines", "settlement__payments", "settlement__transfers")
        .in_bulk()
    )
    return [_row(place, rounds.get(number), number, span) for place, number in enumerate(numbers, 1)]


def _row(place, round_, number, span):
    if round_ is None or round_.settlement is None:
        return {"place": place, "name": f"round:{number}", "wrong": True, "says": WORDING("replay.gone")}
    again = replayed(round_, span.decimals)
    payments = round_.settlement.payments.all()
    house = -sum(payment.net_units for payment in payments)
    pays = registry.GAMES[round_.sheet.game].bank == "house"
    return {
        "place": place,
        "name": str(round_),
        "to": reverse("round", args=[round_.pk]),
        "table": round_.table.name,
        "boxes": len(payments),
        "win": f"{'+' if house > 0 else ''}{money.spell(house, span.decimals)}" if pays else "",
        "rake": "" if pays else WORDING("rake", amount=money.spell(house, span.decimals)),
        "wrong": not again.same,
        "says": _says(round_, again, span),
    }


def _says(round_, again, span):
    if again.same:
        return WORDING("replay.same")
    if again.why:
        return WORDING("replay.unknown", why=again.why)
    what = _differs(again, span)
    return WORDING("replay.corrected", what=what) if round_.settlement.generation > 1 else what


def _differs(again, span):
    if again.difference:
        amount = money.spell(abs(again.difference), span.decimals)
        return WORDING("replay.more" if again.difference > 0 else "replay.less", amount=amount)
    return WORDING("replay.boxes:one") if again.boxes == 1 else WORDING("replay.boxes", count=again.boxes)
