"""Attacks of somebody who had not seen the guards: kind, name, role, statements and refusal.

Of a refusal stands its SQLSTATE and some of its words, so that none is refused for another reason than its own. The
people, tables and accounts are those of `floor.rows`; where no name leads to one, it has its number in the demo.
"""

from . import doors, ids, moments, money, people

ATTACKS = {kind: rows for module in (money, ids, moments, people, doors) for kind, rows in module.ATTACKS.items()}
