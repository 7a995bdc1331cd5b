-- Settlements with all that belongs to them in one call, planned once a connection. It runs as its caller, so each
-- guard asks for the caller's rights. Payments and transfers say by `place` which of the settlements they belong to, so
-- that nothing is joined.

DROP FUNCTION IF EXISTS write_settlements(json);
CREATE OR REPLACE FUNCTION write_settlements(settlements json, payments json, transfers json) RETURNS bigint[]
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ids bigint[];
BEGIN
    -- Ids are taken in the order in which the settlements stand.
    WITH written AS (
        INSERT INTO payouts_settlement (key, round_key, table_key, generation, line_ordinal, sheet_digest, business_date,
            result)
        SELECT s.key, s.round_key, s.table_key, s.generation, s.line_ordinal, s.sheet_digest, s.business_date, s.result
        FROM json_to_recordset(settlements) AS s(key text, round_key text, table_key text, generation int,
            line_ordinal int, sheet_digest text, business_date date, result text)
        RETURNING id)
    SELECT array_agg(id ORDER BY id) INTO ids FROM written;
    INSERT INTO payouts_payment (settlement_id, box, outcome, staked_units, returned_units, paid_units, net_units, clauses)
    SELECT ids[p.place], p.box, p.outcome, p.staked, p.returned, p.paid, p.net, p.clauses
    FROM json_to_recordset(payments) AS p(place int, box int, outcome text, staked bigint, returned bigint, paid bigint,
        net bigint, clauses text[]);
    INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date, reason, reverses_id)
    SELECT t.key, ids[t.place], t.debit, t.credit, t.units, t.business_date, t.reason, t.reverses
    FROM json_to_recordset(transfers) AS t(place int, key text, debit bigint, credit bigint, units bigint,
        business_date date, reason text, reverses bigint);
    RETURN ids;
END $$;
COMMENT ON FUNCTION write_settlements(json, json, json) IS
    'Writes settlements with their payments and transfers, and gives their ids in order.';
