"""The house looks through itself: an evening of all games, each value that the log tells of changed alone."""

import contextlib
import datetime as dt
import json
import random
import re

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, IntegrityError, connection, connections, transaction
from django.utils import timezone
from psycopg.conninfo import conninfo_to_dict

from audit import exports, inspections, leaves, log, seal, sealer, verify_export
from audit.comparing import Difference
from audit.models import Checkpoint, Entry, Finding, Inspection
from casino.roles import Role
from casino.running.embedded.cluster import SUPERUSER
from payouts import books
from tables import inspections as rows
from tables.management.commands.seed_demo import OPENER
from tables.models import Credential, HouseFigures, Round, SessionFigures
from tables.people import credentials, passkeys, reliefs, staff, terminals
from tables.verbs import (
    disputes,
    employment,
    interventions,
    payments,
    report_files,
    rounds,
    rulesheets,
    settling,
    standing,
)

from ..support import authenticator, evening, factories, proof, stack

NUMBER = "the row's own number, which no entry names"
NAME = "names and logins are not in the log: people and places are numbers there"
NOTE = "how far a process is, not what happened"
MADE_IN = "which transaction made the row; it is asked while that one runs"
OF_DRAFTS = "the log knows what is published, with its author"
# Tables that no entry tells of, each with the reason; every other table's columns are changed one by one.
NOT_LOOKED_AT = {
    "audit_passedleaf": "no part of the tree; the entry that passed it over has its digest",
    "casino_chipset": "no entry names the set; each chip that is counted stands in one",
    "casino_command": "answers, kept for two days for who sends a command again",
    "casino_hashing": "rows that are locked and say nothing",
    "casino_websession": "who is logged in now; what ends one by hand is an entry, not its row",
    "casino_wronglogins": "a count until its minute is over: then its entry is what stays",
    "payouts_edgeresult": "each can be computed again from its inputs, which its key names",
    "tables_luckday": "each is added up again from the luck of its rounds",
    "tables_roundluck": "each is worked out again from its round and the results of its sheet",
    "movement_rules": "written by migrations alone, as the guards are",
}
# The columns that no entry tells of, each with the reason: a change of one of them alone is named by no inspection.
NOT_TOLD = {
    "audit_checkpoint at": "when it was signed; what it seals has its own times",
    "audit_entry id": NUMBER,
    **dict.fromkeys(
        (f"audit_export {name}" for name in ("leaves", "leaves_written", "entries", "status")), NOTE
    ),
    "audit_finding sentence": "its words; whose row and which column it names stands in the log",
    **dict.fromkeys(
        (f"audit_inspection {name}" for name in ("after", "begun_at", "hurried", "kind", "place")), NOTE
    ),
    "audit_inspection id": NUMBER,
    "audit_sealing id": NUMBER,
    "audit_sealing anchored": NOTE,
    "audit_sealing anchored_at": NOTE,
    "audit_subtree id": NUMBER,
    **dict.fromkeys(
        (f"casino_casino {name}" for name in ("cash_denominations", "currency", "currency_decimals", "day_starts_at",
                                              "name", "time_zone")),
        "how the house counts and calls itself; entries have units and instants, and no entry tells of it",
    ),
    "casino_casino id": NUMBER,
    "casino_staff language": "a choice of what the screens say, and of nothing else",
    "casino_staff login": NAME,
    "casino_staff name": NAME,
    "casino_staff password": "a secret",
    "payouts_account id": "the last one is the drop box account of a table where nothing was bought: nothing names it",
    "payouts_coefficient id": NUMBER,
    **dict.fromkeys(
        (f"payouts_coefficienttable {name}" for name in ("drafted_at", "drafted_by_id", "name", "published_at",
                                                          "published_by_id")), OF_DRAFTS
    ),
    "payouts_movement made_in": MADE_IN,
    "payouts_payment id": NUMBER,
    "payouts_paymenttick id": NUMBER,
    "payouts_settlement made_in": MADE_IN,
    "payouts_snapshot id": NUMBER,
    "payouts_transfer id": NUMBER,
    "tables_action id": NUMBER,
    "tables_box id": NUMBER,
    **dict.fromkeys(("tables_gamingday date", "tables_gamingday id"), "a day that is open has no entry yet"),
    "tables_hand id": NUMBER,
    "tables_intervention id": NUMBER,
    "tables_line id": NUMBER,
    **dict.fromkeys(
        (f"tables_credential {name}" for name in ("counter", "handle", "name")),
        "what a login leaves, and what its person calls it",
    ),
    "tables_credential secret": "a secret",
    "tables_onetimecode digest": "a secret",
    "tables_onetimecode id": NUMBER,
    "tables_pit name": NAME,
    "tables_posting id": NUMBER,
    "tables_recoverycode digest": "a secret",
    "tables_recoverycode id": NUMBER,
    **dict.fromkeys((f"tables_round {name}" for name in ("alone", "failures", "leases", "next_at")), NOTE),
    "tables_rulesheet drafted_at": OF_DRAFTS,
    "tables_signon id": NUMBER,
    "tables_slipnumber id": NUMBER,
    "tables_table chip_set_id": "no entry names the set; each chip that is counted stands in one",
    "tables_table name": NAME,
    "tables_terminal token_digest": "a secret",
    "tables_reporttoken token_digest": "a secret",
    **dict.fromkeys(
        (f"tables_reportfile {name}" for name in ("asked_at", "first", "last", "rows_made", "size")),
        "when it was asked for, what its period says, and what its bytes say",
    ),
    "tables_terminalname id": NUMBER,
    "tables_tipcount id": NUMBER,
    "tables_wager id": NUMBER,
}  # fmt: skip
# Nothing of the evening fills these.
EMPTY = {
    "tables_case video",
    "tables_round failure",
    "tables_casefile size",
    *(f"audit_export {name}" for name in ("checkpoint_id", "ended_at", "failure", "progress")),
    *(f"audit_inspection {name}" for name in ("asked_by_id", "counts", "ended_at", "plan", "state")),
    *(f"audit_sealing {name}" for name in ("forged", "refused", "unanchored")),
    *(f"tables_gamingday {name}" for name in ("closed_at", "closed_by_id", "closed_with_id", "digest", "figures")),
    # Written as a gaming day is closed: see `reports/test_figures.py`.
    *(f"tables_sessionfigures {field.column}" for field in SessionFigures._meta.fields),
    *(f"tables_housefigures {field.column}" for field in HouseFigures._meta.fields),
    "tables_series target",
    "tables_credential used_at",
    "tables_terminal last_seen_at",
    *(f"tables_reportfile {name}" for name in ("failure", "pruned_at", "pruned_by_id", "pruned_with_id")),
    "casino_staff last_login",
}


