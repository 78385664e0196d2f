"""Stage 4: plan -> rows, inside the engine."""

from incrowd.tables.expand.rows import expand

__all__ = ["expand"]
