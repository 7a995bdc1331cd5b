"""Gaming days as primitives for their pages: the form of a day, with what keeps it open, and a single table's part.

Every figure leads to what it is made of: from the day to a table's sittings and movements, from there to the session,
the slip, the drop box or the round.
"""

from zoneinfo import ZoneInfo

from django.db.models import F
from django.urls import reverse

from audit.models import Entry
from casino import gaming_day, money
from casino.games import registry
from casino.models import Casino
from casino.roles import Right
from payouts import winning
from payouts.models import Account, Movement, Settlement, Transfer
from payouts.winning import Grade

from ..models import CageShift, DropBox, GamingDay, Round, Slip
from ..people import access
from ..verbs import dates, days, figures, floor
from .console import CONSOLE
from .floor import part
from .timeline import Reader

LISTED = 14
"""So many days stand beside one, the newest first."""
AHEAD = 7
"""A form offers the beginnings of so many coming gaming days for a change; REST takes any moment."""
_COLUMNS = (
    ("opener", "Opener"),
    ("fills", "Fills"),
    ("credits", "Credits"),
    ("buy_ins", "Buy-ins"),
    ("drop", "Drop"),
    ("closer", "Closer"),
    ("win", "Win"),
    ("variance", "Variance"),
    ("rake", "Rake"),
    ("tips", "Tips"),
)
_SIGNED = {"win", "variance"}
_SEVERAL = {"opener": "several.openers", "closer": "several.closers"}
# Which movements a figure is made of.
_MADE_OF = {
    "Opener": (Movement.Kind.OPENER,),
    "Fills": (Movement.Kind.FILL,),
    "Credits": (Movement.Kind.CREDIT, Movement.Kind.CREDIT_RETURNED),
    "Buy-ins": (Movement.Kind.BUY_IN,),
    "Drop": (Movement.Kind.DROP,),
    "Closer": (Movement.Kind.CLOSER,),
    "Variance": (Movement.Kind.VARIANCE,),
    "Rake": (Movement.Kind.RAKE,),
    "Tips": (Movement.Kind.TIP,),
}
_WAYS = {"session": "session", "slip": "slip", "drop_box": "drop_box"}


