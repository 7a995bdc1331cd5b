"""The pages of slips: those asked for or on their way between cage and tables, each step of a slip, and its paper."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Right

from ..people import access
from ..words import calls, slips


@require_GET
@never_cache
@login_required
def all_of_them(request):
    """The slips within reach, and where chips can be asked for."""
    if not request.user.has_perm(Right.READ_SLIPS):
        raise Http404("You read no slips.")
    return _page(request, {})


@require_GET
@never_cache
@login_required
def new(request, table_id):
    """The form that asks for chips at a table."""
    table = access.table_or_404(request.user, Right.REQUEST_SLIP, table_id)
    return _page(request, {"form": slips.blank(table, request.user)})


@require_GET
@never_cache
@login_required
def page(request, slip_id):
    """A slip with its steps, and the form of the next one."""
    return _page(request, {"slip": slips.shown(_slip_or_404(request, slip_id), request.user)})


@require_GET
@never_cache
@login_required
def paper(request, slip_id):
    """A slip on A5, after its print is counted; the paper has the number of the newest print."""
    slip = _slip_or_404(request, slip_id)
    if not slip.prints:
        return redirect("slip", slip.pk)
    shown = slips.shown(slip, request.user)
    at = slips.Till(request.user).clock(timezone.now())
    return render(request, "slips/paper.html", {"slip": shown, "at": at})


def _slip_or_404(request, slip_id):
    slip = slips.within_reach(request.user, slip_id)
    if slip is None:
        raise Http404("There is no such slip, or it is at a table out of your reach.")
    return slip


def _page(request, what):
    context = what | {
        "listed": slips.listed(request.user),
        "tables": slips.asked_at(request.user),
        "calls": calls.listed(request.user),
    }
    return render(request, "slips/page.html", context)
