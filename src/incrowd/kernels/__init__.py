"""Numba only: arrays in, arrays out. Nothing here knows a table, a mask or a user.

``grouping``           rows that look alike
``bounds``             prices and cuts
``search``             annealing, groups paired anew
``matching``           pairs and triples
``dynamic_programs``   chains, sets of rows
``crowds``             which rows of two releases can belong together
``networks``           distances, partitions, closed sets
``transport``          the transportation problem, for the earth mover's distance
``hash_table``         where a key lies in a table with open addressing; for all of the above
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from incrowd.loops import forced

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["warm", "warmable"]


def warmable() -> list[str]:
    """Names, below this package, of the modules that have a `warm` of their own."""
    found = (module.name for module in pkgutil.walk_packages(__path__, f"{__name__}.") if not module.ispkg)
    return [name.removeprefix(f"{__name__}.") for name in found if hasattr(importlib.import_module(name), "warm")]


def warm(names: Iterable[str] | None = None) -> list[str]:
    """Compile kernels and return the names of their modules.

    Compiled code is cached on disk, so that later processes start at once. Several processes may warm at the same time;
    a kernel that two of them call is then compiled twice at worst. `names` are of `warmable`; all of them if not given.
    """
    warmed = list(warmable() if names is None else names)
    with forced("compiled"):
        for name in warmed:
            importlib.import_module(f"{__name__}.{name}").warm()
    return warmed
