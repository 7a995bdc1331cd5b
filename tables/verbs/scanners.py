"""How the scanner at a terminal spells the cards of a game, as the pit boss sets it."""

import re

from audit import log
from casino.games import registry
from casino.games.reading import shown

from ..models import Scanner, Terminal
from .wording import WORDING

_TYPED = re.compile(r"[!-\-/->@-~]{0,20}\Z")
LEAST = 2
"""A single key is a hand's, so a scan has two or more."""


def newest(terminal_id, game):
    """The profile that counts at a terminal for a game; None if none was set."""
    return Scanner.objects.filter(terminal=terminal_id, game=game).last()


def faces(game):
    """The cards of a game by their codes in lines, each with how screens show it."""
    return registry.GAMES[game].deck(registry.GAMES[game].sheet({})).faces


def set_profile(*, terminal_id, game, prefix, suffix, codes, actor):
    """Set how the scanner at a terminal spells the cards of a game from now on.

    It is a setting of a device, as its enrolment is, so one pit boss sets it: whatever is scanned stands on the
    screen before it is sent. The log has all of it, before and after.

    :param codes: the code of each card that has its own, by the card; of no other card.
    :raises Refused: `terminal_revoked`, `scanner_unchanged`; `game_unknown` and `scanner_wrong` (422).
    """
    terminal = Terminal.objects.select_for_update(no_key=True).get(pk=terminal_id)
    if terminal.revoked_at:
        raise WORDING.refused("terminal_revoked", terminal=terminal)
    _check(game, prefix, suffix, codes)
    before = newest(terminal_id, game)
    after = {"prefix": prefix, "suffix": suffix, "codes": codes}
    if after == (content(before) if before else {"prefix": "", "suffix": "", "codes": {}}):
        raise WORDING.refused("scanner_unchanged", terminal=terminal)
    scanner = Scanner.objects.create(terminal=terminal, game=game, **after, set_by=actor.by)
    of = {"terminal": f"terminal:{terminal.pk}", "game": game}
    log.record(
        "setting.changed",
        scanner.ref,
        chain=log.HOUSE,
        actor=actor,
        facts={"what": scanner.ref, "before": before and content(before), "after": of | after},
    )
    return scanner


def content(scanner):
    """What a profile holds."""
    return {"prefix": scanner.prefix, "suffix": scanner.suffix, "codes": scanner.codes}


def _check(game, prefix, suffix, codes):
    if game not in registry.GAMES:
        raise WORDING.refused("game_unknown", game=shown(game), games=", ".join(sorted(registry.GAMES)))
    if not _TYPED.match(prefix):
        raise WORDING.refused("scanner_wrong:prefix")
    if not _TYPED.match(suffix):
        raise WORDING.refused("scanner_wrong:suffix")
    cards, read_as = faces(game), {}
    for card, code in codes.items():
        path = f"codes.{card}"
        if card not in cards:
            raise WORDING.refused("scanner_wrong:card", path=path, card=shown(card))
        if not isinstance(code, str) or not code or not _TYPED.match(code):
            raise WORDING.refused("scanner_wrong:code", path=path, card=cards[card].name)
        if len(prefix + code + suffix) < LEAST:
            raise WORDING.refused("scanner_wrong:single", path=path, card=cards[card].name)
        if code in read_as:
            other = cards[read_as[code]].name
            raise WORDING.refused("scanner_wrong:twice", path=path, typed=code, other=other, card=cards[card].name)
        read_as[code] = card
    for card, face in cards.items():
        other = next((code for code in read_as if code.lower() == face.keys.lower()), None)
        if card not in codes and other:
            raise WORDING.refused(
                "scanner_wrong:keys",
                path=f"codes.{read_as[other]}",
                typed=other,
                card=cards[read_as[other]].name,
                other=face.name,
            )
