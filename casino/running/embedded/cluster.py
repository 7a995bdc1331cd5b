"""A PostgreSQL cluster: its data, its socket and its passwords below one folder."""

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import time
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from . import folders, processes, programs
from .folders import Failed

SUPERUSER = "postgres"
NOBODYS_PID = 2**31 - 1
RECOVERY_SECONDS = 60
OWNER, APP, SEALER, AUDITOR = ROLES = "casino_owner", "casino_app", "casino_sealer", "casino_auditor"


class Cluster(processes.Server):
    """A PostgreSQL cluster: its data, its socket and its passwords below one folder.

    `durable=False` is for the tests: no fsync, more connections; commits stay synchronous.
    """

    name = "database"
    signals = (signal.SIGINT, signal.SIGQUIT)  # fast shutdown, then immediate

    def __init__(self, folder, *, durable=True):
        super().__init__(folder)
        self.durable = durable
        self.data = self.folder / "data"
        self._socket_folder = None

    @property
    def socket_folder(self):
        if self._socket_folder is None:
            self._socket_folder = folders.socket_folder(self.folder / "socket", ".s.PGSQL.5432", self.who)
        return self._socket_folder

    def start(self, tick=processes.nothing, patience=60):
        """Start the server, on a new cluster if need be, and return when it answers; `tick` is called while waiting.

        :raises Failed: if it does not answer within `patience` seconds.
        """
        deadline = time.monotonic() + patience
        self._hold()
        try:
            made_by = self._made_by()
            postgres = programs.find_postgres(made_by)
            if made_by is None:
                self._create(postgres, tick, deadline)
            self.password(SUPERUSER)
            self._end_orphan()
            while not self._started(postgres, tick, deadline):
                self._pause(tick, deadline)
                self._end_orphan()
        except BaseException:
            self.stop()
            raise

    def _made_by(self):
        """The major version that made the data, None when there is none yet."""
        if not self.data.exists():
            return None
        try:
            return int((self.data / "PG_VERSION").read_text())
        except (OSError, ValueError):
            raise Failed(
                f"{self.data} is there but no cluster (PG_VERSION is missing or damaged); restore it or move it away."
            ) from None

    def _create(self, postgres, tick, deadline):
        """Run initdb beside the final place, so that an interrupted one leaves nothing that looks finished."""
        unfinished, password = self.folder / "data.new", self.folder / "password"
        shutil.rmtree(unfinished, ignore_errors=True)
        self._write_passwords()
        password.touch(mode=0o600)
        password.write_text(self.password(SUPERUSER))
        if self.who:
            os.chown(password, self.who.uid, self.who.gid)
        # The builtin provider sorts by code point on every system and knows Unicode's upper and lower case.
        locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        self._spawn(
            [
                postgres.programs / "initdb",
                f"--pgdata={unfinished}",
                f"--username={SUPERUSER}",
                f"--pwfile={password}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--data-checksums",
                *(locale if postgres.major >= 17 else ["--locale=C.UTF-8"]),
                *([] if self.durable else ["--no-sync"]),
            ]
        )
        try:
            while self.alive:
                self._pause(tick, deadline)
        finally:
            password.unlink()
        if self.process.returncode:
            raise Failed(f"initdb could not make a cluster in {self.folder}; {self._log_end()}")
        unfinished.rename(self.data)

    def _write_passwords(self):
        self._keep_passwords({role: secrets.token_hex(24) for role in (SUPERUSER, *ROLES)})

    def _keep_passwords(self, passwords):
        folders.write_private(self.folder / "secrets.json", json.dumps(passwords, indent=2))

    def _passwords(self):
        try:
            return json.loads((self.folder / "secrets.json").read_text())
        except (OSError, ValueError):
            return {}

    def password(self, role):
        try:
            return self._passwords()[role]
        except KeyError:
            raise Failed(
                f"{self.folder / 'secrets.json'} with the database's passwords is missing or damaged; restore it."
            ) from None

    def _options(self):
        options = {
            "listen_addresses": "",
            "unix_socket_directories": f'"{self.socket_folder}"',
            "port": "5432",
            "timezone": "UTC",
            "log_timezone": "UTC",
            "lc_messages": "C",
        }
        if not self.durable:
            options |= {
                "fsync": "off",
                "full_page_writes": "off",
                "wal_level": "minimal",
                "max_wal_senders": "0",
                "max_connections": "200",
                "scram_iterations": "1",
                # A client killed or frozen during its login would block everybody who makes or drops a database for a
                # minute.
                "authentication_timeout": "10s",
            }
        return [f"--{name}={value}" for name, value in options.items()]

    def _started(self, postgres, tick, deadline):
        """Whether the server came up; False while an earlier one still lets go of the data: then try again."""
        self._spawn([postgres.programs / "postgres", "-D", self.data, *self._options()])
        while self.alive:
            refusal = self._refusal()
            if not refusal:
                return True
            if "the database system is starting up" in refusal:
                # After a crash it replays its log; if it were stopped in that, it would begin anew each time.
                deadline = max(deadline, time.monotonic() + RECOVERY_SECONDS)
            self._pause(tick, deadline)
        log_end = self._log_end()
        if re.search(r'lock file "[^"]+" already exists|shared memory block', log_end):
            return False
        raise Failed(f"PostgreSQL did not start; {log_end}")

    def _postmaster(self):
        """The process id in postmaster.pid, None without one."""
        try:
            return int((self.data / "postmaster.pid").read_text().split("\n")[0])
        except (OSError, ValueError):
            return None

    def _refusal(self):
        """Why the server on our socket does not let us in, or is not our child; empty if it does and is.

        :raises Failed: if the passwords are not its own.
        """
        if self._postmaster() != self.process.pid:
            return "it is another's"
        try:
            self.connect().close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise Failed(
                    f"{self.folder / 'secrets.json'} has not this database's passwords; restore the one made with it."
                ) from None
            return str(error)
        return ""

    def _end_orphan(self):
        """Stop a server that a killed launcher left on our data.

        PostgreSQL takes any live process of its account for that server, such as one that got the number of the killed
        server after a restart of the machine or container. So we look at what it is, and put a number that nobody has
        into postmaster.pid; what else stands there keeps protecting the data from processes that are left.
        """
        pid = self._postmaster()
        if pid is None:
            return
        try:
            arguments = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        except OSError:
            return  # it is gone, or there is no /proc: PostgreSQL sees to it
        if os.fsencode(self.data) in arguments:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGINT)
        else:
            lines = (self.data / "postmaster.pid").read_text().split("\n", 1)
            (self.data / "postmaster.pid").write_text("\n".join([str(NOBODYS_PID), *lines[1:]]))
            (self.socket_folder / ".s.PGSQL.5432.lock").unlink(missing_ok=True)

    def url(self, role, database):
        """A libpq URL, its socket folder in the query."""
        where = quote(str(self.socket_folder), safe="")
        return f"postgresql://{quote(role)}:{quote(self.password(role))}@/{quote(database)}?host={where}&port=5432"

    def connect(self, role=SUPERUSER, database="postgres"):
        """A connection that commits each statement."""
        return psycopg.connect(self.url(role, database), autocommit=True, connect_timeout=5)

    def ensure_roles(self):
        """Make the four roles, none a superuser, with the passwords of `secrets.json`.

        A cluster of an earlier version has no sealer yet, nor a password for it.
        """
        passwords = self._passwords()
        if passwords and SEALER not in passwords:
            self._keep_passwords(passwords | {SEALER: secrets.token_hex(24)})
        with self.connect() as connection:
            there = {name for (name,) in connection.execute("SELECT rolname FROM pg_roles")}
            for role in ROLES:
                connection.execute(
                    sql.SQL(
                        "{} ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD {}"
                    ).format(
                        sql.SQL("ALTER" if role in there else "CREATE"),
                        sql.Identifier(role),
                        sql.Literal(self.password(role)),
                    )
                )
            # A second bolt: what the auditor may do is what migrations grant, and that is SELECT.
            connection.execute(
                sql.SQL("ALTER ROLE {} SET default_transaction_read_only = on").format(sql.Identifier(AUDITOR))
            )
            connection.execute("REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC")

    def has_database(self, name):
        with self.connect() as connection:
            return bool(connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone())

    def create_database(self, name, template=None):
        """Make a database of the owner that the other roles may enter; migrations grant them the tables.

        :param template: the database that it is a copy of.
        """
        named = {
            "name": sql.Identifier(name),
            "owner": sql.Identifier(OWNER),
            "template": sql.Identifier(template or "template0"),
        }
        with self.connect() as connection:
            connection.execute(sql.SQL("CREATE DATABASE {name} OWNER {owner} TEMPLATE {template}").format(**named))
            connection.execute(sql.SQL("REVOKE ALL ON DATABASE {name} FROM PUBLIC").format(**named))
        if not template:
            with self.connect(database=name) as connection:
                connection.execute("REVOKE ALL ON SCHEMA public FROM PUBLIC")
        self.let_in(name)

    def let_in(self, name):
        """Let the roles enter a database and look into its schema; an earlier version let in only two."""
        named = {
            "name": sql.Identifier(name),
            "readers": sql.SQL(", ").join(map(sql.Identifier, (APP, SEALER, AUDITOR))),
        }
        with self.connect(database=name) as connection:
            connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {name} TO {readers}").format(**named))
            connection.execute(sql.SQL("GRANT USAGE ON SCHEMA public TO {readers}").format(**named))

    def drop_database(self, name):
        """Remove a database and end the connections to it."""
        with self.connect() as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
