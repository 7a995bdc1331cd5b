"""Luck set apart: what settled rounds of Split Poker won beside what was expected, and the bets on it day by day.

A task of its own writes it, never settlement. The rows are the task: a settled round without a row, or with one of an
earlier settlement, has to be looked at, and so has one that waits for a result of the edge once that exists. A change
makes the gaming day of its table and of its croupier stale; a stale day is added up from its rounds and from the bets
after the day before, and makes the next one stale if the bets after it changed. One transaction writes a few rounds or
one day, so a killed task loses at most that.
"""

import json
import math
import time
from decimal import Decimal
from fractions import Fraction

from django.db import connection, transaction
from django.db.models import Q

from payouts import edge_results
from payouts import luck as bets
from payouts.models import EdgeResult

from ..models import LuckDay, RoundLuck, RuleSheet
from . import rulesheets

BATCH = 200
OVERLAP = 10_000
"""A settlement has its number before it is committed, so a later number may be seen first: this many numbers below the
highest are looked at again."""
_LEFT_OUT = RoundLuck.LeftOut
_BILLION = 10**9
# From a settlement on, the newest one of each round that has no luck, or that of an earlier settlement.
_NEW = """
    SELECT round.id FROM payouts_settlement settlement
    JOIN tables_round round ON round.settlement_id = settlement.id
    JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id AND sheet.game = 'split'
    LEFT JOIN tables_roundluck known ON known.round_id = round.id
    WHERE settlement.id >= %s AND known.settlement_id IS DISTINCT FROM settlement.id
    ORDER BY settlement.id LIMIT %s
"""
# Rounds whose results all exist by now; the number of results that rounds wait for makes no difference.
_WAITED = """
    SELECT round_id FROM tables_roundluck
    WHERE left_out = 'no_result'
        AND edge_keys <@ ARRAY(SELECT key::varchar FROM payouts_edgeresult WHERE status = 'DONE')
    ORDER BY round_id LIMIT %s
"""
# The result that most rounds wait for and this program has not been asked for, and some of those rounds.
_MISSING = """
    SELECT needed, (array_agg(round_id ORDER BY round_id DESC))[1:%s] FROM (
        SELECT unnest(edge_keys) AS needed, round_id FROM tables_roundluck WHERE left_out = 'no_result'
    ) waiting LEFT JOIN payouts_edgeresult result ON result.key = needed
    WHERE result.key IS NULL OR result.inputs ->> 'program' <> %s AND result.status <> 'DONE'
    GROUP BY needed ORDER BY count(*) DESC, needed LIMIT 1
"""
_ROUNDS = """
    SELECT round.id, round.settlement_id, round.table_id, session.business_date, round.sheet_id, line.text,
        CASE WHEN round.paper IS NULL THEN round.opened_by_id END,
        (SELECT json_object_agg(box, net_units) FROM payouts_payment WHERE settlement_id = settlement.id)
    FROM tables_round round
    JOIN tables_session session ON session.id = round.session_id
    JOIN payouts_settlement settlement ON settlement.id = round.settlement_id
    JOIN tables_line line ON line.round_id = round.id AND line.ordinal = settlement.line_ordinal
    WHERE round.id = ANY (%s) ORDER BY round.id
"""


def keep_up(within=math.inf, since=None):
    """Look at rounds and add up days until nothing is left; begin nothing new after `within` seconds.

    :param since: the first settlement to look at; None: a little before the newest that was looked at.
    :returns: how many rounds and how many days were written.
    """
    until = time.monotonic() + within
    written = _while(until, lambda: _look_at_rounds(since)), _while(until, _add_up)
    _ask()
    return written


def _while(until, write):
    count = 0
    while time.monotonic() < until and (written := write()):
        count += written
    return count


def _look_at_rounds(since):
    """Write the luck of some rounds; return of how many."""
    with transaction.atomic(), connection.cursor() as cursor:
        if not _alone(cursor):
            return 0
        if since is None:
            cursor.execute("SELECT max(settlement_id) FROM tables_roundluck")
            since = (cursor.fetchone()[0] or 0) - OVERLAP
        cursor.execute(_NEW, [since, BATCH])
        round_ids = [round_id for (round_id,) in cursor.fetchall()]
        if len(round_ids) < BATCH:
            cursor.execute(_WAITED, [BATCH - len(round_ids)])
            round_ids += [round_id for (round_id,) in cursor.fetchall()]
        cursor.execute(_ROUNDS, [round_ids])
        expected = _Expected()
        return _write([_luck(*row, expected) for row in cursor.fetchall()])


