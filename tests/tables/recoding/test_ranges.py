"""Ranges: solvers that make them, no outliers, no certificate, and stars that the cells alone tell."""

import contextlib

import pyarrow as pa
import pytest

from incrowd import Policy
from incrowd.errors import OurBug
from incrowd.jobs.prepare import prepare
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.recoding.ranges import RangeRecoding
from incrowd.tables.solve.mondrian.mondrian import Mondrian

TABLE = pa.table({"age": ["1", "2", "3", "9"], "job": ["p", "q", "p", "q"]})
POLICY = Policy(quasi_identifiers=("age", "job"), numeric=("age",), k=2, recoding="ranges")


@pytest.fixture(scope="module")
def made():
    with Engine() as engine:
        yield prepare(engine, TABLE, POLICY, contextlib.nullcontext)


@pytest.fixture(scope="module")
def release(made):
    plan = Mondrian(ranges=True).solve(made.problem(), Watch()).plan
    return RangeRecoding().expand(made.table, made.types, plan, star="*", seed=0)


def test_a_solver_must_know_ranges():
    ranges = RangeRecoding()
    assert ranges.declines({"seed", "ranges"}) is None and dict(ranges.solver_options) == {"ranges": True}
    assert ranges.declines({"seed"}) == (
        "it shows levels, no ranges; for recoding=ranges name a solver that makes them, like mondrian"
    )


def test_no_row_is_an_outlier_and_no_level_surely_a_star(made):
    ranges = RangeRecoding()
    assert [ranges.outliers(rule) for rule in ("forbid", "suppress")] == ["forbid", "forbid"]
    assert not ranges.levels_name_stars and ranges.star_levels(made.problem()) == [2, 1]
    assert not ranges.may_cap_copies and not ranges.takes_bound_of_k
    assert "without a certificate" in str(ranges.no_certificate)


def test_the_facts_of_stars_are_counted_in_the_released_cells(made, release):
    names = {column.name: column.id for column in made.table.quasi_identifiers}
    rows = made.table.engine.fetch(release.rows.select(**{name: release.rows[i] for name, i in names.items()}))
    stars = {name: rows.column(name).to_pylist().count("*") for name in names}
    facts = RangeRecoding().facts(release)
    assert {line["name"]: line["suppressed"] for line in facts["stars_per_column"]} == stars
    assert facts["suppressed_cells"] == sum(stars.values()) > 0
    assert facts["suppressed_fraction"] == sum(stars.values()) / 8


def test_both_recounts_accept_a_release_of_ranges(made, release):
    ranges, fitted, engine = RangeRecoding(), made.fitted, made.table.engine
    verdict = ranges.recount(release, fitted.rules)
    assert verdict.ok and verdict.outliers == 0
    columns = {column.name: column.id for column in made.table.columns}
    after = engine.fetch(release.rows.select(**{name: release.rows[i] for name, i in columns.items()}))
    both = [open_source(engine, table, POLICY.reading) for table in (TABLE, after)]
    assert ranges.recount_tables(engine, *both, POLICY.roles, fitted.rules, text=fitted.text, star="*") == ()
    assert ranges.measure_context(made.problem(), ["age"]).ranges


def test_stars_of_ranges_are_text(made, release):
    with pytest.raises(OurBug, match="ranges are text"):
        RangeRecoding().expand(made.table, made.types, None, star=None, seed=0)
