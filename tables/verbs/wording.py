"""What the verbs say to people: why a command is not done, and what stands in its way."""

from casino.wording import Refusal, Wording

_SCAN_CODES = "Give each card a code of its own: 1 to 20 visible keys, none of them ? or a full stop."

WORDING = Wording(
    "verbs",
    {
        # alarms
        "alarm:break_due": "Ask a croupier to relieve the one whose break is due; the alarm ends when that one "
        "signs off.",
        "alarm:case_late": "Two people decide the case, or its owner gives it more time.",
        "alarm:correction_rate": "It ends when rounds are settled without corrections, or the session closes.",
        "alarm:drop_box_overdue": "The count team counts the drop box.",
        "alarm:float_low": "Ask the cage for a fill.",
        "alarm:lock_out": "Unlock the person, or wait.",
        "alarm:log_damaged": "An auditor finds out what happened and accepts the differences.",
        "alarm:pace": "It ends when the rounds of an hour are within the range.",
        "alarm:round_held": "Release the round, or void it.",
        "alarm:round_long": "The croupier brings the round to its end and closes it.",
        "alarm:seal_late": "The administrator sees to the sealer.",
        "alarm:settlement_late": "The administrator sees to the worker; each round is settled once.",
        "alarm:settlement_retried": "The administrator reads the worker’s log; after eight tries the round is held.",
        "alarm:slip_late": "Receive the slip, or send it back.",
        "alarm:take": "Take it.",
        "alarm:void_rate": "It ends when rounds are settled without voids, or the session closes.",
        "alarm_measured": Refusal("This alarm ends when its reason is gone.", "{way_out}"),
        "alarm_not_taken": Refusal("Nobody has come to this call yet.", "Take it first."),
        "alarm_over": Refusal("This alarm is over.", "Look at the alarms that stand now."),
        "alarm_over:call": Refusal("This call is over.", "Look at the calls that stand now."),
        "alarm_taken": Refusal("Staff {staff} took this alarm already.", "Look at the alarms that stand now."),
        "alarm_taken:call": Refusal("Staff {staff} is on the way already.", "Look at the calls that stand now."),
        "call_reason_unknown": Refusal(
            "{reason} is no reason for a call.", "Choose one of these: {reasons}.", status=422, path="reason"
        ),
        "called_already": Refusal(
            "The pit boss was called to {table} already.", "The call stands until whoever came says that it is over."
        ),
        "terminal_needed": Refusal("This browser isn’t a terminal of {table}.", "Call at the table.", status=403),
        # buy_ins
        "amount_wrong:buy_in": Refusal(
            "No chips of {table} come to {units}.",
            "Enter a multiple of {smallest}, at most {most}.",
            status=422,
            path="units",
        ),
        "box_unknown:buy_in": Refusal(
            "There is no box {box} at {table}.", "Choose one of these boxes: {boxes}.", status=422, path="box"
        ),
        "box_unknown:no_sheet": Refusal(
            "There is no box {box} at {table}: no rule sheet is in force there.",
            "Put a rule sheet in force at the table first.",
            status=422,
            path="box",
        ),
        "drop_box_missing": Refusal(
            "No drop box is mounted at {table}.", "The pit boss mounts one with a second person; then the cash goes in."
        ),
        "float_short": Refusal(
            "By the books, the float of {table} doesn’t hold as much.",
            "Enter what you can hand over, and have the pit boss ask the cage for a fill.",
        ),
        "open_before_buy_in": "Open the table first.",
        "signature_missing:buy_in": Refusal(
            "A buy-in above {limit} takes a supervisor.",
            "Ask a pit boss to sign with you.",
            status=422,
            path="signature",
        ),
        # cage
        "amount_wrong:chips_only": Refusal(
            "Chips that are issued or withdrawn are given as chips.",
            "Say how many of which chip.",
            status=422,
            path="denominations",
        ),
        "amount_wrong:chips_or_sum": Refusal(
            "Chips that are sold or cashed are given as a sum or as chips.",
            "Send a sum, or how many of which chip; not both.",
            status=422,
            path="denominations",
        ),
        "amount_wrong:no_chip": Refusal(
            "No chip moves.", "Say how many of which chip.", status=422, path="denominations"
        ),
        "amount_wrong:sum": Refusal(
            "A sum of {units} can’t be moved.", "Send one from 1 to {most}.", status=422, path="units"
        ),
        "cage_itself": "the cage",
        "cage_uncounted:moved": (
            "Two people haven’t counted the cage yet, or chips of it moved before the second had."
        ),
        "counted_twice:cage": Refusal("The cage was counted twice.", "Ask a pit boss which count stands."),
        "counted_twice:cage_equal": Refusal("The cage was counted twice.", "Both sign for it."),
        "kind_unknown": Refusal(
            "{kind} is no movement of chips in the cage.", "Use one of these: {kinds}.", status=422, path="kind"
        ),
        "shift_closed": Refusal("This shift of the cage is closed.", "Open the next one."),
        "shift_open": Refusal("A shift of the cage is open already.", "Two people count the cage and close it."),
        # cases
        "case_decided": Refusal("{case} is decided.", "Look at the decision: it stands."),
        "case_of_dispute": Refusal("{case} is decided by the ruling on its dispute.", "Rule on dispute {dispute}."),
        "case_opened": Refusal("{case} is about it already, and is {status}.", "Look at {case}."),
        "due_wrong": Refusal(
            "A case is due within {days} days.",
            "Name a time from now on and within these days.",
            status=422,
            path="due_at",
        ),
        "move_empty": Refusal(
            "{case} has this owner, this time and this video already.",
            "Name another owner, another time or another video.",
        ),
        "outcome_unknown": Refusal(
            "A case doesn’t end as {outcome}.", "Use one of these: {outcomes}.", status=422, path="outcome"
        ),
        "owner_wrong": Refusal(
            "Staff {staff} runs no cases of {table}.", "Name a pit boss of the table’s pit.", status=422, path="owner"
        ),
        "round_not_void": Refusal(
            "Round {round} is {status}; such a case is about a void round.",
            "Contest the round, or have its session investigated.",
        ),
        "signed_closing:closing": Refusal(
            "The second person signed the closing that this case is about.",
            "A pit boss or the cage signs who didn’t sign the closing.",
            status=422,
            path="signature",
        ),
        "signed_closing:count": Refusal(
            "The second person signed the count that this case is about.",
            "A pit boss or the cage signs who didn’t sign the count.",
            status=422,
            path="signature",
        ),
        "signed_closing:session": Refusal(
            "The second person signed the opening or closing that this case is about, or dealt there.",
            "A pit boss or the cage signs who signed neither and didn’t deal there.",
            status=422,
            path="signature",
        ),
        "signed_closing:void": Refusal(
            "The second person signed the void that this case is about.",
            "A pit boss or the cage signs who didn’t sign the void.",
            status=422,
            path="signature",
        ),
        "video_wrong": Refusal(
            "{video} is no reference of a recording.",
            "Write at most 40 letters, digits, dots, and - : / as in C3-20:24:28; and no name.",
            status=422,
            path="video",
        ),
        # corrections
        "amend_before_close": "Before close, undo or amend the action, or void the round.",
        "correct_together": "Correct all that belongs together in one step, or rule on the box.",
        "nothing_changed": Refusal(
            "The correction changes nothing in the round.", "Change what is wrong.", status=422, path="changes"
        ),
        "round_open": Refusal(
            "Round {round} of the same series is open.", "Close or void it first: what it began with may change."
        ),
        "round_unfinished": Refusal(
            "Round {round} wouldn’t have come to its end.",
            "Void the round under {named}: stakes go back, it gives no points and counts as played.",
            status=422,
            path="changes",
        ),
        "series_ends_earlier": Refusal(
            "The series would have ended with round {round}, but {next_round} was played.",
            "Void the round under {named}: stakes go back, it gives no points and counts as played.",
            status=422,
            path="changes",
        ),
        "series_goes_on": Refusal(
            "The series ended with round {round} and would go on.",
            "Void the round under {named}: stakes go back, it gives no points and counts as played.",
            status=422,
            path="changes",
        ),
        "stale_version:correction": Refusal(
            "Round {round} was corrected meanwhile: you saw line {seen}, the newest is line {newest}.",
            "Look at the round as it is now and decide again.",
            path="line",
        ),
        # counts
        "cash_unknown": Refusal(
            "There is no note or coin of {value}.", "Use the values that there are: {values}.", status=422
        ),
        "chip_unknown": Refusal(
            "There is no chip of {value} here.", "Use the values that there are: {values}.", status=422
        ),
        "count_wrong": Refusal(
            "The count of {value} isn’t a number from 0 to {most}.", "Send a whole number in that range.", status=422
        ),
        "count_wrong:worth": Refusal(
            "Together they are worth {units} units; at most {most} are counted or moved at once.",
            "Send fewer, and the rest in another step; before a count, let the cage take some of them.",
            status=422,
        ),
        "counted_already": Refusal(
            "You have counted already.",
            "A second person counts now, at their own login or by their signature here.",
            path="signature",
        ),
        # days
        "cage_uncounted": "The cage isn’t counted.",
        "cage_uncounted:since": "The cage isn’t counted since the last table closed.",
        "day_closed": Refusal("{day} is closed already.", "What is corrected now is booked on today’s gaming day."),
        "day_unclosed": "{day} isn’t closed.",
        "day_unfinished": Refusal(
            "{day} can’t be closed: {obstacle}", "Finish what the page of the day lists, then close it."
        ),
        "day_unfinished:more": Refusal(
            "{day} can’t be closed: {obstacle} {more} more to do.",
            "Finish what the page of the day lists, then close it.",
        ),
        "day_unstarted": "{day} hasn’t begun yet.",
        "drop_box_uncounted": "{drop_box} of {table} isn’t counted.",
        "paper_unsettled": "Round {round} from paper isn’t settled.",
        "series_unfinished": "A series from paper isn’t over at {table}: end it there, or enter the rest.",
        "slip_unreceived": "{slip} of {table} isn’t received.",
        "table_unclosed": "{table} isn’t closed.",
        "tips_uncounted": "The tips aren’t counted.",
        # disputes
        "about_unknown": Refusal(
            "{about} is neither a clause of {game} nor a word for what is disputed.",
            "Name a clause, or one of these: {words}.",
            status=422,
            path="about",
        ),
        "box_unknown:dispute": Refusal(
            "Box {box} isn’t in play.",
            "In play: {boxes}. Name each box once, or none for the whole table.",
            status=422,
            path="boxes",
        ),
        "box_unknown:dispute_early": Refusal(
            "Box {box} isn’t in play.",
            "No box is in play yet: name none, for the whole table.",
            status=422,
            path="boxes",
        ),
        "box_unknown:twice": Refusal(
            "Box {box} is named twice.",
            "In play: {boxes}. Name each box once, or none for the whole table.",
            status=422,
            path="boxes",
        ),
        "change_after_close": (
            "Before the round is closed, undo or amend the action, rule on the box or void the round. Then rule on "
            "the dispute."
        ),
        "change_of_void": "Every stake goes back already; rule without changes.",
        "changes_unexpected": Refusal(
            "A refused dispute leaves the round as it is.",
            "Leave the changes out, or uphold the dispute.",
            status=422,
            path="changes",
        ),
        "clause_unknown:ruling": Refusal(
            "{named} is no clause of this game.", "Name the one you rule by.", status=422, path="clause"
        ),
        "dealt_it": Refusal(
            "You acted in round {round}, so you can’t rule on it.",
            "A pit boss who took no action in the round rules.",
            status=403,
        ),
        "dispute_raised": Refusal(
            "{dispute} of round {round} says the same and waits for its ruling.",
            "Wait for the ruling, or say what else is disputed.",
        ),
        "dispute_ruled": Refusal(
            "Staff {staff} ruled meanwhile: {dispute} was {ruling} by {named}.",
            "Look at the ruling. Who contests the round again raises another dispute.",
        ),
        "ruling_unknown": Refusal("{ruling} is no ruling.", "Send upheld or refused.", status=422, path="ruling"),
        "second_dealt": Refusal(
            "The second person acted in round {round}.",
            "Somebody signs who neither raised the dispute nor acted in the round: another pit boss, of any pit.",
            status=422,
            path="signature",
        ),
        "second_raised": Refusal(
            "The second person raised {dispute}.",
            "Somebody signs who neither raised the dispute nor acted in the round: another pit boss, of any pit.",
            status=422,
            path="signature",
        ),
        "stale_version:dispute": Refusal(
            "Round {round} was corrected meanwhile: you saw line {seen}, the newest is line {newest}.",
            "Look at the round as it is now and decide again.",
            path="line",
        ),
        # drop_boxes
        "drop_box_elsewhere": Refusal(
            "{drop_box} of {table} is {status}.",
            "Mount another one; if the number is right, call the pit boss of that table.",
            path="number",
        ),
        "drop_box_mounted": Refusal("{drop_box} is mounted at {table}.", "Two people take it off."),
        "drop_box_other": Refusal(
            "Drop box {number} isn’t the one that was mounted at {table}.",
            "Enter the number of the box that hangs there. If it is another, leave it and find out why.",
            status=422,
            path="number",
        ),
        "drop_box_wrong_moment:counted": Refusal("{drop_box} of {table} is counted.", "Nothing is left to be done."),
        "drop_box_wrong_moment:mounted": Refusal("{drop_box} of {table} is mounted.", "Two people take it off."),
        "drop_box_wrong_moment:removed": Refusal(
            "{drop_box} of {table} is taken off, not counted.", "The count team counts it."
        ),
        "number_wrong": Refusal(
            "This isn’t a number as it is printed on a drop box.",
            "Enter it as printed: letters, digits and hyphens, 20 at most.",
            status=422,
            path="number",
        ),
        "open_before_mounting": "Open the table first.",
        "seal_wrong": Refusal(
            "This isn’t a number as it is printed on a seal.",
            "Enter it as printed: letters, digits and hyphens, 20 at most.",
            status=422,
            path="seal",
        ),
        # drops
        "counted_by_count_team": "Two of the count team count it, the second without seeing the first count.",
        "counted_twice:drop": Refusal("{drop_box} was counted twice.", "A pit boss says which count stands."),
        "counted_twice:drop_equal": Refusal("{drop_box} was counted twice.", "Both sign for it."),
        # employment
        "asked_to_relieve": Refusal(
            "Staff {staff} is asked to relieve at {table}.", "Withdraw that relief first.", path="staff"
        ),
        "deals_now": Refusal(
            "Staff {staff} is signed on at {table}.", "Relieve them at {table} first, or sign them off.", path="staff"
        ),
        "last_administrator": Refusal(
            "Staff {staff} is the last administrator.", "Post another administrator first.", path="staff"
        ),
        "left_already:farewell": Refusal("Staff {staff} has left already.", path="staff"),
        "left_already:return": Refusal("Staff {staff} has left already.", "Let them return first.", path="staff"),
        "login_taken": Refusal(
            "Somebody has the login {login}.",
            "Choose another one: that of a person who left stays theirs.",
            path="login",
        ),
        "login_wrong": Refusal(
            "{login} can’t be a login.",
            "Write at most 40 small letters, digits, dots and dashes, a letter first.",
            status=422,
            path="login",
        ),
        "no_key:lost": Refusal("Staff {staff} has no second step to lose.", "Look at their keys again.", path="staff"),
        "own_posting": Refusal("Nobody decides on their own work here.", "Two others decide.", status=422),
        "owner_wrong:farewell": Refusal(
            "Staff {staff} can’t take over cases.", "Name a pit boss of the tables’ pits.", status=422, path="cases_to"
        ),
        "owns_cases": Refusal(
            "They own open cases: {cases}.",
            "Name who owns them from now on, or give each to another owner first.",
            path="cases_to",
        ),
        "pit_unknown": Refusal(
            "There is no pit {pit}.", "Name one that there is, or none for all.", status=422, path="pit"
        ),
        "posted_already": Refusal(
            "Staff {staff} has this posting already.", "Choose another role or another pit.", path="role"
        ),
        "posting_over": Refusal("This posting has ended already.", "Look at their postings again."),
        "role_unknown": Refusal("There is no role {role}.", "Use one of these: {roles}.", status=422, path="role"),
        "works_here": Refusal("Staff {staff} hasn’t left.", "Post them to another role instead.", path="staff"),
        # figures
        "drop_box_uncounted:figures": "Drop box {drop_box} isn’t counted.",
        "session_unclosed": "Session {session} isn’t closed.",
        "session_unopened": "Session {session} isn’t opened.",
        # floor
        "closer_counting": "The closer is being counted.",
        "drop_box_uncounted:win": "Drop box {drop_box} isn’t counted.",
        "no_session": "No session yet.",
        "opener_counting": "The opener is being counted.",
        "pot_game": "The players play for a pot: the float wins nothing.",
        "rounds_net": "The net of the rounds that are settled.",
        # fold
        "lost:behind": "stands behind {action}",
        "lost:first": "doesn’t follow from those before it",
        # founding
        "code_by_two": Refusal("Two others can give {login} a code.", "Let them do it on the page Staff."),
        "house_there": Refusal("A house is there already.", "Found another one in an empty database."),
        "login_unknown": Refusal("No administrator has the login {login}.", "Name another.", status=422),
        "login_unknown:form": Refusal("{login} can’t be a login.", "Name that of an administrator.", status=422),
        "zone_unknown": Refusal("{place}: {zone} can’t be read.", "{way_out}", status=422, path="time_zone"),
        # grounds
        "clause_unknown": Refusal(
            "{named} is no clause that settles an irregularity.",
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
        "session_closed": Refusal("{table} isn’t open.", "{way_out}"),
        "session_closed:closing": Refusal(
            "{table} isn’t open: its last round was played.", "Two people count it, or two let it go on."
        ),
        "session_closed:opening": Refusal("{table} isn’t open.", "Two people count its opener first."),
        "stale_version": Refusal(
            "Round {round} has moved on: you saw version {seen}, it’s at version {newest}.",
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
        "void_is_over": "All its stakes go back and nothing follows. Open the next round.",
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
            "List the coins and notes that a drop box holds, the smallest first, as [1, 2, 5, 10]."
        ),
        "house_file:casino_code_cure": "Write at most 20 small letters, digits and dashes, a letter or digit first.",
        "house_file:casino_cure": "Write the house’s own settings below the line [casino].",
        "house_file:chip": "A chip has a value and a colour, and nothing else.",
        "house_file:chip_cure": "Write a multiple of a smallest chip.",
        "house_file:chips_cure": "Write each as {example}.",
        "house_file:code_cure": "Write at most 8 capital letters and digits, a letter first.",
        "house_file:colour": '{value} is no colour. Write six digits behind #, as "#ad1f2b".',
        "house_file:currency_cure": 'Write its three capital letters, as "EUR".',
        "house_file:decimals_cure": "Write how many digits stand behind the point: 0 to {most}.",
        "house_file:digits": "{value} has more than {decimals} digits behind the point.",
        "house_file:empty": "It’s empty.",
        "house_file:encoding": "Line {line}: It isn’t written in UTF-8. Save the file in UTF-8.",
        "house_file:fault": "{place}: {fault} {cure}",
        "house_file:founders": "The house is founded by two people.",
        "house_file:founders_cure": "Name two; they add all others.",
        "house_file:game": "{value} is no game of the house.",
        "house_file:highest": "{value} is more than {most}, the highest amount.",
        "house_file:list": "This is no list of its kind.",
        "house_file:list_cure": "Begin each one with the line [[{name}]].",
        "house_file:login_cure": "Write at most 40 small letters, digits, dots and dashes, a letter first.",
        "house_file:missing": "It’s missing.",
        "house_file:name_cure": "Write a name of at most {most} characters that can be seen.",
        "house_file:nested": (
            "Line {line}: Too many brackets stand within one another. Write it as docs/house.toml does."
        ),
        "house_file:no_amount": "{value} is no amount.",
        "house_file:no_chip_set": "There is no chip set {value}.",
        "house_file:no_pit": "There is no pit {value}.",
        "house_file:none": "There is none.",
        "house_file:none_cure": "A house has one at least.",
        "house_file:not_regular": "It isn’t a regular file. Copy what it holds into one, and name that.",
        "house_file:number": "Line {line}: A number has too many digits. Write a shorter one.",
        "house_file:one_of_cure": "Use one of these: {values}.",
        "house_file:rising": "Its values don’t rise.",
        "house_file:setting": "There is no such setting.",
        "house_file:time_cure": 'Write hours and minutes, as "06:00".',
        "house_file:toml": "This is no TOML: {error}. Mend that line first.",
        "house_file:twice": "{value} stands twice.",
        "house_file:twice_cure": "Write another.",
        "house_file:unpayable": "No table has chips that pay it.",
        "house_file:unread": "It can’t be read: {reason}. Name another.",
        "house_file:unreadable": "{value} can’t be read.",
        "house_file:zone_cure": 'Write its name in the list of IANA, as "Europe/Berlin".',
        # interventions
        "box_missing": Refusal(
            "{named} names a box in play.", "Name one of these boxes: {boxes}.", status=422, path="box"
        ),
        "box_missing:early": Refusal(
            "{named} names a box in play.", "No box is in play yet: report it when one is.", status=422, path="box"
        ),
        "box_unexpected": Refusal("{named} is about the whole table.", "Leave the box out.", status=422, path="box"),
        "box_unknown:report": Refusal(
            "Box {box} isn’t in play.", "Name one of these boxes: {boxes}.", status=422, path="box"
        ),
        "box_unknown:report_early": Refusal(
            "Box {box} isn’t in play.", "No box is in play yet: report it when one is.", status=422, path="box"
        ),
        "nothing_to_report": "There is nothing to report on it any more.",
        "only_open_is_voided": "Only an open round can be voided; a closed one needs a correction.",
        "round_not_held": Refusal("Round {round} isn’t held ({status}).", "Look at the round as it is now."),
        "stale_version:hold": Refusal(
            "Round {round} was released meanwhile and is held again.",
            "Look at what holds it now and decide again.",
            path="hold",
        ),
        # papers
        "moment_to_come": Refusal(
            "{moment} is still to come.", "Enter the time at which the round was played.", 422, "happened_at"
        ),
        "opened_by_pit_boss": "Ask the pit boss to open the table.",
        "paper_entered": Refusal(
            "Paper {paper} was entered already, as round {round}.", "Check the number on the paper.", path="paper"
        ),
        "paper_out_of_order": Refusal(
            "Paper {later}, played at {table} on {later_moment}, was entered already, as round {round}. This one was"
            " played before it, on {moment}.",
            "Check the time. A paper that was forgotten can’t be entered any more: keep it with the closing form, whose"
            " variance it explains.",
            path="happened_at",
        ),
        "paper_out_of_order:closed": Refusal(
            "Paper {later}, played at {table} on {later_moment}, was entered already, as round {round}. This one was"
            " played before it, on {moment}.",
            "Check the time. A paper that was forgotten can’t be entered any more: the pit boss keeps it with the"
            " variance’s case.",
            path="happened_at",
        ),
        "paper_out_of_order:open": Refusal(
            "Paper {later}, played at {table} on {later_moment}, was entered already, as round {round}. This one was"
            " played before it, on {moment}.",
            "Check the time. If this paper was forgotten, void round {round}, enter this paper, then enter paper"
            " {later} again.",
            path="happened_at",
        ),
        "paper_out_of_order:series": Refusal(
            "This paper was played on {moment}, before round {round} of the series that runs, which was played on"
            " {round_moment}.",
            "Enter it once the series is over.",
            path="happened_at",
        ),
        "paper_too_early": Refusal(
            "{table} wasn’t open on {moment}: its session began on {began}.",
            "Enter the time at which the round was played.",
            path="happened_at",
        ),
        "paper_too_late": Refusal(
            "The gaming day of {table} to which {moment} belongs is closed.",
            "What the paper says is part of that session’s variance: the pit boss keeps the paper with the variance’s"
            " case.",
            path="happened_at",
        ),
        "paper_too_late:last_round": Refusal(
            "The last round of {table} was called on {called}, before {moment}.",
            "Enter the time at which the round was played.",
            path="happened_at",
        ),
        "paper_wrong": Refusal(
            "This isn’t a number that is printed on a paper.",
            "Enter it as printed: up to 20 letters, digits and hyphens.",
            422,
            "paper",
        ),
        # payments
        "box_unknown:payment": Refusal("Box {box} wasn’t in play.", "Choose one that was: {boxes}.", 422, "box"),
        "nothing_due": Refusal(
            "Box {box} of round {round} has nothing to get and nothing to give.", "Leave it as it is.", path="box"
        ),
        "stale_version:generation": Refusal(
            "Round {round} was corrected: you saw generation {seen}, and it’s at generation {newest} now.",
            "Look at the payments as they are now.",
            path="generation",
        ),
        "ticked_already": Refusal("Box {box} is ticked already.", "Go on with the next box.", path="box"),
        "ticked_when_settled": "Tick payments once the round is settled.",
        # questions
        "answered_once": "A question is answered once.",
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
            "This question is {status}. {rule}", "Look at it again: what was said stands."
        ),
        "reasked_when_answered": "Only an answered question can be asked again.",
        "settled_when_answered": "Only an answered question can be settled.",
        "subject_unknown": Refusal(
            "There is no {subject}.", "Check its number on its page, or at its entry in the log.", 422, "subject"
        ),
        "subject_wrong": Refusal(
            "A question can’t be about {subject}.",
            "Write the number from its page or paper, such as T1-00171, F-2026-000013 or session 171. Or write one of"
            " {kinds} with its number in the log, such as round:12, or an entry, such as house/7.",
            422,
            "subject",
        ),
        # report_files
        "report_file_ended": Refusal("{file} is {status} already.", "There is nothing to cancel."),
        "report_files_young": Refusal(
            "No file of a report is older than {days} days.",
            "Wait: each is kept that long. The setting of the house says how long that is.",
        ),
        "report_form_unknown": Refusal("No report is made as {form}.", "Choose one of: {forms}.", 422, "form"),
        "report_token_ended": Refusal("The token {token} has ended already.", "There is nothing to end."),
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
        "acted_in_when_open": "Only an open round can be acted in.",
        "action_wrong": Refusal(
            "Action {ordinal} of round {round} doesn’t follow from those before it: {fault}",
            "No terminal sent it: report it ({unforeseen}), have the pit boss void the round, and tell security.",
        ),
        "box_unknown:round": Refusal(
            "There is no box {box} in this round.", "Choose a box from {first} to {last}.", 422, "box"
        ),
        "box_unknown:round_list": Refusal(
            "There is no box {box} in this round.", "Choose one of the boxes {boxes}.", 422, "box"
        ),
        "correction_needed": "Report an error: a correction needs the pit boss.",
        "does_not_follow": Refusal(
            "Action {ordinal} ({label}) no longer follows: {fault}",
            "Undo back to the wrong action and enter it again, or report it ({unforeseen}).",
            422,
            "arguments",
        ),
        "does_not_follow:box": Refusal(
            "Action {ordinal} ({label}, box {box}) no longer follows: {fault}",
            "Undo back to the wrong action and enter it again, or report it ({unforeseen}).",
            422,
            "arguments",
        ),
        "no_sheet": Refusal("{table} has no rule sheet.", "Ask the pit boss to put one in force."),
        "nothing_to_amend": Refusal(
            "That action has no card and no stake.", "Undo the action, or amend another one.", 422, "arguments"
        ),
        "nothing_to_amend:same": Refusal(
            "That action says the same already.", "Change a card or a stake, or undo the action.", 422, "arguments"
        ),
        "nothing_to_undo": Refusal("Round {round} has no action yet.", "There is nothing to take back."),
        "ordinal_unknown": Refusal(
            "Action {ordinal} of round {round} doesn’t count.", "Choose one that isn’t struck through.", 422, "ordinal"
        ),
        "round_held": Refusal("Round {round} is held.", "Ask the pit boss to release it, rule on it or void it."),
        "round_not_final": Refusal("Round {round} isn’t at its end ({phase}).", "Next: {left}."),
        "round_not_final:unknown": Refusal("Round {round} isn’t at its end ({phase}).", "Finish it first."),
        "round_open:table": Refusal("Round {round} is still open at {table}.", "Close round {round} first."),
        "seats_wrong:series": Refusal("The series goes on with boxes {boxes}.", "Leave the seats out.", 422, "seats"),
        "signature_missing:phase": Refusal(
            "Action {ordinal} belongs to the phase {phase}, and round {round} is in the phase {phase_now} now.",
            "A pit boss signs with login and password.",
            422,
            "signature",
        ),
        "signature_missing:ruling": Refusal(
            "Action {ordinal} is the pit boss’s ruling.", "A pit boss signs with login and password.", 422, "signature"
        ),
        # rulesheets
        "chip_not_payable": Refusal(
            "Rule sheet {version} of {game} is played in chips of {chip}; the smallest chip of {table} is {smallest}.",
            "Draft a sheet whose smallest chip is a multiple of {smallest}.",
            clause="house.5",
        ),
        "coefficients_unpublished": Refusal("{coefficients} is still a draft.", "Publish the coefficient table first."),
        "moment_taken:sheet": Refusal(
            "From that moment on {table} already plays by rule sheet {version} of {game}.",
            "Withdraw that one first, or choose another moment.",
            path="from_at",
        ),
        "moment_wrong:sheet": Refusal(
            "A sheet can’t come into force in the past, or more than a year ahead.",
            "Choose a moment within a year, or none: then it counts from now on.",
            422,
            "from_at",
        ),
        "not_a_draft": Refusal("Rule sheet {version} of {game} is published already.", "Draft the next version."),
        "places_missing": Refusal(
            "No sheet that is still to come is named.", "Name at least one of them.", 422, "places"
        ),
        "reason_missing:edge": Refusal(
            "The house edge ({edges}) lies outside the casino’s band of {least} to {most} %.",
            "Write why you publish the sheet all the same.",
            422,
            "reason",
        ),
        "reason_wrong:edge": Refusal(
            "This sheet takes no reason.",
            "Leave it empty: a reason is only for a house edge outside the casino’s band.",
            422,
            "reason",
        ),
        "same_person:drafted": Refusal("You drafted this sheet yourself.", "Ask somebody else to publish it."),
        "sheet_counts": Refusal(
            "Rule sheet {version} of {game} is in force at {table} already.",
            "Put another sheet in force, from now on.",
        ),
        "sheet_unpublished": Refusal("Rule sheet {version} of {game} is still a draft.", "Publish it first."),
        "sheet_withdrawn": Refusal(
            "Rule sheet {version} of {game} at {table} is withdrawn already.", "Look at the sheets of the table again."
        ),
        "sheet_wrong": Refusal("{fault}", "A sheet of this game has: {names}.", 422),
        "sheet_wrong:amount": Refusal("{fault}", "Give an amount from {least} to {most}.", 422),
        "sheet_wrong:amount_in_chips": Refusal(
            "{fault}", "Give an amount from {least} to {most}, a multiple of the smallest chip.", 422
        ),
        "sheet_wrong:choice": Refusal("{fault}", "Choose one of: {options}.", 422),
        "sheet_wrong:number": Refusal("{fault}", "Give a whole number from {least} to {most}.", 422),
        "sheet_wrong:number_in_chips": Refusal(
            "{fault}", "Give a whole number from {least} to {most}, a multiple of the smallest chip.", 422
        ),
        "sheet_wrong:ratios": Refusal(
            "{fault}", "Give each category n:d in whole numbers from 1 to 10000, none lower than the one before.", 422
        ),
        "tables_missing": Refusal("No table is named.", "Name at least one table.", 422, "tables"),
        # scanners
        "game_unknown": Refusal("There is no game {game}.", "Choose one of: {games}.", 422, "game"),
        "scanner_unchanged": Refusal("The scanner of {terminal} is set so already.", "Change something."),
        "scanner_wrong:card": Refusal("This game has no card {card}.", _SCAN_CODES, 422),
        "scanner_wrong:code": Refusal(
            "The code of the {card} is empty, or has other keys than a scan may have.", _SCAN_CODES, 422
        ),
        "scanner_wrong:keys": Refusal(
            "{typed} is the code of the {card}, and the {other} has no code of its own.", _SCAN_CODES, 422
        ),
        "scanner_wrong:prefix": Refusal(
            "The prefix has other keys than a scan may have, or more than 20.", _SCAN_CODES, 422, "prefix"
        ),
        "scanner_wrong:single": Refusal(
            "The code of the {card} is a single key, and a single key counts as typed by hand.", _SCAN_CODES, 422
        ),
        "scanner_wrong:suffix": Refusal(
            "The suffix has other keys than a scan may have, or more than 20.", _SCAN_CODES, 422, "suffix"
        ),
        "scanner_wrong:twice": Refusal("{typed} is the code of the {other} and of the {card}.", _SCAN_CODES, 422),
        "terminal_revoked": Refusal(
            "The terminal {terminal} is revoked already.", "Enrol the device anew under another name."
        ),
        # series
        "dealer_unknown": Refusal("Box {box} doesn’t sit in this round.", "Name one that does.", 422, "dealer"),
        "no_series": Refusal("No series runs at {table}.", "Look at the table as it is now."),
        "no_series:paper": Refusal(
            "No series of rounds from paper runs in that closed session of {table}.", "Look at the table as it is now."
        ),
        "round_open:ending": Refusal("Round {round} is still open.", "Close or void it first."),
        "seats_missing": Refusal("Nobody sits in this round.", "Name {lowest} to {highest} boxes.", 422, "seats"),
        "seats_unexpected": Refusal("Boxes come in by their ante here.", "Leave the seats out.", 422, "seats"),
        "seats_wrong": Refusal(
            "You named {boxes}, and this round takes {lowest} to {highest} different boxes from 1 to {highest}.",
            "Name {lowest} to {highest} boxes, each once.",
            422,
            "seats",
        ),
        # sessions
        "carry_wrong": Refusal(
            "No chip is left at {table} to go on with.", "Close the table and open it anew.", 422, "carry"
        ),
        "carry_wrong:opener": Refusal(
            "This count opens {table}: nothing goes on from before.", "Leave `carry` out.", 422, "carry"
        ),
        "closer_of": "the closer of {table}",
        "count_missing": Refusal("Two people haven’t counted {what} yet.", "{way_out}"),
        "count_missing:more": Refusal("{fault}", "{way_out}"),
        "counted_by_two": "Two people count it, the second without seeing the first count.",
        "counted_twice:differing": Refusal(
            "Two people have counted {what} twice.", "Ask a pit boss which count stands."
        ),
        "counted_twice:equal": Refusal("Two people have counted {what} twice.", "Both sign for it."),
        "counts_differ": Refusal("The two counts of {what} differ.", "Both count it again."),
        "nothing_counted": Refusal(
            "An opener can’t be without chips.", "Count the chips that the cage gave.", 422, "denominations"
        ),
        "opener_of": "the opener of {table}",
        "payment_unticked": Refusal(
            "Boxes {boxes} of round {round} aren’t ticked.",
            "Tick each when it’s done. If a patron has left, have two people confirm that on the round’s page.",
        ),
        "payment_unticked:one": Refusal(
            "Box {box} of round {round} isn’t ticked.",
            "Tick it when it’s done. If the patron has left, two people say so on the round’s page.",
        ),
        "place_missing": Refusal(
            "The two counts differ, and nobody has said which one stands.",
            "A pit boss says which one stands: 1, the first, or 2, the second.",
            422,
            "place",
        ),
        "rake_missing": Refusal(
            "The rake slot of {table} has to be counted too.",
            "Count its chips apart from the float; enter none if it’s empty.",
            422,
            "rake",
        ),
        "rake_surplus": Refusal(
            "No rake moved at {table}, so its rake slot isn’t counted now.", "Count only the other chips.", 422, "rake"
        ),
        "rake_uncounted": Refusal(
            "Rake moved at {table} after both had counted, and its rake slot wasn’t counted.", "Both count again."
        ),
        "rake_uncounted:twice": Refusal(
            "Rake moved at {table} after both had counted, and its rake slot wasn’t counted.",
            "Two let the table go on. Then call its last round again, and count the rake slot too.",
        ),
        "round_held:ending": Refusal("Round {round} is held.", "Ask a pit boss to release it first."),
        "round_unsettled": Refusal("Round {round} isn’t settled yet.", "Try again in a moment."),
        "series_running": Refusal(
            "A series runs at {table}.",
            "Play it to its end, or break it off: a pit boss signs that at the terminal.",
        ),
        "session_open": Refusal("{table} is open already.", "Call its last round to close it."),
        "session_open:closing": Refusal(
            "{table} is being closed.", "Two people count its chips and sign, or two let it go on."
        ),
        "session_open:opening": Refusal("{table} is being opened already.", "Two people count its opener and sign."),
        "session_wrong_moment:closed": Refusal("{table} is closed.", "Look at its closing form."),
        "session_wrong_moment:closing": Refusal(
            "{table} is being closed.", "Two people count its chips and sign, or two let it go on."
        ),
        "session_wrong_moment:open": Refusal("{table} is open.", "Call its last round to close it."),
        "session_wrong_moment:opening": Refusal("{table} is being opened.", "Two people count its opener and sign."),
        # settings
        "moment_taken:setting": Refusal(
            "{setting}: there is a change from that moment on already.",
            "Withdraw that change first, or choose another moment.",
            path="from_at",
        ),
        "moment_wrong:setting": Refusal(
            "A setting can’t be changed in the past, or more than a year ahead.",
            "Choose a moment within a year, or none: then it counts from now on.",
            422,
            "from_at",
        ),
        "setting_counts": Refusal("This change counts already.", "Change the setting again, from now on."),
        "setting_unchanged": Refusal("{setting} is {value} at that moment already.", "Enter another value."),
        "setting_unknown": Refusal("There is no setting {name}.", "Choose one of: {names}.", 422, "name"),
        "setting_withdrawn": Refusal("This change is withdrawn already.", "Look at the setting as it is now."),
        "stale_version:setting": Refusal(
            "{setting} was changed in the meantime: you saw version {seen}, and there is version {newest} now.",
            "Look at the setting as it is now and decide again.",
            path="version",
        ),
        "value_wrong": Refusal("{setting} can’t be {value}.", "Choose a value from {least} to {most}.", 422, "value"),
        # settling
        "round_as_it_is": "Look at the round as it is now.",
        "round_in_work": Refusal(
            "A worker is settling round {round}.", "Wait ten seconds: by then it’s settled, or says why not."
        ),
        "tried_when_closed": "Only a closed round waits for its settlement.",
        # slips
        "exchange_wrong": Refusal(
            "Only a change gives chips for others.", "Leave them out, or ask for a change.", 422, "exchanged"
        ),
        "exchange_wrong:both_ways": Refusal(
            "The same chip goes both ways.", "Change each chip into others.", 422, "exchanged"
        ),
        "exchange_wrong:worth": Refusal(
            "The two sides of a change aren’t worth the same.", "Make both come to the same.", 422, "exchanged"
        ),
        "float_short:credit": Refusal(
            "By the books, the float of {table} doesn’t hold as much.",
            "Void the credit and ask for less. If the chips are there, the pit boss looks at the rounds.",
        ),
        "kind_unknown:slip": Refusal("There is no slip of the kind {kind}.", "Choose one of: {kinds}.", 422, "kind"),
        "nothing_asked": Refusal("This slip has no chips.", "Say how many of which chips.", 422, "denominations"),
        "opened_first": "Open the table first.",
        "same_person:credit": Refusal(
            "You asked for {slip} yourself.", "The croupier of the table hands the chips over.", 422
        ),
        "same_person:issued": Refusal("You issued {slip} yourself.", "Two others count it.", 422, "signature"),
        "same_person:requested": Refusal("You asked for {slip} yourself.", "Another person issues it.", 422),
        "session_closed:credit": Refusal(
            "{table} isn’t open any more, and its chips are counted without the credit.",
            "Two people count the credit at the cage.",
        ),
        "slip_running:issued": Refusal("{slip} is on its way.", "Two count it at the table, or two send it back."),
        "slip_running:requested": Refusal("{slip} is requested.", "The cage issues it, or two void it."),
        "slip_running:requested_credit": Refusal(
            "{slip} is requested.", "Have the croupier hand its chips over, or have two people void it."
        ),
        "slip_wrong_moment:issued": Refusal("{slip} is on its way.", "Two count it at the table, or two send it back."),
        "slip_wrong_moment:issued_credit": Refusal(
            "{slip} is on its way.", "Have two people count it at the cage or send it back."
        ),
        "slip_wrong_moment:received": Refusal("{slip} is received.", "Nothing is left to be done."),
        "slip_wrong_moment:requested": Refusal("{slip} is requested.", "The cage issues it, or two void it."),
        "slip_wrong_moment:requested_credit": Refusal(
            "{slip} is requested.", "The croupier hands its chips over, or two void it."
        ),
        "slip_wrong_moment:returned": Refusal("{slip} is sent back.", "Nothing is left to be done."),
        "slip_wrong_moment:voided": Refusal("{slip} is void.", "Nothing is left to be done."),
        # tips
        "amount_wrong:tip": Refusal(
            "No chips of {table} come to {units}.", "Enter a multiple of {smallest}, at most {most}.", 422, "units"
        ),
        "tip_box": "the tip box",
        "tips_counted": Refusal("The tips of {date} are counted.", "Nothing is left to be done."),
        "tips_counted:later": Refusal(
            "The tips of {date} are counted.",
            "Keep this tip apart, and enter it in a session of the next gaming day.",
        ),
        "tips_counters": "Two of the count team count them, the second without seeing the first count.",
        "tips_of": "the tips of {date}",
        "tips_wrong_moment": Refusal("There are no tips of {date}.", "A table enters them; then two count them."),
        "tips_wrong_moment:running": Refusal(
            "Tips of {date} still come in: {tables}.", "Count them when these tables are closed."
        ),
        # trials
        "tried_carry": "What an earlier round of its series left isn’t known.",
        "tried_goes_on": "Its series would go on after it, and nobody played that.",
        "tried_not_final": "The round wouldn’t be at its end.",
        "tried_not_final:left": "The round wouldn’t be at its end: {left} isn’t known.",
        "tried_unfinished": "The round wouldn’t have come to its end.",
    },
)
