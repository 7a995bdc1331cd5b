"""Programs that fetch files of reports with a token, and may do nothing else. We keep only the token's SHA-256."""

from rest_framework.authentication import BaseAuthentication

from casino.roles import Right

from ..models import ReportToken
from . import terminals
from .wording import WORDING


class Fetcher:
    """A program that showed a token, and nobody who works here. It reads reports."""

    is_authenticated, is_active, pk, by_token = True, True, None, True

    def __init__(self, token):
        self.token = token

    def has_perm(self, right, place=None):
        return right == Right.READ_REPORTS


class Authentication(BaseAuthentication):
    """`Authorization: Reports <token>`, at the addresses that name it."""

    def authenticate(self, request):
        fetcher = of(request)
        return fetcher and (fetcher, fetcher.token)

    def authenticate_header(self, request):
        return "Session"


def of(request):
    """The program that a request comes from; None if it shows no token of reports.

    :raises Refused: `token_unknown` (401) if the token is nobody's.
    """
    kind, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if kind.lower() != "reports":
        return None
    row = ReportToken.objects.filter(token_digest=terminals.digest_of(token.strip()), ended_at=None).first()
    if row is None:
        raise WORDING.refused("token_unknown:reports")
    return Fetcher(row)
