"""The words in which Genpoker explains a result; `explain` fills them."""

from collections.abc import Mapping

from casino.games import reasons

SENTENCES: Mapping[str, str] = {
    **reasons.SENTENCES,
    "shows": "{who} shows {cards}: {hand}.",
    "counts_first": "Though it would also be {also}, it counts as {held}: the first class that it satisfies.",
    "class_below": "{best} is ahead of {whom}: {better} against {words}.",
    "tie_broken": "{best} and {whom} both hold {held}. {rule}: {value} against {own}.",
    "tie_goes_first": "This tie-break of {held} goes before the general rule that low cards break ties.",
    "equal": "{best} and {whom} both hold {held}, and nothing tells them apart: they split.",
}

SPOKEN: Mapping[str, str] = {
    **reasons.SPOKEN,
    "shows": "{held}",
    "class_below": "",
    "tie_broken": "",
    "equal": "",
}
"""What the croupier says of a box as it is paid, by what decides."""
