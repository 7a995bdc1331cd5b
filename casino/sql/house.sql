-- What the house's own row, its staff and its chips have to say. The constraints are made with their tables; here
-- stands what each is for.

COMMENT ON CONSTRAINT casino_one_row ON casino_casino IS 'There is one house, with the id 1.';
COMMENT ON CONSTRAINT casino_code_plain ON casino_casino IS
    'The house''s code is of small letters, digits and hyphens.';
COMMENT ON CONSTRAINT casino_currency_iso ON casino_casino IS 'The currency is three capital letters.';
COMMENT ON CONSTRAINT casino_currency_decimals_range ON casino_casino IS 'The currency has 0 to 4 decimals.';
COMMENT ON CONSTRAINT casino_has_cash ON casino_casino IS 'There is a note or coin by which cash is counted.';
COMMENT ON CONSTRAINT staff_login_plain ON casino_staff IS
    'A login begins with a small letter and is of small letters, digits, dots, hyphens and underscores.';
COMMENT ON CONSTRAINT chipset_has_chips ON casino_chipset IS
    'A set of chips has chips, each with a colour, the first worth more than nothing.';
COMMENT ON CONSTRAINT command_key_once ON casino_command IS
    'A person''s key stands for one command, so the same one sent twice is carried out once.';

CREATE OR REPLACE FUNCTION chips_ascend() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.denominations <> '{}' AND NEW.denominations IS DISTINCT FROM
       (SELECT array_agg(DISTINCT value ORDER BY value) FROM unnest(NEW.denominations) value WHERE value > 0) THEN
        RAISE EXCEPTION 'chip set %: its chips are whole values above 0, each once, the smallest first', NEW.name
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER ascends BEFORE INSERT ON casino_chipset FOR EACH ROW EXECUTE FUNCTION chips_ascend();
ALTER TABLE casino_chipset ENABLE ALWAYS TRIGGER ascends;
COMMENT ON TRIGGER ascends ON casino_chipset IS 'The values of chips are above 0, each once and the smallest first.';
COMMENT ON CONSTRAINT websession_moments_readable ON casino_websession IS
    'The moments of a web session lie in the years 2000 to 8999, which whoever shows them can read.';
COMMENT ON CONSTRAINT staff_moment_readable ON casino_staff IS
    'The last login of a person lies in the years 2000 to 8999, which whoever shows it can read.';
COMMENT ON CONSTRAINT command_moment_readable ON casino_command IS
    'The moment of a kept answer lies in the years 2000 to 8999, so that it is deleted in its time.';
