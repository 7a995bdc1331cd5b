"""Jinja2 for the pages that are shown again all night: it takes less than half the time of Django's own templates."""

import functools

import jinja2
from django.urls import reverse
from django.utils import translation

from ..wording import read

KEPT = 8192
"""How many drawings are kept at most, each of a kilobyte or so; of addresses as many."""


class Environment(jinja2.Environment):
    """An environment in which a missing name is an error, except to `default`. A phrase is printed in the language of
    whoever reads it."""

    # `x.y` is a key first, as in Django's templates: most of what they print are dicts, and one has a key `keys`.
    getattr = jinja2.Environment.getitem

    def __init__(self, **options):
        super().__init__(
            **{
                **options,
                "undefined": jinja2.StrictUndefined,
                "lstrip_blocks": True,
                "extensions": ["jinja2.ext.i18n"],
                "finalize": read,
            }
        )
        self.policies["ext.i18n.trimmed"] = True
        self.install_gettext_callables(
            translation.gettext,
            translation.ngettext,
            newstyle=True,
            pgettext=translation.pgettext,
            npgettext=translation.npgettext,
        )
        self.globals |= {"url": _url, "kept": _kept}


@functools.lru_cache(KEPT)
def _url(name, *args):
    return reverse(name, args=args)


def _kept(macro, drawn):
    """An imported macro that draws each dict of plain values once and keeps it: a felt shows the same 52 keys again."""
    return _drawing(macro, tuple(drawn), tuple(drawn.values()), translation.get_language())


@functools.lru_cache(KEPT)
def _drawing(macro, names, values, language):
    return macro(dict(zip(names, values, strict=True)))
