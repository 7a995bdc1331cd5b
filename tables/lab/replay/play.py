"""Croupiers who enter a recorded night: each command as REST carries it out, all tables at the same time."""

import json
import multiprocessing
import os
import signal
import time
from collections import deque

from django.db import InterfaceError, OperationalError, connections

from audit.log import Actor
from casino import outages
from casino.errors import Refused
from casino.games.split import SPLIT
from casino.roles import Right
from casino.web import idempotency
from tables.models import Round
from tables.people import access
from tables.verbs import rounds, standing

# On two cores, three play the most (39 to 46 actions a second by two, 50 by three, 39 by four): one always waits for
# the database.
PROCESSES = 3
OUT_OF_REACH = {
    "code": "database_away",
    "message": "The database is out of reach.",
    "way_out": "When it is back, the same command goes on.",
}


class Croupiers:
    """Processes that play what is left of a recording, each at its share of the tables.

    They end with the process that started them, however that ends, but first finish their command, which counts.
    """

    def __init__(self, recording, places):
        shares = [list(range(first, len(places), PROCESSES)) for first in range(min(PROCESSES, len(places)))]
        forking = multiprocessing.get_context("fork")
        self._refusals = forking.SimpleQueue()
        self._processes = [
            forking.Process(target=_work, args=(recording, places, share, self._refusals, os.getpid()), daemon=True)
            for share in shares
        ]

    def __enter__(self):
        connections.close_all()  # no two processes may share a connection
        for process in self._processes:
            process.start()
        return self

    def __exit__(self, *_):
        for process in self._processes:
            process.kill()
            process.join()

    def playing(self):
        """Whether any of them still plays.

        :raises Refused: with what stopped one.
        """
        # Read first: a process that stops says why before it ends.
        plays = any(process.is_alive() for process in self._processes)
        if not self._refusals.empty():
            raise Refused(**self._refusals.get())
        for process in self._processes:
            if process.exitcode:
                raise Refused(
                    "croupier_lost",
                    f"A process of this replay ended with exit code {process.exitcode}.",
                    way_out="The same command goes on.",
                )
        return plays


def _work(recording, places, share, refusals, parent):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to hear
    try:
        for _ in deal(recording, places, share):
            if os.getppid() != parent:
                return
    except Refused as refused:
        refusals.put({"code": refused.code, "message": refused.message, "way_out": refused.way_out})
    except (OperationalError, InterfaceError) as error:
        if not outages.out_of_reach(error):
            raise
        refusals.put(OUT_OF_REACH)


def deal(recording, places, share):
    """Play what is left at some of the places, one command at each in turn; yield after each.

    :raises Refused: if a table does not take what the file says, naming the line.
    """
    dealing = deque(_at(recording, places[index], recording.lines[index :: len(places)]) for index in share)
    while dealing:
        try:
            yield next(dealing[0])
        except StopIteration:
            dealing.popleft()
        else:
            dealing.rotate(-1)


def _at(recording, place, lines):
    """What is left of a table's lines; its n-th round is its n-th line."""
    newest = Round.objects.filter(table=place.table).order_by("-number").first()
    begun = newest.number if newest else 0
    if newest and newest.status == Round.Status.OPEN and begun <= len(lines):
        line = lines[begun - 1]
        yield from _on(recording, place, line, newest.pk, _entered(newest, line))
    for line in lines[begun:]:
        path, body = f"/api/v1/tables/{place.table.pk}/rounds/", {}
        round_id = _command(recording, place, line, 0, path, body, rounds.open_round, table_id=place.table.pk)
        yield
        yield from _on(recording, place, line, round_id, 0)


def _entered(round_, line):
    """How many of a line's actions a round has already.

    :raises Refused: if it has others.
    """
    entered = [(action.kind, action.box, action.arguments) for action in round_.actions.order_by("ordinal")]
    if entered != [(action.kind, action.box, dict(action.arguments)) for action in line.actions[: len(entered)]]:
        raise Refused(
            "played_otherwise",
            f"Round {round_} is not as line {line.number} has it: somebody else has played at {round_.table}.",
            way_out="Replay it in another demo, with another DATA_DIR.",
        )
    return len(entered)


def _on(recording, place, line, round_id, version):
    """Play a round from its version on to its close."""
    path = f"/api/v1/rounds/{round_id}/"
    for action in line.actions[version:]:
        ruling = rounds.role_of(SPLIT, action.kind) == "pit_boss"
        body = {"version": version, "kind": action.kind, "box": action.box, "arguments": dict(action.arguments)}
        _command(
            *(recording, place, line, version + 1, f"{path}actions/", body, rounds.act),
            right=Right.REPORT if ruling else Right.ACT,
            signer=place.boss if ruling else None,
            round_id=round_id,
            **body,
        )
        version += 1
        yield
    body = {"version": version}
    _command(
        recording,
        place,
        line,
        version + 1,
        f"{path}close/",
        body,
        rounds.close,
        round_id=round_id,
        **body,
    )
    yield


def _command(
    recording, place, line, ordinal, path, body, verb, right=Right.ACT, signer=None, round_id=None, **arguments
):
    """Carry out one command in a transaction of its own; return the round's id.

    Its key is made of the file, the line and the command's place in its round, so it counts once, whoever sends it.
    """

    def work():
        access.still(place.croupier, right, place.table.pk)
        actor = Actor(place.croupier, signer)
        if round_id is None:
            return 200, {"round": verb(actor=actor, **arguments).pk}
        verb(standing=standing.locked(round_id), actor=actor, **arguments)
        return 200, {"round": round_id}

    key = f"{recording.digest}:{line.number}:{ordinal}"
    while True:
        try:
            done = idempotency.carry_out(staff=place.croupier, key=key, method="POST", path=path, body=body, work=work)
        except Refused as refused:
            if refused.code != "in_flight":
                refused.message = f"Line {line.number} at {place.table}: {refused.message}"
                raise
            time.sleep(refused.detail["retry_after"])
        else:
            return json.loads(done.text)["round"]
