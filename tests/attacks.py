"""SQL that somebody who holds the app's or the auditor's password could send, and how the database refuses it.

`$name` stands for a row's id (see `rows` of test_database.py); each case is sent as one transaction.
"""

import itertools

from psycopg import errors

# fmt: off
APPEND_ONLY = (
    "audit_entry", "payouts_movement", "payouts_payment", "payouts_paymenttick", "payouts_settlement",
    "payouts_transfer", "tables_action", "tables_inforce", "tables_intervention", "tables_line",
)
CHANGES = ("UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE")
REPLICA = "SET session_replication_role = replica;"


def insert(table, row, **changes):
    """An INSERT of a row that is right but for the changes; values are SQL, None leaves a column out."""
    row = {name: value for name, value in {**row, **changes}.items() if value is not None}
    return f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(row.values())});"


def settlement(**changes):
    return insert("payouts_settlement", {
        "id": "900", "key": "'round:$settled:2'", "round_key": "'round:$settled'", "table_key": "'table:0'",
        "result": "'{}'", "generation": "2", "line_ordinal": "2", "sheet_digest": "'0'", "business_date": "'$date'",
    }, **changes)


def transfer(**changes):
    return insert("payouts_transfer", {
        "key": "'round:$settled:2:1'", "settlement_id": "900", "debit_id": "$float", "credit_id": "$patrons",
        "units": "500", "business_date": "'$date'", "reason": "'wager'",
    }, **changes)


def reversal(**changes):
    """The settled round's transfer of 10000 from float to patrons, back again."""
    return transfer(**{"reason": "'reversal'", "units": "10000", "reverses_id": "$transfer"} | changes)


def payment(**changes):
    return insert("payouts_payment", {
        "settlement_id": "900", "box": "1", "outcome": "'lose'", "staked_units": "500", "returned_units": "0",
        "paid_units": "0", "net_units": "-500", "clauses": "'{split.6}'",
    }, **changes)


NEXT = "(SELECT last_number + 1 FROM tables_table WHERE id = $table3)"


def game_round(**changes):
    return insert("tables_round", {
        "table_id": "$table3", "session_id": "$session3", "sheet_id": "$sheet", "number": NEXT, "phase": "'betting'",
        "status": "'OPEN'", "seats": "'{}'", "leases": "0", "failures": "0", "alone": "false", "opened_by_id": "$anna",
    }, **changes)


def entry(**changes):
    following = "(SELECT {} FROM audit_chain WHERE key = 'house')"
    body = "jsonb_build_object('prev', head, 'chain', key, 'seq', seq + 1)::text"
    row = {"chain_id": "'house'", "seq": following.format("seq + 1"), "body": following.format(body)}
    return insert("audit_entry", row, **changes)


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


def ruling(where="id = $dispute", **changes):
    """The settled round's dispute refused by Clara."""
    row = {
        "status": "'RULED'", "ruling": "'refused'", "clause": "'split.17'", "reason": "'x'", "reason_salt": "'y'",
        "ruled_by_id": "$clara", "ruled_at": "now()",
    } | changes
    return f"UPDATE tables_dispute SET {', '.join(f'{name} = {value}' for name, value in row.items())} WHERE {where};"


UPHELD = {"ruling": "'upheld'", "line_id": "900", "approved_by_id": "$anna"}

def line(**changes):
    return insert("tables_line", {
        "round_id": "$settled", "ordinal": "2", "text": "'{}'", "wagers": "'[]'", "by_id": "$anna",
        "approved_by_id": "$clara",
    }, **changes)


def of_round(name, assignments):
    return f"UPDATE tables_round SET {assignments} WHERE id = ${name}"


def of_house(assignments):
    return f"UPDATE audit_chain SET {assignments} WHERE key = 'house'"


