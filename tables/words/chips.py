"""Chips as people see them, and how much lies on each box in chips."""

from django.utils.formats import get_format

from casino import wording


def chip(chip_set, units, decimals):
    """A chip of a set, drawn in its own colour with writing that can be read on it."""
    colours = dict(zip(chip_set.denominations, chip_set.colours, strict=True))
    red, green, blue = (int(colours[units][at : at + 2], 16) for at in (1, 3, 5))
    light = 299 * red + 587 * green + 114 * blue > 150_000
    text = wording.amount(units, decimals).replace("\u2009", "")
    return {
        "units": units,
        "text": text,
        "colour": colours[units],
        "ink": "#12201a" if light else "#ffffff",
        "long": len(text) > 3,
    }


def staked(view):
    """All that lies on each box, including fees, in the order of the boxes."""
    boxes = sorted({wager.box for wager in view.wagers})
    return {box: sum(wager.units for wager in view.wagers if wager.box == box) for box in boxes}


def given_back(view, handed):
    """What a void round gives back to each box: its stakes, or what was swept; below 0, what it had been handed.

    :param handed: box to units, for the boxes that were finished in the round.
    """
    return staked(view) | {box: -units for box, units in handed.items()}


def amount_pattern(decimals):
    """The HTML pattern of a field for an amount in the currency: it takes a point, and the reader's own decimal mark.

    >>> amount_pattern(2), amount_pattern(0)
    ('[0-9]{1,10}(\\\\.[0-9]{1,2})?', '[0-9]{1,10}')
    """
    own = get_format("DECIMAL_SEPARATOR")
    mark = r"\." if own == "." else f"[.{own}]"
    return r"[0-9]{1,10}" + (rf"({mark}[0-9]{{1,{decimals}}})?" if decimals else "")


def amount_example(whole, decimals):
    """An amount as such a field takes it, half a unit of the currency in it.

    >>> amount_example(250, 2), amount_example(250, 0)
    ('250.50', '250')
    """
    return wording.amount(whole * 10**decimals + 10**decimals // 2, decimals)
