import ibis
import pyarrow as pa
import pytest

from incrowd.tables.engine import sql
from incrowd.tables.engine.base import Engine

ROWS = pa.table({"a": ["x", "y", "x"], "n": [1, 2, 3]})


def asked(table):
    some = table.filter(table.n > 1)
    return some.group_by("a").aggregate(rows=some.count()).order_by("a")


def test_what_one_engine_asked_is_not_compiled_again_for_another_and_each_answers_from_its_own_rows():
    with Engine() as one, Engine() as two:
        first, second = asked(one.put(ROWS)), asked(two.put(ROWS.slice(1)))
        sql.sql_of(first)
        compiled = sql._compiled.cache_info().misses
        assert sql.sql_of(second) == sql.sql_of(first)
        assert sql._compiled.cache_info().misses == compiled
        assert one.fetch(first).to_pydict() == {"a": ["x", "y"], "rows": [1, 1]}
        assert two.fetch(second.mutate(rows=second["rows"] + 1)).to_pydict() == {"a": ["x", "y"], "rows": [2, 2]}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda t: t.mutate(b=ibis.literal(1)), lambda t: t.mutate(b=ibis.literal(True))),
        (lambda t: t.mutate(b=ibis.literal(1)), lambda t: t.mutate(b=ibis.literal(1.0))),
        (lambda t: t.select("a", "n"), lambda t: t.select("n", "a")),
        (lambda t: t.filter(t.a == "x"), lambda t: t.filter(t.a == "y")),
    ],
)
def test_expressions_that_differ_in_a_literal_a_type_or_an_order_have_sql_of_their_own(one, other):
    with Engine() as engine:
        table = engine.put(ROWS)
        for made in (one(table), other(table), one(table)):
            assert sql.sql_of(made) == engine.con.compile(made)
        assert sql.sql_of(one(table)) != sql.sql_of(other(table))


def test_tables_of_the_same_name_with_other_columns_are_told_apart():
    with Engine() as one, Engine() as two:
        first, second = one.put(ROWS), two.put(ROWS.rename_columns(["b", "n"]))
        assert first.op().name == second.op().name
        assert [one.fetch(first).column_names, two.fetch(second).column_names] == [["a", "n"], ["b", "n"]]
