"""The house edge of a sheet in words and drawings, beside that of the sheet that most tables play by.

Everything is drawn on the server; each figure of a drawing stands in its description and in a table too. Figures are
per cent of an ANTE unless they say otherwise; contributions are from the player's side: + is paid to the player.
"""

import math
from decimal import Decimal
from fractions import Fraction

from casino.games import registry
from casino.games.game import Field
from casino.money import spell
from payouts import edge_results
from payouts.models import EdgeResult

from ..models import RuleSheet
from ..verbs import rulesheets
from . import par, sheets
from .console import CONSOLE
from .timeline import Words

STATUS = EdgeResult.Status
UNROUNDED = "none"
"""In an address: the edge without cap and chip of a sheet that rounds, where its limits have others."""
ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
STRATEGIES = {"never_buy": "Never buys", "pair_or_better": "Bets on a pair", "always_bet": "Always bets"}
DECISIONS = {"fold": "fold", "bet": "bet", "buy": "buy two"}
SOUGHT = 5
"""The page has so many of the coefficients that were sought, the newest."""
# The words of a mark under the gauge, by whose edge it is.
_MARKS = {"force": "mark.force", "draft": "mark.draft", "sheet": "mark.sheet"}
_MINUS, _THIN = "\u2212", "\u2009"


def of(sheet, ante=None):
    """The page of a sheet's edge as primitives: how far it is, and, once it is computed, its figures.

    :param ante: which of its ANTEs is looked at, or UNROUNDED; the lowest if it is none of them.
    """
    rules = rulesheets.rules_of(sheet)
    if not edge_results.has_house(rules):
        return _without_house(sheet)
    results = edge_results.of_sheet(rules, sheet.edge)
    paid_at = edge_results.paid_at(results)
    place = paid_at.index(ante) if ante in paid_at else 0
    ante = None if ante == UNROUNDED and None in results else paid_at[place]
    result, beside = results[ante], _beside(sheet)
    now = beside and _in_force(beside, place)
    own, other = _Figures.of(result), now and _Figures.of(now["result"])
    words = Words(registry.GAMES[sheet.game])
    page = {
        "house": True,
        "noun": "draft" if sheet.status == RuleSheet.Status.DRAFT else "sheet",
        "phases": _phases(sheet, result),
        "antes": _antes(words, results, ante),
        "beside": beside and {"id": beside.pk, "name": sheets.name(beside), "short": beside.short},
        "beside_known": other is not None,
        "coefficients": _coefficients(sheet, beside),
        "others": _others(sheet, beside),
        "state": _state(result),
        "edge": own and _edge(own),
        "edge_beside": other and _signed(other.edge, plus=False),
        "verdict": own and _verdict(own),
    }
    page["seek"] = _seek(words, sheet, edge_results.sought(rules, ante))
    if not (own or other):
        return page
    return page | {
        "gauge": _gauge(own, other, page["noun"], edge_results.band()),
        "contributions": _contributions(words, sheet, beside, own, other),
        "bands": _bands(own, other),
        "by_card": own and _by_card(result.figures),
        "best": _best(own, other),
        "decisions": _decisions(own, other, page["noun"]),
        "strategies": _strategies(own, other),
        "sensitivity": own and _sensitivity(words, sheet, result.figures, ante),
        "par": par.is_there(results),
    }


