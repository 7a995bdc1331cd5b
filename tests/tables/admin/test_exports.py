"""The page of exports and how the log stands: who may, what is asked, how far it is, the download byte for byte."""

import datetime as dt
import io
import json
import re
import shutil
import tarfile
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from asgiref.sync import async_to_sync
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from audit import exports, keys, seal, sealer
from audit.models import Checkpoint, Entry, Export
from audit.tarball import Tarball
from casino.models import Casino
from tests.support import factories, stack

PAGE = "/admin/audit/export/"


@pytest.fixture(scope="module")
def folder(django_test_environment, django_db_blocker, tmp_path_factory):
    """A house with a settled round; gives where its keys, anchor and exports lie."""
    made = tmp_path_factory.mktemp("house")
    ours = override_settings(
        LOG_KEYS=str(made / "keys"),
        ANCHOR_FILE=str(made / "anchor"),
        EXPORTS=str(made / "exports"),
        ANCHOR_SECONDS=3600,
    )
    with stack.clone(stack.SEEDED) as database, django_db_blocker.unblock(), stack.django_on(database), ours:
        keys.make()
        factories.settled_round(factories.table("T1"))
        yield made


@pytest.fixture
def david(folder):
    return factories.client("david")


def asked(client, **fields):
    """The export that the form asks for."""
    before = Export.objects.count()
    answer = client.post(PAGE, fields)
    assert (answer.status_code, answer.headers["Location"]) == (302, PAGE), answer.context["form"]
    assert Export.objects.count() == before + 1
    return Export.objects.latest("pk")


def written(export):
    """The worker's task, until it is done."""
    for _ in range(100):
        exports.write_due(within=10)
        export.refresh_from_db()
        if export.status != Export.Status.ASKED:
            return export
    raise AssertionError("It is never done.")


def state(client, export):
    found = client.get(PAGE).content.decode()
    return re.search(rf'data-test="export-{export.pk}" data-state="(\w+)"', found)[1]


def test_each_kind_is_asked_for_and_logged(david):
    person = factories.person("david")
    everything = asked(david, kind="all", table="table:1", **{"from": "2026-11-20"})
    table = asked(david, kind="table", table="table:1")
    days = asked(david, kind="period", **{"from": "2026-11-18", "to": "2026-11-19"})
    day = asked(david, kind="period", **{"from": "2026-07-01", "to": ""})
    assert [(made.kind, made.table_key, made.from_at) for made in (everything, table)] == [
        ("all", "", None), ("table", "table:1", None),
    ]  # fmt: skip
    # Where the day turns by the wall clock in Berlin, in winter and in summer.
    starts = Casino.objects.get().day_starts_at
    turns = [
        dt.datetime.combine(dt.date.fromisoformat(date), starts, tzinfo=ZoneInfo("Europe/Berlin"))
        for date in ("2026-11-18", "2026-11-20", "2026-07-01", "2026-07-02")
    ]
    assert [at.utcoffset() for at in turns] == [dt.timedelta(hours=hours) for hours in (1, 1, 2, 2)]
    assert [at for made in (days, day) for at in (made.from_at, made.to_at)] == turns
    for made in (everything, table, days, day):
        told = json.loads(Entry.objects.get(subject=made.ref, event="export.made").body)
        assert told["by"] == person.ref
    shown = david.get(PAGE).content.decode()
    for words in ("Everything", "Table T1, Split 1", "Gaming days 2026-11-18 to 2026-11-19", "Gaming day 2026-07-01"):
        assert words in shown
    for made in (everything, table, days, day):
        written(made)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "Choose what to export"),
        ({"kind": "some"}, "Choose what to export"),
        ({"kind": "table", "table": "table:99"}, "The log has nothing of a table table:99"),
        ({"kind": "table", "table": "house"}, "The log has nothing of a table house"),
        ({"kind": "period"}, "Enter the first gaming day"),
        ({"kind": "period", "from": "2026-02-31"}, "isn’t a date"),
        ({"kind": "period", "from": "2026-11-20", "to": "2026-11-19"}, "swap the two days"),
        ({"kind": "period", "from": "2099-01-01", "to": "2099-01-01"}, "Choose days that are over"),
    ],
)
def test_what_can_t_be_exported_is_said_and_nothing_is_written(david, fields, says):
    before = factories.written(), Export.objects.count()
    answer = david.post(PAGE, fields)
    assert answer.status_code == 400
    assert says in answer.content.decode()
    assert (factories.written(), Export.objects.count()) == before


def test_an_export_is_downloaded_whole_as_one_file_and_that_is_logged(david):
    export = asked(david, kind="all")
    assert state(david, export) == "waits"
    assert f'data-rows="{PAGE}rows/"' in david.get(f"{PAGE}rows/").content.decode()
    assert david.get(f"{PAGE}{export.pk}/download/").status_code == 404
    written(export)
    assert state(david, export) == "done"
    assert "data-rows" not in david.get(f"{PAGE}rows/").content.decode()
    command = exports.verify_command(export)
    assert f" --anchor checkpoints --as-of {export.checkpoint_id} --asked all" in command
    assert command in david.get(PAGE).content.decode()
    assert "not anchored yet" not in david.get(PAGE).content.decode()
    before = Entry.objects.filter(event="history.read").count()
    answer = david.get(f"{PAGE}{export.pk}/download/")
    data = b"".join(pieces(answer.streaming_content))
    assert int(answer.headers["Content-Length"]) == len(data)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="export-{export.pk}.tar"'
    looks = Entry.objects.filter(event="history.read")
    assert looks.count() == before + 1
    assert json.loads(looks.latest("id").body)["facts"] == {"what": export.ref}
    assert unpacked(data) == {
        f"export-{export.pk}/{path.name}": path.read_bytes() for path in exports.folder(export).iterdir()
    }
    shutil.rmtree(exports.folder(export))
    assert state(david, export) == "gone"
    assert david.get(f"{PAGE}{export.pk}/download/").status_code == 404


