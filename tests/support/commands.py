"""Every command of REST that takes an Idempotency-Key, with what makes it possible: the races, the resends and the walk
over all addresses send them.
"""

import datetime as dt
from collections.abc import Callable
from typing import NamedTuple

from axes.models import AccessAttempt
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.log import Actor
from casino.models import Setting, Staff
from casino.roles import Role
from payouts import edge_results
from payouts.models import PaymentTick
from tables.models import Alarm, Count, Dispute, DropBox, Posting, Relief, ReportFile, Round, RuleSheet, Series, SignOn
from tables.people import lockout, reliefs, staff, terminals
from tables.reports import making
from tables.verbs import cage, employment, rulesheets, sessions, tips
from tables.verbs import settings as house_settings

from . import factories
from .factories import FLUSH_WINS, FOLDS

ANTE = FOLDS[:1]
REASON = {"clause": "split.36", "reason": "A card lies face up."}
VOID_BOX = {"kind": "rule", "box": 1, "arguments": {"what": "void", "clause": "split.36"}}


class Command(NamedTuple):
    """`ready` makes it possible at a table and returns the id in the address and the body.

    `late` is the refusal of the same command a moment later with another key; "" if that is carried out as well. `by`
    sends it, if neither the table's croupier nor its pit boss does.
    """

    route: str
    ready: Callable
    late: str
    signed: bool = False
    by_boss: bool = False
    by: str = ""

    def at(self, table):
        """Make the command possible at a table; return who sends it, its address and its body."""
        number, body = self.ready(table)
        signature = {"signature": factories.signature(boss(table).login)} if self.signed else {}
        sender = boss(table) if self.by_boss else factories.croupier(table)
        return self.by or sender.login, address(self.route, number), body | signature


def boss(table):
    return factories.person("clara" if table.pit.code == "M" else "frank")


def address(route, number):
    """`/api/v1/rounds/3/undo/` of the route `rounds/<int:round_id>/undo/`."""
    before, _, after = route.partition("<")
    return f"/api/v1/{before}{number if after else ''}{after.partition('>')[2]}"


def _free(table):
    """Make sure that nothing runs at the table."""
    running = table.rounds.filter(status=Round.Status.OPEN).first()
    if running:
        factories.void(running)


def _opened(table, moves=()):
    _free(table)
    opened = factories.open_round(table)
    factories.act_all(opened, moves)
    return opened


def _settled(table):
    """A settled round, with nothing ticked."""
    ticked = PaymentTick.objects.values("payment__settlement")
    found = table.rounds.filter(status=Round.Status.SETTLED).exclude(settlement__in=ticked).last()
    if found is None:
        _free(table)
        found = factories.settled_round(table, FOLDS)
    return found


def _opening(table):
    _free(table)
    return table.pk, {}


def _from_paper(table):
    _free(table)
    return table.pk, {"paper": f"{table.code}-{table.rounds.count()}", "happened_at": timezone.now().isoformat()}


def _after(moves, **body):
    """A command on a round after these moves."""

    def ready(table):
        return _opened(table, moves).pk, {"version": len(moves), **body}

    return ready


def _reporting(table):
    return _opened(table).pk, REASON


def _releasing(table):
    held = factories.hold(_opened(table))
    return held.pk, {"version": 0, "hold": factories.holding(held), "reason": "It stands."}


def _trying(table):
    """A round waits for its settlement."""
    _free(table)
    return factories.play_round(table, FOLDS).pk, {}


def _correcting(table):
    settled = _settled(table)
    line = settled.lines.count()
    changes = [{"path": "boxes[0].ante", "value": 1000 if line % 2 else 500}]
    return settled.pk, {"line": line, "changes": changes, "clause": "split.33", "reason": "Entered wrong."}


def _ticking(table):
    settled = _settled(table)
    return settled.pk, {"generation": settled.settlement.generation, "box": 1}


def _leaving(table):
    _free(table)
    settled = factories.settled_round(table)
    return settled.pk, {"generation": 1, "box": 1}


def _contesting(table):
    return _settled(table).pk, {"about": "ranking", "boxes": [1], "statement": _said()}


def _said():
    """A statement that no dispute has yet."""
    return f"It was the eight of hearts, for the {Dispute.objects.count() + 1}. time."


