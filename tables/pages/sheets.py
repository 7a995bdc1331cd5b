"""The pages of rule sheets: what is in force where, drafted, published and to come; one sheet in words; and trials."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from casino.errors import Refused
from casino.games import registry
from casino.models import Casino
from casino.roles import Right

from ..models import RuleSheet, Table
from ..people import access
from ..verbs import rulesheets, trials
from ..words import calls, days, edges, sheets
from ..words import trials as words
from ..words.timeline import Words
from . import numbers, rules, sheet_form
from .round import refused
from .wording import WORDING


@require_GET
@never_cache
@login_required
def all_of_them(request):
    """Every game with its sheets, and every table with the sheet that it plays by and those to come."""
    _readable(request)
    desk, rows = sheets.Desk(), {code: [] for code in registry.GAMES}
    for sheet in _sheets():
        rows[sheet.game].append(desk.row(sheet))
    context = {
        "tables": [desk.table(table) for table in Table.objects.order_by("pk")],
        "games": [{"code": code, "name": game.name, "sheets": rows[code]} for code, game in registry.GAMES.items()],
        "drafts": request.user.has_perm(Right.DRAFT_SHEET),
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/page.html", context)


@require_GET
@never_cache
@login_required
def page(request, sheet_id):
    """One sheet: its values, beside those in force at the tables of its game, and what may be done with it now."""
    _readable(request)
    sheet, desk = _sheet(sheet_id), sheets.Desk()
    is_draft = sheet.status == RuleSheet.Status.DRAFT
    drafted_it = sheet.drafted_by_id == request.user.pk
    publishes = is_draft and request.user.has_perm(Right.PUBLISH_SHEET)
    reach = list(access.tables(request.user, Right.PUT_IN_FORCE).order_by("pk"))
    edge = edges.publication(sheet) if is_draft else None
    row, own = desk.row(sheet), {table.pk for table in reach}
    context = {
        "sheet": row | {"values": sheets.values(sheet), "fingerprint": sheet.fingerprint},
        "casino": desk.casino,
        "moments": days.to_come(desk.reader, desk.casino),
        "compared": desk.beside(sheet),
        "edge": edge,
        "publishes": publishes and not drafted_it and (edge is None or edge["kind"] in {"within", "off"}),
        "drafted_it": publishes and drafted_it,
        "drafts": request.user.has_perm(Right.DRAFT_SHEET),
        "withdrawn": desk.withdrawn(sheet),
        "withdraws": [place for place in row["coming"] if place["at"] in own],
        "tables": [] if is_draft else [desk.table(table) for table in reach],
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/sheet.html", context)


@require_GET
@never_cache
@login_required
def new(request):
    """The form of the next sheet of `?of=split`: it begins as the sheet `from` (an id), else as the one in force;
    `coefficients.flush=13:2` sets a coefficient."""
    words = _words_of(request, request.GET)
    game = words.game.code
    chosen = _sheets().filter(game=game, pk=numbers.of(request.GET.get("from", ""))).first()
    begins = chosen or rulesheets.most_played(game)
    values = rulesheets.values_of(begins or rulesheets.unsaved(game=game, values={}))
    values = sheet_form.with_ratios(words, values, request.GET)
    context = {
        "game": {"code": game, "name": words.game.name},
        "from": begins and {"name": sheets.name(begins)},
        "sections": sheet_form.form(words, values),
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/new.html", context)


@require_POST
@never_cache
def preview(request):
    """The form's draft beside the sheets in force, with its players' page: a fragment. Nothing is written."""
    if not request.user.is_authenticated:
        return refused(WORDING.refused("not_logged_in"))
    try:
        words = _words_of(request, request.POST)
        sheet, command = sheet_form.looked_at(words, request.POST)
    except Refused as error:
        return refused(error)
    context = {
        "name": sheets.name(sheet),
        "command": command,
        "compared": sheets.Desk().beside(sheet),
        "leaflet": rules.leaflet(sheet),
    }
    return render(request, "sheets/_preview.html", context)


def _words_of(request, texts):
    if not request.user.has_perm(Right.DRAFT_SHEET):
        raise access.not_your_right() if request.method == "POST" else Http404("You draft no rule sheets.")
    game = texts.get("of") or next(iter(registry.GAMES))
    if game not in registry.GAMES:
        raise Http404("There is no such game.")
    return Words(registry.GAMES[game])


def _readable(request):
    if not request.user.has_perm(Right.READ_SHEETS):
        raise Http404("You read no rule sheets.")


def _sheets():
    return RuleSheet.objects.select_related("drafted_by", "published_by")


def _sheet(sheet_id):
    sheet = _sheets().filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404("There is no such rule sheet.")
    return sheet


@require_GET
@never_cache
@login_required
def trial(request, sheet_id):
    """A sheet tried on the newest settled rounds of a table: `?table=1&rounds=200`. Nothing is written."""
    _readable(request)
    sheet = _sheet(sheet_id)
    reach = trials.tables_of(sheet, access.tables(request.user, Right.READ_FLOOR))
    table = reach.filter(pk=numbers.of(request.GET.get("table", ""))).first() or reach.first()
    rounds = max(1, min(numbers.of(request.GET.get("rounds", ""), trials.DEFAULT), trials.MOST))
    context = {
        "sheet": sheets.Desk().row(sheet),
        "tables": [{"id": each.pk, "name": each.name} for each in reach],
        "table": table and table.pk,
        "rounds": rounds,
        "most": trials.MOST,
        "tried": table and words.in_words(trials.of(sheet=sheet, table=table, rounds=rounds), sheet),
        "currency": Casino.objects.get().currency,
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/trial.html", context)
