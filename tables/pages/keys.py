"""A person's keys: the passkeys and authenticator apps with which they prove the second step of a login.

Two kinds of people come here: those who are logged in, and those who gave their password, must have a second step and
have none.
"""

from zoneinfo import ZoneInfo

import segno
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from audit.log import Actor
from casino.errors import Refused
from casino.models import Casino

from ..models import Credential
from ..people import access, credentials, passkeys, second_steps
from ..words import dates
from ..words.wording import WORDING

DONE = {
    "passkey": "key:passkey",
    "app": "key:app",
    "remove": "key:remove",
    "recovery": "key:recovery",
}
_SALT = "tables.keys.app"


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
def page(request):
    """GET shows what the person has; POST adds or removes one, or makes new recovery codes, as `act` says."""
    waiting = None if request.user.is_authenticated else second_steps.waiting(request)
    if waiting and credentials.of(waiting.person).exists():
        return redirect("second-step")
    if not (request.user.is_authenticated or waiting):
        return redirect(f"{reverse('login')}?next={request.path}")
    person = waiting.person if waiting else request.user
    refusal, codes = None, []
    if request.method == "POST":
        try:
            codes = _done(request, person, waiting)
        except Refused as refused:
            refusal = refused
        else:
            if waiting:
                second_steps.complete(request, person, passed=True)
            if not codes:
                return redirect(f"{request.path}?done={request.POST['act']}")
    context = _context(request, person, refusal) | {"codes": codes, "to": waiting and waiting.to, "waits": waiting}
    return render(request, "keys.html", context, status=refusal.status if refusal else 200)


@sensitive_variables()
def _done(request, person, waiting):
    """:returns: recovery codes, if the act gives some."""
    act, challenge = request.POST.get("act"), second_steps.taken_challenge(request)
    if act not in {"passkey", "app", "remove", "codes"}:
        raise Http404("There is no such act.")
    if not waiting and not second_steps.is_fresh(request):
        raise WORDING.refused("login_again")
    actor = Actor(person, terminal=access.terminal_of(request))
    name = request.POST.get("name", "")
    with transaction.atomic():
        if act == "app":
            new = {"name": name, "secret": _secret(request, person), "code": request.POST.get("code", "")}
            return credentials.add_app(staff=person, first=bool(waiting), actor=actor, **new)[1]
        if act == "passkey":
            site = passkeys.site(request)
            key = site and challenge and passkeys.made(site, challenge, request.POST.get("passkey", ""))
            new = {"name": name, "key": key or None, "site": site}
            return credentials.add_passkey(staff=person, first=bool(waiting), actor=actor, **new)[1]
        if act == "codes":
            return credentials.renew_codes(staff=person, actor=actor)
        number = request.POST.get("number", "")
        number = int(number) if number.isascii() and number.isdigit() and len(number) < 19 else 0
        credentials.remove(staff=person, number=number, actor=actor)
        return []


@sensitive_variables()
def _secret(request, person):
    """The secret that the page showed, which comes back signed."""
    try:
        kept = signing.loads(request.POST.get("kept", ""), salt=_SALT, max_age=second_steps.WAITS_SECONDS)
    except signing.BadSignature:
        kept = {}
    if kept.get("staff") != person.pk:
        raise WORDING.refused("secret_over")
    return kept["secret"]


def _context(request, person, refusal):
    standing = list(credentials.of(person))
    fresh = not request.user.is_authenticated or second_steps.is_fresh(request)
    act = request.POST.get("act", "") if refusal else ""
    done = request.GET.get("done")
    return {
        "person": {"number": person.pk, "name": person.name, "login": person.login},
        "keys": _rows(standing),
        "must": credentials.has_to(person),
        "no_second_step": not settings.SECOND_STEP,
        "fresh": fresh,
        "left": credentials.codes_left(person),
        "passkey": _offer(request, person, standing) if fresh else None,
        "app": _app(request, person, act) if fresh else None,
        "act": act,
        "name": request.POST.get("name", "") if refusal else "",
        "done": WORDING(DONE[done]) if done in DONE and not refusal else "",
        "wrong": refusal and f"{refusal.message} {refusal.way_out}".strip(),
        "path": refusal and refusal.path,
    }


def _rows(standing):
    zone = ZoneInfo(Casino.objects.get().time_zone)

    def moment(at):
        local = at.astimezone(zone)
        return f"{dates.day(local)}, {local:%H:%M}"

    return [
        {
            "id": each.pk,
            "name": each.name,
            "kind": _kind(each),
            "added": moment(each.added_at),
            "used": each.used_at and moment(each.used_at),
        }
        for each in standing
    ]


def _kind(key):
    if key.kind == Credential.Kind.APP:
        return WORDING("kind.app")
    return WORDING("kind.passkey:host", host=key.host)


def _offer(request, person, standing):
    """What a browser needs to make a passkey, as JSON; None if browsers offer none here."""
    site = passkeys.site(request)
    if site is None:
        return None
    keys = [each for each in standing if each.kind == Credential.Kind.PASSKEY]
    options, challenge = passkeys.offer(site, person, keys)
    second_steps.challenge(request, challenge)
    return options


@sensitive_variables()
def _app(request, person, act):
    """A new secret for an app, as a QR code and in words; after a wrong code, the one already shown."""
    secret = None
    if act == "app":
        try:
            secret = _secret(request, person)
        except Refused:
            secret = None
    secret = secret or credentials.new_secret()
    drawn = segno.make_qr(credentials.address_of(secret, person), error="m")
    return {
        "kept": signing.dumps({"staff": person.pk, "secret": secret}, salt=_SALT),
        "qr": drawn.svg_inline(border=0, omitsize=True, svgclass=None, lineclass=None),
        "secret": " ".join(secret[start : start + 4] for start in range(0, len(secret), 4)),
    }
