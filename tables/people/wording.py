"""What people read about themselves: their logins, keys, terminals and sign-ons."""

from casino.wording import Refusal, Wording

WORDING = Wording(
    "people",
    {
        # access
        "not_your_right": Refusal(
            "Your role may not do this at this table.",
            "Ask the croupier who’s signed on here to act, or a pit boss to rule.",
            status=403,
        ),
        "not_your_right:house": Refusal("Your role may not do this.", "Ask somebody whose role may.", status=403),
        "table_unreachable": "There is no such table, or you aren’t signed on at it.",
        # credentials
        "code_wrong:app": Refusal(
            "That isn’t the code that the app shows now.",
            "Enter the newest code. If it never works, set the device’s clock right.",
            status=422,
            path="code",
        ),
        "key_over": Refusal("That key has already been removed.", "Look at your keys again."),
        "key_there": Refusal("A second step was added just now.", "Log in again with it."),
        "last_key": Refusal("Your role needs a second step, and this is your only one.", "Add another one first."),
        "name_wrong": Refusal(
            "A key’s name has 1 to 40 printable characters.",
            "Name it after the device, such as Blue USB key.",
            status=422,
            path="name",
        ),
        "no_key": Refusal("You have no second step yet.", "Add a passkey or an app first."),
        "passkey_taken": Refusal("This passkey has already been added.", "Use another device.", path="passkey"),
        "passkey_wrong": Refusal(
            "The browser sent no passkey that fits.",
            "Try again, with a device that asks for a PIN, a finger or a face.",
            status=422,
            path="passkey",
        ),
        "too_many_keys": Refusal("You already have {most} keys.", "Remove one first."),
        # fetchers
        "token_unknown:reports": Refusal(
            "No program has this token of reports.",
            "Have two people give the program a new one: this one may have ended.",
            status=401,
            path="Authorization",
        ),
        # lockout
        "locked": Refusal(
            "After too many wrong passwords, this login is locked here for {minutes} minutes.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "locked:one": Refusal(
            "After too many wrong passwords, this login is locked here for {minutes} minute.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "locked:second_step": Refusal(
            "After too many wrong second steps, this login is locked here for {minutes} minutes.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "locked:second_step_one": Refusal(
            "After too many wrong second steps, this login is locked here for {minutes} minute.",
            "Wait, or ask the pit boss to unlock it.",
            status=429,
        ),
        "many_wrong_logins": Refusal(
            "The login or the password is wrong, and so were many others within this minute.",
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
            "Staff {staff} has already been asked to relieve at {table}.", "Withdraw that relief first.", path="staff"
        ),
        "relief_elsewhere": Refusal(
            "This croupier has been asked to relieve at {table}.",
            "Withdraw that relief first, or choose another croupier.",
            path="staff",
        ),
        "relief_over:done": Refusal(
            "This relief is over: Staff {staff} has signed on.", "Look at who deals there now."
        ),
        "relief_over:withdrawn": Refusal("This relief has already been withdrawn.", "Look at who deals there now."),
        "signed_on_elsewhere:relief": Refusal(
            "This croupier is dealing at {table}.",
            "Sign them off at {table} first, or choose another croupier.",
            path="staff",
        ),
        "signed_on_here:relief": Refusal(
            "This croupier is dealing at {table}.", "Choose another croupier.", path="staff"
        ),
        # signatures
        "at_table:approve_case": (
            "Have a pit boss or somebody from the cage sign: one who had no part in what the case is about."
        ),
        "at_table:cashier": "Have somebody from the cage count.",
        "at_table:count": (
            "Have a croupier of the pit, a pit boss or somebody from the cage count and sign for the count."
        ),
        "at_table:count_drop": "Have somebody from the count team sign.",
        "at_table:countersign": "Have another pit boss sign, or the croupier who’s signed on at the table.",
        "at_table:hand_chips": "Have the croupier who’s signed on at the table count.",
        "at_table:rule": "Have a pit boss of this pit sign.",
        "at_table:supervise": "Have a pit boss sign.",
        "at_table:witness": "Have a pit boss or somebody from the cage sign.",
        "at_table:witness_drop_box": "Have a croupier of the pit, a pit boss or somebody from the cage sign.",
        "code_wrong": Refusal(
            "The login or the code is wrong, or the code has expired.",
            "Enter both again, or ask an administrator for a new code.",
            status=403,
            path="code",
        ),
        "field_missing": Refusal("“{field}” is missing from the signature.", "Send it.", status=422),
        "field_missing:key": Refusal(
            "Idempotency-Key is missing.", "Send the key that the passkey signed.", status=422, path="Idempotency-Key"
        ),
        "field_missing:salt": Refusal(
            "The salt of “{field}” is missing.",
            "Send the salt with which it was hashed in what was signed.",
            status=422,
        ),
        "field_missing:signature": Refusal(
            "The signature is missing.",
            "Have a second person sign, with their login and password or with a passkey.",
            status=422,
            path="signature",
        ),
        "field_unknown": Refusal("There is no field {field} here.", "Leave it out.", status=422),
        "field_wrong:salts": Refusal(
            "The salts of the signature can’t be read.",
            "Send 32 hexadecimal digits for each free text.",
            status=422,
            path="signature.salts",
        ),
        "field_wrong:text": Refusal("“{field}” of the signature isn’t text.", "Send text.", status=422),
        "field_wrong:unsignable": Refusal(
            "The command has a character or a number that can’t be signed.",
            "Leave out control characters and fractions.",
            status=422,
        ),
        "in_house:approve_reports": "Have a pit boss or another administrator sign.",
        "in_house:approve_setting": "Have another pit boss or an administrator sign.",
        "in_house:count_cage": "Have somebody from the count team, a pit boss or somebody else from the cage sign.",
        "in_house:sign_day": "Have somebody from the cage or another pit boss sign.",
        "in_house:witness": "Have a pit boss or somebody else from the cage sign.",
        "password_wrong": Refusal(
            "That isn’t your password.", "Enter the password that you log in with.", status=403, path="old"
        ),
        "same_person": Refusal(
            "One person can’t both ask and sign.", "Have somebody else sign.", status=422, path="signature"
        ),
        "second_step_wrong": Refusal(
            "That code or passkey is wrong, or was used before.",
            "Enter the newest code of your app or a recovery code that you haven’t used, or use your passkey.",
            status=403,
            path="code",
        ),
        "signature_by_passkey": Refusal(
            "This house doesn’t accept signatures by password.",
            "Have the second person sign with their passkey.",
            status=403,
            path="signature.password",
        ),
        "signature_by_passkey:end": Refusal(
            "A signature by password can’t end signatures by password.",
            "Have the second person sign with their passkey.",
            status=403,
            path="signature.password",
        ),
        "signature_without_right": Refusal("{login} may not sign this.", "{way_out}", status=403, path="signature"),
        "signature_without_right:table": Refusal(
            "{login} may not sign this at this table.", "{way_out}", status=403, path="signature"
        ),
        "signature_wrong": Refusal(
            "The login or the password of the signature is wrong.",
            "Ask whoever signs to enter both again.",
            status=403,
            path="signature",
        ),
        "signature_wrong:passkey": Refusal(
            "The passkey isn’t the second person’s, or didn’t sign this.",
            "Have the second person sign again, with a passkey of their own.",
            status=403,
            path="signature",
        ),
        # staff
        "code_over": Refusal("This code was used or replaced just now.", "Ask for a new one.", path="code"),
        "left_already": Refusal("This person has already left.", "Choose somebody else.", path="staff"),
        "nobody_signed_on": Refusal("Nobody is signed on at {table}.", "Sign a croupier on first."),
        "not_locked": Refusal("This person isn’t locked out.", "Have them log in.", path="staff"),
        "password_changed": Refusal("Your password was changed just now.", "Log in with the new one.", path="old"),
        "relief_elsewhere:sign_on": Refusal(
            "This croupier has been asked to relieve at {table}.",
            "Sign on at {table}, or ask the pit boss to withdraw that relief.",
            path="staff",
        ),
        "signed_on_elsewhere": Refusal(
            "This croupier is signed on at {table}.", "Sign off at {table} first.", path="staff"
        ),
        "signed_on_here": Refusal(
            "This croupier is already signed on at {table}.", "There is nothing left to do.", path="staff"
        ),
        "signed_on_meanwhile": Refusal("This person was signed on at {table} just now.", "Try again.", path="staff"),
        "signed_on_meanwhile:relief": Refusal(
            "This person was asked to relieve at {table} just now.", "Try again.", path="staff"
        ),
        "table_taken": Refusal(
            "{table} already has a croupier.", "Relieve that croupier, or have them signed off first.", path="relieve"
        ),
        "terminal_needed": Refusal(
            "This isn’t a terminal of {table}.",
            "Sign on at a terminal of this table, or ask the pit boss to sign you on.",
            status=403,
        ),
        # terminals
        "nobody_signed_on:terminal": Refusal(
            "Nobody is signed on at {table}, so the terminal can’t act for anybody.",
            "Sign a croupier on at the table, then try again.",
            status=401,
            path="Authorization",
        ),
        "terminal_name_same": Refusal(
            "The terminal is already named {name}.", "Choose another name, or leave it as it is.", path="name"
        ),
        "terminal_name_wrong": Refusal(
            "A terminal’s name has 1 to 20 letters, digits and hyphens.",
            "Choose a name such as T1-left.",
            status=422,
            path="name",
        ),
        "terminal_revoked": Refusal(
            "The terminal {terminal} has already been revoked.", "Enrol the device again under another name."
        ),
        "terminal_revoked:rename": Refusal(
            "The terminal {terminal} has been revoked and keeps its name.", "Enrol the device again under another name."
        ),
        "terminal_taken": Refusal(
            "Another terminal has or had the name {name}.",
            "Choose another name: the log has entries under this one.",
            path="name",
        ),
        "terminal_taken:own": Refusal(
            "This terminal already had the name {name} before.",
            "Choose another name: the log has entries under this one.",
            path="name",
        ),
        "token_unknown": Refusal(
            "No enrolled terminal has this token.",
            "Enrol the device again: its terminal may have been revoked.",
            status=401,
            path="Authorization",
        ),
        # web_sessions
        "idle:minutes": "for {minutes} minutes",
        "idle:one_minute": "for a minute",
        "idle:seconds": "for {seconds} seconds",
        "login_over": Refusal("That login has already ended.", "Look at your logins again."),
    },
)
