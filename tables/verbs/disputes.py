"""Disputes: a round is contested, and somebody who did not deal it rules, once.

A dispute has a case: its number, its owner and its time. A second person signs for a ruling that changes the round, for
one that refuses, unless the house sets otherwise, and for one by whoever raised it; that person neither raised it nor
dealt the round.

What a dispute may do by the round's status: it is raised on any. One on an open round is ruled in words alone, since
what was entered is still undone, amended, ruled on or voided at the table; a change waits for the close. On a closed
one (held or not) a ruling that changes something makes the line that is settled first, on a settled one the next line
and generation. A void round has given every stake back: a ruling on it is words.
"""

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from audit import log
from casino import settings_of_house
from casino.errors import Refused
from casino.games import registry

from ..models import Action, Dispute, Line, Round
from . import cases, corrections, grounds, payments

ABOUT = ("announcement", "payment", "ranking", "pot", "illegal play", "other")
MAX_STATEMENT = 2000


def raise_dispute(*, standing, about, boxes, statement, actor):
    """Contest a round, which opens a case; its play, its settlement and its payments go on.

    :param about: a clause of the round's game, or one of `ABOUT`.
    :param boxes: numbers of boxes in play; () for the whole table.
    :raises Refused: `about_unknown`, `box_unknown`, `statement_missing`, `statement_wrong`, `dispute_raised` if the
        very same waits for its ruling already.
    """
    contested = standing.round
    folded = standing.folded
    game = folded.game
    if about not in ABOUT and about not in game.clauses:
        raise Refused(
            "about_unknown",
            f"{about!r} is neither a clause of {game.name} nor a word for what is disputed.",
            status=422,
            path="about",
            way_out=f"Name a clause, or one of: {', '.join(ABOUT)}.",
        )
    played = [box.number for box in game.view(folded.state).boxes]
    for box in boxes:
        if box not in played or boxes.count(box) > 1:
            raise Refused(
                "box_unknown",
                f"Box {box} is named twice." if box in played else f"Box {box} is not in play.",
                status=422,
                path="boxes",
                way_out=f"In play: {', '.join(map(str, played)) or 'none yet'}. Name each box once, or none for the"
                " whole table.",
            )
    statement = grounds.checked_reason(statement, needed=True, name="statement", most=MAX_STATEMENT)
    contents = {"about": about, "boxes": sorted(boxes), "statement": statement}
    same = contested.disputes.filter(status=Dispute.Status.OPEN, **contents).first()
    if same:
        raise Refused(
            "dispute_raised",
            f"{same} of round {contested} says the same and waits for its ruling.",
            way_out="Wait for the ruling, or say what else is disputed.",
        )
    dispute = Dispute.objects.create(
        round=contested,
        **contents,
        salt=log.salt(statement),
        raised_by=actor.by,
        terminal=actor.terminal,
    )
    dispute.refresh_from_db()
    log.record(
        "dispute.raised",
        contested.ref,
        chain=contested.table.ref,
        actor=actor,
        facts={
            "dispute": dispute.ref,
            "clause": about,
            "boxes": dispute.boxes,
            "reason": grounds.salted(dispute.salt, statement),
            "requester": actor.ref,
        },
    )
    cases.open_dispute(dispute, dealers(contested), actor)
    return dispute


def rule(*, standing, dispute_id, line, ruling, clause, reason, actor, changes=None):
    """Uphold or refuse a dispute, once, which decides its case. One that changes the round makes its next line.

    Whoever has signed, although nobody had to, stands in the ruling too.

    :param line: how many complete lines of the round the caller saw.
    :param changes: as in `corrections.correct`; empty where the ruling leaves the round as it is.
    :raises Refused: `dispute_ruled`, `dealt_it`, `stale_version`, `ruling_unknown`, `clause_unknown`,
        `changes_unexpected`, `same_person`, `second_raised`, `second_dealt`, `round_wrong_moment`, and what
        `corrections.correct` refuses.
    """
    contested = standing.round
    dispute = Dispute.objects.select_for_update(no_key=True).get(pk=dispute_id, round=contested)
    # Locked before anything is recorded, as the dispute is.
    case = cases.of_dispute(dispute)
    _check_ruler(contested, dispute, line, actor.by)
    if ruling not in Dispute.Ruling.values:
        raise _wrong("ruling_unknown", f"{ruling!r} is no ruling.", "ruling", "Send upheld or refused.")
    if clause not in registry.GAMES[contested.sheet.game].clauses:
        raise _wrong("clause_unknown", f"{clause!r} is no clause of this game.", "clause", "Name the one you rule by.")
    reason = grounds.checked_reason(reason, needed=True)
    if ruling != Dispute.Ruling.UPHELD and changes:
        raise _wrong(
            "changes_unexpected",
            "A refused dispute leaves the round as it is.",
            "changes",
            "Leave the changes out, or uphold the dispute.",
        )
    _check_second(contested, dispute, takes_two(ruling, changes), actor)
    next_line = None
    if changes:
        _check_changeable(contested)
        corrections.correct(
            standing=standing,
            line=line,
            changes=changes,
            clause=clause,
            reason=reason,
            actor=actor,
            by_ruling=True,
        )
        contested.refresh_from_db()
        next_line = contested.lines.get(ordinal=line + 1)
    Dispute.objects.filter(pk=dispute.pk).update(
        status=Dispute.Status.RULED,
        ruling=ruling,
        clause=clause,
        reason=reason,
        reason_salt=log.salt(reason),
        line=next_line,
        ruled_by=actor.by,
        approved_by=actor.approved_by,
        ruled_at=Now(),
    )
    dispute.refresh_from_db()
    dispute.round = contested
    _record_ruling(contested, dispute, actor)
    if case:
        cases.decide_dispute(case, dispute, actor)
    payments.close_disputes(contested, actor=actor)
    dispute.refresh_from_db()
    return dispute


