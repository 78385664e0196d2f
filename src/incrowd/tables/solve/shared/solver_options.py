"""A solver's options are its fields: what it takes of what a job says."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from incrowd import registry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.protocols import Solver

__all__ = ["option_names", "solver_with"]


def option_names(name: str) -> frozenset[str]:
    """Return the options of a registered solver; PolicyError is raised if no solver has that name."""
    return frozenset(option.name for option in dataclasses.fields(registry.load("solvers", name)) if option.init)


def solver_with(name: str, options: Mapping[str, Any]) -> Solver:
    """Return a registered solver with those of some options that it knows; None leaves an option at its default.

    Options that the solver does not have are left out. Raises PolicyError if no solver has that name, or it refuses a
    value.
    """
    known = option_names(name)
    taken = {option: value for option, value in options.items() if option in known and value is not None}
    solver: Solver = registry.load("solvers", name)(**taken)
    return solver
