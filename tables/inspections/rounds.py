"""Rounds inspected: the round, its actions, lines, interventions, disputes and what lies on the table, each against the
round's entries. `settlements.py` inspects what was settled."""

from collections import defaultdict
from typing import Any, NamedTuple

from django.db import connection

from audit import log
from audit.comparing import Apart, WrongRowError, differences, matched, one_by_one, readings, surplus
from casino.games import registry
from casino.games.game import Action as GameAction
from casino.games.sentences import fill

from ..models import Action, Box, Dispute, Hand, Intervention, Line, Round, RuleSheet, TerminalName, Wager
from ..verbs import fold, rulesheets
from . import settlements
from .wording import WORDING

KINDS = {
    "round.held": Intervention.Kind.HELD,
    "round.released": Intervention.Kind.RELEASED,
    "round.voided": Intervention.Kind.VOIDED,
    "round.corrected": Intervention.Kind.CORRECTED,
}
# What lies on the table is compared with what the present actions come to.
PLAYED = "the actions come to"
# Without the salts: see `sql/inspections.sql`.
OF_INTERVENTION = (
    "pk", "round_id", "ordinal", "kind", "clause", "box", "line_id", "by_id", "approved_by_id", "terminal_id", "at",
)  # fmt: skip
OF_DISPUTE = (
    "pk", "round_id", "status", "about", "boxes", "raised_by_id", "terminal_id", "raised_at", "ruling", "clause",
    "line_id", "ruled_by_id", "approved_by_id", "ruled_at", "closed_at",
)  # fmt: skip


class Rows(NamedTuple):
    """All rows of some rounds, by the rounds' ids."""

    actions: dict[int, list[Any]]
    lines: dict[int, list[Any]]
    interventions: dict[int, list[Any]]
    disputes: dict[int, list[Any]]
    layout: dict[int, dict[str, list[Any]]]
    terminals: dict[str, str]
    sheets: dict[int, Any]
    settled: settlements.Rows

    @classmethod
    def of(cls, rounds):
        pks = [each.pk for each in rounds]
        layout = {pk: {"box": [], "hand": [], "wager": []} for pk in pks}
        columns = {
            "box": (Box, ("number", "state")),
            "hand": (Hand, ("box", "kind", "cards")),
            "wager": (Wager, ("ordinal", "box", "kind", "units")),
        }
        for name, (model, wanted) in columns.items():
            for pk, *values in model.objects.filter(round__in=pks).values_list("round_id", *wanted):
                layout[pk][name].append(dict(zip(wanted, values, strict=True)))
        return cls(
            _grouped(Action.objects.filter(round__in=pks).order_by("ordinal")),
            _grouped(Line.objects.filter(round__in=pks).order_by("ordinal")),
            _of_rows(Intervention, OF_INTERVENTION, pks, "intervention_digests", "ordinal"),
            _of_rows(Dispute, OF_DISPUTE, pks, "dispute_digests", "pk"),
            layout,
            terminal_names(),
            {
                sheet.pk: sheet
                for sheet in RuleSheet.objects.defer("salt").filter(pk__in={each.sheet_id for each in rounds})
            },
            settlements.Rows.of(rounds),
        )


def _grouped(rows):
    grouped = defaultdict(list)
    for row in rows:
        grouped[row.round_id].append(row)
    return grouped


_DIGESTS = {
    "intervention_digests": "SELECT id, NULL, reason FROM intervention_digests(%s)",
    "dispute_digests": "SELECT id, statement, reason FROM dispute_digests(%s)",
}


def _of_rows(model, columns, pks, function, order):
    rows = list(model.objects.filter(round__in=pks).order_by(order).values(*columns))
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(_DIGESTS[function], [[row["pk"] for row in rows]])
            digests = {pk: digests for pk, *digests in cursor.fetchall()}
        for row in rows:
            row["statement"], row["reason"] = digests[row["pk"]]
    grouped = defaultdict(list)
    for row in rows:
        grouped[row["round_id"]].append(row)
    return grouped


