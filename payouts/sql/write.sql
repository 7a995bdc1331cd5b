-- Settlements with all that belongs to them in one call, planned once a connection. It runs as its caller, so each
-- guard asks for the caller's rights. The keys stand in a list of their own: by it the index is asked, however large
-- the table.

CREATE OR REPLACE FUNCTION write_settlements(told json) RETURNS TABLE (key text, id bigint)
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    keys text[] := ARRAY(SELECT s.key FROM json_to_recordset(told) AS s(key text));
BEGIN
    INSERT INTO payouts_settlement (key, round_key, table_key, generation, line_ordinal, sheet_digest, business_date, result)
    SELECT s.key, s.round_key, s.table_key, s.generation, s.line_ordinal, s.sheet_digest, s.business_date, s.result
    FROM json_to_recordset(told) AS s(key text, round_key text, table_key text, generation int, line_ordinal int,
        sheet_digest text, business_date date, result text);
    INSERT INTO payouts_payment (settlement_id, box, outcome, staked_units, returned_units, paid_units, net_units, clauses)
    SELECT made.id, p.box, p.outcome, p.staked, p.returned, p.paid, p.net, p.clauses
    FROM json_to_recordset(told) AS s(key text, payments json)
        JOIN payouts_settlement made ON made.key = s.key AND made.key = ANY (keys),
        json_to_recordset(s.payments) AS p(box int, outcome text, staked bigint, returned bigint, paid bigint, net bigint,
            clauses text[]);
    INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date, reason, reverses_id)
    SELECT t.key, made.id, t.debit, t.credit, t.units, s.business_date, t.reason, t.reverses
    FROM json_to_recordset(told) AS s(key text, business_date date, transfers json)
        JOIN payouts_settlement made ON made.key = s.key AND made.key = ANY (keys),
        json_to_recordset(s.transfers) AS t(key text, debit bigint, credit bigint, units bigint, reason text,
            reverses bigint);
    RETURN QUERY SELECT key::text, id FROM payouts_settlement WHERE key = ANY (keys);
END $$;
COMMENT ON FUNCTION write_settlements(json) IS
    'Writes settlements with their payments and transfers, and gives their ids.';
