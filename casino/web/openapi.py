"""OpenAPI: what each address of REST takes and answers, read from its view.

A view says `must` and `may` (its body's fields by type, `shapes` where a type says too little), `gives` (per method
the status and the schema of its answer) and `refuses` (status to codes, by a space between them). What any address may
refuse is added here.
"""

import functools
import inspect

import uritemplate
from drf_spectacular import openapi
from drf_spectacular.generators import SchemaGenerator

from ..roles import RIGHTS, Reach

BIGGEST_ID = 2**63 - 1
REASONS = {
    200: "Done, or what was asked for",
    201: "Made",
    400: "No JSON object, or no Idempotency-Key",
    401: "Nobody is logged in, or the token is nobody's",
    403: "Not your right, or not the signer's",
    404: "There is nothing here, or it is out of your reach",
    406: "Something else than JSON was asked for",
    409: "The wrong moment: look again, then decide again",
    413: "The body is larger than 64 KiB",
    415: "The body is not application/json",
    422: "The content is wrong: `path` says where",
    429: "Locked after too many wrong passwords, or too many come at once",
}
_TYPES = {int: "integer", str: "string", bool: "boolean", dict: "object", list: "array"}
_REFUSED = "#/components/schemas/Refused"

# What any address may refuse; one that asks for a right, names a thing, takes a body, fields, an Idempotency-Key.
EVERYWHERE = {
    401: "not_logged_in token_unknown nobody_signed_on",
    406: "not_acceptable",
}
OF_A_RIGHT = {403: "not_your_right"}
OF_A_PLACE = {404: "not_found"}
OF_A_BODY = {
    400: "bad_json key_twice",
    403: "csrf_failed",
    413: "too_large",
    415: "not_json",
    422: "field_unknown",
}
OF_A_FIELD = {422: "field_wrong"}
OF_A_NEEDED_FIELD = {422: "field_missing"}
OF_A_COMMAND = {400: "key_missing", 409: "in_flight", 422: "key_reused"}

KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": True,
    "description": "New for each command. The same key with the same body gives the first answer again.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,80}$", "minLength": 1, "maxLength": 80},
    "example": "0b7f8d5e-7a43-4f0e-9d53-5d1c1ad0a001",
}
PREFER = {
    "name": "Prefer",
    "in": "header",
    "required": False,
    "description": "`return=minimal` (RFC 7240): of the round only what it takes to go on.",
    "schema": {"type": "string"},
}
_APPLIED = {
    "Preference-Applied": {
        "description": "Present if `Prefer` was followed.",
        "schema": {"type": "string", "enum": ["return=minimal"]},
    }
}
_REPLAYED = {
    "Idempotency-Replayed": {
        "description": "Present if this very command was carried out before; this is its first answer.",
        "schema": {"type": "string", "enum": ["true"]},
    }
}
_HEADERS = {
    401: {
        "WWW-Authenticate": {
            "description": "How to log in: `Bearer` if a token was sent.",
            "required": True,
            "schema": {"type": "string", "enum": ["Session", "Bearer"]},
        }
    },
    409: {
        "Retry-After": {
            "description": "Seconds; with `in_flight` alone.",
            "schema": {"type": "integer", "minimum": 1},
        }
    },
    429: {
        "Retry-After": {
            "description": "Seconds to wait, or until the lock ends.",
            "required": True,
            "schema": {"type": "integer", "minimum": 1},
        }
    },
}