def _ruling_on(changes):
    """A ruling on a dispute of a settled round: it refuses, or upholds with a changed ANTE of box 1, never the 500 that
    were swept when it folded, so that each ruling leaves something to collect."""

    def ready(table):
        dispute = factories.contest(_settled(table), statement=_said())
        line = dispute.round.lines.count()
        second = "clara" if boss(table).login == "frank" else "frank"
        body = {"line": line, "ruling": "refused", "clause": "split.17", "reason": "The camera shows it."}
        body |= {"signature": factories.signature(second)}
        if changes:
            ante = [{"path": "boxes[0].ante", "value": 1000 if line % 2 else 1500}]
            body |= {"ruling": "upheld", "changes": ante}
        return dispute.pk, body

    return ready


def _calling(table):
    """No call stands at the table."""
    by = boss(table).login
    for alarm in Alarm.objects.standing().filter(table=table):
        factories.end(alarm if alarm.taken_by_id else factories.take(alarm, by=by), by=by)
    return table.pk, {"reason": "chips"}


def _coming(table):
    _calling(table)
    return factories.call(table).pk, {"word": "On my way."}


def _ending_call(table):
    _calling(table)
    return factories.take(factories.call(table), by=boss(table).login).pk, {}


def _signing_on(table):
    here = SignOn.objects.filter(signed_off_at=None)
    croupiers = Posting.objects.filter(role=Role.CROUPIER, pit=table.pit, ended_at=None).values("staff")
    relief = Staff.objects.filter(pk__in=croupiers).exclude(pk__in=here.values("staff")).first()
    return table.pk, {"staff": relief.pk, "relieve": factories.croupier(table).pk}


def _relieving(table):
    croupiers = Posting.objects.filter(role=Role.CROUPIER, pit=table.pit, ended_at=None).values("staff")
    free = Staff.objects.filter(pk__in=croupiers).exclude(
        pk__in=SignOn.objects.filter(signed_off_at=None).values("staff")
    )
    for relief in Relief.objects.standing():
        with transaction.atomic():
            reliefs.withdraw(relief_id=relief.pk, actor=Actor(boss(table)))
    return table.pk, {"staff": (free.first() or factories.newcomer(pit=table.pit.code)).pk}


def _withdrawing(table):
    _, body = _relieving(table)
    return factories.relieve(table, Staff.objects.get(pk=body["staff"])).pk, {}


def _signing_off(table):
    _manned(table)
    return table.pk, {}


def _manned(table):
    """Somebody is signed on at the table."""
    if not SignOn.objects.filter(table=table, signed_off_at=None).exists():
        with transaction.atomic():
            staff.sign_on(staff=factories.person("anna"), table=table, actor=Actor(boss(table)))


def _revoking(table):
    with transaction.atomic():
        terminal, _ = terminals.enrol(
            table_id=table.pk, name=f"{table.code}-{table.terminals.count()}", actor=Actor(boss(table))
        )
    return terminal.pk, {}


def _renaming(table):
    number, _ = _revoking(table)
    return number, {"name": f"{table.code}-renamed-{number}"}


def _setting_scanner(table):
    number, _ = _revoking(table)
    return number, {"game": "split", "prefix": "]C1", "suffix": "", "codes": {"Td": "D10"}}


def _changing_setting(table):
    """The next value of a setting, from now on; an administrator signs."""
    standing = next(each for each in house_settings.standing() if each.definition.name == "closer_variance_units")
    change = {"name": "closer_variance_units", "value": standing.value + 100, "version": standing.version}
    return None, change | {"signature": factories.signature("ida")}


def _withdrawing_setting(table):
    from_at = timezone.now() + dt.timedelta(days=1, seconds=Setting.objects.count())
    value = 1000 + Setting.objects.count()
    return factories.set_setting(value, from_at=from_at).pk, {"signature": factories.signature("ida")}


def _drafting(table):
    return None, {"game": "split", "values": {"chip": 100, "ante_minimum": 500, "ante_maximum": 10_000}}


def _publishing(table):
    """A sheet that another pit boss drafted."""
    with transaction.atomic():
        sheet = rulesheets.draft(game="split", values={}, coefficient_table=None, actor=factories.actor("karl"))
    return sheet.pk, {}


