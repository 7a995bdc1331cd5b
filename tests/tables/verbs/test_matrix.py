"""Every action in every phase, by generation from the protocol: legal and done, or refused with nothing written."""

import functools
from collections import defaultdict

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.log import Actor
from casino.errors import Refused
from casino.games import registry
from casino.games.game import Refusal
from tables.models import Action, Dispute, Round
from tables.verbs import corrections, disputes, fold, interventions, payments, rounds, rulesheets, settling, standing

from ...support import evening, factories, play

NOWHERE = 11


def signature(game, state):
    """What tells one moment of a round from another: its phase, and which kinds of action are open."""
    return game.view(state).phase, frozenset(offer.kind for offer in game.legal(state))


def kept(game, values, rounds_dealt):
    """The same of the rounds of a house game's evening: the first of each series, which begins with no carry."""
    ways, samples = {}, {}
    for seats, actions in rounds_dealt:
        state = game.start(evening.sheet(game, values), seats, None)
        for at, action in enumerate(actions):
            key = signature(game, state)
            if key not in ways or at < len(ways[key][1]):
                ways[key] = seats, actions[:at]
            after = game.act(state, action)
            if isinstance(after, Refusal):
                break
            state = after
        else:
            ways.setdefault(signature(game, state), (seats, actions))
        samples.update((action.kind, action.arguments) for action in actions)
    return ways, samples


@functools.cache
def moments(game, sheet):
    """Each moment that random legal play comes to, with the shortest way that led there and a sample of each action."""
    ways, samples = {}, {}

    @settings(derandomize=True, max_examples=150, database=None)
    @given(st.data())
    def play_on(data):
        played = play.finish(data.draw, game, game.start(sheet, (), None))
        for at, state in enumerate((*played.states, played.state)):
            key = signature(game, state)
            if key not in ways or at < len(ways[key][1]):
                ways[key] = (), played.actions[:at]
        samples.update((action.kind, action.arguments) for action in played.actions)

    play_on()
    return ways, samples


def attempt(round_, version, kind, box, told, *, actor):
    """The state after acting, or the refusal; the round is afterwards as it was."""
    with transaction.atomic():
        savepoint = transaction.savepoint()
        try:
            rounds.act(
                standing=standing.locked(round_.pk), version=version, kind=kind, box=box, arguments=told, actor=actor
            )
            outcome = fold.of(round_).state
        except Refused as refused:
            # Not rolled back: what a refusal wrote would be found below.
            return refused
        transaction.savepoint_rollback(savepoint)
    return outcome


def of_each_kind(kind, offers, places):
    """A box that may do it and one that may not."""
    may = [box for box in places if (kind, box) in offers]
    return (*may[:1], *[box for box in places if box not in may][-1:])


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.proof)], ids=["some", "every"])
@pytest.mark.parametrize("game", registry.GAMES.values(), ids=registry.GAMES)
def test_every_pair_of_moment_and_action_is_done_or_refused(game, every, seeded_db):
    """At some boxes, and as a proof at every box."""
    done = defaultdict(set)
    if game.seats:
        evenings = [evening.evening(game.code)]
        if game.code == "bigtwo":
            evenings.append(evening.unseen(*evenings[0]))
        for values, rounds_dealt in evenings:
            table = factories.table_of(game.code, values)
            try_all(game, table, *kept(game, values, rounds_dealt), done, every=every)
    else:
        table = factories.table("T1")
        ways, samples = moments(game, rulesheets.checked(rulesheets.in_force(table)))
        try_all(game, table, ways, samples, done, every=every)
    # Each action is done in just the phases that it says, and in each of them somewhere.
    for kind, known in game.actions.items():
        assert {phase for phase in game.phases if kind in done[phase]} == set(known.phases), kind


def try_all(game, table, ways, samples, done, *, every):
    """Each action in each moment; `done` collects the kinds that were done, by phase."""
    sheet = rulesheets.checked(rulesheets.in_force(table))
    phases = game.stages(sheet) if game.stages else game.phases
    assert {phase for phase, _ in ways} == set(phases), "every phase is reached"
    for (phase, _), (seats, way) in ways.items():
        with transaction.atomic():
            savepoint = transaction.savepoint()
            opened = factories.open_round(table, seats)
            for action in way:
                factories.do(opened, action.kind, action.box, **action.arguments)
            _, state, version, *_ = fold.of(opened)
            before = factories.written()
            offers = {(offer.kind, offer.box): offer for offer in game.legal(state)}
            for kind, known in game.actions.items():
                by = factories.boss(opened) if known.role == "pit_boss" else factories.croupier(table)
                places = game.view(state).places
                for box in (None, *(places if every else of_each_kind(kind, offers, places)), NOWHERE):
                    offer = offers.get((kind, box))
                    action = offer and evening.legal_action(game, state, offer)
                    told = action.arguments if action else samples.get(kind, {})
                    outcome = attempt(opened, version, kind, box, told, actor=Actor(by))
                    if action:
                        assert not isinstance(outcome, Refused), f"{phase}: {kind} {box} {told}: {outcome}"
                        assert outcome != state
                        done[phase].add(kind)
                    else:
                        assert isinstance(outcome, Refused), f"{phase}: {kind} {box} is not offered, yet done"
                        assert outcome.message.endswith(".")
                        assert outcome.way_out
            assert factories.written() == before
            transaction.savepoint_rollback(savepoint)


