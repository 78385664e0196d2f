"""Edge lists: two columns of node ids, any delimiter, comments, compressed or not.

Why this is a parser of our own: DuckDB's `read_csv` (version 2.0) needs 1.4 times the CPU time on com-dblp and 1.5
times on soc-Slashdot0902 while the columns are plain integers, which takes ``007`` for ``7``; read as texts, so that
ids keep their spelling, 2.8 and 2.6 times. With the graph built, the memory rises by 205 MB on com-dblp instead of
107. On karate's 78 edges it is 60 times slower (2.5 milliseconds), and importing it costs 0.16 seconds of CPU time
and 22 MB. It knows no runs of blanks and one mark for comments only, and its refusals quote the line.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.kernels.networks.text import (
    EMPTY_ID,
    FEW_FIELDS,
    NAN_WEIGHT,
    NEGATIVE_WEIGHT,
    OK,
    field_spans,
    integers,
)
from incrowd.networks.input.limits import afford, each, never
from incrowd.networks.values import Graph, Int64, simple_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

PIECE = 1 << 20
COMMENTS = b"#%"
DELIMITERS = b"\t;,|"
SOURCES = {"source", "from", "src", "u", "node1", "node_1", "id1", "id_1", "start", "tail"}
TARGETS = {"target", "to", "dst", "dest", "destination", "v", "node2", "node_2", "id2", "id_2", "end", "head"}
TEXTS_NOTE = (
    "a third column of texts was ignored: if this is a table of persons, and no list of edges, use `incrowd audit`"
)
MOST_COLUMNS = 5  # of a list of edges without names: two nodes, a weight, a time and a kind, for example
WEIGHTS = {"weight", "w", "value"}


def read_edge_list(
    data: bytes,
    *,
    delimiter: str | None = None,
    comments: str | None = None,
    header: bool | None = None,
    ask: Callable[[], None] = never,
) -> Graph:
    """Read an edge list: UTF-8 text, one edge a line.

    Further columns are not read, but for one weight, which is judged and ignored. Labels are integers when all ids are
    plain integers (no leading zero), else texts. `delimiter` is one character, and ``" "`` means runs of blanks; by
    default it is the first of tab, semicolon, comma and bar found in the first line, else blanks. `comments` are the
    characters that make a line a comment when they start it, ``"#%"`` by default. `header` tells whether the first line
    names the columns; by default it does only if it holds a known pair of names such as ``source`` and ``target``.
    `ask` is called between pieces of the file and raises to stop. InputError is raised if a line has one field only,
    the first has so many that it looks like a table of persons, an id is missing, a weight is negative or NaN, or the
    file is no text. One pass over the bytes for integers, two for texts; about 60 bytes an edge while reading.
    """
    if b"\0" in data[:65536]:
        raise InputError(
            "the file is no text (it holds zero bytes); known are edge lists, GraphML, GML, Pajek, METIS, Matrix "
            "Market and JSON node-link"
        )
    at = 3 if data[:3] == b"\xef\xbb\xbf" else 0
    marks = COMMENTS if comments is None else comments.encode("utf-8", "replace")
    at, first, first_line = _first_line(data, at, marks)
    if first is None:
        raise InputError("the file holds no edge: every line is blank or a comment")
    sep = _delimiter(first, delimiter)
    columns = np.array([0, 1, 2], np.int64)
    fields = _fields(first, sep)
    names = [f.strip().strip(b'"').decode("utf-8", "replace").lower() for f in fields]
    if header is None:
        header = bool(SOURCES & set(names)) and bool(TARGETS & set(names))
        if not header and len(fields) > MOST_COLUMNS:
            raise InputError(
                f"the first line has {len(fields)} columns, and none are called source and target: this looks like a "
                "table of persons, not like a list of edges; for a table use `incrowd.audit`, and for edges name the "
                "two columns, or say header = false"
            )
    if header:
        columns = _columns(names)
        end = data.find(b"\n", at)
        at = len(data) if end < 0 else end + 1
        first_line += 1
    lines = data.count(b"\n", at) + 1
    afford(ask, 16 * lines)
    ends, edges, seen = np.empty(2 * lines, np.int64), 0, np.zeros(2, np.int64)
    buffer = np.frombuffer(data, np.uint8)
    for spans in _spans(data, at, first_line, sep, marks, columns, seen):
        if not integers(buffer, spans, ends[2 * edges :]):
            break
        edges += len(spans) // 2
        ask()
    else:
        return graph_from_integers(ends[0 : 2 * edges : 2], ends[1 : 2 * edges : 2], _notes(seen), ask)
    afford(ask, 120 * lines)
    edges, position = 0, dict[bytes, int]()
    for spans in _spans(data, at, first_line, sep, marks, columns, seen):
        texts = [data[a:b] for a, b in zip(spans[:, 0].tolist(), spans[:, 1].tolist(), strict=True)]
        ends[2 * edges : 2 * edges + len(texts)] = [position.setdefault(text, len(position)) for text in texts]
        edges += len(texts) // 2
        ask()
    ids = sorted(each(position, ask))
    rank = np.empty(len(ids), np.int32)
    rank[[position[text] for text in ids]] = np.arange(len(ids))
    labels = [_decode(text) for text in each(ids, ask)]
    u, v = rank[ends[0 : 2 * edges : 2]], rank[ends[1 : 2 * edges : 2]]
    return graph_from_indices(u, v, len(ids), labels, _notes(seen), ask)


def _spans(
    data: bytes, at: int, line: int, sep: int, marks: bytes, columns: NDArray[np.int64], seen: NDArray[np.int64]
) -> Iterator[NDArray[np.int64]]:
    """Yield where the end points of edges stand, (2 edges, 2), piece by piece; the first line has the number `line`."""
    buffer, marked = np.frombuffer(data, np.uint8), np.frombuffer(marks, np.uint8)
    for start, end in _pieces(data, at):
        spans = np.empty((2 * data.count(b"\n", start, end) + 2, 2), np.int64)
        found, problem, walked = field_spans(buffer[:end], start, sep, marked, columns, spans, seen)
        if problem != OK:
            raise _problem(problem, line + walked - 1)
        line += walked
        yield spans[: 2 * found]


def _pieces(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Whole lines from `at` on, as (start, end) of pieces of some megabytes."""
    while at < len(data):
        end = data.find(b"\n", min(at + PIECE, len(data))) + 1 or len(data)
        yield at, end
        at = end


