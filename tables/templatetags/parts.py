"""Parts of a page that depend on nothing but their values: rendered once for each of these and kept.

A felt shows the same 52 keys, faces and chips again and again; to render them anew takes longer than all else of it.
"""

import functools
import json

from django import template
from django.template.loader import get_template

register = template.Library()

KEPT = 8192
"""How many are kept at most, each of a kilobyte or so."""


@register.simple_tag
def part(name, **values):
    """The template with these values, which are JSON, and nothing else: no context, no request."""
    return _rendered(name, _Values(values))


class _Values(str):
    """Values by their text, so that equal ones are one key."""

    __slots__ = ("values",)

    def __new__(cls, values):
        made = super().__new__(cls, json.dumps(values, separators=(",", ":")))
        made.values = values
        return made


@functools.lru_cache(KEPT)
def _rendered(name, values):
    return get_template(name).template.render(template.Context(values.values))