LONG_AGO = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


class RolledBackError(Exception):
    """What was changed is taken back."""


@contextlib.contextmanager
def as_superuser(database):
    """Django's connection as somebody above all guards, who has taken them off."""
    known = connections.settings["default"]
    before = known["USER"], known["PASSWORD"]
    with stack.cluster().connect(database=database) as superuser:
        tables = superuser.execute(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        ).fetchall()
        for (table,) in tables:
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        checks = superuser.execute(
            "SELECT conrelid::regclass::text, conname FROM pg_constraint"
            " WHERE contype = 'c' AND connamespace = 'public'::regnamespace"
        ).fetchall()
        for table, name in checks:
            superuser.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    connections["default"].close()
    address = conninfo_to_dict(stack.cluster().url(SUPERUSER, database))
    known["USER"], known["PASSWORD"] = SUPERUSER, address.get("password", "")
    try:
        yield
    finally:
        connections["default"].close()
        known["USER"], known["PASSWORD"] = before


@pytest.fixture
def house(seeded_db, settings, tmp_path):
    """A seeded house that can be sealed; gives the database's name."""
    settings.LOG_KEYS = str(stack.seed_folder() / "keys")
    settings.ANCHOR_FILE = str(tmp_path / "anchor")
    settings.EXPORTS = str(tmp_path / "exports")
    return seeded_db


def look_now():
    """Everything and the books, looked through at once."""
    with transaction.atomic():
        inspections.ask(by=None)
    while left := [each for each in inspections.under_way() if each.hurried]:
        assert inspections.look(left[0])


