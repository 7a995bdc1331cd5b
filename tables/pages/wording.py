"""What pages say to people: see `casino.wording`."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "pages",
    {
        # account
        "account:changed": "Your password is changed. You’re logged out everywhere else.",
        "account:ended": "Logged out there.",
        "password_unlike": Refusal("The two aren’t the same.", "Enter the new one twice.", 422, "again"),
        # correction_form
        "beyond_limits": "{slot} {amount} is outside this table’s limits of {least} to {most}.",
        "choose_another": "Choose another setting.",
        "corrected_when_closed": "Only a closed round is corrected.",
        "field_wrong:amount": Refusal("{text} isn’t an amount.", "Enter it again.", 422),
        "field_wrong:flag": Refusal("{text} is neither yes nor no.", "Enter it again.", 422),
        "field_wrong:whole_number": Refusal("{text} isn’t a whole number.", "Enter it again.", 422),
        "stale_version": Refusal(
            "Round {round} was corrected in the meantime.",
            "Load the page again and look at the round as it is now.",
            path="line",
        ),
        # dispute
        "no_change:open": "The round is still open: the ruling is words alone. A change waits for the close.",
        "no_change:voided": "The round is void and every stake goes back: the ruling is words alone.",
        "not_logged_in": Refusal("You aren’t logged in.", "Log in.", 401),
        "part:dealt": "dealt the round",
        "part:owner": "owns the case",
        "part:raised": "raised it",
        "part:raised_at": "raised it at {terminal}",
        "part:ruled": "ruled",
        "part:signed": "signed the ruling",
        # keys
        "key:app": "Your app is added.",
        "key:passkey": "Your passkey is added.",
        "key:recovery": "You’re logged in. Is a device lost? Remove it here, and add another one.",
        "key:remove": "It’s removed.",
        "login_again": Refusal(
            "You logged in too long ago to change what you log in with.", "Log in again first.", 403
        ),
        "secret_over": Refusal(
            "The page with the QR code was open for too long.",
            "Remove the entry in your app, and scan the new QR code.",
            422,
            "code",
        ),
        # reports
        "report_file_gone": Refusal(
            "{file} is no longer in the folder of reports.",
            "It’s put back within the hour, with the same bytes.",
            410,
        ),
        # round
        "next:after": "after {time}",
        "next:held": "after its release",
        "no_result:closed": "The round is closed and not yet settled.",
        "no_result:open": "The round is still open.",
        "no_result:voided": "The round is void: all stakes and fees go back.",
        # session
        "both_counted": "Both have counted.",
        "both_counted:differ": "Both have counted, and their counts differ.",
        "closer_counted": "{person} has counted the closer. A second person counts now.",
        "closer_uncounted": "Two people count the closer, the second without seeing the first count.",
        "drop_box": "{drop_box} is mounted.",
        "drop_box:closing": "{drop_box} is mounted. The table closes once it’s taken off.",
        "drop_box:none": "No drop box is mounted. Without one, no chips are sold for cash here.",
        "mark:opener": "The opener differs by {amount} from the closer before it, more than the house lets pass:"
        " {bound}.",
        "mark:rake": "The rake’s variance of {amount} is above what the house lets pass: {bound}.",
        "mark:variance": "The variance of {amount} is above what the house lets pass: {bound}.",
        "opener_counted": "{person} has counted the opener. A second person counts now.",
        "opener_uncounted": "Two people count the opener, the second without seeing the first count.",
        # settings
        "setting_bounds": "{least} to {most}; {default} until it’s changed.",
        # sheet_form
        "bounds": "{least} to {most}.",
        "bounds:chips": "{least} to {most}, in whole chips.",
        "bounds:chips_optional": "{least} to {most}, in whole chips. Empty: none.",
        "bounds:optional": "{least} to {most}. Empty: none.",
        "field_wrong:empty": Refusal("{label} is empty.", "Enter {rule}", 422),
        "field_wrong:unchosen": Refusal("{label} is empty.", "Choose one of the options.", 422),
        # staff
        "staff:end": "The posting has ended.",
        "staff:leave": "They have left, and are logged out everywhere.",
        "staff:post": "Posted.",
        "unlocked": "They may try again.",
        # terminals
        "terminal:rename": "Renamed. The log has the new name now.",
        "terminal:revoke": "Revoked.",
    },
)
