"""Lines per second of the processor by game, and peak memory by the number of lines."""

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from itertools import cycle, groupby, islice
from operator import itemgetter
from pathlib import Path

from django.core.management.base import CommandError

from casino.cards import DECK_52, VALUE
from casino.games import poker, registry
from casino.games.bigtwo.combinations import cards_set
from casino.games.bigtwo.course import HAND, begin, judge, step
from casino.games.bigtwo.facts import in_order
from casino.games.bigtwo.sheet import BASES, MULTIPLIERS, SCORINGS, Options

MANAGE = Path(__file__).resolve().parents[2] / "manage.py"
BOXES = (1, 6)


def add_arguments(parser):
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"left out: all of {', '.join(registry.GAMES)}")
    parser.add_argument("--lines", type=int, default=20_000, help="for each game, and each form of Big Two")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=int, help="players, or boxes, of every line, as far as the game allows")
    parser.add_argument("--explain", action="store_true", help="with the reasons")


def run(out, *, games, lines, runs, seed, players, explain):
    """:raises CommandError: for a game that is not there, or no lines at all."""
    unknown = set(games) - set(registry.GAMES)
    if unknown:
        raise CommandError(f"There is no game {min(unknown)}; there are {', '.join(registry.GAMES)}.")
    if lines < 1 or runs < 1:
        raise CommandError("At least one line and one run are needed.")
    what = f"adjudicate{' --explain' if explain else ''}"
    out.write(f"{what}, {lines:,} lines each, {runs} runs, seed {seed}: lines per processor second, peak memory")
    for game, forms in _DEALS.items():
        if game not in (games or registry.GAMES):
            continue
        fewest, most = registry.GAMES[game].seats or BOXES
        seats = (fewest, most) if players is None else (min(max(players, fewest), most),) * 2
        for form, deal in forms.items():
            dealt = deal(random.Random(seed), seats)  # noqa: S311 - a benchmark's deals
            rates, peaks = _measured(dealt, lines, runs, explain)
            out.write(
                f"  {f'{game} {form}':<16} min {rates[0]:>7,.0f}   median {statistics.median(rates):>7,.0f}"
                f"   max {rates[-1]:>7,.0f}   {peaks[1]:.1f} MB, {peaks[1] - peaks[0]:+.1f} MB against 1,000 lines"
            )
            out.flush()


def _measured(dealt, lines, runs, explain):
    """The rates of all runs going up, and the peaks in MB with 1,000 lines and with all."""
    arguments = ["--explain"] if explain else []
    with tempfile.TemporaryDirectory() as folder:
        few, many, empty = (Path(folder) / f"{name}.jsonl" for name in ("few", "many", "empty"))
        with open(many, "w", encoding="utf-8") as file:
            for number, line in enumerate(islice(dealt, lines)):
                file.write(f"{json.dumps({'id': number, **line})}\n")
        with open(many, encoding="utf-8") as file:
            few.write_text("".join(islice(file, 1_000)), "utf-8")
        empty.touch()
        peaks = [_peak(path, arguments) / 1024 for path in (few, many)]
        # The start-up is taken out: the same command on an empty file, in turn with the full one.
        seconds = [_seconds(many, arguments) - _seconds(empty, arguments) for _ in range(runs)]
    return sorted(lines / second for second in seconds), peaks


def _seconds(path, arguments):
    """Processor seconds, so that neighbours on the machine don't count: one process reads, judges and writes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, MANAGE, "adjudicate", path, *arguments]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _peak(path, arguments):
    """Peak memory of one run in KiB; a process of its own asks, since the system adds up over all children."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", code, MANAGE, "adjudicate", path, *arguments]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


# Lines of contracts/adjudicate.md without their id, each game's without end


def _split(dealer, seats):
    while True:
        yield _split_round(dealer, dealer.randint(*seats))


def _split_round(dealer, count):
    """A round of Split Poker, with every kind of decision."""
    pack = dealer.sample(DECK_52, 52)
    five = [pack.pop() for _ in range(5)]
    boxes = [
        {
            "box": box,
            "ante": 5 * dealer.randint(1, 40),
            "action": dealer.choice(["fold", "bet", "bet", "buy_bet", "buy_fold"]),
        }
        for box in range(1, count + 1)
    ]
    still_in = [box for box in boxes if box["action"] in {"bet", "buy_bet"}]
    line = {"game": "split", "chip": 5, "dealer": {"cards": five}, "boxes": boxes}
    compared = still_in
    if not _has_game(five):
        compared = [box for box in still_in if dealer.random() < 0.5]
        for box in compared:
            box["buys_game"] = True
        if compared:
            line["dealer"]["replacement"] = pack.pop()
            highest = max(five, key=VALUE.get)
            if not _has_game([line["dealer"]["replacement"] if card == highest else card for card in five]):
                compared = []
    if compared:
        line["dealer"]["small"] = [pack.pop(), pack.pop()]
    for box in compared:
        box["cards"], box["extra"] = [pack.pop() for _ in range(5)], [pack.pop(), pack.pop()]
    return line


