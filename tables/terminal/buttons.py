"""The buttons of a terminal's bar, each with what it sends: what the game offers, and what goes with it."""

from collections import Counter

from casino.games.sentences import within
from casino.wording import read

from ..verbs import lateness
from ..verbs.fold import CARDS
from ..words import handing, letters
from ..words.actions import croupier
from . import felt
from .wording import WORDING

# At most this many values of a number are buttons of their own.
TAPS = 13
OVER = {"settling", "settled", "void"}


class Buttons:
    """The buttons that may be pressed on a screen now."""

    def __init__(self, screen):
        self.screen, self.ground, self.moment = screen, screen.ground, screen.moment
        self.round, self.folded = screen.round, screen.folded
        self.results, self.actions = screen.results, screen.actions
        self.game, self.deck, self.state, self.view = screen.game, screen.deck, screen.state, screen.view
        self.hold, self.ways, self.cases = screen.hold, screen.ways, screen.cases
        self.amended, self.seating = screen.amended, screen.seating

    def all(self):
        """Every button of the bar; the page's script shows those of the table or of the ringed box."""
        return [*self._calls(), *self._of_round()]

    def _calls(self):
        """In the corner of every page: the call for a pit boss, and for the pit boss the answer to it."""
        ground, call = self.ground, self.ground.call
        if call is None:
            return [_sheet("call", WORDING("call"), letters.Always.CALL)] if ground.may_call else []
        if not ground.may_take:
            return []
        if call.taken_by_id is None:
            return [self._call("take", WORDING("call_taken"), f"alarms/{call.pk}/take/")]
        return [self._call("over", WORDING("call_over"), f"alarms/{call.pk}/over/")]

    def _call(self, kind, label, path):
        return {**_command(kind, label, path, quiet=True, key=letters.Always.CALL), "icon": "bell"}

    def _of_round(self):
        """The buttons of the round or, if there is none, of the table."""
        ground, quiet = self.ground, []
        if self.round and self.moment not in {"away", "closed"}:
            if self.cases:
                quiet.append(_sheet("report", WORDING("report"), letters.Always.REPORT))
            if ground.may_dispute:
                quiet.append(_sheet("dispute", WORDING("dispute"), letters.Always.DISPUTE))
            if self.screen.may_enter and self.moment == "open" and (undo := self.actions.undo()):
                quiet.append(self._undo(undo))
            quiet.append(_sheet("actions", WORDING("entered"), letters.Always.ACTIONS))
            if ground.ahead.in_series and ground.may_act and self.moment in OVER:
                quiet.append(_sheet("end-series", WORDING("series_end"), letters.Pause.SERIES))
        if self.screen.sells and not self.amended:
            quiet.append(_sheet("buy-in", WORDING("buy_in"), letters.Chips.BUY_IN) | {"hint": WORDING("buy_in.hint")})
            quiet.append(_sheet("tip", WORDING("tip"), letters.Chips.TIP) | {"hint": WORDING("tip.hint")})
        if ground.may_sign_on and ground.may_sign_on_here and not ground.may_act:
            return [*quiet, self._sign_on()]
        if self.moment == "held":
            return [*quiet, *self._held_offers()]
        if not ground.may_act:
            return quiet
        if self.amended:
            return [
                self._amend_offer(),
                _command("back", WORDING("back"), quiet=True, key=letters.Pause.NEXT, command="back"),
            ]
        return [*quiet, *self.of_croupier()]

    def of_croupier(self):
        """What the croupier does now, besides undoing and reporting."""
        round_, moment = self.round, self.moment
        if moment == "idle":
            return self._open(WORDING("open_round"), primary=True)
        if moment == "void" or (moment == "settling" and lateness.is_late(round_)):
            return self._open(WORDING("next_round"), primary=True)
        if moment == "settled":
            ticks = self._ticks()
            return [*ticks, *self._open(WORDING("next_round"), primary=not ticks)]
        if moment != "open":
            return []
        if self.view.final:
            close = {"version": self.folded.version}
            return [_command("close", WORDING("close"), f"rounds/{round_.pk}/close/", close, primary=True)]
        return self._acts()

    def _open(self, label, *, primary=False):
        """The button that opens the next round, with the form of who plays and deals if that must be entered."""
        if self.ground.entered_late:
            return []
        path = f"tables/{self.ground.table.pk}/rounds/"
        if not self.seating:
            return [_command("open", label, path, primary=primary)]
        seats = (
            [_command("seats", WORDING("who_plays"), command="seats", key=letters.Pause.WHO_PLAYS)]
            if self.round
            else []
        )
        return [*seats, _command("open", label, path, primary=primary, form="seats-form")]

    def _held_offers(self):
        """The ways out of a hold, each with its form in the dock; past a closed round the table goes on."""
        offers = [
            _command(way["kind"], way["label"], form=f"{way['kind']}-form", key=way["key"], primary=way["primary"])
            for way in self.ways
        ]
        if self.hold["closed"] and self.ground.may_act:
            offers += self._open(WORDING("next_round"))
        return offers

    def _ticks(self):
        """A button for each unticked box, with what is said when it has got its payment, in the order of paying."""
        unticked = [payment for payment in self.results.payments if payment.due and not payment.ticked]
        return [self._tick(payment, primary=payment is unticked[0]) for payment in unticked]

    def _tick(self, payment, *, primary):
        says, amount = handing.saying(payment, self.ground.spell)
        path = f"rounds/{self.round.pk}/ticks/"
        body = {"generation": self.results.generation, "box": payment.box}
        return _command("tick", says, path, body, box=payment.box, key="", amount=amount, primary=primary)

    def _undo(self, undo):
        if undo["why"]:
            button = _sheet("undo-sheet", WORDING("undo_signed"), letters.Always.UNDO)
        else:
            body = {"version": self.folded.version}
            button = _command(
                "undo", WORDING("undo"), f"rounds/{self.round.pk}/undo/", body, quiet=True, key=letters.Always.UNDO
            )
        return {**button, "kind": "undo", "icon": "undo", "of": undo["label"], "why": undo["why"]}

    def _sign_on(self):
        taken = self.ground.croupier_id
        body = {"relieve": taken} if taken else {}
        label = WORDING("relieve", croupier=croupier(taken)) if taken else WORDING("sign_on")
        path = f"tables/{self.ground.table.pk}/sign-on/"
        # Only pressed by hand: a key typed too late at a screen that was taken over must not take it back.
        return _command("sign_on", label, path, body, key="", enter=False, primary=not self.ground.sees)

    def _amend_offer(self):
        action, offer = self.amended
        signed = self.actions.signed(action)
        return {
            **_command(
                "amend",
                WORDING("action_again", number=action.ordinal),
                f"rounds/{self.round.pk}/amend/",
                {"version": self.folded.version, "ordinal": action.ordinal},
                box=offer.box,
                primary=True,
                key="",
                form="amend-form" if signed else "",
            ),
            "takes": True,
            "fields": [_field(self.game, offer, field, self.ground) for field in offer.fields],
            "values": self.actions.values(action.ordinal),
        }

    def _acts(self):
        """What the game offers to the croupier."""
        game, ground = self.game, self.ground
        offers = [offer for offer in game.legal(self.state) if offer.role == "croupier"]
        stakes = any(_has(offer, "units") for offer in offers)
        chips = [*letters.CHIPS[: len(ground.denominations)], *letters.Amount] if stakes else []
        cards = any(_has(offer, "card", "cards") for offer in offers)
        typed = [letter for face in self.deck.faces.values() for letter in face.keys.upper()] if cards else []
        of_kind = _letters(game, offers, {*letters.Always, *chips, *typed})
        of_box = Counter(offer.box for offer in offers)
        return [
            {
                **_command(
                    offer.kind,
                    _label(offer, ground.spell),
                    f"rounds/{self.round.pk}/actions/",
                    {"version": self.folded.version, "kind": offer.kind, "box": offer.box},
                    box=offer.box,
                    primary=offer.primary,
                    key=of_kind[offer.kind],
                    # A player's choice is keyed by its own letter; Enter is for the house's own steps.
                    enter=bool(offer.fields) or offer.box is None or of_box[offer.box] == 1,
                ),
                "takes": True,
                "whose": _whose(offer),
                "first": _paid_first(offer, ground.spell),
                "amount": "" if offer.units is None else ground.spell(offer.units),
                "fields": [_field(game, offer, field, ground) for field in offer.fields],
                "quick": len(offer.fields) == 1 and bool(_taps(game, offer.fields[0])),
                "at_once": offer.at_once,
            }
            for offer in offers
        ]


