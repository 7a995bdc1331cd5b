-- What had to be put right of each person's dealing. What is put right later - a correction, a ruling - counts in the
-- days on which that is done, for whoever opened the round.
WITH dealt AS (
    SELECT round.id, round.status, round.opened_by_id
    FROM tables_session session JOIN tables_round round ON round.session_id = session.id
    WHERE session.business_date BETWEEN %(first)s AND %(last)s
), rounds AS (
    SELECT opened_by_id AS staff, count(*) AS rounds, count(*) FILTER (WHERE status = 'VOIDED') AS voids
    FROM dealt GROUP BY opened_by_id
), clauses AS (
    SELECT staff, string_agg(clause || ': ' || number, ', ' ORDER BY clause COLLATE "C") AS void_clauses
    FROM (
        SELECT dealt.opened_by_id AS staff, intervention.clause, count(*) AS number
        FROM dealt JOIN tables_intervention intervention ON intervention.round_id = dealt.id
        WHERE dealt.status = 'VOIDED' AND intervention.kind = 'voided'
        GROUP BY dealt.opened_by_id, intervention.clause
    ) of_clause
    GROUP BY staff
), entries AS (
    -- It is the error of whoever entered what was taken back, not of whoever took it back.
    SELECT wrong.by_id AS staff, count(*) FILTER (WHERE action.kind = 'undo') AS undone,
        count(*) FILTER (WHERE action.kind <> 'undo') AS amended
    FROM dealt
    JOIN tables_action action ON action.round_id = dealt.id AND action.undoes IS NOT NULL
    JOIN tables_action wrong ON wrong.round_id = dealt.id AND wrong.ordinal = action.undoes
    GROUP BY wrong.by_id
), corrected AS (
    SELECT round.opened_by_id AS staff, count(*) AS corrections
    -- Table by table, as settlements are indexed.
    FROM tables_table place
    JOIN payouts_settlement settlement
        ON settlement.table_key = 'table:' || place.id AND settlement.business_date BETWEEN %(first)s AND %(last)s
    JOIN tables_round round ON round.id = substring(settlement.round_key FROM 7)::bigint
    WHERE settlement.generation > 1
    GROUP BY round.opened_by_id
), ruled AS (
    SELECT round.opened_by_id AS staff, count(*) AS upheld
    FROM tables_dispute dispute JOIN tables_round round ON round.id = dispute.round_id
    WHERE dispute.ruling = 'upheld'
        AND dispute.ruled_at >= %(begins)s::timestamptz AND dispute.ruled_at < %(ends)s::timestamptz
    GROUP BY round.opened_by_id
), known AS (
    SELECT staff, coalesce(rounds, 0) AS rounds, coalesce(undone, 0) AS undone, coalesce(amended, 0) AS amended,
        coalesce(voids, 0) AS voids, void_clauses, coalesce(corrections, 0) AS corrections, coalesce(upheld, 0) AS upheld
    FROM rounds
    FULL JOIN clauses USING (staff) FULL JOIN entries USING (staff)
    FULL JOIN corrected USING (staff) FULL JOIN ruled USING (staff)
)
SELECT known.*, undone + amended + voids + corrections AS errors,
    CASE WHEN rounds > 0
        THEN (20000 * (undone + amended + voids + corrections) + rounds) / (2 * rounds)
    END AS rate
FROM known
