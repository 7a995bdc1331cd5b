"""A showdown of Genpoker as contracts/adjudicate.md writes it, and who takes what of its pot."""

from collections.abc import Mapping, Sequence

from casino.games import showdown
from casino.games.game import UNFORESEEN, Carry, Fault, Field, Json, Pay, Result, Slot, Wager
from casino.games.genpoker.cards import SIXTY_FOUR
from casino.games.genpoker.classes import Strength, strength
from casino.games.genpoker.sheet import CLAUSES, PLAYERS, Sheet
from casino.games.reading import FaultError, check_names
from casino.games.showdown import Showdown, Showing

Facts = Showdown

IRREGULARITIES = (UNFORESEEN,)
"""rules/genpoker.md names none of its own."""

SHOWING = Showing(
    SIXTY_FOUR, 5, PLAYERS, "a card is a number and a colour, as 3R, and of #6 also a nation from 01 to 16, as 6R-07"
)
_CARDS = Field("cards", "cards", "Five cards", 5, 5, clause="genpoker.3")


def read(line: Mapping[str, Json]) -> Facts | Fault:
    """A line of contracts/adjudicate.md, checked; `id` and `game` are the caller's.

    >>> read({"hands": [{"player": "A", "cards": ["6R"]}]}).message
    '1 hand, not 2 to 8.'
    """
    try:
        check_names(line, showdown.LINE_FIELDS, "The line", "")
        void = showdown.read_void(line, CLAUSES)
        hands = showdown.read_hands(line.get("hands"), SHOWING, optional=void is not None, judged=void is None)
        return Facts(showdown.read_pot(line), hands, void)
    except FaultError as error:
        return error.fault


def strengths(facts: Facts) -> dict[str, Strength]:
    """How each player's hand ranks."""
    return {player: strength(cards) for player, cards in facts.hands if cards is not None}


def settle(facts: Facts) -> dict[str, Json]:
    """The contract's answer for a showdown, without its `id`."""
    if facts.void is not None:
        return {"game": "genpoker", "void": True}
    held = strengths(facts)
    ranking = showdown.rank(held, held.__getitem__)
    winners = ranking[0]
    result: dict[str, Json] = {
        "game": "genpoker",
        "ranking": ranking,
        "hands": {player: {"class": found.made.name, "clauses": [found.made.clause]} for player, found in held.items()},
    }
    if facts.pot_units is not None:
        result["shares"] = showdown.share(facts.pot_units, winners)
    result["decided_by"] = held[winners[0]].made.clause if len(ranking) > 1 else None
    return result


def pay(facts: Facts, result: Result, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Pay, ...]:
    """What becomes of each stake, in their order."""
    if facts.void is not None:
        return showdown.pay_back(wagers)
    return showdown.pay_shares(result.get("shares", {}), wagers)


def slots(line: Mapping[str, Json]) -> tuple[Slot, ...]:
    """The cards that were shown, and the clause of a void round."""
    return tuple(showdown.slots(line, _CARDS, tuple(irregularity.clause for irregularity in IRREGULARITIES)))


def stakes(facts: Facts, wagers: Sequence[Wager], sheet: Sheet, carry: Carry) -> tuple[Wager, ...]:
    """The sheet sets the stake, so no card that is corrected changes it."""
    return tuple(wagers)


def carry(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> Carry:
    """A round of Genpoker leaves nothing to the next."""
    return None


def totals(facts: Facts, result: Result, sheet: Sheet, carry: Carry) -> dict[str, Json]:
    """Nothing is added up from round to round."""
    return {}