class _Figures:
    """The figures of a result as numbers; those of money are in per cent of an ANTE."""

    @classmethod
    def of(cls, result):
        return cls(result.figures) if result is not None and result.status == STATUS.DONE else None

    def __init__(self, figures):
        self.edge = Decimal(figures["edge_percent"])
        self.games = figures["games"]
        self.risk = Decimal(figures["risk_percent"])
        self.deviation = Decimal(figures["standard_deviation"])
        self.shares = {name: Decimal(value) * 100 for name, value in figures["choices"].items()}
        self.categories = {each["name"]: Decimal(each["contribution"]) * 100 for each in figures["categories"]}
        self.paid = {each["name"]: Decimal(each["share_paid"]) * 100 for each in figures["categories"]}
        self.rest = {name: Decimal(value) * 100 for name, value in figures["rest"].items()}
        self.strategies = {each["name"]: -Decimal(each["expectation"]) * 100 for each in figures["strategies"]}

    @property
    def parts(self):
        """What adds up to the player's expectation, by name; a folded ANTE is lost before any hand is compared."""
        folded = -(self.shares["fold"] + self.shares["buy_then_fold"])
        rest = {"ante_paid": self.rest["ante_paid"], "folded": folded, "lost": self.rest["lost"] - folded}
        return self.categories | rest | {"fees": self.rest["fees"]}

    @property
    def staked(self):
        """ANTE, BET and fees of a round, in ANTEs; None if the edge is 0, which says nothing about them."""
        return self.edge / self.risk if self.risk else None

    def band(self, rounds):
        """The holds between which 95 of 100 tables end after some rounds: two standard deviations around the edge."""
        wide = 200 * self.deviation / Decimal(rounds).sqrt()
        return self.edge - wide, self.edge + wide


def _without_house(sheet):
    """A sheet of a game whose players play for a pot: the house's part is what the sheet says of the rake."""
    rake = [each for each in sheets.values(sheet) if each.name.startswith("rake")]
    percent = rulesheets.values_of(sheet).get("rake_percent")
    return {
        "house": False,
        "rake": [{"label": each.label, "text": each.text, "clause": each.clause} for each in rake],
        "takes": bool(percent),
        "percent": percent,
        "frequencies": [_frequencies(each) for each in _dealt(sheet)],
    }


def _dealt(sheet):
    game = registry.GAMES[sheet.game]
    return game.frequencies(game.sheet(rulesheets.values_of(sheet)))


def _frequencies(dealt):
    """How often hands fall into each class, in per cent; sampled figures have their standard error."""
    return {
        "cards": dealt.cards,
        "hands": spell(dealt.hands, 0),
        "sample": spell(dealt.sample, 0) if dealt.sample else "",
        "rows": [
            {
                "name": each.name[0].upper() + each.name[1:],
                "clause": each.clause,
                "share": _few_digits(each.share * 100),
                "once": _once(each.share),
                "error": "counted" if each.error is None else f"±{_THIN}{_few_digits(each.error * 100)}",
            }
            for each in dealt.classes
        ],
    }


def _few_digits(share):
    """A share with four decimals, or as many as it takes to show two digits.

    >>> _few_digits(Fraction(1799032, 76245)), _few_digits(Fraction(800, 1473109704))
    ('23.5954', '0.00000054')
    """
    if not share:
        return "0"
    decimal = Decimal(share.numerator) / Decimal(share.denominator)
    return f"{decimal:.{max(4, 1 - decimal.adjusted())}f}"


def _once(share):
    """Once in how many hands a share occurs: with one decimal if few, whole if many; "" if never.

    >>> _once(Fraction(2, 7)), _once(Fraction(1, 40_000)), _once(Fraction(0))
    ('3.5', '40\u2009000', '')
    """
    if not share:
        return ""
    return f"{float(1 / share):.1f}" if share > Fraction(1, 100) else spell(round(1 / share), 0)


def _beside(sheet):
    """The sheet that most tables play by, unless it is this one."""
    other = rulesheets.most_played(sheet.game)
    return None if other is None or other.pk == sheet.pk else other


def _in_force(sheet, place):
    """The result of the sheet in force at the same limit of the table, if it depends on the ANTE."""
    results = edge_results.of_sheet(rulesheets.rules_of(sheet), sheet.edge)
    paid_at = edge_results.paid_at(results)
    return {"result": results[paid_at[min(place, len(paid_at) - 1)]]}


