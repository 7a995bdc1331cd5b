"""SQL that somebody with the app's or the auditor's password could send, and how the database refuses it.

`$name` stands for a row's id (see `rows` of test_database.py); each case is sent as one transaction.
"""

import itertools
import json
import re

from psycopg import errors

# fmt: off
APPEND_ONLY = (
    "audit_anchor", "audit_checkpoint", "audit_entry", "audit_leaf", "audit_passedleaf", "audit_subtree",
    "casino_chipset", "movement_rules", "payouts_account", "payouts_movement", "payouts_payment", "payouts_paymenttick",
    "payouts_settlement", "payouts_snapshot", "payouts_transfer", "tables_action", "tables_buyin",
    "tables_casefile", "tables_count", "tables_housefigures",
    "tables_intervention", "tables_line", "tables_scanner", "tables_sessionfigures", "tables_terminalname",
    "tables_tipcount",
)
# Rows of these tables are never lost, though some of their columns change.
KEPT = (
    "audit_chain", "audit_export", "audit_finding", "audit_inspection", "audit_sealing", "casino_casino",
    "casino_hashing", "casino_setting", "casino_staff", "payouts_coefficienttable", "payouts_edgeresult",
    "tables_alarm", "tables_cageshift", "tables_case", "tables_credential", "tables_dispute", "tables_dropbox",
    "tables_gamingday", "tables_inforce", "tables_luckday",
    "tables_onetimecode", "tables_pit", "tables_posting", "tables_question", "tables_recoverycode", "tables_relief",
    "tables_reportfile",    "tables_reporttoken", "tables_round", "tables_roundluck",
    "tables_rulesheet", "tables_series", "tables_session", "tables_signon", "tables_slip", "tables_slipnumber",
    "tables_table", "tables_terminal",
)
CHANGES = ("UPDATE {} SET {key} = {key}", "DELETE FROM {}", "TRUNCATE {} CASCADE")
# Primary keys that are not called id.
PRIMARY = {"audit_anchor": "checkpoint_id", "audit_checkpoint": "size", "audit_leaf": "index", "movement_rules": "kind",
           "payouts_edgeresult": "key",
           "tables_buyin": "movement_id", "tables_sessionfigures": "session_id",
           "tables_housefigures": "day_id", "tables_roundluck": "round_id"}



def changed(table, statement):
    """A statement that changes a row of a table, by its primary key."""
    return statement.format(table, key=PRIMARY.get(table, "id"))


REPLICA = "SET session_replication_role = replica;"


def insert(table, row, **changes):
    """An INSERT of a row that is right but for the changes; values are SQL, None leaves a column out."""
    row = {name: value for name, value in {**row, **changes}.items() if value is not None}
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(row.values())});"


def export(**changes):
    return insert("audit_export", {
        "kind": "'all'", "table_key": "''", "status": "'ASKED'", "leaves": "0", "leaves_written": "0", "entries": "0",
        "progress": "'{}'", "failure": "''",
    }, **changes)


def settlement(**changes):
    return insert("payouts_settlement", {
        "id": "900", "key": "'round:$settled:2'", "round_key": "'round:$settled'",
        "table_key": "'table:$table1'", "result": "'{}'", "generation": "2", "line_ordinal": "2",
        "sheet_digest": "'$digest'", "business_date": "'$date'",
    }, **changes)


def transfer(**changes):
    return insert("payouts_transfer", {
        "key": "'round:$settled:2:1'", "settlement_id": "900", "debit_id": "$float", "credit_id": "$patrons",
        "units": "500", "business_date": "'$date'", "reason": "'wager'",
    }, **changes)


def reversal(**changes):
    """The settled round's transfer of 10000 from float to patrons, back again."""
    known = {"key": "'round:$settled:2:r'", "reason": "'reversal'", "units": "10000", "reverses_id": "$transfer"}
    return transfer(**known | changes)


def payment(**changes):
    return insert("payouts_payment", {
        "settlement_id": "900", "box": "1", "outcome": "'lose'", "staked_units": "500", "returned_units": "0",
        "paid_units": "0", "net_units": "-500", "clauses": "'{split.6}'",
    }, **changes)


def movement(**changes):
    """A drop of 500 units at the first table."""
    return insert("payouts_movement", {
        "id": "900", "key": "'session:$session1:drop:1'", "kind": "'drop'", "subject": "'session:$session1'",
        "number": "1", "denominations": "'{\"100\": 5}'", "business_date": "'$date'", "requested_by_id": "$clara",
        "approved_by_id": "$anna",
    }, **changes)


def moved(**changes):
    """The transfer of that movement."""
    return transfer(**{
        "key": "'session:$session1:drop:1:1'", "settlement_id": None, "movement_id": "900",
        "debit_id": COUNT_ROOM, "credit_id": "$float", "reason": "'drop'",
    } | changes)


CHIPS_OF_FOUR = "(SELECT denominations FROM payouts_movement WHERE key = 'session:$session4:opener:1')"
WORTH_OF_FOUR = "(SELECT units FROM payouts_transfer WHERE key = 'session:$session4:opener:1:1')"


def stopped(where="id = $session4", **changes):
    """Call the last round of the fourth table."""
    row = {"status": "'CLOSING'", "stopped_at": "now()", "stopped_by_id": "$clara"} | changes
    return f"UPDATE tables_session SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE {where};"


def both_counted(
    part="closer", session="$session4", chips=CHIPS_OF_FOUR, units=WORTH_OF_FOUR, second=None, attempt="1"
):
    """Anna and Clara count what opens or closes a session; `second` is what Clara's count says instead."""
    row = {
        "of": f"'session:{session}'", "part": f"'{part}'", "attempt": attempt, "place": "1", "by_id": "$anna",
        "denominations": chips, "units": units,
    }
    return counted(**row) + counted(**row | {"place": "2", "by_id": "$clara"} | (second or {}))


def closing(closer=None, snapshots=None, counts=None, **changes):
    """The fourth table, at which nothing was played, closed with its opener; "" leaves a part out."""
    key, away = "'session:$session4:closer:1'", {"debit_id": CAGE, "credit_id": "$float4"}
    known = {"status": "'CLOSED'", "closed_at": "now()", "closed_by_id": "$clara", "closed_with_id": "$anna"} | changes
    if closer is None:
        closer = movement(
            key=key, kind="'closer'", subject="'session:$session4'", number="1", denominations=CHIPS_OF_FOUR
        ) + moved(key="'session:$session4:closer:1:1'", reason="'closer'", units=WORTH_OF_FOUR, **away)
    if snapshots is None:
        snapshots = snapshot("owner = 'table:$table4'")
    if counts is None:
        counts = both_counted()
    closed = ", ".join(f"{name} = {value}" for name, value in known.items())
    return f"{stopped()}{counts}{closer}{snapshots}UPDATE tables_session SET {closed} WHERE id = $session4;"


def of_slot(kind="rake", number="903", chips='{"500": 1}', units="500", **ends):
    """A movement that empties the rake slot of the fifth table: what lies there goes to the cage."""
    debit, credit, nth = ends.get("debit", CAGE), ends.get("credit", "$slot5"), ends.get("nth", "1")
    key = f"session:$session5:{kind}:{nth}"
    return movement(
        id=number, key=f"'{key}'", kind=f"'{kind}'", number=nth, subject="'session:$session5'",
        denominations=f"'{chips}'",
    ) + moved(key=f"'{key}:1'", movement_id=number, reason=f"'{kind}'", debit_id=debit, credit_id=credit, units=units)


def raked_count(place, closer="100", rake="1", attempt="1", session="$session5", **parts):
    """One person counts the rake slot and the closer, in chips of 5.00 and of 1.00; `parts` are those of the closer."""
    by = "$anna" if place == "1" else "$clara"
    row = {"of": f"'session:{session}'", "attempt": attempt, "place": place, "by_id": by}
    chips = (("rake", "500", rake), ("closer", "100", closer))
    slot, rest = (
        {"part": f"'{part}'", "denominations": f"'{{\"{value}\": {number}}}'", "units": str(int(value) * int(number))}
        for part, value, number in chips
    )
    return counted(**row | slot) + counted(**row | rest | parts)


def closer_of_five():
    key = "session:$session5:closer:1"
    return movement(
        id="902", key=f"'{key}'", kind="'closer'", subject="'session:$session5'", denominations="'{\"100\": 100}'"
    ) + moved(
        key=f"'{key}:1'", movement_id="902", reason="'closer'", units="10000", debit_id=CAGE, credit_id="$float5"
    )


def raking(counts=None, rake=None, snapshots=None):
    """The fifth table, in whose rake slot 5.00 lie, closed as two people counted; "" leaves a part out."""
    if counts is None:
        counts = raked_count("1") + raked_count("2")
    if snapshots is None:
        snapshots = snapshot("owner = 'table:$table5'", subject="'session:$session5'")
    return (
        f"{stopped('id = $session5')}{counts}{closer_of_five()}{of_slot() if rake is None else rake}{snapshots}"
        "UPDATE tables_session SET status = 'CLOSED', closed_at = now(), closed_by_id = $clara, closed_with_id = $anna"
        " WHERE id = $session5;"
    )


def begun(**changes):
    """The closed table begins to be opened."""
    return insert("tables_session", {
        "id": "900", "table_id": "$table_closed", "status": "'OPENING'", "business_date": TODAY,
        "begun_by_id": "$clara",
        "opener_reason": "''", "opener_salt": "''", "counts_from": "1", "closer_reason": "''", "closer_salt": "''",
    }, **changes)


def of_opening(kind="opener", number="920", place="1", denominations=None, units=None, **ends):
    """A movement that opens the closed table: its opener, of the chips that it closed with."""
    debit, credit = ends.get("debit", "$float_closed"), ends.get("credit", CAGE)
    key = f"session:900:{kind}:{place}"
    return movement(
        id=number, key=f"'{key}'", kind=f"'{kind}'", number=place, subject="'session:900'", business_date=TODAY,
        denominations=denominations or "(SELECT denominations FROM payouts_movement"
        " WHERE key = 'session:$session_closed:closer:1')",
    ) + moved(
        key=f"'{key}:1'", movement_id=number, reason=f"'{kind}'", debit_id=debit, credit_id=credit,
        business_date=TODAY,
        units=units or "(SELECT units FROM payouts_transfer WHERE key = 'session:$session_closed:closer:1:1')",
    )


def opening(counts=None, chips=None, variance="", **changes):
    """The closed table opened with what it was closed with; "" leaves a part out."""
    if counts is None:
        counts = both_counted("opener", "900")
    chips = of_opening() if chips is None else chips
    row = {"status": "'OPEN'", "opened_at": "now()", "opened_by_id": "$clara", "opened_with_id": "$anna"} | changes
    row = ", ".join(f"{name} = {value}" for name, value in row.items())
    return f"{begun()}{counts}{variance}{chips}UPDATE tables_session SET {row} WHERE id = 900;"


def snapshot(where, **changes):
    """Snapshots of accounts, for the closing of the fourth table's session."""
    return (
        "INSERT INTO payouts_snapshot (account_id, subject, upto_id, units) SELECT id, {subject}, {upto_id}, {units}"
        " FROM payouts_account WHERE {where};"
    ).format(where=where, **{
        "subject": "'session:$session4'", "upto_id": "(SELECT max(id) FROM payouts_transfer)",
        "units": "account_balance(id)",
    } | changes)


def account_of(kind):
    return f"(SELECT id FROM payouts_account WHERE kind = '{kind}' AND owner = 'house')"


CAGE, VARIANCE = account_of("cage"), account_of("variance")
TRANSIT, COUNT_ROOM, TIPS = account_of("transit"), account_of("count_room"), account_of("tips")
TODAY = "(SELECT gaming_day(now(), time_zone, day_starts_at) FROM casino_casino)"
OVER = f"{TODAY} - 9"
OF_OVER = f"date = {OVER}"
DAY_BEGUN = f"SELECT hold_day({OVER});"


def day_closed(where=OF_OVER, **changes):
    """Two people close a gaming day, a past one unless another is named."""
    row = {
        "status": "'CLOSED'", "closed_by_id": "$clara", "closed_with_id": "$hugo", "closed_at": "now()",
        "figures": "'{}'", "digest": "encode(sha256('{}'), 'hex')",
    } | changes
    return f"UPDATE tables_gamingday SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE {where};"


NEXT = "(SELECT last_number + 1 FROM tables_table WHERE id = $table3)"


def game_round(**changes):
    return insert("tables_round", {
        "table_id": "$table3", "session_id": "$session3", "sheet_id": "$sheet", "number": NEXT, "phase": "'betting'",
        "status": "'OPEN'", "seats": "'{}'", "leases": "0", "failures": "0", "alone": "false", "opened_by_id": "$anna",
    }, **changes)


def from_paper(of="1", **changes):
    """A round of the first or another table that two enter from paper, played now."""
    return game_round(**{
        "table_id": f"$table{of}", "session_id": f"$session{of}", "number": NEXT.replace("$table3", f"$table{of}"),
        "paper": "'412'", "happened_at": "now()", "opened_with_id": "$clara",
    } | changes)


OPENED = "(SELECT opened_at FROM tables_session WHERE id = $session1)"
OF_TABLE2 = {
    "session_id": "(SELECT id FROM tables_session WHERE table_id = $table2 AND status = 'OPEN')",
    "series_id": "(SELECT id FROM tables_series WHERE table_id = $table2)",
}
AFTER_NEXT = "1 + " + NEXT
OF_SHUT = {
    "table_id": "$shut_table", "session_id": "$shut_session", "number": NEXT.replace("$table3", "$shut_table"),
}


def entry(**changes):
    following = "(SELECT {} FROM audit_chain WHERE key = 'house')"
    row = {"chain_id": "'house'", "seq": following.format("seq + 1"), "body": following.format(told())}
    return insert("audit_entry", row, **changes)


def said_by_sealer(event):
    return entry(body=f"(SELECT {told(event=said(repr(event)))} FROM audit_chain WHERE key = 'house')")


def said(text):
    """A text of SQL as JSON."""
    return f"to_json(({text})::text)"


def spelled(values):
    """SQL of an object in the one form, from names and SQL of JSON; None leaves a key out."""
    pairs = (f"""'"{name}":' || {value}""" for name, value in values.items() if value is not None)
    return f"""('{{' || {" || ',' || ".join(pairs)} || '}}')"""


def told(**changes):
    """The body of the next entry of the house in its one form, as SQL on its chain.

    Values are SQL of JSON, None leaves a key out.
    """
    known = {
        "at": said(SPELLED), "by": said("'system'"), "chain": said("key"), "event": said("'staff.left'"),
        "facts": """'{"staff":"staff:1"}'""", "prev": said("head"), "seq": "(seq + 1)", "subject": said("'staff:1'"),
        "terminal": "'null'", "v": "'1'",
    }
    return spelled({**known, **changes})


_SIGNED = [
    '"by":"staff:1","chain":"house","event":"signature.given","facts":{"key":"k","requester":"staff:1"}',
    '"subject":"staff:1","terminal":null,"v":1',
]
SIGNED_TWICE = f"SELECT append_entries('house', '{json.dumps([_SIGNED, _SIGNED])}')"


def lying_entry(**changes):
    return entry(body=f"(SELECT {told(**changes)} FROM audit_chain WHERE key = 'house')")


# One time for a whole transaction, as the log spells it.
SPELLED = "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
DIGEST = "encode(sha256(convert_to(body, 'UTF8')), 'hex')"
FOLLOWED = (
    f"UPDATE audit_chain SET seq = seq + 1, at = now(), head = (SELECT {DIGEST}"
    " FROM audit_entry WHERE chain_id = 'house' ORDER BY seq DESC LIMIT 1) WHERE key = 'house';"
)


def in_force(entry=None, **changes):
    """The first table's sheet put in force there again, by two people, with its entry; `entry` changes that, None
    leaves it out."""
    row = insert("tables_inforce", {
        "table_id": "$table1", "sheet_id": "$sheet", "from_at": "now()", "set_by_id": "$clara",
        "approved_by_id": "$hugo",
    }, **changes)
    return row if entry is None else row + at_table(entry, "table.sheet_set")


def at_table(entry, event):
    """The entry of a sheet set or withdrawn at the first table, by Clara and Hugo; `entry` changes that."""
    facts = {
        "sheet": "'$digest'", "from": SPELLED, "requester": "'staff:$clara'", "approver": "'staff:$hugo'",
    } | entry.get("facts", {})
    known = {"event": f"'{event}'", "subject": "'table:$table1'", "by": "'staff:$clara'"} | entry
    return in_chain("'table:$table1'", facts, **{name: value for name, value in known.items() if name != "facts"})


def in_chain(key, facts, **known):
    """The next entry of a chain; facts and whatever else is given are SQL of text, and None leaves a fact out."""
    head = f"(SELECT {{}} FROM audit_chain WHERE key = {key})"
    body = {name: said(value) for name, value in known.items()} | {
        "facts": spelled({name: said(facts[name]) for name in sorted(facts) if facts[name] is not None})
    }
    return insert("audit_entry", {
        "chain_id": key, "seq": head.format("seq + 1"), "body": head.format(told(**body)),
    }) + FOLLOWED.replace("'house'", key)


TOMORROW = "(date_trunc('minute', now()) + interval '1 day')"
TOLD_TOMORROW = SPELLED.replace("now()", TOMORROW)


def to_come(**changes):
    """Place 900: the first table's sheet from tomorrow on."""
    return in_force({"facts": {"from": TOLD_TOMORROW}}, **{"id": "900", "from_at": TOMORROW} | changes)


def taken_back(entry=None, **changes):
    """Place 900 withdrawn, by Clara and Hugo, with its entry; `entry` changes that, None leaves it out."""
    row = {"withdrawn_at": "now()", "withdrawn_by_id": "$clara", "withdrawn_with_id": "$hugo"} | changes
    row = f"UPDATE tables_inforce SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE id = 900;"
    if entry is None:
        return row
    facts = {"from": TOLD_TOMORROW} | entry.get("facts", {})
    return row + at_table(entry | {"facts": facts}, "table.sheet_withdrawn")


def in_house(facts, **known):
    """An entry of the house about setting 900 by Clara; facts are SQL of JSON, None leaves one out."""
    known = {"event": "'setting.changed'", "subject": "'setting:900'", "by": "'staff:$clara'"} | known
    known = {name: said(value) for name, value in known.items()}
    told = {name: facts[name] for name in sorted(facts) if facts[name] is not None}
    return lying_entry(**known, facts=spelled(told)) + FOLLOWED


def setting(entry=None, **changes):
    """Another value of a setting, from tomorrow on by Clara and Hugo, with its entry; `entry` changes that, None
    leaves it out."""
    row = insert("casino_setting", {
        "id": "900", "name": "'closer_variance_units'", "value": "'700'", "from_at": TOMORROW,
        "proposed_by_id": "$clara", "approved_by_id": "$hugo",
    }, **changes)
    if entry is None:
        return row
    facts = {
        "what": said("'closer_variance_units'"), "before": "'0'", "after": "'700'", "from": said(TOLD_TOMORROW),
        "requester": said("'staff:$clara'"), "approver": said("'staff:$hugo'"),
    } | entry.get("facts", {})
    return row + in_house(facts, **{name: value for name, value in entry.items() if name != "facts"})


def withdrawal(entry=None, **changes):
    """Setting 900 withdrawn again, by Clara and Hugo."""
    row = {"withdrawn_at": "now()"} | changes
    row = f"UPDATE casino_setting SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE id = 900;"
    if entry is None:
        return row
    facts = {
        "what": said("'closer_variance_units'"), "before": "'700'", "from": said(TOLD_TOMORROW),
        "requester": said("'staff:$clara'"), "approver": said("'staff:$hugo'"),
    } | entry.get("facts", {})
    return row + in_house(facts, **{name: value for name, value in entry.items() if name != "facts"})


def evidence(event, subject, chain="table:$table1"):
    """The log's entry about money, as the product writes it: the chain is locked last of all."""
    at = said(SPELLED.replace("now()", "greatest(now(), at)"))
    newest = f"(SELECT {{}} FROM audit_entry WHERE chain_id = '{chain}' ORDER BY seq DESC LIMIT 1)"
    body = told(event=said(f"'{event}'"), subject=said(f"'{subject}'"), at=at)
    head = f"(SELECT {{}} FROM audit_chain WHERE key = '{chain}')"
    row = {"chain_id": f"'{chain}'", "seq": head.format("seq + 1"), "body": head.format(body)}
    return (
        f"SELECT FROM audit_chain WHERE key = '{chain}' FOR NO KEY UPDATE;"
        + insert("audit_entry", row)
        + f"UPDATE audit_chain SET seq = seq + 1, at = {newest.format('at::timestamptz')},"
        f" head = {newest.format(DIGEST)} WHERE key = '{chain}';"
    )


MOVEMENT_IN_LOG = evidence("movement.made", "movement:900")
SETTLED_IN_LOG = evidence("round.settled", "round:$settled")


def intervention(**changes):
    """The closed round's first."""
    return insert("tables_intervention", {
        "round_id": "$closed", "ordinal": "1", "kind": "'held'", "clause": "'split.36'", "reason": "'x'",
        "salt": "'y'", "by_id": "$anna",
    }, **changes)


def dispute(**changes):
    """An open dispute of the closed round."""
    return insert("tables_dispute", {
        "id": "900", "round_id": "$closed", "status": "'OPEN'", "about": "'payment'", "boxes": "'{1}'",
        "statement": "'x'", "salt": "'y'", "reason": "''", "reason_salt": "''", "raised_by_id": "$anna",
    }, **changes)


def alarm(**changes):
    """A call from the third table, where none stands; no alarm of another kind has a reason."""
    reason = "NULL" if changes.get("kind", "'call'") != "'call'" else "'chips'"
    return insert("tables_alarm", {
        "id": "900", "kind": "'call'", "subject": "'table:$table3'", "table_id": "$table3", "raised_by_id": "$anna",
        "reason": reason, "word": "''", "salt": "''",
    }, **changes)


def called(facts=(), **known):
    """A call from the third table with its entry; `facts` and `known` change that."""
    facts = {"alarm": "'alarm:900'", "kind": "'call'", "of": "'table:$table3'", "reason": "'chips'"} | dict(facts)
    known = {"event": "'alarm.raised'", "subject": "'alarm:900'", "by": "'staff:$anna'"} | known
    return alarm() + in_chain("'table:$table3'", facts, **known)


def answer(where="id = $call", **changes):
    """Clara comes to the first table's call."""
    row = {"taken_by_id": "$clara", "taken_at": "now()", "word": "'x'", "salt": "'y'"} | changes
    return f"UPDATE tables_alarm SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE {where};"


CALL_OVER = "UPDATE tables_alarm SET over_at = now() WHERE id = $call;"


def case(**changes):
    """Another case of the second table, about a closing that has one already; nothing else refuses it."""
    return insert("tables_case", {
        "id": "900", "kind": "'variance'", "year": YEAR, "number": "0", "table_id": "$table2",
        "subject": "'session:$session_varied'", "units": "-100", "status": "'OPEN'", "owner_id": "$clara",
        "due_at": "now() + interval '1 day'", "video": "''", "reason": "''", "salt": "''",
    }, **changes)


def asking(**changes):
    """Another case, the investigation of that session."""
    return case(**{"id": "901", "kind": "'investigation'", "units": "NULL", "question": "'x'", "question_salt": "'y'"}
                | changes)


def deciding(**changes):
    """Clara decides the case; somebody signs who did not sign the closing."""
    row = {
        "status": "'DECIDED'", "outcome": "'found'", "reason": "'x'", "salt": "'y'", "decided_by_id": "$clara",
        "approved_by_id": "$anna", "decided_at": "now()",
    } | changes
    return f"UPDATE tables_case SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE id = $case;"


def scanner(**changes):
    """The terminal of the first table has a scanner of its own."""
    return insert("tables_scanner", {
        "id": "900", "terminal_id": "$terminal", "game": "'split'", "prefix": "''", "suffix": "'#'",
        "codes": "'{\"Td\": \"D10\"}'", "set_by_id": "$clara",
    }, **changes)


YEAR = "extract(year FROM '$date'::date)"
# The chips of the fill that is on its way to the first table, and of the credit that is asked for there.
CHIPS = """'{"500": 40, "10000": 2}'"""


def number_of(kind="fill", year=YEAR):
    """Take the next number of a kind of slip."""
    return (
        f"INSERT INTO tables_slipnumber (kind, year, last) VALUES ('{kind}', {year}, 1)"
        " ON CONFLICT (kind, year) DO UPDATE SET last = tables_slipnumber.last + 1;"
    )


def slip(kind="fill", **changes):
    """A slip of the first table, without taking its number."""
    return insert("tables_slip", {
        "id": "900", "kind": f"'{kind}'", "year": YEAR, "table_id": "$table1", "session_id": "$session1",
        "number": f"(SELECT max(last) FROM tables_slipnumber WHERE kind = '{kind}')",
        "denominations": "'{\"100\": 5}'", "units": "500", "status": "'REQUESTED'", "requested_by_id": "$clara",
        "reason": "''", "salt": "''", "prints": "0",
    }, **changes)


def requested(kind="fill", **changes):
    """A slip of the first table with the next number of its kind."""
    return number_of(kind) + slip(kind, **changes)


def step(name, **changes):
    """A step of the fill or the credit of the first table, as it is written in its row."""
    row = ", ".join(f"{column} = {value}" for column, value in changes.items())
    return f"UPDATE tables_slip SET {row} WHERE id = ${name};"


def carried(kind, debit, credit, *, name="fill", number="910", transfer=None, **changes):
    """The chips of a slip moved by one of its steps; `transfer` changes that row alone."""
    key = f"slip:${name}:{kind}:1"
    known = {"denominations": CHIPS, "kind": f"'{kind}'", "key": f"'{key}'", "subject": f"'slip:${name}'"} | changes
    row = {"reason": f"'{kind}'", "key": f"'{key}:1'", "debit_id": debit, "credit_id": credit, "units": "40000"}
    return movement(id=number, **known) + moved(movement_id=number, **row | (transfer or {}))


def counted(**changes):
    """Clara counts the fill second, as it says."""
    return insert("tables_count", {
        "of": "'slip:$fill'", "part": "'fill'", "attempt": "1", "place": "2", "by_id": "$clara",
        "denominations": CHIPS, "units": "40000",
    }, **changes)


WAY_OUT = carried("credit", TRANSIT, "$float", name="credit")
WAY_IN = carried("fill", "$float", TRANSIT)
WAY_HOME = carried("fill_returned", CAGE, TRANSIT)
TWO_ENDED = {
    "voided_by_id": "$clara", "approved_by_id": "$hugo", "voided_at": "now()", "reason": "'x'", "salt": "'y'",
}


def issued(chips=WAY_OUT, **changes):
    """Anna hands over the credit."""
    row = {"status": "'ISSUED'", "issued_by_id": "$anna", "issued_at": "now()", "out_id": "910"} | changes
    return chips + step("credit", **row)


def received(chips=WAY_IN, count=None, **changes):
    """The fill is received by Anna and Clara."""
    row = {
        "status": "'RECEIVED'", "received_by_id": "$anna", "received_with_id": "$clara", "received_at": "now()",
        "back_id": "910",
    } | changes
    return (counted() if count is None else count) + chips + step("fill", **row)


def sent_back(chips=WAY_HOME, **changes):
    """The fill is sent back by two."""
    return chips + step("fill", **{"status": "'RETURNED'", "back_id": "910"} | TWO_ENDED | changes)


def voided(**changes):
    """The credit is voided by two."""
    return step("credit", **{"status": "'VOIDED'"} | TWO_ENDED | changes)


SLIP_IN_LOG = evidence("movement.made", "movement:910")
# What the books have in the cage, and chips worth as much.
IN_CAGE = f"(SELECT account_balance({CAGE}))"
CHIPS_IN_CAGE = f"jsonb_build_object('500', {IN_CAGE} / 500)"
CASH, ISSUED = account_of("cash"), account_of("issued")


def of_cage(kind="sold", debit=CASH, credit=CAGE, *, place="1", number="920", transfer=None, **changes):
    """Chips of 5.00 sold in the open shift of the cage; `transfer` changes that row alone."""
    key = f"cage_shift:$shift:{kind}:{place}"
    known = {
        "key": f"'{key}'", "kind": f"'{kind}'", "subject": "'cage_shift:$shift'", "number": place,
        "denominations": "'{\"1\": 500}'", "requested_by_id": "$hugo",
    } | changes
    row = {"reason": f"'{kind}'", "key": f"'{key}:1'", "debit_id": debit, "credit_id": credit} | (transfer or {})
    return movement(id=number, **known) + moved(movement_id=number, **row)


def cage_counting(**changes):
    """The cage of the open shift begins to be counted."""
    row = {"counts_from": "1", "expected_units": IN_CAGE} | changes
    return f"UPDATE tables_cageshift SET {', '.join(f'{name} = {value}' for name, value in row.items())};"


def cage_counted(place="1", **changes):
    """Hugo counts the cage first, or Clara second."""
    return insert("tables_count", {
        "of": "'cage_shift:$shift'", "part": "'cage'", "attempt": "1", "place": place,
        "by_id": "$hugo" if place == "1" else "$clara", "denominations": CHIPS_IN_CAGE, "units": IN_CAGE,
    }, **changes)


COUNTED_IN_CAGE = "(SELECT {} FROM tables_count WHERE part = 'cage' ORDER BY id DESC LIMIT 1)"
BOTH_COUNTED = cage_counted() + cage_counted("2")
# A chip of 5.00 less.
LESS = {"denominations": f"jsonb_build_object('500', {IN_CAGE} / 500 - 1)", "units": f"{IN_CAGE} - 500"}
BOTH_LESS = cage_counted(**LESS) + cage_counted("2", **LESS)
LACKS = of_cage("variance", VARIANCE, CAGE)
CAGE_IN_LOG = evidence("movement.made", "movement:920", "house")


