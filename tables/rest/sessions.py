"""REST for sessions: a table opened and closed, its chips counted by two people, the second blind to the first."""

from django.http import Http404
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.log import Actor
from casino.models import Staff
from casino.roles import Right
from casino.web import rest
from payouts import ledger

from ..models import Session
from ..people import access, signatures
from ..verbs import sessions
from . import schema
from .command import SIGNED
from .slips import may

_PEOPLE = ("begun_by", "opened_by", "opened_with", "stopped_by", "closed_by", "closed_with")
_MOMENTS = ("begun_at", "opened_at", "stopped_at", "closed_at")


class TableSessions(APIView):
    """The sessions of one table: POST begins one, whose opener two people count next."""

    rights = {"POST": Right.SEE_TABLE}
    shapes = schema.SHAPES
    gives = {"POST": (201, "Session")}
    refuses = {409: "session_open"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        may(request.user, (Right.RUN_SESSION,), table)
        rest.fields(request.data, {})

        def work():
            access.still(request.user, Right.SEE_TABLE, table_id)
            may(request.user, (Right.RUN_SESSION,), table)
            session = sessions.begin(table_id=table_id, actor=_actor(request))
            return 201, _now(session.pk)

        return rest.carried_out(request, work)


class SessionDetail(APIView):
    """A session, with the counts of its last attempt while it is opened or closed; what somebody counted, and what
    should be there, is shown when both have."""

    rights = {"GET": Right.SEE_TABLE}
    gives = {"GET": (200, "Session")}

    def get(self, request, session_id):
        session = session_or_404(request.user, session_id, Right.SEE_TABLE)
        counts = session.status in sessions.PARTS and request.user.has_perm(Right.COUNT, session.table)
        if not (counts or request.user.has_perm(Right.READ_SESSION, session.table)):
            raise access.not_your_right()
        return Response(_now(session_id))


class SessionCounts(APIView):
    """POST counts what opens or closes a table, as one of two people, one of whom is a pit boss of the table.

    `rake` are the chips of the rake slot: required if `asks_rake` says so, else refused. With a `signature` it is the
    signer's count: so a second person counts at the first one's terminal.
    """

    rights = {"POST": Right.COUNT}
    must = {"denominations": dict}
    may = {"rake": dict, "signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Session")}
    refuses = SIGNED | {
        409: "session_wrong_moment counted_already counted_twice",
        422: "chip_unknown count_wrong nothing_counted rake_missing rake_surplus",
    }

    def post(self, request, session_id):
        session = session_or_404(request.user, session_id, Right.COUNT)
        body = rest.fields(request.data, self.must, self.may)
        signature = body["signature"]
        signer = None
        if signature is not None:
            signer = signatures.signed(request, signature, table=session.table, right=Right.COUNT)

        def work():
            access.still(request.user, Right.COUNT, session.table_id)
            # The table is locked from here on: what the right depends on no longer changes.
            now = session_or_404(request.user, session_id, Right.COUNT)
            person = Staff.objects.get(pk=signer.pk) if signer else request.user
            may(person, (_right(now, person),), now.table, signed=signer)
            actor = Actor(signer or request.user, terminal=access.terminal_of(request))
            sessions.count(session_id=session_id, denominations=body["denominations"], rake=body["rake"], actor=actor)
            return 200, _now(session_id)

        return rest.carried_out(request, work)


class SessionStep(APIView):
    """What a pit boss of the table does with its session, and a second person signs."""

    rights = {"POST": Right.SEE_TABLE}
    must = {"signature": dict}
    may = {}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Session")}

    def post(self, request, session_id):
        session = session_or_404(request.user, session_id, Right.SEE_TABLE)
        may(request.user, (Right.RUN_SESSION,), session.table)
        body = rest.fields(request.data, self.must, self.may)
        signature = body.pop("signature", None)
        signer = None
        if signature is not None:
            signer = signatures.signed(request, signature, table=session.table, right=Right.COUNT)

        def work():
            access.still(request.user, Right.SEE_TABLE, session.table_id)
            may(request.user, (Right.RUN_SESSION,), session.table)
            if signer:
                signatures.still_signed(signer, Right.COUNT, session.table_id)
            self.verb(session_id=session_id, actor=_actor(request, signer), **body)
            return 200, _now(session_id)

        return rest.carried_out(request, work)


