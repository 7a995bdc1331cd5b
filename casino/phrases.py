"""Texts that know what they are made of, so that whoever reads another language gets them in theirs.

A game is pure and knows no language: it says its sentences in English, as phrases, and `casino.wording.read` puts them
into the language of whoever reads. Whatever is written to the log, a file or an answer is the English text.
"""

from collections.abc import Iterator, Mapping
from typing import Any


class Phrase(str):
    """A sentence in English. `context` names it in the catalogue; `values` fill its places and may be phrases too.

    >>> nines, pair = phrase("rank.9", "nines"), phrase("poker.pair", "Pair of {rank}")
    >>> pair, pair.format(rank=nines), pair.format(rank=nines).within(), pair.format(rank=nines).values["rank"].context
    ('Pair of {rank}', 'Pair of nines', 'pair of nines', 'rank.9')
    """

    context: str
    sentence: str
    values: Mapping[str, Any]

    def format(self, *_: Any, **values: Any) -> "Phrase":
        """The sentence with its places filled, by name only."""
        return _phrase(super().format(**values), self.context, self.sentence, values)

    def within(self) -> "Phrase":
        """The same within an English sentence, where it begins with a small letter; elsewhere it stays as it is."""
        return _phrase(self[:1].lower() + self[1:], self.context, self.sentence, self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return _phrase, (str(self), self.context, self.sentence, self.values)


def _phrase(text: str, context: str, sentence: str, values: Mapping[str, Any]) -> Phrase:
    made = Phrase(text)
    made.context, made.sentence, made.values = context, sentence, values
    return made


_SENTENCES: dict[tuple[str, str], None] = {}


def phrase(context: str, sentence: str) -> Phrase:
    """A sentence of the catalogue, its places still open. Both stand literally where this is called."""
    _SENTENCES.setdefault((context, sentence))
    return _phrase(sentence, context, sentence, {})


def phrases(context: str, sentences: Mapping[str, str]) -> dict[str, Phrase]:
    """A table of sentences by their codes.

    >>> phrases("split.word", {"ante": "ANTE"})["ante"].context
    'split.word.ante'
    """
    return {code: phrase(f"{context}.{code}", sentence) for code, sentence in sentences.items()}


def catalogue() -> Iterator[tuple[str, str]]:
    """Each sentence that was made so far, with its context."""
    yield from _SENTENCES
