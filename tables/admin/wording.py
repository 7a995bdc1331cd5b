"""What the back office says to people besides its rows: see `casino.wording`."""

from casino.wording import Wording

WORDING = Wording(
    "admin",
    {
        # entries
        "face_down": "These cards lie face down until the round is over.",
        "unsealed": "It’s sealed within seconds; look again.",
        # exports
        "kind_missing": "Choose what to export: everything, a table or a period.",
        "period_missing": "Say the first gaming day of the period.",
        # history
        "unproven": "Not each of these entries is proven; its page says why.",
        # search
        "about_nothing": "Nothing is called “{text}”. Enter a round such as T1-00003, or a reference such as staff:3.",
        "dates_reversed": "{last} lies before {first}; exchange the two days.",
        "no_date": "“{text}” isn’t a date; write it as 2026-11-21.",
        "no_event": "There is no event “{name}”; choose one of the list.",
        "no_round": "There is no round “{text}”.",
        "no_table": "There is no table “{key}”; choose one of the list.",
        "nobody": "Nobody is called “{text}”. Enter a login, a name, a number such as 12, or system.",
        "rounds_too_many": "More than {most} rounds fit “{text}”; search by table and day, or name one round.",
        "several_people": "Several people are called so: {people}. Take the number.",
        "year_empty": "There is nothing in the year {year}.",
    },
)
