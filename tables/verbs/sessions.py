"""Sessions: a table from opener to closer, in one business date.

A pit boss begins one. Two people count its opener, the second blind to the first, and both sign for it: then it is
open. It is closed in the same way, once its last round was called. Whoever counts sees neither what should be there nor
the other count until both are in. If the counts differ, they are made again, once; then a pit boss says which one
stands.

At a change of shift or day, a table is carried on: one count closes its session and opens the next with the same chips,
and whoever deals there stays.

The table's rake slot is counted with the closer, separately, if rake went into it or out of it since the table last
closed. The rake goes to the cage in a movement of its own and is no part of what the table won.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Max
from django.db.models.functions import Now

from audit import log
from casino import settings_of_house
from payouts import ledger
from payouts.models import Account, Movement

from ..models import Count, Round, Session, SignOn, Table
from ..people import reliefs, staff
from . import alarms, cases, counts, dates, drop_boxes, grounds, payments, series, slips, unfinished
from .wording import WORDING

STATUS, PART = Session.Status, Count.Part
PARTS = {STATUS.OPENING: PART.OPENER, STATUS.CLOSING: PART.CLOSER}
"""What is counted while a session has a status."""
ATTEMPTS = 2
"""So often two people count before a pit boss says which count stands."""
_RUNS = {
    STATUS.OPENING: "session_open:opening",
    STATUS.OPEN: "session_open",
    STATUS.CLOSING: "session_open:closing",
}
_WRONG_MOMENT = {
    STATUS.OPENING: "session_wrong_moment:opening",
    STATUS.OPEN: "session_wrong_moment:open",
    STATUS.CLOSING: "session_wrong_moment:closing",
    STATUS.CLOSED: "session_wrong_moment:closed",
}
_COUNTED = {PART.OPENER: "opener_of", PART.CLOSER: "closer_of"}


class Standing(NamedTuple):
    """How far the count of what opens or closes a session is.

    `entered` are the counts of the last attempt, at most two. `expected` is what should be there, in units, and `bound`
    how far off a count may be; they are known when both have counted, and `expected` is None at a table's first opener.
    `decides`: the counts differed so often that a pit boss says which one stands.

    `asks_rake`: whoever counts next counts the rake slot too. `rakes` are those counts, in the order of `entered`;
    empty if it is not counted. `lacks_rake`: both have counted without it, and rake moved since.
    """

    part: str
    entered: list[Count]
    equal: bool
    decides: bool
    expected: int | None = None
    bound: int = 0
    asks_rake: bool = False
    rakes: Sequence[Count] = ()
    expected_rake: int | None = None
    lacks_rake: bool = False

    @property
    def both(self):
        return len(self.entered) == 2

    def choice(self, place, *, what, missing="", way_out=""):
        """The count for which two sign.

        :param place: which one stands after they differed so often, the first or the second.
        :param what: what is counted, in a sentence.
        :param missing: the sentence that it is not counted, if there is more to say; `way_out`: who counts it.
        :raises Refused: `count_missing`, `counts_differ`; `place_missing` (422).
        """
        if not self.both:
            counters = way_out or WORDING("counted_by_two")
            if missing:
                raise WORDING.refused("count_missing:more", fault=missing, way_out=counters)
            raise WORDING.refused("count_missing", what=what, way_out=counters)
        if self.equal:
            return self.entered[0]
        if not self.decides:
            raise WORDING.refused("counts_differ", what=what)
        if place not in {1, 2}:
            raise WORDING.refused("place_missing")
        return self.entered[place - 1]

    def rake(self, count):
        """The count of the rake slot that goes with this count; None if it is not counted."""
        return next((rake for rake in self.rakes if rake.place == count.place), None)

    def expects(self, count):
        """What should be there instead of this count, in units, or None."""
        return self.expected_rake if count.part == PART.RAKE else self.expected

    def difference(self, count):
        """What was counted less what should be there."""
        expected = self.expects(count)
        return 0 if expected is None else count.units - expected

    def outside(self, count):
        """Whether the difference is above what the house lets pass."""
        return abs(self.difference(count)) > self.bound

    def signs(self, people):
        """Whether these are the two who counted."""
        return {person.pk for person in people} == {count.by_id for count in self.entered}


def running(table):
    """The table's session that is not closed, or None."""
    return Session.objects.running().filter(table=table).first()


