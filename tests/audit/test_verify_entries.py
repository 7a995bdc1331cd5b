"""Which lines are entries of the log, at the boundaries of each field, and what is said of those that are none.

Each log is linked, sealed, signed and anchored as it stands: nothing else is wrong with it.
"""

import gc
import hashlib
import itertools
import json

import pytest

from audit import verify_export as verifier

from ..support import exports, reference
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
FIELD = "has a field that is not what it should be"
KEYS = "has not the keys of an entry, or has a time, person, chain or event that is none"
LARGE = "has a number of more than 19 digits, or is nested deeper than 100"
NEVER = "1" * 64


@pytest.fixture(scope="module")
def night():
    return exports.night(5, rounds=1, tables=1)


def place_of(log, chain="table:1", seq=3):
    return next(place for place, entry in enumerate(log.entries) if (entry["chain"], entry["seq"]) == (chain, seq))


def relinked(log, change, place, passed_over=False, event="entry.passed_over"):
    """The log with one line as `change(its text)` has it, whatever that is, and every link after it in order.

    :param passed_over: an auditor says at the end that it is bad, by its digest.
    """
    heads, lines, entries = {}, [], [dict(entry) for entry in log.entries]
    if passed_over:
        said = {"facts": {"digest": "", "fault": "", "what": ""}, "subject": "staff:1", "terminal": None, "v": 1}
        seq = len(log.of("house")) + 1
        entries.append({**entries[-1], "chain": "house", "event": event, "by": "staff:1", "seq": seq, **said})
    for at, entry in enumerate(entries):
        if at == len(log.entries):
            entry["facts"] = {**entry["facts"], "digest": hashlib.sha256(lines[place]).hexdigest()}
        entry["prev"] = heads.get(entry["chain"], "0" * 64)
        text = exports.canonical(entry)
        line = (change(text) if at == place else text).encode()
        heads[entry["chain"]] = hashlib.sha256(line).hexdigest()
        lines.append(line)
    made = exports.Log(entries, [len(lines) // 2, len(lines)])
    made.lines = lines
    return made


def judged(folder, log, *more):
    """The verdict and what is said with it; of entries.csv nothing."""
    files = log.all()
    del files["entries.csv"]
    code, told = Desk(folder, log).judge(files, *more)
    return code, told[0].partition(": ")[2]


def with_fields(**fields):
    def change(text):
        return exports.canonical({**json.loads(text), **fields})

    return change


def with_facts(**facts):
    def change(text):
        entry = json.loads(text)
        return exports.canonical({**entry, "facts": {**entry["facts"], **facts}})

    return change


def nested(depth):
    """An entry in which lists lie in each other: the entry and its facts are two more."""
    return with_fields(facts={"a": json.loads("[" * (depth - 2) + "]" * (depth - 2))})


ENTRIES = {
    "a subject of one sign": with_fields(subject="x"),
    "a subject of 80": with_fields(subject="x" * 80),
    "an event of 80": with_fields(event=f"round.{'x' * 74}"),
    "a terminal": with_fields(terminal="T"),
    "no terminal": with_fields(terminal=None),
    "another version": with_fields(v=2),
    "a version of 18 digits": with_fields(v=10**18 - 1),
    "no facts": with_fields(facts={}),
    "false in facts": with_facts(a=False),
    "null within facts": with_facts(a=[None]),
    "19 digits": with_facts(a=[10**19 - 1, -(10**19) + 1]),
    "20 digits in a text": with_facts(a="1" * 20),
    "nested 100 deep": nested(100),
    "many brackets side by side": with_facts(a=[[]] * 150 + [{}] * 150),
    "brackets in a text": with_facts(a="[" * 150 + '"{\\' * 150),
    "an event like others": with_fields(event="sheet.published_again", facts={"sheet": NEVER, "rules": {}}),
}


@pytest.mark.parametrize("change", ENTRIES.values(), ids=ENTRIES)
def test_what_keeps_to_the_form_is_an_entry(change, night, tmp_path):
    code, said = judged(tmp_path, relinked(night, change, place_of(night)))
    assert code == WHOLE, said


BAD = {
    "no subject": (with_fields(subject=""), FIELD),
    "a subject of 81": (with_fields(subject="x" * 81), FIELD),
    "a list for a subject": (with_fields(subject=["x"]), FIELD),
    "an event of 81": (with_fields(event=f"round.{'x' * 75}"), FIELD),
    "a number for a terminal": (with_fields(terminal=7), FIELD),
    "version 0": (with_fields(v=0), FIELD),
    "a version of 19 digits": (with_fields(v=10**18), FIELD),
    "a version true": (with_fields(v=True), FIELD),
    "a text for a version": (with_fields(v="1"), FIELD),
    "null in facts": (with_facts(a=None), FIELD),
    "a prev in capitals": (
        lambda text: text.replace(json.loads(text)["prev"], "A" * 64),
        "has a prev that is no SHA-256",
    ),
    "a prev too short": (
        lambda text: text.replace(json.loads(text)["prev"], "0" * 63),
        "has a prev that is no SHA-256",
    ),
    "no such day": (with_fields(at="2026-11-31T20:00:00.000000Z"), "has the day 2026-11-31"),
    "a key more": (with_fields(w=1), KEYS),
    "a key in another's place": (lambda text: text.replace('"subject":', '"subjekt":'), KEYS),
    "a time that is none": (with_fields(at="now"), KEYS),
    "a person that is none": (with_fields(by="eve"), KEYS),
    "20 digits": (with_facts(a=10**19), LARGE),
    "20 digits below zero": (with_facts(a=[{"b": -(10**19)}]), LARGE),
    "5,000 digits": (
        lambda text: text.replace('"facts":{', f'"facts":{{"a":{"9" * 5_000},'),
        "is no JSON of the log: Exceeds the limit",
    ),
    "nested 101 deep": (nested(101), LARGE),
    "nested 101 deep behind others": (with_facts(a=[*[[]] * 60, json.loads("[" * 98 + "]" * 98)]), LARGE),
    "nested 101 deep and a text": (lambda text: with_facts(b='"{}')(nested(101)(text)), LARGE),
    "a fraction": (with_facts(a=1.5), "is no JSON of the log: 1.5 is no whole number"),
    "a space": (lambda text: text.replace(":", ": ", 1), "is not in the one form: keys sorted and each once,"),
}
AGAINST_THE_LINK = ("a prev in capitals", "a prev too short")


@pytest.mark.parametrize("passed_over", [False, True])
@pytest.mark.parametrize("name", BAD)
def test_a_line_that_is_no_entry_is_malformed_unless_an_auditor_passed_it_over(name, passed_over, night, tmp_path):
    change, why = BAD[name]
    place = place_of(night)
    log = relinked(night, change, place, passed_over)
    line = f"entries.jsonl line {place + 1}"
    code, said = judged(tmp_path, log)
    if not passed_over:
        assert (code, said.startswith(f"{line} {why}")) == (MALFORMED, True), said
    elif name in AGAINST_THE_LINK:
        assert (code, "does not follow" in said) == (TAMPERED, True), said
    else:
        assert code == NOT_COVERED, said
        assert said.startswith(f"{line} (leaf {place}, table:1 3) is no entry of the log: it {why}"), said
        assert said.endswith(f"; an auditor passed it over (house {len(night.of('house')) + 1}).")


UNPLACED = {
    "no chain": with_fields(chain="cellar"),
    "a list for a chain": with_fields(chain=["house"]),
    "number 0": with_fields(seq=0),
    "a number of 19 digits": with_fields(seq=10**18),
    "a text for a number": with_fields(seq="3"),
    "a number true": with_fields(seq=True),
    "no prev": with_fields(prev=None),
    "a number for a prev": with_fields(prev=7),
    "a number alone": lambda text: "7",
    "a list": lambda text: f"[{text}]",
    "no JSON": lambda text: text[1:],
}


@pytest.mark.parametrize("change", UNPLACED.values(), ids=UNPLACED)
def test_a_line_that_does_not_say_where_it_belongs_is_malformed_whoever_passed_it_over(change, night, tmp_path):
    place = place_of(night)
    code, said = judged(tmp_path, relinked(night, change, place, passed_over=True))
    assert (code, said.startswith(f"entries.jsonl line {place + 1} ")) == (MALFORMED, True), said


def test_a_line_is_named_by_its_number_however_many_there_are(tmp_path):
    log = exports.night(1, rounds=40)
    assert len(log.entries) > 3 * verifier.BATCH
    for place in range(10, len(log.entries), 33):
        chain, seq = log.entries[place]["chain"], log.entries[place]["seq"]
        code, said = judged(tmp_path, relinked(log, with_fields(w=1), place))
        assert (code, said) == (MALFORMED, f"entries.jsonl line {place + 1} {KEYS}.")
        code, said = judged(tmp_path, relinked(log, lambda text: text[1:], place))
        assert (code, said.startswith(f"entries.jsonl line {place + 1} ")) == (MALFORMED, True), said
        code, said = judged(tmp_path, relinked(log, with_facts(a=10**19), place))
        assert (code, said) == (MALFORMED, f"entries.jsonl line {place + 1} {LARGE}.")
        code, said = judged(tmp_path, relinked(log, with_facts(a=1.5), place, True))
        line = (
            f"entries.jsonl line {place + 1} (leaf {place}, {chain} {seq}) is no entry of the log: it is no JSON of the"
        )
        assert (code, said.startswith(line)) == (NOT_COVERED, True), said


@pytest.mark.parametrize("block", [1 << 20, 1_500])
def test_lines_are_passed_over_from_block_to_block(block, night, tmp_path, monkeypatch):
    """The one early and the other late, each by an entry behind it."""
    monkeypatch.setattr(verifier, "BLOCK", block)
    entries = [dict(entry) for entry in night.entries]
    over = {"by": "staff:1", "chain": "house", "event": "entry.passed_over", "subject": "staff:1", "terminal": None}
    bad = []
    for place in (place_of(night), len(entries) - 1):
        entries[place]["facts"] = {**entries[place]["facts"], "a": 1.5}
        bad.append(entries[place])
    for which, place in ((0, place_of(night) + 2), (1, len(entries) + 1)):
        entries.insert(place, {**entries[place - 1], **over, "facts": {"which": which}})
    linked = exports.chained(entries)
    digests = [hashlib.sha256(exports.canonical(linked[entries.index(each)]).encode()).hexdigest() for each in bad]
    for entry in entries:
        if "which" in entry["facts"]:
            entry["facts"] = {"digest": digests[entry["facts"]["which"]]}
    log = exports.Log(exports.chained(entries), [len(entries)])
    files = log.all()
    del files["entries.csv"]
    report = Desk(tmp_path, log).report(files)
    assert report["verdict"] == "not covered", report["says"]
    assert report["gaps"]["bad"].count("an auditor passed it over") == 2


def test_another_event_passes_nothing_over(night, tmp_path):
    log = relinked(night, with_facts(a=1.5), place_of(night), True, event="entry.passed_by")
    assert judged(tmp_path, log)[0] == MALFORMED


@pytest.mark.parametrize("seq", [1, 2, 3])
def test_a_bad_line_is_a_link_of_its_chain(seq, night, tmp_path):
    """The first of a chain too; and its neighbours' times are compared across it."""
    place = place_of(night, seq=seq)
    log = relinked(night, with_facts(a=1.5), place, True)
    code, said = judged(tmp_path, log)
    assert (code, f"(leaf {place}, table:1 {seq}) is no entry of the log" in said) == (NOT_COVERED, True), said
    entries = [dict(entry) for entry in night.entries]
    late = place_of(night, seq=seq + 1)
    entries[late]["at"] = "2026-11-20T00:00:00.000000Z"
    log = relinked(exports.Log(entries, night.sizes), with_facts(a=1.5), place, True)
    code, said = judged(tmp_path, log)
    if seq == 1:
        assert code == NOT_COVERED, said
    else:
        assert (code, said) == (
            TAMPERED,
            f"entries.jsonl line {late + 1} (leaf {late}, table:1 {seq + 1}) has a time before that of an entry before"
            " it.",
        )


def test_a_bad_line_that_does_not_follow_is_tampered(night, tmp_path):
    for prev in (NEVER, "0" * 64):
        place = place_of(night)
        log = relinked(night, lambda text, prev=prev: with_facts(a=1.5)(with_fields(prev=prev)(text)), place, True)
        code, said = judged(tmp_path, log)
        assert code == TAMPERED
        assert said.startswith(f"entries.jsonl line {place + 1} (leaf {place}, table:1 3) does not follow: its prev"), (
            said
        )


def test_each_line_that_was_passed_over_is_told_and_its_text_stands_in_the_csv(night, tmp_path):
    place = place_of(night)
    log = relinked(night, with_facts(a=1.5), place, True)
    files, bad = log.all(), log.lines[place].decode()
    report = Desk(tmp_path, log).report({name: data for name, data in files.items() if name != "entries.csv"})
    assert report["gaps"]["bad"] == report["says"]
    rows = files["entries.csv"].split(b"\r\n")
    quoted = bad.replace('"', '""')
    rows[place + 1] = f'{place},table:1,3,,bad entry,,,,"{quoted}"'.encode()
    files["entries.csv"] = b"\r\n".join(rows)
    desk = Desk(tmp_path, log)
    report = desk.report(files, "--csv")
    assert (report["verdict"], report["looks"]["csv"]) == ("not covered", "says the same, to the byte")
    files["entries.csv"] = files["entries.csv"].replace(b"bad entry", b"an entry")
    code, told = desk.judge(files)
    assert (code, told[0]) == (TAMPERED, f"tampered: entries.csv row {place + 2} is not what entries.jsonl gives.")


def test_an_export_has_at_most_a_thousand_lines_that_are_no_entries(night, tmp_path):
    """All by themselves in a chain, passed over by nobody: the first is named, or that there are too many."""
    entry = json.loads(night.lines[place_of(night, seq=1)])
    for count, says in ((1000, "is no JSON of the log"), (1001, "has more than 1,000 lines that are no entries")):
        prev, lines = "0" * 64, []
        for seq in range(1, count + 1):
            lines.append(exports.canonical({**entry, "seq": seq, "prev": prev, "facts": {"a": 1.5}}).encode())
            prev = hashlib.sha256(lines[-1]).hexdigest()
        log = exports.Log([{**entry, "seq": seq} for seq in range(1, count + 1)], [count])
        log.lines = lines
        code, said = judged(tmp_path, log)
        assert (code, says in said) == (MALFORMED, True), said


@pytest.mark.parametrize("block", [1 << 20, 2_000])
def test_entries_of_one_moment_follow_each_other(block, night, tmp_path, monkeypatch):
    """A batch shares its time."""
    monkeypatch.setattr(verifier, "BLOCK", block)
    entries = exports.chained([{**entry, "at": night.entries[0]["at"]} for entry in night.entries])
    log = exports.Log(entries, night.sizes)
    assert Desk(tmp_path, log).judge(log.all())[0] == WHOLE


# Sheets


@pytest.mark.parametrize("sheet", [7, None, "x", "A" * 64, "1" * 63])
def test_a_sheet_is_named_by_its_sha_256(sheet, night, tmp_path):
    place = place_of(night)
    code, said = judged(tmp_path, relinked(night, with_facts(sheet=sheet), place))
    if sheet is None:
        assert (code, said) == (MALFORMED, f"entries.jsonl line {place + 1} {FIELD}.")
    else:
        line = f"entries.jsonl line {place + 1} (leaf {place}, table:1 3)"
        assert (code, said) == (TAMPERED, f"{line} names a sheet by no SHA-256.")


@pytest.mark.parametrize("event", ["round.opened", "round.settled"])
def test_the_first_round_that_was_played_by_a_missing_sheet_is_named(event, night, tmp_path):
    log = relinked(night, lambda text: text, 0)
    files = log.all()
    del files["entries.csv"]
    sheet = next(entry for entry in log.entries if entry["event"] == "round.opened")["facts"]["sheet"]
    if event == "round.settled":
        entries = [entry for entry in log.entries if entry["event"] != "round.opened"]
        log = exports.Log(exports.chained(entries), [len(entries)])
        files = log.all()
    files["sheets.jsonl"] = b""
    place = next(place for place, entry in enumerate(log.entries) if entry["event"] == event)
    where = f"entries.jsonl line {place + 1} (leaf {place}, table:1 {log.entries[place]['seq']})"
    code, told = Desk(tmp_path, log).judge(files, "--no-csv")
    says = f"{where} was played by the sheet {sheet}, which is not in sheets.jsonl."
    assert (code, told[0]) == (TAMPERED, f"tampered: {says}")


# Blocks


@pytest.mark.parametrize("block", [1 << 20, 2_000])
def test_what_can_t_be_read_is_named_by_its_line_in_any_block(block, night, tmp_path, monkeypatch):
    monkeypatch.setattr(verifier, "BLOCK", block)
    files = night.all()
    lines = files["entries.jsonl"].splitlines(keepends=True)
    desk = Desk(tmp_path, night)
    for place in range(len(lines)):
        wrong = [*lines[:place], lines[place].replace(b"{", b"\xff", 1), *lines[place + 1 :]]
        code, told = desk.judge({**files, "entries.jsonl": b"".join(wrong)}, "--no-csv")
        assert (code, told[0]) == (MALFORMED, f"malformed: entries.jsonl line {place + 1} is no UTF-8.")
    code, told = desk.judge({**files, "entries.jsonl": b"\n\xff\n"}, "--no-csv")
    assert (code, told[0]) == (MALFORMED, "malformed: entries.jsonl line 2 is no UTF-8.")
    code, told = desk.judge({**files, "entries.jsonl": files["entries.jsonl"] + b"{}"}, "--no-csv")
    assert (code, told[0]) == (MALFORMED, f"malformed: entries.jsonl line {len(lines) + 1} is without its newline.")
    code, told = desk.judge({**files, "entries.jsonl": files["entries.jsonl"] + b" " * 2 * block}, "--no-csv")
    assert (code, told[0]) == (MALFORMED, f"malformed: entries.jsonl line {len(lines) + 1} is too long.")


@pytest.mark.parametrize("block", [1 << 20, 1_500])
def test_lines_too_many_and_too_few_are_counted(block, night, tmp_path, monkeypatch):
    """Over several blocks, and over several records of the tree."""
    monkeypatch.setattr(verifier, "BLOCK", block)
    files, desk = night.table("table:1"), Desk(tmp_path, night)
    lines = files["entries.jsonl"].splitlines(keepends=True)
    assert files["tree.jsonl"].count(b"entries") >= 3
    for count in range(1, len(lines) + 1):
        noun = "line" if count == 1 else "lines"
        code, told = desk.judge({**files, "entries.jsonl": b"".join(lines[:-count])}, "--no-csv")
        says = f"entries.jsonl has {count} {noun} fewer than tree.jsonl counts: what was signed is missing."
        assert (code, told[0].startswith(f"tampered: {says}")) == (TAMPERED, True), told
        code, told = desk.judge({**files, "entries.jsonl": b"".join([*lines, *lines[:count]])}, "--no-csv")
        says = f"entries.jsonl has {count} {noun} more than tree.jsonl counts: added, or a record is missing."
        assert (code, told[0].startswith(f"tampered: {says}")) == (TAMPERED, True), told


def test_python_s_collector_is_as_it_was(night, tmp_path):
    desk, files = Desk(tmp_path, night), night.all()
    assert gc.isenabled()
    assert desk.judge(files)[0] == WHOLE
    assert gc.isenabled()
    gc.disable()
    try:
        assert desk.judge(files)[0] == WHOLE
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_block_that_is_not_whole_lines_any_more_was_changed(tmp_path):
    path = tmp_path / "entries.jsonl"
    path.write_bytes(b"one\ntwo\nthree\n")
    assert verifier._read_block(path, verifier.Block(4, 10, 2, 2)) == ([b"two", b"three"], ["two", "three"])
    for offset, length, count in ((4, 9, 1), (4, 9, 2), (4, 10, 1), (4, 10, 3), (14, 4, 1)):
        with pytest.raises(verifier.Malformed, match="was changed while it was read"):
            verifier._read_block(path, verifier.Block(offset, length, 2, count))


def test_the_longest_line_has_a_mebibyte(tmp_path):
    """With its newline one byte more."""
    path = tmp_path / "sheets.jsonl"
    for length, well in ((2**20, True), (2**20 + 1, False)):
        path.write_bytes(b"7" * length + b"\n")
        if well:
            assert [len(text) for text, _ in verifier.lines_of(path)] == [length]
        else:
            with pytest.raises(verifier.Malformed, match="line 1 is too long"):
                list(verifier.lines_of(path))
    for text, where in (
        (b"one\ntwo", "line 2 is without its newline"),
        (b"\n7", "line 2 is without its newline"),
        (b"7" * 2**20, "line 1 is without its newline"),
        (b"7" * (2**20 + 1), "line 1 is too long"),
    ):
        path.write_bytes(text)
        with pytest.raises(verifier.Malformed, match=where):
            list(verifier.lines_of(path))


# The tree


def leaves(count):
    """Records of subtrees that are left out, with so many leaves."""
    heights = [height for height in range(63, -1, -1) if count >> height & 1]
    return "".join(
        f"{exports.canonical({'hash': exports.b64(bytes(32)), 'height': each})}\n" for each in heights
    ).encode()


def test_no_log_has_10_to_the_18_leaves(night, tmp_path):
    files = night.period("2026-11-19T05:00:00.000000Z", "2026-11-20T05:00:00.000000Z")
    desk = Desk(tmp_path, night)

    def said(tree):
        return desk.judge({**files, "tree.jsonl": tree}, "--no-csv")[1][0]

    assert said(leaves(10**18)) == said(leaves(2**60)) == "malformed: tree.jsonl has more leaves than any log."
    assert said(leaves(10**18 - 1)).startswith("tampered: The checkpoint at checkpoints line 1 has no place in tree")
    assert said(leaves(2**61)) == "malformed: tree.jsonl line 1 is no record of the tree."
    assert said(b'{"hash":"AAAA","height":0}\n') == "malformed: tree.jsonl line 1 has no hash of 32 bytes in base64."
    for wrong in (b'{"checkpoint":0,"consistency":[]}\n', b'{"checkpoint":3}\n', b'{"height":0}\n'):
        assert said(wrong) == "malformed: tree.jsonl line 1 is no record of the tree."
    proof = b'{"checkpoint":3,"consistency":%s}\n'
    for wrong in (b'"AAAA"', b"7", b'["AAAA"]', b"[7]"):
        told = said(proof % wrong)
        assert told == "malformed: tree.jsonl line 1 has a proof that is no list of hashes of 32 bytes in base64."


@pytest.mark.parametrize("kind", ["table", "period"])
def test_a_subtree_stands_in_one_record(kind, tmp_path):
    """Parted into its halves it gives the same root; but so would one record more or fewer."""
    log = exports.night(2)
    moments = sorted({entry["at"] for entry in log.entries})
    files = log.table("table:1") if kind == "table" else log.period(moments[30], moments[35])
    desk, place, heights = Desk(tmp_path, log), 0, set()
    records = [json.loads(line) for line in files["tree.jsonl"].splitlines()]
    for at, record in enumerate(records):
        if height := record.get("height"):
            half = 1 << height - 1
            parts = [
                {"hash": exports.b64(reference.root(log.lines[begin : begin + half])), "height": height - 1}
                for begin in (place, place + half)
            ]
            tree = "".join(f"{exports.canonical(each)}\n" for each in [*records[:at], *parts, *records[at + 1 :]])
            code, told = desk.judge({**files, "tree.jsonl": tree.encode()})
            says = (
                f"tree.jsonl line {at + 2} and the one before are halves of a subtree: a record is missing or parted."
            )
            assert (code, told[0]) == (TAMPERED, f"tampered: {says}")
            heights.add(height)
        place += record.get("entries", 0) + ("height" in record and 1 << record["height"])
    assert heights >= {1, 2}


def test_a_root_is_met_wherever_it_lies_in_a_run_or_between_runs(night, tmp_path):
    """Every size of the whole log, all at once and each by itself, in small blocks and large ones."""
    roots = [f"{size}:{exports.b64(night.root(size))}" for size in range(1, night.size + 1)]
    desk = Desk(tmp_path, night)
    folder = desk.save(night.all())
    every = list(itertools.chain.from_iterable(("--seen", root) for root in roots))
    report = desk.report(folder, *every, anchor=False)
    assert (
        report["looks"]["anchor"] == f"anchored up to entry {night.size}, {night.size} of {night.size} roots compared"
    )
    for size, root in enumerate(roots, 1):
        report = desk.report(folder, "--seen", root, anchor=False)
        assert report["looks"]["anchor"] == f"anchored up to entry {size}, 1 of 1 root compared"
