"""The catalogue: every sentence of the code is in it, translated whole; amounts and plurals of a language."""

import re
from fractions import Fraction

import pytest
from django.utils import translation

from casino import catalogue, wording
from casino.phrases import phrase

from ..support import stack

PLACES = re.compile(r"\{(\w+)[^}]*\}|%\((\w+)\)s")
FILES = [(language, domain) for language in catalogue.languages() for domain in catalogue.DOMAINS]


def places(text):
    return {name for pair in PLACES.findall(text) for name in pair if name}


def test_the_files_have_the_sentences_of_the_code_and_no_others():
    """By a process of its own: what tests say is in no catalogue. Else run `manage.py catalogue`."""
    stack.manage("catalogue", "--check", **stack.urls("postgres"))


@pytest.mark.parametrize(("language", "domain"), FILES)
def test_every_sentence_is_translated(language, domain):
    sentences = [message for message in catalogue.read(language, domain) if message.id]
    assert len(sentences) > 20
    assert [each.id for each in sentences if not all(each.string if each.pluralizable else [each.string])] == []


@pytest.mark.parametrize(("language", "domain"), FILES)
def test_a_translation_has_the_places_of_its_sentence(language, domain):
    for message in catalogue.read(language, domain):
        if not message.id:
            continue
        english = message.id if message.pluralizable else [message.id]
        strings = message.string if message.pluralizable else [message.string]
        wanted = set().union(*map(places, english))
        for string in strings:
            # A plural may leave out its number.
            assert places(string) == wanted or (message.pluralizable and places(string) <= wanted), message.id


def test_one_sentence_is_one_entry_wherever_it_stands():
    """What is told apart by its place has a context; the same sentence in the same context means the same."""
    plurals = {}
    for domain in catalogue.DOMAINS:
        for message in catalogue.messages(domain):
            key = domain, message.context, message.sentence
            assert plurals.setdefault(key, message.plural) == message.plural, key


@pytest.mark.parametrize(
    ("units", "english", "german"),
    [
        (150, "1.50", "1,50"),
        (-123456700, "−1\u2009234\u2009567", "−1\u2009234\u2009567"),
        (Fraction(400, 3), "1.33 and 1/3", "1,33 und 1/3"),
    ],
)
def test_an_amount_has_the_decimal_mark_of_its_reader(units, english, german):
    assert wording.amount(units, 2) == english
    with translation.override("de"):
        assert wording.amount(units, 2) == german


def test_a_phrase_is_its_english_wherever_it_is_written_and_translated_only_where_it_is_read():
    box = phrase("box.name", "Box {box}").format(box=3)
    with translation.override("de"):
        assert f"{box}" == "Box 3"
        assert wording.read(box) == "Box 3"
