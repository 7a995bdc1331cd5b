-- A rule sheet is drafted with its entry. It is published as it was drafted: its digest is that of its rules, they say
-- its values, its table of coefficients is published, and what the house keeps by it is computed. Once published it stays
-- (`published_stays` stands in payouts/sql/coefficients.sql). Only a published sheet is put in force, by two people, with
-- its entry, and from now on; before its moment two people may withdraw it, with an entry of that.

CREATE OR REPLACE TRIGGER published_stays BEFORE INSERT OR UPDATE OR DELETE ON tables_rulesheet
    FOR EACH ROW EXECUTE FUNCTION published_stays();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER published_stays;
COMMENT ON TRIGGER published_stays ON tables_rulesheet IS
    'A sheet begins as DRAFT; once PUBLISHED it stays as it is. Moves: DRAFT to PUBLISHED.';

CREATE OR REPLACE FUNCTION draft_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry, jsonb_extract_path(body::jsonb, 'facts') AS facts,
            jsonb_extract_path(facts, 'rules') AS rules
        WHERE subject = 'sheet:' || NEW.id AND chain_id = 'house' AND event = 'sheet.drafted'
        AND by = 'staff:' || NEW.drafted_by_id AND facts ->> 'author' = by
        AND (rules ->> 'game', rules ->> 'version') = (NEW.game::text, NEW.version::text)
        AND ((rules -> 'parameters') || (rules -> 'limits') || CASE WHEN rules -> 'coefficients' = '{}' THEN '{}'
            ELSE jsonb_build_object('coefficients', rules -> 'coefficients') END) = NEW.values
    ) THEN
        RAISE EXCEPTION 'sheet %: the log has no entry that says so', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_rulesheet;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT ON tables_rulesheet DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION draft_is_logged();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_rulesheet IS
    'When the transaction ends, the log has the entry of a draft by its author: its game, its version and its values.';

CREATE OR REPLACE FUNCTION digest_is_of_rules() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    told jsonb;
BEGIN
    IF TG_OP = 'INSERT' OR OLD.digest IS NOT NULL OR NEW.digest IS NULL THEN
        RETURN NEW;  -- a draft, or what other guards refuse
    END IF;
    IF NEW.digest <> encode(sha256(convert_to(NEW.rules, 'UTF8')), 'hex') THEN
        RAISE EXCEPTION 'sheet %: its digest is not that of its rules', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    told := NEW.rules::jsonb;
    IF (told ->> 'game', told ->> 'version') IS DISTINCT FROM (NEW.game::text, NEW.version::text)
       OR ((told -> 'parameters') || (told -> 'limits') || CASE WHEN told -> 'coefficients' = '{}' THEN '{}'
           ELSE jsonb_build_object('coefficients', told -> 'coefficients') END) IS DISTINCT FROM NEW.values THEN
        RAISE EXCEPTION 'sheet %: its rules do not say its values', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM FROM payouts_coefficienttable WHERE id = NEW.coefficient_table_id AND status <> 'PUBLISHED' FOR SHARE;
    IF FOUND THEN
        RAISE EXCEPTION 'sheet %: its coefficient table is a draft', NEW.id USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER digest BEFORE INSERT OR UPDATE ON tables_rulesheet
    FOR EACH ROW EXECUTE FUNCTION digest_is_of_rules();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER digest;
COMMENT ON TRIGGER digest ON tables_rulesheet IS
    'A sheet is published with rules that say its values, with their SHA-256, and with a published table of '
    'coefficients.';

-- The keys of results are made by the product (payouts/edge_results.py), and where cap or chip make the edge depend on
-- the ANTE it alone knows; here each result is of this sheet's values, and of both limits or of none. One without an
-- ANTE beside those of the limits is where something is rounded: at no ANTE the house keeps less.
CREATE OR REPLACE FUNCTION published_with_edge() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    pinned jsonb;
    antes bigint[];
    limits bigint[] := ARRAY[(NEW.values ->> 'ante_minimum')::bigint, (NEW.values ->> 'ante_maximum')::bigint];
    lowest numeric;
    highest numeric;
    least text;
    most text;
    fault text;
