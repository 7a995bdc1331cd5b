"""Chips at a croupier's table between its rounds, through the product's verbs: slips, closings and carries.

Before each round a slip goes one step on, so that whatever is killed strikes slips at every step. After some rounds a
table is closed and opened anew, or carried on, as soon as its rounds are settled; a credit may be on its way. If faults
leave no such moment, it happens at the end of the run. Everybody counts what the books have: there is no variance.
"""

from django.db import transaction

from audit.log import Actor
from casino.models import Staff
from casino.roles import Role
from payouts import ledger
from tables.models import Count, Round, Session, SignOn, Slip, Table
from tables.people import staff
from tables.verbs import counts, sessions, slips

from .. import counting

# Rounds count in turns of eight: in the first five a table asks for slips, then it is closed if it can be. One with a
# poison round never can.
TURN, ASKING = 8, 5
# Chips by the kind of the slip: a fill makes up for what the rounds of the run lose.
CHIPS = {"fill": {"10000": 20}, "credit": {"500": 20}, "change": {"2500": 4}}
GIVEN = {"change": {"500": 20}}
STATUS = Session.Status


class People:
    """The people who handle chips at a table; the croupier is whoever deals there, or last did."""

    def __init__(self, table):
        self.boss = _posted(Role.PIT_BOSS, table.pit)
        self.cashier = _posted(Role.CAGE, None)
        self.croupier = SignOn.objects.filter(table=table).latest("pk").staff

    def counting(self, slip):
        """Who counts a slip first and second."""
        return (self.cashier if slips.at_cage(slip) else self.croupier), self.boss


def _posted(role, pit):
    postings = {"postings__role": role, "postings__ended_at": None}
    if pit:
        postings["postings__pit"] = pit
    return Staff.objects.filter(**postings).order_by("pk").first()


def tend(code):
    """Do what comes next with the chips at a table, each step in a transaction of its own. After an interruption, call
    it again: it goes by what the database has, and ends with the table open."""
    table = Table.objects.select_related("pit").get(code=code)
    people = People(table)
    _open(table, people)
    session = table.sessions.running().get()
    running, asks = table.slips.running().order_by("pk").first(), session.rounds.count() % TURN < ASKING
    if running:
        _step(running, people)
    elif asks:
        _ask(table, people)
    if not asks and _is_at_rest(session):
        _close(session, people)
        _open(table, people)


def end(code):
    """Finish a table's slips, close it and open it anew; a table with a held round can't be closed."""
    table = Table.objects.select_related("pit").get(code=code)
    people = People(table)
    _open(table, people)
    session = table.sessions.running().get()
    while running := table.slips.running().order_by("pk").first():
        _step(running, people)
    if _is_at_rest(session):
        _close(session, people)
        _open(table, people)


def _close(session, people):
    with transaction.atomic():
        counting.paid(session, by=people.boss)
        sessions.stop(session_id=session.pk, actor=Actor(people.boss))


def _is_at_rest(session):
    """Whether its rounds are settled and no slip but a credit is under way."""
    unsettled = session.rounds.filter(status__in=[Round.Status.OPEN, Round.Status.CLOSED])
    return not unsettled.exists() and slips.under_way(session) is None


def _open(table, people):
    """Count and sign until the table is open, with its croupier."""
    while True:
        session = table.sessions.running().first()
        if session is None:
            with transaction.atomic():
                sessions.begin(table_id=table.pk, actor=Actor(people.boss))
        elif session.status != STATUS.OPEN:
            _count(session, people)
        elif SignOn.objects.filter(table=table, signed_off_at=None).exists():
            return
        else:
            with transaction.atomic():
                staff.sign_on(staff=people.croupier, table=table, actor=Actor(people.boss))


def _count(session, people):
    """Make the next of two counts, or let both sign: every other session is carried on."""
    stands = sessions.standing(session)
    with transaction.atomic():
        if stands.both:
            carry = session.status == STATUS.CLOSING and session.pk % 2 == 0
            actor = Actor(people.boss, people.cashier)
            sessions.sign(session_id=session.pk, carry=carry, actor=actor)
            return
        by = people.boss if stands.entered else people.cashier
        rake = _pile(ledger.balance(session.table.rake_account)) if stands.asks_rake else None
        sessions.count(session_id=session.pk, denominations=_chips(session), rake=rake, actor=Actor(by))


def _chips(session):
    """What lies in the float, or what the table was closed with."""
    if session.status == STATUS.CLOSING:
        return _pile(ledger.balance(session.table.float_account))
    return Count.objects.filter(of=sessions.before(session).ref, part=Count.Part.CLOSER).latest("pk").denominations


def _pile(units):
    """Chips of two kinds that come to this amount."""
    return {"100000": units // 100_000, "100": units % 100_000 // 100}


def _ask(table, people):
    """Ask for the next slip: the kinds take turns."""
    kind = tuple(CHIPS)[table.slips.count() % len(CHIPS)]
    with transaction.atomic():
        slips.request(
            table_id=table.pk,
            kind=kind,
            denominations=CHIPS[kind],
            exchanged=GIVEN.get(kind),
            actor=Actor(people.boss),
        )


def _step(slip, people):
    """Take the next step of a slip: some are voided, some sent back."""
    two = Actor(people.boss, people.cashier)
    with transaction.atomic():
        if slip.status == Slip.Status.REQUESTED and slip.pk % 6 == 5:
            slips.void(slip_id=slip.pk, reason="Asked for twice.", actor=two)
        elif slip.status == Slip.Status.REQUESTED:
            giver = people.croupier if slips.at_cage(slip) else people.cashier
            slips.issue(slip_id=slip.pk, actor=Actor(giver))
        elif slip.pk % 6 == 4 and slip.session.status == STATUS.OPEN:
            slips.send_back(slip_id=slip.pk, reason="A chip was missing.", actor=two)
        else:
            first, second = people.counting(slip)
            by = second if len(counts.last(slip.ref, slip.kind)) == 1 else first
            slips.count(slip_id=slip.pk, denominations=slip.denominations, actor=Actor(by))