def _command(kind, label, path="", body=None, **more):
    """A button: where it sends what; with a `form`, it also sends what is filled in there."""
    return {
        "command": "send",
        "kind": kind,
        "name": label,
        "label": label,
        "path": path,
        "body": body or {},
        "form": "",
        "box": None,
        "amount": "",
        "whose": "",
        "first": "",
        "takes": False,
        "fields": [],
        "quick": False,
        "at_once": False,
        "quiet": False,
        "primary": False,
        "key": letters.Pause.NEXT,
        "enter": True,
        **more,
    }


def _sheet(name, label, key):
    """A quiet button that opens a sheet."""
    icons = {"call": "bell", "report": "flag", "dispute": "scale", "actions": "list", "buy-in": "cash", "tip": "tip"}
    return _command(name, label, command="sheet", sheet=name, quiet=True, key=key, icon=icons.get(name, ""))


def _label(offer, spell):
    """What a button says: what is handed over before its step, which nobody ticks, and the step."""
    if not offer.presumes:
        return offer.label
    count, units = len(offer.presumes), sum(each.units for each in offer.presumes)
    if count == 1:
        return WORDING("presumes:one", box=offer.presumes[0].box, amount=spell(units), step=within(offer.label))
    return WORDING("presumes", count=count, amount=spell(units), step=within(offer.label))


