"""Trees over open and closed instances: every leaf proves the target, and what none closes is left at once."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.bounds import tuning
from incrowd.tables.solve.bounds.under_requirements import layout, price_tree
from incrowd.tables.solve.bounds.under_requirements.class_program import ClassProgram
from incrowd.tables.solve.bounds.under_requirements.price_tree import Leaf, PriceTree, Split
from oracles.required import FAMILIES, drawn_required
from oracles.required_certificates import Case
from seeds import how_many


def grown(seed, watch=None):
    """A case, its program and the tree for its least release; None where there is none."""
    rng = np.random.default_rng([911, seed])
    case = Case(*drawn_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(5, 8))))
    if case.optimum is None:
        return None
    every = layout.instances_of(case.problem, watch=Watch(), most_pairs=10**6)
    program = ClassProgram(case.problem, every)
    target = program.parts * (case.optimum - program.unit) + 1
    return case, program, target, PriceTree(program, target, watch or Watch())


def leaves(node, state):
    if isinstance(node, Leaf):
        yield node.prices, state
        return
    for side, mark in ((node.closed, -1), (node.open, 1)):
        assert not state[node.instance]
        below = state.copy()
        below[node.instance] = mark
        yield from leaves(side, below)


def test_every_leaf_proves_the_target_in_whole_numbers_and_nothing_proves_more():
    trees = 0
    for seed in range(how_many(800, 48)):
        found = grown(seed)
        if found is None or found[3].node is None:
            continue
        case, program, target, tree = found
        trees += isinstance(tree.node, Split)
        state = np.zeros(program.instances.size, np.int8)
        worth = [program.priced(prices, state).value for prices, state in leaves(tree.node, state)]
        assert len(worth) == tree.leaves
        assert target <= min(worth) <= case.optimum * program.parts
        written = price_tree.written(tree.node, tree.root.prices, program.instances.names.tolist())
        assert len({tuple(name) for name in written["instances"]}) == len(written["instances"])
        assert case.recounted(
            case.certificate(
                case.optimum, 0, tree.root.prices.tolist(), program.parts, program.below,
                trees=[written] if isinstance(tree.node, Split) else (),
            )
        ) == case.optimum  # fmt: skip
    assert trees >= 3


def split_seed():
    for seed in range(400):
        found = grown(seed)
        if found is not None and isinstance(found[3].node, Split):
            return seed
    raise AssertionError("no tree was needed")


def test_too_many_leaves_or_no_time_leave_what_prices_prove(monkeypatch):
    seed = split_seed()
    _, _, target, tree = grown(seed)
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(tree_leaves=1))
    cut = grown(seed)[3]
    assert cut.node is None and cut.root.value == tree.root.value < target
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(tree_steps=1))
    assert grown(seed)[3].node is None
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(tree_depth=0))
    assert grown(seed)[3].node is None
    monkeypatch.undo()
    watch = Watch()
    watch.interrupt()
    assert grown(seed, watch)[3].node is None


def test_where_the_program_chooses_instances_but_no_whole_classes_it_ends_at_once():
    ended = 0
    for seed in range(how_many(800, 60)):
        found = grown(seed)
        if found is not None and found[3].node is None:
            ended += 1
            assert found[3].leaves <= 64
    assert ended