class SessionSign(SessionStep):
    """POST opens or closes a table with what was counted, signed by two people.

    With `carry` a table that closes goes on at once: what was counted opens its next session, `carried_to`, and nobody
    is signed off there. `place` says which count stands after they differed twice. A `reason` is needed if they
    differed, if others sign than counted, and if the difference from what should be there is above what the house lets
    pass. All of this holds for closer and rake slot together.
    """

    may = {"place": int, "reason": str, "carry": bool}
    refuses = SIGNED | {
        409: "session_wrong_moment count_missing counts_differ rake_uncounted round_held round_unsettled"
        " drop_box_mounted",
        422: "same_person place_missing reason_missing reason_wrong carry_wrong amount_wrong",
    }

    def verb(self, *, reason, carry, **more):
        sessions.sign(reason=reason or "", carry=bool(carry), **more)


class SessionStop(SessionStep):
    """POST calls the last round of a table: two people count its chips next."""

    must = {}
    refuses = {
        409: "session_wrong_moment round_open round_held round_unsettled series_running slip_running payment_unticked"
    }
    verb = staticmethod(sessions.stop)


class SessionResume(SessionStep):
    """POST lets a table go on after its last round was called, as two people say; what was counted no longer counts."""

    refuses = SIGNED | {409: "session_wrong_moment", 422: "same_person"}
    verb = staticmethod(sessions.resume)


def session_or_404(staff, session_id, right):
    within = access.tables(staff, right)
    session = Session.objects.filter(pk=session_id, table__in=within).select_related("table__pit").first()
    if session is None:
        raise Http404
    return session


def _right(session, person):
    """The right that counting takes now: one of the two is a pit boss of the table."""
    stands = sessions.standing(session)
    if stands is None or len(stands.entered) != 1 or stands.entered[0].by_id == person.pk:
        return Right.COUNT
    boss = stands.entered[0].by.has_perm(Right.RUN_SESSION, session.table)
    return Right.COUNT if boss else Right.RUN_SESSION


def _actor(request, signer=None):
    return Actor(request.user, signer, access.terminal_of(request))


def _now(session_id):
    """A session's JSON, as the session is after a command."""
    session = Session.objects.select_related("table", *_PEOPLE).get(pk=session_id)
    moved = ledger.movement_units(session.ref) if session.status == Session.Status.CLOSED else None
    return {
        "id": session.pk,
        "table": session.table_id,
        "status": session.status,
        "business_date": session.business_date.isoformat(),
        **{name: getattr(session, name) and getattr(session, name).isoformat() for name in _MOMENTS},
        **{name: getattr(session, name) and getattr(session, name).ref for name in _PEOPLE},
        "carried_from": session.carried_from_id,
        "carried_to": Session.objects.filter(carried_from=session).values_list("pk", flat=True).first(),
        "variance": moved and moved["variance"],
        "rake": moved and moved["rake"],
        "rake_variance": ledger.rake_variance(session.ref) if moved else None,
        "count": count_json(sessions.standing(session)),
    }


def count_json(stands):
    """How far the count of a session or of the cage is; None if nothing is counted now."""
    if stands is None:
        return None

    def entered(counts):
        return [
            {
                "attempt": count.attempt,
                "place": count.place,
                "by": count.by.ref,
                "at": count.at.isoformat(),
                "denominations": count.denominations if stands.both else None,
            }
            for count in counts
        ]

    return {
        "part": stands.part,
        "counts": entered(stands.entered),
        "rake": entered(stands.rakes),
        "asks_rake": stands.asks_rake,
        "equal": stands.equal if stands.both else None,
        "expected": stands.expected,
        "expected_rake": stands.expected_rake,
    }
