"""Graphs from edge lists and DIMACS files, and tripartite ones, whose nodes have a class.

An edge list has two names a line; a line of one name is a node without edges. DIMACS has ``p edge NODES EDGES`` (or
``p col``) and lines ``e U V`` of nodes from 1. Classes 1, 2 and 3 of a tripartite graph stand in lines ``1: NAMES``, or
in DIMACS in lines ``n NODE CLASS``.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import Any

from incrowd.errors import InputError
from incrowd.hardness.problem import (
    MOST_ITEMS,
    MOST_NAME,
    MOST_PARTS,
    Given,
    Names,
    Problem,
    bad,
    blank_words,
    counted,
    is_dimacs,
    refuse_cells,
    tuples,
    whole,
    words_of,
)
from incrowd.hardness.sources.edge_partition import Tripartite
from incrowd.hardness.sources.graphs import Graph
from incrowd.hardness.sources.matching3d import Matching3D
from incrowd.hardness.sources.one_in_three import Formula
from incrowd.hardness.sources.set_cover import SetCover

CLASSES = ("1:", "2:", "3:")


@dataclass
class _Read:
    """What the lines of a file have said so far."""

    names: Names = field(default_factory=lambda: Names("node", MOST_ITEMS))
    edges: dict[tuple[int, int], int] = field(default_factory=dict)  # in the order given -> line
    classes: dict[int, int] = field(default_factory=dict)

    def join(self, u: int, v: int, line: int) -> None:
        """Add an edge."""
        if u == v:
            raise InputError(f"line {line} of the source joins a node with itself")
        if (u, v) in self.edges:
            raise InputError(f"line {line} of the source repeats the edge of line {self.edges[u, v]}")
        if len(self.edges) >= 2 * MOST_PARTS:
            raise InputError(f"the source has more than {MOST_PARTS:,} edges; that is too large a problem")
        self.edges[u, v] = line

    def put(self, v: int, side: int, line: int) -> None:
        """Give a node its class."""
        if v in self.classes:
            raise InputError(f"line {line} of the source gives a node a second class")
        self.classes[v] = side

    def graph(self) -> Graph:
        """Return the graph: every edge once, also where all of them stand in both directions."""
        found = {(min(pair), max(pair)) for pair in self.edges}
        if len(found) < len(self.edges) and 2 * len(found) != len(self.edges):
            for (u, v), line in self.edges.items():
                if (v, u) in self.edges and self.edges[v, u] < line:
                    raise InputError(f"line {line} of the source repeats the edge of line {self.edges[v, u]}")
        if len(found) > MOST_PARTS:
            raise InputError(f"the source has more than {MOST_PARTS:,} edges; that is too large a problem")
        return Graph(len(self.names.place), tuple(sorted(found)))


def _read(text: str) -> _Read:
    return _dimacs(text) if is_dimacs(text) else _edge_list(text)


def _edge_list(text: str) -> _Read:
    read = _Read()
    for line, words in words_of(text):
        if words[0] in CLASSES:
            for name in words[1:]:
                read.put(read.names.number(name, line), CLASSES.index(words[0]), line)
            continue
        if len(words) > 2:
            raise InputError(f"line {line} of the source has {len(words)} words where an edge has two ends")
        ends = [read.names.number(name, line) for name in words]
        if len(ends) == 2:
            read.join(ends[0], ends[1], line)
    if not read.names.place:
        raise InputError("the source holds no node: every line is blank or a comment")
    return read


def _dimacs(text: str) -> _Read:
    read, declared = _Read(), -1
    for line, words in blank_words(text, ("c ", "c\t", "#", "%")):
        if words == ["c"]:
            continue
        if words[0] == "p":
            if declared >= 0 or len(words) != 4 or words[1] not in ("edge", "col"):
                raise InputError(f"line {line} of the source must be the only problem line: p edge NODES EDGES")
            for v in range(whole(words[2], line, 1, MOST_ITEMS, "the number of nodes")):
                read.names.number(str(v + 1), line)
            declared = whole(words[3], line, 0, 2 * MOST_PARTS, "the number of edges")
        elif declared < 0:
            raise InputError(f"line {line} of the source stands before the problem line: p edge NODES EDGES")
        elif words[0] not in ("e", "n") or len(words) != 3:
            raise InputError(
                f"line {line} of the source is neither a comment (c), an edge (e U V) nor a class (n V CLASS)"
            )
        else:
            v = whole(words[1], line, 1, len(read.names.place), "a node") - 1
            if words[0] == "e":
                read.join(v, whole(words[2], line, 1, len(read.names.place), "a node") - 1, line)
            else:
                read.put(v, whole(words[2], line, 1, 3, "a class") - 1, line)
    if declared != len(read.edges):
        raise InputError(f"the problem line declares {declared} edges, and the source holds {len(read.edges)}")
    return read


class _GraphProblem(Problem):
    name = "graph"
    holds = "an edge list, or a DIMACS graph (p edge)"

    def read(self, text: str) -> Given:
        """Return the graph of a text."""
        found = _read(text)
        if found.classes:
            raise InputError("the source gives its nodes classes, and a graph has none here; leave those lines out")
        return Given(found.graph(), {"nodes": found.names.labels()})

    def pack(self, source: Graph) -> dict[str, Any]:
        """Return nodes and edges."""
        return {"nodes": source.nodes, "edges": [list(edge) for edge in source.edges]}

    def unpack(self, held: Any) -> Graph:
        """Return the graph; `Graph` refuses edges that are none."""
        edges = tuples(held, "edges", width=2)
        return Graph(counted(held, "nodes", 0, MOST_ITEMS), tuple((u, v) for u, v in edges))

    def counts(self, source: Graph) -> dict[str, int]:
        """Return the number of nodes."""
        return {"nodes": source.nodes}


class _TripartiteProblem(_GraphProblem):
    name = "tripartite graph"
    holds = "an edge list or a DIMACS graph, with the class 1, 2 or 3 of every node"

    def read(self, text: str) -> Given:
        """Return the tripartite graph of a text."""
        found = _read(text)
        graph = found.graph()
        if len(found.classes) < graph.nodes:
            raise InputError(
                f"{graph.nodes - len(found.classes)} of {graph.nodes} nodes have no class; a tripartite graph needs "
                "lines such as '1: a b', or 'n 4 1' in DIMACS"
            )
        for (u, v), line in found.edges.items():
            if found.classes[u] == found.classes[v]:
                raise InputError(f"line {line} of the source joins two nodes of one class")
        sides = tuple(found.classes[v] for v in range(graph.nodes))
        return Given(Tripartite(graph, sides), {"nodes": found.names.labels()})

    def pack(self, source: Any) -> dict[str, Any]:
        """Return nodes, edges and classes."""
        return {**super().pack(source.graph), "sides": list(source.sides)}

    def unpack(self, held: Any) -> Any:
        """Return the tripartite graph; `Tripartite` refuses edges inside a class."""
        graph = super().unpack(held)
        sides = held.get("sides")
        if not isinstance(sides, list) or not all(type(side) is int and 0 <= side < 3 for side in sides):
            bad("sides must be a list of 0, 1 and 2")
        return Tripartite(graph, tuple(sides))

    def counts(self, source: Any) -> dict[str, int]:
        """Return the number of nodes."""
        return {"nodes": source.graph.nodes}


GRAPH = _GraphProblem()
TRIPARTITE_GRAPH = _TripartiteProblem()


# Sets of named elements, one a line: ``NAME: a b c``, or the elements alone.
UNIVERSE = "universe:"


class _Sets(Problem):
    name = "sets"
    holds = "one set a line: NAME: a b c"

    def read(self, text: str) -> Given:
        """Return the sets of a text.

        A line ``universe: a b c`` before all others declares the elements. A set without a name is called by its place.
        """
        elements, sets = Names("element", MOST_ITEMS), Names("set", MOST_PARTS)
        found: list[tuple[int, ...]] = []
        bare: dict[tuple[int, ...], int] = {}
        total = 0
        for line, words in words_of(text):
            if words[0] == UNIVERSE:
                if found or elements.place:
                    raise InputError(f"line {line} of the source: the universe is declared once, before all sets")
                for name in words[1:]:
                    elements.number(name, line)
                elements.closed = True
                continue
            named = words[0].endswith(":") and len(words[0]) > 1
            members = [elements.number(name, line) for name in words[named:]]
            total += len(members)
            if not members:
                raise InputError(f"line {line} of the source is an empty set")
            if len(set(members)) < len(members):
                raise InputError(f"line {line} of the source names an element twice")
            name = words[0][:-1] if named else str(len(found) + 1)
            if name in sets.place:
                raise InputError(f"line {line} of the source gives two sets one name")
            one = tuple(sorted(members))
            if not named and one in bare:
                raise InputError(f"line {line} of the source repeats the set of line {bare[one]}")
            if total > MOST_PARTS:
                raise InputError(
                    f"the sets hold more than {MOST_PARTS:,} elements together; that is too large a problem"
                )
            bare.setdefault(one, line)
            sets.number(name, line)
            found.append(one)
        if not found:
            raise InputError("the source holds no set: every line is blank or a comment")
        return Given(
            SetCover(len(elements.place), tuple(found)), {"elements": elements.labels(), "sets": sets.labels()}
        )

    def pack(self, source: SetCover) -> dict[str, Any]:
        """Return universe and sets."""
        return {"universe": source.universe, "sets": [list(members) for members in source.sets]}

    def unpack(self, held: Any) -> SetCover:
        """Return the sets; `SetCover` refuses elements that are none."""
        return SetCover(counted(held, "universe", 0, MOST_ITEMS), tuples(held, "sets"))

    def counts(self, source: SetCover) -> dict[str, int]:
        """Return the numbers of elements and sets."""
        return {"elements": source.universe, "sets": len(source.sets)}


SETS = _Sets()


# Triples of three kinds of elements, one a line: ``w x y``; names of different kinds are different elements.
KINDS = ("W", "X", "Y")


class _Triples(Problem):
    name = "triples"
    holds = "one triple a line: w x y"

    def read(self, text: str) -> Given:
        """Return the triples of a text; lines ``W: a b``, ``X: ...``, ``Y: ...`` before them may declare elements."""
        names = [Names(f"{kind} element", MOST_ITEMS) for kind in KINDS]
        found: dict[tuple[int, int, int], int] = {}
        for line, words in words_of(text):
            if words[0][-1] == ":" and words[0][:-1].upper() in KINDS:
                one = names[KINDS.index(words[0][:-1].upper())]
                if found or one.closed:
                    raise InputError(
                        f"line {line} of the source: the elements of W, X and Y are declared once, before all triples"
                    )
                for name in words[1:]:
                    one.number(name, line)
                one.closed = True
                continue
            if len(words) != 3:
                raise InputError(f"line {line} of the source has {len(words)} words where a triple has three")
            w, x, y = (one.number(word, line) for one, word in zip(names, words, strict=True))
            if (w, x, y) in found:
                raise InputError(f"line {line} of the source repeats the triple of line {found[w, x, y]}")
            if len(found) >= MOST_PARTS:
                raise InputError(f"the source has more than {MOST_PARTS:,} triples; that is too large a problem")
            found[w, x, y] = line
        if not found:
            raise InputError("the source holds no triple: every line is blank or a comment")
        sides = [len(one.place) for one in names]
        if len(set(sides)) > 1:
            raise InputError(
                f"W, X and Y must have equally many elements, and the source has {sides[0]}, {sides[1]} and "
                f"{sides[2]}; declare those in no triple with lines such as 'W: a b c'"
            )
        labels = {kind: one.labels() for kind, one in zip(KINDS, names, strict=True)}
        return Given(Matching3D(sides[0], tuple(found)), labels)

    def pack(self, source: Matching3D) -> dict[str, Any]:
        """Return side and triples."""
        return {"side": source.side, "triples": [list(triple) for triple in source.triples]}

    def unpack(self, held: Any) -> Matching3D:
        """Return the triples; `Matching3D` refuses coordinates that are none."""
        triples = tuples(held, "triples", width=3)
        return Matching3D(counted(held, "side", 1, MOST_ITEMS), tuple((w, x, y) for w, x, y in triples))

    def counts(self, source: Matching3D) -> dict[str, int]:
        """Return the number of elements of every kind."""
        return dict.fromkeys(KINDS, source.side)


TRIPLES = _Triples()


# Formulas in DIMACS cnf: ``p cnf VARIABLES CLAUSES``, then the literals of every clause and a 0.
class _FormulaProblem(Problem):
    name = "formula"
    holds = "a formula in DIMACS cnf, three literals a clause"

    def read(self, text: str) -> Given:
        """Return the formula of a text; a line that begins with ``%`` ends it, as in SATLIB's files."""
        if not is_dimacs(text):
            raise InputError("the source has no problem line; a formula is DIMACS cnf: p cnf VARIABLES CLAUSES")
        variables = declared = -1
        clauses: dict[frozenset[int], tuple[int, int, int]] = {}
        clause: list[int] = []
        for line, words in blank_words(text, ("c ", "c\t", "#")):
            if words[0].startswith("%"):
                break
            if words == ["c"]:
                continue
            if words[0] == "p":
                if variables >= 0 or len(words) != 4 or words[1] != "cnf":
                    raise InputError(
                        f"line {line} of the source must be the only problem line: p cnf VARIABLES CLAUSES"
                    )
                variables = whole(words[2], line, 1, MOST_ITEMS, "the number of variables")
                declared = whole(words[3], line, 0, MOST_ITEMS, "the number of clauses")
                continue
            if variables < 0:
                raise InputError(f"line {line} of the source stands before the problem line: p cnf VARIABLES CLAUSES")
            for word in words:
                literal = whole(word, line, -variables, variables, "a literal")
                if literal:
                    clause.append(literal)
                else:
                    self._take(clause, clauses, line)
                    clause = []
                if len(clause) > 3:
                    raise InputError(f"clause {len(clauses) + 1} of the source has more than three literals")
        if clause:
            raise InputError(f"clause {len(clauses) + 1} of the source is not ended by a 0")
        if len(clauses) != declared:
            raise InputError(f"the problem line declares {declared} clauses, and the source holds {len(clauses)}")
        return Given(Formula(variables, tuple(clauses.values())), {})

    @staticmethod
    def _take(clause: list[int], clauses: dict[frozenset[int], tuple[int, int, int]], line: int) -> None:
        """Add a clause that has come to its end."""
        if len(clauses) >= MOST_ITEMS:
            raise InputError(f"the source has more than {MOST_ITEMS:,} clauses; that is too large a problem")
        number = len(clauses) + 1
        if not clause:
            raise InputError(f"clause {number} of the source (line {line}) is empty; no assignment meets it")
        if len(clause) != 3 or len({abs(literal) for literal in clause}) < 3:
            raise InputError(
                f"clause {number} of the source (line {line}) must have three different variables; 1-in-3-SAT has no "
                "others"
            )
        if frozenset(clause) in clauses:
            raise InputError(f"clause {number} of the source (line {line}) repeats an earlier one; leave one out")
        clauses[frozenset(clause)] = (clause[0], clause[1], clause[2])

    def pack(self, source: Formula) -> dict[str, Any]:
        """Return variables and clauses."""
        return {"variables": source.variables, "clauses": [list(clause) for clause in source.clauses]}

    def unpack(self, held: Any) -> Formula:
        """Return the formula; `Formula` refuses clauses that are none."""
        clauses = tuples(held, "clauses", MOST_ITEMS, width=3)
        return Formula(counted(held, "variables", 1, MOST_ITEMS), tuple((a, b, c) for a, b, c in clauses))

    def counts(self, source: Formula) -> dict[str, int]:
        """Return nothing: variables are called by their numbers."""
        return {}


