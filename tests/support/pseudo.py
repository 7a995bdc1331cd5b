"""A language that nobody speaks: every sentence of the catalogue, 40 % longer. A screen with room for it has room for
the next language, too."""

import contextlib
import re

from babel.messages import mofile
from babel.messages.catalog import Catalog
from django.test import override_settings

from casino import catalogue
from tables.people import languages

CODE = "eo"
MORE = 0.4
# Places for values, and the markup around words, stay as they are.
KEPT = re.compile(r"\{[^}]*\}|%\(\w+\)s|<[^>]*>")
WORD = re.compile(r"[^\W\d_]+")


def lengthened(text):
    """A text whose words are 40 % longer in total, with last letters drawn out.

    >>> lengthened("Box {box} folds."), lengthened("Pay")
    ('Boxx {box} foldsss.', 'Payy')
    """
    owed = 0.5

    def word(match):
        nonlocal owed
        owed += MORE * len(match[0])
        more, owed = divmod(owed, 1)
        return match[0] + match[0][-1] * int(more)

    ends = [match.span() for match in KEPT.finditer(text)]
    parts, at = [], 0
    for begin, end in [*ends, (len(text), len(text))]:
        parts += [WORD.sub(word, text[at:begin]), text[begin:end]]
        at = end
    return "".join(parts)


@contextlib.contextmanager
def spoken(folder):
    """A context manager within which the house has this language, its catalogues compiled in `folder`."""
    compiled = folder / CODE / "LC_MESSAGES"
    compiled.mkdir(parents=True)
    for domain in catalogue.DOMAINS:
        sentences = Catalog(fuzzy=False)
        for context, sentence, plural in catalogue.messages(domain):
            longer = (lengthened(sentence), lengthened(plural)) if plural else lengthened(sentence)
            sentences.add((sentence, plural) if plural else sentence, longer, context=context or None)
        with (compiled / f"{domain}.mo").open("wb") as file:
            mofile.write_mo(file, sentences)
    known, languages.KNOWN = languages.KNOWN, {**languages.KNOWN, CODE: "Pseudo"}
    try:
        with override_settings(LANGUAGES=[("en-gb", "English"), (CODE, "Pseudo")], LOCALE_PATHS=[folder]):
            yield CODE
    finally:
        languages.KNOWN = known
