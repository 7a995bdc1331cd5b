"""Statements that are kept: built anew they are the same, and their rows are those that the ORM reads."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from audit.models import Chain
from casino.models import Casino, Staff
from casino.statements import Place, Statement, _Compiled
from tables.models import Action, Round
from tables.people import footing
from tables.terminal import rows
from tables.verbs import settling, standing

from ..support import factories


def fields(row):
    """What Django read of a row, without what belongs to the object."""
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


def test_what_is_kept_is_what_is_built_anew(seeded_db):
    assert len(Statement.kept) > 8
    for kept in Statement.kept:
        kept.all(**dict.fromkeys(kept.names))
        anew = _Compiled(kept.build(*map(Place, kept.names)))
        assert kept._compiled.sql == anew.sql
        assert list(map(repr, kept._compiled.params)) == list(map(repr, anew.params))
        assert {param.name for param in anew.params if isinstance(param, Place)} == set(kept.names)


def test_a_second_time_it_is_not_compiled_and_its_values_are_its_own(seeded_db):
    anna, clara = factories.person("anna"), factories.person("clara")
    assert footing.PERSON.first(staff=anna.pk) == anna
    compiled = footing.PERSON._compiled
    assert footing.PERSON.first(staff=clara.pk) == clara
    assert footing.PERSON.first(staff=0) is None
    assert footing.PERSON._compiled is compiled


@pytest.mark.parametrize("code", ["T1", "T2"])
def test_its_rows_are_those_of_the_orm(seeded_db, code):
    table = factories.table(code)
    first = factories.settled_round(table)
    opened = factories.open_round(table)
    factories.act_all(opened, factories.FLUSH_WINS[:3])
    assert fields(rows.CASINO.first()) == fields(Casino.objects.get())
    [newest, before] = rows.LATEST.all(
        table=table.pk, session=opened.session_id, since=first.opened_at - timedelta(seconds=1)
    )
    for row, round_ in ((newest, opened), (before, first)):
        asked = Round.objects.select_related("table", "sheet", "settlement").get(pk=round_.pk)
        assert fields(asked).items() <= fields(row).items()
        for name in ("table", "sheet", "settlement", "series"):
            mine, theirs = getattr(row, name), getattr(asked, name)
            assert (mine and fields(mine)) == (theirs and fields(theirs))
    assert (newest.pace, newest.owing, newest.intervened) == (2, False, False)
    told = rows.ACTIONS.all(rounds=[first.pk, opened.pk])
    asked = Action.objects.filter(round__in=[first, opened]).order_by("round", "ordinal")
    assert list(map(fields, told)) == list(map(fields, asked))
    table.refresh_from_db()
    place = rows.TABLE.first(table=table.pk, staff=factories.croupier(table).pk, device=None)
    assert fields(table).items() <= fields(place).items()
    assert (place.seq, place.session_id) == (Chain.objects.get(key=table.ref).seq, opened.session_id)
    assert (place.sheet_id, place.croupier_id, place.signed_on) == (
        opened.sheet_id,
        factories.croupier(table).pk,
        table.pk,
    )


def test_a_round_stands_as_it_is_in_the_database(seeded_db):
    closed = factories.play_round(factories.table())
    settling.settle_due()
    with transaction.atomic():
        stands = standing.locked(closed.pk)
    assert fields(Round.objects.get(pk=closed.pk)).items() <= fields(stands.round).items()
    assert stands.version == closed.actions.count()
    with transaction.atomic():
        assert standing.locked(0) is None


def test_a_person_without_postings_stands_nowhere(seeded_db):
    eve = factories.stranger()
    with CaptureQueriesContext(connection) as asked:
        person = footing.person(eve.pk)
        assert footing.of(person) == ([], None, None)
    assert len(asked) == 1
    assert fields(Staff.objects.get(pk=eve.pk)).items() <= fields(person).items()
