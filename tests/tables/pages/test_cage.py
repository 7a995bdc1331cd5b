"""The pages of the cage: what each person is shown of a shift, its count and the chips in circulation."""

import pytest
from django.db import connection

from audit.models import Entry
from casino.roles import Right
from payouts import ledger
from tables.models import CageShift
from tables.verbs import cage
from tables.words import cage as words
from tables.words import slips

from ...support import factories, stack

pytestmark = pytest.mark.usefixtures("seeded_db")
CHIPS = {"500": 7, "10000": 2}


def shown(login="hugo", path="/cage/"):
    answer = factories.client(login).get(path)
    assert answer.status_code == 200, answer.status_code
    return answer.context["page"]


def test_an_open_shift_shows_its_totals_and_its_form_to_the_cage():
    factories.move_chips("sold", units=250_050)
    factories.move_chips("cashed", units=90_000)
    page = shown()
    assert [(each["label"], each["amount"]) for each in page["shift"]["totals"]] == [
        ("Sold for cash", "2\u2009500.50"),
        ("Cashed", "900"),
        ("Issued", "1\u2009595\u2009000"),
        ("Taken out of use", "0"),
    ]
    assert page["shift"]["cash"] == "+1\u2009600.50"
    assert [kind["code"] for kind in page["moves"]["kinds"]] == ["sold", "cashed", "issued", "withdrawn"]
    assert page["count"]["words"] == "Have two people count the cage, the second without seeing the first count."


def test_what_waits_for_the_cage_stands_first_the_oldest_with_the_first_key():
    fill = factories.slip(factories.table("T1"))
    credit = factories.slip(factories.table("T2"), "credit")
    _, before = words.live(factories.person("hugo"))
    assert [(row["number"], row["digit"], row["says"]) for row in shown()["waiting"]] == [
        (str(fill), "1", "Issue its chips")
    ]
    assert "1 slip waits for the cage" in factories.client("hugo").get("/").content.decode()
    factories.issue(credit)
    assert [(row["number"], row["digit"]) for row in shown()["waiting"]] == [(str(fill), "1"), (str(credit), "2")]
    assert "2 slips wait for the cage" in factories.client("hugo").get("/").content.decode()
    # Anna reads the slips of the table at which she deals, but not the cage.
    assert factories.person("anna").has_perm(Right.READ_SLIPS)
    assert slips.at_cage(factories.person("anna")) == []
    # Its stream tells of it, and the page of the shift is not loaded anew for it.
    chains, after = words.live(factories.person("hugo"))
    assert f"table:{credit.table_id}" in chains
    assert after[0] == before[0]
    assert after[1] != before[1]
    factories.issue(fill)
    assert [row["number"] for row in shown()["waiting"]] == [str(credit)]


@pytest.mark.parametrize(
    ("login", "reads", "moves", "counts"),
    [
        ("hugo", True, True, True),
        ("clara", True, False, True),
        ("david", True, False, False),
        ("ida", True, False, False),
        ("olga", False, False, True),
        ("anna", False, False, False),
    ],
)
def test_who_reads_the_cage_moves_its_chips_and_counts_it(login, reads, moves, counts):
    shift = cage.running()
    client = factories.client(login)
    for path in ("/cage/", f"/cage/shifts/{shift.pk}/"):
        assert client.get(path).status_code == (200 if reads else 404)
    assert client.get("/cage/count/").status_code == (200 if counts else 404)
    if reads:
        page = shown(login)
        assert (bool(page["moves"]), page["counts"]) == (moves, counts)
    home = client.get("/").content.decode()
    assert ('href="/cage/"' in home, 'href="/cage/count/"' in home) == (reads, counts and not reads)


def test_the_page_of_slips_leads_to_the_cage():
    assert 'href="/cage/"' in factories.client("hugo").get("/slips/").content.decode()
    assert 'href="/cage/"' not in factories.client("anna").get("/slips/").content.decode()


def test_chips_in_circulation_stand_with_their_parts_and_not_for_who_is_to_count():
    factories.move_chips("sold", units=100_000)
    factories.issue(factories.slip(factories.table("T1")))
    figure = shown("david")["circulation"]
    assert figure["units"] == "1\u2009000"
    assert [each["label"] for each in figure["parts"]] == [
        "Issued and in use",
        "In the cage",
        "At the tables, in their floats",
        "On the way between cage and tables",
        "In the rake",
    ]
    assert figure["parts"][3]["amount"] == "\u2212400"
    assert shown("hugo")["circulation"] == shown("clara")["circulation"] == {"hidden": True}
    for by in ("olga", "hugo"):
        factories.count_cage(CHIPS, by=by)
    assert shown("hugo")["circulation"] == shown("david")["circulation"]


