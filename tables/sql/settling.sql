-- What workers ask of the rounds that are due: which of them are theirs for a while (a lease), and what settling needs
-- to know of each. They run as their caller, so each guard asks for the caller's rights.

-- Workers lease one after the other, so that each gets whole tables: of the rounds that are due longest those of one
-- table after the other, some of each. One that froze in its lease makes the others wait for a moment only. Those that
-- were lost with a worker go alone: before all others once they waited for long, else when no others are left.
-- One whose lease ran out while it went alone, after which another round's settlement began, is not leased but named as
-- `failed`: workers live without it. What a lease says may be lost with the database, the round is due again then; so
-- nobody waits for its commit.
DROP FUNCTION IF EXISTS lease_rounds(int, int, interval, interval);
CREATE OR REPLACE FUNCTION lease_due(most int, at_a_table int, lease interval, long interval)
RETURNS TABLE (table_id bigint, id bigint, failed boolean, more boolean)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz;
    chosen bigint[];
    leased bigint[];
    goes_alone boolean := true;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    FOR n IN 1 .. 20 LOOP
        EXIT WHEN pg_try_advisory_xact_lock(hashtext('lease_due'));
        PERFORM pg_sleep(0.005);
    END LOOP;
    moment := clock_timestamp();
    RETURN QUERY SELECT table_id, id, true, true FROM tables_round
        WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= moment AND alone AND leases > 0
            AND next_at < (SELECT begun_at FROM payouts_settlement WHERE generation = 1 ORDER BY id DESC LIMIT 1)
        LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
    IF FOUND THEN
        RETURN;
    END IF;
    leased := ARRAY(
        SELECT id FROM tables_round
        WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= moment - long AND leases > 0
        ORDER BY alone, next_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    IF leased = '{}' THEN
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
        leased := ARRAY(
            SELECT id FROM tables_round
            WHERE id = ANY (chosen) AND status = 'CLOSED' AND held_at IS NULL AND leases = 0
            FOR NO KEY UPDATE SKIP LOCKED);
        goes_alone := leased = '{}';
    END IF;
    IF leased = '{}' THEN
        leased := ARRAY(
            SELECT id FROM tables_round
            WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= moment AND leases > 0
            ORDER BY alone, next_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED);
    END IF;
    RETURN QUERY UPDATE tables_round
        SET leases = least(leases, 1000000) + 1, alone = goes_alone, next_at = moment + lease
        WHERE id = ANY (leased)
        RETURNING table_id, id, false, EXISTS (
            SELECT FROM tables_round WHERE status = 'CLOSED' AND held_at IS NULL AND next_at <= moment
            AND id <> ALL (leased));
END $$;
COMMENT ON FUNCTION lease_due(int, int, interval, interval) IS
    'Leases rounds that are due, some of each table, and says whether more are due; or names one that failed.';

-- What settling needs of the rounds that are in a state and not held, each with its newest line. `entered_late`: it was entered
-- from paper when its session was closed.
DROP FUNCTION IF EXISTS read_rounds(bigint[]);
DROP FUNCTION IF EXISTS take_rounds(bigint[]);
CREATE OR REPLACE FUNCTION read_rounds(asked bigint[], state text) RETURNS TABLE (
    round_id bigint, table_id bigint, business_date date, rules text, digest text, carry text, line_ordinal int, line text,
    wagers text, float_id bigint, patrons_id bigint, pot_id bigint, rake_id bigint, entered_late boolean)
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT r.id, r.table_id, s.business_date, sheet.rules, sheet.digest::text, line.carry::text, line.ordinal,
            line.text, line.wagers, t.float_account_id, t.patrons_account_id, t.pot_account_id, t.rake_account_id,
            coalesce(s.closed_at < r.opened_at, false)
        FROM tables_round r
        JOIN tables_session s ON s.id = r.session_id
        JOIN tables_rulesheet sheet ON sheet.id = r.sheet_id
        JOIN tables_table t ON t.id = r.table_id
        JOIN LATERAL (SELECT ordinal, text, wagers, carry FROM tables_line WHERE round_id = r.id
                      ORDER BY ordinal DESC LIMIT 1) line ON true
        WHERE r.id = ANY (asked) AND r.status = state AND r.held_at IS NULL ORDER BY r.number;
END $$;
COMMENT ON FUNCTION read_rounds(bigint[], text) IS
    'What settling needs of the rounds that are in a state and not held, each with its newest line.';

-- Settlements with all that belongs to them, the rounds that take them, and their entries, unless a round is no longer as
-- it was read: then nothing is written. Rounds are locked first, then accounts, the chain last, as everywhere.
DROP FUNCTION IF EXISTS settle_rounds(bigint[], json, json, json, text);
CREATE OR REPLACE FUNCTION settle_rounds(rounds bigint[], state text, lines int[], settlements json, payments json,
    transfers json, chain text, told json) RETURNS boolean
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ids bigint[];
BEGIN
    -- What comes asks by keys: a plan made once is as good as one made for each, and reads no small table as a whole.
    PERFORM set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true);
    PERFORM FROM tables_round WHERE id = ANY (rounds) ORDER BY number FOR NO KEY UPDATE;
    -- Looked at then: a statement that waited for a lock would see the lines of before it waited.
    IF (SELECT count(*) FROM tables_round r
        WHERE r.id = ANY (rounds) AND r.status = state AND r.held_at IS NULL
            AND (SELECT max(ordinal) FROM tables_line WHERE round_id = r.id) = lines[array_position(rounds, r.id)])
        < cardinality(rounds) THEN
        RETURN false;
    END IF;
    ids := write_settlements(settlements, payments, transfers);
    UPDATE tables_round SET status = 'SETTLED', settled_at = coalesce(settled_at, now()),
        settlement_id = ids[array_position(rounds, id)], next_at = NULL, leases = 0, alone = false
    WHERE id = ANY (rounds);
    PERFORM append_entries(chain, told);
    RETURN true;
