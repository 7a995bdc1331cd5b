"""What lies on the felt as primitives for the templates: cards, chips, boxes, and what became of them.

It knows the game by its view and its words alone.
"""

from casino import cards as playing_cards
from casino import money
from casino.games.game import word

PAY = "Pay"
TABLE_CLOSED = "Table closed"
NO_ROUND = "No round open"
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
    "held": "pause",
    "done": "done",
    "same": "ok",
}


class Felt:
    """What lies on the table in a view, and what became of it."""

    def __init__(self, game, view, moment, offers, found, ground, voided=None, hold=None):
        self.view, self.moment, self.found, self.ground = view, moment, found, ground
        self.voided, self.hold = voided, hold
        expected = {offer["kind"] for offer in offers if offer["primary"]}
        self.asked = {offer["box"] for offer in offers if offer["fields"] or offer["kind"] in expected}
        self.words = game.WORDS
        self.played = {box.number: box for box in view.boxes}
        self.payments = {payment.box: payment for payment in found.payments} if found else {}

    def word(self, code):
        return word(self.words, code)

    def dealer(self):
        """The dealer's cards with what is said of them; one headline where there are none."""
        view = self.view
        hands = self._hands(None)
        say = view.say if self.moment in {"open", "held"} else ""
        if self.voided:
            say = "The round is void."
        pot = f"Pot {self.ground.spell(view.pot_units)}" if view.pot_units else ""
        return {
            "text": view.dealer,
            "hands": hands,
            "say": say,
            "headline": "" if hands else pot or (self.voided and say) or (say and f"“{say}”") or NO_ROUND,
        }

    def boxes(self):
        return [self._box(number) for number in self.view.places]

    def _box(self, number):
        box = self.played.get(number)
        hands = self._hands(number) if box else []
        wagers = [wager for wager in reversed(self.view.wagers) if wager.box == number]
        # Where open hands take the room, many stakes are one sum.
        crowded = len(wagers) > 2 and any(hand["label"] for hand in hands)
        payment = self.payments.get(number)
        state, label = self._state(box, payment)
        over = self.found or self.voided
        return {
            "number": number,
            "state": state,
            "label": label,
            "icon": ICONS[state],
            "ring_icon": ICONS[state] if over and state != "pay" else "next",
            "ring_label": label if over else self._asked(number),
            "note": box.note if box and not over else "",
            "hands": hands,
            "wagers": [self._wager(wager) for wager in wagers],
            "staked": self.ground.spell(sum(wager.units for wager in wagers)) if crowded else "",
            "result": self._result(payment) if payment else self._given_back(number) if self.voided and box else None,
        }

    def _asked(self, number):
        if self.moment == "amend":
            return "Amend"
        return "Next" if number in self.asked else "Chosen"

    def _state(self, box, payment):
        if box is None:
            return "empty", "Empty"
        if self.voided:
            return "back", "Back"
        if payment and payment.ticked:
            return "done", "Paid" if payment.paid else "Given back" if payment.returned else "Taken"
        # A ruling just made says more than the hold that it answers.
        if self.hold and self.hold["box"] == box.number and box.state != "ruled":
            return "held", "Held"
        if payment and payment.difference is not None:
            moved = payment.difference
            return ("pay", PAY) if moved > 0 else ("taken", "Collect") if moved else ("same", "No change")
        if payment is None or box.state in {"folded", "ruled"}:
            return box.state, box.label
        return ("pay", PAY) if payment.paid else ("back", "Back") if payment.returned else ("taken", "Taken")

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
            "chips": [chip(units, self.ground) for units in discs],
        }

    def _result(self, payment):
        """What the croupier hands over for a box, or else what the house took of it."""
        return {
            "word": self.word(payment.outcome),
            "clauses": short_clauses(payment.clauses),
            "amount": self.ground.spell(payment.paid or payment.net),
        }

    def _given_back(self, box):
        """What a void round gives back to a box."""
        amount = self.ground.spell(staked(self.view).get(box, 0))
        return {"word": "Goes back", "clauses": self.voided["clause"], "amount": amount}

    def settled(self):
        """For each box what to hand over, in chips, and why; of a void round what goes back."""
        if self.voided:
            return [self._back(box, units) for box, units in staked(self.view).items()]
        return [self._payment(payment) for payment in self.found.payments] if self.found else []

    def _payment(self, payment):
        """After a correction what differs from what was handed over before comes first."""
        box, moved = payment.box, payment.difference
        if moved is not None:
            what = f"hand over to box {box}" if moved > 0 else f"collect from box {box}"
            heading = f"Corrected: {what if moved else f'nothing changes for box {box}'}"
            units = over = abs(moved)
        elif payment.paid:
            heading, units, over = f"Hand over to box {box}", payment.paid, payment.paid
        elif payment.returned:
            heading, units, over = f"Box {box}: stakes go back", payment.returned, 0
        else:
            heading, units, over = f"Taken from box {box}", payment.net, 0
        sums = {"Staked": payment.staked, "Goes back": payment.returned, "Paid": payment.paid, "Net": payment.net}
        return {
            "number": box,
            "ticked": payment.ticked,
            "corrected": moved is not None,
            "heading": heading,
            "amount": self.ground.spell(units),
            "tally": self._tally(over),
            "sums": [{"label": label, "amount": self.ground.spell(units)} for label, units in sums.items()],
            "reasons": [
                {"clause": clause, "text": text}
                for of_box, clause, text in self.found.reasons
                if of_box is None or str(of_box) == str(box)
            ],
        }

    def _back(self, box, units):
        wagers = [wager for wager in self.view.wagers if wager.box == box]
        reasons = [{"clause": self.voided["clause"], "text": f"{self.voided['event']}."}]
        if self.voided["reason"]:
            reasons.append({"clause": "", "text": f"“{self.voided['reason']}”"})
        return {
            "number": box,
            "ticked": False,
            "corrected": False,
            "heading": f"Give back to box {box}",
            "amount": self.ground.spell(units),
            "tally": self._tally(units),
            "sums": [{"label": self.word(wager.kind), "amount": self.ground.spell(wager.units)} for wager in wagers],
            "reasons": reasons,
        }

    def _tally(self, units):
        """An amount in chips, the largest first."""
        return [
            {"count": count, "chip": chip(units, self.ground)}
            for units, count in money.chips(units, self.ground.denominations)
        ]


