"""The page of a sheet's house edge: how far its computation is, and its figures beside those of the sheet in force; and
the PAR sheet made from them."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.errors import Refused
from casino.roles import Right

from ..models import RuleSheet
from ..words import calls, edges, par, par_printing, sheets


@require_GET
@never_cache
@login_required
def page(request, sheet_id):
    """The edge of a sheet; `?ante=` is one of those that it depends on, or `none` where nothing is rounded."""
    sheet = _sheet_or_404(request.user, sheet_id)
    ante = request.GET.get("ante", "")
    known = int(ante) if ante.isascii() and ante.isdigit() and len(ante) < 15 else ante
    context = {
        "sheet": sheets.Desk().row(sheet),
        "page": edges.of(sheet, known),
        "computes": request.user.has_perm(Right.COMPUTE_EDGE),
        "drafts": request.user.has_perm(Right.DRAFT_SHEET),
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/edge.html", context)


@require_GET
@never_cache
@login_required
def par_pdf(request, sheet_id):
    """The PAR sheet of a sheet, printed."""
    sheet = _sheet_or_404(request.user, sheet_id)
    try:
        made = par.of(sheet)
    except Refused as refused:
        said = {"fact": refused.message, "way_out": refused.way_out, "sheet_id": sheet.pk}
        return render(request, "sheets/no_par.html", said, status=refused.status)
    return _sent(par_printing.pdf(made), f"par-{sheet.game}-{sheet.version}.pdf", "application/pdf")


@require_GET
@never_cache
@login_required
def par_json(request, sheet_id):
    """The PAR sheet of a sheet as JSON, in its canonical text: its SHA-256 is the one that the PDF prints."""
    sheet = _sheet_or_404(request.user, sheet_id)
    try:
        made = par.of(sheet)
    except Refused as refused:
        return JsonResponse(refused.shape(), status=refused.status)
    return _sent(made.text.encode(), f"par-{sheet.game}-{sheet.version}.json", "application/json")


def _sheet_or_404(staff, sheet_id):
    if not staff.has_perm(Right.READ_SHEETS):
        raise Http404("You read no rule sheets.")
    sheet = RuleSheet.objects.select_related("drafted_by", "published_by").filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404("There is no such rule sheet.")
    return sheet


def _sent(content, name, kind):
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": len(content)}
    return HttpResponse(content, content_type=kind, headers=headers)
