-- What happens in a round: what a command locks, in the one order for all, and what it writes, in a call each. They run as
-- their caller, so each guard asks for the caller's rights.

-- Each in a statement of its own: one that waited for a lock would see what lies behind it as it was before it waited.
DROP FUNCTION IF EXISTS lock_round(bigint, boolean, bigint[], bigint[], boolean);
CREATE OR REPLACE FUNCTION lock_round(asked bigint, everywhere boolean, pits bigint[], places bigint[]) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    place bigint;
BEGIN
    SELECT t.id FROM tables_round r JOIN tables_table t ON t.id = r.table_id
    WHERE r.id = asked AND (everywhere OR t.pit_id = ANY (pits) OR t.id = ANY (places)) INTO place;
    -- What comes in this transaction asks by keys: a plan made once is as good as one made for each.
    PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
    PERFORM FROM tables_table WHERE id = place FOR NO KEY UPDATE;
    PERFORM FROM tables_round WHERE id = asked AND table_id = place FOR NO KEY UPDATE;
    RETURN FOUND;
END $$;
COMMENT ON FUNCTION lock_round(bigint, boolean, bigint[], bigint[]) IS
    'Locks a round within reach and its table before it, and says whether there is such a round.';

-- An action with the rows for queries that it changes, and its entry in the log. Of boxes, hands and wagers `gone` go,
-- and `come` come.
DROP FUNCTION IF EXISTS write_action(bigint, json, json, json, text, bigint, json, text, timestamptz);
CREATE OR REPLACE FUNCTION write_action(round bigint, action json, gone json, come json, chain text, told json)
RETURNS timestamptz
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
    -- What there is none of is not written: to begin a statement takes longer than to find that it has no rows.
    IF json_array_length(gone -> 'boxes') > 0 THEN
        DELETE FROM tables_box b USING json_to_recordset(gone -> 'boxes') AS g(number smallint)
        WHERE b.round_id = round AND b.number = g.number;
    END IF;
    IF json_array_length(gone -> 'hands') > 0 THEN
        DELETE FROM tables_hand h USING json_to_recordset(gone -> 'hands') AS g(box smallint, kind text)
        WHERE h.round_id = round AND h.kind = g.kind AND h.box IS NOT DISTINCT FROM g.box;
    END IF;
    IF json_array_length(gone -> 'wagers') > 0 THEN
        DELETE FROM tables_wager w USING json_to_recordset(gone -> 'wagers') AS g(ordinal smallint)
        WHERE w.round_id = round AND w.ordinal = g.ordinal;
    END IF;
    IF json_array_length(come -> 'boxes') > 0 THEN
        INSERT INTO tables_box (round_id, number, state)
        SELECT round, c.number, c.state FROM json_to_recordset(come -> 'boxes') AS c(number smallint, state text);
    END IF;
    IF json_array_length(come -> 'hands') > 0 THEN
        INSERT INTO tables_hand (round_id, box, kind, cards)
        SELECT round, c.box, c.kind, c.cards
        FROM json_to_recordset(come -> 'hands') AS c(box smallint, kind text, cards text[]);
    END IF;
    IF json_array_length(come -> 'wagers') > 0 THEN
        INSERT INTO tables_wager (round_id, ordinal, box, kind, units)
        SELECT round, c.ordinal, c.box, c.kind, c.units
        FROM json_to_recordset(come -> 'wagers') AS c(ordinal smallint, box smallint, kind text, units bigint);
    END IF;
    PERFORM append_entries(chain, told);
    RETURN moment;
END $$;
COMMENT ON FUNCTION write_action(bigint, json, json, json, text, json) IS
    'Writes an action with the rows for queries and its entry in the log, and gives its time.';

-- The end of a round: its first line, which is due for settlement, and its entry in the log.
DROP FUNCTION IF EXISTS write_closing(bigint, text, text, bigint, text, json);
CREATE OR REPLACE FUNCTION write_closing(
    round bigint, line text, wagers text, handed json, by bigint, chain text, told json)
RETURNS timestamptz
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    begun jsonb;
    moment timestamptz;
BEGIN
    UPDATE tables_round SET status = 'CLOSED', closed_at = statement_timestamp(), next_at = statement_timestamp()
    WHERE id = round RETURNING carry, closed_at INTO begun, moment;
    INSERT INTO tables_line (round_id, ordinal, text, wagers, carry, handed, by_id)
    VALUES (round, 1, line, wagers, begun, handed, by);
    PERFORM append_entries(chain, told);
    RETURN moment;
END $$;
COMMENT ON FUNCTION write_closing(bigint, text, text, json, bigint, text, json) IS
    'Closes a round with its first line and its entry in the log, and gives its time.';
