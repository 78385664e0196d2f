"""What was lost and what is risked: one measure a file, each an aggregate in the engine.

A measure reads the parts of a release (one line per row type and class), so that its cost grows with the row
types and not with the rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.tables.measures.context import ClassSizes, MeasureContext, class_sizes

if TYPE_CHECKING:
    from incrowd.tables.table import Expanded

__all__ = ["ClassSizes", "MeasureContext", "class_sizes", "measure_all"]


def measure_all(release: Expanded, context: MeasureContext) -> dict[str, Any]:
    """Return every registered measure of a release by its name."""
    return {name: registry.load("measures", name)().measure(release, context) for name in registry.names("measures")}
