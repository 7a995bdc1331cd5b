"""Results of the house edge of Split Poker sheets: asked for, computed by a worker and kept by what they depend on.

The row is the task, as a round is for settlement: whoever computes it holds it by beating, and if its worker is killed,
another takes it up.
"""

import datetime as dt
import functools
import json
import re
from decimal import Decimal
from pathlib import Path

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from audit import log
from casino import settings_of_house
from casino.games import registry
from casino.games.reading import shown
from casino.games.split.sheet import PAID_CATEGORIES
from casino.models import Casino
from casino.money import spell

from .models import EdgeResult
from .wording import WORDING

GAME = "split"
SHIPPED = Path(__file__).parent.joinpath("edge", "shipped.jsonl")
"""Results that come with the product, each with its inputs: those of the demo's, the replay's and the tests' sheets.

`make proof` computes them anew, `manage.py edge --shipped` writes them anew after the program has changed.
"""
TRIES = 3
LEASE = dt.timedelta(seconds=20)
"""A worker that has not beaten for so long was killed."""
STATUS = EdgeResult.Status
_SPENT = {"sheet", "seconds", "processor_seconds", "peak_mb"}
_PERCENT = re.compile(r"-?(100(\.0{1,2})?|[0-9]{1,2}(\.[0-9]{1,2})?)")


def program():
    """The name of the program that computes; a program of another name has results of its own."""
    from .edge import PROGRAM

    return PROGRAM


def has_house(rules):
    """Whether these rules have a house that plays, and so an edge."""
    return rules["game"] == GAME


def needs_house(rules):
    """:raises Refused: `edge_without_house` if players play against each other by these rules."""
    if not has_house(rules):
        raise WORDING.refused("edge_without_house", game=registry.GAMES[rules["game"]].name)


def inputs(rules, ante=None):
    """All that the edge of a sheet depends on, as JSON; the ANTE is part of it only if cap or chip change what is paid
    at it (split.23, split.24).

    :param rules: the `rules` of `sheet.published`.
    :param ante: in the smallest unit; None is as if there were neither cap nor chip.
    """
    sheet = _values(rules)
    plain = {name: sheet[name] for name in ("coefficients", "unseen_cards", "small_hand_loss_pays")}
    plain["program"] = program()
    if ante is None or not _bites(sheet, ante):
        return plain
    return plain | {"max_payment": sheet["max_payment"], "chip": sheet["chip"], "ante": ante}


def antes(rules):
    """The ANTEs at which a sheet's edge is computed: `(None,)` if neither cap nor chip changes anything at the two
    limits of the table, else the limits.

    At some ANTE between them, rounding down may cost players less. If so, None comes first, for the edge without cap
    and chip: no ANTE has a lower edge.
    """
    sheet = _values(rules)
    limits = sorted({sheet["ante_minimum"], sheet["ante_maximum"]})
    if not any(_bites(sheet, ante) for ante in limits):
        return (None,)
    return (None, *limits) if _rounds(sheet) and len(limits) == 2 else tuple(limits)


def paid_at(antes):
    """Those of a sheet's ANTEs that a table takes: its limits without that bound, or None if all have one edge."""
    return [ante for ante in antes if ante is not None] or [None]


def key(given):
    """The key of a result: the SHA-256 of its canonical inputs."""
    return log.digest(log.canonical(given))


def keys(rules):
    """The key of each result of a sheet, by its ANTE."""
    return {ante: key(inputs(rules, ante)) for ante in antes(rules)}


def of(rules):
    """The results of a sheet by its ANTEs, None if nobody has asked for one; one that ships with the product counts as
    computed, even without a row."""
    wanted = keys(rules)
    rows = EdgeResult.objects.in_bulk(wanted.values())
    return {ante: rows.get(each) or _shipped(each) for ante, each in wanted.items()}


