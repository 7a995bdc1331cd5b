"""The pieces of which strangers' statements are made: an entry, a movement of chips, a settlement and a correction.
Each is as lawful as the house's own unless it is given something else. Ids stand as `$names` of `floor.rows`.
"""

APP, SEALER, AUDITOR, OWNER = "casino_app", "casino_sealer", "casino_auditor", "casino_owner"
DAY = "$date"
# Why something is not refused: it changes nothing that counts; the next inspection names it; or settling the log again
# does.
ACCEPTED, TOLD, VERIFIED = "accepted", "accepted and told", "accepted and verified"
_CURRENT = "currval('payouts_{}_id_seq')"


def _quoted(value):
    return "NULL" if value is None else f"'{value}'"


def entry(chain, event, subject, facts, *, by="staff:$clara", at="clock_timestamp()", more=""):
    """A statement that writes one entry to a chain, as the house does; the database evaluates `'||...||'` in it."""
    return f"""
        WITH h AS MATERIALIZED (
            SELECT key, seq + 1 AS seq, head, {at} AS at FROM audit_chain WHERE key = '{chain}' FOR NO KEY UPDATE),
        e AS MATERIALIZED (SELECT key, seq, at, '{{"at":"'
            || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '","by":"{by}","chain":"{chain}",'
            || '"event":"{event}","facts":{facts},"prev":"' || head || '","seq":' || seq || ',"subject":"{subject}",'
            || '"terminal":null,"v":1}}{more}' AS body FROM h),
        i AS (INSERT INTO audit_entry (chain_id, seq, body) SELECT key, seq, body FROM e RETURNING chain_id)
        UPDATE audit_chain SET seq = e.seq, head = encode(sha256(convert_to(body, 'UTF8')), 'hex'), at = e.at
        FROM e, i WHERE audit_chain.key = i.chain_id"""


def statements(*parts):
    return ";\n".join(parts)


def _account(number):
    return f"'||(SELECT kind || ':' || owner FROM payouts_account WHERE id = {number})||'"


def movement(
    kind="drop", *, units=500, chips='{"500":1}', debit="3", credit="$float", subject="session:$session1", number=1,
    day=DAY, by="$clara", second="$hugo", table="$table1", key=None, reason=None, made_in=None, transfer_day=None,
    moved=None, logged=True, chain=None,
):  # fmt: skip
    """Chips from the float of T1 to the count room, unless something else is given."""
    key = key or f"{subject}:{kind}:{number}"
    extra = ", made_in" if made_in else "", f", {made_in}" if made_in else ""
    header = f"""INSERT INTO payouts_movement (key, business_date, kind, subject, number, denominations,
        requested_by_id, approved_by_id{extra[0]})
        VALUES ('{key}', '{day}', '{kind}', '{subject}', {number}, '{chips}', {by}, {second}{extra[1]})"""
    transfer = f"""INSERT INTO payouts_transfer (key, movement_id, debit_id, credit_id, units, business_date, reason)
        VALUES ('{key}:1', {_CURRENT.format("movement")}, {debit}, {credit}, {moved or units}, '{transfer_day or day}',
        '{reason or kind}')"""
    facts = (
        f'{{"business_date":"{day}","denominations":{chips},"kind":"{kind}","number":{number},'
        f'"people":["staff:{by}","staff:{second}"],"transfer":{{"credit":"{_account(credit)}",'
        f'"debit":"{_account(debit)}","key":"{key}:1","reason":"{kind}","units":{units}}}}}'
    )
    subject = f"movement:'||{_CURRENT.format('movement')}||'"
    told = [entry(chain or f"table:{table}", "movement.made", subject, facts, by=f"staff:{by}")] if logged else []
    return statements(header, transfer, *told)


FOLDED = (
    '{"boxes":[{"box":1,"category":null,"clauses":["split.6"],"net":-500,"outcome":"fold","wagers":[{"kind":"ante",'
    '"paid":0,"returned":0,"stake":500}]}],"dealer":{"bought":false,"category":"pair","has_game":true},'
    '"game":"split","house_net":500}'
)
FOLD = (1, "fold", 500, 0, 0, -500, "{split.6}")
ANTE = ("$float2", "$patrons2", 500, "wager")


