"""What a room says to people stands in its table, read from the code itself: nothing composes a sentence elsewhere."""

import ast
import importlib
import re
from itertools import chain
from pathlib import Path
from string import Formatter

import pytest

from casino.wording import Refusal
from tables.words import wording as words

BASE_DIR = Path(__file__).resolve().parent.parent.parent
ROOMS = {
    "admin": "tables.admin",
    "audit": "audit",
    "desk": "tables.desk",
    "inspections": "tables.inspections",
    "pages": "tables.pages",
    "payouts": "payouts",
    "people": "tables.people",
    "reports": "tables.reports",
    "rest": "tables.rest",
    "terminal": "tables.terminal",
    "verbs": "tables.verbs",
    "web": "casino.web",
    "words": "tables.words",
}
"""Each room by its package, whose `wording.py` has its table."""
TABLES = [*((room, "wording") for room in ROOMS), ("words", "console")]
"""Each table by its room and its module; what the console alone shows of the rows stands apart from the rest."""
NAMES = {"wording": "WORDING", "console": "CONSOLE"}
"""What the table of a module is called."""
FRAGMENTS = {"desk", "inspections", "people", "terminal", "words"}
"""The rooms that say parts of sentences too, and labels: no words are composed there, whole sentence or not."""
PRINTED = {"words": {"par", "par_method", "par_printing"}}
"""Modules of files that are printed: the bytes of those made before depend on their sentences."""
FOR_MACHINES = {
    # The command that checks an export.
    "case_files",
    # Lines of a stream of events.
    "live",
    # Events of the log, as patterns.
    "rights",
}
"""Modules of parts of sentences that put together what is none."""
LABELS = {"desk", "inspections", "terminal", "words"}
"""The rooms that have labels of a screen among their sentences: these have no full stop."""
FOR_PROGRAMMERS = {
    # What `check --deploy` prints for whoever sets the product up.
    "audit": {"checks"},
    # The OpenAPI document: what each schema, header and right is.
    "rest": {"schema"},
    "web": {"openapi"},
}
"""Modules whose sentences nobody meets at a screen; what they refuse, and compose for a table, is looked at all the
same."""
BY_ITSELF = {"audit": {"verify_export"}}
"""Modules that run where nothing else of ours is, as an auditor takes them home: no table goes with them."""
NO_FULL_STOP = "has no full stop"
TYPEWRITER, SPELLED_OUT = "has an apostrophe of typewriters", "spells a contraction out"
_UNCONTRACTED = (
    r"(?i)\b((is|are|was|were|do|does|did|has|have|had|can|could|will|would|should) not|cannot|you are(?= \w))\b"
)
KEPT = {
    "audit": {"comparing", "leaves"},
    "inspections": {"rounds", "settlements", "tips"},
    "words": {
        "case_disputes",
        "case_files",
        "case_investigations",
        "case_rounds",
        "case_variances",
        "case_voids",
        "timeline",
    },
}
"""Modules of which the sentences stay as they were: an inspection knows a difference by its sentence, and an auditor
would have to accept anew what they accepted already; a case's file has its digest."""
WHOLE = {"cure", "fault", "obstacle", "rule", "way_out"}
"""Values that are whole sentences, so that one may end with them."""
TWICE = {
    # The way to the page before; of a box’s stakes.
    "terminal": {"back", "stakes_back"},
    # What a tick says was done; what a payment is made of. The title of a count; how a table stands.
    "words": {"done.paid", "part.paid", "home.closing", "home.opening"},
}
"""Sentences that are the same in English and mean something else: another language may tell them apart."""
OWN = {"path", "clause", "detail"}
"""What `Wording.refused` takes beside values."""


