"""The page of auditors' questions to the pit."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from casino.roles import Right

from ..words import questions


@require_GET
@never_cache
@login_required
def page(request):
    """The questions within reach, with what may be done; `?about=round:12` fills in the subject."""
    if not request.user.has_perm(Right.READ_QUESTIONS):
        raise Http404("You read no questions.")
    shown = questions.shown(request.user, request.GET.get("about", ""))
    history.look_at_records(what="questions", by=request.user)
    return render(request, "questions/page.html", {"page": shown})
