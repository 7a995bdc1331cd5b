"""A run: croupiers play, the plan's faults strike, the verdict checks; at the end there is a table of what it took."""

import contextlib
import datetime as dt
import itertools
import time

from django.db import DatabaseError, InterfaceError, connection
from django.db.models import Max

from casino.running import stack
from casino.running.progress import Progress
from tables.models import Round, Session, Slip
from tables.verbs import settling

from . import chips, drain, injections, plan
from .house import PATIENCE_SECONDS, Failed, House
from .verdict import Verdict

CROUPIERS = (("T1", "G1"), ("T2", "T3"))


class Play:
    """Croupiers in processes of their own, who close as many rounds as they are asked to."""

    def __init__(self, house, croupiers):
        self.house, self.quota = house, 0
        self.slice = 0
        env = house.env | {"PGAPPNAME": "croupier"}
        arguments = ["-m", house.settler.croupier, str(house.log)]
        self.children = [
            stack.Child(f"croupier-{place}", [*arguments, *codes], log=house.log / f"croupier-{place}.log", env=env)
            for place, codes in enumerate(croupiers)
        ]

    def __enter__(self):
        self._tell()
        for child in self.children:
            child.start()
        return self

    def __exit__(self, *_):
        for child in self.children:
            child.stop()

    def _tell(self):
        new = self.house.log / "quota.new"
        new.write_text(str(self.quota))
        new.rename(self.house.log / "quota")

    def __call__(self):
        """Let each of them play the next slice of rounds."""
        self.quota += self.slice
        self._tell()

    def closed(self):
        """The rounds whose close was committed."""
        return [int(id_) for path in self.house.log.glob("closed-*") for id_ in path.read_text().split("\n")[:-1]]

    def is_over(self):
        dead = next((child for child in self.children if not child.alive), None)
        if dead:
            raise Failed(f"A croupier ended; see {dead.log}")
        return len(self.closed()) >= self.quota * len(self.children)

    def over(self):
        """Wait until they have played all that they may."""
        self.house.wait(self.is_over, "playing")


def run(
    trial, *, rounds, seed, out, settler=None, faults=None, croupiers=CROUPIERS, patience=PATIENCE_SECONDS, offered=0
):
    """Play `rounds` rounds on a database of their own while the seed's faults strike.

    :param settler: what settles instead of the product; tests name broken ones.
    :param faults: those that strike instead of the seed's.
    :param croupiers: the tables of each.
    :param offered: for how many seconds settlement is offered twice what it manages when all are settled.
    :param patience: how many seconds after the last fault everything must be settled.
    :returns: what is wrong, as sentences; nothing if all is right.
    """
    progress = Progress(out)
    planned = plan.faults(rounds, seed) if faults is None else faults
    verdict, struck, wrong, drained = Verdict(), [], [], None
    begun = time.monotonic()
    with contextlib.ExitStack() as open_:
        house = open_.enter_context(House(trial, "faults", settler))
        play = open_.enter_context(Play(house, croupiers))
        try:
            slices = _slices(rounds, len(planned) + 1, len(play.children))
            play.slice = next(slices)
            play()
            house.wait(play.closed, "the first round")
            for number, fault in enumerate(planned, 1):
                play.slice = next(slices)
                progress.show(number - 1, len(planned), f"{len(play.closed()):,} rounds", fault.name)
                happened = injections.strike(house, fault, play)
                struck.append((fault, dt.datetime.now(dt.UTC)))
                if fault.kind == plan.POISON:
                    verdict.poisons.add(happened)
                wrong = verdict.now()
                if wrong:
                    wrong = [f"after {fault.name}: {what}" for what in wrong]
                    break
                _hurry(verdict.poisons, rounds)
            else:
                progress.show(len(planned), len(planned), f"{len(play.closed()):,} rounds", "the last rounds")
                play.over()
                wrong = _settled(house, play, verdict, rounds, patience)
                if not wrong:
                    for code in itertools.chain(*croupiers):
                        chips.end(code)
                    wrong = verdict.end(play.closed())
                if offered and not wrong:
                    verdict.copied = True
                    drained = drain.drain(house, offered, progress)
                    wrong = verdict.end(play.closed())
        except Failed as failed:
            wrong = [str(failed)]
            with contextlib.suppress(DatabaseError, InterfaceError):
                wrong += verdict.now()
        seconds = time.monotonic() - begun
        progress.end()
        if drained:
            progress.say(
                f"  Drained: {drained.offered:,} rounds offered in {offered} s, twice the {drained.rate} a second that"
                f" the worker manages, with kills; at most {drained.worst:,} due and {drained.bells} doorbells waiting;"
                f" nothing due {drained.seconds:.0f} s after the last."
            )
        _report(progress, house, play, struck, verdict, wrong, seconds)
    return wrong


