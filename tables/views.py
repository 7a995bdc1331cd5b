"""The pages: the tables that a person may see, and a table's terminal with the part of it that htmx swaps."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit.models import Chain
from casino.models import Casino
from casino.roles import Verb

from . import access, results, rounds, rulesheets
from . import terminal as screens
from .models import Action, Round, Session, SignOn


@require_GET
@never_cache
@login_required
def home(request):
    """The tables within reach; who acts at the only one goes straight to its terminal."""
    tables = list(access.tables(request.user, Verb.SEE_TABLE).select_related("pit").order_by("code"))
    if len(tables) == 1 and request.user.has_perm(Verb.ACT, tables[0]):
        return redirect("terminal", tables[0].pk)
    context = {"tables": _tiles(tables), "reads_admin": request.user.has_perm(Verb.READ_ADMIN)}
    return render(request, "home.html", context)


@require_GET
@never_cache
@login_required
def terminal(request, table_id):
    """The whole page of a table's terminal."""
    return render(request, "terminal/page.html", {"screen": _screen(request.user, table_id)})


@require_GET
@never_cache
def felt(request, table_id):
    """The part of the terminal that shows the table; who is logged out meanwhile is sent to log in."""
    if not request.user.is_authenticated:
        login = f"{reverse('login')}?next={reverse('terminal', args=[table_id])}"
        return HttpResponse(status=401, headers={"HX-Redirect": login})
    return render(request, "terminal/_felt.html", {"screen": _screen(request.user, table_id)})


def _screen(staff, table_id):
    table = access.table_or_404(staff, Verb.SEE_TABLE, table_id)
    # Before anything else: what happens while we read then has a higher number, and the page looks again.
    seq = Chain.objects.values_list("seq", flat=True).get(key=table.ref)
    session = Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    round_, before = _latest(session)
    ground = screens.Ground(
        table=table,
        casino=Casino.objects.get(),
        seq=seq,
        staff_id=staff.pk,
        may_act=staff.has_perm(Verb.ACT, table),
        croupier_id=SignOn.objects.filter(table=table, signed_off_at=None).values_list("staff_id", flat=True).first(),
        in_session=session is not None,
        sheet=round_.sheet if round_ else rulesheets.in_force(table),
        last=_last_arguments(before) if before else {},
    )
    if round_ is None:
        return screens.screen(None, None, None, ground=ground)
    return screens.screen(round_, rounds.fold(round_), results.of(round_), ground=ground)


def _latest(session):
    """The newest round of a session and the one before; None where there is none."""
    if session is None:
        return None, None
    found = Round.objects.filter(session=session).select_related("table", "sheet", "settlement").order_by("-number")
    return [*found[:2], None, None][:2]


def _last_arguments(round_):
    """What each box did last in a round, by (kind, box): for `same as last`."""
    undone = Action.objects.filter(round=round_).exclude(undoes=None).values("undoes")
    done = Action.objects.filter(round=round_, undoes=None).exclude(ordinal__in=undone).order_by("ordinal")
    return {(kind, box): arguments for kind, box, arguments in done.values_list("kind", "box", "arguments")}


def _tiles(tables):
    """The tables of a list: open or not, who deals, how far they are."""
    sessions = Session.objects.filter(table__in=tables, status=Session.Status.OPEN)
    running = set(sessions.values_list("table_id", flat=True))
    dealing = dict(SignOn.objects.filter(table__in=tables, signed_off_at=None).values_list("table_id", "staff_id"))
    return [
        {
            "id": table.pk,
            "name": table.name,
            "pit": table.pit.name,
            "open": table.pk in running,
            "croupier": screens.croupier(dealing.get(table.pk)),
            "round": f"Round {table.last_number}" if table.last_number else "No round yet",
        }
        for table in tables
    ]
