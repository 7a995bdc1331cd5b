"""A table's terminal: its page, the part of it that is asked for again after each change, and what both show."""

from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from audit.models import Chain
from casino.models import Casino
from casino.roles import Right, Role

from ..models import Action, Round, Session, SignOn
from ..people import access
from ..verbs import fold, lateness, results, rulesheets, series
from ..words import owed
from .ground import Ground, Newest
from .screen import screen

# At most this many rounds are counted, by the numbers of a table's rounds.
MOST_AN_HOUR = 200


@require_GET
@never_cache
@login_required
def page(request, table_id):
    """The whole page of a table's terminal."""
    return render(request, "terminal/page.html", {"screen": _screen(request, table_id)})


@require_GET
@never_cache
def felt(request, table_id):
    """The part of the terminal that shows the table; a person who was logged out meanwhile is sent to log in.

    `?amend=3` shows the action with that number to be entered again.
    """
    if not request.user.is_authenticated:
        # No redirect: what fetches the felt would follow it and show the login in the felt's place.
        login = f"{reverse('login')}?ended=1&next={reverse('terminal', args=[table_id])}"
        return HttpResponse(status=401, headers={"Location": login})
    number = request.GET.get("amend", "")
    amending = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None
    return render(request, "terminal/_felt.html", {"screen": _screen(request, table_id, amending)})


def _screen(request, table_id, amending=None):
    """A table's screen; a person who may sign on there and sees nothing yet learns who deals there, and no more."""
    staff = request.user
    # Before anything else, rights too: what happens while we read has a higher number then, and the page looks again.
    seq = Chain.objects.filter(key=f"table:{table_id}").values_list("seq", flat=True).first()
    table = access.tables(staff, Right.SEE_TABLE).filter(pk=table_id).select_related("chip_set").first()
    sees = table is not None
    if not sees:
        table = access.table_or_404(staff, Right.SIGN_ON, table_id)
    session = Session.objects.filter(table=table, status=Session.Status.OPEN).first()
    round_, before = _latest(session) if sees else (None, None)
    here = SignOn.objects.filter(table=table, signed_off_at=None).first()
    ground = Ground(
        table=table,
        casino=Casino.objects.get(),
        seq=seq,
        staff_id=staff.pk,
        sees=sees,
        may_act=sees and staff.has_perm(Right.ACT, table),
        may_report=sees and staff.has_perm(Right.REPORT, table),
        may_rule=sees and staff.has_perm(Right.RULE, table),
        reads_session=sees and staff.has_perm(Right.READ_SESSION, table),
        may_dispute=sees and staff.has_perm(Right.RAISE, table),
        may_sign_on=access.posted(staff, Role.CROUPIER, table) and staff.has_perm(Right.SIGN_ON, table),
        croupier_id=here and here.staff_id,
        took_over=bool(here) and _relieved(staff, here),
        in_session=session is not None,
        sheet=round_.sheet if round_ else rulesheets.in_force(table),
        last=_last_arguments(before) if before else {},
        ahead=series.ahead(table) if sees else series.Ahead(),
        score=series.score(round_) if round_ else "",
        may_sign_on_here=_signs_on_here(request, table),
        owed=owed.of(session, round_) if round_ else [],
        late=_late(round_, before),
        pace=_pace(round_) if round_ else None,
    )
    if round_ is None:
        return screen(None, ground=ground)
    newest = Newest(
        round=round_,
        folded=fold.of(round_),
        results=results.of(round_),
        actions=list(round_.actions.select_related("terminal").order_by("ordinal")),
        interventions=list(round_.interventions.select_related("terminal").order_by("ordinal")),
        amending=amending,
    )
    return screen(newest, ground=ground)


def _late(*newest):
    """The round of this table that waits for too long, with all that wait; nobody else's screen asks for them."""
    round_ = next((round_ for round_ in newest if round_ and lateness.is_late(round_)), None)
    waiting = lateness.waiting() if round_ else None
    return (round_, waiting) if waiting and waiting.late else None


def _signs_on_here(request, table):
    """Whether a sign-on from this browser is taken: at the table's terminals, and by its pit boss anywhere."""
    device = access.terminal_of(request)
    return (device is not None and device.table_id == table.pk) or access.posted(request.user, Role.PIT_BOSS, table)


def _relieved(staff, here):
    """Whether a person dealt at the table right before the one who deals there now."""
    before = SignOn.objects.filter(table_id=here.table_id, signed_off_at__isnull=False).exclude(pk=here.pk)
    last = before.order_by("-signed_off_at").values_list("staff_id", flat=True).first()
    return last == staff.pk != here.staff_id


def _latest(session):
    """The newest round of a session and the one before; None where there is none."""
    if session is None:
        return None, None
    newest = (
        Round.objects.filter(table=session.table_id, session=session)
        .select_related("table", "sheet", "settlement", "series")
        .order_by("-number")
    )
    return [*newest[:2], None, None][:2]


def _pace(round_):
    """How many rounds of this session were opened within the last hour."""
    latest = Round.objects.filter(table=round_.table_id, number__gt=round_.number - MOST_AN_HOUR)
    return latest.filter(session=round_.session_id, opened_at__gt=timezone.now() - timedelta(hours=1)).count()


def _last_arguments(round_):
    """What each box did last in a round, by (kind, box): for `same as last`."""
    undone = Action.objects.filter(round=round_).exclude(undoes=None).values("undoes")
    done = Action.objects.filter(round=round_, undoes=None).exclude(ordinal__in=undone).order_by("ordinal")
    return {(kind, box): arguments for kind, box, arguments in done.values_list("kind", "box", "arguments")}
