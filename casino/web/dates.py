"""Dates in addresses, as 2026-11-24."""

import datetime as dt


class DateConverter:
    """A date of ISO 8601, in full."""

    regex = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value):
        """:raises ValueError: if it is no date, which is no such address."""
        return dt.date.fromisoformat(value)

    def to_url(self, value):
        return value if isinstance(value, str) else value.isoformat()
