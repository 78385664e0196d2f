"""3D-Matching -> t-closeness: with equal distances for t below 1/3, under a four-point metric up to 1/2."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.construction import LIANG_YUAN, Construction, table_instance, whole
from incrowd.hardness.matching_27 import classes_of, matched
from incrowd.hardness.questions import PERFECT_MATCHING
from incrowd.hardness.sources import Matching3D, drawn_triples, refuse_cells
from incrowd.settings import setting

if TYPE_CHECKING:
    import numpy as np

    from incrowd.hardness.values import Instance


@dataclass(frozen=True, kw_only=True)
class MatchingCloseness(Construction):
    """The reduction of Theorem 6: rows are the 3 n elements, columns the m triples; 0 where a triple holds the element.

    Everywhere else stands a symbol of the row's own. The sensitive value is the class of the element: W, X or Y.

    Notes
    -----
    **Optimum = 3 n m - 3 |M'|**, M' a largest matching: 3 n (m - 1) if and only if it is perfect. *Proof.*
    The whole table shows each value in a third of its rows. One row is 2/3 away from it, two are at least 1/3: further
    than t. A column agrees on a class of three or more rows if and only if the class is its triple (there are three
    zeros), and distinct triples are distinct classes: m - 1 stars a row for a triple, m otherwise. The triples among
    the classes are a matching M'; conversely M' and one class of all other rows, n - |M'| of each value, is at
    distance 0.

    Every class has three rows anyway, so k = 3 in the policy adds nothing.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Theorem 6.
    """

    size: int = whole(4, "elements of W, of X and of Y each")
    triples: int | None = whole(None, "triples (default: twice the size)")
    t: Fraction = setting(Fraction(1, 4), "closeness, at least 0 and below 1/3", "fraction", metavar="X")

    name = "matching-closeness"
    summary = "three-dimensional matching as t-closeness with equal distances, t below 1/3"
    paper = LIANG_YUAN
    theorem = "Theorem 6"
    source = Matching3D
    asks = PERFECT_MATCHING
    kept = ("t",)

    def check(self) -> None:
        """Refuse a t out of range."""
        if not 0 <= self.t < Fraction(1, 3):
            raise PolicyError(f"t must be at least 0 and below 1/3, not {self.t}")

    def draw(self, rng: np.random.Generator) -> Matching3D:
        """Return triples with a perfect matching, or probably without."""
        return drawn_triples(rng, self.size, self.triples or min(2 * self.size, self.size**3), plant=not self.no)

    def best(self, source: Matching3D) -> tuple[int, ...]:
        """Return a largest matching."""
        return source.largest()

    def fixed(self, source: Matching3D) -> int:
        """Return the triples of a perfect matching."""
        return source.side

    def asked_for(self, source: Matching3D) -> tuple[int, tuple[str, ...], dict[str, Any]]:
        """Return k, the sensitive values, and the requirement; rows after the elements' are unique."""
        return 3, ("W", "X", "Y"), {"distance": "equal"}

    def rows(self, source: Matching3D) -> Fraction:
        """Return the number of rows: the elements, and perhaps more."""
        return Fraction(3 * source.side)

    def forward(self, source: Matching3D, goal: int | None) -> Instance:
        """Return a row an element, a column a triple, and after them the new rows."""
        n, m, total = source.side, len(source.triples), int(self.rows(source))
        refuse_cells(total, m)
        k, values, require = self.asked_for(source)
        old = [["0" if v in triple else f"x{v}" for triple in source.members()] for v in range(3 * n)]
        rows = [[*row, values[v // n]] for v, row in enumerate(old)]
        rows += [[f"y{new}"] * m + [values[-1]] for new in range(total - 3 * n)]
        more: dict[str, Any] = {"rows": total} if total > 3 * n else {}
        return table_instance(
            [f"t{j}" for j in range(m)], rows, k=k, threshold=3 * n * (m - 1), sensitive=("class",),
            require=[{"model": "t-closeness", "t": str(self.t), "column": "class", **require}],
            witness=lambda best: (*classes_of(source, best), *((i,) for i in range(3 * n, total))),
            backward=lambda classes: matched(source, [rows for shown, rows in classes.items() if set(shown) != {"*"}]),
            t=str(self.t), **more,
        )  # fmt: skip


VALUES = ("1", "2", "3", "4")
# distances between the values 1, 2, 3, 4: 1/2 to and from 4, else 1
METRIC = [["0" if a == b else "1/2" if 3 in (a, b) else "1" for b in range(4)] for a in range(4)]


@dataclass(frozen=True, kw_only=True)
class MatchingMetric(MatchingCloseness):
    """The reduction of Theorem 7: the table of Theorem 6 with 6 n t / (1 - 2 t) rows more, N = 3 n / (1 - 2 t) in all.

    The sensitive values are 1, 2, 3 (W, X, Y), and 4 in the new rows, which are unique in every column. The value 4 is
    1/2 away from the others, which are 1 away from each other.

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

    size: int = whole(3, "elements of W, of X and of Y each")
    t: Fraction = setting(
        Fraction(1, 3), "closeness, at least 1/3 and below 1/2; 3 size / (1 - 2 t) whole", "fraction", metavar="X"
    )

    name = "matching-metric"
    summary = "three-dimensional matching as t-closeness under a four-point metric, t from 1/3 to 1/2"
    theorem = "Theorem 7"

    def check(self) -> None:
        """Refuse a t out of range."""
        if not Fraction(1, 3) <= self.t < Fraction(1, 2):
            raise PolicyError(
                f"t must be at least 1/3 and below 1/2, not {self.t}; matching-closeness takes t below 1/3"
            )

    def lacks(self, source: Matching3D) -> str:
        """Return whether the number of rows is no whole number."""
        total = self.rows(source)
        said = f"t = {self.t} gives {total} rows for {3 * source.side} elements; 3 size / (1 - 2 t) must be whole"
        return said if total.denominator != 1 else ""

    def rows(self, source: Matching3D) -> Fraction:
        """Return the number of rows."""
        return 3 * source.side / (1 - 2 * self.t)

    def asked_for(self, source: Matching3D) -> tuple[int, tuple[str, ...], dict[str, Any]]:
        """Return k = 1: new rows are classes of their own."""
        return 1, VALUES, {"distance": METRIC, "order": list(VALUES)}
