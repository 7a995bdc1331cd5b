-- What an inspection asks of free texts: their digests, which the log has too. Who inspects reads no salts, so these run
-- as their owner and give nothing else.

CREATE OR REPLACE FUNCTION intervention_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.id, CASE WHEN i.reason <> '' THEN encode(sha256(convert_to(i.salt || i.reason, 'UTF8')), 'hex') END
    FROM tables_intervention i WHERE i.id = ANY (asked)
$$;
COMMENT ON FUNCTION intervention_digests(bigint[]) IS
    'The SHA-256 of the reasons of interventions behind their salts, as the log has them; NULL where there is none.';

CREATE OR REPLACE FUNCTION dispute_digests(asked bigint[]) RETURNS TABLE (id bigint, statement text, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT d.id, encode(sha256(convert_to(d.salt || d.statement, 'UTF8')), 'hex'),
        CASE WHEN d.reason <> '' THEN encode(sha256(convert_to(d.reason_salt || d.reason, 'UTF8')), 'hex') END
    FROM tables_dispute d WHERE d.id = ANY (asked)
$$;
COMMENT ON FUNCTION dispute_digests(bigint[]) IS
    'The SHA-256 of the statements and reasons of disputes behind their salts, as the log has them.';
