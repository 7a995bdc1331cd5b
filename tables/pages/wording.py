"""What pages say to people: see `casino.wording`."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "pages",
    {
        # dispute
        "no_change:open": "The round is still open, so a ruling changes nothing in it. To change it, wait "
        "until it’s closed.",
        "no_change:voided": "The round is void and every stake goes back, so a ruling changes nothing in it.",
        "not_logged_in": Refusal("You aren’t logged in.", "Log in.", 401),
        "part:dealt": "dealt the round",
        "part:owner": "owns the case",
        "part:raised": "raised it",
        "part:raised_at": "raised it at {terminal}",
        "part:ruled": "ruled",
        "part:signed": "signed the ruling",
        # reports
        "report_file_gone": Refusal(
            "{file} is no longer in the folder of reports.",
            "Try again in an hour: it’s put back by then, with the same bytes.",
            410,
        ),
        # session
        "both_counted": "Both have counted.",
        "both_counted:differ": "Both have counted, and their counts differ.",
        "closer_counted": "{person} has counted the closer. Have a second person count now.",
        "closer_uncounted": "Have two people count the closer, the second without seeing the first count.",
        "drop_box": "{drop_box} is mounted.",
        "drop_box:closing": "{drop_box} is mounted. The table can be closed once it’s taken off.",
        "drop_box:none": "No drop box is mounted. Without one, no chips can be sold for cash here.",
        "mark:opener": (
            "The opener differs by {amount} from the closer before it, more than the house’s limit of {bound}."
        ),
        "mark:rake": "The rake’s variance of {amount} is more than the house’s limit of {bound}.",
        "mark:variance": "The variance of {amount} is more than the house’s limit of {bound}.",
        "opener_counted": "{person} has counted the opener. Have a second person count now.",
        "opener_uncounted": "Have two people count the opener, the second without seeing the first count.",
        # settings
        "setting_bounds": "{least} to {most}; {default} until it’s changed.",
        # sheet_form
        "bounds": "{least} to {most}.",
        "bounds:chips": "{least} to {most}, in whole chips.",
        "bounds:chips_optional": "{least} to {most}, in whole chips. Leave it empty for none.",
        "bounds:optional": "{least} to {most}. Leave it empty for none.",
        "field_wrong:empty": Refusal("{label} is empty.", "Enter {rule}", 422),
        "field_wrong:unchosen": Refusal("{label} is empty.", "Choose one of the options.", 422),
        # staff
        "staff:end": "The posting has ended.",
        "staff:leave": "They’ve left, and they’re logged out everywhere.",
        "staff:post": "Posted.",
        "unlocked": "The lock-out is lifted: they may try again.",
        # terminals
        "terminal:rename": "Renamed. The log has the new name now.",
        "terminal:revoke": "Revoked.",
    },
)
