"""Text in the log that is not an entry, or does not follow the one before it: an owner put it there past the guards.

Sealing stops before it. An auditor may pass it over, which is an entry of the log. That erases nothing: the text is
sealed as it is and shown as bad, and each verification names it.
"""

from django.db import transaction

from . import form, log, sealer
from .models import FIRST_PREV, Chain, Entry
from .wording import WORDING

EVENT = "entry.passed_over"
# The beginning of a reason for which sealing stops at an entry.
SENTENCE = "Entry "
NO_SUCCESSOR = "does not follow the one before it"


def sentence(chain, seq, fault):
    """Why nothing is sealed, and the way out."""
    return (
        f"{SENTENCE}{seq} of {chain} {fault}: somebody put it there past the guards, or changed what stood there."
        " Nothing is sealed until that is looked into. Then an auditor lets sealing pass it over, as the log records,"
        f" with `manage.py seal --pass-over {chain}/{seq} --by LOGIN`."
    )


def is_passed_over(chain, seq, body):
    """Whether an auditor has passed over this very text as bad."""
    said = Entry.objects.filter(chain=log.HOUSE, event=EVENT, subject=_subject(chain, seq))
    return form.digest(body) in {form.facts(text).get("digest") for text in said.values_list("body", flat=True)}


def passed_over():
    """The places that auditors passed over, (chain, seq), with the numbers of the house's entries that say so."""
    places = {}
    for subject, said in Entry.objects.filter(chain=log.HOUSE, event=EVENT).values_list("subject", "seq"):
        chain, _, seq = subject.removeprefix("entry:").rpartition(":")
        if _is_number(seq):
            places.setdefault((chain, int(seq)), []).append(said)
    return places


@sealer.connected()
@transaction.atomic
def pass_over(*, place, by):
    """Let sealing go on over a bad entry, which stays where it is; return what is wrong with it.

    :param place: its chain and number: `table:7/12`.
    :raises Refused: if nothing is wrong there, or it was passed over before.
    """
    chain, _, number = place.rpartition("/")
    entry = Entry.objects.filter(chain=chain, seq=int(number)).first() if _is_number(number) else None
    if entry is None:
        raise WORDING.refused("bad_entry_unknown", place=place)
    # The head is locked, so that nobody else passes it over meanwhile.
    Chain.objects.select_for_update(no_key=True).get(key=log.HOUSE)
    fault = form.fault(entry.body) or _loose(entry)
    if not fault:
        raise WORDING.refused("bad_entry_none", place=place)
    if is_passed_over(chain, entry.seq, entry.body):
        raise WORDING.refused("bad_entry_passed_over", place=place)
    log.record(
        EVENT,
        _subject(chain, entry.seq),
        chain=log.HOUSE,
        actor=log.Actor(by),
        facts={"what": place, "digest": form.digest(entry.body), "fault": fault},
    )
    return fault


def _subject(chain, seq):
    return f"entry:{chain}:{seq}"


def _loose(entry):
    """What is wrong between an entry in the one form and its place; empty if nothing is."""
    body = form.read(entry.body)
    before = Entry.objects.filter(chain=entry.chain_id, seq=entry.seq - 1).values_list("body", flat=True).first()
    prev = FIRST_PREV if entry.seq == 1 else before and form.digest(before)
    return "" if (body["chain"], body["seq"], body["prev"]) == (entry.chain_id, entry.seq, prev) else NO_SUCCESSOR


def _is_number(text):
    return text.isascii() and text.isdigit() and len(text) < 19
