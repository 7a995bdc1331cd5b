"""The rows of the floor: pits and tables, who works where, sessions, rule sheets, rounds with what happened in them,
and what a person has to look at."""

from .alarms import Alarm
from .cage import CageShift
from .case_files import CaseFile
from .cases import Case
from .credentials import Credential, RecoveryCode
from .days import GamingDay, HouseFigures
from .disputes import Dispute
from .drop_boxes import BuyIn, DropBox
from .floor import OneTimeCode, Pit, Posting, Relief, SignOn, Table, Terminal, TerminalName
from .interventions import Intervention
from .layout import Box, Hand, Wager
from .luck import LuckDay, RoundLuck
from .questions import Question
from .report_files import ReportFile, ReportToken
from .rounds import Action, Line, Round, Series
from .rulesheets import InForce, RuleSheet
from .scanners import Scanner
from .sessions import Session, SessionFigures
from .slips import Count, Slip, SlipNumber
from .tips import TipCount

__all__ = [
    "Action",
    "Alarm",
    "Box",
    "BuyIn",
    "CageShift",
    "Case",
    "CaseFile",
    "Count",
    "Credential",
    "Dispute",
    "DropBox",
    "GamingDay",
    "Hand",
    "HouseFigures",
    "InForce",
    "Intervention",
    "Line",
    "LuckDay",
    "OneTimeCode",
    "Pit",
    "Posting",
    "Question",
    "RecoveryCode",
    "Relief",
    "ReportFile",
    "ReportToken",
    "Round",
    "RoundLuck",
    "RuleSheet",
    "Scanner",
    "Series",
    "Session",
    "SessionFigures",
    "SignOn",
    "Slip",
    "SlipNumber",
    "Table",
    "Terminal",
    "TerminalName",
    "TipCount",
    "Wager",
]
