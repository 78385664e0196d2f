"""What is asked of a source problem, and how a solution is judged and told: by the definition, whatever gave it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.hardness.values import Blocks, Labels, Question, Told, closure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from incrowd.hardness.sources import Formula, Graph, Matching3D, Rows, SetCover


def names_of(labels: Labels, kind: str, numbers: Sequence[int], prefix: str = "") -> list[str]:
    """Return the names of parts; without labels the prefix and the number, which counts from 0."""
    return [labels[kind][number] if kind in labels else f"{prefix}{number}" for number in numbers]


def _count(source: Any, solution: Sequence[Any]) -> int:
    return len(solution)


def _once(solution: Sequence[int]) -> bool:
    return len(set(solution)) == len(solution)


def _listed(fact: str, what: str, parts: str, prefix: str = "") -> Callable[[Any, Any, Labels], Told]:
    """Return what tells a solution that is some parts of the source, as in ``a cover by`` 3 ``sets``."""

    def report(source: Any, solution: Sequence[int], labels: Labels) -> Told:
        names = names_of(labels, parts, solution, prefix)
        return Told(f"{what} {count_of(len(names), parts[:-1])}", tuple(names), {fact: names})

    return report


def _halves(source: Graph, half: tuple[int, ...], labels: Labels) -> Told:
    cut = source.cut(half)
    one, other = (names_of(labels, "nodes", [v for v in range(source.nodes) if (v in half) == side]) for side in (1, 0))
    facts = {"half": one, "other_half": other, "cut": cut}
    return Told(f"two halves with {count_of(cut, 'edge')} between them", (" ".join(one), " ".join(other)), facts)


def _parts(kinds: str) -> Callable[[Any, Any, Labels], Told]:
    def report(source: Graph, solution: Blocks, labels: Labels) -> Told:
        parts = [[names_of(labels, "nodes", source.edges[e]) for e in part] for part in solution]
        lines = tuple(", ".join(" ".join(edge) for edge in part) for part in parts)
        return Told(f"{len(parts)} {kinds} that hold every edge once", lines, {"parts": parts})

    return report


def _cut_into(source: Graph, solution: Blocks, *, stars: bool) -> bool:
    """Return whether the parts are triangles (or 4-stars) and hold every edge once."""
    if sorted(e for part in solution for e in part) != list(range(len(source.edges))):
        return False
    threes = [[set(source.edges[e]) for e in part] for part in solution if len(part) == 3]
    shapes = [len(a | b | c) == 3 or (stars and len(a & b & c) == 1) for a, b, c in threes]
    return len(shapes) == len(solution) and all(shapes)


def _assignment(source: Formula, solution: tuple[bool, ...], labels: Labels) -> Told:
    literals = [v if value else -v for v, value in enumerate(solution, 1)]
    sentence = "an assignment under which every clause has exactly one true literal"
    return Told(sentence, (" ".join(map(str, literals)),), {"assignment": literals})


def _triples(source: Matching3D, solution: tuple[int, ...], labels: Labels) -> Told:
    triples = [[names_of(labels, k, [c])[0] for k, c in zip("WXY", source.triples[i], strict=True)] for i in solution]
    lines = tuple(" ".join(one) for one in triples)
    return Told(f"a matching of {count_of(len(triples), 'triple')}", lines, {"matching": triples})


def _stars(source: Rows, solution: Blocks) -> int:
    """Return the stars of the cheapest release with these classes."""
    return sum(len(block) * closure([source.rows[i] for i in block]).count("*") for block in solution)


def _classes(source: Rows, solution: Blocks, labels: Labels) -> Told:
    classes, stars = [[i + 1 for i in block] for block in solution], _stars(source, solution)
    least = count_of(min(map(len, classes)), "row")
    return Told(
        f"{count_of(len(classes), 'class')} of at least {least}, {count_of(stars, 'star')}",
        tuple("rows " + " ".join(map(str, block)) for block in classes),
        {"classes": classes, "stars": stars},
    )


def _held_once(source: SetCover, solution: tuple[int, ...]) -> bool:
    held = [u for s in set(solution) for u in source.sets[s]]
    return len(held) == len(set(held)) == source.universe


COVER = Question(
    asked="a cover", sought="a cover by at most {} sets", goal="sets of the cover at most", fact="least_cover",
    solves=lambda source, sets: _once(sets) and source.covers(sets), size=_count,
    report=_listed("cover", "a cover by", "sets", "S"),
)  # fmt: skip
EXACT_COVER = Question(
    asked="an exact cover",
    sought="an exact cover",
    solves=_held_once,
    report=_listed("cover", "an exact cover by", "sets", "S"),
)
BISECTION = Question(
    asked="a bisection", sought="a bisection of at most {} edges", goal="edges between the two halves at most",
    fact="cut", solves=lambda source, half: _once(half) and 2 * len(half) == source.nodes,
    size=lambda source, half: source.cut(half), possible=lambda source, goal: goal >= 0, report=_halves,
)  # fmt: skip
CLIQUE = Question(
    asked="a clique", sought="a clique of {} nodes", goal="nodes of the clique", fact="largest_clique", size=_count,
    solves=lambda source, nodes: _once(nodes) and 2 * source.inside(nodes) == len(nodes) * (len(nodes) - 1),
    step=1, possible=lambda source, goal: goal <= source.nodes, report=_listed("clique", "a clique of", "nodes"),
)  # fmt: skip
HALF_CLIQUE = replace(CLIQUE, asked="a clique of half the nodes", sought="a clique of half the nodes", fact="")
DOMINATING_SET = Question(
    asked="a dominating set", sought="a dominating set of at most {} nodes", goal="nodes of the dominating set at most",
    solves=lambda source, nodes: _once(nodes) and source.dominates(nodes), size=_count,
    report=_listed("dominating_set", "a dominating set of", "nodes"),
)  # fmt: skip
TRIANGLES = Question(
    asked="an edge partition into triangles", sought="an edge partition into triangles", report=_parts("triangles"),
    solves=lambda source, parts: _cut_into(source, parts, stars=False),
)  # fmt: skip
TRIANGLES_AND_STARS = Question(
    asked="an edge partition into triangles and 4-stars", sought="a partition into triangles and 4-stars",
    solves=lambda source, parts: _cut_into(source, parts, stars=True), report=_parts("triangles and 4-stars"),
)  # fmt: skip
ASSIGNMENT = Question(
    asked="a 1-in-3 assignment", sought="a 1-in-3 solution of the formula", report=_assignment,
    solves=lambda source, values: len(values) == source.variables and source.holds(values),
)  # fmt: skip
MATCHING = Question(
    asked="a matching", sought="a matching of at least {} triples", goal="triples of the matching at least",
    fact="largest_matching", solves=lambda source, triples: _once(triples) and source.disjoint(triples), size=_count,
    step=1, possible=lambda source, goal: goal <= source.side, report=_triples,
)  # fmt: skip
PERFECT_MATCHING = replace(MATCHING, asked="a perfect matching", sought="a perfect three-dimensional matching")
CLASSES = Question(
    asked="a k-anonymous release", sought="a k-anonymous one", goal="stars of the release at most",
    solves=lambda source, blocks: sorted(i for block in blocks for i in block) == list(range(len(source.rows))),
    size=_stars, possible=lambda source, goal: goal >= 0, report=_classes,
)  # fmt: skip
STARS = Question(  # there is no source problem but the table
    asked="a release of at most m^2 stars", sought="", size=lambda m, stars: stars,
    solves=lambda m, stars: True,
    report=lambda m, stars, labels: Told(f"a release of {count_of(stars, 'star')}", (), {"stars": stars}),
)  # fmt: skip
