"""The list of calls and held rounds that stands on the pit boss's pages, asked for again when something happened."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from ..words import calls


@require_GET
@never_cache
def rows(request):
    """The list's rows, a fragment; a person who was logged out meanwhile learns where to log in."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401, headers={"Location": reverse("login")})
    listed = calls.listed(request.user)
    if listed is None:
        raise Http404
    return render(request, "_call_rows.html", {"rows": listed})