class Module:
    """A module's calls of WORDING, and what is wrong with how it says things to people."""

    def __init__(self, source):
        self.tree = ast.parse(source)
        self.parent = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}
        self.tables = {
            node.targets[0].id: node.value
            for node in self.tree.body
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        self.takes_words = any(
            isinstance(node, ast.ImportFrom) and node.module == "words.wording" for node in self.tree.body
        )
        self.calls = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call) and _is_wording(node.func)]

    def codes(self, node):
        """The codes that an argument may be: one, one of a conditional, or one of a literal mapping; None if another
        expression chooses it."""
        if isinstance(node, ast.Constant):
            return [node.value]
        if isinstance(node, ast.IfExp):
            return _all([self.codes(node.body), self.codes(node.orelse)])
        if isinstance(node, ast.Subscript):
            return self._of_mapping(node.value)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            return _all([self._of_mapping(node.func.value), *map(self.codes, node.args[1:])])
        return None

    def _of_mapping(self, node):
        node = self.tables.get(node.id) if isinstance(node, ast.Name) else node
        return _all([self.codes(value) for value in node.values]) if isinstance(node, ast.Dict) else None

    def used(self):
        """Each code that is used with its table, whether as a refusal, and the names of its values."""
        for call in self.calls:
            codes = self.codes(call.args[0]) if call.args else None
            assert codes, f"line {call.lineno}: no literal says which sentence this is"
            names = {keyword.arg for keyword in call.keywords}
            assert None not in names, f"line {call.lineno}: ** hides the names of values"
            refuses = isinstance(call.func, ast.Attribute)
            table = _owner(call.func).id
            for code in codes:
                yield call.lineno, table, code, refuses, names - OWN if refuses else names

    def composed(self):
        """The lines at which a value is put together, or is a text that no table has."""
        for call in self.calls:
            for keyword in call.keywords:
                if keyword.arg not in OWN and self._is_composed(keyword.value, call):
                    yield keyword.value.lineno

    def _is_composed(self, value, call, names=()):
        """Whether it is put together; a function's own `names` were followed to where they are set."""
        if isinstance(value, ast.IfExp):
            return any(self._is_composed(part, call, names) for part in (value.body, value.orelse))
        if isinstance(value, ast.BoolOp):
            return any(self._is_composed(part, call, names) for part in value.values)
        if isinstance(value, ast.Constant):
            return isinstance(value.value, str) and value.value != ""
        if isinstance(value, ast.Name):
            of_name = () if value.id in names else self._assigned(value.id, call)
            return any(self._is_composed(each, call, (*names, value.id)) for each in of_name)
        return any(map(_composes, _parts(value)))

    def _assigned(self, name, call):
        """What a function assigns to a name by itself."""
        node = call
        while node in self.parent and not isinstance(node, ast.FunctionDef):
            node = self.parent[node]
        for each in ast.walk(node):
            if isinstance(each, ast.Assign) and any(isinstance(to, ast.Name) and to.id == name for to in each.targets):
                yield each.value

    def fragments(self):
        """The lines that put words together, be it no sentence; a date, a reference and an address have no words."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.JoinedStr) and not isinstance(self.parent[node], ast.FormattedValue):
                text = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
                is_words = (re.search("[a-z]{2}", text) and " " in text) or re.search("[,;:] ", text)
                up = self.parent[node]
                is_query = isinstance(up, ast.Call) and getattr(up.func, "attr", "") == "execute"
                if is_words and not is_query and not self._is_elsewhere(node):
                    yield node.lineno

    def refusals(self):
        """The lines that construct a refusal past the table, but of what a game refused: that has words of its own."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                code = node.args[0] if node.args else None
                if not (isinstance(code, ast.Attribute) and code.attr == "code"):
                    yield node.lineno

    def sentences(self):
        """The lines with a sentence in them that is neither a docstring nor for whoever programs."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
            else:
                continue
            is_name = re.search(r"[.][A-Z][.]$", text)  # "New Jersey, N.J.A.C."
            if re.fullmatch(r"(?s)[A-Zx].* .*\w[.]", text) and not is_name and not self._is_elsewhere(node):
                yield node.lineno

    def _is_elsewhere(self, node):
        up = self.parent[node]
        if isinstance(up, ast.Expr | ast.JoinedStr):
            return True
        if isinstance(up, ast.Dict) and self._describes(up, node):
            return True
        if isinstance(node, ast.Constant) and self._defines_a_report(node):
            return True
        name = getattr(up.func, "id", getattr(up.func, "attr", "")) if isinstance(up, ast.Call) else ""
        # A 404 says the same to everybody, `not_found` or the page of it, whatever was looked for.
        return name.endswith("Error") or name in {"exception", "warning", "Http404"}

    def _defines_a_report(self, literal):
        """Whether a literal is an argument of `Report(...)`, itself or in a tuple. A report's definition is a table, in
        which its words stand beside the columns that they are about; its prints have them, so that the bytes of files
        made before depend on them."""
        up = self.parent[literal]
        up = self.parent[up] if isinstance(up, ast.Tuple) else up
        call = self.parent[up] if isinstance(up, ast.keyword) else None
        return isinstance(call, ast.Call) and getattr(call.func, "id", "") == "Report"

    def _describes(self, mapping, value):
        """Whether a literal is a description in the OpenAPI document: of a schema, or of a name in a view's query."""
        if not isinstance(value, ast.Constant):
            return False
        if any(each is value and getattr(key, "value", "") == "description" for key, each in _items(mapping)):
            return True
        up = self.parent[mapping]
        return isinstance(up, ast.Assign) and [getattr(to, "id", "") for to in up.targets] == ["query"]


