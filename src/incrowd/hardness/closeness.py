"""k-anonymity -> t-closeness with equal distances: from rows, or upon another construction."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.bisection import Bisection, BisectionPadded
from incrowd.hardness.construction import LIANG_YUAN, Construction, table_instance, whole
from incrowd.hardness.half_clique import HalfClique
from incrowd.hardness.questions import CLASSES
from incrowd.hardness.sources import Rows, drawn_rows, refuse_cells
from incrowd.hardness.values import Blocks, Instance, Shown, Table

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, kw_only=True)
class ClosenessFromAnonymity(Construction):
    """The reduction of Lemma 1: every row gets a sensitive value of its own, t = 1 - k / n.

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

    size: int = whole(10, "rows, at least 2", least=2)
    k: int = whole(3, "of the k-anonymity problem")
    columns: int = whole(4, "quasi-identifiers")
    values: int = whole(3, "values per column")

    name = "closeness-from-anonymity"
    summary = "k-anonymity as t-closeness with equal distances, every sensitive value unique"
    paper = LIANG_YUAN
    theorem = "Lemma 1"
    source = Rows
    asks = CLASSES
    kept = ("k", "goal")

    def draw(self, rng: np.random.Generator) -> Rows:
        """Return random rows."""
        return drawn_rows(rng, self.size, self.columns, self.values)

    def lacks(self, source: Rows) -> str:
        """Return whether there are fewer than k rows."""
        return f"k must be from 1 to the {n} rows, not {self.k}" if self.k > (n := len(source.rows)) else ""

    def best(self, source: Rows) -> Blocks:
        """Return the cheapest classes."""
        return source.cheapest(self.k)

    def forward(self, source: Rows, goal: int | None) -> Instance:
        """Return the rows with a person each; the classes of a release are those of k-anonymity."""
        assert goal is not None

        def backward(classes: Shown) -> Blocks:
            found = tuple(sorted(classes.values()))
            if any(len(block) < self.k for block in found):
                raise ValueError(f"a class has fewer than {self.k} rows: it is further than t from the whole table")
            return found

        names = [f"c{j}" for j in range(len(source.rows[0]))]
        return lemma_1(
            table_instance(names, source.rows, k=self.k, threshold=goal, witness=lambda best: best, backward=backward)
        )

    def over(self, inner: Instance) -> Instance:
        """Return the instance of another one that asks for k-anonymity and no more."""
        made = lemma_1(inner)
        theorem = f"{self.theorem} after {inner.theorem} ({inner.name})"
        return dataclasses.replace(made, name=self.name, theorem=theorem, paper=self.paper, parameters={}, origin=inner)


def lemma_1(inner: Instance) -> Instance:
    """Return t-closeness in place of the k-anonymity that an instance asks for (Lemma 1).

    The releases are the same, under whatever mask, so threshold, optimum and answer stay, and the way back is the inner
    one's. With n rows t = 1 - k / n. PolicyError is raised if the instance is a network, or its policy asks for more.
    """
    table = inner.table
    if table is None or table.sensitive or inner.policy.get("require"):
        raise PolicyError("the source must be an instance whose policy asks for k-anonymity alone")
    n, k = len(table.rows), inner.policy["k"]
    refuse_cells(n, len(table.columns) + 1)
    t = str(1 - Fraction(k, n))
    closeness = {"model": "t-closeness", "t": t, "column": "person", "distance": "equal"}
    rows = tuple((*row, f"p{i}") for i, row in enumerate(table.rows))
    return dataclasses.replace(
        inner,
        table=Table(quasi_identifiers=table.quasi_identifiers, sensitive=("person",), rows=rows),
        policy={**inner.policy, "sensitive": ["person"], "k": 1, "require": [closeness]},
        more={**inner.more, "rows": n, "k": k, "t": t},
    )


class Upon:
    """A construction of k-anonymity whose table is then that of Lemma 1: Corollary 1."""

    theorem = "Corollary 1"

    def forward(self, source: Any, goal: int | None) -> Instance:
        """Return the instance in t-closeness."""
        return lemma_1(super().forward(source, goal))  # type: ignore[misc]


class BisectionCloseness(Upon, Bisection):
    """Corollary 1 for t = 1/2: Theorem 3, then Lemma 1.

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


class BisectionPaddedCloseness(Upon, BisectionPadded):
    """Corollary 1 for t from 2/3 on: Theorem 4, then Lemma 1.

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


class HalfCliqueCloseness(Upon, HalfClique):
    """Corollary 1 for t between 1/2 and 2/3: Theorem 5, then Lemma 1.

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
