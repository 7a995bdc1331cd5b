"""What may go wrong at a table of Big Two: its rules have no clause for it, so the house's own apply."""

from casino.games.game import UNFORESEEN, Irregularity
from casino.phrases import phrase

IRREGULARITIES: tuple[Irregularity, ...] = (
    Irregularity(
        "house.2",
        phrase("bigtwo.irregularity.event", "A card truly lies twice"),
        phrase(
            "bigtwo.irregularity.remedy",
            "Stop the round and call the pit boss. It is voided and played again, or stands, with a reason.",
        ),
        stops=True,
        reason=True,
    ),
    UNFORESEEN,
)

RULED_BY = tuple(irregularity.clause for irregularity in IRREGULARITIES)
"""The clauses by which a pit boss rules a round void."""
