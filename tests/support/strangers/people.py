"""Four eyes, and nobody acts for another: people, postings, sign-ons, terminals, sheets and signatures."""

from .words import ACCEPTED, APP, TOLD, entry, statements

_ADDED = "INSERT INTO casino_staff (login, name, password, is_active) VALUES ('mallory', 'M', '!', true)"
_NEW = "currval('casino_staff_id_seq')"
_POSTED = '{"role":"%s","staff":"staff:%s"}'
_SHEET = (
    "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = {by}, published_at = now(), rules = {rules},"
    " digest = {digest} WHERE id = $sheet_draft"
)
_RULES = "(SELECT rules FROM tables_rulesheet WHERE id = $sheet)"
_FORCE = (
    "INSERT INTO tables_inforce (table_id, sheet_id, from_at, set_by_id, approved_by_id)"
    " VALUES ({table}, {sheet}, now(), {by}, {second})"
)
_SET = '{"approver":"staff:6","from":"2026-11-23T05:58:07.450498Z","requester":"staff:5","sheet":"$digest"}'
_ACTION = (
    "INSERT INTO tables_action (round_id, ordinal, phase, kind, box, arguments, by_id{0})"
    " VALUES ({round}, {ordinal}, 'betting', 'ante', 1, '{{\"box\":1,\"units\":500}}', {by}{1})"
)
_DISPUTE = "UPDATE tables_dispute SET status = 'RULED', ruling = 'refused', clause = 'split.17', reason = 'r',"


def _action(round_="$open", ordinal=1, by=3, more=("", "")):
    return _ACTION.format(*more, round=round_, ordinal=ordinal, by=by)


_INTERVENTION = (
    "INSERT INTO tables_intervention (round_id, ordinal, kind, clause, reason, salt, by_id, approved_by_id)"
    " VALUES ({round}, {ordinal}, '{kind}', 'split.36', 'r', 's', {by}, {second})"
)

