"""Sizes as people write them: ``4GB``, ``800MB``, ``1.5GiB``."""

from __future__ import annotations

import re
from fractions import Fraction

from incrowd.errors import PolicyError, about

__all__ = ["MB", "as_bytes", "in_words"]

MB = 10**6
UNITS = {"K": 1, "M": 2, "G": 3, "T": 4}
SIZE = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*([KMGT])(i?)B\s*", re.IGNORECASE | re.ASCII)


def as_bytes(text: str) -> int:
    """Return the bytes of a size such as ``4GB`` (10^9 each) or ``4GiB`` (2^30 each).

    PolicyError is raised if the text is no size.
    """
    read = SIZE.fullmatch(text) if isinstance(text, str) else None
    if read is None:
        shown = f"{text[:40]!r}" if isinstance(text, str) else type(text).__name__
        raise PolicyError(f"memory must be a size such as 4GB or 800MB, not {shown}")
    number, unit, binary = read.groups()
    return int(Fraction(number) * (1024 if binary else 1000) ** UNITS[unit.upper()])


def in_words(size: float) -> str:
    """Return bytes, at least 0, as people write them, in MB or, from ten thousand of them on, in GB."""
    if size > 10**300:  # more than a float holds
        return f"{about(int(size) // 10**9)} GB"
    megabytes = round(size / MB)
    return f"{megabytes} MB" if megabytes < 10_000 else f"{megabytes / 1000:.1f} GB"