def rules_of(given):
    """A sheet with these inputs, as the `rules` of `sheet.published`."""
    limits = {}
    if "ante" in given:
        limits = {"ante_minimum": given["ante"], "ante_maximum": given["ante"], "chip": given["chip"]}
        limits |= {"max_payment": given["max_payment"]} if given["max_payment"] else {}
    return {
        "game": GAME,
        "version": 1,
        "parameters": {name: given[name] for name in ("unseen_cards", "small_hand_loss_pays")},
        "limits": limits,
        "coefficients": given["coefficients"],
    }


def band(at=None):
    """The least and the most that the house may expect to keep of an ANTE, in per cent: two settings of the house.

    :param at: an aware moment; None: now, by the database's clock.
    """
    least, most = (settings_of_house.value(name, at) for name in ("edge_least", "edge_most"))
    return Decimal(least).scaleb(-2).normalize(), Decimal(most).scaleb(-2).normalize()


def in_words(percent):
    """A per cent figure as people read it, with two places and a true minus.

    >>> in_words(Decimal("21.20893")), in_words(Decimal("-42.344"))
    ('21.21 %', '−42.34 %')
    """
    return f"{percent:.2f} %".replace("-", "\u2212")


def pinned(rules):
    """What a sheet pins at its publication: each of its results as {key, ante, edge}; None for a game without a house.

    What ships with the product is kept as computed.

    :raises Refused: `edge_not_computed`; `edge_with_player`.
    """
    if not has_house(rules):
        return None
    results = of(rules)
    missing = [ante for ante, result in results.items() if result is None or result.status != STATUS.DONE]
    if missing and (why := failure(results.values())):
        raise WORDING.refused("edge_not_computed:failed", fault=why)
    if missing and len(results) == 1:
        raise WORDING.refused("edge_not_computed")
    if missing:
        raise WORDING.refused("edge_not_computed:antes", antes=", ".join(map(_spelled, missing)))
    edges = {ante: Decimal(result.figures["edge_percent"]) for ante, result in results.items()}
    worst = min(edges, key=edges.get)
    if edges[worst] < 0:
        raise _of_player(edges[worst], worst, results)
    if not all(result.figures["games"] for result in results.values()):
        raise WORDING.refused("edge_not_computed:house_way", edge=in_words(edges[worst]))
    for result in results.values():
        _row(result.inputs)
    return [
        {"key": result.key, "ante": ante, "edge": result.figures["edge_percent"]} for ante, result in results.items()
    ]


def failure(results):
    """Why the edge could not be computed, in the words of the first result that failed; empty if none did."""
    return next((result.failure for result in results if result is not None and result.status == STATUS.FAILED), "")


def _of_player(edge, ante, results):
    """The refusal of a sheet that gives the player the edge, with the figure."""
    games, percent = results[ante].figures["games"], in_words(-edge)
    if ante is not None:
        return WORDING.refused(
            "edge_with_player:ante" if games else "edge_with_player:ante_house_way", ante=_spelled(ante), edge=percent
        )
    if len(results) > 1:
        return WORDING.refused(
            "edge_with_player:unrounded" if games else "edge_with_player:unrounded_house_way", edge=percent
        )
    return WORDING.refused("edge_with_player" if games else "edge_with_player:house_way", edge=percent)


def _spelled(ante):
    """An ANTE as people read amounts."""
    return WORDING("unrounded") if ante is None else spell(ante, Casino.objects.get().currency_decimals)


def of_pins(pins):
    """The results that a sheet was published with, by their ANTEs: it keeps them when the program changes."""
    rows = EdgeResult.objects.in_bulk(pin["key"] for pin in pins)
    return {pin["ante"]: rows[pin["key"]] for pin in pins}


def of_sheet(rules, pins):
    """The results of a sheet: those that it was published with, else the present ones, as from `of`."""
    return of_pins(pins) if pins else of(rules)


def outside(pins):
    """The figures pinned by a sheet that lie outside the casino's band, lowest first."""
    least, most = band()
    edges = sorted(Decimal(pin["edge"]) for pin in pins or ())
    return [edge for edge in edges if not least <= edge <= most]


