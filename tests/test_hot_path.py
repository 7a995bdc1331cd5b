"""No query of what happens all night reads a table from end to end, those within functions and triggers included."""

import json

import psycopg
import pytest
from django.db import connection

from tables import settling

from . import factories, stack

# What grows with every round.
GROWING = {
    "tables_round",
    "tables_action",
    "tables_line",
    "tables_box",
    "tables_hand",
    "tables_wager",
    "tables_intervention",
    "tables_dispute",
    "payouts_settlement",
    "payouts_payment",
    "payouts_paymenttick",
    "payouts_transfer",
    "payouts_movement",
    "audit_entry",
    "casino_command",
    "django_session",
}


@pytest.fixture
def explained(seeded_db):
    """The plan of each statement of this connection, however deep; an index is taken wherever one could serve."""
    with psycopg.connect(stack.cluster().url("postgres", seeded_db), autocommit=True) as superuser:
        for setting in (
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_nested_statements = on",
            "auto_explain.log_format = 'json'",
            "enable_seqscan = off",
            "client_min_messages = 'log'",
        ):
            superuser.execute(f'ALTER DATABASE "{seeded_db}" SET {setting}')
    plans = []

    def hear(notice):
        text = notice.message_primary or ""
        if "plan:\n" in text:
            plans.append(json.loads(text.split("plan:\n", 1)[1]))

    connection.close()
    connection.ensure_connection()
    connection.connection.add_notice_handler(hear)
    return plans


# They hold what waits, is held or is open, and no more.
SMALL = {"round_due", "round_held", "round_one_open"}


def whole_reads(plan):
    """The growing tables that a plan reads from end to end, by an index that does not choose too."""
    relation, index = plan.get("Relation Name"), plan.get("Index Name")
    if plan["Node Type"] == "Seq Scan" and relation in GROWING:
        yield relation
    if index and index not in SMALL and "Index Cond" not in plan and (relation in GROWING or relation is None):
        yield index
    for below in plan.get("Plans", ()):
        yield from whole_reads(below)


def test_commands_pages_and_settlement_ask_by_an_index(explained):
    table = factories.table("T1")
    anna = factories.client("anna")
    felt = f"/tables/{table.pk}/terminal/felt/"
    played = factories.play_round(table, factories.FLUSH_WINS)
    assert anna.get(felt).status_code == 200
    assert settling.settle_due() == 1
    assert anna.get(felt).status_code == 200
    opened = factories.send(anna, f"/api/v1/tables/{table.pk}/rounds/", {}).json()
    told = {"version": 0, "kind": "ante", "box": 1, "arguments": {"units": 500}}
    assert factories.send(anna, f"/api/v1/rounds/{opened['id']}/actions/", told).status_code == 200
    assert anna.get(felt).status_code == 200
    assert factories.send(anna, f"/api/v1/rounds/{opened['id']}/undo/", {"version": 1}).status_code == 200
    tick = factories.send(anna, f"/api/v1/rounds/{played.pk}/ticks/", {"generation": 1, "box": 1})
    assert tick.status_code == 200
    assert len(explained) > 300  # triggers and functions among them
    assert {name: plan["Query Text"] for plan in explained for name in whole_reads(plan["Plan"])} == {}
