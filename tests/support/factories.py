"""The demo's cast and rounds at its tables, made by the product's own verbs; defaults are valid.

Anna, Boris and Greta are signed on as croupiers at T1, T2 and T3. Clara is the pit boss of T1 and T2, Frank of T3. Hugo
works in the cage, Olga and Petra are the count team, David audits, Ida administers. Eve works here and may do nothing.
"""

import contextlib
import datetime as dt
import hashlib
import itertools
import json
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.test import Client, override_settings
from django.utils import timezone

from audit import log, seal, sealer
from audit.log import Actor
from audit.models import Chain, Checkpoint, Entry
from casino.errors import Refused
from casino.games import registry
from casino.games.split import SPLIT
from casino.models import Command, Setting, Staff
from casino.roles import Role
from casino.running import embedded
from casino.running.trial import ROUND
from casino.web import idempotency
from payouts import coefficient_tables, edge_results, ledger
from payouts.models import Account, EdgeResult, PaymentTick, Settlement, Transfer
from tables.lab import counting
from tables.models import (
    Action,
    Alarm,
    BuyIn,
    CageShift,
    Case,
    Count,
    Dispute,
    DropBox,
    GamingDay,
    HouseFigures,
    InForce,
    Intervention,
    Line,
    LuckDay,
    Pit,
    Question,
    Relief,
    ReportFile,
    ReportToken,
    Round,
    RoundLuck,
    RuleSheet,
    Session,
    SessionFigures,
    SignOn,
    Slip,
    Table,
    Terminal,
    TerminalName,
    TipCount,
)
from tables.people import credentials, reliefs, staff
from tables.verbs import (
    alarms,
    buy_ins,
    cage,
    case_files,
    cases,
    corrections,
    counts,
    dates,
    days,
    disputes,
    drop_boxes,
    drops,
    employment,
    interventions,
    pits,
    questions,
    report_files,
    rounds,
    rulesheets,
    scanners,
    sessions,
    settling,
    slips,
    standing,
    tips,
)
from tables.verbs import settings as house_settings
from tables.words.case_printing import printed

from . import authenticator, edges, evening, stack
from .waiting import PATIENCE, until

# What `written` counts.
MODELS = (
    EdgeResult,
    Session,
    Round,
    Action,
    Intervention,
    Dispute,
    Alarm,
    Slip,
    CageShift,
    Case,
    DropBox,
    BuyIn,
    TerminalName,
    SessionFigures,
    HouseFigures,
    LuckDay,
    RoundLuck,
    TipCount,
    Count,
    Line,
    Command,
    Settlement,
    Transfer,
    PaymentTick,
    SignOn,
    Question,
    Relief,
    ReportFile,
    ReportToken,
    Terminal,
    Staff,
    Setting,
)
RATIOS = next(parameter.default for parameter in SPLIT.parameters if parameter.name == "coefficients")
# Box 1 wins with a flush at 5:1, box 2 folds.
FLUSH_WINS = ROUND
# The shortest round.
FOLDS = (
    ("ante", 1, {"units": 500}),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "2s"}),
    ("fold", 1, {}),
    ("reveal", None, {"cards": ["9s", "9d", "Ac", "Kh"]}),
)
# The box's Big Hand equals the dealer's: everything goes back.
STAND_OFF = (
    ("ante", 1, {"units": 1000}),
    ("close_betting", None, {}),
    ("open_card", None, {"card": "2s"}),
    ("bet", 1, {}),
    ("reveal", None, {"cards": ["9s", "9d", "Ac", "Kh"]}),
    ("small_hand", None, {"cards": ["3d", "4c"]}),
    ("show", 1, {"cards": ["9c", "9h", "Ad", "Ks", "2d"], "extra": ["3c", "4d"]}),
)
# The chips of a slip, if nothing else is given.
CHIPS = {"10000": 2, "500": 40}


def person(login):
    return Staff.objects.get(login=login)


def actor(login, approved_by=None):
    """One of the demo's people acting, with the signature of a second one."""
    return Actor(person(login), person(approved_by) if approved_by else None)


def signature(login):
    """A signature of one of the demo's people: login and password."""
    people = json.loads((stack.seed_folder() / "demo-logins.json").read_text())
    return {"login": login, "password": next(one["password"] for one in people if one["login"] == login)}


def stranger():
    """Eve, who works here and has no posting."""
    with transaction.atomic():
        return staff.add(login="eve", name="Eve Ebert", password="stranger-1", actor=actor("ida", "frank"))


def table(code="T1"):
    return Table.objects.get(code=code)


def croupier(table=None):
    """Whoever is signed on at the table; Anna, if no table is named."""
    if table is None:
        return person("anna")
    return SignOn.objects.select_related("staff").get(table=table, signed_off_at=None).staff


def newcomer(login="carl", role=Role.CROUPIER, pit="M"):
    """Somebody of a pit (None: of all) who stands at no table."""
    with transaction.atomic():
        made = staff.add(login=login, name=login.title(), password="newcomer-1", actor=actor("ida", "frank"))
        staff.post(staff=made, role=role, pit=pit and Pit.objects.get(code=pit), actor=actor("ida", "frank"))
    return made


def relieve(table, croupier=None):
    """The pit boss of a table asks a croupier to take it over, a new one if nobody is named."""
    croupier = croupier or newcomer(f"relief{Staff.objects.count()}", pit=table.pit.code)
    with transaction.atomic():
        return reliefs.ask(table_id=table.pk, staff=croupier, actor=Actor(boss_of(table)))


