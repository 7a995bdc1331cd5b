"""The books of a house looked through: what is wrong with chains and money is told, each in a line."""

import re

from audit.models import Chain
from payouts import books
from payouts.models import Settlement
from tables.management.commands.seed_demo import OPENER

from ..support import factories, stack


def tampered(database, statement):
    """What a superuser can do, guards or not."""
    with stack.cluster().connect(database=database) as superuser:
        superuser.execute("SET session_replication_role = replica")
        tables = set(re.findall(r"(?:payouts|audit|tables)_\w+", statement))
        for table in tables:
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        superuser.execute(statement)
        for table in tables:
            superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")


def test_what_is_being_read_is_told_chain_by_chain(seeded_db):
    read = []
    assert books.wrong(read.append) == []
    *chains, last = read
    assert chains == [f"chain {number} of {len(chains)}" for number in range(1, Chain.objects.count() + 1)]
    assert last == "settlements"


def test_each_part_of_right_books_is_looked_through_piece_by_piece(settled_db):
    for part in books.PARTS:
        newest, after = part.newest(), 0
        assert newest > 0, part.name
        while after < newest:
            upto = part.reach(after, newest)
            assert part.look(part.first(after), upto, {}) == (upto - after, [])
            after = upto
    accounts = books.PARTS[0]
    # By itself, for its transfers may be many.
    assert [accounts.reach(after, accounts.newest()) for after in range(3)] == [1, 2, 3]


def test_books_that_are_wrong_are_told_line_by_line(seeded_db):
    factories.furnish()
    factories.close_session(factories.table("G2"), OPENER)
    assert books.wrong() == []
    key = Settlement.objects.get().key
    expected = []
    for statement, words in (
        ("UPDATE payouts_payment SET paid_units = paid_units + 5, net_units = net_units + 5 WHERE box = 1",
         rf"{key}, its payments come to \d+ units and its transfers to -?\d+: the settlement is not balanced\."),
        ("UPDATE payouts_snapshot SET units = units + 7 WHERE account_id ="
         " (SELECT max(account_id) FROM payouts_snapshot)",
         r"table:\d+ \w+, 7, 0: the balance of the account, and the sum of its transfers\."),
        ("UPDATE payouts_transfer SET movement_id = NULL, settlement_id = (SELECT max(id) FROM payouts_settlement)"
         " WHERE id = (SELECT min(id) FROM payouts_transfer WHERE movement_id IS NOT NULL)",
         r"(\d+), \d+, \1: movements, their transfers, and entries of them in the log\."),
        ("DELETE FROM audit_entry WHERE event = 'round.settled'",
         r"round:\d+, 1, 0: settlements of the round, and entries of them in the log\."),
        ("UPDATE payouts_transfer SET debit_id = (SELECT min(id) FROM payouts_account WHERE kind = 'pot')"
         " WHERE reason = 'wager'",
         r"table:\d+, \d+: money is left in the pot\."),
        ("UPDATE audit_chain SET seq = seq - 1 WHERE key = 'house'",
         r"house: its head is entry \d+, \w+; its entries end with \d+, \w+\."),
    ):  # fmt: skip
        tampered(seeded_db, statement)
        expected.append(words)
        found = books.wrong()
        assert all(any(re.fullmatch(one, told) for told in found) for one in expected), found
