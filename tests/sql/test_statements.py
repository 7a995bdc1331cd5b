"""Whatever the app's role sends by chance: the books are right after it, and the log's export is whole."""

import collections
import random

import pytest
from django.db import transaction

from audit import exports, seal, verify_export
from audit.models import Export
from payouts import books
from payouts.models import Movement

from ..audit.conftest import with_keys
from ..support import factories, proof
from ..support.floor import rows
from ..support.statements import Statements

SEED = 17
# After so many the books are looked at, and new rows are known.
TURN = 500


@pytest.fixture
def furnished(seeded_db, tmp_path, settings):
    """A row of nearly everything, keys, and a folder for exports; gives the rows' ids by name."""
    with_keys(tmp_path, settings)
    settings.EXPORTS = str(tmp_path / "exports")
    names = rows() | {"database": seeded_db}
    seal.keep_up(within=10)
    return names


def send(count, names):
    """Statements by chance, and what they did: how many transactions the database took."""
    statements, taken, sent, recent = Statements(random.Random(SEED), names), collections.Counter(), 0, []
    while sent < count:
        transaction_, accepted = statements.sent()
        sent += len(transaction_)
        taken[accepted] += 1
        if accepted:
            recent.append(transaction_)
        if sent // TURN != (sent - len(transaction_)) // TURN:
            assert books.wrong() == [], recent
            recent.clear()
            seal.keep_up(within=10)
            statements.look()
    assert books.wrong() == [], recent
    return taken


def is_whole(folder):
    """Whether the verifier calls an export of everything whole, as an outsider with the key and the anchor."""
    with transaction.atomic():
        asked = exports.ask(kind="all", by=factories.person("david"))
    while asked.status == Export.Status.ASKED:
        exports.write_due(within=10)
        asked.refresh_from_db()
    assert asked.status == Export.Status.DONE, asked.failure
    known = ["--key", str(folder / "keys" / "public"), "--anchor", str(folder / "outside" / "checkpoints")]
    return verify_export.main([str(exports.folder(asked)), *known]) == 0


def test_no_statements_by_chance_break_the_books_or_the_log(furnished, tmp_path):
    moved = Movement.objects.count()
    taken = send(2_600, furnished)
    assert min(taken[True], taken[False]) > 20
    # A session has one drop, and the slip on its way arrives or goes back: not many are right.
    kinds = Movement.objects.order_by("-pk").values_list("kind", flat=True)[: Movement.objects.count() - moved]
    assert {*kinds} >= {"drop", "buy_in"}
    assert {*kinds} & {"fill", "fill_returned"}
    assert is_whole(tmp_path)


@pytest.mark.proof
def test_of_fifty_thousand_statements_by_chance_none_breaks_the_books_or_the_log(furnished, tmp_path):
    count = proof.size(50_000, 2_000)
    taken = send(count, furnished)
    assert is_whole(tmp_path)
    moved = Movement.objects.count()
    print(
        f"\n{count} statements: {taken[True]} transactions taken, {taken[False]} refused, {moved} movements;"
        " books and log whole"
    )