def _ask():
    """Have the result computed that most rounds wait for, unless somebody waits for another: people come first.

    Rounds that wait for a result of an earlier program first get the keys of this one.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        if not _alone(cursor):
            return
        cursor.execute(_MISSING, [BATCH, edge_results.program()])
        missing = cursor.fetchone()
        if missing is None:
            return
        needed, round_ids = missing
        before = dict(RoundLuck.objects.filter(pk__in=round_ids).values_list("pk", "edge_keys"))
        cursor.execute(_ROUNDS, [round_ids])
        expected = _Expected()
        rows = [_luck(*row, expected) for row in cursor.fetchall()]
        _write([row for row in rows if row.edge_keys != before[row.pk]])
        if needed in expected.inputs:
            edge_results.ask_idle(expected.inputs[needed])


def _write(rows):
    """Write the luck of rounds, and make their days stale; return of how many."""
    fields = [field.name for field in RoundLuck._meta.fields if not field.primary_key]
    RoundLuck.objects.bulk_create(rows, update_conflicts=True, unique_fields=["round"], update_fields=fields)
    _make_stale({("table", row.table_id, row.business_date) for row in rows})
    _make_stale({("croupier", row.croupier_id, row.business_date) for row in rows if row.croupier_id})
    return len(rows)


def _alone(cursor):
    """Try to keep other workers away until the transaction ends; whether we are alone."""
    cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended('luck', 0))")
    return cursor.fetchone()[0]


def _make_stale(days):
    """Have days added up: (`table` or `croupier`, its key, the date), all of one kind."""
    for whose in {whose for whose, _, _ in days}:
        LuckDay.objects.bulk_create(
            [LuckDay(**{f"{whose}_id": key}, business_date=date) for _, key, date in sorted(days)],
            update_conflicts=True,
            unique_fields=[whose, "business_date"],
            update_fields=["stale"],
        )


class _Expected:
    """What a box is expected to win by its sheet, its ANTE and the dealer's open card; each is read once."""

    def __init__(self):
        self._sheets, self._keys, self._cards = {}, {}, {}
        # What each result of this program depends on.
        self.inputs = {}

    def key(self, sheet_id, ante):
        """The key of a result: the one that the sheet was published with, by whatever program, or this program's."""
        if (sheet_id, ante) not in self._keys:
            if sheet_id not in self._sheets:
                sheet = RuleSheet.objects.get(pk=sheet_id)
                pinned = edge_results.of_pins(sheet.edge or ()).values()
                self._sheets[sheet_id] = rulesheets.rules_of(sheet), [(row.inputs, row.key) for row in pinned]
            rules, pinned = self._sheets[sheet_id]
            given = edge_results.inputs(rules, ante)
            own = (key for inputs, key in pinned if inputs | {"program": given["program"]} == given)
            key = next(own, None)
            if key is None:
                key = edge_results.key(given)
                self.inputs[key] = given
            self._keys[sheet_id, ante] = key
        return self._keys[sheet_id, ante]

    def card(self, key, rank):
        """What a result has for an open card of a rank, the most that a box may win, and whether it includes the game.

        None if there is no result.
        """
        if key not in self._cards:
            result = EdgeResult.objects.filter(key=key, status=EdgeResult.Status.DONE).first()
            self._cards[key] = result and (
                {card["rank"]: card for card in result.figures["open_cards"]},
                _most(result.inputs),
                result.figures["games"],
            )
        known = self._cards[key]
        return known and (known[0][rank], *known[1:])


def _most(inputs):
    """The most that a box can win, in ANTE: its BET, and its ANTE, at the highest coefficient."""
    return 3 * max(Fraction(*map(int, ratio.split(":"))) for ratio in inputs["coefficients"].values())


