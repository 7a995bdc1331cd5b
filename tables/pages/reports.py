"""The pages of reports: the list, one report of a period, its files, and where those come from."""

import functools
import re

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import FileResponse, Http404, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from casino.errors import Refused
from casino.roles import Right

from ..people import fetchers
from ..reports import catalogue, grading, making, screens, shelf
from ..reports.period import Period
from ..verbs import report_files
from ..words import calls
from .wording import WORDING

_PAGE = re.compile("[0-9]{1,9}")
FORMS = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
}
MOST_SOUGHT = 80
"""The longest text that the list of reports is searched for."""


def _report(view):
    """Make a page for whoever reads reports; a refusal gets a page of its own."""

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
    may name the report, too. `?q=stiff sheet` lists those that have these words in a name."""
    first, last = request.GET.get("first", ""), request.GET.get("last", "")
    if first or last:
        period = Period.of(f"{first or last}..{last or first}")
        if "report" in request.GET:
            return redirect("report", catalogue.find(request.GET["report"], request.user).name, period)
        return redirect(f"{reverse('reports')}?period={period}")
    asked = request.GET.get("period")
    period = Period.of(asked) if asked else screens.newest()
    grading.of(period)
    context = {
        "page": screens.catalogue(period, request.user, request.GET.get("q", "")[:MOST_SOUGHT]),
        "calls": calls.listed(request.user),
    }
    return render(request, "reports/all.html", context)


@_report
def page(request, name, period):
    """A report on the screen, 200 rows a page (`?page=2`), narrowed down by values of its columns (`?table=T1`)."""
    report, asked = catalogue.find(name, request.user), Period.of(period)
    if str(asked) != period:
        return redirect("report", name, asked)
    number = request.GET.get("page", "1")
    chosen = screens.chosen(report, request.GET)
    shown = screens.shown(report, asked, request.user, chosen, int(number) if _PAGE.fullmatch(number) else 1)
    answer = render(request, "reports/page.html", {"page": shown, "calls": calls.listed(request.user)})
    _looked(request, report, asked)
    return answer


def file(request, name, period, form):
    """A finished file of a report, for a person, or for a program that shows a token of reports."""
    try:
        fetcher = fetchers.of(request)
    except Refused as refused:
        return JsonResponse(refused.shape(), status=refused.status)
    if fetcher is None:
        return _file_of_person(request, name, period, form)
    if request.method not in {"GET", "HEAD"}:
        return HttpResponseNotAllowed(["GET", "HEAD"])
    try:
        made = shelf.file(catalogue.find(name, fetcher), Period.of(period), form)
        answer = _sent(made)
    except Refused as refused:
        return JsonResponse(refused.shape(), status=refused.status)
    with transaction.atomic():
        report_files.fetched(made, fetcher.token)
    return answer


@_report
def _file_of_person(request, name, period, form):
    report, asked = catalogue.find(name, request.user), Period.of(period)
    if str(asked) != period:
        return redirect(shelf.address(report.name, asked, form))
    answer = _sent(shelf.file(report, asked, form))
    _looked(request, report, asked)
    return answer


def _sent(made):
    """A file's bytes as an answer.

    :raises Refused: `report_file_gone` (410).
    """
    try:
        content = open(making.place(made), "rb")  # noqa: SIM115 - whoever sends it closes it
    except FileNotFoundError:
        raise WORDING.refused("report_file_gone", file=made) from None
    headers = {"Content-Length": made.size}
    kind = FORMS[made.form]
    return FileResponse(content, as_attachment=True, filename=made.name, content_type=kind, headers=headers)


@_report
def files(request, name, period):
    """Just the files of a report of a period, which its page fetches again while one is being made."""
    report, asked = catalogue.find(name, request.user), Period.of(period)
    context = {"page": shelf.files(report, asked, request.user), "files": screens.given(report, asked, request.user)}
    return render(request, "reports/_again.html", context)


@_report
def all_files(request):
    """The files of all reports, the newest first, with their pruning and the tokens of programs that fetch them."""
    context = {"page": shelf.all_files(request.user), "calls": calls.listed(request.user)}
    history.look_at_records(what="report_file", by=request.user)
    return render(request, "reports/files.html", context)


@_report
def manifest(request, name, period):
    """Where the file of a report comes from, as JSON."""
    report, asked = catalogue.find(name, request.user), Period.of(period)
    if str(asked) != period:
        return redirect("report-manifest", name, asked)
    answer = JsonResponse(shelf.manifest(report, asked), json_dumps_params={"ensure_ascii": False, "indent": 1})
    _looked(request, report, asked)
    return answer


def _looked(request, report, period):
    history.look_at_records(what=f"report:{report.name}", by=request.user, within={"period": str(period)})
