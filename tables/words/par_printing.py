"""A PAR sheet as a document to print: the object of `par.report` and nothing else, as `templates/print/document.typ`
takes it. All times are UTC; people are numbers."""

from decimal import Decimal

from casino import money
from casino.games import registry

from . import blocks, cards, printing

_MINUS, _THIN = "\u2212", "\u2009"
_DECK = registry.GAMES["split"].deck(registry.GAMES["split"].sheet({}))
_VERDICTS = {
    "player": "The player has the edge.",
    "below": "Below the casino's own band of {least} to {most} %.",
    "within": "Within the casino's own band of {least} to {most} %.",
    "above": "Above the casino's own band of {least} to {most} %.",
}
_IN_SHORT = {"player": "the player’s", "below": "below", "within": "within", "above": "above"}
HEADINGS = {
    "identity": "1. Identity",
    "rules": "2. Rules and worked examples",
    "wagers": "3. Wagers",
    "assumptions": "4. Assumptions",
    "combinations": "5. Combinations and contributions",
    "risk": "6. House edge and element of risk",
    "volatility": "7. Volatility",
    "strategy": "8. Strategy",
    "sensitivity": "9. Sensitivity",
    "bands": "10. Bands of the actual hold",
    "method": "11. Method and proof",
    "signatures": "12. Signatures",
}


def pdf(made):
    """The bytes of a PAR sheet, the same each time it is made."""
    return printing.pdf(document(made.report, made.digest), made.at)


def document(report, digest):
    """The twelve parts.

    :param digest: of the report's canonical text, which is its JSON file.
    """
    printer = _Printer(report)
    identity = report["identity"]
    is_draft = identity["sheet"]["status"] == "draft"
    name, version = identity["game"]["name"], identity["sheet"]["version"]
    parts = [{"heading": "", "blocks": printer.outcome()}]
    parts += [{"heading": HEADINGS[name], "blocks": getattr(printer, name)()} for name in HEADINGS]
    printed = {
        "title": f"PAR sheet: {name} {version}",
        "subtitle": f"Probability accounting report of rule sheet {version}. {identity['casino']['name']}.",
        "language": "en",
        "author": identity["casino"]["name"],
        "foot": f"SHA-256 of the JSON: {digest}",
        "grade": "DRAFT" if is_draft else "PUBLISHED",
        "parts": parts,
    }
    return printed | ({"mark": "DRAFT"} if is_draft else {})


