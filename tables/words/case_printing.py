"""The file of a case of whatever kind, printed, and its course for a page."""

from typing import NamedTuple

from django.db import connection, transaction

from ..models import Case
from . import printing
from .case_disputes import OfDispute
from .case_investigations import OfInvestigation
from .case_variances import OfClosing, OfDrop
from .case_voids import OfVoid

FILES = {
    Case.Kind.VARIANCE: OfClosing,
    Case.Kind.DROP_VARIANCE: OfDrop,
    Case.Kind.DISPUTE: OfDispute,
    Case.Kind.VOID: OfVoid,
    Case.Kind.INVESTIGATION: OfInvestigation,
}


class Printed(NamedTuple):
    """A file as bytes, and the size of the log that it shows proofs for; None if none of its entries is sealed."""

    content: bytes
    size: int | None


def of(case):
    """The file of a case, to be printed."""
    return FILES[case.kind](case)


def course(case, reader):
    """The course of a case as its file has it, for one reader: rows in order of time, `day` on the first of a day."""
    rows, last = [], ""
    for at, who, what in FILES[case.kind](case, reader).course():
        day = reader.day(at)
        rows.append(
            {
                "day": "" if day == last else day,
                "at": at.isoformat(),
                "clock": reader.clock(at),
                "who": who,
                "what": what,
            }
        )
        last = day
    return rows


def printed(case_id):
    """The file of a case as PDF, outside a transaction. Everything in it is of one moment: it is read in one snapshot,
    and what is written meanwhile comes into the next file."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        file = of(Case.objects.select_related("table__pit", "owner", "decided_by", "approved_by").get(pk=case_id))
        document = file.document()
    return Printed(printing.pdf(document, file.at), file.checkpoint and file.checkpoint.size)
