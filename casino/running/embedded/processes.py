"""Children that end with us, and what both servers have in common."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time

from . import folders
from .folders import Failed

PR_SET_PDEATHSIG = 1
LOG_LIMIT = 10_000_000

_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def dies_with_us(signal_number):
    """A preexec_fn: the kernel sends the child a signal when we die, even by `kill -9`.

    It runs after the change of user, which would clear the request. The kernel watches the thread that started the
    child: start children from the main thread alone.
    """
    parent = os.getpid()

    def before_exec():
        _libc.prctl(PR_SET_PDEATHSIG, signal_number)
        if os.getppid() != parent:
            os._exit(1)

    return before_exec if _libc else None


def nothing():
    """Do nothing: a wait calls this when nobody watches."""


def spawn(arguments, *, log, env, cwd, who=None, death=signal.SIGTERM, keep=()):
    """Start a child in a session of its own, its output at the end of the file `log`; it inherits the files `keep`."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_suffix(".old"))
    as_user = {} if who is None else {"user": who.uid, "group": who.gid, "extra_groups": []}
    with open(log, "ab") as output:
        return subprocess.Popen(
            [str(argument) for argument in arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=env,
            start_new_session=True,
            pass_fds=keep,
            preexec_fn=dies_with_us(death),  # noqa: PLW1509 - one system call, no Python lock
            **as_user,
        )


def end(process, *signals, patience=0):
    """Send one signal after the other, `patience` seconds apart, then SIGKILL to the whole session."""
    for number in signals:
        if process.poll() is None:
            process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(patience)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def how_ended(process):
    """What is known about an end that nobody asked for."""
    code = process.returncode
    return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"


def tail(log, since=0, lines=15):
    """The last lines of a log file from the byte `since` on."""
    if not log.exists():
        return ""
    with open(log, "rb") as file:
        file.seek(since if since <= log.stat().st_size else 0)
        return "\n".join(file.read().decode(errors="replace").splitlines()[-lines:])


class Server:
    """One server process on one folder that it holds locked while it runs."""

    name = ""
    signals = ()
    process = None
    _held = None
    _log_from = 0

    def __init__(self, folder):
        self.folder = folders.reachable(folder)
        self.who = folders.account(self.folder)
        self.log = self.folder / "server.log"

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def _spawn(self, arguments):
        self._log_from = self.log.stat().st_size if self.log.exists() else 0
        # A clean environment: LC_ALL keeps the messages in the language in which we look for them.
        env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
        self.process = spawn(arguments, log=self.log, env=env, cwd=self.folder, who=self.who, death=self.signals[0])

    def _log_end(self):
        """The end of the server's log since its last start."""
        return f"the end of {self.log}:\n{tail(self.log, self._log_from)}"

    def _pause(self, tick, deadline):
        if time.monotonic() > deadline:
            raise Failed(f"The {self.name} does not answer; {self._log_end()}")
        tick()
        time.sleep(0.03)

    def _hold(self):
        folders.private_folder(self.folder, self.who)
        if self._held is None:
            self._held = folders.lock(self.folder)

    def stop(self):
        """End the server, in good order if that takes only seconds, and let go of the folder."""
        if self.process is not None:
            end(self.process, *self.signals, patience=10)
            self.process = None
        if self._held is not None:
            self._held.close()
            self._held = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
