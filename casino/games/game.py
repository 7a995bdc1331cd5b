"""What every game of the house is, one value of `Game`, and the values that cross its functions.

A game's functions are pure: values in, values out; no clock, no randomness, no database. Everything above the core
(rounds, money, log, doors, screens) knows only these values and never asks which game it is. One shape carries a
dealer's game (Split Poker: boxes decide in any order, the dealer pays), pot games with draws and betting intervals
(turns, a pot, a wager for each call and raise), and a game of plays and tricks (turns, hands entered at the deal, a
carry from round to round). `tests/support/toy.py` is the smallest game that uses all of it.

Whatever a croupier or a player reads is a phrase (`casino.phrases`), so that it can be read in another language. Its
context is the game's code, the kind of phrase and the phrase's code: `split.word.ante`, `split.say.bet`,
`split.sentence.fold`, `split.spoken.fold`, `split.label.fold`, `split.field.cards`, `split.phase.betting`,
`split.refusal.twice`; of clauses `clause.split.6` and `chapter.split.4`, of irregularities `split.30.event` and
`split.30.remedy`. A composed text is a phrase whose values are phrases: `Phrase.format`, never an f-string.
`sentences.py` names boxes and lists names, `casino.cards` names cards, `leaflets.py` makes the pages. Labels of
parameters and faults of lines and sheets are read in the back office and stay English texts.

The state of a round is the fold of its accepted actions over `start`; it is never stored, so that there is one truth
and undoing an action is leaving it out of the fold.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeVar

from casino.games.decks import Deck
from casino.games.frequencies import Frequencies
from casino.games.leaflets import Leaflet
from casino.phrases import phrase

Json = Any
"""What `json.loads` gives."""


class Parameter(NamedTuple):
    """What a rule sheet may set. A `default` of None with `optional` means: no such limit.

    `proposed` is what a new draft has if it says nothing, where that differs from the default; the default is what
    sheets older than the parameter mean. `section` is where it stands on the sheet: a coefficient table is drafted and
    approved by itself. `in_chips`: an amount that is a multiple of the sheet's `chip` (house.5); left out, it is the
    default, rounded up to one.
    """

    name: str
    kind: Literal["units", "count", "choice", "ratios"]
    default: Json
    clause: str
    label: str
    section: Literal["parameters", "limits", "coefficients"] = "parameters"
    optional: bool = False
    options: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    in_chips: bool = False
    proposed: Json = None


class Goal(NamedTuple):
    """How far a series goes: a number of rounds, or until somebody's total reaches a target."""

    rounds: int | None = None
    target: int | None = None


class Field(NamedTuple):
    """One argument that an action takes, with its range.

    `cards`: a list of `minimum` to `maximum` cards. `card`: one card. `units`, `count`: an integer from `minimum` to
    `maximum`, a multiple of `step`. `choice`: one of `options`. `flag`: true or false. An optional list of `cards` with
    `options` arranges the cards of the fields that the options name: a player's own setting. `clause` is the one that a
    value out of range breaks.
    """

    name: str
    kind: Literal["cards", "card", "units", "count", "choice", "flag"]
    label: str
    minimum: int = 1
    maximum: int = 1_000_000_000_000
    step: int = 1
    options: tuple[str, ...] = ()
    optional: bool = False
    clause: str | None = None


class ActionKind(NamedTuple):
    """What an action is in general: the phases it belongs to, who may do it, whether it names a box."""

    phases: tuple[str, ...]
    label: str
    role: Literal["croupier", "pit_boss"] = "croupier"
    boxed: bool = False


def action_kinds(game: str, kinds: Mapping[str, ActionKind]) -> dict[str, ActionKind]:
    """A game's actions, each label a phrase.

    >>> action_kinds("split", {"fold": ActionKind(("deciding",), "Fold")})["fold"].label.context
    'split.action.fold'
    """
    return {code: kind._replace(label=phrase(f"{game}.action.{code}", kind.label)) for code, kind in kinds.items()}


class Action(NamedTuple):
    """What somebody wants to happen; `arguments` by the names of the offer's fields."""

    kind: str
    box: int | None = None
    arguments: Mapping[str, Json] = {}


class Handed(NamedTuple):
    """What was handed to a box beyond its stakes; below 0, what was swept from them."""

    box: int
    units: int


