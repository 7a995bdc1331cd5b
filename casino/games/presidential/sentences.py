"""The words in which Presidential Poker explains a result; `explain` fills them."""

from collections.abc import Mapping

from casino.games import reasons
from casino.phrases import phrase, phrases

SENTENCES: Mapping[str, str] = {
    **reasons.SENTENCES,
    **phrases(
        "presidential.sentence",
        {
            "dropped": "{who} dropped: what was staked there stays in the pot.",
            "nobody_met": "{who} takes the pot, whatever the cards: nobody met the last bet.",
            "takes_unmet": "The pot is {pot}.",
            "all_of_five": "{who} makes {name} ({code}): all seven cards are of Kingdom V.",
            "rainbow": "{who} makes {name} ({code}): the seven rainbow colours, {shade}.",
            "made": "{who} makes {name} ({code}): {parts}.",
            "nothing": "{who} makes {name} ({code}): no two of the cards share a symbol.",
            "four_alone": "The four identical cards of {whom} count as a triple: with the other three they make no "
            "class with four.",
            "five_numbers": "The Kingdom V cards of {whom} count as {numbers}: each as the better of its two numbers.",
            "straight": "{who} is ahead of {other}, both with {name}: the numbers {numbers} are in a row, those of "
            "{other} aren’t.",
            "higher_straight": "{who} is ahead of {other}, both with {name}: of two rows of seven numbers the one up "
            "to {top} beats the one up to {other_top}.",
            "group": "{who} is ahead of {other}, both with {name}: the largest groups of equal numbers are {group} "
            "against {other_group}; more cards win, then the higher number.",
            "group_alone": "{who} is ahead of {other}, both with {name}: equal numbers, {group}, beat seven different "
            "ones.",
            "numbers": "{who} is ahead of {other}, both with {name}: the numbers from high to low are {numbers} "
            "against {other_numbers}, and where they first differ, the higher one wins.",
            "letters": "{who} is ahead of {other}, both with {name}: the numbers are equal, so the letters decide, "
            "{letters} against {other_letters}; where they first differ, the later one wins.",
            "pinks": "{who} is ahead of {other}, both with {name}: numbers and letters are equal, so more pink cards "
            "win, {pinks} against {other_pinks}.",
            "equal": "{who} and {others} are equal, each with {name}: the same numbers, the same letters and as many "
            "pink cards.",
        },
    ),
}

SPOKEN: Mapping[str, str] = {
    **reasons.SPOKEN,
    **phrases(
        "presidential.spoken",
        {
            "dropped": "dropped",
            "nobody_met": "nobody met the bet",
            "all_of_five": "{name}",
            "rainbow": "{name}",
            "made": "{name}",
            "nothing": "{name}",
        },
    ),
    **dict.fromkeys(
        ("straight", "higher_straight", "group", "group_alone", "numbers", "letters", "pinks", "equal"), ""
    ),
}
"""What the croupier says of a box as it is paid, by what decides."""

PARTS = phrases(
    "presidential.part",
    {
        "number": "the play number {symbol}",
        "letter": "the letter {symbol}",
        "colour": "the colour {symbol}",
        "picture": "the picture {symbol}",
        "figure": "the figure {symbol}",
        "mystery": "the mystery symbol {symbol}",
        "hue": "a shade of {symbol}",
        "shape": "a {symbol} in any fill",
    },
)
"""What the cards of a part of a class share, by its category or the kind of its family."""

PART = phrase("presidential.part", "{count} with {shared} ({cards})")
NEXT_PART = phrase("presidential.part", "{parts}; {part}")

SHADES = phrases("presidential.shade", {"dark": "all dark", "light": "all light"})
