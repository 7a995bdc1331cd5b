"""Why alarms have to stand: one query for each kind over the rows as they are, all of them in one statement.

Each row found is a reason; a reason no longer found is over. Nothing is kept between two looks, so no crash loses a
reason. Limits are settings of the house. Pace, float and rates add up what a session did; these kinds, `SLOW`, are
looked at less often than what a person waits for. The age of a seal stands in the log as text that nobody vouches for,
so Python reads it.
"""

from typing import NamedTuple

from django.conf import settings
from django.db import connection

from audit import status
from casino import settings_of_house

from ..models import Alarm
from . import dealing

KIND = Alarm.Kind


class Reason(NamedTuple):
    """What an alarm is raised for: its kind, its subject and the table, if any, with what was measured and the limit,
    if there is one."""

    kind: str
    subject: str
    table_id: int | None
    value: int | None
    bound: int | None

    @property
    def key(self):
        return self.kind, self.subject


# Kind to the query of (kind, subject, table, value, limit).
_QUERIES = {
    KIND.SLIP_LATE: """
        SELECT 'slip_late', 'slip:' || id, table_id,
            floor(extract(epoch FROM now() - issued_at) / 60)::bigint, %(slip_minutes)s
        FROM tables_slip WHERE status = 'ISSUED' AND issued_at <= now() - make_interval(mins => %(slip_minutes)s)
    """,
    KIND.CASE_LATE: """
        SELECT 'case_late', 'case:' || id, table_id, floor(extract(epoch FROM now() - opened_at) / 60)::bigint,
            floor(extract(epoch FROM due_at - opened_at) / 60)::bigint
        FROM tables_case WHERE status = 'OPEN' AND due_at <= now()
    """,
    KIND.DROP_BOX_OVERDUE: """
        SELECT 'drop_box_overdue', 'drop_box:' || id, table_id,
            floor(extract(epoch FROM now() - removed_at) / 3600)::bigint, %(drop_box_hours)s
        FROM tables_dropbox
        WHERE status = 'REMOVED' AND removed_at <= now() - make_interval(hours => %(drop_box_hours)s)
    """,
    KIND.ROUND_HELD: """
        SELECT 'round_held', 'round:' || id, table_id,
            NULL::bigint, NULL::bigint FROM tables_round WHERE held_at IS NOT NULL
    """,
    KIND.ROUND_LONG: """
        SELECT 'round_long', 'round:' || id, table_id,
            floor(extract(epoch FROM now() - opened_at) / 60)::bigint, %(round_minutes)s
        FROM tables_round
        WHERE status = 'OPEN' AND held_at IS NULL AND opened_at <= now() - make_interval(mins => %(round_minutes)s)
    """,
    # A worker that lags leaves many rounds of a table behind: they make one alarm.
    KIND.SETTLEMENT_LATE: """
        SELECT 'settlement_late', 'table:' || table_id, table_id,
            floor(extract(epoch FROM now() - min(greatest(closed_at, released.at))))::bigint, %(settlement_seconds)s
        FROM tables_round LEFT JOIN LATERAL (
            SELECT max(at) AS at FROM tables_intervention WHERE round_id = tables_round.id AND kind = 'released'
        ) released ON true
        WHERE status = 'CLOSED' AND held_at IS NULL
            AND greatest(closed_at, released.at) < now() - make_interval(secs => %(settlement_seconds)s)
        GROUP BY table_id
    """,
    KIND.SETTLEMENT_RETRIED: """
        SELECT 'settlement_retried', 'round:' || id, table_id, failures, %(settlement_tries)s
        FROM tables_round WHERE status = 'CLOSED' AND held_at IS NULL AND failures > %(settlement_tries)s
    """,
    # Rounds are numbered as they are opened: those of the last hour are the last ones, and looking at twice the limit
    # is enough. A round from paper was played earlier.
    KIND.PACE: """
        SELECT 'pace', 'session:' || s.id, s.table_id, played.rounds,
            CASE WHEN played.rounds < %(pace_least)s THEN %(pace_least)s ELSE %(pace_most)s END
        FROM tables_session s JOIN tables_table t ON t.id = s.table_id CROSS JOIN LATERAL (
            SELECT count(*) AS rounds FROM tables_round
            WHERE table_id = t.id AND number > t.last_number - 2 * (%(pace_most)s + 1) AND status <> 'VOIDED'
                AND coalesce(happened_at, opened_at) > now() - interval '1 hour'
        ) played
        WHERE s.status = 'OPEN' AND s.opened_at <= now() - interval '1 hour'
            AND NOT EXISTS (SELECT FROM tables_round WHERE table_id = s.table_id AND held_at IS NOT NULL)
            AND NOT played.rounds BETWEEN %(pace_least)s AND %(pace_most)s
    """,
    KIND.FLOAT_LOW: """
        SELECT 'float_low', 'session:' || s.id, s.table_id,
            floor(units_left * 100.0 / opener.units)::bigint, %(float_low_percent)s
        FROM tables_session s JOIN tables_table t ON t.id = s.table_id
        JOIN payouts_movement m ON m.subject = 'session:' || s.id AND m.kind = 'opener'
        JOIN payouts_transfer opener ON opener.movement_id = m.id
        CROSS JOIN LATERAL (SELECT account_balance(t.float_account_id) AS units_left) held
        WHERE s.status = 'OPEN' AND opener.units > 0 AND units_left * 100.0 < opener.units * %(float_low_percent)s
    """,
    KIND.VOID_RATE: """
        SELECT 'void_rate', 'session:' || s.id, s.table_id,
            ceil(voided * 100.0 / settled)::bigint, %(void_rate_percent)s
        FROM tables_session s CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE status = 'SETTLED') AS settled,
                count(*) FILTER (WHERE status = 'VOIDED') AS voided
            FROM tables_round WHERE session_id = s.id
        ) ended
        WHERE s.status = 'OPEN' AND settled >= %(rate_rounds)s AND voided * 100 > settled * %(void_rate_percent)s
    """,
    KIND.CORRECTION_RATE: """
        SELECT 'correction_rate', 'session:' || s.id, s.table_id,
            ceil(corrections * 100.0 / settled)::bigint, %(correction_rate_percent)s
        FROM tables_session s CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE status = 'SETTLED') AS settled,
                count(*) FILTER (WHERE status = 'VOIDED') AS voided
            FROM tables_round WHERE session_id = s.id
        ) ended CROSS JOIN LATERAL (
            SELECT count(*) AS corrections FROM tables_round r JOIN tables_intervention i ON i.round_id = r.id
            WHERE r.session_id = s.id AND i.kind = 'corrected'
        ) made
        WHERE s.status = 'OPEN' AND settled >= %(rate_rounds)s
            AND corrections * 100 > settled * %(correction_rate_percent)s
    """,
    KIND.BREAK_DUE: f"""
        SELECT 'break_due', 'staff:' || o.staff_id, o.table_id,
            floor(extract(epoch FROM now() - stint.begun) / 60)::bigint, %(break_due_minutes)s
        FROM tables_signon o CROSS JOIN LATERAL ({dealing.STINT}) stint(begun)
        WHERE o.signed_off_at IS NULL AND stint.begun <= now() - make_interval(mins => %(break_due_minutes)s)
    """,  # noqa: S608 - a literal of this package
    # Once for each of a table's years: the purse stays at its highest. The subject is the first day of the year as it
    # was when the alarm was first raised. Whoever took it has answered for it.
    KIND.LUCK: """
        SELECT 'luck', 'luck_day:' || began, table_id, greatest(%(luck_once_in)s,
            floor(exp(least(highest, 20723265836) / 1000000000.0)))::bigint, %(luck_once_in)s
        FROM (
            SELECT table_id, highest, coalesce((
                SELECT day.id FROM tables_alarm raised JOIN tables_luckday day ON raised.subject = 'luck_day:' || day.id
                WHERE raised.kind = 'luck' AND day.table_id = known.table_id
                    AND date_trunc('year', day.business_date) = known.year
                ORDER BY raised.id LIMIT 1
            ), first) AS began
            FROM (
                SELECT table_id, date_trunc('year', business_date) AS year, max(highest) AS highest,
                    (array_agg(id ORDER BY business_date))[1] AS first
                FROM tables_luckday
                WHERE table_id IS NOT NULL AND rounds > 0
                    AND business_date >= date_trunc('year', now() - interval '1 year')::date
                GROUP BY table_id, date_trunc('year', business_date)
            ) known
        ) purse
        WHERE highest >= ceil(ln(%(luck_once_in)s::numeric) * 1000000000) AND NOT EXISTS (
            SELECT FROM tables_alarm
            WHERE kind = 'luck' AND subject = 'luck_day:' || began AND taken_at IS NOT NULL)
        -- While its chips are counted blind none is raised: it would say what there is to count. One that stands stays.
        AND (NOT EXISTS (
            SELECT FROM tables_session WHERE table_id = purse.table_id AND status IN ('OPENING', 'CLOSING'))
            OR EXISTS (SELECT FROM tables_alarm WHERE kind = 'luck' AND subject = 'luck_day:' || began))
    """,
    KIND.LOG_DAMAGED: """
        SELECT 'log_damaged', 'inspection:' || inspection_id, NULL::bigint, count(*), NULL::bigint
        FROM audit_finding WHERE accepted_at IS NULL GROUP BY inspection_id
    """,
    KIND.LOCK_OUT: """
        SELECT 'lock_out', username, NULL::bigint, max(failures_since_start), %(lockout_failures)s
        FROM axes_accessattempt
        WHERE username LIKE 'staff:%%' AND failures_since_start >= %(lockout_failures)s
            AND attempt_time > now() - %(lockout_lasts)s
        GROUP BY username
    """,
}
SLOW = (KIND.PACE, KIND.FLOAT_LOW, KIND.VOID_RATE, KIND.CORRECTION_RATE, KIND.BREAK_DUE, KIND.LUCK)
OF_HOUSE = (KIND.LOG_DAMAGED, KIND.LOCK_OUT, KIND.SEAL_LATE)
"""Those of no table: they stand in the house's chain."""
MEASURED = (*_QUERIES, KIND.SEAL_LATE)
QUICK = tuple(kind for kind in MEASURED if kind not in SLOW)


def standing(kinds=MEASURED):
    """Why alarms of these kinds have to stand now, those of a table in the order of their subjects."""
    limits = settings_of_house.values()
    return [*_of_rows(kinds, limits), *(_of_seals(limits) if KIND.SEAL_LATE in kinds else ())]


def _of_rows(kinds, limits):
    queries = [query for kind, query in _QUERIES.items() if kind in kinds]
    if not queries:
        return []
    lock_out = {"lockout_failures": settings.AXES_FAILURE_LIMIT, "lockout_lasts": settings.AXES_COOLOFF_TIME}
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(queries), limits | lock_out)
        return sorted(
            (Reason(*row) for row in cursor.fetchall()), key=lambda reason: (reason.table_id or 0, reason.key)
        )


def _of_seals(limits):
    seconds, limit = status.unsealed_seconds(), limits["seal_seconds"]
    if seconds > limit:
        yield Reason(KIND.SEAL_LATE, "house", None, seconds, limit)
