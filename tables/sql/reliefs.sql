-- A relief is asked of a croupier posted to the table's pit who deals nowhere at that moment. It is done when they sign on
-- at its table; until then they may be signed on at no other one. Only a croupier posted to a table's pit may be signed on
-- there at all.

CREATE OR REPLACE FUNCTION croupier_at(person bigint, at_table bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM tables_posting p JOIN tables_table t ON p.pit_id IS NULL OR p.pit_id = t.pit_id
        WHERE p.staff_id = person AND p.role = 'croupier' AND p.ended_at IS NULL AND t.id = at_table)
$$;
COMMENT ON FUNCTION croupier_at(bigint, bigint) IS 'Whether a person is posted as a croupier in a table''s pit, or in all.';

CREATE OR REPLACE FUNCTION signon_begins() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT croupier_at(NEW.staff_id, NEW.table_id) THEN
        RAISE EXCEPTION 'only a croupier posted to its pit may be signed on at a table'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (SELECT FROM tables_relief
               WHERE staff_id = NEW.staff_id AND table_id <> NEW.table_id AND ended_at IS NULL) THEN
        RAISE EXCEPTION 'a croupier who is asked to relieve at a table may be signed on at no other table'
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER begins BEFORE INSERT ON tables_signon FOR EACH ROW EXECUTE FUNCTION signon_begins();
ALTER TABLE tables_signon ENABLE ALWAYS TRIGGER begins;
COMMENT ON TRIGGER begins ON tables_signon IS
    'Only a croupier posted to a table''s pit may be signed on there, and not while they are asked to relieve at another'
    ' table.';

CREATE OR REPLACE FUNCTION relief_moves() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.ended_at IS NOT NULL OR NEW.withdrawn_by_id IS NOT NULL THEN
            RAISE EXCEPTION 'a relief begins when it is asked for' USING ERRCODE = 'restrict_violation';
        END IF;
        IF NOT croupier_at(NEW.staff_id, NEW.table_id) THEN
            RAISE EXCEPTION 'only a croupier posted to its pit may be asked to relieve at a table'
                USING ERRCODE = 'restrict_violation';
        END IF;
        IF EXISTS (SELECT FROM tables_signon WHERE staff_id = NEW.staff_id AND signed_off_at IS NULL) THEN
            RAISE EXCEPTION 'a croupier who deals at a table may not be asked to relieve at another'
                USING ERRCODE = 'restrict_violation';
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
    'A relief begins when it is asked of a croupier posted to the table''s pit who is signed on nowhere. It ends when that'
    ' croupier signs on at its table, or when somebody withdraws it.';

COMMENT ON INDEX relief_one_table IS 'A person is asked to relieve at one table at a time.';
COMMENT ON INDEX relief_one_person IS 'One person is asked to relieve at a table at a time.';
