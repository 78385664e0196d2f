"""Attacks by going through everything: every original of a policy, released by a real solver; every world of a class."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np

from incrowd.tables.attack.values import AttackColumn, Released
from incrowd.tables.values import Levels, PatternBlock, Problem, RowTypes


class PatternList:
    """A `PatternSet` over an explicit list; every answer by going through the list."""

    written = ()

    def __init__(self, heights, vectors=None, block=64):
        self.heights = tuple(heights)
        if vectors is None:
            vectors = itertools.product(*(range(h + 1) for h in self.heights))
        self.vectors = sorted({tuple(int(x) for x in v) for v in vectors})
        self.known = set(self.vectors)
        self.block = block
        self._cache = {}

    @property
    def allows_full_suppression(self):
        return self.heights in self.known

    def allows(self, vector):
        return tuple(int(x) for x in vector) in self.known

    def count(self):
        return len(self.vectors)

    def reach(self):
        return tuple(max((v[j] for v in self.vectors), default=0) for j in range(len(self.heights)))

    def _sorted(self, costs, ties):
        def key(v):
            cost = sum(costs[j][x] for j, x in enumerate(v))
            stars = sum(x == h for x, h in zip(v, self.heights, strict=True))
            tie = sum(ties[j][x] for j, x in enumerate(v)) if ties else 0
            return cost, stars, -tie, v

        name = repr((costs, ties))
        if name not in self._cache:
            self._cache[name] = sorted((*key(v), v) for v in self.vectors)
        return self._cache[name]

    def by_cost(self, costs, ties):
        order = self._sorted(costs, ties)
        for first in range(0, len(order), self.block):
            part = order[first : first + self.block]
            yield PatternBlock(
                np.array([entry[-1] for entry in part], np.int8).reshape(len(part), len(self.heights)),
                np.array([entry[0] for entry in part], np.int64),
            )

    def cheapest_above(self, vector, costs):
        for entry in self._sorted(costs, None):
            if all(a >= b for a, b in zip(entry[-1], vector, strict=True)):
                return entry[-1]
        return None


SIZES = [(2, 2), (3, 2), (4, 2), (2, 2, 2), (3, 3), (3, 2, 2), (5,)]


def random_levels(rng, d, height, *, uniform):
    """A random hierarchy over d values with random costs that do not fall."""
    up, cost = [np.arange(d)], [np.zeros(d, np.int64)]
    for level in range(1, height + 1):
        below = up[-1]
        names = np.unique(below)
        parents = np.zeros(len(names), int) if level == height else rng.integers(0, max(len(names) // 2, 1), len(names))
        merged = np.unique(parents, return_inverse=True)[1]
        up.append(merged[np.searchsorted(names, below)])
        least = np.array([cost[-1][up[-1] == node].max() for node in range(up[-1].max() + 1)])
        extra = rng.integers(0, 4, 1 if uniform else len(least))
        if uniform:
            least = np.full(len(least), least.max())
        cost.append((least + extra)[up[-1]])
    return Levels(np.array(up, np.int32), np.array(cost, np.int64))


def random_question(rng, *, uniform=None, most=400):
    """Domains, levels with costs, a mask, k and the outlier rule; and how many rows its tables have."""
    sizes = SIZES[int(rng.integers(len(SIZES)))]
    uniform = bool(rng.integers(2)) if uniform is None else uniform
    heights = [int(rng.integers(1, 3)) if d > 2 else 1 for d in sizes]
    levels = tuple(random_levels(rng, d, h, uniform=uniform) for d, h in zip(sizes, heights, strict=True))
    if rng.random() < 0.5:  # stars alone, of weights 0 to 3
        heights = [1] * len(sizes)
        weights = rng.integers(0 if rng.random() < 0.2 else 1, 4, len(sizes))
        levels = tuple(star_level(d, int(w)) for d, w in zip(sizes, weights, strict=True))
    every = PatternList(heights).vectors
    kept = [v for v in every if rng.random() < rng.choice([0.6, 1.0, 1.0])]
    patterns = PatternList(heights, {*kept, tuple(heights)})
    k = int(rng.choice([1, 2, 2, 2, 2, 2, 3]))
    rows = max(k, 3)
    while worlds_of(sizes, rows + 1) <= most and rows < 9:
        rows += 1
    return sizes, levels, patterns, k, ("forbid", "suppress")[int(rng.integers(2))], rows


def star_level(d, weight):
    return Levels(
        np.stack([np.arange(d), np.zeros(d)]).astype(np.int32),
        np.stack([np.zeros(d), np.full(d, weight)]).astype(np.int64),
    )


def worlds_of(sizes, rows):
    """How many tables of so many rows there are."""
    types = int(np.prod(sizes))
    return len(list(itertools.islice(itertools.combinations_with_replacement(range(types), rows), 100_000)))


def problem_of(table, question):
    """The problem of one table; codes are those of the whole domain."""
    sizes, levels, patterns, k, outliers, _ = question
    counted = sorted(Counter(table).items())
    types = RowTypes(
        np.array([row for row, _ in counted], np.int32), np.array([n for _, n in counted], np.int64), tuple(sizes)
    )
    return Problem(types, levels, patterns, k, outliers)


def shown_by(problem, plan):
    """What a plan shows: each class (levels, nodes) with its rows, as a sorted tuple."""
    classes = Counter()
    for vector, nodes, size in zip(plan.levels.tolist(), plan.nodes(problem).tolist(), plan.sizes(), strict=True):
        classes[lowest(problem.levels, tuple(vector), tuple(nodes))] += int(size)
    return tuple(sorted(classes.items()))


def lowest(levels, vector, nodes):
    """A class by the lowest levels at which what it shows stands for the same values, as a label would be read."""
    boxes = [
        frozenset(np.flatnonzero(level.up[at] == node).tolist())
        for level, at, node in zip(levels, vector, nodes, strict=True)
    ]
    out = []
    for level, at, box in zip(levels, vector, boxes, strict=True):
        if at == level.height:
            out.append((at, 0))
            continue
        value = min(box)
        low = next(
            x for x in range(at + 1) if frozenset(np.flatnonzero(level.up[x] == level.up[x][value]).tolist()) == box
        )
        out.append((low, int(level.up[low][value])))
    return tuple(at for at, _ in out), tuple(node for _, node in out)


def released_of(shown, question, closed=True):
    """What an attacker holds of a release, its domains known."""
    sizes, levels, patterns, k, outliers, _ = question
    vectors = np.array([vector for (vector, _), _ in shown], np.int8)
    nodes = [nodes for (_, nodes), _ in shown]
    reps = np.array(
        [[int(np.flatnonzero(levels[j].up[vectors[c, j]] == node)[0]) for j, node in enumerate(one)]
         for c, one in enumerate(nodes)], np.int32,
    )  # fmt: skip
    counts = np.array([size for _, size in shown], np.int64)
    columns = []
    for j, level in enumerate(levels):
        plain = np.zeros(sizes[j], np.int64)
        np.add.at(plain, reps[vectors[:, j] == 0, j], counts[vectors[:, j] == 0])
        columns.append(AttackColumn(f"c{j}", tuple(map(str, range(sizes[j]))), closed, level, plain))
    every = np.arange(len(shown), dtype=np.int32)
    return Released(
        columns=tuple(columns), levels=vectors, reps=reps, sizes=counts, unit_class=every,
        unit_kind=np.zeros(len(shown), np.int32), unit_rows=counts, k=k, outliers=outliers, patterns=patterns,
    )  # fmt: skip


def fits(levels, vector, nodes, row):
    return all(int(level.up[at][v]) == node for level, at, node, v in zip(levels, vector, nodes, row, strict=True))


def row_cost(levels, vector, row):
    return sum(int(level.cost[at][v]) for level, at, v in zip(levels, vector, row, strict=True))


def class_is_settled(i, groups, question):
    """The same of one class, in plain words; `groups` need the rows of this class alone."""
    _, levels, patterns, k, outliers, _ = question
    vector, _, rows = groups[i]
    top = tuple(level.height for level in levels)
    free = outliers == "suppress" and vector == top
    for row in rows:
        if not (free or len(rows) - 1 >= k or len(rows) == 1):
            break
        for other, (there, shown, _) in enumerate(groups):
            if (
                other != i
                and fits(levels, there, shown, row)
                and row_cost(levels, there, row) < row_cost(levels, vector, row)
            ):
                return False
    if len(rows) < k:
        return True
    now = row_cost(levels, vector, rows[0])
    for there in patterns.vectors:
        alike = all(
            len({int(level.up[at][row[j]]) for row in rows}) == 1
            for j, (level, at) in enumerate(zip(levels, there, strict=True))
        )
        if alike and row_cost(levels, there, rows[0]) < now:
            return False
    return True


def possible_values(shown, question):
    """By class and column the values that a row may have had in some settled world; by going through all of them."""
    _, levels, _, _, _, _ = question
    classes = [(vector, nodes, ()) for (vector, nodes), _ in shown]
    found = []
    for i, ((vector, nodes), size) in enumerate(shown):
        boxes = [
            np.flatnonzero(level.up[at] == node).tolist() for level, at, node in zip(levels, vector, nodes, strict=True)
        ]
        held = [set() for _ in levels]
        for rows in itertools.combinations_with_replacement(list(itertools.product(*boxes)), size):
            groups = [(v, n, rows if j == i else r) for j, (v, n, r) in enumerate(classes)]
            if class_is_settled(i, groups, question):
                for row in rows:
                    for j, value in enumerate(row):
                        held[j].add(value)
        found.append([(set(box), values) for box, values in zip(boxes, held, strict=True)])
    return found


def hidden_values(problem, plan, shown):
    """For each class of a release and column the values that rows of the original there have."""
    place = {key: i for i, (key, _) in enumerate(shown)}
    nodes = plan.nodes(problem).tolist()
    held = [[set() for _ in problem.levels] for _ in shown]
    for group, kind in zip(plan.part_class.tolist(), plan.part_type.tolist(), strict=True):
        c = place[lowest(problem.levels, tuple(plan.levels[group].tolist()), tuple(nodes[group]))]
        for j, value in enumerate(problem.types.codes[kind].tolist()):
            held[c][j].add(value)
    return held
