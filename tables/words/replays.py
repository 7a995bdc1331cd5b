"""A round's course as primitives for the pages of disputes and void rounds: each moment, and the table as it lay."""

from . import places


def of(round_, words, moments, asked):
    """The round action by action: every moment, and the table as it lay after the chosen one, by default the last."""
    numbers = [moment["action"] for moment in moments if moment["action"]]
    shown = {"moments": moments, "terminals": any(moment["terminal"] for moment in moments), "chosen": None}
    if not numbers:
        return shown
    last = max(numbers)
    chosen = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else last
    chosen = min(chosen, last)
    return shown | {
        "chosen": chosen,
        "last": last,
        "before": chosen - 1 if chosen else None,
        "after": chosen + 1 if chosen < last else None,
        "what": next((moment for moment in moments if moment["action"] == chosen), None),
        "places": places.of_round(round_, words, chosen),
    }
