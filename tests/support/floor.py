"""A database with a row of everything, which each role tries to change."""

from string import Template
from tempfile import mkdtemp

import psycopg
import pytest
from django.db import transaction
from django.test import override_settings

from audit import exports, inspections, log, seal, sealer
from audit.models import Finding, Inspection
from casino.running import embedded
from casino.running.embedded.cluster import SUPERUSER
from payouts.models import Account, Coefficient, CoefficientTable, Transfer
from tables.management.commands.seed_demo import OPENER
from tables.models import CageShift, Case, LuckDay, RuleSheet, Series
from tables.verbs import luck

from . import factories, stack

# A changed row is a new version of it: at another place, made by another transaction.
VERSION = "concat(ctid, xmin)"
# What reveals a change of tables, triggers, functions and roles.
SHAPE = {
    "pg_class": "concat(oid, relname, relacl, relowner)",
    "pg_trigger": "concat(oid, tgname, tgenabled)",
    "pg_proc": "concat(oid, proname, prosrc)",
    "pg_roles": "concat(oid, rolname, rolsuper)",
}


class Floor:
    """A database with a row of everything, their ids by name, and a connection for each role."""

    def __init__(self, database):
        self.database = database
        self.names = rows() | {"database": database}
        _sealed()
        self._known = None
        self.connections = {
            role: stack.cluster().connect(role, database)
            for role in (embedded.APP, embedded.SEALER, embedded.AUDITOR, embedded.OWNER, SUPERUSER)
        }
        # As an auditor passed it over.
        self.connections[embedded.OWNER].execute(
            "INSERT INTO audit_passedleaf (index, chain_id, seq, hash)"
            " SELECT index, chain_id, seq, hash FROM audit_leaf ORDER BY index LIMIT 1"
        )
        # As the closing of its day writes it.
        self.connections[embedded.OWNER].execute(
            "INSERT INTO tables_sessionfigures"
            " SELECT min(id), '{}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 FROM tables_session"
        )
        self.connections[embedded.OWNER].execute(
            "INSERT INTO tables_housefigures SELECT min(id), NULL, 0, 0, 0, 0, 0, 0, 0, 0 FROM tables_gamingday"
        )
        tables = self.as_owner(
            "SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1"
        )
        # Sums, since sorting the rows of so many tables takes ten times as long.
        self._look = " UNION ALL ".join(
            f"SELECT '{name}', count(*), sum(hashtextextended({what}, 0)) FROM {name}"
            for name, what in {**{name: VERSION for (name,) in tables}, **SHAPE}.items()
        )

    def as_owner(self, sql):
        return self.connections[embedded.OWNER].execute(sql).fetchall()

    def content(self):
        """A fingerprint of all rows of all tables, and of SHAPE."""
        return sorted(self.as_owner(self._look))

    def run(self, role, sql):
        """Statements in one transaction, committed at the end unless they begin one of their own."""
        self._known = None
        return self._send(role, sql)

    def _send(self, role, sql):
        connection = self.connections[role]
        try:
            return connection.execute(Template(sql).substitute(self.names))
        finally:
            if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                connection.rollback()

    def refuses(self, role, sql, error, says):
        before = self._known or self.content()
        with pytest.raises(error, match=says) as refused:
            self._send(role, sql)
        assert refused.type is error
        self._known = self.content()
        assert self._known == before


