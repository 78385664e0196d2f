"""k-anonymity -> t-closeness with equal distances."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness.draw import named_setting, refuse_unknown
from incrowd.hardness.papers import LIANG_YUAN
from incrowd.hardness.sources.anonymity import NAMED, Rows, drawn
from incrowd.hardness.values import Blocks, Instance, Reduction, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ClosenessFromAnonymity", "backward", "forward"]


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
    seed, no
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

    name = "closeness-from-anonymity"
    summary = "k-anonymity as t-closeness with equal distances, every sensitive value unique"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Lemma 1"

    def check(self) -> None:
        """Refuse unknown names."""
        refuse_unknown(self.named, NAMED)

    def build(self) -> Instance:
        """Return the instance: the threshold is the optimum, or one star less."""
        if self.named is not None:
            source = NAMED[self.named]
        else:
            source = drawn(np.random.default_rng(self.seed), self.size, self.columns, self.values, self.k)
        instance = forward(source)
        if not self.no:
            return instance
        if instance.optimum == 0:
            raise PolicyError("this table needs no star, so no threshold is missed; choose more values or another seed")
        return forward(source, below=1)


def forward(source: Rows, below: int = 0) -> Instance:
    """Return the instance with a threshold of `below` stars below the optimum of k-anonymity (Lemma 1).

    Parameters
    ----------
    source : Rows
        n rows and k.
    below : int
        0 for a yes-instance, 1 for a no-instance.

    Notes
    -----
    The optimum is found by an integer program of one variable per group of k to 2 k - 1 rows (at most 20,000), without
    a time limit.
    """
    n = len(source.rows)
    names = tuple(f"c{j}" for j in range(len(source.rows[0])))
    rows = tuple((*row, f"p{i}") for i, row in enumerate(source.rows))
    table = Table(quasi_identifiers=names, sensitive=("person",), rows=rows)
    best = source.cheapest()
    optimum = table.cost(table.released(best))
    t = 1 - Fraction(source.k, n)
    return Instance(
        name=ClosenessFromAnonymity.name,
        kind="table",
        question="is there a release with at most the threshold's stars (a k-anonymous one)?",
        threshold=optimum - below,
        yes=below <= 0,
        optimum=optimum,
        theorem=ClosenessFromAnonymity.theorem,
        paper=ClosenessFromAnonymity.paper,
        source=source,
        backward=lambda released: backward(table, source, released),
        policy={
            "quasi_identifiers": list(names),
            "sensitive": ["person"],
            "k": 1,
            "outliers": "forbid",
            "require": [{"model": "t-closeness", "t": str(t), "column": "person", "distance": "equal"}],
        },
        table=table,
        witness=best,
        more={"rows": n, "k": source.k, "t": str(t)},
    )


def backward(table: Table, source: Rows, released: Sequence[Sequence[str]]) -> Blocks:
    """Return the k-anonymous classes of a t-close release.

    Parameters
    ----------
    table : Table
        The instance's table.
    source : Rows
        The k-anonymity problem.
    released : (n, columns) texts
        The released rows, in the table's order.

    Returns
    -------
    Blocks
        The rows of each class, ascending.

    Raises
    ------
    InputError
        If it is no release of the table.
    ValueError
        If a class has fewer than k rows: then the release is not t-close.
    """
    found = tuple(sorted(table.classes(released).values()))
    if any(len(block) < source.k for block in found):
        raise ValueError(f"a class has fewer than {source.k} rows: it is further than t from the whole table")
    return found
