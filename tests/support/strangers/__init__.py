"""Attacks by somebody who had not seen the guards: kind, name, role, statements and refusal.

A refusal is given as its SQLSTATE and some of its words, so that each is refused for its own reason. The people, tables
and accounts are those of `floor.rows`; without a name, they have their numbers in the demo.
"""

from . import doors, ids, moments, money, people

ATTACKS = {kind: rows for module in (money, ids, moments, people, doors) for kind, rows in module.ATTACKS.items()}