def _items(mapping):
    return zip(mapping.keys, mapping.values, strict=True)


def _all(codes):
    """The codes of several expressions together; None if one of them is not known."""
    return None if None in codes else list(chain(*codes))


def _owner(function):
    return function.value if isinstance(function, ast.Attribute) and function.attr == "refused" else function


def _is_wording(function):
    owner = _owner(function)
    return isinstance(owner, ast.Name) and owner.id in NAMES.values()


def _parts(node):
    """What an expression is made of; a function within it composes nothing by itself."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Lambda):
            yield from _parts(child)


def _composes(node):
    """Whether an expression puts a text together; names in a row, with a comma between them, are plain."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        comma = isinstance(node.func.value, ast.Constant) and node.func.value.value == ", "
        return node.func.attr == "format" or (node.func.attr == "join" and not comma)
    if isinstance(node, ast.BinOp):
        number = isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)
        return isinstance(node.op, ast.Add | ast.Mod) and not number
    return isinstance(node, ast.JoinedStr)


def folder(room):
    return BASE_DIR.joinpath(*ROOMS[room].split("."))


def modules(room):
    """The modules of a room by name, those without sentences too."""
    tables = {"__init__", *(name for where, name in TABLES if where == room)}
    files = {file.stem: file for file in sorted(folder(room).glob("*.py")) if file.stem not in tables}
    aside = BY_ITSELF.get(room, set()) | PRINTED.get(room, set())
    assert aside | FOR_PROGRAMMERS.get(room, set()) <= files.keys()
    return {name: Module(file.read_text("utf-8")) for name, file in files.items() if name not in aside}


def table(room, name):
    return getattr(importlib.import_module(f"{ROOMS[room]}.{name}"), NAMES[name])


def groups(room, name):
    """The entries by the comments above them, in the order in which they stand."""
    source = (folder(room) / f"{name}.py").read_text("utf-8")
    (entries,) = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Dict))
    lines, listed, above = source.splitlines(), {}, entries.lineno
    for key in entries.keys:
        for line in lines[above : key.lineno - 1]:
            if name := re.fullmatch(r" +# (\w+)", line):
                assert name[1] not in listed, f"{name[1]} has two groups"
                listed[name[1]] = []
        assert listed, "The first entry has no comment."
        list(listed.values())[-1].append(key.value)
        above = key.lineno
    return listed


def parts(sentence):
    return (sentence.fact, sentence.way_out) if isinstance(sentence, Refusal) else (sentence,)


