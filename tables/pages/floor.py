"""The floor: the pit boss's console, a fragment of what has changed, and one table in detail."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Right

from ..people import access
from ..words import floor, people, questions


def page(request):
    """All tables within reach, for whoever reads their floor; the home page is the door."""
    asked = questions.waiting(request.user)
    return render(request, "floor/page.html", {"page": floor.shown(request.user), "asked": asked})


@require_GET
@never_cache
def now(request):
    """What stands on the floor now, a fragment; a person who was logged out meanwhile learns where to log in."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401, headers={"Location": reverse("login")})
    shown = floor.shown(request.user)
    if shown is None:
        raise Http404
    return render(request, "floor/_now.html", {"page": shown})


@require_GET
@never_cache
@login_required
def table(request, table_id):
    """One table over the shift: its states, its pace and what its rounds won, drawn and in figures."""
    at = access.table_or_404(request.user, Right.READ_FLOOR, table_id)
    shown = floor.of_table(request.user, at)
    return render(request, "floor/table.html", {"page": shown, "people": people.shown(request.user, at)})
