"""What may be reported about a round, why it is held, and what gets it going again, as primitives for the templates."""

from zoneinfo import ZoneInfo

from casino.games import registry

from ..models import Intervention, Round
from . import letters
from .actions import person
from .chips import given_back
from .wording import WORDING


def cases(game, round_, view):
    """The game's irregularities as the report sheet lists them, each with the effect of reporting it now."""
    holds = round_.status in {Round.Status.OPEN, Round.Status.CLOSED}
    boxes = [box.number for box in view.boxes]
    return {
        "boxes": boxes,
        "corrects": round_.status in {Round.Status.CLOSED, Round.Status.SETTLED},
        "list": [
            {
                "clause": case.clause,
                "event": case.event,
                "remedy": case.remedy,
                "stops": case.stops and holds,
                "asks": " ".join([*["box"] * case.asks_box, *["reason"] * case.reason]),
                "effect": WORDING("report.holds" if case.stops and holds else "report.records"),
                # Nothing to press if a held round can't be held again, or no box is in play.
                "off": WORDING("held.already")
                if case.stops and round_.held_at
                else WORDING("no_box_in_play")
                if case.asks_box and not boxes
                else "",
            }
            for case in game.irregularities
        ],
    }


def hold(round_, interventions, ground):
    """Why a held round is held, since when and by whom."""
    game = registry.GAMES[round_.sheet.game]
    held = next(held for held in reversed(interventions) if held.kind == Intervention.Kind.HELD)
    case = next((case for case in game.irregularities if case.clause == held.clause), None)
    since = round_.held_at.astimezone(ZoneInfo(ground.casino.time_zone))
    return {
        "ordinal": held.ordinal,
        "clause": held.clause or "",
        "box": held.box,
        "event": case.event if case else WORDING("held.unsettled"),
        "remedy": case.remedy if case else WORDING("held.unsettled.remedy"),
        "reason": held.reason,
        "ruling": case.ruling if case else None,
        "asks_reason": bool(case and case.reason),
        "time": since.strftime("%H:%M:%S"),
        "by": person(held.by_id) if held.by_id else WORDING("held.by_system"),
        "terminal": held.terminal.name if held.terminal else "",
        "closed": round_.status == Round.Status.CLOSED,
    }


def ways_out(game, state, held, round_, ground):
    """What gets a held round going again: each with its form, as far as it is filled in."""
    boss = WORDING("signs.yourself" if ground.may_rule else "signs.pit_boss")
    ways = [
        {
            "kind": "release",
            "label": WORDING("release"),
            "path": f"rounds/{round_.pk}/release/",
            "key": letters.Pause.RELEASE,
            "says": WORDING("release.says:closed" if held["closed"] else "release.says"),
            "reason": "needed" if held["asks_reason"] else "optional",
            "signs": boss,
            "primary": True,
        }
    ]
    if held["closed"]:
        return ways
    rulings = _rulings(game, state, held)
    # Whatever the clause prescribes comes before the release.
    prescribed = bool(held["ruling"] and rulings and any(box["on"] for box in rulings["boxes"]))
    ways[0]["primary"] = not prescribed
    if rulings:
        ways.append(
            {
                **rulings,
                "label": WORDING("rule"),
                "path": f"rounds/{round_.pk}/actions/",
                "key": letters.Pause.RULE,
                "says": WORDING("rule.says"),
                "reason": "",
                "signs": boss,
                "primary": prescribed,
            }
        )
    ways.append(
        {
            "kind": "void",
            "label": WORDING("void"),
            "path": f"rounds/{round_.pk}/void/",
            "key": letters.Pause.VOID,
            "says": WORDING("void.says"),
            "reason": "needed",
            "signs": WORDING(
                "void.signs:by_pit_boss" if ground.may_rule else "void.signs", who=person(ground.staff_id)
            ),
            "clauses": _clauses(game, [case.clause for case in game.irregularities], held["clause"]),
            "back": _back(game, state, ground),
            "primary": False,
        }
    )
    return ways


def _back(game, state, ground):
    """What a void gives back to each box, or collects from one that was paid in the round."""
    handed = {each.box: each.units for each in game.handed(state)}
    return [
        {"box": box, "amount": ground.spell(abs(units)), "collects": units < 0}
        for box, units in given_back(game.view(state), handed).items()
        if units
    ]


def _rulings(game, state, held):
    """The game's offers to the pit boss: the boxes to which they apply, and what is to be chosen."""
    offers = [offer for offer in game.legal(state) if offer.role == "pit_boss"]
    if not offers:
        return None
    kind = offers[0].kind
    choices = [
        {
            "name": field.name,
            "label": field.label,
            "options": [
                {"value": option, "label": game.words.get(option, option), "on": option == held["ruling"]}
                for option in field.options
            ],
            "clauses": _clauses(game, field.options, held["clause"]) if _names_clauses(game, field) else None,
        }
        for field in offers[0].fields
        if field.kind == "choice"
    ]
    boxes = [{"number": offer.box, "on": offer.box == held["box"]} for offer in offers if offer.kind == kind]
    return {"kind": kind, "choices": choices, "boxes": boxes}


def _names_clauses(game, field):
    return set(field.options) <= {case.clause for case in game.irregularities}


def _clauses(game, clauses, chosen):
    events = {case.clause: case.event for case in game.irregularities}
    return [{"value": clause, "event": events[clause], "on": clause == chosen} for clause in clauses]


def voided(round_, interventions):
    """The clause of a void round, and the reason."""
    game = registry.GAMES[round_.sheet.game]
    void = next(void for void in reversed(interventions) if void.kind == Intervention.Kind.VOIDED)
    event = next(case.event for case in game.irregularities if case.clause == void.clause)
    return {"clause": void.clause, "event": event, "reason": void.reason}
