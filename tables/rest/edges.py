"""REST for the house edge of a rule sheet: read, asked for, and stopped; and its PAR sheet."""

from django.http import Http404
from django.urls import reverse
from rest_framework.response import Response
from rest_framework.views import APIView

from casino.roles import Right
from casino.web import rest
from payouts import edge_results

from ..models import RuleSheet
from ..people import access
from ..verbs import rulesheets
from ..words import par


class SheetEdge(APIView):
    """The house edge of a Split Poker sheet, drafts too, at each ANTE that it depends on. Games whose players play
    against each other have none.

    POST asks for results that nobody has asked for yet, or that failed or were stopped; a worker computes each once for
    all sheets with the same payments.
    """

    rights = {"GET": Right.READ_SHEETS, "POST": Right.COMPUTE_EDGE}
    gives = {"GET": (200, "Edge"), "POST": (201, "Edge")}
    refuses = {409: "edge_without_house"}

    def get(self, request, sheet_id):
        sheet = _sheet_or_404(sheet_id)
        rules = rulesheets.rules_of(sheet)
        return Response(_json(sheet, edge_results.of_sheet(rules, sheet.edge) if edge_results.has_house(rules) else {}))

    def post(self, request, sheet_id):
        sheet = _sheet_or_404(sheet_id)
        rest.fields(request.data, {})

        def work():
            access.still_in_house(request.user, Right.COMPUTE_EDGE)
            return 201, _json(sheet, edge_results.ask(_rules(sheet)))

        return rest.carried_out(request, work)


class SheetEdgeCancel(APIView):
    """POST stops computing a sheet's edge, also for other sheets with the same payments."""

    rights = {"POST": Right.COMPUTE_EDGE}
    gives = {"POST": (200, "Edge")}
    refuses = {409: "edge_not_computing edge_without_house"}

    def post(self, request, sheet_id):
        sheet = _sheet_or_404(sheet_id)
        rest.fields(request.data, {})

        def work():
            access.still_in_house(request.user, Right.COMPUTE_EDGE)
            edge_results.cancel(_rules(sheet))
            return 200, _json(sheet, edge_results.of(_rules(sheet)))

        return rest.carried_out(request, work)


class SheetEdgeSeek(APIView):
    """The coefficients that were sought for a sheet: the largest of a category between its neighbours, in steps of one
    half, with which the house still has the wanted edge; the newest first.

    POST seeks one: `category` is one of those that have a coefficient, `edge` per cent of an ANTE with two places at
    most. A worker computes it at each ANTE that the edge depends on; `edge/cancel/` stops that.
    """

    rights = {"GET": Right.READ_SHEETS, "POST": Right.COMPUTE_EDGE}
    must = {"category": str, "edge": str}
    gives = {"GET": (200, "Sought"), "POST": (201, "Sought")}
    refuses = {409: "edge_without_house", 422: "category_unknown edge_wrong"}

    def get(self, request, sheet_id):
        sheet = _sheet_or_404(sheet_id)
        rules = rulesheets.rules_of(sheet)
        return Response(_sought(sheet) if edge_results.has_house(rules) else {"sheet": sheet.pk, "results": []})

    def post(self, request, sheet_id):
        sheet = _sheet_or_404(sheet_id)
        body = rest.fields(request.data, self.must)

        def work():
            access.still_in_house(request.user, Right.COMPUTE_EDGE)
            edge_results.seek(_rules(sheet), body["category"], body["edge"])
            return 201, _sought(sheet)

        return rest.carried_out(request, work)


class SheetPar(APIView):
    """The PAR sheet of a sheet of Split Poker, drafts too, once its edge is computed at each ANTE that it depends on:
    twelve parts for a regulator.

    `json` and `pdf` are the addresses of its files beside the pages, for people who are logged in there; `digest` is
    the SHA-256 of the JSON file, which is the canonical text of `par`, and stands on each page of the PDF.
    """

    rights = {"GET": Right.READ_SHEETS}
    gives = {"GET": (200, "Par")}
    refuses = {409: "edge_not_computed edge_without_house"}

    def get(self, request, sheet_id):
        sheet = _sheet_or_404(sheet_id)
        made = par.of(sheet)
        files = {form: reverse(f"sheet-par-{form}", args=[sheet.pk]) for form in ("json", "pdf")}
        return Response({"sheet": sheet.pk, "digest": made.digest, **files, "par": made.report})


def _sheet_or_404(sheet_id):
    sheet = RuleSheet.objects.filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404
    return sheet


def _rules(sheet):
    rules = rulesheets.rules_of(sheet)
    edge_results.needs_house(rules)
    return rules


def _json(sheet, results):
    keys = edge_results.keys(rulesheets.rules_of(sheet)) if results else {}
    return {
        "sheet": sheet.pk,
        "results": [_result(ante, keys[ante], result) for ante, result in results.items()],
    }


def _sought(sheet):
    rules = _rules(sheet)
    rows = [(ante, row) for ante in edge_results.antes(rules) for row in edge_results.sought(rules, ante)]
    return {"sheet": sheet.pk, "results": [_one_sought(ante, row) for ante, row in rows]}


def _one_sought(ante, row):
    figures = row.figures or {"coefficient": None, "edge_percent": None}
    return {
        "ante": ante,
        "key": row.key,
        "category": row.inputs["seek"]["category"],
        "wanted_percent": row.inputs["seek"]["edge_percent"],
        "status": row.status,
        "asked_at": row.asked_at.isoformat(),
        "progress": row.progress,
        "left_seconds": edge_results.left(row),
        "coefficient": figures["coefficient"],
        "edge_percent": figures["edge_percent"],
        "failure": row.failure,
    }


def _result(ante, key, result):
    """One result; one without a status has not been asked for."""
    return {
        "ante": ante,
        "key": key,
        "status": result and result.status,
        "asked_at": result and result.asked_at.isoformat(),
        "progress": result.progress if result else 0,
        "left_seconds": result and edge_results.left(result),
        "figures": result and result.figures,
        "failure": result.failure if result else "",
    }
