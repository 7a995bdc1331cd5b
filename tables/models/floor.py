"""Pits and their tables, the devices at them and who works where."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from casino.models import ChipSet
from casino.roles import Role
from payouts.models import Account

STAFF = settings.AUTH_USER_MODEL


class Pit(models.Model):
    """Tables under one pit boss."""

    code = models.CharField(max_length=8, unique=True)
    name = models.CharField(max_length=40)

    class Meta:
        ordering = ["code"]

    def __str__(self):
        return self.name

    @property
    def ref(self):
        return f"pit:{self.pk}"


class Table(models.Model):
    """A table on the floor. Its rounds are numbered without a gap for ever, across games and sessions."""

    code = models.CharField(max_length=8, unique=True)
    name = models.CharField(max_length=40)
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    chip_set = models.ForeignKey(ChipSet, on_delete=models.PROTECT, related_name="+")
    float_account = models.OneToOneField(Account, null=True, on_delete=models.PROTECT, related_name="+")
    patrons_account = models.OneToOneField(Account, null=True, on_delete=models.PROTECT, related_name="+")
    pot_account = models.OneToOneField(Account, null=True, on_delete=models.PROTECT, related_name="+")
    rake_account = models.OneToOneField(Account, null=True, on_delete=models.PROTECT, related_name="+")
    last_number = models.BigIntegerField(default=0)

    class Meta:
        ordering = ["code"]
        constraints = [
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z][A-Z0-9]*$"), name="table_code_plain"),
            models.CheckConstraint(condition=Q(last_number__gte=0), name="table_last_number"),
        ]

    def __str__(self):
        return self.name

    @property
    def ref(self):
        """The table's name in the log, and the key of its chain."""
        return f"table:{self.pk}"


class Terminal(models.Model):
    """A device enrolled at a table. When it was last seen is noted at most once a minute."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="terminals")
    name = models.CharField(max_length=20, unique=True)
    token_digest = models.CharField(max_length=64, null=True, unique=True)
    enrolled_at = models.DateTimeField(db_default=Now())
    last_seen_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    def __str__(self):
        return self.name

    @property
    def ref(self):
        return f"terminal:{self.pk}"


class TerminalName(models.Model):
    """A name that a terminal has or had: in the log, it means this terminal for ever.

    The database itself adds the row, with the terminal and with each renaming.
    """

    terminal = models.ForeignKey(Terminal, on_delete=models.PROTECT, related_name="names")
    name = models.CharField(max_length=20, unique=True)
    named_at = models.DateTimeField(db_default=Now())

    def __str__(self):
        return self.name


class Posting(models.Model):
    """A person's role, in one pit or in all (`pit` empty); two others give it and end it.

    A posting given when the house was set up names nobody.
    """

    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="postings")
    role = models.CharField(max_length=20, choices=[(role.value, role.value.replace("_", " ")) for role in Role])
    pit = models.ForeignKey(Pit, null=True, on_delete=models.PROTECT, related_name="postings")
    posted_at = models.DateTimeField(db_default=Now())
    posted_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    posted_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    ended_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["staff", "role", "pit"],
                condition=Q(ended_at=None),
                nulls_distinct=False,
                name="posting_once",
            ),
            models.CheckConstraint(condition=Q(role__in=[role.value for role in Role]), name="posting_role_known"),
            models.CheckConstraint(
                condition=Q(posted_by__isnull=True, posted_with__isnull=True)
                | Q(posted_by__isnull=False, posted_with__isnull=False),
                name="posting_posted_whole",
            ),
            models.CheckConstraint(
                condition=Q(ended_by__isnull=True, ended_with__isnull=True)
                | Q(ended_at__isnull=False, ended_by__isnull=False, ended_with__isnull=False),
                name="posting_ended_whole",
            ),
            models.CheckConstraint(
                condition=~Q(posted_by=F("posted_with")) & ~Q(ended_by=F("ended_with")), name="posting_four_eyes"
            ),
            models.CheckConstraint(
                condition=~Q(posted_by=F("staff"))
                & ~Q(posted_with=F("staff"))
                & ~Q(ended_by=F("staff"))
                & ~Q(ended_with=F("staff")),
                name="posting_by_others",
            ),
        ]

    def __str__(self):
        return f"{self.role} {self.pit_id or 'everywhere'}"


class OneTimeCode(models.Model):
    """What a person sets their password with, given by two others: `digest` is its SHA-256.

    It ends when it is used, when another one is given, or when its person leaves. A code given when the house was set
    up names nobody: at that time, no two others have a password to sign with.
    """

    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="codes")
    digest = models.CharField(max_length=64)
    given_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    given_with = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)
    given_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["staff"], condition=Q(ended_at=None), name="onetimecode_one_stands"),
            models.CheckConstraint(
                condition=Q(given_by__isnull=True, given_with__isnull=True)
                | Q(given_by__isnull=False, given_with__isnull=False),
                name="onetimecode_given_whole",
            ),
            models.CheckConstraint(condition=~Q(given_by=F("given_with")), name="onetimecode_four_eyes"),
            models.CheckConstraint(
                condition=~Q(given_by=F("staff")) & ~Q(given_with=F("staff")), name="onetimecode_by_others"
            ),
        ]

    def __str__(self):
        return f"{self.pk} of {self.staff_id}"


class SignOn(models.Model):
    """A croupier at a table, from taking it over to handing it on. One table a person, one person a table."""

    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="sign_ons")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sign_ons")
    terminal = models.ForeignKey(Terminal, null=True, on_delete=models.PROTECT, related_name="+")
    signed_on_at = models.DateTimeField(db_default=Now())
    signed_off_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["staff"], condition=Q(signed_off_at=None), name="signon_one_table"),
            models.UniqueConstraint(fields=["table"], condition=Q(signed_off_at=None), name="signon_one_person"),
        ]

    def __str__(self):
        return f"{self.staff_id} at {self.table_id}"


class ReliefQuerySet(models.QuerySet):
    def standing(self):
        """Reliefs that are asked for, and neither carried out nor withdrawn."""
        return self.filter(ended_at=None)


class Relief(models.Model):
    """A croupier who is asked to take a table over, from whoever deals there then.

    It ends when they sign on there, which hands the table over, or when somebody withdraws it. One table a person, one
    person a table.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="reliefs")
    staff = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="reliefs")
    asked_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    asked_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    withdrawn_by = models.ForeignKey(STAFF, null=True, on_delete=models.PROTECT, related_name="+", db_index=False)

    objects = ReliefQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["staff"], condition=Q(ended_at=None), name="relief_one_table"),
            models.UniqueConstraint(fields=["table"], condition=Q(ended_at=None), name="relief_one_person"),
        ]

    def __str__(self):
        return f"{self.staff_id} to {self.table_id}"

    @property
    def ref(self):
        return f"relief:{self.pk}"
