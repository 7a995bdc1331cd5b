"""REST for the settings of the house: as they stand, changed by two people, withdrawn before their moment."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.models import Setting
from casino.roles import Right
from casino.web import rest

from ..people import access, signatures
from ..verbs import settings
from . import schema
from .command import SIGNED
from .moments import moment


class Settings(APIView):
    """The settings of the house: POST changes one from now on, or from a later moment; a second person signs."""

    rights = {"GET": Right.READ_SETTINGS, "POST": Right.PROPOSE_SETTING}
    must = {"name": str, "value": int, "version": int, "signature": dict}
    may = {"from_at": str}
    shapes = schema.SHAPES
    gives = {"GET": (200, "Settings"), "POST": (201, "Setting")}
    refuses = SIGNED | {
        409: "stale_version setting_unchanged moment_taken",
        422: "same_person setting_unknown value_wrong moment_wrong",
    }

    def get(self, request):
        return Response({"settings": [_json(standing) for standing in settings.standing()]})

    def post(self, request):
        body = rest.fields(request.data, self.must, self.may)
        change = {name: body[name] for name in ("name", "value", "version")}
        change["from_at"] = None if body["from_at"] is None else moment(body["from_at"], "from_at")
        return _carried_out(request, body, 201, lambda actor: settings.change(actor=actor, **change))


class SettingWithdraw(APIView):
    """POST withdraws a change before its moment; a second person signs."""

    rights = {"POST": Right.PROPOSE_SETTING}
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Setting")}
    refuses = SIGNED | {409: "setting_withdrawn setting_counts", 422: "same_person"}

    def post(self, request, setting_id):
        if not Setting.objects.filter(pk=setting_id).exists():
            raise Http404
        body = rest.fields(request.data, self.must)
        return _carried_out(request, body, 200, lambda actor: settings.withdraw(setting_id=setting_id, actor=actor))


def _carried_out(request, body, status, do):
    """The answer to a command of two people: the setting as it stands then."""
    signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_SETTING)
    if (body.get("name"), body.get("value")) == (signatures.SETTING, 0):
        signatures.asks_passkey(request)

    def work():
        access.still_in_house(request.user, Right.PROPOSE_SETTING)
        signatures.still_signed(signer, Right.APPROVE_SETTING)
        done = do(Actor(request.user, signer))
        return status, next(_json(each) for each in settings.standing() if each.definition.name == done.name)

    return rest.carried_out(request, work)


def _json(standing):
    definition = standing.definition
    return {
        "name": definition.name,
        "label": definition.label,
        "about": definition.about,
        "unit": definition.unit,
        "default": definition.default,
        "least": definition.least,
        "most": definition.most,
        "value": standing.value,
        "version": standing.version,
        "change": standing.row and _change(standing.row),
        "coming": [_change(row) for row in standing.coming],
    }


def _change(row):
    return {
        "id": row.pk,
        "value": row.value,
        "from_at": row.from_at.isoformat(),
        "proposed_by": row.proposed_by.ref,
        "approved_by": row.approved_by.ref,
    }
