"""Source problems: what a reduction begins with, drawn at random or read from JSON, and solved exactly by HiGHS.

Solutions are recounted in whole numbers; that nothing is better rests on HiGHS, and the tests compare with trying
everything. There is no time limit: the time can grow exponentially with the problem.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.hardness.values import STAR, Blocks, closure
from incrowd.milp import Outcome, Program, rows_of, solve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from incrowd.hardness.values import Labels

Choice = tuple[int, ...]
Line = tuple["Mapping[int, int]", int | None, int | None]  # least <= sum of coefficient * variable <= most


def minimise(costs: Sequence[int], lines: Sequence[Line]) -> Choice | None:
    """Return the variables that are one in a cheapest 0/1 solution, or None if there is none.

    RuntimeError is raised if HiGHS neither solves the program nor finds it infeasible, or its solution breaks a line.
    """
    count = len(costs)
    if count == 0:
        return () if all((low or 0) <= 0 and (high is None or high >= 0) for _, low, high in lines) else None
    at = [(r, v, c) for r, (line, _, _) in enumerate(lines) for v, c in sorted(line.items())]
    entries = np.array(at, np.int64).reshape(-1, 3)
    lower = np.array([-np.inf if low is None else low for _, low, _ in lines], np.float64)
    upper = np.array([np.inf if high is None else high for _, _, high in lines], np.float64)
    program = Program(
        cost=np.array(costs, np.float64),
        lower=np.zeros(count),
        upper=np.ones(count),
        whole=np.ones(count, np.bool_),
        rows=rows_of([(entries[:, 0], entries[:, 1], entries[:, 2])], [(lower, upper)]),
    )
    answer = solve(program, abs_gap=0.5)
    if answer.outcome is Outcome.INFEASIBLE:
        return None
    if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
        raise RuntimeError(f"the integer program ended with {answer.outcome.value}")
    chosen = tuple(int(v) for v in np.flatnonzero(answer.x > 0.5))
    ones = set(chosen)
    for line, low, high in lines:
        total = sum(c for v, c in line.items() if v in ones)
        if (low is not None and total < low) or (high is not None and total > high):
            raise RuntimeError("the integer program's solution breaks one of its lines")
    return chosen


def choose(
    parts: Sequence[Sequence[int]], things: int, *, least: int | None = None, most: int | None = None,
    costs: Sequence[int] | None = None,
) -> Choice | None:  # fmt: skip
    """Return a cheapest choice of parts in which every thing lies in `least` to `most` of them, or None.

    `parts` holds the things (0 to ``things - 1``) of each part, and `costs` what it costs, 1 by default.
    """
    lines: list[dict[int, int]] = [{} for _ in range(things)]
    for part, members in enumerate(parts):
        for thing in members:
            lines[thing][part] = 1
    price = [1] * len(parts) if costs is None else costs
    return minimise(price, [(line, least, most) for line in lines])


# A source problem is its dataclass: the JSON has the same fields, whole numbers and lists.
MOST_ITEMS = 5_000  # nodes, elements, variables
MOST_PARTS = 50_000  # edges, sets, clauses, triples, rows
MOST_NUMBERS = 150_000  # in all of them together; cells of rows are bounded as those of every table
MOST_NAME = 200  # characters of a name or a cell
MOST_CELLS = 4_000_000  # of a table that is made
MOST_JOINS = 4_000_000  # edges of a network that is made
MOST_CHOICES = {"triangles and 4-stars": 200_000, "groups": 20_000}


def refuse_cells(rows: int, columns: int) -> None:
    """Refuse a table of more than four million cells, before it is made."""
    if rows * columns > MOST_CELLS:
        raise PolicyError(
            f"the table would have {rows:,} rows and {columns:,} columns, more than {MOST_CELLS:,} cells; "
            "take a smaller source problem"
        )


def refuse_joins(edges: int) -> None:
    """Refuse a network of more than four million edges, before it is made."""
    if edges > MOST_JOINS:
        raise PolicyError(
            f"the network would have {edges:,} edges, more than {MOST_JOINS:,}; take a smaller source problem"
        )


def _refuse_many(parts: int, what: str) -> None:
    if parts > MOST_CHOICES[what]:
        raise PolicyError(
            f"the source has {parts:,} {what} to choose from, more than {MOST_CHOICES[what]:,}; take a smaller one, or "
            "leave it unsolved"
        )


def bad(what: str) -> NoReturn:
    """Refuse the JSON of a source problem with an InputError that says what is wrong with it."""
    raise InputError(f"the source's JSON does not fit: {what}")


def counted(held: Any, name: str) -> int:
    """Return a whole number of JSON; InputError is raised if it is none from 0 to 5,000."""
    if not isinstance(held, int) or isinstance(held, bool) or not 0 <= held <= MOST_ITEMS:
        bad(f"{name} must be a whole number from 0 to {MOST_ITEMS:,}")
    return held


def _lists(held: Any, name: str, leaf: type) -> tuple[Any, ...]:
    """Return a list of JSON, of small whole numbers or short texts or of lists of them, as tuples."""
    if not isinstance(held, list) or len(held) > MOST_PARTS:
        bad(f"{name} must be a list of at most {MOST_PARTS:,} entries")
    leaves = [one for entry in held for one in (entry if isinstance(entry, list) else [entry])]
    if leaf is str:
        refuse_cells(1, len(leaves))
        if not all(isinstance(one, str) and one != STAR and 0 < len(one) <= MOST_NAME for one in leaves):
            bad(f"{name} must hold texts of 1 to {MOST_NAME} characters, none of them a star")
    elif len(leaves) > MOST_NUMBERS or not all(type(one) is int and abs(one) <= MOST_PARTS for one in leaves):
        bad(f"{name} must hold whole numbers up to {MOST_PARTS:,}, at most {MOST_NUMBERS:,} together")
    return tuple(tuple(entry) if isinstance(entry, list) else entry for entry in held)


class Source:
    """What every source problem shares. `problem`: as JSON names it; `leaf`: what its lists hold."""

    problem: ClassVar[str]
    leaf: ClassVar[type] = int

    def parts(self) -> dict[str, int]:
        """Return how many parts of every kind there are, for the kinds that may have names."""
        return {}


def held_in(source: Source) -> dict[str, Any]:
    """Return a source as plain values for JSON."""
    return {field.name: getattr(source, field.name) for field in dataclasses.fields(source)}  # type: ignore[arg-type]


def source_of(kind: type[Source], held: Any) -> Any:
    """Return the source problem that plain values stand for; nothing of them is believed.

    InputError or PolicyError is raised if they stand for none.
    """
    fields = {field.name: field.type for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    if not isinstance(held, dict) or set(held) != set(fields):
        bad(f"source must have {' and '.join(fields)}")
    plain = {n: counted(held[n], n) if t == "int" else _lists(held[n], n, kind.leaf) for n, t in fields.items()}
    try:
        return kind(**plain)
    except (TypeError, ValueError):  # a number where a list belongs, or a list of another length
        bad(f"{' and '.join(fields)} must be those of a problem of {kind.problem}; --example prints one")


def labels_of(source: Source, held: Any) -> Labels:
    """Return the names of a source's parts as JSON holds them: none, or a different one for every part."""
    counts = source.parts()
    if held == {}:
        return {}
    if not isinstance(held, dict) or set(held) != set(counts):
        bad(f"labels must name {', '.join(counts) or 'nothing'}")
    for kind, number in counts.items():
        names = held[kind]
        if not isinstance(names, list) or not all(isinstance(one, str) and 0 < len(one) <= MOST_NAME for one in names):
            bad(f"labels of {kind} must be texts of 1 to {MOST_NAME} characters")
        if len(names) != number or len(set(names)) < number:
            bad(f"labels of {kind} must be {number} different names")
    return {kind: tuple(held[kind]) for kind in counts}