def sign_on(croupier, table):
    """A croupier takes the table over from whoever deals there, as at its terminal."""
    with transaction.atomic():
        return staff.sign_on(staff=croupier, table=table, actor=actor("clara"), relieve=True)


def add_app(login):
    """An authenticator app of a person, with its recovery codes."""
    secret = credentials.new_secret()
    with transaction.atomic():
        shown = authenticator.code(secret)
        app, _ = credentials.add_app(
            staff=person(login), name="Telephone", secret=secret, code=shown, actor=actor(login)
        )
    return app


def client(login, **options):
    """An HTTP client that is logged in."""
    made = Client(**options)
    made.force_login(person(login))
    return made


def send(client, path, body, *, key=None, more=None, **options):
    """POST a command, `body` as JSON or as it is, with a new key if none is given and `more` headers."""
    headers = {"Idempotency-Key": key or str(uuid.uuid4()), **(more or {})}
    return client.post(path, body, content_type="application/json", headers=headers, **options)


def dealing(table):
    """The table's croupier acting alone, or its pit boss if nobody is signed on."""
    return Actor(croupier(table) if table.sign_ons.filter(signed_off_at=None).exists() else boss_of(table))


def dealing_signed(round_):
    """The table's croupier acting, with the signature of its pit boss."""
    return Actor(croupier(round_.table), boss(round_))


def open_round(table, seats=()):
    """The next round; `seats` from the dealer's left, if the game names them."""
    dealer = seats[-1] if seats else None
    with transaction.atomic():
        return rounds.open_round(table_id=table.pk, seats=seats, dealer=dealer, actor=dealing(table))


def enter_paper(table, paper="000412", happened_at=None, *, by=None, signed_by=None, seats=(), dealer=None):
    """A round that was played on paper, opened by the table's croupier and its pit boss; it was played right now, if
    nothing else is given."""
    two = Actor(by or croupier(table), signed_by or boss_of(table))
    with transaction.atomic():
        happened_at = happened_at or timezone.now()
        return rounds.open_round(
            table_id=table.pk, seats=seats, dealer=dealer, happened_at=happened_at, paper=paper, actor=two
        )


def late_paper(session, paper="L-1"):
    """A round from paper of a closed session, entered by two pit bosses up to its close; it is not settled."""
    late = enter_paper(session.table, paper, session.opened_at, by=person("clara"), signed_by=person("frank"))
    act_all(late, FOLDS)
    return close(late)


def do(round_, kind, box=None, **arguments):
    """One action by the table's croupier, on the newest state."""
    with transaction.atomic():
        return rounds.act(
            standing=standing.locked(round_.pk),
            version=round_.actions.count(),
            kind=kind,
            box=box,
            arguments=arguments,
            actor=dealing(round_.table),
        )


def close(round_):
    with transaction.atomic():
        return rounds.close(
            standing=standing.locked(round_.pk), version=round_.actions.count(), actor=dealing(round_.table)
        )


def table_of(game, values):
    """Another table of the main floor at which a game of the house is played by a sheet of its own, with Anna at it."""
    return new_table(published_sheet(game, in_chips(game, values)))


def table_of_before(game, values):
    """Such a table with a sheet from before house.5: neither its row nor its published text has a chip, and the table's
    smallest chip is 100."""
    clara, frank = actor("clara"), actor("frank")
    table = table_of(game, values)
    with transaction.atomic():
        values = registry.GAMES[game].values(registry.GAMES[game].sheet(values))
        del values["chip"]
        limits = {one.name for one in registry.GAMES[game].parameters if one.section == "limits"}
        version = RuleSheet.objects.filter(game=game).count() + 1
        rules = {
            "game": game,
            "version": version,
            "parameters": {name: value for name, value in values.items() if name not in limits},
            "limits": {name: value for name, value in values.items() if name in limits},
            "coefficients": {},
        }
        text = log.canonical(rules)
        sheet = RuleSheet.objects.create(game=game, version=version, values=values, drafted_by=clara.by)
        facts = {"rules": rules, "sheet": log.digest(text), "author": clara.ref}
        log.record("sheet.drafted", sheet.ref, chain=log.HOUSE, actor=clara, facts=facts)
        sheet.rules, sheet.digest, sheet.status = text, log.digest(text), RuleSheet.Status.PUBLISHED
        sheet.published_by, sheet.published_at = frank.by, Now()
        sheet.save()
        facts |= {"signer": frank.ref}
        log.record("sheet.published", sheet.ref, chain=log.HOUSE, actor=frank, facts=facts)
        from_at = timezone.now()
        InForce.objects.create(table=table, sheet=sheet, from_at=from_at, set_by=clara.by, approved_by=frank.by)
        two = {"requester": clara.ref, "approver": frank.ref}
        facts = {"sheet": sheet.digest, "from": log.spell_time(from_at), **two}
        log.record("table.sheet_set", table.ref, chain=table.ref, actor=actor("clara", "frank"), facts=facts)
    return table


def in_chips(game, values):
    """A sheet's values for the demo's chips, the smallest of which is 100, if it names none itself."""
    has_chip = any(parameter.name == "chip" for parameter in registry.GAMES[game].parameters)
    least = {"chip": 100, "ante_minimum": 500, "ante_maximum": 10000} if game == "split" else {"chip": 100}
    return {**least, **values} if has_chip else values


