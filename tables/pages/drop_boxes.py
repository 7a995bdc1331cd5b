"""The pages of drop boxes: what is mounted and what waits to be counted, a single one with its steps, and its count.

The count is blind: until both have counted, no page shows what the first one counted, or what the table recorded.
"""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from casino.roles import Right

from ..people import access
from ..words import calls, drop_boxes


@require_GET
@never_cache
@login_required
def all_of_them(request):
    """The drop boxes within reach, and where one can be mounted."""
    if not request.user.has_perm(Right.READ_DROP_BOXES):
        raise Http404("You read no drop boxes.")
    return _page(request, {})


@require_GET
@never_cache
@login_required
def new(request, table_id):
    """The form that mounts a drop box at a table."""
    table = access.table_or_404(request.user, Right.MOUNT_DROP_BOX, table_id)
    return _page(request, {"form": {"table": {"id": table.pk, "name": table.name}}})


@require_GET
@never_cache
@login_required
def page(request, drop_box_id):
    """A drop box with its steps, and the form of the next one."""
    drop_box = drop_boxes.within_reach(request.user, drop_box_id)
    if drop_box is None:
        raise Http404("There is no such drop box, or it is at a table out of your reach.")
    return _page(request, {"drop_box": drop_boxes.shown(drop_box, request.user)})


@require_GET
@never_cache
@login_required
def count(request, drop_box_id):
    """The count of a drop box, for whoever may count it; both counts, once both are in."""
    drop_box = drop_boxes.within_reach(request.user, drop_box_id)
    if drop_box is None or not request.user.has_perm(Right.COUNT_DROP, drop_box.table):
        raise Http404("There is no such drop box, or you do not count it.")
    shown = drop_boxes.count(drop_box, request.user, again=request.GET.get("again") == "1")
    if shown is None:
        return redirect("drop_box", drop_box.pk)
    context = {"page": shown, "here": "drop-boxes", "calls": calls.listed(request.user)}
    return render(request, "session/count.html", context)


@require_GET
@never_cache
@login_required
def large_cash(request):
    """The boxes whose cash in a gaming day has to be reported, or soon has: table, box and time, and nobody's name."""
    if not request.user.has_perm(Right.READ_SESSION):
        raise Http404("You read no sessions.")
    page = {"page": drop_boxes.large_cash(request.user), "calls": calls.listed(request.user)}
    answer = render(request, "drop_boxes/large_cash.html", page)
    history.look_at_records(what="buy_in", by=request.user)
    return answer


@require_GET
@never_cache
@login_required
def buy_in(request, table_id):
    """The form with which the croupier sells chips for cash."""
    table = access.table_or_404(request.user, Right.BUY_IN, table_id)
    page = {"page": drop_boxes.buy_in(table), "calls": calls.listed(request.user)}
    return render(request, "drop_boxes/buy_in.html", page)


def _page(request, what):
    context = what | {
        "groups": drop_boxes.listed(request.user),
        "tables": drop_boxes.mounted_at(request.user),
        "reads_large_cash": request.user.has_perm(Right.READ_SESSION),
        "calls": calls.listed(request.user),
    }
    return render(request, "drop_boxes/page.html", context)
