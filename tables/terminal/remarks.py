"""What a terminal's screen says in sentences where there is nothing to press or to enter, and why."""

from ..models import Session
from ..words.actions import croupier
from .felt import NO_ROUND, TABLE_CLOSED

PIT_BOSS_OPENS = "The pit boss opens the table."
COUNTED = {
    Session.Status.OPENING: ("The opener is counted.", "Count what the cage gave: two people do, and both sign."),
    Session.Status.CLOSING: ("The last round was called.", "Count the float: two people do, and both sign."),
}


class Remarks:
    """The sentences of a screen."""

    def __init__(self, screen):
        self.screen, self.ground, self.moment = screen, screen.ground, screen.moment

    def headline(self):
        """What stands in the dealer's place where there is no round."""
        if self.moment == "away":
            if self.ground.croupier_id is None:
                return "Nobody is signed on"
            return f"{croupier(self.ground.croupier_id)} {'took over' if self.ground.took_over else 'deals here'}"
        if self.moment == "closed":
            return f"Table {self.ground.counted.get_status_display()}" if self.ground.counted else TABLE_CLOSED
        return NO_ROUND

    def bar(self):
        """The line in the bar where there is no button to press, and why."""
        ground, moment = self.ground, self.moment
        if moment == "away":
            return self._where_to_sign_on()
        if moment == "closed":
            if ground.counted:
                return COUNTED[ground.counted.status][0]
            return PIT_BOSS_OPENS if not ground.in_session else "No rule sheet is in force. The pit boss sets one."
        if moment == "held":
            return "" if ground.may_report else "The round is held. The pit boss releases it, rules on it or voids it."
        if not ground.may_act:
            return f"You are watching. Only the croupier signed on here enters. {self._where_to_sign_on()}".rstrip()
        return "Settling …" if moment == "settling" else ""

    def counted(self):
        """That the table is counted to open or to close it; for whoever sees the table."""
        if self.ground.counted is None:
            return None
        fact, way_out = COUNTED[self.ground.counted.status]
        return {"id": self.ground.counted.pk, "fact": fact, "way_out": way_out}

    def late(self):
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
        return f"This browser is not a terminal of {ground.table.name}. {do} at the table, or let the pit boss do it."

    def dock(self, settled):
        """What the dock says where there is nothing to enter and nothing to pay yet."""
        moment, ground = self.moment, self.ground
        if moment == "open" and not ground.may_act:
            offers = self.screen.buttons.of_croupier()
            return next((f"The croupier’s next step: {offer['label']}." for offer in offers if offer["primary"]), "")
        if moment == "settling" and ground.late:
            return (
                "Leave what lies on the boxes: what to hand over appears here by itself. "
                "If the pit boss has the table go on, it will stand on the round’s page."
            )
        if moment == "settling":
            return "The round is closed. What to hand over appears here by itself."
        if moment == "open" and self.screen.view.final:
            what = "the points" if ground.ahead.in_series else "what to hand over"
            return f"Everything is entered. Close the round to see {what}."
        if moment == "settled" and all(pay["ticked"] for pay in settled):
            moves = any(payment.staked or payment.paid for payment in self.screen.results.payments)
            return "Everything is handed over." if moves else "Nothing changes hands with this round."
        return "The round is void. Nothing was staked." if moment == "void" and not settled else ""
