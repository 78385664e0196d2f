"""Random classes with random models about them, and what the plain definitions say."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np

from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.likeness import BetaLikeness, DeltaDisclosure
from incrowd.tables.models.named import AlphaK, PSensitive
from incrowd.tables.models.t_closeness import TCloseness
from oracles import sensitive as plain


class Drawn:
    """Rows with three sensitive columns in random classes."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        n, d = rng.randrange(1, 14), rng.randrange(1, 6)
        self.pool = rng.choice([[str(i) for i in range(d)], list("abcde")[:d], ["1", "2.5", "1e1", "-3", "0.25"][:d]])
        pools = self.pool, list("xyzu")[: rng.randrange(1, 5)], list("pqr")[: rng.randrange(1, 4)]
        self.rows = [tuple(rng.choice(pool) for pool in pools) for _ in range(n)]
        self.domain, self.kind = plain.domain_of(self.rows)
        self.groups = rng.randrange(1, 5)
        self.group = np.array([rng.randrange(self.groups) for _ in range(n)])
        self.first = [row[0] for row in self.rows]

    def members(self, group):
        return [row for row, g in zip(self.rows, self.group, strict=True) if g == group]

    def met(self, model):
        ones = np.ones(len(self.rows), np.int64)
        return model.bind(self.domain).meets(self.group, self.kind, ones, self.groups).tolist()

    def reached(self, model):
        ones = np.ones(len(self.rows), np.int64)
        return model.bind(self.domain).reached(self.group, self.kind, ones, self.groups)

    def fraction(self):
        """A threshold in [0, 1] that some classes just meet."""
        rng, n = self.rng, len(self.rows)
        return Fraction(rng.randrange(9), 8) if rng.random() < 0.5 else Fraction(rng.randrange(n * n + 1), n * n)

    def tree(self):
        """Lines from the values of the first column to a root."""
        rng = self.rng
        lines = {value: [value] for value in sorted(set(self.first))}
        for level in range(1, rng.randrange(1, 4)):
            nodes = sorted({line[-1] for line in lines.values()})
            above = {node: f"n{level}.{rng.randrange(max(1, len(nodes) // 2 + 1))}" for node in nodes}
            for line in lines.values():
                line.append(above[line[-1]])
        return tuple((*line, "*") for line in lines.values())

    def metric(self):
        """A random metric over the sorted values of the first column."""
        rng = self.rng
        values = sorted(set(self.first), key=str.encode)
        size = len(values)
        matrix = [[0] * size for _ in range(size)]
        for i in range(size):
            for j in range(i):
                matrix[i][j] = matrix[j][i] = rng.randrange(1, 7)
        for via in range(size):
            for i in range(size):
                for j in range(size):
                    matrix[i][j] = min(matrix[i][j], matrix[i][via] + matrix[via][j])
        return values, matrix


def l_diversity(drawn):
    """(model, its definition on a class's rows) for every kind."""
    rng = drawn.rng
    some = max(Fraction(rng.randrange(2, 9), 2), Fraction(1))
    whole, c = rng.randrange(1, 5), Fraction(rng.randrange(1, 9), 2)
    yield LDiversity(some, "s0"), lambda rows: plain.frequency([r[0] for r in rows], some)
    yield LDiversity(some, "s0", kind="entropy"), lambda rows: plain.entropy([r[0] for r in rows], some)
    yield LDiversity(whole, "s0", kind="distinct"), lambda rows: plain.distinct([r[0] for r in rows], whole)
    yield (
        LDiversity(whole, "s0", kind="recursive", c=c),
        lambda rows: plain.recursive([r[0] for r in rows], whole, c),
    )
    for columns in (["s0"], ["s0", "s1"], ["s2", "s1", "s0"]):
        at = [int(name[1]) for name in columns]
        yield (
            LDiversity(whole, columns=columns, kind="joint"),
            lambda rows, at=at: plain.joint([tuple(r[j] for j in at) for r in rows], whole),
        )


def t_closeness(drawn):
    """(model, ground distance) for every distance that fits the values."""
    t = drawn.fraction()
    for kind in ("equal", "ordered", "numeric"):
        if kind != "numeric" or drawn.pool[0] != "a":
            yield TCloseness(t, "s0", distance=kind), plain.ground(kind, drawn.first)
    lines = drawn.tree()
    yield (
        TCloseness(t, "s0", distance="hierarchical", hierarchy=lines),
        plain.ground("hierarchical", drawn.first, lines=lines),
    )
    values, matrix = drawn.metric()
    most = max(map(max, matrix)) or 1
    yield (
        TCloseness(t, "s0", distance=matrix, rescale=True, order=values),
        lambda a, b: Fraction(matrix[values.index(a)][values.index(b)], most),
    )


def p_sensitive(drawn):
    p = drawn.rng.randrange(1, 5)
    yield PSensitive(p, "s0"), lambda values: plain.distinct(values, p)


def alpha_k(drawn):
    alpha = Fraction(drawn.rng.randrange(1, 9), 8)
    yield AlphaK(alpha, "s0"), lambda values: plain.frequency(values, 1 / alpha)


def beta_likeness(drawn):
    beta, table = Fraction(drawn.rng.randrange(1, 9), 2), drawn.first
    for enhanced in (False, True):
        yield (
            BetaLikeness(beta, "s0", enhanced),
            lambda values, enhanced=enhanced: plain.beta(values, table, beta, enhanced=enhanced),
        )


def delta_disclosure(drawn):
    delta, table = Fraction(drawn.rng.randrange(1, 30), 10), drawn.first
    yield DeltaDisclosure(delta, "s0"), lambda values: plain.delta(values, table, delta)


def others(drawn):
    """(model, its definition on a class's values) for the models about the counts of one column."""
    for some in (p_sensitive, alpha_k, beta_likeness, delta_disclosure):
        yield from some(drawn)


def _of_first(some):
    """The same with a definition on a class's rows."""
    return lambda drawn: (
        (model, lambda rows, met=met: met([row[0] for row in rows])) for model, met in some(drawn)
    )  # fmt: skip


def _close(drawn):
    for model, distance in t_closeness(drawn):
        yield (
            model,
            lambda rows, t=model.t, d=distance: plain.moved([row[0] for row in rows], drawn.first, d) <= t,
        )


# The plain twin of every registered model about sensitive values: from a drawn table to (model, its definition on the
# rows of a class). Models and loops are held against them.
TWINS = {
    "l-diversity": l_diversity,
    "t-closeness": _close,
    "p-sensitive": _of_first(p_sensitive),
    "alpha-k": _of_first(alpha_k),
    "beta-likeness": _of_first(beta_likeness),
    "delta-disclosure": _of_first(delta_disclosure),
}
