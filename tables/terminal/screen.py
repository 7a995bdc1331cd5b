"""The croupier's terminal as primitives for its templates: they neither ask the database nor compute.

Nothing here asks which game it is: phases, offers, cards, words and results are the game's own.
"""

import json
from collections import Counter
from typing import NamedTuple

from django.utils import timezone

from casino import money
from casino.games import registry
from casino.games.game import View

from ..models import Round
from ..verbs import rulesheets, series
from ..words import holds
from ..words.actions import Entries, croupier
from . import felt
from .buttons import OVER, Buttons, tray

# A grid that is wider or higher than that of playing cards has smaller keys.
GRID = (13, 4)
# More boxes lie in two rows.
CROWD = 6
PIT_BOSS_OPENS = "The pit boss opens the table."


class Ground(NamedTuple):
    """All that the screen shows besides the round itself. `last` are a box's latest arguments, by (kind, box).

    `ahead` is what is known of the next round. `score` is how far the series of the round that is shown has come.
    `sees` is false for who may sign on here and sees nothing before; `took_over`: the croupier relieved this person.
    `may_sign_on_here`: a sign-on from this browser is taken. `owed` are corrected rounds before this one. `late` says
    of which round here settlement is late, and what waits in the whole house. `pace` is how many rounds of this session
    were opened within the last hour.
    """

    table: object
    casino: object
    seq: int
    staff_id: int
    sees: bool
    may_act: bool
    may_report: bool
    may_rule: bool
    reads_session: bool
    may_dispute: bool
    may_sign_on: bool
    croupier_id: int | None
    took_over: bool
    in_session: bool
    sheet: object
    last: dict
    may_sign_on_here: bool
    owed: list
    ahead: series.Ahead
    late: tuple | None = None
    score: str = ""
    pace: int | None = None

    def spell(self, units):
        return money.spell(units, self.casino.currency_decimals)

    @property
    def denominations(self):
        return tuple(self.table.chip_set.denominations)


class Shown(NamedTuple):
    """The newest round with all that happened in it. `amending` is the number of the entry to enter again."""

    round: object
    folded: object
    found: object
    actions: list
    interventions: list
    amending: int | None = None


def screen(shown, *, ground):
    """Everything that the templates print; `shown` is None before the first round."""
    return Screen(shown, ground).primitives()


