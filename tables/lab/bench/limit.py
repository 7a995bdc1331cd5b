"""The limit L of settlement: one call of a function in the database for each round, which writes the same rows.

All that settling works out is prepared: results, payments, transfers, and the entry except for its place in the chain.
What is left is the least that any settlement of one round per transaction must do.
"""

import json
import threading
import time

import psycopg
from django.db import connection

from audit import log
from payouts import ledger
from tables.models import Round
from tables.verbs import settling

CONNECTIONS = 8
SCHEMA = """
CREATE TABLE IF NOT EXISTS bench_ready (
    round_id bigint PRIMARY KEY, key text, round_key text, table_key text, line_ordinal int, sheet_digest text,
    business_date date, result text, payments jsonb, transfers jsonb, begins text, ends text
);
GRANT SELECT, INSERT, DELETE ON bench_ready TO PUBLIC;
CREATE OR REPLACE FUNCTION bench_settle(asked bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    ready record;
    head record;
    made bigint;
    said text;
BEGIN
    PERFORM FROM tables_round WHERE id = asked AND status = 'CLOSED' AND held_at IS NULL FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    SELECT * INTO ready FROM bench_ready WHERE round_id = asked;
    INSERT INTO payouts_settlement
        (key, round_key, table_key, generation, line_ordinal, sheet_digest, business_date, result)
    VALUES (ready.key, ready.round_key, ready.table_key, 1, ready.line_ordinal, ready.sheet_digest,
        ready.business_date, ready.result)
    RETURNING id INTO made;
    INSERT INTO payouts_payment
        (settlement_id, box, outcome, staked_units, returned_units, paid_units, net_units, clauses)
    SELECT made, box, outcome, staked, returned, paid, net, clauses
    FROM jsonb_to_recordset(ready.payments)
        AS p(box int, outcome text, staked bigint, returned bigint, paid bigint, net bigint, clauses text[]);
    INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date, reason)
    SELECT key, made, debit, credit, units, ready.business_date, reason
    FROM jsonb_to_recordset(ready.transfers) AS t(key text, debit bigint, credit bigint, units bigint, reason text);
    UPDATE tables_round SET status = 'SETTLED', settled_at = now(), settlement_id = made, next_at = NULL, leases = 0,
        alone = false WHERE id = asked;
    SELECT c.seq, c.head, greatest(c.at, clock_timestamp()) AS at INTO head
    FROM audit_chain c WHERE c.key = ready.table_key FOR NO KEY UPDATE;
    said := '{"at":"' || to_char(head.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '",' || ready.begins
        || ',"prev":"' || head.head || '","seq":' || head.seq + 1 || ',' || ready.ends || '}';
    INSERT INTO audit_entry (chain_id, seq, body) VALUES (ready.table_key, head.seq + 1, said);
    UPDATE audit_chain SET seq = head.seq + 1, head = encode(sha256(convert_to(said, 'UTF8')), 'hex'), at = head.at
    WHERE key = ready.table_key;
    PERFORM pg_notify('chain', ready.table_key || ' ' || head.seq + 1);
END $$;
"""


def prepare(round_ids):
    """Work out beforehand what each of these rounds comes to."""
    rows = [_ready(row) for row in settling.read(round_ids, Round.Status.CLOSED)]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM bench_ready")
        cursor.execute(
            "INSERT INTO bench_ready SELECT * FROM json_populate_recordset(NULL::bench_ready, %s)", [json.dumps(rows)]
        )


def _ready(row):
    settlement = settling.settlement_of(row, generation=1)
    _, addition = log.addition(settlement.table_key, [settling.record_of(row, settlement)])
    ((begins, ends),) = json.loads(addition)
    (header,), payments, transfers = map(json.loads, ledger.rows([settlement]))
    ready = {"payments": payments, "transfers": transfers, "begins": begins, "ends": ends}
    return {**header, **ready, "round_id": row.round_id}


def settle(url, batches):
    """Settle all rounds, over eight connections at once; the rounds of a table by one of them, which waits for nobody.

    :param batches: the rounds' ids, table by table.
    :returns: the seconds that it took.
    """
    left, lock = list(batches), threading.Lock()
    ready = threading.Barrier(CONNECTIONS + 1)

    def work():
        with psycopg.connect(url, autocommit=True) as own:
            ready.wait()
            while True:
                with lock:
                    rounds = left.pop() if left else None
                if rounds is None:
                    return
                for round_id in rounds:
                    own.execute("SELECT bench_settle(%s)", [round_id])

    threads = [threading.Thread(target=work) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    ready.wait()
    begun = time.perf_counter()
    for thread in threads:
        thread.join()
    return time.perf_counter() - begun
