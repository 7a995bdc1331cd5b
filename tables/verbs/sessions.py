"""Sessions: a table from opener to closer, in one business date."""

from django.db import connection
from django.db.models.functions import Now

from audit import log
from casino.errors import Refused
from casino.models import Casino
from payouts import ledger
from payouts.models import Account, Movement

from ..models import Round, Session, SignOn, Table
from ..people import staff
from . import counts, series, slips


def business_date():
    """The gaming day of now, by the database's clock and function."""
    casino = Casino.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("SELECT gaming_day(now(), %s, %s)", [casino.time_zone, casino.day_starts_at])
        return cursor.fetchone()[0]


def running(table):
    """The table's open session, or None."""
    return Session.objects.filter(table=table, status=Session.Status.OPEN).first()


def open_session(*, table_id, denominations, actor):
    """Open a table with its opener from the cage: chips by denomination, counted by two people.

    :param denominations: chip value in units to the number of chips.
    :param actor: `approved_by` is who counted too.
    :raises Refused: `session_open` if the table is open; `same_person`, `chip_unknown`, `count_wrong`,
        `nothing_counted` (422).
    """
    table = _locked(table_id)
    if running(table):
        raise Refused("session_open", f"{table} is open already.", way_out="Close the running session first.")
    _two_people(actor)
    counted = counts.checked(table, denominations)
    if not counted:
        raise Refused(
            "nothing_counted",
            "An opener has chips.",
            status=422,
            path="denominations",
            way_out="Count the chips that the cage gave.",
        )
    session = Session.objects.create(
        table=table, business_date=business_date(), opened_by=actor.by, opened_with=actor.approved_by
    )
    log.record(
        "session.opened",
        session.ref,
        chain=table.ref,
        actor=actor,
        facts={
            "business_date": session.business_date.isoformat(),
            "denominations": counted,
            "signers": [actor.ref, actor.approver],
        },
    )
    _move(
        Movement.Kind.OPENER,
        session,
        counted,
        to_float=True,
        account=_house(Account.Kind.CAGE),
        actor=actor,
    )
    return session


def close_session(*, table_id, denominations, actor):
    """Close a table: two people count its chips, which go back to the cage. The variance is what they counted above or
    below what the rounds leave. The croupier who deals there is signed off.

    The count is final, and nobody sees before it what should be there.

    :param denominations: chip value in units to the number of chips; what is not named is not there.
    :param actor: `approved_by` is who counted too.
    :raises Refused: `session_closed` if the table is not open; `round_open`, `round_held`, `round_unsettled`,
        `series_running`, `slip_running` while something is under way; `same_person`, `chip_unknown`, `count_wrong`
        (422).
    """
    table = _locked(table_id)
    session = Session.objects.select_for_update(no_key=True).filter(table=table, status=Session.Status.OPEN).first()
    if session is None:
        raise Refused("session_closed", f"{table} is not open.", way_out="Look at its last closing form.")
    _two_people(actor)
    refusal = under_way(session)
    if refusal:
        raise refusal
    counted = counts.checked(table, denominations)
    if SignOn.objects.filter(table=table, signed_off_at=None).exists():
        staff.sign_off(table=table, actor=actor)
    variance = counts.worth(counted) - ledger.balance(table.float_account)
    if variance:
        # Nobody knows which chips are too many or missing: the variance is a sum, in the smallest unit.
        _move(
            Movement.Kind.VARIANCE,
            session,
            {"1": abs(variance)},
            to_float=variance > 0,
            account=_house(Account.Kind.VARIANCE),
            actor=actor,
        )
    if counted:
        _move(Movement.Kind.CLOSER, session, counted, to_float=False, account=_house(Account.Kind.CAGE), actor=actor)
    ledger.snapshot(
        accounts=(table.float_account, table.patrons_account, table.pot_account),
        subject=session.ref,
    )
    session.status, session.closed_at = Session.Status.CLOSED, Now()
    session.closed_by, session.closed_with = actor.by, actor.approved_by
    session.save(update_fields=["status", "closed_at", "closed_by", "closed_with"])
    log.record(
        "session.closed",
        session.ref,
        chain=table.ref,
        actor=actor,
        facts={
            "business_date": session.business_date.isoformat(),
            "denominations": counted,
            "signers": [actor.ref, actor.approver],
            "variance": variance,
        },
    )
    return session


def under_way(session):
    """The refusal to close a session now, with the way out; None where nothing is under way."""
    table = session.table
    left = session.rounds.filter(status__in=[Round.Status.OPEN, Round.Status.CLOSED]).select_related("table")
    round_ = left.order_by("-status", "number").first()  # the open one first
    if round_ is None:
        if series.running(table) is None:
            return slips.under_way(session)
        return Refused(
            "series_running",
            f"A series runs at {table}.",
            way_out="Play it to its end, or break it off: a pit boss signs that at the terminal.",
        )
    if round_.status == Round.Status.OPEN:
        code, fact, way_out = "round_open", f"Round {round_} is still open.", "Close or void it first."
    elif round_.held_at:
        code, fact, way_out = "round_held", f"Round {round_} is held.", "A pit boss releases it first."
    else:
        code, fact, way_out = "round_unsettled", f"Round {round_} is not settled yet.", "Send it again in a moment."
    return Refused(code, fact, way_out=way_out, detail={"round": round_.pk})


def _locked(table_id):
    return Table.objects.select_for_update(no_key=True, of=("self",)).select_related("chip_set").get(id=table_id)


def _two_people(actor):
    if actor.by.pk == actor.approved_by.pk:
        raise Refused(
            "same_person",
            "One person signs twice.",
            status=422,
            path="signature",
            way_out="A second person counts and signs.",
        )


def _house(kind):
    return Account.objects.get(kind=kind)


def _move(kind, session, denominations, *, to_float, account, actor):
    """One movement between a session's float and an account of the house."""
    table = session.table
    float_account = table.float_account
    ledger.move(
        kind=kind,
        subject=session.ref,
        number=1,
        debit=float_account if to_float else account,
        credit=account if to_float else float_account,
        denominations=denominations,
        business_date=session.business_date,
        actor=actor,
        chain=table.ref,
    )
