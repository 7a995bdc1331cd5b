"""People at work: added, posted to roles, signed on at tables, gone. The log names them by number alone."""

from django.db.models import Q
from django.db.models.functions import Now

from audit import log
from casino import passwords
from casino.models import Staff
from casino.roles import Role

from ..models import Posting, Relief, SignOn, Table
from . import access, codes, credentials, lockout, reliefs, web_sessions
from .wording import WORDING


def add(*, login, name, password, actor):
    """A new member of staff, who may do nothing until posted. The system adds the very first.

    :raises Refused: `password_weak` (422).
    """
    person = Staff(login=login, name=name)
    passwords.give(person, password)
    person.save()
    log.record("staff.added", person.ref, chain=log.HOUSE, actor=actor, facts={"staff": person.ref} | by_two(actor))
    return person


def by_two(actor):
    """The two people of a command, as facts; none if one person alone sets the house up."""
    return {"requester": actor.ref, "approver": actor.approver} if actor.approved_by else {}


def post(*, staff, role, pit, actor):
    """Give a person a role, in one pit or (None) in all."""
    # Nobody is named if one person alone sets the house up.
    by, second = (actor.by, actor.approved_by) if actor.approved_by else (None, None)
    posting = Posting.objects.create(staff=staff, role=role, pit=pit, posted_by=by, posted_with=second)
    log.record(
        "staff.posted",
        staff.ref,
        chain=log.HOUSE,
        actor=actor,
        facts={"staff": staff.ref, "role": role, "pit": pit.ref if pit else None} | by_two(actor),
    )
    return posting


def sign_on(*, staff, table, actor, relieve=None):
    """Put a croupier at a table, even in the middle of a round.

    Croupiers sign themselves on at one of the table's terminals; a pit boss of its pit signs on any of the pit's
    croupiers, from anywhere.

    :param relieve: the id of the croupier who hands the table over; True for whoever that is. That ends a relief for
        which the person was asked here.

    :raises Refused: `terminal_needed` and `not_your_right` (403); `table_taken` if somebody else is signed on there,
        `signed_on_here` and `signed_on_elsewhere` if the person is; `relief_elsewhere` if they are asked for at another
        table; `not_a_croupier_here` (422).
    """
    table = _locked(table)
    if not access.posted(actor.by, Role.PIT_BOSS, table):
        if actor.by.pk != staff.pk:
            raise access.not_your_right()
        if actor.terminal is None or actor.terminal.table_id != table.pk:
            raise WORDING.refused("terminal_needed", table=table)
    here = SignOn.objects.filter(table=table, signed_off_at=None).first()
    if here and here.staff_id == staff.pk:
        raise WORDING.refused("signed_on_here", table=table)
    if here and relieve is not True and relieve != here.staff_id:
        raise WORDING.refused("table_taken", table=table, detail={"staff": here.staff_id})
    # Waits for a sign-on at another table, or the person's leaving.
    staff = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    if not access.posted(staff, Role.CROUPIER, table):
        raise reliefs.not_a_croupier_here(table)
    elsewhere = SignOn.objects.filter(staff=staff, signed_off_at=None).select_related("table").first()
    if elsewhere:
        raise WORDING.refused("signed_on_elsewhere", table=elsewhere.table)
    relief = Relief.objects.standing().filter(staff=staff).select_related("table").first()
    if relief and relief.table_id != table.pk:
        raise WORDING.refused("relief_elsewhere:sign_on", table=relief.table)
    records = [_ended(here, actor)] if here else []
    sign_on = SignOn.objects.create(staff=staff, table=table, terminal=actor.terminal)
    records.append(_record("staff.signed_on", staff.ref, actor))
    if relief:
        records.append(reliefs.ended(relief, actor))
    log.record_all(table.ref, records)
    return sign_on


def sign_off(*, table, actor):
    """Take the croupier away from a table. Croupiers sign themselves off, or a pit boss of the pit does.

    :raises Refused: `nobody_signed_on`; `not_your_right` (403).
    """
    table = _locked(table)
    here = SignOn.objects.filter(table=table, signed_off_at=None).first()
    boss = access.posted(actor.by, Role.PIT_BOSS, table)
    if not boss and not (here and here.staff_id == actor.by.pk):
        raise access.not_your_right()
    if here is None:
        raise WORDING.refused("nobody_signed_on", table=table)
    log.record_all(table.ref, [_ended(here, actor)])
    return here


