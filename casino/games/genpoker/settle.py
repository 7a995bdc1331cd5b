"""Who wins a showdown of Genpoker, by which clauses."""

from casino.games import pot, showdown
from casino.games.game import Json
from casino.games.genpoker.classes import Strength, strength
from casino.games.genpoker.facts import Facts


def strengths(facts: Facts) -> dict[str, Strength]:
    """How each player's hand ranks."""
    return {player: strength(cards) for player, cards in facts.hands if cards is not None}


def settle(facts: Facts) -> dict[str, Json]:
    """The contract's answer for a showdown, without its `id`."""
    if facts.void is not None:
        return {"game": "genpoker", "void": True}
    hands = strengths(facts)
    ranking = showdown.rank(hands, hands.__getitem__)
    winners = ranking[0]
    result: dict[str, Json] = {
        "game": "genpoker",
        "ranking": ranking,
        "hands": {
            player: {"class": hand.hand_class.name, "clauses": [hand.hand_class.clause]}
            for player, hand in hands.items()
        },
    }
    if facts.pot_units is not None:
        result["shares"] = pot.share(facts.pot_units, winners, facts.chip_units)
    result["decided_by"] = hands[winners[0]].hand_class.clause if len(ranking) > 1 else None
    return result