def _luck(round_id, settlement_id, table_id, business_date, sheet_id, text, croupier_id, nets, expected):
    """The luck of one settled round, from its line, its payments and the results of its sheet."""
    line = json.loads(text)
    antes = [(box["ante"], nets[str(box["box"])]) for box in line["boxes"]]
    luck = RoundLuck(
        round_id=round_id,
        settlement_id=settlement_id,
        table_id=table_id,
        croupier_id=croupier_id,
        business_date=business_date,
        win_units=-sum(nets.values()),
    )
    cards = (line.get("dealer") or {}).get("cards")
    if line.get("void") or any(box.get("ruling") for box in line["boxes"]):
        luck.left_out = _LEFT_OUT.RULED
    elif not cards:
        luck.left_out = _LEFT_OUT.NO_CARDS
    else:
        keys = [expected.key(sheet_id, ante) for ante, _ in antes]
        luck.edge_keys = sorted(set(keys))
        # The last of the dealer's five is his open card.
        known = [expected.card(key, cards[-1][0]) for key in keys]
        if None in known:
            luck.left_out = _LEFT_OUT.NO_RESULT
        elif not all(games for *_, games in known):
            luck.left_out = _LEFT_OUT.INEXACT
        else:
            _count(luck, antes, known)
    return luck


def _count(luck, antes, known):
    """Set what was expected of a round whose boxes are (ANTE, net), by what is known about each."""
    boxes = [
        bets.Box(ante, net, Fraction(card["expectation"]), Fraction(card["variance"]), bets.LEAST, most)
        for (ante, net), (card, most, _) in zip(antes, known, strict=True)
    ]
    try:
        seen = bets.observation(boxes)
    except ValueError:
        luck.left_out = _LEFT_OUT.BEYOND
        return
    # If a maximum or a chip makes it differ between ANTEs: their mean.
    of_each = [Fraction(card["covariance"]) for card, *_ in known]
    covariance = sum(of_each, Fraction(0)) * Fraction(1, len(of_each)) if len(boxes) > 1 else Fraction(0)
    sums = bets.tally(boxes, covariance)
    luck.expected, luck.variance = _decimal(sums.expected_units), _decimal(sums.variance)
    luck.part = math.floor(_BILLION * seen.excess / -seen.least)


def _decimal(value):
    """A fraction with nine decimals, which is exact if it has no more."""
    return Decimal(f"{math.floor(value * _BILLION)}e-9")


def _add_up():
    """Add up the first stale day; return how many were added up."""
    with transaction.atomic(), connection.cursor() as cursor:
        day = LuckDay.objects.filter(stale=True).first() if _alone(cursor) else None
        if day is None:
            return 0
        others = LuckDay.objects.filter(
            Q(table=day.table_id, croupier=day.croupier_id), business_date__year=day.business_date.year, rounds__gt=0
        )
        rows = RoundLuck.objects.filter(
            **({"table": day.table_id} if day.table_id else {"croupier": day.croupier_id}),
            business_date=day.business_date,
        )
        before = (day.days, day.logs, day.highest)
        _sum(day, list(rows.order_by("round")), others.filter(business_date__lt=day.business_date).last())
        day.stale = False
        day.save()
        if (day.days, day.logs, day.highest) != before:
            following = others.filter(business_date__gt=day.business_date).first()
            if following:
                LuckDay.objects.filter(pk=following.pk).update(stale=True)
    return 1


def _sum(day, rows, last):
    """Set the sums of a day, and the bets after it; `last` is the last earlier day with a round that counts."""
    counted = [row for row in rows if row.left_out == _LEFT_OUT.NO]
    day.rounds, day.left_out = len(counted), len(rows) - len(counted)
    sums = together(counted)
    day.win_units, day.expected, day.variance = sums.win_units, _decimal(sums.expected_units), _decimal(sums.variance)
    day.days, day.logs, day.highest = 0, [], 0
    if counted:
        now = bets.next_day(bets.Bets(last.days, tuple(last.logs), last.highest)) if last else bets.FIRST_DAY
        for row in counted:
            # What it won beyond the expected in parts of what it could lose; the most plays no part in the bets.
            now = bets.after(now, bets.Observation(Fraction(row.part, _BILLION), Fraction(-1), Fraction(0)))
        day.days, day.logs, day.highest = now.days, list(now.logs), now.highest


def together(rows):
    """The tally of rows with sums: rounds that count, or days."""
    return bets.together(
        [
            bets.Tally(getattr(row, "rounds", 1), row.win_units, Fraction(row.expected), Fraction(row.variance))
            for row in rows
        ]
    )
