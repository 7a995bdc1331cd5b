"""The croupier's terminal as primitives for its templates: they neither ask the database nor compute.

Nothing here asks which game it is: phases, offers, cards, words and results come from the game.
"""

import json
from collections import Counter

from django.utils import timezone

from casino.games import registry
from casino.games.game import View
from casino.games.sentences import within, word
from casino.wording import read_whole

from ..models import Round
from ..verbs import buy_ins, rulesheets
from ..verbs.fold import CARDS
from ..words import boards, calls, disputes, holds, letters, papers, people, slips
from ..words.actions import Actions, croupier
from ..words.chips import amount_pattern
from .buttons import OVER, Buttons, tray
from .felt import PAY, Felt, grid, place
from .remarks import Remarks
from .wording import WORDING

# A grid that is wider or higher than that of playing cards has smaller keys.
GRID = (13, 4)


def screen(newest, *, ground):
    """Everything that the templates print; `newest` is None before the first round."""
    return read_whole(Screen(newest, ground).primitives())


class Screen:
    """A table as one person sees it now."""

    def __init__(self, newest, ground):
        self.ground = ground
        self.changes = newest.changes if newest else ()
        self.round, self.folded, self.results, actions, self.interventions, amending, *_ = newest or (None,) * 6
        self.game = registry.GAMES[ground.sheet.game] if ground.sheet else None
        self.sheet = self.game and rulesheets.checked(ground.sheet)
        self.state = self.folded.state if newest else None
        self.view = self._view()
        self.results = self._in_order_of_paying(self.results)
        self.deck = self.sheet and self.game.deck(self.sheet, self.round.seats if self.round else ())
        self.moment = self._moment()
        self.actions = Actions(self.round, self.folded, actions, ground) if newest else None
        self.amended = self._amended(amending)
        if self.amended:
            self.moment = "amend"
        self.hold = holds.hold(self.round, self.interventions, ground) if self.moment == "held" else None
        self.ways = self._ways()
        self.voided = holds.voided(self.round, self.interventions) if self.moment == "void" else None
        self.seating = self._seating()
        self.cases = self._cases()
        self.buttons = Buttons(self)
        self.remarks = Remarks(self)

    def _in_order_of_paying(self, results):
        if results is None:
            return None
        place = self.game.paying(self.sheet, [payment.box for payment in results.payments]).index
        return results._replace(payments=sorted(results.payments, key=lambda payment: place(payment.box)))

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
        """Who may play and deal in the next round, if that is entered as it is opened."""
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
            "short": WORDING("choose_boxes", least=lowest),
            "last_dealer": ground.ahead.seats[-1] if ground.ahead.seats else "",
        }

    def _moment(self):
        """The table's present moment: one word that says which parts of the screen are shown."""
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
        return self.actions.to_amend(number)

    def _ways(self):
        if self.hold is None or not self.ground.may_report:
            return []
        return holds.ways_out(self.game, self.state, self.hold, self.round, self.ground)

    def primitives(self):
        """Part by part of the screen, all under one roof: a template takes what it prints."""
        offers = self.buttons.all()
        # A person who only watches sees the same felt: only the croupier is asked something there.
        asked = offers if self.ground.may_act or not self.ground.sees else self.buttons.of_croupier()
        felt = self.view and Felt(
            self.game,
            self.deck,
            self.view,
            self.moment,
            asked,
            self.results,
            self.ground,
            self.voided,
            self.hold,
            self.game.handed(self.state) if self.round else (),
            self.actions.moves_back() if self.moment == "open" else {},
        )
        boxes = felt.boxes() if felt else []
        settled = felt.settled(self.changes) if felt else []
        return {
            **self._page(),
            **self._top(),
            **self._felt(felt, boxes, asked),
            **self._dock(offers, asked, settled),
            **self._bar(offers),
            **self._sheets(offers, asked, boxes),
            "client_json": json.dumps(read_whole(self._client(offers, asked, boxes, settled))),
        }

    def _page(self):
        """The marks of the whole page."""
        ground = self.ground
        return {
            "table": {"id": ground.table.pk, "name": ground.table.name},
            "round": self.round and {"id": self.round.pk, "number": self.round.number, "name": str(self.round)},
            "version": self.folded.version if self.folded else 0,
            "seq": ground.seq,
            "staff": ground.staff_id,
            "moment": self.moment,
            "late_session": self.round.session_id if ground.entered_late else None,
        }

    def _top(self):
        """The part above the felt: how far the round is, what came last, and what waits elsewhere."""
        ground = self.ground
        return {
            "steps": self._steps(),
            "facts": _facts(self.game, ground),
            "clock": _clock(self.round),
            "paper": papers.mark(self.round) if self.moment != "away" else None,
            "croupier": croupier(ground.croupier_id),
            "score": ground.score,
            "recent": self.actions.recent() if self.actions and self.moment != "amend" else [],
            "amend": self.amended and self._amend_words(),
            "owed": ground.owed if ground.sees else [],
            "disputed": ground.disputed and ground.sees,
            "slips": [slips.at_table(slip, ground.spell) for slip in ground.slips] if ground.sees else [],
            "new_rules": ground.new_rules,
            "counted": self.remarks.counted(),
            "late": self.remarks.late(),
            "relief": ground.relief and people.at_table(ground.relief, ground.staff_id),
            "signs_off": ground.may_act and not ground.entered_late,
            "enters_paper": ground.may_report and ground.in_session,
            "reads_session": ground.reads_session,
            "reads_floor": ground.reads_floor,
        }

    def _felt(self, felt, boxes, asked):
        """The dealer's place and the boxes."""
        shows = _enters_cards(asked) or self.moment in {*OVER, "held", "amend"}
        shows = shows or (self.moment == "open" and self.view.final)
        bare = not felt or self.moment in {"closed", "idle", "away"}
        return {
            "layout": "show" if shows else "arched",
            "dealer": {"headline": self.remarks.headline()} if bare else felt.dealer(),
            "boxes": boxes,
            "count": min(len(boxes), 10),
            "crowd": bool(felt) and felt.crowded,
            "of_pot": self.of_pot,
        }

    def _dock(self, offers, asked, settled):
        """The dock, where something is entered or paid."""
        return {
            "chips": tray(offers, self.ground),
            "last_key": letters.Amount.LAST,
            "grid": self._grid() if _enters_cards(asked) and self.ground.may_act else [],
            "small_keys": bool(self.deck) and _is_large(self.deck),
            "settled": settled,
            "board": boards.primitives(self.results.board) if self.results else None,
            "dock_note": self.remarks.dock(settled),
            "seating": self.seating,
            "hold": self.hold,
            "ways": self.ways,
            "voided": self.voided,
        }

    def _bar(self, offers):
        """The buttons, each with its place among the offers, or why there is none."""
        return {
            "offers": offers,
            "quiet": [(index, offer) for index, offer in enumerate(offers) if offer["quiet"]],
            "buttons": [(index, offer) for index, offer in enumerate(offers) if not offer["quiet"]],
            "acts": any(not offer["quiet"] for offer in offers),
            "remark": self.remarks.bar(),
            "call": self.ground.call and calls.at_table(self.ground.call, self.ground.casino.time_zone),
        }

    def _sheets(self, offers, asked, boxes):
        """The sheets that open above the rest: the keys, the actions, reports, disputes, an undo that is signed."""
        ground = self.ground
        return {
            "keys": self._key_sheet(offers),
            "cards_key": self._cards_key(),
            "digits": self._digits(asked, boxes),
            "actions": self.actions.listed(amendable=self.may_enter) if self.actions else [],
            "cases": self.cases,
            "dispute": self._dispute(),
            "reasons": calls.reasons() if ground.call is None and ground.may_call else [],
            "sale": self._sale(),
            "ends_series": ground.ahead.in_series and ground.may_act and self.moment in OVER,
            "undo_sheet": next((offer for offer in offers if offer.get("sheet") == "undo-sheet"), None),
        }

    def _client(self, offers, asked, boxes, settled):
        """The values that the page's script works with."""
        return {
            "offers": offers,
            "stage": self._stage(),
            "places": [box["number"] for box in boxes],
            "ring": self._ring(asked, settled),
            "explained": [pay["number"] for pay in settled],
            "board": bool(self.results and self.results.board),
            "middle": place(None, of_pot=self.of_pot),
            "used": WORDING("used"),
            "decimals": self.ground.casino.currency_decimals,
            "undone": self._undone(offers),
            "scanner": self.ground.scanner,
            "news": self.actions.news() if self.actions else {},
            "amending": self.amended and self.amended[0].ordinal,
        }

    def _stage(self):
        """What must stay the same for a draft to stay; a report put on record does not disturb it."""
        paid = self.results and [self.results.generation, sum(payment.ticked for payment in self.results.payments)]
        return [self.moment, self.folded and self.folded.version, paid, self.ground.may_act, self.ground.croupier_id]

    @property
    def of_pot(self):
        """Whether the table plays for a pot, not against the house."""
        return bool(self.game) and self.game.bank == "pot"

    @property
    def sells(self):
        """Whether chips are sold and tips taken: by the croupier, with or without a round."""
        return self.ground.may_act and not self.ground.entered_late and self.moment not in {"away", "closed"}

    @property
    def may_enter(self):
        return self.ground.may_act and self.moment in {"open", "amend"}

    def _free(self):
        """The cards that are free again while their action is amended."""
        return self.actions.free(self.amended[0].ordinal) if self.amended else Counter()

    def _grid(self):
        return grid(self.deck, self.view, self.actions.of_this_phase(), self._free(), of_pot=self.of_pot)

    def _cards_key(self):
        """A card as it is typed, for the list of keys."""
        faces = self.deck.faces if self.deck else {}
        return next((list(face.keys) for face in faces.values()), [])

    def _digits(self, offers, boxes):
        """What the keys from 1 up do: they enter a number that is asked for, or else choose a box."""
        asked = next((field for offer in offers for field in offer["fields"] if offer["quick"] and field["taps"]), None)
        if asked and not _enters_cards(offers):
            return {
                "first": asked["taps"][0]["label"],
                "last": asked["taps"][-1]["label"],
                "what": within(asked["label"]),
            }
        numbers = [box["number"] for box in boxes]
        return {"first": min(numbers), "last": max(numbers), "what": WORDING("box_number")} if numbers else None

    def _amend_words(self):
        action, _ = self.amended
        return {"number": action.ordinal, "what": self.actions.what(action), "why": self.actions.signed(action)}

    def _cases(self):
        if self.round is None or not self.ground.may_report or self.moment in {"void", "closed", "away"}:
            return None
        return holds.cases(self.game, self.round, self.view)

    def _dispute(self):
        if self.round is None or not self.ground.may_dispute or self.moment in {"closed", "away"}:
            return None
        return disputes.sheet(self.game, self.view)

    def _sale(self):
        """What it takes to enter buy-ins and tips: the boxes that may buy, those of the next round, and the chips."""
        if not self.sells or self.amended:
            return None
        sheet = self.ground.ahead.sheet or self.ground.sheet
        return {
            "boxes": buy_ins.places_by(sheet),
            "chips": [self.ground.chip(units) for units in sorted(self.ground.denominations)],
            "currency": self.ground.casino.currency,
            "decimals": self.ground.casino.currency_decimals,
            "pattern": amount_pattern(self.ground.casino.currency_decimals),
        }

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
        stages = self.game.stages(self.sheet) if self.game.stages else self.game.phases
        codes = [*stages, PAY]
        nowhere = dict.fromkeys(("idle", "closed", "void"))
        paying = dict.fromkeys(("settling", "settled"), PAY)
        now = (nowhere | paying).get(self.moment, self.view.phase)
        if self.hold and self.hold["closed"]:
            now = PAY
        at = codes.index(now) if now else -1
        return [
            {"label": self._stage_word(code), "state": "now" if index == at else "done" if index < at else ""}
            for index, code in enumerate(codes)
        ]

    def _stage_word(self, code):
        return WORDING("pay") if code == PAY else self.game.phases.get(code, code)

    def _undone(self, offers):
        """The box whose last action was taken back, while that waits to be entered again."""
        box = self.actions and self.moment == "open" and self.actions.undone()
        return box if box and any(offer["box"] == box for offer in offers) else None

    def _ring(self, offers, settled):
        """The box that is asked first, or paid first; the script moves the ring from here."""
        if self.amended:
            return self.amended[1].box
        if settled:
            return next((pay["number"] for pay in settled if not pay["ticked"]), None)
        if self.hold:
            return None
        if undone := self._undone(offers):
            return undone
        if self.view and self.view.turn:
            return self.view.turn
        # If no box is expected before another, a person chooses by hand.
        boxes = [offer["box"] for offer in offers if offer["primary"]] + [o["box"] for o in offers if o["fields"]]
        expected = any(offer["primary"] for offer in offers)
        return next((box for box in boxes if box), None) if expected else None


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
            span = WORDING("limits.from", lowest=lowest) if lowest else WORDING("limits.to", highest=highest)
            if lowest and highest:
                span = f"{lowest}–{highest}"
            label = WORDING("limits", limit=_limit(game, stem), currency=ground.casino.currency)
            facts.append({"label": label, "value": span})
    pace = [] if ground.pace is None else [{"label": WORDING("pace"), "value": str(ground.pace)}]
    return [*facts, *pace, {"label": WORDING("sheet"), "value": ground.sheet.short}]


def _limit(game, stem):
    return word(game.words, f"{stem}_limit")


def _clock(round_):
    """Seconds since the round opened, and whether they still run; None for one that was played on paper before."""
    if round_ is None or round_.paper or round_.status == Round.Status.VOIDED:
        return None
    end = round_.closed_at or timezone.now()
    return {"seconds": max(0, int((end - round_.opened_at).total_seconds())), "runs": round_.closed_at is None}


def _enters_cards(offers):
    return any(field["kind"] in CARDS for offer in offers for field in offer["fields"])


def _is_large(deck):
    """Whether a deck's grid needs smaller keys."""
    across, down = GRID
    return len(deck.order) > down or any(len(row) > across for row in deck.order)
