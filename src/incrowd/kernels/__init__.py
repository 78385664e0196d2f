"""Numba only: arrays in, arrays out. Nothing here knows a table, a mask or a user."""

from __future__ import annotations

import importlib
import pkgutil

__all__ = ["warm"]


def warm() -> list[str]:
    """Compile the kernels of every module here that has a `warm` of its own; return the modules' names.

    Compiled code is cached on disk, so that later processes start at once.
    """
    warmed = []
    for module in pkgutil.iter_modules(__path__):
        run = getattr(importlib.import_module(f"{__name__}.{module.name}"), "warm", None)
        if run is not None:
            run()
            warmed.append(module.name)
    return warmed
