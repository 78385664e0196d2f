"""k-anonymity -> t-closeness with equal distances."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness.bisection import Bisection, BisectionPadded
from incrowd.hardness.half_clique import HalfClique
from incrowd.hardness.problem import refuse_cells
from incrowd.hardness.problems import ROWS
from incrowd.hardness.questions import CLASSES
from incrowd.hardness.reduction import LIANG_YUAN, Reduction, asked_of, goal_setting, named_setting, refuse_unknown
from incrowd.hardness.sources.anonymity import NAMED, Rows, drawn
from incrowd.hardness.values import Blocks, Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.hardness.sources.graphs import Graph

PERSON = "person"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosenessFromAnonymity(Reduction):
    """The reduction of Lemma 1: every row gets a sensitive value of its own, t = 1 - k / n.

    Parameters
    ----------
    size : int
        Rows, at least 2.
    k : int
        Of the k-anonymity problem, from 1 to the rows.
    columns : int
        Quasi-identifiers.
    values : int
        Values per column.
    named : str or None
        A problem of `NAMED` in place of a random one.
    goal : int or None
        Stars; None: the least, or one less for a no-instance.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    **The releases are the same, so optimum and threshold are those of k-anonymity.** *Proof.* All values are distinct:
    the whole table gives each 1/n, a class of g rows gives its own values 1/g. With equal distances the earth mover's
    distance is the mass moved (Fact 1): each of the g values loses 1/g - 1/n, together 1 - g/n. That is at most 1 - k/n
    if and only if g >= k. Equality counts, so t must be exact: it is written as a fraction.

    The policy says k = 1: the class sizes come from t alone.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Lemma 1, Fact 1.
    """

    size: int = setting(10, "rows, at least 2", "integer", least=2, metavar="N")
    k: int = setting(3, "of the k-anonymity problem", "integer", least=1, metavar="N")
    columns: int = setting(4, "quasi-identifiers", "integer", least=1, metavar="N")
    values: int = setting(3, "values per column", "integer", least=1, metavar="N")
    named: str | None = named_setting(NAMED)
    goal: int | None = goal_setting(CLASSES.goal, "the least")

    name = "closeness-from-anonymity"
    summary = "k-anonymity as t-closeness with equal distances, every sensitive value unique"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Lemma 1"
    problem = ROWS
    asks = CLASSES
    kept = ("k", "goal")

    def check(self) -> None:
        """Refuse unknown names."""
        refuse_unknown(self.named, NAMED)

    def build(self) -> Instance:
        """Return the instance: the threshold is the optimum, or one star less."""
        if self.named is not None:
            source = NAMED[self.named]
        else:
            source = drawn(np.random.default_rng(self.seed), self.size, self.columns, self.values, self.k)
        return self.of(source.rows)

    def of(self, source: Sequence[Sequence[str]]) -> Instance:
        """Return the instance of rows of texts, at least k of them."""
        return forward(Rows(tuple(map(tuple, source)), self.k), goal=self.goal, no=self.no, solve=self.solve)

    def over(self, inner: Instance) -> Instance:
        """Return the instance of another one that asks for k-anonymity and no more: Corollary 1 composes so."""
        return composed(inner)


def composed(inner: Instance) -> Instance:
    """Return t-closeness in place of the k-anonymity that an instance asks for (Lemma 1).

    The releases are the same, under whatever mask, so threshold, optimum and answer stay, and the way back is the inner
    one's. `inner` is a table of n rows, whose policy asks for k alone, and t = 1 - k / n. PolicyError is raised if it
    is a network, or its policy asks for more.
    """
    table = inner.table
    if table is None or table.sensitive or inner.policy.get("require"):
        raise PolicyError("the source must be an instance whose policy asks for k-anonymity alone")
    width = len(table.quasi_identifiers)
    t = 1 - Fraction(inner.policy["k"], len(table.rows))
    refuse_cells(len(table.rows), width + 1)
    rows = tuple((*row, f"p{i}") for i, row in enumerate(table.rows))
    return dataclasses.replace(
        inner,
        name=ClosenessFromAnonymity.name,
        theorem=f"{ClosenessFromAnonymity.theorem} after {inner.theorem} ({inner.name})",
        paper=ClosenessFromAnonymity.paper,
        table=Table(quasi_identifiers=table.quasi_identifiers, sensitive=(PERSON,), rows=rows),
        policy={**inner.policy, **closeness(table.quasi_identifiers, t)},
        backward=lambda released: inner.backward([row[:width] for row in released]),
        more={**inner.more, "rows": len(rows), "k": inner.policy["k"], "t": str(t)},
    )


def forward(source: Rows, *, goal: int | None = None, no: bool = False, solve: bool = True) -> Instance:
    """Return the instance that asks for at most so many stars (Lemma 1).

    `goal` is the number of stars, by default the optimum of k-anonymity, or one star less for a no-instance. Without
    `solve` the optimum is not sought, and the answer stays open. PolicyError is raised if a no-instance is asked for
    and no star is needed, or beside a goal; or if neither a goal nor the optimum is there. The optimum is found by an
    integer program of one variable per group of k to 2 k - 1 rows (at most 20,000), without a time limit.
    """
    n = len(source.rows)
    refuse_cells(n, len(source.rows[0]))
    names = tuple(f"c{j}" for j in range(len(source.rows[0])))
    rows = tuple((*row, f"p{i}") for i, row in enumerate(source.rows))
    table = Table(quasi_identifiers=names, sensitive=(PERSON,), rows=rows)
    best = source.cheapest() if solve else None
    optimum = None if best is None else table.cost(table.released(best))
    if no and optimum == 0:
        raise PolicyError("this table needs no star, so no threshold is missed; choose more values or another seed")
    most = asked_of(CLASSES, goal, None if optimum is None else optimum - no, no=no)
    t = 1 - Fraction(source.k, n)
    return Instance(
        name=ClosenessFromAnonymity.name,
        kind="table",
        question="is there a release with at most the threshold's stars (a k-anonymous one)?",
        threshold=most,
        yes=None if optimum is None else optimum <= most,
        optimum=optimum,
        theorem=ClosenessFromAnonymity.theorem,
        paper=ClosenessFromAnonymity.paper,
        source=source,
        backward=lambda released: backward(table, source, released),
        policy=closeness(names, t),
        table=table,
        witness=best,
        more={"rows": n, "k": source.k, "t": str(t)},
        asks=CLASSES,
        goal=most,
    )


def closeness(names: Sequence[str], t: Fraction) -> dict[str, Any]:
    """Return the policy of Lemma 1: the class sizes come from t alone.

    `names` are the quasi-identifiers, and `t` is 1 - k / n, exactly.
    """
    return {
        "quasi_identifiers": list(names),
        "sensitive": [PERSON],
        "k": 1,
        "outliers": "forbid",
        "require": [{"model": "t-closeness", "t": str(t), "column": PERSON, "distance": "equal"}],
    }


def backward(table: Table, source: Rows, released: Sequence[Sequence[str]]) -> Blocks:
    """Return the k-anonymous classes of a t-close release: the rows of each class, ascending.

    `source` is the k-anonymity problem, and `released` holds (n, columns) texts in the order of the instance's table.
    InputError is raised if it is no release of the table, and ValueError if a class has fewer than k rows: then the
    release is not t-close.
    """
    found = tuple(sorted(table.classes(released).values()))
    if any(len(block) < source.k for block in found):
        raise ValueError(f"a class has fewer than {source.k} rows: it is further than t from the whole table")
    return found


# Corollary 1: the constructions of Theorems 3, 4 and 5, then Lemma 1.
@dataclass(frozen=True, slots=True, kw_only=True)
class BisectionCloseness(Bisection):
    """Corollary 1 for t = 1/2: Theorem 3, then Lemma 1.

    Parameters
    ----------
    size, edges, named, goal, seed, no, solve
        As of `Bisection`.

    Notes
    -----
    Threshold, optimum and answer are those of `bisection`. *Proof.* By Lemma 1 (`closeness-from-anonymity`) the
    releases are the same, with t = 1 - k/n = 1/2; the way back is that of Theorem 3.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Corollary 1.
    """

    name = "bisection-closeness"
    summary = "minimum bisection as n/2-anonymity, as t-closeness with equal distances, t = 1/2"
    theorem = "Corollary 1"

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes."""
        return _named(self, Bisection.of(self, source))


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectionPaddedCloseness(BisectionPadded):
    """Corollary 1 for t from 2/3 on: Theorem 4, then Lemma 1.

    Parameters
    ----------
    size, edges, c, named, goal, seed, no, solve
        As of `BisectionPadded`; t = 1 - c.

    Notes
    -----
    Threshold, optimum and answer are those of `bisection-padded`. *Proof.* By Lemma 1 (`closeness-from-anonymity`) the
    releases are the same, with t = 1 - k/n' = 1 - c, under the same mask; the way back is that of Theorem 4.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Corollary 1.
    """

    name = "bisection-padded-closeness"
    summary = "minimum bisection as cn-anonymity, as t-closeness with equal distances, t from 2/3 on"
    theorem = "Corollary 1"

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes."""
        return _named(self, BisectionPadded.of(self, source))


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfCliqueCloseness(HalfClique):
    """Corollary 1 for t between 1/2 and 2/3: Theorem 5, then Lemma 1.

    Parameters
    ----------
    size, edges, rows, named, seed, no, solve
        As of `HalfClique`; t = 1 - n / (2 (n + rows)).

    Notes
    -----
    Threshold, optimum and answer are those of `half-clique`. *Proof.* By Lemma 1 (`closeness-from-anonymity`) the
    releases are the same, with t = 1 - k/n' = 1 - c; the way back is that of Theorem 5.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Corollary 1.
    """

    name = "half-clique-closeness"
    summary = "a clique of half the nodes as cn-anonymity, as t-closeness with equal distances, t from 1/2 to 2/3"
    theorem = "Corollary 1"

    def build(self) -> Instance:
        """Return the instance of a named graph, of a planted clique, or of a graph without one."""
        return _named(self, HalfClique.build(self))

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes, more than twice the new rows."""
        return _named(self, HalfClique.of(self, source))


def _named(construction: Reduction, inner: Instance) -> Instance:
    """Return an instance in t-closeness, under the construction's own name."""
    return dataclasses.replace(
        composed(inner), name=construction.name, theorem=construction.theorem, paper=construction.paper
    )
