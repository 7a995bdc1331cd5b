"""What the terminal draws, for the other pages too: `{% icon "ok" %}`, `{% chip chip %}`, `{% face card %}`."""

import re

from django import template
from django.template import engines
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe

register = template.Library()
# The number of a case, a slip or a round, and an amount with its thousands.
_NUMBERS = re.compile(r"\b[A-Z][A-Z0-9]*-[0-9][0-9-]*[0-9]\b|[+−-]?[0-9]+(?:\u2009[0-9]{3})+(?:\.[0-9]+)?")


@register.filter
def unbroken(text):
    """Words in which no line breaks within a number.

    >>> unbroken("allowed 0, V-2026-000001 <b>")
    'allowed 0, <span class="whole">V-2026-000001</span> &lt;b&gt;'
    """
    escaped = conditional_escape(text)
    return mark_safe(_NUMBERS.sub(lambda number: f'<span class="whole">{number[0]}</span>', escaped))  # noqa: S308 - escaped


@register.filter
def number(count):
    """A count with thin spaces for thousands.

    >>> number(412806), number("more than 2000")
    ('412\u2009806', 'more than 2000')
    """
    return f"{count:,}".replace(",", "\u2009") if isinstance(count, int) else count


def _macro(name):
    """A macro of the terminal's templates as a tag."""

    def tag(value):
        return getattr(engines["jinja2"].env.get_template("_drawings.html").module, name)(value)

    register.simple_tag(tag, name=name)


for name in ("icon", "chip", "face"):
    _macro(name)
