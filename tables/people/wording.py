"""What people are told about themselves: their logins, keys, terminals and sign-ons."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "people",
    {
        # access
        "not_your_right": Refusal(
            "Your role may not do this at this table.",
            "The croupier who is signed on here acts; a pit boss rules.",
            status=403,
        ),
        "not_your_right:house": Refusal("Your role may not do this.", "Ask somebody whose role may.", status=403),
        "table_unreachable": "There is no such table, or you aren’t signed on at it.",
        # credentials
        "code_wrong:app": Refusal(
            "That isn’t the code that the app shows now.",
            "Enter the newest one. If it never fits, set the clock of the device right.",
            status=422,
            path="code",
        ),
        "key_over": Refusal("That key was removed already.", "Look at your keys again."),
        "key_there": Refusal("A second step was added just now.", "Log in again with it."),
        "last_key": Refusal("Your role takes a second step, and this is your last one.", "Add another one first."),
        "name_wrong": Refusal(
            "The name of a key has 1 to 40 characters that can be printed.",
            "Name it by the device, like Blue USB key.",
            status=422,
            path="name",
        ),
        "no_key": Refusal("You have no second step yet.", "Add a passkey or an app first."),
        "passkey_taken": Refusal("This passkey was added before.", "Use another device.", path="passkey"),
        "passkey_wrong": Refusal(
            "The browser sent no passkey that fits.",
            "Try again, with a device that asks for a PIN, a finger or a face.",
            status=422,
            path="passkey",
        ),
        "too_many_keys": Refusal("You have {most} keys already.", "Remove one first."),
        # fetchers
        "token_unknown:reports": Refusal(
            "No program has this token of reports.",
            "Have two people give the program another one: this one may have ended.",
            status=401,
            path="Authorization",
        ),
        # lockout
        "locked": Refusal(
            "After too many wrong passwords this login is locked here for {minutes} minutes.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "locked:one": Refusal(
            "After too many wrong passwords this login is locked here for {minutes} minute.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "locked:second_step": Refusal(
            "After too many wrong second steps this login is locked here for {minutes} minutes.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "locked:second_step_one": Refusal(
            "After too many wrong second steps this login is locked here for {minutes} minute.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "many_wrong_logins": Refusal(
            "Login or password is wrong, as many others have been in this minute.",
            "Wait a minute and enter both again.",
            status=429,
        ),
        # reliefs
        "not_a_croupier_here": Refusal(
            "This person isn’t posted as a croupier in the pit of {table}.",
            "Choose a croupier of this pit.",
            status=422,
            path="staff",
        ),
        "relief_asked": Refusal(
            "Staff {staff} is asked to relieve at {table} already.", "Withdraw that relief first.", path="staff"
        ),
        "relief_elsewhere": Refusal(
            "This croupier is asked to relieve at {table}.",
            "Withdraw that relief first, or choose another croupier.",
            path="staff",
        ),
        "relief_over:done": Refusal("This relief is over: Staff {staff} signed on.", "Look at who deals there now."),
        "relief_over:withdrawn": Refusal("This relief was withdrawn already.", "Look at who deals there now."),
        "signed_on_elsewhere:relief": Refusal(
            "This croupier deals at {table}.",
            "Sign them off at {table} first, or choose another croupier.",
            path="staff",
        ),
        "signed_on_here:relief": Refusal("This croupier deals at {table}.", "Choose another croupier.", path="staff"),
        # signatures
        "at_table:approve_case": "A pit boss or the cage signs, who had no part in what the case is about.",
        "at_table:cashier": "The cage counts.",
        "at_table:count": "A croupier of the pit, a pit boss or the cage counts, and signs for the count.",
        "at_table:count_drop": "Somebody of the count team signs.",
        "at_table:countersign": "Another pit boss signs, or the croupier who is signed on at the table.",
        "at_table:hand_chips": "The croupier who is signed on at the table counts.",
        "at_table:rule": "A pit boss of this pit signs.",
        "at_table:supervise": "A pit boss signs.",
        "at_table:witness": "A pit boss or the cage signs.",
        "at_table:witness_drop_box": "A croupier of the pit, a pit boss or the cage signs.",
        "code_wrong": Refusal(
            "Login or code is wrong, or the code has expired.",
            "Enter both again, or ask an administrator for a new code.",
            status=403,
            path="code",
        ),
        "field_missing": Refusal("“{field}” is missing in the signature.", "Send it.", status=422),
        "field_missing:key": Refusal(
            "Idempotency-Key is missing.", "Send the key that the passkey signed.", status=422, path="Idempotency-Key"
        ),
        "field_missing:salt": Refusal(
            "The salt of “{field}” is missing.",
            "Send the salt behind which it is hashed in what was signed.",
            status=422,
        ),
        "field_missing:signature": Refusal(
            "The signature is missing.", "Send the second person’s login and password.", status=422, path="signature"
        ),
        "field_unknown": Refusal("There is no field {field} here.", "Leave it out.", status=422),
        "field_wrong:salts": Refusal(
            "The salts of the signature can’t be read.",
            "Send 32 hexadecimal digits for each free text.",
            status=422,
            path="signature.salts",
        ),
        "field_wrong:text": Refusal("“{field}” of the signature isn’t a text.", "Send a text.", status=422),
        "field_wrong:unsignable": Refusal(
            "The command has a character or a number that can’t be signed.",
            "Leave control characters and fractions out.",
            status=422,
        ),
        "in_house:approve_reports": "A pit boss or another administrator signs.",
        "in_house:approve_setting": "Another pit boss or an administrator signs.",
        "in_house:count_cage": "The count team, a pit boss or another cashier signs.",
        "in_house:sign_day": "The cage or another pit boss signs.",
        "in_house:witness": "A pit boss or another cashier signs.",
        "password_wrong": Refusal(
            "That isn’t your password.", "Enter the password that you log in with.", status=403, path="old"
        ),
        "second_step_wrong": Refusal(
            "That isn’t right, or it was used before.",
            "Enter the newest code of your app, a recovery code that you haven’t used, or use your passkey.",
            status=403,
            path="code",
        ),
        "signature_by_passkey": Refusal(
            "This house takes no signature by password.",
            "The second person signs with their passkey.",
            status=403,
            path="signature.password",
        ),
        "signature_by_passkey:end": Refusal(
            "The end of signatures by password can’t be signed by password.",
            "The second person signs with their passkey.",
            status=403,
            path="signature.password",
        ),
        "signature_without_right": Refusal("{login} may not sign this.", "{way_out}", status=403, path="signature"),
        "signature_without_right:table": Refusal(
            "{login} may not sign this at this table.", "{way_out}", status=403, path="signature"
        ),
        "signature_wrong": Refusal(
            "The login or the password of the signature is wrong.",
            "Whoever signs enters both again.",
            status=403,
            path="signature",
        ),
        "signature_wrong:passkey": Refusal(
            "The passkey isn’t the second person’s, or didn’t sign this.",
            "The second person signs again, with a passkey of theirs.",
            status=403,
            path="signature",
        ),
        # staff
        "code_over": Refusal("This code was used or replaced just now.", "Ask for a new one.", path="code"),
        "left_already": Refusal("This person has left already.", path="staff"),
        "nobody_signed_on": Refusal("Nobody is signed on at {table}.", "Sign a croupier on first."),
        "not_locked": Refusal("This person isn’t locked out.", "Log in.", path="staff"),
        "password_changed": Refusal("Your password was changed just now.", "Log in with the new one.", path="old"),
        "relief_elsewhere:sign_on": Refusal(
            "This croupier is asked to relieve at {table}.",
            "Sign on at {table}, or let the pit boss withdraw that relief.",
            path="staff",
        ),
        "signed_on_elsewhere": Refusal(
            "This croupier is signed on at {table}.", "Sign off at {table} first.", path="staff"
        ),
        "signed_on_here": Refusal("This croupier is signed on at {table} already.", path="staff"),
        "signed_on_meanwhile": Refusal(
            "This person was signed on at {table} just now.", "Send it again.", path="staff"
        ),
        "signed_on_meanwhile:relief": Refusal(
            "This person was asked to relieve at {table} just now.", "Send it again.", path="staff"
        ),
        "table_taken": Refusal(
            "{table} has a croupier already.",
            "Name that croupier as the one who is relieved, or sign them off first.",
            path="relieve",
        ),
        "terminal_needed": Refusal(
            "This isn’t a terminal of {table}.",
            "Sign on at a terminal of this table, or let the pit boss do it.",
            status=403,
        ),
        # terminals
        "nobody_signed_on:terminal": Refusal(
            "Nobody is signed on at {table}, for whom the terminal could act.",
            "Sign a croupier on at the table, then send it again.",
            status=401,
            path="Authorization",
        ),
        "terminal_name_same": Refusal(
            "The terminal is named {name} already.", "Choose another name, or leave it as it is.", path="name"
        ),
        "terminal_name_wrong": Refusal(
            "A terminal’s name is 1 to 20 letters, digits and dashes.", "Name it like T1-left.", status=422, path="name"
        ),
        "terminal_revoked": Refusal(
            "The terminal {terminal} is revoked already.", "Enrol the device anew under another name."
        ),
        "terminal_revoked:rename": Refusal(
            "The terminal {terminal} is revoked, and keeps its name.", "Enrol the device anew under another name."
        ),
        "terminal_taken": Refusal(
            "A terminal is or was named {name}.",
            "Choose another name: the log has entries under this one.",
            path="name",
        ),
        "terminal_taken:own": Refusal(
            "This terminal was named {name} before.",
            "Choose another name: the log has entries under this one.",
            path="name",
        ),
        "token_unknown": Refusal(
            "No enrolled terminal has this token.",
            "Enrol the device again: its terminal may be revoked.",
            status=401,
            path="Authorization",
        ),
        # web_sessions
        "idle:minutes": "for {minutes} minutes",
        "idle:one_minute": "for a minute",
        "idle:seconds": "for {seconds} seconds",
        "login_over": Refusal("That login has ended already."),
    },
)
