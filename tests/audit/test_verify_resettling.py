"""`verify_export.py --resettle`: every payment and transfer of an export follows from its cards and the rules.

By a night that the product logged and that is kept; `test_resettle.py` plays one of tonight.
"""

import copy
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

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
    """A variance goes either way."""
    table, ways = "float:table:1", {"opener": 1, "fill": 1, "credit": 0, "closer": 0, "drop": 0}
    accounts = {kind: "count_room:house" if kind == "drop" else "cage:house" for kind in ways}
    for kind, to_float in [*ways.items(), ("variance", 0), ("variance", 1)]:
        ends = (table, accounts.get(kind, "variance:house"))[:: 1 if to_float else -1]
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
    numbered = moved("fill", 1007, table, "cage:house")
    numbered["facts"]["number"] = 2
    with pytest.raises(verifier.Difference, match="of another movement"):
        verifier.Resettling(core).take(numbered)
    with pytest.raises(verifier.Difference, match="'gift' is missing or unknown in its facts"):
        verifier.Resettling(core).take(moved("gift", 1007, table, "variance:house"))


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
    """A sheet is exchanged for another, published as it should be."""
    facts, old = published["facts"], published["facts"]["sheet"]
    facts["rules"] |= changes
    new = verifier.hashlib.sha256(exports.canonical(facts["rules"]).encode()).hexdigest()
    for entry in entries:
        if entry["facts"].get("sheet") == old:
            entry["facts"]["sheet"] = new


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
    corrected_alone: "corrected by one person alone",
    another_carry: "starts with",
    series_not_carried_on: "was not corrected after",
    more_chips: "movement:[0-9]+, its transfer",
    other_rules: "round:[0-9]+",
    no_line: r"^tampered: entries.jsonl line \d+: round:\d+: its line can't be read: .*[Zz]z",
    no_ordinal: r"round:\d+: its round.acted can't be played again: 'ordinal' is missing or unknown in its facts",
    no_arguments: r"round:\d+: its round.closed can't be played again: its facts have not the form of one",
    a_game_of_another_project: "The sheet [0-9a-f]{64} is of the game faro, which the project has not",
    a_sheet_against_its_game: "The sheet [0-9a-f]{64} breaks its own game: ",
}


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
    for name in ("__init__.py", "cards.py", "money.py"):
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
