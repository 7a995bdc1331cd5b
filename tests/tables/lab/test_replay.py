"""A recorded night played again through the running product: resumed wherever it was killed, compared line by line."""

import io
import json
import os
import signal
import subprocess
import sys

import psutil
import psycopg
import pytest
from django.core.management import CommandError, call_command

from casino import adjudicate
from casino.errors import Refused
from casino.models import Casino
from casino.running import embedded
from casino.running.progress import Progress
from payouts.models import Settlement
from tables.lab.replay import comparison, pit, play, recording, run
from tables.models import Pit, Round, Session
from tables.verbs import dates, settling

from ...support import factories, proof, stack, waiting

TABLES = 7
FORFEIT = {"what": "forfeit", "clause": "split.30"}


def shipped(rounds):
    """The first of the recorded rounds that come with the product."""
    return [json.loads(text) for text in recording.SHIPPED.read_text("utf-8").splitlines()[:rounds]]


LINES = shipped(12)


def written(path, lines):
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path


def read(path):
    return recording.read(path, lambda done, of: None)


def compared(found, places):
    return comparison.compare(found, places, lambda done, of: None)


class Command:
    """`manage.py replay` as people start it, on the live stack."""

    def __init__(self, live_stack, file, tables):
        self.process = subprocess.Popen(
            [sys.executable, stack.BASE_DIR / "manage.py", "replay", file, "--tables", str(tables)],
            env=os.environ | {"DATABASE_URL": live_stack.database_url} | live_stack.reached_by(),
            cwd=stack.BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            # Tests that run in the background hear no Ctrl-C; this does.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - one system call
        )

    def interrupted(self, number, closed):
        """Send a signal once this many rounds are closed; gives its exit status and what it said, all of it ended."""
        waiting.until(
            lambda: self.process.poll() is not None or Round.objects.filter(closed_at__isnull=False).count() >= closed
        )
        croupiers = psutil.Process(self.process.pid).children()
        assert len(croupiers) == play.PROCESSES
        self.process.send_signal(number)
        told = self.ended()
        assert psutil.wait_procs(croupiers, timeout=waiting.PATIENCE)[1] == []
        return told

    def ended(self):
        told, _ = self.process.communicate(timeout=waiting.PATIENCE)
        return self.process.returncode, told


@pytest.fixture
def on_live(live_stack, django_db_blocker):
    with django_db_blocker.unblock(), stack.django_on(live_stack.database):
        yield live_stack


@pytest.fixture(scope="module")
def night_over(tmp_path_factory, django_db_blocker):
    """A file of twelve rounds, played over three tables and settled, and the database in which they are."""
    file = written(tmp_path_factory.mktemp("night") / "twelve.jsonl", LINES)
    with stack.clone(stack.SEEDED) as database:
        with django_db_blocker.unblock(), stack.django_on(database):
            found = read(file)
            list(play.deal(found, pit.of(found, 3), range(3)))
            assert settling.settle_due() == 12
        yield file, database


@pytest.fixture
def over(night_over, django_db_blocker):
    """(file, recording, places) of a night that is over."""
    file, database = night_over
    with django_db_blocker.unblock(), stack.django_on(database):
        found = read(file)
        yield file, found, pit.of(found, 3)


