"""uvicorn's connections, bounded: in number, in what a request takes, in the time to send it and to read its answer.

uvicorn limits neither heads nor waiting: a few sockets that dribble would hold it for ever. It takes this class by
`--http casino.web.connections:Connection`; the limits of a body are in `limits.py`.

The class overrides a parser that uvicorn keeps to itself, read in uvicorn 0.54.0. Before another version is pinned,
read what changed in its `protocols/http/httptools_impl.py`, then name that version here; a test holds the two together.
"""

import contextlib
import socket

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_AROUND = 16 * 1024
"""Bytes of a request that are not its body: its line, headers, trailers, and what its chunks are wrapped in."""


class Connection(HttpToolsProtocol):
    """Closed if it brings no whole request within REQUEST_SECONDS of its opening or of its last answer, or if the other
    side takes nothing of an answer for STALLED_SECONDS.
    """

    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self._deadline = None
        self._answering = None
        self._in_head = True
        self._around = 0

    def connection_made(self, transport):
        super().connection_made(transport)
        if self.limit_concurrency is not None and len(self.connections) > self.limit_concurrency:
            # uvicorn's own answer, 503, never reaches a client that sends nothing.
            transport.abort()
            return
        # A unix socket has no such option; uvicorn calls every socket that it is given a unix one, so ask the socket.
        with contextlib.suppress(OSError):
            # The kernel's own measure: it counts what waits unread anywhere, be it a single byte.
            opened = transport.get_extra_info("socket")
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, settings.STALLED_SECONDS * 1000)
        self._watch()

    def connection_lost(self, exc):
        # uvicorn ends only the newest of pipelined requests, and that is not the one that is being answered.
        self.pipeline.clear()
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)
        self._stop_watching()

    def data_received(self, data):
        # In pieces, so that it is measured before much of it is swallowed.
        for start in range(0, len(data), MAX_AROUND):
            piece = data[start : start + MAX_AROUND]
            self._around += len(piece)
            super().data_received(piece)
            if self.transport.is_closing():
                return
            if self._around > MAX_AROUND:
                # As ASCII, before any language is known.
                self.send_400_response("Too many bytes around the body of the request")
                return
        self._watch()

    def on_header(self, name, value):
        # uvicorn would add the trailers of a body to the headers: a way past a proxy that checks those.
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self):
        self._in_head = False
        super().on_headers_complete()

    def on_body(self, body):
        self._around -= len(body)
        super().on_body(body)

    def on_message_complete(self):
        super().on_message_complete()
        self._in_head = True
        self._around = 0

    def _start_asgi_task(self, cycle, app):
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self):
        super().on_response_complete()
        self._watch()

    def _watch(self):
        """Limit the time of a request that is not whole; the answer to a whole one may take as long as it needs."""
        if self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body:
            self._stop_watching()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(settings.REQUEST_SECONDS, self.transport.close)

    def _stop_watching(self):
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
