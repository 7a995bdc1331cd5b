"""Rounds: opened, acted in, taken back, closed. `act` is the one verb for what happens in a round of any game."""

import json

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from audit import log
from casino import bell
from casino.errors import Refused
from casino.games import registry
from casino.games.game import UNFORESEEN, Fault, Refusal
from casino.games.game import Action as GameAction
from casino.models import Casino
from casino.statements import Statement
from casino.wording import fill, read

from ..models import Action, Intervention, Line, Round, Session, Table
from . import fold, grounds, papers, rulesheets, series
from .standing import Standing
from .wording import WORDING

_RUNNING = Statement(lambda session: Round.objects.filter(session=session, status=Round.Status.OPEN))
_SESSION = Statement(lambda table: Session.objects.filter(table=table, status=Session.Status.OPEN))
MOMENT = {"action_wrong_moment", "box_wrong_moment", "box_unexpected", "box_missing"}


def open_round(*, table_id, seats=(), dealer=None, happened_at=None, paper=None, actor):
    """Begin the table's next round by the rule sheet now in force, or the next of the series that runs.

    A round played on paper during an outage has the time at which it happened and the paper's number, and goes by the
    sheet in force then: two people enter it while its session runs, or its gaming day is open. If its session is
    closed, the table's next round neither waits for it nor begins where it ended; rounds of a closed session that
    belong together form a series of their own, which only rounds from paper continue.

    :param seats: the boxes that take part, in games that name them; those of a running series stay.
    :param dealer: the box that deals; None: the next to the left of the one before.
    :param happened_at: an aware moment, and `paper` what is printed on the paper: both or none.
    :param actor: `approved_by` is the second person who enters a round from paper.
    :raises Refused: `round_open`, `session_closed`, `no_sheet`, what is wrong with the seats, or what `papers` refuses.
    """
    in_transaction()
    if paper is not None:
        papers.hold_day(table_id, happened_at)
    table = Table.objects.select_for_update(no_key=True).get(id=table_id)
    paper = papers.checked(paper, actor)
    session = _SESSION.first(table=table_id)
    if paper:
        session = papers.session_at(table, session, happened_at)
    elif session is None:
        raise grounds.not_open(table, WORDING("opened_by_pit_boss"))
    running = _RUNNING.first(session=session.pk)
    if running:
        raise WORDING.refused("round_open:table", detail={"round": running.pk}, round=running, table=table)
    late = session if session.closed_at else None
    running_series = series.running_in(late) if late else series.running(table)
    if paper:
        papers.check_order(session, running_series, happened_at)
    sheet = series.next_sheet(table, running_series, happened_at)
    if sheet is None:
        raise WORDING.refused("no_sheet", table=table)
    if running_series and seats and sorted(seats) != running_series.seats:
        raise WORDING.refused("seats_wrong:series", boxes=", ".join(map(str, running_series.seats)))
    order = series.seated(table, sheet, running_series.seats if running_series else seats, dealer, late)
    game = registry.GAMES[sheet.game]
    carry = series.carried(running_series) if running_series else None
    state = game.start(rulesheets.checked(sheet), order, carry)
    if running_series is None:
        running_series = series.begin(table=table, session=session, sheet=sheet, seats=order, actor=actor)
    Table.objects.filter(pk=table.pk).update(last_number=F("last_number") + 1)
    opened = Round.objects.create(
        table=table,
        session=session,
        series=running_series,
        sheet=sheet,
        number=table.last_number + 1,
        phase=game.view(state).phase,
        seats=list(order),
        carry=carry,
        opened_by=actor.by,
        happened_at=happened_at,
        paper=paper,
        opened_with=actor.approved_by if paper else None,
    )
    log.record(
        "round.opened",
        opened.ref,
        chain=table.ref,
        actor=actor,
        facts={
            "session": session.ref,
            "number": opened.number,
            "game": sheet.game,
            "sheet": sheet.digest,
            "series": running_series and running_series.ref,
            "seats": list(order) or None,
            "carry": carry,
            "happened_at": happened_at and log.spell_time(happened_at),
            "slip": paper,
            "approver": paper and actor.approver,
        },
    )
    return opened


