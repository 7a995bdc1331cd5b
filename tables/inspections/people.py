"""People and devices inspected: staff, postings, sign-ons and terminals, against their entries.

An entry of a posting or a sign-on names no row: it is found by the person, the place and the time.
"""

from django.db.models import Q

from audit.comparing import APART, Apart, Difference, differences, matched, one_by_one, readings, surplus
from casino.models import Staff

from ..models import Credential, OneTimeCode, Posting, RecoveryCode, Relief, SignOn, Terminal, TerminalName
from .rounds import person, terminal, terminal_names
from .wording import WORDING


def look_at_staff(after, upto, state):
    people = Staff.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values("pk", "is_active", "added_at")
    rows = {person(row["pk"]): row for row in people}
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _staff(ref, row, said[ref])))


def _staff(ref, row, said):
    events = {each.event: each for each in said}
    if "staff.added" not in events:
        yield surplus(ref, "casino_staff", "The person")
        return
    went = [each.event for each in said if each.event in {"staff.left", "staff.returned"}]
    expected = {"is_active": went[-1:] != ["staff.left"], "added_at": Apart(events["staff.added"].at)}
    yield from differences(ref, "casino_staff", "", expected, row)


def look_at_postings(after, upto, state):
    postings = list(Posting.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk"))
    said = readings({person(posting.staff_id) for posting in postings})
    pairs = [(person(posting.staff_id), posting) for posting in postings]
    return len(postings), list(one_by_one(pairs, lambda ref, posting: _posting(ref, posting, said[ref])))


def _posting(ref, posting, said):
    row, facts = WORDING("posting", number=posting.pk), {"staff": ref, "role": posting.role}
    if posting.pit_id is not None:
        facts["pit"] = f"pit:{posting.pit_id}"
    people = _two(posting.posted_by_id, posting.posted_with_id)
    posted = _near(said, "staff.posted", posting.posted_at, facts | people)
    if posted is None:
        yield surplus(ref, "tables_posting", row)
    after = [each for each in said if each.at >= (posted.at if posted else posting.posted_at)]
    over = next((each for each in after if each.event == "staff.left" or _ends(each, facts)), None)
    expected = {
        "ended_at": over and Apart(over.at),
        "ended_by_id": over and over.facts.get("requester"),
        "ended_with_id": over and over.facts.get("approver"),
    }
    stands = {
        "ended_at": posting.ended_at,
        "ended_by_id": person(posting.ended_by_id),
        "ended_with_id": person(posting.ended_with_id),
    }
    yield from differences(ref, "tables_posting", row, expected, stands)


def _ends(entry, facts):
    """Whether an entry ends the posting with these facts."""
    people = ("requester", "approver")
    return (
        entry.event == "staff.posting_ended"
        and {name: fact for name, fact in entry.facts.items() if name not in people} == facts
    )


def _two(by, second):
    """The two people of a row, as its entry names them; none where the house was set up."""
    return {"requester": person(by), "approver": person(second)} if by else {}


def look_at_codes(after, upto, state):
    # The digest is a secret, which no reader of the log may read.
    codes = list(OneTimeCode.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").defer("digest"))
    said = readings({person(code.staff_id) for code in codes})
    pairs = [(person(code.staff_id), code) for code in codes]
    return len(codes), list(one_by_one(pairs, lambda ref, code: _code(ref, code, said[ref])))


# What ends a one-time code.
_CODE_OVER = {"staff.password_changed", "staff.code_given", "staff.left"}


def _code(ref, code, said):
    row = WORDING("code", number=code.pk)
    facts = {"staff": ref} | _two(code.given_by_id, code.given_with_id)
    given = _near(said, "staff.code_given", code.given_at, facts)
    if given is None:
        yield surplus(ref, "tables_onetimecode", row)
        return
    over = next((each for each in said if each.event in _CODE_OVER and each.at > given.at), None)
    expected = {"ended_at": over and Apart(over.at)}
    yield from differences(ref, "tables_onetimecode", row, expected, {"ended_at": code.ended_at})


def look_at_credentials(after, upto, state):
    columns = ("pk", "staff_id", "kind", "public_key", "host", "added_at", "ended_at", "ended_by_id", "ended_with_id")
    rows = {
        f"credential:{row['pk']}": row
        for row in Credential.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*columns)
    }
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _credential(ref, row, said[ref])))


