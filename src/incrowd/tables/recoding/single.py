"""One recoding for the whole table: every shown row at the same level vector, all others suppressed whole."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from incrowd.tables.recoding.levels import LevelRecoding

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

__all__ = ["SingleRecoding"]

OPTION = "single"


class SingleRecoding(LevelRecoding):
    """Its releases are releases of levels; the check asks besides that one vector shows every row; see `Recoding`."""

    name = "global"
    solver_options: Mapping[str, Any] = MappingProxyType({OPTION: True})
    may_cap_copies = False
    takes_bound_of_k = False
    lowers_levels = False
    own_solver = "lattice"

    def declines(self, options: Collection[str]) -> str | None:
        """Return why a solver that recodes every class by itself cannot be taken, or None."""
        if OPTION in options:
            return None
        return "it recodes every class by itself; recoding=global goes with solver lattice, which auto and exact choose"
