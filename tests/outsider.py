"""An outsider with the log alone: all payments and transfers worked out again from its entries and the pure core."""

import json
from collections import Counter

from audit import log
from casino.games import registry
from casino.games.game import Action, Wager
from tables import rulesheets


def recompute(bodies):
    """Replay entries with the pure core alone: sheets, rounds, results.

    :returns: payments as (round, generation, box, outcome, staked, returned, paid, net), and transfers as
        (key, debit, credit, units, reason).
    """
    sheets, started, acted, lines, stakes, last = {}, {}, {}, {}, {}, {}
    payments, transfers = set(), set()
    for body in bodies:
        told = json.loads(body)
        subject, facts = told["subject"], told["facts"]
        match told["event"]:
            case "sheet.published":
                assert log.digest(log.canonical(facts["rules"])) == facts["sheet"]
                sheets[facts["sheet"]] = log.canonical(facts["rules"])
            case "round.opened":
                started[subject] = (registry.GAMES[facts["game"]], facts["sheet"])
                acted[subject] = []
            case "round.acted":
                acted[subject].append(facts)
            case "round.closed":
                game, sheet = started[subject]
                state = _played(game, rulesheets.from_rules(sheets[sheet]), acted[subject])
                assert facts["round"] == {"id": int(subject.split(":")[1]), **game.facts(state)}
                assert facts["wagers"] == [wager._asdict() for wager in game.view(state).wagers]
                lines[subject], stakes[subject] = facts["round"], [Wager(**wager) for wager in facts["wagers"]]
            case "round.corrected":
                assert facts["requester"] != facts["approver"]
                lines[subject] = facts["round"]
                if "wagers" in facts:
                    stakes[subject] = [Wager(**wager) for wager in facts["wagers"]]
            case "movement.made":
                transfers.add(tuple(facts["transfer"][name] for name in ("key", "debit", "credit", "units", "reason")))
            case "round.settled":
                game, sheet = started[subject]
                assert facts["sheet"] == sheet
                assert facts.get("round", lines[subject]) == lines[subject]
                read = game.read(lines[subject])
                result = game.settle(read)
                assert facts["result"] == result
                pays = game.pay(read, result, stakes[subject], rulesheets.from_rules(sheets[sheet]), None)
                paid, moved = _settled(told, pays, game.outcomes(result))
                assert facts["generation"] == 1 + last.get(subject, (0, ()))[0]
                taken_back = [_reversal(told, row) for row in last.get(subject, (0, ()))[1]]
                last[subject] = (facts["generation"], moved)
                moved = sorted(moved + taken_back, key=lambda row: row["key"])
                assert facts["payments"] == paid
                assert facts["transfers"] == moved
                payments |= {(subject, facts["generation"], *row.values()) for row in paid}
                transfers |= {tuple(row.values()) for row in moved}
    return payments, transfers


def _settled(told, pays, outcomes):
    """Payments and transfers as the log should have them, worked out another way than settling does."""
    table = told["chain"]
    staked, returned, paid = Counter(), Counter(), Counter()
    moved = []
    for pay in pays:
        staked[pay.box] += pay.stake_units
        returned[pay.box] += pay.returned_units
        paid[pay.box] += pay.paid_units
        gain = pay.returned_units + pay.paid_units - pay.stake_units
        ends = [f"patrons:{table}", f"float:{table}"]
        if gain:
            debit, credit = ends if gain > 0 else reversed(ends)
            key = f"{told['subject']}:{told['facts']['generation']}:{pay.ordinal}"
            moved.append({"key": key, "debit": debit, "credit": credit, "units": abs(gain), "reason": "wager"})
    rows = [
        {
            "box": box,
            "outcome": outcome,
            "staked": staked[box],
            "returned": returned[box],
            "paid": paid[box],
            "net": returned[box] + paid[box] - staked[box],
        }
        for box, outcome, _ in outcomes
    ]
    return rows, sorted(moved, key=lambda row: row["key"])


def _reversal(told, row):
    return {
        "key": f"{told['subject']}:{told['facts']['generation']}:r:{row['key']}",
        "debit": row["credit"],
        "credit": row["debit"],
        "units": row["units"],
        "reason": "reversal",
    }


def _played(game, sheet, acted):
    """The state that entries come to: one that is taken back is out, one that is amended replaced in its place."""
    places = {}
    for facts in acted:
        if "undoes" in facts:
            place = next(place for place, entry in places.items() if entry["ordinal"] == facts["undoes"])
            if facts["kind"] == "undo":
                del places[place]
            else:
                places[place] = facts
        else:
            places[facts["ordinal"]] = facts
    state = game.start(sheet, (), None)
    for place in sorted(places):
        arguments = dict(places[place]["arguments"])
        state = game.act(state, Action(places[place]["kind"], arguments.pop("box", None), arguments))
    return state
