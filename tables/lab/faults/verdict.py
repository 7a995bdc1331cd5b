"""What must be true of the database at any moment, and once everything has been settled.

It shares nothing with settling but the games themselves: payments and transfers are worked out again from the lines, in
another way, and compared with the tables and the log.
"""

import json
from collections import Counter

from django.db import connection

from audit import chains, log
from audit.models import Chain
from casino.games import registry
from casino.games.game import Wager
from payouts import adjudication, books
from tables.models import Round

# Each statement finds rows that must not be there, in one snapshot of its own.
NEVER = {
    "settled twice, or settled without being marked so, or the other way round": """
        SELECT 'round:' || r.id, r.status, array_agg(s.key)
        FROM tables_round r LEFT JOIN payouts_settlement s ON s.round_key = 'round:' || r.id
        GROUP BY r.id
        HAVING count(s.id) <> (r.status = 'SETTLED')::int OR max(s.id) IS DISTINCT FROM r.settlement_id""",
    "a settlement of no round": """
        SELECT s.key FROM payouts_settlement s
        WHERE NOT EXISTS (SELECT FROM tables_round r WHERE 'round:' || r.id = s.round_key)""",
    "not one entry round.closed for each closed round": """
        SELECT coalesce(r.ref, e.subject), r.count, e.count
        FROM (SELECT 'round:' || id AS ref, 1 AS count FROM tables_round WHERE closed_at IS NOT NULL) r
        FULL JOIN (SELECT subject, count(*) FROM audit_entry WHERE event = 'round.closed' GROUP BY 1) e
        ON e.subject = r.ref WHERE r.count IS DISTINCT FROM e.count""",
    "numbers of rounds with a gap": """
        SELECT table_id, count(*), max(number) FROM tables_round GROUP BY 1 HAVING count(*) <> max(number)""",
    "not one entry round.held by the system for each held round": """
        SELECT r.id, count(e.subject)
        FROM tables_round r LEFT JOIN audit_entry e
        ON e.subject = 'round:' || r.id AND e.event = 'round.held' AND e."by" = 'system'
        GROUP BY r.id HAVING count(e.subject) <> (r.held_at IS NOT NULL)::int""",
    "numbers of slips with a gap": """
        SELECT n.kind, n.year, n.last, count(p.id), max(p.number)
        FROM tables_slipnumber n LEFT JOIN tables_slip p ON (p.kind, p.year) = (n.kind, n.year)
        GROUP BY 1, 2, 3 HAVING (count(p.id), max(p.number)) IS DISTINCT FROM (n.last, n.last)""",
    "not one entry for each step of a slip": """
        SELECT p.id, p.status, steps, told
        FROM tables_slip p,
            LATERAL (SELECT array_remove(ARRAY['slip.requested',
                CASE WHEN p.issued_at IS NOT NULL THEN 'slip.issued' END,
                CASE p.status WHEN 'RECEIVED' THEN 'slip.received' WHEN 'RETURNED' THEN 'slip.returned'
                    WHEN 'VOIDED' THEN 'slip.voided' END], NULL) AS steps) s,
            LATERAL (SELECT array_agg(event::text ORDER BY seq) AS told FROM audit_entry
                     WHERE subject = 'slip:' || p.id AND event LIKE 'slip.%') e
        WHERE steps IS DISTINCT FROM told""",
    "chips are on their way that no slip has": """
        SELECT account_balance(a.id), sum(p.units)
        FROM payouts_account a LEFT JOIN tables_slip p ON p.status = 'ISSUED' AND p.kind <> 'change'
        WHERE a.kind = 'transit' GROUP BY a.id HAVING account_balance(a.id) <> coalesce(sum(p.units), 0)""",
    "a table that is closed, or opens, and has chips in the books": """
        SELECT t.id, account_balance(t.float_account_id) FROM tables_table t
        WHERE NOT EXISTS (SELECT FROM tables_session WHERE table_id = t.id AND status IN ('OPEN', 'CLOSING'))
            AND account_balance(t.float_account_id) <> 0""",
    "a session that by its chips won something else than by its rounds": """
        SELECT s.id, chips, rounds
        FROM tables_session s JOIN tables_table t ON t.id = s.table_id,
            LATERAL (SELECT sum(CASE WHEN m.kind IN ('closer', 'credit') THEN units
                                     WHEN m.kind IN ('opener', 'fill', 'credit_returned') THEN -units END) AS chips
                     FROM payouts_movement m JOIN payouts_transfer f ON f.movement_id = m.id
                     WHERE m.subject = 'session:' || s.id
                        OR m.subject IN (SELECT 'slip:' || id FROM tables_slip WHERE session_id = s.id)) c,
            LATERAL (SELECT coalesce(sum(CASE f.debit_id WHEN t.float_account_id THEN units ELSE -units END), 0)
                         AS rounds
                     FROM tables_round r JOIN payouts_settlement g ON g.round_key = 'round:' || r.id
                     JOIN payouts_transfer f ON f.settlement_id = g.id
                     WHERE r.session_id = s.id AND t.float_account_id IN (f.debit_id, f.credit_id)) p
        WHERE s.status = 'CLOSED' AND chips IS DISTINCT FROM rounds""",
    "a variance where two counted what the books have": """
        SELECT key FROM payouts_movement WHERE kind = 'variance'""",
    **{what: books.NEVER[what] for what in (books.NOT_ONE_ENTRY, books.LEFT_IN_THE_POT)},
}
SETTLEMENTS = """
    SELECT s.id, s.key, s.round_key, s.generation, s.sheet_digest, s.business_date::text, session.business_date::text,
        s.result, 'table:' || r.table_id, line.text, line.wagers, line.carry::text, sheet.rules, sheet.digest,
        (SELECT array_agg(body) FROM audit_entry WHERE subject = s.round_key AND event = 'round.settled'),
        (SELECT json_agg(json_build_array(box, outcome, staked_units, returned_units, paid_units, net_units, clauses))
         FROM payouts_payment WHERE settlement_id = s.id),
        (SELECT json_agg(json_build_array(t.key, d.kind || ':' || d.owner, c.kind || ':' || c.owner, t.units, t.reason)
                         ORDER BY t.key COLLATE "C")
         FROM payouts_transfer t
         JOIN payouts_account d ON d.id = t.debit_id JOIN payouts_account c ON c.id = t.credit_id
         WHERE t.settlement_id = s.id AND t.business_date = s.business_date)
    FROM payouts_settlement s
    JOIN tables_round r ON 'round:' || r.id = s.round_key
    JOIN tables_session session ON session.id = r.session_id
    JOIN tables_rulesheet sheet ON sheet.id = r.sheet_id
    JOIN LATERAL (SELECT * FROM tables_line WHERE round_id = r.id ORDER BY ordinal DESC LIMIT 1) line ON true
    WHERE s.id > %s ORDER BY s.id LIMIT 2000"""