def _computing(table):
    """A sheet of another edge each time."""
    ratios = factories.RATIOS | {"royal_flush": f"{100 + RuleSheet.objects.count()}:1"}
    with transaction.atomic():
        values = {"coefficients": ratios}
        sheet = rulesheets.draft(game="split", values=values, coefficient_table=None, actor=factories.actor("karl"))
    return sheet.pk, {}


def _seeking_coefficient(table):
    sheet_id, _ = _computing(table)
    return sheet_id, {"category": "flush", "edge": "20.5"}


def _stopping_edge(table):
    sheet_id, body = _computing(table)
    with transaction.atomic():
        edge_results.ask(rulesheets.rules_of(RuleSheet.objects.get(pk=sheet_id)))
    return sheet_id, body


def _putting_in_force(table):
    """A published sheet; an administrator signs."""
    sheet = factories.published_sheet("split", {"chip": 100, "ante_minimum": 500, "ante_maximum": 10_000})
    from_at = timezone.now() + dt.timedelta(days=1, seconds=sheet.pk)
    body = {"tables": [table.pk], "from_at": from_at.isoformat()}
    return sheet.pk, body | {"signature": factories.signature("ida")}


def _withdrawing_sheet(table):
    """A sheet that is to come into force at the table; an administrator signs."""
    place = factories.sheet_to_come(table)
    return place.sheet_id, {"places": [place.pk], "signature": factories.signature("ida")}


def _unlocking(table):
    """Anna mistyped at two terminals."""
    for terminal in ("", "T1-left"):
        AccessAttempt.objects.create(
            username=factories.person("anna").ref,
            user_agent=terminal,
            ip_address=lockout.NOWHERE,
            failures_since_start=settings.AXES_FAILURE_LIMIT,
            attempt_time=timezone.now(),
        )
    return factories.person("anna").pk, {}


def _newcomer():
    """Somebody without a sign-on and without cases."""
    with transaction.atomic():
        gerda, _ = employment.join(
            login=f"gerda{Staff.objects.count()}",
            name="Gerda Gast",
            role="cage",
            pit=None,
            actor=factories.actor("ida", "clara"),
        )
    return gerda


def _posting(table):
    """Frank signs: a pit boss may."""
    return _newcomer().pk, {"role": "count_team", "signature": factories.signature("frank")}


def _ending_posting(table):
    return _newcomer().postings.get().pk, {"signature": factories.signature("frank")}


def _letting_go(table):
    return _newcomer().pk, {"signature": factories.signature("frank")}


def _ending(table):
    """A series runs at the table."""
    _free(table)
    Series.objects.create(table=table, session=table.sessions.get(status="OPEN"), game="dynastia", seats=[1, 2])
    return table.pk, {}


def _at_rest(table):
    """Nothing at the table keeps its last round from being called."""
    _free(table)
    Series.objects.filter(table=table, status="OPEN").update(status="CLOSED", closed_at=timezone.now())
    for drop_box in table.drop_boxes.filter(status="MOUNTED"):
        factories.take_off(drop_box)
    for slip in table.slips.running():
        (factories.void_slip if slip.status == "REQUESTED" else factories.send_back)(slip)


def _beginning(table):
    if sessions.running(table):
        factories.in_session(table, {100: 100})
        _at_rest(table)
        factories.close_session(table, {100: 100})
    return table.pk, {}


def _stopping(table):
    _in_session(table)
    _at_rest(table)
    return table.sessions.running().get().pk, {}


def _counting(*before):
    """A table whose last round was called and whose counts are in, by the croupier and the pit boss in turn."""

    def ready(table):
        session, _ = _stopping(table)
        stopped = factories.stop_session(table)
        for place, number in enumerate(before):
            by = (factories.croupier(table), boss(table))[place % 2]
            factories.count_session(stopped, {100: number}, by=by.login)
        return session, {"denominations": {"100": 99}}

    return ready


def _signing(table):
    session, _ = _counting(99, 99)(table)
    signer = factories.croupier(table).login
    return session, {"reason": "A chip is missing.", "signature": factories.signature(signer)}


def _resuming(table):
    session, _ = _counting(99)(table)
    return session, {"signature": factories.signature("hugo")}


def _shift():
    """An open shift of the cage, which nobody has counted."""
    shift = factories.cage_shift()
    while Count.objects.filter(of=shift.ref).exists():
        stands = cage.standing(shift)
        if stands.equal or stands.decides:
            factories.sign_cage(place=1, reason="Nobody knows why.", signed_with="clara")
            return factories.cage_shift()
        have = [] if stands.both else [each.by.login for each in stands.entered]
        factories.count_cage({"100": 1}, by="hugo" if "olga" in have else "olga")
        shift.refresh_from_db()
    return shift


