"""A round's actions as primitives for the templates: what was entered, by whom, and what became of it.

It knows the game only by its offers and its words.
"""

from collections import Counter
from zoneinfo import ZoneInfo

from casino.wording import read

from ..models import Action
from ..verbs import fold, rounds, rulesheets
from .cards import backs, spell
from .wording import WORDING

ENTERED = {*fold.CARDS, "units", "count"}
RECENT = 3


def person(staff_id):
    """A member of staff on a screen that others see: a number, never a name."""
    return WORDING("staff", number=staff_id)


def kind_label(game, kind):
    """What a kind of action is called; as it was written if the game has no such kind."""
    return game.actions[kind].label if kind in game.actions else WORDING("unknown_kind", kind=kind)


def croupier(staff_id):
    """A croupier on a public screen: a number, never a name."""
    return person(staff_id) if staff_id else WORDING("no_croupier")


class Actions:
    """All actions of a round in order; `actions` are its rows, `folded` what they come to."""

    def __init__(self, round_, folded, actions, ground):
        self.game, self.state, self.counting = folded.game, folded.state, folded.counting
        self.round, self.actions, self.ground = round_, actions, ground
        self.deck = self.game.deck(rulesheets.checked(round_.sheet), round_.seats)
        self.phase = self.game.view(self.state).phase
        self.by_ordinal = {action.ordinal: action for action in actions}
        self.later = {action.undoes: action for action in actions if action.undoes}
        self.lost = fold.lost(folded, actions)
        self.face_down = fold.face_down(round_, actions, folded)
        self.took, self.seen = self._offers(folded)

    def _offers(self, folded):
        """The offer that each counting action took up, by ordinal; and every offer on the way, by (kind, box)."""
        took, seen = {}, {}
        for action, before, _ in folded.steps:
            offers = fold.offers(self.game, before)
            seen = offers | seen
            took[action.ordinal] = offers[action.kind, action.box]
        return took, fold.offers(self.game, self.state) | seen

    def listed(self, *, amendable):
        """Every action, oldest first; `amendable`: whether the screen's reader may amend."""
        return [self._primitives(action, amendable) for action in self.actions]

    def _primitives(self, action, amendable):
        later = self.later.get(action.ordinal)
        mark = ""
        if later:
            mark = WORDING("taken_back_by" if later.kind == Action.UNDO else "amended_by", number=later.ordinal)
        elif action.undoes and action.kind != Action.UNDO:
            mark = WORDING("in_place", number=action.undoes)
        if action.ordinal in self.lost:
            mark = self._lost(action.ordinal)
        zone = ZoneInfo(self.ground.casino.time_zone)
        people = [each for each in (action.by_id, action.approved_by_id) if each]
        return {
            "number": action.ordinal,
            "phase": self.game.phases.get(action.phase, action.phase),
            "what": self.what(action),
            "who": ", ".join(map(person, people)),
            "terminal": action.terminal.name if action.terminal else "",
            "time": action.at.astimezone(zone).strftime("%H:%M:%S"),
            "out": later is not None or action.ordinal in self.lost,
            "mark": mark,
            "amend": amendable and action.ordinal in self.took and self.amendable(action.ordinal),
        }

    def _lost(self, ordinal):
        """Why an action that nobody took back does not count."""
        first = next(iter(self.lost))
        return WORDING("lost") if ordinal == first else WORDING("lost:behind", number=first)

    def what(self, action, *, short=False):
        """An action in words; `short` leaves out the long parts."""
        if action.kind == Action.UNDO:
            what = self.what(self.by_ordinal[action.undoes], short=True)
            return WORDING("takes_back", number=action.undoes, what=what)
        offer = self._offer(action)
        label = offer.label if offer else kind_label(self.game, action.kind)
        if offer is None and action.box is not None:
            label = WORDING("of_box", label=label, box=action.box)
        values = self._arguments(action, offer)
        if short and sum(map(len, values)) > 8:
            return label
        return WORDING("with_values", label=label, values=", ".join(values)) if values else label

    def _offer(self, action):
        return self.took.get(action.ordinal) or self.seen.get((action.kind, action.box))

    def _arguments(self, action, offer):
        if action.ordinal in self.face_down:
            return [backs(self.face_down[action.ordinal].cards)]
        kinds = {field.name: field.kind for field in offer.fields} if offer else {}
        return [self._value(kinds.get(name), value) for name, value in action.arguments.items() if value is not None]

    def _value(self, kind, value):
        """A value in words; as it is if it is of another kind, as in an action that does not follow."""
        if kind == "units" and isinstance(value, int):
            return self.ground.spell(value)
        if kind in fold.CARDS:
            return spell(self.deck, value if isinstance(value, list) else [value])
        if kind == "choice" and isinstance(value, str):
            return read(self.game.words.get(value, value))
        return str(value)

    def recent(self):
        """The last few actions that count, oldest first."""
        return [{"number": action.ordinal, "what": self.what(action, short=True)} for action in self.counting[-RECENT:]]

    def news(self):
        """Recent actions in words, by number, so that a screen whose command came too late can say what was faster."""
        return {action.ordinal: self.what(action, short=True) for action in self.actions[-RECENT:]}

    def undo(self):
        """What an undo would take back, and whether a pit boss must sign it; None without an action."""
        if not self.counting:
            return None
        last = self.counting[-1]
        return {"label": self.what(last, short=True), "why": self.signed(last)}

    def undone(self):
        """The box of the newest action if that is an undo, else None."""
        last = self.actions[-1] if self.actions else None
        return last.box if last and last.kind == Action.UNDO else None

    def moves_back(self):
        """Box to the units that go back to it (below 0: from it) if the newest action changed earlier ones, and so
        undid what was swept or handed over in the round (house.7)."""
        last = self.actions[-1] if self.actions else None
        if last is None or not last.undoes:
            return {}
        before = fold.of(self.round, upto=last.ordinal - 1, actions=self.actions)
        had, has = ({each.box: each.units for each in self.game.handed(state)} for state in (before.state, self.state))
        return {box: has.get(box, 0) - units for box, units in had.items() if has.get(box, 0) != units}

    def signed(self, action):
        """Why a pit boss signs a change to an action; "" if the croupier does it alone."""
        if rounds.role_of(self.game, action.kind) == "pit_boss":
            return WORDING("ruling")
        if action.phase != self.phase:
            phases = self.game.phases
            entered = phases.get(action.phase, action.phase)
            return WORDING("entered_in", entered=entered, now=phases[self.phase])
        return ""

    def amendable(self, ordinal):
        """Whether an action that counts has a card, a stake or a number."""
        return any(field.kind in ENTERED for field in self.took[ordinal].fields)

    def to_amend(self, ordinal):
        """An action that counts and can be amended, with the offer that it took up; else None."""
        if ordinal not in self.took or not self.amendable(ordinal):
            return None
        return self.by_ordinal[ordinal], self.took[ordinal]

    def values(self, ordinal):
        """The values with which an amendment begins; cards that lie face down are entered anew."""
        arguments = self.by_ordinal[ordinal].arguments
        if ordinal not in self.face_down:
            return dict(arguments)
        cards = {field.name: field for field in self.took[ordinal].fields if field.kind in fold.CARDS}
        kept = {name: value for name, value in arguments.items() if name not in cards}
        return kept | {name: [] for name, field in cards.items() if not field.options}

    def free(self, ordinal):
        """How often each card may be entered although it lies somewhere: an amended action's own cards.

        If these lie face down, all face-down cards are free, so that nothing is given away.
        """
        own = self._cards(self.by_ordinal[ordinal])
        if ordinal not in self.face_down:
            return own
        seen = {card for hand in self.game.view(self.state).hands for card in hand.cards}
        hidden = (self._cards(action) for action in self._of_this_phase() if action.ordinal in self.face_down)
        return sum(hidden, Counter({card: count for card, count in own.items() if card in seen}))

    def of_this_phase(self):
        """How often each card was entered in the round's present phase."""
        return sum(map(self._cards, self._of_this_phase()), Counter())

    def _of_this_phase(self):
        return [action for action in self.counting if action.phase == self.phase]

    def _cards(self, action):
        return fold.cards_of(self.took[action.ordinal], action.arguments)
