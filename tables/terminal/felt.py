"""What lies on the felt as primitives for the templates: cards, chips, boxes, and what became of them.

It knows the game by its view, its deck and its words alone.
"""

from casino import money
from casino.games.sentences import word

PAY = "Pay"
TABLE_CLOSED = "Table closed"
NO_ROUND = "No round open"
NO_SHARE = "No share"
ENTERED = "Used"
# The word for a box's wagers together.
IN_POT = "in_the_pot"
# So many cards lie in a fan that is as wide as its box.
MANY = 5
# Marks that are drawn; others are written.
SIGNS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
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

    def __init__(self, game, deck, view, moment, offers, found, ground, voided=None, hold=None):
        self.deck, self.view, self.moment, self.found, self.ground = deck, view, moment, found, ground
        self.of_pot = game.bank == "pot"
        self.voided, self.hold = voided, hold
        expected = {offer["kind"] for offer in offers if offer["primary"]}
        self.asked = {offer["box"] for offer in offers if offer["fields"] or offer["kind"] in expected}
        self.words = game.words
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
        pot = self._pot()
        return {
            "name": place(None, of_pot=self.of_pot),
            "text": view.dealer,
            "hands": hands,
            "pot": pot,
            "say": say,
            "headline": "" if hands or pot else (self.voided and say) or (say and f"“{say}”") or NO_ROUND,
        }

    def _pot(self):
        """What lies in the middle; of a settled pot also what the house kept of it."""
        units = self.view.pot_units
        if not self.of_pot or not units or self.voided:
            return None
        kept = None
        if self.found:
            units = sum(payment.staked for payment in self.found.payments)
            kept = units - sum(payment.returned + payment.paid for payment in self.found.payments)
        return {
            "amount": self.ground.spell(units),
            "chips": self._chips(units),
            "rake": self.ground.spell(kept) if kept else "",
            "shared": self.ground.spell(units - kept) if kept else "",
        }

    def boxes(self):
        return [self._box(number) for number in self.view.places]

    def _box(self, number):
        box = self.played.get(number)
        hands = self._hands(number) if box else []
        wagers = [wager for wager in reversed(self.view.wagers) if wager.box == number]
        if self.of_pot and len(wagers) > 1:
            wagers = [wagers[0]._replace(kind=IN_POT, units=sum(wager.units for wager in wagers))]
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
            # In a series it says how the boxes stand.
            "note": box.note if box and (not over or self.ground.score) else "",
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
            if payment.paid or self._from_pot(payment):
                return "done", "Paid"
            return "done", "Given back" if payment.returned else "Taken"
        # A ruling just made says more than the hold that it answers.
        if self.hold and self.hold["box"] == box.number and box.state != "ruled":
            return "held", "Held"
        if payment and payment.difference is not None:
            moved = payment.difference
            if not moved and not payment.corrected:
                return box.state, box.label
            return ("pay", PAY) if moved > 0 else ("taken", "Collect") if moved else ("same", "No change")
        if payment is None or (box.state in {"folded", "ruled"} and not self._from_pot(payment)):
            return box.state, box.label
        if payment.lies == "pot":
            if not payment.staked and not payment.paid:
                return box.state, box.label
            return ("pay", PAY) if self._from_pot(payment) else ("taken", NO_SHARE)
        return ("pay", PAY) if payment.paid else ("back", "Back") if payment.returned else ("taken", "Taken")

    def _from_pot(self, payment):
        """What a winner is handed: his own wagers lie in the pot, too."""
        return payment.returned + payment.paid if payment.lies == "pot" else 0

    def _hands(self, box):
        return [
            {
                "word": self.word(hand.kind),
                "label": hand.label,
                "cards": [card and face(self.deck, card) for card in hand.cards],
                "many": len(hand.cards) > MANY,
            }
            for hand in self.view.hands
            if hand.box == box
        ]

    def _wager(self, wager):
        return {
            "word": self.word(wager.kind),
            "amount": self.ground.spell(wager.units),
            "chips": self._chips(wager.units),
        }

    def _chips(self, units):
        """A small stack that stands for an amount."""
        tally = money.chips(units, self.ground.denominations)
        discs = [units for units, count in tally for _ in range(count)]
        if len(discs) > 4:
            discs = [units for units, _ in tally][:4]
        return [chip(units, self.ground) for units in discs]

    def _result(self, payment):
        """What the croupier hands over for a box, or else what the house took of it."""
        return {
            "word": self.word(payment.outcome),
            "clauses": short_clauses(payment.clauses),
            "amount": self.ground.spell(self._from_pot(payment) or payment.paid or payment.net),
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
            what = f"Hand over to box {box}" if moved > 0 else f"Collect from box {box}"
            if not moved:
                what = f"Nothing {'changes' if payment.corrected else 'is due'} for box {box}"
            heading = f"Corrected: {what[0].lower()}{what[1:]}" if payment.corrected else what
            units = over = abs(moved)
        elif payment.lies == "pot":
            units = over = self._from_pot(payment)
            heading = f"Hand over to box {box}" if units else f"Box {box} has no share"
            units = units or payment.net
        elif payment.paid:
            heading, units, over = f"Hand over to box {box}", payment.paid, payment.paid
        elif payment.returned:
            heading, units, over = f"Box {box}: stakes go back", payment.returned, 0
        else:
            heading, units, over = f"Taken from box {box}", payment.net, 0
        sums = {"Staked": payment.staked, "Goes back": payment.returned, "Paid": payment.paid, "Net": payment.net}
        if payment.lies == "pot":
            sums = {"Staked": payment.staked, "From the pot": self._from_pot(payment), "Net": payment.net}
        return {
            "number": box,
            "ticked": payment.ticked or not payment.due,
            "corrected": payment.corrected and moved is not None,
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
    if payment.paid or payment.lies == "pot":
        return f"Box {box} paid"
    return f"Box {box}: stakes back" if payment.returned else f"Box {box} taken"


def ticked_amount(payment, ground):
    """The amount that goes with `ticking`: what is handed over, goes back or was taken; a correction says its own."""
    if payment.difference is not None:
        return ""
    paid = payment.returned + payment.paid if payment.lies == "pot" else payment.paid or payment.returned
    return ground.spell(paid or abs(payment.net))


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
    """A chip of the table's set; see `chip_of`."""
    return chip_of(ground.table.chip_set, units, ground.casino.currency_decimals)


def chip_of(chip_set, units, decimals):
    """A chip of a set, drawn in its own colour with writing that can be read on it."""
    colours = dict(zip(chip_set.denominations, chip_set.colours, strict=True))
    red, green, blue = (int(colours[units][at : at + 2], 16) for at in (1, 3, 5))
    light = 299 * red + 587 * green + 114 * blue > 150_000
    text = money.spell(units, decimals).replace("\u2009", "")
    return {
        "units": units,
        "text": text,
        "colour": colours[units],
        "ink": "#12201a" if light else "#ffffff",
        "long": len(text) > 3,
    }


def grid(deck, view, entered, free, *, of_pot):
    """The deck row by row, with what is left of each card and where the others lie; `free` lie only until amended.

    `entered` are the cards of this phase's entries: those that the view keeps face down can't be entered again either.
    """
    lying = {}
    for hand in view.hands:
        for card in filter(None, hand.cards):
            lying.setdefault(card, []).append(place(hand.box, of_pot=of_pot))
    for card, count in entered.items():
        seen = lying.setdefault(card, [])
        seen.extend([ENTERED] * (count - len(seen)))
    rows = deck.order or [list(deck.copies)]
    return [
        [
            {
                **face(deck, card),
                "copies": deck.copies[card],
                "left": deck.copies[card] - len(lying.get(card, ())) + free[card],
                "lies": lying[card][-1] if lying.get(card) else "",
            }
            for card in row
        ]
        for row in rows
    ]


def place(box, *, of_pot):
    """Where a hand lies, in words; what belongs to no box is the dealer's, or lies open for all."""
    return f"Box {box}" if box is not None else "Table" if of_pot else "Dealer"


def face(deck, card):
    """How a card is drawn, by its deck."""
    shown = deck.faces[card]
    sign = SIGNS.get(shown.mark, "")
    return {
        "code": card,
        "text": shown.rank,
        "wide": len(shown.rank) > 2,
        "narrow": len(shown.rank) == 2,
        "sign": sign,
        "mark": "" if sign else shown.mark,
        "hue": shown.hue,
        "name": shown.name,
        "keys": shown.keys,
    }


def spell(deck, cards):
    """Cards in a line of text, as they look: `10♦ A♠`."""
    return " ".join(deck.faces[card].rank + deck.faces[card].mark if card in deck.faces else card for card in cards)


def backs(count):
    """Cards of which only the backs are seen, in words."""
    return f"{count} cards, face down" if count > 1 else "1 card, face down"
