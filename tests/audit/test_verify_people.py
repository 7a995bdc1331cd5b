"""`verify_export.py` follows people, their postings and their credentials, and who acts, in whatever chain."""

import base64
import datetime as dt
import json

import pytest

from audit import verify_export as verifier

from ..support import exports
from ..support.desk import Desk

WHOLE = 0
IDA, FRANK, CARL, DORA = (f"staff:{number}" for number in (1, 2, 3, 4))
TWO = {"requester": IDA, "approver": FRANK}
PERIOD = verifier.Claim(*("",) * len(verifier.Claim._fields))._replace(kind="period")


def cose(number):
    """A public key as a passkey has it, another one for each number (Ed25519)."""
    key = bytes([0xA4, 1, 1, 3, 0x27, 0x20, 6, 0x21, 0x58, 32]) + number.to_bytes(32, "big")
    return base64.urlsafe_b64encode(key).decode().rstrip("=")


class Told:
    """Entries two minutes apart, of a house that one person set up."""

    def __init__(self):
        self.entries = []
        for ref, role in ((IDA, "administrator"), (FRANK, "pit_boss")):
            self.tell("staff.added", ref, by="system", staff=ref)
            self.tell("staff.posted", ref, by="system", staff=ref, role=role)

    def tell(self, event, subject, *, by=IDA, chain="house", minutes=2, **facts):
        at = self.entries[-1]["at"] if self.entries else exports.spelled(exports.FIRST_AT)
        at = exports.spelled(dt.datetime.fromisoformat(at.replace("Z", "+00:00")) + dt.timedelta(minutes=minutes))
        entry = {"at": at, "by": by, "chain": chain, "event": event, "facts": facts, "prev": "", "seq": 0}
        self.entries.append({**entry, "subject": subject, "terminal": None, "v": 1})
        return self

    def of(self, ref, event, **facts):
        """What two others do to a person; what is None is left out."""
        facts = {"staff": ref} | TWO | facts
        facts = {name: fact for name, fact in facts.items() if fact is not None}
        return self.tell(event, ref, by=facts.get("requester", IDA), **facts)

    def own(self, ref, event, subject=None, **facts):
        return self.tell(event, subject or ref, by=ref, staff=ref, **facts)

    def join(self, ref=CARL):
        return self.of(ref, "staff.added").of(ref, "staff.posted", role="croupier", pit="pit:1")

    def key(self, ref=CARL, credential="credential:1", **facts):
        public_key = cose(int(credential.partition(":")[2]))
        return self.own(ref, "credential.added", credential, **{"kind": "passkey", "public_key": public_key} | facts)

    def deal(self, ref=CARL, table="table:1", event="staff.signed_on", **when):
        return self.tell(event, ref, by=FRANK, chain=table, staff=ref, **when)


def followed(told, claim=None):
    people = verifier.People(claim, {entry["chain"]: entry["at"] for entry in told.entries})
    for line, entry in enumerate(told.entries, 1):
        people.take(entry, line)
    people.finish()
    return people


