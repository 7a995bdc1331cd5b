"""Every address of the product."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path, re_path
from django.views.defaults import page_not_found

from audit import seal
from tables.rest import disputes as disputes_api
from tables.rest import floor as floor_api
from tables.rest import rounds as tables_api
from tables.rest import sessions as sessions_api
from tables.verbs import lateness

from .web import api_docs, health, rest

handler400 = "casino.web.limits.bad_request"

handler500 = "casino.web.failures.failed"

api_v1 = [
    path("tables/", tables_api.Tables.as_view()),
    path("tables/<int:table_id>/rounds/", tables_api.TableRounds.as_view()),
    path("tables/<int:table_id>/sessions/", sessions_api.TableSessions.as_view()),
    path("tables/<int:table_id>/sessions/close/", sessions_api.TableSessionClose.as_view()),
    path("tables/<int:table_id>/sign-on/", floor_api.TableSignOn.as_view()),
    path("tables/<int:table_id>/sign-off/", floor_api.TableSignOff.as_view()),
    path("tables/<int:table_id>/series/end/", floor_api.TableSeriesEnd.as_view()),
    path("tables/<int:table_id>/terminals/", floor_api.TableTerminals.as_view()),
    path("terminals/<int:terminal_id>/revoke/", floor_api.TerminalRevoke.as_view()),
    path("staff/<int:staff_id>/unlock/", floor_api.StaffUnlock.as_view()),
    path("rounds/<int:round_id>/", tables_api.RoundDetail.as_view()),
    path("rounds/<int:round_id>/actions/", tables_api.RoundActions.as_view()),
    path("rounds/<int:round_id>/undo/", tables_api.RoundUndo.as_view()),
    path("rounds/<int:round_id>/amend/", tables_api.RoundAmend.as_view()),
    path("rounds/<int:round_id>/close/", tables_api.RoundClose.as_view()),
    path("rounds/<int:round_id>/report/", tables_api.RoundReport.as_view()),
    path("rounds/<int:round_id>/release/", tables_api.RoundRelease.as_view()),
    path("rounds/<int:round_id>/void/", tables_api.RoundVoid.as_view()),
    path("rounds/<int:round_id>/corrections/", tables_api.RoundCorrections.as_view()),
    path("rounds/<int:round_id>/disputes/", disputes_api.RoundDisputes.as_view()),
    path("rounds/<int:round_id>/ticks/", tables_api.RoundTicks.as_view()),
    path("disputes/<int:dispute_id>/", disputes_api.DisputeDetail.as_view()),
    path("disputes/<int:dispute_id>/rule/", disputes_api.DisputeRule.as_view()),
    path("schema/", api_docs.Schema.as_view(), name="api-schema"),
    path("docs/", api_docs.docs, name="api-docs"),
]

urlpatterns = [
    path("", include("tables.pages.urls")),
    path("", include("tables.terminal.urls")),
    path("login/", auth_views.LoginView.as_view(template_name="login.html"), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("api/", include([path("v1/", include(api_v1)), re_path("", rest.not_found)])),
    # Django's way from an object in the admin to its page on the site: it finds objects of any table, and we have none.
    re_path("^admin/r/", page_not_found, {"exception": None}),
    path("admin/", admin.site.urls),
    path("healthz", health.healthz, name="healthz"),
    path(
        "readyz",
        health.readyz(database=health.database, broker=health.broker, settlement=lateness.measure, log=seal.measure),
        name="readyz",
    ),
]
