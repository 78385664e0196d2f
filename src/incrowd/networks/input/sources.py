"""Which reader a source needs."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, did_you_mean
from incrowd.networks.input.edge_list import read_edge_list
from incrowd.networks.input.formats import (
    read_gml,
    read_graphml,
    read_metis,
    read_node_link,
    read_pajek,
)
from incrowd.networks.input.limits import afford, never
from incrowd.networks.input.matrix_market import read_matrix_market
from incrowd.networks.input.objects import graph_from_object
from incrowd.networks.input.unpack import read_bytes, unpacked
from incrowd.settings import shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.networks.values import Graph

__all__ = ["FORMATS", "ReadOptions", "read_source"]

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

    format: str | None = field(default=None, metadata={"help": "file format; told from the file's ending by default"})
    delimiter: str | None = field(default=None, metadata={"help": "edge lists: the character between columns"})
    comments: str | None = field(default=None, metadata={"help": "edge lists: characters that start a comment line"})
    header: bool | None = field(default=None, metadata={"help": "edge lists: whether the first line names columns"})

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
