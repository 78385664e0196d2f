"""A plan recounted row by row, in plain Python."""

from __future__ import annotations


def node(problem, j, level, code):
    return int(problem.levels[j].up[level, code])


def cost_of(problem, vector, row):
    return sum(int(problem.levels[j].cost[v, c]) for j, (v, c) in enumerate(zip(vector, row, strict=True)))


def recount(problem, plan):
    """Return the cost of a plan; every rule of `Plan` and `Problem` is asserted."""
    types = [tuple(int(x) for x in row) for row in problem.types.codes]
    top = tuple(level.height for level in problem.levels)
    vectors = [tuple(int(x) for x in row) for row in plan.levels]
    parts = list(zip(plan.part_type.tolist(), plan.part_class.tolist(), plan.part_rows.tolist(), strict=True))
    assert [p[:2] for p in parts] == sorted({p[:2] for p in parts}), "parts sorted, no pair twice"
    assert all(rows >= 1 for _, _, rows in parts)
    placed, sizes, shown = {}, {}, {}
    cost = 0
    for kind, group, rows in parts:
        vector = vectors[group]
        placed[kind] = placed.get(kind, 0) + rows
        sizes[group] = sizes.get(group, 0) + rows
        nodes = tuple(node(problem, j, v, c) for j, (v, c) in enumerate(zip(vector, types[kind], strict=True)))
        assert shown.setdefault(group, nodes) == nodes, "all rows of a group show the same"
        cost += rows * cost_of(problem, vector, types[kind])
    assert placed == dict(enumerate(problem.types.counts.tolist())), "every row is placed once"
    assert sorted(sizes) == list(range(len(vectors))), "no group is empty"
    for group, vector in enumerate(vectors):
        assert problem.patterns.allows(vector)
        if not (problem.outliers == "suppress" and vector == top):
            assert sizes[group] >= problem.k
    instances = [(vectors[g], shown[g]) for g in range(len(vectors))]
    assert len(set(instances)) == len(instances), "no two groups share an instance"
    return cost
