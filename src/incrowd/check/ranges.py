"""Ranges on a grid [G1-G5]."""

from __future__ import annotations

import itertools
import math

from .certificate import numbers, whole
from .exact import grouped, refuse
from .mask import MOST_VECTORS
from .prices import filled, rounded_up

RANGES, MOST_GRIDS, MOST_SUM, MOST_KINDS = "incrowd ranges bound", 1000, 2**60, 2**20  # [G1, G4, G5]


def proven_by_runs(p, certificate):
    """Return the bound over all runs of cells of the ranged columns, scaled [G5]."""
    parts, prices = whole(certificate, "parts", 1), numbers(certificate.get("prices"), "prices", p.t)
    ranged = [j for j, *_ in p.grids]
    others = [column for j, column in enumerate(p.levels) if j not in ranged]
    refuse(math.prod(map(len, others)) > MOST_VECTORS, "there are too many level vectors to recount")
    falls = any(a > b for column in others for (_, low), (_, high) in itertools.pairwise(column)
                for a, b in zip(low, high, strict=True))  # fmt: skip
    refuse(falls, "the costs of a column fall with its level, which a proof of ranges does not allow")
    refuse(4 * p.rows * max(*map(abs, prices), parts * p.dearest) >= MOST_SUM, "the sums are too large")
    runs = Runs(p, parts, prices)
    total = sum(map(int.__mul__, prices, p.counts)) + runs.below()
    if p.outliers == "suppress" and runs.starred:
        total += sum(n * min(0, parts * p.dearest - y) for n, y in zip(p.counts, prices, strict=True))
    step = math.gcd(*runs.ends(), *(c for column in others for _, cost in column for c in cost))
    return rounded_up(total, parts, max(step, 1))


class Runs:
    """All counting instances of levels and runs, column by column, with what each can add below 0 [G4].

    A set of types adds nothing, and neither does any part of it, if it has fewer than k rows or costs so far what
    the dearest of its prices is, for a further column costs no less than 0.
    """

    def __init__(self, p, parts, prices):
        self.p, self.parts, self.prices, self.last = p, parts, prices, len(p.heights)
        grids = [j for j, *_ in p.grids]
        self.order = [j for j in range(self.last) if j not in grids] + grids  # the ranged columns last
        # which kinds the mask leaves: levels, and of ranged columns 0 (value), 1 (run) or 2 (all cells, the star)
        self.mask, self.tops = p.kinds_mask or (None, ())
        self.starred, self.left = not self.mask or self.mask.allows(self.tops), {}
        refuse(math.prod(top + 1 for top in self.tops) > MOST_KINDS, "there are too many level vectors under a mask")
        # by column the cell of every value; and what a run that begins, or ends, with a cell is paid from, and to
        self.cells, self.begins, self.ends_at = {}, {}, {}
        for j, step, ordered, paid, values in p.grids:
            places = [number // step for number in ordered]
            rank = {place: x for x, place in enumerate(dict.fromkeys(places))}
            self.cells[j] = [rank[value // step] for value in values]
            self.begins[j], self.ends_at[j] = [0] * len(rank), [0] * len(rank)
            for place, cost in zip(reversed(places), reversed(paid), strict=True):
                self.begins[j][rank[place]] = cost
            for place, cost in zip(places, paid, strict=True):
                self.ends_at[j][rank[place]] = cost

    def ends(self):
        """Yield the numbers of which every run's cost is a difference."""
        for j in self.cells:
            yield from (*self.begins[j], *self.ends_at[j])

    def below(self):
        """Return the sum of what all instances add below 0, in parts."""
        p, cost, found = self.p, self.parts * self.p.dearest, self.add(list(range(self.p.t)), 0, 0, {})
        if self.mask and self.starred and p.outliers == "forbid":  # stars alone, whatever else these rows could show
            found += min(
                0, -filled(sorted(((y - cost, p.counts[i], i) for i, y in enumerate(self.prices)), reverse=True), p.k)
            )
        return found

    def leaves(self, kinds):
        """Return whether the mask allows something at or above some kinds that is not stars alone [G4]."""
        if kinds not in self.left:
            up = [(*kinds[:j], kinds[j] + 1, *kinds[j + 1 :]) for j, top in enumerate(self.tops) if kinds[j] < top]
            self.left[kinds] = kinds != self.tops and (self.mask.allows(kinds) or any(map(self.leaves, up)))
        return self.left[kinds]

    def add(self, some, at, base, shown):
        """Return it for the instances that show, of the columns so far, what is said, and cost so much by it."""
        p = self.p
        p.ask()
        dearest = max(self.prices[i] for i in some)
        if base >= dearest or p.size(some) < p.k:
            return 0
        if at == self.last:
            return self.adds(some, base, shown)
        j, total = self.order[at], 0
        if j not in self.cells:
            for level, (nodes, costs) in enumerate(p.levels[j]):
                for part in grouped(some, lambda i, nodes=nodes: nodes[p.codes[i][j]]).values():
                    cost = self.parts * costs[p.codes[part[0]][j]]
                    total += self.add(part, at + 1, base + cost, shown | {j: level})
            return total
        for part in grouped(some, lambda i: p.codes[i][j]).values():
            total += self.add(part, at + 1, base, shown | {j: None})
        cells, begins, ends_at = grouped(some, lambda i: self.cells[j][p.codes[i][j]]), self.begins[j], self.ends_at[j]
        for first in sorted(cells):
            inside = []
            for last in sorted(cell for cell in cells if cell >= first):
                inside += cells[last]
                cost = base + self.parts * (ends_at[last] - begins[first])
                if cost >= dearest:
                    break
                total += self.add(list(inside), at + 1, cost, shown | {j: (first, last)})
        return total

    def adds(self, some, cost, shown):
        """Return what one instance adds: min(0, r), and 0 if it does not count."""
        p = self.p
        value = -filled(sorted(((self.prices[i] - cost, p.counts[i], i) for i in some), reverse=True), p.k)
        return value if value < 0 and self.counts(some, shown) else 0

    def counts(self, some, shown):
        """Return whether an instance counts: nothing narrower or lower holds the same types."""
        p, everything, kinds = self.p, self.p.outliers == "suppress", [0] * self.last
        for j, how in shown.items():
            values = {p.codes[i][j] for i in some}
            if j not in self.cells:
                everything, kinds[j] = everything and how == p.heights[j], how
                if how and len({p.levels[j][how - 1][0][value] for value in values}) == 1:
                    return False
                continue
            whole = how == (0, len(self.begins[j]) - 1)
            everything, kinds[j] = everything and whole, 2 if whole else 1 if how else 0
            if how and (len(values) < 2 or not {*how} <= {self.cells[j][value] for value in values}):
                return False
        return not everything and (not self.mask or self.leaves(tuple(kinds)))