class Offer(NamedTuple):
    """An action that is legal now: a template with ranges, never an enumeration of hands.

    `label` says its effect, as on a button, without amounts: `units` is the stake or price that the action puts up,
    gives back or costs, for the screen to print behind the label. `primary` marks the one that is expected next.
    `at_once`: it is done as soon as its cards are entered, since nothing else has to be entered. `presumes` is what
    boxes are paid before it (house.7), in the order of paying.
    """

    kind: str
    box: int | None
    label: str
    fields: tuple[Field, ...] = ()
    role: Literal["croupier", "pit_boss"] = "croupier"
    primary: bool = False
    units: int | None = None
    at_once: bool = False
    presumes: tuple[Handed, ...] = ()


class Refusal(NamedTuple):
    """Why an action is refused: the fact, where, the clause it breaks, and the way out.

    `values` fill `message` and `way_out` where there are any, so that a screen can spell amounts in its currency.
    """

    code: str
    message: str
    path: str = ""
    clause: str | None = None
    way_out: str = ""
    values: Mapping[str, Json] = {}


class Fault(NamedTuple):
    """What is wrong with a rule sheet or with a line of contracts/adjudicate.md; `path` counts from 0."""

    code: str
    message: str
    path: str = ""


class Irregularity(NamedTuple):
    """What may go wrong at the table, by the clause that covers it, and what the croupier does now.

    `stops`: it holds the round until a pit boss releases or voids it. `asks_box`: a box is named. `ruling` is what the
    clause prescribes for that box. `reason`: a reason must be given in words.
    """

    clause: str
    event: str
    remedy: str
    stops: bool = False
    asks_box: bool = False
    ruling: str | None = None
    reason: bool = False


UNFORESEEN = Irregularity(
    "house.4",
    phrase("house.4.event", "Something that no other clause covers"),
    phrase(
        "house.4.remedy",
        "Stop the round and call the pit boss. It is voided, all stakes returned, or stands, with a reason.",
    ),
    stops=True,
    reason=True,
)
"""The last irregularity of every game."""

COUNTS_AS_PLAYED = "house.6"
"""A round of a series that is void by it after its close gives no points and counts as played; void by any other clause
it is played again."""


class Standing(NamedTuple):
    """How a box of a series stands after a round: its `points` of this round with the `reason` in a few words, its
    total, and its place; equal boxes share a place."""

    box: int
    points: Fraction
    reason: str
    total: Fraction
    place: int


class Board(NamedTuple):
    """A series after a round: its boxes by their places, and how many rounds are left; None if a target ends it."""

    standings: tuple[Standing, ...]
    rounds_left: int | None
    target: int | None = None

    @property
    def best(self) -> tuple[int, ...]:
        """The boxes that are ahead, in the order of their numbers."""
        return tuple(sorted([standing.box for standing in self.standings if standing.place == 1]))


class Slot(NamedTuple):
    """A value that a correction may set in a complete line, or take out where `field.optional`.

    `path` is written as in the faults of `read`; `value` is what stands there, None if it is left out.
    """

    path: str
    field: Field
    label: str
    value: Json
    box: int | None = None


class Wager(NamedTuple):
    """A stake on the table; `ordinal` counts from 1 in the order of staking and never changes within a round."""

    ordinal: int
    box: int
    kind: str
    units: int


class HandView(NamedTuple):
    """Cards in one place. `box` is None for the dealer. A card not seen is None. `label` names what they make."""

    box: int | None
    kind: str
    cards: tuple[str | None, ...]
    label: str = ""


class BoxView(NamedTuple):
    """A box in play. `state` is one of wait, next, bet, bought, folded, shown, ruled: how a screen marks it."""

    number: int
    state: str
    label: str
    note: str = ""


class View(NamedTuple):
    """What may be seen of a round. `turn` is the box that is expected to act; `final`: it can be closed.

    `say` is what the croupier announces, `dealer` what is said of the dealer's cards. `places` are all box numbers of
    the table, lowest first: boxes lie there in every round, whoever deals. `gone` are the cards, by box, that no longer
    lie on the table and can't be entered again.
    """

    phase: str
    places: tuple[int, ...]
    boxes: tuple[BoxView, ...]
    hands: tuple[HandView, ...]
    wagers: tuple[Wager, ...]
    turn: int | None
    pot_units: int
    final: bool
    say: str = ""
    dealer: str = ""
    gone: tuple[HandView, ...] = ()


