"""3D-Matching -> t-closeness with equal distances, 0 <= t < 1/3."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.problem import refuse_cells
from incrowd.hardness.problems import TRIPLES
from incrowd.hardness.questions import PERFECT_MATCHING
from incrowd.hardness.reduction import LIANG_YUAN, Reduction, named_setting, refuse_unknown, until
from incrowd.hardness.sources.matching3d import NAMED, Matching3D, drawn
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingCloseness(Reduction):
    """The reduction of Theorem 6: rows are the 3 n elements, columns the m triples; 0 where a triple holds the element.

    Everywhere else stands a symbol of the row's own. The sensitive value is the class of the element: W, X or Y.

    Parameters
    ----------
    size : int
        Elements n of W, of X and of Y each.
    triples : int or None
        Triples m; None: twice the size.
    t : Fraction
        Closeness, at least 0 and below 1/3.
    named : str or None
        A problem of `NAMED` in place of a random one.
    seed, no, solve
        As of `Reduction`.

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

    size: int = setting(4, "elements of W, of X and of Y each", "integer", least=1, metavar="N")
    triples: int | None = setting(None, "triples (default: twice the size)", "integer", least=1, metavar="N")
    t: Fraction = setting(Fraction(1, 4), "closeness, at least 0 and below 1/3", "fraction", metavar="X")
    named: str | None = named_setting(NAMED)

    name = "matching-closeness"
    summary = "three-dimensional matching as t-closeness with equal distances, t below 1/3"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Theorem 6"
    problem = TRIPLES
    asks = PERFECT_MATCHING
    kept = ("t",)

    def check(self) -> None:
        """Refuse unknown names, a t out of range, and a no-instance where every matching is perfect."""
        refuse_unknown(self.named, NAMED)
        if not 0 <= self.t < Fraction(1, 3):
            raise PolicyError(f"t must be at least 0 and below 1/3, not {self.t}")
        if self.no and self.named is None and self.size < 2:
            raise PolicyError("a no-instance has no perfect matching, which needs a size of at least 2")

    def build(self) -> Instance:
        """Return the instance of a named or drawn source problem."""
        return forward(source_of(self.named, self.no, self.size, self.triples, self.seed), self.t)

    def of(self, source: Matching3D) -> Instance:
        """Return the instance of triples of three equally large sets."""
        return forward(source, self.t, solve=self.solve)


def source_of(named: str | None, no: bool, size: int, triples: int | None, seed: int) -> Matching3D:
    """Return the named source problem, or one drawn with or without a perfect matching.

    `named` is a key of `NAMED`, or None for a random problem; `no` asks for one without a perfect matching instead of
    with one. W, X and Y have `size` elements each. Where `triples` is None, there are twice `size` triples, or all
    there are where these are fewer. Every draw is solved by an integer program of one variable per triple, without a
    time limit. PolicyError is raised if a no-instance is asked for and the named one has a perfect matching; if so many
    triples do not exist or are too few; or if none of 200 draws has the answer asked for.
    """
    if named is not None:
        found = NAMED[named]
        if no and len(found.largest()) == found.side:
            raise PolicyError(f"the named instance {named!r} has a perfect matching; leave out --no or name another")
        return found
    count = triples if triples is not None else min(2 * size, size**3)
    return until(
        seed,
        lambda rng: drawn(rng, size, count, perfect=not no),
        lambda made: len(made.triples) == count and (len(made.largest()) < size) == no,
        "without a perfect matching" if no else "with a perfect matching",
    )


def incidence(source: Matching3D) -> tuple[tuple[str, ...], ...]:
    """Return the quasi-identifiers of the elements' rows.

    A source of 3 n elements and m triples gives 3 n rows of m texts: 0 where the element is in the triple, else a
    symbol of the row's own.
    """
    members = source.members()
    return tuple(
        tuple("0" if element in triple else f"x{element}" for triple in members) for element in range(3 * source.side)
    )