END $$;
COMMENT ON FUNCTION settle_rounds(bigint[], text, int[], json, json, json, text, json) IS
    'Writes settlements of rounds of one table, lets the rounds take them, and writes their entries; false where a round'
    ' is no longer in that state, is held or has another line.';

-- The same for rounds of several tables, of which `counts` says how many are whose, with a line of JSON for each table:
-- each is committed before the next begins, with one call of whoever settles. What commits has no search path of its
-- own, hence the names in full.
CREATE OR REPLACE PROCEDURE settle_tables(INOUT settled int, rounds bigint[], state text, lines int[], counts int[],
    settlements text, payments text, transfers text, chains text[], told text)
LANGUAGE plpgsql AS $$
DECLARE
    settlement_lines CONSTANT text[] := pg_catalog.string_to_array(settlements, chr(10));
    payment_lines CONSTANT text[] := pg_catalog.string_to_array(payments, chr(10));
    transfer_lines CONSTANT text[] := pg_catalog.string_to_array(transfers, chr(10));
    told_lines CONSTANT text[] := pg_catalog.string_to_array(told, chr(10));
    before int := 0;
BEGIN
    FOR place IN 1 .. pg_catalog.cardinality(counts) LOOP
        IF public.settle_rounds(rounds[before + 1 : before + counts[place]], state,
                lines[before + 1 : before + counts[place]], settlement_lines[place]::json, payment_lines[place]::json,
                transfer_lines[place]::json, chains[place], told_lines[place]::json) THEN
            settled := settled + counts[place];
        END IF;
        COMMIT;
        before := before + counts[place];
    END LOOP;
END $$;
COMMENT ON PROCEDURE settle_tables(int, bigint[], text, int[], int[], text, text, text, text[], text) IS
    'Writes settlements of rounds of several tables and commits table by table; gives how many rounds it settled.';