def _credential(ref, row, said):
    events = {each.event: each for each in said}
    added, over = events.get("credential.added"), events.get("credential.removed")
    if added is None:
        yield surplus(ref, "tables_credential", "The credential")
        return
    two = over and over.facts.get("approver")
    expected = {
        "staff_id": added.facts["staff"],
        "kind": added.facts["kind"],
        "public_key": added.facts.get("public_key"),
        # Entries from before passkeys signed commands do not have it.
        "host": added.facts.get("host", row["host"]),
        "added_at": Apart(added.at),
        "ended_at": over and Apart(over.at),
        "ended_by_id": over and (over.facts["requester"] if two else _own(over)),
        "ended_with_id": two,
    }
    stands = {name: person(row[name]) for name in ("staff_id", "ended_by_id", "ended_with_id")}
    yield from differences(ref, "tables_credential", "", expected, row | stands)


def _own(over):
    """The person who ended it alone, their own; nobody is named if one person alone sets the house up."""
    return over.by if over.by == over.facts["staff"] else None


def look_at_recovery_codes(after, upto, state):
    codes = list(RecoveryCode.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").defer("digest"))
    said = readings({person(code.staff_id) for code in codes})
    pairs = [(person(code.staff_id), code) for code in codes]
    return len(codes), list(one_by_one(pairs, lambda ref, code: _recovery_code(ref, code, said[ref])))


def _recovery_code(ref, code, said):
    made = min(
        (each for each in said if each.event == "recovery_codes.made" and abs(each.at - code.made_at) <= APART),
        key=lambda each: abs(each.at - code.made_at),
        default=None,
    )
    row = WORDING("recovery_code", number=code.pk)
    if made is None:
        yield surplus(ref, "tables_recoverycode", row)
        return
    over = next((each for each in said if each.at > made.at and _ends_code(each, code.ref)), None)
    expected = {"ended_at": over and Apart(over.at)}
    yield from differences(ref, "tables_recoverycode", row, expected, {"ended_at": code.ended_at})


def _ends_code(entry, ref):
    if entry.event == "recovery_code.used":
        return entry.facts["code"] == ref
    return entry.event in {"recovery_codes.made", "recovery_codes.ended"}


def _near(said, event, at, facts, chain=None):
    """The entry of an event with these facts that is nearest to this time; None if none is near."""
    wanted = [
        each
        for each in said
        if each.event == event and abs(each.at - at) <= APART and each.facts == facts and chain in {None, each.chain}
    ]
    return min(wanted, key=lambda each: abs(each.at - at), default=None)


def look_at_sign_ons(after, upto, state):
    sign_ons = list(SignOn.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk"))
    said = readings({person(each.staff_id) for each in sign_ons})
    terminals = terminal_names()
    pairs = [(person(each.staff_id), each) for each in sign_ons]
    return len(sign_ons), list(one_by_one(pairs, lambda ref, each: _sign_on(ref, each, said[ref], terminals)))


def _sign_on(ref, sign_on, said, terminals):
    row, chain = WORDING("sign_on", number=sign_on.pk), f"table:{sign_on.table_id}"
    # By whichever name the terminal had then.
    names = [name for name, named in terminals.items() if named == terminal(sign_on.terminal_id)]
    facts = [{"staff": ref, "terminal": name} for name in names] if sign_on.terminal_id else [{"staff": ref}]
    if not any(_near(said, "staff.signed_on", sign_on.signed_on_at, each, chain) for each in facts):
        yield surplus(ref, "tables_signon", row)
    # Until the person is signed on at this table again.
    after = [each for each in said if each.chain == chain and each.at >= sign_on.signed_on_at]
    off = next((each for each in after if each.event == "staff.signed_off"), None)
    expected = {"signed_off_at": off and Apart(off.at)}
    yield from differences(ref, "tables_signon", row, expected, {"signed_off_at": sign_on.signed_off_at})


def look_at_reliefs(after, upto, state):
    columns = ("pk", "table_id", "staff_id", "asked_by_id", "asked_at", "ended_at", "withdrawn_by_id")
    rows = {
        f"relief:{row['pk']}": row | {"table_id": f"table:{row['table_id']}"}
        for row in Relief.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*columns)
    }
    said = readings(rows)
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _relief(ref, row, said[ref])))


