"""Row types that are told apart by sensitive values too: through compress, expand and the measures."""

import random
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest

from incrowd import registry
from incrowd.progress import Watch
from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.expand import expand
from incrowd.tables.measures import MeasureContext
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.shared.without_requirements import without_kinds
from incrowd.tables.values import Problem
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels
from seeds import seeds

NAMES = ("q0", "q1", "s0", "s1", "o")


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(one) for one in value]
    return round(value, 9) if isinstance(value, float) else value


def table_of(engine, seed):
    rng = random.Random(seed)
    n = rng.randrange(5, 40)
    cells = [
        [rng.choice(["a", "b", None]) for _ in range(n)],
        [rng.choice([1, 2, None]) for _ in range(n)],
        [rng.choice(["x", "y", "ü", None]) for _ in range(n)],
        [rng.choice([1.5, -0.0, 0.0, None]) for _ in range(n)],
        [rng.choice(["m", "n"]) for _ in range(n)],
    ]
    data = pa.table([pa.array(column) for column in cells], names=NAMES)
    roles = Roles(quasi_identifiers=("q0", "q1"), sensitive=("s0", "s1"))
    return read(engine, data, roles, Reading(), text=("q0", "q1"), star="*"), list(zip(*cells, strict=True))


@seeds(8, 3)
def test_types_with_kinds_count_every_combination_in_sorted_order(engine, seed):
    table, rows = table_of(engine, seed)
    found = compress(table, ("s1", "s0"))
    types, domain = found.types, found.domain
    assert domain.sensitive.names == ("s0", "s1")
    assert (types.n, domain.counts.sum()) == (len(rows), len(rows))
    key = np.column_stack((types.codes, types.kinds))
    assert [tuple(line) for line in key] == sorted({tuple(line) for line in key.tolist()})
    assert len(set(map(tuple, domain.sensitive.codes.tolist()))) == len(domain.sensitive.codes)
    text = lambda value: (
        None if value is None else value if isinstance(value, str) else str(value + 0.0 if value else 0.0)
    )
    expected = Counter((text(row[2]), text(row[3])) for row in rows)
    counted = Counter()
    for codes, count in zip(domain.sensitive.codes, domain.counts, strict=True):
        counted[tuple(values[c] for values, c in zip(domain.values, codes, strict=True))] += int(count)
    assert counted == expected
    for values in domain.values:
        assert list(values) == sorted(values, key=lambda v: (v is not None, (v or "").encode()))


@seeds(8, 3)
def test_each_row_is_released_as_its_type_and_value_say_and_measures_count_the_same(engine, seed):
    table, rows = table_of(engine, seed)
    found = compress(table, ("s0", "s1"))
    levels = star_levels(found.types)
    asked = (LDiversity("5/4", "s0").bind(found.domain),)
    problem = Problem(
        found.types, levels, PatternList([1, 1]), 2, columns=("q0", "q1"), requirements=asked,
        sensitive=found.domain.sensitive,
    )  # fmt: skip
    plan = Greedy().solve(problem, Watch()).plan
    release = expand(table, found, plan, star="*", seed=0)
    shown = engine.fetch(release.rows.order_by("row_key")).to_pylist()
    ids = {c.name: c.id for c in table.columns}
    groups = Counter()
    for row, line in zip(rows, shown, strict=True):
        assert all(repr(line[ids[name]]) == repr(row[j]) or row[j] == 0 for j, name in enumerate(NAMES) if j >= 2)
        groups[line[ids["q0"]], line[ids["q1"]]] += 1
    assert sorted(groups.values()) == sorted(plan.sizes().tolist())
    merged, same = without_kinds(problem, plan)
    plain = expand(table, compress(table), same, star="*", seed=0)
    for name in registry.names("measures"):
        measure = registry.load("measures", name)()
        first = measure.measure(release, MeasureContext.of(problem, numeric=()))
        assert rounded(first) == rounded(measure.measure(plain, MeasureContext.of(merged, numeric=()))), name
