"""Reports of what the tables won, day by day."""

from .columns import DATE, TO_DAY, Chart, Column, Kind, Report, figure, luck, table

MASTER_GAME = Report(
    name="master-game",
    title="Master game report",
    answers="What each table won, dropped and held on each gaming day, as the day was closed.",
    chart=Chart("Win of each table", by="table", of="win", days="Win of all tables"),
    order='filed.date, filed."table" COLLATE "C"',
    columns=(
        DATE,
        table(),
        Column("game", "Game", Kind.TEXT, "the games that were played there, empty if there was no round"),
        Column("sessions", "Sessions", Kind.COUNT, "how many sessions the table had; each has an opener and a closer"),
        figure("opener", "Opener", "the chips with which the sessions were opened"),
        figure("fills", "Fills", "the chips that came from the cage"),
        figure("credits", "Credits", "the chips that went to the cage, less those that came back"),
        figure("closer", "Closer", "the chips with which the sessions were closed"),
        figure("drop", "Drop", "the cash that was counted in the drop boxes"),
        figure("buy_ins", "Buy-ins", "the cash that the table recorded"),
        figure(
            "win",
            "Win",
            "closer + drop + credits − opener − fills",
            signed=True,
            made_of=("+closer", "+drop", "+credits", "-opener", "-fills"),
        ),
        Column("hold", "Hold, %", Kind.PERMILLE, "the win in percent of the drop", of=("win", "drop")),
        figure("rake", "Rake", "the chips that were counted in the rake slot; they are not part of the win"),
        figure("tips", "Tips", "the tips that were entered; they are not part of the win"),
        figure("variance", "Variance", "what was counted in float and drop boxes less what the books had", signed=True),
        Column(
            "corrected",
            "Corrected since",
            Kind.UNITS,
            "what later days changed in what the house won of its rounds",
            total=True,
            way=TO_DAY,
            signed=True,
            later=True,
        ),
        *luck(),
    ),
    sums="Win = closer + drop + credits − opener − fills. Hold = win ÷ drop. Rake and tips are not part of the win."
    " What was corrected since is in no other figure and in no file: it stands in the day on which that was done."
    " What was expected of the rounds stands in no file either: Luck told apart has it with its band. Where"
    " a table had several sessions, its openers and closers are the same chips counted again.",
    # Closer, rake and variance are counted last: until then, they and what follows from them are one gap.
    by_pit=(
        *("opener", "fills", "credits", "buy_ins", "tips", "drop", "closer", "win", "hold", "rake", "variance"),
        *("expected", "deviation", "corrected"),
    ),
    lanes="",
    sentence="The tables won {win} on a drop of {drop}: a hold of {hold} %.",
)

ADJUSTMENTS = Report(
    name="adjustments",
    title="Adjustments to the master game report",
    answers="What later days changed of a gaming day: corrections, rulings and voids of its rounds, by whom.",
    chart=Chart("Adjustments of each table", by="table", of="units"),
    order='filed.date, filed."table" COLLATE "C", filed.number, filed.generation',
    columns=(
        Column("date", "Made on", Kind.DATE, "the gaming day on which it was made and in which it stands"),
        Column("of_date", "Of", Kind.DATE, "the gaming day of the round, which stays as it was", way=TO_DAY),
        table(),
        Column("subject", "Round", Kind.ID, "the round, as the log names it"),
        Column("generation", "Settlement", Kind.COUNT, "which settlement of the round it is; the first is 1"),
        Column("kind", "Kind", Kind.TEXT, "correction, ruling on a dispute, or void", choice=True),
        Column("units", "Difference", Kind.UNITS, "what the house won of it, below 0 lost", total=True, signed=True),
        Column(
            "cage", "Of the cage", Kind.UNITS, "what of it the cage took, below 0 gave, since the table was closed",
            total=True, signed=True,
        ),
        Column("clause", "Clause", Kind.TEXT, "the clause of the rules that was named"),
        Column("made_at", "At", Kind.TIME, "when it was made", group="At"),
        Column("asked_by", "Asked by", Kind.STAFF, "who asked for it or ruled", group="At", choice=True),
        Column("approved_by", "Approved by", Kind.STAFF, "who signed for it as the second", group="At"),
    ),
    also="corrected, changed after the day was closed",
    sums="All differences of one day, on whichever day they were made, come to what the master game report has as"
    " corrected since. At a table that was closed the cage took the difference, else the session that ran.",
)  # fmt: skip


def _span(name, label, words):
    """The figures of a table and a game in a span of days; those of luck in short, except for the year, which an alarm
    is about."""
    yield Column(
        f"{name}_drop", f"Drop, {label}", Kind.UNITS, f"the cash that was counted {words}", total=True, counted=True
    )
    yield Column(
        f"{name}_win", f"Win, {label}", Kind.UNITS, f"what was won {words}", total=True, signed=True, counted=True
    )
    yield Column(
        f"{name}_hold", f"Hold, {label}, %", Kind.PERMILLE, "that win in percent of that drop",
        of=(f"{name}_win", f"{name}_drop"),
    )  # fmt: skip
    yield Column(f"{name}_rounds", f"Rounds, {label}", Kind.COUNT, f"the rounds {words}, void ones apart", total=True)
    yield Column(f"{name}_stakes", f"Stakes, {label}", Kind.UNITS, f"what was staked in them {words}", total=True)
    shown = ("won", "expected", "band", "deviation", "luck_alarm") if name == "year" else ("expected", "deviation")
    of_luck = luck(f"{name}_", label, words, deviations="19 of 20 such spans")
    yield from (column for column in of_luck if column.name.removeprefix(f"{name}_") in shown)


STATISTICS = Report(
    name="statistics",
    title="Win, drop and hold by table and game",
    answers="What each table won, dropped and held at each game, on a day and in its month and its year until then.",
    chart=Chart("Win of each table in the year until then", by="table", of="year_win"),
    order='filed."table" COLLATE "C", filed.game COLLATE "C" NULLS FIRST',
    columns=(
        Column(
            "date",
            "Up to",
            Kind.DATE,
            "the last gaming day of the period that has come; month and year are those of this day",
        ),
        table(),
        Column("game", "Game", Kind.TEXT, "the games of the sessions, empty if there was no round", choice=True),
        *_span("day", "day", "on that day"),
        *_span("month", "month", "in its month until then"),
        *_span("year", "year", "in its year until then"),
    ),
    sums="Win, drop and hold are those of the master game report; a session of several games is of all of them"
    " together. What was corrected on a later day is in none of these figures.",
    lanes="year_",
    of_the_year=True,
)
