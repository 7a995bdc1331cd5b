"""Which state follows which: every pair of states is tried on the database, as the role that changes such rows."""

import re
from string import Template

import psycopg
import pytest

from audit.models import Export
from casino import guards
from casino.running import embedded
from payouts.models import CoefficientTable, EdgeResult
from tables.models import (
    CageShift,
    Case,
    Dispute,
    DropBox,
    GamingDay,
    Question,
    ReportFile,
    Round,
    RuleSheet,
    Series,
    Session,
    Slip,
)

from ..support import attacks, stack
from ..support.attacks import intervention, of_round, ruling

# State to the states that a row may be written in next; what may not even be written again stays as it is.
ACCEPTED = {
    Round: {"OPEN": "OPEN CLOSED VOIDED", "CLOSED": "CLOSED SETTLED", "SETTLED": "SETTLED", "VOIDED": ""},
    Session: {
        "OPENING": "OPENING OPEN",
        "OPEN": "OPEN CLOSING",
        "CLOSING": "CLOSING OPEN CLOSED",
        "CLOSED": "",
    },
    Series: {"OPEN": "OPEN CLOSED", "CLOSED": ""},
    RuleSheet: {"DRAFT": "DRAFT PUBLISHED", "PUBLISHED": ""},
    CoefficientTable: {"DRAFT": "DRAFT PUBLISHED", "PUBLISHED": ""},
    Dispute: {"OPEN": "RULED", "RULED": "CLOSED", "CLOSED": ""},
    Slip: {"REQUESTED": "ISSUED VOIDED", "ISSUED": "RECEIVED RETURNED", "RECEIVED": "", "RETURNED": "", "VOIDED": ""},
    CageShift: {"OPEN": "OPEN CLOSED", "CLOSED": ""},
    Case: {"OPEN": "DECIDED", "DECIDED": ""},
    DropBox: {"MOUNTED": "REMOVED", "REMOVED": "COUNTED", "COUNTED": ""},
    GamingDay: {"OPEN": "OPEN CLOSED", "CLOSED": ""},
    Question: {"ASKED": "ANSWERED", "ANSWERED": "SETTLED", "SETTLED": ""},
    ReportFile: {"ASKED": "ASKED DONE FAILED CANCELLED", "DONE": "PRUNED", "FAILED": "", "CANCELLED": "", "PRUNED": ""},
    EdgeResult: {
        "ASKED": "COMPUTING CANCELLED",
        "COMPUTING": "COMPUTING DONE FAILED CANCELLED",
        "DONE": "",
        "FAILED": "ASKED",
        "CANCELLED": "ASKED",
    },
    # No trigger keeps them; the check only couples each state with its columns.
    Export: {"ASKED": "ASKED DONE FAILED", "DONE": "ASKED DONE FAILED", "FAILED": "ASKED DONE FAILED"},
}
REFUSALS = {
    Round: "does not become",
    Session: "does not become|opened and closed with stays",
    Series: attacks.ONLY_ENDS,
    RuleSheet: "is published",
    CoefficientTable: "is published",
    Dispute: "does not become",
    Slip: "does not become|takes one step",
    CageShift: "closed with stays",
    Case: "it moves, or is decided|it is decided",
    DropBox: "does not become",
    GamingDay: "closed for good",
    Question: "and no more|it is settled",
    ReportFile: "is pruned, and no more|it has ended|what is not made is not pruned",
    EdgeResult: "does not become|what is computed stays",
}

