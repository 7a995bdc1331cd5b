"""Signatures: a second person signs a command of the first, by passkey or by password, before its transaction.

It logs nobody in. It is checked only if the command has its key, so that no password is tried for what can never be
carried out. A wrong one counts at this terminal like a wrong login, before the transaction, which might forget it. The
password stays out of all that is stored: see `idempotency.without_secrets`.

What is signed is the command: its method, path and body, each free text as the SHA-256 behind a salt, its key, and who
asks, so that nobody else can bring it as signed for them. It is spelled as canonical JSON, and its SHA-256 is the
challenge of the passkey. The log has all of it in `signature.given`, right before its effect (`audit.log.Signature`),
so that whoever has an export can check it at home.
"""

import contextlib
import hashlib
import re
import secrets
import unicodedata

from django.contrib.auth import authenticate
from django.views.decorators.debug import sensitive_variables

from audit import log
from audit.form import canonical
from casino import settings_of_house
from casino.errors import Refused
from casino.games.reading import shown
from casino.models import Staff
from casino.roles import Right
from casino.web import rest

from ..models import Credential, Table
from . import lockout, passkeys
from .wording import WORDING

TEXTS = frozenset({"question", "reason", "word"})
"""The free texts of commands, by the names of their fields."""
_OF_A_PERSON, _OF_PEOPLE = frozenset({"login", "name"}), re.compile(r"(/api/v1)?/staff/\Z")
_SALT = re.compile("[0-9a-f]{32}")
SETTING = "signature_by_password"
"""The setting by which a house takes signatures by password: 1 if it does."""


def texts(path):
    """The fields whose text is hashed in a command to this path."""
    return TEXTS | _OF_A_PERSON if _OF_PEOPLE.match(path) else TEXTS


def signed(request, signature, *, table, right, keyed=True, body=None, key=None):
    """The person who signed; it may be the one who asks. What the request carries out then goes with their signature.

    :param signature: {"login": ..., "password": ...} or {"login": ..., "passkey": ..., "salts": {...}}: what a browser
        brought for the command, as JSON, and the salt of each free text.
    :param table: where they sign; None if it concerns the whole house.
    :param right: the right that signing takes, or several, one of which is enough.
    :param keyed: whether the command must have an Idempotency-Key; one whose answer may not be kept need not.
    :param body: the command's fields, if it is not JSON; `key` is then the key that a browser signed it with.
    :raises Refused: `key_missing` (400), `signature_wrong` (403), `signature_by_passkey` (403) if the house takes no
        password, `locked` (429); `signature_without_right` (403), if the person lacks the right there.
    """
    if keyed:
        rest.key(request)
    signature = _read(signature)
    if "passkey" in signature and not rest.is_key(key or request.headers.get("Idempotency-Key", "")):
        raise WORDING.refused("field_missing:key")
    person = _signer(request, signature, body, key)
    rights = (right,) if isinstance(right, Right) else right
    if not any(person.has_perm(each, table) for each in rights):
        raise _without_right(person, table, rights[0])
    return person


def second(request, signature, *, table):
    """The second of two people, one of whom rules at the table, and the right by which the second one signs.

    :raises Refused: as `signed`, and `same_person` (422).
    """
    rest.key(request)
    person = _signer(request, _read(signature))
    if person.pk == request.user.pk:
        raise WORDING.refused("same_person")
    if request.user.has_perm(Right.RULE, table):
        right, enough = Right.COUNTERSIGN, True
    else:
        right, enough = Right.RULE, request.user.has_perm(Right.COUNTERSIGN, table)
    if not (enough and person.has_perm(right, table)):
        raise _without_right(person, table, right)
    return person, right


def own(request, password):
    """The person who asks, if that is their password; a wrong one is counted like a wrong login.

    :raises Refused: `password_wrong` (403), `locked` (429).
    """
    wrong = WORDING.refused("password_wrong")
    with _refused_as(wrong):
        return _authenticated(request, request.user.login, password)


