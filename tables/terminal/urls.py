"""The addresses of a table's terminal."""

from django.urls import path

from . import live, page

urlpatterns = [
    path("tables/<int:table_id>/terminal/", page.page, name="terminal"),
    path("tables/<int:table_id>/terminal/felt/", page.felt, name="felt"),
    path("sessions/<int:session_id>/paper/", page.late_page, name="late-paper"),
    path("sessions/<int:session_id>/paper/felt/", page.late_felt, name="late-felt"),
    path("live/slips/", live.slip_events, name="live-slips"),
    path("live/cage/", live.cage_events, name="live-cage"),
    path("live/drop-boxes/", live.drop_box_events, name="live-drop-boxes"),
    path("live/tips/", live.tips_events, name="live-tips"),
    path("live/floor/", live.floor_events, name="live-floor"),
    path("live/people/", live.people_events, name="live-people"),
    path("live/asked/", live.asked_events, name="live-asked"),
    path("live/floor/tables/", live.place_events, name="live-places"),
    path("live/tables/<int:table_id>/", live.table_events, name="live"),
]
