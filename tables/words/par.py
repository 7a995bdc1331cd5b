"""The PAR sheet of a Split Poker sheet: what a regulator is shown of the game's mathematics, in twelve parts.

`report` is pure: the same sheet, people and results give the same object. It holds texts, whole numbers and lists,
never a float; a figure is decimal text. Its canonical text is the JSON file, of which the PDF prints the SHA-256.
Contributions are from the player's side: + means paid to the player.
"""

import datetime as dt
import tomllib
from decimal import Context, Decimal, localcontext
from functools import cache
from pathlib import Path
from typing import NamedTuple

from audit import log
from audit.models import Entry
from casino.errors import Refused
from casino.games import registry
from casino.games.sentences import word
from casino.models import Casino
from casino.money import Ratio, paid_units
from payouts import edge_results
from payouts.models import EdgeResult

from ..verbs import rulesheets
from . import par_method, sheets, staff
from .par_examples import examples

EDITION = 1
"""Of the object's form: another number wherever a reader of the JSON would have to read it otherwise."""
COMBINATIONS = {
    "high_card": 1_302_540,
    "pair": 1_098_240,
    "two_pair": 123_552,
    "three_of_a_kind": 54_912,
    "straight": 10_200,
    "flush": 5_108,
    "full_house": 3_744,
    "four_of_a_kind": 624,
    "straight_flush": 36,
    "royal_flush": 4,
}
"""In how many ways each hand is dealt as the first five of 52 cards (split.1, split.2)."""
HANDS = sum(COMBINATIONS.values())
ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
DEVIATIONS = 2
REST = {"ante_paid": "ANTE paid without a coefficient", "lost": "ANTE and BET lost", "fees": "Fees"}
CHOICES = {
    "fold": "Folds after five cards",
    "bet": "Bets after five cards, two unseen",
    "buy": "Buys two cards",
    "buy_then_fold": "of these: folds after seven cards",
    "game_bought": "Buys the game",
}
STRATEGIES = {
    "never_buy": "Never buys cards, else plays best",
    "pair_or_better": "Bets with a pair or better, else folds",
    "always_bet": "Always bets",
}
RANKS = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
_GAME = registry.GAMES[edge_results.GAME]
_EXACT = Context(prec=50)
_PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


class Signed(NamedTuple):
    """A person's part in the sheet: their number, their roles at that moment, and the entry of the log that has it."""

    person: str
    roles: str
    at: dt.datetime
    entry: dict


class Result(NamedTuple):
    """What a worker computed at one ANTE; None: as if there were neither maximum payment nor smallest chip."""

    ante: int | None
    key: str
    inputs: dict
    figures: dict
    at: dt.datetime


class Subject(NamedTuple):
    """All that a PAR sheet is made of; `values` are the sheet's by name, `texts` the same as people read them."""

    casino: dict
    sheet: str
    version: int
    rules: dict
    values: dict
    texts: list
    drafted: Signed
    published: Signed | None
    results: list
    band: tuple
    product: str


class Made(NamedTuple):
    """A PAR sheet: the object, its canonical text, that text's SHA-256, and the moment of its newest fact."""

    report: dict
    text: str
    digest: str
    at: dt.datetime


def of(sheet):
    """The PAR sheet of a sheet, draft or published.

    :raises Refused: `edge_without_house`; `edge_not_computed` while one of its results is missing.
    """
    subject = _subject(sheet)
    given = report(subject)
    text = log.canonical(given)
    moments = [each.at for each in (subject.drafted, subject.published, *subject.results) if each]
    return Made(given, text, log.digest(text), max(moments))


def is_there(results):
    """Whether a sheet's results suffice for a PAR sheet."""
    return all(result is not None and result.status == EdgeResult.Status.DONE for result in results.values())


