"""An entry that is none, planted by an owner: sealing stops with its name, everything shows it and goes on."""

import datetime as dt
import json

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from audit import bad_entries, chains, exports, form, inspections, log, seal, sealer, status, verify_export
from audit.models import Checkpoint, Entry, Export, Inspection, Leaf, Sealing
from casino.errors import Refused
from payouts import books
from tests.support import entry_texts, factories

from .test_seal import write

SEARCH, ENTRY = "/admin/audit/entry/", "/admin/audit/entry/{}/change/"
# What can be stored at all: the columns are read out of the text as JSON.
DAMAGES = {
    "the word now, a fraction, keys out of order": lambda text: (
        text.replace(text[7:34], "now")
        .replace('"v":1', '"v" : 1.5')
        .replace('"facts":{"staff":"staff:1"}', '"facts":{"b":1,"a":2}')
    ),
    "a fraction": lambda text: text.replace('"staff":"staff:1"', '"n":1.5'),
    "a number too large for any number": lambda text: text.replace('"staff":"staff:1"', f'"n":{"9" * 5_000}'),
    "a key twice": lambda text: text.replace('"staff":"staff:1"', '"staff":"staff:1","staff":"staff:2"'),
    "facts that are a list": lambda text: text.replace('{"staff":"staff:1"}', "[7]"),
    "no facts": lambda text: text.replace('"facts":{"staff":"staff:1"},', ""),
    "no terminal": lambda text: text.replace('"terminal":null,', ""),
    "a terminal that is an object": lambda text: text.replace('"terminal":null', '"terminal":{"a":null}'),
    "for ever": lambda text: text.replace(text[7:34], "infinity"),
    "a time with a line of its own": lambda text: text.replace(text[7:34], "2026\\n11"),
    "a blank": lambda text: text.replace('"terminal":null', '"terminal": null'),
    "letters in another normal form": lambda text: text.replace('"staff":"staff:1"', '"e\u0301":1'),
    "a round's action without its number": lambda text: (
        text.replace("staff.signed_on", "round.acted")
        .replace('"subject":"staff:1"', '"subject":"round:1"')
        .replace('"staff":"staff:1"', '"ordinal":[1.5]')
    ),
    "a number of a round that none has": lambda text: text.replace(
        '"subject":"staff:1"', f'"subject":"round:{"9" * 60}"'
    ).replace("null", "7"),
}
# Of these nobody outside can say where they belong.
UNPLACED = {
    "no prev": lambda text: text.replace(f'"prev":"{json.loads(text)["prev"]}",', ""),
    "two lines": lambda text: text.replace('"terminal":null', '"terminal":\nnull'),
    "more than a line of an export": lambda text: text.replace('"staff":"staff:1"', f'"a":"{"x" * 1_100_000}"'),
    "a thousand brackets": lambda text: text.replace('"staff":"staff:1"', f'"a":{"[" * 1_500}{"]" * 1_500}'),
}


@pytest.fixture
def plant(house, owner_connection, settings):
    """Plants a damaged entry at the end of a chain as an owner may, who switches the guards off; gives its place."""
    settings.EXPORTS = str(house / "exports")

    def planted(damage, chain=None):
        chain = chain or factories.table().ref
        for table in ("audit_entry", "audit_chain"):
            owner_connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        with owner_connection.transaction():
            seq, head, at = owner_connection.execute(
                "SELECT seq + 1, head, clock_timestamp() FROM audit_chain WHERE key = %s", [chain]
            ).fetchone()
            record = log.Record("staff.signed_on", "staff:1", {"staff": "staff:1"})
            text = entry_texts.entry(chain=chain, seq=seq, prev=head, at=at, record=record)
            assert damage(text) != text
            text = damage(text)
            row = [chain, seq, text]
            owner_connection.execute(
                'INSERT INTO audit_entry (chain_id, seq, body, event, subject, "by", at)'
                " SELECT chain, seq, body, entry ->> 'event', entry ->> 'subject', entry ->> 'by', entry ->> 'at'"
                " FROM (VALUES (%s, %s::bigint, %s)) AS planted(chain, seq, body), CAST(body AS jsonb) AS entry",
                row,
            )
            owner_connection.execute(
                "UPDATE audit_chain SET seq = %s, head = %s, at = %s WHERE key = %s",
                [seq, form.digest(text), at, chain],
            )
        for table in ("audit_entry", "audit_chain"):
            owner_connection.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
        with transaction.atomic():
            if chain != log.HOUSE:
                facts = {"staff": "staff:1"}
                log.record("staff.signed_off", "staff:1", chain=chain, actor=log.SYSTEM, facts=facts)
        return f"{chain}/{seq}"

    return planted


def pass_over(place):
    return bad_entries.pass_over(place=place, by=factories.person("david"))


def exported(kind=Export.Kind.ALL, **more):
    with transaction.atomic():
        export = exports.ask(kind=kind, by=factories.person("david"), **more)
    for _ in range(100):
        exports.write_due(within=60)
        export.refresh_from_db()
        if export.status != Export.Status.ASKED:
            break
    assert (export.status, export.failure) == ("DONE", "")
    return exports.folder(export)


