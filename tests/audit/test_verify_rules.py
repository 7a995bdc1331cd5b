"""The rules of chains, ranges and sheets, in logs that were signed and anchored as they are: nothing else finds it."""

import copy
import re

import pytest

from ..support import exports
from ..support.desk import Desk

WHOLE, TAMPERED, MALFORMED, NOT_COVERED = range(4)


def of_table(entries, least=3):
    """The place of an entry amid a table's chain."""
    return next(place for place, e in enumerate(entries) if e["chain"] == "table:1" and e["seq"] == least)


def wrong_link(entries):
    entries[of_table(entries)]["prev"] = "1" * 64
    return exports.chained_from(entries, of_table(entries))


def wrong_first_link(entries):
    entries[0]["prev"] = "1" * 64
    return exports.chained_from(entries, 0)


def time_back(entries):
    entries[of_table(entries, 4)]["at"] = "2026-11-20T00:00:00.000000Z"
    return exports.chained(entries)


def entry_left_out(entries):
    """Its successor is linked to the one before it."""
    del entries[of_table(entries)]
    return exports.chained(entries, numbered=True)


def entry_repeated(entries):
    place = of_table(entries)
    entries.insert(place + 1, copy.deepcopy(entries[place]))
    return exports.chained(entries, numbered=True)


def first_left_out(entries):
    del entries[of_table(entries, 1)]
    return exports.chained(entries, numbered=True)


def other_rules(entries):
    entries[exports.PEOPLE]["facts"]["rules"]["version"] = 7
    return exports.chained(entries)


BROKEN = {
    wrong_link: "table:1 3\\) does not follow: its prev is not the SHA-256 of the entry before",
    wrong_first_link: "house 1\\) does not follow",
    time_back: "table:1 4\\) has a time before",
    entry_left_out: "comes where entry 3 of its chain should be: 1 is missing",
    entry_repeated: "comes after entry 3 of its chain: repeated or out of order",
    first_left_out: "comes where entry 1 of its chain should be: 1 is missing",
    other_rules: "the rules are not those of the sheet",
}


@pytest.mark.parametrize("block", [1 << 20, 1_500])
@pytest.mark.parametrize(("change", "message"), BROKEN.items(), ids=lambda item: getattr(item, "__name__", ""))
def test_a_chain_that_breaks_its_rules_is_found_whoever_signed_it(block, change, message, tmp_path, monkeypatch):
    """In one block and from block to block."""
    monkeypatch.setattr("audit.verify_export.BLOCK", block)
    log = exports.night(1)
    false = exports.Log(change(copy.deepcopy(log.entries)), log.sizes[:2])
    false.sizes = false.anchored = [*log.sizes[:2], len(false.entries)]
    code, told = Desk(tmp_path, false).judge(false.all(chains=claims(log)))
    assert code == TAMPERED
    assert re.search(message, told[0]), told[0]


def claims(log, **changes):
    ranges = {chain: {"first": 1, "last": len(log.of(chain))} for chain in log.chains()}
    return {**ranges, **{chain.replace("_", ":"): within for chain, within in changes.items()}}


@pytest.fixture(scope="module")
def log():
    return exports.night(1)


@pytest.fixture
def desk(log, tmp_path):
    return Desk(tmp_path, log)


def tampered(desk, files, message):
    code, told = desk.judge(files)
    assert code == TAMPERED, (message, told)
    assert message in told[0], (message, told[0])


def test_what_the_manifest_claims_is_there_and_no_more(desk, log):
    last = len(log.of("table:1"))
    tampered(
        desk, log.all(chains=claims(log, table_1={"first": 1, "last": last + 2})), f"Entries {last + 1} to {last + 2}"
    )
    tampered(
        desk, log.all(chains=claims(log, table_1={"first": 1, "last": last - 1})), f"has {last} entries, and the man"
    )
    tampered(desk, log.all(chains=claims(log, table_9={"first": 1, "last": 2})), "Entries 1 to 2 of the chain table:9")
    fewer = claims(log)
    del fewer["table:1"]
    tampered(desk, log.all(chains=fewer), "does not name the chain table:1")
    tampered(desk, log.all(entries=log.size + 1), f"There are {log.size} entries, and the manifest claims")
    tampered(desk, log.all(size=log.size + 1), "The manifest claims the size")
    tampered(desk, log.all(root=exports.b64(log.root(3))), "and the last checkpoint is another")
    tampered(desk, log.all(origin="casino/other"), "and the manifest says casino/other")
    files = {**log.table("house"), "manifest.json": log.all(entries=1)["manifest.json"]}
    tampered(desk, files, "leaves entries out, and the manifest claims the whole log")
    short = {"table:1": {"first": 1, "last": last - 1}}
    tampered(desk, log.table("table:1", chains=short), f"lies after the end that the manifest claims, {last - 1}")