BEGIN
    IF TG_OP = 'INSERT' OR OLD.digest IS NOT NULL OR NEW.digest IS NULL THEN
        RETURN NEW;  -- a draft, or what other guards refuse
    END IF;
    IF NEW.game <> 'split' THEN
        IF NEW.edge IS NOT NULL OR NEW.reason <> '' THEN
            RAISE EXCEPTION 'sheet %: in its game the house has no edge', NEW.id USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    SELECT jsonb_agg(jsonb_build_object('key', r.key, 'ante', p.ante, 'edge', r.figures ->> 'edge_percent')
            ORDER BY p.ante NULLS FIRST), array_agg(p.ante ORDER BY p.ante NULLS FIRST),
        min((r.figures ->> 'edge_percent')::numeric), max((r.figures ->> 'edge_percent')::numeric)
        INTO pinned, antes, lowest, highest
        FROM jsonb_to_recordset(CASE jsonb_typeof(NEW.edge) WHEN 'array' THEN NEW.edge ELSE '[]' END)
            AS p(key text, ante bigint)
        JOIN payouts_edgeresult r ON r.key = p.key AND r.status = 'DONE' AND r.figures -> 'games' = 'true'
        WHERE NOT EXISTS (
            SELECT FROM jsonb_each(r.inputs || jsonb_build_object('ante', coalesce(r.inputs -> 'ante', 'null'))) AS own
            WHERE CASE WHEN own.key = 'program' THEN false
                WHEN own.key = 'ante' THEN own.value NOT IN ('null', coalesce(to_jsonb(p.ante), 'null'))
                WHEN own.key IN ('coefficients', 'unseen_cards', 'small_hand_loss_pays', 'max_payment', 'chip')
                    THEN own.value IS DISTINCT FROM coalesce(NEW.values -> own.key, own.value)
                ELSE true END  -- of a coefficient that was sought
        );
    -- What nobody has set is as in casino/settings_of_house.py.
    SELECT value INTO least FROM casino_setting
        WHERE name = 'edge_least' AND withdrawn_at IS NULL AND from_at <= statement_timestamp()
        ORDER BY from_at DESC LIMIT 1;
    SELECT value INTO most FROM casino_setting
        WHERE name = 'edge_most' AND withdrawn_at IS NULL AND from_at <= statement_timestamp()
        ORDER BY from_at DESC LIMIT 1;
    IF limits[1] = limits[2] THEN
        limits := limits[:1];
    END IF;
    fault := CASE
        WHEN pinned IS NULL OR NEW.edge IS DISTINCT FROM pinned THEN 'its edge is not computed'
        WHEN antes <> ARRAY[NULL::bigint] AND antes <> limits AND antes <> array_prepend(NULL::bigint, limits)
            THEN 'its edge is not that of its limits'
        WHEN lowest < 0 THEN 'the player has the edge'
        WHEN NEW.reason = ''
            AND (lowest * 100 < coalesce(least, '50')::numeric OR highest * 100 > coalesce(most, '3000')::numeric)
            THEN 'its edge lies outside the band, and nobody says why'
    END;
    IF fault IS NOT NULL THEN
        RAISE EXCEPTION 'sheet %: %', NEW.id, fault USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER edge BEFORE INSERT OR UPDATE ON tables_rulesheet
    FOR EACH ROW EXECUTE FUNCTION published_with_edge();
ALTER TABLE tables_rulesheet ENABLE ALWAYS TRIGGER edge;
COMMENT ON TRIGGER edge ON tables_rulesheet IS
    'A sheet of a game with a house is published with its computed edge, at both limits of the ANTE where it depends on '
    'that: never where the player has it, and with a written reason where it lies outside the casino''s band.';

