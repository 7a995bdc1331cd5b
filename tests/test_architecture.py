"""The layers of the design, read from the code itself."""

import ast
import functools
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps

BASE_DIR = Path(__file__).resolve().parent.parent
LAYERS = ["casino", "audit", "payouts", "tables"]
ROOT = {f"casino/{name}.py" for name in ("settings", "urls", "asgi", "wsgi", "celery")}
PURE = [
    *(BASE_DIR / "casino" / name for name in ("cards.py", "money.py", "phrases.py", "strict_json.py", "adjudicate.py")),
    *sorted((BASE_DIR / "casino" / "games").rglob("*.py")),
    BASE_DIR / "payouts" / "adjudication.py",
    BASE_DIR / "payouts" / "luck.py",
]
PURE_MAY = {"casino.cards", "casino.money", "casino.phrases", "casino.strict_json", "casino.games"}
# The rooms of each layer from the ground up; "" is what stands in no room. A room may use those below it, not one that
# stands beside it: so no door imports another.
ROOMS = {
    "casino": [["core"], [""], ["web"], ["running"], ["lab"], ["management"], ["migrations"]],
    "audit": [[""], ["lab"], ["management"], ["migrations"]],
    "payouts": [[""], ["migrations"]],
    "tables": [
        ["models"],
        ["people"],
        ["verbs"],
        ["inspections"],
        ["words"],
        ["reports"],
        ["desk"],
        ["rest", "pages", "terminal", "admin", "tasks", ""],
        ["lab"],
        ["management"],
        ["migrations"],
    ],
}
CORE = {"cards", "money", "phrases", "gaming_day", "strict_json", "games", "adjudicate"}
AT_THE_ROOT = {
    *(".ci", ".gitignore", "CHANGELOG.md", "Makefile", "README.md", "docs", "manage.py", "pyproject.toml"),
    *("requirements.txt", "templates", "tests", *LAYERS),
}
# No name is one of these participles: it says what it is.
NO_NOUNS = {"told", "found"}


def sources():
    for layer in LAYERS:
        for path in sorted((BASE_DIR / layer).rglob("*.py")):
            yield layer, path


@functools.cache
def tree(path):
    return ast.parse(path.read_text("utf-8"))


@functools.cache
def imported(path):
    """The absolute names of all modules that a file imports, wherever in it."""
    package, names = path.relative_to(BASE_DIR).with_suffix("").parts[:-1], []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return names


def room(module):
    """Where a module stands: its layer and its room."""
    layer, *rest = module.split(".")
    name = rest[0] if rest else ""
    if layer == "casino" and name in CORE:
        return layer, "core"
    return layer, name if any(name in floor for floor in ROOMS[layer]) else ""


def floor_of(layer, name):
    return next(number for number, floor in enumerate(ROOMS[layer]) if name in floor)


def named(path):
    return ".".join(path.relative_to(BASE_DIR).with_suffix("").parts).removesuffix(".__init__")


def within(path):
    """What a file imports of ours; the package of a whole layer says nothing."""
    return [name for name in imported(path) if name.partition(".")[0] in LAYERS and "." in name]


def test_each_layer_imports_from_itself_and_below_only():
    for layer, path in sources():
        if str(path.relative_to(BASE_DIR)) in ROOT:
            continue
        above = set(LAYERS[LAYERS.index(layer) + 1 :])
        wrong = [name for name in imported(path) if name.split(".")[0] in above]
        assert not wrong, f"{path.relative_to(BASE_DIR)} imports {wrong}"


@pytest.mark.parametrize("layer", LAYERS)
def test_each_room_imports_from_itself_and_below_only(layer):
    wrong = []
    for path in sorted((BASE_DIR / layer).rglob("*.py")):
        own = room(named(path))
        for name in within(path):
            other = room(name)
            if own[0] == other[0] and own != other and floor_of(*other) >= floor_of(*own):
                wrong.append(f"{path.relative_to(BASE_DIR)} imports {name}")
    assert not [each for each in wrong if each.split()[0] not in ROOT]


def test_only_commands_and_labs_import_a_lab():
    for layer, path in sources():
        if room(named(path))[1] not in {"lab", "management"}:
            assert not [name for name in within(path) if room(name)[1] == "lab"], f"{layer}: {path}"


def test_only_known_names_stand_at_the_root():
    listed = subprocess.run(["git", "ls-files"], cwd=BASE_DIR, capture_output=True, text=True, check=True)
    names = listed.stdout.splitlines()
    assert {name.partition("/")[0] for name in names} <= AT_THE_ROOT
    assert not [name for name in names if name.endswith(".whl")]


@pytest.mark.parametrize("folder", LAYERS)
def test_names_are_nouns(folder):
    wrong = []
    for path in sorted((BASE_DIR / folder).rglob("*.py")):
        for node in ast.walk(tree(path)):
            names = {getattr(node, field, None) for field in ("id", "arg", "name", "asname")}
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                names.add(node.attr)
            if names & NO_NOUNS:
                wrong.append(f"{path.relative_to(BASE_DIR)}:{node.lineno}")
    assert not wrong


