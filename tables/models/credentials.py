"""What people prove the second step of a login with: passkeys, authenticator apps and recovery codes."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .floor import STAFF


class CredentialQuerySet(models.QuerySet):
    def standing(self):
        """The credentials that still count."""
        return self.filter(ended_at=None)


class Credential(models.Model):
    """A passkey or an authenticator app of a person, added by themselves.

    A passkey has a `handle` (the credential id of WebAuthn), a `public_key` (COSE), both as base64url, and the `host`
    for which it was made; an app shares its `secret` (base32, TOTP of RFC 6238). `counter` is the last number used: of
    a passkey's signatures, or the time step of an app's last code. Its person ends it, or two others do.
    """

    class Kind(models.TextChoices):
        PASSKEY = "passkey", "passkey"
        APP = "app", "authenticator app"

    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="credentials")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=40)
    handle = models.CharField(max_length=1400, null=True, unique=True)
    public_key = models.CharField(max_length=400, null=True)
    host = models.CharField(max_length=253, null=True)
    secret = models.CharField(max_length=64, null=True)
    counter = models.BigIntegerField(db_default=0)
    added_at = models.DateTimeField(db_default=Now())
    used_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    ended_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)

    objects = CredentialQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    kind="passkey", handle__isnull=False, public_key__isnull=False, host__isnull=False, secret=None
                )
                | Q(kind="app", handle=None, public_key=None, host=None, secret__isnull=False),
                name="credential_whole",
            ),
            models.CheckConstraint(condition=Q(counter__gte=0), name="credential_counter_from_0"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=False) | Q(ended_by=None, ended_with=None), name="credential_ended_whole"
            ),
            models.CheckConstraint(
                condition=Q(ended_with=None) & (Q(ended_by=None) | Q(ended_by=F("staff")))
                | Q(ended_with__isnull=False, ended_by__isnull=False)
                & ~Q(ended_by=F("ended_with"))
                & ~Q(ended_by=F("staff"))
                & ~Q(ended_with=F("staff")),
                name="credential_four_eyes",
            ),
        ]

    def __str__(self):
        return f"{self.kind} {self.pk} of {self.staff_id}"

    @property
    def ref(self):
        """How the log names it."""
        return f"credential:{self.pk}"


class RecoveryCode(models.Model):
    """One of the codes that are shown once, each of which stands for a second step once: `digest` is its SHA-256.

    It ends when it is used, when new ones are made, or when its person no longer has a credential.
    """

    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="recovery_codes")
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    def __str__(self):
        return f"{self.pk} of {self.staff_id}"

    @property
    def ref(self):
        """How the log names it."""
        return f"recovery_code:{self.pk}"
