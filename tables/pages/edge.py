"""The page of a sheet's house edge: how far its computing is, and its figures beside those of the sheet in force."""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Right

from ..models import RuleSheet
from ..words import calls, edges, sheets


@require_GET
@never_cache
@login_required
def page(request, sheet_id):
    """The edge of a sheet; `?ante=` is one of those that it depends on."""
    if not request.user.has_perm(Right.READ_SHEETS):
        raise Http404("You read no rule sheets.")
    sheet = RuleSheet.objects.select_related("drafted_by", "published_by").filter(pk=sheet_id).first()
    if sheet is None:
        raise Http404("There is no such rule sheet.")
    ante = request.GET.get("ante", "")
    context = {
        "sheet": sheets.Desk().row(sheet),
        "page": edges.of(sheet, int(ante) if ante.isascii() and ante.isdigit() and len(ante) < 15 else None),
        "computes": request.user.has_perm(Right.COMPUTE_EDGE),
        "drafts": request.user.has_perm(Right.DRAFT_SHEET),
        "calls": calls.listed(request.user),
    }
    return render(request, "sheets/edge.html", context)