OTHER, MIRROR = "made in another transaction", "a reversal mirrors"
WAY_BACK = "status = 'CLOSED', settled_at = NULL, settlement_id = NULL, next_at = now()"
UNPUBLISHED = "status = 'DRAFT', published_by_id = NULL, published_at = NULL"
EMPTY = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
SELF_PUBLISHED = "status = 'PUBLISHED', published_by_id = drafted_by_id, published_at = now()"

# With the app's password: by class, (claim, what the refusal says, statements).
APP = {
    errors.RestrictViolation: [
        ("a transfer for an earlier settlement", OTHER, transfer(settlement_id="$settlement")),
        ("a transfer for an earlier movement", OTHER, transfer(settlement_id=None, movement_id="$movement")),
        ("a transfer without a header", OTHER, transfer(settlement_id=None)),
        ("a payment for an earlier settlement", OTHER, payment(settlement_id="$settlement", box="6")),
        ("a transfer on another day", "business date", settlement() + transfer(business_date="'2001-01-01'")),
        ("a reversal of another amount", MIRROR, settlement() + reversal(units="9999")),
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
                           ruled_at="NULL")),
        ("a closed dispute changed", "CLOSED does not become CLOSED",
         ruling() + ruling(status="'CLOSED'", closed_at="now()") * 2),
        ("a ruling changed with the close", "its ruling stays",
         ruling() + ruling(status="'CLOSED'", closed_at="now()", clause="'house.4'")),
        *((f"another {name} of a dispute", "what was raised stays", ruling(**{name: value})) for name, value in {
            "round_id": "$closed", "about": "'pot'", "boxes": "'{2}'", "statement": "'z'", "salt": "'z'",
            "raised_by_id": "$clara", "raised_at": "now()",
        }.items()),
        ("a dispute upheld by another round's line", "of another round",
         line(id="900", by_id="$clara", approved_by_id="$anna") + dispute(id="901") + ruling("id = 901", **UPHELD)),
        ("a dispute upheld by others than its line's", "of other people", line(id="900") + ruling(**UPHELD)),
        ("a change by one person's ruling", "of other people",
         line(id="900", by_id="$clara", approved_by_id="$anna") + ruling(**UPHELD | {"approved_by_id": "NULL"})),
        ("a dispute upheld by the first line", "of another round",
         ruling(**UPHELD | {"line_id": "(SELECT min(id) FROM tables_line WHERE round_id = $settled)"})),
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
        ("a published sheet changed", "is published",
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
        ("an entry after another one", "does not follow", entry(body="'{}'")),
        ("an entry in no chain", "does not follow", entry(chain_id="'table:99'")),
        ("a round's number left out", "leaves a gap", game_round(number="900")),
        ("a round in another table's session", "its table's open session",
         game_round(table_id="$table1", number="1 + " + NEXT.replace("$table3", "$table1").replace("+ 1", ""))),
        ("a round by a draft", "published sheet",
         game_round(table_id="$table1", session_id="$session1", sheet_id="$sheet_draft",
                    number=NEXT.replace("$table3", "$table1"))),
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
        ("a line past the last", "leaves a gap",
         "INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id) VALUES ($settled, 5, '{}', '[]', $anna)"),
        ("a generation past the last", "follow one another", settlement(key="'round:$settled:7'", generation="7")),
        ("a reversal in another round", "of its own round",
         settlement(key="'round:77:1'", round_key="'round:77'", generation="1") + reversal()),
        ("points out of the float", "points go from the patrons into the pot",
         settlement() + transfer(reason="'points'")),
        ("a wager out of the cage", "does not go from",
         settlement() + transfer(credit_id="(SELECT id FROM payouts_account WHERE kind = 'cage')")),
        ("a sheet that begins published", "begins as a draft",
         "INSERT INTO tables_rulesheet (game, version, status, values, rules, digest, drafted_by_id, published_by_id,"
         f" published_at) VALUES ('split', 90, 'PUBLISHED', '{{}}', '{{}}', '{EMPTY}', $anna, $clara, now())"),
        ("a digest of other rules", "not that of its rules",
         "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna, published_at = now(),"
         " rules = '{}', digest = 'x' WHERE id = $sheet_draft"),
        ("a sheet in force since long ago", "from now on",
         "INSERT INTO tables_inforce (table_id, sheet_id, from_at, set_by_id)"
         " VALUES ($table1, $sheet, '2001-01-01', $clara)"),
    ],
    errors.CheckViolation: [
        ("a transfer of 0", "transfer_units_positive", settlement() + transfer(units="0")),
        ("a transfer of less than 0", "transfer_units_positive", settlement() + transfer(units="-1")),
        ("a transfer to the same account", "transfer_two_accounts",
         settlement() + transfer(debit_id="$patrons", reason="'variance'")),
        ("a transfer with two headers", "transfer_one_header", settlement() + transfer(movement_id="$movement")),
        ("a transfer for no known reason", "transfer_reason_known", settlement() + transfer(reason="'gift'")),
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
         line(id="900", by_id="$clara", approved_by_id="$anna") + ruling(**UPHELD | {"ruling": "'refused'"})),
        ("a dispute ruled by nobody", "dispute_status_whole", ruling(ruled_by_id="NULL")),
        ("a dispute ruled for no clause", "dispute_status_whole", ruling(clause="NULL")),
        ("a dispute ruled for no reason", "dispute_status_whole", ruling(reason="''")),
        ("a dispute ruled in no way", "dispute_status_whole", ruling(ruling="'perhaps'")),
        ("a ruling that the log can't hide", "dispute_texts_salted", ruling(reason_salt="''")),
        ("a statement that the log can't hide", "dispute_texts_salted", dispute(salt="''")),
        ("a dispute without a word", "dispute_texts_salted", dispute(statement="''")),
        ("a dispute about nothing", "dispute_about_something", dispute(about="''")),
        ("an entry that undoes nothing", "action_undo_names",
         "INSERT INTO tables_action (round_id, ordinal, phase, kind, arguments, by_id)"
         " VALUES ($open, 1, 'betting', 'undo', '{}', $anna)"),
        ("a sheet published by its drafter", "rulesheet_four_eyes",
         f"UPDATE tables_rulesheet SET {SELF_PUBLISHED}, rules = '{{}}', digest = '{EMPTY}' WHERE id = $sheet_draft"),
        ("a sheet half published", "rulesheet_published_whole",
         "UPDATE tables_rulesheet SET status = 'PUBLISHED' WHERE id = $sheet_draft"),
        ("a coefficient table published by its drafter", "coefficienttable_four_eyes",
         f"UPDATE payouts_coefficienttable SET {SELF_PUBLISHED} WHERE id = $ratios_draft"),
        ("a coefficient by 0", "coefficient_range",
         "UPDATE payouts_coefficient SET denominator = 0 WHERE table_id = $ratios_draft"),
        ("a session opened by one person", "session_four_eyes",
         "INSERT INTO tables_session (table_id, status, business_date, opened_by_id, opened_with_id)"
         " VALUES ($table1, 'OPEN', now(), $anna, $anna)"),
        ("a session closed by one person", "session_four_eyes",
         "UPDATE tables_session SET status = 'CLOSED', closed_at = now(), closed_by_id = 1, closed_with_id = 1"),
        ("a movement by one person", "movement_four_eyes",
         insert("payouts_movement", {
             "key": "'x'", "kind": "'fill'", "subject": "'x'", "number": "1", "denominations": "'{}'",
             "business_date": "'$date'", "requested_by_id": "$anna", "approved_by_id": "$anna",
         })),
        ("a second casino", "casino_one_row",
         "INSERT INTO casino_casino SELECT 2, 'two', name, currency, currency_decimals, time_zone, day_starts_at"
         " FROM casino_casino"),
    ],
    errors.UniqueViolation: [
        ("a transfer's key twice", "payouts_transfer_key", settlement() + transfer(key="'$transfer_key'")),
        ("a second reversal", "reverses_id", settlement() + reversal() + reversal(key="'x'")),
        ("a generation twice", "payouts_settlement", settlement(key="'round:$settled:1'", generation="1")),
        ("a line settled twice", "line_once", settlement(line_ordinal="1")),
        ("a box paid twice", "payment_box_once", settlement() + payment() + payment()),
        ("a payment handed over twice", "payment_id",
         "INSERT INTO payouts_paymenttick (payment_id, by_id) VALUES ($payment, $anna)"),
        ("a second open round", "round_one_open", game_round()),
        ("a number used before", "round_number_once",
         game_round(table_id="$table1", session_id="$session1", number="1")),
        ("a second open session", "session_one_open",
         "INSERT INTO tables_session (table_id, status, business_date, opened_by_id, opened_with_id)"
         " VALUES ($table1, 'OPEN', now(), $anna, $clara)"),
        ("a casino in the casino's place", "casino_casino_pkey",
         "INSERT INTO casino_casino SELECT 1, 'two', name, currency, currency_decimals, time_zone, day_starts_at"
         " FROM casino_casino"),
    ],
    errors.GeneratedAlways: [("an entry whose column lies", "event", entry(event="'round.settled'"))],
    errors.InsufficientPrivilege: [
        ("a round deleted", "tables_round", "DELETE FROM tables_round WHERE id = $open"),
        ("a dispute deleted", "tables_dispute", "DELETE FROM tables_dispute"),
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
        *(
            (statement.format(table), table, statement.format(table))
            for table, statement in itertools.product(
                APPEND_ONLY, (*CHANGES, "ALTER TABLE {} DISABLE TRIGGER ALL", "DROP TABLE {} CASCADE")
            )
        ),
    ],
}

