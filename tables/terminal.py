"""The croupier's terminal as primitives for its templates: they neither ask the database nor compute.

Nothing here asks which game it is: phases, offers, cards, words and results are the game's own.
"""

import json
from collections import Counter
from typing import NamedTuple

from django.utils import timezone

from casino import money
from casino.games import registry

from . import felt, rulesheets
from .models import Round

CHIP_KEYS = "QWERTYUIOP"
LAST_KEY = "L"
LATE_SECONDS = 10
PIT_BOSS_OPENS = "The pit boss opens the table."


class Ground(NamedTuple):
    """All that the screen shows besides the round itself. `last` are a box's latest arguments, by (kind, box)."""

    table: object
    casino: object
    seq: int
    staff_id: int
    may_act: bool
    croupier_id: int | None
    in_session: bool
    sheet: object
    last: dict

    def spell(self, units):
        return money.spell(units, self.casino.currency_decimals)

    @property
    def denominations(self):
        return tuple(self.table.chip_set.denominations)


def croupier(staff_id):
    """A croupier on a public screen: a number, never a name."""
    return f"Staff {staff_id}" if staff_id else "No croupier"


def screen(round_, folded, found, *, ground):
    """Everything that the templates print. `folded` and `found` are of the round; None before the first."""
    game = registry.GAMES[ground.sheet.game] if ground.sheet else None
    sheet = game and rulesheets.checked(ground.sheet)
    state = folded.state if folded else sheet and game.start(sheet, (), None)
    view = state and game.view(state)
    moment = _moment(round_, ground)
    deck = sheet and game.deck(sheet)
    offers = _offers(game, state, view, deck, moment, round_, ground)
    buttons = offers if ground.may_act else []
    shown = view and felt.Felt(game, view, moment, offers, found, ground)
    enters_cards = _enters(offers, "card") or _enters(offers, "cards")
    boxes = shown.boxes() if shown else []
    settled = shown.settled() if found else []
    ended = moment in {"settling", "settled", "void"} or (moment == "open" and view.final)
    return {
        "table": {"id": ground.table.pk, "name": ground.table.name},
        "round": round_ and {"id": round_.pk, "number": round_.number},
        "version": folded.version if folded else 0,
        "seq": ground.seq,
        "staff": ground.staff_id,
        "moment": moment,
        "layout": "show" if enters_cards or ended else "arched",
        "steps": _steps(game, view, moment),
        "facts": _facts(game, ground),
        "clock": _clock(round_),
        "croupier": croupier(ground.croupier_id),
        "dealer": shown.dealer() if shown else {"headline": felt.TABLE_CLOSED},
        "boxes": boxes,
        "buttons": buttons,
        "chips": _tray(buttons, ground),
        "grid": felt.grid(deck, view) if enters_cards and ground.may_act else [],
        "settled": settled,
        "keys": _key_sheet(game, buttons),
        "remark": _remark(moment, round_, ground),
        "dock_note": _dock_note(moment, view, offers, ground),
        "client_json": json.dumps(
            {
                "offers": buttons,
                "places": [box["number"] for box in boxes],
                "ring": _ring(view, offers, settled),
                "explained": [pay["number"] for pay in settled],
                "decimals": ground.casino.currency_decimals,
            }
        ),
    }


def _moment(round_, ground):
    """Where the table stands: one word that says which of the screen's parts are shown."""
    if not ground.in_session:
        return "closed"
    if round_ is None:
        return "idle" if ground.sheet else "closed"
    if round_.held_at and round_.status == Round.Status.OPEN:
        return "held"
    return {"OPEN": "open", "CLOSED": "settling", "SETTLED": "settled", "VOIDED": "void"}[round_.status]


def _remark(moment, round_, ground):
    """The line in the bar where there is no button to press, and why."""
    if moment == "closed":
        return PIT_BOSS_OPENS if not ground.in_session else "No rule sheet is in force. The pit boss sets one."
    if moment == "held":
        return "The round is held. The pit boss releases it, rules on it or voids it."
    if not ground.may_act:
        return "You only watch: the croupier signed on here acts."
    if moment == "settling":
        return "Held: the pit boss looks at it." if round_.held_at else "Settling …"
    return "The round is void: all stakes go back." if moment == "void" else ""


def _dock_note(moment, view, offers, ground):
    """What the dock says where there is nothing to enter and nothing to pay yet."""
    if moment == "open" and not ground.may_act:
        return next((f"The croupier’s next step: {offer['label']}." for offer in offers if offer["primary"]), "")
    if moment == "settling":
        return "The round is closed. What to hand over appears here by itself."
    if moment == "open" and view.final:
        return "All is entered. Close the round to see what to hand over."
    return ""


def _key_sheet(game, offers):
    """Each letter once, with what it does."""
    keys = {offer["key"]: game.ACTIONS[offer["kind"]].label if offer["kind"] else offer["label"] for offer in offers}
    return [{"key": key, "label": label} for key, label in keys.items() if key]


