-- Tables, the people posted and signed on there, and their terminals. A table's accounts are its own for ever, and its
-- count of rounds agrees with their numbers when the transaction ends.

CREATE OR REPLACE FUNCTION table_counts() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND NEW.last_number NOT IN (OLD.last_number, OLD.last_number + 1)
       OR TG_OP = 'INSERT' AND NEW.last_number <> 0 THEN
        RAISE EXCEPTION 'table %: its rounds are counted one by one', NEW.code USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'UPDATE' AND (
        OLD.float_account_id <> NEW.float_account_id OR OLD.patrons_account_id <> NEW.patrons_account_id
        OR OLD.pot_account_id <> NEW.pot_account_id OR OLD.rake_account_id <> NEW.rake_account_id
        OR OLD.float_account_id IS NOT NULL AND NEW.float_account_id IS NULL
        OR OLD.patrons_account_id IS NOT NULL AND NEW.patrons_account_id IS NULL
        OR OLD.pot_account_id IS NOT NULL AND NEW.pot_account_id IS NULL
        OR OLD.rake_account_id IS NOT NULL AND NEW.rake_account_id IS NULL)
       OR 4 > (SELECT count(*) FROM (VALUES (NEW.float_account_id, 'float'), (NEW.patrons_account_id, 'patrons'),
                                            (NEW.pot_account_id, 'pot'), (NEW.rake_account_id, 'rake')) place (id, kind)
               WHERE place.id IS NULL OR EXISTS (SELECT FROM payouts_account a WHERE a.id = place.id
                                                 AND a.kind = place.kind AND a.owner = 'table:' || NEW.id)) THEN
        RAISE EXCEPTION 'table %: its accounts are its own, for ever', NEW.code USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER counts BEFORE INSERT OR UPDATE ON tables_table FOR EACH ROW EXECUTE FUNCTION table_counts();
ALTER TABLE tables_table ENABLE ALWAYS TRIGGER counts;
COMMENT ON TRIGGER counts ON tables_table IS
    'A table''s rounds are counted one by one from 0, and its accounts are its own, for ever.';

CREATE OR REPLACE FUNCTION count_is_of_rounds() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    counted bigint := CASE TG_TABLE_NAME WHEN 'tables_table' THEN (to_jsonb(NEW) ->> 'id')::bigint
                      ELSE (to_jsonb(NEW) ->> 'table_id')::bigint END;
BEGIN
    IF (SELECT last_number FROM tables_table WHERE id = counted)
       <> (SELECT coalesce(max(number), 0) FROM tables_round WHERE table_id = counted) THEN
        RAISE EXCEPTION 'table %: its count is not that of its rounds', counted USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS counted ON tables_round;
CREATE CONSTRAINT TRIGGER counted AFTER INSERT ON tables_round DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION count_is_of_rounds();
ALTER TABLE tables_round ENABLE ALWAYS TRIGGER counted;
COMMENT ON TRIGGER counted ON tables_round IS
    'When the transaction ends, the table''s count is the number of its newest round.';

DROP TRIGGER IF EXISTS counted ON tables_table;
CREATE CONSTRAINT TRIGGER counted AFTER UPDATE OF last_number ON tables_table DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION count_is_of_rounds();
ALTER TABLE tables_table ENABLE ALWAYS TRIGGER counted;
COMMENT ON TRIGGER counted ON tables_table IS
    'When the transaction ends, the count is the number of the table''s newest round.';

COMMENT ON CONSTRAINT table_code_plain ON tables_table IS
    'A table''s code is of capital letters and digits, a letter first.';
COMMENT ON CONSTRAINT table_last_number ON tables_table IS 'Rounds are counted from 0.';
COMMENT ON CONSTRAINT posting_role_known ON tables_posting IS 'The role is one that the house knows.';
COMMENT ON INDEX posting_once IS 'A person has a role once in a pit, or once in the house, at a time.';
COMMENT ON INDEX signon_one_table IS 'A person is signed on at one table at a time.';
COMMENT ON INDEX signon_one_person IS 'One person is signed on at a table at a time.';
