"""How the figures of a PAR sheet came about, how to make them again, and what is proven about them (docs/edge.md)."""

STEPS = (
    "The expectation is the mean of the best choice over all 2\u2009598\u2009960 hands of five cards with 47 open cards"
    " of the dealer each. Only the covariance of two boxes (last step) is sampled; nothing else is drawn at random or"
    " estimated.",
    "The dealer's hands are counted as 6\u2009175 multisets of ranks around the open card, with the flushes in the open"
    " card's suit apart.",
    "The player's seven cards are counted as 49\u2009205 multisets of ranks, and 141\u2009141 with five or more of one"
    " suit. Of the 21 settings only those are weighed that no other beats with both hands.",
    "How often a setting wins is counted for all of them, the dealer's Small Hands from the cards that are left.",
    "The game is bought against a hand without one where that is worth more; each card that may replace the dealer's"
    " highest is counted.",
    "What it is worth to buy two cards is the mean over all 1\u2009035 pairs of cards that the player has not seen.",
    "Shares, contributions and deviation come from following the best choices once more. They add up to the"
    " expectation, which they were not made from, to 1e-12 before they are written with nine places.",
    "The covariance of two boxes is sampled, always from the same deals: six boxes play what was solved against ten"
    " hands of the dealer, 30\u2009000 times for each open card. Its standard error stands beside it. No figure of the"
    " edge rests on it; by it the program says how far the rounds of a table deviate.",
)
PROVEN = (
    (
        "Caribbean Stud, computed with the same hands, weights and flushes",
        "\u22120.052243 of an ANTE and a raise with 52.23 % of hands, as published",
        "make test",
    ),
    (
        "Single decisions, against a program that deals card by card and shares nothing with this one",
        "200 states of every kind, a quarter with the game: at most 5e-10 apart",
        "make proof",
    ),
    (
        "What five cards are worth that buy, against the mean over 1\u2009035 pairs one by one",
        "equal to 1e-8",
        "make proof",
    ),
    (
        "1\u2009768\u2009000 whole rounds of six boxes by the starting sheet, and as many without the game, dealt at"
        " random and settled by the program that settles rounds at tables",
        "the mean and the covariance of two boxes within three standard errors of what is computed",
        "make proof",
    ),
    (
        "Laws: no setting is worth less if coefficients rise, none more without the game than with it",
        "no case against them",
        "make test",
    ),
)
NOT_PROVEN = (
    "No published figure of this sheet's whole expectation is known. It is held against single decisions, whole rounds"
    " and a like game.",
    "Other boxes at the table: who sees several hands, or hears of them, may do slightly better than a box alone.",
    "How people play: whoever does not play best loses more than the edge.",
    "That cards are shuffled and dealt at random is the house's duty; the figures assume it.",
    "The bands are those of a normal distribution. With few rounds and a rare high payment the hold may leave them more"
    " often.",
)


def method(sheet, antes):
    """This part for a sheet, given its reference; `antes` are those at which its edge was computed."""
    number = sheet.partition(":")[2]
    return {
        "steps": list(STEPS),
        "commands": [
            *(
                {
                    "command": f"manage.py edge --sheet {number}{'' if ante is None else f' --ante {ante}'} --json",
                    "says": "computes the figures of this PAR sheet again"
                    + ("" if ante is None else f", at an ANTE of {ante} of the smallest unit"),
                }
                for ante in antes
            ),
            {"command": "manage.py adjudicate --explain FILE", "says": "settles the worked examples: a line for each"},
            {"command": "make test", "says": "runs the tests and the linters"},
            {"command": "make proof", "says": "runs every proof at full length"},
        ],
        "proven": [{"what": what, "result": result, "command": command} for what, result, command in PROVEN],
        "not_proven": list(NOT_PROVEN),
    }
