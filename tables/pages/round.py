"""The page of one round: what happened, what each box got and why, what lies on the table, and its correction.

Nothing here asks which game it is: slots, words, clauses and irregularities come from the game.
"""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Max, Min
from django.http import Http404, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from audit import history
from audit.models import Entry
from casino.errors import Refused
from casino.games import registry
from casino.models import Casino
from casino.roles import Right
from casino.wording import read, read_whole
from payouts.models import Transfer

from ..models import Case, Round
from ..people import access
from ..reports.of_play import HAND_HISTORY
from ..reports.period import Period
from ..verbs import fold, grounds, payments, settling
from ..words import calls, cases, dates, disputes, generations, places, timeline
from ..words.timeline import Reader
from ..words.wording import WORDING
from . import correction_form

NO_RESULT = {
    Round.Status.OPEN: "no_result:open",
    Round.Status.CLOSED: "no_result:closed",
    Round.Status.VOIDED: "no_result:voided",
}


@require_GET
@never_cache
@login_required
def page(request, round_id):
    """The whole page."""
    round_ = _round_or_404(request.user, round_id)
    shown = {"page": read_whole(_page(round_, request.user)), "calls": calls.listed(request.user)}
    answer = render(request, "round/page.html", shown)
    history.look_at_records(what=round_.ref, by=request.user)
    return answer


@require_POST
@never_cache
def preview(request, round_id):
    """What a correction would change, and what each box would get. Nothing is written; the answer is a fragment."""
    if not request.user.is_authenticated:
        return refused(WORDING.refused("not_logged_in"))
    round_ = _round_or_404(request.user, round_id)
    try:
        if not request.user.has_perm(Right.REPORT, round_.table):
            raise access.not_your_right()
        changes = correction_form.preview(round_, request.POST)
        changes["by"] = Reader.of(request.user).person(request.user)
        changes["by_rules"] = request.user.has_perm(Right.RULE, round_.table)
        return render(request, "round/_preview.html", {"preview": read_whole(changes)})
    except Refused as error:
        return refused(error)


def no_result(round_):
    """Why a round has no result; "" if it has one."""
    return WORDING(NO_RESULT[round_.status]) if round_.status in NO_RESULT else ""


def refused(error):
    return JsonResponse(error.shape(), status=error.status)


def _round_or_404(staff, round_id):
    rounds = Round.objects.filter(pk=round_id, table__in=access.tables(staff, Right.SEE_TABLE))
    rounds = rounds.select_related(
        "table__pit", "table__chip_set", "sheet", "session", "settlement", "opened_by", "opened_with"
    )
    round_ = rounds.first()
    if round_ is None:
        raise Http404("There is no such round, or you are not signed on at its table.")
    return round_


def _page(round_, staff):
    words = timeline.words(round_)
    reader, reads = Reader.of(staff), staff.has_perm(Right.READ_FLOOR, round_.table)
    line = round_.lines.last()
    newest_first = generations.of(round_, words, reader)
    moments = timeline.rows(round_, reader)
    may_correct = round_.status in correction_form.CORRECTABLE and staff.has_perm(Right.REPORT, round_.table)
    return {
        "id": round_.pk,
        "number": str(round_),
        "table": {"id": round_.table_id, "name": round_.table.name},
        "zone": reader.zone.key,
        "currency": Casino.objects.get().currency,
        "facts": _facts(round_, words, reader),
        "hold": _hold(round_, reader, staff, tells=reads),
        "settlement": _settlement(round_, reader, may_try=staff.has_perm(Right.REPORT, round_.table)),
        "void": _void(round_) if staff.has_perm(Right.RULE, round_.table) else None,
        "entries": _entries(round_, words, staff) if reads else None,
        "disputes": disputes.notes(round_, reader, leads=reads),
        "asked": cases.opener(Case.Kind.VOID, round_, staff) if round_.status == Round.Status.VOIDED else None,
        "generations": newest_first,
        "no_result": no_result(round_),
        "due": generations.due(newest_first),
        "may_tick": staff.has_perm(payments.right_to_tick(round_.table), round_.table),
        "may_leave": staff.has_perm(Right.REPORT, round_.table),
        "laid": places.of_line(words, line) if line else places.of_round(round_, words),
        "line": line.ordinal if line else 0,
        "moments": moments,
        "terminals": any(moment["terminal"] for moment in moments),
        "clauses": clauses_named(words.game, newest_first, moments),
        "correct": correction_form.form(round_, words, line) if may_correct else None,
        "may_dispute": staff.has_perm(Right.RAISE, round_.table),
        "leads": reads,
        "dispute": disputes.sheet(words.game, words.game.view(fold.of(round_).state)),
        "back_office": staff.has_perm(Right.READ_ADMIN) and reads,
        "report": _report(round_) if staff.has_perm(Right.READ_REPORTS) else "",
    }


def _report(round_):
    """The round's hand history, over the gaming days on which it was dealt and settled."""
    last = round_.settlement.business_date if round_.settlement else round_.session.business_date
    period = Period(round_.session.business_date, last)
    return f"{reverse('report', args=[HAND_HISTORY.name, period])}?{urlencode({'round': str(round_)})}"


