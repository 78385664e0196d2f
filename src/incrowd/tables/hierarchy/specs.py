"""How a policy names a hierarchy: a file, a few words, a table of settings, or the thing itself."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError, an, did_you_mean
from incrowd.settings import fraction_text
from incrowd.tables.hierarchy.builders import Dates, Intervals, Prefix
from incrowd.tables.hierarchy.values import MISSING, Hierarchy, costs_by_level, costs_by_node

if TYPE_CHECKING:
    import pyarrow as pa

BUILDERS: dict[str, Any] = {kind.word: kind for kind in (Intervals, Dates, Prefix)}


@dataclass(frozen=True, slots=True)
class HierarchyFile:
    """A hierarchy in ARX's CSV, with costs of its own if wanted (see `Hierarchy`).

    `level_costs` and `node_costs` are as those of `Hierarchy`. Raises PolicyError if a cost is no number, or the path
    holds a zero byte, which no file's name can.
    """

    path: Path
    level_costs: Any = None
    node_costs: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        if "\0" in str(self.path):
            raise PolicyError("the name of a file cannot hold a zero byte; give the path of the hierarchy's file")
        if self.level_costs is not None:
            object.__setattr__(self, "level_costs", costs_by_level(self.level_costs))
        if self.node_costs is not None:
            object.__setattr__(self, "node_costs", costs_by_node(self.node_costs))

    def load(self, encoding: str = "utf-8") -> Hierarchy:
        """Return the hierarchy.

        Between its fields stands the first of ``;``, tab, ``,``, ``|`` that the first line holds. `encoding` is tried
        where the file is not UTF-8. Raises InputError if the file cannot be read, is no text in either encoding, or is
        ARX's own binary form. Raises PolicyError if its lines are no hierarchy; the sentence names the file and counts
        the faults.
        """
        path, encodings = self.path, dict.fromkeys(("utf-8-sig", encoding))
        name = f"hierarchy {path.name!r}"
        if path.suffix.lower() == ".ahs":
            raise InputError(f"{name} is a Java object of ARX; open it in ARX and export the hierarchy as CSV")
        gone = f"does not exist; `incrowd hierarchy COLUMN TABLE -o {path.name}` makes one"
        lines = lines_of(path, name, gone, encodings=tuple(encodings))
        try:
            return Hierarchy(lines=lines, level_costs=self.level_costs, node_costs=self.node_costs)
        except PolicyError as error:
            raise PolicyError(f"{name}: {error}") from None

    def plain(self) -> Any:
        """Return the settings as TOML holds them; the path is written by whoever knows the folder."""
        out: dict[str, Any] = {"file": str(self.path)}
        if self.level_costs is not None:
            out["level_costs"] = [fraction_text(cost) for cost in self.level_costs]
        if self.node_costs is not None:
            out["node_costs"] = {label: fraction_text(cost) for label, cost in self.node_costs}
        return out


Spec = Hierarchy | HierarchyFile | Intervals | Dates | Prefix


def as_spec(value: Any, name: str) -> Spec:
    """Return what a policy says of one column's hierarchy.

    `value` is a Hierarchy, a path, a text or a mapping. A text is a path, or ``intervals:5,10,20``,
    ``intervals:5,10,20,90+``, ``dates``, ``dates:month,year``, ``prefix``, ``prefix:3,2``. A mapping has one of the
    keys ``file``, ``intervals``, ``dates``, ``prefix``, and its costs, or its start and top. `name` is what messages
    call it. Raises PolicyError if it is nothing of these.
    """
    try:
        if isinstance(value, (Hierarchy, HierarchyFile, *BUILDERS.values())):
            return value  # type: ignore[return-value]
        if isinstance(value, Path):
            return HierarchyFile(value)
        if isinstance(value, str) and value:
            word, colon, rest = value.partition(":")
            plain = word.isalpha() and (colon or not Path(value).suffix)
            if plain and word not in BUILDERS and did_you_mean(word, BUILDERS):
                raise PolicyError(f"there is no hierarchy called {word!r}{did_you_mean(word, BUILDERS)}")
            if word not in BUILDERS or (not colon and word == Intervals.word):
                return HierarchyFile(Path(value))
            parts = [part.strip() for part in rest.split(",") if part.strip()]
            value = {word: parts if parts or word == Intervals.word else True}
            if word == Intervals.word and parts and parts[-1].endswith("+"):
                value = {word: parts[:-1], "top": parts[-1][:-1]}
        if isinstance(value, Mapping):
            return _of_mapping(dict(value))
    except PolicyError as error:
        raise PolicyError(f"{name}: {error}") from None
    raise PolicyError(
        f"{name} must be a file, an incrowd.Hierarchy, or one of intervals, dates and prefix, "
        f"not {an(type(value).__name__)}"
    )


def _of_mapping(value: dict[str, Any]) -> Spec:
    kinds = [key for key in value if key == "file" or key in BUILDERS]
    if len(kinds) != 1:
        raise PolicyError(f"say exactly one of file, {', '.join(BUILDERS)}")
    first = value.pop(kinds[0])
    allowed = {"file": ("level_costs", "node_costs"), Intervals.word: ("start", "top")}.get(kinds[0], ())
    for key in value:
        if key not in allowed:
            raise PolicyError(f"{kinds[0]} takes {', '.join(allowed) or 'no further setting'}, not {key!r}")
    if kinds[0] == "file":
        return HierarchyFile(Path(first), **value)
    if first is True and kinds[0] != Intervals.word:
        return BUILDERS[kinds[0]]()  # type: ignore[no-any-return]
    if not isinstance(first, (int, float, str)) and not isinstance(first, Sequence):
        raise PolicyError(f"{kinds[0]} must be a list")
    return BUILDERS[kinds[0]](first, **value)  # type: ignore[no-any-return]


def plain_spec(spec: Spec, column: str) -> Any:
    """Return a hierarchy as TOML holds it.

    `column` is its name, for the message. Raises PolicyError for a hierarchy that lives in memory alone.
    """
    if isinstance(spec, Hierarchy):
        raise PolicyError(
            f"the hierarchy of {column!r} lives in memory alone; write it with to_csv and name the file, so that the "
            "policy can be saved"
        )
    return spec.plain()


def option_text(spec: Intervals | Dates | Prefix) -> str:
    """Return a made hierarchy as ``--hierarchy COLUMN=`` takes it; `as_spec` reads it back.

    Intervals have to begin at 0.
    """
    said = spec.plain()
    parts = [*map(str, said[spec.word]), *([f"{said['top']}+"] if "top" in said else [])]
    return f"{spec.word}:{','.join(parts)}" if parts else spec.word


# Hierarchies as ARX writes and reads them: CSV without a header, one line a value, its labels level by level.
#
# What is honoured: ``;`` between entries (a comma or tab is recognised), ``"`` doubled inside quotes, blanks trimmed
# also inside quotes, empty lines skipped, no comment sign, an empty field is the empty text, a missing value is the
# text ``NULL``, and a last column of stars that may be absent. A byte-order mark is taken off.
DELIMITERS = (";", "\t", ",", "|")


def lines_of(
    path: Path, name: str, gone: str, *, encodings: Sequence[str] = ("utf-8-sig",), most: int | None = None
) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a CSV file that are not empty, without blanks around their cells; see `HierarchyFile.load`.

    `name` is what messages call the file, and `gone` what they say of one that is not there. InputError is raised too
    if it has more than `most` bytes.
    """
    try:
        with path.open("rb") as file:
            raw = file.read(-1 if most is None else most + 1)
    except (FileNotFoundError, IsADirectoryError):
        raise InputError(f"{name} {gone}") from None
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte or half a surrogate pair in it
        raise InputError(f"{name} is no name that a file can have") from None
    if most is not None and len(raw) > most:
        raise InputError(f"{name} is larger than {most >> 20} MB")
    text = _decoded(raw, encodings)
    if text is None:
        known = dict.fromkeys(encoding.removesuffix("-sig") for encoding in encodings)
        raise InputError(f"{name} is not {' or '.join(known)} text; save it as UTF-8")
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True))
    except csv.Error:
        raise InputError(f"{name} has a quote that is never closed or not doubled; mend that line") from None
    return tuple(tuple(cell.strip() for cell in row) for row in rows if any(row))


