"""The words in which Genpoker explains a result; `explain` fills them."""

from collections.abc import Mapping

from casino.games import reasons
from casino.phrases import phrase, phrases

SENTENCES: Mapping[str, str] = {
    **reasons.SENTENCES,
    **phrases(
        "genpoker.sentence",
        {
            "shows": "{who} shows {cards}: {hand}.",
            "counts_first": "The hand counts as {held}, the best class that it makes, although it’s also {also}.",
            "class_below": "{best} is ahead of {whom}: {better} is a higher class than {words}.",
            "tie_broken": "{best} is ahead of {whom}, both with {held}. {rule}: {value} against {own}.",
            "tie_goes_first": "With {held} on both sides, that decides first; the general rule that low cards win "
            "comes after it.",
            "equal": "{best} and {whom} are equal, both with {held}: nothing in the rules tells them apart, so they "
            "split the pot.",
        },
    ),
}

SPOKEN: Mapping[str, str] = {
    **reasons.SPOKEN,
    "shows": phrase("genpoker.spoken.shows", "{held}"),
    "class_below": "",
    "tie_broken": "",
    "equal": "",
}
"""What the croupier says of a box as it is paid, by what decides."""