@functools.cache
def shipped():
    """The results that come with the product, by their keys: (inputs, figures)."""
    rows = map(json.loads, SHIPPED.read_text("utf-8").splitlines())
    return {key(row["inputs"]): (row["inputs"], row["figures"]) for row in rows if row["figures"]}


def _shipped(wanted):
    """A shipped result as its row will be; None if none is shipped."""
    if wanted not in shipped():
        return None
    given, figures = shipped()[wanted]
    return EdgeResult(key=wanted, inputs=given, status=STATUS.DONE, progress=1000, figures=figures)


def _row(given):
    """The row of these inputs: asked for or, if the result is shipped, computed."""
    with transaction.atomic():
        result, is_new = EdgeResult.objects.get_or_create(key=key(given), defaults={"inputs": given})
        if is_new and result.key in shipped():
            row, (_, figures) = EdgeResult.objects.filter(pk=result.pk), shipped()[result.key]
            row.update(status=STATUS.COMPUTING, tries=1)
            row.update(status=STATUS.DONE, progress=1000, figures=figures)
            result.refresh_from_db()
    return result


def ask(rules):
    """Ask for all results of a sheet that neither exist nor are on their way; return them by their ANTEs."""
    return {ante: _asked(inputs(rules, ante)) for ante in antes(rules)}


def seek(rules, category, edge_percent):
    """Ask for the largest coefficient of a category between its neighbours, in steps of one half, with which the house
    still has this edge, at each ANTE that the edge depends on; return the results by their ANTEs.

    :param edge_percent: of an ANTE, as text with at most two places.
    :raises Refused: `category_unknown` or `edge_wrong` (422).
    """
    wanted = {"category": _category(category), "edge_percent": _percent(edge_percent)}
    return {ante: _asked(inputs(rules, ante) | {"seek": wanted}) for ante in paid_at(antes(rules))}


def sought(rules, ante=None):
    """The results of coefficients that were sought for a sheet at one of its ANTEs, the newest first."""
    given = inputs(rules, ante)
    rows = EdgeResult.objects.filter(inputs__has_key="seek", inputs__contains=given).order_by("-asked_at", "key")
    # Inputs with an ANTE contain those without one.
    return [row for row in rows if row.inputs == given | {"seek": row.inputs["seek"]}]


def ask_idle(given):
    """Ask for the result of inputs, unless somebody waits for another result."""
    if not EdgeResult.objects.filter(status__in=[STATUS.ASKED, STATUS.COMPUTING]).exists():
        _row(given)


def _asked(given):
    """The result of inputs, asked for if it neither exists nor is on its way."""
    result = _row(given)
    if result.status in {STATUS.FAILED, STATUS.CANCELLED}:
        again = EdgeResult.objects.filter(pk=result.pk, status__in=[STATUS.FAILED, STATUS.CANCELLED])
        again.update(status=STATUS.ASKED, tries=0, progress=0, begun_at=None, beat_at=None, failure="")
        result.refresh_from_db()
    return result


def _category(name):
    if name not in PAID_CATEGORIES:
        raise WORDING.refused("category_unknown", category=shown(name), categories=", ".join(PAID_CATEGORIES))
    return name


def _percent(text):
    """An edge in its one form, with two places.

    >>> _percent("20"), _percent("-0"), _percent("2.5")
    ('20.00', '0.00', '2.50')
    """
    if not _PERCENT.fullmatch(text):
        raise WORDING.refused("edge_wrong", edge=shown(text))
    return f"{Decimal(text) + 0:.2f}"


def cancel(rules):
    """Cancel the results of a sheet, and coefficients that are sought for it; their worker stops at its next step.

    :raises Refused: `edge_not_computing` if none of them waits or is being computed.
    """
    wanted = [*keys(rules).values(), *(row.pk for ante in antes(rules) for row in sought(rules, ante))]
    waiting = EdgeResult.objects.filter(pk__in=wanted, status__in=[STATUS.ASKED, STATUS.COMPUTING])
    if not waiting.update(status=STATUS.CANCELLED):
        raise WORDING.refused("edge_not_computing")


