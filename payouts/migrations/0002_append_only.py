from django.db import migrations

from casino.database import AppendOnly, Grant

# Whatever the app writes into them, these two columns say which transaction made the header.
HEADERS = """
CREATE FUNCTION header_made_here() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.made_in := pg_current_xact_id();
    NEW.begun_at := now();
    RETURN NEW;
END $$;
CREATE TRIGGER made_here BEFORE INSERT ON payouts_settlement FOR EACH ROW EXECUTE FUNCTION header_made_here();
CREATE TRIGGER made_here BEFORE INSERT ON payouts_movement FOR EACH ROW EXECUTE FUNCTION header_made_here();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER made_here;
ALTER TABLE payouts_movement ENABLE ALWAYS TRIGGER made_here;
"""

# A transfer joins its header in the header's own transaction, with its business date; a reversal mirrors its original.
# A restored cluster counts transaction ids anew, hence `begun_at` beside `made_in`. The search path is fixed, since a
# temporary table of the same name would come first otherwise.
TRANSFERS = """
CREATE FUNCTION transfer_joins_header() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    header record;
    original record;
    ends record;
    fits boolean;
BEGIN
    IF NEW.settlement_id IS NOT NULL THEN
        SELECT made_in, begun_at, business_date, round_key INTO header
        FROM payouts_settlement WHERE id = NEW.settlement_id;
    ELSE
        SELECT made_in, begun_at, business_date, NULL AS round_key INTO header
        FROM payouts_movement WHERE id = NEW.movement_id;
    END IF;
    IF header.made_in IS DISTINCT FROM pg_current_xact_id() OR header.begun_at IS DISTINCT FROM now() THEN
        RAISE EXCEPTION 'transfer %: its header was made in another transaction', NEW.key
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.business_date IS DISTINCT FROM header.business_date THEN
        RAISE EXCEPTION 'transfer %: its business date is not its header''s', NEW.key
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
    SELECT d.kind AS debit, c.kind AS credit, d.owner = c.owner AS same INTO ends
    FROM payouts_account d, payouts_account c WHERE d.id = NEW.debit_id AND c.id = NEW.credit_id;
    fits := CASE NEW.reason
        WHEN 'wager' THEN ends.same AND (ends.debit, ends.credit) IN (('float', 'patrons'), ('patrons', 'float'))
        WHEN 'stake_in' THEN ends.same AND (ends.debit, ends.credit) = ('pot', 'patrons')
        WHEN 'share' THEN ends.same AND (ends.debit, ends.credit) = ('patrons', 'pot')
        WHEN 'rake' THEN (ends.debit, ends.credit) = ('rake', 'pot')
        WHEN 'opener' THEN (ends.debit, ends.credit) = ('float', 'cage')
        WHEN 'fill' THEN (ends.debit, ends.credit) = ('float', 'cage')
        WHEN 'closer' THEN (ends.debit, ends.credit) = ('cage', 'float')
        WHEN 'credit' THEN (ends.debit, ends.credit) = ('cage', 'float')
        WHEN 'drop' THEN (ends.debit, ends.credit) = ('count_room', 'float')
        ELSE true
    END;
    IF NOT fits THEN
        RAISE EXCEPTION 'transfer %: % does not go from % to %', NEW.key, NEW.reason, ends.credit, ends.debit
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER joins_header BEFORE INSERT ON payouts_transfer FOR EACH ROW EXECUTE FUNCTION transfer_joins_header();
ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_header;

-- Generations of a round follow one another without a gap.
CREATE FUNCTION settlement_follows() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.generation <> 1 + (SELECT coalesce(max(generation), 0) FROM payouts_settlement
                              WHERE round_key = NEW.round_key AND generation <> NEW.generation) THEN
        RAISE EXCEPTION 'settlement %: generations follow one another', NEW.key USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER follows BEFORE INSERT ON payouts_settlement FOR EACH ROW EXECUTE FUNCTION settlement_follows();
ALTER TABLE payouts_settlement ENABLE ALWAYS TRIGGER follows;

CREATE FUNCTION payment_joins_settlement() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM payouts_settlement WHERE id = NEW.settlement_id
                   AND made_in = pg_current_xact_id() AND begun_at = now()) THEN
        RAISE EXCEPTION 'payment for box %: its settlement was made in another transaction', NEW.box
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER joins_settlement BEFORE INSERT ON payouts_payment
    FOR EACH ROW EXECUTE FUNCTION payment_joins_settlement();
ALTER TABLE payouts_payment ENABLE ALWAYS TRIGGER joins_settlement;
"""

PUBLISHED = """
CREATE FUNCTION published_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.status <> 'DRAFT' THEN
            RAISE EXCEPTION '% begins as a draft', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF OLD.status = 'PUBLISHED' THEN
        RAISE EXCEPTION '% % is published: % refused', TG_TABLE_NAME, OLD.id, TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER published_stays BEFORE INSERT OR UPDATE OR DELETE ON payouts_coefficienttable
    FOR EACH ROW EXECUTE FUNCTION published_stays();
ALTER TABLE payouts_coefficienttable ENABLE ALWAYS TRIGGER published_stays;

CREATE FUNCTION coefficient_of_draft() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM payouts_coefficienttable WHERE status = 'PUBLISHED'
               AND id IN (CASE WHEN TG_OP <> 'INSERT' THEN OLD.table_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.table_id END)) THEN
        RAISE EXCEPTION 'its coefficient table is published: % refused', TG_OP USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END $$;
CREATE TRIGGER of_draft BEFORE INSERT OR UPDATE OR DELETE ON payouts_coefficient
    FOR EACH ROW EXECUTE FUNCTION coefficient_of_draft();
ALTER TABLE payouts_coefficient ENABLE ALWAYS TRIGGER of_draft;
"""


class Migration(migrations.Migration):
    dependencies = [("payouts", "0001_initial"), ("casino", "0002_rights")]

    operations = [
        *(AppendOnly(f"payouts_{name}") for name in ("settlement", "movement", "transfer", "payment", "paymenttick")),
        migrations.RunSQL(HEADERS),
        migrations.RunSQL(TRANSFERS),
        migrations.RunSQL(PUBLISHED),
        Grant("payouts_coefficienttable", "SELECT, INSERT, UPDATE"),
        Grant("payouts_coefficient", "SELECT, INSERT, UPDATE, DELETE"),
        Grant("payouts_account", "SELECT, INSERT"),
        *(
            Grant(f"payouts_{name}", "SELECT, INSERT")
            for name in ("settlement", "movement", "transfer", "payment", "paymenttick")
        ),
    ]
