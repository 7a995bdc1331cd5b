"""What the standards of the trade ask for, and where this program meets it: the files of `casino/standards/` as a page.

A standard is a TOML file: its sources, its requirements with a verdict each, what does not apply, and what no source
was found for. `gaps.toml` names what is missing, once for all standards. `manage.py controls` writes it as
`docs/controls.md`. A place is a file of the repository, or `file::name` for what stands in it; a test is named as
pytest names it.
"""

import ast
import functools
import re
import tomllib
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

BASE_DIR = Path(__file__).resolve().parent.parent
STANDARDS = Path(__file__).resolve().parent / "standards"
GAPS = "gaps"

HEAD = """# Controls

What standards of the trade ask for, where this program holds it, and the test that shows it. You read this if you judge
the program: for a regulator, as an auditor, or before you buy. Nobody has certified it: the judgement is our own, and
each line can be checked. This is how you check it.

![Each standard as a bar: requirements held, partly held, missing, that don't apply, or not found](controls.png)

## 1. Find the requirement

Find your standard [in short](#in-short), and follow its name to its table. Its sources stand above the table: only
numbers stand there that were seen in one of them. Requirements are paraphrased, so read them in the source.

## 2. Read the verdict

| verdict | it means |
| --- | --- |
| held | it has a place in the code and a test that shows it |
| partly, missing | something is open: [what is missing](#what-is-missing) has it in a sentence |
| does not apply | its reason stands below the table |
| not found | nobody found its text; what is known stands below the table |

## 3. Look at the place, and run the test

Open the place in the column *where*, and read what it does. Then run the test in the column *shown by*, in a clone of
the project after `make check`. That of V1.2.5, for example:

```sh
.venv/bin/python -m pytest -q tests/test_architecture.py -k test_nothing_evaluates_text_or_asks_a_shell
```

It ends with *passed*. Change the place so that the requirement isn't held any more, and see that the test fails.

## 4. Judge what is missing

The house may hold it outside the program, as its proxy holds TLS. What it holds nowhere is yours to weigh.

## 5. See that the page is today's

Once `make up` has run:

```sh
.venv/bin/python manage.py controls | diff - docs/controls.md
```

It prints nothing: this page is made from `casino/standards/` by `manage.py controls > docs/controls.md`. A test
compares the two, and fails where a place or a test that is named is gone. Whoever changes a control reads
[Contributing](contributing.md#how-to-add).

## Reference

- [In short](#in-short)
- [What is missing](#what-is-missing)
{contents}
"""


class Verdict(StrEnum):
    HELD = "held"
    PARTLY = "partly"
    MISSING = "missing"


class Source(NamedTuple):
    """Where a standard was read."""

    title: str
    address: str
    date: str
    note: str = ""


class Requirement(NamedTuple):
    """What a standard asks for; `untested` says why a requirement that is held has no test."""

    id: str
    asks: str
    verdict: Verdict
    level: int = 0
    where: tuple = ()
    tests: tuple = ()
    why: str = ""
    gaps: tuple = ()
    untested: str = ""


class Aside(NamedTuple):
    """Requirements that do not apply, or that no source was found for, with the reason."""

    ids: tuple
    why: str


class Gap(NamedTuple):
    """What is missing, in one sentence; `of` is the heading that it stands under."""

    of: str
    missing: str


class Standard(NamedTuple):
    """One file; `code` is its name."""

    code: str
    order: int
    title: str
    scope: str
    sources: tuple
    requirements: tuple
    not_applicable: tuple
    not_found: tuple

    def ids(self):
        """Every requirement that the file has, in its order; one that stands there twice comes twice."""
        asides = (*self.not_applicable, *self.not_found)
        return [*(each.id for each in self.requirements), *(id_ for aside in asides for id_ in aside.ids)]


def standards():
    """All standards, in the order of the page."""
    found_files = sorted(path for path in STANDARDS.glob("*.toml") if path.stem != GAPS)
    return sorted((_standard(path) for path in found_files), key=lambda standard: standard.order)


def gaps():
    """What is missing, by the name that requirements cite, in the order of the page."""
    return {name: Gap(**gap) for name, gap in _toml(STANDARDS / f"{GAPS}.toml").items()}


def _toml(path):
    return tomllib.loads(path.read_text("utf-8"))