class Verdict:
    """Checks the database again and again, remembering how far it was right."""

    def __init__(self):
        self.chains = {}
        self.settlement = 0
        self.poisons = set()
        # Copies of closed rounds, which nobody closed.
        self.copied = False

    def now(self):
        """What is wrong at this moment, as sentences; rounds that wait for settlement are fine."""
        connection.close()  # the database may have been another one since
        wrong = []
        with connection.cursor() as cursor:
            for what, statement in NEVER.items():
                if self.copied and "round.closed" in what:
                    continue
                cursor.execute(statement)
                wrong += [f"{what}: {' '.join(map(str, row))}" for row in cursor.fetchall()]
        return wrong + self._chains() + self._settlements()

    def end(self, acknowledged):
        """What is wrong when all should be settled; `acknowledged` are the rounds whose close was committed."""
        self.settlement = 0
        wrong = self.now()
        rows = Round.objects.in_bulk(acknowledged)
        wrong += [f"lost: round:{id_} was closed and is not there" for id_ in acknowledged if id_ not in rows]
        for waiting in Round.objects.exclude(status=Round.Status.SETTLED).filter(closed_at__isnull=False):
            if not (waiting.held_at and waiting.pk in self.poisons):
                wrong.append(
                    f"{'held' if waiting.held_at else 'not settled'}: {waiting.ref}"
                    f" (leases {waiting.leases}, failures {waiting.failures})"
                )
        held = set(Round.objects.filter(held_at__isnull=False).values_list("pk", flat=True))
        return wrong + [f"a poison round that is not held: round:{id_}" for id_ in self.poisons - held]

    def _chains(self):
        wrong = []
        for key in Chain.objects.values_list("key", flat=True):
            try:
                self.chains[key] = chains.verify(key, self.chains.get(key))
            except chains.Broken as broken:
                wrong.append(str(broken))
        return wrong

    def _settlements(self):
        """The settlements that were not checked before."""
        wrong = []
        while True:
            with connection.cursor() as cursor:
                cursor.execute(SETTLEMENTS, [self.settlement])
                rows = cursor.fetchall()
            for row in rows:
                wrong += _wrong(*row)
            if not rows:
                return wrong
            self.settlement = rows[-1][0]


