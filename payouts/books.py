"""Whether the books are right: every chain whole, and money as the log has it.

A restored house is checked at once (`wrong`), a house at work once each gaming day, piece by piece (`PARTS`, see
`audit/inspections.py`).
"""

from django.db import connection

from audit import chains
from audit.comparing import Difference, Part
from audit.leaves import BATCH
from audit.models import Chain

from .models import Account, Movement, Settlement
from .wording import WORDING

NOT_ONE_ENTRY = "settlements of the round, and entries of them in the log"
LEFT_IN_THE_POT = "money is left in the pot"
# Each finds rows that must not be there.
NEVER = {
    "the settlement is not balanced": """
        SELECT key, fault FROM payouts_settlement, settlement_fault(id) fault WHERE fault IS NOT NULL""",
    NOT_ONE_ENTRY: """
        SELECT coalesce(round_key, subject), coalesce(s.count, 0), coalesce(e.count, 0)
        FROM (SELECT round_key, count(*) FROM payouts_settlement GROUP BY 1) s
        FULL JOIN (SELECT subject, count(*) FROM audit_entry WHERE event = 'round.settled' GROUP BY 1) e
        ON subject = round_key WHERE s.count IS DISTINCT FROM e.count""",
    "movements, their transfers, and entries of them in the log": """
        SELECT m.count, t.count, e.count
        FROM (SELECT count(*) FROM payouts_movement) m,
             (SELECT count(*) FROM payouts_transfer WHERE movement_id IS NOT NULL) t,
             (SELECT count(*) FROM audit_entry WHERE event = 'movement.made') e
        WHERE (m.count, m.count) <> (t.count, e.count)""",
    LEFT_IN_THE_POT: """
        SELECT owner, units FROM (
            SELECT a.owner, sum(CASE WHEN t.debit_id = a.id THEN units ELSE -units END) AS units
            FROM payouts_account a JOIN payouts_transfer t ON a.id IN (t.debit_id, t.credit_id)
            WHERE a.kind = 'pot' GROUP BY a.id) pots WHERE units <> 0""",
    "the balance of the account, and the sum of its transfers": """
        SELECT owner || ' ' || kind, account_balance(id), units FROM (
            SELECT a.*, (SELECT coalesce(sum(units), 0) FROM payouts_transfer WHERE debit_id = a.id)
                - (SELECT coalesce(sum(units), 0) FROM payouts_transfer WHERE credit_id = a.id) AS units
            FROM payouts_account a) accounts WHERE account_balance(id) <> units""",
}


def wrong(tick=lambda words: None):
    """What is wrong, in a sentence each; nothing if all is right. `tick` is called with what is being read."""
    faults = []
    keys = list(Chain.objects.order_by("key").values_list("key", flat=True))
    for number, key in enumerate(keys, 1):
        tick(f"chain {number} of {len(keys)}")
        try:
            chains.verify(key)
        except chains.Broken as broken:
            faults.append(str(broken))
    tick("settlements")
    with connection.cursor() as cursor:
        for what, statement in NEVER.items():
            cursor.execute(statement)
            faults += [WORDING("books_wrong", row=", ".join(map(str, row)), what=what) for row in cursor.fetchall()]
    return faults


# The same for the ids of a piece: the row's owner, its table, and what is wrong with it.
_OF_SETTLEMENTS = """
    SELECT round_key, 'payouts_settlement', 'Generation ' || generation || ': ' || fault || '.'
    FROM payouts_settlement, settlement_fault(id) fault WHERE id > %(after)s AND id <= %(upto)s AND fault IS NOT NULL
    UNION ALL
    SELECT round_key, 'payouts_settlement', settled || ' settlements of the round, and ' || told || ' entries of them.'
    FROM (SELECT DISTINCT round_key FROM payouts_settlement WHERE id > %(after)s AND id <= %(upto)s) rounds
    CROSS JOIN LATERAL (SELECT count(*) AS settled FROM payouts_settlement s WHERE s.round_key = rounds.round_key) s
    CROSS JOIN LATERAL (SELECT count(*) AS told FROM audit_entry
        WHERE subject = rounds.round_key AND event = 'round.settled') e
    WHERE settled <> told"""
