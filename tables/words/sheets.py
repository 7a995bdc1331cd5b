"""Rule sheets in words: the values of one as people read them, and what sets two apart."""

import difflib
from typing import NamedTuple

from casino.games import registry
from casino.games.game import Field
from casino.games.leaflets import Row
from casino.money import Units

from ..verbs import rulesheets
from .timeline import Words


class Value(NamedTuple):
    """A value of a sheet; `name` is the parameter's, with the category behind it where it has several."""

    name: str
    label: str
    clause: str
    text: str


class Difference(NamedTuple):
    """What two sheets have otherwise, in words; `parts` of the texts are pairs of words and whether they differ."""

    label: str
    clause: str
    before: list
    after: list


class Comparison(NamedTuple):
    """A sheet beside another: what it has otherwise, and what players would read otherwise.

    `same`: how many values both have.
    """

    values: list
    sentences: list
    same: int


def values(sheet):
    """All values of a sheet as people read them, in the order of its game; coefficients one by one."""
    game = registry.GAMES[sheet.game]
    words, given = Words(game), rulesheets.values_of(sheet)
    return [each for parameter in game.parameters for each in _values(words, parameter, given[parameter.name])]


def _values(words, parameter, value):
    if parameter.kind == "ratios":
        return [
            Value(f"{parameter.name}.{category}", words.word(category), parameter.clause, ratio.replace(":", " to "))
            for category, ratio in value.items()
        ]
    return [Value(parameter.name, parameter.label, parameter.clause, _spell(words, parameter, value))]


def _spell(words, parameter, value):
    if value is None:
        return "none"
    return words.value(Field(parameter.name, parameter.kind, parameter.label), value)


def compared(before, after):
    """A sheet beside an earlier one of its game."""
    was, is_now = values(before), values(after)
    names = {each.name: each for each in was}
    pairs = [(names[each.name], each) for each in is_now if each.name in names]
    other = [_difference(each.label, each.clause, old.text, each.text) for old, each in pairs if old.text != each.text]
    other += [_difference(each.label, each.clause, "none", each.text) for each in is_now if each.name not in names]
    there = {each.name for each in is_now}
    other += [_difference(each.label, each.clause, each.text, "none") for each in was if each.name not in there]
    return Comparison(other, _sentences(before, after), sum(old.text == each.text for old, each in pairs))


def _sentences(before, after):
    """What players would read otherwise, sentence by sentence; a sentence that is new or gone stands alone."""
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
    """(lead, clause, sentence) of everything on the players' page that is no value at a glance."""
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
    """Two texts, each as runs of words with whether the other text has them otherwise.

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
