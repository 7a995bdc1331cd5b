"""Series: the rounds of one sitting that carry something on, and who sits in a round."""

import json
from typing import NamedTuple

from django.db.models.functions import Now

from audit import log
from casino.games import registry
from casino.statements import Statement

from ..models import Round, RuleSheet, Series, Session, Table
from . import fold, rulesheets
from .wording import WORDING

# Older seats are not looked for: a table of another game would be read back to its first round each time.
LAST_ROUNDS = 20
_AS_PLAYED = object()
_RUNNING = Statement(
    lambda table: Series.objects.filter(table=table, status=Series.Status.OPEN).exclude(session__status="CLOSED")
)
_RUNNING_IN = Statement(lambda session: Series.objects.filter(session=session, status=Series.Status.OPEN))


class Ahead(NamedTuple):
    """The next round: its `sheet`, who played last as `seats`, the dealer last; `in_series`: they stay seated, since a
    series runs."""

    sheet: RuleSheet | None = None
    seats: tuple = ()
    in_series: bool = False


def running(table):
    """The table's series that has not ended, or None; one of a closed session, from paper, is not the table's."""
    return _RUNNING.first(table=table.pk)


def running_in(session):
    """The series of a session that has not ended, or None; in a closed session it is one of rounds from paper."""
    return _RUNNING_IN.first(session=session.pk)


def begin(*, table, session, sheet, seats, actor):
    """Begin a series with its first round, if rounds on this sheet belong together; None if each stands alone."""
    goal = registry.GAMES[sheet.game].goal(rulesheets.checked(sheet), seats)
    if goal is None:
        return None
    begun = Series.objects.create(
        table=table,
        session=session,
        game=sheet.game,
        seats=sorted(seats),
        rounds_agreed=goal.rounds,
        target=goal.target,
    )
    log.record(
        "series.opened",
        begun.ref,
        chain=table.ref,
        actor=actor,
        facts={"session": session.ref, "game": sheet.game, "sheet": sheet.digest, **_agreed(begun)},
    )
    return begun


def _agreed(series):
    """The facts of a series that the log has both when it opens and when it closes."""
    return {"seats": series.seats, "rounds": series.rounds_agreed, "target": series.target}


def ahead(table):
    """The table's next round, as far as it is decided before it is opened."""
    series = running(table)
    return Ahead(next_sheet(table, series), last_seats(table), series is not None)


def next_sheet(table, running, at=None):
    """The sheet of the table's next round: that of the series that runs, if one does, else the one in force.

    :param at: when it was played, if it was before now.
    """
    return sheet_of(running) if running else rulesheets.in_force(table, at)


def last_seats(table, late=None):
    """The seats of the newest of the table's last rounds in which boxes were named; who dealt last is the last.

    :param late: a closed session, whose rounds from paper to look at instead.
    """
    if late:
        latest = Round.objects.entered_late().filter(session=late)
    else:
        latest = Round.objects.at_the_table().filter(table=table, number__gt=table.last_number - LAST_ROUNDS)
    last = latest.select_related("sheet").exclude(seats=[]).order_by("-number").first()
    if last is None:
        return ()
    seats, game = tuple(last.seats), registry.GAMES[last.sheet.game]
    if game.dealer is None:
        return seats
    place = seats.index(game.dealer(fold.of(last).state)) + 1
    return (*seats[place:], *seats[:place])


def sheet_of(series):
    """The sheet that the series began with: rules do not change within it."""
    return series.rounds.select_related("sheet").order_by("number").first().sheet


def carried(series):
    """What the series' next round starts with; a void round leaves nothing and is played again."""
    last = _last_played(series)
    return carry_of(last.sheet, last.lines.last()) if last else None


def _last_played(series):
    """The series' newest round that was played to its end, or None."""
    return series.rounds.filter(status__in=[Round.Status.CLOSED, Round.Status.SETTLED]).order_by("number").last()


def carry_of(sheet, line, begun_with=_AS_PLAYED):
    """What a complete line leaves to the next round.

    :param begun_with: what is carried into its round instead of what was carried.
    """
    facts, result, checked, carry = _outcome(sheet, line)
    return registry.GAMES[sheet.game].carry(facts, result, checked, carry if begun_with is _AS_PLAYED else begun_with)


