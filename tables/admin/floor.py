"""Read-only pages of the floor: pits, tables, sessions, rule sheets, and rounds with what happened in them."""

import json

from django.contrib import admin
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import get_current_timezone

from casino.admin import ReadOnlyAdmin, ReadOnlyInline, amount, finds_rounds, names_rounds
from casino.roles import Verb

from ..models import (
    Dispute,
    InForce,
    Intervention,
    Pit,
    Posting,
    Round,
    RuleSheet,
    Session,
    SignOn,
    Table,
    Terminal,
    Wager,
)
from ..people import access
from ..verbs import lateness
from ..words import disputes, generations, names, timeline
from . import exports as exports_page

finds_rounds(names.refs)
names_rounds(names.named)


class FloorAdmin(ReadOnlyAdmin):
    """A page of the floor. A posting for one pit shows that pit's rows alone.

    `table_path` or `pit_path` leads from a row to its table or pit; rows without either are for all. `round_path` leads
    to its round: then a search by the round's name finds the row.
    """

    verb = Verb.READ_FLOOR
    table_path = pit_path = round_path = None

    def get_queryset(self, request):
        rows = super().get_queryset(request)
        if self.table_path:
            return rows.filter(**{f"{self.table_path}__in": access.tables(request.user, self.verb)})
        if self.pit_path:
            within = access.pits(request.user, self.verb)
            return rows.filter(Q(**{f"{self.pit_path}__in": within}) | Q(**{self.pit_path: None}))
        return rows

    def get_search_results(self, request, queryset, search_term):
        found = names.find(search_term) if self.round_path else None
        if found is None:
            return super().get_search_results(request, queryset, search_term)
        return queryset.filter(**{f"{self.round_path}__in": found}), False


class TableInline(ReadOnlyInline):
    verb = Verb.READ_FLOOR
    model = Table
    fields = ("code", "name", "chip_set", "last_number")


@admin.register(Pit)
class PitAdmin(FloorAdmin):
    pit_path = "pk"
    list_display = ("code", "name")
    inlines = (TableInline,)


class InForceInline(ReadOnlyInline):
    verb = Verb.READ_FLOOR
    model = InForce
    fields = ("table", "sheet", "from_at", "set_by")
    verbose_name_plural = "rule sheets in force"

    def get_queryset(self, request):
        return super().get_queryset(request).filter(table__in=access.tables(request.user, self.verb))


@admin.register(Table)
class TableAdmin(FloorAdmin):
    table_path = "pk"
    list_display = ("code", "name", "pit", "chip_set", "last_number")
    list_filter = ("pit",)
    search_fields = ("code", "name")
    fields = (
        "code", "name", "rules", "pit", "chip_set", "float_account", "patrons_account", "pot_account", "last_number",
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
        "page", "table", "status", "business_date", "opened_at", "opened_by", "opened_with", "closed_at", "closed_by",
        "closed_with",
    )  # fmt: skip
    readonly_fields = ("page",)

    @admin.display(description="the closing form")
    def page(self, session):
        return format_html('<a class="underline" href="{}">{}</a>', reverse("session", args=[session.pk]), session)


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
        """All values, laid out for reading; the canonical text that the digest covers stands below."""
        text = json.dumps(sheet.values, indent=2, ensure_ascii=False)
        return format_html('<pre class="whitespace-pre-wrap text-xs">{}</pre>', text)


class WagerInline(ReadOnlyInline):
    verb = Verb.READ_FLOOR
    model = Wager
    fields = readonly_fields = ("ordinal", "box", "kind", "stake")
    stake = amount("units", "stake")


@admin.register(Round)
class RoundAdmin(FloorAdmin):
    table_path = "table"
    list_display = ("__str__", "table", "status", "phase", "held_at", "opened_at", "closed_at", "settled_at")
    list_filter = ("status", "table", "session__business_date", "sheet__game")
    list_select_related = ("table",)
    date_hierarchy = "session__business_date"
    search_fields = ("=table__code", "table__name")
    search_help_text = names.HELP
    round_path = "pk"
    ordering = ("-id",)
    fields = (
        "page", "table", "number", "status", "phase", "sheet", "session", "opened_by", "opened_at", "closed_at",
        "settled_at", "held_at", "failures", "payments", "timeline",
    )  # fmt: skip
    readonly_fields = ("page", "payments", "timeline")
    inlines = (WagerInline,)

    @admin.display(description="the round's page")
    def page(self, round_):
        return format_html('<a class="underline" href="{}">{}</a>', reverse("round", args=[round_.pk]), round_)

    @admin.display(description="payments")
    def payments(self, round_):
        """Each generation's payments with their clauses, their reasons, and the difference to the one before."""
        words = timeline.words(round_)
        told = generations.of(round_, words, _reader())
        return render_to_string("round/_admin_payments.html", {"generations": told}) if told else "Not settled."

    @admin.display(description="timeline")
    def timeline(self, round_):
        """Who did what, when, at which terminal."""
        return render_to_string("round/_admin_timeline.html", {"moments": timeline.rows(round_, _reader())})


def dashboard(request, context):
    """What stands before the list of pages on the admin's first one: that settlement is late, for everybody; how the
    log stands, for who may read it; and the disputes that wait, at tables within reach."""
    waiting = lateness.waiting()
    if waiting.late:
        context["late"] = waiting
    if request.user.has_perm(Verb.READ_LOG):
        context["log"] = exports_page.log_stands()
    if request.user.has_perm(Verb.READ_FLOOR):
        context["disputes"] = disputes.queue(request.user, _reader())
    return context


def _reader():
    """Who reads a round here may read the floor; the site has the casino's time."""
    return timeline.Reader(named=True, zone=get_current_timezone())


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
    """Disputes with their rulings; the salts are on no page and in no filter."""

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

    def lookup_allowed(self, lookup, value, request=None):
        return "salt" not in lookup and super().lookup_allowed(lookup, value, request)

    @admin.display(description="the dispute's page")
    def page(self, dispute):
        return format_html('<a class="underline" href="{}">{}</a>', reverse("dispute", args=[dispute.pk]), dispute)


@admin.register(Terminal)
class TerminalAdmin(FloorAdmin):
    """Devices; the digest of a token is on no page and in no filter."""

    table_path = "table"
    list_display = ("name", "table", "enrolled_at", "revoked_at")
    list_filter = ("table",)
    fields = ("name", "table", "enrolled_at", "revoked_at")

    def lookup_allowed(self, lookup, value, request=None):
        return not lookup.startswith("token") and super().lookup_allowed(lookup, value, request)
