-- What whoever reads JSON can read. PostgreSQL takes numbers of 100,000 digits and thousands of brackets; Python's
-- `json` refuses integers of more than 4,300 digits and what is nested some 1,000 deep: one such row, and a page, a
-- list or an inspection fails. The bounds leave room: no number of the product has more than 19 digits, and nothing
-- is nested more than 10 deep; 100 digits, since a digest may be digits alone. All that the log tells of fits an
-- entry, which has less than 1 MiB; a round of sixty plays comes to some 10 kB.

CREATE OR REPLACE FUNCTION is_readable(told jsonb, most integer DEFAULT 1048576) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(told::text) <= most AND told::text !~ '[0-9]{100}'
    AND NOT jsonb_path_exists(told, '$.**{50 to last}');
COMMENT ON FUNCTION is_readable(jsonb, integer) IS
    'Whether a JSON is neither too long nor too deep, and its numbers not too long, for whoever reads it.';

-- A text stays as it was written, so its own digits count.
CREATE OR REPLACE FUNCTION is_readable(told text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN octet_length(told) <= 1048576 AND told !~ '[0-9]{100}'
    AND NOT jsonb_path_exists(told::jsonb, '$.**{50 to last}');
COMMENT ON FUNCTION is_readable(text) IS 'The same of a text, which is JSON.';