class Pay(NamedTuple):
    """What becomes of one wager: returned to the box, paid on top, the rest taken.

    A box that wins without a wager of its own has one of 0 units, whose ordinal follows after the wagers'.
    """

    ordinal: int
    box: int
    kind: str
    stake_units: int
    returned_units: int
    paid_units: int

    @property
    def net_units(self) -> int:
        """From the box's side: what it is handed less what it staked."""
        return self.returned_units + self.paid_units - self.stake_units


class Outcome(NamedTuple):
    """One box's result in the words of payments: its outcome's code and the clauses that decided, in order."""

    box: int
    outcome: str
    clauses: tuple[str, ...]


class Reason(NamedTuple):
    """One step of an explanation. `message` is a key of the game's `sentences`, `values` fill it."""

    box: int | str | None
    clause: str
    message: str
    values: Mapping[str, Json]


Sheet = TypeVar("Sheet")
SheetIn = TypeVar("SheetIn", contravariant=True)
State = TypeVar("State")
Facts = TypeVar("Facts")
Result = Mapping[str, Json]
Carry = Mapping[str, Json] | None


class DeckOf(Protocol[SheetIn]):
    def __call__(self, sheet: SheetIn, seats: Sequence[int] = (), /) -> Deck: ...


def _nothing_in_the_way(state: Any, /) -> str:
    return ""


def _nothing_handed(state: Any, /) -> tuple[Handed, ...]:
    return ()


def _each_by_itself(sheet: Any, seats: Sequence[int], /) -> None:
    return None


def _by_number(sheet: Any, boxes: Sequence[int], /) -> tuple[int, ...]:
    return tuple(sorted(boxes))


def _as_staked(facts: Any, wagers: Sequence[Wager], sheet: Any, carry: Carry, /) -> tuple[Wager, ...]:
    return tuple(wagers)


def _whole(facts: Any, result: Result, /) -> bool:
    return True


def _nothing_carried(facts: Any, result: Result, sheet: Any, carry: Carry, /) -> None:
    return None


def _nothing_counted(sheet: Any, /) -> tuple[Frequencies, ...]:
    return ()


def _no_board(facts: Any, result: Result, sheet: Any, carry: Carry, /) -> None:
    return None


