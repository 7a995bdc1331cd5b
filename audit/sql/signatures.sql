-- Signatures under commands, each an entry before what came of it.

COMMENT ON INDEX entry_signed_once IS 'In a chain nobody has two commands signed with one key.';
