-- How many passwords may be hashed at once in the whole house, and how many logins were wrong. Whoever locks a row of
-- casino_hashing may hash; the setting HASHINGS says how many of the rows are used.

COMMENT ON CONSTRAINT hashing_number_range ON casino_hashing IS 'At most 64 passwords are hashed at once.';
COMMENT ON CONSTRAINT wronglogins_unknown_within ON casino_wronglogins IS
    'Of a minute''s wrong logins none, some or all have a name that nobody has.';

INSERT INTO casino_hashing (number) SELECT generate_series(1, 64) ON CONFLICT DO NOTHING;
