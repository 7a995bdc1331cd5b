"""The floor as it stands: every table within reach with all that its tile shows, in one statement, and a digest that
differs when a tile does.

What a running session won is known only when its chips are counted. Until then it is the rounds' net: what settled
rounds moved into the float less what they moved out of it, including rounds of earlier sessions that were corrected
since. The win of a gaming day adds what the day's earlier, closed sessions of the table won.
"""

import datetime as dt
from enum import StrEnum
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from casino.games import registry
from payouts import winning
from payouts.winning import Grade

from ..models import Round, Session
from .wording import WORDING

HOURS, STEP_MINUTES = 8, 15
"""How much of a shift is shown, in whole hours and the one that runs, and in which steps."""
STEP = dt.timedelta(minutes=STEP_MINUTES)
STEPS = HOURS * 60 // STEP_MINUTES
# No movement into the float or out of it.
POT_GAMES = frozenset(code for code, game in registry.GAMES.items() if game.bank == "pot")
# A table never deals more rounds an hour.
MOST_AN_HOUR = 300


class State(StrEnum):
    """How a table stands; the name of a state says nothing of people."""

    CLOSED = "closed"
    OPENING = "opening"
    IDLE = "idle"
    PLAYING = "playing"
    SETTLING = "settling"
    HELD = "held"
    CLOSING = "closing"


class Spell(NamedTuple):
    """A state from a moment on, to a moment: None, it still stands."""

    state: State
    begun: dt.datetime
    ended: dt.datetime | None


class Day(NamedTuple):
    """What a table won on the gaming day of its newest session: `units` sums the sessions whose win is known, None if
    none is; `grade` is the worst of all. `sessions` lists each session's win, the newest last, with its id."""

    units: int | None
    grade: Grade
    sessions: list[tuple[int, winning.Win]]


class Place(NamedTuple):
    """A table as it stands now.

    `dealer` and `relief`, who is asked to take it over, are a number and a name; `win` is that of the newest session,
    `day` that of its gaming day. A round that is `voidable` is in play. `pace` are the rounds of the last hour, `wins`
    and `paces` one number for each step of the shift that has begun: the rounds' net until its end, and the rounds that
    were opened in it. A void round counts in no number of rounds, and one from paper when it was played, as for the
    alarm of the pace.
    `slips`, `disputes` and `cases` are rows of what is under way at the table. Amounts are units; `float_units` is None
    while nobody plays or somebody counts, which is done blind.
    """

    id: int
    name: str
    pit_id: int
    pit: str
    game: str
    state: State
    session_id: int | None
    dealer: tuple[int, str] | None
    dealer_since: dt.datetime | None
    relief: tuple[int, str] | None
    round_id: int | None
    round_number: int
    round_since: dt.datetime | None
    voidable: bool
    boxes: int
    pace: int
    is_pot: bool
    win: winning.Win
    day: Day
    rake: int
    float_units: int | None
    opener: int
    slips: list[dict[str, Any]]
    disputes: list[dict[str, Any]]
    cases: list[dict[str, Any]]
    spells: list[Spell]
    wins: list[int]
    paces: list[int]

    @property
    def is_open(self):
        """Whether the books agree with the chips on the table: nobody is counting them now."""
        return self.float_units is not None

    def is_low(self, percent):
        """Whether less than this part of its opener is left in its float."""
        return self.is_open and self.float_units * 100 < self.opener * percent


class Floor(NamedTuple):
    """Tables by their pits, and the shift shown for them."""

    now: dt.datetime
    since: dt.datetime
    places: list[Place]


