"""Rounds: opened, acted in, closed. `act` is the one verb for what happens in a round of any game."""

from typing import Any, NamedTuple

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from audit import log
from casino.errors import Refused
from casino.games import registry
from casino.games.game import Action as GameAction
from casino.games.game import Fault, Refusal, fill
from casino.models import Casino

from . import doorbell, rulesheets
from .models import Action, Box, Hand, Line, Round, Session, Table, Wager


class Folded(NamedTuple):
    """A round as its actions make it: the game's module, its state, and how many actions there are."""

    game: Any
    state: Any
    version: int


UNSEEN = "?"
MOMENT = {"action_wrong_moment", "box_wrong_moment", "box_unexpected", "box_missing"}


def open_round(*, table_id, by, terminal=None):
    """Begin the table's next round by the rule sheet now in force.

    :raises Refused: `round_open`, `session_closed` or `no_sheet`.
    """
    _in_transaction()
    table = Table.objects.select_for_update(no_key=True).get(id=table_id)
    running = Round.objects.filter(table=table, status=Round.Status.OPEN).first()
    if running:
        raise Refused(
            "round_open",
            f"Round {running} is still open at {table}.",
            way_out=f"Close {running} first.",
            detail={"round": running.pk},
        )
    session = Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    if session is None:
        raise Refused("session_closed", f"{table} is not open.", way_out="The pit boss opens the table.")
    sheet = rulesheets.in_force(table)
    if sheet is None:
        raise Refused("no_sheet", f"{table} has no rule sheet.", way_out="The pit boss puts one in force.")
    game = registry.GAMES[sheet.game]
    state = game.start(rulesheets.checked(sheet), (), None)
    Table.objects.filter(pk=table.pk).update(last_number=F("last_number") + 1)
    opened = Round.objects.create(
        table=table,
        session=session,
        sheet=sheet,
        number=table.last_number + 1,
        phase=game.view(state).phase,
        opened_by=by,
    )
    log.record(
        "round.opened",
        opened.ref,
        chain=table.ref,
        by=by.ref,
        terminal=terminal and terminal.name,
        facts={
            "session": session.ref,
            "number": opened.number,
            "game": sheet.game,
            "sheet": sheet.digest,
        },
    )
    return opened


def act(*, round_id, version, kind, box, arguments, by, terminal=None):
    """Let one thing happen in an open round.

    :param version: the number of actions that the caller saw.
    :raises Refused: `round_wrong_moment`, `stale_version`, or what the game refuses, with clause, place and way out.
    """
    acting, (game, state, _) = _locked(round_id, version)
    action = GameAction(kind, box, arguments)
    after = game.act(state, action)
    if isinstance(after, Refusal):
        raise _refused(after)
    before, view = game.view(state), game.view(after)
    done = Action.objects.create(
        round=acting,
        ordinal=version + 1,
        phase=before.phase,
        kind=kind,
        box=box,
        arguments=arguments,
        by=by,
        terminal=terminal,
    )
    _write(acting, before, view)
    told = {**arguments} if box is None else {"box": box, **arguments}
    log.record(
        "round.acted",
        acting.ref,
        chain=acting.table.ref,
        by=by.ref,
        terminal=terminal and terminal.name,
        facts={"ordinal": done.ordinal, "phase": done.phase, "kind": kind, "arguments": told},
    )
    return acting


def close(*, round_id, version, by, terminal=None):
    """End a round that has run to its end: its complete line is made, and it is due for settlement.

    :raises Refused: `round_wrong_moment`, `stale_version`, or `round_not_final` with what is still to be done.
    """
    closing, (game, state, _) = _locked(round_id, version)
    view = game.view(state)
    if not view.final:
        left = [offer.label for offer in game.legal(state) if offer.primary]
        raise Refused(
            "round_not_final",
            f"Round {closing} is not at its end ({game.PHASES[view.phase]}).",
            way_out=f"Next: {left[0]}." if left else "Finish it first.",
        )
    line = {"id": closing.pk, **game.facts(state)}
    fault = game.read(line)
    if isinstance(fault, Fault):
        raise RuntimeError(f"Round {closing.pk} made a line that can't be read: {fault}")
    wagers = [wager._asdict() for wager in view.wagers]
    Round.objects.filter(pk=closing.pk).update(status=Round.Status.CLOSED, closed_at=Now(), next_at=Now())
    Line.objects.create(
        round=closing,
        ordinal=1,
        text=log.canonical(line),
        wagers=log.canonical(wagers),
        carry=closing.carry,
        by=by,
    )
    log.record(
        "round.closed",
        closing.ref,
        chain=closing.table.ref,
        by=by.ref,
        terminal=terminal and terminal.name,
        facts={"round": line, "wagers": wagers},
    )
    transaction.on_commit(doorbell.ring, robust=True)
    closing.refresh_from_db()
    return closing


