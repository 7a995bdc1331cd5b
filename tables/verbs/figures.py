"""What tables came to on a gaming day: from the chips that moved with its date, and nothing else.

Each figure is the sum of the movements of its kind: a table whose shifts were carried on has the openers and closers of
them all, and every line adds up by itself: `win = closer + drop + credits - opener - fills`. The part of a variance
that a round from paper explained is no longer in it, so a win is what the rounds brought plus the variance. A figure
that lacks a count is None, never 0, and `why` says in words what is missing.
"""

from collections import Counter
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Count, F, Q, Sum

from payouts import winning
from payouts.models import Account, Movement, Settlement, Transfer
from payouts.winning import Grade

from ..models import Round, Session
from . import rulesheets
from .wording import WORDING

_KIND, _MOVED = Account.Kind, Movement.Kind
NAMES = ("opener", "fills", "credits", "buy_ins", "closer", "drop", "win", "rake", "tips", "variance")


class Figures(NamedTuple):
    """A session's figures, or those of several together, in units; `why` is empty if nothing is missing.

    `buy_ins` are what the table recorded, `drop` the cash that was counted; `variance` is what was counted in the float
    and in the drop boxes less what the books had. No win includes the rake.
    """

    opener: int | None = 0
    fills: int | None = 0
    credits: int | None = 0
    buy_ins: int | None = 0
    closer: int | None = 0
    drop: int | None = 0
    win: int | None = 0
    rake: int | None = 0
    tips: int | None = 0
    variance: int | None = 0
    why: tuple[str, ...] = ()

    @property
    def grade(self):
        return Grade.ESTIMATE if self.why else Grade.FINAL

    @property
    def hold(self):
        """The win in thousandths of the drop, rounded; None if either is missing or nothing was dropped."""
        return round(Fraction(1000 * self.win, self.drop)) if self.win is not None and self.drop else None

    def __add__(self, other):
        """The sum of both; what is missing in one is missing in the sum."""
        both = ((getattr(self, name), getattr(other, name)) for name in NAMES)
        return Figures(*(None if None in pair else sum(pair) for pair in both), self.why + other.why)

    def facts(self):
        return {
            **{name: getattr(self, name) for name in NAMES},
            "grade": self.grade.value,
            "why": " ".join(self.why) or None,
        }


class Total(NamedTuple):
    """A figure summed over the `of` tables that have it, out of `tables`."""

    units: int
    of: int
    tables: int


class Sitting(NamedTuple):
    """A session with its figures, its rounds with the void ones apart, what was staked in them, and its game."""

    session: Session
    figures: Figures
    rounds: int
    voids: int
    stakes: int
    game: str


class Line(NamedTuple):
    """The sittings of one table together."""

    table: object
    sittings: list[Sitting]

    @property
    def figures(self):
        return sum((sitting.figures for sitting in self.sittings), Figures())

    @property
    def rounds(self):
        return sum(sitting.rounds for sitting in self.sittings)

    @property
    def voids(self):
        return sum(sitting.voids for sitting in self.sittings)

    @property
    def stakes(self):
        return sum(sitting.stakes for sitting in self.sittings)


class Day(NamedTuple):
    """The tables that had a session on a day, each with its sittings, by their numbers."""

    lines: list[Line]

    def facts(self):
        """The figures as the log has them, and as the offline verifier works them out from an export."""
        return {
            "tables": [{"table": line.table.ref, **line.figures.facts()} for line in self.lines],
            "sums": {name: added._asdict() for name, added in sums([line.figures for line in self.lines]).items()},
        }


def sums(figures):
    """Each figure, summed over the tables that have it.

    >>> sums([Figures(drop=700), Figures(drop=None, why=("Drop box 7 isn’t counted.",))])["drop"]
    Total(units=700, of=1, tables=2)
    """
    added = {}
    for name in NAMES:
        known = [getattr(each, name) for each in figures if getattr(each, name) is not None]
        added[name] = Total(sum(known), len(known), len(figures))
    return added


def of_day(date):
    """The figures of a gaming day, from what has happened until now.

    :param date: a `datetime.date`.
    """
    lines = {}
    for sitting in sittings(Session.objects.filter(business_date=date)):
        table = sitting.session.table
        lines.setdefault(table.pk, Line(table, [])).sittings.append(sitting)
    return Day([lines[number] for number in sorted(lines)])


