"""Stage 2: table -> row types, the one crossing out of the engine."""

from incrowd.tables.compress.row_types import advise, compress, first_types, grouped_rows, hierarchy_lines, places

__all__ = ["advise", "compress", "first_types", "grouped_rows", "hierarchy_lines", "places"]
