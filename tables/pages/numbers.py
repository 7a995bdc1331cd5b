"""Numbers as forms and addresses of pages have them."""


def of(text, otherwise=-1):
    """A number of a row, or `otherwise` for a text that is none; -1 is the number of no row."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else otherwise
