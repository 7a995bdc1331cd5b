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
            "counts_first": "The hand would also be {also}, but it counts as {held}: the best class that it satisfies.",
            "class_below": "{best} is ahead of {whom}: {better} is a higher class than {words}.",
            "tie_broken": "{best} and {whom} both hold {held}. {rule}: {value} against {own}.",
            "tie_goes_first": "This tie-break of {held} goes before the general rule that low cards break ties.",
            "equal": "{best} and {whom} both hold {held}, and nothing tells them apart: they split the pot.",
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
