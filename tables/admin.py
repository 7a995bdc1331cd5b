"""Read-only pages of the floor: pits, tables, sessions, rule sheets, and rounds with what happened in them."""

import json

from django.contrib import admin
from django.db.models import Q
from django.utils.html import format_html, format_html_join

from casino.admin import ReadOnlyAdmin, ReadOnlyInline, amount
from casino.games import registry
from casino.models import Casino
from casino.money import spell
from casino.roles import Verb

from . import access, results
from .models import Action, InForce, Pit, Posting, Round, RuleSheet, Session, SignOn, Table, Wager


class FloorAdmin(ReadOnlyAdmin):
    """A page of the floor. A posting for one pit shows that pit's rows alone.

    `table_path` or `pit_path` leads from a row to its table or pit; rows without either are for all.
    """

    verb = Verb.READ_FLOOR
    table_path = pit_path = None

    def get_queryset(self, request):
        rows = super().get_queryset(request)
        if self.table_path:
            return rows.filter(**{f"{self.table_path}__in": access.tables(request.user, self.verb)})
        if self.pit_path:
            within = access.pits(request.user, self.verb)
            return rows.filter(Q(**{f"{self.pit_path}__in": within}) | Q(**{self.pit_path: None}))
        return rows


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
    fields = ("code", "name", "pit", "chip_set", "float_account", "patrons_account", "pot_account", "last_number")
    inlines = (InForceInline,)


@admin.register(Session)
class SessionAdmin(FloorAdmin):
    table_path = "table"
    list_display = ("table", "business_date", "status", "opened_at", "opened_by", "opened_with", "closed_at")
    list_filter = ("status", "business_date", "table")
    ordering = ("-id",)


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


class ActionInline(ReadOnlyInline):
    verb = Verb.READ_FLOOR
    model = Action
    fields = readonly_fields = ("ordinal", "at", "phase", "box", "what", "by", "terminal", "undoes")
    verbose_name_plural = "timeline"

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("by", "terminal")

    @admin.display(description="what")
    def what(self, action):
        kind = registry.GAMES[action.round.sheet.game].ACTIONS[action.kind]
        decimals = Casino.objects.get().currency_decimals
        told = [_shown(name, value, decimals) for name, value in action.arguments.items()]
        return f"{kind.label}: {', '.join(told)}" if told else kind.label


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
    search_fields = ("=number", "=table__code")
    ordering = ("-id",)
    fields = (
        "table", "number", "status", "phase", "sheet", "session", "settlement", "opened_by", "opened_at", "closed_at",
        "settled_at", "held_at", "failures", "payments", "explanation",
    )  # fmt: skip
    readonly_fields = ("payments", "explanation")
    inlines = (ActionInline, WagerInline)

    def get_search_results(self, request, queryset, search_term):
        """`T7-81` finds round 81 of table T7."""
        code, dash, number = search_term.strip().upper().partition("-")
        if dash and number.isascii() and number.isdigit():
            return queryset.filter(table__code=code, number=int(number)), False
        return super().get_search_results(request, queryset, search_term)

    @admin.display(description="explanation")
    def explanation(self, round_):
        found = results.of(round_)
        if found is None:
            return "Not settled."
        rows = ((box, text, clause) for box, clause, text in found.reasons)
        return format_html_join("", "<p><b>Box {}</b> {} <small>({})</small></p>", rows)

    @admin.display(description="payments")
    def payments(self, round_):
        found = results.of(round_)
        if found is None:
            return "Not settled."
        decimals = Casino.objects.get().currency_decimals
        words = registry.GAMES[round_.sheet.game].WORDS
        rows = (
            (box, words.get(outcome, outcome), *(spell(units, decimals) for units in units_of_box))
            for box, outcome, *units_of_box, _ in found.payments
        )
        line = "<p><b>Box {}</b> {}: staked {}, returned {}, paid {}, net <b>{}</b></p>"
        return format_html_join("", line, rows)


def _shown(name, value, decimals):
    """An argument as people read it: amounts in the currency, lists by their members."""
    if name == "units":
        return spell(value, decimals)
    return " ".join(value) if isinstance(value, list) else str(value)