def act(*, standing, version, kind, box, arguments, actor):
    """Let one thing happen in an open round; in a held one, only what the pit boss does.

    :param version: the number of actions that the caller saw.
    :returns: the round's `Standing` after it.
    :raises Refused: `round_wrong_moment`, `stale_version`, or what the game refuses, with clause, place and way out.
    """
    folded = _open(standing, version, kind)
    game, state = folded.game, folded.state
    _check_place(game, state, kind, box)
    after = game.act(state, GameAction(kind, box, arguments))
    if isinstance(after, Refusal):
        raise refused(after)
    action = Action(
        round=standing.round,
        ordinal=version + 1,
        phase=game.view(state).phase,
        kind=kind,
        box=box,
        arguments=arguments,
        **actor._asdict(),
    )
    return _written(standing, action, (*folded.steps, fold.Step(action, state, after)), actor)


def _hold(round_, obstacle, actor):
    """Hold a round that can't end as the rules say: the pit boss voids it (house.4)."""
    grounds.record(round_, Intervention.Kind.HELD, clause=UNFORESEEN.clause, reason=obstacle, actor=actor)
    Round.objects.filter(pk=round_.pk).update(held_at=Now())
    round_.refresh_from_db(fields=["held_at"])
    # As `standing.locked` read it before.
    round_.intervened = True


def _check_place(game, state, kind, box):
    """Refuse a box that the table never has: a different mistake from one that can't do this now."""
    places = game.view(state).places
    boxed = kind in game.actions and game.actions[kind].boxed
    if not boxed or box is None or box in places:
        return
    if places == tuple(range(places[0], places[-1] + 1)):
        raise WORDING.refused("box_unknown:round", box=box, first=places[0], last=places[-1])
    raise WORDING.refused("box_unknown:round_list", box=box, boxes=", ".join(map(str, places)))


def undo(*, standing, version, actor):
    """Take the last action back; it stays in the list and in the log, struck through.

    Within its phase the croupier does so alone; the action that ended a phase takes a pit boss's signature.

    :returns: the round's `Standing` after it.
    :raises Refused: `nothing_to_undo`, `signature_missing`, `round_held`, `round_wrong_moment`, `stale_version`.
    """
    undoing, folded = standing.round, _open(standing, version)
    if not folded.counting:
        raise WORDING.refused("nothing_to_undo", round=undoing)
    last = folded.counting[-1]
    _check_signed(undoing, folded, last, actor)
    taking_back = Action(
        round=undoing,
        ordinal=version + 1,
        phase=last.phase,
        kind=Action.UNDO,
        box=last.box,
        arguments={},
        **actor._asdict(),
        undoes=last.ordinal,
    )
    return _written(standing, taking_back, folded.steps[:-1], actor)


def amend(*, standing, version, ordinal, arguments, actor):
    """Enter a wrong card or stake again, in the place of the action that had it; later actions stay.

    Within its phase the croupier does so alone; an action of an earlier phase takes a pit boss's signature.

    :param ordinal: that of the wrong action.
    :returns: the round's `Standing` after it.
    :raises Refused: `ordinal_unknown`, `nothing_to_amend`, `signature_missing`, what the game refuses of the action
        itself, or `does_not_follow` if a later one no longer fits.
    """
    amending, folded = standing.round, _open(standing, version)
    wrong = next((action for action in folded.counting if action.ordinal == ordinal), None)
    if wrong is None:
        raise WORDING.refused("ordinal_unknown", ordinal=ordinal, round=amending)
    if not wrong.arguments or wrong.arguments == arguments:
        raise WORDING.refused("nothing_to_amend:same" if wrong.arguments else "nothing_to_amend")
    _check_signed(amending, folded, wrong, actor)
    amended = Action(
        round=amending,
        ordinal=version + 1,
        phase=wrong.phase,
        kind=wrong.kind,
        box=wrong.box,
        arguments=arguments,
        **actor._asdict(),
        undoes=wrong.ordinal,
    )
    place = folded.counting.index(wrong)
    again = _again(folded, place, [amended, *folded.counting[place + 1 :]])
    return _written(standing, amended, (*folded.steps[:place], *again), actor)


