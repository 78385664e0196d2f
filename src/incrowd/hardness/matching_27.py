"""Max 3DM-3 -> 3-anonymity with 27 columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.problems import TRIPLES
from incrowd.hardness.questions import MATCHING
from incrowd.hardness.reduction import BLOCKI_WILLIAMS, Reduction, goal_setting, named_setting, refuse_unknown, until
from incrowd.hardness.sources.matching3d import NAMED, Matching3D, drawn
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence


COLUMNS = tuple(f"c{i}" for i in range(27))


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching27(Reduction):
    """The reduction of Theorem 1.2: one row an element, each in at most three triples; |W| = |X| = |Y|, n rows.

    Column 9 a + 3 b + c holds the name of the a-th triple of a row of W, of the b-th triple of a row of X, of the c-th
    triple of a row of Y (a, b, c from 0 to 2). A missing triple is a symbol of that row alone.

    Parameters
    ----------
    size : int
        Elements of W, of X and of Y each.
    triples : int or None
        None: twice and a half the size, rounded down; twice for a no-instance.
    named : str or None
        A problem of `NAMED` in place of a random one.
    goal : int or None
        Triples of the matching; None: those of a largest one, or one more for a no-instance.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    k = 3. **Optimum = 27 n - 3 |M'|**, M' a largest matching. *Proof.* A name is in the rows of its
    triple's three elements only, so no column agrees on four rows, or on three that are no triple. The rows of a
    triple t, the a-th of its w, the b-th of its x, the c-th of its y, agree in column 9 a + 3 b + c and in no other
    (another column would hold another triple of one of them): 26 stars a row. Classes of such triples are disjoint, a
    matching M'; all other rows have 27 stars. They are n - 3 |M'|, with |W| = |X| = |Y| a multiple of three: none, or
    a class of at least three.

    With classes of unequal size n - 3 |M'| may be 1 or 2: too few rows for a class, so the optimum is higher and the
    paper's Lemma 1, as stated, fails (a test). Under ``outliers = "suppress"`` it holds.

    No release keeps more than one column of a row, so the mask of the policy (one column shown, or none) changes
    nothing but the number of patterns to go through: 28 instead of 2^27.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010, Theorem 1.2,
       Lemma 1 and Appendix A.
    """

    size: int = setting(6, "elements of W, of X and of Y each", "integer", least=1, metavar="N")
    triples: int | None = setting(
        None, "triples (default: twice and a half the size, twice for --no)", "integer", least=1, metavar="N"
    )
    named: str | None = named_setting(NAMED)
    goal: int | None = goal_setting(MATCHING.goal, "those of a largest one")

    name = "matching-27"
    summary = "bounded three-dimensional matching as 3-anonymity with 27 columns"
    kind = "table"
    paper = BLOCKI_WILLIAMS
    theorem = "Theorem 1.2"
    problem = TRIPLES
    asks = MATCHING
    kept = ("goal",)

    def check(self) -> None:
        """Refuse unknown names, and a no-instance where every matching is perfect."""
        refuse_unknown(self.named, NAMED)
        if self.no and self.named is None and self.size < 2:
            raise PolicyError("a no-instance has no perfect matching, which needs a size of at least 2")

    def build(self) -> Instance:
        """Return the instance: the threshold asks for the largest matching, or for one triple more."""
        if self.named is not None:
            source = NAMED[self.named]
        else:
            usual = 2 * self.size if self.no else min(5 * self.size // 2, self.size**3)
            triples = usual if self.triples is None else self.triples
            source = until(
                self.seed,
                lambda rng: drawn(rng, self.size, triples, most=3, perfect=not self.no),
                lambda made: len(made.triples) == triples and (len(made.largest()) < self.size) == self.no,
                "without a perfect matching" if self.no else "with a perfect matching",
            )
        largest = len(source.largest())
        if self.no and largest == source.side:
            raise PolicyError(f"the named instance {self.named!r} has a perfect matching; leave out --no")
        return forward(source, self.asked(lambda: largest + self.no))

    def of(self, source: Matching3D) -> Instance:
        """Return the instance of triples in which every element is at most three times."""
        return forward(source, self.asked(lambda: len(source.largest())), solve=self.solve)


def forward(source: Matching3D, least: int, *, solve: bool = True) -> Instance:
    """Return the instance that asks for a matching of at least `least` triples (Theorem 1.2; see `Matching27`).

    The source has n = 3 side elements; PolicyError is raised if one of them is in more than three triples. Without
    `solve` no largest matching is sought, and the answer stays open. The table has n rows and 27 columns. A largest
    matching is found by an integer program of one variable per triple, without a time limit.
    """
    often = sum(count > 3 for count in source.occurrences().values())
    if often:
        raise PolicyError(
            f"every element may be in at most three triples, and {often} of {3 * source.side} are in more"
        )
    table = Table(quasi_identifiers=COLUMNS, rows=rows_of(source.members(), (source.side,) * 3))
    n = 3 * source.side
    members = source.members()
    best = source.largest() if solve else None
    rest = tuple(sorted(set(range(n)) - {e for i in best or () for e in members[i]}))
    shown = [[name for name in COLUMNS if name != one] for one in COLUMNS]
    return Instance(
        name=Matching27.name,
        kind="table",
        question=f"is there a release with at most the threshold's stars (a matching of at least {least} triples)?",
        threshold=27 * n - 3 * least,
        yes=None if best is None else len(best) >= least,
        optimum=None if best is None else 27 * n - 3 * len(best),
        theorem=Matching27.theorem,
        paper=Matching27.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={"quasi_identifiers": list(COLUMNS), "k": 3, "outliers": "forbid", "mask": {"patterns": shown}},
        table=table,
        witness=None if best is None else (*(members[i] for i in best), *((rest,) if rest else ())),
        more={
            "elements": n,
            "triples": len(source.triples),
            **({} if best is None else {"largest_matching": len(best)}),
        },
        asks=MATCHING,
        goal=least,
    )


def rows_of(members: Sequence[tuple[int, int, int]], sides: tuple[int, int, int]) -> tuple[tuple[str, ...], ...]:
    """Return the row of every element, 27 texts each: W, X, Y of the given sizes, numbered on.

    `members` holds the elements of each triple, where every element is in three triples at most. `sides` says how many
    elements W, X and Y have.
    """
    kind = [dimension for dimension, size in enumerate(sides) for _ in range(size)]
    held: list[list[str]] = [[] for _ in kind]
    for t, triple in enumerate(members):
        for element in triple:
            held[element].append(f"t{t}")
    rows = []
    for element, dimension in enumerate(kind):
        own = held[element]
        own += [f"x{element}.{missing}" for missing in range(3 - len(own))]
        digit = (9, 3, 1)[dimension]
        rows.append(tuple(own[i // digit % 3] for i in range(27)))
    return tuple(rows)


def backward(source: Matching3D, table: Table, released: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the matching that a release holds: the triples whose rows show a column.

    It has (27 n - stars) / 3 triples, given as indices, ascending. The instance's table has one row per element, and
    `released` holds (n, 27) texts in the table's order. InputError is raised if it is no release of the table.
    ValueError is raised if the rows of a class that shows a column are no triple of the source: then the release is not
    3-anonymous.
    """
    place = {triple: i for i, triple in enumerate(source.members())}
    found = []
    for shown, members in table.classes(released).items():
        if set(shown) != {"*"}:
            if members not in place:
                raise ValueError("a class that shows a column is no triple: the release is not 3-anonymous")
            found.append(place[members[0], members[1], members[2]])
    return tuple(sorted(found))
