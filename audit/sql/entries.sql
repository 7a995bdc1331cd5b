-- The log's chains. An entry follows the one before it, by number and by hash; its time is to the minute that of the
-- transaction that writes it, and never before the chain's newest. The head of a chain moves forward to an entry, never
-- back, and what is committed of a chain has its head at its newest entry. The chain `house` is there from the first
-- day.

CREATE OR REPLACE FUNCTION entry_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    told jsonb := NEW.body::jsonb;
    told_at timestamptz := (NEW.body::jsonb ->> 'at')::timestamptz;
    chain record;
    before text;
BEGIN
    SELECT seq, head, at INTO chain FROM audit_chain WHERE key = NEW.chain_id;
    IF NEW.seq = chain.seq + 1 THEN
        before := chain.head;
    ELSIF NEW.seq > chain.seq THEN
        SELECT encode(sha256(convert_to(body, 'UTF8')), 'hex') INTO before
        FROM audit_entry WHERE chain_id = NEW.chain_id AND seq = NEW.seq - 1;
    END IF;
    IF before IS NULL OR told ->> 'prev' IS DISTINCT FROM before OR told ->> 'chain' IS DISTINCT FROM NEW.chain_id
       OR told ->> 'seq' IS DISTINCT FROM NEW.seq::text THEN
        RAISE EXCEPTION 'entry % does not follow in chain %', NEW.seq, NEW.chain_id USING ERRCODE = 'restrict_violation';
    END IF;
    IF told_at < chain.at OR told_at < now() - interval '1 minute'
       OR told_at > greatest(chain.at, clock_timestamp() + interval '1 minute') THEN
        RAISE EXCEPTION 'entry % of chain %: it is not %', NEW.seq, NEW.chain_id, told_at
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION entry_follows();
ALTER TABLE audit_entry ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON audit_entry IS
    'An entry follows the one before it in its chain, by number and by hash, and says the time at which it is written.';

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
