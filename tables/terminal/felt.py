"""What lies on the felt as primitives for the templates: cards, chips, boxes, and what became of them.

It knows the game only by its view, its deck and its words.
"""

from casino import money
from casino.games.boards import points
from casino.games.sentences import word

from ..words import aloud, boards, handing
from ..words.cards import face
from ..words.chips import given_back
from .wording import WORDING

# The step at a round's end.
PAY = "pay"
# The word for a box's wagers together.
IN_POT = "in_the_pot"
# More boxes than this lie in two rows; boxes that play against each other have larger hands, so one less.
CROWD = 6
# At most this many cards lie in a fan that is as wide as its box.
MANY = 5
# What is to be done for a box: the state that its icon shows, and the label, for the whole payment or a difference.
WHOLE = {"pay": "pay", "back": "back", "take": "taken", "none": "taken"}
OF_WHOLE = {"pay": "pay", "back": "stakes_back", "take": "taken", "none": "no_share"}
FURTHER = {"pay": "pay", "collect": "taken", "none": "same"}
OF_FURTHER = {"pay": "pay", "collect": "collect", "none": "no_change"}
# What was done for a box, once it is ticked.
TICKED = {"pay": "done.pay", "back": "done.back", "take": "taken", "none": "taken"}
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

    def __init__(self, game, deck, view, moment, offers, results, ground, voided=None, hold=None, handed=(), back=None):
        self.deck, self.view, self.moment, self.results, self.ground = deck, view, moment, results, ground
        self.of_pot = game.bank == "pot"
        self.crowded = len(view.places) > CROWD - self.of_pot
        self.voided, self.hold = voided, hold
        self.handed, self.back = {each.box: each.units for each in handed}, back or {}
        expected = {offer["kind"] for offer in offers if offer["primary"]}
        self.asked = {offer["box"] for offer in offers if offer["fields"] or offer["kind"] in expected}
        self.words = game.words
        self.played = {box.number: box for box in view.boxes}
        self.payments = {payment.box: payment for payment in results.payments} if results else {}
        self.board = results.board if results else None
        self.standings = {standing.box: standing for standing in self.board.standings} if self.board else {}

    def word(self, code):
        return word(self.words, code)

    def dealer(self):
        """The dealer's cards with what is said about them; a headline if there are none."""
        view = self.view
        hands = self._hands(None)
        running = self.moment in {"open", "held"}
        say = view.say if running else boards.sentence(self.board) if self.board else ""
        if self.voided:
            say = WORDING("void")
        pot = self._pot()
        return {
            "name": place(None, of_pot=self.of_pot),
            "text": view.dealer,
            "hands": hands,
            "pot": pot,
            "say": say,
            "headline": ""
            if hands or pot
            else (self.voided and say)
            or (say and WORDING("quoted", text=say))
            or view.dealer
            or ("" if running else WORDING("no_round")),
        }

    def _pot(self):
        """What lies in the middle; for a settled pot, also what the house kept."""
        units = self.view.pot_units
        if not self.of_pot or not units or self.voided:
            return None
        kept = None
        if self.results:
            units = sum(payment.staked for payment in self.results.payments)
            kept = units - sum(payment.returned + payment.paid for payment in self.results.payments)
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
        wagers = [wager for wager in reversed(self.view.wagers) if wager.box == number and number not in self.handed]
        if self.of_pot and len(wagers) > 1:
            wagers = [wagers[0]._replace(kind=IN_POT, units=sum(wager.units for wager in wagers))]
        # If open hands take the room, many stakes become one sum.
        crowded = len(wagers) > 2 and any(hand["label"] for hand in hands)
        payment = self.payments.get(number)
        state, label = self._state(box, payment)
        over = self.results or self.voided
        return {
            "number": number,
            "state": state,
            "label": label,
            "icon": ICONS[state],
            "ring_icon": ICONS[state] if over and state != "pay" else "next",
            "ring_label": label if over else self._asked(number),
            # In a series it says how the boxes stand.
            "note": self._note(box, payment, over),
            "hands": hands,
            "wagers": [self._wager(wager) for wager in wagers],
            "staked": self.ground.spell(sum(wager.units for wager in wagers)) if crowded else "",
            "result": self._result(payment) if payment else self._given_back(number) if self.voided and box else None,
        }

    def _note(self, box, payment, over):
        """What a box has done, or what an undo gives back to it; after a round of a series, how it stands, with the
        points if money stands beside them."""
        if box is None:
            return ""
        if units := self.back.get(box.number):
            return WORDING("put_back" if units > 0 else "collect_back", amount=self.ground.spell(abs(units)))
        standing = self.standings.get(box.number)
        if standing is None:
            return box.note if not over or self.ground.score else ""
        if self.crowded:
            return ""
        stands = WORDING("stands", total=points(standing.total), place=boards.place(standing.place))
        if not _moves(payment):
            return stands
        return WORDING("stands:points", points=boards.gain(standing.points), stands=stands)

    def _asked(self, number):
        if self.moment == "amend":
            return WORDING("amended")
        return WORDING("next" if number in self.asked else "chosen")

    def _state(self, box, payment):
        if box is None:
            return "empty", WORDING("empty")
        if self.voided:
            return "back", WORDING("stakes_back")
        if payment and (payment.ticked or payment.done_in_round):
            return "done", WORDING("done.left" if payment.left else TICKED[handing.whole(payment).verb])
        # A ruling just made says more than the hold that it answers.
        if self.hold and self.hold["box"] == box.number and box.state != "ruled":
            return "held", WORDING("held")
        if payment is None or self._says_more(box, payment):
            return box.state, box.label
        due = handing.of(payment)
        if due.further:
            return FURTHER[due.verb], WORDING(OF_FURTHER[due.verb])
        return WHOLE[due.verb], WORDING(OF_WHOLE[due.verb])

    def _says_more(self, box, payment):
        """Whether the box's outcome in the round says more than what is due to it."""
        due = handing.of(payment)
        if due.further:
            return due.verb == "none" and not payment.corrected
        if due.verb == "none" and not payment.staked:
            return True
        return box.state in {"folded", "ruled"} and not due.share

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
            "word": WORDING("in_the_pot") if wager.kind == IN_POT else self.word(wager.kind),
            "amount": self.ground.spell(wager.units),
            "chips": self._chips(wager.units),
        }

    def _chips(self, units):
        """A small stack of chips that stands for an amount."""
        tally, _ = money.covered(units, self.ground.denominations)
        discs = [units for units, count in tally for _ in range(count)]
        if len(discs) > 4:
            discs = [units for units, _ in tally][:4]
        return [self.ground.chip(units) for units in discs]

    def _result(self, payment):
        """What the croupier hands over for a box, or else what the house took from it; in a series, the points."""
        standing = self.standings.get(payment.box)
        if standing and not _moves(payment):
            clauses = short_clauses([clause for clause in payment.clauses if not clause.startswith("house.")])
            gain = boards.gain(standing.points)
            # With many boxes there is room only for the points: the reasons stand below.
            word, clauses = (self.word(payment.outcome), "") if self.crowded else (standing.reason, clauses)
            return {"word": word, "clauses": clauses, "amount": gain, "points": True}
        share = handing.whole(payment)
        # With many boxes there is room only for the last reason, and beside a winner's amount for none: it stands
        # below.
        clauses = payment.clauses if not self.crowded else [] if share.share else payment.clauses[-1:]
        return {
            "word": self.word(payment.outcome),
            "clauses": short_clauses(clauses),
            "amount": self.ground.spell(share.units if share.verb == "pay" else payment.net),
        }

    def _given_back(self, box):
        """What a void round gives back to a box."""
        units = given_back(self.view, self.handed).get(box, 0)
        word = WORDING("to_collect" if units < 0 else "goes_back")
        return {"word": word, "clauses": self.voided["clause"], "amount": self.ground.spell(abs(units))}

    def settled(self, changes=()):
        """For each box, what to hand over, in chips, and why; for a void round, what goes back.

        :param changes: what the cards and stakes on the felt no longer say, as `Newest.changes`.
        """
        if self.voided:
            return [self._back(box, units) for box, units in given_back(self.view, self.handed).items() if units]
        if not self.results:
            return []
        changed = [
            WORDING(
                "changed",
                what=change.label,
                before=change.before or WORDING("changed.nothing"),
                after=change.after or WORDING("changed.nothing"),
            )
            for change in changes
        ]
        return [
            self._payment(payment) | {"changes": changed if payment.corrected else []}
            for payment in self.results.payments
        ]

    def _payment(self, payment):
        """A box's payment; after a correction, the difference from what was handed over before comes first."""
        spell = self.ground.spell
        reasons = [why for why in self.results.reasons if why.box is None or why.is_about(payment.box)]
        deciding = self._deciding(payment, reasons)
        standing = self.standings.get(payment.box)
        return {
            "number": payment.box,
            "aloud": aloud.sentence(payment, self.results.reasons, spell),
            "float": self._float(),
            "ticked": payment.ticked or not payment.due,
            "corrected": payment.corrected and payment.difference is not None,
            "heading": handing.heading(payment),
            "amount": spell(handing.amount(payment)),
            "tally": self._tally(handing.chips(payment)),
            "sums": [{"label": label, "amount": spell(units)} for label, units in handing.parts(payment)],
            "deciding": deciding and {"clause": deciding.clause, "text": deciding.text},
            "warnings": self._no_chips(handing.chips(payment)),
            "reasons": [{"clause": why.clause, "text": why.text} for why in reasons if why is not deciding],
            **(self._points(standing) if standing and not _moves(payment) else {}),
        }

    def _deciding(self, payment, reasons):
        """The reason that decided for a box: what put it behind another or, for a share of the pot, before the next."""
        if handing.whole(payment).share:
            compared = (why for why in self.results.reasons if why.ahead and why.ahead == str(payment.box))
            reasons = [why for why in reasons if not why.of_share]
            if ahead := next(compared, None):
                return ahead
        elif better := next((why for why in reasons if str(payment.box) in why.behind), None):
            return better
        heard = (why for why in reversed(reasons) if why.heard is not None and why.is_of(payment.box))
        return next(heard, reasons[-1] if reasons else None)

    def _points(self, standing):
        """A box after a round of a series in which nothing changes hands: its points take the place of the money."""
        gain, total = boards.gain(standing.points), points(standing.total)
        return {
            "aloud": aloud.of_points(standing.box, boards.counted(standing.points), self.results.reasons),
            "heading": WORDING("points", box=standing.box),
            "amount": gain,
            "sums": [
                {"label": WORDING("this_round"), "amount": gain},
                {"label": WORDING("in_all"), "amount": total},
                {"label": WORDING("place"), "amount": boards.place(standing.place)},
            ],
        }

    def _float(self):
        """What leaves the float for all boxes of the round, and what comes in, fees too; nothing for a pot."""
        if self.of_pot:
            return None
        moves = [handing.of_float(payment) for payment in self.results.payments]
        leaves, comes = (sum(units) for units in zip(*moves, strict=True))
        return {"leaves": self.ground.spell(leaves), "comes": self.ground.spell(comes)}

    def _back(self, box, units):
        wagers = [wager for wager in self.view.wagers if wager.box == box]
        reasons = [{"clause": self.voided["clause"], "text": WORDING("event", event=self.voided["event"])}]
        if self.voided["reason"]:
            reasons.append({"clause": "", "text": WORDING("quoted", text=self.voided["reason"])})
        return {
            "number": box,
            "ticked": False,
            "corrected": False,
            "changes": [],
            "aloud": "",
            "float": None,
            "warnings": [],
            "deciding": reasons[0],
            "heading": WORDING("returned" if units > 0 else "gives_back", box=box),
            "amount": self.ground.spell(abs(units)),
            "tally": self._tally(abs(units)),
            "sums": [{"label": self.word(wager.kind), "amount": self.ground.spell(wager.units)} for wager in wagers],
            "reasons": reasons[1:],
        }

    def _tally(self, units):
        """An amount in chips, the largest first."""
        tally, _ = money.covered(units, self.ground.denominations)
        return [{"count": count, "chip": self.ground.chip(units)} for units, count in tally]

    def _no_chips(self, units):
        """The rest of an amount that no chip of the table pays, as a reason; sheets from before house.5 allow that."""
        _, rest = money.covered(units, self.ground.denominations)
        text = WORDING("no_chips", amount=self.ground.spell(rest))
        return [{"clause": "house.5", "text": text}] if rest else []


