"""Fills, credits and changes: chips that go between the cage and a table by a slip, step by step, each by its people.

A pit boss asks. Whoever has the chips issues them: the cage a fill or a change, the croupier a credit. Two people at
the other end count them against the slip, the second blind to the first count: at the table the croupier and a
supervisor, at the cage a cashier and a second person. The chips are received only when both counted what the slip says;
else they are counted anew or sent back.
"""

from django.db import connection
from django.db.models.functions import Now

from audit import log
from casino.games.reading import shown
from payouts import ledger
from payouts.models import Account, Movement

from ..models import Session, Slip, Table
from . import counts, grounds
from .wording import WORDING

KIND, STATUS = Slip.Kind, Slip.Status
_ISSUED = {KIND.FILL: Movement.Kind.FILL_ISSUED, KIND.CREDIT: Movement.Kind.CREDIT}
_RECEIVED = {KIND.FILL: Movement.Kind.FILL, KIND.CREDIT: Movement.Kind.CREDIT_RECEIVED}
_RETURNED = {KIND.FILL: Movement.Kind.FILL_RETURNED, KIND.CREDIT: Movement.Kind.CREDIT_RETURNED}
# By the status of a slip, and by whether its chips come to the cage.
_RUNS = {
    (STATUS.REQUESTED, False): "slip_running:requested",
    (STATUS.REQUESTED, True): "slip_running:requested_credit",
    (STATUS.ISSUED, False): "slip_running:issued",
}
_WRONG_MOMENT = {
    (STATUS.REQUESTED, False): "slip_wrong_moment:requested",
    (STATUS.REQUESTED, True): "slip_wrong_moment:requested_credit",
    (STATUS.ISSUED, False): "slip_wrong_moment:issued",
    (STATUS.ISSUED, True): "slip_wrong_moment:issued_credit",
    (STATUS.RECEIVED, False): "slip_wrong_moment:received",
    (STATUS.RECEIVED, True): "slip_wrong_moment:received",
    (STATUS.RETURNED, False): "slip_wrong_moment:returned",
    (STATUS.RETURNED, True): "slip_wrong_moment:returned",
    (STATUS.VOIDED, False): "slip_wrong_moment:voided",
    (STATUS.VOIDED, True): "slip_wrong_moment:voided",
}


def at_cage(slip):
    """Whether the chips of a slip come to the cage."""
    return slip.kind == KIND.CREDIT


def request(*, table_id, kind, denominations, exchanged=None, actor):
    """Ask for chips for an open table, or for chips from it; the slip has its number from now on.

    :param denominations: what goes, chip value in units to how many; `exchanged`, the same for what the table gives in
        a change.
    :raises Refused: `session_closed`; `kind_unknown`, `nothing_asked`, `exchange_wrong`, `chip_unknown`, `count_wrong`
        (422).
    """
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("chip_set").get(pk=table_id)
    if kind not in KIND.values:
        raise WORDING.refused("kind_unknown:slip", kind=shown(kind), kinds=", ".join(KIND.values))
    session = Session.objects.select_for_update(no_key=True).filter(table=table, status=Session.Status.OPEN).first()
    if session is None:
        raise grounds.not_open(table, WORDING("opened_first"))
    going = counts.checked(table, denominations)
    units = counts.worth(going)
    if not going:
        raise WORDING.refused("nothing_asked")
    given = _exchanged(table, kind, exchanged, going)
    year = session.business_date.year
    slip = Slip.objects.create(
        kind=kind,
        year=year,
        number=_next_number(kind, year),
        table=table,
        session=session,
        denominations=going,
        exchanged=given,
        units=units,
        requested_by=actor.by,
    )
    _record(
        "slip.requested",
        slip,
        actor,
        kind=kind,
        year=year,
        number=slip.number,
        session=session.ref,
        denominations=going,
        exchanged=given,
        units=units,
        requester=actor.ref,
    )
    return slip


