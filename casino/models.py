"""The ground: staff, the casino's one row and its settings, chip sets, and commands with their stored answers."""

import datetime as dt

from django.contrib.auth import get_backends
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now, TruncMinute
from django.db.models.lookups import In

# Between them lies every moment that both PostgreSQL and Python can represent, in every time zone.
EARLIEST, LATEST = (dt.datetime(year, 1, 1, tzinfo=dt.UTC) for year in (2000, 9000))


def readable(*arguments):
    """The condition that a column's JSON can be read: neither too long nor too deep (`sql/readable.sql`)."""
    return models.Func(*arguments, function="is_readable", output_field=models.BooleanField())


class StaffManager(BaseUserManager):
    def get_by_natural_key(self, login):
        """Logins are compared without regard to case; the database keeps them lower."""
        return self.get(login=login.strip().lower())


def named(number, name):
    """A member of staff where their name may be read: on screens that no guest sees, and never in the log."""
    return f"Staff {number}, {name}"


class Staff(AbstractBaseUser):
    """A person who works here. What they may do comes from postings and sign-ons, never from a flag on this row.

    `language` is the one they have chosen for what they read at a table; "" if they take the terminal's.
    """

    login = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=80)
    is_active = models.BooleanField(default=True)
    added_at = models.DateTimeField(db_default=Now())
    language = models.CharField(max_length=5, blank=True, default="", db_default="")

    USERNAME_FIELD = "login"
    objects = StaffManager()

    class Meta:
        verbose_name_plural = "staff"
        ordering = ["login"]
        constraints = [
            models.CheckConstraint(condition=models.Q(login__regex=r"^[a-z][a-z0-9._-]*$"), name="staff_login_plain"),
            models.CheckConstraint(
                condition=models.Q(last_login=None) | models.Q(last_login__range=(EARLIEST, LATEST)),
                name="staff_moment_readable",
            ),
        ]

    def __str__(self):
        return f"{self.name} ({self.ref})"

    @property
    def ref(self):
        """How the log names this person: by number, never by name."""
        return f"staff:{self.pk}"

    @property
    def named(self):
        """How colleagues read of this person."""
        return named(self.pk, self.name)

    def has_perm(self, right, obj=None):
        """Whether any backend grants the right, for `obj` (a table or a pit) where one is given."""
        return self.is_active and any(
            backend.has_perm(self, right, obj) for backend in get_backends() if hasattr(backend, "has_perm")
        )

    def has_module_perms(self, app_label):
        """Whether the admin lists an app: a person who may read the admin sees its index, each page decides again."""
        return self.has_perm("admin.read")

    @property
    def is_staff(self):
        """Django's admin asks this before it asks for rights."""
        return self.has_perm("admin.read")


class WebSessionQuerySet(models.QuerySet):
    def alive(self):
        """The sessions whose cookies are still accepted, each with its `idle` time."""
        idle = models.ExpressionWrapper(Now() - models.F("last_activity_at"), output_field=models.DurationField())
        return self.filter(expires_at__gt=Now()).annotate(idle=idle)


class WebSession(models.Model):
    """A person logged in at a browser: `digest` is the hash of the key in its cookie, `content` signed by Django.

    In the moment of a login it has no person yet. One that is ended is deleted.
    """

    digest = models.CharField(max_length=64, unique=True)
    staff = models.ForeignKey(Staff, on_delete=models.PROTECT, null=True)
    device = models.CharField(max_length=40)
    content = models.TextField()
    begun_at = models.DateTimeField(db_default=Now())
    last_activity_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField(db_index=True)

    objects = WebSessionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(
                    begun_at__range=(EARLIEST, LATEST),
                    last_activity_at__range=(EARLIEST, LATEST),
                    expires_at__range=(EARLIEST, LATEST),
                ),
                name="websession_moments_readable",
            )
        ]

    def __str__(self):
        return f"{self.device} of {self.staff_id}"


def euro_cash():
    """The coins and notes of the euro that a drop box holds, in cents: from 1.00 up."""
    return [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000]


class Casino(models.Model):
    """The one casino of this database; its code is the origin of its log.

    `cash_denominations` are the coins and notes by which the count team counts a drop, in the smallest unit.
    """

    id = models.SmallIntegerField(primary_key=True, default=1, editable=False)
    code = models.CharField(max_length=20, unique=True)
    name = models.CharField(max_length=80)
    currency = models.CharField(max_length=3)
    currency_decimals = models.SmallIntegerField(default=2)
    time_zone = models.CharField(max_length=64)
    day_starts_at = models.TimeField()
    cash_denominations = ArrayField(models.BigIntegerField(), default=euro_cash, db_default=euro_cash())

    class Meta:
        verbose_name_plural = "casino"
        constraints = [
            models.CheckConstraint(condition=models.Q(id=1), name="casino_one_row"),
            models.CheckConstraint(condition=models.Q(code__regex=r"^[a-z0-9-]+$"), name="casino_code_plain"),
            models.CheckConstraint(condition=models.Q(currency__regex=r"^[A-Z]{3}$"), name="casino_currency_iso"),
            models.CheckConstraint(
                condition=models.Q(currency_decimals__range=(0, 4)), name="casino_currency_decimals_range"
            ),
            models.CheckConstraint(condition=models.Q(cash_denominations__len__gte=1), name="casino_has_cash"),
        ]

    def __str__(self):
        return self.name


