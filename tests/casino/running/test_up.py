"""`make up` really run: what it refuses and in which words, what it does about what is killed, how it ends."""

import contextlib
import http.client
import os
import pwd
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

import pytest
import redis

from casino import earlier
from casino.running import embedded
from casino.running import stack as product
from casino.running.embedded import folders

from ...conftest import FAILED
from ...support import proof, waiting
from ...support.up import BASE_DIR, Person, Product, Up, below, children

PARTS = ("database", "broker", "web", "worker", "sealer", "reports", "edge", "beat")


@pytest.fixture(scope="module")
def place():
    """A short path, since sockets lie below it, that every account can enter."""
    with tempfile.TemporaryDirectory(prefix="casino-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture(scope="module")
def shared_house(place):
    """One start for the tests of this module that can share it."""
    free = shutil.disk_usage(place).free // 10**6
    house = Up(place / "house", DISK_FREE_MB=str(max(1, free - 3000)))
    yield house
    house.kill()


@pytest.fixture
def house(shared_house, request):
    """The shared start; see `casino`. A test that fails takes it with it: whatever it left would spoil the next."""
    yield shared_house
    if request.node.stash.get(FAILED, False):
        shared_house.kill()


@pytest.fixture
def casino(house):
    """The running demo, started again if the test before ended it."""
    if not house.running:
        house.start()
    return house.ready()


def refusals(**cases):
    """What starts that must be refused say, by name; they left nothing that runs. Cases are `(folder, env)`."""
    with contextlib.ExitStack() as stack:
        started = {name: stack.enter_context(Up(folder, **env)) for name, (folder, env) in cases.items()}
        for one in started.values():
            assert one.ended() not in (0, None), one.screen
        return {name: one.screen.strip().splitlines()[-1] for name, one in started.items()}


def data_of(folder, version):
    """A data folder that looks like one of a cluster of that version."""
    data = folder / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text(version)
    folder.chmod(0o711)
    return folder


def test_what_cannot_be_used_is_refused_in_one_sentence(place):
    (place / "file").write_text("")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        said = refusals(
            disk=(place / "disk", {"DISK_FREE_MB": "1000000000"}),
            file=(place / "file", {}),
            closed=(Path("/proc/casino"), {"DISK_FREE_MB": "0"}),  # to root too
            port=(place / "port", {"PORT": str(taken.getsockname()[1])}),
            version=(data_of(place / "version", "11\n"), {}),
            secrets=(data_of(place / "secrets", "18\n"), {}),
            damaged=(data_of(place / "damaged", ""), {}),
        )
    for name, words in {
        "disk": r"Only \d+ MB are free for \S+, less than DISK_FREE_MB \(1000000000\); make room or set a lower .+\.",
        "file": r"Cannot use \S+ \(Not a directory\); mend that or choose another DATA_DIR\.",
        "closed": r"Cannot use /proc/casino \(.+\); mend that or choose another DATA_DIR\.",
        "port": r"Cannot listen on 127.0.0.1 port \d+ \(Address already in use\); choose another: make up PORT=\.\.\.",
        "version": r"The data was made by PostgreSQL 11 and only that version opens it .+; install PostgreSQL 11\.",
        "secrets": r"\S+secrets.json with the database's passwords is missing or damaged; restore it\.",
        "damaged": r"\S+data is there but no cluster \(PG_VERSION .+\); restore it or move it away\.",
    }.items():
        assert re.fullmatch(f"CommandError: {words}", said[name])
    assert not (place / "disk").exists()
    assert not (place / "port" / "postgres").exists()
    assert (place / "damaged" / "postgres" / "data").exists()


def test_data_of_before_the_first_release_without_its_last_migrations_is_refused_and_stays(place):
    folder, applied = place / "earlier", earlier.MIGRATIONS - {("tables", "0008_closing")}
    product.make_folder(folder)
    migrations = "SELECT app, name FROM django_migrations"
    with embedded.Cluster(folder / "postgres", durable=False) as cluster:
        cluster.ensure_roles()
        cluster.create_database(product.DATABASE)
        with cluster.connect(embedded.OWNER, product.DATABASE) as owner:
            owner.execute("CREATE TABLE django_migrations (app text, name text, applied timestamptz DEFAULT now())")
            for migration in applied:
                owner.execute("INSERT INTO django_migrations (app, name) VALUES (%s, %s)", migration)
    said = refusals(earlier=(folder, {}))["earlier"]
    assert said == f"CommandError: {earlier.UNFINISHED}"
    with (
        embedded.Cluster(folder / "postgres", durable=False) as cluster,
        cluster.connect(embedded.OWNER, product.DATABASE) as owner,
    ):
        assert set(owner.execute(migrations).fetchall()) == applied
        assert owner.execute("SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relowner > 16000").fetchone() == (
            1,
        )


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("exit 1", "Python 3.11 or newer is needed and ./python is not; name another: make PYTHON=python3.12"),
        (
            'case "$*" in *ensurepip*) exit 1;; esac; exec python3 "$@"',
            r"./python lacks ensurepip; install the Debian package python3-venv \(or python3\.\d+-venv\)\.",
        ),
        (
            'case "$*" in *venv*) mkdir .venv; echo "No space left on device"; exit 1;; esac; exec python3 "$@"',
            "No space left on device\n./python could not make .venv; when the reason above is mended, .+ goes on.",
        ),
    ],
    ids=["old", "without ensurepip", "that fails half-way"],
)
def test_make_refuses_a_python(place, program, words):
    with tempfile.TemporaryDirectory() as checkout:
        for name in ("Makefile", "requirements.txt"):
            shutil.copy(BASE_DIR / name, checkout)
        python = Path(checkout) / "python"
        python.write_text(f"#!/bin/sh\n{program}\n")
        python.chmod(0o755)
        made = subprocess.run(
            ["make", "up", "PYTHON=./python"],
            cwd=checkout,
            env={"PATH": os.environ["PATH"]},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert made.returncode
        assert re.fullmatch(rf"(Making .venv ...\n)?{words}\nmake: \*\*\* .+\n", made.stdout)


def test_pip_that_fails_or_is_interrupted_leaves_nothing_that_looks_finished(place):
    """A `.venv` whose pip hangs, then fails, then works: the last make alone gets through."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as left:
        checkout = Path(name)
        for file in ("Makefile", "requirements.txt"):
            shutil.copy(BASE_DIR / file, checkout)
        (checkout / ".venv/bin").mkdir(parents=True)
        python = checkout / ".venv/bin/python"

        def make(pip):
            python.write_text(f'#!/bin/sh\ncase "$*" in *" install "*) {pip};; esac\n')
            python.chmod(0o755)
            made = subprocess.Popen(
                ["make", "product"],
                cwd=checkout,
                env={"PATH": os.environ["PATH"]},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            left.callback(end, made)
            return made

        def end(made):
            """Whatever a failed test left ends here."""
            if made.poll() is None:
                os.killpg(made.pid, signal.SIGKILL)
            made.communicate()

        hanging = make("touch begun; exec sleep infinity")
        waiting.until((checkout / "begun").exists)
        started = below(hanging.pid)
        left.callback(lambda: [process.kill() for process in started])
        os.killpg(hanging.pid, signal.SIGINT)
        assert "interrupted; the same command goes on." in hanging.communicate(timeout=waiting.PATIENCE)[0]
        waiting.until(lambda: not any(process.runs for process in started))

        failing = make("echo no such package; exit 1")
        said, _ = failing.communicate(timeout=waiting.PATIENCE)
        assert failing.returncode
        assert "no such package\nInstalling requirements.txt failed; when the reason above is mended" in said

        # The first is at it until the second has said that it waits.
        slow = make("touch slow; until [ -e goes-on ]; do sleep 0.1; done; exit 0")
        waiting.until((checkout / "slow").exists)
        second = make("touch twice; exit 0")
        waiting.until(lambda: select.select([second.stdout], [], [], 0)[0])
        assert second.stdout.readline() == "Another make prepares .venv; waiting for it ...\n"
        (checkout / "goes-on").touch()
        assert "done" in slow.communicate(timeout=waiting.PATIENCE)[0]
        assert (slow.returncode, second.wait(waiting.PATIENCE)) == (0, 0)
        assert second.stdout.read() == ""
        assert not (checkout / "twice").exists()


def test_ctrl_c_during_the_first_start_ends_it_and_the_next_goes_on(house):
    house.start()
    house.shows(r"migrations +\.\.\.|broker +ready")
    house.seen.update(below(house.process.pid))
    house.end()
    house.end()
    assert house.ended() == 0
    assert "Traceback" not in house.screen
    assert "database     stopped" in house.screen


@pytest.mark.proof
def test_of_two_starts_on_one_folder_one_wins_and_the_other_says_so(house):
    with Up(house.folder, **house.env) as other:
        house.start()
        waiting.until(lambda: not (house.running and other.running))
        if other.running:  # then it is the house from now on
            house.__dict__, other.__dict__ = other.__dict__, house.__dict__
        assert other.ended() != 0
        assert re.search(r"is in use by another start of the stack; stop that one or set another .+\.", other.screen)
    house.ready()


def open_to_others(folder):
    """What below a folder somebody else could read, write or enter, but for sockets, whose folders are closed."""
    below = [path for path in folder.rglob("*") if not path.is_symlink() and not path.is_socket()]
    return [str(path.relative_to(folder)) for path in below if path.exists() and path.stat().st_mode & 0o077]


def test_nothing_below_the_data_folder_is_open_to_others(casino):
    anna = Person(casino, "anna")
    anna.until_settled(anna.play(1))
    waiting.until((casino.folder / "anchor" / "checkpoints").exists)
    assert open_to_others(casino.folder) == []
    assert {"anchor", "broker", "environment", "keys", "log", "postgres"} <= set(os.listdir(casino.folder))


def test_what_is_killed_starts_again_is_said_and_settles_and_no_alarm_is_lost_or_doubled(casino):
    anna, boris = Person(casino, "anna"), Person(casino, "boris")
    anna.until_settled(anna.play(1))
    call = anna.post("/api/v1/tables/1/call/", {"reason": "other"})
    opened = boris.post("/api/v1/tables/2/rounds/", {})
    report = {"clause": "split.36", "reason": "A card lies face up."}
    boris.post(f"/api/v1/rounds/{opened['id']}/report/", report)
    before = casino.parts()
    assert before.keys() == set(PARTS)
    for process in before.values():
        process.kill()
    for name in PARTS:
        casino.shows(rf"  {name} +ended unexpectedly \(killed by SIGKILL\), starts again in 0.5 s; see \S+\n")
        casino.shows(rf"  {name} +started again\n")
    assert not set(before.values()) & set(casino.parts().values())
    anna = Person(casino, "anna")
    anna.until_settled(anna.play(1))
    clara = Person(casino, "clara")

    def alarms(path="alarms/"):
        listed = clara.get(f"/api/v1/{path}")["alarms"]
        return sorted((each["kind"], each["of"]) for each in listed if each["kind"] in {"call", "round_held"})

    both = [("call", "table:1"), ("round_held", f"round:{opened['id']}")]
    waiting.until(lambda: len(alarms()) == 2)
    assert alarms() == alarms("alarms/recent/") == both, "neither lost nor raised again"
    assert call["id"] in {each["id"] for each in clara.get("/api/v1/alarms/")["alarms"]}


@pytest.mark.proof
def test_the_pause_doubles_for_what_does_not_hold_and_its_log_is_shown(casino):
    # What its store is called is for the machine's dbm to say, once it is there.
    waiting.until(lambda: list(casino.folder.glob("beat-schedule*")))
    for path in [*casino.folder.glob("beat-schedule*"), casino.folder / "beat-schedule"]:
        path.unlink(missing_ok=True)
        path.mkdir()
    casino.parts()["beat"].kill()
    first = re.compile(r"beat +ended unexpectedly \(.+\), starts again in (\S+) s;.*\n")
    casino.shows(r"beat +does not hold; the end of its log:\n(.*\n)+.*Is a directory")
    pauses = [float(pause) for pause in first.findall(casino.screen)][-3:]
    assert pauses[2] == 2 * pauses[1] == 4 * pauses[0]
    for path in casino.folder.glob("beat-schedule*"):
        # A slow one wrote the rest of its store as it was killed.
        path.rmdir() if path.is_dir() else path.unlink()
    casino.shows(r"does not hold(.*\n)+  beat +started again")


def test_a_nearly_full_disk_is_said_once(casino):
    with open(casino.folder / "ballast", "wb") as ballast:
        size = 0

        def short():  # others use this disk too, so it may take more than one go
            nonlocal size
            missing = shutil.disk_usage(casino.folder).free - int(casino.env["DISK_FREE_MB"]) * 10**6
            if missing > 0:
                assert missing < 5 * 10**9
                os.posix_fallocate(ballast.fileno(), size, missing + 10**8)
                size += missing + 10**8
            return "make room before the database stops.\n" in casino.screen

        waiting.until(short)
        # Each look at the disk follows one at each queue, which the broker counts: after two more there was one.
        with redis.Redis(unix_socket_path=str(embedded.Broker(casino.folder / "broker").socket)) as broker:

            def looks():
                return broker.info("commandstats")["cmdstat_lindex"]["calls"]

            before = looks()
            waiting.until(lambda: looks() >= before + 2 * 2)
    said = r"  Only \d+ MB are free for \S+, less than DISK_FREE_MB \(\d+\); make room before the database stops\.\n"
    assert len(re.findall(said, casino.screen)) == 1
    (casino.folder / "ballast").unlink()


@pytest.fixture
def warming_house(house):
    """The house, started with what compiles beside it."""
    if house.running:
        house.end()
        assert house.ended() == 0
    house.env["WARM_EDGE"] = "1"
    house.start()
    house.env["WARM_EDGE"] = "0"
    house.ready()
    house.shows(r"  What computes the house edge is compiled in the background, if it is not yet: \S+edge-warm.log")
    return house


def test_the_edge_s_code_is_compiled_beside_the_house_politely_and_ends_with_it(warming_house):
    assert set(warming_house.parts()) == set(PARTS)
    waiting.until(lambda: os.getpriority(os.PRIO_PROCESS, warming_house.warming().pid) == 19)
    begun_at = time.monotonic()
    warming_house.end()
    assert warming_house.ended() == 0
    print(f"Ended after {_seconds(begun_at)}")
    assert "was not compiled" not in warming_house.screen


@pytest.mark.proof
def test_what_compiles_beside_the_house_takes_nothing_with_it(warming_house):
    parts = warming_house.parts()
    warming_house.warming().kill()
    warming_house.shows(
        r"  What computes the house edge was not compiled \(killed by SIGKILL\); see \S+edge-warm.log\."
    )
    assert warming_house.parts() == parts
    anna = Person(warming_house, "anna")
    anna.until_settled(anna.play(1))


@pytest.mark.proof
def test_while_one_web_process_is_replaced_the_other_answers(casino, monkeypatch):
    casino.end()
    assert casino.ended() == 0
    monkeypatch.setitem(casino.env, "WEB_PROCESSES", "2")
    casino.start()
    casino.ready()
    webs = [process for process in children(casino.process.pid) if _command(process).count(" uvicorn ")]
    assert len(webs) == 2
    for number, web in enumerate(webs, 1):
        web.kill()
        for _ in range(20):
            with urllib.request.urlopen(f"{casino.url}healthz", timeout=waiting.PATIENCE) as answer:
                assert answer.status == 200
        casino.shows(rf"(?s)(  web( 2)? +ended unexpectedly.*started again.*){{{number}}}")
    casino.end()
    assert casino.ended() == 0


def _command(process):
    return Path(f"/proc/{process.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()


@pytest.mark.proof
def test_after_a_kill_of_everything_the_next_start_goes_on_where_it_was(casino):
    anna = Person(casino, "anna")
    closed = anna.play(1)
    waiting.until((casino.folder / "anchor" / "checkpoints").exists)
    everything = below(casino.process.pid)
    casino.process.kill()
    for process in everything:
        process.kill()
    casino.process.wait()
    environment = (casino.folder / "environment").read_text()
    # As an earlier version left them.
    for name, mode in {
        "anchor": 0o755,
        "anchor/checkpoints": 0o644,
        "keys/public": 0o644,
        "log/web.log": 0o644,
    }.items():
        (casino.folder / name).chmod(mode)
    casino.env["PORT"] = str(casino.port)
    casino.start()
    casino.ready()
    assert not any(process.runs for process in everything)
    assert (casino.folder / "environment").read_text() == environment
    assert open_to_others(casino.folder) == []
    Person(casino, "anna").until_settled(closed)


@pytest.mark.proof
def test_ctrl_c_twice_with_open_streams_ends_all(casino):
    anna = Person(casino, "anna")
    streams = [anna.stream(1) for _ in range(5)]
    begun_at = time.monotonic()
    casino.end()
    casino.shows(r"  beat +stopped")
    casino.end()  # while the others are being stopped
    assert casino.ended() == 0
    # 5 s is the promise, and the proof measures it on a machine with nothing else to do.
    print(f"Ended after {_seconds(begun_at)}")
    assert "Traceback" not in casino.screen
    for name in PARTS:
        assert f"  {name:<12} stopped" in casino.screen
    for stream in streams:
        with pytest.raises(http.client.IncompleteRead):
            stream.read()


class Account(NamedTuple):
    """The account that starts the product, and the folder that it starts from."""

    uid: int | None
    product: Product | None


@pytest.fixture(scope="module", params=["ourselves", "another"][: proof.size(2, 1)])
def account(request, place):
    """Ourselves; and where we are root, in the whole proof, an account without rights."""
    if request.param == "ourselves" or os.geteuid() != 0:
        return Account(None, None)
    (place / "product").mkdir()
    nobody = pwd.getpwnam("nobody").pw_uid
    return Account(nobody, Product(place / "product", nobody))


@pytest.fixture
def home(account):
    """A home folder of mode 0700 of the account."""
    with tempfile.TemporaryDirectory(prefix="casino-home-") as name:
        home = Path(name)
        if account.uid is not None and os.geteuid() == 0:
            os.chown(home, account.uid, account.uid)
        assert home.stat().st_mode & 0o777 == 0o700
        yield home
        if account.uid is None and os.geteuid() == 0:  # its servers lie elsewhere, since their account cannot enter
            shutil.rmtree(folders.reachable(home / "casino"))


def _seconds(since):
    return f"{time.monotonic() - since:.1f} s"


@pytest.mark.proof
def test_each_process_alone_and_the_launcher_in_a_closed_home(account, home):
    figures = []
    begun_at = time.monotonic()
    with Up(home / "casino", uid=account.uid, product=account.product, HOME=str(home)) as casino:
        casino.ready()
        figures.append(f"first start {_seconds(begun_at)}")
        closed_to_servers = account.uid is None and os.geteuid() == 0
        assert ("The data lies in /var/lib/casino-" in casino.screen) == closed_to_servers
        for name in PARTS[:: proof.size(1, 3)]:
            begun_at, before = time.monotonic(), casino.parts()
            before[name].kill()
            casino.shows(rf"  {name} +ended unexpectedly \(killed by SIGKILL\)")
            casino.shows(rf"  {name} +started again")
            anna = Person(casino, "anna")
            anna.until_settled(anna.play(1))
            figures.append(f"{name} killed, a round settled after {_seconds(begun_at)}")
            # Celery may end a worker when a Redis broker is lost at the wrong moment; it is started again like any.
            with_it = {name, "worker", "sealer", "reports", "edge"} if name == "broker" else {name}
            assert {name} <= {part for part, process in casino.parts().items() if before[part] != process} <= with_it
        worker = casino.parts()["worker"].pid
        waiting.until(lambda: len(children(worker)) == 2)
        killed = children(worker)[0]
        killed.kill()
        waiting.until(lambda: len(children(worker)) == 2 and killed not in children(worker))  # the worker's own doing
        anna.until_settled(anna.play(1))

        closed = anna.play(1)
        casino.seen.update(below(casino.process.pid))
        begun_at = time.monotonic()
        casino.process.kill()
        casino.ended()
        figures.append(f"launcher killed, all gone after {_seconds(begun_at)}")
        casino.env["PORT"] = str(casino.port)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)[: proof.size(3, 1)]:
            begun_at = time.monotonic()
            casino.start()
            casino.ready()
            figures.append(f"next start {_seconds(begun_at)}")
            anna = Person(casino, "anna")
            anna.until_settled(closed)
            streams = [anna.stream(1) for _ in range(20)]
            begun_at = time.monotonic()
            casino.end(number)
            assert casino.ended() == 0
            figures.append(f"{number.name} with {len(streams)} streams open {_seconds(begun_at)}")
            assert time.monotonic() - begun_at < 10
    print(f"\n  as {account.uid or os.geteuid()}: {'; '.join(figures)}")


@pytest.mark.proof
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=lambda number: number.name)
def test_an_end_at_any_step_of_the_first_start(place, number):
    steps = ("Casino", "database", "broker", "migrations", "demo", "keys", "checks", "web", "worker", "sealer")
    steps = proof.size(steps, ("migrations",))
    with Up(place / f"steps-{number.name}") as casino:
        for step in steps:
            for wait in (0, 0.5)[: proof.size(2, 1)]:
                if not casino.running:
                    casino.start()
                casino.shows(rf"(?m)^ *{step} .*(ready|started|data and logs)")
                time.sleep(wait)
                casino.seen.update(below(casino.process.pid))
                if number == signal.SIGINT:
                    casino.end()
                    assert casino.ended() == 0
                else:
                    casino.process.kill()
                    casino.ended()
                assert "Traceback" not in casino.screen
        casino.start()
        anna = Person(casino.ready(), "anna")
        anna.until_settled(anna.play(1))


@pytest.mark.proof
def test_a_house_of_one_s_own_is_founded_in_the_place_of_the_demo(place):
    file = place / "house.toml"
    written = (BASE_DIR / "docs" / "house.toml").read_text()
    file.write_text(written.replace("boxes = 6", "boxes = 7"))
    with Up(place / "own", HOUSE=str(file)) as casino:
        assert casino.ended() == 1
        said = r"house.toml is refused; nothing was changed\.\n  \[\[sheet\]\] 1 \(split\) boxes: .+ is 7;"
        assert re.search(said, casino.screen)
        assert "migrations" not in casino.screen
        file.unlink()
        os.mkfifo(file)
        casino.start()
        assert casino.ended() == 1
        assert "It isn’t a regular file." in casino.screen
        file.unlink()
        file.write_text(written)
        casino.start()
        casino.shows(r"Open http://")
        codes = re.findall(r"login (?:ida|jan)   code ([0-9A-Z-]{19})\n", casino.screen)
        assert len(codes) == 2
        assert "SECOND_STEP='1'" in (casino.folder / "environment").read_text()
        assert not (casino.folder / "demo-logins.json").exists()
        casino.end()
        assert casino.ended() == 0
        for path in (path for path in casino.folder.rglob("*") if path.is_file()):
            assert not [code for code in codes if code.encode() in path.read_bytes()], path
        casino.start()
        casino.shows(r"A house is there already; \S+house\.toml is not read\.")


@pytest.mark.proof
def test_two_at_once_beside_other_servers_and_their_settings(place):
    hostile = {
        "PGHOST": "127.0.0.1",
        "PGHOSTADDR": "127.0.0.1",
        "PGSSLMODE": "verify-full",
        "PGOPTIONS": "-c synchronous_commit=off",
        "CELERY_BROKER_URL": "redis://127.0.0.1:6379/0",
        "WEB_CONCURRENCY": "3",
    }
    with contextlib.ExitStack() as stack:
        for port in (5432, 6379):
            with contextlib.suppress(OSError):  # a real one is as good
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
        both = [stack.enter_context(Up(place / name, **hostile)) for name in ("one", "two")]
        people = [Person(one.ready(), "anna") for one in both]
        assert both[0].port != both[1].port
        everything = below(both[0].process.pid)
        both[0].process.kill()
        for process in everything:
            process.kill()
        people[1].until_settled(people[1].play(1))
        assert "unexpectedly" not in both[1].screen
        both[0].process.wait()
        both[0].start()
        anna = Person(both[0].ready(), "anna")
        anna.until_settled(anna.play(1))


@pytest.mark.proof
def test_what_hangs_is_killed_and_starts_again(casino):
    for name in ("web", "worker"):
        os.kill(casino.parts()[name].pid, signal.SIGSTOP)
    for name in ("web", "worker"):
        casino.shows(rf"  {name} +gives no sign of life for \d+ s and is killed(.*\n)+  {name} +started again")
    anna = Person(casino, "anna")
    anna.until_settled(anna.play(1))