@sensitive_variables()
def by_code(request, login, code):
    """The person with this login, if that is their one-time code; a wrong one is counted like a wrong login.

    :raises Refused: `code_wrong` (403), `locked` (429).
    """
    wrong = WORDING.refused("code_wrong")
    with _refused_as(wrong), _as_flagged(request, "by_code"):
        return _authenticated(request, login, code)


@sensitive_variables()
def by_second_step(request, person, proof):
    """Whether a person who gave the right password proves their second step; wrong proofs are counted, and lock out.

    :param proof: see `credentials.prover`.
    :raises Refused: `second_step_wrong` (403), `locked` (429).
    """
    wrong = WORDING.refused("second_step_wrong")
    with _refused_as(wrong):
        _proved(request, person.login, proof)


@contextlib.contextmanager
def _as_flagged(request, flag):
    """Mark the request for one proof (`access.StaffBackend`), so that the next one is a password again."""
    setattr(request, flag, True)
    try:
        yield
    finally:
        setattr(request, flag, False)


@contextlib.contextmanager
def _refused_as(wrong):
    """Word the refusal of a wrong signature by what was asked for; leave every other refusal as it is."""
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
        raise _without_right(person, table, right)


@sensitive_variables()
def _signer(request, signature, body=None, key=None):
    """The person who signed the command of a request, which from then on carries their signature."""
    command, salts = _command(request, body, key, signature["salts"])
    more = {}
    if "passkey" in signature:
        site, proof = passkeys.site(request), signature["passkey"]
        challenge = hashlib.sha256(canonical(command).encode()).digest()
        with _refused_as(_no_passkey()):
            person = _proved(request, signature["login"], (site, passkeys.encoded(challenge), proof))
        credential = Credential.objects.get(handle=passkeys.handle_of(proof))
        more = {"credential": credential.ref, "public_key": credential.public_key, **passkeys.parts(proof)}
    elif settings_of_house.value(SETTING):
        person = _authenticated(request, signature["login"], signature["password"])
    else:
        raise WORDING.refused("signature_by_passkey")
    facts = {
        "verb": verb(command["path"]),
        "command": command,
        "key": command["key"],
        "requester": request.user.ref,
        "signer": person.ref,
        "method": "passkey" if more else "password",
        **more,
    }
    request.signature = log.Signature(person.ref, facts, salts)
    return person


def asks_passkey(request):
    """Demand a passkey, for instance to end signatures by password: else nobody might be able to sign any more.

    :raises Refused: `signature_by_passkey` (403) if the request was signed by password.
    """
    if request.signature.facts["method"] != "passkey":
        raise WORDING.refused("signature_by_passkey:end")


def _no_passkey():
    return WORDING.refused("signature_wrong:passkey")


def verb(path):
    """What a command does, from the words of its path.

    >>> verb("/api/v1/rounds/81/void/")
    'rounds.void'
    """
    words = path.removeprefix("/api/v1").strip("/").split("/")
    return ".".join(word for word in words if not word.isdigit())


def _command(request, body, key, salts):
    """The command as it is signed, and the salt of each of its free texts."""
    body = rest.unjudged(request)[0] if body is None else body
    key = request.headers["Idempotency-Key"] if rest.has_key(request) else key or secrets.token_hex(16)
    fields, kept = {name: value for name, value in body.items() if name != "signature"}, {}
    for name in texts(request.path) & fields.keys():
        text = fields[name]
        if not isinstance(text, str) or not text:
            continue
        if not _is_text(text):
            raise _unsignable()
        salt = secrets.token_hex(16) if salts is None else salts.get(name)
        if salt is None:
            raise WORDING.refused("field_missing:salt", path=f"signature.salts.{name}", field=name)
        fields[name] = {"sha256": hashlib.sha256((salt + text).encode()).hexdigest()}
        kept[unicodedata.normalize("NFC", " ".join(text.split()))] = salt
    command = {"method": request.method, "path": request.path, "body": fields, "key": key}
    command["requester"] = request.user.ref
    try:
        canonical(command)
    except ValueError:
        raise _unsignable() from None
    return command, kept


