-- The entries of a chain and its head in one call, then the word to whoever watches the chain. It runs as its caller,
-- so each guard asks for the caller's rights.

CREATE OR REPLACE FUNCTION append_entries(chain text, first bigint, bodies json, head text, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    grown CONSTANT text := append_entries.chain;
BEGIN
    INSERT INTO audit_entry (chain_id, seq, body)
    SELECT grown, first + told.place - 1, told.body
    FROM json_array_elements_text(bodies) WITH ORDINALITY AS told(body, place) ORDER BY told.place;
    UPDATE audit_chain SET seq = first + json_array_length(bodies) - 1, head = append_entries.head, at = append_entries.at
    WHERE key = grown;
    PERFORM pg_notify('chain', grown);
END $$;
COMMENT ON FUNCTION append_entries(text, bigint, json, text, timestamptz) IS
    'Writes entries at the end of a chain, moves its head and notifies those that listen.';