COMMANDS = {
    "act": lambda r, v: rounds.act(
        standing=standing.locked(r), version=v, kind="ante", box=5, arguments={"units": 500}, actor=Actor(anna())
    ),
    "undo": lambda r, v: rounds.undo(standing=standing.locked(r), version=v, actor=Actor(anna(), clara())),
    "amend": lambda r, v: rounds.amend(
        standing=standing.locked(r), version=v, ordinal=1, arguments={"units": 1500}, actor=Actor(anna(), clara())
    ),
    "close": lambda r, v: rounds.close(standing=standing.locked(r), version=v, actor=Actor(anna())),
    "report": lambda r, v: interventions.report(standing=standing.locked(r), clause="split.34", actor=Actor(anna())),
    "hold": lambda r, v: interventions.report(
        standing=standing.locked(r), clause="split.36", reason="x", actor=Actor(anna())
    ),
    "rule": lambda r, v: rounds.act(
        standing=standing.locked(r),
        version=v,
        kind="rule",
        box=1,
        arguments={"what": "void", "clause": "split.36"},
        actor=Actor(clara()),
    ),
    "release": lambda r, v: interventions.release(
        standing=standing.locked(r), version=v, hold=1, reason="x", actor=Actor(clara())
    ),
    "void": lambda r, v: interventions.void(
        standing=standing.locked(r), version=v, clause="split.36", reason="x", actor=Actor(anna(), clara())
    ),
    "correct": lambda r, v: corrections.correct(
        standing=standing.locked(r),
        line=Round.objects.get(pk=r).lines.count(),
        changes={"boxes[0].ante": 2000},
        clause="split.33",
        reason="x",
        actor=Actor(anna(), clara()),
    ),
    "contest": lambda r, v: disputes.raise_dispute(
        standing=standing.locked(r), about="other", boxes=[], statement="x", actor=Actor(anna())
    ),
    "rule on a dispute": lambda r, v: rule_on_a_dispute(r),
    "change by a dispute": lambda r, v: rule_on_a_dispute(r, {"boxes[0].ante": 2000}),
    "tick": lambda r, v: payments.tick(standing=standing.locked(r), generation=1, box=1, actor=Actor(anna())),
    "leave": lambda r, v: payments.leave(
        standing=standing.locked(r), generation=1, box=1, actor=Actor(anna(), clara())
    ),
}
WORDS = {"contest", "rule on a dispute"}
# What each moment of a round's life allows; all else is refused.
LIFE = {
    "betting": {"act", "undo", "amend", "report", "hold", "void"} | WORDS,
    "final": {"undo", "amend", "close", "report", "hold", "rule", "void"} | WORDS,
    "held": {"report", "rule", "release", "void"} | WORDS,
    "closed": {"report", "hold", "correct", "change by a dispute"} | WORDS,
    "closed and held": {"report", "release", "correct", "change by a dispute"} | WORDS,
    "settled": {"report", "hold", "correct", "tick", "leave", "change by a dispute"} | WORDS,
    "void": WORDS,
}


def anna():
    return factories.person("anna")


def clara():
    return factories.person("clara")


def rule_on_a_dispute(round_id, changes=None):
    disputes.rule(
        standing=standing.locked(round_id),
        dispute_id=Dispute.objects.get(round=round_id, status=Dispute.Status.OPEN).pk,
        line=Round.objects.get(pk=round_id).lines.count(),
        ruling="upheld",
        clause="split.17",
        reason="x",
        changes=changes,
        actor=Actor(clara(), factories.person("frank")),
    )


def at_moment(moment):
    """A contested round of T1 at a moment of `LIFE`."""
    opened = factories.open_round(factories.table("T1"))
    factories.act_all(opened, factories.FLUSH_WINS[:2] if moment == "betting" else factories.FLUSH_WINS)
    if moment in {"closed", "closed and held", "settled"}:
        factories.close(opened)
    if moment in {"held", "closed and held"}:
        factories.hold(opened)
    if moment == "settled":
        settling.settle_due()
    if moment == "void":
        factories.void(opened)
    factories.contest(opened)
    return opened


def outcome(command, *arguments):
    """The refusal, or None if it was done."""
    try:
        command(*arguments)
    except Refused as refused:
        return refused
    return None


@pytest.mark.parametrize("moment", LIFE)
def test_every_pair_of_moment_and_command_is_done_or_refused(moment, seeded_db):
    there = at_moment(moment)
    version = Action.objects.filter(round=there).count()
    before = factories.written()
    done = set()
    for name, command in COMMANDS.items():
        with transaction.atomic():
            savepoint = transaction.savepoint()
            refused = outcome(command, there.pk, version)
            if refused is None:
                done.add(name)
            else:
                assert (refused.status, bool(refused.way_out)) == (409, True), f"{moment}: {name}: {refused.message}"
            assert (factories.written() == before) == (refused is not None)
            transaction.savepoint_rollback(savepoint)
    assert done == LIFE[moment]
