"""Two people do the same to chips, or what excludes each other, at the same moment: one is served, the other told."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import transaction

from audit import chains
from audit.models import Chain
from casino.errors import Refused
from casino.running import embedded
from payouts import ledger
from payouts.models import Account
from tables.models import CageShift, Session, SignOn, Slip
from tables.people import staff
from tables.verbs import cage, sessions, slips

from ...support import factories, proof, stack, waiting
from ...support.factories import CHIPS, actor, count_cage, count_session, count_slip, issue, person, slip, table

SERVED = None
REASON = "Others sign than counted."
OPENER = {"500": 200, "10000": 20}


def counter(of, by, chips=None):
    return slips.count, {"slip_id": of.pk, "denominations": chips or CHIPS, "actor": actor(by)}


def issuer(of, by):
    return slips.issue, {"slip_id": of.pk, "actor": actor(by)}


def asker(by="clara", code="T1"):
    of = table(code).pk
    return slips.request, {"table_id": of, "kind": "fill", "denominations": CHIPS, "actor": actor(by)}


def voider(of, verb=slips.void):
    return verb, {"slip_id": of.pk, "reason": "Keyed twice.", "actor": actor("clara", "hugo")}


def closer_counter(by):
    running = session()
    return sessions.count, {"session_id": running.pk, "denominations": float_chips(), "actor": actor(by)}


def signer(signed_with="hugo", **more):
    return sessions.sign, {"session_id": session().pk, "actor": actor("clara", signed_with), **more}


def stopper():
    return sessions.stop, {"session_id": session().pk, "actor": actor("clara")}


def resumer():
    return sessions.resume, {"session_id": session().pk, "actor": actor("clara", "hugo")}


def cage_counter(by):
    return cage.count, {"shift_id": factories.cage_shift().pk, "denominations": cage_chips(), "actor": actor(by)}


def cage_signer(by="hugo", signed_with="olga"):
    return cage.sign, {"shift_id": factories.cage_shift().pk, "actor": actor(by, signed_with)}


def seller():
    arguments = {"kind": "sold", "units": 100, "actor": actor("hugo", "clara")}
    return cage.move, {"shift_id": factories.cage_shift().pk, **arguments}


def session():
    """The session of the first table that is not closed."""
    return table("T1").sessions.running().get()


def float_chips():
    return _chips(ledger.balance(table("T1").float_account))


def cage_chips():
    return _chips(ledger.balance(Account.objects.get(kind="cage")))


def _chips(units):
    """Chips of two kinds that come to so many units."""
    return {"100": units % 100_000 // 100, "100000": units // 100_000}


def opened():
    """The first table is open, with Anna at it and no slip on its way, whatever was before."""
    running = factories.in_session(table("T1"), OPENER)
    for left in Slip.objects.running().filter(table=running.table):
        (factories.void_slip if left.status == "REQUESTED" else factories.send_back)(left)
    if not SignOn.objects.filter(table=running.table, signed_off_at=None).exists():
        with transaction.atomic():
            staff.sign_on(staff=person("anna"), table=running.table, actor=actor("clara"))
    return running


def stopped():
    opened()
    return factories.stop_session(table("T1"))


def counted_out():
    """Two have counted what closes the first table."""
    closing, chips = stopped(), float_chips()
    for by in ("hugo", "clara"):
        count_session(closing, chips, by=by)


def opener_counted():
    """Two have counted what opens the first table."""
    opened()
    factories.close_session(table("T1"), float_chips())
    opening = factories.begin_session(table("T1"))
    for by in ("hugo", "clara"):
        count_session(opening, OPENER, by=by)


def on_its_way(*by, kind="fill"):
    """A slip that was issued and that these people have counted."""
    opened()
    going = issue(slip(table("T1"), kind))
    for each in by:
        count_slip(going, by=each)
    return going


def cage_counted(*by):
    """A shift of the cage that just these people have counted."""
    entered = cage.standing(factories.cage_shift()).entered
    if entered:
        counted = {each.by.login for each in entered}
        for each in {"hugo", "olga"} - counted:
            count_cage(cage_chips(), by=each)
        factories.sign_cage()
    for each in by:
        count_cage(cage_chips(), by=each)


# Each arranges its moment and says what two people do then.


def two_issue_one_slip():
    opened()
    asked = slip(table("T1"))
    return issuer(asked, "hugo"), issuer(asked, "olga")


def two_count_a_fill_last():
    going = on_its_way("anna")
    return counter(going, "clara"), counter(going, "karl")


def two_count_a_fill_first():
    going = on_its_way()
    return counter(going, "anna"), counter(going, "clara")


def one_counts_a_fill_twice():
    going = on_its_way()
    return counter(going, "anna"), counter(going, "anna")


def a_fill_is_counted_and_sent_back():
    going = on_its_way("anna")
    return counter(going, "clara"), voider(going, slips.send_back)


def a_fill_is_issued_and_voided():
    opened()
    asked = slip(table("T1"))
    return issuer(asked, "hugo"), voider(asked)


def two_ask_for_fills():
    opened()
    return asker(), asker("frank", "T3")


def the_last_round_is_called_and_a_fill_asked_for():
    opened()
    return stopper(), asker()


def the_last_round_is_called_and_a_fill_issued():
    opened()
    return stopper(), issuer(slip(table("T1")), "hugo")


def the_last_round_is_called_and_a_fill_received():
    going = on_its_way("anna")
    return stopper(), counter(going, "clara")


def a_table_is_closed_and_a_fill_asked_for():
    counted_out()
    return signer(), asker()


def a_table_is_closed_and_a_credit_received():
    going = on_its_way("hugo", kind="credit")
    closing, chips = factories.stop_session(table("T1")), float_chips()
    for by in ("hugo", "clara"):
        count_session(closing, chips, by=by)
    return signer(), counter(going, "karl")


def a_table_is_closed_and_a_fill_issued_elsewhere():
    counted_out()
    return signer(), issuer(slip(table("T3")), "olga")


def a_table_is_closed_and_a_fill_received_elsewhere():
    counted_out()
    going = count_slip(issue(slip(table("T3"))), by="greta")
    return signer(), counter(going, "frank")


def a_table_is_closed_and_carried_on():
    counted_out()
    return signer(), signer(carry=True)


def two_carry_a_table_on():
    counted_out()
    return signer(carry=True), signer(signed_with="anna", reason=REASON, carry=True)


def a_table_is_closed_and_let_go_on():
    counted_out()
    return signer(), resumer()


def two_sign_a_closer():
    counted_out()
    return signer(), signer(signed_with="anna", reason=REASON)


def two_sign_an_opener():
    opener_counted()
    return signer(reason=REASON), signer(signed_with="anna", reason=REASON)


def two_count_a_closer_first():
    stopped()
    return closer_counter("hugo"), closer_counter("clara")


def one_counts_a_closer_twice():
    stopped()
    return closer_counter("hugo"), closer_counter("hugo")


def two_begin_a_session():
    opened()
    factories.close_session(table("T1"), float_chips())
    begin = sessions.begin, {"table_id": table("T1").pk, "actor": actor("clara")}
    return begin, begin


def one_counts_the_cage_twice():
    cage_counted()
    return cage_counter("olga"), cage_counter("olga")


def two_count_the_cage_first():
    cage_counted()
    return cage_counter("olga"), cage_counter("hugo")


def two_sign_the_cage():
    cage_counted("olga", "hugo")
    return cage_signer(), cage_signer("olga", "hugo")


def the_cage_is_counted_first_and_a_fill_issued():
    opened()
    cage_counted()
    return cage_counter("hugo"), issuer(slip(table("T1")), "olga")


def the_cage_is_counted_last_and_a_fill_issued():
    opened()
    cage_counted("olga")
    return cage_counter("hugo"), issuer(slip(table("T1")), "olga")


def the_cage_is_counted_last_and_a_table_closed():
    counted_out()
    cage_counted("olga")
    return cage_counter("hugo"), signer()


def the_cage_is_signed_for_and_chips_are_sold():
    cage_counted("olga", "hugo")
    return cage_signer(), seller()


def the_cage_is_signed_for_and_a_fill_issued():
    opened()
    cage_counted("olga", "hugo")
    return cage_signer(), issuer(slip(table("T1")), "hugo")


def either(*refused):
    """One is served, and the other is told one of these."""
    return {pair for code in refused for pair in ((SERVED, code), (code, SERVED))}


BOTH = {(SERVED, SERVED)}
RACES = {
    two_issue_one_slip: either("slip_wrong_moment"),
    two_count_a_fill_last: either("slip_wrong_moment"),
    two_count_a_fill_first: BOTH,
    one_counts_a_fill_twice: either("counted_already"),
    a_fill_is_counted_and_sent_back: either("slip_wrong_moment"),
    a_fill_is_issued_and_voided: either("slip_wrong_moment"),
    two_ask_for_fills: BOTH,
    the_last_round_is_called_and_a_fill_asked_for: {(SERVED, "session_closed"), ("slip_running", SERVED)},
    the_last_round_is_called_and_a_fill_issued: {("slip_running", SERVED)},
    the_last_round_is_called_and_a_fill_received: {("slip_running", SERVED), *BOTH},
    a_table_is_closed_and_a_fill_asked_for: {(SERVED, "session_closed")},
    a_table_is_closed_and_a_credit_received: BOTH,
    a_table_is_closed_and_a_fill_issued_elsewhere: BOTH,
    a_table_is_closed_and_a_fill_received_elsewhere: BOTH,
    a_table_is_closed_and_carried_on: either("session_wrong_moment"),
    two_carry_a_table_on: either("session_wrong_moment"),
    a_table_is_closed_and_let_go_on: either("session_wrong_moment"),
    two_sign_a_closer: either("session_wrong_moment"),
    two_sign_an_opener: either("session_wrong_moment"),
    two_count_a_closer_first: BOTH,
    one_counts_a_closer_twice: either("counted_already"),
    two_begin_a_session: either("session_open"),
    one_counts_the_cage_twice: either("counted_already"),
    two_count_the_cage_first: BOTH,
    two_sign_the_cage: either("shift_closed"),
    the_cage_is_counted_first_and_a_fill_issued: BOTH,
    the_cage_is_counted_last_and_a_fill_issued: BOTH,
    the_cage_is_counted_last_and_a_table_closed: BOTH,
    the_cage_is_signed_for_and_chips_are_sold: {(SERVED, SERVED), (SERVED, "shift_closed")},
    the_cage_is_signed_for_and_a_fill_issued: BOTH,
}


class Looker:
    """Looks at the books after each race, remembering how far the log was found whole."""

    def __init__(self):
        self.chains = {}

    def look(self):
        """Raise unless the ledger adds up to nothing, the log's chains hold and no slip's number is missing."""
        assert sum(ledger.balances().values()) == 0
        for key in Chain.objects.values_list("key", flat=True):
            self.chains[key] = chains.verify(key, self.chains.get(key))
        for kind in Slip.Kind.values:
            numbers = Slip.objects.filter(kind=kind).order_by("number").values_list("number", flat=True)
            assert list(numbers) == list(range(1, len(numbers) + 1)), kind


def served(verb, arguments):
    """None if a command was carried out, or the code of the refusal; it raises if that says no way out."""
    try:
        with transaction.atomic():
            verb(**arguments)
    except Refused as refusal:
        if not refusal.way_out:
            raise
        return refusal.code
    return SERVED


def run(arrange, times):
    """A race so many times on one database.

    :returns: how often it ended how.
    """
    ended, looker = Counter(), Looker()
    with factories.side_by_side(2) as together:
        for _ in range(times):
            codes = together(*(partial(served, *work) for work in arrange()))
            broken = [code for code in codes if isinstance(code, BaseException)]
            assert not broken, broken
            ended[tuple(codes)] += 1
            looker.look()
    assert set(ended) <= RACES[arrange], ended
    return ended


NAMES = pytest.mark.parametrize("arrange", RACES, ids=lambda arrange: arrange.__name__)


@NAMES
def test_of_two_at_once_each_is_served_or_told_a_way_out(arrange, seeded_db):
    run(arrange, 2)


@pytest.mark.proof
@NAMES
def test_of_two_at_once_each_is_served_or_told_a_way_out_fifty_times(arrange, seeded_db):
    begun, times = time.monotonic(), proof.size(50, 2)
    ended = run(arrange, times)
    print(f"\n{arrange.__name__}: {times} races in {time.monotonic() - begun:.0f} s, ended {dict(ended)}")


def test_no_chip_leaves_the_cage_between_what_the_books_have_and_the_second_count(seeded_db):
    """The second count was refused by the database when a fill went out in the middle of it."""
    going, chips = slip(table("T1")), cage_chips()
    count_cage(chips, by="olga")
    with stack.cluster().connect(embedded.OWNER, seeded_db) as owner, ThreadPoolExecutor(2) as pool:
        owner.execute("BEGIN; LOCK TABLE tables_count IN SHARE MODE")
        second = pool.submit(count_cage, chips, by="hugo")
        waiting.until(lambda: waiting.behind(owner) == 1)
        issued = pool.submit(issue, going)
        waiting.until(lambda: waiting.behind(owner) == 2)
        owner.execute("COMMIT")
        assert [count.place for count in second.result()] == [1, 2]
        assert issued.result().status == "ISSUED"
    assert factories.sign_cage().variance_units == 0
    assert (CageShift.objects.get().status, Session.objects.filter(status="CLOSED").count()) == ("CLOSED", 0)


def test_a_table_closes_whatever_moves_at_another_one_meanwhile(seeded_db):
    """A snapshot was refused by the database when chips moved elsewhere in the midst of a closing."""
    counted_out()
    going = slip(table("T3"))
    with stack.cluster().connect(embedded.OWNER, seeded_db) as owner, ThreadPoolExecutor(1) as pool:
        owner.execute("BEGIN; LOCK TABLE payouts_snapshot IN SHARE ROW EXCLUSIVE MODE")
        closing = pool.submit(served, *signer())
        waiting.until(lambda: waiting.behind(owner))
        issue(going)
        owner.execute("COMMIT")
        assert closing.result() is SERVED
    Looker().look()
