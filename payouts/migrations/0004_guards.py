import django.db.models.functions.comparison
import django.db.models.functions.text
from django.db import migrations, models

from casino.database import AppendOnly, Execute, Keeps, Kept, Timed

# A transfer joins its header in the header's own transaction, with its key and its business date, between accounts of
# the header's table or the house; a movement has one transfer, of its kind and of its chips. `IS NOT TRUE`, since an
# account that is only made later in the transaction is unknown here.
TRANSFERS = """
CREATE OR REPLACE FUNCTION transfer_joins_header() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    header record;
    original record;
    ends record;
    fits boolean;
BEGIN
    IF NEW.settlement_id IS NOT NULL THEN
        SELECT key, made_in, begun_at, business_date, round_key::text, table_key::text, NULL AS kind, NULL::numeric AS units
        INTO header FROM payouts_settlement WHERE id = NEW.settlement_id;
    ELSE
        SELECT key, made_in, begun_at, business_date, NULL AS round_key, NULL AS table_key, kind::text,
            (SELECT CASE WHEN min(chip.key::numeric) > 0 AND min(chip.value::numeric) >= 0
                    THEN sum(chip.key::numeric * chip.value::numeric) END
             FROM jsonb_each_text(denominations) chip) AS units
        INTO header FROM payouts_movement WHERE id = NEW.movement_id;
    END IF;
    IF header.made_in IS DISTINCT FROM pg_current_xact_id() OR header.begun_at IS DISTINCT FROM now() THEN
        RAISE EXCEPTION 'transfer %: its header was made in another transaction', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NOT starts_with(NEW.key, header.key || ':') THEN
        RAISE EXCEPTION 'transfer %: its key does not begin with its header''s, %', NEW.key, header.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.business_date IS DISTINCT FROM header.business_date THEN
        RAISE EXCEPTION 'transfer %: its business date is not its header''s', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.settlement_id IS NULL AND (NEW.reason::text, NEW.units::numeric) IS DISTINCT FROM (header.kind, header.units) THEN
        RAISE EXCEPTION 'transfer %: it moves something else than its movement', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.reverses_id IS NOT NULL THEN
        SELECT t.debit_id, t.credit_id, t.units, t.reverses_id, s.round_key INTO original
        FROM payouts_transfer t LEFT JOIN payouts_settlement s ON s.id = t.settlement_id WHERE t.id = NEW.reverses_id;
        IF original.reverses_id IS NOT NULL OR original.round_key IS DISTINCT FROM header.round_key THEN
            RAISE EXCEPTION 'transfer %: a reversal takes back a transfer of its own round', NEW.key
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF (NEW.debit_id, NEW.credit_id, NEW.units) IS DISTINCT FROM (original.credit_id, original.debit_id, original.units) THEN
            RAISE EXCEPTION 'transfer %: a reversal mirrors the transfer it reverses', NEW.key
                USING ERRCODE = 'restrict_violation';
        END IF;
    END IF;
    SELECT d.kind AS debit, c.kind AS credit, d.owner = c.owner AS same,
        header.table_key IS NULL OR d.owner IN (header.table_key, 'house') AND c.owner IN (header.table_key, 'house') AS here
    INTO ends FROM payouts_account d, payouts_account c WHERE d.id = NEW.debit_id AND c.id = NEW.credit_id;
    fits := ends.here AND CASE NEW.reason
        WHEN 'wager' THEN ends.same AND (ends.debit, ends.credit) IN (('float', 'patrons'), ('patrons', 'float'))
        WHEN 'stake_in' THEN ends.same AND (ends.debit, ends.credit) = ('pot', 'patrons')
        WHEN 'points' THEN ends.same AND (ends.debit, ends.credit) = ('pot', 'patrons')
        WHEN 'share' THEN ends.same AND (ends.debit, ends.credit) = ('patrons', 'pot')
        WHEN 'rake' THEN (ends.debit, ends.credit) = ('rake', 'pot')
        WHEN 'reversal' THEN true
        WHEN 'opener' THEN (ends.debit, ends.credit) = ('float', 'cage')
        WHEN 'fill' THEN (ends.debit, ends.credit) = ('float', 'cage')
        WHEN 'closer' THEN (ends.debit, ends.credit) = ('cage', 'float')
        WHEN 'credit' THEN (ends.debit, ends.credit) = ('cage', 'float')
        WHEN 'drop' THEN (ends.debit, ends.credit) = ('count_room', 'float')
        WHEN 'variance' THEN 'variance' IN (ends.debit, ends.credit)
    END AND (NEW.movement_id IS NOT NULL
             OR NEW.reason IN ('wager', 'stake_in', 'points', 'share', 'rake', 'reversal'));
    IF fits IS NOT TRUE THEN
        RAISE EXCEPTION 'transfer %: % does not go from % to %', NEW.key, NEW.reason, ends.credit, ends.debit
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
DROP TRIGGER points_fit ON payouts_transfer;
DROP FUNCTION points_go_into_pot();
ALTER FUNCTION header_made_here() SET search_path = public, pg_temp;
ALTER FUNCTION published_stays() SET search_path = public, pg_temp;

CREATE FUNCTION movement_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM payouts_transfer WHERE movement_id = NEW.id) THEN
        RAISE EXCEPTION 'movement %: it moves nothing', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER moves AFTER INSERT ON payouts_movement DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION movement_moves();
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER moves;
"""

