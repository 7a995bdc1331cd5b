-- What hands came to in a period, by game, rule sheet, category and outcome, each round as it was settled first: what a
-- correction changed later stands in the corrections.
WITH paid AS (
    SELECT settlement.sheet_digest, settlement.result::jsonb AS result, payment.box, payment.outcome,
        payment.staked_units, payment.returned_units, payment.paid_units, payment.net_units
    -- Table by table, as settlements are indexed.
    FROM tables_table place
    JOIN payouts_settlement settlement
        ON settlement.table_key = 'table:' || place.id AND settlement.business_date BETWEEN %(first)s AND %(last)s
    JOIN payouts_payment payment ON payment.settlement_id = settlement.id
    WHERE settlement.generation = 1
), named AS (
    SELECT paid.*, paid.result ->> 'game' AS game,
        coalesce(
            jsonb_path_query_first(paid.result, '$.boxes[*] ? (@.box == $box)', jsonb_build_object('box', paid.box))
                ->> 'category',
            paid.result -> 'hands' -> paid.box::text ->> 'class'
        ) AS category
    FROM paid
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
