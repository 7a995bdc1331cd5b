from django.db import migrations

from casino.database import Execute

# Everything of a batch in one call, planned once a connection: entries in order, then the head, then the word to whoever
# watches the chain. It runs as its caller, so each guard asks him.
APPEND = """
CREATE FUNCTION append_entries(chain text, first bigint, bodies json, head text, at timestamptz) RETURNS void
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
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_guards")]

    operations = [
        migrations.RunSQL(APPEND),
        Execute("append_entries(text, bigint, json, text, timestamptz)"),
    ]
