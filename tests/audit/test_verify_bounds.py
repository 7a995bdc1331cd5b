"""Each limit of the verifier, at its boundary; and what each word of a key, a state or a command may be."""

import json
import signal

import pytest

from audit import verify_export as verifier

from ..support import exports
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)
LARGEST = 10**18 - 1
SECOND = "2026-11-20T20:00:00.000000Z"


@pytest.fixture(scope="module")
def log():
    return exports.night(1)


@pytest.fixture(scope="module")
def small():
    """A log of one round."""
    return exports.night(5, rounds=1, tables=1)


@pytest.fixture
def desk(log, tmp_path):
    return Desk(tmp_path, log)


def sentence(desk, files, *more, **options):
    """The verdict and what is said with it."""
    code, told = desk.judge(files, *more, **options)
    return code, told[0].partition(": ")[2]


# Numbers


@pytest.mark.parametrize(
    ("changes", "well"),
    [
        ({"export": 1}, True),
        ({"export": 0}, False),
        ({"export": LARGEST}, True),
        ({"export": LARGEST + 1}, False),
        ({"export": "12"}, False),
        ({"v": 2}, False),
        ({"v": True}, False),
        ({"v": "1"}, False),
        ({"entries": -1}, False),
        ({"made_at": "2026-02-29T00:00:00.000000Z"}, False),
        ({"made_at": "2028-02-29T23:59:59.999999Z"}, True),
        ({"made_at": 7}, False),
        ({"origin": 7}, False),
        ({"origin": "demo"}, False),
        ({"origin": "casino/"}, False),
        ({"chains": []}, False),
        ({"chains": {"cellar": {"first": 1, "last": 1}}}, False),
        ({"chains": {"house": {"first": 1}}}, False),
        ({"chains": {"house": {"first": 0, "last": 1}}}, False),
        ({"chains": {"house": {"first": 1, "last": 10**18}}}, False),
        ({"chains": {"house": {"first": 1, "last": "1"}}}, False),
        ({"chains": {"house": [1, 1]}}, False),
    ],
)
def test_each_word_of_the_manifest_is_of_its_form(changes, well, desk, log):
    code, said = sentence(desk, log.all(**changes))
    if well:
        assert code == WHOLE, said
    else:
        (name,) = changes
        assert (code, said) == (MALFORMED, f"manifest.json: {name} is not what it should be.")


@pytest.mark.parametrize("changes", [{"table": 7}, {"table": "cellar"}])
def test_a_table_is_named_as_a_chain(changes, desk, log):
    assert sentence(desk, log.table("table:1", **changes)) == (
        MALFORMED,
        "manifest.json: table is not what it should be.",
    )


def test_an_export_of_a_table_claims_its_chain_alone(desk, log):
    for chains in ({}, {"house": {"first": 1, "last": 2}}):
        said = "manifest.json: the export of table:1 claims other chains."
        assert sentence(desk, log.table("table:1", chains=chains)) == (MALFORMED, said)
    two = {chain: {"first": 1, "last": 1} for chain in ("house", "table:1")}
    assert sentence(desk, log.table("table:1", chains=two))[0] == MALFORMED


@pytest.mark.parametrize(
    ("begins", "ends"),
    [(SECOND, SECOND), (SECOND, "2026-11-20"), ("2026-11-20", SECOND), ("2026-11-20T20:00:00.000001Z", SECOND), (7, 8)],
)
def test_a_period_has_two_instants_and_ends_after_it_begins(begins, ends, desk, log):
    files = log.period("2026-11-19T05:00:00.000000Z", "2026-11-20T05:00:00.000000Z", **{"from": begins, "to": ends})
    assert sentence(desk, files) == (MALFORMED, "manifest.json: from is not what it should be.")


