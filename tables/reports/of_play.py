"""Reports of how tables were played: disputes, alarms, payments, pace, errors, cash, and each hand."""

from casino.roles import Right

from .columns import DATE, TO_DAY, TO_DAY_OF_TABLE, Chart, Column, Kind, Report, Way, steps, table

TO_DISPUTE = Way("dispute", Right.READ_FLOOR, ("dispute_id",))
TO_ROUND = Way("round", Right.SEE_TABLE, ("round_id",))
_RAISED = "the gaming day by the casino's clock on which it was raised"

DISPUTES = Report(
    name="disputes",
    title="Disputes and their deadlines",
    answers="Which rounds were contested, by when that had to be ruled on, how it was, by whom, and what was paid.",
    chart=Chart("Disputes raised", by="table", at="raised_at"),
    order="filed.raised_at, filed.dispute_id",
    columns=(
        Column("date", "Day", Kind.DATE, _RAISED),
        Column("dispute", "Dispute", Kind.ID, "the dispute, as the log names it", way=TO_DISPUTE),
        Column("number", "Case", Kind.ID, "the number of its case, empty for one from before there were cases"),
        table(),
        Column("round", "Round", Kind.ID, "the round that was contested", way=TO_ROUND),
        Column("boxes", "Boxes", Kind.TEXT, "the boxes that it is about, empty for the whole table"),
        Column("about", "About", Kind.TEXT, "what was contested"),
        Column("status", "State", Kind.TEXT, "OPEN, RULED or CLOSED when the period was over", choice=True),
        *steps("Raised", "raised", ("raised_by", "Raised by", "who raised it")),
        Column("due_at", "Due", Kind.TIME, "by when it had to be ruled on, as that stood when the period was over"),
        Column(
            "late", "Late", Kind.TEXT, "late: ruled on after that, or not yet although it was past", choice=True
        ),
        Column("ruling", "Ruling", Kind.TEXT, "upheld or refused", choice=True),
        Column("clause", "Clause", Kind.TEXT, "the clause of the rules by which it was ruled"),
        *steps(
            "Ruled", "ruled", ("ruled_by", "Ruled by", "who ruled"),
            ("approved_by", "Ruled with", "who signed for that as the second"),
        ),
        Column("paid", "Paid", Kind.UNITS, "what its boxes got by it beyond the settlement before", total=True),
        Column("collected", "Collected", Kind.UNITS, "what was taken from boxes by it again", total=True),
        Column("closed_at", "Closed", Kind.TIME, "when nothing was left to hand over"),
        Column("now", "State now", Kind.TEXT, "its state now", later=True),
    ),
    sums="A dispute stands in each period in which it was raised, ruled on or closed, as it stood when that was over:"
    " what came later is empty there.",
)  # fmt: skip

ALARMS = Report(
    name="alarms",
    title="Alarms and calls",
    answers="What somebody had to look at, who came, after how long, and when it was over.",
    chart=Chart("Alarms and calls raised", by="kind", at="raised_at"),
    order="filed.raised_at, filed.alarm_id",
    columns=(
        Column("date", "Day", Kind.DATE, _RAISED),
        Column("alarm", "Alarm", Kind.ID, "the alarm, as the log names it"),
        Column("kind", "Kind", Kind.TEXT, "call: a person called a pit boss; else what was measured", choice=True),
        Column("reason", "Reason", Kind.TEXT, "what a call was for"),
        table("the code of the table, empty for what is the house's"),
        Column("box", "Box", Kind.COUNT, "the box at the table, if it is about one"),
        Column("subject", "About", Kind.ID, "what it is about, as the log names it"),
        Column("value", "Value", Kind.COUNT, "what was measured", group="Value"),
        Column("units", "Amount", Kind.UNITS, "what was measured, of an amount of money", group="Value"),
        Column("bound", "Limit", Kind.COUNT, "the house's limit of it then", group="Limit"),
        Column("bound_units", "Limit of the amount", Kind.UNITS, "the same of an amount of money", group="Limit"),
        *steps("Raised", "raised", ("raised_by", "Raised by", "who called; empty for what is measured")),
        *steps("Taken", "taken", ("taken_by", "Taken by", "who came, or answers for it")),
        Column("until_taken", "Seconds until taken", Kind.COUNT, "how long it waited for them, in seconds"),
        Column("over_at", "Over", Kind.TIME, "when it was over"),
        Column("until_over", "Seconds until over", Kind.COUNT, "how long it stood, in seconds"),
    ),
    sums="An alarm stands in each period in which it was raised, taken or over, as it stood when that was over: what"
    " came later is empty there.",
)

