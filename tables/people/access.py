"""Whether a person may reach an object: which rights their postings and sign-on give, and at which tables.

Doors answer 404 for what is out of reach, in the same words as for what does not exist.
"""

import contextlib
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.db.models import Q
from django.http import Http404

from casino import hashing
from casino.roles import Reach, Right, Role, reach
from casino.statements import Statement

from ..models import Pit, Table, Terminal
from . import codes, credentials, footing, terminals
from .wording import WORDING


class StaffBackend(ModelBackend):
    """Passwords are Django's; rights are the table in `casino/roles.py` and nothing else."""

    def authenticate(self, request, username=None, password=None, **more):
        """The person, if the password is theirs; a login waits behind signatures, never before them.

        The password is their one-time code where they set a new one, and the proof of their second step after the
        password.
        """
        if getattr(request, "by_code", False):
            return codes.holder(username, password)
        if getattr(request, "second_step", False):
            return credentials.prover(username, password)
        behind = contextlib.nullcontext() if getattr(request, "signs", False) else hashing.behind_signatures()
        with behind:
            return super().authenticate(request, username, password, **more)

    def get_user(self, user_id):
        """The person of a session, for one request: what is asked about them again and again is read once."""
        person = footing.person(user_id)
        return person if person and self.user_can_authenticate(person) else None

    def has_perm(self, user_obj, perm, obj=None):
        """Whether the person holds the right: anywhere, or at `obj`, a table or a pit."""
        if not user_obj.is_active:
            return False
        stands = footing.of(user_obj)
        reaches = _reaches(user_obj, stands, perm)
        if obj is None:
            return bool(reaches)
        if isinstance(obj, Pit):
            return any(_in_pit(far, pit, obj.pk) for far, pit in reaches if far != Reach.SIGNED_ON)
        return any(
            _in_pit(far, pit, obj.pit_id) and (far != Reach.SIGNED_ON or stands.table_id == obj.pk)
            for far, pit in reaches
        )

    def get_user_permissions(self, user_obj, obj=None):
        """Django's per-user permissions: there are none."""
        return set()

    get_group_permissions = get_all_permissions = get_user_permissions


_TABLE = Statement(lambda table: Table.objects.filter(pk=table).select_related("pit", "chip_set"))


class Extent(NamedTuple):
    """Where a person holds a right: at all tables, or at those of some pits and at some single tables."""

    everywhere: bool
    pits: list
    tables: list


NOWHERE, EVERYWHERE = Extent(False, [], []), Extent(True, [], [])


def _reaches(staff, stands, right):
    """How far each posting carries the right, as (reach, pit id or None)."""
    try:
        right = Right(right)
    except ValueError:
        return []
    if _by_token(staff):
        return [(Reach.SIGNED_ON, pit) for role, pit in stands.postings if role == Role.CROUPIER and reach(role, right)]
    reaches = [(reach(Role(role), right), pit) for role, pit in stands.postings]
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
    return any(held == role and pit in {None, table.pit_id} for held, pit in footing.of(staff).postings)


def terminal_of(request):
    """The enrolled terminal that a request comes from, or None. Asks the database once, and only for a token."""
    request = getattr(request, "_request", request)  # DRF wraps Django's
    if not hasattr(request, "terminal"):
        request.terminal = terminals.of_token(request.COOKIES.get(settings.TERMINAL_COOKIE_NAME))
    return request.terminal


def device(request):
    """The digest of the token of the terminal that a request comes from, or None."""
    return terminals.digest_of(request.COOKIES.get(settings.TERMINAL_COOKIE_NAME))


def terminal_beside(request, row):
    """The terminal of a request: from a row that was read for its `device` and has the terminal's id and name."""
    request = getattr(request, "_request", request)
    if hasattr(request, "terminal"):
        return request.terminal
    return row.terminal_id and Terminal(pk=row.terminal_id, name=row.terminal_name)


def extent(staff, right):
    """Where a person holds a right."""
    if not staff.is_active:
        return NOWHERE
    stands = footing.of(staff)
    reaches = _reaches(staff, stands, right)
    if any(far == Reach.ALL or (far == Reach.PIT and pit is None) for far, pit in reaches):
        return EVERYWHERE
    pits = [pit for far, pit in reaches if far == Reach.PIT]
    at_table = any(far == Reach.SIGNED_ON and _in_pit(far, pit, stands.table_pit_id) for far, pit in reaches)
    return Extent(False, pits, [stands.table_id] if stands.table_id and at_table else [])


def tables(staff, right):
    """The tables where a person holds a right, as a queryset."""
    everywhere, pits, places = extent(staff, right)
    return Table.objects.all() if everywhere else Table.objects.filter(Q(pit__in=pits) | Q(pk__in=places))


def still(staff, right, table_id):
    """Lock the table and ask again whether the person holds the right there: a relief may have come in between.

    :raises Refused: `not_your_right` (403) if not.
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    footing.forget(staff)
    if not staff.has_perm(right, table):
        raise not_your_right()


def still_in_house(staff, right):
    """Ask again whether the person holds a right over the whole house.

    :raises Refused: `not_your_right` (403) if not.
    """
    footing.forget(staff)
    if not staff.has_perm(right):
        raise WORDING.refused("not_your_right:house")


def not_your_right():
    """The refusal of a person who may see a table and may not do this there."""
    return WORDING.refused("not_your_right")


def pits(staff, right):
    """The pits where a person holds a right, as a queryset."""
    everywhere, pits, _ = extent(staff, right)
    return Pit.objects.all() if everywhere else Pit.objects.filter(pk__in=pits)


def table_or_404(staff, right, table_id):
    """The table, if the person holds the right there.

    :raises Http404: if there is no such table or it is out of reach; both read the same.
    """
    table = _TABLE.first(table=table_id)
    if table is None or not staff.has_perm(right, table):
        raise Http404(WORDING("table_unreachable"))
    return table
