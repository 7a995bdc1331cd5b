"""A running stack whose connections can be cut: browser to web, web to database, all processes to the broker."""

import contextlib
import os
import signal
from pathlib import Path
from urllib.parse import quote

from casino.lab.proxy import Proxy
from casino.running import embedded

from . import live, stack


class FaultyStack(live.LiveStack):
    """A live stack with a proxy before each server: `front`, `database_line` and `broker_line`."""

    def __init__(self, database, cluster=None):
        super().__init__(database, cluster)
        self.server_url = self.base_url
        self._lines = contextlib.ExitStack()

    def __enter__(self):
        self.folder.mkdir()
        self.folder.chmod(0o711)
        port = live.free_port()
        self.front = self._line(("127.0.0.1", port), ("127.0.0.1", self.port))
        self.base_url = f"http://127.0.0.1:{port}"
        name = ".s.PGSQL.5432"
        self.database_line = self._line(self.folder / name, self.cluster.socket_folder / name)
        self.broker_line = self._line(self.folder / "broker.sock", self.broker.socket)
        try:
            return super().__enter__()
        except BaseException:
            self._lines.close()
            raise

    def _line(self, listens, leads_to):
        return self._lines.enter_context(Proxy(listens, leads_to))

    def __exit__(self, *_):
        super().__exit__()
        self._lines.close()

    def reached_by(self):
        where = quote(str(self.folder), safe="")
        app, sealer = (
            f"postgresql://{role}:{self.cluster.password(role)}@/{self.database}?host={where}&port=5432"
            for role in (embedded.APP, embedded.SEALER)
        )
        return {
            "DATABASE_URL": app,
            "SEALER_DATABASE_URL": sealer,
            "BROKER_URL": f"redis+socket://{self.folder / 'broker.sock'}?virtual_host=0",
            # As outside of tests: if rights were asked for each second, a stream would notice by that.
            "HEARTBEAT_SECONDS": "15",
        }

    def all_normal(self):
        for line in (self.front, self.database_line, self.broker_line):
            line.be("normal")


@contextlib.contextmanager
def own_cluster():
    """A cluster that a test may stop and kill, with the demo in its database `casino`; yield the stack on it."""
    folder = stack.folder() / "own"
    folder.mkdir()
    folder.chmod(0o711)
    with embedded.Cluster(folder / "postgres", durable=False) as cluster:
        cluster.ensure_roles()
        cluster.create_database("casino")
        urls = {
            "DATABASE_URL": cluster.url(embedded.APP, "casino"),
            "DATABASE_OWNER_URL": cluster.url(embedded.OWNER, "casino"),
        }
        stack.manage("migrate", "--database", "owner", "--no-input", "-v0", **urls)
        stack.manage("seed_demo", DATABASE_URL=urls["DATABASE_URL"], DATA_DIR=str(folder))
        running = FaultyStack("casino", cluster)
        running.seeded_in = folder
        with running:
            yield running


class Postgres:
    """Faults of a cluster's processes: after `freeze`, the kernel's stop, they accept connections and are silent."""

    def __init__(self, cluster):
        self.cluster = cluster

    def processes(self):
        """The postmaster and its children, which are in sessions of their own."""
        pid = self.cluster.process.pid
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]

    def _signal(self, number):
        for pid in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def freeze(self):
        self._signal(signal.SIGSTOP)

    def thaw(self):
        self._signal(signal.SIGCONT)

    def kill(self):
        self._signal(signal.SIGKILL)
        self.cluster.process.wait()

    def stop(self):
        self.cluster.stop()

    def start(self):
        self.cluster.start()
