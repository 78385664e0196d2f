"""Stage 2: table -> row types, the one crossing out of the engine."""

from incrowd.tables.compress.row_types import compress

__all__ = ["compress"]
