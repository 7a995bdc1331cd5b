"""May this person reach this object: what rights a person's postings and sign-on give, and at which tables.

Doors answer 404 for what is out of reach, in the same words as for what does not exist.
"""

import contextlib
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.db import connection
from django.db.models import Q
from django.http import Http404

from casino import hashing
from casino.errors import Refused
from casino.roles import Reach, Right, Role, reach

from ..models import Pit, Posting, Table
from . import terminals


class StaffBackend(ModelBackend):
    """Passwords are Django's; rights are the table in `casino/roles.py` and nothing else."""

    def authenticate(self, request, username=None, password=None, **more):
        """The person, if the password is theirs; a login waits behind signatures, never before them."""
        behind = contextlib.nullcontext() if getattr(request, "signs", False) else hashing.behind_signatures()
        with behind:
            return super().authenticate(request, username, password, **more)

    def get_user(self, user_id):
        """The person of a session, for one request: what is asked of them again and again is read once."""
        person = super().get_user(user_id)
        if person:
            remember(person)
        return person

    def has_perm(self, user_obj, perm, obj=None):
        """Whether the person holds the right: anywhere, or at `obj`, a table or a pit."""
        if not user_obj.is_active:
            return False
        footing = _footing(user_obj)
        reaches = _reaches(user_obj, footing, perm)
        if obj is None:
            return bool(reaches)
        if isinstance(obj, Pit):
            return any(_in_pit(far, pit, obj.pk) for far, pit in reaches if far != Reach.SIGNED_ON)
        return any(
            _in_pit(far, pit, obj.pit_id) and (far != Reach.SIGNED_ON or footing.table_id == obj.pk)
            for far, pit in reaches
        )

    def get_user_permissions(self, user_obj, obj=None):
        """Django's per-user permissions: there are none."""
        return set()

    get_group_permissions = get_all_permissions = get_user_permissions


class _Footing(NamedTuple):
    """What decides on a person's rights: the postings as (role, pit id or None), and the table of their sign-on."""

    postings: list
    table_id: int | None


def remember(staff):
    """Read a person's postings once for all questions of a request, until `still` asks again under the lock."""
    staff.footing = None


def _footing(staff):
    if getattr(staff, "footing", None):
        return staff.footing
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT p.role, p.pit_id, s.table_id FROM tables_posting p"
            " LEFT JOIN tables_signon s ON s.staff_id = p.staff_id AND s.signed_off_at IS NULL"
            " WHERE p.staff_id = %s AND p.ended_at IS NULL",
            [staff.pk],
        )
        rows = cursor.fetchall()
    footing = _Footing([row[:2] for row in rows], rows[0][2] if rows else None)
    if hasattr(staff, "footing"):
        staff.footing = footing
    return footing


def _forget(staff):
    if hasattr(staff, "footing"):
        del staff.footing


def _reaches(staff, footing, right):
    """How far each posting carries the right, as (reach, pit id or None)."""
    try:
        right = Right(right)
    except ValueError:
        return []
    if _by_token(staff):
        return [
            (Reach.SIGNED_ON, pit) for role, pit in footing.postings if role == Role.CROUPIER and reach(role, right)
        ]
    reaches = [(reach(Role(role), right), pit) for role, pit in footing.postings]
    return [(far, pit) for far, pit in reaches if far is not None]


def _in_pit(far, pit, pit_id):
    """Whether a reach carries into a pit."""
    return far == Reach.ALL or pit is None or pit == pit_id


def _by_token(staff):
    """Whether a device acts for the person: then as the croupier at the table, whatever else the person may do."""
    return getattr(staff, "by_token", False)


def posted(staff, role, table):
    """Whether a person has a role in the table's pit or in all."""
    if not staff.is_active or (_by_token(staff) and role != Role.CROUPIER):
        return False
    pit = Q(pit=None) | Q(pit=table.pit_id)
    return Posting.objects.filter(pit, staff=staff, role=role, ended_at=None).exists()


def terminal_of(request):
    """The enrolled terminal that a request comes from, or None. Asks the database once, and only for a token."""
    request = getattr(request, "_request", request)  # DRF wraps Django's
    if not hasattr(request, "terminal"):
        request.terminal = terminals.of_token(request.COOKIES.get(settings.TERMINAL_COOKIE_NAME))
    return request.terminal


def tables(staff, right):
    """The tables where a person holds a right, as a queryset."""
    if not staff.is_active:
        return Table.objects.none()
    footing, where = _footing(staff), Q(pk__in=[])
    for far, pit in _reaches(staff, footing, right):
        if far == Reach.ALL or (far == Reach.PIT and pit is None):
            return Table.objects.all()
        at = Q() if far == Reach.PIT else Q(pk=footing.table_id)
        where |= at if pit is None else at & Q(pit=pit)
    return Table.objects.filter(where)


def still(staff, right, table_id):
    """Lock the table and ask again whether the person holds the right there: a relief may have come in between.

    :raises Refused: `not_your_right` (403) if not.
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    _forget(staff)
    if not staff.has_perm(right, table):
        raise not_your_right()


def not_your_right():
    """The refusal of a person who may see a table and may not do this there."""
    return Refused(
        "not_your_right",
        "Your role may not do this at this table.",
        status=403,
        way_out="The croupier who is signed on here acts; a pit boss rules.",
    )


def pits(staff, right):
    """The pits where a person holds a right, as a queryset."""
    reaches = _reaches(staff, _footing(staff), right)
    if any(far == Reach.ALL or (far == Reach.PIT and pit is None) for far, pit in reaches):
        return Pit.objects.all()
    return Pit.objects.filter(pk__in=[pit for far, pit in reaches if far == Reach.PIT])


def table_or_404(staff, right, table_id):
    """The table, if the person holds the right there.

    :raises Http404: if there is no such table or it is out of reach; both read the same.
    """
    table = tables(staff, right).filter(pk=table_id).select_related("pit", "chip_set").first()
    if table is None:
        raise Http404("There is no such table, or you are not signed on at it.")
    return table
