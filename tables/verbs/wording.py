"""What the verbs say to people: why a command is refused, and what stands in its way."""

from casino.wording import Refusal, Wording

_SCAN_CODES = "Give each card a code of its own: 1 to 20 visible characters, without ? and without a full stop."
_SCAN_AROUND = "Use at most 20 visible characters, without ? and without a full stop, or leave the field empty."

WORDING = Wording(
    "verbs",
    {
        # alarms
        "alarm:break_due": "Have the croupier whose break is due relieved. The alarm ends when they sign off.",
        "alarm:case_late": "Decide the case with a second person, or have its owner give it more time.",
        "alarm:correction_rate": (
            "It ends by itself when rounds are settled without corrections, or when the session closes."
        ),
        "alarm:drop_box_overdue": "Have the count team count the drop box.",
        "alarm:float_low": "Ask the cage for a fill.",
        "alarm:lock_out": "Unlock the person’s login, or wait.",
        "alarm:log_damaged": "Have an auditor find out what happened and accept the differences.",
        "alarm:pace": "It ends by itself when the table’s rounds per hour are back within the range.",
        "alarm:round_held": "Release the round, or void it.",
        "alarm:round_long": "Have the croupier finish the round and close it.",
        "alarm:seal_late": "Ask an administrator to see to the sealer.",
        "alarm:settlement_late": "Ask an administrator to see to the worker. No round is settled twice.",
        "alarm:settlement_retried": (
            "Ask an administrator to read the worker’s log. After eight tries, the round is held."
        ),
        "alarm:slip_late": "Receive the slip, or send it back.",
        "alarm:take": "Take it: then it’s over.",
        "alarm:void_rate": "It ends by itself when rounds are settled without voids, or when the session closes.",
        "alarm_measured": Refusal("You can’t end this alarm yourself.", "{way_out}"),
        "alarm_not_taken": Refusal("Nobody has taken this call yet.", "Take it first, then say that it’s over."),
        "alarm_over": Refusal("This alarm is over already.", "Look at the alarms that stand now."),
        "alarm_over:call": Refusal("This call is over already.", "Look at the calls that stand now."),
        "alarm_taken": Refusal("Staff {staff} has already taken this alarm.", "Look at the alarms that stand now."),
        "alarm_taken:call": Refusal(
            "Staff {staff} is already on the way to this call.", "Look at the calls that stand now."
        ),
        "call_reason_unknown": Refusal(
            "{reason} isn’t a reason for a call.", "Choose one of these: {reasons}.", status=422, path="reason"
        ),
        "called_already": Refusal(
            "{table} has already called the pit boss.",
            "Wait: the call stands until the person who comes says it’s over.",
        ),
        "terminal_needed": Refusal(
            "This browser isn’t a terminal of {table}.", "Call the pit boss from a terminal at the table.", status=403
        ),
        # buy_ins
        "box_unknown:buy_in": Refusal(
            "There is no box {box} at {table}.", "Choose one of these boxes: {boxes}.", status=422, path="box"
        ),
        "box_unknown:no_sheet": Refusal(
            "There is no box {box} at {table}: no rule sheet is in force there.",
            "Ask the pit boss to put a rule sheet in force there first.",
            status=422,
            path="box",
        ),
        "drop_box_missing": Refusal(
            "No drop box is mounted at {table}.",
            "Have the pit boss mount one with a second person; then put the cash in.",
        ),
        "float_short": Refusal(
            "By the books, the float of {table} holds less than that.",
            "Enter only what you can hand over, and have the pit boss ask the cage for a fill.",
        ),
        "opened_first:asked": "Ask the pit boss to open the table first.",
        "signature_missing:buy_in": Refusal(
            "A buy-in above {limit} needs a pit boss’s signature.",
            "Ask a pit boss to sign with you.",
            status=422,
            path="signature",
        ),
        # cage
        "amount_wrong:chips_only": Refusal(
            "Chips that are issued or withdrawn can’t be entered as a sum.",
            "Enter how many of each chip.",
            status=422,
            path="denominations",
        ),
        "amount_wrong:chips_or_sum": Refusal(
            "Chips that are sold or cashed are entered either as a sum or by chip.",
            "Enter a sum, or how many of each chip, but not both.",
            status=422,
            path="denominations",
        ),
        "amount_wrong:no_chip": Refusal(
            "You entered no chips.", "Enter how many of each chip.", status=422, path="denominations"
        ),
        "amount_wrong:sum": Refusal(
            "A sum of {units} can’t be moved.", "Enter a sum from {smallest} to {most}.", status=422, path="units"
        ),
        "cage_itself": "the cage",
        "cage_uncounted:moved": (
            "Two people haven’t counted the cage yet, or its chips moved before the second person had counted."
        ),
        "counted_twice:cage": Refusal(
            "The cage has been counted twice, and the counts differ.", "Ask a pit boss to say which count stands."
        ),
        "counted_twice:cage_equal": Refusal(
            "The cage has been counted, and both counts agree.", "Have the two people who counted sign for it."
        ),
        "kind_unknown": Refusal(
            "{kind} isn’t a movement of chips in the cage.", "Use one of these: {kinds}.", status=422, path="kind"
        ),
        "shift_closed": Refusal("This shift of the cage is closed.", "Open the next one."),
        "shift_open": Refusal(
            "A shift of the cage is open already.", "Count the cage with a second person and close that shift first."
        ),
        # cases
        "case_decided": Refusal("{case} is decided already.", "Read the decision: it stands."),
        "case_of_dispute": Refusal("{case} is decided by the ruling on its dispute.", "Rule on dispute {dispute}."),
        "case_opened": Refusal("There is a case about this already: {case}, {status}.", "Look at {case}."),
        "due_wrong": Refusal(
            "A case can’t be due in the past, or more than {days} days ahead.",
            "Enter a time within the next {days} days.",
            status=422,
            path="due_at",
        ),
        "move_empty": Refusal(
            "{case} already has this owner, this time and this video.", "Change the owner, the time or the video."
        ),
        "outcome_unknown": Refusal(
            "A case can’t end as {outcome}.", "Use one of these: {outcomes}.", status=422, path="outcome"
        ),
        "owner_wrong": Refusal(
            "Staff {staff} may not run cases of {table}.",
            "Name a pit boss of the table’s pit.",
            status=422,
            path="owner",
        ),
        "round_not_void": Refusal(
            "Round {round} is {status}, but this kind of case is about a void round.",
            "Raise a dispute, or have the round’s session investigated.",
        ),
        "signed_closing:closing": Refusal(
            "The second person signed the closing that this case is about.",
            "Have a pit boss or somebody from the cage sign: one who didn’t sign the closing.",
            status=422,
            path="signature",
        ),
        "signed_closing:count": Refusal(
            "The second person signed the count that this case is about.",
            "Have a pit boss or somebody from the cage sign: one who didn’t sign the count.",
            status=422,
            path="signature",
        ),
        "signed_closing:session": Refusal(
            "The second person signed the opening or closing that this case is about, or dealt there.",
            "Have a pit boss or somebody from the cage sign: one who signed neither of them and didn’t deal there.",
            status=422,
            path="signature",
        ),
        "signed_closing:void": Refusal(
            "The second person signed the void that this case is about.",
            "Have a pit boss or somebody from the cage sign: one who didn’t sign the void.",
            status=422,
            path="signature",
        ),
        "video_wrong": Refusal(
            "{video} isn’t a reference to a recording.",
            "Write at most 40 letters, digits, dots, hyphens, colons and slashes, such as C3-20:24:28, and nobody’s "
            "name.",
            status=422,
            path="video",
        ),
        # corrections
        "amend_before_close": "Undo or amend the action, or void the round.",
        "correct_together": "Correct everything that belongs together in one step, or rule on the box.",
        "nothing_changed": Refusal(
            "The correction changes nothing in the round.", "Change what’s wrong.", status=422, path="changes"
        ),
        "round_open": Refusal(
            "Round {round} of the same series is open.",
            "Close or void it first: the correction may change what it began with.",
        ),
        "round_unfinished": Refusal(
            "With this correction, round {round} wouldn’t have come to its end.",
            "Void the round under {named}: its stakes go back, it gives no points, and it counts as played.",
            status=422,
            path="changes",
        ),
        "series_ends_earlier": Refusal(
            "With this correction, the series would have ended with round {round}, but round {next_round} was played "
            "after it.",
            "Void the round under {named}: its stakes go back, it gives no points, and it counts as played.",
            status=422,
            path="changes",
        ),
        "series_goes_on": Refusal(
            "The series ended with round {round}. With this correction, it would go on.",
            "Void the round under {named}: its stakes go back, it gives no points, and it counts as played.",
            status=422,
            path="changes",
        ),
        "stale_version:line": Refusal(
            "Round {round} was corrected in the meantime: you saw line {seen}, and the newest is line {newest}.",
            "Look at the round as it is now and decide again.",
            path="line",
        ),
        # counts
        "amount_wrong:in_chips": Refusal(
            "The chips of {table} can’t add up to {units}.",
            "Enter a multiple of {smallest}, at most {most}.",
            status=422,
            path="units",
        ),
        "cash_unknown": Refusal("There is no note or coin of {value}.", "Use these values: {values}.", status=422),
        "chip_unknown": Refusal("There is no chip of {value} here.", "Use these values: {values}.", status=422),
        "count_wrong": Refusal(
            "The count of {value} isn’t a whole number from 0 to {most}.",
            "Enter a whole number from 0 to {most}.",
            status=422,
        ),
        "count_wrong:worth": Refusal(
            "Together they’re worth {units}, and at most {most} can be counted or moved at once.",
            "Enter fewer now and the rest in another step. Before a count, have the cage take some of them.",
            status=422,
        ),
        "counted_already": Refusal(
            "You’ve already counted.",
            "Have a second person count now, at their own login or by their signature here.",
            path="signature",
        ),
        # days
        "cage_uncounted": "The cage hasn’t been counted yet.",
        "cage_uncounted:since": "The cage hasn’t been counted since the last table closed.",
        "day_closed": Refusal(
            "{day} is closed already.",
            "There is nothing left to do: what’s corrected now is booked on today’s gaming day.",
        ),
        "day_unclosed": "{day} isn’t closed yet.",
        "day_unfinished": Refusal(
            "{day} can’t be closed: {obstacle}", "Finish what the day’s page lists, then close the day."
        ),
        "day_unfinished:more": Refusal(
            "{day} can’t be closed: {obstacle} Left to do besides: {more}.",
            "Finish what the day’s page lists, then close the day.",
        ),
        "day_unstarted": "{day} hasn’t begun yet.",
        "drop_box_uncounted": "{drop_box} of {table} hasn’t been counted yet.",
        "paper_unsettled": "Round {round}, entered from paper, isn’t settled yet.",
        "series_unfinished": (
            "A series entered from paper is still running at {table}: enter the rest of it, or end it there."
        ),
        "slip_unreceived": "{slip} of {table} hasn’t been received yet.",
        "table_unclosed": "{table} isn’t closed yet.",
        "tips_uncounted": "The tips haven’t been counted yet.",
        # disputes
        "about_unknown": Refusal(
            "A dispute can’t be about {about}.",
            "Choose a clause of {game}, or one of these: {words}.",
            status=422,
            path="about",
        ),
        "box_unknown:dispute": Refusal(
            "Box {box} isn’t in play.",
            "Choose boxes in play: {boxes}. To contest the whole table, choose no box.",
            status=422,
            path="boxes",
        ),
        "box_unknown:dispute_early": Refusal(
            "Box {box} isn’t in play: no box is yet.",
            "To contest the whole table, choose no box.",
            status=422,
            path="boxes",
        ),
        "box_unknown:twice": Refusal(
            "Box {box} is named twice.",
            "Choose each box in play once: {boxes}. To contest the whole table, choose no box.",
            status=422,
            path="boxes",
        ),
        "change_after_close": (
            "Undo or amend the action, rule on the box or void the round first. Then rule on the dispute."
        ),
        "change_of_void": "Rule without changes: every stake has gone back already.",
        "changes_unexpected": Refusal(
            "A refused dispute leaves the round as it is.",
            "Leave the changes out, or uphold the dispute.",
            status=422,
            path="changes",
        ),
        "clause_unknown:ruling": Refusal(
            "{named} isn’t a clause of this game.", "Choose the clause that you rule by.", status=422, path="clause"
        ),
        "dealt_it": Refusal(
            "You acted in round {round}, so you can’t rule on it.",
            "Ask another pit boss to rule: one who didn’t act in the round.",
            status=403,
        ),
        "dispute_raised": Refusal(
            "Dispute {number} of round {round} says the same and is waiting for its ruling.",
            "Wait for the ruling, or say what else is disputed.",
        ),
        "dispute_ruled": Refusal(
            "Staff {staff} has ruled in the meantime: {dispute} was {ruling} under {named}.",
            "Look at the ruling. To contest the round again, raise another dispute.",
        ),
        "ruling_unknown": Refusal("{ruling} isn’t a ruling.", "Send upheld or refused.", status=422, path="ruling"),
        "second_dealt": Refusal(
            "The second person acted in round {round}.",
            "Ask another pit boss, from any pit, to sign: one who neither raised the dispute nor acted in the round.",
            status=422,
            path="signature",
        ),
        "second_raised": Refusal(
            "The second person raised {dispute}.",
            "Ask another pit boss, from any pit, to sign: one who neither raised the dispute nor acted in the round.",
            status=422,
            path="signature",
        ),
        # drop_boxes
        "drop_box_elsewhere": Refusal(
            "{drop_box} of {table} is {status}.",
            "Mount another one. If the number is right, call the pit boss of {table}.",
            path="number",
        ),
        "drop_box_mounted": Refusal(
            "{drop_box} is still mounted at {table}.", "Take it off first, with a second person."
        ),
        "drop_box_other": Refusal(
            "Drop box {number} isn’t the one that was mounted at {table}.",
            "Enter the number on the box that hangs there. If it really is another box, leave it and find out why.",
            status=422,
            path="number",
        ),
        "drop_box_wrong_moment:counted": Refusal(
            "{drop_box} of {table} has already been counted.", "There is nothing left to do."
        ),
        "drop_box_wrong_moment:mounted": Refusal(
            "{drop_box} is still mounted at {table}.", "Have the pit boss take it off first, with a second person."
        ),
        "drop_box_wrong_moment:removed": Refusal(
            "{drop_box} has already been taken off {table}.", "Have the count team count it."
        ),
        "number_wrong": Refusal(
            "This can’t be the number on a drop box.",
            "Enter it as printed: at most 20 letters, digits and hyphens.",
            status=422,
            path="number",
        ),
        "opened_first": "Open the table first.",
        "seal_wrong": Refusal(
            "This can’t be the number on a seal.",
            "Enter it as printed: at most 20 letters, digits and hyphens.",
            status=422,
            path="seal",
        ),
        # drops
        "counted_by_count_team": "Have two of the count team count it, the second without seeing the first count.",
        "counted_twice:drop": Refusal(
            "{drop_box} has been counted twice, and the counts differ.", "Ask a pit boss to say which count stands."
        ),
        "counted_twice:drop_equal": Refusal(
            "{drop_box} has been counted, and both counts agree.", "Have the two people who counted sign for it."
        ),
        # employment
        "asked_to_relieve": Refusal(
            "Staff {staff} has been asked to relieve at {table}.", "Withdraw that relief first.", path="staff"
        ),
        "deals_now": Refusal(
            "Staff {staff} is signed on at {table}.",
            "Have them relieved at {table} first, or sign them off.",
            path="staff",
        ),
        "last_administrator": Refusal(
            "Staff {staff} is the last administrator.", "Post another administrator first.", path="staff"
        ),
        "left_already:farewell": Refusal(
            "Staff {staff} has already left.", "There is nothing left to do.", path="staff"
        ),
        "left_already:return": Refusal("Staff {staff} has already left.", "Let them return first.", path="staff"),
        "login_taken": Refusal(
            "Somebody already has the login {login}.",
            "Choose another one: people keep their login even after they’ve left.",
            path="login",
        ),
        "login_wrong": Refusal(
            "{login} can’t be a login.",
            "Write at most 40 lower-case letters, digits, dots and hyphens, beginning with a letter.",
            status=422,
            path="login",
        ),
        "no_key:lost": Refusal(
            "Staff {staff} has no second step to remove.", "Look at their keys again.", path="staff"
        ),
        "own_posting": Refusal("Nobody may decide about themselves here.", "Have two other people decide.", status=422),
        "owner_wrong:farewell": Refusal(
            "Staff {staff} can’t take over cases.", "Name a pit boss of the tables’ pits.", status=422, path="cases_to"
        ),
        "owns_cases": Refusal(
            "They still own open cases: {cases}.",
            "Name who takes them over, or give each to another owner first.",
            path="cases_to",
        ),
        "pit_unknown": Refusal(
            "There is no pit {pit}.", "Choose a pit that exists, or leave it out for all pits.", status=422, path="pit"
        ),
        "posted_already": Refusal(
            "Staff {staff} already has this posting.", "Choose another role or another pit.", path="role"
        ),
        "posting_over": Refusal("This posting has already ended.", "Look at their postings again."),
        "role_unknown": Refusal("There is no role {role}.", "Use one of these: {roles}.", status=422, path="role"),
        "works_here": Refusal("Staff {staff} hasn’t left.", "Post them to another role instead.", path="staff"),
        # figures
        "drop_box_uncounted:number": "Drop box {drop_box} isn’t counted.",
        "session_unclosed": "Session {session} isn’t closed.",
        "session_unopened": "Session {session} isn’t opened.",
        # floor
        "closer_counting": "The closer is being counted.",
        "no_session": "No session yet.",
        "opener_counting": "The opener is being counted.",
        "pot_game": "The players play for a pot: the float wins nothing.",
        "rounds_net": "The net of the rounds that are settled.",
        # fold
        "lost:behind": "stands behind {action}",
        "lost:first": "doesn’t follow from those before it",
        # founding
        "code_by_two": Refusal("Two other people can give {login} a code.", "Have them do it on the page Staff."),
        "house_there": Refusal("This database already has a house.", "To found another one, use an empty database."),
        "login_unknown": Refusal(
            "No administrator has the login {login}.", "Enter the login of an administrator.", status=422
        ),
        "login_unknown:form": Refusal("{login} can’t be a login.", "Enter the login of an administrator.", status=422),
        "zone_unknown": Refusal(
            "{place}: The database doesn’t know the time zone {zone}.", "{way_out}", status=422, path="time_zone"
        ),
        # grounds
        "clause_unknown": Refusal(
            "{named} isn’t a clause that settles an irregularity.",
            "Use one of these: {clauses}.",
            status=422,
            path="clause",
        ),
        "name_missing": Refusal("The name is missing.", "Write one.", status=422, path="name"),
        "name_wrong:long": Refusal(
            "The name is {length} characters long.", "Write at most {most}.", status=422, path="name"
        ),
        "name_wrong:unprintable": Refusal(
            "The name has a character that can’t be printed.", "Write it in plain characters.", status=422, path="name"
        ),
        "question_missing": Refusal("The question is missing.", "Write one.", status=422, path="question"),
        "question_wrong:long": Refusal(
            "The question is {length} characters long.", "Write at most {most}.", status=422, path="question"
        ),
        "question_wrong:unprintable": Refusal(
            "The question has a character that can’t be printed.",
            "Write it in plain characters.",
            status=422,
            path="question",
        ),
        "reason_missing": Refusal("The reason is missing.", "Write one.", status=422, path="reason"),
        "reason_wrong:long": Refusal(
            "The reason is {length} characters long.", "Write at most {most}.", status=422, path="reason"
        ),
        "reason_wrong:unprintable": Refusal(
            "The reason has a character that can’t be printed.",
            "Write it in plain characters.",
            status=422,
            path="reason",
        ),
        "round_wrong_moment": Refusal("Round {round} is {status}.", "{way_out}"),
        "round_wrong_moment:rule": Refusal("Round {round} is {status}. {rule}", "{way_out}"),
        "same_person": Refusal(
            "One person can’t both ask and sign.", "Have somebody else sign.", status=422, path="signature"
        ),
        "session_closed": Refusal("{table} isn’t open.", "{way_out}"),
        "session_closed:closing": Refusal(
            "{table} isn’t open: its last round has been called.",
            "Have two people either count its chips or let the table go on.",
        ),
        "session_closed:opening": Refusal("{table} isn’t open yet.", "Have two people count its opener first."),
        "stale_version": Refusal(
            "Round {round} has moved on: you saw version {seen}, and it’s at version {newest} now.",
            "Look at the round as it is now and decide again.",
            path="version",
        ),
        "statement_missing": Refusal("The statement is missing.", "Write one.", status=422, path="statement"),
        "statement_wrong:long": Refusal(
            "The statement is {length} characters long.", "Write at most {most}.", status=422, path="statement"
        ),
        "statement_wrong:unprintable": Refusal(
            "The statement has a character that can’t be printed.",
            "Write it in plain characters.",
            status=422,
            path="statement",
        ),
        "void_is_over": "Give all its stakes back and open the next round.",
        "word_missing": Refusal("The word is missing.", "Write one.", status=422, path="word"),
        "word_wrong:long": Refusal(
            "The word is {length} characters long.", "Write at most {most}.", status=422, path="word"
        ),
        "word_wrong:unprintable": Refusal(
            "The word has a character that can’t be printed.", "Write it in plain characters.", status=422, path="word"
        ),
        "words_missing:answer": Refusal("The answer is missing.", "Write one.", status=422, path="words"),
        "words_missing:question": Refusal("The question is missing.", "Write one.", status=422, path="words"),
        "words_wrong:answer_long": Refusal(
            "The answer is {length} characters long.", "Write at most {most}.", status=422, path="words"
        ),
        "words_wrong:answer_unprintable": Refusal(
            "The answer has a character that can’t be printed.",
            "Write it in plain characters.",
            status=422,
            path="words",
        ),
        "words_wrong:question_long": Refusal(
            "The question is {length} characters long.", "Write at most {most}.", status=422, path="words"
        ),
        "words_wrong:question_unprintable": Refusal(
            "The question has a character that can’t be printed.",
            "Write it in plain characters.",
            status=422,
            path="words",
        ),
        # house_file
        "house_file:amount_cure": "Write an amount in the currency.",
        "house_file:bytes": "It’s longer than {most} bytes. Name a file like docs/house.toml.",
        "house_file:cash_cure": (
            "List the coins and notes that a drop box holds, the smallest first, such as [1, 2, 5, 10]."
        ),
        "house_file:casino_code_cure": (
            "Write at most 20 lower-case letters, digits and hyphens, beginning with a letter or a digit."
        ),
        "house_file:casino_cure": "Write the house’s own settings below the line [casino].",
        "house_file:chip": "A chip has a value and a colour, and nothing else.",
        "house_file:chip_cure": "Write a multiple of the smallest chip of one of the chip sets.",
        "house_file:chips_cure": "Write each as {example}.",
        "house_file:code_cure": "Write at most 8 capital letters and digits, beginning with a letter.",
        "house_file:colour": '{value} isn’t a colour. Write six hexadecimal digits after #, such as "#ad1f2b".',
        "house_file:currency_cure": 'Write its three capital letters, such as "EUR".',
        "house_file:decimals_cure": "Write how many digits follow the decimal point: 0 to {most}.",
        "house_file:digits": "{value} has more than {decimals} digits after the decimal point.",
        "house_file:empty": "It’s empty.",
        "house_file:encoding": "Line {line}: It isn’t written in UTF-8. Save the file in UTF-8.",
        "house_file:fault": "{place}: {fault} {cure}",
        "house_file:founders": "A house is founded by two people.",
        "house_file:founders_cure": "Name two; they add everybody else later.",
        "house_file:game": "The house has no game {value}.",
        "house_file:highest": "{value} is more than {most}, the highest amount.",
        "house_file:list": "This isn’t a list of the kind that belongs here.",
        "house_file:list_cure": "Begin each one with the line [[{name}]].",
        "house_file:login_cure": (
            "Write at most 40 lower-case letters, digits, dots and hyphens, beginning with a letter."
        ),
        "house_file:missing": "It’s missing.",
        "house_file:name_cure": "Write a name of at most {most} visible characters.",
        "house_file:nested": "Line {line}: The brackets are nested too deeply. Write it as docs/house.toml does.",
        "house_file:no_amount": "{value} isn’t an amount.",
        "house_file:no_chip_set": "There is no chip set {value}.",
        "house_file:no_pit": "There is no pit {value}.",
        "house_file:none": "There is none.",
        "house_file:none_cure": "A house needs at least one.",
        "house_file:not_regular": "It isn’t a regular file. Copy its content into one, and name that one.",
        "house_file:number": "Line {line}: A number has too many digits. Write a shorter one.",
        "house_file:one_of_cure": "Use one of these: {values}.",
        "house_file:rising": "Its values aren’t in rising order.",
        "house_file:setting": "There is no such setting.",
        "house_file:time_cure": 'Write hours and minutes, such as "06:00".',
        "house_file:toml": "It isn’t TOML: {error}. Put that line right first.",
        "house_file:twice": "{value} is there twice.",
        "house_file:twice_cure": "Write another.",
        "house_file:unpayable": "No table has chips that add up to it.",
        "house_file:unread": "It can’t be read: {reason}. Name another file.",
        "house_file:unreadable": "{value} can’t be read.",
        "house_file:zone_cure": 'Write a name from IANA’s list of time zones, such as "Europe/Berlin".',
        # interventions
        "box_missing": Refusal(
            "A report under {named} has to name a box in play.",
            "Choose one of these boxes: {boxes}.",
            status=422,
            path="box",
        ),
        "box_missing:early": Refusal(
            "A report under {named} has to name a box, and no box is in play yet.",
            "Report it once a box is in play.",
            status=422,
            path="box",
        ),
        "box_unexpected": Refusal(
            "A report under {named} is about the whole table.", "Leave the box out.", status=422, path="box"
        ),
        "box_unknown:report": Refusal(
            "Box {box} isn’t in play.", "Choose one of these boxes: {boxes}.", status=422, path="box"
        ),
        "box_unknown:report_early": Refusal(
            "Box {box} isn’t in play: no box is yet.", "Report it once a box is in play.", status=422, path="box"
        ),
        "only_open_is_voided": "Have it corrected instead: only an open round can be voided.",
        "round_not_held": Refusal("Round {round} isn’t held ({status}).", "Look at the round as it is now."),
        "stale_version:hold": Refusal(
            "Round {round} was released in the meantime and is held again.",
            "Look at what holds it now and decide again.",
            path="hold",
        ),
        # papers
        "moment_to_come": Refusal(
            "{moment} is in the future.", "Enter the time at which the round was played.", 422, "happened_at"
        ),
        "opened_by_pit_boss": "Ask the pit boss to open the table.",
        "paper_entered": Refusal(
            "Paper {paper} has already been entered, as round {round}.", "Check the number on the paper.", path="paper"
        ),
        "paper_out_of_order": Refusal(
            "Paper {later}, played at {table} on {later_moment}, has already been entered, as round {round}. This one "
            "was played before it, on {moment}.",
            "Check the time. If this paper was forgotten, it can’t be entered any more: keep it with the closing "
            "form, whose variance it explains.",
            path="happened_at",
        ),
        "paper_out_of_order:closed": Refusal(
            "Paper {later}, played at {table} on {later_moment}, has already been entered, as round {round}. This one "
            "was played before it, on {moment}.",
            "Check the time. If this paper was forgotten, it can’t be entered any more: have the pit boss keep it "
            "with the case about the variance.",
            path="happened_at",
        ),
        "paper_out_of_order:open": Refusal(
            "Paper {later}, played at {table} on {later_moment}, has already been entered, as round {round}. This one "
            "was played before it, on {moment}.",
            "Check the time. If this paper was forgotten, void round {round}, enter this paper, then enter paper "
            "{later} again.",
            path="happened_at",
        ),
        "paper_out_of_order:series": Refusal(
            "This paper was played on {moment}, before round {round} of the running series, which was played on "
            "{round_moment}.",
            "Enter it once the series is over.",
            path="happened_at",
        ),
        "paper_too_early": Refusal(
            "{table} wasn’t open on {moment}: its session began on {began}.",
            "Enter the time at which the round was played.",
            path="happened_at",
        ),
        "paper_too_late": Refusal(
            "{moment} belongs to a gaming day of {table} that is closed.",
            "Have the pit boss keep the paper with the case about that session’s variance, a part of which it"
            " explains.",
            path="happened_at",
        ),
        "paper_too_late:last_round": Refusal(
            "The last round of {table} was called on {called}, before {moment}.",
            "Enter the time at which the round was played.",
            path="happened_at",
        ),
        "paper_wrong": Refusal(
            "This can’t be the number on a paper.",
            "Enter it as printed: at most 20 letters, digits and hyphens.",
            422,
            "paper",
        ),
        # payments
        "box_unknown:payment": Refusal("Box {box} wasn’t in play.", "Choose one of these boxes: {boxes}.", 422, "box"),
        "nothing_due": Refusal(
            "Box {box} of round {round} gets nothing and gives nothing.", "Leave it as it is.", path="box"
        ),
        "stale_version:generation": Refusal(
            "Round {round} was corrected: you saw generation {seen}, and it’s at generation {newest} now.",
            "Look at the payments as they are now.",
            path="generation",
        ),
        "ticked_already": Refusal("Box {box} is ticked already.", "Go on with the next box.", path="box"),
        "ticked_when_settled": "Wait until the round is settled, then tick.",
        # questions
        "answered_once": "A question can be answered only once.",
        "own_answer": Refusal(
            "You answered question {number} yourself.", "Ask another auditor to settle it.", 422, "question"
        ),
        "own_question": Refusal(
            "You asked question {number} yourself.", "Ask somebody else to answer it.", 422, "question"
        ),
        "question_asked_again": Refusal(
            "This question was asked again, as question {number}.", "Look at question {number}."
        ),
        "question_wrong_moment": Refusal(
            "This question is {status}. {rule}", "Look at the question again: what was said stands."
        ),
        "reasked_when_answered": "Only an answered question can be asked again.",
        "settled_when_answered": "Only an answered question can be settled.",
        "subject_unknown": Refusal(
            "There is no {subject}.", "Check the number on its page, or in its entry in the log.", 422, "subject"
        ),
        "subject_wrong": Refusal(
            "A question can’t be about {subject}.",
            "Write the number from its page or paper, such as T1-00171, F-2026-000013 or session 171. You can also "
            "write one of {kinds} with its number in the log, such as round:12, or an entry, such as house/7.",
            422,
            "subject",
        ),
        # report_files
        "report_file_ended": Refusal("{file} is already {status}.", "There is nothing to cancel."),
        "report_files_young": Refusal(
            "No file of a report is older than {days} days.",
            "Wait: the house’s settings say that each file is kept that long.",
        ),
        "report_form_unknown": Refusal(
            "A report can’t be made as {form}.", "Choose one of these: {forms}.", 422, "form"
        ),
        "report_token_ended": Refusal("The token {token} has already ended.", "There is nothing to end."),
        "report_token_name_wrong": Refusal(
            "A token’s name has 1 to 20 letters, digits and hyphens, and doesn’t begin with a hyphen.",
            "Name it after the program that gets it, such as accounting.",
            422,
            "name",
        ),
        "report_token_taken": Refusal(
            "Another token has or had the name {name}.",
            "Choose another name: the log has entries under this one.",
            path="name",
        ),
        # rounds
        "acted_in_when_open": "Actions can be entered only while the round is open.",
        "action_wrong": Refusal(
            "Action {ordinal} of round {round} doesn’t fit those before it: {fault}",
            "Report it ({unforeseen}), have the pit boss void the round, and tell security: no terminal sent this "
            "action.",
        ),
        "box_unknown:round": Refusal(
            "There is no box {box} in this round.", "Choose a box from {first} to {last}.", 422, "box"
        ),
        "box_unknown:round_list": Refusal(
            "There is no box {box} in this round.", "Choose one of these boxes: {boxes}.", 422, "box"
        ),
        "correction_needed": "If something is wrong, report it: a correction needs the pit boss.",
        "does_not_follow": Refusal(
            "Action {ordinal} ({label}) no longer fits those before it: {fault}",
            "Undo back to the wrong action and enter it again, or report it ({unforeseen}).",
            422,
            "arguments",
        ),
        "does_not_follow:box": Refusal(
            "Action {ordinal} ({label}, box {box}) no longer fits those before it: {fault}",
            "Undo back to the wrong action and enter it again, or report it ({unforeseen}).",
            422,
            "arguments",
        ),
        "no_sheet": Refusal("No rule sheet is in force at {table}.", "Ask the pit boss to put one in force."),
        "nothing_to_amend": Refusal(
            "That action has no card and no stake to amend.", "Undo the action, or amend another one.", 422, "arguments"
        ),
        "nothing_to_amend:same": Refusal(
            "That action already says this.", "Change a card or a stake, or undo the action.", 422, "arguments"
        ),
        "nothing_to_undo": Refusal("Round {round} has no action yet.", "There is nothing to take back."),
        "ordinal_unknown": Refusal(
            "Action {ordinal} of round {round} can’t be amended.",
            "Choose one that isn’t struck through.",
            422,
            "ordinal",
        ),
        "round_held": Refusal("Round {round} is held.", "Ask the pit boss to release it, rule on it or void it."),
        "round_not_final": Refusal("Round {round} isn’t finished yet ({phase}).", "Next: {left}."),
        "round_not_final:unknown": Refusal("Round {round} isn’t finished yet ({phase}).", "Finish it first."),
        "round_open:table": Refusal("Round {round} is still open at {table}.", "Close round {round} first."),
        "seats_wrong:series": Refusal("The series goes on with boxes {boxes}.", "Leave the seats out.", 422, "seats"),
        "signature_missing:phase": Refusal(
            "Action {ordinal} belongs to the phase {phase}, and round {round} is already in the phase {phase_now}.",
            "Have a pit boss sign.",
            422,
            "signature",
        ),
        "signature_missing:ruling": Refusal(
            "Action {ordinal} is a ruling, which only a pit boss can change.", "Have a pit boss sign.", 422, "signature"
        ),
        # rulesheets
        "chip_not_payable": Refusal(
            "Rule sheet {version} of {game} is played in chips of {chip}, but the smallest chip of {table} is "
            "{smallest}.",
            "Draft a sheet whose smallest chip is a multiple of {smallest}.",
            clause="house.5",
        ),
        "coefficients_unpublished": Refusal("{coefficients} is still a draft.", "Publish the coefficient table first."),
        "moment_taken:sheet": Refusal(
            "From that moment on, rule sheet {version} of {game} is already in force at {table}.",
            "Withdraw that one first, or choose another moment.",
            path="from_at",
        ),
        "moment_wrong:sheet": Refusal(
            "A sheet can’t come into force in the past, or more than a year ahead.",
            "Choose a moment within the next year. To put it in force from now on, leave the moment out.",
            422,
            "from_at",
        ),
        "not_a_draft": Refusal("Rule sheet {version} of {game} is already published.", "Draft the next version."),
        "places_missing": Refusal("You chose no sheet that’s still to come.", "Choose at least one.", 422, "places"),
        "reason_missing:edge": Refusal(
            "The house edge ({edges}) lies outside the casino’s band of {least} to {most} %.",
            "Write why you’re publishing the sheet all the same.",
            422,
            "reason",
        ),
        "reason_wrong:edge": Refusal(
            "This sheet needs no reason.",
            "Leave the reason empty: it’s only for a house edge outside the casino’s band.",
            422,
            "reason",
        ),
        "same_person:drafted": Refusal("You drafted this sheet yourself.", "Ask somebody else to publish it."),
        "sheet_counts": Refusal(
            "Rule sheet {version} of {game} is already in force at {table}.",
            "You can’t withdraw it any more: put another sheet in force, from now on.",
        ),
        "sheet_unpublished": Refusal("Rule sheet {version} of {game} is still a draft.", "Publish it first."),
        "sheet_withdrawn": Refusal(
            "Rule sheet {version} of {game} has already been withdrawn at {table}.",
            "Look at the sheets of the table again.",
        ),
        "sheet_wrong": Refusal("{fault}", "Use the parameters of this game: {names}.", 422),
        "sheet_wrong:amount": Refusal("{fault}", "Enter an amount from {least} to {most}.", 422),
        "sheet_wrong:amount_in_chips": Refusal(
            "{fault}", "Enter an amount from {least} to {most}, a multiple of the smallest chip.", 422
        ),
        "sheet_wrong:choice": Refusal("{fault}", "Choose one of these: {options}.", 422),
        "sheet_wrong:number": Refusal("{fault}", "Enter a whole number from {least} to {most}.", 422),
        "sheet_wrong:number_in_chips": Refusal(
            "{fault}", "Enter a whole number from {least} to {most}, a multiple of the smallest chip.", 422
        ),
        "sheet_wrong:ratios": Refusal(
            "{fault}",
            "Give each category a ratio n:d in whole numbers from 1 to 10000, never lower than the one before.",
            422,
        ),
        "tables_missing": Refusal("You chose no table.", "Choose at least one.", 422, "tables"),
        # scanners
        "game_unknown": Refusal("There is no game {game}.", "Choose one of these: {games}.", 422, "game"),
        "scanner_unchanged": Refusal(
            "The scanner of {terminal} is already set like this.", "Change something, or leave it as it is."
        ),
        "scanner_wrong:card": Refusal("This game has no card {card}.", _SCAN_CODES, 422),
        "scanner_wrong:code": Refusal(
            "The code of the {card} is empty, or has characters that a scan can’t have.", _SCAN_CODES, 422
        ),
        "scanner_wrong:keys": Refusal(
            "{typed} is the code of the {card}, but it also types the {other}, which has no code of its own.",
            _SCAN_CODES,
            422,
        ),
        "scanner_wrong:prefix": Refusal(
            "The prefix has characters that a scan can’t have, or more than 20.", _SCAN_AROUND, 422, "prefix"
        ),
        "scanner_wrong:single": Refusal(
            "The scan of the {card} is a single key, which counts as typed by hand.",
            "Give the card a longer code, or set a prefix or a suffix.",
            422,
        ),
        "scanner_wrong:suffix": Refusal(
            "The suffix has characters that a scan can’t have, or more than 20.", _SCAN_AROUND, 422, "suffix"
        ),
        "scanner_wrong:twice": Refusal("{typed} is the code of both the {other} and the {card}.", _SCAN_CODES, 422),
        "terminal_revoked": Refusal(
            "The terminal {terminal} has already been revoked.", "Enrol the device again under another name."
        ),
        # series
        "dealer_unknown": Refusal("Box {box} isn’t in this round.", "Choose a box that is.", 422, "dealer"),
        "no_series": Refusal("No series is running at {table}.", "Look at the table as it is now."),
        "no_series:paper": Refusal(
            "No series entered from paper is running in that closed session of {table}.",
            "Look at the table as it is now.",
        ),
        "round_open:ending": Refusal("Round {round} is still open.", "Close or void it first."),
        "seats_missing": Refusal(
            "You chose no boxes for this round.", "Choose {lowest} to {highest} boxes.", 422, "seats"
        ),
        "seats_unexpected": Refusal(
            "In this game, a box joins a round with its ante.", "Leave the seats out.", 422, "seats"
        ),
        "seats_wrong": Refusal(
            "You chose {boxes}, but this round takes {lowest} to {highest} different boxes from 1 to {highest}.",
            "Choose {lowest} to {highest} boxes, each once.",
            422,
            "seats",
        ),
        # sessions
        "carry_wrong": Refusal(
            "No chips are left at {table} to go on with.", "Close the table, then open it again.", 422, "carry"
        ),
        "carry_wrong:opener": Refusal(
            "This count opens {table}, so there is nothing to carry on.", "Leave `carry` out.", 422, "carry"
        ),
        "closer_of": "the closer of {table}",
        "count_missing": Refusal("Two people haven’t counted {what} yet.", "{way_out}"),
        "count_missing:more": Refusal("{fault}", "{way_out}"),
        "counted_by_two": "Have two people count it, the second without seeing the first count.",
        "counted_twice:differing": Refusal(
            "Two people have counted {what} twice, and their counts differ.",
            "Ask a pit boss to say which count stands.",
        ),
        "counted_twice:equal": Refusal(
            "Two people have counted {what}, and their counts agree.", "Have the two people who counted sign for it."
        ),
        "counts_differ": Refusal("The two counts of {what} differ.", "Have both people count it again."),
        "nothing_counted": Refusal(
            "An opener can’t be empty.", "Count the chips from the cage and enter them.", 422, "denominations"
        ),
        "opener_of": "the opener of {table}",
        "payment_unticked": Refusal(
            "Boxes {boxes} of round {round} aren’t ticked.",
            "Tick each when it’s done. If a patron has left, have two people confirm that on the round’s page.",
        ),
        "payment_unticked:one": Refusal(
            "Box {box} of round {round} isn’t ticked.",
            "Tick it when it’s done. If the patron has left, have two people confirm that on the round’s page.",
        ),
        "place_missing": Refusal(
            "The two counts differ, and nobody has said which one stands.",
            "Have a pit boss say which one stands: 1 for the first, 2 for the second.",
            422,
            "place",
        ),
        "rake_missing": Refusal(
            "The rake slot of {table} has to be counted too.",
            "Count its chips apart from the float. If it’s empty, enter 0.",
            422,
            "rake",
        ),
        "rake_surplus": Refusal(
            "No rake moved at {table}, so its rake slot isn’t counted now.", "Count only the other chips.", 422, "rake"
        ),
        "rake_uncounted": Refusal(
            "Rake moved at {table} after both people had counted, and its rake slot wasn’t counted.",
            "Have both people count again, the rake slot too.",
        ),
        "rake_uncounted:twice": Refusal(
            "Rake moved at {table} after both people had counted, and its rake slot wasn’t counted.",
            "Have two people let the table go on. Then call its last round again, and count the rake slot too.",
        ),
        "round_held:ending": Refusal("Round {round} is held.", "Ask a pit boss to release it first."),
        "round_unsettled": Refusal("Round {round} isn’t settled yet.", "Try again in a moment."),
        "series_running": Refusal(
            "A series is running at {table}.",
            "Play it to its end, or have a pit boss sign at the terminal to end it now.",
        ),
        "session_open": Refusal("{table} is open already.", "Call its last round to close it."),
        "session_open:closing": Refusal(
            "{table} is being closed.", "Have two people either count its chips and sign, or let the table go on."
        ),
        "session_open:opening": Refusal(
            "{table} is being opened already.", "Have two people count its opener and sign."
        ),
        "session_wrong_moment:closed": Refusal("{table} is closed.", "Look at its closing form."),
        "session_wrong_moment:closing": Refusal(
            "{table} is being closed.", "Have two people either count its chips and sign, or let the table go on."
        ),
        "session_wrong_moment:open": Refusal("{table} is open.", "Call its last round to close it."),
        "session_wrong_moment:opening": Refusal(
            "{table} is being opened.", "Have two people count its opener and sign."
        ),
        # settings
        "moment_taken:setting": Refusal(
            "{setting} already changes at that moment.",
            "Withdraw that change first, or choose another moment.",
            path="from_at",
        ),
        "moment_wrong:setting": Refusal(
            "A setting can’t be changed in the past, or more than a year ahead.",
            "Choose a moment within the next year. To change it from now on, leave the moment out.",
            422,
            "from_at",
        ),
        "setting_counts": Refusal(
            "This change is already in force.", "You can’t withdraw it any more: change the setting again, from now on."
        ),
        "setting_unchanged": Refusal("{setting} is already {value} at that moment.", "Enter another value."),
        "setting_unknown": Refusal("There is no setting {name}.", "Choose one of these: {names}.", 422, "name"),
        "setting_withdrawn": Refusal("This change has already been withdrawn.", "Look at the setting as it is now."),
        "stale_version:setting": Refusal(
            "{setting} was changed in the meantime: you saw version {seen}, and it’s at version {newest} now.",
            "Look at the setting as it is now and decide again.",
            path="version",
        ),
        "value_wrong": Refusal("{setting} can’t be {value}.", "Choose a value from {least} to {most}.", 422, "value"),
        # settling
        "round_as_it_is": "Look at the round as it is now.",
        "round_in_work": Refusal(
            "A worker is settling round {round}.",
            "Wait ten seconds and look again: by then it’s settled, or says why not.",
        ),
        "tried_when_closed": "Only a closed round can be settled.",
        # slips
        "exchange_wrong": Refusal(
            "Only a change swaps chips for other chips.",
            "Leave out the chips to swap for, or ask for a change.",
            422,
            "exchanged",
        ),
        "exchange_wrong:both_ways": Refusal(
            "The same chip goes in both directions.", "Change each chip into other ones.", 422, "exchanged"
        ),
        "exchange_wrong:worth": Refusal(
            "The two sides of this change aren’t worth the same.", "Make both sides worth the same.", 422, "exchanged"
        ),
        "float_short:credit": Refusal(
            "By the books, the float of {table} holds less than that.",
            "Have the pit boss void the credit and ask for a smaller one. If the chips are all there, have them look "
            "at the rounds.",
        ),
        "kind_unknown:slip": Refusal(
            "There is no slip of the kind {kind}.", "Choose one of these: {kinds}.", 422, "kind"
        ),
        "nothing_asked": Refusal("This slip has no chips.", "Enter how many of each chip.", 422, "denominations"),
        "same_person:credit": Refusal(
            "You asked for {slip} yourself.", "Have the croupier of the table hand the chips over.", 422
        ),
        "same_person:issued": Refusal("You issued {slip} yourself.", "Have two others count it.", 422, "signature"),
        "same_person:requested": Refusal("You asked for {slip} yourself.", "Have somebody else issue it.", 422),
        "session_closed:credit": Refusal(
            "{table} isn’t open any more, and its chips are counted without the credit.",
            "Have two people count the credit at the cage.",
        ),
        "slip_running:issued": Refusal(
            "{slip} is still on its way.", "Have two people count it at the table or send it back."
        ),
        "slip_running:requested": Refusal(
            "{slip} has been requested, but not issued.", "Have the cage issue it, or have two people void it."
        ),
        "slip_running:requested_credit": Refusal(
            "{slip} has been requested, but not handed over.",
            "Have the croupier hand its chips over, or have two people void it.",
        ),
        "slip_wrong_moment:issued": Refusal(
            "{slip} is still on its way.", "Have two people count it at the table or send it back."
        ),
        "slip_wrong_moment:issued_credit": Refusal(
            "{slip} is still on its way.", "Have two people count it at the cage or send it back."
        ),
        "slip_wrong_moment:received": Refusal("{slip} has been received.", "There is nothing left to do."),
        "slip_wrong_moment:requested": Refusal(
            "{slip} has been requested, but not issued.", "Have the cage issue it, or have two people void it."
        ),
        "slip_wrong_moment:requested_credit": Refusal(
            "{slip} has been requested, but not handed over.",
            "Have the croupier hand its chips over, or have two people void it.",
        ),
        "slip_wrong_moment:returned": Refusal("{slip} has been sent back.", "There is nothing left to do."),
        "slip_wrong_moment:voided": Refusal("{slip} is void.", "There is nothing left to do."),
        # tips
        "tip_box": "the tip box",
        "tips_counted": Refusal("The tips of {date} have been counted.", "There is nothing left to do."),
        "tips_counted:later": Refusal(
            "The tips of {date} have been counted.",
            "Keep this tip aside, and enter it in a session of the next gaming day.",
        ),
        "tips_counters": "Have two of the count team count them, the second without seeing the first count.",
        "tips_of": "the tips of {date}",
        "tips_wrong_moment": Refusal(
            "There are no tips of {date} to count.", "Have the tables enter their tips first."
        ),
        "tips_wrong_moment:running": Refusal(
            "Tips of {date} may still come in at {tables}.", "Count them once these tables are closed."
        ),
        # trials
        "tried_carry": "It isn’t known what an earlier round of its series left.",
        "tried_goes_on": "Its series would go on after it, but nobody played on.",
        "tried_not_final": "The round wouldn’t be at its end.",
        "tried_not_final:left": "The round wouldn’t be at its end: {left} isn’t known.",
        "tried_unfinished": "The round wouldn’t have come to its end.",
    },
)