def rows():
    """Make at least one row in every append-only table; return ids by the names that attacks.py knows."""
    corrected = factories.correct(factories.settled_round(factories.table()), {"boxes[0].cards[4]": "8h"})
    factories.add_app("olga")
    factories.report_file()
    factories.computed_edge()
    luck.keep_up()
    factories.report_token()
    factories.answer_question(factories.question())
    settled, closed, opened, sheet_draft, ratios_draft = factories.furnish()
    one, two, three = settled.table, closed.table, opened.table
    four, shut = factories.table("G2"), factories.close_session(factories.table("G1"), OPENER)
    five = factories.raked_table()
    shut_round = factories.settled_at_a_closed_table()
    late = factories.late_paper(shut_round.session)
    counted, due = factories.day_with_tips(), factories.day_with_tips()
    factories.counted_tips(counted, {"500": 1})
    tip = factories.tip(one, 500)
    with transaction.atomic():
        exports.ask(kind="all", by=factories.person("david"))
    Series.objects.create(table=two, session=closed.session, game="split", seats=[1, 2])
    ratios = CoefficientTable.objects.get(status=CoefficientTable.Status.PUBLISHED)
    wager = Transfer.objects.get(units=10000, settlement=settled.settlement)
    return {
        "anna": factories.person("anna").pk,
        "clara": factories.person("clara").pk,
        "hugo": factories.person("hugo").pk,
        "settled": settled.pk,
        "closed": closed.pk,
        "luck_day": LuckDay.objects.get(table=corrected.table_id).pk,
        "open": opened.pk,
        "corrected": corrected.pk,
        "reversal": Transfer.objects.filter(settlement=corrected.settlement, reason="reversal").first().pk,
        "reversed": Transfer.objects.filter(settlement=corrected.settlement, reason="reversal").first().reverses_id,
        "date": settled.session.business_date,
        "settlement": settled.settlement_id,
        "transfer": wager.pk,
        "ante": Transfer.objects.get(units=500, settlement=settled.settlement).pk,
        "movement": Transfer.objects.filter(movement__subject__startswith="session:").first().movement_id,
        "dispute": settled.disputes.get().pk,
        "call": one.alarms.get().pk,
        "fill": one.slips.get(kind="fill").pk,
        "credit": one.slips.get(kind="credit").pk,
        "shift": CageShift.objects.get().pk,
        "case": Case.objects.get(kind="variance").pk,
        "session_varied": Case.objects.get(kind="variance").subject_id,
        "drop_box": one.drop_boxes.get().pk,
        "bought": one.drop_boxes.get().buy_ins.get().pk,
        "cash1": Account.objects.get(kind="drop_box", owner=one.ref).pk,
        "tip": tip.pk,
        "day_counted": counted,
        "day_due": due,
        "terminal": one.terminals.get().pk,
        "payment": settled.settlement.payments.get(box=1).pk,
        "float": one.float_account_id,
        "patrons": one.patrons_account_id,
        "pot": one.pot_account_id,
        "float2": two.float_account_id,
        "patrons2": two.patrons_account_id,
        "table1": one.pk,
        "table2": two.pk,
        "table3": three.pk,
        "table4": four.pk,
        "float4": four.float_account_id,
        "session4": four.sessions.get().pk,
        "table5": five.pk,
        "float5": five.float_account_id,
        "slot5": five.rake_account_id,
        "session5": five.sessions.get().pk,
        "pot2": two.pot_account_id,
        "float3": three.float_account_id,
        "patrons3": three.patrons_account_id,
        "table_closed": shut.table_id,
        "session_closed": shut.pk,
        "float_closed": shut.table.float_account_id,
        "shut_round": shut_round.pk,
        "shut_session": shut_round.session_id,
        "late": late.pk,
        "shut_settlement": shut_round.settlement_id,
        "shut_transfer": Transfer.objects.get(units=10000, settlement=shut_round.settlement).pk,
        "shut_ante": Transfer.objects.get(units=500, settlement=shut_round.settlement).pk,
        "shut_table": shut_round.table_id,
        "shut_float": shut_round.table.float_account_id,
        "shut_patrons": shut_round.table.patrons_account_id,
        "session1": one.sessions.get().pk,
        "session3": three.sessions.get().pk,
        "sheet": RuleSheet.objects.get(game="split", status=RuleSheet.Status.PUBLISHED).pk,
        "digest": settled.sheet.digest,
        "sheet_other": RuleSheet.objects.get(game="genpoker", version=1).pk,
        "sheet_draft": sheet_draft.pk,
        "ratios": ratios.pk,
        "ratios_draft": ratios_draft.pk,
        "coefficient": Coefficient.objects.filter(table=ratios).first().pk,
    }


def _sealed():
    """A tree with a kept subtree, a checkpoint and an anchor, and an inspection that names something."""
    with transaction.atomic():
        log.record_all(log.HOUSE, [log.Record("history.read", "history", {"what": "search"})] * 256)
    anchor = mkdtemp(dir=stack.folder())
    with override_settings(LOG_KEYS=str(stack.seed_folder() / "keys"), ANCHOR_FILE=f"{anchor}/checkpoints"):
        seal.keep_up(within=5)
    with sealer.connected():
        inspection = inspections.begin(Inspection.Kind.ALL)
        inspections.plan(inspection)
        Finding.objects.create(inspection=inspection, subject="round:1", what="tables_action box", sentence="Other.")