def issue(*, slip_id, carrier=None, actor):
    """Let the chips of a slip go: they are on their way from now on.

    :param carrier: the person who carries them, if it is another.
    :raises Refused: `slip_wrong_moment`; `same_person` for whoever asked for it; `float_short` for a credit of more
        than the float holds.
    """
    slip = _locked(slip_id, STATUS.REQUESTED)
    if slip.requested_by_id == actor.by.pk:
        raise WORDING.refused("same_person:credit" if at_cage(slip) else "same_person:requested", slip=slip)
    if at_cage(slip) and ledger.balance(slip.table.float_account) < slip.units:
        raise WORDING.refused("float_short:credit", table=slip.table)
    slip.out = _move(_ISSUED, slip, actor, (slip.requested_by, actor.by))
    slip.status, slip.issued_by, slip.issued_at, slip.carried_by = STATUS.ISSUED, actor.by, Now(), carrier
    slip.save(update_fields=["status", "issued_by", "issued_at", "carried_by", "out"])
    _record(
        "slip.issued",
        slip,
        actor,
        slip=slip.ref,
        movement=_movement(slip.out),
        issuer=actor.ref,
        carrier=carrier and carrier.ref,
    )
    return slip


def count(*, slip_id, denominations, actor):
    """Count the chips of a slip on arrival, as one of two; when both counted what it says, it is received.

    :param actor: who counts.
    :returns: the slip and the counts of this attempt.
    :raises Refused: `slip_wrong_moment`; `same_person` for whoever issued it; `counted_already`; `session_closed`;
        `chip_unknown`, `count_wrong` (422).
    """
    slip = _locked(slip_id, STATUS.ISSUED)
    if slip.issued_by_id == actor.by.pk:
        raise WORDING.refused("same_person:issued", slip=slip)
    entered = counts.enter(of=slip.ref, part=slip.kind, table=slip.table, denominations=denominations, actor=actor)
    if counts.agreed(entered):
        counts.record_agreed(entered[1], table=slip.table, signers=[each.by for each in entered], actor=actor)
    if not (counts.agreed(entered) and entered[0].denominations == slip.denominations):
        return slip, entered
    receiver, witness = (each.by for each in entered)
    slip.back = _move(_RECEIVED, slip, actor, (receiver, witness))
    slip.status, slip.received_by, slip.received_with, slip.received_at = STATUS.RECEIVED, receiver, witness, Now()
    slip.save(update_fields=["status", "received_by", "received_with", "received_at", "back"])
    _record(
        "slip.received",
        slip,
        actor,
        slip=slip.ref,
        movement=_movement(slip.back),
        receiver=receiver.ref,
        witness=witness.ref,
    )
    return slip, entered


def send_back(*, slip_id, reason, actor):
    """Two people send chips that are under way back to where they came from, and say why.

    :param actor: `approved_by` is the second person.
    :raises Refused: `slip_wrong_moment`; `session_closed` for a credit of a closed table; `same_person`,
        `reason_missing`, `reason_wrong` (422).
    """
    slip = _locked(slip_id, STATUS.ISSUED)
    if slip.session.status != Session.Status.OPEN:
        raise WORDING.refused("session_closed:credit", table=slip.table)
    _end(slip, STATUS.RETURNED, reason, actor)
    return slip


def void(*, slip_id, reason, actor):
    """Two people void a slip whose chips have not set out, and say why; its number stays taken.

    :raises Refused: `slip_wrong_moment`; `same_person`, `reason_missing`, `reason_wrong` (422).
    """
    slip = _locked(slip_id, STATUS.REQUESTED)
    _end(slip, STATUS.VOIDED, reason, actor)
    return slip


def print_copy(*, slip_id, actor):
    """Count one more print of a slip; the paper says which print it is."""
    slip = _locked(slip_id)
    slip.prints += 1
    slip.save(update_fields=["prints"])
    _record("slip.printed", slip, actor, slip=slip.ref, copy=slip.prints)
    return slip