class Form:
    """How days look to one person: amounts, times and people.

    :param lines: the tables that are shown. What their sessions won goes by their chips once these are counted; until
        then, it is what the floor says, for tables whose floor the person reads.
    """

    def __init__(self, staff, lines=()):
        self.staff, self.casino = staff, Casino.objects.get()
        self.zone = ZoneInfo(self.casino.time_zone)
        self.reader = Reader(staff.has_perm(Right.READ_NAMES), self.zone)
        self.on_floor = _on_floor(staff, lines)

    def spell(self, units, *, signed=False):
        text = money.spell(units, self.casino.currency_decimals)
        return f"+{text}" if signed and units > 0 else text

    def moment(self, at):
        local = at.astimezone(self.zone)
        return f"{local.day} {local:%b %Y %H:%M}"

    def clock(self, at):
        return self.reader.clock(at)[:5]

    def span(self, date):
        """When a day begins and ends, by the clock on the wall."""
        start, end = (
            gaming_day.begins(each, zone=self.casino.time_zone, starts=self.casino.day_starts_at)
            for each in (date, date + gaming_day.DAY)
        )
        return CONSOLE("times", start=self.moment(start), end=self.moment(end))

    def won(self, sitting):
        """What a session won, as far as that is known: until it is counted, in the floor's own words."""
        if sitting.figures.win is not None:
            return winning.Win(sitting.figures.win, Grade.FINAL)
        return self.on_floor.get(sitting.session.pk) or winning.Win(None, Grade.ESTIMATE)

    def together(self, lines):
        """What tables won together, and over how many of them that is, in the floor's words."""
        of_tables = [list(map(self.won, line.sittings)) for line in lines]
        return winning.together(won for wins in of_tables for won in wins), part(of_tables)

    def graded(self, won):
        """A win in words, and its grade if there is one."""
        return ("—", "") if won.units is None else (self.spell(won.units, signed=True), won.grade.value)

    def lacks(self, sitting):
        """What a session has not counted yet, and why it has no win, in words."""
        won = self.won(sitting)
        reasons = [*sitting.figures.why, won.reason if won.units is None else ""]
        return " ".join(dict.fromkeys(filter(None, reasons)))

    def cells(self, of, sittings):
        """The figures of some sessions of one table together: each as text, or empty if something in it is not counted,
        which the first cell says."""
        values = {name: (getattr(of, name), _several(name, len(sittings), 1)) for name, _ in _COLUMNS}
        wins = list(map(self.won, sittings))
        known = sum(1 for won in wins if won.units is not None)
        cells = self._cells(values, winning.together(wins), _of_sessions(known, len(wins)), sittings)
        missing = [cell for cell in cells if cell["text"] is None]
        if missing:
            missing[0]["says"] = True
        return [*cells, self._hold(of)]

    def added(self, lines):
        """The sums over the tables that have a figure."""
        lines, values = list(lines), {}
        for name, added in figures.sums([line.figures for line in lines]).items():
            sat = sum(len(line.sittings) for line in lines if getattr(line.figures, name) is not None)
            parts = _part(added.of, added.tables), _several(name, sat, added.of)
            values[name] = added.units if added.of else None, ", ".join(filter(None, parts))
        both = [line.figures for line in lines if None not in (line.figures.win, line.figures.drop)]
        sittings = [sitting for line in lines for sitting in line.sittings]
        cells = self._cells(values, *self.together(lines), sittings)
        return [*cells, self._hold(sum(both, figures.Figures()), _part(len(both), len(lines)))]

    def _cells(self, values, won, of, sittings):
        """A cell for each column: what was won with its grade, a variance over the sessions of which it is known.

        :param of: over how many tables or sessions the win is, if something is missing.
        """
        known = [sitting.figures.variance for sitting in sittings if sitting.figures.variance is not None]
        if known:
            values |= {"variance": (sum(known), _part(len(known), len(sittings)))}
        values |= {"win": (won.units, of)}
        cells = [self._cell(name, *values[name]) for name, _ in _COLUMNS]
        return [cell | {"grade": won.grade.value} if cell["name"] == "win" and cell["text"] else cell for cell in cells]

    def played(self, lines):
        """How many rounds there were, void ones apart, and what was staked in them."""
        return {
            "rounds": sum(line.rounds for line in lines),
            "voids": sum(line.voids for line in lines),
            "stakes": self.spell(sum(line.stakes for line in lines)),
        }

    def _cell(self, name, units, of=""):
        text = None if units is None else self.spell(units, signed=name in _SIGNED)
        return {"name": name, "text": text, "of": of if text else "", "grade": "", "says": False}

    def _hold(self, of, part=""):
        text = ""
        if of.hold is not None:
            whole, tenth = divmod(abs(of.hold), 10)
            text = f"{'−' if of.hold < 0 else ''}{whole}.{tenth}"
        return {"name": "hold", "text": text, "of": part if text else "", "grade": "", "says": False}


def _on_floor(staff, lines):
    """What the floor says that not fully counted sessions won, by id; only for tables whose floor the person reads."""
    open_tables = {line.table.pk for line in lines if line.figures.win is None}
    if not open_tables:
        return {}
    places = floor.now(access.extent(staff, Right.READ_FLOOR)).places
    return {number: won for place in places if place.id in open_tables for number, won in place.day.sessions}


def _lacking(form, line):
    """What a table has not counted yet, in words."""
    return " ".join(filter(None, map(form.lacks, line.sittings)))


def _part(of, whole):
    """Over how many of the tables a sum is, if one is missing."""
    return CONSOLE("part", count=of, whole=whole) if 0 < of < whole else ""


def _of_sessions(of, whole):
    """Over how many of the sessions a sum is, if one is missing."""
    return CONSOLE("part.sessions", count=of, whole=whole) if 0 < of < whole else ""


