"""Release files: staged beside their place, read back, and only then renamed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, OurBug
from incrowd.tables.write.frames import ordered

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.table import Expanded, Kind

__all__ = ["as_stream", "check_output", "same_rows", "write_file"]

ENDINGS: dict[str, Kind] = {".csv": "csv", ".parquet": "parquet", ".pq": "parquet"}


def check_output(output: Path | str, *inputs: Any, any_ending: bool = False) -> None:
    """Refuse an output that cannot be written, before anything runs.

    Raises
    ------
    InputError
        If it is an input file, its folder is missing, or its ending is not known.
    """
    if output == "-":
        return
    path = Path(output)
    if not any_ending and path.suffix.lower() not in ENDINGS:
        raise InputError(f"output '{path.name}' must end in {' or '.join(ENDINGS)}, which says how it is written")
    if not path.parent.is_dir():
        raise InputError(f"output '{path.name}' cannot be written: its folder does not exist; make it first")
    if path.is_dir():
        raise InputError(f"output '{path.name}' is a folder; name a file in it")
    for other in inputs:
        if isinstance(other, (str, Path)) and str(other) != "-" and _same_file(path, Path(other)):
            raise InputError(f"output '{path.name}' is also an input; name another file")


def _same_file(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return one.resolve() == other.resolve()


def as_stream(release: Expanded, *, keep_order: bool) -> None:
    """Write the release to standard output, in the kind that came in (CSV for frames)."""
    kind: Kind = "parquet" if release.table.kind == "parquet" else "csv"
    staged = release.table.engine.private_file(f".{kind}")
    write_file(release, staged, kind=kind, keep_order=keep_order)
    if not same_rows(release, staged, kind=kind):
        raise OurBug("what was to be written does not hold the verified release; nothing was. Please report this")
    with staged.open("rb") as source:
        shutil.copyfileobj(source, sys.stdout.buffer, 1 << 20)
    sys.stdout.buffer.flush()


def write_file(release: Expanded, path: Path, *, kind: Kind | None = None, keep_order: bool) -> None:
    """Write the release to a staged file.

    Parameters
    ----------
    release : Expanded
    path : Path
        The staged file; its ending says CSV or Parquet unless `kind` does.
    kind : str, optional
    keep_order : bool
    """
    table = release.table
    rows = ordered(release, keep_order=keep_order)
    names = [c.name for c in table.columns]
    with table.engine.guard("writing the release"):
        if (kind or ENDINGS[path.suffix.lower()]) == "parquet":
            table.engine.write_parquet(rows, names, path)
        else:
            table.engine.write_csv(rows, names, path)


def same_rows(release: Expanded, path: Path, *, kind: Kind | None = None) -> bool:
    """Read a staged file back and return whether it holds exactly the released rows.

    Compares the number of rows and the sum of a 128-bit hash of every row.
    """
    engine = release.table.engine
    ids = [c.id for c in release.table.columns]
    with engine.guard("reading the release back"):
        if (kind or ENDINGS[path.suffix.lower()]) == "parquet":
            raw = engine.con.read_parquet(str(path))
            back = raw.select(**{i: raw[name] for i, name in zip(ids, raw.columns, strict=True)})
            return _print(release, release.rows, empty_is_null=False) == _print(release, back, empty_is_null=False)
        back = engine.con.read_csv(
            str(path), columns=dict.fromkeys(ids, "VARCHAR"), auto_detect=False, header=True, delim=",",
            quote='"', escape='"', strict_mode=True,
        )  # fmt: skip
        return _print(release, release.rows, empty_is_null=True) == _print(release, back, empty_is_null=True)


def _print(release: Expanded, rows: ir.Table, *, empty_is_null: bool) -> tuple[int, ...]:
    engine = release.table.engine
    texts = []
    for column in release.table.columns:
        text = rows[column.id].cast("string") if empty_is_null else engine.text(rows[column.id])
        texts.append(text.nullif("") if empty_is_null else text)
    return engine.fingerprint(rows, texts)
