"""People who come, are posted, leave and return: an administrator asks, a second person signs, the log has both.

Nobody does it to themselves, and one administrator always stays. `people/staff.py` has the steps, for whoever sets a
house up.
"""

from django.db.models.functions import Now

from audit import log
from audit.models import Chain
from casino.games.reading import shown
from casino.models import Staff
from casino.roles import Right, Role

from ..models import Case, Pit, Posting, Relief, SignOn
from ..people import access, codes, credentials, footing, lockout, staff, web_sessions
from . import cases, grounds
from .wording import WORDING

MAX_NAME = 80


def join(*, login, name, role, pit, actor):
    """Add a person with their first posting, and the one-time code for their password.

    :param pit: the id of the posting's pit; None for all.
    :returns: the person and the code.
    :raises Refused: `same_person`, `login_wrong`, `name_wrong`, `name_missing`, `role_unknown`, `pit_unknown` (422);
        `login_taken`.
    """
    grounds.two_people(actor)
    if not lockout.LOGIN.match(login):
        raise WORDING.refused("login_wrong", login=shown(login))
    name = grounds.checked_reason(name, needed=True, name="name", most=MAX_NAME)
    role, pit = _role(role), _pit(pit)
    _alone()
    if Staff.objects.filter(login=login).exists():
        raise WORDING.refused("login_taken", login=login)
    person = staff.add(login=login, name=name, password=None, actor=actor)
    staff.post(staff=person, role=role, pit=pit, actor=actor)
    return person, codes.give(staff=person, actor=actor)


def post(*, staff_id, role, pit, actor):
    """Give a person who works here one more role, in one pit (its id) or (None) in all.

    :raises Refused: `same_person`, `own_posting`, `role_unknown`, `pit_unknown` (422); `left_already`,
        `posted_already`.
    """
    person = _of_others(staff_id, actor)
    role, pit = _role(role), _pit(pit)
    if not person.is_active:
        raise _left(person)
    if Posting.objects.filter(staff=person, role=role, pit=pit, ended_at=None).exists():
        raise WORDING.refused("posted_already", staff=person.pk)
    return staff.post(staff=person, role=role, pit=pit, actor=actor)


def end(*, posting_id, actor):
    """End one of a person's postings.

    :raises Refused: `same_person`, `own_posting` (422); `posting_over`, `last_administrator`; `deals_now`,
        `asked_to_relieve` or `owns_cases` if the person needs the posting for what they do now.
    """
    posting = Posting.objects.select_related("pit").get(pk=posting_id)
    person = _of_others(posting.staff_id, actor)
    posting.refresh_from_db(fields=["ended_at"])
    if posting.ended_at:
        raise WORDING.refused("posting_over")
    _one_stays(person, posting)
    posting.ended_at, posting.ended_by, posting.ended_with = Now(), actor.by, actor.approved_by
    posting.save(update_fields=["ended_at", "ended_by", "ended_with"])
    posting.refresh_from_db(fields=["ended_at"])
    footing.forget(person)
    person = Staff.objects.get(pk=person.pk)
    _deals_nowhere(person, lambda table: access.posted(person, Role.CROUPIER, table))
    _owns_none([case for case in _cases(person.pk) if not person.has_perm(Right.RUN_CASE, case.table)])
    facts = {"staff": person.ref, "role": posting.role, "pit": posting.pit and posting.pit.ref}
    log.record("staff.posting_ended", person.ref, chain=log.HOUSE, actor=actor, facts=facts | staff.by_two(actor))
    return posting


def leave(*, staff_id, cases_to=None, actor):
    """Let a person go: they are logged out everywhere at once, and have no postings. Nothing about them is erased.

    :param cases_to: the id of whoever owns their open cases from now on.
    :raises Refused: `same_person`, `own_posting`, `owner_wrong` (422); `left_already`, `last_administrator`;
        `deals_now`, `asked_to_relieve` and `owns_cases` if somebody has to take over first.
    """
    _two_others(staff_id, actor)
    # Cases first, before the person's row and the house's chain are locked: moving a case locks it and its table's
    # chain.
    if cases_to is not None:
        _give_cases(staff_id, cases_to, actor)
    person = _of_others(staff_id, actor)
    if not person.is_active:
        raise WORDING.refused("left_already:farewell", staff=person.pk)
    _deals_nowhere(person, lambda table: False)
    _owns_none(_cases(staff_id))
    _one_stays(person)
    return staff.leave(staff=person, actor=actor)