def settlement(
    *, round_="$closed", generation=1, line=1, table="$table2", day=DAY, digest="$digest", result=FOLDED,
    payments=(FOLD,), transfers=(ANTE,), key=None, round_key=None, marked=True, logged=True, table_key=None,
    corrected="",
):  # fmt: skip
    """What the worker makes of the closed round of T2, whose one box folded, unless something else is given."""
    round_key = round_key or f"round:{round_}"
    key = key or f"{round_key}:{generation}"
    parts = [
        f"""INSERT INTO payouts_settlement (key, business_date, round_key, generation, table_key, line_ordinal,
        sheet_digest, result) VALUES ('{key}', '{day}', '{round_key}', {generation}, '{table_key or f"table:{table}"}',
        {line}, '{digest}', '{result}')"""
    ]
    paid, moved = [], []
    for box, outcome, staked, returned, gain, net, clauses in payments:
        parts.append(f"""INSERT INTO payouts_payment (settlement_id, box, outcome, staked_units, returned_units,
            paid_units, net_units, clauses) VALUES ({_CURRENT.format("settlement")}, {box}, '{outcome}', {staked},
            {returned}, {gain}, {net}, '{clauses}')""")
        paid.append(
            f'{{"box":{box},"net":{net},"outcome":"{outcome}","paid":{gain},"returned":{returned},"staked":{staked}}}'
        )
    for place, (debit, credit, units, reason, *reverses) in enumerate(transfers, 1):
        # A reversal's key names the transfer that it takes back.
        name = f"{key}:r:{reverses[1]}" if reverses[1:] else f"{key}:{place}"
        parts.append(f"""INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date,
            reason, reverses_id) VALUES ('{name}', {_CURRENT.format("settlement")}, {debit}, {credit}, {units},
            '{day}', '{reason}', {reverses[0] if reverses else "NULL"})""")
        moved.append(
            f'{{"credit":"{_account(credit)}","debit":"{_account(debit)}","key":"{name}","reason":"{reason}",'
            f'"units":{units}}}'
        )
    if marked:
        parts.append(f"""UPDATE tables_round SET status = 'SETTLED', settled_at = coalesce(settled_at, now()),
            next_at = NULL, leases = 0, alone = false, settlement_id = {_CURRENT.format("settlement")}
            WHERE id = {round_}""")
    if logged:
        facts = (
            f'{{"generation":{generation},"payments":[{",".join(paid)}],"result":{result}{corrected},'
            f'"sheet":"{digest}","transfers":[{",".join(moved)}]}}'
        )
        parts.append(entry(f"table:{table}", "round.settled", f"round:{round_}", facts, by="system"))
    return statements(*parts)


_SMALLER = """'||replace((SELECT text FROM tables_line WHERE round_id = $settled AND ordinal = 1), '"8s"', '"8h"')||'"""
LOST = (
    '{"boxes":[{"box":1,"category":"high_card","clauses":["split.17"],"net":-3000,"outcome":"lose","wagers":[{"kind":'
    '"ante","paid":0,"returned":0,"stake":1000},{"kind":"bet","paid":0,"returned":0,"stake":2000}]},{"box":2,'
    '"category":null,"clauses":["split.6"],"net":-500,"outcome":"fold","wagers":[{"kind":"ante","paid":0,"returned":0,'
    '"stake":500}]}],"dealer":{"bought":false,"category":"pair","has_game":true},"game":"split","house_net":3500}'
)
LOSES = ((1, "lose", 3000, 0, 0, -3000, "{split.17}"), (2, "fold", 500, 0, 0, -500, "{split.6}"))
STAKES = tuple(("$float", "$patrons", units, "wager") for units in (1000, 500, 2000))
BACK = (
    ("$patrons", "$float", 500, "reversal", "$ante", "round:$settled:1:2"),
    ("$float", "$patrons", 10000, "reversal", "$transfer", "round:$settled:1:3"),
)


def correction(
    *, by="$anna", second="$clara", at="$settled", ordinal=2, reversals=BACK, transfers=STAKES, payments=LOSES,
    text=_SMALLER, intervened=True, settled=True, **more,
):  # fmt: skip
    """The settled round of T1 corrected: box 1 had the eight of hearts and lost."""
    words = text.removeprefix("'||").removesuffix("||'") if text.startswith("'||") else f"'{text}'"
    parts = [
        f"""INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id, approved_by_id)
        SELECT {at}, {ordinal}, {words}, wagers, {by}, {second} FROM tables_line WHERE round_id = $settled LIMIT 1"""
    ]
    if intervened:
        parts.append(f"""INSERT INTO tables_intervention (round_id, ordinal, kind, clause, reason, salt, line_id, by_id,
            approved_by_id) SELECT $settled, coalesce(max(ordinal), 0) + 1, 'corrected', 'split.33', 'Wrong', 'salt',
            currval('tables_line_id_seq'), {by}, {second} FROM tables_intervention WHERE round_id = $settled""")
        digest = "'||encode(sha256('saltWrong'), 'hex')||'"
        facts = (
            f'{{"approver":"staff:{second}","changes":[{{"after":"8h","before":"8s","path":"boxes[0].cards[4]"}}],'
            f'"clause":"split.33","reason":"{digest}","requester":"staff:{by}","round":{text}}}'
        )
        parts.append(entry("table:$table1", "round.corrected", "round:$settled", facts, by=f"staff:{by}"))
    if settled:
        parts.append(
            settlement(
                **{
                    "round_": "$settled",
                    "generation": 2,
                    "line": ordinal,
                    "table": "$table1",
                    "result": LOST,
                    "payments": payments,
                    "transfers": (*transfers, *reversals),
                    "corrected": f',"round":{text}',
                }
                | more
            )
        )
    return statements(*parts)