PAYMENTS = Report(
    name="payments",
    title="Payments by category",
    answers="How often each category of hand came, by game and rule sheet, and what was staked and paid on it.",
    chart=Chart("Boxes of each category", by="category", of="hands"),
    order='filed.game COLLATE "C", filed.sheet_digest COLLATE "C", filed.category COLLATE "C" NULLS FIRST,'
    ' filed.outcome COLLATE "C"',
    columns=(
        Column("game", "Game", Kind.TEXT, "the game", choice=True),
        Column("sheet", "Rule sheet", Kind.TEXT, "the first eight digits of the rule sheet's SHA-256", choice=True),
        Column(
            "category", "Category", Kind.TEXT,
            "the category or class of the hand; empty where it was not shown, and in games without", choice=True,
        ),
        Column("outcome", "Outcome", Kind.TEXT, "what the box came to"),
        Column("hands", "Boxes", Kind.COUNT, "how many boxes of settled rounds", total=True),
        Column("share", "Of all, %", Kind.PERMILLE, "these in percent of all boxes of this game and sheet"),
        Column("per_million", "Of a million", Kind.COUNT, "the same as so many of a million, for what is rare"),
        Column("staked", "Staked", Kind.UNITS, "what these boxes staked", total=True),
        Column("returned", "Returned", Kind.UNITS, "what they got back of it", total=True),
        Column("paid", "Paid", Kind.UNITS, "what they were paid beyond that", total=True),
        Column("net", "Net", Kind.UNITS, "returned + paid − staked", total=True, signed=True),
    ),
    sums="Each round as it was settled first: what a correction changed stands in the day on which that was done."
    " Net = returned + paid − staked.",
)  # fmt: skip

PACE = Report(
    name="pace",
    title="Pace and occupancy",
    answers="How many rounds each table played in each hour, and how many boxes played in a round.",
    chart=Chart("Rounds of each table", by="table", of="rounds", days="Rounds of all tables"),
    order='filed.date, filed."table" COLLATE "C", filed.hour',
    columns=(
        DATE,
        table(),
        Column("hour", "Hour", Kind.TIME, "the hour of the casino's clock, as it begins"),
        Column("game", "Game", Kind.TEXT, "the games that were played, empty if there was no round", choice=True),
        Column(
            "minutes", "Minutes open", Kind.COUNT, "how long the table was open, from its opening to its last count",
            total=True, way=TO_DAY_OF_TABLE,
        ),
        Column("rounds", "Rounds", Kind.COUNT, "the rounds that began in it and were closed", total=True),
        Column("voids", "Void", Kind.COUNT, "those that were voided, which are no rounds here", total=True),
        Column(
            "pace", "Rounds an hour", Kind.TENTHS, "rounds by the time for which the table was open",
            an_hour=("rounds", "minutes"),
        ),
        Column("boxes", "Boxes", Kind.COUNT, "the boxes of the rounds that were settled, as settled first", total=True),
        Column("boxes_a_round", "Boxes a round", Kind.TENTHS, "boxes by those rounds"),
    ),
    sums="A round counts in the hour in which it began; one from paper in the hour in which it was played.",
)  # fmt: skip

DEALER_ERRORS = Report(
    name="dealer-errors",
    title="Dealing errors by croupier",
    answers="How many rounds each croupier dealt, and how much of that was undone, amended, voided or corrected.",
    chart=Chart("Errors of each croupier", by="staff", of="errors"),
    order="filed.staff",
    columns=(
        Column("staff", "Croupier", Kind.STAFF, "who opened the rounds, or entered what was undone or amended"),
        Column("rounds", "Rounds", Kind.COUNT, "the rounds that they opened", total=True),
        Column("undone", "Undone", Kind.COUNT, "what they had entered and was taken back", total=True),
        Column("amended", "Amended", Kind.COUNT, "what they had entered and was replaced", total=True),
        Column("voids", "Void", Kind.COUNT, "their rounds that were voided", total=True),
        Column("void_clauses", "Void by", Kind.TEXT, "the clauses by which they were, each with how many"),
        Column(
            "corrections", "Corrected", Kind.COUNT,
            "how often rounds of theirs were settled anew in the period, whenever they were dealt", total=True,
        ),
        Column("upheld", "Disputes upheld", Kind.COUNT, "disputes about rounds of theirs upheld in it", total=True),
        Column("errors", "Together", Kind.COUNT, "undone + amended + void + corrected", total=True),
        Column("rate", "Of 1,000 rounds", Kind.TENTHS, "these by 1,000 rounds that they opened"),
    ),
    sums="An upheld dispute that changed a payment is a correction, too, so it is not added again. Not everything here"
    " is a croupier's error: players change their minds, and cards fall.",
)  # fmt: skip

