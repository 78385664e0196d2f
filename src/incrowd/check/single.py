"""One recoding for the whole table: the lattice is walked again [U1-U5]."""

from __future__ import annotations

import itertools
from collections import Counter

from .certificate import numbers, whole
from .exact import grouped, refuse, refute

MOST_STEPS = 1 << 36  # types looked at, over all stands of the walk


def proven_by_walk(p, certificate):
    """Return the bound of one recoding for the whole table, scaled: the lattice is walked again."""
    levels = tuple(numbers(certificate.get("levels"), "levels", len(p.heights)))
    claimed, walk = whole(certificate, "suppressed_rows", 0), Walk(p)
    known = all(0 <= level <= top for level, top in zip(levels, p.heights, strict=True)) and p.mask.allows(levels)
    own = walk.release(levels) if known else None
    suppressed, low, high = p.of_release or (claimed, levels, levels)
    shown = all(a <= level <= b for a, level, b in zip(low, levels, high, strict=True))
    refute(own is None or own[0] != certificate["cost"] or not shown, "levels")  # [U5]
    refute(own[1] != claimed or suppressed != claimed, "suppressed_rows")
    return walk.least(certificate["lower_bound"])


class Walk:
    """The lattice of level vectors, column by column; the columns to come are at their top so far."""

    def __init__(self, p):
        self.p, self.steps, self.best = p, 0, None
        self.full = sum(max(column[-1][1]) for column in p.levels)
        self.starred, self.weighed = p.mask.allows(p.heights), {}

    def release(self, vector):
        """Return the scaled cost and the suppressed rows of a vector's release; None if it has none [U1]."""
        groups = [list(range(self.p.t))]
        for j, level in enumerate(vector):
            groups = self.finer(groups, j, level)
        return self.judged(vector, groups)

    def least(self, bound):
        """Return the least cost of a release under one vector, or the bound if that is not more [U4]."""
        self.best, everything = bound, [list(range(self.p.t))]
        if self.starred:
            self.stand(self.p.heights, everything)
        self.walk((), everything, [0] * self.p.t)
        return self.best

    def walk(self, begun, groups, costs):
        """Look at all vectors that begin with some levels, at which the rows of every type cost so much."""
        p, j = self.p, len(begun)
        if j == len(p.heights):
            if begun != p.heights and p.mask.allows(begun):
                self.stand(begun, groups)
            return
        for level in range(p.heights[j] + 1):
            here = (*begun, level)
            if p.mask.raised((*here, *[0] * (len(p.heights) - j - 1))) is None:  # [M4]
                continue
            now = self.finer(groups, j, level)
            out = p.rows - sum(map(p.size, now))
            if out and (not self.starred or out > p.facts["most_suppressed"]):
                continue
            paid = list(map(int.__add__, costs, self.column(j, level)))
            if sum(map(paid.__getitem__, itertools.chain(*now))) + out * self.full < self.best:
                self.walk(here, now, paid)

    def column(self, j, level):
        """Return what the rows of every type cost in a column at a level."""
        if (j, level) not in self.weighed:
            self.weighed[j, level] = list(map(int.__mul__, self.p.paid[j][level], self.p.counts))
        return self.weighed[j, level]

    def finer(self, groups, j, level):
        """Return the classes of k rows or more when one more column is told at a level [U3]."""
        self.p.ask()
        self.steps += sum(map(len, groups))
        refuse(self.steps > MOST_STEPS, "the lattice is too large to be walked")
        if level == self.p.heights[j]:
            return groups
        nodes = self.p.nodes[j][level]
        parts = (part for group in groups for part in grouped(group, nodes.__getitem__).values())
        return [part for part in parts if self.p.size(part) >= self.p.k]

    def paid(self, levels, groups):
        """Return what the rows of some classes cost at some levels."""
        told = [self.column(j, level) for j, level in enumerate(levels)]
        return sum(sum(map(column.__getitem__, itertools.chain(*groups))) for column in told)

    def stand(self, vector, groups):
        """Compare a vector's release with the best so far."""
        found = self.judged(vector, groups)
        self.best = self.best if found is None else min(self.best, found[0])

    def judged(self, vector, groups):
        """Return cost and suppressed rows of the release that shows some classes, but those that fail a model [U2]."""
        p, starred = self.p, vector == self.p.heights and any(self.p.heights)
        good = [group for group in groups if self.met(group)]
        if starred and len(good) < len(groups):
            return None
        out = p.rows - sum(map(p.size, good))
        suppressed = p.rows if starred else out
        if suppressed > p.facts["most_suppressed"] or (out and not self.starred):
            return None
        if 0 < out < p.k and p.outliers == "forbid":
            return None
        if out and p.asked:
            shown = {i for group in good for i in group}
            if not self.met([i for i in range(p.t) if i not in shown]):
                return None
        return self.paid(vector, good) + out * self.full, suppressed

    def met(self, group):
        """Return whether a class meets every model."""
        counted = Counter()
        for i in group if self.p.asked else ():
            counted[self.p.kinds[self.p.kind[i]]] += self.p.counts[i]
        return all(asked.met(counted) for asked in self.p.asked)