@async_to_sync
async def pieces(stream):
    return [piece async for piece in stream]


def unpacked(data):
    """name -> bytes of a tar's files."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as tar:
        return {member.name: tar.extractfile(member).read() for member in tar.getmembers()}


@pytest.mark.parametrize("sizes", [[], [0], [1], [512], [511, 513], [1024 * 1024, 3 * 1024 * 1024 + 7]])
def test_a_tar_of_any_sizes_is_what_it_says(tmp_path, sizes):
    """As long as was said before the first byte, in whole records, with pieces of 1 MiB at most."""
    for number, size in enumerate(sizes):
        (tmp_path / f"file-{number}").write_bytes(bytes([number + 1]) * size)
    tarball = Tarball(tmp_path, name="a", at=timezone.now())

    made = pieces(tarball.stream())
    assert sum(map(len, made)) == tarball.size
    assert tarball.size % tarfile.RECORDSIZE == 0
    assert max(map(len, made)) <= 1024 * 1024
    assert unpacked(b"".join(made)) == {f"a/{path.name}": path.read_bytes() for path in tmp_path.iterdir()}


def test_how_far_it_is_and_why_it_failed_are_told(david):
    export = asked(david, kind="all")
    with sealer.connected():
        Export.objects.filter(pk=export.pk).update(leaves=200, leaves_written=50)
    shown = david.get(f"{PAGE}rows/").content.decode()
    assert '<progress max="100" value="25"' in shown
    assert "50 of 200" in shown
    with sealer.connected():
        Export.objects.filter(pk=export.pk).update(
            status="FAILED", failure="OSError: no space left", ended_at=timezone.now()
        )
    shown = david.get(PAGE).content.decode()
    assert state(david, export) == "failed"
    assert "OSError: no space left" in shown
    assert "ask for it again" in shown


def test_the_list_is_paged_by_key(david):
    with transaction.atomic():
        for _ in range(60):
            exports.ask(kind="table", table_key="table:1", by=factories.person("david"))
    first = david.get(PAGE).context["page"]
    rest = david.get(f"{PAGE}?before={first['older']}").context["page"]
    shown = [row["id"] for row in (*first["rows"], *rest["rows"])]
    assert len(first["rows"]) == 50
    assert shown == list(Export.objects.order_by("-pk").values_list("pk", flat=True)[: len(shown)])
    with sealer.connected():
        Export.objects.filter(status="ASKED").update(status="FAILED", failure="x", ended_at=timezone.now())


@pytest.mark.parametrize("login", ["clara", "frank", "hugo", "ida", "anna"])
def test_nobody_but_the_auditor_exports(folder, login):
    client, before = factories.client(login), (factories.written(), Export.objects.count())
    for path in (PAGE, f"{PAGE}rows/", f"{PAGE}1/download/", f"{PAGE}1/change/"):
        assert client.get(path, follow=True).status_code == 403, path
    assert client.post(PAGE, {"kind": "all"}, follow=True).status_code == 403
    assert (factories.written(), Export.objects.count()) == before


# --- How the log stands. ---


def test_the_first_page_tells_the_auditor_how_the_log_stands(david, folder):
    seal.keep_up(within=60)
    seal.keep_up(within=60)
    told = david.get("/admin/house/").content.decode()
    assert 'data-test="log" data-state="sealed"' in told
    size = Checkpoint.objects.latest("size").size
    assert f"Sealed up to entry {size}." in told
    assert re.search(r"Anchored outside up to entry \d+, ", told)
    factories.open_round(factories.table("T2"))
    assert "; 1 has waited for" in david.get("/admin/house/").content.decode()
    for login in ("clara", "hugo", "ida"):
        assert 'data-test="log"' not in factories.client(login).get("/admin/house/").content.decode()


def test_what_stands_in_the_way_is_said_with_its_reason(david, folder):
    key = Path(folder / "keys" / keys.SIGNING)
    kept = key.read_text()
    key.unlink()
    try:
        factories.open_round(factories.table("T3"))
        seal.keep_up(within=5)
        told = david.get("/admin/house/").content.decode()
        assert 'data-state="refused"' in told
        assert "The log isn’t sealed" in told
        assert "keys make" in told
    finally:
        key.touch(mode=0o600)
        key.write_text(kept)
    # It can be read, and not be written to.
    (folder / "anchor").rename(folder / "elsewhere")
    (folder / "anchor").symlink_to(folder / "elsewhere")
    with override_settings(ANCHOR_SECONDS=0):
        seal.keep_up(within=5)
        told = david.get("/admin/house/").content.decode()
    assert 'data-state="unanchored"' in told
    assert "can&#x27;t be written" in told
    assert "The log isn’t anchored" in told
