"""Which released kinds of rows may come from which original ones: an exact join per star pattern.

A released kind accepts an original one of its block (equal other columns) that has the values it shows. Kinds
of one block and one star pattern are told apart by what they show, so an original kind fits at most one of
them: one hash table per block and pattern. Where a pattern has few kinds, or kinds show free ranges, each looks
instead through the original kinds that have the rarest of its shown values. Either way every hit is compared cell by
cell.
"""
# mypy: disable-error-code="no-untyped-def,untyped-decorator"

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.loops import njit
from incrowd.tables.verify.pairing.kinds import INVENTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.verify.pairing.kinds import Kinds


MOST_EDGES = 150_000_000
MOST_PROBES = 3_000_000_000
AT_ONCE = 50_000_000
FEW_KEYS, KEYS_A_KIND = 1 << 16, 4


class TooManyFit(InputError):
    """More pairs fit than may lie in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Edges:
    """Edges from released kinds to the original kinds they may come from.

    `start`: (b + 1,) int64. `adjacent`: (e,) int32, ``adjacent[start[r]:start[r + 1]]`` are the original kinds that
    released kind r accepts.
    """

    start: NDArray[np.int64]
    adjacent: NDArray[np.int32]

    def only(self, keep: NDArray[np.bool_], mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> Edges:
        """Return the edges from r to o with ``keep[mine[r], theirs[o]]``."""
        kept = [some[keep[r, theirs[some]]] for r, some in zip(mine, self._by_taker(), strict=False)]
        start = np.cumsum([0, *map(len, kept)], dtype=np.int64)
        return Edges(start, np.concatenate([self.adjacent[:0], *kept]))

    def pairs(self, mine: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which pairs ``(mine[r], theirs[o])`` occur among the edges, as a matrix."""
        used = np.zeros((int(mine.max(initial=-1)) + 1, int(theirs.max(initial=-1)) + 1), np.bool_)
        for r, some in zip(mine, self._by_taker(), strict=False):
            used[r, theirs[some]] = True
        return used

    def _by_taker(self) -> list[NDArray[np.int32]]:
        return np.split(self.adjacent, self.start[1:-1])


class Fit:
    """The join, prepared: its size is known before an edge is built.

    Released kinds have block >= 0 and no invented value. Both sides are sorted by block, `released` within a block by
    `pattern`, a (b,) array with the number of the star pattern of each released kind. `probes` counts what is looked
    at: at most the sum over blocks of (patterns in use) times (original kinds). Each costs O(m) time. Memory outside
    the edges: 12 m bytes per original kind, 28 per released one.
    """

    def __init__(self, original: Kinds, released: Kinds, pattern: NDArray[np.int64]) -> None:
        self.original = original
        self.released = released
        blocks = int(original.block.max(initial=-1)) + 1
        self.first = np.searchsorted(original.block, np.arange(blocks + 1)).astype(np.int64)
        new = np.ones(pattern.size, np.bool_)
        new[1:] = (pattern[1:] != pattern[:-1]) | (released.block[1:] != released.block[:-1])
        self.group = np.append(np.flatnonzero(new), pattern.size).astype(np.int64)
        self.block = released.block[self.group[:-1]]
        self.listed = np.empty(original.codes.T.shape, np.int32)
        self.rarest = np.zeros(pattern.size, np.int64)
        self.span = np.stack([self.first[released.block], self.first[released.block + 1]])
        for j in range(original.codes.shape[1]):
            self._look_up(j)
        alone = np.append(0, np.cumsum(self.span[1] - self.span[0]))
        alone = alone[self.group[1:]] - alone[self.group[:-1]]
        together = self.first[self.block + 1] - self.first[self.block]
        ranged = np.logical_or.reduceat((released.codes < INVENTED).any(axis=1), self.group[:-1])
        self.hashed = (together < alone) & ~ranged  # an original kind may lie in the ranges of several
        self.work = np.where(self.hashed, together, alone)
        self.probes = int(self.work.sum())

    def _look_up(self, j: int) -> None:
        """List the original kinds by block and value of column j; keep each released kind's shortest span."""
        size = int(self.original.codes[:, j].max(initial=0)) + 1
        key = self.original.block * size + self.original.codes[:, j]
        order = np.argsort(key, kind="stable")
        self.listed[j] = order
        shown = self.released.codes[:, j] >= 0
        sought = np.where(shown, self.released.block * size + self.released.codes[:, j], 0)
        most = max(int(key.max(initial=-1)), int(sought.max(initial=-1))) + 1
        if most <= max(KEYS_A_KIND * key.size, FEW_KEYS):
            # counted, for a search in a long list misses the cache at every step
            starts = np.append(0, np.cumsum(np.bincount(key, minlength=most)))
            begin, end = starts[sought], starts[sought + 1]
        else:
            begin, end = (np.searchsorted(key[order], sought, side) for side in ("left", "right"))
        shorter = shown & (end - begin < self.span[1] - self.span[0])
        self.rarest[shorter] = j
        self.span[0, shorter] = begin[shorter]
        self.span[1, shorter] = end[shorter]

    def edges(self, most_edges: int | None = None) -> Edges:
        """Return all edges.

        Raise `InputError` if there are more probes, or a `TooManyFit` if more edges, than the limits (by default
        `MOST_PROBES`, about a minute of time, and `MOST_EDGES`, 600 MB of memory); this is decided before they are
        built.
        """
        _refuse_above(self.probes, MOST_PROBES, InputError)
        hashes = hashes_of(self.original.codes)
        degree = np.zeros(self.released.rows.size, np.int64)
        nothing = np.empty(0, np.int32)
        self._join(hashes, degree, nothing)
        start = np.zeros(degree.size + 1, np.int64)
        np.cumsum(degree, out=start[1:])
        _refuse_above(int(start[-1]), MOST_EDGES if most_edges is None else most_edges, TooManyFit)
        adjacent = np.empty(int(start[-1]), np.int32)
        self._join(hashes, start[:-1].copy(), adjacent)
        return Edges(start, adjacent)

    def _join(self, hashes: NDArray[np.uint64], at: NDArray[np.int64], adjacent: NDArray[np.int32]) -> None:
        # piece by piece, so that Ctrl-C is heard
        pieces = np.cumsum(self.work) // AT_ONCE
        ends = [*(np.flatnonzero(np.diff(pieces)) + 1), self.block.size]
        lo = 0
        for hi in ends:
            codes = self.original.codes, hashes, self.first, self.released.codes
            lists = self.listed, self.rarest, self.span, self.hashed
            hits(*codes, *lists, *self.released.ranges, self.group, self.block, lo, int(hi), at, adjacent)
            lo = int(hi)


