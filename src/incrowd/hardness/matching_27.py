"""Max 3DM-3 -> 3-anonymity with 27 columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.hardness.construction import BLOCKI_WILLIAMS, Construction, table_instance, whole
from incrowd.hardness.questions import MATCHING
from incrowd.hardness.sources import Matching3D, drawn_triples

if TYPE_CHECKING:
    import numpy as np

    from incrowd.hardness.values import Blocks, Instance, Shown


COLUMNS = tuple(f"c{i}" for i in range(27))


@dataclass(frozen=True, kw_only=True)
class Matching27(Construction):
    """The reduction of Theorem 1.2: one row an element, each in at most three triples; |W| = |X| = |Y|, n rows.

    Column 9 a + 3 b + c holds the name of the a-th triple of a row of W, of the b-th triple of a row of X, of the c-th
    triple of a row of Y (a, b, c from 0 to 2). A missing triple is a symbol of that row alone.

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

    size: int = whole(6, "elements of W, of X and of Y each")
    triples: int | None = whole(None, "triples (default: twice and a half the size, twice for --no)")

    name = "matching-27"
    summary = "bounded three-dimensional matching as 3-anonymity with 27 columns"
    paper = BLOCKI_WILLIAMS
    theorem = "Theorem 1.2"
    source = Matching3D
    asks = MATCHING
    kept = ("goal",)

    def draw(self, rng: np.random.Generator) -> Matching3D:
        """Return triples with a perfect matching, or probably without."""
        usual = 2 * self.size if self.no else min(5 * self.size // 2, self.size**3)
        return drawn_triples(rng, self.size, self.triples or usual, plant=not self.no)

    def lacks(self, source: Matching3D) -> str:
        """Return how many elements are in more than three triples."""
        often = sum(count > 3 for count in source.occurrences().values())
        said = f"every element may be in at most three triples, and {often} of {3 * source.side} are in more"
        return said if often else ""

    def best(self, source: Matching3D) -> tuple[int, ...]:
        """Return a largest matching."""
        return source.largest()

    def forward(self, source: Matching3D, goal: int | None) -> Instance:
        """Return a row an element."""
        assert goal is not None
        n, members = 3 * source.side, source.members()
        held: list[list[str]] = [[] for _ in range(n)]
        for t, triple in enumerate(members):
            for element in triple:
                held[element].append(f"t{t}")
        rows = []
        for element, own in enumerate(held):
            own += [f"x{element}.{missing}" for missing in range(3 - len(own))]
            digit = (9, 3, 1)[element // source.side]
            rows.append([own[i // digit % 3] for i in range(27)])

        def backward(classes: Shown) -> tuple[int, ...]:
            """Return the triples whose rows show a column: (27 n - stars) / 3 of them.

            ValueError is raised if such a class is no triple: then the release is not 3-anonymous.
            """
            shown = [block for cells, block in classes.items() if set(cells) != {"*"}]
            found = matched(source, shown)
            if len(found) < len(shown):
                raise ValueError("a class that shows a column is no triple: the release is not 3-anonymous")
            return found

        return table_instance(
            COLUMNS, rows, k=3, threshold=27 * n - 3 * goal,
            mask={"patterns": [[name for name in COLUMNS if name != one] for one in COLUMNS]},
            witness=lambda best: classes_of(source, best), backward=backward,
        )  # fmt: skip


def classes_of(source: Matching3D, best: tuple[int, ...]) -> Blocks:
    """Return the elements' rows as classes: the triples of a matching, and the rest if there is one."""
    matching = tuple(source.members()[i] for i in best)
    rest = tuple(sorted(set(range(3 * source.side)) - {e for triple in matching for e in triple}))
    return (*matching, *((rest,) if rest else ()))


def matched(source: Matching3D, classes: list[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the triples whose three elements are one of the classes, as ascending indices."""
    return tuple(i for i, triple in enumerate(source.members()) if triple in set(classes))
