"""Django's session of a request, read in one statement with its person and what their rights rest on."""

from django.contrib.auth import SESSION_KEY, get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef
from django.utils.functional import SimpleLazyObject

from casino.models import WebSession
from casino.statements import Statement
from casino.web import sessions

from . import footing, second_steps


class SessionStore(sessions.SessionStore):
    """The store of `casino/web/sessions.py`."""

    rows = Statement(
        lambda digest: footing.beside(
            WebSession.objects.alive().select_related("staff").filter(digest=digest), OuterRef("staff_id")
        )
    )


class Authentication(AuthenticationMiddleware):
    """Django's, which judges the session by the person that was read with it."""

    def process_request(self, request):
        super().process_request(request)
        request.user = SimpleLazyObject(lambda: _person(request))


def _person(request):
    if not hasattr(request, "_cached_user"):
        # Read first: Django looks for the person that the session names.
        request.session.get(SESSION_KEY)
        with footing.read_already(request.session.row):
            person = get_user(request)
            is_due = person.is_authenticated and second_steps.is_due(person, request.session)
        request._cached_user = AnonymousUser() if is_due else person
    return request._cached_user