def judged(folder, house, *more):
    public, anchor = house / "keys" / "public", house / "outside" / "checkpoints"
    code, lines = verify_export.judge([str(folder), "--key", str(public), "--anchor", str(anchor), *more])
    print(*lines, sep="\n")
    return code, lines


def looked_at(places):
    """Every page of the history that shows these entries; gives the rows of the search."""
    david, rows, path = factories.client("david"), [], SEARCH
    by_place = {f"{chain}/{seq}": pk for chain, seq, pk in Entry.objects.values_list("chain_id", "seq", "pk")}
    for _ in range(20):
        page = david.get(path).context["page"]
        rows += page["rows"]
        if not page["older"]:
            break
        path = f"{SEARCH}?before={page['older']}"
    assert {row["id"] for row in rows} >= set(by_place.values())
    assert {row["id"] for row in rows if row["bad"]} == {by_place[place] for place in places}
    for place in places:
        answer = david.get(ENTRY.format(by_place[place]))
        assert answer.status_code == 200
        told = answer.content.decode()
        assert 'data-test="bad"' in told
        assert "This isn’t an entry of the log" in told
    return rows


def test_sealing_stops_before_a_leaf_with_the_name_of_what_is_bad_and_all_say_so(house, plant):
    write(2)
    seal.keep_up(within=60)
    leaves, size = Leaf.objects.count(), Checkpoint.objects.newest().size
    place = plant(DAMAGES["the word now, a fraction, keys out of order"])
    write(2)
    assert seal.keep_up(within=60) == 0
    assert (Leaf.objects.count(), Checkpoint.objects.newest().size) == (leaves, size)
    chain, _, seq = place.partition("/")
    said = Sealing.objects.get().refused
    assert f"Entry {seq} of {chain} " in said
    assert f"seal --pass-over {place}" in said
    assert {name: status.measure()[name] for name in ("ok", "state")} == {"ok": False, "state": "bad entry"}
    first_page = factories.client("david").get("/admin/house/").content.decode()
    assert "A bad entry keeps the log from being sealed" in first_page
    assert f"Entry {seq} of {chain} " in first_page
    looked_at([place])
    # An export of what was sealed before is still to be had.
    assert judged(exported(), house, "--csv")[0] == 0


def test_what_was_passed_over_is_sealed_shown_exported_and_never_called_whole(house, plant):
    write(1)
    places = [plant(damage) for damage in DAMAGES.values()] + [plant(DAMAGES["a fraction"], log.HOUSE)]
    assert [pass_over(place) for place in places[:-1]] == [form.fault(body(place)) for place in places[:-1]]
    seal.keep_up(within=60)
    assert f"seal --pass-over {places[-1]}" in Sealing.objects.get().refused
    with pytest.raises(chains.Broken, match="isn’t in the one form"):
        chains.verify(log.HOUSE)
    pass_over(places[-1])
    seal.keep_up(within=60)
    assert books.wrong() == []
    assert status.measure()["state"] == "sealed"
    assert Leaf.objects.filter(chain=factories.table().ref).count() >= 2 * len(DAMAGES)
    assert differing() == []
    told = factories.client("david").get("/admin/house/").content.decode()
    assert f"passed over {len(places)} bad entries" in " ".join(told.split())
    looked_at(places)
    began = form.read(Entry.objects.filter(chain="house").order_by("seq").first().body)["at"]
    kinds = {"all": {}, "table": {"table_key": factories.table().ref}, "period": period(began)}
    for kind, more in kinds.items():
        folder = exported(kind, **more)
        code, lines = judged(folder, house, "--csv", "--resettle", str(settings.BASE_DIR))
        bad = "".join(lines[1:]).count("is no entry of the log: it")
        assert code == 3
        assert "an auditor passed it over (house " in lines[0]
        assert bad == len(places) - (kind == "table")
        assert (folder / "entries.csv").read_text().count("bad entry") == bad


def differing():
    """Whose row an inspection names, of everything there is.

    Not the person of `write` and `plant`, of whose signing on the log alone tells.
    """
    with sealer.connected():
        looks = [part.look(0, part.newest(), {}) for part in inspections.parts(Inspection.Kind.ALL)]
    return [each.subject for _, named in looks for each in named if each.subject != "staff:1"]


def period(began):
    at = dt.datetime.fromisoformat(began)
    return {"from_at": at, "to_at": Checkpoint.objects.newest().at}


def body(place):
    chain, _, seq = place.partition("/")
    return Entry.objects.get(chain=chain, seq=seq).body


@pytest.mark.parametrize("damage", UNPLACED.values(), ids=UNPLACED)
def test_what_no_line_of_an_export_can_hold_is_named_and_ends_no_tool(house, plant, damage):
    place = plant(damage)
    seal.keep_up(within=60)
    assert place in Sealing.objects.get().refused
    looked_at([place])
    pass_over(place)
    seal.keep_up(within=60)
    assert status.measure()["state"] == "sealed"
    code, lines = judged(exported(), house)
    assert code in {1, 2}
    assert "broke the verifier" not in lines[0]
    _, _, seq = place.partition("/")
    assert f"entry {seq} of its chain" in lines[0] or "entries.jsonl line" in lines[0]