def test_an_export_may_hold_no_entry(desk, log):
    """Of a period in which nothing happened there are hashes alone."""
    files = log.period("2026-11-19T05:00:00.000000Z", "2026-11-20T05:00:00.000000Z")
    assert exports.manifest_of(files)["entries"] == 0
    report = desk.report(files)
    assert report["verdict"] == "whole"
    assert report["looks"]["claim"] == "of the log of casino/demo, without a gap: no entry"
    assert report["looks"]["entries"] == "0 entries, 0 chains: hashes, numbers, times"
    assert report["gaps"]["rest"] == f"{log.size} entries of {log.size}, and whether these chains go on"


# Checkpoints


def noted(desk, log, change):
    """What is said where the file of checkpoints is another."""
    files = log.all()
    return sentence(desk, {**files, "checkpoints": change(files["checkpoints"].decode()).encode()}, anchor=False)


def test_a_checkpoint_has_at_most_sixteen_signatures(desk, log):
    others = [exports.private_key(f"witness {number}") for number in range(16)]
    for count, well in ((15, True), (16, False)):
        desk.anchor.write_text(exports.note(log.size, log.root(log.size), [log.old, *others[:count]]))
        code, said = sentence(desk, log.all())
        assert (code == WHOLE) == well, said
        assert well or said == "The checkpoint at anchor line 1 has more than 16 signatures."


@pytest.mark.parametrize("length", [4, 5])
def test_a_signature_is_longer_than_its_key_s_id(length, desk, log):
    """By another key it may be anything; of four bytes it is none."""
    row = f"— eve {exports.b64(bytes(length))}\n\n"
    desk.anchor.write_text(exports.note(log.size, log.root(log.size), [log.old])[:-1] + row)
    code, said = sentence(desk, log.all())
    refused = "The checkpoint at anchor line 1 has a line among its signatures that is none."
    assert (code, said) == (MALFORMED, refused) if length == 4 else code == WHOLE


def test_one_key_signs_a_checkpoint_once(desk, log):
    note = exports.note(log.size, log.root(log.size), [log.old])
    forged = f"— {exports.ORIGIN} {exports.b64(exports.key_id(log.old) + bytes(64))}\n\n"
    for text in (exports.note(log.size, log.root(log.size), [log.old, log.old]), note[:-1] + forged):
        desk.anchor.write_text(text)
        assert sentence(desk, log.all()) == (MALFORMED, "The checkpoint at anchor line 1 has one key sign twice.")


def test_one_name_may_sign_with_two_keys(desk, log):
    """As a log does whose key is changed."""
    eve = exports.private_key("eve")
    desk.anchor.write_text(exports.note(log.size, log.root(log.size), [eve, log.old]))
    assert desk.report(log.all())["gaps"]["cosigners"] == "1 by keys that you did not give"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("casino/demo\n", "casino demo\n", "begins with casino demo and not with a log's origin."),
        ("casino/demo\n", "", "begins with {size} and not with a log's origin: a line of it is missing."),
        ("casino/demo\n{size}\n", "casino/demo\nmany\n", "has the size many."),
        ("casino/demo\n{size}\n", "casino/demo\n", "has the size {root}: a line of it is missing."),
        ("{root}\n", "", "has no root of 32 bytes in base64 in its third line: a line of it is missing."),
        ("{root}\n", "AAAA\n", "has no root of 32 bytes in base64 in its third line."),
        ("{root}\n\n", "{root}\n", "has no empty line before its signatures: a line of it is missing."),
        ("{root}\n\n", "{root}\nextension\n", "has no empty line before its signatures."),
        ("{row}\n\n", "{row}\n", "has a line among its signatures that is none: a line of it is missing."),
        ("{row}\n\n", "{row}\nsigned\n\n", "has a line among its signatures that is none."),
        ("{row}\n", "", "has no signature: a line of it is missing."),
    ],
)
def test_a_line_of_a_checkpoint_that_is_missing_is_tampered_and_another_malformed(old, new, says, desk, log):
    size = log.sizes[0]
    origin, number, root, _, row, *_ = log.notes([size]).split("\n")
    words = {"origin": origin, "size": number, "root": root, "row": row}
    old, new, says = (text.format(**words) for text in (old, new, says))

    def change(text):
        assert old in text
        return text.replace(old, new, 1)

    code, said = noted(desk, log, change)
    assert said == f"The checkpoint at checkpoints line 1 {says}"
    assert code == (TAMPERED if "is missing" in says else MALFORMED)


