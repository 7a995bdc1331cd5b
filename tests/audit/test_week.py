"""A week of five tables through the product's verbs, and `verify_export.py --day` at home: each day as a model of its
own says, to the unit."""

import datetime as dt
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import transaction

from audit import exports as product_exports
from audit import seal
from audit.models import Export
from tables.management.commands.seed_demo import OPENER
from tables.models import SignOn
from tables.people import staff
from tables.verbs import settling

from ..support import day_model, evening, exports, factories
from ..support.chip_nights import pile, worth
from ..support.day_model import Deed
from ..support.desk import Desk
from ..support.factories import actor, person, table

WHOLE, TAMPERED = 0, 1
PROJECT = Path(__file__).resolve().parents[2]
VERIFIER = PROJECT / "audit" / "verify_export.py"
SEED, DAYS = 7, 7
CROUPIERS = {"T1": "anna", "T2": "boris", "T3": "greta", "G1": "jonas", "R1": "erik"}
BOSSES = {"T1": "clara", "T2": "clara", "T3": "frank", "G1": "karl", "R1": "clara"}
REASON = "Counted with the camera."
# A fold loses its ANTE of 5.00 (split.6); ROUND pays a flush 5:1 on a BET of 20.00, and box 2 loses 5.00.
ROUNDS = ((factories.FOLDS, 500), (factories.FLUSH_WINS, 500 - 10_000), (factories.STAND_OFF, 0))
POTS, RAKE = evening.evening("genpoker")[1][:6], 500
UNCOUNTED = (3, "T3")
"""The day and the table whose drop box nobody counts."""


