"""A tree is worth the least of its leaves that may hold a release, and is read strictly."""

import numpy as np
import pytest

from incrowd.tables.verify.bound.layout import Layout
from incrowd.tables.verify.bound.requirement_trees import Proof, Tree, named_in
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from oracles.problems import as_table, random_problem

LEAF = {"prices": [], "weights": []}


def value(tree, leaf=lambda prices, state: int(prices.sum()), named=(4, 2), most=100):
    return Tree({"tree": tree}, list(named), 3).value(Proof(leaf, np.array([1, 2, 3]), 6, most))


def test_leaves_move_prices_and_states_follow_the_branches():
    seen = []

    def leaf(prices, state):
        seen.append((prices.tolist(), state.tolist()))
        return None if state[4] > 0 else int(prices.sum())

    moved = {"prices": [[0, 5], [2, -1], [0, 1]], "weights": []}
    assert value({"instance": 0, "closed": {"instance": 1, "closed": LEAF, "open": moved}, "open": LEAF}, leaf) == 6
    assert seen == [
        ([1, 2, 3], [0, 0, -1, 0, -1, 0]), ([7, 2, 2], [0, 0, 1, 0, -1, 0]), ([1, 2, 3], [0, 0, 0, 0, 1, 0]),
    ]  # fmt: skip
    assert value(LEAF, lambda prices, state: None) is None


@pytest.mark.parametrize(
    "tree",
    [
        None, [], {}, {"prices": []}, {"prices": [], "weights": [[0, 1]]}, {"prices": [[3, 1]], "weights": []},
        {"prices": [[0]], "weights": []}, {"prices": [[0, 99]], "weights": []}, {"prices": [[0, 2**63]], "weights": []},
        {"prices": [[0, True]], "weights": []}, {"instance": 2, "open": LEAF, "closed": LEAF},
        {"instance": True, "open": LEAF, "closed": LEAF}, {"instance": 0, "open": LEAF},
        {"instance": 0, "open": {"instance": 0, "open": LEAF, "closed": LEAF}, "closed": LEAF},
    ],
)  # fmt: skip
def test_what_is_no_tree_cannot_be_read(tree):
    with pytest.raises(Unreadable):
        value(tree)


def test_a_tree_that_is_too_deep_cannot_be_read():
    node = LEAF
    for at in range(500):
        node = {"instance": at, "open": node, "closed": LEAF}
    with pytest.raises(Unreadable, match="deep"):
        Tree({"tree": node}, list(range(500)), 3).value(Proof(lambda p, s: 0, np.array([1, 2, 3]), 500, 100))


def test_a_tree_names_instances_that_the_mask_allows():
    problem = random_problem(np.random.default_rng(4), full=True)
    view = Layout(as_table(problem))
    top, t = view.heights.tolist(), problem.types.t
    head = {"component": 0, "instances": [], "cuts": []}
    assert named_in(head, view, t) == []
    assert named_in(head | {"instances": [[*top, 0]]}, view, t) == [(view.top, 0)]
    assert named_in(head | {"instances": [[*(h + 1 for h in top), 0]]}, view, t) is None
    for change in ({"component": 1}, {"component": True}, {"cuts": [{}]}, {"cuts": None}, {"instances": [[0]]}):
        with pytest.raises(Unreadable):
            named_in(head | change, view, t)
    with pytest.raises(Unreadable):
        named_in([], view, t)
