"""The words in which Big Two explains a result; `explain` fills them. Plays and passes count from 1, as people do."""

from casino.money import spell

SENTENCES: dict[str, str] = {
    "round_void": "The round is void under {clause}: nothing counts for {who}.",
    # the course
    "lead_lowest": "{who} holds the lowest card dealt, the {card}, leads and must include it.",
    "lead_winner": "{who} won the last round and leads with any combination.",
    "bomb": "Play {play}: {who} played a bomb, {made}, on another size, {standing}.",
    "skipped": "After play {play} {who} was skipped: with {count} no combination of the cards not yet played could "
    "beat {standing}.",
    # where plays end before anybody is out
    "turn": "The plays end with nobody out of cards, at the turn of {who}.",
    "leads": "The plays end with nobody out of cards: all others passed, and {who} was to lead.",
    # an illegal play, by the contract's codes
    "round_over": "Play {play} does not count: the round was over, {winner} had no cards left.",
    "not_your_turn": "Play {play} does not count: {who} was not to play, it was the turn of {turn}.",
    "leader_must_play": "Play {play} does not count: {who} led the trick and could not pass.",
    "card_not_held": "Play {play} does not count: {who} did not hold the {card}.",
    "card_played_twice": "Play {play} does not count: {who} held the {card} once only.",
    "not_a_combination": "Play {play} does not count: {cards} of {who} is no combination.",
    "lowest_card_required": "Play {play} does not count: {who} had to include the lowest card dealt, the {card}.",
    "wrong_card_count": "Play {play} does not count: {who} played {count} on {standing}.",
    "not_higher": "Play {play} does not count: {cards} of {who} is not above {standing}.",
    "no_higher_bomb": "Play {play} does not count: {cards} of {who} is no higher bomb than {standing}.",
    # points
    "wins": "{who} has no cards left: the round is over.",
    "place": "{who} has {count} left and comes {place}.",
    "penalty_cards": "{who}: a point for each card, that is {base}.",
    "penalty_ranks": "{who}: the ranks of {cards} add up to {base}.",
    "penalty_one": "{who}: the penalty is one point.",
    "multiplied": "{who}: with {count} left the penalty counts {factor} times, that is {points}.",
    "adds": "{who} adds {points} to the penalty points of the series.",
    "adds_nothing": "{who} adds no penalty points.",
    "pays_winner": "{who} pays {points} to {winner}.",
    "pays_higher": "{who} pays {points} to each player ranked higher: {higher}.",
    "net_gets": "{who} gets {net} in all.",
    "net_pays": "{who} pays {net} in all.",
    "net_even": "{who} is even.",
    # two combinations
    "makes": "{cards}: {made}.",
    "makes_nothing": "{cards}: no combination.",
    "nothing_compared": "Only a combination may be played on a combination.",
    "stronger_kind": "Of five cards a {kind} is above a {other}: the first may be played on the second.",
    "weaker_kind": "Of five cards a {kind} is below a {other}: the first may not be played on the second.",
    "stronger_top": "The {card} decides against the {other}: the first may be played on the second.",
    "weaker_top": "The {card} does not beat the {other}: the first may not be played on the second.",
    "bomb_goes": "A bomb goes on any combination of another size: the first may be played on the second.",
    "other_size": "{count} can't be played on {other}.",
}

SPOKEN: dict[str, str] = {
    "round_void": "void",
    "wins": "out of cards",
    "place": "{place} with {count}",
    "adds": "",
    "adds_nothing": "",
    "net_gets": "gets {net}",
    "net_pays": "pays {net}",
    "net_even": "even",
}
"""What the croupier says of a box as it is paid, by what decides."""


def counted(number: int, what: str = "card") -> str:
    """A number of things.

    >>> counted(1), counted(5, "point")
    ('1 card', '5 points')
    """
    return f"{spell(number, 0)} {what}{'s'[: number != 1]}"
