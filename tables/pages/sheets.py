"""The pages of rule sheets: what is in force where, drafted, published and to come; one sheet in words, and tried."""

from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.games import registry
from casino.models import Casino
from casino.roles import Right

from ..models import InForce, RuleSheet, Table
from ..people import access
from ..verbs import rulesheets, trials
from ..words import calls, sheets
from ..words import trials as words
from ..words.timeline import Reader


@require_GET
@never_cache
@login_required
def all_of_them(request):
    """Every game with its sheets, and every table with the sheet that it plays by and those to come."""
    _readable(request)
    reader = _reader()
    places = _places()
    context = {
        "tables": [_table(table, places, reader) for table in Table.objects.order_by("pk")],
        "games": [
            {"name": game.name, "sheets": [_row(sheet, places, reader) for sheet in _sheets().filter(game=code)]}
            for code, game in registry.GAMES.items()
        ],
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/page.html", context)


@require_GET
@never_cache
@login_required
def page(request, sheet_id):
    """One sheet: its values, beside those in force at the tables of its game, and what may be done with it now."""
    _readable(request)
    sheet = _sheets().filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404("There is no such rule sheet.")
    reader, places = _reader(), _places()
    is_draft = sheet.status == RuleSheet.Status.DRAFT
    drafted_it = sheet.drafted_by_id == request.user.pk
    publishes = is_draft and request.user.has_perm(Right.PUBLISH_SHEET)
    reach = access.tables(request.user, Right.PUT_IN_FORCE).order_by("pk")
    context = {
        "sheet": _row(sheet, places, reader) | {"values": sheets.values(sheet), "fingerprint": sheet.fingerprint},
        "casino": Casino.objects.get(),
        "compared": _compared(sheet, places),
        "publishes": publishes and not drafted_it,
        "drafted_it": publishes and drafted_it,
        "tables": [] if is_draft else [_table(table, places, reader) for table in reach],
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/sheet.html", context)


def _readable(request):
    if not request.user.has_perm(Right.READ_SHEETS):
        raise Http404("You read no rule sheets.")


def _reader():
    return Reader(True, ZoneInfo(Casino.objects.get().time_zone))


def _sheets():
    return RuleSheet.objects.select_related("drafted_by", "published_by")


def _places():
    """Of each table the sheet that it plays by, and those to come, the next first."""
    return {table.pk: (rulesheets.placed(table), rulesheets.coming(table)) for table in Table.objects.all()}


def _table(table, places, reader):
    now, coming = places[table.pk]
    return {
        "id": table.pk,
        "name": table.name,
        "now": now and _place(now, reader),
        "coming": [_place(place, reader) for place in coming],
    }


def _place(place, reader):
    return {
        "sheet": place.sheet_id,
        "name": _name(place.sheet),
        "from": f"{reader.day(place.from_at)} {reader.clock(place.from_at)}",
    }


def _name(sheet):
    return f"{registry.GAMES[sheet.game].name} {sheet.version}"


def _row(sheet, places, reader):
    def moment(at):
        return at and f"{reader.day(at)} {reader.clock(at)}"

    return {
        "id": sheet.pk,
        "name": _name(sheet),
        "game": registry.GAMES[sheet.game].name,
        "version": sheet.version,
        "draft": sheet.status == RuleSheet.Status.DRAFT,
        "short": sheet.short,
        "drafted_by": reader.person(sheet.drafted_by),
        "drafted_at": moment(sheet.drafted_at),
        "published_by": sheet.published_by and reader.person(sheet.published_by),
        "published_at": moment(sheet.published_at),
        "now": _where([now for now, _ in places.values() if now and now.sheet_id == sheet.pk], reader),
        "coming": _where(
            [place for _, coming in places.values() for place in coming if place.sheet_id == sheet.pk], reader
        ),
        "played": InForce.objects.filter(sheet=sheet).exists(),
    }


def _where(places, reader):
    return [
        {"table": place.table.name, "from": f"{reader.day(place.from_at)} {reader.clock(place.from_at)}"}
        for place in places
    ]


def _compared(sheet, places):
    """The sheet beside each other one of its game that a table plays by now."""
    tables = {}
    for now, _ in places.values():
        if now and now.sheet.game == sheet.game and now.sheet_id != sheet.pk:
            tables.setdefault(now.sheet, []).append(now.table.name)
    return [
        {
            "id": other.pk,
            "name": _name(other),
            "short": other.short,
            "tables": ", ".join(names),
            **sheets.compared(other, sheet)._asdict(),
        }
        for other, names in tables.items()
    ]


@require_GET
@never_cache
@login_required
def trial(request, sheet_id):
    """A sheet tried on the newest settled rounds of a table: `?table=1&rounds=200`. Nothing is written."""
    _readable(request)
    sheet = _sheets().filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404("There is no such rule sheet.")
    reach = trials.tables_of(sheet, access.tables(request.user, Right.READ_FLOOR))
    table = reach.filter(pk=_number(request.GET.get("table"), 0)).first() or reach.first()
    rounds = max(1, min(_number(request.GET.get("rounds"), trials.DEFAULT), trials.MOST))
    context = {
        "sheet": _row(sheet, _places(), _reader()),
        "tables": [{"id": each.pk, "name": each.name} for each in reach],
        "table": table and table.pk,
        "rounds": rounds,
        "most": trials.MOST,
        "tried": table and words.in_words(trials.of(sheet=sheet, table=table, rounds=rounds), sheet),
        "currency": Casino.objects.get().currency,
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/trial.html", context)


def _number(text, otherwise):
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 9 else otherwise
