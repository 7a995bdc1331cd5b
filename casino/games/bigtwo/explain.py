"""Why a round of Big Two ended as it did, or broke off: the whole chain of clauses, in the order of reasoning."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from casino.cards import card_name, spell
from casino.games.bigtwo.combinations import FOUR_OF_A_KIND, ORDER, Combination, announce, combination, describe
from casino.games.bigtwo.course import Course, Illegal
from casino.games.bigtwo.facts import Compare, Deal, Facts, Followed, Left, follow, left_with
from casino.games.bigtwo.points import penalty
from casino.games.bigtwo.sentences import KINDS, PLACES, TIMES, counted
from casino.games.bigtwo.sheet import Options
from casino.games.game import Reason, Result
from casino.games.sentences import listed, named, who


def explain(facts: Facts, result: Result) -> tuple[Reason, ...]:
    """Every reason: the lead, what was skipped, what broke the course off, or how the points come about."""
    match facts:
        case Compare():
            return tuple(_compared(facts))
        case Left(options, seats, hands):
            return tuple(_points(options, dict(zip(seats, hands, strict=True)), result))
        case Deal(void=str(clause)):
            return tuple(
                Reason(player, clause, "round_void", {"whom": named(player), "clause": clause})
                for player in facts.seats
            )
    return tuple(_course(facts, follow(facts), result))


def _course(deal: Deal, followed: Followed, result: Result) -> Iterator[Reason]:
    courses, course = followed.courses, followed.course
    first = courses[0]
    leader = deal.seats[first.turn or 0]
    message = "lead_winner" if first.lowest is None else "lead_lowest"
    card = "" if first.lowest is None else card_name(first.lowest)
    yield Reason(leader, "bigtwo.3", message, {"who": who(leader), "card": card})
    for before, after in pairwise(courses):
        yield from _step(deal, before, after)
    yield from _illegal(deal, followed)
    if course.turn is None:
        yield from _points(deal.options, left_with(deal, course), result)
        return
    turn = deal.seats[course.turn]
    if course.entries and course.standing is None:
        yield Reason(turn, "bigtwo.5", "leads", {"whom": named(turn)})
    else:
        yield Reason(turn, "bigtwo.2", "turn", {"whom": named(turn)})


def _step(deal: Deal, before: Course, after: Course) -> Iterator[Reason]:
    """What else happened in one play, by a clause of its own: a bomb, or skipped turns."""
    play = deal.plays[before.entries]
    # If the skips ended the trick, nothing stands any more; after a pass, what stood before still stands.
    made = combination(play.cards) or before.standing
    if made is None:
        return
    shared = {"play": after.entries, "made": describe(made)}
    if play.cards and before.standing is not None and before.standing.size != made.size:
        standing = {"who": who(play.player), "standing": describe(before.standing)}
        yield Reason(play.player, "bigtwo.10", "bomb", shared | standing)
    for skip in after.skipped[len(before.skipped) :]:
        player = deal.seats[skip.place]
        count = counted(after.held[skip.place])
        values = {"who": who(player), "count": count, "standing": describe(made)}
        yield Reason(player, "bigtwo.11", "skipped", shared | values)


def _illegal(deal: Deal, followed: Followed) -> Iterator[Reason]:
    course, illegal = followed.course, followed.illegal
    if illegal is None:
        return
    player, cards = deal.plays[course.entries]
    values = {"play": course.entries + 1, "whom": named(player), **_broken(deal.seats, course, cards, illegal)}
    yield Reason(player, illegal.clause, illegal.message(cards), values)


def _broken(seats: Sequence[str], course: Course, cards: Sequence[str], illegal: Illegal) -> dict[str, Any]:
    """The values for the sentence about an illegal play."""
    required = course.lowest if illegal.code == "lowest_card_required" else None
    card = required or (cards[illegal.card] if illegal.card is not None else None)
    return {
        "turn": "" if course.turn is None else named(seats[course.turn]),
        "winner": named(seats[course.held.index(0)]) if course.over else "",
        "card": card_name(card) if card else "",
        "cards": spell(cards),
        "count": counted(len(cards)),
        "standing": describe(course.standing) if course.standing else "",
    }


def _points(options: Options, left: dict[str, tuple[str, ...]], result: Result) -> Iterator[Reason]:
    (winner,), *others = result["ranking"]
    yield Reason(winner, "bigtwo.6", "wins", {"who": who(winner)})
    ahead = [winner]
    for group in others:
        place = PLACES[str(len(ahead) + 1)]
        for player in group:
            yield from _penalty(options, player, left[player], place)
            if options.scoring != "cumulative":
                yield _paid(options, player, ahead, result)
        ahead += group
    for player in left:
        yield _net(options, player, result["net"][player])


def _penalty(options: Options, player: str, cards: tuple[str, ...], place: str) -> Iterator[Reason]:
    base, factor = due = penalty(options, cards)
    values = {
        "who": who(player),
        "whom": named(player),
        "count": counted(len(cards)),
        "place": place,
        "cards": spell(cards),
        "base": counted(base, "point"),
        "times": TIMES.get(str(factor), ""),
        "points": counted(due.points, "point"),
    }
    yield Reason(player, "bigtwo.6", "place", values)
    yield Reason(player, "bigtwo.12", f"penalty_{options.base}", values)
    if factor > 1:
        yield Reason(player, "bigtwo.13", "multiplied", values)


def _paid(options: Options, player: str, ahead: list[str], result: Result) -> Reason:
    values = {"who": who(player), "points": counted(result["points"][player], "point"), "winner": named(ahead[0])}
    if options.scoring == "winner_takes_all":
        return Reason(player, "bigtwo.14", "pays_winner", values)
    return Reason(player, "bigtwo.14", "pays_higher", values | {"higher": listed([named(other) for other in ahead])})


def _net(options: Options, player: str, net: int) -> Reason:
    values = {"who": who(player), "whom": named(player), "points": counted(net, "point")}
    values["net"] = counted(abs(net), "point")
    if options.scoring == "cumulative":
        return Reason(player, "bigtwo.14", "adds" if net else "adds_nothing", values)
    message = "net_gets" if net > 0 else "net_pays" if net < 0 else "net_even"
    return Reason(player, "bigtwo.14", message, values)


def _compared(facts: Compare) -> Iterator[Reason]:
    made = [combination(cards) for cards in facts.sides]
    for cards, side in zip(facts.sides, made, strict=True):
        yield _makes(cards, side)
    new, standing = made
    if new is None or standing is None:
        yield Reason(None, "bigtwo.4", "nothing_compared", {})
    elif new.size != standing.size:
        if facts.options.bombs and new.is_bomb:
            yield Reason(None, "bigtwo.10", "bomb_goes", {})
        else:
            values = {"count": counted(new.size), "other": counted(standing.size)}
            yield Reason(None, "bigtwo.4", "other_size", values)
    else:
        yield _of_one_size(new, standing, bombs=facts.options.bombs)


def _makes(cards: tuple[str, ...], made: Combination | None) -> Reason:
    if made is None:
        ranks = {card[0] for card in cards}
        broken_row = len(cards) == 5 == len(ranks)
        message = "makes_nothing" if cards else "no_cards"
        return Reason(None, "bigtwo.9" if broken_row else "bigtwo.7", message, {"cards": spell(cards)})
    straight = made.name in ("straight", "straight_flush")
    return Reason(
        None, "bigtwo.9" if straight else "bigtwo.7", "makes", {"cards": spell(cards), "made": announce(made)}
    )


def _of_one_size(new: Combination, standing: Combination, *, bombs: bool) -> Reason:
    above = new > standing
    over_a_bomb = bombs and standing.kind >= FOUR_OF_A_KIND
    if new.kind != standing.kind:
        values = {"kind": KINDS[new.name], "other": KINDS[standing.name]}
        clause = "bigtwo.10" if over_a_bomb else "bigtwo.7"
        return Reason(None, clause, "stronger_kind" if above else "weaker_kind", values)
    values = {"card": card_name(ORDER[new.top]), "other": card_name(ORDER[standing.top])}
    return Reason(None, "bigtwo.8", "stronger_top" if above else "weaker_top", values)
