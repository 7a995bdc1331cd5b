"""What happened in a round, in order of time and in words: who, when, at which terminal, and what no longer counts."""

import datetime as dt
import itertools
import json
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils.timezone import get_current_timezone

from audit import form
from audit.models import Entry
from casino.games import lines, registry
from casino.games.sentences import word
from casino.models import Casino, Staff
from casino.roles import Right
from casino.wording import amount, read
from payouts.models import PaymentTick, Settlement

from ..models import Action, Intervention
from ..verbs import fold, rulesheets
from ..verbs.papers import spelled as spelled_at
from . import dates, disputes
from .actions import kind_label, person
from .cards import backs, spell
from .wording import WORDING

NOTHING = "—"
DID = {
    Intervention.Kind.REPORTED: "did.reported",
    Intervention.Kind.HELD: "did.held",
    Intervention.Kind.RELEASED: "did.released",
    Intervention.Kind.VOIDED: "did.voided",
    Intervention.Kind.CORRECTED: "did.corrected",
}
ARGUMENTS = {"extra": "argument.extra", "small": "argument.small"}
"""What an action's further cards are called, by the name of their argument."""


class Reader(NamedTuple):
    """A person who looks, and how people and times appear to them: names are for those whose screens no guest sees."""

    named: bool
    zone: ZoneInfo

    @classmethod
    def of(cls, staff):
        """A member of staff who looks."""
        return cls(staff.has_perm(Right.READ_NAMES), ZoneInfo(Casino.objects.get().time_zone))

    @classmethod
    def in_full(cls):
        """A person who may read every name, in the time of the site."""
        return cls(named=True, zone=get_current_timezone())

    def person(self, staff):
        if staff is None:
            return WORDING("system")
        return staff.named if self.named else person(staff.pk)

    def clock(self, at):
        return at and at.astimezone(self.zone).strftime("%H:%M:%S")

    def day(self, at):
        return dates.day(at.astimezone(self.zone))

    def exact(self, at):
        return dates.exact(at.astimezone(self.zone))

    def moment(self, at):
        """A day and a time of it, without the year and the seconds: `19 Nov 14:10`."""
        return dates.moment(at.astimezone(self.zone))


class Change(NamedTuple):
    """One value of a line before and after, in words."""

    label: str
    before: str
    after: str


class Moment(NamedTuple):
    """One thing that happened. `by` is None if the system did it; `action` numbers what croupiers enter.

    `struck` says in words what took the action back; it is empty while the action counts.
    """

    at: dt.datetime
    by: Staff | None
    what: str
    box: int | None = None
    clause: str = ""
    reason: str = ""
    approved_by: Staff | None = None
    terminal: str = ""
    action: int | None = None
    struck: str = ""
    changes: tuple = ()


class Words:
    """Codes, cards and amounts of a game as people read them; `deck` is the usual sheet's if none is given."""

    def __init__(self, game, deck=None):
        self.game = game
        self.deck = deck or game.deck(game.sheet({}))
        self.decimals = Casino.objects.get().currency_decimals

    def word(self, code):
        """What a code is called."""
        return read(word(self.game.words, code))

    def amount(self, units, *, signed=False):
        return ("+" if signed and units > 0 else "") + amount(units, self.decimals)

    def cards(self, codes):
        return spell(self.deck, codes)

    def value(self, field, value):
        """A slot's value."""
        if value is None:
            return NOTHING
        match field.kind:
            case "cards":
                return self.cards(value)
            case "card":
                return self.cards([value])
            case "units":
                return self.amount(value)
            case "flag":
                return WORDING("yes" if value else "no")
            case "choice":
                return self.word(value)
        return str(value)

    def arguments(self, given):
        """What an action carried: the first value by itself, lists after it by name."""
        texts = []
        for name, value in given.items():
            if isinstance(value, list):
                text = self.cards(value)
            elif isinstance(value, str):
                text = self.cards([value]) if value in self.deck.faces else self.word(value)
            else:
                text = self.amount(value) if name == "units" and isinstance(value, int) else str(value)
            if texts and isinstance(value, list):
                what = WORDING(ARGUMENTS[name]) if name in ARGUMENTS else name.replace("_", " ")
                text = WORDING("argument", name=what, value=text)
            texts.append(text)
        return ", ".join(texts)