def _nothing_added_up(facts: Any, result: Result, sheet: Any, carry: Carry, /) -> Mapping[str, Json]:
    return {}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Game(Generic[Sheet, State, Facts]):
    """A game of the house. A sixth one is a value of this class and a line in `registry.GAMES`."""

    code: str
    """As lines, sheets and the log name it."""

    name: str
    """As people call it."""

    bank: Literal["house", "pot"]
    """What stands against the boxes: the house, or a pot of their own wagers. What is in a pot and nobody gets is the
    rake."""

    seats: tuple[int, int] | None = None
    """How few and how many boxes take part, named when a round is opened; None where they come in by their ante."""

    clauses: Mapping[str, str]
    """Every clause that a result, a refusal or a ruling may cite, in a sentence."""

    chapters: Mapping[str, str]
    """The headings of the game's own clauses in its rules, by the first clause under each; the house's follow."""

    parameters: tuple[Parameter, ...]
    """What a rule sheet sets."""

    phases: Mapping[str, str]
    """The parts of a round by their codes, in order, as a screen calls them."""

    actions: Mapping[str, ActionKind]
    """Every kind of action by its code."""

    sentences: Mapping[str, str]
    """The sentences of explanations, with places for values."""

    spoken: Mapping[str, str]
    """What is said aloud of a box as it is paid, by the messages of reasons: the last one of the box that is named here
    is what decides. A part may be empty; `{name!l}` begins with a small letter."""

    words: Mapping[str, str]
    """What screens call a code: of a wager, a hand, a box, an outcome, an option."""

    irregularities: tuple[Irregularity, ...] = (UNFORESEEN,)
    """What may go wrong at the table; the last is `UNFORESEEN`."""

    sheet: Callable[[Mapping[str, Json]], Sheet | Fault]
    """A rule sheet's values by the names of `parameters`, checked, defaults filled in."""

    values: Callable[[Sheet], dict[str, Json]]
    """All values of a sheet, every parameter spelled out; `sheet(values(s)) == s`."""

    deck: DeckOf[Sheet]
    """The cards of a round with these seats, where their number matters."""

    goal: Callable[[Sheet, Sequence[int]], Goal | None] = _each_by_itself
    """How far a series of rounds with these seats goes; None where each round stands for itself."""

    start: Callable[[Sheet, Sequence[int], Carry], State]
    """A round before its first action. `seats` are the boxes taking part in seat order from the dealer's left, the
    dealer last, () where boxes come in by their ante; `carry` is what the series' round before left, or None."""

    dealer: Callable[[State], int] | None = None
    """The box that dealt last, where the deal may move on within a round; None where it is the last of the seats."""

    legal: Callable[[State], tuple[Offer, ...]]
    """What may happen now."""

    act: Callable[[State, Action], State | Refusal]
    """The state after an action, or why the action is refused."""

    view: Callable[[State], View]
    """What may be seen of a round."""

    obstacle: Callable[[State], str] = _nothing_in_the_way
    """Why a round that has run out can't end as its rules say, in a sentence: it is held then (house.4). Mostly ""."""

    stages: Callable[[Sheet], Collection[str]] | None = None
    """The phases that a round by this sheet goes through, where not every round goes through all; in their order."""

    handed: Callable[[State], tuple[Handed, ...]] = _nothing_handed
    """For each box that is done with before the round's end what it has come to: all that it staked was swept, or what
    it won was handed over (house.7). It is the box's net, unless a later entry, ruling or correction changes that."""

    facts: Callable[[State], dict[str, Json]]
    """The line of contracts/adjudicate.md for a final state, every parameter spelled out, `id` left out."""

    read: Callable[[Mapping[str, Json]], Facts | Fault]
    """A line of contracts/adjudicate.md, checked."""

    slots: Callable[[Mapping[str, Json]], tuple[Slot, ...]]
    """What a correction may set in a line that `read` accepts (`lines.amend`), empty places included; never a
    parameter of the sheet."""

    stakes: Callable[[Facts, Sequence[Wager], Sheet, Carry], tuple[Wager, ...]] = _as_staked
    """The wagers that a corrected line implies, as `pay` needs them. Given are those that stood so far: what is still
    staked keeps its ordinal, what is new follows after the highest. Left out where no correction changes a stake."""

    settle: Callable[[Facts], dict[str, Json]]
    """What `manage.py adjudicate` prints for the line, without its `id`."""

    paying: Callable[[Sheet, Sequence[int]], Sequence[int]] = _by_number
    """The boxes in the order in which they are paid at the table."""

    finished: Callable[[Facts, Result], bool] = _whole
    """Whether the round of a line came to its end or is void; left out where `read` takes no other line (house.6)."""

    outcomes: Callable[[Facts, Result], tuple[Outcome, ...]]
    """The result box by box; also of a void round, whose result says no more than that."""

    pay: Callable[[Facts, Result, Sequence[Wager], Sheet, Carry], tuple[Pay, ...]]
    """What becomes of each wager, in their order."""

    carry: Callable[[Facts, Result, Sheet, Carry], Carry] = _nothing_carried
    """What the series' next round, with the same seats, starts with; None where no further round belongs to it."""

    totals: Callable[[Facts, Result, Sheet, Carry], Mapping[str, Json]] = _nothing_added_up
    """What each box has come to in the series with this round, for the log; {} where each round stands for itself or
    nothing is added up."""

    board: Callable[[Facts, Result, Sheet, Carry], Board | None] = _no_board
    """How the boxes stand after the round, for the screen; None where nothing is added up, and after a void round."""

    explain: Callable[[Facts, Result], tuple[Reason, ...]]
    """Why the result is what it is, step by step."""

    frequencies: Callable[[Sheet], tuple[Frequencies, ...]] = _nothing_counted
    """How often hands as they are dealt fall into each class, for who reads a sheet; () where that is not counted."""

    leaflet: Callable[[Sheet], Leaflet]
    """What players read of the rules by this sheet. Every clause that a result may cite is in it."""
