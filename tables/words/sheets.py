"""Rule sheets in words: the values of one as people read them, where it is in force, and what sets two apart."""

import difflib
import math
from decimal import Decimal
from functools import reduce
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone

from casino.games import registry
from casino.games.game import Field
from casino.games.leaflets import Row
from casino.models import Casino
from casino.money import Units
from payouts import edge_results

from ..models import RuleSheet
from ..verbs import rulesheets
from .console import CONSOLE
from .timeline import Reader, Words
from .wording import WORDING

MOST_CHANGES = 3
"""A terminal's notice names this many changes."""


class Value(NamedTuple):
    """A value of a sheet; `name` is the parameter's, followed by the category if it has several."""

    name: str
    label: str
    clause: str
    text: str


class Difference(NamedTuple):
    """Where two sheets differ, in words; `parts` of the texts are pairs of words and whether they differ."""

    label: str
    clause: str
    before: list
    after: list


class Comparison(NamedTuple):
    """A sheet beside another: where it differs, and what players would read differently.

    `same`: how many values both have.
    """

    values: list
    sentences: list
    same: int


class Desk:
    """What the pages share, read once: the casino's clock and, for each table, the sheet that it plays by and those to
    come, the next first."""

    def __init__(self):
        self.casino = Casino.objects.get()
        self.reader = Reader(True, ZoneInfo(self.casino.time_zone))
        self.now, self.coming, self.played = {}, {}, set()
        for place in rulesheets.places():
            self.played.add(place.sheet_id)
            if place.comes:
                self.coming.setdefault(place.table_id, []).append(place)
            else:
                self.now[place.table_id] = place

    def moment(self, at):
        return at and self.reader.exact(at)

    def table(self, table):
        """A table with the sheet that it plays by and those to come."""
        now = self.now.get(table.pk)
        return {
            "id": table.pk,
            "name": table.name,
            "now": now and self._place(now),
            "coming": [self._place(place) for place in self.coming.get(table.pk, [])],
        }

    def row(self, sheet):
        """A sheet: who drafted it, its state, and its tables."""
        coming = [place for places in self.coming.values() for place in places]
        return {
            "id": sheet.pk,
            "name": name(sheet),
            "code": sheet.game,
            "game": registry.GAMES[sheet.game].name,
            "version": sheet.version,
            "draft": sheet.status == RuleSheet.Status.DRAFT,
            "short": sheet.short,
            "drafted_by": self.reader.person(sheet.drafted_by),
            "drafted_at": self.moment(sheet.drafted_at),
            "published_by": sheet.published_by and self.reader.person(sheet.published_by),
            "published_at": self.moment(sheet.published_at),
            "edges": _edges(sheet),
            "reason": sheet.reason,
            "now": self._where(self.now.values(), sheet),
            "coming": self._where(coming, sheet),
            "played": sheet.pk in self.played,
        }

    def withdrawn(self, sheet):
        """The tables where the sheet was to come into force, until two people withdrew it."""
        people = ("table", "withdrawn_by", "withdrawn_with")
        return [
            {
                "table": place.table.name,
                "from": self.moment(place.from_at),
                "at": self.moment(place.withdrawn_at),
                "people": [self.reader.person(each) for each in (place.withdrawn_by, place.withdrawn_with)],
            }
            for place in sheet.in_force.exclude(withdrawn_at=None).select_related(*people).order_by("from_at", "pk")
        ]

    def beside(self, sheet):
        """The sheet beside every other sheet of its game that a table plays by now."""
        tables = {}
        for now in self.now.values():
            if now.sheet.game == sheet.game and now.sheet_id != sheet.pk:
                tables.setdefault(now.sheet, []).append(now.table.name)
        return [
            {
                "id": other.pk,
                "name": name(other),
                "short": other.short,
                "tables": ", ".join(names),
                **compared(other, sheet)._asdict(),
            }
            for other, names in tables.items()
        ]

    def _place(self, place):
        return {"sheet": place.sheet_id, "name": name(place.sheet), "from": self.moment(place.from_at)}

    def _where(self, places, sheet):
        return [
            {"id": place.pk, "table": place.table.name, "at": place.table_id, "from": self.moment(place.from_at)}
            for place in places
            if place.sheet_id == sheet.pk
        ]


def _edges(sheet):
    """The edges with which it was published: one, or one for each number of seats."""
    edges = sorted({edge_results.in_words(Decimal(pin["edge"])) for pin in sheet.edge or ()})
    return reduce(lambda one, other: CONSOLE("and", one=one, other=other), edges) if edges else ""


def name(sheet):
    return f"{registry.GAMES[sheet.game].name} {sheet.version}"


def values(sheet):
    """All values of a sheet as people read them, in the order of its game; coefficients one by one."""
    game = registry.GAMES[sheet.game]
    words, given = Words(game), rulesheets.values_of(sheet)
    return [each for parameter in game.parameters for each in _values(words, parameter, given[parameter.name])]


