import json
from fractions import Fraction

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.range_columns import RangedColumn
from incrowd.tables.solve.ranges.lattice import RangeLattice
from incrowd.tables.solve.ranges.solver import RangeSearch
from incrowd.tables.values import Advice, Levels, Problem, RowTypes
from incrowd.tables.verify.recount import AnyMask, Table, recheck
from oracles.grid import drawn, optimum
from seeds import seeds


def as_seen(problem, numbers, *, wide=False):
    """Return a problem as the check sees it."""
    levels, grids = list(problem.levels), []
    for j, own in numbers.items():
        levels[j] = Levels(levels[j].up[[0, -1]], levels[j].cost[[0, -1]])
        star, ordered = int(levels[j].cost[-1].max()), sorted(map(Fraction, own))
        width, last = ordered[-1] - ordered[0], len(ordered) - 1
        paid = [star * (x - ordered[0]) / width if wide else Fraction(star * i, last) for i, x in enumerate(ordered)]
        assert all(one.denominator == 1 for one in paid)
        grids.append((j, Fraction(*problem.ranges[j].step), ordered, list(map(int, paid)), list(map(Fraction, own))))
    tops = tuple(2 if j in numbers else level.height for j, level in enumerate(levels))
    kinds = None if problem.kinds is None else (AnyMask(problem.kinds.allows), tops)
    return Table(
        codes=problem.types.codes, counts=problem.types.counts, levels=levels, mask=AnyMask(lambda vector: True),
        k=problem.k, outliers=problem.outliers, scale=problem.scale, more={"grids": grids, "kinds_mask": kinds},
    )  # fmt: skip


def mask_allows(problem, plan, group):
    """Return whether what a class shows obeys the mask: value, range or star of ranged columns, levels of the others."""
    kinds = plan.levels[group].tolist()
    for c, j in enumerate(plan.columns):
        kinds[j] = 1 if plan.runs[group, c, 0] >= 0 else 2 if kinds[j] else 0
    return problem.kinds is None or problem.kinds.allows(kinds)


def solved(problem):
    return RangeSearch(ranged=True, work=200).solve(problem, Watch())


@seeds(250, 4)
def test_bound_optimum_and_cost_stand_in_this_order_and_the_check_recounts_the_bound(seed):
    rng = np.random.default_rng(seed)
    for _ in range(20):
        ranged, wide = int(rng.choice([1, 1, 2, 2, 3])), bool(rng.random() < 0.3)
        problem, numbers = drawn(rng, most_rows=6, ranged=ranged, wide=wide, masked=bool(rng.random() < 0.4))
        found = solved(problem)
        cost, least = found.plan.cost(problem), optimum(problem)
        assert found.bound.value <= least <= cost
        assert all(
            found.plan.part_rows[found.plan.part_class == g].sum() >= problem.k
            for g in range(found.plan.classes)
            if problem.outliers == "forbid" or (found.plan.levels[g] < np.array(problem.top)).any()
        )
        assert all(mask_allows(problem, found.plan, g) for g in range(found.plan.classes))
        placed = np.bincount(found.plan.part_type, weights=found.plan.part_rows, minlength=problem.types.t)
        assert (placed == problem.types.counts).all()
        again = recheck(as_seen(problem, numbers, wide=wide), json.loads(json.dumps(found.certificate)), cost)
        assert again.proven and not again.violations and again.lower_bound == found.bound.value


@seeds(60)
def test_random_prices_are_worth_the_same_to_the_search_and_to_the_check_and_never_more_than_the_optimum(seed):
    rng = np.random.default_rng(seed)
    for _ in range(10):
        ranged, wide = int(rng.choice([1, 2, 3])), bool(rng.random() < 0.3)
        problem, numbers = drawn(rng, most_rows=6, ranged=ranged, wide=wide, masked=bool(rng.random() < 0.4))
        found = solved(problem)
        prices = rng.integers(-5, problem.scale, problem.types.t).astype(np.int64)
        lattice = RangeLattice(problem)
        value = lattice.scan(prices, 1, 0, 1000).value
        assert value <= optimum(problem)
        claims = {
            **found.certificate,
            "parts": 1,
            "prices": prices.tolist(),
            "lower_bound": 0,
            "lower_bound_checked": 0,
        }
        again = recheck(as_seen(problem, numbers, wide=wide), claims, found.plan.cost(problem))
        step = lattice.step
        assert again.lower_bound == max(0, min(-(-value // step) * step, found.plan.cost(problem)))


def wide_columns(cells):
    """Three ranged columns of so many cells, without rows that matter."""
    line = np.arange(cells, dtype=np.int32)
    levels = Levels(np.stack([line, 0 * line]), np.stack([0 * line, 0 * line + cells - 1]).astype(np.int64))
    types = RowTypes(np.stack([line] * 3, axis=1), np.ones(cells, np.int64), (cells,) * 3)
    column = RangedColumn.by_values(line.astype(np.int64), 1)
    names = ("age", "paid", "born")
    return Problem(
        types=types, levels=(levels,) * 3, patterns=Mask().compile(names, (1, 1, 1)), k=2, columns=names,
        ranges=(column,) * 3,
    )  # fmt: skip


def test_more_ranges_than_can_be_looked_at_are_refused_with_what_to_coarsen():
    said = RangeSearch(ranged=True).declines(wide_columns(250))
    assert "ranges of 3 columns" in said and "give age, which has 250 cells, a hierarchy" in said
    assert RangeSearch(ranged=True).declines(wide_columns(100)) is None


def test_where_all_ranges_take_longer_than_the_time_the_bound_is_weak_but_one_and_the_notes_say_so():
    problem = wide_columns(100)
    watch = Watch()
    watch.limit(0.0)
    found = RangeSearch(ranged=True).solve(problem, watch)
    assert found.status != "optimal"
    assert any(isinstance(note, Advice) and "larger step" in note for note in found.notes)
