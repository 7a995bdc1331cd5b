"""Why a round of Presidential Poker ended as it did: the whole chain of clauses, in the order of reasoning."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise

from casino.games.game import Json, Reason, Result
from casino.games.presidential.facts import Facts
from casino.games.presidential.hands import NAMES, Best, Part, dealt_out
from casino.games.presidential.pack import Pack
from casino.games.presidential.sentences import NEXT_PART, PART, PARTS, SHADES
from casino.games.presidential.settle import (
    DROPPED,
    EQUAL,
    NOBODY_MET,
    NUMBERS_OF_FIVE,
    Shown,
    decided,
    groups,
    show,
)
from casino.games.presidential.symbols import name as symbol_name
from casino.games.presidential.ties import OF_NUMBERS
from casino.games.reasons import share_reasons, void_reasons
from casino.games.sentences import in_a_row, listed, named, spoken_number, who
from casino.money import Units
from casino.phrases import Phrase

SHOWDOWN = "presidential.7"
A_TRIPLE = "presidential.10"


def explain(facts: Facts, result: Result) -> tuple[Reason, ...]:
    """Who dropped, what each hand makes, what decided between equal classes, and who gets what of the pot."""
    if facts.showdown.void is not None:
        return void_reasons(facts.everybody)
    return tuple(_reasons(facts, result))


def _reasons(facts: Facts, result: Result) -> Iterator[Reason]:
    for player in facts.dropped:
        yield Reason(player, DROPPED, "dropped", {"who": who(player)})
    if not facts.met:
        player = facts.showdown.players[0]
        yield Reason(player, NOBODY_MET, "nobody_met", {"who": who(player), "whom": named(player)})
        if facts.showdown.pot_units is not None:
            yield Reason(player, NOBODY_MET, "takes_unmet", {"pot": Units(facts.showdown.pot_units)})
        return
    hands = show(facts)
    ranking = groups(hands)
    best = ranking[0][0]
    beaten = [hand.player for hand in hands if hand.best.name != best.best.name]
    for hand in hands:
        yield from _made(facts.pack, hand, beaten if hand.player == best.player else [])
    yield from _ties(facts.pack, ranking)
    yield from share_reasons(facts.showdown, result["ranking"][0], result.get("shares"), SHOWDOWN)


# What a hand makes


def _made(pack: Pack, hand: Shown, behind: Sequence[str]) -> Iterator[Reason]:
    """What a hand makes; `behind`: the players whom that beats, as it is a higher class than theirs."""
    best = hand.best
    values: dict[str, Json] = {"who": who(hand.player), "name": NAMES[best.name].within(), "code": best.name}
    values["behind"] = list(behind)
    match best.name:
        case "7:7":
            message = "all_of_five"
        case "7:1":
            message = "rainbow"
            values["shade"] = SHADES[pack.cards[hand.cards[0]].colour.partition("-")[0]]
        case "0:7":
            message = "nothing"
        case _:
            message = "made"
            values["parts"] = reduce(_and_another, _parts(pack, hand.cards, best))
    yield Reason(hand.player, hand.clause, message, values)
    if any(part.size == 3 and part.cards.bit_count() == 4 for part in best.parts):
        yield Reason(hand.player, A_TRIPLE, "four_alone", {"whom": named(hand.player)})


def _parts(pack: Pack, cards: Sequence[str], best: Best) -> Iterator[Phrase]:
    """`three with the letter C (dark yellow 1, dark green 2, dark red 3)`, part by part."""
    for part, places in zip(best.parts, dealt_out(best.parts), strict=True):
        called = in_a_row([pack.deck.faces[cards[place]].name for place in places])
        yield PART.format(count=spoken_number(part.size), shared=_shared(part), cards=called)


def _and_another(parts: Phrase, part: Phrase) -> Phrase:
    return NEXT_PART.format(parts=parts, part=part)


def _shared(part: Part) -> Phrase:
    category, _, symbol = part.what.partition(" ")
    return PARTS[category].format(symbol=symbol_name(category, symbol))


# What decides inside a class


def _ties(pack: Pack, ranking: Sequence[Sequence[Shown]]) -> Iterator[Reason]:
    """What decided between neighbours of one class, from the best down; equal hands are explained as one group."""
    for group in ranking:
        for hand in group if len(group) > 1 else ():
            others = listed([named(other.player) for other in group if other != hand])
            values = {"who": who(hand.player), "others": others, "name": NAMES[hand.best.name].within()}
            yield Reason(hand.player, EQUAL, "equal", values)
    numbered: set[str] = set()
    for better, worse in pairwise(ranking):
        if better[0].best.name != worse[0].best.name:
            continue
        clause = decided(better[0], worse[0])
        if clause in OF_NUMBERS:
            for hand in (*better, *worse):
                if hand.player not in numbered:
                    numbered.add(hand.player)
                    yield from _numbers_of_five(pack, hand)
        for hand in better:
            yield _ahead(clause, hand, worse)


def _numbers_of_five(pack: Pack, hand: Shown) -> Iterator[Reason]:
    count = sum(len(pack.cards[card].numbers) > 1 for card in hand.cards)
    if count:
        values = {"whom": named(hand.player), "numbers": _spelled(hand.tie.numbers[:count])}
        yield Reason(hand.player, NUMBERS_OF_FIVE, "five_numbers", values)


def _ahead(clause: str, hand: Shown, worse: Sequence[Shown]) -> Reason:
    one, other = hand.tie, worse[0].tie
    name = NAMES[hand.best.name].within()
    values: dict[str, Json] = {"who": who(hand.player), "other": named(worse[0].player), "name": name}
    values["behind"] = [each.player for each in worse]
    match clause:
        case "presidential.31" if other.straight:
            message = "higher_straight"
            values |= {"top": one.straight, "other_top": other.straight}
        case "presidential.31":
            message = "straight"
            values |= {"numbers": _spelled(one.numbers)}
        case "presidential.32":
            message = "group" if other.group[0] else "group_alone"
            values |= {"group": _group(one.group), "other_group": _group(other.group)}
        case "presidential.33":
            message = "numbers"
            values |= {"numbers": _spelled(one.numbers), "other_numbers": _spelled(other.numbers)}
        case "presidential.34":
            message = "letters"
            values |= {"letters": "-".join(one.letters), "other_letters": "-".join(other.letters)}
        case _:
            message = "pinks"
            values |= {"pinks": one.pinks, "other_pinks": other.pinks}
    return Reason(hand.player, clause, message, values)


def _group(group: tuple[int, int]) -> str:
    count, number = group
    return _spelled((number,) * count)


def _spelled(numbers: Sequence[int]) -> str:
    return "-".join(map(str, numbers))