def _first_line(data: bytes, at: int, marks: bytes) -> tuple[int, bytes | None, int]:
    """Where the first line of data starts, the line, and its number from 1."""
    number = 1
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        line = data[at:end].strip()
        if line and line[0] not in marks:
            return at, line, number
        at, number = end + 1, number + 1
    return at, None, number


def _delimiter(line: bytes, asked: str | None) -> int:
    """Return the delimiter as a byte, 0 for runs of blanks."""
    if asked is not None:
        if len(asked) != 1 or not asked.isascii():
            raise InputError(f"delimiter must be one ASCII character, not {len(asked)} of them; use ' ' for blanks")
        return 0 if asked == " " else ord(asked)
    return next((d for d in DELIMITERS if d in line), 0)


def _fields(line: bytes, sep: int) -> list[bytes]:
    return line.split() if sep == 0 else line.split(bytes([sep]))


def _columns(names: list[str]) -> NDArray[np.int64]:
    """Positions of the end points and of the weight (-1: none) in a header."""

    def position(known: set[str], default: int) -> int:
        return next((i for i, name in enumerate(names) if name in known), default)

    u = position(SOURCES, 0)
    v = position(TARGETS, 1)
    return np.array([u, v, position(WEIGHTS, -1)], np.int64)


def _notes(seen: NDArray[np.int64]) -> list[str]:
    out = [WEIGHTS_NOTE] if seen[0] else []
    return out + ([TEXTS_NOTE] if seen[1] else [])


def _decode(text: bytes) -> str:
    try:
        return text.decode("utf-8").replace('""', '"')
    except UnicodeDecodeError:
        raise InputError("the file is not UTF-8 text; convert it first") from None


def _problem(code: int, line: int) -> InputError:
    reasons = {
        FEW_FIELDS: "has one field only where two node ids are expected; give the delimiter, or a graph format",
        EMPTY_ID: "has a missing node id (empty or NaN); give both end points",
        NEGATIVE_WEIGHT: "has a negative weight; remove the weights (they are not used) or mend them",
        NAN_WEIGHT: "has the weight NaN; remove the weights (they are not used) or mend them",
    }
    return InputError(f"line {line} of the edge list {reasons[code]}")


# Arcs and labels to a `Graph`.
WEIGHTS_NOTE = "edge weights were ignored: distances count edges"
LIMIT = 2**31 - 2


def graph_from_indices(
    u: NDArray[Any],
    v: NDArray[Any],
    n: int,
    labels: Sequence[Any] | None,
    notes: Iterable[str] = (),
    ask: Callable[[], None] = never,
) -> Graph:
    """Build the graph of arcs between node indices.

    The end points `u` and `v`, (e,), are in 0..n-1, the order of the sorted labels. `ask` is called between pieces of
    work and raises to stop. InputError is raised if there are fewer than two nodes, or more than 2^31 - 2.
    """
    if n == 0:
        raise InputError("the graph is empty: it has no node at all; give a file with at least one edge")
    if n == 1:
        raise InputError("the graph has one node: an attacker would have nobody to look for; give at least two nodes")
    if n > LIMIT:
        raise InputError(f"the graph has {n} nodes; at most {LIMIT} can be numbered")
    ask()
    afford(ask, 30 * u.size + 13 * n)
    graph = simple_graph(u.astype(np.int32, copy=False), v.astype(np.int32, copy=False), n)
    ask()
    return replace(graph, labels=labels, notes=tuple(notes))


