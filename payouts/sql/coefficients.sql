-- A table of coefficients, and a rule sheet (tables/sql/rulesheets.sql), begins as a draft and stays as it was once it
-- is published. A coefficient joins a draft only; where its publication is under way in another transaction, it waits
-- for it.

CREATE OR REPLACE FUNCTION published_stays() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
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
CREATE OR REPLACE TRIGGER published_stays BEFORE INSERT OR UPDATE OR DELETE ON payouts_coefficienttable
    FOR EACH ROW EXECUTE FUNCTION published_stays();
ALTER TABLE payouts_coefficienttable ENABLE ALWAYS TRIGGER published_stays;
COMMENT ON TRIGGER published_stays ON payouts_coefficienttable IS
    'A table of coefficients begins as DRAFT; once PUBLISHED it stays as it is. Moves: DRAFT to PUBLISHED.';

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
CREATE OR REPLACE TRIGGER of_draft BEFORE INSERT OR UPDATE OR DELETE ON payouts_coefficient
    FOR EACH ROW EXECUTE FUNCTION coefficient_of_draft();
ALTER TABLE payouts_coefficient ENABLE ALWAYS TRIGGER of_draft;
COMMENT ON TRIGGER of_draft ON payouts_coefficient IS 'Coefficients are added, changed and deleted in a draft only.';

COMMENT ON CONSTRAINT coefficienttable_published_whole ON payouts_coefficienttable IS
    'A published table says who published it and when; a draft says neither.';
COMMENT ON CONSTRAINT coefficienttable_four_eyes ON payouts_coefficienttable IS
    'The person who publishes is another than the person who drafted.';
COMMENT ON CONSTRAINT coefficient_range ON payouts_coefficient IS
    'A coefficient is a ratio of whole numbers from 1 to 10000.';
COMMENT ON CONSTRAINT coefficient_once ON payouts_coefficient IS 'A category has one coefficient in a table.';
COMMENT ON CONSTRAINT coefficient_ordinal_once ON payouts_coefficient IS 'A place in a table has one coefficient.';
