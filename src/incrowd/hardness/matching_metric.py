"""3D-Matching -> t-closeness under a four-point metric, 1/3 <= t < 1/2."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.draw import named_setting, refuse_unknown
from incrowd.hardness.matching_closeness import backward, classes_of, incidence, source_of
from incrowd.hardness.papers import LIANG_YUAN
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.problems.triples import TRIPLES
from incrowd.hardness.questions.others import PERFECT_MATCHING
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.sources.matching3d import NAMED, Matching3D
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["METRIC", "MatchingMetric", "backward", "emd", "forward"]

VALUES = ("1", "2", "3", "4")
HALF, ONE = Fraction(1, 2), Fraction(1)
# distances between the values 1, 2, 3, 4: 1/2 to and from 4, else 1
METRIC = tuple(tuple(Fraction(0) if a == b else HALF if 3 in (a, b) else ONE for b in range(4)) for a in range(4))


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingMetric(Reduction):
    """The reduction of Theorem 7: the table of Theorem 6 with 6 n t / (1 - 2 t) rows more, N = 3 n / (1 - 2 t) in all.

    The sensitive values are 1, 2, 3 (W, X, Y), and 4 in the new rows, which are unique in every column. The value 4 is
    1/2 away from the others, which are 1 away from each other.

    Parameters
    ----------
    size : int
        Elements n of W, of X and of Y each.
    triples : int or None
        Triples m; None: twice the size.
    t : Fraction
        Closeness, at least 1/3 and below 1/2; 3 n / (1 - 2 t) must be whole.
    named : str or None
        A problem of `NAMED` in place of a random one.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    **Optimum = 3 n m - 3 |M'|**, M' a largest matching: 3 n (m - 1) if and only if it is perfect. *Proof.*
    The whole table P has P4 = 2 t and P1 = P2 = P3 = (1 - 2 t) / 3. For P4 >= Q4, equation (5): the mass D = sum of
    max(Pi - Qi, 0) is moved, P4 - Q4 of it from 4 by 1/2, the rest by 1, so the distance is D - (P4 - Q4)/2; for Q4 >
    P4 with P and Q exchanged. Now:

    - a new row alone: (1 - 2 t) - (1 - 2 t)/2 = 1/2 - t <= t, as t >= 1/4; no star;
    - old rows alone: D = 2 t + sum over i <= 3 of max(Pi - Qi, 0), so the distance is t plus that sum: at most t if
      and only if no value is rarer than (1 - 2 t)/3 > 0, so all three are there; one row and two rows are too far, a
      triple's three rows are at exactly t (equality counts: t must be exact);
    - any class with a new and another row has a star in every column, as has one of four or more rows, or of three that
      are no triple.

    So an old row has at least m stars unless its class is a triple's three rows (m - 1), the classes of triples are a
    matching M', and the other old rows can be one class, n - |M'| of each value. New rows stay alone. The policy says
    k = 1: a new row is a class of its own.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Theorem 7, eq. (5).
    """

    size: int = setting(3, "elements of W, of X and of Y each", "integer", least=1, metavar="N")
    triples: int | None = setting(None, "triples (default: twice the size)", "integer", least=1, metavar="N")
    t: Fraction = setting(
        Fraction(1, 3), "closeness, at least 1/3 and below 1/2; 3 size / (1 - 2 t) whole", "fraction", metavar="X"
    )
    named: str | None = named_setting(NAMED)

    name = "matching-metric"
    summary = "three-dimensional matching as t-closeness under a four-point metric, t from 1/3 to 1/2"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Theorem 7"
    problem = TRIPLES
    asks = PERFECT_MATCHING
    kept = ("t",)

    def check(self) -> None:
        """Refuse unknown names, a t out of range, and a no-instance where every matching is perfect."""
        refuse_unknown(self.named, NAMED)
        if not Fraction(1, 3) <= self.t < HALF:
            raise PolicyError(
                f"t must be at least 1/3 and below 1/2, not {self.t}; matching-closeness takes t below 1/3"
            )
        if self.no and self.named is None and self.size < 2:
            raise PolicyError("a no-instance has no perfect matching, which needs a size of at least 2")

    def build(self) -> Instance:
        """Return the instance of a named or drawn source problem."""
        return forward(source_of(self.named, self.no, self.size, self.triples, self.seed), self.t)

    def of(self, source: Matching3D) -> Instance:
        """Return the instance of triples of three equally large sets."""
        return forward(source, self.t, solve=self.solve)


def emd(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """Return the earth mover's distance of two distributions over 1, 2, 3, 4 under the metric: equation (5).

    `p` and `q` hold the shares of the four values, each summing to 1. The distance is exact, from 0 to 1.
    """
    if q[3] > p[3]:
        p, q = q, p
    moved = sum((max(a - b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))
    return moved - (p[3] - q[3]) / 2


def forward(source: Matching3D, t: Fraction, *, solve: bool = True) -> Instance:
    """Return the instance that asks for a perfect matching (Theorem 7; see `MatchingMetric`).

    The source has 3 n elements and m triples, and `t` is at least 1/3 and below 1/2. Without `solve` no largest
    matching is sought, and the answer stays open. PolicyError is raised if 3 n / (1 - 2 t) is no whole number.

    Notes
    -----
    The table has 3 n / (1 - 2 t) rows and m quasi-identifiers. A largest matching is found by an integer program of m
    variables without a time limit.
    """
    n, m = source.side, len(source.triples)
    total = 3 * n / (1 - 2 * t)
    if total.denominator != 1:
        raise PolicyError(f"t = {t} gives {total} rows for {3 * n} elements; 3 size / (1 - 2 t) must be whole")
    refuse_cells(int(total), m)
    names = tuple(f"t{j}" for j in range(m))
    rows = tuple((*row, VALUES[element // n]) for element, row in enumerate(incidence(source)))
    rows += tuple((*(f"y{new}" for _ in range(m)), VALUES[3]) for new in range(int(total) - 3 * n))
    table = Table(quasi_identifiers=names, sensitive=("class",), rows=rows)
    best = source.largest() if solve else None
    return Instance(
        name=MatchingMetric.name,
        kind="table",
        question="is there a release with at most the threshold's stars (a perfect three-dimensional matching)?",
        threshold=3 * n * (m - 1),
        yes=None if best is None else len(best) == n,
        optimum=None if best is None else 3 * n * m - 3 * len(best),
        theorem=MatchingMetric.theorem,
        paper=MatchingMetric.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={
            "quasi_identifiers": list(names),
            "sensitive": ["class"],
            "k": 1,
            "outliers": "forbid",
            "require": [closeness(t)],
        },
        table=table,
        witness=None if best is None else (*classes_of(source, best), *((i,) for i in range(3 * n, int(total)))),
        more={
            "elements": 3 * n,
            "triples": m,
            **({} if best is None else {"largest_matching": len(best)}),
            "rows": int(total),
            "t": str(t),
        },
        asks=PERFECT_MATCHING,
    )


def closeness(t: Fraction) -> dict[str, Any]:
    """Return the requirement as a table of the policy file; `t` is at least 1/3 and below 1/2."""
    metric = [[str(d) for d in row] for row in METRIC]
    return {"model": "t-closeness", "t": str(t), "column": "class", "distance": metric, "order": list(VALUES)}