def before(session):
    """The table's session that was closed last before this one, or None."""
    return Session.objects.filter(table=session.table_id, pk__lt=session.pk).order_by("pk").last()


def standing(session):
    """How far the count of what opens or closes a session is; None if nothing is counted now."""
    part = PARTS.get(session.status)
    if part is None:
        return None
    entered = counts.last(session.ref, part, session.counts_from)
    slot = session.table.rake_account
    rakes = _rakes(session, entered) if part == PART.CLOSER else []
    moved = part == PART.CLOSER and ledger.has_moved(slot)
    # The second person counts what the first did.
    asks_rake = bool(rakes) if len(entered) == 1 else moved
    if len(entered) < 2:
        return Standing(part, entered, equal=False, decides=False, asks_rake=asks_rake, rakes=rakes)
    equal = counts.agreed(entered) and (not rakes or counts.agreed(rakes))
    return Standing(
        part,
        entered,
        equal,
        decides=not equal and entered[0].attempt - session.counts_from + 1 >= ATTEMPTS,
        expected=_expected(session, part),
        bound=settings_of_house.value(f"{part}_variance_units"),
        asks_rake=asks_rake,
        rakes=rakes,
        expected_rake=ledger.balance(slot) if rakes else None,
        lacks_rake=moved and not rakes,
    )


def _rakes(session, entered):
    """The counts of the rake slot that go with those of the closer."""
    rakes = counts.last(session.ref, PART.RAKE, session.counts_from)
    return [rake for rake in rakes if entered and rake.attempt == entered[0].attempt]


def begin(*, table_id, actor):
    """Begin a session; two people count its opener next.

    :raises Refused: `session_open` if a session of it runs.
    """
    date = dates.today()
    table = _table(table_id)
    session = running(table)
    if session:
        raise WORDING.refused(_RUNS[session.status], detail={"session": session.pk}, table=table)
    session = Session.objects.create(table=table, business_date=date, begun_by=actor.by)
    _record_begun(session, before(session), actor)
    return session


def count(*, session_id, denominations, rake=None, actor):
    """Count what opens or closes a table, as one of two people.

    :param denominations: chip value in units to the number of chips; what is not named is not there.
    :param rake: the same for the rake slot, if it is counted too, else None.
    :param actor: who counts.
    :returns: the session and the counts of this attempt.
    :raises Refused: `session_wrong_moment`; `counted_already`; `counted_twice` when the counts differed twice;
        `chip_unknown`, `count_wrong`, `nothing_counted`, `rake_missing`, `rake_surplus` (422).
    """
    session = _locked(session_id, *PARTS)
    stands, table = standing(session), session.table
    if stands.both and stands.entered[0].attempt - session.counts_from + 1 >= ATTEMPTS:
        raise counted_twice(stands, WORDING(_COUNTED[stands.part], table=table))
    if stands.part == PART.OPENER and not counts.checked(table, denominations):
        raise WORDING.refused("nothing_counted")
    _check_rake(stands, table, rake)
    entered = counts.enter(
        of=session.ref,
        part=stands.part,
        table=table,
        denominations=denominations,
        actor=actor,
        since=session.counts_from,
        rake=rake,
    )
    return session, entered


def counted_twice(stands, what):
    """The refusal to count again what was counted twice."""
    return WORDING.refused("counted_twice:equal" if stands.equal else "counted_twice:differing", what=what)


def _check_rake(stands, table, rake):
    if stands.asks_rake and rake is None:
        raise WORDING.refused("rake_missing", table=table)
    if rake is not None and not stands.asks_rake:
        raise WORDING.refused("rake_surplus", table=table)


