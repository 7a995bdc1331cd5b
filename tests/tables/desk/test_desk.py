"""The auditor's desk: how the log stands, what came since the last visit, and rounds that nobody chose."""

import hashlib
import json
import os
import re

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from audit import exports, keys, samples, seal, sealer, verify_export, visits
from audit.models import Checkpoint, Entry, Leaf
from casino import money
from casino.settings_of_house import SETTINGS
from payouts.models import Payment, Transfer
from tables.desk import rounds, screen, since
from tables.models import GamingDay, ReportFile, Round
from tables.reports import making
from tables.words.timeline import Reader

from ...support import closed_days, factories, stack
from ...support.factories import client, person, table

DESK = "/desk/"
VISITS, SAMPLES = "/api/v1/desk/visits/", "/api/v1/desk/samples/"


@pytest.fixture(scope="module")
def nights(django_test_environment, django_db_blocker, tmp_path_factory):
    """A house with two closed gaming days behind it, whose log is sealed and anchored. Gives the period of the two."""
    made = tmp_path_factory.mktemp("house")
    ours = override_settings(LOG_KEYS=str(made / "keys"), ANCHOR_FILE=str(made / "anchor"))
    with django_db_blocker.unblock(), stack.clone(stack.NIGHTS) as database, stack.django_on(database), ours:
        keys.make()
        period = closed_days.closed()
        sealed()
        yield period


def sealed():
    """The size of the log, all of which is sealed and anchored now."""
    with sealer.connected():
        seal.keep_up(within=30)
        seal.anchor_when_due(now=True)
    return Checkpoint.objects.newest().size


def visit(login="david"):
    """A visit with all that the desk shows now; gives the size that it saw."""
    size = sealed()
    answer = factories.send(client(login), VISITS, {"checkpoint": size})
    assert answer.status_code == 201, answer.content
    return size


def draw(login="david"):
    sealed()
    answer = factories.send(client(login), SAMPLES, {})
    assert answer.status_code == 201, answer.content
    return answer.json()


def span():
    return since.Span(visits.since(person("david")), sealed(), Reader.of(person("david")), 2)


def leaves():
    """Every entry of the log in the order of its leaf, as an export has them."""
    places = {(leaf.chain_id, leaf.seq): leaf.index for leaf in Leaf.objects.all()}
    entries = [entry for entry in Entry.objects.all() if (entry.chain_id, entry.seq) in places]
    return [json.loads(entry.body) for entry in sorted(entries, key=lambda each: places[each.chain_id, each.seq])]


def test_the_desk_is_for_auditors_alone_and_each_look_is_an_entry(nights):
    for login, status in {"david": 200, "ida": 404, "clara": 404, "hugo": 404, "anna": 404}.items():
        assert client(login).get(DESK).status_code == status
        assert client(login).get("/desk/visits/").status_code == status
    looks = Entry.objects.filter(event="records.read", body__contains='"what":"desk"')
    assert [entry.by for entry in looks] == [person("david").ref] * 2
    assert '<a\n    class="door" href="/desk/"' in client("david").get("/").content.decode()
    assert 'href="/desk/"' not in client("clara").get("/").content.decode()


def test_what_one_visit_did_not_see_the_next_one_shows(nights):
    size = visit()
    entry = Entry.objects.filter(event="visit.made").latest("pk")
    facts = json.loads(entry.body)["facts"]
    assert (entry.by, facts["checkpoint"]) == (person("david").ref, size)
    # By the tree that the verifier makes of the entries, which shares no code with ours.
    texts = [each.body for each in sorted(Entry.objects.all(), key=lambda each: each.pk)]
    assert len(texts) > size
    assert facts["root"] == bytes(Checkpoint.objects.get(size=size).root).hex() == visits.root(size)
    before = screen.shown(person("david"))
    assert (before["exceptions"], before["changed"], before["checkpoint"] - before["new"]) == ([], [], size)
    factories.set_setting(700)
    # No checkpoint has it yet: this desk does not show it, and a visit by what it shows loses nothing.
    assert screen.shown(person("david"))["exceptions"] == []
    sealed()
    (row,) = screen.shown(person("david"))["exceptions"]
    assert row["what"] == f"{SETTINGS['closer_variance_units'].label}: 4 to 7"
    assert row["people"] == ["Clara Conrad", "Ida Imhof"]
    assert not row["alone"]
    last = visit()
    assert last > size
    assert screen.shown(person("david"))["exceptions"] == []


