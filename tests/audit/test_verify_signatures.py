"""`verify_export.py` on signatures by passkey: it takes what the product took, and no forgery of a log's own house."""

import base64
import copy
import hashlib
import json
import random
from typing import NamedTuple

import cbor2
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given as law
from hypothesis import strategies as st
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from audit import verify_export as verifier

from ..support import exports
from ..support.authenticator import PRESENT, Authenticator

CLARA, IDA, FRANK = "staff:5", "staff:9", "staff:6"
WHOLE, TAMPERED = 0, 1
FORGERIES = 1000


def test_p256_agrees_with_the_library_on_right_and_wrong_signatures():
    chance = random.Random(7)
    for _ in range(60):
        key, message = ec.generate_private_key(ec.SECP256R1()), chance.randbytes(chance.randint(0, 90))
        numbers = key.public_key().public_numbers()
        public = numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")
        signature = bytearray(key.sign(message, ec.ECDSA(hashes.SHA256())))
        assert verifier.verify_p256(public, message, bytes(signature))
        signature[chance.randrange(len(signature))] ^= 1 << chance.randrange(8)
        try:
            key.public_key().verify(bytes(signature), message, ec.ECDSA(hashes.SHA256()))
        except InvalidSignature:
            assert not verifier.verify_p256(public, message, bytes(signature))
        assert not verifier.verify_p256(public, message + b"!", bytes(signature))


@pytest.mark.parametrize("public", [bytes(64), b"\xff" * 64, bytes(63) + b"\x01", b""])
def test_a_point_beside_the_curve_is_no_key(public):
    assert not verifier.verify_p256(public, b"", bytes.fromhex("3006020101020101"))


def test_edges_of_ecdsa_are_refused():
    key = ec.generate_private_key(ec.SECP256R1()).public_key().public_numbers()
    public = key.x.to_bytes(32, "big") + key.y.to_bytes(32, "big")
    n = verifier.N256

    def der(r, s):
        numbers = [each.to_bytes(33, "big").lstrip(b"\0") or b"\0" for each in (r, s)]
        numbers = [b"\0" + each if each[0] > 127 else each for each in numbers]
        body = b"".join(b"\x02" + bytes([len(each)]) + each for each in numbers)
        return b"\x30" + bytes([len(body)]) + body

    for r, s in ((0, 1), (1, 0), (0, 0), (n, 1), (1, n), (1, 1), (n - 1, n - 1)):
        assert not verifier.verify_p256(public, b"", der(r, s))
    for data in (b"", b"\x30", b"\x30\x00", b"\x30\x06\x02\x01\x01\x02\x01", b"\x30\x80" + bytes(72)):
        assert not verifier.verify_p256(public, b"", data)


@pytest.mark.parametrize("ed", [False, True])
def test_a_key_is_read_from_the_form_of_passkeys(ed):
    authenticator = Authenticator(ed=ed)
    algorithm, public = verifier.cose_key(authenticator.cose())
    fields = cbor2.loads(authenticator.cose())
    assert (algorithm, public) == (fields[3], fields[-2] + fields.get(-3, b""))


@law(st.binary(max_size=90))
def test_nothing_else_is_read_as_a_key(data):
    assert verifier.cose_key(data) is None


def at(minute, second=0):
    return f"2026-11-26T20:{minute:02}:{second:02}.000000Z"


def entry(moment, chain, event, subject, by, **facts):
    told = {"at": moment, "by": by, "chain": chain, "event": event, "facts": facts, "prev": "", "seq": 0}
    return {**told, "subject": subject, "terminal": None, "v": 1}


class Claimed(NamedTuple):
    """What of a claim it takes to know whether the export is of everything."""

    kind: str


