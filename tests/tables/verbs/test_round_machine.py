"""A round under any legal course of things: played, undone, amended, held, ruled on, voided, closed, corrected.

However it went, it ends settled or void, all balances together are 0, and the log alone gives the same money again.
"""

import json

import pytest
from django.db import transaction
from django.db.models import Q
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from audit.models import Entry
from casino import adjudicate
from casino.errors import Refused
from casino.games import lines
from payouts.models import Account, Transfer
from tables.models import Action, Round, Wager
from tables.verbs import fold, payments, results, settling, standing

from ...payouts.test_recompute import recompute
from ...support import factories, play, proof


class Course(RuleBasedStateMachine):
    """One round of a table of its own, from its opening on."""

    @initialize()
    def open(self):
        self.round = factories.open_round(factories.new_table())
        self.see()

    def teardown(self):
        if hasattr(self, "round"):
            self._finish()

    @rule()
    def look(self):
        """A void round takes nothing any more, and somebody may still look at it."""
        assert results.of(self.now) is None or self.is_("SETTLED")

    def see(self):
        """Read the round and fold it; what may come next is chosen by that."""
        self.now = Round.objects.select_related("table", "sheet", "settlement").get(pk=self.round.pk)
        self.folded = fold.of(self.now)
        assert self.folded.wrong is None

    def is_(self, *statuses, held=None):
        return self.now.status in statuses and held in (None, bool(self.now.held_at))

    @precondition(lambda self: self.is_("OPEN"))
    @rule(data=st.data(), often=st.integers(1, 4))
    def act(self, data, often):
        for _ in range(often):
            game, state, *_ = self.folded
            held = bool(self.now.held_at)
            offers = [
                offer
                for offer in game.legal(state)
                if (offer.role == "pit_boss" if held else offer.role == "croupier" and not game.view(state).final)
            ]
            if not offers:
                return
            offer = play.pick(data.draw, offers)
            kind, box, arguments = play.take(data.draw, offer, play.unseen(game, state))
            factories.do(self.round, kind, box, **arguments)
            self.see()

    @precondition(lambda self: self.is_("OPEN", held=False) and self.folded.counting)
    @rule()
    def undo(self):
        counting = self.folded.counting
        factories.undo(self.round, signed=True)
        self.see()
        assert self.folded.counting == counting[:-1]

    @precondition(lambda self: self.is_("OPEN", held=False) and any(a.arguments for a in self.folded.counting))
    @rule(data=st.data())
    def amend(self, data):
        """Another card or another stake; what no longer fits is refused, and nothing has changed."""
        game, state, _, counting, *_ = self.folded
        wrong = data.draw(st.sampled_from([action for action in counting if action.arguments]))
        told = {name: self._other(data, game, state, value) for name, value in wrong.arguments.items()}
        before = factories.written()
        try:
            factories.amend(self.round, wrong.ordinal, signed=True, **told)
            self.see()
            assert len(self.folded.counting) == len(counting)
        except Refused:
            assert factories.written() == before

    def _other(self, data, game, state, value):
        unseen = play.unseen(game, state)
        if isinstance(value, int):
            return value + 100
        if isinstance(value, list) and unseen:
            at = data.draw(st.integers(0, len(value) - 1))
            return [*value[:at], data.draw(st.sampled_from(unseen)), *value[at + 1 :]]
        return data.draw(st.sampled_from(unseen)) if value in game.deck(state.sheet).copies else value

    @precondition(lambda self: self.is_("OPEN", "CLOSED", held=False))
    @rule(clause=st.sampled_from(["split.35", "split.36", "house.4"]))
    def hold(self, clause):
        factories.hold(self.round, clause=clause)

    @precondition(lambda self: self.is_("OPEN", "CLOSED", held=True))
    @rule()
    def release(self):
        factories.release(self.now)

    @precondition(lambda self: self.is_("OPEN"))
    @rule(really=st.integers(0, 9))
    def void(self, really):
        if really == 9:
            factories.void(self.now)

    @precondition(lambda self: self.is_("OPEN", held=False) and self.folded.game.view(self.folded.state).final)
    @rule()
    def close(self):
        factories.close(self.now)

    @precondition(lambda self: self.is_("CLOSED", held=False))
    @rule()
    def settle(self):
        assert settling.settle_due() == 1

    @precondition(lambda self: self.is_("CLOSED", "SETTLED"))
    @rule(data=st.data())
    def correct(self, data):
        """Any one slot set to something else, or a box or the round ruled on; a wrong one changes nothing."""
        now = self.now
        game, state, *_ = self.folded
        line = json.loads(now.lines.last().text)
        slot = data.draw(st.sampled_from(game.slots(line)))
        value = self._other(data, game, state, lines.at(line, slot.path))
        if slot.field.options:
            value = data.draw(st.sampled_from(slot.field.options))
        path, (holder, _, leaf) = slot.path, slot.path.rpartition(".")
        if leaf in {"what", "clause"}:
            path, value = holder, {"clause": "split.36"} | ({} if holder == "void" else {"what": "void"})
        before = factories.written()
        try:
            factories.correct(now, {path: value})
        except Refused:
            assert factories.written() == before

    @precondition(lambda self: self.is_("SETTLED"))
    @rule(data=st.data())
    def tick(self, data):
        settlement = self.now.settlement
        left = list(settlement.payments.filter(tick=None).values_list("box", flat=True))
        if left:
            with transaction.atomic():
                payments.tick(
                    standing=standing.locked(self.round.pk),
                    generation=settlement.generation,
                    box=data.draw(st.sampled_from(left)),
                    actor=factories.actor("anna"),
                )

    @invariant()
    def rows_say_what_the_fold_says(self):
        if not hasattr(self, "round"):
            return
        self.see()
        game, state, version, *_ = self.folded
        view = game.view(state)
        assert self.now.phase == view.phase
        assert version == Action.objects.filter(round=self.round).count()
        wagers = Wager.objects.filter(round=self.round).values_list("ordinal", "box", "kind", "units")
        assert list(wagers) == [tuple(wager) for wager in view.wagers]

    def _finish(self):
        """Whatever is left is done in the shortest way; then the round is settled or void, and all of it adds up."""
        if self.now.held_at:
            factories.release(self.now)
            self.see()
        while self.is_("OPEN"):
            game, state, *_ = self.folded
            expected = [offer for offer in game.legal(state) if offer.primary]
            if not expected:
                factories.close(self.now)
                break
            kind, box, arguments = play.least(game, state, expected[0])
            factories.do(self.round, kind, box, **arguments)
            self.see()
        settling.settle_due()
        self.see()
        now = self.now
        assert now.status in {"SETTLED", "VOIDED"}
        assert sum(account.balance_units for account in Account.objects.with_balance()) == 0
        net = 0
        if now.status == "SETTLED":
            told = json.loads(Entry.objects.filter(event="round.settled", subject=now.ref).latest("seq").body)["facts"]
            line = now.lines.get(ordinal=now.settlement.line_ordinal).text
            answer, worked = adjudicate.answer(line.encode(), 1)
            assert worked
            assert answer == {"id": now.pk, **told["result"]}
            assert told.get("round", json.loads(line)) == json.loads(line)
            net = sum(payment.net_units for payment in now.settlement.payments.all())
            assert -net == answer["house_net"]
        made = Transfer.objects.filter(settlement__round_key=now.ref)
        patrons = now.table.patrons_account
        assert sum(row.units if row.debit_id == patrons.pk else -row.units for row in made) == net
        told = Entry.objects.filter(Q(chain=now.table.ref) | Q(event="sheet.published")).order_by("id")
        _, transfers = recompute(told.values_list("body", flat=True))
        assert {(row.key, row.units) for row in made} <= {(key, units) for key, _, _, units, _ in transfers}
        assert len(made) + 1 == len(transfers), "the opener of the table and the round's own"


def run(examples):
    run_state_machine_as_test(
        Course,
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            database=None,
            # Each course commits for good at a table of its own; to shrink one would take minutes.
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_any_course_of_a_round_ends_settled_or_void_and_adds_up(seeded_db):
    run(8)


@pytest.mark.proof
def test_a_thousand_courses_of_a_round(seeded_db):
    count = proof.size(1000, 20)
    run(count)
    print(f"\n{count:,} courses of a round: settled or void, all balances 0, the log alone gives the same money")
