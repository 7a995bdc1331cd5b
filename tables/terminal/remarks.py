"""What a terminal's screen says in sentences when there is nothing to press or enter, and why."""

from ..models import Session
from ..words import lateness
from ..words.actions import croupier
from .wording import WORDING

COUNTED = {Session.Status.OPENING: "opener", Session.Status.CLOSING: "closer"}
COUNTING = {Session.Status.OPENING: "opener.way_out", Session.Status.CLOSING: "closer.way_out"}
"""What is counted in a session, and how."""
HEADLINES = {Session.Status.OPENING: "counted:opener", Session.Status.CLOSING: "counted:closer"}


class Remarks:
    """The sentences of a screen."""

    def __init__(self, screen):
        self.screen, self.ground, self.moment = screen, screen.ground, screen.moment

    def headline(self):
        """What stands in the dealer's place while there is no round."""
        counted, dealing = self.ground.counted, self.ground.croupier_id
        if self.moment == "away":
            if dealing is None:
                return WORDING("away")
            return WORDING("away:took_over" if self.ground.took_over else "away:here", croupier=croupier(dealing))
        if self.moment == "closed":
            return WORDING(HEADLINES[counted.status]) if counted else WORDING("table_closed")
        return WORDING("no_round")

    def bar(self):
        """The line in the bar when there is no button to press, and why."""
        ground, moment = self.ground, self.moment
        if moment == "away":
            return self._where_to_sign_on()
        if moment == "closed":
            if ground.counted:
                return WORDING(COUNTED[ground.counted.status])
            return WORDING("no_sheet" if ground.in_session else "pit_boss_opens")
        if moment == "held":
            return "" if ground.may_report else WORDING("held_for")
        if not ground.may_act:
            return " ".join(filter(None, (WORDING("watching"), self._where_to_sign_on())))
        return WORDING("settling") if moment == "settling" else ""

    def counted(self):
        """The sentence that the table is counted to open or close it, for whoever sees the table."""
        if self.ground.counted is None:
            return None
        session = self.ground.counted
        return {
            "id": session.pk,
            "fact": WORDING(COUNTED[session.status]),
            "way_out": WORDING(COUNTING[session.status]),
        }

    def late(self):
        """The sentence that settlement is late, and where the amounts of this table's round will stand."""
        if not self.ground.late:
            return None
        round_, waiting = self.ground.late
        return {
            "id": round_.pk,
            "fact": WORDING("late", words=lateness.spelled(waiting)),
            "way_out": WORDING("late.way_out", round=str(round_)),
        }

    def _where_to_sign_on(self):
        """Where the person can sign on, if not in this browser."""
        ground = self.ground
        if ground.may_sign_on_here or not ground.may_sign_on:
            return ""
        if ground.croupier_id:
            return WORDING("not_here:relieve", table=ground.table.name, croupier=croupier(ground.croupier_id))
        return WORDING("not_here", table=ground.table.name)

    def dock(self, settled):
        """What the dock says when there is nothing to enter and nothing to pay yet."""
        moment, ground = self.moment, self.ground
        if moment == "open" and not ground.may_act:
            offers = self.screen.buttons.of_croupier()
            step = next((offer["label"] for offer in offers if offer["primary"]), "")
            return WORDING("next_step", step=step) if step else ""
        if moment == "settling":
            return WORDING("settling.late" if ground.late else "settling.dock")
        if moment == "open" and self.screen.view.final:
            return WORDING("entered_all:points" if ground.ahead.in_series else "entered_all")
        if moment == "settled" and all(pay["ticked"] for pay in settled):
            moves = any(payment.staked or payment.paid for payment in self.screen.results.payments)
            return WORDING("handed_over" if moves else "nothing_moves")
        return WORDING("nothing_staked") if moment == "void" and not settled else ""