# What is wrong with a settlement as a whole, NULL where nothing is: asked when its round takes it.
WHOLE = """
CREATE FUNCTION settlement_fault(asked bigint) RETURNS text
LANGUAGE plpgsql STABLE SET search_path = public, pg_temp AS $$
DECLARE
    settled record;
    moved record;
BEGIN
    SELECT round_key, generation,
        (SELECT coalesce(sum(net_units), 0) FROM payouts_payment WHERE settlement_id = s.id) AS net_units
    INTO settled FROM payouts_settlement s WHERE id = asked;
    SELECT coalesce(sum(CASE WHEN d.kind = 'patrons' THEN t.units WHEN c.kind = 'patrons' THEN -t.units END)
                    FILTER (WHERE t.reverses_id IS NULL), 0) AS net_units,
        coalesce(sum(CASE WHEN d.kind = 'pot' THEN t.units WHEN c.kind = 'pot' THEN -t.units END), 0) AS pot_units,
        count(t.reverses_id) AS reversed
    INTO moved
    FROM payouts_transfer t JOIN payouts_account d ON d.id = t.debit_id JOIN payouts_account c ON c.id = t.credit_id
    WHERE t.settlement_id = asked;
    RETURN CASE
        WHEN settled.net_units <> moved.net_units THEN
            format('its payments come to %s units and its transfers to %s', settled.net_units, moved.net_units)
        WHEN moved.pot_units <> 0 THEN format('it leaves %s units in the pot', moved.pot_units)
        WHEN settled.generation > 1 AND moved.reversed <> (
            SELECT count(*) FROM payouts_settlement s JOIN payouts_transfer t ON t.settlement_id = s.id
            WHERE s.round_key = settled.round_key AND s.generation = settled.generation - 1 AND t.reverses_id IS NULL)
            THEN 'it does not reverse all that the one before moved'
    END;
END $$;
"""

# A coefficient joins a table whose publication, under way in another transaction, it has waited for.
COEFFICIENTS = """
CREATE OR REPLACE FUNCTION coefficient_of_draft() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    of_table record;
BEGIN
    FOR of_table IN
        SELECT status FROM payouts_coefficienttable
        WHERE id IN (CASE WHEN TG_OP <> 'INSERT' THEN OLD.table_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.table_id END)
        ORDER BY id FOR SHARE
    LOOP
        IF of_table.status = 'PUBLISHED' THEN
            RAISE EXCEPTION 'its coefficient table is published: % refused', TG_OP USING ERRCODE = 'restrict_violation';
        END IF;
    END LOOP;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("payouts", "0003_points"), ("casino", "0004_guards")]

    operations = [
        migrations.AddConstraint(
            model_name="movement",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "key",
                        django.db.models.functions.text.Concat(
                            "subject",
                            models.Value(":"),
                            "kind",
                            models.Value(":"),
                            django.db.models.functions.comparison.Cast("number", models.TextField()),
                            output_field=models.TextField(),
                        ),
                    )
                ),
                name="movement_key_says_all",
            ),
        ),
        migrations.AddConstraint(
            model_name="transfer",
            constraint=models.UniqueConstraint(fields=("movement",), name="transfer_movement_once"),
        ),
        migrations.RunSQL(TRANSFERS),
        migrations.RunSQL(WHOLE),
        Execute("settlement_fault(bigint)"),
        migrations.RunSQL(COEFFICIENTS),
        AppendOnly("payouts_account"),
        Kept("payouts_coefficient", rows=False),
        Kept("payouts_coefficienttable"),
        Keeps("payouts_coefficienttable", "id", "game", "drafted_by_id", "drafted_at"),
        Timed("payouts_coefficienttable", "drafted_at", "published_at"),
        Timed("payouts_paymenttick", "at"),
    ]
