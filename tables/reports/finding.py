"""Finding a report by what somebody calls it: by our words, a regulator's, or those of a question."""

import re
from typing import NamedTuple

from .columns import Report

# Words of a question that don't distinguish reports.
_SMALL = {
    "a", "about", "after", "all", "an", "and", "are", "at", "be", "been", "by", "can", "did", "do", "for", "from",
    "has", "have", "how", "i", "in", "is", "it", "many", "much", "of", "on", "or", "the", "their", "them", "there",
    "these", "this", "to", "was", "were", "what", "when", "where", "which", "who", "whom", "whose", "will", "with"
}  # fmt: skip
_WORD = re.compile(r"[0-9a-z][0-9a-z:.&/-]*[0-9a-z]")
# This much of a longer word counts: "corrected" finds "corrections".
_STEM = 6


class Choice(NamedTuple):
    """Reports that have every word searched for or, as `some` says, those that have most of them."""

    reports: list[Report]
    some: bool


def choice(sought, reports):
    """The reports in whose names, answers or other names the words stand."""
    words = set(_WORD.findall(sought.casefold()))
    words = words - _SMALL or words
    if not words:
        return Choice(list(reports) if not sought.strip() else [], some=False)
    counts = [sum(_stands(word, text) for word in words) for text in map(_text, reports)]
    most = max(counts, default=0)
    best = [report for report, count in zip(reports, counts, strict=True) if count == most and count]
    return Choice(best, some=bool(best) and most < len(words))


def _text(report):
    called = (f"{whose} {words}" for whose, words in report.called)
    return " ".join((report.name, report.title, report.answers, report.also, *called)).casefold()


def _stands(word, text):
    return word in text or (len(word) > _STEM and word[:_STEM] in text)
