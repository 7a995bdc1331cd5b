"""How long commands take while the broker is down, hung or slow, compared with normal.

On a stack of its own: an embedded database and broker in a temporary folder, web, worker and beat, all of them reaching
the broker through a proxy that plays its states in turn while the croupiers of the Split tables go on dealing by HTTP.
"""

import itertools
import json
import statistics
import time
from concurrent.futures import ThreadPoolExecutor

from django.core.management.base import CommandError

from casino.running.progress import Progress
from casino.running.trial import ROUND

from . import product
from .product import Croupier, percentile
from .proxy import Proxy

STATES = ("normal", "down", "hung", "slow")
MOST_SECONDS = 0.3
SETTLED_WITHIN = 60


def add_arguments(parser):
    parser.add_argument("--commands", type=int, default=1_200, help="that act or close, in each state of the broker")
    parser.add_argument("--turns", type=int, default=4, help="how often the states take turns")


def run(out, *, commands, turns):
    """Report the 99th percentile, and judge the median of each command of the round: whoever waits for a broker waits
    at each such command, while a busy machine is slow at any.

    :raises CommandError: if in a state the median of a command of the round is more than 0.3 s above that of the normal
        state, or a round is not settled a minute after the broker is back.
    """
    if commands < 1 or turns < 1:
        raise CommandError("At least one command and one turn are needed.")
    took, settled = {state: [] for state in STATES}, {state: [] for state in STATES}
    progress = Progress(out._out)
    progress.say("Starting a stack of its own ...")
    with Product() as house:
        each = max(1, round(commands / turns / len(house.croupiers) / (len(ROUND) + 1)))
        total = turns * len(STATES) * each * len(house.croupiers) * (len(ROUND) + 1)
        house.play(1)
        house.until_settled()
        progress.say(
            f"{len(house.croupiers)} tables at once; each broker state in turn, {each} rounds a table each time"
        )
        for turn in range(turns):
            for state in STATES[turn % len(STATES) :] + STATES[: turn % len(STATES)]:
                begun = time.monotonic()
                house.broker.be(state)
                done = sum(map(len, itertools.chain(*took.values())))
                took[state] += house.play(
                    each, lambda more, done=done, state=state: progress.show(done + more, total, f"broker {state}")
                )
                house.broker.be("normal")
                settled[state].append(house.until_settled())
                passed = time.monotonic() - begun
                progress.say(f"  turn {turn + 1} of {turns}, {state:<6} {passed:5.1f} s")
    _tell(progress, took, settled)


def _tell(progress, took, settled):
    """:param took: the rounds played in each state, each as the seconds of its commands in order."""
    times = {state: list(itertools.chain(*rounds)) for state, rounds in took.items()}
    tails = {state: percentile(seconds, 99) for state, seconds in times.items()}
    costs = {state: _most_at_a_command(rounds, took["normal"]) for state, rounds in took.items()}
    progress.say(
        "broker   commands   median      p99   p99 against normal   slowest   one command's median   settled after"
    )
    for state, seconds in times.items():
        more = tails[state] - tails["normal"]
        progress.say(
            f"{state:<8} {len(seconds):>8,} {1000 * statistics.median(seconds):>5.0f} ms {1000 * tails[state]:>5.0f} ms"
            f" {1000 * more:>+17.0f} ms {1000 * max(seconds):>6.0f} ms {1000 * costs[state]:>+20.0f} ms"
            f"   within {max(settled[state]):.1f} s"
        )
    worst = max(STATES, key=costs.get)
    if costs[worst] > MOST_SECONDS:
        raise CommandError(f"With the broker {worst} a command of the round takes more than {MOST_SECONDS} s longer.")
    progress.say(f"No state costs a command more than {MOST_SECONDS} s.")


def _most_at_a_command(rounds, normal):
    """The most by which the median of one of a round's commands exceeds its median in `normal`.

    >>> _most_at_a_command([(1, 5), (2, 5), (1, 9)], [(1, 1), (1, 2), (1, 1)])
    4
    """
    medians, before = (map(statistics.median, zip(*played, strict=True)) for played in (rounds, normal))
    return max(median - was for median, was in zip(medians, before, strict=True))


class Product(product.Product):
    """The stack behind a proxy before its broker, and croupiers at the demo's Split tables."""

    def broker_url(self, trial):
        listens = self.folder / "proxy.sock"
        self.broker = self._closing.enter_context(Proxy(listens, trial.broker.socket))
        return f"redis+socket://{listens}?virtual_host=0"

    def seat(self):
        people = json.loads((self.folder / "demo-logins.json").read_text())
        at_tables = [person for person in people if person["where"].startswith("signed on")]
        dealing = [Croupier(self.port, person["login"], person["password"]) for person in at_tables]
        self.croupiers = [croupier for croupier in dealing if croupier.table["game"] == "split"]

    def play(self, rounds, tick=None):
        """Play `rounds` rounds at every table at once; return how long the commands of each round took.

        :param tick: called with how many commands were answered so far.
        """
        done = itertools.count(1)

        def deal(croupier):
            croupier.rested()
            return [[played(seconds) for seconds in croupier.play()] for _ in range(rounds)]

        def played(seconds):
            if tick:
                tick(next(done))
            return seconds

        with ThreadPoolExecutor(len(self.croupiers)) as pool:
            return list(itertools.chain(*pool.map(deal, self.croupiers)))

    def until_settled(self):
        """Wait until nothing is due; return how long it took.

        :raises CommandError: if it takes more than a minute.
        """
        begun = time.monotonic()
        for croupier in self.croupiers:
            croupier.rested()
            while not croupier.all_settled():
                if time.monotonic() - begun > SETTLED_WITHIN:
                    raise CommandError(f"A round was not settled {SETTLED_WITHIN} s after the broker was back.")
                time.sleep(0.05)
        return time.monotonic() - begun
