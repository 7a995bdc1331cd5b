"""The pages of the auditor's desk: how the log stands with what came since the last visit, and the visits before."""

import functools

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from casino.roles import Right

from ..desk import screen


def _desk(view):
    """Make a page of the desk: it is for auditors, and each look is an entry."""

    @require_GET
    @never_cache
    @login_required
    @functools.wraps(view)
    def answer(request):
        if not request.user.has_perm(Right.READ_DESK):
            raise Http404("You have no auditor's desk.")
        shown = view(request)
        history.look_at_records(what="desk", by=request.user)
        return shown

    return answer


@_desk
def page(request):
    """The desk; `?own=SIZE:ROOT` compares with what the auditor's own witness has."""
    return render(request, "desk/page.html", {"page": screen.shown(request.user, request.GET.get("own", ""))})


@_desk
def visits(request):
    """The visits of this auditor, each with what they looked at until then."""
    return render(request, "desk/visits.html", {"page": screen.earlier(request.user)})