class Week:
    """Plays a week in the house, and writes down what was done, session by session."""

    def __init__(self, owner):
        self.owner, self.chance, self.deeds = owner, random.Random(SEED), []
        self.first = table("T1").sessions.get().business_date
        self.boxes, self.number, self.papers = [], 100, 0
        self.tables = {code: table(code) for code in ("T1", "T2", "T3", "G1")}
        for each in [*self.tables.values(), *(table(code) for code in ("G2", "G3", "G4"))]:
            self.began(each.sessions.get(), worth(OPENER))
        self.move(0)
        self.tables["R1"] = factories.raked_table()
        self.began(self.tables["R1"].sessions.get(), worth({100: 100}))
        self.slot = RAKE

    def date(self, day):
        return (self.first + dt.timedelta(days=day)).isoformat()

    def move(self, day):
        """The house's clock goes on to a gaming day."""
        self.day = day
        self.owner.execute(
            "CREATE OR REPLACE FUNCTION gaming_day(at timestamptz, zone text, starts time) RETURNS date"
            f" LANGUAGE sql STABLE PARALLEL SAFE RETURN date '{self.date(day)}'"
        )
        factories.cage_shift()

    def did(self, what, session, units=0, **more):
        self.deeds.append(Deed(what, session.table.ref, session.pk, units, **more))

    def began(self, session, opener=None):
        self.did("begin", session, date=session.business_date.isoformat())
        if opener is not None:
            self.did("open", session, opener)

    def running(self, code):
        return self.tables[code].sessions.select_related("table").running().first()

    def left(self, code):
        """What should lie in the tray."""
        session = self.running(code).pk
        return day_model.sittings_of([deed for deed in self.deeds if deed.session == session])[0].left

    def slipped(self):
        return self.chance.choice([0, 0, 0, -500, 100, 2_500])

    # What people do

    def open(self, code):
        units = self.chance.randrange(300_000, 900_000, 100)
        self.began(factories.open_session(self.tables[code], pile(units)), units)

    def sign_on(self, code):
        if not SignOn.objects.filter(table=self.tables[code], signed_off_at=None).exists():
            with transaction.atomic():
                staff.sign_on(staff=person(CROUPIERS[code]), table=self.tables[code], actor=actor(BOSSES[code]))

    def close(self, code, *, carry=False, paper=0):
        """Two count the tray, and the rake slot where rake moved; mostly what should be there, and what was played on
        paper and is not entered yet."""
        session, counted = self.running(code), self.left(code) + paper + self.slipped()
        slot = max(0, self.slot + self.chance.choice([0, 0, -100])) if code == "R1" and self.slot is not None else None
        stopped = factories.stop_session(self.tables[code])
        for by in ("hugo", BOSSES[code]):
            factories.count_session(stopped, pile(counted), by=by, rake=None if slot is None else pile(slot))
        factories.sign_session(stopped, by=BOSSES[code], reason=REASON, carry=carry)
        self.did("close", session, counted)
        if slot is not None:
            self.did("rake", session, slot)
            self.slot = None
        if carry:
            self.began(self.running(code), counted)

    def work(self, code):
        """A drop box is mounted and bought into, chips come and go, rounds are played; it is taken off again."""
        at, session = self.tables[code], self.running(code)
        self.sign_on(code)
        self.bring(at, "fill", session)
        self.number += 1
        drop_box = factories.mount(at, str(self.number))
        self.did("mount", session, box=str(self.number))
        for _ in range(self.chance.randint(0, 3)):
            units = self.chance.randrange(1_000, 9_000, 1_000)
            factories.buy_in(at, units)
            self.did("buy_in", session, units)
        self.bring(at, self.chance.choice(["credit", "back", "returned fill", "void"]), session)
        if code in {"T1", "T2", "T3"}:
            moves, units = self.chance.choice(ROUNDS)
            factories.settled_round(at, moves)
            self.did("round", session, units)
        elif code == "R1":
            self.pot(at)
        factories.take_off(drop_box)
        self.boxes.append((self.day, code, session, drop_box))

    def close_before_paper(self, code, moves, units):
        """A round was played on paper, and two enter it when the table is closed."""
        session = self.running(code)
        self.close(code, paper=units)
        session.refresh_from_db()
        self.papers += 1
        two = {"by": person("clara"), "signed_by": person("frank")}
        entered = factories.enter_paper(self.tables[code], f"P-{self.papers}", session.stopped_at, **two)
        factories.act_all(entered, moves)
        factories.close(entered)
        settling.settle_due()
        self.did("round", session, units)

    def pot(self, at):
        dealt = self.chance.choice(POTS)
        opened = factories.open_round(at, dealt.seats)
        for action in dealt.actions:
            factories.do(opened, action.kind, action.box, **action.arguments)
        factories.close(opened)
        settling.settle_due()
        self.slot = (self.slot or 0) + RAKE

    def bring(self, at, kind, session):
        out = kind in {"credit", "back"}
        chips = {500: self.chance.randint(1, 10), 2500: self.chance.randint(*((1, 3) if out else (12, 20)))}
        slip = factories.slip(at, "credit" if out else "fill", chips)
        if kind == "void":
            factories.void_slip(slip)
            return
        slip = factories.issue(slip)
        (factories.send_back if kind in {"back", "returned fill"} else factories.receive)(slip)
        if kind != "returned fill":
            self.did("credit" if kind == "back" else kind, session, worth(chips))
        if kind == "back":
            self.did("back", session, worth(chips))

    def count_drops(self):
        """In the morning, whatever waits from the days before but the one that nobody counts."""
        waiting, self.boxes = self.boxes, []
        for day, code, session, drop_box in waiting:
            if (day, code) == UNCOUNTED:
                continue
            paid = sum(deed.units for deed in self.in_box(session))
            cash = max(0, paid + self.chance.choice([0, 0, -1_000, 2_000]))
            factories.counted_drop(drop_box, {"1000": cash // 1_000} if cash else {})
            self.did("count", session, cash, box=drop_box.number)

    def in_box(self, session):
        return [deed for deed in self.deeds if (deed.what, deed.session) == ("buy_in", session.pk)]

    def count_cage(self):
        for by in ("olga", "hugo"):
            factories.count_cage({"100": 3}, by=by)
        factories.sign_cage(reason=REASON)

    # The week

    def play(self):
        for code in ("G2", "G3", "G4"):
            session = table(code).sessions.get()
            factories.close_session(table(code), OPENER)
            self.did("close", session, worth(OPENER))
        for day in range(DAYS + 1):
            if day:
                self.count_drops()
            for place, code in enumerate(self.tables):
                if self.running(code) is None:
                    self.open(code)
                self.work(code)
                if (day + place) % 3 == 0:
                    # A shift's change in the midst of the day.
                    self.close(code, carry=True)
                    if place % 2:
                        self.work(code)
            if day < DAYS:
                self.end(day)
        for code in ("T2", "T3", "G1", "R1"):
            self.close(code)
        self.began(factories.begin_session(self.tables["T2"]))
        self.count_drops()

    def end(self, day):
        """Some tables close; one or two are carried on over the day's edge."""
        on = [code for place, code in enumerate(self.tables) if (day + place) % 4 == 1]
        late = [code for code in ("T1", "T2", "T3") if code not in on][: day % 3]
        for code in self.tables:
            if code in late:
                self.close_before_paper(code, *ROUNDS[day % 2])
            elif code not in on:
                self.close(code)
        self.count_cage()
        self.move(day + 1)
        for code in on:
            self.close(code, carry=True)


@pytest.fixture
def week(house, settings, owner_connection):
    """A week that was played, and its export of everything as the house writes it."""
    settings.EXPORTS = str(house / "exports")
    played = Week(owner_connection)
    played.play()
    seal.anchor_when_due(now=True)
    with transaction.atomic():
        export = product_exports.ask(kind="all", by=person("david"))
    while export.status == Export.Status.ASKED:
        product_exports.write_due(within=60)
        export.refresh_from_db()
    return played, product_exports.folder(export)


def at_home(folder, house, *more):
    """What the verifier says as a process of its own, with what an auditor has at home."""
    given = [folder, "--key", house / "keys" / "public", "--anchor", house / "outside" / "checkpoints", *more]
    command = [sys.executable, "-I", str(VERIFIER), *map(str, given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=house)
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.proof
def test_each_day_of_a_week_is_what_a_model_of_its_own_says(week, house, tmp_path):
    played, folder = week
    worked = []
    for day in range(DAYS + 1):
        code, said = at_home(folder, house, "--day", played.date(day), "--json")
        assert code == WHOLE, said
        worked.append(json.loads(said))
        assert worked[-1] == day_model.day_of(played.deeds, played.date(day))
    _check_that_much_happened(played, worked)
    code, said = at_home(folder, house, "--day", played.date(DAYS), "--resettle", PROJECT)
    assert (code, said.split(":")[0]) == (WHOLE, "whole")
    assert f"Gaming day {played.date(DAYS)}, ESTIMATE, in units:\n" in said
    assert f"  gaming days: {DAYS + 1} gaming days, 0 closed, 0 differences\n" in said
    _close_the_first_days(played, folder, tmp_path)
    _tamper_with_a_paper(folder, tmp_path)


def _check_that_much_happened(played, worked):
    """Tables that are open, begun, or lack a drop; days of several sessions; each figure, some above and below 0."""
    whys = [(day, row["table"], row["why"]) for day, each in enumerate(worked) for row in each["tables"] if row["why"]]
    one, two = (played.running(code) for code in ("T1", "T2"))
    (*_, (_, uncounted)) = [
        (row["drop"], row["why"]) for row in worked[UNCOUNTED[0]]["tables"] if row["table"] == table(UNCOUNTED[1]).ref
    ]
    assert whys == [
        (UNCOUNTED[0], table(UNCOUNTED[1]).ref, uncounted),
        (DAYS, one.table.ref, f"Session {one.pk} isn’t closed."),
        (DAYS, two.table.ref, f"Session {two.pk} isn’t opened."),
    ]
    assert uncounted.startswith("Drop box ")
    rows = [row for each in worked for row in each["tables"]]
    for name in day_model.FIGURES:
        values = [row[name] for row in rows if row[name] is not None]
        assert any(values) or name == "tips", name
        if name in {"win", "variance"}:
            assert min(values) < 0 < max(values)
    assert [len(each["tables"]) for each in worked] == [8, *[5] * DAYS]
    carried = [deed for deed in played.deeds if deed.what == "begin"]
    assert len(carried) > 5 * DAYS + 8 + 5
    assert played.papers > 4


def _close_the_first_days(played, folder, tmp_path):
    """As the house will: the days are closed in order, with the model's figures; and with one of them changed."""
    entries = [json.loads(line) for line in (folder / "entries.jsonl").read_text("utf-8").splitlines()]
    last = {**entries[-1], "at": max(entry["at"] for entry in entries), "by": "staff:5", "chain": "house"}
    last["event"] = "day.closed"
    for day in range(UNCOUNTED[0]):
        date = played.date(day)
        figures = {name: day_model.day_of(played.deeds, date)[name] for name in ("tables", "sums")}
        facts = {"date": date, "figures": figures, "people": ["staff:5", "staff:7"]}
        entries.append({**last, "facts": facts, "subject": f"day:{date}"})
    for change, verdict in ((0, WHOLE), (1, TAMPERED)):
        entries[-1]["facts"]["figures"]["tables"][2]["fills"] += change
        chained = exports.chained(entries)
        log = exports.Log(chained, [len(chained) // 2, len(chained)])
        place = tmp_path / f"desk-{change}"
        place.mkdir()
        for day in (0, UNCOUNTED[0] - 1):
            code, said = Desk(place, log).judge(log.all(), "--day", played.date(day), "--resettle", str(PROJECT))
            assert code == verdict, said[0]
        if verdict == WHOLE:
            assert said[1] == f"Gaming day {played.date(day)}, FINAL, in units:"
        else:
            assert f"The figures of {played.date(day)}, " in said[0]
            assert ", its fills: the log says " in said[0]


def _tamper_with_a_paper(folder, tmp_path):
    """What the variance gave back for a round from paper is left out, is another sum, of another day, or of others."""
    entries = [json.loads(line) for line in (folder / "entries.jsonl").read_text("utf-8").splitlines()]
    place = next(
        place
        for place, entry in enumerate(entries)
        if entry["event"] == "movement.made" and entry["facts"]["kind"] == "correction"
    )
    ref, facts = entries[place]["facts"]["transfer"]["key"].split(":correction")[0], entries[place]["facts"]
    opened = next(entry for entry in entries if (entry["event"], entry["subject"]) == ("round.opened", ref))
    more = {"denominations": {"1": facts["transfer"]["units"] + 1}}
    more["transfer"] = {**facts["transfer"], "units": facts["transfer"]["units"] + 1}
    cage = {
        name: end.replace("variance", "cage") for name, end in facts["transfer"].items() if name in {"debit", "credit"}
    }
    attacks = {
        "follows a round from paper of a closed session that left": [*entries[:place], *entries[place + 1 :]],
        "what it evens: the log says": changed(entries, place, more),
        "what it evens: the log": changed(entries, place, {"business_date": "2026-01-01"}),
        "what it evens": changed(entries, place, {"transfer": {**facts["transfer"], **cage}}),
        "its people: the log says": changed(entries, place, {"people": facts["people"][::-1]}),
        "was played after its end": changed(entries, entries.index(opened), {"happened_at": opened["at"]}),
    }
    for number, (says, attack) in enumerate(attacks.items()):
        log = exports.Log(exports.chained(attack), [len(attack) // 2, len(attack)])
        desk = tmp_path / f"paper-{number}"
        desk.mkdir()
        code, said = Desk(desk, log).judge(log.all(), "--resettle", str(PROJECT))
        assert code == TAMPERED, says
        assert says in said[0]


def changed(entries, place, facts):
    """The entries, of which one has other facts."""
    entry = entries[place]
    return [*entries[:place], {**entry, "facts": entry["facts"] | facts}, *entries[place + 1 :]]
