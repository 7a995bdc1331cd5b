"""Who comes, is posted, leaves and returns: by two others, in the log by number, and nothing erased."""

import json

import pytest
from django.db import transaction

from audit.models import Entry
from casino.models import Staff
from casino.roles import Role
from tables.models import OneTimeCode, Pit, Posting
from tables.people import codes, staff
from tables.verbs import employment

from ...support import factories
from ...support.factories import actor, person, table

BY_TWO = ("ida", "clara")


@pytest.fixture(autouse=True)
def _database(seeded_db):
    """Each test works on a house of its own."""


def pit(code="M"):
    return Pit.objects.get(code=code)


def join(*by, **changes):
    body = {"login": "carl", "name": "Carl Conrad", "role": "croupier", "pit": pit().pk} | changes
    with transaction.atomic():
        return employment.join(**body, actor=actor(*(by or BY_TWO)))


def do(verb, *by, **body):
    with transaction.atomic():
        return verb(**body, actor=actor(*(by or BY_TWO)))


def refused(code, verb, *by, **body):
    return factories.refused(code, verb, **body, actor=actor(*(by or BY_TWO)))


def new_password(refusal, person, code, password):
    def by_code():
        staff.choose_password(staff=person, code=code, password=password, actor=factories.Actor(person))

    return factories.refused(refusal, by_code)


def entries(of):
    bodies = Entry.objects.filter(subject=of.ref).order_by("pk").values_list("body", flat=True)
    return [(entry["event"], entry["facts"]) for entry in map(json.loads, bodies)]


def test_a_person_joins_sets_a_password_is_moved_leaves_and_returns():
    ida, clara = person("ida"), person("clara")
    two = {"requester": ida.ref, "approver": clara.ref}
    carl, code = join()
    facts = {"staff": carl.ref}
    croupier = {**facts, "role": "croupier", "pit": pit().ref, **two}
    assert entries(carl) == [
        ("staff.added", facts | two), ("staff.posted", croupier), ("staff.code_given", facts | two),
    ]  # fmt: skip
    assert not carl.has_usable_password()
    # The code is typed as people type; the database keeps none of it.
    assert codes.holder("carl", code.lower().replace("-", " ")) == carl
    assert codes.holder("anna", code) is None
    assert code not in str(list(OneTimeCode.objects.values_list()))
    with transaction.atomic():
        staff.choose_password(staff=carl, code=code, password="velvet-otter-41", actor=factories.Actor(carl))
    assert codes.holder("carl", code) is None
    carl.refresh_from_db()
    assert carl.check_password("velvet-otter-41")
    # Moved: another posting, and the end of the first.
    do(employment.post, staff_id=carl.pk, role="croupier", pit=pit("S").pk)
    first = Posting.objects.get(staff=carl, pit=pit())
    do(employment.end, posting_id=first.pk)
    first.refresh_from_db()
    assert (first.posted_by, first.posted_with, first.ended_by, first.ended_with) == (ida, clara) * 2
    assert entries(carl)[-1] == ("staff.posting_ended", croupier)
    do(employment.leave, staff_id=carl.pk)
    assert entries(carl)[-1] == ("staff.left", facts | two)
    assert not Posting.objects.filter(staff=carl, ended_at=None).exists()
    _, code = do(employment.come_back, staff_id=carl.pk)
    carl.refresh_from_db()
    assert carl.is_active
    assert not carl.has_usable_password()
    assert [event for event, _ in entries(carl)[-2:]] == ["staff.returned", "staff.code_given"]
    assert Posting.objects.filter(staff=carl).count() == 2
    # No name, no login and no code ever stands in the log.
    bodies = " ".join(Entry.objects.filter(subject=carl.ref).values_list("body", flat=True)).lower()
    assert not any(word in bodies for word in ("carl", "conrad", code.lower()))