def look(after, upto, state):
    """Look at the rounds after one number up to another, with everything that belongs to them."""
    rounds = Round.objects.filter(pk__gt=after, pk__lte=upto).select_related("session").order_by("pk")
    # Who inspects reads no salts.
    rounds = list(rounds.defer("session__opener_salt", "session__closer_salt"))
    if not rounds:
        return 0, []
    rows, said = Rows.of(rounds), readings(each.ref for each in rounds)
    pairs = [(each.ref, each) for each in rounds]
    return len(rounds), list(one_by_one(pairs, lambda ref, round_: _covered(round_, _round(round_, said[ref], rows))))


def _covered(round_, named):
    """Name no value of a round that is still being played: cards may lie face down."""
    for each in named:
        covered = round_.status == Round.Status.OPEN
        yield each._replace(sentence=WORDING("covered")) if covered else each


class Telling(NamedTuple):
    """What the entries of a round come to."""

    opened: Any
    closed: Any
    settled: list[Any]
    voided: Any
    held: Any
    acted: list[Any]
    lines: list[Any]


def _telling(said):
    of = defaultdict(list)
    held = None
    for each in said:
        of[each.event].append(each)
        if each.event == "round.held":
            held = each
        elif each.event in {"round.released", "round.voided"}:
            held = None
    first = {name: next(iter(of[name]), None) for name in ("round.opened", "round.closed", "round.voided")}
    lines = sorted([*of["round.closed"], *of["round.corrected"]], key=lambda each: each.seq)
    return Telling(
        first["round.opened"], first["round.closed"], of["round.settled"], first["round.voided"], held,
        of["round.acted"], lines,
    )  # fmt: skip


def _round(round_, said, rows):
    telling = _telling(said)
    if telling.opened is None:
        yield surplus(round_.ref, "tables_round", "The round")
        return
    pk, ref = round_.pk, round_.ref
    sheet = rows.sheets[round_.sheet_id]
    yield from differences(ref, "tables_round", "", *_of_round(round_, telling, sheet, rows))
    carry = telling.opened.facts.get("carry")
    yield from matched(ref, "tables_action", "Action", *_actions(telling, rows.actions[pk], rows.terminals), str)
    yield from matched(ref, "tables_line", "Line", *_lines(telling, rows.lines[pk], carry), str)
    numbers = {line.pk: line.ordinal for line in rows.lines[pk]}
    yield from matched(
        ref,
        "tables_intervention",
        "Intervention",
        *_interventions(said, rows.interventions[pk], numbers, rows.terminals),
        str,
    )
    yield from matched(
        ref, "tables_dispute", "Dispute", *_disputes(said, rows.disputes[pk], numbers, rows.terminals), str
    )
    yield from settlements.differ(round_, said, telling.lines, rows.settled)
    yield from _layout(round_, sheet, rows)


def terminal_names():
    """Each name that a terminal has or had, by which entries name it, with the terminal's reference."""
    return {name: terminal(number) for name, number in TerminalName.objects.values_list("name", "terminal_id")}


def terminal(number):
    """The reference of a terminal, None for none."""
    return number and f"terminal:{number}"


def person(pk):
    """The log's name for a person, None for nobody."""
    return None if pk is None else f"staff:{pk}"


