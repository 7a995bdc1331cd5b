"""Chips that people count: what is a valid count, and two people who count the same, the second blind to the first."""

from audit import log
from payouts.models import MOST_UNITS

from ..models import Count
from . import grounds
from .wording import WORDING

# At most this many chips of one value: no float has more.
MOST_CHIPS = 100_000
_UNKNOWN = {"chip": "chip_unknown", "cash": "cash_unknown"}


def checked(table, denominations, name="denominations", *, piece="chip", most=MOST_UNITS):
    """The chips that are there, by value as text, the smallest first; only those of the table's set.

    :param denominations: chip value in units to the number of chips; what is not named is not there.
    :param piece: what is counted, `chip` or `cash`.
    :param most: the most that all of them may come to, in units; by default, what one transfer may move.
    :raises Refused: `chip_unknown` or `cash_unknown`, `count_wrong` (422), with the path below `name`.
    """
    values = {str(value): value for value in table.chip_set.denominations}
    counts = {str(value): count for value, count in denominations.items()}
    for value, count in counts.items():
        path = f"{name}.{value}"
        if value not in values:
            raise WORDING.refused(_UNKNOWN[piece], path=path, value=value, values=", ".join(values))
        if type(count) is not int or not 0 <= count <= MOST_CHIPS:
            raise WORDING.refused("count_wrong", path=path, value=grounds.spelled(int(value)), most=MOST_CHIPS)
    units = worth(counts)
    if units > most:
        raise WORDING.refused("count_wrong:worth", path=name, units=grounds.spelled(units), most=grounds.spelled(most))
    return {value: counts[value] for value in values if counts.get(value)}


def adds_up(table, units):
    """Refuse an amount that the table's chips can't add up to, or that is more than one transfer may move.

    :raises Refused: `amount_wrong` (422).
    """
    smallest = table.chip_set.denominations[0]
    if not 0 < units <= MOST_UNITS or units % smallest:
        raise WORDING.refused(
            "amount_wrong:in_chips",
            table=table,
            units=grounds.spelled(units),
            smallest=grounds.spelled(smallest),
            most=grounds.spelled(MOST_UNITS),
        )


def worth(counted):
    """What chips come to, in units."""
    return sum(int(value) * count for value, count in counted.items())


def last(of, part, since=1):
    """The counts of the last attempt: none, the first person's, or both.

    :param since: the first attempt to look at.
    """
    counts = Count.objects.filter(of=of, part=part, attempt__gte=since)
    counts = list(counts.select_related("by", "terminal").order_by("attempt", "place"))
    return [count for count in counts if count.attempt == counts[-1].attempt]


def enter(*, of, part, table, denominations, actor, since=1, rake=None, piece="chip", most=MOST_UNITS):
    """Write what one person counted, as the second count if a first one waits for it. The caller holds what is counted.

    :param of: what is counted, as the log names it.
    :param since: the first attempt that matters; earlier counts don't.
    :param rake: the chips of the rake slot, if they are counted too; written before the others.
    :returns: the counts of this attempt, one or two.
    :raises Refused: `counted_already` for the person who counted first; what `checked` refuses.
    """
    before = last(of, part, since)
    waits = len(before) == 1
    if waits and before[0].by_id == actor.by.pk:
        raise WORDING.refused("counted_already")
    parts = {part: checked(table, denominations, piece=piece, most=most)}
    if rake is not None:
        parts = {Count.Part.RAKE: checked(table, rake, "rake")} | parts
    for name, counted in parts.items():
        count = Count.objects.create(
            of=of,
            part=name,
            attempt=before[0].attempt + (not waits) if before else since,
            place=2 if waits else 1,
            by=actor.by,
            terminal=actor.terminal,
            denominations=counted,
            units=worth(counted),
        )
        facts = _facts(count) | {"place": count.place}
        log.record("count.entered", count.ref, chain=table.ref, actor=actor, facts=facts)
    return [*before, count] if waits else [count]


def record_agreed(count, *, table, signers, actor, **more):
    """Log which count stands, and who signed for it; `more` are further facts."""
    facts = _facts(count) | {"signers": [person.ref for person in signers]} | more
    log.record("count.agreed", count.of, chain=table.ref, actor=actor, facts=facts)


def _facts(count):
    names = ("of", "part", "attempt", "denominations", "units")
    return {name: getattr(count, name) for name in names}


def agreed(counts):
    """Whether both have counted, with the same result."""
    return len(counts) == 2 and counts[0].denominations == counts[1].denominations
