"""Passkeys (WebAuthn): what a browser is asked for, and whether its answer is right, which `webauthn` judges.

A passkey belongs to one host name. Browsers offer none to a host without an accepted certificate; `localhost` needs
none. The authenticator verifies its person, by a PIN or a finger; keys are P-256 or Ed25519, and attest nothing.
"""

import ipaddress
import json
from typing import NamedTuple

import webauthn
from django.http.request import split_domain_port
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

ALGORITHMS = [COSEAlgorithmIdentifier.ECDSA_SHA_256, COSEAlgorithmIdentifier.EDDSA]
LONGEST = 8_192
"""Characters of what a browser brings; without attestation it is some hundred."""
_VERIFIED = UserVerificationRequirement.REQUIRED


class Site(NamedTuple):
    """A host name, with the origin that browsers give for its pages."""

    host: str
    origin: str


class Key(NamedTuple):
    """What is kept of a new passkey: its handle, its public key (COSE), both as base64url, and its count."""

    handle: str
    public_key: str
    counter: int


def site(request):
    """The site of a request; None if browsers offer no passkeys there: at a numeric address, or without HTTPS."""
    host = request.get_host()
    name, _ = split_domain_port(host)
    if name != "localhost" and (not request.is_secure() or _is_address(name)):
        return None
    return Site(name, f"{request.scheme}://{host}")


def _is_address(name):
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def offer(site, person, standing):
    """What a browser needs to make a passkey, as JSON, and the challenge in it.

    :param standing: the person's passkeys; a device makes no second one.
    """
    options = webauthn.generate_registration_options(
        rp_id=site.host,
        rp_name="Casino",
        user_id=person.ref.encode(),
        user_name=person.login,
        user_display_name=person.name,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED, user_verification=_VERIFIED
        ),
        exclude_credentials=_described(standing, site),
        supported_pub_key_algs=ALGORITHMS,
    )
    return webauthn.options_to_json(options), bytes_to_base64url(options.challenge)


def made(site, challenge, text):
    """The passkey that a browser made for a challenge; None if it is not right."""
    try:
        verified = webauthn.verify_registration_response(
            credential=_read(text),
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
            supported_pub_key_algs=ALGORITHMS,
        )
    except _WRONG:
        return None
    handle, public_key = bytes_to_base64url(verified.credential_id), bytes_to_base64url(verified.credential_public_key)
    return Key(handle, public_key, verified.sign_count)


def ask(site, standing):
    """What a browser needs to prove one of these passkeys, as JSON, and the challenge in it."""
    options = webauthn.generate_authentication_options(
        rp_id=site.host, allow_credentials=_described(standing, site), user_verification=_VERIFIED
    )
    return webauthn.options_to_json(options), bytes_to_base64url(options.challenge)


def handle_of(text):
    """The handle that an assertion names; None if the text is not an assertion."""
    try:
        handle = _read(text)["id"]
    except _WRONG:
        return None
    return handle if isinstance(handle, str) and handle.isascii() else None


def encoded(challenge):
    """Bytes as a challenge is passed around: base64url."""
    return bytes_to_base64url(challenge)


def parts(text):
    """The parts of a proved assertion with which somebody else can prove it again, as base64url."""
    response = _read(text)["response"]
    said = {
        "client_data": response["clientDataJSON"],
        "authenticator_data": response["authenticatorData"],
        "signature": response["signature"],
    }
    return {name: bytes_to_base64url(base64url_to_bytes(part)) for name, part in said.items()}


def proved(site, challenge, text, credential):
    """The passkey's signature count, if a browser proves it for a challenge; else None.

    :param credential: the row that the assertion names.
    """
    try:
        verified = webauthn.verify_authentication_response(
            credential=_read(text),
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=base64url_to_bytes(credential.public_key),
            credential_current_sign_count=credential.counter,
            require_user_verification=True,
        )
    except _WRONG:
        return None
    return verified.new_sign_count


# Whatever a stranger sends: the library raises its own errors for most of it, and Python's for the rest.
_WRONG = (WebAuthnException, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)


def _read(text):
    """What a browser brought, as JSON.

    :raises ValueError: if it is longer than a browser ever sends, or not an object.
    """
    if len(text) > LONGEST:
        raise ValueError("It is too long.")
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("It is no object.")
    return value


def _described(standing, site):
    return [
        PublicKeyCredentialDescriptor(id=base64url_to_bytes(each.handle)) for each in standing if each.host == site.host
    ]
