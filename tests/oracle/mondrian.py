"""Mondrian in plain Python, on rows: parts are cut in two at the column that is widest there, until no cut leaves k rows on both sides."""

from __future__ import annotations

import itertools
from fractions import Fraction

PLACES = 1 << 30  # along a column


class Line:
    """The values of a column in the order in which they are cut, and where each lies from 0 to 1."""

    def __init__(self, values, lines=None, *, numeric=False):
        codes = sorted(set(values), key=lambda v: v.encode())
        given = {v: Fraction(v) if numeric else Fraction(n) for n, v in enumerate(codes)}
        if numeric:
            least, length = min(given.values()), max(given.values()) - min(given.values())
            given = {v: Fraction((x - least) * PLACES // length) if length else Fraction(0) for v, x in given.items()}
        path = {line[0]: line for line in lines} if lines else {v: (v,) for v in codes}
        self.height = len(lines[0]) if lines else 1
        self.up = lambda v, level: None if level == self.height else path[v][level]

        def key(v):
            above = []
            for level in range(self.height - 1, 0, -1):
                leaves = [w for w in codes if path[w][level] == path[v][level]]
                above.append((min(given[w] for w in leaves), min(codes.index(w) for w in leaves)))
            return (*above, given[v], codes.index(v))

        self.order = sorted(codes, key=key)
        along = [given[v] for v in self.order]
        if along != sorted(along):
            along = [Fraction(n) for n in range(len(along))]
        length = along[-1] - along[0]
        self.place = {
            v: Fraction((x - along[0]) * PLACES // length) if length else Fraction(0)
            for v, x in zip(self.order, along, strict=True)
        }
        self.rank = {v: n for n, v in enumerate(self.order)}


def parts(rows, k, lines, *, relaxed=False, allowed=lambda rows: True):
    """The parts, each a list of rows. `lines` has a Line for every column; `allowed` says whether rows may stand by themselves."""

    def cuts(some):
        wide = []
        for j, line in enumerate(lines):
            values = sorted({row[j] for row in some}, key=line.rank.get)
            if len(values) > 1:
                wide.append((line.place[values[0]] - line.place[values[-1]], j, values))
        for _, j, values in sorted(wide):
            line = lines[j]
            if relaxed:
                inner = sorted(some, key=lambda row: line.rank[row[j]])
                yield inner[: len(some) // 2], inner[len(some) // 2 :]
                continue
            common = min(level for level in range(line.height + 1) if len({line.up(v, level) for v in values}) == 1)
            for level in range(common - 1, -1, -1):
                best = None
                for a, b in itertools.pairwise(values):
                    if line.up(a, level) != line.up(b, level):
                        left = [row for row in some if line.rank[row[j]] <= line.rank[a]]
                        right = [row for row in some if line.rank[row[j]] > line.rank[a]]
                        if best is None or min(len(left), len(right)) > min(map(len, best)):
                            best = left, right
                if best is not None:
                    yield best

    def split(some):
        for left, right in cuts(some):
            if all(len(side) >= k and allowed(side) for side in (left, right)):
                return split(left) + split(right)
        return [some]

    return split(sorted(rows, key=lambda row: [cell.encode() for cell in row]))


def label(values, *, numeric):
    """What a class shows of a column under ``recoding="ranges"``."""
    distinct = sorted(set(values), key=lambda v: (Fraction(v), v) if numeric else v)
    if len(distinct) == 1:
        return distinct[0]
    return f"[{distinct[0]}-{distinct[-1]}]" if numeric else "*"
