"""Which class a graph is taken for."""

from __future__ import annotations

import random

from incrowd import networks
from incrowd.networks.solve.families.recognition import family_curve
from incrowd.progress import Watch
from oracles.graph_classes import csr, tree


def test_graphs_of_no_class_are_left_to_the_sweep():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2), (4, 5), (5, 6)]
    assert family_curve(*csr(7, edges), first=1, last=None, watch=Watch()) is None


def test_levels_above_every_degree_need_no_program():
    assert family_curve(*csr(3, [(0, 1), (1, 2)]), first=3, last=None, watch=Watch()) is None


def test_levels_asked_for_are_those_of_the_whole_curve():
    for seed in range(100):
        rng = random.Random(seed)
        n, edges = tree(rng)
        whole, _ = family_curve(*csr(n, edges), first=1, last=None, watch=Watch())
        k = rng.randint(1, whole.last)
        part, _ = family_curve(*csr(n, edges), first=k, last=k, watch=Watch())
        assert part.upper[k] == part.lower[k] == whole.upper[k]
        assert part.upper[k] == n or part.sets[int(part.upper[k])].size == part.upper[k]


def test_the_answer_names_the_program_and_its_certificate_is_proven():
    found = networks.profile([(0, 1), (0, 2), (0, 3), (3, 4), (3, 5), (3, 6), (2, 7)])
    assert "trees" in found.method
    assert networks.check(found.graph, found.certificate()).proven
