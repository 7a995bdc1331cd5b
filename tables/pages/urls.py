"""The addresses of the pages."""

from django.urls import path

from . import account, cage, calls, cases, dispute, enrol, home, login, round, rules, scanner, session, settings, slips

urlpatterns = [
    path("", home.page, name="home"),
    path("calls/", calls.rows, name="calls"),
    path("calls/corner/", calls.corner, name="corner"),
    path("login/", login.Login.as_view(), name="login"),
    path("account/", account.page, name="account"),
    path("staff/<int:staff_id>/logins/", account.of_person, name="logins"),
    path("tables/<int:table_id>/enrol/", enrol.page, name="enrol"),
    path("terminals/<int:terminal_id>/scanner/", scanner.page, name="scanner"),
    path("tables/<int:table_id>/rules/", rules.page, name="rules"),
    path("tables/<int:table_id>/session/", session.of_table, name="table-session"),
    path("sessions/<int:session_id>/", session.page, name="session"),
    path("sessions/<int:session_id>/count/", session.count, name="session-count"),
    path("settings/", settings.page, name="settings"),
    path("cage/", cage.page, name="cage"),
    path("cage/count/", cage.count, name="cage-count"),
    path("cage/shifts/<int:shift_id>/", cage.of_shift, name="cage-shift"),
    path("cases/", cases.all_of_them, name="cases"),
    path("cases/<int:case_id>/", cases.page, name="case"),
    path("slips/", slips.all_of_them, name="slips"),
    path("slips/<int:slip_id>/", slips.page, name="slip"),
    path("slips/<int:slip_id>/paper/", slips.paper, name="slip-paper"),
    path("tables/<int:table_id>/slips/new/", slips.new, name="slip-new"),
    path("rounds/<int:round_id>/", round.page, name="round"),
    path("rounds/<int:round_id>/preview/", round.preview, name="round-preview"),
    path("disputes/<int:dispute_id>/", dispute.page, name="dispute"),
    path("disputes/<int:dispute_id>/what-if/", dispute.what_if, name="dispute-what-if"),
]
