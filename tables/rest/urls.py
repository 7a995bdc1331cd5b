"""The addresses of REST, below /api/v1/."""

from django.urls import path

from . import disputes, rounds, sessions, staff, tables, terminals

urlpatterns = [
    path("tables/", tables.Tables.as_view()),
    path("tables/<int:table_id>/rounds/", tables.TableRounds.as_view()),
    path("tables/<int:table_id>/sessions/", sessions.TableSessions.as_view()),
    path("tables/<int:table_id>/sessions/close/", sessions.TableSessionClose.as_view()),
    path("tables/<int:table_id>/sign-on/", staff.TableSignOn.as_view()),
    path("tables/<int:table_id>/sign-off/", staff.TableSignOff.as_view()),
    path("tables/<int:table_id>/series/end/", tables.TableSeriesEnd.as_view()),
    path("tables/<int:table_id>/terminals/", terminals.TableTerminals.as_view()),
    path("terminals/<int:terminal_id>/revoke/", terminals.TerminalRevoke.as_view()),
    path("staff/<int:staff_id>/unlock/", staff.StaffUnlock.as_view()),
    path("rounds/<int:round_id>/", rounds.RoundDetail.as_view()),
    path("rounds/<int:round_id>/actions/", rounds.RoundActions.as_view()),
    path("rounds/<int:round_id>/undo/", rounds.RoundUndo.as_view()),
    path("rounds/<int:round_id>/amend/", rounds.RoundAmend.as_view()),
    path("rounds/<int:round_id>/close/", rounds.RoundClose.as_view()),
    path("rounds/<int:round_id>/report/", rounds.RoundReport.as_view()),
    path("rounds/<int:round_id>/release/", rounds.RoundRelease.as_view()),
    path("rounds/<int:round_id>/void/", rounds.RoundVoid.as_view()),
    path("rounds/<int:round_id>/corrections/", rounds.RoundCorrections.as_view()),
    path("rounds/<int:round_id>/disputes/", disputes.RoundDisputes.as_view()),
    path("rounds/<int:round_id>/ticks/", rounds.RoundTicks.as_view()),
    path("disputes/<int:dispute_id>/", disputes.DisputeDetail.as_view()),
    path("disputes/<int:dispute_id>/rule/", disputes.DisputeRule.as_view()),
]