@pytest.mark.parametrize(
    ("checkpoint", "status", "code"),
    [(0, 422, "checkpoint_unknown"), (10**9, 422, "checkpoint_unknown"), (-1, 422, "checkpoint_unknown")],
)
def test_a_visit_is_of_a_checkpoint_that_there_is(nights, checkpoint, status, code):
    before = factories.written()
    answer = factories.send(client("david"), VISITS, {"checkpoint": checkpoint})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert factories.written() == before


def test_a_visit_is_recorded_once(nights):
    size = visit()
    answer = factories.send(client("david"), VISITS, {"checkpoint": size})
    assert (answer.status_code, answer.json()["code"]) == (409, "visit_recorded")
    assert client("david").get(VISITS).json()["visits"][0]["checkpoint"] == size


def test_a_log_that_no_longer_begins_as_it_was_seen_is_said_so(nights):
    visit()
    seen = visits.of(person("david"), 1)[0]
    assert visits.agrees(seen)
    assert not visits.agrees(seen._replace(root="0" * 64))
    assert not visits.agrees(seen._replace(size=seen.size + 1))
    assert visits.root(10**9) == ""


def test_what_an_auditors_own_witness_has_is_compared_with_what_stands_here(nights):
    size = sealed()
    root = bytes(Checkpoint.objects.get(size=size).root).hex()
    printed = " ".join(root[place : place + 4] for place in range(0, 64, 4)).upper()
    for own, label in (
        (f"{size}:{root}", "Agrees with your own"),
        (f" {size}:{printed} ", "Agrees with your own"),
        (f"{size - 1}:{root}", "NOT as your own"),
        (f"{size + 1}:{root}", "Your own"),
        ("0:" + root, "Your own"),
        ("x", "Your own"),
    ):
        assert screen.shown(person("david"), own)["compared"].label == label, own
    assert screen.shown(person("david"))["compared"] is None
    assert "Agrees with your own" in client("david").get(DESK, {"own": f"{size}:{root}"}).content.decode()


def test_a_win_that_changed_after_its_day_was_closed_stands_beside_what_it_was_closed_with(nights):
    visit()
    round_ = Round.objects.filter(session__business_date__in=nights, status="SETTLED").select_related("table").first()
    house = round_.table.float_account
    day = GamingDay.objects.get(date=round_.session.business_date)
    factories.void_later(round_)
    later = Transfer.objects.filter(settlement__round_key=round_.ref, settlement__generation=2)
    units = sum(each.units * ((each.debit == house) - (each.credit == house)) for each in later)
    closed = next(
        each["win"] for each in json.loads(day.figures)["tables"] if each["table"] == round_.table.ref
    )  # fmt: skip
    sealed()
    (row,) = since.changed(span())
    signs = [f"{'+' if each > 0 else ''}{money.spell(each, 2)}" for each in (closed, units, closed + units)]
    assert units
    assert [row["closed"], row["since"], row["now"]] == signs
    assert len(row["people"]) == 2
    assert row["round"] == f"/rounds/{round_.pk}/"
    visit()
    assert since.changed(span()) == []


def test_many_changes_and_files_are_asked_for_in_as_many_queries_as_one(nights, django_assert_max_num_queries):
    visit()
    rounds = Round.objects.filter(session__business_date__in=nights, status="SETTLED", settlement__generation=1)
    places = {(round_.session.business_date, round_.table_id): round_ for round_ in rounds.select_related("session")}
    each = list(places.values())
    assert len(each) > 1
    factories.void_later(each[0])
    now = span()
    with CaptureQueriesContext(connection) as of_one:
        assert len(since.changed(now)) == 1
    for round_ in each[1:]:
        factories.void_later(round_)
    now = span()
    with django_assert_max_num_queries(len(of_one)):
        assert len(since.changed(now)) == len(each)
    david = person("david")
    with django_assert_max_num_queries(51):
        screen.shown(david)


