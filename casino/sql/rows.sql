-- What a row may not do, whoever asks: the functions behind the operations AppendOnly, Kept, Keeps, EndsOnce and Timed
-- of casino/database.py, which make a trigger of them for each table. The search path of every guard is fixed: what a
-- session sets for itself deceives none.

CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE FUNCTION keeps() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM unnest(TG_ARGV) name WHERE to_jsonb(NEW) -> name IS DISTINCT FROM to_jsonb(OLD) -> name) THEN
        RAISE EXCEPTION '%: % of a row stays', TG_TABLE_NAME, array_to_string(TG_ARGV, ', ')
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION ends_once() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF to_jsonb(OLD) ->> TG_ARGV[0] IS NOT NULL
       OR to_jsonb(NEW) - TG_ARGV::text[] IS DISTINCT FROM to_jsonb(OLD) - TG_ARGV::text[] THEN
        RAISE EXCEPTION '%: a row only ends, and once', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION times_itself() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    earlier jsonb := CASE TG_OP WHEN 'UPDATE' THEN to_jsonb(OLD) ELSE '{}' END;
    later jsonb := to_jsonb(NEW);
    filled jsonb := '{}';
    name text;
BEGIN
    FOREACH name IN ARRAY TG_ARGV LOOP
        CONTINUE WHEN later ->> name IS NULL;
        IF earlier ->> name IS NULL THEN
            filled := filled || jsonb_build_object(name, statement_timestamp());
        ELSIF earlier -> name <> later -> name THEN
            RAISE EXCEPTION '%: % of a row stays', TG_TABLE_NAME, name USING ERRCODE = 'restrict_violation';
        END IF;
    END LOOP;
    RETURN jsonb_populate_record(NEW, filled);
END $$;
