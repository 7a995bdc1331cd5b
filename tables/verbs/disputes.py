"""Disputes: a round is contested, and somebody who did not deal it rules, once.

A dispute has a case: its number, its owner and its time. A second person signs for a ruling that changes the round, for
one that refuses (unless the house sets otherwise), and for one by whoever raised the dispute; the second person neither
raised it nor dealt the round.

A dispute may be raised on a round of any status, which decides what the ruling may do. On an open round it is words
alone, since entries can still be undone, amended, ruled on or voided at the table; a change waits for the close. On a
closed one (held or not) a ruling that changes something makes the line that is settled first, on a settled one the next
line and generation. A void round has given every stake back, so a ruling on it is words.
"""

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now

from audit import log
from casino import settings_of_house
from casino.games import registry
from casino.games.reading import shown

from ..models import Action, Dispute, Line, Round
from . import cases, corrections, grounds, payments
from .wording import WORDING

ABOUT = ("announcement", "payment", "ranking", "pot", "illegal play", "other")
MAX_STATEMENT = 2000


def raise_dispute(*, standing, about, boxes, statement, actor):
    """Contest a round, which opens a case; its play, its settlement and its payments go on.

    :param about: a clause of the round's game, or one of `ABOUT`.
    :param boxes: numbers of boxes in play; () for the whole table.
    :raises Refused: `about_unknown`, `box_unknown`, `statement_missing`, `statement_wrong`, `dispute_raised` if the
        very same dispute already waits for its ruling.
    """
    contested = standing.round
    folded = standing.folded
    game = folded.game
    if about not in ABOUT and about not in game.clauses:
        raise WORDING.refused("about_unknown", about=shown(about), game=game.name, words=", ".join(ABOUT))
    played = [box.number for box in game.view(folded.state).boxes]
    if boxes and not played:
        raise WORDING.refused("box_unknown:dispute_early", box=boxes[0])
    for box in boxes:
        if box not in played or boxes.count(box) > 1:
            raise WORDING.refused(
                "box_unknown:twice" if box in played else "box_unknown:dispute",
                box=box,
                boxes=", ".join(map(str, played)),
            )
    statement = grounds.checked_reason(statement, needed=True, name="statement", most=MAX_STATEMENT)
    contents = {"about": about, "boxes": sorted(boxes), "statement": statement}
    same = contested.disputes.filter(status=Dispute.Status.OPEN, **contents).first()
    if same:
        raise WORDING.refused("dispute_raised", number=same.pk, round=contested)
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
    """Uphold or refuse a dispute, once; this decides its case. A ruling that changes the round makes its next line.

    A second person who signed without need is named in the ruling too.

    :param line: how many complete lines of the round the caller saw.
    :param changes: as in `corrections.correct`; empty if the ruling leaves the round as it is.
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
        raise WORDING.refused("ruling_unknown", ruling=shown(ruling))
    if clause not in registry.GAMES[contested.sheet.game].clauses:
        raise WORDING.refused("clause_unknown:ruling", named=shown(clause))
    reason = grounds.checked_reason(reason, needed=True)
    if ruling != Dispute.Ruling.UPHELD and changes:
        raise WORDING.refused("changes_unexpected")
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
        raise WORDING.refused(
            "dispute_ruled",
            staff=dispute.ruled_by_id,
            dispute=dispute,
            ruling=dispute.get_ruling_display(),
            named=dispute.clause,
        )
    if dealt_by(person).filter(pk=contested.pk).exists():
        raise WORDING.refused("dealt_it", round=contested)
    lines = contested.lines.count()
    if line != lines:
        raise WORDING.refused("stale_version:line", round=contested, seen=line, newest=lines, detail={"line": lines})


def takes_two(ruling, changes):
    """Whether a ruling takes a second person, whoever rules; whoever raised the dispute never rules alone."""
    if ruling == Dispute.Ruling.REFUSED:
        return settings_of_house.value("refusal_people") > 1
    return bool(changes)


def _check_second(contested, dispute, needed, actor):
    """Refuse one person alone if it takes two, and a second person who has a part in it; so does the database."""
    second = actor.approved_by
    if second is None and not needed and dispute.raised_by_id != actor.by.pk:
        return
    grounds.two_people(actor)
    if second.pk == dispute.raised_by_id:
        raise WORDING.refused("second_raised", dispute=dispute)
    if second.pk in dealers(contested):
        raise WORDING.refused("second_dealt", round=contested)


def _check_changeable(contested):
    """Refuse changes if the round takes none now."""
    if contested.status == Round.Status.OPEN:
        raise grounds.wrong_moment(contested, WORDING("change_after_close"))
    if contested.status == Round.Status.VOIDED:
        raise grounds.wrong_moment(contested, of_void=WORDING("change_of_void"))


def _record_ruling(contested, dispute, actor):
    """Log a ruling; `line` and `generation` are those that it made, if it made any."""
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
