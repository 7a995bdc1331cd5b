-- Terminals: renamed and seen until they are revoked. A name belongs to one terminal for ever, since the log names it so.

CREATE OR REPLACE FUNCTION terminal_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND (
        OLD.revoked_at IS NOT NULL
        OR (NEW.id, NEW.table_id, NEW.enrolled_at, NEW.token_digest)
            IS DISTINCT FROM (OLD.id, OLD.table_id, OLD.enrolled_at, OLD.token_digest)) THEN
        RAISE EXCEPTION 'terminal %: until it is revoked it is renamed and seen, and nothing else changes', OLD.name
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF TG_OP = 'INSERT' OR NEW.last_seen_at IS DISTINCT FROM OLD.last_seen_at THEN
        NEW.last_seen_at := CASE WHEN NEW.last_seen_at IS NOT NULL THEN statement_timestamp() END;
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_terminal
    FOR EACH ROW EXECUTE FUNCTION terminal_moves();
ALTER TABLE tables_terminal ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_terminal IS
    'Until it is revoked, a terminal is renamed and seen; nothing else of it changes. The clock says when it was seen.';

-- It runs as its owner: nobody else writes names. Of two names that differ by case alone people take one for the other;
-- names from before may. A terminal's own name may change its case.
CREATE OR REPLACE FUNCTION terminal_is_named() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' OR NEW.name <> OLD.name THEN
        -- Whoever gives another the same name at once waits here, and then sees it.
        LOCK TABLE tables_terminalname IN SHARE ROW EXCLUSIVE MODE;
        IF (TG_OP = 'INSERT' OR lower(NEW.name) <> lower(OLD.name))
            AND EXISTS (SELECT FROM tables_terminalname WHERE lower(name) = lower(NEW.name)) THEN
            RAISE EXCEPTION 'terminal %: a terminal is or was named so, in these letters or larger or smaller ones',
                NEW.name USING ERRCODE = 'unique_violation';
        END IF;
        INSERT INTO tables_terminalname (terminal_id, name, named_at) VALUES (NEW.id, NEW.name, statement_timestamp());
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER is_named AFTER INSERT OR UPDATE OF name ON tables_terminal
    FOR EACH ROW EXECUTE FUNCTION terminal_is_named();
ALTER TABLE tables_terminal ENABLE ALWAYS TRIGGER is_named;
COMMENT ON TRIGGER is_named ON tables_terminal IS
    'Each name that a terminal gets is kept, so that no other terminal ever has it, nor one that differs by case alone.';