class AutoSchema(openapi.AutoSchema):
    """An operation from what its view says of itself."""

    def get_operation(self, path, path_regex, path_prefix, method, registry):
        if self.is_excluded():
            return None
        view, writes = self.view, method == "POST"
        status, answer = view.gives[method]
        summary, description = _texts(view, method)
        places = uritemplate.variables(path)
        command = writes and getattr(view, "idempotent", True)
        brief = writes and getattr(view, "brief", False)
        body = _body(view) if writes else None
        refused = _together(
            EVERYWHERE,
            OF_A_RIGHT if hasattr(view, "rights") else {},
            OF_A_PLACE if places else {},
            OF_A_BODY if writes else {},
            OF_A_FIELD if writes and body["properties"] else {},
            OF_A_NEEDED_FIELD if writes and body["required"] else {},
            OF_A_COMMAND if command else {},
            getattr(view, "refuses", {}) if writes or "POST" not in view.gives else {},
        )
        operation = {
            "operationId": method.lower() + type(view).__name__,
            "tags": [path.split("/")[3]],
            "summary": summary,
            "description": "\n\n".join(filter(None, (description, _who(view, method)))),
            "parameters": [
                *(_place(name) for name in places),
                *(_asked(*each) for each in getattr(view, "query", {}).items() if not writes),
                *[KEY] * command,
                *[PREFER] * brief,
            ],
            "security": [{"session": [], "csrf": []} if writes else {"session": []}, {"bearer": []}],
            "responses": {str(status): _answered(status, answer, _REPLAYED if command else {}, brief)}
            | {str(status): _refusal(status, codes) for status, codes in sorted(refused.items())},
        }
        if writes:
            content = {"application/json": {"schema": body}}
            operation["requestBody"] = {"required": bool(body["required"]), "content": content}
        return operation


def _texts(view, method):
    """Summary and description: the docstring of the method if it has one, else of the class."""
    text = inspect.cleandoc(getattr(view, method.lower()).__doc__ or type(view).__doc__)
    summary, _, description = text.partition("\n\n")
    return " ".join(summary.split()), description


def _who(view, method):
    """Which roles have the right, from the table of roles itself."""
    rights = getattr(view, "rights", None)
    if not rights:
        return "For everybody who is logged in."
    right = (method == "POST" and getattr(view, "right", None)) or rights[method]
    reaches = {Reach.SIGNED_ON: "where signed on", Reach.PIT: "in the pits of the posting", Reach.ALL: "everywhere"}
    who = "; ".join(f"{role.replace('_', ' ')} {reaches[reach]}" for role, reach in RIGHTS[right].items())
    return f"Right `{right}`: {who}."


def _place(name):
    return {
        "name": name,
        "in": "path",
        "required": True,
        "schema": {"type": "integer", "minimum": 1, "maximum": BIGGEST_ID},
    }


def _asked(name, what):
    return {"name": name, "in": "query", "required": False, "description": what, "schema": {"type": "string"}}


def _body(view):
    must, may, shapes = getattr(view, "must", {}), getattr(view, "may", {}), getattr(view, "shapes", {})
    properties = {name: shapes.get(name, {"type": _TYPES[kind]}) for name, kind in must.items()}
    for name, kind in may.items():
        properties[name] = {"anyOf": [shapes.get(name, {"type": _TYPES[kind]}), {"type": "null"}]}
    return {"type": "object", "additionalProperties": False, "required": list(must), "properties": properties}


def _together(*tables):
    """Status to the codes of all tables, each once, in order."""
    by_status = {}
    for table in tables:
        for status, codes in table.items():
            by_status[status] = list(dict.fromkeys([*by_status.get(status, []), *codes.split()]))
    return by_status


def _answered(status, answer, headers, brief):
    schema = {"$ref": f"#/components/schemas/{answer}"} if isinstance(answer, str) else answer
    if brief:
        schema, headers = {"anyOf": [schema, {"$ref": "#/components/schemas/Brief"}]}, headers | _APPLIED
    described = {"description": REASONS[status], "content": {"application/json": {"schema": schema}}}
    return described | ({"headers": headers} if headers else {})


def _refusal(status, codes):
    """The schema of a refusal: one of the codes, in the one shape."""
    schema = {"allOf": [{"$ref": _REFUSED}, {"properties": {"code": {"enum": codes}}}]}
    described = {"description": REASONS[status], "content": {"application/json": {"schema": schema}}}
    if status == 409 and "in_flight" not in codes:
        return described
    return described | ({"headers": _HEADERS[status]} if status in _HEADERS else {})


@functools.cache
def document():
    """The whole description; it is the same until the process ends."""
    return SchemaGenerator().get_schema(public=True)
