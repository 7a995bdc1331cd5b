"""What a round's line comes to in money: the game's result, a payment for each box, and the transfers between accounts.

Pure: it takes a line, its wagers, its rule sheet and what its series carried into it, and nothing else. So settlement,
a form that looks ahead and the lab all come to the same.
"""

import functools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from casino.games import registry
from casino.games.game import Carry, Fault, Json, Outcome, Pay, Wager


class NewPayment(NamedTuple):
    """One box's part of a settlement still to be written."""

    box: int
    outcome: str
    staked: int
    returned: int
    paid: int
    clauses: tuple[str, ...]

    @property
    def net(self) -> int:
        return self.returned + self.paid - self.staked

    def facts(self) -> dict[str, Json]:
        """As the log writes it."""
        return {
            "box": self.box,
            "outcome": self.outcome,
            "staked": self.staked,
            "returned": self.returned,
            "paid": self.paid,
            "net": self.net,
        }


class NewTransfer(NamedTuple):
    """A transfer still to be written: `debit` receives, `credit` gives; both are account ids."""

    key: str
    debit: int
    credit: int
    units: int
    reason: str
    reverses: int | None = None


class Accounts(NamedTuple):
    """The ids of the accounts that a table's rounds move money between."""

    float_id: int
    patrons_id: int
    pot_id: int
    rake_id: int


class Adjudication(NamedTuple):
    """What a line comes to; `result` is what `manage.py adjudicate` prints for it."""

    result: dict[str, Json]
    payments: list[NewPayment]
    transfers: list[NewTransfer]


@functools.lru_cache(maxsize=100)
def sheet_of(rules: str) -> Any:
    """The game's own `Sheet` of a published text, for settlement and replay from the log alone."""
    sections = json.loads(rules)
    values = {**sections["parameters"], **sections["limits"]}
    if sections["coefficients"]:
        values["coefficients"] = sections["coefficients"]
    return registry.GAMES[sections["game"]].sheet(values)


def adjudicate(
    line: Mapping[str, Json], wagers: Sequence[Wager], sheet: Any, carry: Carry, accounts: Accounts, key: str
) -> Adjudication:
    """The result of a complete line, its payments and its transfers, whose keys begin with the settlement's `key`.

    :raises TypeError: if the line can't be read.
    :raises ValueError: if the shares of a pot are more than the pot.
    """
    game = registry.GAMES[line["game"]]
    facts = game.read(line)
    if isinstance(facts, Fault):
        raise TypeError(facts.message)
    result = game.settle(facts)
    pays = game.pay(facts, result, wagers, sheet, carry)
    moves = _through_the_pot if game.bank == "pot" else _with_the_house
    return Adjudication(result, payments(pays, game.outcomes(facts, result)), list(moves(pays, accounts, key)))


def payments(pays: Sequence[Pay], outcomes: Iterable[Outcome]) -> list[NewPayment]:
    """One payment for each box: its wagers added up, its outcome and clauses."""
    return [_payment(outcome, [pay for pay in pays if pay.box == outcome.box]) for outcome in outcomes]


def _payment(outcome: Outcome, pays: Sequence[Pay]) -> NewPayment:
    return NewPayment(
        outcome.box,
        outcome.outcome,
        sum(pay.stake_units for pay in pays),
        sum(pay.returned_units for pay in pays),
        sum(pay.paid_units for pay in pays),
        outcome.clauses,
    )


def _with_the_house(pays: Iterable[Pay], accounts: Accounts, key: str) -> Iterator[NewTransfer]:
    """One transfer for each wager whose net is not 0, between the table's float and its patrons."""
    for pay in pays:
        net = pay.net_units
        if net > 0:
            yield NewTransfer(f"{key}:{pay.ordinal}", accounts.patrons_id, accounts.float_id, net, "wager")
        elif net < 0:
            yield NewTransfer(f"{key}:{pay.ordinal}", accounts.float_id, accounts.patrons_id, -net, "wager")


def _through_the_pot(pays: Sequence[Pay], accounts: Accounts, key: str) -> Iterator[NewTransfer]:
    """The transfers of every wager into the pot, of every box's share out of it, and of the rake that is left."""
    shares: dict[int, int] = {}
    for pay in pays:
        if pay.stake_units:
            reason = "points" if pay.kind == "points" else "stake_in"
            yield NewTransfer(f"{key}:{pay.ordinal}", accounts.pot_id, accounts.patrons_id, pay.stake_units, reason)
        shares[pay.box] = shares.get(pay.box, 0) + pay.returned_units + pay.paid_units
    for box, units in sorted(shares.items()):
        if units:
            yield NewTransfer(f"{key}:share:{box}", accounts.patrons_id, accounts.pot_id, units, "share")
    rake = sum(pay.stake_units for pay in pays) - sum(shares.values())
    if rake < 0:
        raise ValueError(f"The shares of {key} are {-rake} more than its pot.")
    if rake:
        yield NewTransfer(f"{key}:rake", accounts.rake_id, accounts.pot_id, rake, "rake")
