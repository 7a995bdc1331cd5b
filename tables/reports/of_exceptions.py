"""Reports of exceptions to the rules, and who answers for them."""

from .columns import TO_ENTRY, Chart, Column, Kind, Report, table

EXCEPTIONS = Report(
    name="exceptions",
    title="Voids, corrections, rulings and settings",
    answers="What was voided, corrected, ruled on, overridden or set anew, who asked for it and who approved it.",
    chart=Chart("When it was", by="what", at="made_at"),
    order='filed.made_at, filed.chain COLLATE "C", filed.seq',
    columns=(
        Column("date", "Day", Kind.DATE, "the gaming day by the casino's clock"),
        Column("made_at", "At", Kind.TIME, "when the log has it"),
        Column("what", "What", Kind.TEXT, "the event, as the log names it", choice=True),
        table("the code of the table, empty for what is the house's"),
        Column("subject", "About", Kind.ID, "what it is about, as the log names it"),
        Column("detail", "Detail", Kind.TEXT, "the setting, the ruling, the sheet, or what was counted"),
        Column("clause", "Clause", Kind.TEXT, "the clause of the rules that was named"),
        Column("asked_by", "Asked by", Kind.STAFF, "who asked for it, or did it", choice=True),
        Column("approved_by", "Approved by", Kind.STAFF, "who signed for it as the second", choice=True),
        Column("terminal", "Terminal", Kind.TEXT, "the device at which it was done"),
        Column("before", "Before", Kind.TEXT, "the setting before, an amount in the smallest unit"),
        Column("after", "After", Kind.TEXT, "the setting after, an amount in the smallest unit"),
        Column("from_at", "From", Kind.TIME, "the moment from which a setting or a sheet counts"),
        Column("entry", "Entry", Kind.ID, "its entry in the log: the chain and the number there", way=TO_ENTRY),
    ),
    sums="Each row is an entry of the log. Reasons in words stay in the casino: the log has their hashes.",
)
