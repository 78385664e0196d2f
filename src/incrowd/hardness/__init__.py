"""The papers' reductions as instance generators: hard instances with a known optimum, whose answers map back.

One reduction a file. A *construction* is a frozen object of its parameters; ``build()`` draws the source problem (or
takes a named one), solves it by itself, and returns an `Instance`: table or network, policy, threshold, answer,
and the way back from a release to a solution of the source problem.

>>> from incrowd.hardness import instance
>>> made = instance("set-cover", size=6)
>>> made.threshold == made.optimum, made.yes
(True, True)
"""

from __future__ import annotations

from typing import Any

from incrowd import registry
from incrowd.errors import PolicyError, did_you_mean
from incrowd.hardness.values import Instance, Reduction, Table
from incrowd.settings import settings_of

__all__ = ["Instance", "Reduction", "Table", "instance"]


def instance(name: str, **parameters: Any) -> Instance:
    """Return a hard instance by the construction's registered name.

    Parameters
    ----------
    name : str
        As `incrowd list instances` names them.
    **parameters
        ``size``, ``seed``, ``no`` and the construction's own.

    Raises
    ------
    PolicyError
        For an unknown name or parameter, an impossible size, or a no-instance that does not exist.
    """
    kind: type[Reduction] = registry.load("instances", name)
    known = settings_of(kind)
    for parameter in parameters:
        if parameter not in known:
            raise PolicyError(
                f"instance {name!r} has no parameter {parameter!r}{did_you_mean(parameter, known)}; it takes "
                f"{', '.join(known)}"
            )
    return kind(**parameters).build()
