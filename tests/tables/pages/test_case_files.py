"""The file of a case as PDF: what stands in it, that it is the same bytes, kept and in the log, and who may have it."""

import datetime as dt
import hashlib
import io
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pypdf
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from audit import inclusion, log, notes, seal, verify_export
from audit.models import Entry
from casino.games import registry
from casino.running import embedded
from payouts import ledger
from tables.management.commands.seed_demo import OPENER
from tables.models import Case, CaseFile
from tables.words import case_investigations, case_printing, printing, session_rounds

from ...audit.conftest import with_keys
from ...support import factories, stack, waiting
from ..verbs.test_disputes import EIGHT_OF_HEARTS, SAID, case_of, contest, ruled

HOSTILE = 'She said: "#1 is *mine*", \\ $x$ <a> @b `c` // _d_ 漢.'
ELSEWHERE = """
import datetime as dt, hashlib, json, sys
sys.path.insert(0, ".")
from tables.words import printing
document, at = json.load(sys.stdin)
print(hashlib.sha256(printing.pdf(document, dt.datetime.fromisoformat(at))).hexdigest())
"""


@pytest.fixture
def house(seeded_db, tmp_path, settings):
    return with_keys(tmp_path, settings)


def get(case, login="clara"):
    answer = factories.client(login).get(f"/cases/{case.pk}/file.pdf")
    assert answer.status_code == 200
    return answer


def filed(case):
    """The digests of a case's files, as the log has them."""
    entries = Entry.objects.filter(event="case.filed").order_by("seq")
    facts = [json.loads(entry.body)["facts"] for entry in entries]
    return [each["digest"] for each in facts if each["case"] == case.ref]


def read(answer):
    """The file's text, without its line ends, and its reader."""
    reader = pypdf.PdfReader(io.BytesIO(answer.content))
    return " ".join("\n".join(page.extract_text() for page in reader.pages).split()), reader


def test_a_file_is_of_one_moment_whatever_is_written_while_it_is_made(house, seeded_db):
    settled = factories.settled_round(factories.table("T1"))
    case = case_of(contest(settled))
    before = case_printing.printed(case.pk).content

    def printed():
        try:
            return case_printing.printed(case.pk).content
        finally:
            connection.close()

    # It has read the payments and waits for their transfers: whether they are taken is read after these.
    with stack.cluster().connect(embedded.OWNER, seeded_db) as owner, ThreadPoolExecutor(1) as pool:
        owner.execute("BEGIN; LOCK TABLE payouts_transfer IN ACCESS EXCLUSIVE MODE")
        making = pool.submit(printed)
        waiting.until(lambda: waiting.behind(owner))
        factories.ticked(settled)
        owner.execute("COMMIT")
        assert making.result() == before
    assert case_printing.printed(case.pk).content != before


def part(file, heading):
    blocks = next(each["blocks"] for each in file.document()["parts"] if each["heading"] == heading)
    return [row for block in blocks for row in block.get("rows", ())]


