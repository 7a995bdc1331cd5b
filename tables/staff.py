"""People at work: added, posted to roles, signed on at tables. The log names them by number alone."""

from audit import log
from casino.errors import Refused
from casino.models import Staff

from .models import Posting, SignOn, Table


def add(*, login, name, password, by):
    """A new member of staff, who may do nothing until posted. The very first is added by `None`: the installation."""
    person = Staff(login=login, name=name)
    person.set_password(password)
    person.save()
    log.record("staff.added", person.ref, chain=log.HOUSE, by=by.ref if by else log.SYSTEM, facts={"staff": person.ref})
    return person


def post(*, staff, role, pit, by):
    """Give a person a role, in one pit or (None) in all."""
    posting = Posting.objects.create(staff=staff, role=role, pit=pit)
    log.record(
        "staff.posted",
        staff.ref,
        chain=log.HOUSE,
        by=by.ref if by else log.SYSTEM,
        facts={"staff": staff.ref, "role": role, "pit": pit.ref if pit else None},
    )
    return posting


def sign_on(*, staff, table, by):
    """Put a croupier at a table.

    :raises Refused: `table_taken` if somebody is signed on there, `signed_on_elsewhere` if the person is.
    """
    Table.objects.select_for_update(no_key=True).get(pk=table.pk)
    here = SignOn.objects.filter(table=table, signed_off_at=None).first()
    if here:
        raise Refused("table_taken", f"{table} has its croupier.", way_out="Sign that croupier off first.")
    elsewhere = SignOn.objects.filter(staff=staff, signed_off_at=None).select_related("table").first()
    if elsewhere:
        raise Refused(
            "signed_on_elsewhere",
            f"This croupier is signed on at {elsewhere.table}.",
            way_out=f"Sign off at {elsewhere.table} first.",
        )
    record = SignOn.objects.create(staff=staff, table=table)
    log.record("staff.signed_on", staff.ref, chain=table.ref, by=by.ref, facts={"staff": staff.ref})
    return record
