"""REST for the floor: every table within reach as it stands now, with the figures of its tile."""

from rest_framework.response import Response
from rest_framework.views import APIView

from casino.roles import Right

from ..people import access
from ..verbs import floor


class Floor(APIView):
    """The tables within reach as they stand now; what a running session won is an estimate."""

    rights = {"GET": Right.READ_FLOOR}
    gives = {"GET": (200, "Floor")}

    def get(self, request):
        shown = floor.now(access.extent(request.user, Right.READ_FLOOR))
        return Response({"at": shown.now.isoformat(), "tables": [_json(place) for place in shown.places]})


def _json(place):
    return {
        "table": place.id,
        "name": place.name,
        "pit": place.pit_id,
        "game": place.game or None,
        "state": place.state.value,
        "since": place.round_since and place.round_since.isoformat(),
        "session": place.session_id,
        "dealer": place.dealer and f"staff:{place.dealer[0]}",
        "dealer_since": place.dealer_since and place.dealer_since.isoformat(),
        "round": place.round_id,
        "number": place.round_number,
        "boxes": place.boxes,
        "rounds_last_hour": place.pace,
        "win": place.win.units,
        "grade": place.win.grade.value,
        "why": place.win.reason or None,
        "day": {
            "win": place.day.units,
            "grade": place.day.grade.value,
            "sessions": [
                {"session": session, "win": won.units, "grade": won.grade.value, "why": won.reason or None}
                for session, won in place.day.sessions
            ],
        },
        "rake": place.rake if place.is_open else None,
        "float": place.float_units,
        "slips": [slip["id"] for slip in place.slips],
        "disputes": [dispute["id"] for dispute in place.disputes],
        "cases": [case["id"] for case in place.cases],
    }