def _decoded(raw: bytes, encodings: Sequence[str]) -> str | None:
    for encoding in encodings:
        try:
            text = raw.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
        if "\0" not in text:
            return text
    return None


def _delimiter(text: str) -> str:
    first = next((line for line in text.splitlines() if line.strip()), "")
    return next((sign for sign in DELIMITERS if sign in first), ";")


# A hierarchy that has a line for every value of one column of one table.
@dataclass(frozen=True, slots=True)
class Fitted:
    """A hierarchy bound to a column.

    `missing`: whether its line ``NULL`` stands for a missing value (else for that text).
    """

    hierarchy: Hierarchy
    missing: bool

    @property
    def height(self) -> int:
        """The star's level."""
        return self.hierarchy.height

    @property
    def shown(self) -> list[tuple[str | None, ...]]:
        """Per line the value and its labels as cells; where a missing value is shown as it is, None."""
        if not self.missing:
            return list(self.hierarchy.lines)
        return [
            tuple(None if cell == MISSING else cell for cell in line) if line[0] == MISSING else line
            for line in self.hierarchy.lines
        ]

    def ladder(self) -> pa.Table:
        """Return `HierarchyLevels.rows` as Arrow."""
        import pyarrow as pa

        columns = list(zip(*self.shown, strict=True))
        data = {"v": pa.array(columns[0], pa.string()), "line": pa.array(range(len(columns[0])), pa.int64())}
        data |= {f"n{level}": pa.array(cells, pa.string()) for level, cells in enumerate(columns) if level}
        return pa.table(data)
