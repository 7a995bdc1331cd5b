"""What a terminal's screen is made from: the table as one person sees it, and its newest round."""

from typing import NamedTuple

from casino import wording

from ..verbs import series
from ..words.chips import chip


class Ground(NamedTuple):
    """All that the screen shows besides the round itself. `last` are a box's latest arguments, by (kind, box).

    `ahead` is what is known of the next round. `score` is how far the series of the round that is shown has come.
    `sees` is false for a person who may sign on here and sees nothing before; `took_over`: the croupier relieved this
    person. `may_sign_on_here`: a sign-on from this browser is accepted. `owed` are corrected rounds before this one,
    `disputed` says that a dispute about the newest one waits for its ruling. `late` says which round here is settled
    late, and what waits in the whole house. `pace` is how many rounds of this session were opened within the last hour.
    `call` is the call for a pit boss that stands at this table. `scanner` is how the scanner at this terminal spells
    the cards of the game. `slips` are those whose chips come to this table or are asked from it. `counted` is the
    session whose opener or closer is counted now. `relief` is the id of whoever is asked to take the table over.
    `new_rules` is what is said about sheets that count next, or are to come. `entered_late`: what is shown is a round
    from paper of a closed session, and the table as it is now is not.
    """

    table: object
    casino: object
    seq: int
    staff_id: int
    sees: bool
    may_act: bool
    may_report: bool
    may_rule: bool
    reads_session: bool
    reads_floor: bool
    may_dispute: bool
    may_sign_on: bool
    croupier_id: int | None
    took_over: bool
    in_session: bool
    sheet: object
    last: dict
    may_sign_on_here: bool
    owed: list
    ahead: series.Ahead
    disputed: bool = False
    late: tuple | None = None
    score: str = ""
    pace: int | None = None
    call: object = None
    may_call: bool = False
    may_take: bool = False
    scanner: dict | None = None
    slips: list | tuple = ()
    counted: object = None
    entered_late: bool = False
    relief: int | None = None
    new_rules: list | tuple = ()

    def spell(self, units):
        return wording.amount(units, self.casino.currency_decimals)

    def chip(self, units):
        """A chip of the table's set."""
        return chip(self.table.chip_set, units, self.casino.currency_decimals)

    @property
    def denominations(self):
        return tuple(self.table.chip_set.denominations)


class Newest(NamedTuple):
    """The newest round with all that happened in it. `amending` is the number of the action to enter again, `changes`
    what corrections and rulings have changed of its line, each a `timeline.Change`."""

    round: object
    folded: object
    results: object
    actions: list
    interventions: list
    amending: int | None = None
    changes: tuple = ()
