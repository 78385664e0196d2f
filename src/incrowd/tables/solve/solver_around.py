"""What solvers that stand around another one have of it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.protocols import Solver

__all__ = ["SolverAround"]


@dataclasses.dataclass(frozen=True, slots=True)
class SolverAround:
    """A solver that asks another one, or asks it something else, under that one's name."""

    solver: Solver

    @property
    def name(self) -> str:
        """Name of the solver."""
        return self.solver.name

    @property
    def summary(self) -> str:
        """What the solver does, in one line."""
        return self.solver.summary
