"""Stage 1: source -> checked table with roles."""

from incrowd.tables.read.sources import label_of, open_source
from incrowd.tables.read.table import with_roles

__all__ = ["label_of", "open_source", "with_roles"]
