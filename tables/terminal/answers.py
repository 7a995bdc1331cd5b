"""A terminal's command is answered with the felt as it leaves it, so the screen need not make a second request.

Whoever sends `Prefer: felt=7` with a command stands at the table with that id. The felt is drawn after the command is
committed, as if the page had asked for it then: with the rights of that moment, and a sequence number that says how new
it is. An answer kept for the command's key has no felt; if it is given again, it gets a new one.
"""

import json
import logging
import re

from django.http import Http404

from . import page

logger = logging.getLogger(__name__)

_TABLE = re.compile(r"(?:^|[\s,;])felt=([0-9]{1,18})(?:[\s,;]|$)")


def felt_beside(get_response):
    """Middleware: adds the HTML of the felt, as `felt`, to the JSON of a command that was carried out."""

    def answer(request):
        response = get_response(request)
        table = _table(request)
        if table and response.status_code in {200, 201}:
            felt = _felt(request, table)
            if felt is not None:
                response.content = json.dumps({**json.loads(response.content), "felt": felt}, ensure_ascii=False)
        return response

    return answer


def _table(request):
    """The id of the table whose felt is asked for, or None; devices have no screen."""
    if request.method != "POST" or not request.path.startswith("/api/") or "Authorization" in request.headers:
        return None
    asked = _TABLE.search(request.headers.get("Prefer", ""))
    return asked and int(asked[1])


def _felt(request, table):
    """The felt, or None if it can't be seen. Whatever fails, the command was carried out, and its answer says so."""
    try:
        return page.markup(request, table)
    except Http404:
        return None
    except Exception as error:
        logger.warning("A command was carried out and its felt could not be drawn: %s", error)
        return None
