"""Days and times of day as people read them: how a date is spelled is in the catalogue, as Django's letters of formats.

What is handed in is in the time of the site already. The log and files spell theirs by themselves, in no language.
"""

from django.utils.formats import date_format

from .wording import WORDING


def day(date):
    """A date, or the date of a moment: `19 Nov 2026`."""
    return date_format(date, WORDING("date.day"))


def day_in_full(date):
    """A date whose month is spelled out: `19 November 2026`."""
    return date_format(date, WORDING("date.day_in_full"))


def day_of_year(date):
    """The same without the year: `19 Nov`."""
    return date_format(date, WORDING("date.day_of_year"))


def weekday(date):
    """The same with the day of the week before: `Thu 19 Nov`."""
    return date_format(date, WORDING("date.weekday"))


def exact(at):
    """A moment to the second: `19 Nov 2026 14:10:05`."""
    return date_format(at, WORDING("date.exact"))


def moment(at):
    """A day and a time of it, without the year and the seconds: `19 Nov 14:10`."""
    return date_format(at, WORDING("date.moment"))
