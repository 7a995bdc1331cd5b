"""The pages of luck: all tables and croupiers of a span, and one of them, day by day."""

import functools

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.errors import Refused
from casino.models import Staff
from casino.roles import Right

from ..people import access
from ..reports import luck
from ..reports.period import Period
from ..words import calls


def _page(view):
    """A page for whoever reads reports; `?period=2026-11` chooses the span, the form sends `?first=` and `?last=`."""

    @require_GET
    @never_cache
    @login_required
    @functools.wraps(view)
    def answer(request, *arguments, **named):
        if not request.user.has_perm(Right.READ_REPORTS):
            raise Http404("You read no reports.")
        try:
            first, last = request.GET.get("first", ""), request.GET.get("last", "")
            if first or last:
                return redirect(f"{request.path}?period={Period.of(f'{first or last}..{last or first}')}")
            return view(request, luck.span(request.GET.get("period", "")), *arguments, **named)
        except Refused as refused:
            said = {"fact": refused.message, "way_out": refused.way_out}
            return render(request, "reports/refused.html", said, status=refused.status)

    return answer


@_page
def overview(request, period):
    """All tables and croupiers with a round that was looked at in the span."""
    return render(request, "luck/all.html", {"page": luck.overview(period), "calls": calls.listed(request.user)})


@_page
def of_table(request, period, table_id):
    """One table."""
    table = access.table_or_404(request.user, Right.READ_REPORTS, table_id)
    return _shown(request, table, period)


@_page
def of_croupier(request, period, staff_id):
    """One croupier, over all that they dealt except rounds from paper."""
    croupier = Staff.objects.filter(pk=staff_id).first()
    if croupier is None:
        raise Http404("There is no such person.")
    return _shown(request, croupier, period)


def _shown(request, whose, period):
    context = {
        "page": luck.of(whose, period),
        "all": f"{reverse('luck')}?period={period}",
        "calls": calls.listed(request.user),
    }
    return render(request, "luck/page.html", context)