def report(subject):
    """The object: twelve parts, each under its name."""
    with localcontext(_EXACT):
        return {
            "document": "par",
            "edition": EDITION,
            "identity": _identity(subject),
            "rules": _rules(subject),
            "wagers": _wagers(subject),
            "assumptions": _assumptions(subject),
            "combinations": _combinations(subject),
            "risk": _risks(subject),
            "volatility": {"by_ante": [_volatility(each) for each in subject.results]},
            "strategy": {"by_ante": [_strategy(each) for each in subject.results]},
            "sensitivity": {"by_ante": [_sensitivity(subject, each) for each in subject.results]},
            "bands": {"deviations": DEVIATIONS, "by_ante": [_bands(each) for each in subject.results]},
            "method": par_method.method(subject.sheet, [each.ante for each in subject.results]),
            "signatures": _signatures(subject),
        }


@cache
def product():
    """The version of the product."""
    return tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["version"]


# What is read.


def _subject(sheet):
    rules = rulesheets.rules_of(sheet)
    edge_results.needs_house(rules)
    results = edge_results.of_sheet(rules, sheet.edge)
    if not is_there(results):
        raise Refused(
            "edge_not_computed",
            f"The house edge of {sheets.name(sheet)} is not computed at each ANTE that it depends on: there is no PAR"
            " sheet without it.",
            way_out="Have it computed on the page of its house edge, then ask again.",
        )
    casino = Casino.objects.get()
    return Subject(
        casino={
            "name": casino.name,
            "code": casino.code,
            "currency": casino.currency,
            "decimals": casino.currency_decimals,
        },
        sheet=sheet.ref,
        version=sheet.version,
        rules=rules,
        values=rulesheets.values_of(sheet),
        texts=sheets.values(sheet),
        drafted=_signed(sheet, "sheet.drafted", sheet.drafted_by_id, sheet.drafted_at),
        published=sheet.published_at and _signed(sheet, "sheet.published", sheet.published_by_id, sheet.published_at),
        # A draft has the results that ship with the program from the beginning.
        results=[
            Result(ante, each.key, each.inputs, each.figures, each.beat_at or sheet.drafted_at)
            for ante, each in results.items()
            if ante in edge_results.paid_at(results)
        ],
        band=edge_results.band(sheet.published_at),
        product=product(),
    )


def _signed(sheet, event, person, at):
    entry = Entry.objects.filter(subject=sheet.ref, event=event).order_by("pk").first()
    facts = entry and {"event": event, "chain": entry.chain_id, "seq": entry.seq, "digest": log.digest(entry.body)}
    roles = staff.roles([person], at).get(person, "")
    return Signed(f"staff:{person}", roles, at, facts)


# The twelve parts.


def _identity(subject):
    return {
        "casino": subject.casino,
        "game": {"code": _GAME.code, "name": _GAME.name},
        "sheet": {
            "ref": subject.sheet,
            "version": subject.version,
            "status": "published" if subject.published else "draft",
            "rules_sha256": log.digest(log.canonical(subject.rules)),
        },
        "drafted": _by(subject.drafted),
        "published": _by(subject.published),
        "results": [
            {
                "ante": each.ante,
                "key": each.key,
                "inputs": each.inputs,
                "program": each.figures["program"],
                "computed_at": log.spell_time(each.at),
            }
            for each in subject.results
        ],
        "product": subject.product,
    }


def _by(signed):
    if signed is None:
        return None
    return {"person": signed.person, "roles": signed.roles, "at": log.spell_time(signed.at), "entry": signed.entry}


def _rules(subject):
    return {
        "sheet": subject.rules,
        "values": [each._asdict() for each in subject.texts],
        "clauses": [
            {"clause": clause, "text": text} for clause, text in _GAME.clauses.items() if clause.startswith("split.")
        ],
        "examples": examples(subject.values, subject.casino["decimals"]),
    }