class House:
    """A log in which Ida added a passkey and signed two commands of Clara's by it, and one by password."""

    def __init__(self, *, ed=False):
        self.passkey = Authenticator("casino.example", "https://casino.example", ed=ed)
        public_key = bytes_to_base64url(self.passkey.cose())
        added = {"staff": IDA, "kind": "passkey", "public_key": public_key, "host": "casino.example"}
        self.entries = [entry(at(0), "house", "credential.added", "credential:3", IDA, **added)]
        reason = {"sha256": hashlib.sha256(b"salt" + b"A card lies open.").hexdigest()}
        void = {"clause": "split.36", "reason": reason, "version": 4}
        self.sign(5, "table:1", "/api/v1/rounds/81/void/", void, "round:81", "round.voided", reason=reason["sha256"])
        value = {"name": "pace_most", "value": 80, "version": 0}
        facts = {"what": "pace_most", "after": 80, "from": at(9)}
        self.sign(9, "house", "/api/v1/settings/", value, "setting:4", "setting.changed", **facts)
        self.sign(12, "table:1", "/api/v1/rounds/82/void/", void, "round:82", "round.voided", "password")

    def sign(self, minute, chain, path, body, subject, event, method="passkey", **facts):
        command = {"method": "POST", "path": path, "body": body, "key": f"key-{minute}", "requester": CLARA}
        signed = {"verb": verifier.words_of(path)[0], "command": command, "key": command["key"]}
        signed |= {"requester": CLARA, "signer": IDA, "method": method} | (
            self.proof(command) if method == "passkey" else {}
        )
        self.entries.append(entry(at(minute), chain, "signature.given", subject, IDA, **signed))
        facts |= {"requester": CLARA, "approver": IDA}
        self.entries.append(entry(at(minute), chain, event, subject, CLARA, **facts))

    def proof(self, command, **wrong):
        challenge = bytes_to_base64url(hashlib.sha256(exports.canonical(command).encode()).digest())
        response = json.loads(self.passkey.prove(challenge, **wrong))["response"]
        names = {"client_data": "clientDataJSON", "authenticator_data": "authenticatorData", "signature": "signature"}
        public_key = self.entries[0]["facts"]["public_key"]
        return {"credential": "credential:3", "public_key": public_key} | {
            name: response[of] for name, of in names.items()
        }


def said(entries, folder, capsys, part=exports.Log.all):
    """What the verifier says of a log that its own house wrote: its links, its tree and its checkpoints are right."""
    people = [entry(at(0), "house", "staff.added", ref, "system", staff=ref) for ref in (CLARA, FRANK, IDA)]
    made = exports.chained(people + entries)
    log = exports.Log(made, [len(made)])
    exports.save(part(log), folder)
    (folder.parent / "keys").write_text(log.keys())
    (folder.parent / "anchor").write_text(log.anchor())
    words = [
        str(folder),
        "--key",
        str(folder.parent / "keys"),
        "--anchor",
        str(folder.parent / "anchor"),
        "--jobs",
        "1",
    ]
    status = verifier.main(words)
    return status, capsys.readouterr().out


@pytest.mark.parametrize("ed", [False, True])
def test_what_a_passkey_signed_is_shown_by_the_export_alone(ed, tmp_path, capsys):
    status, out = said(House(ed=ed).entries, tmp_path / "export", capsys)
    assert status == WHOLE, out
    assert "2 commands signed by passkey, each by its key and before what came of it" in out
    assert "1 command signed by password" in out


PARTS = {
    "a table": lambda log: log.table("table:1"),
    "a period": lambda log: log.period(at(4), at(6)),
}


@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_a_part_of_the_log_raises_no_false_alarm(part, tmp_path, capsys):
    status, out = said(House().entries, tmp_path / "export", capsys, part)
    assert status == WHOLE, out
    assert "1 command signed by passkey" in out


def changed(change):
    """The log of a house, changed by what is called with its entries and the house."""
    house = House()
    change(house.entries, house)
    return house.entries


