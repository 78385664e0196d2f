"""What follows from a release being the cheapest, by going through every original that its classes may have had."""

from __future__ import annotations

import itertools

import numpy as np

from oracles.attacked import row_cost

MOST = 20_000


def cheapest_costs(made):
    """The cost of the cheapest release of every table that has one, as `worlds_by_release` lists them."""
    return {table: found.plan.cost(problem) for worlds in made.values() for table, problem, found in worlds}


def boxes_of(shown, question):
    """By class and column the values below what it shows."""
    return [
        [np.flatnonzero(level.up[at] == node).tolist() for level, at, node in zip(question[1], *key, strict=True)]
        for key, _ in shown
    ]


def cost_of(shown, question):
    """What a release costs."""
    boxes = boxes_of(shown, question)
    return sum(
        size * row_cost(question[1], vector, [box[0] for box in boxes[c]])
        for c, ((vector, _), size) in enumerate(shown)
    )


def excludable_by_bound(shown, question, cheapest, bound):
    """Class, column and value where no original that the classes may have had, of which no release costs less than a
    bound, has the value there; None where there are too many to go through."""
    boxes = boxes_of(shown, question)
    rows = [
        list(itertools.combinations_with_replacement(list(itertools.product(*box)), size))
        for box, (_, size) in zip(boxes, shown, strict=True)
    ]
    if np.prod([float(len(one)) for one in rows]) > MOST:
        return None
    left = {(c, j, v) for c, box in enumerate(boxes) for j, values in enumerate(box) for v in values}
    for world in itertools.product(*rows):
        table = tuple(sorted(row for one in world for row in one))
        if table in cheapest and cheapest[table] >= bound:
            left -= {(c, j, v) for c, one in enumerate(world) for row in one for j, v in enumerate(row)}
    return left
