"""Disputes at a table of Genpoker: its rules name none, so house.4 covers all, a card too many included (house.2)."""

from casino.games.game import UNFORESEEN, Irregularity

IRREGULARITIES: tuple[Irregularity, ...] = (UNFORESEEN,)

RULED_BY = tuple(irregularity.clause for irregularity in IRREGULARITIES)
"""The clauses by which a pit boss rules a round void."""
