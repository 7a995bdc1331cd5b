-- Results of the house edge: each is asked for, computed by a worker and done, for ever. What it is of never changes, nor
-- does what came of it. The times are the database's: a worker holds a result as long as it says that it is at work.

CREATE OR REPLACE FUNCTION edge_result_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    taken boolean := false;
    fault text;
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'ASKED' THEN
            fault := 'it begins as asked for';
        END IF;
        NEW.asked_at := statement_timestamp();
    ELSE
        taken := NEW.status = 'COMPUTING' AND (OLD.status = 'ASKED' OR NEW.tries <> OLD.tries);
        fault := CASE
            WHEN (NEW.key, NEW.inputs) IS DISTINCT FROM (OLD.key, OLD.inputs) THEN 'what it is of stays'
            WHEN OLD.status = 'DONE' THEN 'what is computed stays'
            WHEN OLD.status || ' ' || NEW.status NOT IN ('ASKED COMPUTING', 'ASKED CANCELLED', 'COMPUTING COMPUTING',
                'COMPUTING DONE', 'COMPUTING FAILED', 'COMPUTING CANCELLED', 'FAILED ASKED', 'CANCELLED ASKED')
                THEN format('%s does not become %s', OLD.status, NEW.status)
            WHEN taken AND (NEW.tries <> OLD.tries + 1 OR NEW.progress <> 0) THEN 'each try begins anew, and is counted'
            WHEN NEW.status <> 'ASKED' AND NOT taken AND (NEW.tries <> OLD.tries OR NEW.progress < OLD.progress)
                THEN 'a try goes on'
        END;
        NEW.asked_at := CASE WHEN NEW.status = 'ASKED' THEN statement_timestamp() ELSE OLD.asked_at END;
        IF NEW.status <> 'ASKED' THEN
            NEW.begun_at := CASE WHEN taken THEN statement_timestamp() ELSE OLD.begun_at END;
            NEW.beat_at := CASE WHEN NEW.status = 'COMPUTING' THEN statement_timestamp() ELSE OLD.beat_at END;
        END IF;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'edge %: %', left(NEW.key, 8), fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON payouts_edgeresult
    FOR EACH ROW EXECUTE FUNCTION edge_result_moves();
ALTER TABLE payouts_edgeresult ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON payouts_edgeresult IS
    'What an edge is of never changes, nor does one that is done. Each try is counted, and the database''s clock says '
    'when it was asked for, begun, and last at work. Moves: ASKED to COMPUTING, ASKED to CANCELLED, COMPUTING to DONE, '
    'COMPUTING to FAILED, COMPUTING to CANCELLED, FAILED to ASKED, CANCELLED to ASKED.';

COMMENT ON CONSTRAINT edgeresult_key_is_digest ON payouts_edgeresult IS 'The key of an edge is a SHA-256.';
COMMENT ON CONSTRAINT edgeresult_in_range ON payouts_edgeresult IS
    'An edge is tried three times at most, and its progress is in thousandths.';
COMMENT ON CONSTRAINT edgeresult_ended_whole ON payouts_edgeresult IS
    'An edge has figures if it is done, says why if it failed, and one that is asked for has nothing yet.';
COMMENT ON CONSTRAINT edgeresult_inputs_readable ON payouts_edgeresult IS 'What an edge is of can be read.';
COMMENT ON CONSTRAINT edgeresult_figures_readable ON payouts_edgeresult IS 'The figures of an edge can be read.';