def play_evening():
    """A bit of everything that the log tells of, by the product's own verbs."""
    clara, anna = factories.actor("clara"), factories.person("anna")
    t1 = factories.table("T1")
    anna.language = "de"
    anna.save(update_fields=["language"])
    with transaction.atomic():
        terminal, _ = terminals.enrol(table_id=t1.pk, name="T1-left", actor=clara)
        old, _ = terminals.enrol(table_id=t1.pk, name="T1-old", actor=clara)
        terminals.revoke(terminal_id=old.pk, actor=clara)
    factories.set_scanner(terminal, prefix="]C1", suffix="9#")
    factories.set_setting(700)
    factories.withdraw(factories.set_setting(900, from_at=timezone.now() + dt.timedelta(days=1)))
    with transaction.atomic():
        odd = {"coefficients": factories.RATIOS | {"royal_flush": "101:1"}}
        outside = rulesheets.draft(game="split", values=odd, actor=clara)
    factories.computed_edge(outside, edge_percent="35.5")
    with transaction.atomic():
        rulesheets.publish(sheet_id=outside.pk, reason="A trial of one week.", actor=factories.actor("frank"))
    to_come = factories.sheet_to_come(t1)
    with transaction.atomic():
        rulesheets.withdraw(place_ids=[to_come.pk], actor=factories.actor("clara", "frank"))
    factories.sheet_to_come(t1, to_come.sheet, from_at=to_come.from_at)
    first = factories.settled_round(t1)
    with transaction.atomic():
        payments.tick(standing=standing.locked(first.pk), generation=1, box=1, actor=log.Actor(anna, None, terminal))
    with transaction.atomic():
        terminal = terminals.rename(terminal_id=terminal.pk, name="T1-near", actor=clara)
    factories.rule_on(factories.contest(first), ruling="upheld", changes={"boxes[0].cards[4]": "8h"})
    factories.rule_on(factories.contest(first, boxes=()))
    with transaction.atomic():
        disputes.raise_dispute(
            standing=standing.locked(first.pk),
            about="pot",
            boxes=[],
            statement="Not so.",
            actor=log.Actor(anna, None, terminal),
        )
    answered = factories.take(factories.call(t1), word="The scanner was swapped.")
    factories.end(answered)
    factories.call(t1)
    play_slips(t1, terminal)
    opened = factories.open_round(t1)
    factories.do(opened, "ante", 1, units=1000)
    factories.amend(opened, 1, units=2000)
    factories.do(opened, "ante", 2, units=1000)
    factories.undo(opened, signed=True)
    at_terminal = log.Actor(anna, None, terminal)
    with transaction.atomic():
        rounds.act(
            standing=standing.locked(opened.pk),
            version=4,
            kind="ante",
            box=3,
            arguments={"units": 500},
            actor=at_terminal,
        )
        interventions.report(
            standing=standing.locked(opened.pk), clause="split.30", box=1, reason="A card.", actor=at_terminal
        )
    factories.release(opened)
    factories.hold(opened)
    factories.void(opened)
    factories.void(factories.enter_paper(t1))
    with transaction.atomic():
        carl = staff.add(login="carl", name="Carl Conrad", password="newcomer-1", actor=factories.actor("ida", "frank"))
        staff.post(staff=carl, role=Role.CROUPIER, pit=t1.pit, actor=factories.actor("ida", "frank"))
        reliefs.withdraw(relief_id=reliefs.ask(table_id=t1.pk, staff=carl, actor=clara).pk, actor=clara)
        reliefs.ask(table_id=t1.pk, staff=carl, actor=clara)
        staff.sign_on(staff=carl, table=t1, actor=log.Actor(carl, None, terminal), relieve=anna.pk)
        staff.sign_off(table=t1, actor=log.Actor(carl))
        reliefs.ask(table_id=t1.pk, staff=carl, actor=clara)
        staff.sign_on(staff=anna, table=t1, actor=log.Actor(anna, None, terminal))
        staff.leave(staff=factories.person("karl"), actor=factories.actor("ida", "frank"))
        by_two = factories.actor("ida", "clara")
        rosa, _ = employment.join(login="rosa", name="Rosa Rau", role="croupier", pit=None, actor=by_two)
        employment.leave(staff_id=rosa.pk, actor=by_two)
        employment.come_back(staff_id=rosa.pk, actor=by_two)
        employment.end(
            posting_id=employment.post(staff_id=rosa.pk, role="cage", pit=t1.pit_id, actor=by_two).pk, actor=by_two
        )
    add_credentials()
    factories.report_file()
    factories.report_token()
    question = factories.question(subject=t1.ref)
    factories.answer_question(question)
    factories.settle_question(factories.answer_question(factories.ask_again(question)))
    with transaction.atomic():
        report_files.end_token(token_id=factories.report_token("books")[0].pk, actor=factories.actor("ida", "frank"))
    factories.settled_round(factories.table("T3"), factories.FOLDS)
    drop()
    factories.counted_tips(factories.day_with_tips(), {"500": 2}, reason="One too many.")
    for name, most in (("genpoker", 2), ("presidential", 1), ("dynastia_long", 4), ("bigtwo", 1)):
        values, dealt = evening.evening(name)
        table = factories.table_of(evening.game_of(name).code, values)
        for each in dealt[:most]:
            played = factories.open_round(table, each.seats)
            factories.act_all(played, each.actions)
            factories.close(played)
            settling.settle_due()
    gone = factories.settled_round(factories.table("T2"))
    with transaction.atomic():
        payments.leave(standing=standing.locked(gone.pk), generation=1, box=1, actor=factories.actor("boris", "clara"))
    factories.contest(gone)
    factories.close_session(factories.table("T2"), OPENER)
    factories.open_session(factories.table("T2"), OPENER)
    factories.carry_session(factories.table("T2"), OPENER)
    case = factories.vary_session(factories.table("T2"))
    factories.move_case(case, due_at=timezone.now() + dt.timedelta(days=1))
    factories.case_file(case)
    factories.decide_case(factories.vary_session(factories.table("T2")))
    factories.investigate(case.table.sessions.latest("pk"))
    work_the_cage()
    factories.play_round(factories.table("T3"), factories.FOLDS)
    factories.hold(factories.open_round(factories.table("T3")))
    with transaction.atomic():
        exports.ask(kind="all", by=factories.person("david"))
        exports.ask(kind="table", table_key=t1.ref, by=None)
        exports.ask(kind="period", from_at=LONG_AGO, to_at=LONG_AGO + dt.timedelta(days=1), by=None)
    # Something was named and is known.
    with sealer.connected(), transaction.atomic():
        known = inspections.begin(Inspection.Kind.ALL)
        inspections._name(known, [Difference("round:1", "tables_round", f"It differs, {way}.") for way in "ab"])
    with transaction.atomic():
        findings = list(Finding.objects.values_list("pk", flat=True))
        inspections.accept(findings=findings, reason="A drill.", by=factories.person("david"))
    return first


