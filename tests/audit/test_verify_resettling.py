"""`verify_export.py --resettle`: every payment and transfer of an export follows from its cards and the rules.

By a night that the product logged and that is kept; `test_resettle.py` plays one of tonight.
"""

import copy
import hashlib
import json
import re
import shutil
import subprocess
import sys
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from audit import verify_export as verifier
from casino.games import split

from ..support import exports
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
PROJECT = Path(__file__).resolve().parents[2]
LEFT = "  rounds that are not whole here: "


@pytest.fixture(scope="module")
def log():
    entries = exports.kept_night()
    count = len(entries)
    return exports.Log(entries, [count // 3, count // 2, count])


@pytest.fixture
def desk(log, tmp_path):
    return Desk(tmp_path, log)


def judge(desk, files, *more, project=PROJECT):
    return desk.judge(files, "--resettle", str(project), *more)


def moved(kind, units, gets, gives):
    """A movement as the log has it."""
    transfer = {"key": f"session:1:{kind}:1:1", "debit": gets, "credit": gives, "units": units, "reason": kind}
    facts = {"kind": kind, "number": 1, "denominations": {"500": 2, "1": 7}, "transfer": transfer}
    return {"event": "movement.made", "chain": "table:1", "subject": "movement:1", "facts": facts}


def test_chips_move_between_the_accounts_of_their_kind():
    """A variance goes either way, and what goes by a slip is on its way in between."""
    table, ways = (
        "float:table:1",
        {
            "opener": ("float:table:1", "cage:house"),
            "closer": ("cage:house", "float:table:1"),
            "rake": ("cage:house", "rake:table:1"),
            "drop": ("count_room:house", "float:table:1"),
            "fill_issued": ("transit:house", "cage:house"),
            "fill": ("float:table:1", "transit:house"),
            "fill_returned": ("cage:house", "transit:house"),
            "credit": ("transit:house", "float:table:1"),
            "credit_received": ("cage:house", "transit:house"),
            "credit_returned": ("float:table:1", "transit:house"),
        },
    )
    slot = "rake:table:1"
    variances = [("variance", ends) for place in (table, slot) for ends in permutations((place, "variance:house"))]
    for kind, ends in [*ways.items(), *variances]:
        core = verifier.load_core(PROJECT)
        _, transfers = verifier.Resettling(core).take(moved(kind, 1007, *ends))
        assert transfers == ((f"session:1:{kind}:1:1", *ends, 1007, kind),)
        wrong = [
            moved(kind, 1008, *ends),
            moved(kind, 1007, "cage:table:1", ends[1]),
            moved(kind, 1007, ends[0], "rake:house"),
        ]
        wrong += [moved(kind, 1007, *ends[::-1])] if kind != "variance" else []
        for entry in wrong:
            with pytest.raises(verifier.Difference, match="movement:1, its transfer"):
                verifier.Resettling(core).take(entry)
    numbered = moved("drop", 1007, *ways["drop"])
    numbered["facts"]["number"] = 2
    with pytest.raises(verifier.Difference, match="of another movement"):
        verifier.Resettling(core).take(numbered)
    with pytest.raises(verifier.Difference, match="'gift' is missing or unknown in its facts"):
        verifier.Resettling(core).take(moved("gift", 1007, table, "variance:house"))


def told_of(alarm, event, facts):
    """What the log tells of an alarm of the first table."""
    return {"event": f"alarm.{event}", "chain": "table:1", "subject": alarm, "facts": {"alarm": alarm} | facts}


CALL = {"kind": "call", "of": "table:1"}
LOW = {"kind": "float_low", "of": "session:7", "value": 29, "limit": 30}
HELD = {"kind": "round_held", "of": "round:7"}
ONE, TWO = "alarm:1", "alarm:2"
COURSES = {
    "": [
        (ONE, "raised", CALL | {"reason": "chips"}), (ONE, "taken", {"word": "a" * 64}), (ONE, "over", {}),
        (TWO, "raised", CALL),
    ],
    "alarm:2 is raised while call of table:1 stands": [(ONE, "raised", CALL), (TWO, "raised", CALL)],
    "alarm:1 is raised while": [(ONE, "raised", CALL), (ONE, "raised", CALL)],
    "its chain is": [(ONE, "raised", CALL | {"of": "table:2"})],
    "its subject is": [(ONE, "raised", CALL | {"alarm": TWO})],
    "alarm:1 is taken twice": [(ONE, "raised", CALL), (ONE, "taken", {}), (ONE, "taken", {})],
    "nobody had come to the call": [(ONE, "raised", CALL), (ONE, "over", {})],
    "does not stand, and its alarm.taken": [(ONE, "taken", {})],
    "does not stand, and its alarm.over": [
        (ONE, "raised", CALL), (ONE, "taken", {}), (ONE, "over", {}), (ONE, "over", {})
    ],
    "raised for Frau Adler, which is no reason": [(ONE, "raised", CALL | {"reason": "Frau Adler"})],
    "raised for chips, which is no reason": [(ONE, "raised", LOW | {"reason": "chips"})],
    "'of' is missing": [(ONE, "raised", {"kind": "call"})],
    "float_low of session:7 stands": [(ONE, "raised", LOW), (TWO, "raised", LOW)],
    "which its limit lets pass": [(ONE, "raised", LOW | {"value": 30})],
    "'value' is missing": [(ONE, "raised", {"kind": "float_low", "of": "session:7"})],
    "one of its kind is of \"session\"": [(ONE, "raised", LOW | {"of": "round:7"})],
    "a kind that nobody knows": [(ONE, "raised", LOW | {"kind": "late"})],
    "where none of its kind stands": [
        (ONE, "raised", {"kind": "lock_out", "of": "staff:7", "value": 5, "limit": 5})
    ],
    "says that round:7 is held, and it is not": [(ONE, "raised", HELD)],
    "table:2\", its chain is": [
        (ONE, "raised", {"kind": "settlement_late", "of": "table:2", "value": 11, "limit": 10})
    ],
}  # fmt: skip


def follow(resettling, entries, fault):
    """Entries in their order, of which none is at fault, or (with a fault) the last one alone."""
    *before, last = entries
    for entry in before:
        assert resettling.take(entry) == ((), ())
    if not fault:
        assert resettling.take(last) == ((), ())
        return
    with pytest.raises(verifier.Difference, match=fault):
        resettling.take(last)


@pytest.mark.parametrize("fault", COURSES, ids=lambda fault: fault or "none")
def test_a_call_is_raised_taken_and_over_once_and_one_stands_at_a_table(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    entries = [told_of(alarm, event, facts) for alarm, event, facts in COURSES[fault]]
    follow(resettling, entries, fault)


def test_a_held_round_alarms_between_its_hold_and_its_release_and_a_damaged_log_in_the_house():
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    of_round = {"chain": "table:1", "subject": "round:7", "facts": {}}
    resettling.take(of_round | {"event": "round.held"})
    resettling.take(told_of(ONE, "raised", HELD))
    resettling.take(told_of(ONE, "over", {}))
    damaged = told_of(TWO, "raised", {"kind": "log_damaged", "of": "inspection:1", "value": 2}) | {"chain": "house"}
    resettling.take(damaged)
    resettling.take(of_round | {"event": "round.released"})
    with pytest.raises(verifier.Difference, match="it is not"):
        resettling.take(told_of("alarm:3", "raised", HELD))


DEALER, RELIEVER = "staff:1", "staff:2"


def at_table(event, subject, **facts):
    named = {"staff": subject} if event.startswith("staff.") else {"relief": subject}
    return {"event": event, "chain": "table:1", "subject": subject, "facts": named | facts}


def asked(relief="relief:1", staff=RELIEVER):
    return at_table("relief.asked", relief, staff=staff, requester="staff:5")


DEALS, GOES = (at_table(f"staff.signed_{way}", DEALER) for way in ("on", "off"))
COMES = at_table("staff.signed_on", RELIEVER)
DONE = at_table("relief.over", "relief:1", staff=RELIEVER)
RELIEFS = {
    "": [DEALS, asked(), GOES, COMES, DONE, asked(staff=DEALER), DONE | {
        "facts": {"relief": "relief:1", "staff": DEALER, "requester": "staff:5"}
    }, asked(staff=DEALER)],
    "is signed on at table:1 while staff:1 deals there": [DEALS, COMES],
    "staff:1 is signed on at table:1 while": [DEALS, DEALS],
    "staff:1 is signed off at table:1 and does not deal": [GOES],
    "staff:1 is signed off at table:1 and": [COMES, GOES],
    "relief:2 is asked for while relief:1 stands": [asked(), asked("relief:2", DEALER)],
    "who deals at table:1 already": [DEALS, asked(staff=DEALER)],
    "neither deals there nor was it withdrawn": [DEALS, asked(), DONE],
    "who was to come": [DEALS, GOES, COMES, DONE],
    "relief:1, who was to come": [COMES, asked(staff=DEALER), DONE],
    "who is signed on": [DEALS | {"subject": RELIEVER}],
    "who is signed off": [DEALS, GOES | {"subject": RELIEVER}],
}  # fmt: skip


@pytest.mark.parametrize("fault", RELIEFS, ids=lambda fault: fault or "none")
def test_one_person_deals_at_a_table_and_one_is_asked_to_come(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    follow(resettling, RELIEFS[fault], fault)


def test_where_a_line_is_no_entry_nobody_says_who_came_and_went_and_the_rest_is_followed():
    resettling = verifier.Resettling(verifier.load_core(PROJECT), bad=frozenset({1}))
    assert [resettling.take(entry) for entry in (DEALS, COMES, GOES, DONE)] == [((), ())] * 4
    for fault, course in COURSES.items():
        entries = [told_of(alarm, event, facts) for alarm, event, facts in course]
        follow(verifier.Resettling(verifier.load_core(PROJECT), bad=frozenset({1})), entries, fault)


def test_a_period_may_begin_with_somebody_dealing_and_a_relief_asked_for():
    claim = SimpleNamespace(kind="period")
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=claim)
    for entry in (GOES, COMES, DONE):
        assert resettling.take(entry) == ((), ())
    with pytest.raises(verifier.Difference, match="does not deal there"):
        resettling.take(GOES)


def filed(file="case_file:1", digest="a" * 64, **facts):
    facts = {"case": "case:1", "digest": digest, "checkpoint": 7} | facts
    return {"event": "case.filed", "chain": "table:1", "subject": file, "facts": facts}


FILES = {
    "": [filed(), filed("case_file:2", "b" * 64, checkpoint=None)],
    "no SHA-256": [filed(digest="A" * 64)],
    "which was not opened": [filed(case="case:2")],
    "a checkpoint of 8 entries": [filed(checkpoint=8)],
    "a checkpoint of 0 entries": [filed(checkpoint=0)],
    "a checkpoint of True entries": [filed(checkpoint=True)],
    "filed twice": [filed(), filed(digest="b" * 64)],
    "bytes that its case has a file of": [filed(), filed("case_file:2")],
}


@pytest.mark.parametrize("fault", FILES, ids=lambda fault: fault or "none")
def test_a_file_of_a_case_is_made_once_and_rests_on_what_the_log_has(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=SimpleNamespace(kind="all", size=7))
    resettling.all_cases.add("case:1")
    follow(resettling, FILES[fault], fault)


def reported(**facts):
    facts = {"what": "master-game", "period": "2026-11", "grade": "FINAL", "digest": "a" * 64, "checkpoint": 7} | facts
    return {"event": "report.made", "chain": "house", "subject": "reports", "facts": facts}


def by_two(event, subject="reports", by="staff:9", **facts):
    facts = {"requester": "staff:9", "approver": "staff:6"} | facts
    at = "2026-11-24T01:00:00.000000Z"
    return {"at": at, "by": by, "event": event, "chain": "house", "subject": subject, "facts": facts}


def pruned(**facts):
    return by_two("report.pruned", **{"number": 3, "newest": "2026-01-24T01:00:00.000000Z"} | facts)


def token(event="given", name="books", subject="report_token:1", **facts):
    return by_two(f"report_token.{event}", subject, name=name, **facts)


XLSX = {"form": "xlsx", "file": "c" * 64}
REPORTS = {
    "": [
        reported(),
        reported(),
        reported(checkpoint=None),
        reported(**XLSX),
        reported(form="csv", file="a" * 64),
        reported(period="2026-12", digest="b" * 64),
        reported(edition=2, digest="b" * 64),
        pruned(),
        token(),
        token("ended"),
        token(name="other", subject="report_token:2"),
    ],
    "a file of no form": [reported(form="doc")],
    "or of no SHA-256": [reported(form="pdf", file="c" * 63)],
    "that has another SHA-256": [reported(form="csv", file="c" * 64)],
    "had other bytes before": [reported(), reported(**XLSX | {"digest": "b" * 64})],
    "The pruning of reports is of one person": [pruned(approver="staff:9")],
    "The pruning of reports is of one person, or of somebody else": [pruned(requester="staff:8")],
    "there were none so old": [pruned(number=0)],
    "and there were none so old": [pruned(newest="2026-11-24T01:00:00.000000Z")],
    "The token books is of one person": [token(approver="staff:9")],
    "The token books is given twice": [token(), token(subject="report_token:2")],
    "The token books ends, and is not given": [token("ended")],
    "ends, and is not given or has ended": [token(), token("ended"), token("ended")],
    "books ends, and is not given or has": [token(), token("ended", subject="report_token:2")],
    "books is of one person, or": [token(), token("ended", approver="staff:9")],
    "no SHA-256": [reported(digest="a" * 63)],
    "was given as a file, and is ESTIMATE": [reported(grade="ESTIMATE")],
    "a checkpoint of 8 entries": [reported(checkpoint=8)],
}


@pytest.mark.parametrize("fault", REPORTS, ids=lambda fault: fault or "none")
def test_a_file_of_a_report_is_final_and_rests_on_what_the_log_has(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=SimpleNamespace(kind="all", size=7))
    follow(resettling, REPORTS[fault], fault)


def set_by_two(setting, hour, value=500, **facts):
    """What the log tells of a setting that counts from an hour of a day on, and is written in its first hour."""
    facts = {
        "what": "closer_variance_units", "before": 0, "after": value, "from": f"2026-11-24T{hour:02}:00:00.000000Z",
        "requester": "staff:5", "approver": "staff:8",
    } | facts  # fmt: skip
    return {
        "at": "2026-11-24T01:00:00.000000Z",
        "by": "staff:5",
        "event": "setting.changed",
        "chain": "house",
        "subject": setting,
        "facts": {name: fact for name, fact in facts.items() if fact is not None},
    }


def withdrawn(setting, hour, value=500):
    return set_by_two(setting, hour, after=None, before=value)


FIRST, SECOND = "setting:1", "setting:2"
SETTINGS = {
    "": [set_by_two(FIRST, 2), withdrawn(FIRST, 2), set_by_two(SECOND, 2), set_by_two("setting:3", 3, 700, before=500)],
    "is changed by one person": [set_by_two(FIRST, 2, approver="staff:5")],
    "who asked": [set_by_two(FIRST, 2, requester="staff:6")],
    "was over": [set_by_two(FIRST, 1), set_by_two(SECOND, 0)],
    "setting:1 is set while": [set_by_two(FIRST, 2), set_by_two(FIRST, 3)],
    "setting:2 is set while": [set_by_two(FIRST, 2), set_by_two(SECOND, 2)],
    "before it": [set_by_two(FIRST, 2), set_by_two(SECOND, 3)],
    "never set": [withdrawn(FIRST, 2)],
    "setting:1, withdrawn": [set_by_two(FIRST, 2), withdrawn(FIRST, 2, 501)],
    "'before' is missing": [set_by_two(FIRST, 2), withdrawn(FIRST, 2, None)],
}


@pytest.mark.parametrize("fault", SETTINGS, ids=lambda fault: fault or "none")
def test_a_setting_is_changed_by_two_from_now_on_and_withdrawn_as_it_was_set(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    follow(resettling, SETTINGS[fault], fault)


def placed(sheet, hour, *, event="table.sheet_set", **facts):
    """What the log tells of a sheet that counts at a table from an hour of a day on, and is written in its first."""
    told = set_by_two("table:1", hour, what=None, before=None, after=None, sheet=sheet, **facts)
    return told | {"event": event, "chain": "table:1"}


def taken_back(sheet, hour, **facts):
    return placed(sheet, hour, event="table.sheet_withdrawn", **facts)


def played_by(sheet, at):
    facts = {"sheet": sheet, "session": "session:1", "number": 1, "game": "split"}
    told = {"event": "round.opened", "chain": "table:1", "subject": "round:1", "by": "staff:1", "facts": facts}
    return told | {"at": f"2026-11-24T{at}:00.000000Z"}


def of_sheet(event, *, ref="sheet:9", by="staff:5", **facts):
    """What the log tells of a sheet that Clara drafts and Frank publishes."""
    facts = {"rules": {"game": "split"}, "sheet": "c" * 64, "author": "staff:5"} | facts
    entry = {"event": f"sheet.{event}", "chain": "house", "subject": ref, "by": by, "facts": facts}
    return entry | {"at": "2026-11-24T01:00:00.000000Z"}


DRAFTED, PUBLISHED = of_sheet("drafted"), of_sheet("published", by="staff:8", signer="staff:8")
DRAFTS = {
    "": [DRAFTED, PUBLISHED],
    "its author": [of_sheet("drafted", by="staff:8")],
    "is drafted twice": [DRAFTED, DRAFTED],
    "is published by who drafted it": [DRAFTED, of_sheet("published", signer="staff:5")],
    "sheet:9, published": [DRAFTED, of_sheet("published", by="staff:8", signer="staff:8", sheet="d" * 64)],
    "sheet:9, published: the log says": [
        DRAFTED,
        of_sheet("published", by="staff:8", signer="staff:8", author="staff:7"),
    ],
}


@pytest.mark.parametrize("fault", DRAFTS, ids=lambda fault: fault or "none")
def test_a_sheet_is_published_as_it_was_drafted_by_another(fault):
    follow(verifier.Resettling(verifier.load_core(PROJECT)), DRAFTS[fault], fault)


LIMITS = {"ante_minimum": 500, "ante_maximum": 10_000}


def pins(*edges, antes=(500, 10_000)):
    return [{"key": "e" * 64, "ante": ante, "edge": edge} for ante, edge in zip(antes, edges, strict=False)]


def with_edge(edge, game="split", ref="sheet:9", **facts):
    rules = {"game": game, "limits": LIMITS}
    return of_sheet("published", ref=ref, by="staff:8", signer="staff:8", rules=rules, edge=edge, **facts)


def capped(edge):
    limits = LIMITS | {"max_payment": 5_000, "chip": 100}
    rules = {"game": "split", "limits": limits, "coefficients": {"pair": "1:1", "flush": "5:1"}}
    return of_sheet("published", by="staff:8", signer="staff:8", rules=rules, edge=edge)


PIN = pins("21.208935990", antes=[None])
NARROW = set_by_two("setting:3", 2, what="edge_most", before=3_000, after=2_000)
LATER, AT_ONCE = ({"at": f"2026-11-24T02:0{minute}:00.000000Z"} for minute in (5, 0))
EDGES = {
    "": [
        with_edge(PIN),
        with_edge(pins("0.500000000", "30.000000000")),
        with_edge(pins("0.000000000", "99.000000000"), reason="a" * 64),
        with_edge(pins("30.000000000", antes=[None])),
        with_edge(pins("3.000000000", "30.000000000", "20.000000000", antes=[None, 500, 10_000])),
        capped(pins("29.000000000", "30.000000000")),
        of_sheet("published", by="staff:8", signer="staff:8", rules={"game": "genpoker"}),
    ],
    "its game has no house": [with_edge(PIN, game="genpoker")],
    "no house": [of_sheet("published", signer="staff:8", rules={"game": "genpoker"}, reason="a" * 64)],
    "is published without its house edge": [PUBLISHED, with_edge(PIN), PUBLISHED],
    "without its house edge": [of_sheet("published", signer="staff:8", reason="a" * 64)],
    "that nobody can read": [with_edge("21.208935990")],
    "can read": [with_edge([PIN[0] | {"more": 1}])],
    "is no number of nine places": [with_edge(pins("21.2", antes=[None]))],
    "of no result": [with_edge([PIN[0] | {"key": "x"}])],
    "or of no result": [with_edge([])],
    "the ANTEs of its house edge": [with_edge(pins("21.208935990", "21.208935990", antes=(500, 9_999)))],
    "ANTEs of its house edge": [with_edge(pins("21.208935990"))],
    "depends on the ANTE": [capped(PIN)],
    "the player has the edge": [with_edge(pins("1.000000000", "-0.000000001"), reason="a" * 64)],
    "nobody says why": [with_edge(pins("0.499999999", antes=[None]))],
    "and nobody says why": [with_edge(pins("21.208935990", "30.000000001"))],
    "outside the casino's band": [NARROW, with_edge(PIN) | LATER],
}


@pytest.mark.parametrize("fault", EDGES, ids=lambda fault: fault or "none")
def test_a_sheet_is_published_with_its_house_edge_and_never_with_the_player_s(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    follow(resettling, EDGES[fault], fault)
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    # As the band changes either counts.
    resettling.take(NARROW)
    resettling.take(with_edge(PIN) | AT_ONCE)


OLD, NEW = "a" * 64, "b" * 64
PLACES = {
    "": [placed(OLD, 2), placed(NEW, 3), taken_back(NEW, 3), placed(OLD, 3), taken_back(OLD, 3)],
    "put in force by one person": [placed(OLD, 2, approver="staff:5")],
    "who asked": [placed(OLD, 2, requester="staff:6")],
    "which is no time": [placed(OLD, 2, **{"from": "soon"})],
    "has a sheet from": [placed(OLD, 2), placed(NEW, 2)],
    "withdrawn by one person": [placed(OLD, 2), taken_back(OLD, 2, approver="staff:5")],
    "the sheet withdrawn": [placed(OLD, 2), taken_back(NEW, 2)],
    "was not put in force": [placed(OLD, 2), taken_back(OLD, 3)],
    "is withdrawn twice": [placed(OLD, 2), taken_back(OLD, 2), taken_back(OLD, 2)],
    "when it counted": [placed(OLD, 0), taken_back(OLD, 0)],
    "in force at its table": [placed(OLD, 2), placed(NEW, 3), played_by(OLD, "03:02")],
    "in force at its table was": [placed(OLD, 2), placed(NEW, 3), taken_back(NEW, 3), played_by(NEW, "03:02")],
}


@pytest.mark.parametrize("fault", PLACES, ids=lambda fault: fault or "none")
def test_a_sheet_is_put_in_force_and_withdrawn_by_two_and_rounds_are_played_by_the_one_that_counts(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    follow(resettling, PLACES[fault], fault.replace("is withdrawn twice", "was not put in force"))


@pytest.mark.parametrize("sheet", [OLD, NEW])
def test_a_round_that_opens_as_a_sheet_comes_into_force_is_of_either(sheet):
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    for entry in (placed(OLD, 2), placed(NEW, 3)):
        resettling.take(entry)
    resettling._played_by(played_by(sheet, "03:00"), {"sheet": sheet})


WAYS = {
    "fill_issued": ("transit:house", "cage:house"), "fill": ("float:table:1", "transit:house"),
    "fill_returned": ("cage:house", "transit:house"), "credit": ("transit:house", "float:table:1"),
    "credit_received": ("cage:house", "transit:house"), "credit_returned": ("float:table:1", "transit:house"),
}  # fmt: skip
FILL, CREDIT, CHANGE = "slip:1", "slip:2", "slip:3"
KINDS = {FILL: "fill", CREDIT: "credit", CHANGE: "change"}
CHIPS, OTHERS = {"500": 2, "100": 7}, {"500": 1, "100": 7}
ANNA, CLARA, HUGO, KARL = (f"staff:{number}" for number in (1, 5, 7, 10))


def asked(slip=FILL, *, at="2026-11-20T20:00:00.000000Z", **facts):
    known = {"kind": KINDS[slip], "year": 2026, "number": 1, "denominations": CHIPS, "units": 1700}
    known |= {"requester": CLARA, "session": "session:1"} | ({"exchanged": {"100": 17}} if slip == CHANGE else {})
    return {
        "event": "slip.requested",
        "chain": "table:1",
        "subject": slip,
        "at": at,
        "by": CLARA,
        "facts": known | facts,
    }


def brought(kind, slip=FILL, ref="movement:1", chips=CHIPS):
    """The movement of a step."""
    units = sum(int(value) * number for value, number in chips.items())
    debit, credit = WAYS[kind]
    transfer = {"key": f"{slip}:{kind}:1:1", "debit": debit, "credit": credit, "units": units, "reason": kind}
    facts = {"kind": kind, "number": 1, "denominations": chips, "transfer": transfer}
    return {"event": "movement.made", "chain": "table:1", "subject": ref, "facts": facts}


def step(name, slip=FILL, **facts):
    known = {
        "issued": {"issuer": HUGO, "movement": "movement:1"},
        "received": {"receiver": ANNA, "witness": CLARA, "movement": "movement:2"},
        "returned": {"requester": CLARA, "approver": HUGO, "reason": "a" * 64, "movement": "movement:2"},
        "voided": {"requester": CLARA, "approver": HUGO, "reason": "a" * 64},
        "printed": {"copy": 1},
    }[name] | facts
    known = {key: value for key, value in known.items() if value is not None}
    return {"event": f"slip.{name}", "chain": "table:1", "subject": slip, "facts": {"slip": slip} | known}


def by(person, place=1, slip=FILL, chips=CHIPS, **facts):
    """A count."""
    units = sum(int(value) * number for value, number in chips.items())
    known = {"of": slip, "part": KINDS[slip], "attempt": 1, "place": place, "denominations": chips, "units": units}
    return {"event": "count.entered", "chain": "table:1", "subject": "count:1", "by": person, "facts": known | facts}


def signed_for(*people):
    """What both counted of the fill stands."""
    counted = by(people[0])
    facts = {**counted["facts"], "signers": list(people)}
    return counted | {"event": "count.agreed", "subject": FILL, "facts": facts}


CLOSED = {"event": "session.closed", "chain": "table:1", "subject": "session:1", "facts": {}}
ISSUED = [asked(), brought("fill_issued"), step("issued")]
COUNTED = [*ISSUED, by(ANNA), by(CLARA, 2)]
BACK = brought("fill", ref="movement:2")
RECEIVED = [*COUNTED, BACK, step("received")]
RETURNED = [*ISSUED, brought("fill_returned", ref="movement:2"), step("returned")]
CREDITED = [
    asked(CREDIT), brought("credit", CREDIT), step("issued", CREDIT, issuer=ANNA), by(HUGO, 1, CREDIT),
    by(KARL, 2, CREDIT), brought("credit_received", CREDIT, "movement:2"),
    step("received", CREDIT, receiver=HUGO, witness=KARL),
]  # fmt: skip
CHANGED = [
    asked(CHANGE), step("issued", CHANGE, movement=None), by(ANNA, 1, CHANGE), by(CLARA, 2, CHANGE),
    step("received", CHANGE, movement=None),
]  # fmt: skip
WHOLE_SLIPS = {
    "a fill": RECEIVED,
    "a credit": CREDITED,
    "a change": CHANGED,
    "a fill sent back": RETURNED,
    "a credit sent back": [
        *CREDITED[:3], brought("credit_returned", CREDIT, "movement:2"), step("returned", CREDIT)
    ],
    "a change sent back": [*CHANGED[:2], step("returned", CHANGE, movement=None)],
    "a void slip": [asked(), step("voided")],
    "prints": [asked(), step("printed"), *ISSUED[1:], step("printed", copy=2)],
    "a fill that is counted anew": [
        *ISSUED, by(ANNA, 1, chips=OTHERS), by(CLARA, 2), by(ANNA, attempt=2), by(CLARA, 2, attempt=2), BACK,
        step("received"),
    ],
    "a fill that is signed for": [*ISSUED, by(ANNA, 1), by(CLARA, 2), signed_for(ANNA, CLARA), BACK, step("received")],
    "a session closed after its slips": [*RECEIVED, CLOSED],
    "a session closed with a credit on its way": [*CREDITED[:3], CLOSED, *CREDITED[3:]],
}  # fmt: skip
# What is wrong with the last entry of a course; the same words may fit more than one.
WRONG_SLIPS = {
    "slip:1, who signed": [[*ISSUED, by(ANNA, 1), by(CLARA, 2), signed_for(ANNA, HUGO)]],
    "slip:1 is requested twice": [[asked(), asked(number=2)], [asked(), asked(FILL)]],
    "with a number that was given": [[asked(), asked() | {"subject": "slip:9"}]],
    "slip:1, its units": [[asked(units=1800)]],
    "slip:3, its units": [[asked(CHANGE, exchanged={"100": 18})]],
    "was not requested, and its slip.": [
        [brought("fill_issued"), step("issued")], [step("voided")], [step("printed")]
    ],
    "slip:1, its slip": [[asked(), step("voided") | {"facts": step("voided", CREDIT)["facts"]}]],
    "slip:1 is requested, and its slip.received follows": [[asked(), step("received")]],
    "slip:1 is requested, and its slip.returned follows": [[asked(), step("returned")]],
    "slip:1 is issued, and its slip.issued follows": [[*ISSUED, step("issued")]],
    "slip:1 is issued, and its slip.voided follows": [[*ISSUED, step("voided")]],
    "slip:1 is received, and its slip.": [[*RECEIVED, step("returned")], [*RECEIVED, step("received")]],
    "slip:1 is returned, and its slip.": [[*RETURNED, step("received")], [*RETURNED, step("voided")]],
    "slip:1 is voided, and its slip.": [[asked(), step("voided"), step("issued")]],
    "slip:1 is issued by whoever asked": [[asked(), brought("fill_issued"), step("issued", issuer=CLARA)]],
    "slip:1, its movement": [
        [asked(), step("issued")],
        [asked(), step("issued", movement=None)],
        [asked(), brought("fill_issued", chips=OTHERS), step("issued")],
        [asked(), brought("fill_issued", "slip:2"), step("issued")],
        [asked(), brought("fill"), step("issued")],
        [*COUNTED, brought("fill_returned", ref="movement:2"), step("received")],
        [*COUNTED, step("received", movement="movement:1")],
        [*ISSUED, BACK, step("returned")],
    ],
    "slip:3, its movement": [[asked(CHANGE), brought("fill_issued", CHANGE), step("issued", CHANGE)]],
    "slip:1, who received it": [
        [*ISSUED, step("received")], [*ISSUED, by(ANNA), step("received")],
        [*COUNTED, BACK, step("received", witness=KARL)],
        [*COUNTED, BACK, step("received", receiver=CLARA, witness=ANNA)],
    ],
    "was not counted by two others as it was issued": [
        [*ISSUED, by(ANNA, 1, chips=OTHERS), by(CLARA, 2, chips=OTHERS), BACK, step("received")],
        [*ISSUED, by(HUGO), by(CLARA, 2), BACK, step("received", receiver=HUGO)],
    ],
    "slip:1 is ended by one person alone": [
        [*RETURNED[:-1], step("returned", approver=CLARA)], [asked(), step("voided", requester=HUGO)]
    ],
    "slip:1, its copy": [[asked(), step("printed", copy=2)], [asked(), step("printed"), step("printed")]],
    "count:1, its units": [[*ISSUED, by(ANNA, units=1)]],
    "slip:1 is requested, and is counted": [[asked(), by(ANNA)]],
    "slip:1 is received, and is counted": [[*RECEIVED, by(ANNA)]],
    "slip:1 is issued, and is counted": [[*ISSUED, by(ANNA, 3)]],
    "slip:1 is counted by one person alone, or out of order": [
        [*ISSUED, by(ANNA), by(ANNA, 2)], [*ISSUED, by(CLARA, 2)], [*COUNTED, by(KARL, 2)]
    ],
    "session:1 is closed while slip:1 is requested": [[asked(), CLOSED]],
    "session:1 is closed while slip:1 is issued": [[*ISSUED, CLOSED]],
    "session:1 is closed while slip:2 is requested": [[asked(CREDIT), CLOSED]],
    "'requester' is missing": [[{**asked(), "facts": {k: v for k, v in asked()["facts"].items() if k != "requester"}}]],
}  # fmt: skip


SITTING = "session:7"


def of_session(name, **facts):
    known = {
        "begun": {"business_date": "2026-11-20"},
        "opened": {"business_date": "2026-11-20", "denominations": CHIPS, "signers": [CLARA, ANNA]},
        "stopped": {"attempt": 1},
        "resumed": {"requester": CLARA, "approver": HUGO},
        "closed": {"business_date": "2026-11-20", "denominations": CHIPS, "signers": [CLARA, ANNA], "variance": 0},
    }[name] | facts
    return {"event": f"session.{name}", "chain": "table:1", "subject": SITTING, "by": CLARA, "facts": known}


def of_count(person, place=1, part="opener", chips=CHIPS, attempt=1):
    units = sum(int(value) * number for value, number in chips.items())
    facts = {"of": SITTING, "part": part, "attempt": attempt, "place": place, "denominations": chips, "units": units}
    return {"event": "count.entered", "chain": "table:1", "subject": "count:1", "by": person, "facts": facts}


def of_agreement(part="opener", chips=CHIPS, attempt=1, **more):
    units = sum(int(value) * number for value, number in chips.items())
    facts = {"of": SITTING, "part": part, "attempt": attempt, "denominations": chips, "units": units}
    facts |= {"signers": [CLARA, ANNA]} | more
    return {"event": "count.agreed", "chain": "table:1", "subject": SITTING, "by": CLARA, "facts": facts}


def of_chips(kind, debit, credit, chips=CHIPS):
    units = sum(int(value) * number for value, number in chips.items())
    key = f"{SITTING}:{kind}:1:1"
    transfer = {"key": key, "debit": debit, "credit": credit, "units": units, "reason": kind}
    facts = {"kind": kind, "number": 1, "denominations": chips, "transfer": transfer}
    return {"event": "movement.made", "chain": "table:1", "subject": "movement:9", "facts": facts}


OPENER_MOVED = of_chips("opener", "float:table:1", "cage:house")
BEGUN = [of_session("begun"), of_count(ANNA), of_count(CLARA, 2)]
SAT = [*BEGUN, of_agreement(), of_session("opened"), OPENER_MOVED]
LAST_ROUND = [*SAT, of_session("stopped")]
DIFFER = [of_session("begun"), of_count(ANNA), of_count(CLARA, 2, chips=OTHERS)]
DIFFER_TWICE = [*DIFFER, of_count(ANNA, attempt=2), of_count(CLARA, 2, chips=OTHERS, attempt=2)]
CLOSER_MOVED = of_chips("closer", "cage:house", "float:table:1")
GONE = [
    *LAST_ROUND, of_count(ANNA, part="closer"), of_count(CLARA, 2, "closer"), of_agreement("closer"), CLOSER_MOVED,
    of_session("closed"),
]  # fmt: skip


def counted_with_rake(attempt=1, *rakes):
    """Both count closer and rake slot, the same if nothing else is said."""
    rakes = rakes or (CHIPS, CHIPS)
    return [
        of_count(person, place, part, chips, attempt)
        for place, (person, rake) in enumerate(zip((ANNA, CLARA), rakes, strict=True), 1)
        for part, chips in (("rake", rake), ("closer", CHIPS))
    ]


def signed_with_rake(attempt=1, rake=CHIPS, **more):
    return [
        of_agreement("closer", attempt=attempt, **more), of_agreement("rake", rake, attempt, **more), CLOSER_MOVED,
        of_chips("rake", "cage:house", "rake:table:1", rake),
    ]  # fmt: skip


RAKED = [*LAST_ROUND, *counted_with_rake(), *signed_with_rake(), of_session("closed")]
# Session 8 goes on with the chips that closed session 7.
FOLLOWING = "session:8"
CARRIED = [*GONE[:-1], of_session("closed", carried=FOLLOWING)]
FOLLOWS = of_session("begun", after=SITTING) | {"subject": FOLLOWING}


def goes_on(**facts):
    return of_session("opened", **{"carried": SITTING} | facts) | {"subject": FOLLOWING}


WENT_ON = [*CARRIED, FOLLOWS, goes_on()]
COUNTED_IN_8 = {"facts": of_count(ANNA)["facts"] | {"of": FOLLOWING}}
WHOLE_SESSIONS = {
    "carried on": [
        *WENT_ON,
        OPENER_MOVED | {"facts": OPENER_MOVED["facts"] | {
            "transfer": OPENER_MOVED["facts"]["transfer"] | {"key": f"{FOLLOWING}:opener:1:1"}}},
        of_session("stopped") | {"subject": FOLLOWING},
    ],
    "opened": SAT,
    "closed": GONE,
    "closed, and another begun": [*GONE, of_session("begun") | {"subject": "session:8"}],
    "opened with one of two counts": [
        *DIFFER_TWICE, of_agreement(chips=OTHERS, attempt=2, reason="a" * 64, expected=1700, variance=-500),
        of_session("opened", denominations=OTHERS),
    ],
    "gone on with, and counted anew": [
        *LAST_ROUND, of_count(ANNA, part="closer"), of_session("resumed"), of_session("stopped", attempt=2),
        of_count(HUGO, part="closer", attempt=2), of_count(CLARA, 2, "closer", attempt=2),
        of_agreement("closer", attempt=2, reason="a" * 64), CLOSER_MOVED, of_session("closed"),
    ],
    "closed with its rake": RAKED,
    "closed with its rake, after it was counted without": [
        *LAST_ROUND, of_count(ANNA, part="closer"), of_count(CLARA, 2, "closer"), *counted_with_rake(2),
        *signed_with_rake(2), of_session("closed"),
    ],
    "closed with one of two counts of the rake": [
        *LAST_ROUND, *counted_with_rake(1, CHIPS, OTHERS), *counted_with_rake(2, CHIPS, OTHERS),
        *signed_with_rake(2, OTHERS, reason="a" * 64), of_session("closed"),
    ],
    "gone on with after its rake was counted": [
        *LAST_ROUND, *counted_with_rake(1), of_session("resumed"), of_session("stopped", attempt=2),
        of_count(HUGO, part="closer", attempt=2), of_count(CLARA, 2, "closer", attempt=2),
        of_agreement("closer", attempt=2, reason="a" * 64), CLOSER_MOVED, of_session("closed"),
    ],
    "with the cage's variance": [*BEGUN, of_chips("variance", "cage:house", "variance:house", {"1": 5})],
    "one that the log did not see begin": [of_session("opened"), of_session("stopped"), of_session("closed")],
}  # fmt: skip
# Both parts differ, each the other way.
APART = [(ANNA, 1, "rake", OTHERS), (ANNA, 1, "closer", CHIPS), (CLARA, 2, "rake", CHIPS), (CLARA, 2, "closer", OTHERS)]
# OTHERS come to 1200.
WRONG_SESSIONS = {
    "session:8 is carried on, and is counted, or session:7 does not say so": [
        [*GONE, FOLLOWS, goes_on()], [*CARRIED, FOLLOWS, of_count(ANNA) | COUNTED_IN_8, goes_on()],
    ],
    "session:8 is carried on from session:6, which was not closed before it": [
        [*CARRIED, FOLLOWS, goes_on(carried="session:6")]
    ],
    "session:7 is carried on from session:6, which was not closed before it": [
        [*BEGUN[:1], of_session("opened", carried="session:6")]
    ],
    "session:8, its denominations": [[*CARRIED, FOLLOWS, goes_on(denominations=OTHERS)]],
    "session:8, its signers": [[*CARRIED, FOLLOWS, goes_on(signers=[CLARA, HUGO])]],
    "session:9 is begun, and session:7 was carried on in session:8": [[*CARRIED, FOLLOWS | {"subject": "session:9"}]],
    "session:8 is opened anew": [
        [*CARRIED, FOLLOWS, of_count(ANNA) | COUNTED_IN_8, of_session("opened") | {"subject": FOLLOWING}]
    ],
    "is begun while a session": [
        [*BEGUN, of_session("begun")], [*SAT, of_session("begun") | {"subject": "session:8"}]
    ],
    "is opening, and its session.stopped follows": [[*BEGUN, of_session("stopped")]],
    "is open, and its session.closed follows": [[*SAT, of_session("closed")]],
    "is open, and its opener is counted": [[*SAT, of_count(ANNA)]],
    "is opening, and its closer is counted": [[*BEGUN[:1], of_count(ANNA, part="closer")]],
    "is opening, and its rake is counted": [[*BEGUN[:1], of_count(ANNA, part="rake")]],
    "its rake slot is not counted with its closer": [
        [*LAST_ROUND, of_count(ANNA, part="rake"), of_count(CLARA, part="closer")],
        [*LAST_ROUND, *counted_with_rake()[:2], of_count(CLARA, 2, "closer")],
        [*LAST_ROUND, of_count(ANNA, part="closer"), of_count(CLARA, 2, "rake"), of_count(CLARA, 2, "closer")],
    ],
    "nobody signed for its rake": [[*LAST_ROUND, *counted_with_rake(), of_agreement("closer"), of_session("closed")]],
    "one person's closer and another's rake": [
        [*LAST_ROUND, *[of_count(*each, attempt) for attempt in (1, 2) for each in APART],
         of_agreement("closer", attempt=2, reason="a" * 64), of_agreement("rake", attempt=2, reason="a" * 64)]
    ],
    "is counted out of order, or more than twice": [
        [*BEGUN[:1], of_count(ANNA, 2)], [*BEGUN[:2], of_count(CLARA)], [*BEGUN, of_count(ANNA)],
        [*DIFFER_TWICE, of_count(ANNA, attempt=3)],
    ],
    "is counted by one person alone": [[*BEGUN[:2], of_count(ANNA, 2)]],
    "two people have not counted that": [
        [*BEGUN[:2], of_agreement()], [*BEGUN, of_agreement(chips=OTHERS)], [*DIFFER, of_agreement(reason="a" * 64)],
    ],
    "and without a reason": [[*DIFFER_TWICE, of_agreement(attempt=2)]],
    "is signed for by one person alone": [[*BEGUN, of_agreement(signers=[CLARA, CLARA])]],
    "is signed for by others than those who counted, without a reason": [[*BEGUN, of_agreement(signers=[CLARA, HUGO])]],
    "session:7, who ends its count": [
        [*BEGUN, of_agreement(), of_session("opened", signers=[CLARA, HUGO])],
        [*BEGUN, of_agreement(signers=[HUGO, CLARA], reason="a" * 64), of_session("opened")],
        [*GONE[:-1], of_session("closed", signers=[ANNA, CLARA])],
    ],
    "session:7, its variance": [[*BEGUN, of_agreement(expected=1700, variance=1)]],
    "session:7, its units": [[*BEGUN, of_agreement(units=1)]],
    "moves other chips than two people signed for": [
        [*BEGUN, of_session("opened")], [*BEGUN, of_agreement(), of_session("opened", denominations=OTHERS)],
        [*SAT[:-1], of_chips("opener", "float:table:1", "cage:house", OTHERS)],
        [*GONE[:-1], of_session("closed", denominations=OTHERS)],
        [
            *LAST_ROUND, *counted_with_rake(), *signed_with_rake()[:3],
            of_chips("rake", "cage:house", "rake:table:1", OTHERS),
        ],
    ],
    "movement:9, its transfer": [[*BEGUN, of_chips("variance", "cage:house", "float:table:1", {"1": 5})]],
    "session:7 is ended by one person alone": [[*LAST_ROUND, of_session("resumed", approver=CLARA)]],
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE_SESSIONS)
def test_a_session_goes_its_way(name):
    resettling, last = followed(WHOLE_SESSIONS[name])
    assert resettling.take(last)[0] == ()


@pytest.mark.parametrize(
    ("fault", "course"), [(fault, course) for fault, all_ in WRONG_SESSIONS.items() for course in all_]
)
def test_a_session_that_goes_another_way_is_a_difference(fault, course):
    resettling, last = followed(course)
    with pytest.raises(verifier.Difference, match=fault):
        resettling.take(last)


SHIFT = "cage_shift:3"


def of_cage(name, **facts):
    known = {
        "opened": {"business_date": "2026-11-20"},
        "count_begun": {"attempt": 1, "expected": 1700},
        "closed": {
            "business_date": "2026-11-20", "denominations": CHIPS, "signers": [HUGO, CLARA], "expected": 1700,
            "variance": 0,
        },
    }[name] | facts  # fmt: skip
    return {"event": f"cage.{name}", "chain": "house", "subject": SHIFT, "by": HUGO, "facts": known}


def of_cage_count(person, place=1, **more):
    entry = of_count(person, place, "cage", **more)
    return entry | {"chain": "house", "facts": entry["facts"] | {"of": SHIFT}}


def of_cage_agreement(chips=CHIPS, expected=1700, **more):
    variance = sum(int(value) * number for value, number in chips.items()) - expected
    entry = of_agreement("cage", chips, expected=expected, variance=variance, **{"signers": [HUGO, CLARA]} | more)
    return entry | {"chain": "house", "subject": SHIFT, "facts": entry["facts"] | {"of": SHIFT}}


def of_cage_chips(kind, debit, credit, chips=CHIPS, **facts):
    entry = of_chips(kind, debit, credit, chips)
    transfer = entry["facts"]["transfer"] | {"key": f"{SHIFT}:{kind}:1:1"}
    more = {"transfer": transfer, "people": [HUGO, CLARA], "business_date": "2026-11-20"} | facts
    return entry | {"chain": "house", "facts": entry["facts"] | more}


IN_USE = [
    of_cage("opened"), of_cage_chips("issued", "cage:house", "issued:house"),
    of_cage_chips("withdrawn", "issued:house", "cage:house"),
    of_cage_chips("sold", "cash:house", "cage:house", {"1": 750}),
    of_cage_chips("cashed", "cage:house", "cash:house", {"1": 50}),
]  # fmt: skip
COUNTED_CAGE = [*IN_USE, of_cage("count_begun"), of_cage_count(HUGO), of_cage_count(CLARA, 2)]
CAGE_LEFT = [*COUNTED_CAGE, of_cage_agreement(), of_cage("closed")]
# OTHERS come to 1200.
LACKS = [
    of_cage("opened"), of_cage("count_begun"), of_cage_count(HUGO, chips=OTHERS), of_cage_count(CLARA, 2, chips=OTHERS),
    of_cage_agreement(OTHERS, reason="a" * 64),
]  # fmt: skip
VARIED = [*LACKS, of_cage_chips("variance", "variance:house", "cage:house", {"1": 500})]
CAGE_LACKS = [*VARIED, of_cage("closed", denominations=OTHERS, variance=-500)]
NEXT_SHIFT = of_cage("opened", after=SHIFT) | {"subject": "cage_shift:4"}
WHOLE_SHIFTS = {
    "closed": CAGE_LEFT,
    "closed with a variance": CAGE_LACKS,
    "closed, and another opened": [*CAGE_LEFT, NEXT_SHIFT],
    "counted anew, as chips moved": [
        *COUNTED_CAGE[:-1], of_cage("count_begun", attempt=2, expected=1200),
        of_cage_count(CLARA, chips=OTHERS, attempt=2), of_cage_count(HUGO, 2, chips=OTHERS, attempt=2),
        of_cage_agreement(OTHERS, 1200, attempt=2), of_cage("closed", denominations=OTHERS, expected=1200),
    ],
}  # fmt: skip
WRONG_SHIFTS = {
    "is opened while a shift of the cage is open": [[*IN_USE, NEXT_SHIFT], [*CAGE_LEFT, of_cage("opened")]],
    "cage_shift:4, the shift before it": [[*CAGE_LEFT, of_cage("opened") | {"subject": "cage_shift:4"}]],
    "is of a shift of the cage that was not opened": [IN_USE[1:2]],
    "was not opened, and its cage.closed follows": [[of_cage("closed")]],
    "is closed, and its cage.count_begun follows": [[*CAGE_LEFT, of_cage("count_begun", attempt=2)]],
    "is closed, or on another day": [
        [*CAGE_LEFT, IN_USE[1]],
        [*IN_USE, of_cage_chips("issued", "cage:house", "issued:house", business_date="2026-11-21")],
    ],
    "is moved by one person alone": [
        [*IN_USE, of_cage_chips("issued", "cage:house", "issued:house", people=[HUGO] * 2)]
    ],
    "movement:9, its transfer": [
        [*IN_USE, of_cage_chips("sold", "cage:house", "cash:house")],
        [*IN_USE, of_cage_chips("variance", "float:house", "variance:house")],
    ],
    "where its chips are not told of": [
        [*IN_USE, of_cage_chips("variance", "cage:house", "variance:house") | {"chain": "table:1"}],
        [of_chips("variance", "cage:house", "variance:house") | {"chain": "house"}],
    ],
    "'fill' is missing": [[*IN_USE, of_cage_chips("fill", "float:house", "transit:house")]],
    "is open, and its cage is counted": [[*IN_USE, of_cage_count(HUGO)]],
    "the attempt that begins": [[*COUNTED_CAGE, of_cage("count_begun")]],
    "is counted by one person alone": [[*COUNTED_CAGE[:-1], of_cage_count(HUGO, 2)]],
    "is counted out of order, or more than twice": [[*COUNTED_CAGE, of_cage_count(HUGO)]],
    "two people have not counted that": [[*COUNTED_CAGE, of_cage_agreement(OTHERS)]],
    "and nobody signed for its count, or a second one": [
        [*IN_USE, VARIED[-1]], [*VARIED, VARIED[-1]],
    ],
    "and nobody counted the cage": [[*IN_USE, of_cage("closed")]],
    "moves other chips than two people signed for": [
        [*COUNTED_CAGE, of_cage("closed")], [*VARIED, of_cage("closed")],
    ],
    "cage_shift:3, its day": [[*CAGE_LEFT[:-1], of_cage("closed", business_date="2026-11-21")]],
    "cage_shift:3, what was expected": [[*CAGE_LEFT[:-1], of_cage("closed", expected=1701)]],
    "cage_shift:3, its variance": [[*CAGE_LEFT[:-1], of_cage("closed", variance=1)]],
    "cage_shift:3, what moved as its variance": [[*LACKS, CAGE_LACKS[-1]]],
    # What goes on at tables is known after a shift is opened, too.
    "session:7 is opening, and its session.stopped follows": [[*BEGUN, of_cage("opened"), LAST_ROUND[-1]]],
    "cage_shift:3, who ends its count": [
        [*CAGE_LEFT[:-1], of_cage("closed", signers=[HUGO, ANNA])],
        [*CAGE_LEFT[:-1], of_cage("closed", signers=[CLARA])],
    ],
    "'signers' is missing": [
        [*CAGE_LEFT[:-1], {**of_cage("closed"), "facts": {
            key: fact for key, fact in of_cage("closed")["facts"].items() if key != "signers"}}],
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE_SHIFTS)
def test_a_shift_of_the_cage_goes_its_way(name):
    resettling, last = followed(WHOLE_SHIFTS[name])
    assert resettling.take(last)[0] == ()


@pytest.mark.parametrize(
    ("fault", "course"), [(fault, course) for fault, all_ in WRONG_SHIFTS.items() for course in all_]
)
def test_a_shift_of_the_cage_that_goes_another_way_is_a_difference(fault, course):
    resettling, last = followed(course)
    with pytest.raises(verifier.Difference, match=fault):
        resettling.take(last)


def test_no_round_opens_before_the_opener_is_signed_and_none_after_the_last_one():
    opened = {"event": "round.opened", "chain": "table:1", "subject": "round:1", "facts": {"session": SITTING}}
    for course in (BEGUN, LAST_ROUND):
        resettling, _ = followed([*course, opened])
        with pytest.raises(verifier.Difference, match=r"round:1 is opened while session:7 is (opening|closing)"):
            resettling.take(opened)


BOX = "drop_box:4"
CASH = {"1000": 1, "500": 1}


def of_box(name, **facts):
    known = {
        "mounted": {"number": "101", "seal": "S-1", "people": [CLARA, HUGO], "session": SITTING,
                    "business_date": "2026-11-20"},
        "removed": {"number": "101", "seal": "S-1", "people": [CLARA, HUGO]},
        "counted": {"cash": CASH, "units": 1500, "recorded": 1500, "variance": 0, "people": [ANNA, KARL]},
    }[name] | {"drop_box": BOX} | facts  # fmt: skip
    return {"event": f"drop_box.{name}", "chain": "table:1", "subject": BOX, "by": CLARA, "facts": known}


def of_buy_in(units=1500, **facts):
    entry = of_chips("buy_in", "drop_box:table:1", "float:table:1", {"1": units})
    return entry | {"facts": entry["facts"] | {"people": [ANNA], "drop_box": BOX, "box": 2} | facts}


def of_cash(kind, debit, credit, chips=CASH, **facts):
    entry = of_chips(kind, debit, credit, chips)
    transfer = entry["facts"]["transfer"] | {"key": f"{BOX}:{kind}:1:1"}
    return entry | {"facts": entry["facts"] | {"transfer": transfer, "business_date": "2026-11-20"} | facts}


def of_cash_count(person, place=1, chips=CASH, **more):
    entry = of_count(person, place, "drop", chips, **more)
    return entry | {"facts": entry["facts"] | {"of": BOX}}


def of_cash_agreement(chips=CASH, expected=1500, **more):
    variance = sum(int(value) * number for value, number in chips.items()) - expected
    entry = of_agreement("drop", chips, expected=expected, variance=variance, **{"signers": [ANNA, KARL]} | more)
    return entry | {"subject": BOX, "facts": entry["facts"] | {"of": BOX}}


HUNG = [*SAT, of_box("mounted"), of_buy_in()]
OFF = [*HUNG, of_box("removed")]
DROP = of_cash("drop", "count_room:house", "drop_box:table:1")
SIGNED_CASH = [*OFF, of_cash_count(ANNA), of_cash_count(KARL, 2), of_cash_agreement()]
DROPPED = [*SIGNED_CASH, DROP, of_box("counted")]
LESS_CASH = {"500": 1}
LACKED = of_cash("variance", "variance:house", "drop_box:table:1", {"1": 1000})
SHORT = [
    *OFF, of_cash_count(ANNA, chips=LESS_CASH), of_cash_count(KARL, 2, LESS_CASH),
    of_cash_agreement(LESS_CASH, reason="a" * 64),
]  # fmt: skip
DROP_LACKS = [
    *SHORT, LACKED, of_cash("drop", "count_room:house", "drop_box:table:1", LESS_CASH),
    of_box("counted", cash=LESS_CASH, units=500, variance=-1000),
]  # fmt: skip
WHOLE_BOXES = {
    "mounted": HUNG[:-1],
    "bought into by two": [*HUNG, of_buy_in(people=[ANNA, CLARA])],
    "counted": DROPPED,
    "counted with a variance": DROP_LACKS,
    "taken off, and another one mounted": [*OFF, of_box("mounted", drop_box="drop_box:5") | {"subject": "drop_box:5"}],
    "counted empty": [
        *SAT, of_box("mounted"), of_box("removed"), of_cash_count(ANNA, chips={}), of_cash_count(KARL, 2, {}),
        of_cash_agreement({}, 0), of_box("counted", cash={}, units=0, recorded=0),
    ],
}  # fmt: skip
WRONG_BOXES = {
    "is mounted twice, or where another one is": [
        [*HUNG, of_box("mounted")], [*HUNG, of_box("mounted", drop_box="drop_box:5") | {"subject": "drop_box:5"}],
    ],
    "its drop box": [[*SAT, of_box("mounted", drop_box="drop_box:5")]],
    "is mounted while session:7 is opening": [[of_session("begun"), of_box("mounted")]],
    "its drop_box.mounted is one person's alone": [[*SAT, of_box("mounted", people=[CLARA, CLARA])]],
    "its drop_box.removed is one person's alone": [[*HUNG, of_box("removed", people=[CLARA])]],
    "its drop_box.counted is one person's alone": [[*SIGNED_CASH, DROP, of_box("counted", people=[ANNA, ANNA])]],
    "who ends its count": [[*SIGNED_CASH, DROP, of_box("counted", people=[ANNA, HUGO])]],
    "is taken off, and is taken off": [[*OFF, of_box("removed")]],
    "its number": [[*HUNG, of_box("removed", number="102")]],
    "was not mounted, and": [[*SAT, of_box("removed")], [*SAT, of_buy_in()]],
    "is at another table than": [[*HUNG, of_box("removed") | {"chain": "table:2"}]],
    "which is not mounted in its session": [
        [*OFF, of_buy_in()], [*SAT, of_box("mounted", session="session:9"), of_buy_in()],
    ],
    "is a buy-in at no box": [
        [*HUNG, of_buy_in(box=0)], [*HUNG, of_buy_in(people=[ANNA, ANNA])], [*HUNG, of_buy_in(people=[])],
    ],
    "is a buy-in while session:7 is closing": [[*HUNG, of_session("stopped"), of_buy_in()]],
    "is closed while drop_box:4 is mounted": [
        [*HUNG, of_session("stopped"), of_count(ANNA, part="closer"), of_count(CLARA, 2, "closer"),
         of_agreement("closer"), CLOSER_MOVED, of_session("closed")],
    ],
    "is mounted, and its drop is counted": [[*HUNG, of_cash_count(ANNA)]],
    "is counted by one person alone": [[*OFF, of_cash_count(ANNA), of_cash_count(ANNA, 2)]],
    "two people have not counted that": [[*OFF, of_cash_count(ANNA), of_cash_agreement()]],
    "which nobody signed for": [[*OFF, DROP], [*SIGNED_CASH, DROP, DROP], [*HUNG, DROP]],
    "is of a drop box, and its key says another thing": [
        [*HUNG, of_chips("variance", "drop_box:table:1", "variance:house", {"1": 5})],
    ],
    "its day": [[*SIGNED_CASH, DROP | {"facts": DROP["facts"] | {"business_date": "2026-11-21"}}]],
    "or is counted with what nobody signed for": [
        [*SIGNED_CASH, DROP, of_box("counted", cash={"500": 3})], [*OFF, of_box("counted")],
    ],
    "its units": [[*SIGNED_CASH, DROP, of_box("counted", units=1600, variance=100)]],
    "its variance": [[*SIGNED_CASH, DROP, of_box("counted", variance=5)]],
    "what was recorded": [[*SIGNED_CASH, DROP, of_box("counted", recorded=1400, variance=100)]],
    "what moved": [[*SIGNED_CASH, of_box("counted")], [*SHORT, DROP_LACKS[-2], DROP_LACKS[-1]]],
}  # fmt: skip


def followed(course):
    """Entries as they are followed, but for the last; gives that, too."""
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    for entry in course[:-1]:
        resettling.take(entry)
    return resettling, course[-1]


@pytest.mark.parametrize("name", WHOLE_BOXES)
def test_a_drop_box_goes_its_way(name):
    resettling, last = followed(WHOLE_BOXES[name])
    assert resettling.take(last)[0] == ()


@pytest.mark.parametrize(
    ("fault", "course"), [(fault, course) for fault, all_ in WRONG_BOXES.items() for course in all_]
)
def test_a_drop_box_that_goes_another_way_is_a_difference(fault, course):
    resettling, last = followed(course)
    with pytest.raises(verifier.Difference, match=re.escape(fault)):
        resettling.take(last)


DAY = "tips:2026-11-20"


def of_tip(units=1500, **facts):
    entry = of_chips("tip", "tips:house", "patrons:table:1", {"1": units})
    return entry | {"facts": entry["facts"] | {"people": [ANNA], "business_date": "2026-11-20"} | facts}


def of_tips_count(person, place=1, chips=CASH, **more):
    entry = of_count(person, place, "tips", chips, **more)
    return entry | {"chain": "house", "facts": entry["facts"] | {"of": DAY}}


def of_tips_agreement(chips=CASH, expected=1500, **more):
    variance = sum(int(value) * number for value, number in chips.items()) - expected
    entry = of_agreement("tips", chips, expected=expected, variance=variance, **{"signers": [ANNA, KARL]} | more)
    return entry | {"chain": "house", "subject": DAY, "facts": entry["facts"] | {"of": DAY}}


def of_tips(**facts):
    known = {
        "date": "2026-11-20", "chips": CASH, "units": 1500, "recorded": 1500, "variance": 0, "people": [ANNA, KARL],
    }  # fmt: skip
    return {"event": "tips.counted", "chain": "house", "subject": DAY, "by": ANNA, "facts": known | facts}


def of_tips_variance(debit="variance:house", credit="tips:house", units=1000, **facts):
    entry = of_chips("variance", debit, credit, {"1": units})
    transfer = entry["facts"]["transfer"] | {"key": f"{DAY}:variance:1:1"}
    more = {"transfer": transfer, "people": [ANNA, KARL], "business_date": "2026-11-20"} | facts
    return entry | {"chain": "house", "facts": entry["facts"] | more}


GIVEN = [*SAT, of_tip(1000), of_tip(500)]
SIGNED_TIPS = [*GIVEN, of_tips_count(ANNA), of_tips_count(KARL, 2), of_tips_agreement()]
TIPS_LACK = [
    *GIVEN, of_tips_count(ANNA, chips=LESS_CASH), of_tips_count(KARL, 2, LESS_CASH),
    of_tips_agreement(LESS_CASH, reason="a" * 64),
]  # fmt: skip
TIPS_SHORT = of_tips(chips=LESS_CASH, units=500, variance=-1000)
WHOLE_TIPS = {
    "given": GIVEN,
    "counted": [*SIGNED_TIPS, of_tips()],
    "counted with a variance": [*TIPS_LACK, of_tips_variance(), TIPS_SHORT],
}
WRONG_TIPS = {
    "is a tip while session:7 is closing": [[*SAT, of_session("stopped"), of_tip()]],
    "were counted": [[*SIGNED_TIPS, of_tips(), of_tip()]],
    "are counted twice, or none were given": [[*SIGNED_TIPS, of_tips(), of_tips()], [*SAT, of_tips()]],
    "their day": [[*SIGNED_TIPS, of_tips(date="2026-11-21")]],
    "their units": [[*SIGNED_TIPS, of_tips(units=1600, variance=100)]],
    "their variance": [[*SIGNED_TIPS, of_tips(variance=5)]],
    "its tips.counted is one person's alone": [[*SIGNED_TIPS, of_tips(people=[ANNA, ANNA])]],
    "who ends its count": [[*SIGNED_TIPS, of_tips(people=[ANNA, HUGO])]],
    "what was recorded": [[*SIGNED_TIPS, of_tips(recorded=1400, variance=100)]],
    "with what nobody signed for": [
        [*GIVEN, of_tips()], [*SIGNED_TIPS, of_tips(chips={"500": 3})],
    ],
    "what moved as their variance": [[*TIPS_LACK, TIPS_SHORT], [*SIGNED_TIPS, of_tips_variance(), of_tips()]],
    "have a variance, and nobody signed for their count, or a second one": [
        [*GIVEN, of_tips_variance()], [*TIPS_LACK, of_tips_variance(), of_tips_variance()],
        [*SAT, of_tips_variance()],
    ],
    "its day": [[*TIPS_LACK, of_tips_variance(business_date="2026-11-21")]],
    "its transfer": [
        [*SAT, of_tip(transfer=of_tip()["facts"]["transfer"] | {"debit": "cage:house"})],
        [*TIPS_LACK, of_tips_variance(credit="cage:house")],
    ],
    "where its chips are not told of": [[*TIPS_LACK, of_tips_variance() | {"chain": "table:1"}]],
    "is counted by one person alone": [[*GIVEN, of_tips_count(ANNA), of_tips_count(ANNA, 2)]],
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE_TIPS)
def test_tips_go_their_way(name):
    resettling, last = followed(WHOLE_TIPS[name])
    assert resettling.take(last)[0] == ()


@pytest.mark.parametrize(
    ("fault", "course"), [(fault, course) for fault, all_ in WRONG_TIPS.items() for course in all_]
)
def test_tips_that_go_another_way_are_a_difference(fault, course):
    resettling, last = followed(course)
    with pytest.raises(verifier.Difference, match=re.escape(fault)):
        resettling.take(last)


@pytest.mark.parametrize("name", WHOLE_SLIPS)
def test_a_slip_goes_its_way(name):
    resettling, last = followed(WHOLE_SLIPS[name])
    assert resettling.take(last)[0] == ()


@pytest.mark.parametrize(
    ("fault", "course"), [(fault, course) for fault, all_ in WRONG_SLIPS.items() for course in all_]
)
def test_a_slip_that_goes_another_way_is_found(fault, course):
    resettling, last = followed(course)
    with pytest.raises(verifier.Difference, match=re.escape(fault)):
        resettling.take(last)


def test_in_a_period_a_session_may_go_on_from_one_before_it():
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=PERIOD)
    for entry in (FOLLOWS, goes_on()):
        assert resettling.take(entry) == ((), ())


def test_in_a_period_a_slip_may_have_begun_before():
    for entries in ([step("received")], [by(CLARA, 2), step("received")], [step("printed", copy=7)], [step("voided")]):
        resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=PERIOD)
        for entry in entries:
            assert resettling.take(entry) == ((), ())


class Kind(NamedTuple):
    """What a manifest claims, as far as slips go."""

    kind: str
    begins: str = ""
    ends: str = ""


PERIOD = Kind("period")


def test_slips_and_counts_come_between_the_entries_of_a_round():
    """They are nothing after the close of the round before them."""
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    for entry in [*CHANGED, CLOSED]:
        resettling.take(entry)
    assert resettling.newest == {}


@pytest.mark.parametrize(
    ("kind", "taken", "faults"),
    [
        ("all", [(1, "a"), (2, "b"), (3, "c")], []),
        ("all", [(3, "c"), (1, "a"), (2, "b")], []),
        ("all", [], []),
        ("all", [(2, "a"), (3, "b")], ["The fill 1 of 2026 is missing, and 2 follows it."]),
        ("all", [(1, "a"), (3, "b"), (4, "c")], ["The fill 2 of 2026 is missing, and 3 follows it."]),
        ("all", [(1, "a"), (2, "b"), (2, "c")], ["The fill 2 of 2026 is there twice."]),
        # Another table's chain may not be sealed as far.
        ("all", [(1, "a"), (3, "b")], []),
        ("period", [(7, "a"), (8, "b")], []),
        ("period", [(7, "a"), (9, "b"), (10, "c")], ["The fill 8 of 2026 is missing, and 9 follows it."]),
        # What lies beside a period is there for its hash alone.
        ("period", [(4, "Z"), (7, "a"), (8, "b"), (11, "n")], []),
        ("table", [(2, "a"), (5, "b"), (6, "c")], []),
    ],
)
def test_numbers_of_slips_leave_no_gap_over_all_chains(kind, taken, faults):
    claim = Kind(kind, begins="a", ends="m")
    assert list(verifier.gaps_of(("fill", 2026), taken, claim)) == faults


def test_each_table_by_itself_is_settled_again(desk, log):
    for chain in log.chains():
        code, told = judge(desk, log.table(chain))
        assert code == WHOLE, told
        assert any(line.endswith(", 0 differences") for line in told), told


def test_a_period_is_settled_again_as_far_as_it_goes(desk, log):
    """Wherever it begins and ends: rounds settled in it are exported from their opening on, series perhaps not."""
    moments = sorted({entry["at"] for entry in log.entries})
    seen = set()
    for begin in range(0, len(moments), len(moments) // 12):
        code, told = judge(desk, log.period(moments[begin], moments[min(begin + len(moments) // 3, len(moments) - 1)]))
        assert code == WHOLE, told
        seen |= set(re.findall("0 differences|taken as told", "\n".join(told)))
    assert seen == {"0 differences", "taken as told"}


def test_a_round_whose_beginning_is_left_out_is_counted_and_not_passed_over(desk, log):
    """As an exporter would that forgets what lies before the period."""
    at = next(entry["at"] for entry in log.entries if entry["event"] == "round.settled")
    code, told = judge(desk, log.period(at, "2999-01-01T00:00:00.000000Z", beginnings=False))
    assert code == WHOLE
    assert any(re.match(f"{LEFT}.*1 settlements? whose round begins before this export", line) for line in told), told


def forged(log, change):
    """What a thief of the key makes of a log: one entry changed, all behind it linked, sealed and signed again."""
    entries = [json.loads(line) for line in log.lines]
    change(entries)
    return exports.Log(exports.chained(entries), [*log.sizes[:-1], len(entries)])


def first(entries, event, well=lambda entry: True):
    return next(entry for entry in entries if entry["event"] == event and well(entry))


def of_split(entry):
    return entry["facts"].get("game") == "split" or entry["facts"].get("round", {}).get("game") == "split"


def pay_more(entries):
    payment = first(entries, "round.settled", lambda entry: entry["facts"]["payments"][0]["paid"])["facts"]["payments"][
        0
    ]
    payment["paid"] += 500
    payment["net"] += 500


def move_more(entries):
    first(entries, "round.settled", lambda entry: entry["facts"]["transfers"])["facts"]["transfers"][0]["units"] += 1


def move_elsewhere(entries):
    transfer = first(entries, "round.settled", lambda entry: entry["facts"]["transfers"])["facts"]["transfers"][0]
    transfer["debit"], transfer["credit"] = transfer["credit"], transfer["debit"]


def move_nothing(entries):
    first(entries, "round.settled", lambda entry: entry["facts"]["transfers"])["facts"]["transfers"].pop()


def another_result(entries):
    first(entries, "round.settled", of_split_settled)["facts"]["result"]["boxes"][0]["outcome"] = "fold"


def of_split_settled(entry):
    return "boxes" in entry["facts"]["result"]


def another_card(entries):
    first(entries, "round.closed", of_split)["facts"]["round"]["dealer"]["cards"][0] = "2c"


def another_stake(entries):
    first(entries, "round.acted", lambda entry: entry["facts"]["kind"] == "ante")["facts"]["arguments"]["units"] += 500


def an_entry_after_the_close(entries):
    place = next(place for place, entry in enumerate(entries) if entry["event"] == "round.settled")
    late = copy.deepcopy(first(entries, "round.acted", lambda entry: entry["subject"] == entries[place]["subject"]))
    entries.insert(place, {**late, "at": entries[place]["at"]})


def an_entry_less(entries):
    entries.remove(first(entries, "round.acted", lambda entry: entry["facts"]["kind"] == "bet"))


def settled_twice(entries):
    entries.append({**copy.deepcopy(first(entries, "round.settled")), "at": entries[-1]["at"]})


def settled_twice_as_the_next(entries):
    again = copy.deepcopy(first(entries, "round.settled"))
    again["facts"]["generation"] = 2
    entries.append({**again, "at": entries[-1]["at"]})


def a_void_round_settled(entries):
    voided = first(entries, "round.voided")
    again = copy.deepcopy(first(entries, "round.settled", of_split_settled))
    entries.append({**again, "at": entries[-1]["at"], "chain": voided["chain"], "subject": voided["subject"]})


def settled_from_nowhere(entries):
    again = copy.deepcopy(first(entries, "round.settled"))
    entries.append({**again, "at": entries[-1]["at"], "subject": "round:999999"})


def no_reversal(entries):
    facts = first(entries, "round.settled", lambda entry: entry["facts"]["generation"] == 2)["facts"]
    facts["transfers"] = [transfer for transfer in facts["transfers"] if transfer["reason"] != "reversal"]


def corrected_alone(entries):
    facts = first(entries, "round.corrected")["facts"]
    facts["approver"] = facts["requester"]


def another_carry(entries):
    carry = first(entries, "round.opened", lambda entry: entry["facts"].get("carry"))["facts"]["carry"]
    name = next(name for name, value in carry.items() if type(value) is int)
    carry[name] += 1


def series_not_carried_on(entries):
    """The first round of a series was corrected, and what it leaves to the next is kept as it was."""
    series = first(entries, "series.opened")
    corrected = [
        entry for entry in entries if entry["event"] == "round.corrected" and entry["chain"] == series["chain"]
    ]
    for late in corrected[1:]:
        entries.remove(late)
        again = [e for e in entries if e["subject"] == late["subject"] and e["event"] == "round.settled"]
        entries.remove(again[-1])


def more_chips(entries):
    first(entries, "movement.made")["facts"]["transfer"]["units"] += 100


def a_slip_left_out(entries):
    """One of the other table's, with all that became of it."""
    taken = sorted(
        (each["facts"]["number"], each["subject"])
        for each in entries
        if each["event"] == "slip.requested" and each["facts"]["kind"] == "fill"
    )
    _, gone = taken[1]
    entries[:] = [
        each
        for each in entries
        if gone not in {each["subject"], each["facts"].get("of")}
        and not each["facts"].get("transfer", {}).get("key", "").startswith(f"{gone}:")
    ]


def received_by_one(entries):
    first(entries, "slip.received")["facts"]["witness"] = "staff:8"


def other_chips_on_the_way(entries):
    requested = first(entries, "slip.requested")["facts"]
    requested["denominations"], requested["units"] = {"100": 1}, 100


def other_rules(entries):
    """The sheet is exchanged for one that pays more, published as it should be."""
    published = first(entries, "sheet.published", lambda entry: entry["facts"]["rules"]["game"] == "split")
    resheeted(entries, published, coefficients={**published["facts"]["rules"]["coefficients"], "flush": "6:1"})


def no_line(entries):
    """What is corrected is no line of the game, as the product would never log it."""
    first(entries, "round.corrected", of_split)["facts"]["round"]["dealer"]["cards"][0] = "Zz"


def no_ordinal(entries):
    del first(entries, "round.acted")["facts"]["ordinal"]


def no_arguments(entries):
    first(entries, "round.acted", lambda entry: entry["facts"]["kind"] == "ante")["facts"]["arguments"] = 7


def a_game_of_another_project(entries):
    published = first(entries, "sheet.published", lambda entry: entry["facts"]["rules"]["game"] == "split")
    resheeted(entries, published, game="faro")


def a_sheet_against_its_game(entries):
    published = first(entries, "sheet.published", lambda entry: entry["facts"]["rules"]["game"] == "split")
    resheeted(entries, published, coefficients={"flush": "many"})


def resheeted(entries, published, **changes):
    """A sheet is exchanged for another, drafted and published as it should be."""
    facts, old = published["facts"], published["facts"]["sheet"]
    facts["rules"] |= changes
    new = verifier.hashlib.sha256(exports.canonical(facts["rules"]).encode()).hexdigest()
    for entry in entries:
        if entry["facts"].get("sheet") == old:
            entry["facts"] |= {"sheet": new} | ({"rules": facts["rules"]} if "rules" in entry["facts"] else {})


def raked(entries):
    """The settlements whose rake went to the house, as it did before tables had rake slots, in order."""
    return [
        entry
        for entry in entries
        if entry["event"] == "round.settled" and "rake:house" in exports.canonical(entry["facts"])
    ]


def slotted(*settled):
    """Their rake lies in the slots of their tables."""
    for entry in settled:
        for transfer in entry["facts"]["transfers"]:
            for end in ("debit", "credit"):
                if transfer[end] == "rake:house":
                    transfer[end] = f"rake:{entry['chain']}"


def rake_to_the_house_after_the_slot(entries):
    _, first, second, *_ = raked(entries)
    assert first["chain"] == second["chain"]
    slotted(first)


def rake_in_another_table_s_slot(entries):
    of_a_pot = raked(entries)[0]["facts"]["transfers"]
    next(transfer for transfer in of_a_pot if transfer["reason"] == "rake")["debit"] = "rake:table:1"


def rake_taken_back_elsewhere(entries):
    """The last correction of the night takes back from the slot what an old round put into the house's rake."""
    slotted(raked(entries)[-1])


FORGERIES = {
    pay_more: "the log says .*paid.*, the rules ",
    move_more: "transfer .*units",
    move_elsewhere: "transfer .*debit",
    move_nothing: "the log has [0-9]+ transfers, the rules give",
    another_result: "its result: the log says",
    another_card: "its line: the log says",
    another_stake: "its line: the log says|refuse",
    an_entry_after_the_close: "has an entry after its close",
    an_entry_less: "comes where",
    settled_twice: "generation 1: it should be 2|was settled before",
    settled_twice_as_the_next: "round:[0-9]+, generation 2",
    a_void_round_settled: "it is void or was settled before",
    settled_from_nowhere: "was never opened and closed",
    no_reversal: "transfer|transfers",
    another_carry: "starts with",
    series_not_carried_on: "was not corrected after",
    more_chips: "movement:[0-9]+, its transfer",
    a_slip_left_out: "The fill 2 of 20[0-9]{2} is missing, and 3 follows it",
    received_by_one: "slip:[0-9]+, who received it",
    other_chips_on_the_way: "slip:[0-9]+, its movement",
    other_rules: "round:[0-9]+",
    no_line: r"^tampered: entries.jsonl line \d+: round:\d+: its line can't be read: .*[Zz]z",
    no_ordinal: r"round:\d+: its round.acted can't be played again: 'ordinal' is missing or unknown in its facts",
    no_arguments: r"round:\d+: its round.closed can't be played again: its facts have not the form of one",
    a_game_of_another_project: "The sheet [0-9a-f]{64} is of the game faro, which the project has not",
    a_sheet_against_its_game: "The sheet [0-9a-f]{64} breaks its own game: ",
}


def slots_everywhere(entries):
    slotted(*raked(entries))


def slots_from_the_last_round_on(entries):
    slotted(*raked(entries)[-2:])


@pytest.fixture(scope="module")
def before_slots():
    """A night from before tables had rake slots."""
    entries = exports.kept_night(exports.NIGHT_BEFORE_SLOTS)
    return exports.Log(entries, [len(entries)])


def as_it_was(entries):
    assert {entry["chain"] for entry in raked(entries)} == {"table:8", "table:9"}


@pytest.mark.parametrize("change", [as_it_was, slots_everywhere, slots_from_the_last_round_on])
def test_a_rake_is_the_house_s_until_one_lies_in_the_slot_of_its_table(change, before_slots, tmp_path):
    new = forged(before_slots, change)
    code, told = judge(Desk(tmp_path, new), new.all())
    assert code == WHOLE, told
    assert any("5 settlements worked out again" in line and "0 differences" in line for line in told), told


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (rake_to_the_house_after_the_slot, 'transfer .*:rake: the log says {"debit":"rake:house"}'),
        (rake_in_another_table_s_slot, 'transfer .*:rake: the log says {"debit":"rake:table:1"}'),
        (rake_taken_back_elsewhere, "transfer .*:r:.*rake: the log says"),
    ],
)
def test_a_rake_that_goes_elsewhere_is_a_difference(change, message, before_slots, tmp_path):
    false = forged(before_slots, change)
    code, told = judge(Desk(tmp_path, false), false.all())
    assert code == TAMPERED
    assert re.search(message, told[0]), told[0]


def test_a_round_that_one_person_corrects_is_found_in_all_of_the_log_and_in_its_table_s_chain(log, tmp_path):
    false = forged(log, corrected_alone)
    desk, chain = Desk(tmp_path, false), first(false.entries, "round.corrected")["chain"]
    assert desk.judge(false.all())[1][0].endswith("is by one person alone, who asks and approves.")
    assert "corrected by one person alone" in judge(desk, false.table(chain))[1][0]


@pytest.mark.parametrize(("change", "message"), FORGERIES.items(), ids=lambda item: getattr(item, "__name__", ""))
def test_what_the_rules_do_not_give_is_found_whoever_signed_it(change, message, log, tmp_path):
    """The key is stolen and there is no older anchor: chains, tree and signatures are all in order."""
    false = forged(log, change)
    desk, files = Desk(tmp_path, false), false.all()
    assert desk.judge(files)[0] == WHOLE
    code, told = judge(desk, files)
    assert code == TAMPERED
    assert re.search(message, told[0]), told[0]
    assert not any("transfers: not worked out again" in line for line in told)


def test_it_runs_on_a_bare_python_and_a_copy_of_the_core(desk, log, tmp_path):
    """No Django, no environment, and of the project nothing but what the core is."""
    copied = tmp_path / "copy" / "casino"
    copied.mkdir(parents=True)
    for name in ("__init__.py", "cards.py", "money.py", "phrases.py"):
        shutil.copy(PROJECT / "casino" / name, copied)
    shutil.copytree(PROJECT / "casino" / "games", copied / "games", ignore=shutil.ignore_patterns("__pycache__"))
    folder = desk.save(log.all())
    words = [verifier.__file__, *desk.words(folder), "--resettle", str(copied.parent)]
    done = subprocess.run([sys.executable, "-I", "-S", *words], capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stderr) == (WHOLE, "")
    assert "0 differences" in done.stdout
    assert not list(copied.rglob("__pycache__"))


def test_a_folder_without_games_is_refused(desk, log, tmp_path):
    code, told = judge(desk, log.all(), project=tmp_path)
    assert code == MALFORMED
    assert "has no casino/games" in told[0]


def test_other_games_than_those_loaded_are_not_mistaken_for_them(desk, log, tmp_path):
    games = tmp_path / "casino" / "games"
    games.mkdir(parents=True)
    (games / "registry.py").write_text("GAMES = {}")
    assert Path(split.__file__).is_relative_to(PROJECT)
    code, told = judge(desk, log.all(), project=tmp_path)
    assert code == MALFORMED
    assert "was imported from elsewhere before" in told[0]


def test_a_copy_that_does_not_run_is_refused_in_a_sentence(desk, log, tmp_path):
    games = tmp_path / "casino" / "games"
    games.mkdir(parents=True)
    (games / "registry.py").write_text("raise SystemError('broken')")
    words = [verifier.__file__, *desk.words(desk.save(log.all())), "--resettle", str(tmp_path)]
    done = subprocess.run([sys.executable, "-I", *words], capture_output=True, text=True, check=False, cwd="/")
    assert (done.returncode, done.stderr) == (MALFORMED, "")
    assert "can't be imported: broken" in done.stdout


# In words, to the unit


def said(log, folder, change, *more):
    """What is said of a forgery, without the verdict's first word."""
    false = forged(log, change)
    code, told = judge(Desk(folder, false), false.all(), *more)
    assert code == TAMPERED, told
    return told[0].removeprefix("tampered: ")


def line_of(entries, entry):
    return f"entries.jsonl line {entries.index(entry) + 1}"


def test_what_is_paid_too_much_is_said_to_the_unit(log, tmp_path):
    entry = first(log.entries, "round.settled", lambda entry: entry["facts"]["payments"][0]["paid"])
    payment, ref = entry["facts"]["payments"][0], entry["subject"]
    paid, net = payment["paid"], payment["net"]
    assert said(log, tmp_path, pay_more) == (
        f"{line_of(log.entries, entry)}: {ref}, generation 1, box {payment['box']}: the log says"
        f' {{"net":{net + 500},"paid":{paid + 500}}}, the rules {{"net":{net},"paid":{paid}}}.'
    )


def test_what_is_moved_too_much_is_said_to_the_unit(log, tmp_path):
    entry = first(log.entries, "round.settled", lambda entry: entry["facts"]["transfers"])
    transfer, ref = entry["facts"]["transfers"][0], entry["subject"]
    units = transfer["units"]
    assert said(log, tmp_path, move_more) == (
        f"{line_of(log.entries, entry)}: {ref}, generation 1, transfer {transfer['key']}: the log says"
        f' {{"units":{units + 1}}}, the rules {{"units":{units}}}.'
    )


def test_how_many_payments_and_transfers_there_should_be_is_said(log, tmp_path):
    entry = first(log.entries, "round.settled", lambda entry: entry["facts"]["transfers"])
    where = f"{line_of(log.entries, entry)}: {entry['subject']}, generation 1"
    for name in ("payments", "transfers"):
        count = len(entry["facts"][name])

        def less(entries, name=name):
            first(entries, "round.settled", lambda entry: entry["facts"]["transfers"])["facts"][name].pop()

        assert said(log, tmp_path, less) == f"{where}: the log has {count - 1} {name}, the rules give {count}."


def moved_to(entries, entry, place):
    """An entry in another place, at the time of the one that it comes behind."""
    entries.remove(entry)
    entries.insert(place, {**entry, "at": entries[place - 1]["at"]})


def of_round(entries, ref, event, place=0):
    return [entry for entry in entries if (entry["subject"], entry["event"]) == (ref, event)][place]


def again(ref, event, place=0, **facts):
    """An entry once more, at the end."""

    def change(entries):
        entry = copy.deepcopy(of_round(entries, ref, event, place))
        entries.append({**entry, "at": entries[-1]["at"], "facts": {**entry["facts"], **facts}})

    return change


def before_the_close(ref, event):
    def change(entries):
        moved_to(entries, of_round(entries, ref, event), entries.index(of_round(entries, ref, "round.closed")))

    return change


def any_of(entries, ref, *events):
    return any(entry["subject"] == ref and entry["event"] in events for entry in entries)


def other_game(entries):
    of_round(entries, "round:1", "round.opened")["facts"]["game"] = "bigtwo"


def undone_twice(entries):
    of_round(entries, "round:3", "round.acted", 3)["facts"]["undoes"] = 1


def refused_by_the_rules(entries):
    of_round(entries, "round:1", "round.acted")["facts"]["arguments"]["units"] = 1


def closed_too_soon(entries):
    last = of_round(entries, "round:1", "round.acted", -1)
    entries.remove(last)


def another_wager(entries):
    of_round(entries, "round:1", "round.closed")["facts"]["wagers"][0]["units"] += 500


def more_swept(entries):
    (of_box,) = of_round(entries, "round:1", "round.closed")["facts"]["handed"]
    of_box["units"] -= 500


def another_id(entries):
    of_round(entries, "round:1", "round.closed")["facts"]["round"]["id"] += 1


def another_sheet(entries):
    sheets = [entry["facts"]["sheet"] for entry in entries if entry["event"] == "sheet.published"]
    facts = of_round(entries, "round:1", "round.settled")["facts"]
    facts["sheet"] = next(sheet for sheet in sheets if sheet != facts["sheet"])


def another_carry_after_the_correction(entries):
    carry = of_round(entries, "round:12", "round.corrected")["facts"]["carry"]
    name = next(name for name, value in carry.items() if type(value) is int)
    carry[name] += 1


def a_carry_from_nowhere(entries):
    of_round(entries, "round:10", "round.opened")["facts"]["carry"] = {"a": 1}


def from_paper(*refs, **facts):
    """Rounds of the night are from papers 1, 2 and so on, each played when its own session was opened."""

    def change(entries):
        for number, ref in enumerate(refs, 1):
            opened = of_round(entries, ref, "round.opened")
            session = of_round(entries, opened["facts"]["session"], "session.opened")
            paper = {"happened_at": session["at"], "slip": str(number), "approver": CLARA} | facts
            opened["facts"] |= {name: fact for name, fact in paper.items() if fact is not None}

    return change


def before_opening(entries):
    from_paper("round:1", happened_at=of_round(entries, "session:1", "session.begun")["at"])(entries)


def in_another_order(ref):
    """The round before was played after the one with this reference, whose paper is the second."""

    def change(entries):
        before = f"round:{int(ref.partition(':')[2]) - 1}"
        from_paper(before, ref)(entries)
        opened = of_round(entries, before, "round.opened")
        opened["facts"]["happened_at"] = opened["at"]

    return change


def before_its_series(entries):
    """The second round of a series is from paper, the first was played at the table after it."""
    from_paper("round:11")(entries)


# What two people entered from paper, rightly: by the rounds of the night.
PAPERS = {
    "one": ["round:1"],
    "two of a session": ["round:1", "round:3"],
    "of three tables": ["round:1", "round:6", "round:10"],
    "the first of a series": ["round:10"],
    "a series": ["round:10", "round:11", "round:12"],
    "a void one": ["round:2"],
}
FROM_PAPER = {
    "by one person": (
        from_paper("round:1", approver="staff:1"), "round:1 is entered from paper by one person alone."
    ),
    "without a second person": (
        from_paper("round:1", approver=None), "round:1: its round.opened can't be played again: 'approver' is missing"
    ),
    "without a number": (
        from_paper("round:1", slip=None), "round:1: its round.opened can't be played again: 'slip' is missing"
    ),
    "without a time": (
        from_paper("round:1", happened_at=None),
        "round:1: its round.opened can't be played again: 'happened_at' is missing",
    ),
    "from no number": (
        from_paper("round:1", slip=7), "round:1 is entered from the paper 7, which is no number."
    ),
    "played later": (from_paper("round:1", happened_at="2026-11-24T22:19:15.000000Z"), "round:1 was played at "),
    "played at no time": (from_paper("round:1", happened_at="yesterday"), 'round:1 was played at "yesterday", and'),
    "played before the table opened": (before_opening, "round:1 was played at "),
    "in another order": (in_another_order("round:4"), "round:4 was played at "),
    "before its series": (before_its_series, "round:11 was played at "),
}  # fmt: skip


@pytest.mark.parametrize("name", PAPERS)
def test_rounds_from_paper_are_whole(name, log, tmp_path):
    forged_log = forged(log, from_paper(*PAPERS[name]))
    code, lines = judge(Desk(tmp_path, forged_log), forged_log.all())
    assert code == WHOLE, lines


@pytest.mark.parametrize("name", FROM_PAPER)
def test_a_round_from_paper_that_breaks_its_rule_is_named(name, log, tmp_path):
    change, says = FROM_PAPER[name]
    told = said(log, tmp_path, change)
    assert re.sub(r"^entries.jsonl line \d+: ", "", told).startswith(says), told


@pytest.mark.parametrize("other", ["round:3", "round:6"])
def test_a_paper_that_was_entered_twice_is_named(other, log, tmp_path):
    assert said(log, tmp_path, from_paper("round:1", other, slip="X-7")) == "The paper X-7 was entered twice."


def test_the_paper_of_a_void_round_is_entered_again(log, tmp_path):
    again_entered = forged(log, from_paper("round:2", "round:3", slip="X-7"))
    code, lines = judge(Desk(tmp_path, again_entered), again_entered.all())
    assert code == WHOLE, lines


WORDS = {
    "opened twice": (again("round:5", "round.opened"), "round:5 is opened twice."),
    "opened again": (again("round:1", "round.opened"), "round:1 is opened twice."),
    "opened after it was voided": (again("round:2", "round.opened"), "round:2 is opened twice."),
    "of another game": (other_game, "round:1 is of the game bigtwo and its sheet of split."),
    "closed twice": (again("round:5", "round.closed"), "round:5 is closed twice."),
    "corrected too soon": (before_the_close("round:4", "round.corrected"), "round:4 is corrected before its close."),
    "settled too soon": (
        before_the_close("round:1", "round.settled"),
        "round:1 is settled and was never opened and closed.",
    ),
    "settled again as the first": (
        again("round:1", "round.settled"),
        "round:1 is settled, and it is void or was settled before.",
    ),
    "settled again as the third": (again("round:4", "round.settled", -1), "round:4, generation 3: it should be 4."),
    "taken back twice": (undone_twice, "round:3: entry 4 takes back 1, which does not stand."),
    "refused": (refused_by_the_rules, "round:1: the rules refuse entry 1: "),
    "closed too soon": (closed_too_soon, "round:1 is closed before its end."),
    "acted after its close": (again("round:5", "round.acted", -1), "round:5 has an entry after its close: show."),
    "another wager": (another_wager, "round:1, its wagers: the log says "),
    "more swept in it": (
        more_swept,
        'round:1, what was handed over in it: the log says [{"box":2,"units":-1000}], its entries give'
        ' [{"box":2,"units":-500}].',
    ),
    "another id": (another_id, "round:1, its line: the log says "),
    "another sheet": (another_sheet, "round:1, generation 1, its sheet: the log says "),
    "a carry from nowhere": (
        a_carry_from_nowhere,
        """round:10 starts with {"a":1} and not null, which nothing left.""",
    ),
    "another carry": (another_carry, "round:11 starts with {"),
    "another carry after the correction": (another_carry_after_the_correction, "round:12 starts with {"),
}


@pytest.mark.parametrize("name", WORDS)
def test_what_is_wrong_with_a_round_is_said_in_words(name, log, tmp_path):
    change, says = WORDS[name]
    told = said(log, tmp_path, change)
    assert re.sub(r"^entries.jsonl line \d+: ", "", told).startswith(says), told


def test_a_log_from_before_says_nothing_of_what_was_handed_over_and_is_whole(log, tmp_path):
    def change(entries):
        for entry in entries:
            if entry["event"] == "round.closed":
                entry["facts"].pop("handed", None)

    old = forged(log, change)
    code, lines = judge(Desk(tmp_path, old), old.all())
    assert code == WHOLE, lines


def test_a_round_is_voided_before_its_close(log, tmp_path):
    def change(entries):
        voided = copy.deepcopy(of_round(entries, "round:2", "round.voided"))
        entries.append({**voided, "subject": "round:5", "at": entries[-1]["at"]})

    assert said(log, tmp_path, change).endswith(": round:5 is voided after its close.")


def test_an_entry_that_is_missing_is_named_with_the_one_that_comes_in_its_place(log, tmp_path):
    def change(entries):
        entries.remove(of_round(entries, "round:1", "round.acted", 3))

    assert said(log, tmp_path, change).endswith(": round:1: entry 5 comes where 4 should.")


def test_the_rounds_between_which_a_correction_was_not_carried_on_are_named(log, tmp_path):
    def kept(*rounds):
        """Only these of the series' corrections."""

        def change(entries):
            for ref in {"round:10", "round:11", "round:12"} - {*rounds}:
                entries.remove(of_round(entries, ref, "round.corrected"))
                entries.remove(of_round(entries, ref, "round.settled", -1))

        return change

    says = "{} was not corrected after {}: it began with something else."
    assert said(log, tmp_path, kept("round:10")) == says.format("round:11", "round:10")
    assert said(log, tmp_path, kept("round:10", "round:11")) == says.format("round:12", "round:11")


def test_a_log_that_ends_in_the_midst_of_a_correction_is_whole(log, tmp_path):
    """The next round of the series may be corrected in an entry that is still to come."""
    place = log.entries.index(of_round(log.entries, "round:10", "round.settled", -1)) + 1
    short = exports.Log(log.entries[:place], [place])
    code, told = judge(Desk(tmp_path, short), short.all())
    assert code == WHOLE, told


def totals(entries):
    """(settlements, payments, transfers) that a log tells of."""
    facts = [entry["facts"] for entry in entries if entry["event"] == "round.settled"]
    moved = sum(entry["event"] == "movement.made" for entry in entries)
    return (
        len(facts),
        sum(len(each["payments"]) for each in facts),
        sum(len(each["transfers"]) for each in facts) + moved,
    )


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_all_of_the_night_is_settled_again_and_counted(jobs, desk, log, monkeypatch):
    monkeypatch.setattr(verifier, "BLOCK", 30_000)
    report = desk.report(log.all(), "--resettle", str(PROJECT), "--jobs", jobs)
    settlements, payments, transfers = totals(log.entries)
    assert report["looks"]["payments"] == (
        f"{settlements} settlements worked out again: {payments} payments, {transfers} transfers, 0 differences"
    )
    assert report["gaps"]["rounds"] == "1 round closed and not settled yet"


def test_a_round_that_is_open_is_not_one_that_waits_to_be_settled(log):
    """The night ends with one of either kind."""
    for gone in (None, "round:5", "round:13"):
        resettling = verifier.Resettling(verifier.load_core(PROJECT))
        for entry in log.entries:
            if entry["subject"] != gone:
                resettling.take(entry)
        assert resettling.finish().unsettled == (gone != "round:5")


def test_a_difference_is_said_where_the_payments_are_counted(log, tmp_path):
    false = forged(log, pay_more)
    report = Desk(tmp_path, false).report(false.all(), "--resettle", str(PROJECT))
    assert report["looks"]["payments"].endswith(", a difference")


def test_a_tampered_export_is_not_settled_again(desk, log):
    report = desk.report(log.all(entries=7), "--resettle", str(PROJECT))
    assert report["gaps"]["payments"] == "not worked out again, since the export is tampered"


def test_of_two_differences_in_two_chains_the_first_line_is_told(log, tmp_path, monkeypatch):
    monkeypatch.setattr(verifier, "BLOCK", 30_000)

    def change(entries):
        for ref in ("round:6", "round:11"):
            of_round(entries, ref, "round.settled")["facts"]["payments"][0]["net"] += 1

    for jobs in ("1", "2", "4"):
        entry = of_round(log.entries, "round:6", "round.settled")
        assert said(log, tmp_path, change, "--jobs", jobs).startswith(f"{line_of(log.entries, entry)}: round:6, ")


def test_the_rounds_of_a_period_that_are_not_whole_are_counted(desk, log):
    """Each settlement within its range whose round was not opened here, each round whose series began before."""
    moments = sorted({entry["at"] for entry in log.entries})
    begins = [of_round(log.entries, "round:1", "round.settled")["at"], *moments[60::12]]
    seen = set()
    for begin in begins:
        files = log.period(begin, "2999-01-01T00:00:00.000000Z", beginnings=False)
        claims = exports.manifest_of(files)["chains"]
        held = [json.loads(line) for line in files["entries.jsonl"].splitlines()]
        headless = sum(
            entry["event"] == "round.settled"
            and not any_of(held, entry["subject"], "round.opened")
            and entry["seq"] >= claims[entry["chain"]]["first"]
            for entry in held
        )
        series = {entry["subject"] for entry in held if entry["event"] == "series.opened"}
        closed, trusted = set(), 0
        for entry in held:
            of = entry["facts"].get("series")
            if entry["event"] == "round.opened" and of:
                trusted += of not in series | closed
            if entry["event"] == "round.closed" and any_of(held, entry["subject"], "round.opened"):
                closed.add(of_round(held, entry["subject"], "round.opened")["facts"].get("series"))
        report = desk.report(files, "--resettle", str(PROJECT))
        assert report["verdict"] == "whole"
        said = report["gaps"].get("rounds", "")
        for count, words in (
            (headless, "whose round begins before this export"),
            (trusted, "of a series that began before it, its carry taken as told"),
        ):
            found = re.search(rf"(\d+) (?:settlements?|rounds?) {words}", said)
            assert int(found[1] if found else 0) == count, (begin, said)
            seen.add((words[:5], count > 0))
    assert seen == {("whose", True), ("whose", False), ("of a ", True), ("of a ", False)}


def test_a_round_of_a_series_in_a_period_follows_the_one_before_or_is_taken_as_told(log):
    """By their numbers: what lies between two others may not be exported."""
    entries = [entry for entry in log.entries if entry["chain"] == "table:10" or entry["event"] == "sheet.published"]
    claim = verifier.Claim("period", {}, "", "", 1, 1, b"", "", "", 1)
    for gone, count in ((None, 0), ("round:11", 1), ("round:12", 0)):
        resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=claim)
        for entry in entries[: entries.index(of_round(entries, "round:12", "round.settled")) + 1]:
            if entry["subject"] != gone:
                resettling.take(entry)
        assert resettling.finish().trusted == count
    # A whole chain has them all, but for those that were voided.
    for whole in (None, claim._replace(kind="table")):
        resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=whole)
        without = [entry for entry in entries if entry["subject"] != "round:11"]
        opened = without.index(of_round(entries, "round:12", "round.opened"))
        for entry in without[:opened]:
            resettling.take(entry)
        with pytest.raises(verifier.Difference, match=r"^round:12 starts with .*, which round:10 left\.$"):
            resettling.take(without[opened])


def test_a_settlement_without_its_round_is_counted_in_the_range_of_its_chain_alone(log):
    entry = of_round(log.entries, "round:1", "round.settled")
    for chains, seq, count in (
        ({"table:1": (16, 18)}, 15, 0),
        ({"table:1": (16, 18)}, 16, 1),
        ({"table:1": (16, 18)}, 18, 1),
        ({"table:1": (16, 18)}, 19, 0),
        ({"table:2": (16, 18)}, 16, 0),
        ({}, 1, 0),
    ):
        claim = verifier.Claim("period", chains, "", "", 1, 1, b"", "", "", 1)
        resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=claim)
        assert resettling.take({**entry, "seq": seq}) == ((), ())
        assert resettling.counts.headless == count
    for whole in (None, claim._replace(kind="table"), claim._replace(kind="all")):
        resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=whole)
        with pytest.raises(verifier.Difference, match="round:1 is settled and was never opened and closed"):
            resettling.take(entry)


def test_a_round_is_forgotten_once_nobody_asks_for_it_again(log):
    """Memory stays flat: kept are those that are open, not settled, settled again, or of a series that is open."""
    corrected = {entry["subject"] for entry in log.entries if entry["event"] == "round.corrected"}
    settled = {entry["subject"] for entry in log.entries if entry["event"] == "round.settled"}
    voided = {entry["subject"] for entry in log.entries if entry["event"] == "round.voided"}
    opened = {entry["subject"] for entry in log.entries if entry["event"] == "round.opened"}
    once = [
        entry
        for entry in log.entries
        if entry["event"] != "round.corrected" and entry["facts"].get("generation") in {None, 1}
    ]
    for again, entries, kept in (
        (None, log.entries, opened - voided),
        (frozenset(corrected), log.entries, opened - voided - (settled - corrected)),
        (frozenset(), once, opened - voided - settled),
    ):
        resettling = verifier.Resettling(verifier.load_core(PROJECT), again=again)
        for entry in entries:
            resettling.take(entry)
        assert resettling.rounds.keys() == kept
        assert resettling.series.keys() == ({"series:1", "series:2"} if again != frozenset() else {"series:2"})


def test_a_line_that_an_auditor_passed_over_is_not_played(log, tmp_path):
    """It says that a round that is closed goes on."""
    acted = of_round(log.entries, "round:5", "round.acted", -1)
    late = {"at": log.entries[-1]["at"]}
    bad = {**acted, **late, "facts": {**acted["facts"], "a": 1.5}}
    over = {
        **acted,
        **late,
        "chain": "house",
        "event": "entry.passed_over",
        "subject": "staff:1",
        "facts": {"digest": ""},
    }
    entries = exports.chained([*log.entries, bad, over])
    over["facts"]["digest"] = verifier.hashlib.sha256(exports.canonical(entries[-2]).encode()).hexdigest()
    false = exports.Log(exports.chained([*log.entries, bad, over]), [len(entries)])
    code, told = judge(Desk(tmp_path, false), false.all(), "--no-csv")
    assert (code, "is no entry of the log" in told[0]) == (NOT_COVERED, True), told
    assert any(line.endswith(", 0 differences") for line in told)


def test_a_copy_is_imported_without_a_trace(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = list(sys.path)
    verifier.load_core(PROJECT)
    assert sys.dont_write_bytecode
    assert sys.path == path


class Pay(NamedTuple):
    """As a game pays: one for each wager."""

    ordinal: int
    box: int
    kind: str
    stake_units: int
    returned_units: int
    paid_units: int


def test_a_wager_moves_what_it_gained_or_lost():
    pays = [
        Pay(1, 1, "ante", 10, 10, 1),
        Pay(2, 1, "bet", 10, 9, 0),
        Pay(3, 2, "ante", 10, 10, 0),
        Pay(4, 2, "bet", 5, 0, 0),
    ]
    moved = verifier._against_the_house("round:1:1", "table:7", pays, "rake:table:7")
    patrons, bank = "patrons:table:7", "float:table:7"
    assert [tuple(transfer.values()) for transfer in moved] == [
        ("round:1:1:1", patrons, bank, 1, "wager"),
        ("round:1:1:2", bank, patrons, 1, "wager"),
        ("round:1:1:4", bank, patrons, 5, "wager"),
    ]
    assert [tuple(row.values()) for row in verifier._payments(pays, [(1, "win", ""), (2, "lose", "")])] == [
        (1, "win", 20, 19, 1, 0),
        (2, "lose", 15, 10, 0, -5),
    ]


def test_a_pot_takes_stakes_in_and_gives_shares_and_the_rake_out():
    patrons, pot = "patrons:table:7", "pot:table:7"
    pays = [
        Pay(1, 1, "ante", 10, 5, 14),
        Pay(2, 2, "ante", 10, 0, 0),
        Pay(3, 2, "points", 3, 1, 2),
        Pay(4, 3, "ante", 0, 0, 0),
    ]
    stakes = [
        ("k:1", pot, patrons, 10, "stake_in"),
        ("k:2", pot, patrons, 10, "stake_in"),
        ("k:3", pot, patrons, 3, "points"),
    ]
    shares = [("k:share:1", patrons, pot, 19, "share"), ("k:share:2", patrons, pot, 3, "share")]
    for slot in ("rake:table:7", "rake:house"):
        moved = verifier._through_the_pot("k", "table:7", pays, slot)
        assert [tuple(row.values()) for row in moved] == [*stakes, *shares, ("k:rake", slot, pot, 1, "rake")]
    pays[0] = pays[0]._replace(paid_units=15)
    moved = verifier._through_the_pot("k", "table:7", pays, "rake:table:7")
    assert [tuple(row.values()) for row in moved] == [*stakes, ("k:share:1", patrons, pot, 20, "share"), shares[1]]


def test_a_correction_in_a_period_is_held_against_the_round_before_it(log):
    claim = verifier.Claim("period", {}, "", "", 1, 1, b"", "", "", 1)
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=claim)
    corrected = of_round(log.entries, "round:11", "round.corrected")
    for entry in log.entries[: log.entries.index(corrected)]:
        resettling.take(entry)
    wrong = {**corrected["facts"], "carry": {"a": 1}}
    with pytest.raises(verifier.Difference, match=r"^round:11 starts with .*, which round:10 left\.$"):
        resettling.take({**corrected, "facts": wrong})


def of_case(ref, number, kind="variance", due="2026-11-23T20:00:00.000000Z"):
    facts = {
        "case": ref, "kind": kind, "number": number, "year": 2026, "of": "session:1", "units": -700, "owner": "staff:5",
        "due": due,
    }  # fmt: skip
    told = {"chain": "table:1", "event": "case.opened", "subject": ref, "facts": facts, "by": "staff:5"}
    return told | {"at": "2026-11-20T20:00:00.000000Z"}


def test_a_case_of_a_drop_is_about_the_drop_and_one_of_a_closing_about_the_closing():
    drop, closing = {"of": "drop_box:4", "units": 300}, {"of": "session:1", "units": -700}
    for kind, right, wrong in (("drop_variance", drop, closing), ("variance", closing, drop)):
        resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=PERIOD)
        resettling.drops["table:1"] = "drop_box:4", {"variance": 300, "people": ["staff:14", "staff:15"]}
        resettling.closings["table:1"] = "session:1", {"variance": -700, "signers": ["staff:7", "staff:9"]}
        for ref, told in (("case:1", wrong), ("case:2", right | {"units": 200})):
            entry = of_case(ref, int(ref[-1]), kind=kind)
            with pytest.raises(verifier.Difference):
                resettling.take({**entry, "facts": entry["facts"] | told})
        entry = of_case("case:3", 3, kind=kind)
        assert resettling.take({**entry, "facts": entry["facts"] | right}) == ((), ())


def test_a_case_is_opened_once_with_a_number_of_its_kind_that_was_not_given_and_time_to_come():
    for wrong in (of_case("case:1", 2), of_case("case:2", 1), of_case("case:2", 2, due="2026-11-20T20:00:00.000000Z")):
        resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=PERIOD)
        resettling.take(of_case("case:1", 1))
        resettling.take(of_case("case:9", 1, kind="drop_variance"))
        with pytest.raises(verifier.Difference):
            resettling.take(wrong)


def told(event, subject, by="staff:5", **facts):
    entry = {"chain": "table:1", "event": event, "subject": subject, "by": by, "facts": facts}
    return entry | {"at": "2026-11-20T20:00:00.000000Z"}


def asked(kind, of, *, by="staff:5", **changes):
    entry = of_case("case:1", 1, kind=kind) | {"by": by}
    facts = {name: value for name, value in entry["facts"].items() if name != "units"}
    return entry | {"facts": facts | {"of": of, "question": "a" * 64} | changes}


VOIDED = told("round.voided", "round:4", clause="split.36", reason="", requester="staff:6", approver="staff:7")


def decided(approver):
    return told(
        "case.decided", "case:1", case="case:1", outcome="found", reason="", requester="staff:5", approver=approver
    )


def test_a_case_that_a_person_opens_is_about_a_void_round_or_a_session_and_nobody_who_had_part_in_it_approves():
    void, session = asked("void", "round:4"), asked("investigation", "session:1")

    def follow(*entries):
        resettling = verifier.Resettling(verifier.load_core(PROJECT))
        resettling.worked["session:1"] = "table:1", {"staff:8"}
        for entry in entries:
            resettling.take(entry)

    follow(VOIDED, void, decided("staff:9"))
    follow(session, decided("staff:9"))
    wrong = [
        (VOIDED, asked("void", "round:5")),
        (asked("investigation", "session:2"),),
        (VOIDED, asked("void", "round:4", units=5)),
        (VOIDED, asked("void", "round:4", question="Whether it was so.")),
        (VOIDED, asked("void", "round:4", by="staff:9")),
        (VOIDED, void | {"chain": "table:2"}),
        (VOIDED, void, asked("void", "round:4", case="case:2", number=2) | {"subject": "case:2"}),
        *((VOIDED, void, decided(person)) for person in ("staff:5", "staff:6", "staff:7")),
        (session, decided("staff:8")),
        (of_case("case:1", 1) | {"facts": of_case("case:1", 1)["facts"] | {"question": "a" * 64}},),
    ]
    for entries in wrong:
        follow(*entries[:-1])
        with pytest.raises(verifier.Difference):
            follow(*entries)


@pytest.mark.parametrize(
    ("approver", "more", "wrong"),
    [
        ("staff:9", {"line": 2}, False),
        ("staff:9", {}, False),
        (None, {}, False),
        (None, {"line": 2}, True),
        ("staff:6", {}, True),
        ("staff:5", {}, True),
    ],
)
def test_a_dispute_is_decided_by_its_ruling_and_never_alone_where_that_changes_the_round(approver, more, wrong):
    raised = told(
        "dispute.raised", "dispute:1", by="staff:6", clause="split.2", requester="staff:6", dispute="dispute:1"
    )
    opened = of_case("case:1", 1, kind="dispute")
    opened["facts"] |= {"of": "dispute:1"}
    people = {"requester": "staff:5"} | ({"approver": approver} if approver else {})
    ruling = told(
        "dispute.ruled", "dispute:1", dispute="dispute:1", ruling="upheld", clause="", reason="", **people | more
    )
    decision = told("case.decided", "case:1", case="case:1", outcome="upheld", **people)
    resettling = verifier.Resettling(verifier.load_core(PROJECT))
    for entry in (raised, opened, ruling):
        resettling.take(entry)
    if not wrong:
        resettling.take(decision)
        return
    with pytest.raises(verifier.Difference, match="without a second person who did not raise the dispute"):
        resettling.take(decision)


def at_desk(event, by="staff:8", seq=1, **facts):
    """What the log tells of an auditor at the desk."""
    return {"event": event, "chain": "house", "subject": "desk", "by": by, "seq": seq, "facts": facts}


def visited(size, **more):
    return at_desk("visit.made", **({"checkpoint": size, "root": "ab" * 32} | more))


def drew(number=1, *, since=2, size=6, rounds=None, of=3, seed=None, **more):
    seed = seed or f"2026-11-24/{size}/{'ab' * 32}/{number}"
    names = ["round:1", "round:2", "round:3"] if rounds is None else rounds
    drawn = sorted(names, key=lambda each: hashlib.sha256(f"{seed} {each}".encode()).hexdigest())
    facts = {"seed": seed, "number": number, "since": since, "checkpoint": size, "of": of, "rounds": drawn}
    return at_desk("sample.drawn", **(facts | more))


BACKWARDS = drew()["facts"]["rounds"][::-1]
DESK = {
    "": [
        *(visited(2), drew(), drew(2, size=7), visited(6), drew(since=6, size=7)),
        *(drew(by="staff:9", since=0), visited(3, by="staff:9"), visited(7)),
    ],
    "saw no checkpoint, or one whose root": [visited(2, root="ab" * 31)],
    "saw no checkpoint": [visited(None)],
    "a checkpoint of 8 entries": [visited(8)],
    "saw 2 entries, and the one before it 2": [visited(2), visited(2)],
    "saw 1 entries": [visited(2), visited(1)],
    "a seed that is not of its checkpoint": [visited(2), drew(checkpoint=5)],
    "not of its checkpoint and number": [visited(2), drew(number=1, seed=f"2026-11-24/6/{'ab' * 32}/2")],
    "whose root|seed that is not": [visited(2), drew(seed="2026-11-24/6/ab/1")],
    "since when": [visited(2), drew(since=1)],
    "it is not the next": [visited(2), drew(), drew()],
    "has the number 3": [visited(2), drew(), drew(3)],
    "its order": [visited(2), drew() | {"facts": drew()["facts"] | {"rounds": BACKWARDS}}],
    "its size": [visited(2), drew(of=4)],
    "a checkpoint of 9": [visited(2), drew(size=9)],
}


@pytest.mark.parametrize("fault", DESK, ids=lambda fault: fault or "none")
def test_an_auditor_sees_more_with_each_visit_and_draws_by_a_seed_that_is_of_the_log(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=SimpleNamespace(kind="all", size=7))
    follow(resettling, DESK[fault], fault)


def settled_of(number, generation=1):
    facts = {"generation": generation} if generation == 1 else {"business_date": "2026-11-24", "generation": generation}
    return told_line("round.settled", f"round:{number}", facts)


def told_line(event, subject, facts):
    """A line of an export, in the order in which entries are spelled."""
    entry = {"at": "2026-11-24T01:00:00.000000Z", "by": "system", "chain": "table:1", "event": event, "facts": facts}
    return json.dumps(
        entry | {"prev": "0", "seq": 1, "subject": subject, "terminal": None, "v": 1}, separators=(",", ":")
    )


def test_a_sample_is_held_against_all_that_was_settled_between_its_two_sizes(tmp_path):
    lines = [
        settled_of(9),
        told_line("round.opened", "round:7", {}),
        *map(settled_of, range(1, 12)),
        settled_of(3, 2),
        settled_of(20),
    ]
    (tmp_path / "entries.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    (tmp_path / "checkpoints").write_text("", "utf-8")
    seed = f"2026-11-24/14/{'ab' * 32}/1"
    names = [f"round:{number}" for number in range(1, 12)]
    drawn = sorted(names, key=lambda each: hashlib.sha256(f"{seed} {each}".encode()).hexdigest())[:8]
    right = {"seed": seed, "number": 1, "since": 1, "checkpoint": 14, "of": 11, "rounds": drawn}

    def wrong(**facts):
        return list(verifier.wrong_at_desk(tmp_path, [right | facts], frozenset()))

    assert wrong() == []
    other = sorted(names, key=lambda each: hashlib.sha256(f"{seed} {each}".encode()).hexdigest())[1:9]
    for lie in ({"of": 10}, {"rounds": other}, {"since": 0}, {"checkpoint": 15}, {"since": 3}):
        assert wrong(**lie) == [f"The sample {seed} is not what its seed draws."], lie
    # A line that is no entry says nothing, and then the sample is not what the rest draws.
    assert list(verifier.wrong_at_desk(tmp_path, [right], frozenset({3})))


def test_the_root_that_an_auditor_saw_is_the_one_that_was_signed(desk, log):
    folder = desk.save(log.all())
    notes = list(verifier.read_notes(folder / "checkpoints"))
    seen = [{"checkpoint": note.size, "root": note.root.hex()} for note in notes]
    assert list(verifier.wrong_at_desk(folder, seen, frozenset())) == []
    forged = [{"checkpoint": notes[0].size, "root": "ab" * 32}]
    (sentence,) = verifier.wrong_at_desk(folder, forged, frozenset())
    assert sentence.endswith("has another root than was signed.")


def question(event, *, ref="question:1", by="staff:7", chain="table:1", **facts):
    """What the log tells of a question: by default Staff 7 asks and settles."""
    own = {
        "asked": {"of": "round:1", "words": "a" * 64, "due": "2026-11-25T01:00:00.000000Z"},
        "answered": {"answer": "b" * 64},
        "settled": {},
    }[event]
    at = "2026-11-24T01:00:00.000000Z"
    known = {"at": at, "by": by, "event": f"question.{event}", "chain": chain, "subject": ref}
    return known | {"facts": {"question": ref} | own | facts}


ASKED, ANSWERED = question("asked"), question("answered", by="staff:5")
AGAIN = question("asked", ref="question:2", follows="question:1")
QUESTIONS = {
    "": [ASKED, ANSWERED, question("settled")],
    "question:2 is settled, and was asked": [ASKED, ANSWERED, AGAIN, question("settled", ref="question:2")],
    "question:1 is asked twice": [ASKED, ASKED],
    "question:1 is due before it was asked": [question("asked", due="2026-11-24T01:00:00.000000Z")],
    "question:1 is in words that have no SHA-256": [question("asked", words="a" * 63)],
    "question:1 has an answer without a SHA-256": [ASKED, question("answered", by="staff:5", answer="b" * 65)],
    "is answered by staff:7, who asked it": [ASKED, question("answered")],
    "is settled by staff:5, who answered it": [ASKED, ANSWERED, question("settled", by="staff:5")],
    "question:1 is answered, and was not asked": [ANSWERED],
    "question:1 is answered, and was answered": [ASKED, ANSWERED, ANSWERED],
    "question:1 is settled, and was asked": [ASKED, question("settled")],
    "question:1 is settled, and was settled": [ASKED, ANSWERED, question("settled"), question("settled")],
    "question:1 is settled, and was asked again": [ASKED, ANSWERED, AGAIN, question("settled")],
    "question:2 follows question:1, which waits": [ASKED, AGAIN],
    "question:2 follows question:1, which waits for nothing": [AGAIN],
    "question:3 follows question:1": [
        *(ASKED, ANSWERED, AGAIN),
        question("asked", ref="question:3", follows="question:1"),
    ],
    "question:2, what it is about": [
        *(ASKED, ANSWERED),
        question("asked", ref="question:2", follows="question:1", of="round:2"),
    ],
    "question:2, its chain": [
        *(ASKED, ANSWERED),
        question("asked", ref="question:2", follows="question:1", chain="house"),
    ],
    "question:1, its chain": [ASKED, question("answered", by="staff:5", chain="house")],
    "question:1, its question": [question("asked", question="question:1") | {"subject": "question:9"}],
    'the log says "question:1", its subject is "question:9"': [ASKED, ANSWERED | {"subject": "question:9"}],
}


@pytest.mark.parametrize("fault", QUESTIONS, ids=lambda fault: fault or "none")
def test_a_question_is_asked_answered_by_another_and_settled_each_once(fault):
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=SimpleNamespace(kind="all", size=7))
    follow(resettling, QUESTIONS[fault], fault)


def test_a_period_may_begin_with_a_question_that_was_asked_before():
    part = SimpleNamespace(kind="period", size=7)
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=part)
    follow(resettling, [ANSWERED, question("settled")], "")
    resettling = verifier.Resettling(verifier.load_core(PROJECT), claim=part)
    follow(resettling, [AGAIN, question("answered", ref="question:2", by="staff:5")], "")
