"""The blocks of a document that `printing.pdf` prints, as `templates/print/document.typ` takes them."""


def text(text):
    return {"kind": "text", "text": text}


def head(text):
    return {"kind": "head", "text": text}


def quote(text):
    return {"kind": "quote", "text": f"“{text}”"}


def verdict(head, text):
    return {"kind": "verdict", "head": head, "text": text}


def facts(rows):
    return {"kind": "facts", "rows": [list(row) for row in rows]}


def column(label, width=0, *, right=False, mono=False):
    return {"label": label, "width": width, "right": right, "mono": mono}


def table(columns, rows, empty):
    return {"kind": "table", "columns": columns, "rows": rows, "empty": empty}


def goal(text):
    """A cell of a table to which `links` lead; each such cell has its own text."""
    return {"kind": "goal", "text": text}


def links(texts):
    """A cell of a table that leads to others: each text is that of a `goal`."""
    return {"kind": "links", "texts": list(texts)}


def mono(*lines):
    return {"kind": "mono", "lines": list(lines)}