def add_credentials():
    """A passkey and an app that one ends, as the last; and an app that two others end, with what stands for it."""
    for login in ("boris", "hugo"):
        person_ = factories.person(login)
        with transaction.atomic():
            secret = credentials.new_secret()
            name = {"staff": person_, "name": "Telephone", "actor": log.Actor(person_)}
            app, _ = credentials.add_app(secret=secret, code=authenticator.code(secret), **name)
            if login == "boris":
                key = passkeys.Key(f"handle{person_.pk}", passkeys.encoded(authenticator.Authenticator().cose()), 0)
                site = passkeys.Site("localhost", "http://localhost")
                passkey, _ = credentials.add_passkey(key=key, site=site, **name)
                for each in (app, passkey):
                    credentials.remove(staff=person_, number=each.pk, actor=name["actor"])
                credentials.add_passkey(key=key._replace(handle="another"), site=site, **name)
            else:
                employment.lost(staff_id=person_.pk, actor=factories.actor("ida", "clara"))


def work_the_cage():
    """A shift of the cage that is closed with a variance, and one that is open; both were counted anew."""
    factories.move_chips("sold", units=1050)
    factories.move_chips("cashed", {"500": 1})
    for chips in ({"100": 3}, {"100": 2}):
        for by in ("olga", "hugo"):
            factories.count_cage(chips, by=by)
        if chips == {"100": 3}:
            factories.sign_cage(reason="Nobody knows why.")
            factories.move_chips("withdrawn", {"100": 1})
            factories.count_cage({"100": 2}, by="olga")
            factories.move_chips("issued", {"100": 2})


def drop():
    """A drop box that is counted with a variance, one with another seal that waits, and one that is mounted."""
    table = factories.table("T1")
    for number, found in (("101", "S-1"), ("102", "S-9")):
        drop_box = factories.mount(table, number)
        factories.buy_in(table, 500, signed=True)
        factories.buy_in(table, 1000, box=2)
        factories.take_off(drop_box, seal=found)
        if number == "101":
            factories.counted_drop(drop_box, {"1000": 1}, reason="A coin is missing.")
    factories.mount(table, "103")
    factories.buy_in(table, 900_000, box=3, signed=True)