def _check_ruler(contested, dispute, line, person):
    """Refuse what was ruled meanwhile, a person who dealt the round, and one who saw another line."""
    if dispute.status != Dispute.Status.OPEN:
        raise Refused(
            "dispute_ruled",
            f"Staff {dispute.ruled_by_id} ruled meanwhile: {dispute} was {dispute.get_ruling_display()} by"
            f" {dispute.clause}.",
            way_out="Look at the ruling. Who contests the round again raises another dispute.",
        )
    if dealt_by(person).filter(pk=contested.pk).exists():
        raise Refused(
            "dealt_it",
            f"You acted in round {contested}, so you do not rule on it.",
            status=403,
            way_out="A pit boss who took no action in the round rules.",
        )
    lines = contested.lines.count()
    if line != lines:
        raise Refused(
            "stale_version",
            f"Round {contested} is no longer as you saw it: you saw {line} lines, there are {lines}.",
            path="line",
            way_out="Look at the round as it is now and decide again.",
            detail={"line": lines},
        )


def takes_two(ruling, changes):
    """Whether a ruling takes a second person, whoever rules: who raised the dispute never rules alone."""
    if ruling == Dispute.Ruling.REFUSED:
        return settings_of_house.value("refusal_people") > 1
    return bool(changes)


def _check_second(contested, dispute, needed, actor):
    """Refuse one person where it takes two, and a second one who has a part in it; the database refuses the same."""
    second = actor.approved_by
    if second is None and not needed and dispute.raised_by_id != actor.by.pk:
        return
    grounds.two_people(actor)
    for code, fact, concerns in (
        ("second_raised", f"raised {dispute}", second.pk == dispute.raised_by_id),
        ("second_dealt", f"acted in round {contested}", second.pk in dealers(contested)),
    ):
        if concerns:
            raise _wrong(
                code,
                f"The second person {fact}.",
                "signature",
                "Somebody signs who neither raised the dispute nor acted in the round: another pit boss, of any pit.",
            )


def _check_changeable(contested):
    """Refuse changes of a round that takes none now."""
    if contested.status == Round.Status.OPEN:
        raise grounds.wrong_moment(
            contested,
            "Before close, undo or amend the action, rule on the box or void the round; rule on the dispute after.",
        )
    if contested.status == Round.Status.VOIDED:
        raise grounds.wrong_moment(contested, "Every stake goes back already; rule without changes.")


def _record_ruling(contested, dispute, actor):
    """The log's entry of a ruling; `line` and `generation` are those that it made, if it made any."""
    settlement = contested.settlement
    log.record(
        "dispute.ruled",
        contested.ref,
        chain=contested.table.ref,
        actor=actor,
        facts={
            "dispute": dispute.ref,
            "ruling": dispute.ruling,
            "clause": dispute.clause,
            "reason": grounds.salted(dispute.reason_salt, dispute.reason),
            "requester": actor.ref,
            "approver": actor.approver,
            "line": dispute.line and dispute.line.ordinal,
            "generation": (settlement.generation if settlement else 1) if dispute.line else None,
        },
    )


def dealt_by(person):
    """The rounds that somebody opened, acted in or closed."""
    acted = Action.objects.filter(round=OuterRef("pk"), by=person)
    closed = Line.objects.filter(round=OuterRef("pk"), by=person, ordinal=1)
    return Round.objects.filter(Q(opened_by=person) | Exists(acted) | Exists(closed))


def dealers(round_):
    """The ids of those who opened, acted in or closed a round."""
    acted = Action.objects.filter(round=round_).values_list("by_id", flat=True)
    closed = Line.objects.filter(round=round_, ordinal=1).values_list("by_id", flat=True)
    return {round_.opened_by_id, *acted, *closed}


def _wrong(code, message, path, way_out):
    return Refused(code, message, status=422, path=path, way_out=way_out)