def _opening_cage(table):
    shift = _shift()
    for by in ("olga", "hugo"):
        factories.count_cage({"100": 1}, by=by)
    factories.sign_cage(reason="Nobody knows why.")
    assert cage.running() is None, shift
    return None, {}


def _moving_case(table):
    return _varied(table).pk, {"due_at": (timezone.now() + dt.timedelta(days=1)).isoformat()}


def _asking_about_void(table):
    return factories.void_round(table).pk, {"question": factories.QUESTION}


def _investigating(table):
    """The table's next session: each is investigated once."""
    _varied(table)
    return table.sessions.running().get().pk, {"question": factories.QUESTION}


def _varied(table):
    _in_session(table)
    return factories.vary_session(table)


def _deciding(table):
    return _varied(table).pk, {"outcome": "found", "reason": "It lay under the tray."} | {
        "signature": factories.signature("frank" if boss(table).login == "clara" else "clara")
    }


def _selling(table):
    return factories.cage_shift().pk, {"kind": "sold", "units": 500, "signature": factories.signature("clara")}


def _counting_cage(*before):
    """The count team and the cage count in turn; `before` are the numbers of chips that they counted."""

    def ready(table):
        shift = _shift()
        for place, number in enumerate(before):
            factories.count_cage({"100": number}, by=("olga", "hugo")[place % 2])
        return shift.pk, {"denominations": {"100": 99}}

    return ready


def _signing_cage(table):
    # Never the number that the books have: each shift has a variance of its own.
    number = 100 + _shift().pk
    shift, _ = _counting_cage(number, number)(table)
    return shift, {"reason": "Nobody knows why.", "signature": factories.signature("olga")}


def _asking(table):
    _in_session(table)
    return table.pk, {"kind": "change", "denominations": {"500": 5}, "exchanged": {"2500": 1}}


def _issuing(kind):
    def ready(table):
        return _asked(table, kind).pk, {}

    return ready


def _asked(table, kind="fill"):
    """A slip that is asked for, of one chip, so that a float holds what goes out of it."""
    _in_session(table)
    return factories.slip(table, kind, {"2500": 1}, exchanged={"500": 5} if kind == "change" else None)


def _in_session(table):
    factories.in_session(table, {100: 100, 2500: 10})
    _manned(table)


def _counting_slip(kind, counted=0):
    """A slip on its way, which this many of the two have counted."""

    def ready(table):
        slip = factories.issue(_asked(table, kind))
        for _ in range(counted):
            factories.count_slip(slip)
        return slip.pk, {"denominations": {"2500": 1}}

    return ready


def _sending_back(table):
    return factories.issue(_asked(table)).pk, {"reason": "Keyed wrong."} | _by_hugo()


def _voiding_slip(table):
    return _asked(table).pk, {"reason": "Keyed twice."} | _by_hugo()


def _mounting(table):
    _in_session(table)
    for drop_box in table.drop_boxes.filter(status="MOUNTED"):
        factories.take_off(drop_box)
    return table.pk, {"number": f"B-{DropBox.objects.count()}", "seal": "S-1"} | _by_hugo()


def _hung(table):
    """A drop box that is mounted at the table."""
    _, body = _mounting(table)
    return factories.mount(table, body["number"])


def _removing(table):
    drop_box = _hung(table)
    return drop_box.pk, {"number": drop_box.number, "seal": "S-1"} | _by_hugo()


def _buying(table):
    _hung(table)
    return table.pk, {"box": 1, "units": 500}


def _counting_drop(*before):
    """The count team counts in turn; `before` are the numbers of notes that they counted."""

    def ready(table):
        drop_box = factories.take_off(_hung(table))
        for place, number in enumerate(before):
            factories.count_drop(drop_box, {"500": number}, by=("olga", "petra")[place % 2])
        return drop_box.pk, {"denominations": {"500": 3}}

    return ready


def _signing_drop(table):
    drop_box, _ = _counting_drop(2, 2)(table)
    return drop_box, {"reason": "Nobody knows why.", "signature": factories.signature("petra")}


def _tipping(table):
    return table.pk, {"units": 500}