def _outcome(sheet, line):
    """A complete line as its game's `carry` and `totals` take it: facts, result, sheet and what was carried into it."""
    game = registry.GAMES[sheet.game]
    facts = game.read(json.loads(line.text))
    return facts, game.settle(facts), rulesheets.checked(sheet), line.carry


def _totals(series):
    """Each box's total up to the newest round that was played to its end."""
    last = _last_played(series)
    if last is None:
        return {}
    return registry.GAMES[last.sheet.game].totals(*_outcome(last.sheet, last.lines.last()))


def open_round_of(round_):
    """The open round of the round's series, or None."""
    if round_.series_id is None:
        return None
    return Round.objects.select_related("table").filter(series=round_.series_id, status=Round.Status.OPEN).first()


def after(round_, *, lock=True):
    """The rounds of the series that were played after this one, in order, locked or only to look at."""
    if round_.series_id is None:
        return []
    played = Round.objects.select_related("table", "sheet", "series")
    if lock:
        played = played.select_for_update(no_key=True, of=("self",))
    states = [Round.Status.CLOSED, Round.Status.SETTLED]
    return list(played.filter(series=round_.series_id, number__gt=round_.number, status__in=states).order_by("number"))


def has_ended(round_):
    """Whether the round's series has ended or was broken off."""
    return round_.series is not None and round_.series.status == Series.Status.CLOSED


def close_after(round_, line, *, actor):
    """End the round's series if the line is its last and it still runs."""
    series = round_.series
    if series is None or has_ended(round_) or carry_of(round_.sheet, line) is not None:
        return
    _close(series, round_.table, actor=actor)


def _close(series, table, *, actor, approver=None):
    Series.objects.filter(pk=series.pk).update(status=Series.Status.CLOSED, closed_at=Now())
    log.record(
        "series.closed",
        series.ref,
        chain=table.ref,
        actor=actor,
        facts={**_agreed(series), "totals": _totals(series), "approver": approver},
    )


def end(*, table_id, session_id=None, actor):
    """Break a series off: its rounds stay as they are, and money that only its end would move stays where it is.

    :param session_id: the closed session of the table whose series from paper it is; None: it is the table's.
    :raises Refused: `no_series`, `round_open`.
    """
    table = Table.objects.select_for_update(no_key=True).get(id=table_id)
    if session_id is None:
        series = running(table)
    else:
        late = Session.objects.filter(pk=session_id, table=table, status=Session.Status.CLOSED).first()
        series = running_in(late) if late else None
    if series is None:
        raise WORDING.refused("no_series" if session_id is None else "no_series:paper", table=table)
    played = series.rounds.select_related("table").filter(status=Round.Status.OPEN).first()
    if played is not None:
        raise WORDING.refused("round_open:ending", round=played)
    _close(series, table, actor=actor, approver=actor.approver or actor.ref)
    return series


def seated(table, sheet, seats, dealer, late=None):
    """The boxes of a round in seat order from the dealer's left, the dealer last; () where boxes come in by their ante.

    :param dealer: who deals; None lets the next to the left of the last round's dealer.
    :param late: the closed session of a round from paper.
    :raises Refused: `seats_unexpected`, `seats_missing`, `seats_wrong`, `dealer_unknown`.
    """
    limits = registry.GAMES[sheet.game].seats
    if limits is None:
        if seats or dealer is not None:
            raise WORDING.refused("seats_unexpected")
        return ()
    lowest, highest = limits
    if not seats:
        raise WORDING.refused("seats_missing", lowest=lowest, highest=highest)
    if len(set(seats)) != len(seats) or not all(1 <= seat <= highest for seat in seats) or len(seats) < lowest:
        boxes = ", ".join(map(str, seats))
        raise WORDING.refused("seats_wrong", boxes=boxes, lowest=lowest, highest=highest)
    order = sorted(seats)
    if dealer is None:
        last = last_seats(table, late)
        later = [seat for seat in order if last and seat > last[-1]]
        dealer = later[0] if later else order[0] if last else order[-1]
    if dealer not in order:
        raise WORDING.refused("dealer_unknown", box=dealer)
    place = order.index(dealer) + 1
    return (*order[place:], *order[:place])