def _wagers(subject):
    values = subject.values
    least, most = values["ante_minimum"], values["ante_maximum"]

    def wager(code, times, clauses, says):
        label = word(_GAME.words, code)
        limits = {"minimum": times * least, "maximum": times * most, "step": times * values["chip"]}
        return {"code": code, "label": label, "antes": times, **limits, "clauses": clauses, "says": says}

    return {
        "wagers": [
            wager("ante", 1, ["split.4"], "Before the deal. Lost by folding, and with a Big Hand below."),
            wager("bet", 2, ["split.6"], "To stay in. Paid at the coefficient of the Big Hand."),
            wager("cards_fee", 1, ["split.6", "split.7"], "A price for two more cards: never returned."),
            wager("game_fee", 1, ["split.12"], "A price for the dealer's game: never returned."),
        ],
        "boxes": values["boxes"],
        "chip": values["chip"],
        "max_payment": values["max_payment"],
        "small_hand_loss_pays": values["small_hand_loss_pays"],
        "coefficients": [
            {"code": code, "label": word(_GAME.words, code), "coefficient": ratio}
            for code, ratio in values["coefficients"].items()
        ],
    }


def _assumptions(subject):
    house = subject.values["unseen_cards"] == "house_way"
    texts = [
        ("split.1", "Each round is dealt from a fresh, whole pack of 52 cards in random order."),
        ("split.4", "One box plays alone; the player sees and hears of no other box."),
        ("split.6", "The player plays to lose the least: each choice is the one with the highest expectation."),
        ("split.5", "The player knows their own cards and the dealer's open card when they choose, and nothing else."),
        ("split.9", "A player who bought sets the Big Hand and the Small Hand as it is worth most to them."),
    ]
    if house:
        says = "The game is left out: no box buys it. That could only add to what the player wins."
        texts.append(("split.8", "The house sets the unseen cards, too."))
        texts.append(("split.12", says))
    else:
        texts.append(("split.8", "Unseen cards stay the Small Hand; a box that bet on them decides without them."))
        says = (
            "The game is bought where that is worth more than the ANTE paid 1 to 1, after the dealer's five are seen."
        )
        texts.append(("split.12", says))
    if subject.results[0].ante is None:
        says = "Maximum payment and smallest chip change no payment at any ANTE of the table."
    else:
        says = (
            "Maximum payment or smallest chip change payments: the figures are those of the lowest and of the highest"
            " ANTE of the table, one by one."
        )
    texts += [("split.23, split.24", says), ("split.25", "There is no bonus, no insurance and no tip in the figures.")]
    return [{"clause": clause, "text": text} for clause, text in texts]


def _combinations(subject):
    return {
        "total": HANDS,
        "hands": [
            {
                "code": code,
                "label": word(_GAME.words, code),
                "combinations": count,
                "share": _text(Decimal(count) / HANDS),
                "coefficient": subject.values["coefficients"].get(code),
            }
            for code, count in COMBINATIONS.items()
        ],
        "by_ante": [_contributions(subject.values, each) for each in subject.results],
    }


def _contributions(values, result):
    figures, on_ante = result.figures, values["small_hand_loss_pays"] == "coefficient"
    categories = []
    for each in figures["categories"]:
        ratio = Ratio(*map(int, each["coefficient"].split(":")))
        categories.append(
            {
                "code": each["name"],
                "label": word(_GAME.words, each["name"]),
                "coefficient": each["coefficient"],
                "share_paid": each["share_paid"],
                "paid_on_bet": _paid(values, ratio, 2, result.ante),
                "paid_on_ante": _paid(values, ratio, 1, result.ante) if on_ante else None,
                "contribution": each["contribution"],
            }
        )
    rest = [{"code": code, "label": label, "contribution": figures["rest"][code]} for code, label in REST.items()]
    paid = sum(Decimal(each["contribution"]) for each in categories)
    parts = paid + sum(Decimal(each["contribution"]) for each in rest)
    return {
        "ante": result.ante,
        "categories": categories,
        "share_paid": _text(sum(Decimal(each["share_paid"]) for each in categories)),
        "paid": _text(paid),
        "rest": rest,
        "sum": _text(parts),
        "expectation": figures["expectation"],
        "rounding": _text(Decimal(figures["expectation"]) - parts),
    }


