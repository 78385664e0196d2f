"""Numba only: arrays in, arrays out. Nothing here knows a table, a mask or a user.

``grouping``           rows that look alike
``bounds``             prices and cuts
``search``             annealing, groups paired anew
``matching``           pairs and triples
``dynamic_programs``   chains, sets of rows
``networks``           distances, partitions, closed sets
``transport``          the transportation problem, for the earth mover's distance
``compiling``          the line that says so while kernels are compiled, which happens once on a machine
``hash_table``         where a key lies in a table with open addressing; for all of the above
"""

from __future__ import annotations

import importlib
import pkgutil

from incrowd.kernels.compile_notice import listen

__all__ = ["warm"]

listen()  # whoever asks for a kernel loads Numba anyway


def warm() -> list[str]:
    """Compile the kernels of every module here that has a `warm` of its own; return the modules' names.

    Compiled code is cached on disk, so that later processes start at once.
    """
    warmed = []
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        run = None if module.ispkg else getattr(importlib.import_module(module.name), "warm", None)
        if run is not None:
            run()
            warmed.append(module.name.removeprefix(f"{__name__}."))
    return warmed
