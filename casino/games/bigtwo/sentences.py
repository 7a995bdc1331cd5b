"""The words in which Big Two explains a result; `explain` fills them. Plays and passes count from 1, as people do."""

from collections.abc import Mapping

from casino.money import spell
from casino.phrases import Phrase, phrases

SENTENCES: Mapping[str, str] = phrases(
    "bigtwo.sentence",
    {
        "round_void": "The round is void under {clause}: nothing counts for {whom}.",
        # the course
        "lead_lowest": "{who} leads and must include the {card}, the lowest card dealt.",
        "lead_winner": "{who} won the last round and leads with any combination.",
        "bomb": "Play {play}: {who} played a bomb, {made}, on {standing}. A bomb goes on any combination of any size.",
        "skipped": "{who} was skipped after play {play}: no combination of up to {count} from the cards not yet played "
        "could beat {standing}.",
        # where plays end before anybody is out
        "turn": "The round is unfinished: nobody is out of cards, and it’s the turn of {whom}.",
        "leads": "The round is unfinished: nobody is out of cards, all others have passed, and {whom} leads.",
        # an illegal play, by the contract's codes
        "round_over": "Play {play} doesn’t count: the round was over, since {winner} had no cards left.",
        "not_your_turn": "Play {play} doesn’t count: it was the turn of {turn}, not of {whom}.",
        "leader_must_play": "Play {play} doesn’t count: {whom} led the trick and couldn’t pass.",
        "card_not_held": "Play {play} doesn’t count: {whom} didn’t hold the {card}.",
        "card_played_twice": "Play {play} doesn’t count: {whom} held the {card} only once.",
        "not_a_combination": "Play {play} of {whom} doesn’t count: {cards} isn’t a combination.",
        "lowest_card_required": "Play {play} doesn’t count: {whom} had to include the {card}, the lowest card dealt.",
        "wrong_card_count": "Play {play} of {whom} doesn’t count: {count} can’t be played on {standing}.",
        "not_higher": "Play {play} of {whom} doesn’t count: {cards} doesn’t beat {standing}.",
        "no_higher_bomb": "Play {play} of {whom} doesn’t count: only a higher bomb beats {standing}, and {cards} isn’t "
        "one.",
        # points
        "wins": "{who} has no cards left and wins the round.",
        "place": "{who} comes {place} with {count} left.",
        "penalty_cards": "{who} has a penalty of {base}: one point for each card left.",
        "penalty_ranks": "{who} has a penalty of {base}: the ranks of {cards} added up, from 1 for a 3 to 13 for a 2.",
        "penalty_one": "{who} has a penalty of {base}, however many cards are left.",
        "multiplied": "With {count} left, the penalty of {whom} counts {times}: {points}.",
        "adds": "The total of {whom} in the series rises by {points}.",
        "adds_nothing": "The total of {whom} in the series stays as it is.",
        "pays_winner": "{who} pays {points} to the winner, {winner}.",
        "pays_higher": "{who} pays {points} to each player ranked higher: {higher}.",
        "net_gets": "{who} gets {net} in all.",
        "net_pays": "{who} pays {net} in all.",
        "net_even": "{who} gets as many points as it pays.",
        # two combinations
        "makes": "{cards}: {made}.",
        "makes_nothing": "{cards} isn’t a combination.",
        "no_cards": "Without cards there’s no combination.",
        "nothing_compared": "The first can’t be played on the second: both must be combinations.",
        "stronger_kind": "The first may be played on the second: with five cards, {kind} beats {other}.",
        "weaker_kind": "The first can’t be played on the second: with five cards, {other} beats {kind}.",
        "stronger_top": "The first may be played on the second: the {card} beats the {other}.",
        "weaker_top": "The first can’t be played on the second: the {card} doesn’t beat the {other}.",
        "bomb_goes": "The first may be played on the second: a bomb goes on any combination of any size.",
        "other_size": "The first can’t be played on the second: {count} can’t be played on {other}.",
    },
)

SPOKEN: Mapping[str, str] = phrases(
    "bigtwo.spoken",
    {
        "round_void": "void",
        "wins": "out of cards",
        "place": "{place} with {count}",
        "net_gets": "gets {net}",
        "net_pays": "pays {net}",
        "net_even": "even",
    },
)
"""What the croupier says of a box as it is paid, by what decides."""

KINDS = phrases(
    "bigtwo.kind",
    {
        "straight": "a straight",
        "flush": "a flush",
        "full_house": "a full house",
        "four_of_a_kind": "four of a kind",
        "straight_flush": "a straight flush",
    },
)
"""The combinations of five cards within a sentence."""

PLACES = phrases("bigtwo.place", {"2": "second", "3": "third", "4": "fourth"})

TIMES = phrases("bigtwo.times", {"2": "twice", "3": "three times", "4": "four times"})

_COUNTED = phrases(
    "bigtwo.counted",
    {
        "card": "{count} card",
        "cards": "{count} cards",
        "point": "{count} point",
        "points": "{count} points",
        "round": "{count} round",
        "rounds": "{count} rounds",
    },
)


def counted(number: int, what: str = "card") -> Phrase:
    """A number of cards, points or rounds.

    >>> counted(1), counted(5, "point")
    ('1 card', '5 points')
    """
    return _COUNTED[what if number == 1 else f"{what}s"].format(count=spell(number, 0))