def test_a_period_has_all_of_its_entries_and_the_neighbours(desk, log):
    moments = sorted(entry["at"] for entry in log.entries)
    begins, ends = moments[15], moments[35]
    files = log.period(begins, ends)
    assert desk.judge(files)[0] == WHOLE
    claimed = exports.manifest_of(files)["chains"].items()
    chain, within = next(
        (chain, within) for chain, within in claimed if within["first"] > 1 and within["last"] < len(log.of(chain))
    )
    everything = exports.manifest_of(files)["chains"]

    def ranged(**changes):
        return log.period(begins, ends, chains={**everything, chain: {**within, **changes}})

    tampered(desk, ranged(first=within["first"] + 1), "lies in the period by its time, and outside of what")
    tampered(desk, ranged(last=within["last"] + 1), "outside of the period")
    tampered(desk, ranged(last=within["last"] - 1), "lies in the period by its time, and outside of what")
    tampered(
        desk, log.period(begins, ends, chains={c: w for c, w in everything.items() if c != chain}), "lies in the per"
    )
    leaves = {leaf for leaf, e in enumerate(log.entries) if (e["chain"], e["seq"]) == (chain, within["first"] - 1)}
    tampered(desk, log.period(begins, ends, without=leaves), "comes where entry")
    inside = {leaf for leaf, e in enumerate(log.entries) if (e["chain"], e["seq"]) == (chain, within["last"])}
    missing = log.period(begins, ends, without=inside)
    assert desk.judge(missing)[0] == TAMPERED


def test_sheets_are_those_that_were_played_by_and_published(desk, log):
    files = log.all()
    lines = files["sheets.jsonl"].splitlines(keepends=True)
    tampered(desk, {**files, "sheets.jsonl": lines[0]}, "which is not in sheets.jsonl")
    other = exports.canonical({"game": "split", "version": 3}).encode() + b"\n"
    more = sorted([*lines, other], key=lambda line: exports.hashlib.sha256(line[:-1]).hexdigest())
    tampered(desk, {**files, "sheets.jsonl": b"".join(more)}, "no exported entry was played by this sheet")
    sheets = {e["facts"]["sheet"] for e in log.of("table:1") if e["event"] == "round.opened"}
    published = {
        leaf for leaf, e in enumerate(log.entries) if e["event"] == "sheet.published" and e["facts"]["sheet"] in sheets
    }
    tampered(desk, log.table("table:1", without=published), "no exported entry publishes this sheet")


def test_a_checkpoint_stands_where_it_says(desk, log):
    files = log.all()
    size = log.sizes[1]
    tree = files["tree.jsonl"].replace(f'{{"checkpoint":{size},'.encode(), f'{{"checkpoint":{size + 1},'.encode())
    tampered(desk, {**files, "tree.jsonl": tree}, f"stands in the tree as {size + 1}")
    other = exports.note(size, log.root(size + 1), [log.old]).encode()
    own = log.notes([size]).encode()
    code, told = desk.judge({**files, "checkpoints": files["checkpoints"].replace(own, other)}, anchor=False)
    assert code == TAMPERED
    assert "has another root than the entries and hashes before it give" in told[0]
    lines = files["tree.jsonl"].splitlines(keepends=True)
    last = max(place for place, line in enumerate(lines) if b"checkpoint" in line)
    wrong = exports.canonical({"checkpoint": log.size, "consistency": [exports.b64(bytes(32))]}).encode() + b"\n"
    tampered(desk, {**files, "tree.jsonl": b"".join([*lines[:last], wrong])}, "is not proved to extend")


def test_a_hidden_subtree_begins_where_it_can(desk, log):
    files = log.table("table:1")
    node = exports.canonical({"hash": exports.b64(bytes(32)), "height": 1}).encode() + b"\n"
    one = exports.canonical({"hash": exports.b64(bytes(32)), "height": 0}).encode() + b"\n"
    run = exports.canonical({"entries": files["entries.jsonl"].count(b"\n")}).encode() + b"\n"
    code, told = desk.judge({**files, "tree.jsonl": one + node + run})
    assert code == TAMPERED
    assert "a subtree of 2^1 leaves can't begin at leaf 1" in told[0]


