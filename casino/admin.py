"""The base of the admin's pages: read-only, each by a right of roles.py; and the pages of the ground."""

import re

from django.contrib import admin
from django.contrib.auth import admin as auth_admin  # noqa: F401 - it registers groups, which we take back below
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import ForeignKey
from django.http import Http404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from unfold.admin import ModelAdmin, TabularInline

from .models import Casino, ChipSet, Setting, Staff
from .money import spell
from .roles import Right

_finders = []
_namers = []
_recorders = []
# Values that say nothing about a person in an address: a number, a day or a moment, yes or no.
_PLAIN = re.compile(
    r"(?:[0-9]{1,20}|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T+:.0-9]{0,30})|True|False)(?:,[0-9]{1,20})*\Z", re.ASCII
)


def finds_rounds(finder):
    """Register a function that finds rounds by their names: the layers below the rounds know only their references.

    :param finder: from a search's words to a queryset of references such as `round:81`, or None if they name none.
    """
    _finders.append(finder)
    return finder


def names_rounds(namer):
    """Register a function that names rounds, for the layers below the rounds.

    :param namer: from references such as `round:81` to a dict of them to the round's number and its game's code.
    """
    _namers.append(namer)
    return namer


def records_looks(recorder):
    """Register a function that is called with the request, what is read and the range, before rows are shown: the log
    lies above the admin's base."""
    _recorders.append(recorder)
    return recorder


def _capital(words):
    return f"{words[0].upper()}{words[1:]}"


def _leads(name, number, words):
    """A link to a page of the product, by its name."""
    return format_html('<a class="way" href="{}">{}</a>', reverse(name, args=[number]), words)


class _ReadOnly:
    """Shows rows and changes none; `right` is the right that it takes."""

    right = None

    def has_view_permission(self, request, obj=None):
        return request.user.has_perm(self.right)

    def has_add_permission(self, request, obj=None):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class ReadOnlyAdmin(_ReadOnly, ModelAdmin):
    """A page of the admin. Lists follow their foreign keys in one query.

    `round_ref` leads from a row to the reference of its round: then a search by the round's name finds the row, and
    `round_name` shows it. A look at a `recorded` page is recorded in one transaction with what was read
    (`records_looks`): what can't be recorded is not shown.
    """

    round_ref = None
    recorded = True
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request):
        return self.has_view_permission(request)

    def lookup_allowed(self, lookup, value, request=None):
        """A list filtered by a hash, a token or a salt would give it away, digit by digit."""
        hidden = any(word in lookup for word in ("password", "token", "salt"))
        return not hidden and super().lookup_allowed(lookup, value, request)

    def changelist_view(self, request, extra_context=None):
        named = {"title": _capital(self.model._meta.verbose_name_plural)} | (extra_context or {})
        return self._shown(request, None, super().changelist_view, extra_context=named)

    def _get_obj_does_not_exist_redirect(self, request, opts, object_id):
        """An object out of reach and one that does not exist get the same answer, as everywhere."""
        raise Http404

    def changeform_view(self, request, object_id=None, form_url="", extra_context=None):
        return self._shown(
            request, object_id, super().changeform_view, object_id, form_url, extra_context=extra_context
        )

    def history_view(self, request, object_id, extra_context=None):
        """Refuse Django's own history, which would have nothing to show: the log has it."""
        raise Http404

    def _shown(self, request, object_id, view, *arguments, **named):
        """A view's answer, recorded as a look."""
        with transaction.atomic():
            answer = view(request, *arguments, **named)
            if self.recorded and isinstance(answer, TemplateResponse) and answer.status_code == 200:
                answer.render()
                what, within = self.model._meta.model_name, None
                if object_id:
                    what = f"{what}:{answer.context_data['original'].pk}"
                else:
                    within = self._range(request)
                for recorder in _recorders:
                    recorder(request, what=what, within=within)
        return answer

    def _range(self, request):
        """Which rows a list was asked for: its page, order and filters, never what was typed into the search."""
        asked = {}
        for name, value in request.GET.items():
            field = name.split("__")[0]
            known = {choice for choice, _ in getattr(self._field(field), "flatchoices", ())}
            if name == "q":
                asked["search"] = True
            elif self._field(field) or name in {"p", "o", "all"}:
                asked[name[:80]] = value if value in known or _PLAIN.match(value) else True
        return asked or None

    def _field(self, name):
        return {field.name: field for field in self.model._meta.fields}.get(name)

    def get_search_results(self, request, queryset, search_term):
        if self.round_ref:
            for finder in _finders:
                refs = finder(search_term)
                if refs is not None:
                    return queryset.filter(**{f"{self.round_ref}__in": refs}), False
        return super().get_search_results(request, queryset, search_term)

    def get_changelist_instance(self, request):
        """The rounds of a list's rows are named in one go."""
        changelist = super().get_changelist_instance(request)
        if self.round_ref:
            changelist.result_list = list(changelist.result_list)
            named = self._named(changelist.result_list)
            for row in changelist.result_list:
                row.round_named = named.get(self._round_of(row))
        return changelist

    def _round_of(self, row):
        """The reference of a row's round, None if it belongs to none."""
        for step in self.round_ref.split("__"):
            row = row and getattr(row, step)
        return row

    def _named(self, rows):
        refs = {ref for row in rows if (ref := self._round_of(row))}
        return {ref: name for namer in _namers for ref, name in namer(refs).items()}

    def round_of(self, row):
        """A row's round as its number and its game's code; its reference and no game if nobody knows the round."""
        if not hasattr(row, "round_named"):
            row.round_named = self._named([row]).get(self._round_of(row))
        return row.round_named or (self._round_of(row) or "", None)

    @admin.display(description="round")
    def round_name(self, row):
        """A row's round, which leads to its page; a reference that nobody knows leads nowhere."""
        name, game = self.round_of(row)
        return _leads("round", self._round_of(row).partition(":")[2], name) if game else name

    def get_list_select_related(self, request):
        keys = {field.name for field in self.model._meta.fields if isinstance(field, ForeignKey)}
        return self.list_select_related or tuple(name for name in self.list_display if name in keys) or False