def _several(name, sat, tables):
    """How many openers or closers a sum has, if a table had several sessions: its chips are in it as often."""
    return CONSOLE(_SEVERAL[name], count=sat) if name in _SEVERAL and sat > tables else ""


def within_reach(staff):
    """The days, for whoever may read them; None for others."""
    return GamingDay.objects.select_related("closed_by", "closed_with") if staff.has_perm(Right.READ_DAY) else None


def to_come(reader, casino):
    """The moments at which the next gaming days begin, each with its words: a change may begin with one of them."""
    today = dates.business_date()
    begins = [
        gaming_day.begins(today + ahead * gaming_day.DAY, zone=casino.time_zone, starts=casino.day_starts_at)
        for ahead in range(1, AHEAD + 1)
    ]
    return [
        {"at": at.isoformat(), "words": CONSOLE("from_day", day=reader.day(at), time=reader.clock(at)[:5])}
        for at in begins
    ]


def listed(form):
    """The days beside one: those that are open, and the newest that are closed."""
    newest = list(GamingDay.objects.order_by("-date")[:LISTED])
    waiting = GamingDay.objects.running().exclude(pk__in=[day.pk for day in newest])
    return [
        {"id": day.pk, "name": str(day), "closed": day.status == GamingDay.Status.CLOSED}
        for day in [*newest, *waiting.order_by("-date")]
    ]


def shown(day, staff):
    """The form of a day."""
    lines = figures.of_day(day.date).lines
    form = Form(staff, lines)
    closed = day.status == GamingDay.Status.CLOSED
    left = [] if closed else days.obstacles(day)
    missing = sum(1 for line in lines if line.figures.why)
    return {
        "id": day.pk,
        "date": day.date,
        "name": str(day),
        "span": form.span(day.date),
        "closed": closed,
        "grade": "FINAL" if closed else "ESTIMATE",
        "why": _why(day, form, lines, missing),
        "facts": _facts(lines, form),
        "columns": [{"name": name, "label": label} for name, label in _COLUMNS],
        "pits": _pits(day, lines, form),
        "all": {"cells": form.added(lines), **form.played(lines)} if lines else None,
        "games": _games(lines, form),
        "obstacles": _obstacles(day, left, staff),
        "closes": not closed and not left and staff.has_perm(Right.CLOSE_DAY),
        "corrected": _corrections(form, Settlement.objects.filter(generation__gt=1, business_date=day.date)),
        "since": _since(day, form),
        "cage": _cage(day, form),
        "signed": _signed(day, form) if closed else None,
        "currency": form.casino.currency,
        "zone": form.casino.time_zone,
        "listed": listed(form),
    }


def _why(day, form, lines, missing):
    if day.status == GamingDay.Status.CLOSED:
        return CONSOLE("why.signed", time=form.moment(day.closed_at))
    return CONSOLE("why.missing", count=missing, whole=len(lines)) if missing else CONSOLE("why.unsigned")


def _facts(lines, form):
    """The figures of the house at the top of the form."""
    drop, (won, of) = figures.sums([line.figures for line in lines])["drop"], form.together(lines)
    facts = [
        (CONSOLE("win.part", part=of) if of else CONSOLE("win"), *form.graded(won)),
        ("Drop", form.spell(drop.units) if drop.of else "—", ""),
        ("Rounds", str(sum(line.rounds for line in lines)), ""),
        ("Staked", form.spell(sum(line.stakes for line in lines)), ""),
    ]
    return [{"label": label, "value": value, "grade": grade} for label, value, grade in facts]


