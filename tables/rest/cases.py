"""REST for cases: what has to be cleared up; opened by people, given to another owner or more time, and decided by two
people."""

from django.http import Http404
from django.urls import reverse
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import Case, CaseFile, Round, Session
from ..people import access, signatures
from ..verbs import cases
from . import schema
from .command import SIGNED
from .moments import moment
from .wording import WORDING

_PEOPLE = ("owner", "decided_by", "approved_by")
NEWEST = 50
"""How many decided cases are listed at most."""


class Cases(APIView):
    """The cases of tables within reach: those that wait, by when they are due, and the newest decided ones."""

    rights = {"GET": Right.READ_CASE}
    gives = {"GET": (200, "Cases")}

    def get(self, request):
        within = _rows().filter(table__in=access.tables(request.user, Right.READ_CASE))
        decided = within.filter(status=Case.Status.DECIDED).order_by("-decided_at", "-pk")[:NEWEST]
        listed = [*within.waiting().order_by("due_at", "pk"), *decided]
        return Response({"cases": [_json(case) for case in listed]})


class CaseDetail(APIView):
    """One case."""

    rights = {"GET": Right.READ_CASE}
    gives = {"GET": (200, "Case")}

    def get(self, request, case_id):
        _table_or_404(request.user, Right.READ_CASE, case_id)
        return Response(_now(case_id))


class CaseFiles(APIView):
    """The files of a case as they were made, the newest first: each with the address of its bytes and their SHA-256.

    Requesting `cases/ID/file.pdf`, beside the pages, makes a file, once for each state of the case.
    """

    rights = {"GET": Right.READ_CASE}
    gives = {"GET": (200, "CaseFiles")}

    def get(self, request, case_id):
        _table_or_404(request.user, Right.READ_CASE, case_id)
        files = CaseFile.objects.filter(case=case_id).defer("content").select_related("made_by").order_by("-pk")
        return Response({"now": reverse("case-file", args=[case_id]), "files": [_file_json(file) for file in files]})


class _Asked(APIView):
    """POST opens a case about what the address names; whoever opens it owns it. `question` says what is to be found
    out."""

    rights = {"POST": Right.RUN_CASE}
    must = {"question": str}
    shapes = schema.SHAPES
    gives = {"POST": (201, "Case")}
    refuses = {409: "case_opened", 422: "question_missing question_wrong"}
    asked_of = None

    def post(self, request, **address):
        ((name, number),) = address.items()
        within = access.tables(request.user, Right.RUN_CASE)
        table_id = self.asked_of.objects.filter(pk=number, table__in=within).values_list("table_id", flat=True).first()
        if table_id is None:
            raise Http404
        body = rest.fields(request.data, self.must)

        def work():
            access.still(request.user, Right.RUN_CASE, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            case = self.verb(question=body["question"], actor=actor, **{name: number})
            return 201, _now(case.pk)

        return rest.carried_out(request, work)


class RoundCase(_Asked):
    """A void round's case: POST opens it, once; whoever does so owns it. `question` says what is to be found out."""

    asked_of, verb = Round, staticmethod(cases.open_void)
    refuses = _Asked.refuses | {409: "round_not_void case_opened"}


class SessionCase(_Asked):
    """The investigation of a session: POST opens it, once; whoever does so owns it. `question` says what is to be found
    out. The session may be closed or go on."""

    asked_of, verb = Session, staticmethod(cases.open_investigation)


class CaseMove(APIView):
    """POST gives a case that waits to another owner, by their number, another time until which it is due, or `video`.

    That is the reference under which the house finds the recording: letters, digits, dots, and - : /, "" for none.
    """

    rights = {"POST": Right.RUN_CASE}
    may = {"owner": int, "due_at": str, "video": str}
    shapes = schema.SHAPES | {"due_at": schema.MOMENT}
    gives = {"POST": (200, "Case")}
    refuses = {409: "case_decided move_empty", 422: "owner_wrong due_wrong video_wrong"}

    def post(self, request, case_id):
        table_id = _table_or_404(request.user, Right.RUN_CASE, case_id)
        body = rest.fields(request.data, {}, self.may)
        due_at = None if body["due_at"] is None else moment(body["due_at"], "due_at")

        def work():
            access.still(request.user, Right.RUN_CASE, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            owner, video = _owner(body["owner"]), body["video"]
            cases.move(case_id=case_id, owner=owner, due_at=due_at, video=video, actor=actor)
            return 200, _now(case_id)

        return rest.carried_out(request, work)


class CaseDecide(APIView):
    """POST decides a case that waits, with the reason; the person who signs did not sign the closing that it is about.

    Nor did they sign the count, the void or the opening of a session that is investigated, or deal in that session. The
    ruling on a dispute decides its case; it is not decided here.
    """

    rights = {"POST": Right.RUN_CASE}
    must = {"outcome": str, "reason": str, "signature": dict}
    shapes = schema.SHAPES | {"outcome": {"type": "string", "enum": list(cases.CAUSES)}}
    gives = {"POST": (200, "Case")}
    refuses = SIGNED | {
        409: "case_decided case_of_dispute",
        422: "same_person signed_closing outcome_unknown reason_missing reason_wrong",
    }

    def post(self, request, case_id):
        table_id = _table_or_404(request.user, Right.RUN_CASE, case_id)
        body = rest.fields(request.data, self.must)
        table = access.table_or_404(request.user, Right.RUN_CASE, table_id)
        signer = signatures.signed(request, body["signature"], table=table, right=Right.APPROVE_CASE)

        def work():
            access.still(request.user, Right.RUN_CASE, table_id)
            signatures.still_signed(signer, Right.APPROVE_CASE, table_id)
            actor = Actor(request.user, signer, access.terminal_of(request))
            cases.decide(case_id=case_id, outcome=body["outcome"], reason=body["reason"], actor=actor)
            return 200, _now(case_id)

        return rest.carried_out(request, work)


def _owner(number):
    """:raises Refused: `owner_wrong`, if nobody has this number; None for no number."""
    if number is None:
        return None
    person = Staff.objects.filter(pk=number).first() if 0 < number < 2**63 else None
    if person is None:
        raise WORDING.refused("owner_wrong", number=number)
    return person


def _table_or_404(staff, right, case_id):
    """The id of a case's table, if the person has the right there."""
    within = access.tables(staff, right)
    table_id = Case.objects.filter(pk=case_id, table__in=within).values_list("table_id", flat=True).first()
    if table_id is None:
        raise Http404
    return table_id


def _rows():
    return Case.objects.select_related(*_PEOPLE)


def _now(case_id):
    """A case's JSON, as it is after a command."""
    return _json(_rows().get(pk=case_id))


def _file_json(file):
    return {
        "id": file.pk,
        "at": reverse("case-file-made", args=[file.case_id, file.pk]),
        "digest": file.digest,
        "size": file.size,
        "made_by": file.made_by.ref,
        "made_at": file.made_at.isoformat(),
    }


def _json(case):
    return {
        "id": case.pk,
        "number": str(case),
        "kind": case.kind,
        "of": case.subject,
        "table": case.table_id,
        "units": case.units,
        "question": case.question,
        "status": case.status,
        **{name: getattr(case, name) and getattr(case, name).ref for name in _PEOPLE},
        "opened_at": case.opened_at.isoformat(),
        "due_at": case.due_at.isoformat(),
        "video": case.video,
        "outcome": case.outcome,
        "reason": case.reason,
        "decided_at": case.decided_at and case.decided_at.isoformat(),
    }
