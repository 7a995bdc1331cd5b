"""A Valkey server on a unix socket."""

import signal
import socket
import time

from . import folders, processes, programs
from .folders import Failed


class Broker(processes.Server):
    """A Valkey server that keeps an append-only file, so that messages outlive a restart."""

    name = "broker"
    signals = (signal.SIGTERM,)

    def __init__(self, folder):
        super().__init__(folder)
        self._socket = None

    @property
    def socket(self):
        if self._socket is None:
            self._socket = folders.socket_folder(self.folder / "socket", "valkey.sock", self.who) / "valkey.sock"
        return self._socket

    def url(self, virtual_host=0):
        """Celery's address of one of the 16 databases."""
        return f"redis+socket://{self.socket}?virtual_host={virtual_host}"

    def start(self, tick=processes.nothing, patience=30):
        """Start the server and return when it answers; `tick` is called while waiting.

        :raises Failed: if it does not answer within `patience` seconds.
        """
        deadline = time.monotonic() + patience
        self._hold()
        try:
            program = programs.find_valkey()
            data = folders.private_folder(self.folder / "data", self.who)
            # A new server would take over the socket of one that a killed launcher left, and both would write one file.
            while self._ask("SHUTDOWN") is not None:
                self._pause(tick, deadline)
            options = {
                "port": 0,
                "unixsocket": self.socket,
                "unixsocketperm": 700,
                "dir": data,
                "appendonly": "yes",
                "appendfsync": "everysec",
                "save": "",
                # The lowest limit that it takes; our messages have a few KB.
                "proto-max-bulk-len": "1mb",
            }
            self._spawn([program, *(part for name, value in options.items() for part in (f"--{name}", value))])
            # The process id shows that it is our child that answers.
            while f"process_id:{self.process.pid}\r" not in (self._ask("INFO server") or ""):
                if not self.alive:
                    raise Failed(f"The broker did not start; {self._log_end()}")
                self._pause(tick, deadline)
        except BaseException:
            self.stop()
            raise

    def oldest(self, queue):
        """The message that waits longest in a queue, None when none does or the broker does not answer."""
        message = self._ask(f"LINDEX {queue} -1")
        return message if message and message.startswith("$") and not message.startswith("$-1") else None

    def _ask(self, command):
        """The first 8 KB of the answer to an inline command, None when nobody listens."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(2)
            try:
                asked.connect(str(self.socket))
                asked.sendall(f"{command}\r\n".encode())
                return asked.recv(8192).decode(errors="replace")
            except OSError:
                return None