def killed_twice(on_live, folder, rounds):
    """Replay so many rounds, killed on the way and interrupted later; gives what the last run said."""
    file = written(folder / "night.jsonl", shipped(rounds))
    status, _ = Command(on_live, file, TABLES).interrupted(signal.SIGKILL, closed=rounds * 3 // 10)
    assert status == -signal.SIGKILL
    status, told = Command(on_live, file, TABLES).interrupted(signal.SIGINT, closed=rounds * 6 // 10)
    assert (status, told.splitlines()[-1]) == (130, "Stopped; the same command goes on where it was.")
    assert rounds * 6 // 10 <= Round.objects.count() < rounds
    status, told = Command(on_live, file, TABLES).ended()
    assert (status, f"\n{rounds:,} rounds, 0 differences.\n" in told) == (0, True), told
    assert "rounds per second." in told
    assert Round.objects.filter(status=Round.Status.SETTLED).count() == Settlement.objects.count() == rounds
    assert Round.objects.values("table").distinct().count() == TABLES
    return told


@pytest.mark.proof
def test_a_night_killed_in_the_midst_goes_on_and_differs_in_nothing(on_live, tmp_path):
    print(f"\n{killed_twice(on_live, tmp_path, proof.size(1000, 50))}")


def test_a_night_that_is_over_is_compared_again(over):
    told = io.StringIO()
    assert run.run(over[0], tables=3, out=told) == []
    assert "12 rounds of twelve.jsonl, 12 of them played before" in told.getvalue()
    assert "\n12 rounds, 0 differences.\n" in told.getvalue()
    assert "rounds per second" not in told.getvalue()


def test_the_same_file_over_other_tables_is_refused(over):
    with pytest.raises(Refused, match="over 3 tables in this casino, not over 4") as refused:
        run.run(over[0], tables=4, out=io.StringIO())
    assert refused.value.way_out == "Go on with --tables 3."


def with_cards_swapped(line):
    """A line in which the dealer and the first box that bet unseen and won have each other's cards; else None."""
    told = json.loads(line.data)
    answer, _ = adjudicate.answer(line.data, line.number)
    for box, result in zip(told["boxes"], answer["boxes"], strict=True):
        if box["action"] == "bet" and result["outcome"] == "win_bet" and "replacement" not in told["dealer"]:
            box["cards"], told["dealer"]["cards"] = told["dealer"]["cards"], box["cards"]
            return line._replace(data=json.dumps(told).encode())
    return None


def test_what_was_paid_otherwise_than_the_file_has_it_is_named(over):
    _, found, places = over
    index, line = next((index, line) for index, line in enumerate(map(with_cards_swapped, found.lines)) if line)
    lines = list(found.lines)
    lines[index] = line
    differences = compared(found._replace(lines=tuple(lines)), places).differences
    table = places[index % 3].table
    name = f"Line {line.number} ({table.code}-{index // 3 + 1:05d})"
    assert all(difference.startswith((name, f"{table.code}: ")) for difference in differences)
    for what in ("outcome is ", "clauses is ", "net is ", "transfers: ", "its float holds ", "its patrons holds "):
        assert any(what in difference for difference in differences), (what, differences)


def test_rounds_without_a_line_and_lines_without_a_round_are_named(over):
    _, found, places = over
    shorter = found._replace(lines=found.lines[:-1])
    assert any("no line of the file has this round." in what for what in compared(shorter, places).differences)
    longer = found._replace(lines=(*found.lines, found.lines[0]))
    assert "Line 1: it was not played." in compared(longer, places).differences


def test_a_broken_chain_is_named(over, night_over):
    _, found, places = over
    key = places[0].table.ref
    with psycopg.connect(stack.cluster().url(embedded.OWNER, night_over[1]), autocommit=True) as owner:
        owner.execute("ALTER TABLE audit_entry DISABLE TRIGGER USER")
        entries = "UPDATE audit_entry SET body = replace(body, %s, %s) WHERE chain_id = %s"
        owner.execute(entries, ['"ante"', '"ANTE"', key])
        assert any(what.startswith(f"{key}: ") for what in compared(found, places).differences)
        owner.execute(entries, ['"ANTE"', '"ante"', key])


SHORT = [LINES[6], LINES[4], LINES[3], LINES[5]]
FOLDS = {**LINES[0], "id": 999, "boxes": [{"box": 1, "ante": 500, "action": "fold"}]}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ('{"id": 1', "Line 3: Not JSON: "),
        ('{"id": 1, "id": 2}', "Line 3, id: The key 'id' is given twice."),
        ({"game": "bigtwo", "left": {"N": [], "W": ["3c"]}, "seats": ["N", "W"]}, "Line 3, game: its game is bigtwo; "),
        ({**FOLDS, "chip": 50}, "Line 3, chip: its chip is not that of line 1"),
        ({**FOLDS, "max_payment": 5000}, "Line 3, max_payment: its max_payment is not that of line 1"),
        ({**FOLDS, "id": SHORT[0]["id"]}, f"Line 3, id: its id {SHORT[0]['id']} is that of line 1."),
        ({**FOLDS, "void": {"clause": "split.36"}}, "Line 3: no table would have taken it: No course of a round"),
        ({**FOLDS, "boxes": [{"box": 7, "ante": 500, "action": "fold"}]}, "Line 3, boxes[0].box: The number of a"),
        ({**FOLDS, "dealer": {"cards": ["As", "As", "8s", "Jd", "4h"]}}, "Line 3, dealer.cards[1]: The ace of"),
    ],
)
def test_a_line_that_cannot_be_replayed_is_named(tmp_path, wrong, message):
    path = written(tmp_path / "wrong.jsonl", [SHORT[0], "", wrong])
    with pytest.raises(Refused) as refused:
        read(path)
    assert refused.value.message.startswith(message)