def sign(*, session_id, place=None, reason="", carry=False, actor):
    """Two people sign for what was counted: the table is open with that opener, or closed with that closer.

    A closer goes back to the cage, and its difference from what the rounds leave is the variance; so does the rake,
    with a variance of its own. Whoever deals there is signed off. An opener is compared with the closer before it:
    between sessions the cage has the table's chips, and so the difference.

    :param place: which count stands after they differed twice, the first or the second.
    :param carry: the table goes on: the closer is the opener of its next session, and nobody is signed off.
    :param actor: `approved_by` is the second who signs. One of them is a pit boss of the table: the door checks that.
    :raises Refused: `session_wrong_moment`; `count_missing`, `counts_differ` until there is something to sign for;
        `rake_uncounted` if rake moved since both counted without the rake slot; `same_person`, `place_missing`,
        `reason_wrong`, `reason_missing` (422): see `wants_reason`; `carry_wrong` (422) for an opener, and for a table
        without chips; for a closer, what `under_way` refuses, and `drop_box_mounted`.
    """
    if carry:
        # The day of the session that follows: days come before tables in the order of locks.
        dates.today()
    session = _locked(session_id, *PARTS)
    grounds.two_people(actor)
    if session.status == STATUS.CLOSING:
        refusal = under_way(session) or _drops(session)
        if refusal:
            raise refusal
    stands = standing(session)
    counted = _standing_count(session, stands, place)
    if carry:
        _check_carry(session, counted)
    signers = (actor.by, actor.approved_by)
    reason = grounds.checked_reason(reason, needed=wants_reason(stands, counted, signers))
    salt = log.salt(reason) if reason else ""
    rake = stands.rake(counted)
    parts = [counted, rake] if rake else [counted]
    for each in parts:
        more = {"reason": grounds.salted(salt, reason) if reason else None, "expected": stands.expects(each)}
        if more["expected"] is not None:
            more["variance"] = stands.difference(each)
        counts.record_agreed(each, table=session.table, signers=signers, actor=actor, **more)
    if session.status == STATUS.OPENING:
        _open(session, stands, counted, Reason(reason, salt), actor)
    else:
        _close(session, stands, counted, Reason(reason, salt), actor, carry=carry)
    if any(map(stands.outside, parts)):
        worst = max(map(stands.difference, parts), key=abs)
        alarms.vary(session, stands.part, worst, stands.bound)
        if stands.part == PART.CLOSER:
            cases.open_variance(session, worst, actor)
    return session


def _check_carry(session, counted):
    if session.status == STATUS.OPENING:
        raise WORDING.refused("carry_wrong:opener", table=session.table)
    if not counted.denominations:
        raise WORDING.refused("carry_wrong", table=session.table)


class Reason(NamedTuple):
    text: str
    salt: str


def wants_reason(stands, counted, signers):
    """Whether the signers must give a reason: the counts differed, others than those who counted sign, or a count (the
    rake slot's too) differs from what should be there by more than the house lets pass."""
    rake = stands.rake(counted)
    outside = stands.outside(counted) or (rake and stands.outside(rake))
    return bool(not stands.equal or not stands.signs(signers) or outside)


def stop(*, session_id, actor):
    """Call the last round of a table: from now on no round opens there, and two people count its chips.

    :raises Refused: `session_wrong_moment`; what `under_way` refuses.
    """
    session = _locked(session_id, STATUS.OPEN)
    refusal = under_way(session)
    if refusal:
        raise refusal
    closers = Count.objects.filter(of=session.ref, part=PART.CLOSER)
    session.status, session.stopped_by, session.stopped_at = STATUS.CLOSING, actor.by, Now()
    session.counts_from = 1 + (closers.aggregate(last=Max("attempt"))["last"] or 0)
    session.save(update_fields=["status", "stopped_by", "stopped_at", "counts_from"])
    facts = {"attempt": session.counts_from}
    log.record("session.stopped", session.ref, chain=session.table.ref, actor=actor, facts=facts)
    return session


