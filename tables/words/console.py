"""What the rows say in words on the console's pages, which are in English only; what a table shows is in `wording`."""

from casino.wording import Wording

CONSOLE = Wording(
    "console",
    {
        # alarms
        "alarm.box": "box {box}",
        "alarm.differences": "{count} differences",
        "alarm.differences:one": "1 difference",
        "alarm.named": "{kind}: {reason}",
        "alarm.released": "released by {who}",
        "alarm.round": "round {round}",
        "alarm.voided": "voided by {who}",
        "and": "{one} and {other}",
        "limit": "{measured}, limit {limit}",
        "limit.hours": "{measured} h, limit {limit}",
        "limit.minutes": "{measured} min, limit {limit}",
        "limit.pace": "{measured} an hour, limit {limit}",
        "limit.passwords": "{measured} wrong passwords, limit {limit}",
        "limit.percent": "{measured}%, limit {limit}",
        "limit.seconds": "{measured} s, limit {limit}",
        "limit.tries": "{measured} tries, limit {limit}",
        "limit.years": "{measured} table-years, limit {limit}",
        "span.days": "{days} d {hours} h",
        "span.hours": "{hours} h {minutes:02} min",
        "span.minutes": "{minutes} min",
        "span.seconds": "{seconds} s",
        # cage
        "cage.both": "Both have counted.",
        "cage.both:differ": "Both have counted, and their counts differ.",
        "cage.first": "Have two people count the cage, the second without seeing the first count.",
        "cage.moved": "Chips of the cage moved after the first count. Have two people count it again.",
        "cage.second": "{who} has counted. Have a second person count now.",
        "cage.who.second": "Have somebody from the count team, a pit boss or another cashier count second.",
        "cage.who.waits": "The cashier signs now. Sign with them at their screen.",
        "times": "{start} to {end}",
        "who.decides": "a pit boss",
        "who.signs:pit_boss": (
            "Have the other person who counted sign with you, or a pit boss if the counts differed twice."
        ),
        # calls
        "allowed": "allowed {amount}",
        "break": "{table}: break due",
        "break.limit": "{who}, limit {limit} min since the last break",
        "calls": "{table} calls",
        "calls:why": "{table} calls: {reason}",
        "cash": "{table}, box {box}: cash {amount}",
        "cash.reported": "{time}, to be reported from {amount}",
        "damaged": "{time}, {differences} in inspection {inspection}",
        "held": "{table} held",
        "held.at": "{time}, round {round}, {who}",
        "held.event": "{event}, {clause}.",
        "held.unsettled": "It couldn’t be settled.",
        "late": "{what} is late",
        "late.case": "due {day} {time}",
        "late.slip": "on its way since {time}, limit {limit} min",
        "locked_out": "{who} is locked out",
        "locked_out.after": "{time}, {count} wrong passwords",
        "long": "{table}, round {round} is long",
        "long.since": "open since {time}, limit {limit} min",
        "low": "{table}: float is low",
        "low.percent": "{percent}% of its opener at {time}, limit {limit}%",
        "luck": "{table} lost more than luck explains",
        "luck.rare": "at most one of {years} honest years is like this; it proves nothing against anybody",
        "nobody_came": "Nobody has come for {minutes} min",
        "overdue": "{drop_box} isn’t counted",
        "overdue.since": "{table}, taken off {time}, limit {limit} hours",
        "pace.fast": "{table} is fast",
        "pace.least": "{count} rounds an hour at {time}, at least {limit} expected",
        "pace.most": "{count} rounds an hour at {time}, at most {limit} expected",
        "pace.slow": "{table} is slow",
        "quoted": "“{words}”",
        "rate": "{count} of 100 rounds by {time}, limit {limit}",
        "rate.corrections": "{table}: many corrections",
        "rate.voids": "{table}: many voids",
        "seal": "{table}, {drop_box}: another seal",
        "seal.other": "seal {seal}; mounted with {mounted}",
        "settling": "{table}: settlement is late",
        "settling.since": "{time}, a round has waited for more than {limit} s; play goes on",
        "swapped": "{table}: a different drop box hangs there",
        "swapped.mounted": "{drop_box} was mounted",
        "taken.comes": "{who} has been on the way since {time}",
        "taken.handles": "{who} has been on it since {time}",
        "taken.looks": "{who} has been looking into it since {time}",
        "tried": "{table}, round {round} isn’t settled",
        "tried.times": "tried {count} times by {time}, limit {limit}",
        "unsealed": "{time}, an entry has waited for more than {limit} s",
        "variance.closer": "{table}, closer {amount}",
        "variance.drop": "{table}, {drop_box} {amount}",
        "variance.opener": "{table}, opener {amount}",
        # case_disputes
        "box": "Box {box}",
        "calculation": (
            "To settle a round is to work out what each box gets. Each time that this is done is a settlement, with a"
            " number. Net is from the box's side: what was returned and paid, less what was staked."
        ),
        "calculation.before": "The ruling came before the round was settled.",
        "calculation.kept": "The ruling changed nothing of it.",
        "calculation.none": "The round is not settled, so nothing was calculated.",
        "calculation.not_anew": "The round is not settled anew yet.",
        "calculation.unruled": "There is no ruling yet.",
        "changed.none": "Only stakes differ.",
        "claim": "What was claimed at {boxes}:",
        "clause.says": "The clause says: {text}",
        "due": "{due}: {done}",
        "due.left": "the patron had left",
        "due.none": "nothing to hand over",
        "due.open": "to be handed over",
        "file.clause": "Clause {clause}",
        "file.round": "{round} of {game}: from the first stake to paid bets, mostly one deal",
        "lacks.second": "A second signature under the ruling: the house asks for none there.",
        "laid.recorded": "As recorded, line {line}",
        "laid.ruled": "As ruled, line {line}",
        "played.none": "Nobody played.",
        "reasons.none": "No reason is recorded.",
        "ruling.by": "Ruled on {at} by {by}.",
        "ruling.changed": "The ruling changed the record of the round: line {line} of it is the ruling's.",
        "ruling.kept": "The ruling left the round as it was.",
        "ruling.moves": "It changes what boxes get: {boxes}.",
        "ruling.moves.box": "box {box} by {amount} {currency}",
        "ruling.moves:none": "No box gets more or less by it.",
        "ruling.outcome": "{outcome} by clause {clause}",
        "settlement": "{head}: settlement {settlement}, of line {line}",
        "ticked": "ticked as done by {who}, {time}",
        # case_files
        "alone": "{who} alone",
        "by.second": "with {who}",
        "file.at": "{utc} UTC, {house} by the house's clock,",
        "file.day": "{date}: from one morning's start of business to the next",
        "file.decided": "Decided on {at} by {by}.",
        "file.foot": "{casino}, case file {case}",
        "file.made": "the first {count} entries; newest fact of {at}",
        "file.made:unsealed": "none of them sealed yet; newest fact of {at}",
        "file.nobody": "Nobody has a part in it.",
        "file.nothing": "Nothing is recorded.",
        "file.open": "The case is open. It is due on {due} UTC.",
        "file.outcome": "{outcome}: a variance of {amount} {currency}",
        "file.part": "{one}, who decided it, had also signed what the case is about. {other} had not.",
        "file.reading": (
            "All times are UTC. Where a second time stands beside, it is the house's own ({zone}). Amounts are in"
            " {currency}. People are numbers: the casino knows who they are."
        ),
        "file.signatures": (
            "The first person is logged in under their own name; the second signs at the same screen, by password or"
            " with a passkey of their own. The log keeps both numbers, in the entry “Signature given” which of the two"
            " it was, and no password. Only what a passkey signed can be proved later."
        ),
        "file.subtitle": "{kind}. {casino}, {table}.",
        "file.table": "{table} ({short}), pit {pit}",
        "file.title": "Case file {case}",
        "file.unsigned": "Nothing is signed yet.",
        "labelled": "{label}: {text}",
        "lacks.decision": "A decision: there is none yet.",
        "lacks.film": "The film of the recording: the file has its reference alone.",
        "lacks.names": "The names of people, and anything of a patron: the log has neither.",
        "lacks.proof": "{count} entries are not sealed yet: a file made later has the proof.",
        "lacks.proof:one": "1 entry is not sealed yet: a file made later has the proof.",
        "lacks.texts": (
            "Statements and reasons stand here as they were written; the log has their SHA-256 behind a salt, a secret"
            " that the casino tells an investigator. A letter that this file has no type for stands as its number,"
            " [U+...]."
        ),
        "of.agreed": "The {part} stands at {money}",
        "of.count.first": "First count of the {part}, attempt {attempt}: {money}",
        "of.count.second": "Second count of the {part}, attempt {attempt}: {money}",
        "of.drop_box": "Box {number}, seal {seal}",
        "of.due": "Due {due}",
        "of.movement.box": "{moved}, box {box}: {money}",
        "of.opened": "The owner is {owner}. Due {due}",
        "of.owner": "The owner is {owner}",
        "of.variance": "Variance {money}",
        "of.video": "Recording {video}",
        "of.video:none": "Recording none",
        "part.signed": "signed: {what}",
        "proofs": (
            "Everything above is written in the log, entry by entry, when it happens. A chain is the log of one table:"
            " each entry in it holds the SHA-256 of the one before, a number that changes with every letter of what it"
            " was made from. All chains together are the leaves of one tree of hashes. A checkpoint is the number at"
            " the tree's root, signed; it shows that nothing before it was changed since. These are all the entries"
            " that this file rests on; Place is where the entry lies among the leaves. The numbers of a chain have gaps"
            " here: the entries between are of other business of the table, and no part of this case."
        ),
        "proofs.entries": (
            "3. Each line of the export's file entries.jsonl is an entry: the SHA-256 of the line, without its end, is"
            " the one in the table above."
        ),
        "proofs.export": (
            "1. Ask the casino for an export of everything, made after this file, and for the log's public key. The"
            " anchor is a file of checkpoints that is kept where nobody of the casino can change it: ask whoever keeps"
            " it for a copy."
        ),
        "proofs.filed": (
            "4. The SHA-256 of this very file stands in the same log, in an entry case.filed that was written when the"
            " file was made."
        ),
        "proofs.none": "None of these entries is under a checkpoint yet.",
        "proofs.verify": (
            "2. {program} is the program that checks an export, one file of the table system's source, {path}: take"
            " your own copy from whoever publishes that source, not from the casino. With Python 3.11 and nothing else,"
            " give this command; NUMBER is that of the export. The first word of its answer is whole if nothing was"
            " changed."
        ),
        "staff": "Staff {number}",
        # case_investigations
        "contested": "{case}: {about}, {boxes}",
        "contested.none": "Nothing was contested.",
        "contested.ruled": "{ruling} by clause {clause}, {who}",
        "dealt": (
            "A croupier signs on at the table and off again. Times may lie before the session or after it, where the"
            " table went on."
        ),
        "dealt.none": "Nobody was signed on.",
        "decided.none": "Nothing was reported or decided.",
        "file.carried": "Session {session}, with the same chips",
        "file.question": "To be found out, in the words of who opened the investigation:",
        "file.session": (
            "Session {session} of {table}: from its opener to its closer, the chips that two people count when the"
            " table is opened and closed"
        ),
        "lacks.counts": (
            "The counts of its chips and of its drop boxes: a variance has a case of its own, whose file has them."
        ),
        "lacks.rest": "What came after this file: the session is not closed.",
        "lacks.rounds": "The rounds of the session before the last {most}, {count} of them.",
        "raised.none": "None was raised.",
        "rounds.all": (
            "All {count} rounds, by the number under which the house and an export of the table have them. What settled"
            " a round is an entry of the log, listed under Proofs; a void round has none."
        ),
        "rounds.last": (
            "The last {most} of {count} rounds, by the number under which the house and an export of the table have"
            " them. What settled a round is an entry of the log, listed under Proofs; a void round has none."
        ),
        "rounds.net": "House's net is what the boxes lost less what they won, as at the closing.",
        "rounds.none": "No round was opened.",
        "sums": (
            "The closer is what the table ended with, the opener what it began with. The drop is the cash from its drop"
            " boxes. A fill brings chips from the cage, where the house keeps them; a credit takes chips back there."
            " The closer, the drop and the credits, less the opener and the fills, are the win by the count; FINAL is"
            " one of which all is counted, ESTIMATE any other. The win by the rounds is all that was settled since the"
            " table last closed, corrections of earlier rounds too."
        ),
        "sums.none": (
            "The session is not closed. What it came to is told when two people have counted its chips, neither of whom"
            " is to know before what should be there."
        ),
        "sums.win": "Win by the count, {grade}",
        "told_apart": (
            "Expected is what the best play wins on average once the dealer's open card lies. Within the band lie about"
            " 19 of 20 sessions of an honest table. The rarity counts the rounds of its table from the first of the"
            " year on: it is a reason to look, and no proof against anybody."
        ),
        # case_rounds
        "by.clause": "{what}, by clause {clause}",
        "by.reason": "{what}. Reason: “{reason}”",
        "by.terminal": "at {terminal}",
        "clauses.none": "No clause is named.",
        "face_down": "{count} cards face down",
        "face_down:one": "1 card face down",
        "laid": "A box is a place at the table, and a line is the round as it is recorded.",
        "laid.cards": "The cards, with their names. {cards}.",
        "laid.none": "Nothing lies on the table.",
        "laid:suits": (
            "A box is a place at the table, and a line is the round as it is recorded. ♠ is spades, ♥ hearts, ♦"
            " diamonds, ♣ clubs."
        ),
        "money": (
            "The float is the table's own stock of chips, patrons are all players of the table together; a pot lies"
            " between players, and the rake is the house's share of it. A settlement after the first takes the one"
            " before back, and moves everything anew."
        ),
        "money.none": "No money moved.",
        "of_box": "Box {box}: {what}",
        "struck": "{what} ({struck})",
        # case_variances
        "closing.counted": (
            "When the table was closed its chips were counted by two people. Neither saw the other's count before both"
            " were in. What they count then is called the closer."
        ),
        "closing.counted:again": (
            "When the table was closed its chips were counted by two people. Neither saw the other's count before both"
            " were in. Their first counts differed: each was shown the other's, and both counted again. What they count"
            " then is called the closer."
        ),
        "closing.less": "It came to {amount} {currency} less than the books said: that is the variance.",
        "closing.lines": (
            "The opener is what the table began with. A fill brings chips from the cage, where the house keeps them; a"
            " credit takes chips back there. The house's net is what the rounds won or lost."
        ),
        "closing.more": "It came to {amount} {currency} more than the books said: that is the variance.",
        "closing.papers": (
            "From paper are rounds that were played on paper while the terminals were down, and entered after the chips"
            " were counted: what they won or lost explains a part of the variance. The rake slot holds what the house"
            " takes of pots."
        ),
        "closing.said": "Said at the closing:",
        "closing.said:none": "Said at the closing: nothing.",
        "closing.signed": "{who} signed for what was counted.",
        "counted.each": "The {part}, attempt {attempt}: how many of each",
        "counted.none": "No count is recorded.",
        "drop.counted": (
            "A drop box is the locked box at a table into which the cash goes that patrons pay for chips. Each such"
            " payment is a buy-in, and is entered at the table. Two of the count team, who work at no table, count the"
            " cash later. Neither sees the other's count before both are in."
        ),
        "drop.counted:again": (
            "A drop box is the locked box at a table into which the cash goes that patrons pay for chips. Each such"
            " payment is a buy-in, and is entered at the table. Two of the count team, who work at no table, count the"
            " cash later. Neither sees the other's count before both are in. Their first counts differed: each was"
            " shown the other's, and both counted again."
        ),
        "drop.less": "In this box was {amount} {currency} less than was entered: that is the variance.",
        "drop.more": "In this box was {amount} {currency} more than was entered: that is the variance.",
        "drop.none": "No buy-in was entered.",
        "drop.said": "Said at the count:",
        "drop.said:none": "Said at the count: nothing.",
        "drop.seal.other": "{seal}: another one",
        "drop.seal.same": "{seal}, the same",
        "lacks.cards": "The cards and the stakes of the rounds: an export of the table has them.",
        "net": (
            "Net is from the house's side: what the boxes lost in a round, less what they won. It is as the table was"
            " closed: what was corrected later is not in it."
        ),
        "net.earlier": "{round}, of an earlier session, settled anew",
        "net.void": "Void, so that all stakes went back and they count for nothing: {count}, {rounds}.",
        "net.void:none": "No round was void.",
        # case_voids
        "lacks.settlement": (
            "A settlement: a void round has none. All stakes and fees went back, and nothing was won or lost."
        ),
        "void.back": (
            "What the rules say goes back at the table. What was handed over in the round is what the box had got"
            " before it was void, or below 0 what had been taken from it; what goes back sets it right. The ledger"
            " moves nothing for a void round."
        ),
        "void.back.none": "Nobody had staked.",
        "void.paper": "{paper}, played on paper at {time} and entered later",
        "void.question": "To be found out, in the words of who opened the case:",
        "void.reported.none": "Nothing was reported.",
        "void.what": (
            "A round that can't be brought to its end is voided by two people, while it is open: all stakes and fees go"
            " back, and nothing of it is settled."
        ),
        "void.why": "Why it was voided, in the words of who asked for it:",
        # cases
        "amount": "{amount} {currency}",
        "case.said.closing": "Said at the closing: “{words}”",
        "case.said.count": "Said at the count: “{words}”",
        "case.signs.closing": "Have a pit boss or the cage sign with you: somebody who didn’t sign the closing.",
        "case.signs.count": "Have a pit boss or the cage sign with you: somebody who didn’t sign the count.",
        "case.signs.session": (
            "Have a pit boss or the cage sign with you: somebody who didn’t open or close the table, or deal there."
        ),
        "case.signs.void": "Have a pit boss or the cage sign with you: somebody who didn’t sign the void.",
        "decided.by": "{by}; signed by {second}",
        "decided.part": "{who} had a part in what the case is about.",
        "due.days": "In {days} days, {at}",
        "due.days:one": "In 1 day, {at}",
        "due.in": "due in {time}",
        "due.late": "late by {time}",
        "person.was": "{who} ({role})",
        "units.closing": "{meaning} when the table was closed",
        "units.drop": "{meaning} when the drop was counted",
        # counting
        "who.signs": "Have the other person who counted sign with you.",
        # days
        "from_day": "With the gaming day of {day}, {time}",
        "part": "{count} of {whole}",
        "part.sessions": "{count} of {whole} sessions",
        "session": "Session {session}",
        "several.closers": "{count}\u00a0closers",
        "several.openers": "{count}\u00a0openers",
        "shift.open": "open since {time}",
        "since": "since {time}",
        "why.missing": "{count} of {whole} tables not counted",
        "why.signed": "signed {time}",
        "why.unsigned": "not signed yet",
        "win": "Win",
        "win.part": "Win, {part}",
        # disputes
        "claimed": "Boxes {boxes}",
        "claimed:all": "The whole table",
        "claimed:one": "Box {boxes}",
        "dispute.open": "Open",
        "dispute.refused": "Refused",
        "dispute.refused:due": "Refused, to be handed over",
        "dispute.upheld": "Upheld",
        "dispute.upheld:due": "Upheld, to be handed over",
        # drop_boxes
        "drop.title": "Drop of {table}",
        "drop.who.second": "Have somebody else from the count team count second.",
        "drop.who.waits": "The count team signs for it now.",
        # edges
        "edge.unknown": "Have it computed before the sheet is published.",
        "left.minutes": "about {minutes} min left",
        "left.seconds": "about {seconds} s left",
        "mark.draft": "draft {edge}",
        "mark.force": "in force {edge}",
        "mark.sheet": "sheet {edge}",
        "percent": "{number} %",
        "ratio": "{paid} to {to}",
        "shares": "fold {fold}, bet {bet}, buy two {buy}",
        "sought": "{label} for an edge of {edge} %",
        "sought.highest": (
            "{label} at {coefficient} leaves the house {kept} % of an ANTE. A higher one would pass its neighbour."
        ),
        "sought.never": "Even at {lowest}, as low as its neighbour, it leaves the house {kept} %: less than {edge} %.",
        "sought.next": (
            "{label} at {coefficient} leaves the house {kept} % of an ANTE. {more} would leave less than {edge} %."
        ),
        "sought.none": "{label} has no coefficient in steps of one half between its neighbours.",
        "verdict.above": "{edge} % is above the band: whoever publishes the sheet has to say why.",
        "verdict.below": "{edge} % is below the band: whoever publishes the sheet has to say why.",
        "verdict.inexact": "The house sets the unseen cards, so what the game is worth to the player isn’t computed.",
        "verdict.off.title": "Outside the casino’s band of {least} to {most} %",
        "verdict.player": "Best play wins {edge} % of each ANTE. Nobody can allow it, not even with a second person.",
        "verdict.within": "Another pit boss may publish it.",
        "verdict.within.title": "Within the casino’s band of {least} to {most} %",
        # floor
        "act.chips.says": "The cage issues them, and two people count them here.",
        "act.close": "Close {table}",
        "act.close.says": "You call the last round. Then two people count the chips and sign, and the table is closed.",
        "act.closing.says": "Two people count the chips and sign, and the table is closed.",
        "act.open": "Open {table}",
        "act.open.says": "Two people count the chips and sign, and the table is open.",
        "act.void": "Void round {round}",
        "act.void.says": "Every stake goes back and nothing is settled. Two people sign.",
        "boxes": "{count} boxes in play",
        "boxes:one": "1 box in play",
        "chart": "{table} in the last {hours} hours",
        "chart.about": "{states}. {rounds}.",
        "chart.about:net": "{states}. {rounds}, net now {net}.",
        "chart.rounds": "{count} rounds",
        "chart.rounds:one": "1 round",
        "chart.spell": "{state} from {time}",
        "comes": "{who} is coming",
        "disputed": "Dispute, {table}",
        "disputed.round": "Round {round}: {about}",
        "disputed.round:box": "Round {round}, box {boxes}: {about}",
        "disputed.round:boxes": "Round {round}, boxes {boxes}: {about}",
        "disputes": "{count} disputes",
        "disputes:one": "1 dispute",
        "pace.over": "Fast: over {limit} an hour",
        "pace.under": "Slow: under {limit} an hour",
        "part.tables": "{count} of {whole} tables",
        "part.whole": "{count} of {whole} complete",
        "range": "{low} to {high}",
        "round": "Round {round}",
        "round.none": "No round yet",
        "round.over": "Round {round} over",
        "waiting.none": "nothing to do",
        "waiting.taken": "{count} taken",
        "waiting.to_do": "{count} to do",
        "waiting.under_way": "{count} under way",
        "won": "{amount} {grade}",
        "won.then": "then {amount} {grade}",
        # luck
        "luck.alarm": "lost more than luck explains: a reason to look, no proof against anybody",
        "luck.deviation": "{number} standard deviations",
        "luck.deviation:beyond": "{number} standard deviations, beyond the band",
        "luck.rarity": "once in {years} honest years, at most",
        "luck.rarity:none": "nothing rare",
        # people
        "asked": "asked {time}, {who}",
        "break.due": "Break due {time}",
        "break.due:late": "Break due since {time}",
        "break.taken": "{begun}–{ended}, {span}",
        "dealt.spell": "{table} {begun}–{ended}",
        "dealt:now": "{table} {begun}–now",
        "or": "{one} or {other}",
        "rest": "rested {span}",
        "rest.none": "hasn’t dealt in the last day",
        "rest.since": "off since {time}",
        "rest.until": "break until {time}",
        "sign_on": "Whoever comes signs on at {terminals}.",
        "sign_on.no_terminal": (
            "{table} has no terminal, so whoever comes can’t sign on there. First make the device at the table a"
            " terminal, or sign them on yourself when they’re there."
        ),
        "sign_on:nobody": "Nobody is signed on at {table}: no round opens until whoever comes signs on at {terminals}.",
        "stint": "{hours} h {minutes} min",
        "stint:hours": "{hours} h",
        # questions
        "about.day": "Gaming day {name}",
        "about.entry": "Entry {chain}/{number}, {what}",
        "about.report": "Report {name}",
        "about.round": "Round {name}",
        "about.session": "Session {name}",
        "about.table": "Table {name}",
        "question.answered": "Answered {at}",
        "question.due": "Due in {span}",
        "question.late": "Late by {span}",
        "question.settled": "Settled {at}",
        # session_rounds
        "of_round": "Correction of round {round}",
        "of_round:paper": "Round {round} from paper, of an earlier session",
        # slips
        "way.change": "From the cage to {table}, for chips of equal worth",
        "way.credit": "From {table} to the cage",
        "way.fill": "From the cage to {table}",
        # staff
        "keys.app": "{count} authenticator apps",
        "keys.app:one": "1 authenticator app",
        "keys.passkey": "{count} passkeys",
        "keys.passkey:one": "1 passkey",
        "reach.signed_on": "{pit}, where signed on",
        "reach.signed_on:all": "All pits, where signed on",
        "role.administrator": (
            "Adds people, lets them leave and changes settings, each with a second person; enrols devices."
        ),
        "role.auditor": "Reads everything here, the log and its proofs; decides nothing at a table.",
        "role.cage": "Runs the cage: issues and takes chips, counts, and signs as a second person.",
        "role.count_team": "Counts drop boxes, tips and the cage.",
        "role.croupier": "Deals at a table: opens, enters and closes its rounds, sells chips, calls and reports.",
        "role.pit_boss": (
            "Opens and closes tables; releases, voids and corrects rounds; rules on disputes; owns cases; signs as the"
            " second person."
        ),
        "unused": "Not since {at}",
        # tips
        "tips.entered:nobody": "Nobody has counted yet.",
        "tips.entered:one": "One person has counted.",
        "tips.open": "{count} tables are open",
        "tips.open:one": "1 table is open",
        # trials
        "trial.not_known": "Not known",
        "trial.not_known.about": "This sheet needs cards that nobody looked at, or a round that nobody played.",
        "trial.not_played": "Couldn’t be played",
        "trial.not_played.about": "This sheet refuses what was entered.",
        "trial.span": "{first} to {last}",
        # unfinished
        "left.dispute": "{dispute}, of round {round}",
        "left.drop_box": "{drop_box}, not counted",
        "left.round": "Round {round}, corrected",
        "left.slip": "{slip}, {status}: {amount}",
    },
)
