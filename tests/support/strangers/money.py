"""Laundering: statements each of which is lawful by itself, or nearly, but which together take money."""

from .words import (
    ACCEPTED,
    ANTE,
    APP,
    BACK,
    FOLD,
    FOLDED,
    LOSES,
    STAKES,
    TOLD,
    VERIFIED,
    correction,
    entry,
    movement,
    settlement,
    statements,
)

_OLD_LINE = "'||(SELECT text FROM tables_line WHERE round_id = $settled AND ordinal = 1)||'"
_RIGGED_LINE = """'||replace((SELECT text FROM tables_line WHERE round_id = $settled AND ordinal = 1),
    '"pair":"1:1"', '"pair":"900:1"')||'"""
_OTHER_ROUND = """'||replace((SELECT text FROM tables_line WHERE round_id = $settled AND ordinal = 1),
    '"id":2', '"id":1')||'"""

ATTACKS = {
    "chips": {
        "a drop whose chips come to less than it moves": (
            APP,
            movement(units=500000, chips='{"500":1}'),
            "23001 it moves something else than its movement",
        ),
        "a drop of a chip that the table's set does not have": (
            APP,
            movement(units=7, chips='{"7":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a drop that counts one chip below nothing": (
            APP,
            movement(units=500, chips='{"100":-20,"2500":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a chip under another spelling, 0500": (
            APP,
            movement(chips='{"0500":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a chip in full-width digits": (
            APP,
            movement(chips='{"５００":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a chip written 5e2": (
            APP,
            movement(chips='{"5e2":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a chip with a space before it": (
            APP,
            movement(chips='{" 500":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a count that is a text": (
            APP,
            movement(chips='{"500":"1"}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a count of half a chip": (
            APP,
            movement(units=250, chips='{"500":0.5}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a count of 1.0": (
            APP,
            movement(chips='{"500":1.0}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a count of 1e0": (
            APP,
            movement(chips='{"500":1e0}'),
            "23001 it has blanks, needless escapes, control characters, or numbers that a",
        ),
        "a count that is true": (
            APP,
            movement(chips='{"500":true}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a count that is null beside one that pays": (
            APP,
            movement(chips='{"100":null,"500":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a list in place of chips": (APP, movement(chips="[500]"), "22023 cannot call jsonb_each on a non-object"),
        "a sum in place of chips": (APP, movement(chips="500"), "22023 cannot call jsonb_each on a non-object"),
        "no chips at all": (APP, movement(chips="{}"), "23001 it moves something else than its movement"),
        "chips beyond 64 bits that come round to 500": (
            APP,
            movement(units=500, chips='{"100":184467440737095516,"500":1}'),
            "23001 its chips are not whole chips of the table's set",
        ),
        "a chip set of the thief's own, with a chip of nothing": (
            APP,
            "INSERT INTO casino_chipset (name, denominations, colours) VALUES ('Mine', '{100,0}', '{#000000,#000000}')",
            "23001 chip set Mine: its chips are whole values above",
        ),
        "a chip set with a chip below nothing": (
            APP,
            "INSERT INTO casino_chipset (name, denominations, colours) VALUES ('Mine', '{100,-5}',"
            " '{#000000,#000000}')",
            "23001 chip set Mine: its chips are whole values above",
        ),
        "a chip set with the same chip twice": (
            APP,
            "INSERT INTO casino_chipset (name, denominations, colours)"
            " VALUES ('Mine', '{100,100}', '{#000000,#ffffff}')",
            "23001 chip set Mine: its chips are whole values above",
        ),
        "a chip set with a chip that is NULL": (
            APP,
            "INSERT INTO casino_chipset (name, denominations, colours)"
            " VALUES ('Mine', '{100,NULL}', '{#000000,#ffffff}')",
            "23001 chip set Mine: its chips are whole values above",
        ),
        "a chip set in two dimensions": (
            APP,
            "INSERT INTO casino_chipset (name, denominations, colours)"
            " VALUES ('Mine', '{{100,500},{2500,10000}}', '{{#000000,#ffffff},{#000000,#ffffff}}')",
            "23001 chip set Mine: its chips are whole values above",
        ),
        "a chip set that counts from 0": (
            APP,
            "INSERT INTO casino_chipset (name, denominations, colours)"
            " VALUES ('Mine', '[0:1]={-100,500}', '{#000000,#ffffff}')",
            "23001 chip set Mine: its chips are whole values above",
        ),
        "another chip set at a table that plays": (
            APP,
            statements(
                "INSERT INTO casino_chipset (name, denominations, colours) VALUES ('Mine', '{7}', '{#000000}')",
                "UPDATE tables_table SET chip_set_id = currval('casino_chipset_id_seq') WHERE id = $table1",
            ),
            "23001 id, code, name, pit_id, chip_set_id of a row stays",
        ),
    },
    "movements": {
        "chips of T1's session put into the float of T2": (
            APP,
            movement(credit="$float2"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "chips of T1's session taken from the float of T2": (
            APP,
            movement("variance", debit="$float2", credit="5"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a drop that comes from the patrons": (
            APP,
            movement(credit="$patrons"),
            "23001 drop does not go from patrons to count_room",
        ),
        "a drop that comes from the rake": (
            APP,
            movement(credit="4"),
            "23001 its movement is not of a session that takes it now",
        ),
        "a drop into the cage": (
            APP,
            movement("drop", debit="1", credit="$float"),
            "23001 drop does not go from float to cage",
        ),
        "a drop the wrong way round": (
            APP,
            movement(debit="$float", credit="3"),
            "23001 drop does not go from count_room to float",
        ),
        "a fill that nobody asked for": (
            APP,
            movement("fill", debit="$float", credit="2"),
            "23001 no fill belongs to",
        ),
        "a credit that nobody asked for": (
            APP,
            movement("credit", debit="2", credit="$float"),
            "23001 no credit belongs to",
        ),
        "a drop of more than the float holds": (
            APP,
            movement(units=900000000, chips='{"100000":9000}'),
            ACCEPTED,
        ),
        "a variance while the table plays on": (
            APP,
            movement("variance", debit="$float", credit="5", units=900000, chips='{"1":900000}'),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a variance there and a variance back": (
            APP,
            statements(
                movement("variance", debit="$float", credit="5", units=900000, chips='{"1":900000}'),
                movement("variance", number=2, debit="5", credit="$float", units=900000, chips='{"1":900000}'),
            ),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a second opener": (
            APP,
            movement("opener", number=2, debit="$float", credit="1"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a closer while the session goes on": (
            APP,
            movement("closer", debit="1", credit="$float"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a drop into a closed session": (
            APP,
            movement(subject="session:$session_closed", credit="$float_closed", table="$table_closed"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a variance out of a closed session": (
            APP,
            movement(
                "variance", subject="session:$session_closed", debit="5", credit="$float_closed", table="$table_closed"
            ),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a drop of session 01, which is session 1": (
            APP,
            movement(subject="session:0$session1"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a drop of a session with a line's end behind it": (
            APP,
            movement(subject="session:$session1\n"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a drop numbered 0": (APP, movement(number=0), "23001 its number leaves a gap"),
        "a drop numbered below nothing": (APP, movement(number=-1), "23001 its number leaves a gap"),
        "a drop numbered 7 as the first": (APP, movement(number=7), "23001 its number leaves a gap"),
        "a drop of yesterday": (
            APP,
            movement(day="2026-01-01"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a drop for ever": (
            APP,
            movement(day="infinity"),
            "23001 it has not come yet",
        ),
        "a drop of one day whose transfer is of another": (
            APP,
            movement(transfer_day="2026-01-01"),
            "23001 its movement is not of a session that takes it now, at its table on its day",
        ),
        "a drop that is told and moves another sum": (
            APP,
            movement(units=500, moved=50000),
            "23001 it moves something else than its movement",
        ),
        "a drop whose transfer gives another reason": (
            APP,
            movement(reason="closer"),
            "23001 it moves something else than its movement",
        ),
        "a drop that nobody tells": (APP, movement(logged=False), "23001 movement.made of movement"),
        "a drop that is told at another table": (
            APP,
            movement(chain="table:$table2"),
            "23001 it stands in another chain than table",
        ),
        "a drop that is told in the house's chain": (
            APP,
            movement(chain="house"),
            "23001 it stands in another chain than table",
        ),
        "a drop told twice and made once": (
            APP,
            statements(
                movement(),
                entry(
                    "table:$table1",
                    "movement.made",
                    "movement:'||currval('payouts_movement_id_seq')||'",
                    '{"business_date":"$date","denominations":{"500":1},"kind":"drop","number":1,"people":["staff:$clara",'
                    '"staff:$hugo"],"transfer":{"credit":"float:table:1","debit":"count_room:house",'
                    '"key":"session:1:drop:1:1","reason":"drop","units":500}}',
                ),
            ),
            "23001 movement.made of movement",
        ),
        "one person asks and approves": (APP, movement(second="$clara"), "23514 movement_four_eyes"),
        "two croupiers drop chips of their own table": (APP, movement(by="$anna", second="2"), ACCEPTED),
        "a person who has left approves": (
            APP,
            statements("UPDATE casino_staff SET is_active = false WHERE id = $hugo", movement()),
            "23001 the log has no entry that says so",
        ),
        "a movement without a transfer": (
            APP,
            "INSERT INTO payouts_movement (key, business_date, kind, subject, number, denominations, requested_by_id,"
            " approved_by_id) VALUES ('session:1:drop:1', '$date', 'drop', 'session:1', 1, '{\"500\":1}', 5, 7)",
            "23001 it moves nothing",
        ),
        "a transfer that joins the opener of before": (
            APP,
            "INSERT INTO payouts_transfer (key, movement_id, debit_id, credit_id, units, business_date, reason)"
            " VALUES ('mine', $movement, $float, 1, 500, '$date', 'opener')",
            "23505 transfer_movement_once",
        ),
        "a header made for a transaction to come": (
            APP,
            movement(made_in="(pg_current_xact_id()::text::bigint + 1)::text::xid8", logged=False),
            "23001 movement.made of movement",
        ),
        "a reversal of a drop": (
            APP,
            statements(
                movement(),
                "INSERT INTO payouts_transfer (key, movement_id, debit_id, credit_id, units, business_date, reason,"
                " reverses_id) VALUES ('mine', currval('payouts_movement_id_seq'), 1, $float, 500, '$date', 'reversal',"
                " (SELECT max(id) FROM payouts_transfer))",
            ),
            "23505 transfer_movement_once",
        ),
    },
    "settlements": {
        "a round settled under another table's name": (
            APP,
            settlement(table_key="table:$table1"),
            "23001 wager does not go from patrons to float",
        ),
        "a round settled at table 02, which is table 2": (
            APP,
            settlement(table_key="table:0$table2"),
            "23001 wager does not go from patrons to float",
        ),
        "a round settled on another day": (APP, settlement(day="2026-01-01"), "23001 its business date is not"),
        "a round settled by another sheet": (APP, settlement(digest="0" * 64), "23001 it is by another sheet"),
        "a round settled by the same digest in capitals": (
            APP,
            settlement(digest="'||upper((SELECT digest FROM tables_rulesheet WHERE id = $sheet))||'"),
            "23001 it is by another sheet",
        ),
        "a payment that the result does not say": (
            APP,
            settlement(
                payments=[(1, "fold", 500, 500, 9500, 9500, "{split.6}")],
                transfers=[("$patrons2", "$float2", 9500, "wager")],
            ),
            VERIFIED,
        ),
        "a payment of a box that did not play": (
            APP,
            settlement(
                payments=[FOLD, (6, "win_bet", 0, 0, 9500, 9500, "{split.19}")],
                transfers=[ANTE, ("$patrons2", "$float2", 9500, "wager")],
            ),
            TOLD,
        ),
        "a payment that is told and not moved": (
            APP,
            settlement(payments=[(1, "win", 500, 500, 100000, 100000, "{split.19}")], transfers=[]),
            "23001 units and its transfers to",
        ),
        "a payment that is moved and not made": (
            APP,
            settlement(payments=[], transfers=[("$patrons2", "$float2", 99500, "wager")]),
            "23001 units and its transfers to",
        ),
        "two payments of which one takes what the other gives": (
            APP,
            settlement(
                payments=[
                    (1, "fold", 100500, 0, 0, -100500, "{split.6}"),
                    (2, "win", 0, 0, 100000, 100000, "{split.19}"),
                ]
            ),
            TOLD,
        ),
        "a payment from the float of another table": (
            APP,
            settlement(transfers=[("$float", "$patrons2", 500, "wager")]),
            "23001 wager does not go from patrons to float",
        ),
        "a payment to the patrons of another table": (
            APP,
            settlement(transfers=[ANTE, ("$patrons", "$float2", 500, "wager")]),
            "23001 wager does not go from float to patrons",
        ),
        "a payment straight from the cage": (
            APP,
            settlement(transfers=[ANTE, ("$patrons2", "1", 5000, "wager")]),
            "23001 wager does not go from cage to patrons",
        ),
        "a rake in a game that has none": (
            APP,
            settlement(transfers=[ANTE, ("4", "$float2", 500, "rake")]),
            "23001 rake does not go from float to rake",
        ),
        "a rake that goes to the house, past the slot of its table": (
            APP,
            settlement(transfers=[ANTE, ("4", "$pot2", 500, "rake")]),
            "23001 rake does not go from pot to rake",
        ),
        "chips that leave the float as a variance in a settlement": (
            APP,
            settlement(transfers=[ANTE, ("5", "$float2", 500, "variance")]),
            "23001 variance does not go from float to variance",
        ),
        "chips that go through the pot and stay there": (
            APP,
            settlement(transfers=[ANTE, ("$pot2", "$float2", 50000, "stake_in")]),
            "23001 stake_in does not go from float to pot",
        ),
        "there and back in one settlement": (
            APP,
            settlement(
                transfers=[ANTE, ("$patrons2", "$float2", 70000, "wager"), ("$float2", "$patrons2", 70000, "wager")]
            ),
            VERIFIED,
        ),
        "a stake that goes round in a ring over the pot and the rake": (
            APP,
            settlement(transfers=[ANTE, ("$pot2", "$float2", 700, "stake_in"), ("4", "$pot2", 700, "rake")]),
            "23001 stake_in does not go from float to pot",
        ),
        "a transfer of nothing": (
            APP,
            settlement(transfers=[ANTE, ("$patrons2", "$float2", 0, "wager")]),
            "23514 transfer_units_range",
        ),
        "a transfer below nothing": (
            APP,
            settlement(transfers=[ANTE, ("$float2", "$patrons2", -500, "wager")]),
            "23514 transfer_units_range",
        ),
        "a transfer from the float to itself": (
            APP,
            settlement(transfers=[ANTE, ("$float2", "$float2", 500, "wager")]),
            "23514 transfer_two_accounts",
        ),
        "a payment whose net overflows": (
            APP,
            settlement(payments=[(1, "fold", 500, 500, 9223372036854775807, -9223372036854775309, "{split.6}")]),
            "22003 bigint out of range",
        ),
        "a payment with a stake below nothing": (
            APP,
            settlement(payments=[(1, "fold", -500, -500, 0, 0, "{split.6}")], transfers=[]),
            "23514 payment_not_negative",
        ),
        "the second generation before the first": (
            APP,
            settlement(generation=2),
            "23001 generations follow one another",
        ),
        "a generation with a line that there is not": (APP, settlement(line=2), "23001 it is not of the newest line"),
        "a round settled, and settled again in the same breath": (
            APP,
            statements(settlement(), settlement(generation=2, line=2)),
            "23001 the generation before it is of the same transaction",
        ),
        "a settlement that no round takes": (APP, settlement(marked=False), "23001 its round does not take it"),
        "a settlement that nobody tells": (APP, settlement(logged=False), "23001 round.settled of round"),
        "an open round settled": (
            APP,
            settlement(round_="$open", table="$table3", transfers=[("$float3", "$patrons3", 500, "wager")]),
            "23001 OPEN does not become SETTLED",
        ),
        "a round that there is not": (APP, settlement(round_="999"), "23001 its round does not take it"),
        "one round's settlement taken by another": (
            APP,
            statements(
                "UPDATE tables_round SET settlement_id = (SELECT settlement_id FROM tables_round WHERE id = $corrected)"
                " WHERE id = $settled"
            ),
            "23001 only a later settlement of its own",
        ),
        "a settled round opened again": (
            APP,
            "UPDATE tables_round SET status = 'CLOSED', settled_at = NULL, settlement_id = NULL, next_at = now()"
            " WHERE id = $settled",
            "23001 SETTLED does not become CLOSED",
        ),
        "a settled round made void": (
            APP,
            "UPDATE tables_round SET status = 'VOIDED', closed_at = NULL, settled_at = NULL, settlement_id = NULL"
            " WHERE id = $settled",
            "23001 SETTLED does not become VOIDED",
        ),
        "a round moved to another session before it is settled": (
            APP,
            "UPDATE tables_round SET session_id = $session4, table_id = $table4 WHERE id = $closed",
            "23001 what it was opened with stays",
        ),
        "a round given another sheet before it is settled": (
            APP,
            "UPDATE tables_round SET sheet_id = $sheet_other WHERE id = $closed",
            "23001 what it was opened with stays",
        ),
        "a round settled after the floats of two tables were swapped": (
            APP,
            statements(
                "UPDATE tables_table SET float_account_id = NULL WHERE id = $table1",
                "UPDATE tables_table SET float_account_id = $float WHERE id = $table2",
                settlement(transfers=[("$float", "$patrons2", 500, "wager")]),
            ),
            "23001 its accounts are its own, for ever",
        ),
        "a result that is a list": (APP, settlement(result="[]"), "23514 settlement_result_json"),
        "a result with a key twice": (
            APP,
            settlement(result=FOLDED[:-1] + ',"game":"split"}'),
            "23514 settlement_result_json",
        ),
        "a result that says another amount than the payment": (
            APP,
            settlement(result=FOLDED.replace('"net":-500', '"net":-5')),
            VERIFIED,
        ),
        "a tick for a payment of a generation that is over": (
            APP,
            "INSERT INTO payouts_paymenttick (payment_id, by_id) SELECT id, $anna FROM payouts_payment p"
            " WHERE settlement_id = 1 AND box = 1",
            TOLD,
        ),
        "a tick by somebody who does not deal there": (
            APP,
            "INSERT INTO payouts_paymenttick (payment_id, by_id) SELECT id, $hugo FROM payouts_payment"
            " WHERE settlement_id = $settlement AND box = 2",
            TOLD,
        ),
        "a tick that nobody tells": (
            APP,
            "INSERT INTO payouts_paymenttick (payment_id, by_id) SELECT id, $anna FROM payouts_payment"
            " WHERE settlement_id = $settlement AND box = 2",
            TOLD,
        ),
    },
    "corrections": {
        "a correction that reverses nothing": (
            APP,
            correction(reversals=()),
            "23001 it does not reverse all that the one before moved",
        ),
        "a correction that reverses half of what was moved": (
            APP,
            correction(reversals=BACK[:1]),
            "23001 it does not reverse all that the one before moved",
        ),
        "a correction that reverses the same transfer twice": (
            APP,
            correction(reversals=(*BACK, BACK[1])),
            "23505 payouts_transfer_key_key",
        ),
        "a reversal of less than was moved": (
            APP,
            correction(reversals=(BACK[0], ("$float", "$patrons", 100, "reversal", "$transfer"))),
            "23001 a reversal mirrors the transfer it reverses",
        ),
        "a reversal in the same direction": (
            APP,
            correction(reversals=(BACK[0], ("$patrons", "$float", 10000, "reversal", "$transfer"))),
            "23001 a reversal mirrors the transfer it reverses",
        ),
        "a reversal of another round's transfer": (
            APP,
            correction(reversals=(*BACK, ("$float", "$patrons", 500, "reversal", "21"))),
            "23001 a reversal takes back a transfer of its own round",
        ),
        "a reversal of what was reversed already": (
            APP,
            correction(reversals=(*BACK, ("$patrons", "$float", 500, "reversal", "$reversed"))),
            "23505 payouts_transfer_reverses_id_key",
        ),
        "a reversal of a reversal": (
            APP,
            correction(reversals=(*BACK, ("$float", "$patrons", 500, "reversal", "$reversal"))),
            "23001 a reversal takes back a transfer of its own round",
        ),
        "a reversal of the table's opener": (
            APP,
            correction(reversals=(*BACK, ("1", "$float", 5310000, "reversal", "2"))),
            "23001 a reversal takes back a transfer of its own round",
        ),
        "a reversal that is called a wager": (
            APP,
            correction(reversals=tuple((*each[:3], "wager") for each in BACK)),
            "23001 units and its transfers to -",
        ),
        "a correction by one person": (APP, correction(by="$clara", second="$clara"), "23514 line_four_eyes"),
        "a correction by two croupiers": (APP, correction(by="$anna", second="2"), ACCEPTED),
        "a correction without its intervention": (APP, correction(intervened=False), TOLD),
        "a line that no settlement follows": (APP, correction(settled=False), "23001 it is not settled"),
        "a correction with the line of before": (APP, correction(text=_OLD_LINE), VERIFIED),
        "a correction with ratios that the sheet does not have": (APP, correction(text=_RIGGED_LINE), VERIFIED),
        "a correction with the line of another round": (APP, correction(text=_OTHER_ROUND), VERIFIED),
        "a correction whose line stands at another round": (
            APP,
            correction(at="$corrected", ordinal=3),
            "23001 its line is of another round or of other people",
        ),
        "a correction that leaves out an ordinal": (APP, correction(ordinal=3), "23001 leaves a gap"),
        "a correction settled under the line of before": (
            APP,
            correction(line=1),
            "23505 settlement_line_once",
        ),
        "a correction that pays one box twice": (
            APP,
            correction(payments=(LOSES[0], LOSES[0])),
            "23505 payment_box_once",
        ),
        "a correction that moves to another table": (
            APP,
            correction(transfers=(("$float2", "$patrons", 1000, "wager"), *STAKES[1:])),
            "23001 wager does not go from patrons to float",
        ),
        "a correction of a correction that skips a generation": (
            APP,
            correction(generation=3),
            "23001 generations follow one another",
        ),
        "a correction dated before the round": (APP, correction(day="2026-01-01"), "23001 its business date is not"),
        "a correction of another table's round told here": (
            APP,
            correction(table="$table2"),
            "23001 wager does not go from patrons to float",
        ),
        "a correction taken back by the generation before": (
            APP,
            "UPDATE tables_round SET settlement_id = 1 WHERE id = $corrected",
            "23001 only a later settlement of its own",
        ),
    },
}
