"""What a decision on a round stands on: its moment, two people, a clause, a reason; and the record of it."""

import hashlib
import unicodedata

from django.db.models import Max

from audit import log
from casino.games import registry
from casino.games.reading import shown
from casino.models import Casino
from casino.wording import amount

from ..models import Intervention, Round, Session
from .wording import WORDING

MAX_REASON = 500
# What people write, by the name of its field and, where that says too little, what it is.
_MISSING = {
    ("name", ""): "name_missing",
    ("question", ""): "question_missing",
    ("reason", ""): "reason_missing",
    ("statement", ""): "statement_missing",
    ("word", ""): "word_missing",
    ("words", "answer"): "words_missing:answer",
    ("words", "question"): "words_missing:question",
}
_LONG = {
    ("name", ""): "name_wrong:long",
    ("question", ""): "question_wrong:long",
    ("reason", ""): "reason_wrong:long",
    ("statement", ""): "statement_wrong:long",
    ("word", ""): "word_wrong:long",
    ("words", "answer"): "words_wrong:answer_long",
    ("words", "question"): "words_wrong:question_long",
}
_UNPRINTABLE = {
    ("name", ""): "name_wrong:unprintable",
    ("question", ""): "question_wrong:unprintable",
    ("reason", ""): "reason_wrong:unprintable",
    ("statement", ""): "statement_wrong:unprintable",
    ("word", ""): "word_wrong:unprintable",
    ("words", "answer"): "words_wrong:answer_unprintable",
    ("words", "question"): "words_wrong:question_unprintable",
}
_NOT_OPEN = {
    Session.Status.OPENING: "session_closed:opening",
    Session.Status.CLOSING: "session_closed:closing",
}
_EVENTS = {
    Intervention.Kind.REPORTED: "dispute.raised",
    Intervention.Kind.HELD: "round.held",
    Intervention.Kind.RELEASED: "round.released",
    Intervention.Kind.VOIDED: "round.voided",
    Intervention.Kind.CORRECTED: "round.corrected",
}


def spelled(units):
    """An amount within a refusal, as whoever reads it spells amounts of the house's currency."""
    return amount(units, Casino.objects.get().currency_decimals)


def wrong_moment(round_, way_out="", rule="", of_void=""):
    """The refusal of what the round's status does not allow.

    :param rule: a further sentence: what the status has to be.
    :param of_void: the way out of a void round; the next one, if nothing else is said.
    """
    status, detail = round_.get_status_display(), {"status": round_.status}
    if round_.status == Round.Status.VOIDED:
        way_out = of_void or WORDING("void_is_over")
    if rule:
        return WORDING.refused(
            "round_wrong_moment:rule", round=round_, status=status, rule=rule, way_out=way_out, detail=detail
        )
    return WORDING.refused("round_wrong_moment", round=round_, status=status, way_out=way_out, detail=detail)


def newest(round_, version, actions):
    """Refuse to decide on a round that has moved on.

    :param version: how many actions the caller saw.
    :param actions: how many there are.
    :raises Refused: `stale_version`.
    """
    if version != actions:
        raise WORDING.refused("stale_version", round=round_, seen=version, newest=actions, detail={"version": actions})


def two_people(actor):
    """Refuse one person where it takes two, whatever their roles; so does the database.

    :raises Refused: `same_person`.
    """
    if actor.approved_by is None or actor.approved_by.pk == actor.by.pk:
        raise WORDING.refused("same_person")


def not_open(table, way_out):
    """The refusal of a command that needs an open table; `way_out` is for a closed one."""
    running = Session.objects.running().filter(table=table).first()
    if running and running.status in _NOT_OPEN:
        return WORDING.refused(_NOT_OPEN[running.status], table=table)
    return WORDING.refused("session_closed", table=table, way_out=way_out)


def irregularity(round_, clause):
    """What the round's game says of a clause.

    :raises Refused: `clause_unknown`.
    """
    irregularities = {each.clause: each for each in registry.GAMES[round_.sheet.game].irregularities}
    if clause not in irregularities:
        raise WORDING.refused("clause_unknown", named=shown(clause), clauses=", ".join(irregularities))
    return irregularities[clause]


def checked_reason(text, *, needed, name="reason", says="", most=MAX_REASON):
    """A reason or a statement as people wrote it, in one line.

    :param says: its name in words, if that is not its field's `name`.
    :raises Refused: `reason_missing`, `reason_wrong`, or the same for another `name`.
    """
    text = unicodedata.normalize("NFC", " ".join(text.split()))
    if len(text) > most:
        raise WORDING.refused(_LONG[name, says], length=len(text), most=most)
    if any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in text):
        raise WORDING.refused(_UNPRINTABLE[name, says])
    # Letters, numbers, punctuation, symbols: what leaves ink.
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in text):
        text = ""
    if needed and not text:
        raise WORDING.refused(_MISSING[name, says])
    return text


def salted(salt, text):
    """The digest by which the log knows a free text."""
    return hashlib.sha256((salt + text).encode()).hexdigest()


def record(round_, kind, *, actor, clause=None, box=None, reason="", line=None, **facts):
    """Write an intervention and its entry in the log; `facts` are the event's own beside clause, reason and people.

    :returns: the `Intervention`.
    """
    salt = log.salt(reason) if reason else ""
    last = round_.interventions.aggregate(Max("ordinal"))["ordinal__max"] or 0
    intervention = Intervention.objects.create(
        round=round_,
        ordinal=last + 1,
        kind=kind,
        clause=clause,
        box=box,
        reason=reason,
        salt=salt,
        line=line,
        **actor._asdict(),
    )
    log.record(
        _EVENTS[kind],
        round_.ref,
        chain=round_.table.ref,
        actor=actor,
        facts={
            "clause": clause,
            "box": box,
            "reason": salted(salt, reason) if reason else None,
            "requester": actor.by and actor.ref,
            "approver": actor.approver,
            **facts,
        },
    )
    return intervention