SAID_VOID = intervention(round_id="$open", kind="'voided'", clause="'house.4'", approved_by_id="$clara")
VOIDED = SAID_VOID + of_round("open", "status = 'VOIDED'") + ";"
SERIES_CLOSED = "UPDATE tables_series SET status = 'CLOSED', closed_at = now() WHERE table_id = $table2;"
DISPUTE_RULED = ruling() + attacks.case_ruled()
EXPORT = "INSERT INTO audit_export (id, kind, table_key, status, leaves, leaves_written, entries, progress, failure)"
EXPORTS = {
    "ASKED": "status = 'ASKED', ended_at = NULL, failure = ''",
    "DONE": "status = 'DONE', ended_at = coalesce(ended_at, now()), failure = '',"
    " checkpoint_id = (SELECT max(size) FROM audit_checkpoint)",
    "FAILED": "status = 'FAILED', ended_at = coalesce(ended_at, now()), failure = 'x'",
}
ASKED = f"{EXPORT} VALUES (900, 'all', '', 'ASKED', 0, 0, 0, '{{}}', '');"
OF_EDGE = "key = repeat('e', 64)"
CLOSING = attacks.stopped() + attacks.both_counted()
# How a row comes into a state, and which it is.
STATES = {
    Round: {
        "OPEN": ("", "id = $open"),
        "CLOSED": ("", "id = $closed"),
        "SETTLED": ("", "id = $settled"),
        "VOIDED": (VOIDED, "id = $open"),
    },
    Session: {
        "OPENING": (attacks.begun() + attacks.both_counted("opener", "900") + attacks.of_opening(), "id = 900"),
        "OPEN": ("", "id = $session4"),
        "CLOSING": (CLOSING, "id = $session4"),
        "CLOSED": ("", "id = $session_closed"),
    },
    Series: {"OPEN": ("", "table_id = $table2"), "CLOSED": (SERIES_CLOSED, "table_id = $table2")},
    RuleSheet: {"DRAFT": ("", "id = $sheet_draft"), "PUBLISHED": ("", "id = $sheet")},
    CoefficientTable: {"DRAFT": ("", "id = $ratios_draft"), "PUBLISHED": ("", "id = $ratios")},
    Dispute: {
        "OPEN": ("", "id = $dispute"),
        "RULED": (DISPUTE_RULED, "id = $dispute"),
        "CLOSED": (DISPUTE_RULED + attacks.DISPUTE_CLOSED, "id = $dispute"),
    },
    Slip: {
        "REQUESTED": ("", "id = $credit"),
        "ISSUED": ("", "id = $fill"),
        "RECEIVED": (attacks.received(), "id = $fill"),
        "RETURNED": (attacks.sent_back(), "id = $fill"),
        "VOIDED": (attacks.voided(), "id = $credit"),
    },
    CageShift: {
        "OPEN": (attacks.cage_counting() + attacks.BOTH_COUNTED, "id = $shift"),
        "CLOSED": (attacks.cage_closing(), "id = $shift"),
    },
    Case: {"OPEN": ("", "id = $case"), "DECIDED": (attacks.deciding(), "id = $case")},
    DropBox: {
        "MOUNTED": ("", "id = $drop_box"),
        "REMOVED": (attacks.taken_off() + attacks.BOTH_CASH + attacks.cash_moved(), "id = $drop_box"),
        "COUNTED": (attacks.drop_counted(), "id = $drop_box"),
    },
    GamingDay: {
        "OPEN": (attacks.DAY_BEGUN, attacks.OF_OVER),
        "CLOSED": (attacks.DAY_BEGUN + attacks.day_closed(), attacks.OF_OVER),
    },
    Question: {
        "ASKED": (attacks.question(), "id = 900"),
        "ANSWERED": (attacks.QUESTION_ANSWERED, "id = 900"),
        "SETTLED": (
            attacks.QUESTION_ANSWERED + attacks.question_over("SETTLED") + attacks.of_question("settled"),
            "id = 900",
        ),
    },
    ReportFile: {
        "ASKED": (attacks.report_file(), "id = 900"),
        "DONE": (attacks.FILE_DONE, "id = 900"),
        "FAILED": (attacks.report_file() + attacks.file_over("FAILED"), "id = 900"),
        "CANCELLED": (attacks.report_file() + attacks.file_over("CANCELLED"), "id = 900"),
        "PRUNED": (attacks.FILE_DONE + attacks.file_over("PRUNED") + attacks.files_pruned(), "id = 900"),
    },
    EdgeResult: {
        "ASKED": (attacks.edge(), OF_EDGE),
        "COMPUTING": (attacks.EDGE_BEGUN, OF_EDGE),
        "DONE": (attacks.EDGE_DONE, OF_EDGE),
        "FAILED": (attacks.EDGE_BEGUN + attacks.edge_over("FAILED"), OF_EDGE),
        "CANCELLED": (attacks.edge() + attacks.edge_over("CANCELLED"), OF_EDGE),
    },
    Export: {
        state: (f"{ASKED} UPDATE audit_export SET {columns} WHERE id = 900;", "id = 900")
        for state, columns in EXPORTS.items()
    },
}
# Moves that need more than their column: the statements that do them rightly.
RIGHTLY = {
    (Round, "OPEN", "CLOSED"): of_round("open", "status = 'CLOSED', closed_at = now(), next_at = now()"),
    (Round, "OPEN", "VOIDED"): VOIDED,
    (Round, "CLOSED", "SETTLED"): attacks.FIRST,
    (Session, "OPENING", "OPEN"): attacks.opening()[attacks.opening().index("UPDATE") :],
    (Session, "OPEN", "CLOSING"): attacks.stopped(),
    (Session, "CLOSING", "OPEN"): "UPDATE tables_session SET status = 'OPEN', stopped_at = NULL, stopped_by_id = NULL"
    " WHERE id = $session4",
    (Session, "CLOSING", "CLOSED"): attacks.closing()[len(CLOSING) :],
    (Series, "OPEN", "CLOSED"): SERIES_CLOSED,
    (RuleSheet, "DRAFT", "PUBLISHED"): "UPDATE tables_rulesheet SET status = 'PUBLISHED', published_by_id = $anna,"
    f" published_at = now(), {attacks.RULED_RIGHTLY} WHERE id = $sheet_draft",
    (CoefficientTable, "DRAFT", "PUBLISHED"): "UPDATE payouts_coefficienttable SET status = 'PUBLISHED',"
    " published_by_id = $anna, published_at = now() WHERE id = $ratios_draft",
    (Dispute, "OPEN", "RULED"): ruling(),
    (Dispute, "RULED", "CLOSED"): attacks.DISPUTE_CLOSED,
    (Slip, "REQUESTED", "ISSUED"): attacks.issued(),
    (Slip, "REQUESTED", "VOIDED"): attacks.voided(),
    (Slip, "ISSUED", "RECEIVED"): attacks.received(),
    (Slip, "ISSUED", "RETURNED"): attacks.sent_back(),
    (DropBox, "MOUNTED", "REMOVED"): attacks.taken_off(),
    (DropBox, "REMOVED", "COUNTED"): attacks.drop_counted()[attacks.drop_counted().rindex("UPDATE") :],
    (CageShift, "OPEN", "CLOSED"): attacks.cage_closing()[attacks.cage_closing().rindex("UPDATE") :],
    (Case, "OPEN", "DECIDED"): attacks.deciding(),
    (GamingDay, "OPEN", "CLOSED"): attacks.day_closed(),
    (Question, "ASKED", "ANSWERED"): attacks.question_over("ANSWERED"),
    (Question, "ANSWERED", "SETTLED"): attacks.question_over("SETTLED"),
    (ReportFile, "ASKED", "DONE"): attacks.file_over("DONE") + attacks.file_made(),
    (ReportFile, "ASKED", "FAILED"): attacks.file_over("FAILED"),
    (ReportFile, "ASKED", "CANCELLED"): attacks.file_over("CANCELLED"),
    (ReportFile, "DONE", "PRUNED"): attacks.file_over("PRUNED") + attacks.files_pruned(),
    (EdgeResult, "ASKED", "COMPUTING"): attacks.edge_over("COMPUTING"),
    (EdgeResult, "COMPUTING", "DONE"): attacks.edge_over("DONE"),
    (EdgeResult, "COMPUTING", "FAILED"): attacks.edge_over("FAILED"),
    (EdgeResult, "FAILED", "ASKED"): attacks.edge_over("ASKED"),
    (EdgeResult, "CANCELLED", "ASKED"): attacks.edge_over("ASKED"),
} | {
    (Export, before, after): f"UPDATE audit_export SET {columns} WHERE id = 900"
    for before in EXPORTS
    for after, columns in EXPORTS.items()
}