def test_foreign_keys_point_down_or_sideways():
    for model in apps.get_models():
        layer = model._meta.app_label
        if layer not in LAYERS:
            continue
        for field in model._meta.get_fields():
            if field.is_relation and field.concrete:
                target = field.related_model._meta.app_label
                assert LAYERS.index(target) <= LAYERS.index(layer), f"{model.__name__}.{field.name} -> {target}"


def test_every_foreign_key_protects():
    for model in apps.get_models():
        if model._meta.app_label in LAYERS:
            for field in model._meta.get_fields():
                if field.concrete and (field.many_to_one or field.one_to_one):
                    assert field.remote_field.on_delete.__name__ == "PROTECT", f"{model.__name__}.{field.name}"


@pytest.mark.parametrize("path", PURE, ids=lambda path: str(path.relative_to(BASE_DIR)))
def test_the_core_is_pure(path):
    for name in imported(path):
        top = name.split(".")[0]
        if top == "casino":
            # `from casino import cards` names the package first, then the module.
            pure = any(name == part or name.startswith(f"{part}.") for part in PURE_MAY)
            assert name == "casino" or pure, f"imports {name}"
        else:
            assert top in sys.stdlib_module_names, f"imports {name}"
            assert top not in {"random", "secrets", "time", "datetime", "logging", "os", "socket", "subprocess"}, name


def test_the_core_runs_without_django():
    code = "import sys, casino.games.registry, casino.adjudicate; sys.exit('django' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=BASE_DIR, check=False).returncode == 0


def test_nothing_imports_numba_or_signals():
    for _, path in sources():
        for name in imported(path):
            assert name.split(".")[0] not in {"numba", "numpy"} or path.parent.name == "edge", path
            assert not name.startswith("django.dispatch")
            assert not name.startswith("django.db.models.signals")


def test_the_web_and_settlement_do_not_load_what_computes_edges():
    """It costs each process 100 MB: the edge's worker loads it as it begins to compute."""
    modules = ", ".join(f"{layer}.tasks" for layer in LAYERS if (BASE_DIR / layer / "tasks.py").exists())
    code = f"""import sys, django; django.setup(); import casino.urls, casino.web.rest, {modules}
print(sorted({{"numba", "numpy", "payouts.edge.report"}} & {{*sys.modules}}), len(sys.modules))"""
    done = subprocess.run([sys.executable, "-c", code], cwd=BASE_DIR, check=True, capture_output=True, text=True)
    assert done.stdout.startswith("[] "), done.stdout


def test_no_module_has_a_forbidden_name():
    forbidden = {"utils", "helpers", "services", "managers", "signals", "constants", "mixins"}
    assert not [path for _, path in sources() if path.stem in forbidden]


def test_money_is_never_a_float():
    # The edge's figures are shares and means, no money: they leave it as decimal text.
    payouts = (path for layer, path in sources() if layer == "payouts" and path.parent.name != "edge")
    for path in [*PURE, *payouts]:
        for node in ast.walk(tree(path)):
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), path
            assert not (isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div)), path
            assert not (isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"float", "round"}), path


def test_the_package_of_the_project_is_empty_and_celery_loads_in_ready():
    assert (BASE_DIR / "casino" / "__init__.py").read_text() == ""


def test_migrations_are_complete(db):
    done = subprocess.run(
        [sys.executable, "manage.py", "makemigrations", "--check", "--dry-run"],
        cwd=BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_sql_is_written_out_and_takes_what_varies_as_parameters():
    """No statement is put together from what people enter: its text is a literal, or stands here with its reason."""
    known = {
        "casino/guards.py": "literals of its own module",
        "casino/statements.py": "compiled by the ORM, with a place for each value",
        "casino/database.py": "what migrations lay down; names come from the migrations and the settings",
        "casino/running/embedded/cluster.py": "psycopg's sql.SQL, with names and literals quoted by it",
        "tables/terminal/live.py": "LISTEN to a constant of audit.log",
        "casino/checks.py": "a literal of its own module",
        "payouts/books.py": "literals of its own module",
        "tables/inspections/rounds.py": "literals of its own module",
        "tables/verbs/reasons.py": "literals of its own module",
        "tables/verbs/floor.py": "literals of its own module",
        "tables/verbs/luck.py": "literals of its own module",
        "tables/verbs/dealing.py": "literals of its own module",
        "tables/reports/queries.py": "files of its own room, with the columns of its catalogue",
        "tables/desk/since.py": "the file of a report",
        "tables/lab/bench/night.py": "a literal of its own module",
        "tables/lab/bench/settlement.py": "a literal of the module beside it",
        "tables/lab/bench/carrying.py": "literals of its own module",
        "tables/lab/clock.py": "literals of its own module, as the superuser of a house that is being made",
        "tables/lab/days.py": "literals of its own module and names of the catalogue, on a house for measuring",
        "tables/lab/house.py": "literals of its own module, on a house for measuring",
        "tables/lab/faults/house.py": "the harness's own database; a condition out of its literals",
        "tables/lab/faults/injections.py": "locks of the tables that its plan names",
        "tables/lab/faults/verdict.py": "literals of its own module",
        "tables/lab/faults/drain.py": "literals of its own module, one with a number",
    }
    found = set()
    for _, path in sources():
        name = path.relative_to(BASE_DIR).as_posix()
        if "/migrations/" in name:
            continue
        for call in ast.walk(tree(path)):
            if not isinstance(call, ast.Call) or not call.args:
                continue
            called = getattr(call.func, "attr", getattr(call.func, "id", ""))
            raw = called in {"execute", "executemany", "RawSQL", "raw", "extra", "copy_expert"}
            if raw and not (isinstance(call.args[0], ast.Constant) and isinstance(call.args[0].value, str)):
                found.add(name)
    assert found == set(known)


def test_nothing_sends_statements_in_a_pipeline():
    """psycopg's `executemany` is one too. Within it PostgreSQL takes a process that stands still for one at work, and
    `idle_in_transaction_session_timeout` does not take its locks away: it froze in the midst of a settlement once, and
    its table with it."""
    for _, path in sources():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call):
                assert getattr(node.func, "attr", "") not in {"executemany", "pipeline"}, f"{path}:{node.lineno}"


