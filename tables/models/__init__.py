"""The floor: pits and tables, who works where, sessions, rule sheets, and rounds with what happened in them."""

from .disputes import Dispute
from .floor import Pit, Posting, SignOn, Table, Terminal
from .interventions import Intervention
from .layout import Box, Hand, Wager
from .rounds import Action, Line, Round, Series
from .rulesheets import InForce, RuleSheet
from .sessions import Session

__all__ = [
    "Action",
    "Box",
    "Dispute",
    "Hand",
    "InForce",
    "Intervention",
    "Line",
    "Pit",
    "Posting",
    "Round",
    "RuleSheet",
    "Series",
    "Session",
    "SignOn",
    "Table",
    "Terminal",
    "Wager",
]
