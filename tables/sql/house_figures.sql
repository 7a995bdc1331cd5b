-- Where the house's chips were at the end of a gaming day: written once as the day is closed, since nothing enters it from
-- then on. So what a report reads of it does not grow with the life of the house.

CREATE OR REPLACE FUNCTION house_figures(asked date) RETURNS TABLE (
    issued bigint, cage bigint, floats bigint, transit bigint, rake bigint, brought bigint, withdrawn bigint,
    sold bigint, cashed bigint)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    WITH places AS (
        -- No settlement touches these, but for rakes from before tables had rake slots.
        SELECT id, kind FROM payouts_account WHERE owner = 'house' AND kind IN ('cage', 'transit', 'rake', 'issued', 'cash')
    ), moved AS (
        -- Account by account, so that the others are not read.
        SELECT places.kind, each.of_day, each.units AS came, 0 AS went
        FROM places CROSS JOIN LATERAL (
            SELECT business_date = asked AS of_day, sum(units) AS units FROM payouts_transfer
            WHERE debit_id = places.id AND business_date <= asked GROUP BY 1 OFFSET 0
        ) each
        UNION ALL
        SELECT places.kind, each.of_day, 0, each.units
        FROM places CROSS JOIN LATERAL (
            SELECT business_date = asked AS of_day, sum(units) AS units FROM payouts_transfer
            WHERE credit_id = places.id AND business_date <= asked GROUP BY 1 OFFSET 0
        ) each
    ), held AS (
        -- What a table holds is what its last session was closed with: no rounds are played in between, and what a
        -- correction brings then the cage takes.
        SELECT CASE snapshot.account_id WHEN place.float_account_id THEN 'float' ELSE 'rake' END AS kind,
            false AS of_day, snapshot.units AS came, 0 AS went
        FROM tables_table place
        CROSS JOIN LATERAL (
            SELECT id FROM tables_session WHERE table_id = place.id AND business_date <= asked
            ORDER BY business_date DESC, id DESC LIMIT 1
        ) sat
        JOIN payouts_snapshot snapshot ON snapshot.account_id IN (place.float_account_id, place.rake_account_id)
            AND snapshot.subject = 'session:' || sat.id
    )
    SELECT
        (sum(went - came) FILTER (WHERE kind = 'issued'))::bigint,
        coalesce(sum(came - went) FILTER (WHERE kind = 'cage'), 0)::bigint,
        coalesce(sum(came - went) FILTER (WHERE kind = 'float'), 0)::bigint,
        coalesce(sum(came - went) FILTER (WHERE kind = 'transit'), 0)::bigint,
        coalesce(sum(came - went) FILTER (WHERE kind = 'rake'), 0)::bigint,
        coalesce(sum(went) FILTER (WHERE kind = 'issued' AND of_day), 0)::bigint,
        coalesce(sum(came) FILTER (WHERE kind = 'issued' AND of_day), 0)::bigint,
        coalesce(sum(came) FILTER (WHERE kind = 'cash' AND of_day), 0)::bigint,
        coalesce(sum(went) FILTER (WHERE kind = 'cash' AND of_day), 0)::bigint
    FROM (SELECT * FROM moved UNION ALL SELECT * FROM held) each
$$;
COMMENT ON FUNCTION house_figures(date) IS
    'Where the house''s chips were in the books at the end of a gaming day, and what of them moved on it, added up over all of'
    ' its life; issued is null where the house has not said how many there are.';

-- The app's role writes no figures: the owner does, as the day is closed.
CREATE OR REPLACE FUNCTION write_house_figures() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO tables_housefigures SELECT NEW.id, known.* FROM house_figures(NEW.date) known;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER house_figures AFTER UPDATE OF status ON tables_gamingday FOR EACH ROW
    WHEN (OLD.status = 'OPEN' AND NEW.status = 'CLOSED') EXECUTE FUNCTION write_house_figures();
ALTER TABLE tables_gamingday ENABLE ALWAYS TRIGGER house_figures;
COMMENT ON TRIGGER house_figures ON tables_gamingday IS
    'As a gaming day is closed, where the house''s chips were at its end is written, whoever closes it.';
