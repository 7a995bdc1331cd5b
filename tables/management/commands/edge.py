"""`manage.py edge`: the exact house edge of a Split Poker sheet; see contracts/edge.md and docs/edge.md."""

import json
import os
import sys
import time
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from casino.courtesy import Courtesy, processors
from casino.games.poker import category_name
from casino.games.split.sheet import PAID_CATEGORIES, SMALL_HAND_LOSS_PAYS, STARTING_TABLE, UNSEEN_CARDS
from casino.running.progress import Progress
from casino.strict_json import KeyTwiceError, NotJsonError, loads
from payouts.edge import SheetError, prepare
from payouts.tasks import POLITENESS


class Command(BaseCommand):
    help = "The exact house edge of a Split Poker sheet under best play. Needs no database but for --sheet ID."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("--sheet", help="the number of a sheet, or a file with its `rules` object")
        parser.add_argument("--unseen-cards", choices=UNSEEN_CARDS, help="this reading of split.8")
        parser.add_argument("--small-hand-loss-pays", choices=SMALL_HAND_LOSS_PAYS, help="this reading of split.20")
        parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
        parser.add_argument("--states", metavar="FILE", help="JSON Lines of single decisions; - is standard input")
        parser.add_argument("--ante", type=int, help="with the sheet's maximum and smallest chip at this ANTE")
        parser.add_argument("--no-games", action="store_true", help="without buying the game (split.12)")
        parser.add_argument("--coefficients", help="nine of them, from pair to royal flush: 1,1,3,4,5,7,20,50,100")
        parser.add_argument("--seek", type=float, metavar="EDGE", help="per cent of the ANTE; with --vary")
        parser.add_argument("--vary", choices=PAID_CATEGORIES, help="the category whose coefficient is sought")
        parser.add_argument("--caribbean", action="store_true", help="Caribbean Stud by the same machinery")
        parser.add_argument("--warm", action="store_true", help="compile and make the tables that all sheets share")
        parser.add_argument("--shipped", action="store_true", help="compute and write anew what ships with the product")
        parser.add_argument(
            "--polite", action="store_true", help="give way to all others, and stand aside while they are busy"
        )
        parser.add_argument("--threads", type=int, help="as many as there are processors, if left out; 1 with --polite")

    def handle(self, **options):
        polite = options["polite"]
        if polite and (options["threads"] or 1) != 1:
            self._refuse("--polite works by one thread: leave --threads out.")
        if polite:
            os.nice(max(0, POLITENESS - os.nice(0)))
        # Before numba is loaded, since it reads where its compiled code lies.
        folder = prepare(settings.DATA_DIR / "edge")
        from payouts.edge import report

        threads = 1 if polite else options["threads"] or processors()
        if (options["seek"] is None) != (options["vary"] is None):
            self._refuse("--seek and --vary belong together: the edge that you want, and the category that may change.")
        if options["ante"] is not None and options["ante"] < 1:
            self._refuse("--ante is an amount in the smallest unit, 1 or more.")
        progress = Progress(self.stderr._out)
        if options["caribbean"]:
            return self._caribbean(threads, options["json"])
        if options["warm"]:
            return self._warm(threads, folder, progress, polite)
        if options["shipped"]:
            return self._shipped(threads, folder)
        try:
            rules = self._rules(options)
            sheet = report.read(rules)
        except SheetError as error:
            self._refuse(f"{error.path + ': ' if error.path else ''}{error.message}")
        if options["states"] is not None:
            return self._states(sheet, options, threads, folder)

        def show(share):
            progress.show(int(100 * share), 100, _left(progress, share))

        if polite:
            show = Courtesy(show)

        try:
            if options["seek"] is not None:
                return self._seek(sheet, options, threads, folder, show, progress)
            made = report.figures(
                rules,
                ante_units=options["ante"],
                games=not options["no_games"],
                progress=show,
                threads=threads,
                folder=folder,
            )
        except MemoryError:
            raise CommandError("The memory of the machine is full; the edge needs 3 GB. Stop something else.") from None
        finally:
            progress.end()
        if options["json"]:
            self.stdout.write(json.dumps(_numbers(made)))
        else:
            self.stdout.write(_text(made, sheet))
        return None

    def _refuse(self, message):
        self.stderr.write(message)
        sys.exit(2)

    def _rules(self, options):
        rules = self._read(options["sheet"]) if options["sheet"] else {"coefficients": STARTING_TABLE}
        if not isinstance(rules, dict):
            self._refuse("The rules are a JSON object, the `rules` of `sheet.published`.")
        if text := options["coefficients"]:
            given = [one.strip() for one in text.split(",")]
            if len(given) != len(PAID_CATEGORIES):
                self._refuse(f"There are nine coefficients, from pair to royal flush; you gave {len(given)}.")
            ratios = [one if ":" in one else f"{one}:1" for one in given]
            rules["coefficients"] = dict(zip(PAID_CATEGORIES, ratios, strict=True))
        for name in ("unseen_cards", "small_hand_loss_pays"):
            if options[name]:
                (rules["parameters"] if isinstance(rules.get("parameters"), dict) else rules)[name] = options[name]
        return rules

    def _read(self, name):
        if name.isascii() and name.isdigit():
            from tables.models import RuleSheet
            from tables.verbs import rulesheets

            row = RuleSheet.objects.select_related("coefficient_table").filter(id=int(name)).first()
            if row is None:
                self._refuse(f"There is no sheet with the number {name}.")
            return rulesheets.rules_of(row)
        try:
            return loads(Path(name).read_bytes())
        except OSError as error:
            self._refuse(f"{name} can't be read: {error.strerror}.")
        except (NotJsonError, KeyTwiceError) as error:
            self._refuse(f"{name} is no JSON: {error}")

    def _caribbean(self, threads, as_json):
        from payouts.edge import caribbean

        made = caribbean.figures(threads)
        if as_json:
            self.stdout.write(json.dumps({"expectation": round(made.expectation, 9), "raises": round(made.raises, 9)}))
        else:
            self.stdout.write(f"Caribbean Stud: {made.expectation:.6f} of an ANTE; raises {made.raises:.2%} of hands.")

    def _warm(self, threads, folder, progress, polite):
        from payouts.edge import report

        def show(share):
            progress.show(int(100 * share), 100, "compiling, and the tables that all sheets share")

        if report.is_warm(folder):
            self.stdout.write("Compiled already.")
            return
        report.warm(threads, folder, Courtesy(show) if polite else show)
        progress.end()

    def _shipped(self, threads, folder):
        """Each line by its inputs alone: so a result is added by a line with its inputs and figures of null."""
        from payouts import edge_results
        from payouts.edge import PROGRAM, report

        lines = [json.loads(line) for line in edge_results.SHIPPED.read_text("utf-8").splitlines()]
        for number, line in enumerate(lines, 1):
            given = line["inputs"] = line["inputs"] | {"program": PROGRAM}
            made = report.figures(
                edge_results.rules_of(given), ante_units=given.get("ante"), threads=threads, folder=folder
            )
            line["figures"] = edge_results.without_spent(made)
            self.stdout.write(f"{number} of {len(lines)}: {made['edge_percent']} % in {made['seconds']} s")
            text = "".join(f"{json.dumps(each, separators=(',', ':'), sort_keys=True)}\n" for each in lines)
            edge_results.SHIPPED.write_text(text, "utf-8")

    def _states(self, sheet, options, threads, folder):
        from payouts.edge import states

        solver = states.Solver(sheet, options["ante"], not options["no_games"], threads, folder)
        try:
            with open(0 if options["states"] == "-" else options["states"], closefd=options["states"] != "-") as lines:
                wrong = False
                for answer in states.answers(lines, solver):
                    wrong = wrong or "error" in answer
                    self.stdout.write(json.dumps(answer))
        except (OSError, UnicodeDecodeError) as error:
            self._refuse(f"{options['states']} can't be read: {getattr(error, 'strerror', None) or error}.")
        if wrong:
            sys.exit(1)

    def _seek(self, sheet, options, threads, folder, show, progress):
        from payouts.edge import seek

        category, wanted = options["vary"], options["seek"]
        answer = seek.seek(
            sheet,
            category,
            wanted,
            ante_units=options["ante"],
            games=not options["no_games"],
            threads=threads,
            folder=folder,
            progress=show,
        )
        progress.end()
        name = category_name(category)
        if options["json"]:
            coefficient = None if answer.coefficient is None else str(answer.coefficient)
            self.stdout.write(
                json.dumps(
                    {"category": category, "coefficient": coefficient, "edge_percent": round(answer.edge_percent, 9)}
                )
            )
        elif answer.coefficient is None:
            self.stdout.write(
                f"{name}: no coefficient between its neighbours leaves the house {wanted} %; the lowest leaves "
                f"{answer.edge_percent:.4f} %."
            )
        else:
            edge = f"{answer.edge_percent:.4f} % of the ANTE"
            self.stdout.write(f"{name} at {answer.coefficient}: the house edge is {edge}.")