def leave(*, staff, actor):
    """End a person's work here: signed off, without postings and logins. The row stays, since the log names it.

    :param actor: `approved_by` is the second person.

    :raises Refused: `left_already`; `signed_on_meanwhile` if the person was just put at another table.
    """
    signed_on = SignOn.objects.filter(staff=staff, signed_off_at=None)
    asked = Relief.objects.standing().filter(staff=staff)
    where = Table.objects.filter(Q(pk__in=signed_on.values("table")) | Q(pk__in=asked.values("table")))
    tables = [_locked(table) for table in where.order_by("pk")]
    staff = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    if not staff.is_active:
        raise WORDING.refused("left_already")
    for sign_on in signed_on.select_related("table"):
        if sign_on.table not in tables:
            raise WORDING.refused("signed_on_meanwhile", table=sign_on.table)
        log.record_all(sign_on.table.ref, [_ended(sign_on, actor)])
    for relief in asked.select_related("table"):
        if relief.table not in tables:
            raise WORDING.refused("signed_on_meanwhile:relief", table=relief.table)
        record = reliefs.ended(relief, actor, withdrawn_by=actor.by)
        log.record_all(relief.table.ref, [record])
    staff.is_active = False
    staff.save(update_fields=["is_active"])
    two = {"ended_by": actor.by, "ended_with": actor.approved_by}
    Posting.objects.filter(staff=staff, ended_at=None).update(ended_at=Now(), **two)
    codes.end(staff)
    credentials.end_all(staff, actor)
    web_sessions.end_others(staff=staff, keep=None)
    log.record("staff.left", staff.ref, chain=log.HOUSE, actor=actor, facts={"staff": staff.ref} | by_two(actor))
    return staff


def change_password(*, staff, password, keep, actor):
    """Give a person the new password that they chose, and end all their other sessions.

    :param staff: the person as read when their old password was right.
    :param keep: the digest of the web session that goes on.
    :raises Refused: `password_weak` (422); `password_changed` (409) if it was changed in between.
    """
    person = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    if person.password != staff.password or not person.is_active:
        raise WORDING.refused("password_changed")
    _set_password(person, password, keep, actor)
    return person


def choose_password(*, staff, code, password, actor):
    """Give a person the password that they chose, with the one-time code that two others gave them.

    :raises Refused: `code_over` if the code was used or replaced in between; `password_weak` (422).
    """
    person = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    if codes.holder(person.login, code) is None:
        raise WORDING.refused("code_over")
    _set_password(person, password, None, actor)
    return person


def _set_password(person, password, keep, actor):
    passwords.give(person, password)
    person.save(update_fields=["password"])
    codes.end(person)
    web_sessions.end_others(staff=person, keep=keep)
    log.record("staff.password_changed", person.ref, chain=log.HOUSE, actor=actor, facts={"staff": person.ref})


def unlock(*, staff, actor):
    """Lift a person's lock-outs, at every terminal.

    :raises Refused: `not_locked` if there are none.
    """
    if not lockout.lift(staff):
        raise WORDING.refused("not_locked")
    log.record("staff.unlocked", staff.ref, chain=log.HOUSE, actor=actor, facts={"staff": staff.ref})


def _locked(table):
    return Table.objects.select_for_update(no_key=True).get(pk=table.pk)


def _ended(sign_on, actor):
    """End a sign-on.

    :returns: the log's record of it.
    """
    sign_on.signed_off_at = Now()
    sign_on.save(update_fields=["signed_off_at"])
    sign_on.refresh_from_db(fields=["signed_off_at"])
    return _record("staff.signed_off", f"staff:{sign_on.staff_id}", actor)


def _record(event, ref, actor):
    facts = {"staff": ref, "terminal": actor.terminal_name}
    return log.Record(event, ref, facts, actor.ref, actor.terminal_name)
