"""Graph files other than edge lists, through libraries that know them; imported when needed."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.input.build import as_weights, check_weights, graph_from_indices, graph_from_objects
from incrowd.networks.input.limits import AskingFile, beside, each, keep_asking, never

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.networks.values import Graph

__all__ = ["read_gml", "read_graphml", "read_metis", "read_node_link", "read_pajek"]


def read_graphml(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read GraphML through NetworkX. Entity declarations are refused, whatever the encoding: a graph needs none.

    `data` is the content of the file, unpacked; `ask` is called between pieces of work and raises to stop. InputError
    is raised if NetworkX is not installed, the file cannot be parsed or declares entities, or its edges make no graph.
    """
    _refuse_entities(data)
    nx = _networkx("GraphML")

    def parse(ask: Callable[[], None]) -> Any:
        file = AskingFile(data, ask)
        try:
            return nx.read_graphml(file, force_multigraph=True)
        finally:
            file.done()

    return _from_networkx("GraphML", parse, ask)


def _refuse_entities(data: bytes) -> None:
    """Let the parser itself say whether entities are declared: they can only stand before the first element."""
    from xml.parsers import expat

    class Begun(Exception):
        pass

    def declared(*_: Any) -> None:
        raise InputError("the GraphML file declares XML entities; write it without them")

    def begun(*_: Any) -> None:
        raise Begun

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = declared
    parser.StartElementHandler = begun
    with contextlib.suppress(Begun, expat.ExpatError, ValueError, LookupError):  # the reader tells what is wrong
        for at in range(0, len(data), 1 << 16):
            parser.Parse(data[at : at + (1 << 16)], False)


def read_gml(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read GML through NetworkX, by labels; by ids where labels are missing or repeated.

    `data` is the content of the file, unpacked; `ask` is called between pieces of work and raises to stop. InputError
    is raised if NetworkX is not installed, the file is no text or cannot be parsed, or its edges make no graph.
    """
    nx = _networkx("GML")
    lines = _text(data, "GML").splitlines()

    def parse(ask: Callable[[], None]) -> Any:
        try:
            return nx.parse_gml(each(lines, ask), label="label")
        except nx.NetworkXError:
            return nx.parse_gml(each(lines, ask), label="id")

    return _from_networkx("GML", parse, ask)


def read_pajek(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read Pajek (.net) through NetworkX.

    `data` is the content of the file, unpacked; `ask` is called between pieces of work and raises to stop. InputError
    is raised if NetworkX is not installed, the file is no text or cannot be parsed, or its edges make no graph.
    """
    nx = _networkx("Pajek")
    text = _text(data, "Pajek")
    return _from_networkx("Pajek", lambda ask: nx.parse_pajek(each(text.splitlines(), ask)), ask)


def read_metis(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read METIS (.graph): a line of counts, then a line of neighbours for every node.

    Nodes are numbered from 1, as in the file. Weights of edges are checked and ignored. `data` is the content of the
    file, unpacked; `ask` is called between pieces of work and raises to stop.

    InputError is raised if the file is no text, its first line is not as METIS wants it, it has fewer lines than nodes,
    a line holds something that is no number or names a node out of range, or a weight is negative or NaN.
    """
    lines = [line for line in _text(data, "METIS").splitlines() if not line.lstrip().startswith("%")]
    while lines and not lines[0].strip():
        lines.pop(0)
    n, skip, step = _metis_head(lines[0].split() if lines else [])
    if n + 1 > len(lines):
        raise InputError(f"the METIS file has {len(lines) - 1} lines of neighbours for {n} nodes")
    u, v, w = [], [], []
    for i in each(range(n), ask):
        try:
            row = [float(x) for x in lines[i + 1].split()[skip:]]
        except ValueError:
            raise InputError(f"node line {i + 1} of the METIS file holds something that is no number") from None
        near = row[::step]
        if not all(1 <= x <= n and x == int(x) for x in near):
            raise InputError(f"node line {i + 1} of the METIS file names a node outside 1..{n}")
        w += row[1::2] if step == 2 else []
        for x in near:
            if x > i:  # every edge stands in both its nodes' lines; loops have x = i + 1
                u.append(i)
                v.append(int(x) - 1)
    notes = check_weights(np.array(w))
    return graph_from_indices(np.array(u, np.int64), np.array(v, np.int64), n, range(1, n + 1), notes, ask)


def _metis_head(words: list[str]) -> tuple[int, int, int]:
    """Nodes, numbers to skip before the neighbours of each, and numbers a neighbour takes."""
    numbers = [int(x) if x.isascii() and x.isdigit() and len(x) < 19 else -1 for x in words]
    if len(numbers) < 2 or min(numbers) < 0:
        raise InputError("the METIS file should start with the number of nodes and of edges")
    flags = f"{numbers[2] if len(numbers) > 2 else 0:03d}"
    if len(flags) > 3 or not set(flags) <= {"0", "1"}:
        raise InputError("the third number of the METIS file should be made of 0 and 1: sizes, weights of nodes, edges")
    weights = numbers[3] if len(numbers) > 3 else 1
    return numbers[0], int(flags[0]) + weights * int(flags[1]), 1 + int(flags[2])


def read_node_link(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read a node-link graph in JSON as NetworkX and D3 write it: ``nodes`` with ``id``, ``links`` or ``edges``.

    `data` is the content of the file, unpacked; `ask` is called between pieces of work and raises to stop. InputError
    is raised if the file is no JSON, lacks one of the lists, a node lacks ``id`` or a link ``source`` or ``target``, or
    a weight is negative or NaN.
    """
    try:
        content = json.loads(data, object_pairs_hook=keep_asking(ask))
    except (ValueError, RecursionError):
        raise InputError("the JSON file cannot be parsed") from None
    if not isinstance(content, dict) or not isinstance(content.get("nodes"), list):
        raise InputError("the JSON file is no node-link graph: it should hold the lists 'nodes' and 'links'")
    links = content.get("links", content.get("edges"))
    if not isinstance(links, list):
        raise InputError("the JSON file is no node-link graph: it holds neither 'links' nor 'edges'")
    try:
        nodes = [_id(x["id"]) for x in each(content["nodes"], ask)]
        edges = [(_id(x["source"]), _id(x["target"])) for x in each(links, ask)]
    except (KeyError, TypeError, RecursionError):
        raise InputError("a node of the JSON file lacks 'id', or a link 'source' or 'target'") from None
    weights = [x["weight"] for x in links if isinstance(x.get("weight"), int | float)]
    return graph_from_objects(nodes, edges, check_weights(as_weights(weights)), ask)


def _id(value: Any) -> Any:
    return tuple(_id(x) for x in value) if isinstance(value, list) else value


def _networkx(name: str) -> Any:
    try:
        import networkx  # type: ignore[import-untyped]
    except ImportError:
        raise InputError(f"reading {name} needs NetworkX, which is not installed: pip install networkx") from None
    return networkx


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            return data.decode("latin-1") if b"\0" not in data else data.decode("ascii")
        except UnicodeDecodeError:
            raise InputError(f"the {name} file is no text") from None


def _from_networkx(name: str, parse: Callable[[Callable[[], None]], Any], ask: Callable[[], None]) -> Graph:
    """Parse with a library; whatever it raises on a bad file becomes one sentence without its content."""
    from incrowd.networks.input.objects import graph_from_networkx

    try:
        graph = beside(parse, ask)
    except Exception as error:
        if isinstance(error, InputError | MemoryError):
            raise
        raise InputError(
            f"the {name} file cannot be parsed ({type(error).__name__}); check that it is {name}"
        ) from None
    return graph_from_networkx(graph, ask)
