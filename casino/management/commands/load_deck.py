"""`manage.py load_deck FILE`: check a house's own SIXCHEX deck and put it where rule sheets find it."""

import re
import sys
from pathlib import Path

from django.core.management.base import BaseCommand

from casino.games.presidential import pack as decks

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}\Z", re.ASCII)


class Command(BaseCommand):
    help = (
        "Check a deck file for Presidential Poker (presidential.1 to .4) and load it, so that a rule sheet can name it."
        " Needs no database; restart the casino afterwards. Exit status: 0 loaded or sound, 1 refused, 2 not readable."
    )
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("file", help="72 cards with the columns of casino/games/sixchex_house_deck.csv")
        parser.add_argument("--name", help="what rule sheets call it; left out: the file's name")
        parser.add_argument("--check", action="store_true", help="only check it")

    def handle(self, *, file, name, check, **options):
        try:
            content = Path(file).read_bytes()
        except (OSError, ValueError) as error:
            self._end(2, f"{file} can't be read: {getattr(error, 'strerror', None) or error}.")
        try:
            pack = decks.load(file)
        except decks.InvalidDeckError as error:
            self._end(1, f"{file} is refused. {error}")
        for warning in pack.warnings:
            self.stdout.write(f"Warning: {warning}")
        for difference in _differences(pack, decks.house()):
            self.stdout.write(difference)
        if check:
            self.stdout.write(f"{file} is a sound deck.")
            return
        name = name or Path(file).stem
        if not _NAME.match(name) or name == decks.HOUSE:
            what = f"{name!r} can't name a deck"
            self._end(1, f"{what}: lower-case letters, digits, - and _, and not {decks.HOUSE!r}. Give another --name.")
        self._keep(name, content)

    def _keep(self, name, content):
        kept = decks.LOADED / f"{name}.csv"
        if kept.exists() and kept.read_bytes() != content:
            # Rounds may have been settled with it; a settlement can be repeated for ever.
            self._end(1, f"Another deck is already called {name}; rounds may refer to it. Give another --name.")
        decks.LOADED.mkdir(exist_ok=True)
        if not kept.exists():
            kept.write_bytes(content)
        self.stdout.write(f"Loaded as {name}. Restart the casino; then a rule sheet can name it as its deck.")

    def _end(self, status, message):
        self.stderr.write(message)
        sys.exit(status)


def _differences(pack, house):
    """What is printed about a deck that is not the house deck: cards that only one of them has, and other symbols."""
    for code, card in pack.cards.items():
        other = house.cards.get(code)
        if other is None:
            yield f"Line {card.line}: {code} is no card of the house deck."
        elif card.symbols != other.symbols:
            changed = ", ".join(
                f"{ours}, there {theirs}"
                for ours, theirs in zip(card.symbols, other.symbols, strict=True)
                if ours != theirs
            )
            yield f"Line {card.line}: {code} differs from the house deck: {changed}."
    missing = [code for code in house.cards if code not in pack.cards]
    if missing:
        yield f"Not in this deck, but in the house deck: {', '.join(missing)}."
