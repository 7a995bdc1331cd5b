"""The pages of tips: the days that wait to be counted, a single one, its count, and the croupier's form at a table.

The count is blind: until both have counted, no page shows what the first one counted, or what the tables entered.
"""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from casino.roles import Right

from ..people import access
from ..verbs.tips import date_of
from ..words import calls, tips


@require_GET
@never_cache
@login_required
def all_of_them(request):
    """The days with uncounted tips, and the last counted ones."""
    _reads(request.user)
    return _page(request, {})


@require_GET
@never_cache
@login_required
def of_day(request, tips_id):
    """The tips of a gaming day, and the link to their count."""
    _reads(request.user)
    date = date_of(tips_id)
    shown = date and tips.shown(date, request.user)
    if not shown:
        raise Http404("There are no tips of that day.")
    answer = _page(request, {"tips": shown})
    history.look_at_records(what=shown["ref"], by=request.user)
    return answer


@require_GET
@never_cache
@login_required
def count(request, tips_id):
    """The count of a day's tips, for whoever may count them; both counts, once both are in."""
    if not request.user.has_perm(Right.COUNT_TIPS):
        raise Http404("You do not count tips.")
    date = date_of(tips_id)
    if date is None:
        raise Http404("There is no such day.")
    shown = tips.count(date, request.user, again=request.GET.get("again") == "1")
    if shown is None:
        return redirect("tips-of-day", tips_id) if tips.shown(date, request.user) else redirect("tips")
    context = {"page": shown, "here": "tips", "calls": calls.listed(request.user)}
    return render(request, "session/count.html", context)


@require_GET
@never_cache
@login_required
def tip(request, table_id):
    """The form with which the croupier enters a tip."""
    table = access.table_or_404(request.user, Right.TAKE_TIP, table_id)
    return render(request, "tips/tip.html", {"page": tips.tip(table), "calls": calls.listed(request.user)})


def _reads(staff):
    if not staff.has_perm(Right.READ_TIPS):
        raise Http404("You read no tips.")


def _page(request, what):
    context = what | {"groups": tips.listed(request.user), "calls": calls.listed(request.user)}
    return render(request, "tips/page.html", context)
