"""Read-only pages of the floor: pits, tables, sessions, rule sheets, postings and devices."""

import json

from django.contrib import admin
from django.db.models import Q
from django.urls import reverse
from django.utils.html import format_html

from casino.admin import ReadOnlyAdmin, ReadOnlyInline
from casino.models import Casino
from casino.money import spell
from casino.roles import Right

from ..models import InForce, Pit, Posting, RuleSheet, Session, SignOn, Table, Terminal
from ..people import access
from ..verbs import figures
from ..words import names


class FloorAdmin(ReadOnlyAdmin):
    """A page of the floor. A posting for one pit shows only that pit's rows.

    `table_path` or `pit_path` leads from a row to its table or pit; rows without either are for all. `round_path` leads
    to its round: then a search by the round's name finds the row.
    """

    right = Right.READ_FLOOR
    table_path = pit_path = round_path = None

    def get_queryset(self, request):
        rows = super().get_queryset(request)
        if self.table_path:
            return rows.filter(**{f"{self.table_path}__in": access.tables(request.user, self.right)})
        if self.pit_path:
            within = access.pits(request.user, self.right)
            return rows.filter(Q(**{f"{self.pit_path}__in": within}) | Q(**{self.pit_path: None}))
        return rows

    def get_search_results(self, request, queryset, search_term):
        rounds = names.find(search_term) if self.round_path else None
        if rounds is None:
            return super().get_search_results(request, queryset, search_term)
        return queryset.filter(**{f"{self.round_path}__in": rounds}), False


class TableInline(ReadOnlyInline):
    right = Right.READ_FLOOR
    model = Table
    fields = ("code", "name", "chip_set", "last_number")


@admin.register(Pit)
class PitAdmin(FloorAdmin):
    pit_path = "pk"
    list_display = ("code", "name")
    inlines = (TableInline,)


class InForceInline(ReadOnlyInline):
    right = Right.READ_FLOOR
    model = InForce
    fields = ("table", "sheet", "from_at", "set_by", "approved_by")
    verbose_name_plural = "rule sheets in force"

    def get_queryset(self, request):
        return super().get_queryset(request).filter(table__in=access.tables(request.user, self.right))


@admin.register(Table)
class TableAdmin(FloorAdmin):
    table_path = "pk"
    list_display = ("code", "name", "pit", "chip_set", "last_number")
    list_filter = ("pit",)
    search_fields = ("code", "name")
    fields = (
        "code", "name", "rules", "pit", "chip_set", "float_account", "patrons_account", "pot_account", "rake_account",
        "last_number",
    )  # fmt: skip
    readonly_fields = ("rules",)
    inlines = (InForceInline,)

    @admin.display(description="the players' page")
    def rules(self, table):
        return format_html('<a class="underline" href="{}">Rules in force</a>', reverse("rules", args=[table.pk]))


@admin.register(Session)
class SessionAdmin(FloorAdmin):
    table_path = "table"
    list_display = ("table", "business_date", "status", "opened_at", "opened_by", "opened_with", "closed_at")
    list_filter = ("status", "business_date", "table")
    ordering = ("-id",)
    fields = (
        "page", "win", "rounds", "table", "status", "business_date", "opened_at", "opened_by", "opened_with",
        "closed_at", "closed_by", "closed_with",
    )  # fmt: skip
    readonly_fields = ("page", "win", "rounds")

    @admin.display(description="the closing form")
    def page(self, session):
        return format_html('<a class="underline" href="{}">{}</a>', reverse("session", args=[session.pk]), session)

    @admin.display(description="win")
    def win(self, session):
        """What it won, with its grade; or what is not counted yet. It leads to its rounds."""
        (sitting,) = figures.sittings(Session.objects.filter(pk=session.pk))
        won = sitting.figures
        if won.win is None:
            words = " ".join(won.why)
        else:
            words = f"{spell(won.win, Casino.objects.get().currency_decimals)}, {won.grade.value}"
        return format_html('<a class="underline" href="{}">{}</a>', reverse("session-rounds", args=[session.pk]), words)

    @admin.display(description="rounds")
    def rounds(self, session):
        address = reverse("session-rounds", args=[session.pk])
        return format_html('<a class="underline" href="{}">Its {} rounds</a>', address, session.rounds.count())


@admin.register(SignOn)
class SignOnAdmin(FloorAdmin):
    table_path = "table"
    list_display = ("table", "staff", "signed_on_at", "signed_off_at")
    ordering = ("-id",)


@admin.register(Posting)
class PostingAdmin(FloorAdmin):
    pit_path = "pit"
    list_display = ("staff", "role", "pit", "posted_at", "ended_at")
    list_filter = ("role", "pit")


@admin.register(RuleSheet)
class RuleSheetAdmin(FloorAdmin):
    list_display = ("game", "version", "status", "short", "drafted_by", "published_by", "published_at")
    list_filter = ("game", "status")
    fields = (
        "game", "version", "status", "digest", "coefficient_table", "settings", "drafted_by", "drafted_at",
        "published_by", "published_at", "rules",
    )  # fmt: skip
    readonly_fields = ("settings",)
    inlines = (InForceInline,)

    @admin.display(description="settings")
    def settings(self, sheet):
        """All values, laid out for reading; the canonical text that the digest covers stands below them."""
        text = json.dumps(sheet.values, indent=2, ensure_ascii=False)
        return format_html('<pre class="whitespace-pre-wrap text-xs">{}</pre>', text)


@admin.register(Terminal)
class TerminalAdmin(FloorAdmin):
    """Devices; no page and no filter has the digest of a token."""

    table_path = "table"
    list_display = ("name", "table", "enrolled_at", "revoked_at")
    list_filter = ("table",)
    fields = ("name", "table", "enrolled_at", "revoked_at")