def places(sentence):
    """The names of a sentence's values."""
    return {name for part in parts(sentence) for _, name, _, _ in Formatter().parse(part) if name is not None}


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_has_sentences_of_its_own(room):
    lines = {}
    for name, module in modules(room).items():
        documents = name in FOR_PROGRAMMERS.get(room, set())
        lines[name] = [*module.refusals(), *module.composed(), *(() if documents else module.sentences())]
        lines[name] += module.fragments() if room in FRAGMENTS and name not in FOR_MACHINES else ()
    assert not {name: at for name, at in lines.items() if at}


@pytest.mark.parametrize(("room", "of"), TABLES)
def test_each_sentence_is_used_with_its_values_and_each_one_used_exists(room, of):
    own, used = table(room, of).sentences, {}
    for name, module in modules(room).items():
        # The pages of croupiers and players take theirs from the words, whose table is translated.
        sentences = words.WORDING.sentences if module.takes_words else own
        for line, of_table, code, refuses, names in module.used():
            if of_table != NAMES[of]:
                continue
            where = f"{name}.py:{line}: {code}"
            assert code in sentences, f"{where} does not exist"
            assert isinstance(sentences[code], Refusal) == refuses, where
            assert places(sentences[code]) == names, where
            if not module.takes_words:
                used.setdefault(code, set()).add(name)
    if room == "words":
        for name, module in modules("pages").items():
            if module.takes_words:
                for _, _, code, _, _ in module.used():
                    used.setdefault(code, set()).add(name)
    for name, codes in groups(room, of).items():
        if name not in PRINTED.get(room, set()):
            assert not [code for code in codes if name not in used.get(code, ())], f"{name}.py uses none of these"


@pytest.mark.parametrize(("room", "of"), TABLES)
def test_a_sentence_stands_once(room, of):
    """But a refusal's under each code that programs know, and those of `TWICE`."""
    codes = {}
    for code, sentence in table(room, of).sentences.items():
        if code not in TWICE.get(room, ()):
            kind = code.partition(":")[0] if isinstance(sentence, Refusal) else ""
            codes.setdefault((kind, sentence), []).append(code)
    assert not [several for several in codes.values() if len(several) > 1]


@pytest.mark.parametrize(("room", "of"), TABLES)
def test_the_table_is_in_order(room, of):
    listed = groups(room, of)
    assert list(listed) == sorted(listed)
    for name, codes in listed.items():
        assert codes == sorted(codes), name
    assert list(chain(*listed.values())) == list(table(room, of).sentences)
    assert table(room, of).room == (room if of == "wording" else of)


@pytest.mark.parametrize(("room", "of"), TABLES)
def test_sentences_are_written_as_such(room, of):
    listed = groups(room, of)
    kept = {code for name in KEPT.get(room, ()) for code in listed.get(name, ())}
    for code, sentence in table(room, of).sentences.items():
        faults = [fault for part in parts(sentence) if part for fault in wrong(part, isinstance(sentence, Refusal))]
        if room in LABELS:
            faults = [fault for fault in faults if fault != NO_FULL_STOP]
        if code in kept:
            faults = [fault for fault in faults if fault not in {TYPEWRITER, SPELLED_OUT}]
        assert not faults, f"{code}: {faults}"
        assert parts(sentence)[0], code


def wrong(text, refuses):
    """What is wrong with a sentence; what begins with a small letter is a part of another one, and refuses nothing."""
    bare = re.sub(r"\{(\w+)\}", lambda place: "." if place[1] in WHOLE and place.end() == len(text) else "x", text)
    if refuses or not text[0].islower():
        if not bare.endswith("."):
            yield NO_FULL_STOP
    elif bare.endswith("."):
        yield "is a part of a sentence with a full stop"
    if re.search(r"[a-z]\w*_\w", bare):
        yield "names a code"
    if "'" in text:
        yield TYPEWRITER
    if re.search(_UNCONTRACTED, text):
        yield SPELLED_OUT
    if text != text.strip() or "  " in text:
        yield "has blanks too many"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("It is over", "has no full stop"),
        ("Round {round}", "has no full stop"),
        ("{rule} Look at {round}", "has no full stop"),
        ("it is over.", "is a part of a sentence with a full stop"),
        ("One of session_closed.", "names a code"),
        ("It isn't over.", "has an apostrophe of typewriters"),
        ("It is  over.", "has blanks too many"),
        ("It is not over.", "spells a contraction out"),
        ("Boxes cannot fold.", "spells a contraction out"),
        ("Do not fold.", "spells a contraction out"),
        ("You are signed on.", "spells a contraction out"),
    ],
)
def test_what_is_wrong_with_a_sentence_is_named(text, fault):
    assert list(wrong(text, False)) == [fault]
    assert not list(wrong("It isn’t over. {rule}", True))