class _Printer:
    """The blocks of each part, by its name."""

    def __init__(self, report):
        self.report, self.casino = report, report["identity"]["casino"]
        self.antes = [each["ante"] for each in report["identity"]["results"]]

    def outcome(self):
        risk, deviations = self.report["risk"], self.report["volatility"]["by_ante"]
        verdicts = []
        for each, spread in zip(risk["by_ante"], deviations, strict=True):
            head = f"House edge {_figure(each['edge_percent'], 4)} % of the ANTE"
            says = (
                f"{_VERDICTS[each['verdict']].format(**risk['band'])} Element of risk"
                f" {_figure(each['risk_percent'], 4)} % of all that is staked; standard deviation"
                f" {_figure(spread['standard_deviation'], 4)} ANTE a round. Exact, for a player who plays best."
            )
            verdicts.append(blocks.verdict(head + self._at(each["ante"]), says))
        return verdicts

    def identity(self):
        part = self.report["identity"]
        sheet = part["sheet"]
        rows = [
            ("Game", f"{part['game']['name']} ({part['game']['code']}), by rule sheet {sheet['version']}"),
            ("Sheet", f"{sheet['ref']}, {sheet['status']}"),
            ("Casino", f"{self.casino['name']} ({self.casino['code']}); amounts in {self.casino['currency']}"),
            ("Drafted by", self._signed(part["drafted"])),
            ("Published by", self._signed(part["published"]) if part["published"] else "nobody yet: it is a draft"),
            ("Product", f"version {part['product']}"),
        ]
        computed = [
            [self._ante(each["ante"]), each["program"], _time(each["computed_at"]), each["key"]]
            for each in part["results"]
        ]
        columns = [
            blocks.column("At ANTE"),
            blocks.column("Program"),
            blocks.column("Computed, UTC"),
            blocks.column("SHA-256 of all that it depends on", 1, mono=True),
        ]
        return [
            blocks.facts(rows),
            blocks.head("SHA-256 of the rules, in the log's one form"),
            blocks.mono(sheet["rules_sha256"]),
            blocks.head("Results of the edge"),
            blocks.table(columns, computed, ""),
        ]

    def rules(self):
        part = self.report["rules"]
        plain = [each for each in part["values"] if not each["name"].startswith("coefficients.")]
        values = [[each["label"], each["text"], each["clause"]] for each in plain]
        values.append(["Coefficients", "in part 3", "split.22"])
        columns = [blocks.column("Value", 3), blocks.column("Set to", 2, right=True), blocks.column("Clause", 1)]
        clauses = [[each["clause"], each["text"]] for each in part["clauses"]]
        shown = [
            blocks.head("What the sheet sets"),
            blocks.table(columns, values, ""),
            blocks.head("The rules, clause by clause"),
            blocks.table([blocks.column("Clause"), blocks.column("It says", 1)], clauses, ""),
        ]
        for number, example in enumerate(part["examples"], 1):
            shown += self._example(number, example)
        return shown

    def _example(self, number, example):
        line = example["line"]
        (box,), dealer = line["boxes"], line["dealer"]
        dealt = [("The box", f"{_cards(box['cards'])}; then {_cards(box['extra'])}")]
        then = [f"replacement {_cards([dealer['replacement']])}"] if "replacement" in dealer else []
        then += [f"Small Hand {_cards(dealer['small'])}"] if "small" in dealer else []
        dealt.append(("The dealer", "; ".join([_cards(dealer["cards"]) + ", the last one open", *then])))
        money = [
            f"{each['label']} {self._amount(each['stake'])}: returned {self._amount(each['returned'])}, paid"
            f" {self._amount(each['paid'])}"
            for each in example["wagers"]
        ]
        net = self._amount(example["net"])
        dealt.append(("The wagers", "\n".join(money)))
        dealt.append(("Outcome", f"{example['outcome']['label']}; net for the player {net} {self.casino['currency']}"))
        reasons = [[each["clause"], each["text"]] for each in example["reasons"]]
        return [
            blocks.head(f"Example {number}. {example['title']}"),
            blocks.facts(dealt),
            blocks.table([blocks.column("Clause"), blocks.column("Why", 1)], reasons, ""),
        ]

    def wagers(self):
        part = self.report["wagers"]
        columns = [
            blocks.column("Wager", 2),
            blocks.column("ANTEs", 1, right=True),
            blocks.column("Least", 2, right=True),
            blocks.column("Most", 2, right=True),
            blocks.column("Steps of", 2, right=True),
            blocks.column("Clauses", 2),
            blocks.column("When, and what becomes of it", 6),
        ]
        rows = [
            [
                each["label"],
                str(each["antes"]),
                *(self._amount(each[name]) for name in ("minimum", "maximum", "step")),
                ", ".join(each["clauses"]),
                each["says"],
            ]
            for each in part["wagers"]
        ]
        cap = part["max_payment"]
        even = part["small_hand_loss_pays"] == "even"
        rest = [
            ("Boxes", str(part["boxes"])),
            ("Smallest chip (split.23)", f"{self._amount(part['chip'])}; a payment is rounded down to it"),
            ("Most paid per box and round (split.24)", "no maximum" if cap is None else self._amount(cap)),
            ("Big Hand above, Small Hand below (split.20)", "ANTE 1 to 1" if even else "ANTE at the coefficient"),
        ]
        paid = [[each["label"], _ratio(each["coefficient"])] for each in part["coefficients"]]
        columns_paid = [blocks.column("Big Hand", 1), blocks.column("Coefficient", 1, right=True)]
        return [
            blocks.table(columns, rows, ""),
            blocks.head("Limits"),
            blocks.facts(rest),
            blocks.head("Coefficients (split.22)"),
            blocks.table(columns_paid, paid, ""),
        ]

    def assumptions(self):
        rows = [[each["clause"], each["text"]] for each in self.report["assumptions"]]
        return [blocks.table([blocks.column("Clause"), blocks.column("What is assumed", 1)], rows, "")]

    def combinations(self):
        part = self.report["combinations"]
        hands = [
            [
                each["label"],
                money.spell(each["combinations"], 0),
                _figure(Decimal(each["share"]) * 100, 6),
                _ratio(each["coefficient"]) if each["coefficient"] else "",
            ]
            for each in part["hands"]
        ]
        hands.append(["All hands", money.spell(part["total"], 0), _figure(100, 6), ""])
        columns = [
            blocks.column("First five cards", 2),
            blocks.column("Combinations", 2, right=True),
            blocks.column("% of all", 2, right=True),
            blocks.column("Coefficient", 2, right=True),
        ]
        shown = [
            blocks.text("In how many ways each hand is dealt as the first five of 52 cards."),
            _summed(columns, hands),
        ]
        for each in part["by_ante"]:
            shown += self._contributions(each)
        return shown

    def _contributions(self, part):
        rows = [
            [
                each["label"],
                _ratio(each["coefficient"]),
                _figure(Decimal(each["share_paid"]) * 100, 7),
                " / ".join(_figure(each[name], 4) for name in ("paid_on_bet", "paid_on_ante") if each[name]),
                _plus(Decimal(each["contribution"]) * 100, 7),
            ]
            for each in part["categories"]
        ]
        paid = [_figure(Decimal(part["share_paid"]) * 100, 7), "", _plus(Decimal(part["paid"]) * 100, 7)]
        rows.append(["Paid at coefficients", "", *paid])
        rows += [[each["label"], "", "", "", _plus(Decimal(each["contribution"]) * 100, 7)] for each in part["rest"]]
        rows.append(["The player's expectation", "", "", "", _plus(Decimal(part["expectation"]) * 100, 7)])
        columns = [
            blocks.column("Part", 5),
            blocks.column("Coefficient", 2, right=True),
            blocks.column("Paid, % of rounds", 3, right=True),
            blocks.column("A win pays, ANTE", 3, right=True),
            blocks.column("Contribution, % of ANTE", 4, right=True),
        ]
        return [
            blocks.head(f"Contributions to the player's expectation{self._at(part['ante'])}"),
            blocks.text(
                "Shares are of all rounds under best play, so they are not those of the hands above: cards are bought,"
                " hands are folded, and a hand is paid only if it wins. + is paid to the player."
                + (
                    " A win pays the first figure on BET, the second on ANTE where the Small Hand is below."
                    if part["categories"][0]["paid_on_ante"]
                    else ""
                )
            ),
            _summed(columns, rows),
            blocks.text(
                f"The parts above, written with nine places of an ANTE, add up to {_plus(part['sum'], 9)}; the"
                f" expectation is {_plus(part['expectation'], 9)}. What is between them, {_plus(part['rounding'], 9)},"
                " is rounding."
            ),
        ]

    def risk(self):
        part = self.report["risk"]
        lines = (
            ("Player's expectation, ANTE a round", "expectation", 9),
            ("House edge, % of the ANTE", "edge_percent", 7),
            ("Staked a round: ANTE, BET and fees, in ANTEs", "staked", 9),
            ("Element of risk: the edge in % of all that is staked", "risk_percent", 7),
            ("Returned of all that is staked, %", "returned_percent", 7),
            ("Stand-offs, share of rounds", "stand_off", 9),
        )
        rows = [[label, *(_figure(each[name], places) for each in part["by_ante"])] for label, name, places in lines]
        band = f"Beside the casino's own band, {part['band']['least']} to {part['band']['most']} %"
        rows.append([band, *(_IN_SHORT[each["verdict"]] for each in part["by_ante"])])
        return [self._compared("Figure", rows)]

    def volatility(self):
        shown = [
            blocks.text(
                "In ANTEs, of the net of one round: all that a box gets back and is paid, less all that it staked."
            )
        ]
        parts = self.report["volatility"]["by_ante"]
        lines = (
            ("Standard deviation of a round", "standard_deviation", 9),
            ("Variance of a round", "variance", 6),
            ("Standard deviation for each ANTE staked", "standard_deviation_per_staked", 6),
            ("Standard deviation of the expectation between open cards", "standard_deviation_between_open_cards", 9),
        )
        rows = [[label, *(_figure(each[name], places) for each in parts)] for label, name, places in lines]
        shown += [self._compared("Figure", rows), blocks.head("By the dealer's open card")]
        known = any(card["standard_deviation"] for each in parts for card in each["open_cards"])
        sampled = any(card["covariance"] for each in parts for card in each["open_cards"])
        columns, rows = [blocks.column("Open card", 2)], []
        for each in parts:
            columns.append(blocks.column(f"Expectation{self._at(each['ante'])}", 3, right=True))
            columns += [blocks.column("Standard deviation", 3, right=True)] * known
            columns += [blocks.column("Covariance of two boxes", 3, right=True)] * sampled
        for place, card in enumerate(parts[0]["open_cards"]):
            row = [card["label"]]
            for each in parts:
                here = each["open_cards"][place]
                row.append(_plus(here["expectation"], 9))
                deviation = here["standard_deviation"]
                row += [_figure(deviation, 6) if deviation else ""] * known
                row += [_plus(here["covariance"], 6) if here["covariance"] else ""] * sampled
            rows.append(row)
        errors = " and ".join(_figure(each["covariance_error"], 6) for each in parts if each["covariance_error"])
        said = f"The covariance is that of the nets of two boxes of one round. It is sampled: standard error {errors}."
        return [*shown, blocks.table(columns, rows, ""), *([blocks.text(said)] if sampled else [])]

    def strategy(self):
        parts = self.report["strategy"]["by_ante"]
        shown = []
        for each in parts:
            choices = [[row["label"], _figure(Decimal(row["share"]) * 100, 7)] for row in each["choices"]]
            simple = [
                [row["label"], _plus(row["expectation"], 9), _figure(row["cost_percent"], 7)] for row in each["simple"]
            ]
            shown += [
                blocks.head(f"Best play in short{self._at(each['ante'])}"),
                *(blocks.text(text) for text in each["in_short"]),
                blocks.table([blocks.column("Choice", 3), blocks.column("% of rounds", 2, right=True)], choices, ""),
                blocks.head(f"Simple strategies{self._at(each['ante'])}"),
                blocks.table(
                    [
                        blocks.column("The player", 4),
                        blocks.column("Expectation, ANTE", 2, right=True),
                        blocks.column("Costs more than best play, % of ANTE", 3, right=True),
                    ],
                    simple,
                    "",
                ),
            ]
        return shown

    def sensitivity(self):
        shown = [
            blocks.text(
                "What one more to 1 at a category costs the house at least: whoever plays as before is paid that more,"
                " and best play can only gain. The edge would then be at most the one in the last column."
            )
        ]
        columns = [
            blocks.column("Big Hand", 3),
            blocks.column("Coefficient", 2, right=True),
            blocks.column("Costs at least, % of ANTE", 3, right=True),
            blocks.column("Edge then at most, %", 3, right=True),
        ]
        for each in self.report["sensitivity"]["by_ante"]:
            rows = [
                [
                    row["label"],
                    _ratio(row["coefficient"]),
                    _figure(row["cost_percent"], 7),
                    _figure(row["edge_percent_at_most"], 7),
                ]
                for row in each["rows"]
            ]
            shown += [*self._head_at(each["ante"]), blocks.table(columns, rows, "")]
        return shown

    def bands(self):
        part = self.report["bands"]
        shown = [
            blocks.text(
                "What the house keeps of all ANTEs after so many rounds, in per cent: the edge and"
                f" {part['deviations']} standard deviations to either side. About 95 of 100 tables end within."
            )
        ]
        columns = [
            blocks.column("Rounds", 2, right=True),
            blocks.column("Lowest, %", 2, right=True),
            blocks.column("Edge, %", 2, right=True),
            blocks.column("Highest, %", 2, right=True),
            blocks.column("To either side, %", 2, right=True),
        ]
        names = ("lower_percent", "edge_percent", "upper_percent", "half_percent")
        for each in part["by_ante"]:
            rows = [[money.spell(row["rounds"], 0), *(_figure(row[name], 4) for name in names)] for row in each["rows"]]
            shown += [*self._head_at(each["ante"]), blocks.table(columns, rows, "")]
        return shown

    def method(self):
        part = self.report["method"]
        proven = [[each["what"], each["result"], each["command"]] for each in part["proven"]]
        return [
            *(blocks.text(f"{number}. {text}") for number, text in enumerate(part["steps"], 1)),
            blocks.head("Commands"),
            blocks.table(
                [blocks.column("Command", 3), blocks.column("What it does", 4)],
                [[each["command"], each["says"]] for each in part["commands"]],
                "",
            ),
            blocks.head("What is proven"),
            blocks.table(
                [blocks.column("What", 4), blocks.column("Result", 3), blocks.column("Command", 1)], proven, ""
            ),
            blocks.head("What is not"),
            *(blocks.text(each) for each in part["not_proven"]),
        ]

    def signatures(self):
        part = self.report["signatures"]
        shown = []
        for each in part["log"]:
            shown.append(blocks.facts([(each["label"], self._signed(each))]))
            if each["entry"]:
                entry = each["entry"]
                shown.append(blocks.text(f"Entry {entry['seq']} of chain {entry['chain']}, {entry['event']}, SHA-256:"))
                shown.append(blocks.mono(entry["digest"]))
        if len(part["log"]) == 1:
            shown.append(blocks.verdict("Not published", "This sheet is a draft. Nobody plays by it."))
        return [*shown, {"kind": "signatures", "people": part["to_sign"]}]

    def _compared(self, label, rows):
        """A table with a column for each ANTE."""
        heads = ["At each ANTE" if ante is None else f"ANTE {self._ante(ante)}" for ante in self.antes]
        columns = [blocks.column(label, 2), *(blocks.column(head, 1, right=True) for head in heads)]
        return blocks.table(columns, rows, "")

    def _head_at(self, ante):
        return [] if ante is None else [blocks.head(f"At an ANTE of {self._ante(ante)}")]

    def _at(self, ante):
        return "" if ante is None else f", at an ANTE of {self._ante(ante)}"

    def _ante(self, ante):
        return "any" if ante is None else self._amount(ante)

    def _amount(self, units):
        return money.spell(units, self.casino["decimals"])

    def _signed(self, signed):
        number = signed["person"].partition(":")[2]
        roles = f", {signed['roles']}" if signed["roles"] else ""
        return f"Staff {number}{roles}, on {_time(signed['at'])} UTC"


def _summed(columns, rows):
    """A table whose last row is the sum of the others."""
    return blocks.table(columns, rows, "") | {"summed": True}


def _cards(codes):
    return cards.spell(_DECK, codes)


def _ratio(text):
    return text.replace(":", " to ")


def _time(text):
    return f"{text[:10]} {text[11:19]}"


def _figure(value, places):
    """A figure as people read it.

    >>> _figure("-0.212089360", 4), _figure("0.000000000", 4)
    ('\u22120.2121', '0.0000')
    """
    text = f"{Decimal(value):.{places}f}"
    return text.replace("-", _MINUS) if text.strip("-0.") else text.removeprefix("-")


def _plus(value, places):
    """The same with its sign.

    >>> _plus("0.25", 2), _plus("-0.001", 2)
    ('+0.25', '0.00')
    """
    text = _figure(value, places)
    return text if text.startswith(_MINUS) or not text.strip("0.") else f"+{text}"