def test_no_page_tells_who_counts_the_first_count_or_the_books():
    counted = factories.count_cage({"500": 4321}, by="olga")[0]
    books = f"{ledger.balances()['cage'] // 100:,}".replace(",", "\u2009")
    for login in ("hugo", "clara", "olga"):
        for path in ("/", "/cage/", "/cage/count/"):
            text = factories.client(login).get(path).content.decode()
            assert books not in text
            assert "4321" not in text
    page = shown(path="/cage/count/")
    assert (page["moment"], page["phase"], page["signs"]) == ("count", "Second count", False)
    # Who counted first lends the screen to the second.
    assert shown("olga", "/cage/count/")["signs"]
    factories.count_cage(counted.denominations, by="hugo")
    page = shown(path="/cage/count/")
    assert (page["moment"], page["equal"], page["effect"]) == ("compare", True, "Close the shift")
    assert page["against"][0]["expected"] == books


def test_counts_that_differ_twice_wait_for_a_pit_boss():
    for _ in range(2):
        factories.count_cage({"500": 7}, by="olga")
        factories.count_cage({"500": 8}, by="hugo")
    page = shown(path="/cage/count/")
    assert (page["decides"], page["again"], page["words"]["decider"]) == (True, False, "a pit boss")
    said = factories.client("hugo").get("/cage/count/").content.decode()
    assert "They differed twice. Now a pit boss decides" in said


def test_a_count_that_begins_anew_says_so():
    factories.count_cage(CHIPS, by="olga")
    factories.move_chips("sold", units=100)
    assert shown()["count"]["words"].startswith("Chips of the cage moved after the first count")
    assert shown(path="/cage/count/")["phase"] == "First count"


def test_a_closed_shift_is_a_form_with_its_variance_its_reason_and_its_entry():
    for by in ("olga", "hugo"):
        factories.count_cage(CHIPS, by=by)
    shift = factories.sign_cage(reason="The vault was not counted.")
    assert shown()["shift"] is None
    assert shown()["opens"]
    page = shown(path=f"/cage/shifts/{shift.pk}/")
    closing = page["shift"]["closing"]
    assert (closing["counted"], closing["reason"]) == ("235", "The vault was not counted.")
    assert [(row["text"], row["number"]) for row in closing["rows"]] == [("100", 2), ("5", 7)]
    assert closing["outside"]
    assert closing["variance"].startswith("\u2212")
    entry = Entry.objects.get(subject=shift.ref, event="cage.closed")
    assert closing["entry"]["seq"] == entry.seq
    assert (page["moves"], page["count"], page["circulation"]) == (None, None, None)
    assert factories.client("hugo").get("/cage/count/").headers["Location"] == "/cage/"
    assert factories.client("olga").get("/cage/count/").headers["Location"] == "/"
    assert factories.client("hugo").get("/cage/shifts/999999/").status_code == 404


def test_an_auditor_s_look_is_in_the_log():
    shift = cage.running()
    for path in ("/cage/", f"/cage/shifts/{shift.pk}/"):
        before = Entry.objects.filter(event="records.read").count()
        shown("david", path)
        assert Entry.objects.filter(event="records.read").count() == before + 1


def test_a_house_that_has_not_said_what_it_issued_has_no_figure(seeded_db):
    """One from before the cage had shifts: its tables were opened from a cage that nothing was issued to."""
    with stack.cluster().connect(database=seeded_db) as superuser:
        superuser.execute("SET session_replication_role = replica")
        for table in ("payouts_transfer", "payouts_movement"):
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        superuser.execute("DELETE FROM payouts_transfer WHERE reason = 'issued'")
    connection.close()
    assert shown("david")["circulation"] == {"unsaid": "The house hasn’t said how many chips it issued."}
    text = factories.client("david").get("/cage/").content.decode()
    assert "The house hasn’t said how many chips it issued." in text
    assert "in-circulation" not in text


def test_live_says_when_the_cage_is_another_than_before():
    from tables.words import cage as words

    before = words.live(factories.person("olga"))
    assert before[0] == ("house",)
    factories.count_cage(CHIPS, by="olga")
    assert words.live(factories.person("olga"))[1] != before[1]
    assert words.live(factories.person("anna")) is None
    assert CageShift.objects.count() == 1
