"""The login page, which refuses in its own words whoever comes while too many others log in, the page of the second
step behind it, and the page on which a person sets their password with a one-time code."""

from django.conf import settings
from django.contrib.auth import views
from django.db import transaction
from django.http import JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from audit.log import Actor
from casino import passwords
from casino.errors import Refused

from ..models import Credential
from ..people import access, credentials, lockout, passkeys, second_steps, signatures, staff
from ..words.wording import WORDING


class Login(views.LoginView):
    template_name = "login.html"

    def get_context_data(self, **more):
        return super().get_context_data(no_second_step=not settings.SECOND_STEP, **more)

    def form_valid(self, form):
        """After the right password, log in whoever needs no second step; for all others, remember it."""
        person, to = form.get_user(), self.get_success_url()
        has = credentials.of(person).exists()
        if not (has or credentials.has_to(person)):
            second_steps.complete(self.request, person, passed=False)
            return redirect(to)
        second_steps.begin(self.request, person, to)
        if "in_place" in self.request.POST:
            # A dimmed page asks for the second step itself.
            return JsonResponse({"has": has, "passkey": _asked(self.request, person)}, status=202)
        return redirect("second-step" if has else "keys")

    def post(self, request, *args, **kwargs):
        try:
            return super().post(request, *args, **kwargs)
        except Refused as refused:
            return lockout.page(request, refused)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
def second_step(request):
    """After the right password: POST logs the person in by the code of an app, a recovery code or a passkey."""
    waiting = second_steps.waiting(request)
    has = waiting and credentials.of(waiting.person).exists()
    if not has:
        if "in_place" in request.POST:
            # A dimmed page reads a redirect as a login.
            return JsonResponse({}, status=401)
        return redirect("keys" if waiting else "login")
    refusal = None
    if request.method == "POST":
        try:
            return redirect(_passed(request, waiting))
        except Refused as refused:
            refusal = refused
    context = {
        "wrong": refusal and f"{refusal.message} {refusal.way_out}",
        "has_app": credentials.of(waiting.person).filter(kind=Credential.Kind.APP).exists(),
        "passkey": _asked(request, waiting.person),
        "login": waiting.person.login,
    }
    response = render(request, "second_step.html", context, status=refusal.status if refusal else 200)
    if refusal and "retry_after" in refusal.detail:
        response.headers["Retry-After"] = str(refusal.detail["retry_after"])
    return response


@sensitive_variables()
def _passed(request, waiting):
    """:returns: where to go."""
    code, assertion = request.POST.get("code", ""), request.POST.get("passkey", "")
    challenge = second_steps.taken_challenge(request)
    proof = (passkeys.site(request), challenge, assertion) if assertion else code
    signatures.by_second_step(request, waiting.person, proof)
    second_steps.complete(request, waiting.person, passed=True)
    # Whoever uses a recovery code lacks a device.
    is_recovery = not assertion and not "".join(code.split()).isdigit()
    return f"{reverse('keys')}?done=recovery" if is_recovery else waiting.to


def _asked(request, person):
    """What a browser needs to prove a passkey of the person here, as JSON; None if there is none."""
    site = passkeys.site(request)
    keys = site and list(credentials.of(person).filter(kind=Credential.Kind.PASSKEY, host=site.host))
    if not keys:
        return None
    options, challenge = passkeys.ask(site, keys)
    second_steps.challenge(request, challenge)
    return options


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
def first(request):
    """POST sets the password that the owner of a one-time code chose; they then log in with it."""
    refusal = None
    if request.method == "POST":
        try:
            _set(request)
        except Refused as refused:
            refusal = refused
        else:
            return redirect(f"{reverse('login')}?first=1")
    context = {
        "login": request.POST.get("login", ""),
        "shortest": passwords.SHORTEST,
        "path": refusal and refusal.path,
        "wrong": refusal and f"{refusal.message} {refusal.way_out}".strip(),
    }
    response = render(request, "first.html", context, status=refusal.status if refusal else 200)
    if refusal and "retry_after" in refusal.detail:
        response.headers["Retry-After"] = str(refusal.detail["retry_after"])
    return response


@sensitive_variables()
def _set(request):
    new = request.POST.get("new", "")
    if new != request.POST.get("again"):
        raise WORDING.refused("password_unlike")
    code = request.POST.get("code", "")
    person = signatures.by_code(request, request.POST.get("login", ""), code)
    with transaction.atomic():
        actor = Actor(person, terminal=access.terminal_of(request))
        staff.choose_password(staff=person, code=code, password=new, actor=actor)
