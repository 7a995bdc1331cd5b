"""The page of the house's settings: each with its value now, who set it, what comes next, and its form."""

from zoneinfo import ZoneInfo

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from casino import money, settings_of_house
from casino.models import Casino
from casino.roles import Right

from ..verbs import settings
from ..words import days
from ..words.timeline import Reader
from .wording import WORDING


@require_GET
@never_cache
@login_required
def page(request):
    """All settings, for everybody who may read them; the forms are for those who may propose a change."""
    if not request.user.has_perm(Right.READ_SETTINGS):
        raise Http404
    casino = Casino.objects.get()
    reader = Reader(request.user.has_perm(Right.READ_NAMES), ZoneInfo(casino.time_zone))
    context = {
        "settings": [_setting(standing, reader, casino) for standing in settings.standing()],
        "moments": days.to_come(reader, casino),
        "proposes": request.user.has_perm(Right.PROPOSE_SETTING),
        "back_office": request.user.has_perm(Right.READ_ADMIN),
    }
    return render(request, "settings.html", context)


def _setting(standing, reader, casino):
    definition = standing.definition
    decimals = casino.currency_decimals if definition.unit == settings_of_house.UNITS else 0
    unit = casino.currency if definition.unit == settings_of_house.UNITS else definition.unit

    def spell(units):
        return f"{money.spell(units, decimals)} {unit}"

    return {
        "name": definition.name,
        "label": definition.label,
        "about": definition.about,
        "unit": unit,
        "decimals": decimals,
        "version": standing.version,
        "value": spell(standing.value),
        "pattern": f"[0-9]+([.][0-9]{{1,{decimals}}})?" if decimals else "[0-9]+",
        "title": "An amount such as 50 or 50.5" if decimals else "A whole number",
        "typed": money.spell(standing.value, decimals).replace("\u2009", ""),
        "bounds": WORDING(
            "setting_bounds",
            least=money.spell(definition.least, decimals),
            most=spell(definition.most),
            default=spell(definition.default),
        ),
        "row": standing.row and _row(standing.row, reader, spell),
        "coming": [_row(row, reader, spell) for row in standing.coming],
    }


def _row(row, reader, spell):
    return {
        "id": row.pk,
        "value": spell(row.value),
        "from": reader.exact(row.from_at),
        "by": reader.person(row.proposed_by),
        "with": reader.person(row.approved_by),
    }
