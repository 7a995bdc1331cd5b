"""The events of contracts/log.md: the facts that each must have and may have. Never renamed or reused."""

from typing import NamedTuple


class Event(NamedTuple):
    """Which facts an event has; `house` events stand in the chain `house`, the others in their table's.

    If `house` is None, it may be either: what belongs to a table stands in its chain, what is the cage's own in
    `house`.
    """

    must: frozenset[str]
    may: frozenset[str] = frozenset()
    house: bool | None = False


def _event(must, may="", *, house=False):
    return Event(frozenset(must.split()), frozenset(may.split()), house)


EVENTS = {
    # A draft is never changed: what is published is what was drafted.
    "sheet.drafted": _event("rules sheet author", house=True),
    "sheet.published": _event("rules sheet author signer", "edge reason", house=True),
    "table.sheet_set": _event("sheet from", "requester approver"),
    # Before its moment two people withdraw it: `sheet` and `from` are those of the entry that set it.
    "table.sheet_withdrawn": _event("sheet from requester approver"),
    # `after` is the session before, `attempt` the first count of a closing, `variance` what was counted less what was
    # `expected`, `unfinished` what the next session has to finish, `carried` the session that went before or
    # follows with the same chips.
    "session.begun": _event("business_date", "after"),
    "session.opened": _event("business_date denominations signers", "variance expected carried"),
    "session.stopped": _event("attempt"),
    "session.resumed": _event("requester approver"),
    "session.closed": _event("business_date denominations signers variance", "expected unfinished carried"),
    "series.opened": _event("session game sheet seats", "rounds target"),
    "series.closed": _event("seats totals", "rounds target approver"),
    # A round played on paper has `happened_at`, the number of the paper as `slip`, and a second person.
    "round.opened": _event("session number game sheet", "series seats carry happened_at slip approver"),
    "round.acted": _event("ordinal phase kind arguments", "undoes approver"),
    "round.closed": _event("round wagers", "handed"),
    "round.held": _event("", "clause box reason requester"),
    "round.released": _event("requester", "clause reason approver"),
    "round.voided": _event("clause reason requester approver"),
    "round.corrected": _event("changes clause reason requester approver round", "wagers carry"),
    # A round that is settled anew says on which gaming day that is.
    "round.settled": _event("generation sheet result payments transfers", "round business_date"),
    "payment.ticked": _event("payment generation box"),
    # It was not handed over or collected: two people say that the patron has left.
    "payment.left": _event("payment generation box requester approver"),
    # An irregularity reported at the table has a box; a dispute has itself and its boxes. `reason` is the statement's.
    "dispute.raised": _event("clause requester", "box reason dispute boxes"),
    "dispute.ruled": _event("dispute ruling clause reason requester", "approver line generation"),
    "dispute.closed": _event("dispute", "generation"),
    # `of` is what somebody has to look at, `reason` what a call is for, `word` the hash of what its taker says.
    "alarm.raised": _event("alarm kind of", "value limit box reason", house=None),
    "alarm.taken": _event("alarm", "word", house=None),
    "alarm.over": _event("alarm", house=None),
    # A case: whose it is, until when, where its recording is, and what came of it; `units` is what was counted less
    # what should be there. The case of a dispute has no units, and its reason is in `dispute.ruled`. `question` is the
    # hash of what is to be found out, where a person opened it: about a void round, or a session.
    "case.opened": _event("case kind number year of owner due", "units question"),
    "case.moved": _event("case", "owner due video"),
    "case.decided": _event("case outcome requester", "reason approver"),
    # The file of a case as it was made: the SHA-256 of its bytes, and the size of the log that it has proofs of.
    "case.filed": _event("case digest", "checkpoint"),
    # Chips that move at a table or by its slip; those of a shift of the cage stand in `house`, as do its counts, and so
    # do the variance of the tips and their counts. A
    # buy-in says at which `box`, and into which `drop_box` its cash went; a person may have made it alone.
    "movement.made": _event("kind number denominations people business_date transfer", "drop_box box", house=None),
    # A shift of the cage. Counting begins with `attempt`, and `expected` is what the books have in the cage then;
    # `variance` is what was counted less that.
    "cage.opened": _event("business_date", "after", house=True),
    "cage.count_begun": _event("attempt expected", house=True),
    "cage.closed": _event("business_date denominations signers expected variance", house=True),
    # A slip and its steps; `exchanged` is what a table gives in a change, which has no movement.
    "slip.requested": _event("kind number year denominations units requester session", "exchanged"),
    "slip.issued": _event("slip issuer", "movement carrier"),
    "slip.received": _event("slip receiver witness", "movement"),
    "slip.returned": _event("slip requester approver reason", "movement"),
    "slip.voided": _event("slip requester approver reason"),
    "slip.printed": _event("slip copy"),
    # A drop box is mounted in a session and taken off by two `people`, each time with the number and the seal on it.
    "drop_box.mounted": _event("drop_box number seal people session business_date"),
    "drop_box.removed": _event("drop_box number seal people"),
    # Its `cash`, value to number, comes to `units`; `recorded` is the sum of its buy-ins, `variance` `units` less that.
    "drop_box.counted": _event("drop_box cash units recorded variance people"),
    # A gaming day is closed for good by two `people`, with the `figures` of its tables and their sums.
    "day.closed": _event("date figures people", house=True),
    # A file of a report was made: the report, its period as an address has it, and the SHA-256 of the CSV; the newest
    # `checkpoint` then, by its size. Where nothing else is said, its `edition` is 1 and its `form` csv; `file` is the
    # SHA-256 of these bytes.
    "report.made": _event("what period grade digest", "checkpoint edition form file", house=True),
    # Two people gave up the files of reports that were kept long enough: their number, and when the newest was made.
    "report.pruned": _event("number newest requester approver", house=True),
    # By a token another program fetches files of reports.
    "report_token.given": _event("name requester approver", house=True),
    "report_token.ended": _event("name requester approver", house=True),
    # The tips of a gaming day: their `chips` come to `units`, `recorded` is what tables entered, `variance` the rest.
    "tips.counted": _event("date chips units recorded variance people", house=True),
    # Chips as one of two people counted them, and as both did.
    "count.entered": _event("of part attempt place denominations units", house=None),
    "count.agreed": _event("of part attempt denominations units signers", "reason expected variance", house=None),
    # A person signed a `command` of somebody: its method, path, body and key, and who asks; each free text is a salted
    # hash. By passkey, the challenge is the hash of that (WebAuthn); the entry behind it in its chain is what came of
    # it.
    "signature.given": _event(
        "verb command key requester signer method",
        "credential public_key client_data authenticator_data signature",
        house=None,
    ),
    "staff.signed_on": _event("staff", "terminal"),
    "staff.signed_off": _event("staff", "terminal"),
    # A croupier is asked to take a table over; that is over when they did, or when a `requester` withdrew it.
    "relief.asked": _event("relief staff requester"),
    "relief.over": _event("relief staff", "requester"),
    # Two people add a person, post them, let them go and have them return; what set the house up names none.
    "staff.added": _event("staff", "requester approver", house=True),
    "staff.posted": _event("staff role", "pit requester approver", house=True),
    "staff.posting_ended": _event("staff role requester approver", "pit", house=True),
    "staff.left": _event("staff", "requester approver", house=True),
    "staff.returned": _event("staff requester approver", house=True),
    # A person sets their password with a one-time code that two give; a founder's code names nobody.
    "staff.code_given": _event("staff", "requester approver", house=True),
    # The `step` is `second` if wrong codes or passkeys followed the right password.
    "staff.locked": _event("staff", "terminal step", house=True),
    "staff.unlocked": _event("staff", house=True),
    "staff.password_changed": _event("staff", house=True),
    # A passkey (with its public key, COSE in base64url, and the host that it is for) or an authenticator app, for the
    # second step of a login: added by its person, and removed by them or, lost, by two others. A recovery code stands
    # in for one once.
    "credential.added": _event("staff kind", "public_key host", house=True),
    "credential.removed": _event("staff", "requester approver", house=True),
    "recovery_codes.made": _event("staff number", house=True),
    "recovery_codes.ended": _event("staff", "requester approver", house=True),
    "recovery_code.used": _event("staff code", house=True),
    # A web session that somebody ended, but not at its own browser; `web_session` is its number.
    "login.ended": _event("staff web_session", house=True),
    "terminal.enrolled": _event("terminal name table", house=True),
    # From then on the log names the terminal so; `before` is its earlier name, which stays its own.
    "terminal.renamed": _event("terminal name before table", house=True),
    "terminal.revoked": _event("terminal name table", house=True),
    # A setting of the house has `from` and two people; one without `after` is withdrawn before its moment.
    "setting.changed": _event("what", "before after requester approver from", house=True),
    "history.read": _event("what", "range", house=True),
    # What auditors read of money and people: `what` is a kind of row or a reference, `range` how a list was cut.
    "records.read": _event("what", "range", house=True),
    # One minute's failed logins with names that nobody has: a flood of them is one entry a minute.
    "login.failed": _event("minute number", house=True),
    "export.made": _event("what range", house=True),
    # An auditor was there: the length of the log that they saw, and the root of its tree then.
    "visit.made": _event("checkpoint root", house=True),
    # An auditor asks the pit about `of`; an answer is `due` by then. `words` and `answer` are hashes, and a question
    # asked again `follows` the one before it.
    "question.asked": _event("question of words due", "follows", house=None),
    "question.answered": _event("question answer", house=None),
    "question.settled": _event("question", house=None),
    # Rounds that a `seed` drew `of` those that were settled between two sizes of the log; `number` counts the samples
    # of this auditor since the same size.
    "sample.drawn": _event("seed number since checkpoint of rounds", house=True),
    "checkpoint.anchored": _event("what range", house=True),
    # A bad entry: its place, the SHA-256 of what stands there, and what is wrong with that.
    "entry.passed_over": _event("what digest fault", house=True),
    # Leaves that no signature covered: their numbers, and the SHA-256 of their lines `index chain seq hash`.
    "leaves.passed_over": _event("what range digest fault", house=True),
    "inspection.asked": _event("what", house=True),
    # `of` is the subject of a row (`round:81`), `what` its table and column.
    "finding.named": _event("inspection of what", house=True),
    "finding.accepted": _event("reason requester", house=True),
    # A row of the tree that the sealer did not write: `checkpoint:173`, `anchor:44`, or `subtree:8:3`.
    "forgery.found": _event("what", house=True),
}