FAULTS = {
    "the command says another value": lambda e, h: e[3]["facts"]["command"]["body"].update(value=81),
    "it is before another round's void": lambda e, h: [each.update(subject="round:99") for each in e[1:3]],
    "nothing comes of it": lambda e, h: e.pop(2),
    "something else comes of it": lambda e, h: e[2].update(event="round.released"),
    "it came later": lambda e, h: e[2].update(at=at(6)),
    "who signed is not named": lambda e, h: e[2]["facts"].update(approver=FRANK),
    "somebody else asked": lambda e, h: e[1]["facts"].update(requester=FRANK),
    "somebody else signed": lambda e, h: (e[1].update(by=FRANK), e[1]["facts"].update(signer=FRANK)),
    "nobody added the passkey": lambda e, h: e.pop(0),
    "the passkey is another's": lambda e, h: e[0]["facts"].update(staff=FRANK),
    "the passkey is of another host": lambda e, h: e[0]["facts"].update(host="other.example"),
    "it was added afterwards": lambda e, h: e.insert(4, e.pop(0) | {"at": at(10)}),
    "it was removed before": lambda e, h: e.insert(
        1, entry(at(2), "house", "credential.removed", "credential:3", IDA, staff=IDA)
    ),
    "the reason stands in clear": lambda e, h: e[1]["facts"]["command"]["body"].update(reason="A card lies open."),
    "a new person's name stands in clear": lambda e, h: h.sign(
        13, "house", "/api/v1/staff/", {"name": "Gerda Gast"}, "staff:12", "staff.added", staff="staff:12"
    ),
    "the key is another": lambda e, h: e[1]["facts"].update(key="key-0"),
    "the verb is another": lambda e, h: e[1]["facts"].update(verb="rounds.release"),
    "it is used again": lambda e, h: e.extend({**each, "at": at(13)} for each in e[1:3]),
    "it is used again in another chain": lambda e, h: e.extend(
        {**each, "chain": "table:2", "at": at(13)} for each in e[1:3]
    ),
    "another brings it again": lambda e, h: e.extend(
        {**each, "at": at(13), "by": by, "facts": {**each["facts"], "requester": FRANK}}
        for each, by in ((e[1], IDA), (e[2], FRANK))
    ),
    "a password with a proof": lambda e, h: e[1]["facts"].update(method="password"),
    "no proof": lambda e, h: e[1]["facts"].pop("signature"),
    "no finger": lambda e, h: e[1]["facts"].update(h.proof(e[1]["facts"]["command"], flags=PRESENT)),
    "a page of another host": lambda e, h: e[1]["facts"].update(
        h.proof(e[1]["facts"]["command"], origin="https://casino.example.org")
    ),
    "a page without HTTPS": lambda e, h: e[1]["facts"].update(
        h.proof(e[1]["facts"]["command"], origin="http://casino.example")
    ),
    "the making of a passkey": lambda e, h: e[1]["facts"].update(
        h.proof(e[1]["facts"]["command"], kind="webauthn.create")
    ),
    "by password when the house took none": lambda e, h: e.insert(
        1, entry(at(1), "house", "setting.changed", "setting:1", CLARA, what="signature_by_password", after=0, before=1)
    ) or e[1]["facts"].update({"from": at(1), "requester": CLARA, "approver": IDA}),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_house_that_writes_its_own_log_forges_no_signature(fault, tmp_path, capsys):
    status, out = said(changed(FAULTS[fault]), tmp_path / "export", capsys)
    assert status == TAMPERED, out
    assert "signature" in out.splitlines()[0].lower()


def no_password(moment=None, value=0, **facts):
    """Two people end signatures by password (or let the house take them again)."""
    moment = moment or at(1)
    told = {"what": verifier.BY_PASSWORD, "after": value, "from": moment, "requester": CLARA, "approver": IDA}
    return entry(moment, "house", "setting.changed", "setting:1", CLARA, **told | facts)


def all_signed(*without):
    """A house that ends passwords, which is signed, and does three things, signed but for those `without`."""
    house = House()
    del house.entries[5:]
    house.sign(1, "house", "/api/v1/settings/", {}, "setting:1", "setting.changed")
    house.entries[-1]["facts"] = no_password()["facts"]
    house.sign(12, "table:1", "/api/v1/rounds/82/void/", {}, "round:82", "round.voided")
    first, *signed = [house.entries[place : place + 2] for place in range(1, len(house.entries), 2)]
    pairs = [signed[1], first, signed[0], signed[2]]
    return house.entries[:1] + [each for place, pair in enumerate(pairs) for each in pair[place in without :]]


def test_where_a_house_takes_no_password_whatever_names_two_people_was_signed(tmp_path, capsys):
    status, out = said(all_signed(), tmp_path / "export", capsys)
    assert status == WHOLE, out
    assert "4 commands signed by passkey" in out
    for number, what in ((1, "line 7: round:81: its round.voided"), (2, "line 9: setting:4: its setting.changed")):
        folder = tmp_path / str(number)
        folder.mkdir()
        status, out = said(all_signed(number), folder / "export", capsys)
        assert out.startswith(f"tampered: entries.jsonl {what} names staff:9, who signed nothing."), out
        assert "3 commands signed by passkey, a difference" in out
    # Passwords are taken until then.
    (tmp_path / "0").mkdir()
    status, out = said(all_signed(0), tmp_path / "0" / "export", capsys)
    assert status == WHOLE, out


@pytest.mark.parametrize(
    "wrong",
    [{"from": 7}, {"from": "x"}, {"from": [at(1)]}] + [{"after": value} for value in ("0", "a", [], False, 2, -1)],
    ids=str,
)
def test_a_setting_of_another_form_ends_in_a_sentence(wrong, tmp_path, capsys):
    house = House()
    house.entries[1:1] = [no_password(**wrong), no_password() | {"subject": "setting:2"}]
    status, out = said(house.entries, tmp_path / "export", capsys)
    assert (status, out.splitlines()[0]) == (
        TAMPERED, "tampered: entries.jsonl line 5: Its facts have not the form of one."
    )  # fmt: skip


@pytest.mark.parametrize("wrong", [7, ["x"], None, {}], ids=str)
@pytest.mark.parametrize("name", ["requester", "signer", "key", "verb", "method", "credential"])
def test_a_signature_of_another_form_ends_in_a_sentence(name, wrong):
    house = House()
    signed, effect = house.entries[1:3]
    signed["facts"][name] = wrong
    if name in signed["facts"]["command"]:
        signed["facts"]["command"][name] = wrong
    assert fault(house, signed, effect)


def test_a_setting_that_only_speaks_of_passwords_is_none_of_theirs():
    signatures = verifier.Signatures(Claimed("all"))
    signatures.take(no_password(what="pace_most", after="signature_by_password"))
    assert not signatures.settings


def settings_of(*told):
    signatures = verifier.Signatures(Claimed("all"))
    for number, each in enumerate(told):
        signatures.take(each | {"subject": f"setting:{number}"})
    return signatures


def test_passwords_are_surely_not_taken_a_minute_after_their_end_until_a_minute_before_they_are_again():
    signatures = settings_of(no_password(at(10)), no_password(at(20), 1))
    moments = [at(9), at(10, 59), at(11), at(11, 1), at(15), at(18, 59), at(19), at(20), at(30)]
    assert [signatures.takes_none(each) for each in moments] == [False] * 3 + [True] * 3 + [False] * 3
    assert not settings_of().takes_none(at(15))
    assert settings_of(no_password(at(5), 1), no_password(at(10))).takes_none(at(15))
    withdrawn = no_password(at(12))
    del withdrawn["facts"]["after"]
    signatures.take(withdrawn | {"subject": "setting:0"})
    assert not signatures.takes_none(at(15))


def unsigned(entries, *, none=True):
    """What stands without the signature that it takes."""
    follower = verifier.Unsigned(lambda at: none)
    try:
        for each in entries:
            follower.take(each["chain"].encode(), exports.canonical(each).encode())
    except verifier.Difference as error:
        return str(error)
    return None


def at_table(event, subject="round:1", by=CLARA, second=0, **facts):
    return entry(at(5, second), "table:1", event, subject, by, **facts)


BY_TWO = {"requester": CLARA, "approver": IDA}
VOID, OF_SESSION = at_table("round.voided", **BY_TWO), {"signers": [CLARA, IDA], "of": "session:1"}


def ruled(*more, signer=IDA, verb="disputes.rule", came=True):
    """What came of a signed command, behind its signature."""
    given = at_table("signature.given", by=signer, verb=verb, requester=CLARA, signer=signer)
    return exports.chained([given, *[at_table("dispute.ruled", **BY_TWO)] * came, *more])


def decided(**facts):
    return at_table("case.decided", "case:1", **{"case": "case:1"} | BY_TWO | facts)


UNSIGNED = {
    "a void": ([VOID], "round:1: its round.voided names staff:9, who signed nothing"),
    "where passwords are taken": (None, None),
    "it is signed": (ruled(VOID, came=False), None),
    "another signed it": (ruled(VOID, signer=FRANK, came=False), "names staff:9"),
    "another command follows": (ruled(VOID), "round.voided names staff:9"),
    "a case is decided with its dispute": (ruled(at_table("dispute.closed"), decided()), None),
    "it is decided twice": (ruled(decided(), decided()), "case:1: its case.decided"),
    "somebody else decides it": (ruled({**decided(requester=FRANK), "by": FRANK}), "case.decided names staff:9"),
    "it names somebody else": (ruled(decided(approver=FRANK)), "case.decided names staff:6"),
    "a minute later": (ruled({**decided(), "at": at(6)}), None),
    "more than a minute later": (ruled({**decided(), "at": at(6, 1)}), "case.decided names"),
    "a command of which no more comes": (ruled(decided(), verb="rounds.void"), "case.decided names"),
    "a count": ([at_table("count.agreed", **OF_SESSION)], "count.agreed names staff:9"),
    "the count of a slip": ([at_table("count.agreed", **OF_SESSION | {"of": "slip:1"})], None),
    "chips": (
        [at_table("movement.made", people=[CLARA, IDA], transfer={"key": "session:1:opener:1:1"})],
        "movement.made names",
    ),
    "chips of a slip": ([at_table("movement.made", people=[CLARA, IDA], transfer={"key": "slip:1:fill:1:1"})], None),
    "chips of a round": ([at_table("movement.made", people=[CLARA, IDA], transfer={"key": "round:1:rake:1:1"})], None),
    "chips of one person": ([at_table("movement.made", people=[CLARA], transfer={"key": "session:1:tip:1:1"})], None),
    "chips of nowhere": ([at_table("movement.made", people=[CLARA, IDA])], "names nobody in the form of one"),
    "a series that one person ends": ([at_table("series.closed", approver=CLARA)], None),
    "a drop box": ([at_table("drop_box.mounted", people=[CLARA, IDA])], "drop_box.mounted names staff:9"),
    "what one person may do": ([at_table("round.acted"), at_table("session.begun")], None),
}  # fmt: skip


@pytest.mark.parametrize(("told", "wrong"), UNSIGNED.values(), ids=UNSIGNED)
def test_whatever_names_a_second_person_stands_behind_their_signature(told, wrong):
    if told is None:
        assert unsigned(exports.chained([VOID]), none=False) is None
        return
    found = unsigned(exports.chained(told))
    assert found is None if wrong is None else wrong in found


def test_of_a_part_of_a_chain_nothing_is_said_of_what_stands_behind_a_gap():
    made = exports.chained([at_table("round.acted"), VOID, VOID])
    assert unsigned(made[1:2]) is unsigned([made[0], made[2]]) is None
    assert unsigned(made[1:])


@pytest.mark.parametrize(("event", "subject", "facts"), [
    ("credential.removed", "credential:9", {"staff": FRANK}),
    ("case.moved", "case:7", {"case": "case:7", "owner": IDA}),
    ("staff.left", FRANK, {"staff": FRANK}),
])  # fmt: skip
def test_whoever_is_let_go_loses_their_keys_and_their_cases_first(event, subject, facts):
    house = House()
    house.sign(13, "house", "/api/v1/staff/6/leave/", {}, subject, event, **facts)
    assert fault(house, *house.entries[-2:]) is None


def test_what_is_no_command_and_no_way_to_sign_is_found_without_a_passkey_too():
    house = House()
    signed, effect = house.entries[5:]
    assert fault(house, signed, effect) is None
    for wrong, words in (({"method": "fax"}, "neither passkey nor password"), ({"command": "PUT"}, "under no command")):
        forged = copy.deepcopy(signed)
        if "command" in wrong:
            forged["facts"]["command"]["method"] = wrong["command"]
        else:
            forged["facts"] |= wrong
        assert words in fault(house, forged, effect)


def test_a_sheet_is_put_in_force_at_the_tables_that_were_signed():
    house = House()
    body = {"tables": [1, 7], "sheet": 3}
    house.sign(13, "table:7", "/api/v1/sheets/in-force/", body, "table:7", "table.sheet_set")
    signed, effect = house.entries[-2:]
    assert fault(house, signed, effect) is None
    for each in (signed, effect):
        each["subject"] = "table:8"
    assert "under a command about other tables" in fault(house, signed, effect)


def test_what_somebody_counts_with_a_signature_is_theirs_alone():
    house = House()
    house.sign(13, "table:1", "/api/v1/sessions/7/counts/", {}, "count:1", "count.entered")
    signed, effect = house.entries[-2:]
    effect |= {"by": IDA, "facts": {"of": "session:7"}}
    assert fault(house, signed, effect) is None
    effect |= {"by": FRANK, "facts": {"of": "session:7", "staff": IDA}}
    assert "names somebody else" in fault(house, signed, effect)
    effect |= {"by": CLARA, "facts": {"of": "session:7"}}
    assert "names somebody else" in fault(house, signed, effect)


def test_who_asks_is_not_the_second_person_of_what_follows():
    house = House()
    signed, effect = house.entries[1:3]
    effect["facts"] |= {"requester": IDA, "approver": FRANK}
    assert "names another second person" in fault(house, signed, effect)


def fault(house, signed, effect):
    """What is wrong with a signature, by itself or by the passkey that its signer added; None if nothing is."""
    done, wrong = verifier.signed([(1, json.dumps(signed), json.dumps(effect))])
    signatures = verifier.Signatures(Claimed("all"))
    signatures.take(house.entries[0])
    try:
        for each in done:
            signatures.judge(each)
    except verifier.Difference as error:
        return str(error)
    return wrong and wrong[1]


def test_a_thousand_forged_proofs_are_refused_from_the_export_alone():
    """Bits turned, parts cut, mixed up and made up, in what is signed, by what it is signed, and in the command."""
    house, chance = House(), random.Random(3)
    signed, effect = house.entries[1:3]
    other = house.entries[3]["facts"]
    names = ["authenticator_data", "client_data", "public_key", "signature"]
    stranger = House()
    for _ in range(FORGERIES):
        forged, name, way = copy.deepcopy(signed), chance.choice(names), chance.randrange(5)
        facts = forged["facts"]
        data = bytearray(base64url_to_bytes(facts[name]))
        if way == 0:
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        elif way == 1:
            del data[chance.randrange(len(data)) :]
        elif way == 2:
            data = bytearray(chance.randbytes(len(data)))
        if way < 3:
            facts[name] = base64.urlsafe_b64encode(bytes(data)).decode().rstrip("=")
        elif way == 3:
            of = chance.choice([other, stranger.entries[1]["facts"]])
            facts |= {each: of[each] for each in chance.sample(names, chance.randint(1, 3))}
        else:
            command = facts["command"]
            command["body"][chance.choice(["version", "clause", "box"])] = chance.choice([1, "split.35", None])
        if facts == signed["facts"]:
            continue
        assert fault(house, forged, effect), (way, name, facts)
    assert fault(house, signed, effect) is None
