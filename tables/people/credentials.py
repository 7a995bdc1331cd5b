"""The second step of a login, after the password: a passkey, a code of an authenticator app, or a recovery code.

Whoever has one proves it at each login. If the setting SECOND_STEP is on, pit bosses, cage, auditors and administrators
must have one (`roles.SECOND_STEP`). People add and end their own; whoever lost theirs gets a one-time code from two
others.
"""

import base64
import secrets
import time

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.hotp import HOTP
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.views.decorators.debug import sensitive_variables

from audit import log
from casino import roles
from casino.models import Staff

from ..models import Credential, RecoveryCode
from . import codes, footing, passkeys
from .wording import WORDING

RECOVERY_CODES = 10
# 24 characters out of 31 make 118 bits: nobody guesses those from a plain hash, however long it is kept.
_GROUPS = 6
MOST = 10
"""So many credentials a person may have at once."""
# What authenticator apps take for granted (RFC 6238): SHA-1, six digits, half a minute. SHA-1 makes them no weaker.
_DIGITS, _SECONDS, _BYTES = 6, 30, 20


def has_to(person):
    """Whether a person's postings let them log in only with a second step."""
    return settings.SECOND_STEP and any(role in roles.SECOND_STEP for role, _ in footing.of(person).postings)


def of(person):
    """A person's credentials that count, in the order in which they were added."""
    return Credential.objects.standing().filter(staff=person).defer("secret").order_by("pk")


def codes_left(person):
    """How many recovery codes a person has left."""
    return RecoveryCode.objects.filter(staff=person, ended_at=None).count()


# Adding and ending them.


def new_secret():
    """A secret for an app, as base32."""
    return base64.b32encode(secrets.token_bytes(_BYTES)).decode()


def address_of(secret, person):
    """What the QR code for an app says (otpauth://)."""
    return _totp(secret).get_provisioning_uri(person.login, "Casino")


def add_app(*, staff, name, secret, code, first=False, actor):
    """Add an app, whose first code shows that it has the secret.

    :param first: refuse it (`key_there`) if the person has one already: their password alone brought them here.
    :returns: the credential, and new recovery codes if it is the person's first.
    :raises Refused: `code_wrong`, `name_wrong` (422); `too_many_keys`.
    """
    step = _step(secret, code, after=0)
    if step is None:
        raise WORDING.refused("code_wrong:app")
    return _add(staff, actor, first, kind=Credential.Kind.APP, name=name, secret=secret, counter=step)


def add_passkey(*, staff, name, key, site, first=False, actor):
    """Add a passkey; `key` is the result of `passkeys.made`, None if the passkey was not right.

    :returns: as `add_app`.
    :raises Refused: `passkey_wrong`, `name_wrong` (422); `passkey_taken`, `too_many_keys`.
    """
    if key is None:
        raise WORDING.refused("passkey_wrong")
    # A key proves who signed, so it belongs to one person, under whatever handle a device brings it.
    of_another = Q(public_key=key.public_key) & ~Q(staff=staff)
    if Credential.objects.filter(Q(handle=key.handle) | of_another).exists():
        raise WORDING.refused("passkey_taken")
    return _add(staff, actor, first, kind=Credential.Kind.PASSKEY, name=name, host=site.host, **key._asdict())


def _add(staff, actor, first, *, name, **columns):
    name = name.strip()
    if not 1 <= len(name) <= 40 or not name.isprintable():
        raise WORDING.refused("name_wrong")
    # If two come at once, one waits: the recovery codes are made once.
    person = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk, is_active=True)
    standing = of(person).count()
    if standing and first:
        raise WORDING.refused("key_there")
    if standing >= MOST:
        raise WORDING.refused("too_many_keys", most=MOST)
    added = Credential.objects.create(staff=person, name=name, **columns)
    facts = {"staff": person.ref, "kind": added.kind, "public_key": added.public_key, "host": added.host}
    log.record("credential.added", added.ref, chain=log.HOUSE, actor=actor, facts=facts)
    return added, [] if standing else _make_codes(person, actor)


def remove(*, staff, number, actor):
    """End one of one's own credentials; the recovery codes end with the last one.

    :raises Refused: `key_over` if it is not theirs; `last_key` if they must have one.
    """
    person = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    credential = of(person).filter(pk=number).first()
    if credential is None:
        raise WORDING.refused("key_over")
    last = of(person).count() == 1
    if last and has_to(person):
        raise WORDING.refused("last_key")
    _end(credential, by=person, second=None, actor=actor)
    if last:
        _end_codes(person, actor)


