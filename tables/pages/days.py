"""The pages of gaming days: the form of one, to be printed, with what keeps it open; and one of its tables."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history

from ..models import Table
from ..words import calls, days


@require_GET
@never_cache
@login_required
def newest(request):
    """The first day that waits for its signatures, or else the newest."""
    known = _known(request)
    day = known.running().order_by("date").first() or known.order_by("date").last()
    if day is None:
        return render(request, "days/none.html", {"calls": calls.listed(request.user)})
    return redirect("day", day.pk)


@require_GET
@never_cache
@login_required
def page(request, day_id):
    """The form of a day."""
    day = get_object_or_404(_known(request), pk=day_id)
    shown = {"page": days.shown(day, request.user), "calls": calls.listed(request.user)}
    answer = render(request, "days/page.html", shown)
    history.look_at_records(what=day.ref, by=request.user)
    return answer


@require_GET
@never_cache
@login_required
def table(request, day_id, table_id):
    """A table's figures of a day, with what each is made of."""
    day = get_object_or_404(_known(request), pk=day_id)
    of_table = days.of_table(day, get_object_or_404(Table.objects.select_related("pit"), pk=table_id), request.user)
    if of_table is None:
        raise Http404("The table had no session on that day.")
    answer = render(request, "days/table.html", {"page": of_table, "calls": calls.listed(request.user)})
    history.look_at_records(what=day.ref, by=request.user)
    return answer


def _known(request):
    known = days.within_reach(request.user)
    if known is None:
        raise Http404("You read no gaming days.")
    return known
