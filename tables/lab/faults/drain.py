"""Settlement is offered twice what it manages for a while, with faults, and then left alone: it must finish.

Nobody can play that fast, so played rounds are copied, closed but not due yet, and made due at this rate.
"""

import time

from casino import bell

from .house import Failed

MEASURED = 1000
DRAINED_SECONDS = 90
# If several ring at the same moment, all may find room: beat, the croupiers, the worker's returned messages.
MOST_BELLS = bell.WAITING_AT_MOST + 8

# One after the other, since a table has only one open round and rounds begin open.
COPY = """
DO $$
DECLARE
    played record;
    made bigint;
BEGIN
    FOR played IN
        SELECT DISTINCT ON (r.table_id) r.*, running.id AS in_session, t.last_number,
            line.text, line.wagers, line.by_id AS closed_by_id
        FROM tables_round r
        JOIN tables_table t ON t.id = r.table_id
        JOIN tables_session running ON running.table_id = t.id AND running.status = 'OPEN'
        JOIN tables_line line ON line.round_id = r.id AND line.ordinal = 1
        WHERE r.status = 'SETTLED' ORDER BY r.table_id, r.id DESC
    LOOP
        FOR n IN 1 .. {each} LOOP
            UPDATE tables_table SET last_number = last_number + 1 WHERE id = played.table_id;
            INSERT INTO tables_round (table_id, session_id, series_id, sheet_id, number, status, phase, seats, carry,
                opened_by_id, leases, alone, failures)
            VALUES (played.table_id, played.in_session, played.series_id, played.sheet_id, played.last_number + n,
                'OPEN', played.phase, played.seats, played.carry, played.opened_by_id, 0, false, 0)
            RETURNING id INTO made;
            UPDATE tables_round SET status = 'CLOSED', closed_at = now(), next_at = now() + interval '1 day'
            WHERE id = made;
            INSERT INTO tables_line (round_id, ordinal, text, wagers, carry, by_id)
            VALUES (made, 1,
                regexp_replace(played.text, '"id":' || played.id || '([,}}])', '"id":' || made || '\\1'),
                played.wagers, played.carry, played.closed_by_id);
        END LOOP;
    END LOOP;
END $$
"""
KEPT_BACK = "SELECT count(*) FROM tables_round WHERE status = 'CLOSED' AND next_at > now() + interval '1 hour'"
RELEASE = """
UPDATE tables_round SET next_at = clock_timestamp() WHERE id IN (
    SELECT id FROM tables_round WHERE status = 'CLOSED' AND next_at > now() + interval '1 hour'
    ORDER BY number, id LIMIT %s)
"""


class Drained:
    """What a drain took."""

    rate = offered = 0
    worst = bells = 0
    seconds = 0.0


def drain(house, seconds, progress):
    """Offer this many seconds' work and wait for its end.

    :returns: a `Drained`.
    :raises Failed: if something is due 90 s after the last was offered, or if doorbells pile up.
    """
    drained = Drained()
    copied = _copy(house, MEASURED)
    began = time.monotonic()
    released = _release(house, copied)
    house.ring()
    house.wait(lambda: not _waiting(house), "measuring")
    drained.rate = max(1, int(released / (time.monotonic() - began)))

    drained.offered = _copy(house, 2 * drained.rate * seconds)
    strikes = [house.kill_children, house.kill_worker, _database(house), _broker(house), house.kill_children]
    released, struck, began = 0, 0, time.monotonic()
    while (passed := time.monotonic() - began) < seconds or released < drained.offered:
        wanted = min(drained.offered, int(2 * drained.rate * passed))
        if wanted > released:
            released += _release(house, wanted - released)
            if house.bells() < bell.WAITING_AT_MOST:
                house.ring()
        if struck < len(strikes) and passed > seconds * (struck + 1) / (len(strikes) + 1):
            strikes[struck]()
            struck += 1
        house.supervise()
        _look(house, drained)
        progress.show(released, drained.offered, f"{_waiting(house):,} due", f"twice {drained.rate} a second offered")
        time.sleep(0.1)
    left = time.monotonic()
    while _waiting(house):
        if time.monotonic() - left > DRAINED_SECONDS:
            raise Failed(f"{_waiting(house)} rounds are still due {DRAINED_SECONDS} s after the last was offered.")
        house.supervise()
        _look(house, drained)
        progress.show(released, drained.offered, f"{_waiting(house):,} due", "left alone")
        time.sleep(0.2)
    drained.seconds = time.monotonic() - left
    if drained.worst < drained.offered // 4:
        raise Failed(f"At most {drained.worst} rounds were due: not twice what the worker manages was offered.")
    if drained.bells > MOST_BELLS:
        raise Failed(f"{drained.bells} doorbells lay in the queue at once.")
    return drained


def _copy(house, count):
    """At least this many rounds that are closed and not due yet, equally many at each table that was played at; return
    how many."""
    with house.connect() as connection:
        (tables,) = connection.execute("SELECT count(DISTINCT table_id) FROM tables_round").fetchone()
        connection.execute(COPY.format(each=-(-count // tables)))
        return connection.execute(KEPT_BACK).fetchone()[0]


def _release(house, count):
    with house.connect() as connection:
        return connection.execute(RELEASE, [count]).rowcount


def _waiting(house):
    """How many rounds are due, leased or in a pause; not those that were not offered yet, nor held ones."""
    with house.connect() as connection:
        return connection.execute(
            "SELECT count(*) FROM tables_round"
            " WHERE status = 'CLOSED' AND held_at IS NULL AND next_at < now() + interval '1 hour'"
        ).fetchone()[0]


def _look(house, drained):
    drained.worst = max(drained.worst, _waiting(house))
    drained.bells = max(drained.bells, house.bells())


def _database(house):
    def kill():
        house.kill_database(group=True)
        house.trial.cluster.start()

    return kill


def _broker(house):
    def kill():
        house.trial.broker.process.kill()
        house.trial.broker.process.wait()
        house.trial.broker.start()

    return kill
