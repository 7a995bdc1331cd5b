"""What happened in a round, in order of time and in words: who, when, at which terminal, and what no longer counts."""

import datetime as dt
import itertools
import json
from typing import NamedTuple
from zoneinfo import ZoneInfo

from audit.models import Entry
from casino.games import registry
from casino.models import Casino, Staff
from casino.money import spell
from payouts.models import PaymentTick, Settlement

from ..models import Action, Intervention
from ..terminal import felt
from ..verbs import fold, rulesheets

NOTHING = "—"
DID = {
    Intervention.Kind.REPORTED: "Irregularity reported",
    Intervention.Kind.HELD: "Held",
    Intervention.Kind.RELEASED: "Released",
    Intervention.Kind.VOIDED: "Void, all stakes go back",
    Intervention.Kind.CORRECTED: "Corrected",
}


class Reader(NamedTuple):
    """Who looks at a round, and how people and times look to them: names are for who may read the floor."""

    named: bool
    zone: ZoneInfo

    def person(self, staff):
        if staff is None:
            return "System"
        return f"Staff {staff.pk}, {staff.name}" if self.named else f"Staff {staff.pk}"

    def clock(self, at):
        return at and at.astimezone(self.zone).strftime("%H:%M:%S")

    def day(self, at):
        local = at.astimezone(self.zone)
        return f"{local.day} {local:%b %Y}"


class Change(NamedTuple):
    """One value of a line before and after, in words."""

    label: str
    before: str
    after: str


class Moment(NamedTuple):
    """One thing that happened. `by` is None where the system did it; `entry` numbers what croupiers enter.

    `struck` says in words what took the entry back; it is empty while the entry counts.
    """

    at: dt.datetime
    by: Staff | None
    what: str
    box: int | None = None
    clause: str = ""
    reason: str = ""
    approved_by: Staff | None = None
    terminal: str = ""
    entry: int | None = None
    struck: str = ""
    changes: tuple = ()


class Words:
    """Codes, cards and amounts of a game as people read them; `deck` is that of the usual sheet if none is given."""

    def __init__(self, game, deck=None):
        self.game = game
        self.deck = deck or game.deck(game.sheet({}))
        self.decimals = Casino.objects.get().currency_decimals

    def word(self, code):
        """What a code is called; a word with a space or a clause is its own."""
        return self.game.words.get(code) or (code if "." in code else code.replace("_", " ").capitalize())

    def amount(self, units, *, signed=False):
        return ("+" if signed and units > 0 else "") + spell(units, self.decimals)

    def cards(self, codes):
        return felt.spell(self.deck, codes)

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
                return "yes" if value else "no"
            case "choice":
                return self.word(value)
        return str(value)

    def arguments(self, given):
        """What an action carried: the first value by itself, lists after it by name."""
        told = []
        for name, value in given.items():
            if isinstance(value, list):
                text = self.cards(value)
            elif isinstance(value, str):
                text = self.cards([value]) if value in self.deck.faces else self.word(value)
            else:
                text = self.amount(value) if name == "units" else str(value)
            told.append(f"{name.replace('_', ' ')} {text}" if told and isinstance(value, list) else text)
        return ", ".join(told)


def words(round_):
    """The words for a round, with the deck that its sheet sets."""
    game = registry.GAMES[round_.sheet.game]
    return Words(game, game.deck(rulesheets.checked(round_.sheet), round_.seats))


def changes(words, before, after):
    """What differs between two lines of a round, in the order of their slots."""
    found = {slot.path: slot.value for slot in words.game.slots(before)}
    return tuple(
        Change(slot.label, words.value(slot.field, found.get(slot.path)), words.value(slot.field, slot.value))
        for slot in words.game.slots(after)
        if slot.value != found.get(slot.path)
    )


def of(round_):
    """Every moment of a round, the earliest first."""
    words_ = words(round_)
    lines = list(round_.lines.select_related("by"))
    interventions = list(round_.interventions.select_related("by", "approved_by", "terminal"))
    # What a transaction wrote has the time of its statements, a settlement that of its begin.
    corrected_at = {made.line_id: made.at for made in interventions if made.line_id}
    line_at = {line.ordinal: corrected_at.get(line.pk, line.at) for line in lines}
    terminals = _terminals(round_)
    timed = [(round_.opened_at, 0, _opened(round_, terminals))]
    timed += [(moment.at, 1, moment) for moment in _actions(round_, words_)]
    timed += [(moment.at, 1, moment) for moment in _interventions(interventions, lines, words_)]
    timed += [(moment.at, 1, moment) for moment in _disputes(round_)]
    timed += [(line.at, 2, _closed(line, terminals)) for line in lines[:1]]
    for settlement in Settlement.objects.filter(round_key=round_.ref):
        at = max(settlement.begun_at, line_at[settlement.line_ordinal])
        timed.append((at, 3, _settled(settlement)))
    timed += [(moment.at, 4, moment) for moment in _ticks(round_, terminals)]
    return [moment for *_, moment in sorted(timed, key=lambda item: item[:2])]


