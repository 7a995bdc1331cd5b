"""Calls on pages: the pit boss's list, which is fetched again when something happened, the corner, and the alarms of
the last days."""

import functools

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from casino.roles import Right

from ..models import Alarm
from ..words import alarms, calls
from . import doors, numbers


def for_pages(request):
    """For templates: the corner of a croupier's pages, from which they call, None for people who deal nowhere; and the
    doors that somebody may open."""

    @functools.cache
    def of_user():
        user = getattr(request, "user", None)
        return calls.corner(user) if user and user.is_authenticated else None

    def doors_of_user():
        user = getattr(request, "user", None)
        return doors.of(user) if user and user.is_authenticated else []

    return {"corner": of_user, "doors": doors_of_user}


@require_GET
@never_cache
def corner(request):
    """The corner by itself, a fragment: who was called, when, and who came."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401, headers={"Location": reverse("login")})
    if calls.corner(request.user) is None:
        raise Http404
    return render(request, "_corner.html")


@require_GET
@never_cache
def rows(request):
    """The list's rows, a fragment; a person who was logged out meanwhile learns where to log in."""
    if not request.user.is_authenticated:
        return HttpResponse(status=401, headers={"Location": reverse("login")})
    listed = calls.listed(request.user)
    if listed is None:
        raise Http404
    # On the page of cases, these show their alarms themselves; the alarms still sound.
    cases = {numbers.of(each) for each in request.GET.get("cases", "").split(",")}
    return render(request, "_call_rows.html", {"rows": listed, "cases_here": cases})


@require_GET
@never_cache
@login_required
def of_last_days(request):
    """The calls and alarms of the last days, who took them and how long they stood; `kind` and `table` narrow them."""
    if not request.user.has_perm(Right.READ_FLOOR):
        raise Http404("You read no floor.")
    kind, table = (request.GET.get(name, "") for name in ("kind", "table"))
    shown = alarms.page(request.user, kind if kind in Alarm.Kind.values else "", numbers.of(table, None))
    answer = render(request, "alarms/page.html", {"page": shown, "calls": calls.listed(request.user)})
    history.look_at_records(what="alarm", by=request.user)
    return answer
