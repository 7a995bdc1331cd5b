-- The files of cases as they were made: bytes that nobody changes, with their digest, which the log has, too.

COMMENT ON CONSTRAINT casefile_once ON tables_casefile IS 'The same file of a case is kept once.';
COMMENT ON CONSTRAINT casefile_digest_of_bytes ON tables_casefile IS
    'The digest of a case file is the SHA-256 of its bytes, in hexadecimal digits.';
COMMENT ON CONSTRAINT casefile_not_too_long ON tables_casefile IS 'A case file has at most 16 MB.';
COMMENT ON CONSTRAINT casefile_size_from_one ON tables_casefile IS
    'The log of which a case file has proofs has at least one entry.';