def rows(round_, reader):
    """The timeline as rows; `day` stands on the first of each day."""
    shown = []
    for moment in of(round_):
        day = reader.day(moment.at)
        shown.append(
            {
                "day": "" if shown and shown[-1]["of_day"] == day else day,
                "of_day": day,
                "at": moment.at.isoformat(),
                "clock": reader.clock(moment.at),
                "by": reader.person(moment.by),
                "approved_by": reader.person(moment.approved_by) if moment.approved_by else "",
                "terminal": moment.terminal,
                "entry": moment.entry,
                "box": moment.box,
                "what": moment.what,
                "clause": moment.clause,
                "reason": moment.reason,
                "struck": moment.struck,
                "changes": [change._asdict() for change in moment.changes],
            }
        )
    return shown


def _opened(round_, terminals):
    return Moment(round_.opened_at, round_.opened_by, "Round opened", terminal=terminals.get("round.opened", ""))


def _closed(line, terminals):
    return Moment(line.at, line.by, "Round closed", terminal=terminals.get("round.closed", ""))


def _disputes(round_):
    """Disputes raised and ruled on; the statement is for who rules."""
    for made in round_.disputes.select_related("raised_by", "ruled_by", "approved_by", "terminal"):
        boxes = f", box {', '.join(map(str, made.boxes))}" if made.boxes else ""
        terminal = made.terminal.name if made.terminal else ""
        yield Moment(made.raised_at, made.raised_by, f"{made} raised: {made.about}{boxes}", terminal=terminal)
        if made.ruling:
            yield Moment(
                made.ruled_at,
                made.ruled_by,
                f"{made} {made.get_ruling_display()}",
                clause=made.clause,
                reason=made.reason,
                approved_by=made.approved_by,
            )


def _settled(settlement):
    generation = settlement.generation
    again = f"Settled again, generation {generation}: generation {generation - 1} is reversed"
    return Moment(settlement.begun_at, None, again if generation > 1 else "Settled, generation 1")


def _ticks(round_, terminals):
    ticks = PaymentTick.objects.filter(payment__settlement__round_key=round_.ref)
    for tick in ticks.select_related("by", "payment__settlement"):
        payment = tick.payment
        what = f"Ticked as paid, generation {payment.settlement.generation}"
        yield Moment(tick.at, tick.by, what, payment.box, terminal=terminals.get(f"payment:{payment.pk}", ""))


def _terminals(round_):
    """Where a round was opened, closed and ticked: rows of these have no terminal, the log has."""
    found = {}
    events = ("round.opened", "round.closed", "payment.ticked")
    for body in Entry.objects.filter(subject=round_.ref, event__in=events).values_list("body", flat=True):
        told = json.loads(body)
        found[told["facts"].get("payment", told["event"])] = told["terminal"] or ""
    return found


def _actions(round_, words):
    actions = list(round_.actions.select_related("by", "approved_by", "terminal"))
    later = {action.undoes: action for action in actions if action.undoes}
    face_down = fold.face_down(round_, actions)
    for action in actions:
        yield Moment(
            action.at,
            action.by,
            _entered(action, words, face_down.get(action.ordinal)),
            action.box,
            approved_by=action.approved_by,
            terminal=action.terminal.name if action.terminal else "",
            entry=action.ordinal,
            struck=_struck(later.get(action.ordinal)),
        )


def _entered(action, words, face_down):
    """An entry in words; `face_down` is what may be told of it if its cards lie face down."""
    if action.kind == Action.UNDO:
        return f"Takes entry {action.undoes} back"
    told = felt.backs(face_down.cards) if face_down else words.arguments(action.arguments)
    label = words.game.actions[action.kind].label
    text = f"{label}: {told}" if told else label
    return f"{text}, in place of entry {action.undoes}" if action.undoes else text


def _struck(by):
    if by is None:
        return ""
    return f"undone by entry {by.ordinal}" if by.kind == Action.UNDO else f"amended by entry {by.ordinal}"


def _interventions(interventions, lines, words):
    events = {known.clause: known.event for known in words.game.irregularities}
    following = {after.pk: (before, after) for before, after in itertools.pairwise(lines)}
    for made in interventions:
        what = DID[made.kind]
        if made.kind in {Intervention.Kind.REPORTED, Intervention.Kind.HELD}:
            what += f": {events.get(made.clause, 'it could not be settled')}"
        changed = ()
        if made.line_id in following:
            before, after = following[made.line_id]
            what += f", line {after.ordinal}"
            changed = changes(words, json.loads(before.text), json.loads(after.text))
        yield Moment(
            made.at,
            made.by,
            what,
            made.box,
            clause=made.clause or "",
            reason=made.reason,
            approved_by=made.approved_by,
            terminal=made.terminal.name if made.terminal else "",
            changes=changed,
        )