def _relief(ref, row, said):
    events = {each.event: each for each in said[::-1]}
    asked, over = events.get("relief.asked"), events.get("relief.over")
    if asked is None:
        yield surplus(ref, "tables_relief", "The relief")
        return
    expected = {
        "table_id": asked.chain,
        "staff_id": asked.facts["staff"],
        "asked_by_id": asked.facts["requester"],
        "asked_at": Apart(asked.at),
        "ended_at": over and Apart(over.at),
        "withdrawn_by_id": over and over.facts.get("requester"),
    }
    stands = {name: person(row[name]) for name in ("staff_id", "asked_by_id", "withdrawn_by_id")}
    yield from differences(ref, "tables_relief", "", expected, row | stands)


def look_at_terminals(after, upto, state):
    columns = ("pk", "table_id", "name", "enrolled_at", "revoked_at")
    rows = {
        f"terminal:{row['pk']}": row | {"table_id": f"table:{row['table_id']}"}
        for row in Terminal.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").values(*columns)
    }
    said, names = readings(rows), {ref: {} for ref in rows}
    for name in TerminalName.objects.filter(terminal__gt=after, terminal__lte=upto).order_by("pk"):
        # A name given to none of these terminals is reported as missing at its own.
        own = names.setdefault(terminal(name.terminal_id), {})
        own[len(own) + 1] = {"name": name.name, "named_at": name.named_at}
    return len(rows), list(one_by_one(rows.items(), lambda ref, row: _terminal(ref, row, names[ref], said[ref])))


def _terminal(ref, row, names, said):
    events = {each.event: each for each in said}
    enrolled, revoked = events.get("terminal.enrolled"), events.get("terminal.revoked")
    if enrolled is None:
        yield surplus(ref, "tables_terminal", "The terminal")
        return
    named = [each for each in said if each.event in {"terminal.enrolled", "terminal.renamed"}]
    wanted = {number: {"name": each.facts["name"], "named_at": Apart(each.at)} for number, each in enumerate(named, 1)}
    yield from matched(ref, "tables_terminalname", "Name", wanted, names, str)
    expected = {
        "table_id": enrolled.facts["table"],
        "name": named[-1].facts["name"],
        "enrolled_at": Apart(enrolled.at),
        "revoked_at": revoked and Apart(revoked.at),
    }
    yield from differences(ref, "tables_terminal", "", expected, row)


_GONE = {Posting: "posting:gone", OneTimeCode: "code:gone", SignOn: "sign_on:gone"}


def nobody_there(read):
    """Entries of postings and sign-ons that have no row."""
    for model, event, table, column in (
        (Posting, "staff.posted", "tables_posting", "posted_at"),
        (OneTimeCode, "staff.code_given", "tables_onetimecode", "given_at"),
        (SignOn, "staff.signed_on", "tables_signon", "signed_on_at"),
    ):
        entries = [each for each in read if each.event == event]
        if not entries:
            continue
        wanted = Q()
        for each in entries:
            of = Q(staff=int(each.subject.partition(":")[2]))
            wanted |= of & Q(**{f"{column}__range": (each.at - APART, each.at + APART)})
        there = list(model.objects.filter(wanted).values_list("staff_id", column))
        for each in entries:
            if not any(person(staff) == each.subject and abs(at - each.at) <= APART for staff, at in there):
                sentence = WORDING(_GONE[model], of=each.facts.get("role", each.chain))
                yield Difference(each.subject, table, sentence)
