"""Read-only pages of the memory: the checkpoints that seal it.

Its entries are in `tables/admin/history.py`, where rounds and people have names.
"""

from django.contrib import admin
from django.core.paginator import Paginator
from django.utils.html import format_html

from casino.admin import ReadOnlyAdmin, records_looks
from casino.roles import Right

from . import history, notes
from .models import Checkpoint


@records_looks
def _record(request, *, what, within):
    history.look_at_records(what=what, by=request.user, within=within)


class Newest(Paginator):
    """Pages of the newest rows: counting some thousand costs little, counting all of a growing table does not."""

    MOST = 5_000

    @property
    def count(self):
        return self.object_list[: self.MOST].count()


@admin.register(Checkpoint)
class CheckpointAdmin(ReadOnlyAdmin):
    """The tree as it was sealed. Any checkpoint is found by its size, the lists hold the newest."""

    right = Right.READ_LOG
    recorded = False
    list_display = ("size", "at", "root_spelled", "anchored_at")
    list_select_related = ("anchor",)
    search_fields = ("size__exact",)
    search_help_text = "The number of entries that it seals"
    ordering = ("-size",)
    paginator = Newest
    fields = readonly_fields = ("size", "at", "root_spelled", "anchored_at", "note_laid")

    @admin.display(description="root")
    def root_spelled(self, checkpoint):
        return notes.encode(bytes(checkpoint.root))

    @admin.display(description="anchored at")
    def anchored_at(self, checkpoint):
        anchor = getattr(checkpoint, "anchor", None)
        return anchor and anchor.at

    @admin.display(description="note")
    def note_laid(self, checkpoint):
        """The signed note, as it lies in the anchor."""
        return format_html('<pre class="whitespace-pre-wrap text-xs">{}</pre>', checkpoint.note)
