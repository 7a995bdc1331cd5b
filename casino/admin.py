"""The admin's site, and the base of its pages: read-only, each by a verb of roles.py."""

from csp.decorators import csp
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import ForeignKey
from django.urls import reverse
from django.utils import timezone
from unfold.admin import ModelAdmin, TabularInline
from unfold.sites import UnfoldAdminSite

from .models import Casino, ChipSet, Staff
from .money import spell
from .roles import Verb


class Site(UnfoldAdminSite):
    """Who holds the right to read the admin may enter; each page asks for its own right."""

    def has_permission(self, request):
        return request.user.is_authenticated and request.user.has_perm(Verb.READ_ADMIN)

    def login(self, request, extra_context=None):
        """There is one login page; who is logged in and has no right here is told so."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        return redirect_to_login(request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index"))

    def admin_view(self, view, cacheable=False):
        """Every page of the admin in the casino's time, under its own, relaxed policy: unfold's Alpine evaluates
        expressions."""

        def in_local_time(request, *args, **kwargs):
            timezone.activate(Casino.objects.values_list("time_zone", flat=True).first() or "UTC")
            return view(request, *args, **kwargs)

        return csp(settings.ADMIN_CONTENT_SECURITY_POLICY)(super().admin_view(in_local_time, cacheable))


class _ReadOnly:
    """Shows rows and changes none; `verb` is the right that it takes."""

    verb = None

    def has_view_permission(self, request, obj=None):
        return request.user.has_perm(self.verb)

    def has_add_permission(self, request, obj=None):
        return False

    def has_change_permission(self, request, obj=None):
        return False

    def has_delete_permission(self, request, obj=None):
        return False


class ReadOnlyAdmin(_ReadOnly, ModelAdmin):
    """A page of the admin. Lists follow their foreign keys in one query."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request):
        return self.has_view_permission(request)

    def get_list_select_related(self, request):
        keys = {field.name for field in self.model._meta.fields if isinstance(field, ForeignKey)}
        return self.list_select_related or tuple(name for name in self.list_display if name in keys) or False


class ReadOnlyInline(_ReadOnly, TabularInline):
    """Rows of another model on the page of one."""

    extra = 0
    tab = True
    show_change_link = False


def amount(field, label):
    """A column that spells an amount in the casino's currency, and sorts by it."""

    @admin.display(description=label, ordering=field)
    def column(self, row):
        units = getattr(row, field)
        return "" if units is None else spell(units, Casino.objects.get().currency_decimals)

    return column


@admin.register(Staff)
class StaffAdmin(ReadOnlyAdmin):
    verb = Verb.READ_FLOOR
    list_display = ("login", "name", "ref", "is_active")
    search_fields = ("login", "name")
    fields = ("login", "name", "is_active", "last_login", "added_at")


@admin.register(Casino)
class CasinoAdmin(ReadOnlyAdmin):
    verb = Verb.READ_FLOOR
    list_display = ("name", "code", "currency", "time_zone", "day_starts_at")


@admin.register(ChipSet)
class ChipSetAdmin(ReadOnlyAdmin):
    verb = Verb.READ_FLOOR
    list_display = ("name", "denominations")