def _paid(values, ratio, stakes, ante):
    """What a stake of some ANTEs is paid at a coefficient, in ANTEs."""
    if ante is None:
        return _text(Decimal(stakes * ratio.numerator) / ratio.denominator, 6)
    paid = paid_units(stakes * ante, ratio, chip_units=values["chip"], cap_units=values["max_payment"])
    return _text(Decimal(paid) / ante, 6)


def _risks(subject):
    least, most = subject.band
    by_ante = [_risk(each, subject.band) for each in subject.results]
    return {"band": {"least": f"{least:f}", "most": f"{most:f}"}, "by_ante": by_ante}


def _risk(result, band):
    figures = result.figures
    edge, (least, most) = Decimal(figures["edge_percent"]), band
    verdict = "player" if edge < 0 else "below" if edge < least else "above" if edge > most else "within"
    return {
        "ante": result.ante,
        "expectation": figures["expectation"],
        "edge_percent": figures["edge_percent"],
        "staked": figures["staked"],
        "risk_percent": figures["risk_percent"],
        "returned_percent": _text(100 - Decimal(figures["risk_percent"])),
        "stand_off": figures["stand_off"],
        "verdict": verdict,
    }


def _volatility(result):
    figures = result.figures
    deviation, mean = Decimal(figures["standard_deviation"]), Decimal(figures["expectation"])
    cards = []
    for each in figures["open_cards"]:
        card = {
            "rank": each["rank"],
            "label": RANKS.get(each["rank"], each["rank"]),
            "expectation": each["expectation"],
        }
        known = "variance" in each
        card["standard_deviation"] = _text(Decimal(each["variance"]).sqrt()) if known else None
        card["covariance"] = each.get("covariance")
        cards.append(card)
    between = sum((Decimal(each["expectation"]) - mean) ** 2 for each in cards) / len(cards)
    return {
        "ante": result.ante,
        "standard_deviation": figures["standard_deviation"],
        "variance": _text(deviation**2, 6),
        "standard_deviation_per_staked": _text(deviation / Decimal(figures["staked"]), 6),
        "standard_deviation_between_open_cards": _text(between.sqrt()),
        "open_cards": cards,
        "covariance_error": figures.get("covariance_error"),
    }


def _strategy(result):
    figures = result.figures
    best = Decimal(figures["expectation"])
    simple = [
        {
            "code": each["name"],
            "label": STRATEGIES[each["name"]],
            "expectation": each["expectation"],
            "cost_percent": _text(100 * (best - Decimal(each["expectation"]))),
        }
        for each in figures["strategies"]
    ]
    simple.sort(key=lambda each: Decimal(each["cost_percent"]))
    choices = [
        {"code": code, "label": CHOICES[code], "share": figures["choices"][code]}
        for code in CHOICES
        if code in figures["choices"]
    ]
    return {"ante": result.ante, "choices": choices, "simple": simple, "in_short": _in_short(figures, simple)}


def _in_short(figures, simple):
    """Best play in sentences, made only from the figures."""

    def percent(share):
        return f"{100 * Decimal(share):.1f} %".replace("-", "\u2212")

    choices = figures["choices"]
    cards = sorted(figures["open_cards"], key=lambda each: Decimal(each["expectation"]))
    worst, kindest = cards[0], cards[-1]
    sentences = [
        f"Best play folds five cards in {percent(choices['fold'])} of rounds, bets on them in {percent(choices['bet'])}"
        f" and buys two more in {percent(choices['buy'])}; in {percent(choices['buy_then_fold'])} of all rounds it buys"
        " and then folds."
    ]
    if Decimal(worst["expectation"]) != Decimal(kindest["expectation"]):
        sentences.append(
            "The dealer's open card matters: the house expects to keep"
            f" {percent(-Decimal(worst['expectation']))} of an ANTE where it is {_rank(worst)}, and"
            f" {percent(-Decimal(kindest['expectation']))} where it is {_rank(kindest)}."
        )
    cheapest, dearest = simple[0], simple[-1]
    sentences.append(
        f"Of the simple strategies “{cheapest['label']}” costs least, {Decimal(cheapest['cost_percent']):.2f} % of an"
        f" ANTE more than best play; “{dearest['label']}” costs most, {Decimal(dearest['cost_percent']):.2f} % more."
    )
    return sentences