def classes_of(source: Matching3D, best: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the elements' rows as classes: the triples of a matching, and the rest if there is one.

    `best` holds the indices of disjoint triples.
    """
    matching = tuple(source.members()[i] for i in best)
    rest = tuple(sorted(set(range(3 * source.side)) - {e for triple in matching for e in triple}))
    return (*matching, *((rest,) if rest else ()))


def forward(source: Matching3D, t: Fraction, *, solve: bool = True) -> Instance:
    """Return the instance that asks for a perfect matching (Theorem 6; see `MatchingCloseness`).

    The source has 3 n elements and m triples, and `t` is at least 0 and below 1/3. Without `solve` no largest matching
    is sought, and the answer stays open. A largest matching is found by an integer program of m variables, without a
    time limit.
    """
    n, m = source.side, len(source.triples)
    refuse_cells(3 * n, m)
    names = tuple(f"t{j}" for j in range(m))
    rows = tuple((*row, "WXY"[element // n]) for element, row in enumerate(incidence(source)))
    table = Table(quasi_identifiers=names, sensitive=("class",), rows=rows)
    best = source.largest() if solve else None
    return Instance(
        name=MatchingCloseness.name,
        kind="table",
        question="is there a release with at most the threshold's stars (a perfect three-dimensional matching)?",
        threshold=3 * n * (m - 1),
        yes=None if best is None else len(best) == n,
        optimum=None if best is None else 3 * n * m - 3 * len(best),
        theorem=MatchingCloseness.theorem,
        paper=MatchingCloseness.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={
            "quasi_identifiers": list(names),
            "sensitive": ["class"],
            "k": 3,
            "outliers": "forbid",
            "require": [{"model": "t-closeness", "t": str(t), "column": "class", "distance": "equal"}],
        },
        table=table,
        witness=None if best is None else classes_of(source, best),
        more={
            "elements": 3 * n,
            "triples": m,
            **({} if best is None else {"largest_matching": len(best)}),
            "t": str(t),
        },
        asks=PERFECT_MATCHING,
    )


def matched(source: Matching3D, classes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the triples that are classes, as ascending indices of those whose three elements are one class.

    `classes` holds the rows of each class, ascending.
    """
    place = {triple: i for i, triple in enumerate(source.members())}
    return tuple(sorted(place[members] for members in map(tuple, classes) if members in place))


def backward(source: Matching3D, table: Table, released: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the matching that a release holds: the triples that are classes; perfect within the threshold.

    The triples are given as indices, ascending. The first rows of the instance's table are the elements. `released`
    holds (rows, m) texts in the table's order; further columns are not looked at. InputError is raised if it is no
    release of the table.
    """
    found = table.classes(released)
    return matched(source, [members for shown, members in found.items() if set(shown) != {"*"}])


# 3D-Matching -> t-closeness under a four-point metric, 1/3 <= t < 1/2.
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
        return metric_forward(source_of(self.named, self.no, self.size, self.triples, self.seed), self.t)

    def of(self, source: Matching3D) -> Instance:
        """Return the instance of triples of three equally large sets."""
        return metric_forward(source, self.t, solve=self.solve)


def emd(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """Return the earth mover's distance of two distributions over 1, 2, 3, 4 under the metric: equation (5).

    `p` and `q` hold the shares of the four values, each summing to 1. The distance is exact, from 0 to 1.
    """
    if q[3] > p[3]:
        p, q = q, p
    moved = sum((max(a - b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))
    return moved - (p[3] - q[3]) / 2


def metric_forward(source: Matching3D, t: Fraction, *, solve: bool = True) -> Instance:
    """Return the instance that asks for a perfect matching (Theorem 7; see `MatchingMetric`).

    The source has 3 n elements and m triples, and `t` is at least 1/3 and below 1/2. Without `solve` no largest
    matching is sought, and the answer stays open. PolicyError is raised if 3 n / (1 - 2 t) is no whole number. The
    table has 3 n / (1 - 2 t) rows and m quasi-identifiers. A largest matching is found by an integer program of m
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
