"""What the files of cases about one round have in common: its cards and stakes, its calculation, its money, its clauses
and what happened in it."""

import itertools
from abc import abstractmethod

from django.utils.functional import cached_property

from payouts.models import Settlement

from ..verbs import disputes
from . import blocks, timeline
from .cards import SIGNS
from .case_files import File
from .console import CONSOLE

_SIGN = {letter: sign for sign, letter in SIGNS.items()}


class OfRound(File):
    """The file of a case about a round: the round itself gives its course, including what was taken back."""

    @property
    @abstractmethod
    def round(self):
        """The round that the case is about."""

    @property
    def place(self):
        return self.round.session

    @cached_property
    def words(self):
        return timeline.words(self.round)

    def subjects(self):
        return [self.round.ref]

    def moments(self):
        return [(each.at, *self._of_round(each)) for each in timeline.of(self.round)]

    def tells(self, event):
        """Whether the timeline has an event; the round itself gives those about the round."""
        return event.startswith("case.")

    def _dealt(self):
        """Who opened, acted in or closed the round, in words."""
        dealt = disputes.dealers(self.round)
        for staff in dealt:
            self.people.setdefault(staff, set()).add("dealt the round")
        return ", ".join(CONSOLE("staff", number=number) for number in sorted(dealt))

    def _laid(self, shown):
        """What lay on the table.

        :param shown: its headings, each with the places as `places.of_line` gives them.
        """
        columns = [
            blocks.column("Place"),
            blocks.column("Cards", 4),
            blocks.column("Stakes", 2),
            blocks.column("Also entered", 2),
        ]
        seen = [
            card for _, laid in shown for place in laid for hand in place["hands"] for card in hand["cards"] if card
        ]
        named = {_card(card): card["name"] for card in seen if not card["sign"]}
        parts = [blocks.text(CONSOLE("laid:suits" if len(named) < len(seen) else "laid"))]
        if named:
            parts.append(blocks.text(CONSOLE("laid.cards", cards=_listed(named))))
        for head, laid in shown:
            rows = [
                [
                    place["name"],
                    "\n".join(_labelled(hand["word"], _cards(hand["cards"])) for hand in place["hands"]),
                    "\n".join(" ".join((stake["word"], stake["amount"])) for stake in place["stakes"]),
                    "\n".join(": ".join(filter(None, note.values())) for note in place["notes"]),
                ]
                for place in laid
            ]
            parts += [blocks.head(head), blocks.table(columns, rows, CONSOLE("laid.none"))]
        return parts

    def _moved(self, round_):
        rows = [
            [
                str(settlement.generation),
                transfer.get_reason_display(),
                transfer.credit.get_kind_display().capitalize(),
                transfer.debit.get_kind_display().capitalize(),
                self._amount(transfer.units),
            ]
            for settlement in Settlement.objects.filter(round_key=round_.ref).order_by("generation")
            for transfer in settlement.transfers.select_related("debit", "credit").order_by("pk")
        ]
        if not rows:
            return [blocks.text(CONSOLE("money.none"))]
        columns = [
            blocks.column("Settlement"),
            blocks.column("Why", 2),
            blocks.column("From", 3),
            blocks.column("To", 3),
            blocks.column("Amount", right=True),
        ]
        return [
            blocks.text(CONSOLE("money")),
            blocks.table(columns, rows, ""),
        ]

    def _clauses(self, named):
        """The clauses with these numbers, in the rules' order."""
        rows = [[clause, text] for clause, text in self.words.game.clauses.items() if clause in named]
        return [blocks.table([blocks.column("Clause"), blocks.column("It says", 6)], rows, CONSOLE("clauses.none"))]

    def _of_round(self, moment):
        who, what = [self._person(moment.by, "")], moment.what
        if moment.approved_by:
            who.append(CONSOLE("by.second", who=self._person(moment.approved_by, "")))
        if moment.terminal:
            who.append(CONSOLE("by.terminal", terminal=moment.terminal))
        if moment.box is not None:
            what = CONSOLE("of_box", box=moment.box, what=what)
        if moment.clause:
            what = CONSOLE("by.clause", what=what, clause=moment.clause)
        if moment.struck:
            what = CONSOLE("struck", what=what, struck=moment.struck)
        if moment.reason:
            what = CONSOLE("by.reason", what=what, reason=moment.reason)
        return ", ".join(who), what


def _listed(named):
    """Cards with their names, in a line."""
    return "; ".join(_labelled(card, name) for card, name in sorted(named.items()))


def _labelled(label, text):
    return CONSOLE("labelled", label=label, text=text)


def _cards(cards):
    """Cards in a line; for those that nobody saw, how many lie there.

    >>> _cards([None, None, {"text": "2", "sign": "s", "mark": ""}])
    '2 cards face down, 2♠'
    """
    runs = [(seen, list(run)) for seen, run in itertools.groupby(cards, key=bool)]
    return ", ".join(" ".join(map(_card, run)) if seen else _face_down(len(run)) for seen, run in runs)


def _face_down(number):
    return CONSOLE("face_down:one") if number == 1 else CONSOLE("face_down", count=number)


def _card(card):
    return card["text"] + _SIGN.get(card["sign"], card["mark"])
