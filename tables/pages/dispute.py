"""The page of one dispute, which is also that of its case: the ruling, or who may rule; what was claimed, by when and
by whom; what would have been different; why each box got what it got, and the round action by action.

Nothing here asks which game it is.
"""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from audit import history
from casino.errors import Refused
from casino.models import Casino, Staff
from casino.roles import Right

from ..models import Dispute
from ..people import access
from ..verbs import grounds, payments, rulesheets
from ..verbs.disputes import dealers, takes_two
from ..words import calls, cases, disputes, generations, handing, places, replays, timeline
from ..words import staff as staff_words
from ..words.timeline import Reader
from . import correction_form
from .round import clauses_named, no_result, refused
from .wording import WORDING

NO_CHANGE = {
    "OPEN": "no_change:open",
    "VOIDED": "no_change:voided",
}


@require_GET
@never_cache
@login_required
def page(request, dispute_id):
    """The whole page. `?action=3` shows the table as it lay after the third action."""
    dispute = _dispute_or_404(request.user, dispute_id)
    page_now = _page(dispute, request.user, request.GET.get("action", ""))
    answer = render(request, "dispute/page.html", {"page": page_now, "calls": calls.listed(request.user)})
    history.look_at_records(what=dispute.ref, by=request.user)
    return answer


@require_POST
@never_cache
def what_if(request, dispute_id):
    """What changed facts would come to, per box and for the house. Nothing is written; the answer is a fragment."""
    if not request.user.is_authenticated:
        return refused(WORDING.refused("not_logged_in"))
    dispute = _dispute_or_404(request.user, dispute_id)
    try:
        preview = correction_form.preview(dispute.round, request.POST, settings=True)
    except Refused as error:
        return refused(error)
    return render(request, "round/_preview.html", {"preview": preview | {"what_if": True}})


def _dispute_or_404(staff, dispute_id):
    dispute = Dispute.objects.filter(pk=dispute_id, round__table__in=access.tables(staff, Right.READ_FLOOR))
    dispute = dispute.select_related(
        "round__table__pit", "round__sheet", "round__session", "round__settlement", "round__opened_by",
        "raised_by", "ruled_by", "approved_by", "terminal", "line",
    ).first()  # fmt: skip
    if dispute is None:
        raise Http404("There is no such dispute, or it is at a table out of your reach.")
    return dispute


def _page(dispute, staff, chosen):
    round_ = dispute.round
    words = timeline.words(round_)
    reader = Reader.of(staff)
    line = round_.lines.last()
    newest_first = generations.of(round_, words, reader)
    moments = timeline.rows(round_, reader)
    is_open = dispute.status == Dispute.Status.OPEN
    may_rule = is_open and staff.has_perm(Right.RULE_DISPUTE, round_.table)
    dealt_it = dealers(round_)
    dealt = staff.pk in dealt_it
    case = cases.of_dispute(dispute, staff)
    return {
        "id": dispute.pk,
        "name": str(dispute),
        "case": case,
        "people": _people(dispute, case, dealt_it, reader),
        "round": {"id": round_.pk, "number": str(round_)},
        "table": {"id": round_.table_id, "name": round_.table.name},
        "zone": reader.zone.key,
        "currency": Casino.objects.get().currency,
        "facts": _facts(dispute, words, reader),
        "statement": dispute.statement,
        "ruling": None if is_open else _ruling(dispute, words, reader),
        "open": is_open,
        "generations": newest_first,
        "no_result": no_result(round_),
        "laid": places.of_line(words, line) if line else [],
        "line": line.ordinal if line else 0,
        "replay": replays.of(round_, words, moments, chosen),
        "what_if": _what_if(round_, words, line) if round_.status in correction_form.CORRECTABLE else None,
        "no_change": WORDING(NO_CHANGE[round_.status]) if round_.status in NO_CHANGE else "",
        "may_rule": may_rule and not dealt,
        "dealt": may_rule and dealt,
        "rule": _rule_form(words, dispute, staff, newest_first) if may_rule else None,
        "clauses": clauses_named(words.game, newest_first, moments),
    }


def _what_if(round_, words, line):
    form = correction_form.form(round_, words, line)
    return form | {"settings": correction_form.settings_fields(words, rulesheets.checked(round_.sheet))}


def _rule_form(words, dispute, staff, newest_first):
    """The form of a ruling; `signed` are the choices that take two people; clauses of the round's result come first."""
    raised_it = dispute.raised_by_id == staff.pk
    named = {dispute.about, *generations.clauses(newest_first)}
    signed = {"refused": takes_two("refused", None), "upheld": False, "changes": True}
    return {
        "signed": " ".join(choice for choice, two in signed.items() if two or raised_it),
        "chapters": disputes.chapters(words.game, named),
        "reason_length": grounds.MAX_REASON,
    }


def _facts(dispute, words, reader):
    about = disputes.about(dispute)
    if dispute.about in words.game.clauses:
        about += f": {words.game.clauses[dispute.about]}"
    return [
        {"label": "About", "value": about},
        {"label": "Claimed by", "value": disputes.boxes(dispute)},
        {"label": "Staked there", "value": disputes.stake(dispute)},
        {"label": "Status", "value": disputes.state(dispute)},
    ]


def _people(dispute, case, dealt_it, reader):
    """Everybody with a part in it, in the order of their steps; `icon` says whether theirs is done."""

    others = (dispute.raised_by_id, dispute.ruled_by_id, dispute.approved_by_id, case and case["owner_id"])
    roles = staff_words.roles({*dealt_it, *filter(None, others)}, dispute.raised_at)

    def person(staff, part, at=None, icon="ok"):
        when = reader.exact(at) if at else ""
        part = ", ".join(filter(None, [roles.get(staff.pk), part]))
        return {"name": reader.person(staff), "part": part, "at": when, "icon": icon}

    dealt = Staff.objects.filter(pk__in=dealt_it).order_by("pk")
    people = [person(each, WORDING("part:dealt")) for each in dealt]
    terminal = dispute.terminal
    raised = WORDING("part:raised_at", terminal=terminal.name) if terminal else WORDING("part:raised")
    people.append(person(dispute.raised_by, raised, dispute.raised_at))
    if case:
        part = ", ".join(filter(None, [roles.get(case["owner_id"]), WORDING("part:owner")]))
        people.append({"name": case["owner"], "part": part, "at": "", "icon": "flag"})
    if dispute.ruled_by:
        people.append(person(dispute.ruled_by, WORDING("part:ruled"), dispute.ruled_at))
    if dispute.approved_by:
        people.append(person(dispute.approved_by, WORDING("part:signed"), dispute.ruled_at))
    return people


def _ruling(dispute, words, reader):
    """How it was ruled, by whom, and what is still to be done about it at the table."""
    left = payments.outstanding(dispute.round) if dispute.line_id else ()
    return {
        "word": dispute.get_ruling_display().capitalize(),
        "upheld": dispute.ruling == Dispute.Ruling.UPHELD,
        "clause": dispute.clause,
        "text": words.game.clauses.get(dispute.clause, ""),
        "reason": dispute.reason,
        "at": reader.exact(dispute.ruled_at),
        "by": reader.person(dispute.ruled_by),
        "approved_by": reader.person(dispute.approved_by) if dispute.approved_by else "",
        "line": dispute.line and dispute.line.ordinal,
        "due": [handing.order(paid, words.amount) for paid in left],
        "closed": reader.clock(dispute.closed_at),
    }