def due(*, lease=LEASE):
    """Take the result that waited longest, or one whose worker was killed; None if there is none. What was asked from
    an earlier program is cancelled: this one computes other results.

    :param lease: how long ago a worker must have beaten last to count as killed.
    """
    EdgeResult.objects.filter(status__in=[STATUS.ASKED, STATUS.COMPUTING]).exclude(inputs__program=program()).update(
        status=STATUS.CANCELLED
    )
    while True:
        with transaction.atomic():
            killed = Q(status=STATUS.COMPUTING, beat_at__lte=Now() - lease)
            waiting = EdgeResult.objects.select_for_update(no_key=True, skip_locked=True)
            result = waiting.filter(Q(status=STATUS.ASKED) | killed).order_by("asked_at", "key").first()
            if result is None:
                return None
            row = EdgeResult.objects.filter(pk=result.pk)
            if result.tries < TRIES:
                row.update(status=STATUS.COMPUTING, tries=F("tries") + 1, progress=0)
                result.refresh_from_db()
                return result
            row.update(status=STATUS.FAILED, failure=WORDING("ended_often"))


def beat(result, progress):
    """Say that a result is being computed, and how far it is, in thousandths; return whether it is still this worker's:
    it may be cancelled, or another's."""
    return bool(_held(result).filter(progress__lte=progress).update(progress=progress))


def done(result, figures):
    """Keep what was computed; return whether it was still this worker's."""
    return bool(_held(result).update(status=STATUS.DONE, progress=1000, figures=figures))


def fail(result, failure):
    """Record why a result can't be computed, in a sentence."""
    return bool(_held(result).update(status=STATUS.FAILED, failure=failure[:500]))


def left(result, now=None):
    """About how many seconds a result still takes to compute; None if that can't be said."""
    if result.status != STATUS.COMPUTING or not result.progress:
        return None
    elapsed = int(((now or timezone.now()) - result.begun_at).total_seconds())
    return max(0, elapsed * (1000 - result.progress) // result.progress)


def without_spent(figures):
    """The figures that every sheet with these inputs and every computation share: no digest and no time."""
    return {name: value for name, value in figures.items() if name not in _SPENT}


def _held(result):
    """The row, as long as it is held by the worker that took it."""
    return EdgeResult.objects.filter(pk=result.pk, status=STATUS.COMPUTING, tries=result.tries)


def _values(rules):
    """All values of a sheet by name; what it leaves out has its game's defaults."""
    game = registry.GAMES[GAME]
    given = rules.get("parameters", {}) | rules.get("limits", {})
    if rules.get("coefficients"):
        given["coefficients"] = rules["coefficients"]
    return game.values(game.sheet(given))


def _rounds(sheet):
    """Whether a payment on an ANTE in whole chips may come to a fraction of a chip."""
    return any(times * numerator % denominator for times, numerator, denominator in _payments(sheet))


def _payments(sheet):
    """What is paid at a coefficient: how many times the ANTE, and the coefficient."""
    on_ante = sheet["small_hand_loss_pays"] == "coefficient"
    for ratio in sheet["coefficients"].values():
        numerator, denominator = map(int, ratio.split(":"))
        for times in (2, 1) if on_ante else (2,):
            yield times, numerator, denominator


def _bites(sheet, ante):
    """Whether cap or chip change a payment at an ANTE: on BET at a coefficient, on ANTE at 1:1 or at one."""
    cap, chip = sheet["max_payment"], sheet["chip"]
    if cap is not None and ante > cap:
        return True
    return any(
        times * ante * numerator % (denominator * chip)
        or (cap is not None and times * ante * numerator > cap * denominator)
        for times, numerator, denominator in _payments(sheet)
    )
