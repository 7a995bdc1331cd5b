"""What the edge of HTTP says to people and programs: see `casino.wording`."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "web",
    {
        # failures
        "database_out_of_reach": Refusal(
            "The database doesn’t answer. Nobody knows yet whether the command was done.",
            "Send it again with the same Idempotency-Key: it’s done only once.",
            503,
        ),
        "server_failed": Refusal(
            "Something broke on our side. Nothing was left half done.",
            "Try again. If that doesn’t help, tell an administrator the number {number}.",
            500,
        ),
        # idempotency
        "in_flight": Refusal(
            "Another command on this table is still running.", "Wait a moment and send the same command again."
        ),
        # limits
        "bad_request": Refusal(
            "This address doesn’t accept that request.", "Check the address and what you send.", 400
        ),
        "bad_request:host": Refusal(
            "This host, query or form isn’t accepted here.", "Check the address and what you send.", 400
        ),
        "bad_request:nul": Refusal(
            "The request has a NUL character in it.", "Check the address and what you send.", 400
        ),
        "method_not_allowed:trace": Refusal("TRACE isn’t accepted at any address.", "Use another method.", 405),
        "too_large": Refusal("The body is larger than {most} bytes.", "Send less.", 413),
        # rest
        "bad_json": Refusal("{fault}", "Send one JSON object in UTF-8.", 400),
        "csrf_failed": Refusal("The request’s CSRF token is wrong.", "Reload the page.", 403),
        "field_missing": Refusal("{name} is missing.", "Send it.", 422),
        "field_unknown": Refusal("There is no field {name} here.", "Leave it out.", 422),
        "field_wrong:boolean": Refusal("{name} is neither true nor false.", "Send true or false.", 422),
        "field_wrong:list": Refusal("{name} isn’t a list.", "Send a list.", 422),
        "field_wrong:object": Refusal("{name} isn’t an object.", "Send an object.", 422),
        "field_wrong:text": Refusal("{name} isn’t text.", "Send text.", 422),
        "field_wrong:value": Refusal("{name} isn’t a value.", "Send a value.", 422),
        "field_wrong:whole_number": Refusal("{name} isn’t a whole number.", "Send a whole number.", 422),
        "key_missing": Refusal(
            "A command needs an Idempotency-Key of 1 to 80 visible ASCII characters.",
            "Send a new one for each command, such as {example}.",
            400,
            "Idempotency-Key",
        ),
        "key_twice": Refusal("The key {key} is given twice.", "Send it once.", 400),
        "method_not_allowed": Refusal("This address doesn’t accept that method.", "Use another method.", status=405),
        "not_acceptable": Refusal("Answers come only as application/json.", "Accept JSON.", 406),
        "not_found": Refusal("There is nothing here, or it’s out of your reach.", "Check the address.", 404),
        "not_json": Refusal("The body isn’t application/json.", "Send JSON.", 415),
        "not_logged_in": Refusal("You aren’t logged in.", "Log in and send it again.", 401),
        "not_your_right": Refusal("Your role may not do this.", "Ask somebody whose role may.", 403),
    },
)
