"""Disputes as primitives for the templates: the sheet that raises one, how one stands, and the queue."""

import json

from casino.games import registry
from casino.models import Casino
from casino.money import spell
from casino.roles import Right

from ..models import Case, Dispute
from ..people import access
from ..verbs.disputes import ABOUT, MAX_STATEMENT, dealt_by
from .console import CONSOLE
from .wording import WORDING

_ABOUT = {
    "announcement": "about.announcement",
    "payment": "about.payment",
    "ranking": "about.ranking",
    "pot": "about.pot",
    "illegal play": "about.illegal_play",
    "other": "about.other",
}
_WITHIN = {
    "announcement": "about.within.announcement",
    "payment": "about.within.payment",
    "ranking": "about.within.ranking",
    "pot": "about.within.pot",
    "illegal play": "about.within.illegal_play",
    "other": "about.within.other",
}
_RULED = {Dispute.Ruling.UPHELD: "ruled.upheld", Dispute.Ruling.REFUSED: "ruled.refused"}
_STATES = {Dispute.Ruling.UPHELD: "dispute.upheld", Dispute.Ruling.REFUSED: "dispute.refused"}
_UNTIL_HANDED_OVER = {Dispute.Ruling.UPHELD: "dispute.upheld:due", Dispute.Ruling.REFUSED: "dispute.refused:due"}


def sheet(game, view):
    """What the sheet asks with which a round is contested."""
    return {
        "about": [{"value": word, "label": WORDING(_ABOUT[word])} for word in ABOUT],
        "chapters": chapters(game),
        "boxes": [box.number for box in view.boxes],
        "most": MAX_STATEMENT,
    }


def chapters(game, first=()):
    """The game's clauses under the headings of its rules, then those of the house.

    :param first: clauses that come before all others, since the round names them.
    """
    named, heading = {}, ""
    groups = {WORDING("chapter.named"): named}
    every_game = WORDING("chapter.every_game")
    for clause, text in game.clauses.items():
        heading = game.chapters.get(clause, every_game if clause.startswith("house.") else heading)
        (named if clause in first else groups.setdefault(heading, {}))[clause] = text
    return [
        {"label": label, "clauses": [{"value": clause, "text": text} for clause, text in group.items()]}
        for label, group in groups.items()
        if group
    ]


def notes(round_, reader, *, leads):
    """The round's disputes in a line each; the statement and the ruling are on a page for those who read the floor."""
    return [
        {
            "id": dispute.pk if leads else None,
            "name": name(dispute),
            "about": _about_where(dispute),
            "open": dispute.status == Dispute.Status.OPEN,
            "ruled": _ruled(dispute),
            "at": reader.exact(dispute.raised_at),
        }
        for dispute in round_.disputes.all()
    ]


def _about_where(dispute):
    boxes = ", ".join(map(str, dispute.boxes))
    if not boxes:
        return within(dispute)
    several = len(dispute.boxes) > 1
    return WORDING("disputed:boxes" if several else "disputed", about=within(dispute), boxes=boxes)


def _ruled(dispute):
    return WORDING(_RULED[dispute.ruling], clause=dispute.clause) if dispute.ruling else ""


def name(dispute):
    return WORDING("dispute", number=dispute.pk)


def within(dispute):
    """What a dispute is about, within a sentence: in a word, or by a clause."""
    return WORDING(_WITHIN[dispute.about]) if dispute.about in _WITHIN else dispute.about


def queue(staff, reader):
    """The disputes that wait, the oldest first: for a ruling or, once ruled on, for the table to hand over."""
    waiting = Dispute.objects.exclude(status=Dispute.Status.CLOSED)
    waiting = waiting.filter(round__table__in=access.tables(staff, Right.READ_FLOOR))
    waiting = waiting.select_related("round__table__pit", "round__sheet", "raised_by").order_by("raised_at", "pk")
    cases = of_disputes(waiting.order_by().values_list("pk", flat=True))
    dealt = set(dealt_by(staff).filter(disputes__in=waiting.order_by()).values_list("pk", flat=True))
    rows = [
        {
            "id": dispute.pk,
            "name": str(dispute),
            "case": str(cases.get(dispute.ref, "")),
            "due": _due(cases.get(dispute.ref), reader),
            "round": str(dispute.round),
            "table": dispute.round.table.name,
            "pit": dispute.round.table.pit.name,
            "game": registry.GAMES[dispute.round.sheet.game].name,
            "about": about(dispute),
            "boxes": boxes(dispute),
            "by": reader.person(dispute.raised_by),
            "at": reader.exact(dispute.raised_at),
            "status": dispute.status,
            "state": state(dispute),
            "dealt": dispute.round_id in dealt,
        }
        for dispute in waiting
    ]
    return {
        "open": [row for row in rows if row["status"] == Dispute.Status.OPEN],
        "ruled": [row for row in rows if row["status"] == Dispute.Status.RULED],
    }


def of_disputes(numbers):
    """The cases of disputes, by the disputes' names; disputes from before there were cases have none."""
    subjects = [f"dispute:{number}" for number in numbers]
    return {case.subject: case for case in Case.objects.filter(subject__in=subjects)}


def _due(case, reader):
    """Until when a dispute that waits has to be ruled on."""
    return reader.exact(case.due_at) if case and case.status == Case.Status.OPEN else ""


def stake(dispute):
    """What was staked at the boxes of a dispute, in all of them if it names none: by the round's newest line, with the
    currency."""
    line = dispute.round.lines.last()
    if line:
        staked = [(each["box"], each["units"]) for each in json.loads(line.wagers)]
    else:
        staked = list(dispute.round.wagers.values_list("box", "units"))
    units = sum(units for box, units in staked if not dispute.boxes or box in dispute.boxes)
    casino = Casino.objects.get()
    return f"{spell(units, casino.currency_decimals)} {casino.currency}"


def about(dispute):
    """The clause that a dispute is about, or what it is about in a word."""
    return WORDING(_ABOUT[dispute.about]) if dispute.about in _ABOUT else dispute.about


def boxes(dispute):
    if not dispute.boxes:
        return CONSOLE("claimed:all")
    one = len(dispute.boxes) == 1
    return CONSOLE("claimed:one" if one else "claimed", boxes=", ".join(map(str, dispute.boxes)))


def state(dispute):
    if dispute.status == Dispute.Status.OPEN:
        return CONSOLE("dispute.open")
    is_over = dispute.status == Dispute.Status.CLOSED
    return CONSOLE(_STATES[dispute.ruling] if is_over else _UNTIL_HANDED_OVER[dispute.ruling])
