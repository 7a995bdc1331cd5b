"""Reports of what the tables won, day by day."""

from .columns import DATE, TO_DAY, Column, Kind, Report, figure, table

MASTER_GAME = Report(
    name="master-game",
    title="Master game report",
    answers="What each table won, dropped and held on each gaming day, as the day was closed.",
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
        figure("win", "Win", "closer + drop + credits − opener − fills", signed=True),
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
    ),
    sums="Win = closer + drop + credits − opener − fills. Hold = win ÷ drop. Rake and tips are not part of the win."
    " What was corrected since is in no other figure and in no file: it stands in the day on which that was done. Where"
    " a table had several sessions, its openers and closers are the same chips counted again.",
)
