"""Arrays that a kernel's callees need not count references to, which costs more than what small callees do."""

from __future__ import annotations

from typing import Any

from numba.core.extending import _Intrinsic

__all__ = ["borrowed"]


def _borrowed(typing: Any, array: Any) -> Any:
    """Return the same array as one that nobody owns: valid while the caller of the kernel holds it.

    Every call in compiled code counts references to each array that it passes on, in atomic steps; an array without
    an owner is passed over.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = context.make_array(signature.args[0])(context, builder, value=args[0])
        held.meminfo = held.meminfo.type(None)
        held.parent = held.parent.type(None)
        return held._getvalue()

    return array(array), codegen


class _Borrowed(_Intrinsic):  # type: ignore[misc]
    """An intrinsic that plain Python can call as well."""

    def __call__(self, array: Any) -> Any:
        """Return the array: plain Python counts for itself."""
        return array


borrowed = _Borrowed("borrowed", _borrowed)
borrowed._register()
