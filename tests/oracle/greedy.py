"""Algorithm 1 in plain Python: over and over the cheapest pattern under which k rows that are left look alike."""

from __future__ import annotations

from collections import Counter, defaultdict


def groups(asked):
    """The groups, as pairs of a vector and row numbers, and the rows that are left over.

    Of all instances that k rows left agree with, the one of least cost, then of the first pattern: patterns by their least cost,
    fewer stars, larger domains blotted out, earlier columns, levels; then that of the first row type.
    """
    types = sorted(Counter(asked.cells), key=lambda row: [(cell is not None, (cell or "").encode()) for cell in row])
    m = len(asked.quasi)
    nodes = [
        [len({asked.shown(j, row[j], level) for row in types}) for level in range(asked.heights[j] + 1)]
        for j in range(m)
    ]
    floor = [
        [min(asked.price(j, row[j], level) for row in types) for level in range(asked.heights[j] + 1)] for j in range(m)
    ]

    def place(vector):
        stars = sum(level == top for level, top in zip(vector, asked.heights, strict=True))
        blotted = sum(
            (nodes[j][0] - nodes[j][level]) * m * (m + 1) + (m - j) * (level == asked.heights[j])
            for j, level in enumerate(vector)
        )
        return sum(floor[j][level] for j, level in enumerate(vector)), stars, -blotted, vector

    order = sorted(asked.vectors, key=place)
    left, made = set(range(len(asked.rows))), []
    number = {row: n for n, row in enumerate(types)}
    while True:
        best = None
        for turn, vector in enumerate(order):
            alike = defaultdict(list)
            for i in left:
                alike[asked.row_shown(asked.cells[i], vector)].append(i)
            for members in alike.values():
                if len(members) >= asked.k:
                    first = min(members, key=lambda i: number[asked.cells[i]])
                    key = asked.row_cost(asked.cells[first], vector), turn, number[asked.cells[first]]
                    if best is None or key < best[0]:
                        best = key, vector, members
        if best is None:
            return made, sorted(left)
        made.append(best[1:])
        left -= set(best[2])


def cost(asked, made):
    """What the rows of some groups cost."""
    return sum(asked.row_cost(asked.cells[i], vector) for vector, members in made for i in members)
