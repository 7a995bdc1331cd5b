"""What an export holds, worked out once its checkpoint exists: leaves, checkpoints, complete ranges, sheets."""

from django.db import connection

from . import bad_entries, checkpoints, log
from .models import Anchor, Checkpoint, Export, Leaf


def make(export, size, made_at):
    """The plan for a tree of `size` leaves, as JSON.

    `first` and `end` bound the leaves that are exported (for a table, only its own); `extras` are single leaves beside
    them; `sizes` are those of the checkpoints, and the last is the tree's own.
    """
    chains = _complete(export, size)
    plan = {"chains": chains, "extras": [], "first": 0, "end": size, "made_at": log.spell_time(made_at)}
    if export.kind == Export.Kind.PERIOD:
        plan["first"], plan["end"] = _leaves_of(chains)
    if export.kind == Export.Kind.PERIOD:
        # A neighbour may belong to a round, too: then its sheet and the start of the round are needed.
        neighbours = set(_neighbours(chains, size))
        plan["extras"] = sorted(neighbours | _begun_before(plan, neighbours))
    sheets = _sheets(export, plan, size)
    if export.kind != Export.Kind.ALL:
        plan["extras"] = sorted({*plan["extras"], *sheets.values(), *_passed_over(plan, size)})
    return plan | {"sheets": sorted(sheets), "sizes": _sizes(size)}


def _sizes(size):
    """The sizes that were anchored, those that ended other exports, and this one's: outsiders may know each of them."""
    anchored = Anchor.objects.filter(checkpoint__lt=size).values_list("checkpoint", flat=True)
    ended = Export.objects.filter(checkpoint__lt=size).values_list("checkpoint", flat=True)
    ours = checkpoints.Ours()
    known = Checkpoint.objects.filter(size__in={*anchored, *ended, size}).iterator()
    return sorted(row.size for row in known if ours.has(row))


def _complete(export, size):
    """The range of each chain that the export holds whole: `{"house": {"first": 1, "last": 812}}`."""
    with connection.cursor() as cursor:
        if export.kind == Export.Kind.PERIOD:
            cursor.execute(
                "SELECT chain_id, min(seq), max(seq) FROM audit_entry JOIN audit_leaf USING (chain_id, seq)"
                " WHERE audit_entry.at >= %s AND audit_entry.at < %s AND audit_leaf.index < %s GROUP BY chain_id",
                [log.spell_time(export.from_at), log.spell_time(export.to_at), size],
            )
        else:
            cursor.execute(
                "SELECT key, 1, (SELECT seq FROM audit_leaf WHERE chain_id = key AND index < %s"
                "  ORDER BY seq DESC LIMIT 1) FROM audit_chain WHERE %s IN ('', key)",
                [size, export.table_key],
            )
        return {chain: {"first": first, "last": last} for chain, first, last in sorted(cursor.fetchall()) if last}


def _leaves_of(chains):
    """The first leaf of these ranges and the one after the last."""
    ends = [
        Leaf.objects.get(chain=chain, seq=ends[side]).index
        for chain, ends in chains.items()
        for side in ("first", "last")
    ]
    return (min(ends), max(ends) + 1) if ends else (0, 0)


def _sheets(export, plan, size):
    """The sheets that exported rounds are played by: digest to the leaf in which it was published."""
    with connection.cursor() as cursor:
        if export.kind == Export.Kind.PERIOD:
            cursor.execute(
                "SELECT DISTINCT opened.body::jsonb -> 'facts' ->> 'sheet' FROM ("
                " SELECT DISTINCT subject FROM audit_leaf JOIN audit_entry USING (chain_id, seq)"
                "  WHERE (audit_leaf.index >= %s AND audit_leaf.index < %s OR audit_leaf.index = ANY (%s))"
                "  AND subject LIKE 'round:%%') touched"
                " JOIN audit_entry opened USING (subject) WHERE opened.event = 'round.opened'",
                [plan["first"], plan["end"], plan["extras"]],
            )
        else:
            cursor.execute(
                "SELECT DISTINCT body::jsonb -> 'facts' ->> 'sheet'"
                " FROM audit_leaf JOIN audit_entry USING (chain_id, seq)"
                " WHERE event = 'round.opened' AND index < %s AND %s IN ('', chain_id)",
                [size, export.table_key],
            )
        used = [row[0] for row in cursor.fetchall()]
        cursor.execute(
            "SELECT body::jsonb -> 'facts' ->> 'sheet', min(index)"
            " FROM audit_leaf JOIN audit_entry USING (chain_id, seq)"
            " WHERE chain_id = 'house' AND event = 'sheet.published' AND index < %s"
            " AND body::jsonb -> 'facts' ->> 'sheet' = ANY (%s) GROUP BY 1",
            [size, used],
        )
        return dict(cursor.fetchall())


def _passed_over(plan, size):
    """The leaves that pass over exported entries as bad: without them, those entries would be taken for forged."""
    leaves = Leaf.objects.filter(index__lt=size)
    for (chain, seq), said in bad_entries.passed_over().items():
        bad = leaves.filter(chain=chain, seq=seq).first()
        within = bad and chain in plan["chains"] and plan["first"] <= bad.index < plan["end"]
        if within or (bad and bad.index in plan["extras"]):
            yield from leaves.filter(chain=log.HOUSE, seq__in=said).values_list("index", flat=True)


def _neighbours(chains, size):
    """The leaves of the entries just before and after each range: they show that nothing is missing there."""
    leaves = Leaf.objects.filter(index__lt=size)
    for chain, ends in chains.items():
        yield from leaves.filter(chain=chain, seq__in=(ends["first"] - 1, ends["last"] + 1)).values_list(
            "index", flat=True
        )


def _begun_before(plan, neighbours):
    """The earlier leaves of the rounds of a period and of its neighbours, with which those can be settled again."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT index FROM ("
            " SELECT DISTINCT subject FROM audit_leaf JOIN audit_entry USING (chain_id, seq)"
            "  WHERE (audit_leaf.index >= %s AND audit_leaf.index < %s OR audit_leaf.index = ANY (%s))"
            "  AND subject LIKE 'round:%%') touched"
            " JOIN audit_entry USING (subject) JOIN audit_leaf USING (chain_id, seq) WHERE index < %s",
            [plan["first"], plan["end"], list(neighbours), plan["first"]],
        )
        return {row[0] for row in cursor.fetchall()}
