"""The pages of the cage: its open shift with the chips in circulation, the count that closes it, and each shift's form.

The count is blind: until both have counted, no page shows a person who may count what the first one counted, or what
should be there.
"""

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit import history
from casino.roles import Right

from ..models import CageShift
from ..words import cage, calls


@require_GET
@never_cache
@login_required
def page(request):
    """The cage as it stands now."""
    return _shown(request, CageShift.objects.filter(status=CageShift.Status.OPEN).first())


@require_GET
@never_cache
@login_required
def of_shift(request, shift_id):
    """A shift: what was issued, sold and cashed in it, and once it is closed its count."""
    if not request.user.has_perm(Right.READ_CAGE):
        raise Http404("You do not read the cage.")
    return _shown(request, get_object_or_404(CageShift, pk=shift_id))


def _shown(request, shift):
    if not request.user.has_perm(Right.READ_CAGE):
        raise Http404("You do not read the cage.")
    answer = render(
        request, "cage/page.html", {"page": cage.shown(shift, request.user), "calls": calls.listed(request.user)}
    )
    history.look_at_records(what=shift.ref if shift else "cage_shift", by=request.user)
    return answer


@require_GET
@never_cache
@login_required
def count(request):
    """The count of the cage, for whoever may count it; both counts, once both are in."""
    if not request.user.has_perm(Right.COUNT_CAGE):
        raise Http404("You do not count the cage.")
    shown = cage.count(request.user, again=request.GET.get("again") == "1")
    if shown is None:
        return redirect("cage" if request.user.has_perm(Right.READ_CAGE) else "home")
    context = {"page": shown, "here": "cage", "calls": calls.listed(request.user)}
    return render(request, "session/count.html", context)
