"""A table's terminal in a browser without a server: this process answers the page from the test's database.

A page state costs one request instead of a series of taps; no worker settles and nothing comes by itself.
"""

import mimetypes
import re
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.urls import reverse

from . import factories

HOST = "http://testserver"
# The browser's stream of events, which here opens and beats, and never says that anything has changed.
STREAM = """
window.EventSource = class extends EventTarget {
    constructor() {
        super();
        setTimeout(() => this.dispatchEvent(new Event("open")));
        this.beats = setInterval(() => this.dispatchEvent(new Event("beat")), 500);
    }
    close() { clearInterval(this.beats); }
};
"""
LONG_ROUND = 2 * 3600 + 5 * 60


class Screens:
    """What somebody sees of a table whose round has gone on for more than two hours."""

    def __init__(self, page, login):
        self.page, self.client = page, factories.client(login)
        page.add_init_script(STREAM)
        page.route("**/*", self._answer)

    def show(self, table):
        """The terminal of a table as it stands now."""
        self.go(reverse("terminal", args=[table.pk]))
        self.page.locator("[data-state=live]").wait_for(state="attached")

    def go(self, path):
        """Another page as it stands now."""
        self.page.goto(HOST + path)

    def _answer(self, route):
        path = urlsplit(route.request.url).path
        if path.startswith("/static/"):
            kind, _ = mimetypes.guess_type(path)
            name = path.removeprefix("/static/")
            # If static files were collected, pages name the collected ones.
            route.fulfill(path=finders.find(name) or staticfiles_storage.path(name), content_type=kind)
            return
        answer = self.client.get(path)
        body = re.sub(rb'data-seconds="\d+"', b'data-seconds="%d"' % LONG_ROUND, answer.content)
        route.fulfill(status=answer.status_code, body=body, content_type=answer["Content-Type"])