def _unsignable():
    return WORDING.refused("field_wrong:unsignable")


@sensitive_variables()
def _proved(request, login, proof):
    """The person with this login, if the proof is a second step of theirs: see `credentials.prover`."""
    with _as_flagged(request, "second_step"):
        return _authenticated(request, login, proof)


@sensitive_variables()
def _authenticated(request, login, password):
    try:
        # Not queued behind logins.
        with _as_flagged(request, "signs"):
            person = authenticate(request, username=lockout.plain(login), password=password)
    except Refused as refusal:
        refusal.path = "signature"
        raise
    # Else axes would replace our answer with its own.
    is_locked, request.axes_locked_out = getattr(request, "axes_locked_out", False), False
    if is_locked:
        refusal = lockout.refusal(request)
        refusal.path = "signature"
        raise refusal
    if person is None:
        raise WORDING.refused("signature_wrong")
    lockout.forget(request, login)
    return person


@sensitive_variables()
def _read(signature):
    """A signature, if it consists of the texts that it should."""
    if not isinstance(signature, dict):
        raise WORDING.refused("field_missing:signature")
    by = "passkey" if "passkey" in signature else "password"
    for name in signature:
        if name not in {"login", by} and (name, by) != ("salts", "passkey"):
            raise WORDING.refused("field_unknown", path=f"signature.{name}", field=shown(name))
    for name in ("login", by):
        value = signature.get(name)
        if value is None:
            raise WORDING.refused("field_missing", path=f"signature.{name}", field=name)
        if not _is_text(value):
            raise WORDING.refused("field_wrong:text", path=f"signature.{name}", field=name)
    salts = signature.get("salts") if by == "password" else signature.get("salts") or {}
    if salts is not None and not (
        isinstance(salts, dict) and all(_is_text(salt) and _SALT.fullmatch(salt) for salt in salts.values())
    ):
        raise WORDING.refused("field_wrong:salts")
    return {"login": signature["login"], by: signature[by], "salts": salts}


def _is_text(value):
    return isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)


# Who signs what concerns the whole house.
_IN_HOUSE = {
    Right.APPROVE_SETTING: "in_house:approve_setting",
    Right.APPROVE_IN_FORCE: "in_house:approve_setting",
    Right.APPROVE_REPORTS: "in_house:approve_reports",
    Right.APPROVE_STAFF: "in_house:approve_reports",
    Right.WITNESS: "in_house:witness",
    Right.COUNT_CAGE: "in_house:count_cage",
    Right.SIGN_DAY: "in_house:sign_day",
    Right.COUNT_TIPS: "at_table:count_drop",
}

# Who signs at a table.
_AT_TABLE = {
    Right.RULE: "at_table:rule",
    Right.COUNTERSIGN: "at_table:countersign",
    Right.COUNT: "at_table:count",
    Right.HAND_CHIPS: "at_table:hand_chips",
    Right.CASHIER: "at_table:cashier",
    Right.SUPERVISE: "at_table:supervise",
    Right.WITNESS: "at_table:witness",
    Right.APPROVE_CASE: "at_table:approve_case",
    Right.WITNESS_DROP_BOX: "at_table:witness_drop_box",
    Right.COUNT_DROP: "at_table:count_drop",
}


def _without_right(person, table, right):
    if table is None:
        return WORDING.refused("signature_without_right", login=person.login, way_out=WORDING(_IN_HOUSE[right]))
    way_out = WORDING(_AT_TABLE[right] if right in _AT_TABLE else _IN_HOUSE[right])
    return WORDING.refused("signature_without_right:table", login=person.login, way_out=way_out)