def _has_game(five):
    return poker.strength(five)[0] > poker.HIGH_CARD


def _showdowns(code, cards):
    """A dealer for rounds of a pot game whose hands have `cards` cards."""
    game = registry.GAMES[code]
    sheet = game.sheet({})

    def deal(dealer, seats):
        while True:
            players = range(dealer.randint(*seats))
            pack = [card for card, copies in game.deck(sheet, players).copies.items() for _ in range(copies)]
            dealer.shuffle(pack)
            hands = [{"player": f"P{player}", "cards": pack[player * cards :][:cards]} for player in players]
            yield {"game": code, "pot": dealer.randint(1, 10_000), "hands": hands}

    return deal


def _dynastia(dealer, seats):
    for line in _showdowns("dynastia", 7)(dealer, seats):
        yield line | {"preferred": dealer.choice("RB")}


def _bigtwo_deals(dealer, seats):
    """A thousand whole rounds over and over: playing one takes longer than judging it."""
    return cycle([_bigtwo_round(dealer, dealer.randint(*seats)) for _ in range(1_000)])


def _bigtwo_round(dealer, count):
    players, hands = _bigtwo_hands(dealer, count)
    options = _bigtwo_options(dealer)
    at, plays = begin(Options(**options), hands, None), []
    while at.turn is not None:
        hand = cards_set(hands[at.turn])
        tries = _bigtwo_combinations(dealer, in_order(hand & at.unplayed))
        cards = next((cards for cards in tries if judge(at, at.turn, cards, hand) is None), [])
        plays.append({"player": players[at.turn], "cards": cards})
        at = step(at, cards)
    deal = dict(zip(players, hands, strict=True))
    return {"game": "bigtwo", "seats": players, "options": options, "deal": deal, "plays": plays}


def _bigtwo_lefts(dealer, seats):
    while True:
        players, hands = _bigtwo_hands(dealer, dealer.randint(*seats))
        left = {player: hand[: dealer.randint(1, HAND)] for player, hand in zip(players, hands, strict=True)}
        left[dealer.choice(players)] = []
        yield {"game": "bigtwo", "seats": players, "options": _bigtwo_options(dealer), "left": left}


def _bigtwo_compares(dealer, seats):
    while True:
        _, hands = _bigtwo_hands(dealer, 2)
        sides = [_bigtwo_combinations(dealer, hand)[0] for hand in hands]
        yield {"game": "bigtwo", "options": _bigtwo_options(dealer), "compare": sides}


def _bigtwo_hands(dealer, count):
    pack = dealer.sample(DECK_52, 52)
    return [f"P{player}" for player in range(count)], [pack[player * HAND :][:HAND] for player in range(count)]


def _bigtwo_options(dealer):
    return {
        "bombs": dealer.random() < 0.5,
        "auto_skip": dealer.random() < 0.5,
        "base": dealer.choice(BASES),
        "multiplier": dealer.choice(MULTIPLIERS),
        "scoring": dealer.choice(SCORINGS),
    }


def _bigtwo_combinations(dealer, hand):
    """Single cards, two and three of a rank, and five of a suit, in any order."""
    combinations = [[card] for card in hand]
    for place, sizes in ((0, (2, 3)), (1, (5,))):
        alike = groupby(sorted(hand, key=itemgetter(place)), key=itemgetter(place))
        groups = [list(group) for _, group in alike]
        combinations += [group[:size] for group in groups for size in sizes if len(group) >= size]
    return dealer.sample(combinations, len(combinations))


_DEALS = {
    "split": {"": _split},
    "genpoker": {"": _showdowns("genpoker", 5)},
    "dynastia": {"": _dynastia},
    "presidential": {"": _showdowns("presidential", 7)},
    "bigtwo": {"deal": _bigtwo_deals, "left": _bigtwo_lefts, "compare": _bigtwo_compares},
}
"""By game and by the form of its lines."""
