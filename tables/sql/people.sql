-- Postings and one-time codes: two others give and end them.

COMMENT ON CONSTRAINT posting_posted_whole ON tables_posting IS
    'Two people post a person; none is named where the house was set up.';
COMMENT ON CONSTRAINT posting_ended_whole ON tables_posting IS
    'Two people are named who end a posting, when it ends, or none.';
COMMENT ON CONSTRAINT posting_four_eyes ON tables_posting IS 'Nobody posts, or ends a posting, as both of the two.';
COMMENT ON CONSTRAINT posting_by_others ON tables_posting IS 'Nobody gives or ends their own posting.';
COMMENT ON CONSTRAINT onetimecode_given_whole ON tables_onetimecode IS
    'Two people give a one-time code; none is named where no two could.';
COMMENT ON CONSTRAINT onetimecode_four_eyes ON tables_onetimecode IS 'Two different people give a one-time code.';
COMMENT ON CONSTRAINT onetimecode_by_others ON tables_onetimecode IS 'Nobody gives themselves a one-time code.';
COMMENT ON INDEX onetimecode_one_stands IS 'A person has one one-time code at a time.';

-- Whoever founds a house can't be given a code by two others. As soon as two others can sign, two do.
CREATE OR REPLACE FUNCTION code_needs_two() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.given_by_id IS NULL AND (
        SELECT count(*) FROM casino_staff WHERE is_active AND id <> NEW.staff_id AND password NOT LIKE '!%'
    ) > 1 THEN
        RAISE EXCEPTION 'the code of person % names nobody, and there are two others who could give it', NEW.staff_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER needs_two BEFORE INSERT ON tables_onetimecode FOR EACH ROW EXECUTE FUNCTION code_needs_two();
ALTER TABLE tables_onetimecode ENABLE ALWAYS TRIGGER needs_two;
COMMENT ON TRIGGER needs_two ON tables_onetimecode IS
    'A one-time code names nobody only as long as no two others have a password.';
