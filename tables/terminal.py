"""The croupier's terminal as primitives for its templates: they neither ask the database nor compute.

Nothing here asks which game it is: phases, offers, cards, words and results are the game's own.
"""

import json
from collections import Counter
from typing import NamedTuple

from django.utils import timezone

from audit.models import Chain
from casino import cards as playing_cards
from casino import money
from casino.games import registry
from casino.models import Casino
from casino.roles import Verb

from . import results, rounds, rulesheets
from .models import Action, Round, Session, SignOn

PAY = "Pay"
ICONS = {
    "wait": "wait",
    "next": "next",
    "bet": "bet",
    "bought": "buy",
    "folded": "fold",
    "shown": "eye",
    "ruled": "scale",
    "empty": "empty",
    "pay": "bet",
    "back": "back",
    "taken": "take",
}
CHIP_KEYS = "QWERTYUIOP"
PIT_BOSS_OPENS = "The pit boss opens the table."


class Ground(NamedTuple):
    """All that the screen shows besides the round itself. `last` are a box's latest arguments, by (kind, box)."""

    table: object
    casino: Casino
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


def read(table, staff):
    """The screen of a table for a person, from the database."""
    # Before anything else: what happens while we read then has a higher number, and the page looks again.
    seq = Chain.objects.values_list("seq", flat=True).get(key=table.ref)
    session = Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    latest = list(
        Round.objects.filter(session=session)
        .select_related("table", "sheet", "settlement")
        .order_by("-number")[: 2 if session else 0]
    )
    round_ = latest[0] if latest else None
    ground = Ground(
        table=table,
        casino=Casino.objects.get(),
        seq=seq,
        staff_id=staff.pk,
        may_act=staff.has_perm(Verb.ACT, table),
        croupier_id=SignOn.objects.filter(table=table, signed_off_at=None).values_list("staff_id", flat=True).first(),
        in_session=session is not None,
        sheet=round_.sheet if round_ else rulesheets.in_force(table),
        last=_last_arguments(latest[1]) if len(latest) > 1 else {},
    )
    return screen(
        round_, rounds.fold(round_) if round_ else None, results.of(round_) if round_ else None, ground=ground
    )


def hall(tables):
    """The tables of a list as tiles: open or not, who deals, how far they are."""
    open_ = set(Session.objects.filter(table__in=tables, status=Session.Status.OPEN).values_list("table_id", flat=True))
    dealing = dict(SignOn.objects.filter(table__in=tables, signed_off_at=None).values_list("table_id", "staff_id"))
    return [
        {
            "id": table.pk,
            "name": table.name,
            "pit": table.pit.name,
            "open": table.pk in open_,
            "croupier": _croupier(dealing.get(table.pk)),
            "round": f"Round {table.last_number}" if table.last_number else "No round yet",
        }
        for table in tables
    ]


def _croupier(staff_id):
    """A croupier on a public screen: a number, never a name."""
    return f"Staff {staff_id}" if staff_id else "No croupier"


def _last_arguments(round_):
    """What each box did last in a round, by (kind, box): `same as last time`."""
    undone = Action.objects.filter(round=round_).exclude(undoes=None).values("undoes")
    done = Action.objects.filter(round=round_, undoes=None).exclude(ordinal__in=undone).order_by("ordinal")
    return {(kind, box): arguments for kind, box, arguments in done.values_list("kind", "box", "arguments")}


