"""A figure opened up: its sum, term by term, and links to what was played and written.

It stands below its row, and the address alone (`#why-3-win`) shows it, without a script.
"""

from django.db.models import Count
from django.urls import reverse

from audit.models import Entry
from casino.models import Casino
from casino.roles import Right

from ..models import Round
from ..words import luck
from . import catalogue, queries
from .columns import Kind

ROUNDS = "hand-history"


def of(screen, column, values, key, whose, ways=()):
    """A figure of a row with its terms; None if it has none, or one of them is missing.

    :param values: by the names of columns; `key` tells its row from others, `whose` says whose figure it is.
    """
    terms = [(sign, screen.column(name)) for sign, name in column.terms]
    if not terms or any(values[each.name] is None for _, each in terms) or values[column.name] is None:
        return None
    return {
        "id": f"why-{key}-{column.name}",
        "label": f"{column.label}, {whose}",
        "text": screen.text(column, values[column.name]),
        "terms": [
            {"sign": sign, "label": each.label, "text": screen.text(each, values[each.name])} for sign, each in terms
        ],
        "ways": list(ways),
    }


def of_luck(screen, column, values, key, whose, period):
    """How far rounds are off what was expected, with its terms and its band; None for any other column of luck, and if
    nothing varied. It leads to the page of luck: its table's, or that of all."""
    known = values.get(f"{column.luck}luck")
    if column.kind != Kind.DEVIATION or values[column.name] is None:
        return None
    named = {name: screen.column(f"{column.luck}{name}") for name in ("won", "expected", "band")}
    terms = [
        ("(", named["won"].label, screen.text(named["won"], known.win_units)),
        ("−", named["expected"].label, f"{screen.spell(round(known.expected_units))} )"),
        ("÷", "Standard deviation", screen.spell(luck.spread(known))),
        ("", named["band"].label, screen.text(named["band"], values[named["band"].name])),
    ]
    table = values.get("table_id")
    to = reverse("luck-table", args=[table]) if table else reverse("luck")
    return {
        "id": f"why-{key}-{column.name}",
        "label": f"{column.label}, {whose}",
        "text": screen.text(column, values[column.name]),
        "terms": [{"sign": sign, "label": label, "text": text} for sign, label, text in terms],
        "ways": [{"label": "Luck told apart", "to": f"{to}?period={period}"}],
    }


def ways(rows, period, staff):
    """Where the figures of tables on one day lead, by table: to their rounds and entries of the log, each with how many
    there are. For several days, nothing is counted or linked."""
    tables = {row["table_id"]: row["table"] for row in rows if row.get("table_id")}
    if period.days > 1 or not tables:
        return {}
    leads = {number: [] for number in tables}
    if ROUNDS not in catalogue.hidden(staff):
        rounds = Round.objects.filter(session__business_date=period.first, table__in=tables).order_by()
        many = dict(rounds.values_list("table").annotate(Count("pk")))
        for number, code in tables.items():
            to = f"{reverse('report', args=[ROUNDS, period])}?table={code}"
            leads[number].append(_way(many.get(number, 0), "round", "rounds", to))
    if staff.has_perm(Right.READ_LOG):
        begins, ends = queries.moments(period, Casino.objects.get())
        chains = {f"table:{number}": number for number in tables}
        entries = Entry.objects.filter(chain__in=chains, at__gte=begins, at__lt=ends).order_by()
        many = dict(entries.values_list("chain").annotate(Count("pk")))
        day, log = period.first.isoformat(), reverse("admin:audit_entry_changelist")
        for chain, number in chains.items():
            to = f"{log}?from={day}&to={day}&table={chain}"
            leads[number].append(_way(many.get(chain, 0), "entry", "entries", to))
    return leads


def _way(many, one, several, to):
    return {"label": f"{many} {one if many == 1 else several}", "to": to}