def _refuse_above(size: int, limit: int, error: type[InputError]) -> None:
    if size > limit:
        raise error(
            f"pairing the released with the original rows takes {size:,} comparisons of different rows, more "
            f"than the {limit:,} that are tried; split both tables by a column that is never starred and "
            "verify the parts, or keep a column that tells more rows apart"
        )


def patterns_of(marks: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Return the distinct lines of a matrix and the number of each line among them.

    `marks` is (t, m), one line a kind of row.
    """
    if not len(marks):
        return marks, np.zeros(0, np.int64)
    packed = np.ascontiguousarray(np.packbits(marks, axis=1))
    view = packed.view(np.dtype((np.void, packed.shape[1]))).ravel()
    _, index, inverse = np.unique(view, return_index=True, return_inverse=True)
    return marks[index], inverse.astype(np.int64)


@njit(cache=True, nogil=True)
def _mix(j, code):
    """Return 64 bits for code `code` in column j (the finalizer of splitmix64)."""
    x = np.uint64(j + 1) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(code + 1) * np.uint64(0xD1342543DE82EF95)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@njit(cache=True, nogil=True)
def hashes_of(codes):
    """Return a hash of each code by its column."""
    t, m = codes.shape
    out = np.empty((t, m), np.uint64)
    for i in range(t):
        for j in range(m):
            out[i, j] = _mix(j, codes[i, j])
    return out


@njit(cache=True, nogil=True)
def _agree(o_codes, o, r_codes, r, shown, s):
    for i in range(s):  # noqa: SIM110 - numba compiles no generator
        if o_codes[o, shown[i]] != r_codes[r, shown[i]]:
            return False
    return True


@njit(cache=True, nogil=True)
def _inside(o_codes, o, r_codes, r, holds, begin, width):
    """Return whether an original kind lies in the free ranges that a released one shows."""
    for j in range(width.size):
        code = r_codes[r, j]
        if code < -2 and not holds[begin[j] + (-3 - code) * width[j] + o_codes[o, j]]:
            return False
    return True


@njit(cache=True, nogil=True)
def hits(
    o_codes, hashes, first, r_codes, listed, rarest, span, hashed, holds, from_, width, group, block, lo, hi, at,
    adjacent
):  # fmt: skip
    """Count the hits of each released kind in `at`, or write them from ``adjacent[at[r]]`` on."""
    m = o_codes.shape[1]
    write = adjacent.size > 0
    most = 1
    for g in range(lo, hi):
        if hashed[g]:
            most = max(most, group[g + 1] - group[g])
    room = 2
    while room < 2 * most:
        room *= 2
    table = np.empty(room, np.int64)
    shown = np.empty(m, np.int64)
    for g in range(lo, hi):
        begin, end = group[g], group[g + 1]
        s = 0
        for j in range(m):
            if r_codes[begin, j] >= 0:
                shown[s] = j
                s += 1
        if not hashed[g]:
            for r in range(begin, end):
                for i in range(span[0, r], span[1, r]):
                    o = listed[rarest[r], i]
                    if not _agree(o_codes, o, r_codes, r, shown, s):
                        continue
                    if _inside(o_codes, o, r_codes, r, holds, from_, width):
                        if write:
                            adjacent[at[r]] = o
                        at[r] += 1
            continue
        size = 2
        while size < 2 * (end - begin):
            size *= 2
        cut = np.uint64(size - 1)
        table[:size] = -1
        for r in range(begin, end):
            x = np.uint64(0)
            for i in range(s):
                x += _mix(shown[i], r_codes[r, shown[i]])
            slot = x & cut
            while table[slot] >= 0:
                slot = (slot + np.uint64(1)) & cut
            table[slot] = r
        for o in range(first[block[g]], first[block[g] + 1]):
            x = np.uint64(0)
            for i in range(s):
                x += hashes[o, shown[i]]
            slot = x & cut
            while table[slot] >= 0:
                r = table[slot]
                if _agree(o_codes, o, r_codes, r, shown, s):
                    if write:
                        adjacent[at[r]] = o
                    at[r] += 1
                    break
                slot = (slot + np.uint64(1)) & cut
