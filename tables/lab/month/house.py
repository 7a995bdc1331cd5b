"""The people of the demo at work: each is one step that somebody takes, in a transaction of its own."""

import functools

from django.db import transaction

from audit.log import Actor
from casino.games.registry import GAMES
from casino.models import Staff
from payouts import ledger
from payouts.models import Account, Movement
from tables.lab import counting
from tables.models import Alarm, CageShift, DropBox, GamingDay, Round, Slip
from tables.people import staff
from tables.verbs import (
    alarms,
    buy_ins,
    cage,
    cases,
    corrections,
    days,
    disputes,
    drop_boxes,
    drops,
    interventions,
    payments,
    rounds,
    rulesheets,
    settling,
    slips,
    standing,
    tips,
)
from tables.verbs import settings as house_settings

BOSSES = {"M": "clara", "S": "frank", "H": "karl"}
SECONDS = {"clara": "frank", "frank": "clara", "karl": "frank"}


@functools.cache
def person(login):
    return Staff.objects.get(login=login)


def by(login, with_=None):
    """Somebody acting, with the signature of another."""
    return Actor(person(login), person(with_) if with_ else None)


class Place:
    """A table, its croupier and its pit boss, and the chips that it was closed with."""

    def __init__(self, table):
        self.table = table
        self.boss = BOSSES[table.pit.code]
        self.croupier = None
        self.left = None
        self.session = None
        self.box = None
        self.missing = 0

    @property
    def dealer(self):
        return by(self.croupier)

    @property
    def signed(self):
        """The croupier, with the pit boss's signature."""
        return by(self.croupier, self.boss)

    @transaction.atomic
    def opens(self):
        """Open the table with the chips that it was closed with; before the first night the demo has it open."""
        self.session = self.table.sessions.running().first() or counting.opened(
            table_id=self.table.pk, chips=self.left, boss=person(self.boss), second=person("hugo")
        )

    @transaction.atomic
    def signs_on(self, login):
        self.croupier = login
        staff.sign_on(staff=person(login), table=self.table, actor=by(self.boss))

    @transaction.atomic
    def signs_off(self):
        if self.table.sign_ons.filter(signed_off_at=None).exists():
            staff.sign_off(table=self.table, actor=by(self.boss))

    @transaction.atomic
    def mounts(self, number, seal):
        self.box = drop_boxes.mount(table_id=self.table.pk, number=number, seal=seal, actor=by(self.boss, "hugo"))

    @transaction.atomic
    def takes_box(self):
        drop_boxes.remove(
            drop_box_id=self.box.pk, number=self.box.number, seal=self.box.seal, actor=by(self.boss, "hugo")
        )

    @transaction.atomic
    def buys_in(self, box, units):
        buy_ins.enter(table_id=self.table.pk, box=box, units=units, actor=self.signed)

    def holds(self):
        """What the table's float holds by the books."""
        return ledger.balance(self.table.float_account)

    @transaction.atomic
    def tips(self, units):
        tips.take(table_id=self.table.pk, units=units, actor=self.dealer)

    @transaction.atomic
    def closes(self, missing, reason):
        """Close the table with what the books say, except for chips that are missing."""
        session = self.session
        smallest = self.table.chip_set.denominations[0]
        rake = None
        if ledger.has_moved(self.table.rake_account):
            rake = {smallest: max(0, ledger.balance(self.table.rake_account)) // smallest}
        counting.paid(session, by=person(self.boss))
        self.left = chips(ledger.balance(self.table.float_account) - missing, self.table.chip_set.denominations)
        counting.closed(
            session,
            chips=self.left,
            boss=person(self.boss),
            second=person("hugo"),
            reason=reason,
            rake=rake,
        )
        self.session = None


def chips(units, denominations):
    """A pile worth this many units, each higher chip for half of what is left.

    >>> chips(12_300, [100, 500, 2500])
    {'100': 23, '500': 10, '2500': 2}
    """
    pile, rest = {}, units
    for place in range(len(denominations) - 1, 0, -1):
        value = denominations[place]
        share = rest // 2 if place > 1 else rest - rest // 4
        pile[value] = share // value
        rest -= pile[value] * value
    pile[denominations[0]] = rest // denominations[0]
    return {str(value): pile[value] for value in denominations if pile[value]}


# Rounds


def played(place, actions, pause, seats=()):
    """Play a round from its opening to its close; `pause` lets time go by between two actions."""
    return closed(place, opened(place, seats), actions, pause)


def opened(place, seats=()):
    with transaction.atomic():
        return rounds.open_round(
            table_id=place.table.pk, seats=seats, dealer=seats[-1] if seats else None, actor=place.dealer
        )


def acted(place, round_, actions, pause, first=0):
    """Let actions happen in an open round; `first` is how many happened before."""
    for version, action in enumerate(actions, first):
        pause()
        with transaction.atomic():
            rounds.act(
                standing=standing.locked(round_.pk),
                version=version,
                kind=action.kind,
                box=action.box,
                arguments=action.arguments,
                actor=place.dealer,
            )


def closed(place, round_, actions, pause, first=0):
    """Play the rest of an open round, close it and settle it."""
    acted(place, round_, actions, pause, first)
    pause()
    with transaction.atomic():
        rounds.close(standing=standing.locked(round_.pk), version=first + len(actions), actor=place.dealer)
    settling.settle_due()
    return Round.objects.select_related("settlement").get(pk=round_.pk)


@transaction.atomic
def ticked(place, round_):
    """Tick each box: it has got what is due to it."""
    for paid, due in payments.unticked(place.session):
        if paid.pk == round_.pk:
            for each in due:
                payments.tick(standing=standing.locked(paid.pk), generation=1, box=each.box, actor=place.dealer)


def voided(place, actions, pause, *, clause, reason):
    """A round in which something lies, voided by whoever deals it and the pit boss."""
    round_ = opened(place)
    acted(place, round_, actions, pause)
    pause()
    with transaction.atomic():
        interventions.void(
            standing=standing.locked(round_.pk),
            version=len(actions),
            clause=clause,
            reason=reason,
            actor=place.signed,
        )


def held(place, actions, pause, *, clause, reason, answer):
    """A round that stops after its first action, and goes on when the pit boss has come."""
    round_ = opened(place)
    acted(place, round_, actions[:1], pause)
    with transaction.atomic():
        interventions.report(
            standing=standing.locked(round_.pk), clause=clause, reason=reason, box=None, actor=place.dealer
        )
    pause()
    with transaction.atomic():
        interventions.release(standing=standing.locked(round_.pk), version=1, hold=1, reason=answer, actor=place.signed)
    return closed(place, round_, actions[1:], pause, first=1)


@transaction.atomic
def corrected(login, boss, round_, changes, *, reason):
    """Correct a settled round, perhaps days later, by whoever dealt it and a pit boss."""
    corrections.correct(
        standing=standing.locked(round_.pk),
        line=round_.lines.count(),
        changes=changes,
        clause="split.33",
        reason=reason,
        actor=by(login, boss),
    )


@transaction.atomic
def handed(round_, *, left):
    """What a correction leaves is handed over by the cage, or its patron has left."""
    round_ = Round.objects.select_related("settlement").get(pk=round_.pk)
    for due in payments.outstanding(round_):
        of = {"standing": standing.locked(round_.pk), "generation": round_.settlement.generation, "box": due.box}
        if left:
            payments.leave(**of, actor=by("hugo", "clara"))
        else:
            payments.tick(**of, actor=by("hugo"))


@transaction.atomic
def decided(case, reason):
    """Decide the case of a variance, by the pit boss who owns it and another."""
    boss = case.owner.login
    cases.decide(case_id=case.pk, outcome="not_found", reason=reason, actor=by(boss, SECONDS[boss]))


@transaction.atomic
def contested(place, round_, box, statement):
    return disputes.raise_dispute(
        standing=standing.locked(round_.pk), about="ranking", boxes=[box], statement=statement, actor=place.dealer
    )


@transaction.atomic
def ruled(place, dispute, *, reason):
    disputes.rule(
        standing=standing.locked(dispute.round_id),
        dispute_id=dispute.pk,
        line=dispute.round.lines.count(),
        ruling="refused",
        clause="split.17",
        reason=reason,
        changes=None,
        actor=by(place.boss, SECONDS[place.boss]),
    )


# Calls


@transaction.atomic
def called(place, reason):
    return alarms.call(table_id=place.table.pk, reason=reason, actor=place.dealer)


@transaction.atomic
def came(place, alarm, word=""):
    alarms.take(alarm_id=alarm.pk, word=word, actor=by(place.boss))


@transaction.atomic
def over(place, alarm):
    alarms.end(alarm_id=alarm.pk, actor=by(place.boss))


def raised():
    """The alarms that nobody took yet, with the login of the pit boss who should."""
    standing_ = Alarm.objects.standing().filter(taken_by=None).select_related("table__pit")
    return [(alarm, BOSSES[alarm.table.pit.code] if alarm.table else "clara") for alarm in standing_]


@transaction.atomic
def answered(alarm, login, word):
    alarms.take(alarm_id=alarm.pk, word=word, actor=by(login))


# Slips


@transaction.atomic
def asked(place, kind, denominations, exchanged=None):
    return slips.request(
        table_id=place.table.pk, kind=kind, denominations=denominations, exchanged=exchanged, actor=by(place.boss)
    )


@transaction.atomic
def issued(place, slip):
    giver = place.croupier if slips.at_cage(slip) else "hugo"
    return slips.issue(slip_id=slip.pk, carrier=None, actor=by(giver))


@transaction.atomic
def received(place, slip):
    for login in ("hugo" if slips.at_cage(slip) else place.croupier, place.boss):
        slips.count(slip_id=slip.pk, denominations=slip.denominations, actor=by(login))
    return Slip.objects.get(pk=slip.pk)


@transaction.atomic
def sent_back(place, slip, reason):
    slips.send_back(slip_id=slip.pk, reason=reason, actor=by(place.boss, "hugo"))


@transaction.atomic
def slip_voided(place, slip, reason):
    slips.void(slip_id=slip.pk, reason=reason, actor=by(place.boss, "hugo"))


# Counts


@transaction.atomic
def counts_drop(drop_box, missing, reason, values):
    """Two count a drop box; the notes come to the buy-ins, except for what is missing."""
    cash = notes(max(0, drops.recorded(drop_box) - missing), values)
    for login in ("olga", "petra"):
        drops.count(drop_box_id=drop_box.pk, denominations=cash, actor=by(login))
    drops.sign(drop_box_id=drop_box.pk, place=None, reason=reason, actor=by("olga", "petra"))


def notes(units, values):
    """The fewest notes and coins that come to this many units.

    >>> notes(7_250, [50, 100, 500, 5000])
    {'5000': 1, '500': 4, '100': 2, '50': 1}
    """
    cash = {}
    for value in sorted(values, reverse=True):
        number, units = divmod(units, value)
        if number:
            cash[str(value)] = number
    return cash


@transaction.atomic
def counts_tips(date, denominations):
    pile = chips(tips.recorded(date), denominations)
    for login in ("olga", "petra"):
        tips.count(date=date, denominations=pile, actor=by(login))
    tips.sign(date=date, place=None, reason="", actor=by("olga", "petra"))


@transaction.atomic
def opens_cage():
    return cage.open_shift(actor=by("hugo"))


@transaction.atomic
def cashes(date, share, denominations):
    """The cage gives patrons money for a share of the chips that they bought on a gaming day."""
    bought = sum(drops.recorded(drop_box) for drop_box in DropBox.objects.filter(business_date=date))
    if pile := chips(int(bought * share) // denominations[0] * denominations[0], denominations):
        shift = CageShift.objects.get(status=CageShift.Status.OPEN)
        kind = Movement.Kind.CASHED
        cage.move(shift_id=shift.pk, kind=kind, denominations=pile, actor=by("hugo", "clara"))


@transaction.atomic
def counts_cage(missing, reason, denominations):
    shift = CageShift.objects.get(status=CageShift.Status.OPEN)
    pile = chips(ledger.balance(Account.objects.get(kind=Account.Kind.CAGE)) - missing, denominations)
    for login in ("hugo", "olga"):
        cage.count(shift_id=shift.pk, denominations=pile, actor=by(login))
    cage.sign(shift_id=shift.pk, place=None, reason=reason, actor=by("hugo", "olga"))


@transaction.atomic
def closes_day(date):
    days.close(day_id=GamingDay.objects.get(date=date).pk, actor=by("clara", "hugo"))


@transaction.atomic
def sets(name, value):
    """Change a setting of the house, by two."""
    versions = {each.definition.name: each.version for each in house_settings.standing()}
    house_settings.change(name=name, value=value, from_at=None, version=versions[name], actor=by("clara", "ida"))


@transaction.atomic
def sets_sheet(game, values, tables):
    """A rule sheet drafted, published by another, and in force at tables from now on; what `values` leave out has its
    default, not what a new draft is proposed with."""
    proposed = [parameter for parameter in GAMES[game].parameters if parameter.proposed is not None]
    values = {parameter.name: parameter.default for parameter in proposed} | values
    sheet = rulesheets.draft(game=game, values=values, coefficient_table=None, actor=by("karl"))
    rulesheets.publish(sheet_id=sheet.pk, actor=by("frank"))
    for table in tables:
        rulesheets.put_in_force(sheet_id=sheet.pk, table_id=table.pk, actor=by("karl", "frank"))
    return sheet
