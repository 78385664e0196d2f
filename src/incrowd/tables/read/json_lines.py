"""JSON lines: types are JSON's own, nothing is guessed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import ibis

from incrowd.errors import InputError
from incrowd.tables.engine.json_lines import cells, columns_of, fault, scan
from incrowd.tables.read.import_columns import opened, plain_path
from incrowd.tables.table import KEY, Opened

if TYPE_CHECKING:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Reading

__all__ = ["open_json_lines"]


def open_json_lines(engine: Engine, path: Path, reading: Reading, label: str) -> Opened:
    """Return a file of JSON objects, one a line, inside the engine.

    Columns come in the order in which their keys first occur; a key that a line lacks is NULL. Text stays text
    (dates too), whole numbers are int64 or decimal, other numbers float64. What is nested or mixes types passes
    as JSON and cannot be a quasi-identifier.

    Raises
    ------
    InputError
        With the number of the first faulty line.

    Notes
    -----
    Three passes over the file; linear in it. Memory is the engine's.
    """
    del reading
    packed = path.suffix == ".gz"
    good = False
    names: tuple[str, ...] = ()
    try:
        with engine.guard(f"reading {label}"):
            lines = scan(engine, Path(plain_path(engine, path)), packed=packed)
            kinds, good = columns_of(engine, lines)
            if good and kinds:
                names = tuple(kinds)
                found = {f"c{i}": value for i, value in enumerate(cells(lines, kinds))}
                data = engine.keep(lines.select(ibis.row_number().name(KEY), **found))
    except InputError as error:
        if "memory" in str(error) or "disk" in str(error):
            raise
        good = False
    if not good:
        raise InputError(fault(path, label, packed=packed))
    if not names:
        raise InputError(f"{label} is empty; a table needs at least one line with at least one key")
    return opened(engine, data, names, "jsonl", None, label)
