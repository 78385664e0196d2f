"""What a changed cell shows, and all that follows from it: one recoding a file.

``levels``     what a recoding answers; a cell shows its value, a label of its column's hierarchy, or a star
``ranges``     a cell shows the range of its class (Mondrian)
``grid``       numbers show ranges between the lines of a grid, other columns labels and stars
``grid_step``  how far apart these lines lie, where nobody says

A new recoding is one file, one line of `RECODINGS`, its name among the policy's choices and its words in
`incrowd.results.charts`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.recoding.levels import Recoding


RECODINGS: dict[str, str] = {
    "levels": "incrowd.tables.recoding.levels:Recoding",
    "ranges": "incrowd.tables.recoding.ranges:RangeRecoding",
    "grid": "incrowd.tables.recoding.grid:GridRecoding",
    "global": "incrowd.tables.recoding.levels:SingleRecoding",
}


def load_recoding(name: str) -> Recoding:
    """Return the recoding of a name, as the policy's ``recoding`` has it, which refuses any other."""
    module, _, attribute = RECODINGS[name].partition(":")
    recoding: Recoding = getattr(importlib.import_module(module), attribute)()
    return recoding