def cage_closing(counts=BOTH_COUNTED, variance="", **changes):
    """The shift of the cage closed with what the books have; "" leaves a part out."""
    row = {
        "status": "'CLOSED'", "closed_at": "now()", "closed_by_id": "$hugo", "closed_with_id": "$clara",
        "denominations": CHIPS_IN_CAGE, "variance_units": "0",
    } | changes
    row = ", ".join(f"{name} = {value}" for name, value in row.items())
    return f"{cage_counting()}{counts}{variance}UPDATE tables_cageshift SET {row} WHERE id = $shift;"


def cage_lacking(**changes):
    """The shift closed with a chip of 5.00 less than the books had."""
    known = {
        "counts": BOTH_LESS, "variance": LACKS, "denominations": CHIPS_IN_CAGE, "variance_units": "-500",
    } | changes
    return cage_closing(**known)


def cage_opened(**changes):
    return insert("tables_cageshift", {
        "status": "'OPEN'", "business_date": TODAY, "opened_by_id": "$hugo", "counts_from": "0", "reason": "''",
        "salt": "''",
    }, **changes)


EXCHANGED = """'{"100": 400}'"""


def drop_box(**changes):
    """A drop box of the third table, as Clara and Hugo mount it."""
    return insert("tables_dropbox", {
        "id": "900", "number": "'102'", "seal": "'S-1'", "table_id": "$table3", "session_id": "$session3",
        "business_date": "'$date'", "status": "'MOUNTED'", "mounted_by_id": "$clara", "mounted_with_id": "$hugo",
        "reason": "''", "salt": "''",
    }, **changes)


def of_drop_box(**changes):
    """The drop box of the first table, into which 5.00 went, changed."""
    return f"UPDATE tables_dropbox SET {', '.join(f'{name} = {value}' for name, value in changes.items())}" \
        " WHERE id = $drop_box;"


def taken_off(**changes):
    row = {"status": "'REMOVED'", "removed_by_id": "$clara", "removed_with_id": "$hugo", "removed_at": "now()"}
    return of_drop_box(**row | {"removed_seal": "'S-1'"} | changes)


def cash_counted(place="1", **changes):
    """Anna counts the drop box's cash first, or Clara second."""
    return insert("tables_count", {
        "of": "'drop_box:$drop_box'", "part": "'drop'", "attempt": "1", "place": place,
        "by_id": "$anna" if place == "1" else "$clara", "denominations": "'{\"500\": 1}'", "units": "500",
    }, **changes)


def cash_moved(kind="drop", debit=None, credit="$cash1", *, number="930", chips='{"500": 1}', units="500", **changes):
    """A movement of the drop box's cash."""
    key = f"drop_box:$drop_box:{kind}:1"
    changes = {"key": f"'{key}'", "kind": f"'{kind}'", "subject": "'drop_box:$drop_box'"} | changes
    return movement(id=number, denominations=f"'{chips}'", **changes) + moved(
        key=changes["key"][:-1] + ":1'", movement_id=number, reason=changes["kind"], debit_id=debit or COUNT_ROOM,
        credit_id=credit, units=units, business_date=changes.get("business_date", "'$date'"),
    )


BOTH_CASH = cash_counted() + cash_counted("2")
CASH_IN_LOG = evidence("movement.made", "movement:930")


def drop_counted(counts=BOTH_CASH, cash=None, **changes):
    """The first table's drop box counted with what was recorded; "" leaves a part out."""
    row = {
        "status": "'COUNTED'", "counted_at": "now()", "counted_by_id": "$anna", "counted_with_id": "$clara",
        "cash_units": "500", "recorded_units": "500",
    }
    return taken_off() + counts + (cash_moved() if cash is None else cash) + of_drop_box(**row | changes)


def bought(**changes):
    """A buy-in of 5.00 at the first table, of its movement."""
    return insert("tables_buyin", {
        "movement_id": "931", "drop_box_id": "$drop_box", "session_id": "$session1", "box": "1", "units": "500",
        "by_id": "$anna",
    }, **changes)


def sold(chips='{"1": 500}', **transfer):
    """Its movement."""
    key = "session:$session1:buy_in:2"
    return movement(
        id="931", key=f"'{key}'", kind="'buy_in'", number="2", denominations=f"'{chips}'", requested_by_id="$anna",
        approved_by_id=None,
    ) + moved(**{
        "key": f"'{key}:1'", "movement_id": "931", "reason": "'buy_in'", "debit_id": "$cash1", "credit_id": "$float",
    } | transfer)


def tipped(chips='{"1": 500}', kind="tip", **transfer):
    """A tip of 5.00 at the first table, where one was given before."""
    key = f"session:$session1:{kind}:{2 if kind == 'tip' else 1}"
    return movement(
        id="932", key=f"'{key}'", kind=f"'{kind}'", number=key[-1], denominations=f"'{chips}'", requested_by_id="$anna",
        approved_by_id=None if kind == "tip" else "$clara",
    ) + moved(**{
        "key": f"'{key}:1'", "movement_id": "932", "reason": f"'{kind}'", "debit_id": TIPS, "credit_id": "$patrons",
    } | transfer)


def tips_of(place="1", **changes):
    """Anna counts the tips of the day that is due first, or Clara second."""
    return insert("tables_count", {
        "of": "'tips:$day_due'", "part": "'tips'", "attempt": "1", "place": place,
        "by_id": "$anna" if place == "1" else "$clara", "denominations": "'{\"500\": 1}'", "units": "500",
    }, **changes)


BOTH_TIPS = tips_of() + tips_of("2")
MORE_TIPS = {"denominations": "'{\"500\": 2}'", "units": "1000"}
BOTH_MORE_TIPS = tips_of(**MORE_TIPS) + tips_of("2", **MORE_TIPS)


def tips_varied(day="$day_due", *, number="1", chips='{"1": 500}', debit=TIPS, credit=VARIANCE, **changes):
    """A variance of 5.00 more than the tips of that day come to."""
    key = f"tips:{day}:variance:{number}"
    return movement(
        id="933", key=f"'{key}'", kind="'variance'", subject=f"'tips:{day}'", number=number,
        denominations=f"'{chips}'", **{"business_date": f"'{day}'"} | changes,
    ) + moved(
        key=f"'{key}:1'", movement_id="933", reason="'variance'", debit_id=debit, credit_id=credit,
        **{"business_date": f"'{day}'"} | changes,
    )


def tips_counted(counts=BOTH_TIPS, varied="", **changes):
    """The tips of the day that is due counted, as much as was entered."""
    return counts + varied + insert("tables_tipcount", {
        "date": "'$day_due'", "denominations": "'{\"500\": 1}'", "counted_units": "500", "recorded_units": "500",
        "counted_by_id": "$anna", "counted_with_id": "$clara", "reason": "''", "salt": "''",
    }, **changes)


def case_file(**changes):
    """A file of the case, a byte long."""
    return insert("tables_casefile", {
        "case_id": "$case", "digest": "encode(sha256('x'), 'hex')", "content": "'x'", "size": "1",
        "made_by_id": "$clara",
    }, **changes)


def ruling(where="id = $dispute", **changes):
    """The settled round's dispute refused by Clara and Hugo."""
    row = {
        "status": "'RULED'", "ruling": "'refused'", "clause": "'split.17'", "reason": "'x'", "reason_salt": "'y'",
        "ruled_by_id": "$clara", "approved_by_id": "$hugo", "ruled_at": "now()",
    } | changes
    return f"UPDATE tables_dispute SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE {where};"


UPHELD = {"ruling": "'upheld'", "line_id": "900", "approved_by_id": "$hugo"}


def case_ruled(outcome="refused", by="$clara"):
    """The case of that dispute decided, as its ruling does."""
    return (
        f"UPDATE tables_case SET status = 'DECIDED', outcome = '{outcome}', decided_by_id = {by},"
        " approved_by_id = $hugo, decided_at = now() WHERE subject = 'dispute:$dispute';"
    )


DISPUTE_CLOSED = "UPDATE tables_dispute SET status = 'CLOSED', closed_at = now() WHERE id = $dispute;"

FIRST_LINE = "(SELECT text FROM tables_line WHERE round_id = $settled AND ordinal = 1)"


def line(**changes):
    return insert("tables_line", {
        "round_id": "$settled", "ordinal": "2", "text": FIRST_LINE, "wagers": "'[]'", "by_id": "$anna",
        "approved_by_id": "$clara",
    }, **changes)


def of_round(name, assignments):
    return f"UPDATE tables_round SET {assignments} WHERE id = ${name}"


def of_house(assignments):
    return f"UPDATE audit_chain SET {assignments} WHERE key = 'house'"


def action(**changes):
    """The open round's first."""
    return insert("tables_action", {
        "round_id": "$open", "ordinal": "1", "phase": "'betting'", "kind": "'ante'", "arguments": "'{}'",
        "by_id": "$anna",
    }, **changes)


def first(**changes):
    """The first settlement of the closed round, at the second table."""
    return settlement(**{
        "key": "'round:$closed:1'", "round_key": "'round:$closed'", "table_key": "'table:$table2'", "generation": "1",
        "line_ordinal": "1",
    } | changes)


def taken(name="settled"):
    """A round takes settlement 900."""
    first_time = "" if name == "settled" else "status = 'SETTLED', settled_at = now(), next_at = NULL, "
    return of_round(name, first_time + "settlement_id = 900") + ";"


def undone(key):
    """A transfer taken back by the settlement that made it."""
    return (
        "INSERT INTO payouts_transfer"
        " (key, settlement_id, debit_id, credit_id, units, business_date, reason, reverses_id)"
        " SELECT key || ':r', settlement_id, credit_id, debit_id, units, business_date, 'reversal', id"
        f" FROM payouts_transfer WHERE key = '{key}';"
    )


REVERSALS = (
    "INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date, reason, reverses_id)"
    " SELECT 'round:$settled:2:r:' || key, 900, credit_id, debit_id, units, '$date', 'reversal', id"
    " FROM payouts_transfer WHERE settlement_id = $settlement;"
)
# The settled round settled again rightly, and the closed one for the first time.
CORRECTED = line(id="900") + settlement() + REVERSALS + transfer() + payment() + taken() + SETTLED_IN_LOG
FIRST = (
    first() + transfer(key="'round:$closed:1:1'", debit_id="$float2", credit_id="$patrons2")
    + payment() + taken("closed") + evidence("round.settled", "round:$closed", "table:$table2")
)
LATE = (
    settlement(key="'round:$late:1'", round_key="'round:$late'", table_key="'table:$shut_table'", generation="1",
               line_ordinal="1")
    + transfer(key="'round:$late:1:1'", debit_id="$shut_float", credit_id="$shut_patrons")
    + payment() + taken("late") + evidence("round.settled", "round:$late", "table:$shut_table")
)


def at_shut_table(sql):
    """The same done to the settled round of the closed table."""
    named = {"settled": "shut_round", "table1": "shut_table"} | {
        name: f"shut_{name}" for name in ("settlement", "transfer", "ante", "float", "patrons")
    }
    return re.sub(r"\$(\w+)", lambda match: f"${named.get(match[1], match[1])}", sql)


def evening(round_, **changes):
    """The cage gives 500 units into the float of a closed table, as if a correction had taken them."""
    key = f"round:{round_}:correction:1"
    same = {name: changes.pop(name) for name in ("business_date",) if name in changes}
    return movement(
        key=f"'{key}'", kind="'correction'", subject=f"'round:{round_}'", denominations="'{\"1\": 500}'", **same
    ) + moved(**{
        "key": f"'{key}:1'", "debit_id": "$float" if round_ == "$settled" else "$shut_float", "credit_id": CAGE,
        "reason": "'correction'", **same,
    } | changes)


# Transfers of the closed round's first settlement: one as it should be, one more, and one from another table.
MOVES = "INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date, reason)"
RIGHT, FURTHER, STRAY = (
    f"('round:$closed:1:{place}', 900, $float2, {credit}, 500, '$date'::date, 'wager')"
    for place, credit in ((1, "$patrons2"), (2, "$patrons2"), (3, "$patrons"))
)
# The guards look at all rows of a statement together, so here are ways for one statement to write several.
ASTRAY = {
    "after a right one": f"{MOVES} VALUES {RIGHT}, {STRAY}",
    "before a right one": f"{MOVES} VALUES {STRAY}, {RIGHT}",
    "beside what is there already": f"{MOVES} VALUES {RIGHT}; {MOVES} VALUES {RIGHT}, {STRAY} ON CONFLICT DO NOTHING",
    "inside a query": f"WITH moves AS ({MOVES} VALUES {RIGHT}, {STRAY} RETURNING id) SELECT count(*) FROM moves",
    "in the first part of a query": f"WITH one AS ({MOVES} VALUES {STRAY}), two AS ({MOVES} VALUES {RIGHT}) SELECT",
    "in the last part of a query": f"WITH one AS ({MOVES} VALUES {RIGHT}), two AS ({MOVES} VALUES {STRAY}) SELECT",
    "by a merge": f"MERGE INTO payouts_transfer t USING (VALUES {RIGHT}, {STRAY})"
    " n (key, made, debit, credit, units, day, reason) ON t.key = n.key"
    " WHEN NOT MATCHED THEN INSERT (key, settlement_id, debit_id, credit_id, units, business_date, reason)"
    " VALUES (n.key, made, debit, credit, n.units, day, n.reason)",
    "in a block": f"DO $$do$$ BEGIN {MOVES} VALUES {RIGHT}, {STRAY}; END $$do$$",
    "with constraints put off": f"SET CONSTRAINTS ALL DEFERRED; {MOVES} VALUES {RIGHT}, {STRAY}",
    "with ids of its own": MOVES.replace("(key", "(id, key") + " OVERRIDING SYSTEM VALUE"
    f" VALUES {RIGHT.replace('(', '(-1, ', 1)}, {STRAY.replace('(', '(-2, ', 1)}",
}


def written(credit="$patrons2", place="1"):
    """The same as `write_settlements` takes it."""
    return (
        """'[{"key": "round:$closed:1", "round_key": "round:$closed", "table_key": "table:$table2", "generation": 1,"""
        """ "line_ordinal": 1, "sheet_digest": "$digest", "business_date": "$date", "result": "{}"}]', '[]',"""
        f""" '[{{"place": {place}, "key": "round:$closed:1:1", "debit": $float2, "credit": {credit}, "units": 500,"""
        """ "business_date": "$date", "reason": "wager"}]'"""
    )


COUNTED = "UPDATE tables_table SET last_number = last_number + 1 WHERE id = $table1;"
RULES = (
    "jsonb_build_object('game', game, 'version', version, 'parameters', values - 'coefficients', 'limits', '{}'::jsonb,"
    " 'coefficients', values -> 'coefficients')::text"
)
MORE_RULES = RULES.replace("('game'", "('more', repeat('9', 6000)::numeric, 'game'")
RULED = f"rules = {RULES}, digest = encode(sha256(convert_to({RULES}, 'UTF8')), 'hex')"
PINNED = (
    "(SELECT jsonb_build_array(jsonb_build_object('key', key, 'ante', NULL, 'edge', figures ->> 'edge_percent'))"
    " FROM payouts_edgeresult WHERE status = 'DONE' AND NOT inputs ? 'ante'"
    " AND inputs -> 'coefficients' = values -> 'coefficients'"
    " AND inputs -> 'small_hand_loss_pays' = values -> 'small_hand_loss_pays' ORDER BY key LIMIT 1)"
)
RULED_RIGHTLY = f"{RULED}, edge = {PINNED}"
# JSON that PostgreSQL accepts and Python cannot read.
ENDLESS, DEEP = "9" * 6000, "[" * 2000 + "]" * 2000
UNREADABLE = f"""'{{"x": {ENDLESS}}}'"""
HELD = intervention(kind="'held'") + "UPDATE tables_round SET held_at = now() WHERE id = $closed;"
RELIEF_OVER = "UPDATE tables_relief SET ended_at = now(), withdrawn_by_id = $clara WHERE id = 900;"


# Hugo and Clara, who deal nowhere, as croupiers.
CROUPIERS = (
    "INSERT INTO tables_posting (staff_id, role) VALUES ($hugo, 'croupier'), ($clara, 'croupier')"
    " ON CONFLICT DO NOTHING;"
)


def relief(**changes):
    """Clara asks Hugo to take the first table over."""
    return CROUPIERS + insert("tables_relief", {
        "id": "900", "table_id": "$table1", "staff_id": "$hugo", "asked_by_id": "$clara",
    }, **changes)




def code(**changes):
    """Clara and Hugo give Anna a one-time code."""
    return insert("tables_onetimecode", {
        "id": "900", "staff_id": "$anna", "digest": "repeat('c', 64)", "given_by_id": "$clara",
        "given_with_id": "$hugo",
    }, **changes)


def of_anna(event, changes=None, **facts):
    """The entry of something that Clara and Hugo do to Anna; `facts` are its own, None leaves one out; `changes` are to
    the entry."""
    facts = {"staff": "'staff:$anna'", "requester": "'staff:$clara'", "approver": "'staff:$hugo'"} | facts
    facts = {name: value and said(value) for name, value in facts.items()}
    return in_house(facts, **{"event": f"'{event}'", "subject": "'staff:$anna'"} | (changes or {}))


def by_anna(event, *, of="credential:900", **facts):
    """The entry of something that Anna does alone, mostly with the credential above."""
    changes = {"by": "'staff:$anna'", "subject": f"'{of}'"}
    return of_anna(event, changes, **{"requester": None, "approver": None} | facts)


def credential(**changes):
    """Anna's authenticator app."""
    return insert("tables_credential", {
        "id": "900", "staff_id": "$anna", "kind": "'app'", "name": "'Z'", "secret": "repeat('A', 32)", "counter": "5",
    }, **changes)


def report_file(**changes):
    """A file of a report that Clara asks for."""
    return insert("tables_reportfile", {
        "id": "900", "report": "'master-game'", "edition": "1", "period": "'2026-01-03'", "first": "'2026-01-03'",
        "last": "'2026-01-03'", "form": "'csv'", "status": "'ASKED'", "asked_by_id": "$clara", "rows_made": "0",
        "digest": "''", "file_digest": "''", "failure": "''",
    }, **changes)


def file_over(status, *, of="900", **changes):
    """The file above, or another, in a further state."""
    known = {"status": f"'{status}'", "ended_at": "now()"}
    if status == "DONE":
        known |= {"digest": "repeat('a', 64)", "file_digest": "repeat('a', 64)", "size": "9", "rows_made": "7"}
    if status == "FAILED":
        known["failure"] = "'x'"
    if status == "PRUNED":
        known = {"status": "'PRUNED'", "pruned_at": "now()", "pruned_by_id": "$clara", "pruned_with_id": "$hugo"}
    if status == "ASKED":
        known = {"status": "'ASKED'"}
    known |= changes
    listed = ", ".join(f"{name} = {value}" for name, value in known.items())
    return f"UPDATE tables_reportfile SET {listed} WHERE id = {of};"


def edge(**changes):
    """An edge that is asked for."""
    return insert("payouts_edgeresult", {
        "key": "repeat('e', 64)", "inputs": "'{}'", "status": "'ASKED'", "tries": "0", "progress": "0", "failure": "''",
    }, **changes)


def published_with(edge=PINNED, **changes):
    """The draft published, by what it pins and by a reason or none."""
    listed = "".join(f", {name} = {value}" for name, value in ({"edge": edge} | changes).items())
    return (
        "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna, published_at = now(),"
        f" {RULED}{listed} WHERE id = $sheet_draft"
    )


def pinned(percent, games="true", **inputs):
    """An edge of the draft, computed as this many per cent, and the draft published by it."""
    more = ", ".join(f"'{name}', {value}" for name, value in ({"program": "'z'"} | inputs).items())
    of_draft = (
        f"(SELECT jsonb_build_object({more}, 'coefficients', values -> 'coefficients')"
        " FROM tables_rulesheet WHERE id = $sheet_draft)"
    )
    figures = f"""'{{"edge_percent": "{percent}", "games": {games}}}'"""
    pin = f"""'[{{"key": "{"e" * 64}", "ante": null, "edge": "{percent}"}}]'"""
    return edge(inputs=of_draft) + edge_over("COMPUTING") + edge_over("DONE", figures=figures) + published_with(pin)


def edge_over(status, **changes):
    """The edge above in a further state."""
    known = {"status": f"'{status}'"}
    if status == "COMPUTING":
        known["tries"] = "tries + 1"
    if status == "DONE":
        known |= {"progress": "1000", "figures": "'{}'"}
    if status == "FAILED":
        known["failure"] = "'x'"
    if status == "ASKED":
        known |= {"tries": "0", "progress": "0", "begun_at": "NULL", "beat_at": "NULL", "failure": "''"}
    listed = ", ".join(f"{name} = {value}" for name, value in (known | changes).items())
    return f"UPDATE payouts_edgeresult SET {listed} WHERE key = repeat('e', 64);"


EDGE_BEGUN = edge() + edge_over("COMPUTING")
EDGE_DONE = EDGE_BEGUN + edge_over("DONE")


def round_luck(**changes):
    """The luck of a round that Erik dealt, at a table that was closed since; nothing was expected of it."""
    return insert("tables_roundluck", {
        "round_id": "$shut_round", "settlement_id": "$shut_settlement", "table_id": "$shut_table",
        "croupier_id": "(SELECT opened_by_id FROM tables_round WHERE id = $shut_round)",
        "business_date": "(SELECT business_date FROM tables_session WHERE id = $shut_session)", "left_out": "''",
        "edge_keys": "(SELECT ARRAY[min(key)] FROM payouts_edgeresult WHERE status = 'DONE')",
        "win_units": "(SELECT -sum(net_units) FROM payouts_payment WHERE settlement_id = $shut_settlement)",
        "expected": "0", "variance": "0", "part": "0",
    }, **changes)


NOT_COUNTED = {"left_out": "'ruled'", "expected": "NULL", "variance": "NULL", "part": "NULL"}


def luck_day(**changes):
    """The gaming day of that table, to be added up."""
    return insert("tables_luckday", {
        "id": "900", "table_id": "$shut_table", "business_date":
        "(SELECT business_date FROM tables_session WHERE id = $shut_session)", "stale": "true", "rounds": "0",
        "left_out": "0", "win_units": "0", "expected": "0", "variance": "0", "days": "0", "logs": "'{}'",
        "highest": "0",
    }, **changes)


def luck_added_up(**changes):
    """Its one round added up."""
    row = {
        "stale": "false", "rounds": "1", "win_units": "(SELECT win_units FROM tables_roundluck WHERE round_id ="
        " $shut_round)", "days": "1", "logs": "'{0}'",
    } | changes
    return f"UPDATE tables_luckday SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE id = 900;"


def file_made(changes=None, **facts):
    """The entry of the file above, as it is done."""
    facts = {
        "what": "'master-game'", "period": "'2026-01-03'", "form": "'csv'", "grade": "'FINAL'",
        "digest": "repeat('a', 64)", "file": "repeat('a', 64)",
    } | facts
    facts = {name: said(value) for name, value in facts.items()}
    return in_house(facts, **{"event": "'report.made'", "subject": "'report_file:900'"} | (changes or {}))


FILE_DONE = report_file() + file_over("DONE") + file_made()


def files_pruned(**facts):
    """The entry of a pruning by Clara and Hugo."""
    facts = {"requester": "'staff:$clara'", "approver": "'staff:$hugo'", "newest": "'x'"} | facts
    facts = {name: said(value) for name, value in facts.items()} | {"number": "1"}
    return in_house(facts, event="'report.pruned'", subject="'reports'")


def question(**changes):
    """Clara asks about the first entry of the house."""
    return insert("tables_question", {
        "id": "900", "subject": "'house/1'", "status": "'ASKED'", "words": "'x'", "salt": "'y'", "answer": "''",
        "answer_salt": "''", "asked_by_id": "$clara", "due_at": "now() + interval '1 day'",
    }, **changes)


def question_over(status, *, of="900", **changes):
    """The question above, or another, answered by Hugo or settled by Clara."""
    steps = {
        "ANSWERED": {"answer": "'z'", "answer_salt": "'y'", "answered_by_id": "$hugo", "answered_at": "now()"},
        "SETTLED": {"settled_by_id": "$clara", "settled_at": "now()"},
    }
    known = {"status": f"'{status}'"} | steps.get(status, {}) | changes
    listed = ", ".join(f"{name} = {value}" for name, value in known.items())
    return f"UPDATE tables_question SET {listed} WHERE id = {of};"


def of_question(event="asked", number="900", *, by=None, **facts):
    """The entry of a step of the question, by whoever takes it."""
    own = {
        "asked": {"of": "'house/1'", "words": "encode(sha256('yx'), 'hex')"},
        "answered": {"answer": "encode(sha256('yz'), 'hex')"},
        "settled": {},
    }[event]
    facts = {name: said(value) for name, value in ({"question": f"'question:{number}'"} | own | facts).items()}
    by = by or {"answered": "'staff:$hugo'"}.get(event, "'staff:$clara'")
    return in_house(facts, event=f"'question.{event}'", subject=f"'question:{number}'", by=by)


QUESTION_ANSWERED = question() + of_question() + question_over("ANSWERED") + of_question("answered")


def report_token(**changes):
    """Clara and Hugo give a program a token."""
    return insert("tables_reporttoken", {
        "id": "900", "name": "'Z'", "token_digest": "repeat('f', 64)", "given_by_id": "$clara",
        "given_with_id": "$hugo",
    }, **changes)


def of_token(event="given", of="900", **facts):
    facts = {"name": "'Z'", "requester": "'staff:$clara'", "approver": "'staff:$hugo'"} | facts
    facts = {name: said(value) for name, value in facts.items()}
    return in_house(facts, event=f"'report_token.{event}'", subject=f"'report_token:{of}'")


TOKEN_OVER = "UPDATE tables_reporttoken SET ended_at = now(), ended_by_id = {}, ended_with_id = {} WHERE id = 900;"


def recovery_code(**changes):
    return insert("tables_recoverycode", {"id": "900", "staff_id": "$anna", "digest": "repeat('d', 64)"}, **changes)


PASSKEY = credential(
    kind="'passkey'", handle="'h'", public_key="'x'", host="'localhost'", secret="NULL", counter="0"
)
# Of the app above.
CREDENTIAL_USED = "UPDATE tables_credential SET used_at = now(), counter = {} WHERE id = 900;"
CREDENTIAL_OVER = (
    "UPDATE tables_credential SET ended_at = now(), ended_by_id = {}, ended_with_id = {} WHERE id = 900;"
)


def posting(**changes):
    """Clara and Hugo post Anna to the cage."""
    return insert("tables_posting", {
        "id": "900", "staff_id": "$anna", "role": "'cage'", "posted_by_id": "$clara", "posted_with_id": "$hugo",
    }, **changes)


TO_CAGE = {"role": "'cage'"}
POSTED, ENDED = of_anna("staff.posted", **TO_CAGE), of_anna("staff.posting_ended", **TO_CAGE)
ZOE = "INSERT INTO casino_staff (id, password, login, name, is_active) VALUES (900, '', 'zoe', 'Zoe', true);"
LEFT = "UPDATE casino_staff SET is_active = false WHERE id = $anna;"
RETURNED = LEFT.replace("false", "true")
ADDED, REMOVED = by_anna("credential.added", kind="'app'"), by_anna("credential.removed")


def made(number):
    """The entry of Anna making this many recovery codes."""
    facts = spelled({"number": str(number), "staff": said("'staff:$anna'")})
    known = {"event": "'recovery_codes.made'", "subject": "'staff:$anna'", "by": "'staff:$anna'"}
    return lying_entry(**{name: said(value) for name, value in known.items()}, facts=facts) + FOLLOWED


def drafted(entry=None, **changes):
    """Another draft of the same game as an existing one, by its author, with its entry; `entry` changes that, None
    leaves it out."""
    row = (
        "INSERT INTO tables_rulesheet (id, game, version, status, values, drafted_by_id)"
        " SELECT 900, game, 90, 'DRAFT', values, drafted_by_id FROM tables_rulesheet WHERE id = $sheet_draft;"
    )
    if entry is None:
        return row
    author = "(SELECT 'staff:' || drafted_by_id FROM tables_rulesheet WHERE id = 900)"
    # As the house logged the other one, in the one form; replacements are made in the entry.
    rules = r"""(SELECT substring(body FROM '"rules":(\{.*\}),"sheet"') FROM audit_entry
        WHERE subject = 'sheet:$sheet_draft' AND event = 'sheet.drafted')"""
    for replaced in ("""'"version":[0-9]+', '"version":90'""", entry.get("replaced", "'z', 'z'")):
        rules = f"regexp_replace({rules}, {replaced})"
    known = {"event": "'sheet.drafted'", "subject": "'sheet:900'", "by": author} | entry
    known = {name: said(value) for name, value in known.items() if name != "replaced"}
    facts = {"author": said(author), "rules": rules, "sheet": said(f"'{EMPTY}'")}
    return row + lying_entry(**known, facts=spelled(facts)) + FOLLOWED


