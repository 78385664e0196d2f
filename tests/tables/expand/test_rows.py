"""Expanded rows are what the plan says, whoever looks at them in whatever order."""

import random
from collections import Counter

import numpy as np
import pyarrow as pa

from incrowd.tables.compress import compress
from incrowd.tables.engine.base import Engine
from incrowd.tables.expand import expand
from incrowd.tables.read import read
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.values import Levels, Plan
from seeds import how_many, seeds

ENGINE = Engine()


def levels_of(types):
    return tuple(
        Levels(
            np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]),
            np.stack([np.zeros(d, np.int64), np.ones(d, np.int64)]),
        )
        for d in types.sizes
    )


def random_plan(types, rng, m):
    """Any plan: every type's rows are dealt to random patterns; equal instances are one group."""
    groups, parts = {}, Counter()
    for i in range(types.t):
        left = int(types.counts[i])
        while left:
            rows = rng.randint(1, left)
            vector = tuple(rng.randint(0, 1) for _ in range(m))
            shown = tuple(-1 if star else int(c) for star, c in zip(vector, types.codes[i], strict=True))
            parts[i, groups.setdefault((vector, shown), len(groups))] += rows
            left -= rows
    keys = sorted(parts)
    return Plan(
        np.array([vector for vector, _ in groups], np.int8).reshape(-1, m),
        np.array([i for i, _ in keys], np.int32),
        np.array([g for _, g in keys], np.int32),
        np.array([parts[key] for key in keys], np.int64),
    )


def released(source, plan_seed, seed=0, star="*", text=("p", "q")):
    roles = Roles(quasi_identifiers=("p", "q"))
    table = read(ENGINE, source, roles, Reading(), text=text, star=star)
    found = compress(table)
    plan = random_plan(found.types, random.Random(plan_seed), 2)
    expanded = expand(table, found, plan, star=star, seed=seed)
    rows = ENGINE.fetch(expanded.rows.order_by("row_key"))
    return found, plan, rows.to_pylist(), expanded


def table_of(rng, n):
    cell = lambda: rng.choice([None, "a", "b", "c"])
    return pa.table(
        {
            "p": pa.array([cell() for _ in range(n)], pa.string()),
            "q": pa.array([cell() for _ in range(n)], pa.string()),
            "other": pa.array([rng.choice([1, 2, None]) for _ in range(n)], pa.int64()),
        }
    )


@seeds(25, name="case")
def test_every_row_shows_its_own_values_or_stars_in_the_planned_numbers(case):
    rng = random.Random(case)
    source = table_of(rng, rng.randint(1, 30))
    _found, plan, rows, _ = released(source, case)
    original = source.to_pylist()
    assert [row["row_key"] for row in rows] == list(range(len(original)))
    for before, after in zip(original, rows, strict=True):
        assert after["c0"] in ("*", before["p"])
        assert after["c1"] in ("*", before["q"])
        assert after["c2"] == before["other"]
    values = sorted({(r["p"], r["q"]) for r in original}, key=lambda r: tuple((v is not None, v or "") for v in r))
    planned = Counter()
    for i, g, n in zip(plan.part_type, plan.part_group, plan.part_rows, strict=True):
        stars = plan.levels[g]
        planned[tuple("*" if star else v for star, v in zip(stars, values[i], strict=True))] += int(n)
    assert Counter((row["c0"], row["c1"]) for row in rows) == planned


@seeds(10, 2, name="case")
def test_the_released_rows_do_not_depend_on_the_inputs_order(case):
    rng = random.Random(case)
    source = table_of(rng, 25)
    shuffled = source.take(pa.array(rng.sample(range(25), 25)))
    one, other = (
        Counter((row["c0"], row["c1"], row["c2"]) for row in released(table, case)[2]) for table in (source, shuffled)
    )
    assert one == other


def test_the_seed_decides_which_of_equal_rows_get_which_pattern():
    source = pa.table({"p": ["a"] * 40, "q": ["b"] * 40, "other": list(range(40))})
    of_seed = {
        seed: frozenset((r["c0"], r["c1"], r["c2"]) for r in released(source, 3, seed=seed)[2])
        for seed in range(how_many(4, 3))
    }
    assert len(set(of_seed.values())) > 1
    assert of_seed[0] == frozenset((r["c0"], r["c1"], r["c2"]) for r in released(source, 3, seed=0)[2])


def test_a_star_can_be_null_and_types_stay():
    source = pa.table({"p": [1, 2, 2], "q": ["a", "b", "b"], "other": [1, 2, 3]})
    _, _, rows, expanded = released(source, 5, star=None, text=())
    assert expanded.rows.schema()["c0"].is_integer()
    assert {row["c0"] for row in rows} <= {None, 1, 2}


def test_parts_add_up_to_the_rows():
    source = table_of(random.Random(1), 30)
    _, plan, _, expanded = released(source, 1)
    parts = ENGINE.fetch(expanded.parts).to_pylist()
    assert sum(part["rows"] for part in parts) == 30
    assert len(parts) == plan.part_type.size
