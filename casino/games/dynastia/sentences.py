"""The words in which Dynastia explains a result; `explain` fills them."""

from casino.games import reasons
from casino.phrases import phrases

SENTENCES = {
    **reasons.SENTENCES,
    **phrases(
        "dynastia.sentence",
        {
            "set": "{who} has the set {set}: of {cards} the run that starts lowest, at its full length.",
            "no_set": "{who} has no set: of {cards} no two numbers are in a row.",
            "set_before_none": "{ranking}: a hand with a set beats every hand without one.",
            "lower_start": "{ranking}: {set} starts lower than {other_set}, and the lower start wins, whatever the "
            "length.",
            "longer": "{ranking}: {set} is longer than {other_set}, and of two sets with the same start the longer "
            "wins.",
            "more_preferred": "{ranking}: the sets are the same, {set}, so more cards of the preferred colour win: "
            "{count} in {colour} against {other_count}.",
            "first_preferred": "{ranking}: the sets are the same, {set}, with {count} in {colour} each. Going up from "
            "the lowest number, {number} is the first that only one side has in {colour}, and it lies with {same}.",
            "others_lower": "{ranking}: the sets and their colours are the same, so the other cards in {colour} "
            "decide, going up: {others} against {other_others}. Where they first differ, the lower number wins.",
            "others_more": "{ranking}: the sets and their colours are the same, so the other cards in {colour} decide, "
            "going up: {others} against {other_others}. The hand that runs out of them first loses.",
            "none_lower": "{ranking}: there is no set on either side, so the cards in {colour} decide, going up: "
            "{others} against {other_others}. Where they first differ, the lower number wins.",
            "none_more": "{ranking}: there is no set on either side, so the cards in {colour} decide, going up: "
            "{others} against {other_others}. The hand that runs out of them first loses.",
            "equal": "{players} are equal and share the place: the same set, the same numbers of it in {colour}, and "
            "the same other cards in {colour}.",
            "equal_without": "{players} are equal and share the place: no set, and the same cards in {colour}.",
            "score_first": "{who} scores {score}: the first place gets the sum of all sets, {worths}.",
            "score": "{who} scores {score}: the sum of all sets without those placed ahead, {worths}.",
            "score_last": "{who} scores {score}: the last place gets the sum of its own set alone.",
            "score_shared": "{who} scores {score}: {count} equal hands divide equally what their places get together, "
            "{places}.",
        },
    ),
}

SPOKEN = {
    **reasons.SPOKEN,
    **phrases(
        "dynastia.spoken",
        {
            "set": "{set}",
            "no_set": "no set",
            "score_first": "first",
            "score_last": "last",
            "score_shared": "shared",
        },
    ),
    "score": "",
}
"""What the croupier says of a box as it is paid, by what decides."""

RANKING = phrases("dynastia.ranking", {"one": "{better} is ahead of {worse}", "more": "{better} are ahead of {worse}"})

NONE = phrases("dynastia.none", {"set": "no set", "cards": "none"})
"""What is said where there is no set, and where there are no cards to compare."""


def set_words(name: str) -> str:
    """A set as it is announced, from the contract's name of it.

    >>> set_words("2-3-4"), set_words("none")
    ('2-3-4', 'no set')
    """
    return NONE["set"] if name == "none" else name
