"""How many people two tables share, from the smallest keyed hashes of their keys alone.

References
----------
E. Cohen, H. Kaplan, "Summarizing data using bottom-k sketches", PODC 2007.
Z. Bar-Yossef, T. S. Jayram, R. Kumar, D. Sivakumar, L. Trevisan, "Counting distinct elements in a data stream",
RANDOM 2002.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


SIZE = 1024
DEVIATIONS = 2.0  # of the estimate, on either side of it: 19 times in 20
HASH_BYTES = 8


@dataclass(frozen=True, slots=True)
class Sketch:
    """The smallest keyed hashes of a table's keys.

    `hashes`: at most 1024, rising. `keys`: how many different keys the table has.
    """

    hashes: tuple[int, ...]
    keys: int

    @property
    def whole(self) -> bool:
        """Whether every key's hash is held."""
        return len(self.hashes) == self.keys


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many keys two tables share.

    `keys`: the estimate. `least`, `most`: between them 19 times in 20; equal to the estimate where it is exact.
    """

    keys: int
    least: int
    most: int


def sketch_of(rows: Iterable[Sequence[str | None]], secret: bytes) -> Sketch:
    """Return the sketch of a table's keys.

    `rows` are the different keys, each once, with their cells in the order of the columns. `secret` is what the hashes
    are keyed with: without it nobody can try values.
    """
    found = []
    for row in rows:
        told = hashlib.blake2b(key=secret, digest_size=HASH_BYTES)
        for cell in row:
            text = b"" if cell is None else cell.encode("utf-8", "surrogatepass")
            told.update((b"\0" if cell is None else b"\1") + len(text).to_bytes(8, "big") + text)
        found.append(int.from_bytes(told.digest(), "big"))
    found.sort()
    return Sketch(tuple(found[:SIZE]), len(found))


def overlap(one: Sketch, other: Sketch) -> Overlap:
    """Return how many keys two tables share: exactly where both are small, else estimated.

    Both sketches are made with the same secret over the same columns. Among the smallest hashes of the union of both,
    the share that both have estimates the Jaccard index J, and J/(1+J) of the sum of their keys is shared. Its error is
    that of a share among 1024.
    """
    first, second = set(one.hashes), set(other.hashes)
    if one.whole and other.whole:
        exact = len(first & second)
        return Overlap(exact, exact, exact)
    union = sorted(first | second)[:SIZE]
    both = sum(value in first and value in second for value in union)
    share = both / len(union)
    spread = DEVIATIONS * math.sqrt(max(share * (1 - share), 1 / len(union)) / len(union))
    most = min(one.keys, other.keys)

    def shared(index: float) -> float:
        return index / (1 + index) * (one.keys + other.keys)

    low = math.floor(shared(max(share - spread, 0.0))) if both else 0
    high = math.ceil(shared(min(share + spread, 1.0)))
    return Overlap(min(round(shared(share)), most), min(low, most), min(high, most))
