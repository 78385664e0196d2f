"""Numbers shown as ranges between the lines of a grid: what may be shown, and the least that it costs.

The columns of `numeric` without a hierarchy are ranged. A cell shows its value (level 0), a range of cells of the grid that is
not the whole column (level 1), or a star (level 2). A range costs by the values of the column in it, or by their width.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
import re
from fractions import Fraction

import numpy as np

from oracle.tables import INFINITE, Asked, kept, tree_over


class Ranged(Asked):
    """A question under ``recoding="grid"`` with the step ``round``."""

    @functools.cached_property
    def ranged(self):
        return [name in self.said["numeric"] and name not in self.lines for name in self.quasi]

    @functools.cached_property
    def heights(self):
        return tuple(2 if on else len(lines[0]) for on, lines in zip(self.ranged, self.ladder, strict=True))

    @functools.cached_property
    def numbers(self):
        """Of every ranged column its distinct numbers, in order."""
        return [sorted({int(row[j]) for row in self.cells}) if on else None for j, on in enumerate(self.ranged)]

    def line(self, value):
        """The line of the grid at or below a number."""
        return int(value) // self.said["round"]

    @kept
    def run_price(self, j, low, up):
        """What a range of cells costs; None where it is the whole column, which is a star."""
        inside = [x for x in self.numbers[j] if low <= self.line(x) <= up]
        if len(inside) == len(self.numbers[j]):
            return None
        if self.said.get("cost") == "ncp":
            return self.weight(j) * Fraction(max(inside) - min(inside), self.numbers[j][-1] - self.numbers[j][0])
        return self.weight(j) * Fraction(len(inside) - 1, len(self.numbers[j]) - 1)

    @functools.cached_property
    def scale(self):
        return math.lcm(*(self.price_unit(j) * self.weight(j).denominator for j in range(len(self.quasi))))

    def price_unit(self, j):
        if not self.ranged[j]:
            return len(self.ladder[j]) * max(len(self.ladder[j]) - 1, 1)
        spread = (
            self.numbers[j][-1] - self.numbers[j][0] if self.said.get("cost") == "ncp" else len(self.numbers[j]) - 1
        )
        return max(spread, 1)

    def _blocks(self):
        n = len(self.rows)
        shown, starred = (np.full(1 << n, INFINITE, np.int64) for _ in range(2))
        for s in range(1, 1 << n):
            members = [i for i in range(n) if s >> i & 1]
            ways = [self._ways(j, [self.cells[i][j] for i in members]) for j in range(len(self.quasi))]
            for vector in itertools.product(*ways):
                if vector not in self._allowed:
                    continue
                alone = vector == self.heights
                if len(members) < self.k and not (alone and self.suppress):
                    continue
                cost = int(sum(way[level] for way, level in zip(ways, vector, strict=True)) * self.scale)
                into = starred if alone else shown
                into[s] = min(into[s], cost)
        return shown, starred

    def _ways(self, j, values):
        """By level what a class of some cells costs in a column."""
        star = self.weight(j) * len(values)
        if not self.ranged[j]:
            return {
                level: sum(self.price(j, v, level) for v in values)
                for level in range(self.heights[j] + 1)
                if len({self.shown(j, v, level) for v in values}) == 1
            }
        found = {2: star}
        if len(set(values)) == 1:
            found[0] = Fraction(0)
        price = self.run_price(j, min(map(self.line, values)), max(map(self.line, values)))
        if price is not None:
            found[1] = price * len(values)
        return found

    @kept
    def _levels(self, j, value, cell):
        if not self.ranged[j]:
            return super()._levels(j, value, cell)
        if cell == "*":
            return [2]
        if cell == value:
            return [0]
        low, up = self.ends(cell)
        if (low, up) == (1, 0):
            return []
        step = self.said["round"]
        assert low is None or low % step == 0, "a range begins beside the grid"
        assert up is None or (up + 1) % step == 0, "a range ends beside the grid"
        inside = (low is None or int(value) >= low) and (up is None or int(value) <= up)
        return [1] if inside else []

    @staticmethod
    @functools.cache
    def ends(label):
        """The least and the greatest whole number of a label (None: no end)."""
        if found := re.fullmatch(r"< (-?\d+)", label):
            return None, int(found[1]) - 1
        if found := re.fullmatch(r">= (-?\d+)", label):
            return int(found[1]), None
        found = re.fullmatch(r"(-?\d+)(?:-| to )(-?\d+)", label)
        return (int(found[1]), int(found[2])) if found else (1, 0)

    def _shown_cost(self, own, cells, vector):
        total = Fraction(0)
        for j, level in enumerate(vector):
            if not self.ranged[j]:
                total += self.price(j, own[j], level)
            elif level == 2:
                total += self.weight(j)
            elif level == 1:
                low, up = self.ends(cells[j])
                mine = [x for x in self.numbers[j] if (low is None or x >= low) and (up is None or x <= up)]
                price = self.run_price(j, self.line(mine[0]), self.line(mine[-1]))
                assert price is not None, "a range is the whole column, and no star"
                total += price
        return total


def drawn(seed, *, rows=(6, 9), ranged=1, others=1, hierarchy=False, mask=None, most=14, pool=6, **said):
    """A table of numbers a, b, ... that are ranged and texts beside them, with a step."""
    rng = random.Random(f"grid {seed}")
    names = tuple("abcd"[: ranged + others])
    n = rng.randint(*rows)
    pools = [sorted(rng.sample(range(most), rng.randint(min(3, pool), pool))) for _ in range(ranged)]
    table = []
    while len({row[0] for row in table}) < 2 or any(len({row[j] for row in table}) < 2 for j in range(ranged)):
        table = [
            (*(str(rng.choice(pool)) for pool in pools), *(rng.choice("xyz") for _ in range(others)), str(i))
            for i in range(n)
        ]
    step = rng.choice((1, 2, 3))
    lines = {}
    if hierarchy:
        name = names[-1]
        lines[name] = tree_over(sorted({row[len(names) - 1] for row in table}), rng, levels=1)
    policy = {
        "quasi_identifiers": list(names), "numeric": list(names[:ranged]), "recoding": "grid", "round": step,
        "k": rng.choice((2, 2, 3)), "outliers": rng.choice(("forbid", "suppress")), **said,
    }  # fmt: skip
    if mask:
        policy["mask"] = mask
    return Ranged((*names, "o"), table, policy, lines)
