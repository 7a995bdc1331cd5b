"""The pages of cases: the list of what has to be cleared up, and one case, which its owner decides with a second."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Right

from ..models import Case
from ..words import calls, cases


@require_GET
@never_cache
@login_required
def all_of_them(request):
    """The cases within reach."""
    if not request.user.has_perm(Right.READ_CASE):
        raise Http404("You read no cases.")
    return _page(request, None)


@require_GET
@never_cache
@login_required
def page(request, case_id):
    """A case, with what may be done about it; that of a dispute is the dispute's page."""
    case = cases.within_reach(request.user).filter(pk=case_id).first()
    if case is None:
        raise Http404("There is no such case, or it is of a table out of your reach.")
    if case.kind == Case.Kind.DISPUTE:
        return redirect("dispute", case.subject_id)
    return _page(request, cases.shown(case, request.user))


def _page(request, case):
    context = {"case": case, "listed": cases.listed(request.user), "calls": calls.listed(request.user)}
    return render(request, "cases/page.html", context)