class ReadOnlyInline(_ReadOnly, TabularInline):
    """Rows of another model on the page of one."""

    extra = 0
    tab = True
    hide_title = True
    show_change_link = False


def amount(field, label):
    """A column that spells an amount in the casino's currency, and sorts by it."""

    @admin.display(description=label, ordering=field)
    def column(self, row):
        units = getattr(row, field)
        return "" if units is None else spell(units, Casino.objects.get().currency_decimals)

    return column


# Rights are roles.py; Django's groups stay empty and the app's role may not even read them.
admin.site.unregister(Group)


@admin.register(Staff)
class StaffAdmin(ReadOnlyAdmin):
    right = Right.READ_FLOOR
    list_display = ("login", "name", "ref", "is_active")
    search_fields = ("login", "name")
    fields = ("login", "name", "is_active", "last_login", "added_at")

    def get_fields(self, request, obj=None):
        return (*self.fields, "logins") if request.user.has_perm(Right.LOG_OUT) else self.fields

    @admin.display(description="logged in")
    def logins(self, row):
        return format_html('<a class="way" href="{}">Where they’re logged in</a>', reverse("logins", args=[row.pk]))


@admin.register(Casino)
class CasinoAdmin(ReadOnlyAdmin):
    right = Right.READ_FLOOR
    recorded = False
    list_display = ("name", "code", "currency", "time_zone", "day_starts_at")


@admin.register(Setting)
class SettingAdmin(ReadOnlyAdmin):
    """All changes of the house's settings, withdrawn ones too; how each stands is a page of its own."""

    right = Right.READ_SETTINGS
    list_display = ("name", "value", "from_at", "proposed_by", "approved_by", "withdrawn_at")
    list_filter = ("name",)
    ordering = ("-from_at", "-id")
    fields = ("page", "name", "value", "from_at", "proposed_by", "approved_by", "withdrawn_at")
    readonly_fields = ("page",)

    @admin.display(description="how it stands")
    def page(self, row):
        return format_html('<a class="underline" href="{}">Settings of the house</a>', reverse("settings"))


@admin.register(ChipSet)
class ChipSetAdmin(ReadOnlyAdmin):
    right = Right.READ_FLOOR
    recorded = False
    list_display = ("name", "denominations")