def under_way(session):
    """The refusal to close a session while a slip of it is under way, or None; a credit may be on its way."""
    for slip in session.slips.running().order_by("pk"):
        if slip.status == STATUS.REQUESTED or not at_cage(slip):
            return WORDING.refused(_RUNS[slip.status, at_cage(slip)], detail={"slip": slip.pk}, slip=slip)
    return None


def _exchanged(table, kind, exchanged, going):
    """What a table gives for the chips of a change: other chips of equal worth; None for another kind."""
    if kind != KIND.CHANGE:
        if exchanged is not None:
            raise WORDING.refused("exchange_wrong")
        return None
    given = counts.checked(table, exchanged or {}, "exchanged")
    if counts.worth(given) != counts.worth(going):
        raise WORDING.refused("exchange_wrong:worth")
    if set(given) & set(going):
        raise WORDING.refused("exchange_wrong:both_ways")
    return given


def _next_number(kind, year):
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO tables_slipnumber (kind, year, last) VALUES (%s, %s, 1)"
            " ON CONFLICT (kind, year) DO UPDATE SET last = tables_slipnumber.last + 1 RETURNING last",
            [kind, year],
        )
        return cursor.fetchone()[0]


def _locked(slip_id, status=None):
    """A slip locked after its table.

    :raises Refused: `slip_wrong_moment`, if it has another status than this.
    """
    table_id = Slip.objects.values_list("table_id", flat=True).get(pk=slip_id)
    table = Table.objects.select_for_update(no_key=True, of=("self",)).select_related("chip_set", "float_account")
    table = table.get(pk=table_id)
    slip = Slip.objects.select_for_update(no_key=True, of=("self",)).select_related("session", "requested_by")
    slip = slip.get(pk=slip_id)
    slip.table = table
    if status and slip.status != status:
        raise WORDING.refused(_WRONG_MOMENT[slip.status, at_cage(slip)], detail={"slip": slip.pk}, slip=slip)
    return slip


def _end(slip, status, reason, actor):
    grounds.two_people(actor)
    reason = grounds.checked_reason(reason, needed=True)
    if status == STATUS.RETURNED:
        slip.back = _move(_RETURNED, slip, actor)
    slip.status, slip.voided_by, slip.approved_by, slip.voided_at = status, actor.by, actor.approved_by, Now()
    slip.reason, slip.salt = reason, log.salt(reason)
    slip.save(update_fields=["status", "voided_by", "approved_by", "voided_at", "reason", "salt", "back"])
    _record(
        "slip.returned" if status == STATUS.RETURNED else "slip.voided",
        slip,
        actor,
        slip=slip.ref,
        movement=_movement(slip.back),
        requester=actor.ref,
        approver=actor.approver,
        reason=grounds.salted(slip.salt, reason),
    )


def _move(kinds, slip, actor, people=None):
    """Move the chips of a slip one step, for which two people answer; a change moves no money."""
    if slip.kind not in kinds:
        return None
    kind, kinds_of = kinds[slip.kind], Movement.Kind
    cage, transit = (Account.objects.get(kind=name) for name in (Account.Kind.CAGE, Account.Kind.TRANSIT))
    float_account = slip.table.float_account
    debit, credit = {
        kinds_of.FILL_ISSUED: (transit, cage),
        kinds_of.FILL: (float_account, transit),
        kinds_of.FILL_RETURNED: (cage, transit),
        kinds_of.CREDIT: (transit, float_account),
        kinds_of.CREDIT_RECEIVED: (cage, transit),
        kinds_of.CREDIT_RETURNED: (float_account, transit),
    }[kind]
    return ledger.move(
        kind=kind,
        subject=slip.ref,
        number=1,
        debit=debit,
        credit=credit,
        denominations=slip.denominations,
        business_date=slip.session.business_date,
        actor=actor,
        chain=slip.table.ref,
        people=people,
    )


def _movement(movement):
    return movement and f"movement:{movement.pk}"


def _record(event, slip, actor, /, **facts):
    log.record(event, slip.ref, chain=slip.table.ref, actor=actor, facts=facts)
