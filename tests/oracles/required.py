"""Small random problems with requirements on sensitive values, one family per model."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np

from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.models.likeness import BetaLikeness
from incrowd.tables.models.named import AlphaK, PSensitive
from incrowd.tables.models.t_closeness import TCloseness
from incrowd.tables.values import RowTypes
from oracles.problems import random_problem
from oracles.sensitive import domain_of

FAMILIES = (
    "frequency", "distinct", "entropy", "recursive", "joint", "equal", "ordered", "numeric", "tree", "matrix",
    "p-sensitive", "alpha-k", "beta", "enhanced", "two columns", "several",
)  # fmt: skip
# Those that a linear program can state.
LINEAR = (
    "frequency", "distinct", "equal", "ordered", "numeric", "tree", "matrix", "p-sensitive", "alpha-k", "beta",
    "enhanced",
)  # fmt: skip


def some(rng, *choices):
    return choices[int(rng.integers(len(choices)))]


def model(rng, family, values, column="s0"):
    """A model of the family on a column with the given values (texts of whole numbers)."""
    if family == "frequency":
        return LDiversity(l=some(rng, Fraction(4, 3), Fraction(3, 2), 2, 2, Fraction(5, 2), 3), column=column)
    if family == "distinct":
        return LDiversity(l=some(rng, 2, 3), column=column, kind="distinct")
    if family == "entropy":
        return LDiversity(l=some(rng, Fraction(3, 2), 2), column=column, kind="entropy")
    if family == "recursive":
        return LDiversity(l=some(rng, 1, 2), c=some(rng, Fraction(3, 2), 2, 3), column=column, kind="recursive")
    if family == "p-sensitive":
        return PSensitive(p=some(rng, 2, 3), column=column)
    if family == "alpha-k":
        return AlphaK(alpha=some(rng, Fraction(1, 2), Fraction(2, 3), Fraction(3, 4)), column=column)
    if family in ("beta", "enhanced"):
        return BetaLikeness(
            beta=some(rng, Fraction(1, 2), 1, Fraction(3, 2)), column=column, enhanced=family == "enhanced"
        )
    t = some(rng, Fraction(1, 10), Fraction(1, 5), Fraction(1, 4), Fraction(1, 3), Fraction(2, 5), Fraction(1, 2))
    if family in ("equal", "ordered", "numeric"):
        return TCloseness(t=t, column=column, distance=family)
    if family == "tree":
        lines = [(v, f"half {i % 2}", "*") for i, v in enumerate(values)]
        return TCloseness(t=t, column=column, distance="hierarchical", hierarchy=lines)
    assert family == "matrix"
    points = rng.integers(0, 4, (len(values), 2))
    matrix = np.abs(points[:, None] - points[None]).sum(axis=2).tolist()
    return TCloseness(t=t, column=column, distance=matrix, rescale=True)


def random_required(rng, family, *, rows=None, k=None):
    """A problem of up to 7 rows with one model of the family (`several`: any two), any mask and hierarchies."""
    return drawn_required(rng, family, rows=rows, k=k)[0]


def drawn_required(rng, family, *, rows=None, k=None):
    """The problem of `random_required`, the domain of its sensitive values, and the models asked for."""
    n = int(rng.integers(2, 8)) if rows is None else rows
    problem = random_problem(rng, rows=n)
    # Rows in any order of their types get sensitive values; equal rows with equal values are one type again.
    codes = np.repeat(problem.types.codes, problem.types.counts, axis=0)
    columns = 1 if family not in ("two columns", "joint") else 2 if family == "two columns" else int(rng.integers(2, 4))
    size = int(rng.integers(2, 5))
    secret = [tuple(str(x) for x in row) for row in rng.integers(0, size, (n, columns))]
    domain, kinds = domain_of(secret)
    if family == "joint":
        asked = [LDiversity(l=2, columns=tuple(f"s{j}" for j in range(columns)), kind="joint")]
    elif family == "two columns":
        asked = [model(rng, some(rng, "frequency", "equal"), domain.values[j], f"s{j}") for j in range(2)]
    elif family == "several":
        asked = [model(rng, some(rng, *LINEAR), domain.values[0]) for _ in range(2)]
    else:
        asked = [model(rng, family, domain.values[0])]
    lines, counts = np.unique(np.column_stack((codes, kinds)), axis=0, return_counts=True)
    types = RowTypes(
        np.ascontiguousarray(lines[:, :-1], np.int32), counts.astype(np.int64), problem.types.sizes,
        np.ascontiguousarray(lines[:, -1], np.int32),
    )  # fmt: skip
    found = dataclasses.replace(
        problem,
        types=types,
        k=min(problem.k, n) if k is None else k,
        requirements=tuple(m.bind(domain) for m in asked),
        sensitive=domain.sensitive,
    )
    return found, domain, tuple(asked)
