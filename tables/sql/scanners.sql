-- How the scanners of terminals spell cards: rows are added, and a revoked terminal gets none.

CREATE OR REPLACE FUNCTION scanner_of_terminal() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM tables_terminal WHERE id = NEW.terminal_id AND revoked_at IS NOT NULL) THEN
        RAISE EXCEPTION 'the terminal of scanner % is revoked', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER of_terminal BEFORE INSERT ON tables_scanner
    FOR EACH ROW EXECUTE FUNCTION scanner_of_terminal();
ALTER TABLE tables_scanner ENABLE ALWAYS TRIGGER of_terminal;
COMMENT ON TRIGGER of_terminal ON tables_scanner IS 'A revoked terminal gets no other scanner.';

COMMENT ON CONSTRAINT scanner_typed ON tables_scanner IS
    'Prefix and suffix are keys that the terminal takes for a scan: visible ASCII without `?` and `.`.';
COMMENT ON CONSTRAINT scanner_codes_readable ON tables_scanner IS
    'The codes are JSON that the product can read: not too long, not too deep, no endless numbers.';
COMMENT ON CONSTRAINT scanner_codes_object ON tables_scanner IS 'The codes are an object, by card.';
