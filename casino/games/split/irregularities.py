"""Disputes that the rules settle, as the table of rules/split.md lists them."""

from casino.games.game import UNFORESEEN, Irregularity

IRREGULARITIES: tuple[Irregularity, ...] = (
    Irregularity(
        "split.30",
        "A player throws in closed cards, then claims a combination",
        "Refuse the claim and do not give the discard back. The house takes the wagers and the cards: the pit boss "
        "rules the box forfeit.",
        stops=True,
        asks_box=True,
        ruling="forfeit",
    ),
    Irregularity(
        "split.31",
        "Another of the dealer's cards than the fifth was faced",
        "Leave that card open and deal the others closed. The round goes on.",
    ),
    Irregularity(
        "split.32",
        "A combination was announced wrongly",
        "Correct the announcement. The cards decide.",
    ),
    Irregularity(
        "split.33",
        "A payment was wrong",
        "If cards or stakes were entered wrong, ask for a correction. If only the hand-over was wrong, pay or collect "
        "the difference.",
        asks_box=True,
    ),
    Irregularity(
        "split.34",
        "Somebody wants the pack changed",
        "Finish the round: the pack is changed between rounds only. No player can demand or stop it.",
    ),
    Irregularity(
        "split.35",
        "Players exchange information, or cards leave the table",
        "Forbid it and keep the cards on the table, in view of the dealer and the inspector. The pit boss rules.",
        stops=True,
        reason=True,
    ),
    Irregularity(
        "split.36",
        "A card is exposed, missing, double or misdealt, and no clause above fits",
        "Stop the round and call the pit boss. It is voided, all wagers and fees returned, or stands, with a reason.",
        stops=True,
        reason=True,
    ),
    UNFORESEEN,
)

RULED_BY = tuple(irregularity.clause for irregularity in IRREGULARITIES)
"""The clauses by which a pit boss rules on a box or a round."""
RULED_AT_THE_TABLE = tuple(case.clause for case in IRREGULARITIES if case.stops or case.ruling)
"""Those by which a pit boss rules while the round is played: under the others it goes on."""
