"""The people of the pits: who deals, who is free, whose break is due, and reliefs; and what a croupier is asked for."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Right

from ..people import access
from ..words import people


@require_GET
@never_cache
@login_required
def page(request):
    """The croupiers of the pits within reach, live."""
    shown = people.shown(request.user)
    if shown is None:
        raise Http404("You read no floor.")
    return render(request, "people/page.html", {"page": shown})


@require_GET
@never_cache
def now(request):
    """What that page shows now, a fragment; a person who was logged out meanwhile learns where to log in."""
    return _fragment(request, None)


@require_GET
@never_cache
def at_table(request, table_id):
    """The people of one table."""
    return _fragment(request, table_id)


def _fragment(request, table_id):
    if not request.user.is_authenticated:
        return HttpResponse(status=401, headers={"Location": reverse("login")})
    table = table_id and access.table_or_404(request.user, Right.READ_FLOOR, table_id)
    shown = people.shown(request.user, table)
    if shown is None:
        raise Http404
    return render(request, "people/_now.html", {"page": shown, "alone": bool(table)})


@require_GET
@never_cache
def asked(request):
    """Where the person is asked to relieve somebody, a fragment."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401, headers={"Location": reverse("login")})
    return render(request, "people/_asked.html", {"asked": people.asked_of(request.user)})
