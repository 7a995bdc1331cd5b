-- The tree of what was sealed. Leaves come after those that are there, without a gap; within a chain in the order of
-- its entries, each with the hash of its entry. A checkpoint is larger than the newest that the sealer signed, as it says
-- in audit_sealing, and no larger than the tree: a larger row that somebody else wrote does not stop it. A leaf that is
-- not signed yet may be passed over: then it is moved to audit_passedleaf.

CREATE OR REPLACE FUNCTION leaves_follow() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    before bigint;
BEGIN
    SELECT coalesce(max(index), -1) INTO before FROM audit_leaf WHERE index < (SELECT min(index) FROM added);
    IF EXISTS (
        SELECT FROM (
            SELECT leaf.index, leaf.hash, entry.body, leaf.seq, sealed.seq AS sealed_seq,
                row_number() OVER (ORDER BY leaf.index) AS place,
                row_number() OVER (PARTITION BY leaf.chain_id ORDER BY leaf.index) AS in_chain
            FROM added leaf
            JOIN (
                SELECT chain_id, (SELECT coalesce(max(seq), 0) FROM audit_leaf
                                  WHERE chain_id = grown.chain_id AND seq < grown.first) AS seq
                FROM (SELECT chain_id, min(seq) AS first FROM added GROUP BY chain_id) grown
            ) sealed USING (chain_id)
            LEFT JOIN LATERAL (
                SELECT body FROM audit_entry WHERE chain_id = leaf.chain_id AND seq = leaf.seq LIMIT 1
            ) entry ON true
        ) told
        WHERE told.body IS NULL OR told.index <> before + told.place OR told.seq <> told.sealed_seq + told.in_chain
            OR told.hash <> sha256('\x00'::bytea || convert_to(told.body, 'UTF8'))
    ) THEN
        RAISE EXCEPTION 'leaves from % on do not follow', before + 1 USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER follow AFTER INSERT ON audit_leaf REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION leaves_follow();
ALTER TABLE audit_leaf ENABLE ALWAYS TRIGGER follow;
COMMENT ON TRIGGER follow ON audit_leaf IS
    'Leaves come after those that are there, without a gap, each with the hash of its entry and in the order of '
    'its chain.';

CREATE OR REPLACE FUNCTION leaf_stays() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.index >= (SELECT sealed FROM audit_sealing)
       AND EXISTS (SELECT FROM audit_passedleaf WHERE (index, chain_id, seq, hash)
                   = (OLD.index, OLD.chain_id, OLD.seq, OLD.hash)) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON audit_leaf
    FOR EACH ROW EXECUTE FUNCTION leaf_stays();
ALTER TABLE audit_leaf ENABLE ALWAYS TRIGGER append_only;
COMMENT ON TRIGGER append_only ON audit_leaf IS
    'Rows are added, and none is changed or deleted, but for a leaf that is not signed yet and stands among those that '
    'were passed over.';

-- What an auditor passes over is moved, never lost. It runs as its owner: the sealer may delete no leaf by itself.
CREATE OR REPLACE FUNCTION pass_over_leaves() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    signed CONSTANT bigint := (SELECT sealed FROM audit_sealing);
BEGIN
    -- Whatever the sealer says is signed: leaves that are what their entries give, one after the other, stay.
    IF NOT EXISTS (
        SELECT FROM (SELECT index, chain_id, seq, hash, lag(index, 1, signed - 1) OVER (ORDER BY index) AS before
                     FROM audit_leaf WHERE index >= signed) leaf
        LEFT JOIN audit_entry entry ON entry.chain_id = leaf.chain_id AND entry.seq = leaf.seq
        WHERE leaf.index <> leaf.before + 1 OR entry.body IS NULL
            OR leaf.hash <> sha256('\x00' || convert_to(entry.body, 'UTF8'))
            OR leaf.seq <> 1 + (SELECT coalesce(max(b.seq), 0) FROM audit_leaf b
                                WHERE b.chain_id = leaf.chain_id AND b.index < leaf.index)) THEN
        RAISE EXCEPTION 'the leaves from % on are in order, so none is passed over', signed
            USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO audit_passedleaf (index, chain_id, seq, hash)
    SELECT index, chain_id, seq, hash FROM audit_leaf WHERE index >= signed ORDER BY index;
    DELETE FROM audit_leaf WHERE index >= signed;
END $$;
COMMENT ON FUNCTION pass_over_leaves() IS
    'Moves the leaves that are not signed yet to those that were passed over, where one of them is wrong.';

CREATE OR REPLACE FUNCTION checkpoint_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.size <= (SELECT sealed FROM audit_sealing)
       OR NOT EXISTS (SELECT FROM audit_leaf WHERE index = NEW.size - 1)
       OR cardinality(NEW.edge) <> bit_count(NEW.size::bit(64)) OR octet_length(NEW.root) <> 32 THEN
        RAISE EXCEPTION 'checkpoint % does not follow', NEW.size USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER follows BEFORE INSERT ON audit_checkpoint FOR EACH ROW EXECUTE FUNCTION checkpoint_follows();
ALTER TABLE audit_checkpoint ENABLE ALWAYS TRIGGER follows;
COMMENT ON TRIGGER follows ON audit_checkpoint IS
    'A checkpoint is larger than the newest that was signed and covers leaves that are there.';

COMMENT ON CONSTRAINT checkpoint_has_leaves ON audit_checkpoint IS 'A checkpoint covers a leaf at least.';
COMMENT ON CONSTRAINT leaf_once ON audit_leaf IS 'An entry is sealed once.';
COMMENT ON CONSTRAINT subtree_once ON audit_subtree IS 'A place of the tree has one hash.';
COMMENT ON CONSTRAINT sealing_one_row ON audit_sealing IS
    'What keeps the log from being sealed stands in one row, with the id 1.';

INSERT INTO audit_sealing (id, refused, unanchored, forged, sealed, anchored) VALUES (1, '', '', '', 0, 0)
ON CONFLICT DO NOTHING;
