"""No query of what happens all night reads more than it needs, those within functions and triggers included."""

import json

import psycopg
import pytest
from django.db import connection

from audit import history
from audit.models import Entry
from tables.lab import house
from tables.verbs import settling

from ..support import factories, stack

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
}
ROUNDS = 1500
# A round has some thirty entries at most, and what is asked of the last hour some sixty rounds.
MOST = 200


@pytest.fixture
def explained(seeded_db):
    """A house of many rounds, and each statement of this connection as it was executed, however deep."""
    table = factories.table("T1")
    factories.settled_round(table, factories.FLUSH_WINS)
    with psycopg.connect(stack.cluster().url("postgres", seeded_db), autocommit=True) as superuser:
        house.fill(superuser, ROUNDS)
        for setting in (
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_nested_statements = on",
            "auto_explain.log_analyze = on",
            "auto_explain.log_timing = off",
            "auto_explain.log_format = 'json'",
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


def read(plan):
    """The rows of growing tables that a plan looked at, as (table, how many)."""
    if plan.get("Relation Name") in GROWING and "Scan" in plan["Node Type"]:
        looked = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
        yield plan["Relation Name"], looked * plan["Actual Loops"]
    for below in plan.get("Plans", ()):
        yield from read(below)


def test_commands_pages_and_settlement_read_no_more_than_they_need(explained):
    table = factories.table("T1")
    anna = factories.client("anna")
    felt = f"/tables/{table.pk}/terminal/felt/"
    played = factories.play_round(table, factories.FLUSH_WINS)
    assert played.number == ROUNDS + 1
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
    looked = [(name, rows, one["Query Text"]) for one in explained for name, rows in read(one["Plan"])]
    assert {name for name, *_ in looked} > {"tables_round", "tables_action", "payouts_settlement", "audit_entry"}
    assert [asked for asked in looked if asked[1] > MOST] == []


def test_what_the_auditor_looks_for_is_found_by_an_index(explained):
    """Rare things among many, each field alone and several together, far back too."""
    round_ = factories.settled_round(factories.table("T1"))
    factories.void(factories.open_round(factories.table("T1")))
    # Further back lies many times what is looked at: of hardly more, all may be read and sorted as well.
    david, past = factories.client("david"), Entry.objects.order_by("at")[Entry.objects.count() // 2].at
    past = f"{past}_{Entry.objects.filter(at=past).latest('id').pk}"
    assert Entry.objects.count() > 15 * history.LOOKED_AT
    explained.clear()
    search = "/admin/audit/entry/?"
    for query in (
        "", "table=house", "table=table:1", "event=round.voided", "event=round", "event=round.acted", "staff=anna",
        "staff=clara", "staff=system", "subject=T1-3", f"before={past}", f"table=table:1&before={past}",
        "staff=clara&table=table:1", "table=table:1&event=staff", "staff=anna&event=round.closed", "from=2026-01-01",
        "to=2026-01-01&table=table:1",
    ):  # fmt: skip
        assert david.get(search + query).context["page"]["problems"] == {}, query
    assert david.get(f"/admin/audit/entry/round/{round_.pk}/").status_code == 200
    looked = [(name, rows, one["Query Text"]) for one in explained for name, rows in read(one["Plan"])]
    for _, rows, asked in looked:
        assert rows <= history.LOOKED_AT + MOST, asked
    assert sum(rows for name, rows, _ in looked if name == "audit_entry") > history.LOOKED_AT
