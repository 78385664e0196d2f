"""A table of the engine that grows piece by piece, no line copied more than a logarithm of times."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ibis

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine


TOGETHER = 8


class Pieces:
    """Kept tables of one schema. `nothing` is a table of that schema without lines."""

    def __init__(self, engine: Engine, nothing: ir.Table) -> None:
        self.engine = engine
        self._levels: list[list[ir.Table]] = [[engine.keep(nothing)]]

    def add(self, piece: ir.Table) -> None:
        """Add a kept table, which is forgotten sooner or later; it is there even if the query that merges is cut."""
        self._levels[0].append(piece)
        for level, pieces in enumerate(self._levels):
            if len(pieces) <= TOGETHER:
                return
            if level + 1 == len(self._levels):
                self._levels.append([])
            whole = self.engine.keep(ibis.union(*pieces, distinct=False))
            self._levels[level + 1].append(whole)
            self._forget(pieces)

    def table(self) -> ir.Table:
        """Return all of it as one kept table."""
        pieces = [piece for level in self._levels for piece in level]
        if len(pieces) > 1:
            whole = self.engine.keep(ibis.union(*pieces, distinct=False))
            for level in self._levels:
                self._forget(level)
            self._levels = [[whole]]
        return self._levels[0][0] if len(pieces) > 1 else pieces[0]

    def _forget(self, pieces: list[ir.Table]) -> None:
        gone = list(pieces)
        pieces.clear()
        for piece in gone:
            self.engine.drop(piece)
