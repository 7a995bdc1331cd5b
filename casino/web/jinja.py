"""Jinja2 for the pages that are shown again all night: it takes a fraction of the time of Django's own templates."""

import jinja2
from django.urls import reverse


class Environment(jinja2.Environment):
    """What a template names and is not there is an error, but to `default`."""

    # `x.y` is a key first, as in Django's templates: most of what they print are dicts, and one has a key `keys`.
    getattr = jinja2.Environment.getitem

    def __init__(self, **options):
        super().__init__(**{**options, "undefined": jinja2.StrictUndefined, "lstrip_blocks": True})
        self.globals["url"] = _url


def _url(name, *args):
    return reverse(name, args=args)