def _of_round(round_, telling, sheet, rows):
    opened = telling.opened
    status = "VOIDED" if telling.voided else "SETTLED" if telling.settled else "CLOSED" if telling.closed else "OPEN"
    newest = max((each.facts["generation"] for each in telling.settled), default=None)
    settlement = rows.settled.keys.get(round_.settlement_id, round_.settlement_id)
    expected = {
        "table_id": opened.chain,
        "session_id": opened.facts["session"],
        "series_id": opened.facts.get("series"),
        "sheet_id": opened.facts["sheet"],
        "number": opened.facts["number"],
        "status": status,
        "seats": opened.facts.get("seats", []),
        "carry": opened.facts.get("carry"),
        "held_at": telling.held and Apart(telling.held.at),
        "opened_at": Apart(opened.at),
        "opened_by_id": opened.by,
        "happened_at": opened.facts.get("happened_at"),
        "paper": opened.facts.get("slip"),
        "opened_with_id": opened.facts.get("approver"),
        "closed_at": telling.closed and Apart(telling.closed.at),
        "settled_at": Apart(telling.settled[0].at) if telling.settled else None,
        "settlement_id": f"{round_.ref}:{newest}" if newest else None,
    }
    return expected, {
        "table_id": f"table:{round_.table_id}",
        "session_id": f"session:{round_.session_id}",
        "series_id": None if round_.series_id is None else f"series:{round_.series_id}",
        "sheet_id": sheet.digest,
        "number": round_.number,
        "status": round_.status,
        "seats": round_.seats,
        "carry": round_.carry,
        "held_at": round_.held_at,
        "opened_at": round_.opened_at,
        "opened_by_id": person(round_.opened_by_id),
        "happened_at": round_.happened_at and log.spell_time(round_.happened_at),
        "paper": round_.paper,
        "opened_with_id": person(round_.opened_with_id),
        "closed_at": round_.closed_at,
        "settled_at": round_.settled_at,
        "settlement_id": settlement,
    }


def _played(round_, sheet, actions):
    """The first and the last view of a round, by its actions.

    :raises WrongRowError: if an action does not follow, or undoes a later one.
    """
    # A cycle of amendments, which the database refuses and the fold does not expect, would never end.
    if any(action.undoes is not None and action.undoes >= action.ordinal for action in actions):
        raise WrongRowError("an action undoes a later one")
    game = registry.GAMES[sheet.game]
    state = game.start(rulesheets.checked(sheet), tuple(round_.seats), round_.carry)
    first = game.view(state)
    for action in fold.counting(actions):
        after = game.act(state, GameAction(action.kind, action.box, action.arguments))
        if isinstance(after, fold.Refusal):
            # No value of a round that is still being played is named.
            if round_.status == Round.Status.OPEN:
                raise WrongRowError(WORDING("unplayable", action=action.ordinal))
            why = fill(after.message, after.values).rstrip(".")
            raise WrongRowError(WORDING("unplayable:why", action=action.ordinal, why=why))
        state = after
    return first, game.view(state)


def _actions(telling, actions, terminals):
    expected = {}
    for each in telling.acted:
        facts = each.facts
        arguments = dict(facts["arguments"])
        expected[facts["ordinal"]] = {
            "box": arguments.pop("box", None),
            "arguments": arguments,
            "phase": facts["phase"],
            "kind": facts["kind"],
            "undoes": facts.get("undoes"),
            "by_id": each.by,
            "approved_by_id": facts.get("approver"),
            "terminal_id": terminals.get(each.terminal, each.terminal),
            "at": Apart(each.at),
        }
    return expected, {
        action.ordinal: {
            "box": action.box,
            "arguments": action.arguments,
            "phase": action.phase,
            "kind": action.kind,
            "undoes": action.undoes,
            "by_id": person(action.by_id),
            "approved_by_id": person(action.approved_by_id),
            "terminal_id": terminal(action.terminal_id),
            "at": action.at,
        }
        for action in actions
    }


def _lines(telling, lines, carry):
    expected, wagers, handed = {}, None, telling.closed and telling.closed.facts.get("handed")
    for ordinal, each in enumerate(telling.lines, 1):
        corrected = each.event == "round.corrected"
        wagers = each.facts.get("wagers", wagers)
        expected[ordinal] = {
            "text": log.canonical(each.facts["round"]),
            "wagers": log.canonical(wagers),
            "carry": each.facts.get("carry") if corrected else carry,
            "handed": handed,
            "by_id": each.by,
            "approved_by_id": each.facts["approver"] if corrected else None,
            "at": Apart(each.at),
        }
    return expected, {
        line.ordinal: {
            "text": line.text,
            "wagers": line.wagers,
            "carry": line.carry,
            "handed": line.handed,
            "by_id": person(line.by_id),
            "approved_by_id": person(line.approved_by_id),
            "at": line.at,
        }
        for line in lines
    }


