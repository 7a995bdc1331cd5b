"""REST for people: who works here and may do what, the steps that two people take about them, sign-ons at tables, and
lifting lock-outs."""

from django.db import transaction
from django.http import Http404
from django.views.decorators.debug import sensitive_variables
from rest_framework.response import Response
from rest_framework.views import APIView

from audit import history
from audit.log import Actor
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import Posting, SignOn
from ..people import access, codes, lockout, reliefs, signatures, staff
from ..verbs import employment
from . import schema
from .command import SIGNED

_OF_TWO = "same_person own_posting"


class StaffPeople(APIView):
    """Everybody who works or worked here, with what they may do and since when: the access review.

    POST adds a person with their first posting; a second person signs. Their one-time code is shown only this once:
    POST takes no Idempotency-Key, since a kept answer would keep the code.
    """

    rights = {"GET": Right.READ_STAFF, "POST": Right.RUN_STAFF}
    idempotent = False
    must = {"login": str, "name": str, "role": str, "signature": dict}
    may = {"pit": int}
    shapes = schema.SHAPES
    gives = {"GET": (200, "Staff"), "POST": (201, "OneTimeCode")}
    refuses = SIGNED | {
        409: "login_taken",
        422: "same_person login_wrong name_wrong name_missing role_unknown pit_unknown",
    }

    def get(self, request):
        history.look_at_records(what="staff", by=request.user)
        return Response({"staff": _people(Staff.objects.order_by("pk"), ended_at=None)})

    @sensitive_variables()
    def post(self, request):
        body = rest.fields(request.data, self.must, self.may)
        return _with_code(request, body, 201, employment.join, **{name: body[name] for name in _FIRST})


_FIRST = ("login", "name", "role", "pit")


class StaffPerson(APIView):
    """A person with every posting that they ever had."""

    rights = {"GET": Right.READ_STAFF}
    gives = {"GET": (200, "Person")}

    def get(self, request, staff_id):
        person = _person_or_404(staff_id)
        history.look_at_records(what=person.ref, by=request.user)
        return Response(_person_json(person.pk))


class StaffPostings(APIView):
    """POST gives a person one more role, in one pit or, without `pit`, in all; a second person signs."""

    rights = {"POST": Right.RUN_STAFF}
    must = {"role": str, "signature": dict}
    may = {"pit": int}
    shapes = schema.SHAPES
    gives = {"POST": (201, "Person")}
    refuses = SIGNED | {409: "left_already posted_already", 422: f"{_OF_TWO} role_unknown pit_unknown"}

    def post(self, request, staff_id):
        person = _person_or_404(staff_id)
        body = rest.fields(request.data, self.must, self.may)
        new = {"staff_id": person.pk, "role": body["role"], "pit": body["pit"]}
        return _carried_out(request, body, 201, person.pk, employment.post, **new)


class PostingEnd(APIView):
    """POST ends a posting; a second person signs."""

    rights = {"POST": Right.RUN_STAFF}
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Person")}
    refuses = SIGNED | {
        409: "posting_over last_administrator deals_now asked_to_relieve owns_cases",
        422: _OF_TWO,
    }

    def post(self, request, posting_id):
        posting = Posting.objects.filter(pk=posting_id).first()
        if posting is None:
            raise Http404
        body = rest.fields(request.data, self.must)
        return _carried_out(request, body, 200, posting.staff_id, employment.end, posting_id=posting_id)


class StaffLeave(APIView):
    """POST lets a person go, who is at once logged out everywhere; a second person signs.

    `cases_to` is the number of whoever owns their open cases from now on.
    """

    rights = {"POST": Right.RUN_STAFF}
    must = {"signature": dict}
    may = {"cases_to": int}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Person")}
    refuses = SIGNED | {
        409: "left_already last_administrator deals_now asked_to_relieve owns_cases",
        422: f"{_OF_TWO} owner_wrong",
    }

    def post(self, request, staff_id):
        person = _person_or_404(staff_id)
        body = rest.fields(request.data, self.must, self.may)
        leaves = {"staff_id": person.pk, "cases_to": body["cases_to"]}
        return _carried_out(request, body, 200, person.pk, employment.leave, **leaves)


class StaffReturn(APIView):
    """POST lets a person who left return, without postings; a second person signs. Their one-time code is shown once.

    It takes no Idempotency-Key, since an answer that is kept would keep the code.
    """

    rights = {"POST": Right.RUN_STAFF}
    idempotent = False
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "OneTimeCode")}
    refuses = SIGNED | {409: "works_here", 422: _OF_TWO}

    @sensitive_variables()
    def post(self, request, staff_id):
        person = _person_or_404(staff_id)
        body = rest.fields(request.data, self.must)
        return _with_code(request, body, 200, employment.come_back, staff_id=person.pk)


