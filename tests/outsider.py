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
    sheets, started, acted, lines, stakes, carries, last = {}, {}, {}, {}, {}, {}, {}
    seats, payments, transfers = {}, set(), set()
    for body in bodies:
        told = json.loads(body)
        subject, facts = told["subject"], told["facts"]
        match told["event"]:
            case "sheet.published":
                assert log.digest(log.canonical(facts["rules"])) == facts["sheet"]
                sheets[facts["sheet"]] = log.canonical(facts["rules"])
            case "round.opened":
                started[subject] = (registry.GAMES[facts["game"]], facts["sheet"])
                carries[subject] = facts.get("carry")
                seats[subject] = facts.get("seats", ())
                acted[subject] = []
            case "round.acted":
                acted[subject].append(facts)
            case "round.closed":
                game, sheet = started[subject]
                start = game.start(rulesheets.from_rules(sheets[sheet]), tuple(seats[subject]), carries[subject])
                state = _played(game, start, acted[subject])
                assert facts["round"] == {"id": int(subject.split(":")[1]), **game.facts(state)}
                assert facts["wagers"] == [wager._asdict() for wager in game.view(state).wagers]
                lines[subject], stakes[subject] = facts["round"], [Wager(**wager) for wager in facts["wagers"]]
            case "round.corrected":
                assert facts["requester"] != facts["approver"]
                lines[subject], carries[subject] = facts["round"], facts.get("carry")
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
                rules = rulesheets.from_rules(sheets[sheet])
                pays = game.pay(read, result, stakes[subject], rules, carries[subject])
                paid, moved = _settled(told, pays, game.outcomes(read, result), game.BANK)
                assert facts["generation"] == 1 + last.get(subject, (0, ()))[0]
                taken_back = [_reversal(told, row) for row in last.get(subject, (0, ()))[1]]
                last[subject] = (facts["generation"], moved)
                moved = sorted(moved + taken_back, key=lambda row: row["key"])
                assert facts["payments"] == paid
                assert facts["transfers"] == moved
                payments |= {(subject, facts["generation"], *row.values()) for row in paid}
                transfers |= {tuple(row.values()) for row in moved}
    return payments, transfers


def _settled(told, pays, outcomes, bank):
    """Payments and transfers as the log should have them, worked out another way than settling does."""
    staked, returned, paid = Counter(), Counter(), Counter()
    moved = _from_the_pot(told, pays) if bank == "pot" else _against_the_house(told, pays)
    for pay in pays:
        staked[pay.box] += pay.stake_units
        returned[pay.box] += pay.returned_units
        paid[pay.box] += pay.paid_units
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


def _transfer(told, what, credit, debit, units, reason):
    """`credit` gives and `debit` receives."""
    key = f"{told['subject']}:{told['facts']['generation']}:{what}"
    return {"key": key, "debit": debit, "credit": credit, "units": units, "reason": reason}


def _against_the_house(told, pays):
    patrons, bank = f"patrons:{told['chain']}", f"float:{told['chain']}"
    for_boxes = [(pay.ordinal, pay.returned_units + pay.paid_units - pay.stake_units) for pay in pays]
    return [
        _transfer(told, what, bank, patrons, gain, "wager")
        if gain > 0
        else _transfer(told, what, patrons, bank, -gain, "wager")
        for what, gain in for_boxes
        if gain
    ]


def _from_the_pot(told, pays):
    patrons, pot = f"patrons:{told['chain']}", f"pot:{told['chain']}"
    lies = sum(pay.stake_units for pay in pays)
    moved = [
        _transfer(told, pay.ordinal, patrons, pot, pay.stake_units, "points" if pay.kind == "points" else "stake_in")
        for pay in pays
        if pay.stake_units
    ]
    for box in sorted({pay.box for pay in pays}):
        units = sum(pay.returned_units + pay.paid_units for pay in pays if pay.box == box)
        lies -= units
        if units:
            moved.append(_transfer(told, f"share:{box}", pot, patrons, units, "share"))
    return [*moved, _transfer(told, "rake", pot, "rake:house", lies, "rake")] if lies else moved


def _reversal(told, row):
    return {
        "key": f"{told['subject']}:{told['facts']['generation']}:r:{row['key']}",
        "debit": row["credit"],
        "credit": row["debit"],
        "units": row["units"],
        "reason": "reversal",
    }


def _played(game, state, acted):
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
    for place in sorted(places):
        arguments = dict(places[place]["arguments"])
        state = game.act(state, Action(places[place]["kind"], arguments.pop("box", None), arguments))
    return state
