"""Random nights of chips through the product's verbs, and the same nights in a model that knows nothing of them."""

import json
import random
import time
from collections import Counter
from functools import partial

import pytest
from django.db import transaction

from audit.models import Entry
from payouts import circulation, ledger, winning
from payouts.models import Account
from tables.management.commands.seed_demo import OPENER
from tables.models import Alarm, CageShift, Session, SignOn, Slip, SlipNumber
from tables.people import staff
from tables.verbs import corrections, settling, standing

from ...support import chip_nights, evening, exports, factories, proof
from ...support.chip_nights import pile, worth
from ...support.desk import Desk
from ...support.factories import actor, person, refused, table
from .test_cage import ISSUED

NIGHTS = 5
# One in whose nights all happens that may.
SEED = 5
STEPS = 35
BOUNDS = (0, 500, 5_000)
REASON = "Counted with the camera."
CROUPIERS = {"T1": "anna", "T3": "greta", "R1": "erik"}
BOSSES = {"T1": "clara", "T3": "frank", "R1": "clara"}
# Of a pot with two, three or five antes of 5.00 half is the rake, 5.00 at most.
RAKE, POTS = 500, evening.evening("genpoker")[1][:12]


class Player:
    """Plays a night at random, in the house and in its model, and tells what it did."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.model = chip_nights.House(worth(ISSUED))
        self.slips, self.rounds, self.done = {}, [], []
        for code in ("T1", "T2", "T3", "G1", "G2", "G3", "G4"):
            self.model.open(table(code).ref, OPENER)
        self.codes = {"T1": table("T1"), "T3": table("T3"), "R1": factories.raked_table()}
        self.model.open(self.codes["R1"].ref, {100: 100})
        self.model.pot(self.codes["R1"].ref, RAKE)
        self.sign_on("R1")

    # What may happen

    def night(self):
        self.done.clear()
        self.set_bounds()
        for _ in range(STEPS):
            self.chance.choice(self.ways())()
        for slip in [slip for slip in self.model.slips.values() if slip.status in chip_nights.RUNNING]:
            if slip.kind != "credit" or self.chance.random() < 0.5:
                self.finish(slip)
        for code in self.codes:
            if self.of(code).status == "OPEN" and self.chance.random() < 0.7:
                self.close(code)
        if self.chance.random() < 0.6:
            self.count_cage()

    def ways(self):
        """All that may happen next, what happens often more than once."""
        ways = [self.move_cage, self.count_cage]
        running = [slip for slip in self.model.slips.values() if slip.status in chip_nights.RUNNING]
        ways += [partial(self.step, slip) for slip in running] * 5
        ways += [partial(self.correct, *each) for each in self.rounds[-3:]]
        for code in self.codes:
            if self.of(code).status != "OPEN":
                ways += [partial(self.open, code)] * 3
                continue
            ways += [partial(self.play, code)] * 4 + [partial(self.ask, code)] * 3
            ways += [partial(self.close, code), partial(self.close, code, carry=True), partial(self.halt, code)]
        return ways

    def tell(self, *words):
        self.done.append(" ".join(map(str, words)))

    def of(self, code):
        return self.model.table(self.codes[code].ref)

    def slipped(self):
        """What is too much or missing, mostly nothing."""
        return self.chance.choice([0] * 6 + [-500, 100, 2_500])

    # Tables

    def set_bounds(self):
        for part in self.model.bounds:
            value = self.chance.choice(BOUNDS)
            if value != self.model.bounds[part]:
                factories.set_setting(value, name=f"{part}_variance_units")
                self.model.bounds[part] = value

    def sign_on(self, code):
        if not SignOn.objects.filter(table=self.codes[code], signed_off_at=None).exists():
            with transaction.atomic():
                staff.sign_on(staff=person(CROUPIERS[code]), table=self.codes[code], actor=actor(BOSSES[code]))

    def open(self, code):
        last = self.of(code).sessions[-1].closer
        right = pile(max(100_000, last) + self.slipped())
        session = factories.begin_session(self.codes[code])
        chips, _, place = self.counted(code, session, right)
        factories.sign_session(session, by=BOSSES[code], place=place, reason=REASON)
        self.model.open(self.of(code).name, chips)
        self.sign_on(code)
        self.tell("open", code, worth(chips))

    def halt(self, code):
        """The last round is called, and the table goes on."""
        if self.model.stop(self.of(code).name):
            factories.stop_session(self.codes[code])
            if self.chance.random() < 0.5:
                session = self.codes[code].sessions.running().get()
                factories.count_session(session, {100: 1}, by="hugo", rake={} if self.of(code).raked else None)
            factories.resume_session(self.codes[code])
            self.model.resume(self.of(code).name)
            self.tell("halt", code)

    def close(self, code, *, carry=False):
        at = self.of(code)
        if self.chance.random() < 0.4:
            self.send_credit(code)
        if not self.model.stop(at.name):
            factories.in_session(self.codes[code], OPENER)
            refused("slip_running", factories.stop_session, self.codes[code])
            return
        session = factories.stop_session(self.codes[code])
        # No slot has less than nothing.
        slot = max(0, at.slot) if at.raked else None
        chips, slot, place = self.counted(code, session, at.tray, slot)
        factories.sign_session(session, by=BOSSES[code], place=place, reason=REASON, carry=carry)
        self.model.close(at.name, chips, slot, carry=carry)
        self.tell("carry" if carry else "close", code, worth(chips), slot)

    def counted(self, code, session, right, slot=None):
        """Two count: mostly the same, sometimes only at the second attempt, sometimes never.

        :returns: the chips and the rake that stand, and the place of the count that is said to stand.
        """
        wrong, rake = pile(worth(right) + 100), None if slot is None else pile(slot)
        attempts = self.chance.choice([[right]] * 6 + [[wrong, right], [wrong, wrong]])
        for second in attempts:
            factories.count_session(session, right, by="hugo", rake=rake)
            factories.count_session(session, second, by=BOSSES[code], rake=rake)
        place = self.chance.choice([1, 2]) if attempts == [wrong, wrong] else None
        return wrong if place == 2 else right, slot, place

    # Rounds

    def play(self, code):
        (self.play_pot if code == "R1" else self.play_split)(code)

    def play_pot(self, code):
        dealt = self.chance.choice(POTS)
        opened = factories.open_round(self.codes[code], dealt.seats)
        for action in dealt.actions:
            factories.do(opened, action.kind, action.box, **action.arguments)
        self.settle(code, opened)
        by_hand = self.slipped()
        self.model.pot(self.of(code).name, RAKE, by_hand)
        self.rounds.append((code, opened, Pot()))
        self.tell("pot", code, by_hand)

    def play_split(self, code):
        won = Split(self.chance.choice([factories.FLUSH_WINS, factories.FOLDS, factories.STAND_OFF]), self.ante())
        if won.units + worth(self.of(code).tray) < 10_000:
            return
        opened = factories.open_round(self.codes[code])
        factories.act_all(opened, won.moves)
        if self.chance.random() < 0.1:
            factories.void(opened)
            self.tell("void round", code)
            return
        self.settle(code, opened)
        by_hand = self.slipped()
        self.model.round(self.of(code).name, won.units, by_hand)
        self.rounds.append((code, opened, won))
        self.tell("round", code, won.units, by_hand)

    def ante(self):
        return self.chance.randrange(500, 5_000, 500)

    def settle(self, code, opened):
        factories.close(opened)
        settling.settle_due()

    def correct(self, code, settled, won):
        """A settled round is corrected or found void, when perhaps its table is closed or in another session."""
        before, at = won.units, self.of(code)
        rake, changes = won.rake, won.corrected(self.ante(), void=self.chance.random() < 0.4)
        if changes is None or worth(at.tray) + won.units - before < 0:
            self.rounds.remove((code, settled, won))
            return
        with transaction.atomic():
            corrections.correct(
                standing=standing.locked(settled.pk),
                line=settled.lines.count(),
                changes=changes,
                clause=changes["void"]["clause"] if "void" in changes else "split.33",
                reason=REASON,
                actor=actor(CROUPIERS[code], BOSSES[code]),
            )
        self.model.round(at.name, won.units - before)
        if won.rake != rake:
            self.model.pot(at.name, won.rake - rake)
        self.tell("correct", code, won.units - before, won.rake - rake)

    # Slips

    def send_credit(self, code):
        """A credit that sets out late in the night."""
        slip = self.ask(code, ["credit"])
        if worth(slip.chips) < min(worth(self.of(code).tray), self.model.book("float", slip.table)):
            factories.issue(self.row(slip))
            self.model.issue(slip)

    def ask(self, code, kinds=("fill", "fill", "credit", "change")):
        kind = self.chance.choice(kinds)
        chips = {500: self.chance.randint(1, 20), 2500: self.chance.randint(1, 8)}
        given = {"100": worth(chips) // 100} if kind == "change" else None
        made = factories.slip(self.codes[code], kind, chips, exchanged=given)
        slip = self.model.ask(kind, self.codes[code].ref, chips)
        self.slips[kind, slip.number] = made.pk
        self.tell("ask", code, kind, slip.number)
        return slip

    def row(self, slip):
        return Slip.objects.select_related("table").get(pk=self.slips[slip.kind, slip.number])

    def step(self, slip):
        """A slip's next step; it is late in its table's night, or too much, when it cannot be taken."""
        row, at = self.row(slip), self.model.table(slip.table)
        self.tell("step", slip.kind, slip.number, slip.status)
        if slip.status == "ISSUED":
            self.arrive(slip, row)
        elif self.chance.random() < 0.2:
            factories.void_slip(row)
            self.model.void(slip)
        elif slip.kind == "credit" and worth(slip.chips) > self.model.book("float", slip.table):
            refused("float_short", factories.issue, row)
        elif slip.kind != "credit" or worth(slip.chips) < worth(at.tray):
            factories.issue(row)
            self.model.issue(slip)

    def arrive(self, slip, row):
        if self.chance.random() < 0.3:
            # The first counts a chip too few, the second what is there: both count again.
            factories.count_slip(factories.count_slip(row, chips={500: slip.chips[500], 2500: slip.chips[2500] - 1}))
        if self.chance.random() < 0.8:
            factories.receive(row)
            self.model.receive(slip)
        elif self.model.send_back(slip):
            factories.send_back(row)
        else:
            refused("session_closed", factories.send_back, row)

    def finish(self, slip):
        while slip.status in chip_nights.RUNNING:
            row = self.row(slip)
            if slip.status == "REQUESTED":
                factories.void_slip(row)
                self.model.void(slip)
            else:
                factories.receive(row)
                self.model.receive(slip)

    # The cage

    def move_cage(self):
        kind, units = self.chance.choice(["issued", "withdrawn", "sold", "cashed"]), self.chance.randrange(1, 500) * 100
        if kind in {"sold", "cashed"}:
            factories.move_chips(kind, units=units)
        else:
            factories.move_chips(kind, pile(units))
        by_hand = self.slipped()
        self.model.shift(kind, units, by_hand)
        self.tell("cage", kind, units, by_hand)

    def count_cage(self):
        factories.cage_shift()
        chips = pile(self.model.at_cage)
        factories.count_cage(chips, by="olga")
        if self.chance.random() < 0.3:
            # Chips that move between the counts: the second person's is the first anew.
            self.move_cage()
            chips = pile(self.model.at_cage)
            factories.count_cage(chips, by="olga")
        factories.count_cage(chips, by="hugo")
        factories.sign_cage(reason=REASON)
        self.model.count_cage(worth(chips))
        self.tell("cage counted", worth(chips))


class Split:
    """A round of Split Poker by its rules: what the table wins with an ANTE in box 1.

    A fold loses the ANTE (split.6). A flush is paid 5:1 on a BET of twice the ANTE (split.19, split.21), and box 2
    folds its 5.00. Equal hands are a stand-off (split.18). A void round moves nothing (split.36).
    """

    rake = 0

    def __init__(self, moves, ante):
        self.played, self.ante, self.void = moves, ante, False

    @property
    def moves(self):
        return [
            (kind, box, {"units": self.ante} if (kind, box) == ("ante", 1) else more) for kind, box, more in self.played
        ]

    @property
    def units(self):
        if self.void or self.played is factories.STAND_OFF:
            return 0
        return self.ante if self.played is factories.FOLDS else 500 - 5 * 2 * self.ante

    def corrected(self, ante, *, void):
        """What is changed in its line; None where nothing would be."""
        if self.void or (not void and ante == self.ante):
            return None
        self.void, self.ante = void, self.ante if void else ante
        return {"void": {"clause": "split.36"}} if void else {"boxes[0].ante": ante}


class Pot:
    """A pot moves nothing into the float; a void one gives its rake back."""

    units, rake = 0, RAKE

    def corrected(self, _, *, void):
        if not void or not self.rake:
            return None
        self.rake = 0
        return {"void": {"clause": "house.4"}}


# What the product says


def balances():
    return Counter({account.ref: account.balance_units for account in Account.objects.with_balance()})


def logged(events):
    """Of which events the log has entries, once for each."""
    return Entry.objects.filter(event__in=list(events)).values_list("event", flat=True)


def balances_of_log():
    sums = Counter()
    for entry in Entry.objects.filter(event__in=["movement.made", "round.settled"]).order_by("id"):
        facts = json.loads(entry.body)["facts"]
        for each in [facts["transfer"]] if "transfer" in facts else facts["transfers"]:
            sums[each["debit"]] += each["units"]
            sums[each["credit"]] -= each["units"]
    return sums


def session_figures(session):
    """A closed session as its closing form has it."""
    moved = ledger.movement_units(session.ref, *(slip.ref for slip in session.slips.all()))
    at, credits = session.table, moved["credit"] - moved["credit_returned"]
    counted = winning.win(winning.Chips(moved["opener"], moved["fill"], credits, moved["drop"], moved["closer"]))
    return {
        "opener": moved["opener"],
        "closer": moved["closer"],
        "fills": moved["fill"],
        "credits": credits,
        "win": counted.units,
        "rounds": ledger.settlement_units(
            debit=at.float_account, credit=at.patrons_account, account=at.float_account, subject=session.ref
        ),
        "variance": moved["variance"],
        "rake": moved["rake"],
        "rake_variance": ledger.rake_variance(session.ref),
        "left": sorted(ref for ref in session.unfinished if ref.startswith("slip:")),
    }


def compare(player):
    """All that is in the house and in its model, account by account."""
    model = player.model
    assert balances() == balances_of_log()
    assert {ref: units for ref, units in balances().items() if units} == {
        ref: units for ref, units in model.books.items() if units
    }
    slips = {(slip.kind, slip.number): slip.status for slip in Slip.objects.all()}
    assert slips == {key: slip.status for key, slip in model.slips.items()}
    assert {each.kind: each.last for each in SlipNumber.objects.all()} == dict(model.numbers)
    for code, at in player.codes.items():
        closed = list(Session.objects.filter(table=at, status="CLOSED").order_by("pk"))
        assert [session_figures(each) for each in closed] == [
            {
                "opener": each.opener,
                "closer": each.closer,
                "fills": each.fills,
                "credits": each.credits,
                "win": each.win,
                "rounds": each.rounds,
                "variance": each.variance,
                "rake": each.rake or 0,
                "rake_variance": each.rake_variance,
                "left": sorted(f"slip:{player.slips[key]}" for key in each.left),
            }
            for each in player.of(code).sessions
            if each.closer is not None
        ], code
        assert all(each.win == each.rounds + each.variance for each in player.of(code).sessions if each.closer)
    assert alarms(player) == Counter(model.alarms)
    shifts = CageShift.objects.filter(status="CLOSED").order_by("pk")
    assert list(shifts.values_list("variance_units", flat=True)) == model.shifts
    assert circulation.circulation(ledger.holdings()).units == model.circulating
    assert Counter(logged(model.events)) == model.events


def alarms(player):
    """The alarms of variances, by which session of which table and what was too much or missing."""
    sessions = {}
    for each in Session.objects.order_by("pk"):
        sessions[each.ref] = each.table.ref, 1 + sum(owner == each.table.ref for owner, _ in sessions.values())
    return Counter((each.kind, *sessions[each.subject], each.value) for each in Alarm.objects.all())


def verified(folder):
    """The log's export is whole for the verifier."""
    entries = [json.loads(body) for body in Entry.objects.order_by("id").values_list("body", flat=True)]
    log = exports.Log(entries, [len(entries)])
    folder.mkdir()
    code, told = Desk(folder, log).judge(log.all())
    assert code == 0, told