SIGNED_OFF = "UPDATE tables_signon SET signed_off_at = now() WHERE staff_id = $anna;"
POSTING_OVER = (
    "UPDATE tables_posting SET ended_at = now(), ended_by_id = {}, ended_with_id = {} WHERE id = 900;"
)
POSTING_ENDED = "UPDATE tables_posting SET ended_at = now() WHERE staff_id = $anna;"
REVOKED = "UPDATE tables_terminal SET revoked_at = now();"
ONLY_ENDS, NO_ENTRY = "a row only ends, and once", "the log has no entry that says so"
BY_TWO = "two people post a person, and end that"
UNTIL_REVOKED = "until it is revoked it is renamed and seen, and nothing else changes"
OTHER, ALREADY, MIRROR = "made in another transaction", "has taken its settlement already", "a reversal mirrors"
WAY_BACK = "status = 'CLOSED', settled_at = NULL, settlement_id = NULL, next_at = now()"
UNPUBLISHED = "status = 'DRAFT', published_by_id = NULL, published_at = NULL"
EMPTY = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
SELF_PUBLISHED = "status = 'PUBLISHED', published_by_id = drafted_by_id, published_at = now()"



def damaged(before, after, *, of=None):
    """An entry that would be right, with one thing damaged in its text: SQL of what is replaced by what."""
    return entry(body=f"(SELECT replace({of or told()}, {before}, {after}) FROM audit_chain WHERE key = 'house')")


def facts(text):
    return lying_entry(facts=f"'{text}'")


# Texts in an entry's place that are not in the one form, by kinds: faults anywhere in a text of JSON, faults of a key
# of the entry, and times that PostgreSQL reads and the log does not write.
NO_ENTRIES = {
    "an empty object": entry(body="'{}'"),
    "a list": entry(body="(SELECT '[' || " + told() + " || ']' FROM audit_chain WHERE key = 'house')"),
    **{f"the number {number[:30]}": facts(f'{{"n":{number}}}') for number in (
        "1.5", "1.0", "-0", "1e3", "1E3", "0.0", "1e400", "-1.5e-3", "1" * 20, "-" + "9" * 20, "1" * 5000, "01", "+1",
        "NaN", "Infinity")},
    **{f"the facts {text[:40]}": facts(text) for text in (
        '{"a":1,"a":2}', '{"a":1,"a":1}', '{"a":{"b":1,"b":2}}', '{"a":[{"b":1,"b":2}]}', '{"b":1,"a":2}',
        '{"a":{"c":1,"b":{}}}', '{"a":[1,[{"c":1,"b":2}]]}', '{"Z":1,"A":2}', '{"ab":1,"a":2}', '{"é":1,"z":2}',
        '{"\\"":1,"!":2}', '{"a":null}', '{"a":null,"b":1}', '{ "a":1}', '{"a": 1}', '{"a":1 }', '{"a":1, "b":2}',
        '{"a":[1, 2]}', '{"a":"\\u0041"}', '{"\\u0041":1}', '{"a":"\\/"}', '{"a":"\\n"}', '{"a":"\\u0000"}',
        '{"a":"\\ud800"}', '{"a":"\\u00e9"}', '{"a":"e\u0301"}', '{"e\u0301":1}', '{"a":"\u212b"}',
        '{"a":"\x7f"}', '{"a":"\x85"}', '{"a":"\t"}', '{"a":True}', '{"a":1}}', '{"a":1,}', '{"a"}', "[]", "1", "null",
        '"a"', '{"a":' * 100 + "1" + "}" * 100, '{"a":' + "[" * 100 + "]" * 100 + "}")},
    "more than a line of an export": lying_entry(facts="""'{"a":"' || repeat('x', 1048576) || '"}'"""),
    "a million brackets": lying_entry(facts="""'{"a":' || repeat('[', 500000) || repeat(']', 500000) || '}'"""),
    **{f"a character more: {name}": damaged("',\"by\"'", f"{sql} || ',\"by\"'") for name, sql in {
        "blank": "' '", "tab": "chr(9)", "line": "chr(10)", "blank line": "chr(13) || chr(10)", "BOM": "chr(65279)",
        "comma": "','", "bracket": "'}'"}.items()},
    "something after its end": damaged("'}'", "'} '", of=told(facts="'[]'")),
    **{f"no {name}": lying_entry(**{name: None}) for name in (
        "at", "by", "chain", "event", "facts", "prev", "seq", "subject", "terminal", "v")},
    "a key more": damaged("',\"v\"'", "',\"u\":1,\"v\"'"),
    "a key more, hidden in another's name": damaged("'\"at\":'", "'\"at,by\":'"),
    "a key twice": damaged("',\"v\":1'", "',\"v\":1,\"v\":1'"),
    "keys in another order": damaged("'\"v\":1}'", "'\"v\":1,\"terminal\":null}'", of=told(terminal=None)),
    **{f"the {name} {value[:30]}": lying_entry(**{name: said(f"'{value}'")}) for name, values in {
        "by": ("", "anna", "staff:", "staff:0", "staff:01", "staff:-1", "staff:1 ", "staff:\uff11", "System",
               "staff:" + "1" * 19, "terminal:1"),
        "event": ("", "staff", ".left", "staff.", "staff..left", "Staff.left", "staff.left ", "staff.l\u00e9ft",
                  "a." + "b" * 79),
        "prev": ("", "0" * 63, "0" * 65, "g" * 64, "A" * 64),
        "seq": ("1",), "v": ("1",), "subject": ("", "x" * 81), "facts": ("a",),
    }.items() for value in values},
    **{f"the {name} {value}": lying_entry(**{name: f"'{value}'"}) for name, values in {
        "by": ("null", "1", "{}"), "event": ("null", "1"), "prev": ("null", "0"),
        "seq": ("0", "-1", "1.0", "null", "true"),
        "subject": ("null", "1", "[]"), "terminal": ("1", "true", "{}", '{"a":null}'),
        "v": ("0", "-1", "null", "true", "1.0", "1" + "0" * 18), "chain": ("null",), "at": ("null", "0", "2026"),
    }.items() for value in values},
    **{f"the time {at}": lying_entry(at=said(at)) for at in (
        "'now'", "'today'", "'tomorrow'", "'epoch'", "'infinity'", "'-infinity'", "'allballs'", "now()",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US\"Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"t\"HH24:MI:SS.US\"z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"+00\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD\"T\"HH24MISS.US\"Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"000Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z BC\"')",
        "to_char(now() AT TIME ZONE 'UTC', '\" \"YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T24:00:00.000000Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI\":60.000000Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM\"-00T\"HH24:MI:SS.US\"Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM\"-32T\"HH24:MI:SS.US\"Z\"')",
        "to_char(now() AT TIME ZONE 'UTC', 'YYYY\"-13-\"DD\"T\"HH24:MI:SS.US\"Z\"')",
        "'2027-02-29T00:00:00.000000Z'", "'2100-02-29T00:00:00.000000Z'", "'2026-04-31T00:00:00.000000Z'",
        "'0000-01-01T00:00:00.000000Z'", "'12026-01-01T00:00:00.000000Z'")},
}
NEXT_LEAF = (
    "INSERT INTO audit_leaf (index, chain_id, seq, hash)"
    " SELECT (SELECT max(index) + 1 FROM audit_leaf), chain_id, seq, sha256('\\x00'::bytea || convert_to(body, 'UTF8'))"
    " FROM audit_entry WHERE chain_id = 'house'"
    " AND seq = 1 + (SELECT max(seq) FROM audit_leaf WHERE chain_id = 'house');"
)
LYING_CHECKPOINT = (
    "INSERT INTO audit_checkpoint (size, root, edge, note, at)"
    " SELECT size, sha256('x'), array_fill(sha256('x'), ARRAY[bit_count(size::bit(64))::int]), 'a lie', '2001-01-01'"
    " FROM (SELECT max(index) + 1 AS size FROM audit_leaf) grown;"
)
LYING_SUBTREE = "INSERT INTO audit_subtree (height, place, hash) VALUES (8, 1, sha256('x'));"
FUTURE_ANCHOR = (
    "INSERT INTO audit_anchor (checkpoint_id, at) SELECT max(size), '2999-01-01' FROM audit_checkpoint;"
)

