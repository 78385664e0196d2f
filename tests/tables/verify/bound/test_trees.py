"""One component's tree: what its leaves prove, and what is no tree."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.tables.verify.bound.strict_numbers import Unreadable
from incrowd.tables.verify.bound.trees import Component
from oracles.plans import node
from oracles.pricing import kept_instances, lagrangian, reduced_cost
from oracles.problems import random_problem
from seeds import seeds


def made(seed, parts=1):
    """A whole problem as one component, with prices; and its instances."""
    rng = np.random.default_rng([73, seed])
    problem = random_problem(rng)
    kept = kept_instances(problem)
    prices = rng.integers(-1, 12, problem.types.t)
    vectors = sorted({vector for vector, *_ in kept})
    component = Component(
        0, np.zeros(problem.types.t, np.int64), np.array([vectors.index(v) for v, *_ in kept], np.int64),
        np.cumsum([0, *(len(types) for _, types, *_ in kept)]).astype(np.int64),
        np.array([i for _, types, *_ in kept for i in types], np.int32), problem.types.counts,
        np.array([cost for _, _, cost, _ in kept], np.int64), np.array([need for *_, need in kept], np.int64),
        np.array(vectors, np.int64).reshape(-1, problem.types.m), parts, problem.k, prices,
    )  # fmt: skip

    def same(vector, one, firsts):
        codes = problem.types.codes
        return np.array(
            [
                all(
                    node(problem, j, v, codes[i, j]) == node(problem, j, v, codes[one, j]) for j, v in enumerate(vector)
                )
                for i in firsts
            ],
            np.bool_,
        )

    return problem, kept, prices.tolist(), component, same


def leaf(prices=(), weights=()):
    return {"prices": [list(one) for one in prices], "weights": [list(one) for one in weights]}


def tree(root, instances=(), cuts=()):
    return {"instances": list(instances), "cuts": list(cuts), "tree": root}


@seeds(200, 8)
def test_a_leaf_proves_what_its_prices_do(seed):
    problem, kept, prices, component, same = made(seed)
    if not kept:
        return
    assert component.value(tree(leaf()), same) == lagrangian(problem, prices)
    moved = [prices[0] + 2, *prices[1:]]
    assert component.value(tree(leaf(prices=[(0, 2)])), same) == lagrangian(problem, moved)


@seeds(200, 8)
def test_a_branching_proves_the_worse_of_closed_and_open(seed):
    problem, kept, prices, component, same = made(seed)
    crowds = [at for at, (*_, need) in enumerate(kept) if need]
    if not crowds:
        return
    vector, types, cost, need = kept[crowds[seed % len(crowds)]]
    adds = reduced_cost(types, cost, need, problem.types.counts, prices)
    rest = lagrangian(problem, prices) - min(adds, 0)
    root = {"instance": 0, "closed": leaf(), "open": leaf()}
    assert component.value(tree(root, [[*vector, types[-1]]]), same) == min(rest, rest + adds)
    twice = {"instance": 0, "closed": root, "open": leaf()}
    with pytest.raises(Unreadable, match="twice"):
        component.value(tree(twice, [[*vector, types[0]]]), same)


@seeds(200, 8)
def test_two_crowds_are_a_cut_only_where_they_have_too_few_rows_for_both(seed):
    problem, kept, _, component, same = made(seed)
    crowds = [one for one in kept if one[3]][:6]
    for a in range(len(crowds)):
        for b in range(a):
            names = [[*crowds[at][0], crowds[at][1][0]] for at in (a, b)]
            rows = sum(int(problem.types.counts[i]) for i in {*crowds[a][1], *crowds[b][1]})
            cut = {"kind": "C", "instances": [0, 1]}
            assert (component.value(tree(leaf(), names, [cut]), same) is None) == (rows >= 2 * problem.k)


def test_what_is_no_tree_is_refused_and_what_does_not_hold_proves_nothing():
    seed = next(seed for seed in range(100) if any(need for *_, need in made(seed)[1]))
    problem, kept, _, component, same = made(seed)
    vector, types, *_ = next(one for one in kept if one[3])
    name = [*vector, types[0]]
    for broken in (
        tree(None), tree({"instance": 0}), tree({"instance": True, "closed": leaf(), "open": leaf()}, [name]),
        tree(leaf(), [name[:-1]]), tree(leaf(), [[*vector, 0.0]]), tree(leaf(), (), [{"kind": "X"}]),
        tree(leaf(prices=[(problem.types.t, 1)])), tree(leaf(weights=[(0, 1)])), tree(leaf(prices=[(0, 2**62)])),
    ):  # fmt: skip
        with pytest.raises(Unreadable):
            component.value(broken, same)
    assert component.value(tree(leaf(), [[*vector, problem.types.t]]), same) is None
    cut = {"kind": "C", "instances": [0]}
    assert component.value(tree(leaf(weights=[(0, -1)]), [name], [cut]), same) is None


def test_a_tree_of_hundreds_of_levels_is_refused():
    _, _, _, component, same = made(next(seed for seed in range(100) if made(seed)[1]))
    root = leaf()
    for _ in range(500):
        root = {"instance": 0, "closed": root, "open": leaf()}
    with pytest.raises(Unreadable):
        component.value(tree(root), same)
