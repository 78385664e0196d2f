from __future__ import annotations

import itertools

import numpy as np
from tests.seeds import how_many

from incrowd.milp import Outcome
from incrowd.progress import Watch
from incrowd.tables.solve.exact.component import ComponentState
from incrowd.tables.solve.exact.dive import dive, near
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of

PARTS = 840_000


def drawn(seed, rows=8, columns=5):
    rng = np.random.default_rng([41, seed])
    table = rng.integers(0, 2 if rng.random() < 0.7 else 3, (rows, columns))
    types = types_of(table)
    return Problem(types, star_levels(types), PatternList([1] * columns), int(rng.integers(2, 5)), "suppress")


def parts(problem):
    """The problem's components, with nothing known of them."""
    instances = list_instances(problem)
    return [ComponentState.of(part, 1, PARTS, problem.k, None) for part in split(instances, labels(instances))]


def test_dives_end_in_whole_answers_below_their_limit():
    met, problems = 0, how_many(40, 4)
    for seed in range(problems):
        problem = drawn(seed)
        least = optimum(problem)
        for piece in parts(problem):
            if piece.closed:
                continue
            piece.price(Watch())
            prover, answer = piece.prover, piece.prover.answer
            assert near(prover) > prover.value()
            for upper, quick in itertools.product((prover.value(), near(prover), 10**6), (False, True)):
                deep = dive(prover, {}, answer, upper, Watch(), quick=quick)
                if deep is None:
                    continue
                met += 1
                assert deep.outcome is Outcome.OPTIMAL and not prover.undecided(deep).size
                assert deep is answer or deep.bound < upper
            assert piece.cost >= piece.checked
            assert piece.cost <= least or not piece.closed
    assert met > problems / 2