# With the app's password: by class, (claim, what the refusal says, statements).
APP = {
    errors.RestrictViolation: [
        ("a shift of the cage on another day", "on the gaming day of now", cage_opened(business_date="'2001-01-01'")),
        ("a shift of the cage that begins counted", "on the gaming day of now",
         cage_opened(counts_from="1", expected_units="0")),
        ("a shift of the cage that begins closed", "on the gaming day of now", cage_opened(status="'CLOSED'")),
        ("a shift of the cage put on another day", "opened with stays",
         "UPDATE tables_cageshift SET business_date = '2001-01-01'"),
        ("a drop box at a table that is not open", "an open session of its table",
         drop_box(table_id="$table_closed", session_id="$session_closed")),
        ("a drop box of another table's session", "an open session of its table", drop_box(table_id="$table4")),
        ("a drop box of another day", "an open session of its table", drop_box(business_date="'2001-01-01'")),
        ("a drop box that begins taken off", "it begins mounted",
         drop_box(status="'REMOVED'", removed_at="now()", removed_by_id="$clara", removed_with_id="$hugo",
                  removed_seal="'S-1'")),
        ("another box where none is mounted", "another drop box hangs where one of its table is mounted",
         taken_off() + "INSERT INTO tables_alarm (kind, subject, table_id, word, salt)"
         " VALUES ('drop_box_swapped', 'drop_box:$drop_box', $table1, '', '')"),
        ("a case of a drop that fits", "it is of a drop box of its table that was counted with this variance",
         drop_counted() + "INSERT INTO tables_case (kind, year, number, table_id, subject, units, status, owner_id,"
         " due_at, video, reason, salt)"
         f" VALUES ('drop_variance', extract(year FROM {TODAY}), 1, $table1, 'drop_box:$drop_box', 0, 'OPEN', $clara,"
         " now() + interval '1 day', '', '', '')"),
        ("a gaming day that has not come", "it has not come yet", f"SELECT hold_day({TODAY} + 1)"),
        ("a gaming day for ever", "it has not come yet", "SELECT hold_day('infinity')"),
        ("a gaming day before one that is closed", "a later one is closed already",
         f"{DAY_BEGUN} {day_closed()} SELECT hold_day({OVER} - 1)"),
        ("a gaming day opened again", "it is closed for good",
         DAY_BEGUN + day_closed() + day_closed(
             status="'OPEN'", closed_by_id="NULL", closed_with_id="NULL", closed_at="NULL", figures="''", digest="''")),
        ("other figures of a gaming day", "it is closed for good",
         DAY_BEGUN + day_closed() + day_closed(figures="'[]'")),
        ("a gaming day on another date", "its date stays",
         f"{DAY_BEGUN} UPDATE tables_gamingday SET date = date - 1 WHERE {OF_OVER}"),
        ("a gaming day closed before an earlier one", "an earlier one is open",
         DAY_BEGUN + day_closed(f"date = {TODAY}")),
        ("a gaming day with the digest of other figures", "its digest is not that of its figures",
         DAY_BEGUN + day_closed(digest="repeat('0', 64)")),
        ("a movement of a gaming day that is closed", "is closed",
         DAY_BEGUN + day_closed() + movement(business_date=OVER) + moved(business_date=OVER)),
        ("a session of a gaming day that is closed", "is closed",
         DAY_BEGUN + day_closed() + begun(business_date=OVER)),
        ("a shift of the cage of a gaming day that is closed", "is closed",
         DAY_BEGUN + day_closed() + cage_closing() + cage_opened(business_date=OVER)),
        ("a later settlement of a gaming day that is closed", "is closed",
         DAY_BEGUN + day_closed() + settlement(business_date=OVER)),
        ("a correction that moves chips of an open table", "not the correction of a round at a closed table",
         evening("$settled")),
        ("a correction that moves another table's chips", "not the correction of a round at a closed table",
         evening("$shut_round", debit_id="$float2")),
        ("a correction of another day", "not the correction of a round at a closed table",
         evening("$shut_round", business_date="'2001-01-01'")),
        ("a correction by the variance of a round that was played here", "nor that of a round from paper of a closed",
         evening("$shut_round", credit_id=VARIANCE)),
        ("a round from paper of a closed session that the variance does not even",
         "its session is closed, and it changes the table's float", LATE),
        ("a round from paper of a closed session that the cage evens", "its session is closed, and it changes",
         LATE + evening("$shut_round", credit_id=CAGE)),
        ("a correction that nothing moved before", "the table is closed, and its correction changes its float",
         evening("$shut_round")),
        ("a correction at a closed table that the cage does not even",
         "the table is closed, and its correction changes its float", at_shut_table(CORRECTED)),
        ("a drop box with another number", "what was mounted stays", of_drop_box(number="'7'")),
        ("a drop box taken off by others", "does not become", taken_off() + taken_off(removed_by_id="$anna")),
        ("a drop box taken off while it is counted by others", "who took it off stays",
         drop_counted(removed_by_id="$anna")),
        ("a drop box mounted again", "does not become",
         taken_off() + of_drop_box(status="'MOUNTED'", removed_at="NULL", removed_by_id="NULL",
                                   removed_with_id="NULL", removed_seal="NULL")),
        ("a drop box counted where it hangs", "does not become", of_drop_box(status="'COUNTED'")),
        ("a drop box counted with what nobody counted", "not what two people counted", drop_counted(counts="")),
        ("a drop box counted by one", "not what two people counted", drop_counted(cash_counted())),
        ("a drop box counted with another sum", "does not come to its units", drop_counted(cash_units="600")),
        ("a drop box with other buy-ins", "not the sum of its buy-ins", drop_counted(recorded_units="400")),
        ("a drop box whose variance stays", "its variance has not moved",
         drop_counted(cash_counted(denominations="'{\"100\": 1}'", units="100")
                      + cash_counted("2", denominations="'{\"100\": 1}'", units="100"),
                      cash_moved(chips='{"100": 1}', units="100"), cash_units="100")),
        ("a drop of a box that is mounted", "not the first of a drop box that was taken off", cash_moved()),
        ("a drop on another day", "not the first of a drop box that was taken off",
         taken_off() + cash_moved(business_date="'2001-01-01'")),
        ("a drop out of another table's boxes", "not the first of a drop box that was taken off",
         taken_off() + cash_moved(credit="(SELECT id FROM payouts_account WHERE kind = 'drop_box'"
                                         " AND owner = 'table:$table2')")),
        ("a drop of what is no cash", "a drop is of notes and coins",
         taken_off() + cash_moved(chips='{"250": 2}')),
        ("a variance of a drop in cash", "its variance a sum",
         taken_off() + cash_moved("variance", VARIANCE, chips='{"500": 1}')),
        ("a drop of a box that is not counted", "its drop box is not counted",
         taken_off() + BOTH_CASH + cash_moved() + CASH_IN_LOG),
        ("a count of cash in a box that hangs", "no chips of what is counted now", cash_counted()),
        ("a count of cash that is none", "no chips of what is counted now",
         taken_off() + cash_counted(denominations="'{\"300\": 1}'", units="300")),
        ("a count of cash by one person", "one person counts twice",
         taken_off() + cash_counted() + cash_counted("2", by_id="$anna")),
        ("a third count of a drop", "it was counted twice",
         taken_off() + BOTH_CASH + cash_counted(attempt="2") + cash_counted("2", attempt="2")
         + cash_counted(attempt="3")),
        ("a buy-in of what does not move", "not what its movement moves", sold() + bought(units="600")),
        ("a buy-in by another person", "not what its movement moves", sold() + bought(by_id="$clara")),
        ("a buy-in signed after all", "not what its movement moves", sold() + bought(approved_by_id="$clara")),
        ("a buy-in of a movement of before", "not what its movement moves", bought(movement_id="$movement")),
        ("a buy-in into a box that is taken off", "not mounted in its session", sold() + taken_off() + bought()),
        ("a buy-in without its box", "no buy-in says into which drop box",
         sold() + evidence("movement.made", "movement:931")),
        ("a buy-in in chips", "a buy-in and a tip is a sum", sold(chips='{"100": 5}')),
        ("a tip in chips", "a buy-in and a tip is a sum", tipped('{"100": 5}')),
        ("a tip into the cage", "not of a session that takes it now", tipped(debit_id=CAGE)),
        ("a tip at another table", "not of a session that takes it now", tipped(credit_id="$patrons2")),
        ("a tip out of the float", "tip does not go from float to tips", tipped(credit_id="$float")),
        ("a variance of tips in a session", "not of a session that takes it now",
         tipped(kind="variance", credit_id=VARIANCE)),
        ("a tip that the log does not tell of", "movement:932: 1 in the ledger, 0 in the log", tipped()),
        ("a count of tips while a table of the day is open", "no chips of what is counted now",
         tips_of(of="'tips:$date'")),
        ("a count of tips of a day without any", "no chips of what is counted now", tips_of(of="'tips:2001-01-01'")),
        ("a count of tips that are counted", "no chips of what is counted now", tips_of(of="'tips:$day_counted'")),
        ("a count of tips as a drop", "no chips of what is counted now", tips_of(part="'drop'")),
        ("a count of tips in chips that are none", "no chips of what is counted now",
         tips_of(denominations="'{\"300\": 1}'", units="300")),
        ("a count of tips by one person", "one person counts twice", tips_of() + tips_of("2", by_id="$anna")),
        ("a third count of tips", "it was counted twice",
         BOTH_TIPS + tips_of(attempt="2") + tips_of("2", attempt="2") + tips_of(attempt="3")),
        ("tips counted while a table of the day is open", "a session of the day is not closed",
         tips_counted("", date="'$date'")),
        ("tips that nobody counted", "not what two people counted", tips_counted("")),
        ("tips that one person counted", "not what two people counted", tips_counted(tips_of())),
        ("tips counted otherwise", "not what two people counted",
         tips_counted(denominations=MORE_TIPS["denominations"], counted_units="1000")),
        ("tips counted with another sum", "do not come to its units", tips_counted(counted_units="600")),
        ("tips that nobody entered", "not the sum of its tips", tips_counted(recorded_units="400")),
        ("tips whose variance stays", "its variance has not moved",
         tips_counted(BOTH_MORE_TIPS, denominations=MORE_TIPS["denominations"], counted_units="1000")),
        ("tips with a variance that is none", "its variance has not moved", tips_counted(varied=tips_varied())),
        ("a variance of tips in chips", "not the variance of the tips of its day", tips_varied(chips='{"100": 5}')),
        ("a variance of tips on another day", "not the variance of the tips of its day",
         tips_varied(business_date="'2001-01-01'")),
        ("a variance of tips that are counted", "not the variance of the tips of its day", tips_varied("$day_counted")),
        ("a variance of the cage as one of tips", "not the variance of the tips of its day", tips_varied(debit=CAGE)),
        ("a second variance of tips", "not the variance of the tips of its day",
         tips_varied() + tips_varied(number="2").replace("933", "934")),
        ("a variance of tips that nobody counted", "the tips of its day are not counted",
         tips_varied() + evidence("movement.made", "movement:933", "house")),
        ("a variance of tips that a table's chain tells of", "stands in another chain than house",
         tips_counted(BOTH_MORE_TIPS, tips_varied(), denominations=MORE_TIPS["denominations"], counted_units="1000")
         + evidence("movement.made", "movement:933")),
        ("a buy-in into the cage", "not of a session that takes it now", sold(debit_id=CAGE)),
        ("a drop of the drop box in a session", "not of a session that takes it now",
         movement() + moved(credit_id="$cash1")),
        ("a table closed while its box is mounted", "its drop box is mounted",
         drop_box(table_id="$table4", session_id="$session4") + closing()),
        ("another seal that is none", "another seal is of a drop box",
         "INSERT INTO tables_alarm (kind, subject, table_id, word, salt)"
         " VALUES ('drop_box_seal', 'drop_box:$drop_box', $table1, '', '')"),
        ("large cash of another box", "large cash is of a buy-in at a box",
         "INSERT INTO tables_alarm (kind, subject, table_id, box, word, salt)"
         " VALUES ('large_cash', 'movement:$bought', $table1, 2, '', '')"),
        ("a drop box overdue that hangs", "a drop box that waits, or its variance",
         "INSERT INTO tables_alarm (kind, subject, table_id, word, salt)"
         " VALUES ('drop_box_overdue', 'drop_box:$drop_box', $table1, '', '')"),
        ("another person who opened the cage", "opened with stays", "UPDATE tables_cageshift SET opened_by_id = $anna"),
        ("a count of the cage with other books", "each count begins anew", cage_counting(expected_units="0")),
        ("a count of the cage with no books", "each count begins anew", cage_counting(expected_units="NULL")),
        ("a count of the cage that begins later", "each count begins anew", cage_counting(counts_from="7")),
        ("a shift of the cage closed with other books", "the count that was begun",
         cage_closing(variance=of_cage("variance", CAGE, VARIANCE), expected_units=COUNTED_IN_CAGE.format("units")
                      + " - 500", denominations=COUNTED_IN_CAGE.format("denominations"), variance_units="500")),
        ("a shift of the cage opened again", "closed with stays",
         cage_closing() + "UPDATE tables_cageshift SET status = 'OPEN', closed_at = NULL, closed_by_id = NULL,"
         " closed_with_id = NULL, denominations = NULL, variance_units = NULL"),
        ("another variance of a closed shift", "closed with stays",
         cage_closing() + "UPDATE tables_cageshift SET variance_units = 500"),
        ("a shift of the cage closed uncounted", "not what two people counted", cage_closing(counts="")),
        ("a shift of the cage closed by one count", "not what two people counted", cage_closing(cage_counted())),
        ("a shift of the cage closed on counts that differ", "not what two people counted",
         cage_closing(cage_counted() + cage_counted("2", **LESS))),
        ("a shift of the cage closed with other chips", "not what two people counted",
         cage_closing(denominations="'{\"500\": 7}'")),
        ("a shift of the cage with another variance", "counted less what was expected",
         cage_closing(variance_units="5")),
        ("a variance of the cage that did not move", "its variance has not moved",
         cage_lacking(variance="", denominations=LESS["denominations"])),
        ("a variance of the cage that nobody counted", "its variance has not moved",
         cage_closing(variance=LACKS, denominations=COUNTED_IN_CAGE.format("denominations"))),
        ("a variance of a cage that is not closed", "its shift of the cage does not close",
         LACKS + CAGE_IN_LOG),
        ("a second variance of a shift", "a shift has one variance",
         LACKS + of_cage("variance", VARIANCE, CAGE, place="2", number="921")),
        ("chips sold on another day", "not of the open shift of the cage",
         of_cage(business_date="'2001-01-01'", transfer={"business_date": "'2001-01-01'"})),
        ("chips sold in a closed shift", "not of the open shift of the cage", cage_closing() + of_cage()),
        ("chips sold in no shift", "not of the open shift of the cage",
         of_cage(key="'cage_shift:99:sold:1'", subject="'cage_shift:99'",
                 transfer={"key": "'cage_shift:99:sold:1:1'"})),
        ("a variance of a float in a shift of the cage", "not of the open shift of the cage",
         of_cage("variance", VARIANCE, "$float")),
        ("chips issued without saying which", "not whole chips of the house",
         of_cage("issued", CAGE, ISSUED, place="2")),
        ("chips sold that the house has not", "not whole chips of the house",
         of_cage(denominations="'{\"250\": 2}'")),
        ("chips sold for another sum", "not whole chips of the house", of_cage(denominations="'{\"1\": 400}'")),
        ("chips sold that come from patrons", "sold does not go from", of_cage(debit=CAGE, credit=CASH)),
        ("chips issued in a session", "no issued belongs to",
         movement(key="'session:$session1:issued:1'", kind="'issued'")
         + moved(key="'session:$session1:issued:1:1'", reason="'issued'", debit_id=CAGE, credit_id=ISSUED)),
        ("chips sold that the log does not tell of", "movement:920: 1 in the ledger, 0 in the log", of_cage()),
        ("chips sold that a table's chain tells of", "stands in another chain than house",
         of_cage() + evidence("movement.made", "movement:920")),
        ("a count of the cage that was not begun", "no chips of what is counted now", cage_counted()),
        ("a count of the cage as a closer", "no chips of what is counted now",
         cage_counting() + cage_counted(part="'closer'")),
        ("a count of the cage in other chips", "no chips of what is counted now",
         cage_counting() + cage_counted(denominations="'{\"7\": 1}'", units="7")),
        ("a count of the cage after chips of it moved", "no chips of what is counted now",
         cage_counting() + cage_counted() + of_cage() + cage_counted("2")),
        ("a count of the closed cage", "no chips of what is counted now",
         cage_closing() + cage_counted(attempt="2")),
        ("a third count of the cage", "it was counted twice",
         cage_counting() + BOTH_COUNTED + cage_counted(attempt="2") + cage_counted("2", attempt="2")
         + cage_counted(attempt="3")),
        ("two counts of the cage by one person", "one person counts twice",
         cage_counting() + cage_counted() + cage_counted("2", by_id="$hugo")),
        ("an entry whose column lies", "its body alone says", entry(event="'round.settled'")),
        ("a finding accepted past the log", "the log does not tell who accepted it",
         "UPDATE audit_finding SET accepted_at = now(), accepted_by_id = $clara, reason = 'x', salt = 'y'"),
        *((f"what only the sealer says: {event}", f"only the sealer writes {event}", evidence(event, subject))
          for event, subject in {
              "forgery.found": "checkpoint:999", "entry.passed_over": "entry:house:1", "leaves.passed_over": "leaf:0",
              "finding.named": "finding:1", "checkpoint.anchored": "checkpoint:256",
          }.items()),
        ("an export that begins in its midst", "begins with nothing written", export(progress="'{\"leaf\": 7}'")),
        ("an export that begins at its end", "begins with nothing written", export(
            status="'DONE'", ended_at="now()", checkpoint_id="(SELECT max(size) FROM audit_checkpoint)")),
        ("an export that begins as a failure", "begins with nothing written", export(
            status="'FAILED'", ended_at="now()", failure="'x'")),
        ("a transfer for an earlier settlement", ALREADY, transfer(settlement_id="$settlement")),
        ("a transfer for a settlement that is not there", OTHER, transfer()),
        ("a transfer before its settlement", OTHER, transfer() + settlement()),
        ("a payment for an earlier settlement", ALREADY, payment(settlement_id="$settlement", box="6")),
        ("a payment for an earlier settlement among those of its own", ALREADY,
         settlement() + payment() + payment(box="2").replace(");", "), ($settlement, 6, 'win', 0, 0, 0, 0, '{}');")),
        ("a payment for a settlement that is not there", OTHER, payment()),
        ("a payment for a settlement that is not there among those of its own", OTHER,
         settlement() + payment().replace(");", "), (901, 1, 'win', 0, 0, 0, 0, '{}');")),
        ("a payment before its settlement", OTHER, payment() + settlement()),
        *((f"a transfer that goes astray, {way}", "wager does not go from patrons to float", first() + sql)
          for way, sql in ASTRAY.items()),
        ("a transfer that goes astray with its settlement", "wager does not go from patrons to float",
         f"WITH settlement AS ({first().rstrip(';')}) {MOVES} VALUES {RIGHT}, {STRAY}"),
        ("a transfer that goes astray by the call that settles", "wager does not go from patrons to float",
         f"SELECT write_settlements({written(credit='$patrons')})"),
        ("a round that takes another's settlement by the call that settles", "only a later settlement of its own",
         f"SELECT settle_rounds('{{$settled}}', 'SETTLED', '{{1}}', {written()}, 'house', '[]')"),
        ("a transfer too many in the statement that takes", "its payments come to -500 units and its transfers to 0",
         first() + payment()
         + f"WITH moves AS ({MOVES} VALUES {RIGHT}, {FURTHER}), takes AS ({taken('closed').rstrip(';')}) SELECT"),
        ("a transfer too many in a part of the statement that takes", ALREADY,
         first() + payment()
         + f"WITH one AS ({MOVES} VALUES {RIGHT}), takes AS ({taken('closed').rstrip(';')}),"
         f" two AS ({MOVES} VALUES {FURTHER}) SELECT"),
        ("reversals of one another", "of its own round",
         settlement() + "INSERT INTO payouts_transfer (key, settlement_id, debit_id, credit_id, units, business_date,"
         " reason, reverses_id) SELECT 'round:$settled:2:r' || n, 900, $patrons, $float, 1, '$date', 'reversal',"
         " (SELECT max(id) FROM payouts_transfer) + n FROM generate_series(1, 100) n"),
        ("a transfer on another day", "business date", settlement() + transfer(business_date="'2001-01-01'")),
        ("a reversal of another amount", MIRROR, settlement() + reversal(units="9999")),
        ("a reversal of a reversal", "of its own round",
         settlement(key="'round:$corrected:3'", round_key="'round:$corrected'", generation="3", line_ordinal="3")
         + reversal(key="'round:$corrected:3:r'", reverses_id="$reversal")),
        ("a reversal the same way", MIRROR, settlement() + reversal(debit_id="$patrons", credit_id="$float")),
        ("a reversal at another table", MIRROR, settlement() + reversal(debit_id="$float2")),
        ("a settled round closed again", "SETTLED does not become CLOSED", of_round("settled", WAY_BACK)),
        ("a settled round opened again", "SETTLED does not become OPEN", of_round("settled", "status = 'OPEN'")),
        ("a settled round voided", "SETTLED does not become VOIDED", of_round("settled", "status = 'VOIDED'")),
        ("a closed round opened again", "CLOSED does not become OPEN", of_round("closed", "status = 'OPEN'")),
        ("a closed round voided", "CLOSED does not become VOIDED", of_round("closed", "status = 'VOIDED'")),
        ("an open round voided by nobody", "no intervention says so", of_round("open", "status = 'VOIDED'")),
        ("a round held by nobody", "no intervention says so", of_round("closed", "held_at = now()")),
        ("a settled round held", "no intervention says so", of_round("settled", "held_at = now()")),
        ("a round held by a release", "no intervention says so",
         intervention(kind="'released'") + of_round("closed", "held_at = now()")),
        ("interventions with a gap", "leaves a gap", intervention(ordinal="2")),
        ("a correction with another round's line", "of another round",
         line(id="900") + intervention(kind="'corrected'", line_id="900", approved_by_id="$clara")),
        ("a correction by others than its line", "of other people",
         line(id="900") + intervention(round_id="$settled", ordinal="2", kind="'corrected'", line_id="900",
                                       by_id="$clara", approved_by_id="$anna")),
        ("a dispute that begins ruled", "begins open",
         dispute(status="'RULED'", ruling="'refused'", clause="'house.4'", reason="'x'", reason_salt="'y'",
                 ruled_by_id="$clara", ruled_at="now()")),
        ("a dispute ruled by who dealt", "does not rule on it", ruling(ruled_by_id="$anna")),
        ("a dispute closed without a ruling", "OPEN does not become CLOSED",
         ruling(status="'CLOSED'", closed_at="now()")),
        ("a dispute ruled twice", "RULED does not become RULED", ruling() + ruling(clause="'house.4'")),
        ("a dispute opened again", "RULED does not become OPEN",
         ruling() + ruling(status="'OPEN'", ruling="NULL", clause="NULL", reason="''", ruled_by_id="NULL",
                           approved_by_id="NULL", ruled_at="NULL")),
        ("a closed dispute changed", "CLOSED does not become CLOSED",
         ruling() + case_ruled() + ruling(status="'CLOSED'", closed_at="now()") * 2),
        ("a dispute closed while its case waits", "its case waits", ruling() + DISPUTE_CLOSED),
        ("a dispute refused by one person", "one person alone does not rule so", ruling(approved_by_id="NULL")),
        ("a ruling approved by who dealt", "does not approve its ruling", ruling(approved_by_id="$anna")),
        ("a dispute's case decided otherwise than it was ruled", "as its dispute was ruled on",
         ruling() + case_ruled("upheld")),
        ("a dispute's case decided by somebody else", "as its dispute was ruled on", ruling() + case_ruled(by="$anna")),
        ("a case of a dispute that there is not", "of an open dispute at its table",
         case(kind="'dispute'", units="NULL", subject="'dispute:0'")),
        ("a ruling changed with the close", "its ruling stays",
         ruling() + ruling(status="'CLOSED'", closed_at="now()", clause="'house.4'")),
        *((f"another {name} of a dispute", "what was raised stays", ruling(**{name: value})) for name, value in {
            "round_id": "$closed", "about": "'pot'", "boxes": "'{2}'", "statement": "'z'", "salt": "'z'",
            "raised_by_id": "$clara", "raised_at": "now()",
        }.items()),
        ("a dispute upheld by another round's line", "of another round",
         line(id="900", by_id="$clara", approved_by_id="$hugo") + dispute(id="901") + ruling("id = 901", **UPHELD)),
        ("a dispute upheld by others than its line's", "of other people", line(id="900") + ruling(**UPHELD)),
        ("a change by one person's ruling", "of other people",
         line(id="900", by_id="$clara", approved_by_id="$hugo") + ruling(**UPHELD | {"approved_by_id": "NULL"})),
        ("a dispute upheld by the first line", "of another round",
         ruling(**UPHELD | {"line_id": "(SELECT min(id) FROM tables_line WHERE round_id = $settled)"})),
        ("a scanner of a revoked terminal", "is revoked",
         "UPDATE tables_terminal SET revoked_at = now() WHERE id = $terminal;" + scanner()),
        *((f"a setting from {moment}", "from now on", setting(from_at=moment))
          for moment in ("'2001-01-01'", "now() - interval '1 microsecond'", "'infinity'", "'-infinity'",
                         "now() + interval '1 year 1 second'")),
        ("a setting that begins withdrawn", "does not begin withdrawn", setting(withdrawn_at="now()")),
        ("a setting without an entry", "no entry that says so", setting()),
        *((f"a setting with an entry of {name}", "no entry that says so", setting(changed))
          for name, changed in {
              "another name": {"facts": {"what": said("'opener_variance_units'")}},
              "another value": {"facts": {"after": "'701'"}},
              "no value": {"facts": {"after": None}},
              "another moment": {"facts": {"from": said("'2026-01-01T00:00:00.000000Z'")}},
              "another requester": {"facts": {"requester": said("'staff:$anna'")}},
              "another approver": {"facts": {"approver": said("'staff:$anna'")}},
              "nobody who approves": {"facts": {"approver": None}},
              "more": {"facts": {"pit": said("'pit:1'")}},
              "somebody else": {"by": "'staff:$anna'"},
              "another event": {"event": "'staff.left'"},
              "another setting": {"subject": "'setting:901'"},
          }.items()),
        ("a setting by another person than the entry says", "no entry that says so",
         setting({}, proposed_by_id="$anna")),
        ("a setting withdrawn without an entry", "no entry that says so", setting({}) + withdrawal()),
        *((f"a setting withdrawn with an entry of {name}", "no entry that says so", setting({}) + withdrawal(changed))
          for name, changed in {
              "another value": {"facts": {"before": "'701'"}},
              "a value after it": {"facts": {"after": "'0'"}},
              "another moment": {"facts": {"from": said("'2026-01-01T00:00:00.000000Z'")}},
              "another requester": {"facts": {"requester": said("'staff:$anna'")}},
              "one person": {"facts": {"approver": said("'staff:$clara'")}},
              "nobody who approves": {"facts": {"approver": None}},
              "the system": {"by": "'system'", "facts": {"requester": said("'system'")}},
              "another setting": {"subject": "'setting:901'"},
          }.items()),
        *((f"another {name} of a setting", ONLY_ENDS, setting({}) + withdrawal(**{name: value}))
          for name, value in {
              "name": "'opener_variance_units'", "value": "'701'", "from_at": "now() + interval '2 days'",
              "proposed_by_id": "$anna", "approved_by_id": "$anna", "id": "901",
          }.items()),
        ("a person added without an entry", NO_ENTRY, ZOE),
        ("a person added by one", NO_ENTRY, ZOE + in_house(
            {"staff": said("'staff:900'")}, event="'staff.added'", subject="'staff:900'")),
        ("a person lets themselves go", NO_ENTRY, LEFT + of_anna("staff.left", {"by": "'staff:$anna'"},
                                                                  requester="'staff:$anna'")),
        ("a person who left without an entry", NO_ENTRY, LEFT),
        *((f"a person who left with an entry of {name}", NO_ENTRY, LEFT + of_anna("staff.left", **changed))
          for name, changed in {
              "another person": {"staff": "'staff:$hugo'"},
              "one alone": {"requester": None, "approver": None},
              "one twice": {"approver": "'staff:$clara'"},
              "nobody who approves": {"approver": None},
              "themselves who approve": {"approver": "'staff:$anna'"},
              "somebody else": {"requester": "'staff:$hugo'"},
              "the terminal who approves": {"approver": "'terminal:1'"},
          }.items()),
        ("a person who left and comes back without an entry", NO_ENTRY, LEFT + of_anna("staff.left") + RETURNED),
        ("a person who left with an entry of their return", NO_ENTRY, LEFT + of_anna("staff.returned")),
        ("a posting without an entry", NO_ENTRY, posting()),
        *((f"a posting with an entry of {name}", NO_ENTRY, posting() + of_anna("staff.posted", **TO_CAGE | changed))
          for name, changed in {
              "another role": {"role": "'auditor'"},
              "a pit": {"pit": "'pit:1'"},
              "another requester": {"requester": "'staff:$hugo'"},
              "another approver": {"approver": "'staff:1'"},
              "nobody who approves": {"approver": None},
              "another event": {"changes": {"event": "'staff.left'"}},
              "another person": {"changes": {"subject": "'staff:$hugo'"}},
              "somebody else": {"changes": {"by": "'staff:$hugo'"}},
          }.items()),
        ("a posting in one pit with an entry of all", NO_ENTRY,
         posting(pit_id="(SELECT min(id) FROM tables_pit)") + POSTED),
        ("a posting by nobody", BY_TWO,
         posting(posted_by_id=None, posted_with_id=None)
         + of_anna("staff.posted", {"by": "'system'"}, requester=None, approver=None, **TO_CAGE)),
        ("a posting ended without an entry", NO_ENTRY,
         posting() + POSTED + POSTING_OVER.format("$clara", "$hugo")),
        ("a posting ended with an entry of another role", NO_ENTRY,
         posting() + POSTED + POSTING_OVER.format("$clara", "$hugo")
         + of_anna("staff.posting_ended", role="'auditor'")),
        ("a posting ended by nobody", BY_TWO, POSTING_ENDED),
        ("a one-time code without an entry", NO_ENTRY, code()),
        ("a one-time code with an entry by others", NO_ENTRY,
         code() + of_anna("staff.code_given", approver="'staff:1'")),
        ("a file of a report done without an entry", NO_ENTRY, report_file() + file_over("DONE")),
        ("a file of a report with an entry of other bytes", NO_ENTRY,
         report_file() + file_over("DONE") + file_made(digest="repeat('b', 64)")),
        ("a file of a report with an entry by another", NO_ENTRY,
         report_file() + file_over("DONE") + file_made({"by": "'staff:$hugo'"})),
        ("a file of a report pruned without an entry", NO_ENTRY, FILE_DONE + file_over("PRUNED")),
        ("a file of a report pruned by others than the entry says", NO_ENTRY,
         FILE_DONE + file_over("PRUNED") + files_pruned(approver="'staff:$anna'")),
        ("a question without an entry", NO_ENTRY, question()),
        ("a question with an entry of other words", NO_ENTRY, question() + of_question(words="repeat('b', 64)")),
        ("a question with an entry about something else", NO_ENTRY, question() + of_question(of="'house/2'")),
        ("a question with an entry by another", NO_ENTRY, question() + of_question(by="'staff:$hugo'")),
        ("an answer without an entry", NO_ENTRY, question() + of_question() + question_over("ANSWERED")),
        ("an answer with an entry of other words", NO_ENTRY, question() + of_question() + question_over("ANSWERED")
         + of_question("answered", answer="repeat('b', 64)")),
        ("a question settled without an entry", NO_ENTRY, QUESTION_ANSWERED + question_over("SETTLED")),
        ("a question settled with an entry by another", NO_ENTRY,
         QUESTION_ANSWERED + question_over("SETTLED") + of_question("settled", by="'staff:$hugo'")),
        ("a token of reports without an entry", NO_ENTRY, report_token()),
        ("a token of reports with an entry by others", NO_ENTRY, report_token() + of_token(approver="'staff:$anna'")),
        ("a token of reports ended without an entry", NO_ENTRY,
         report_token() + of_token() + TOKEN_OVER.format("$clara", "$hugo")),
        ("a credential without an entry", NO_ENTRY, credential()),
        ("a credential that another adds", NO_ENTRY,
         credential() + of_anna("credential.added", {"subject": "'credential:900'"}, kind="'app'", requester=None,
                                approver=None)),
        ("a credential with an entry of another kind", NO_ENTRY,
         credential() + by_anna("credential.added", kind="'passkey'")),
        ("a passkey with an entry of another key", NO_ENTRY,
         PASSKEY + by_anna("credential.added", kind="'passkey'", public_key="'y'")),
        ("a credential ended without an entry", NO_ENTRY,
         credential() + ADDED + CREDENTIAL_OVER.format("$anna", "NULL")),
        ("a credential ended by nobody", NO_ENTRY,
         credential() + ADDED + CREDENTIAL_OVER.format("NULL", "NULL") + REMOVED),
        ("a credential ended by two with an entry of one", NO_ENTRY,
         credential() + ADDED + CREDENTIAL_OVER.format("$clara", "$hugo") + REMOVED),
        ("a recovery code without an entry", NO_ENTRY, recovery_code()),
        ("more recovery codes than the entry says", NO_ENTRY,
         recovery_code() + recovery_code(id="901", digest="repeat('e', 64)") + made(1)),
        ("a draft without an entry", NO_ENTRY, drafted()),
        *((f"a draft with an entry of {name}", NO_ENTRY, drafted(changed)) for name, changed in {
            "another author": {"by": "'staff:$anna'"},
            "other values": {"replaced": """'"ante_minimum":[0-9]+', '"ante_minimum":7'"""},
            "another version": {"replaced": """'"version":90', '"version":91'"""},
            "its publication": {"event": "'sheet.published'"},
            "another draft": {"subject": "'sheet:901'"},
        }.items()),
        ("a setting withdrawn twice", ONLY_ENDS, setting({}) + withdrawal({}) + withdrawal()),
        ("a setting that counts again", ONLY_ENDS, setting({}) + withdrawal({}) + withdrawal(withdrawn_at="NULL")),
        ("a call that begins taken", "nobody who took it", alarm(taken_by_id="$clara", taken_at="now()")),
        ("a call that begins over", "nobody who took it",
         alarm(taken_by_id="$clara", taken_at="now()", over_at="now()")),
        ("a slip late that there is not", "is on its way from or to its table",
         alarm(kind="'slip_late'", raised_by_id="NULL", subject="'slip:999999'", value="16", bound="15")),
        ("an alarm of a case that there is not", "a late case of its table is open",
         alarm(kind="'case_late'", raised_by_id="NULL", subject="'case:999999'", value="16", bound="15")),
        ("a variance of a session that has none", "a variance is of a session",
         alarm(kind="'closer_variance'", raised_by_id="NULL", subject="'session:$session_closed'",
               table_id="$table_closed", value="500", bound="0")),
        *((f"an alarm of {kind} about {subject}", sentence,
           alarm(kind=f"'{kind}'", raised_by_id="NULL", subject=f"'{subject}'", table_id=table, value="7", bound="6"))
          for kind, subject, table, sentence in (
              ("round_held", "round:$open", "$table1", "is held, open or was tried again"),
              ("round_long", "round:$settled", "$table1", "is held, open or was tried again"),
              ("settlement_retried", "round:$closed", "$table1", "is held, open or was tried again"),
              ("settlement_late", "table:$table4", "$table4", "a table of which a round waits"),
              ("settlement_late", "round:$closed", "$table1", "a table of which a round waits"),
              ("pace", "session:$session_closed", "$table_closed", "of an open session of its table"),
              ("float_low", "session:$session4", "$table1", "of an open session of its table"),
              ("break_due", "staff:$anna", "$table4", "of who deals at its table"),
              ("break_due", "staff:$clara", "$table1", "of who deals at its table"),
              ("luck", "luck_day:$luck_day", "$table4", "is of a year of its table"),
              ("luck", "table:$table1", "$table1", "is of a year of its table"),
              ("seal_late", "house", "$table1", "stands at no table, and has its reason"),
              ("seal_late", "log", "NULL", "stands at no table, and has its reason"),
              ("log_damaged", "inspection:999999", "NULL", "stands at no table, and has its reason"),
              ("lock_out", "staff:$clara", "NULL", "stands at no table, and has its reason"),
          )),
        ("a call about another table", "about its table", alarm(subject="'table:$table2'")),
        ("a call without a reason", "a call has its reason", alarm(reason="NULL")),
        ("a call that the log does not know", "no entry that gives its reason", alarm()),
        ("a call for another reason than the log gives", "no entry that gives its reason",
         called({"reason": "'other'"})),
        ("a call for no reason that the log gives", "no entry that gives its reason", called({"reason": None})),
        ("a call by another person than the log names", "no entry that gives its reason", called(by="'staff:$clara'")),
        ("a call taken twice", "who took it stays", answer() + answer(taken_by_id="$hugo")),
        ("another word to a call", "who took it stays", answer() + answer(word="'z'", over_at="now()")),
        ("a call given back", "who took it stays",
         answer() + answer(taken_by_id="NULL", taken_at="NULL", word="''", salt="''")),
        ("a call over as it is taken", "one at a time", answer(over_at="now()")),
        ("a call to which nothing happens", "one at a time", "UPDATE tables_alarm SET word = word WHERE id = $call"),
        ("a call that is over once more", "is over", answer() + CALL_OVER * 2),
        ("a call that stands again", "is over", answer() + CALL_OVER + answer(over_at="NULL")),
        *((f"another {name} of a call", "what was raised stays", answer(**{name: value})) for name, value in {
            "kind": "'late'", "subject": "'table:$table2'", "table_id": "$table2", "reason": "'dispute'", "box": "1",
            "value": "1", "bound": "1", "raised_at": "now()", "raised_by_id": "$clara",
        }.items()),
        ("a slip of a closed session", "no such open session",
         requested(session_id="$session_closed", table_id="$table_closed")),
        ("a slip of another table's session", "no such open session", requested(session_id="$session3")),
        ("a slip that begins on its way", "begins requested",
         requested(status="'ISSUED'", issued_by_id="$hugo", issued_at="now()")),
        ("a slip that begins printed", "begins requested", requested(prints="1")),
        ("a slip of another year", "its year is its session's", number_of(year="2001") + slip(year="2001", number="1")),
        ("a slip with a number that nobody took", "not the one that was taken", slip(number="900")),
        ("a slip with a number of before", "not the one that was taken", number_of() + slip(number="1")),
        *((f"a slip of chips that no set has: {name}", "whole chips of the table's set, or do not come to its units",
           requested(denominations=f"'{chips}'", units=units))
          for name, chips, units in (
              ("of 7", '{"7": 1}', "7"), ("a spelling", '{"0500": 1}', "500"),
              ("a part of one", '{"1000": 0.5}', "500"), ("a number in words", '{"100": "5"}', "500"),
              ("none of them", '{"100": 5, "500": 0}', "500"),
              ("below nothing", '{"100": -5, "500": 2}', "500"), ("a list", "[100]", "100"), ("no chips", "{}", "0"),
              ("a name", '{"x": 1}', "1"), ("what nobody can read", f'{{"100": {ENDLESS}}}', "1"),
              ("another worth", '{"100": 5}', "600"), ("a million", '{"100": 1000000}', "100000000"))),
        ("a change for less", "not of equal worth",
         requested("change", denominations=CHIPS, units="40000", exchanged="'{\"100\": 399}'")),
        *((f"another {name} of a slip", "what was requested stays", step("credit", **{name: value}))
          for name, value in {
              "id": "900", "kind": "'fill'", "year": "2001", "number": "900", "table_id": "$table2",
              "session_id": "$session3", "denominations": "'{\"100\": 400}'", "exchanged": EXCHANGED, "units": "1",
              "requested_by_id": "$hugo", "requested_at": "now()",
          }.items()),
        ("another reason of a slip", "it is printed, or takes one step", step("fill", reason="'x'")),
        ("a slip to which nothing happens", "it is printed, or takes one step", step("fill", kind="kind")),
        ("two prints of a slip at once", "it is printed, or takes one step", step("fill", prints="prints + 2")),
        ("a slip printed as it is sent back", "it is printed, or takes one step", sent_back(prints="prints + 1")),
        ("a print taken back", "it is printed, or takes one step",
         step("fill", prints="prints + 1") + step("fill", prints="prints - 1")),
        ("a slip received that nobody issued", "REQUESTED does not become RECEIVED",
         step("credit", status="'RECEIVED'", received_by_id="$anna", received_with_id="$clara", received_at="now()")),
        ("a slip on its way voided", "ISSUED does not become VOIDED",
         step("fill", status="'VOIDED'", issued_by_id="NULL", issued_at="NULL", out_id="NULL", **TWO_ENDED)),
        ("a void slip that goes on", "VOIDED does not become REQUESTED",
         voided() + step("credit", status="'REQUESTED'", voided_by_id="NULL", approved_by_id="NULL", voided_at="NULL",
                         reason="''", salt="''")),
        ("a slip sent back that comes after all", "RETURNED does not become ISSUED",
         sent_back() + step("fill", status="'ISSUED'", voided_by_id="NULL", approved_by_id="NULL", voided_at="NULL",
                            reason="''", salt="''", back_id="NULL")),
        *((f"another {name} of a slip that set out", "who issued it stays", sent_back(**{name: value}))
          for name, value in {
              "issued_by_id": "$anna", "issued_at": "now()", "carried_by_id": "$anna", "out_id": "910",
          }.items()),
        *((f"a slip received {name}", "have not counted what it says", received(**changes))
          for name, changes in {
              "by one who counted": {"count": ""},
              "by others than counted": {"received_with_id": "$hugo"},
              "by those who counted, the wrong way round": {"received_by_id": "$clara", "received_with_id": "$anna"},
              "with a chip too few": {"count": counted(denominations="'{\"500\": 79}'", units="39500")},
              "while it is counted anew": {
                  "count": counted() + counted(attempt="2", place="1", by_id="$anna"),
              },
          }.items()),
        *((f"a slip that {name}", "a movement that it names is not its own", sql)
          for name, sql in {
              "sets out by another's chips": issued("", out_id="(SELECT out_id FROM tables_slip WHERE id = $fill)"),
              "sets out by an opener": issued("", out_id="$movement"),
              "is received by the way back": received(WAY_HOME),
              "is sent back by the way in": sent_back(WAY_IN),
          }.items()),
        *((f"chips of a slip {name}", "not the next of a slip", sql)
          for name, sql in {
              "that did not set out": carried("credit_received", CAGE, TRANSIT, name="credit"),
              "that set out twice": carried(
                  "fill_issued", TRANSIT, CAGE, number="911", key="'slip:$fill:fill_issued:2'",
                  transfer={"key": "'slip:$fill:fill_issued:2:1'"}).replace(", 1, ", ", 2, ", 1),
              "that are others": carried("fill", "$float", TRANSIT, denominations="'{\"100\": 400}'"),
              "into another float": carried("fill", "$float2", TRANSIT),
              "on another day": carried("fill", "$float", TRANSIT, business_date="'2001-01-01'",
                                        transfer={"business_date": "'2001-01-01'"}),
              "of another kind": carried("credit_received", CAGE, TRANSIT),
              "that there is not": carried("fill", "$float", TRANSIT, name="table1", subject="'slip:99999'",
                                           key="'slip:99999:fill:1'", transfer={"key": "'slip:99999:fill:1:1'"}),
              "under an alias": carried("fill", "$float", TRANSIT, subject="'slip:0$fill'", key="'slip:0$fill:fill:1'",
                                        transfer={"key": "'slip:0$fill:fill:1:1'"}),
          }.items()),
        *((f"chips of a slip {name}", "does not go from", carried("fill", debit, credit)) for name, debit, credit in (
            ("out of the cage at once", "$float", CAGE), ("the wrong way", TRANSIT, "$float"),
            ("into the count room", COUNT_ROOM, TRANSIT))),
        *((f"a {kind} of a session", f"no {kind} belongs to",
           movement(key=f"'session:$session1:{kind}:1'", kind=f"'{kind}'")
           + moved(key=f"'session:$session1:{kind}:1:1'", reason=f"'{kind}'", debit_id=debit, credit_id=credit))
          for kind, debit, credit in (
              ("fill_issued", TRANSIT, CAGE), ("fill", "$float", TRANSIT), ("fill_returned", CAGE, TRANSIT),
              ("credit", TRANSIT, "$float"), ("credit_received", CAGE, TRANSIT),
              ("credit_returned", "$float", TRANSIT))),
        ("chips that move and no slip says so", "its slip does not name it", WAY_IN + SLIP_IN_LOG),
        ("chips of a slip that the log does not tell of", "movement:910: 1 in the ledger, 0 in the log", received()),
        ("a number of slips that leaves a gap", "begin at 1 and grow by one",
         "UPDATE tables_slipnumber SET last = last + 2 WHERE kind = 'fill'"),
        ("a number of slips taken back", "begin at 1 and grow by one", "UPDATE tables_slipnumber SET last = last - 1"),
        ("a kind of slips that begins in the middle", "begin at 1 and grow by one",
         "INSERT INTO tables_slipnumber (kind, year, last) VALUES ('change', 2001, 7)"),
        ("numbers of another year", "begin at 1 and grow by one",
         "UPDATE tables_slipnumber SET last = last + 1, year = year + 1"),
        ("a number that no slip has", "has no slip", number_of()),
        *((f"a count {name}", "the next is another", counted(**changes))
          for name, changes in {
              "in the place of the first": {"place": "1"}, "of the attempt after next": {"attempt": "2"},
              "that begins anew too early": {"attempt": "2", "place": "1"}, "of a third person": {"place": "3"},
          }.items()),
        ("two counts by one person", "one person counts twice", counted(by_id="$anna")),
        *((f"a count {name}", "no chips of what is counted now", counted(**changes))
          for name, changes in {
              "of a slip that did not set out": {"of": "'slip:$credit'", "part": "'credit'", "place": "1"},
              "of another part": {"part": "'credit'", "place": "1"},
              "of a slip that there is not": {"of": "'slip:99999'", "place": "1"},
              "of another worth": {"units": "1"}, "of chips of 7": {"denominations": "'{\"7\": 1}'", "units": "7"},
              "of none that is a list": {"denominations": "'[]'", "units": "0"},
              "of none spelled out": {"denominations": "'{\"500\": 0}'", "units": "0"},
              "that nobody can read": {"denominations": UNREADABLE, "units": "0"},
          }.items()),
        ("a count of what came already", "no chips of what is counted now",
         received() + counted(attempt="2", place="1", by_id="$hugo")),
        ("a session closed while a slip is asked for", "a slip of it is under way",
         requested(table_id="$table4", session_id="$session4") + closing()),
        *((f"a case {name}", refusal, case(**changes))
          for name, refusal, changes in (
              ("that begins decided", "it begins open", {"status": "'DECIDED'"}),
              ("that was due", "due within 90 days", {"due_at": "now() - interval '1 second'"}),
              ("that is due never", "due within 90 days", {"due_at": "'infinity'"}),
              ("of another table's session", "of a session of its table", {"table_id": "$table1"}),
              ("of a session that goes on", "of a session of its table", {"subject": "'session:$session1'"}),
              ("of another year", "of a session of its table", {"year": "2001"}),
              ("of nothing that there is", "of a session of its table", {"subject": "'session:0$session_varied'"}))),
        *((f"another {name} of a case", "opened with stays", f"UPDATE tables_case SET {change}")
          for name, change in (("table", "table_id = $table3"), ("variance", "units = 1"), ("number", "number = 7"),
                               ("subject", "subject = 'session:$session1'"))),
        ("another question of a case", "opened with stays",
         asking() + "UPDATE tables_case SET question = 'z' WHERE id = 901"),
        ("another salt of a case's question", "opened with stays",
         asking() + "UPDATE tables_case SET question_salt = 'z' WHERE id = 901"),
        ("a case about a round that is not void", "it is of a void round of its table",
         asking(kind="'void'", table_id="$table1", subject="'round:$settled'")),
        ("a case about a round that there is not", "it is of a void round of its table",
         asking(kind="'void'", table_id="$table1", subject="'round:0'")),
        ("an investigation of another table's session", "it is of a session of its table, whose year",
         asking(table_id="$table1")),
        ("an investigation of another year", "it is of a session of its table, whose year", asking(year="2001")),
        ("an investigation approved by who signed for the opening", "opened or closed the table, or dealt there",
         asking() + deciding(decided_by_id="$anna", approved_by_id="$hugo").replace("$case", "901")),
        ("a case that waits for ever", "due within 90 days", "UPDATE tables_case SET due_at = 'infinity'"),
        ("a case that was due before", "due within 90 days",
         "UPDATE tables_case SET due_at = now() - interval '1 day'"),
        ("a case touched", "it moves, or is decided", "UPDATE tables_case SET owner_id = owner_id"),
        ("a case decided and given away", "it moves, or is decided", deciding(owner_id="$anna")),
        ("a case decided twice", "it is decided", deciding() + deciding(outcome="'not_found'")),
        ("a case approved by whoever signed the closing", "signed the closing does not approve",
         deciding(decided_by_id="$anna", approved_by_id="$hugo")),
        ("an open round settled", "OPEN does not become SETTLED", of_round("open", "status = 'SETTLED'")),
        ("another number", "opened with stays", of_round("open", "number = number + 1")),
        ("a round that begins closed", "begins open", game_round(status="'CLOSED'")),
        ("a session's date changed", "opened and closed with stays",
         "UPDATE tables_session SET business_date = business_date + 1"),
        ("another table", "opened with stays", of_round("open", "table_id = $table1")),
        ("another session", "opened with stays", of_round("open", "session_id = $session1")),
        ("another rule sheet", "opened with stays", of_round("open", "sheet_id = $sheet_draft")),
        ("another moment of opening", "opened with stays", of_round("open", "opened_at = now()")),
        ("another opener", "opened with stays", of_round("open", "opened_by_id = $clara")),
        ("another moment of closing", "closed and settled stays", of_round("closed", "closed_at = now()")),
        ("another moment of settling", "closed and settled stays", of_round("settled", "settled_at = now()")),
        ("a published sheet changed", "of a row stays",
         "UPDATE tables_rulesheet SET values = '{}' WHERE id = $sheet"),
        ("a published sheet taken back", "is published",
         f"UPDATE tables_rulesheet SET {UNPUBLISHED}, rules = NULL, digest = NULL WHERE id = $sheet"),
        ("a published coefficient table renamed", "is published",
         "UPDATE payouts_coefficienttable SET name = 'x' WHERE id = $ratios"),
        ("a published coefficient table taken back", "is published",
         f"UPDATE payouts_coefficienttable SET {UNPUBLISHED} WHERE id = $ratios"),
        ("a published coefficient changed", "UPDATE refused",
         "UPDATE payouts_coefficient SET numerator = 9999 WHERE id = $coefficient"),
        ("a published coefficient deleted", "DELETE refused",
         "DELETE FROM payouts_coefficient WHERE id = $coefficient"),
        ("a published coefficient moved away", "UPDATE refused",
         "UPDATE payouts_coefficient SET table_id = $ratios_draft, ordinal = 90 WHERE id = $coefficient"),
        ("a drafted coefficient moved in", "UPDATE refused",
         "UPDATE payouts_coefficient SET table_id = $ratios, ordinal = 90 WHERE table_id = $ratios_draft"),
        ("a coefficient added to a published table", "INSERT refused",
         "INSERT INTO payouts_coefficient (table_id, ordinal, category, numerator, denominator)"
         " VALUES ($ratios, 90, 'x', 1, 1)"),
        ("a chain's head moved back", "can only grow", of_house("seq = seq - 1")),
        ("a chain's head rewritten", "can only grow", of_house("head = repeat('1', 64)")),
        ("a chain's clock moved back", "can only grow", of_house("seq = seq + 1, at = at - interval '1 s'")),
        ("a chain's clock forgotten", "can only grow", of_house("seq = seq + 1, at = NULL")),
        ("a chain renamed", "can only grow", of_house("seq = seq + 1, key = 'table:99'")),
        ("a chain's head past its entries", "its head is no entry", of_house("seq = seq + 1")),
        ("an entry before the first", "does not follow", entry(seq="0")),
        ("an entry with a doubled seq", "does not follow", entry(seq="1")),
        ("an entry past the head", "does not follow", entry(seq="900")),
        ("an entry of another chain", "does not follow", lying_entry(chain=said("'table:1'"))),
        ("an entry of another place", "does not follow", lying_entry(seq="(seq + 2)")),
        *((f"no entry: {claim}", "is no entry: it", sql) for claim, sql in NO_ENTRIES.items()),
        ("an entry in no chain", "does not follow", entry(chain_id="'table:99'")),
        ("a round's number left out", "leaves a gap", game_round(number="900")),
        ("a round in another table's session", "its table's open session",
         game_round(table_id="$table1", number="1 + " + NEXT.replace("$table3", "$table1").replace("+ 1", ""))),
        ("a round by a draft", "published sheet",
         game_round(table_id="$table1", session_id="$session1", sheet_id="$sheet_draft",
                    number=NEXT.replace("$table3", "$table1"))),
        ("a round from paper of the session before", "after its session was opened",
         from_paper(happened_at=OPENED + " - interval '1 microsecond'")),
        ("a round from paper after the last round was called", "before its last round was called",
         from_paper(**OF_SHUT)),
        ("a round that was played here in a closed session", "its table's open session",
         game_round(**{name: OF_SHUT[name] for name in ("table_id", "session_id", "number")})),
        ("a round from paper before one from paper", "in the order in which they were played",
         from_paper() + from_paper(number=AFTER_NEXT.replace("$table3", "$table1"), paper="'413'", happened_at=OPENED)),
        ("a round from paper before one of its series", "in the order in which they were played",
         game_round(table_id="$table2", seats="'{1,2}'", number=NEXT.replace("$table3", "$table2"), **OF_TABLE2)
         + from_paper("2", seats="'{1,2}'", number=AFTER_NEXT.replace("$table3", "$table2"), **OF_TABLE2,
                      happened_at=f"(SELECT opened_at FROM tables_session WHERE id = {OF_TABLE2['session_id']})")),
        ("a round from paper by another sheet", "by the sheet in force", from_paper(sheet_id="$sheet_other")),
        ("a round that is from paper after all", "opened with stays", of_round("open", "paper = '412'")),
        ("another second person of a round", "opened with stays", of_round("open", "opened_with_id = $clara")),
        ("a table's count set back", "counted one by one",
         "UPDATE tables_table SET last_number = 0 WHERE id = $table1"),
        ("a settled round settled by another's", "only a later settlement of its own",
         settlement(key="'round:77:1'", round_key="'round:77'", generation="1")
         + of_round("settled", "settlement_id = 900")),
        ("an action after the end", "is not open",
         "INSERT INTO tables_action (round_id, ordinal, phase, kind, arguments, by_id)"
         " VALUES ($settled, 77, 'showing', 'bet', '{}', $anna)"),
        ("an action past the last", "leaves a gap",
         "INSERT INTO tables_action (round_id, ordinal, phase, kind, arguments, by_id)"
         " VALUES ($open, 77, 'betting', 'ante', '{}', $anna)"),
        ("a line of an open round", "is not closed",
         "INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id) VALUES ($open, 1, '{}', '[]', $anna)"),
        ("a line of nothing", "not of the game of its round", line(text="'{}'")),
        ("a line of another game", "not of the game of its round", line(text="""'{"game": "dynastia"}'""")),
        ("a line past the last", "leaves a gap",
         "INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id) VALUES ($settled, 5, '{}', '[]', $anna)"),
        ("a generation past the last", "follow one another", settlement(key="'round:$settled:7'", generation="7")),
        ("a reversal in another round", "of its own round",
         settlement(key="'round:77:1'", round_key="'round:77'", generation="1") + reversal(key="'round:77:1:r'")),
        ("points out of the float", "points does not go from",
         settlement() + transfer(reason="'points'")),
        ("a wager out of the cage", "does not go from", settlement() + transfer(credit_id=CAGE)),
        ("a settlement with a movement's reason", "does not go from",
         settlement() + transfer(reason="'opener'", credit_id=CAGE)),
        ("another table's accounts", "does not go from",
         settlement() + transfer(debit_id="$float2", credit_id="$patrons2")),
        ("an account that is only made after its transfer", "does not go from",
         settlement() + transfer(debit_id="9999", reason="'wager'")
         + "INSERT INTO payouts_account (id, kind, owner) VALUES (9999, 'float', 'table:99')"),
        ("a transfer by the key of another round", "does not begin with its header's",
         settlement() + transfer(key="'round:99:1:1'")),
        ("a settlement that no round takes", "its round does not take it", first()),
        ("a settlement of no round", "its round does not take it",
         settlement(key="'round:99:1'", round_key="'round:99'", generation="1")),
        ("a settlement for the next transaction", "its round does not take it",
         first(made_in="(pg_current_xact_id()::text::bigint + 1)::text::xid8")),
        ("a correction that reverses nothing", "does not reverse all",
         line(id="900") + settlement() + transfer() + payment() + taken()),
        ("a correction that reverses a part", "does not reverse all",
         line(id="900") + settlement() + reversal() + transfer() + payment() + taken()),
        ("a correction whose payments are not its transfers", "its payments come to -500 units and its transfers to 0",
         line(id="900") + settlement() + REVERSALS + payment() + taken()),
        ("a settlement that pays nobody what it moves", "its payments come to 0 units and its transfers to -500",
         first() + transfer(key="'round:$closed:1:1'", debit_id="$float2", credit_id="$patrons2") + taken("closed")),
        ("money left in the pot", "leaves 500 units in the pot",
         line(id="900") + settlement() + REVERSALS + transfer(reason="'stake_in'", debit_id="$pot") + payment()
         + taken()),
        ("a settlement of another table", "it is of another table",
         first(table_key="'table:$table1'") + taken("closed")),
        ("a settlement by another sheet", "it is by another sheet", first(sheet_digest="'0'") + taken("closed")),
        ("a settlement of another line", "it is not of the newest line", first(line_ordinal="2") + taken("closed")),
        ("a settlement on another day", "its business date is not", first(business_date="'2001-01-01'")
         + taken("closed")),
        ("a correction on another day", "its business date is not",
         line(id="900") + settlement(business_date="'2001-01-01'") + REVERSALS.replace("'$date'", "'2001-01-01'")
         + taken()),
        ("a transfer after its settlement was taken", ALREADY,
         CORRECTED + transfer(key="'round:$settled:2:9'")),
        ("a payment after its settlement was taken", ALREADY,
         CORRECTED + payment(box="2")),
        ("a transfer after constraints were asked early", ALREADY,
         CORRECTED + "SET CONSTRAINTS ALL IMMEDIATE;" + transfer(key="'round:$settled:2:9'")),
        ("a settlement whose constraint is asked too early", "its round does not take it",
         "SET CONSTRAINTS ALL IMMEDIATE;" + FIRST),
        ("a correction that takes back itself alone", "something else than what the one before moved",
         line(id="900") + settlement() + transfer(units="90000", debit_id="$patrons", credit_id="$float")
         + undone("round:$settled:2:1") + payment(paid_units="90500", net_units="90000") + taken()),
        ("a correction that takes back what it did besides", "something else than what the one before moved",
         line(id="900") + settlement() + REVERSALS + transfer() + transfer(key="'round:$settled:2:2'", units="7")
         + undone("round:$settled:2:2") + payment(staked_units="507", net_units="-507") + taken()),
        ("a first settlement that takes back its own", "something else than what the one before moved",
         first() + transfer(key="'round:$closed:1:1'", debit_id="$float2", credit_id="$patrons2")
         + undone("round:$closed:1:1") + payment() + taken("closed")),
        ("two generations at once, the one in the middle unseen", "of the same transaction",
         line(id="900") + line(id="901", ordinal="3") + settlement() + transfer(units="123456")
         + settlement(id="901", key="'round:$settled:3'", generation="3", line_ordinal="3")),
        ("two generations at once, each taken", "of the same transaction",
         CORRECTED + "SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED;" + line(id="901", ordinal="3")
         + settlement(id="901", key="'round:$settled:3'", generation="3", line_ordinal="3")),
        ("a drop that moves nothing", "it moves nothing", movement()),
        ("a drop that the log does not tell of", "movement.made of movement:900: 1 in the ledger, 0 in the log",
         movement() + moved()),
        ("a drop that the log tells of twice", "1 in the ledger, 2 in the log",
         movement() + moved() + MOVEMENT_IN_LOG * 2),
        ("a drop that the log tells of as another", "movement:900: 1 in the ledger, 0 in the log",
         movement() + moved() + evidence("movement.made", "movement:0900")),
        ("a drop told of that nobody made", "movement.made of movement:901: 0 in the ledger, 1 in the log",
         evidence("movement.made", "movement:901")),
        ("a drop of long ago told of again", "1 in the ledger, 2 in the log",
         evidence("movement.made", "movement:$movement")),
        ("chips told of that no number names", "0 in the ledger, 1 in the log",
         evidence("movement.made", "movement:99999999999999999999")),
        ("a settlement that the log does not tell of", "round.settled of round:[0-9]+: 2 in the ledger, 1 in the log",
         CORRECTED.removesuffix(SETTLED_IN_LOG)),
        ("a settlement told of that nobody made", "round.settled of round:[0-9]+: 1 in the ledger, 2 in the log",
         SETTLED_IN_LOG),
        ("a settlement of a round that is not there told of", "round:03: 0 in the ledger, 1 in the log",
         evidence("round.settled", "round:03")),
        *((f"chips that move outside a session: {subject}", "not of a session that takes it now|it has not come yet",
           movement(key=f"'{subject}:drop:1'", subject=f"'{subject}'", **day)
           + moved(key=f"'{subject}:drop:1:1'", **day))
          for subject in ("mine:1", "Session:$session1", "", "session:", "session:0$session1", "session: $session1")
          for day in ({}, {"business_date": "'2001-01-01'"}, {"business_date": "'2999-01-01'"})),
        *((f"a variance from {name}", "does not go from",
           movement(key="'session:$session1:variance:1'", kind="'variance'")
           + moved(key="'session:$session1:variance:1:1'", reason="'variance'", **ends))
          for name, ends in {
              "patrons": {"debit_id": VARIANCE, "credit_id": "$patrons"},
              "the count room": {"debit_id": VARIANCE, "credit_id": COUNT_ROOM},
              "nothing to patrons": {"debit_id": "$patrons", "credit_id": VARIANCE},
          }.items()),
        *((f"chips that no set has: {name}", "whole chips of the table's set",
           movement(denominations=f"'{chips}'") + moved(units=units))
          for name, chips, units in (
              ("of 7", '{"7": 1}', "7"), ("a sum", '{"1": 500}', "500"), ("a spelling", '{"0500": 1}', "500"),
              ("a part of one", '{"1000": 0.5}', "500"), ("a number in words", '{"100": "5"}', "500"),
              ("none of them", '{"100": 5, "500": 0}', "500"),
              ("a million", '{"100": 1000000}', "100000000"))),
        ("a second opener", "a session has one opener",
         begun() + of_opening() + of_opening(number="921", place="2")),
        ("a second closer", "its number leaves a gap",
         stopped() + movement(key="'session:$session4:closer:2'", kind="'closer'", number="2",
                              subject="'session:$session4'")
         + moved(key="'session:$session4:closer:2:1'", reason="'closer'", debit_id=CAGE, credit_id="$float4")),
        ("a second variance of the cage", "a session has one variance",
         begun() + of_opening("variance", debit=CAGE, credit=VARIANCE, units="100", denominations="'{\"1\": 100}'")
         + of_opening("variance", number="921", place="2", debit=VARIANCE, credit=CAGE, units="100",
                      denominations="'{\"1\": 100}'")),
        *((f"{name} of an open session", "not of a session that takes it now",
           movement(key=f"'session:$session1:{kind}:1'", kind=f"'{kind}'", number="1", denominations=chips)
           + moved(key=f"'session:$session1:{kind}:1:1'", reason=f"'{kind}'", debit_id=debit, credit_id=credit))
          for name, kind, debit, credit, chips in (
              ("a closer", "closer", CAGE, "$float", "'{\"100\": 5}'"),
              ("a variance", "variance", VARIANCE, "$float", "'{\"1\": 500}'"),
              ("a variance of the cage", "variance", VARIANCE, CAGE, "'{\"1\": 500}'"))),
        ("an opener that opens nothing", "its session does not open",
         begun() + both_counted("opener", "900") + of_opening()),
        ("a variance of the cage that opens nothing", "its session does not open",
         begun() + of_opening("variance", debit=CAGE, credit=VARIANCE, units="100", denominations="'{\"1\": 100}'")),
        ("a session opened without an opener", "it has no opener", opening(chips="")),
        *((f"a session opened {name}", "its opener is not what two people counted", opening(counts=counts))
          for name, counts in {
              "that nobody counted": "",
              "that one person counted": counted(
                  of="'session:900'", part="'opener'", place="1", by_id="$anna", denominations=CHIPS_OF_FOUR,
                  units=WORTH_OF_FOUR),
              "with what one of two counted": both_counted(
                  "opener", "900", second={"denominations": "'{\"100\": 5}'", "units": "500"}),
              "with other chips than both counted": both_counted("opener", "900", "'{\"100\": 5}'", "500"),
          }.items()),
        *((f"a session opened with {name}", "differs by from the closer before it is not its variance",
           opening(variance=variance, chips=chips, counts=counts))
          for name, variance, chips, counts in (
              ("a variance that there is not",
               of_opening("variance", "921", debit=CAGE, credit=VARIANCE, units="100",
                          denominations="'{\"1\": 100}'"), None, None),
              ("less than it was closed with", "",
               of_opening(denominations="'{\"100\": 5}'", units="500"),
               both_counted("opener", "900", "'{\"100\": 5}'", "500")))),
        ("a session closed with what nobody counted", "its closer is not what two people counted", closing(counts="")),
        ("a session closed with what one of two counted", "its closer is not what two people counted",
         closing(counts=both_counted(second={"denominations": "'{\"100\": 5}'", "units": "500"}))),
        ("a closing counted with the counts of another", "its closer is not what two people counted",
         stopped() + both_counted() + "UPDATE tables_session SET status = 'OPEN', stopped_at = NULL,"
         " stopped_by_id = NULL WHERE id = $session4;" + closing(counts="").replace(
             "'CLOSING'", "'CLOSING', counts_from = 2")),
        ("a session that goes on without a word", "no entry by two people",
         stopped() + "UPDATE tables_session SET status = 'OPEN', stopped_at = NULL, stopped_by_id = NULL"
         " WHERE id = $session4"),
        ("a count of a session that is open", "no chips of what is counted now", both_counted()),
        ("a count of the opener while it closes", "no chips of what is counted now",
         stopped() + both_counted("opener")),
        ("a third count of a closer", "it was counted twice",
         stopped() + both_counted() + both_counted(attempt="2") + both_counted(attempt="3")),
        ("two counts of a closer by one person", "one person counts twice",
         stopped() + both_counted(second={"by_id": "$anna"})),
        ("a closing that counts on from another", "each closing counts anew", stopped(counts_from="2")),
        ("a session that goes on and counts anew", "it changes with a step of its own",
         "UPDATE tables_session SET counts_from = 2 WHERE id = $session4"),
        ("a reason without a step", "it changes with a step of its own",
         "UPDATE tables_session SET closer_reason = 'x' WHERE id = $session4"),
        ("another who called the last round", "who called its last round stays", closing(stopped_by_id="$anna")),
        ("a session closed at once", "OPEN does not become CLOSED",
         "UPDATE tables_session SET status = 'CLOSED', closed_at = now(), closed_by_id = $anna, closed_with_id = $clara"
         " WHERE id = $session4"),
        ("a round while a table closes", "its table's open session",
         stopped() + game_round(table_id="$table4", session_id="$session4", number="1")),
        ("a session begun by nobody", "the gaming day of now", begun(begun_by_id=None)),
        ("a session that counts from the second attempt", "the gaming day of now", begun(counts_from="2")),
        ("a closer without a close", "its session does not close",
         stopped() + movement(key="'session:$session4:closer:1'", kind="'closer'", number="1",
                              subject="'session:$session4'")
         + moved(key="'session:$session4:closer:1:1'", reason="'closer'", debit_id=CAGE, credit_id="$float4")),
        *((f"a snapshot in {level}", "READ COMMITTED alone",
           f"SET TRANSACTION ISOLATION LEVEL {level};" + closing()) for level in ("REPEATABLE READ", "SERIALIZABLE")),
        ("a drop for the next transaction", "it moves nothing",
         movement(made_in="(pg_current_xact_id()::text::bigint + 1)::text::xid8")),
        ("a drop of other chips", "something else than its movement", movement() + moved(units="499")),
        ("a drop that is a closer", "something else than its movement",
         movement() + moved(reason="'closer'", debit_id=CAGE)),
        ("a drop of less than no chips", "whole chips of the table's set",
         movement(denominations="'{\"100\": -5, \"500\": 2}'") + moved()),
        ("a drop at another table", "not of a session that takes it now", movement() + moved(credit_id="$float2")),
        ("a drop on another day", "not of a session that takes it now",
         movement(business_date="'2001-01-01'") + moved(business_date="'2001-01-01'")),
        ("a drop of no session", "not of a session that takes it now",
         movement(key="'session:99:drop:1'", subject="'session:99'") + moved(key="'session:99:drop:1:1'")),
        ("a variance between cage and float", "does not go from",
         stopped() + movement(key="'session:$session4:variance:1'", kind="'variance'", subject="'session:$session4'")
         + moved(key="'session:$session4:variance:1:1'", reason="'variance'", debit_id="$float4", credit_id=CAGE)),
        ("an entry that the head does not reach", "is past the head", entry()),
        ("an entry of long ago", "it is not 2001",
         lying_entry(at=said("'2001-01-01T00:00:00.000000Z'")) + FOLLOWED),
        ("an entry of tomorrow", "it is not",
         lying_entry(at=said(SPELLED.replace("now()", "(now() + interval '1 day')"))) + FOLLOWED),
        ("an entry with the hash of another", "does not follow", lying_entry(prev=said("repeat('1', 64)")) + FOLLOWED),
        ("a head with the time of no entry", "its head is no entry",
         entry() + FOLLOWED.replace("at = now()", "at = now() + interval '1 hour'")),
        ("a chain that begins in the middle", "begins empty",
         "INSERT INTO audit_chain (key, seq, head) VALUES ('table:99', 7, repeat('0', 64))"),
        ("a chain that begins with a head of its own", "begins empty",
         "INSERT INTO audit_chain (key, seq, head) VALUES ('table:99', 0, repeat('1', 64))"),
        ("a round that its table does not count", "its count is not that of its rounds",
         game_round(table_id="$table1", session_id="$session1", number=NEXT.replace("$table3", "$table1"))),
        ("a count without a round", "its count is not that of its rounds", COUNTED),
        ("a round by a sheet that is not in force", "the sheet in force",
         game_round(table_id="$table1", session_id="$session1", sheet_id="$sheet_other",
                    number=NEXT.replace("$table3", "$table1"))),
        ("a round put off for ever", "put off by more than a day", of_round("closed", "next_at = 'infinity'")),
        ("a round closed without a line", "closed without a line",
         of_round("open", "status = 'CLOSED', closed_at = now(), next_at = now()")),
        ("a round by another id", "id of a row stays", of_round("open", "id = 4711")),
        ("a line of a settled round that nobody settles", "it is not settled", line()),
        ("a table with another's float", "its accounts are its own",
         "UPDATE tables_table SET float_account_id = $float2 WHERE id = $table1"),
        ("a table without its float", "its accounts are its own",
         "UPDATE tables_table SET float_account_id = NULL WHERE id = $table1"),
        ("a new table on another's accounts", "its accounts are its own",
         "INSERT INTO tables_table (code, name, pit_id, chip_set_id, float_account_id, last_number)"
         " SELECT 'Z9', 'Z', pit_id, chip_set_id, float_account_id, 0 FROM tables_table WHERE id = $table1"),
        ("a new table that has counted already", "counted one by one",
         "INSERT INTO tables_table (code, name, pit_id, chip_set_id, last_number)"
         " SELECT 'Z9', 'Z', pit_id, chip_set_id, 7 FROM tables_table WHERE id = $table1"),
        ("a table in another pit", "of a row stays",
         "UPDATE tables_table SET pit_id = (SELECT max(id) FROM tables_pit) WHERE id = $table1"),
        ("a session on another day", "the gaming day of now", begun(business_date="'2001-01-01'")),
        *((f"a session that begins {status}", "the gaming day of now", begun(status=f"'{status}'", **more))
          for status, more in {
              "OPEN": {"opened_at": "now()", "opened_by_id": "$anna", "opened_with_id": "$clara"},
              "CLOSED": {"opened_at": "now()", "opened_by_id": "$anna", "opened_with_id": "$clara",
                         "closed_at": "now()", "closed_by_id": "$anna", "closed_with_id": "$clara"},
          }.items()),
        ("a session closed with chips in its rake slot", "its rake slot is not empty", raking(rake="")),
        ("a session closed without a snapshot of its rake slot", "its accounts have no snapshot",
         raking(snapshots=snapshot(
             "owner = 'table:$table5' AND kind <> 'rake'", subject="'session:$session5'"))),
        ("a rake that nobody counted", "counts the rake slot before it",
         raking(counts=both_counted(session="$session5", chips="'{\"100\": 100}'", units="10000"))),
        ("a rake of other chips than both counted", "its rake is not what two people counted",
         raking(rake=of_slot(chips='{"100": 5}'))),
        ("a rake of which one of two was counted", "its rake is not what two people counted",
         raking(counts=raked_count("1") + raked_count("2", rake="2"))),
        ("one person's closer with another's rake", "its rake is not what two people counted",
         raking(counts="".join(
             raked_count("1", rake="2", attempt=attempt) + raked_count("2", closer="99", attempt=attempt)
             for attempt in "12"))),
        ("a rake written off that nobody counted", "its rake is not what two people counted",
         raking(rake=of_slot("variance", chips='{"1": 500}', debit=VARIANCE))),
        ("a rake slot counted without its closer", "its rake slot is counted with its closer",
         stopped("id = $session5") + raked_count("1").partition(";")[0] + ";"),
        ("a rake slot counted by another", "counts the rake slot before it",
         stopped("id = $session5") + raked_count("1", by_id="$clara")),
        ("a rake slot that one of two counts", "counts the rake slot before it",
         stopped("id = $session5") + raked_count("1") + raked_count("2").partition(";")[2]),
        ("a rake slot counted where none moved", "counts the rake slot before it",
         stopped() + raked_count("1", session="$session4")),
        ("a rake slot of an open session counted", "no chips of what is counted now", raked_count("1")),
        ("a second rake", "a session has one rake",
         stopped("id = $session5") + of_slot(units="100", chips='{"100": 1}')
         + of_slot(number="904", nth="2", chips='{"100": 4}', units="400")),
        ("a second variance of a rake slot", "a session has one variance",
         stopped("id = $session5") + of_slot("variance", chips='{"1": 1}', units="1", debit=VARIANCE)
         + of_slot("variance", number="904", nth="2", chips='{"1": 1}', units="1", debit="$slot5", credit=VARIANCE)),
        ("a rake without a close", "its session does not close", stopped("id = $session5") + of_slot()),
        ("a variance of a rake slot without a close", "its session does not close",
         stopped("id = $session5") + of_slot("variance", chips='{"1": 1}', units="1", debit=VARIANCE)),
        ("a rake of an open session", "not of a session that takes it now", of_slot()),
        ("a variance of a rake slot of an open session", "not of a session that takes it now",
         of_slot("variance", chips='{"1": 1}', units="1", debit=VARIANCE)),
        ("a rake out of the house's account", "not of a session that takes it now",
         stopped("id = $session5") + of_slot(credit=account_of("rake"))),
        ("a variance of the house's rake", "not of a session that takes it now",
         stopped("id = $session5") + of_slot("variance", debit=VARIANCE, credit=account_of("rake"))),
        ("a rake out of another table's slot", "not of a session that takes it now",
         stopped("id = $session5")
         + of_slot(credit="(SELECT id FROM payouts_account WHERE kind = 'rake' AND owner = 'table:$table1')")),
        ("a rake out of the float", "does not go from", stopped("id = $session5") + of_slot(credit="$float5")),
        ("a last round called over an open round", "a round of it is not settled", stopped("id = $session3")),
        ("a last round called over one that waits", "a round of it is not settled",
         stopped("table_id = $table2 AND status = 'OPEN'")),
        ("a session closed over a series", "a series runs",
         "INSERT INTO tables_series (table_id, session_id, game, status, seats)"
         " VALUES ($table4, $session4, 'dynastia', 'OPEN', '{1,2}');" + closing()),
        ("a session closed with chips in the float", "its float is not empty", closing(closer="")),
        ("a session closed without a snapshot", "its accounts have no snapshot", closing(snapshots="")),
        ("a session closed with a snapshot of one account", "its accounts have no snapshot",
         closing(snapshots=snapshot("id = $float4"))),
        ("a session opened again", "opened and closed with stays",
         "UPDATE tables_session SET status = 'OPEN', closed_at = NULL, closed_by_id = NULL, closed_with_id = NULL"
         " WHERE id = $session_closed"),
        ("another person who closed", "opened and closed with stays",
         "UPDATE tables_session SET closed_with_id = $anna WHERE id = $session_closed"),
        ("a snapshot of another balance", "it is not its balance", stopped() + snapshot("id = $float4", units="0")),
        ("a snapshot of earlier", "it is not its balance",
         stopped() + snapshot("id = $float4", upto_id="(SELECT min(id) FROM payouts_transfer)")),
        ("a snapshot of no closing", "its session does not close", stopped() + snapshot("id = $float4")),
        ("a snapshot of another table", "no session of its table closes", snapshot("id = $float")),
        ("a snapshot of the house", "no session of its table closes", snapshot(f"id = {account_of('cage')}")),
        ("a snapshot of no session", "no session of its table closes", snapshot("id = $float4", subject="'x'")),
        ("a snapshot of a closed session", "no session of its table closes",
         snapshot("owner = 'table:$table_closed' AND kind = 'float'", subject="'session:$session_closed'")),
        ("a drop of a closed session", "not of a session that takes it now",
         movement(key="'session:$session_closed:drop:1'", subject="'session:$session_closed'")
         + moved(key="'session:$session_closed:drop:1:1'", credit_id="$float_closed")),
        ("a drop after the closing", "not of a session that takes it now",
         closing() + movement(id="901", key="'session:$session4:drop:1'", subject="'session:$session4'")
         + moved(key="'session:$session4:drop:1:1'", movement_id="901", credit_id="$float4")),
        ("a series of a closed session without a paper", "no round from paper begins it",
         "INSERT INTO tables_series (table_id, session_id, game, status, seats)"
         " VALUES ($table_closed, $session_closed, 'dynastia', 'OPEN', '{1,2}')"),
        ("a series in another table's session", "its table's open session",
         "INSERT INTO tables_series (table_id, session_id, game, status, seats)"
         " VALUES ($table1, $session4, 'dynastia', 'OPEN', '{1,2}')"),
        ("a series while two count the closer", "its table's open session",
         stopped() + "INSERT INTO tables_series (table_id, session_id, game, status, seats)"
         " VALUES ($table4, $session4, 'dynastia', 'OPEN', '{1,2}')"),
        ("a round from paper in a series of another game", "its series with the same boxes",
         "INSERT INTO tables_series (id, table_id, session_id, game, status, seats)"
         " VALUES (900, $shut_table, $shut_session, 'dynastia', 'OPEN', '{1,2}');"
         + from_paper(**OF_SHUT, series_id="900")),
        ("a series ended while a round of it is open", "a round of it is open",
         game_round(**OF_TABLE2, table_id="$table2", seats="'{1,2}'", number=NEXT.replace("$table3", "$table2"))
         + "UPDATE tables_series SET status = 'CLOSED', closed_at = now() WHERE table_id = $table2"),
        ("a series opened again", ONLY_ENDS,
         "INSERT INTO tables_series (id, table_id, session_id, game, status, seats)"
         " VALUES (900, $table1, $session1, 'dynastia', 'OPEN', '{1,2}');"
         "UPDATE tables_series SET status = 'CLOSED', closed_at = now() WHERE id = 900;"
         "UPDATE tables_series SET status = 'OPEN', closed_at = NULL WHERE id = 900"),
        ("another role of a person", ONLY_ENDS, "UPDATE tables_posting SET role = 'administrator'"),
        ("a one-time code that counts again", ONLY_ENDS,
         code() + "UPDATE tables_onetimecode SET ended_at = now(); UPDATE tables_onetimecode SET ended_at = NULL"),
        ("a one-time code by nobody, though two could give it", "there are two others who could give it",
         code(given_by_id="NULL", given_with_id="NULL")),
        ("a question that begins answered", "it begins asked",
         question(status="'ANSWERED'", answer="'z'", answer_salt="'y'", answered_by_id="$hugo", answered_at="now()")),
        ("a question that waits for ever", "it is due within 31 days", question(due_at="'infinity'")),
        ("a question due before it is asked", "it is due within 31 days", question(due_at="now() - interval '1 day'")),
        ("a question that follows one without an answer", "it follows an answered question about the same",
         question() + question(id="901", follows_id="900")),
        ("a question that follows one about something else", "it follows an answered question about the same",
         QUESTION_ANSWERED + question(id="901", follows_id="900", subject="'house/2'")),
        ("a question that follows one of another table", "it follows an answered question about the same",
         QUESTION_ANSWERED + question(id="901", follows_id="900", table_id="$table1")),
        ("other words of a question", "what is asked is answered, and no more",
         question() + question_over("ANSWERED", words="'other'")),
        ("more time for a question", "what is asked is answered, and no more",
         question() + question_over("ASKED", due_at="now() + interval '2 days'")),
        ("a question settled before its answer", "what is asked is answered, and no more",
         question() + question_over("SETTLED")),
        ("another answer to a question", "what is answered is settled, and no more",
         QUESTION_ANSWERED + question_over("ANSWERED", answer="'other'")),
        ("another answer as a question is settled", "what is answered is settled, and no more",
         QUESTION_ANSWERED + question_over("SETTLED", answer="'other'")),
        ("a question settled again", "it is settled",
         QUESTION_ANSWERED + question_over("SETTLED") + of_question("settled") + question_over("SETTLED")),
        ("a question settled that was asked again", "it was asked again",
         QUESTION_ANSWERED + question(id="901", follows_id="900") + question_over("SETTLED")),
        ("an edge that begins done", "it begins as asked for",
         edge(status="'DONE'", progress="1000", figures="'{}'")),
        ("another sheet of an edge", "what it is of stays", EDGE_BEGUN + edge_over("DONE", inputs="'[]'")),
        ("another key of an edge", "what it is of stays", EDGE_BEGUN + edge_over("DONE", key="repeat('d', 64)")),
        ("other figures of an edge", "what is computed stays", EDGE_DONE + edge_over("DONE", figures="'[]'")),
        ("an edge computed again", "what is computed stays", EDGE_DONE + edge_over("ASKED", figures="NULL")),
        ("an edge that nobody computed", "ASKED does not become DONE", edge() + edge_over("DONE")),
        ("a try that is not counted", "each try begins anew, and is counted",
         edge() + edge_over("COMPUTING", tries="0")),
        ("tries that are counted down", "each try begins anew, and is counted",
         EDGE_BEGUN + edge_over("COMPUTING", tries="0")),
        ("a try that begins in the midst", "each try begins anew, and is counted",
         edge() + edge_over("COMPUTING", progress="500")),
        ("a try that goes back", "a try goes on", EDGE_BEGUN + edge_over("COMPUTING", tries="1", progress="500")
         + edge_over("COMPUTING", tries="1", progress="400")),
        ("tries that are given back at the end", "a try goes on", EDGE_BEGUN + edge_over("FAILED", tries="0")),
        ("luck of a round that is not settled", "of a settled round of Split Poker", round_luck(round_id="$closed")),
        ("luck of another table", "of its table, croupier and gaming day", round_luck(table_id="$table1")),
        ("luck of another croupier", "of its table, croupier and gaming day", round_luck(croupier_id="$hugo")),
        ("luck of nobody", "of its table, croupier and gaming day", round_luck(croupier_id="NULL")),
        ("luck of another day", "of its table, croupier and gaming day", round_luck(business_date="'2001-01-01'")),
        ("luck that goes to another round", "its round stays", round_luck()
         + "UPDATE tables_roundluck SET round_id = $settled WHERE round_id = $shut_round;"),
        ("luck of another round's settlement", "one of its round", round_luck(settlement_id="$settlement")),
        ("luck that paid something else", "won what its boxes lost", round_luck(win_units="1")),
        ("luck that rests on nothing", "on results that are done", round_luck(edge_keys="'{}'")),
        ("luck that rests on what nobody computed", "on results that are done",
         edge() + round_luck(edge_keys="ARRAY[repeat('e', 64)]")),
        ("luck that rests on what is not there", "on results that are done", round_luck(edge_keys="ARRAY['e']")),
        ("a day of luck of another table", "whose day it is stays",
         round_luck() + luck_day() + luck_added_up(table_id="$table1")),
        ("a day of luck of another date", "whose day it is stays",
         round_luck() + luck_day() + luck_added_up(business_date="'2001-01-01'")),
        ("a day of luck on which nothing was looked at", "a round of it was looked at", luck_day()),
        ("a day of luck with more rounds", "comes to what its rounds come to",
         round_luck() + luck_day() + luck_added_up(rounds="2")),
        ("a day of luck with rounds left out", "comes to what its rounds come to",
         round_luck() + luck_day() + luck_added_up(left_out="1")),
        ("a day of luck that won more", "comes to what its rounds come to",
         round_luck() + luck_day() + luck_added_up(win_units="1")),
        ("a day of luck of which more was expected", "comes to what its rounds come to",
         round_luck() + luck_day() + luck_added_up(expected="1")),
        ("a day of luck that varied more", "comes to what its rounds come to",
         round_luck() + luck_day() + luck_added_up(variance="1")),
        ("a file of a report that begins done", "it begins as asked for", report_file(status="'DONE'")),
        ("a file of a report that begins with rows", "it begins as asked for", report_file(rows_made="5")),
        ("a file asked for by another", "what was asked for stays",
         report_file() + file_over("ASKED", asked_by_id="$hugo")),
        ("a file of another period", "what was asked for stays",
         report_file() + file_over("DONE", period="'2026-01-02'")),
        ("a file with fewer rows than were made", "it ends with as many rows as were made",
         report_file() + file_over("ASKED", rows_made="9") + file_over("DONE")),
        ("a file pruned before it is made", "what is not made is not pruned",
         report_file() + "UPDATE tables_reportfile SET status = 'PRUNED' WHERE id = 900"),
        ("a file that is done and fails", "what is done is pruned, and no more", FILE_DONE + file_over("FAILED")),
        ("another digest of a file that is done", "what is done is pruned, and no more",
         FILE_DONE + file_over("DONE", digest="repeat('b', 64)")),
        ("a file that failed and is done", "it has ended", report_file() + file_over("FAILED") + file_over("DONE")),
        ("a file of a report with other bytes than another",
         "another file of the same report and period has other bytes",
         FILE_DONE + report_file(id="901", form="'xlsx'") + file_over("DONE", of="901", digest="repeat('b', 64)")),
        ("a token of reports that counts again", ONLY_ENDS, report_token() + of_token()
         + TOKEN_OVER.format("$clara", "$hugo") + of_token("ended")
         + "UPDATE tables_reporttoken SET ended_at = NULL, ended_by_id = NULL, ended_with_id = NULL WHERE id = 900"),
        ("another secret of a token of reports that has ended", ONLY_ENDS, report_token() + of_token()
         + TOKEN_OVER.format("$clara", "$hugo") + of_token("ended")
         + "UPDATE tables_reporttoken SET token_digest = repeat('0', 64) WHERE id = 900"),
        ("another name of a token of reports", ONLY_ENDS,
         report_token() + of_token() + "UPDATE tables_reporttoken SET name = 'Y' WHERE id = 900"),
        ("a credential that begins used", "begins unused", credential(used_at="now()")),
        ("a credential that begins over", "begins unused", credential(ended_at="now()")),
        ("a code used twice", "has counted to 5 already", credential() + CREDENTIAL_USED.format(5)),
        ("a counter put back", "has counted to 5 already",
         credential() + "UPDATE tables_credential SET counter = 4 WHERE id = 900"),
        ("a credential that counts again", "stays as it is", credential() + CREDENTIAL_OVER.format("$anna", "NULL")
         + "UPDATE tables_credential SET ended_at = NULL, ended_by_id = NULL WHERE id = 900"),
        ("a credential that is over and used", "stays as it is",
         credential() + CREDENTIAL_OVER.format("$anna", "NULL") + CREDENTIAL_USED.format(6)),
        ("a credential of another", "of a row stays",
         credential() + "UPDATE tables_credential SET staff_id = $hugo WHERE id = 900"),
        ("another secret of an app", "of a row stays",
         credential() + "UPDATE tables_credential SET secret = repeat('B', 32) WHERE id = 900"),
        ("a recovery code that counts again", ONLY_ENDS, recovery_code()
         + "UPDATE tables_recoverycode SET ended_at = now(); UPDATE tables_recoverycode SET ended_at = NULL"),
        ("a recovery code of another", ONLY_ENDS,
         recovery_code() + "UPDATE tables_recoverycode SET staff_id = $hugo"),
        ("a one-time code of another", ONLY_ENDS, code() + "UPDATE tables_onetimecode SET staff_id = $hugo"),
        ("a posting given to another", ONLY_ENDS,
         "UPDATE tables_posting SET staff_id = $anna WHERE role = 'pit_boss' AND staff_id <> $clara"),
        ("a posting taken up again", ONLY_ENDS, POSTING_ENDED + "UPDATE tables_posting SET ended_at = NULL"),
        ("a sign-on of another", ONLY_ENDS, "UPDATE tables_signon SET staff_id = $clara WHERE staff_id = $anna"),
        ("a sign-on taken up again", ONLY_ENDS, SIGNED_OFF + "UPDATE tables_signon SET signed_off_at = NULL"),
        ("a relief that begins over", "begins when it is asked for", relief(ended_at="now()")),
        ("a relief that begins withdrawn", "begins when it is asked for", relief(withdrawn_by_id="$clara")),
        ("a relief by who deals at a table", "may not be asked to relieve at another", relief(staff_id="$anna")),
        ("a relief done by nobody", "does not deal there",
         relief() + "UPDATE tables_relief SET ended_at = now() WHERE id = 900"),
        ("a relief by a pit boss", "croupier posted to its pit", relief(staff_id="$clara").removeprefix(CROUPIERS)),
        ("a sign-on of a pit boss", "only a croupier posted to its pit",
         "INSERT INTO tables_signon (staff_id, table_id) VALUES ($clara, $table_closed)"),
        ("a sign-on elsewhere of who is asked to relieve", "may be signed on at no other table",
         relief() + "INSERT INTO tables_signon (staff_id, table_id) VALUES ($hugo, $table_closed)"),
        *((f"another {name} of a relief", ONLY_ENDS,
           relief() + RELIEF_OVER.replace(" WHERE", f", {name} = {value} WHERE"))
          for name, value in {"table_id": "$table2", "staff_id": "$clara", "asked_by_id": "$hugo",
                              "asked_at": "now() - interval '1 day'"}.items()),
        ("a relief asked for again", ONLY_ENDS,
         relief() + RELIEF_OVER + "UPDATE tables_relief SET ended_at = NULL, withdrawn_by_id = NULL WHERE id = 900"),
        ("a relief withdrawn by another", ONLY_ENDS,
         relief() + RELIEF_OVER + RELIEF_OVER.replace("$clara", "$hugo")),
        ("a terminal with another token", UNTIL_REVOKED, "UPDATE tables_terminal SET token_digest = repeat('0', 64)"),
        ("a terminal at another table", UNTIL_REVOKED, "UPDATE tables_terminal SET table_id = $table3"),
        ("a revoked terminal enrolled again", UNTIL_REVOKED, REVOKED + "UPDATE tables_terminal SET revoked_at = NULL"),
        ("a revoked terminal renamed", UNTIL_REVOKED, REVOKED + "UPDATE tables_terminal SET name = 'Z'"),
        ("a revoked terminal that was seen", UNTIL_REVOKED,
         REVOKED + "UPDATE tables_terminal SET last_seen_at = now()"),
        ("another drafter of a sheet", "of a row stays",
         "UPDATE tables_rulesheet SET drafted_by_id = $anna WHERE id = $sheet_draft"),
        ("another drafter of a coefficient table", "of a row stays",
         "UPDATE payouts_coefficienttable SET drafted_by_id = $anna WHERE id = $ratios_draft"),
        ("a person by another login", "of a row stays", "UPDATE casino_staff SET login = 'mallory' WHERE id = $anna"),
        ("another moment of holding", "held_at of a row stays",
         HELD + "UPDATE tables_round SET held_at = '2001-01-01' WHERE id = $closed"),
        ("a sheet published by rules that are not its own", "do not say its values",
         "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna, published_at = now(),"
         f" rules = '{{}}', digest = '{EMPTY}' WHERE id = $sheet_draft"),
        ("a sheet published by a drafted coefficient table", "its coefficient table is a draft",
         "INSERT INTO tables_rulesheet (id, game, version, status, values, coefficient_table_id, drafted_by_id)"
         " SELECT 900, game, 90, 'DRAFT', values, $ratios_draft, drafted_by_id FROM tables_rulesheet"
         " WHERE id = $sheet_draft;"
         f"UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna, published_at = now(),"
         f" {RULED_RIGHTLY} WHERE id = 900"),
        ("a sheet published without its edge", "its edge is not computed", published_with("NULL")),
        ("a sheet published by an edge of no form", "its edge is not computed", published_with("'7'")),
        ("a sheet published by an edge of nothing", "its edge is not computed", published_with("'[]'")),
        ("a sheet published by another figure", "its edge is not computed",
         published_with(f"jsonb_set({PINNED}, '{{0,edge}}', '\"99.000000000\"')")),
        ("a sheet published with more than its edge", "its edge is not computed",
         published_with(f"jsonb_set({PINNED}, '{{0,more}}', '1')")),
        ("a sheet published by the edge of another", "its edge is not computed",
         pinned("20.000000000", small_hand_loss_pays="'coefficient'")),
        ("a sheet published by the edge at another ANTE", "its edge is not computed",
         pinned("20.000000000", ante="7")),
        ("a sheet published by what was sought for it", "its edge is not computed",
         pinned("20.000000000", seek="'flush'")),
        ("a sheet published by an edge without the game", "its edge is not computed", pinned("20.0", games="false")),
        ("a sheet published by an edge at one ANTE of its own", "not that of its limits",
         published_with(f"jsonb_set({PINNED}, '{{0,ante}}', '7')")),
        ("a sheet published by its edge twice", "not that of its limits", published_with(f"{PINNED} || {PINNED}")),
        *((f"a sheet published with {percent} %", said, pinned(percent)) for percent, said in {
            "-0.000000001": "the player has the edge", "0.499999999": "outside the band",
            "30.000000001": "outside the band"}.items()),
        ("a sheet with an edge and without a house", "the house has no edge",
         drafted({}).replace("SELECT 900, game, 90", "SELECT 900, 'genpoker', 90")
         + published_with().replace("$sheet_draft", "900")),
        ("a sheet that begins published", "begins as a draft",
         "INSERT INTO tables_rulesheet (game, version, status, values, rules, digest, drafted_by_id, published_by_id,"
         f" published_at) VALUES ('split', 90, 'PUBLISHED', '{{}}', '{{}}', '{EMPTY}', $anna, $clara, now())"),
        ("a digest of other rules", "not that of its rules",
         "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna, published_at = now(),"
         " rules = '{}', digest = 'x' WHERE id = $sheet_draft"),
        *((f"a sheet in force from {moment}", "from now on", in_force({}, from_at=moment))
          for moment in ("'2001-01-01'", "now() - interval '1 microsecond'", "'infinity'", "'-infinity'",
                         "'9999-12-31'", "'294276-12-31'", "now() + interval '1 year 1 second'")),
        ("a draft in force", "only a published sheet", in_force({}, sheet_id="$sheet_draft")),
        ("a sheet put in force by one person", "two people put", in_force({}, approved_by_id=None)),
        ("a sheet put in force without an entry", "no entry that says so", in_force()),
        *((f"a sheet put in force with an entry of {name}", "no entry that says so", in_force(changed))
          for name, changed in {
              "another sheet": {"facts": {"sheet": f"'{EMPTY}'"}},
              "another moment": {"facts": {"from": "'2026-01-01T00:00:00.000000Z'"}},
              "another requester": {"facts": {"requester": "'staff:$anna'"}},
              "another approver": {"facts": {"approver": "'staff:$anna'"}},
              "nobody who approves": {"facts": {"approver": None}},
              "more": {"facts": {"pit": "'pit:1'"}},
              "somebody else": {"by": "'staff:$anna'"},
              "another event": {"event": "'round.opened'"},
              "another table": {"subject": "'table:$table2'"},
          }.items()),
        ("a sheet put in force by another person than the entry says", "no entry that says so",
         in_force({}, set_by_id="$anna")),
        ("a sheet put in force at another table than the entry says", "no entry that says so",
         in_force({}, table_id="$table2")),
        ("two sheets put in force with one entry", "no entry that says so",
         in_force({}) + in_force(from_at="now() + interval '1 minute'")),
        ("a sheet in force that begins withdrawn", "does not begin withdrawn",
         to_come(withdrawn_at="now()", withdrawn_by_id="$clara", withdrawn_with_id="$hugo")),
        ("a sheet withdrawn without an entry", "no entry that says so", to_come() + taken_back()),
        *((f"a sheet withdrawn with an entry of {name}", "no entry that says so", to_come() + taken_back(changed))
          for name, changed in {
              "another sheet": {"facts": {"sheet": f"'{EMPTY}'"}},
              "another moment": {"facts": {"from": "'2026-01-01T00:00:00.000000Z'"}},
              "another approver": {"facts": {"approver": "'staff:$anna'"}},
              "nobody who approves": {"facts": {"approver": None}},
              "somebody else": {"by": "'staff:$anna'"},
              "another event": {"event": "'table.sheet_set'"},
              "another table": {"subject": "'table:$table2'"},
          }.items()),
        ("a sheet withdrawn by others than the entry says", "no entry that says so",
         to_come() + taken_back({}, withdrawn_by_id="$anna")),
        ("a sheet withdrawn that counts", "counts at table",
         taken_back().replace("id = 900", "id = (SELECT max(id) FROM tables_inforce)")),
        *((f"another {name} of a sheet in force", ONLY_ENDS, to_come() + taken_back({}, **{name: value}))
          for name, value in {"sheet_id": "$sheet_draft", "table_id": "$table2", "from_at": "now()",
                              "set_by_id": "$anna", "approved_by_id": "$anna"}.items()),
        ("a sheet withdrawn twice", ONLY_ENDS, to_come() + taken_back({}) + taken_back()),
        ("a sheet that counts again", ONLY_ENDS, to_come() + taken_back({}) + taken_back(withdrawn_at="NULL")),
    ],
    errors.CheckViolation: [
        ("a gaming day closed by one", "gamingday_closed_whole", DAY_BEGUN + day_closed(closed_with_id="NULL")),
        ("a gaming day closed by one person twice", "gamingday_four_eyes",
         DAY_BEGUN + day_closed(closed_with_id="$clara")),
        ("a drop box with a number that nobody prints", "dropbox_printed", drop_box(number="'anna'")),
        ("a drop box taken off by one person", "dropbox_removed_whole", taken_off(removed_with_id="NULL")),
        ("a drop box counted by one person", "dropbox_counted_whole", drop_counted(counted_with_id="NULL")),
        ("a drop box mounted by one person twice", "dropbox_four_eyes", drop_box(mounted_with_id="$clara")),
        ("a drop box taken off by one person twice", "dropbox_four_eyes", taken_off(removed_with_id="$clara")),
        ("a drop box counted by one person twice", "dropbox_four_eyes", drop_counted(counted_with_id="$anna")),
        ("a reason of a drop box without salt", "dropbox_reason_salted", drop_counted(reason="'x'")),
        ("a buy-in at no box", "buyin_numbers_positive", sold() + bought(box="0")),
        ("a question without words", "question_in_words", question(words="''")),
        ("a question whose words the log can't hide", "question_in_words", question(salt="''")),
        *((f"a question answered {name}", "question_steps_whole", question() + question_over("ANSWERED", **changes))
          for name, changes in {
              "without words": {"answer": "''"}, "without a salt": {"answer_salt": "''"},
              "by nobody": {"answered_by_id": "NULL"},
          }.items()),
        ("a question settled by nobody", "question_steps_whole",
         QUESTION_ANSWERED + question_over("SETTLED", settled_by_id="NULL")),
        ("a question answered by who asked it", "question_answered_by_another",
         question() + question_over("ANSWERED", answered_by_id="$clara")),
        ("a question settled by who answered it", "question_answered_by_another",
         QUESTION_ANSWERED + question_over("SETTLED", settled_by_id="$hugo")),
        ("an edge whose key is no digest", "edgeresult_key_is_digest", edge(key="'e'")),
        ("an edge tried a fourth time", "edgeresult_in_range", EDGE_BEGUN + 3 * edge_over("COMPUTING")),
        ("an edge beyond its end", "edgeresult_in_range",
         EDGE_BEGUN + edge_over("COMPUTING", tries="1", progress="1001")),
        ("an edge asked for with figures", "edgeresult_ended_whole", edge(figures="'{}'")),
        ("an edge asked for again with its tries", "edgeresult_ended_whole",
         EDGE_BEGUN + edge_over("FAILED") + edge_over("ASKED", tries="1")),
        ("an edge done without figures", "edgeresult_ended_whole", EDGE_BEGUN + edge_over("DONE", figures="NULL")),
        ("an edge that fails without a word", "edgeresult_ended_whole",
         EDGE_BEGUN + edge_over("FAILED", failure="''")),
        ("an edge of what nobody reads", "edgeresult_inputs_readable", edge(inputs=UNREADABLE)),
        ("an edge with figures that nobody reads", "edgeresult_figures_readable",
         EDGE_BEGUN + edge_over("DONE", figures=UNREADABLE)),
        ("luck without what was expected", "roundluck_counted_whole", round_luck(expected="NULL")),
        ("luck with a variance below 0", "roundluck_counted_whole", round_luck(variance="-1")),
        ("luck with a loss of more than everything", "roundluck_counted_whole", round_luck(part="-1000000001")),
        ("luck left out for a reason of its own", "roundluck_counted_whole",
         round_luck(**NOT_COUNTED | {"left_out": "'other'"})),
        ("luck left out and counted", "roundluck_counted_whole", round_luck(**NOT_COUNTED | {"part": "0"})),
        ("a day of luck of a table and a croupier", "luckday_of_one", round_luck() + luck_day(
            croupier_id="(SELECT opened_by_id FROM tables_round WHERE id = $shut_round)")),
        ("a day of luck with bets on no round", "luckday_bets_on_rounds", round_luck() + luck_day(days="1")),
        ("a day of luck with a round and no bets", "luckday_bets_on_rounds",
         round_luck() + luck_day() + luck_added_up(days="0")),
        ("a day of luck after the year's last", "luckday_bets_on_rounds",
         round_luck() + luck_day() + luck_added_up(days="367")),
        ("a day of luck whose purse was never 1", "luckday_bets_on_rounds",
         round_luck() + luck_day() + luck_added_up(highest="-1")),
        ("a file of a report in a form of its own", "reportfile_says_what", report_file(form="'doc'")),
        ("a file of a report that ends before it begins", "reportfile_says_what", report_file(last="'2025-12-31'")),
        ("a file of no edition", "reportfile_says_what", report_file(edition="0")),
        ("a file whose report is a path", "reportfile_says_what", report_file(report="'../keys'")),
        ("a file whose period is a path", "reportfile_says_what", report_file(period="'../2026'")),
        ("a file that is done without a digest", "reportfile_ended_whole",
         report_file() + file_over("DONE", digest="''", file_digest="''")),
        ("a file that fails without a word", "reportfile_ended_whole",
         report_file() + file_over("FAILED", failure="''")),
        ("a file pruned by one", "reportfile_pruned_by_two", FILE_DONE + file_over("PRUNED", pruned_with_id="NULL")),
        ("a file pruned by one person twice", "reportfile_pruned_by_two",
         FILE_DONE + file_over("PRUNED", pruned_with_id="$clara") + files_pruned(approver="'staff:$clara'")),
        ("a CSV with another digest than its report", "reportfile_csv_is_the_report",
         report_file() + file_over("DONE", file_digest="repeat('b', 64)") + file_made(file="repeat('b', 64)")),
        ("a token of reports by one person twice", "reporttoken_given_by_two",
         report_token(given_with_id="$clara") + of_token(approver="'staff:$clara'")),
        ("a token of reports ended by one", "reporttoken_ended_by_two",
         report_token() + of_token() + TOKEN_OVER.format("$clara", "NULL")),
        ("a token of reports ended by one person twice", "reporttoken_ended_by_two",
         report_token() + of_token() + TOKEN_OVER.format("$clara", "$clara")
         + of_token("ended", approver="'staff:$clara'")),
        ("a case file with the digest of other bytes", "casefile_digest_of_bytes", case_file(content="'y'")),
        ("a case file without end", "casefile_not_too_long", case_file(
            digest="encode(sha256(convert_to(repeat('x', 16777217), 'UTF8')), 'hex')",
            content="convert_to(repeat('x', 16777217), 'UTF8')")),
        ("a case file of a log of nothing", "casefile_size_from_one", case_file(size="0")),
        ("tips counted by one person twice", "tipcount_four_eyes", tips_counted(counted_with_id="$anna")),
        ("a reason of a count of tips without salt", "tipcount_reason_salted", tips_counted(reason="'x'")),
        ("a drop that one person makes", "movement_approved", movement(approved_by_id=None) + moved()),
        ("a shift of the cage that is not counted and has books", "cageshift_count_whole",
         cage_closing() + cage_opened(expected_units="5")),
        ("a shift of the cage closed by one person", "cageshift_closed_whole", cage_closing(closed_with_id="NULL")),
        ("a shift of the cage closed by one person twice", "cageshift_four_eyes", cage_closing(closed_with_id="$hugo")),
        ("a sheet with a reason without salt", "rulesheet_reason_salted", published_with(reason="'x'")),
        ("a draft with an edge", "rulesheet_published_whole",
         "UPDATE tables_rulesheet SET edge = '[]' WHERE id = $sheet_draft"),
        ("a shift of the cage with a reason without salt", "cageshift_reason_salted", cage_closing(reason="'x'")),
        *((f"a chain by the key {key}", "chain_key_known",
           f"INSERT INTO audit_chain (key, seq, head) VALUES ('{key}', 0, repeat('0', 64))")
          for key in ("pit:1", "table:0", "table:07", "table:" + "9" * 19)),
        ("a hashing beyond the house's", "hashing_number_range",
         "UPDATE casino_hashing SET number = 65 WHERE number = 1"),
        ("less than no wrong logins", "wronglogins_number_from_one",
         "INSERT INTO casino_wronglogins (minute, number) VALUES (now(), -1)"),
        *((f"{name} of the wrong logins of a minute with names that nobody has", "wronglogins_unknown_range",
           f"INSERT INTO casino_wronglogins (minute, number, unknown) VALUES (now(), 2, {number})")
          for name, number in (("more than all", 3), ("less than none", -1))),
        ("a transfer of 0", "transfer_units_range", settlement() + transfer(units="0")),
        ("a transfer of less than 0", "transfer_units_range", settlement() + transfer(units="-1")),
        ("a sheet that one person puts in force twice over", "inforce_four_eyes",
         in_force({"facts": {"approver": "'staff:$clara'"}}, approved_by_id="$clara")),
        ("a sheet that one person withdraws twice over", "inforce_four_eyes",
         to_come() + taken_back({"facts": {"approver": "'staff:$clara'"}}, withdrawn_with_id="$clara")),
        ("a sheet that one person withdraws", "inforce_withdrawn_whole",
         to_come() + taken_back(withdrawn_with_id="NULL")),
        ("a transfer that overflows sums", "transfer_units_range",
         settlement() + transfer(units="9223372036854775807")),
        *((f"a settlement under an alias: {alias}", "settlement_round_key",
           settlement(key=f"'{alias}:1'", round_key=f"'{alias}'", generation="1"))
          for alias in ("round:0$settled", "round:00$settled", "round:0", "round:+$settled", "round:$settled ",
                        "round: $settled", "ROUND:$settled", "round:٣")),
        *((f"an action that says {what} alone", "action_arguments_object", action(arguments=f"'{value}'"))
          for what, value in {"a list": "[500]", "a text": '"x"', "a number": "500", "nothing": "null"}.items()),
        ("an action that nobody can read", "action_arguments_readable", action(arguments=UNREADABLE)),
        ("a round that begins with what nobody can read", "round_carry_readable", game_round(carry=UNREADABLE)),
        ("a line too deep to be read", "line_text_readable",
         line(text=f"""'{{"game": "split", "x": {DEEP}}}'""")),
        ("wagers of a line that nobody can read", "line_wagers_readable", line(wagers=f"'[{ENDLESS}]'")),
        ("a line that begins with what nobody can read", "line_carry_readable", line(carry=f"'{DEEP}'")),
        ("what a line was handed, which nobody can read", "line_handed_readable", line(handed=f"'[{ENDLESS}]'")),
        ("a result that nobody can read", "settlement_result_readable", settlement(result=UNREADABLE)),
        ("chips that nobody can read", "movement_denominations_readable", movement(denominations=UNREADABLE)),
        ("values of a sheet that nobody can read", "rulesheet_values_readable",
         "INSERT INTO tables_rulesheet (game, version, status, values, drafted_by_id)"
         f" VALUES ('split', 90, 'DRAFT', {UNREADABLE}, $anna)"),
        ("rules of a sheet that nobody can read", "rulesheet_rules_readable",
         "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna, published_at = now(),"
         f" {RULED_RIGHTLY.replace(RULES, MORE_RULES)} WHERE id = $sheet_draft"),
        *((f"a result that is {name}", "settlement_result_json", settlement(result=result))
          for name, result in {
              "no JSON": "'x'", "a list": "'[]'", "empty": "''", "a key twice": "'{\"a\": 1, \"a\": 2}'",
              "too long": "'{\"a\": \"' || repeat('x', 1048576) || '\"}'",
          }.items()),
        ("a transfer with two headers", "transfer_one_header", settlement() + transfer(movement_id="$movement")),
        ("a transfer without a header", "transfer_one_header", transfer(settlement_id=None)),
        ("a transfer in no settlement's place", "transfer_one_header",
         f"SELECT write_settlements({written(place='2')})"),
        ("a transfer for no known reason", "transfer_reason_known", settlement() + transfer(reason="'gift'")),
        ("a transfer to the same account", "transfer_two_accounts", settlement() + transfer(credit_id="$float")),
        ("a reversal of nothing", "transfer_reversal_names", settlement() + transfer(reason="'reversal'")),
        ("a wager that reverses", "transfer_reversal_names", settlement() + reversal(reason="'wager'")),
        ("a payment with another net", "payment_net", settlement() + payment(net_units="0")),
        ("more returned than staked", "payment_returned", settlement() + payment(returned_units="501", net_units="1")),
        ("less than nothing paid", "payment_not_negative", settlement() + payment(paid_units="-1", net_units="-501")),
        ("a round settled by nothing", "round_status_whole", of_round("closed", "status='SETTLED', settled_at=now()")),
        ("a correction by one person", "line_four_eyes", line(approved_by_id="$anna")),
        ("a correction by nobody else", "line_corrected_by_two", line(approved_by_id=None)),
        ("a void by one person", "intervention_four_eyes", intervention(kind="'voided'", approved_by_id="$anna")),
        ("a void by nobody else", "intervention_by_two", intervention(kind="'voided'")),
        ("a void for no clause", "intervention_by_two",
         intervention(kind="'voided'", clause=None, approved_by_id="$clara")),
        ("a correction of no line", "intervention_line_of_correction",
         intervention(kind="'corrected'", approved_by_id="$clara")),
        ("a release by the system", "intervention_system_holds", intervention(kind="'released'", by_id=None)),
        ("an intervention of no kind", "intervention_kind_known", intervention(kind="'forgotten'")),
        ("a reason that the log can't hide", "intervention_reason_salted", intervention(salt="''")),
        ("a change by a refusal", "dispute_four_eyes",
         line(id="900", by_id="$clara", approved_by_id="$hugo") + ruling(**UPHELD | {"ruling": "'refused'"})),
        ("a dispute ruled by nobody", "dispute_status_whole", ruling(ruled_by_id="NULL")),
        ("a dispute ruled for no clause", "dispute_status_whole", ruling(clause="NULL")),
        ("a dispute ruled for no reason", "dispute_status_whole", ruling(reason="''")),
        ("a dispute ruled in no way", "dispute_status_whole", ruling(ruling="'perhaps'")),
        ("a ruling that the log can't hide", "dispute_texts_salted", ruling(reason_salt="''")),
        ("a statement that the log can't hide", "dispute_texts_salted", dispute(salt="''")),
        ("a dispute without a word", "dispute_texts_salted", dispute(statement="''")),
        ("a dispute about nothing", "dispute_about_something", dispute(about="''")),
        ("a prefix that nobody types", "scanner_typed", scanner(prefix="'a b'")),
        ("a suffix that is a menu", "scanner_typed", scanner(suffix="'.'")),
        ("codes that are a list", "scanner_codes_object", scanner(codes="'[]'")),
        ("codes that nobody can read", "scanner_codes_readable",
         scanner(codes="('{\"Td\": ' || repeat('9', 6000) || '}')::jsonb")),
        ("a setting by one person", "setting_four_eyes", setting(approved_by_id="$clara")),
        ("a setting of no name", "setting_name_plain", setting(name="'Closer variance'")),
        ("a setting that nobody can read", "setting_value_readable", setting(value=f"'{ENDLESS}'")),
        *((f"a setting that is {what}", "setting_value_single", setting(value=f"'{value}'"))
          for what, value in {"a list": "[500]", "an object": "{}", "nothing": "null"}.items()),
        ("a setting withdrawn that counts", "setting_withdrawn_before", setting(from_at="now()") + withdrawal()),
        ("a slip of no kind", "slip_kind_whole", requested("gift")),
        ("a fill for which something is given", "slip_kind_whole", requested(exchanged="'{\"500\": 1}'")),
        ("a change for which nothing is given", "slip_kind_whole", requested("change")),
        ("a slip issued by nobody", "slip_issued_whole", issued(issued_by_id="NULL")),
        ("a slip issued at no time", "slip_issued_whole", issued(issued_at="NULL")),
        ("a void slip that somebody issued", "slip_issued_whole", voided(issued_by_id="$anna", issued_at="now()")),
        ("a slip received at no time", "slip_received_whole", received(received_at="NULL")),
        ("a slip on its way that somebody received", "slip_received_whole", issued(received_by_id="$clara")),
        *((f"a slip sent back {name}", "slip_voided_whole", sent_back(**changes)) for name, changes in {
            "by nobody": {"voided_by_id": "NULL"}, "by one person": {"approved_by_id": "NULL"},
            "at no time": {"voided_at": "NULL"}, "for no reason": {"reason": "''"},
            "for a reason that the log can't hide": {"salt": "''"},
        }.items()),
        ("a slip issued with a reason to void it", "slip_voided_whole", issued(reason="'x'")),
        ("a credit that sets out without its chips", "slip_moves_its_chips", issued("", out_id="NULL")),
        ("a fill received without its chips", "slip_moves_its_chips", received("", back_id="NULL")),
        ("a fill sent back without its chips", "slip_moves_its_chips", sent_back("", back_id="NULL")),
        ("a case of another kind", "case_kind_known", case(kind="'theft'")),
        ("a variance without units", "case_units_of_variance", case(units="NULL")),
        ("an investigation with units", "case_units_of_variance", asking(units="5")),
        ("an investigation that asks nothing", "case_question_of_opener", asking(question="''")),
        ("an investigation whose question the log can't hide", "case_question_of_opener", asking(question_salt="''")),
        ("a variance that asks", "case_question_of_opener", case(question="'x'", question_salt="'y'")),
        ("a name for a video", "case_video_plain", "UPDATE tables_case SET video = 'Frau Adler'"),
        *((f"a case decided {name}", "case_decided_whole", deciding(**changes)) for name, changes in {
              "without an outcome": {"outcome": "NULL"}, "with another outcome": {"outcome": "'lost'"},
              "by nobody": {"decided_by_id": "NULL"}, "without a second": {"approved_by_id": "NULL"},
              "for no reason": {"reason": "''"}, "without a salt": {"salt": "''"},
          }.items()),
        ("a case that waits and has a reason", "case_decided_whole",
         "UPDATE tables_case SET reason = 'x', salt = 'y', due_at = now() + interval '1 day'"),
        ("a case decided by one person twice over", "case_four_eyes", deciding(decided_by_id="$anna")),
        ("a slip issued by who asked for it", "slip_four_eyes", issued(issued_by_id="$clara")),
        ("a slip received by who issued it", "slip_four_eyes",
         received(count=counted(by_id="$hugo"), received_with_id="$hugo")),
        ("a slip voided by one person twice over", "slip_four_eyes", voided(approved_by_id="$clara")),
        ("a call by nobody", "alarm_call_by_person", alarm(raised_by_id="NULL")),
        ("a call by a measure", "alarm_call_by_person", alarm(value="1", bound="2")),
        ("a measure by a person", "alarm_call_by_person", alarm(kind="'late'")),
        ("a call for a reason of one's own", "alarm_reason_known", alarm(reason="'Frau Adler'")),
        ("an alarm that has a reason", "alarm_reason_known",
         alarm(kind="'pace'", subject="'session:$session4'", table_id="$table4", raised_by_id="NULL",
               reason="'chips'")),
        ("a call of no kind", "alarm_about_something", alarm(kind="''", raised_by_id="NULL")),
        ("an alarm of a kind that nobody knows", "alarm_kind_known", alarm(kind="'late'", raised_by_id="NULL")),
        ("an alarm about nothing", "alarm_about_something", alarm(kind="'late'", raised_by_id="NULL", subject="''")),
        ("a call taken by nobody", "alarm_taken_whole", answer(taken_by_id="NULL")),
        ("a word of nobody", "alarm_taken_whole", alarm(word="'x'", salt="'y'")),
        ("a word that the log can't hide", "alarm_taken_whole", answer(salt="''")),
        ("a call over to which nobody came", "alarm_call_answered", CALL_OVER),
        ("an entry that undoes nothing", "action_undo_names",
         "INSERT INTO tables_action (round_id, ordinal, phase, kind, arguments, by_id)"
         " VALUES ($open, 1, 'betting', 'undo', '{}', $anna)"),
        ("a sheet published by its drafter", "rulesheet_four_eyes",
         f"UPDATE tables_rulesheet SET {SELF_PUBLISHED}, {RULED_RIGHTLY} WHERE id = $sheet_draft"),
        ("a sheet half published", "rulesheet_published_whole",
         "UPDATE tables_rulesheet SET status = 'PUBLISHED' WHERE id = $sheet_draft"),
        ("a coefficient table published by its drafter", "coefficienttable_four_eyes",
         f"UPDATE payouts_coefficienttable SET {SELF_PUBLISHED} WHERE id = $ratios_draft"),
        ("a coefficient by 0", "coefficient_range",
         "UPDATE payouts_coefficient SET denominator = 0 WHERE table_id = $ratios_draft"),
        ("a session opened by one person", "session_four_eyes", opening(opened_with_id="$clara")),
        ("a session opened by nobody", "session_opened_whole", opening(opened_by_id="NULL")),
        ("a last round called by nobody", "session_stopped_whole", stopped(stopped_by_id="NULL")),
        ("a session that goes on with its last round called", "session_stopped_whole",
         stopped() + "UPDATE tables_session SET status = 'OPEN' WHERE id = $session4"),
        ("a session that leaves something before its end", "session_leaves_at_end", begun(unfinished="'{slip:1}'")),
        ("a patron who has left, by one person's word", "paymenttick_left_four_eyes",
         insert("payouts_paymenttick", {"payment_id": "(SELECT max(id) FROM payouts_payment)", "by_id": "$anna",
                                        "left_with_id": "$anna"})),
        ("a reason without a salt", "session_reasons_salted", opening(opener_reason="'x'")),
        ("a reason of a closing at the opening", "session_reasons_salted",
         opening(closer_reason="'x'", closer_salt="'y'")),
        ("a session closed by one person", "session_four_eyes",
         closing(closed_with_id="$clara")),
        ("a session closed by nobody", "session_closed_whole", closing(closed_by_id="NULL")),
        ("a movement by one person", "movement_four_eyes",
         movement(requested_by_id="$anna")),
        ("a movement whose key lies", "movement_key_says_all", movement(key="'session:$session1:drop:78'")),
        ("a held round settled", "round_held_unsettled", HELD + FIRST),
        ("a round from paper by one person", "round_four_eyes", from_paper(opened_with_id="$anna")),
        ("a round from paper without a second person", "round_paper_whole", from_paper(opened_with_id=None)),
        ("a round from paper without its time", "round_paper_whole", from_paper(happened_at=None)),
        ("a round from no paper", "round_paper_whole", from_paper(paper=None)),
        ("a round with a second person alone", "round_paper_whole", from_paper(paper=None, happened_at=None)),
        ("a round from a paper that nobody prints", "round_paper_printed", from_paper(paper="'anna'")),
        ("a round from paper that is still to come", "round_happened_before",
         from_paper(happened_at="now() + interval '1 minute'")),
        ("an action that undoes a later one", "action_undoes_earlier",
         action(kind="'undo'", undoes="2")),
        ("an action signed by who made it", "action_four_eyes", action(approved_by_id="$anna")),
        ("a second casino", "casino_one_row",
         "INSERT INTO casino_casino SELECT 2, 'two', name, currency, currency_decimals, time_zone, day_starts_at"
         " FROM casino_casino"),
    ],
    errors.UniqueViolation: [
        ("luck of a round once more", "tables_roundluck_pkey", 2 * round_luck()),
        ("a table's day of luck once more", "luckday_of_table_once", round_luck() + luck_day() + luck_day(id="901")),
        ("a croupier's day of luck once more", "luckday_of_croupier_once", round_luck() + "".join(
            luck_day(id=number, table_id="NULL",
                     croupier_id="(SELECT opened_by_id FROM tables_round WHERE id = $shut_round)")
            for number in ("900", "901"))),
        ("two open shifts of the cage", "cageshift_one_open", cage_opened()),
        ("two drop boxes at a table", "dropbox_one_mounted", drop_box(table_id="$table1", session_id="$session1")),
        ("a drop box at two tables", "dropbox_number_once", drop_box(number="'101'")),
        ("a paper entered at two tables", "round_paper_once",
         from_paper() + from_paper("4", sheet_id="(SELECT sheet_id FROM tables_inforce WHERE table_id = $table4)")),
        ("a case file kept twice", "casefile_once", case_file() * 2),
        ("tips of a day counted twice", "tipcount_date_key", tips_counted("", date="'$day_counted'")),
        ("a transfer's key twice", "payouts_transfer_key", settlement() + transfer() * 2),
        ("a web session's key twice", "casino_websession_digest_key",
         "INSERT INTO casino_websession (digest, device, content, expires_at)"
         " SELECT 'd', '', '', now() FROM generate_series(1, 2)"),
        ("a settlement in the place of another", "payouts_settlement_pkey",
         settlement(id="$settlement", line_ordinal="2")),
        ("a second reversal", "reverses_id", settlement() + reversal() + reversal(key="'round:$settled:2:x'")),
        ("a reversal of what a correction reversed", "reverses_id",
         settlement(key="'round:$corrected:3'", round_key="'round:$corrected'", generation="3", line_ordinal="3")
         + reversal(key="'round:$corrected:3:r'", reverses_id="$reversed", debit_id="$patrons", credit_id="$float",
                    units="(SELECT units FROM payouts_transfer WHERE id = $reversed)")),
        ("a transfer for an earlier movement", "transfer_movement_once",
         transfer(settlement_id=None, movement_id="$movement")),
        ("a drop moved twice", "transfer_movement_once",
         movement() + moved() + moved(key="'session:$session1:drop:1:2'")),
        ("a movement made twice", "payouts_movement_key", movement() + moved() + movement(id="901")),
        ("an action undone twice", "action_undone_once",
         action() + action(ordinal="2", kind="'undo'", undoes="1") + action(ordinal="3", kind="'undo'", undoes="1")),
        ("an action in the place of another", "action_ordinal_once", action() + action()),
        ("an entry in the place of another's id", "audit_entry_pkey", entry(id="1")),
        ("a chain twice", "audit_chain_pkey",
         "INSERT INTO audit_chain (key, seq, head) VALUES ('house', 0, repeat('0', 64))"),
        ("two values of a setting at a moment", "setting_moment_once", setting() + setting(id="901", value="'800'")),
        ("a generation twice", "payouts_settlement", settlement(key="'round:$settled:1'", generation="1")),
        ("a line settled twice", "line_once", settlement(line_ordinal="1")),
        ("a box paid twice", "payment_box_once", settlement() + payment() + payment()),
        ("a payment handed over twice", "payment_id",
         "INSERT INTO payouts_paymenttick (payment_id, by_id) VALUES ($payment, $anna)"),
        ("a number of slips twice", "slipnumber_once",
         f"INSERT INTO tables_slipnumber (kind, year, last) VALUES ('fill', {YEAR}, 1)"),
        ("a second case of a closing", "case_one_of_each", case()),
        ("a slip with a number that another has", "slip_number_once", slip()),
        ("a second open round", "round_one_open", game_round()),
        ("a number used before", "round_number_once",
         game_round(table_id="$table1", session_id="$session1", number="1")),
        ("a second session", "session_one_open", begun(table_id="$table1")),
        ("a casino in the casino's place", "casino_casino_pkey",
         "INSERT INTO casino_casino SELECT 1, 'two', name, currency, currency_decimals, time_zone, day_starts_at"
         " FROM casino_casino"),
    ],
    errors.ForeignKeyViolation: [
        ("an action by nobody", "by_id", action(by_id="0")),
        ("a payment that is none handed over", "payment_id",
         insert("payouts_paymenttick", {"payment_id": "99999", "by_id": "$anna"})),
    ],
    errors.ObjectNotInPrerequisiteState: [
        ("a transaction prepared and left", "prepared transactions are disabled",
         "BEGIN; UPDATE tables_round SET phase = phase; PREPARE TRANSACTION 'mine'"),
    ],
    errors.WrongObjectType: [
        ("a unique key deferred", "not deferrable",
         "BEGIN; SET CONSTRAINTS public.payouts_transfer_key_key DEFERRED"),
    ],
    errors.UndefinedTable: [("statements of others", "pg_stat_statements", "SELECT * FROM pg_stat_statements")],
    errors.UndefinedFunction: [("another server", "dblink", "SELECT dblink('', 'SELECT 1')")],
    errors.InsufficientPrivilege: [
        ("a leaf", "audit_leaf", NEXT_LEAF),
        ("leaves passed over", "pass_over_leaves", "SELECT pass_over_leaves()"),
        ("a checkpoint that lies", "audit_checkpoint", LYING_CHECKPOINT),
        ("a subtree that lies", "audit_subtree", LYING_SUBTREE),
        ("an anchor of the future", "audit_anchor", FUTURE_ANCHOR),
        ("an export's progress", "audit_export", "UPDATE audit_export SET leaves_written = 1, progress = '{}'"),
        ("an export's end", "audit_export",
         "UPDATE audit_export SET status = 'FAILED', failure = 'x', ended_at = now()"),
        ("a reason not to seal", "audit_sealing", "UPDATE audit_sealing SET refused = 'x'"),
        ("a reason taken away", "audit_sealing", "UPDATE audit_sealing SET refused = '', unanchored = ''"),
        *(
            (f"the sealer's row locked {how}", "audit_sealing", f"SELECT FROM audit_sealing {how}")
            for how in ("FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE", "FOR UPDATE SKIP LOCKED")
        ),
        ("the sealer's table locked", "audit_sealing", "BEGIN; LOCK TABLE audit_sealing IN SHARE MODE"),
        ("the tree's tables locked", "audit_leaf", "BEGIN; LOCK TABLE audit_leaf, audit_checkpoint IN SHARE MODE"),
        ("the sealer's role taken", "casino_sealer", "SET ROLE casino_sealer"),
        ("membership in the sealer", "casino_sealer", "GRANT casino_sealer TO casino_app"),
        ("the sealer's password", "alter role", "ALTER ROLE casino_sealer PASSWORD 'x'"),
        ("the sealer's connection ended", "terminate process",
         "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'casino_sealer'"),
        ("the sealer's statement ended", "cancel query",
         "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'casino_sealer'"),
        ("a round deleted", "tables_round", "DELETE FROM tables_round WHERE id = $open"),
        ("a dispute deleted", "tables_dispute", "DELETE FROM tables_dispute"),
        ("a call deleted", "tables_alarm", "DELETE FROM tables_alarm"),
        ("a case deleted", "tables_case", "DELETE FROM tables_case"),
        ("a question deleted", "tables_question", "DELETE FROM tables_question"),
        ("a slip deleted", "tables_slip", "DELETE FROM tables_slip"),
        ("numbers of slips forgotten", "tables_slipnumber", "DELETE FROM tables_slipnumber"),
        ("a sheet deleted", "tables_rulesheet", "DELETE FROM tables_rulesheet WHERE id = $sheet_draft"),
        ("a coefficient table deleted", "payouts_coefficienttable", "DELETE FROM payouts_coefficienttable"),
        ("an account changed", "payouts_account", "UPDATE payouts_account SET owner = 'table:99'"),
        ("a chain deleted", "audit_chain", "DELETE FROM audit_chain"),
        ("a person deleted", "casino_staff", "DELETE FROM casino_staff"),
        ("an update by way of an insert", "audit_entry",
         entry(seq="1")[:-1] + " ON CONFLICT (chain_id, seq) DO UPDATE SET body = '{}'"),
        ("triggers switched off by a setting", "session_replication_role", REPLICA),
        ("the owner's role taken", "casino_owner", "SET ROLE casino_owner"),
        ("more rights for itself", "alter role", "ALTER ROLE casino_app SUPERUSER"),
        ("a table made", "schema public", "CREATE TABLE mine (id int)"),
        ("a temporary table made", "temporary tables", "CREATE TEMP TABLE payouts_settlement (id int)"),
        ("a schema made", "database", "CREATE SCHEMA mine"),
        ("a function made", "schema public", "CREATE FUNCTION f() RETURNS int LANGUAGE sql RETURN 1"),
        ("a guard's function replaced", "schema public",
         "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'"),
        ("a rule laid over a table", "payouts_transfer",
         "CREATE RULE no AS ON INSERT TO payouts_transfer DO INSTEAD NOTHING"),
        ("the casino changed", "casino_casino", "UPDATE casino_casino SET currency = 'USD'"),
        ("a pit changed", "tables_pit", "UPDATE tables_pit SET code = 'Z'"),
        ("chips of another worth", "casino_chipset", "UPDATE casino_chipset SET denominations[1] = 1"),
        ("a migration forgotten", "django_migrations", "DELETE FROM django_migrations"),
        ("a sequence set back", "payouts_settlement_id_seq", "SELECT setval('payouts_settlement_id_seq', 1)"),
        ("a sequence begun anew", "payouts_settlement_id_seq", "ALTER SEQUENCE payouts_settlement_id_seq RESTART"),
        ("a merge that changes", "payouts_account",
         "MERGE INTO payouts_account a USING payouts_account b ON a.id = b.id"
         " WHEN MATCHED THEN UPDATE SET owner = 'x'"),
        ("a merge that deletes", "tables_line",
         "MERGE INTO tables_line a USING tables_line b ON a.id = b.id WHEN MATCHED THEN DELETE"),
        ("a deletion inside a query", "payouts_transfer",
         "WITH gone AS (DELETE FROM payouts_transfer RETURNING *) SELECT count(*) FROM gone"),
        ("an update by way of a conflict", "payouts_account",
         "INSERT INTO payouts_account (kind, owner) VALUES ('cage', 'house')"
         " ON CONFLICT (kind, owner) DO UPDATE SET owner = 'house'"),
        ("an update behind a lock", "payouts_transfer", "SELECT * FROM payouts_transfer FOR UPDATE"),
        ("a deletion in a DO block", "payouts_payment", "DO 'BEGIN DELETE FROM payouts_payment; END'"),
        ("a session of another role", "session authorization", "SET SESSION AUTHORIZATION casino_owner"),
        ("a superuser's session", "session authorization", "SET SESSION AUTHORIZATION postgres"),
        ("a limit of its own lifted", "alter role", "ALTER ROLE casino_app CONNECTION LIMIT 1000 CREATEROLE"),
        ("a right for its own role", "alter role", "ALTER ROLE casino_app BYPASSRLS"),
        ("a setting of another role", "alter role", "ALTER ROLE casino_owner SET synchronous_commit = off"),
        ("a setting of the database", "owner of database", "ALTER DATABASE $database SET synchronous_commit = off"),
        ("a setting of the server", "synchronous_commit", "ALTER SYSTEM SET synchronous_commit = off"),
        ("a right for triggers", "session_replication_role",
         "ALTER ROLE casino_app SET session_replication_role = replica"),
        ("another role", "create role", "CREATE ROLE mine LOGIN"),
        ("membership in the owner", "casino_owner", "GRANT casino_owner TO casino_app"),
        ("its own role for the auditor", "casino_app", "GRANT casino_app TO casino_auditor"),
        ("a table altered", "tables_round", "ALTER TABLE tables_round ADD COLUMN x int"),
        ("a constraint dropped", "payouts_movement",
         "ALTER TABLE payouts_movement DROP CONSTRAINT movement_four_eyes"),
        ("a column renamed", "payouts_transfer", "ALTER TABLE payouts_transfer RENAME units TO x"),
        ("a table that inherits", "schema public", "CREATE TABLE mine () INHERITS (payouts_transfer)"),
        ("an index made", "payouts_transfer", "CREATE INDEX mine ON payouts_transfer (units)"),
        ("an index dropped", "payouts_transfer_key", "DROP INDEX payouts_transfer_key_key"),
        ("a view made", "schema public", "CREATE VIEW mine AS SELECT 1"),
        ("a domain made", "schema public", "CREATE DOMAIN mine AS int"),
        ("a type made", "schema public", "CREATE TYPE mine AS (a int)"),
        ("a sequence made", "schema public", "CREATE SEQUENCE mine"),
        ("a procedure as its owner", "schema public",
         "CREATE PROCEDURE mine() LANGUAGE sql SECURITY DEFINER AS 'DELETE FROM payouts_transfer'"),
        ("a temporary function", "temporary", "CREATE FUNCTION pg_temp.now() RETURNS int LANGUAGE sql RETURN 1"),
        ("a trigger made", "payouts_transfer",
         "CREATE TRIGGER mine BEFORE INSERT ON payouts_transfer FOR EACH ROW EXECUTE FUNCTION refuse_change()"),
        ("a trigger dropped", "relation payouts_transfer", "DROP TRIGGER append_only ON payouts_transfer"),
        ("a trigger that sleeps", "audit_entry", "ALTER TABLE audit_entry ENABLE REPLICA TRIGGER append_only"),
        ("a guard that passes all", "function refuse_change", "ALTER FUNCTION refuse_change() RENAME TO x"),
        ("a guard that looks elsewhere", "function",
         "ALTER FUNCTION transfer_joins_header() SET search_path = pg_temp"),
        ("a guard dropped", "function", "DROP FUNCTION transfer_joins_header() CASCADE"),
        ("a guard called", "function", "SELECT refuse_change()"),
        ("a comment", "payouts_transfer", "COMMENT ON TABLE payouts_transfer IS 'x'"),
        ("a policy", "payouts_transfer", "CREATE POLICY mine ON payouts_transfer USING (false)"),
        ("an event trigger", "event trigger",
         "CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION refuse_change()"),
        ("an extension", "dblink", "CREATE EXTENSION dblink"),
        ("a foreign server", "foreign-data wrapper", "CREATE FOREIGN DATA WRAPPER mine"),
        ("a publication", "database", "CREATE PUBLICATION mine"),
        ("a replication slot", "replication slots", "SELECT pg_create_physical_replication_slot('mine')"),
        ("what it owned given away", "objects", "REASSIGN OWNED BY casino_owner TO casino_app"),
        ("what another owns dropped", "objects", "DROP OWNED BY casino_owner"),
        ("a database dropped", "database", "DROP DATABASE $database"),
        ("a program run", "COPY", "COPY (SELECT 1) TO PROGRAM 'true'"),
        ("a file written", "COPY", "COPY payouts_transfer TO '/tmp/x'"),
        ("a file read into a table", "COPY", "COPY tables_pit FROM '/etc/passwd'"),
        ("a file read", "pg_read_file", "SELECT pg_read_file('PG_VERSION')"),
        ("a folder listed", "pg_ls_dir", "SELECT pg_ls_dir('.')"),
        ("a file as a large object", "lo_import", "SELECT lo_import('/etc/passwd')"),
        ("a large object as a file", "lo_export", "SELECT lo_export(1, '/tmp/x')"),
        ("a library loaded", "library", "LOAD '/tmp/mine'"),
        ("password hashes of roles", "pg_authid", "SELECT rolpassword FROM pg_authid"),
        ("password hashes of users", "pg_shadow", "SELECT passwd FROM pg_shadow"),
        ("the rules of entry", "pg_hba_file_rules", "SELECT * FROM pg_hba_file_rules"),
        ("somebody else's connection ended", "terminate process",
         "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'casino_owner'"),
        ("somebody else's statement ended", "cancel query",
         "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'casino_owner'"),
        ("the settings read again", "pg_reload_conf", "SELECT pg_reload_conf()"),
        ("the log turned over", "pg_rotate_logfile", "SELECT pg_rotate_logfile()"),
        *(
            (changed(table, statement), table, changed(table, statement))
            for table, statement in itertools.product(
                APPEND_ONLY, (*CHANGES, "ALTER TABLE {} DISABLE TRIGGER ALL", "DROP TABLE {} CASCADE")
            )
        ),
    ],
}

