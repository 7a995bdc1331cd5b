"""Kinds of damage to an export: what is done to its files, or to the folder that they lie in.

`attackers` change what the log says and dress it. Here the log is genuine and the export is not: it has a file of
another export, a word spelled another way, a line less, or a name twice in its archive.
"""

import csv
import gzip
import hashlib
import io
import json
import os
import re
import socket
import tarfile
import unicodedata

from . import exports, reference

SIGNED = ("entries.jsonl", "tree.jsonl", "checkpoints", "sheets.jsonl")
FILES = ("manifest.json", *SIGNED)
ALL = (*FILES, "entries.csv")


def given(chance, log):
    """An export of a log: everything, a table, or a period."""
    moments = sorted({entry["at"] for entry in log.entries})
    begins, ends = sorted(chance.sample(moments, 2))
    table = chance.choice([chain for chain in log.chains() if chain != exports.HOUSE])
    return chance.choice([log.all, lambda: log.table(table), lambda: log.period(begins, ends)])()


def lines(data):
    return data.splitlines(keepends=True)


def entries_of(files):
    return [json.loads(line) for line in files["entries.jsonl"].splitlines()]


def with_entries(files, entries):
    data = "".join(f"{exports.canonical(entry)}\n" for entry in entries).encode("utf-8", "surrogatepass")
    return {**files, "entries.jsonl": data}


def with_manifest(files, **changes):
    manifest = {**exports.manifest_of(files), **changes}
    return {**files, "manifest.json": f"{exports.canonical(manifest)}\n".encode()}


def substituted(files, name, old, new, count=1):
    """A file with a pattern replaced."""
    return {**files, name: re.sub(old, new, files[name], count=count)}


# Of entries: ids, times, order, aliases


def field(change):
    """Damage one field of one entry, or what belongs to it, by `change(chance, entries, place)`."""

    def damage(chance, log, files):
        entries = entries_of(files)
        change(chance, entries, chance.randrange(len(entries)))
        return with_entries(files, entries)

    return damage


def numbered_again(chance, entries, place):
    """Remove an entry and renumber those after it to hide that; their links stay."""
    chain = entries[place]["chain"]
    del entries[place]
    for entry in entries[place:]:
        entry["seq"] -= entry["chain"] == chain


def number_of_before(chance, entries, place):
    entries[place]["seq"] = max(1, entries[place]["seq"] - 1) if entries[place]["seq"] > 1 else 2


def number_zero(chance, entries, place):
    entries[place]["seq"] = 0


def number_as_text(chance, entries, place):
    entries[place]["seq"] = str(entries[place]["seq"])


def chain_renamed(chance, entries, place):
    """Rename one chain, as if it were another table's."""
    chain = entries[place]["chain"]
    for entry in entries:
        if entry["chain"] == chain:
            entry["chain"] = "table:77"


def chains_exchanged(chance, entries, place):
    chains = sorted({entry["chain"] for entry in entries})
    one, other = chance.sample(chains, 2)
    for entry in entries:
        entry["chain"] = {one: other, other: one}.get(entry["chain"], entry["chain"])


def alias(name, old, new):
    """An id in another spelling, which a careless reader takes for the same."""

    def change(chance, entries, place):
        places = [entry for entry in entries if re.search(old, entry[name] or "")]
        chosen = chance.choice(places)
        chosen[name] = re.sub(old, new, chosen[name], count=1)

    return field(change)


def link_of_another(chance, entries, place):
    """Give an entry the link of one of another chain."""
    others = [entry["prev"] for entry in entries if entry["prev"] != entries[place]["prev"]]
    entries[place]["prev"] = chance.choice(others)


def link_in_capitals(chance, entries, place):
    places = [entry for entry in entries if entry["prev"].upper() != entry["prev"]]
    chosen = chance.choice(places)
    chosen["prev"] = chosen["prev"].upper()


def link_to_nothing(chance, entries, place):
    places = [entry for entry in entries if entry["prev"] != "0" * 64]
    chance.choice(places)["prev"] = "0" * 64


def time_spelled(spell):
    def change(chance, entries, place):
        entries[place]["at"] = spell(entries[place]["at"])

    return field(change)


