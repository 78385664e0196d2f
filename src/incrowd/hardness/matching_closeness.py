"""3D-Matching -> t-closeness with equal distances, 0 <= t < 1/3."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.draw import named_setting, refuse_unknown, until
from incrowd.hardness.papers import LIANG_YUAN
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.problems.triples import TRIPLES
from incrowd.hardness.questions.others import PERFECT_MATCHING
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.sources.matching3d import NAMED, Matching3D, drawn
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MatchingCloseness", "backward", "forward", "incidence", "matched", "source_of"]


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
    time limit.

    PolicyError is raised if a no-instance is asked for and the named one has a perfect matching; if so many triples do
    not exist or are too few; or if none of 200 draws has the answer asked for.
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