def test_a_file_without_rounds_or_none_at_all_is_refused(tmp_path):
    with pytest.raises(Refused, match="has no rounds"):
        read(written(tmp_path / "empty.jsonl", ["", ""]))
    with pytest.raises(Refused, match="can't be read: No such file"):
        read(tmp_path / "missing.jsonl")


def test_nothing_is_laid_out_for_a_file_that_is_refused(seeded_db, tmp_path):
    before = list(Pit.objects.values_list("code"))
    with pytest.raises(Refused, match="Line 2, "):
        run.run(written(tmp_path / "wrong.jsonl", [SHORT[0], SHORT[0]]), tables=2, out=io.StringIO())
    assert list(Pit.objects.values_list("code")) == before


@pytest.mark.parametrize("tables", [0, 100])
def test_a_night_has_one_to_ninety_nine_tables(tables):
    with pytest.raises(CommandError, match=f"--tables {tables}: it must be 1 to 99."):
        call_command("replay", tables=tables)


def test_a_casino_that_is_not_the_demo_is_refused(db):
    with pytest.raises(Refused, match="no casino here yet"):
        pit.check()
    Casino.objects.create(code="grand", name="Grand", currency="EUR", time_zone="Europe/Berlin", day_starts_at="06:00")
    with pytest.raises(Refused, match="Grand is not the demo casino"):
        pit.check()


@pytest.fixture
def night(seeded_db, tmp_path):
    """Four rounds of a sheet of their own, one with a ruling, at two tables: (recording, places)."""
    own = {"chip": 50, "max_payment": 3000, "small_hand_loss_pays": "coefficient"}
    lines = [{**line, **own} for line in SHORT]
    lines[1]["boxes"] = [{**box, "ruling": FORFEIT} if box["box"] == 3 else box for box in lines[1]["boxes"]]
    found = read(written(tmp_path / "four.jsonl", lines))
    return found, pit.of(found, 2)


def test_a_night_resumed_on_another_day_stays_in_its_session(night, owner_connection):
    found, places = night
    begun = play.deal(found, places, [0, 1])
    for _ in range(12):
        next(begun)
    begun.close()
    assert Round.objects.filter(status=Round.Status.OPEN).exists()
    (day,) = {place.table.sessions.get().business_date for place in places}
    for zone in ("Pacific/Kiritimati", "Etc/GMT+12"):  # 26 hours apart
        owner_connection.execute("UPDATE casino_casino SET time_zone = %s", [zone])
        if dates.business_date() != day:
            break
    assert dates.business_date() != day
    assert pit.of(found, 2) == places
    for _ in play.deal(found, places, [0, 1]):
        pass
    settling.settle_due()
    assert compared(found, places).differences == []
    assert set(Settlement.objects.values_list("business_date", flat=True)) == {day}
    assert Session.objects.filter(table__in=[place.table for place in places]).count() == 2


def test_a_command_sent_again_counts_once(night):
    found, places = night
    one, other = (play.deal(found, places, [0, 1]) for _ in range(2))
    for _ in one:
        next(other, None)
    list(other)
    settling.settle_due()
    assert compared(found, places).differences == []


def test_a_table_where_somebody_else_has_played_is_refused(night):
    found, places = night
    factories.do(factories.open_round(places[0].table), "ante", 6, units=5000)
    with pytest.raises(Refused, match="somebody else has played at"):
        list(play.deal(found, places, [0, 1]))


def test_that_nothing_settles_is_said_and_at_last_ends_the_run(night, monkeypatch):
    found, places = night
    monkeypatch.setattr(run, "SILENCE_SECONDS", 0)
    monkeypatch.setattr(run, "PATIENCE_SECONDS", 1)
    list(play.deal(found, places, [0, 1]))
    told = io.StringIO()
    with pytest.raises(Refused, match="4 rounds wait for settlement, and none was settled for 1 s") as refused:
        run.Night(found, places, Progress(told)).wait()
    assert "make up" in refused.value.way_out
    assert told.getvalue().count("does the worker run?") == 1
