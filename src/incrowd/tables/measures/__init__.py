"""What was lost and what is risked: one measure a file, each an aggregate in the engine.

A measure reads the parts of a release (one line per row type and group), so that its cost grows with the row
types and not with the rows.
"""

from incrowd.tables.measures.context import ClassSizes, MeasureContext, class_sizes

__all__ = ["ClassSizes", "MeasureContext", "class_sizes"]
