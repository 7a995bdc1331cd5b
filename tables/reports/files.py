"""Reports as files: CSV, in flat memory, with their SHA-256."""

import errno
import hashlib
import tempfile
from typing import BinaryIO, NamedTuple

from casino.errors import Refused

from . import queries

# What is longer lies on the disk until it is sent.
IN_MEMORY = 2**20


class File(NamedTuple):
    """A report's bytes from their beginning, how many there are, and their SHA-256."""

    content: BinaryIO
    size: int
    digest: str


def csv(report, period):
    """The file of a report.

    :raises Refused: `report_no_room` (507) if the disk is full.
    """
    content, digest = tempfile.SpooledTemporaryFile(IN_MEMORY), hashlib.sha256()  # noqa: SIM115 - whoever sends it closes it

    def write(piece):
        content.write(piece)
        digest.update(piece)

    try:
        queries.file(report, period, write)
    except OSError as error:
        content.close()
        if error.errno not in {errno.ENOSPC, errno.EDQUOT}:
            raise
        raise Refused(
            "report_no_room",
            "The disk of the casino is full, so no file was made.",
            status=507,
            way_out="Tell whoever runs the casino's machine, then ask again.",
        ) from error
    size = content.tell()
    content.seek(0)
    return File(content, size, digest.hexdigest())
