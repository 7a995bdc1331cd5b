"""The words in which Presidential Poker explains a result; `explain` fills them."""

from collections.abc import Mapping

from casino.games import reasons
from casino.phrases import phrase, phrases

SENTENCES: Mapping[str, str] = {
    **reasons.SENTENCES,
    **phrases(
        "presidential.sentence",
        {
            "dropped": "{who} dropped, so what was staked there stays in the pot.",
            "nobody_met": "Nobody met the last bet, so {whom} takes the pot and no cards are compared.",
            "takes_unmet": "The pot is {pot}.",
            "all_of_five": "{who} makes {name} ({code}): all seven cards are of Kingdom V.",
            "rainbow": "{who} makes {name} ({code}): the seven rainbow colours, {shade}.",
            "made": "{who} makes {name} ({code}): {parts}.",
            "nothing": "{who} makes {name} ({code}): no two of the cards share a symbol.",
            "four_alone": "Four identical cards of {whom} count as a triple, because the other three make no class "
            "with four.",
            "five_numbers": "A Kingdom V card counts as whichever of its two numbers serves its holder better: for "
            "{whom} as {numbers}.",
            "straight": "{who} is ahead of {other}, both with {name}: the seven numbers {numbers} are in a row, those "
            "of {other} aren’t.",
            "higher_straight": "{who} is ahead of {other}, both with {name} and seven numbers in a row: the row up to "
            "{top} beats the row up to {other_top}.",
            "group": "{who} is ahead of {other}, both with {name}: the largest group of equal numbers decides, {group} "
            "against {other_group}. The group with more cards wins; of groups of the same size, the higher number.",
            "group_alone": "{who} is ahead of {other}, both with {name}: equal numbers, {group}, beat seven different "
            "numbers that aren’t in a row.",
            "numbers": "{who} is ahead of {other}, both with {name}: the numbers decide, from high to low {numbers} "
            "against {other_numbers}. Where they first differ, the higher number wins.",
            "letters": "{who} is ahead of {other}, both with {name}: the numbers are equal, so the letters decide, "
            "{letters} against {other_letters}. Where they first differ, the letter later in the alphabet wins.",
            "pinks": "{who} is ahead of {other}, both with {name}: numbers and letters are equal, so the number of "
            "pink cards decides, {pinks} against {other_pinks}. The hand with more wins.",
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
