"""The home page: the floor for whoever may read it, for everybody else the list of the tables that they may see."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.shortcuts import redirect, render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Right, Role

from ..models import Posting, Session, SignOn
from ..people import access
from ..verbs import cage
from ..words import people, slips
from ..words.actions import croupier
from ..words.timeline import Reader
from ..words.wording import WORDING
from . import floor

_STATUS = {
    Session.Status.OPENING: "home.opening",
    Session.Status.OPEN: "home.open",
    Session.Status.CLOSING: "home.closing",
}


@require_GET
@never_cache
@login_required
def page(request):
    """The floor; else the tables within reach, and people who act at the only one, or stand at the terminal of one, go
    straight there."""
    staff = request.user
    if staff.has_perm(Right.READ_FLOOR):
        # The floor belongs to the console: it is in English for everybody.
        with translation.override(settings.LANGUAGE_CODE):
            return floor.page(request)
    seen = access.tables(staff, Right.SEE_TABLE)
    dealt = access.tables(staff, Right.SIGN_ON).filter(_in_pits_of(staff, Role.CROUPIER))
    tables = list((seen | dealt).distinct().select_related("pit").order_by("code"))
    acts = list(access.tables(staff, Right.ACT))
    here = access.terminal_of(request)
    if len(acts) == 1 and len(seen) == 1:
        return redirect("terminal", acts[0].pk)
    if not acts and here and dealt.filter(pk=here.table_id).exists():
        return redirect("terminal", here.table_id)
    reader = Reader.of(staff)
    context = {
        "me": reader.person(staff),
        "tables": _tiles(
            tables,
            set() if acts else set(dealt.values_list("pk", flat=True)),
            here and here.table_id,
            set(access.tables(staff, Right.ENROL).values_list("pk", flat=True)),
            set(access.tables(staff, Right.READ_SESSION).values_list("pk", flat=True)),
            reader,
        ),
        "waits": people.waits(staff) is not None,
        "asked": people.asked_of(staff),
        "at_cage": len(slips.at_cage(staff)),
        "reads_drop_boxes": staff.has_perm(Right.READ_DROP_BOXES),
        "counts_cage": not staff.has_perm(Right.READ_CAGE)
        and staff.has_perm(Right.COUNT_CAGE)
        and cage.running() is not None,
    }
    return render(request, "home.html", context)


def _in_pits_of(staff, role):
    """The tables of the pits in which a person has a role."""
    pits = Posting.objects.filter(staff=staff, role=role, ended_at=None).values_list("pit_id", flat=True)
    return Q() if None in pits else Q(pit__in=list(pits))


def _tiles(tables, to_sign_on, here, managed, read, reader):
    """The tables of a list: open or not, who deals, how far they are.

    `to_sign_on` are those where the person may sign on, at their own terminals; `here` is the table whose terminal this
    is. `managed` are those whose people and devices the person may change, `read` those whose sessions they read.
    People appear as the `reader` reads them.
    """
    sessions = Session.objects.running().filter(table__in=tables)
    statuses = {session.table_id: session.status for session in sessions}
    signed_on = SignOn.objects.filter(table__in=tables, signed_off_at=None).select_related("staff")
    dealing = {each.table_id: each.staff for each in signed_on}
    return [
        {
            "id": table.pk,
            "name": table.name,
            "pit": table.pit.name,
            "open": statuses.get(table.pk) == Session.Status.OPEN,
            "status": WORDING(_STATUS.get(statuses.get(table.pk), "home.closed")),
            "croupier": reader.person(dealing[table.pk]) if table.pk in dealing else croupier(None),
            "round": WORDING("home.round", number=table.last_number) if table.last_number else WORDING("home.no_round"),
            "manages": table.pk in managed,
            "reads_session": table.pk in read,
            "sign_on": _sign_on_words(dealing.get(table.pk), table.pk == here) if table.pk in to_sign_on else "",
        }
        for table in tables
    ]


def _sign_on_words(taken, here):
    if taken is None:
        return WORDING("home.sign_on" if here else "home.sign_on:there")
    return WORDING("home.relieve" if here else "home.relieve:there", croupier=croupier(taken.pk))
