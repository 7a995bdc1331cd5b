"""What lies on the felt as primitives for the templates: cards, chips, boxes, and what became of them.

It knows the game by its view and its words alone.
"""

from casino import cards as playing_cards
from casino import money

PAY = "Pay"
TABLE_CLOSED = "Table closed"
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


class Felt:
    """What lies on the table in a view, and what became of it."""

    def __init__(self, game, view, moment, offers, found, ground):
        self.view, self.moment, self.found, self.ground = view, moment, found, ground
        expected = {offer["kind"] for offer in offers if offer["primary"]}
        self.asked = {offer["box"] for offer in offers if offer["fields"] or offer["kind"] in expected}
        self.words = game.WORDS
        self.played = {box.number: box for box in view.boxes}
        self.payments = {payment[0]: payment for payment in found.payments} if found else {}

    def word(self, code):
        """What a code is called; `stand_off` reads Stand off where the game has no word for it."""
        return self.words.get(code) or code.replace("_", " ").capitalize()

    def dealer(self):
        """The dealer's cards with what is said of them; one headline where there are none."""
        view = self.view
        hands = self._hands(None)
        say = view.say if self.moment in {"open", "held"} else ""
        idle = TABLE_CLOSED if self.moment == "closed" else "No round open"
        pot = f"Pot {self.ground.spell(view.pot_units)}" if view.pot_units else ""
        return {
            "text": view.dealer,
            "hands": hands,
            "say": say,
            "headline": "" if hands else pot or (say and f"“{say}”") or idle,
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
        return {
            "number": number,
            "state": state,
            "label": label,
            "icon": ICONS[state],
            "ring_icon": ICONS[state] if self.found and state != "pay" else "next",
            "ring_label": label if self.found else "Next" if number in self.asked else "Chosen",
            "note": box.note if box and not self.found else "",
            "hands": hands,
            "wagers": [self._wager(wager) for wager in wagers],
            "staked": self.ground.spell(sum(wager.units for wager in wagers)) if crowded else "",
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
            "chips": [chip(units, self.ground) for units in discs],
        }

    def _result(self, payment):
        """What the croupier hands over for a box, or else what the house took of it."""
        _, outcome, _, _, paid, net, clauses = payment
        return {
            "word": self.word(outcome),
            "clauses": short_clauses(clauses),
            "amount": self.ground.spell(paid or net),
        }

    def settled(self):
        """For each box what to hand over, in chips, and why."""
        shown = []
        for box, outcome, staked, returned, paid, net, _ in self.found.payments:
            heading = f"Hand over to box {box}" if paid else f"Box {box}: stakes go back"
            if not paid and not returned:
                heading = f"Taken from box {box}"
            sums = {"Staked": staked, "Goes back": returned, "Paid": paid, "Net": net}
            shown.append(
                {
                    "number": box,
                    "word": self.word(outcome),
                    "wins": paid > 0,
                    "heading": heading,
                    "amount": self.ground.spell(paid or returned or net),
                    "tally": [
                        {"count": count, "chip": chip(units, self.ground)}
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


def grid(deck, view):
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
