"""The walk through the patterns: every crowd meets everything, none takes a row twice, and a trim keeps what it may."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.with_requirements.scan import Trim, honest, sweep
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.required import FAMILIES, random_required
from seeds import seeds


def drawn(seed, name):
    rng = np.random.default_rng([name, seed])
    return random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(5, 40)))


def good(problem, types, rows):
    """Whether some rows meet every requirement as one group."""
    one = np.zeros(len(types), np.int64)
    kinds = problem.types.kinds[types]
    return all(bool(requirement.meets(one, kinds, rows, 1)[0]) for requirement in problem.requirements)


@seeds(160)
def test_every_crowd_agrees_meets_everything_and_leaves_the_other_rows(seed):
    problem = drawn(seed, 221)
    encoded = encode(problem)
    blocks = problem.patterns.by_cost(problem.floor_costs(), problem.ties())
    crowds, left, _ = sweep(problem, encoded, blocks, Watch(), visits=10**9)
    held, order = left.copy(), []
    for vector, types, rows in crowds:
        assert problem.patterns.allows(vector)
        assert encoded.agree(vector, int(types[0]), types).all()
        free = problem.outliers == "suppress" and tuple(vector) == problem.top
        assert rows.sum() >= (1 if free else problem.k) and (rows > 0).all()
        assert good(problem, types, rows)
        held[types] += rows
        order.append(int(sum(problem.floor_costs()[j][v] for j, v in enumerate(vector))))
    assert (left >= 0).all() and (held == problem.types.counts).all()
    assert order == sorted(order), "cheapest patterns first"


def test_out_of_visits_or_told_to_stop_all_rows_are_left():
    problem = drawn(0, 222)
    stopped = Watch()
    stopped.interrupt()
    for watch, visits in ((Watch(), 0), (stopped, 10**9)):
        blocks = problem.patterns.by_cost(problem.floor_costs(), problem.ties())
        crowds, left, spent = sweep(problem, encode(problem), blocks, watch, visits=visits)
        assert not crowds and spent == 0 and (left == problem.types.counts).all()


def test_a_trim_takes_all_of_a_good_group_and_else_a_part_that_is_one():
    whole = trimmed = none = 0
    for seed in range(160):
        problem = drawn(seed, 223)
        trim, types = Trim(problem, encode(problem)), problem.types
        members = np.random.default_rng(seed).permutation(types.t)[: types.t // 2 + 1].astype(np.int32)
        rows, group = types.counts[members], np.zeros(members.size, np.int64)
        takes = trim.largest(group, members, rows, 1, problem.k)
        assert ((takes >= 0) & (takes <= rows)).all()
        if good(problem, members, rows):
            assert (takes == rows).all()
            whole += 1
        elif takes.any():
            some = takes > 0
            assert takes.sum() >= problem.k and good(problem, members[some], takes[some])
            trimmed += 1
        else:
            none += 1
    assert whole > 10 and trimmed > 5 and none > 5


def test_groups_whose_hashes_lie_are_left_out():
    lied = 0
    for seed in range(40):
        problem = drawn(seed, 224)
        encoded, rng = encode(problem), np.random.default_rng(seed)
        vector = np.array([rng.integers(0, height + 1) for height in problem.top], np.int8)
        members = rng.permutation(encoded.t).astype(np.int32)
        group = rng.integers(0, 3, members.size)
        wanted = {}
        for g in np.unique(group):
            mine = members[group == g]
            if encoded.agree(vector, int(mine[0]), mine).all():
                wanted[tuple(mine.tolist())] = encoded.counts[mine].tolist()
            else:
                lied += 1
        found = honest(encoded, vector, group, members, encoded.counts[members])
        assert {tuple(types.tolist()): rows.tolist() for types, rows in found} == wanted
    assert lied
