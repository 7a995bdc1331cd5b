"""Every address of the product."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path, re_path
from django.views.defaults import page_not_found

from audit import status
from tables.pages import dispute as dispute_page
from tables.pages import enrol as floor_views
from tables.pages import home as views
from tables.pages import round as round_page
from tables.pages import rules as rules_page
from tables.pages import session as session_page
from tables.terminal import live
from tables.verbs import lateness

from .web import api_docs, health, rest

handler400 = "casino.web.limits.bad_request"

handler500 = "casino.web.failures.failed"

api_v1 = [
    path("", include("tables.rest.urls")),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.docs, name="api-docs"),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", auth_views.LoginView.as_view(template_name="login.html"), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("tables/<int:table_id>/terminal/", views.terminal, name="terminal"),
    path("tables/<int:table_id>/terminal/felt/", views.felt, name="felt"),
    path("tables/<int:table_id>/enrol/", floor_views.enrol, name="enrol"),
    path("tables/<int:table_id>/rules/", rules_page.page, name="rules"),
    path("tables/<int:table_id>/session/", session_page.of_table, name="table-session"),
    path("sessions/<int:session_id>/", session_page.page, name="session"),
    path("rounds/<int:round_id>/", round_page.page, name="round"),
    path("rounds/<int:round_id>/preview/", round_page.correction_preview, name="round-preview"),
    path("disputes/<int:dispute_id>/", dispute_page.page, name="dispute"),
    path("disputes/<int:dispute_id>/what-if/", dispute_page.what_if, name="dispute-what-if"),
    path("live/tables/<int:table_id>/", live.table_events, name="live"),
    path("api/", include([path("v1/", include(api_v1)), re_path("", rest.not_found)])),
    # Django's way from an object in the admin to its page on the site: it finds objects of any table, and we have none.
    re_path("^admin/r/", page_not_found, {"exception": None}),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
    path(
        "readyz",
        health.readyz(database=health.database, broker=health.broker, settlement=lateness.measure, log=status.measure),
        name="readyz",
    ),
]
