"""The guides tell the truth: links lead somewhere, commands are what their parsers take, words are those of the code.

Commands are found in code blocks and between backticks. What ends within 2 s is run (`RUN`), the round of `docs/api.md`
too; of all others name and options are parsed.
"""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command, get_commands, load_command_class

from audit import verify_export
from casino import settings
from casino.roles import RIGHTS, Reach, Right, Role
from casino.web import connections
from tables.words import rights

from .support import waiting
from .test_architecture import BASE_DIR, LAYERS

PAGES = [BASE_DIR / "README.md", BASE_DIR / "CHANGELOG.md", *sorted((BASE_DIR / "docs").glob("*.md"))]
README_LINES, README_CELL_WORDS = 200, 30
# Made by `manage.py guards`: it names functions and tables, no files and no commands.
BY_PEOPLE = [page for page in PAGES if page.name != "guards.md"]
ROOMS = (*LAYERS, "tests", "templates", "docs", ".ci")
# What `make` and `manage.py up` take beside the settings.
OF_MAKE = {"PYTHON", "SHORT"}
OF_OTHERS = {"WEB_CONCURRENCY", "UVICORN_"}
# Commands that are run as they stand in a guide, each ending within 2 s: a word that their output has.
RUN = {
    "python3 audit/verify_export.py --help": "Is an export of the casino's log whole?",
    ".venv/bin/python manage.py bench --help": "Measure, and print the figures.",
}
# Rows that nobody speaks of: hashes within the tree, why sealing stands still, answers that are kept.
TECHNICAL = {"audit.Subtree", "audit.Sealing", "casino.Command"}
REACHES = {"": None, "here": Reach.SIGNED_ON, "pit": Reach.PIT, "all": Reach.ALL}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


class Code(NamedTuple):
    """A line of a code block in sh, or what stands between backticks; `whole`: it can be typed as it is."""

    page: str
    text: str
    whole: bool


def text_of(page):
    return page.read_text("utf-8")


def prose(page):
    """A page without its code blocks."""
    return FENCE.sub("", text_of(page))


def snippets():
    for page in BY_PEOPLE:
        for language, block in FENCE.findall(text_of(page)):
            if language == "sh":
                yield from (Code(page.name, line, True) for line in block.replace("\\\n", " ").splitlines())
        yield from (Code(page.name, span, False) for span in SPAN.findall(prose(page)))


def words_after(pattern, text):
    """The words of each command that begins with the pattern, up to what ends a command in a shell."""
    for match in re.finditer(pattern, text):
        command = re.split(r"[|;&)>]|\s#", text[match.end() :])[0]
        yield shlex.split(command, comments=True)


SNIPPETS = list(snippets())
MANAGE = [
    (code, words)
    for code in SNIPPETS
    for pattern in (r"manage\.py(?= [a-z])", r"^(?=bench [a-z])")
    for words in words_after(pattern, code.text)
]
VERIFY = [(code, words) for code in SNIPPETS for words in words_after(r"verify_export\.py(?= )", code.text)]
MAKE = [(code, words) for code in SNIPPETS for words in words_after(r"(?:^|\s)make(?= [a-z])", code.text)]