def _values(words, parameter, value):
    if parameter.kind == "ratios":
        return [
            Value(f"{parameter.name}.{category}", words.word(category), parameter.clause, _ratio(ratio))
            for category, ratio in value.items()
        ]
    return [Value(parameter.name, parameter.label, parameter.clause, _spell(words, parameter, value))]


def _ratio(ratio):
    one, other = ratio.split(":")
    return WORDING("number.ratio", one=one, other=other)


def _spell(words, parameter, value):
    if value is None:
        return WORDING("rules.none")
    return words.value(Field(parameter.name, parameter.kind, parameter.label), value)


def compared(before, after):
    """A sheet beside an earlier one of its game."""
    other, same = changed(before, after)
    return Comparison(other, _sentences(before, after), same)


def changed(before, after):
    """Where a sheet differs from an earlier one of its game, and how many values both share."""
    none = WORDING("rules.none")
    was, is_now = values(before), values(after)
    names = {each.name: each for each in was}
    pairs = [(names[each.name], each) for each in is_now if each.name in names]
    other = [_difference(each.label, each.clause, old.text, each.text) for old, each in pairs if old.text != each.text]
    other += [_difference(each.label, each.clause, none, each.text) for each in is_now if each.name not in names]
    there = {each.name for each in is_now}
    other += [_difference(each.label, each.clause, each.text, none) for each in was if each.name not in there]
    return other, sum(old.text == each.text for old, each in pairs)


def at_table(before, after, *, place=None, in_series=False):
    """What a terminal says about new rules that are to come, with their moment, or that count from the next round on.

    :param place: the row by which the sheet is to come; None if its moment has passed.
    :param in_series: whether a series runs, which keeps its sheet.
    """
    if place:
        at = place.from_at.astimezone(ZoneInfo(Casino.objects.get().time_zone))
        fact = WORDING("rules.from", at=at.strftime("%H:%M"), sheet=name(after))
    else:
        fact = WORDING("rules.after_series" if in_series else "rules.next_round", sheet=name(after))
    return {
        "fact": fact,
        "way_out": _in_short(before, after),
        "comes_in": place and max(0, math.ceil((place.from_at - timezone.now()).total_seconds())),
    }


def _in_short(before, after):
    """What changes, in a line; the players' page has the rest."""
    if before is None or before.game != after.game:
        return WORDING("rules.another_game")
    changes = [
        WORDING("rules.change", what=each.label, before=_plain(each.before), after=_plain(each.after))
        for each in changed(before, after)[0]
    ]
    more = len(changes) - MOST_CHANGES
    return " ".join([*changes[:MOST_CHANGES], *([WORDING("rules.more", count=more)] if more > 0 else [])])


def _plain(parts):
    return " ".join(text for text, _ in parts) or WORDING("rules.none")


def _sentences(before, after):
    """What players would read differently, sentence by sentence; a sentence that is new or gone stands alone."""
    was, is_now = _said(before), _said(after)
    matcher = difflib.SequenceMatcher(None, was, is_now, autojunk=False)
    differences = []
    for kind, first, last, begin, end in matcher.get_opcodes():
        if kind == "equal":
            continue
        for place in range(max(last - first, end - begin)):
            old = was[first + place] if first + place < last else None
            new = is_now[begin + place] if begin + place < end else None
            label, clause, _ = new or old
            differences.append(_difference(label, clause, old[2] if old else "", new[2] if new else ""))
    return differences


def _said(sheet):
    """(lead, clause, sentence) of everything on the players' page but the values at a glance."""
    game = registry.GAMES[sheet.game]
    leaflet = game.leaflet(rulesheets.checked(sheet))
    words = Words(game)
    rows = [
        (row.label, row.clause, words.amount(row.value) if isinstance(row.value, Units) else row.value)
        for row in leaflet.statements()
        if isinstance(row, Row)
    ]
    return rows + [
        (rule.lead, sentence.clause, sentence.text)
        for chapter in leaflet.chapters
        for rule in chapter.rules
        for sentence in rule.sentences
    ]


def _difference(label, clause, before, after):
    return Difference(label, clause, *_parts(before, after))


def _parts(before, after):
    """Two texts, each as runs of words with whether they differ from the other text.

    >>> _parts("paid 5 to 1", "paid 6 to 1")
    ([('paid', False), ('5', True), ('to 1', False)], [('paid', False), ('6', True), ('to 1', False)])
    """
    was, is_now = before.split(" ") if before else [], after.split(" ") if after else []
    old, new = [], []
    for kind, first, last, begin, end in difflib.SequenceMatcher(None, was, is_now, autojunk=False).get_opcodes():
        differs = kind != "equal"
        if last > first:
            old.append((" ".join(was[first:last]), differs))
        if end > begin:
            new.append((" ".join(is_now[begin:end]), differs))
    return old, new
