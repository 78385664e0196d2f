"""Stage 2: table -> row types, the one crossing out of the engine."""

from incrowd.tables.compress.row_types import advised, compress, hierarchy_lines, places

__all__ = ["advised", "compress", "hierarchy_lines", "places"]