class StaffCodes(APIView):
    """POST gives a one-time code to a person who lost their password; a second person signs. It is shown this once.

    It takes no Idempotency-Key, since an answer that is kept would keep the code.
    """

    rights = {"POST": Right.RUN_STAFF}
    idempotent = False
    must = {"signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (201, "OneTimeCode")}
    refuses = SIGNED | {409: "left_already", 422: _OF_TWO}

    @sensitive_variables()
    def post(self, request, staff_id):
        person = _person_or_404(staff_id)
        body = rest.fields(request.data, self.must)
        return _with_code(request, body, 201, employment.give_code, staff_id=person.pk)


class TableSignOn(APIView):
    """POST signs a croupier on: the caller, at a terminal of the table, or whomever `staff` names, by its pit boss.

    `relieve` is the number of the croupier who hands over; whoever comes too late learns who stands there now.
    """

    rights = {"POST": Right.SIGN_ON}
    may = {"staff": int, "relieve": int}
    gives = {"POST": (200, "SignOn")}
    refuses = {
        403: "terminal_needed",
        409: "table_taken signed_on_here signed_on_elsewhere relief_elsewhere",
        422: "not_a_croupier_here",
    }

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SIGN_ON, table_id)
        body = rest.fields(request.data, {}, self.may)

        def work():
            access.still(request.user, Right.SIGN_ON, table_id)
            person = request.user if body["staff"] is None else Staff.objects.filter(pk=body["staff"]).first()
            if person is None:
                raise reliefs.not_a_croupier_here(table)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            record = staff.sign_on(staff=person, table=table, actor=actor, relieve=body["relieve"])
            return 200, _sign_on_json(record)

        return rest.carried_out(request, work)


class TableSignOff(APIView):
    """POST signs the croupier off: by themself, or by the pit boss."""

    rights = {"POST": Right.SIGN_ON}
    gives = {"POST": (200, "SignOn")}
    refuses = {409: "nobody_signed_on"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SIGN_ON, table_id)
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Right.SIGN_ON, table_id)
            actor = Actor(request.user, terminal=access.terminal_of(request))
            record = staff.sign_off(table=table, actor=actor)
            return 200, _sign_on_json(record)

        return rest.carried_out(request, work)


class StaffUnlock(APIView):
    """POST lets a person who mistyped a password too often try again, at every terminal."""

    rights = {"POST": Right.UNLOCK}
    gives = {"POST": (200, "Unlocked")}
    refuses = {409: "not_locked"}

    def post(self, request, staff_id):
        person = _person_or_404(staff_id)
        rest.fields(request.data, {})

        def work():
            staff.unlock(staff=person, actor=Actor(request.user))
            return 200, {"staff": person.pk}

        return rest.carried_out(request, work)


def _person_or_404(staff_id):
    person = Staff.objects.filter(pk=staff_id).first()
    if person is None:
        raise Http404
    return person


def _carried_out(request, body, status, staff_id, do, /, **what):
    """The answer to a command of two people: the person as they stand then."""
    signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_STAFF)

    def work():
        do(**what, actor=_by_two(request, signer))
        return status, _person_json(staff_id)

    return rest.carried_out(request, work)


@sensitive_variables()
def _with_code(request, body, status, do, /, **what):
    """The answer to a command of two people that gives a one-time code."""
    signer = signatures.signed(request, body["signature"], table=None, right=Right.APPROVE_STAFF, keyed=False)
    with rest.signature(request), transaction.atomic():
        person, code = do(**what, actor=_by_two(request, signer))
    answer = {"staff": person.pk, "code": code, "hours": codes.HOURS}
    return Response(answer, status=status, headers={"Cache-Control": "no-store"})


def _by_two(request, signer):
    """The person who asks and the one who signs, both of whom still may."""
    access.still_in_house(request.user, Right.RUN_STAFF)
    signatures.still_signed(signer, Right.APPROVE_STAFF)
    return Actor(request.user, signer, access.terminal_of(request))


def _person_json(staff_id):
    return _people(Staff.objects.filter(pk=staff_id))[0]


def _people(people, **postings):
    """The JSON of these people, with that of their postings."""
    locked = {lock.staff for lock in lockout.locked()}
    coded = set(codes.standing().values_list("staff", flat=True))
    at = dict(SignOn.objects.filter(signed_off_at=None).values_list("staff", "table"))
    had = {}
    for posting in Posting.objects.filter(staff__in=people, **postings).order_by("pk"):
        had.setdefault(posting.staff_id, []).append(_posting_json(posting))
    return [
        {
            "id": person.pk,
            "name": person.name,
            "login": person.login,
            "works_here": person.is_active,
            "added_at": person.added_at.isoformat(),
            "last_login_at": _moment(person.last_login),
            "locked": person.ref in locked,
            "code": person.pk in coded,
            "table": at.get(person.pk),
            "postings": had.get(person.pk, []),
        }
        for person in people
    ]


def _posting_json(posting):
    return {
        "id": posting.pk,
        "role": posting.role,
        "pit": posting.pit_id,
        "posted_at": posting.posted_at.isoformat(),
        "posted_by": _ref(posting.posted_by_id),
        "posted_with": _ref(posting.posted_with_id),
        "ended_at": _moment(posting.ended_at),
        "ended_by": _ref(posting.ended_by_id),
        "ended_with": _ref(posting.ended_with_id),
    }


def _ref(staff_id):
    return staff_id and f"staff:{staff_id}"


def _moment(at):
    return at and at.isoformat()


def _sign_on_json(record):
    record.refresh_from_db()
    return {
        "table": record.table_id,
        "staff": record.staff_id,
        "terminal": record.terminal and record.terminal.name,
        "signed_on_at": record.signed_on_at.isoformat(),
        "signed_off_at": record.signed_off_at and record.signed_off_at.isoformat(),
    }
