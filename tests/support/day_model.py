"""What tables come to on a gaming day, worked out from a list of what people did: it uses nothing of the product.

A table's chips are followed session by session, without movements or their dates: what is done in a session belongs to
its day, and so does the cash that is counted days later. Everything is in units.

    >>> deeds = [Deed("begin", "table:3", 12, date="2026-11-22"), Deed("open", "table:3", 12, 500)]
    >>> deeds += [Deed("round", "table:3", 12, 80), Deed("close", "table:3", 12, 570)]
    >>> (row,) = day_of(deeds, "2026-11-22")["tables"]
    >>> row["win"], row["variance"], row["grade"]
    (70, -10, 'FINAL')
"""

from typing import NamedTuple

FIGURES = ("opener", "fills", "credits", "buy_ins", "closer", "drop", "win", "rake", "tips", "variance")


class Deed(NamedTuple):
    """Something done at a table in one of its sessions; deeds are in order.

    `begin` has the `date`. `open`, `close` and `rake` are what was counted, `fill`, `credit`, `back` (a credit that was
    sent back), `buy_in` and `tip` what moved, `round` what the table won. `mount` and `count`, which has the cash, are
    about a drop box, by the number printed on it. A buy-in goes into the drop box that is mounted.
    """

    what: str
    table: str
    session: int
    units: int = 0
    box: str = ""
    date: str = ""


class Box:
    """A drop box: what went into it, and its cash once it is counted."""

    def __init__(self, number):
        self.number, self.paid, self.cash = number, 0, None


class Sitting:
    """A session, from what was done in it."""

    def __init__(self, begin):
        self.table, self.number, self.date = begin.table, begin.session, begin.date
        self.opener = self.closer = None
        self.fills = self.credits = self.bought = self.won = self.rake = self.tips = 0
        self.boxes = []

    def do(self, deed):
        match deed.what:
            case "open":
                self.opener = deed.units
            case "close":
                self.closer = deed.units
            case "fill":
                self.fills += deed.units
            case "credit":
                self.credits += deed.units
            case "back":
                self.credits -= deed.units
            case "buy_in":
                self.bought += deed.units
                self.boxes[-1].paid += deed.units
            case "round":
                self.won += deed.units
            case "rake":
                self.rake += deed.units
            case "tip":
                self.tips += deed.units
            case "mount":
                self.boxes.append(Box(deed.box))
            case "count":
                next(box for box in self.boxes if box.number == deed.box).cash = deed.units
            case _:
                raise ValueError(deed.what)

    @property
    def missing(self):
        """Sentences about what is not done, each after its sort key: sessions before drop boxes."""
        if self.opener is None:
            yield 0, self.number, 0, f"Session {self.number} isn’t opened."
        elif self.closer is None:
            yield 0, self.number, 0, f"Session {self.number} isn’t closed."
        for place, box in enumerate(self.boxes):
            if box.cash is None:
                yield 1, self.number, place, f"Drop box {box.number} isn’t counted."

    @property
    def is_counted(self):
        return all(box.cash is not None for box in self.boxes)

    @property
    def drop(self):
        return sum(box.cash for box in self.boxes) if self.is_counted else None

    @property
    def left(self):
        """The chips that should be there at the end."""
        return self.opener + self.fills - self.credits - self.bought + self.won

    @property
    def variance(self):
        if self.closer is None or not self.is_counted:
            return None
        return self.closer - self.left + sum(box.cash - box.paid for box in self.boxes)

    @property
    def win(self):
        """The win by the rounds: what they brought, and what counts found beyond that."""
        return None if self.variance is None else self.won + self.variance

    def figures(self):
        closed = self.closer is not None
        known = (self.opener, self.fills, self.credits, self.bought, self.closer, self.drop, self.win)
        return dict(zip(FIGURES, (*known, self.rake if closed else None, self.tips, self.variance), strict=True))


def sittings_of(deeds):
    """The sessions of a list, in the order in which they were begun."""
    sittings = {}
    for deed in deeds:
        if deed.what == "begin":
            sittings[deed.session] = Sitting(deed)
        else:
            sittings[deed.session].do(deed)
    return list(sittings.values())


def together(values):
    """The sum; None if one is not known."""
    return None if None in values else sum(values)


def day_of(deeds, date, *, closed=False):
    """The figures of a day; `closed`: the house has closed it."""
    sittings = [each for each in sittings_of(deeds) if each.date == date]
    rows = []
    for table in sorted({each.table for each in sittings}, key=lambda name: int(name.split(":")[1])):
        own = [each for each in sittings if each.table == table]
        figures = [each.figures() for each in own]
        why = [sentence for *_, sentence in sorted(each for one in own for each in one.missing)]
        row = {name: together([each[name] for each in figures]) for name in FIGURES}
        grade = "ESTIMATE" if why else "FINAL"
        rows.append({"table": table, **row, "grade": grade, "why": " ".join(why) or None})
    sums = {}
    for name in FIGURES:
        known = [row[name] for row in rows if row[name] is not None]
        sums[name] = {"units": sum(known), "of": len(known), "tables": len(rows)}
    return {"day": date, "grade": "FINAL" if closed else "ESTIMATE", "tables": rows, "sums": sums}
