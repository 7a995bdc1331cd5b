-- A relief that is asked for: of a croupier who deals nowhere then. It is carried out when they are signed on at its table.

CREATE OR REPLACE FUNCTION relief_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.ended_at IS NOT NULL OR NEW.withdrawn_by_id IS NOT NULL THEN
            RAISE EXCEPTION 'a relief begins when it is asked for' USING ERRCODE = 'restrict_violation';
        END IF;
        IF EXISTS (SELECT FROM tables_signon WHERE staff_id = NEW.staff_id AND signed_off_at IS NULL) THEN
            RAISE EXCEPTION 'who deals at a table relieves nobody' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.withdrawn_by_id IS NULL AND NOT EXISTS (
        SELECT FROM tables_signon
        WHERE staff_id = NEW.staff_id AND table_id = NEW.table_id AND signed_off_at IS NULL) THEN
        RAISE EXCEPTION 'relief %: nobody withdrew it, and its croupier does not deal there', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER moves BEFORE INSERT OR UPDATE ON tables_relief FOR EACH ROW EXECUTE FUNCTION relief_moves();
ALTER TABLE tables_relief ENABLE ALWAYS TRIGGER moves;
COMMENT ON TRIGGER moves ON tables_relief IS
    'A relief begins when it is asked for, of a croupier who is signed on nowhere; it ends when that croupier is signed on'
    ' at its table, or by somebody who withdraws it.';

COMMENT ON INDEX relief_one_table IS 'A person is asked to relieve at one table at a time.';
COMMENT ON INDEX relief_one_person IS 'One person is asked to relieve at a table at a time.';
