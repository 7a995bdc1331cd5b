"""A house founded from nothing, once: its casino, chips, pits, tables and drafts, and the two people who add all
others."""

from django.db import connection

from audit.log import SYSTEM, Actor
from casino.games.reading import shown
from casino.models import Casino, ChipSet, Staff
from casino.roles import Role
from payouts import ledger
from payouts.models import Account

from ..models import Posting
from ..people import codes, lockout, staff
from . import pits, rulesheets
from .house_file import ZONE_PLACE
from .wording import WORDING


def lay_down(house):
    """Lay out a house in an empty database.

    :param house: what `house_file.read` gives.
    :returns: its administrators, each with the one-time code for their password.
    :raises Refused: `house_there`; `zone_unknown` (422).
    """
    if Casino.objects.exists():
        raise WORDING.refused("house_there")
    _know_zone(house.casino["time_zone"])
    Casino.objects.create(**house.casino)
    ledger.start_accounts(Account.OF_THE_HOUSE, "house")
    chip_sets = {row["name"]: ChipSet.objects.create(**row) for row in house.chip_sets}
    people = [staff.add(**row, password=None, actor=SYSTEM) for row in house.administrators]
    for person in people:
        staff.post(staff=person, role=Role.ADMINISTRATOR, pit=None, actor=SYSTEM)
    pit_of = {row["code"]: pits.add_pit(**row, actor=SYSTEM) for row in house.pits}
    for row in house.tables:
        pits.add_table(**row | {"pit": pit_of[row["pit"]], "chip_set": chip_sets[row["chip_set"]]}, actor=SYSTEM)
    for row in house.sheets:
        # A draft has an author, and somebody else publishes it.
        rulesheets.draft(**row, actor=Actor(people[0]))
    return [(person, codes.give(staff=person, actor=SYSTEM)) for person in people]


def _know_zone(name):
    """Refuse a time zone that the database's own list lacks."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_timezone_names WHERE name = %s)", [name])
        if not cursor.fetchone()[0]:
            raise WORDING.refused(
                "zone_unknown", place=ZONE_PLACE, zone=shown(name), way_out=WORDING("house_file:zone_cure")
            )


def another_code(login):
    """Give another one-time code to one of the two founders, if theirs expired before any two people could give one.

    :returns: the person and the code.
    :raises Refused: `login_unknown` (422); `code_by_two`.
    """
    if not lockout.LOGIN.fullmatch(login):
        raise WORDING.refused("login_unknown:form", login=shown(login))
    posted = Posting.objects.filter(role=Role.ADMINISTRATOR, ended_at=None)
    people = Staff.objects.select_for_update(no_key=True).filter(is_active=True)
    person = people.filter(login=login, pk__in=posted.values("staff")).first()
    if person is None:
        raise WORDING.refused("login_unknown", login=login)
    others = Staff.objects.filter(is_active=True).exclude(pk=person.pk)
    if sum(other.has_usable_password() for other in others) > 1:
        raise WORDING.refused("code_by_two", login=login)
    return person, codes.give(staff=person, actor=SYSTEM)