-- What an inspection asks of reasons: their digests, which the log has too (see inspections.sql).
CREATE OR REPLACE FUNCTION rule_sheet_digests(asked bigint[]) RETURNS TABLE (id bigint, reason text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT s.id, CASE WHEN s.reason <> '' THEN encode(sha256(convert_to(s.salt || s.reason, 'UTF8')), 'hex') END
    FROM tables_rulesheet s WHERE s.id = ANY (asked)
$$;
COMMENT ON FUNCTION rule_sheet_digests(bigint[]) IS
    'The SHA-256 of the reasons of rule sheets behind their salts, as the log has them; NULL where there is none.';

CREATE OR REPLACE FUNCTION inforce_from_now() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF NEW.from_at < now() OR NEW.from_at > now() + interval '1 year'
       OR NOT EXISTS (SELECT FROM tables_rulesheet WHERE id = NEW.sheet_id AND status = 'PUBLISHED')
    THEN
        RAISE EXCEPTION 'only a published sheet is put in force, from now on and within a year'
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.approved_by_id IS NULL THEN
        RAISE EXCEPTION 'two people put a sheet in force at a table' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.withdrawn_at IS NOT NULL THEN
        RAISE EXCEPTION 'a sheet in force does not begin withdrawn' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER from_now BEFORE INSERT ON tables_inforce FOR EACH ROW EXECUTE FUNCTION inforce_from_now();
ALTER TABLE tables_inforce ENABLE ALWAYS TRIGGER from_now;
COMMENT ON TRIGGER from_now ON tables_inforce IS
    'Only a published sheet is put in force, by two people, from now on and within a year; it does not begin withdrawn.';

-- The row is locked here, and a round that opens by it shares a lock on it (round_begins): once its moment has come no
-- round plays by a sheet that is being withdrawn.
CREATE OR REPLACE FUNCTION inforce_still_to_come() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
    IF clock_timestamp() >= OLD.from_at THEN
        RAISE EXCEPTION 'sheet % counts at table % already', OLD.sheet_id, OLD.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER still_to_come BEFORE UPDATE ON tables_inforce
    FOR EACH ROW EXECUTE FUNCTION inforce_still_to_come();
ALTER TABLE tables_inforce ENABLE ALWAYS TRIGGER still_to_come;
COMMENT ON TRIGGER still_to_come ON tables_inforce IS
    'A sheet in force is withdrawn before its moment, by the clock as its row is changed.';

CREATE OR REPLACE FUNCTION inforce_is_logged() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    of_the_log CONSTANT text := 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"';
    withdrawn CONSTANT boolean := NEW.withdrawn_at IS NOT NULL;
BEGIN
    IF NOT EXISTS (
        SELECT FROM audit_entry
        WHERE subject = 'table:' || NEW.table_id AND chain_id = subject
        AND event = CASE WHEN withdrawn THEN 'table.sheet_withdrawn' ELSE 'table.sheet_set' END
        AND at >= to_char((now() - interval '1 minute') AT TIME ZONE 'UTC', of_the_log)
        AND by = 'staff:' || CASE WHEN withdrawn THEN NEW.withdrawn_by_id ELSE NEW.set_by_id END
        AND body::jsonb -> 'facts' = jsonb_build_object(
            'sheet', (SELECT digest FROM tables_rulesheet WHERE id = NEW.sheet_id),
            'from', to_char(NEW.from_at AT TIME ZONE 'UTC', of_the_log),
            'requester', by,
            'approver', 'staff:' || CASE WHEN withdrawn THEN NEW.withdrawn_with_id ELSE NEW.approved_by_id END)
    ) THEN
        RAISE EXCEPTION 'sheet % at table %: the log has no entry that says so', NEW.sheet_id, NEW.table_id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS logged ON tables_inforce;
CREATE CONSTRAINT TRIGGER logged AFTER INSERT OR UPDATE ON tables_inforce DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION inforce_is_logged();
ALTER TABLE tables_inforce ENABLE ALWAYS TRIGGER logged;
COMMENT ON TRIGGER logged ON tables_inforce IS
    'When the transaction ends, the log has the entry of a sheet put in force: which, where, from when, and by which two '
    'people; and so it has of its withdrawal.';

COMMENT ON CONSTRAINT rulesheet_version_from_one ON tables_rulesheet IS
    'The versions of a game''s sheet are counted from 1.';
COMMENT ON CONSTRAINT rulesheet_version_once ON tables_rulesheet IS 'A version stands for one sheet of a game.';
COMMENT ON CONSTRAINT rulesheet_published_whole ON tables_rulesheet IS
    'A published sheet has its rules, their digest, its person and its time; a draft has none of them, no edge and no '
    'reason.';
COMMENT ON CONSTRAINT rulesheet_reason_salted ON tables_rulesheet IS
    'A reason has its salt, so its hash in the log tells nothing.';
COMMENT ON CONSTRAINT rulesheet_four_eyes ON tables_rulesheet IS
    'The person who publishes is another than the person who drafted.';
COMMENT ON INDEX inforce_moment_once IS
    'At a moment one sheet comes into force at a table; one that is withdrawn leaves it free.';
COMMENT ON CONSTRAINT inforce_four_eyes ON tables_inforce IS
    'The person who approves that a sheet is put in force is another than the person who sets it; so are the two who '
    'withdraw it.';
COMMENT ON CONSTRAINT inforce_withdrawn_whole ON tables_inforce IS
    'A sheet in force that is withdrawn says when and by which two people; another says none of it.';
COMMENT ON CONSTRAINT inforce_withdrawn_before ON tables_inforce IS 'A sheet in force is withdrawn before its moment.';
COMMENT ON CONSTRAINT rulesheet_values_readable ON tables_rulesheet IS 'The values of a sheet can be read.';
COMMENT ON CONSTRAINT rulesheet_rules_readable ON tables_rulesheet IS 'The rules of a sheet can be read.';
