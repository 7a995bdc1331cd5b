"""What an inspection says about the house's rows, see `casino.wording`; `audit.comparing` says most of it.

A difference that somebody accepted is recognized by its sentence, so none of these ever changes.
"""

from casino.wording import Wording

WORDING = Wording(
    "inspections",
    {
        # floor
        "coefficients": "Coefficients {number}",
        "in_force": "Sheet in force {number}",
        "in_force:absent": "No sheet is in force from {from_at}.",
        "in_force:surplus": "The sheet in force {number}",
        # people
        "code": "One-time code {number}",
        "code:gone": "The one-time code of {of} is gone.",
        "posting": "Posting {number}",
        "posting:gone": "The posting of {of} is gone.",
        "recovery_code": "Recovery code {number}",
        "sign_on": "Sign-on {number}",
        "sign_on:gone": "The sign-on of {of} is gone.",
        # rounds
        "covered": "It is not what the log says.",
        "unplayable": "action {action} does not follow",
        "unplayable:why": "action {action} does not follow: {why}",
        # settlements
        "payment": "Payment of generation {generation}, box",
        "ticked": "{payment} is ticked, but the log does not record it.",
        "unticked": "{payment} is not ticked, but the log records that it was.",
        # slips
        "slip_number": "slip number {number}",
        "slip_number:surplus": "The number of {kind} {year}",
        # tips
        "absent": "It is not there, but the log records it.",
    },
)