def sheet_to_come(table, sheet=None, *, from_at=None, by="clara", signed_with="frank"):
    """A sheet of Split Poker put in force at a table from tomorrow on, or from another moment."""
    sheet = sheet or published_sheet("split", {"chip": 100, "ante_minimum": 500, "ante_maximum": 10_000})
    from_at = from_at or timezone.now() + dt.timedelta(days=1)
    with transaction.atomic():
        return rulesheets.put_in_force(
            sheet_id=sheet.pk, table_id=table.pk, from_at=from_at, actor=actor(by, signed_with)
        )


def published_sheet(game, values, edge_percent=None):
    """A sheet on which everything that `values` leaves out has its default, not what is proposed for a new draft.

    Its house edge ships with the product, or counts as computed with `edge_percent`.
    """
    proposed = [parameter for parameter in registry.GAMES[game].parameters if parameter.proposed is not None]
    values = {parameter.name: parameter.default for parameter in proposed} | values
    with transaction.atomic():
        sheet = rulesheets.draft(game=game, values=values, coefficient_table=None, actor=actor("clara"))
        if edge_percent and game == "split":
            computed_edge(sheet, edge_percent=edge_percent)
        return rulesheets.publish(sheet_id=sheet.pk, actor=actor("frank"))


def new_table(sheet=None, name=None):
    """Another table of the main floor, open for play, with Anna at it; without a sheet it takes that of her last."""
    old = SignOn.objects.select_related("table").get(staff__login="anna", signed_off_at=None).table
    clara, count = actor("clara"), Table.objects.count()
    with transaction.atomic():
        name = name or f"Extra {count}"
        made = pits.add_table(code=f"X{count}", name=name, pit=old.pit, chip_set=old.chip_set, actor=clara)
        sheet = sheet or rulesheets.in_force(old)
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=made.pk, actor=actor("clara", "frank"))
        counting.opened(table_id=made.pk, chips={100: 100}, boss=clara.by, second=person("hugo"))
        staff.sign_off(table=old, actor=clara)
        staff.sign_on(staff=person("anna"), table=made, actor=clara)
    return made


def open_session(table, denominations, *, signed_with="hugo", reason="Counted twice."):
    """The table's pit boss and another count the same and sign; `denominations` by chip value."""
    with transaction.atomic():
        return counting.opened(
            table_id=table.pk, chips=denominations, boss=boss_of(table), second=person(signed_with), reason=reason
        )


