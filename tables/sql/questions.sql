-- A question of an auditor to the pit. It begins asked, is answered once and settled once; what it says stays. Who asks
-- does not answer, and one that was asked again is not settled: the further question is.

CREATE OR REPLACE FUNCTION question_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    answered text[] := ARRAY['status', 'answer', 'answer_salt', 'answered_by_id', 'answered_at'];
    settled text[] := ARRAY['status', 'settled_by_id', 'settled_at'];
    fault text := CASE
        WHEN TG_OP = 'INSERT' THEN CASE
            WHEN NEW.status <> 'ASKED' THEN 'it begins asked'
            WHEN NEW.due_at NOT BETWEEN statement_timestamp() AND statement_timestamp() + interval '31 days'
                THEN 'it is due within 31 days'
            WHEN NEW.follows_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM tables_question q
                WHERE q.id = NEW.follows_id AND q.status = 'ANSWERED' AND q.subject = NEW.subject
                    AND q.table_id IS NOT DISTINCT FROM NEW.table_id)
                THEN 'it follows an answered question about the same'
        END
        WHEN OLD.status = 'ASKED' AND (NEW.status <> 'ANSWERED'
            OR to_jsonb(NEW) - answered IS DISTINCT FROM to_jsonb(OLD) - answered)
            THEN 'what is asked is answered, and no more'
        WHEN OLD.status = 'ANSWERED' AND (NEW.status <> 'SETTLED'
            OR to_jsonb(NEW) - settled IS DISTINCT FROM to_jsonb(OLD) - settled)
            THEN 'what is answered is settled, and no more'
        WHEN OLD.status = 'SETTLED' THEN 'it is settled'
        WHEN NEW.status = 'SETTLED' AND EXISTS (SELECT FROM tables_question q WHERE q.follows_id = NEW.id)
            THEN 'it was asked again'
    END;
BEGIN
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'question %: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_question
    FOR EACH ROW EXECUTE FUNCTION question_moves();
ALTER TABLE tables_question ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_question IS
    'A question begins ASKED, due within 31 days; one that follows another is about the same, and that one is answered'
    ' and not settled. One that was asked again is not settled. Moves: ASKED to ANSWERED, ANSWERED to SETTLED.';

COMMENT ON CONSTRAINT tables_question_follows_id_key ON tables_question IS 'A question is asked again once.';
COMMENT ON CONSTRAINT question_in_words ON tables_question IS
    'A question is in words, with a salt, so its hash tells nothing.';
COMMENT ON CONSTRAINT question_steps_whole ON tables_question IS
    'An answer has its words with a salt, who gave it and when; a settled question says by whom and when.';
COMMENT ON CONSTRAINT question_answered_by_another ON tables_question IS
    'Whoever asks does not answer, and whoever answers does not settle.';

CREATE OR REPLACE FUNCTION question_is_logged() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'question:' || NEW.id AND chain_id = coalesce('table:' || NEW.table_id, 'house')
            AND event = 'question.' || lower(NEW.status)
            AND by = 'staff:' || CASE NEW.status
                WHEN 'ASKED' THEN NEW.asked_by_id WHEN 'ANSWERED' THEN NEW.answered_by_id ELSE NEW.settled_by_id END
            AND body::jsonb -> 'facts' @> CASE NEW.status
                WHEN 'ASKED' THEN jsonb_build_object('of', NEW.subject,
                    'words', encode(sha256(convert_to(NEW.salt || NEW.words, 'UTF8')), 'hex'))
                WHEN 'ANSWERED' THEN jsonb_build_object(
                    'answer', encode(sha256(convert_to(NEW.answer_salt || NEW.answer, 'UTF8')), 'hex'))
                ELSE '{}' END
    ) THEN
        RAISE EXCEPTION 'question %: the log has no entry that says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_question;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE ON tables_question DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION question_is_logged();
ALTER TABLE tables_question ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_question IS
    'When the transaction ends, the log has the entry of a question that is asked, answered or settled: by whom, and the'
    ' hash of its words.';

-- What an inspection asks of the words: their digests, which the log has too.
CREATE OR REPLACE FUNCTION question_digests(asked bigint[]) RETURNS TABLE (id bigint, words text, answer text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT q.id, encode(sha256(convert_to(q.salt || q.words, 'UTF8')), 'hex'),
        CASE WHEN q.answer <> '' THEN encode(sha256(convert_to(q.answer_salt || q.answer, 'UTF8')), 'hex') END
    FROM tables_question q WHERE q.id = ANY (asked)
$$;
COMMENT ON FUNCTION question_digests(bigint[]) IS
    'The SHA-256 of the words and answers of questions behind their salts, as the log has them; NULL where there is'
    ' none.';
