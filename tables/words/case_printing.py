"""The file of a case of whatever kind, printed."""

from typing import NamedTuple

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
    """A file as bytes, and the size of the log that it shows proofs for; None where none of its entries is sealed."""

    content: bytes
    size: int | None


def of(case):
    """The file of a case, to be printed."""
    return FILES[case.kind](case)


def printed(case):
    """The file of a case as PDF."""
    file = of(case)
    return Printed(printing.pdf(file.document(), file.at), file.checkpoint and file.checkpoint.size)
