"""What a person watches: a bar that fills during a run, a line per step of a start; plain lines without a terminal."""

import contextlib
import time

BAR = 24
SPINNER = "|/-\\"
PLAIN_SECONDS = 5


class Progress:
    """A bar on a terminal; `say` leaves a line that stays."""

    def __init__(self, out):
        self.out, self.live = out, out.isatty()
        self.begun_at, self.shown_at = time.monotonic(), 0

    def show(self, done, of, *words):
        """Show how many of how many are done, and what is going on."""
        now = time.monotonic()
        if not self.live and now - self.shown_at < PLAIN_SECONDS:
            return
        self.shown_at = now
        full = BAR * done // max(of, 1)
        line = f"  [{'#' * full}{'.' * (BAR - full)}] {done}/{of}  {now - self.begun_at:.0f} s  {'  '.join(words)}"
        self._write(f"\r\x1b[K{line[:110]}" if self.live else f"{line}\n")

    def end(self):
        """Remove the bar."""
        if self.live:
            self._write("\r\x1b[K")

    def say(self, line):
        self._write(f"\r\x1b[K{line}\n" if self.live else f"{line}\n")

    def _write(self, text):
        self.out.write(text)
        self.out.flush()


class Steps:
    """A line per step, a turning sign in one that takes over a second."""

    def __init__(self, out):
        self.out = out
        self.live = out.isatty()
        self.step = ""
        self.begun_at = self.shown_at = 0

    def _write(self, text):
        # A terminal or pipe that is gone must not keep us from stopping what runs.
        with contextlib.suppress(OSError):
            self.show(text)

    def show(self, text):
        """:raises OSError: if it can't be written."""
        self.out.write(f"\r\x1b[K{text}" if self.live else text)
        self.out.flush()

    def say(self, line=""):
        self._write(f"{line}\n")

    def begin(self, step):
        self.step = step
        self.begun_at = self.shown_at = time.monotonic()

    def tick(self, words=""):
        """Called over and over during a wait; without a terminal it is a line each five seconds."""
        now = time.monotonic()
        waited = now - self.begun_at
        if waited > 1 and now - self.shown_at > (0.2 if self.live else PLAIN_SECONDS):
            self.shown_at = now
            sign = SPINNER[int(waited * 5) % 4] if self.live else "..."
            self._write(f"  {self.step:<12} {sign} {waited:.0f} s  {words}".rstrip() + ("" if self.live else "\n"))

    def done(self, remark="ready"):
        self.say(f"  {self.step:<12} {remark} ({time.monotonic() - self.begun_at:.1f} s)")