def words(round_):
    """The words for a round, with the deck that its sheet sets."""
    game = registry.GAMES[round_.sheet.game]
    return Words(game, game.deck(rulesheets.checked(round_.sheet), round_.seats))


def changes(words, before, after):
    """What differs between two lines of a round, in the order of their slots."""
    earlier = {slot.path: slot.value for slot in lines.slots(words.game, before)}
    return tuple(
        Change(slot.label, words.value(slot.field, earlier.get(slot.path)), words.value(slot.field, slot.value))
        for slot in lines.slots(words.game, after)
        if slot.value != earlier.get(slot.path)
    )


def of(round_):
    """Every moment of a round, the earliest first."""
    words_ = words(round_)
    lines = list(round_.lines.select_related("by"))
    interventions = list(round_.interventions.select_related("by", "approved_by", "terminal"))
    # Rows have the time of their statement, a settlement that of its transaction's begin.
    corrected_at = {intervention.line_id: intervention.at for intervention in interventions if intervention.line_id}
    line_at = {line.ordinal: corrected_at.get(line.pk, line.at) for line in lines}
    terminals = _terminals(round_)
    # Each with its place among moments of the same time: the times shown are sorted, and never run backwards.
    placed = [(0, _opened(round_, terminals))]
    placed += [(1, moment) for moment in _actions(round_, words_)]
    placed += [(1, moment) for moment in _interventions(interventions, lines, words_)]
    placed += [(1, moment) for moment in _disputes(round_)]
    placed += [(2, _closed(line, terminals)) for line in lines[:1]]
    for settlement in Settlement.objects.filter(round_key=round_.ref):
        placed.append((3, _settled(settlement, max(settlement.begun_at, line_at[settlement.line_ordinal]))))
    placed += [(4, moment) for moment in _ticks(round_, terminals)]
    return [moment for _, moment in sorted(placed, key=lambda each: (each[1].at, each[0]))]


def rows(round_, reader):
    """The timeline as rows; `day` stands on the first of each day."""
    lines = []
    for moment in of(round_):
        day = reader.day(moment.at)
        lines.append(
            {
                "day": "" if lines and lines[-1]["of_day"] == day else day,
                "of_day": day,
                "at": moment.at.isoformat(),
                "clock": reader.clock(moment.at),
                "by": reader.person(moment.by),
                "approved_by": reader.person(moment.approved_by) if moment.approved_by else "",
                "terminal": moment.terminal,
                "action": moment.action,
                "box": moment.box,
                "what": moment.what,
                "clause": moment.clause,
                "reason": moment.reason,
                "struck": moment.struck,
                "changes": [change._asdict() for change in moment.changes],
            }
        )
    return lines


def _opened(round_, terminals):
    if round_.paper:
        what = WORDING("moment.opened:paper", paper=round_.paper, time=spelled_at(round_.happened_at))
    else:
        what = WORDING("moment.opened")
    return Moment(
        round_.opened_at,
        round_.opened_by,
        what,
        approved_by=round_.opened_with,
        terminal=terminals.get("round.opened", ""),
    )


def _closed(line, terminals):
    return Moment(line.at, line.by, WORDING("moment.closed"), terminal=terminals.get("round.closed", ""))


def _disputes(round_):
    """Disputes raised and ruled on; the statement is for those who rule."""
    for dispute in round_.disputes.select_related("raised_by", "ruled_by", "approved_by", "terminal"):
        name, about = disputes.name(dispute), disputes.within(dispute)
        if dispute.boxes:
            what = WORDING("moment.raised:boxes", dispute=name, about=about, boxes=", ".join(map(str, dispute.boxes)))
        else:
            what = WORDING("moment.raised", dispute=name, about=about)
        terminal = dispute.terminal.name if dispute.terminal else ""
        yield Moment(dispute.raised_at, dispute.raised_by, what, terminal=terminal)
        if dispute.ruling:
            yield Moment(
                dispute.ruled_at,
                dispute.ruled_by,
                WORDING("moment.ruled", dispute=name, ruling=dispute.get_ruling_display()),
                clause=dispute.clause,
                reason=dispute.reason,
                approved_by=dispute.approved_by,
            )