def happenings(model):
    """What happened in the nights, by name, and how often."""
    sessions = [session for each in model.tables.values() for session in each.sessions]
    return model.events + Counter(
        {
            "variance": sum(each.variance != 0 for each in sessions),
            "variance of rake": sum(each.rake_variance != 0 for each in sessions),
            "variance of the cage": sum(map(bool, model.shifts)),
            "credit carried over": sum(bool(each.left) for each in sessions),
            "correction of a closed table": model.late,
            "alarm": len(model.alarms),
        }
    )


def play(seed, folder):
    """Five nights on one database, compared after each."""
    player = Player(seed)
    for night in range(1, NIGHTS + 1):
        player.night()
        try:
            compare(player)
            verified(folder / str(night))
        except AssertionError as difference:
            raise AssertionError(f"seed {seed}, night {night}: {'; '.join(player.done)}") from difference
    return player


@pytest.mark.proof
def test_five_nights_are_what_a_model_of_their_own_says(seeded_db, tmp_path):
    print(f"\nseed {SEED}")
    happened = happenings(play(SEED, tmp_path).model)
    assert +happened == happened


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(100, 100 + proof.size(40, 1)))
def test_nights_are_what_a_model_of_their_own_says(seed, seeded_db, tmp_path):
    begun, player = time.monotonic(), play(seed, tmp_path)
    print(f"\nseed {seed}: {NIGHTS} nights in {time.monotonic() - begun:.0f} s, {dict(happenings(player.model))}")