def test_a_file_is_worked_out_again_only_where_somebody_touched_it(tmp_path, monkeypatch):
    path, digests = tmp_path / "file", []
    monkeypatch.setattr(making, "digest_of", lambda path: digests.append(path) or "0" * 64)
    path.write_bytes(b"one")
    for _ in range(3):
        since._digest(path)
    assert len(digests) == 1
    before = path.stat()
    path.write_bytes(b"two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    since._digest(path)
    assert len(digests) == 2


def test_the_first_leaves_of_some_moments_are_those_of_each(nights):
    sealed()
    ats = sorted({entry.at for entry in Entry.objects.order_by("pk")[::50]})
    told = leaves()
    first = [next(entry for entry in sorted(told, key=lambda each: each["at"]) if entry["at"] >= at) for at in ats]
    assert visits.first_leaves([*ats, "9"]) == [*(told.index(entry) for entry in first), len(told)]


def test_a_sample_is_what_its_public_seed_draws(nights):
    visit()
    played = [factories.settled_round(table("T1"), factories.FOLDS) for _ in range(samples.SIZE + 3)]
    first, second = draw(), draw()
    size = first["checkpoint"]
    told = leaves()[first["since"] : size]
    settled = {
        each["subject"] for each in told if each["event"] == "round.settled" and each["facts"]["generation"] == 1
    }
    assert settled == {round_.ref for round_ in played}
    for sample in (first, second):
        date, at, root, number = sample["seed"].split("/")
        checkpoint = Checkpoint.objects.get(size=sample["checkpoint"])
        assert (at, root, number) == (str(checkpoint.size), bytes(checkpoint.root).hex(), str(sample["number"]))
        assert re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", date)
        hashes = {hashlib.sha256(f"{sample['seed']} {ref}".encode()).hexdigest(): ref for ref in settled}
        drawn = [hashes[each] for each in sorted(hashes)][:8]
        assert [f"round:{number}" for number in sample["rounds"]] == drawn
        assert sample["of"] == len(played)
    assert (first["number"], second["number"]) == (1, 2)
    assert first["rounds"] != second["rounds"]
    assert client("david").get(SAMPLES).json()["samples"] == [second, first]
    shown = screen.shown(person("david"))["sample"]
    assert [row["says"] for row in shown["rows"]] == ["same"] * 8


def test_where_nothing_was_settled_nothing_is_drawn(nights):
    visit()
    answer = factories.send(client("david"), SAMPLES, {})
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_to_draw")


def test_the_guide_draws_a_sample_in_lines_that_run(nights, tmp_path, monkeypatch, capsys):
    visit()
    for _ in range(3):
        factories.settled_round(table("T1"), factories.FOLDS)
    sample = draw()
    guide = (settings.BASE_DIR / "docs" / "auditor.md").read_text("utf-8")
    (lines,) = re.findall(r"```python\n(# A sample again\n.*?)```", guide, re.DOTALL)
    lines = re.sub(
        r'seed, since, size = ".*',
        f'seed, since, size = "{sample["seed"]}", {sample["since"]}, {sample["checkpoint"]}',
        lines,
    )
    text = "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in leaves())
    (tmp_path / "entries.jsonl").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "docs/auditor.md", "exec"), {})
    assert capsys.readouterr().out.split() == [f"round:{number}" for number in sample["rounds"]]


def test_a_round_whose_settlement_its_cards_do_not_give_is_named(nights):
    visit()
    right = factories.settled_round(table("T1"), factories.FLUSH_WINS)
    corrected = factories.settled_round(table("T1"), factories.FLUSH_WINS)
    factories.void_later(corrected)
    rows = {}
    for round_ in Round.objects.filter(pk__in=[right.pk, corrected.pk]).select_related("sheet", "settlement", "table"):
        rows[round_.pk] = rounds.replayed(round_, 2), rounds._says(round_, rounds.replayed(round_, 2), span())
    assert rows[right.pk][0].same
    assert not rows[corrected.pk][0].same
    assert rows[corrected.pk][1].endswith(", corrected")
    paid = Payment.objects.filter(settlement__round_key=corrected.ref).values_list(
        "settlement__generation", "net_units"
    )
    first, second = (sum(net for number, net in paid if number == generation) for generation in (1, 2))
    assert rows[corrected.pk][0].difference == second - first != 0