def _counting_tips(*before):
    """The count team counts in turn; `before` are the numbers of chips that they counted."""

    def ready(table):
        date = factories.day_with_tips()
        for place, number in enumerate(before):
            factories.count_tips(date, {"500": number}, by=("olga", "petra")[place % 2])
        return tips.number_of(date), {"denominations": {"500": 3}}

    return ready


def _signing_tips(table):
    day, _ = _counting_tips(2, 2)(table)
    return day, {"reason": "Nobody knows why.", "signature": factories.signature("petra")}


def _visiting(table):
    return 0, {"checkpoint": factories.sealed()}


def _drawing(table):
    factories.settled_round(table, factories.FOLDS)
    factories.sealed()
    return 0, {}


def _asking_the_pit(table):
    return 0, {"subject": table.ref, "words": "Why was that?"}


def _answering(table):
    return factories.question(subject=table.ref).pk, {"words": "So it was."}


def _asking_again(table):
    question = factories.question(subject=table.ref)
    factories.answer_question(question, by=boss(table).login)
    return question.pk, {"words": "And why then?"}


def _settling_question(table):
    return _asking_again(table)[0], {}


def _closing_day(table):
    """A past day on which nothing was open: the newest that nobody has closed."""
    return factories.idle_day().pk, _by_hugo()


def _by_hugo():
    return {"signature": factories.signature("hugo")}


def _asking_for_file(table):
    """A file of a day long ago, another each time."""
    day = dt.date(2001, 1, 1) + dt.timedelta(ReportFile.objects.count())
    return 0, {"report": "master-game", "period": str(day), "form": "csv"}


def _cancelling_file(table):
    _, asked = _asking_for_file(table)
    return making.ask(**asked, by=factories.person("clara")).pk, {}


def _pruning(table):
    factories.old_report_file()
    return 0, {"signature": factories.signature("frank")}


def _ending_token(table):
    return factories.report_token()[0].pk, {"signature": factories.signature("frank")}