# With the sealer's password: by class, (claim, what the refusal says, statements).
SEALER = {
    errors.CheckViolation: [
        *((f"{column} of an inspection that nobody can read", f"inspection_{column}_readable",
           insert("audit_inspection", {"id": "900", "kind": "'books'", "hurried": "false", "plan": "'[]'", "place": "0",
                                       "after": "0", "state": "'{}'", "counts": "'{}'"})
           + f"UPDATE audit_inspection SET {column} = {UNREADABLE} WHERE id = 900")
          for column in ("plan", "state", "counts")),
        ("how far an export is, which nobody can read", "export_progress_readable",
         f"UPDATE audit_export SET progress = {UNREADABLE}"),
    ],
    errors.RestrictViolation: [
        ("a leaf that does not follow", "do not follow", insert("audit_leaf", {
            "index": "99999", "chain_id": "'house'", "seq": "99999", "hash": "sha256('')"})),
        ("a leaf of another entry", "do not follow",
         "INSERT INTO audit_leaf (index, chain_id, seq, hash)"
         " SELECT max(index) + 1, 'house', (SELECT seq FROM audit_chain WHERE key = 'house') + 1, sha256('')"
         " FROM audit_leaf"),
        ("a checkpoint beyond the tree", "does not follow", insert("audit_checkpoint", {
            "size": "65536", "root": "sha256('')", "edge": "ARRAY[sha256('')]", "note": "''"})),
        ("a checkpoint of an earlier tree", "does not follow", insert("audit_checkpoint", {
            "size": "1", "root": "sha256('')", "edge": "ARRAY[sha256('')]", "note": "''"})),
        ("what was signed passed over", "are in order, so none is passed over",
         "UPDATE audit_sealing SET sealed = 0; SELECT pass_over_leaves()"),
        ("an entry in a person's name", "the sealer writes no finding.accepted", said_by_sealer("finding.accepted")),
        ("an entry of a role", "the sealer writes no staff.posted", said_by_sealer("staff.posted")),
        ("an entry that does not follow", "does not follow", entry(seq="99999")),
        ("an export that begins in its midst", "begins with nothing written", export(leaves="7")),
        ("a chain shortened", "can only grow", "UPDATE audit_chain SET seq = 0"),
    ],
    errors.InsufficientPrivilege: [
        *(
            (f"a row in {table}", table, f"INSERT INTO {table} DEFAULT VALUES")
            for table in (*APPEND_ONLY, *KEPT)
            if not table.startswith("audit_")
        ),
        *((changed(table, statement), table, changed(table, statement))
          for table, statement in itertools.product(APPEND_ONLY, CHANGES)),
        ("a new chain", "audit_chain",
         "INSERT INTO audit_chain (key, seq, head) VALUES ('table:99', 0, repeat('0', 64))"),
        ("a round settled", "tables_round", "UPDATE tables_round SET failures = 0"),
        ("a round locked", "tables_round", "SELECT FROM tables_round FOR SHARE"),
        ("an export taken away", "audit_export", "DELETE FROM audit_export"),
        ("its row taken away", "audit_sealing", "DELETE FROM audit_sealing"),
        ("a second row", "audit_sealing", "INSERT INTO audit_sealing (id, refused, unanchored) VALUES (2, '', '')"),
        ("password hashes", "casino_staff", "SELECT password FROM casino_staff"),
        ("sessions", "django_session", "SELECT session_key FROM django_session"),
        ("salts of reasons", "tables_intervention", "SELECT salt FROM tables_intervention"),
        ("salts of statements", "tables_dispute", "SELECT salt FROM tables_dispute"),
        ("salts of words", "tables_alarm", "SELECT salt FROM tables_alarm"),
        ("salts of slips", "tables_slip", "SELECT salt FROM tables_slip"),
        ("tokens of reports", "tables_reporttoken", "SELECT token_digest FROM tables_reporttoken"),
        ("tokens of terminals", "tables_terminal", "SELECT token_digest FROM tables_terminal"),
        ("one-time codes", "tables_onetimecode", "SELECT digest FROM tables_onetimecode"),
        ("secrets of apps", "tables_credential", "SELECT secret FROM tables_credential"),
        ("recovery codes", "tables_recoverycode", "SELECT digest FROM tables_recoverycode"),
        ("tries to log in", "axes_accessattempt", "SELECT * FROM axes_accessattempt"),
        ("the app's role", "casino_app", "SET ROLE casino_app"),
        ("the owner's role", "casino_owner", "SET ROLE casino_owner"),
        ("triggers switched off by a setting", "session_replication_role", REPLICA),
        ("triggers switched off", "audit_leaf", "ALTER TABLE audit_leaf DISABLE TRIGGER ALL"),
        ("a table made", "schema public", "CREATE TABLE mine (id int)"),
        ("a function of ours", "function", "SELECT read_rounds(NULL, NULL)"),
        ("a sequence set back", "audit_subtree_id_seq", "SELECT setval('audit_subtree_id_seq', 1)"),
    ],
}


