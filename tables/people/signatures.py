"""Signatures: a second person's login and password in a command of the first, checked before its transaction.

Nobody is logged in by it. It is checked only where the command has its key: what can never be carried out tries no
password. A wrong one is counted at this terminal like a wrong login, which a rolled back transaction would forget. The
password stays out of all that is stored: see `idempotency.without_secrets`.
"""

import contextlib

from django.contrib.auth import authenticate
from django.views.decorators.debug import sensitive_variables

from casino.errors import Refused
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import Table
from . import lockout


def signed(request, signature, *, table, right, keyed=True):
    """The person who signed; it may be the one who asks.

    :param signature: {"login": ..., "password": ...}.
    :param table: where they sign; None for what concerns the whole house.
    :param right: what signing takes, or several rights of which one is enough.
    :param keyed: whether the command has an Idempotency-Key; one does not whose answer may not be kept.
    :raises Refused: `key_missing` (400), `signature_wrong` (403), `locked` (429); `signature_without_right` (403), if
        the person lacks the right there.
    """
    if keyed:
        rest.key(request)
    person = _authenticated(request, _read(signature))
    rights = (right,) if isinstance(right, Right) else right
    if not any(person.has_perm(each, table) for each in rights):
        raise _without_right(table, rights[0])
    return person


def second(request, signature, *, table):
    """The second of two people, one of whom rules at the table, and the right by which the second one signs.

    :raises Refused: as `signed`, and `same_person` (422).
    """
    rest.key(request)
    person = _authenticated(request, _read(signature))
    if person.pk == request.user.pk:
        raise Refused(
            "same_person",
            "One person signs twice.",
            status=422,
            path="signature",
            way_out="A second person signs.",
        )
    if request.user.has_perm(Right.RULE, table):
        right, enough = Right.COUNTERSIGN, True
    else:
        right, enough = Right.RULE, request.user.has_perm(Right.COUNTERSIGN, table)
    if not (enough and person.has_perm(right, table)):
        raise _without_right(table)
    return person, right


def own(request, password):
    """The person who asks, if that is their password; a wrong one is counted like a wrong login.

    :raises Refused: `password_wrong` (403), `locked` (429).
    """
    wrong = Refused(
        "password_wrong",
        "That is not your password.",
        status=403,
        path="old",
        way_out="Enter the one that you log in with.",
    )
    with _refused_as(wrong):
        return _authenticated(request, _read({"login": request.user.login, "password": password}))


@sensitive_variables()
def by_code(request, login, code):
    """The person with this login, if that is their one-time code; a wrong one is counted like a wrong login.

    :raises Refused: `code_wrong` (403), `locked` (429).
    """
    wrong = Refused(
        "code_wrong",
        "Login or code is wrong, or the code is over.",
        status=403,
        path="code",
        way_out="Enter both again, or ask an administrator for a new code.",
    )
    with _refused_as(wrong), _as_flagged(request, "by_code"):
        return _authenticated(request, _read({"login": login, "password": code}))


@sensitive_variables()
def by_second_step(request, person, proof):
    """Whether a person who gave the right password proves their second step; what is wrong is counted, and locks out.

    :param proof: see `credentials.prover`.
    :raises Refused: `second_step_wrong` (403), `locked` (429).
    """
    wrong = Refused(
        "second_step_wrong",
        "That is not right, or it was used before.",
        status=403,
        path="code",
        way_out="Enter the newest code of your app, a recovery code that you did not use, or use your passkey.",
    )
    with _refused_as(wrong), _as_flagged(request, "second_step"):
        _authenticated(request, {"login": person.login, "password": proof})


@contextlib.contextmanager
def _as_flagged(request, flag):
    """For one proof the request says what it is (`access.StaffBackend`); the next one is a password again."""
    setattr(request, flag, True)
    try:
        yield
    finally:
        setattr(request, flag, False)


@contextlib.contextmanager
def _refused_as(wrong):
    """What is no signature is refused in the words of what was asked for, every other refusal at its place."""
    try:
        yield
    except Refused as refused:
        refused.path = wrong.path
        raise (wrong if refused.code == "signature_wrong" else refused) from None


