"""The pages of the people who work here: all of them, one person with what two others may do about them, and the review
of who may do what."""

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_GET, require_http_methods

from audit import history
from audit.log import Actor
from casino import strict_json
from casino.errors import Refused
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import Posting
from ..people import access, codes, signatures
from ..people import staff as people
from ..verbs import employment
from ..words import staff as words
from . import numbers
from .wording import WORDING

# The fields of a form that are signed and so stand in the log; other fields are not part of the command.
OF_NEWCOMER = ("login", "name", "role", "pit")
OF_ACT = ("act", "role", "pit", "posting", "cases_to")
DONE = {
    "post": "staff:post",
    "end": "staff:end",
    "leave": "staff:leave",
    "unlock": "unlocked",
}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
@login_required
def page(request):
    """Everybody; POST adds a person, and shows their one-time code this once."""
    _may_read(request)
    refusal = None
    if request.method == "POST":
        try:
            joined, code = _joined(request)
        except Refused as refused:
            refusal = refused
        else:
            return _person(request, joined, code=code)
    history.look_at_records(what="staff", by=request.user)
    context = {"page": words.listed(), **_context(request, refusal), "typed": request.POST if refusal else {}}
    return render(request, "staff/page.html", context, status=refusal.status if refusal else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
@login_required
def person(request, staff_id):
    """One person; POST does what `act` says, and shows a one-time code this once."""
    _may_read(request)
    whom = Staff.objects.filter(pk=staff_id).first()
    if whom is None:
        raise Http404("There is no such person.")
    refusal = None
    if request.method == "POST":
        try:
            code = _done(request, whom)
        except Refused as refused:
            refusal = refused
        else:
            if code is None:
                return redirect(f"{request.path}?done={request.POST['act']}")
            return _person(request, Staff.objects.get(pk=whom.pk), code=code)
    return _person(request, whom, refusal=refusal)


@require_GET
@never_cache
@login_required
def review(request):
    """Who may do what since when, and when they last logged in."""
    _may_read(request)
    history.look_at_records(what="staff", by=request.user)
    return render(request, "staff/review.html", {"roles": words.reviewed()})


def _may_read(request):
    if not request.user.has_perm(Right.READ_STAFF):
        raise Http404("You read no list of the people who work here.")


def _person(request, whom, *, code="", refusal=None):
    history.look_at_records(what=whom.ref, by=request.user)
    done = request.GET.get("done")
    context = {
        "person": words.shown(whom),
        "code": code,
        "hours": codes.HOURS,
        "done": WORDING(DONE[done]) if done in DONE and not (refusal or code) else "",
        "unlocks": request.user.has_perm(Right.UNLOCK),
        **_context(request, refusal),
    }
    context["runs"] = context["runs"] and whom.pk != request.user.pk
    return render(request, "staff/person.html", context, status=refusal.status if refusal else 200)


def _context(request, refusal):
    return {
        "runs": request.user.has_perm(Right.RUN_STAFF),
        "wrong": refusal and refusal.message,
        "way_out": refusal and refusal.way_out,
        "act": request.POST.get("act", "") if refusal else "",
        **words.choices(),
    }


@sensitive_variables()
def _joined(request):
    fields = {name: request.POST.get(name, "") for name in ("login", "name", "role")}
    actor = _by_two(request, OF_NEWCOMER)
    with rest.signature(request), transaction.atomic():
        _still(request, actor)
        return employment.join(**fields, pit=_number(request, "pit"), actor=actor)


@sensitive_variables()
def _done(request, whom):
    """:returns: a one-time code, if the act gives one."""
    act = request.POST.get("act")
    if act == "unlock":
        if not request.user.has_perm(Right.UNLOCK):
            raise access.not_your_right()
        with transaction.atomic():
            people.unlock(staff=whom, actor=Actor(request.user))
        return None
    if act not in {"post", "end", "leave", "return", "code", "lost"}:
        raise Http404("There is no such act.")
    actor = _by_two(request, OF_ACT)
    with rest.signature(request), transaction.atomic():
        _still(request, actor)
        return _of_two(request, act, whom, actor)


def _of_two(request, act, whom, actor):
    if act == "post":
        role, pit = request.POST.get("role", ""), _number(request, "pit")
        employment.post(staff_id=whom.pk, role=role, pit=pit, actor=actor)
    elif act == "end":
        posting = Posting.objects.filter(pk=_number(request, "posting"), staff=whom).first()
        if posting is None:
            raise Http404("There is no such posting.")
        employment.end(posting_id=posting.pk, actor=actor)
    elif act == "leave":
        employment.leave(staff_id=whom.pk, cases_to=_number(request, "cases_to"), actor=actor)
    else:
        do = {"return": employment.come_back, "code": employment.give_code, "lost": employment.lost}[act]
        _, code = do(staff_id=whom.pk, actor=actor)
        return code
    return None


@sensitive_variables()
def _by_two(request, names):
    """The person who asks, and the second person, by their signature."""
    access.still_in_house(request.user, Right.RUN_STAFF)
    signature, key = _signature(request.POST)
    body = {name: request.POST[name] for name in names if name in request.POST}
    signer = signatures.signed(
        request, signature, table=None, right=Right.APPROVE_STAFF, keyed=False, body=body, key=key
    )
    return Actor(request.user, signer, access.terminal_of(request))


@sensitive_variables()
def _signature(fields):
    """The second person's signature, and the key under which a passkey signed."""
    login, passkey = fields.get("second_login", ""), fields.get("second_passkey")
    if not passkey:
        return {"login": login, "password": fields.get("second_password", "")}, None
    try:
        salts = strict_json.loads(fields.get("second_salts", "").encode())
    except ValueError:
        salts = {}
    return {"login": login, "passkey": passkey, "salts": salts}, fields.get("second_key")


def _still(request, actor):
    access.still_in_house(request.user, Right.RUN_STAFF)
    signatures.still_signed(actor.approved_by, Right.APPROVE_STAFF)


def _number(request, name):
    """The number in a field; None if it is empty."""
    text = request.POST.get(name, "")
    return numbers.of(text) if text else None