def like(table, where="true", **changes):
    """Another row like an existing one; values of changes are SQL."""
    pairs = ", ".join(f"'{name}', {value}" for name, value in ({"id": "900"} | changes).items())
    return (
        f"INSERT INTO {table} SELECT (jsonb_populate_record(x, jsonb_build_object({pairs}))).*"
        f" FROM {table} x WHERE {where} ORDER BY 1 LIMIT 1;"
    )


NEW_TABLE = {
    "code": "'Z9'", "name": "'Z'", "float_account_id": "NULL::bigint", "patrons_account_id": "NULL::bigint",
    "pot_account_id": "NULL::bigint", "rake_account_id": "NULL::bigint",
}
# A slip of the owner's, or of a superuser who replays as a replica: error to (claim, what the refusal says, statement).
OWNER = {
    errors.RestrictViolation: [
        *((changed(table, statement), f"{table} is append-only", changed(table, statement))
          for table, statement in itertools.product(APPEND_ONLY, CHANGES)),
        *((statement.format(table), f"{table} is append-only", statement.format(table))
          for table, statement in itertools.product(KEPT, ("DELETE FROM {}", "TRUNCATE {} CASCADE"))),
        ("all coefficients", "payouts_coefficient is append-only", "TRUNCATE payouts_coefficient"),
        ("what an export was asked for", "of a row stays", "UPDATE audit_export SET asked_at = '2001-01-01'"),
        ("what an inspection began with", "of a row stays", "UPDATE audit_inspection SET hurried = NOT hurried"),
        ("what an inspection looks through", "its plan stays", "UPDATE audit_inspection SET plan = '[]'"),
        ("what a finding names", ONLY_ENDS, "UPDATE audit_finding SET sentence = 'x'"),
        ("the id of a session", "of a row stays", "UPDATE tables_session SET id = id + 1000"),
    ],
    errors.CheckViolation: [
        ("a chain of its own", "chain_key_known",
         "INSERT INTO audit_chain (key, seq, head) VALUES ('mine', 0, repeat('0', 64))"),
        ("an export that is done without a checkpoint", "export_ended_whole",
         "UPDATE audit_export SET status = 'DONE', ended_at = now(), checkpoint_id = NULL, failure = ''"),
        ("an inspection of its own kind", "inspection_kind_known",
         like("audit_inspection", kind="'mine'", plan="'[]'::jsonb")),
        ("an inspection from before the start", "inspection_from_the_start",
         "UPDATE audit_inspection SET after = -1"),
        ("a finding accepted without a reason", "finding_accepted_whole",
         "UPDATE audit_finding SET accepted_at = now(), accepted_by_id = $anna"),
        ("an export of no table", "export_says_what", export(kind="'table'")),
        ("a second row of what keeps the log", "sealing_one_row",
         like("audit_sealing", id="2")),
        ("a house whose code is no code", "casino_code_plain", "UPDATE casino_casino SET code = 'Ä b'"),
        ("a house of five decimals", "casino_currency_decimals_range",
         "UPDATE casino_casino SET currency_decimals = 5"),
        ("a currency in small letters", "casino_currency_iso", "UPDATE casino_casino SET currency = 'eur'"),
        ("a set without chips", "chipset_has_chips",
         like("casino_chipset", name="'Z'", denominations="'[]'::jsonb", colours="'[]'::jsonb")),
        ("a login in capitals", "staff_login_plain", like("casino_staff", login="'Anna'")),
        ("a cage of a table", "account_owner_fits",
         "INSERT INTO payouts_account (kind, owner) VALUES ('cage', 'table:1')"),
        ("coefficients published by nobody", "coefficienttable_published_whole",
         "UPDATE payouts_coefficienttable SET published_by_id = $anna WHERE id = $ratios_draft"),
        ("a movement of a kind of its own", "movement_kind_known",
         movement(key="'session:$session1:mine:1'", kind="'mine'")),
        ("a payment to box 0", "payment_box_from_one", line(id="900") + settlement() + payment(box="0")),
        ("a settlement of line 0", "settlement_from_one", settlement(line_ordinal="0")),
        ("a settlement whose key says another generation", "settlement_key_says_both",
         settlement(key="'round:$settled:9'")),
        ("an action with the number 0", "action_ordinal_from_one", action(ordinal="0")),
        ("an intervention with the number 0", "intervention_ordinal_from_one", intervention(ordinal="0")),
        ("a line with the number 0", "line_ordinal_from_one", line(ordinal="0")),
        ("a role of its own", "posting_role_known",
         "INSERT INTO tables_posting (staff_id, role) VALUES ($anna, 'king')"),
        ("a posting with one person named", "posting_posted_whole", posting(posted_with_id="NULL")),
        ("a posting by one person twice", "posting_four_eyes", posting(posted_with_id="$clara")),
        ("a posting of one's own", "posting_by_others", posting(posted_by_id="$anna")),
        ("a posting that one signs for oneself", "posting_by_others", posting(posted_with_id="$anna")),
        ("a posting ended by one", "posting_ended_whole", posting() + POSTING_OVER.format("$clara", "NULL")),
        ("a posting ended by one person twice", "posting_four_eyes",
         posting() + POSTING_OVER.format("$clara", "$clara")),
        ("a posting of one's own ended", "posting_by_others", posting() + POSTING_OVER.format("$clara", "$anna")),
        ("a one-time code by one person twice", "onetimecode_four_eyes", code(given_with_id="$clara")),
        ("a one-time code for oneself", "onetimecode_by_others", code(given_by_id="$anna")),
        ("a one-time code by one", "onetimecode_given_whole", code(given_with_id="NULL")),
        ("an app without a secret", "credential_whole", credential(secret="NULL")),
        ("an app with a public key", "credential_whole", credential(public_key="'x'")),
        ("a passkey with a secret", "credential_whole",
         credential(kind="'passkey'", handle="'h'", public_key="'x'", host="'localhost'")),
        ("a passkey of no host", "credential_whole",
         credential(kind="'passkey'", handle="'h'", public_key="'x'", secret="NULL")),
        ("a credential that counts down", "credential_counter_from_0", credential(counter="-1")),
        ("a credential ended by somebody at no time", "credential_ended_whole",
         credential() + "UPDATE tables_credential SET ended_by_id = $anna WHERE id = 900"),
        ("a credential ended by another alone", "credential_four_eyes",
         credential() + CREDENTIAL_OVER.format("$clara", "NULL")),
        ("a credential ended by one person twice", "credential_four_eyes",
         credential() + CREDENTIAL_OVER.format("$clara", "$clara")),
        ("a credential ended by its person as one of two", "credential_four_eyes",
         credential() + CREDENTIAL_OVER.format("$clara", "$anna")),
        ("a credential ended by its person and another", "credential_four_eyes",
         credential() + CREDENTIAL_OVER.format("$anna", "$clara")),
        ("a credential ended by nobody and another", "credential_four_eyes",
         credential() + CREDENTIAL_OVER.format("NULL", "$clara")),
        ("less than no failures", "round_lease_counts", of_round("closed", "failures = -1")),
        ("round 0", "round_number_from_one", game_round(number="0")),
        ("version 0 of a sheet", "rulesheet_version_from_one",
         like("tables_rulesheet", "id = $sheet_draft", version="0")),
        ("a series closed at no time", "series_closed_whole",
         "UPDATE tables_series SET closed_at = now() WHERE status = 'OPEN'"),
        ("a series to 0 points", "series_goal_positive",
         like("tables_series", table_id="$table1", session_id="$session1", target="0")),
        ("a table whose code is no code", "table_code_plain",
         like("tables_table", **NEW_TABLE | {"code": "'z 9'"})),
        ("a wager of nothing", "wager_units_positive", "UPDATE tables_wager SET units = 0"),
    ],
    errors.UniqueViolation: [
        ("a second inspection under way", "inspection_one_under_way", like("audit_inspection", plan="'[]'::jsonb")),
        ("the same finding again", "finding_named_once", like("audit_finding")),
        ("an entry sealed twice", "leaf_once",
         like("audit_leaf", index="(SELECT max(index) + 1 FROM audit_leaf)")),
        ("another hash at a place of the tree", "subtree_once", like("audit_subtree")),
        ("another set of that name", "casino_chipset_name_key", like("casino_chipset")),
        ("a key used twice", "command_key_once", like("casino_command")),
        ("a key signed twice", "entry_signed_once", SIGNED_TWICE),
        ("a login used twice", "casino_staff_login_key", like("casino_staff")),
        ("a category twice", "coefficient_once",
         like("payouts_coefficient", "table_id = $ratios_draft", ordinal="99")),
        ("an ordinal of coefficients twice", "coefficient_ordinal_once",
         like("payouts_coefficient", "table_id = $ratios_draft", category="'x'")),
        ("coefficients of that name", "payouts_coefficienttable_name_key",
         like("payouts_coefficienttable", "id = $ratios_draft")),
        ("two snapshots of an account for a session", "snapshot_once_a_session",
         stopped() + snapshot("id = $float4")
         + movement(key="'session:$session4:closer:1'", kind="'closer'", subject="'session:$session4'")
         + moved(key="'session:$session4:closer:1:1'", reason="'closer'", debit_id=CAGE, credit_id="$float4")
         + snapshot("id = $float4")),
        ("a box twice", "box_once", like("tables_box")),
        ("a hand twice", "hand_once", like("tables_hand")),
        ("two sheets at a moment", "inforce_moment_once",
         like("tables_inforce", from_at="now() + interval '1 day'")
         + like("tables_inforce", id="901", from_at="now() + interval '1 day'")),
        ("an intervention twice", "intervention_ordinal_once", like("tables_intervention", "line_id IS NULL")),
        ("a line twice", "line_ordinal_once", like("tables_line")),
        ("a correction of that line", "tables_intervention_line_id_key",
         like("tables_intervention", "line_id IS NOT NULL", ordinal="1 + (SELECT max(ordinal)"
              " FROM tables_intervention i WHERE i.round_id = x.round_id)")),
        ("two disputes upheld by one line", "tables_dispute_line_id_key",
         line(id="900", by_id="$clara", approved_by_id="$hugo") + ruling(**UPHELD)
         + dispute(id="901", round_id="$settled") + ruling("id = 901", **UPHELD)),
        ("a second call of a table", "alarm_one_stands", alarm(subject="'table:$table1'", table_id="$table1")),
        ("a pit of that code", "tables_pit_code_key", like("tables_pit")),
        ("a version of a sheet twice", "rulesheet_version_once", like("tables_rulesheet", "id = $sheet_draft")),
        ("a second open series", "series_one_open", like("tables_series", "status = 'OPEN'")),
        ("a person at two tables", "signon_one_table",
         like("tables_signon", "signed_off_at IS NULL", table_id="$shut_table")),
        ("two people at a table", "signon_one_person",
         CROUPIERS + like("tables_signon", "signed_off_at IS NULL", staff_id="$clara")),
        ("a person asked to two tables", "relief_one_table", relief() + relief(id="901", table_id="$table2")),
        ("two people asked to a table", "relief_one_person", relief() + relief(id="901", staff_id="$clara")),
        ("a question asked again twice", "tables_question_follows_id_key",
         QUESTION_ANSWERED + question(id="901", follows_id="900") + question(id="902", follows_id="900")),
        ("a file of a report asked for twice", "reportfile_once", report_file() + report_file(id="901")),
        ("a token of reports of that name", "tables_reporttoken_name_key",
         report_token() + of_token() + report_token(id="901", token_digest="repeat('e', 64)") + of_token(of="901")),
        ("a token of reports twice", "tables_reporttoken_token_digest_key",
         report_token() + of_token() + report_token(id="901", name="'Y'") + of_token(of="901", name="'Y'")),
        ("a passkey twice", "tables_credential_handle_key", PASSKEY + PASSKEY.replace("900", "901")),
        ("two one-time codes of a person", "onetimecode_one_stands", code() + code(id="901")),
        ("a posting twice", "posting_once", like("tables_posting", "ended_at IS NULL")),
        ("a table of that code", "tables_table_code_key",
         like("tables_table", **NEW_TABLE | {"code": "x.code"})),
        ("a terminal of that name", "tables_terminal_name_key",
         like("tables_terminal", token_digest="repeat('e', 64)")),
        ("a name that a terminal had", "tables_terminalname_name_key",
         "UPDATE tables_terminal SET name = 'Z'; UPDATE tables_terminal SET name = 'z';"
         "UPDATE tables_terminal SET name = 'Z'"),
        ("a terminal of a name that another had, in another case", "terminal z: a terminal is or was named so",
         "UPDATE tables_terminal SET name = 'Z'; UPDATE tables_terminal SET name = 'Y';"
         + like("tables_terminal", name="'z'", token_digest="repeat('e', 64)")),
        ("a token twice", "tables_terminal_token_digest_key", like("tables_terminal", name="'Z'")),
        ("a wager twice", "wager_ordinal_once", like("tables_wager")),
    ],
}