def _phases(sheet, result):
    published = sheet.status == RuleSheet.Status.PUBLISHED
    computed = result is not None and result.status == STATUS.DONE
    # The gauge ends where the player wins more.
    computed = computed and not Decimal(result.figures["edge_percent"]) < 0
    done = [True, computed, published]
    current = next((number for number, each in enumerate(done) if not each), None)
    names = ("Draft", "Computed", "Published")
    return [
        {"name": name, "done": is_done, "here": number == current}
        for number, (name, is_done) in enumerate(zip(names, done, strict=True))
    ]


def _antes(words, results, here):
    """The ANTEs that the edge depends on, each with what is known there; none if it is the same at each."""
    if [*results] == [None]:
        return []
    field = Field("ante", "units", "ANTE")
    return [
        {
            "units": UNROUNDED if ante is None else ante,
            "says": "where nothing is rounded" if ante is None else words.value(field, ante),
            "here": ante == here,
            "known": _known(result),
        }
        for ante, result in results.items()
    ]


def _known(result):
    if result is None:
        return "not computed"
    if result.status == STATUS.DONE:
        return CONSOLE("percent", number=_signed(Decimal(result.figures["edge_percent"]), plus=False))
    return result.get_status_display()


def _state(result):
    """How far a result is: its status, per cent, what is left in words, and why it failed."""
    if result is None:
        return {"status": "NONE"}
    state = {"status": result.status, "failure": result.failure, "percent": result.progress // 10}
    state["works"] = result.status in {STATUS.ASKED, STATUS.COMPUTING}
    seconds = edge_results.left(result)
    state["left"] = None if seconds is None else _about(seconds)
    return state | {"tries": result.tries}


def _seek(words, sheet, rows):
    """The form that seeks a coefficient, and earlier searches, each with its answer in a sentence."""
    ratios = rulesheets.values_of(sheet)["coefficients"]
    return {
        "categories": [{"code": code, "says": words.word(code)} for code in ratios],
        "rows": [_sought(words, row, ratios) for row in rows[:SOUGHT]],
        "works": any(row.status in {STATUS.ASKED, STATUS.COMPUTING} for row in rows),
    }


def _sought(words, row, ratios):
    wanted = row.inputs["seek"]
    label, percent = words.word(wanted["category"]), _signed(Decimal(wanted["edge_percent"]), plus=False)
    given = {
        "asks": CONSOLE("sought", label=label, edge=percent),
        "state": _state(row),
        "says": "",
        "coefficient": None,
    }
    if row.status != STATUS.DONE:
        return given
    coefficient, edge = row.figures["coefficient"], row.figures["edge_percent"]
    lowest, highest = _neighbours(ratios, wanted["category"])
    if edge is None:
        says = CONSOLE("sought.none", label=label)
    elif coefficient is None:
        kept = _signed(Decimal(edge), plus=False)
        says = CONSOLE("sought.never", lowest=_half(lowest), kept=kept, edge=percent)
    else:
        numerator, denominator = map(int, coefficient.split(":"))
        step = 2 * numerator // denominator
        kept, at = _signed(Decimal(edge), plus=False), _half(step)
        says = CONSOLE("sought.highest", label=label, coefficient=at, kept=kept)
        if highest is None or step < highest:
            more = _half(step + 1)
            says = CONSOLE("sought.next", label=label, coefficient=at, kept=kept, more=more, edge=percent)
    return given | {"says": says, "coefficient": coefficient, "category": wanted["category"]}


def _neighbours(ratios, category):
    """The lowest and the highest coefficient of a category between its neighbours, in halves; None: there is no higher.

    >>> _neighbours({"pair": "1:1", "two_pair": "5:3", "flush": "7:2"}, "two_pair")
    (2, 7)
    """
    names = list(ratios)
    place = names.index(category)
    low, high = 1, None
    if place:
        numerator, denominator = map(int, ratios[names[place - 1]].split(":"))
        low = -(-2 * numerator // denominator)
    if place + 1 < len(names):
        numerator, denominator = map(int, ratios[names[place + 1]].split(":"))
        high = 2 * numerator // denominator
    return low, high


def _half(step):
    """A number of halves, as a coefficient.

    >>> _half(13), _half(14)
    ('13 to 2', '7 to 1')
    """
    return CONSOLE("ratio", paid=step, to=2) if step % 2 else CONSOLE("ratio", paid=step // 2, to=1)


def _ratio(coefficient):
    paid, to = coefficient.split(":")
    return CONSOLE("ratio", paid=paid, to=to)


def _about(seconds):
    """How long something takes, as a person says it.

    >>> _about(7), _about(70), _about(200)
    ('about 7 s left', 'about 1 min left', 'about 3 min left')
    """
    if seconds < 60:
        return CONSOLE("left.seconds", seconds=seconds)
    return CONSOLE("left.minutes", minutes=seconds // 60)


def publication(sheet):
    """What the house edge of a draft means for its publication; None for a game without a house.

    `kind` is `unknown`, `player`, `inexact`, `off` or `within`.
    """
    rules = rulesheets.rules_of(sheet)
    if not edge_results.has_house(rules):
        return None
    results = list(edge_results.of(rules).values())
    if why := edge_results.failure(results):
        return {"kind": "unknown", "title": "Its house edge could not be computed", "says": why}
    if any(result is None or result.status != STATUS.DONE for result in results):
        return {
            "kind": "unknown",
            "title": "Its house edge isn’t computed",
            "says": CONSOLE("edge.unknown"),
        }
    figures = [_Figures.of(result) for result in results]
    verdicts = [_verdict(each) for each in figures]
    worst = min(verdicts, key=lambda verdict: _WORST.index(verdict["kind"]))
    *others, last = [
        CONSOLE("percent", number=_signed(edge, plus=False)) for edge in sorted({each.edge for each in figures})
    ]
    return worst | {"edges": CONSOLE("and", one=", ".join(others), other=last) if others else last}


_WORST = ("player", "inexact", "off", "within")


def _verdict(figures):
    """What a house edge means for publication: whose it is, and whether it is within the casino's band."""
    (least, most), edge = edge_results.band(), figures.edge
    if edge < 0:
        says = CONSOLE("verdict.player", edge=_signed(-edge, plus=False))
        return {"kind": "player", "title": "Can’t be published: the player has the edge", "says": says}
    if not figures.games:
        says = CONSOLE("verdict.inexact")
        return {"kind": "inexact", "title": "Can’t be published: the edge isn’t exact", "says": says}
    if not least <= edge <= most:
        says = CONSOLE("verdict.below" if edge < least else "verdict.above", edge=_signed(edge, plus=False))
        return {
            "kind": "off",
            "title": CONSOLE("verdict.off.title", least=_plain(least), most=_plain(most)),
            "says": says,
        }
    title = CONSOLE("verdict.within.title", least=_plain(least), most=_plain(most))
    return {"kind": "within", "title": title, "says": CONSOLE("verdict.within")}


def _plain(percent):
    return f"{percent:f}"


def _edge(figures):
    return {"says": _signed(figures.edge, plus=False), "stop": figures.edge < 0}


def _coefficients(sheet, beside):
    """Each category with what it pays and, beside another sheet, what it pays there and whether that differs."""
    was = {each.name: each.text for each in sheets.values(beside)} if beside else {}
    rows = [each for each in sheets.values(sheet) if each.name.startswith("coefficients.")]
    return [
        {
            "label": each.label,
            "text": each.text,
            "was": was.get(each.name),
            "new": was.get(each.name, each.text) != each.text,
        }
        for each in rows
    ]


def _others(sheet, beside):
    """The other parameters that bear on the edge: those that differ from the sheet beside, or all on the sheet."""
    names = {"unseen_cards", "small_hand_loss_pays"}
    if edge_results.antes(rulesheets.rules_of(sheet)) != (None,):
        names |= {"max_payment", "chip"}
    was = {each.name: each.text for each in sheets.values(beside)} if beside else {}
    return [
        {
            "label": each.label,
            "text": each.text,
            "was": was.get(each.name),
            "new": was.get(each.name, each.text) != each.text,
        }
        for each in sheets.values(sheet)
        if each.name in names
    ]


def _signed(value, *, plus=True, places=2):
    """A figure as people read it.

    >>> _signed(Decimal("-0.036")), _signed(Decimal("17.2")), _signed(Decimal("-0.001"))
    ('\u22120.04', '+17.20', '0.00')
    """
    text = f"{abs(value):.{places}f}"
    if not text.strip("0."):
        return text
    return (_MINUS if value < 0 else "+" if plus else "") + text


def _step(span, lines):
    """The distance between lines across a drawing, in whole per cent, so that there are at most `lines`.

    >>> _step(45, 4), _step(90, 4), _step(9000, 4)
    (20, 50, 5000)
    """
    steps = (lead * 10**power for power in range(30) for lead in (1, 2, 5))
    return next(step for step in steps if step >= 10 and span / step <= lines)


def _by_card(figures):
    """What the dealer's open card makes of a box: the edge and the edge cut in per cent of an ANTE, deviation and
    covariance in ANTEs; for the covariance, the only sampled figure, also the standard error. None for a result without
    these."""
    cards = figures.get("open_cards", [])
    if not all("covariance" in card for card in cards):
        return None
    rows = [
        {
            "label": par.RANKS.get(card["rank"], card["rank"]),
            "edge": _signed(-100 * Decimal(card["expectation"]), plus=False),
            "cut": _signed(-100 * Decimal(card["expectation_cut"]), plus=False),
            "deviation": _signed(Decimal(card["variance"]).sqrt(), plus=False, places=4),
            "covariance": _signed(Decimal(card["covariance"]), plus=False, places=3),
        }
        for card in cards
    ]
    return (
        {"rows": rows, "error": _signed(Decimal(figures["covariance_error"]), plus=False, places=3)} if rows else None
    )


# Drawings. Coordinates are those of a drawing at its own size; text in it is 14 high.

GAUGE = (Decimal(-6), Decimal(36))
_APART = 3
"""Per cent that two numbers under the gauge are apart at least."""


def _gauge(own, other, noun, band):
    """House edges on a line: the player's side crossed, the casino's band filled. Edges beyond the line stand at its
    end."""
    least, most = GAUGE
    left, width = 8, 470

    def x(value):
        return left + float((min(max(value, least), most) - least) / (most - least)) * width

    low, high = band
    fixed = [(Decimal(-5), f"{_MINUS}5"), (Decimal(10), "10"), (Decimal(20), "20")]
    scale = [each for each in fixed if min(abs(each[0] - low), abs(each[0] - high)) > _APART]
    scale += [(low, _plain(low)), (high, CONSOLE("percent", number=_plain(high)))]
    gauge = {
        "bad": _span(x(least), x(Decimal(0))),
        "band": _span(x(low), x(high)),
        "zero": f"{x(Decimal(0)):.1f}",
        "rim": f"M{x(high):.1f} 40H{x(most):.1f}V62H{x(high):.1f}",
        "scale": [{"x": f"{x(at):.1f}", "says": says} for at, says in scale],
        "marks": [],
        "says": [],
        # If the mark stands there, so do its own words.
        "player": own is None or own.edge > 5,
    }
    for figures, code, is_own in ((other, "force", False), (own, noun, True)):
        if figures is None:
            continue
        at, says = x(figures.edge), CONSOLE(_MARKS[code], edge=_signed(figures.edge, plus=False))
        gauge["says"].append(says)
        # If two stand close together, their words go to either side.
        right = at < 240 if own is None or other is None else is_own == (own.edge > other.edge)
        right = (right or at < 120) and at < 370
        gauge["marks"].append(
            {
                "own": is_own,
                "stop": is_own and figures.edge < 0,
                "x": f"{at:.1f}",
                "text_x": f"{at + 12 if right else at - 12:.1f}",
                "end": not right,
                "says": says,
                "high": not is_own,
            }
        )
    return gauge


def _span(first, last):
    return {"x": f"{first:.1f}", "width": f"{max(last - first, 1):.1f}"}


def _contributions(words, sheet, beside, own, other):
    """Bars of what each category and the rest add to the player's expectation, with the figures beside them."""
    ratios = rulesheets.values_of(sheet)["coefficients"]
    was = rulesheets.values_of(beside)["coefficients"] if beside else ratios
    names = {name: words.word(name) for name in ratios}
    names |= {"ante_paid": "ANTE paid 1 to 1", "folded": "Folded ANTEs", "lost": "Hands lost", "fees": "Fees"}
    parts, parts_beside = own and own.parts, other and other.parts
    known = [*(parts or {}).values(), *(parts_beside or {}).values()]
    least, most = min(0, *known), max(0, *known)
    left, right = 140, 378

    def x(value):
        return left + float((value - least) / (most - least)) * (right - left)

    rows, y = [], 20
    for name, label in names.items():
        y += 4 if name == "folded" else 0
        row = {"label": label, "text_y": y + 11, "gap_y": y + 8, "new": ratios.get(name) != was.get(name)}
        for whose, values, top, height in (("own", parts, y, 6), ("other", parts_beside, y + (7 if parts else 2), 5)):
            if values is not None:
                ends = sorted((x(0), x(values[name])))
                row[whose] = _span(*ends) | {"y": top, "height": height, "says": _signed(values[name])}
        rows.append(row)
        y += 17
    step = _step(most - least, 8)
    grid = [f"{x(at):.1f}" for at in range(math.ceil(least / step) * step, int(most) + 1, step) if at]
    sums = {"own": own and -own.edge, "other": other and -other.edge}
    return {
        "rows": rows,
        "grid": grid,
        "zero": f"{x(0):.1f}",
        "bottom": y,
        "sum_line": y + 3,
        "sum_y": y + 19,
        "gap_y": y + 16,
        "height": y + 26,
        "sum": {whose: None if value is None else _signed(value) for whose, value in sums.items()},
        "stop": own is not None and own.edge < 0,
        "table": [
            {
                "label": names[name],
                "coefficient": _ratio(ratios[name]) if name in ratios else "",
                "paid": f"{own.paid[name]:.4f}" if own and name in ratios else "",
                "own": parts and _signed(parts[name], places=4),
                "other": parts_beside and _signed(parts_beside[name], places=4),
            }
            for name in names
        ],
    }


def _bands(own, other):
    """The actual holds between which 95 of 100 tables end, by rounds: a funnel around the edge."""
    left, right, top, bottom = 44, 498, 12, 84
    sides = [each for each in (own, other) if each]
    ends = [end for each in sides for end in each.band(ROUNDS[0])]
    least, most = min(0, *ends), max(0, *ends)

    def x(rounds):
        return left + (math.log10(rounds) - 3) / 3 * (right - left)

    def y(value):
        return bottom - float((value - least) / (most - least)) * (bottom - top)

    at = [10 ** (3 + step / 10) for step in range(31)]

    def line(figures, end):
        return " ".join(f"{x(rounds):.1f} {y(figures.band(round(rounds))[end]):.1f}" for rounds in at)

    step = _step(most - least, 4)
    shown = own or other
    drawn = {
        "scale": [
            {
                "y": f"{y(value):.1f}",
                "text_y": f"{y(value) + 5:.1f}",
                "says": f"{value}".replace("-", _MINUS),
                "zero": not value,
            }
            for value in range(math.ceil(least / step) * step, int(most) + 1, step)
        ],
        "columns": [],
        "other": other and [line(other, end) for end in (0, 1)],
        "own": None,
        "table": [],
    }
    if own:
        lower, upper = line(own, 0), line(own, 1)
        back = " ".join(reversed([f"{x(each):.1f} {y(own.band(round(each))[0]):.1f}" for each in at]))
        drawn["own"] = {"area": f"M{upper}L{back}Z", "lines": [lower, upper], "middle": f"{y(own.edge):.1f}"}
    for number, rounds in enumerate(ROUNDS):
        anchor = "k" if number == 0 else "k r" if number == len(ROUNDS) - 1 else "k m"
        drawn["columns"].append(
            {
                "x": f"{x(rounds):.1f}",
                "anchor": anchor,
                "says": _between(shown.band(rounds)),
                "rounds": spell(rounds, 0),
            }
        )
        drawn["table"].append(
            {
                "rounds": spell(rounds, 0),
                "own": own and _between(own.band(rounds)),
                "other": other and _between(other.band(rounds)),
            }
        )
    return drawn


def _between(ends):
    low, high = (_signed(end, plus=False, places=1) for end in ends)
    return CONSOLE("times", start=low, end=high)


def _best(own, other):
    """What best play is like, in figures."""
    rows = {
        "Element of risk, %": lambda each: _signed(each.risk, plus=False),
        "Standard deviation, ANTE": lambda each: f"{each.deviation:.2f}",
        "Staked a round, ANTE": lambda each: "" if each.staked is None else f"{each.staked:.2f}",
        "Bought, then folded, %": lambda each: f"{each.shares['buy_then_fold']:.1f}",
        "Bought the game, %": lambda each: f"{each.shares['game_bought']:.1f}",
    }
    return [{"label": label, "own": own and says(own), "other": other and says(other)} for label, says in rows.items()]


def _decisions(own, other, noun):
    """First decisions as shares of a whole line; a share too small for its figure has it only in the description."""
    left, width, rows = 62, 255, []
    for number, (figures, name) in enumerate(((own, noun.capitalize()), (other, "In force"))):
        row = {"name": name, "y": 20 + 28 * number, "text_y": 36 + 28 * number, "parts": [], "says": ""}
        at = float(left)
        for decision in DECISIONS if figures else ():
            share = figures.shares[decision]
            wide = float(share) / 100 * width
            part = _span(at, at + wide - 1) | {"kind": decision, "text_x": f"{at + 7:.1f}"}
            part["says"] = f"{share:.1f}" if wide > 36 else ""
            row["parts"].append(part)
            at += wide
        if figures:
            shares = {name: f"{figures.shares[name]:.1f}" for name in DECISIONS}
            row["says"] = CONSOLE("shares", fold=shares["fold"], bet=shares["bet"], buy=shares["buy"])
        rows.append(row)
    first = next((row for row in rows if row["parts"]), None)
    heads, after = [], 0.0
    for part, label in zip(first["parts"], DECISIONS.values(), strict=True) if first else ():
        after = max(after, float(part["x"]))
        heads.append({"x": f"{after:.1f}", "says": label})
        after += 9.0 * len(label)
    return {"rows": rows, "heads": heads}


def _strategies(own, other):
    """House edges against simple strategies, as dots on lines."""
    names = {"best": "Best play"} | STRATEGIES
    values = {
        whose: {"best": each.edge} | each.strategies if each else None
        for whose, each in (("own", own), ("other", other))
    }
    known = [value for each in values.values() if each for value in each.values()]
    least, most = min(0, *known), max(10, *known)

    def x(value):
        return 122 + float((value - least) / (most - least)) * 82

    rows = []
    for number, (name, label) in enumerate(names.items()):
        row = {"label": label, "y": 32 + 25 * number, "text_y": 37 + 25 * number}
        for whose, each in values.items():
            if each is not None:
                row[whose] = {
                    "x": f"{x(each[name]):.1f}",
                    "says": _signed(each[name], plus=False),
                    "stop": each[name] < 0,
                }
        rows.append(row)
    step = _step(most - least, 3)
    scale = range(math.ceil(least / step) * step, int(most) + 1, step)
    return {
        "rows": rows,
        "scale": [{"x": f"{x(at):.1f}", "says": f"{at}".replace("-", _MINUS), "zero": not at} for at in scale],
    }


def _sensitivity(words, sheet, figures, ante):
    """The least that one more to 1 at each category costs the house: best play can only gain by adapting."""
    costs = par.costs(rulesheets.values_of(sheet), figures, ante)
    return [{"label": words.word(each["name"]), "says": f"{100 * more:.3f}"} for each, more in costs]