def _give_cases(staff_id, cases_to, actor):
    owner = Staff.objects.filter(pk=cases_to).exclude(pk=staff_id).first()
    if owner is None:
        raise WORDING.refused("owner_wrong:farewell", staff=cases_to)
    for case in _cases(staff_id):
        cases.move(case_id=case.pk, owner=owner, actor=actor)


def come_back(*, staff_id, actor):
    """Let a person who left return, with no postings and with a one-time code: their old password is gone.

    :returns: the person and the code.
    :raises Refused: `same_person`, `own_posting` (422); `works_here`.
    """
    person = _of_others(staff_id, actor)
    if person.is_active:
        raise WORDING.refused("works_here", staff=person.pk)
    person.is_active = True
    person.set_unusable_password()
    person.save(update_fields=["is_active", "password"])
    log.record(
        "staff.returned",
        person.ref,
        chain=log.HOUSE,
        actor=actor,
        facts={"staff": person.ref} | staff.by_two(actor),
    )
    return person, codes.give(staff=person, actor=actor)


def give_code(*, staff_id, actor):
    """Give a one-time code to a person who lost their password; the old password counts until they set a new one.

    :returns: the person and the code.
    :raises Refused: `same_person`, `own_posting` (422); `left_already`.
    """
    person = _of_others(staff_id, actor)
    if not person.is_active:
        raise _left(person)
    return person, codes.give(staff=person, actor=actor)


def lost(*, staff_id, actor):
    """End every second step of a person who lost it: they are logged out everywhere and get a one-time code.

    Their password goes too: with it alone, whoever found the device could add one of their own.

    :returns: the person and the code.
    :raises Refused: `same_person`, `own_posting` (422); `left_already`, `no_key`.
    """
    person = _of_others(staff_id, actor)
    if not person.is_active:
        raise _left(person)
    if not credentials.end_all(person, actor):
        raise WORDING.refused("no_key:lost", staff=person.pk)
    person.set_unusable_password()
    person.save(update_fields=["password"])
    web_sessions.end_others(staff=person, keep=None)
    return person, codes.give(staff=person, actor=actor)


def _of_others(staff_id, actor):
    """The person concerned, locked; two others decide."""
    _two_others(staff_id, actor)
    return Staff.objects.select_for_update(no_key=True).get(pk=staff_id)


def _two_others(staff_id, actor):
    grounds.two_people(actor)
    if staff_id in {actor.by.pk, actor.approved_by.pk}:
        raise WORDING.refused("own_posting", path="staff" if staff_id == actor.by.pk else "signature")


def _alone():
    """Lock the house's chain, which the entry locks anyway: if two decide at once, one waits."""
    Chain.objects.select_for_update(no_key=True).get(key=log.HOUSE)


def _one_stays(person, posting=None):
    """Refuse to take away the house's last administrator: nobody could add another one."""
    _alone()
    posted = Posting.objects.filter(role=Role.ADMINISTRATOR, ended_at=None, staff__is_active=True)
    own = posted.filter(staff=person) if posting is None else posted.filter(pk=posting.pk)
    if own.exists() and not posted.exclude(pk__in=own.values("pk")).exists():
        raise WORDING.refused("last_administrator", staff=person.pk)


def _deals_nowhere(person, goes_on):
    """Refuse if the person deals, or is asked to, at a table where they no longer may."""
    at = SignOn.objects.filter(staff=person, signed_off_at=None).select_related("table").first()
    if at and not goes_on(at.table):
        raise WORDING.refused("deals_now", staff=person.pk, table=at.table, detail={"table": at.table_id})
    asked = Relief.objects.standing().filter(staff=person).select_related("table").first()
    if asked and not goes_on(asked.table):
        raise WORDING.refused("asked_to_relieve", staff=person.pk, table=asked.table, detail={"table": asked.table_id})


def _cases(staff_id):
    return list(Case.objects.filter(owner=staff_id, decided_at=None).select_related("table").order_by("pk"))


def _owns_none(owned):
    if owned:
        raise WORDING.refused(
            "owns_cases", cases=", ".join(map(str, owned)), detail={"cases": [case.pk for case in owned]}
        )


def _role(role):
    if role not in list(Role):
        raise WORDING.refused("role_unknown", role=shown(role), roles=", ".join(Role))
    return Role(role)


def _pit(number):
    pit = None if number is None else Pit.objects.filter(pk=number).first()
    if number is not None and pit is None:
        raise WORDING.refused("pit_unknown", pit=number)
    return pit


def _left(person):
    return WORDING.refused("left_already:return", staff=person.pk)