def fold(round_):
    """All actions that are not undone, in order, over the start: the one way from what is stored to a state."""
    game = registry.GAMES[round_.sheet.game]
    state = game.start(rulesheets.checked(round_.sheet), tuple(round_.seats), round_.carry)
    actions = list(round_.actions.order_by("ordinal").values_list("ordinal", "kind", "box", "arguments", "undoes"))
    undone = {undoes for *_, undoes in actions if undoes}
    for ordinal, kind, box, arguments, undoes in actions:
        if undoes or ordinal in undone:
            continue
        after = game.act(state, GameAction(kind, box, arguments))
        if isinstance(after, Refusal):
            raise RuntimeError(f"Round {round_.pk}: its action {ordinal} does not follow: {after.message}")
        state = after
    return Folded(game, state, len(actions))


def _refused(refusal):
    """The core's refusal for people: amounts in the casino's currency."""
    message, way_out = refusal.message, refusal.way_out
    if refusal.values:
        decimals = Casino.objects.get().currency_decimals
        message, way_out = (fill(text, refusal.values, decimals) for text in (message, way_out))
    return Refused(
        refusal.code,
        message,
        status=409 if refusal.code in MOMENT else 422,
        clause=refusal.clause,
        path=refusal.path,
        way_out=way_out,
    )


def _in_transaction():
    if not connection.in_atomic_block:
        raise RuntimeError("A verb runs inside its door's transaction.")


def _locked(round_id, version):
    """The open round and its fold, table and round locked in this order, if the caller saw its newest state."""
    _in_transaction()
    table_id = Round.objects.values_list("table_id", flat=True).get(id=round_id)
    Table.objects.select_for_update(no_key=True).get(id=table_id)
    found = Round.objects.select_related("table", "sheet").select_for_update(no_key=True, of=("self",)).get(id=round_id)
    if found.status != Round.Status.OPEN:
        raise Refused(
            "round_wrong_moment",
            f"Round {found} is {found.get_status_display()}. Only an open round can be acted in.",
            way_out="Report an error: a correction needs the pit boss.",
            detail={"status": found.status},
        )
    if found.held_at:
        raise Refused(
            "round_held",
            f"Round {found} is held.",
            way_out="The pit boss releases it, rules on it or voids it.",
            detail={"status": found.status},
        )
    folded = fold(found)
    if version != folded.version:
        raise Refused(
            "stale_version",
            f"Round {found} has moved on: you saw {version} steps, there are {folded.version}.",
            path="version",
            way_out="Look at the round as it is now and decide again.",
            detail={"version": folded.version},
        )
    return found, folded


def _write(round_, before, after):
    """Bring the rows for queries and people up to the state: only what changed."""
    if before.phase != after.phase:
        Round.objects.filter(pk=round_.pk).update(phase=after.phase)
    _sync(Box, round_, _boxes(before), _boxes(after), "number")
    _sync(Hand, round_, _hands(before), _hands(after), "kind", "box")
    _sync(Wager, round_, _wagers(before), _wagers(after), "ordinal")


def _boxes(view):
    return {(box.number,): {"number": box.number, "state": box.state} for box in view.boxes}


def _wagers(view):
    return {(wager.ordinal,): wager._asdict() for wager in view.wagers}


def _hands(view):
    return {
        (hand.kind, hand.box): {"box": hand.box, "kind": hand.kind, "cards": [card or UNSEEN for card in hand.cards]}
        for hand in view.hands
    }


def _sync(model, round_, before, after, *names):
    """Delete the rows that are gone or changed, insert those that are new or changed; keys are values of `names`."""
    for key, row in before.items():
        if row != after.get(key):
            model.objects.filter(round=round_, **dict(zip(names, key, strict=True))).delete()
    model.objects.bulk_create(model(round=round_, **row) for key, row in after.items() if row != before.get(key))