ATTACKS = {
    "people": {
        "a person who left comes back": (
            APP,
            statements(
                "UPDATE casino_staff SET is_active = false WHERE id = 4",
                "UPDATE casino_staff SET is_active = true WHERE id = 4",
            ),
            "23001 the log has no entry that says so",
        ),
        "a password changed past the log": (APP, "UPDATE casino_staff SET password = '!' WHERE id = 8", ACCEPTED),
        "one person's password given to another": (
            APP,
            "UPDATE casino_staff SET password = (SELECT password FROM casino_staff WHERE id = 1) WHERE id = 5",
            ACCEPTED,
        ),
        "a name changed to another's": (APP, "UPDATE casino_staff SET name = 'Clara Conrad' WHERE id = 1", ACCEPTED),
        "a person of nobody's making": (APP, _ADDED, "23001 the log has no entry that says so"),
        "a posting that nobody tells": (
            APP,
            "INSERT INTO tables_posting (staff_id, role) VALUES (1, 'auditor')",
            "23001 two people post a person, and end that",
        ),
        "a posting in another role": (
            APP,
            "UPDATE tables_posting SET role = 'administrator' WHERE staff_id = 1",
            "23001 a row only ends, and once",
        ),
        "a posting made wider": (
            APP,
            "UPDATE tables_posting SET pit_id = NULL WHERE staff_id = 5",
            "23001 a row only ends, and once",
        ),
        "a role that there is not": (
            APP,
            "INSERT INTO tables_posting (staff_id, role) VALUES (1, 'god')",
            "23514 posting_role_known",
        ),
        "a role with a blank behind it": (
            APP,
            "INSERT INTO tables_posting (staff_id, role) VALUES (1, 'auditor ')",
            "23514 posting_role_known",
        ),
        "the same posting twice": (
            APP,
            "INSERT INTO tables_posting (staff_id, role, pit_id) VALUES (5, 'pit_boss', 1)",
            "23505 posting_once",
        ),
        "a posting that is taken up again": (
            APP,
            statements(
                "UPDATE tables_posting SET ended_at = now() WHERE staff_id = 5",
                "UPDATE tables_posting SET ended_at = NULL WHERE staff_id = 5",
            ),
            "23001 a row only ends, and once",
        ),
        "a person posted to every role by the system": (
            APP,
            statements(
                "INSERT INTO tables_posting (staff_id, role) VALUES (1, 'administrator'), (1, 'auditor'), (1, 'cage')",
                entry("house", "staff.posted", "staff:1", _POSTED % ("administrator", 1), by="system"),
            ),
            "23001 two people post a person, and end that",
        ),
        "a cage that deals": (
            APP,
            "INSERT INTO tables_signon (staff_id, table_id) VALUES (7, $table_closed)",
            "23001 only a croupier posted to its pit may be signed on at a table",
        ),
        "a croupier at two tables": (
            APP,
            "INSERT INTO tables_signon (staff_id, table_id) VALUES (12, $table_closed)",
            "23505 signon_one_table",
        ),
        "two croupiers at a table": (
            APP,
            "INSERT INTO tables_signon (staff_id, table_id) VALUES (4, $table1)",
            "23505 signon_one_person",
        ),
        "a croupier at a terminal of another table": (
            APP,
            "INSERT INTO tables_signon (staff_id, table_id, terminal_id)"
            " SELECT 11, $table_closed, max(id) FROM tables_terminal",
            TOLD,
        ),
        "a sign-on that is taken up again": (
            APP,
            "UPDATE tables_signon SET signed_off_at = NULL WHERE staff_id = 11",
            "23001 a row only ends, and once",
        ),
        "a token given to a terminal that has one": (
            APP,
            "UPDATE tables_terminal SET token_digest = repeat('e', 64)",
            "23001 until it is revoked it is renamed and seen, and nothing else changes",
        ),
        "a terminal of no token given one": (
            APP,
            statements(
                "INSERT INTO tables_terminal (table_id, name) VALUES (1, 'Z')",
                "UPDATE tables_terminal SET token_digest = repeat('e', 64) WHERE name = 'Z'",
            ),
            "23001 until it is revoked it is renamed and seen, and nothing else changes",
        ),
        "a terminal that comes back": (
            APP,
            statements("UPDATE tables_terminal SET revoked_at = now()", "UPDATE tables_terminal SET revoked_at = NULL"),
            "23001 until it is revoked it is renamed and seen, and nothing else changes",
        ),
        "a terminal with the token of another": (
            APP,
            "INSERT INTO tables_terminal (table_id, name, token_digest) VALUES (2, 'Z', repeat('f', 64))",
            "23505 tables_terminal_token_digest_key",
        ),
        "a web session given to another person": (
            APP,
            statements(
                "INSERT INTO casino_websession (digest, staff_id, device, content, expires_at)"
                " VALUES ('x', 1, 'd', '', now() + interval '1 hour')",
                "UPDATE casino_websession SET staff_id = 8 WHERE digest = 'x'",
            ),
            ACCEPTED,
        ),
        "a web session made longer": (
            APP,
            statements(
                "INSERT INTO casino_websession (digest, staff_id, device, content, expires_at)"
                " VALUES ('x', 1, 'd', '', now() + interval '1 hour')",
                "UPDATE casino_websession SET expires_at = now() + interval '10 years' WHERE digest = 'x'",
            ),
            ACCEPTED,
        ),
        "all lock-outs lifted": (APP, "DELETE FROM axes_accessattempt", ACCEPTED),
        "a lock-out of everybody": (
            APP,
            "INSERT INTO axes_accessattempt (user_agent, ip_address, username, http_accept, path_info, attempt_time,"
            " get_data, post_data, failures_since_start) SELECT '', NULL, login, '', '', now(), '', '', 99"
            " FROM casino_staff",
            ACCEPTED,
        ),
        "all places of hashing taken away": (
            APP,
            "UPDATE casino_hashing SET number = number + 32",
            "23505 casino_hashing_pkey",
        ),
        "all places of hashing deleted": (
            APP,
            "DELETE FROM casino_hashing",
            "42501 permission denied for table casino_hashing",
        ),
    },
    "sheets": {
        "a draft signed by who changed its author first": (
            APP,
            statements(
                "UPDATE tables_rulesheet SET drafted_by_id = 6 WHERE id = $sheet_draft",
                _SHEET.format(by=5, rules="'{}'", digest="encode(sha256('{}'), 'hex')"),
            ),
            "23001 id, game, version, values, coefficient_table_id, drafted_by_id, drafte",
        ),
        "a ratio table signed by who changed its author first": (
            APP,
            statements(
                "UPDATE payouts_coefficienttable SET drafted_by_id = 6 WHERE id = $ratios_draft",
                "UPDATE payouts_coefficienttable SET status = 'PUBLISHED', published_by_id = 5, published_at = now()"
                " WHERE id = $ratios_draft",
            ),
            "23001 id, game, drafted_by_id, drafted_at of a row stays",
        ),
        "a sheet published under a digest that is not its own": (
            APP,
            _SHEET.format(by=6, rules=_RULES, digest="repeat('0', 64)"),
            "23001 its digest is not that of its rules",
        ),
        "a sheet published with rules that are no JSON": (
            APP,
            _SHEET.format(by=6, rules="'mine'", digest="encode(sha256('mine'), 'hex')"),
            "22P02 invalid input syntax for type json",
        ),
        "a sheet published with the rules of another game": (
            APP,
            _SHEET.format(
                by=6,
                rules="(SELECT rules || ' ' FROM tables_rulesheet WHERE id = $sheet_other)",
                digest="(SELECT encode(sha256(convert_to(rules || ' ', 'UTF8')), 'hex') FROM tables_rulesheet"
                " WHERE id = $sheet_other)",
            ),
            "23001 its rules do not say its values",
        ),
        "a sheet published that nobody tells": (
            APP,
            _SHEET.format(
                by=6,
                rules="(SELECT replace(rules, '\"5:1\"', '\"900:1\"') FROM tables_rulesheet WHERE id = $sheet)",
                digest="(SELECT encode(sha256(convert_to(replace(rules, '\"5:1\"', '\"900:1\"'), 'UTF8')), 'hex')"
                " FROM tables_rulesheet WHERE id = $sheet)",
            ),
            "23001 its rules do not say its values",
        ),
        "a published sheet made a draft": (
            APP,
            "UPDATE tables_rulesheet SET status = 'DRAFT', published_by_id = NULL, published_at = NULL, rules = NULL,"
            " digest = NULL WHERE id = $sheet",
            "23001 UPDATE refused",
        ),
        "a published sheet with other ratios": (
            APP,
            "UPDATE tables_rulesheet SET rules = replace(rules, '5:1', '900:1') WHERE id = $sheet",
            "23001 UPDATE refused",
        ),
        "a draft put in force": (
            APP,
            _FORCE.format(table="$table1", sheet="$sheet_draft", by=5, second=6),
            "23001 only a published sheet is put in force, from now on and within a year",
        ),
        "a sheet of another game put in force while a round runs": (
            APP,
            _FORCE.format(table="$table3", sheet="$sheet_other", by=5, second=6),
            "23001 the log has no entry that says so",
        ),
        "a sheet put in force by one": (
            APP,
            _FORCE.format(table="$table1", sheet="$sheet", by=5, second=5),
            "23514 inforce_four_eyes",
        ),
        "a sheet put in force with nobody's second": (
            APP,
            _FORCE.format(table="$table1", sheet="$sheet", by=5, second="NULL"),
            "23001 two people put a sheet in force at a table",
        ),
        "a sheet put in force by two croupiers": (
            APP,
            statements(
                _FORCE.format(table="$table1", sheet="$sheet", by=1, second=2),
                entry("table:$table1", "table.sheet_set", "table:$table1", _SET),
            ),
            "23001 the log has no entry that says so",
        ),
        "a sheet put in force that nobody tells": (
            APP,
            _FORCE.format(table="$table1", sheet="$sheet", by=5, second=6),
            "23001 the log has no entry that says so",
        ),
        "a ratio of a published table deleted": (
            APP,
            "DELETE FROM payouts_coefficient WHERE id = $coefficient",
            "23001 DELETE refused",
        ),
        "a ratio added to a published table": (
            APP,
            "INSERT INTO payouts_coefficient (table_id, ordinal, category, numerator, denominator)"
            " VALUES ($ratios, 99, 'high_card', 900, 1)",
            "23001 INSERT refused",
        ),
        "a ratio of nothing to nothing": (
            APP,
            "UPDATE payouts_coefficient SET numerator = 0, denominator = 0 WHERE table_id = $ratios_draft",
            "23514 coefficient_range",
        ),
    },
    "rounds": {
        "an action by who does not deal there": (APP, _action(by=7), TOLD),
        "an action in a closed round": (APP, _action("$closed", 6, 2), "23001 is not open"),
        "an action in a settled round": (APP, _action("$settled", 11, 1), "23001 is not open"),
        "an action that leaves an ordinal out": (APP, _action(ordinal=5), "23001 leaves a gap"),
        "an action that nobody tells": (APP, _action(), TOLD),
        "an action signed by who does it": (APP, _action(more=(", approved_by_id", ", 3")), "23514 action_four_eyes"),
        "an action that undoes what is to come": (
            APP,
            _action(more=(", undoes", ", 4")),
            "23514 action_undoes_earlier",
        ),
        "an action taken out of the middle": (
            APP,
            "DELETE FROM tables_action WHERE round_id = $settled AND ordinal = 3",
            "42501 permission denied for table tables_action",
        ),
        "a stake taken off the table": (APP, "DELETE FROM tables_wager WHERE round_id = $closed", TOLD),
        "a stake made larger": (APP, "UPDATE tables_wager SET units = units * 100 WHERE round_id = $closed", TOLD),
        "a hand exchanged": (
            APP,
            "UPDATE tables_hand SET cards = '{Ah,Ad,Ac,As,Kh}' WHERE round_id = $closed",
            TOLD,
        ),
        "a hand in two dimensions": (
            APP,
            "UPDATE tables_hand SET cards = '{{Ah,Ad},{Ac,As}}' WHERE round_id = $settled",
            TOLD,
        ),
        "a second line of a closed round": (
            APP,
            "INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id, approved_by_id)"
            " SELECT round_id, 2, text, wagers, 2, 5 FROM tables_line WHERE round_id = $closed",
            TOLD,
        ),
        "a line of an open round": (
            APP,
            "INSERT INTO tables_line (round_id, ordinal, text, wagers, by_id)"
            " SELECT $open, 1, text, wagers, 3 FROM tables_line WHERE round_id = $closed",
            "23001 is not closed",
        ),
        "an open round closed without its line": (
            APP,
            "UPDATE tables_round SET status = 'CLOSED', closed_at = now(), next_at = now() WHERE id = $open",
            "23001 closed without a line",
        ),
        "a closed round opened again": (
            APP,
            "UPDATE tables_round SET status = 'OPEN', closed_at = NULL, next_at = NULL WHERE id = $closed",
            "23001 CLOSED does not become OPEN",
        ),
        "a round made void by nobody": (
            APP,
            "UPDATE tables_round SET status = 'VOIDED' WHERE id = $open",
            "23001 no intervention says so",
        ),
        "a round of another session": (
            APP,
            "INSERT INTO tables_round (table_id, session_id, sheet_id, number, status, phase, seats, opened_by_id,"
            " leases, alone, failures) VALUES ($table4, $session1, 3, 1, 'OPEN', 'betting', '{1,2}', 12, 0, false, 0);"
            " UPDATE tables_table SET last_number = 1 WHERE id = $table4",
            "23001 a round needs its table's open session, its series with the same boxes, ",
        ),
        "a round by a sheet that is not in force": (
            APP,
            "INSERT INTO tables_round (table_id, session_id, sheet_id, number, status, phase, seats, opened_by_id,"
            " leases, alone, failures) VALUES ($table4, $session4, 1, 1, 'OPEN', 'betting', '{1,2}', 12, 0, false, 0);"
            " UPDATE tables_table SET last_number = 1 WHERE id = $table4",
            "23001 a round is played by the sheet in force or that of its series",
        ),
        "a round that nobody tells": (
            APP,
            "INSERT INTO tables_round (table_id, session_id, sheet_id, number, status, phase, seats, opened_by_id,"
            " leases, alone, failures) VALUES ($table4, $session4, 3, 1, 'OPEN', 'betting', '{1,2}', 12, 0, false, 0);"
            " UPDATE tables_table SET last_number = 1 WHERE id = $table4",
            TOLD,
        ),
        "a round that is born settled": (
            APP,
            "INSERT INTO tables_round (table_id, session_id, sheet_id, number, status, phase, seats, opened_by_id,"
            " leases, alone, failures, closed_at, settled_at, settlement_id) VALUES ($table4, $session4, 3, 1,"
            " 'SETTLED', 'end', '{1,2}', 12, 0, false, 0, now(), now(), 1);"
            " UPDATE tables_table SET last_number = 1 WHERE id = $table4",
            "23001 a round begins open, not SETTLED",
        ),
        "the count of a table's rounds turned back": (
            APP,
            "UPDATE tables_table SET last_number = 0 WHERE id = $table1",
            "23001 its rounds are counted one by one",
        ),
        "the count of a table's rounds turned on": (
            APP,
            "UPDATE tables_table SET last_number = last_number + 1 WHERE id = $table1",
            "23001 its count is not that of its rounds",
        ),
        "a table moved to another pit": (
            APP,
            "UPDATE tables_table SET pit_id = 2 WHERE id = $table1",
            "23001 id, code, name, pit_id, chip_set_id of a row stays",
        ),
        "a void by one": (
            APP,
            _INTERVENTION.format(round="$open", ordinal=1, kind="voided", by=3, second=3),
            "23514 intervention_four_eyes",
        ),
        "a void by two croupiers": (
            APP,
            statements(
                _INTERVENTION.format(round="$open", ordinal=1, kind="voided", by=3, second=4),
                "UPDATE tables_round SET status = 'VOIDED' WHERE id = $open",
            ),
            TOLD,
        ),
        "a void of a settled round": (
            APP,
            _INTERVENTION.format(round="$settled", ordinal=2, kind="voided", by=1, second=5),
            TOLD,
        ),
        "a correction that is no line": (
            APP,
            _INTERVENTION.format(round="$settled", ordinal=2, kind="corrected", by=1, second=5),
            "23514 intervention_line_of_correction",
        ),
        "an intervention changed afterwards": (
            APP,
            "UPDATE tables_intervention SET reason = 'other' WHERE round_id = $settled",
            "42501 permission denied for table tables_intervention",
        ),
        "a dispute whose statement is changed": (
            APP,
            "UPDATE tables_dispute SET statement = 'other'",
            "23001 OPEN does not become OPEN",
        ),
        "a dispute ruled by who raised it": (
            APP,
            f"{_DISPUTE} ruled_by_id = 1, ruled_at = now(), reason_salt = 's'",
            "23001 who dealt the round does not rule on it",
        ),
        "a dispute closed that nobody ruled": (
            APP,
            "UPDATE tables_dispute SET status = 'CLOSED', closed_at = now()",
            "23001 OPEN does not become CLOSED",
        ),
        "a dispute upheld by one with a line of before": (
            APP,
            "UPDATE tables_dispute SET status = 'RULED', ruling = 'upheld', clause = 'split.17', reason = 'r',"
            " reason_salt = 's', ruled_by_id = 5, ruled_at = now(), approved_by_id = 5,"
            " line_id = (SELECT min(id) FROM tables_line WHERE round_id = $settled)",
            "23001 its line is of another round or of other people",
        ),
        "a dispute deleted": (APP, "DELETE FROM tables_dispute", "42501 permission denied for table tables_dispute"),
        "boxes of a dispute in two dimensions": (
            APP,
            "INSERT INTO tables_dispute (round_id, status, about, boxes, statement, salt, raised_by_id, reason,"
            " reason_salt) VALUES ($settled, 'OPEN', 'ranking', '{{1,2},{3,4}}', 's', 's', 1, '', '')",
            TOLD,
        ),
        "a session opened by one": (
            APP,
            "INSERT INTO tables_session (status, business_date, begun_by_id, opened_by_id, opened_with_id, table_id)"
            " VALUES ('OPENING', '$date', 10, 10, 10, $table_closed)",
            "23514 session_four_eyes",
        ),
        "a session begun behind the log": (
            APP,
            "INSERT INTO tables_session (status, business_date, begun_by_id, table_id)"
            " VALUES ('OPENING', '$date', 10, $table_closed)",
            TOLD,
        ),
        "a session that was opened by another": (
            APP,
            "UPDATE tables_session SET opened_with_id = 6 WHERE id = 1",
            "23001 what it was opened and closed with stays",
        ),
        "a closed session opened again": (
            APP,
            "UPDATE tables_session SET status = 'OPEN', closed_at = NULL, closed_by_id = NULL, closed_with_id = NULL"
            " WHERE id = $session_closed",
            "23001 what it was opened and closed with stays",
        ),
        "a session closed with chips in its float": (
            APP,
            "UPDATE tables_session SET status = 'CLOSING', stopped_at = now(), stopped_by_id = 10 WHERE id = $session4;"
            " UPDATE tables_session SET status = 'CLOSED', closed_at = now(), closed_by_id = 10, closed_with_id = 7"
            " WHERE id = $session4",
            "23001 its float is not empty",
        ),
        "a snapshot of a session that goes on": (
            APP,
            "INSERT INTO payouts_snapshot (account_id, subject, upto_id, units)"
            " SELECT $float4, 'session:$session4', max(id), account_balance($float4) FROM payouts_transfer",
            "23001 no session of its table closes",
        ),
        "a snapshot of the cage": (
            APP,
            "INSERT INTO payouts_snapshot (account_id, subject, upto_id, units)"
            " SELECT 1, 'session:$session4', max(id), account_balance(1) FROM payouts_transfer",
            "23001 no session of its table closes",
        ),
        "a second snapshot of a closed session": (
            APP,
            "INSERT INTO payouts_snapshot (account_id, subject, upto_id, units)"
            " SELECT $float_closed, 'session:0$session_closed', max(id), 0 FROM payouts_transfer",
            "23001 no session of its table closes",
        ),
        "a snapshot up to a transfer of before": (
            APP,
            "INSERT INTO payouts_snapshot (account_id, subject, upto_id, units)"
            " VALUES ($float4, 'session:4', 9, 5310000)",
            "23001 it is not its balance",
        ),
    },
}
