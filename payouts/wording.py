"""What the money says to people: see `casino.wording`."""

from casino.wording import Refusal, Wording

_LOWER = "Draft it with lower coefficients or with another reading of the rules: nobody can allow this one."
_COMPUTE = "Have it computed on the page of its house edge; that takes up to three minutes."

WORDING = Wording(
    "payouts",
    {
        # books
        "books_wrong": "{row}: {what}.",
        # circulation
        "issue_unsaid": "The house hasn’t said how many chips it issued.",
        # coefficient_tables
        "coefficient_wrong": Refusal(
            "{fault}", "Give each category a ratio n:d in whole numbers, never lower than the one before.", 422
        ),
        "not_a_draft": Refusal("{coefficients} is already published.", "Draft a new table to change a coefficient."),
        "same_person": Refusal("You drafted {coefficients} yourself.", "Ask somebody else to publish it."),
        # edge_results
        "category_unknown": Refusal(
            "There is no coefficient for {category}.", "Choose one of these: {categories}.", 422, "category", "split.22"
        ),
        "edge_not_computed": Refusal("The house edge of this sheet hasn’t been computed.", _COMPUTE),
        "edge_not_computed:antes": Refusal(
            "The house edge of this sheet hasn’t been computed at these ANTEs: {antes}.", _COMPUTE
        ),
        "edge_not_computed:failed": Refusal(
            "The house edge of this sheet couldn’t be computed. {fault}",
            "Draft another sheet, or have it computed again on the page of its house edge.",
        ),
        "edge_not_computed:house_way": Refusal(
            "By this sheet, the house sets the unseen cards, so its house edge of {edge} of the ANTE leaves out "
            "bought games. Nobody knows how much lower it really is.",
            "Draft it with another reading of the two unseen cards.",
            clause="split.8",
        ),
        "edge_not_computing": Refusal(
            "The house edge of this sheet isn’t being computed.", "There is nothing to stop."
        ),
        "edge_with_player": Refusal("The player has the edge: best play wins {edge} of each ANTE.", _LOWER),
        "edge_with_player:ante": Refusal(
            "The player has the edge at an ANTE of {ante}: best play wins {edge} of each ANTE.", _LOWER
        ),
        "edge_with_player:ante_house_way": Refusal(
            "The player has the edge at an ANTE of {ante}: best play wins {edge} of each ANTE. It wins more"
            " where the game is bought, since the house sets the unseen cards.",
            _LOWER,
        ),
        "edge_with_player:house_way": Refusal(
            "The player has the edge: best play wins {edge} of each ANTE. It wins more where the game is"
            " bought, since the house sets the unseen cards.",
            _LOWER,
        ),
        "edge_with_player:unrounded": Refusal(
            "The player has the edge at an ANTE at which nothing is rounded: best play wins {edge} of each ANTE.",
            _LOWER,
        ),
        "edge_with_player:unrounded_house_way": Refusal(
            "The player has the edge at an ANTE at which nothing is rounded: best play wins {edge} of each ANTE. It"
            " wins more where the game is bought, since the house sets the unseen cards.",
            _LOWER,
        ),
        "edge_without_house": Refusal(
            "In {game} players play against each other: the house has no edge but its rake.",
            "Look up the rake on the sheet.",
        ),
        "edge_wrong": Refusal(
            "{edge} isn’t an edge that can be looked for.",
            "Enter per cent of an ANTE from -100 to 100, with two decimal places at most, such as 20.5.",
            422,
            "edge",
        ),
        "ended_often": (
            "Its worker was ended three times before it was done, most likely because the machine ran out of memory. "
            "Computing takes up to 3 GB: make room for it, then compute it again."
        ),
        "unrounded": "one at which nothing is rounded",
        # edge_work
        "no_memory": (
            "The machine ran out of memory. Computing takes up to 3 GB: make room for it, then compute it again."
        ),
        # ledger
        "amount_wrong": Refusal(
            "{units} units would move as {kind}, but one transfer carries at most {most}.",
            "First bring the books nearer to what’s there, by moving fewer chips at a time.",
            422,
        ),
        # winning
        "closer_uncounted": "The closer isn’t counted.",
        "drop_uncounted": "The drop isn’t counted.",
        "opener_uncounted": "The opener isn’t agreed.",
    },
)
