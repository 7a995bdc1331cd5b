-- How many passwords may be hashed at once in the whole house, and how many logins with unknown names came. Whoever
-- locks a row of casino_hashing may hash; the setting HASHINGS says how many of the rows are used.

COMMENT ON CONSTRAINT hashing_number_range ON casino_hashing IS 'At most 64 passwords are hashed at once.';
COMMENT ON CONSTRAINT unknownlogins_number_not_negative ON casino_unknownlogins IS
    'A minute has no fewer logins with unknown names than none.';

INSERT INTO casino_hashing (number) SELECT generate_series(1, 64) ON CONFLICT DO NOTHING;