def _slices(rounds, count, croupiers):
    """How many rounds each croupier plays from one fault to the next, so that all together play at least `rounds`."""
    each = -(-rounds // croupiers)
    for place in range(count):
        yield each * (place + 1) // count - each * place // count


def _hurry(poisons, rounds):
    """In a short run a poison round need not wait out its pauses."""
    if poisons and rounds < plan.LONG:
        connection.close()
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE tables_round SET next_at = now()"
                " WHERE id = ANY(%s) AND failures > 0 AND held_at IS NULL AND next_at > now()",
                [list(poisons)],
            )


def _settled(house, play, verdict, rounds, patience):
    """Wait until nothing is due but what is held, then look at everything."""
    deadline = time.monotonic() + patience
    while house.due() and time.monotonic() < deadline:
        house.supervise()
        _hurry(verdict.poisons, rounds)
        time.sleep(0.2)
    alarms = house.output()
    return verdict.end(play.closed()) + [
        f"held without an alarm: round:{id_}" for id_ in verdict.poisons if f"ALARM: round {id_} " not in alarms
    ]


def _recovery(over_at, poisons):
    """How many seconds after a fault the last of the rounds that were closed before its end was settled."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT extract(epoch FROM max(settled_at) - %s) FROM tables_round WHERE closed_at <= %s AND id <> ALL(%s)",
            [over_at, over_at, list(poisons)],
        )
        return max(0, float(cursor.fetchone()[0] or 0))


def _blamed(poisons):
    """The most failures counted against a round that is not poison: from lost workers that took it with them."""
    return Round.objects.exclude(pk__in=poisons).aggregate(most=Max("failures"))["most"] or 0


def _report(progress, house, play, struck, verdict, wrong, seconds):
    connection.close()
    worst = {}
    for fault, over_at in struck:
        worst.setdefault(fault.kind, []).append(_recovery(over_at, verdict.poisons))
    progress.say(
        "  fault, how often, and the longest until all rounds of before were settled, with the next faults striking:"
    )
    for kind in plan.KINDS:
        if kind in worst:
            progress.say(f"  {kind:<32} {len(worst[kind]):>4} x   {max(worst[kind]):5.1f} s")
    places = sorted({fault.lock for fault, _ in struck if fault.lock}, key=plan.LOCKS.index)
    if places:
        progress.say(f"  Killed at: {', '.join(lock.at for lock in places)}.")
    progress.say(
        f"  A healthy round was blamed at most {_blamed(verdict.poisons)} times of the {settling.MAX_FAILURES}."
    )
    for name, times in house.ended.items():
        progress.say(f"  The {name} ended by itself {times} times and was started again.")
    progress.say(
        f"  Meanwhile {Slip.objects.filter(status=Slip.Status.RECEIVED).count()} of {Slip.objects.count()} slips were"
        f" received and {Session.objects.filter(status=Session.Status.CLOSED).count()} sessions closed,"
        f" {Session.objects.exclude(carried_from=None).count()} of them carried on."
    )
    played = f"{len(play.closed()):,} rounds, {len(struck)} faults, {seconds:.0f} s"
    if wrong:
        progress.say(f"BROKEN: {played}.")
        for what in wrong[:20]:
            progress.say(f"  {what}")
        if len(wrong) > 20:
            progress.say(f"  and {len(wrong) - 20} more")
    else:
        held = f", {len(verdict.poisons)} held that could not be" if verdict.poisons else ""
        progress.say(
            f"Not broken: {played}; every round settled exactly once{held}, transfers and chains as they must be."
        )
