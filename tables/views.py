"""The pages: the tables that a person may see, and a table's terminal with the part of it that htmx swaps."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino.roles import Verb

from . import access
from . import terminal as screens


@require_GET
@never_cache
@login_required
def home(request):
    """The tables within reach; who acts at the only one goes straight to its terminal."""
    tables = list(access.tables(request.user, Verb.SEE_TABLE).select_related("pit").order_by("code"))
    if len(tables) == 1 and request.user.has_perm(Verb.ACT, tables[0]):
        return redirect("terminal", tables[0].pk)
    context = {"tables": screens.hall(tables), "reads_admin": request.user.has_perm(Verb.READ_ADMIN)}
    return render(request, "home.html", context)


@require_GET
@never_cache
@login_required
def terminal(request, table_id):
    """The whole page of a table's terminal."""
    return render(request, "terminal/page.html", _context(request, table_id))


@require_GET
@never_cache
def felt(request, table_id):
    """The part of the terminal that shows the table; who is logged out meanwhile is sent to log in."""
    if not request.user.is_authenticated:
        login = f"{reverse('login')}?next={reverse('terminal', args=[table_id])}"
        return HttpResponse(status=401, headers={"HX-Redirect": login})
    return render(request, "terminal/_felt.html", _context(request, table_id))


def _context(request, table_id):
    table = access.table_or_404(request.user, Verb.SEE_TABLE, table_id)
    return {"screen": screens.read(table, request.user)}