def ticking(payment, ground):
    """What the croupier says of a box when it has got its payment."""
    box, moved = payment.box, payment.difference
    if moved is not None:
        done = f"{ground.spell(abs(moved))} {'handed over' if moved > 0 else 'collected'}" if moved else "seen"
        return f"Box {box}: {done}"
    if payment.paid:
        return f"Box {box} paid"
    return f"Box {box}: stakes back" if payment.returned else f"Box {box} taken"


def staked(view):
    """All that lies on each box, fees too, in the order of the boxes."""
    boxes = sorted({wager.box for wager in view.wagers})
    return {box: sum(wager.units for wager in view.wagers if wager.box == box) for box in boxes}


def short_clauses(clauses):
    """Clauses in little room: the ones that follow leave out what they share.

    >>> short_clauses(["split.12", "split.13", "house.2"])
    'split.12, .13, house.2'
    """
    short = []
    before = None
    for clause in clauses:
        family, _, number = clause.partition(".")
        short.append(f".{number}" if family == before else clause)
        before = family
    return ", ".join(short)


def chip(units, ground):
    """A chip of the table's set, drawn in its own colour with writing that can be read on it."""
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


def grid(deck, view, free):
    """The deck row by row, with what is left of each card and where the others lie; `free` lie only until amended."""
    lying = {}
    for hand in view.hands:
        for card in filter(None, hand.cards):
            lying.setdefault(card, []).append(_place(hand.box))
    rows = deck.order or [list(deck.copies)]
    return [
        [
            {
                **face(card),
                "left": deck.copies[card] - len(lying.get(card, ())) + free[card],
                "lies": lying.get(card, [""])[-1],
            }
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
