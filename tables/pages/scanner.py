"""The page on which a terminal's scanner is set and tried: prefix, suffix, and the code of each card of a game."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.games import registry
from casino.roles import Right

from ..models import Terminal
from ..people import access
from ..verbs import rulesheets, scanners


@require_GET
@never_cache
@login_required
def page(request, terminal_id):
    """The profile for `?game=`, else for the game in force at the terminal's table."""
    within = access.tables(request.user, Right.ENROL)
    terminal = (
        Terminal.objects.filter(pk=terminal_id, table__in=within, revoked_at=None).select_related("table").first()
    )
    if terminal is None:
        raise Http404
    sheet = rulesheets.in_force(terminal.table)
    game = request.GET.get("game") or (sheet.game if sheet else min(registry.GAMES))
    if game not in registry.GAMES:
        raise Http404
    profile = scanners.newest(terminal.pk, game)
    content = scanners.content(profile) if profile else {"prefix": "", "suffix": "", "codes": {}}
    context = {
        "terminal": {"id": terminal.pk, "name": terminal.name},
        "table": {"id": terminal.table_id, "name": terminal.table.name},
        "games": [
            {"code": code, "name": each.name, "on": code == game} for code, each in sorted(registry.GAMES.items())
        ],
        "game": game,
        "prefix": content["prefix"],
        "suffix": content["suffix"],
        "cards": [
            {
                "card": card,
                "name": face.name,
                "text": f"{face.rank}{face.mark}",
                "rank": face.rank,
                "keys": face.keys,
                "code": content["codes"].get(card, ""),
            }
            for card, face in scanners.faces(game).items()
        ],
        "own": len(content["codes"]),
    }
    return render(request, "scanner.html", context)
