"""Compiles the kernels of composition for the types that it calls them with."""

from __future__ import annotations

from numba import types

from incrowd.kernels.crowds.assignment import augment, begin
from incrowd.kernels.crowds.keys import meet
from incrowd.kernels.crowds.strong_parts import strong_parts

__all__ = ["warm"]


def warm() -> None:
    """Compile the kernels; the compiled code is cached on disk."""
    whole, small, size = types.int64[::1], types.int32[::1], types.int64
    table, nodes = types.int64[:, ::1], types.int32[:, ::1]
    meet.compile((table, table, table, whole, nodes, nodes, whole, whole, size))
    graph = (whole, small, whole, small, whole, small, small, whole, small, small)
    begin.compile((*graph[:4], whole, whole, whole, whole))
    augment.compile((*graph, whole, whole, whole, whole))
    strong_parts.compile((*graph, whole, whole))
