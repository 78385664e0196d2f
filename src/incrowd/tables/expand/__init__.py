"""Stage 4: plan -> rows, inside the engine."""

from incrowd.tables.expand.ranges import expand_ranges
from incrowd.tables.expand.rows import expand

__all__ = ["expand", "expand_ranges"]