def resume(*, session_id, actor):
    """Two people let a table go on after its last round was called; what was counted no longer counts.

    :raises Refused: `session_wrong_moment`; `same_person` (422).
    """
    session = _locked(session_id, STATUS.CLOSING)
    grounds.two_people(actor)
    session.status, session.stopped_by, session.stopped_at = STATUS.OPEN, None, None
    session.save(update_fields=["status", "stopped_by", "stopped_at"])
    facts = {"requester": actor.ref, "approver": actor.approver}
    log.record("session.resumed", session.ref, chain=session.table.ref, actor=actor, facts=facts)
    return session


def under_way(session):
    """The refusal to close a session now, with the way out; None if nothing is under way."""
    table = session.table
    left = session.rounds.filter(status__in=[Round.Status.OPEN, Round.Status.CLOSED]).select_related("table")
    round_ = left.order_by("-status", "number").first()  # the open one first
    if round_ is None:
        if series.running_in(session) is None:
            return slips.under_way(session) or _unticked(session)
        return WORDING.refused("series_running", table=table)
    detail = {"round": round_.pk}
    if round_.status == Round.Status.OPEN:
        return WORDING.refused("round_open:ending", detail=detail, round=round_)
    return WORDING.refused("round_held:ending" if round_.held_at else "round_unsettled", detail=detail, round=round_)


def _drops(session):
    """The refusal to close a session while a drop box is mounted; None if none is."""
    hangs = drop_boxes.mounted(session.table)
    return hangs and drop_boxes.is_mounted(hangs)


def _unticked(session):
    """The refusal to close a session in which a payment waits for its tick; None if none does."""
    first = next(payments.unticked(session), None)
    if first is None:
        return None
    round_, due = first
    boxes = [paid.box for paid in due]
    detail = {"round": round_.pk, "boxes": boxes}
    if len(boxes) == 1:
        return WORDING.refused("payment_unticked:one", detail=detail, box=boxes[0], round=round_)
    return WORDING.refused("payment_unticked", detail=detail, boxes=", ".join(map(str, boxes)), round=round_)


def _table(table_id):
    return Table.objects.select_for_update(no_key=True, of=("self",)).select_related("chip_set").get(id=table_id)


def _locked(session_id, *statuses):
    """A session locked after its table.

    :raises Refused: `session_wrong_moment`, unless it has one of these statuses.
    """
    table = _table(Session.objects.values_list("table_id", flat=True).get(pk=session_id))
    session = Session.objects.select_for_update(no_key=True).get(pk=session_id)
    session.table = table
    if session.status not in statuses:
        raise WORDING.refused(_WRONG_MOMENT[session.status], detail={"session": session.pk}, table=table)
    return session


def _expected(session, part):
    """What should be there, in units: for an opener, the closer before it, if there was one."""
    if part == PART.CLOSER:
        return ledger.balance(session.table.float_account)
    last = before(session)
    return last and ledger.movement_units(last.ref)[Movement.Kind.CLOSER]


def _standing_count(session, stands, place):
    """The count for which two sign."""
    if stands.lacks_rake:
        again = stands.entered[0].attempt - session.counts_from + 1 < ATTEMPTS
        raise WORDING.refused("rake_uncounted" if again else "rake_uncounted:twice", table=session.table)
    return stands.choice(place, what=WORDING(_COUNTED[stands.part], table=session.table))


def _open(session, stands, counted, reason, actor):
    session.opener_reason, session.opener_salt = reason
    _record_ended("session.opened", session, stands, counted, actor)
    difference = stands.difference(counted)
    if difference:
        _vary(session, difference, _house(Account.Kind.CAGE), actor)
    _open_with(session, counted.denominations, actor)


def _open_with(session, denominations, actor):
    cage = _house(Account.Kind.CAGE)
    _move(Movement.Kind.OPENER, session, denominations, session.table.float_account, cage, actor)
    session.status, session.opened_at = STATUS.OPEN, Now()
    session.opened_by, session.opened_with = actor.by, actor.approved_by
    session.save(
        update_fields=["status", "opened_at", "opened_by", "opened_with", "opener_reason", "opener_salt"],
    )


