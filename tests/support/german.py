"""What a page says in English where it speaks German."""

import html
import re

# Words of English sentences that no German one has.
ENGLISH = re.compile(
    r"(?i)\b(the|of|is|are|and|to|your|with|by|for|not|from|this|or|it|has|have|goes|back|paid|taken|waits|no"
    r"|nothing)\b(?!…)"
)
_SAID = re.compile(r'<[^>]*?\b(?:aria-label|title|placeholder|alt|data-text)="([^"]*)"')


def english(texts, but=()):
    """Those of the texts that have English words, in order.

    :param but: what is said in English whatever the language, as what people entered.
    """
    for each in but:
        texts = [text.replace(each, "") for text in texts]
    return sorted({text for text in texts if ENGLISH.search(text)})


def texts(markup):
    """The texts of a page's HTML as people read or hear them, each by itself."""
    shown = re.sub(r"(?s)<(script|style|template|svg)\b.*?</\1>|<!--.*?-->", " ", markup)
    said = [*re.split(r"<[^>]*>", shown), *_SAID.findall(shown)]
    return [" ".join(html.unescape(text).split()) for text in said if text.strip()]
