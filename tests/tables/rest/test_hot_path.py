"""What a terminal sends and asks for all the time: how often it asks the database, and that it folds a round once."""

import contextlib
import re
import sys

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from audit.log import Actor
from tables.people import terminals
from tables.verbs import fold, settling

from ...support import evening, factories

AT_MOST = 8
ENDS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
MINIMAL = {"Prefer": "return=minimal"}


def enrolled(table):
    """The token of a terminal at the table, which was seen within this minute: the note of that is no command's."""
    with transaction.atomic():
        _, token = terminals.enrol(table_id=table.pk, name=f"{table.code}-hot", actor=Actor(factories.person("ida")))
    terminals.see(terminals.digest_of(token))
    return token


def by_cookie(table):
    client = factories.client(factories.croupier(table).login)
    client.cookies[settings.TERMINAL_COOKIE_NAME] = enrolled(table)
    return client


def by_token(table):
    return Client(headers={"Authorization": f"Bearer {enrolled(table)}"})


class Watched:
    """What a block asks the database, and how many rounds it folds."""

    def __init__(self, at_most=AT_MOST):
        self.at_most = at_most

    def __enter__(self):
        self.asked, self.folds = CaptureQueriesContext(connection).__enter__(), 0
        sys.setprofile(self._look)
        return self

    def _look(self, frame, event, _):
        self.folds += event == "call" and frame.f_code is fold.start.__code__

    def __exit__(self, *error):
        sys.setprofile(None)
        self.asked.__exit__(*error)
        statements = [query["sql"] for query in self.asked.captured_queries]
        assert not [statement for statement in statements if "SAVEPOINT" in statement]
        statements = [statement for statement in statements if not statement.startswith(ENDS)]
        assert len(statements) <= self.at_most, "\n".join(statements)
        assert self.folds <= 1


@pytest.mark.parametrize("prefer", [{}, MINIMAL], ids=["whole", "minimal"])
@pytest.mark.parametrize("enter", [by_cookie, by_token])
def test_an_action_takes_eight_statements_at_most_and_one_fold(seeded_db, enter, prefer):
    """With all six boxes in play, however many of them the action changes."""
    table = factories.table("T1")
    client, opened = enter(table), factories.open_round(table)
    moves = [("ante", box, {"units": 500}) for box in range(1, 7)]
    moves += [("close_betting", None, {}), ("open_card", None, {"card": "2s"})]
    moves += [("bet", box, {}) for box in range(1, 7)]
    moves += [("reveal", None, {"cards": ["9s", "9d", "Ac", "Kh"]}), ("small_hand", None, {"cards": ["Kd", "4c"]})]
    for version, (kind, box, arguments) in enumerate(moves):
        body = {"version": version, "kind": kind, "box": box, "arguments": arguments}
        with Watched():
            answer = factories.send(client, f"/api/v1/rounds/{opened.pk}/actions/", body, more=prefer)
        assert answer.status_code == 200, answer.content
    told = answer.json()
    assert told["version"] == len(moves)
    assert (set(told) == {"id", "version"}) == bool(prefer)
    assert (answer.headers.get("Preference-Applied") == "return=minimal") == bool(prefer)
    assert [action.terminal.name for action in opened.actions.all()] == ["T1-hot"] * len(moves)


@pytest.mark.parametrize("change", ["", "amend/", "undo/"])
def test_an_action_with_its_felt_takes_fewer_than_both_and_one_fold(seeded_db, change):
    """The felt is the one that the page would have asked for; a close brings its own too, and so does what is taken
    back, where actions that no longer count are folded for what they were."""
    table = factories.table("T1")
    client, opened = by_cookie(table), factories.open_round(table)
    first, *others = (
        ("actions/", {"kind": kind, "box": box, "arguments": arguments})
        for kind, box, arguments in factories.FLUSH_WINS
    )
    changes = {
        "": [],
        "amend/": [("amend/", {"ordinal": 1, "arguments": {"units": 500}})],
        "undo/": [("undo/", {}), first],
    }
    for version, (path, body) in enumerate([first, *changes[change], *others, ("close/", {})]):
        watched = contextlib.nullcontext() if change else Watched(at_most=12)
        prefer = {"Prefer": f"return=minimal, felt={table.pk}"}
        with watched:
            answer = factories.send(
                client, f"/api/v1/rounds/{opened.pk}/{path}", {"version": version, **body}, more=prefer
            )
        assert answer.status_code == 200, answer.content
        felt = client.get(f"/tables/{table.pk}/terminal/felt/").content.decode()
        assert lasting(answer.json()["felt"]) == lasting(felt)


def lasting(felt):
    """A felt without the clock of its round and the token of its forms, which are new each time."""
    return re.sub(r'data-seconds="\d+"|name="csrfmiddlewaretoken" value="\w+"', "", felt)


def rounds_of(name):
    """A table for an evening's game, and two rounds of it as (seats, moves)."""
    if name == "split":
        return factories.table("T1"), [((), factories.FLUSH_WINS)] * 2
    values, rounds = evening.evening(name)
    return factories.table_of(evening.game_of(name).code, values), [
        (dealt.seats, dealt.actions) for dealt in rounds[:2]
    ]


@pytest.mark.parametrize("name", ["split", *evening.EVENINGS])
def test_a_felt_takes_eight_statements_at_most_and_one_fold(seeded_db, name):
    """Before the first round, at each step of a round of every game, some of the next, closed, settled and ticked."""
    table, rounds = rounds_of(name)
    client = by_cookie(table)

    def look():
        with Watched():
            felt = client.get(f"/tables/{table.pk}/terminal/felt/")
        assert felt.status_code == 200

    look()
    for which, (seats, moves) in enumerate(rounds):
        opened = factories.open_round(table, seats)
        look()
        for step, (kind, box, arguments) in enumerate(moves):
            factories.do(opened, kind, box, **arguments)
            if which == 0 or step % 8 == 0:
                look()
        factories.close(opened)
        look()
        settling.settle_due()
        look()
        opened.refresh_from_db()
        factories.ticked(opened)
        look()
