import dataclasses
import itertools
from random import Random

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.reproduce.data_sets import CMC, NURSERY, DataSet
from incrowd.reproduce.measure import Missed, cut_regions, measure, pose, program, usefulness
from incrowd.tables.mask import Mask
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.textbook import ilp
from oracle import measures as plain

DOMAINS = (["1", "2", "4", "10", ""], ["a", "b", "c"], ["7", "8", "9"], ["x", "y", ""])


def tiny(seed, n=40):
    rng = Random(seed)
    rows = [tuple(rng.choice(domain) for domain in DOMAINS) for _ in range(n)]
    data = DataSet(
        name="tiny", columns=("p", "q", "r", "s"), numeric=("p", "r"), rows=n, file=None, source="", reader=lambda _: iter(rows)
    )  # fmt: skip
    return rows, dataclasses.replace(pose(data, rows, Mask()), k=3)


def values_of(rows, problem):
    """The original cells of every row type."""
    distinct = sorted(
        {tuple(cell or None for cell in row) for row in rows}, key=lambda r: [(c is not None, c or "") for c in r]
    )
    assert len(distinct) == problem.types.t
    return distinct


def as_plain(problem, types, group, counts, cells):
    return [
        (cells[i], (0,) * problem.types.m, int(g))
        for i, g, n in zip(types, group, counts, strict=True)
        for _ in range(int(n))
    ]


@pytest.mark.parametrize("seed", range(6))
def test_usefulness_is_that_of_the_definition(seed):
    rows, problem = tiny(seed)
    plan = Greedy().solve(problem, Watch()).plan
    cells = values_of(rows, problem)
    own = usefulness(problem, plan.part_type, plan.part_class, plan.classes)
    expected = plain.usefulness(as_plain(problem, plan.part_type, plan.part_class, plan.part_rows, cells), [0, 2])
    assert own == pytest.approx(float(expected), abs=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_the_heuristic_line_is_that_of_its_plan(seed):
    _, problem = tiny(seed)
    line, plan = measure(problem, "greedy", Watch()), Greedy().solve(problem, Watch()).plan
    shown = [n for n, levels in zip(plan.sizes(), plan.levels, strict=True) if tuple(levels) != problem.top]
    assert line.suppressed == plan.cost(problem)
    assert (line.groups, line.largest) == (plan.classes, plan.sizes().max())
    assert line.smallest == min(shown, default=line.smallest)
    assert line.mean == 40 / plan.classes
    assert line.seconds > 0


@pytest.mark.parametrize("seed", range(6))
def test_the_mondrian_line_is_that_of_its_parts_and_not_of_stars(seed):
    rows, problem = tiny(seed)
    line = measure(problem, "mondrian", Watch())
    cut = cut_regions(problem, Watch())
    parts = [
        [int(i) for i, n in zip(cut.types[a:b], cut.rows[a:b], strict=True) for _ in range(n)]
        for a, b in itertools.pairwise(cut.begins)
    ]
    assert (line.groups, line.largest, line.smallest) == (len(parts), max(map(len, parts)), min(map(len, parts)))
    codes = problem.types.codes
    apart = sum(len(part) * sum(len(set(codes[part, j])) > 1 for j in range(4)) for part in parts)
    assert line.suppressed == apart
    cells = values_of(rows, problem)
    told = [(cells[i], (0,) * 4, g) for g, part in enumerate(parts) for i in part]
    assert line.usefulness == pytest.approx(float(plain.usefulness(told, [0, 2])), abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_the_exact_line_is_proven_and_never_above_the_heuristic(seed):
    _, problem = tiny(seed, 12)
    exact, greedy = measure(problem, "exact", Watch()), measure(problem, "greedy", Watch())
    assert exact.optimal
    assert exact.bound == exact.suppressed <= greedy.suppressed


def test_a_time_limit_of_nothing_leaves_the_exact_solver_with_a_bound(data_dir):
    problem = dataclasses.replace(pose(CMC, CMC.load(data_dir), Mask(max_stars=2)), k=3)
    line = measure(problem, "exact", Watch(), seconds=0.0)
    assert line.bound < line.suppressed
    assert not line.optimal


def test_all_columns_or_none_may_be_numbers():
    rows, problem = tiny(1)
    data = DataSet(name="t", columns=("p", "q", "r", "s"), numeric=("p", "r"), rows=40, file=None, source="", reader=lambda _: iter(rows))  # fmt: skip
    every = pose(data, rows, Mask(), "all")
    assert [line is None for line in problem.places] == [False, True, False, True]
    assert every.places[1].tolist() == [1, 1 + (2**30 - 1) // 2, 2**30]
    assert np.array_equal(every.places[0], problem.places[0])
    assert pose(data, rows, Mask(), "none").places == ()
    told = [measure(dataclasses.replace(p, k=3), "greedy", Watch()) for p in (problem, every)]
    assert told[0].suppressed == told[1].suppressed
    assert told[0].usefulness != told[1].usefulness


def test_nursery_has_as_many_types_as_rows():
    problem = pose(NURSERY, NURSERY.load(None), Mask())
    assert problem.types.t == problem.types.n == 12_960
    assert all(np.array_equal(np.sort(line), line) for line in problem.places)


@pytest.mark.parametrize("seed", range(3))
def test_the_papers_program_costs_what_the_exact_solver_does(seed):
    _, problem = tiny(seed, 12)
    found = program(problem, Watch())
    assert (found.method, found.optimal) == ("ilp", True)
    assert found.suppressed == found.bound == measure(problem, "exact", Watch()).suppressed
    assert found.smallest >= problem.k


def test_a_program_without_time_has_no_release():
    _, problem = tiny(0, 12)
    found = program(problem, Watch(), seconds=0.0)
    assert isinstance(found, Missed)
    assert (found.k, found.bound) == (3, 0)


def test_a_program_beyond_the_memory_is_refused_with_its_size(monkeypatch):
    _, problem = tiny(0, 12)
    monkeypatch.setattr(ilp, "at_hand", lambda: 1000)
    with pytest.raises(InputError, match=r"'ilp' cannot take the experiment: .* of memory"):
        program(problem, Watch())


@pytest.mark.parametrize(("texts", "order"), [("sorted", ["b", "c", "x"]), ("appearance", ["c", "x", "b"])])
def test_texts_lie_in_the_order_asked_for_and_digits_as_they_are(texts, order):
    rows = [("c", "13"), ("x", "1"), ("x", "2"), ("b", "1")]
    data = DataSet(name="t", columns=("p", "q"), numeric=(), rows=4, file=None, source="", reader=lambda _: iter(rows))
    problem = pose(data, rows, Mask(), texts=texts)
    codes = sorted((order.index(p), ["1", "2", "13"].index(q)) for p, q in rows)
    assert sorted(map(tuple, problem.types.codes.tolist())) == codes


def test_memory_that_an_engine_at_work_still_has_makes_a_run_missed(monkeypatch):
    _, problem = tiny(0, 12)
    monkeypatch.setattr(ilp, "at_hand", lambda: 1000)
    monkeypatch.setattr("incrowd.reproduce.measure.left_behind", lambda: 1)
    assert program(problem, Watch(), seconds=0.1) == Missed(k=3, seconds=0.0, bound=0)
