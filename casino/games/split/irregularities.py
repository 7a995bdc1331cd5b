"""Disputes that the rules settle, as the table of rules/split.md lists them."""

from casino.games.game import UNFORESEEN, Irregularity
from casino.phrases import phrase

IRREGULARITIES: tuple[Irregularity, ...] = (
    Irregularity(
        "split.30",
        phrase("split.30.event", "A player throws in closed cards, then claims a combination"),
        phrase(
            "split.30.remedy",
            "Refuse the claim and don’t give the discard back. The house takes the wagers and the cards: the pit boss "
            "rules the box forfeit.",
        ),
        stops=True,
        asks_box=True,
        ruling="forfeit",
    ),
    Irregularity(
        "split.31",
        phrase("split.31.event", "Another of the dealer’s cards than the fifth was faced"),
        phrase("split.31.remedy", "Leave that card open and deal the others closed. The round goes on."),
    ),
    Irregularity(
        "split.32",
        phrase("split.32.event", "A combination was announced wrongly"),
        phrase("split.32.remedy", "Correct the announcement. The cards decide."),
    ),
    Irregularity(
        "split.33",
        phrase("split.33.event", "A payment was wrong"),
        phrase(
            "split.33.remedy",
            "If cards or stakes were entered wrong, ask for a correction. If only the hand-over was wrong, pay or "
            "collect the difference.",
        ),
        asks_box=True,
    ),
    Irregularity(
        "split.34",
        phrase("split.34.event", "Somebody wants the pack changed"),
        phrase(
            "split.34.remedy",
            "Finish the round: the pack is changed between rounds only. No player can demand or stop it.",
        ),
    ),
    Irregularity(
        "split.35",
        phrase("split.35.event", "Players exchange information, or cards leave the table"),
        phrase(
            "split.35.remedy",
            "Forbid it and keep the cards on the table, in view of the dealer and the inspector. The pit boss rules.",
        ),
        stops=True,
        reason=True,
    ),
    Irregularity(
        "split.36",
        phrase("split.36.event", "A card is exposed, missing, double or misdealt, and no clause above fits"),
        phrase(
            "split.36.remedy",
            "Stop the round and call the pit boss, who voids it, all wagers and fees returned, or lets it stand, with "
            "a reason.",
        ),
        stops=True,
        reason=True,
    ),
    UNFORESEEN,
)

RULED_BY = tuple(irregularity.clause for irregularity in IRREGULARITIES)
"""The clauses by which a pit boss rules on a box or a round."""
RULED_AT_THE_TABLE = tuple(case.clause for case in IRREGULARITIES if case.stops or case.ruling)
"""Those by which a pit boss rules while the round is played: under the others it goes on."""
