"""What is asked of the sensitive values of a class, straight from the definitions, in fractions.

A rule comes in the words of a policy (``l-diversity l=2 column=ill kind=entropy``) and becomes a test of a class: a list of
rows, each a dict of its sensitive cells (None: missing).
"""

from __future__ import annotations

import contextlib
import decimal
import itertools
import math
import shlex
from collections import Counter
from fractions import Fraction

import numpy as np
from scipy.optimize import linprog


def tests_of(said, table):
    """The tests that a policy (a dict of settings) makes of a class, for a table (a list of dicts)."""
    asked = list(said.get("require", ()))
    sensitive = said.get("sensitive", ())
    if said.get("l") is not None:
        asked += [f"l-diversity l={said['l']} column={name}" for name in sensitive]
    if said.get("t") is not None:
        kind = dict(said.get("sensitive_distance", {}))
        asked += [f"t-closeness t={said['t']} column={name} distance={kind.get(name, 'equal')}" for name in sensitive]
    return [test_of(text, table) for text in asked]


def test_of(text, table):
    """The test that the words of one rule make of a class."""
    name, *settings = shlex.split(text)
    given = dict(word.split("=", 1) for word in settings)
    column = given.get("column")
    every = [row[column] for row in table] if column else []
    of = lambda rows: [row[column] for row in rows]
    if name == "k-anonymity":
        return lambda rows: len(rows) >= int(given["k"])
    if name == "l-diversity":
        kind, least = given.get("kind", "frequency"), Fraction(given["l"])
        if kind == "joint":
            names = given["columns"].split(",")
            return lambda rows: joint([tuple(row[c] for c in names) for row in rows], int(least))
        if kind == "recursive":
            return lambda rows: recursive(of(rows), int(least), Fraction(given["c"]))
        return lambda rows: {"frequency": frequency, "distinct": distinct, "entropy": entropy}[kind](of(rows), least)
    if name == "p-sensitive":
        return lambda rows: distinct(of(rows), int(given["p"]))
    if name == "alpha-k":
        return lambda rows: frequency(of(rows), 1 / Fraction(given["alpha"]))
    if name == "beta-likeness":
        enhanced = given.get("enhanced", "false") == "true"
        return lambda rows: beta(of(rows), every, Fraction(given["beta"]), enhanced=enhanced)
    if name == "delta-disclosure":
        return lambda rows: delta(of(rows), every, Fraction(given["delta"]))
    assert name == "t-closeness"
    parted = {
        "order": lambda text: text.split(","),
        "lines": lambda text: [line.split("/") for line in text.split()],
        "rows": lambda text: [list(map(Fraction, line.split(","))) for line in text.split(";")],
    }
    told = {word: part(given[word]) for word, part in parted.items() if word in given}
    distance = ground(given.get("distance", "equal"), every, **told)
    most, metric = Fraction(given["t"]), Mover(every, distance)
    return lambda rows: metric.moved(of(rows)) <= most


def shares(values):
    return {v: Fraction(n, len(values)) for v, n in Counter(values).items()}


# --- l-diversity -----------------------------------------------------------------------------------------------------


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
    rows = sorted(set(members), key=str)
    apart = lambda a, b: all(x != y for x, y in zip(a, b, strict=True))
    good = set()
    for some in itertools.combinations(rows, least):
        if all(apart(a, b) for a, b in itertools.combinations(some, 2)):
            good |= set(some)
    return good == set(rows)


# --- t-closeness -----------------------------------------------------------------------------------------------------


def ground(kind, table, *, order=None, lines=None, rows=None):
    """The distance between two values as a function; of a tree by its lines, each from a value to the root."""
    if kind == "equal":
        return lambda a, b: Fraction(a != b)
    if kind == "hierarchical":
        path = {line[0]: line for line in lines}
        height = len(lines[0]) - 1
        return lambda a, b: Fraction(next(h for h in range(height + 1) if path[a][h] == path[b][h]), height)
    if kind == "matrix":
        return lambda a, b: rows[order.index(a)][order.index(b)]
    if kind == "numeric":
        numbers = list(map(Fraction, table))
        spread = max(numbers) - min(numbers) or 1
        return lambda a, b: abs(Fraction(a) - Fraction(b)) / spread
    assert kind == "ordered"
    if order is None:
        order = sorted(set(table), key=lambda v: v.encode())
        with contextlib.suppress(ValueError):
            order = sorted(order, key=Fraction)
    return lambda a, b: Fraction(abs(order.index(a) - order.index(b)), max(len(order) - 1, 1))


class Mover:
    """The earth mover's distance to a table's values, a transport solved as a linear program and read back exactly.

    Some optimum of it is a vertex, whose entries are whole numbers where supplies and demands are: a program in whole
    numbers gives the exact cost after rounding.
    """

    def __init__(self, table, distance):
        self.want, self.n = Counter(table), len(table)
        self.values = sorted(self.want, key=str)
        self.distance = [[distance(a, b) for b in self.values] for a in self.values]
        self.known = {}
        ends = len(self.values)
        self.ends = np.concatenate((np.kron(np.eye(ends), np.ones(ends)), np.tile(np.eye(ends), ends)))

    def moved(self, members):
        have = Counter(members)
        key = tuple(have[v] for v in self.values)
        if key not in self.known:
            supply = [x * self.n for x in key] + [self.want[v] * len(members) for v in self.values]
            found = linprog(np.array(self.distance, float).ravel(), A_eq=self.ends, b_eq=supply, method="highs-ds")
            flow = np.rint(found.x).astype(int).reshape(len(key), len(key))
            assert (flow.sum(1) == supply[: len(key)]).all() and (flow.sum(0) == supply[len(key) :]).all()
            cost = sum(
                int(f) * d for fs, ds in zip(flow, self.distance, strict=True) for f, d in zip(fs, ds, strict=True)
            )
            self.known[key] = Fraction(cost) / (self.n * len(members))
        return self.known[key]


# --- others ----------------------------------------------------------------------------------------------------------


def beta(members, table, most, *, enhanced=False):
    """No value with share p of the table gains more than `most` (and, enhanced, more than -ln p) relatively."""
    q, p = shares(members), shares(table)
    for value, share in q.items():
        gain = (share - p[value]) / p[value]
        if gain > 0 and (gain > Fraction(most) or (enhanced and decimal_of(gain) > -logarithm(p[value]))):
            return False
    return True


def delta(members, table, bound):
    """|ln (q / p)| < bound for every value of the class."""
    q, p = shares(members), shares(table)
    return all(abs(logarithm(q[v] / p[v])) < decimal_of(Fraction(bound)) for v in q)


def decimal_of(fraction):
    with decimal.localcontext(prec=60):
        return decimal.Decimal(fraction.numerator) / decimal.Decimal(fraction.denominator)


def logarithm(fraction):
    with decimal.localcontext(prec=60):
        return decimal_of(fraction).ln()
