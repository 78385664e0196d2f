"""The program for graphs with one cycle against the sweep and all subsets."""

from __future__ import annotations

import random

import numpy as np
import pytest

from incrowd.networks.solve.families.recognition import family_curve
from incrowd.networks.solve.families.unicyclic import unicyclic_curve
from incrowd.progress import Watch
from oracles import networks as plain
from oracles.graph_classes import adjacency, csr, same_as_the_sweep, sets_hold, unicyclic
from seeds import seeds


def declined(n, edges):
    """No single node has measure 2: the sweep is left to answer."""
    indptr, indices = csr(n, edges)
    return family_curve(indptr, indices, first=1, last=None, watch=Watch()) is None


@seeds(10_000, 200)
def test_random_graphs_with_one_cycle_have_the_curve_of_the_sweep(seed):
    drawn = unicyclic(random.Random(seed), 12 + seed % 50)
    if not declined(*drawn):
        same_as_the_sweep(*drawn, "")


@seeds(200, 15)
def test_larger_graphs_with_one_cycle_have_the_curve_of_the_sweep(seed):
    drawn = unicyclic(random.Random(seed), 300)
    if not declined(*drawn):
        same_as_the_sweep(*drawn, "")


@seeds(1_000, 80)
def test_sets_shown_have_the_measure_claimed(seed):
    drawn = unicyclic(random.Random(seed), 12 + seed % 50)
    if not declined(*drawn):
        sets_hold(*drawn)


@seeds(1_000, 40)
def test_graphs_of_up_to_nine_nodes_have_the_curve_of_all_subsets(seed):
    n, edges = unicyclic(random.Random(seed), 9)
    if n > 9:
        pytest.skip("a thick cycle")
    indptr, indices = csr(n, edges)
    curve = unicyclic_curve(indptr, indices, 1, int(np.diff(indptr).max()), Watch())
    truth, _ = plain.curves(adjacency(indptr, indices))
    if curve is None:
        assert plain.curves(adjacency(indptr, indices))[0].get(2, 2) > 1
    else:
        assert {k: int(curve.upper[k]) for k in range(1, curve.last + 1) if curve.upper[k] < n} == truth


def with_leaves(length, leaves, legs):
    """A cycle whose nodes have leaves, and paths from some of them."""
    edges = [(v, (v + 1) % length) for v in range(length)]
    n = length
    for v in range(length):
        for _ in range(leaves + (2 if v < 2 else 0)):
            edges.append((v, n))
            n += 1
    for v, steps in legs:
        foot = v
        for _ in range(steps):
            edges.append((foot, n))
            foot, n = n, n + 1
    return n, edges


def test_two_neighbours_of_an_even_cycle_may_do_with_half_the_cycle_at_each():
    """Two long legs at both: at levels 3 and 4 the two nodes with their legs, at 5 and 6 the cycle with all but leaves."""
    n, edges = with_leaves(4, 4, [(0, 3), (0, 3), (1, 3), (1, 3)])
    indptr, indices = csr(n, edges)
    curve = unicyclic_curve(indptr, indices, 1, int(np.diff(indptr).max()), Watch())
    assert curve.upper[2:8].tolist() == [1, 14, 14, 24, 24, n]
    assert set(curve.sets[14].members.tolist()) == {0, 1, *range(n - 12, n)}
    same_as_the_sweep(n, edges, "one cycle")


class _Stopped(Watch):
    stopped = True  # type: ignore[assignment]


def test_a_stopped_run_is_an_interval_that_holds_the_answer():
    for seed in range(60):
        indptr, indices = csr(*unicyclic(random.Random(seed), 30))
        last = int(np.diff(indptr).max())
        exact, stopped = (unicyclic_curve(indptr, indices, 1, last, w) for w in (Watch(), _Stopped()))
        if exact is not None and stopped is not None:
            assert (stopped.lower[1:] <= exact.upper[1:]).all()
            assert (stopped.upper[1:] >= exact.upper[1:]).all()


def test_levels_asked_for_are_those_of_the_whole_curve():
    for seed in range(100):
        rng = random.Random(seed)
        n, edges = unicyclic(rng, 40)
        indptr, indices = csr(n, edges)
        last = int(np.diff(indptr).max())
        whole = unicyclic_curve(indptr, indices, 1, last, Watch())
        k = rng.randint(1, last)
        part = unicyclic_curve(indptr, indices, k, k, Watch())
        if whole is not None and part is not None:
            assert part.upper[k] == part.lower[k] == whole.upper[k]
            assert part.upper[k] == n or part.sets[int(part.upper[k])].size == part.upper[k]