def test_people_come_act_leave_and_return_with_what_they_prove_themselves_by():
    told = Told().join().of(CARL, "staff.code_given").key().own(CARL, "recovery_codes.made", number=2)
    told.own(CARL, "staff.password_changed").own(CARL, "recovery_code.used", code="recovery_code:7")
    told.own(CARL, "credential.removed", "credential:1").own(CARL, "recovery_codes.ended")
    told.key(credential="credential:2", kind="app", public_key=None).own(CARL, "recovery_codes.made", number=2)
    told.deal().deal(event="staff.signed_off").deal(table="table:2").deal(table="table:2", event="staff.signed_off")
    told.of(CARL, "staff.posting_ended", role="croupier", pit="pit:1").of(CARL, "staff.posted", role="cage")
    told.tell("credential.removed", "credential:2", staff=CARL, **TWO).of(CARL, "recovery_codes.ended")
    told.of(CARL, "staff.left")
    # A command that was under way is told a moment later.
    told.tell("round.acted", "round:1", by=CARL, chain="table:2", minutes=1)
    told.of(CARL, "staff.returned").of(CARL, "staff.posted", role="cage").tell("round.acted", "round:1", by=CARL)
    people = followed(told)
    assert people.people[CARL].postings == {("cage", None)}
    assert people.people[CARL].credentials == set()
    assert people.credentials.keys() == people.removed == {"credential:1", "credential:2"}


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (Told().join().join(), "added twice"),
        (Told().join().of(DORA, "staff.added", requester=None, approver=None), "by one person alone; two did so"),
        (Told().of(CARL, "staff.added", approver=IDA), "by one person alone"),
        (Told().of(CARL, "staff.added", requester=FRANK, approver=IDA), None),
        (Told().of(CARL, "staff.added", approver=None), "can't be followed"),
        (Told().join().of(CARL, "staff.posted", role="cage", approver=CARL), "by themselves"),
        (Told().join().of(CARL, "staff.posted", role="croupier", pit="pit:1"), "is posted to croupier of pit:1 twice"),
        (Told().join().of(CARL, "staff.posting_ended", role="croupier"), "not posted to croupier"),
        (Told().of(CARL, "staff.posted", role="cage"), "nobody added them"),
        (Told().join().of(CARL, "staff.left").of(CARL, "staff.posted", role="cage"), "left before"),
        (Told().join().of(CARL, "staff.left").of(CARL, "staff.left"), "left before"),
        (Told().join().of(CARL, "staff.returned"), "has not left"),
        (Told().join().key().of(CARL, "staff.left"), "leaves and keeps credential:1"),
        (Told().join().of(CARL, "staff.code_given", approver=IDA), "by one person alone"),
        (Told().join().of(CARL, "staff.left").tell("round.acted", "round:1", by=CARL, chain="table:1"), "left before"),
        (Told().join().of(CARL, "staff.left").tell("round.voided", "round:1", approver=CARL), "left before"),
        (Told().join().of(CARL, "staff.left").deal(), "left before"),
        (Told().tell("round.acted", "round:1", by=CARL, chain="table:1").join(), "and was added later"),
        (Told().tell("round.acted", "round:1", by=CARL, chain="table:1").join(DORA), "and nobody added them"),
        (Told().join().key().key(), "credential:1 is added twice"),
        (Told().join().key(kind="app"), "neither a passkey with its key nor an app"),
        (Told().join().tell("credential.added", "credential:1", staff=CARL, kind="app"), "who adds it"),
        (Told().join().own(CARL, "credential.removed", "credential:1"), "and was not added"),
        (Told().join().key().own(CARL, "credential.removed", "credential:1").own(CARL, "credential.removed",
         "credential:1"), "removed twice"),
        (Told().join().key().tell("credential.removed", "credential:1", staff=CARL), "who removes it"),
        (Told().join().key().tell("credential.removed", "credential:1", staff=CARL, requester=IDA, approver=IDA),
         "by one person alone"),
        (Told().join().key().join(DORA).own(DORA, "credential.removed", "credential:1"), "whose it is"),
        (Told().join().own(CARL, "recovery_codes.made", number=10), "has no credential"),
        (Told().join().key().own(CARL, "recovery_code.used", code="recovery_code:1"), "no recovery code left"),
        (Told().join().key().own(CARL, "recovery_codes.made", number=2).own(CARL, "recovery_code.used", code="x").own(
         CARL, "recovery_code.used", code="x"), "used twice"),
        (Told().join().key().own(CARL, "recovery_codes.made", number=1).own(CARL, "recovery_codes.ended").own(
         CARL, "recovery_code.used", code="x"), "no recovery code left"),
        (Told().join().deal(event="staff.left", table="table:1"), "its staff.left stands at table:1"),
        (Told().join().deal().deal(table="table:2").deal(event="staff.signed_off"), "at once"),
        (Told().join().deal().deal(table="table:2").tell("round.opened", "round:1", chain="table:1"), "at once"),
        (Told().join().deal().of(CARL, "staff.left").deal(event="staff.signed_off"), "and was signed on at table:1"),
    ],
    ids=range(35),
)  # fmt: skip
def test_what_can_t_have_been_of_people_is_a_difference(told, fault):
    if fault is None:
        followed(told)
        return
    with pytest.raises(verifier.Difference, match=fault):
        followed(told)


