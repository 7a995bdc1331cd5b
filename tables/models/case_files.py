"""The files of cases as they were made."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .cases import Case

STAFF = settings.AUTH_USER_MODEL
MOST_BYTES = 16 * 2**20


class CaseFile(models.Model):
    """The file of a case as it was made, once for each state of the case: its bytes and their SHA-256, which the log
    has too. Append-only.

    `size` is the size of the log that its proofs refer to; None if none of its entries was sealed.
    """

    case = models.ForeignKey(Case, on_delete=models.PROTECT, related_name="files", db_index=False)
    digest = models.CharField(max_length=64)
    content = models.BinaryField()
    size = models.BigIntegerField(null=True)
    made_by = models.ForeignKey(STAFF, on_delete=models.PROTECT, related_name="+", db_index=False)
    made_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["case", "digest"], name="casefile_once"),
            models.CheckConstraint(
                condition=Q(
                    digest=models.Func(
                        models.Func(F("content"), function="sha256"),
                        models.Value("hex"),
                        function="encode",
                        output_field=models.TextField(),
                    )
                ),
                name="casefile_digest_of_bytes",
            ),
            models.CheckConstraint(
                condition=Q(
                    models.lookups.LessThanOrEqual(
                        models.Func(F("content"), function="octet_length", output_field=models.IntegerField()),
                        MOST_BYTES,
                    )
                ),
                name="casefile_not_too_long",
            ),
            models.CheckConstraint(condition=Q(size=None) | Q(size__gte=1), name="casefile_size_from_one"),
        ]

    def __str__(self):
        return f"File {self.pk} of {self.case_id}"

    @property
    def ref(self):
        return f"case_file:{self.pk}"