FORMULA = _FormulaProblem()


# A table to be made k-anonymous: CSV with a header, every column a quasi-identifier.
STAR = "*"
MOST_COLUMNS = 1_000


class _Rows(Problem):
    name = "rows"
    holds = "a table in CSV with a header, all of it quasi-identifiers"

    def read(self, text: str) -> Given:
        """Return the rows of a text as tuples of texts."""
        try:
            lines = [line for line in csv.reader(io.StringIO(text, newline=""), strict=True) if line]
        except csv.Error:
            raise InputError("the source is no CSV: quotes or line ends do not fit") from None
        if len(lines) < 2:
            raise InputError("the source needs a header and at least one row")
        header, *rows = lines
        if len(set(header)) < len(header) or not all(header) or len(header) > MOST_COLUMNS:
            raise InputError(
                f"the header of the source must name at most {MOST_COLUMNS:,} columns, each with its own name"
            )
        if len(rows) > MOST_ITEMS:
            raise InputError(f"the source has more than {MOST_ITEMS:,} rows; that is too large a problem")
        refuse_cells(len(rows), len(header))
        for i, row in enumerate(rows, 1):
            if len(row) != len(header):
                raise InputError(f"row {i} of the source has {len(row)} cells where the header has {len(header)}")
            if any(not cell or cell == STAR or cell.lower() == "nan" or len(cell) > MOST_NAME for cell in row):
                raise InputError(
                    f"row {i} of the source has a cell that is missing, a star, NaN or longer than {MOST_NAME} "
                    "characters"
                )
        return Given(tuple(map(tuple, rows)), {})

    def pack(self, source: Any) -> dict[str, Any]:
        """Return the rows of a `Rows`, or rows as they are."""
        return {"rows": [list(row) for row in getattr(source, "rows", source)]}

    def unpack(self, held: Any) -> tuple[tuple[str, ...], ...]:
        """Return the rows."""
        rows = held.get("rows") if isinstance(held, dict) else None
        if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_ITEMS:
            bad(f"rows must be a list of 1 to {MOST_ITEMS:,} rows")
        if not all(
            isinstance(row, list) and 1 <= len(row) <= MOST_COLUMNS and len(row) == len(rows[0]) for row in rows
        ):
            bad("rows must be lists of equal length")
        if not all(
            isinstance(cell, str) and cell != STAR and 0 < len(cell) <= MOST_NAME for row in rows for cell in row
        ):
            bad("rows must hold texts")
        return tuple(map(tuple, rows))

    def counts(self, source: Any) -> dict[str, int]:
        """Return nothing: rows are called by their numbers."""
        return {}


ROWS = _Rows()
