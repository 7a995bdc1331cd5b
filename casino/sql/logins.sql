-- How many passwords may be hashed at once in the whole house, and how many logins were wrong. Whoever locks a row of
-- casino_hashing may hash; the setting HASHINGS says how many of the rows are used.

COMMENT ON CONSTRAINT hashing_number_range ON casino_hashing IS 'At most 64 passwords are hashed at once.';
COMMENT ON CONSTRAINT wronglogins_number_from_one ON casino_wronglogins IS
    'A minute that is counted had a wrong login.';
COMMENT ON CONSTRAINT wronglogins_unknown_range ON casino_wronglogins IS
    'Of the wrong logins of a minute, none or some or all had a name that nobody has.';

INSERT INTO casino_hashing (number) SELECT generate_series(1, 64) ON CONFLICT DO NOTHING;

CREATE OR REPLACE FUNCTION minute_is_of_now() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.minute < '2000-01-01Z' OR NEW.minute > now() + interval '1 hour' THEN
        RAISE EXCEPTION 'no login was wrong at %', NEW.minute USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER of_now BEFORE INSERT OR UPDATE OF minute ON casino_wronglogins
    FOR EACH ROW EXECUTE FUNCTION minute_is_of_now();
ALTER TABLE casino_wronglogins ENABLE ALWAYS TRIGGER of_now;
COMMENT ON TRIGGER of_now ON casino_wronglogins IS
    'A minute that is counted lies between the year 2000 and the next hour.';

-- The table is django-axes', which reads every row at each login: one that Python cannot read would end them all.
ALTER TABLE axes_accessattempt DROP CONSTRAINT IF EXISTS accessattempt_moment_readable;
ALTER TABLE axes_accessattempt ADD CONSTRAINT accessattempt_moment_readable
    CHECK (attempt_time >= '2000-01-01Z' AND attempt_time < '9000-01-01Z');
COMMENT ON CONSTRAINT accessattempt_moment_readable ON axes_accessattempt IS
    'A wrong password was typed in the years 2000 to 8999.';
