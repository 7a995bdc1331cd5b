"""Amounts as people type and read them at a table."""

import re

import pytest
from django.utils import translation

from tables.words import chips


@pytest.mark.parametrize(
    ("language", "typed", "fits"),
    [
        ("en-gb", "1.50", True),
        ("en-gb", "1,50", False),
        ("de", "1,50", True),
        ("de", "1.50", True),
        ("de", "1,500", False),
    ],
)
def test_an_amount_is_typed_with_a_point_or_the_reader_s_own_decimal_mark(language, typed, fits):
    with translation.override(language):
        assert bool(re.fullmatch(chips.amount_pattern(2), typed)) is fits
