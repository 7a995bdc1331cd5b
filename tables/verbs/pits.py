"""Laying out the floor: pits, and tables with their accounts and their chain."""

from audit import log
from payouts import ledger
from payouts.models import Account

from ..models import Pit, Table


def add_pit(*, code, name, actor):
    """Add a pit."""
    pit = Pit.objects.create(code=code, name=name)
    _set(pit.ref, actor, code=code)
    return pit


def add_table(*, code, name, pit, chip_set, actor):
    """Add a table with its four accounts and its own chain in the log."""
    table = Table.objects.create(code=code, name=name, pit=pit, chip_set=chip_set)
    accounts = ledger.start_accounts(Account.OF_A_TABLE, table.ref)
    table.float_account = accounts[Account.Kind.FLOAT]
    table.patrons_account = accounts[Account.Kind.PATRONS]
    table.pot_account = accounts[Account.Kind.POT]
    table.rake_account = accounts[Account.Kind.RAKE]
    table.save(update_fields=["float_account", "patrons_account", "pot_account", "rake_account"])
    log.start_chain(table.ref)
    _set(table.ref, actor, code=code, pit=pit.ref)
    return table


def _set(subject, actor, **after):
    log.record("setting.changed", subject, chain=log.HOUSE, actor=actor, facts={"what": subject, "after": after})
