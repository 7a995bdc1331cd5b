"""The second backend of templates: what it escapes, what it looks up first, what it refuses."""

import jinja2
import pytest
from django.template import engines


def rendered(source, **values):
    return engines["jinja2"].env.from_string(source).render(values)


def test_what_is_put_in_is_text_and_no_markup():
    assert rendered("{{ word }}", word="<b>'\"&") == "&lt;b&gt;&#39;&#34;&amp;"
    drawn = rendered(
        '{% from "_drawings.html" import option %}{{ kept(option, named) }}', named={"value": "<", "text": "&"}
    )
    assert drawn == '<option value="&lt;">&lt; &amp;</option>\n'


def test_what_is_not_there_is_an_error_but_to_default():
    with pytest.raises(jinja2.UndefinedError):
        rendered("{{ screen.word }}", screen={})
    with pytest.raises(jinja2.UndefinedError):
        rendered("{% if word %}{% endif %}")
    assert rendered("{% if screen.word|default %}yes{% endif %}", screen={}) == ""


def test_a_key_comes_before_an_attribute():
    assert rendered("{{ screen.keys }}", screen={"keys": "Z"}) == "Z"
    assert rendered("{{ word.upper() }}", word="a") == "A"