GHOST = "staff:99"
PARTS = {
    "movement.made": {"people": [IDA, GHOST], "transfer": {"key": "session:1:opener:1:1"}},
    "count.agreed": {"signers": [GHOST, IDA], "of": "session:1"},
    "session.opened": {"signers": [IDA, GHOST]},
    "slip.requested": {"requester": GHOST},
    "slip.issued": {"issuer": IDA, "carrier": GHOST},
    "slip.received": {"receiver": GHOST, "witness": IDA},
    "drop_box.removed": {"people": [GHOST, IDA]},
    "round.voided": {"requester": IDA, "approver": GHOST},
    "case.opened": {"owner": GHOST},
    "sheet.drafted": {"author": GHOST},
    "sheet.published": {"author": IDA, "signer": GHOST},
    "relief.asked": {"staff": GHOST, "requester": IDA},
}


def part(event, who):
    facts = json.loads(json.dumps(PARTS[event]).replace(GHOST, who))
    chain = "house" if event.startswith("sheet.") else "table:1"
    return lambda told, minutes=2: told.tell(event, "slip:1", chain=chain, minutes=minutes, **facts)


@pytest.mark.parametrize("event", PARTS)
def test_whoever_has_a_part_in_an_entry_was_added_and_has_not_left(event):
    followed(part(event, CARL)(Told().join()))
    with pytest.raises(verifier.Difference, match=r"staff:99 acts at (house|table:1), and nobody added them"):
        followed(part(event, GHOST)(Told().join()))
    gone = Told().join().of(CARL, "staff.left")
    if event == "slip.received":
        # Who counted may have left before the other one did.
        followed(part(event, CARL)(gone))
        return
    with pytest.raises(verifier.Difference, match=r"staff:3 acts at (house|table:1), and left before"):
        followed(part(event, CARL)(gone))


@pytest.mark.parametrize(
    ("event", "facts"),
    [
        ("count.agreed", {"of": "slip:1", "signers": [CARL, FRANK]}),
        ("movement.made", {"people": [CARL, FRANK], "transfer": {"key": "slip:1:fill:1:1"}}),
        ("movement.made", {"people": [IDA, CARL], "transfer": {"key": "round:7:variance:1:1"}}),
    ],
)
def test_who_counted_a_slip_or_entered_a_round_may_have_left_when_the_rest_is_told(event, facts):
    followed(Told().join().of(CARL, "staff.left").tell(event, "slip:1", chain="table:1", **facts))
    with pytest.raises(verifier.Difference, match="nobody added"):
        followed(Told().tell(event, "slip:1", chain="table:1", **facts))


@pytest.mark.parametrize(
    "ref", ["system", "nobody", "", 7, True, None, [], "staff:0", "staff:03", "staff:3x", "round:1"]
)
@pytest.mark.parametrize("name", ["requester", "approver"])
def test_who_is_no_person_has_no_part_in_anything(ref, name):
    for event, chain in (("staff.added", "house"), ("round.voided", "table:1")):
        told = Told().tell(event, CARL, chain=chain, staff=CARL, **{**TWO, name: ref})
        with pytest.raises(verifier.Difference, match=r"is no person|by one person alone"):
            followed(told)


@pytest.mark.parametrize("people", [[], IDA, None])
def test_what_people_did_together_somebody_did(people):
    with pytest.raises(verifier.Difference, match="session:1 is by nobody, as its signers says"):
        followed(Told().tell("session.opened", "session:1", chain="table:1", signers=people))


def test_one_person_is_not_two():
    told = Told().tell("round.voided", "round:1", chain="table:1", requester=IDA, approver=IDA)
    with pytest.raises(verifier.Difference, match="round:1 is by one person alone, who asks and approves"):
        followed(told)
    told = Told().tell("session.opened", "session:1", chain="table:1", signers=[FRANK, FRANK])
    with pytest.raises(verifier.Difference, match="session:1 is by one person alone, twice in its signers"):
        followed(told)


