"""What the log says to people: see `casino.wording`."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "audit",
    {
        # ahead
        "bad_leaf_none": Refusal("All leaves are in order.", "There is nothing to pass over."),
        # bad_entries
        "bad_entry_none": Refusal("Entry {place} is in order.", "There is nothing to pass over."),
        "bad_entry_passed_over": Refusal("Entry {place} has already been passed over.", "Seal the log."),
        "bad_entry_unknown": Refusal(
            "There is no entry {place}.", "Copy its place from the reason, such as table:7/12."
        ),
        # chains
        "broken": "{chain}: entry {seq} {how}.",
        "broken.form": "isn’t in the one form: it {what}",
        "broken.head": "{chain}: its head is entry {head_seq}, {head}; its entries end with {seq}, {digest}.",
        "broken.missing": "is missing, or doesn’t follow the one before it",
        "broken.older": "is older than the one before it",
        # comparing
        "absent": "{row} is not there, but the log records it.",
        "differs": "{column}: {stands}; {source} {value}.",
        "differs:row": "{row}, {column}: {stands}; {source} {value}.",
        "surplus": "{row} is there, but the log does not record it.",
        "unreadable": "It can't be read: {why}.",
        # exports
        "export_no_period": Refusal(
            "A period to export has to end after it begins, and before now.", "Choose days that are over."
        ),
        "export_no_table": Refusal("The log has nothing of a table {table}.", "Name another table."),
        "export_no_table:unnamed": Refusal("You chose no table.", "Choose the table to export."),
        "export_unasked": "The log has no entry of it: nobody asked for it.",
        "export_unsealed": "Nothing is sealed. {fault}",
        # inclusion
        "entry_changed": "The text that stands here now isn’t the one that was sealed.",
        "entry_loose": "It doesn’t follow entry {before} of its chain: one of them was changed, or that one is gone.",
        "entry_misplaced": "Its text names another place in the log than the one at which it stands.",
        "proof_check": "An entry is in the log if SHA-256 of a zero byte and its text in UTF-8 (RFC 6962: the leaf),"
        " its index, the checkpoint’s size and the path lead to the checkpoint’s root (RFC 9162, 2.1.3.2; {function} of"
        " {program}), and the log’s public key has signed the checkpoint.",
        "tree_changed": "The tree itself was changed: {fault}",
        "tree_changed:root": "The tree itself was changed: it doesn’t have the root that was signed.",
        # inspections
        "nothing_to_accept": Refusal(
            "None of these differences is waiting to be accepted.", "Choose from those that are shown.", 422, "findings"
        ),
        "reason_missing": Refusal("The reason is missing.", "Write what came of it.", 422, "reason"),
        # leaves
        "absent:recorded": "It is not there, but the log records it.",
        "checkpoint_absent": "The newest checkpoint is not there.",
        "column_differs": "The entry says {value}, its column {stands}.",
        "entry_absent": "The entry is not there; it was sealed.",
        "entry_bad": "The entry {error}.",
        "entry_other": "The entry is not the one that was sealed.",
        "hash_absent": "The kept hash is not there.",
        "hash_differs": "The leaves below it give a different hash.",
        "leaf_absent": "The leaf is not there.",
        "note_other": "Its note is of another checkpoint.",
        "note_unreadable": "Its note can't be read: {fault}",
        "note_unsigned": "None of our keys signed it.",
        "root_differs": "The leaves below it give a different root.",
        "root_differs:edge": "Its hashes give a different root.",
        "surplus:anchor": "The anchor is there, but the log does not record it.",
        "surplus:export": "The export is there, but the log does not record it.",
        "surplus:finding": "The finding is there, but the log does not record it.",
        # samples
        "nothing_sealed": Refusal("Nothing in the log is sealed yet.", "Wait a few seconds until it is."),
        "nothing_to_draw": Refusal(
            "In the log as far as it’s anchored, no round has been settled since your last visit.",
            "Wait for a round, and for the next anchor.",
        ),
        # status
        "forged": (
            "Rows that the sealer didn’t write were passed over: {count}. Find out who wrote them, then end this "
            "alarm with `manage.py seal --known`; the rows stay."
        ),
        "sealing_gone": "The one row of the sealer’s state is gone.",
        # visits
        "checkpoint_unknown": Refusal(
            "The log has no checkpoint of {checkpoint} entries.",
            "Send the size of the checkpoint that the desk shows.",
            422,
            "checkpoint",
        ),
        "visit_recorded": Refusal(
            "Your visit of {size} entries has already been recorded.",
            "Open the desk again: it shows what has come since.",
        ),
    },
)
