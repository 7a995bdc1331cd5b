"""Settings of the house: changed by two people, from now on or from a later moment, and withdrawn before it."""

import datetime as dt
from typing import NamedTuple

from django.db import connection
from django.db.models import Count
from django.db.models.functions import Now

from audit import log
from audit.models import Chain
from casino import money, settings_of_house
from casino.games.reading import shown
from casino.models import Casino, Setting

from . import grounds
from .wording import WORDING

FARTHEST = dt.timedelta(days=365)


class Standing(NamedTuple):
    """A setting as it stands: its value now, the row that gives it, and the rows to come, the next first.

    `row` is None while the default counts; `version` is how many changes and withdrawals there were.
    """

    definition: settings_of_house.Definition
    value: int
    row: Setting | None
    coming: list[Setting]
    version: int


def standing():
    """All settings as they stand, in the order of the table."""
    people = ("proposed_by", "approved_by")
    rows = list(Setting.objects.newest_first().select_related(*people))
    versions = _versions()
    return [_standing(definition, rows, versions) for definition in settings_of_house.SETTINGS.values()]


def _standing(definition, rows, versions):
    own = [row for row in rows if row.name == definition.name]
    newest = next((row for row in own if row.counts), None)
    return Standing(
        definition,
        newest.value if newest else definition.default,
        newest,
        [row for row in reversed(own) if not row.counts],
        versions.get(definition.name, 0),
    )


def _versions():
    """How many changes and withdrawals there were, by the settings' names."""
    counts = Setting.objects.values_list("name").annotate(Count("pk"), Count("withdrawn_at")).order_by("name")
    return {name: changes + withdrawals for name, changes, withdrawals in counts}


def _spelled(definition, value):
    """A value in words, as the page of settings has it; anything but a whole number as it is."""
    if definition.unit != settings_of_house.UNITS or type(value) is not int:
        return f"{value} {definition.unit}"
    casino = Casino.objects.get()
    return f"{money.spell(value, casino.currency_decimals)} {casino.currency}"


def change(*, name, value, from_at, version, actor):
    """Give a setting another value from a moment on.

    :param from_at: an aware moment; None: from now on.
    :param version: how many changes and withdrawals of the setting the caller saw.
    :param actor: `approved_by` is the second person.
    :raises Refused: `same_person`, `setting_unknown`, `value_wrong`, `moment_wrong` (422); `stale_version`,
        `setting_unchanged`, `moment_taken`.
    """
    grounds.two_people(actor)
    definition = settings_of_house.SETTINGS.get(name)
    if definition is None:
        raise WORDING.refused("setting_unknown", name=shown(name), names=", ".join(sorted(settings_of_house.SETTINGS)))
    if not definition.fits(value):
        raise WORDING.refused(
            "value_wrong",
            setting=definition.label,
            value=_spelled(definition, value),
            least=_spelled(definition, definition.least),
            most=_spelled(definition, definition.most),
        )
    now = _alone()
    seen = _versions().get(name, 0)
    if version != seen:
        raise WORDING.refused(
            "stale_version:setting", detail={"version": seen}, setting=definition.label, seen=version, newest=seen
        )
    from_at = from_at or now
    if not now <= from_at <= now + FARTHEST:
        raise WORDING.refused("moment_wrong:setting")
    if Setting.objects.filter(name=name, from_at=from_at, withdrawn_at=None).exists():
        raise WORDING.refused("moment_taken:setting", setting=definition.label)
    before = settings_of_house.value(name, at=from_at)
    if value == before:
        raise WORDING.refused("setting_unchanged", setting=definition.label, value=_spelled(definition, value))
    setting = Setting.objects.create(
        name=name, value=value, from_at=from_at, proposed_by=actor.by, approved_by=actor.approved_by
    )
    _record(setting, actor, before=before, after=value)
    return setting


def withdraw(*, setting_id, actor):
    """Withdraw a change of a setting before its moment: until then it has never counted.

    :param actor: `approved_by` is the second person; they may be others than those who set it.
    :raises Refused: `same_person` (422), `setting_withdrawn`, `setting_counts`.
    """
    grounds.two_people(actor)
    _alone()
    setting = Setting.objects.get(pk=setting_id)
    if setting.withdrawn_at:
        raise WORDING.refused("setting_withdrawn")
    # One statement asks the clock and writes what it says.
    if not Setting.objects.filter(pk=setting_id, from_at__gt=Now()).update(withdrawn_at=Now()):
        raise WORDING.refused("setting_counts")
    setting.refresh_from_db()
    _record(setting, actor, before=setting.value, after=None)
    return setting


def _alone():
    """Lock the house's chain, which the entry locks anyway: what is in force stays so until it is written.

    :returns: the present moment, by the database's clock; never before the newest entry.
    """
    chain = Chain.objects.select_for_update(no_key=True).get(key=log.HOUSE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT greatest(clock_timestamp(), %s)", [chain.at])
        return cursor.fetchone()[0]


def _record(setting, actor, *, before, after):
    log.record(
        "setting.changed",
        setting.ref,
        chain=log.HOUSE,
        actor=actor,
        facts={
            "what": setting.name,
            "before": before,
            "after": after,
            "from": log.spell_time(setting.from_at),
            "requester": actor.ref,
            "approver": actor.approver,
        },
    )
