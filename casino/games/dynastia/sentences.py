"""The words in which Dynastia explains a result; `explain` fills them."""

from casino.games import reasons

SENTENCES: dict[str, str] = {
    **reasons.SENTENCES,
    "set": "{who} holds {cards}: the run that starts lowest, at its full length, is {set}.",
    "no_set": "{who} holds {cards}: no two different numbers in a row, so no set and a score of 0.",
    "set_before_none": "{better} before {worse}: a hand with a set is above every hand without one.",
    "lower_start": "{better} before {worse}: {set} starts lower than {other_set}, and the lower start wins, whatever "
    "the length.",
    "longer": "{better} before {worse}: {set} and {other_set} start alike, and the longer set wins.",
    "more_preferred": "{better} before {worse}: the sets are the same, {set}; {count} of its numbers in {colour} are "
    "more than {other_count}.",
    "first_preferred": "{better} before {worse}: the sets are the same, {set}, with {count} of its numbers in {colour} "
    "each; going up, {number} is the first that only {same} can show in {colour}.",
    "others_lower": "{better} before {worse}: the sets are equal in colours too. The other cards in {colour}, going "
    "up, are {others} against {other_others}: where they first differ, the lower number wins.",
    "others_more": "{better} before {worse}: the sets are equal in colours too. The other cards in {colour}, going "
    "up, are {others} against {other_others}: the hand that has no more of them loses.",
    "none_lower": "{better} before {worse}: neither has a set. Of all seven cards those in {colour}, going up, are "
    "{others} against {other_others}: where they first differ, the lower number wins.",
    "none_more": "{better} before {worse}: neither has a set. Of all seven cards those in {colour}, going up, are "
    "{others} against {other_others}: the hand that has no more of them loses.",
    "equal": "{players} are equal in their sets, in the colours of these and in their other cards in {colour}: they "
    "share a place.",
    "equal_without": "{players} have no set and the same cards in {colour}: they share a place.",
    "score_first": "{who} is first and receives the sum of all sets: {worths}, that is {score}.",
    "score": "{who} receives that sum less the sets placed before: {worths}, that is {score}.",
    "score_last": "{who} is last and receives no more than the own set: {score}.",
    "score_shared": "{count} equal hands share what their places receive together: {places}, so {whom} gets {score}.",
}

SPOKEN: dict[str, str] = {
    **reasons.SPOKEN,
    "set": "{set}",
    "no_set": "no set",
    "score_first": "first",
    "score": "",
    "score_last": "last",
    "score_shared": "shared",
}
"""What the croupier says of a box as it is paid, by what decides."""
