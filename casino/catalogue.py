"""The catalogue of a language: every sentence that has one, with its translation, as gettext's `.po` files in
`casino/locale`.

The English stands where it is used: in the rooms' tables (`wording.py`), in the games' phrases, in templates and in
scripts. `manage.py catalogue` finds it there and lays the files down anew; what a sentence was called before is kept
while its English stays the same. The `.mo` files that the product reads are made from them, and are never committed.
"""

import io
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from django.conf import settings
from django.utils.translation import template as django_template
from jinja2.ext import babel_extract

from .games import registry

LOCALE = settings.BASE_DIR / "casino" / "locale"
TEMPLATES = settings.BASE_DIR / "templates"
SCRIPTS = settings.BASE_DIR / "tables" / "static" / "tables"
ROOMS = ("casino.web", "tables.people", "tables.rest", "tables.terminal", "tables.verbs", "tables.words")
"""The packages whose sentences have a translation; the tables of all others are for the console."""

GROUND = ("casino.hashing", "casino.passwords")
"""The modules beneath the rooms that refuse a person something: what they say are phrases, as the games' are."""

OF_PAGES, OF_SCRIPTS = "django", "djangojs"
DOMAINS = (OF_PAGES, OF_SCRIPTS)
_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3)}
_HEADER = "# {name}: every sentence that a croupier or a player meets. Marked `unsure`: to be read by a native speaker."


class Message(NamedTuple):
    """A sentence; `plural` is "" if it has none."""

    context: str
    sentence: str
    plural: str = ""


def messages(domain: str) -> Iterator[Message]:
    """Every sentence of a domain, as it stands in the code; one that is used twice comes twice."""
    if domain == OF_SCRIPTS:
        for path in sorted(SCRIPTS.glob("*.js")):
            yield from _found(extract("javascript", io.BytesIO(path.read_bytes()), _KEYWORDS))
        return
    for room in ROOMS:
        for context, sentence in import_module(f"{room}.wording").WORDING.messages():
            yield Message(context, sentence)
    for module in GROUND:
        import_module(module)
    for context, sentence in registry.catalogue():
        yield Message(context, sentence)
    for path in sorted(set(TEMPLATES.rglob("*.html")) - set((TEMPLATES / "terminal").iterdir())):
        source = django_template.templatize(path.read_text(), origin=str(path))
        # What stands between the sentences is blanked out; its indentation would mean something in Python.
        flat = "\n".join(map(str.strip, source.splitlines()))
        yield from _found(extract("python", io.BytesIO(flat.encode()), _KEYWORDS))
    for path in sorted((TEMPLATES / "terminal").glob("*.html")):
        options = {"trimmed": "true", "lstrip_blocks": "true", "silent": "false"}
        yield from _found_by_jinja(path, options)


def _found_by_jinja(path: Path, options: dict[str, str]) -> Iterator[Message]:
    for _, function, text, _ in babel_extract(io.BytesIO(path.read_bytes()), tuple(_KEYWORDS), (), options):
        parts = [part for part in ((text,) if isinstance(text, str) else text) if part is not None]
        context = parts.pop(0) if "pgettext" in (function or "") else ""
        yield Message(context, *parts)


def _found(extracted) -> Iterator[Message]:
    for _, text, _, context in extracted:
        yield Message(context or "", *((text,) if isinstance(text, str) else text))


def path(language: str, domain: str) -> Path:
    """Where a language's file lies."""
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, domain: str) -> Catalog:
    """A language's translations; none if there is no file yet."""
    at = path(language, domain)
    if not at.exists():
        return Catalog(locale=language)
    with at.open("rb") as file:
        return pofile.read_po(file, locale=language)


def renewed(language: str, domain: str) -> Catalog:
    """A language's catalogue with exactly the sentences that there are now; a new one has no translation yet."""
    before, after = read(language, domain), Catalog(locale=language, fuzzy=False)
    for message in messages(domain):
        key = (message.sentence, message.plural) if message.plural else message.sentence
        context = message.context or None
        known = before.get(message.sentence, context)
        is_same = known is not None and known.id == key
        after.add(
            key,
            known.string if known is not None and is_same else None,
            context=context,
            user_comments=known.user_comments if known is not None and is_same else (),
        )
    return after


def text(language: str, domain: str) -> bytes:
    """The file of `renewed`, byte for byte, its sentences in order."""
    catalogue, file = renewed(language, domain), io.BytesIO()
    pofile.write_po(file, catalogue, width=110, no_location=True, omit_header=True, sort_output=True)
    forms = f"nplurals={catalogue.num_plurals}; plural={catalogue.plural_expr};"
    head = (
        f"{_HEADER.format(name=catalogue.locale_identifier)}\n"
        'msgid ""\nmsgstr ""\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Language: {language}\\n"\n"Plural-Forms: {forms}\\n"\n\n'
    )
    return head.encode() + file.getvalue().strip() + b"\n"


def languages() -> list[str]:
    """The languages that have a catalogue: all but English, which stands in the code."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def lay_down() -> None:
    """Write every language's files anew."""
    for language in languages():
        for domain in DOMAINS:
            at = path(language, domain)
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(text(language, domain))


def stale() -> Iterator[Path]:
    """The files that differ from what `lay_down` would write."""
    for language in languages():
        for domain in DOMAINS:
            at = path(language, domain)
            if not at.exists() or at.read_bytes() != text(language, domain):
                yield at.relative_to(settings.BASE_DIR)


def compile_all() -> None:
    """Compile every file into what gettext reads."""
    for language in languages():
        for domain in DOMAINS:
            with path(language, domain).with_suffix(".mo").open("wb") as file:
                mofile.write_mo(file, read(language, domain))
