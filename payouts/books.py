"""Whether the books are right: every chain whole, and money as the log has it; asked of a restored house."""

from django.db import connection

from audit import chains
from audit.models import Chain

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
    """What is wrong, a sentence each; nothing where all is right. `tick` is called with what is being read."""
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
            faults += [f"{', '.join(map(str, row))}: {what}." for row in cursor.fetchall()]
    return faults