def _interventions(said, interventions, numbers, terminals):
    expected, lines = {}, 0
    for each in said:
        lines += each.event in {"round.closed", "round.corrected"}
        reported = each.event == "dispute.raised" and "dispute" not in each.facts
        if each.event not in KINDS and not reported:
            continue
        expected[len(expected) + 1] = {
            "kind": Intervention.Kind.REPORTED if reported else KINDS[each.event],
            "clause": each.facts.get("clause"),
            "box": each.facts.get("box"),
            "reason": each.facts.get("reason"),
            "line_id": lines if each.event == "round.corrected" else None,
            "by_id": None if each.by == log.SYSTEM.ref else each.by,
            "approved_by_id": each.facts.get("approver"),
            "terminal_id": terminals.get(each.terminal, each.terminal),
            "at": Apart(each.at),
        }
    return expected, {
        row["ordinal"]: {
            "kind": row["kind"],
            "clause": row["clause"],
            "box": row["box"],
            "reason": row["reason"],
            "line_id": numbers.get(row["line_id"], row["line_id"]),
            "by_id": person(row["by_id"]),
            "approved_by_id": person(row["approved_by_id"]),
            "terminal_id": terminal(row["terminal_id"]),
            "at": row["at"],
        }
        for row in interventions
    }


def _disputes(said, disputes, numbers, terminals):
    expected = {}
    for each in said:
        ref = each.facts.get("dispute")
        if each.event == "dispute.raised" and ref:
            expected[ref] = {
                "status": "OPEN",
                "about": each.facts["clause"],
                "boxes": each.facts["boxes"],
                "statement": each.facts["reason"],
                "raised_by_id": each.by,
                "terminal_id": terminals.get(each.terminal, each.terminal),
                "raised_at": Apart(each.at),
            } | dict.fromkeys(
                ("ruling", "clause", "reason", "line_id", "ruled_by_id", "approved_by_id", "ruled_at", "closed_at")
            )
        elif each.event == "dispute.ruled":
            facts = each.facts
            expected[ref] |= {
                "status": "RULED",
                "ruling": facts["ruling"],
                "clause": facts["clause"],
                "reason": facts["reason"],
                "line_id": facts.get("line"),
                "ruled_by_id": each.by,
                "approved_by_id": facts.get("approver"),
                "ruled_at": Apart(each.at),
            }
        elif each.event == "dispute.closed":
            expected[ref] |= {"status": "CLOSED", "closed_at": Apart(each.at)}
    return expected, {
        f"dispute:{row['pk']}": row
        | {
            "line_id": numbers.get(row["line_id"], row["line_id"]),
            "raised_by_id": person(row["raised_by_id"]),
            "ruled_by_id": person(row["ruled_by_id"]),
            "approved_by_id": person(row["approved_by_id"]),
            "terminal_id": terminal(row["terminal_id"]),
        }
        for row in disputes
    }


def _layout(round_, sheet, rows):
    """The phase and what lies on the table, as the last state says. Rows are written when they change: whatever is
    still as at the start may be missing."""
    views = _played(round_, sheet, rows.actions[round_.pk])
    yield from differences(round_.ref, "tables_round", "", {"phase": views[1].phase}, {"phase": round_.phase}, PLAYED)
    first, last = map(_rows_of, views)
    for name, keys in (("box", ("number",)), ("hand", ("kind", "box")), ("wager", ("ordinal",))):
        actual = {tuple(row[key] for key in keys): row for row in rows.layout[round_.pk][name]}
        expected = {key: row for key, row in last[name].items() if key in actual or row != first[name].get(key)}
        yield from matched(
            round_.ref,
            f"tables_{name}",
            name.capitalize(),
            expected,
            actual,
            lambda key: " ".join(map(str, key)),
            PLAYED,
        )


def _rows_of(view):
    return {
        "box": {(box.number,): {"number": box.number, "state": box.state} for box in view.boxes},
        "hand": {
            (hand.kind, hand.box): {
                "box": hand.box,
                "kind": hand.kind,
                "cards": [card or fold.UNSEEN for card in hand.cards],
            }
            for hand in view.hands
        },
        "wager": {(wager.ordinal,): wager._asdict() for wager in view.wagers},
    }