def test_files_of_reports_and_exports_since_then_are_listed_with_grade_digest_and_person(nights, tmp_path):
    visit()
    asked = {"report": "master-game", "period": str(nights), "form": "csv"}
    assert factories.send(client("clara"), "/api/v1/report-files/", asked).status_code == 201
    with override_settings(REPORTS=str(tmp_path)):
        making.make_due(within=60)
        file = ReportFile.objects.get(**asked)
        digest = hashlib.sha256(making.place(file).read_bytes()).hexdigest()
        sealed()

        def listed():
            """Its row; the house has others made by itself."""
            rows, more = since.given(span())
            assert (len(rows), more) == (ReportFile.objects.filter(status="DONE").count(), 0)
            (row,) = (row for row in rows if row["to"] == f"/reports/master-game/{nights}/")
            return row

        assert (listed()["grade"], listed()["digest"]) == ("FINAL", f"{digest[:4]} {digest[4:8]}")
        assert (listed()["by"], listed()["check"]) == ("Clara Conrad", "same")
        days = " to ".join(f"{day.day} {day:%b}" for day in nights)
        assert (listed()["what"], listed()["form"]) == (f"Master game report, {days}", "CSV")
        making.place(file).chmod(0o600)
        making.place(file).write_bytes(b"other")
        assert listed()["check"] == "ANOTHER"
        making.place(file).unlink()
        assert listed()["check"] == "gone"
        rows, more = since.given(span(), 2)
        assert (len(rows), more) == (2, ReportFile.objects.filter(status="DONE").count() - 2)


def test_earlier_visits_say_what_was_looked_at_until_each(nights):
    size = visit()
    client("david").get("/reports/")
    client("david").get(f"/reports/master-game/{nights}/")
    client("david").get("/admin/audit/entry/")
    last = visit()
    listed = screen.earlier(person("david"))["rows"]
    assert [row["size"] for row in listed[:2]] == [last, size]
    assert listed[0]["looks"] == ["1 search of the log", "1 report"]
    assert listed[0]["new"] == last - size
    assert all(row["same"] for row in listed)


def test_an_export_shows_that_visits_and_samples_are_what_the_log_holds(nights, tmp_path):
    """The verifier draws each sample again from what it was given, and finds one that was drawn otherwise."""
    visit()
    for _ in range(samples.SIZE + 1):
        factories.settled_round(table("T1"), factories.FOLDS)
    draw()
    sample = draw()
    with override_settings(EXPORTS=str(tmp_path)):
        with transaction.atomic():
            export = exports.ask(kind="all", by=person("david"))
        exports.write_due(within=60)
        export.refresh_from_db()
        folder = exports.folder(export)
    desk = [entry["facts"] for entry in leaves() if entry["event"] in {"visit.made", "sample.drawn"}]
    assert desk[-1]["seed"] == sample["seed"]
    assert list(verify_export.wrong_at_desk(folder, desk, frozenset())) == []
    drawn = desk[-1]["rounds"]
    other = next(ref for ref in sorted(samples.settled(sample["since"], sample["checkpoint"])) if ref not in drawn)
    (wrong,) = verify_export.wrong_at_desk(folder, [desk[-1] | {"rounds": [*drawn[:-1], other]}], frozenset())
    assert wrong == f"The sample {sample['seed']} is not what its seed draws."
    words = [str(folder), "--key", f"{settings.LOG_KEYS}/public", "--anchor", settings.ANCHOR_FILE]
    words += ["--as-of", str(export.checkpoint_id), "--asked", "all", "--resettle", str(settings.BASE_DIR)]
    code, lines = verify_export.judge(words)
    assert "sample" not in " ".join(lines).lower(), lines
    assert code == 0, lines