def rows(page, heading):
    """The cells of the tables below a heading, to the next one of its level; header and rule left out."""
    section = re.split(rf"^## {re.escape(heading)}$", prose(page), flags=re.MULTILINE)[1]
    lines = re.split(r"^## ", section, flags=re.MULTILINE)[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    rule = next(index for index, row in enumerate(cells) if set("".join(row)) <= set("- "))
    return cells[rule + 1 :]


def anchors(page):
    """The anchors of a page's headings, as they are made of their words."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if target.startswith("https://"):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.is_file(), target
        if anchor:
            assert anchor in anchors(path), target


def test_every_picture_is_shown_by_some_page_and_is_small():
    shown = {Path(target).name for page in PAGES for target in re.findall(r"!\[[^\]]+\]\(([^)\s]+)\)", prose(page))}
    pictures = list((BASE_DIR / "docs").glob("*.png"))
    assert {picture.name for picture in pictures} == shown
    assert not [picture.name for picture in pictures if picture.stat().st_size > 250_000]


@pytest.mark.parametrize("page", BY_PEOPLE, ids=lambda page: page.name)
def test_every_file_that_is_named_is_there(page):
    for path in SPAN.findall(prose(page)):
        named = re.fullmatch(r"[\w.]+(/[\w.]+)+/?", path) and path.split("/")[0] in ROOMS
        # Not the addresses of REST, `tables/1/rounds/`, and what people are to name, `casino/games/NAME/`.
        if named and not any(part.isdigit() or part.startswith(("ID", "NAME")) for part in path.split("/")):
            assert (BASE_DIR / path).exists(), path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_table_has_its_cells(page):
    for block in re.findall(r"(?:^\|.*\n)+", prose(page), re.MULTILINE):
        lines = block.splitlines()
        widths = {len(re.split(r"(?<!\\)\|", line.strip().strip("|"))) for line in lines}
        assert len(widths) == 1, lines[0]
        assert set(lines[1]) <= set("|-: "), lines[0]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_has_two_versions_of_itself(page):
    marks = re.findall(r"(?m)^(?:<{7}|>{7}|={7})(?: .*)?$", page.read_text("utf-8"))
    assert not marks


def test_the_readme_is_short():
    lines = text_of(BASE_DIR / "README.md").splitlines()
    assert len(lines) <= README_LINES
    for line in lines:
        assert max(len(cell.split()) for cell in line.split("|")) <= README_CELL_WORDS or "|" not in line, line


def test_every_guide_is_on_the_readme_s_map():
    linked = set(re.findall(r"\]\(docs/(\w[\w-]*\.md)\)", text_of(BASE_DIR / "README.md")))
    assert {page.name for page in PAGES if page.parent != BASE_DIR} <= linked


def parser_of(name):
    application = get_commands()[name]
    command = application if not isinstance(application, str) else load_command_class(application, name)
    return command.create_parser("manage.py", name)


@pytest.mark.parametrize(
    ("code", "words"), MANAGE, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_every_command_of_manage_is_one(code, words):
    name, *options = words
    assert name in get_commands(), code
    if "--help" in options:
        with pytest.raises(SystemExit) as ended:
            parser_of(name).parse_args(options)
        assert ended.value.code == 0
    elif code.whole or options:
        parser_of(name).parse_args(options)


@pytest.mark.parametrize(
    ("code", "words"), VERIFY, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_every_command_of_the_verifier_is_one(code, words):
    if "--help" in words:
        return
    whole = words if code.whole else ["folder", "--key", "public", *words]
    verify_export.read_command([word if word != "SIZE" else "1" for word in whole])


def test_every_option_that_the_auditor_s_guide_names_is_one():
    command = [sys.executable, "audit/verify_export.py", "witness", "--help"]
    manual = subprocess.run(command, cwd=BASE_DIR, capture_output=True, text=True, check=True).stdout
    named = {code.text.split()[0] for code in SNIPPETS if code.page == "auditor.md" and code.text.startswith("--")}
    assert named
    assert all(option in manual for option in named), named


def test_the_auditor_s_guide_says_what_looks_at_each_thing_that_the_verifier_did_not_look_at():
    always = {"files", "claim", "entries", "tree", "sheets"}
    names = [aspect.name for key, aspect in verify_export.ASPECTS.items() if key not in always]
    assert sorted(row[0] for row in rows(BASE_DIR / "docs" / "auditor.md", "What it did not look at")) == sorted(names)


@pytest.mark.parametrize(("code", "words"), MAKE, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_every_target_of_make_is_one(code, words):
    targets = set(re.findall(r"^(\w+):", text_of(BASE_DIR / "Makefile"), re.MULTILINE))
    target, *variables = words
    assert target in targets, code
    for variable in variables:
        assert variable.partition("=")[0] in documented_settings() | OF_MAKE, code


def test_commands_are_found_at_all():
    assert len(MANAGE) > 60
    assert len(VERIFY) >= 5
    assert len(MAKE) > 20


def test_every_module_that_a_command_names_is_there():
    named = {
        name
        for code in SNIPPETS
        for name in re.findall(r"(?:-A|-m|--http|uvicorn) ((?:casino|tests)[\w.]+(?::\w+)?)", code.text)
    }
    assert "casino.web.connections:Connection" in named
    assert hasattr(connections, "Connection")
    for name in named:
        assert importlib.util.find_spec(name.partition(":")[0]), name


@pytest.mark.parametrize("command", RUN)
def test_what_ends_soon_is_run(command):
    assert any(command in text_of(page) for page in BY_PEOPLE), command
    _, *words = shlex.split(command)
    done = subprocess.run([sys.executable, *words], cwd=BASE_DIR, capture_output=True, text=True, check=True)
    assert RUN[command] in " ".join(done.stdout.split())


def block_with(page, words):
    """The one code block of a guide that has these words."""
    (block,) = [block for _, block in FENCE.findall(text_of(BASE_DIR / "docs" / page)) if words in block]
    return block


def test_the_auditor_s_round_is_adjudicated():
    script = block_with("auditor.md", "manage.py adjudicate").replace(".venv/bin/python", sys.executable)
    done = subprocess.run(["bash", "-c", script], cwd=BASE_DIR, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    assert result["id"] == 1
    assert "Flush pays 5:1: on 20 that is 100." in done.stdout


def steps_of(page):
    """The commands of a guide's steps, in their order: what stands in sh before its reference."""
    steps, _, _ = text_of(BASE_DIR / "docs" / page).partition("\n## Reference\n")
    return "".join(block for language, block in FENCE.findall(steps) if language == "sh")


def test_the_api_s_round_is_played_and_paid(live_stack, tmp_path):
    script = steps_of("api.md")
    script = script.replace("http://localhost:8000", live_stack.base_url)
    script = script.replace("var/demo-logins.json", str(live_stack.seeded_in / "demo-logins.json"))
    # The worker of a busy machine may take longer than the moment that people wait.
    ask = "curl -s $URL/api/v1/rounds/$ROUND/ -H 'Authorization: Bearer '$TOKEN"
    settled = f"until {ask} | grep -q SETTLED; do sleep 0.2; done"
    assert "sleep 1\n" in script
    script = script.replace("sleep 1\n", settled + "\n")
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    if shutil.which("curl") is None:
        pytest.skip("No curl found: install curl.")
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=waiting.PATIENCE,
    )
    assert not done.stderr, done.stdout + done.stderr
    version, closed, result, ticked, refused = done.stdout.splitlines()
    assert (version, closed, ticked, refused) == ("5", "CLOSED", "SETTLED", "round_wrong_moment"), done.stdout
    assert "'paid': 5000" in result