_WITHIN = """
within AS MATERIALIZED (
    SELECT t.id, t.code, t.name, t.pit_id, p.code AS pit_code, p.name AS pit, t.last_number, t.float_account_id,
        t.rake_account_id, s.id AS session_id, s.status, s.opened_at, s.begun_at, s.stopped_at, s.closed_at,
        s.business_date,
        ARRAY['session:' || s.id]
            || ARRAY(SELECT 'slip:' || id FROM tables_slip WHERE session_id = s.id)
            || ARRAY(SELECT 'drop_box:' || id FROM tables_dropbox WHERE session_id = s.id) AS subjects
    FROM tables_table t JOIN tables_pit p ON p.id = t.pit_id
    LEFT JOIN LATERAL (SELECT * FROM tables_session WHERE table_id = t.id ORDER BY id DESC LIMIT 1) s ON true
    WHERE %(everywhere)s OR t.pit_id = ANY (%(pits)s) OR t.id = ANY (%(tables)s)
)"""
# `firsts` are the smallest settlements of a step and all after it. For a round that was corrected or voided, its first
# settlement counts, so that the end of a step does not move.
_NOW = f"""
WITH {_WITHIN},
edges AS (
    SELECT now() AS at, first AS since,
        ARRAY(SELECT first + n * make_interval(mins => {STEP_MINUTES}) FROM generate_series(0, {STEPS - 1}) n) AS steps
    FROM (SELECT date_trunc('hour', now()) - make_interval(hours => {HOURS - 1}) AS first) f
),
played AS MATERIALIZED (
    SELECT w.id AS table_id, r.id, r.status,
        CASE WHEN r.status = 'VOIDED' OR EXISTS (SELECT FROM tables_line WHERE round_id = r.id AND ordinal = 2)
            THEN (SELECT min(id) FROM payouts_settlement WHERE round_key = 'round:' || r.id) ELSE r.settlement_id
        END AS settlement_id,
        width_bucket(coalesce(r.happened_at, r.opened_at), e.steps) AS opened_in,
        width_bucket(r.settled_at, e.steps) AS settled_in
    FROM within w JOIN edges e ON true JOIN tables_session s ON s.table_id = w.id
        AND (s.closed_at IS NULL OR s.closed_at > e.since)
    JOIN tables_round r ON r.session_id = s.id AND r.opened_at > e.since
),
paces AS (
    SELECT table_id, json_agg(json_build_array(opened_in, many)) AS steps FROM
        (SELECT table_id, opened_in, count(*) AS many FROM played WHERE status <> 'VOIDED' GROUP BY 1, 2) c GROUP BY 1
),
holds AS (
    SELECT p.table_id, json_agg(json_build_array(i.at, (SELECT min(at) FROM tables_intervention
        WHERE round_id = i.round_id AND ordinal > i.ordinal AND kind IN ('released', 'voided'))) ORDER BY i.at) AS spans
    FROM played p JOIN tables_intervention i ON i.round_id = p.id AND i.kind = 'held' GROUP BY 1
),
firsts AS (
    SELECT ARRAY(
        SELECT coalesce(min(min(p.settlement_id)) OVER (ORDER BY n DESC), 9223372036854775807)
        FROM generate_series(1, {STEPS}) n LEFT JOIN played p ON p.settled_in = n
        GROUP BY n ORDER BY n
    ) AS settlements
),
moved AS (
    SELECT w.id, coalesce(json_agg(json_build_array(m.kind, d.kind, c.kind, x.units, x.id)
        ORDER BY x.id) FILTER (WHERE x.id IS NOT NULL), '[]') AS moves,
        min(x.id) FILTER (WHERE m.kind = 'opener') AS opener_id
    FROM within w JOIN payouts_movement m ON m.subject = ANY (w.subjects)
    JOIN payouts_transfer x ON x.movement_id = m.id
    JOIN payouts_account d ON d.id = x.debit_id JOIN payouts_account c ON c.id = x.credit_id GROUP BY w.id
),
earlier AS (
    SELECT w.id, json_agg(json_build_array(s.id,
        (SELECT json_agg(number ORDER BY id) FROM tables_dropbox WHERE session_id = s.id AND status <> 'COUNTED'),
        (SELECT json_agg(json_build_array(m.kind, x.units)) FROM payouts_movement m
            JOIN payouts_transfer x ON x.movement_id = m.id
            WHERE m.subject = ANY (ARRAY['session:' || s.id]
                || ARRAY(SELECT 'slip:' || id FROM tables_slip WHERE session_id = s.id)
                || ARRAY(SELECT 'drop_box:' || id FROM tables_dropbox WHERE session_id = s.id)))
        ) ORDER BY s.id) AS sessions
    FROM within w JOIN tables_session s ON s.table_id = w.id AND s.business_date = w.business_date
        AND s.id < w.session_id AND s.opened_at IS NOT NULL GROUP BY w.id
),
lying AS MATERIALIZED (
    SELECT w.id, a.of_rake, a.account, coalesce(k.upto_id, 0) AS upto, coalesce(k.units, 0) AS units,
        coalesce(o.opener_id, k.upto_id, 0) AS opener_id
    FROM within w LEFT JOIN moved o ON o.id = w.id
    CROSS JOIN LATERAL (VALUES (false, w.float_account_id), (true, w.rake_account_id)) a(of_rake, account)
    LEFT JOIN LATERAL (SELECT upto_id, units FROM payouts_snapshot WHERE account_id = a.account
        ORDER BY upto_id DESC LIMIT 1) k ON true
    WHERE w.status = 'OPEN'
),
flows AS (
    SELECT l.id, l.of_rake, x.units, x.settlement_id, x.id > l.opener_id AS of_session
    FROM lying l JOIN payouts_transfer x ON x.debit_id = l.account AND x.id > l.upto
    UNION ALL
    SELECT l.id, l.of_rake, -x.units, x.settlement_id, x.id > l.opener_id
    FROM lying l JOIN payouts_transfer x ON x.credit_id = l.account AND x.id > l.upto
),
steps AS (
    SELECT id, of_rake, width_bucket(settlement_id, f.settlements) AS step, sum(units)::bigint AS units,
        coalesce(sum(units) FILTER (WHERE of_session AND settlement_id IS NOT NULL), 0)::bigint AS won
    FROM flows CROSS JOIN firsts f GROUP BY 1, 2, 3
),
sums AS (
    SELECT id, sum(units) FILTER (WHERE NOT of_rake)::bigint AS moved,
        sum(won) FILTER (WHERE NOT of_rake)::bigint AS won, sum(won) FILTER (WHERE of_rake)::bigint AS raked,
        json_agg(json_build_array(step, won)) FILTER (WHERE step IS NOT NULL AND won <> 0 AND NOT of_rake) AS wins
    FROM steps GROUP BY id
)
SELECT w.id, w.name, w.pit_id, w.pit, w.session_id, w.status, w.opened_at, w.begun_at, w.stopped_at, w.closed_at,
    e.at, e.since, o.staff_id, st.name, o.signed_on_at, f.staff_id, fs.name,
    r.id, coalesce(r.number, 0), r.status, r.session_id, r.opened_at, r.closed_at,
    coalesce(r.settled_at, (SELECT max(at) FROM tables_intervention WHERE round_id = r.id AND kind = 'voided')),
    r.held_at,
    (SELECT count(*) FROM tables_box WHERE round_id = r.id AND r.status = 'OPEN'),
    (SELECT count(*) FROM tables_round WHERE table_id = w.id AND number > w.last_number - {MOST_AN_HOUR}
        AND status <> 'VOIDED' AND coalesce(happened_at, opened_at) > e.at - interval '1 hour'),
    coalesce((SELECT game FROM tables_rulesheet WHERE id = r.sheet_id AND r.status IN ('OPEN', 'CLOSED')),
        (SELECT h.game FROM tables_inforce i JOIN tables_rulesheet h ON h.id = i.sheet_id
         WHERE i.table_id = w.id AND i.withdrawn_at IS NULL AND i.from_at <= e.at
         ORDER BY i.from_at DESC, i.id DESC LIMIT 1)),
    m.moves, coalesce(l.units, 0) + coalesce(u.moved, 0), coalesce(u.won, 0), coalesce(u.raked, 0),
    coalesce(u.wins, '[]'),
    c.steps,
    (SELECT json_agg(json_build_array(number) ORDER BY id) FROM tables_dropbox
        WHERE session_id = w.session_id AND status <> 'COUNTED'),
    (SELECT json_agg(json_build_object('id', id, 'kind', kind, 'year', year, 'number', number, 'status', status,
        'units', units, 'requested_at', requested_at, 'issued_at', issued_at) ORDER BY id) FROM tables_slip
        WHERE table_id = w.id AND status IN ('REQUESTED', 'ISSUED')),
    (SELECT json_agg(json_build_object('id', d.id, 'round', x.number, 'boxes', d.boxes, 'about', d.about,
        'statement', left(d.statement, 161), 'status', d.status, 'raised_at', d.raised_at) ORDER BY d.id)
        FROM tables_dispute d JOIN tables_round x ON x.id = d.round_id
        WHERE x.table_id = w.id AND d.status <> 'CLOSED'),
    (SELECT json_agg(json_build_object('id', id, 'kind', kind, 'year', year, 'number', number, 'units', units,
        'due_at', due_at) ORDER BY due_at, id) FROM tables_case WHERE table_id = w.id AND status = 'OPEN'),
    (SELECT json_agg(json_build_array(coalesce(begun_at, opened_at), opened_at, stopped_at, closed_at,
        carried_from_id) ORDER BY id)
        FROM tables_session WHERE table_id = w.id AND (closed_at IS NULL OR closed_at > e.since)),
    h.spans, b.sessions
FROM within w CROSS JOIN edges e
LEFT JOIN tables_signon o ON o.table_id = w.id AND o.signed_off_at IS NULL
LEFT JOIN casino_staff st ON st.id = o.staff_id
LEFT JOIN tables_relief f ON f.table_id = w.id AND f.ended_at IS NULL
LEFT JOIN casino_staff fs ON fs.id = f.staff_id
LEFT JOIN tables_round r ON r.table_id = w.id AND r.number = w.last_number
LEFT JOIN moved m ON m.id = w.id
LEFT JOIN lying l ON l.id = w.id AND NOT l.of_rake
LEFT JOIN sums u ON u.id = w.id
LEFT JOIN paces c ON c.table_id = w.id
LEFT JOIN holds h ON h.table_id = w.id
LEFT JOIN earlier b ON b.id = w.id
ORDER BY w.pit_code, w.code
"""  # noqa: S608 - literals and numbers of this module


