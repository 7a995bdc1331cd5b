"""REST for rule sheets: read, drafted, published by another person, put in force at tables and withdrawn by two."""

from django.db.models import Prefetch
from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.games import reading, registry
from casino.roles import Right
from casino.web import rest

from ..models import InForce, RuleSheet
from ..people import access, signatures
from ..verbs import rulesheets
from . import schema
from .command import SIGNED, whole_numbers
from .moments import shown
from .wording import WORDING


class Sheets(APIView):
    """All rule sheets with the tables at which they are in force, were, or will be; POST drafts the next of a game.

    `values` go by the names of the game's parameters: what is left out is as the house proposes it; amounts are in the
    smallest unit. Nobody plays by a draft; it stays as it is.
    """

    rights = {"GET": Right.READ_SHEETS, "POST": Right.DRAFT_SHEET}
    must = {"game": str, "values": dict}
    shapes = schema.SHAPES
    gives = {"GET": (200, "Sheets"), "POST": (201, "Sheet")}
    refuses = {422: "game_unknown sheet_wrong"}

    def get(self, request):
        return Response({"sheets": [_json(sheet) for sheet in _sheets()]})

    def post(self, request):
        body = rest.fields(request.data, self.must)
        if body["game"] not in registry.GAMES:
            raise WORDING.refused("game_unknown", game=reading.shown(body["game"]), games=", ".join(registry.GAMES))

        def work():
            access.still_in_house(request.user, Right.DRAFT_SHEET)
            sheet = rulesheets.draft(game=body["game"], values=body["values"], actor=Actor(request.user))
            return 201, _json(_sheet_or_404(sheet.pk))

        return rest.carried_out(request, work)


class SheetDetail(APIView):
    """One rule sheet."""

    rights = {"GET": Right.READ_SHEETS}
    gives = {"GET": (200, "Sheet")}

    def get(self, request, sheet_id):
        return Response(_json(_sheet_or_404(sheet_id)))


class SheetPublish(APIView):
    """POST publishes for ever what somebody else drafted, with its house edge, which was computed before and is never
    the player's. If it lies outside the casino's band, the publisher's `reason` says why.
    """

    rights = {"POST": Right.PUBLISH_SHEET}
    may = {"reason": str}
    gives = {"POST": (200, "Sheet")}
    refuses = {
        409: "not_a_draft same_person coefficients_unpublished edge_not_computed edge_with_player",
        422: "reason_missing reason_wrong",
    }

    def post(self, request, sheet_id):
        _sheet_or_404(sheet_id)
        body = rest.fields(request.data, {}, self.may)

        def work():
            access.still_in_house(request.user, Right.PUBLISH_SHEET)
            rulesheets.publish(sheet_id=sheet_id, reason=body["reason"] or "", actor=Actor(request.user))
            return 200, _json(_sheet_or_404(sheet_id))

        return rest.carried_out(request, work)


class SheetInForce(APIView):
    """POST puts a published sheet in force at tables, all from the same moment on; a second person signs.

    `from_at` may be a time on the casino's clocks, without an offset.
    """

    rights = {"POST": Right.PUT_IN_FORCE}
    must = {"tables": list, "signature": dict}
    may = {"from_at": str}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Sheet")}
    refuses = SIGNED | {
        409: "sheet_unpublished chip_not_payable moment_taken",
        422: "same_person tables_missing table_unknown moment_wrong",
    }

    def post(self, request, sheet_id):
        _sheet_or_404(sheet_id)
        body = rest.fields(request.data, self.must, self.may)
        table_ids = whole_numbers(body["tables"], "tables")
        _within_reach(request.user, table_ids)
        from_at = None if body["from_at"] is None else shown(body["from_at"], "from_at")
        signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_IN_FORCE)

        def work():
            for table_id in sorted(set(table_ids)):
                access.still(request.user, Right.PUT_IN_FORCE, table_id)
            signatures.still_signed(signer, Right.APPROVE_IN_FORCE)
            actor = Actor(request.user, signer)
            rulesheets.put_in_force_at(sheet_id=sheet_id, table_ids=table_ids, from_at=from_at, actor=actor)
            return 200, _json(_sheet_or_404(sheet_id))

        return rest.carried_out(request, work)


class SheetWithdraw(APIView):
    """POST withdraws the sheet at tables where it is to come into force, before its moment; a second person signs.

    `places` are ids from its `in_force`.
    """

    rights = {"POST": Right.PUT_IN_FORCE}
    must = {"places": list, "signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Sheet")}
    refuses = SIGNED | {
        409: "sheet_withdrawn sheet_counts",
        422: "same_person places_missing place_unknown",
    }

    def post(self, request, sheet_id):
        sheet = _sheet_or_404(sheet_id)
        body = rest.fields(request.data, self.must)
        place_ids = whole_numbers(body["places"], "places")
        tables = _tables_of(request.user, sheet, place_ids)
        signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_IN_FORCE)

        def work():
            for table_id in sorted(tables):
                access.still(request.user, Right.PUT_IN_FORCE, table_id)
            signatures.still_signed(signer, Right.APPROVE_IN_FORCE)
            rulesheets.withdraw(place_ids=place_ids, actor=Actor(request.user, signer))
            return 200, _json(_sheet_or_404(sheet_id))

        return rest.carried_out(request, work)


def _tables_of(staff, sheet, place_ids):
    reach = access.tables(staff, Right.PUT_IN_FORCE)
    places = dict(sheet.in_force.filter(table__in=reach).values_list("pk", "table_id"))
    for index, place_id in enumerate(place_ids):
        if place_id not in places:
            raise WORDING.refused("place_unknown", path=f"places[{index}]", place=place_id)
    return {places[place_id] for place_id in place_ids}


def _within_reach(staff, table_ids):
    reach = set(access.tables(staff, Right.PUT_IN_FORCE).values_list("pk", flat=True))
    for index, table_id in enumerate(table_ids):
        if table_id not in reach:
            raise WORDING.refused("table_unknown", path=f"tables[{index}]", table=table_id)


def _sheets():
    of_places = ("set_by", "approved_by", "withdrawn_by", "withdrawn_with")
    sheets = RuleSheet.objects.select_related("drafted_by", "published_by")
    return sheets.prefetch_related(Prefetch("in_force", InForce.objects.select_related(*of_places)))


def _sheet_or_404(sheet_id):
    sheet = _sheets().filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404
    return sheet


def _json(sheet):
    return {
        "id": sheet.pk,
        "game": sheet.game,
        "version": sheet.version,
        "status": sheet.status,
        "values": sheet.values,
        "digest": sheet.digest,
        "drafted_by": sheet.drafted_by.ref,
        "drafted_at": sheet.drafted_at.isoformat(),
        "published_by": sheet.published_by and sheet.published_by.ref,
        "published_at": sheet.published_at and sheet.published_at.isoformat(),
        "edge": sheet.edge,
        "reason": sheet.reason,
        "in_force": [
            {
                "id": place.pk,
                "table": place.table_id,
                "from_at": place.from_at.isoformat(),
                "set_by": place.set_by.ref,
                "approved_by": place.approved_by and place.approved_by.ref,
                "withdrawn_at": place.withdrawn_at and place.withdrawn_at.isoformat(),
                "withdrawn_by": place.withdrawn_by and place.withdrawn_by.ref,
                "withdrawn_with": place.withdrawn_with and place.withdrawn_with.ref,
            }
            for place in sorted(sheet.in_force.all(), key=lambda place: (place.from_at, place.table_id))
        ],
    }
