from django.db import migrations

from casino.database import AppendOnly, EndsOnce, Grant, Keeps, Kept, Sql, Timed

GROWING = ("tables_action", "tables_line", "tables_inforce", "tables_intervention")
KEPT = tuple(
    f"tables_{name}"
    for name in ("pit", "table", "terminal", "posting", "signon", "session", "series", "rulesheet", "round", "dispute")
)

# fmt: off
# What the auditor's role reads: all but the salts, without which the hashes of the texts tell nothing.
OF_INTERVENTION = (
    "id", "round_id", "ordinal", "kind", "clause", "box", "reason", "line_id", "by_id", "approved_by_id",
    "terminal_id", "at",
)
OF_DISPUTE = (
    "id", "round_id", "status", "about", "boxes", "statement", "raised_by_id", "terminal_id", "raised_at", "ruling",
    "clause", "reason", "line_id", "ruled_by_id", "approved_by_id", "ruled_at", "closed_at",
)
# fmt: on


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_tables"), ("payouts", "0002_guards"), ("audit", "0002_guards")]

    operations = [
        Sql("floor.sql", "be37c48d2089fe7ff7cf4da99b0ffc53012b68920c58b89ce730862ef30cc19e"),
        Sql("rulesheets.sql", "d18cdfe60c1a1ab50e6a7519229ff3dc605d49403d6b36b80725bd5a97e30652"),
        Sql("sessions.sql", "603cc275d082c3943d09250a169e82510935b5c486101a7acd52db091348b9c4"),
        Sql("rounds.sql", "1659656b04c633478e4cddd73e9c2a4526bdc76336a5188e12ad076cc45f683b"),
        Sql("actions.sql", "b3707e6d7adcc83271e9b35de1b2aef7c3dcdd39d9a015872df1d0e8dc62feb1"),
        Sql("lines.sql", "d5d4f7927f64b0a60a8fdec72902d05bf984a4fe3a76312681e72ee3c6a7bbcf"),
        Sql("interventions.sql", "558495c7a970be316cf6f6aea6db3aca1b3c84e6b13e554c672553f45573fc70"),
        Sql("disputes.sql", "602f7171f9a1ee7ae7f723c520d3cb3844de78b93d22a7dd1d9bfab06a08b7e9"),
        Sql("settlements.sql", "4a0413fca97d23e8f6e38d13258e0b96c12ff0e0dd2c8d63326ca5ad30c69650"),
        Sql(
            "settling.sql",
            "1005e71bc41af983fea729bc8f4aea2396638bddb41a24bf773572a217f852c1",
            calls=["lease_rounds(int, int, interval, interval)", "read_rounds(bigint[])", "take_rounds(bigint[])"],
        ),
        *(AppendOnly(table) for table in GROWING),
        *(Kept(table) for table in KEPT),
        Keeps("tables_table", "id", "code", "name", "pit_id", "chip_set_id"),
        Keeps("tables_session", "id"),
        Keeps(
            "tables_rulesheet", "id", "game", "version", "values", "coefficient_table_id", "drafted_by_id", "drafted_at"
        ),
        Keeps("tables_round", "id"),
        EndsOnce("tables_posting", "ended_at"),
        EndsOnce("tables_signon", "signed_off_at"),
        EndsOnce("tables_terminal", "revoked_at"),
        EndsOnce("tables_series", "closed_at", "status"),
        Timed("tables_posting", "posted_at", "ended_at"),
        Timed("tables_signon", "signed_on_at", "signed_off_at"),
        Timed("tables_terminal", "enrolled_at", "revoked_at"),
        Timed("tables_session", "opened_at", "closed_at"),
        Timed("tables_series", "opened_at", "closed_at"),
        Timed("tables_rulesheet", "drafted_at", "published_at"),
        Timed("tables_round", "opened_at", "held_at", "closed_at", "settled_at"),
        Timed("tables_dispute", "raised_at", "ruled_at", "closed_at"),
        *(Timed(f"tables_{name}", "at") for name in ("action", "line", "intervention")),
        *(Grant(f"tables_{name}", "SELECT, INSERT") for name in ("action", "line", "inforce", "pit")),
        *(
            Grant(f"tables_{name}", "SELECT, INSERT, UPDATE")
            for name in ("table", "posting", "signon", "session", "series", "rulesheet", "round")
        ),
        Grant(
            "tables_terminal", "SELECT, INSERT, UPDATE", columns=("id", "table_id", "name", "enrolled_at", "revoked_at")
        ),
        Grant("tables_intervention", "SELECT, INSERT", columns=OF_INTERVENTION),
        Grant("tables_dispute", "SELECT, INSERT, UPDATE", columns=OF_DISPUTE),
        *(Grant(f"tables_{name}", "SELECT, INSERT, UPDATE, DELETE") for name in ("box", "hand", "wager")),
    ]
