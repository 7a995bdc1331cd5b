"""The page with which two people enter a round that was played on paper during an outage."""

from django.contrib.auth.decorators import login_required
from django.db.models import BigIntegerField
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Right

from ..models import Round
from ..people import access
from ..words import calls, papers

MOST = BigIntegerField.MAX_BIGINT


@require_GET
@never_cache
@login_required
def new(request, table_id):
    """The form of a round from paper, and those of the session before it."""
    table = access.table_or_404(request.user, Right.REPORT, table_id)
    page = {"page": papers.form(table, request.user), "calls": calls.listed(request.user)}
    return render(request, "round/paper.html", page)


@require_GET
@never_cache
@login_required
def newest(request, table_id):
    """Redirect to the terminal where the table's newest round from paper goes on: its own, if the session is closed."""
    # First, so that a table out of reach takes as many queries as one that does not exist.
    papers_there = Round.objects.filter(table=min(table_id, MOST)).exclude(paper=None).select_related("session")
    round_ = papers_there.order_by("number").last()
    table = access.table_or_404(request.user, Right.REPORT, table_id)
    if round_ is None:
        raise Http404
    return redirect("late-paper", round_.session_id) if round_.entered_late else redirect("terminal", table.pk)
