"""Read-only pages of the memory: chains and their entries."""

import json

from django.contrib import admin
from django.utils.html import format_html

from casino.admin import ReadOnlyAdmin
from casino.roles import Verb

from .models import Chain, Entry


@admin.register(Chain)
class ChainAdmin(ReadOnlyAdmin):
    verb = Verb.READ_LOG
    list_display = ("key", "seq", "at", "head")


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    verb = Verb.READ_LOG
    list_display = ("chain", "seq", "at", "event", "subject", "by")
    list_filter = ("chain", "event")
    search_fields = ("subject",)
    search_help_text = "staff:3, or a round: T1-00003, T1-3, 3, T1, 2026-11-21"
    round_ref = "subject"
    ordering = ("-id",)
    fields = readonly_fields = ("chain", "seq", "at", "event", "subject", "by", "facts", "body")

    @admin.display(description="facts")
    def facts(self, entry):
        """The facts laid out for reading; the bytes themselves stand below."""
        text = json.dumps(json.loads(entry.body)["facts"], indent=2, ensure_ascii=False)
        return format_html('<pre class="whitespace-pre-wrap text-xs">{}</pre>', text)
