-- What workers ask of the rounds that are due: which of them are theirs for a while (a lease), and what settling needs
-- to know of each. They run as their caller, so each guard asks for the caller's rights.

-- Workers lease one after the other, so that each gets whole tables: of the rounds that are due longest those of one
-- table after the other, some of each. One that froze in its lease makes the others wait for a moment only. Those that
-- were lost with a worker go alone: before all others once they waited for long, else when no others are left.
CREATE OR REPLACE FUNCTION lease_rounds(most int, at_a_table int, lease interval, long interval)
RETURNS TABLE (table_id bigint, id bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz;
    chosen bigint[];
BEGIN
    FOR n IN 1 .. 20 LOOP
        EXIT WHEN pg_try_advisory_xact_lock(hashtext('lease_rounds'));
        PERFORM pg_sleep(0.005);
    END LOOP;
    moment := clock_timestamp();
    RETURN QUERY UPDATE tables_round SET leases = least(leases, 1000000) + 1, alone = true, next_at = moment + lease WHERE id = (
        SELECT id FROM tables_round
        WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= moment - long AND leases > 0
        ORDER BY alone, next_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING table_id, id;
    IF FOUND THEN
        RETURN;
    END IF;
    -- Chosen first: what is due is few or many, and no plan knows.
    chosen := ARRAY(
        SELECT id FROM (
            SELECT id, place, min(place) OVER (PARTITION BY table_id) AS of_table,
                row_number() OVER (PARTITION BY table_id ORDER BY place) AS nth
            FROM (SELECT id, table_id, row_number() OVER (ORDER BY next_at, id) AS place FROM tables_round
                  WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= moment AND leases = 0
                  ORDER BY next_at, id LIMIT most * 10) first
        ) ranked
        WHERE nth <= at_a_table ORDER BY of_table, place LIMIT most);
    RETURN QUERY UPDATE tables_round SET leases = 1, alone = false, next_at = moment + lease WHERE id = ANY (ARRAY(
        SELECT id FROM tables_round
        WHERE id = ANY (chosen) AND status = 'CLOSED' AND held_at IS NULL AND leases = 0
        FOR NO KEY UPDATE SKIP LOCKED)) RETURNING table_id, id;
    IF FOUND THEN
        RETURN;
    END IF;
    RETURN QUERY UPDATE tables_round SET leases = least(leases, 1000000) + 1, alone = true, next_at = moment + lease WHERE id = (
        SELECT id FROM tables_round
        WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= moment AND leases > 0
        ORDER BY alone, next_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) RETURNING table_id, id;
END $$;
COMMENT ON FUNCTION lease_rounds(int, int, interval, interval) IS 'Leases rounds that are due, some of each table.';

-- What settling needs of rounds, each with its newest line.
CREATE OR REPLACE FUNCTION read_rounds(asked bigint[]) RETURNS TABLE (
    round_id bigint, table_id bigint, business_date date, rules text, digest text, carry text, line_ordinal int, line text,
    wagers text, float_id bigint, patrons_id bigint, pot_id bigint, rake_id bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT r.id, r.table_id, s.business_date, sheet.rules, sheet.digest::text, line.carry::text, line.ordinal,
            line.text, line.wagers, t.float_account_id, t.patrons_account_id, t.pot_account_id, rake.id
        FROM tables_round r
        JOIN tables_session s ON s.id = r.session_id
        JOIN tables_rulesheet sheet ON sheet.id = r.sheet_id
        JOIN tables_table t ON t.id = r.table_id
        JOIN payouts_account rake ON rake.kind = 'rake' AND rake.owner = 'house'
        JOIN LATERAL (SELECT ordinal, text, wagers, carry FROM tables_line WHERE round_id = r.id
                      ORDER BY ordinal DESC LIMIT 1) line ON true
        WHERE r.id = ANY(asked) ORDER BY r.number;
END $$;
COMMENT ON FUNCTION read_rounds(bigint[]) IS 'What settling needs of rounds, each with its newest line.';

-- The same of those that are still to be settled, locked. Locked first and read then: a statement that waited for a lock
-- would see the lines of before it waited.
CREATE OR REPLACE FUNCTION take_rounds(asked bigint[]) RETURNS TABLE (
    round_id bigint, table_id bigint, business_date date, rules text, digest text, carry text, line_ordinal int, line text,
    wagers text, float_id bigint, patrons_id bigint, pot_id bigint, rake_id bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    locked bigint[] := ARRAY(
        SELECT ours.id FROM (SELECT id FROM tables_round WHERE id = ANY(asked) AND status = 'CLOSED' AND held_at IS NULL
                             ORDER BY number FOR NO KEY UPDATE) ours);
BEGIN
    -- What comes in this transaction asks by keys: a plan made once is as good as one made for each.
    PERFORM set_config('plan_cache_mode', 'force_generic_plan', true);
    RETURN QUERY SELECT * FROM read_rounds(locked);
END $$;
COMMENT ON FUNCTION take_rounds(bigint[]) IS 'The same of those rounds that are still to be settled, locked.';

-- Settlements with all that belongs to them, and the rounds that take them; then the chain of their table, whose head it
-- gives: accounts are locked before a chain, everywhere.
CREATE OR REPLACE FUNCTION settle_rounds(rounds bigint[], settlements json, payments json, transfers json, chain text)
RETURNS TABLE (seq bigint, head text, at timestamptz)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ids bigint[] := write_settlements(settlements, payments, transfers);
BEGIN
    FOR place IN 1 .. cardinality(rounds) LOOP
        UPDATE tables_round SET status = 'SETTLED', settled_at = coalesce(settled_at, now()), settlement_id = ids[place],
            next_at = NULL, leases = 0, alone = false
        WHERE id = rounds[place];
    END LOOP;
    SELECT c.seq, c.head, c.at FROM audit_chain c WHERE c.key = chain FOR NO KEY UPDATE INTO seq, head, at;
    at := greatest(at, clock_timestamp());
    RETURN NEXT;
END $$;
COMMENT ON FUNCTION settle_rounds(bigint[], json, json, json, text) IS
    'Writes settlements of rounds of one table, lets the rounds take them, locks the table''s chain and gives its head.';
