"""What the person who watches a run sees: a bar that fills, or without a terminal a line now and then."""

import time

BAR = 24
PLAIN_SECONDS = 5


class Screen:
    """A bar on a terminal; `say` leaves a line that stays."""

    def __init__(self, out):
        self.out, self.live = out, out.isatty()
        self.begun_at, self.shown_at = time.monotonic(), 0

    def show(self, done, of, *told):
        """So many of so many done, and what is going on."""
        now = time.monotonic()
        if not self.live and now - self.shown_at < PLAIN_SECONDS:
            return
        self.shown_at = now
        full = BAR * done // max(of, 1)
        line = f"  [{'#' * full}{'.' * (BAR - full)}] {done}/{of}  {now - self.begun_at:.0f} s  {'  '.join(told)}"
        self._write(f"\r\x1b[K{line[:110]}" if self.live else f"{line}\n")

    def end(self):
        """The bar is gone."""
        if self.live:
            self._write("\r\x1b[K")

    def say(self, line):
        self._write(f"\r\x1b[K{line}\n" if self.live else f"{line}\n")

    def _write(self, text):
        self.out.write(text)
        self.out.flush()
