"""Reports of who may do what."""

from casino.roles import Right

from .columns import TO_PERSON, Column, Kind, Report

ACCESS_REVIEW = Report(
    name="access-review",
    title="Access review",
    answers="Who could do what: each person's postings with the two who gave them, and what changed in the period.",
    order="filed.person, filed.posted_at NULLS FIRST, filed.posting_id",
    columns=(
        Column("person", "Person", Kind.STAFF, "the person, by number", way=TO_PERSON, choice=True),
        Column("state", "State", Kind.TEXT, "working or left, at the period's end", choice=True),
        Column("role", "Role", Kind.TEXT, "the role of the posting, empty for who has none", choice=True),
        Column("pit", "Pit", Kind.TEXT, "the code of its pit, empty for all pits", choice=True),
        Column("posted_at", "From", Kind.TIME, "when the posting was given", group="From"),
        Column("posted_by", "Given by", Kind.STAFF, "who gave it; empty when the house was set up", group="From"),
        Column("posted_with", "Given with", Kind.STAFF, "who signed for that as the second", group="From"),
        Column("ended_at", "Until", Kind.TIME, "when it ended, if it did before the period's end", group="Until"),
        Column("ended_by", "Ended by", Kind.STAFF, "who ended it", group="Until"),
        Column("ended_with", "Ended with", Kind.STAFF, "who signed for that as the second", group="Until"),
        Column("passkeys", "Passkeys", Kind.COUNT, "how many passkeys the person had at the period's end"),
        Column("apps", "Apps", Kind.COUNT, "how many authenticator apps the person had at the period's end"),
        Column("lock_outs", "Locked out", Kind.COUNT, "how often the person was locked out in the period"),
        Column(
            "changes", "Changed", Kind.TEXT, "what happened to the person's access in the period, as the log names it"
        ),
        Column("logged_in_at", "Last login", Kind.TIME, "when the person logged in last", later=True),
    ),
    sums="Somebody with several postings has a row for each, and what is the person's in each of them. Who left before"
    " the period is in no row.",
    right=Right.READ_STAFF,
    also="who may, rights, roles, permissions, allowed to void rounds",
    of_roles=True,
)
