"""What a room says to people: a table of sentences by code, filled in the language of whoever reads them.

Each room has one such table, in its `wording.py`; the English stands there, every other language in `casino/locale`. A
sentence's context in the catalogue is the room's name and its code.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import get_language, pgettext

from .errors import Refused
from .games.game import Reason
from .games.sentences import Ear
from .money import Units, spell, spell_exact
from .phrases import Phrase, phrase

AND = phrase("amount.part", "and")
"""Between an amount and its part of a unit."""


class Refusal(NamedTuple):
    """Why a command is refused, and the way out; the other fields of `casino.errors.Refused` are the same each time."""

    fact: str
    way_out: str = ""
    status: int = 409
    path: str = ""
    clause: str | None = None


class Wording:
    """The sentences of a room.

    >>> wording = Wording("bar", {"closed": Refusal("{bar} is closed.", "Come at {hour}."), "open": "{bar} is open."})
    >>> wording("open", bar="Anna’s")
    'Anna’s is open.'
    >>> refused = wording.refused("closed", bar="Anna’s", hour=8)
    >>> refused.code, refused.message, refused.way_out
    ('closed', 'Anna’s is closed.', 'Come at 8.')
    """

    def __init__(self, room: str, sentences: Mapping[str, str | Refusal]) -> None:
        self.room = room
        self.sentences = sentences

    def messages(self) -> Iterator[tuple[str, str]]:
        """Every sentence with its context, for the catalogue."""
        for code, sentence in self.sentences.items():
            texts = (sentence.fact, sentence.way_out) if isinstance(sentence, Refusal) else (sentence,)
            for text in filter(None, texts):
                yield f"{self.room}.{code}", text

    def __call__(self, code: str, **values: Any) -> str:
        """A sentence that refuses nothing."""
        sentence = self.sentences[code]
        if isinstance(sentence, Refusal):
            raise TypeError(f"{self.room}.{code} is a refusal.")
        return put(f"{self.room}.{code}", sentence, values)

    def refused(
        self, code: str, *, path: str | None = None, clause: str | None = None, detail: Any = None, **values: Any
    ) -> Refused:
        """A refusal to be raised. What follows a colon in `code` tells apart sentences of one code.

        :param path: and `clause`: where they are not the same each time.
        """
        refusal = self.sentences[code]
        if not isinstance(refusal, Refusal):
            raise TypeError(f"{self.room}.{code} is no refusal.")
        context = f"{self.room}.{code}"
        return Refused(
            code.partition(":")[0],
            put(context, refusal.fact, values),
            status=refusal.status,
            clause=refusal.clause if clause is None else clause,
            path=refusal.path if path is None else path,
            way_out=put(context, refusal.way_out, values) if refusal.way_out else "",
            detail=detail,
        )


def put(context: str, sentence: str, values: Mapping[str, Any]) -> str:
    """A sentence of the catalogue with its values, in the language of whoever reads it."""
    text = pgettext(context, sentence)
    return text.format(**{name: read(_name(value)) for name, value in values.items()}) if values else text


def _name(value: Any) -> Any:
    """What a value is called; a row may have a phrase for a name, and a number is written as its place asks."""
    return value if isinstance(value, str | int) else str(value)


def read(text: Any) -> Any:
    """A text in the language of whoever reads it: a phrase is translated, anything else stays as it is.

    English is the phrase's own text, which may begin with a small letter inside a sentence.
    """
    return text if not isinstance(text, Phrase) or is_english() else put(text.context, text.sentence, text.values)


def is_english() -> bool:
    """Whether the reader's language is English, in which everything is written."""
    return get_language() in (None, settings.LANGUAGE_CODE)


def amount(units: int | Fraction, decimals: int) -> str:
    """An amount with the decimal mark of the reader's language; the log and files use `casino.money.spell`."""
    text = spell(units, decimals) if isinstance(units, int) else spell_exact(units, decimals)
    if is_english():
        return text
    return text.replace(".", get_format("DECIMAL_SEPARATOR")).replace(AND, read(AND))


def tell(sentences: Mapping[str, str], reason: Reason, decimals: int = 0) -> str:
    """A game's reason in the language of whoever reads it, its amounts in a currency with `decimals`."""
    return fill(sentences[reason.message], reason.values, decimals)


def fill(sentence: str, values: Mapping[str, Any], decimals: int = 0) -> str:
    """A game's sentence with its values: a refusal's, a remark's, an explanation's."""
    return str(read(sentence)).format(**_texts(values, decimals))


def hear(spoken: Mapping[str, str], reason: Reason, decimals: int = 0) -> str | None:
    """A reason as it is said aloud, in the reader's language; see `casino.games.sentences.hear`."""
    sentence = spoken.get(reason.message)
    return None if sentence is None else Ear().vformat(str(read(sentence)), (), _texts(reason.values, decimals))


def _texts(values: Mapping[str, Any], decimals: int) -> dict[str, Any]:
    return {
        name: amount(value, decimals) if value.__class__ in (Units, Fraction) else read(value)
        for name, value in values.items()
    }


def read_whole(value: Any) -> Any:
    """A page's values with every phrase translated; nothing is copied if the reader's language is English."""
    return value if is_english() else _read_whole(value)


def _read_whole(value: Any) -> Any:
    if isinstance(value, str):
        return read(value)
    if isinstance(value, Mapping):
        return {key: _read_whole(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return [_read_whole(each) for each in value]
    return value
