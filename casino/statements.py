"""Statements of the hot path: written with the ORM, compiled once and kept.

Django builds a query anew each time it is asked, which costs a process more than the answer costs the database. A
`Statement` is built once, with a `Place` for each of its values, and gives the same rows as the same models. What it is
built from stays a queryset that one can read; `tests/casino/test_statements.py` builds each anew and compares.
"""

import inspect
from typing import ClassVar

from django.db import connection
from django.db.models import Value
from django.db.models.query import get_related_populators


class Place(Value):
    """Where a value goes in a statement that is built before the value is known."""

    def __init__(self, name, output_field=None):
        super().__init__(None, output_field=output_field)
        self.name = name

    def as_sql(self, compiler, connection):
        return "%s", [self]

    @property
    def any_of(self):
        """The place of a list, one of whose values a column must have: `filter(pit_id=pits.any_of)`."""
        return AnyOf(self.name)

    def __repr__(self):
        return f"Place({self.name!r})"


class AnyOf(Place):
    """Where a list goes, one of whose values a column must have."""

    def as_sql(self, compiler, connection):
        return "ANY(%s)", [self]


class Statement:
    """A queryset of models, compiled once; `kept` are all of this process.

    :param build: gives the queryset, from a `Place` for each of its parameters.
    """

    kept: ClassVar[list] = []

    def __init__(self, build):
        self.build, self.names = build, tuple(inspect.signature(build).parameters)
        self._compiled = None
        self.kept.append(self)

    def all(self, **values):
        """The rows as models, each value in its place."""
        compiled = self._compiled
        if compiled is None:
            # If two threads come first, both make the same.
            compiled = self._compiled = _Compiled(self.build(*map(Place, self.names)))
        return compiled.rows(values)

    def first(self, **values):
        """The first row, or None."""
        rows = self.all(**values)
        return rows[0] if rows else None


class _Compiled:
    """The text of a statement, its parameters in order, and how its rows become models."""

    def __init__(self, queryset):
        compiler = queryset.query.get_compiler(connection=connection)
        self.sql, self.params = compiler.as_sql()
        columns = compiler.klass_info["select_fields"]
        self.model, self.columns = compiler.klass_info["model"], slice(columns[0], columns[-1] + 1)
        self.names = [column[0].target.attname for column in compiler.select[self.columns]]
        self.related = get_related_populators(compiler.klass_info, compiler.select, queryset.db)
        self.annotations = compiler.annotation_col_map
        converters = compiler.get_converters([column[0] for column in compiler.select])
        self.converters = [(place, expression, each) for place, (each, expression) in converters.items()]

    def rows(self, values):
        params = [values[param.name] if isinstance(param, Place) else param for param in self.params]
        with connection.cursor() as cursor:
            cursor.execute(self.sql, params)
            rows = cursor.fetchall()
        return [self._model(self._converted(row)) for row in rows]

    def _converted(self, row):
        """A row as Django's fields read it: JSON above all, which comes as text."""
        row = list(row)
        for place, expression, converters in self.converters:
            for converter in converters:
                row[place] = converter(row[place], expression, connection)
        return row

    def _model(self, row):
        made = self.model.from_db(connection.alias, self.names, row[self.columns])
        for related in self.related:
            related.populate(row, made)
        for name, place in self.annotations.items():
            setattr(made, name, row[place])
        return made
