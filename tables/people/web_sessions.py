"""Where people are logged in: their web sessions, ending one, and the end of those that nobody uses.

Whoever may enter the back office is logged out after SESSION_IDLE_SECONDS without activity, which means loading a page
or sending a command. What a page requests by itself is not activity: its stream, the felt, the list of exports and what
REST reads. Croupiers are not logged out this way: the sign-on says who stands at a terminal.
"""

import datetime as dt

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models.functions import Now
from django.urls import reverse

from audit import log
from casino.models import WebSession
from casino.roles import Right

from . import footing
from .wording import WORDING

# Requests that are not activity, by the names of their addresses. A stream itself checks, as long as it lasts; probes
# ask no database.
NOT_WATCHED = {"live", "healthz", "readyz"}
IN_THE_BACKGROUND = {"felt", "floor-now", "admin:export_rows"}
READS = {"GET", "HEAD", "OPTIONS"}
NOTED = dt.timedelta(seconds=10)
"""The shortest time between two notes of activity: a session may end this much too early, never too late."""


def limit(person):
    """After how many seconds without activity a person is logged out; None for a person who never is."""
    ends = person.is_authenticated and person.has_perm(Right.READ_ADMIN)
    return settings.SESSION_IDLE_SECONDS if ends else None


def _is_over(person, session):
    if session.idle < dt.timedelta(seconds=settings.SESSION_IDLE_SECONDS):
        return False
    over = limit(person) is not None
    # The view asks for rights anew, which it must do after it has read how far the table is.
    footing.remember(person)
    return over


def of(staff):
    """Where a person is logged in, the newest activity first."""
    rows = WebSession.objects.alive().filter(staff=staff).order_by("-last_activity_at", "-pk")
    return [row for row in rows if not _is_over(staff, row)]


def is_alive(session, person):
    """Whether the session of a long-running request is still alive."""
    row = WebSession.objects.alive().filter(digest=session.digest).first()
    return row is not None and not _is_over(person, row)


def _ended(row):
    """End a session read as idle; return whether it is over: a command in another tab may have come in between."""
    WebSession.objects.filter(pk=row.pk, last_activity_at=row.last_activity_at).delete()
    return not WebSession.objects.filter(pk=row.pk).exists()


def _is_activity(request):
    if request.resolver_match.view_name in IN_THE_BACKGROUND:
        return False
    return request.method not in READS or not request.path.startswith("/api/")


class Watch:
    """Middleware: before the view looks who asks, ends a session that was idle for too long, or notes activity."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        if getattr(request, "was_idle", False):
            place, _, query = response.headers.get("Location", "").partition("?")
            if place in {reverse("login"), reverse("admin:login")}:
                response.headers["Location"] = f"{reverse('login')}?{query}&idle=1"
        return response

    def process_view(self, request, view, args, kwargs):
        if request.resolver_match.view_name in NOT_WATCHED or request.session.session_key is None:
            return
        person = request.user
        if not person.is_authenticated:
            return
        row = request.session.row
        if _is_over(person, row) and _ended(row):
            request.session.flush()
            request.user, request.was_idle = AnonymousUser(), True
        elif row.idle >= NOTED and _is_activity(request):
            WebSession.objects.filter(digest=request.session.digest).update(last_activity_at=Now())


def for_pages(request):
    """For templates: after how long this page is dimmed, also in words; nothing if it never is."""

    def idle():
        seconds = limit(request.user) if hasattr(request, "user") else None
        if seconds is None:
            return None
        return {"seconds": seconds, "words": _idle(seconds), "cookie": settings.CSRF_COOKIE_NAME}

    return {"idle": idle}


def _idle(seconds):
    """The time without activity, in a sentence."""
    if seconds % 60:
        return WORDING("idle:seconds", seconds=seconds)
    minutes = seconds // 60
    return WORDING("idle:one_minute") if minutes == 1 else WORDING("idle:minutes", minutes=minutes)


def end(*, staff, number, actor):
    """End one of a person's web sessions: its cookie is no longer accepted.

    :raises Refused: `login_over` if it has ended, or never was.
    """
    # If two calls come at once, only one deletes the row.
    ended, _ = WebSession.objects.filter(staff=staff, pk=number).delete()
    if not ended:
        raise WORDING.refused("login_over")
    facts = {"staff": staff.ref, "web_session": number}
    log.record("login.ended", staff.ref, chain=log.HOUSE, actor=actor, facts=facts)


def end_others(*, staff, keep):
    """End all of a person's web sessions except the one whose digest is `keep`."""
    WebSession.objects.filter(staff=staff).exclude(digest=keep or "").delete()
