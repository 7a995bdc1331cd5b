"""A croupier who plays short rounds at tables through the product's verbs, whatever becomes of the database."""

import os
import time
from pathlib import Path

from django.db import InterfaceError, OperationalError, connection, transaction

from audit.log import Actor
from casino.running.trial import ROUND
from tables.models import Round, SignOn, Table
from tables.verbs import rounds, rulesheets, standing

from . import chips

# A round of each game: its seats, and all that is entered. The outcomes take turns.
SPLIT = (
    # One box, which folds.
    (
        ("ante", 1, {"units": 500}),
        ("close_betting", None, {}),
        ("open_card", None, {"card": "2s"}),
        ("fold", 1, {}),
        ("reveal", None, {"cards": ["9s", "9d", "Ac", "Kh"]}),
    ),
    ROUND,
    # Equal hands: the stakes go back and nothing is transferred.
    (
        ("ante", 1, {"units": 1000}),
        ("close_betting", None, {}),
        ("open_card", None, {"card": "2s"}),
        ("bet", 1, {}),
        ("reveal", None, {"cards": ["9s", "9d", "Ac", "Kh"]}),
        ("small_hand", None, {"cards": ["3d", "4c"]}),
        ("show", 1, {"cards": ["9c", "9h", "Ad", "Ks", "2d"], "extra": ["3c", "4d"]}),
    ),
)
GENPOKER = (
    (
        ("ante", 1, {}),
        ("ante", 6, {}),
        ("stand", 1, {}),
        ("stand", 6, {}),
        ("show", 6, {"cards": ["6R-08", "5B", "4B", "6B-10", "5B"]}),
        ("show", 1, {"cards": ["5R", "3R", "6B-05", "6B-14", "5R"]}),
    ),
)
GAMES = {"split": ((), SPLIT), "genpoker": ((1, 6), GENPOKER)}
ASK_SECONDS = 0.02


def work(folder, *codes):
    """Play rounds at the tables in turn, as many as the file `quota` in the folder allows, and see to the chips before
    each; a line with the id of each closed one goes to `closed-<process>` once its close is committed.

    If the database went away, a round is continued where it stands: a commit counts even if its answer was lost.
    """
    folder = Path(folder)
    quota, played = folder / "quota", 0
    with open(folder / f"closed-{os.getpid()}", "w", encoding="ascii") as closed:
        while True:
            if int(quota.read_text() or 0) <= played:
                time.sleep(ASK_SECONDS)
                continue
            code = codes[played % len(codes)]
            # Before the round, since by now the one before it is settled, and the table can be closed.
            tend_through(code)
            closed.write(f"{play_through(code, played // len(codes))}\n")
            closed.flush()
            played += 1


def play_through(code, number):
    """Play a round from its opening to its close, however often the database goes away; return its id."""
    round_id = None
    while True:
        try:
            round_id = round_id or _opened(code)
            _play_on(round_id, number)
        except (OperationalError, InterfaceError):
            connection.close()
            time.sleep(ASK_SECONDS)
        else:
            return round_id


def tend_through(code):
    """Tend a table's chips, however often the database goes away."""
    while True:
        try:
            return chips.tend(code)
        except (OperationalError, InterfaceError):
            connection.close()
            time.sleep(ASK_SECONDS)


def _opened(code):
    """The table's open round, begun if there is none."""
    table = Table.objects.get(code=code)
    croupier = SignOn.objects.get(table=table, signed_off_at=None).staff
    running = Round.objects.at_the_table().filter(table=table, status=Round.Status.OPEN).first()
    if running:
        return running.pk
    game = rulesheets.in_force(table).game
    seats = GAMES[game][0]
    with transaction.atomic():
        return rounds.open_round(
            table_id=table.pk, seats=seats, dealer=seats[-1] if seats else None, actor=Actor(croupier)
        ).pk


def _play_on(round_id, number):
    """Play what is left of a round, each entry in a transaction of its own; nothing if it is closed."""
    playing = Round.objects.select_related("sheet", "opened_by").get(pk=round_id)
    if playing.status != Round.Status.OPEN:
        return
    ways = GAMES[playing.sheet.game][1]
    entries = ways[number % len(ways)]
    version, actor = playing.actions.count(), Actor(playing.opened_by)
    for kind, box, arguments in entries[version:]:
        with transaction.atomic():
            rounds.act(
                standing=standing.locked(round_id),
                version=version,
                kind=kind,
                box=box,
                arguments=arguments,
                actor=actor,
            )
        version += 1
    with transaction.atomic():
        rounds.close(standing=standing.locked(round_id), version=version, actor=actor)
