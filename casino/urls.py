"""Every address of the product."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path, re_path
from django.views.defaults import page_not_found

from audit import inspections, status
from tables.verbs import lateness

from .web import api_docs, health, rest

# Each app's `admin` registers its pages.
admin.autodiscover()

handler400 = "casino.web.limits.bad_request"
handler403 = "tables.pages.language.denied"
handler404 = "tables.pages.language.not_found"
handler500 = "casino.web.failures.failed"

api_v1 = [
    path("", include("tables.rest.urls")),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.docs, name="api-docs"),
]

urlpatterns = [
    path("", include("tables.pages.urls")),
    path("", include("tables.terminal.urls")),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("api/", include([path("v1/", include(api_v1)), re_path("", rest.not_found)])),
    # Django's way from an object in the admin to its page on the site: it finds objects of any table, and we have none.
    re_path("^admin/r/", page_not_found, {"exception": None}),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
    path(
        "readyz",
        health.readyz(
            database=health.database,
            broker=health.broker,
            settlement=lateness.measure,
            log=status.measure,
            inspection=inspections.measure,
        ),
        name="readyz",
    ),
]
