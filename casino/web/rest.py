"""REST's way in and out: strict JSON in, one shape of error out, rights asked by name, commands carried out once."""

import contextlib
import logging
import re
import uuid

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import authentication, exceptions, metadata, parsers, permissions
from rest_framework.response import Response

from .. import strict_json
from ..errors import Refused
from ..games.reading import shown
from . import idempotency
from .wording import WORDING

logger = logging.getLogger(__name__)

MAX_BODY = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
# The largest that PostgreSQL's bigint and every client hold.
MAX_INT = 2**53 - 1
_KEY = re.compile(r"[\x21-\x7e]{1,80}\Z")
_AGAIN = "Idempotency-Replayed"


class SessionAuthentication(authentication.SessionAuthentication):
    """Django's session; a person who is not logged in gets 401 and not 403."""

    def authenticate_header(self, request):
        return "Session"

    def enforce_csrf(self, request):
        """DRF calls a wrong token a lack of rights; a client must distinguish the two."""
        try:
            super().enforce_csrf(request)
        except exceptions.PermissionDenied as error:
            raise exceptions.AuthenticationFailed from error


class MayThisRole(permissions.BasePermission):
    """Default deny: a view names the right of each method in `rights`; what is not named is refused."""

    def has_permission(self, request, view):
        if not (request.user and request.user.is_authenticated):
            raise exceptions.NotAuthenticated
        if request.method == "OPTIONS":
            return True
        right = view.rights.get("GET" if request.method == "HEAD" else request.method)
        if right is None:
            raise exceptions.MethodNotAllowed(request.method)
        return request.user.has_perm(right)


class NoMetadata(metadata.BaseMetadata):
    """OPTIONS gives the methods in `Allow` and no more; `openapi.py` describes them."""

    def determine_metadata(self, request, view):
        return {}


class StrictJSONParser(parsers.BaseParser):
    """`strict_json.loads` on at most MAX_BODY bytes, if they did not come through `limits.bounded`."""

    media_type = "application/json"

    def parse(self, stream, media_type=None, parser_context=None):
        data = stream.read(MAX_BODY + 1)
        if len(data) > MAX_BODY:
            raise WORDING.refused("too_large", most=MAX_BODY)
        try:
            return strict_json.loads(data)
        except strict_json.KeyTwiceError as error:
            raise WORDING.refused("key_twice", path=error.path, key=shown(error.path)) from None
        except strict_json.NotJsonError as error:
            raise WORDING.refused("bad_json", fault=str(error)) from None


def unjudged(request):
    """Read a body without judging it, and give the refusal for when the right was checked: a person without the right
    learns nothing about what a body should be.

    :returns: its fields, none where it is no JSON object, and the refusal or None.
    """
    try:
        return request.data, None
    except (Refused, exceptions.APIException, RequestDataTooBig) as refusal:
        return {}, refusal


_WRONG = {
    int: "field_wrong:whole_number",
    str: "field_wrong:text",
    bool: "field_wrong:boolean",
    dict: "field_wrong:object",
    list: "field_wrong:list",
    object: "field_wrong:value",
}


def fields(body, must, may=None):
    """The fields of a body, by name and type; True is not a number, nor is "1".

    :param must: name to type; `may` the same for those that may be left out or null.
    :raises Refused: 422 with the field's path for one that is missing, unknown or of another type.
    """
    may = may or {}
    for name in body:
        if name not in must and name not in may:
            raise WORDING.refused("field_unknown", path=name, name=shown(name))
    values = {}
    for name, kind in {**must, **may}.items():
        value = body.get(name)
        if value is None:
            if name in must:
                raise WORDING.refused("field_missing", path=name, name=name)
        elif not (is_whole(value) if kind is int else isinstance(value, kind)):
            raise WORDING.refused(_WRONG[kind], path=name, name=name)
        values[name] = value
    return values


def is_whole(value):
    """A whole number that every client can hold; True is not one.

    >>> is_whole(7), is_whole(True), is_whole("7"), is_whole(10**30)
    (True, False, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_INT


def carried_out(request, work, *, brief=False):
    """The answer to a command: done once for the caller's `Idempotency-Key`, with the signature that the request has.

    :param brief: whether `work` shortens its answer by `is_brief`.
    """
    with signature(request):
        answer = idempotency.carry_out(
            staff=request.user,
            key=key(request),
            method=request.method,
            path=request.path,
            body=unjudged(request)[0],
            work=work,
        )
    response = HttpResponse(answer.text, status=answer.status, content_type="application/json")
    if answer.again:
        response.headers[_AGAIN] = "true"
    elif is_brief(request) and brief:
        response.headers["Preference-Applied"] = "return=minimal"
    return response


def signature(request):
    """The signature that goes with what a request carries out, a context manager; an empty one where nobody signed."""
    return getattr(request, "signature", None) or contextlib.nullcontext()


def key(request):
    """The `Idempotency-Key` of a command.

    :raises Refused: `key_missing` (400), if there is none or what is there is not one.
    """
    if not has_key(request):
        raise WORDING.refused("key_missing", example=uuid.uuid4())
    return request.headers["Idempotency-Key"]


def has_key(request):
    """Whether the request has an `Idempotency-Key` that is one."""
    return is_key(request.headers.get("Idempotency-Key", ""))


def is_key(text):
    """Whether a text is a key: 1 to 80 visible ASCII characters."""
    return _KEY.match(text) is not None


def is_brief(request):
    """Whether the caller asks for no more of an answer than it needs to go on: `Prefer: return=minimal` (RFC 7240)."""
    return "return=minimal" in re.split(r"[\s,;]+", request.headers.get("Prefer", "").lower())


def is_again(response):
    """Whether a command's answer was given before."""
    return _AGAIN in response.headers


_KNOWN = {
    Http404: "not_found",
    exceptions.NotAuthenticated: "not_logged_in",
    exceptions.AuthenticationFailed: "csrf_failed",
    PermissionDenied: "not_your_right",
    exceptions.PermissionDenied: "not_your_right",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.UnsupportedMediaType: "not_json",
    exceptions.NotAcceptable: "not_acceptable",
}


def answer_error(error, context):
    """Every refusal in the one shape; an error that nobody foresaw is left to Django's 500."""
    if not isinstance(error, Refused):
        error = _refused(error)
    if error is None:
        return None
    by_token = "Authorization" in context["request"].headers
    headers = {"WWW-Authenticate": "Bearer" if by_token else "Session"} if error.status == 401 else {}
    if "retry_after" in error.detail:
        headers["Retry-After"] = str(error.detail["retry_after"])
    return Response(error.shape(), status=error.status, headers=headers)


def _refused(error):
    if isinstance(error, RequestDataTooBig):
        return WORDING.refused("too_large", most=MAX_BODY)
    for kind in _KNOWN:
        if isinstance(error, kind):
            return WORDING.refused(_KNOWN[kind])
    if isinstance(error, exceptions.APIException):
        return Refused(error.detail.code, str(error.detail), status=error.status_code)
    return None


@csrf_exempt
def not_found(request, *args, **kwargs):
    """The answer below /api/ to an address that does not exist."""
    return JsonResponse(_refused(Http404()).shape(), status=404)
