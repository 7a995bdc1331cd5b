"""A table's terminal: its page, the part of it that is fetched again after each change, and what both show."""

import json
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import BigIntegerField
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from casino.games import registry
from casino.roles import Right, Role

from ..models import Alarm, InForce, Round, Scanner, Session, Slip
from ..people import access, footing
from ..verbs import fold, lateness, results, rulesheets, scanners, series
from ..words import boards, owed, sheets, timeline
from . import rows
from .ground import Ground, Newest
from .screen import screen

MOST = BigIntegerField.MAX_BIGINT


@require_GET
@never_cache
@login_required
@gzip_page
def page(request, table_id):
    """The whole page of a table's terminal."""
    shown = _screen(request, table_id)
    return render(request, "terminal.html", {"screen": shown, "body": _markup("_page.html", shown, request)})


@require_GET
@never_cache
def felt(request, table_id):
    """The part of the terminal that shows the table; a person who was logged out meanwhile is sent to log in.

    `?amend=3` shows the action with that number to be entered again.
    """
    if not request.user.is_authenticated:
        # No redirect: the script that fetches the felt would follow it and show the login in its place.
        login = f"{reverse('login')}?ended=1&next={reverse('terminal', args=[table_id])}"
        return HttpResponse(status=401, headers={"Location": login})
    number = request.GET.get("amend", "")
    amending = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None
    return HttpResponse(markup(request, table_id, amending))


def markup(request, table_id, amending=None):
    """The felt's HTML.

    :raises Http404: if there is no such table or it is out of reach.
    """
    return _markup("_felt.html", _screen(request, table_id, amending), request)


@require_GET
@never_cache
@login_required
@gzip_page
def late_page(request, session_id):
    """A terminal for the newest round from paper of a closed session: the table's own goes on as it is."""
    shown = _late_screen(request, session_id)
    return render(request, "terminal.html", {"screen": shown, "body": _markup("_page.html", shown, request)})


@require_GET
@never_cache
def late_felt(request, session_id):
    """The part of that page that is fetched again."""
    if not request.user.is_authenticated:
        login = f"{reverse('login')}?ended=1&next={reverse('late-paper', args=[session_id])}"
        return HttpResponse(status=401, headers={"Location": login})
    number = request.GET.get("amend", "")
    amending = int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None
    return HttpResponse(_markup("_felt.html", _late_screen(request, session_id, amending), request))


def _late_screen(request, session_id, amending=None):
    """The screen of a closed session into which a round was entered from paper.

    :raises Http404: if there is none, or none within reach, after the same number of queries.
    """
    late = Round.objects.entered_late().filter(session=min(session_id, MOST)).values("session")
    session = Session.objects.filter(pk__in=late).first()
    return _screen(request, session.table_id if session else 0, amending, session)


def _markup(template, shown, request):
    context = {"screen": shown, "languages": settings.LANGUAGES, "language": get_language()}
    return render_to_string(template, context, request, using="jinja2")


