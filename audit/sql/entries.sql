-- The log's chains. An entry is in the one form of contracts/log.md and follows the one before it, by number and by
-- hash; its time is to the minute that of the transaction that writes it, and never before the chain's newest. The
-- columns by which it is found are read out of it once, by the guard that looks at its form; whoever writes fills none.
-- The head of a chain moves forward to an entry, never back, and what is committed of a chain has its head at its newest
-- entry. The chain `house` is there from the first day.

-- What keeps a text from being an entry in the one form (audit/form.py says the same), NULL where nothing does; then its
-- at, chain, prev, seq, by, event and subject. It runs for each entry: one regular expression of few states reads the
-- whole, since states are built anew for each text; the loop looks at what stands between strings; what is literal is
-- compared as text.
CREATE OR REPLACE FUNCTION entry_envelope(body text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE SET search_path = public, pg_temp AS $$
DECLARE
    plain text := body;
    escapes CONSTANT boolean := strpos(body, '\') > 0;
    at CONSTANT text COLLATE "C" := substr(body, 8, 27);
    actor CONSTANT text := split_part(body, '"', 8);
    chain CONSTANT text := split_part(body, '"', 12);
    event CONSTANT text := split_part(body, '"', 16);
    begins CONSTANT text := '{"at":"' || at || '","by":"' || actor || '","chain":"' || chain || '","event":"' || event
        || '","facts":';
    ends text;
    seq text;
    subject text;
    terminal text := 'null';
    version text;
    facts text;
    year integer;
    parts text[];
    depth integer := 2;
    befores text[];
    before text COLLATE "C";
    key text COLLATE "C";
    after text;
    sign text;
BEGIN
    IF coalesce(octet_length(body), 0) NOT BETWEEN 1 AND 1048575 THEN
        RETURN ARRAY['is empty, or longer than 1,048,575 bytes'];
    END IF;
    IF body !~ ('^(?:(?:-?[1-9][0-9]{0,18}|0|true|false|null)?'
        '(?:[][{},:]|"(?:[^"\\\u0001-\u001f\u007f-\u009f]|\\["\\])*"))*$') THEN
        RETURN ARRAY['has blanks, needless escapes, control characters, or numbers that are not whole or too long'];
    END IF;
    IF octet_length(body) <> length(body) AND body IS NOT NFC NORMALIZED THEN
        RETURN ARRAY['is not in Unicode''s normal form NFC'];
    END IF;
    -- Quotes and backslashes within strings make room for characters that no entry has.
    IF escapes THEN
        plain := replace(replace(body, '\\', chr(2)), '\"', chr(1));
    END IF;

    -- What stands before the facts and behind them: put together anew from its values, it is the same text.
    ends := split_part(plain, '},"prev":"', -1);
    seq := btrim(split_part(ends, '"', 4), ':,');
    subject := split_part(ends, '"', 7);
    IF split_part(ends, '"', 10) = ':' THEN
        terminal := '"' || split_part(ends, '"', 11) || '"';
    END IF;
    version := btrim(split_part(ends, '"', -1), ':}');
    IF NOT starts_with(body, begins)
        OR ends <> left(ends, 64) || '","seq":' || seq || ',"subject":"' || subject || '","terminal":' || terminal
            || ',"v":' || version || '}'
        OR left(ends, 64) !~ '^[0-9a-f]*$' OR length(subject) NOT BETWEEN 1 AND 80
        OR event !~ '^[a-z_]+(?:\.[a-z_]+)+$' OR length(event) > 80
        OR actor <> 'system' AND actor !~ '^staff:[1-9][0-9]{0,17}$'
        OR chain <> 'house' AND chain !~ '^table:[1-9][0-9]{0,17}$'
        OR seq !~ '^[1-9][0-9]{0,17}$' OR version <> '1' AND version !~ '^[1-9][0-9]{0,17}$' THEN
        RETURN ARRAY['has not exactly the keys of an entry, or a value that is not what it should be'];
    END IF;
    IF translate(at, '123456789', '000000000') <> '0000-00-00T00:00:00.000000Z' OR left(at, 4) = '0000'
        OR substr(at, 6, 2) NOT BETWEEN '01' AND '12' OR substr(at, 9, 2) NOT BETWEEN '01' AND '31'
        OR substr(at, 12, 2) > '23' OR substr(at, 15, 1) > '5' OR substr(at, 18, 1) > '5' THEN
        RETURN ARRAY['has a time that is none'];
    END IF;
    IF substr(at, 9, 2) > '28' AND substr(at, 6, 2) NOT IN ('01', '03', '05', '07', '08', '10', '12') THEN
        year := left(at, 4);
        IF substr(at, 9, 2) = '31' OR substr(at, 6, 2) = '02' AND (substr(at, 9, 2) = '30' OR year % 4 <> 0
            OR year % 100 = 0 AND year % 400 <> 0) THEN
            RETURN ARRAY['has a time that is none'];
        END IF;
    END IF;

    -- The facts: strings stand in even places, what is between them in odd ones; a key is a string before a colon.
    facts := substr(plain, length(begins) + 1, length(plain) - length(begins) - length(ends) - 9);
    parts := string_to_array(facts, '"');
    FOR place IN 2..cardinality(parts) BY 2 LOOP
        after := parts[place + 1];
        CONTINUE WHEN after = ',';
        IF starts_with(after, ':') THEN
            key := CASE WHEN escapes THEN translate(parts[place], chr(1) || chr(2), '"\') ELSE parts[place] END;
            IF key <= before THEN
                RETURN ARRAY['has a key twice, or keys out of order'];
            END IF;
            before := key;
            CONTINUE WHEN after = ':';
            IF depth = 2 AND starts_with(after, ':null') THEN
                RETURN ARRAY['has a fact without a value'];
            END IF;
        END IF;
        -- What opens and closes is left of it; mostly nothing, or one object of a list ends and the next begins.
        after := translate(after, ':,-0123456789truefalsn', '');
        CONTINUE WHEN after = '';
        IF after = '}{' THEN
            before := NULL;
            CONTINUE;
        END IF;
        FOREACH sign IN ARRAY string_to_array(after, NULL) LOOP
            IF sign IN ('{', '[') THEN
                befores[depth] := before;
                before := NULL;
                depth := depth + 1;
                IF depth > 100 THEN
                    RETURN ARRAY['is nested too deep'];
                END IF;
            ELSE
                depth := depth - 1;
                before := befores[depth];
            END IF;
        END LOOP;
    END LOOP;
    IF escapes THEN
        facts := replace(replace(facts, chr(1), '\"'), chr(2), '\\');
    END IF;
    IF facts IS NOT JSON OBJECT THEN
        RETURN ARRAY['has facts that are no JSON'];
    END IF;
    RETURN ARRAY[NULL, at, chain, left(ends, 64), seq, actor, event, translate(subject, chr(1) || chr(2), '"\')];
END $$;
COMMENT ON FUNCTION entry_envelope(text) IS
    'What keeps a text from being an entry in the one form, or NULL; then its at, chain, prev, seq, by, event and'
    ' subject.';

CREATE OR REPLACE FUNCTION entry_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    envelope CONSTANT text[] := entry_envelope(NEW.body);
    told_at timestamptz;
    chain record;
    before text;
BEGIN
    IF envelope[1] IS NOT NULL THEN
        RAISE EXCEPTION 'entry % of chain % is no entry: it %', NEW.seq, NEW.chain_id, envelope[1]
            USING ERRCODE = 'restrict_violation';
    END IF;
    SELECT seq, head, at INTO chain FROM audit_chain WHERE key = NEW.chain_id;
    IF NEW.seq = chain.seq + 1 THEN
        before := chain.head;
    ELSIF NEW.seq > chain.seq THEN
        SELECT encode(sha256(convert_to(body, 'UTF8')), 'hex') INTO before
        FROM audit_entry WHERE chain_id = NEW.chain_id AND seq = NEW.seq - 1;
    END IF;
    IF before IS NULL OR envelope[3] <> NEW.chain_id OR envelope[4] <> before OR envelope[5] <> NEW.seq::text THEN
        RAISE EXCEPTION 'entry % does not follow in chain %', NEW.seq, NEW.chain_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF num_nonnulls(NEW.at, NEW."by", NEW.event, NEW.subject) > 0 THEN
        RAISE EXCEPTION 'entry % of chain %: its body alone says its at, by, event and subject', NEW.seq, NEW.chain_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    NEW.at := envelope[2];
    NEW."by" := envelope[6];
    NEW.event := envelope[7];
    NEW.subject := envelope[8];
    told_at := envelope[2];
    IF told_at < chain.at OR told_at < clock_timestamp() - interval '1 minute'
       OR told_at > greatest(chain.at, clock_timestamp() + interval '1 minute') THEN
        RAISE EXCEPTION 'entry % of chain %: it is not %', NEW.seq, NEW.chain_id, told_at
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION entry_follows();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON audit_entry IS
    'An entry is in the one form, follows the one before it in its chain, by number and by hash, and says the time at '
    'which it is written; its columns say what it says.';

CREATE OR REPLACE FUNCTION chain_moves_forward() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF (NEW.seq, NEW.head, NEW.at) IS DISTINCT FROM (0::bigint, repeat('0', 64)::varchar, NULL::timestamptz) THEN
            RAISE EXCEPTION 'chain % begins empty', NEW.key USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.key <> OLD.key OR NEW.seq <= OLD.seq OR NEW.at IS NULL OR NEW.at < OLD.at THEN
        RAISE EXCEPTION 'chain % can only grow', OLD.key USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT EXISTS (SELECT FROM audit_entry WHERE chain_id = NEW.key AND seq = NEW.seq AND at::timestamptz = NEW.at
                   AND encode(sha256(convert_to(body, 'UTF8')), 'hex') = NEW.head) THEN
        RAISE EXCEPTION 'chain %: its head is no entry', OLD.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves_forward BEFORE INSERT OR UPDATE ON audit_chain
    FOR EACH ROW EXECUTE FUNCTION chain_moves_forward();
ALTER TABLE audit_chain ENABLE ALWAYS TRIGGER moves_forward;
COMMENT ON TRIGGER moves_forward ON audit_chain IS
    'A chain begins empty, and its head only moves forward, to an entry that is there.';

CREATE OR REPLACE FUNCTION entry_is_reached() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM audit_chain WHERE key = NEW.chain_id AND seq >= NEW.seq) THEN
        RAISE EXCEPTION 'entry % is past the head of chain %', NEW.seq, NEW.chain_id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS reached ON audit_entry;
CREATE CONSTRAINT TRIGGER reached AFTER INSERT ON audit_entry DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION entry_is_reached();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER reached;
COMMENT ON TRIGGER reached ON audit_entry IS 'When the transaction ends, the head of the chain has reached the entry.';

COMMENT ON CONSTRAINT chain_key_known ON audit_chain IS 'A chain is that of the house or of a table.';
COMMENT ON CONSTRAINT chain_head_hex ON audit_chain IS 'A head is a SHA-256 in hexadecimal digits.';
COMMENT ON CONSTRAINT entry_says_all ON audit_entry IS 'An entry says what happened, to what, by whom and when.';
COMMENT ON CONSTRAINT entry_seq_from_one ON audit_entry IS 'The entries of a chain are counted from 1.';
COMMENT ON CONSTRAINT entry_seq_once ON audit_entry IS 'A number stands for one entry of a chain.';

INSERT INTO audit_chain (key, seq, head) VALUES ('house', 0, repeat('0', 64)) ON CONFLICT DO NOTHING;