def rake_of(table):
    """What the books say lies in a table's rake slot, in its smallest chips; None if it is not counted."""
    if not ledger.has_moved(table.rake_account):
        return None
    smallest = table.chip_set.denominations[0]
    return {smallest: max(0, ledger.balance(table.rake_account)) // smallest}


def close_session(table, denominations, *, signed_with="hugo", reason="Counted twice.", rake=None):
    """The table's pit boss calls the last round, counts the same as another, and both sign; its rake slot has what the
    books say, if nothing else is given."""
    with transaction.atomic():
        return counting.closed(
            table.sessions.running().get(),
            chips=denominations,
            boss=boss_of(table),
            second=person(signed_with),
            reason=reason,
            rake=rake_of(table) if rake is None else rake,
        )


def carry_session(table, denominations, *, reason=""):
    """The table's pit boss calls its last round, counts with Hugo, and both let it go on with these chips."""
    closed, boss = stop_session(table), boss_of(table).login
    for login in (boss, "hugo"):
        count_session(closed, denominations, by=login)
    sign_session(closed, by=boss, reason=reason, carry=True)
    return table.sessions.running().get()


def vary_session(table):
    """The table goes on with a chip less than it had, which opens a case."""
    balance = ledger.balance(table.float_account)
    chips = {"100": balance // 100 - 1}
    carry_session(table, chips, reason="Looked for.")
    return table.cases.latest("pk")


QUESTION = "Whether the ante was put back."


def open_void(round_, *, by="clara", question=QUESTION):
    """The case of a void round."""
    with transaction.atomic():
        return cases.open_void(round_id=round_.pk, question=question, actor=actor(by))


def investigate(session, *, by="clara", question="Why so many rounds were void."):
    """The investigation of a session."""
    with transaction.atomic():
        return cases.open_investigation(session_id=session.pk, question=question, actor=actor(by))


def move_case(case, *, by="clara", **change):
    """Another owner, another time, or another video."""
    with transaction.atomic():
        return cases.move(case_id=case.pk, actor=actor(by), **change)


def decide_case(case, *, by="clara", signed_with="frank", outcome="not_found", reason="Camera 4 looked at."):
    """Two people say what came of a case."""
    with transaction.atomic():
        return cases.decide(case_id=case.pk, outcome=outcome, reason=reason, actor=actor(by, signed_with))


def case_file(case, *, by="clara"):
    """The file of a case as it is now."""
    now = printed(case.pk)
    with transaction.atomic():
        return case_files.make(case_id=case.pk, printed=now, actor=actor(by))


def in_session(table, denominations):
    """A table's open session, whatever was under way: opened with these chips, its count finished, or resumed."""
    running = table.sessions.running().first()
    if running is None:
        return open_session(table, denominations)
    if running.status == Session.Status.CLOSING:
        return resume_session(table)
    while running.status == Session.Status.OPENING and not (stands := sessions.standing(running)).both:
        counters = [each for each in ("hugo", boss_of(table).login) if each not in _logins(stands.entered)]
        count_session(running, denominations, by=counters[0])
        running.refresh_from_db()
    if running.status == Session.Status.OPENING:
        if not stands.equal and not stands.decides:
            for by in ("hugo", boss_of(table).login):
                count_session(running, denominations, by=by)
        sign_session(running, by=boss_of(table).login, place=1, reason="Counted twice.")
    return running


def _logins(entered):
    return [each.by.login for each in entered]


def begin_session(table):
    """The table's pit boss begins its session."""
    with transaction.atomic():
        return sessions.begin(table_id=table.pk, actor=Actor(boss_of(table)))


def stop_session(table):
    """The table's pit boss calls its last round, once all is paid."""
    running = table.sessions.running().get()
    with transaction.atomic():
        counting.paid(running, by=boss_of(table))
        return sessions.stop(session_id=running.pk, actor=Actor(boss_of(table)))


def resume_session(table, *, signed_with="hugo"):
    """The table's pit boss and another let it go on."""
    running = table.sessions.running().get()
    with transaction.atomic():
        return sessions.resume(session_id=running.pk, actor=Actor(boss_of(table), person(signed_with)))


def count_session(session, denominations, *, by, rake=None):
    """One of the two who count counts, including the rake slot if its chips are given."""
    with transaction.atomic():
        return sessions.count(session_id=session.pk, denominations=denominations, rake=rake, actor=actor(by))[1]


def sign_session(session, *, by="clara", signed_with="hugo", **more):
    """Two sign for what was counted."""
    with transaction.atomic():
        return sessions.sign(session_id=session.pk, actor=actor(by, signed_with), **more)


def boss_of(table):
    return person({"M": "clara", "S": "frank", "H": "karl"}[table.pit.code])


def hold(round_, *, clause="split.36", reason="A card lies face up.", box=None):
    """The table's croupier reports an irregularity that stops the round."""
    with transaction.atomic():
        return interventions.report(
            standing=standing.locked(round_.pk), clause=clause, reason=reason, box=box, actor=dealing(round_.table)
        )


def release(round_, *, reason="It stands.", hold=None):
    with transaction.atomic():
        return interventions.release(
            standing=standing.locked(round_.pk),
            version=round_.actions.count(),
            hold=hold or holding(round_),
            reason=reason,
            actor=dealing_signed(round_),
        )


def holding(round_):
    """The ordinal of the round's last hold; 1 if it was never held."""
    return getattr(round_.interventions.filter(kind="held").last(), "ordinal", 1)


def void(round_, *, clause="split.36", reason="Two aces of spades."):
    with transaction.atomic():
        return interventions.void(
            standing=standing.locked(round_.pk),
            version=round_.actions.count(),
            clause=clause,
            reason=reason,
            actor=dealing_signed(round_),
        )


def void_round(table):
    """A round in which cards lie, voided by whoever dealt it and the table's pit boss."""
    opened = open_round(table)
    act_all(opened, FLUSH_WINS[:6])
    return void(opened)


def correct(round_, changes, *, clause="split.33", reason="Entered wrong."):
    """The newest line corrected by the table's croupier and its pit boss."""
    with transaction.atomic():
        return corrections.correct(
            standing=standing.locked(round_.pk),
            line=round_.lines.count(),
            changes=changes,
            clause=clause,
            reason=reason,
            actor=dealing_signed(round_),
        )


def contest(round_, *, about="ranking", boxes=(1,), statement="The last card was the eight of hearts.", by=None):
    """A dispute that the table's croupier raises."""
    with transaction.atomic():
        return disputes.raise_dispute(
            standing=standing.locked(round_.pk),
            about=about,
            boxes=list(boxes),
            statement=statement,
            actor=Actor(by or croupier(round_.table)),
        )


def rule_on(dispute, *, ruling="refused", changes=None):
    """The pit boss of the round's pit rules, and one of another pit signs."""
    rules = boss(dispute.round)
    with transaction.atomic():
        return disputes.rule(
            standing=standing.locked(dispute.round_id),
            dispute_id=dispute.pk,
            line=dispute.round.lines.count(),
            ruling=ruling,
            clause="split.17",
            reason="The camera shows it.",
            changes=changes,
            actor=Actor(rules, person("clara" if rules.login == "frank" else "frank")),
        )


def call(table, *, by=None, reason="other"):
    """The table's croupier calls the pit boss."""
    with transaction.atomic():
        return alarms.call(table_id=table.pk, reason=reason, actor=Actor(by or croupier(table)))


def take(alarm, *, by="clara", word=""):
    """A pit boss comes."""
    with transaction.atomic():
        return alarms.take(alarm_id=alarm.pk, word=word, actor=actor(by))


def end(alarm, *, by="clara"):
    """The pit boss says that it is over."""
    with transaction.atomic():
        return alarms.end(alarm_id=alarm.pk, actor=actor(by))


def set_scanner(terminal, *, game="split", prefix="", suffix="", codes=None):
    """The table's pit boss says how the scanner at a terminal spells cards."""
    codes = {"Td": "D10"} if codes is None else codes
    with transaction.atomic():
        return scanners.set_profile(
            terminal_id=terminal.pk,
            game=game,
            prefix=prefix,
            suffix=suffix,
            codes=codes,
            actor=Actor(boss_of(terminal.table)),
        )


def set_setting(value=500, *, name="closer_variance_units", from_at=None, by="clara", signed_with="ida"):
    """A pit boss and an administrator give a setting of the house another value."""
    with transaction.atomic():
        version = next(each.version for each in house_settings.standing() if each.definition.name == name)
        return house_settings.change(
            name=name, value=value, from_at=from_at, version=version, actor=actor(by, signed_with)
        )


def withdraw(setting, *, by="clara", signed_with="frank"):
    """Two pit bosses withdraw what has not come into force."""
    with transaction.atomic():
        return house_settings.withdraw(setting_id=setting.pk, actor=actor(by, signed_with))


def slip(table, kind="fill", chips=None, *, exchanged=None):
    """The table's pit boss asks for chips: of what the demo's tables have, 400.00."""
    if kind == "change" and exchanged is None:
        exchanged = {"2500": 16}
    with transaction.atomic():
        return slips.request(
            table_id=table.pk,
            kind=kind,
            denominations=CHIPS if chips is None else chips,
            exchanged=exchanged,
            actor=Actor(boss_of(table)),
        )


def issue(slip, *, carrier=None):
    """Whoever has the chips issues them: the cage or, for a credit, the croupier at the table."""
    giver = croupier(slip.table) if slips.at_cage(slip) else person("hugo")
    with transaction.atomic():
        return slips.issue(slip_id=slip.pk, carrier=carrier and person(carrier), actor=Actor(giver))


def count_slip(slip, *, by=None, chips=None, terminal=None):
    """One of the two who count a slip on arrival counts it, the first if nobody has; return the slip as it is then."""
    second = slip_counters(slip)[len(counts.last(slip.ref, slip.kind)) == 1]
    by = person(by) if by else second
    denominations = slip.denominations if chips is None else chips
    with transaction.atomic():
        return slips.count(slip_id=slip.pk, denominations=denominations, actor=Actor(by, None, terminal))[0]


def slip_counters(slip):
    """Who counts first and second: at the cage Hugo and the pit boss, at the table its croupier and the pit boss."""
    return person("hugo") if slips.at_cage(slip) else croupier(slip.table), boss_of(slip.table)


def receive(slip):
    """Both count a slip that is on its way, as it says."""
    return count_slip(count_slip(slip))


def question(*, by="david", subject="house/1", words="Why was that?"):
    """What an auditor asks the pit."""
    with transaction.atomic():
        return questions.ask(subject=subject, words=words, actor=actor(by))


def answer_question(question, *, by="clara", words="Anna held them."):
    """A pit boss answers."""
    with transaction.atomic():
        return questions.answer(question_id=question.pk, words=words, actor=actor(by))


def settle_question(question, *, by="david"):
    """An auditor accepts the answer."""
    with transaction.atomic():
        return questions.settle(question_id=question.pk, actor=actor(by))


def ask_again(question, *, by="david", words="And why then?"):
    """An auditor asks again."""
    with transaction.atomic():
        return questions.ask_again(question_id=question.pk, words=words, actor=actor(by))


def report_file(by="clara"):
    """A file of a report as its worker has made it, each of another day."""
    day = dt.date(2026, 1, 1) - dt.timedelta(ReportFile.objects.count())
    with transaction.atomic():
        file = report_files.ask(
            report="master-game", edition=1, period=str(day), first=day, last=day, form="csv", by=person(by)
        )
        digest = hashlib.sha256(b"a").hexdigest()
        report_files.done(file, rows=1, digest=digest, file_digest=digest, size=1, grade="FINAL")
    return file


def computed_edge(sheet=None, **figures):
    """The edge of a sheet, or of one as the house proposes it, computed by its worker with all others that are asked
    for."""
    rules = rulesheets.rules_of(sheet or rulesheets.unsaved(game="split", values={}))
    with transaction.atomic():
        edge_results.ask(rules)
    while result := edge_results.due():
        edge_results.done(result, edges.figures(**figures))
    return edge_results.of(rules)


def plays_by(place, edge_percent="22.43", values=None, **figures):
    """Let a table play from now on by a sheet of its own, whose house edge counts as computed; return the results by
    ANTE."""
    values = in_chips("split", {"coefficients": RATIOS | {"royal_flush": "101:1"}} | (values or {}))
    with transaction.atomic():
        sheet = rulesheets.draft(game="split", values=values, actor=actor("clara"))
    results = computed_edge(sheet, edge_percent=edge_percent, **figures)
    with transaction.atomic():
        rulesheets.publish(sheet_id=sheet.pk, actor=actor("frank"))
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=place.pk, actor=actor("clara", "frank"))
    return results


def old_report_file():
    """A file kept for longer than any casino keeps one; only the database's owner can set that."""
    file = report_file()
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        for trigger in ("moves", "timed"):
            owner.execute(f"ALTER TABLE tables_reportfile DISABLE TRIGGER {trigger}")
        owner.execute("UPDATE tables_reportfile SET ended_at = now() - interval '99 years' WHERE id = %s", [file.pk])
        for trigger in ("moves", "timed"):
            owner.execute(f"ALTER TABLE tables_reportfile ENABLE ALWAYS TRIGGER {trigger}")
    return file


def report_token(name="", *, by="ida", signed_with="frank"):
    """A token of reports, each of another name."""
    with transaction.atomic():
        name = name or f"program-{ReportToken.objects.count()}"
        return report_files.give_token(name=name, actor=actor(by, signed_with))


def send_back(slip, *, reason="One chip of 5.00 was missing."):
    with transaction.atomic():
        return slips.send_back(slip_id=slip.pk, reason=reason, actor=Actor(boss_of(slip.table), person("hugo")))


def void_slip(slip, *, reason="Keyed twice."):
    with transaction.atomic():
        return slips.void(slip_id=slip.pk, reason=reason, actor=Actor(boss_of(slip.table), person("hugo")))


def print_slip(slip):
    with transaction.atomic():
        return slips.print_copy(slip_id=slip.pk, actor=actor("hugo"))


def mount(table, number="101", *, seal="S-1", signed_with="hugo"):
    """The table's pit boss and another mount a drop box."""
    with transaction.atomic():
        actor = Actor(boss_of(table), person(signed_with))
        return drop_boxes.mount(table_id=table.pk, number=number, seal=seal, actor=actor)


def take_off(drop_box, *, number=None, seal=None, signed_with="hugo"):
    """The same two take it off; number and seal are as when it was mounted, if nothing else is given."""
    with transaction.atomic():
        return drop_boxes.remove(
            drop_box_id=drop_box.pk,
            number=number or drop_box.number,
            seal=seal or drop_box.seal,
            actor=Actor(boss_of(drop_box.table), person(signed_with)),
        )


def buy_in(table, units, *, box=1, signed=False, terminal=None):
    """A patron buys chips of the float from whoever is signed on at the table; the pit boss signs if `signed`."""
    by = Actor(croupier(table), boss_of(table) if signed else None, terminal)
    with transaction.atomic():
        return buy_ins.enter(table_id=table.pk, box=box, units=units, actor=by)


def tip(table, units, *, terminal=None):
    """A patron gives a tip, entered by whoever is signed on at the table."""
    with transaction.atomic():
        return tips.take(table_id=table.pk, units=units, actor=Actor(croupier(table), None, terminal))


def close_tables():
    """Close every table of the house with what its books say; return the gaming day."""
    for running in Session.objects.exclude(status="CLOSED").select_related("table__float_account", "table__chip_set"):
        place = running.table
        for mounted in place.drop_boxes.filter(status="MOUNTED"):
            take_off(mounted)
        smallest = place.chip_set.denominations[0]
        close_session(place, {smallest: ledger.balance(place.float_account) // smallest})
    return dates.business_date()


@contextlib.contextmanager
def days_ago(days):
    """Let whatever begins now begin on a gaming day this many days ago, by the database's own function."""
    says = (
        "CREATE OR REPLACE FUNCTION gaming_day(at timestamptz, zone text, starts time) RETURNS date LANGUAGE sql"
        " STABLE PARALLEL SAFE RETURN ((at AT TIME ZONE zone) - starts)::date"
    )
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute(f"{says} - {days}")
        try:
            yield
        finally:
            owner.execute(says)


def day_with_tips(units=500):
    """A gaming day that is over, the newest on which no table was open yet: with a tip, at a table that is closed."""
    clara, one, today = actor("clara"), table("T1"), dates.business_date()
    known = set(Session.objects.values_list("business_date", flat=True))
    ago = next(ago for ago in itertools.count(1) if today - dt.timedelta(ago) not in known)
    with days_ago(ago):
        with transaction.atomic():
            made = pits.add_table(
                code=f"D{ago}", name=f"Of {ago} days ago", pit=one.pit, chip_set=one.chip_set, actor=clara
            )
        session = open_session(made, {100: 100})
        with transaction.atomic():
            tips.take(table_id=made.pk, units=units, actor=actor("anna"))
        close_session(made, {100: 100})
    return session.business_date


def count_tips(date, chips, *, by):
    """One of the two who count the tips of a gaming day counts."""
    with transaction.atomic():
        return tips.count(date=date, denominations=chips, actor=actor(by))


def sign_tips(date, *, by="olga", signed_with="petra", place=None, reason=""):
    """Two sign for what was counted in the tip box."""
    with transaction.atomic():
        return tips.sign(date=date, place=place, reason=reason, actor=actor(by, signed_with))


def counted_tips(date, chips, *, reason="Counted twice."):
    """Both count the tips of a gaming day, with the same result, and sign for them."""
    for by in ("olga", "petra"):
        count_tips(date, chips, by=by)
    return sign_tips(date, reason=reason)


def count_drop(drop_box, cash, *, by):
    """One of the two who count a drop box counts."""
    with transaction.atomic():
        return drops.count(drop_box_id=drop_box.pk, denominations=cash, actor=actor(by))[1]


def sign_drop(drop_box, *, by="olga", signed_with="petra", place=None, reason=""):
    """Two sign for what was counted in a drop box."""
    with transaction.atomic():
        return drops.sign(drop_box_id=drop_box.pk, place=place, reason=reason, actor=actor(by, signed_with))


def counted_drop(drop_box, cash, *, reason="Counted twice."):
    """A drop box taken off, which both count with the same result and sign for."""
    for by in ("olga", "petra"):
        count_drop(drop_box, cash, by=by)
    return sign_drop(drop_box, reason=reason)


def cage_shift():
    """The open shift of the cage; Hugo opens one if there is none."""
    with transaction.atomic():
        return cage.running() or cage.open_shift(actor=actor("hugo"))


def move_chips(kind, chips=None, *, units=None, by="hugo", signed_with="clara"):
    """Chips issued, taken out of use, sold or cashed in the open shift, by the cage with a pit boss."""
    with transaction.atomic():
        return cage.move(
            shift_id=cage_shift().pk, kind=kind, denominations=chips, units=units, actor=actor(by, signed_with)
        )


def count_cage(chips, *, by):
    """One of the two who count the cage counts."""
    with transaction.atomic():
        return cage.count(shift_id=cage_shift().pk, denominations=chips, actor=actor(by))[1]


def sign_cage(*, by="hugo", signed_with="olga", place=None, reason=""):
    """Two sign for what was counted in the cage: its shift is closed."""
    shift = cage_shift()
    with transaction.atomic():
        return cage.sign(shift_id=shift.pk, place=place, reason=reason, actor=actor(by, signed_with))


def pile(units):
    """Chips of T1's set that come to this many units."""
    return {"100000": units // 100_000, "100": units % 100_000 // 100}


def end_day():
    """Close and count everything of today, as the books have it, so that the day can be closed."""
    for session in Session.objects.running().select_related("table"):
        for drop_box in session.drop_boxes.filter(status=DropBox.Status.MOUNTED):
            take_off(drop_box)
        close_session(session.table, pile(ledger.balance(session.table.float_account)))
    for drop_box in DropBox.objects.waiting():
        cash = drops.recorded(drop_box)
        counted_drop(drop_box, {"500": cash // 500} if cash else {})
    shift = cage_shift()
    for by in ("hugo", "olga"):
        count_cage(pile(ledger.balance(Account.objects.get(kind=Account.Kind.CAGE))), by=by)
    sign_cage()
    return GamingDay.objects.get(date=shift.business_date)


def idle_day():
    """A gaming day a year ago on which nothing was open, open itself; it comes after those that were closed."""
    closed = GamingDay.objects.filter(status=GamingDay.Status.CLOSED).aggregate(last=Max("date"))["last"]
    date = closed + dt.timedelta(1) if closed else dates.business_date() - dt.timedelta(365)
    with transaction.atomic():
        dates.hold(date)
    return GamingDay.objects.get(date=date)


def close_day(day, *, by="clara", signed_with="hugo"):
    """A pit boss and the cage sign a day."""
    with transaction.atomic():
        return days.close(day_id=day.pk, actor=actor(by, signed_with))


def undo(round_, *, signed=False):
    with transaction.atomic():
        return rounds.undo(
            standing=standing.locked(round_.pk),
            version=round_.actions.count(),
            actor=dealing_signed(round_) if signed else dealing(round_.table),
        )


def amend(round_, ordinal, *, signed=False, **arguments):
    with transaction.atomic():
        return rounds.amend(
            standing=standing.locked(round_.pk),
            version=round_.actions.count(),
            ordinal=ordinal,
            arguments=arguments,
            actor=dealing_signed(round_) if signed else dealing(round_.table),
        )


def boss(round_):
    """The pit boss of the round's pit."""
    return boss_of(round_.table)


def act_all(round_, moves=FLUSH_WINS):
    """Let everything happen up to the end, but not the close."""
    for kind, box, arguments in moves:
        do(round_, kind, box, **arguments)


def play_round(table, moves=FLUSH_WINS):
    """A round from its opening to its close: due, not yet settled."""
    opened = open_round(table)
    act_all(opened, moves)
    return close(opened)


def ticked(round_):
    """Tick all boxes of a settled round."""
    for payment in round_.settlement.payments.all():
        PaymentTick.objects.create(payment=payment, by=croupier(round_.table))
    return round_


def settled_round(table, moves=FLUSH_WINS):
    """A settled round; everything else that was due is settled too."""
    closed = play_round(table, moves)
    settling.settle_due()
    # If a live worker has leased it, that one settles it.
    return until(lambda: Round.objects.filter(pk=closed.pk, status=Round.Status.SETTLED).first())


def settled_at_a_closed_table():
    """A round that Erik dealt at a further table of the main floor, settled; then the table was closed. Other due
    rounds are not settled."""
    one, clara = table("T1"), actor("clara")
    with transaction.atomic():
        made = pits.add_table(code="C1", name="Closed", pit=one.pit, chip_set=one.chip_set, actor=clara)
        sheet = rulesheets.in_force(one)
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=made.pk, actor=actor("clara", "frank"))
        counting.opened(table_id=made.pk, chips={100: 1000, 10000: 10}, boss=clara.by, second=person("hugo"))
        staff.sign_on(staff=person("erik"), table=made, actor=clara)
    dealt = play_round(made)
    with transaction.atomic():
        settling._settle(made.pk, [dealt.pk])
        counting.paid(made.sessions.get(), by=person("erik"))
    close_session(made, pile(ledger.balance(made.float_account)))
    return Round.objects.get(pk=dealt.pk)


def raked_table():
    """Another table of the main floor, open: 5.00 of a pot that Erik dealt there lie in its rake slot. Nobody is signed
    on, and other due rounds are not settled."""
    one, (values, dealt) = table("T1"), evening.evening("genpoker")
    sheet = published_sheet("genpoker", values | {"rake_percent": 50, "rake_cap": 500})
    clara = actor("clara")
    with transaction.atomic():
        made = pits.add_table(code="R1", name="Raked", pit=one.pit, chip_set=one.chip_set, actor=clara)
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=made.pk, actor=actor("clara", "frank"))
        staff.sign_on(staff=person("erik"), table=made, actor=clara)
    open_session(made, {100: 100})
    opened = open_round(made, dealt[0].seats)
    for action in dealt[0].actions:
        do(opened, action.kind, action.box, **action.arguments)
    close(opened)
    with transaction.atomic():
        settling._settle(made.pk, [opened.pk])
        counting.paid(made.sessions.get(), by=person("erik"))
        staff.sign_off(table=made, actor=clara)
    return made


def void_later(round_):
    """Anna and Clara void a settled round, when perhaps nobody deals at its table."""
    with transaction.atomic():
        return corrections.correct(
            standing=standing.locked(round_.pk),
            line=round_.lines.count(),
            changes={"void": {"clause": "house.4"}},
            clause="house.4",
            reason="A card was missing.",
            actor=actor("anna", "clara"),
        )


def settled_before_slots(round_):
    """Settle a closed round of a pot as it was before tables had rake slots: its rake goes into the house's.

    The guard that now refuses this is switched off meanwhile.
    """
    house, table = Account.objects.get(kind="rake", owner="house"), f"table:{round_.table_id}"
    (row,) = settling.read([round_.pk], Round.Status.CLOSED)
    row = row._replace(rake_id=house.pk)
    settlement = settling.settlement_of(row, 1)
    record = settling.record_of(row, settlement)
    for transfer in record.facts["transfers"]:
        transfer["debit"] = transfer["debit"].replace(f"rake:{table}", house.ref)
    rows, addition = ledger.rows([settlement]), log.addition(table, [record])
    with stack.cluster().connect(embedded.OWNER, connection.settings_dict["NAME"]) as owner:
        owner.execute("ALTER TABLE payouts_transfer DISABLE TRIGGER joins_header")
        with connection.cursor() as cursor:
            known = [round_.pk], Round.Status.CLOSED, [row.line_ordinal]
            cursor.execute("SELECT settle_rounds(%s, %s, %s, %s, %s, %s, %s, %s)", [*known, *rows, *addition])
        owner.execute("ALTER TABLE payouts_transfer ENABLE ALWAYS TRIGGER joins_header")
    return Round.objects.get(pk=round_.pk, status=Round.Status.SETTLED)


def sealed():
    """Seal and anchor all that the log has now; return its size."""
    anchor = stack.folder() / f"anchor-{connection.settings_dict['NAME']}"
    with override_settings(LOG_KEYS=str(stack.seed_folder() / "keys"), ANCHOR_FILE=str(anchor)), sealer.connected():
        seal.keep_up(within=30)
        seal.anchor_when_due(now=True)
    return Checkpoint.objects.newest().size


def furnish():
    """A row of nearly everything: T1 has a settled round, T2 a closed and T3 an open one; a sheet and a coefficient
    table are drafts.

    :returns: the three rounds, the sheet and the coefficient table.
    """
    settled = settled_round(table("T1"))
    hold(settled)
    contest(settled)
    call(settled.table)
    PaymentTick.objects.create(payment=settled.settlement.payments.get(box=1), by=person("anna"))
    Terminal.objects.create(table=settled.table, name="T1-left", token_digest="f" * 64)
    set_scanner(Terminal.objects.get(name="T1-left"))
    set_setting(from_at=timezone.now() + dt.timedelta(days=1))
    count_slip(issue(slip(settled.table)))
    slip(settled.table, "credit")
    case_file(vary_session(table("T2")))
    idempotency.carry_out(staff=person("anna"), key="k", method="POST", path="/", body={}, work=lambda: (200, {}))
    with transaction.atomic():
        ratios = coefficient_tables.draft(game="split", name="Next", ratios=RATIOS, actor=actor("clara"))
        sheet = rulesheets.draft(game="split", values={}, coefficient_table=None, actor=actor("clara"))
    made = settled, play_round(table("T2"), FOLDS), open_round(table("T3")), sheet, ratios
    mount(settled.table)
    buy_in(settled.table, 500)
    relief = relieve(settled.table, person("erik"))
    with transaction.atomic():
        reliefs.withdraw(relief_id=relief.pk, actor=actor("clara"))
        employment.give_code(staff_id=person("erik").pk, actor=actor("ida", "clara"))
    return made


def written():
    """How much the database has of rounds, actions, log, keys and money. A refusal leaves it as it was.

    Auditors' looks at money and people don't count.
    """
    log = sum(Chain.objects.values_list("seq", flat=True)) - Entry.objects.filter(event="records.read").count()
    return (log, *(model.objects.count() for model in MODELS))


def refused(code, work, *arguments, round_id=None, **more):
    """The refusal of a command that wrote nothing; a command to a round gets the round locked."""
    before = written()
    with pytest.raises(Refused) as caught, transaction.atomic():
        work(*arguments, **(more if round_id is None else {**more, "standing": standing.locked(round_id)}))
    assert caught.value.code == code, f"{caught.value.code}: {caught.value.message}"
    assert written() == before
    return caught.value


def at_once(*works):
    """What each work returned or raised; all begin together, in threads with connections of their own."""
    with side_by_side(len(works)) as together:
        return together(*works)


@contextlib.contextmanager
def side_by_side(count):
    """`at_once` for this many works, again and again on the same threads and connections."""
    barrier = threading.Barrier(count)

    def run(work):
        barrier.wait(PATIENCE)
        try:
            return work()
        except Exception as error:
            return error

    with ThreadPoolExecutor(count) as pool:
        yield lambda *works: list(pool.map(run, works, timeout=PATIENCE))
        list(pool.map(run, [connection.close] * count, timeout=PATIENCE))
