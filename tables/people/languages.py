"""In which language a page speaks: the person's own choice, else that of the browser, which is the terminal's.

Only what a croupier or a player meets is translated (`PAGES`); the console and its reports are in English, whoever
reads them. An answer of REST is in the language that is asked for with `Accept-Language`: our scripts ask for that of
their page, so that a refusal fits it; who names none gets English.
"""

from django.conf import settings
from django.utils import translation

PAGES = {
    "account",
    "asked",
    "felt",
    "first",
    "home",
    "late-felt",
    "late-paper",
    "login",
    "rules",
    "second-step",
    "terminal",
}
"""By the names of their addresses."""
OF_GUESTS = "rules"
"""The one that is read without a login: its address may say the language, else the browser does."""
KNOWN = dict(settings.LANGUAGES)


class Language:
    """Middleware: from the view on, everything is said in the language of whoever reads it."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        try:
            return self.get_response(request)
        finally:
            translation.activate(settings.LANGUAGE_CODE)

    def process_view(self, request, view, args, kwargs):
        translation.activate(_language(request))


def _language(request):
    if request.path.startswith("/api/"):
        return _asked(request)
    page = request.resolver_match.view_name
    if page not in PAGES:
        return settings.LANGUAGE_CODE
    if page != OF_GUESTS:
        return _chosen(request) or settings.LANGUAGE_CODE
    named = request.GET.get("language")
    return named if named in KNOWN else _chosen(request) or _asked(request)


def _asked(request):
    """The first known language of `Accept-Language`."""
    for part in request.headers.get("Accept-Language", "").split(","):
        code = part.partition(";")[0].strip().lower()
        known = code if code in KNOWN else code.partition("-")[0]
        if known in KNOWN:
            return known
        if known == "en":
            break
    return settings.LANGUAGE_CODE


def _chosen(request):
    """What the person has chosen, else what was chosen at this browser, else None."""
    choices = (getattr(request.user, "language", ""), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME))
    return next((code for code in choices if code in KNOWN), None)


def choose(request, response, code):
    """Keep a choice: the person's own where somebody is logged in, else this browser's."""
    if request.user.is_authenticated:
        request.user.language = code
        request.user.save(update_fields=["language"])
    else:
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            code,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,
            secure=settings.LANGUAGE_COOKIE_SECURE,
        )
    return response
