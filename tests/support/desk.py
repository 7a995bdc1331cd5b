"""An auditor's desk: the key and the anchor, which came another way, and exports as they come in."""

import json
import shutil
from pathlib import Path

from audit import verify_export as verifier

from . import exports


class Desk:
    """Keeps a log's public keys and anchors in a folder, and lets the verifier judge exports in this very process."""

    def __init__(self, folder, log):
        self.folder = folder
        self.key, self.anchor = folder / "keys", folder / "anchor"
        self.key.write_text(log.keys(), "utf-8")
        self.anchor.write_text(log.anchor(), "utf-8")

    def save(self, files):
        folder = self.folder / "export"
        shutil.rmtree(folder, ignore_errors=True)
        return exports.save(files, folder)

    def words(self, folder, *more, anchor=True):
        anchored = ["--anchor", str(self.anchor)] if anchor else []
        return [str(folder), "--key", str(self.key), *anchored, *more]

    def judge(self, files, *more, anchor=True):
        """(exit status, lines) for an export, or for a folder as it lies there."""
        folder = files if isinstance(files, Path) else self.save(files)
        code, told = verifier.judge(self.words(folder, *more, anchor=anchor))
        assert "broke the verifier" not in told[0], told
        return code, told

    def report(self, files, *more, anchor=True):
        """The verdict as programs read it: `looks` and `gaps` are the sentences of each aspect."""
        code, (line,) = self.judge(files, *more, "--json", anchor=anchor)
        report = json.loads(line)
        assert report["status"] == code
        for name, listed in (("looks", "looked_at"), ("gaps", "not_looked_at")):
            report[name] = {row["aspect"]: row["says"] for row in report[listed]}
        assert not report["looks"].keys() & report["gaps"].keys()
        return report