def _rank(card):
    name = RANKS.get(card["rank"], card["rank"]).lower()
    return f"{'an' if name in {'ace', '8'} else 'a'} {name}"


def _sensitivity(subject, result):
    edge, rows = Decimal(result.figures["edge_percent"]), []
    for each, more in costs(subject.values, result.figures, result.ante):
        row = {"code": each["name"], "label": word(_GAME.words, each["name"]), "coefficient": each["coefficient"]}
        rows.append(row | {"cost_percent": _text(100 * more), "edge_percent_at_most": _text(edge - 100 * more)})
    return {"ante": result.ante, "rows": rows}


def costs(values, figures, ante):
    """The least that 1 more to 1 at each category of some figures costs the house, in ANTEs: whoever plays as before is
    paid that much more, unless maximum payment or smallest chip takes it away.

    :param values: all values of the sheet by name.
    :param ante: the one at which the figures were computed; None: neither cuts a payment.
    """
    on_ante = values["small_hand_loss_pays"] == "coefficient"
    for each in figures["categories"]:
        paid, share = Decimal(each["contribution"]), Decimal(each["share_paid"])
        ratio = Ratio(*map(int, each["coefficient"].split(":")))
        at = ante or _capped(values, ratio)
        if at is None:
            yield each, paid * ratio.denominator / ratio.numerator
        else:
            yield each, share * _least_rise(values, ratio, at, on_ante)


def _capped(values, ratio):
    """The highest ANTE of a table whose maximum payment no payment comes to, if 1 more to 1 comes to it; else None."""
    cap, most = values["max_payment"], values["ante_maximum"]
    higher = 2 * most * (ratio.numerator + ratio.denominator)
    return most if cap is not None and higher > cap * ratio.denominator else None


def _least_rise(values, ratio, ante, on_ante):
    """The least by which a paid hand's payment rises at 1 more to 1, in ANTEs, with the sheet's maximum and chip."""
    higher = Ratio(ratio.numerator + ratio.denominator, ratio.denominator)

    def rise(stake):
        limits = {"chip_units": values["chip"], "cap_units": values["max_payment"]}
        return paid_units(stake, higher, **limits) - paid_units(stake, ratio, **limits)

    return Decimal(min(rise(2 * ante), rise(ante) if on_ante else rise(2 * ante))) / ante


def _bands(result):
    edge, deviation = Decimal(result.figures["edge_percent"]), Decimal(result.figures["standard_deviation"])
    rows = []
    for rounds in ROUNDS:
        wide = 100 * DEVIATIONS * deviation / Decimal(rounds).sqrt()
        row = {"rounds": rounds, "edge_percent": result.figures["edge_percent"], "half_percent": _text(wide)}
        rows.append(row | {"lower_percent": _text(edge - wide), "upper_percent": _text(edge + wide)})
    return {"ante": result.ante, "rows": rows}


def _signatures(subject):
    return {
        "log": [
            {"label": label, **_by(signed)}
            for label, signed in (("Drafted by", subject.drafted), ("Published by", subject.published))
            if signed
        ],
        "to_sign": ["For the house: name, date, signature", "For the regulator: name, date, signature"],
    }


def _text(value, places=9):
    """Decimal text; no minus before a zero.

    >>> _text(Decimal("-0.2120893598"), 6), _text(Decimal("-1e-15"))
    ('-0.212089', '0.000000000')
    """
    text = f"{value:.{places}f}"
    return text if text.strip("-0.") else text.removeprefix("-")