def test_nothing_evaluates_text_or_asks_a_shell():
    """No text becomes code, a template, an object or a line of a shell: programs are started by lists of arguments."""
    for _, path in sources():
        wrong = {"eval", "exec", "system", "popen", "from_string", "literal_eval"}
        unsafe = {"pickle", "marshal", "shelve", "yaml", "xml", "django.template.Template"}
        assert not set(imported(path)) & unsafe, path
        for call in (node for node in ast.walk(tree(path)) if isinstance(node, ast.Call)):
            assert getattr(call.func, "attr", getattr(call.func, "id", "")) not in wrong, f"{path}:{call.lineno}"
            assert not [word for word in call.keywords if word.arg == "shell"], f"{path}:{call.lineno}"


def test_patterns_are_literals_or_escape_what_varies():
    known = {
        "audit/verify_export.py": "names of events, escaped",
        "casino/controls.py": "a name, escaped",
        "casino/running/backup.py": "a literal of its own module",
        "tables/rest/schema.py": "addresses of the URL conf",
        "tables/verbs/drop_boxes.py": "the literal that the database checks too",
        "tables/verbs/papers.py": "the literal that the database checks too",
        "tables/words/names.py": "names of tables, escaped",
    }
    varying = set()
    for _, path in sources():
        for call in ast.walk(tree(path)):
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.args):
                continue
            of_re = getattr(call.func.value, "id", "") == "re" and call.func.attr not in {"escape", "purge"}
            if of_re and not isinstance(call.args[0], ast.Constant):
                varying.add(path.relative_to(BASE_DIR).as_posix())
    assert varying == set(known)


SCRIPTS = sorted((BASE_DIR / "tables" / "static").rglob("*.js"))


def test_scripts_evaluate_nothing_and_write_no_markup_of_their_own():
    """Markup comes from the server and goes through `fragment`, where no script in it runs; the rest is text."""
    assert SCRIPTS
    for path in SCRIPTS:
        text = path.read_text("utf-8")
        for word in ("eval(", "new Function", "document.write", "outerHTML", "insertAdjacentHTML", "postMessage"):
            assert word not in text, path
        assert not re.search(r"""addEventListener\(["']message["']""", text), path
        assert ("innerHTML" in text) == (path.name == "dom.js"), path


def test_passwords_are_typed_hidden_and_may_be_pasted():
    fields = [
        field
        for path in (BASE_DIR / "templates").rglob("*.html")
        for field in re.findall(r"<input\b[^>]*password[^>]*>", path.read_text("utf-8"))
    ]
    assert len(fields) >= 3
    for field in fields:
        assert 'type="password"' in field
        assert 'autocomplete="' in field
    for path in FRONT:
        assert "onpaste" not in path.read_text("utf-8"), path
        assert not re.search(r"""["']paste["']""", path.read_text("utf-8")), path


def test_every_picture_is_shown_by_some_page():
    pages = [BASE_DIR / "README.md", *(BASE_DIR / "docs").glob("*.md")]
    shown = {
        (page.parent / name).resolve()
        for page in pages
        for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text("utf-8"))
    }
    assert shown == {
        path for path in (BASE_DIR / "docs").rglob("*") if path.is_file() and path.suffix not in {".md", ".toml"}
    }


FRONT = [
    *(BASE_DIR / "templates").rglob("*.html"),
    *(path for path in (BASE_DIR / "tables" / "static").rglob("*") if path.suffix in {".css", ".js"}),
]


@pytest.mark.parametrize("path", sorted(FRONT), ids=lambda path: str(path.relative_to(BASE_DIR)))
def test_no_line_of_a_template_a_style_or_a_script_is_above_160_characters(path):
    lines = path.read_text("utf-8").splitlines()
    assert not [number for number, line in enumerate(lines, 1) if len(line) > 160]