def _moves(payment):
    """Whether a payment hands anything over, or takes anything."""
    return bool(payment and (payment.staked or payment.returned or payment.paid))


def short_clauses(clauses):
    """Clauses in short form: each leaves out what it shares with the one before.

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


def grid(deck, view, entered, free, *, of_pot):
    """The deck row by row, with how many of each card are left and where the others lie; `free` ones may be amended.

    `entered` are the cards of this phase's actions: those that the view keeps face down can't be entered again either.
    """
    lying = {}
    for hand in (*view.gone, *view.hands):
        for card in filter(None, hand.cards):
            lying.setdefault(card, []).append(place(hand.box, of_pot=of_pot))
    for card, count in entered.items():
        seen = lying.setdefault(card, [])
        seen.extend([WORDING("used")] * (count - len(seen)))
    rows = deck.order or [list(deck.copies)]
    return [
        [
            {
                **face(deck, card),
                "copies": deck.copies[card],
                "left": deck.copies[card] - len(lying.get(card, ())) + free[card],
                "lies": lying[card][-1] if lying.get(card) else "",
                "places": ", ".join(dict.fromkeys(lying.get(card, ()))),
            }
            for card in row
        ]
        for row in rows
    ]


def place(box, *, of_pot):
    """Where a hand lies, in words; a hand of no box is the dealer's, or lies open for all."""
    return WORDING("box", box=box) if box is not None else WORDING("table" if of_pot else "dealer")
