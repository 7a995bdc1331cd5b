-- What the house's own row, its staff and its chips have to say. The constraints are made with their tables; here
-- stands what each is for.

COMMENT ON CONSTRAINT casino_one_row ON casino_casino IS 'There is one house, with the id 1.';
COMMENT ON CONSTRAINT casino_code_plain ON casino_casino IS
    'The house''s code is of small letters, digits and hyphens.';
COMMENT ON CONSTRAINT casino_currency_iso ON casino_casino IS 'The currency is three capital letters.';
COMMENT ON CONSTRAINT casino_currency_decimals_range ON casino_casino IS 'The currency has 0 to 4 decimals.';
COMMENT ON CONSTRAINT staff_login_plain ON casino_staff IS
    'A login begins with a small letter and is of small letters, digits, dots, hyphens and underscores.';
COMMENT ON CONSTRAINT chipset_has_chips ON casino_chipset IS
    'A set of chips has chips, each with a colour, the first worth more than nothing.';
COMMENT ON CONSTRAINT command_key_once ON casino_command IS
    'A person''s key stands for one command, so the same one sent twice is carried out once.';
