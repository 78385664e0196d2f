"""Released rows and node sets from files, and the folder's own table or graph compared with what it should be."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_CELLS
from incrowd.hardness.problems.problem import bad
from incrowd.hardness.problems.text import bytes_of, text_of
from incrowd.strict_json import read_json

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.hardness.values import Instance, Table

__all__ = ["node_set", "refuse_changed", "released_rows"]

MOST_BYTES = 1 << 28  # of a release: four million cells of some characters
MOST_NODE_BYTES = 1 << 24  # of a node set


def _text(path: Path, what: str, most: int = MOST_BYTES) -> str:
    held = bytes_of(path, what, most=most, then="it is none of this instance")
    return text_of(held, f"{what} {path.name!r}")


def released_rows(path: Path, table: Table, what: str = "release") -> tuple[tuple[str, ...], ...]:
    """Return the rows of a table in CSV, their cells in the order of the table's columns.

    The file has a header; further columns than the table's are not read. `what` is what messages call the file.
    InputError is raised if it cannot be read, lacks a column of the table, or has more rows than it.
    """
    reader = csv.reader(io.StringIO(_text(path, what), newline=""), strict=True)
    rows: list[tuple[str, ...]] = []
    try:
        header = next(reader, [])
        missing = sum(name not in header for name in table.columns)
        if missing or len(set(header)) < len(header):
            raise InputError(
                f"{what} {path.name!r} lacks {missing} of the table's {len(table.columns)} columns, or names one "
                "twice; give the CSV that was released"
            )
        if len(header) * (len(table.rows) + 1) > 2 * MOST_CELLS:
            raise InputError(f"{what} {path.name!r} has too many columns")
        at = [header.index(name) for name in table.columns]
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                raise InputError(
                    f"row {len(rows) + 1} of {what} {path.name!r} has another number of cells than the header"
                )
            if len(rows) == len(table.rows):
                raise InputError(f"{what} {path.name!r} has more than the table's {len(table.rows)} rows")
            rows.append(tuple(row[j] for j in at))
    except csv.Error:
        raise InputError(f"{what} {path.name!r} is no CSV: quotes or line ends do not fit") from None
    return tuple(rows)


def node_set(path: Path, nodes: int) -> tuple[int, ...]:
    """Return the nodes that a file names.

    The file holds numbers between blanks, commas or line ends; or the JSON of `incrowd network --json --show-labels`,
    or its certificate. `nodes` says how many nodes there are. InputError is raised if it cannot be read, or names
    anything else than nodes, each once.
    """
    text = _text(path, "node set", MOST_NODE_BYTES)
    named = _witness(text, path.name) if text.lstrip()[:1] in ("{", "[") else text.replace(",", " ").split()
    if len(named) > nodes:
        raise InputError(f"node set {path.name!r} names more than the network's {nodes:,} nodes")
    found = []
    for one in named:
        number = one if isinstance(one, int) else int(one) if isinstance(one, str) and _is_small(one) else -1
        if isinstance(one, bool) or not 0 <= number < nodes:
            raise InputError(
                f"node set {path.name!r} must name nodes of the network: whole numbers from 0 to {nodes - 1}"
            )
        found.append(number)
    if len(set(found)) < len(found):
        raise InputError(f"node set {path.name!r} names a node twice")
    return tuple(sorted(found))


def _is_small(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _witness(text: str, name: str) -> list[Any]:
    """Return the list of nodes in an answer of `incrowd network`."""
    try:
        held = read_json(text)
    except (ValueError, RecursionError):
        raise InputError(f"node set {name!r} is no JSON") from None
    found = held.get("witness") if isinstance(held, dict) else held
    claims = held.get("claims") if isinstance(held, dict) else None
    if found is None and isinstance(claims, list) and claims and isinstance(claims[0], dict):
        found = claims[0].get("members")
    if not isinstance(found, list):
        raise InputError(
            f"node set {name!r} has no witness; ask with `incrowd network ... --json --show-labels`, or give the "
            "nodes' numbers"
        )
    return found


def refuse_changed(folder: Path, made: Instance) -> None:
    """Refuse a folder whose table or graph is not what ``source.json`` gives.

    `made` is as `incrowd.hardness.back.document.read_folder` made it. InputError is raised if the table or graph is
    another, or cannot be read.
    """
    if made.table is not None:
        if released_rows(folder / "table.csv", made.table, "table") != made.table.rows:
            bad("table.csv is not the table that it describes")
        return
    text = _text(folder / "graph.txt", "graph")
    if text != "".join(f"{u} {v}\n" for u, v in made.edges):
        bad("graph.txt is not the network that it describes")