def play_slips(table, terminal):
    """A slip of each kind and in each status."""
    fill = factories.issue(factories.slip(table), carrier="boris")
    # The first time they don't count the same.
    factories.count_slip(factories.count_slip(fill, terminal=terminal, chips={"500": 39}), chips={})
    factories.receive(factories.print_slip(fill))
    factories.receive(factories.issue(factories.slip(table, "credit")))
    factories.receive(factories.issue(factories.slip(table, "change")))
    for kind in ("fill", "credit", "change"):
        factories.send_back(factories.issue(factories.slip(table, kind)))
    factories.void_slip(factories.slip(table))
    factories.count_slip(factories.issue(factories.slip(table)))
    factories.slip(table)


def sealed():
    """Seal and anchor."""
    while seal.seal():
        pass
    seal.anchor_when_due(now=True)
    while seal.seal():
        pass


def differing(table=""):
    """What is named now, without writing it down; of one table only the first that is named."""
    if not table:
        return [
            each for part in (*leaves.PARTS, *rows.PARTS, *books.PARTS) for each in part.look(0, part.newest(), {})[1]
        ]
    of_rounds, *others = rows.PARTS
    # Most of what is changed is of the first round; what nothing names is looked for everywhere.
    looks = [(of_rounds, 1)] if table.startswith(("tables", "payouts")) else []
    parts = leaves.PARTS if table.startswith("audit") else (*others, *books.PARTS, of_rounds, leaves.PARTS[0])
    looks += [(part, part.newest()) for part in parts]
    return next((named for part, upto in looks if (named := part.look(0, upto, {})[1])), [])


def test_a_house_at_work_is_what_the_log_says(house):
    play_evening()
    sealed()
    look_now()
    assert [(each.subject, each.what, each.sentence) for each in Finding.objects.open()] == []
    counts = {name: count for each in Inspection.objects.all() for name, count in each.counts.items()}
    assert counts["entries"] >= Checkpoint.objects.newest().size - 1
    assert counts["rounds"] == Round.objects.count()
    assert all(counts.values())
    people = verify_export.People()
    for line, entry in enumerate(Entry.objects.order_by("pk"), 1):
        people.take(json.loads(entry.body), line)
    people.finish()
    assert len(people.credentials) == Credential.objects.count() > 0


def changed(text, kind):
    """The same value with one digit, or else one letter, changed; at a time the hour."""
    if kind == "boolean":
        return {"true": "false", "false": "true"}[text]
    if kind.startswith("timestamp"):
        place = 12
    else:
        digits = [match.start() for match in re.finditer("[0-9]", text)]
        letters = [match.start() for match in re.finditer("[A-Za-z]", text)]
        place = (digits or letters)[-1]
    if kind.startswith("timestamp") and text[11:13] == "23":
        return text[:place] + "2" + text[place + 1 :]
    old = text[place]
    # Of an hour after 19 there are four.
    digits_of_it = 4 if kind.startswith("timestamp") and text[place - 1] == "2" else 10
    new = str((int(old) + 1) % digits_of_it) if old.isdigit() else "x" if old != "x" else "y"
    return text[:place] + new + text[place + 1 :]


def change_one(cursor, table, column, kind):
    """One row's value changed; how. Rows that may not have the value are passed over; None if there is no other."""
    cursor.execute(f'SELECT ctid::text, "{column}"::text FROM {table} WHERE "{column}" IS NOT NULL ORDER BY ctid')
    for place, text in cursor.fetchall():
        if not re.search("[A-Za-z0-9]", text):
            continue
        # Each leaf's index is taken once; the one after the last is free.
        following = [str(int(text) + 1)] if column == "index" else []
        for value in (changed(text, kind), *following):
            with contextlib.suppress(IntegrityError, DataError), transaction.atomic():
                cursor.execute(f'UPDATE {table} SET "{column}" = %s::text::{kind} WHERE ctid = %s::tid', [value, place])
                return f"{text} -> {value}"
    return None