# Keys


def test_keys_are_counted(desk, log):
    """The same line a thousand times is a key twice; one more is not read."""
    for count, says in ((1000, "has a key twice."), (1001, "has more than 1000 lines.")):
        desk.key.write_text(log.keys() * count)
        code, said = sentence(desk, log.all())
        assert (code, said.endswith(says)) == (MALFORMED, True), said


def test_a_key_of_another_kind_is_none_of_the_logs(desk, log):
    public = exports.public_bytes(log.old)
    for kind in (0, 2, 4):
        shape = exports.key_id(log.old, kind=kind).hex()
        desk.key.write_text(f"{exports.ORIGIN}+{shape}+{exports.b64(bytes([kind]) + public)}\n")
        said = "keys line 1 is no public key of the form NAME+ID+KEY."
        assert sentence(desk, log.all()) == (MALFORMED, said)


def test_a_key_has_the_name_of_one(desk, log):
    for name in ("casino demo", "casino/dém", "c" * 211, ""):
        desk.key.write_text(f"{exports.vkey(log.old, name)}\n", "utf-8")
        said = "keys line 1 is no public key of the form NAME+ID+KEY."
        assert sentence(desk, log.all()) == (MALFORMED, said)


def test_a_key_s_id_is_four_bytes(desk, log):
    name, shape, data = log.keys().split("+", 2)
    for wrong in (shape[:-2], shape + "00", shape.upper() if shape.upper() != shape else shape[::-1]):
        desk.key.write_text(f"{name}+{wrong}+{data}")
        said = f"keys line 1: the id of this key is {shape}; it was not copied whole."
        assert sentence(desk, log.all()) == (MALFORMED, said)


# Texts


def test_text_out_of_a_file_is_cut_and_safe_on_a_terminal():
    assert verifier.safe("A" * 90) == "A" * 90
    assert verifier.safe("A" * 91) == f"{'A' * 90}..."
    assert verifier.safe("Zoë") == r"'Zo\xeb'"
    assert verifier.safe("a\tb") == r"'a\tb'"


def test_a_text_that_goes_on_says_where():
    with pytest.raises(verifier.Malformed, match="goes on after its end, at character 3"):
        verifier.parse("{} ", "line 1")


# Two faults at once


def test_of_two_faults_the_first_is_told(desk, log):
    code, said = sentence(desk, log.all(entries=7, root=exports.b64(bytes(32))))
    assert code == TAMPERED
    assert said == f"The manifest claims the size {log.size}, and the last checkpoint is another."


def test_a_fault_that_ends_the_tree_stands_before_those_that_it_explains(desk, log):
    """A record is missing, and so every root behind it is another."""
    files = log.all()
    lines = files["tree.jsonl"].splitlines(keepends=True)
    others = {"entries.jsonl": files["entries.jsonl"].replace(b"staff:3", b"staff:4", 1)}
    code, said = sentence(desk, {**files, **others, "tree.jsonl": b"".join(lines[:-1])})
    assert code == TAMPERED
    last = log.notes(log.sizes[:-1]).count("\n") + 1
    assert said.startswith(
        f"The checkpoint at checkpoints line {last} has no place in tree.jsonl: its record is missing. "
    )
    assert "does not follow" in said or "another root" in said


# Commands


def test_a_seen_root_is_for_a_size(desk, log):
    root = exports.b64(log.root(log.size))
    for word in (f"{log.size}", f"{log.size}:", f"{log.size}:AAAA", f"0:{root}", f"x:{root}", f"01:{root}"):
        assert desk.judge(log.all(), "--seen", word)[0] == MALFORMED


