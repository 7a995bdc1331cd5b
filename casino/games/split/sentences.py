"""The words in which Split Poker explains a result; `explain` fills them."""

from collections.abc import Mapping

from casino.phrases import phrases

SENTENCES: Mapping[str, str] = phrases(
    "split.sentence",
    {
        "ruling_forfeit": "The pit boss ruled box {box} forfeit under {clause}: all that it staked, {staked}, is "
        "lost, whatever its cards.",
        "ruling_void": "The pit boss ruled box {box} void under {clause}: all that it staked, {staked}, is returned, "
        "whatever its cards.",
        "round_void": "The round is void under {clause}: all that box {box} staked, {staked}, is returned.",
        "fold": "Box {box} folded: its ANTE of {ante} is lost.",
        "bet": "Box {box} put up a BET of {bet} on its ANTE of {ante}; two more cards came free and unseen.",
        "buy": "Box {box} paid {fee} for two more cards and looked at all seven.",
        "buy_fold": "Box {box} then folded: its ANTE of {ante} is lost.",
        "buy_bet": "Box {box} then put up a BET of {bet} on its ANTE of {ante}.",
        "cards_fee": "The fee of {fee} for the two cards is a price: it isn’t returned.",
        "hands_as_they_lie": "Its first five cards {big} are the Big Hand ({big_name}), the two unseen {small} the "
        "Small Hand ({small_name}), as they lie.",
        "big_as_it_lies": "Its first five cards {big} are the Big Hand ({big_name}), as they lie; nobody looked at "
        "the two unseen cards.",
        "hands_unseen_house": "At this table the house sets the unseen cards too: Big Hand {big} ({big_name}), Small "
        "Hand {small} ({small_name}).",
        "hands_player": "The player set the Big Hand {big} ({big_name}) and the Small Hand {small} ({small_name}).",
        "hands_house": "The house set the best Big Hand {big} ({big_name}) and with it the Small Hand {small} "
        "({small_name}).",
        "dealer_game": "The dealer shows {cards}: {name}. A pair of twos or better is a game.",
        "dealer_no_game": "The dealer shows {cards}: {name}. That is no game; it takes a pair of twos or better.",
        "no_game": "Box {box} didn’t buy the game: its ANTE of {ante} is paid 1:1 and its BET of {bet} is returned.",
        "game_fee": "Box {box} bought the game for {fee}. The fee is a price: it isn’t returned, and the payment "
        "for no game is given up.",
        "replacement_game": "The dealer’s highest card, the {replaced}, was replaced by the {replacement}: {cards}, "
        "{name}. Now the dealer has a game.",
        "replacement_no_game": "The dealer’s highest card, the {replaced}, was replaced by the {replacement}: {cards}, "
        "{name}.",
        "no_game_bought": "Still no game: the ANTE of {ante} and the BET of {bet} are returned and nothing is paid.",
        "dealer_small": "The dealer’s Small Hand is {small} ({small_name}).",
        "big_below": "Big Hand: {box_hand} is below the dealer’s {dealer_hand}. The ANTE of {ante} and the BET of "
        "{bet} are lost; the Small Hand isn’t looked at.",
        "big_equal": "Big Hand: {box_hand} equals the dealer’s {dealer_hand}. The ANTE of {ante} and the BET of "
        "{bet} are returned; the Small Hand isn’t looked at.",
        "win_bet_above": "Big Hand: {box_hand} is above the dealer’s {dealer_hand}. Small Hand: {box_small} is above "
        "the dealer’s {dealer_small}. The BET of {bet} is paid and returned; the ANTE of {ante} is returned unpaid.",
        "win_bet_equal": "Big Hand: {box_hand} is above the dealer’s {dealer_hand}. Small Hand: {box_small} equals the "
        "dealer’s {dealer_small}, which is enough. The BET of {bet} is paid and returned; the ANTE of "
        "{ante} is returned unpaid.",
        "win_ante": "Big Hand: {box_hand} is above the dealer’s {dealer_hand}. Small Hand: {box_small} is below the "
        "dealer’s {dealer_small}. The ANTE of {ante} is paid and returned; the BET of {bet} is returned "
        "unpaid.",
        "amount_even": "The ANTE of {stake} is paid 1:1, that is {due}.",
        "amount_coefficient": "{category} pays {ratio}: on {stake} that is {due}.",
        "capped": "The table pays at most {cap} to a box in a round: {cap} instead of {due}.",
        "rounded": "Payments are rounded down to the smallest chip of {chip}: {due} is paid as {paid}.",
    },
)

SPOKEN: Mapping[str, str] = phrases(
    "split.spoken",
    {
        "ruling_forfeit": "ruled forfeit",
        "ruling_void": "ruled void",
        "round_void": "void",
        "fold": "folded",
        "buy_fold": "folded",
        "no_game": "no game, the ante one to one",
        "no_game_bought": "still no game",
        "big_below": "{box_hand!l}, below",
        "big_equal": "{box_hand!l}, equal",
        "amount_even": "small hand below, the ante one to one",
        "amount_coefficient": "{category!l}, {ratio}",
    },
)
"""What the croupier says of a box as it is paid, by what decides."""
