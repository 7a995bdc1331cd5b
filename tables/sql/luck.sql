-- Luck told apart. What a round won is what its settlement paid, and what was expected rests on results that are done.
-- A gaming day comes to what its rounds come to. What was expected itself no guard can know: it is worked out anew from
-- the same rows whenever somebody asks for it.

CREATE OR REPLACE FUNCTION luck_is_of_round() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text;
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.round_id <> OLD.round_id THEN
        fault := 'its round stays';
    ELSIF NOT EXISTS (
        SELECT FROM tables_round round JOIN tables_session session ON session.id = round.session_id
        JOIN tables_rulesheet sheet ON sheet.id = round.sheet_id
        WHERE round.id = NEW.round_id AND round.status = 'SETTLED' AND sheet.game = 'split'
            AND round.table_id = NEW.table_id AND session.business_date = NEW.business_date
            AND NEW.croupier_id IS NOT DISTINCT FROM CASE WHEN round.paper IS NULL THEN round.opened_by_id END) THEN
        fault := 'it is of a settled round of Split Poker, of its table, croupier and gaming day';
    ELSIF NOT EXISTS (
        SELECT FROM payouts_settlement
        WHERE id = NEW.settlement_id AND round_key = 'round:' || NEW.round_id) THEN
        fault := 'its settlement is one of its round';
    ELSIF NEW.win_units IS DISTINCT FROM (
        SELECT -sum(net_units) FROM payouts_payment WHERE settlement_id = NEW.settlement_id) THEN
        fault := 'the house won what its boxes lost';
    ELSIF NEW.left_out = '' AND (cardinality(NEW.edge_keys) = 0 OR EXISTS (
        SELECT FROM unnest(NEW.edge_keys) needed LEFT JOIN payouts_edgeresult result ON result.key = needed
        WHERE result.status IS DISTINCT FROM 'DONE')) THEN
        fault := 'what is expected rests on results that are done';
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'luck of round %: %', NEW.round_id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER is_of_round BEFORE INSERT OR UPDATE ON tables_roundluck
    FOR EACH ROW EXECUTE FUNCTION luck_is_of_round();
ALTER TABLE tables_roundluck ENABLE ALWAYS TRIGGER is_of_round;
COMMENT ON TRIGGER is_of_round ON tables_roundluck IS
    'Luck is of a settled round of Split Poker, of its table, its gaming day and whoever opened it, of a round from paper'
    ' nobody. What it won is what a settlement of it paid, and what was expected rests on results that are done.';

CREATE OR REPLACE FUNCTION luck_day_adds_up() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text;
BEGIN
    IF TG_OP = 'UPDATE' AND (NEW.id, NEW.table_id, NEW.croupier_id, NEW.business_date)
       IS DISTINCT FROM (OLD.id, OLD.table_id, OLD.croupier_id, OLD.business_date) THEN
        fault := 'whose day it is stays';
    ELSIF TG_OP = 'INSERT' AND NOT EXISTS (
        SELECT FROM tables_roundluck
        WHERE (table_id = NEW.table_id OR croupier_id = NEW.croupier_id) AND business_date = NEW.business_date) THEN
        fault := 'a round of it was looked at';
    ELSIF NOT NEW.stale AND EXISTS (
        SELECT FROM (
            SELECT count(*) FILTER (WHERE left_out = '') AS rounds, count(*) FILTER (WHERE left_out <> '') AS left_out,
                coalesce(sum(win_units) FILTER (WHERE left_out = ''), 0) AS win_units,
                coalesce(sum(expected), 0) AS expected, coalesce(sum(variance), 0) AS variance
            FROM tables_roundluck
            WHERE (table_id = NEW.table_id OR croupier_id = NEW.croupier_id) AND business_date = NEW.business_date
        ) known
        WHERE (known.rounds, known.left_out, known.win_units, known.expected, known.variance)
            IS DISTINCT FROM (NEW.rounds, NEW.left_out, NEW.win_units, NEW.expected, NEW.variance)) THEN
        fault := 'it comes to what its rounds come to';
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'luck of %: %', NEW.business_date, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER adds_up BEFORE INSERT OR UPDATE ON tables_luckday
    FOR EACH ROW EXECUTE FUNCTION luck_day_adds_up();
ALTER TABLE tables_luckday ENABLE ALWAYS TRIGGER adds_up;
COMMENT ON TRIGGER adds_up ON tables_luckday IS
    'A day of luck is of a table or a croupier of whom a round was looked at, and stays theirs. Unless it is stale, it'
    ' comes to what its rounds come to.';

COMMENT ON CONSTRAINT roundluck_counted_whole ON tables_roundluck IS
    'Luck has what was expected, a variance and the part of what the boxes could lose; that of a round which is left out'
    ' has a known reason instead.';
COMMENT ON CONSTRAINT luckday_of_one ON tables_luckday IS 'A day of luck is of a table or of a croupier.';
COMMENT ON CONSTRAINT luckday_of_table_once ON tables_luckday IS 'A table has a gaming day''s luck once.';
COMMENT ON CONSTRAINT luckday_of_croupier_once ON tables_luckday IS 'A croupier has a gaming day''s luck once.';
COMMENT ON CONSTRAINT luckday_bets_on_rounds ON tables_luckday IS
    'Bets stand after a day of which a round counts, the 366th of a year at the latest, and are never below 0 at their'
    ' highest.';