def _left(progress, share):
    """The time left, judged by what is done; nothing in the first seconds."""
    spent = time.monotonic() - progress.begun_at
    return f"about {spent * (1 - share) / share:.0f} s left" if share > 0.05 and spent > 3 else ""


def _numbers(value):
    """The report with its decimal text as numbers, as the contract prints it."""
    if isinstance(value, dict):
        return {
            name: one if name in ("sheet", "program", "coefficient", "name", "rank") else _numbers(one)
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [_numbers(one) for one in value]
    return float(value) if isinstance(value, str) else value


def _text(made, sheet):
    lines = [
        f"House edge          {float(made['edge_percent']):.6f} % of the ANTE",
        f"Element of risk     {float(made['risk_percent']):.6f} % of what is staked",
        f"Standard deviation  {float(made['standard_deviation']):.6f} ANTE a round",
        "",
        "The best play:      "
        + ", ".join(
            f"{words} {float(made['choices'][name]):.2%}"
            for name, words in (
                ("fold", "fold"),
                ("bet", "bet"),
                ("buy", "buy two cards"),
                ("buy_then_fold", "of them folded"),
                ("game_bought", "game bought"),
            )
        ),
        "",
        f"{'paid':20} {'coefficient':>11} {'rounds':>12} {'of an ANTE':>13}",
    ]
    lines += [
        f"{category_name(row['name']):20} {row['coefficient']:>11} {float(row['share_paid']):>12.6%} "
        f"{row['contribution']:>13}"
        for row in made["categories"]
    ]
    rest = made["rest"]
    lines += [
        f"{words:45} {rest[name]:>13}"
        for name, words in (("ante_paid", "ANTE paid"), ("lost", "lost"), ("fees", "fees"))
    ]
    lines += [f"{'together':45} {made['expectation']:>13}", ""]
    lines += [
        f"{words:45} {row['expectation']:>13}"
        for row, words in zip(
            made["strategies"],
            ("never buy cards", "always bet", "bet on a pair or better, else fold"),
            strict=True,
        )
    ]
    if sheet.unseen_cards == "house_way":
        lines += ["", "With house_way the game is left out: to buy it can only add to what the player wins."]
    elif not made["games"]:
        lines += ["", "Without buying the game."]
    if made["ante"] is not None:
        lines += ["", f"At an ANTE of {made['ante']}, with the sheet's maximum and smallest chip."]
    lines += [
        "",
        f"{made['program']}, {made['seconds']} s, {made['processor_seconds']} processor seconds, {made['peak_mb']} MB.",
    ]
    return "\n".join(lines)
