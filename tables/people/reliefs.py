"""Reliefs that a pit boss asks for: who takes a table over next. The croupier who comes signs on there themself."""

from django.db.models.functions import Now

from audit import log
from casino.models import Staff
from casino.roles import Role

from ..models import Relief, SignOn, Table
from . import access
from .wording import WORDING


def ask(*, table_id, staff, actor):
    """Ask a croupier of the pit, who deals nowhere, to take a table over from whoever deals there then.

    :raises Refused: `relief_asked` if somebody is asked there already; `signed_on_here`, `signed_on_elsewhere` and
        `relief_elsewhere` if the person has a table; `not_a_croupier_here` (422).
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    asked = Relief.objects.standing().filter(table=table).first()
    if asked:
        raise WORDING.refused("relief_asked", staff=asked.staff_id, table=table, detail={"staff": asked.staff_id})
    # Waits for a sign-on at another table, another relief, or the person's leaving.
    staff = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    if not access.posted(staff, Role.CROUPIER, table):
        raise not_a_croupier_here(table)
    deals = SignOn.objects.filter(staff=staff, signed_off_at=None).select_related("table").first()
    if deals:
        raise WORDING.refused(
            "signed_on_here:relief" if deals.table_id == table.pk else "signed_on_elsewhere:relief", table=deals.table
        )
    elsewhere = Relief.objects.standing().filter(staff=staff).select_related("table").first()
    if elsewhere:
        raise WORDING.refused("relief_elsewhere", table=elsewhere.table)
    relief = Relief.objects.create(table=table, staff=staff, asked_by=actor.by)
    facts = {"relief": relief.ref, "staff": staff.ref, "requester": actor.ref}
    log.record("relief.asked", relief.ref, chain=table.ref, actor=actor, facts=facts)
    return relief


def withdraw(*, relief_id, actor):
    """Withdraw a relief that is no longer wanted; its table is locked.

    :raises Refused: `relief_over` if the croupier signed on, or somebody withdrew it.
    """
    relief = Relief.objects.select_for_update(no_key=True).get(pk=relief_id)
    if relief.ended_at is not None:
        detail = {"staff": relief.staff_id}
        if relief.withdrawn_by_id:
            raise WORDING.refused("relief_over:withdrawn", detail=detail)
        raise WORDING.refused("relief_over:done", staff=relief.staff_id, detail=detail)
    log.record_all(f"table:{relief.table_id}", [ended(relief, actor, withdrawn_by=actor.by)])
    return relief


def withdraw_at(table, *, actor):
    """Withdraw a table's relief as it closes; the caller has locked the table."""
    for relief in Relief.objects.standing().filter(table=table).select_for_update(no_key=True):
        log.record_all(table.ref, [ended(relief, actor, withdrawn_by=actor.by)])


def ended(relief, actor, *, withdrawn_by=None):
    """End a relief: done, unless somebody withdraws it.

    :returns: the log's record of it.
    """
    relief.ended_at, relief.withdrawn_by = Now(), withdrawn_by
    relief.save(update_fields=["ended_at", "withdrawn_by"])
    relief.refresh_from_db(fields=["ended_at"])
    facts = {"relief": relief.ref, "staff": f"staff:{relief.staff_id}"}
    if withdrawn_by:
        facts["requester"] = withdrawn_by.ref
    return log.Record("relief.over", relief.ref, facts, actor.ref, actor.terminal_name)


def not_a_croupier_here(table):
    """The refusal of a person who may not deal at a table; a number that nobody has reads the same."""
    return WORDING.refused("not_a_croupier_here", table=table)