LARGE_CASH = Report(
    name="large-cash",
    title="Large cash",
    answers="At which boxes the buy-ins of a gaming day came to what the house reports; never whose they were.",
    chart=Chart("Large cash at each table", by="table", of="units"),
    order='filed.date, filed."table" COLLATE "C", filed.box',
    columns=(
        DATE,
        table(),
        Column("box", "Box", Kind.COUNT, "the box at the table"),
        Column("units", "Cash", Kind.UNITS, "what its buy-ins of the day come to", total=True, way=TO_DAY),
        Column("bound", "Limit", Kind.UNITS, "large cash as the house had set it at the last of them"),
        Column("buy_ins", "Buy-ins", Kind.COUNT, "how many they were", total=True),
        Column("largest", "Largest", Kind.UNITS, "the largest of them"),
        Column("signed", "Signed for", Kind.COUNT, "how many of them a supervisor signed for", total=True),
        Column("drop_boxes", "Drop boxes", Kind.ID, "the numbers of the drop boxes into which the cash went"),
        Column("first_at", "First", Kind.TIME, "when the first of them was"),
        Column("last_at", "Last", Kind.TIME, "when the last of them was"),
    ),
    sums="Another person may have played at the same box, and one person at several: a box is a place, not a patron.",
)

HAND_HISTORY = Report(
    name="hand-history",
    title="Hand history",
    answers="What lay at each box of each round, what it came to, and by which clauses of the rules.",
    order='filed.date, filed."table" COLLATE "C", filed.number, filed.generation NULLS FIRST, filed.box NULLS FIRST',
    found_by=("round_key", "generation", "box", "date", "round", "table", "game", "number"),
    columns=(
        Column("date", "Day", Kind.DATE, "the gaming day on which it was settled, or on which a void round was dealt"),
        Column("round", "Round", Kind.ID, "the number of the round", way=TO_ROUND, asked=True),
        table(),
        Column("game", "Game", Kind.TEXT, "the game", choice=True, group="Game"),
        Column("sheet", "Rule sheet", Kind.TEXT, "the first eight digits of the rule sheet's SHA-256", group="Game"),
        Column("generation", "Settled", Kind.COUNT, "1 as settled first, 2 as corrected once; empty of a void round"),
        Column("played_at", "Began", Kind.TIME, "when the round began", group="Began, settled"),
        Column("settled_at", "Settled at", Kind.TIME, "when it was settled so", group="Began, settled"),
        Column("croupier", "Croupier", Kind.STAFF, "who opened it"),
        Column("box", "Box", Kind.COUNT, "the box; empty for a void round"),
        Column("wagers", "Wagers", Kind.TEXT, "what it staked, in the order of staking"),
        Column("cards", "Cards", Kind.TEXT, "its cards as they were entered; behind + those of a second deal"),
        Column("dealer", "Dealer", Kind.TEXT, "the dealer's cards, the open card last", group="Dealer, bought"),
        Column("replacement", "Card bought", Kind.TEXT, "what replaced one of them", group="Dealer, bought"),
        Column("category", "Category", Kind.TEXT, "the category or class of its hand, if it was shown", group="Result"),
        Column("outcome", "Outcome", Kind.TEXT, "what it came to", group="Result"),
        Column("clauses", "Clauses", Kind.TEXT, "the clauses of the rules that decided, in the order of reasoning"),
        Column("staked", "Staked", Kind.UNITS, "what it staked"),
        Column("returned", "Returned", Kind.UNITS, "what it got back of that"),
        Column("paid", "Paid", Kind.UNITS, "what it was paid beyond that"),
        Column("net", "Net", Kind.UNITS, "returned + paid − staked", signed=True),
        Column(
            "explanation",
            "Why",
            Kind.TEXT,
            "the reasons in sentences, as the round's page has them",
            later=True,
            long=True,
        ),
    ),
    sums="A round that was settled anew has its rows again, in the day on which that was done, so nothing is added up"
    " here. The sentences are the program's words for the clauses and may be worded better one day, so they are in no"
    " file.",
)
