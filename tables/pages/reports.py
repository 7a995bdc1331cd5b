"""The pages of reports: the list of them, one of a period, its file as CSV, and where that comes from."""

import functools
import re

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import FileResponse, Http404, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from audit.log import Actor
from casino.errors import Refused
from casino.roles import Right

from ..reports import catalogue, files, grading, screens
from ..reports.period import Period
from ..verbs import report_files
from ..words import calls

_PAGE = re.compile("[0-9]{1,9}")


def _report(view):
    """A page of reports: for who reads them; what is refused says so on a page of its own."""

    @require_GET
    @never_cache
    @login_required
    @functools.wraps(view)
    def answer(request, *arguments, **named):
        if not request.user.has_perm(Right.READ_REPORTS):
            raise Http404("You read no reports.")
        try:
            return view(request, *arguments, **named)
        except Refused as refused:
            if request.path.endswith(".json"):
                return JsonResponse(refused.shape(), status=refused.status)
            said = {"fact": refused.message, "way_out": refused.way_out}
            return render(request, "reports/refused.html", said, status=refused.status)

    return answer


@_report
def all_of_them(request):
    """The list of reports, for a period: `?period=2026-11`, or `?first=2026-11-01&last=2026-11-15` from a form, which
    may name the report, too."""
    first, last = request.GET.get("first", ""), request.GET.get("last", "")
    if first or last:
        period = Period.of(f"{first or last}..{last or first}")
        if "report" in request.GET:
            return redirect("report", catalogue.find(request.GET["report"]).name, period)
        return redirect(f"{reverse('reports')}?period={period}")
    asked = request.GET.get("period")
    period = Period.of(asked) if asked else screens.newest()
    grading.of(period)
    context = {"page": screens.catalogue(period), "calls": calls.listed(request.user)}
    return render(request, "reports/all.html", context)


@_report
def page(request, name, period):
    """A report on the screen, 200 rows a page: `?page=2`, cut down by what its columns have: `?table=T1`."""
    report, asked = catalogue.find(name), Period.of(period)
    if str(asked) != period:
        return redirect("report", name, asked)
    number = request.GET.get("page", "1")
    chosen = screens.chosen(report, request.GET)
    shown = screens.shown(report, asked, request.user, chosen, int(number) if _PAGE.fullmatch(number) else 1)
    answer = render(request, "reports/page.html", {"page": shown, "calls": calls.listed(request.user)})
    _looked(request, report, asked)
    return answer


@_report
def file(request, name, period):
    """The file of a report as CSV, of a period that is FINAL; its digest goes into the log."""
    report, asked = catalogue.find(name), Period.of(period)
    if str(asked) != period:
        return redirect("report-file", name, asked)
    with transaction.atomic():
        graded = grading.final(asked)
        made = files.csv(report, asked)
        report_files.give(
            report=name, period=period, grade=graded.grade.value, digest=made.digest, actor=Actor(request.user)
        )
    headers = {"Content-Length": made.size}
    return FileResponse(
        made.content, as_attachment=True, filename=f"{name}-{period}.csv", content_type="text/csv; charset=utf-8",
        headers=headers,
    )  # fmt: skip


@_report
def manifest(request, name, period):
    """Where the file of a report comes from, as JSON."""
    report, asked = catalogue.find(name), Period.of(period)
    if str(asked) != period:
        return redirect("report-manifest", name, asked)
    answer = JsonResponse(screens.manifest(report, asked), json_dumps_params={"ensure_ascii": False, "indent": 1})
    _looked(request, report, asked)
    return answer


def _looked(request, report, period):
    history.look_at_records(what=f"report:{report.name}", by=request.user, within={"period": str(period)})
