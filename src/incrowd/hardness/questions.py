"""Questions about a graph: halves and sets of its nodes, parts of its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.hardness.problem import Question, Told, label, names_of
from incrowd.hardness.values import Blocks, closure

if TYPE_CHECKING:
    from incrowd.hardness.problem import Labels
    from incrowd.hardness.sources.anonymity import Rows
    from incrowd.hardness.sources.graphs import Graph
    from incrowd.hardness.sources.matching3d import Matching3D
    from incrowd.hardness.sources.one_in_three import Formula
    from incrowd.hardness.sources.set_cover import SetCover


class _Bisection(Question):
    asked = "a bisection"
    goal = "edges between the two halves at most"

    def solves(self, source: Graph, solution: tuple[int, ...]) -> bool:
        """Return whether it is half of the nodes."""
        return len(set(solution)) == len(solution) and 2 * len(solution) == source.nodes

    def meets(self, source: Graph, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether at most `goal` edges are cut."""
        return goal is None or source.cut(solution) <= goal

    def tell(self, source: Graph, solution: tuple[int, ...], labels: Labels) -> Told:
        """Return both halves and the cut."""
        cut = source.cut(solution)
        half = names_of(labels, "nodes", solution)
        other = names_of(labels, "nodes", [v for v in range(source.nodes) if v not in set(solution)])
        return Told(
            f"two halves with {count_of(cut, 'edge')} between them",
            (" ".join(half), " ".join(other)),
            {"half": half, "other_half": other, "cut": cut},
        )


class _Clique(Question):
    asked = "a clique"
    goal = "nodes of the clique"

    def solves(self, source: Graph, solution: tuple[int, ...]) -> bool:
        """Return whether every two of the nodes are joined."""
        size = len(solution)
        return len(set(solution)) == size and source.inside(solution) == size * (size - 1) // 2

    def meets(self, source: Graph, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether it has `goal` nodes."""
        return goal is None or len(solution) >= goal

    def tell(self, source: Graph, solution: tuple[int, ...], labels: Labels) -> Told:
        """Return the nodes by name."""
        names = names_of(labels, "nodes", solution)
        return Told(f"a clique of {count_of(len(names), 'node')}", tuple(names), {"clique": names})


class _HalfClique(_Clique):
    asked = "a clique of half the nodes"
    goal = ""

    def meets(self, source: Graph, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether it has half of the nodes."""
        return 2 * len(solution) == source.nodes


class _DominatingSet(Question):
    asked = "a dominating set"
    goal = "nodes of the dominating set at most"

    def solves(self, source: Graph, solution: tuple[int, ...]) -> bool:
        """Return whether every node is in it or joined with one that is."""
        chosen = set(solution)
        seen = chosen | {v for pair in source.edges for u, v in (pair, pair[::-1]) if u in chosen}
        return len(chosen) == len(solution) and len(seen) == source.nodes

    def meets(self, source: Graph, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether there are at most `goal` nodes."""
        return goal is None or len(solution) <= goal

    def tell(self, source: Graph, solution: tuple[int, ...], labels: Labels) -> Told:
        """Return the nodes by name."""
        names = names_of(labels, "nodes", solution)
        return Told(f"a dominating set of {count_of(len(names), 'node')}", tuple(names), {"dominating_set": names})


class _Parts(Question):
    """Triangles, or triangles and 4-stars, that hold every edge once."""

    def __init__(self, *, stars: bool) -> None:
        self.stars = stars

    @property
    def kinds(self) -> str:
        """What the parts may be."""
        return "triangles and 4-stars" if self.stars else "triangles"

    @property
    def asked(self) -> str:  # type: ignore[override]
        """What a solution is."""
        return f"an edge partition into {self.kinds}"

    def solves(self, source: Any, solution: Blocks) -> bool:
        """Return whether the parts are triangles (or 4-stars) and hold every edge once."""
        graph = getattr(source, "graph", source)
        if sorted(e for part in solution for e in part) != list(range(len(graph.edges))):
            return False
        return all(len(part) == 3 and self._fits([set(graph.edges[e]) for e in part]) for part in solution)

    def _fits(self, three: list[set[int]]) -> bool:
        if len(three[0] | three[1] | three[2]) == 3:
            return True
        return self.stars and len(three[0] & three[1] & three[2]) == 1

    def tell(self, source: Any, solution: Blocks, labels: Labels) -> Told:
        """Return the edges of every part by the names of their ends."""
        graph = getattr(source, "graph", source)
        parts = [[names_of(labels, "nodes", graph.edges[e]) for e in part] for part in solution]
        lines = tuple(", ".join(" ".join(edge) for edge in part) for part in parts)
        return Told(f"{len(parts)} {self.kinds} that hold every edge once", lines, {"parts": parts})


BISECTION = _Bisection()
CLIQUE = _Clique()
HALF_CLIQUE = _HalfClique()
DOMINATING_SET = _DominatingSet()
TRIANGLES = _Parts(stars=False)
TRIANGLES_AND_STARS = _Parts(stars=True)


# Covers: few sets that hold every element, or sets that hold every element once.
class _Cover(Question):
    asked = "a cover"
    goal = "sets of the cover at most"

    def solves(self, source: SetCover, solution: tuple[int, ...]) -> bool:
        """Return whether the sets hold every element."""
        return len(set(solution)) == len(solution) and source.covers(solution)

    def meets(self, source: SetCover, solution: tuple[int, ...], goal: int | None) -> bool:
        """Return whether there are at most `goal` sets."""
        return goal is None or len(solution) <= goal

    def tell(self, source: SetCover, solution: tuple[int, ...], labels: Labels) -> Told:
        """Return the sets by name."""
        names = names_of(labels, "sets", solution, "S")
        return Told(f"{self.asked} by {count_of(len(names), 'set')}", tuple(names), {"cover": names})


class _ExactCover(_Cover):
    asked = "an exact cover"
    goal = ""

    def solves(self, source: SetCover, solution: tuple[int, ...]) -> bool:
        """Return whether the sets hold every element once."""
        held = [u for s in set(solution) for u in source.sets[s]]
        return len(held) == len(set(held)) == source.universe


COVER = _Cover()
EXACT_COVER = _ExactCover()


# Questions about formulas, triples and tables: assignments, matchings, classes of rows.
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