# How many columns there are: `make test` changes some of them, `make proof` each, its short form one in four.
COLUMNS = 600


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.proof)], ids=["some", "every"])
def test_each_value_that_the_log_tells_of_is_named_when_it_alone_is_changed(house, every):
    play_evening()
    sealed()
    missed, unchanged = set(), set()
    with as_superuser(house), transaction.atomic(), connection.cursor() as cursor:
        assert differing() == []
        cursor.execute(
            "SELECT attrelid::regclass::text, attname::text, format_type(atttypid, atttypmod) FROM pg_attribute"
            " JOIN pg_class c ON c.oid = attrelid WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
            " AND attnum > 0 AND NOT attisdropped AND attgenerated = ''"
            " AND relname !~ '^(auth|axes|django)_' AND relname <> ALL (%s) ORDER BY 1, 2",
            [list(NOT_LOOKED_AT)],
        )
        columns = cursor.fetchall()
        assert len(columns) == COLUMNS, "Columns came or went: see that the proof of this test passes."
        columns = columns[:: proof.size(1, 4)] if every else random.Random(16).sample(columns, 30)
        for table, column, kind in columns:
            with contextlib.suppress(RolledBackError), transaction.atomic():
                how = change_one(cursor, table, column, kind)
                if how is None:
                    unchanged.add(f"{table} {column}")
                else:
                    named = differing(table)
                    print(f"{table} {column}: {how[-80:]}: {[each.sentence for each in named][:1]}")
                    if not named:
                        missed.add(f"{table} {column}")
                raise RolledBackError
    changed_ones = {f"{table} {column}" for table, column, _ in columns}
    assert missed == NOT_TOLD.keys() & changed_ones
    assert unchanged == EMPTY & changed_ones
    assert len(columns) < COLUMNS or changed_ones >= NOT_TOLD.keys() | EMPTY


# What a difference does, and the way out.


def tampered(database, *statements):
    """What a superuser can do whose guards are off."""
    with stack.cluster().connect(database=database) as superuser:
        for statement in statements:
            table = statement.split()[2 if statement.startswith(("DELETE", "INSERT")) else 1]
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
            superuser.execute(statement)
            superuser.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")


def first_page(login="david"):
    return factories.client(login).get("/admin/house/").content.decode()


def found():
    return [(each.subject, each.what) for each in Finding.objects.order_by("pk")]


@pytest.fixture
def old(house):
    """An old round, sealed and anchored; its reference."""
    settled = factories.settled_round(factories.table("T1"))
    factories.set_setting()
    sealed()
    return settled.ref


ANTE = """UPDATE tables_action SET arguments = '{"units": 600}' WHERE kind = 'ante' AND box = 1"""


def test_an_old_ante_that_a_superuser_changed_is_named_and_nothing_is_sealed_until_somebody_accepts_it(old, house):
    look_now()
    assert "All rows agree with the log" in first_page()
    tampered(house, ANTE)
    seal.keep_up(within=5)
    # Nobody has looked yet.
    assert 'data-test="log" data-state="sealed"' in first_page()
    look_now()
    assert (old, "tables_action arguments") in found()
    sealed_before = Checkpoint.objects.newest().size
    seal.keep_up(within=5)
    page = first_page()
    assert "The log isn’t sealed" in page
    assert "The log is in order" not in page
    assert "from the log" in first_page("ida")
    assert Checkpoint.objects.newest().size == sealed_before
    assert inspections.measure()["state"] == "differs"
    assert not inspections.measure()["ok"]
    # The same difference is not named again, and a further look adds nothing.
    named = Finding.objects.count()
    look_now()
    assert Finding.objects.count() == named
    events = Entry.objects.filter(event="finding.named")
    assert events.count() == named
    david = factories.client("david")
    refused = david.post("/admin/audit/inspection/accept/", {"finding": [1], "reason": " "})
    assert refused.status_code == 400
    findings = [each.pk for each in Finding.objects.open()]
    assert factories.client("ida").post("/admin/audit/inspection/accept/", {"finding": findings}).status_code == 403
    david.post("/admin/audit/inspection/accept/", {"finding": findings, "reason": "Typed by hand on 23 November."})
    assert not Finding.objects.open().exists()
    assert {each.accepted_by for each in Finding.objects.all()} == {factories.person("david")}
    assert Entry.objects.filter(event="finding.accepted").count() == named
    assert seal.keep_up(within=5) > 0
    assert "Typed by hand" in david.get("/admin/audit/inspection/").content.decode()
    look_now()
    assert Finding.objects.count() == named
    # Another digit is another difference.
    tampered(house, ANTE.replace("600", "700"))
    look_now()
    assert Finding.objects.open().exists()


