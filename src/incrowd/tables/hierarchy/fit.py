"""A hierarchy that has a line for every value of one column of one table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.hierarchy.values import MISSING

if TYPE_CHECKING:
    import pyarrow as pa

    from incrowd.tables.hierarchy.values import Hierarchy

__all__ = ["Fitted"]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A hierarchy bound to a column.

    Attributes
    ----------
    hierarchy : Hierarchy
    missing : bool
        Whether its line ``NULL`` stands for a missing value (else for that text).
    """

    hierarchy: Hierarchy
    missing: bool

    @property
    def height(self) -> int:
        """The star's level."""
        return self.hierarchy.height

    def shown(self) -> list[tuple[str | None, ...]]:
        """Return per line the value and its labels as cells; where a missing value is shown as it is, None."""
        if not self.missing:
            return list(self.hierarchy.lines)
        return [
            tuple(None if cell == MISSING else cell for cell in line) if line[0] == MISSING else line
            for line in self.hierarchy.lines
        ]

    def ladder(self) -> pa.Table:
        """Return `HierarchyLevels.rows` as Arrow."""
        import pyarrow as pa

        columns = list(zip(*self.shown(), strict=True))
        data = {"v": pa.array(columns[0], pa.string()), "line": pa.array(range(len(columns[0])), pa.int64())}
        data |= {f"n{level}": pa.array(cells, pa.string()) for level, cells in enumerate(columns) if level}
        return pa.table(data)
