"""Read-only pages of rounds, interventions and disputes; a round's own page shows what happened in it, and why."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from casino.admin import ReadOnlyInline, amount, finds_rounds, names_rounds
from casino.roles import Right

from ..models import Dispute, Intervention, Round, Wager
from ..words import names
from .floor import FloorAdmin

finds_rounds(names.refs)
names_rounds(names.named)


class WagerInline(ReadOnlyInline):
    right = Right.READ_FLOOR
    model = Wager
    fields = readonly_fields = ("ordinal", "box", "kind", "stake")
    stake = amount("units", "stake")


@admin.register(Round)
class RoundAdmin(FloorAdmin):
    table_path = "table"
    list_display = ("__str__", "table", "status", "phase", "held_at", "paper", "opened_at", "closed_at", "settled_at")
    list_filter = ("status", ("paper", admin.EmptyFieldListFilter), "table", "session__business_date", "sheet__game")
    list_select_related = ("table",)
    date_hierarchy = "session__business_date"
    search_fields = ("=table__code", "table__name")
    search_help_text = names.HELP
    round_path = "pk"
    ordering = ("-id",)
    fields = (
        "page", "table", "number", "status", "phase", "sheet", "session", "paper", "happened_at", "opened_by",
        "opened_with", "opened_at", "closed_at", "settled_at", "held_at", "failures", "failure",
    )  # fmt: skip
    readonly_fields = ("page",)
    inlines = (WagerInline,)

    @admin.display(description="the round's page")
    def page(self, round_):
        return format_html(
            '<a class="underline" href="{}">{}: cards, payments with their reasons, and what happened</a>',
            reverse("round", args=[round_.pk]),
            round_,
        )


@admin.register(Intervention)
class InterventionAdmin(FloorAdmin):
    table_path = "round__table"
    list_display = ("round", "kind", "clause", "box", "by", "approved_by", "terminal", "at")
    list_filter = ("kind", "clause", "round__table")
    list_select_related = ("round__table", "by", "approved_by", "terminal")
    search_fields = ("reason",)
    search_help_text = f"{names.HELP}; or words of the reason"
    round_path = "round"
    ordering = ("-id",)
    fields = ("round", "ordinal", "kind", "clause", "box", "reason", "line", "by", "approved_by", "terminal", "at")


@admin.register(Dispute)
class DisputeAdmin(FloorAdmin):
    """Disputes with their rulings; no page and no filter has the salts."""

    table_path = "round__table"
    list_display = (
        "__str__", "round", "about", "boxes", "status", "ruling", "clause", "raised_by", "ruled_by", "raised_at",
    )  # fmt: skip
    list_filter = ("status", "ruling", "about", "round__table")
    list_select_related = ("round__table", "raised_by", "ruled_by")
    search_fields = ("statement", "reason")
    search_help_text = f"{names.HELP}; or words of the statement or the reason"
    round_path = "round"
    ordering = ("-id",)
    fields = (
        "page", "round", "status", "about", "boxes", "statement", "raised_by", "terminal", "raised_at", "ruling",
        "clause", "reason", "line", "ruled_by", "approved_by", "ruled_at", "closed_at",
    )  # fmt: skip
    readonly_fields = ("page",)

    @admin.display(description="the dispute's page")
    def page(self, dispute):
        return format_html('<a class="underline" href="{}">{}</a>', reverse("dispute", args=[dispute.pk]), dispute)
