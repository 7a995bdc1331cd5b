"""REST for files of reports: asked for, fetched (also by other programs), pruned by two; and those programs' tokens."""

from django.db import transaction
from django.http import Http404
from django.views.decorators.debug import sensitive_variables
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import APIView

from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..models import ReportFile, ReportToken
from ..people import access, fetchers, signatures
from ..reports import catalogue, making, shelf
from ..verbs import report_files
from . import schema
from .command import SIGNED

MOST_LISTED = 500
# A program that shows a token of reports reads here, too.
AUTHENTICATED = [fetchers.Authentication, *api_settings.DEFAULT_AUTHENTICATION_CLASSES]


class ReportFiles(APIView):
    """The files of reports, the newest first; `?report=` and `?period=` narrow the list.

    POST asks for one of a period that is FINAL: a worker makes it, once. It takes a person: a token reads alone.
    """

    authentication_classes = AUTHENTICATED
    rights = {"GET": Right.READ_REPORTS, "POST": Right.MAKE_REPORTS}
    query = {"report": "The name of a report.", "period": "Gaming days, as an address of reports has them."}
    must = {"report": str, "period": str, "form": str}
    gives = {"GET": (200, "ReportFiles"), "POST": (201, "ReportFile")}
    refuses = {
        404: "report_unknown",
        409: "report_not_final report_to_come",
        422: "report_period_wrong report_period_long report_form_unknown",
    }

    def get(self, request):
        files = ReportFile.objects.exclude(report__in=catalogue.hidden(request.user)).order_by("-pk")
        for name in ("report", "period"):
            if name in request.GET:
                files = files.filter(**{name: request.GET[name][:40]})
        return Response({"files": [_json(file) for file in files[:MOST_LISTED]]})

    def post(self, request):
        body = rest.fields(request.data, self.must)

        def work():
            access.still_in_house(request.user, Right.MAKE_REPORTS)
            return 201, _json(making.ask(**{name: body[name] for name in self.must}, by=request.user))

        return rest.carried_out(request, work)


class ReportFileDetail(APIView):
    """One file of a report: how far it is, and where its bytes are."""

    authentication_classes = AUTHENTICATED
    rights = {"GET": Right.READ_REPORTS}
    gives = {"GET": (200, "ReportFile")}

    def get(self, request, report_file_id):
        return Response(_json(_file_or_404(request.user, report_file_id)))


class ReportFileCancel(APIView):
    """POST cancels a file before it is made."""

    rights = {"POST": Right.MAKE_REPORTS}
    gives = {"POST": (200, "ReportFile")}
    refuses = {409: "report_file_ended"}

    def post(self, request, report_file_id):
        _file_or_404(request.user, report_file_id)
        rest.fields(request.data, {})

        def work():
            access.still_in_house(request.user, Right.MAKE_REPORTS)
            report_files.cancel(file_id=report_file_id)
            return 200, _json(_file_or_404(request.user, report_file_id))

        return rest.carried_out(request, work)


class ReportFilesPrune(APIView):
    """POST prunes the files that were kept as long as the casino keeps them; a second person signs."""

    rights = {"POST": Right.RUN_REPORTS}
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "ReportFiles")}
    refuses = SIGNED | {409: "report_files_young", 422: "same_person"}

    def post(self, request):
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_REPORTS)

        def work():
            pruned = making.prune(actor=_by_two(request, signer))
            return 200, {"files": [_json(file) for file in ReportFile.objects.filter(pk__in=pruned)[:MOST_LISTED]]}

        return rest.carried_out(request, work)


class ReportTokens(APIView):
    """The tokens with which other programs fetch files of reports; POST gives one, and a second person signs.

    It is shown only this once: POST takes no Idempotency-Key, since a kept answer would keep the token.
    """

    rights = {"GET": Right.RUN_REPORTS, "POST": Right.RUN_REPORTS}
    idempotent = False
    must = {"name": str, "signature": dict}
    shapes = schema.SHAPES
    gives = {"GET": (200, "ReportTokens"), "POST": (201, "NewReportToken")}
    refuses = SIGNED | {409: "report_token_taken", 422: "same_person report_token_name_wrong"}

    def get(self, request):
        return Response({"tokens": [_token_json(token) for token in ReportToken.objects.order_by("name")]})

    @sensitive_variables()
    def post(self, request):
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_REPORTS, keyed=False)
        with rest.signature(request), transaction.atomic():
            row, token = report_files.give_token(name=body["name"], actor=_by_two(request, signer))
        answer = {"id": row.pk, "name": row.name, "token": token}
        return Response(answer, status=201, headers={"Cache-Control": "no-store"})


class ReportTokenEnd(APIView):
    """POST takes a token away for ever; a second person signs."""

    rights = {"POST": Right.RUN_REPORTS}
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "ReportToken")}
    refuses = SIGNED | {409: "report_token_ended", 422: "same_person"}

    def post(self, request, report_token_id):
        if not ReportToken.objects.filter(pk=report_token_id).exists():
            raise Http404
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_REPORTS)

        def work():
            report_files.end_token(token_id=report_token_id, actor=_by_two(request, signer))
            return 200, _token_json(ReportToken.objects.get(pk=report_token_id))

        return rest.carried_out(request, work)


def _by_two(request, signer):
    """The person who asks and the one who signs, both of whom still may."""
    access.still_in_house(request.user, Right.RUN_REPORTS)
    signatures.still_signed(signer, Right.APPROVE_REPORTS)
    return Actor(request.user, signer, access.terminal_of(request))


def _file_or_404(reader, report_file_id):
    file = ReportFile.objects.exclude(report__in=catalogue.hidden(reader)).filter(pk=report_file_id).first()
    if file is None:
        raise Http404
    return file


def _json(file):
    return {
        "id": file.pk,
        "report": file.report,
        "period": file.period,
        "form": file.form,
        "status": file.status,
        "asked_by": file.asked_by_id and f"staff:{file.asked_by_id}",
        "asked_at": file.asked_at.isoformat(),
        "rows": file.rows_made,
        "digest": file.digest or None,
        "file_digest": file.file_digest or None,
        "size": file.size,
        "failure": file.failure or None,
        "ended_at": file.ended_at and file.ended_at.isoformat(),
        "href": shelf.address(file.report, file.period, file.form) if file.status == "DONE" else None,
    }


def _token_json(token):
    return {
        "id": token.pk,
        "name": token.name,
        "given_by": f"staff:{token.given_by_id}",
        "given_with": f"staff:{token.given_with_id}",
        "given_at": token.given_at.isoformat(),
        "ended_by": token.ended_by_id and f"staff:{token.ended_by_id}",
        "ended_with": token.ended_with_id and f"staff:{token.ended_with_id}",
        "ended_at": token.ended_at and token.ended_at.isoformat(),
    }