# Times that the database's clock sets, whatever is written: the column, and the statement that would backdate it.
LONG_AGO = "'2001-01-01'"
MOMENTS = [
    ("begun_at", like("audit_inspection", kind="'books'", plan="'[]'::jsonb", begun_at=LONG_AGO)),
    ("at", action(at=LONG_AGO)),
    ("at", intervention(at=LONG_AGO)),
    ("at", line(at=LONG_AGO)),
    ("at", like("payouts_paymenttick", payment_id="(SELECT max(id) FROM payouts_payment)", at=LONG_AGO)),
    ("begun_at", begun(begun_at=LONG_AGO)),
    ("opened_at", opening(opened_at=LONG_AGO)),
    ("stopped_at", stopped(stopped_at=LONG_AGO)),
    ("closed_at", closing(closed_at=LONG_AGO)),
    ("closed_at", cage_closing(closed_at=LONG_AGO)),
    ("opened_at", cage_closing() + cage_opened(opened_at=LONG_AGO)),
    ("decided_at", deciding(decided_at=LONG_AGO)),
    ("made_at", case_file(made_at=LONG_AGO)),
    ("closed_at", DAY_BEGUN + day_closed(closed_at=LONG_AGO)),
    ("mounted_at", drop_box(mounted_at=LONG_AGO)),
    ("removed_at", taken_off(removed_at=LONG_AGO)),
    ("counted_at", drop_counted(counted_at=LONG_AGO)),
    ("counted_at", tips_counted(counted_at=LONG_AGO)),
    ("opened_at", like("tables_series", session_id="$session1", table_id="$table1", opened_at=LONG_AGO)),
    ("posted_at", "INSERT INTO tables_posting (staff_id, role, posted_at) VALUES ($anna, 'cage', '2001-01-01')"),
    ("signed_off_at", "UPDATE tables_signon SET signed_off_at = '2001-01-01' WHERE staff_id = $anna"),
    ("asked_at", relief(asked_at=LONG_AGO)),
    ("asked_at", question(asked_at=LONG_AGO)),
    ("answered_at", question() + question_over("ANSWERED", answered_at=LONG_AGO)),
    ("settled_at", QUESTION_ANSWERED + question_over("SETTLED", settled_at=LONG_AGO)),
    ("given_at", code(given_at=LONG_AGO)),
    ("given_at", report_token(given_at=LONG_AGO)),
    ("ended_at", report_token() + TOKEN_OVER.format("$clara", "$hugo").replace("now()", LONG_AGO)),
    ("asked_at", report_file(asked_at=LONG_AGO)),
    ("ended_at", report_file() + file_over("CANCELLED", ended_at=LONG_AGO)),
    ("pruned_at", FILE_DONE + file_over("PRUNED", pruned_at=LONG_AGO)),
    ("added_at", credential(added_at=LONG_AGO)),
    ("used_at", credential() + CREDENTIAL_USED.format(6).replace("now()", LONG_AGO)),
    ("ended_at", credential() + CREDENTIAL_OVER.format("$anna", "NULL").replace("now()", LONG_AGO)),
    ("made_at", recovery_code(made_at=LONG_AGO)),
    ("ended_at", relief() + RELIEF_OVER.replace("ended_at = now()", f"ended_at = {LONG_AGO}")),
    ("ruled_at", ruling(ruled_at=LONG_AGO)),
    ("set_at", scanner(set_at=LONG_AGO)),
    ("withdrawn_at", setting() + withdrawal(withdrawn_at=LONG_AGO)),
    ("withdrawn_at", to_come() + taken_back(withdrawn_at=LONG_AGO)),
    ("raised_at", alarm(raised_at=LONG_AGO)),
    ("requested_at", requested(requested_at=LONG_AGO)),
    ("issued_at", issued(issued_at=LONG_AGO)),
    ("received_at", received(received_at=LONG_AGO)),
    ("voided_at", voided(voided_at=LONG_AGO)),
    ("at", counted(at=LONG_AGO)),
    ("taken_at", answer(taken_at=LONG_AGO)),
    ("published_at",
     "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna,"
     f" published_at = '2001-01-01', {RULED_RIGHTLY} WHERE id = $sheet_draft"),
    ("opened_at", COUNTED + game_round(
        table_id="$table1", session_id="$session1", opened_at=LONG_AGO,
        number="(SELECT last_number FROM tables_table WHERE id = $table1)",
    )),
    ("drafted_at", like("payouts_coefficienttable", "id = $ratios_draft", name="'Z'", drafted_at=LONG_AGO)),
    ("last_seen_at", f"UPDATE tables_terminal SET last_seen_at = {LONG_AGO}"),
    ("enrolled_at", like("tables_terminal", name="'Z'", token_digest="repeat('e', 64)", enrolled_at=LONG_AGO)),
    ("added_at", like("casino_staff", login="'zoe'", added_at=LONG_AGO)),
]
# The same, of what the sealer writes.
SEALED_MOMENTS = [
    ("named_at", insert("audit_finding", {
        "inspection_id": "(SELECT max(id) FROM audit_inspection)", "subject": "'z'", "what": "'z'", "sentence": "'z'",
        "reason": "''", "salt": "''", "named_at": LONG_AGO,
    })),
    ("ended_at", "UPDATE audit_export SET status = 'FAILED', failure = 'x', ended_at = '2001-01-01'"),
    ("at", NEXT_LEAF + LYING_CHECKPOINT),
    ("at", NEXT_LEAF + LYING_CHECKPOINT + FUTURE_ANCHOR),
]