def _paid_first(offer, spell):
    """What is handed to which boxes before an offer's step, in order; for a single box, the label says it."""
    if len(offer.presumes) < 2:
        return ""
    boxes = [WORDING("paid_first.box", box=each.box, amount=spell(each.units)) for each in offer.presumes]
    return WORDING("paid_first", boxes=", ".join(boxes))


def _whose(offer):
    """The box with which an offer's label begins: `Box 4 ` of `Box 4 folds`."""
    box = f"{felt.place(offer.box, of_pot=False)} "
    return box if read(offer.label).startswith(box) else ""


def _has(offer, *kinds):
    return any(field.kind in kinds for field in offer.fields)


def _taps(game, field):
    """The values of a field that get a button each; none for cards, amounts, or too many numbers."""
    match field.kind:
        case "count":
            numbers = range(field.minimum, field.maximum + 1, field.step)
            return [{"value": number, "label": str(number)} for number in numbers] if len(numbers) <= TAPS else []
        case "choice":
            return [{"value": option, "label": game.words.get(option, option)} for option in field.options]
        case "flag":
            return [{"value": True, "label": WORDING("yes")}, {"value": False, "label": WORDING("no")}]
    return []


def _field(game, offer, field, ground):
    last = ground.last.get((offer.kind, offer.box), {}).get(field.name)
    return {
        "name": field.name,
        "kind": field.kind,
        "label": field.label,
        "minimum": field.minimum,
        "maximum": field.maximum,
        "step": field.step,
        "options": list(field.options),
        "taps": [] if field.kind in CARDS else _taps(game, field),
        "optional": field.optional,
        "last": last if field.kind == "units" else None,
    }


def _letters(game, offers, taken):
    """A letter for each kind of action: the first free one of its label; the expected action chooses first.

    Actions that take cards choose last: typing cards enters them, and Enter sends them.
    """
    ranked = sorted(offers, key=lambda offer: (_has(offer, *CARDS), not offer.primary))
    letters = {}
    for kind in dict.fromkeys(offer.kind for offer in ranked):
        label = game.actions[kind].label.upper()
        free = (letter for letter in label if letter.isalpha() and letter not in {*taken, *letters.values()})
        letters[kind] = next(free, "")
    return letters


def tray(offers, ground):
    """The chips with which to tap an amount, each with its key; none that is above every limit."""
    limits = [field["maximum"] for offer in offers for field in offer["fields"] if field["kind"] == "units"]
    chips = [units for units in sorted(ground.denominations) if units <= max(limits, default=0)]
    return [
        {**ground.chip(units), "key": letters.CHIPS[index] if index < len(letters.CHIPS) else ""}
        for index, units in enumerate(chips)
    ]
