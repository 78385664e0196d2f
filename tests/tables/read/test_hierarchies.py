"""The hierarchies that a policy names, made and checked against the table before anything runs."""

import pyarrow as pa
import pytest

from incrowd.errors import PolicyError
from incrowd.tables.engine.base import Engine
from incrowd.tables.hierarchy import Hierarchy, Intervals
from incrowd.tables.read import open_source
from incrowd.tables.read.hierarchies import fit_hierarchies
from incrowd.tables.roles import Reading

TOWNS = Hierarchy(lines=(("Ulm", "south", "*"), ("Kiel", "north", "*")))
TABLE = pa.table({"town": ["Ulm", "Kiel", "Ulm", "Köln", None], "age": ["1", "12", "25", "12", "30"]})


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def fitted(engine, specs, table=TABLE, **options):
    return fit_hierarchies(engine, open_source(engine, table, Reading()), specs, **options)


def refusal(engine, specs, **options):
    with pytest.raises(PolicyError) as caught:
        fitted(engine, specs, **options)
    return str(caught.value)


def test_values_without_a_line_are_counted_and_not_named(engine):
    said = refusal(engine, [("town", TOWNS)])
    assert said.startswith("column 'town': its hierarchy lacks 2 of the column's values, in 2 rows (a missing value")
    assert "Köln" not in said


def test_they_are_put_under_the_root_when_asked(engine):
    found = fitted(engine, [("town", TOWNS)], complete=True)["town"]
    assert found.missing
    lines = {line[0]: line[1:] for line in found.shown()}
    assert lines["Ulm"] == ("south",)
    assert set(lines) == {"Ulm", "Kiel", "Köln", None}
    assert {cell for value in ("Köln", None) for cell in lines[value]} <= {*lines, "*"}


def test_every_value_of_a_column_has_a_line_in_what_is_made_for_it(engine):
    found = fitted(engine, [("age", Intervals(10, 20))])["age"]
    assert not found.missing
    assert sorted(line[0] for line in found.shown()) == ["1", "12", "25", "30"]


def test_the_line_null_is_the_missing_values_where_there_are_some(engine):
    lines = (*TOWNS.lines, ("Köln", "west"), ("NULL", "none"))
    assert fitted(engine, [("town", Hierarchy(lines=lines))])["town"].missing
    text = pa.table({"town": ["Ulm", "NULL"]})
    assert not fitted(engine, [("town", Hierarchy(lines=lines))], text)["town"].missing


def test_the_faults_of_all_columns_are_said_together(engine):
    said = refusal(engine, [("town", TOWNS), ("age", TOWNS), ("elsewhere", TOWNS)])
    assert [part.split(":")[0] for part in said.split("; ") if part.startswith("column")] == [
        "column 'town'",
        "column 'age'",
    ]


def test_a_label_may_not_be_the_star_text(engine):
    said = refusal(engine, [("town", TOWNS)], complete=True, star="north")
    assert "a label of its hierarchy is the star text 'north'; choose another with --star" in said
