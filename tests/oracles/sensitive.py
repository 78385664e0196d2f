"""Models about sensitive values straight from their definitions, on plain lists of values in fractions."""

from __future__ import annotations

import decimal
import itertools
import math
from collections import Counter
from fractions import Fraction

import networkx as nx
import numpy as np

from incrowd.tables.values import Domain, Sensitive


def domain_of(rows):
    """The domain of a table's sensitive rows (tuples of texts or None), and the kind of every row."""
    width = len(rows[0])
    order = lambda value: (value is not None, (value or "").encode())
    values = [sorted({row[j] for row in rows}, key=order) for j in range(width)]
    coded = [tuple(values[j].index(row[j]) for j in range(width)) for row in rows]
    kinds = sorted(set(coded))
    times = Counter(coded)
    sensitive = Sensitive(
        np.array(kinds, np.int32).reshape(len(kinds), width),
        tuple(f"s{j}" for j in range(width)),
        tuple(len(v) for v in values),
    )
    counts = np.array([times[kind] for kind in kinds], np.int64)
    return Domain(sensitive, tuple(map(tuple, values)), counts), np.array([kinds.index(c) for c in coded], np.int32)


def shares(values):
    return {v: Fraction(n, len(values)) for v, n in Counter(values).items()}


# --- l-diversity -------------------------------------------------------------------------------------------------


def frequency(members, least):
    return max(Counter(members).values()) * Fraction(least) <= len(members)


def distinct(members, least):
    return len(set(members)) >= least


def entropy(members, least):
    """prod (N / c)^c >= least^N."""
    n, least = len(members), Fraction(least)
    return math.prod(Fraction(n, c) ** c for c in Counter(members).values()) >= least**n


def recursive(members, least, c):
    r = sorted(Counter(members).values(), reverse=True)
    return r[0] < Fraction(c) * sum(r[least - 1 :])


def joint(members, least):
    """Every row in least rows that differ pairwise in every column: by trying all sets."""
    rows = sorted(set(members))
    apart = lambda some: all(
        a != b for one, two in itertools.combinations(some, 2) for a, b in zip(one, two, strict=True)
    )
    good = set()
    for some in itertools.combinations(rows, least):
        if apart(some):
            good |= set(some)
    return good == set(rows)


# --- t-closeness -------------------------------------------------------------------------------------------------


def ground(kind, table, *, order=None, lines=None):
    """The distance between two values as a function."""
    domain = sorted(set(table), key=lambda v: v.encode()) if None not in table else None
    if kind == "equal":
        return lambda a, b: Fraction(a != b)
    if kind == "ordered":
        if order is None:
            try:
                order = sorted(set(domain), key=Fraction)
            except ValueError:
                order = domain
        return lambda a, b: Fraction(abs(order.index(a) - order.index(b)), max(len(order) - 1, 1))
    if kind == "numeric":
        spread = max(map(Fraction, domain)) - min(map(Fraction, domain)) or 1
        return lambda a, b: abs(Fraction(a) - Fraction(b)) / spread
    path = {line[0]: line for line in lines}
    height = len(lines[0]) - 1
    return lambda a, b: Fraction(next(h for h in range(height + 1) if path[a][h] == path[b][h]), height)


def moved(members, table, distance):
    """The earth mover's distance by a network simplex on whole numbers."""
    have, want = Counter(members), Counter(table)
    values = sorted(want, key=str)
    scale = math.lcm(*(distance(a, b).denominator for a in values for b in values))
    graph = nx.DiGraph()
    for v in values:
        graph.add_node(("from", v), demand=-have[v] * len(table))
        graph.add_node(("to", v), demand=want[v] * len(members))
        for w in values:
            graph.add_edge(("from", v), ("to", w), weight=int(distance(v, w) * scale))
    cost, _ = nx.network_simplex(graph)
    return Fraction(cost, scale * len(table) * len(members))


# --- others ------------------------------------------------------------------------------------------------------


def beta(members, table, most, *, enhanced=False):
    q, p = shares(members), shares(table)
    for value, share in q.items():
        gain = (share - p[value]) / p[value]
        if gain > 0 and (gain > Fraction(most) or (enhanced and decimal_of(gain) > -decimal_of(p[value]).ln())):
            return False
    return True


def delta(members, table, bound):
    q, p = shares(members), shares(table)
    return all(abs((decimal_of(q[v]) / decimal_of(p[v])).ln()) < decimal_of(Fraction(bound)) for v in q)


def decimal_of(fraction):
    decimal.getcontext().prec = 60
    return decimal.Decimal(fraction.numerator) / decimal.Decimal(fraction.denominator)
