"""Which reader a source needs."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, did_you_mean
from incrowd.networks.input.edge_list import check_weights, graph_from_indices, read_edge_list
from incrowd.networks.input.limits import AskedFile, afford, beside, check_declared, each, never
from incrowd.networks.input.objects import graph_from_networkx, graph_from_object, graph_from_sparse
from incrowd.settings import shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from incrowd.networks.values import Graph


# Graph files other than edge lists, through libraries that know them; imported when needed.
def read_graphml(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read GraphML through NetworkX. Entity declarations are refused, whatever the encoding: a graph needs none."""
    _refuse_entities(data)
    nx = _networkx("GraphML")
    return _from_networkx("GraphML", lambda ask: nx.read_graphml(AskedFile(data, ask), force_multigraph=True), ask)


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
    """Read GML through NetworkX, by labels; by ids where labels are missing or repeated."""
    nx = _networkx("GML")
    lines = _text(data, "GML").splitlines()

    def parse(ask: Callable[[], None]) -> Any:
        try:
            return nx.parse_gml(each(lines, ask), label="label")
        except nx.NetworkXError:
            return nx.parse_gml(each(lines, ask), label="id")

    return _from_networkx("GML", parse, ask)


def read_pajek(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read Pajek (.net) through NetworkX."""
    nx = _networkx("Pajek")
    text = _text(data, "Pajek")
    return _from_networkx("Pajek", lambda ask: nx.parse_pajek(each(text.splitlines(), ask)), ask)


def read_node_link(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read a node-link graph in JSON through NetworkX, as it and D3 write it: ``nodes``, and ``links`` or ``edges``."""
    nx = _networkx("node-link JSON")

    def parse(ask: Callable[[], None]) -> Any:
        def made(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            ask()
            return dict(pairs)

        content = json.loads(data, object_pairs_hook=made)
        content |= {"directed": True, "multigraph": True}  # every link as it stands there
        return nx.node_link_graph(content, edges="links" if "links" in content else "edges")

    return _from_networkx("node-link JSON", parse, ask)


def read_metis(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read METIS (.graph): a line of counts, then a line of neighbours for every node.

    Nodes are numbered from 1, as in the file. Weights of edges are checked and ignored. `data` is the content of the
    file, unpacked; `ask` is called between pieces of work and raises to stop. InputError is raised if the file is no
    text, its first line is not as METIS wants it, it has fewer lines than nodes, a line holds something that is no
    number or names a node out of range, or a weight is negative or NaN.
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
    return graph_from_networkx(_parsed(name, parse, ask), ask)


def _parsed(name: str, parse: Callable[[Callable[[], None]], Any], ask: Callable[[], None]) -> Any:
    """Parse with a library; whatever it raises on a bad file becomes one sentence without its content."""
    try:
        return beside(parse, ask)
    except Exception as error:
        if isinstance(error, InputError | MemoryError):
            raise
        raise InputError(
            f"the {name} file cannot be parsed ({type(error).__name__}); check that it is {name}"
        ) from None


ENTRY = 4  # bytes that an entry of a Matrix Market file takes at least: two indices, a blank, the end of the line
CELL = 2  # and a cell of an array


def read_matrix_market(data: bytes, ask: Callable[[], None] = never) -> Graph:
    """Read Matrix Market through SciPy: a square matrix, in which every stored entry other than zero is an edge.

    What the first lines claim is held against the file's size before anything is laid out.
    """
    from scipy.io import mminfo, mmread
    from scipy.sparse import coo_array

    if b"\0" in data:
        raise InputError("the Matrix Market file cannot be parsed: it holds zero bytes")
    rows, columns, entries, form, _, symmetry = _parsed("Matrix Market", lambda _: mminfo(io.BytesIO(data)), never)
    if rows != columns:
        raise InputError(f"an adjacency matrix must be square, not {rows} x {columns}")
    if not rows:
        raise InputError("the Matrix Market file cannot be parsed: it has no row")
    symmetric, dense = symmetry != "general", form == "array"
    if dense:  # the diagonal of a skew-symmetric array is not written
        entries = rows * (rows - 1) // 2 if symmetric else rows * rows
    if entries * (CELL if dense else ENTRY) > len(data):
        raise InputError(
            f"the Matrix Market file cannot be parsed: it claims {entries:,} entries and is too short to hold them"
        )
    check_declared(rows, entries)
    # SciPy's reader runs past the end of a file whose last line has no end and is no number
    whole = data if data.endswith(b"\n") else data + b"\n"
    matrix = _parsed("Matrix Market", lambda ask: mmread(AskedFile(whole, ask), spmatrix=False), ask)
    return graph_from_sparse(coo_array(matrix), symmetric=symmetric or None, ask=ask)


FORMATS: dict[str, Callable[..., Graph]] = {
    "edges": read_edge_list,
    "graphml": read_graphml,
    "gml": read_gml,
    "pajek": read_pajek,
    "metis": read_metis,
    "matrix-market": read_matrix_market,
    "node-link": read_node_link,
}
OBJECTS = 6  # bytes of Python objects for each of a file that is read as such, at the least
ENDINGS = {
    ".graphml": "graphml",
    ".gml": "gml",
    ".net": "pajek",
    ".paj": "pajek",
    ".graph": "metis",
    ".metis": "metis",
    ".mtx": "matrix-market",
    ".mm": "matrix-market",
    ".json": "node-link",
}


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """How a network file is read; objects are not affected.

    Parameters
    ----------
    format : str, optional
        One of `FORMATS`; by default the file's ending decides.
    delimiter, comments : str, optional
    header : bool, optional
        As `incrowd.networks.input.edge_list.read_edge_list`, for edge lists only.

    Raises
    ------
    InputError
        If the format is not known, or an option is of the wrong type.
    """

    format: str | None = None
    delimiter: str | None = None
    comments: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        for name in ("format", "delimiter", "comments"):
            if not isinstance(getattr(self, name), str | None):
                raise InputError(f"{name} must be a text, not {shortened(getattr(self, name))}")
        if not isinstance(self.header, bool | None):
            raise InputError(f"header must be True or False, not {shortened(self.header)}")
        if self.format is not None and self.format not in FORMATS:
            near = did_you_mean(self.format, FORMATS)
            raise InputError(f"format must be one of {', '.join(FORMATS)}, not {shortened(self.format)}{near}")


def read_source(source: Any, options: ReadOptions | None = None, ask: Callable[[], None] = never) -> Graph:
    """Read a graph from a path (``.gz``, ``.bz2`` and ``.xz`` unpacked), bytes, or a Python object.

    `ask` is called between pieces of work and raises to stop. InputError is raised if the file is missing, is no graph,
    or the graph has fewer than two nodes.
    """
    options = options or ReadOptions()
    if isinstance(source, bytes):
        return _parse(source, "", options, ask)
    if not isinstance(source, str | os.PathLike):
        return graph_from_object(source, ask)
    path = Path(source)
    data = read_bytes(path, ask)
    name = path.name.lower()
    plain = unpacked(data, path.name, ask)
    if plain is not None:
        data, name = plain, name.removesuffix(Path(name).suffix)
    return _parse(data, Path(name).suffix, options, ask)


def _parse(data: bytes, ending: str, options: ReadOptions, ask: Callable[[], None]) -> Graph:
    kind = options.format or ENDINGS.get(ending) or _guess(data)
    if kind == "edges":
        return read_edge_list(
            data, delimiter=options.delimiter, comments=options.comments, header=options.header, ask=ask
        )
    afford(ask, OBJECTS * len(data))
    return FORMATS[kind](data, ask=ask)


def _guess(data: bytes) -> str:
    """Tell a format by its first bytes; anything else is an edge list."""
    head = data[:2000].lstrip().lower()
    if head.startswith(b"%%matrixmarket"):
        return "matrix-market"
    if head.startswith((b"*vertices", b"*network")):
        return "pajek"
    if head.startswith(b"{"):
        return "node-link"
    if b"<graphml" in head:
        return "graphml"
    if head.startswith(b"graph") and b"[" in head[:100]:
        return "gml"
    return "edges"


# Files as bytes, unpacked piece by piece: every checksum is compared, and the size is limited.
PIECE = 1 << 22
FEED = 1 << 14
ALWAYS = 1 << 28  # bytes that any packed file may unpack to
MEMORY = 1 << 29  # that xz may ask for; its strongest setting takes 65 MB
TIMES = 100  # and so many times its own size

DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)


def read_bytes(path: Path, ask: Callable[[], None]) -> bytes:
    """Read a file.

    `ask` is called after every 64 MiB of a large file and raises to stop. InputError is raised if there is no such
    file, it is a folder, or it cannot be read.
    """
    shown = f"{(path.name or path.resolve().name)[:60]!r}"
    try:
        if path.is_dir():
            raise InputError(f"{shown} is a folder, not a network file")
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            afford(ask, size if size <= 16 * PIECE else 2 * size)
            if size <= 16 * PIECE and path.is_file():
                return file.read()
            pieces = []
            while piece := file.read(16 * PIECE):
                pieces.append(piece)
                ask()
            return b"".join(pieces)
    except FileNotFoundError:
        raise InputError(f"there is no file {shown}; give the path of a network file") from None
    except OSError as error:
        raise InputError(f"cannot read {shown}: {error.strerror}") from None
    except ValueError:
        raise InputError(f"cannot read {shown}: that is no path of a file") from None


def unpacked(data: bytes, name: str, ask: Callable[[], None]) -> bytes | None:
    """Unpack gzip, bzip2 or xz, which the first bytes tell apart; None for a file that is packed in none of these ways.

    `data` is the content of the file, and `name` its name, for messages. `ask` is called between pieces of the output
    and raises to stop. InputError is raised if the file is damaged: cut off, a checksum or length that does not fit (of
    every part of a file of several), or bytes behind the end. It is also raised if it holds more than 256 MB and more
    than a hundred times its own size.
    """
    if data[:2] == b"\x1f\x8b":
        pieces = _gzip(data, ask)
    elif data[:3] == b"BZh" and data[3:4].isdigit():
        pieces = _parts(data, bz2.BZ2Decompressor)
    elif data[:6] == b"\xfd7zXZ\0":
        pieces = _parts(data, lambda: lzma.LZMADecompressor(memlimit=MEMORY), padding=b"\0")
    else:
        return None
    most, size, out = max(ALWAYS, TIMES * len(data)), 0, []
    try:
        for piece in pieces:
            size += len(piece)
            if size > most:
                break
            out.append(piece)
            ask()
    except DAMAGED:
        raise InputError(f"{name!r} is damaged: it cannot be unpacked whole; fetch or pack it again") from None
    if size > most:
        raise InputError(
            f"{name!r} has {len(data):,} bytes and unpacks to more than {most:,}; if it is meant to, unpack it first"
        )
    afford(ask, size)
    return b"".join(out)


def _gzip(data: bytes, ask: Callable[[], None]) -> Iterator[bytes]:
    """Python's reader compares the checksum and the length of every member, and refuses what is no member."""
    with gzip.GzipFile(fileobj=AskedFile(data, ask)) as file:
        while piece := file.read(PIECE):
            yield piece


def _parts(data: bytes, make: Callable[[], Any], padding: bytes = b"") -> Iterator[bytes]:
    """Unpack one stream after the other; each compares its own checksum."""
    at = 0
    while at < len(data):
        part = make()
        while not part.eof:
            feed = data[at : at + FEED] if part.needs_input else b""
            at += len(feed)
            piece = part.decompress(feed, PIECE)
            if not (piece or feed or part.eof):
                raise EOFError
            yield piece
        at -= len(part.unused_data)
        while padding and data[at : at + 1] == padding:
            at += 1
