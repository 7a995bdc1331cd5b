"""Disputes at a table of Presidential Poker: its rules name none, so house.4 covers all."""

from casino.games.game import UNFORESEEN, Irregularity

IRREGULARITIES: tuple[Irregularity, ...] = (UNFORESEEN,)

RULED_BY = tuple(irregularity.clause for irregularity in IRREGULARITIES)
"""The clauses by which a pit boss rules a round void."""
