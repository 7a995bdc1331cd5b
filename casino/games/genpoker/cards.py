"""The 64 cards of Genpoker, as the contract writes them: `3R` is a red grandparent, `6B-07` a black #6 of nation 07."""

from casino.games.decks import SEXES, Deck, Face
from casino.phrases import phrase, phrases

COLOURS = {"R": "red", "B": "black"}
NATIONS = tuple(f"{nation:02}" for nation in range(1, 17))
"""Each has one couple of #6: a red and a black card (genpoker.2)."""

COPIES_OF_ONE_COLOUR = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8}
"""Half of a number's cards are red, half black (genpoker.1); #6 has one card of each nation and colour instead."""

_COLOUR_NAMES = phrases("genpoker.colour", COLOURS)
_CARD = phrase("genpoker.card", "{colour} {number}")
_OF_A_NATION = phrase("genpoker.card.nation", "{colour} 6 of nation {nation}")


def _plain(number: int, colour: str) -> tuple[str, Face]:
    code = f"{number}{colour}"
    return code, Face(
        str(number), SEXES[colour], COLOURS[colour], _CARD.format(colour=_COLOUR_NAMES[colour], number=number), code
    )


def _of_a_nation(colour: str, nation: str) -> tuple[str, Face]:
    name = _OF_A_NATION.format(colour=_COLOUR_NAMES[colour], nation=nation)
    return f"6{colour}-{nation}", Face("6", f"{SEXES[colour]}{nation}", COLOURS[colour], name, f"6{colour}{nation}")


_PLAIN = {colour: tuple(_plain(number, colour) for number in COPIES_OF_ONE_COLOUR) for colour in COLOURS}
_OF_NATIONS = {colour: tuple(_of_a_nation(colour, nation) for nation in NATIONS) for colour in COLOURS}

SIXTY_FOUR = Deck(
    copies={
        card: COPIES_OF_ONE_COLOUR.get(int(card[0]), 1)
        for faces in (*_PLAIN.values(), *_OF_NATIONS.values())
        for card, _ in faces
    },
    order=tuple(tuple(card for card, _ in faces) for faces in (*_PLAIN.values(), *_OF_NATIONS.values())),
    faces=dict(face for faces in (*_PLAIN.values(), *_OF_NATIONS.values()) for face in faces),
)
"""The grid shows #1 to #5 in red and in black, then #6 nation by nation, a couple one above the other."""
