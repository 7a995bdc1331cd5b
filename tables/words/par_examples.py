"""Worked examples of a Split Poker sheet for its PAR sheet: whole rounds that the game itself settles and explains."""

from casino.games import registry
from casino.games.sentences import tell, word
from casino.games.split.sheet import PAID_CATEGORIES
from casino.money import paid_units

GAME = registry.GAMES["split"]
HANDS = {
    "pair": "Ac Ad Kh Js 9c",
    "two_pair": "Ac Ad Kh Ks 9c",
    "three_of_a_kind": "Ac Ad Ah Ks 9c",
    "straight": "Ts Jd Qh Kc Ad",
    "flush": "Ah Kh 9h 7h 3h",
    "full_house": "Ac Ad Ah Ks Kh",
    "four_of_a_kind": "Ac Ad Ah As Kh",
    "straight_flush": "9h Th Jh Qh Kh",
    "royal_flush": "Th Jh Qh Kh Ah",
}
"""A hand of each category that wins against the dealer of `_won`, with any use of its unseen cards (split.8)."""


def examples(sheet, decimals):
    """Rounds of one box: a BET paid, a Small Hand below, no game, the game bought, and one that the maximum payment or
    the smallest chip cuts, if there is one. Each has its `line`, which `manage.py adjudicate` takes as it stands.

    :param sheet: all values of the sheet by name, as `registry.GAMES["split"].values` gives them.
    """
    ante = sheet["ante_minimum"]
    rounds = [
        ("A BET is paid at a coefficient", _won("flush", ante)),
        ("The Big Hand is above, the Small Hand below", _small_below(ante)),
        ("The dealer has no game", _no_game(ante)),
        ("The game is bought", _game_bought(ante)),
    ]
    cut = _cut(sheet)
    if cut:
        rounds.append(("The maximum payment or the smallest chip cuts a payment", _won(*cut)))
    return [_worked(number, title, sheet, parts, decimals) for number, (title, parts) in enumerate(rounds, 1)]


def _worked(number, title, sheet, parts, decimals):
    line = {
        "id": number,
        "game": GAME.code,
        **{name: sheet[name] for name in ("chip", "max_payment", "small_hand_loss_pays", "unseen_cards")},
        "coefficients": sheet["coefficients"],
        **parts,
    }
    facts = GAME.read(line)
    result = GAME.settle(facts)
    (box,) = result["boxes"]
    return {
        "title": title,
        "line": line,
        "outcome": {"code": box["outcome"], "label": word(GAME.words, box["outcome"])},
        "wagers": [wager | {"label": word(GAME.words, wager["kind"])} for wager in box["wagers"]],
        "net": box["net"],
        "reasons": [
            {"clause": reason.clause, "text": tell(GAME.sentences, reason, decimals)}
            for reason in GAME.explain(facts, result)
        ],
    }


def _dealt(dealer, box, ante):
    """A round of box 1; cards are texts with a blank between two."""
    return {
        "dealer": {name: each if name == "replacement" else each.split() for name, each in dealer.items()},
        "boxes": [
            {"box": 1, "ante": ante}
            | {name: each.split() if name in {"cards", "extra"} else each for name, each in box.items()}
        ],
    }


def _won(category, ante):
    box = {"action": "bet", "cards": HANDS[category], "extra": "7s 6c"}
    return _dealt({"cards": "2c 2d 4h 8s 5d", "small": "3c 5h"}, box, ante)


def _small_below(ante):
    box = {"action": "buy_bet", "cards": "Qs Qd 7c 4h 2s", "extra": "3c 9d"}
    return _dealt({"cards": "Js Jh Ac 8d 5c", "small": "Kc Td"}, box, ante)


def _no_game(ante):
    box = {"action": "bet", "cards": "8h 8c 5d 4s 3h", "extra": "Jd 6c"}
    return _dealt({"cards": "As Kd 9c 7h 2s"}, box, ante)


def _game_bought(ante):
    box = {"action": "buy_bet", "cards": "Tc 9d 8h 7s 6c", "extra": "Qd Qh", "buys_game": True}
    return _dealt({"cards": "As Kd 9c 5h 2s", "replacement": "Kh", "small": "4d 3c"}, box, ante)


def _cut(sheet):
    """The first category, at the lowest ANTE before the highest, whose payment the maximum payment or the smallest chip
    cuts (split.23, split.24); None if there is none."""
    ratios = GAME.sheet(sheet).coefficients
    for ante in (sheet["ante_minimum"], sheet["ante_maximum"]):
        for category, ratio in zip(PAID_CATEGORIES, ratios, strict=True):
            paid = paid_units(2 * ante, ratio, chip_units=sheet["chip"], cap_units=sheet["max_payment"])
            if paid * ratio.denominator != 2 * ante * ratio.numerator:
                return category, ante
    return None
