"""`make audit`: are flaws known of the packages that the locks name, and what is the product made of.

Each lock's bill of materials (CycloneDX, as JSON, the same bytes for the same lock) is written first: it needs no
network. Then the locks are asked about, as they are, without installing anything. Where the vulnerability data can't be
had that is said and is no "none known": an index that does not have it answers as one that knows of nothing, so an old
Django, of which dozens of flaws are known, is asked about as well.

Ends with 0: each package was looked at and no flaw is known. 1: flaws are known. 2: not all could be looked at.
"""

import json
import subprocess
import sys
from pathlib import Path

LOCKS = {"casino": "requirements.txt", "tests": "tests/requirements.txt", "audit": ".ci/requirements.txt"}
FLAWED = "django==3.2.0\n"
NONE_KNOWN, KNOWN, NOT_LOOKED_AT = 0, 1, 2


def judge(reports, flawed):
    """The status to end with and the sentences to say.

    :param reports: lock -> what pip-audit said of it, as JSON; None where it could not be asked.
    :param flawed: what it said of a package of which flaws are known.
    """
    said, status = [], NONE_KNOWN
    if not any(one.get("vulns") for one in (flawed or {}).get("dependencies", [])):
        return NOT_LOOKED_AT, [
            f"The vulnerability data can't be had here: of {FLAWED.strip()}, which has known flaws, it says nothing. So"
            " nothing is said about the locks; run `make audit` where https://pypi.org can be reached."
        ]
    for lock, report in reports.items():
        packages = (report or {}).get("dependencies", [])
        unseen = [f"{one['name']} ({one['skip_reason']})" for one in packages if "skip_reason" in one]
        flaws = [
            f"{lock}: {one['name']} {one['version']}: {flaw['id']}, mended in"
            f" {', '.join(flaw.get('fix_versions') or ['no version yet'])}"
            for one in packages
            for flaw in one.get("vulns", [])
        ]
        said += flaws
        if not packages:
            said.append(f"{lock}: it could not be asked about.")
        elif unseen:
            said.append(f"{lock}: {len(unseen)} of {len(packages)} packages were not looked at: {'; '.join(unseen)}")
        elif not flaws:
            said.append(f"{lock}: {len(packages)} packages looked at, no flaw is known.")
        if flaws:
            status = KNOWN
        elif status != KNOWN and (unseen or not packages):
            status = NOT_LOOKED_AT
    return status, said


def _tool(name, *arguments):
    program = Path(sys.executable).with_name(name)
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def _bill(lock, file):
    """:raises SystemExit: if it can't be written."""
    how = ["--output-reproducible", "--of", "JSON", "--validate", "-o", file]
    done = _tool("cyclonedx-py", "requirements", lock, "--pyproject", "pyproject.toml", *how)
    if done.returncode:
        raise SystemExit(f"The bill of materials of {lock} could not be written:\n{done.stderr}")


def _report(lock, hashed="--require-hashes"):
    how = ["--disable-pip", "--progress-spinner", "off", "--format", "json", "--timeout", "30", hashed]
    try:
        return json.loads(_tool("pip-audit", "--requirement", lock, *how).stdout)
    except json.JSONDecodeError:
        return None


def main(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, lock in LOCKS.items():
        file = folder / f"{name}.cdx.json"
        _bill(lock, file)
        print(f"{file}: what {lock} names")
    old = folder / "flawed.txt"
    old.write_text(FLAWED)
    status, said = judge({lock: _report(lock) for lock in LOCKS.values()}, _report(old, "--no-deps"))
    print(*said, sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
