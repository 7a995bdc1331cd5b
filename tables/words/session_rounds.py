"""The rounds of a session as primitives for their page: what each was staked, paid and brought the house, and how these
add up to what the session won.

By its rounds, a table wins what was settled from one closing to the next: in its own rounds and in rounds of earlier
sessions that were corrected meanwhile, with what the cage gave or took for corrections while the table was closed.
"""

from collections import defaultdict
from typing import NamedTuple

from django.core.paginator import Paginator
from django.db.models import F, Sum
from django.urls import reverse
from django.utils.text import capfirst

from casino import money
from casino.models import Casino
from casino.roles import Right
from payouts import ledger
from payouts.models import Account, Movement, Payment, Settlement
from payouts.winning import Grade

from ..models import Round, Session
from . import luck, session_sums
from .console import CONSOLE
from .timeline import Reader

A_PAGE = 50
COUNTS = {Session.Status.OPENING: "opener", Session.Status.CLOSING: "closer"}
# The account on the other side tells what moved for corrections.
CORRECTED = {
    Account.Kind.CAGE: "Corrections settled at the cage",
    Account.Kind.VARIANCE: "Variance explained by rounds from paper",
}


class Money(NamedTuple):
    """What a round came to in its session, in units: `house` is what the float won, `rake` what the rake slot got."""

    staked: int = 0
    returned: int = 0
    paid: int = 0
    house: int = 0
    rake: int = 0

    def __add__(self, other):
        return Money(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class Came(NamedTuple):
    """What the rounds of a session came to, by reference; what others settled in it came to; and what moved for
    corrections, by the kind of account on the other side; in units."""

    own: dict
    others: dict
    corrected: dict


def shown(session, staff, number):
    """A page of the session's rounds, the newest first, and the sums over all of them.

    While its chips are counted, which is done blind, no amount is shown.
    """
    casino, reader = Casino.objects.get(), Reader.of(staff)
    rounds = list(session.rounds.select_related("table", "opened_by", "settlement").order_by("-number"))
    counted = COUNTS.get(session.status)
    came = None if counted else came_to(session, rounds)

    def spell(units, *, signed=False):
        return ("+" if signed and units > 0 else "") + money.spell(units, casino.currency_decimals)

    def amounts(of):
        return {
            "staked": spell(of.staked),
            "returned": spell(of.returned),
            "paid": spell(of.paid),
            "house": spell(of.house, signed=True),
            "rake": spell(of.rake),
        }

    page = Paginator(rounds, A_PAGE).get_page(number)
    voids = sum(1 for each in rounds if each.status == Round.Status.VOIDED)
    return {
        "id": session.pk,
        "table": {"id": session.table_id, "name": session.table.name, "pit": session.table.pit.name},
        "house": casino.name,
        "currency": casino.currency,
        "date": f"{session.business_date.day} {session.business_date:%B %Y}",
        "status": session.get_status_display(),
        "zone": reader.zone.key,
        "others": list(_others(session)),
        "counted": counted,
        "rows": [_row(each, session, reader, came, amounts) for each in page],
        "page": page,
        "count": len(rounds),
        "voids": voids,
        "raked": came is not None and any(of.rake for of in came.own.values()),
        "all": came and amounts(sum(came.own.values(), Money())),
        "sums": came and _sums(session, came, spell),
        "luck": _luck(session, staff),
    }


def _luck(session, staff):
    """What was expected of a closed session's rounds, for whoever reads reports."""
    facts = luck.of_session(session, luck.Scale()) if staff.has_perm(Right.READ_REPORTS) else ()
    return [fact._asdict() for fact in facts]


def _others(session):
    """The ids of the table's other sessions of the gaming day."""
    of_day = session.table.sessions.filter(business_date=session.business_date).exclude(pk=session.pk)
    return of_day.order_by("pk").values_list("pk", flat=True)


def _row(round_, session, reader, came, amounts):
    of = came and came.own.get(round_.ref)
    late, settlement = round_.entered_late, round_.settlement
    corrected = settlement is not None and settlement.generation > 1
    since = corrected and session.closed_at is not None and settlement.begun_at > session.closed_at
    marks = [
        *(["corrected after the table was closed"] if since else ["corrected"] if corrected else []),
        *(["from paper"] if round_.paper and not late else []),
        *(["from paper, entered after the table was closed: in no sum here"] if late else []),
    ]
    return {
        "id": round_.pk,
        "number": str(round_),
        "at": reader.clock(round_.happened_at or round_.opened_at),
        "by": reader.person(round_.opened_by),
        "state": "Held" if round_.held_at else capfirst(round_.get_status_display()),
        "marks": marks,
        "amounts": amounts(of) if of else None,
    }


def came_to(session, rounds):
    """What a session's rounds came to, and what else settlements and corrections moved in its float during its time."""
    table, own = session.table, {}
    refs = {each.ref for each in rounds}
    moved = ledger.of_session(table.float_account, session.ref)
    of_float, of_rake = defaultdict(int), defaultdict(int)
    for account, sums in ((table.float_account, of_float), (table.rake_account, of_rake)):
        for end, sign in (("debit", 1), ("credit", -1)):
            by_round = moved.filter(**{end: account}, settlement__isnull=False).order_by()
            for ref, units in by_round.values_list("settlement__round_key").annotate(units=Sum("units")):
                sums[ref] += sign * units
    for ref, staked in _stakes(session, refs).items():
        own[ref] = Money(*staked, of_float[ref], of_rake[ref])
    others = {ref: units for ref, units in of_float.items() if ref not in own and units}
    return Came(own, others, ledger.corrected_units(table.float_account, session.ref))


def _stakes(session, refs):
    """What boxes staked, got back and were paid in each round, by the newest settlement of the session's time."""
    settlements = Settlement.objects.filter(round_key__in=refs)
    if session.closed_at:
        settlements = settlements.filter(begun_at__lte=session.closed_at)
    newest = settlements.order_by("round_key", "-generation").distinct("round_key")
    sums = dict.fromkeys(newest.values_list("round_key", flat=True), (0, 0, 0))
    paid = Payment.objects.filter(settlement__in=newest.values("pk")).order_by()
    paid = (
        paid.annotate(ref=F("settlement__round_key"))
        .values_list("ref")
        .annotate(staked=Sum("staked_units"), returned=Sum("returned_units"), paid=Sum("paid_units"))
    )
    return sums | {ref: tuple(units) for ref, *units in paid}


def _other(round_):
    """A round of an earlier session that was settled in this one's time."""
    return CONSOLE("of_round:paper" if round_.entered_late else "of_round", round=round_)


def _sums(session, came, spell):
    """How the rounds add up to the win of the session, line by line, each with the round that it comes from."""
    of_rounds, others = sum(of.house for of in came.own.values()), sorted(came.others.items())
    keys = [int(ref.partition(":")[2]) for ref, _ in others]
    named = {each.ref: each for each in Round.objects.filter(pk__in=keys).select_related("table")}
    lines = [{"label": "Rounds of this session", "amount": spell(of_rounds, signed=True), "name": "own"}]
    lines += [
        {
            "label": _other(named[ref]),
            "to": reverse("round", args=[named[ref].pk]),
            "amount": spell(units, signed=True),
            "name": "other",
        }
        for ref, units in others
    ]
    lines += [
        {"label": label, "amount": spell(came.corrected[kind], signed=True), "name": kind.value}
        for kind, label in CORRECTED.items()
        if came.corrected[kind]
    ]
    won = of_rounds + sum(came.others.values()) + sum(came.corrected.values())
    is_open = session.status == Session.Status.OPEN
    grade = Grade.ESTIMATE.value if is_open else ""
    lines.append({"label": "Win by the rounds", "grade": grade, "amount": spell(won, signed=True), "name": "won"})
    if not is_open:
        sums = session_sums.of(session)
        varied = sums.moved[Movement.Kind.VARIANCE]
        lines.append({"label": "Variance", "amount": spell(varied, signed=True), "name": "variance"})
        win = sums.win
        lines.append(
            {
                "label": "Win by the count",
                "grade": "" if win.units is None else win.grade.value,
                "amount": win.reason if win.units is None else spell(win.units, signed=True),
                "name": "counted",
            }
        )
    return lines
