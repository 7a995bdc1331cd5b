"""The form that asks for chips shows what lies in the tray; whoever counts a tray is told nothing of it."""

from tables.words import slips

from ...support import factories


def blank():
    table = factories.table("T1")
    return slips.blank(table, factories.person("clara"))


def test_the_form_says_what_the_tray_was_opened_with_and_has_by_the_books(seeded_db):
    before = {chip["units"]: chip["lie"]["opened"] for chip in blank()["chips"]}
    filled = factories.slip(factories.table("T1"))
    factories.receive(factories.issue(filled))
    returned = factories.slip(factories.table("T1"), "credit", {"100": 2})
    factories.issue(returned)
    shown = blank()
    sums = {line["label"]: line["value"] for line in shown["tray"]}
    assert sums["Slips since"] == "+398"
    lie = {chip["units"]: chip["lie"] for chip in shown["chips"]}
    assert {units: each["opened"] for units, each in lie.items()} == before
    assert lie[100]["books"] == before[100] - 2
    for value, number in filled.denominations.items():
        assert lie[int(value)]["books"] == before[int(value)] + number


def test_who_is_about_to_count_the_tray_does_not_read_it_there(seeded_db):
    factories.stop_session(factories.table("T1"))
    shown = blank()
    assert shown["tray"] == []
    assert {chip["lie"] for chip in shown["chips"]} == {None}


def test_whoever_counts_a_slip_reads_what_it_says_and_not_the_first_count(seeded_db):
    slip = factories.issue(factories.slip(factories.table("T1")))

    def page(login):
        read = slips.shown(slips.within_reach(factories.person(login), slip.pk), factories.person(login))
        assert sum(row["asked"] for row in read["rows"]) == sum(slip.denominations.values())
        return read["may"]["next"], read["both"]

    assert page("anna") == (
        "Count the chips against the slip. You count first; the second person counts without seeing your count.",
        [],
    )
    factories.count_slip(slip, chips={"100": 1})
    assert page("clara") == (
        "Count the chips against the slip. You count second, and see the first count when yours is in.",
        [],
    )
    assert page("anna") == (
        "Have a second person count the chips against the slip here and sign. They see the first count when theirs is"
        " in.",
        [],
    )
    factories.count_slip(slip)
    assert [each["pieces"] for each in page("clara")[1]] == [1, sum(slip.denominations.values())]
