-- A gaming day: OPEN -> CLOSED. It begins with the first session, shift of the cage or movement of its date, and two
-- people close it once nothing of it is under way, the earlier days first. Then it is final: no session, no shift, no
-- movement and no later settlement has its date. Whoever writes one of these holds the day until the transaction ends,
-- and who closes it waits for them.

CREATE OR REPLACE FUNCTION business_date() RETURNS date
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT greatest(gaming_day(now(), time_zone, day_starts_at),
                    (SELECT max(date) + 1 FROM tables_gamingday WHERE status = 'CLOSED'))
    FROM casino_casino
$$;
COMMENT ON FUNCTION business_date() IS
    'The date of what begins now: the gaming day of now, or where that is closed already the day after the last closed one.';

-- The app's role may make no day: the owner does, for whoever first needs it.
CREATE OR REPLACE FUNCTION hold_day(asked date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    found text;
BEGIN
    SELECT status INTO found FROM tables_gamingday WHERE date = asked FOR SHARE;
    IF found IS NULL THEN
        INSERT INTO tables_gamingday (date, status, figures, digest) VALUES (asked, 'OPEN', '', '')
        ON CONFLICT DO NOTHING;
        SELECT status INTO found FROM tables_gamingday WHERE date = asked FOR SHARE;
    END IF;
    RETURN found;
END $$;
COMMENT ON FUNCTION hold_day(date) IS
    'The status of a gaming day, which is made where there is none, and which nobody closes until the transaction ends.';

CREATE OR REPLACE FUNCTION day_is_open() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF hold_day(NEW.business_date) = 'CLOSED' THEN
        RAISE EXCEPTION '%: gaming day % is closed', TG_TABLE_NAME, NEW.business_date USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER day_open BEFORE INSERT ON tables_session FOR EACH ROW EXECUTE FUNCTION day_is_open();
ALTER TABLE tables_session ENABLE ALWAYS TRIGGER day_open;
COMMENT ON TRIGGER day_open ON tables_session IS 'No session begins on a gaming day that is closed.';
CREATE OR REPLACE TRIGGER day_open BEFORE INSERT ON tables_cageshift FOR EACH ROW EXECUTE FUNCTION day_is_open();
ALTER TABLE tables_cageshift ENABLE ALWAYS TRIGGER day_open;
COMMENT ON TRIGGER day_open ON tables_cageshift IS 'No shift of the cage begins on a gaming day that is closed.';
CREATE OR REPLACE TRIGGER day_open BEFORE INSERT ON payouts_movement FOR EACH ROW EXECUTE FUNCTION day_is_open();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER day_open;
COMMENT ON TRIGGER day_open ON payouts_movement IS 'No movement has the date of a gaming day that is closed.';
-- The first settlement of a round needs none: while it is not settled its day is not closed.
CREATE OR REPLACE TRIGGER day_open BEFORE INSERT ON payouts_settlement FOR EACH ROW WHEN (NEW.generation > 1)
    EXECUTE FUNCTION day_is_open();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER day_open;
COMMENT ON TRIGGER day_open ON payouts_settlement IS
    'No later settlement of a round has the date of a gaming day that is closed.';

CREATE OR REPLACE FUNCTION day_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text := CASE
        WHEN TG_OP = 'INSERT' THEN CASE
            WHEN NEW.status <> 'OPEN' THEN 'it begins open'
            WHEN NEW.date > business_date() THEN 'it has not come yet'
            WHEN NEW.date < (SELECT max(date) FROM tables_gamingday WHERE status = 'CLOSED')
                THEN 'a later one is closed already'
        END
        WHEN OLD.status = 'CLOSED' THEN 'it is closed for good'
        WHEN NEW.date <> OLD.date THEN 'its date stays'
        WHEN NEW.status = 'OPEN' AND NEW IS DISTINCT FROM OLD THEN 'it changes as it is closed'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'gaming day %: %', NEW.date, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_gamingday
    FOR EACH ROW EXECUTE FUNCTION day_moves();
ALTER TABLE tables_gamingday ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_gamingday IS
    'A gaming day begins OPEN, not before it has come and not after a later one was closed; once CLOSED all of it stays.'
    ' Moves: OPEN to CLOSED.';

CREATE OR REPLACE FUNCTION day_ends() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    ended timestamptz := (SELECT max(closed_at) FROM tables_session WHERE business_date = NEW.date);
    fault text := CASE
        WHEN NEW.date > (SELECT gaming_day(now(), time_zone, day_starts_at) FROM casino_casino)
            THEN 'it has not come yet'
        WHEN EXISTS (SELECT FROM tables_gamingday WHERE date < NEW.date AND status = 'OPEN')
            THEN 'an earlier one is open'
        WHEN EXISTS (SELECT FROM tables_session WHERE business_date = NEW.date AND status <> 'CLOSED')
            THEN 'a session of it is not closed'
        WHEN EXISTS (SELECT FROM tables_round r JOIN tables_session s ON s.id = r.session_id
                     WHERE s.business_date = NEW.date AND r.status IN ('OPEN', 'CLOSED'))
            THEN 'a round of it is not settled'
        WHEN EXISTS (SELECT FROM tables_series r JOIN tables_session s ON s.id = r.session_id
                     WHERE s.business_date = NEW.date AND r.status = 'OPEN')
            THEN 'a series of it runs'
        WHEN EXISTS (SELECT FROM tables_slip p JOIN tables_session s ON s.id = p.session_id
                     WHERE s.business_date = NEW.date AND p.status IN ('REQUESTED', 'ISSUED'))
            THEN 'a slip of it is under way'
        WHEN EXISTS (SELECT FROM tables_dropbox WHERE business_date = NEW.date AND status <> 'COUNTED')
            THEN 'a drop box of it is not counted'
        WHEN tips_recorded(NEW.date) > 0 AND NOT EXISTS (SELECT FROM tables_tipcount WHERE date = NEW.date)
            THEN 'its tips are not counted'
        WHEN EXISTS (SELECT FROM tables_cageshift WHERE business_date <= NEW.date AND status <> 'CLOSED')
            OR ended IS NOT NULL AND NOT EXISTS (
                SELECT FROM tables_cageshift c WHERE c.business_date >= NEW.date AND c.closed_at >= ended
                    AND (SELECT min(n.at) FROM tables_count n WHERE n.of = 'cage_shift:' || c.id AND n.part = 'cage'
                         AND n.attempt = (SELECT max(attempt) FROM tables_count WHERE of = n.of AND part = 'cage'))
                        >= ended)
            THEN 'the cage was not counted after its last session'
        WHEN NEW.digest IS DISTINCT FROM encode(sha256(convert_to(NEW.figures, 'UTF8')), 'hex')
            THEN 'its digest is not that of its figures'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'gaming day % does not close: %', NEW.date, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER ends BEFORE UPDATE OF status ON tables_gamingday FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION day_ends();
ALTER TABLE tables_gamingday ENABLE ALWAYS TRIGGER ends;
COMMENT ON TRIGGER ends ON tables_gamingday IS
    'A gaming day closes once it has come and the earlier ones are closed, its sessions are closed, its rounds settled or void, its series and'
    ' its slips ended, its drop boxes and its tips counted and the cage was counted after its last session; its digest is that of its figures.';

COMMENT ON CONSTRAINT gamingday_once ON tables_gamingday IS 'A date is one gaming day.';
COMMENT ON CONSTRAINT gamingday_closed_whole ON tables_gamingday IS
    'A gaming day that is closed says by whom, when and with which figures; one that is open says nothing of it.';
COMMENT ON CONSTRAINT gamingday_four_eyes ON tables_gamingday IS 'Two different people close a gaming day.';