def close(*, standing, version, actor):
    """End a round that has run to its end: its complete line is made, and it is due for settlement.

    :raises Refused: `round_wrong_moment`, `stale_version`, or `round_not_final` with what is still to be done.
    """
    closing, folded = standing.round, _open(standing, version)
    game, state = folded.game, folded.state
    view = game.view(state)
    if not view.final:
        left = [offer.label for offer in game.legal(state) if offer.primary]
        phase = game.phases[view.phase]
        if left:
            raise WORDING.refused("round_not_final", round=closing, phase=phase, left=left[0])
        raise WORDING.refused("round_not_final:unknown", round=closing, phase=phase)
    line = {"id": closing.pk, **game.facts(state)}
    fault = game.read(line)
    if isinstance(fault, Fault):
        raise RuntimeError(f"Round {closing.pk} made a line that can't be read: {fault}")
    wagers = [wager._asdict() for wager in view.wagers]
    handed = [each._asdict() for each in game.handed(state)] or None
    texts = [log.canonical(part) for part in (line, wagers)]
    facts = {"round": line, "wagers": wagers, "handed": handed}
    entry = log.Record("round.closed", closing.ref, facts, actor.ref, actor.terminal_name)
    addition = log.addition(closing.table.ref, [entry])
    with connection.cursor() as cursor:
        closed = [closing.pk, *texts, handed and json.dumps(handed), actor.by.pk, *addition]
        cursor.execute("SELECT write_closing(%s, %s, %s, %s, %s, %s, %s)", closed)
        (closing.closed_at,) = cursor.fetchone()
    closing.status, closing.next_at = Round.Status.CLOSED, closing.closed_at
    first_line = Line(round=closing, ordinal=1, text=texts[0], wagers=texts[1], carry=closing.carry, by=actor.by)
    series.close_after(closing, first_line, actor=actor)
    transaction.on_commit(bell.ring, robust=True)
    return closing


def _again(folded, place, actions):
    """The steps of an amended action and of those that follow it, from the state in which the wrong action happened.

    :raises Refused: what the game refuses of the amended one, or `does_not_follow` of a later one.
    """
    game = folded.game
    happened = list(fold.steps(game, folded.steps[place].before, actions))
    action, _, after = happened[-1]
    if not isinstance(after, Refusal):
        return happened
    refusal = refused(after)
    if action is actions[0]:
        refusal.path = f"arguments.{refusal.path}" if refusal.path else "arguments"
        raise refusal
    label = game.actions[action.kind].label
    if action.box is None:
        raise WORDING.refused(
            "does_not_follow",
            clause=refusal.clause,
            detail={"ordinal": action.ordinal},
            ordinal=action.ordinal,
            label=label,
            fault=refusal.message,
            unforeseen=UNFORESEEN.clause,
        )
    raise WORDING.refused(
        "does_not_follow:box",
        clause=refusal.clause,
        detail={"ordinal": action.ordinal},
        ordinal=action.ordinal,
        label=label,
        box=action.box,
        fault=refusal.message,
        unforeseen=UNFORESEEN.clause,
    )


def role_of(game, kind):
    """The role that does actions of a kind; the game itself refuses a kind that it does not know."""
    return game.actions[kind].role if kind in game.actions else "croupier"