def sittings(sessions):
    """Sessions with their figures, in their order."""
    sessions = list(sessions.select_related("table__pit").prefetch_related("slips", "drop_boxes").order_by("pk"))
    owners = {}
    for session in sessions:
        for part in (session, *session.slips.all(), *session.drop_boxes.all()):
            owners[part.ref] = session.pk
    late = Round.objects.entered_late().filter(session__in=sessions)
    owners |= {round_.ref: round_.session_id for round_ in late}
    moved = _moved(owners)
    played = _played(sessions)
    return [
        Sitting(session, _figures(session, moved.get(session.pk, Counter())), *played[session.pk])
        for session in sessions
    ]


def _moved(owners):
    """What moved, session by session and by kind; a variance is under the account that it writes up or down."""
    moved = {}
    rows = Transfer.objects.filter(movement__subject__in=owners).order_by()
    rows = rows.values_list("movement__subject", "reason", "debit__kind", "credit__kind").annotate(units=Sum("units"))
    for subject, reason, debit, credit, units in rows:
        names = moved.setdefault(owners[subject], Counter())
        if _KIND.VARIANCE not in {debit, credit}:
            names[reason] += units
        elif credit == _KIND.VARIANCE:
            names["variance", debit] += units
        else:
            names["variance", credit] -= units
    return moved


def _figures(session, moved):
    """The figures of one session."""
    status = session.status
    opens, closes = status == Session.Status.OPENING, status != Session.Status.CLOSED
    waiting = [drop_box for drop_box in session.drop_boxes.all() if drop_box.status != drop_box.Status.COUNTED]
    chips = winning.Chips(
        opener=None if opens else moved[_MOVED.OPENER],
        fills=moved[_MOVED.FILL],
        credits=moved[_MOVED.CREDIT] - moved[_MOVED.CREDIT_RETURNED],
        drop=None if waiting else moved[_MOVED.DROP],
        closer=None if closes else moved[_MOVED.CLOSER],
    )
    why = [WORDING("session_unopened", session=session.pk)] if opens else []
    why += [WORDING("session_unclosed", session=session.pk)] if closes and not opens else []
    why += [WORDING("drop_box_uncounted:number", drop_box=drop_box.number) for drop_box in waiting]
    varied = moved["variance", _KIND.FLOAT] + moved["variance", _KIND.DROP_BOX]
    return Figures(
        **chips._asdict(),
        buy_ins=moved[_MOVED.BUY_IN],
        win=winning.win(chips).units,
        rake=None if closes else moved[_MOVED.RAKE],
        tips=moved[_MOVED.TIP],
        variance=None if closes or waiting else varied,
        why=tuple(why),
    )


def _played(sessions):
    """How many rounds of each session were opened, void ones apart, what was staked in them, and which games were
    played; a correction on a later day belongs to that day."""
    rows = Round.objects.filter(session__in=sessions).order_by().values_list("session", "sheet__game")
    rows = rows.annotate(
        rounds=Count("pk", distinct=True, filter=~Q(status=Round.Status.VOIDED)),
        voids=Count("pk", distinct=True, filter=Q(status=Round.Status.VOIDED)),
        stakes=Sum("settlement__payments__staked_units", default=0),
    )
    played = {session.pk: [0, 0, 0, []] for session in sessions}
    for session, game, rounds, voids, stakes in rows:
        of_session = played[session]
        of_session[0] += rounds
        of_session[1] += voids
        of_session[2] += stakes
        of_session[3].append(game)
    for round_ in _corrected_later(sessions):
        own = Settlement.objects.filter(round_key=round_.ref, business_date=round_.session.business_date)
        played[round_.session_id][2] += _staked(own.latest("generation")) - _staked(round_.settlement)
    return {
        session.pk: (rounds, voids, stakes, ", ".join(sorted(games)) or _game(session.table))
        for session in sessions
        for rounds, voids, stakes, games in (played[session.pk],)
    }


def _corrected_later(sessions):
    """The rounds of some sessions whose newest settlement has another date than the session."""
    rounds = Round.objects.filter(session__in=sessions, settlement__generation__gt=1)
    return rounds.exclude(settlement__business_date=F("session__business_date")).select_related("session", "settlement")


def _staked(settlement):
    return settlement.payments.aggregate(units=Sum("staked_units", default=0))["units"]


def _game(table):
    """The game that a table is set for, in the place of a session's that had no round."""
    sheet = rulesheets.in_force(table)
    return sheet.game if sheet else ""
