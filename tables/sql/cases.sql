-- A case. It begins open, with the next number of its kind and year, about a table that closed with a variance, a drop
-- box that was counted with one, a dispute, a void round or a session; what it says stays. Until it is decided it goes
-- to another owner, gets more time or the reference of a recording, and two people decide it once: neither does it
-- alone, and whoever signs with the one who decides did not sign the closing, the count or the void, and of a session
-- that is investigated neither signed its opening or closing nor dealt in it. The case of a dispute is decided by its
-- ruling.

CREATE OR REPLACE FUNCTION case_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    fault text;
    of_round bigint := substring(NEW.subject FROM '^round:([1-9][0-9]{0,17})$');
BEGIN
    IF TG_OP = 'INSERT' THEN
        -- Held to the end, after every other lock: numbers are given one after the other, and none is left out.
        PERFORM pg_advisory_xact_lock(hashtext('tables_case'), hashtext(NEW.kind || ' ' || NEW.year));
        NEW.number := 1 + coalesce((SELECT max(number) FROM tables_case WHERE (kind, year) = (NEW.kind, NEW.year)), 0);
        fault := CASE
            WHEN NEW.status <> 'OPEN' THEN 'it begins open'
            WHEN NEW.due_at NOT BETWEEN statement_timestamp() AND statement_timestamp() + interval '90 days'
                THEN 'it is due within 90 days'
            WHEN NEW.kind = 'drop_variance' AND NOT EXISTS (
                SELECT FROM tables_dropbox d
                WHERE NEW.subject = 'drop_box:' || d.id AND d.table_id = NEW.table_id AND d.status = 'COUNTED'
                    AND NEW.year = extract(year FROM d.business_date) AND d.cash_units - d.recorded_units = NEW.units
                    AND NEW.units <> 0)
                THEN 'it is of a drop box of its table that was counted with this variance, in its year'
            WHEN NEW.kind = 'dispute' AND NOT EXISTS (
                SELECT FROM tables_dispute d JOIN tables_round r ON r.id = d.round_id
                    JOIN tables_session s ON s.id = r.session_id
                WHERE NEW.subject = 'dispute:' || d.id AND r.table_id = NEW.table_id AND d.status = 'OPEN'
                    AND NEW.year = extract(year FROM s.business_date))
                THEN 'it is of an open dispute at its table, in its year'
            WHEN NEW.kind = 'void' AND NOT EXISTS (
                SELECT FROM tables_round r JOIN tables_session s ON s.id = r.session_id
                WHERE r.id = of_round AND r.table_id = NEW.table_id AND r.status = 'VOIDED'
                    AND NEW.year = extract(year FROM s.business_date))
                THEN 'it is of a void round of its table, in its year'
            WHEN NEW.kind = 'investigation' AND NOT EXISTS (
                SELECT FROM tables_session s
                WHERE NEW.subject = 'session:' || s.id AND s.table_id = NEW.table_id
                    AND NEW.year = extract(year FROM s.business_date))
                THEN 'it is of a session of its table, whose year is its own'
            WHEN NEW.kind = 'variance' AND NOT EXISTS (
                SELECT FROM tables_session s
                WHERE NEW.subject = 'session:' || s.id AND s.table_id = NEW.table_id AND s.status = 'CLOSED'
                    AND NEW.year = extract(year FROM s.business_date)
                    AND EXISTS (SELECT FROM payouts_movement m WHERE m.subject = NEW.subject AND m.kind = 'variance'))
                THEN 'it is of a session of its table that closed with a variance, in its year'
        END;
    ELSE
        fault := CASE
            WHEN OLD.status = 'DECIDED' THEN 'it is decided'
            WHEN (NEW.id, NEW.kind, NEW.year, NEW.number, NEW.table_id, NEW.subject, NEW.units, NEW.question,
                  NEW.question_salt, NEW.opened_at)
                IS DISTINCT FROM (OLD.id, OLD.kind, OLD.year, OLD.number, OLD.table_id, OLD.subject, OLD.units,
                  OLD.question, OLD.question_salt, OLD.opened_at)
                THEN 'what it was opened with stays'
            WHEN (NEW.status = 'OPEN') = ((NEW.owner_id, NEW.due_at, NEW.video)
                IS NOT DISTINCT FROM (OLD.owner_id, OLD.due_at, OLD.video))
                THEN 'it moves, or is decided'
            WHEN NEW.due_at IS DISTINCT FROM OLD.due_at
                AND NEW.due_at NOT BETWEEN statement_timestamp() AND statement_timestamp() + interval '90 days'
                THEN 'it is due within 90 days'
            WHEN NEW.status = 'DECIDED' AND NEW.kind = 'dispute' AND NOT EXISTS (
                SELECT FROM tables_dispute d WHERE NEW.subject = 'dispute:' || d.id AND d.status = 'RULED'
                    AND (d.ruling, d.ruled_by_id) = (NEW.outcome, NEW.decided_by_id)
                    AND d.approved_by_id IS NOT DISTINCT FROM NEW.approved_by_id)
                THEN 'it is decided as its dispute was ruled on'
            WHEN NEW.kind = 'void' AND EXISTS (
                SELECT FROM tables_intervention i WHERE i.round_id = of_round AND i.kind = 'voided'
                    AND NEW.approved_by_id IN (i.by_id, i.approved_by_id))
                THEN 'whoever voided the round does not approve it'
            WHEN NEW.kind = 'investigation' AND EXISTS (
                SELECT FROM tables_session s WHERE NEW.subject = 'session:' || s.id
                    AND (NEW.approved_by_id IN (s.opened_by_id, s.opened_with_id, s.closed_by_id, s.closed_with_id)
                        OR EXISTS (SELECT FROM tables_round r
                            WHERE r.session_id = s.id AND dealt_round(r.id, NEW.approved_by_id))))
                THEN 'whoever opened or closed the table, or dealt there, does not approve it'
            WHEN EXISTS (
                SELECT FROM tables_session s WHERE NEW.subject = 'session:' || s.id
                    AND NEW.approved_by_id IN (s.closed_by_id, s.closed_with_id))
                OR EXISTS (
                    SELECT FROM tables_dropbox d WHERE NEW.subject = 'drop_box:' || d.id
                        AND NEW.approved_by_id IN (d.counted_by_id, d.counted_with_id))
                THEN 'whoever signed the closing does not approve it'
        END;
    END IF;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'case %: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_case FOR EACH ROW EXECUTE FUNCTION case_moves();