def _facts(round_, words, reader):
    session, sheet = round_.session, round_.sheet
    return [
        {"label": WORDING("fact.game"), "value": words.game.name},
        {"label": WORDING("fact.business_date"), "value": dates.day(session.business_date)},
        {"label": WORDING("fact.status"), "value": capfirst(read(round_.get_status_display()))},
        *_times(round_, reader),
        {"label": WORDING("fact.sheet"), "value": sheet.short},
        *_logged(round_),
    ]


def _logged(round_):
    """The numbers of the round's entries in the log, by which an auditor finds them."""
    entries = Entry.objects.filter(subject=round_.ref)
    sums = entries.aggregate(chain=Min("chain"), first=Min("seq"), last=Max("seq"), many=Count("*"))
    if not sums["many"]:
        return []
    if sums["many"] > 1:
        entries = WORDING("entries", count=sums["many"], chain=sums["chain"], first=sums["first"], last=sums["last"])
    else:
        entries = WORDING("entries:one", chain=sums["chain"], number=sums["first"])
    return [{"label": WORDING("fact.entries"), "value": entries}]


def _times(round_, reader):
    """When it was opened; for a round from paper, when it was played, on which paper, and who entered it when."""
    if round_.paper is None:
        return [{"label": WORDING("fact.opened"), "value": reader.exact(round_.opened_at)}]
    two = WORDING("and", one=reader.person(round_.opened_by), other=reader.person(round_.opened_with))
    return [
        {"label": WORDING("fact.paper"), "value": round_.paper},
        {"label": WORDING("fact.played"), "value": reader.exact(round_.happened_at)},
        {"label": WORDING("fact.entered"), "value": reader.exact(round_.opened_at)},
        {"label": WORDING("fact.entered_by"), "value": two},
    ]


def _hold(round_, reader, staff, *, tells):
    """Since when and why the round is held, None if it is not; `tells`: also in the words of whoever held it.

    A closed round is released here: its table may have gone on, and its terminal then shows another round.
    """
    if not round_.held_at:
        return None
    hold = round_.interventions.filter(kind="held").select_related("by").last()
    irregularities = registry.GAMES[round_.sheet.game].irregularities
    release = {
        "version": round_.actions.count(),
        "hold": hold.ordinal,
        "asks_reason": any(case.reason for case in irregularities if case.clause == hold.clause),
        "reason_length": grounds.MAX_REASON,
        "login": staff.login if staff.has_perm(Right.RULE, round_.table) else "",
    }
    may_release = staff.has_perm(Right.REPORT, round_.table)
    return {
        "clause": hold.clause,
        "since": reader.clock(round_.held_at),
        "by": reader.person(hold.by),
        "reason": hold.reason if tells else "",
        "closed": round_.status == Round.Status.CLOSED,
        "release": release if may_release and round_.status == Round.Status.CLOSED else None,
    }


def _void(round_):
    """The form that voids a round in play, with the clause of its hold chosen. None for any other round."""
    if round_.status != Round.Status.OPEN:
        return None
    hold = round_.interventions.filter(kind="held").last() if round_.held_at else None
    return {
        "version": round_.actions.count(),
        "clauses": registry.GAMES[round_.sheet.game].irregularities,
        "clause": hold and hold.clause,
        "reason_length": grounds.MAX_REASON,
    }


def _entries(round_, words, staff):
    """What moved between the accounts for the round, in order, with links for people who read the back office."""
    transfers = Transfer.objects.filter(settlement__round_key=round_.ref).order_by("pk")
    ways = []
    if staff.has_perm(Right.READ_MONEY):
        listed = reverse("admin:payouts_transfer_changelist")
        ways.append({"label": "Its transfers", "href": f"{listed}?{urlencode({'q': str(round_)})}"})
    if staff.has_perm(Right.READ_LOG):
        ways.append({"label": "As the log has it", "href": reverse("admin:history_round", args=[round_.pk])})
    return {
        "rows": [
            {
                "generation": transfer.settlement.generation,
                "reason": transfer.get_reason_display().capitalize(),
                "credit": transfer.credit.get_kind_display().capitalize(),
                "debit": transfer.debit.get_kind_display().capitalize(),
                "amount": words.amount(transfer.units),
            }
            for transfer in transfers.select_related("settlement", "debit", "credit")
        ],
        "ways": ways,
    }


def _settlement(round_, reader, *, may_try):
    """How a closed round waits for its settlement: how often it was tried, when it is tried next, and why it failed."""
    if round_.status != Round.Status.CLOSED:
        return None
    held, leased = round_.held_at is not None, round_.leases > 0
    upcoming = reader.clock(round_.next_at)
    if held:
        upcoming = WORDING("next:held")
    elif leased:
        upcoming = WORDING("next:after", time=reader.clock(round_.next_at))
    return {
        "tries": WORDING("tries", count=round_.failures, most=settling.MAX_FAILURES),
        "next": upcoming,
        "line": round_.lines.last().ordinal,
        "failure": round_.failure,
        "held": held,
        "may_try": may_try and not held,
    }


def clauses_named(game, newest_first, moments):
    """Every clause that the page names, in the rules' order, with its text."""
    named = {moment["clause"] for moment in moments} | generations.clauses(newest_first)
    return [{"clause": clause, "text": text} for clause, text in game.clauses.items() if clause in named]
