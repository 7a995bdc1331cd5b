"""Scripts and style sheets are collected whole, each with all that it imports."""

import re

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from casino.web.assets import script, sheet


def ours(ending):
    return sorted(path for path, _ in files() if path.endswith(ending))


def files():
    for finder in finders.get_finders():
        for path, storage in finder.list([]):
            if path.startswith("tables/"):
                yield path, storage


def read(path):
    with dict(files())[path].open(path) as file:
        return file.read().decode()


@pytest.mark.parametrize(("ending", "join"), [(".js", script), (".css", sheet)])
def test_nothing_that_is_collected_asks_for_more(ending, join):
    for path in ours(ending):
        joined = join(path, read)
        assert not re.search(r"^\s*(import\b|export\b|@import)", joined, re.MULTILINE), path
        assert len(joined) >= 0.98 * len(read(path)) - 500, path


def test_what_several_modules_import_is_there_once():
    joined = script("tables/terminal.js", read)
    assert joined.count("export") < len(ours(".js"))
    for line in ("const template = one(", "class Draft {", "class Live {", "function bodyOf("):
        assert joined.count(line) == 1, line


def test_a_page_loads_one_module():
    """Two would each bring their own state of what both import."""
    for folder in settings.TEMPLATES[0]["DIRS"]:
        for path in folder.rglob("*.html"):
            assert path.read_text().count('type="module"') <= 1, path


def test_the_module_of_a_page_with_calls_shows_them():
    for folder in settings.TEMPLATES[0]["DIRS"]:
        for path in folder.rglob("*.html"):
            page = path.read_text()
            if '{% include "_calls.html" %}' in page:
                (module,) = re.findall(r"""type="module" src="{% static '(.*?)' %}""", page) or ["tables/calls.js"]
                assert 'one("#calls")' in script(module, read), path


@pytest.mark.parametrize(
    "files",
    [
        {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\nexport const b = 1;\n'},
        {"a.js": 'import b from "./b.js";\n', "b.js": "export const b = 1;\n"},
        {"a.js": 'import * as b from "./b.js";\n', "b.js": "export const b = 1;\n"},
        {"a.js": 'import { b } from "./b.js";\n', "b.js": "export let b = 1;\n"},
        {"a.js": 'import { b } from "./b.js";\n', "b.js": "export default 1;\n"},
        {"a.js": 'import { b } from "./b.js";\n', "b.js": "const b = 1;\nexport { b };\n"},
    ],
)
def test_what_cannot_be_joined_is_refused(files):
    with pytest.raises(ValueError, match=r"imports itself|cannot be joined"):
        script("a.js", files.get)