def test_whoever_ends_another_s_second_step_ends_their_password_too():
    """Then two others with a password are missing, and the system gives the code."""
    told = Told().join()
    for ref in (IDA, FRANK, CARL):
        if ref == CARL:
            told.of(CARL, "staff.code_given")
        told.own(ref, "staff.password_changed")
    told.key(IDA).own(IDA, "recovery_codes.made", number=2)
    by = {"requester": CARL, "approver": FRANK}
    told.tell("credential.removed", "credential:1", by=CARL, staff=IDA, **by).of(IDA, "recovery_codes.ended", **by)
    told.of(IDA, "staff.code_given", **by).tell("staff.code_given", FRANK, by="system", staff=FRANK)
    followed(told)
    told.own(IDA, "staff.password_changed").tell("staff.code_given", FRANK, by="system", staff=FRANK)
    with pytest.raises(verifier.Difference, match=r"staff:2: its staff.code_given can't be followed"):
        followed(told)


def coded():
    return Told().join().of(CARL, "staff.code_given")


LONG = 24 * 60 + 1.5


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (coded().own(CARL, "staff.password_changed").own(CARL, "staff.password_changed"), None),
        (coded().own(CARL, "staff.password_changed", minutes=LONG - 0.5), None),
        # Who sets the house up may have a password from the beginning.
        (Told().own(IDA, "staff.password_changed"), None),
        (Told().join().own(CARL, "staff.password_changed"), "neither an old one nor a code"),
        (coded().own(CARL, "staff.password_changed", minutes=LONG), "neither an old one nor a code"),
        (coded().own(CARL, "staff.password_changed").of(CARL, "staff.left").of(CARL, "staff.returned").own(
         CARL, "staff.password_changed"), "neither an old one nor a code"),
        (coded().of(CARL, "staff.left").of(CARL, "staff.returned").own(CARL, "staff.password_changed"),
         "neither an old one nor a code"),
        (coded().of(CARL, "staff.left").own(CARL, "staff.password_changed"), "left before"),
        (coded().tell("staff.password_changed", CARL, staff=CARL), "who sets a password"),
        (coded().own(CARL, "staff.password_changed", FRANK), "its person"),
        (Told().own(GHOST, "staff.password_changed"), "nobody added them"),
    ],
    ids=range(11),
)  # fmt: skip
def test_a_password_is_set_by_its_person_with_the_old_one_or_a_code(told, fault):
    judged(told, fault)


def judged(told, fault):
    if fault is None:
        followed(told)
        return
    with pytest.raises(verifier.Difference, match=fault):
        followed(told)


ALONE = {"requester": None, "approver": None}


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (Told().of(CARL, "staff.added", minutes=54, **ALONE), None),
        (Told().of(CARL, "staff.added", minutes=54.1, **ALONE), "long after the house was set up"),
        (Told().of(FRANK, "staff.left", minutes=54.1, **ALONE), "long after the house was set up"),
        (Told().of(IDA, "staff.posted", role="cage", **ALONE), None),
        (Told().tell("staff.added", CARL, by=CARL, staff=CARL), "staff:3 is added by themselves|was added later"),
        (Told().own(IDA, "staff.left"), "staff:1 is let go by themselves"),
        (Told().tell("staff.code_given", IDA, by="system", staff=IDA).of(CARL, "staff.added", **ALONE),
         "by one person alone; two did so before"),
    ],
    ids=range(7),
)  # fmt: skip
def test_one_person_alone_sets_a_house_up_and_no_more(told, fault):
    judged(told, fault)


