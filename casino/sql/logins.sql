-- How many passwords may be hashed at once in the whole house, and how many logins were wrong. Whoever locks a row of
-- casino_hashing may hash; the setting HASHINGS says how many of the rows are used.

COMMENT ON CONSTRAINT hashing_number_range ON casino_hashing IS 'At most 64 passwords are hashed at once.';
COMMENT ON CONSTRAINT wronglogins_number_from_one ON casino_wronglogins IS
    'A minute that is counted had a wrong login.';
COMMENT ON CONSTRAINT wronglogins_unknown_range ON casino_wronglogins IS
    'Of the wrong logins of a minute, none or some or all had a name that nobody has.';

INSERT INTO casino_hashing (number) SELECT generate_series(1, 64) ON CONFLICT DO NOTHING;
