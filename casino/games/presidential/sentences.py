"""The words in which Presidential Poker explains a result; `explain` fills them."""

from collections.abc import Mapping

from casino.games import reasons

SENTENCES: Mapping[str, str] = {
    **reasons.SENTENCES,
    "dropped": "{who} dropped; what it put into the pot stays there.",
    "nobody_met": "Nobody met the bet of {whom}: it wins the pot, whatever its cards.",
    "takes_unmet": "The pot is {pot}.",
    "all_of_five": "{who} makes {name} ({code}): all seven cards are of Kingdom V.",
    "rainbow": "{who} makes {name} ({code}): the seven rainbow colours, all {shade}.",
    "made": "{who} makes {name} ({code}): {parts}.",
    "nothing": "{who} makes {name} ({code}): no two of its cards share a symbol.",
    "four_alone": "Its four identical cards count as a triple: the other three make no class with four.",
    "five_numbers": "The Kingdom V cards of {whom} count as {numbers}, which serves it best.",
    "straight": "{who} is ahead of {other}, both with {name}: its numbers {numbers} are in sequence, those of {other} "
    "are not.",
    "higher_straight": "{who} is ahead of {other}, both with {name}: its straight runs up to {top}, that of {other} to "
    "{other_top}.",
    "group": "{who} is ahead of {other}, both with {name}: its largest group of equal numbers is {group}, that of "
    "{other} {other_group}.",
    "group_alone": "{who} is ahead of {other}, both with {name}: it has equal numbers, {group}, and {other} has none.",
    "numbers": "{who} is ahead of {other}, both with {name}: its numbers {numbers} are higher than {other_numbers} at "
    "the first difference.",
    "letters": "{who} is ahead of {other}, both with {name}: all numbers are equal, and its letters {letters} are "
    "later than {other_letters} at the first difference.",
    "pinks": "{who} is ahead of {other}, both with {name}: all numbers and letters are equal, and it has more pink "
    "cards, {pinks} to {other_pinks}.",
    "equal": "{who} and {others} are equal, all with {name}: the same numbers, the same letters and as many pink "
    "cards.",
}

SPOKEN: Mapping[str, str] = {
    **reasons.SPOKEN,
    "dropped": "dropped",
    "nobody_met": "nobody met the bet",
    "all_of_five": "{name}",
    "rainbow": "{name}",
    "made": "{name}",
    "nothing": "{name}",
    "straight": "",
    "higher_straight": "",
    "group": "",
    "group_alone": "",
    "numbers": "",
    "letters": "",
    "pinks": "",
    "equal": "",
}
"""What the croupier says of a box as it is paid, by what decides."""

PARTS: Mapping[str, str] = {
    "number": "the play number {symbol}",
    "letter": "the letter {symbol}",
    "colour": "the colour {symbol}",
    "picture": "the picture {symbol}",
    "figure": "the figure {symbol}",
    "mystery": "the mystery symbol {symbol}",
    "hue": "a shade of {symbol}",
    "shape": "a {symbol} in any fill",
}
"""What the cards of a part of a class share, by its category or the kind of its family."""

COUNTS = ("none", "one", "two", "three", "four", "five", "six", "seven")
