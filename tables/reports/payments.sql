-- What hands came to in a period, by game, rule sheet, category and outcome, each round as it was settled first: what a
-- correction changed later stands in the corrections.
WITH settled AS MATERIALIZED (
    -- Table by table, as settlements are indexed; each result is read once.
    SELECT settlement.id, settlement.sheet_digest, each.result, each.result ->> 'game' AS game
    FROM tables_table place
    JOIN payouts_settlement settlement
        ON settlement.table_key = 'table:' || place.id AND settlement.business_date BETWEEN %(first)s AND %(last)s
    CROSS JOIN LATERAL (SELECT settlement.result::jsonb AS result OFFSET 0) each
    WHERE settlement.generation = 1
), boxes AS (
    SELECT settled.id, (each ->> 'box')::int AS box, each ->> 'category' AS category
    FROM settled, jsonb_array_elements(
        CASE WHEN jsonb_typeof(result -> 'boxes') = 'array' THEN result -> 'boxes' ELSE '[]' END) each
), hands AS (
    SELECT settled.id, each.key::int AS box, each.value ->> 'class' AS class
    FROM settled, jsonb_each(
        CASE WHEN jsonb_typeof(result -> 'hands') = 'object' THEN result -> 'hands' ELSE '{}' END) each
), named AS (
    SELECT settled.game, settled.sheet_digest, coalesce(boxes.category, hands.class) AS category,
        payment.outcome, payment.staked_units, payment.returned_units, payment.paid_units, payment.net_units
    FROM settled
    JOIN payouts_payment payment ON payment.settlement_id = settled.id
    LEFT JOIN boxes ON boxes.id = settled.id AND boxes.box = payment.box
    LEFT JOIN hands ON hands.id = settled.id AND hands.box = payment.box
), grouped AS (
    SELECT game, sheet_digest, category, outcome, count(*) AS hands, sum(staked_units)::bigint AS staked,
        sum(returned_units)::bigint AS returned, sum(paid_units)::bigint AS paid, sum(net_units)::bigint AS net
    FROM named GROUP BY game, sheet_digest, category, outcome
), shares AS (
    SELECT grouped.*, sum(hands) OVER (PARTITION BY game, sheet_digest)::bigint AS all_hands FROM grouped
)
SELECT game, left(sheet_digest, 8) AS sheet, category, outcome, hands,
    -- A half rounds up.
    (2000 * hands + all_hands) / (2 * all_hands) AS share,
    (2000000 * hands + all_hands) / (2 * all_hands) AS per_million,
    staked, returned, paid, net, sheet_digest
FROM shares