def accept_all():
    findings = [each.pk for each in Finding.objects.open()]
    factories.client("david").post("/admin/audit/inspection/accept/", {"finding": findings, "reason": "It is known."})
    assert not Finding.objects.open().exists()


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (f"""{{"units": {"9" * 6000}}}""", "It can't be read: a number in it is too long."),
        ('{"units": ' + "[" * 3000 + "]" * 3000 + "}", "It can't be read: it is nested too deep."),
    ],
    ids=["a number", "brackets"],
)
def test_a_row_that_nobody_can_read_hides_no_other_row_of_its_piece(old, house, value, says):
    bad, other = [factories.settled_round(factories.table("T1")) for _ in range(2)]
    sealed()
    # As before the database refused it.
    with stack.cluster().connect(database=house) as superuser:
        superuser.execute("ALTER TABLE tables_action DROP CONSTRAINT action_arguments_readable")
    tampered(house, f"UPDATE tables_action SET arguments = '{value}' WHERE round_id = {bad.pk} AND ordinal = 1")
    look_now()
    (finding,) = Finding.objects.all()
    assert (finding.subject, finding.sentence) == (bad.ref, says)
    accept_all()
    look_now()
    assert not Finding.objects.open().exists()
    for changed in (int(old.removeprefix("round:")), other.pk):
        tampered(house, f"{ANTE} AND round_id = {changed}")
        look_now()
        named = Finding.objects.open().filter(what="tables_action arguments").values_list("subject", "sentence")
        assert list(named) == [
            (f"round:{changed}", 'Action 1, arguments: {"units": 600}; the log says {"units": 1000}.')
        ]
        accept_all()


def test_what_lies_on_the_table_is_compared_with_the_actions_that_stand_there(old, house):
    tampered(house, ANTE)
    look_now()
    assert "Wager 1, units: 1000; the actions come to 600." in Finding.objects.values_list("sentence", flat=True)


def test_no_finding_names_a_template_or_an_error_of_the_program(old, house):
    tampered(house, ANTE.replace("600", "-7"))
    tampered(house, "UPDATE tables_line SET text = '{}'")
    look_now()
    sentences = [*Finding.objects.values_list("sentence", flat=True)]
    (follows,) = [sentence for sentence in sentences if "does not follow" in sentence]
    assert follows.startswith("It can't be read: action 1 does not follow: ")
    assert not [sentence for sentence in sentences if re.search(r"[{][a-z_]+[}]|Error", sentence)]


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("DELETE FROM tables_action WHERE kind = 'ante' AND box = 1", "tables_action"),
        ("DELETE FROM payouts_payment WHERE box = 1", "payouts_payment"),
        ("DELETE FROM tables_round WHERE status = 'SETTLED'", "tables_round"),
        ("DELETE FROM payouts_movement WHERE kind = 'opener'", "payouts_movement"),
        ("DELETE FROM tables_posting WHERE role = 'croupier'", "tables_posting"),
        ("DELETE FROM tables_signon", "tables_signon"),
        ("DELETE FROM tables_inforce", "tables_inforce"),
        ("DELETE FROM casino_setting", "casino_setting"),
        ("DELETE FROM audit_leaf WHERE index = 7", "audit_leaf"),
        ("DELETE FROM audit_entry WHERE chain_id = 'house' AND seq = 7", "audit_entry"),
        ("DELETE FROM audit_anchor", "audit_anchor"),
        (
            "INSERT INTO tables_action (round_id, ordinal, phase, kind, arguments, by_id)"
            " SELECT max(id), 99, 'betting', 'ante', '{}', 1 FROM tables_round",
            "tables_action",
        ),
        (
            "INSERT INTO tables_posting (staff_id, role) SELECT id, 'administrator' FROM casino_staff LIMIT 1",
            "tables_posting",
        ),
        ("UPDATE tables_action SET arguments = '[7]' WHERE kind = 'ante'", "rows"),
    ],
)
def test_rows_that_are_gone_or_too_many_are_named(old, house, statement, what):
    # As before the database refused what is no object.
    with stack.cluster().connect(database=house) as superuser:
        superuser.execute("ALTER TABLE tables_action DROP CONSTRAINT action_arguments_object")
    tampered(house, statement)
    look_now()
    assert what in {each.partition(" ")[0] for _, each in found()}