def _steps(game, view, moment):
    """The round's phases and Pay at the end: which are done, which is now."""
    if game is None:
        return []
    codes = [*game.PHASES, felt.PAY]
    now = {"settling": felt.PAY, "settled": felt.PAY, "idle": None, "closed": None, "void": None}.get(
        moment, view.phase
    )
    at = codes.index(now) if now else -1
    return [
        {"label": game.PHASES.get(code, code), "state": "now" if index == at else "done" if index < at else ""}
        for index, code in enumerate(codes)
    ]


def _facts(game, ground):
    if game is None:
        return []
    values = ground.sheet.values
    limits = {parameter.name for parameter in game.PARAMETERS if parameter.kind == "units"}
    facts = []
    for name in sorted(limits):
        stem, _, end = name.rpartition("_")
        if end == "minimum" and f"{stem}_maximum" in limits:
            span = f"{ground.spell(values[name])}–{ground.spell(values[f'{stem}_maximum'])}"
            facts.append({"label": f"{stem.replace('_', ' ').capitalize()}, {ground.casino.currency}", "value": span})
    return [*facts, {"label": "Rule sheet", "value": ground.sheet.short}]


def _clock(round_):
    """Seconds since the round opened, and whether they still run."""
    if round_ is None:
        return None
    end = round_.closed_at or timezone.now()
    return {"seconds": max(0, int((end - round_.opened_at).total_seconds())), "runs": round_.closed_at is None}


def _offers(game, state, view, deck, moment, round_, ground):
    """The buttons of the bar. The bar shows those of the whole table and of the ringed box; the page's script knows."""
    if moment == "idle":
        return [_command("open", "Open round")]
    if moment in {"settled", "void"} or (moment == "settling" and _settles_late(round_)):
        return [_command("open", "Next round")]
    if moment != "open":
        return []
    if view.final:
        return [_command("close", "Close round")]
    offers = [offer for offer in game.legal(state) if offer.role == "croupier"]
    stakes = any(_has(offer, "units") for offer in offers)
    chips = CHIP_KEYS[: len(ground.denominations)] + LAST_KEY if stakes else ""
    typed = "".join(deck.copies) if any(_has(offer, "card", "cards") for offer in offers) else ""
    keys = _keys(game, offers, chips + typed.upper())
    of_box = Counter(offer.box for offer in offers)
    return [
        {
            "command": "act",
            "kind": offer.kind,
            "box": offer.box,
            "label": offer.label,
            "amount": "" if offer.units is None else ground.spell(offer.units),
            "fields": [_field(offer, field, ground) for field in offer.fields],
            "primary": offer.primary,
            "key": keys[offer.kind],
            # A player's choice is keyed by its own letter; Enter is for the house's own steps.
            "enter": bool(offer.fields) or offer.box is None or of_box[offer.box] == 1,
        }
        for offer in offers
    ]


def _settles_late(round_):
    """The table goes on without the amounts: they will be on the round's page."""
    return round_.held_at or (timezone.now() - round_.closed_at).total_seconds() > LATE_SECONDS


def _command(command, label):
    return {
        "command": command,
        "kind": None,
        "box": None,
        "label": label,
        "amount": "",
        "fields": [],
        "primary": True,
        "key": "N",
        "enter": True,
    }


def _has(offer, *kinds):
    return any(field.kind in kinds for field in offer.fields)


def _enters(offers, kind):
    return any(field["kind"] == kind for offer in offers for field in offer["fields"])


def _field(offer, field, ground):
    last = ground.last.get((offer.kind, offer.box), {}).get(field.name)
    return {
        "name": field.name,
        "kind": field.kind,
        "label": field.label,
        "minimum": field.minimum,
        "maximum": field.maximum,
        "step": field.step,
        "options": list(field.options),
        "optional": field.optional,
        "last": last if field.kind == "units" else None,
    }


def _keys(game, offers, taken):
    """A letter for each kind of action: the first of its label that is free, the expected action choosing first."""
    kinds = dict.fromkeys(offer.kind for offer in sorted(offers, key=lambda offer: not offer.primary))
    keys = {}
    for kind in kinds:
        letters = [letter for letter in game.ACTIONS[kind].label.upper() if letter.isalpha()]
        keys[kind] = next((letter for letter in letters if letter not in taken), "")
        taken += keys[kind]
    return keys


def _ring(view, offers, settled):
    """The box that is asked first, or paid first; the script moves the ring from here."""
    if settled:
        return next((pay["number"] for pay in settled if pay["wins"]), settled[0]["number"])
    boxes = [offer["box"] for offer in offers if offer["primary"]] + [o["box"] for o in offers if o["fields"]]
    return (view and view.turn) or next((box for box in boxes if box), None)


def _tray(offers, ground):
    """The chips to tap an amount together, each with its key; none that is above every limit."""
    limits = [field["maximum"] for offer in offers for field in offer["fields"] if field["kind"] == "units"]
    chips = [units for units in sorted(ground.denominations) if units <= max(limits, default=0)]
    return [
        {**felt.chip(units, ground), "key": CHIP_KEYS[index] if index < len(CHIP_KEYS) else ""}
        for index, units in enumerate(chips)
    ]
