"""The auditor's search of the log: from the fields of a form to a search by references, or to what is unclear."""

import datetime as dt
import re

from audit import history, log
from audit.models import Entry
from casino.gaming_day import begins
from casino.models import Casino, Staff

from ..models import Table
from ..words import names
from .entries import rows, when
from .wording import WORDING

# More rounds than these are searched by their table and day.
MOST_ROUNDS = 50
HEADS = ("Time", "Entry", "What", "About", "By", "Terminal")
_REFERENCE = re.compile(r"[a-z_]+(:[A-Za-z0-9_.-]{1,40}){1,3}")
_STAFF = re.compile(r"(?:staff:)?([0-9]{1,9})")
# The time of a bad entry is left out if it is not a time.
_BEFORE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{15}Z)?_([0-9]{1,18})")


class Unclear(ValueError):  # noqa: N818 - what it says is shown beside the field
    """What somebody entered can't be searched for; the message says why and what can."""


def search(query):
    """The page of a search, and the search as it is logged: None if a field is unclear and nothing was read.

    :param query: the address's parameters.
    """
    fields = {name: query.get(name, "").strip()[:80] for name in ("from", "to", "table", "staff", "event", "subject")}
    problems, wanted = _read(fields)
    page = {"fields": fields, "problems": problems, "tables": chains(), "events": _event_choices(), "heads": HEADS}
    if problems:
        return page, None
    before = _before(query.get("before", ""))
    matches = history.find(wanted, before=before)
    facts = wanted.facts() | ({"before": _place(before).partition("_")[0] or "a bad entry"} if before else {})
    return page | {
        "rows": rows(matches.entries),
        "older": matches.older and _place(matches.older),
        # A page that is not full ended because of what was looked at, not of what was found.
        "looked_until": when(matches.older.at) if matches.older and len(matches.entries) < history.PAGE else "",
        "newest": not before,
        "asked": any(fields.values()),
    }, facts


def chains():
    """The chains that a search may choose: the house and the tables, as (key, word)."""
    tables = Table.objects.order_by("code")
    return [(log.HOUSE, "The house"), *((table.ref, f"{table.code}, {table.name}") for table in tables)]


def days(first, last):
    """Two gaming days as instants: from the beginning of the first to the end of the last; None if one is not given.

    :raises Unclear: if one is not a date, or the last lies before the first.
    """
    casino = Casino.objects.get()
    first, last = (text and _date(text) for text in (first, last))
    if first and last and last < first:
        raise Unclear(WORDING("dates_reversed", first=first, last=last))

    def begin(day):
        return begins(day, zone=casino.time_zone, starts=casino.day_starts_at)

    return begin(first) if first else None, begin(last + dt.timedelta(days=1)) if last else None


def _read(fields):
    """The problems, by field, and the search."""
    problems, values = {}, {}

    def read(name, reader):
        try:
            values[name] = reader(fields[name]) if fields[name] else None
        except Unclear as error:
            problems[name] = str(error)

    read("from", lambda text: log.spell_time(days(text, "")[0]))
    read("to", lambda text: log.spell_time(days("", text)[1]))
    if not problems and values["from"] and values["to"]:
        read("to", lambda text: log.spell_time(days(fields["from"], text)[1]))
    read("table", _chain)
    read("staff", _staff)
    read("event", _events)
    read("subject", _subjects)
    if problems:
        return problems, None
    return {}, history.Search(
        from_at=values["from"] or "",
        to_at=values["to"] or "",
        chain=values["table"] or "",
        staff=values["staff"] or "",
        events=values["event"] or (),
        subjects=values["subject"] or (),
    )


def _date(text):
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        raise Unclear(WORDING("no_date", text=text)) from None
    if not 2000 <= day.year <= 2999:
        raise Unclear(WORDING("year_empty", year=day.year))
    return day


def _chain(key):
    if key not in dict(chains()):
        raise Unclear(WORDING("no_table", key=key))
    return key


def _staff(text):
    """The reference of the one person meant, or `system`."""
    if text.lower() == log.SYSTEM.ref:
        return log.SYSTEM.ref
    if number := _STAFF.fullmatch(text):
        people = list(Staff.objects.filter(pk=number[1]))
    else:
        people = list(Staff.objects.filter(login=text.lower())) or list(Staff.objects.filter(name__icontains=text)[:6])
    if not people:
        raise Unclear(WORDING("nobody", text=text))
    if len(people) > 1:
        raise Unclear(WORDING("several_people", people=_listed(people[:5])))
    return people[0].ref


def _listed(people):
    """People by number and name."""
    return "; ".join(f"{person.pk}, {person.name}" for person in people)


def _events(name):
    groups = dict(history.groups())
    if name not in groups and name not in history.WORDS:
        raise Unclear(WORDING("no_event", name=name))
    return tuple(groups.get(name, [name]))


def _subjects(text):
    if _REFERENCE.fullmatch(text):
        return (text,)
    rounds = names.find(text)
    if rounds is None:
        raise Unclear(WORDING("about_nothing", text=text))
    keys = list(rounds.values_list("pk", flat=True)[: MOST_ROUNDS + 1])
    if not keys:
        raise Unclear(WORDING("no_round", text=text))
    if len(keys) > MOST_ROUNDS:
        raise Unclear(WORDING("rounds_too_many", most=MOST_ROUNDS, text=text))
    return tuple(f"round:{key}" for key in keys)


def _event_choices():
    return [
        {"group": group, "word": group.capitalize(), "events": [(event, history.WORDS[event]) for event in events]}
        for group, events in history.groups()
    ]


def _place(place):
    spelled = f"{place.at}_{place.pk}"
    return spelled if _BEFORE.fullmatch(spelled) else f"_{place.pk}"


def _before(text):
    place = _BEFORE.fullmatch(text)
    if place is None:
        return None
    at = place[1] or Entry.objects.filter(pk=place[2]).values_list("at", flat=True).first()
    return at and history.Place(at, int(place[2]))
