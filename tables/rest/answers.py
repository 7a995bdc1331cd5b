"""REST's answers: a round, its actions and interventions, and its result. Values in, JSON out."""

import json

from casino.games import lines

from ..models import Case, Round
from ..verbs import fold, payments, results


def plain(value):
    """A core value as JSON: named tuples become objects, all else stays."""
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def round_json(round_):
    """A round as a client reads it: where it is, what may be seen, what is legal now, and what it came to."""
    actions = list(round_.actions.select_related("terminal"))
    return _round(round_, actions, fold.of(round_, actions=actions), _interventions(round_))


def brief_json(round_id, version):
    """What a client needs to go on with a round, if it wants no more."""
    return {"id": round_id, "version": version}


def standing_json(standing):
    """The JSON of an open round that was locked, as it stands after the command."""
    interventions = _interventions(standing.round) if standing.round.intervened else []
    return _round(standing.round, standing.actions, standing.folded, interventions)


def _interventions(round_):
    return list(round_.interventions.select_related("terminal"))


def _round(round_, actions, folded, interventions):
    game, state = folded.game, folded.state
    line = None if round_.status in {Round.Status.OPEN, Round.Status.VOIDED} else round_.lines.last()
    return {
        "id": round_.pk,
        "number": str(round_),
        "table": round_.table_id,
        "game": game.code,
        "status": round_.status,
        "phase": round_.phase,
        "version": folded.version,
        "line": line.ordinal if line else 0,
        "hold": _hold(round_, interventions),
        "sheet": round_.sheet.digest,
        "opened_at": _at(round_.opened_at),
        "opened_by": _staff(round_.opened_by_id),
        "happened_at": _at(round_.happened_at),
        "paper": round_.paper,
        "opened_with": _staff(round_.opened_with_id),
        "closed_at": _at(round_.closed_at),
        "settled_at": _at(round_.settled_at),
        "view": plain(game.view(state)),
        "legal": plain(legal(round_, game, state)),
        "actions": _actions(round_, actions, folded),
        "interventions": [_intervention(intervention) for intervention in interventions],
        "slots": plain(lines.slots(game, json.loads(line.text))) if line else [],
        "result": _result(results.of(round_)),
    }


def legal(round_, game, state):
    """What may happen now: nothing unless the round is open; in a held one, only what the pit boss does."""
    if round_.status != Round.Status.OPEN:
        return ()
    return tuple(offer for offer in game.legal(state) if offer.role == "pit_boss" or not round_.held_at)


def _at(moment):
    """JSON text has no dates of its own, and an answer is stored as text."""
    return moment and moment.isoformat()


def _ref(row):
    return row and row.ref


def _staff(number):
    """A person as `Staff.ref` names them, by their id alone."""
    return number and f"staff:{number}"


def _hold(round_, interventions):
    if not round_.held_at:
        return None
    held = [intervention for intervention in interventions if intervention.kind == "held"][-1]
    return {
        "ordinal": held.ordinal,
        "clause": held.clause,
        "box": held.box,
        "at": _at(round_.held_at),
        "by": _staff(held.by_id) or "system",
    }


def _actions(round_, actions, folded):
    """Every action in order; `undone` ones no longer count, cards that lie face down are hidden."""
    face_down, counting = fold.face_down(round_, actions, folded), {action.ordinal for action in folded.counting}
    return [
        {
            "ordinal": action.ordinal,
            "phase": action.phase,
            "kind": action.kind,
            "box": action.box,
            "arguments": face_down[action.ordinal].arguments if action.ordinal in face_down else action.arguments,
            "by": _staff(action.by_id),
            "approved_by": _staff(action.approved_by_id),
            "terminal": action.terminal and action.terminal.name,
            "at": _at(action.at),
            "undoes": action.undoes,
            "undone": action.kind != action.UNDO and action.ordinal not in counting,
        }
        for action in actions
    ]


def _intervention(intervention):
    return {
        "ordinal": intervention.ordinal,
        "kind": intervention.kind,
        "clause": intervention.clause,
        "box": intervention.box,
        "reason": intervention.reason,
        "by": _staff(intervention.by_id) or "system",
        "approved_by": _staff(intervention.approved_by_id),
        "terminal": intervention.terminal and intervention.terminal.name,
        "at": _at(intervention.at),
    }


def dispute_json(dispute):
    """A dispute with its statement and, once it is ruled on, its ruling and what that made."""
    settlement = dispute.round.settlement
    return {
        "id": dispute.pk,
        "case": Case.objects.filter(subject=dispute.ref).values_list("pk", flat=True).first(),
        "round": dispute.round_id,
        "number": str(dispute.round),
        "table": dispute.round.table_id,
        "status": dispute.status,
        "about": dispute.about,
        "boxes": dispute.boxes,
        "statement": dispute.statement,
        "raised_by": dispute.raised_by.ref,
        "terminal": dispute.terminal and dispute.terminal.name,
        "raised_at": _at(dispute.raised_at),
        "ruling": dispute.ruling,
        "clause": dispute.clause,
        "reason": dispute.reason,
        "ruled_by": _ref(dispute.ruled_by),
        "approved_by": _ref(dispute.approved_by),
        "ruled_at": _at(dispute.ruled_at),
        "line": dispute.line and dispute.line.ordinal,
        "generation": settlement and settlement.generation,
        "to_hand_over": [{"box": paid.box, "units": paid.left_units} for paid in payments.outstanding(dispute.round)],
        "closed_at": _at(dispute.closed_at),
    }


def _result(result):
    if result is None:
        return None
    return {
        "generation": result.generation,
        "payments": [payment._asdict() for payment in result.payments],
        "explanation": [{"box": why.box, "clause": why.clause, "text": why.text} for why in result.reasons],
    }
