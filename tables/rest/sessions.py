"""REST for sessions: a table opened and closed, its chips counted by two people."""

from rest_framework.views import APIView

from audit.log import Actor
from casino.roles import Right
from casino.web import rest
from payouts import ledger

from ..people import access, signatures
from ..verbs import sessions
from . import schema
from .command import SIGNED

OF_A_COUNT = "same_person chip_unknown count_wrong"


class TableSessions(APIView):
    """The sessions of one table: POST opens it with its opener, which a second person counts too and signs."""

    rights = {"POST": Right.SEE_TABLE}
    right = Right.RUN_SESSION
    must = {"denominations": dict, "signature": dict}
    shapes = schema.SHAPES
    gives = {"POST": (201, "Session")}
    refuses = SIGNED | {409: "session_open", 422: f"{OF_A_COUNT} nothing_counted"}

    def post(self, request, table_id):
        table = access.table_or_404(request.user, Right.SEE_TABLE, table_id)
        if not request.user.has_perm(self.right, table):
            raise access.not_your_right()
        body = rest.fields(request.data, self.must)
        signer = signatures.signed(request, body["signature"], table=table, right=Right.COUNT)

        def work():
            access.still(request.user, self.right, table_id)
            signatures.still_signed(signer, Right.COUNT, table_id)
            actor = Actor(request.user, signer)
            session = self.do(table_id=table_id, denominations=body["denominations"], actor=actor)
            return self.gives["POST"][0], _session_json(session)

        return rest.carried_out(request, work)

    def do(self, **count):
        return sessions.open_session(**count)


class TableSessionClose(TableSessions):
    """POST closes a table: its chips, counted by two people, go back to the cage, and the answer has the variance.

    The count is final. Whoever deals there is signed off.
    """

    gives = {"POST": (200, "Session")}
    refuses = SIGNED | {
        409: "session_closed round_open round_held round_unsettled series_running slip_running",
        422: OF_A_COUNT,
    }

    def do(self, **count):
        return sessions.close_session(**count)


def _session_json(session):
    session.refresh_from_db()
    closed = session.closed_at is not None
    return {
        "id": session.pk,
        "table": session.table_id,
        "status": session.status,
        "business_date": session.business_date.isoformat(),
        "opened_at": session.opened_at.isoformat(),
        "opened_by": session.opened_by.ref,
        "opened_with": session.opened_with.ref,
        "closed_at": session.closed_at.isoformat() if closed else None,
        "closed_by": session.closed_by.ref if closed else None,
        "closed_with": session.closed_with.ref if closed else None,
        "variance": ledger.movement_units(session.ref)["variance"] if closed else None,
    }