def _wrong(
    id_, key, round_key, generation, digest, date, session_date, result, table, line, wagers, carry, rules, rules_is,
    bodies, payments, transfers,
):  # fmt: skip
    """Where one settlement differs from what its line, stakes and sheet give."""
    line = json.loads(line)
    game = registry.GAMES[line["game"]]
    facts = game.read(line)
    answer = game.settle(facts)
    stakes = [Wager(**wager) for wager in json.loads(wagers)]
    pays = game.pay(facts, answer, stakes, adjudication.sheet_of(rules), carry and json.loads(carry))
    staked, returned, paid = Counter(), Counter(), Counter()
    for pay in pays:
        staked[pay.box] += pay.stake_units
        returned[pay.box] += pay.returned_units
        paid[pay.box] += pay.paid_units
    rights = {
        box: [
            box,
            outcome,
            staked[box],
            returned[box],
            paid[box],
            returned[box] + paid[box] - staked[box],
            list(clauses),
        ]
        for box, outcome, clauses in game.outcomes(facts, answer)
    }
    moved = sorted(_moved(game.bank, pays, key, table))
    entry = json.loads(bodies[0])["facts"] if bodies else {}
    compared = {
        "generation": (generation, 1),
        "sheet": (digest, rules_is),
        "business date": (date, session_date),
        "result": (result, log.canonical(answer)),
        "payments": (sorted(payments or []), [rights[box] for box in sorted(rights)]),
        "transfers": (transfers or [], moved),
        "result in the log": (entry.get("result"), json.loads(log.canonical(answer))),
        "payments in the log": (
            sorted([payment[name] for name in _PAYMENT] for payment in entry.get("payments", ())),
            sorted([box, net, outcome, paid, back, put] for box, outcome, put, back, paid, net, _ in rights.values()),
        ),
        "transfers in the log": ([[t[name] for name in _TRANSFER] for t in entry.get("transfers", ())], moved),
    }
    return [
        f"{key}: its {what} should be {right} and is {stored}"
        for what, (stored, right) in compared.items()
        if stored != right
    ]


_PAYMENT = ("box", "net", "outcome", "paid", "returned", "staked")
_TRANSFER = ("key", "debit", "credit", "units", "reason")


def _moved(bank, pays, key, table):
    """The transfers that payments come to: [key, debit, credit, units, reason]."""
    patrons, pot = f"patrons:{table}", f"pot:{table}"
    if bank == "house":
        ends = [patrons, f"float:{table}"]
        for pay in pays:
            gain = pay.returned_units + pay.paid_units - pay.stake_units
            if gain:
                yield [f"{key}:{pay.ordinal}", *(ends if gain > 0 else ends[::-1]), abs(gain), "wager"]
        return
    shares = Counter()
    for pay in pays:
        shares[pay.box] += pay.returned_units + pay.paid_units
        if pay.stake_units:
            reason = "points" if pay.kind == "points" else "stake_in"
            yield [f"{key}:{pay.ordinal}", pot, patrons, pay.stake_units, reason]
    for box, units in shares.items():
        if units:
            yield [f"{key}:share:{box}", patrons, pot, units, "share"]
    rake = sum(pay.stake_units for pay in pays) - shares.total()
    if rake:
        yield [f"{key}:rake", f"rake:{table}", pot, rake, "rake"]
