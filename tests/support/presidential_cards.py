"""Cards of the house deck as a croupier types them, and a sound deck with fewer shared symbols."""

from casino.games.presidential.pack import COLUMNS, Pack, house, read

_BY_KEYS = {face.keys: card for card, face in house().deck.faces.items()}
_FILLS = ("solid", "partial", "striped", "hollow")
_SHAPES = ("square", "circle", "star", "triangle")
_COLOURS = (
    ("dark-red", "dark-orange", "dark-yellow", "dark-green"),
    ("dark-blue", "dark-indigo", "dark-violet", "black"),
    ("light-red", "light-orange", "light-yellow", "light-green"),
    ("light-blue", "light-indigo", "light-violet", "grey"),
)


def hand(text):
    """`A1 J10 T17P`: the letter and the number, in Kingdom V the colour's first letter too."""
    return [_BY_KEYS[keys] for keys in text.split()]


def spelled(cards):
    return " ".join(house().deck.faces[card].keys for card in cards)


def plain_deck() -> str:
    """In each kingdom letter, picture and mystery symbol go with the number, the figure with the colour: many hands
    share nothing, and many symbols stand on the very same cards."""
    rows = []
    for kingdom, colours in enumerate(_COLOURS):
        for place in range(4):
            number = 4 * kingdom + place + 1
            for shape, colour in zip(_SHAPES, colours, strict=True):
                letter = "ABCDEFGHIJKLMNOP"[number - 1]
                figure = f"{_FILLS[kingdom]}-{shape}"
                cells = (f"{number}-{colour}", kingdom + 1, number, letter, colour, f"p{number}", figure, f"m{number}")
                rows.append(cells)
    for numbers, letter in (("17+20", "T"), ("18+19", "U")):
        for colour in ("tan", "pink"):
            for fill in ("solid", "hollow"):
                code = f"{numbers}-{colour}-{fill}"
                rows.append((code, 5, numbers, letter, colour, f"p{letter}", f"{fill}-crown", f"m{letter}"))
    return "\n".join([",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]) + "\n"


def plain() -> Pack:
    return read(plain_deck())