def _screen(request, table_id, amending=None, late=None):
    """A table's screen, or that of a session's newest round from paper, entered `late`.

    A person who may sign on there, and sees nothing before, learns only who deals there.
    """
    staff, device = request.user, access.device(request)
    # The sequence number and the rights are of one moment: whatever happens while we read on has a higher number, and
    # the page looks again.
    table = rows.TABLE.first(table=table_id, staff=staff.pk, device=device)
    if table is None:
        raise Http404
    footing.stand(staff, table)
    sees = staff.has_perm(Right.SEE_TABLE, table)
    if not sees and not staff.has_perm(Right.SIGN_ON, table):
        raise Http404
    casino = rows.CASINO.first()
    since = timezone.now() - timedelta(hours=1)
    session_id = late.pk if late else table.session_id
    latest = rows.LATEST.all(table=table.pk, session=session_id, since=since) if sees and session_id else []
    round_, before = [*latest, None, None][:2]
    actions = rows.ACTIONS.all(rounds=[each.pk for each in latest]) if latest else []
    if late:
        # The pit boss ends it where its papers are entered.
        ahead = series.Ahead(in_series=sees and series.running_in(late) is not None)
    else:
        ahead = _ahead(table, round_) if sees else series.Ahead()
    may_report = sees and staff.has_perm(Right.REPORT, table)
    ground = Ground(
        table=table,
        casino=casino,
        seq=table.seq,
        staff_id=staff.pk,
        sees=sees,
        may_act=may_report if late else sees and staff.has_perm(Right.ACT, table),
        may_report=may_report,
        may_rule=sees and staff.has_perm(Right.RULE, table),
        reads_floor=sees and staff.has_perm(Right.READ_FLOOR, table),
        reads_session=sees and staff.has_perm(Right.READ_SESSION, table),
        may_dispute=sees and staff.has_perm(Right.RAISE, table),
        may_sign_on=not late and access.posted(staff, Role.CROUPIER, table) and staff.has_perm(Right.SIGN_ON, table),
        croupier_id=table.croupier_id,
        # Who dealt here right before the one who deals now.
        took_over=table.croupier_id is not None and table.croupier_before_id == staff.pk != table.croupier_id,
        relief=table.relief_staff_id if not late and (sees or table.relief_staff_id == staff.pk) else None,
        in_session=session_id is not None,
        new_rules=_new_rules(table, round_) if sees and not late else [],
        counted=Session.objects.running().filter(table=table.pk).first() if sees and not session_id else None,
        sheet=round_.sheet if round_ else ahead.sheet if sees else rulesheets.in_force(table),
        last=_last_arguments(actions, before) if before else {},
        ahead=ahead,
        score=boards.score(round_, round_.played) if round_ else "",
        may_sign_on_here=table.device_table_id == table.pk or access.posted(staff, Role.PIT_BOSS, table),
        owed=owed.of(round_) if round_ and round_.owing else [],
        disputed=bool(round_ and round_.disputed),
        late=_late(round_, before),
        pace=round_.pace if round_ else None,
        call=Alarm.objects.get(pk=table.call_id) if table.call_id else None,
        slips=list(Slip.objects.at_the_croupier(table.pk).order_by("pk")) if table.slip_id and not late else [],
        # Whoever stands at the table, signed on or about to.
        may_call=staff.has_perm(Right.CALL, table) and table.pk in {table.device_table_id, table.signed_on},
        # The cards of a round from paper are read from the paper.
        scanner=_scanner(table, round_.sheet if round_ else ahead.sheet)
        if table.scanner_id and not (round_ and round_.paper)
        else None,
        may_take=staff.has_perm(Right.TAKE_ALARM, table),
        entered_late=late is not None,
    )
    if round_ is None:
        return screen(None, ground=ground)
    actions, folded = _folded(request, round_, [action for action in actions if action.round_id == round_.pk])
    newest_results = results.of(round_, casino.currency_decimals)
    newest = Newest(
        round=round_,
        folded=folded,
        results=newest_results,
        actions=actions,
        interventions=list(round_.interventions.select_related("terminal").order_by("ordinal"))
        if round_.intervened
        else [],
        amending=amending,
        changes=_changes(round_) if newest_results and newest_results.generation > 1 else (),
    )
    return screen(newest, ground=ground)


def _changes(round_):
    """Where the newest line of a corrected round differs from what was entered at the table."""
    lines = [json.loads(line.text) for line in round_.lines.order_by("ordinal")]
    return timeline.changes(timeline.words(round_), lines[0], lines[-1])


def _new_rules(table, round_):
    """The sheet that counts after the newest round, if that round began by another, and the next one to come."""
    counts = table.sheet_id is not None and round_ is not None and round_.sheet_id != table.sheet_id
    if not counts and table.place_to_come_id is None:
        return []
    now, notices = rulesheets.in_force(table), []
    if counts and now:
        notices.append(sheets.at_table(round_.sheet, now, in_series=table.series_id is not None))
    place = InForce.objects.standing().select_related("sheet").filter(pk=table.place_to_come_id).first()
    if place:
        notices.append(sheets.at_table(now, place.sheet, place=place))
    return notices


def _folded(request, round_, actions):
    """A round's actions and what they come to; a command of this very request has folded them already."""
    standing = getattr(request, "standing", None)
    if standing and (standing.round.pk, standing.version) == (round_.pk, len(actions)):
        return standing.actions, standing.folded
    return actions, fold.of(round_, actions=actions)


def _scanner(table, sheet):
    """How the scanner at this terminal spells the cards of the sheet's game; None if nobody set it."""
    of_terminal = Scanner.objects.filter(terminal__scanners=table.scanner_id)
    profile = sheet and of_terminal.filter(game=sheet.game).last()
    return profile and scanners.content(profile)


def _ahead(table, round_):
    """The next round as far as it is decided, from what was read already if that suffices."""
    goes_on = round_ and (round_.series_id if table.series_id else round_.sheet_id)
    if not goes_on or goes_on != (table.series_id or table.sheet_id):
        return series.ahead(table)
    seats = tuple(round_.seats) or (series.last_seats(table) if registry.GAMES[round_.sheet.game].seats else ())
    return series.Ahead(round_.sheet, seats, table.series_id is not None)


def _late(*newest):
    """The round of this table that waits too long, with all that wait; no other screen asks for them."""
    round_ = next((round_ for round_ in newest if round_ and lateness.is_late(round_)), None)
    waiting = lateness.waiting() if round_ else None
    return (round_, waiting) if waiting and waiting.late else None


def _last_arguments(actions, before):
    """What each box did last in the round before, by (kind, box): for `same as last`."""
    done = fold.counting([action for action in actions if action.round_id == before.pk])
    return {(action.kind, action.box): action.arguments for action in done}
