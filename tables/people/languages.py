"""The language of a page: the person's own choice, else that of the browser, which is the terminal's.

Only what a croupier or a player meets is translated: the pages of the table (`PAGES`) for everybody, and those that a
pit boss works with, too (`SHARED`), for people who are only croupiers. The console and its reports are in English,
whoever reads them, and so is what is printed, as a slip. An answer of REST is in the language that is asked for with
`Accept-Language`: our scripts ask for that of their page, so that a refusal fits it; a request that names none gets
English.
"""

from django.conf import settings
from django.utils import translation

from casino.roles import Role

from . import footing

PAGES = {
    "account",
    "asked",
    "buy-in",
    "felt",
    "first",
    "home",
    "keys",
    "late-felt",
    "late-paper",
    "login",
    "rules",
    "second-step",
    "terminal",
    "tip",
}
"""By the names of their addresses."""
SHARED = {
    "drop-boxes",
    "drop_box",
    "paper-newest",
    "paper-round",
    "round",
    "round-preview",
    "session-count",
    "slip",
    "slips",
}
"""On these a pit boss has more to do, of which there is English only: one page is in one language."""
FRAGMENTS = {"corner"}
"""What a script puts into a page that it stands on: in the language of that page, which the script asks for."""
OF_GUESTS = "rules"
"""The one that is read without a login: its address may say the language, else the browser does."""
KNOWN = dict(settings.LANGUAGES)


class Language:
    """Middleware: a page is in the language of whoever reads it from its view on, an answer of REST from the start."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        if request.path.startswith("/api/"):
            # What is refused before there is a view, too: a session needs a database that answers.
            translation.activate(_asked(request))
        try:
            return self.get_response(request)
        finally:
            translation.activate(settings.LANGUAGE_CODE)

    def process_view(self, request, view, args, kwargs):
        translation.activate(_language(request))


def refuse(request):
    """Say in the language of a croupier, and of whoever isn't logged in, that there is nothing here or not for them,
    whatever the address."""
    if not request.user.is_authenticated or is_croupier(request.user):
        translation.activate(_chosen(request) or settings.LANGUAGE_CODE)


def for_pages(request):
    """For templates: the languages to choose from, each called what its speakers call it, whatever the page's own."""
    return {"languages": settings.LANGUAGES}


def _language(request):
    page = request.resolver_match.view_name
    if request.path.startswith("/api/") or page in FRAGMENTS:
        return _asked(request)
    if page not in PAGES and not (page in SHARED and is_croupier(request.user)):
        return settings.LANGUAGE_CODE
    if page != OF_GUESTS:
        return _chosen(request) or settings.LANGUAGE_CODE
    named = request.GET.get("language")
    return named if named in KNOWN else _chosen(request) or _asked(request)


def is_croupier(user):
    """Whether somebody is posted only as a croupier."""
    return user.is_authenticated and {role for role, _ in footing.of(user).postings} == {Role.CROUPIER}


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
    """The person's choice, else this browser's, else None."""
    choices = (getattr(request.user, "language", ""), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME))
    return next((code for code in choices if code in KNOWN), None)


def choose(request, response, code):
    """Keep a choice: as the person's own if somebody is logged in, else as this browser's."""
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