class Screen:
    """A table as one person sees it now."""

    def __init__(self, shown, ground):
        self.ground = ground
        self.round, self.folded, self.found, actions, self.interventions, amending = shown or (None,) * 6
        self.game = registry.GAMES[ground.sheet.game] if ground.sheet else None
        self.sheet = self.game and rulesheets.checked(ground.sheet)
        self.state = self.folded.state if shown else None
        self.view = self._view()
        self.deck = self.sheet and self.game.deck(self.sheet, self.round.seats if self.round else ())
        self.moment = self._moment()
        self.entries = Entries(self.round, self.folded, actions, ground) if shown else None
        self.amended = self._amended(amending)
        if self.amended:
            self.moment = "amend"
        self.hold = holds.hold(self.round, self.interventions, ground) if self.moment == "held" else None
        self.ways = self._ways()
        self.voided = holds.voided(self.round, self.interventions) if self.moment == "void" else None
        self.seating = self._seating()
        self.cases = self._cases()
        self.buttons = Buttons(self)

    def _view(self):
        """What lies on the table; before the first round its empty boxes."""
        game = self.game
        if self.state is not None:
            return game.view(self.state)
        if game is None:
            return None
        if game.seats is None:
            return game.view(game.start(self.sheet, (), None))
        return View("", tuple(range(1, game.seats[1] + 1)), (), (), (), None, 0, False)

    def _seating(self):
        """Who may play and deal in the next round, where that is said when it is opened."""
        ground = self.ground
        limits = ground.ahead.sheet and registry.GAMES[ground.ahead.sheet.game].seats
        if not limits or ground.ahead.in_series or not ground.may_act or self.moment in {"away", "closed", "open"}:
            return None
        lowest, highest = limits
        sat = {seat for seat in ground.ahead.seats if seat <= highest}
        return {
            "of": self.round.pk if self.round else 0,
            "boxes": [{"number": number, "on": number in sat} for number in range(1, highest + 1)],
            "least": lowest,
            "short": f"Choose {lowest} boxes or more",
            "last_dealer": ground.ahead.seats[-1] if ground.ahead.seats else "",
        }

    def _moment(self):
        """Where the table stands: one word that says which of the screen's parts are shown."""
        if not self.ground.sees:
            return "away"
        if not self.ground.in_session:
            return "closed"
        if self.round is None:
            return "idle" if self.ground.sheet else "closed"
        if self.round.held_at:
            return "held"
        return {"OPEN": "open", "CLOSED": "settling", "SETTLED": "settled", "VOIDED": "void"}[self.round.status]

    def _amended(self, number):
        if number is None or self.moment != "open" or not self.ground.may_act:
            return None
        return self.entries.to_amend(number)

    def _ways(self):
        if self.hold is None or not self.ground.may_report:
            return []
        return holds.ways_out(self.game, self.state, self.hold, self.round, self.ground)

    def primitives(self):
        ground, view = self.ground, self.view
        offers = self.buttons.all()
        # Who only watches sees the same felt: what is asked there is the croupier's.
        asked = offers if ground.may_act or not ground.sees else self.buttons.of_croupier()
        seen = view and felt.Felt(
            self.game, self.deck, view, self.moment, asked, self.found, ground, self.voided, self.hold
        )
        boxes = seen.boxes() if seen else []
        settled = seen.settled() if seen else []
        enters_cards = _enters(asked, "card", "cards")
        shows = enters_cards or self.moment in {*OVER, "held", "amend"} or (self.moment == "open" and view.final)
        bare = seen and self.moment not in {"closed", "idle", "away"}
        return {
            "table": {"id": ground.table.pk, "name": ground.table.name},
            "round": self.round and {"id": self.round.pk, "number": self.round.number, "name": str(self.round)},
            "version": self.folded.version if self.folded else 0,
            "seq": ground.seq,
            "staff": ground.staff_id,
            "moment": self.moment,
            "layout": "show" if shows else "arched",
            "steps": self._steps(),
            "facts": _facts(self.game, ground),
            "clock": _clock(self.round),
            "croupier": croupier(ground.croupier_id),
            "dealer": seen.dealer() if bare else {"headline": self._headline()},
            "boxes": boxes,
            "count": min(len(boxes), 10),
            "crowd": len(boxes) > CROWD,
            "of_pot": bool(self.game) and self.game.bank == "pot",
            "score": ground.score,
            "seating": self.seating,
            "cards_key": self._cards_key(),
            "digits": self._digits(asked, boxes),
            "offers": offers,
            "quiet": [(index, offer) for index, offer in enumerate(offers) if offer["quiet"]],
            "buttons": [(index, offer) for index, offer in enumerate(offers) if not offer["quiet"]],
            "acts": any(not offer["quiet"] for offer in offers),
            "chips": tray(offers, ground),
            "grid": self._grid() if enters_cards and ground.may_act else [],
            "small_keys": bool(self.deck) and _is_large(self.deck),
            "settled": settled,
            "keys": self._key_sheet(offers),
            "remark": self._remark(),
            "owed": ground.owed if ground.sees else [],
            "late": self._late(),
            "dock_note": self._dock_note(settled),
            "hold": self.hold,
            "ways": self.ways,
            "voided": self.voided,
            "amend": self.amended and self._amend_words(),
            "ends_series": ground.ahead.in_series and ground.may_act and self.moment in OVER,
            "undo_sheet": next((offer for offer in offers if offer.get("sheet") == "undo-sheet"), None),
            "cases": self.cases,
            "dispute": self._dispute(),
            "entries": self.entries.listed(amendable=self.may_enter) if self.entries else [],
            "recent": self.entries.recent() if self.entries and self.moment != "amend" else [],
            "signs_off": ground.may_act,
            "reads_session": ground.reads_session,
            "client_json": json.dumps(
                {
                    "offers": offers,
                    "stage": self._stage(),
                    "places": [box["number"] for box in boxes],
                    "ring": self._ring(asked, settled),
                    "explained": [pay["number"] for pay in settled],
                    "middle": felt.place(None, of_pot=bool(self.game) and self.game.bank == "pot"),
                    "decimals": ground.casino.currency_decimals,
                    "news": self.entries.news() if self.entries else {},
                    "amending": self.amended and self.amended[0].ordinal,
                }
            ),
        }

    def _stage(self):
        """What must be the same for a half-made entry to stand: a report on record does not disturb it."""
        paid = self.found and [self.found.generation, sum(payment.ticked for payment in self.found.payments)]
        return [self.moment, self.folded and self.folded.version, paid, self.ground.may_act, self.ground.croupier_id]

    @property
    def may_enter(self):
        return self.ground.may_act and self.moment in {"open", "amend"}

    def _free(self):
        """The cards that are free again while their entry is amended."""
        return self.entries.free(self.amended[0].ordinal) if self.amended else Counter()

    def _grid(self):
        of_pot = self.game.bank == "pot"
        return felt.grid(self.deck, self.view, self.entries.of_this_phase(), self._free(), of_pot=of_pot)

    def _cards_key(self):
        """A card as it is typed, for the list of keys."""
        faces = self.deck.faces if self.deck else {}
        return next((list(face.keys) for face in faces.values()), [])

    def _digits(self, offers, boxes):
        """What the keys 1 and up enter: a number that is asked for, else they choose a box."""
        asked = next((field for offer in offers for field in offer["fields"] if offer["quick"] and field["taps"]), None)
        if asked:
            return {
                "first": asked["taps"][0]["label"],
                "last": asked["taps"][-1]["label"],
                "what": asked["label"].lower(),
            }
        numbers = [box["number"] for box in boxes]
        return {"first": min(numbers), "last": max(numbers), "what": "box"} if numbers else None

    def _amend_words(self):
        entry, _ = self.amended
        return {"number": entry.ordinal, "what": self.entries.what(entry), "why": self.entries.signed(entry)}

    def _cases(self):
        if self.round is None or not self.ground.may_report or self.moment in {"void", "closed", "away"}:
            return None
        return holds.cases(self.game, self.round, self.view)

    def _dispute(self):
        if self.round is None or not self.ground.may_dispute or self.moment in {"closed", "away"}:
            return None
        return holds.dispute(self.game, self.view)

    def _headline(self):
        """What stands in the dealer's place where there is no round."""
        if self.moment == "away":
            if self.ground.croupier_id is None:
                return "Nobody is signed on"
            return f"{croupier(self.ground.croupier_id)} {'took over' if self.ground.took_over else 'deals here'}"
        return felt.TABLE_CLOSED if self.moment == "closed" else felt.NO_ROUND

    def _remark(self):
        """The line in the bar where there is no button to press, and why."""
        ground, moment = self.ground, self.moment
        if moment == "away":
            return self._where_to_sign_on()
        if moment == "closed":
            return PIT_BOSS_OPENS if not ground.in_session else "No rule sheet is in force. The pit boss sets one."
        if moment == "held":
            return "" if ground.may_report else "The round is held. The pit boss releases it, rules on it or voids it."
        if not ground.may_act:
            return f"You only watch: the croupier signed on here acts. {self._where_to_sign_on()}".rstrip()
        return "Settling …" if moment == "settling" else ""

    def _late(self):
        """That settlement is late, and where the amounts of this table's round will stand."""
        if not self.ground.late:
            return None
        round_, waiting = self.ground.late
        return {
            "id": round_.pk,
            "fact": f"Settlement is late: {waiting.words}.",
            "way_out": f"Tell the pit boss. The amounts of {round_} will stand on its page.",
        }

    def _where_to_sign_on(self):
        """Where the person can sign on, if not in this browser."""
        ground = self.ground
        if ground.may_sign_on_here or not ground.may_sign_on:
            return ""
        do = f"Relieve {croupier(ground.croupier_id)}" if ground.croupier_id else "Sign on"
        return f"This browser is no terminal of {ground.table.name}. {do} at the table, or let the pit boss do it."

    def _dock_note(self, settled):
        """What the dock says where there is nothing to enter and nothing to pay yet."""
        moment, ground = self.moment, self.ground
        if moment == "open" and not ground.may_act:
            offers = self.buttons.of_croupier()
            return next((f"The croupier’s next step: {offer['label']}." for offer in offers if offer["primary"]), "")
        if moment == "settling" and ground.late:
            return (
                "Leave what lies on the boxes: what to hand over appears here by itself. "
                "If the pit boss has the table go on, it will stand on the round’s page."
            )
        if moment == "settling":
            return "The round is closed. What to hand over appears here by itself."
        if moment == "open" and self.view.final:
            return "All is entered. Close the round to see what to hand over."
        if moment == "settled" and all(pay["ticked"] for pay in settled):
            moves = any(payment.staked or payment.paid for payment in self.found.payments)
            return "All is handed over." if moves else "Nothing changes hands with this round."
        return "The round is void. Nothing was staked." if moment == "void" and not settled else ""

    def _key_sheet(self, offers):
        """Each letter once, with what it does."""
        actions = self.game.actions if self.game else {}
        keys = {
            offer["key"]: actions[offer["kind"]].label if offer["kind"] in actions else offer["name"]
            for offer in offers
        }
        return [{"key": key, "label": label} for key, label in keys.items() if key]

    def _steps(self):
        """The round's phases and Pay at the end: which are done, which is now."""
        if self.game is None or self.moment == "away":
            return []
        codes = [*self.game.phases, felt.PAY]
        nowhere = dict.fromkeys(("idle", "closed", "void"))
        paying = dict.fromkeys(("settling", "settled"), felt.PAY)
        now = (nowhere | paying).get(self.moment, self.view.phase)
        if self.hold and self.hold["closed"]:
            now = felt.PAY
        at = codes.index(now) if now else -1
        return [
            {"label": self.game.phases.get(code, code), "state": "now" if index == at else "done" if index < at else ""}
            for index, code in enumerate(codes)
        ]

    def _ring(self, offers, settled):
        """The box that is asked first, or paid first; the script moves the ring from here."""
        if self.amended:
            return self.amended[1].box
        if settled:
            return next((pay["number"] for pay in settled if not pay["ticked"]), None)
        if self.hold:
            return None
        boxes = [offer["box"] for offer in offers if offer["primary"]] + [o["box"] for o in offers if o["fields"]]
        return (self.view and self.view.turn) or next((box for box in boxes if box), None)