IN_ROUND = "rounds/<int:round_id>/"
AT_TABLE = "tables/<int:table_id>/"
ON_SLIP = "slips/<int:slip_id>/"
OF_SESSION = "sessions/<int:session_id>/"
OF_SHIFT = "cage/shifts/<int:shift_id>/"
OF_CASE = "cases/<int:case_id>/"
OF_QUESTION = "questions/<int:question_id>/"
OF_DROP_BOX = "drop-boxes/<int:drop_box_id>/"
OF_DAY = "days/<int:day_id>/"
OF_TIPS = "tips/<int:tips_id>/"
COMMANDS = {
    "open": Command(f"{AT_TABLE}rounds/", _opening, "round_open"),
    "open from paper": Command(f"{AT_TABLE}paper-rounds/", _from_paper, "paper_entered", signed=True),
    "act": Command(f"{IN_ROUND}actions/", _after((), kind="ante", box=1, arguments={"units": 500}), "stale_version"),
    "rule": Command(f"{IN_ROUND}actions/", _after(FOLDS, **VOID_BOX), "stale_version", signed=True),
    "undo": Command(f"{IN_ROUND}undo/", _after(ANTE), "stale_version"),
    "undo across phases": Command(f"{IN_ROUND}undo/", _after(FOLDS), "stale_version", signed=True),
    "amend": Command(f"{IN_ROUND}amend/", _after(ANTE, ordinal=1, arguments={"units": 1500}), "stale_version"),
    "amend across phases": Command(
        f"{IN_ROUND}amend/", _after(FLUSH_WINS, ordinal=1, arguments={"units": 1500}), "stale_version", signed=True
    ),
    "close": Command(f"{IN_ROUND}close/", _after(FOLDS), "round_wrong_moment"),
    "hold": Command(f"{IN_ROUND}report/", _reporting, "round_held"),
    "release": Command(f"{IN_ROUND}release/", _releasing, "round_not_held", signed=True),
    "try": Command(f"{IN_ROUND}try/", _trying, ""),
    "void": Command(f"{IN_ROUND}void/", _after(ANTE, **REASON), "round_wrong_moment", signed=True),
    "correct": Command(f"{IN_ROUND}corrections/", _correcting, "stale_version", signed=True),
    "contest": Command(f"{IN_ROUND}disputes/", _contesting, "dispute_raised"),
    "refuse a dispute": Command("disputes/<int:dispute_id>/rule/", _ruling_on(False), "dispute_ruled", by_boss=True),
    "uphold a dispute": Command("disputes/<int:dispute_id>/rule/", _ruling_on(True), "dispute_ruled", by_boss=True),
    "tick": Command(f"{IN_ROUND}ticks/", _ticking, "ticked_already"),
    "leave": Command(f"{IN_ROUND}left/", _leaving, "ticked_already", signed=True),
    "call": Command(f"{AT_TABLE}call/", _calling, "called_already"),
    "take a call": Command("alarms/<int:alarm_id>/take/", _coming, "alarm_taken", by_boss=True),
    "end a call": Command("alarms/<int:alarm_id>/over/", _ending_call, "alarm_over", by_boss=True),
    "ask for chips": Command(f"{AT_TABLE}slips/", _asking, "", by_boss=True),
    "issue a fill": Command(f"{ON_SLIP}issue/", _issuing("fill"), "slip_wrong_moment", by="hugo"),
    "issue a credit": Command(f"{ON_SLIP}issue/", _issuing("credit"), "slip_wrong_moment"),
    "count first": Command(f"{ON_SLIP}counts/", _counting_slip("change"), "counted_already"),
    "count second": Command(f"{ON_SLIP}counts/", _counting_slip("fill", 1), "slip_wrong_moment", by_boss=True),
    "count second at the cage": Command(
        f"{ON_SLIP}counts/", _counting_slip("credit", 1), "slip_wrong_moment", by_boss=True
    ),
    "send back": Command(f"{ON_SLIP}return/", _sending_back, "slip_wrong_moment", by_boss=True),
    "void a slip": Command(f"{ON_SLIP}void/", _voiding_slip, "slip_wrong_moment", by_boss=True),
    "print a slip": Command(f"{ON_SLIP}prints/", _issuing("fill"), "", by="hugo"),
    "end series": Command(f"{AT_TABLE}series/end/", _ending, "no_series", signed=True),
    "sign on": Command(f"{AT_TABLE}sign-on/", _signing_on, "signed_on_here", by_boss=True),
    "ask for a relief": Command(f"{AT_TABLE}reliefs/", _relieving, "relief_asked", by_boss=True),
    "withdraw a relief": Command("reliefs/<int:relief_id>/withdraw/", _withdrawing, "relief_over", by_boss=True),
    "sign off": Command(f"{AT_TABLE}sign-off/", _signing_off, "nobody_signed_on", by_boss=True),
    "rename": Command("terminals/<int:terminal_id>/rename/", _renaming, "terminal_name_same", by_boss=True),
    "revoke": Command("terminals/<int:terminal_id>/revoke/", _revoking, "terminal_revoked", by_boss=True),
    "set scanner": Command("terminals/<int:terminal_id>/scanner/", _setting_scanner, "scanner_unchanged", by_boss=True),
    "change a setting": Command("settings/", _changing_setting, "stale_version", by_boss=True),
    "withdraw a setting": Command(
        "settings/<int:setting_id>/withdraw/", _withdrawing_setting, "setting_withdrawn", by_boss=True
    ),
    "draft a sheet": Command("sheets/", _drafting, "", by_boss=True),
    "compute an edge": Command("sheets/<int:sheet_id>/edge/", _computing, "", by_boss=True),
    "seek a coefficient": Command("sheets/<int:sheet_id>/edge/seek/", _seeking_coefficient, "", by_boss=True),
    "stop computing an edge": Command(
        "sheets/<int:sheet_id>/edge/cancel/", _stopping_edge, "edge_not_computing", by_boss=True
    ),
    "publish a sheet": Command("sheets/<int:sheet_id>/publish/", _publishing, "not_a_draft", by_boss=True),
    "withdraw a sheet": Command("sheets/<int:sheet_id>/withdraw/", _withdrawing_sheet, "sheet_withdrawn", by_boss=True),
    "put a sheet in force": Command("sheets/<int:sheet_id>/in-force/", _putting_in_force, "moment_taken", by_boss=True),
    "begin a session": Command(f"{AT_TABLE}sessions/", _beginning, "session_open", by_boss=True),
    "call the last round": Command(f"{OF_SESSION}stop/", _stopping, "session_wrong_moment", by_boss=True),
    "count a table first": Command(f"{OF_SESSION}counts/", _counting(), "counted_already"),
    "count a table second": Command(f"{OF_SESSION}counts/", _counting(98, 99, 98), "counted_twice", by_boss=True),
    "sign for a count": Command(f"{OF_SESSION}sign/", _signing, "session_wrong_moment", by_boss=True),
    "let a table go on": Command(f"{OF_SESSION}resume/", _resuming, "session_wrong_moment", by_boss=True),
    "give a case to another": Command(f"{OF_CASE}move/", _moving_case, "move_empty", by_boss=True),
    "open a case about a void": Command(f"{IN_ROUND}case/", _asking_about_void, "case_opened", by_boss=True),
    "investigate a session": Command(f"{OF_SESSION}case/", _investigating, "case_opened", by_boss=True),
    "decide a case": Command(f"{OF_CASE}decide/", _deciding, "case_decided", by_boss=True),
    "record a visit": Command("desk/visits/", _visiting, "visit_recorded", by="david"),
    "draw rounds": Command("desk/samples/", _drawing, "", by="david"),
    "ask the pit": Command("questions/", _asking_the_pit, "", by="david"),
    "answer a question": Command(f"{OF_QUESTION}answer/", _answering, "question_wrong_moment", by_boss=True),
    "ask again": Command(f"{OF_QUESTION}again/", _asking_again, "question_asked_again", by="david"),
    "settle a question": Command(f"{OF_QUESTION}settle/", _settling_question, "question_wrong_moment", by="david"),
    "close a day": Command(f"{OF_DAY}close/", _closing_day, "day_closed", by="clara"),
    "mount a drop box": Command(f"{AT_TABLE}drop-boxes/", _mounting, "drop_box_mounted", by_boss=True),
    "take it off": Command(f"{OF_DROP_BOX}remove/", _removing, "drop_box_wrong_moment", by_boss=True),
    "buy in": Command(f"{AT_TABLE}buy-ins/", _buying, ""),
    "count a drop first": Command(f"{OF_DROP_BOX}counts/", _counting_drop(), "counted_already", by="olga"),
    "count a drop second": Command(f"{OF_DROP_BOX}counts/", _counting_drop(2, 3, 2), "counted_twice", by="petra"),
    "sign for a drop": Command(f"{OF_DROP_BOX}sign/", _signing_drop, "drop_box_wrong_moment", by="olga"),
    "enter a tip": Command(f"{AT_TABLE}tips/", _tipping, ""),
    "count tips first": Command(f"{OF_TIPS}counts/", _counting_tips(), "counted_already", by="olga"),
    "count tips second": Command(f"{OF_TIPS}counts/", _counting_tips(2, 3, 2), "counted_twice", by="petra"),
    "sign for tips": Command(f"{OF_TIPS}sign/", _signing_tips, "tips_counted", by="olga"),
    "open a shift": Command("cage/shifts/", _opening_cage, "shift_open", by="hugo"),
    "sell chips": Command(f"{OF_SHIFT}movements/", _selling, "", by="hugo"),
    "count the cage first": Command(f"{OF_SHIFT}counts/", _counting_cage(), "counted_already", by_boss=True),
    "count the cage second": Command(f"{OF_SHIFT}counts/", _counting_cage(98, 99, 98), "counted_twice", by="hugo"),
    "sign for the cage": Command(f"{OF_SHIFT}sign/", _signing_cage, "shift_closed", by="hugo"),
    "post a person": Command("staff/<int:staff_id>/postings/", _posting, "posted_already", by="ida"),
    "end a posting": Command("postings/<int:posting_id>/end/", _ending_posting, "posting_over", by="ida"),
    "let a person go": Command("staff/<int:staff_id>/leave/", _letting_go, "left_already", by="ida"),
    "ask for a file of a report": Command("report-files/", _asking_for_file, "", by="clara"),
    "cancel a file": Command(
        "report-files/<int:report_file_id>/cancel/", _cancelling_file, "report_file_ended", by="clara"
    ),
    "prune files": Command("report-files/prune/", _pruning, "report_files_young", by="ida"),
    "end a token": Command("report-tokens/<int:report_token_id>/end/", _ending_token, "report_token_ended", by="ida"),
    "unlock": Command("staff/<int:staff_id>/unlock/", _unlocking, "not_locked", by_boss=True),
}
