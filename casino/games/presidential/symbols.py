"""The names of the symbols on the cards; a house's own deck may have symbols that go by their names in its file."""

from collections.abc import Mapping

from casino.phrases import Phrase, phrases

_NAMES: Mapping[str, Mapping[str, Phrase]] = {
    "colour": phrases(
        "presidential.colour",
        {
            "dark-red": "dark red",
            "dark-orange": "dark orange",
            "dark-yellow": "dark yellow",
            "dark-green": "dark green",
            "dark-blue": "dark blue",
            "dark-indigo": "dark indigo",
            "dark-violet": "dark violet",
            "black": "black",
            "light-red": "light red",
            "light-orange": "light orange",
            "light-yellow": "light yellow",
            "light-green": "light green",
            "light-blue": "light blue",
            "light-indigo": "light indigo",
            "light-violet": "light violet",
            "grey": "grey",
            "tan": "tan",
            "pink": "pink",
        },
    ),
    "picture": phrases(
        "presidential.picture",
        {
            "bear": "bear",
            "bee": "bee",
            "deer": "deer",
            "eagle": "eagle",
            "fish": "fish",
            "frog": "frog",
            "man": "man",
            "oak": "oak",
            "owl": "owl",
            "palm": "palm",
            "pig": "pig",
            "pine": "pine",
            "rose": "rose",
            "sheep": "sheep",
            "snake": "snake",
            "turtle": "turtle",
            "whale": "whale",
            "woman": "woman",
        },
    ),
    "figure": phrases(
        "presidential.figure",
        {
            "hollow-circle": "hollow circle",
            "hollow-crown": "hollow crown",
            "hollow-square": "hollow square",
            "hollow-star": "hollow star",
            "hollow-triangle": "hollow triangle",
            "partial-circle": "partial circle",
            "partial-square": "partial square",
            "partial-star": "partial star",
            "partial-triangle": "partial triangle",
            "solid-circle": "solid circle",
            "solid-crown": "solid crown",
            "solid-square": "solid square",
            "solid-star": "solid star",
            "solid-triangle": "solid triangle",
            "striped-circle": "striped circle",
            "striped-square": "striped square",
            "striped-star": "striped star",
            "striped-triangle": "striped triangle",
        },
    ),
    "mystery": phrases(
        "presidential.mystery",
        {
            "anchor": "anchor",
            "arrow": "arrow",
            "bell": "bell",
            "bolt": "bolt",
            "crown": "crown",
            "drop": "drop",
            "eye": "eye",
            "flame": "flame",
            "heart": "heart",
            "key": "key",
            "knot": "knot",
            "leaf": "leaf",
            "moon": "moon",
            "plus": "plus",
            "spiral": "spiral",
            "sun": "sun",
            "wave": "wave",
        },
    ),
    "hue": phrases(
        "presidential.hue",
        {
            "red": "red",
            "orange": "orange",
            "yellow": "yellow",
            "green": "green",
            "blue": "blue",
            "indigo": "indigo",
            "violet": "violet",
            "grey": "grey",
            "pink": "pink",
        },
    ),
    "shape": phrases(
        "presidential.shape",
        {"circle": "circle", "crown": "crown", "square": "square", "star": "star", "triangle": "triangle"},
    ),
}
"""By the category of a symbol or the kind of its family."""


def name(category: str, symbol: str) -> str:
    """A symbol, or a family of symbols, in words.

    >>> name("colour", "dark-red"), name("picture", "red-panda"), name("letter", "A")
    ('dark red', 'red panda', 'A')
    """
    return _NAMES.get(category, {}).get(symbol) or symbol.replace("-", " ")