def test_of_a_part_nobody_knows_when_the_house_was_set_up():
    told = Told().of(CARL, "staff.added", minutes=90, **ALONE)
    followed(told, PERIOD)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        # Of one chain the order is certain, of two it is not within a minute.
        (Told().tell("round.acted", "round:1", by=CARL, chain="table:1", minutes=0.1).of(
         CARL, "staff.added", minutes=0.9), None),
        (Told().tell("export.made", "export:1", by=CARL, minutes=0.1).of(CARL, "staff.added", minutes=0.1),
         "acts at house, and was added later"),
        (Told().tell("round.acted", "round:1", by=CARL, chain="table:1", minutes=0.1).tell(
         "export.made", "export:1", by=CARL, minutes=0.1).of(CARL, "staff.added", minutes=0.1),
         "acts at house, and was added later"),
        (Told().tell("round.acted", "round:1", by=CARL, chain="table:1", minutes=3).tell(
         "round.acted", "round:2", by=CARL, chain="table:2", minutes=-3).of(CARL, "staff.added", minutes=2),
         "acts at table:2, and was added later"),
        (Told().of(CARL, "staff.added", minutes=0.1, approver=DORA).of(
         DORA, "staff.added", minutes=0.1, approver=CARL), "staff:4 acts at house, and was added later"),
        (Told().join().of(CARL, "staff.left").tell("export.made", "export:1", by=CARL, minutes=1 / 6), None),
        (Told().join().of(CARL, "staff.left").tell("export.made", "export:1", by=CARL, minutes=0.175), "left before"),
        (Told().join().of(CARL, "staff.left").tell("round.acted", "round:1", by=CARL, chain="table:1", minutes=1),
         None),
    ],
    ids=range(8),
)  # fmt: skip
def test_the_order_of_one_chain_is_certain(told, fault):
    judged(told, fault)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        (Told().tell("round.acted", "round:1", by=GHOST, chain="table:1"), "staff:99 acts at table:1, and nobody"),
        (Told().tell("round.acted", "round:1", by="round:1", chain="table:1"), "round:1 is no person"),
        (Told().of("staff:03", "staff.added"), "staff:03 is no person"),
        (Told().join().of(CARL, "staff.posted", role="emperor"), "which there is not"),
        (Told().join().of(CARL, "staff.posted", role="cage", pit="pit:01"), "which there is not"),
        (Told().join().of(CARL, "staff.posted", role="cage", pit="pit:10"), None),
        (Told().join().key().key(credential="credential:2"), None),
        (Told().join().key().key(credential="credential:2", public_key=cose(1)), None),
        (Told().join().key().key(FRANK, "credential:2", public_key=cose(1)), "has another person's key"),
        (Told().join().key(public_key=""), "has another person's key, or none"),
        (Told().join().key(public_key="!!!"), "has another person's key, or none"),
        (Told().join().key().own(CARL, "recovery_codes.made", number=2).own(CARL, "credential.removed",
         "credential:1").key(credential="credential:2"), "adds a credential, and keeps recovery codes"),
        (Told().join().key().own(CARL, "recovery_codes.made", number=2).own(CARL, "credential.removed",
         "credential:1").of(CARL, "staff.left"), "leaves, and keeps recovery codes"),
        (Told().join().key().own(CARL, "recovery_codes.made", number=2).own(CARL, "recovery_codes.ended").own(
         CARL, "recovery_codes.ended"), "loses their recovery codes, and has none"),
        (Told().join().own(CARL, "recovery_codes.ended"), "loses their recovery codes, and has none"),
        (Told().join().key().own(CARL, "recovery_codes.made", number=2).own(CARL, "recovery_code.used", code=7),
         "can't be followed"),
    ],
    ids=range(16),
)  # fmt: skip
def test_people_postings_and_credentials_are_what_the_product_knows(told, fault):
    judged(told, fault)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        # Both for hours, the second one within a minute of the first.
        (Told().join().deal().deal(table="table:2", minutes=0.5).deal(event="staff.signed_off", minutes=90).deal(
         table="table:2", event="staff.signed_off"), "at once"),
        # A short one stands between.
        (Told().join().deal().deal(table="table:2", minutes=0.3).deal(table="table:2", event="staff.signed_off",
         minutes=0.3).deal(table="table:3", minutes=60).deal(event="staff.signed_off", minutes=90).deal(
         table="table:3", event="staff.signed_off"), "at table:3 and at table:1 at once"),
        (Told().join().deal().deal(table="table:2", minutes=9).deal(table="table:2", event="staff.signed_off",
         minutes=0.1).deal(event="staff.signed_off"), "at once"),
        (Told().join().deal().deal(event="staff.signed_off", minutes=9).deal(table="table:2", minutes=-0.5).deal(
         table="table:2", event="staff.signed_off", minutes=9), None),
        # A sign-on of no minute may be before or behind the other one.
        (Told().join().deal(minutes=0.2).deal(table="table:2", minutes=0.2).deal(table="table:2",
         event="staff.signed_off", minutes=0.1).deal(event="staff.signed_off", minutes=0.1), None),
        (Told().join().deal().deal(), "is signed on at table:1 twice"),
        (Told().join().deal(event="staff.signed_off"), "off at table:1, and never on"),
        (Told().join().deal().deal(event="staff.signed_off").deal(event="staff.signed_off"), "and never on"),
        (Told().join().deal().tell("staff.signed_off", FRANK, chain="table:1", staff=CARL), "its person"),
        (Told().join().tell("staff.signed_on", FRANK, chain="table:1", staff=CARL), "its person"),
        (Told().join().deal(table="house"), "its staff.signed_on stands at house"),
        (Told().join().tell("relief.asked", "relief:1", staff=CARL, requester=IDA), "its relief.asked stands at house"),
        (Told().join().deal().of(CARL, "staff.left", minutes=0.5).deal(event="staff.signed_off", minutes=90),
         "left, and was signed on at table:1"),
        (Told().join().of(CARL, "staff.left").of(CARL, "staff.returned", minutes=0.1).deal(minutes=0.1).deal(
         event="staff.signed_off", minutes=90), None),
    ],
    ids=range(14),
)  # fmt: skip
def test_sign_ons_are_one_at_a_time_from_on_to_off(told, fault):
    judged(told, fault)


