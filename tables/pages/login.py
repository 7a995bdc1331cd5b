"""The login page, which refuses in its own words whoever comes while too many others log in, and the page on which a
person sets their password with a one-time code."""

from django.contrib.auth import views
from django.db import transaction
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from audit.log import Actor
from casino import passwords
from casino.errors import Refused

from ..people import access, lockout, signatures, staff


class Login(views.LoginView):
    template_name = "login.html"

    def post(self, request, *args, **kwargs):
        try:
            return super().post(request, *args, **kwargs)
        except Refused as refused:
            return lockout.page(request, refused)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_post_parameters()
def first(request):
    """POST gives the person whose one-time code it is the password that they chose; they log in with it then."""
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
        raise Refused(
            "password_unlike", "The two are not the same.", status=422, path="again", way_out="Enter the new one twice."
        )
    code = request.POST.get("code", "")
    person = signatures.by_code(request, request.POST.get("login", ""), code)
    with transaction.atomic():
        actor = Actor(person, terminal=access.terminal_of(request))
        staff.choose_password(staff=person, code=code, password=new, actor=actor)