def times_flat(chance, entries, place):
    """Give all entries the same time: none goes back."""
    for entry in entries:
        entry["at"] = entries[0]["at"]


def times_an_hour_later(chance, entries, place):
    for entry in entries:
        hour = int(entry["at"][11:13])
        entry["at"] = f"{entry['at'][:11]}{(hour + 1) % 24:02}{entry['at'][13:]}"


def order(key=None, *, back=False):
    """Put lines in another order, each as it was."""

    def damage(chance, log, files):
        sorted_ = sorted(entries_of(files), key=key, reverse=back)
        return with_entries(files, sorted_)

    return damage


def neighbours_of_two_chains(chance, log, files):
    """Swap two entries that no chain orders; only the tree knows."""
    entries = entries_of(files)
    places = [at for at in range(len(entries) - 1) if entries[at]["chain"] != entries[at + 1]["chain"]]
    at = chance.choice(places)
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    return with_entries(files, entries)


def key_left_out(chance, entries, place):
    del entries[place][chance.choice(["at", "by", "facts", "prev", "subject", "terminal", "v"])]


def key_added(chance, entries, place):
    entries[place]["note"] = "paid"


def fact_added(chance, entries, place):
    entries[place]["facts"]["note"] = "paid"


def fact_left_out(chance, entries, place):
    del entries[place]["facts"][chance.choice(sorted(entries[place]["facts"]))]


def version_two(chance, entries, place):
    entries[place]["v"] = 2


def terminal_another(chance, entries, place):
    entries[place]["terminal"] = "T-9" if entries[place]["terminal"] is None else None


def money_moved(chance, entries, place):
    """Move units from one transfer to another, so that the sum stays."""
    places = [entry for entry in entries if entry["event"] == "round.settled"]
    chance.choice(places)["facts"]["transfers"][0]["units"] += 1


# Of bytes: encodings, ends, what lies behind them


def bytes_of(change, names=ALL):
    """Damage all bytes of one file, by `change(data)`."""

    def damage(chance, log, files):
        name = chance.choice([name for name in names if change(files[name]) != files[name]])
        return {**files, name: change(files[name])}

    return damage


def text_in_a_string(text):
    """Put characters into a subject that nobody sees, or takes for others."""

    def change(chance, entries, place):
        entries[place]["subject"] = text.join(entries[place]["subject"].partition(":")[::2])

    return field(change)


def bomb(data):
    return gzip.compress(data + bytes(10_000_000))


# Of lines


def line_gone(name):
    def damage(chance, log, files):
        there = lines(files[name])
        del there[chance.randrange(len(there))]
        return {**files, name: b"".join(there)}

    return damage


def cut_at_a_line(name):
    def damage(chance, log, files):
        there = lines(files[name])
        return {**files, name: b"".join(there[: chance.randrange(len(there))])}

    return damage


def cut_within_a_line(chance, log, files):
    name = chance.choice([name for name in ALL if files[name]])
    data = files[name]
    places = [at for at in range(1, len(data)) if data[at - 1 : at] != b"\n"]
    return {**files, name: data[: chance.choice(places)]}


def line_twice(chance, log, files):
    name = chance.choice([name for name in SIGNED if files[name]])
    there = lines(files[name])
    at = chance.randrange(len(there))
    return {**files, name: b"".join([*there[:at], there[at], *there[at:]])}


def line_gone_and_counts_with_it(chance, log, files):
    """Remove an entry from the entries, the CSV, its run of the tree and the manifest's counts."""
    entries = entries_of(files)
    place = chance.randrange(len(entries))
    gone, manifest = entries.pop(place), exports.manifest_of(files)
    tree, left = [], place
    for record in map(json.loads, files["tree.jsonl"].splitlines()):
        if "entries" in record and left is not None:
            if left < record["entries"]:
                record["entries"] -= 1
                left = None
            else:
                left -= record["entries"]
        if record.get("entries") != 0:
            tree.append(record)
    claimed = manifest["chains"].get(gone["chain"])
    if claimed and claimed["last"] > claimed["first"]:
        claimed["last"] -= 1
    table = csv_rows(files)
    del table[place + 1]
    data = "".join(f"{exports.canonical(record)}\n" for record in tree).encode()
    files = {**with_entries(files, entries), "tree.jsonl": data, "entries.csv": csv_bytes(table)}
    return with_manifest(files, entries=len(entries), chains=manifest["chains"])


