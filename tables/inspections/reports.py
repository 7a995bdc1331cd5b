"""Files of reports and their tokens inspected, against the entries of their making, their pruning and their people."""

from audit.comparing import APART, Apart, differences, one_by_one, readings, surplus

from ..models import ReportFile, ReportToken
from .rounds import person

_MADE = {ReportFile.Status.DONE, ReportFile.Status.PRUNED}


def look_at_files(after, upto, state):
    files = list(ReportFile.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk"))
    said = readings({"reports", *(file.ref for file in files)})
    pairs = [(file.ref, file) for file in files]
    return len(files), list(one_by_one(pairs, lambda ref, file: _file(ref, file, said[ref], said["reports"])))


def _file(ref, file, said, of_all):
    made = next((each for each in said if each.event == "report.made"), None)
    if made is None:
        # A file that is not made yet, failed or was cancelled has no entry.
        if file.status in _MADE:
            yield surplus(ref, "tables_reportfile", "The file of a report")
        return
    facts = made.facts
    expected = {
        "report": facts["what"],
        "edition": facts.get("edition", 1),
        "period": facts["period"],
        "form": facts["form"],
        "digest": facts["digest"],
        "file_digest": facts["file"],
        "ended_at": Apart(made.at),
        "asked_by_id": None if made.by == "system" else made.by,
    }
    over = _pruned(file, of_all)
    expected |= {
        "status": ReportFile.Status.PRUNED if over else ReportFile.Status.DONE,
        "pruned_at": over and Apart(over.at),
        "pruned_by_id": over and over.facts["requester"],
        "pruned_with_id": over and over.facts["approver"],
    }
    stands = {name: getattr(file, name) for name in expected}
    stands |= {name: person(stands[name]) for name in ("asked_by_id", "pruned_by_id", "pruned_with_id")}
    yield from differences(ref, "tables_reportfile", "", expected, stands)


def _pruned(file, said):
    """The entry of the pruning that gave the file up: it says until when the pruned files were made."""
    near = [each for each in said if each.event == "report.pruned" and file.pruned_at is not None]
    return min(
        (each for each in near if abs(each.at - file.pruned_at) <= APART),
        key=lambda each: abs(each.at - file.pruned_at),
        default=None,
    )


def look_at_tokens(after, upto, state):
    # The digest is a secret, which no reader of the log may read.
    tokens = list(ReportToken.objects.filter(pk__gt=after, pk__lte=upto).order_by("pk").defer("token_digest"))
    said = readings(token.ref for token in tokens)
    pairs = [(token.ref, token) for token in tokens]
    return len(tokens), list(one_by_one(pairs, lambda ref, token: _token(ref, token, said[ref])))


def _token(ref, token, said):
    events = {each.event: each for each in said}
    given, over = events.get("report_token.given"), events.get("report_token.ended")
    if given is None:
        yield surplus(ref, "tables_reporttoken", "The token")
        return
    expected = {
        "name": given.facts["name"],
        "given_by_id": given.facts["requester"],
        "given_with_id": given.facts["approver"],
        "given_at": Apart(given.at),
        "ended_by_id": over and over.facts["requester"],
        "ended_with_id": over and over.facts["approver"],
        "ended_at": over and Apart(over.at),
    }
    stands = {name: getattr(token, name) for name in expected}
    people = ("given_by_id", "given_with_id", "ended_by_id", "ended_with_id")
    yield from differences(
        ref, "tables_reporttoken", "", expected, stands | {name: person(stands[name]) for name in people}
    )
