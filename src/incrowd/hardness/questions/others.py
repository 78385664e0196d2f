"""Questions about formulas, triples and tables: assignments, matchings, classes of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import count_of
from incrowd.hardness.problems.problem import label
from incrowd.hardness.questions.question import Question, Told
from incrowd.hardness.values import Blocks, closure

if TYPE_CHECKING:
    from incrowd.hardness.problems.problem import Labels
    from incrowd.hardness.sources.anonymity import Rows
    from incrowd.hardness.sources.matching3d import Matching3D
    from incrowd.hardness.sources.one_in_three import Formula

__all__ = ["ASSIGNMENT", "CLASSES", "MATCHING", "PERFECT_MATCHING", "STARS"]


class _Assignment(Question):
    asked = "a 1-in-3 assignment"

    def solves(self, source: Formula, solution: tuple[bool, ...]) -> bool:
        """Return whether exactly one literal of every clause is true."""
        return len(solution) == source.variables and source.holds(solution)

    def tell(self, source: Formula, solution: tuple[bool, ...], labels: Labels) -> Told:
        """Return the true literals, as DIMACS writes them."""
        literals = [v if value else -v for v, value in enumerate(solution, 1)]
        return Told(
            "an assignment under which every clause has exactly one true literal",
            (" ".join(map(str, literals)),),
            {"assignment": literals},
        )


class _Matching(Question):
    asked = "a matching"
    goal = "triples of the matching at least"

    def solves(self, source: Matching3D, solution: tuple[int, ...]) -> bool:
        """Return whether no two of the triples share an element."""
        return len(set(solution)) == len(solution) and source.disjoint(solution)

    def meets(self, source: Matching3D, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether there are at least `goal` triples."""
        return goal is None or len(solution) >= goal

    def tell(self, source: Matching3D, solution: tuple[int, ...], labels: Labels) -> Told:
        """Return the triples by the names of their elements."""
        triples = [
            [label(labels, kind, c, str(c)) for kind, c in zip("WXY", source.triples[i], strict=True)] for i in solution
        ]
        return Told(
            f"a matching of {count_of(len(triples), 'triple')}",
            tuple(" ".join(one) for one in triples),
            {"matching": triples},
        )


class _PerfectMatching(_Matching):
    asked = "a perfect matching"
    goal = ""

    def meets(self, source: Matching3D, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether every element is in one of the triples."""
        return len(solution) == source.side


class _Classes(Question):
    asked = "a k-anonymous release"
    goal = "stars of the release at most"

    def solves(self, source: Rows, solution: Blocks) -> bool:
        """Return whether every row is in one class, and every class has k rows."""
        return sorted(i for block in solution for i in block) == list(range(len(source.rows))) and all(
            len(block) >= source.k for block in solution
        )

    def meets(self, source: Rows, solution: Blocks, goal: int | None) -> bool:
        """Return whether the classes cost at most `goal` stars."""
        return goal is None or self.stars(source, solution) <= goal

    def stars(self, source: Rows, solution: Blocks) -> int:
        """Return the stars of the cheapest release with these classes."""
        return sum(len(block) * closure([source.rows[i] for i in block]).count("*") for block in solution)

    def tell(self, source: Rows, solution: Blocks, labels: Labels) -> Told:
        """Return the rows of every class, counted from 1."""
        classes = [[i + 1 for i in block] for block in solution]
        stars = self.stars(source, solution)
        return Told(
            f"{count_of(len(classes), 'class')} of at least {count_of(source.k, 'row')}, {count_of(stars, 'star')}",
            tuple("rows " + " ".join(map(str, block)) for block in classes),
            {"classes": classes, "stars": stars},
        )


class _Stars(Question):
    """The least stars of one table: there is no source problem but the table."""

    asked = "a release of at most m^2 stars"

    def solves(self, source: int, solution: int) -> bool:
        """Return True: a release has some number of stars."""
        return True

    def meets(self, source: int, solution: int, goal: int | None) -> bool:
        """Return whether there are at most m^2."""
        return solution <= source * source

    def tell(self, source: int, solution: int, labels: Labels) -> Told:
        """Return the number."""
        return Told(f"a release of {count_of(solution, 'star')}", (), {"stars": solution})


ASSIGNMENT = _Assignment()
MATCHING = _Matching()
PERFECT_MATCHING = _PerfectMatching()
CLASSES = _Classes()
STARS = _Stars()
