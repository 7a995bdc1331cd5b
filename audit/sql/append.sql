-- Entries at the end of a chain in one call, then the word to whoever watches the chain. It runs as its caller, so each
-- guard asks for the caller's rights. The caller says what an entry tells, in the one form; its time, the hash of the
-- one before it and its number are known once the chain is locked, which is the last lock of a transaction, and kept.

DROP FUNCTION IF EXISTS append_entries(text, bigint, json, text, timestamptz);
CREATE OR REPLACE FUNCTION append_entries(chain text, told json) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    grown CONSTANT text := append_entries.chain;
    last record;
    following text;
    told_at text;
    begins text;
    ends text;
    place integer;
    bodies text[];
BEGIN
    SELECT c.seq, c.head, c.at INTO last FROM audit_chain c WHERE c.key = grown FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no chain %', grown USING ERRCODE = 'foreign_key_violation';
    END IF;
    -- The clock is read when the lock is held, not while waiting for it.
    last.at := greatest(last.at, clock_timestamp());
    told_at := to_char(last.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
    following := last.head;
    FOR begins, ends, place IN
        SELECT value ->> 0, value ->> 1, ordinality FROM json_array_elements(told) WITH ORDINALITY
    LOOP
        bodies[place] := '{"at":"' || told_at || '",' || begins || ',"prev":"' || following || '","seq":'
            || last.seq + place || ',' || ends || '}';
        following := encode(sha256(convert_to(bodies[place], 'UTF8')), 'hex');
    END LOOP;
    INSERT INTO audit_entry (chain_id, seq, body)
    SELECT grown, last.seq + written.place, written.body FROM unnest(bodies) WITH ORDINALITY AS written(body, place);
    UPDATE audit_chain c SET seq = last.seq + cardinality(bodies), head = following, at = last.at
    WHERE c.key = grown;
    PERFORM pg_notify('chain', grown || ' ' || last.seq + cardinality(bodies));
END $$;
COMMENT ON FUNCTION append_entries(text, json) IS
    'Locks a chain, writes entries at its end, each from what stands before its "prev" and what stands behind its "seq",'
    ' moves the head and notifies those that listen.';
