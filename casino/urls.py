"""Every address of the product."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.http import HttpResponse
from django.urls import include, path, re_path

from tables import api as tables_api
from tables import live, views

from . import api


def healthz(request):
    """The process answers."""
    return HttpResponse("ok\n", content_type="text/plain")


api_v1 = [
    path("tables/", tables_api.Tables.as_view()),
    path("tables/<int:table_id>/rounds/", tables_api.TableRounds.as_view()),
    path("rounds/<int:round_id>/", tables_api.RoundDetail.as_view()),
    path("rounds/<int:round_id>/actions/", tables_api.RoundActions.as_view()),
    path("rounds/<int:round_id>/close/", tables_api.RoundClose.as_view()),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("login/", auth_views.LoginView.as_view(template_name="login.html"), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("tables/<int:table_id>/terminal/", views.terminal, name="terminal"),
    path("tables/<int:table_id>/terminal/felt/", views.felt, name="felt"),
    path("live/tables/<int:table_id>/", live.table_events, name="live"),
    path("api/", include([path("v1/", include(api_v1)), re_path("", api.not_found)])),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
]