_OF_MOVEMENTS = """
    SELECT 'movement:' || m.id, 'payouts_movement', moved || ' transfers, and ' || told || ' entries of them.'
    FROM payouts_movement m
    CROSS JOIN LATERAL (SELECT count(*) AS moved FROM payouts_transfer WHERE movement_id = m.id) t
    CROSS JOIN LATERAL (SELECT count(*) AS told FROM audit_entry
        WHERE subject = 'movement:' || m.id AND event = 'movement.made') e
    WHERE m.id > %(after)s AND m.id <= %(upto)s AND (moved, told) <> (1, 1)"""
# An account's balance is the sum of its transfers; a snapshot has that sum up to its own transfer, and those that end a
# session are of the same moment. A pot is empty between two settlements. Each account has an owner.
_OF_ACCOUNTS = """
    WITH asked AS (SELECT id, kind, owner, kind || ':' || owner AS ref FROM payouts_account
        WHERE id > %(after)s AND id <= %(upto)s),
    moved AS (SELECT asked.id AS account_id, t.id, CASE WHEN t.debit_id = asked.id THEN units ELSE -units END AS units
        FROM asked JOIN payouts_transfer t ON asked.id IN (t.debit_id, t.credit_id)),
    sums AS (SELECT asked.*, coalesce((SELECT sum(units) FROM moved WHERE account_id = asked.id), 0) AS units
        FROM asked)
    SELECT ref, 'payouts_account', 'Its balance is ' || account_balance(id) || ' and the sum of its transfers ' || units
        || '.' FROM sums WHERE account_balance(id) <> units
    UNION ALL
    SELECT ref, 'payouts_account', units || ' units are left in the pot.' FROM sums WHERE kind = 'pot' AND units <> 0
    UNION ALL
    SELECT ref, 'payouts_snapshot units',
        'The snapshot of ' || subject || ' says ' || said || ', its transfers come to ' || units || '.'
    FROM (
        SELECT sums.ref, s.subject, s.units - coalesce(lag(s.units) OVER newest, 0) AS said,
            (SELECT coalesce(sum(units), 0) FROM moved WHERE account_id = sums.id AND moved.id <= s.upto_id
                AND moved.id > coalesce(s.before, 0)) AS units
        FROM sums JOIN (SELECT *, lag(upto_id) OVER (PARTITION BY account_id ORDER BY upto_id) AS before
            FROM payouts_snapshot) s ON s.account_id = sums.id
        WINDOW newest AS (PARTITION BY s.account_id ORDER BY s.upto_id)
    ) snapshots WHERE said <> units
    UNION ALL
    SELECT sums.ref, 'payouts_snapshot', 'The snapshot of ' || s.subject || ' is not like the others of its session.'
    FROM sums JOIN payouts_snapshot s ON s.account_id = sums.id
    -- Since when its rake slot is counted, a table has four.
    WHERE sums.kind NOT IN ('float', 'patrons', 'pot', 'rake') OR (
        SELECT count(*) FROM payouts_snapshot o JOIN payouts_account a ON a.id = o.account_id
        WHERE o.subject = s.subject AND o.upto_id = s.upto_id AND a.owner = sums.owner) <> 3 + (
            SELECT EXISTS (SELECT FROM payouts_snapshot o JOIN payouts_account a ON a.id = o.account_id
                WHERE a.kind = 'rake' AND a.owner = sums.owner AND o.upto_id <= s.upto_id))::int"""


def _looker(statement):
    """A `Part`'s function that looks at the rows of a piece by a statement."""

    def look(after, upto, state):
        with connection.cursor() as cursor:
            cursor.execute(statement, {"after": after, "upto": upto})
            return upto - max(after, 0), [Difference(*row) for row in cursor.fetchall()]

    return look


PARTS = (
    Part.of_rows(
        "accounts",
        "account, with its balance",
        "accounts, with their balances",
        Account,
        _looker(_OF_ACCOUNTS),
        1,
    ),
    Part.of_rows("settlements", "settlement", "settlements", Settlement, _looker(_OF_SETTLEMENTS), 200),
    Part.of_rows("books of movements", "movement", "movements", Movement, _looker(_OF_MOVEMENTS), BATCH),
)