@pytest.mark.parametrize(
    ("what", "source"),
    [
        ("fragments", 'return f"round {number}, void"'),
        ("fragments", 'return f"{table}, {number}"'),
        ("refusals", 'Refused("over", "It is over.")'),
        ("refusals", "Refused(code, fault.message)"),
        ("sentences", 'ways = {1: "Look again."}'),
        ("sentences", 'return {"description": f"What {name} comes to."}'),
        ("sentences", 'WIN = Report(name="win", sums=f"The {rake} is no part.")'),
        ("sentences", 'return f"{table} is not open."'),
        ("composed", 'WORDING("over", round=f"round {number}")'),
        ("composed", 'WORDING("over", round="round " + number)'),
        ("composed", 'WORDING("over", round="round %s" % number)'),
        ("composed", 'WORDING("over", round=str("round " + name))'),
        ("composed", 'WORDING("over", round="round {}".format(number))'),
        ("composed", 'WORDING("over", round=" and ".join(rounds))'),
        ("composed", 'WORDING("over", round=", ".join(f"round {each}" for each in rounds))'),
        ("composed", 'WORDING("over", round="this one")'),
        ("composed", 'WORDING.refused("over", round=", ".join(rounds) or "none")'),
        ("composed", 'def close(number):\n    name = f"round {number}"\n    return WORDING("over", round=name)'),
        ("composed", 'def close(name):\n    name = name or "round"\n    return WORDING("over", round=name)'),
    ],
)
def test_what_is_wrong_with_a_module_is_seen(what, source):
    source = source if source.startswith("def") else f"def close():\n    {source}"
    assert list(getattr(Module(source), what)())


@pytest.mark.parametrize(
    "source",
    [
        'Refused(fault.code, read(fault.message), way_out=WORDING("together"))',
        'raise ValueError("It is too long.")',
        '"""Say that a round is over."""',
        'WORDING("over", round=round_, left=len(left) - 1, line=before + 1, boxes=", ".join(map(str, boxes)))',
        'WORDING.refused("over", path=f"signature.{name}", detail={"round": "81"}, round=round_)',
        'raise Http404("There is no such table.")',
        'return {"units": {"type": "integer", "description": "What it comes to."}}',
        'query = {"login": "Whose passkeys these are."}',
        'WIN = Report(name="win", sums="The rake is no part.", absent=("win", "MISSING", "No table is missing."))',
        'return "New Jersey, N.J.A.C."',
        'return f"{day.day} {day:%b %Y}", f"round:{number}"',
    ],
)
def test_what_is_right_with_a_module_passes(source):
    module = Module(f"def close():\n    {source}")
    assert not [*module.refusals(), *module.sentences(), *module.composed(), *module.fragments()]


@pytest.mark.parametrize(
    ("argument", "codes"),
    [
        ('"over"', ["over"]),
        ('"over" if late else "over:now"', ["over", "over:now"]),
        ("WAYS[kind]", ["over", "late"]),
        ('WAYS.get(kind, "take")', ["over", "late", "take"]),
        ("code", None),
        ("ways[kind]", None),
        ('f"{name}_wrong"', None),
    ],
)
def test_codes_are_chosen_by_literals(argument, codes):
    module = Module(f'WAYS = {{1: "over", 2: "late"}}\nWORDING({argument})')
    assert module.codes(module.calls[0].args[0]) == codes
