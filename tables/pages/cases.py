"""The pages of cases: the list of what has to be cleared up, one case, which its owner decides with a second, and its
file."""

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from audit.log import Actor
from casino.roles import Right

from ..models import Case, CaseFile
from ..verbs import case_files
from ..verbs.cases import about
from ..words import calls, cases, replays, session_rounds, timeline
from ..words.case_printing import course, printed
from ..words.timeline import Reader


@require_GET
@never_cache
@login_required
def all_of_them(request):
    """The cases within reach."""
    if not request.user.has_perm(Right.READ_CASE):
        raise Http404("You read no cases.")
    return _page(request, None)


@require_GET
@never_cache
@login_required
def page(request, case_id):
    """A case, with what may be done about it; a dispute's case is on the dispute's page. `?action=3` shows the table of
    a void round as it lay after the third action."""
    case = _case_or_404(request.user, case_id)
    if case.kind == Case.Kind.DISPUTE:
        return redirect("dispute", case.subject_id)
    return _page(request, cases.shown(case, request.user) | _below(case, request))


@require_GET
@never_cache
@login_required
def file(request, case_id):
    """The file of a case as it is now, a PDF; it is made and kept, unless there is one of this state."""
    _case_or_404(request.user, case_id)
    now = printed(case_id)
    with transaction.atomic():
        made = case_files.make(case_id=case_id, printed=now, actor=Actor(request.user))
    return _sent(made, request.user)


@require_GET
@never_cache
@login_required
def file_as_made(request, case_id, file_id):
    """The file of a case as it was made once, to the byte."""
    within = cases.within_reach(request.user).filter(pk=case_id)
    kept = CaseFile.objects.select_related("case").filter(pk=file_id, case__in=within).first()
    if kept is None:
        raise Http404("There is no such file, or its case is out of your reach.")
    return _sent(kept, request.user)


def _case_or_404(staff, case_id):
    case = cases.within_reach(staff).filter(pk=case_id).first()
    if case is None:
        raise Http404("There is no such case, or it is of a table out of your reach.")
    return case


def _sent(kept, staff):
    history.look_at_records(what=kept.case.ref, by=staff)
    headers = {"Content-Disposition": f'attachment; filename="{kept.case}.pdf"', "Content-Length": len(kept.content)}
    return HttpResponse(bytes(kept.content), content_type="application/pdf", headers=headers)


def _below(case, request):
    """What stands below the decision and the case: for a void round its course again, else what happened, for an
    investigation below the rounds of its session."""
    reader = Reader.of(request.user)
    below = {"zone": reader.zone.key}
    if case.kind == Case.Kind.VOID:
        round_ = about(case)
        moments = timeline.rows(round_, reader)
        replay = replays.of(round_, timeline.words(round_), moments, request.GET.get("action", ""))
        return below | {"replay": replay}
    if case.kind == Case.Kind.INVESTIGATION:
        below["rounds"] = session_rounds.shown(about(case), request.user, 1)
    return below | {"course": course(case, reader)}


def _page(request, case):
    waiting = calls.listed(request.user)
    of_cases = {row["case"]: row for row in waiting or () if row["case"]}
    listed = cases.listed(request.user, of_cases)
    # An alarm of a case is shown with the case, and not above it once more.
    numbers = sorted(of_cases.keys() & {row["id"] for group in listed["groups"] for row in group["rows"]})
    context = {"case": case, "listed": listed, "calls": waiting, "cases_here": numbers}
    if case:
        context["alarm"] = of_cases.get(case["id"])
    return render(request, "cases/page.html", context)