def still_signed(person, right, table_id=None):
    """Ask again whether the person who signed holds the right, once the table is locked: see `access.still`.

    :raises Refused: `signature_without_right` (403) if not.
    """
    person, table = Staff.objects.get(pk=person.pk), table_id and Table.objects.get(pk=table_id)
    if not person.has_perm(right, table):
        raise _without_right(table, right)


@sensitive_variables()
def _authenticated(request, signature):
    login, password = signature["login"], signature["password"]
    try:
        # Not behind those who log in.
        with _as_flagged(request, "signs"):
            person = authenticate(request, username=lockout.plain(login), password=password)
    except Refused as refusal:
        refusal.path = "signature"
        raise
    # Else axes would put its own answer in the place of ours.
    is_locked, request.axes_locked_out = getattr(request, "axes_locked_out", False), False
    if is_locked:
        refusal = lockout.refusal(request)
        refusal.path = "signature"
        raise refusal
    if person is None:
        raise Refused(
            "signature_wrong",
            "The login or the password of the second person is wrong.",
            status=403,
            path="signature",
            way_out="The second person enters both again.",
        )
    lockout.forget(request, login)
    return person


@sensitive_variables()
def _read(signature):
    """A signature, if it is the two texts that it should be."""
    if not isinstance(signature, dict):
        raise _missing("signature", "Send the second person's login and password.")
    for name in signature:
        if name not in {"login", "password"}:
            raise Refused(
                "field_unknown",
                f"There is no field {name!r} here.",
                status=422,
                path=f"signature.{name}",
                way_out="Leave it out.",
            )
    for name in ("login", "password"):
        value = signature.get(name)
        if value is None:
            raise _missing(f"signature.{name}", "Send it.")
        if not isinstance(value, str) or any("\ud800" <= character <= "\udfff" for character in value):
            path = f"signature.{name}"
            raise Refused("field_wrong", f"{path} is not a text.", status=422, path=path, way_out="Send a text.")
    return signature


def _missing(path, way_out):
    return Refused("field_missing", f"{path} is missing.", status=422, path=path, way_out=way_out)


# Who signs what concerns the whole house.
_IN_HOUSE = {
    Right.APPROVE_SETTING: "Another pit boss or an administrator signs.",
    Right.APPROVE_IN_FORCE: "Another pit boss or an administrator signs.",
    Right.APPROVE_STAFF: "A pit boss or another administrator signs.",
    Right.WITNESS: "A pit boss or another cashier signs.",
    Right.COUNT_CAGE: "The count team, a pit boss or another cashier signs.",
    Right.SIGN_DAY: "The cage or another pit boss signs.",
    Right.COUNT_TIPS: "Somebody of the count team signs.",
}

# Who signs at a table, of what is no decision on a round.
_AT_TABLE = {
    Right.COUNT: "A croupier of the pit, a pit boss or the cage counts, and signs for the count.",
    Right.HAND_CHIPS: "The croupier who is signed on at the table counts.",
    Right.CASHIER: "The cage counts.",
    Right.SUPERVISE: "A pit boss signs.",
    Right.WITNESS: "A pit boss or the cage signs.",
    Right.APPROVE_CASE: "A pit boss or the cage signs, who had no part in what the case is about.",
    Right.WITNESS_DROP_BOX: "A croupier of the pit, a pit boss or the cage signs.",
    Right.COUNT_DROP: "Somebody of the count team signs.",
}
_OF_A_ROUND = "A pit boss of this pit signs; for two people one of them is that, the other works at the table."


def _without_right(table, right=None):
    if table is None:
        return Refused(
            "signature_without_right",
            "Who signed may not sign this.",
            status=403,
            path="signature",
            way_out=_IN_HOUSE[right],
        )
    return Refused(
        "signature_without_right",
        "Who signed may not sign this at this table.",
        status=403,
        path="signature",
        way_out=_AT_TABLE.get(right, _OF_A_ROUND),
    )
