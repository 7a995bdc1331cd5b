"""Why a box ended as it did: the whole chain of clauses, in the order of reasoning."""

from fractions import Fraction
from typing import Any

from casino.cards import card_name, spell
from casino.games.game import Reason, Result
from casino.games.poker import (
    Strength,
    category_name,
    describe,
    describe_fully,
    describe_small,
    small_strength,
    strength,
)
from casino.games.split.facts import BETTING, Box, Facts
from casino.games.split.settle import Dealer, Verdict, dealer_of, payment, verdict, wagers
from casino.money import Units
from casino.phrases import Phrase


def explain(facts: Facts, result: Result) -> tuple[Reason, ...]:
    """Every reason of every box, box by box in the order of the line; `result` follows from the facts."""
    dealer = dealer_of(facts)
    reasons: list[Reason] = []
    for box in facts.boxes:
        reasons += _ruled(facts, box) or _Chain(facts, box, dealer).reasons
    return tuple(reasons)


def _ruled(facts: Facts, box: Box) -> list[Reason]:
    ruling = facts.ruling(box)
    if ruling is None:
        return []
    staked = Units(sum(units for _, units in wagers(box)))
    message = f"ruling_{ruling.what}" if facts.void is None else "round_void"
    values = {"box": box.number, "clause": ruling.clause, "staked": staked}
    return [Reason(box.number, ruling.clause, message, values)]


class _Chain:
    """The reasons of one box that no ruling took out."""

    def __init__(self, facts: Facts, box: Box, dealer: Dealer | None) -> None:
        self.facts = facts
        self.box = box
        self.hands = facts.hands(box)
        self.reasons: list[Reason] = []
        self._decision()
        if box.action not in BETTING or dealer is None:
            return
        self._setting()
        ending = verdict(facts, box, dealer, self.hands)
        self._dealer(dealer)
        if ending.outcome == "no_game":
            self._say("split.11", "no_game")
        elif ending.outcome == "no_game_bought":
            self._say("split.14", "no_game_bought")
        else:
            self._comparison(dealer, ending)
        self._amount(ending)

    def _say(self, clause: str, message: str, **values: Any) -> None:
        box = self.box
        ante = Units(box.ante_units)
        shared = {"box": box.number, "ante": ante, "bet": Units(2 * ante), "fee": ante}
        self.reasons.append(Reason(box.number, clause, message, {**shared, **values}))

    def _decision(self) -> None:
        action = self.box.action
        if action in ("fold", "bet"):
            self._say("split.6", action)
            return
        self._say("split.6", "buy")
        self._say("split.6", action)
        self._say("split.7", "cards_fee")

    def _setting(self) -> None:
        hands = self.hands
        if hands is None:
            return
        big = {"big": spell(hands.big), "big_name": describe(strength(hands.big)).within()}
        if hands.small is None:
            self._say("split.8", "big_as_it_lies", **big)
            return
        if self.box.action == "bet":
            clause, message = "split.8", "hands_as_they_lie"
            if self.facts.unseen_cards == "house_way":
                message = "hands_unseen_house"
        else:
            clause, message = "split.9", "hands_house" if self.box.small is None else "hands_player"
        self._say(
            clause,
            message,
            **big,
            small=spell(hands.small),
            small_name=describe_small(small_strength(hands.small)).within(),
        )

    def _dealer(self, dealer: Dealer) -> None:
        dealt = self.facts.dealer
        if dealt.cards is None:
            return
        hand = {"cards": spell(dealt.cards), "name": describe(strength(dealt.cards)).within()}
        self._say("split.10", "dealer_game" if dealer.first_game else "dealer_no_game", **hand)
        if not self.box.buys_game:
            return
        self._say("split.12", "game_fee")
        if dealt.replaced is not None and dealt.replacement is not None and dealt.counting is not None:
            self._say(
                "split.13",
                "replacement_game" if dealer.game else "replacement_no_game",
                replaced=card_name(dealt.replaced),
                replacement=card_name(dealt.replacement),
                cards=spell(dealt.counting),
                name=describe(dealer.hand).within(),
            )

    def _comparison(self, dealer: Dealer, ending: Verdict) -> None:
        hands, dealer_small = self.hands, self.facts.dealer.small
        if hands is None or dealer_small is None:
            return
        theirs = small_strength(dealer_small)
        own = None if hands.small is None else small_strength(hands.small)
        self._say(
            "split.15" if self.box.buys_game else "split.16",
            "dealer_small",
            small=spell(dealer_small),
            small_name=describe_small(theirs).within(),
        )
        message = {"lose": "big_below", "stand_off": "big_equal", "win_ante": "win_ante"}.get(ending.outcome)
        box_hand, dealer_hand = _apart(strength(hands.big), dealer.hand)
        self._say(
            ending.clauses[-1],
            message or ("win_bet_equal" if own == theirs else "win_bet_above"),
            box_hand=box_hand,
            dealer_hand=dealer_hand.within(),
            box_small="" if own is None else describe_small(own),
            dealer_small=describe_small(theirs).within(),
        )

    def _amount(self, ending: Verdict) -> None:
        if ending.paid_on is None:
            return
        facts, ratio = self.facts, ending.ratio
        stake = Units(dict(wagers(self.box))[ending.paid_on])
        paid = payment(facts, stake, ratio)
        due = Fraction(stake * ratio.numerator, ratio.denominator)
        hands = self.hands
        if ending.outcome == "win_bet" or (
            ending.outcome == "win_ante" and facts.small_hand_loss_pays == "coefficient"
        ):
            category = "" if hands is None else category_name(strength(hands.big).name)
            self._say("split.22", "amount_coefficient", category=category, ratio=str(ratio), stake=stake, due=due)
        elif ending.outcome == "win_ante":
            self._say(ending.clauses[-1], "amount_even", stake=stake, due=due)
        cap = facts.max_payment_units
        if paid.capped and cap is not None:
            self._say("split.24", "capped", cap=Units(cap), due=due)
            due = Fraction(cap)
        if paid.rounded:
            self._say("split.23", "rounded", chip=Units(facts.chip_units), due=due, paid=Units(paid.units))


def _apart(box: Strength, dealer: Strength) -> tuple[Phrase, Phrase]:
    """Two Big Hands in words, with all ranks where they are announced alike."""
    names = describe(box), describe(dealer)
    return names if names[0] != names[1] else (describe_fully(box), describe_fully(dealer))
