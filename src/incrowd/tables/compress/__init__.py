"""Stage 2: table -> row types, the one crossing out of the engine."""

from incrowd.tables.compress.hierarchy_lines import hierarchy_lines
from incrowd.tables.compress.numeric_ranks import places
from incrowd.tables.compress.row_types import compress
from incrowd.tables.compress.warnings_for_columns import advised

__all__ = ["advised", "compress", "hierarchy_lines", "places"]