def screen(round_, folded, found, *, ground):
    """Everything that the templates print. `folded` and `found` are of the round; None before the first."""
    game = registry.GAMES[ground.sheet.game] if ground.sheet else None
    sheet = game and rulesheets.checked(ground.sheet)
    state = folded.state if folded else sheet and game.start(sheet, (), None)
    view = state and game.view(state)
    moment = _moment(round_, ground)
    deck = sheet and game.deck(sheet)
    offers = _offers(game, state, view, deck, moment, ground)
    shown = _Shown(game, view, moment, found, ground)
    enters_cards = _enters(offers, "card") or _enters(offers, "cards")
    boxes = shown.boxes() if view else []
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
        "croupier": _croupier(ground.croupier_id),
        "dealer": shown.dealer() if view else {"headline": "No rule sheet"},
        "boxes": boxes,
        "buttons": offers,
        "chips": _tray(offers, ground),
        "grid": _grid(deck, view) if enters_cards else [],
        "settled": settled,
        "keys": _key_sheet(game, offers),
        "remark": _remark(moment, round_, ground),
        "dock_note": _dock_note(moment, view),
        "client_json": json.dumps(
            {
                "offers": offers,
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


def _dock_note(moment, view):
    """What the dock says where there is nothing to enter and nothing to pay yet."""
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
    codes = [*game.PHASES, PAY]
    now = {"settling": PAY, "settled": PAY, "idle": None, "closed": None, "void": None}.get(moment, view.phase)
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


def _offers(game, state, view, deck, moment, ground):
    """The buttons of the bar. The bar shows those of the whole table and of the ringed box; the page's script knows."""
    if not ground.may_act or moment in {"closed", "held"}:
        return []
    if moment == "idle":
        return [_command("open", "Open round")]
    if moment != "open":
        return [_command("open", "Next round", primary=moment != "settling")]
    if view.final:
        return [_command("close", "Close round")]
    offers = [offer for offer in game.legal(state) if offer.role == "croupier"]
    chips = CHIP_KEYS[: len(ground.denominations)] if any(_has(offer, "units") for offer in offers) else ""
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


def _command(command, label, *, primary=True):
    return {
        "command": command,
        "kind": None,
        "box": None,
        "label": label,
        "amount": "",
        "fields": [],
        "primary": primary,
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


def _grid(deck, view):
    """The deck row by row, with what is left of each card and where the others lie."""
    lying = {}
    for hand in view.hands:
        for card in filter(None, hand.cards):
            lying.setdefault(card, []).append(_place(hand.box))
    rows = deck.order or [list(deck.copies)]
    return [
        [
            {**face(card), "left": deck.copies[card] - len(lying.get(card, ())), "lies": lying.get(card, [""])[-1]}
            for card in row
        ]
        for row in rows
    ]


def _place(box):
    return "Dealer" if box is None else f"Box {box}"


def face(card):
    """How a card is drawn: rank and suit of playing cards, else its code as text."""
    if card in playing_cards.VALUE:
        text, suit = card[0].replace("T", "10"), card[1]
        return {"code": card, "text": text, "suit": suit, "name": playing_cards.card_name(card)}
    return {"code": card, "text": card, "suit": "", "name": card}


def _tray(offers, ground):
    """The chips to tap an amount together, each with its key; none that is above every limit."""
    limits = [field["maximum"] for offer in offers for field in offer["fields"] if field["kind"] == "units"]
    chips = [units for units in sorted(ground.denominations) if units <= max(limits, default=0)]
    return [
        {**_chip(units, ground), "key": CHIP_KEYS[index] if index < len(CHIP_KEYS) else ""}
        for index, units in enumerate(chips)
    ]


def _chip(units, ground):
    colours = dict(zip(ground.denominations, ground.table.chip_set.colours, strict=True))
    red, green, blue = (int(colours[units][at : at + 2], 16) for at in (1, 3, 5))
    light = 299 * red + 587 * green + 114 * blue > 150_000
    text = ground.spell(units).replace("\u2009", "")
    return {
        "units": units,
        "text": text,
        "colour": colours[units],
        "ink": "#12201a" if light else "#ffffff",
        "long": len(text) > 3,
    }


class _Shown:
    """What lies on the table in a view, and what became of it."""

    def __init__(self, game, view, moment, found, ground):
        self.view, self.moment, self.found, self.ground = view, moment, found, ground
        self.words = getattr(game, "WORDS", {})
        self.played = {box.number: box for box in view.boxes} if view else {}
        self.payments = {payment[0]: payment for payment in found.payments} if found else {}

    def word(self, code):
        """What a code is called; `stand_off` reads Stand off where the game has no word for it."""
        return self.words.get(code) or code.replace("_", " ").capitalize()

    def dealer(self):
        """The dealer's cards with what is said of them; one headline where there are none."""
        view = self.view
        hands = self._hands(None)
        say = view.say if self.moment in {"open", "held"} else ""
        pot = f"Pot {self.ground.spell(view.pot_units)}" if view.pot_units else ""
        return {
            "text": view.dealer,
            "hands": hands,
            "say": say,
            "headline": "" if hands else pot or (say and f"“{say}”") or "No round open",
        }

    def boxes(self):
        return [self._box(number) for number in self.view.places]

    def _box(self, number):
        box = self.played.get(number)
        payment = self.payments.get(number)
        state, label = self._state(box, payment)
        return {
            "number": number,
            "state": state,
            "label": label,
            "icon": ICONS.get(state, "wait"),
            "ring_label": label if self.found or state == "next" else "Next",
            "note": box.note if box and not self.found else "",
            "hands": self._hands(number) if box else [],
            "wagers": [self._wager(wager) for wager in reversed(self.view.wagers) if wager.box == number],
            "result": payment and self._result(payment),
        }

    def _state(self, box, payment):
        if box is None:
            return "empty", "Empty"
        if payment is None or box.state in {"folded", "ruled"}:
            return box.state, box.label
        _, _, _, returned, paid, *_ = payment
        return ("pay", PAY) if paid else ("back", "Back") if returned else ("taken", "Taken")

    def _hands(self, box):
        return [
            {
                "word": self.word(hand.kind),
                "label": hand.label,
                "cards": [card and face(card) for card in hand.cards],
            }
            for hand in self.view.hands
            if hand.box == box
        ]

    def _wager(self, wager):
        tally = money.chips(wager.units, self.ground.denominations)
        discs = [units for units, count in tally for _ in range(count)]
        if len(discs) > 4:
            discs = [units for units, _ in tally][:4]
        return {
            "word": self.word(wager.kind),
            "amount": self.ground.spell(wager.units),
            "chips": [_chip(units, self.ground) for units in discs],
        }

    def _result(self, payment):
        """What the croupier hands over for a box, or else what the house took of it."""
        _, outcome, _, _, paid, net, clauses = payment
        return {
            "word": self.word(outcome),
            "clauses": _clauses(clauses),
            "amount": self.ground.spell(paid or net),
        }

    def settled(self):
        """For each box what to hand over, in chips, and why."""
        shown = []
        for box, outcome, staked, returned, paid, net, _ in self.found.payments:
            heading = f"Hand over to box {box}" if paid else f"Box {box}: stakes go back"
            if not paid and not returned:
                heading = f"Taken from box {box}"
            sums = {"Staked": staked, "goes back": returned, "paid": paid, "net": net}
            shown.append(
                {
                    "number": box,
                    "word": self.word(outcome),
                    "wins": paid > 0,
                    "heading": heading,
                    "amount": self.ground.spell(paid or returned or net),
                    "tally": [
                        {"count": count, "chip": _chip(units, self.ground)}
                        for units, count in money.chips(paid, self.ground.denominations)
                    ],
                    "sums": [{"label": label, "amount": self.ground.spell(units)} for label, units in sums.items()],
                    "reasons": [
                        {"clause": clause, "text": text}
                        for of_box, clause, text in self.found.reasons
                        if of_box is None or str(of_box) == str(box)
                    ],
                }
            )
        return shown


def _clauses(clauses):
    """Clauses in little room: the ones that follow leave out what they share.

    >>> _clauses(["split.12", "split.13", "house.2"])
    'split.12, .13, house.2'
    """
    short = []
    before = None
    for clause in clauses:
        family, _, number = clause.partition(".")
        short.append(f".{number}" if family == before else clause)
        before = family
    return ", ".join(short)
