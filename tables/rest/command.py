"""What the commands to a round share: the way from a request to a verb, the lists of refusals, and fields of bodies."""

from abc import ABC, abstractmethod

from django.http import Http404
from rest_framework.views import APIView

from audit.log import Actor
from casino.errors import Refused
from casino.roles import Right
from casino.web import rest

from ..models import Round
from ..people import access, footing, signatures
from ..verbs import standing
from . import answers, schema
from .wording import WORDING

# The refusals of a command that came too late; they are answered with the round as it is now.
TOO_LATE = {"stale_version", "round_wrong_moment", "round_held", "round_not_held", "ticked_already", "nothing_to_undo"}
# The codes of the commands' refusals, for `casino/web/openapi.py`.
LATE, NOT_NOW = "stale_version round_wrong_moment", "stale_version round_wrong_moment round_held action_wrong"
OF_THE_GAME = "field_out_of_range bad_card card_duplicate wrong_card_count"
OF_A_REASON = "clause_unknown reason_missing reason_wrong"
SIGNED = {
    403: "signature_wrong signature_by_passkey signature_without_right",
    429: "locked too_many_logins many_wrong_logins",
}


def late_right(round_, right):
    """The right that a command takes: in a round entered from paper after its session was closed, whoever may report
    does what a signed-on croupier does elsewhere, since nobody may be signed on there any more."""
    return Right.REPORT if right == Right.ACT and round_.entered_late else right


class RoundCommand(APIView, ABC):
    """Something done to a round. Subclasses say what the body takes and call their verb in `do`.

    The round is locked and read once, and `right` is asked then. A signature is another person's login and password,
    checked before the transaction, so that a wrong one is counted although nothing else happens; for that the right is
    asked twice. `brief`: the answer is a round, and the caller may ask for only its id and version.
    """

    rights = {"POST": Right.SEE_TABLE}
    right = Right.ACT
    brief = True
    must = {"version": int}
    may = {}
    shapes = schema.SHAPES
    gives = {"POST": (200, "Round")}

    def post(self, request, **address):
        unjudged, refusal = rest.unjudged(request)
        signer, signed_for = None, None
        if unjudged.get("signature") is not None or not rest.has_key(request):
            # A signature is checked before the transaction, and a command without a key never gets that far.
            round_ = self.find(request.user, **address)
            body = self.judged(request, round_, unjudged, refusal)
            signer, signed_for = self.signer(request, round_, body)
        second = signer if signer and signer.pk != request.user.pk else None

        def work():
            locked = self.locked(request, **address)
            round_ = locked.round
            body = self.judged(request, round_, unjudged, refusal)
            if signer is None:
                # A command that takes a signature and has none is refused here.
                self.signer(request, round_, body)
            else:
                signatures.still_signed(signer, signed_for, round_.table_id)
            if signed_for == Right.COUNTERSIGN and not request.user.has_perm(Right.RULE, round_.table):
                # Then, of the two, the person who asks is the one who rules.
                raise access.not_your_right()
            actor = Actor(request.user, second, access.terminal_beside(request, round_))
            done = self.do(body, standing=locked, actor=actor, **self.part(**address))
            # A felt that goes with the answer need not fold the round again.
            request._request.standing = done if isinstance(done, standing.Standing) else locked
            if self.brief and rest.is_brief(request):
                return self.gives["POST"][0], answers.brief_json(round_.pk, getattr(done, "version", locked.version))
            return self.gives["POST"][0], self.answer(done)

        try:
            answer = rest.carried_out(request, work, brief=self.brief)
        except Refused as refused:
            refused.detail.update(self.as_it_is_now(refused.code, **address))
            raise
        if rest.is_again(answer):
            # Nothing was locked and no right was asked.
            self.judged(request, self.find(request.user, **address), unjudged, refusal)
        return answer

    def judged(self, request, round_, unjudged, refusal):
        """The fields of the body, once the right was asked: a person without it learns nothing about them.

        :raises Refused: `not_your_right`, or what is wrong with the body.
        """
        if not request.user.has_perm(self.right_for(round_, unjudged), round_.table):
            raise access.not_your_right()
        if refusal:
            raise refusal
        return rest.fields(unjudged, self.must, self.may)

    def find(self, staff, round_id):
        """The round that the address names, or whose part it names.

        :raises Http404: if there is no such thing, or it is out of the person's reach.
        """
        return round_or_404(staff, round_id)

    def number(self, round_id):
        """The id of that round; 0, which no round has, if there is no such thing."""
        return round_id

    def part(self, round_id):
        """What the address names of the round, for the verb: nothing, where it names the round itself."""
        return {}

    def locked(self, request, **address):
        """The same round, locked; from then on the person has the rights of now: a relief may have come in between.

        :raises Http404: as `find`.
        """
        staff = request.user
        locked = standing.locked(
            self.number(**address),
            within=access.extent(staff, Right.SEE_TABLE),
            staff=staff.pk,
            device=access.device(request),
        )
        if locked is None:
            raise Http404
        footing.stand(staff, locked.round)
        return locked

    def right_for(self, round_, unjudged):
        """The right that it takes, by the body as sent, before any of it is judged."""
        return late_right(round_, self.right)

    def signer(self, request, round_, body):
        """Who signed, and the right that the signature stands for; None if nobody has to."""
        return None, None

    @abstractmethod
    def do(self, body, **who):
        """Call the verb; `who` has the round's `standing`, the `actor` and what the address names of the round."""

    def answer(self, done):
        """The answer's JSON, from the round that the verb returned, or its `Standing`."""
        return answers.standing_json(done) if isinstance(done, standing.Standing) else round_now(done.pk)

    def as_it_is_now(self, code, **address):
        """What a refusal with this code shows besides: the round as it is now, if the command came too late."""
        return {"round": round_now(self.number(**address))} if code in TOO_LATE else {}


def signed_by_boss(request, round_, body):
    """A pit boss's signature, where there is one: see `RoundCommand.signer`."""
    signature = body.get("signature")
    if signature is None:
        return None, None
    return signatures.signed(request, signature, table=round_.table, right=Right.RULE), Right.RULE


def round_or_404(staff, round_id):
    round_ = _rounds().filter(pk=round_id, table__in=access.tables(staff, Right.SEE_TABLE)).first()
    if round_ is None:
        raise Http404
    return round_


def round_now(round_id):
    """A round's JSON, as the round is after a command."""
    return answers.round_json(_rounds().get(pk=round_id))


def _rounds():
    return Round.objects.select_related("table", "sheet", "settlement")


def _item(name, index):
    """The path of an item of a list."""
    return f"{name}[{index}]"


def whole_numbers(values, name):
    """The values of the field `name`, all of them whole numbers.

    :raises Refused: `field_wrong` (422), with the path of the first that is not.
    """
    for index, value in enumerate(values):
        if not rest.is_whole(value):
            place = _item(name, index)
            raise WORDING.refused("field_wrong:whole_number", path=place, name=place)
    return values


def changes(items):
    """Path to value, each path once.

    :raises Refused: with the path of the first item that is wrong.
    """
    values = {}
    for index, change in enumerate(items):
        place = _item("changes", index)
        if not isinstance(change, dict):
            raise WORDING.refused("field_wrong:object", path=place, name=place)
        try:
            path = rest.fields(change, {"path": str}, {"value": object})["path"]
        except Refused as refused:
            refused.path = f"{place}.{refused.path}"
            raise
        if path in values:
            raise WORDING.refused("field_wrong:twice", path=place, name=path)
        values[path] = change.get("value")
    return values