def attempt(floor, model, before, after):
    """A row brought from one state into another and taken back; gives how many rows were written."""
    arrive, where = STATES[model][before]
    move = RIGHTLY.get((model, before, after), f"UPDATE {model._meta.db_table} SET status = '{after}' WHERE {where}")
    with stack.cluster().connect(embedded.SEALER if model is Export else embedded.APP, floor.database) as writer:
        writer.execute(Template(f"BEGIN; {arrive}").substitute(floor.names))
        done = writer.execute(Template(move).substitute(floor.names))
        while done.nextset():
            pass
        writer.execute("ROLLBACK")
        return done.rowcount


@pytest.mark.parametrize(
    ("model", "before"),
    [pytest.param(model, before, id=f"{model.__name__}-{before}") for model in ACCEPTED for before in ACCEPTED[model]],
)
def test_a_state_is_followed_by_those_of_the_table_alone(floor, model, before):
    assert list(ACCEPTED[model]) == list(STATES[model]) == model.Status.values
    for after in model.Status.values:
        if after in ACCEPTED[model][before].split():
            assert attempt(floor, model, before, after) == 1, (before, after)
        else:
            with pytest.raises(psycopg.errors.RestrictViolation, match=REFUSALS[model]):
                attempt(floor, model, before, after)


def test_the_guards_sentences_say_the_same_moves(db):
    told = {}
    for guard in guards.guards():
        if moves := re.search(r"Moves.*: (.+)\.$", guard.sentence):
            told[guard.table] = sorted(moves[1].split(", "))
    assert told == {
        model._meta.db_table: sorted(
            f"{before} to {after}" for before, line in states.items() for after in line.split() if after != before
        )
        for model, states in ACCEPTED.items()
        if model is not Export
    }
