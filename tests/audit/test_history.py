"""The log as the auditor reads it: searched, a round as it was entered with its proofs, and each look an entry."""

import base64
import datetime as dt
import json
import re

import psycopg
import pytest
from django.db import connection, transaction
from django.test import override_settings

from audit import history, keys, log, notes, seal, verify_export
from audit.events import EVENTS
from audit.models import Checkpoint, Entry
from casino.gaming_day import begins, gaming_day
from casino.models import Casino
from tables.admin.entries import DETAILS
from tables.models import Round
from tests.audit.test_seal import tamper
from tests.support import factories, stack

SEARCH, ENTRY, ROUND = "/admin/audit/entry/", "/admin/audit/entry/{}/change/", "/admin/audit/entry/round/{}/"
PROOFS = ("/admin/audit/entry/{}/proof/", "/admin/audit/entry/round/{}/proof/")


@pytest.fixture(scope="module")
def floor(django_test_environment, django_db_blocker, tmp_path_factory):
    """A night with a bit of everything, sealed; gives the settled and corrected round."""
    folder = tmp_path_factory.mktemp("house")
    outside = {"LOG_KEYS": str(folder / "keys"), "ANCHOR_FILE": str(folder / "anchor")}
    ours = override_settings(ANCHOR_SECONDS=3600, **outside)
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database), ours:
        keys.make()
        settled, *_ = factories.furnish()
        factories.correct(settled, {"boxes[0].ante": 1500})
        factories.void(factories.open_round(factories.table("T1")))
        # More of one time than a small page has.
        with transaction.atomic():
            log.record_all(log.HOUSE, [log.Record("setting.changed", "setting:a", {"what": "a"})] * 20)
        seal.keep_up(within=60)
        yield settled


@pytest.fixture
def david(floor):
    return factories.client("david")


def everything():
    """All entries as they are shown, the newest first."""
    return [
        json.loads(body) | {"pk": pk} for pk, body in Entry.objects.order_by("-at", "-pk").values_list("pk", "body")
    ]


def found(client, **fields):
    """The entries that a search shows, all its pages, by their keys; each page is asked for by its link."""
    keys_, path = [], f"{SEARCH}?" + "&".join(f"{name}={value}" for name, value in fields.items())
    for _ in range(500):
        page = client.get(path).context["page"]
        assert page["problems"] == {}
        keys_ += [row["id"] for row in page["rows"]]
        if not page["older"]:
            return keys_
        path = f"{path.split('&before=')[0]}&before={page['older']}"
    raise AssertionError("It never ends.")


def looks():
    return [json.loads(body) for body in Entry.objects.filter(event="history.read").values_list("body", flat=True)]


def named(told, ref):
    """Whether a person did, signed or is whom an entry concerns."""
    facts = told["facts"]
    second = [facts.get("approver"), facts.get("author"), *facts.get("signers", [])[1:], *facts.get("people", [])[1:]]
    return ref in {told["by"], told["subject"], *second}


def test_every_event_has_its_words():
    assert set(history.WORDS) == set(EVENTS)
    assert set(DETAILS) <= set(EVENTS)
    assert set(EVENTS) > history.OFTEN


def first_rounds():
    return {round_.ref for round_ in Round.objects.filter(number=1)}


