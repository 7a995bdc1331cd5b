from django.db import migrations

from casino.database import AppendOnly, Grant, Kept

# Leaves come after those that are there, without a gap; within a chain in the order of its entries, each with the hash of
# its entry. A checkpoint is larger than the one before and no larger than the tree.
GUARDS = """
CREATE FUNCTION leaves_follow() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
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
            OR told.hash <> sha256('\\x00'::bytea || convert_to(told.body, 'UTF8'))
    ) THEN
        RAISE EXCEPTION 'leaves from % on do not follow', before + 1 USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER follow AFTER INSERT ON audit_leaf REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION leaves_follow();
ALTER TABLE audit_leaf ENABLE ALWAYS TRIGGER follow;

CREATE FUNCTION checkpoint_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM audit_checkpoint WHERE size >= NEW.size)
       OR NOT EXISTS (SELECT FROM audit_leaf WHERE index = NEW.size - 1)
       OR cardinality(NEW.edge) <> bit_count(NEW.size::bit(64)) OR octet_length(NEW.root) <> 32 THEN
        RAISE EXCEPTION 'checkpoint % does not follow', NEW.size USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON audit_checkpoint FOR EACH ROW EXECUTE FUNCTION checkpoint_follows();
ALTER TABLE audit_checkpoint ENABLE ALWAYS TRIGGER follows;

INSERT INTO audit_sealing (id, refused, unanchored) VALUES (1, '', '');
"""
GROWING = ("audit_leaf", "audit_subtree", "audit_checkpoint", "audit_anchor")


class Migration(migrations.Migration):
    dependencies = [("audit", "0005_tree")]

    operations = [
        migrations.RunSQL(GUARDS),
        *(AppendOnly(table) for table in GROWING),
        *(Grant(table, "SELECT, INSERT") for table in GROWING),
        Kept("audit_sealing"),
        Grant("audit_sealing", "SELECT, UPDATE"),
    ]