def graph_from_integers(u: Int64, v: Int64, notes: Iterable[str] = (), ask: Callable[[], None] = never) -> Graph:
    """Build a graph from integer node ids; its nodes are the ids that occur, sorted.

    `u` and `v`, (e,), are the ids of the end points of every edge, and `notes` say what was ignored while reading.
    `ask` is called between pieces of work and raises to stop. InputError is raised as by `graph_from_indices`: fewer
    than two nodes, or too many. O(e) time and memory; O(e log e) time where the ids spread over a range much wider than
    the number of edges.
    """
    if u.size == 0:
        return graph_from_indices(u, v, 0, None)
    low, high = int(min(u.min(), v.min())), int(max(u.max(), v.max()))
    if high - low < 8 * u.size + 1_000_000 and high - low < LIMIT:
        afford(ask, 16 * u.size + 5 * (high - low) + 8 * min(high - low, 2 * u.size))
        met = np.zeros(high - low + 1, np.bool_)
        met[u - low] = met[v - low] = True
        ids, rank = np.flatnonzero(met) + low, np.cumsum(met, dtype=np.int32) - np.int32(1)
        a, b = rank[u - low], rank[v - low]
    else:
        afford(ask, 100 * u.size)
        ids, inverse = np.unique(np.concatenate([u, v]), return_inverse=True)
        a, b = inverse[: u.size], inverse[u.size :]
    labels: Any = None if ids[0] == 0 and ids[-1] == ids.size - 1 else ids
    return graph_from_indices(a, b, ids.size, labels, notes, ask)


def graph_from_objects(
    nodes: Iterable[Hashable],
    edges: Iterable[tuple[Hashable, Hashable]],
    notes: Iterable[str] = (),
    ask: Callable[[], None] = never,
) -> Graph:
    """Build a graph from labels of any kind; isolated nodes are kept.

    Integers are sorted by value, texts by their UTF-8 bytes, other labels by themselves or, where they cannot be
    compared, by type and text. `nodes` are kept even if no edge names them, and `notes` say what was ignored while
    reading. `ask` is called between pieces of work and raises to stop. InputError is raised if a label is missing (None
    or NaN), or is of a kind that cannot name a node (a list, an object); also as by `graph_from_indices`.
    """
    position: dict[Hashable, int] = {}
    u, v = [], []
    try:
        for x in each(nodes, ask):
            _refuse_missing(x)
            position.setdefault(x, len(position))
        for a, b in each(edges, ask):
            for x in (a, b):
                if x not in position:
                    _refuse_missing(x)
                    position[x] = len(position)
            u.append(position[a])
            v.append(position[b])
    except TypeError:  # no hash
        raise InputError("a node id is of a kind that cannot name a node; give numbers or texts") from None
    labels = list(position)
    order = sorted_order(labels)
    rank = np.empty(len(labels), np.int64)
    rank[order] = np.arange(len(labels))
    ordered = [labels[i] for i in order]
    plain = ordered == list(range(len(ordered))) and not any(isinstance(x, bool | float) for x in ordered[:2])
    return graph_from_indices(
        rank[np.array(u, np.int64)], rank[np.array(v, np.int64)], len(labels), None if plain else ordered, notes, ask
    )


def sorted_order(labels: Sequence[Any]) -> list[int]:
    """Positions of `labels` in the order that numbers the nodes."""
    if all(isinstance(x, str) for x in labels):
        return sorted(range(len(labels)), key=lambda i: labels[i].encode("utf-8", "surrogatepass"))
    try:
        return sorted(range(len(labels)), key=lambda i: labels[i])
    except TypeError:
        return sorted(range(len(labels)), key=lambda i: (type(labels[i]).__name__, str(labels[i])))


def check_weights(weights: NDArray[Any] | Sequence[Any]) -> list[str]:
    """Refuse negative and NaN weights, in the order of the source, and say whether any weights are ignored.

    A note that weights are ignored is returned, or an empty list if all are 1 or there are none.
    """
    if not isinstance(weights, np.ndarray):
        weights = np.array(weights, object)  # whole numbers may be too large for a float
    try:
        with np.errstate(invalid="ignore"):
            missing, negative = weights != weights, weights < 0
    except TypeError:
        return ["edge weights that are no numbers were ignored"]
    remedy = "the weights (they are not used) or mend them"
    for where, fault in ((missing, "the weight NaN"), (negative, "a negative weight")):
        if where.any():
            raise InputError(f"edge {int(where.argmax()) + 1} has {fault}; remove {remedy}")
    return [] if (weights == 1).all() else [WEIGHTS_NOTE]


def _refuse_missing(x: Hashable) -> None:
    if x is None or (isinstance(x, float) and math.isnan(x)) or type(x).__name__ in ("NAType", "NaTType"):
        raise InputError("a node id is missing (None or NaN); give every end point of every edge")