# With the auditor's password, in a transaction that may write: (claim, what the refusal says, statement).
AUDITOR = [
    *((f"a row in {table}", table, f"INSERT INTO {table} DEFAULT VALUES") for table in (*APPEND_ONLY, "tables_round")),
    ("password hashes", "casino_staff", "SELECT password FROM casino_staff"),
    ("whole rows of staff", "casino_staff", "SELECT to_jsonb(s) FROM casino_staff s"),
    ("a guess at a hash", "casino_staff", "SELECT id FROM casino_staff WHERE password LIKE 'a%'"),
    ("sessions", "django_session", "SELECT session_key FROM django_session"),
    ("salts of reasons", "tables_intervention", "SELECT salt FROM tables_intervention"),
    ("salts of statements", "tables_dispute", "SELECT salt FROM tables_dispute"),
    ("salts of rulings", "tables_dispute", "SELECT reason_salt FROM tables_dispute"),
    ("tokens of terminals", "tables_terminal", "SELECT token_digest FROM tables_terminal"),
    ("a change", "tables_round", "UPDATE tables_round SET failures = 0"),
    ("a deletion", "casino_command", "DELETE FROM casino_command"),
    ("a table", "schema public", "CREATE TABLE mine (id int)"),
]

SHADOWED = (
    "CREATE TEMP TABLE payouts_settlement AS SELECT * FROM public.payouts_settlement WHERE false;"
    "INSERT INTO pg_temp.payouts_settlement (id, made_in, begun_at, business_date)"
    " VALUES ($settlement, pg_current_xact_id(), now(), '$date');"
)
# With the app's password where TEMP was left to it: a temporary table comes before all schemas in the search path.
SHADOWS = [
    ("transfer", SHADOWED + transfer(settlement_id="$settlement").replace("INTO ", "INTO public.")),
    ("payment", SHADOWED + payment(settlement_id="$settlement", box="6").replace("INTO ", "INTO public.")),
    ("coefficient", "CREATE TEMP TABLE payouts_coefficienttable (id bigint, status text);"
     "UPDATE payouts_coefficient SET numerator = 9 WHERE id = $coefficient"),
]
# fmt: on