def test_a_file_is_the_same_bytes_everywhere_with_its_digest_in_the_log_and_every_text_as_it_was_written(house):
    dispute = contest(factories.settled_round(factories.table("T1")), statement=HOSTILE)
    ruled(dispute, changes=EIGHT_OF_HEARTS, approved_by="frank")
    seal.keep_up(within=60)
    case = case_of(dispute)
    answer = get(case)
    assert (answer["Content-Type"], answer["Content-Disposition"]) == (
        "application/pdf",
        f'attachment; filename="{case}.pdf"',
    )
    digest = hashlib.sha256(answer.content).hexdigest()
    assert filed(case) == [digest] == list(CaseFile.objects.values_list("digest", flat=True))
    # Another reads the same bytes, which makes no second file; an auditor's look is in the log.
    assert get(case, "david").content == answer.content
    assert filed(case) == [digest]
    assert json.loads(Entry.objects.filter(event="records.read").latest("pk").body)["facts"]["what"] == case.ref
    file = case_printing.of(case)
    given = json.dumps([file.document(), file.at.isoformat()])
    other = subprocess.run([sys.executable, "-c", ELSEWHERE], input=given, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == digest, "another process makes the same bytes"
    text, reader = read(answer)
    root = reader.trailer["/Root"]
    assert ("/StructTreeRoot" in root, root["/Lang"], root["/MarkInfo"]["/Marked"]) == (True, "en", True)
    assert reader.metadata.title == f"Case file {case}"
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()
    assert HOSTILE.replace("漢", "[U+6F22]") in text
    for said in ("Upheld by clause split.17", "BET pays", "−130", "8♥", "Take 30 from box 1", "casino/demo"):
        assert said in text, said
    for name in ("Anna", "Clara", "Frank", "Adler"):
        assert name not in text, "people are numbers"


def test_a_file_says_before_and_after_in_order_of_time_and_proves_each_entry_under_one_checkpoint(house):
    dispute = contest(factories.settled_round(factories.table("T1")))
    ruled(dispute, changes=EIGHT_OF_HEARTS, approved_by="frank")
    case = case_of(dispute)
    unsealed = get(case)
    assert "18 entries are not sealed yet" in read(unsealed)[0]
    seal.keep_up(within=60)
    sealed = get(case)
    assert "not sealed" not in read(sealed)[0]
    assert len(set(filed(case))) == 2
    # What is sealed later concerns no file of before, and each stays as it was made.
    factories.call(factories.table("T1"))
    seal.keep_up(within=60)
    assert get(case).content == sealed.content
    first, second = CaseFile.objects.order_by("pk")
    assert (first.size, second.size is None) == (None, False)
    kept = factories.client("david").get(f"/cases/{case.pk}/files/{first.pk}.pdf")
    assert kept.content == unsealed.content
    listed = factories.client("clara").get(f"/api/v1/cases/{case.pk}/files/").json()
    assert [each["digest"] for each in listed["files"]] == filed(case)[::-1]
    assert listed["files"][1]["at"] == kept.request["PATH_INFO"]

    file = case_printing.of(case)
    rows = part(file, "What happened, in order of time")
    moments, day = [], ""
    for row in rows:
        day = row[0] or day
        moments.append((day, row[1]))
    assert moments == sorted(moments)
    assert [row[4] for row in rows][-1] == "Case decided. Upheld"
    assert part(file, "The calculation")[-2:] == [
        ["1", "+100", "−30", "−130", "Take 30 from box 1: to be handed over"],
        ["2", "−5", "−5", "0", "nothing to hand over"],
    ]
    proven = {row[0]: row[3] for row in part(file, "Proofs") if len(row) == 4}
    entries = list(Entry.objects.filter(subject__in=[case.ref, dispute.round.ref]))
    assert proven == {str(entry): log.digest(entry.body) for entry in entries}
    note = notes.read(file.checkpoint.note)
    for entry in entries:
        proof = inclusion.prove([entry], file.checkpoint)[entry.pk]
        leaf = hashlib.sha256(b"\0" + entry.body.encode()).digest()
        assert verify_export.verify_inclusion(leaf, proof.index, note.size, proof.path, note.root)
    (seen,) = (
        line.split('"')[1]
        for each in file.document()["parts"]
        for block in each["blocks"]
        for line in block.get("lines", ())
        if "--seen" in line
    )
    assert verify_export._seen(seen) == (note.size, note.root)


def test_a_variance_has_both_counts_what_was_expected_and_what_is_left(house):
    two = factories.table("T2")
    factories.close_session(two, OPENER | {100: OPENER[100] - 7}, reason="Looked for.")
    case = Case.objects.get(kind="variance")
    assert "Not decided" in read(get(case))[0]
    factories.decide_case(case, signed_with="frank", reason="A chip lay below the table.")
    text, _ = read(get(case))
    for said in (
        "Cause not found: a variance of −7 EUR",
        "by the house's clock, by Staff 5 and Staff 6",
        "“A chip lay below the table.”",
        "Staff 5, who decided it, had also signed what the case is about. Staff 6 had not.",
        "“Looked for.”",
        "7 EUR less than the books said",
    ):
        assert said in text, said
    file = case_printing.of(Case.objects.get(pk=case.pk))
    assert part(file, "What was counted")[-2:] == [["1", "93", "93", "93"], ["Comes to", *["53\u2009093"] * 3]]
    assert part(file, "What was expected, and the variance")[-3:] == [
        ["Expected", "53\u2009100"],
        ["Counted", "53\u2009093"],
        ["Variance: counted minus expected", "−7"],
    ]
    signed = [row[:3] for row in part(file, "People and signatures")[-3:]]
    assert signed == [
        ["Opening the table", "Staff 5", "Staff 7"],
        ["Closing the table", "Staff 5", "Staff 7"],
        ["The decision of the case", "Staff 5", "Staff 6"],
    ]


def test_a_drop_has_its_buy_ins_its_seals_and_its_count(house):
    one = factories.table("T1")
    drop_box = factories.mount(one)
    factories.buy_in(one, 123_400)
    factories.take_off(drop_box)
    factories.counted_drop(drop_box, {"50000": 2, "10000": 2, "1000": 3}, reason="Looked for.")
    case = Case.objects.get()
    text, _ = read(get(case))
    assert "4 EUR less than was entered" in text
    file = case_printing.of(case)
    rows = part(file, "What was recorded, and the variance")
    assert [row[-1] for row in rows] == ["1\u2009234", "1\u2009230", "−4", "1\u2009234"]
    assert part(file, "What was counted")[-1] == ["Comes to", *["1\u2009230"] * 3]
    assert ["Seal when it was taken off", "S-1, the same"] in part(file, "The facts")


def test_a_void_round_has_what_went_back_and_why_and_an_investigation_all_that_was_out_of_the_ordinary(house):
    one = factories.table("T1")
    round_ = factories.void_round(one)
    factories.contest(factories.settled_round(one))
    factories.call(one)
    void, session = factories.open_void(round_, by="frank"), one.sessions.get()
    case = factories.investigate(session)
    for each in (void, case):
        assert get(each).content == get(each, "david").content
    text, _ = read(get(void))
    for said in (f"“{factories.QUESTION}”", "“Two aces of spades.”", "Void, all stakes go back", "split.36"):
        assert said in text, said
    file = case_printing.of(void)
    assert [row[0] for row in part(file, "What went back")] == ["Box 1", "Box 2"]
    assert part(file, "Money moved") == []
    assert ["The void of the round", "Staff 1", "Staff 5"] in [row[:3] for row in part(file, "People and signatures")]
    # What it came to is not told before the count; both counts are blind.
    assert "Win by the count" not in read(get(case))[0]
    factories.close_session(one, OPENER, reason="Looked for.")
    factories.decide_case(case, signed_with="frank")
    file = case_printing.of(Case.objects.get(pk=case.pk))
    assert ["Void", "1"] in part(file, "The rounds")
    assert ["Disputes", "1"] in part(file, "The rounds")
    assert [row[0] for row in part(file, "Who dealt")] == ["Staff 1"]
    assert part(file, "Alarms and calls of the table")[0][1] == "Call for a pit boss: something else"
    assert part(file, "Chips and money")[0][0] == "Closer"
    signed = [row[0] for row in part(file, "People and signatures")]
    assert signed[-3:] == ["Opening the table", "Closing the table", "The decision of the case"]


# --- All five kinds of cases. ---


@pytest.fixture
def five(house):
    """A decided case of each kind, by its kind. Clara decides and Frank signs; of what they are about Clara signed all
    but the count of the drop, which Olga and Petra did."""
    one, two = factories.table("T1"), factories.table("T2")
    void, settled = factories.void_round(one), factories.ticked(factories.settled_round(one))
    dispute = contest(settled)
    drop_box = factories.mount(one)
    factories.buy_in(one, 123_400)
    factories.take_off(drop_box)
    factories.counted_drop(drop_box, {"50000": 2, "10000": 2, "1000": 3}, reason="Looked for.")
    factories.open_void(void)
    factories.investigate(one.sessions.get())
    ruled(dispute, changes=EIGHT_OF_HEARTS, approved_by="frank")
    # The other table has a round of its own, a fill, and seven chips of 1 too few.
    factories.ticked(factories.settled_round(two))
    factories.receive(factories.issue(factories.slip(two)))
    for table, lacks in ((one, 0), (two, 700)):
        factories.close_session(
            table, factories.pile(ledger.balance(table.float_account) - lacks), reason="Looked for."
        )
    for case in Case.objects.waiting():
        factories.decide_case(case)
    return {case.kind: case for case in Case.objects.all()}


def test_in_a_case_of_any_kind_the_decision_stands_first_and_times_never_run_backwards(five):
    assert set(five) == set(Case.Kind)
    for kind, case in five.items():
        file = case_printing.of(case)
        first = file.document()["parts"][0]
        assert (first["heading"], first["blocks"][0]["kind"]) == ("Outcome", "verdict"), kind
        assert first["blocks"][0]["head"].startswith(case.get_outcome_display().capitalize()), kind
        at = [at for at, *_ in file.course()]
        assert at == sorted(at), kind
        days = [row[0] for row in part(file, "What happened, in order of time")]
        assert days[0], kind
        assert not any(days[1:]), kind

        page = factories.client("clara").get(f"/cases/{case.pk}/", follow=True).content.decode()
        main = page[page.index("<main") :]
        one, two, *_ = (found.start() for found in re.finditer("<section", main))
        assert one < re.search('data-test="(decision|ruling)"', main).start() < two, kind
        at = [dt.datetime.fromisoformat(each) for each in re.findall('<time datetime="([^"]+)"', main)]
        assert len(at) > 4, kind
        assert at == sorted(at), kind


def test_what_a_file_says_in_words_is_what_the_books_have(five):
    file = case_printing.of(five["dispute"])
    said = file.document()["parts"][0]["blocks"][0]["text"]
    assert said.endswith("line 2 of it is the ruling's. It changes what boxes get: box 1 by −130 EUR.")
    # What was asked stands with what came of it.
    for kind, asked in (("dispute", SAID), ("void", factories.QUESTION)):
        first = case_printing.of(five[kind]).document()["parts"][0]["blocks"]
        assert f"“{asked}”" in [each.get("text") for each in first], kind
    assert part(file, "Money moved")[:2] == [
        ["1", "wager", "Patrons", "Float", "5"],
        ["1", "wager", "Float", "Patrons", "100"],
    ]
    assert "Each time that this is done is a settlement" in read(get(five["dispute"]))[0]

    # Each movement in the words of its kind, and a round of another table is none of this one's.
    file = case_printing.of(five["variance"])
    told = [row[4] for row in part(file, "What happened, in order of time") if row[4].startswith("Chips moved.")]
    assert told == [
        "Chips moved. From the cage, where the house keeps its chips, to the table, as it was opened: 53\u2009100 EUR",
        "Chips moved. From the cage, on the way to the table: 400 EUR",
        "Chips moved. Come to the table from the cage: 400 EUR",
        "Chips moved. Put down as missing: 7 EUR",
        "Chips moved. From the table back to the cage, as it was closed: 53\u2009398 EUR",
    ]
    rounds = part(file, "The rounds behind the house's net")
    assert [(row[0], row[2]) for row in rounds] == [("T2-00001", "−95"), ("House's net", "−95")]

    for kind, had in (("variance", True), ("drop_variance", False), ("void", True), ("investigation", True)):
        page = factories.client("david").get(f"/cases/{five[kind].pk}/").content.decode()
        assert ("Staff 5, Clara Conrad had a part in what the case is about." in page) == had, kind
        said = "Staff 5, who decided it, had also signed what the case is about. Staff 6 had not."
        assert (said in read(get(five[kind]))[0]) == had, kind

    laid = part(case_printing.of(five["void"]), "The cards and the stakes")
    assert laid[0][1] == "Big Hand: 4 cards face down, 2♠"


def test_an_investigation_lists_its_rounds_with_what_settled_them_and_says_how_many_there_are(five, monkeypatch):
    case = five["investigation"]
    void, settled = case_printing.of(case).about.rounds.order_by("number")

    def listed(file):
        rows = [row for row in part(file, "The rounds") if isinstance(row[-1], dict)]
        return [(row[0], row[3], row[4], row[5]["texts"]) for row in rows]

    file = case_printing.of(case)
    entries = [str(each) for each in Entry.objects.filter(subject=settled.ref, event="round.settled").order_by("seq")]
    # As at the closing: after the ruling both boxes lost, 30 and 5.
    assert listed(file) == [
        (str(void), "void", "0", []),
        (str(settled), "settled, corrected, contested", "+35", entries),
    ]
    told = [row[4] for row in part(file, "What happened, in order of time")]
    assert "Call or alarm over. Variance of a drop" in told
    goals = [row[0]["text"] for row in part(file, "Proofs") if isinstance(row[0], dict)]
    assert goals == entries
    text, reader = read(get(case))
    assert "All 2 rounds, by the number" in text
    links = [each for page in reader.pages for each in page.get("/Annots", ()) if each["/Subtype"] == "/Link"]
    assert len(links) == len(entries) == 2

    page = factories.client("clara").get(f"/cases/{case.pk}/").content.decode()
    assert "2 rounds of the session" in " ".join(page.split())
    assert [f'href="/rounds/{each.pk}/"' in page for each in (void, settled)] == [True, True]
    assert "All 2 rounds" not in page

    monkeypatch.setattr(case_investigations, "MOST_ROUNDS", 1)
    monkeypatch.setattr(session_rounds, "A_PAGE", 1)
    file = case_printing.of(case)
    assert [row[0] for row in listed(file)] == [str(settled)]
    said = [block["text"] for each in file.document()["parts"] for block in each["blocks"] if "text" in block]
    assert any(each.startswith("The last 1 of 2 rounds") for each in said)
    assert "The rounds of the session before the last 1, 1 of them." in said
    page = factories.client("clara").get(f"/cases/{case.pk}/").content.decode()
    assert [f'href="/rounds/{each.pk}/"' in page for each in (void, settled)] == [False, True]
    assert f'href="/sessions/{case.subject_id}/rounds/">All 2 rounds</a>' in page


def test_a_case_out_of_reach_is_404_as_one_that_is_not_there(seeded_db):
    factories.close_session(factories.table("T2"), OPENER | {100: OPENER[100] - 7}, reason="Looked for.")
    case = Case.objects.get()
    made = factories.case_file(case)

    def asked(login, address):
        client = factories.client(login)
        client.get("/cases/")
        with CaptureQueriesContext(connection) as queries:
            return client.get(address).status_code, len(queries)

    for there, not_there in (
        (f"/cases/{case.pk}/file.pdf", "/cases/999/file.pdf"),
        (f"/cases/{case.pk}/files/{made.pk}.pdf", "/cases/999/files/999.pdf"),
        (f"/cases/{case.pk}/files/{made.pk}.pdf", f"/cases/{case.pk}/files/999.pdf"),
        (f"/api/v1/cases/{case.pk}/files/", "/api/v1/cases/999/files/"),
    ):
        # Frank is of another pit.
        assert asked("frank", there) == asked("frank", not_there)
        assert asked("frank", there)[0] == 404
        assert asked("anna", there)[0] in {403, 404}
        assert asked("clara", there)[0] == 200
    assert CaseFile.objects.count() == 1


def test_what_no_font_has_is_printed_as_its_number():
    def printed(text):
        document = {"title": "A", "subtitle": text, "language": "en", "author": "A", "foot": "A", "parts": []}
        content = printing.pdf(document, dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
        return pypdf.PdfReader(io.BytesIO(content)).pages[0].extract_text().replace("\n", " ")

    assert "[U+6F22][U+E000] [U+1F600][U+200D] é Ω ж ♠" in printed("漢\ue000 😀\u200d e\u0301 Ω ж ♠")
    # Each character that is said to be there is: in these standards a file that lacked one would be refused.
    every = "".join(chr(each) for each in range(0x20, 0x3000) if not printing._OTHERS.match(chr(each)))
    assert len(every) > 800
    assert "[U+" not in printed(every)
    faces = [face for game in registry.GAMES.values() for face in game.deck(game.sheet({})).faces.values()]
    assert not any(printing._OTHERS.search(face.rank + face.mark + face.name) for face in faces)
