"""REST for signing by passkey: what a browser needs to have a person sign a command."""

from rest_framework.response import Response
from rest_framework.views import APIView

from casino.models import Staff
from casino.roles import Right

from ..models import Credential
from ..people import credentials, lockout, passkeys, signatures
from . import schema


class Passkeys(APIView):
    """What a browser needs to have a person sign a command by passkey.

    The passkeys of the person with this `login` for this host, by their handles, and which fields of a command to a
    `path` are signed as hashes behind a salt. A login that nobody has reads like one without passkeys.
    """

    rights = {"GET": Right.ASK_SIGNATURE}
    query = {"login": "Whose passkeys.", "path": "The path of the command to be signed."}
    shapes = schema.SHAPES
    gives = {"GET": (200, "Passkeys")}

    def get(self, request):
        site = passkeys.site(request)
        person = Staff.objects.filter(login=lockout.plain(request.GET.get("login", "")), is_active=True).first()
        there = [] if person is None or site is None else credentials.of(person).filter(kind=Credential.Kind.PASSKEY)
        return Response(
            {
                "host": site and site.host,
                "handles": [each.handle for each in there if each.host == site.host],
                "requester": request.user.ref,
                "texts": sorted(signatures.texts(request.GET.get("path", ""))),
            }
        )
