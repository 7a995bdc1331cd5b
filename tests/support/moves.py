"""Rounds of Split Poker written as moves, the cards as the contract writes them."""

from casino.games.game import Action, Fault, Refusal
from casino.games.split import SPLIT

FLUSH = "3h 4h 5h 6h 8h"


def move(text):
    """`show 1 3s 4s 5s 6s 8s / Ah Ad / Ah 8s` is box 1's five cards, its two more, and the two that it set."""
    kind, *words = text.split()
    box = int(words.pop(0)) if SPLIT.actions[kind].boxed else None
    match kind:
        case "ante":
            return Action(kind, box, {"units": int(words[0])})
        case "open_card" | "replacement":
            return Action(kind, box, {"card": words[0]})
        case "reveal" | "small_hand":
            return Action(kind, box, {"cards": words})
        case "show":
            parts = [part.split() for part in " ".join(words).split("/")]
            return Action(kind, box, dict(zip(("cards", "extra", "small"), parts, strict=False)))
        case "rule":
            return Action(kind, box, {"what": words[0], "clause": words[1]})
        case _:
            return Action(kind, box)


def table(**values):
    sheet = SPLIT.sheet(values)
    assert not isinstance(sheet, Fault), sheet
    return SPLIT.start(sheet, (), None)


def play(state, *moves):
    for text in moves:
        state = SPLIT.act(state, move(text))
        assert not isinstance(state, Refusal), f"{text}: {state}"
    return state


def dealt(*antes, **values):
    """Moves that put antes on boxes 1, 2, ... and close the betting."""
    return play(table(**values), *(f"ante {box} {units}" for box, units in enumerate(antes, 1)), "close_betting")


def refusal(state, text):
    refused = SPLIT.act(state, text if isinstance(text, Action) else move(text))
    assert isinstance(refused, Refusal), refused
    assert refused.message
    assert refused.way_out
    return refused


def hands(state, box):
    return {hand.kind: hand.cards for hand in SPLIT.view(state).hands if hand.box == box}