def _pits(day, lines, form):
    """The tables by pit, each with its figures."""
    pits = {}
    for line in sorted(lines, key=lambda line: (line.table.pit.code, line.table.code)):
        pits.setdefault(line.table.pit.pk, (line.table.pit, []))[1].append(line)
    return [
        {
            "name": pit.name,
            "count": len(of_pit),
            "counted": sum(1 for line in of_pit if not line.figures.why),
            **form.played(of_pit),
            "cells": form.added(of_pit),
            "tables": [
                {
                    "name": line.table.name,
                    "to": reverse("day-table", args=[day.pk, line.table.pk]),
                    "cells": form.cells(line.figures, line.sittings),
                    "why": _lacking(form, line),
                    **form.played([line]),
                }
                for line in of_pit
            ],
        }
        for pit, of_pit in pits.values()
    ]


def _games(lines, form):
    """The figures by game, each summed over tables, as for a pit."""
    games = {}
    for line in lines:
        for sitting in line.sittings:
            of_game = games.setdefault(sitting.game, {})
            of_game.setdefault(line.table.pk, figures.Line(line.table, [])).sittings.append(sitting)
    return [
        {
            "name": ", ".join(registry.GAMES[name].name for name in game.split(", ")) if game else "No sheet",
            "cells": form.added(sat.values()),
            **form.played(sat.values()),
        }
        for game, sat in sorted(games.items())
    ]


def _obstacles(day, left, staff):
    """What keeps a day open: what the person may go to comes first, with the way there and its key."""
    rows, keys = [], iter("123456789")
    for obstacle in left:
        kind, _, number = obstacle.ref.partition(":")
        right, name, arguments = {
            "session": (Right.READ_SESSION, "session", [number]),
            "slip": (Right.READ_SLIPS, "slip", [number]),
            "drop_box": (Right.READ_DROP_BOXES, "drop_box", [number]),
            "tips": (Right.READ_TIPS, "tips-of-day", [day.pk]),
            "day": (Right.READ_DAY, "day", [number]),
            # Of rounds from paper, each obstacle leads to the form that lists them.
            "round": (Right.REPORT, "paper-round", [obstacle.table and obstacle.table.pk]),
            "series": (Right.REPORT, "paper-round", [obstacle.table and obstacle.table.pk]),
        }.get(kind, (Right.READ_CAGE, "cage", []))
        leads = staff.has_perm(right, obstacle.table) if obstacle.table else staff.has_perm(right)
        rows.append(
            {
                "words": obstacle.words,
                "to": reverse(name, args=arguments) if leads else None,
                "key": next(keys, "") if leads else "",
                "pit": "" if leads else obstacle.table.pit.name,
            }
        )
    return sorted(rows, key=lambda row: row["to"] is None)


def _corrections(form, settlements):
    """Corrections of settled rounds, with what each changed in what the house won and the day that it concerns."""
    rows, settlements = [], list(settlements.prefetch_related("transfers").order_by("pk"))
    keys = {int(settlement.round_key.partition(":")[2]) for settlement in settlements}
    rounds = {round_.ref: round_ for round_ in Round.objects.filter(pk__in=keys).select_related("table", "session")}
    for settlement in settlements:
        round_ = rounds[settlement.round_key]
        house = {round_.table.float_account_id, round_.table.rake_account_id}
        units = sum(
            transfer.units * ((transfer.debit_id in house) - (transfer.credit_id in house))
            for transfer in settlement.transfers.all()
        )
        rows.append(
            {
                "round": {"id": round_.pk, "name": str(round_)},
                "generation": settlement.generation,
                "table": round_.table.name,
                "at": form.moment(settlement.begun_at),
                "day": round_.session.business_date,
                "made": settlement.business_date,
                "amount": form.spell(units, signed=True),
            }
        )
    return rows


def _since(day, form):
    """What later days corrected in a day's rounds."""
    keys = [f"round:{number}" for number in Round.objects.filter(
        session__business_date=day.date, settlement__generation__gt=1).values_list("pk", flat=True)]  # fmt: skip
    later = Settlement.objects.filter(round_key__in=keys, generation__gt=1).exclude(business_date=day.date)
    return _corrections(form, later)


