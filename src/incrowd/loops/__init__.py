"""How loops over arrays run: compiled by Numba, or as plain Python where compiling would take longer than they do.

``loop``            the decorator, which every loop of the package has, and which way a call goes
``compile_notice``  time limits stand still while loops are compiled, and a line says so where it takes long
"""

from __future__ import annotations

from incrowd.loops.loop import cold, forced, njit, settled

__all__ = ["cold", "forced", "njit", "settled"]