def test_recovery_codes_are_as_many_as_were_made():
    for number in (1, 2, 3):
        told = Told().join().key().own(CARL, "recovery_codes.made", number=number)
        for place in range(number):
            told.own(CARL, "recovery_code.used", code=f"recovery_code:{place}")
        followed(told)
        with pytest.raises(verifier.Difference, match="no recovery code left"):
            followed(told.own(CARL, "recovery_code.used", code="recovery_code:9"))


def test_of_a_part_a_sign_on_may_have_begun_before():
    followed(Told().join().deal(event="staff.signed_off"), PERIOD)
    followed(Told().key().own(CARL, "recovery_codes.ended"), PERIOD)


def test_of_a_part_it_says_nothing_of_what_began_before_it():
    told = Told().join().key().own(CARL, "recovery_codes.made", number=2)
    told.own(CARL, "recovery_code.used", code="x").own(CARL, "credential.removed", "credential:1")
    told.own(CARL, "recovery_codes.ended").of(CARL, "staff.left")
    for begins in range(len(told.entries)):
        part = Told()
        part.entries = told.entries[begins:]
        followed(part, PERIOD)


@pytest.mark.parametrize("kept", [exports.KEPT_NIGHT, exports.NIGHT_BEFORE_DAYS, exports.NIGHT_BEFORE_SLOTS])
def test_a_log_from_before_two_people_did_it_is_whole(kept, tmp_path):
    entries = exports.kept_night(kept)
    log = exports.Log(exports.chained(entries), [len(entries)])
    report = Desk(tmp_path, log).report(log.all())
    added = sum(entry["event"] == "staff.added" for entry in entries)
    assert (report["status"], report["looks"]["people"]) == (WHOLE, f"{added} people, 0 credentials, 0 differences")


def test_an_export_in_which_one_acts_after_they_left_is_tampered(tmp_path):
    told = Told().join().of(CARL, "staff.left").tell("export.made", "export:1", by=CARL, what="all", range="1..1")
    log = exports.Log(exports.chained(told.entries), [len(told.entries)])
    desk = Desk(tmp_path, log)
    assert desk.judge(log.all())[1][0] == "tampered: entries.jsonl line 8: staff:3 acts at house, and left before."
    assert desk.report(log.table("house"))["gaps"]["people"].startswith("not followed")
