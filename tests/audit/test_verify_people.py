"""`verify_export.py` follows people, their postings and their credentials, and who acts, in whatever chain."""

import datetime as dt

import pytest

from audit import verify_export as verifier

from ..support import exports
from ..support.desk import Desk

WHOLE = 0
IDA, FRANK, CARL, DORA = (f"staff:{number}" for number in (1, 2, 3, 4))
TWO = {"requester": IDA, "approver": FRANK}


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
        return self.own(ref, "credential.added", credential, **{"kind": "passkey", "public_key": "a"} | facts)

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
    told.own(CARL, "recovery_code.used", code="recovery_code:7").own(CARL, "credential.removed", "credential:1")
    told.key(credential="credential:2", kind="app", public_key=None).own(CARL, "recovery_codes.ended")
    told.deal().deal(event="staff.signed_off").deal(table="table:2").deal(table="table:2", event="staff.signed_off")
    told.of(CARL, "staff.posting_ended", role="croupier", pit="pit:1").of(CARL, "staff.posted", role="cage")
    told.tell("credential.removed", "credential:2", staff=CARL, **TWO).of(CARL, "staff.left")
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


def test_of_a_part_it_says_nothing_of_what_began_before_it():
    told = Told().join().key().own(CARL, "recovery_codes.made", number=2)
    told.own(CARL, "recovery_code.used", code="x").own(CARL, "credential.removed", "credential:1")
    told.of(CARL, "staff.left")
    claim = verifier.Claim(*("",) * len(verifier.Claim._fields))._replace(kind="period")
    for begins in range(len(told.entries)):
        part = Told()
        part.entries = told.entries[begins:]
        followed(part, claim)


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
