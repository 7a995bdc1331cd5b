-- A setting of the house: two people set it, from now on or from a later moment. What was set stays; before its moment
-- it may be withdrawn. That the log has the entries says audit/sql/settings.sql.

CREATE OR REPLACE FUNCTION setting_from_now() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.from_at < now() OR NEW.from_at > now() + interval '1 year' THEN
        RAISE EXCEPTION 'a setting counts from now on, or from a moment within a year'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.withdrawn_at IS NOT NULL THEN
        RAISE EXCEPTION 'a setting does not begin withdrawn' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER from_now BEFORE INSERT ON casino_setting FOR EACH ROW EXECUTE FUNCTION setting_from_now();
ALTER TABLE casino_setting ENABLE ALWAYS TRIGGER from_now;
COMMENT ON TRIGGER from_now ON casino_setting IS
    'A setting counts from now on or from a moment within a year, and does not begin withdrawn.';

COMMENT ON INDEX setting_moment_once IS 'At a moment one value of a setting comes into force.';
COMMENT ON CONSTRAINT setting_name_plain ON casino_setting IS
    'The name of a setting begins with a small letter and is of small letters and underscores.';
COMMENT ON CONSTRAINT setting_value_readable ON casino_setting IS
    'The value is JSON that the product can read: not too long, not too deep, no endless numbers.';
COMMENT ON CONSTRAINT setting_value_single ON casino_setting IS
    'A value is one number, one text, or yes or no.';
COMMENT ON CONSTRAINT setting_four_eyes ON casino_setting IS
    'The person who approves a setting is another than the person who proposes it.';
COMMENT ON CONSTRAINT setting_withdrawn_before ON casino_setting IS
    'A setting is withdrawn before its moment, or not at all.';
