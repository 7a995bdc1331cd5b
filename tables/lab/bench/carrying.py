"""What a house of many tables needs: croupiers deal at a real pace at as many tables as this machine carries.

On a stack of its own, over HTTP: a house with all its tables, open, and at some of them a croupier with the terminal's
event stream, who sends a command every two seconds and asks for the felt after each. Their number grows until commands
are answered late; the largest number that was not late gives what one table needs, and what all would.
"""

import statistics
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
from django.core.management.base import CommandError

from casino.lab import processor
from casino.lab.product import percentile
from casino.running import stack
from casino.running.progress import Progress
from casino.running.trial import ROUND, TEMPLATE

from . import terminals

PACE, MOST_SECONDS = 2, 0.3
FIRST, MORE, AT_ONCE = 20, 1.5, 4
NIGHT_SECONDS = 12 * 3600
STEPS = len(ROUND) + 3  # opened, closed, and a step's rest
SIZES = """
    SELECT coalesce(sum(pg_total_relation_size(oid)) FILTER (WHERE relname LIKE 'audit%'), 0)::bigint,
        sum(pg_total_relation_size(oid))::bigint, (SELECT count(*) FROM tables_round)
    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


def add_arguments(parser):
    parser.add_argument("--tables", type=int, default=1000, help="in the house; default: 1000")
    parser.add_argument("--rounds", type=int, default=2, help="at each table and for each number of them; default: 2")
    parser.add_argument("--processes", type=int, default=2, help="of the web; default: 2")


def run(out, *, tables, rounds, processes):
    """:raises CommandError: if not even the first tables are answered in time."""
    progress = Progress(out._out)
    progress.say(f"Starting a stack of its own, with {tables:,} tables ...")
    begun = time.perf_counter()
    with House(tables, processes) as house:
        progress.say(f"{tables:,} tables laid out in {time.perf_counter() - begun:.0f} s")
        progress.say(
            f"{'tables':>7} {'commands/s':>11} {'act p50':>8} {'p99':>8} {'felt p99':>9}   processors: web, database,"
            " workers, broker; the croupiers'"
        )
        carried, playing = None, min(FIRST, tables)
        while True:
            house.seat_as_many_as(playing)
            house.play(1)  # whoever is new logs in and warms up apart
            times, load = house.measure(rounds, progress)
            late, commands = percentile(times["act"], 99), sum(map(len, times.values())) - len(times["felt"])
            progress.say(
                f"{playing:>7} {commands / load.seconds:>11.1f} {1000 * statistics.median(times['act']):>5.0f} ms"
                f" {1000 * late:>5.0f} ms {1000 * percentile(times['felt'], 99):>6.0f} ms   {load}"
            )
            if late > MOST_SECONDS:
                break
            carried = playing, load
            if playing == tables:
                break
            playing = min(tables, round(playing * MORE))
        if carried is None:
            raise CommandError(f"At {playing} tables a command takes more than {1000 * MOST_SECONDS:.0f} ms at p99.")
        house.tell(progress, *carried)


class Load:
    """What the processes of a house used between two moments: `parts` has the processor seconds of each."""

    def __init__(self, seconds, parts):
        self.seconds, self.parts = seconds, parts

    def __str__(self):
        *house, croupiers = (f"{used / self.seconds:.2f}" for used in self.parts.values())
        return f"{', '.join(house)}; {croupiers}"

    @property
    def of_house(self):
        """Processors that the house kept busy, croupiers left out."""
        return (sum(self.parts.values()) - self.parts["croupiers"]) / self.seconds


class House(terminals.Product):
    """The stack with all tables of the house, and croupiers at some of them."""

    def lay_out(self, trial):
        super().lay_out(trial)
        env = trial.environment(TEMPLATE)
        trial.manage("keys", "make", env=env)
        self.sealer = stack.worker(log=self.folder, env=env, queues=(stack.LOG,))
        self._closing.callback(self.sealer.stop)

    def seat(self):
        self.sealer.start()
        self.dealing = []
        self.sizes = self._sizes()

    def seat_as_many_as(self, count):
        """Log in until this many croupiers deal: a few at a time, as when a shift begins."""
        numbers = range(len(self.dealing) + 1, count + 1)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            self.dealing += pool.map(lambda number: Dealing(self.port, f"b{number}"), numbers)

    def play(self, rounds, pace=PACE, progress=None):
        times = {what: [] for what in ("open", "act", "close", "felt")}
        begun, done = time.perf_counter(), []

        def deal(place):
            for one in range(rounds):
                for what, seconds in self.dealing[place].play(
                    terminals.Clock(begun, pace, place / len(self.dealing), one)
                ):
                    times[what].append(seconds)
                done.append(place)
                if progress:
                    progress.show(len(done), rounds * len(self.dealing), f"rounds at {len(self.dealing)} tables")

        with ThreadPoolExecutor(len(self.dealing)) as pool:
            list(pool.map(deal, range(len(self.dealing))))
        return times

    def measure(self, rounds, progress):
        """Play this many rounds at each table; return the times of commands and felts, and the load."""
        before, begun = self._used(), time.perf_counter()
        times = self.play(rounds, progress=progress)
        seconds, after = time.perf_counter() - begun, self._used()
        progress.end()
        return times, Load(seconds, {part: after[part] - used for part, used in before.items()})

    def tell(self, progress, playing, load):
        """Say what a table needs by this load, and what all would, without the croupiers."""
        each, night = load.of_house / playing, NIGHT_SECONDS / (PACE * STEPS)
        *sizes, rounds = map(int.__sub__, self._sizes(), self.sizes)
        log, all_ = (size / rounds for size in sizes)
        progress.say(f"{psutil.cpu_count()} processors carried {playing} tables, by {each:.4f} of one each")
        progress.say(f"  {self.tables:,} need {self.tables * each:.1f}")
        progress.say(f"  memory, MB: {', '.join(f'{part} {mb:.0f}' for part, mb in self._memory_mb().items())}")
        progress.say(f"  connections to the database: {', '.join(f'{who} {n}' for who, n in self._connections())}")
        progress.say(f"  a round adds {log / 1000:.1f} kB to the log, {all_ / 1000:.1f} kB to the database")
        progress.say(
            f"  in a night of 12 hours, a round every {PACE * STEPS} s: {night * log / 10**6:.0f} and"
            f" {night * all_ / 10**6:.0f} MB a table, {self.tables * night * log / 10**9:.0f} and"
            f" {self.tables * night * all_ / 10**9:.0f} GB in all"
        )

    def _processes(self):
        """Each part's processes, including children."""
        of_parts = {
            "web": [web.process.pid for web in self.webs],
            "database": [self.cluster.process.pid],
            "workers": [child.process.pid for child in (self.worker, self.sealer, self.beat)],
            "broker": [self.trial.broker.process.pid],
        }
        for part, pids in of_parts.items():
            mains = [psutil.Process(pid) for pid in pids]
            yield part, [*mains, *(child for main in mains for child in main.children(recursive=True))]

    def _used(self):
        used = {part: processor.used(*processes) for part, processes in self._processes()}
        return used | {"database": processor.of_database(self.cluster), "croupiers": processor.used(psutil.Process())}

    def _memory_mb(self):
        """The memory of each part's processes, counting what they share once."""
        return {
            part: sum(process.memory_full_info().pss for process in processes) / 2**20
            for part, processes in self._processes()
        }

    def _connections(self):
        return self._asked(
            "SELECT usename, count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            " AND pid <> pg_backend_pid() GROUP BY 1 ORDER BY 1"
        )

    def _sizes(self):
        """Bytes of the log's tables and of all, and how many rounds there are."""
        [sizes] = self._asked(SIZES)
        return sizes

    def _asked(self, sql):
        with self.cluster.connect("postgres", TEMPLATE) as superuser:
            return superuser.execute(sql).fetchall()


class Dealing(terminals.Dealing):
    """A croupier at a terminal, whose screen asks for the felt after each command."""

    def play(self, clock):
        """A whole round until it is settled; yields (what, seconds)."""
        self.rested()
        seq = self.seen
        round_ = yield from self._sent(clock, "open", self.open)
        for kind, box, arguments in ROUND:
            body = {"kind": kind, "box": box, "arguments": arguments}
            round_ = yield from self._sent(clock, "act", self.act, round_, body)
        yield from self._sent(clock, "close", self.close, round_)
        self._until(seq + len(ROUND) + 3)
        self.felt()

    def _sent(self, clock, what, command, *arguments):
        clock.wait()
        begun = time.perf_counter()
        answer = command(*arguments)
        answered = time.perf_counter()
        yield what, answered - begun
        self.felt()
        yield "felt", time.perf_counter() - answered
        return answer
