"""Files of reports: each one that is given has its digest in the log, by which a copy is checked."""

from audit import checkpoints, log

SUBJECT = "reports"


def give(*, report, period, grade, digest, actor):
    """Record that the file of a report was given; called last before it is sent, in one transaction with its making.

    :param report: its name; `period` is its text, `digest` the SHA-256 of the CSV.
    """
    newest = checkpoints.sealed()
    facts = {"what": report, "period": period, "grade": grade, "digest": digest, "checkpoint": newest and newest.size}
    log.record("report.made", SUBJECT, chain=log.HOUSE, actor=actor, facts=facts)
