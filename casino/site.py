"""The admin's site. It registers nothing: Django resolves it while it is still discovering pages."""

from functools import wraps

from csp.decorators import csp
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from unfold.sites import UnfoldAdminSite

from .models import Casino
from .roles import Right


class Site(UnfoldAdminSite):
    """A person with the right to read the admin may enter; each page asks for its own right."""

    index_template = "admin/index.html"
    index_title = "The house"

    def check(self, app_configs):
        """What the system checks find in the pages; load these first, since the addresses may not have done so yet."""
        admin.autodiscover()
        return super().check(app_configs)

    def has_permission(self, request):
        return request.user.is_authenticated and request.user.has_perm(Right.READ_ADMIN)

    def login(self, request, extra_context=None):
        """Redirect to the one login page; refuse a person who is logged in and has no right here."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        return redirect_to_login(request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index"))

    def index(self, request, extra_context=None):
        """The first page: for whoever may read it the floor, which is not a page of the admin."""
        if request.user.has_perm(Right.READ_FLOOR):
            return redirect("home")
        return self.house(request)

    def house(self, request):
        """How the house stands: settlement, the log, inspections and disputes, as far as each person may read them."""
        return super().index(request)

    def get_urls(self):
        return [path("house/", self.admin_view(self.house), name="house"), *super().get_urls()]

    def password_change(self, request, extra_context=None):
        """A password is changed by a verb that writes to the log, never past it."""
        raise Http404

    def autocomplete_view(self, request):
        """None of our pages asks for it, and it would show people without an entry in the log."""
        raise Http404

    def admin_view(self, view, cacheable=False):
        """Every page of the admin in the casino's time. Unfold's own pages, which it gives as a TemplateResponse, are
        under a relaxed policy: its Alpine evaluates expressions. Ours, in `admin/frame.html`, and all else are under a
        strict one."""

        def in_local_time(request, *args, **kwargs):
            timezone.activate(Casino.objects.values_list("time_zone", flat=True).first() or "UTC")
            return view(request, *args, **kwargs)

        inner = super().admin_view(in_local_time, cacheable)

        @wraps(inner)
        def guarded(request, *args, **kwargs):
            answer = inner(request, *args, **kwargs)
            unfolds = isinstance(answer, TemplateResponse) and answer.template_name != self.index_template
            policy = settings.ADMIN_CONTENT_SECURITY_POLICY if unfolds else settings.FRAME_CONTENT_SECURITY_POLICY
            return csp(policy)(lambda: answer)()

        return guarded