CASES = {
    "nothing": ({}, lambda told: True),
    "a table": ({"table": "table:1"}, lambda told: told["chain"] == "table:1"),
    "the house": ({"table": "house"}, lambda told: told["chain"] == "house"),
    "an event": ({"event": "round.acted"}, lambda told: told["event"] == "round.acted"),
    "a rare event": ({"event": "round.voided"}, lambda told: told["event"] == "round.voided"),
    "a group": ({"event": "staff"}, lambda told: told["event"].startswith("staff.")),
    "a login": ({"staff": "anna"}, lambda told: named(told, factories.person("anna").ref)),
    "a part of a name": ({"staff": "conrad"}, lambda told: named(told, factories.person("clara").ref)),
    "a number": ({"staff": "5"}, lambda told: named(told, "staff:5")),
    "a second person": ({"staff": "hugo"}, lambda told: named(told, factories.person("hugo").ref)),
    "the system": ({"staff": "system"}, lambda told: told["by"] == "system"),
    "a round": ({"subject": "T1-00001"}, lambda told: told["subject"] == "round:1"),
    "rounds of a number": ({"subject": "1"}, lambda told: told["subject"] in first_rounds()),
    "a reference": ({"subject": "staff:3"}, lambda told: told["subject"] == "staff:3"),
    "a person and an event": (
        {"staff": "clara", "event": "round.corrected"},
        lambda told: told["event"] == "round.corrected" and named(told, factories.person("clara").ref),
    ),
    "a person and what happens often": (
        {"staff": "anna", "event": "round.opened"},
        lambda told: told["event"] == "round.opened" and named(told, factories.person("anna").ref),
    ),
    "a table and an event": (
        {"table": "table:1", "event": "round.acted"},
        lambda told: (told["chain"], told["event"]) == ("table:1", "round.acted"),
    ),
    "a person and a table": (
        {"staff": "anna", "table": "table:1"},
        lambda told: told["chain"] == "table:1" and named(told, factories.person("anna").ref),
    ),
    "a round and an event": (
        {"subject": "round:1", "event": "round.settled"},
        lambda told: (told["subject"], told["event"]) == ("round:1", "round.settled"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_search_finds_what_fits_and_nothing_else_newest_first(david, monkeypatch, case):
    """In pages so small that each ends within a round, and by looking at so few that most come back empty."""
    fields, fits = CASES[case]
    wanted = [told["pk"] for told in everything() if fits(told)]
    assert wanted
    for page, looked_at in ((50, 1000), (7, 11)):
        monkeypatch.setattr(history, "PAGE", page)
        monkeypatch.setattr(history, "LOOKED_AT", looked_at)
        # What is asked becomes an entry itself, newer than all that are compared.
        newest = max(wanted)
        assert [pk for pk in found(david, **fields) if pk <= newest] == wanted


def test_a_search_of_gaming_days_ends_with_the_morning(david):
    told, casino, days = everything(), Casino.objects.get(), {}
    for entry in told:
        at = dt.datetime.fromisoformat(entry["at"])
        days.setdefault(gaming_day(at, zone=casino.time_zone, starts=casino.day_starts_at), []).append(entry["pk"])
    for day, keys_ in days.items():
        shown = found(david, **{"from": day, "to": day})
        assert [pk for pk in shown if pk <= told[0]["pk"]] == keys_
    before, after = min(days) - dt.timedelta(days=1), max(days) + dt.timedelta(days=1)
    assert found(david, to=before) == found(david, **{"from": after}) == []


def test_a_page_that_found_little_says_how_far_back_it_looked(david, monkeypatch):
    monkeypatch.setattr(history, "LOOKED_AT", 3)
    page = david.get(SEARCH, {"table": "table:1", "staff": "system"})
    told = page.content.decode()
    assert "haven’t been searched yet" in told
    assert "Look further back" in told
    assert "No entry fits" in david.get(SEARCH, {"from": "2031-01-01"}).content.decode()


UNCLEAR = {
    "from": ("2026-02-31", "isn’t a date"),
    "to": ("0001-01-01", "nothing in the year"),
    "table": ("table:99", "choose one from the list"),
    "staff": ("zzz", "Nobody is called"),
    "event": ("round.eaten", "choose one from the list"),
    "subject": ("T1-09999", "There is no round"),
}


@pytest.mark.parametrize("field", UNCLEAR)
def test_what_is_unclear_is_said_beside_its_field_and_nothing_is_read(david, field):
    text, says = UNCLEAR[field]
    before = len(looks())
    page = david.get(SEARCH, {field: text})
    assert says in page.context["page"]["problems"][field]
    assert f'id="problem-{field}"' in page.content.decode()
    assert 'data-test="found"' not in page.content.decode()
    assert len(looks()) == before


def test_days_out_of_order_and_a_name_of_several_are_told(david):
    told = david.get(SEARCH, {"from": "2026-11-21", "to": "2026-11-20"}).context["page"]["problems"]
    assert "swap the two days" in told["to"]
    told = david.get(SEARCH, {"staff": "a"}).context["page"]["problems"]
    assert "Enter a number" in told["staff"]
    assert "Nothing is called" in david.get(SEARCH, {"subject": "the king"}).context["page"]["problems"]["subject"]


# --- Looks. ---


def test_each_look_is_an_entry_that_says_what_was_looked_at_and_nothing_personal(david, floor):
    person = factories.person("david").ref
    entry = Entry.objects.filter(subject=floor.ref).first()
    before, casino = len(looks()), Casino.objects.get()
    morning = begins(dt.date(2026, 11, 20), zone=casino.time_zone, starts=casino.day_starts_at)
    for path, what, within in (
        (SEARCH, "entries", None),
        (f"{SEARCH}?staff=Anna+Adler&table=table:1&event=round", "entries", {
            "staff": factories.person("anna").ref, "chain": "table:1",
            "events": [event for event in EVENTS if event.startswith("round.")],
        }),
        (f"{SEARCH}?from=2026-11-20&subject=T1-1&before=2027-01-01T00:00:00.000000Z_1", "entries", {
            "from": f"{morning:%Y-%m-%dT%H:%M:%S.%fZ}", "subjects": [floor.ref],
            "before": "2027-01-01T00:00:00.000000Z",
        }),
        (ENTRY.format(entry.pk), f"table:{floor.table_id}/{entry.seq}", None),
        (PROOFS[0].format(entry.pk), f"table:{floor.table_id}/{entry.seq}", None),
        (ROUND.format(floor.pk), floor.ref, None),
        (ROUND.format(floor.pk), floor.ref, None),
        (PROOFS[1].format(floor.pk), floor.ref, None),
    ):  # fmt: skip
        assert david.get(path).status_code == 200, path
        told = looks()
        assert len(told) == before + 1, path
        before += 1
        facts = {"what": what} | ({"range": within} if within else {})
        assert (told[-1]["by"], told[-1]["subject"], told[-1]["facts"]) == (person, "history", facts)
        assert "Adler" not in json.dumps(told[-1])


def test_a_look_that_can_t_be_logged_is_not_shown(david, floor):
    david.raise_request_exception = False
    url = stack.cluster().url("postgres", connection.settings_dict["NAME"])
    with psycopg.connect(url, autocommit=True) as superuser:
        superuser.execute("REVOKE INSERT ON audit_entry FROM casino_app")
        try:
            for path in (SEARCH, ENTRY.format(1), ROUND.format(floor.pk), *(path.format(1) for path in PROOFS)):
                answer = david.get(path)
                assert answer.status_code == 500, path
                assert b"Anna Adler" not in answer.content
                assert b"prev" not in answer.content
        finally:
            superuser.execute("GRANT INSERT ON audit_entry TO casino_app")
    assert david.get(SEARCH).status_code == 200


@pytest.mark.parametrize("login", ["clara", "frank", "hugo", "ida", "anna"])
def test_nobody_but_the_auditor_reads_the_log(floor, login):
    client, before = factories.client(login), factories.written()
    paths = [SEARCH, *(path.format(1) for path in (ENTRY, ROUND, *PROOFS)), "/admin/audit/checkpoint/"]
    for path in paths:
        assert client.get(path, follow=True).status_code == 403, path
    assert factories.written() == before


def test_a_look_is_by_get_alone(david, floor):
    before = factories.written()
    for path in (SEARCH, *(path.format(floor.pk) for path in (ENTRY, ROUND, *PROOFS))):
        for method in ("post", "head", "put", "delete"):
            assert getattr(david, method)(path).status_code == 403, (method, path)
    assert factories.written() == before


def test_what_is_not_there_is_not_found_and_not_logged(david):
    before = factories.written()
    for path in (ENTRY.format(10**8), ENTRY.format("x"), ROUND.format(10**8), *(p.format(10**8) for p in PROOFS)):
        assert david.get(path).status_code == 404, path
    assert factories.written() == before


# --- A round, and its proofs. ---


def states(client, round_):
    return re.findall(r'data-state="(\w+)"', client.get(ROUND.format(round_.pk)).content.decode())


def test_a_round_is_shown_as_it_was_entered_with_its_explanation(david, floor):
    told = david.get(ROUND.format(floor.pk)).content.decode()
    for words in ("Round T1-00001", "Settlement 2", "split.19", "ANTE: 10", "Corrected, line 2", "Anna Adler"):
        assert words in told
    entries = list(Entry.objects.filter(subject=floor.ref).order_by("seq"))
    shown = [int(seq) for seq in re.findall(r'data-test="seq-(\d+)"', told)]
    assert shown == [entry.seq for entry in entries]
    for entry in entries:
        assert log.digest(entry.body) in told
    assert f"All {len(entries)} entries are in the tree" in told


def test_what_proves_a_round_is_checked_by_somebody_outside(david, floor):
    answer = david.get(PROOFS[1].format(floor.pk))
    assert 'filename="round-T1-00001.json"' in answer.headers["Content-Disposition"]
    told = json.loads(answer.content)
    note = notes.read(told["checkpoint"])
    assert note.signed_by(keys.public()[0])
    assert [entry["entry"] for entry in told["entries"]] == list(
        Entry.objects.filter(subject=floor.ref).order_by("seq").values_list("body", flat=True)
    )
    for entry in told["entries"]:
        path = [base64.b64decode(hash_) for hash_ in entry["path"]]
        leaf = verify_export.leaf_hash(entry["entry"].encode())
        assert verify_export.verify_inclusion(leaf, entry["index"], entry["size"], path, note.root)
        assert entry["size"] == note.size
        assert not verify_export.verify_inclusion(leaf, entry["index"] + 1, entry["size"], path, note.root)


def test_an_entry_that_is_not_sealed_yet_says_so(david, floor):
    opened = factories.open_round(factories.table("T1"))
    assert states(david, opened) == ["unsealed"]
    assert "within seconds" in david.get(ROUND.format(opened.pk)).content.decode()
    refused = david.get(PROOFS[1].format(opened.pk))
    assert (refused.status_code, b"Not all" in refused.content) == (409, True)
    seal.keep_up(within=60)
    assert states(david, opened) == ["proven"]
    factories.void(opened)
    assert states(david, opened) == ["proven", "unsealed"]
    assert "All but 1 of 2 entries are in the tree" in david.get(ROUND.format(opened.pk)).content.decode()


@pytest.fixture
def sealed(settled_house, settled):
    seal.keep_up(within=60)
    return settled


def entries_of(round_):
    return list(Entry.objects.filter(subject=round_.ref).order_by("seq"))


def test_an_entry_that_was_changed_is_told_not_to_be_in_the_tree(sealed, owner_connection):
    david, entries = factories.client("david"), entries_of(sealed)
    changed = next(entry for entry in entries if '"kind":"ante"' in entry.body)
    sql = "UPDATE audit_entry SET body = replace(body, '\"units\":1000', '\"units\":9000') WHERE id = %s"
    tamper(owner_connection, sql, changed.pk)
    told = david.get(ROUND.format(sealed.pk)).content.decode()
    assert f"1 of {len(entries)} entries is NOT in the tree" in told
    assert states(david, sealed).count("wrong") == 1
    assert re.search(rf'data-test="seq-{changed.seq}" data-state="wrong"', told)
    assert "The text that stands here now isn’t the one that was sealed" in told
    # The next one names the hash of what stood there before.
    assert f"It doesn’t follow entry {changed.seq} of its chain" in told
    one = david.get(ENTRY.format(changed.pk)).content.decode()
    assert "This entry is NOT in the tree" in one
    assert david.get(PROOFS[0].format(changed.pk)).status_code == 409


def test_an_entry_and_its_leaf_changed_together_do_not_lead_to_the_signed_root(sealed, owner_connection):
    """The owner of the database may change both: what was signed stays what it was."""
    david, changed = factories.client("david"), entries_of(sealed)[1]
    tamper(owner_connection, "UPDATE audit_entry SET body = replace(body, 'ante', 'anti') WHERE id = %s", changed.pk)
    tamper(
        owner_connection,
        "UPDATE audit_leaf SET hash = (SELECT sha256('\\x00'::bytea || convert_to(body, 'UTF8')) FROM audit_entry"
        " WHERE id = %s) WHERE chain_id = %s AND seq = %s",
        changed.pk, changed.chain_id, changed.seq,
    )  # fmt: skip
    # And with that no entry beside it has a path to it any more.
    assert set(states(david, sealed)) == {"wrong"}
    assert "it doesn’t have the root that was signed" in david.get(ENTRY.format(changed.pk)).content.decode()


def test_an_entry_that_is_gone_is_missed_by_the_next(sealed, owner_connection):
    david, entries = factories.client("david"), entries_of(sealed)
    tamper(owner_connection, "DELETE FROM audit_entry WHERE id = %s", entries[3].pk)
    told = david.get(ROUND.format(sealed.pk)).content.decode()
    assert "The chain is broken beside 1 of these" in told
    assert f"It doesn’t follow entry {entries[3].seq} of its chain" in told


def test_leaves_that_are_gone_prove_nothing(sealed, owner_connection):
    last = Checkpoint.objects.newest().size - 1
    tamper(owner_connection, "DELETE FROM audit_leaf WHERE index = %s", last - 1)
    told = factories.client("david").get(ENTRY.format(entries_of(sealed)[0].pk)).content.decode()
    assert "The tree itself was changed" in told


def test_why_nothing_is_sealed_stands_at_the_entry(house):
    (house / "keys" / keys.SIGNING).unlink()
    seal.keep_up(within=5)
    told = factories.client("david").get(ENTRY.format(1)).content.decode()
    assert "It is not sealed yet" in told
    assert "keys make" in told
