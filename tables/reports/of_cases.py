"""Reports of what has to be cleared up, and of what was outside its limits."""

from .columns import DATE, TO_CASE, TO_DAY_OF_TABLE, Chart, Column, Kind, Report, steps, table

INVESTIGATIONS = Report(
    name="investigations",
    title="Investigations of variances, voids and sessions",
    answers="Which cases were open in the period, whose each was and until when, and what two people decided.",
    chart=Chart("Cases opened", by="kind", at="opened_at"),
    order="filed.opened_at, filed.case_id",
    columns=(
        Column("date", "Day", Kind.DATE, "the gaming day by the casino's clock on which it was opened"),
        Column("case", "Case", Kind.ID, "the number of the case", way=TO_CASE),
        Column("kind", "Kind", Kind.TEXT, "variance, drop_variance, void or investigation", choice=True),
        table(),
        Column("subject", "About", Kind.ID, "the session, the drop box or the round, as the log names it"),
        Column("units", "Variance", Kind.UNITS, "what was counted less what should have been there", signed=True),
        Column("owned_by", "Owner", Kind.STAFF, "who had to clear it up at the period's end", choice=True),
        Column("opened_at", "Opened", Kind.TIME, "when it was opened"),
        Column("due_at", "Due", Kind.TIME, "until when it had to be decided, as of the period's end"),
        Column("status", "State", Kind.TEXT, "OPEN or DECIDED at the period's end", choice=True, group="State"),
        Column(
            "late", "Late", Kind.TEXT, "late: it was decided later, or not until the period's end", choice=True,
            group="State",
        ),
        Column("outcome", "Outcome", Kind.TEXT, "found or not_found, of the cause", choice=True, group="State"),
        *steps(
            "Decided", "decided", ("decided_by", "Decided by", "who decided it"),
            ("approved_by", "Decided with", "who signed for that as the second"),
        ),
    ),
    sums="A case that is not decided stands in the report of each period until it is. Disputes have their own report.",
)  # fmt: skip

DAILY_EXCEPTIONS = Report(
    name="daily-exceptions",
    title="Daily exceptions",
    answers="What was outside its limits on each gaming day, by how much, and who signed for it.",
    chart=Chart("Exceptions of each kind", by="kind"),
    order='filed.date, filed."table" COLLATE "C" NULLS FIRST, filed.kind COLLATE "C", filed.subject COLLATE "C",'
    " filed.source",
    columns=(
        DATE,
        table("the code of the table, empty for what is the house's"),
        Column(
            "kind", "What", Kind.TEXT,
            "a variance of opener, closer, drop, cage or tips; a drop box with another seal, swapped"
            " or overdue; a slip that was late; a round held; a rate of voids or of corrections; how many rounds were"
            " void or corrected, how many slips void or sent back; a lock-out; failed logins; an inspection's finding",
            choice=True,
        ),
        Column("subject", "About", Kind.ID, "what it is about, as the log names it"),
        Column("found_at", "At", Kind.TIME, "when it was found; empty for a number of the day"),
        Column("units", "Amount", Kind.UNITS, "what was counted less what should have been there", signed=True),
        Column("bound_units", "Limit", Kind.UNITS, "the variance that passes, as the house had set it then"),
        Column(
            "number", "Number", Kind.COUNT, "what was measured or counted where it is no money", way=TO_DAY_OF_TABLE
        ),
        Column("bound", "Limit", Kind.COUNT, "the number that passes, as the house had set it then"),
        Column("measure", "Of what", Kind.TEXT, "percent, minutes, hours, rounds, slips or logins"),
        Column(
            "one", "By", Kind.STAFF, "who signed for it, held the round, issued the slip or was locked out", group="By"
        ),
        Column("other", "With", Kind.STAFF, "who signed as the second, or received the slip", group="By"),
        Column("case", "Case", Kind.ID, "the number of the case that it has", way=TO_CASE),
    ),
    sums="Each void and each correction, with who asked and who approved, stands in the report of voids and"
    " corrections, each slip void or sent back in that of slip numbers: here is how many there were.",
)  # fmt: skip
