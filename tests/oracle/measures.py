"""Measures the slow and plain way, read off their definitions row by row.

A row is a triple: its original cells, its levels, and what it was released as (anything hashable that is
equal for equal released rows and for no others). Nothing of `incrowd` is used here.
"""

import math
from collections import Counter, defaultdict
from fractions import Fraction


def suppressed_cells(rows, heights):
    return sum(
        1 for _, levels, _ in rows for level, top in zip(levels, heights, strict=True) if level == top and top > 0
    )


def changed_cells(rows):
    return sum(1 for _, levels, _ in rows for level in levels if level > 0)


def class_sizes(rows, heights, outliers):
    """Sizes of the classes in increasing order, and the number of outliers."""
    apart, inside = [], []
    for row in rows:
        starred = any(heights) and tuple(row[1]) == tuple(heights)
        (apart if starred and outliers == "suppress" else inside).append(row[2])
    return sorted(Counter(inside).values()), len(apart)


def classes(rows, heights, outliers):
    sizes, apart = class_sizes(rows, heights, outliers)
    if not sizes:
        return {"count": 0, "min": None, "mean": None, "max": None, "outliers": apart}
    return {
        "count": len(sizes),
        "min": min(sizes),
        "mean": Fraction(sum(sizes), len(sizes)),
        "max": max(sizes),
        "outliers": apart,
    }


def discernibility(rows, heights, outliers):
    """For each row the number of rows that look like it; the whole table for an outlier."""
    total = 0
    for _, levels, shown in rows:
        if outliers == "suppress" and any(heights) and tuple(levels) == tuple(heights):
            total += len(rows)
        else:
            total += sum(1 for other in rows if other[2] == shown)
    return total


def c_avg(rows, heights, outliers, k):
    sizes, _ = class_sizes(rows, heights, outliers)
    return Fraction(sum(sizes), len(sizes)) / k if sizes else None


def usefulness(rows, numeric):
    """Mean tuple diversity; `numeric` is the set of indices of numerical columns."""
    behind = defaultdict(list)
    for original, _, shown in rows:
        behind[shown].append(original)
    m = len(rows[0][0])
    domain = [{original[j] for original, _, _ in rows} for j in range(m)]
    total = Fraction(0)
    for originals in behind.values():
        for j in range(m):
            values = {original[j] for original in originals}
            total += _numeric(values, domain[j]) if j in numeric else Fraction(len(values), len(domain[j]))
    return total / len(behind)


def _numeric(values, domain):
    if None in values:
        return Fraction(len(values) > 1)
    everything = [Fraction(v) for v in domain if v is not None]
    here = [Fraction(v) for v in values]
    if max(everything) == min(everything):
        return Fraction(0)
    return (max(here) - min(here)) / (max(everything) - min(everything))


def _cells(rows, node_of):
    """Per column the domain and a list of (original value, values that share the node shown, level)."""
    for j in range(len(rows[0][0])):
        domain = {original[j] for original, _, _ in rows}
        shown = []
        for original, levels, _ in rows:
            node = node_of(j, levels[j], original[j])
            shown.append((original[j], {v for v in domain if node_of(j, levels[j], v) == node}, levels[j]))
        yield domain, shown


def ncp(rows, heights, node_of):
    """Normalized certainty penalty; ``node_of(j, level, value)`` is the node that shows a value."""
    total = Fraction(0)
    for j, (domain, shown) in enumerate(_cells(rows, node_of)):
        for _, below, level in shown:
            if level == heights[j] > 0:
                total += 1
            elif len(below) > 1:
                total += Fraction(len(below), len(domain))
    return total / (len(rows) * len(rows[0][0]))


def loss(rows, heights, node_of):
    """Iyengar's loss metric; a star over a single value is 1."""
    total = Fraction(0)
    for j, (domain, shown) in enumerate(_cells(rows, node_of)):
        for _, below, level in shown:
            if len(domain) > 1:
                total += Fraction(len(below) - 1, len(domain) - 1)
            elif level == heights[j] > 0:
                total += 1
    return total / (len(rows) * len(heights))


def precision(rows, heights):
    """Sweeney's Prec."""
    total = Fraction(0)
    for _, levels, _ in rows:
        total += sum(Fraction(level, top) for level, top in zip(levels, heights, strict=True) if top)
    return 1 - total / (len(rows) * len(heights))


def entropy(rows, node_of):
    """Bits that the cells shown hide, and bits that stars everywhere would hide."""
    bits = everything = 0.0
    for j, (_, shown) in enumerate(_cells(rows, node_of)):
        originals = [original[j] for original, _, _ in rows]
        for value, below, _ in shown:
            alike = sum(1 for other in originals if other in below)
            bits += math.log2(alike / originals.count(value))
            everything += math.log2(len(rows) / originals.count(value))
    return bits, everything


def risks(rows, heights, outliers):
    """Risk of every row that is no outlier, greatest first."""
    inside = [
        shown
        for _, levels, shown in rows
        if outliers == "forbid" or not any(heights) or tuple(levels) != tuple(heights)
    ]
    return sorted((Fraction(1, inside.count(shown)) for shown in inside), reverse=True)
