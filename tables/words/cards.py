"""Cards as people see them: drawn on a screen, or spelled in a line of text."""

from casino.wording import read

from .wording import WORDING

# Marks that are drawn; all others are written.
SIGNS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


def face(deck, card):
    """How a card is drawn, by its deck."""
    drawn = deck.faces[card]
    sign = SIGNS.get(drawn.mark, "")
    return {
        "code": card,
        "text": drawn.rank,
        "wide": len(drawn.rank) > 2,
        "narrow": len(drawn.rank) == 2,
        "sign": sign,
        "mark": "" if sign else drawn.mark,
        "hue": drawn.hue,
        "name": drawn.name,
        "keys": drawn.keys,
    }


def spell(deck, cards):
    """Cards in a line of text, as they look: `10♦ A♠`; anything but a card of the deck stays as it is."""
    faces = [deck.faces.get(card) if isinstance(card, str) else None for card in cards]
    looks = (read(face.rank) + read(face.mark) if face else str(card) for face, card in zip(faces, cards, strict=True))
    return " ".join(looks)


def backs(count):
    """Cards that show only their backs, in words."""
    return WORDING("face_down", count=count) if count > 1 else WORDING("face_down:one")
