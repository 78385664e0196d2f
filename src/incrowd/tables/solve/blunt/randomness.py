"""The system's randomness, for what nobody may repeat."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SystemRandomness"]


class SystemRandomness:
    """Numbers from 128 bits of the system's randomness, spread by SHAKE-256; nobody else holds the bits.

    `bits` are 16 bytes, for tests; by default they are the system's.
    """

    def __init__(self, bits: bytes | None = None) -> None:
        self._bits = secrets.token_bytes(16) if bits is None else bits
        self._asked = 0

    def uniform(self, count: int) -> NDArray[np.float64]:
        """Return numbers from 0 up to below 1, of 53 random bits each."""
        self._asked += 1
        told = hashlib.shake_256(self._bits + self._asked.to_bytes(8, "big")).digest(8 * count)
        return (np.frombuffer(told, "<u8") >> np.uint64(11)).astype(np.float64) * 2.0**-53

    def order(self, count: int) -> NDArray[np.intp]:
        """Return a random order."""
        return np.argsort(self.uniform(count), kind="stable")

    def whole(self) -> int:
        """Return a number of 62 bits."""
        return int(self.uniform(1)[0] * 2**31) << 31 | int(self.uniform(1)[0] * 2**31)