class SettingQuerySet(models.QuerySet):
    def newest_first(self):
        """The settings not withdrawn, the newest first, each with `counts`: whether its moment has come."""
        counts = models.ExpressionWrapper(models.Q(from_at__lte=Now()), output_field=models.BooleanField())
        return self.filter(withdrawn_at=None).annotate(counts=counts).order_by("-from_at")


class Setting(models.Model):
    """A value of one of the house's settings from a moment on, signed by two people; the newest counts. Append-only.

    What there is to set stands in `settings_of_house.py`. What is withdrawn before its moment never counts.
    """

    name = models.CharField(max_length=40)
    value = models.JSONField()
    from_at = models.DateTimeField()
    proposed_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+", db_index=False)
    approved_by = models.ForeignKey(Staff, on_delete=models.PROTECT, related_name="+", db_index=False)
    withdrawn_at = models.DateTimeField(null=True)

    objects = SettingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["name", "from_at"], condition=models.Q(withdrawn_at=None), name="setting_moment_once"
            ),
            models.CheckConstraint(condition=models.Q(name__regex=r"^[a-z][a-z_]*$"), name="setting_name_plain"),
            models.CheckConstraint(condition=readable("value"), name="setting_value_readable"),
            models.CheckConstraint(
                condition=In(
                    models.Func(models.F("value"), function="jsonb_typeof", output_field=models.CharField()),
                    ["number", "string", "boolean"],
                ),
                name="setting_value_single",
            ),
            models.CheckConstraint(condition=~models.Q(approved_by=models.F("proposed_by")), name="setting_four_eyes"),
            models.CheckConstraint(
                condition=models.Q(withdrawn_at=None) | models.Q(withdrawn_at__lt=models.F("from_at")),
                name="setting_withdrawn_before",
            ),
        ]

    def __str__(self):
        return f"{self.name} {self.value}"

    @property
    def ref(self):
        return f"setting:{self.pk}"


class ChipSet(models.Model):
    """The chips that tables pay with: values in units, ascending, and a colour for each."""

    name = models.CharField(max_length=40, unique=True)
    denominations = ArrayField(models.BigIntegerField())
    colours = ArrayField(models.CharField(max_length=7))

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(denominations__len__gt=0, denominations__len=models.F("colours__len"))
                & models.Q(denominations__0__gt=0),
                name="chipset_has_chips",
            )
        ]

    def __str__(self):
        return self.name


class Command(models.Model):
    """A command that was carried out, with its answer, so that sending it again gives the answer and does nothing.

    The row is made and filled in one transaction with the command's effect; a refusal rolls it back. Kept for 48 h.
    """

    staff = models.ForeignKey(Staff, on_delete=models.PROTECT)
    key = models.CharField(max_length=80)
    content = models.CharField(max_length=64)
    status = models.SmallIntegerField(null=True)
    answer = models.TextField(null=True)
    made_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["staff", "key"], name="command_key_once"),
            models.CheckConstraint(
                condition=models.Q(made_at__range=(EARLIEST, LATEST)), name="command_moment_readable"
            ),
        ]

    def __str__(self):
        return f"{self.staff_id}:{self.key}"


class Hashing(models.Model):
    """One of the hashings of passwords that may run at once: whoever holds the row's lock runs it."""

    number = models.SmallIntegerField(primary_key=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(number__range=(1, 64)), name="hashing_number_range"),
        ]

    def __str__(self):
        return str(self.number)


def this_minute():
    """When the present minute began, in SQL; in UTC, whatever time zone a page is shown in."""
    return TruncMinute(Now(), tzinfo=dt.UTC)


class WrongLoginsQuerySet(models.QuerySet):
    def over(self):
        """The minutes that are over, had names that nobody has, and have no entry in the log yet."""
        return self.filter(is_logged=False, unknown__gt=0, minute__lt=this_minute())

    def long_over(self, kept):
        """The minutes that ended this long ago and wait for no entry."""
        return self.filter(models.Q(is_logged=True) | models.Q(unknown=0), minute__lt=Now() - kept)


class WrongLogins(models.Model):
    """How many logins and signatures of a minute were wrong, and how many of those had names that nobody has.

    It has numbers and no names. `is_logged` once the log has the minute's entry; nobody counts in it after that.
    """

    minute = models.DateTimeField(primary_key=True)
    number = models.BigIntegerField()
    unknown = models.BigIntegerField(db_default=0)
    is_logged = models.BooleanField(db_default=False)

    objects = WrongLoginsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "wrong logins"
        constraints = [
            models.CheckConstraint(condition=models.Q(number__gt=0), name="wronglogins_number_from_one"),
            models.CheckConstraint(
                condition=models.Q(unknown__range=(0, models.F("number"))), name="wronglogins_unknown_range"
            ),
        ]

    def __str__(self):
        return f"{self.minute:%Y-%m-%d %H:%M}: {self.number}"
