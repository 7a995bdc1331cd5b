"""What the back office says to people beside its rows: see `casino.wording`."""

from casino.wording import Wording

WORDING = Wording(
    "admin",
    {
        # entries
        "face_down": "These cards lie face down until the round is over.",
        "unsealed": "It’s sealed within seconds; look again.",
        # exports
        "kind_missing": "Choose what to export: everything, a table or a period.",
        "period_missing": "Enter the first gaming day of the period.",
        # history
        "unproven": "Not all of these entries are proven; the page of each says why.",
        # search
        "about_nothing": "Nothing is called “{text}”. Enter a round such as T1-00003, or a reference such as staff:3.",
        "dates_reversed": "{last} is before {first}; swap the two days.",
        "no_date": "“{text}” isn’t a date; write it as 2026-11-21.",
        "no_event": "There is no event “{name}”; choose one from the list.",
        "no_round": "There is no round “{text}”.",
        "no_table": "There is no table “{key}”; choose one from the list.",
        "nobody": "Nobody is called “{text}”. Enter a login, a name, a number such as 12, or system.",
        "rounds_too_many": "More than {most} rounds match “{text}”; search by table and day, or name one round.",
        "several_people": "Several people are called that: {people}. Enter a number.",
        "year_empty": "There is nothing in the year {year}.",
    },
)
