"""Settings of the house inspected: each against the entries that set it and withdrew it."""

from audit import log
from audit.comparing import Apart, differences, one_by_one, readings, surplus
from casino.models import Setting

from .rounds import person


def look_at_settings(after, upto, state):
    rows = {each.ref: each for each in Setting.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk")}
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _setting(ref, row, said[ref])))


def _setting(ref, setting, said):
    entries = [each for each in said if each.event == "setting.changed"]
    made = next((each for each in entries if "after" in each.facts), None)
    withdrawn = next((each for each in entries if "after" not in each.facts), None)
    if made is None:
        yield surplus(ref, "casino_setting", "The setting")
        return
    yield from differences(
        ref,
        "casino_setting",
        "",
        {
            "name": made.facts["what"],
            "value": made.facts["after"],
            "from_at": made.facts["from"],
            "proposed_by_id": made.by,
            "approved_by_id": made.facts["approver"],
            "withdrawn_at": withdrawn and Apart(withdrawn.at),
        },
        {
            "name": setting.name,
            "value": setting.value,
            "from_at": log.spell_time(setting.from_at),
            "proposed_by_id": person(setting.proposed_by_id),
            "approved_by_id": person(setting.approved_by_id),
            "withdrawn_at": setting.withdrawn_at,
        },
    )
