"""Scripts and style sheets as they are collected for the pages: each in one file with all that it imports, compressed,
under a name made from its content. Where nothing was collected they are served as they stand, and a browser follows the
imports. A page loads one module at most, since what two of them import would otherwise be there twice.
"""

import posixpath
import re

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS = "tables/"
"""The folder whose files import one another; what libraries bring is left alone."""
_IMPORT = re.compile(r'^import (?:\{ ([\w, ]+) \} from )?"(\./[\w-]+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_SHEET = re.compile(r'^@import "(\./[\w-]+\.css)";$', re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export|@import)\b.*", re.MULTILINE)


class Assets(CompressedManifestStaticFilesStorage):
    def post_process(self, paths, dry_run=False, **options):
        joined = {
            name: (_Joined(storage) if name.startswith(OURS) else storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(joined, dry_run=dry_run, **options)

    def stored_name(self, name):
        return super().stored_name(name) if self.hashed_files else name


class _Joined:
    """The files of a storage, each with its imports in it."""

    def __init__(self, storage):
        self.storage = storage

    def open(self, path):
        if not path.endswith((".js", ".css")):
            return self.storage.open(path)
        join = script if path.endswith(".js") else sheet
        return ContentFile(join(path, self._read).encode())

    def _read(self, path):
        with self.storage.open(path) as file:
            return file.read().decode()


def script(path, read):
    """A module and what it imports, as one: each in a function that gives what it exports.

    >>> files = {"a.js": 'import { b as c } from "./b.js";\\nc();', "b.js": "export function b() {}"}
    >>> print(script("a.js", files.get))
    const module1 = (() => {
    function b() {}
    return { b };
    })();
    const module2 = (() => {
    const { b: c } = module1;
    c();
    return {  };
    })();

    :param read: gives the text of a file by its path.
    :raises ValueError: if modules import one another in a circle, or in a way that is not joined here.
    """
    places, parts = {}, []

    def add(path):
        if path in places:
            if places[path] is None:
                raise ValueError(f"{path} imports itself, over others")
            return places[path]
        places[path] = None
        text = read(path)
        exports = _EXPORT.findall(text)
        text = _EXPORT.sub("", _IMPORT.sub(lambda line: _names(line[1], add(_beside(path, line[2]))), text))
        _look(path, text)
        places[path] = f"module{len(parts) + 1}"
        parts.append(f"const {places[path]} = (() => {{\n{text.strip()}\nreturn {{ {', '.join(exports)} }};\n}})();")
        return places[path]

    def _names(names, module):
        return f"const {{ {names.replace(' as ', ': ')} }} = {module};" if names else ""

    text = read(path)
    if not _LEFT.search(text):
        return text
    add(path)
    return "\n".join(parts)


def sheet(path, read):
    """A style sheet with its imports replaced by what they import.

    >>> files = {"a.css": '@import "./b.css";\\na {}', "b.css": "b {}"}
    >>> print(sheet("a.css", files.get))
    b {}
    a {}

    :param read: gives the text of a file by its path.
    :raises ValueError: if it imports in a way that is not joined here.
    """
    text = _SHEET.sub(lambda line: sheet(_beside(path, line[1]), read), read(path))
    _look(path, text)
    return text


def _beside(path, other):
    return posixpath.join(posixpath.dirname(path), other[2:])


def _look(path, text):
    if left := _LEFT.search(text):
        raise ValueError(f"{path} cannot be joined with what it imports: {left[0]}")
