"""The pages of the terminals: all within reach, with who is locked out; and one, which is renamed and revoked there."""

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from audit import history
from audit.log import Actor
from casino.errors import Refused
from casino.models import Staff
from casino.roles import Right

from ..models import Terminal
from ..people import access, staff, terminals
from ..words import terminals as words
from . import numbers
from .wording import WORDING

DONE = {"rename": "terminal:rename", "revoke": "terminal:revoke", "unlock": "unlocked"}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def all_of_them(request):
    """Every terminal within reach; POST lifts a person's lock-out."""
    within = access.tables(request.user, Right.READ_TERMINALS)
    if not within.exists():
        raise Http404("You read no terminals.")
    unlocks, refusal = request.user.has_perm(Right.UNLOCK), None
    if request.method == "POST":
        person = Staff.objects.filter(pk=numbers.of(request.POST.get("unlock", ""))).first()
        if person is None or not unlocks:
            raise Http404("There is no such person to unlock.")
        try:
            with transaction.atomic():
                staff.unlock(staff=person, actor=Actor(request.user, terminal=access.terminal_of(request)))
        except Refused as refused:
            refusal = refused
        else:
            return redirect(f"{request.path}?done=unlock")
    history.look_at_records(what="terminal", by=request.user)
    context = {
        "page": words.listed(Terminal.objects.filter(table__in=within)),
        "locks": words.locks() if unlocks else [],
        **_words(request, refusal),
    }
    return render(request, "terminals/page.html", context, status=refusal.status if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def page(request, terminal_id):
    """One terminal; POST renames it to `name`, or revokes it, as `act` says."""
    within = access.tables(request.user, Right.READ_TERMINALS)
    terminal = Terminal.objects.filter(pk=terminal_id, table__in=within).select_related("table__pit").first()
    if terminal is None:
        raise Http404("There is no such terminal, or it is out of your reach.")
    runs, refusal = request.user.has_perm(Right.ENROL, terminal.table), None
    if request.method == "POST":
        if request.POST.get("act") not in {"rename", "revoke"} or not runs:
            raise Http404("There is no such act.")
        try:
            _done(request, terminal)
        except Refused as refused:
            refusal = refused
        else:
            return redirect(f"{request.path}?done={request.POST['act']}")
    history.look_at_records(what=terminal.ref, by=request.user)
    context = {"terminal": words.shown(terminal), "runs": runs, **_words(request, refusal)}
    return render(request, "terminals/terminal.html", context, status=refusal.status if refusal else 200)


def _done(request, terminal):
    actor = Actor(request.user, terminal=access.terminal_of(request))
    with transaction.atomic():
        access.still(request.user, Right.ENROL, terminal.table_id)
        if request.POST["act"] == "revoke":
            terminals.revoke(terminal_id=terminal.pk, actor=actor)
        else:
            terminals.rename(terminal_id=terminal.pk, name=request.POST.get("name", "").strip(), actor=actor)


def _words(request, refusal):
    done = request.GET.get("done")
    return {
        "wrong": refusal and refusal.message,
        "way_out": refusal and refusal.way_out,
        "typed": request.POST.get("name", "") if refusal else "",
        "act": request.POST.get("act", "") if refusal else "",
        "done": WORDING(DONE[done]) if done in DONE and not refusal else "",
    }