def _standard(path):
    content = _toml(path)
    return Standard(
        code=path.stem,
        order=content["order"],
        title=content["title"],
        scope=content["scope"],
        sources=tuple(Source(**source) for source in content["sources"]),
        requirements=tuple(_requirement(each) for each in content["requirements"]),
        not_applicable=_asides(content, "not_applicable"),
        not_found=_asides(content, "not_found"),
    )


def _requirement(content):
    return Requirement(**{key: tuple(value) if isinstance(value, list) else value for key, value in content.items()})


def _asides(content, name):
    return tuple(Aside(tuple(aside["ids"]), aside["why"]) for aside in content.get(name, ()))


def is_there(place):
    """Whether a place exists: the file, and the name in it; a class's own names follow a dot.

    >>> is_there("casino/controls.py::Standard.ids"), is_there("casino/controls.py::Standard.lost")
    (True, False)
    """
    file, _, name = place.partition("::")
    path = BASE_DIR / file
    if not name:
        return path.is_file()
    if not path.is_file():
        return False
    if path.suffix == ".py":
        return name in _names(path)
    return re.search(rf"\b{re.escape(name)}\b", path.read_text("utf-8")) is not None


@functools.cache
def _names(path):
    """The names that a module defines at its top level, and those of its classes, as `Class.name`."""
    tree = ast.parse(path.read_text("utf-8"))
    own = set(_defined(tree.body))
    return own | {
        f"{node.name}.{name}" for node in tree.body if isinstance(node, ast.ClassDef) for name in _defined(node.body)
    }


def _defined(body):
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))
        elif isinstance(node, ast.If):
            yield from _defined([*node.body, *node.orelse])


def document():
    """The page, as Markdown."""
    every, missing = standards(), gaps()
    contents = "\n".join(f"- [{standard.title}](#{_anchor(standard.title)})" for standard in every)
    parts = [HEAD.format(contents=contents), _short(every), _missing(every, missing)]
    parts += [_section(standard) for standard in every]
    return "\n".join(parts)


def _anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _table(heads, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ("---",) * len(heads), *rows)) + "\n"


def _count(asides):
    return sum(len(aside.ids) for aside in asides)


def _short(every):
    rows = []
    for standard in every:
        verdicts = [requirement.verdict for requirement in standard.requirements]
        numbers = [
            len(standard.ids()),
            *(verdicts.count(verdict) for verdict in Verdict),
            _count(standard.not_applicable),
            _count(standard.not_found),
        ]
        rows.append((f"[{standard.title}](#{_anchor(standard.title)})", *map(str, numbers)))
    heads = ("standard", "requirements", *Verdict, "does not apply", "not found")
    return f"## In short\n\n{_table(heads, rows)}"


def _missing(every, missing):
    parts = ["## What is missing\n"]
    for of, named in groupby(missing, key=lambda name: missing[name].of):
        lines = [f"- {missing[name].missing} ({_citing(every, name)})" for name in named]
        parts.append(f"### {of}\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _citing(every, gap):
    """The requirements that a gap leaves open, standard by standard."""
    cited = {standard.code: [each.id for each in standard.requirements if gap in each.gaps] for standard in every}
    return "; ".join(f"{code} {', '.join(ids)}" for code, ids in cited.items() if ids)


def _section(standard):
    parts = [f"## {standard.title}\n", f"{standard.scope}\n", _sources(standard.sources)]
    rows = [_row(requirement) for requirement in standard.requirements]
    parts.append(_table(("requirement", "it asks", "verdict", "where", "shown by"), rows))
    for title, head, asides in (
        ("does not apply", "because", standard.not_applicable),
        ("not found", "what is known", standard.not_found),
    ):
        if asides:
            parts.append(_table((title, head), [(", ".join(aside.ids), aside.why) for aside in asides]))
    return "\n".join(parts)


def _sources(sources):
    lines = []
    for source in sources:
        note = f" {source.note}" if source.note else ""
        lines.append(f"- {source.title}, {source.date}: <{source.address}>.{note}")
    return "\n".join(lines) + "\n"


def _row(requirement):
    level = f" (level {requirement.level})" if requirement.level else ""
    where = " ".join([*([requirement.why] if requirement.why else []), ", ".join(map(_link, requirement.where))])
    shown = ", ".join(map(_link, requirement.tests)) or requirement.untested
    return f"{requirement.id}{level}", requirement.asks, requirement.verdict, where.strip(), shown


def _link(place):
    """A place as a link to its file, under the shortest name that can be read."""
    file, _, name = place.partition("::")
    return f"[`{name or file}`](../{file})"