def _settled(settlement, at):
    number = settlement.generation
    if number == 1:
        return Moment(at, None, WORDING("moment.settled"))
    return Moment(at, None, WORDING("moment.settled:again", settlement=number, before=number - 1))


def _ticks(round_, terminals):
    ticks = PaymentTick.objects.filter(payment__settlement__round_key=round_.ref)
    for tick in ticks.select_related("by", "left_with", "payment__settlement"):
        payment = tick.payment
        yield Moment(
            tick.at,
            tick.by,
            WORDING("moment.left" if tick.left else "moment.ticked", settlement=payment.settlement.generation),
            payment.box,
            approved_by=tick.left_with,
            terminal=terminals.get(f"payment:{payment.pk}", ""),
        )


def _terminals(round_):
    """The terminals at which a round was opened, closed and ticked: those rows have none, but the log does."""
    terminals = {}
    events = ("round.opened", "round.closed", "payment.ticked", "payment.left")
    for body in Entry.objects.filter(subject=round_.ref, event__in=events).values_list("body", flat=True):
        entry = form.lenient(body)
        terminals[str(form.facts(body).get("payment", entry.get("event")))] = str(entry.get("terminal") or "")
    return terminals


def _actions(round_, words):
    actions = list(round_.actions.select_related("by", "approved_by", "terminal"))
    later = {action.undoes: action for action in actions if action.undoes}
    folded = fold.of(round_, actions=actions)
    face_down, lost = fold.face_down(round_, actions, folded), fold.lost(folded, actions)
    for action in actions:
        yield Moment(
            action.at,
            action.by,
            _entered(action, words, face_down.get(action.ordinal)),
            action.box,
            approved_by=action.approved_by,
            terminal=action.terminal.name if action.terminal else "",
            action=action.ordinal,
            struck=lost.get(action.ordinal) or _struck(later.get(action.ordinal)),
        )


def _entered(action, words, face_down):
    """An action in words; `face_down` is what may be said about it if its cards lie face down."""
    if action.kind == Action.UNDO:
        return WORDING("moment.takes_back", action=action.undoes)
    values = backs(face_down.cards) if face_down else words.arguments(action.arguments)
    label = kind_label(words.game, action.kind)
    text = WORDING("labelled", label=label, text=values) if values else label
    return WORDING("moment.in_place", what=text, action=action.undoes) if action.undoes else text


def _struck(by):
    if by is None:
        return ""
    return WORDING("moment.undone" if by.kind == Action.UNDO else "moment.amended", action=by.ordinal)


def done(intervention, game):
    """What an intervention did, with the irregularity that was put on record or held the round."""
    what = WORDING(DID[intervention.kind])
    if intervention.kind not in {Intervention.Kind.REPORTED, Intervention.Kind.HELD}:
        return what
    events = {case.clause: case.event for case in game.irregularities}
    event = events.get(intervention.clause) or WORDING("unsettled")
    return WORDING("labelled", label=what, text=event)


def _interventions(interventions, lines, words):
    following = {after.pk: (before, after) for before, after in itertools.pairwise(lines)}
    for intervention in interventions:
        what, changed = done(intervention, words.game), ()
        if intervention.line_id in following:
            before, after = following[intervention.line_id]
            what = WORDING("moment.line", what=what, line=after.ordinal)
            changed = changes(words, json.loads(before.text), json.loads(after.text))
        yield Moment(
            intervention.at,
            intervention.by,
            what,
            intervention.box,
            clause=intervention.clause or "",
            reason=intervention.reason,
            approved_by=intervention.approved_by,
            terminal=intervention.terminal.name if intervention.terminal else "",
            changes=changed,
        )