def test_one_person_alone_and_the_person_themselves_change_nothing():
    anna, karl = person("anna"), person("karl")
    posting = Posting.objects.get(staff=anna)
    body = {"login": "carl", "name": "Carl Conrad", "role": "croupier", "pit": None}
    for by in (("ida",), ("ida", "ida")):
        assert refused("same_person", employment.join, *by, **body).path == "signature"
        refused("same_person", employment.post, *by, staff_id=anna.pk, role="cage", pit=None)
        refused("same_person", employment.end, *by, posting_id=posting.pk)
        refused("same_person", employment.leave, *by, staff_id=anna.pk)
        refused("same_person", employment.give_code, *by, staff_id=anna.pk)
        refused("same_person", employment.come_back, *by, staff_id=anna.pk)
    # Neither of the two decides on themselves.
    for by, whom in ((("karl", "ida"), karl), (("ida", "karl"), karl)):
        refused("own_posting", employment.post, *by, staff_id=whom.pk, role="administrator", pit=None)
        refused("own_posting", employment.end, *by, posting_id=Posting.objects.filter(staff=whom).first().pk)
        refused("own_posting", employment.leave, *by, staff_id=whom.pk)
        refused("own_posting", employment.give_code, *by, staff_id=whom.pk)


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("login_wrong", {"login": "Carl C"}),
        ("login_taken", {"login": "anna"}),
        ("name_missing", {"name": " "}),
        ("name_wrong", {"name": "x" * 81}),
        ("role_unknown", {"role": "king"}),
        ("pit_unknown", {"pit": 999}),
    ],
)
def test_a_person_who_cannot_be_added_is_refused_with_the_field(code, changes):
    body = {"login": "carl", "name": "Carl Conrad", "role": "croupier", "pit": None} | changes
    assert refused(code, employment.join, **body).path in changes


def test_who_works_at_a_table_or_owns_a_case_hands_over_first():
    anna = person("anna")
    assert refused("deals_now", employment.leave, staff_id=anna.pk).detail == {"table": table().pk}
    refused("deals_now", employment.end, posting_id=Posting.objects.get(staff=anna).pk)
    with transaction.atomic():
        staff.sign_off(table=table(), actor=actor("clara"))
    factories.relieve(table(), anna)
    refused("asked_to_relieve", employment.leave, staff_id=anna.pk)
    case = factories.vary_session(table("T2"))
    owner, boss = case.owner, person("frank")
    by = ("ida", "karl")
    refusal = refused("owns_cases", employment.leave, *by, staff_id=owner.pk)
    assert str(case) in refusal.message
    assert refusal.detail == {"cases": [case.pk]}
    refused("owns_cases", employment.end, *by, posting_id=Posting.objects.get(staff=owner, ended_at=None).pk)
    refused("owner_wrong", employment.leave, *by, staff_id=owner.pk, cases_to=anna.pk)
    refused("owner_wrong", employment.leave, *by, staff_id=owner.pk, cases_to=owner.pk)
    do(employment.post, *by, staff_id=boss.pk, role="pit_boss", pit=case.table.pit_id)
    do(employment.leave, *by, staff_id=owner.pk, cases_to=boss.pk)
    case.refresh_from_db()
    assert case.owner == boss
    assert not Staff.objects.get(pk=owner.pk).is_active


def test_the_last_administrator_stays():
    ida = person("ida")
    carl, _ = join(role="administrator", pit=None)
    by = ("carl", "clara")
    do(employment.leave, *by, staff_id=ida.pk)
    refused("last_administrator", employment.leave, "frank", "clara", staff_id=carl.pk)
    only = Posting.objects.get(staff=carl)
    refused("last_administrator", employment.end, "frank", "clara", posting_id=only.pk)
    refused("left_already", employment.post, *by, staff_id=ida.pk, role="cage", pit=None)
    refused("left_already", employment.leave, *by, staff_id=ida.pk)
    refused("works_here", employment.come_back, *by, staff_id=person("anna").pk)
    refused("posted_already", employment.post, "frank", "clara", staff_id=carl.pk, role=Role.ADMINISTRATOR, pit=None)


def test_a_new_code_ends_the_one_before_and_a_password_that_is_changed_ends_it_too():
    anna = person("anna")
    _, first = do(employment.give_code, staff_id=anna.pk)
    _, second = do(employment.give_code, staff_id=anna.pk)
    assert codes.holder("anna", first) is None
    assert codes.holder("anna", second) == anna
    new_password("code_over", anna, first, "velvet-otter-41")
    new_password("password_weak", anna, second, "short")
    assert codes.holder("anna", second) == anna
    with transaction.atomic():
        staff.change_password(staff=anna, password="velvet-otter-41", keep=None, actor=actor("anna"))
    assert codes.holder("anna", second) is None
