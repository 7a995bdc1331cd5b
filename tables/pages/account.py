"""A person's own page: where they are logged in, and their password."""

from zoneinfo import ZoneInfo

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from audit.log import Actor
from casino import passwords
from casino.errors import Refused
from casino.models import Casino, Staff
from casino.roles import Right

from ..people import access, credentials, signatures, staff, web_sessions
from ..words import dates
from ..words.wording import WORDING


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
@login_required
def page(request):
    """GET shows where the person is logged in; POST ends the session `end`, or changes the password to `new`."""
    refusal = None
    if request.method == "POST":
        try:
            done = _changed(request) if "new" in request.POST else _ended(request, request.user)
        except Refused as refused:
            refusal = refused
        else:
            return redirect(f"{request.path}?done={done}")
    return render(request, "account.html", _context(request, refusal), status=refusal.status if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def of_person(request, staff_id):
    """Where somebody else is logged in, for people who may end that; without the password."""
    # The right first: nobody else learns who works here.
    person = Staff.objects.filter(pk=staff_id).first() if request.user.has_perm(Right.LOG_OUT) else None
    if person is None:
        raise Http404
    refusal = None
    if request.method == "POST":
        try:
            done = _ended(request, person)
        except Refused as refused:
            refusal = refused
        else:
            return redirect(f"{request.path}?done={done}")
    context = {
        "person": {"id": person.pk, "name": person.name, "login": person.login},
        "sessions": _sessions(request, person),
        **_words(request, refusal),
    }
    return render(request, "logins.html", context, status=refusal.status if refusal else 200)


def _ended(request, person):
    number = request.POST.get("end", "")
    with transaction.atomic():
        number = int(number) if number.isascii() and number.isdigit() and len(number) < 19 else 0
        web_sessions.end(staff=person, number=number, actor=_actor(request))
    return "ended"


@sensitive_variables()
def _changed(request):
    new = request.POST["new"]
    if new != request.POST.get("again"):
        raise WORDING.refused("password_unlike")
    person = signatures.own(request, request.POST.get("old", ""))
    with transaction.atomic():
        person = staff.change_password(staff=person, password=new, keep=request.session.digest, actor=_actor(request))
        # Under a new key, so that the old cookie is worth nothing.
        update_session_auth_hash(request, person)
    return "changed"


def _actor(request):
    return Actor(request.user, terminal=access.terminal_of(request))


_DONE = {"ended": "account:ended", "changed": "account:changed"}


def _context(request, refusal):
    return {
        "sessions": _sessions(request, request.user),
        "back_office": request.user.is_staff,
        "keys": credentials.of(request.user).count(),
        "shortest": passwords.SHORTEST,
        "breached": number_format(passwords.BREACHED / 10**6, 1),
        "path": refusal and refusal.path,
        **_words(request, refusal),
    }


def _words(request, refusal):
    done = request.GET.get("done")
    return {
        "done": WORDING(_DONE[done]) if done in _DONE and not refusal else "",
        "wrong": refusal and f"{refusal.message} {refusal.way_out}".strip(),
    }


def _sessions(request, person):
    zone = ZoneInfo(Casino.objects.get().time_zone)

    def moment(at):
        return dates.moment(at.astimezone(zone))

    return [
        {
            "id": session.pk,
            "device": session.device,
            "here": session.digest == request.session.digest,
            "begun": moment(session.begun_at),
            "used": moment(session.last_activity_at),
        }
        for session in web_sessions.of(person)
    ]
