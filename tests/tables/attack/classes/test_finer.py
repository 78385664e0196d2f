"""In which columns a whole class could be shown finer."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.classes import lowerings
from oracles.attacked import class_is_settled, random_question, released_of, worlds_by_release
from oracles.small_attacks import held


def test_the_mask_and_the_cost_say_what_can_be_lowered():
    rows = [(None, None), (None, None)]
    assert lowerings(held(rows, (2, 2)), Watch()).level.tolist() == [[0, 0]]
    assert lowerings(held(rows, (2, 2), vectors=[(1, 0), (1, 1)]), Watch()).level.tolist() == [[-1, 0]]
    assert lowerings(held(rows, (2, 2), weights=[0, 1]), Watch()).level.tolist() == [[-1, 0]]
    assert lowerings(held(rows, (2, 2), k=3, outliers="suppress"), Watch()).level.tolist() == [[-1, -1]]
    # lowering the first alone is not allowed, but (0, 1) with the other as it is, is
    assert lowerings(held(rows, (2, 2)), Watch(), slack=2).level.tolist() == [[-1, -1]]


def test_no_class_of_a_settled_release_agrees_where_it_could_be_lowered():
    asked = 0
    for seed in range(4):
        question = random_question(np.random.default_rng(seed), most=40)
        levels = question[1]
        for shown in worlds_by_release(question, load("solvers", "greedy")(), Watch):
            released = released_of(shown, question)
            found = lowerings(released, Watch())
            for c, ((vector, nodes), size) in enumerate(shown):
                for j in np.flatnonzero(found.level[c] >= 0):
                    # a class whose rows agree there, and differ wherever else they can
                    rows = agreeing(levels, vector, nodes, size, j, int(found.level[c, j]))
                    groups = [(v, n, rows) for (v, n), _ in shown]
                    assert not class_is_settled(c, groups, question)
                    asked += 1
    assert asked > 20


def agreeing(levels, vector, nodes, size, j, lower):
    boxes = [np.flatnonzero(level.up[at] == node) for level, at, node in zip(levels, vector, nodes, strict=True)]
    first = boxes[j][0]
    boxes[j] = np.array([v for v in boxes[j] if levels[j].up[lower][v] == levels[j].up[lower][first]])
    return [tuple(int(box[i % box.size]) for box in boxes) for i in range(size)]