def documented_settings():
    return {row[0].strip("`") for row in rows(BASE_DIR / "docs" / "operations.md", "Settings")}


def test_operations_names_the_settings_that_are_read_and_no_other():
    code = text_of(Path(settings.__file__))
    read = set(re.findall(r'(?:_read|_listed|environ\.get)\("([A-Z_]+)"|environ\["([A-Z_]+)"\]', code))
    # `manage.py up` reads where it listens.
    read = {name for pair in read for name in pair if name} | {"HOST", "PORT"}
    at_the_top = {
        name for row in re.findall(r"^\| ([A-Z_, ]+) \|", settings.__doc__, re.MULTILINE) for name in row.split(", ")
    }
    assert documented_settings() == read == at_the_top


def test_operations_names_no_variable_that_nobody_reads():
    page = text_of(BASE_DIR / "docs" / "operations.md")
    page = re.sub(r"^```sql\n.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"\b[A-Z]+_[A-Z_]+\b", page)) | set(re.findall(r"\b([A-Z][A-Z_]+)=", page))
    assert named <= documented_settings() | OF_OTHERS


@pytest.mark.parametrize("name", ["createsuperuser", "changepassword"])
def test_what_operations_calls_refused_is_refused(name):
    assert name in text_of(BASE_DIR / "docs" / "operations.md")
    with pytest.raises(CommandError, match="the log"):
        call_command(name, "anna")


def test_the_rights_of_the_guide_are_those_of_the_code():
    table = {row[0]: row[1:] for row in rows(BASE_DIR / "docs" / "pit-boss.md", "Rights")}
    assert set(rights.WORDS) == set(Right)
    # Who may see anything in the back office may open it.
    told = {words: right for right, words in rights.WORDS.items() if right != Right.READ_ADMIN}
    assert set(table) == set(told)
    for words, verb in told.items():
        reaches = {role: REACHES[cell.partition(",")[0]] for role, cell in zip(Role, table[words], strict=True)}
        assert {role: reach for role, reach in reaches.items() if reach} == RIGHTS[verb], words


def glossary():
    """Word, meaning and what stands for it in the code, of all the glossary's tables."""
    lines = [line for line in prose(BASE_DIR / "docs" / "glossary.md").splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[0] != "word" and not set(row[0]) <= {"-"}]


def test_every_model_has_its_word_in_the_glossary():
    named = {
        name.strip("`") for _, _, code in glossary() for name in code.split(", ") if re.match(r"`\w+\.[A-Z]", name)
    }
    models = {f"{model._meta.app_label}.{model.__name__}" for model in apps.get_models()}
    ours = {name for name in models if name.split(".")[0] in LAYERS}
    assert named == ours - TECHNICAL
    assert ours >= TECHNICAL


def test_every_word_stands_once_in_the_glossary():
    words = [word for names, _, _ in glossary() for word in names.split(", ") if word != "in Split Poker"]
    assert sorted({word for word in words if words.count(word) > 1}) == ["game"]  # Split Poker's own is told apart


def test_what_the_glossary_says_of_the_code_is_there():
    for word, meaning, code in glossary():
        assert word, meaning
        assert meaning, word
        for name in filter(None, code.split(", ")):
            path = name.strip("`")
            assert path.partition(".")[0] in LAYERS or (BASE_DIR / path).is_file(), name
