"""May this person reach this object: what rights a person's postings and sign-on give, and at which tables.

Doors answer 404 for what is out of reach, with the same words as for what does not exist.
"""

from django.contrib.auth.backends import ModelBackend
from django.db.models import Q
from django.http import Http404

from casino.errors import Refused
from casino.roles import Reach, Role, Verb, reach

from .models import Pit, Posting, SignOn, Table


class StaffBackend(ModelBackend):
    """Passwords are Django's; rights are the table in `casino/roles.py` and nothing else."""

    def has_perm(self, user_obj, perm, obj=None):
        """Whether the person holds the verb: anywhere, or at `obj`, a table or a pit."""
        if not user_obj.is_active:
            return False
        reaches = _reaches(user_obj, perm)
        if obj is None:
            return bool(reaches)
        if isinstance(obj, Pit):
            return pits(user_obj, perm).filter(pk=obj.pk).exists()
        return _tables(user_obj, reaches).filter(pk=obj.pk).exists()

    def get_user_permissions(self, user_obj, obj=None):
        """Django's per-user permissions: there are none."""
        return set()

    get_group_permissions = get_all_permissions = get_user_permissions


def _reaches(staff, verb):
    """How far each posting carries the verb, as (reach, pit id or None)."""
    try:
        verb = Verb(verb)
    except ValueError:
        return []
    postings = Posting.objects.filter(staff=staff, ended_at=None).values_list("role", "pit_id")
    found = [(reach(Role(role), verb), pit) for role, pit in postings]
    return [(far, pit) for far, pit in found if far is not None]


def _tables(staff, reaches):
    where = Q(pk__in=[])
    for far, pit in reaches:
        if far == Reach.ALL or (far == Reach.PIT and pit is None):
            return Table.objects.all()
        if far == Reach.PIT:
            where |= Q(pit=pit)
        else:
            here = SignOn.objects.filter(staff=staff, signed_off_at=None).values("table")
            where |= Q(pk__in=here) if pit is None else Q(pk__in=here, pit=pit)
    return Table.objects.filter(where)


def tables(staff, verb):
    """The tables where a person holds a verb, as a queryset."""
    return _tables(staff, _reaches(staff, verb)) if staff.is_active else Table.objects.none()


def still(staff, verb, table_id):
    """Lock the table and ask again whether the person holds the verb there: a relief may have come in between.

    :raises Refused: `not_your_right` (403) if not.
    """
    table = Table.objects.select_for_update(no_key=True).get(pk=table_id)
    if not staff.has_perm(verb, table):
        raise Refused(
            "not_your_right",
            "Your role may not do this at this table.",
            status=403,
            way_out="The croupier who is signed on here acts; a pit boss rules.",
        )


def pits(staff, verb):
    """The pits where a person holds a verb, as a queryset."""
    reaches = _reaches(staff, verb)
    if any(far == Reach.ALL or (far == Reach.PIT and pit is None) for far, pit in reaches):
        return Pit.objects.all()
    return Pit.objects.filter(pk__in=[pit for far, pit in reaches if far == Reach.PIT])


def table_or_404(staff, verb, table_id):
    """The table, if the person holds the verb there.

    :raises Http404: if there is no such table or it is out of reach; both read the same.
    """
    table = tables(staff, verb).filter(pk=table_id).select_related("pit", "chip_set").first()
    if table is None:
        raise Http404("There is no such table, or you are not signed on at it.")
    return table
