"""The contract's answer for each of the three forms of a line, and its outcome player by player."""

from collections.abc import Iterable

from casino.games.bigtwo.combinations import beats, combination
from casino.games.bigtwo.facts import Compare, Deal, Facts, Followed, Left, follow, left_with
from casino.games.bigtwo.points import settled
from casino.games.game import COUNTS_AS_PLAYED, Json, Outcome, Result


def settle(facts: Facts) -> dict[str, Json]:
    """The contract's answer for a line, without its `id`."""
    match facts:
        case Compare(options, (first, second)):
            new, standing = combination(first), combination(second)
            return {
                "game": "bigtwo",
                "combinations": [new and new.name, standing and standing.name],
                "beats": bool(new and standing and beats(new, standing, bombs=options.bombs)),
            }
        case Left(options, seats, hands):
            return {"game": "bigtwo", "over": True, **settled(options, dict(zip(seats, hands, strict=True)))}
        case Deal(void=str()):
            return {"game": "bigtwo", "void": True}
    return _followed(facts, follow(facts))


def _followed(deal: Deal, followed: Followed) -> dict[str, Json]:
    course, seats = followed.course, deal.seats
    result: dict[str, Json] = {
        "game": "bigtwo",
        "illegal": None,
        "turn": None if course.turn is None else seats[course.turn],
        "left": dict(zip(seats, course.held, strict=True)),
        "over": course.over,
        "skipped": [{"after_play": skip.after, "player": seats[skip.place]} for skip in course.skipped],
    }
    if followed.illegal is not None:
        code, clause, _ = followed.illegal
        result["illegal"] = {"play": course.entries, "code": code, "clause": clause}
    if course.over:
        result |= settled(deal.options, left_with(deal, course))
    return result


def is_over(result: Result) -> bool:
    """Whether the round ended by bigtwo.6; one that is void or broken off did not."""
    return bool(result.get("over"))


def finished(facts: Facts, result: Result) -> bool:
    """Whether a round is over or void; one that a correction left open is neither."""
    return is_over(result) or "void" in result


def counts_as_played(facts: Facts) -> bool:
    """Whether a round is void by house.6: no points, but one round less to play."""
    return isinstance(facts, Deal) and facts.void == COUNTS_AS_PLAYED


def outcomes(facts: Facts, result: Result) -> tuple[Outcome, ...]:
    """Each box's outcome: `win`, `lose`, `void`, or `unfinished` if a correction leaves the round without an end.

    A `compare` line has none. The answer doesn't say whether bigtwo.13 counted; the explanation does.
    """
    if isinstance(facts, Compare):
        return ()
    if isinstance(facts, Deal) and facts.void is not None:
        return _all(facts.seats, "void", (facts.void,))
    if is_over(result):
        (winner,), *others = result["ranking"]
        won = Outcome(int(winner), "win", ("bigtwo.6", "bigtwo.14"))
        lost = _all([player for group in others for player in group], "lose", ("bigtwo.6", "bigtwo.12", "bigtwo.14"))
        return tuple(sorted((won, *lost)))
    illegal = result.get("illegal")
    return _all(facts.seats, "unfinished", (illegal["clause"] if illegal else "bigtwo.6",))


def _all(players: Iterable[str], outcome: str, clauses: tuple[str, ...]) -> tuple[Outcome, ...]:
    return tuple(sorted(Outcome(int(player), outcome, clauses) for player in players))
