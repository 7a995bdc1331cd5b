-- The JSON of money can be read (casino/sql/readable.sql). The constraints are made with a migration; here stands what each
-- is for.

COMMENT ON CONSTRAINT settlement_result_readable ON payouts_settlement IS 'The result can be read.';
COMMENT ON CONSTRAINT movement_denominations_readable ON payouts_movement IS 'The chips of a movement can be read.';