def _check_signed(round_, folded, action, actor):
    """Refuse a croupier alone who changes a ruling, or what was entered before the table moved on."""
    if actor.approved_by is not None:
        return
    game = folded.game
    if role_of(game, action.kind) == "pit_boss":
        raise WORDING.refused("signature_missing:ruling", ordinal=action.ordinal)
    phase = game.view(folded.state).phase
    if action.phase != phase:
        raise WORDING.refused(
            "signature_missing:phase",
            ordinal=action.ordinal,
            phase=game.phases[action.phase],
            round=round_,
            phase_now=game.phases[phase],
        )


def _written(standing, action, steps, actor):
    """Write an accepted action, the rows for queries that it changes, and the log's entry, in one call; hold the round
    if after this it can't end as its rules say.

    :param steps: those of the actions that count then.
    :returns: the round's `Standing` after it.
    """
    round_, folded = standing.round, standing.folded
    after = steps[-1].after if steps else fold.start(round_)
    boxed = {} if action.box is None else {"box": action.box}
    entry = log.Record(
        "round.acted",
        round_.ref,
        {
            "ordinal": action.ordinal,
            "phase": action.phase,
            "kind": action.kind,
            "arguments": boxed | action.arguments,
            "undoes": action.undoes,
            "approver": actor.approver,
        },
        actor.ref,
        actor.terminal_name,
    )
    row = {
        "ordinal": action.ordinal,
        "phase": action.phase,
        "kind": action.kind,
        "box": action.box,
        "arguments": action.arguments,
        "by": action.by_id,
        "approved_by": action.approved_by_id,
        "terminal": action.terminal_id,
        "undoes": action.undoes,
    }
    gone, come = fold.changes(folded.game.view(folded.state), folded.game.view(after))
    parts = [json.dumps(part, ensure_ascii=False) for part in (row, gone._asdict(), come._asdict())]
    addition = log.addition(round_.table.ref, [entry])
    with connection.cursor() as cursor:
        cursor.execute("SELECT write_action(%s, %s, %s, %s, %s, %s)", [round_.pk, *parts, *addition])
        (action.at,) = cursor.fetchone()
    round_.phase = come.phase or round_.phase
    if obstacle := folded.game.obstacle(after):
        _hold(round_, obstacle, actor)
    counting = tuple(step.action for step in steps)
    grown = fold.Folded(folded.game, after, action.ordinal, counting, steps)
    return Standing(round_, [*standing.actions, action], folded=grown)


def refused(refusal):
    """A refusal of the core, worded for people, its amounts in the casino's currency."""
    texts = refusal.message, refusal.way_out
    if refusal.values:
        decimals = Casino.objects.get().currency_decimals
        message, way_out = (fill(text, refusal.values, decimals) for text in texts)
    else:
        message, way_out = map(read, texts)
    return Refused(
        refusal.code,
        message,
        status=409 if refusal.code in MOMENT else 422,
        clause=refusal.clause,
        path=refusal.path,
        way_out=way_out,
    )


def in_transaction():
    if not connection.in_atomic_block:
        raise RuntimeError("A verb runs inside its door's transaction.")


def held(round_):
    """The refusal of what a held round does not allow."""
    return WORDING.refused("round_held", detail={"status": round_.status}, round=round_)


def _open(standing, version, kind=None):
    """The fold of an open round, if the caller saw its newest state.

    :param kind: of the action that is to happen; while the round is held only a pit boss's may.
    :raises Refused: `round_wrong_moment`, `stale_version`, `action_wrong`, `round_held`.
    """
    round_ = standing.round
    if round_.status != Round.Status.OPEN:
        raise grounds.wrong_moment(round_, WORDING("correction_needed"), WORDING("acted_in_when_open"))
    grounds.newest(round_, version, standing.version)
    folded = standing.folded
    if folded.wrong:
        raise WORDING.refused(
            "action_wrong",
            ordinal=folded.wrong.action.ordinal,
            round=round_,
            fault=folded.wrong.after.message,
            unforeseen=UNFORESEEN.clause,
        )
    if round_.held_at and role_of(folded.game, kind) != "pit_boss":
        raise held(round_)
    return folded