def _close(session, stands, counted, reason, actor, *, carry):
    table = session.table
    session.closer_reason, session.closer_salt = reason
    if not carry:
        reliefs.withdraw_at(table, actor=actor)
        if SignOn.objects.filter(table=table, signed_off_at=None).exists():
            staff.sign_off(table=table, actor=actor)
    variance = stands.difference(counted)
    if variance:
        _vary(session, variance, table.float_account, actor)
    if counted.denominations:
        cage = _house(Account.Kind.CAGE)
        _move(Movement.Kind.CLOSER, session, counted.denominations, cage, table.float_account, actor)
    rake = stands.rake(counted)
    if rake:
        _close_slot(session, stands, rake, actor)
    ledger.snapshot(
        accounts=(table.float_account, table.patrons_account, table.pot_account, table.rake_account),
        subject=session.ref,
    )
    session.status, session.closed_at = STATUS.CLOSED, Now()
    session.closed_by, session.closed_with = actor.by, actor.approved_by
    session.unfinished = unfinished.of(session, before(session))
    closed = ["status", "closed_at", "closed_by", "closed_with", "closer_reason", "closer_salt", "unfinished"]
    session.save(update_fields=closed)
    more = {"unfinished": session.unfinished} if session.unfinished else {}
    following = None
    if carry:
        begun = {"business_date": dates.today(), "begun_by": actor.by}
        following = Session.objects.create(table=table, carried_from=session, **begun)
        more["carried"] = following.ref
    _record_ended("session.closed", session, stands, counted, actor, **more)
    if following:
        _carry_on(session, following, counted, actor)


def _carry_on(session, following, counted, actor):
    """Open the next session of a table with the chips that closed this one: nobody counts them again."""
    _record_begun(following, session, actor)
    carried = {"expected": counted.units, "variance": 0, "carried": session.ref}
    _record_ended("session.opened", following, None, counted, actor, **carried)
    _open_with(following, counted.denominations, actor)


def _close_slot(session, stands, rake, actor):
    """Move what lies in the rake slot to the cage; its variance is the difference from what the rounds left there."""
    slot, variance = session.table.rake_account, stands.difference(rake)
    if variance:
        _vary(session, variance, slot, actor)
    if rake.denominations:
        _move(Movement.Kind.RAKE, session, rake.denominations, _house(Account.Kind.CAGE), slot, actor)


def _record_begun(session, last, actor):
    facts = {"business_date": session.business_date.isoformat(), "after": last and last.ref}
    log.record("session.begun", session.ref, chain=session.table.ref, actor=actor, facts=facts)


def _record_ended(event, session, stands, counted, actor, **more):
    facts = {
        "business_date": session.business_date.isoformat(),
        "denominations": counted.denominations,
        "signers": [actor.ref, actor.approver],
        **more,
    }
    if stands:
        facts["expected"] = stands.expected
        if stands.expected is not None:
            facts["variance"] = stands.difference(counted)
    log.record(event, session.ref, chain=session.table.ref, actor=actor, facts=facts)


def _house(kind):
    return Account.objects.get(kind=kind)


def _vary(session, units, account, actor):
    """Write an account up or down to what was counted. Nobody knows which chips are surplus or missing: the variance is
    a sum, in the smallest unit."""
    variance = _house(Account.Kind.VARIANCE)
    ends = (account, variance) if units > 0 else (variance, account)
    _move(Movement.Kind.VARIANCE, session, {"1": abs(units)}, *ends, actor)


def _move(kind, session, denominations, debit, credit, actor):
    """The next movement of a kind in a session."""
    made = Movement.objects.filter(subject=session.ref, kind=kind).count()
    return ledger.move(
        kind=kind,
        subject=session.ref,
        number=made + 1,
        debit=debit,
        credit=credit,
        denominations=denominations,
        business_date=session.business_date,
        actor=actor,
        chain=session.table.ref,
    )