def _facts(game, ground):
    if game is None or not ground.sees:
        return []
    values = ground.sheet.values
    limits = {parameter.name for parameter in game.parameters if parameter.kind == "units"}
    facts = []
    for name in sorted(limits):
        stem, _, end = name.rpartition("_")
        if end == "minimum" and f"{stem}_maximum" in limits:
            bounds = values[name], values[f"{stem}_maximum"]
            lowest, highest = ("" if units is None else ground.spell(units) for units in bounds)
            span = f"{lowest}–{highest}" if lowest and highest else f"from {lowest}" if lowest else f"to {highest}"
            facts.append({"label": f"{stem.replace('_', ' ').capitalize()}, {ground.casino.currency}", "value": span})
    pace = [] if ground.pace is None else [{"label": "Rounds, last hour", "value": str(ground.pace)}]
    return [*pace, *facts, {"label": "Rule sheet", "value": ground.sheet.short}]


def _clock(round_):
    """Seconds since the round opened, and whether they still run."""
    if round_ is None or round_.status == Round.Status.VOIDED:
        return None
    end = round_.closed_at or timezone.now()
    return {"seconds": max(0, int((end - round_.opened_at).total_seconds())), "runs": round_.closed_at is None}


def _enters(offers, *kinds):
    return any(field["kind"] in kinds for offer in offers for field in offer["fields"])


def _is_large(deck):
    """Whether a deck's grid needs smaller keys."""
    across, down = GRID
    return len(deck.order) > down or any(len(row) > across for row in deck.order)