def test_there_are_as_many_processes_as_processors_and_at_most_256(monkeypatch):
    words = ["folder", "--key", "k"]
    monkeypatch.setattr(verifier.os, "sched_getaffinity", {0: {3, 5, 7}}.__getitem__)
    assert verifier.read_command(words).jobs == 3
    monkeypatch.delattr(verifier.os, "sched_getaffinity")
    for count, jobs in ((5, 5), (None, 1)):
        monkeypatch.setattr(verifier.os, "cpu_count", lambda count=count: count)
        assert verifier.read_command(words).jobs == jobs
    assert verifier.read_command([*words, "--jobs", "256"]).jobs == 256
    assert verifier.read_command([*words, "--jobs", "257"]).jobs == 256
    assert verifier.read_command([*words, "--jobs", "7"]).jobs == 7


def test_what_was_asked_for_may_be_spelled_with_and_without_fractions():
    def asked(word):
        return verifier.read_command(["folder", "--key", "k", "--asked", word]).asked

    assert asked("all") == "all"
    assert asked("house") == "house"
    assert asked("table:7") == "table:7"
    short, full = "2026-11-20T05:00:00Z/2026-11-21T05:00:00Z", "2026-11-20T05:00:00.000000Z/2026-11-21T05:00:00.000000Z"
    assert asked(short) == asked(full) == full
    for wrong in ("", "everything", "table:0", f"{full}/{full}", full.replace("/", " "), "2026-11-20/2026-11-21"):
        with pytest.raises(verifier.Malformed):
            asked(wrong)


def test_an_option_is_written_out():
    with pytest.raises(verifier.Malformed, match="unrecognized arguments: --anch"):
        verifier.read_command(["folder", "--key", "k", "--anch", "a"])
    with pytest.raises(verifier.Malformed, match="--key"):
        verifier.read_command(["folder"])
    for missing in ("--state", "--signer"):
        words = ["witness", "folder", *(f"{name}=f" for name in ("--key", "--state", "--signer") if name != missing)]
        with pytest.raises(verifier.Malformed, match=missing):
            verifier.read_command(words)


