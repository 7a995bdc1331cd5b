-- The rows of hand_history_outline.sql with what is read out of a line and a result: what lay there and what it was.
SELECT outline.date, outline.round, outline."table", outline.game, outline.sheet, outline.generation, outline.played_at,
    outline.settled_at, outline.croupier, outline.box,
    (SELECT string_agg((each ->> 'kind') || ' ' || ((each ->> 'units')::numeric * %(unit)s)::text, ', ' ORDER BY n)
        FROM jsonb_array_elements(line.wagers::jsonb) WITH ORDINALITY AS of_line(each, n)
        WHERE (each ->> 'box')::int = outline.box) AS wagers,
    nullif(concat_ws(' + ',
        (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
            FROM jsonb_path_query(entered.hand, '$.cards[*]') WITH ORDINALITY AS five(card, n)),
        (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
            FROM jsonb_path_query(entered.hand, '$.extra[*]') WITH ORDINALITY AS two(card, n))), '') AS cards,
    (SELECT string_agg(card #>> '{}', ' ' ORDER BY n)
        FROM jsonb_path_query(said.line, '$.dealer.cards[*]') WITH ORDINALITY AS of_dealer(card, n)) AS dealer,
    said.line #>> '{dealer,replacement}' AS replacement,
    coalesce(
        jsonb_path_query_first(said.result, '$.boxes[*] ? (@.box == $box)',
            jsonb_build_object('box', outline.box)) ->> 'category',
        said.result -> 'hands' -> outline.box::text ->> 'class') AS category,
    outline.outcome, outline.clauses, outline.staked, outline.returned, outline.paid, outline.net, NULL::text AS explanation,
    outline.settlement_id, outline.number, outline.round_key, outline.round_id, outline.table_id
FROM outline
LEFT JOIN tables_line line ON line.round_id = outline.round_id AND line.ordinal = outline.line_ordinal
-- Read once a row.
CROSS JOIN LATERAL (SELECT line.text::jsonb AS line, outline.result::jsonb AS result OFFSET 0) said
CROSS JOIN LATERAL (
    -- A box of a dealer's game, a hand of a pot game, or the hand that was dealt to a player of a game of plays.
    SELECT coalesce(
        jsonb_path_query_first(said.line, '$.boxes[*] ? (@.box == $box)', jsonb_build_object('box', outline.box)),
        jsonb_path_query_first(said.line, '$.hands[*] ? (@.player == $player)',
            jsonb_build_object('player', outline.box::text)),
        jsonb_build_object('cards', coalesce(said.line -> 'deal' -> outline.box::text,
            said.line -> 'left' -> outline.box::text))
    ) AS hand
) entered