@dataclass(frozen=True, slots=True)
class Graph(Source):
    """Nodes 0 to ``nodes - 1`` and edges (u, v) with u < v, each once; an edge's index is its place among the edges.

    Its answers are found by integer programs of one variable per node, edge or part.
    """

    problem = "graph"
    nodes: int
    edges: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        if len(set(self.edges)) < len(self.edges) or not all(0 <= u < v < self.nodes for u, v in self.edges):
            raise PolicyError(f"edges must be pairs u < v of the nodes 0 to {self.nodes - 1}, each once")

    def parts(self) -> dict[str, int]:
        """Return the number of nodes."""
        return {"nodes": self.nodes}

    def triangles(self) -> list[Choice]:
        """Return every triangle as three indices of edges."""
        index = {edge: e for e, edge in enumerate(self.edges)}
        near: list[set[int]] = [set() for _ in range(self.nodes)]
        for u, v in self.edges:
            near[u].add(v)
        return [
            tuple(sorted((index[u, v], index[u, w], index[v, w])))
            for u, v in self.edges
            for w in sorted(near[u] & near[v])
        ]

    def stars(self) -> list[Choice]:
        """Return every 4-star (three edges at one node) as three indices of edges."""
        at: list[list[int]] = [[] for _ in range(self.nodes)]
        for e, edge in enumerate(self.edges):
            for v in edge:
                at[v].append(e)
        _refuse_many(sum(math.comb(len(edges), 3) for edges in at), "triangles and 4-stars")
        return [three for edges in at for three in itertools.combinations(edges, 3)]

    def edge_partition(self, parts: Sequence[Choice]) -> Blocks | None:
        """Return some of the parts, each the indices of its edges, that hold every edge exactly once, or None."""
        _refuse_many(len(parts), "triangles and 4-stars")
        chosen = choose(parts, len(self.edges), least=1, most=1, costs=[0] * len(parts))
        return None if chosen is None else tuple(parts[i] for i in chosen)

    def cut(self, half: Iterable[int]) -> int:
        """Return the number of edges with one end among some nodes."""
        inside = set(half)
        return sum((u in inside) != (v in inside) for u, v in self.edges)

    def inside(self, members: Iterable[int]) -> int:
        """Return the number of edges with both ends among some nodes."""
        chosen = set(members)
        return sum(u in chosen and v in chosen for u, v in self.edges)

    def dominates(self, members: Iterable[int]) -> bool:
        """Return whether every node is among some nodes or joined with one of them."""
        chosen = set(members)
        near = {v for pair in self.edges for u, v in (pair, pair[::-1]) if u in chosen}
        return len(chosen | near) == self.nodes

    def bisection(self) -> Choice:
        """Return one half of the nodes (rounded down) with the fewest edges to the other half; node 0 is in it."""
        n, m = self.nodes, len(self.edges)
        # x of the nodes, then y of the edges: y = 1 where the edge is cut
        lines: list[Line] = [(dict.fromkeys(range(n), 1), n // 2, n // 2), ({0: 1}, 1, 1)]
        for e, (u, v) in enumerate(self.edges):
            lines += [({n + e: 1, u: -1, v: 1}, 0, None), ({n + e: 1, u: 1, v: -1}, 0, None)]
        found = minimise([0] * n + [1] * m, lines)
        assert found is not None  # any half will do
        return tuple(v for v in found if v < n)

    def densest(self, count: int) -> Choice:
        """Return `count` nodes with the most edges among them."""
        n, m = self.nodes, len(self.edges)
        lines: list[Line] = [(dict.fromkeys(range(n), 1), count, count)]
        for e, (u, v) in enumerate(self.edges):
            lines += [({n + e: -1, u: 1}, 0, None), ({n + e: -1, v: 1}, 0, None)]
        found = minimise([0] * n + [-1] * m, lines)
        assert found is not None  # any set of that size will do
        return tuple(v for v in found if v < n)

    def clique(self) -> Choice:
        """Return a largest set of nodes of which every two are joined."""
        there = set(self.edges)
        apart = (pair for pair in itertools.combinations(range(self.nodes), 2) if pair not in there)
        found = minimise([-1] * self.nodes, [({u: 1, v: 1}, None, 1) for u, v in apart])
        assert found is not None  # the empty set will do
        return found


@dataclass(frozen=True, slots=True)
class Tripartite(Graph):
    """A graph with a class 0, 1 or 2 for every node, its sides, and no edge inside a class."""

    problem = "tripartite graph"
    sides: tuple[int, ...]

    def __post_init__(self) -> None:
        Graph.__post_init__(self)
        if len(self.sides) != self.nodes or not set(self.sides) <= {0, 1, 2}:
            raise PolicyError("every node needs a side: 0, 1 or 2")
        if any(self.sides[u] == self.sides[v] for u, v in self.edges):
            raise PolicyError("every edge must join two nodes of different sides")

    def kinds(self) -> Choice:
        """Return for every edge the class that it does not touch."""
        return tuple(3 - self.sides[u] - self.sides[v] for u, v in self.edges)


@dataclass(frozen=True, slots=True)
class SetCover(Source):
    """Elements 0 to ``universe - 1`` and some sets of them."""

    problem = "sets"
    universe: int
    sets: tuple[Choice, ...]

    def __post_init__(self) -> None:
        for members in self.sets:
            if not members or len(set(members)) < len(members) or not all(0 <= u < self.universe for u in members):
                raise PolicyError(f"a set must hold distinct elements from 0 to {self.universe - 1}")

    def parts(self) -> dict[str, int]:
        """Return the numbers of elements and sets."""
        return {"elements": self.universe, "sets": len(self.sets)}

    def covers(self, chosen: Iterable[int]) -> bool:
        """Return whether the chosen sets, given by their indices, hold every element."""
        return len({u for s in chosen for u in self.sets[s]}) == self.universe

    def least(self) -> Choice | None:
        """Return the indices of the fewest sets that cover everything, or None if no choice does."""
        return choose(self.sets, self.universe, least=1)


@dataclass(frozen=True, slots=True)
class Matching3D(Source):
    """Distinct triples (w, x, y), each coordinate from 0 to ``side - 1``.

    Elements are numbered: W first (w), then X (side + x), then Y (2 side + y).
    """

    problem = "triples"
    side: int
    triples: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        if len(set(self.triples)) < len(self.triples):
            raise PolicyError("every triple must be given once")
        if not all(0 <= c < self.side for w, x, y in self.triples for c in (w, x, y)):
            raise PolicyError(f"the coordinates of a triple must be from 0 to {self.side - 1}")

    def parts(self) -> dict[str, int]:
        """Return the number of elements of every kind."""
        return dict.fromkeys("WXY", self.side)

    def members(self) -> tuple[tuple[int, int, int], ...]:
        """Return the three elements of every triple."""
        return tuple((w, self.side + x, 2 * self.side + y) for w, x, y in self.triples)

    def occurrences(self) -> Counter[int]:
        """Return in how many triples every element is."""
        return Counter(element for triple in self.members() for element in triple)

    def disjoint(self, chosen: Iterable[int]) -> bool:
        """Return whether no two of the chosen triples, given by their indices, agree in a coordinate."""
        used = [element for i in chosen for element in self.members()[i]]
        return len(set(used)) == len(used)

    def largest(self) -> Choice:
        """Return the indices of the triples of a largest matching: as many as possible that share no element."""
        found = choose(self.members(), 3 * self.side, most=1, costs=[-1] * len(self.triples))
        assert found is not None  # the empty choice will do
        return found


@dataclass(frozen=True, slots=True)
class Formula(Source):
    """Clauses of three literals of different variables, 1 to ``variables``: v, or -v for its negation."""

    problem = "formula"
    variables: int
    clauses: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        for a, b, c in self.clauses:
            if len({abs(a), abs(b), abs(c)}) < 3 or not all(1 <= abs(v) <= self.variables for v in (a, b, c)):
                raise PolicyError(f"a clause needs three different variables of 1 to {self.variables}")

    def holds(self, values: Sequence[bool]) -> bool:
        """Return whether exactly one literal of every clause is true under the values of variables 1, 2, ..."""
        return all(sum(values[abs(v) - 1] == (v > 0) for v in clause) == 1 for clause in self.clauses)


@dataclass(frozen=True, slots=True)
class Rows(Source):
    """Rows of texts of equal length, to be made k-anonymous with the fewest stars."""

    problem = "rows"
    leaf = str
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        widths = {len(row) if isinstance(row, tuple) else 0 for row in self.rows}
        if len(widths) != 1 or 0 in widths:
            raise PolicyError("there must be a row, and rows must be lists of equal length")

    def cheapest(self, k: int) -> Blocks:
        """Return groups of k to 2k - 1 rows with the fewest stars (larger groups split at no cost)."""
        n, sizes = len(self.rows), range(k, min(2 * k - 1, len(self.rows)) + 1)
        _refuse_many(sum(math.comb(n, size) for size in sizes), "groups")
        groups = [group for size in sizes for group in itertools.combinations(range(n), size)]
        costs = [len(group) * closure([self.rows[i] for i in group]).count(STAR) for group in groups]
        chosen = choose(groups, n, least=1, most=1, costs=costs)
        assert chosen is not None  # n >= k is a sum of sizes k to 2k - 1
        return tuple(groups[i] for i in chosen)


# Drawing: a problem at random, or (`plant`) one that was made around a solution.
def drawn_graph(rng: np.random.Generator, nodes: int, edges: int, plant: Sequence[tuple[int, int]] = ()) -> Graph:
    """Return a random graph in which the planted edges are; O(nodes^2) time and memory, as all pairs are listed."""
    pairs = sorted(set(itertools.combinations(range(nodes), 2)) - set(plant))
    if edges > len(pairs) + len(plant):
        raise PolicyError(f"a graph of {nodes} nodes has at most {len(pairs) + len(plant)} edges, not {edges}")
    more = (pairs[int(i)] for i in rng.choice(len(pairs), edges - len(plant), replace=False))
    return Graph(nodes, tuple(sorted([*plant, *more])))


def planted_parts(rng: np.random.Generator, parts: int) -> Graph:
    """Return a graph of triangles and 4-stars that share no edge, at most so many, on about as many nodes."""
    nodes = max(5, parts + 2)
    edges: set[tuple[int, int]] = set()
    for _ in range(50 * parts):
        a, b, c, d = (int(v) for v in rng.choice(nodes, 4, replace=False))
        three = ((a, b), (a, c), (b, c)) if rng.integers(2) else ((a, b), (a, c), (a, d))
        new = {(min(pair), max(pair)) for pair in three}
        if len(edges) < 3 * parts and not new & edges:
            edges |= new
    return Graph(nodes, tuple(sorted(edges)))


def drawn_tripartite(rng: np.random.Generator, triangles: int, *, plant: bool) -> Tripartite:
    """Return a random tripartite graph with so many edges between any two classes; planted, they are triangles.

    Planted triangles are cells of a cyclic Latin square, of which any two share at most one of row, column and symbol.
    """
    width = math.isqrt(2 * triangles - 1) + 1
    cells = [rng.choice(width * width, triangles, replace=False) for _ in range(3)]
    edges: set[tuple[int, int]] = set()
    for pair, (one, other) in enumerate(itertools.combinations(range(3), 2)):
        for cell in cells[0 if plant else pair]:
            a, b = divmod(int(cell), width)
            place = (a, width + b, 2 * width + (a + b) % width)
            edges.add((place[one], place[other]))
    return Tripartite(3 * width, tuple(sorted(edges)), (0,) * width + (1,) * width + (2,) * width)


def drawn_sets(rng: np.random.Generator, universe: int, sets: int, *, plant: bool = True) -> SetCover:
    """Return distinct random sets of three; planted, they cover: a random order cut into runs, the last filled up."""
    if 3 * sets < universe:
        raise PolicyError(f"{sets} sets of 3 elements cannot cover {universe}; ask for more sets")
    if sets > math.comb(universe, 3):
        raise PolicyError(
            f"there are only {math.comb(universe, 3)} sets of 3 among {universe} elements; ask for fewer sets"
        )
    order = [int(u) for u in rng.permutation(universe)]
    order += order[: -universe % 3]
    made = {tuple(sorted(order[i : i + 3])) for i in range(0, len(order), 3)} if plant else set()
    while len(made) < sets:
        made.add(tuple(sorted(int(u) for u in rng.choice(universe, 3, replace=False))))
    shuffled = sorted(made)
    return SetCover(universe, tuple(shuffled[int(i)] for i in rng.permutation(len(shuffled))))


def drawn_triples(rng: np.random.Generator, side: int, triples: int, *, plant: bool) -> Matching3D:
    """Return random distinct triples in rounds, in each of which no two share an element.

    A planted round is a perfect matching, any other lacks one triple of it. So an element is in at most as many
    triples as there are rounds.
    """
    if side < 2 and not plant:
        raise PolicyError("a no-instance has no perfect matching, which needs a size of at least 2")
    if not (side if plant else 1) <= triples <= side**3:
        raise PolicyError(f"{triples} triples of {side} elements a side cannot be, or hold no perfect matching")
    chosen: dict[tuple[int, int, int], None] = {}
    while len(chosen) < triples:
        order = [rng.permutation(side).tolist() for _ in range(3)]
        chosen |= dict.fromkeys(list(zip(*order, strict=True))[: side if plant else side - 1])
    return Matching3D(side, tuple(chosen)[:triples])


def drawn_formula(rng: np.random.Generator, clauses: int, variables: int, *, plant: bool) -> Formula:
    """Return a formula of random clauses; planted, random values make exactly one literal of every clause true.

    True literals are spread over the variables, signs that are not planted alternate: no literal is in many clauses.
    """
    signs = (rng.integers(0, 2, variables) * 2 - 1).tolist()  # planted: the values; else those of the next literals
    true: Counter[int] = Counter()
    made = []
    for _ in range(clauses):
        three = sorted(int(v) for v in rng.choice(variables, 3, replace=False))
        chosen = min(rng.permutation(three).tolist(), key=true.__getitem__)
        true[chosen] += 1
        a, b, c = ((v + 1) * signs[v] * (1 if v == chosen or not plant else -1) for v in three)
        made.append((a, b, c))
        if not plant:
            for v in three:
                signs[v] = -signs[v]
    return Formula(variables, tuple(made))


def drawn_rows(rng: np.random.Generator, rows: int, columns: int, values: int) -> Rows:
    """Return random rows of the values ``a0``, ``a1``, ..."""
    return Rows(tuple(tuple(f"a{int(cell)}" for cell in row) for row in rng.integers(0, values, (rows, columns))))
