"""Stage 2: table -> row types, the one crossing out of the engine."""

from incrowd.tables.compress.advice import advised
from incrowd.tables.compress.lines import hierarchy_lines
from incrowd.tables.compress.places import places
from incrowd.tables.compress.row_types import compress

__all__ = ["advised", "compress", "hierarchy_lines", "places"]
