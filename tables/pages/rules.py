"""The players' page of a table: the rules in force, this house's rulings marked, and the fingerprint of the sheet.

It is for everybody: whoever sits at the table reads it there in print, or on a telephone by its QR code, without a
login. So it shows what hangs at the table and no more: its name, its game and the sheet, and nothing of the play.
"""

import functools
from zoneinfo import ZoneInfo

import segno
from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from casino import money
from casino.games import leaflets, registry
from casino.models import Casino
from casino.roles import Right
from casino.wording import amount, read
from payouts import adjudication

from ..models import Round, RuleSheet, Session, Table
from ..verbs import rulesheets
from ..words import dates
from ..words.wording import WORDING

UNBROKEN_HYPHEN = "\u2011"
SIZES = ((2300, "longer"), (1700, "long"))
"""More letters of sentences than these are printed smaller, by these classes, to fit on one page."""


@require_safe
def page(request, table_id):
    """GET shows the sheet that a round opened now would play by, or that none is in force."""
    table = Table.objects.filter(pk=table_id).first()
    if table is None:
        raise Http404("There is no such table.")
    placed = rulesheets.placed(table)
    context = {"table": table.name, "page": placed and _page(table, placed, request)}
    answer = render(request, "rules.html", context)
    patch_vary_headers(answer, ["Accept-Language", "Cookie"])
    return answer


@require_safe
@never_cache
@login_required
def of_sheet(request, sheet_id):
    """GET shows the players' page as it would look at a table that plays by this sheet."""
    sheet = RuleSheet.objects.filter(pk=sheet_id).first()
    if sheet is None or not request.user.has_perm(Right.READ_SHEETS):
        raise Http404("There is no such rule sheet.")
    address = request.build_absolute_uri(reverse("sheet-rules", args=[sheet.pk]))
    shown = _leaflet(sheet, rulesheets.checked(sheet), address)
    return render(request, "rules.html", {"table": WORDING("as_read"), "page": shown | {"sheet": sheet.pk}})


def _page(table, placed, request):
    """The players' page, made from the very text that the fingerprint covers."""
    sheet, zone = placed.sheet, Casino.objects.get().time_zone
    address = request.build_absolute_uri(reverse("rules", args=[table.pk]))
    return _leaflet(sheet, adjudication.sheet_of(sheet.rules), address) | {
        "since": day(placed.from_at, zone),
        "older": _older(table, sheet),
        "coming": [_coming(each, zone) for each in rulesheets.coming(table)],
    }


def _coming(place, zone):
    """A sheet that is to come, and from when, as notice to players."""
    moment = f"{day(place.from_at, zone)}, {place.from_at.astimezone(ZoneInfo(zone)):%H:%M}"
    return {"from": moment, "game": registry.GAMES[place.sheet.game].name, "version": place.sheet.version}


def leaflet(sheet, checked=None):
    """What players read of a sheet, saved or not."""
    game, casino = registry.GAMES[sheet.game], Casino.objects.get()
    content = game.leaflet(checked or rulesheets.checked(sheet))
    sentences = (part for part in content.statements() if isinstance(part, leaflets.Sentence))
    letters = sum(len(read(part.text)) for part in sentences)
    return {
        "lede": read(content.lede),
        "size": next((size for more, size in SIZES if letters > more), ""),
        "listings": [_listing(listing, casino) for listing in content.listings],
        "chapters": [
            {"title": read(chapter.title), "rules": [_rule(rule) for rule in chapter.rules]}
            for chapter in content.chapters
        ],
    }


def _leaflet(sheet, checked, address):
    return leaflet(sheet, checked) | {
        "game": registry.GAMES[sheet.game].name,
        "version": sheet.version,
        "short": sheet.short,
        "fingerprint": sheet.fingerprint[2:],
        "address": address,
        "qr": _code(address),
    }


@functools.lru_cache(maxsize=200)
def _code(address):
    """An address as a QR code; kept, so that repeated requests cost no more than the page."""
    return segno.make_qr(address, error="m").svg_inline(border=0, omitsize=True, svgclass=None, lineclass=None)


def day(at, zone):
    """The day of a moment as people who live there write it.

    >>> import datetime as dt
    >>> day(dt.datetime(2026, 1, 31, 23, 30, tzinfo=dt.UTC), "Europe/Berlin")
    '1 February 2026'
    """
    return dates.day_in_full(at.astimezone(ZoneInfo(zone)))


def _older(table, sheet):
    """The sheet of the round that the terminal shows, if it began by another one than is in force now."""
    session = Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    newest = Round.objects.filter(session=session).select_related("sheet").order_by("-number").first()
    if session is None or newest is None or newest.sheet == sheet:
        return None
    return {"version": newest.sheet.version, "short": newest.sheet.short}


def _listing(listing, casino):
    amounts = any(isinstance(row.value, money.Units) for row in listing.rows)
    return {
        "title": WORDING("in_currency", what=listing.title, currency=casino.currency)
        if amounts
        else read(listing.title),
        "clauses": cite(sorted({row.clause for row in listing.rows if row.clause}, key=_by_number)),
        "rows": [
            row._asdict() | {"label": read(row.label), "value": _value(row.value, casino)} for row in listing.rows
        ],
    }


def _by_number(clause):
    rules, _, number = clause.partition(".")
    return rules, int(number)


def _value(value, casino):
    return amount(value, casino.currency_decimals) if isinstance(value, money.Units) else read(value)


def _rule(rule):
    """A rule for the page, with hyphens that keep runs of cards such as 3-4-5 in one line."""
    return {
        "lead": read(rule.lead),
        "sentences": [
            {"text": read(sentence.text).replace("-", UNBROKEN_HYPHEN), "house": sentence.house}
            for sentence in rule.sentences
        ],
        "clauses": cite(dict.fromkeys(sentence.clause for sentence in rule.sentences)),
    }


def cite(clauses):
    """Clauses in a row; the name of the rules stands where it changes.

    >>> cite(["split.6", "split.8", "house.2"])
    'split.6, 8, house.2'
    """
    parts, last = [], None
    for clause in clauses:
        rules, _, number = clause.partition(".")
        parts.append(number if rules == last else clause)
        last = rules
    return ", ".join(parts)
