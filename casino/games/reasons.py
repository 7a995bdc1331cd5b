"""Why a showdown went as it did: what every game says of a void round and of the shares of a pot."""

from collections.abc import Iterator, Mapping, Sequence

from casino.games.game import Reason
from casino.games.pot import LEFT_OVER
from casino.games.sentences import named, who
from casino.games.showdown import Showdown
from casino.money import Units
from casino.phrases import phrases

SENTENCES: Mapping[str, str] = phrases(
    "pot.sentence",
    {
        "void": "The round is void under {clause}: all stakes are returned.",
        "void_player": "The round is void under {clause}: all that {whom} staked is returned.",
        "best_hand": "{who} has the best hand.",
        "takes_pot": "{who} has the best hand and takes the pot of {pot}.",
        "shares_pot": "{count} equal hands share the pot of {pot}: {whom} gets {share}.",
        "left_over": "The pot doesn’t divide evenly by {count}. The chips left over go one each to the winners in "
        "seat order from the dealer’s left, one of them to {whom}.",
    },
)

SPOKEN: Mapping[str, str] = phrases(
    "pot.spoken",
    {
        "void": "void",
        "void_player": "void",
        "best_hand": "the best hand",
        "takes_pot": "takes the pot",
        "shares_pot": "shares the pot",
    },
)
"""What a croupier says of them."""

OF_SHARES = ("best_hand", "takes_pot", "shares_pot")
"""Those that say who gets the pot, not why."""


def void_reasons(showdown: Showdown) -> tuple[Reason, ...]:
    """A reason for each player of a void round; one for the table if the line names no players."""
    clause = showdown.void or ""
    if not showdown.hands:
        return (Reason(None, clause, "void", {"clause": clause}),)
    return tuple(
        Reason(player, clause, "void_player", {"whom": named(player), "clause": clause}) for player in showdown.players
    )


def share_reasons(
    showdown: Showdown, winners: Sequence[str], shares: Mapping[str, int] | None, clause: str
) -> Iterator[Reason]:
    """What each winner gets, by the clause that gives a pot to the best hand, and why one gets a chip more; `shares`
    are None if the line has no pot."""
    pot = Units(showdown.pot_units or 0)
    least = min(shares.values()) if shares else 0
    message = "best_hand" if shares is None else "takes_pot" if len(winners) == 1 else "shares_pot"
    for player in winners:
        units = shares[player] if shares else 0
        values = {"who": who(player), "whom": named(player), "pot": pot, "share": Units(units), "count": len(winners)}
        yield Reason(player, clause, message, values)
        if units > least:
            yield Reason(player, LEFT_OVER, "left_over", values)
