"""Files of reports: asked for, made once, pruned by two; and the tokens by which other programs fetch them.

The log has the digests of each file, so a copy can be checked.
"""

import datetime as dt
import re
import secrets

from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from audit import checkpoints, log
from casino import settings_of_house
from casino.games.reading import shown

from ..models import ReportFile, ReportToken
from ..people import terminals
from . import grounds
from .wording import WORDING

SUBJECT = "reports"
STATUS = ReportFile.Status
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,19}\Z")


def ask(*, report, edition, period, first, last, form, by):
    """Ask for a file; return the one that exists, or is being made, if there is one.

    :param period: its text; `first` and `last` are its first and last gaming days.
    :param form: of `ReportFile.Form`.
    :param by: whoever asks; None if the casino has it made by itself.
    :raises Refused: `report_form_unknown` (422).
    """
    if form not in ReportFile.Form.values:
        raise WORDING.refused("report_form_unknown", form=shown(form), forms=", ".join(ReportFile.Form.values))
    what = {"report": report, "edition": edition, "period": period, "form": form}
    file, _ = ReportFile.objects.get_or_create(
        **what, status__in=[STATUS.ASKED, STATUS.DONE], defaults={"first": first, "last": last, "asked_by": by}
    )
    return file


def cancel(*, file_id):
    """Cancel a file; its worker stops at the next thousand rows.

    :raises Refused: `report_file_ended`.
    """
    file = ReportFile.objects.select_for_update(no_key=True).get(pk=file_id)
    if file.status != STATUS.ASKED:
        raise WORDING.refused("report_file_ended", file=file, status=file.get_status_display())
    file.status, file.ended_at = STATUS.CANCELLED, Now()
    file.save(update_fields=["status", "ended_at"])
    return file


def done(file, *, rows, digest, file_digest, size, grade):
    """Record that a file is made, in one transaction with its move to its place. Return whether it was still asked for.

    :param digest: the SHA-256 of the report's CSV, `file_digest` that of these bytes.
    """
    asked = ReportFile.objects.select_for_update(no_key=True).filter(pk=file.pk, status=STATUS.ASKED).first()
    if asked is None:
        return False
    made = {"rows_made": rows, "digest": digest, "file_digest": file_digest, "size": size}
    ReportFile.objects.filter(pk=file.pk).update(status=STATUS.DONE, ended_at=Now(), **made)
    newest = checkpoints.sealed()
    facts = {"what": file.report, "period": file.period, "grade": grade, "digest": digest}
    facts |= {"edition": file.edition if file.edition > 1 else None}
    facts |= {"checkpoint": newest and newest.size, "form": file.form, "file": file_digest}
    log.record("report.made", file.ref, chain=log.HOUSE, actor=log.Actor(file.asked_by), facts=facts)
    return True


def fail(file, failure):
    """Record why a file could not be made."""
    asked = ReportFile.objects.filter(pk=file.pk, status=STATUS.ASKED)
    asked.update(status=STATUS.FAILED, failure=failure[:500], ended_at=Now())


def old():
    """The files that were kept as long as the casino keeps them."""
    kept = dt.timedelta(days=settings_of_house.value("report_files_days"))
    return ReportFile.objects.filter(status=STATUS.DONE, ended_at__lt=Now() - kept)


def prune(*, actor):
    """Prune the files that were kept long enough, and return them. Each can be made again, with the same bytes, as long
    as the rows of its days exist.

    :param actor: `approved_by` is the second person.
    :raises Refused: `same_person` (422), `report_files_young`.
    """
    grounds.two_people(actor)
    files = list(old().select_for_update(no_key=True).order_by("pk"))
    if not files:
        raise WORDING.refused("report_files_young", days=settings_of_house.value("report_files_days"))
    pruned = {"pruned_by": actor.by, "pruned_with": actor.approved_by, "pruned_at": Now()}
    ReportFile.objects.filter(pk__in=[file.pk for file in files]).update(status=STATUS.PRUNED, **pruned)
    newest = log.spell_time(max(file.ended_at for file in files))
    facts = {"number": len(files), "newest": newest, **_two(actor)}
    log.record("report.pruned", SUBJECT, chain=log.HOUSE, actor=actor, facts=facts)
    return files


def give_token(*, name, actor):
    """Give a token with which another program fetches files of reports and nothing else; nobody can show it again.

    :returns: its row, and the token.
    :raises Refused: `same_person`, `report_token_name_wrong` (422), `report_token_taken`.
    """
    grounds.two_people(actor)
    if not _NAME.match(name):
        raise WORDING.refused("report_token_name_wrong")
    token = secrets.token_urlsafe(32)
    people = {"given_by": actor.by, "given_with": actor.approved_by}
    try:
        with transaction.atomic():
            row = ReportToken.objects.create(name=name, token_digest=terminals.digest_of(token), **people)
    except IntegrityError:
        raise WORDING.refused("report_token_taken", name=name) from None
    log.record("report_token.given", row.ref, chain=log.HOUSE, actor=actor, facts={"name": name, **_two(actor)})
    return row, token


def end_token(*, token_id, actor):
    """Take a token away for ever.

    :raises Refused: `same_person` (422), `report_token_ended`.
    """
    grounds.two_people(actor)
    row = ReportToken.objects.select_for_update(no_key=True).get(pk=token_id)
    if row.ended_at:
        raise WORDING.refused("report_token_ended", token=row)
    row.ended_by, row.ended_with, row.ended_at = actor.by, actor.approved_by, Now()
    row.save(update_fields=["ended_by", "ended_with", "ended_at"])
    log.record("report_token.ended", row.ref, chain=log.HOUSE, actor=actor, facts={"name": row.name, **_two(actor)})
    return row


def fetched(file, token):
    """Record that a program fetched a file."""
    facts = {"what": file.ref, "range": {"token": token.name}}
    log.record("records.read", "records", chain=log.HOUSE, actor=log.Actor(None), facts=facts)


def _two(actor):
    return {"requester": actor.by.ref, "approver": actor.approved_by.ref}