def where(log, chain, seq, leaves):
    """How an entry of an export with these leaves is named."""
    leaf = next(leaf for leaf, e in enumerate(log.entries) if (e["chain"], e["seq"]) == (chain, seq))
    return f"entries.jsonl line {sorted(leaves).index(leaf) + 1} (leaf {leaf}, {chain} {seq})"


def leaves_of(log, files):
    places = {line: leaf for leaf, line in enumerate(log.lines)}
    return {places[line] for line in files["entries.jsonl"].splitlines()}


@pytest.fixture(scope="module")
def small():
    return exports.night(5, rounds=2, tables=1)


def periods(log):
    """From each moment to each later one of some, and from before the first to after the last."""
    moments = sorted({entry["at"] for entry in log.entries})
    moments = ["2026-11-20T00:00:00.000000Z", *moments[::3], moments[-1], "2026-11-22T00:00:00.000000Z"]
    return [(begins, ends) for place, begins in enumerate(moments) for ends in moments[place + 1 :]]


def test_a_period_claims_the_entries_whose_time_lies_in_it_and_no_others(small, tmp_path):
    """One entry more or fewer at either end of each chain is found, and so is a period that ends elsewhere."""
    desk, log = Desk(tmp_path, small), small
    for begins, ends in periods(log)[::5]:
        files = log.period(begins, ends)
        assert desk.judge(files)[0] == WHOLE
        claims, held = exports.manifest_of(files)["chains"], leaves_of(log, files)
        for chain, within in claims.items():
            first, last = within["first"], within["last"]
            outside = "lies in the range that the manifest claims and, by its time, outside of the period."
            inside = "lies in the period by its time, and outside of what the manifest claims to be complete."
            for wrong, seq, says in (
                ((first - 1, last), first - 1, outside),
                ((first, last + 1), last + 1, outside),
                ((first + 1, last), first, inside),
                ((first, last - 1), last, inside),
            ):
                if wrong[0] < 1 or wrong[0] > wrong[1] or seq > len(log.of(chain)):
                    continue
                lied = log.period(
                    begins, ends, chains={**claims, chain: dict(zip(("first", "last"), wrong, strict=True))}
                )
                # The neighbour of one that is claimed and was not would have to be there too.
                if wrong[0] < first and seq > 1 and log.entries.index(log.of(chain)[seq - 2]) not in held:
                    tampered(desk, lied, f"comes where entry {seq - 1} of its chain should be: 1 is missing.")
                else:
                    tampered(desk, lied, f"{where(log, chain, seq, held)} {says}")


def test_what_a_period_leaves_out_of_its_range_is_counted(small, tmp_path):
    """One entry or two, the neighbour before it among them: where they should be, and how many."""
    desk, log = Desk(tmp_path, small), small
    found = set()
    for begins, ends in periods(log)[::6]:
        files = log.period(begins, ends)
        for chain, within in exports.manifest_of(files)["chains"].items():
            held = leaves_of(log, files)
            there = {leaf: e["seq"] for leaf, e in enumerate(log.entries) if e["chain"] == chain and leaf in held}
            for count in (1, 2):
                for begin in range(max(1, within["first"] - 1), within["last"] - count + 1):
                    gone = {leaf for leaf, seq in there.items() if begin <= seq < begin + count}
                    events = {log.entries[leaf]["event"] for leaf in gone}
                    if len(gone) != count or "sheet.published" in events:
                        continue
                    lied = log.period(begins, ends, without=gone, beginnings=False)
                    held = leaves_of(log, lied)
                    after = where(log, chain, begin + count, held)
                    many = "1 is missing" if count == 1 else "2 are missing"
                    tampered(desk, lied, f"{after} comes where entry {begin} of its chain should be: {many}.")
                    found.add((chain, begin < within["first"]))
    assert found >= {("table:1", True), ("table:1", False)}


def test_a_claim_of_a_chain_that_has_no_entry_here_is_missing_from_its_first(small, tmp_path):
    begins, ends = "2026-11-20T00:00:00.000000Z", "2026-11-22T00:00:00.000000Z"
    claimed = {**claims(small), "table:9": {"first": 5, "last": 7}}
    files = small.period(begins, ends, chains=claimed)
    tampered(Desk(tmp_path, small), files, "Entries 5 to 7 of the chain table:9 are missing; the manifest claims them.")


def test_a_table_whose_first_entry_alone_is_claimed_has_no_second(small, tmp_path):
    files = small.table("table:1", chains={"table:1": {"first": 1, "last": 1}})
    says = f"{where(small, 'table:1', 2, leaves_of(small, files))} lies after the end that the manifest claims, 1."
    tampered(Desk(tmp_path, small), files, says)