# Of files: one for another, exports mixed


def two_exchanged(chance, log, files):
    one, other = chance.sample(ALL, 2)
    return {**files, one: files[other], other: files[one]}


def file_of(other):
    """Replace a file by that of another export, by `other(chance, log)`."""

    def damage(chance, log, files):
        foreign = other(chance, log)
        names = [name for name in ALL if foreign[name] != files[name]]
        # Unsigned words may be another export's; the verifier says so, see `UNSIGNED`.
        names = [name for name in names if name != "manifest.json" or not alike(foreign, files)]
        name = chance.choice(names)
        return {**files, name: foreign[name]}

    return damage


def alike(one, other):
    """Whether two manifests differ only in unsigned words."""
    pair = [exports.manifest_of(files) for files in (one, other)]
    return len({exports.canonical({**manifest, "export": 1, "made_at": ""}) for manifest in pair}) == 1


def of_another_house(chance, log):
    other = exports.night(chance.randrange(10**6), origin="casino/other", keys=("other", "new"))
    return given(chance, other)


def of_another_night(chance, log):
    return given(chance, exports.night(chance.randrange(10**6)))


def of_an_earlier_export(chance, log):
    kept = chance.randrange(1, len(log.sizes))
    return exports.Log(log.entries[: log.sizes[kept - 1]], log.sizes[:kept]).all()


def of_another_kind(chance, log):
    return given(chance, log)


def one_gone(chance, log, files):
    gone = chance.choice(FILES)
    return {name: data for name, data in files.items() if name != gone}


def one_more(chance, log, files):
    name = chance.choice(["entries.jsonl~", ".DS_Store", "manifest.json.asc", "README", "entries (2).jsonl", "-"])
    return {**files, name: b"All is well.\n"}


def another_case(chance, log, files):
    name = chance.choice(ALL)
    other = chance.choice([name.upper(), name.capitalize(), f"{name} ", f" {name}", name.replace("e", "е")])
    return {**{kept: data for kept, data in files.items() if kept != name}, other: files[name]}


def another_case_beside(chance, log, files):
    """Nobody knows which of the two a disk keeps if it does not distinguish them."""
    name = chance.choice(ALL)
    return {**files, name.upper(): files[name]}


# Of the CSV alone


def csv_rows(files):
    return list(csv.reader(io.StringIO(files["entries.csv"].decode(), newline="")))


def csv_bytes(rows, **more):
    buffer = io.StringIO(newline="")
    csv.writer(buffer, **{"lineterminator": "\r\n", **more}).writerows(rows)
    return buffer.getvalue().encode()


def spreadsheet(change, **more):
    """entries.csv with its rows changed in place, or written another way."""

    def damage(chance, log, files):
        rows = csv_rows(files)
        change(chance, rows)
        return {**files, "entries.csv": csv_bytes(rows, **more)}

    return damage


def digit(chance, rows):
    place = chance.randrange(1, len(rows))
    rows[place][2] = str(int(rows[place][2]) + 1)


def row_gone(chance, rows):
    del rows[chance.randrange(len(rows))]


def row_twice(chance, rows):
    rows.insert(chance.randrange(1, len(rows)), rows[-1][:])


def rows_exchanged(chance, rows):
    one, other = chance.sample(range(1, len(rows)), 2)
    rows[one], rows[other] = rows[other], rows[one]


def formula_row(chance, rows):
    rows.append([chance.choice(['=HYPERLINK("http://evil")', "=cmd|'/c calc'!A1", "+1+1", "@SUM(A1)"])])


def formula_in_a_field(chance, rows):
    row = chance.choice(rows)
    at = chance.randrange(len(row))
    row[at] = chance.choice("=+-@\t") + row[at]


def header_another(chance, rows):
    rows[0][chance.randrange(9)] += "_"


def columns_exchanged(chance, rows):
    one, other = chance.sample(range(9), 2)
    for row in rows:
        row[one], row[other] = row[other], row[one]


def person_another(chance, rows):
    rows[chance.randrange(1, len(rows))][6] = "staff:99"


