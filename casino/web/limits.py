"""The limits of HTTP: a request beyond them is refused before any view, and no answer leaves without its headers.

`bounded` is the application that uvicorn calls: Django alone would spool a body of any size to disk before it looks at
it. `guard` is middleware; its refusals are in our error form below /api/ and pages elsewhere. `connections.py` closes
clients that send or read too slowly.
"""

import asyncio

from django.conf import settings
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.template.loader import render_to_string

from .. import hashing
from .wording import WORDING

DRAINED = 1024 * 1024
"""Bytes of too large a body that are read and dropped, so that its sender comes to read the refusal."""
FORMS = {"application/x-www-form-urlencoded", "multipart/form-data"}
HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""The headers of every answer that does not set its own."""


def bounded(application):
    """An ASGI application that gets bodies of at most DATA_UPLOAD_MAX_MEMORY_SIZE bytes; `guard` refuses the others."""

    async def limited(scope, receive, send):
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        size, body = await _read(scope, receive)
        if body is None:
            return
        too_large = size > settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        messages = [{"type": "http.request", "body": body}]

        async def replay():
            if messages:
                return messages.pop()
            if too_large:
                # The rest is not read while the refusal is on its way; Django cancels us once it is sent.
                await asyncio.get_running_loop().create_future()
            return await receive()

        # DRF takes a body of no declared length, as chunks are, for none at all.
        headers = [header for header in scope["headers"] if header[0] not in {b"content-length", b"transfer-encoding"}]
        if body:
            headers.append((b"content-length", str(len(body)).encode()))
        await application({**scope, "headers": headers, "too_large": too_large}, replay, send)

    return limited


async def _read(scope, receive):
    """The body's size, as far as it is known, and the body, empty if it is too large, None if the sender left."""
    declared = int(dict(scope["headers"]).get(b"content-length", b"0"))
    if declared > DRAINED:
        return declared, b""
    size, body, more = 0, b"", True
    while more and size <= DRAINED:
        message = await receive()
        if message["type"] == "http.disconnect":
            return size, None
        size += len(message["body"])
        body = body + message["body"] if size <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE else b""
        more = message["more_body"]
    return size, body


def guard(get_response):
    """Refuse a request that is too large, malformed or meant for another host; give every answer its headers."""

    def answer(request):
        refused = _refused(request)
        response = get_response(request) if refused is None else _answer(request, refused)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return answer


def bad_request(request, exception):
    """Django's handler of what it calls suspicious in a view."""
    return _answer(request, WORDING.refused("bad_request"))


def _refused(request):
    if getattr(request, "scope", {}).get("too_large"):
        return WORDING.refused("too_large", most=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    if request.method == "TRACE":
        return WORDING.refused("method_not_allowed:trace")
    try:
        request.get_host()
        # PostgreSQL keeps no NUL in a text.
        if any("\0" in text for text in _texts(request)):
            return WORDING.refused("bad_request:nul")
    except (BadRequest, SuspiciousOperation, MultiPartParserError):
        return WORDING.refused("bad_request:host")
    # The queue of `queue.py` is full.
    return hashing.too_many() if getattr(request, "scope", {}).get("too_many") else None


def _texts(request):
    yield request.path
    yield from request.COOKIES.values()
    forms = [request.GET]
    if request.content_type in FORMS:
        # Read whole first: DRF takes a multipart body whose stream was read for an empty one.
        _ = request.body
        forms.append(request.POST)
    for form in forms:
        for name, values in form.lists():
            yield from (name, *values)


def _answer(request, refused):
    if request.path.startswith("/api/"):
        response = JsonResponse(refused.shape(), status=refused.status)
    else:
        page = render_to_string("refused.html", {"fact": refused.message, "way_out": refused.way_out})
        response = HttpResponse(page, status=refused.status)
    response.headers["Content-Length"] = str(len(response.content))
    if "retry_after" in refused.detail:
        response.headers["Retry-After"] = str(refused.detail["retry_after"])
    if refused.status == 405:
        response.headers["Allow"] = "GET, HEAD, POST"
    if refused.status == 413:
        # The rest of the body is not waited for.
        response.headers["Connection"] = "close"
    return response
