"""The page of a table's people and devices: who deals, which browsers are its terminals, who is locked out."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from audit.log import Actor
from casino.errors import Refused
from casino.models import Staff, named
from casino.roles import Right, Role

from ..models import Posting, Relief, SignOn
from ..people import access, lockout, reliefs, staff, terminals
from . import numbers

# Browsers keep no cookie for longer.
COOKIE_SECONDS = 400 * 86400


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def page(request, table_id):
    """GET shows who deals and what this browser is; POST does one thing: signs a croupier on or off, enrols this
    browser as `name`, revokes a terminal, or unlocks a person."""
    table = access.table_or_404(request.user, Right.ENROL, table_id)
    refusal = token = None
    if request.method == "POST":
        try:
            with transaction.atomic():
                access.still(request.user, Right.ENROL, table_id)
                token = _done(request, table)
        except Refused as refused:
            refusal = refused
        else:
            response = redirect("enrol", table_id)
            if token:
                response.set_cookie(
                    settings.TERMINAL_COOKIE_NAME,
                    token,
                    max_age=COOKIE_SECONDS,
                    secure=settings.HTTPS,
                    httponly=True,
                    samesite="Strict",
                )
            return response
    return render(request, "enrol.html", _context(request, table, refusal), status=refusal.status if refusal else 200)


def _done(request, table):
    """Do what was asked; return the token of a new terminal, if it was that."""
    form = request.POST
    if "sign_on" in form or "sign_off" in form:
        _sign(request, table)
        return None
    if "revoke" in form:
        terminal = table.terminals.filter(pk=numbers.of(form["revoke"])).first()
        if terminal is None:
            raise Http404
        terminals.revoke(terminal_id=terminal.pk, actor=Actor(request.user))
        return None
    if "unlock" in form:
        person = Staff.objects.filter(pk=numbers.of(form["unlock"])).first()
        if person is None or not request.user.has_perm(Right.UNLOCK):
            raise Http404
        staff.unlock(staff=person, actor=Actor(request.user))
        return None
    _, token = terminals.enrol(table_id=table.pk, name=form.get("name", "").strip(), actor=Actor(request.user))
    return token


def _sign(request, table):
    """Sign on or off; only the person whom the page showed is relieved, so a relief in between is not undone."""
    form = request.POST
    actor = Actor(request.user, terminal=access.terminal_of(request))
    if "sign_off" in form:
        staff.sign_off(table=table, actor=actor)
        return
    person = Staff.objects.filter(pk=numbers.of(form["sign_on"])).first()
    if person is None:
        raise reliefs.not_a_croupier_here(table)
    staff.sign_on(staff=person, table=table, actor=actor, relieve=numbers.of(form.get("relieve", "")))


def _free(table):
    """The croupiers of the table's pit who are at no table, first the one who is asked to come here."""
    posted = Posting.objects.filter(Q(pit=None) | Q(pit=table.pit_id), role=Role.CROUPIER, ended_at=None)
    croupiers = Staff.objects.filter(is_active=True, pk__in=posted.values("staff"))
    croupiers = croupiers.exclude(pk__in=SignOn.objects.filter(signed_off_at=None).values("staff"))
    asked = Relief.objects.standing().filter(table=table).values_list("staff", flat=True).first()
    return [
        {"id": person.pk, "name": person.name, "asked": person.pk == asked}
        for person in sorted(croupiers, key=lambda person: (person.pk != asked, person.name))
    ]


def _locked():
    """Who is locked out, and where."""
    where_by_person = [(int(lock.staff.partition(":")[2]), lock.terminal) for lock in lockout.locked()]
    names = dict(Staff.objects.filter(pk__in=[number for number, _ in where_by_person]).values_list("pk", "name"))
    return [{"id": number, "who": named(number, names[number]), "where": where} for number, where in where_by_person]


def _context(request, table, refusal):
    here = access.terminal_of(request)
    boss = access.posted(request.user, Role.PIT_BOSS, table)
    dealing = SignOn.objects.filter(signed_off_at=None, table=table).select_related("staff").first()
    return {
        "table": {"id": table.pk, "name": table.name},
        "boss": boss,
        "dealing": dealing and {"id": dealing.staff_id, "name": dealing.staff.name},
        "croupiers": _free(table) if boss else [],
        "wrong": refusal and f"{refusal.message} {refusal.way_out}",
        "name": request.POST.get("name", ""),
        "this": here and {"name": here.name, "table": here.table.name},
        "terminals": [
            {"id": terminal.pk, "name": terminal.name, "revoked": terminal.revoked_at is not None}
            for terminal in table.terminals.order_by("name")
        ],
        "locked": _locked() if request.user.has_perm(Right.UNLOCK) else [],
    }
