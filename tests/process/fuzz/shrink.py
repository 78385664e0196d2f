"""A case made small that still finds the same: words and arguments left out, files cut by ever smaller pieces."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from process.fuzz.case import Case
    from process.fuzz.sandbox import Finding

__all__ = ["shrunk"]


def shrunk(case: Case, finding: Finding, tried: Callable[[Case], Finding | None], seconds: float) -> Case:
    """Return a smaller case with a finding of the same kind and place.

    Parameters
    ----------
    case : Case
    finding : Finding
        What it finds.
    tried : callable
        Runs a case.
    seconds : float
        After which the smallest so far is returned.
    """
    end = time.monotonic() + seconds

    def still(other: Case) -> bool:
        if time.monotonic() > end:
            return False
        found = tried(other)
        return found is not None and found.key == finding.key

    before = None
    while before != case and time.monotonic() < end:
        before = case
        case = _fewer_parts(case, "words", 1, still)
        case = _fewer_parts(case, "call", 1, still)
        for name, data in case.files:
            case = case.with_file(
                name, _fewer_bytes(data, lambda less, held=case, name=name: still(held.with_file(name, less)))
            )
        for name, _ in case.files:
            other = dataclasses.replace(case, files=tuple(one for one in case.files if one[0] != name))
            if still(other):
                case = other
    return case


def _fewer_parts(case: Case, field: str, first: int, still: Callable[[Case], bool]) -> Case:
    """Leave out two words at a time, then one."""
    for width in (2, 1):
        at = first
        while at < len(getattr(case, field)):
            held = getattr(case, field)
            other = dataclasses.replace(case, **{field: held[:at] + held[at + width :]})
            if still(other):
                case = other
            else:
                at += 1
    return case


def _fewer_bytes(data: bytes, still: Callable[[bytes], bool]) -> bytes:
    """Leave out pieces of a half, a quarter ... of the bytes, down to one."""
    width = len(data) // 2
    while width:
        at = 0
        while at < len(data):
            less = data[:at] + data[at + width :]
            if still(less):
                data = less
            else:
                at += width
        width //= 2
    return data
