"""A rule sheet that was tried on rounds, in words: what changes in all, why, and box by box."""

from collections import Counter

from casino.games import registry

from ..verbs.trials import Ending
from .console import CONSOLE
from .timeline import NOTHING, Words

LARGEST = 100
"""The page lists this many boxes at most, those that differ most first; the sums are over all boxes."""


def in_words(trial, sheet):
    """What the page of a trial shows."""
    words = Words(registry.GAMES[sheet.game])
    changed = [(round_, box) for round_, box in trial.boxes if box.differs]
    changed.sort(key=lambda each: (-abs(each[1].difference), each[0].number, each[1].number))
    return {
        "rounds": len(trial.rounds),
        "span": _span(trial.rounds),
        "settled": len(trial.of(Ending.SETTLED)),
        "difference": words.amount(trial.difference, signed=True),
        "boxes": len(trial.boxes),
        "changed": len(changed),
        "more": sum(box.difference > 0 for _, box in changed),
        "less": sum(box.difference < 0 for _, box in changed),
        "won": words.amount(trial.won, signed=True),
        "would_win": words.amount(trial.won - trial.difference, signed=True),
        "rows": [_row(words, round_, box) for round_, box in changed[:LARGEST]],
        "left_out": max(0, len(changed) - LARGEST),
        "outcomes": _outcomes(words, changed),
        "apart": [
            {
                "title": CONSOLE("trial.not_known"),
                "about": CONSOLE("trial.not_known.about"),
                **_apart(trial.of(Ending.NOT_KNOWN)),
            },
            {
                "title": CONSOLE("trial.not_played"),
                "about": CONSOLE("trial.not_played.about"),
                **_apart(trial.of(Ending.NOT_PLAYED)),
            },
        ],
    }


def _span(rounds):
    if not rounds:
        return ""
    return CONSOLE("trial.span", first=rounds[0].round.number, last=rounds[-1].round.number)


def _row(words, round_, box):
    return {
        "id": round_.pk,
        "round": round_.number,
        "box": box.number,
        "before": _came(words, box.before),
        "after": _came(words, box.after),
        "difference": words.amount(box.difference, signed=True),
    }


def _came(words, came):
    if came is None:
        return {"outcome": NOTHING, "net": NOTHING}
    return {"outcome": words.word(came.outcome), "net": words.amount(came.net, signed=True)}


def _outcomes(words, changed):
    """What changes by the outcome as played, that of the largest sum first."""
    counts, sums = Counter(), Counter()
    for _, box in changed:
        outcome = box.before.outcome if box.before else None
        counts[outcome] += 1
        sums[outcome] += box.difference
    return [
        {
            "outcome": NOTHING if outcome is None else words.word(outcome),
            "boxes": counts[outcome],
            "difference": words.amount(sums[outcome], signed=True),
        }
        for outcome in sorted(counts, key=lambda each: (-abs(sums[each]), str(each)))
    ]


def _apart(rounds):
    """How many they are, and the reasons, each with its rounds."""
    reasons = {}
    for each in rounds:
        reasons.setdefault(each.why, []).append({"id": each.round.pk, "number": each.round.number})
    rows = [{"why": why, "count": len(those), "rounds": those[:20]} for why, those in reasons.items()]
    return {"count": len(rounds), "rows": rows}
