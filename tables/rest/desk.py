"""REST for the auditor's desk: recording visits, and drawing samples of rounds."""

import datetime as dt

from rest_framework.response import Response
from rest_framework.views import APIView

from audit import samples, visits
from audit.log import Actor
from casino.roles import Right
from casino.web import rest

from ..people import access


class DeskVisits(APIView):
    """The caller's visits, the newest first; POST records one, with the size of the checkpoint that the desk showed."""

    rights = {"GET": Right.READ_DESK, "POST": Right.READ_DESK}
    must = {"checkpoint": int}
    gives = {"GET": (200, "Visits"), "POST": (201, "Visit")}
    refuses = {409: "visit_recorded", 422: "checkpoint_unknown"}

    def get(self, request):
        return Response({"visits": [_visit(each) for each in visits.of(request.user)]})

    def post(self, request):
        body = rest.fields(request.data, self.must)

        def work():
            access.still_in_house(request.user, Right.READ_DESK)
            return 201, _visit(visits.make(checkpoint=body["checkpoint"], actor=Actor(request.user)))

        return rest.carried_out(request, work)


class DeskSamples(APIView):
    """The samples that the caller drew since their last visit, the newest first; POST draws the next."""

    rights = {"GET": Right.READ_DESK, "POST": Right.READ_DESK}
    must = {}
    gives = {"GET": (200, "Samples"), "POST": (201, "Sample")}
    refuses = {409: "nothing_sealed nothing_to_draw"}

    def get(self, request):
        drawn = samples.of(request.user, visits.since(request.user).size)
        return Response({"samples": [_sample(each) for each in drawn]})

    def post(self, request):
        rest.fields(request.data, self.must)

        def work():
            access.still_in_house(request.user, Right.READ_DESK)
            return 201, _sample(samples.draw(actor=Actor(request.user)))

        return rest.carried_out(request, work)


def _visit(visit):
    return {"checkpoint": visit.size, "root": visit.root, "at": _moment(visit.at)}


def _sample(sample):
    names = ("seed", "number", "since", "checkpoint", "of")
    rounds = [int(ref.partition(":")[2]) for ref in sample.rounds]
    return {name: getattr(sample, name) for name in names} | {"rounds": rounds, "at": _moment(sample.at)}


def _moment(at):
    """A time of the log as REST spells it."""
    return dt.datetime.fromisoformat(at).isoformat()
