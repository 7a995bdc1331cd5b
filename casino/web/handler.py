"""Django behind ASGI: one thread answers a request, from its first middleware to its last.

Django's own handler goes back and forth between the event loop and a thread that it starts for each request: for its
signals, for each middleware that could run in either, for the view, and at the end. That took a command a third of its
processor time. Here the loop hands a request over once, to a thread that is kept.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import django
from asgiref.sync import sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.core.signals import request_started
from django.db import close_old_connections
from django.urls import set_script_prefix

MOST_THREADS = 256
"""Requests that are answered at once, far more than there are connections to the database: most of them wait."""
_threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="request")


def application():
    """The ASGI application, once Django is set up."""
    django.setup(set_prefix=False)
    return Handler()


class Handler(ASGIHandler):
    """Django's, with its middlewares as WSGI has them. Views that are coroutines run in the event loop."""

    def __init__(self):
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)

    async def handle(self, scope, receive, send):
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await _in_thread(self._answer)(scope, body)
        if not response.streaming:
            await self.send_response(response, send)
            return
        try:
            await self._stream(response, receive, send)
        finally:
            await _in_thread(response.close)()

    def _answer(self, scope, body):
        """The response; unless it is a stream, it is finished and has given its database connection back."""
        with body:
            prefix = get_script_prefix(scope)
            set_script_prefix(prefix)
            request_started.send(sender=self.__class__, scope=scope)
            request, response = self.create_request(scope, body)
            if request is not None:
                response = self.get_response(request)
                response._handler_class = self.__class__
            if response.streaming:
                # A stream may last for hours.
                close_old_connections()
            else:
                response.close()
        return response

    async def _stream(self, response, receive, send):
        """Send a response until it ends or the other side has left."""
        sending = asyncio.create_task(self.send_response(response, send))
        leaving = asyncio.create_task(receive())
        try:
            await asyncio.wait([sending, leaving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            sending.cancel()
            await asyncio.wait([sending])
        if not sending.cancelled():
            sending.result()


def _in_thread(work):
    return sync_to_async(work, thread_sensitive=False, executor=_threads)
