"""Calls on pages: the list that stands on the pit boss's, asked for again when something happened, and the corner."""

import functools

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from ..words import calls
from . import doors


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
    return render(request, "_call_rows.html", {"rows": listed})