def test_an_entry_and_its_leaf_changed_together_lead_to_another_root(old, house):
    body = Entry.objects.filter(chain="house").order_by("seq").values_list("body", flat=True)[3]
    other = body.replace('"v":1', '"v":2')
    tampered(
        house,
        f"UPDATE audit_entry SET body = $${other}$$ WHERE chain_id = 'house' AND seq = 4",
        f"UPDATE audit_leaf SET hash = sha256('\\x00'::bytea || convert_to($${other}$$, 'UTF8'))"
        " WHERE chain_id = 'house' AND seq = 4",
    )
    look_now()
    named = found()
    assert ("house 5", "audit_entry") in named
    assert any(what == "audit_checkpoint root" for _, what in named)


def test_the_house_looks_at_an_even_pace_and_goes_on_where_it_was(old, house, settings, monkeypatch):
    settings.INSPECTION_HOURS = 10**6
    inspections.go_on(within=60)
    books_done, paced = Inspection.objects.get(kind="books"), Inspection.objects.get(kind="all")
    assert books_done.ended_at
    assert paced.ended_at is None
    assert inspections.share(paced) < 0.5
    settings.INSPECTION_HOURS = 0.001 / 3600
    monkeypatch.setattr(
        leaves, "PARTS", tuple(part._replace(at_a_time=max(1, part.at_a_time // 100)) for part in leaves.PARTS)
    )
    monkeypatch.setattr(
        inspections, "_name", lambda inspection, named: (_ for _ in ()).throw(KeyboardInterrupt)
    )  # killed in the midst of a piece
    before = inspections.under_way()[0]
    with pytest.raises(KeyboardInterrupt):
        inspections.look(before)
    after = inspections.under_way()[0]
    assert (after.place, after.after, after.counts) == (before.place, before.after, before.counts)
    monkeypatch.undo()
    settings.INSPECTION_HOURS = 0.001 / 3600
    assert inspections.look(after)
    assert not inspections.look(after)  # somebody was there already


def test_the_books_are_gone_through_once_each_gaming_day(old, house):
    inspections.go_on(within=60)
    inspections.go_on(within=60)
    assert Inspection.objects.filter(kind="books").count() == 1
    tampered(house, "UPDATE audit_inspection SET begun_at = begun_at - interval '1 day'")
    inspections.go_on(within=60)
    assert Inspection.objects.filter(kind="books").count() == 2


def test_the_command_looks_at_everything_and_leads_out(old, house, capsys, monkeypatch):
    call_command("inspect")
    said = capsys.readouterr().out
    assert "Looked through in" in said
    page = factories.client("david").get("/admin/audit/inspection/").content.decode()
    for counts in (said, " ".join(page.split())):
        assert "1 anchor; " in counts
        assert not re.search(r"\b1 (?!series)[a-z -]+s[;.]", counts)
    tampered(house, "UPDATE payouts_transfer SET units = units + 5 WHERE id = (SELECT min(id) FROM payouts_transfer)")
    with pytest.raises(CommandError, match="not accepted yet"):
        call_command("inspect")
    said = capsys.readouterr().out
    assert "payouts_transfer units" in said
    ids = [each.pk for each in Finding.objects.open()]
    typed = [factories.signature(login)["password"] for login in ("ida", "david")]
    monkeypatch.setattr("audit.management.commands.inspect.getpass", lambda prompt: typed[-1])
    with pytest.raises(CommandError, match="An auditor accepts"):
        call_command("inspect", accept=ids, by="ida", reason="x")
    typed.append("wrong")
    with pytest.raises(CommandError, match="password is wrong"):
        call_command("inspect", accept=ids, by="david", reason="x")
    typed.pop()
    with pytest.raises(CommandError, match="reason is missing"):
        call_command("inspect", accept=ids, by="david")
    call_command("inspect", accept=ids, by="david", reason="Restored.")
    call_command("inspect")
    assert seal.seal() > 0


def test_look_now_is_for_auditors_and_administrators_and_is_an_entry(old):
    for login, status in (("david", 302), ("ida", 302), ("clara", 403)):
        assert factories.client(login).post("/admin/audit/inspection/now/").status_code == status
    assert factories.client("david").get("/admin/audit/inspection/now/").status_code == 405
    assert Entry.objects.filter(event="inspection.asked").count() == 2
    assert Inspection.objects.filter(hurried=True, kind="all").count() == 1
