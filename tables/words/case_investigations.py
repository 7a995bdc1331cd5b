"""The file of the investigation of a session: who opened, dealt and closed it, what its rounds came to, and everything
out of the ordinary."""

from collections import Counter, defaultdict

from django.db.models import Q
from django.utils.functional import cached_property

from casino.games import registry

from ..models import Alarm, Case, Dispute, Intervention, Round, Session, SignOn
from . import alarms as alarm_words
from . import blocks, luck, session_rounds, session_sums
from .case_files import File, of_session
from .console import CONSOLE
from .disputes import about as about_words
from .disputes import boxes
from .timeline import done

_KIND = Intervention.Kind
# The events of rounds that a session's file rests on: those out of the ordinary.
_NOTED = (
    "round.held", "round.released", "round.voided", "round.corrected", "dispute.raised", "dispute.ruled",
    "dispute.closed",
)  # fmt: skip
_SETTLED = "round.settled"
MOST_ROUNDS = 100
"""A file lists the last rounds of its session, at most this many."""
_DID = {
    _KIND.REPORTED: "reported an irregularity",
    _KIND.HELD: "held a round",
    _KIND.RELEASED: "released a round",
    _KIND.VOIDED: "voided a round",
    _KIND.CORRECTED: "corrected a round",
}


class OfInvestigation(File):
    title = "Investigation of a session"

    def subjects(self):
        session = self.about
        slips, drop_boxes = ([each.ref for each in rows.all()] for rows in (session.slips, session.drop_boxes))
        return [session.ref, *slips, *drop_boxes, *(alarm.ref for alarm in self.alarms)]

    def rests_on(self):
        noted, listed = ([each.ref for each in rounds] for rounds in (self.noted, self.listed))
        of_rounds = Q(subject__in=noted, event__in=_NOTED) | Q(subject__in=listed, event=_SETTLED)
        return super().rests_on() | of_rounds

    def tells(self, event):
        """Whether the timeline has an event: settlements stand in the list of rounds."""
        return event != _SETTLED

    @cached_property
    def rounds(self):
        return list(self.about.rounds.select_related("table", "sheet", "opened_by").order_by("number"))

    def is_linked(self, entry):
        return entry.event == _SETTLED

    @property
    def listed(self):
        return self.rounds[-MOST_ROUNDS:]

    @cached_property
    def noted(self):
        """The rounds in which something was reported, decided or contested."""
        marked = {each.round_id for each in (*self.interventions, *self.disputes)}
        return [round_ for round_ in self.rounds if round_.pk in marked]

    @cached_property
    def interventions(self):
        of_session = Intervention.objects.filter(round__session=self.about)
        return list(of_session.select_related("round__table", "round__sheet", "by", "approved_by").order_by("at", "pk"))

    @cached_property
    def disputes(self):
        of_session = Dispute.objects.filter(round__session=self.about)
        people = ("raised_by", "ruled_by", "approved_by")
        return list(of_session.select_related("round__table", *people).order_by("raised_at", "pk"))

    @cached_property
    def alarms(self):
        """The table's alarms that were raised from the beginning of its session until it was closed."""
        session, of_table = self.about, Alarm.objects.filter(table=self.about.table_id)
        begun = session.begun_at or session.opened_at
        of_table = of_table.filter(raised_at__gte=begun) if begun else of_table.none()
        if session.closed_at:
            of_table = of_table.filter(raised_at__lte=session.closed_at)
        return list(of_table.select_related("raised_by", "taken_by").order_by("raised_at", "pk"))

    def signed(self):
        return [*of_session(self.about), *super().signed()]

    def lacks(self):
        lacks = [
            CONSOLE("lacks.cards"),
            CONSOLE("lacks.counts"),
        ]
        if earlier := len(self.rounds) - len(self.listed):
            lacks.append(CONSOLE("lacks.rounds", most=MOST_ROUNDS, count=earlier))
        if self.about.status != Session.Status.CLOSED:
            lacks.append(CONSOLE("lacks.rest"))
        return lacks

    def middle(self):
        return [
            {"heading": "What is asked, and the session", "blocks": self._session()},
            {"heading": "Who dealt", "blocks": self._dealt()},
            {"heading": "The rounds", "blocks": self._rounds()},
            {"heading": "Alarms and calls of the table", "blocks": [self._alarms()]},
            {"heading": "Chips and money", "blocks": self._sums()},
            *self._luck(),
        ]

    def _session(self):
        session = self.about
        rows = [("Session", CONSOLE("file.session", session=session.pk, table=session.table.name))]
        rows.append(("State", session.get_status_display()))
        for when, whom, at, *people in (
            ("Opened", "Opened by", session.opened_at, session.opened_by, session.opened_with),
            ("Closed", "Closed by", session.closed_at, session.closed_by, session.closed_with),
        ):
            if at:
                rows += [(when, self._utc(at)), (whom, self._pair(*people))]
        carried_to = Session.objects.filter(carried_from=session).first()
        for label, other in (("Carried on from", session.carried_from_id), ("Carried on in", carried_to)):
            if other:
                rows.append((label, CONSOLE("file.carried", session=getattr(other, "pk", other))))
        remarks = [("Said at the opening:", session.opener_reason), ("Said at the closing:", session.closer_reason)]
        return [
            blocks.text(CONSOLE("file.question")),
            blocks.quote(self.case.question),
            blocks.facts(rows),
            *(block for head, reason in remarks if reason for block in (blocks.text(head), blocks.quote(reason))),
        ]

    def _dealt(self):
        session = self.about
        sign_ons = SignOn.objects.none()
        if session.opened_at:
            overlaps = Q(signed_off_at=None) | Q(signed_off_at__gte=session.opened_at)
            sign_ons = SignOn.objects.filter(overlaps, table=session.table_id).select_related("staff")
        if session.closed_at:
            sign_ons = sign_ons.filter(signed_on_at__lte=session.closed_at)
        rows, left = [], list(self.rounds)
        for stint in sign_ons.order_by("signed_on_at", "pk"):
            end = stint.signed_off_at
            dealt = [
                round_
                for round_ in left
                if round_.opened_by_id == stint.staff_id
                and stint.signed_on_at <= round_.opened_at
                and (end is None or round_.opened_at <= end)
            ]
            there = {round_.pk for round_ in dealt}
            left = [round_ for round_ in left if round_.pk not in there]
            rows.append(
                [
                    self._person(stint.staff, "dealt" if dealt else "was signed on"),
                    self._utc(stint.signed_on_at),
                    self._utc(end) if end else "still there",
                    str(len(dealt)),
                ]
            )
        others = Counter(round_.opened_by_id for round_ in left)
        people = {round_.opened_by_id: round_.opened_by for round_ in left}
        rows += [
            [self._person(people[number], "opened rounds"), "not signed on", "", str(count)]
            for number, count in sorted(others.items())
        ]
        columns = [
            blocks.column("Croupier", 2),
            blocks.column("Signed on (UTC)", 3),
            blocks.column("Signed off (UTC)", 3),
            blocks.column("Rounds opened", 2, right=True),
        ]
        return [
            blocks.text(CONSOLE("dealt")),
            blocks.table(columns, rows, CONSOLE("dealt.none")),
        ]

    def _rounds(self):
        counts = Counter(round_.status for round_ in self.rounds)
        made = Counter(each.kind for each in self.interventions)
        rows = [
            ("Rounds", str(len(self.rounds))),
            *((Round.Status(status).label.capitalize(), str(count)) for status, count in sorted(counts.items())),
            ("Entered from paper", str(sum(1 for round_ in self.rounds if round_.paper))),
            ("Corrections", str(made[_KIND.CORRECTED])),
            ("Holds", str(made[_KIND.HELD])),
            ("Irregularities put on record", str(made[_KIND.REPORTED])),
            ("Disputes", str(len(self.disputes))),
        ]
        if self.rounds:
            rows.insert(1, ("First and last", CONSOLE("times", start=self.rounds[0], end=self.rounds[-1])))
        decided = [
            [
                self._utc(each.at),
                str(each.round),
                self._what(each),
                each.clause or "",
                self._pair(each.by, each.approved_by, _DID[each.kind])
                if each.approved_by
                else self._person(each.by, _DID[each.kind]),
                CONSOLE("quoted", words=each.reason) if each.reason else "",
            ]
            for each in self.interventions
        ]
        cases = {case.subject: case for case in Case.objects.filter(subject__in=[each.ref for each in self.disputes])}
        contested = [
            [
                self._utc(each.raised_at),
                str(each.round),
                CONSOLE(
                    "contested", case=cases.get(each.ref, each), about=about_words(each), boxes=boxes(each).lower()
                ),
                self._person(each.raised_by, "raised a dispute"),
                CONSOLE(
                    "contested.ruled",
                    ruling=each.get_ruling_display().capitalize(),
                    clause=each.clause,
                    who=self._ruled(each),
                )
                if each.ruling
                else "waits for its ruling",
            ]
            for each in self.disputes
        ]
        columns = [
            blocks.column("At (UTC)", 3),
            blocks.column("Round", 2),
            blocks.column("What", 3),
            blocks.column("Clause", 2),
            blocks.column("By", 2),
            blocks.column("Reason", 3),
        ]
        of_disputes = [
            blocks.column("At (UTC)", 3),
            blocks.column("Round", 2),
            blocks.column("What", 3),
            blocks.column("Raised by", 2),
            blocks.column("Ruling", 4),
        ]
        return [
            blocks.facts(rows),
            blocks.head("Voids, corrections, holds and what was reported"),
            blocks.table(columns, decided, CONSOLE("decided.none")),
            blocks.head("Disputes"),
            blocks.table(of_disputes, contested, CONSOLE("contested.none")),
            *self._list(),
        ]

    def _list(self):
        """The rounds one by one, each with the entries that settled it, which are among the proofs; amounts only of a
        closed session, as in `_sums`."""
        session, listed, number = self.about, self.listed, len(self.rounds)
        came = session_rounds.came_to(session, listed).own if session.status == Session.Status.CLOSED else None
        entries = defaultdict(list)
        for entry in self.entries:
            if entry.event == _SETTLED:
                entries[entry.subject].append(entry)
        contested = {each.round_id for each in self.disputes}
        did = defaultdict(dict)
        for each in self.interventions:
            if each.kind != _KIND.VOIDED:
                did[each.round_id][each.get_kind_display()] = True
        rows = []
        for round_ in listed:
            marks = [*did[round_.pk], *(["contested"] if round_.pk in contested else [])]
            of = came and came.get(round_.ref)
            rows.append(
                [
                    str(round_),
                    self._utc(round_.happened_at or round_.opened_at),
                    self._person(round_.opened_by, "opened rounds"),
                    ", ".join([round_.get_status_display(), *marks, *(["from paper"] if round_.paper else [])]),
                    *([] if came is None else [self._amount(of.house + of.rake, signed=True) if of else "0"]),
                    blocks.links(map(str, entries[round_.ref])),
                ]
            )
        columns = [
            blocks.column("Round", 2),
            blocks.column("Played (UTC)", 3),
            blocks.column("Opened by", 2),
            blocks.column("State", 3),
            *([] if came is None else [blocks.column("House's net", 2, right=True)]),
            blocks.column("Settled by entry", 2),
        ]
        said = [CONSOLE("rounds.all", count=number)]
        if len(listed) < number:
            said = [CONSOLE("rounds.last", most=MOST_ROUNDS, count=number)]
        if came is not None:
            said.append(CONSOLE("rounds.net"))
        return [
            blocks.head("Round by round"),
            blocks.text(" ".join(said)),
            blocks.table(columns, rows, CONSOLE("rounds.none")),
        ]

    def _what(self, intervention):
        what = done(intervention, registry.GAMES[intervention.round.sheet.game])
        return what if intervention.box is None else CONSOLE("of_box", box=intervention.box, what=what)

    def _ruled(self, dispute):
        if dispute.approved_by:
            return self._pair(dispute.ruled_by, dispute.approved_by, "ruled on a dispute")
        return self._person(dispute.ruled_by, "ruled on a dispute")

    def _alarms(self):
        rows = [
            [
                self._utc(each.raised_at),
                alarm_words.name(each.kind, each.reason),
                alarm_words.measure(each, self.casino.currency_decimals),
                self._person(each.raised_by, "called") if each.raised_by else "the system",
                ", ".join((self._person(each.taken_by, "took an alarm"), self._utc(each.taken_at)))
                if each.taken_by
                else "nobody",
                CONSOLE("quoted", words=each.word) if each.word else "",
                self._utc(each.over_at) if each.over_at else "stands",
            ]
            for each in self.alarms
        ]
        columns = [
            blocks.column("Raised (UTC)", 3),
            blocks.column("What", 3),
            blocks.column("Measured", 2),
            blocks.column("By", 2),
            blocks.column("Taken by", 3),
            blocks.column("They said", 2),
            blocks.column("Over (UTC)", 3),
        ]
        return blocks.table(columns, rows, CONSOLE("raised.none"))

    def _sums(self):
        """What a closed session came to; before that, whoever counts must not read what should be there."""
        if self.about.status != Session.Status.CLOSED:
            return [blocks.text(CONSOLE("sums.none"))]
        sums = session_sums.of(self.about)
        kind = session_sums.KIND
        moved = sums.moved
        rows = [
            ["Closer", self._amount(moved[kind.CLOSER], signed=True)],
            ["Drop", "not counted" if sums.drop is None else self._amount(sums.drop, signed=True)],
            ["Credits", self._amount(sums.credits, signed=True)],
            ["Opener", self._amount(-moved[kind.OPENER], signed=True)],
            ["Fills", self._amount(-moved[kind.FILL], signed=True)],
            [
                CONSOLE("sums.win", grade=sums.win.grade.value),
                "not known yet" if sums.win.units is None else self._amount(sums.win.units, signed=True),
            ],
            ["Win by the rounds", self._amount(sums.won, signed=True)],
            ["Variance: counted minus expected", self._amount(moved[kind.VARIANCE], signed=True)],
        ]
        return [
            blocks.text(CONSOLE("sums")),
            blocks.table([blocks.column("Line", 5), blocks.column("Amount", right=True)], rows, ""),
            *([blocks.text(sums.win.reason)] if sums.win.reason else []),
        ]

    def _luck(self):
        """What was expected of a closed session's rounds of Split Poker, as it stood when the file was made."""
        rows = luck.of_session(self.about, luck.Scale())
        if rows:
            said = blocks.text(CONSOLE("told_apart"))
            yield {
                "heading": "Luck told apart",
                "blocks": [said, blocks.facts([(row.label, row.value) for row in rows])],
            }

    def _facts_of(self, event, facts, subject):
        names = {round_.ref: str(round_) for round_ in self.noted}
        if subject in names:
            about = [facts["clause"]] if event == "dispute.raised" else []
            return ", ".join((names[subject], *about))
        if subject.startswith("alarm:"):
            alarm = next(alarm for alarm in self.alarms if alarm.ref == subject)
            return alarm_words.name(alarm.kind, alarm.reason)
        return super()._facts_of(event, facts, subject)
