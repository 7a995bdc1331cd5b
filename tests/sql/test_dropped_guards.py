"""Whichever guard of docs/guards.md is taken away alone, some attack is no longer refused as it has to be."""

import pytest

from casino import guards
from casino.running.embedded.cluster import SUPERUSER

from ..support import alone, proof

# Guards that no attack can tell from their absence, and what refuses the same before them.
SURVIVORS = {
    "audit_chain chain_head_hex": "moves_forward: a head is the hash of an entry, or 64 zeros",
    "audit_checkpoint checkpoint_has_leaves": "follows: its newest leaf is there",
    "audit_entry entry_says_all": "follows: what lacks one of these is no entry",
    "audit_entry entry_seq_from_one": "follows: it comes after the entry before it",
    "casino_casino casino_casino_code_key": "casino_one_row: there is one house",
    "casino_casino casino_has_cash": "casino_one_row: there is one house, and its row is not the app's to change",
    "payouts_settlement settlement_generation_once": "settlement_key_says_both: the key is unique, and says both",
    "payouts_snapshot snapshot_once": "of_closing: an account has one open session; its other key keeps that",
    "tables_round tables_round_settlement_id_key": "moves: a settlement names its round",
    "tables_round timed_here": "timed: but in a call that commits, a statement begins after its transaction",
    "tables_rulesheet tables_rulesheet_digest_key": "digest: it is that of rules that say game and version",
    "tables_buyin buyin_four_eyes": "goes_in: it has the people of its movement",
    "tables_cageshift cageshift_denominations_readable": "ends: whole chips of the house are short",
    "tables_case case_number_once": "moves: it gives the next number, one case after the other",
    "tables_count count_denominations_readable": "follows: whole chips of the table's set are short",
    "tables_count count_once": "follows: the next is another; of two at once this refuses one",
    "tables_count count_places": "follows: it gives the attempt, the place and the worth",
    "tables_gamingday gamingday_once": "hold_day: the app adds no day but by it, and it asks first",
    "tables_gamingday figures": "it refuses nothing, it writes",
    "tables_gamingday house_figures": "it refuses nothing, it writes",
    "tables_inforce inforce_withdrawn_before": "still_to_come: it asks the clock, which has not come to the moment",
    "tables_session tables_session_carried_from_id_key": "starts: it opens with what its transaction closed with, once",
    "tables_slip slip_denominations_readable": "moves: whole chips of the table's set are short",
    "tables_slip slip_exchanged_readable": "moves: whole chips of the table's set are short",
    "tables_slip slip_numbers_positive": "moves: its chips are worth something, numbers and prints go up by one",
    "tables_slip tables_slip_back_id_key": "names_its_movements: a movement is of one slip and of one step",
    "tables_slip tables_slip_out_id_key": "names_its_movements: a movement is of one slip and of one step",
    "tables_tipcount tipcount_denominations_readable": "is_counted: whole chips of the house are short",
    "tables_tipcount tipcount_units_positive": "is_counted: a count is of chips, and follows on tips of its day",
    "tables_table table_last_number": "counts: rounds are counted one by one",
    "tables_table tables_table_float_account_id_key": "counts: an account names its table",
    "tables_table tables_table_patrons_account_id_key": "counts: an account names its table",
    "tables_table tables_table_pot_account_id_key": "counts: an account names its table",
    "tables_table tables_table_rake_account_id_key": "counts: an account names its table",
}


@pytest.mark.proof
def test_each_guard_is_missed_where_it_alone_is_gone(floor):
    court = alone.Court(floor.connections[SUPERUSER], floor.names)
    court.connection.execute("BEGIN")
    attacks = list(alone.known())
    # A few are refused for what a superuser's session may do in whatever role; they are tried without it.
    tried = [attack for attack in attacks if not court.notices(attack)]
    assert len(tried) > 0.98 * len(attacks)
    refusers = {attack: alone.refuser(court.outcome(attack)) if attack.error else "" for attack in tried}
    court.connection.execute("ROLLBACK")
    # In short one guard in five, by their tables.
    dropped = [guard for guard in guards.guards() if guard.table in guards.tables()][:: proof.size(1, 5)]
    unmissed = {
        f"{guard.table} {guard.name}"
        for guard in dropped
        if court.without(guard, alone.nearest_first(guard, tried, refusers)) is None
    }
    assert unmissed == set(SURVIVORS) & {f"{guard.table} {guard.name}" for guard in dropped}