def _cage(day, form):
    """The shifts of the cage of a day."""
    return [
        {
            "id": shift.pk,
            "words": CONSOLE("times", start=form.moment(shift.opened_at), end=form.moment(shift.closed_at))
            if shift.closed_at
            else CONSOLE("shift.open", time=form.moment(shift.opened_at)),
            "variance": None if shift.variance_units is None else form.spell(shift.variance_units, signed=True),
        }
        for shift in CageShift.objects.filter(business_date=day.date)
    ]


def _signed(day, form):
    entry = Entry.objects.filter(subject=day.ref, event="day.closed").first()
    return {
        "people": [form.reader.person(person) for person in (day.closed_by, day.closed_with)],
        "at": form.moment(day.closed_at),
        "digest": " ".join(day.digest[at : at + 8] for at in range(0, 64, 8)),
        "seq": entry and entry.seq,
    }


def of_table(day, table, staff):
    """One table of a day: its sittings with their figures, and what each figure is made of; None if it had none."""
    line = figures.Line(table, figures.sittings(table.sessions.filter(business_date=day.date)))
    if not line.sittings:
        return None
    form = Form(staff, [line])
    reads = staff.has_perm(Right.READ_FLOOR, table)
    return {
        "id": day.pk,
        "name": str(day),
        "table": {"id": table.pk, "name": table.name, "pit": table.pit.name},
        "grade": line.figures.grade.value if day.status == GamingDay.Status.CLOSED else Grade.ESTIMATE.value,
        "why": _lacking(form, line),
        "counted": "all of it counted"
        if day.status == GamingDay.Status.CLOSED
        else "all of it counted, not signed yet",
        "currency": form.casino.currency,
        "columns": [{"name": name, "label": label} for name, label in _COLUMNS],
        "sittings": [
            {
                "id": sitting.session.pk,
                "words": _while(sitting.session, form),
                "cells": form.cells(sitting.figures, [sitting]),
                **form.played([sitting]),
                # The net of its rounds is shown only to a person who may read the floor.
                "to_rounds": reverse("session-rounds" if reads else "session", args=[sitting.session.pk]),
            }
            for sitting in line.sittings
        ],
        "cells": form.cells(line.figures, line.sittings),
        "played": form.played([line]),
        "parts": _parts(line, form),
    }


def _while(session, form):
    opened, closed = session.opened_at or session.begun_at, session.closed_at
    if closed:
        return CONSOLE("times", start=form.clock(opened), end=form.clock(closed))
    return CONSOLE("since", time=form.clock(opened))


def _parts(line, form):
    """The movements of each figure, in their order, each with a link to what it belongs to."""
    sessions = [sitting.session for sitting in line.sittings]
    names = {session.ref: CONSOLE("session", session=session.pk) for session in sessions}
    names |= {part.ref: str(part) for model in (Slip, DropBox) for part in model.objects.filter(session__in=sessions)}
    moved = Transfer.objects.filter(movement__subject__in=names).annotate(
        at=F("movement__begun_at"), subject=F("movement__subject")
    )
    moved = list(moved.select_related("debit", "credit").order_by("pk"))
    parts = []
    for label, kinds in _MADE_OF.items():
        rows = [_moved(transfer, names, form) for transfer in moved if transfer.reason in kinds and _counts(transfer)]
        if rows:
            parts.append({"label": label, "rows": rows})
    return parts


def _counts(transfer):
    """Whether a variance is the table's: an opener's is the cage's, and the rake has one of its own."""
    theirs = {Account.Kind.FLOAT, Account.Kind.DROP_BOX}
    return transfer.reason != Movement.Kind.VARIANCE or theirs & {transfer.debit.kind, transfer.credit.kind}


def _moved(transfer, names, form):
    kind, _, number = transfer.subject.partition(":")
    less = transfer.reason == Movement.Kind.CREDIT_RETURNED or transfer.debit.kind == Account.Kind.VARIANCE
    return {
        "at": form.clock(transfer.at),
        "what": names[transfer.subject],
        "to": reverse(_WAYS[kind], args=[number]),
        "amount": form.spell(-transfer.units if less else transfer.units, signed=less),
    }
