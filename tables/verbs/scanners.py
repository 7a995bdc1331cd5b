"""How the scanner at a terminal spells the cards of a game, as the pit boss sets it."""

import re

from audit import log
from casino.errors import Refused
from casino.games import registry

from ..models import Scanner, Terminal

_TYPED = re.compile(r"[!-\-/->@-~]{0,20}\Z")
LEAST = 2
"""A single key is a hand's, so a scan has two or more."""


def newest(terminal_id, game):
    """The profile that counts at a terminal for a game; None where none was set."""
    return Scanner.objects.filter(terminal=terminal_id, game=game).last()


def faces(game):
    """The cards of a game by their codes in lines, each with how screens show it."""
    return registry.GAMES[game].deck(registry.GAMES[game].sheet({})).faces


def set_profile(*, terminal_id, game, prefix, suffix, codes, actor):
    """Say how the scanner at a terminal spells the cards of a game from now on.

    It is a setting of a device, as its enrolment is, so one pit boss sets it: whatever is scanned stands on the
    screen before it is sent. The log has all of it, before and after.

    :param codes: the code of each card that has its own, by the card; of no other card.
    :raises Refused: `terminal_revoked`, `scanner_unchanged`; `game_unknown` and `scanner_wrong` (422).
    """
    terminal = Terminal.objects.select_for_update(no_key=True).get(pk=terminal_id)
    if terminal.revoked_at:
        raise Refused(
            "terminal_revoked",
            f"The terminal {terminal} is revoked already.",
            way_out="Enrol the device anew under another name.",
        )
    _check(game, prefix, suffix, codes)
    before = newest(terminal_id, game)
    after = {"prefix": prefix, "suffix": suffix, "codes": codes}
    if after == (content(before) if before else {"prefix": "", "suffix": "", "codes": {}}):
        raise Refused("scanner_unchanged", f"The scanner of {terminal} is set so already.", way_out="Change something.")
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
    """What a profile says."""
    return {"prefix": scanner.prefix, "suffix": scanner.suffix, "codes": scanner.codes}


def _check(game, prefix, suffix, codes):
    if game not in registry.GAMES:
        raise Refused(
            "game_unknown",
            f"{game!r} is none of the games.",
            status=422,
            path="game",
            way_out=f"One of: {', '.join(sorted(registry.GAMES))}.",
        )
    for name, text in (("prefix", prefix), ("suffix", suffix)):
        if not _TYPED.match(text):
            raise _wrong(f"The {name} has other keys than a scan may have, or more than 20.", name)
    cards, read_as = faces(game), {}
    for card, code in codes.items():
        path = f"codes.{card}"
        if card not in cards:
            raise _wrong(f"{card!r} is no card of this game.", path)
        if not isinstance(code, str) or not code or not _TYPED.match(code):
            raise _wrong(f"The code of the {cards[card].name} is empty, or has other keys than a scan may have.", path)
        if len(prefix + code + suffix) < LEAST:
            raise _wrong(f"The {cards[card].name} is a single key, which counts as a hand's.", path)
        if code in read_as:
            raise _wrong(f"{code} is the {cards[read_as[code]].name} and the {cards[card].name}.", path)
        read_as[code] = card
    for card, face in cards.items():
        other = next((code for code in read_as if code.lower() == face.keys.lower()), None)
        if card not in codes and other:
            raise _wrong(
                f"{other} is the {cards[read_as[other]].name}, and the {face.name} has no code of its own.",
                f"codes.{read_as[other]}",
            )


def _wrong(message, path):
    return Refused(
        "scanner_wrong",
        message,
        status=422,
        path=path,
        way_out="A code has 1 to 20 visible keys, none of them ? or a full stop, and is one card's alone.",
    )
