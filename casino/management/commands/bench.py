"""Benchmarks, as commands and never as timed tests: these figures depend on the machine and its noise."""

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from django.core.management.base import BaseCommand

from casino.cards import DECK_52, VALUE
from casino.games import poker

MANAGE = Path(__file__).resolve().parents[3] / "manage.py"


class Command(BaseCommand):
    help = "Measure. `adjudicate`: lines of Split Poker per second, and peak memory by the number of lines."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("what", choices=["adjudicate"])
        parser.add_argument("--lines", type=int, default=100_000)
        parser.add_argument("--runs", type=int, default=5)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args, lines, runs, seed, **options):
        with tempfile.TemporaryDirectory() as folder:
            few, many = Path(folder) / "few.jsonl", Path(folder) / "many.jsonl"
            _write(few, 1_000, seed)
            _write(many, lines, seed)
            peaks = {path.name: _peak(path) for path in (few, many)}
            # The start-up is taken out: the same command on an empty file, in turn with the full one.
            empty = Path(folder) / "empty.jsonl"
            empty.touch()
            seconds = [_seconds(many) - _seconds(empty) for _ in range(runs)]
        rates = sorted(lines / second for second in seconds)
        self.stdout.write(f"adjudicate, {lines:,} lines, {runs} runs, seed {seed}")
        self.stdout.write(
            f"  lines per second   min {rates[0]:,.0f}   median {statistics.median(rates):,.0f}   max {rates[-1]:,.0f}"
        )
        few_mb, many_mb = (peaks[name] / 1024 for name in ("few.jsonl", "many.jsonl"))
        self.stdout.write(
            f"  peak memory        1,000 lines {few_mb:.1f} MB   {lines:,} lines {many_mb:.1f} MB"
            f"   difference {many_mb - few_mb:+.1f} MB"
        )


def _seconds(path):
    began = time.perf_counter()
    _adjudicate(path)
    return time.perf_counter() - began


def _adjudicate(path):
    subprocess.run([sys.executable, MANAGE, "adjudicate", path], stdout=subprocess.DEVNULL, check=True)


def _peak(path):
    """Peak memory of one run in KiB; a process of its own asks, since the system adds up over all children."""
    code = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, MANAGE, "adjudicate", path], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def _write(path, count, seed):
    dealer = random.Random(seed)  # noqa: S311 - a benchmark's deals
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            file.write(json.dumps(_deal(dealer, number)) + "\n")


def _deal(dealer, number):
    """One dealt round with every kind of decision, in the form of contracts/adjudicate.md."""
    pack = dealer.sample(DECK_52, 52)
    five = [pack.pop() for _ in range(5)]
    boxes = [
        {
            "box": box,
            "ante": 5 * dealer.randint(1, 40),
            "action": dealer.choice(["fold", "bet", "bet", "buy_bet", "buy_fold"]),
        }
        for box in range(1, dealer.randint(2, 7))
    ]
    still_in = [box for box in boxes if box["action"] in {"bet", "buy_bet"}]
    line = {"id": number, "game": "split", "chip": 5, "dealer": {"cards": five}, "boxes": boxes}
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