def test_what_was_sealed_bad_before_and_nobody_passed_over_is_named(house, plant, monkeypatch):
    """As a house of before sealed it."""
    write(1)
    place = plant(DAMAGES["a fraction"])
    with monkeypatch.context() as patched:
        patched.setattr(bad_entries, "is_passed_over", lambda *place: True)
        seal.keep_up(within=60)
    looked_at([place])
    folder = exported()
    code, lines = judged(folder, house)
    assert code == 2
    assert "is no JSON of the log: 1.5 is no whole number" in lines[0]
    assert differing() == [place.replace("/", " ")]
    pass_over(place)
    assert differing() == []
    assert judged(exported(), house, "--csv")[0] == 3


def test_an_entry_that_does_not_follow_is_passed_over_too_and_stays_tampered(house, plant):
    write(1)
    place = plant(lambda text: text.replace(json.loads(text)["prev"], "1" * 64))
    seal.keep_up(within=60)
    assert "does not follow the one before it" in Sealing.objects.get().refused
    pass_over(place)
    seal.keep_up(within=60)
    assert status.measure()["state"] == "sealed"
    assert differing() == []
    code, lines = judged(exported(), house)
    assert code == 1
    assert "does not follow" in lines[0]


def test_only_what_is_bad_is_passed_over_and_once(house, plant):
    place = plant(DAMAGES["a fraction"])
    before = Entry.objects.count()
    for wrong in ("house/1", "house/999999", "house", "", "house/", "table:1/x", f"{place}0"):
        with pytest.raises(Refused):
            pass_over(wrong)
    assert Entry.objects.count() == before
    pass_over(place)
    with pytest.raises(Refused, match="already been passed over"):
        pass_over(place)
    said = form.read(Entry.objects.filter(event=bad_entries.EVENT).get().body)
    assert said["by"] == factories.person("david").ref
    assert said["facts"] == {
        "digest": form.digest(body(place)),
        "fault": "is no JSON of whole numbers",
        "what": place,
    }


def test_an_auditor_decides_at_the_machine(house, plant, monkeypatch, capsys):
    place = plant(DAMAGES["a fraction"])

    def known(login):
        return factories.signature(login)["password"]

    def ask(password, login):
        monkeypatch.setattr("audit.management.commands.seal.getpass", lambda prompt: password)
        call_command("seal", "--pass-over", place, *(["--by", login] if login else []))

    for password, login in ((known("david"), None), (known("clara"), "clara"), ("wrong", "david")):
        with pytest.raises(CommandError):
            ask(password, login)
    assert not Entry.objects.filter(event=bad_entries.EVENT).exists()
    ask(known("david"), "david")
    told = capsys.readouterr().out
    assert f"Passed over: entry {place} is no JSON of whole numbers." in told
    assert "casino/demo" in told


@transaction.atomic
def lie(chain, records):
    """Write entries whatever they tell."""
    with connection.cursor() as cursor:
        told = json.dumps([log.pieces(chain, record) for record in records])
        cursor.execute("SELECT append_entries(%s, %s)", [chain, told])


def test_a_lie_in_the_one_form_ends_no_tool(settled_house, settings):
    """Whoever has the app's password writes what he likes into facts."""
    settings.EXPORTS = str(settled_house / "exports")
    table, known = factories.table(), json.loads(Entry.objects.filter(event="sheet.published").first().body)
    lies = [
        ("round.acted", {}),
        ("round.acted", {"ordinal": [1], "kind": {}, "undoes": {"a": 1}}),
        ("round.opened", {"sheet": 7}),
        ("round.opened", {"sheet": "x"}),
        ("payment.ticked", {"payment": [1]}),
        ("history.read", {"range": None, "what": 7}),
        ("dispute.raised", {"clause": [[]]}),
    ]
    house = [
        ("sheet.published", {}),
        ("sheet.published", {"rules": {}, "sheet": known["facts"]["sheet"]}),
        ("export.made", {"what": {}, "range": 1}),
    ]
    for chain, told in ((table.ref, lies), (log.HOUSE, house)):
        lie(chain, [log.Record(event, "round:1", facts, terminal="=1") for event, facts in told])
    with sealer.connected():
        lie(log.HOUSE, [log.Record("entry.passed_over", "round:1", {"digest": [1]})])
    seal.keep_up(within=60)
    assert status.measure()["state"] == "sealed"
    # An inspection names what they tell of, and ends at none.
    assert "round:1" in differing()
    david = factories.client("david")
    for path in (SEARCH, "/admin/audit/entry/round/1/", "/admin/house/", "/rounds/1/"):
        assert david.get(path).status_code == 200, path
    for pk in Entry.objects.order_by("-pk").values_list("pk", flat=True)[:20]:
        assert david.get(ENTRY.format(pk)).status_code == 200
    code, lines = judged(exported(), settled_house, "--resettle", str(settings.BASE_DIR))
    assert code == 1, lines
    assert "broke the verifier" not in lines[0]