# Columns that rows fill by themselves, whatever is written: true if they do.
FORGED = {"made_in": "'1'", "begun_at": LONG_AGO}
MADE = " RETURNING made_in = pg_current_xact_id() AND begun_at = now()"
MADE_HERE, MOVED_HERE = (forged.rstrip(";") + MADE for forged in (settlement(**FORGED), movement(**FORGED)))
TAKES_ID = movement() + moved(id="-1").rstrip(";") + " RETURNING id > 0"

# With the auditor's password, in a transaction that may write: (claim, what the refusal says, statement).
AUDITOR = [
    *((f"a row in {table}", table, f"INSERT INTO {table} DEFAULT VALUES") for table in (*APPEND_ONLY, "tables_round")),
    ("password hashes", "casino_staff", "SELECT password FROM casino_staff"),
    ("whole rows of staff", "casino_staff", "SELECT to_jsonb(s) FROM casino_staff s"),
    ("a guess at a hash", "casino_staff", "SELECT id FROM casino_staff WHERE password LIKE 'a%'"),
    ("web sessions", "casino_websession", "SELECT digest FROM casino_websession"),
    ("Django's own sessions", "django_session", "SELECT session_key FROM django_session"),
    ("salts of reasons", "tables_intervention", "SELECT salt FROM tables_intervention"),
    ("salts of statements", "tables_dispute", "SELECT salt FROM tables_dispute"),
    ("salts of rulings", "tables_dispute", "SELECT reason_salt FROM tables_dispute"),
    ("salts of words", "tables_alarm", "SELECT salt FROM tables_alarm"),
    ("salts of slips", "tables_slip", "SELECT salt FROM tables_slip"),
    ("tokens of terminals", "tables_terminal", "SELECT token_digest FROM tables_terminal"),
    ("one-time codes", "tables_onetimecode", "SELECT digest FROM tables_onetimecode"),
    ("secrets of apps", "tables_credential", "SELECT secret FROM tables_credential"),
    ("recovery codes", "tables_recoverycode", "SELECT digest FROM tables_recoverycode"),
    ("a change", "tables_round", "UPDATE tables_round SET failures = 0"),
    ("a deletion", "casino_command", "DELETE FROM casino_command"),
    ("a table", "schema public", "CREATE TABLE mine (id int)"),
    ("a temporary table", "temporary tables", "CREATE TEMP TABLE mine (id int)"),
    ("all rows of a table", "tables_round", "TRUNCATE tables_round"),
    ("a merge", "payouts_transfer",
     "MERGE INTO payouts_transfer a USING payouts_transfer b ON a.id = b.id WHEN MATCHED THEN DELETE"),
    ("a lock on a row", "tables_round", "SELECT * FROM tables_round FOR SHARE"),
    ("a lock on a table", "tables_round", "LOCK TABLE tables_round IN ROW EXCLUSIVE MODE"),
    ("a number out of a sequence", "sequence", "SELECT nextval('tables_round_id_seq')"),
    ("a function of ours", "function", "SELECT settlement_fault(1)"),
    ("password hashes copied out", "casino_staff", "COPY casino_staff (password) TO STDOUT"),
    ("an order by hash", "casino_staff", "SELECT id FROM casino_staff ORDER BY password"),
    ("a hash as a key", "casino_staff", "SELECT count(*) FROM casino_staff GROUP BY password"),
    ("tries to log in", "axes_accessattempt", "SELECT * FROM axes_accessattempt"),
    ("hashes of database roles", "pg_authid", "SELECT * FROM pg_authid"),
    ("hashes of database users", "pg_shadow", "SELECT * FROM pg_shadow"),
    ("raw statistics", "pg_statistic", "SELECT * FROM pg_statistic"),
    ("a file", "pg_read_file", "SELECT pg_read_file('PG_VERSION')"),
    ("a file as a large object", "lo_import", "SELECT lo_import('/etc/passwd')"),
    ("a program", "COPY", "COPY (SELECT 1) TO PROGRAM 'true'"),
    ("the app's role", "casino_app", "SET ROLE casino_app"),
    ("the app's session", "session authorization", "SET SESSION AUTHORIZATION casino_app"),
    ("the app's password", "alter role", "ALTER ROLE casino_app PASSWORD 'x'"),
    ("a setting of the app", "alter role", "ALTER ROLE casino_app SET synchronous_commit = off"),
    ("the app's connections", "terminate process",
     "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'casino_app'"),
    ("triggers off", "session_replication_role", REPLICA),
]

SHADOWED = (
    "CREATE TEMP TABLE payouts_settlement AS SELECT * FROM public.payouts_settlement WHERE false;"
    "INSERT INTO pg_temp.payouts_settlement (id, made_in, begun_at, business_date)"
    " VALUES ($settlement, pg_current_xact_id(), now(), '$date');"
)
# With the app's password, if TEMP was left to it: a temporary table comes before all schemas in the search path.
SHADOWS = [
    ("transfer", SHADOWED + transfer(settlement_id="$settlement").replace("INTO ", "INTO public.")),
    ("payment", SHADOWED + payment(settlement_id="$settlement", box="6").replace("INTO ", "INTO public.")),
    ("coefficient", "CREATE TEMP TABLE payouts_coefficienttable (id bigint, status text);"
     "UPDATE payouts_coefficient SET numerator = 9 WHERE id = $coefficient"),
]

# Statements that PostgreSQL answers with a warning and does not carry out.
IGNORED = [
    "GRANT SELECT ON payouts_transfer TO PUBLIC",
    "REVOKE ALL ON payouts_transfer FROM casino_owner",
    "ANALYZE payouts_transfer",
]

# What nobody promises to refuse: (claim, why the database lets the app's role do it, statements). Each is tried, and
# accepted.
NOT_PROMISED = [
    ("the app lies in new rows: who did it", "it must be able to write for everybody who logs in", action()),
    ("the app lies in new entries", "it writes the log; form, chain and time are checked, and not what is told",
     lying_entry(by=said("'staff:99'"), event=said("'round.voided'"), subject=said("'round:$settled'")) + FOLLOWED),
    ("the app settles what the rules do not say", "the rules are code; whoever adjudicates the line again sees it",
     CORRECTED),
    ("the app posts anybody to any role, with an entry by two", "it must be able to write for everybody who logs in",
     posting(role="'administrator'") + of_anna("staff.posted", role="'administrator'")),
    ("the app changes a password", "it is the product's own column", "UPDATE casino_staff SET password = 'x'"),
    ("the app makes or ends web sessions", "Django keeps them there", "DELETE FROM casino_websession"),
    ("the app forgets stored answers and counted failures", "it prunes and lifts them itself",
     "DELETE FROM casino_command; DELETE FROM axes_accessattempt"),
    ("the app stores an answer before its command came", "it stores answers; who sends that key reads a false one",
     "INSERT INTO casino_command (staff_id, key, content, status, answer)"
     " VALUES ($anna, 'coming', repeat('0', 64), 200, '{}')"),
    ("the app adds pits and chains that nobody uses", "both are commands of the product",
     "INSERT INTO tables_pit (code, name) VALUES ('Z', 'Z');"
     " INSERT INTO audit_chain (key, seq, head) VALUES ('table:999', 0, repeat('0', 64))"),
    ("the app rewrites boxes, hands and wagers", "they are for queries; the actions and lines are what counts",
     "DELETE FROM tables_box; DELETE FROM tables_hand; DELETE FROM tables_wager"),
    ("the app leaves gaps in ids", "a sequence gives each number once; numbers without a gap are not ids",
     "SELECT nextval('tables_round_id_seq')"),
    ("the app takes an id before its turn", "whoever comes to it later is refused once and tries again",
     movement(id="99999") + moved(movement_id="99999") + evidence("movement.made", "movement:99999")),
    ("the app blocks everybody", "whoever may write a table may lock it", "LOCK TABLE audit_chain, tables_round"),
    ("the app ends statements and connections of its own", "PostgreSQL lets a role do so",
     "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
     " WHERE usename = current_user AND datname = current_database()"
     " AND pid <> pg_backend_pid()"),
    ("the app changes its own password and settings", "PostgreSQL lets a role do so; what slackens commits is overruled"
     " by each of our connections and told by the checks", "ALTER ROLE casino_app SET synchronous_commit = off"),
    ("the app fills the disk", "it must be able to write", "SELECT lo_from_bytea(0, 'x')"),
    ("the app or the auditor rings without reason", "NOTIFY needs no right; a screen that is woken asks the database",
     "NOTIFY chain, 'table:1 1000000'"),
]
# fmt: on
