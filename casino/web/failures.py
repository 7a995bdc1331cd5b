"""The answer to an error that nobody foresaw: 500; while the database is out of reach 503, with a time to come back."""

import logging
import sys

from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string

from .. import logs
from ..outages import RETRY_AFTER, out_of_reach
from .wording import WORDING

logger = logging.getLogger(__name__)


def failed(request):
    """Django's `handler500`, where errors of views and of middlewares end; it asks nothing of the database itself."""
    error = sys.exc_info()[1]
    return _out_of_reach(request, error) if out_of_reach(error) else _broken(request)


def _broken(request):
    """With the number by which the traceback is found in the log."""
    number = logs.request_id()
    if not request.path.startswith("/api/"):
        return HttpResponse(render_to_string("500.html", {"number": number}), status=500)
    refused = WORDING.refused("server_failed", detail={"request_id": number}, number=number)
    return JsonResponse(refused.shape(), status=refused.status)


def _out_of_reach(request, error):
    if request.path.startswith("/api/"):
        refused = WORDING.refused("database_out_of_reach", detail={"retry_after": RETRY_AFTER})
        response = JsonResponse(refused.shape(), status=refused.status)
    else:
        # A page that was asked for by GET asks again by itself.
        page = render_to_string("503.html", {"again": request.method == "GET" and RETRY_AFTER})
        response = HttpResponse(page, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    logger.warning("%s %s: the database is out of reach: %s", request.method, request.path, error)
    # One line says it: Django would add a traceback for each of the terminals that ask again every other second.
    response._has_been_logged = True
    return response
