-- A settlement and a movement are headers: transfers and payments join them in the transaction that made them, and in
-- no later one. Whatever is written into the two columns that say so, they say it by themselves. A restored cluster
-- counts transaction ids anew, hence `begun_at` beside `made_in`.

CREATE OR REPLACE FUNCTION header_made_here() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    NEW.made_in := pg_current_xact_id();
    NEW.begun_at := now();
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER made_here BEFORE INSERT ON payouts_settlement
    FOR EACH ROW EXECUTE FUNCTION header_made_here();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER made_here;
COMMENT ON TRIGGER made_here ON payouts_settlement IS
    'Whatever is written, made_in and begun_at say which transaction made the settlement.';

CREATE OR REPLACE TRIGGER made_here BEFORE INSERT ON payouts_movement FOR EACH ROW EXECUTE FUNCTION header_made_here();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER made_here;
COMMENT ON TRIGGER made_here ON payouts_movement IS
    'Whatever is written, made_in and begun_at say which transaction made the movement.';