def test_the_words_of_the_command_line_are_taken_where_none_are_given(desk, log, monkeypatch, capsys):
    words = desk.words(desk.save(log.all()))
    monkeypatch.setattr("sys.argv", ["verify_export.py", *words])
    assert verifier.main() == WHOLE
    monkeypatch.setattr("sys.argv", ["verify_export.py"])
    assert verifier.main(words) == WHOLE
    first, second = capsys.readouterr().out.split("whole: ")[1:]
    assert first == second


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_an_interruption_is_told_as_it_was_asked_for(words, monkeypatch, capsys):
    def interrupted(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr(verifier, "judge", interrupted)
    assert verifier.main(["folder", *words]) == 130
    told = capsys.readouterr().out
    if words:
        report = json.loads(told)
        assert {name: report[name] for name in ("verdict", "status", "says", "v")} == {
            "verdict": "interrupted",
            "status": 130,
            "says": "nothing is known of this export.",
            "v": 1,
        }
    else:
        assert told == "interrupted: nothing is known of this export.\n"


def test_why_a_file_can_t_be_read_is_said_in_the_system_s_words(desk, log):
    folder = desk.save(log.all())
    desk.key.unlink()
    told = sentence(desk, folder)[1]
    assert told.endswith("keys can't be read: No such file or directory."), told
    code, told = verifier.judge([str(folder), "--key", "k\0"])
    assert (code, told) == (MALFORMED, [r"malformed: 'k\x00' can't be read: ValueError."])


def test_a_file_that_fails_while_it_is_read_is_told_by_its_name(desk, log, monkeypatch):
    for error, says in (
        (OSError(5, "Input/output error", "entries.jsonl"), "entries.jsonl can't be read: Input/output error."),
        (OSError(5, "Input/output error"), "a file can't be read: Input/output error."),
        (MemoryError(), "the machine has too little memory for this; try --jobs 1."),
    ):

        def failing(*given, error=error):
            raise error

        monkeypatch.setattr(verifier, "verify", failing)
        assert sentence(desk, log.all()) == (MALFORMED, says)


# Anchors


def test_signatures_by_others_are_counted_over_all_checkpoints(desk, log):
    others = [exports.private_key(f"witness {number}") for number in range(3)]
    signing = {log.sizes[0]: others[:1], log.sizes[1]: others[1:]}
    desk.anchor.write_text(
        "".join(exports.note(size, log.root(size), [log.old, *keys]) for size, keys in signing.items())
        + log.notes(log.sizes[2:])
    )
    assert desk.report(log.all())["gaps"]["cosigners"] == "3 by keys that you did not give"


def test_an_anchor_within_what_is_left_out_is_named_beside_those_that_hold(desk, log):
    files = log.period("2026-11-19T05:00:00.000000Z", "2026-11-20T05:00:00.000000Z")
    hidden = next(size for size in range(3, log.size, 2) if size not in log.sizes and size - 1 not in log.sizes)
    seen = ["--seen", f"{hidden}:{exports.b64(log.root(hidden))}"]
    silent = f"--seen {hidden}, at {hidden}, says nothing here, as that lies within what is left out"
    alone = f"no anchor holds any of it: entries 1 to {log.size} lie after the newest anchor; {silent}."
    assert sentence(desk, files, *seen, anchor=False) == (NOT_COVERED, alone)
    report = desk.report(files, *seen, anchor=False)
    assert report["looks"]["anchor"] == "not anchored, 0 of 1 root compared"
    assert sentence(desk, files, *seen) == (NOT_COVERED, f"{silent}: ask for the whole log.")
    assert desk.report(files, *seen)["looks"]["anchor"] == f"anchored up to entry {log.size}, 6 of 7 roots compared"
    desk.anchor.write_text(log.notes(log.sizes[:1]))
    after = f"entries {log.sizes[0] + 1} to {log.size} lie after the newest anchor"
    assert sentence(desk, files, *seen) == (NOT_COVERED, f"{after}; {silent}.")


def test_what_the_log_had_when_you_asked_is_said(desk, log):
    report = desk.report(log.all(), "--as-of", str(log.size))
    assert report["looks"]["end"] == f"entry {log.size}; the log had {log.size} when you asked"
    code, said = sentence(desk, log.all(), "--as-of", str(log.size + 1))
    assert (code, said) == (
        TAMPERED,
        f"This export ends at entry {log.size}, and the log had {log.size + 1}: its end is missing.",
    )


def test_one_entry_beyond_the_end_is_told_in_the_singular(tmp_path):
    log = exports.night(1)
    log.sizes = log.anchored = [log.size - 1, log.size]
    desk = Desk(tmp_path, log)
    earlier = exports.Log(log.entries[: log.sizes[0]], log.sizes[:1])
    code, said = sentence(desk, earlier.all())
    assert (code, said.partition(":")[0]) == (NOT_COVERED, "1 entry was anchored outside after this export's end")
    assert desk.report(earlier.all())["gaps"]["end"] == "the log is longer by now, and you do not say when you asked"


def test_nothing_is_left_out_of_a_table_that_is_the_whole_log(tmp_path):
    log = exports.night(1)
    house = exports.chained([entry for entry in log.entries if entry["chain"] == "house"])
    for sizes in ([len(house)], [len(house) - 1]):
        short = exports.Log(house, sizes)
        report = Desk(tmp_path, short).report(short.table("house"))
        assert report["gaps"]["rest"] == f"0 entries of {sizes[0]}, and whether these chains go on"


# Other processes


def test_one_job_is_done_here_and_two_by_others():
    """`/proc/self` leads each process to its own number."""
    here = str(verifier.os.getpid())
    with verifier.Crew(1) as crew:
        assert crew.do(verifier.os.readlink, "/proc/self").result() == here
        assert isinstance(crew.do(verifier.os.readlink, "/nowhere").exception(), OSError)
    with verifier.Crew(2) as crew:
        others = {crew.do(verifier.os.readlink, "/proc/self").result() for _ in range(4)}
    assert here not in others
    assert 1 <= len(others) <= 2


def test_who_begins_a_process_is_deaf_to_an_interruption_and_hears_again():
    def blocked():
        return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])

    assert not blocked()
    with verifier._deaf():
        assert blocked()
    assert not blocked()
