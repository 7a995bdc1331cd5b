"""The answer to what nobody foresaw: 500; and while the database is out of reach 503, with when to come back."""

import logging
import sys

from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from .errors import Refused
from .outages import RETRY_AFTER, out_of_reach

logger = logging.getLogger(__name__)


def failed(request):
    """Django's `handler500`, where errors of views and of middlewares end; it asks nothing of the database itself."""
    error = sys.exc_info()[1]
    if not out_of_reach(error):
        return server_error(request)
    if request.path.startswith("/api/"):
        refused = Refused(
            "database_out_of_reach",
            "The database does not answer. It is not known whether the command was done.",
            status=503,
            way_out="Send it again with the same Idempotency-Key: it is done once.",
            detail={"retry_after": RETRY_AFTER},
        )
        response = JsonResponse(refused.shape(), status=refused.status)
    else:
        # Who came by GET comes back by itself.
        page = render_to_string("503.html", {"again": request.method == "GET" and RETRY_AFTER})
        response = HttpResponse(page, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    logger.warning("%s %s: the database is out of reach: %s", request.method, request.path, error)
    # One line says it: Django would add a traceback for each of the terminals that ask again every other second.
    response._has_been_logged = True
    return response