def end_all(staff, actor):
    """End all credentials of a person who leaves or lost them, and whose row is locked. Two others do that.

    :returns: how many credentials there were.
    """
    standing = list(of(staff))
    for credential in standing:
        _end(credential, by=actor.by, second=actor.approved_by, actor=actor)
    if standing:
        _end_codes(staff, actor)
    return len(standing)


def _two(actor):
    return {"requester": actor.ref, "approver": actor.approver} if actor.approved_by else {}


def _end(credential, *, by, second, actor):
    columns = {"ended_at": Now(), "ended_by": by, "ended_with": second}
    Credential.objects.filter(pk=credential.pk).update(**columns)
    facts = {"staff": f"staff:{credential.staff_id}"} | _two(actor)
    log.record("credential.removed", credential.ref, chain=log.HOUSE, actor=actor, facts=facts)


def renew_codes(*, staff, actor):
    """Make new recovery codes, which nobody can show again; they end the earlier ones.

    :raises Refused: `no_key` if the person has no credential that they could replace.
    """
    person = Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    if not of(person).exists():
        raise WORDING.refused("no_key")
    return _make_codes(person, actor)


def _make_codes(person, actor):
    RecoveryCode.objects.filter(staff=person, ended_at=None).update(ended_at=Now())
    plain = [codes.new(_GROUPS) for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create([RecoveryCode(staff=person, digest=codes.digest(code)) for code in plain])
    facts = {"staff": person.ref, "number": len(plain)}
    log.record("recovery_codes.made", person.ref, chain=log.HOUSE, actor=actor, facts=facts)
    return plain


def _end_codes(person, actor):
    RecoveryCode.objects.filter(staff=person, ended_at=None).update(ended_at=Now())
    facts = {"staff": person.ref} | _two(actor)
    log.record("recovery_codes.ended", person.ref, chain=log.HOUSE, actor=actor, facts=facts)


# Proving them.


@sensitive_variables()
def prover(login, proof):
    """The person with this login, if the proof is an unused second step of theirs; else None.

    :param proof: a text, the code of an app or a recovery code; or (site, challenge, assertion) of a passkey.
    """
    person = Staff.objects.filter(login=login, is_active=True).first()
    if person is None:
        return None
    if isinstance(proof, str):
        is_right = _is_code(person, proof) or _is_recovery_code(person, proof)
    else:
        is_right = _is_passkey(person, *proof)
    return person if is_right else None


def _is_passkey(person, site, challenge, assertion):
    handle = site and challenge and passkeys.handle_of(assertion)
    credential = handle and of(person).filter(kind=Credential.Kind.PASSKEY, host=site.host, handle=handle).first()
    counter = credential and passkeys.proved(site, challenge, assertion, credential)
    return counter is not None and _use(credential, counter)


@sensitive_variables()
def _is_code(person, code):
    for app in Credential.objects.standing().filter(staff=person, kind=Credential.Kind.APP).order_by("pk"):
        step = _step(app.secret, code, after=app.counter)
        if step is not None and _use(app, step):
            return True
    return False


def _use(credential, counter):
    """Note the number used; whether it was new: if two bring one code or signature at once, only one succeeds."""
    behind = Credential.objects.standing().filter(pk=credential.pk)
    behind = behind.filter(counter__lt=counter) if counter else behind.filter(counter=0)
    return bool(behind.update(counter=counter, used_at=Now()))


@sensitive_variables()
def _is_recovery_code(person, code):
    with transaction.atomic():
        unused = RecoveryCode.objects.filter(staff=person, digest=codes.digest(code), ended_at=None)
        unused_one = unused.select_for_update().defer("digest").first()
        if unused_one is None or not of(person).exists():
            return False
        unused.update(ended_at=Now())
        facts = {"staff": person.ref, "code": unused_one.ref}
        log.record("recovery_code.used", person.ref, chain=log.HOUSE, actor=log.Actor(person), facts=facts)
    return True


@sensitive_variables()
def _step(secret, code, *, after):
    """The time step of a code: the present one or a neighbour, if newer than `after`; else None."""
    code = "".join(code.split())
    if not (code.isascii() and code.isdigit() and len(code) == _DIGITS):
        return None
    now, hotp = int(time.time()) // _SECONDS, HOTP(base64.b32decode(secret), _DIGITS, SHA1())  # noqa: S303
    right = [step for step in (now - 1, now, now + 1) if secrets.compare_digest(hotp.generate(step), code.encode())]
    return next((step for step in right if step > after), None)


def _totp(secret):
    return TOTP(base64.b32decode(secret), _DIGITS, SHA1(), _SECONDS)  # noqa: S303
