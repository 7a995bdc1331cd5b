"""The file of a case as PDF: what stands in it, that it is the same bytes, kept and in the log, and who may have it."""

import datetime as dt
import hashlib
import io
import json
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
from tables.management.commands.seed_demo import OPENER
from tables.models import Case, CaseFile
from tables.words import case_printing, printing

from ...audit.conftest import with_keys
from ...support import factories, stack, waiting
from ..verbs.test_disputes import EIGHT_OF_HEARTS, case_of, contest, ruled

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
        ["Variance: counted less expected", "−7"],
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
