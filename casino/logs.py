"""The operational log: one line for each thing, as JSON where a machine reads it, laid out where a person does.

Each line has its time (UTC, RFC 3339), level, logger and event, and the id of the request that it is about: in the web
process the one that the answer bears in `X-Request-ID`, in the worker those of the requests that rang for it. Nothing
personal is in it, no login, name, address or query string; who did what stands in the chained log.
"""

import asyncio
import logging
import re
import secrets
import sys
import time

import structlog
from asgiref.sync import iscoroutinefunction
from django.utils.decorators import sync_and_async_middleware
from structlog.contextvars import bind_contextvars, bound_contextvars, get_contextvars

logger = logging.getLogger(__name__)

HEADER = "X-Request-ID"
# What a line may have beside its event; whatever else a library attaches to its records stays out.
FIELDS = ("method", "path", "status", "ms", "rounds")
CLIENT_LEFT = 499
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PATH_LENGTH = 200

_GATHER = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.stdlib.ExtraAdder(allow=FIELDS),
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
)


def formatter():
    """The one formatter of all our processes, for whatever is logged by the standard library's `logging`."""
    if sys.stderr.isatty():
        # Not the library's own choice for tracebacks, which shows the values of variables.
        render = [
            structlog.dev.ConsoleRenderer(timestamp_key="time", exception_formatter=structlog.dev.plain_traceback)
        ]
    else:
        render = [structlog.processors.format_exc_info, _in_order, structlog.processors.JSONRenderer()]
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_GATHER,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
    )


def _in_order(_logger, _method, line):
    return {name: line.pop(name) for name in ("time", "level", "logger", "event")} | line


def request_id():
    """The id of the request that is answered in this context; empty if none is."""
    return get_contextvars().get("request_id", "")


def accepted_id(sent):
    """A caller's id if it is short and harmless, else a new one that can be read out over a telephone.

    >>> accepted_id("proxy-7.f3_A")
    'proxy-7.f3_A'
    >>> len(accepted_id("a b")), len(accepted_id("a" * 65)), len(accepted_id(""))
    (12, 12, 12)
    """
    return sent if _WELL_FORMED.fullmatch(sent) else secrets.token_hex(6)


@sync_and_async_middleware
def request_log(get_response):
    """Middleware, before all others: each request gets its id, and one line when it is answered.

    The line of an event stream is written when it begins.
    """
    if iscoroutinefunction(get_response):

        async def middleware(request):
            begun = time.perf_counter()
            # The id stays bound: a stream is sent after we have returned, and the request's task ends with it.
            bind_contextvars(request_id=accepted_id(request.headers.get(HEADER, "")))
            try:
                response = await get_response(request)
            except asyncio.CancelledError:
                _tell(request, CLIENT_LEFT, begun)
                raise
            return _answered(request, response, begun)

    else:

        def middleware(request):
            begun = time.perf_counter()
            with bound_contextvars(request_id=accepted_id(request.headers.get(HEADER, ""))):
                return _answered(request, get_response(request), begun)

    return middleware


def _answered(request, response, begun):
    response.headers[HEADER] = request_id()
    _tell(request, response.status_code, begun)
    return response


def tell(number, method, path, status, begun):
    """Log the line of a request that never reached Django."""
    with bound_contextvars(request_id=number):
        _line(method, path, status, begun)


def _tell(request, status, begun):
    _line(request.method, request.path, status, begun)


def _line(method, path, status, begun):
    ms = round(1000 * (time.perf_counter() - begun), 1)
    facts = {"method": method[:20], "path": path[:_PATH_LENGTH], "status": status, "ms": ms}
    logger.info("request", extra=facts)