ALTER TABLE tables_case ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_case IS
    'A case begins OPEN, due within 90 days, with the next number of its kind and year, about a session of its table'
    ' that closed with a variance, a drop box of it that was counted with one, an open dispute at it, a void round of'
    ' it or, to be investigated, any session of it; what it was opened with stays. It goes to another owner, gets'
    ' another time or another video, or it is DECIDED, once, that of a dispute as its dispute was ruled on; whoever'
    ' signed the closing, the count or the void does not approve the decision, nor, of a session that is investigated,'
    ' whoever signed its opening or closing or dealt in it. Moves: OPEN to DECIDED.';

COMMENT ON CONSTRAINT case_number_once ON tables_case IS 'A number of a kind and a year is given once.';
COMMENT ON CONSTRAINT case_one_of_each ON tables_case IS 'Of one kind there is at most one case for each subject.';
COMMENT ON CONSTRAINT case_kind_known ON tables_case IS
    'A case is of the variance of a closing or of a drop, of a dispute, a void round or an investigated session, and'
    ' numbered from 1.';
COMMENT ON CONSTRAINT case_units_of_variance ON tables_case IS 'A variance has its units, every other case none.';
COMMENT ON CONSTRAINT case_question_of_opener ON tables_case IS
    'A case that a person opens, of a void round or a session, says what is to be found out, with a salt, so its hash'
    ' tells nothing; every other case asks nothing.';
COMMENT ON CONSTRAINT case_video_plain ON tables_case IS
    'The reference of a recording has at most 40 letters, digits, dots, and - : /.';
COMMENT ON CONSTRAINT case_decided_whole ON tables_case IS
    'A DECIDED case says what came of it, why, when and by which two people; its reason has a salt, so its hash tells'
    ' nothing. That of a dispute leaves the reason, and how many people it takes, to the dispute. An OPEN one says'
    ' nothing of that.';
COMMENT ON CONSTRAINT case_four_eyes ON tables_case IS 'Whoever decides a case has a second person with them.';

-- What an inspection asks of reasons and questions: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION case_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text, question text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT c.id, CASE WHEN c.reason <> '' THEN encode(sha256(convert_to(c.salt || c.reason, 'UTF8')), 'hex') END,
        CASE WHEN c.question <> ''
            THEN encode(sha256(convert_to(c.question_salt || c.question, 'UTF8')), 'hex') END
    FROM tables_case c WHERE c.id = ANY (asked)
$$;
COMMENT ON FUNCTION case_digests(bigint[]) IS
    'The SHA-256 of the reasons and questions of cases behind their salts, as the log has them; NULL where there is'
    ' none.';
