"""The one shape of a refusal, from the domain to every door."""

from typing import Any


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an error
    """A command that is refused: the fact, where, the clause it breaks, and the way out. Nothing was written.

    `status` is the HTTP status a door answers with: 409 wrong moment or stale version, 422 wrong content.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int = 409,
        clause: str | None = None,
        path: str = "",
        way_out: str = "",
        detail: Any = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.status = status
        self.clause = clause
        self.path = path
        self.way_out = way_out
        self.detail = detail or {}

    def shape(self) -> dict[str, Any]:
        """The error as every door shows it."""
        return {
            "code": self.code,
            "message": self.message,
            "clause": self.clause,
            "path": self.path,
            "way_out": self.way_out,
            "detail": self.detail,
        }


def key_reused() -> Refused:
    """The refusal of a command whose Idempotency-Key another command had before."""
    return Refused(
        "key_reused",
        "This Idempotency-Key was used for another command.",
        status=422,
        path="Idempotency-Key",
        way_out="Use a new key for a new command.",
    )
