"""What the terminal draws, for the other pages too: `{% icon "ok" %}`, `{% chip chip %}`, `{% face card %}`."""

from django import template
from django.template import engines

register = template.Library()


def _macro(name):
    """A macro of the terminal's templates as a tag."""

    def tag(value):
        return getattr(engines["jinja2"].env.get_template("_drawings.html").module, name)(value)

    register.simple_tag(tag, name=name)


for name in ("icon", "chip", "face"):
    _macro(name)
