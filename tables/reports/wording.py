"""What reports say to people beside their rows: see `casino.wording`."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "reports",
    {
        # catalogue
        "report_unknown": Refusal("There is no report {name}.", "Choose one from the list of reports.", 404),
        # grading
        "estimate:day": "Gaming day {day} isn’t closed.",
        "estimate:days": "Gaming day {day} isn’t closed, and {more} more.",
        "estimate:running": "The period isn’t over.",
        "final:closed": "The period is over, and no table was open in it.",
        "final:day": "The gaming day is closed, signed by two.",
        "final:days": "Each gaming day is closed, signed by two.",
        "report_not_final": Refusal(
            "There is no file of {period} yet. {rule}",
            "Read it on the screen as an ESTIMATE, or ask again when each gaming day in it is closed.",
        ),
        "report_to_come": Refusal("{period} hasn’t begun yet.", "Ask for a period that has begun."),
        # making
        "disk_full": "The disk of the casino is full. Make room, then ask again.",
        "report_differs": Refusal(
            "The rows of these closed days aren’t those that the report was made of before.",
            "Ask an auditor to find out what was changed: the log has the digest of the report as it was.",
        ),
        "report_not_made:csv": Refusal("Its CSV wasn’t made.", "Ask for the CSV first."),
        "report_not_made:csv_failed": Refusal("Its CSV wasn’t made. {fault}", "Ask for the CSV first."),
        # period
        "report_period_long": Refusal(
            "{period} has {days} days; a report has at most {most}.", "Ask for a year, or less.", 422
        ),
        "report_period_wrong": Refusal(
            "“{period}” isn’t a period.",
            "Write a day (2026-11-21), a month (2026-11), a year (2026) or two days (2026-11-01..2026-11-15).",
            422,
        ),
        # prints
        "drawing": "{title}. {marks}.",
        "report_too_long:print": Refusal(
            "The report has more than {most} rows, which nobody reads on paper.",
            "Take it as CSV or XLSX, or a shorter period.",
        ),
        # screens
        "report_no_such_table": Refusal(
            "There is no table {table}.", "Choose one of the tables that the report lists.", 404
        ),
        "signed_by": "Signed by {first} and {second}.",
        # shelf
        "report_not_made": Refusal("{file} isn’t made.", "Have it made on the page of the report."),
        # workbooks
        "report_too_long:cell": Refusal(
            "Row {row} has a text of more than {most} letters, which no cell of a workbook holds.", "Take it as CSV."
        ),
        "report_too_long:workbook": Refusal(
            "The report has more than {most} rows, and a sheet of a workbook has no room for them.",
            "Take it as CSV, or a shorter period.",
        ),
    },
)