def now(extent):
    """The floor as it stands, by the database's clock: one statement.

    :param extent: an `access.Extent`, the tables that are shown.
    """
    with connection.cursor() as cursor:
        cursor.execute(_NOW, extent._asdict())
        rows = cursor.fetchall()
    if not rows:
        at = timezone.now()
        return Floor(at, at.replace(minute=0, second=0, microsecond=0) - dt.timedelta(hours=HOURS - 1), [])
    return Floor(rows[0][10], rows[0][11], [_place(row) for row in rows])


def _place(row):
    number, name, pit_id, pit, session, status, opened_at, begun_at, stopped_at, closed_at, at, since = row[:12]
    dealer, dealer_name, dealer_since, relief, relief_name = row[12:17]
    round_, round_number, round_status, of_session, round_opened, round_closed, round_over, held_at = row[17:25]
    boxes, pace, game, moves, lies, won, raked, wins, paces, waiting, slips, disputes, cases = row[25:38]
    sessions, holds, earlier = row[38:]
    of_now = of_session == session
    state = _state(status, round_status if of_now else None, held_at if of_now else None)
    is_pot = game in POT_GAMES
    plays = status == Session.Status.OPEN
    moves, waiting = moves or [], [box for (box,) in waiting or []]
    kinds = [(kind, units) for kind, _, _, units, _ in moves]
    win = _win(status, kinds, waiting, won, is_pot=is_pot)
    since_when = {
        State.PLAYING: round_opened,
        State.SETTLING: round_closed,
        State.HELD: held_at,
        State.IDLE: (round_over if of_now else None) or opened_at,
        State.OPENING: begun_at,
        State.CLOSING: stopped_at,
        State.CLOSED: closed_at,
    }
    return Place(
        id=number,
        name=name,
        pit_id=pit_id,
        pit=pit,
        game=game or "",
        state=state,
        session_id=session,
        dealer=dealer and (dealer, dealer_name),
        dealer_since=dealer_since,
        relief=relief and (relief, relief_name),
        round_id=round_ if of_now else None,
        round_number=round_number,
        round_since=since_when[state],
        voidable=of_now and round_status == Round.Status.OPEN,
        boxes=boxes,
        pace=pace,
        is_pot=is_pot,
        win=win,
        day=_day(session, win, earlier or []),
        rake=raked,
        float_units=lies if plays else None,
        opener=sum(units for kind, _, _, units, _ in moves if kind == "opener"),
        slips=_times(slips, "requested_at", "issued_at"),
        disputes=_times(disputes, "raised_at"),
        cases=_times(cases, "due_at"),
        spells=_spells(sessions or [], holds or [], since, at),
        wins=_summed(wins, won, (at - since) // STEP + 1),
        paces=_counted(paces or [], (at - since) // STEP + 1),
    )


def _state(status, round_status, held_at):
    if status == Session.Status.OPENING:
        return State.OPENING
    if status == Session.Status.CLOSING:
        return State.CLOSING
    if status != Session.Status.OPEN:
        return State.CLOSED
    if held_at:
        return State.HELD
    if round_status == Round.Status.OPEN:
        return State.PLAYING
    return State.SETTLING if round_status == Round.Status.CLOSED else State.IDLE


def _win(status, moves, waiting, won, *, is_pot):
    """What the newest session won: final once all is counted, until then the rounds' net; or why there is none."""
    if status is None:
        return winning.Win(None, Grade.ESTIMATE, WORDING("no_session"))
    if status == Session.Status.OPENING:
        return winning.Win(None, Grade.ESTIMATE, WORDING("opener_counting"))
    if status == Session.Status.CLOSING:
        return winning.Win(None, Grade.ESTIMATE, WORDING("closer_counting"))
    if status == Session.Status.OPEN:
        if is_pot:
            return winning.Win(None, Grade.ESTIMATE, WORDING("pot_game"))
        return winning.Win(won, Grade.ESTIMATE, WORDING("rounds_net"))
    return _counted_win(moves, waiting)


def _day(session, win, earlier):
    """The day of the newest session: what it won, and what the sessions of its day won that were closed before it."""
    sessions = [(number, _counted_win(moves or [], waiting or [])) for number, waiting, moves in earlier]
    sessions += [(session, win)] if session else []
    together = winning.together(won for _, won in sessions)
    return Day(together.units, together.grade, sessions)


def _counted_win(moves, waiting):
    """What a closed session won, by its chips."""
    if waiting:
        return winning.Win(None, Grade.ESTIMATE, WORDING("drop_box_uncounted:number", drop_box=waiting[0]))
    of = dict.fromkeys(("opener", "fill", "credit", "credit_returned", "drop", "closer"), 0)
    for kind, units in moves:
        if kind in of:
            of[kind] += units
    credits = of["credit"] - of["credit_returned"]
    return winning.win(winning.Chips(of["opener"], of["fill"], credits, of["drop"], of["closer"]))


def _times(rows, *names):
    """Rows of JSON with their moments parsed."""
    return [row | {name: row[name] and dt.datetime.fromisoformat(row[name]) for name in names} for row in rows or []]


def _summed(wins, won, begun):
    """The net at the end of each step, including what was won before the first."""
    of_step = dict(wins)
    before = won - sum(units for step, units in wins if step >= 1)
    net = []
    for step in range(1, begun + 1):
        before += of_step.get(step, 0)
        net.append(before)
    return net


def _counted(paces, begun):
    of_step = dict(paces)
    return [of_step.get(step, 0) for step in range(1, begun + 1)]


def _spells(sessions, holds, since, now):
    """How the table stood over the shift, without a gap; times between two rounds are not set apart."""
    changes = [(since, State.CLOSED)]
    for *moments, carried_from in sessions:
        begun, opened, stopped, closed = map(_moment, moments)
        if carried_from and changes[-1][1] == State.CLOSED:
            # The table went on with the same chips: nobody closed or opened it.
            changes[-1] = changes[-1][0], State.IDLE
        else:
            changes.append((begun, State.OPENING))
        if opened:
            changes.append((opened, State.IDLE))
        if stopped and opened:
            changes.append((stopped, State.CLOSING))
        if closed:
            changes.append((closed, State.CLOSED))
    for begun, ended in (map(_moment, each) for each in holds):
        changes.append((begun, State.HELD))
        if ended:
            changes.append((ended, State.IDLE))
    changes.sort(key=lambda change: change[0])
    spells = []
    for place, (begun, state) in enumerate(changes):
        ended = changes[place + 1][0] if place + 1 < len(changes) else None
        if ended is not None and ended <= max(begun, since):
            continue
        if spells and spells[-1].state == state:
            spells[-1] = spells[-1]._replace(ended=ended)
        else:
            spells.append(Spell(state, max(begun, since), ended))
    return spells


def _moment(text):
    return text and dt.datetime.fromisoformat(text)


# Values that differ whenever a tile does: only numbers and states.
_DIGESTS = f"""
WITH {_WITHIN}
SELECT w.id, hashtextextended(concat_ws('|', w.session_id, w.status, o.id, f.id, r.id, r.status,
    r.held_at, r.settlement_id,
    (SELECT count(*) FROM tables_box WHERE round_id = r.id AND r.status = 'OPEN'),
    (SELECT string_agg(concat(id, status), ',' ORDER BY id) FROM tables_slip
        WHERE table_id = w.id AND status IN ('REQUESTED', 'ISSUED')),
    (SELECT string_agg(concat(d.id, d.status), ',' ORDER BY d.id) FROM tables_dispute d
        JOIN tables_round x ON x.id = d.round_id WHERE x.table_id = w.id AND d.status <> 'CLOSED'),
    (SELECT string_agg(concat(id, due_at), ',' ORDER BY id) FROM tables_case WHERE table_id = w.id AND status = 'OPEN'),
    (SELECT max(id) FROM payouts_movement WHERE subject = ANY (w.subjects)),
    (SELECT string_agg(concat(b.id, b.status), ',' ORDER BY b.id) FROM tables_dropbox b
        JOIN tables_session s ON s.id = b.session_id WHERE s.table_id = w.id AND s.business_date = w.business_date)
    ), 0)
FROM within w
LEFT JOIN tables_signon o ON o.table_id = w.id AND o.signed_off_at IS NULL
LEFT JOIN tables_relief f ON f.table_id = w.id AND f.ended_at IS NULL
LEFT JOIN tables_round r ON r.table_id = w.id AND r.number = w.last_number
ORDER BY w.id
"""  # noqa: S608 - literals of this module


def digests(extent):
    """A value for each table within an `access.Extent` by its id, which differs when what its tile shows does."""
    with connection.cursor() as cursor:
        cursor.execute(_DIGESTS, extent._asdict())
        return dict(cursor.fetchall())
