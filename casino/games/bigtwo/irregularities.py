"""What may go wrong at a table of Big Two: its rules have no clause for it, so the house's own apply."""

from casino.games.game import UNFORESEEN, Irregularity
from casino.phrases import phrase

IRREGULARITIES: tuple[Irregularity, ...] = (
    Irregularity(
        "house.2",
        phrase("bigtwo.irregularity.event", "A card truly lies twice"),
        phrase(
            "bigtwo.irregularity.remedy",
            "Stop the round and call the pit boss, who voids it, so that it’s played again, or lets it stand, with a "
            "reason.",
        ),
        stops=True,
        reason=True,
    ),
    UNFORESEEN,
)

RULED_BY = tuple(irregularity.clause for irregularity in IRREGULARITIES)
"""The clauses by which a pit boss rules a round void."""
