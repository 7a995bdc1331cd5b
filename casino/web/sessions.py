"""Where web sessions are kept: a row for each, with its person and device, its key as a hash alone.

Django's own store would keep the keys themselves, and not say whose they are. So a thief with the table, or a backup,
can't log in as anybody, and people see their sessions by numbers and can end them.
"""

import hashlib

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import CreateError, SessionBase, UpdateError
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from ..models import WebSession
from ..statements import Statement

# In this order: most browsers name others too, and most systems a second one.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("Chrome", "Chrome"),
    ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)


def device(user_agent):
    """A browser in words that its owner knows it by; what it says of itself may be false and is not kept.

    >>> device("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36")
    'Chrome on Linux'
    >>> device("curl/8.5"), device("Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) Version/17.4 Safari/604.1")
    ('Another program', 'Safari on iPad')
    """
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "Another program")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), "")
    return f"{browser} on {system}" if system else browser


def digest(key):
    """The hash of a key, which the table has instead of it."""
    return hashlib.sha256(key.encode()).hexdigest()


class SessionStore(SessionBase):
    """Django's session of a request, on our table. It is read and saved in synchronous code alone."""

    rows = Statement(lambda digest: WebSession.objects.alive().filter(digest=digest))
    user_agent = ""
    row = None
    """As it was loaded, with its `idle` time."""

    @property
    def digest(self):
        return self.session_key and digest(self.session_key)

    def load(self):
        self.row = self.rows.first(digest=self.digest)
        if self.row is None:
            self._session_key = None
            return {}
        return self.decode(self.row.content)

    def exists(self, session_key):
        return WebSession.objects.filter(digest=digest(session_key)).exists()

    def create(self):
        while True:
            self._session_key = self._get_new_session_key()
            try:
                self.save(must_create=True)
            except CreateError:
                continue
            self.modified = True
            return

    def save(self, must_create=False):
        """:raises UpdateError: if the session was ended meanwhile: it does not come back."""
        if self.session_key is None:
            self.create()
            return
        session = self._get_session(no_load=must_create)
        values = {
            "staff_id": session.get(SESSION_KEY),
            "content": self.encode(session),
            "expires_at": self.get_expiry_date(),
        }
        if not must_create:
            if not WebSession.objects.filter(digest=self.digest).update(**values):
                raise UpdateError
            return
        try:
            with transaction.atomic():
                WebSession.objects.create(digest=self.digest, device=device(self.user_agent), **values)
        except IntegrityError:
            raise CreateError from None

    def delete(self, session_key=None):
        key = self.session_key if session_key is None else session_key
        if key is not None:
            WebSession.objects.filter(digest=digest(key)).delete()

    @classmethod
    def clear_expired(cls):
        WebSession.objects.filter(expires_at__lt=Now()).delete()


class Middleware(SessionMiddleware):
    """Django's, whose new sessions know the device that they were begun at."""

    def process_request(self, request):
        super().process_request(request)
        request.session.user_agent = request.headers.get("User-Agent", "")
