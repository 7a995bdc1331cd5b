"""The page of one round: what happened, what each box got and why, what lies on the table, and its correction.

Nothing here asks which game it is: slots, words, clauses and irregularities are the game's own.
"""

import json
from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import Http404, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from casino.errors import Refused
from casino.games.game import Wager
from casino.models import Casino
from casino.roles import Verb

from ..models import Dispute, Round
from ..people import access
from ..terminal import felt
from ..verbs import fold
from ..words import generations, holds, timeline
from . import correction_form

NO_RESULT = {
    Round.Status.OPEN: "The round is still open.",
    Round.Status.CLOSED: "The round is closed and not yet settled.",
    Round.Status.VOIDED: "The round is void: all stakes and fees go back.",
    Round.Status.SETTLED: "",
}


@require_GET
@never_cache
@login_required
def page(request, round_id):
    """The whole page."""
    shown = _round_or_404(request.user, round_id)
    return render(request, "round/page.html", {"page": _page(shown, request.user)})


@require_POST
@never_cache
def correction_preview(request, round_id):
    """What a correction would change, and what each box would get. Nothing is written; the answer is a fragment."""
    if not request.user.is_authenticated:
        return refused(Refused("not_logged_in", "You are not logged in.", status=401, way_out="Log in."))
    shown = _round_or_404(request.user, round_id)
    try:
        if not request.user.has_perm(Verb.REPORT, shown.table):
            raise access.not_your_right()
        preview = correction_form.preview(shown, request.POST)
        preview["by"] = reader_for(request.user, shown.table).person(request.user)
        preview["by_rules"] = request.user.has_perm(Verb.RULE, shown.table)
        return render(request, "round/_preview.html", {"preview": preview})
    except Refused as error:
        return refused(error)


def refused(error):
    return JsonResponse(error.shape(), status=error.status)


def _round_or_404(staff, round_id):
    within = access.tables(staff, Verb.SEE_TABLE)
    found = Round.objects.filter(pk=round_id, table__in=within)
    found = found.select_related("table__pit", "table__chip_set", "sheet", "session", "settlement", "opened_by").first()
    if found is None:
        raise Http404("There is no such round, or you are not signed on at its table.")
    return found


def reader_for(staff, table):
    return timeline.Reader(staff.has_perm(Verb.READ_FLOOR, table), ZoneInfo(Casino.objects.get().time_zone))


def _page(round_, staff):
    words = timeline.words(round_)
    reader = reader_for(staff, round_.table)
    line = round_.lines.last()
    told = generations.of(round_, words, reader)
    happened = timeline.rows(round_, reader)
    may_correct = round_.status in correction_form.CORRECTABLE and staff.has_perm(Verb.REPORT, round_.table)
    return {
        "id": round_.pk,
        "number": str(round_),
        "table": {"id": round_.table_id, "name": round_.table.name},
        "zone": reader.zone.key,
        "currency": Casino.objects.get().currency,
        "facts": _facts(round_, words, reader),
        "hold": _hold(round_, reader),
        "disputes": dispute_notes(round_, reader),
        "generations": told,
        "no_result": NO_RESULT[round_.status],
        "due": generations.due(told),
        "may_tick": staff.has_perm(Verb.ACT, round_.table),
        "laid": laid(words, json.loads(line.text), json.loads(line.wagers)) if line else lying(round_, words),
        "line": line.ordinal if line else 0,
        "moments": happened,
        "clauses": clauses_named(words.game, told, happened),
        "correct": correction_form.form(round_, words, line) if may_correct else None,
        "may_dispute": staff.has_perm(Verb.RAISE, round_.table),
        "dispute": holds.dispute(words.game, words.game.view(fold.of(round_).state)),
        "back_office": staff.has_perm(Verb.READ_ADMIN) and reader.named,
    }


def _facts(round_, words, reader):
    session, sheet = round_.session, round_.sheet
    status = round_.get_status_display()
    return [
        {"label": "Game", "value": words.game.name},
        {"label": "Business date", "value": f"{session.business_date.day} {session.business_date:%b %Y}"},
        {"label": "Status", "value": status[0].upper() + status[1:]},
        {"label": "Opened", "value": f"{reader.day(round_.opened_at)} {reader.clock(round_.opened_at)}"},
        {"label": "Rule sheet", "value": sheet.short},
    ]


def _hold(round_, reader):
    """Since when and why the round is held, None if it is not."""
    if not round_.held_at:
        return None
    made = round_.interventions.filter(kind="held").select_related("by").last()
    return {"clause": made.clause, "since": reader.clock(round_.held_at), "by": reader.person(made.by)}


def dispute_notes(round_, reader):
    """The round's disputes in a line each; the statement and the ruling are on a page for who reads the floor."""
    return [
        {
            "id": made.pk if reader.named else None,
            "name": str(made),
            "about": made.about,
            "boxes": ", ".join(map(str, made.boxes)),
            "open": made.status == Dispute.Status.OPEN,
            "ruled": f"{made.get_ruling_display()} by {made.clause}" if made.ruling else "",
            "at": f"{reader.day(made.raised_at)} {reader.clock(made.raised_at)}",
        }
        for made in round_.disputes.all()
    ]


def laid(words, line, wagers):
    """A complete line as it lies: each place with its cards, its stakes and what else was entered."""
    places = {}
    for slot in words.game.slots(line):
        place = places.setdefault(slot.box, _empty(slot.box))
        if slot.value is None:
            continue
        if slot.field.kind in {"cards", "card"}:
            codes = slot.value if slot.field.kind == "cards" else [slot.value]
            place["hands"].append(
                {"word": correction_form.label(slot), "cards": [felt.face(words.deck, code) for code in codes]}
            )
        elif slot.field.kind != "units":
            place["notes"].append({"word": correction_form.label(slot), "value": words.value(slot.field, slot.value)})
    return _with_stakes(words, places, [Wager(**wager) for wager in wagers])


def lying(round_, words, upto=None):
    """What lies on the table of a round that has no complete line, or lay there after the entry `upto`."""
    game, state, *_ = fold.of(round_, upto)
    view = game.view(state)
    places = {None: _empty(None)}
    for box in view.boxes:
        places[box.number] = _empty(box.number)
        if upto is not None or round_.status == Round.Status.OPEN:
            places[box.number]["notes"].append({"word": box.label, "value": box.note})
    for hand in view.hands:
        cards = [card and felt.face(words.deck, card) for card in hand.cards]
        places[hand.box]["hands"].append({"word": words.word(hand.kind), "cards": cards})
    return _with_stakes(words, places, view.wagers)


def _empty(box):
    return {"name": correction_form.place_name(box), "hands": [], "stakes": [], "notes": []}


def _with_stakes(words, places, wagers):
    if None in places and places[None]["hands"]:
        places[None]["name"] = "Dealer"
    for wager in wagers:
        stake = {"word": words.word(wager.kind), "amount": words.amount(wager.units)}
        # Who dropped has stakes and no cards.
        places.setdefault(wager.box, _empty(wager.box))["stakes"].append(stake)
    return [place for place in places.values() if place["hands"] or place["stakes"] or place["notes"]]


def clauses_named(game, told, happened):
    """Every clause that the page names, in the rules' order, with its text."""
    named = {moment["clause"] for moment in happened}
    for generation in told:
        named |= {reason["clause"] for reason in generation["reasons"]}
        for payment in generation["payments"]:
            named |= {*payment["clauses"], *(reason["clause"] for reason in payment["reasons"])}
    return [{"clause": clause, "text": text} for clause, text in game.clauses.items() if clause in named]