def as_it_is(chance, rows):
    pass


# Lies of the manifest


def lie(tell):
    """The manifest with changes, by `tell(chance, log, manifest)`."""

    def damage(chance, log, files):
        return with_manifest(files, **tell(chance, log, exports.manifest_of(files)))

    return damage


def earlier_size(chance, log, manifest):
    size = chance.choice(log.sizes[:-1])
    return {"size": size, "root": exports.b64(log.root(size))}


def ranges(change):
    def tell(chance, log, manifest):
        chain = chance.choice(sorted(manifest["chains"]))
        chains = json.loads(json.dumps(manifest["chains"]))
        change(chains, chain)
        return {"chains": chains}

    return lie(tell)


def said(**changes):
    """Words that mean nothing, or nothing in this export."""
    return lie(lambda chance, log, manifest: changes)


def other_kind(chance, log, manifest):
    """A part that claims to be the whole, or a whole or table that claims a period."""
    if manifest["kind"] == "all":
        return {"kind": "period", "from": "2026-11-20T20:00:00.000000Z", "to": log.entries[len(log.entries) // 2]["at"]}
    return {}


def part_for_the_whole(chance, log, files):
    manifest = exports.manifest_of(files)
    for name in ("table", "from", "to"):
        manifest.pop(name, None)
    chains = {chain: {"first": 1, "last": len(log.of(chain))} for chain in log.chains()}
    manifest |= {"kind": "all", "chains": chains}
    return {**files, "manifest.json": f"{exports.canonical(manifest)}\n".encode()}


def moments(files, log=None):
    """The times of the entries before a period, and of those within."""
    manifest, entries = exports.manifest_of(files), log.entries if log else entries_of(files)
    times = sorted({entry["at"] for entry in entries if entry["at"] < manifest.get("to", "")})
    return [at for at in times if at < manifest["from"]], [at for at in times if at >= manifest["from"]]


def period_wider(chance, log, files):
    """Widen the period to an entry before it that is not claimed."""
    before, _ = moments(files)
    return with_manifest(files, **{"from": before[-1]})


def period_narrower(chance, log, files):
    _, within = moments(files)
    return with_manifest(files, to=within[1:][-1])


def manifest_spelled(old, new):
    return lambda chance, log, files: substituted(files, "manifest.json", old, new)


# Of the tree


def records(change):
    """The records of tree.jsonl changed in place, by `change(chance, records)`."""

    def damage(chance, log, files):
        there = [json.loads(line) for line in files["tree.jsonl"].splitlines()]
        change(chance, there)
        data = "".join(f"{exports.canonical(record)}\n" for record in there).encode()
        return {**files, "tree.jsonl": data}

    return damage


def one_of(chance, there, name):
    return chance.choice([place for place, record in enumerate(there) if name in record])


def run_in_two(chance, there):
    places = [place for place, record in enumerate(there) if record.get("entries", 0) > 1]
    at = chance.choice(places)
    there[at : at + 1] = [{"entries": 1}, {"entries": there[at]["entries"] - 1}]


def subtree_in_two(chance, log, files):
    """Split a subtree into its two halves, each with its right hash."""
    there, place, places = [json.loads(line) for line in files["tree.jsonl"].splitlines()], 0, []
    for at, record in enumerate(there):
        if record.get("height"):
            places.append((at, place))
        place += record.get("entries", 0) + ("height" in record and 1 << record["height"])
    at, place = chance.choice(places)
    half = 1 << there[at]["height"] - 1
    there[at : at + 1] = [
        {"hash": exports.b64(reference.root(log.lines[begin : begin + half])), "height": there[at]["height"] - 1}
        for begin in (place, place + half)
    ]
    return {**files, "tree.jsonl": "".join(f"{exports.canonical(record)}\n" for record in there).encode()}


def checkpoint_moved(chance, there):
    """Move a checkpoint one record earlier or later."""
    at = one_of(chance, there, "checkpoint")
    other = at - 1 if at else 1
    there[at], there[other] = there[other], there[at]


def height_another(chance, there):
    at = one_of(chance, there, "height")
    there[at]["height"] += chance.choice([1, -1]) if there[at]["height"] else 1


def hash_of_another(chance, there):
    hashes = {record["hash"] for record in there if "hash" in record}
    at = one_of(chance, there, "hash")
    there[at]["hash"] = chance.choice(sorted(hashes - {there[at]["hash"]}))


def proof(change):
    def damage(chance, there):
        places = [record["consistency"] for record in there if len(record.get("consistency", ())) > 1]
        change(chance.choice(places))

    return records(damage)


def left_out_by_the_exporter(chance, log, files):
    """An exporter with something to hide leaves entries out, and gives the right hashes in their place."""
    without = set(chance.sample(range(len(log.entries)), chance.randint(1, 3)))
    return log.all(without=without)


def left_out_of_a_table(chance, log, files):
    chain = chance.choice(log.chains())
    leaves = [leaf for leaf, entry in enumerate(log.entries) if entry["chain"] == chain]
    return log.table(chain, without={chance.choice(leaves)})


# Of checkpoints and sheets


def notes(files):
    return re.findall(rb"casino/demo\n.*?\n\n.*?\n\n", files["checkpoints"], re.DOTALL)


def note_part(old, new, count=1):
    return lambda chance, log, files: substituted(files, "checkpoints", old, new, count)


def signatures_exchanged(chance, log, files):
    there = notes(files)
    one, other = chance.sample(range(len(there)), 2)
    heads, tails = zip(*(note.split(b"\n\n", 1) for note in there), strict=True)
    tails = list(tails)
    tails[one], tails[other] = tails[other], tails[one]
    data = b"".join(b"\n\n".join(pair) for pair in zip(heads, tails, strict=True))
    return {**files, "checkpoints": data}


def root_of_another(chance, log, files):
    there = notes(files)
    one, other = chance.sample(there, 2)
    return {
        **files,
        "checkpoints": files["checkpoints"].replace(one, one.replace(one.split(b"\n")[2], other.split(b"\n")[2])),
    }


def sheet_added(chance, log, files):
    data = b'{"game":"split","limits":{},"parameters":{"chip":1},"version":9}\n'
    there = sorted([*lines(files["sheets.jsonl"]), data], key=lambda line: hashlib.sha256(line[:-1]).hexdigest())
    return {**files, "sheets.jsonl": b"".join(there)}


def sheet_another(chance, log, files):
    return substituted(files, "sheets.jsonl", rb'"version":(\d)', rb'"version":1\1')


# Of folders, by what lies in them


def link_within(chance, folder):
    one, other = chance.sample(ALL, 2)
    (folder / one).unlink()
    (folder / one).symlink_to(other)


def link_outside(chance, folder):
    """Link to the very same bytes, which somebody may change later."""
    name = chance.choice(ALL)
    (folder / name).rename(folder.parent / "elsewhere")
    (folder / name).symlink_to("../elsewhere")


def link_to_itself(chance, folder):
    name = chance.choice(ALL)
    (folder / name).unlink()
    (folder / name).symlink_to(name)


def link_to_nothing_there(chance, folder):
    name = chance.choice(ALL)
    (folder / name).unlink()
    (folder / name).symlink_to("/nowhere")


def hard_link(chance, folder):
    one, other = chance.sample(ALL, 2)
    (folder / one).unlink()
    os.link(folder / other, folder / one)


def folder_in_its_place(chance, folder):
    name = chance.choice(ALL)
    (folder / name).rename(folder.parent / "elsewhere")
    (folder / name).mkdir()
    (folder.parent / "elsewhere").rename(folder / name / name)


def folder_beside(chance, folder):
    (folder / "more").mkdir()


def pipe(chance, folder):
    name = chance.choice(ALL)
    (folder / name).unlink()
    os.mkfifo(folder / name)


def device(chance, folder):
    name = chance.choice(ALL)
    (folder / name).unlink()
    (folder / name).symlink_to(chance.choice(["/dev/zero", "/dev/null", "/dev/stdin", "/proc/self/mem"]))


def a_socket(chance, folder):
    name = chance.choice(ALL)
    (folder / name).unlink()
    with socket.socket(socket.AF_UNIX) as server:
        here = os.open(folder, os.O_RDONLY)
        try:
            # A socket's path may have 107 bytes.
            server.bind(f"/proc/self/fd/{here}/{name}")
        finally:
            os.close(here)


def hole(chance, folder):
    """Add a terabyte of zeros after the end, which takes no room on the disk."""
    os.truncate(folder / chance.choice(ALL), 1 << 40)


def archived(change):
    """Pack, damage and unpack the folder, as it comes to an auditor."""

    def damage(chance, folder):
        members = [(path.name, path.read_bytes(), tarfile.REGTYPE, "") for path in sorted(folder.iterdir())]
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for name, data, kind, link in change(chance, members):
                member = tarfile.TarInfo(f"export/{name}")
                member.type, member.size, member.linkname = kind, len(data), link
                tar.addfile(member, io.BytesIO(data))
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
        with tarfile.open(fileobj=io.BytesIO(packed.getvalue())) as tar:
            tar.extractall(folder.parent, filter="data")
        assert folder.name == "export"

    return damage


def changed_bytes(data):
    return data.replace(b"1", b"2", 1) if b"1" in data else data + b"\n"


def member_twice(chance, members):
    """Put a name in twice; the second file, unpacked over the first, differs."""
    name, data, kind, link = chance.choice([member for member in members if member[0] != "manifest.json"])
    return [*members, (name, changed_bytes(data), kind, link)]


def member_of_another_case(chance, members):
    name, data, kind, link = chance.choice(members)
    return [*members, (name.upper(), data, kind, link)]


def member_as_a_hard_link(chance, members):
    one, other = chance.sample(members, 2)
    return [*(member for member in members if member != one), (one[0], b"", tarfile.LNKTYPE, f"export/{other[0]}")]


def member_as_a_link(chance, members):
    one, other = chance.sample(members, 2)
    return [*(member for member in members if member != one), (one[0], b"", tarfile.SYMTYPE, other[0])]


def member_cut(chance, members):
    chosen = chance.choice([member for member in members if member[1]])
    cut = (chosen[0], chosen[1][: chance.randrange(len(chosen[1]))], *chosen[2:])
    return [cut if member == chosen else member for member in members]


def member_left_out(chance, members):
    gone = chance.choice([member for member in members if member[0] != "entries.csv"])
    return [member for member in members if member != gone]


KINDS = {
    **{
        change.__name__: field(change)
        for change in (
            *(numbered_again, number_of_before, number_zero, number_as_text, chain_renamed, chains_exchanged),
            *(link_of_another, link_in_capitals, link_to_nothing, times_flat, times_an_hour_later),
            *(key_left_out, key_added, fact_added, fact_left_out, version_two, terminal_another, money_moved),
        )
    },
    "alias of a round": alias("subject", ":", ":0"),
    "alias of a person": alias("by", "staff:", "staff:0"),
    "alias of a chain": alias("chain", "table:", "table:0"),
    "chain in capitals": alias("chain", "table", "Table"),
    "event in capitals": alias("event", "round", "Round"),
    "digits of another script": alias("subject", r"\d", "１"),
    "a sign of another script": alias("subject", "o", "о"),
    "time with an offset": time_spelled(lambda at: at.replace("Z", "+00:00")),
    "time without its zone": time_spelled(lambda at: at.removesuffix("Z")),
    "time without its fraction": time_spelled(lambda at: f"{at[:19]}Z"),
    "a leap second": time_spelled(lambda at: f"{at[:17]}60{at[19:]}"),
    "midnight at 24": time_spelled(lambda at: f"{at[:11]}24:00:00.000000Z"),
    "a far year": time_spelled(lambda at: f"9999{at[4:]}"),
    "an early year": time_spelled(lambda at: f"0000{at[4:]}"),
    "the word now": time_spelled(lambda at: "now"),
    "order by chain": order(lambda entry: (entry["chain"], -entry["seq"])),
    "order backwards": order(lambda entry: (entry["at"], entry["chain"], entry["seq"]), back=True),
    "order by event": order(lambda entry: (entry["event"], entry["at"], entry["seq"])),
    "neighbours of two chains": neighbours_of_two_chains,
    "CR LF": bytes_of(lambda data: data.replace(b"\n", b"\r\n"), FILES),
    "LF in the CSV": bytes_of(lambda data: data.replace(b"\r\n", b"\n"), ("entries.csv",)),
    "CR alone": bytes_of(lambda data: data.replace(b"\n", b"\r")),
    "a BOM": bytes_of(lambda data: b"\xef\xbb\xbf" + data),
    "UTF-16": bytes_of(lambda data: data.decode().encode("utf-16")),
    "Latin-1": bytes_of(lambda data: data.decode().replace("Ä", "A").encode("latin-1", "replace"), ("entries.jsonl",)),
    "NFD": bytes_of(
        lambda data: unicodedata.normalize("NFD", data.decode()).encode(), ("entries.jsonl", "entries.csv")
    ),
    "compressed": bytes_of(gzip.compress),
    "a bomb": bytes_of(bomb),
    "a zero byte behind": bytes_of(lambda data: data + b"\0"),
    "Ctrl-Z behind": bytes_of(lambda data: data + b"\x1a"),
    "a space behind": bytes_of(lambda data: data + b" "),
    "a line behind": bytes_of(lambda data: data + b"\n"),
    "a line before": bytes_of(lambda data: b"\n" + data),
    "no last newline": bytes_of(lambda data: data[:-1]),
    "the file twice": bytes_of(lambda data: data * 2),
    "an empty file": bytes_of(lambda data: b""),
    "zeros in its place": bytes_of(lambda data: bytes(len(data) + 1)),
    "a space without width": text_in_a_string("\u200b:"),
    "written right to left": text_in_a_string(":\u202e"),
    "a mark of order": text_in_a_string(":\ufeff"),
    "a line of Unicode": text_in_a_string(":\u2028"),
    "a lone surrogate": text_in_a_string(":\ud800"),
    "an escaped slash": lambda chance, log, files: substituted(files, "entries.jsonl", rb'"round:', rb'"\\/round:'),
    **{f"a line of {name} gone": line_gone(name) for name in SIGNED},
    **{f"{name} cut at a line": cut_at_a_line(name) for name in SIGNED},
    "cut within a line": cut_within_a_line,
    "a line twice": line_twice,
    "a line gone and counts with it": line_gone_and_counts_with_it,
    "two files exchanged": two_exchanged,
    "a file of another house": file_of(of_another_house),
    "a file of another night": file_of(of_another_night),
    "a file of an earlier export": file_of(of_an_earlier_export),
    "a file of another kind": file_of(of_another_kind),
    "a file gone": one_gone,
    "a file more": one_more,
    "a name in another case": another_case,
    "a name in another case beside": another_case_beside,
    **{
        f"CSV: {change.__name__}": spreadsheet(change)
        for change in (
            *(digit, row_gone, row_twice, rows_exchanged, formula_row, formula_in_a_field),
            *(header_another, columns_exchanged, person_another),
        )
    },
    "CSV: all quoted": spreadsheet(as_it_is, quoting=csv.QUOTE_ALL),
    "CSV: semicolons": spreadsheet(as_it_is, delimiter=";"),
    "CSV: single quotes": spreadsheet(as_it_is, quotechar="'"),
    "manifest: an earlier size": lie(earlier_size),
    "manifest: a size more": lie(lambda chance, log, manifest: {"size": manifest["size"] + 1}),
    "manifest: an entry fewer": lie(lambda chance, log, manifest: {"entries": manifest["entries"] - 1}),
    "manifest: another origin": said(origin="casino/other"),
    "manifest: another root": said(root=exports.b64(bytes(32))),
    "manifest: a chain less": lie(
        lambda chance, log, manifest: {"chains": {}} if manifest["kind"] == "all" else {"chains": {"house": 7}}
    ),
    "manifest: a chain more": ranges(lambda chains, chain: chains.update({"table:99": {"first": 1, "last": 3}})),
    "manifest: a range longer": ranges(lambda chains, chain: chains[chain].update(last=chains[chain]["last"] + 9)),
    "manifest: a range backwards": ranges(lambda chains, chain: chains.update({chain: {"first": 9, "last": 1}})),
    "manifest: a range of text": ranges(lambda chains, chain: chains[chain].update(first="1")),
    "manifest: a range too far": ranges(lambda chains, chain: chains[chain].update(last=10**18)),
    "manifest: another kind": lie(other_kind),
    "manifest: a part for the whole": part_for_the_whole,
    "manifest: a period wider": period_wider,
    "manifest: a period narrower": period_narrower,
    "manifest: number 0": said(export=0),
    "manifest: a number as text": said(export="12"),
    "manifest: a number true": said(export=True),
    "manifest: made yesterday": said(made_at="yesterday"),
    "manifest: a note": said(note="Everything was paid."),
    "manifest: a word twice": manifest_spelled(b'"v":1', b'"v":1,"v":1'),
    "manifest: a space": manifest_spelled(b":", b": "),
    "manifest: 1.0": manifest_spelled(b'"v":1', b'"v":1.0'),
    "manifest: an exponent": manifest_spelled(b'"export":12', b'"export":12e0'),
    "tree: a run in two": records(run_in_two),
    "tree: a subtree in two": subtree_in_two,
    "tree: a checkpoint moved": records(checkpoint_moved),
    "tree: another height": records(height_another),
    "tree: a hash of another": records(hash_of_another),
    "tree: a proof backwards": proof(lambda steps: steps.reverse()),
    "tree: a proof too short": proof(lambda steps: steps.pop()),
    "tree: a proof too long": proof(lambda steps: steps.append(steps[0])),
    "left out by the exporter": left_out_by_the_exporter,
    "left out of a table": left_out_of_a_table,
    "checkpoints: signatures exchanged": signatures_exchanged,
    "checkpoints: a root of another": root_of_another,
    "checkpoints: another key id": note_part(rb"(\xe2\x80\x94 casino/demo )A?..", rb"\1zzz"),
    "checkpoints: another name": note_part(rb"(\xe2\x80\x94 casino/)demo", rb"\1dema"),
    "checkpoints: a dash for a dash": note_part(rb"\xe2\x80\x94", b"-"),
    "checkpoints: no padding": note_part(rb"=\n", b"\n"),
    "checkpoints: an extension": note_part(rb"=\n\n", b"=\nextension\n\n"),
    "checkpoints: a size more": note_part(rb"(casino/demo\n\d+)", rb"\g<1>1"),
    "checkpoints: another origin": note_part(rb"^casino/demo", b"casino/dem0"),
    "sheets: one more": sheet_added,
    "sheets: another": sheet_another,
}
"""What is done to the files, by `(chance, log, files)`: the files as they are then.

One that can't be done to an export, since there is nothing of the kind in it, leaves it as it is or raises LookupError
or ValueError; see `damaged`.
"""

FOLDERS = {
    change.__name__: change
    for change in (
        *(link_within, link_outside, link_to_itself, link_to_nothing_there, hard_link, folder_in_its_place),
        *(folder_beside, pipe, device, a_socket, hole),
    )
} | {
    change.__name__: archived(change)
    for change in (
        *(member_twice, member_of_another_case, member_as_a_hard_link, member_as_a_link, member_cut, member_left_out),
    )
}
"""What is done to a folder, by `(chance, folder)`."""

MISSING = {name for name in KINDS if re.search("gone|cut at a line", name) and name not in {"a file gone"}}
"""A line that was signed is missing: tampered, never malformed."""


# Words that nobody signed


def number(chance, log, files):
    return with_manifest(files, export=chance.randint(13, 10**9))


def time_of_making(chance, log, files):
    return with_manifest(files, made_at=f"20{chance.randint(27, 99)}-01-01T00:00:00.000000Z")


def begin_of_the_period(chance, log, files):
    """Move the begin of the period: it may be anywhere between two entries."""
    before, _ = moments(files, log)
    begins = exports.manifest_of(files)["from"]
    earlier = f"{begins[:20]}{int(begins[20:26]) - 1:06}Z"
    return with_manifest(files, **{"from": max([earlier, *before])})


UNSIGNED = {change.__name__: change for change in (number, time_of_making, begin_of_the_period)}


def damaged(damage, chance, log):
    """(the files of an export of the log, and what a damage makes of them)."""
    for _ in range(200):
        files = given(chance, log)
        try:
            harmed = damage(chance, log, files)
        except (LookupError, ValueError):
            continue
        if harmed != files:
            return files, harmed
    raise AssertionError("No export has what this damage needs.")
