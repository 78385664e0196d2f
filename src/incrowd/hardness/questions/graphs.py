"""Questions about a graph: halves and sets of its nodes, parts of its edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.hardness.problems.problem import names_of
from incrowd.hardness.questions.question import Question, Told

if TYPE_CHECKING:
    from incrowd.hardness.problems.problem import Labels
    from incrowd.hardness.sources.graphs import Graph
    from incrowd.hardness.values import Blocks

__all__ = ["BISECTION", "CLIQUE", "DOMINATING_SET", "HALF_CLIQUE", "TRIANGLES", "TRIANGLES_AND_STARS"]


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
