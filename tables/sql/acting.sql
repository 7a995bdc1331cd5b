-- What happens in a round, in two calls: what a command locks, in the one order for all, and what it writes. They run as
-- their caller, so each guard asks for the caller's rights.

-- Each in a statement of its own: one that waited for a lock would see what lies behind it as it was before it waited.
-- The chain is the last lock of all: whoever goes on to lock other rounds leaves it.
CREATE OR REPLACE FUNCTION lock_round(asked bigint, everywhere boolean, pits bigint[], places bigint[],
    chained boolean) RETURNS TABLE (place bigint, seq bigint, head text, at timestamptz)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    SELECT t.id FROM tables_round r JOIN tables_table t ON t.id = r.table_id
    WHERE r.id = asked AND (everywhere OR t.pit_id = ANY (pits) OR t.id = ANY (places)) INTO place;
    -- What comes in this transaction asks by keys: a plan made once is as good as one made for each.
    PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
    PERFORM FROM tables_table WHERE id = place FOR NO KEY UPDATE;
    PERFORM FROM tables_round WHERE id = asked AND table_id = place FOR NO KEY UPDATE;
    IF chained THEN
        SELECT c.seq, c.head, c.at FROM audit_chain c WHERE c.key = 'table:' || place FOR NO KEY UPDATE
        INTO seq, head, at;
        at := greatest(at, clock_timestamp());
    END IF;
    RETURN NEXT;
END $$;
COMMENT ON FUNCTION lock_round(bigint, boolean, bigint[], bigint[], boolean) IS
    'Locks a round within reach and its table before it; where asked the table''s chain after it; gives'
    ' the table and the head of the chain.';

-- An action with the rows for queries that it changes, and its entry in the log. Of boxes, hands and wagers `gone` go,
-- and `come` come.
CREATE OR REPLACE FUNCTION write_action(round bigint, action json, gone json, come json, chain text, first bigint,
    bodies json, head text, at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    moment timestamptz;
BEGIN
    INSERT INTO tables_action (round_id, ordinal, phase, kind, box, arguments, by_id, approved_by_id, terminal_id, undoes)
    SELECT round, a.ordinal, a.phase, a.kind, a.box, a.arguments, a.by, a.approved_by, a.terminal, a.undoes
    FROM json_to_record(action) AS a(ordinal int, phase text, kind text, box smallint, arguments jsonb, by bigint,
        approved_by bigint, terminal bigint, undoes int)
    RETURNING tables_action.at INTO moment;
    IF come ->> 'phase' IS NOT NULL THEN
        UPDATE tables_round SET phase = come ->> 'phase' WHERE id = round;
    END IF;
    DELETE FROM tables_box b USING json_to_recordset(gone -> 'boxes') AS g(number smallint)
    WHERE b.round_id = round AND b.number = g.number;
    DELETE FROM tables_hand h USING json_to_recordset(gone -> 'hands') AS g(box smallint, kind text)
    WHERE h.round_id = round AND h.kind = g.kind AND h.box IS NOT DISTINCT FROM g.box;
    DELETE FROM tables_wager w USING json_to_recordset(gone -> 'wagers') AS g(ordinal smallint)
    WHERE w.round_id = round AND w.ordinal = g.ordinal;
    INSERT INTO tables_box (round_id, number, state)
    SELECT round, c.number, c.state FROM json_to_recordset(come -> 'boxes') AS c(number smallint, state text);
    INSERT INTO tables_hand (round_id, box, kind, cards)
    SELECT round, c.box, c.kind, c.cards
    FROM json_to_recordset(come -> 'hands') AS c(box smallint, kind text, cards text[]);
    INSERT INTO tables_wager (round_id, ordinal, box, kind, units)
    SELECT round, c.ordinal, c.box, c.kind, c.units
    FROM json_to_recordset(come -> 'wagers') AS c(ordinal smallint, box smallint, kind text, units bigint);
    PERFORM append_entries(chain, first, bodies, head, at);
    RETURN moment;
END $$;
COMMENT ON FUNCTION write_action(bigint, json, json, json, text, bigint, json, text, timestamptz) IS
    'Writes an action with the rows for queries and its entry in the log, and gives its time.';
